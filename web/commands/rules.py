"""`meldwatch rules`: what the referee goes by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from web.commands.common import print_json_line

if TYPE_CHECKING:
    from engine.ruleset import RuleSet
    from engine.switches import Switch

EPILOGUE = """\
\b
Without PRESET: the presets there are. With one: every value with the rule that
it comes from, every switch a family may set differently (a house rule) with its
values, and the words of each rule that is cited.
\b
Examples:
  meldwatch rules
  meldwatch rules pressman
  meldwatch rules pressman --json | jq '.switches[] | select(.asked) | .name'
"""


@click.command(epilog=EPILOGUE, short_help="Show the presets, their switches and their sources.")
@click.argument("preset", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def rules(preset: str | None, as_json: bool) -> None:
    """Show the rules of PRESET, or list the presets."""
    from engine.ruleset import UnknownPresetError, list_presets, load_ruleset

    if preset is None:
        for name in list_presets():
            title = load_ruleset(name).title
            if as_json:
                print_json_line({"preset": name, "title": title})
            else:
                click.echo(f"{name:22}  {title}")
        return
    try:
        found = load_ruleset(preset)
    except UnknownPresetError as error:
        raise click.BadParameter(str(error), param_hint="PRESET") from error
    if as_json:
        print_json_line(rules_to_json(found))
    else:
        _print_for_people(found)


def rules_to_json(found: RuleSet) -> dict[str, Any]:
    """Everything about a preset: values, switches and quotations."""
    from engine.ruleset import quotation

    return {
        "preset": found.preset,
        "title": found.title,
        "values": {
            name: {"value": _plain(found.value_of(name)), "rule": rule}
            for name, rule in found.value_rules.items()
        },
        "switches": [
            {
                "name": switch.name,
                "rule": switch.rule,
                "asked": switch.asked,
                "question": switch.question,
                "now": switch.print(found.value_of(switch.name)),
                "values": dict(switch.options) or {"least": switch.least, "most": switch.most},
            }
            for switch in found.switches.values()
        ],
        "quotations": {rule: quotation(rule) for rule in _cited(found)},
    }


def _print_for_people(found: RuleSet) -> None:
    from engine.ruleset import quotation

    click.echo(f"{found.title}   (preset {found.preset})")
    click.echo("\nValues")
    for name, rule in found.value_rules.items():
        click.echo(f"  {name:28} {_shown(found.value_of(name)):34} [{rule}]")
    click.echo("\nSwitches: what a family may set differently")
    for switch in found.switches.values():
        _print_switch(switch, switch.print(found.value_of(switch.name)))
    click.echo("\nThe words behind the rules")
    for rule in _cited(found):
        click.echo(f"  {rule:8} {quotation(rule)}")


def _print_switch(switch: Switch, now: str) -> None:
    asked = "; asked when a ruling depends on it" if switch.asked else ""
    click.echo(f"  {switch.name} = {now}   [{switch.rule}{asked}]")
    click.echo(f"      {switch.question}")
    for value, meaning in switch.options.items():
        click.echo(f"      {value:16} {meaning}")
    if not switch.options:
        click.echo(f"      a number from {switch.least} to {switch.most}")


def _cited(found: RuleSet) -> list[str]:
    """Every rule id the preset cites, each once, in order of their names."""
    cited = {*found.value_rules.values(), *found.fault_rules.values()}
    cited |= {switch.rule for switch in found.switches.values()}
    return sorted(cited)


def _plain(value: object) -> object:
    """A field's value with tuples as lists, as JSON has them."""
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(
            _shown(item) if not isinstance(item, tuple) else ":".join(map(str, item))
            for item in value
        )
    return str(value)
