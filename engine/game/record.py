"""A game as a text: who played by which rules, and then every event on a line of its own.

```
record/1 pressman
players: Ada | Ben

2. for the start: Ada K7 | Ben R3
3. deal
4. Ada plays: R10 B10 O10 {41.5 s} ! LEGAL
= 5d0a...
```

The events are the game; rulings, digests and the result are what it came to then, for a replay to
check (`engine.game.replay`). The grammar is docs/notation.md.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final

from engine.faults import Ruling, Verdict
from engine.game.cursor import Cursor, print_list
from engine.game.event_lines import parse_event, print_event
from engine.game.events import GameBegun, GameEvent
from engine.game.names import NAME_RULE, check_name, check_players, is_name, print_name
from engine.game.text_errors import AmbiguousError, IllegalError
from engine.notation import NOTATION_VERSION
from engine.notation_values import print_choices

_FORMAT: Final = f"record/{NOTATION_VERSION}"
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_CODE: Final = re.compile(r"[A-Z][A-Z0-9_]*")
_RULE: Final = re.compile(r"[A-Z][A-Z0-9]*-[0-9]+")


@dataclass(frozen=True, slots=True)
class Note:
    """What the referee said of a turn, in short.

    Raises ValueError for faults of a legal turn, and for a code or a rule that cannot be one.
    """

    verdict: Verdict
    faults: tuple[tuple[str, str], ...] = ()
    """The code of each fault and the rule it breaks, each pair once. LEGAL has none."""

    def __post_init__(self) -> None:
        if self.verdict is Verdict.LEGAL and self.faults:
            raise ValueError("a legal turn has no faults")
        for code, rule in self.faults:
            if not _CODE.fullmatch(code) or not _RULE.fullmatch(rule):
                raise ValueError(f"{code} {rule} is no fault and its rule, such as RUN_GAP PR-07")

    @classmethod
    def of(cls, ruling: Ruling) -> Note:
        """The note of a ruling; its words are left out."""
        faults = dict.fromkeys((finding.code, finding.rule) for finding in ruling.findings)
        return cls(ruling.verdict, tuple(faults))

    def __str__(self) -> str:
        faults = ", ".join(f"{code} {rule}" for code, rule in self.faults)
        return f"{self.verdict} {faults}".rstrip()


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of a record, and what was noted of it.

    Raises ValueError for a digest that is none.
    """

    event: GameEvent
    ruling: Note | None = None
    digest: str | None = None
    """The digest of the game after the event."""

    def __post_init__(self) -> None:
        if self.digest is not None and not _DIGEST.fullmatch(self.digest):
            raise ValueError(f"{self.digest!r} is no digest: 64 digits from 0 to f")


@dataclass(frozen=True, slots=True)
class Result:
    """What a game has come to: the score, and who won when it is over.

    Raises ValueError for no players, for a text that is no name, and for a winner who is none of them;
    AmbiguousError for two names that cannot be told apart.
    """

    totals: tuple[tuple[str, Fraction], ...]
    """Every player with the points so far, by the seats."""
    winners: tuple[str, ...] = ()
    """Several where it is shared; empty while the game is not over."""

    def __post_init__(self) -> None:
        names = [name for name, _ in self.totals]
        if not names:
            raise ValueError("a result is that of players")
        check_players(names)
        if not set(self.winners) <= set(names):
            raise ValueError("a winner is one of the players")

    def __str__(self) -> str:
        totals = print_list(f"{print_name(name)} {points}" for name, points in self.totals)
        winners = print_list(map(print_name, self.winners))
        return f"{totals}; won by {winners}" if winners else totals


@dataclass(frozen=True, slots=True)
class Record:
    """A whole game, or one as far as it got.

    Raises ValueError unless it begins with `GameBegun` and has no other, for free text that has a
    control character or a line break, and for an event that the notation cannot hold; AmbiguousError for
    two players of the same name. Whether the events can have been is for `engine.game.replay` to say.
    """

    entries: tuple[Entry, ...]
    date: str | None = None
    """When it was played, in any words; None when nobody said."""
    place: str | None = None
    table: str | None = None
    """Which table, where several are watched."""
    result: Result | None = None
    """None while no round has been scored."""

    def __post_init__(self) -> None:
        begun = [isinstance(entry.event, GameBegun) for entry in self.entries]
        if not begun or not begun[0] or any(begun[1:]):
            raise ValueError("a record begins with the beginning of a game, and has no other")
        if self.entries[0].ruling is not None:
            raise ValueError("the beginning of a game is no turn to rule on")
        for entry in self.entries:
            print_event(entry.event)
        for text in (self.date, self.place, self.table):
            if text is not None:
                check_name(text, "text of a header")

    @property
    def begun(self) -> GameBegun:
        """The first event, which the headers hold."""
        event = self.entries[0].event
        assert isinstance(event, GameBegun)
        return event

    @property
    def events(self) -> tuple[GameEvent, ...]:
        """The events in their order; the number of each is its index and one."""
        return tuple(entry.event for entry in self.entries)

    def __str__(self) -> str:
        return "\n".join([*_print_headers(self), "", *_print_entries(self.entries), ""])


def _print_headers(record: Record) -> Iterator[str]:
    begun = record.begun
    yield f"{_FORMAT} {begun.preset}"
    headers = {
        "house": print_choices(begun.house_rules) or None,
        "players": print_list(map(print_name, begun.players)),
        "locks": begun.locks,
        "date": record.date,
        "place": record.place,
        "table": record.table,
        "result": record.result,
    }
    yield from (f"{name}: {value}" for name, value in headers.items() if value is not None)


def _print_entries(entries: tuple[Entry, ...]) -> Iterator[str]:
    for number, entry in enumerate(entries, start=1):
        ruling = "" if entry.ruling is None else f" ! {entry.ruling}"
        if number > 1:
            yield f"{number}. {print_event(entry.event)}{ruling}"
        if entry.digest is not None:
            yield f"= {entry.digest}"


# Parsing

_BEGIN: Final = f"begin as in {_FORMAT} pressman"
_BODY: Final = re.compile(r"\s*[0-9=]")
_HEAD: Final = re.compile(r"\s*record/([0-9]+)\s+([a-z0-9-]+)\s*")
_STARTS: Final = re.compile(r"^[^\S\n]*record/", re.MULTILINE)


def parse_record(text: str, first_line: int = 1) -> Record:
    """The record a text stands for; `str` of it is the text in its own spacing.

    Blank space alone may differ from how a record is printed. Raises MalformedError with line and
    column, the first line being `first_line`, AmbiguousError for players' names that collide, and
    IllegalError for a winner who did not play.
    """
    numbered = enumerate(text.split("\n"), start=first_line)
    lines = deque(Cursor(line, number) for number, line in numbered if line.strip())
    end = Cursor("", first_line + text.count("\n"))
    preset = _parse_head(lines.popleft() if lines else end)
    headers: dict[str, Any] = {}
    while lines and not _BODY.match(lines[0].text):
        _parse_header(lines.popleft(), headers)
    if "players" not in headers:
        (lines[0] if lines else end).fail(
            "the header `players:`", "name them, as players: Ada | Ben"
        )
    begun = GameBegun(
        preset,
        headers.pop("players"),
        MappingProxyType(headers.pop("house", {})),
        headers.pop("locks", None),
    )
    return Record(tuple(_parse_entries(begun, lines)), **headers)


def split_records(text: str) -> Iterator[tuple[str, int]]:
    """The records of a text that holds one or more, each with the number of its first line.

    A line that begins with `record/` begins a record; what stands before the first goes with it.
    """
    starts = [match.start() for match in _STARTS.finditer(text)]
    cuts = [0, *starts[1:], len(text)]
    for start, end in pairwise(cuts):
        yield text[start:end], 1 + text.count("\n", 0, start)


def _parse_head(cursor: Cursor) -> str:
    match = _HEAD.match(cursor.text)
    if match is None:
        cursor.fail(f"`{_FORMAT}` and a preset", _BEGIN)
    if match.group(1) != str(NOTATION_VERSION):
        cursor.fail(f"version {NOTATION_VERSION}", f"write {_FORMAT}", match.start(1))
    cursor.at = match.end()
    cursor.finish("headers stand on lines of their own")
    return match.group(2)


def _parse_header(cursor: Cursor, headers: dict[str, Any]) -> None:
    """Add what a header line holds to what those before it did."""
    start = cursor.start
    name = next((name for name in _HEADERS if cursor.take(f"{name}:")), None)
    if name is None:
        cursor.fail("a header or `2.`", f"the headers are {', '.join(_HEADERS)}")
    order = list(_HEADERS)
    if any(order.index(name) <= order.index(before) for before in headers):
        cursor.fail("another header", f"each stands once, in the order {', '.join(order)}", start)
    headers[name] = _HEADERS[name](cursor)
    cursor.finish("the next header stands on the next line")


def _parse_entries(begun: GameBegun, lines: Iterable[Cursor]) -> Iterator[Entry]:
    """The entries of a record, each with the digest that stands behind it."""
    entry, number = Entry(begun), 1
    for cursor in lines:
        if cursor.take("="):
            if entry.digest is not None:
                cursor.fail("the next event", "one digest stands behind an event", cursor.start)
            digest = cursor.matching(_DIGEST, "a digest", "64 digits from 0 to f")
            entry = replace(entry, digest=digest)
        else:
            yield entry
            number += 1
            entry = _parse_event_line(cursor, number)
        cursor.finish("the next event stands on the next line")
    yield entry


def _parse_event_line(cursor: Cursor, number: int) -> Entry:
    start = cursor.start
    if cursor.number(f"write {number}.") != number:
        cursor.fail(f"event {number}", "events are numbered in their order", start)
    cursor.expect(".", f"write {number}. before the event")
    at = cursor.start
    try:
        event = parse_event(cursor)
    except AmbiguousError as error:
        raise AmbiguousError(error.what, error.candidates, number) from None
    if isinstance(event, GameBegun):
        cursor.fail("an event of this game", "the headers hold how it began", at)
    return Entry(event, _parse_note(cursor) if cursor.take("!") else None)


def _parse_note(cursor: Cursor) -> Note:
    verdict = next((verdict for verdict in Verdict if cursor.take(verdict)), None)
    if verdict is None:
        cursor.fail("a verdict", "write LEGAL, ILLEGAL or ASK")
    faults: list[tuple[str, str]] = []
    more = verdict is not Verdict.LEGAL and not cursor.ended
    while more:
        code = cursor.matching(_CODE, "a fault such as RUN_GAP", "docs/referee.md lists them")
        faults.append((code, cursor.matching(_RULE, "a rule such as PR-07", "name the rule")))
        more = cursor.take(",")
    return Note(verdict, tuple(faults))


def _parse_text(cursor: Cursor) -> str:
    """The rest of the line, as free text."""
    start = cursor.start
    text = cursor.text[start:].rstrip()
    if not is_name(text):
        cursor.fail("a text", NAME_RULE, start)
    cursor.at = len(cursor.text)
    return text


def _parse_result(cursor: Cursor) -> Result:
    totals = cursor.listed(lambda: (cursor.name(), cursor.points()))
    winners = cursor.listed(cursor.name) if cursor.take("; won by") else ()
    try:
        return Result(totals, winners)
    except AmbiguousError:
        raise
    except ValueError as error:
        raise IllegalError(str(error)) from None


_HEADERS: Final[Mapping[str, Callable[[Cursor], Any]]] = {
    "house": Cursor.choices,
    "players": Cursor.players,
    "locks": Cursor.number,
    "date": _parse_text,
    "place": _parse_text,
    "table": _parse_text,
    "result": _parse_result,
}
"""How each header is read, in the order they are printed in."""
