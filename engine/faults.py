"""What a referee can answer: the faults by name, findings with their evidence, questions, rulings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag, StrEnum, auto
from typing import Final

from engine.tiles import Tile

NO_TILE: Final = "none"
"""The answer to a question about a tile that says: no tile lies there at all."""


class Verdict(StrEnum):
    """The three answers. "Not allowed" and "cannot tell" are never mixed up."""

    LEGAL = "LEGAL"
    """Nothing that can be seen is against the rules, in every reading still possible."""
    ILLEGAL = "ILLEGAL"
    """A rule is broken, in every reading still possible."""
    ASK = "ASK"
    """It depends on something only the table can say; the ruling holds the question."""


class Fault(IntFlag):
    """Everything a ruling can find. Names are the codes of findings; docs/referee.md explains each."""

    # one set
    LOOSE_TILE = auto()
    SET_TOO_SHORT = auto()
    GROUP_TOO_LONG = auto()
    GROUP_COLOUR_TWICE = auto()
    GROUP_NUMBERS_DIFFER = auto()
    RUN_COLOURS_DIFFER = auto()
    RUN_NUMBER_TWICE = auto()
    RUN_GAP = auto()
    RUN_WRAPS = auto()
    RUN_TOO_LONG = auto()
    RUN_NOT_IN_ORDER = auto()
    NO_NATURAL_TILE = auto()
    TOO_MANY_JOKERS = auto()
    SET_INVALID = auto()
    # all tiles together
    TOO_MANY_COPIES = auto()
    TILE_CONSERVATION = auto()
    TABLE_TILE_TO_RACK = auto()
    NO_RACK_TILE = auto()
    RACK_COUNT = auto()
    DRAW_THEN_PLAY = auto()
    # the initial meld
    OPENING_SHORT = auto()
    OPENING_SOURCE = auto()
    # jokers
    JOKER_NOT_REPLACED = auto()
    JOKER_REPLACED_FROM_TABLE = auto()
    JOKER_NOT_REUSED = auto()
    JOKER_BEFORE_OPENING = auto()
    JOKER_FROZEN = auto()
    # the clock
    TIME_OVER = auto()
    # what has to be played
    STARTER_OBLIGATORY = auto()
    JOKER_HOARDING = auto()
    PLAY_REQUIRED = auto()
    RETURN_MISSING = auto()
    # tiles in a grid, and claims
    NOT_CONNECTED = auto()
    JOKER_IN_TWO_LINES = auto()
    TURN_MIXED_ACTIONS = auto()
    CLAIM_NO_SET = auto()
    CLAIM_TWO_SETS = auto()
    CLAIM_LOCKED = auto()
    CLAIM_OWN_SET = auto()
    CLAIM_BEFORE_OPENING = auto()
    # contracts and discards
    CONTRACT_NOT_MET = auto()
    CONTRACT_EXCEEDED = auto()
    EXTRA_MELD = auto()
    LAYOFF_BEFORE_LAYDOWN = auto()
    TABLE_REARRANGED = auto()
    JOKER_LOCKED = auto()
    DISCARD_PLAYABLE = auto()
    DISCARD_MISSING = auto()
    DISCARD_TWO = auto()
    FLOATING_MUST_PLAY = auto()
    TOO_MANY_BUYS = auto()

    @property
    def code(self) -> str:
        """The name of a single fault, as findings carry it."""
        return self.name or ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One broken rule, with its evidence."""

    code: str
    """The name of a `Fault`."""
    rule: str
    """The id of the rule, as PR-07."""
    quote: str
    """The words of that rule in its document."""
    meld: int | None
    """Index of the set in the layout after the turn, from 0; None for the turn as a whole."""
    tiles: tuple[Tile, ...]
    """The tiles it is about."""
    message: str
    """What is wrong, in a sentence; it counts sets from 1, as people do."""
    repair: str | None = None
    """The smallest repair of the turn, as `move blue 5 from set 2 to set 3`, the same for all its
    findings; or words of this fault's own; None when there is none."""

    @property
    def fault(self) -> Fault:
        """The fault its code names."""
        return Fault[self.code]


@dataclass(frozen=True, slots=True)
class Question:
    """The one thing to ask the table, because the ruling depends on it."""

    kind: str
    """`tile`: what a tile is; `arrangement`: which tiles lie together; `house_rule`: how this table
    plays; `opened`: whether the player had laid the initial meld before; `rack`: what a rack held;
    `before`: what a tile of the table before was, that was in doubt when the turn before it ended;
    `colour`, `number`, at a live table: what colour all of these tiles of a set are, or what number;
    `place`, there as well: whether they stand on a rack, or are any tiles."""
    text: str
    """The question, in a sentence or two."""
    options: tuple[str, ...]
    """The answers: sets or boards in the notation, values of the switch, or yes and no. For `tile`: the
    tiles it was taken for, and `NO_TILE` where there may be none; any other may be the answer, too.
    So for `before`, without any other."""
    tile: int | None = None
    """For `tile`: its index in the reading's tiles. For `before`: which tile of the table before, in
    reading order."""
    rule: str | None = None
    """For `house_rule`: the name of the switch, as `joker.free_removal`."""
    tiles: tuple[int, ...] = ()
    """For `arrangement`, `colour`, `number` and `place`: the indexes of those tiles in the reading's
    tiles; empty for the arrangement of a board. For `tile`: those of which one is misread,
    where too many were taken for the same; else empty."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The answer to one turn or table."""

    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    """Everything that is wrong, at once. With ASK: what is wrong whatever the answer."""
    questions: tuple[Question, ...] = ()
    """With ASK: the one question that settles most. Empty otherwise."""
    unchecked: tuple[str, ...] = ()
    """Sentences about what could not be checked with what was seen, as a rack out of sight."""
    advice: tuple[Finding, ...] = ()
    """What a player is told though the turn stands."""

    @property
    def faults(self) -> Fault:
        """All faults found, as flags; `Fault(0)` for none."""
        combined = Fault(0)
        for finding in self.findings:
            combined |= finding.fault
        return combined
