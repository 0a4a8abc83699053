"""What can happen at a table, as values that go to the log and come back from it unchanged.

Every kind of event is one frozen class here, with its fields documented line by line in
docs/events.md (a test compares the two). Payloads are JSON objects made of the fields.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar


class EventFormatError(ValueError):
    """A payload that is not what its kind promises."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at the table; the classes below say what."""

    kind: ClassVar[str]
    """The word the log stores for the class."""


@dataclass(frozen=True, slots=True)
class SessionStarted(Event):
    """A program began to watch a table; whatever was on it before is not known."""

    kind: ClassVar[str] = "session_started"
    source: str
    """What is watched, in words, such as ``camera 0``."""
    rendered: bool
    """True where the table is drawn by the program and no camera looks at a real one."""
    rules: str
    """Name of the preset that rulings follow."""


@dataclass(frozen=True, slots=True)
class CameraStateChanged(Event):
    """The picture became, or stopped being, one that can be read."""

    kind: ClassVar[str] = "camera_state"
    state: str
    """A word of ``vision.health.HealthState``."""
    detail: str
    """What is wrong and what to try; empty when nothing is."""
    by: str = ""
    """Who said that the camera stays as it is; empty where nobody did."""


@dataclass(frozen=True, slots=True)
class LayoutRead(Event):
    """A layout lay still and was read the same several times; logged when it is another one."""

    kind: ClassVar[str] = "layout_read"
    turn: int
    """The turn it was read in, counted from 1."""
    text: str
    """The layout in notation, a doubtful tile as ``K6?``, an unread one as ``?``."""
    tiles: tuple[tuple[tuple[str, float], ...], ...]
    """For each tile its candidates, likeliest first: label and probability."""
    sure: tuple[bool, ...]
    """For each tile whether its reading is shown as a fact."""
    arrangements: tuple[tuple[tuple[int | None, ...], ...], ...]
    """Every way the tiles may form melds, likeliest first: melds as indexes into ``tiles``; of a board
    its rows of cells, null for an empty one."""


@dataclass(frozen=True, slots=True)
class RulingGiven(Event):
    """The referee judged the layout read last; logged when the ruling is another one."""

    kind: ClassVar[str] = "ruling_given"
    turn: int
    """The turn that was judged, counted from 1."""
    layout: str
    """The judged layout, as in ``layout_read``."""
    before: str | None
    """The table at the start of the turn in notation; None where the table alone was judged."""
    verdict: str
    """LEGAL, ILLEGAL or ASK."""
    findings: tuple[Mapping[str, Any], ...]
    """Every broken rule: code, rule, quote, meld, tiles, message, repair."""
    questions: tuple[Mapping[str, Any], ...]
    """What must be known for a ruling: kind, text, options, tile, rule."""
    unchecked: tuple[str, ...]
    """What could not be checked with what was seen, in sentences."""


@dataclass(frozen=True, slots=True)
class Correction(Event):
    """A person said which tile lies at a place, or that none does; kept apart from what was read.

    It holds while the same is read at that place.
    """

    kind: ClassVar[str] = "correction"
    turn: int
    """The turn it was given in."""
    tile: int | None
    """Index of the tile in the last ``layout_read``; None of what had been said to be none."""
    was: str
    """The likeliest reading until then; empty where there was none."""
    label: str
    """What the person said it is; ``none`` for no tile."""
    centre_xy: tuple[float, float]
    """Where the tile lies, in pixels of the picture that was read."""
    by: str = "person"
    """Who said so: ``person``, or the name that was given."""
    quad: tuple[tuple[float, float], ...] = ()
    """The tile's corners, as parts of the picture's width and height."""
    look: str = ""
    """How its place looked, by which ``table.said_before`` knows it again; empty where that is not the
    tile alone."""
    cover: str = ""
    """How its place looked where the tile was not found, as something lay over it; else empty."""


@dataclass(frozen=True, slots=True)
class AnswerExpired(Event):
    """A tile that was named while something lay over it was seen again, or is gone from there."""

    kind: ClassVar[str] = "answer_expired"
    turn: int
    """The turn it was seen in."""
    quad: tuple[tuple[float, float], ...]
    """The tile's corners, as in the ``correction``."""


@dataclass(frozen=True, slots=True)
class QuestionAnswered(Event):
    """A person answered a question that is not about one tile; or the camera one about a rack or a
    print, by what was there when the table was said to be clear."""

    kind: ClassVar[str] = "question_answered"
    turn: int
    """The turn it was given in."""
    question: str
    """Kind of the question: arrangement, house_rule, opened, rack, colour, number or place."""
    text: str
    """The question as it was asked."""
    option: str
    """The answer, one of the options offered."""
    rule: str | None
    """The rule or switch the question was about, where it was about one."""
    by: str = "person"
    """Who said so: ``person``, the name that was given, or ``camera``."""
    quads: tuple[tuple[tuple[float, float], ...], ...] = ()
    """Of an arrangement the corners of each tile of the layout, of a place those of the tiles it is
    about, as parts of the picture's width and height."""
    standing: float | None = None
    """Of a place on a rack or on the table the mean probability with which the tiles of that row were
    taken to stand which looks so least; None of anything else."""


@dataclass(frozen=True, slots=True)
class PlacesForgotten(Event):
    """A person wants to be asked anew about racks, calendars and what else is left out of the table."""

    kind: ClassVar[str] = "places_forgotten"
    turn: int
    """The turn it was said in."""
    by: str = "person"
    """Who said so: ``person``, or the name that was given."""


@dataclass(frozen=True, slots=True)
class TurnConfirmed(Event):
    """Somebody said that the turn is over; the layout is the start of the next turn."""

    kind: ClassVar[str] = "turn_confirmed"
    turn: int
    """The turn that ended, counted from 1."""
    layout: str
    """The table as it was left, in notation."""
    verdict: str
    """What the ruling said when the turn was ended: LEGAL, ILLEGAL or ASK."""
    by: str
    """Who said so: ``person``, the name that was given, or ``rendered table``."""


@dataclass(frozen=True, slots=True)
class PictureSaved(Event):
    """The picture of a confirmed table was written to the data folder."""

    kind: ClassVar[str] = "picture_saved"
    turn: int
    """The turn whose end it shows."""
    file: str
    """Name of the file in the folder ``pictures`` beside the log."""


@dataclass(frozen=True, slots=True)
class TableKept(Event):
    """Where every tile of a confirmed table lay, for whoever has to lay it so again."""

    kind: ClassVar[str] = "table_kept"
    turn: int
    """The turn that left it so, or in which it was said that it had."""
    layout: str
    """The table in notation, as in ``turn_confirmed``."""
    labels: tuple[str, ...]
    """Each tile in notation."""
    quads: tuple[tuple[tuple[float, float], ...], ...]
    """The corners of each in the picture, as parts of its width and height."""
    size_wh: tuple[int, int]
    """The picture's width and height in pixels."""
    file: str
    """Its file in the folder ``pictures`` beside the log; empty where none was kept."""
    hidden: tuple[bool, ...] = ()
    """For each tile whether something covered it in that picture; empty where that is not known."""
    doubts: tuple[tuple[int, int, tuple[str, ...]], ...] = ()
    """For each tile that was in doubt its number in the layout, in reading order, that among the labels,
    and what else it may have been, ``none`` for no tile."""


@dataclass(frozen=True, slots=True)
class RoundStarted(Event):
    """Somebody said that the table was cleared; the next layout is judged by itself."""

    kind: ClassVar[str] = "round_started"
    turn: int
    """The first turn of the round."""
    by: str
    """Who said so: ``person``, the name that was given, or ``rendered table``."""
    left_over: tuple[str, ...] = ()
    """The labels of the tiles that lay there then, as they were read last: not cleared yet."""


@dataclass(frozen=True, slots=True)
class TableBeforeShown(Event):
    """Somebody wanted to see the table before the turn on every page, or no more of it."""

    kind: ClassVar[str] = "table_before_shown"
    turn: int
    """The turn under way."""
    shown: bool
    """True where it is shown from here on."""
    by: str
    """Who said so: ``person``, or the name that was given."""


@dataclass(frozen=True, slots=True)
class TablePutBack(Event):
    """The table lies as it did before a turn that came to nothing: it was seen, or a person says so."""

    kind: ClassVar[str] = "table_put_back"
    turn: int
    """The turn that begins with it."""
    by: str
    """Who said so: ``person``, or the name that was given; ``camera`` where it was seen."""


@dataclass(frozen=True, slots=True)
class TableDisarranged(Event):
    """A turn ended without a play, and left sets that lie otherwise and are none: the table is to be put
    back before anybody is judged by it."""

    kind: ClassVar[str] = "table_disarranged"
    turn: int
    """The turn that begins with it."""
    player: str
    """Whose turn ended so."""


@dataclass(frozen=True, slots=True)
class GameTold(Event):
    """Something happened in the game that is played at the table; the game is the fold of these."""

    kind: ClassVar[str] = "game_told"
    turn: int
    """The turn it was told in, counted as in ``turn_confirmed``."""
    line: str
    """The event in the notation of game records; one that begins with ``game`` begins another game."""
    by: str
    """Who said so: ``person``, the name that was given, or ``rendered table``."""


@dataclass(frozen=True, slots=True)
class GameLeft(Event):
    """The game was put away: from here on turns are judged without players."""

    kind: ClassVar[str] = "game_left"
    turn: int
    """The turn it was told in."""
    by: str
    """Who said so: ``person``, the name that was given, or ``rendered table``."""
    layout: str | None = None
    """What lay there in notation, with the tiles of the turn; None where nothing was read."""


@dataclass(frozen=True, slots=True)
class GameResumed(Event):
    """A game that was put away goes on where it was."""

    kind: ClassVar[str] = "game_resumed"
    turn: int
    """The turn it was told in."""
    game: int
    """Number of the event that began the game."""
    by: str
    """Who said so: ``person``, or the name that was given."""


@dataclass(frozen=True, slots=True)
class ClockSet(Event):
    """The clock of the turn was stopped or let go on, or the time was given anew."""

    kind: ClassVar[str] = "clock_set"
    turn: int
    """The turn it was told in."""
    to: str
    """``paused``, ``running`` or ``full``: from the start again."""
    spent_s: float
    """Seconds that the turn had taken at that moment; 0 with ``full``."""
    by: str
    """Who said so, or that the table was put back; ``camera`` where that was seen, ``start`` where a
    session began in the middle of the turn."""


@dataclass(frozen=True, slots=True)
class TimeOver(Event):
    """The time of a turn was over; what follows from that a person confirms."""

    kind: ClassVar[str] = "time_over"
    turn: int
    """The turn whose time it was."""
    player: str
    """Whose turn it was."""
    layout: str | None
    """The table read last at that moment, as people put it right since; None where none was read in
    this turn."""


@dataclass(frozen=True, slots=True)
class RackRead(Event):
    """The tiles that a player holds at the end of a round were read from a picture."""

    kind: ClassVar[str] = "rack_read"
    turn: int
    """The turn it was read in."""
    player: str
    """Whose tiles they are."""
    source: str
    """``photo`` for one that was uploaded, ``camera`` for the picture of the table."""
    tiles: tuple[tuple[tuple[str, float], ...], ...]
    """For each tile its candidates, likeliest first: label and probability."""
    sure: tuple[bool, ...]
    """For each tile whether its reading is shown as a fact."""
    by: str = "person"
    """Who had it read: ``person``, or the name that was given."""


@dataclass(frozen=True, slots=True)
class RackTold(Event):
    """A person said what a player holds at the end of a round; it replaces what was read."""

    kind: ClassVar[str] = "rack_told"
    turn: int
    """The turn it was told in."""
    player: str
    """Whose tiles they are."""
    tiles: tuple[str, ...]
    """Their labels."""
    by: str = "person"
    """Who said so: ``person``, or the name that was given."""


@dataclass(frozen=True, slots=True)
class RackCorrected(Event):
    """A person said which tile is at a place of a rack, or that none is; what was read is kept."""

    kind: ClassVar[str] = "rack_corrected"
    turn: int
    """The turn it was told in."""
    player: str
    """Whose tiles they are."""
    tile: int
    """Index of the tile on that rack; one more than the last adds a tile."""
    was: str
    """The likeliest reading until then; empty where there was none."""
    label: str
    """What the person said it is; ``none`` takes it off the rack."""
    by: str = "person"
    """Who said so: ``person``, or the name that was given."""


@dataclass(frozen=True, slots=True)
class TableRegionSet(Event):
    """Where in the picture the table is was said, or changed with the view of the camera."""

    kind: ClassVar[str] = "region_set"
    turn: int
    """The turn it was said in."""
    source: str
    """What is watched, as in ``session_started``: it holds for this source alone."""
    corners: tuple[tuple[float, float], ...]
    """Four corners, clockwise from the one nearest to the top left, as parts of width and height."""
    origin: str
    """``whole picture``, ``found``, ``set by hand``, ``carried over`` or ``markers``."""
    by: str
    """Who said so: ``person``, the name that was given, ``camera`` where it was carried over, or
    ``markers``."""
    view: str
    """By what the picture is known again, for ``vision.calibration.following``."""


@dataclass(frozen=True, slots=True)
class TroubleMet(Event):
    """Something failed that the loop survived; logged once for each new message."""

    kind: ClassVar[str] = "trouble"
    where: str
    """The part that failed: source, reader, referee, game, disk, clock or loop."""
    message: str
    """What went wrong, in one line."""


EVENT_KINDS: Mapping[str, type[Event]] = {
    event.kind: event
    for event in (
        SessionStarted,
        CameraStateChanged,
        LayoutRead,
        RulingGiven,
        Correction,
        AnswerExpired,
        QuestionAnswered,
        PlacesForgotten,
        TurnConfirmed,
        PictureSaved,
        TableKept,
        RoundStarted,
        TableBeforeShown,
        TablePutBack,
        TableDisarranged,
        GameTold,
        GameLeft,
        GameResumed,
        ClockSet,
        TimeOver,
        RackRead,
        RackTold,
        RackCorrected,
        TableRegionSet,
        TroubleMet,
    )
}
"""Every kind of event by its word in the log."""


def event_to_payload(event: Event) -> str:
    """The fields of ``event`` as one JSON object, keys in the order of the class."""
    fields = {f.name: getattr(event, f.name) for f in dataclasses.fields(event)}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def event_from_payload(kind: str, payload: str) -> Event:
    """The event that ``event_to_payload`` wrote; raises ``EventFormatError`` for anything else."""
    event_class = EVENT_KINDS.get(kind)
    if event_class is None:
        raise EventFormatError(f"no event is called {kind!r}")
    try:
        fields = json.loads(payload)
    except json.JSONDecodeError as error:
        raise EventFormatError(f"the payload of a {kind} event is not JSON: {error}") from error
    expected = {f.name for f in dataclasses.fields(event_class)}
    # What has a default came to its kind later: logs of before do not have it.
    needed = {f.name for f in dataclasses.fields(event_class) if f.default is dataclasses.MISSING}
    if not isinstance(fields, dict) or not needed <= set(fields) <= expected:
        found = sorted(fields) if isinstance(fields, dict) else type(fields).__name__
        raise EventFormatError(f"a {kind} event has the fields {sorted(expected)}, not {found}")
    return event_class(**{name: _frozen(value) for name, value in fields.items()})


def _frozen(value: Any) -> Any:
    """JSON lists as tuples at every depth; objects stay mappings of JSON values."""
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value
