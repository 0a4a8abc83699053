"""A referee that tries everything, for tables of a few tiles, written from the sentences of the rules.

It shares nothing with the engine: tiles are their notation (`R10`, `J`), and the numbers of each game
stand here a second time, with the sentence they come from. What it answers is whether a turn may be
played, not what is wrong with it: there has to be a way to say which of two equal tiles is which, what
every joker stands for, and what became of it, so that no sentence is broken.

- A set is what its jokers can be filled to, by any tiles of the game (PR-06, PR-07 and their like).
- A joker stands for one tile until it is replaced (AMB-12). It keeps its place, or goes with a tile of
  its set and stands for the same tile there, or a tile that it stood for is put in its place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import groupby, pairwise, permutations, product

COLOURS = "KBRO"
GAME = [f"{colour}{number}" for colour in COLOURS for number in range(1, 14)]
Row = tuple[str, ...]
Table = tuple[Row, ...]


@dataclass(frozen=True)
class Sentences:
    """What the documents, or a table, say where they differ."""

    ace_high: bool = False
    """Whether 1 may be the last tile after 13 (RS-12)."""
    laid: bool = False
    """Whether a run has to lie in order."""
    opening: int = 30
    """Points of an initial meld; 0 for none (PR-08, SB-10, R2-15, RS-29)."""
    builds_on: bool = False
    """Whether the turn of the initial meld may build on sets of the table (AMB-09)."""
    worth_most: bool = True
    """Whether a set of two readings counts as the higher one (AMB-10)."""
    from_rack: bool = True
    """Whether the tile that replaces a joker comes from the rack (PR-18, SB-16, R2-26; AMB-14)."""
    all_colours: bool = False
    """Whether the joker of a group needs every missing colour (SB-17; PR-19)."""
    new_set: bool = True
    """Whether a replaced joker starts a new set with two tiles of the rack (PR-20, R2-28), or goes into
    any (SB-18, RS-20)."""
    retrieved_early: bool = False
    """Whether jokers are retrieved before the initial meld (PR-21)."""
    freeze: str = "none"
    """What is not done to a set with a joker: `none`, `split` (PT-03), `change` (SB-19, RS-28)."""
    moved_along_is_added: bool = False
    """Whether a joker that goes on at the end of its own set is a tile added to it (AMB-17)."""
    draws: tuple[int, ...] = (1, 3)
    """What a turn without a play brings: a tile, or three for a play that failed (PR-16, SB-22)."""


PRESSMAN = Sentences()
TOURNAMENT = Sentences(freeze="split")
SABRA = Sentences(all_colours=True, new_set=False, freeze="change", moved_along_is_added=True)
RESET = Sentences(
    ace_high=True,
    opening=0,
    from_rack=False,
    new_set=False,
    retrieved_early=True,
    draws=(1,),
)
RESET_FREEZE = Sentences(
    ace_high=True,
    opening=0,
    from_rack=False,
    new_set=False,
    retrieved_early=True,
    freeze="change",
    draws=(1,),
)


@dataclass(frozen=True)
class SlowTurn:
    """Both tables and both racks of a turn."""

    before: Table
    after: Table
    rack: Row
    rack_after: Row
    opened: bool


@dataclass(frozen=True)
class Filled:
    """A row with a tile for each joker."""

    kind: str
    """`rising`, `group`, `falling`, or `heap` for a run that does not lie in order."""
    tiles: Row

    @property
    def points(self) -> int:
        return sum(map(number_of, self.tiles))


def number_of(tile: str) -> int:
    return int(tile[1:])


# --- sets -----------------------------------------------------------------------------------------


def fillings(row: Row, ace_high: bool, laid: bool) -> tuple[Filled, ...]:
    """Every way to fill the jokers of a row so that it is a set; none when it is no set.

    A run that falls is the rising one seen from the other side; one number among jokers shows no side
    and rises, where it can.
    """
    found = all_fillings(row, ace_high)
    in_order = tuple(item for item in found if item.kind != "heap")
    if any(item.kind == "rising" for item in found) and len(row) - row.count("J") == 1:
        in_order = tuple(item for item in in_order if item.kind != "falling")
    return in_order if laid or in_order else found


@cache
def all_fillings(row: Row, ace_high: bool) -> tuple[Filled, ...]:
    others = {tile for tile in row if tile != "J"}
    if not others or row.count("J") > 2:
        return ()
    # Any two tiles of a set have the colour or the number in common.
    if not all(have_in_common(tile, other) for tile in others for other in others):
        return ()
    near = [tile for tile in GAME if all(have_in_common(tile, other) for other in others)]
    filled = product(*(near if tile == "J" else [tile] for tile in row))
    return tuple(Filled(kind, tiles) for tiles in filled for kind in kinds_of(tiles, ace_high))


def have_in_common(one: str, other: str) -> bool:
    return one[0] == other[0] or one[1:] == other[1:]


def kinds_of(tiles: Row, ace_high: bool) -> set[str]:
    """What tiles without jokers are, word for word."""
    colours, numbers = {tile[0] for tile in tiles}, {tile[1:] for tile in tiles}
    if len(tiles) < 3:
        return set()
    if len(numbers) == 1:
        return {"group"} if len(tiles) < 5 and len(colours) == len(tiles) else set()
    if len(colours) > 1 or len(tiles) > 13:
        return set()
    values = [number_of(tile) for tile in tiles]
    aces = [values, [14 if number == 1 else number for number in values]]
    return {way for values in (aces if ace_high else aces[:1]) for way in as_run(values)}


def as_run(values: list[int]) -> Iterator[str]:
    """How numbers follow each other."""
    steps = {after - now for now, after in pairwise(values)}
    if steps == {1}:
        yield "rising"
    elif steps == {-1}:
        yield "falling"
    elif sorted(values) == list(range(min(values), min(values) + len(values))):
        yield "heap"


def is_set(row: Row, say: Sentences) -> bool:
    return bool(fillings(row, say.ace_high, say.laid))


# --- turns ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Piece:
    """One physical tile."""

    tile: str
    home: int | None
    """The set of the table before it lay in; None for the rack."""
    place: int = 0
    """Where it lay in that set."""


Pieces = tuple[tuple[Piece, ...], ...]


def is_legal(turn: SlowTurn, say: Sentences) -> bool:
    """Whether a turn breaks no sentence."""
    if not all(is_set(row, say) for row in turn.after):
        return False
    was, now = count(turn.before), count(turn.after)
    rack, rack_after = Counter(turn.rack), Counter(turn.rack_after)
    if any(number > 2 for number in (now + rack_after).values()) or was - now:
        return False
    played = now - was
    if not played:
        lies_as_before = sorted(map(seen, turn.before)) == sorted(map(seen, turn.after))
        drawn = (rack_after - rack).total()
        return lies_as_before and not rack - rack_after and drawn in say.draws
    if played - rack or rack_after != rack - played:
        return False
    return any(may_lie_so(pieces, turn, say) for pieces in who_is_who(turn, played))


def count(table: Table) -> Counter[str]:
    return Counter(tile for row in table for tile in row)


def who_is_who(turn: SlowTurn, played: Counter[str]) -> Iterator[Pieces]:
    """Every way to say which tile of the table after is which one of before, or of the rack."""
    there: dict[str, list[Piece]] = {}
    for home, row in enumerate(turn.before):
        for place, tile in enumerate(row):
            there.setdefault(tile, []).append(Piece(tile, home, place))
    for tile in played.elements():
        there.setdefault(tile, []).append(Piece(tile, None))
    kinds = sorted(there)
    for orders in product(*(set(permutations(there[kind])) for kind in kinds)):
        left = {kind: iter(order) for kind, order in zip(kinds, orders, strict=True)}
        yield tuple(tuple(next(left[tile]) for tile in row) for row in turn.after)


def may_lie_so(pieces: Pieces, turn: SlowTurn, say: Sentences) -> bool:
    if not turn.opened and not opens(pieces, turn, say):
        return False
    was = [fillings(row, say.ace_high, say.laid) for row in turn.before]
    now = [fillings(row, say.ace_high, say.laid) for row in turn.after]
    held = [n for n, row in enumerate(turn.before) if "J" in row]
    holds = [n for n, row in enumerate(turn.after) if "J" in row]
    if not held:
        return True
    for old in product(*(was[n] for n in held)):
        for new in product(*(now[n] for n in holds)):
            meant = dict(zip(held, old, strict=True))
            means = dict(zip(holds, new, strict=True))
            if jokers_may(pieces, turn, say, meant, means):
                return True
    return False


def opens(pieces: Pieces, turn: SlowTurn, say: Sentences) -> bool:
    """PR-08: new sets of rack tiles alone, worth enough; and AMB-09: nothing else is touched."""
    if not say.opening:
        return True
    points, others = 0, []
    for row, lying in zip(turn.after, pieces, strict=True):
        if all(piece.home is None for piece in lying):
            worth = [item.points for item in in_rank(fillings(row, say.ace_high, say.laid))]
            points += max(worth) if say.worth_most else worth[0]
        else:
            others.append(row)
    untouched = Counter(map(seen, others)) == Counter(map(seen, turn.before))
    return points >= say.opening and (untouched or say.builds_on)


def in_rank(found: tuple[Filled, ...]) -> list[Filled]:
    """The most natural reading first: a run as it rises, a group, a run as it falls."""
    return sorted(found, key=lambda item: ("rising", "group", "falling", "heap").index(item.kind))


def seen(row: Row) -> Row:
    """The same for a set from whatever side; where a joker lies in a run is part of it."""
    numbers = {tile[1:] for tile in row if tile != "J"}
    if "J" not in row or len(numbers) == 1:
        return tuple(sorted(row))
    return min(row, row[::-1])


@dataclass(frozen=True)
class Retrieved:
    """A joker that did not stay."""

    home: int
    """The set of the table before that it was in."""
    now: int
    """The set it is in."""
    free_it: tuple[str, ...]
    """The tiles that free it: one in a run, any missing colour in a group."""


def jokers_may(
    pieces: Pieces,
    turn: SlowTurn,
    say: Sentences,
    meant: dict[int, Filled],
    means: dict[int, Filled],
) -> bool:
    """Whether every joker of the table stayed, travelled or was replaced as it may."""
    retrieved = []
    for now, lying in enumerate(pieces):
        for index, piece in enumerate(lying):
            if piece.tile != "J" or piece.home is None:
                continue
            stood_for = meant[piece.home].tiles[piece.place]
            beside = [other for other in lying if other.tile != "J" and other.home == piece.home]
            stays = beside and stood_for == means[now].tiles[index]
            if stays and thawed(piece.home, lying, turn, say):
                continue
            others = Counter(tile for tile in turn.before[piece.home] if tile != "J")
            moved_along = not others - Counter(turn.after[now])
            if (
                say.moved_along_is_added
                and moved_along
                and not thawed(piece.home, lying, turn, say)
            ):
                return False
            if not turn.opened and not say.retrieved_early:
                return False
            free_it = missing_colours(turn.before[piece.home], meant[piece.home]) or (stood_for,)
            retrieved.append(Retrieved(piece.home, now, free_it))
    return any(
        reused(pieces, used, retrieved, turn, say)
        for used in replacing(pieces, retrieved, turn, say)
    )


def thawed(home: int, lying: tuple[Piece, ...], turn: SlowTurn, say: Sentences) -> bool:
    """PT-03, SB-19, RS-28: what may be done to a set while it holds a joker."""
    kept = [piece for piece in lying if piece.home == home]
    whole = len(kept) == len(turn.before[home])
    return say.freeze == "none" or (whole and (say.freeze == "split" or kept == list(lying)))


def missing_colours(row: Row, filled: Filled) -> Row:
    """The tiles that a joker of a group may stand for; none for a run."""
    if filled.kind != "group":
        return ()
    number = number_of(filled.tiles[0])
    return tuple(tile for tile in GAME if number_of(tile) == number and tile not in row)


Place = tuple[int, int]


def replacing(
    pieces: Pieces, retrieved: list[Retrieved], turn: SlowTurn, say: Sentences
) -> Iterator[tuple[Place, ...]]:
    """Every choice of tiles on the table, by their places, that took the places of the jokers: in each
    set of before different ones; or all missing colours of a group together, where all are needed."""
    by_set = []
    for _, group in groupby(sorted(retrieved, key=lambda item: item.home), lambda item: item.home):
        jokers = list(group)
        if say.all_colours and len(jokers[0].free_it) > 1:
            by_set.append([jokers[0].free_it])
        else:
            chosen = product(*(joker.free_it for joker in jokers))
            by_set.append([tiles for tiles in chosen if len(set(tiles)) == len(tiles)])
    thawed_sets = {joker.home for joker in retrieved}
    for by_home in product(*by_set):
        places = [
            [
                (n, i)
                for n, lying in enumerate(pieces)
                for i, piece in enumerate(lying)
                if piece.tile == tile and may_replace(piece, thawed_sets, turn, say)
            ]
            for tiles in by_home
            for tile in tiles
        ]
        yield from (used for used in product(*places) if len(set(used)) == len(used))


def may_replace(piece: Piece, thawed_sets: set[int], turn: SlowTurn, say: Sentences) -> bool:
    """Whether a tile could take a joker's place: one from the rack, or where that is allowed from a set
    of the table that no joker held."""
    if piece.home is None or say.from_rack:
        return piece.home is None
    held = "J" in turn.before[piece.home] and piece.home not in thawed_sets
    return say.freeze == "none" or not held


def reused(
    pieces: Pieces,
    used: tuple[Place, ...],
    retrieved: list[Retrieved],
    turn: SlowTurn,
    say: Sentences,
) -> bool:
    """PR-20: whether each lies in a new set, and in it two other tiles of the rack."""
    if not say.new_set:
        return True
    for joker in retrieved:
        lying = pieces[joker.now]
        own = [
            piece
            for index, piece in enumerate(lying)
            if piece.home is None and (joker.now, index) not in used
        ]
        if len(own) < 2 or any(holds(lying, home, row) for home, row in enumerate(turn.before)):
            return False
    return True


def holds(lying: tuple[Piece, ...], home: int, row: Row) -> bool:
    """Whether a set is one of the table before that was added to."""
    kept = {piece.place for piece in lying if piece.home == home}
    return all(tile == "J" or place in kept for place, tile in enumerate(row))
