"""Events and records of every kind for the tests of their text, and one record that has them all."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from hypothesis import strategies as st

from engine.faults import Verdict
from engine.game import events
from engine.game.events import (
    CalledOut,
    CardBought,
    CardTaken,
    Claimed,
    Corrected,
    Dealt,
    Discarded,
    DrawnForStart,
    Drew,
    EverybodyDrew,
    FaultNoticed,
    GameBegun,
    GameEvent,
    HandsShown,
    HouseRuleChosen,
    Misplayed,
    Passed,
    Played,
    PlayStopped,
    Reshuffled,
    RoundCounted,
    StarterNamed,
    TimeRanOut,
    Undone,
)
from engine.game.names import RESERVED, is_name
from engine.game.record import Entry, Note, Record, Result
from engine.layout import GridLayout, Layout
from engine.melds import Meld
from engine.tiles import CARDS, TILES


def written_alike(name: str) -> str:
    """Equal for names that nobody can tell apart on paper."""
    return unicodedata.normalize("NFC", name)


tiles = st.sampled_from([*TILES, *CARDS])
racks = st.lists(tiles, max_size=5).map(tuple)
melds = st.lists(tiles, min_size=1, max_size=5).map(Meld.of)
layouts = st.lists(melds, max_size=4).map(lambda found: Layout(tuple(found)))


@st.composite
def grids(draw: st.DrawFn) -> GridLayout:
    """Boards of up to three rows and columns, each with tiles in its first and last one."""
    height, width = draw(st.integers(1, 3)), draw(st.integers(1, 3))
    cells = st.none() | tiles
    rows = [[draw(cells) for _ in range(width)] for _ in range(height)]
    rows[0][0] = draw(tiles)
    rows[-1][-1] = draw(tiles)
    return GridLayout(tuple(map(tuple, rows)))


boards = layouts | grids() | st.just(GridLayout())
odd_names = st.sampled_from(
    [
        "Ada",
        "Ben B.",
        'Cleo "the fox"',
        "a;b|c:d{e}!",
        "O'Hara",
        "Zoë",
        "王さん",
        "back\\slash",
        "by",
        "deal",
        "K7",
        "-",
        "?",
        "7",
        "two  blanks",
        "👩‍🚀",
        *sorted(RESERVED),
    ]
)
names = odd_names | st.text(max_size=8).filter(is_name)
times = st.none() | st.floats(0, 1e6)
hands = st.lists(st.tuples(names, racks), max_size=3).map(tuple)
by = st.none() | names
numbers = st.integers(1, 999)
counts = st.lists(st.tuples(names, numbers), max_size=3).map(tuple)
switches = st.sampled_from(["joker.freeze", "opening.points", "run.wrap"])
values = st.sampled_from(["none", "high_or_low", "2x", 0, 40])
choices = st.dictionaries(switches, values).map(MappingProxyType)
players = st.lists(names, min_size=1, max_size=4, unique_by=written_alike).map(tuple)

EVENTS: dict[type[GameEvent], st.SearchStrategy[Any]] = {
    GameBegun: st.builds(
        GameBegun,
        st.sampled_from(["pressman", "sets-and-runs"]),
        players,
        choices,
        st.none() | numbers,
    ),
    DrawnForStart: st.builds(
        DrawnForStart, st.lists(st.tuples(names, tiles), max_size=4).map(tuple)
    ),
    StarterNamed: st.builds(StarterNamed, names),
    Dealt: st.builds(Dealt, hands, st.none() | tiles),
    Played: st.builds(Played, names, boards, st.none() | racks, times, by),
    Drew: st.builds(Drew, names, st.none() | racks, st.none() | tiles, times),
    Passed: st.builds(Passed, names, times),
    Claimed: st.builds(Claimed, names, melds, times, st.sampled_from([None, True, False])),
    CalledOut: st.builds(CalledOut, names),
    Misplayed: st.builds(Misplayed, names, st.none() | boards, st.none() | racks, times),
    TimeRanOut: st.builds(TimeRanOut, names, st.none() | boards, st.none() | racks),
    EverybodyDrew: st.builds(EverybodyDrew, hands),
    CardTaken: st.builds(CardTaken, names, st.sampled_from(["deck", "discard"]), st.none() | tiles),
    CardBought: st.builds(
        CardBought, names, st.lists(names, max_size=2).map(tuple), st.none() | racks
    ),
    Discarded: st.builds(Discarded, names, tiles, by),
    Reshuffled: st.builds(Reshuffled),
    FaultNoticed: st.builds(FaultNoticed, st.sampled_from([None, "stands", "taken_back"]), by),
    PlayStopped: st.builds(PlayStopped),
    RoundCounted: st.builds(RoundCounted, counts, st.none() | names),
    HandsShown: st.builds(HandsShown, hands, counts),
    HouseRuleChosen: st.builds(HouseRuleChosen, switches, values, by),
    Undone: st.builds(Undone, by),
}
plain_events = st.one_of(*EVENTS.values())
EVENTS[Corrected] = st.builds(Corrected, numbers, plain_events, by)

rulings = st.sampled_from(
    [
        Note(Verdict.LEGAL),
        Note(Verdict.ASK),
        Note(Verdict.ILLEGAL, (("SET_TOO_SHORT", "PR-07"), ("RUN_GAP", "AMB-41"))),
    ]
)
digests = st.sampled_from(["0" * 64, "0123456789abcdef" * 4])
entries = st.builds(
    Entry,
    st.one_of(*(strategy for kind, strategy in EVENTS.items() if kind is not GameBegun)),
    st.none() | rulings,
    st.none() | digests,
)
free_text = st.none() | names


@st.composite
def results(draw: st.DrawFn) -> Result:
    told = draw(players)
    points = st.builds(Fraction, st.integers(-999, 999), st.integers(1, 4))
    winners = draw(st.lists(st.sampled_from(told), unique=True, max_size=2))
    return Result(tuple((name, draw(points)) for name in told), tuple(winners))


records = st.builds(
    lambda begun, rest, *headers: Record((begun, *rest), *headers),
    st.builds(Entry, EVENTS[GameBegun], st.none(), st.none() | digests),
    st.lists(entries, max_size=6),
    free_text,
    free_text,
    free_text,
    st.none() | results(),
)

KINDS = [
    value
    for value in vars(events).values()
    if isinstance(value, type) and issubclass(value, GameEvent) and value is not GameEvent
]

EXAMPLE = """\
record/1 pressman
house: joker.freeze=none opening.points=40
players: Ada | "Ben B." | Cleo
locks: 4
date: the first of May
place: Ada's kitchen
table: 1
result: Ada 24 | "Ben B." -73/3 | Cleo 1/3; won by Ada

= 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
2. for the start: Ada K7 | "Ben B." J | Cleo K7
3. Ada begins
4. deal: Ada K1 K2 J | Cleo -; upcard 10H
5. Ada plays: R10 B10 O10 | K1; keeps B2; overruled by Cleo {41.5 s} ! ILLEGAL LOOSE_TILE PR-17
6. "Ben B." draws B4 B5; returns B5 {0.25 s}
7. Cleo passes
8. Ada claims R10 B10 O10; without tokens {3 s} ! LEGAL
9. "Ben B." calls out
10. Cleo misplays: grid K7 K8 / . B8; draws - ! ASK
11. Ada runs out of time: -; draws K1 K2 K3
12. everybody draws: Ada K1 | Cleo -
13. Ada takes from discard 7H
14. Cleo buys; called Ada | "Ben B."; draws 8H
15. Ada discards KH; overruled by Cleo
16. reshuffle
17. fault noticed by Ada: taken back
18. play stops
19. hands counted: Ada 0 | "Ben B." 35 | Cleo 15; out Ada
20. hands: Ada -
21. house rule by Ada: joker.freeze=full
22. undo by Cleo
23. correct 5 by "Ben B.": Ada plays: - {2 s}
24. correct 1: game pressman; players: Ada | Ben; locks: 2
= 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
"""


def without_blanks(text: str) -> list[str]:
    """The lines of a text, each without its blanks but those in quotes; no blank ones."""
    words = re.compile(r'"(?:[^"\\]|\\["\\])*"|\S')
    lines = ["".join(words.findall(line)) for line in text.split("\n")]
    return [line for line in lines if line]
