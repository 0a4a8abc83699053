"""How long a judgement takes with its smallest repair, and without one.

Run `python -m tests.engine.time_repairs`. It is over the illegal ones of generated turns: with 40 to 106
tiles, and on boards by their size; and over the published turns where they lie beside the checkout.
Times are of the processor, so that other work on the machine counts little.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from random import Random
from time import process_time

from engine.judge_json import turn_from_json
from engine.referee import Turn, Verdict, judge
from engine.repairs.grids import GridTask
from engine.repairs.tables import TableTask
from engine.ruleset import RuleSet, load_ruleset
from engine.worlds import worlds_of
from tests.engine.large_boards import large_board_turn
from tests.engine.large_turns import large_turn
from tests.engine.test_published_cases import CASES

BOARDS = ((10, 40), (41, 70), (71, 100))
PRESETS = ("pressman", "pressman-tournament", "sabra", "reset", "reset-freeze")


def published() -> Iterator[tuple[Turn, RuleSet]]:
    """The turns that independent programs agree on; none where they are not there."""
    for case in json.loads(CASES.read_text("utf-8"))["turns"] if CASES.is_file() else ():
        keys = ("before", "after", "rack_before", "rack_after")
        told = {key: case[key] for key in keys} | {"opened": case["has_initial_meld"]}
        yield turn_from_json({"rules": "pressman"} | told)


def generated(count: int) -> Iterator[tuple[Turn, RuleSet]]:
    """Turns of all games whose sets lie apart, in turn."""
    for seed in range(count):
        rules = load_ruleset(PRESETS[seed % len(PRESETS)])
        yield large_turn(Random(seed), rules), rules


def on_boards(count: int, least: int, most: int) -> Iterator[tuple[Turn, RuleSet]]:
    """Turns on boards of so many tiles."""
    rules = load_ruleset("rummi200kub")
    for seed in range(count):
        random = Random(seed * 1000 + least)
        yield large_board_turn(random, random.randint(least, most)), rules


def report(name: str, turns: Iterable[tuple[Turn, RuleSet]]) -> None:
    """Percentiles of the illegal ones, and how many of them were mended."""
    without, with_repair = [], []
    mended: Counter[bool] = Counter()
    ran_out = 0
    for turn, rules in turns:
        start = process_time()
        ruling = judge(turn, rules, with_repairs=False)
        plain = process_time() - start
        if ruling.verdict is not Verdict.ILLEGAL:
            continue
        start = process_time()
        ruling = judge(turn, rules)
        with_repair.append(process_time() - start)
        without.append(plain)
        is_mended = all(finding.repair for finding in ruling.findings)
        mended[is_mended] += 1
        ran_out += not is_mended and _ran_out(turn, rules)
    print(f"{name}: {len(without)} illegal turns, {mended[True]} of them with a repair")
    print(f"  for {ran_out} the steps did not last")
    for what, times in (("without repairs", without), ("with repairs", with_repair)):
        ranked = sorted(times)
        if ranked:
            shown = (
                f"p{p} {ranked[(len(ranked) - 1) * p // 100] * 1e3:.2f} ms" for p in (50, 90, 99)
            )
            print(f"  {what}: {', '.join(shown)}, most {ranked[-1] * 1e3:.2f} ms")


def _ran_out(turn: Turn, rules: RuleSet) -> bool:
    """Whether there may be a repair that was not found."""
    world = min(worlds_of(turn, rules), key=lambda item: len(item.examination.findings))
    task: GridTask | TableTask = (TableTask if turn.grid is None else GridTask)(turn, world)
    return task.repair() is None and task.ran_out


if __name__ == "__main__":
    report("published", published())
    how_many = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    report("generated", generated(how_many))
    for sizes in BOARDS:
        report("boards of {} to {} tiles".format(*sizes), on_boards(how_many // 5, *sizes))
