"""What a row of tiles holds, in whatever order, and what one more move could make of it.

A content is its tiles' kinds as bytes in rising order (`engine.set_readings.packed_content`): short,
equal for the same tiles, and quick to look up. A search asks about the same few thousand contents over
and over, so every answer is worked out once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, product
from typing import Final

from engine.rule_sections import Group, Run
from engine.ruleset import RuleSet
from engine.sets import kinds_of
from engine.tiles import CARD_JOKER, CARDS, JOKER, TILES, Tile

TILE_OF: Final = {tile.kind: tile for tile in (*TILES, *CARDS)}
"""The tile of each kind."""
_RANKS: Final = 13
_SUITS: Final = 4
"""Of one deck."""
_JOKERS: Final = bytes((JOKER.kind, CARD_JOKER.kind))
_ONE: Final = {kind: bytes((kind,)) for kind in TILE_OF}
_RANK_OF: Final = bytes(TILE_OF[kind].rank or 0 if kind in TILE_OF else 0 for kind in range(256))
_SUIT_OF: Final = bytes(kind // _RANKS for kind in range(256))
_KEPT: Final = 1 << 13
"""Contents kept under one table's rules: one search meets some thousands at most."""


def plus(content: bytes, kind: int) -> bytes:
    """The content with a tile more."""
    return bytes(sorted(content + _ONE[kind]))


def minus(content: bytes, kind: int) -> bytes:
    """The content with one such tile less, where it has one."""
    return content.replace(_ONE[kind], b"", 1)


def merged(one: bytes, other: bytes) -> bytes:
    """Both contents together."""
    return bytes(sorted(one + other))


def without(content: bytes, part: Iterable[int]) -> bytes:
    """The content less the tiles of a part, as far as it has them."""
    for kind in part:
        content = minus(content, kind)
    return content


def is_part(part: bytes, content: bytes) -> bool:
    """Whether a content has all tiles of a part."""
    return len(without(content, part)) + len(part) == len(content)


def tiles_of(content: bytes) -> tuple[Tile, ...]:
    """The tiles of a content, in its order."""
    return tuple(map(TILE_OF.__getitem__, content))


@dataclass(frozen=True, slots=True)
class SetRules:
    """The rules, equal where they say the same of what a set is."""

    run: Run
    group: Group
    max_per_set: int
    naturals: str
    rules: RuleSet = field(compare=False)

    @classmethod
    def of(cls, rules: RuleSet) -> SetRules:
        """The rules of a table, seen so."""
        return cls(rules.run, rules.group, rules.joker.max_per_set, rules.joker.naturals, rules)


class Contents(ABC):
    """Which contents the rows of a table may have in the end, and what lies one move from them."""

    def __init__(self) -> None:
        kept = lru_cache(maxsize=_KEPT)
        self.is_good: Callable[[bytes], bool] = kept(self._is_good)
        """Whether a row may have this content in the end."""
        self.spares: Callable[[bytes], bytes] = kept(self._spares)
        """The kinds of which one may go, so that the rest is good or nothing is left."""
        self.takes: Callable[[bytes], bytes] = kept(self._takes)
        """The kinds of which one more makes it good."""
        self.fewest_moves: Callable[[bytes], int] = kept(self._fewest_moves)
        """Moves it takes at least until all of it lies in good rows; 0 when it does."""
        self.partings: Callable[[bytes, int], tuple[tuple[bytes, ...], ...]] = kept(self._partings)
        """The ways to part it into so many good pieces."""

    @abstractmethod
    def _is_good(self, content: bytes) -> bool: ...

    @abstractmethod
    def _takes(self, content: bytes) -> bytes: ...

    @abstractmethod
    def _pieces_with(self, kind: int, content: bytes) -> Iterator[bytes]:
        """The good parts of a content that hold a certain tile of it."""

    @abstractmethod
    def _most_in_one(self, content: bytes) -> int:
        """How many of its tiles can lie in one good row, or more than that."""

    def is_in_one(self, content: bytes) -> bool:
        """False when its tiles can never lie in one good row, whatever is added."""
        return self._most_in_one(content) >= len(content)

    def _spares(self, content: bytes) -> bytes:
        if len(content) == 1:
            return content
        return bytes(k for k in sorted(set(content)) if self.is_good(minus(content, k)))

    def _fewest_moves(self, content: bytes) -> int:
        # Each parting makes one row more, and each tile in none of them moves by itself.
        if self.is_good(content):
            return 0
        most, tiles = self._most_in_one(content), len(content)
        return max(1, min(cuts + max(0, tiles - (cuts + 1) * most) for cuts in range(tiles)))

    def _partings(self, content: bytes, pieces: int) -> tuple[tuple[bytes, ...], ...]:
        if pieces == 1:
            return ((content,),) if self.is_good(content) else ()
        if not content:
            return ()
        return tuple(
            dict.fromkeys(
                tuple(sorted((piece, *others)))
                for piece in dict.fromkeys(self._pieces_with(content[0], content))
                for others in self.partings(without(content, piece), pieces - 1)
            )
        )


class SetContents(Contents):
    """Every row is to be a set."""

    def __init__(self, rules: RuleSet) -> None:
        super().__init__()
        self._rules = rules
        self._run: Run = rules.run
        self._group: Group = rules.group
        self._least = min(rules.run.least, rules.group.least)

    def _is_good(self, content: bytes) -> bool:
        naturals, ranks, suits = _seen(content)
        if len(content) < self._least or (len(ranks) > 1 and len(suits) > 1):
            return False
        if len(ranks) > 1 and (len(ranks) < naturals or not self._may_be_run(ranks, len(content))):
            return False
        return bool(kinds_of(tiles_of(content), self._rules))

    def _may_be_run(self, ranks: set[int], length: int) -> bool:
        """False where the numbers lie too far apart, which spares the longer look."""
        if max(ranks) - min(ranks) < length or self._run.wrap == "full":
            return True
        return self._run.wrap == "high_or_low" and _RANKS + 2 - min(ranks - {1}) <= length

    def _takes(self, content: bytes) -> bytes:
        if len(content) + 1 < self._least:
            return b""
        near = sorted(self._near(content))
        return bytes(kind for kind in near if self.is_good(plus(content, kind)))

    def _near(self, content: bytes) -> set[int]:
        """The kinds that may be missing: all others are too far off."""
        naturals, ranks, suits = _seen(content)
        deck = CARDS if TILE_OF[content[0]].is_card else TILES
        found = {deck[-1].kind}
        if not naturals:
            return found | {tile.kind for tile in deck}
        first = deck[0].kind
        if len(ranks) == 1:
            found |= {first + suit * _RANKS + min(ranks) - 1 for suit in range(_SUITS)}
        if len(suits) == 1 and len(ranks) == naturals:
            found |= {
                min(suits) * _RANKS + rank - 1
                for rank in range(1, _RANKS + 1)
                if self._may_be_run(ranks | {rank}, len(content) + 1)
            }
        return found

    def _partings(self, content: bytes, pieces: int) -> tuple[tuple[bytes, ...], ...]:
        if pieces > 1 and not self._may_part(content, pieces):
            return ()
        return super()._partings(content, pieces)

    def _may_part(self, content: bytes, pieces: int) -> bool:
        """False where so many sets cannot hold it, which spares the longer look: each takes tiles of
        one number or of one colour."""
        if len(content) < pieces * self._least:
            return False
        naturals = content.translate(None, _JOKERS)
        if pieces > 2 or not naturals:
            return True
        for of in (_RANK_OF, _SUIT_OF):
            rest = bytes(kind for kind in naturals if of[kind] != of[naturals[0]])
            if len(set(rest.translate(_RANK_OF))) <= 1 or len(set(rest.translate(_SUIT_OF))) <= 1:
                return True
        return False

    def _pieces_with(self, kind: int, content: bytes) -> Iterator[bytes]:
        naturals = content.translate(None, _JOKERS)
        jokers = content[len(naturals) :]
        alike = bytes(k for k in naturals if _RANK_OF[k] == _RANK_OF[kind])
        others = minus(alike, kind)
        for count in range(len(others) + 1):
            for chosen in combinations(others, count):
                yield from self._with_jokers((kind, *chosen), jokers)
        of_suit = bytes(sorted({k for k in naturals if _SUIT_OF[k] == _SUIT_OF[kind]}))
        if len(of_suit) + len(jokers) < self._run.least:
            return
        # Most runs have no gap and spare no tile; with jokers or around the end all are tried.
        if jokers or self._run.wrap != "none":
            fewest = max(0, self._run.least - len(jokers) - 1)
            for count in range(fewest, len(of_suit)):
                for chosen in combinations(minus(of_suit, kind), count):
                    # Kinds of one suit rise with their numbers, and jokers have to fill the gaps.
                    laid = (kind, *chosen)
                    gaps = max(laid) - min(laid) - count
                    if gaps <= len(jokers) or self._run.wrap != "none":
                        yield from self._with_jokers(laid, jokers)
            return
        place = of_suit.index(kind)
        for start, end in product(range(place + 1), range(place + 1, len(of_suit) + 1)):
            part = of_suit[start:end]
            if self.is_good(part):
                yield part

    def _with_jokers(self, naturals: tuple[int, ...], jokers: bytes) -> Iterator[bytes]:
        held = bytes(sorted(naturals))
        for count in range(len(jokers) + 1):
            if self.is_good(held + jokers[:count]):
                yield held + jokers[:count]

    def _most_in_one(self, content: bytes) -> int:
        naturals = content.translate(None, _JOKERS)
        kinds = list(naturals) if self._group.duplicates else list(set(naturals))
        ranks = [_RANK_OF[kind] for kind in kinds]
        suits = [_SUIT_OF[kind] for kind in set(naturals)]
        alike = max((ranks.count(rank) for rank in ranks), default=0)
        one_suit = max((suits.count(suit) for suit in suits), default=0)
        return max(1, alike, one_suit) + len(content) - len(naturals)


def _seen(content: bytes) -> tuple[int, set[int], set[int]]:
    """How many tiles are no jokers, and their ranks and suits."""
    naturals = content.translate(None, _JOKERS)
    return len(naturals), set(naturals.translate(_RANK_OF)), set(naturals.translate(_SUIT_OF))


class KeptContents(Contents):
    """Rows have to be as before the turn; or else, where there are sets to make, sets of the tiles
    that were played, or of any."""

    def __init__(
        self, before: Iterable[bytes], sets: Contents | None = None, played: bytes | None = None
    ) -> None:
        super().__init__()
        self._before = frozenset(before)
        self._rows_with: dict[int, list[bytes]] = {}
        for row in sorted(self._before):
            for kind in set(row):
                self._rows_with.setdefault(kind, []).append(row)
        self._sets = sets
        self._played = played

    def _is_good(self, content: bytes) -> bool:
        if content in self._before:
            return True
        return (
            self._sets is not None and self._is_to_be_laid(content) and self._sets.is_good(content)
        )

    def _is_to_be_laid(self, content: bytes) -> bool:
        return self._played is None or is_part(content, self._played)

    def _takes(self, content: bytes) -> bytes:
        if not content:
            return b""
        found = {
            without(row, content)[0]
            for row in self._rows_with.get(content[0], ())
            if len(row) == len(content) + 1 and is_part(content, row)
        }
        if self._sets is not None:
            found |= {k for k in self._sets.takes(content) if self.is_good(plus(content, k))}
        return bytes(sorted(found))

    def _pieces_with(self, kind: int, content: bytes) -> Iterator[bytes]:
        yield from (row for row in self._rows_with.get(kind, ()) if is_part(row, content))
        if self._sets is not None:
            parts = self._sets._pieces_with(kind, content)
            yield from filter(self._is_to_be_laid, parts)

    def _most_in_one(self, content: bytes) -> int:
        near = {row for kind in content for row in self._rows_with.get(kind, ())}
        kept = (len(content) - len(without(content, row)) for row in near)
        played = 0 if self._sets is None else self._sets._most_in_one(content)
        return max(1, played, *kept)
