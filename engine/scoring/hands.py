"""What players hold when a round ends, whether they can hold it, and what it is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from engine.ruleset import RuleSet
from engine.scoring.scores import ScoringError, check_known
from engine.tiles import CARDS, TILES, Tile
from engine.wording import count_of, listed


@dataclass(frozen=True, slots=True)
class HandsAtEnd:
    """How a round ended. Whether it can have ended so is for `check_hands` to say."""

    held: Mapping[str, tuple[Tile, ...]] = field(hash=False)
    """The tiles or cards each player still holds."""
    out: str | None = None
    """Who played the last tile, or discarded the last card; None when nobody is said to have."""
    pool_exhausted: bool = False
    """Whether the round ended, or could have ended, because there was nothing left to draw."""
    turn_order: tuple[str, ...] = ()
    """The players as they took turns in this round, for ties that go to the first in turn (AMB-30);
    empty where that is the order in which the players are given."""
    unseen: tuple[tuple[str, int], ...] = ()
    """Players who hold so many tiles more that nobody showed, where tiles alone are counted (RS-26)."""

    counted: tuple[tuple[str, int], ...] = ()
    """Players whose cards nobody showed and that come to so many points, or are so many where cards
    alone count (RS-26), as the players counted them."""

    def number_of(self, name: str) -> int:
        """How many tiles or cards that player still holds, at least one where points were counted."""
        if name in dict(self.counted):
            return 1
        return len(self.held.get(name, ())) + dict(self.unseen).get(name, 0)


def tile_points(tile: Tile, rules: RuleSet) -> int:
    """What a tile or card counts in the hand of a player when a round ends.

    A tile one each where tiles are counted (RS-26); else a joker its penalty (PR-23, SB-15, SR-19), a
    card as the game's table of cards has it (SR-19), a tile its number (PR-24).
    """
    if rules.score.kind == "tiles_left":
        return 1
    if tile.rank is None:
        return rules.joker.rack_value
    return dict(rules.score.card_points).get(tile.rank, tile.rank)


def hand_points(tiles: Iterable[Tile], rules: RuleSet) -> int:
    """What a whole hand counts when a round ends."""
    return sum(tile_points(tile, rules) for tile in tiles)


def check_hands(players: Sequence[str], ended: HandsAtEnd, rules: RuleSet) -> None:
    """Raise ScoringError for an end of a round that cannot have been."""
    _check_names(players, ended)
    _check_unseen(ended, rules)
    _check_counted(players, ended, rules)
    _check_ending(players, ended, rules)
    pieces = tuple(tile for tiles in ended.held.values() for tile in tiles)
    check_deck(pieces, rules)
    check_supply(pieces, rules, per_copy=1)


def _check_names(players: Sequence[str], ended: HandsAtEnd) -> None:
    for name in ended.held:
        check_known(name, players)
    if ended.out is not None:
        check_known(ended.out, players)
    for name in players:
        if name not in ended.held and name != ended.out:
            raise ScoringError(f"the hand of {name} is missing")


def _check_unseen(ended: HandsAtEnd, rules: RuleSet) -> None:
    if ended.unseen and rules.score.kind != "tiles_left":
        raise ScoringError(f"tiles that nobody showed count for nothing in {rules.preset}")
    for name, number in ended.unseen:
        if name not in ended.held or number < 1:
            raise ScoringError(f"{name} cannot hold {number} tiles that nobody showed")


def _check_counted(players: Sequence[str], ended: HandsAtEnd, rules: RuleSet) -> None:
    """Raise ScoringError for counts that no hands can come to."""
    if not ended.counted:
        return
    kinds = CARDS if rules.equipment.pieces == "cards" else TILES
    pieces = [tile for tile in kinds for _ in range(rules.equipment.copies_of(tile))]
    worths = sorted({tile_points(tile, rules) for tile in pieces})
    for name, count in ended.counted:
        check_known(name, players)
        if ended.held.get(name) or name == ended.out:
            does = "is out" if name == ended.out else "shows a hand"
            raise ScoringError(f"{name} {does}, and {count} are counted")
        if not _is_sum(count, worths):
            each = listed([str(worth) for worth in worths], "or")
            piece = rules.equipment.pieces.removesuffix("s")
            raise ScoringError(f"{name} cannot have {count}: a {piece} counts {each}")
    together, most = sum(count for _, count in ended.counted), hand_points(pieces, rules)
    if together > most:
        all_of_them = f"all {rules.equipment.pieces} together"
        raise ScoringError(f"{together} are counted, and {all_of_them} come to {most}")


def _is_sum(count: int, worths: Sequence[int]) -> bool:
    """Whether cards of such worths can come to that many points; none at all do not."""
    reached = {0}
    for points in range(1, count + 1):
        if any(points - worth in reached for worth in worths):
            reached.add(points)
    return count > 0 and count in reached


def _check_ending(players: Sequence[str], ended: HandsAtEnd, rules: RuleSet) -> None:
    empty = [name for name in players if not ended.number_of(name)]
    if ended.out is not None and ended.out not in empty:
        piece = rules.equipment.pieces.removesuffix("s")
        left = count_of(ended.number_of(ended.out), piece)
        raise ScoringError(f"{ended.out} is out and yet holds {left}")
    # Where a round ends on a discard, others may hold no card and wait for one: they float (SR-17).
    # So may one whose empty rack was never called out, where the table wants that (AMB-28).
    may_hold_nothing = rules.finish.by == "discard" or rules.finish.call_required
    if len(empty) > 1 and not may_hold_nothing:
        raise ScoringError(f"{' and '.join(empty)} hold nothing; the first of them ended the round")
    if not empty and not ended.pool_exhausted:
        raise ScoringError("nobody is out, and the pool is not said to be exhausted")


def check_deck(pieces: Sequence[Tile], rules: RuleSet) -> None:
    """Raise ScoringError for a card among tiles, or for the deck that the game is not played with.

    Where only the number of pieces counts a game is played with either deck (RS-02).
    """
    decks = {tile.is_card for tile in pieces}
    either = rules.score.kind == "tiles_left"
    if len(decks) > 1:
        raise ScoringError("tiles and cards are mixed; a game is played with one of them")
    if not either and decks and decks != {rules.equipment.pieces == "cards"}:
        odd = next(iter(pieces))
        what = "card" if odd.is_card else "tile"
        raise ScoringError(
            f"{odd} is a {what}, and {rules.preset} is played with {rules.equipment.pieces}"
        )


def check_supply(pieces: Iterable[Tile], rules: RuleSet, *, per_copy: int) -> None:
    """Raise ScoringError for more of a tile than the game has (G-04).

    `per_copy` is how often one copy may be counted: once in hands, twice in the sets of a grid.
    """
    for tile, count in Counter(pieces).items():
        there_are = rules.equipment.copies_of(tile)
        if count > there_are * per_copy:
            each = f", each in {per_copy} sets at most" if per_copy > 1 else ""
            raise ScoringError(
                f"{tile} ({tile.spoken}) comes {count} times, and the game has {there_are}{each}"
            )
