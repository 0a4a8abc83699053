"""How fast tables are validated and turns judged: tables of all 106 tiles, and turns of drawn games,
with tiles and with cards.

On a full table the rest of the game is behind: no turn has more to look at. Every table and every turn
is timed in several rounds, each from empty caches on: what comes first in a round pays for what is kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from engine.faults import Verdict
from engine.layout import Layout
from engine.referee import Turn, judge
from engine.ruleset import RuleSet, load_ruleset
from engine.sets import is_legal_layout, is_set
from engine.tiles import JOKER, RANKS, TILE_SUITS, Tile
from table.bench_cards import drawn_card_turns
from table.bench_spans import Spans, time_each_cold

SEED: Final = 1
TABLES: Final = 300
"""Full tables that are drawn."""
_REPAIRED: Final = 60
"""Turns that are judged with repairs: those on full tables that are not legal take long."""
MOST_ROUNDS: Final = 5
"""How often each is timed, where nobody wants less: more rounds say nothing more."""


@dataclass(frozen=True, slots=True)
class JudgingBench:
    """What validating and judging cost."""

    tables: int
    validated: Spans
    """Is every meld a set: full tables."""
    judged: tuple[Spans, ...]
    """Turns without repairs, then with them, then turns with cards."""

    def to_json(self) -> dict[str, Any]:
        """All spans."""
        return {
            "tables": self.tables,
            "validated": self.validated.to_json(),
            "judged": [spans.to_json() for spans in self.judged],
        }


def full_tables(number: int, rules: RuleSet) -> list[Layout]:
    """Legal tables of all 106 tiles, from one seed: runs in every colour or groups of four, number by
    number, in both copies of the tiles, and the jokers where they fit."""
    random = Random(SEED)
    found: list[Layout] = []
    while len(found) < number:
        rows = [row for _ in range(2) for row in _half(random)]
        for _ in range(2):
            fitting = [row for row in rows if is_set((*row, JOKER), rules)]
            if fitting:
                random.choice(fitting).append(JOKER)
        random.shuffle(rows)
        if sum(map(len, rows)) == 2 * len(RANKS) * len(TILE_SUITS) + 2:
            found.append(Layout.of(rows))
    return found


def _half(random: Random) -> list[list[Tile]]:
    """One copy of every numbered tile, in sets."""
    rows: list[list[Tile]] = []
    rank = 1
    while rank <= len(RANKS):
        left = len(RANKS) + 1 - rank
        length = random.randint(3, left) if left >= 3 and random.random() < 0.5 else 1
        if length == 1:
            rows.append([Tile(suit, rank) for suit in TILE_SUITS])
        else:
            numbers = range(rank, rank + length)
            rows += [[Tile(suit, number) for number in numbers] for suit in TILE_SUITS]
        rank += length
    return rows


def legal_turns(tables: Sequence[Layout]) -> list[Turn]:
    """A turn for each table: one of its sets came from the rack, which is empty now."""
    random = Random(SEED)
    found = []
    for table in tables:
        new = random.randrange(len(table.melds))
        before = Layout((*table.melds[:new], *table.melds[new + 1 :]))
        found.append(Turn(before, table, table.melds[new].tiles, (), True, 30.0, players=4))
    return found


def spoilt_turns(turns: Sequence[Turn]) -> list[Turn]:
    """The same turns with one tile of the table after put into another set."""
    random = Random(SEED)
    found = []
    for turn in turns:
        rows = [list(meld.tiles) for meld in turn.after.melds]
        giving, taking = random.sample(range(len(rows)), 2)
        tile = rows[giving].pop(random.randrange(len(rows[giving])))
        rows[taking].insert(random.randrange(len(rows[taking])), tile)
        found.append(
            Turn(turn.before, Layout.of(rows), turn.rack_before, (), True, 30.0, players=4)
        )
    return found


def bench_judging(
    rules: RuleSet,
    played: Callable[[], Sequence[Turn]],
    tables: int = TABLES,
    rounds: int = MOST_ROUNDS,
) -> JudgingBench:
    """Times so many full tables, and turns on them, by these rules; and the turns that ``played`` draws,
    of games; and as many turns of the card game as tables. Each so many times, once at least."""
    cards = load_ruleset("sets-and-runs")
    settled = cards.with_house_rules(cards.usual_answers())

    def full() -> list[Layout]:
        return full_tables(tables, rules)

    def with_cards() -> list[Turn]:
        return drawn_card_turns(settled, tables)

    def legal() -> list[Turn]:
        return legal_turns(full())

    validated, _ = time_each_cold(
        "validate 106 tiles", full, lambda table: is_legal_layout(table, rules), rounds
    )
    judged = []
    for repairs in (False, True):
        for name, drawn in (
            ("turns of games", played),
            ("turns on 106 tiles", legal),
            ("the same, a tile moved", lambda: spoilt_turns(legal())),
        ):
            judged.append(_judged(name, drawn, rules, rounds, repairs=repairs))
    judged.append(_judged("turns with cards, house rules chosen", with_cards, settled, rounds))
    judged.append(
        _judged_each(
            "the same, each asked and answered once",
            lambda: asked_and_answered(with_cards(), cards),
            rounds,
        )
    )
    judged.append(_judged("the same, asked anew in every turn", with_cards, cards, rounds))
    return JudgingBench(tables, validated, tuple(judged))


def asked_and_answered(turns: Sequence[Turn], rules: RuleSet) -> list[tuple[Turn, RuleSet]]:
    """What is judged at a table where nothing is chosen to begin with: each turn, and when it is asked
    about, the same turn once more by the usual answer, which is kept to the end of the game."""
    usual, known, last = rules.usual_answers(), rules, 0
    found = []
    for turn in turns:
        if turn.round is not None and turn.round < last:
            known = rules
        last = turn.round or last
        while True:
            found.append((turn, known))
            questions = judge(turn, known, with_repairs=False).questions
            names = [question.rule for question in questions if question.rule is not None]
            if not names:
                break
            known = known.with_house_rules({name: usual[name] for name in names})
    return found


def _judged(
    name: str,
    drawn: Callable[[], Sequence[Turn]],
    rules: RuleSet,
    rounds: int,
    *,
    repairs: bool = False,
) -> Spans:
    """Turns by one set of rules, without repairs; or so many of them as are judged with repairs."""
    most = _REPAIRED if repairs else None
    return _judged_each(
        f"{name}{', repairs' * repairs}",
        lambda: [(turn, rules) for turn in drawn()[:most]],
        rounds,
        repairs=repairs,
    )


def _judged_each(
    name: str,
    drawn: Callable[[], Sequence[tuple[Turn, RuleSet]]],
    rounds: int,
    *,
    repairs: bool = False,
) -> Spans:
    """Turns, each by its rules."""
    spans, verdicts = time_each_cold(
        name, drawn, lambda both: judge(*both, with_repairs=repairs).verdict, rounds
    )
    counts = Counter(verdicts)
    told = ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict if counts[verdict])
    return Spans(f"{name} ({told})", spans.milliseconds)
