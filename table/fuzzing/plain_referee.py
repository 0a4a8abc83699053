"""A second, plain referee: what the rules say of a play, worked out without the engine's referee.

It is slow of wit on purpose. Where jokers that lay on the table were touched it cannot tell; about
everything else it is exact, so that the two referees can be held against each other. The numbers and
switches of a game are the only thing they share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from typing import Final

from engine.faults import Verdict
from engine.game.events import Board, Tiles
from engine.layout import GridLayout
from engine.ruleset import RuleSet
from engine.tiles import Tile

_KEPT: Final = 1 << 12
"""Rows that are kept with what they are."""


class PlainReferee:
    """What one table's rules say of a play."""

    def __init__(self, rules: RuleSet, contract: tuple[int, int] = (0, 0)) -> None:
        """`contract` is what the round of a card game asks for."""
        self.rules = rules
        self._contract = contract
        self._by_wrap = tuple(
            lru_cache(_KEPT)(partial(_is_set, rules=rules, wrap=wrap))
            for wrap in _answers(rules, "run.wrap", rules.run.wrap)
        )
        self._is_wrap_open = len(self._by_wrap) > 1

    def is_set(self, row: Tiles) -> bool:
        """Whether tiles are a set as they lie, whatever is answered to questions that are open."""
        return self._by_wrap[0](row) and (
            not self._is_wrap_open or all(is_set(row) for is_set in self._by_wrap[1:])
        )

    def is_lawful(self, board: Board) -> bool:
        """Whether all that lies there are sets, whatever is answered to questions that are open."""
        return self._are_sets(board) == {True}

    def verdict(
        self,
        before: Board,
        after: Board,
        rack: Tiles | None,
        *,
        opened: bool,
        elapsed_s: float | None = None,
        let_stand: Sequence[Tiles] = (),
    ) -> Verdict | None:
        """The verdict on leaving the table so; `rack` is what the player is known to hold, and
        `let_stand` what lay there before and stands though it is no set.

        None where it cannot tell.
        """
        if self.rules.contracts is not None:
            return self._verdict_on_cards(before, after, rack, opened=opened)
        if self._is_beyond_doubt_wrong(before, after, rack, elapsed_s):
            return Verdict.ILLEGAL
        by_wrap = self._are_sets(after, let_stand)
        if by_wrap == {False}:
            return Verdict.ILLEGAL
        opening = Verdict.LEGAL if opened else self._opening(before, after)
        if opening is Verdict.ILLEGAL:
            return opening
        if opening is None or self._jokers_touched(before, after):
            return None
        return Verdict.ASK if len(by_wrap) > 1 else opening

    # What is wrong whatever else is true

    def _is_beyond_doubt_wrong(
        self, before: Board, after: Board, rack: Tiles | None, elapsed_s: float | None
    ) -> bool:
        was, now = Counter(before.tiles), Counter(after.tiles)
        played, gone = now - was, was - now
        if gone or not played or self._is_late(elapsed_s):
            return True
        if rack is not None and not played <= Counter(rack):
            return True
        if self._has_too_many(now):
            return True
        apart = isinstance(after, GridLayout) and _parts(after) > 1
        return apart and self.rules.table.connected

    def _is_late(self, elapsed_s: float | None) -> bool:
        clock = self.rules.timeout
        if elapsed_s is None or not clock.limit_s or clock.legal_layout == "stands":
            return False
        return elapsed_s > clock.limit_s

    def _has_too_many(self, there: Counter[Tile]) -> bool:
        copies, jokers = self.rules.equipment.copies, self.rules.equipment.jokers
        return any(
            count > (jokers if tile.rank is None else copies) for tile, count in there.items()
        )

    # Sets

    def _are_sets(self, board: Board, but: Sequence[Tiles] = ()) -> set[bool]:
        """Whether all that lies there `but` for this are sets, by each answer to what is open."""
        others = Counter(map(_as_it_lies, but))
        rows = [row for row in rows_of(board) if not (others and _took(others, _as_it_lies(row)))]
        return {all(map(is_set, rows)) for is_set in self._by_wrap}

    def points(self, row: Tiles) -> int:
        """The least that a set is worth in an opening, a joker at the end of its row left out."""
        numbers = [tile.rank or 0 for tile in row]
        if len(set(filter(None, numbers))) == 1:
            return max(numbers) * len(row)
        inner = range(1, len(row) - 1)
        joined = (numbers[n - 1] + 1 for n in inner if not numbers[n] and numbers[n - 1])
        return sum(numbers) + sum(joined)

    def _opening(self, before: Board, after: Board) -> Verdict | None:
        """PR-08: new sets from the rack alone that are worth enough, and the others as they were."""
        rules = self.rules.opening
        if rules.kind != "points":
            return Verdict.LEGAL
        played = Counter(after.tiles) - Counter(before.tiles)
        old = Counter(map(_content, rows_of(before)))
        new = [row for row in rows_of(after) if not _took(old, _content(row))]
        own = [row for row in new if Counter(row) <= played]
        if (
            not isinstance(after, GridLayout)
            and not sum(map(Counter, own), Counter[Tile]()) <= played
        ):
            return None
        least = sum(tile.rank or 0 for row in own for tile in row)
        jokers = sum(tile.rank is None for row in own for tile in row)
        untouched = len(own) == len(new) and not +old
        if least + 14 * jokers < rules.points and not untouched:
            return self._opening_by_others(played)
        if least + 14 * jokers < rules.points:
            return Verdict.ILLEGAL
        if least < rules.points:
            return None
        if untouched:
            return Verdict.LEGAL
        if self.rules.is_open("opening.same_turn_extension"):
            return Verdict.ASK
        return Verdict.LEGAL if rules.same_turn_extension else Verdict.ILLEGAL

    def _opening_by_others(self, played: Counter[Tile]) -> Verdict | None:
        """AMB-08: an opening whose sets from the rack alone are not worth enough, beside sets that were
        touched."""
        rules = self.rules.opening
        least = sum((tile.rank or 0) * count for tile, count in played.items())
        most = least + 14 * sum(count for tile, count in played.items() if tile.rank is None)
        sources = _answers(self.rules, "opening.source", rules.source)
        if "any" not in sources or most < rules.points:
            return Verdict.ILLEGAL
        if least < rules.points:
            return None
        return Verdict.LEGAL if sources == ("any",) else Verdict.ASK

    # Jokers

    def _jokers_touched(self, before: Board, after: Board) -> bool:
        """Whether a joker may be another than it was, so that there is more to ask."""
        now = list(rows_of(after))
        if isinstance(after, GridLayout):
            in_lines = sum(
                row.count(joker) for row in now for joker in set(row) if joker.rank is None
            )
            if in_lines > sum(tile.rank is None for tile in after.tiles):
                return True
        for row in rows_of(before):
            if all(tile.rank is not None for tile in row):
                continue
            if row in now:
                now.remove(row)
            elif row[::-1] in now:
                now.remove(row[::-1])
            else:
                return True
        return False

    # Cards

    def _verdict_on_cards(
        self, before: Board, after: Board, hand: Tiles | None, *, opened: bool
    ) -> Verdict | None:
        """ILLEGAL for what is wrong beyond doubt; about the rest it cannot tell."""
        if True not in self._are_sets(before):
            return None
        was, now = Counter(before.tiles), Counter(after.tiles)
        played, gone = now - was, was - now
        wrong = (
            not played
            or any(card.rank is not None for card in gone)
            or (hand is not None and not played <= Counter(hand))
            or self._has_too_many(now)
            or self._are_sets(after) == {False}
        )
        new = len(list(rows_of(after))) - len(list(rows_of(before)))
        contracts = self.rules.contracts
        laid = {0 if opened else sum(self._contract)}
        if gone and self.rules.joker.before_opening:
            laid.add(0)  # a joker exchanged, and nothing laid down yet
        if wrong or (contracts is not None and not contracts.extra and new not in laid):
            return Verdict.ILLEGAL
        return None


def rows_of(board: Board) -> Iterator[Tiles]:
    """Everything on a board that has to be a set: melds, or lines, and tiles that touch no other."""
    if not isinstance(board, GridLayout):
        yield from (meld.tiles for meld in board.melds)
        return
    alone = dict(_cells(board))
    for line in (*board.rows, *zip(*board.rows, strict=True)):
        text: list[Tile] = []
        for cell in (*line, None):
            if cell is not None:
                text.append(cell)
                continue
            if len(text) > 1:
                yield tuple(text)
            text = []
    for (y, x), tile in alone.items():
        if not any(place in alone for place in _beside(y, x)):
            yield (tile,)


def _cells(board: GridLayout) -> Iterator[tuple[tuple[int, int], Tile]]:
    for y, row in enumerate(board.rows):
        for x, cell in enumerate(row):
            if cell is not None:
                yield (y, x), cell


def _beside(y: int, x: int) -> tuple[tuple[int, int], ...]:
    return (y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)


def _parts(board: GridLayout) -> int:
    """Into how many parts that do not touch a board falls."""
    left = {place for place, _ in _cells(board)}
    parts = 0
    while left:
        parts += 1
        waiting = [left.pop()]
        while waiting:
            near = left.intersection(_beside(*waiting.pop()))
            left -= near
            waiting += near
    return parts


def _took(counts: Counter[Tiles], row: Tiles) -> bool:
    """Whether a row was among those counted; it is one less then."""
    if not counts[row]:
        return False
    counts[row] -= 1
    return True


def _as_it_lies(row: Tiles) -> Tiles:
    """The same for a row from either side; of one number, in whatever order."""
    if len({tile.rank for tile in row if tile.rank}) == 1:
        return _content(row)
    return min(row, row[::-1])


def _content(row: Tiles) -> Tiles:
    """The same for the same tiles in whatever order, but for a row in which a joker has its place."""
    if all(tile.rank is not None for tile in row):
        return tuple(sorted(row))
    if len({tile.rank for tile in row if tile.rank is not None}) == 1:
        return tuple(sorted(row))
    return min(row, row[::-1])


def _answers(rules: RuleSet, switch: str, value: str) -> tuple[str, ...]:
    """The value of a switch, or all that it may be while nobody has chosen."""
    return rules.switches[switch].open_values if rules.is_open(switch) else (value,)


def _is_set(row: Tiles, rules: RuleSet, wrap: str) -> bool:
    """Whether a row is a group or a run: PR-06, PR-07, RS-12, AMB-40 and their like."""
    naturals = [tile for tile in row if tile.rank is not None]
    jokers = len(row) - len(naturals)
    if not naturals or jokers > rules.joker.max_per_set:
        return False
    if rules.joker.naturals == "as_many" and jokers > len(naturals):
        return False
    return _is_group(row, naturals, rules) or _is_run(row, naturals, rules, wrap)


def _is_group(row: Tiles, naturals: Sequence[Tile], rules: RuleSet) -> bool:
    group = rules.group
    suits = [tile.suit for tile in naturals]
    return (
        group.least <= len(row) <= (group.most if group.duplicates else 4)
        and len({tile.rank for tile in naturals}) == 1
        and (group.duplicates or len(set(suits)) == len(suits))
    )


def _is_run(row: Tiles, naturals: Sequence[Tile], rules: RuleSet, wrap: str) -> bool:
    """Whether some row of numbers that follow each other has all of these at their places."""
    if not rules.run.least <= len(row) <= rules.run.most:
        return False
    if len({tile.suit for tile in naturals}) != 1:
        return False
    circle = [*range(1, 14), *range(1, 14)]
    last = {"none": 13, "high_or_low": 14, "full": 26}[wrap]
    for start in range(13):
        numbers = circle[start : start + len(row)]
        if start + len(row) > last:
            break
        sides = (numbers, numbers[::-1])
        if any(all(t.rank in (None, n) for t, n in zip(row, side, strict=True)) for side in sides):
            return True
        ranks = [tile.rank for tile in naturals]
        scattered = len(set(ranks)) == len(ranks) and set(ranks) <= set(numbers)
        if rules.run.order == "any" and scattered:
            return True
    return False
