"""One event of a game as a piece of text, as the lines of a record hold it.

```
Ada plays: K7 K8 K9 | R10 B10 O10; keeps B2 {41.5 s}
Ben draws B4
correct 12 by Cleo: Ben draws B5
```

One table, `FORMS`, says how each kind is written; printing and parsing both go by it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from types import MappingProxyType
from typing import Any, Final

from engine.game.cursor import Cursor, print_board, print_list, print_tiles
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
from engine.game.names import check_name, check_players, print_name
from engine.layout import EMPTY
from engine.melds import Meld
from engine.notation_values import (
    print_choice,
    print_choices,
    print_number,
    print_seconds,
    print_switch,
)

_ENDS: Final = ";{!"
"""Characters that end what an event begins with: a field, the clock, the ruling."""
WHAT_IS_DONE: Final = "what the player did"
"""What is expected behind a player's name, as an error says it."""
_PRESET: Final = re.compile(r"[a-z0-9-]+")


@dataclass(frozen=True, slots=True)
class Codec:
    """How a value of one kind is written and read. `write` raises ValueError for what cannot be."""

    write: Callable[[Any], str]
    read: Callable[[Cursor], Any]


@dataclass(frozen=True, slots=True)
class Part:
    """One field of an event: left out when it has its default, which most often means not known."""

    field: str
    before: str
    """The words or signs before it; empty for what follows the verb at once."""
    codec: Codec


@dataclass(frozen=True, slots=True)
class Form:
    """How one kind of event is written."""

    kind: type[GameEvent]
    words: str
    """The verb behind the player's name, or what an event of nobody begins with."""
    parts: tuple[Part, ...] = ()
    by_player: bool = True
    """Whether the player's name comes first."""


def print_event(event: GameEvent) -> str:
    """The event as `parse_event` reads it.

    Raises ValueError for what the notation cannot hold, such as a name with a line break.
    """
    form = form_of(type(event))
    text = form.words
    if form.by_player:
        text = f"{_write_name(event.player)} {text}"  # type: ignore[attr-defined]
    for part in form.parts:
        value = getattr(event, part.field)
        default = _default(form.kind, part.field)
        if default is MISSING or value != default:
            text += _joined(part.before) + part.codec.write(value)
    return text


def _joined(before: str) -> str:
    """The words before a field with their blanks: none before a sign, none behind an opening one."""
    left = "" if before[:1] in (";", ":", "=") else " "
    right = "" if before[-1:] in ("", "{", "=") else " "
    return left + before + right


def parse_event(cursor: Cursor) -> GameEvent:
    """The event that begins at the cursor, which then stands behind it.

    Raises MalformedError, and AmbiguousError for a game between two of the same name.
    """
    start = cursor.start
    form = next((form for form in FORMS if not form.by_player and cursor.take(form.words)), None)
    found: dict[str, Any] = {}
    if form is None:
        found["player"] = cursor.name()
        form = next((form for form in FORMS if form.by_player and cursor.take(form.words)), None)
    if form is None:
        verbs = ", ".join(form.words for form in FORMS if form.by_player)
        cursor.fail(WHAT_IS_DONE, f"a player {verbs}", cursor.start if found else start)
    for part in form.parts:
        optional = _default(form.kind, part.field) is not MISSING
        if _is_there(part, cursor, optional=optional):
            found[part.field] = part.codec.read(cursor)
    return form.kind(**found)


def _is_there(part: Part, cursor: Cursor, *, optional: bool) -> bool:
    """Whether the field comes next; complains about one that has to and does not."""
    if part.before and not optional:
        cursor.expect(part.before, f"write `{part.before}` before it")
    if not optional:
        return True
    if part.before:
        return cursor.take(part.before)
    return not cursor.ended and cursor.text[cursor.at] not in _ENDS


def form_of(kind: type[GameEvent]) -> Form:
    """The form of a kind of event. Raises TypeError for one that has none."""
    found = next((form for form in FORMS if form.kind is kind), None)
    if found is None:
        raise TypeError(f"there is no notation for {kind.__name__}")
    return found


def _default(kind: type[GameEvent], name: str) -> Any:
    """The default of a field, MISSING where it has none."""
    found: Field[Any] = next(item for item in fields(kind) if item.name == name)
    if found.default_factory is not MISSING:
        return found.default_factory()
    return found.default


# Values


def _write_name(name: str) -> str:
    check_name(name)
    return print_name(name)


def _list_of(codec: Codec) -> Codec:
    """Several with `|` between, `-` for none."""

    def write(values: Iterable[Any]) -> str:
        return print_list(map(codec.write, values)) or EMPTY

    def read(cursor: Cursor) -> tuple[Any, ...]:
        return () if cursor.take(EMPTY) else cursor.listed(lambda: codec.read(cursor))

    return Codec(write, read)


def _with_name(codec: Codec) -> Codec:
    """A player's name and what is told of that player."""
    return Codec(
        lambda pair: f"{_write_name(pair[0])} {codec.write(pair[1])}",
        lambda cursor: (cursor.name(), codec.read(cursor)),
    )


def _one_of(words: Mapping[Any, str]) -> Codec:
    """One of some values, each by its words."""

    def write(value: object) -> str:
        if value not in words:
            raise ValueError(f"{value!r} is none of {', '.join(map(str, words))}")
        return words[value]

    def read(cursor: Cursor) -> Any:
        for value, text in words.items():
            if cursor.take(text):
                return value
        return cursor.fail(" or ".join(words.values()), f"write {' or '.join(words.values())}")

    return Codec(write, read)


def _read_meld(cursor: Cursor) -> Meld:
    start, tiles = cursor.start, cursor.tiles()
    if not tiles:
        cursor.fail("the tiles of a set", "write them, as K7 K8 K9", start)
    return Meld(tiles)


def _write_players(names: tuple[str, ...]) -> str:
    if not names:
        raise ValueError("a game has players")
    check_players(names)
    return print_list(map(print_name, names))


def _write_preset(name: str) -> str:
    if not _PRESET.fullmatch(name):
        raise ValueError(f"{name!r} is no name of a preset, such as pressman")
    return name


def _read_preset(cursor: Cursor) -> str:
    return cursor.matching(
        _PRESET, "the name of a preset", "write it as `meldwatch rules` lists it"
    )


def _read_clock(cursor: Cursor) -> float:
    seconds = cursor.seconds()
    cursor.expect("s }", "close the time as in {41.5 s}")
    return seconds


def _write_inner(event: GameEvent) -> str:
    if isinstance(event, Corrected):
        raise ValueError("a correction is of an event, and not of another correction")
    return print_event(event)


def _read_inner(cursor: Cursor) -> GameEvent:
    start, event = cursor.start, parse_event(cursor)
    if isinstance(event, Corrected):
        cursor.fail("an event that is no correction", "correct the event itself", start)
    return event


_NAME: Final = Codec(_write_name, Cursor.name)
_TILES: Final = Codec(print_tiles, Cursor.tiles)
_TILE: Final = Codec(str, Cursor.tile)
_MELD: Final = Codec(str, _read_meld)
_BOARD: Final = Codec(print_board, Cursor.board)
_NUMBER: Final = Codec(print_number, Cursor.number)
_HOUSE: Final = Codec(print_choices, lambda cursor: MappingProxyType(cursor.choices()))
_HANDS: Final = _list_of(_with_name(_TILES))
_CLOCK: Final = Part(
    "elapsed_s", "{", Codec(lambda time: f"{print_seconds(time)} s}}", _read_clock)
)
_OVERRULED: Final = Part("overruled_by", "; overruled by", _NAME)
_BY: Final = Part("by", "by", _NAME)

FORMS: Final = (
    Form(
        GameBegun,
        "game",
        (
            Part("preset", "", Codec(_write_preset, _read_preset)),
            Part("house_rules", "; house:", _HOUSE),
            Part("players", "; players:", Codec(_write_players, Cursor.players)),
            Part("locks", "; locks:", _NUMBER),
        ),
        by_player=False,
    ),
    Form(
        DrawnForStart,
        "for the start",
        (Part("drawn", ":", _list_of(_with_name(_TILE))),),
        by_player=False,
    ),
    Form(StarterNamed, "begins"),
    Form(
        Dealt,
        "deal",
        (Part("hands", ":", _HANDS), Part("upcard", "; upcard", _TILE)),
        by_player=False,
    ),
    Form(
        Played,
        "plays",
        (
            Part("after", ":", _BOARD),
            Part("rack", "; keeps", _TILES),
            _OVERRULED,
            _CLOCK,
        ),
    ),
    Form(
        Drew,
        "draws",
        (Part("tiles", "", _TILES), Part("returned", "; returns", _TILE), _CLOCK),
    ),
    Form(Passed, "passes", (_CLOCK,)),
    Form(
        Claimed,
        "claims",
        (
            Part("meld", "", _MELD),
            Part("fresh", ";", _one_of({True: "without tokens", False: "with tokens"})),
            _CLOCK,
        ),
    ),
    Form(CalledOut, "calls out"),
    Form(
        Misplayed,
        "misplays",
        (Part("attempt", ":", _BOARD), Part("drawn", "; draws", _TILES), _CLOCK),
    ),
    Form(
        TimeRanOut,
        "runs out of time",
        (Part("at_buzzer", ":", _BOARD), Part("drawn", "; draws", _TILES)),
    ),
    Form(EverybodyDrew, "everybody draws", (Part("drawn", ":", _HANDS),), by_player=False),
    Form(
        CardTaken,
        "takes from",
        (
            Part("source", "", _one_of({"deck": "deck", "discard": "discard"})),
            Part("card", "", _TILE),
        ),
    ),
    Form(
        CardBought,
        "buys",
        (Part("callers", "; called", _list_of(_NAME)), Part("from_deck", "; draws", _TILES)),
    ),
    Form(Discarded, "discards", (Part("card", "", _TILE), _OVERRULED)),
    Form(Reshuffled, "reshuffle", by_player=False),
    Form(
        FaultNoticed,
        "fault noticed",
        (_BY, Part("decision", ":", _one_of({"stands": "stands", "taken_back": "taken back"}))),
        by_player=False,
    ),
    Form(PlayStopped, "play stops", by_player=False),
    Form(
        RoundCounted,
        "hands counted",
        (Part("counts", ":", _list_of(_with_name(_NUMBER))), Part("out", "; out", _NAME)),
        by_player=False,
    ),
    Form(
        HandsShown,
        "hands",
        (Part("hands", ":", _HANDS), Part("counted", "; counted", _list_of(_with_name(_NUMBER)))),
        by_player=False,
    ),
    Form(
        HouseRuleChosen,
        "house rule",
        (
            _BY,
            Part("switch", ":", Codec(print_switch, Cursor.switch)),
            Part("value", "=", Codec(print_choice, Cursor.choice)),
        ),
        by_player=False,
    ),
    Form(Undone, "undo", (_BY,), by_player=False),
    Form(
        Corrected,
        "correct",
        (Part("number", "", _NUMBER), _BY, Part("event", ":", Codec(_write_inner, _read_inner))),
        by_player=False,
    ),
)
"""How every kind of event is written."""
