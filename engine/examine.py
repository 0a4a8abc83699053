"""One turn under settled rules: everything that is wrong, and which switches that rests on.

Nothing is guessed here: the turn is what it is said to be and every switch has its value. What is
open, in the reading or in the house rules, is played through by `engine.referee`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import Final

from engine.board import examine_actions, examine_board, examine_claims
from engine.card_play import examine_cards
from engine.card_table import Contract
from engine.counts import surplus, surplus_of_packed, without
from engine.drawing import examine_clock, examine_duties, examine_play, two_player_draw
from engine.examination import Examination, Play
from engine.examine_sets import examine_sets
from engine.faults import Fault
from engine.joker_places import JokerTables
from engine.jokers import HOW_JOKERS_MOVE, examine_jokers_of
from engine.layout import Layout
from engine.open_rules import MOST_JOKERS, SET_SWITCHES, WRAP
from engine.opening import examine_opening
from engine.packing import has_joker, packed, unpacked
from engine.ruleset import RuleSet
from engine.set_questions import SetQuestions, mattering_to
from engine.set_readings import book_of_jokers
from engine.sets import SetReading
from engine.tiles import CARD_JOKER, CARDS, JOKER, TILES, Tile
from engine.turns import Turn
from engine.wording import named, the

_ORDER: Final = "contracts.order"
_IN_ONE_SET: Final = 2
"""Jokers of which, when one was lifted, a set holds no second one."""
_JOKERS: Final = packed((JOKER, CARD_JOKER))
_PIECES: Final = {"tiles": packed(TILES), "cards": packed(CARDS)}
_NO_GRID: Final = (
    "The board is not known cell by cell, so its lines were judged as sets, and not the play."
)
_NO_BEFORE: Final = (
    "The table before the turn is not known, so only the sets were judged, not the play."
)


def play_of(turn: Turn) -> Play | None:
    """What changed on the table; None where the table before is not known."""
    return None if turn.before is None else Play.of(turn, turn.before)


def examine(
    turn: Turn,
    rules: RuleSet,
    opened: bool,
    play: Play | None,
    questions: SetQuestions | None = None,
) -> Examination:
    """Everything that is wrong with a turn, in the order of docs/referee.md.

    `opened` stands for `turn.opened`, and `play` is `play_of(turn)`: it is the same under all rules.
    `questions` are those of other examinations of the turn, under rules that differ in open switches
    alone. The turn has passed `check_pieces`.
    """
    asked = questions or SetQuestions.by(rules)
    sets = examine_sets(turn, Examination(rules, asked))
    beside = examine_beside_sets(turn, opened, play, Examination(rules, asked))
    if turn.before is None or play is None or rules.contracts or _is_of_lines_alone(turn, rules):
        return sets.with_others(beside, sets.depends_on | beside.depends_on)
    grids = turn.grid_before, turn.grid
    tables = JokerTables.of(turn.before, turn.after, play.laid, rules, grids)
    jokers = _examine_jokers(turn, turn.before, play, opened, tables, Examination(rules, asked))
    return _Parts(turn, play, opened, tables, sets, beside, jokers).together(rules)


def examine_beside_sets(
    turn: Turn, opened: bool, play: Play | None, result: Examination
) -> Examination:
    """Everything that is wrong with a turn, but for what is no set and, with tiles, for its jokers and
    the clock; returned with what was found before."""
    rules = result.rules
    contract = note_contract(turn, result)
    if contract != turn.contract:
        turn = replace(turn, contract=contract)
    examine_board(turn, result)
    examine_claims(turn, opened, result)
    lines_alone = _is_of_lines_alone(turn, rules)
    if not lines_alone:
        _examine_copies(turn, result)
    if turn.before is None or play is None or lines_alone:
        result.unchecked.append(_NO_GRID if lines_alone else _NO_BEFORE)
        return result
    if rules.contracts is not None:
        examine_cards(turn, play, opened, result)
        return result
    _examine_conservation(turn, play, result)
    examine_actions(turn, play, result)
    examine_play(turn, play, result)
    examine_duties(turn, turn.before, play, opened, result)
    if not opened and play.played:
        examine_opening(turn, play, result)
    return result


def _is_of_lines_alone(turn: Turn, rules: RuleSet) -> bool:
    """Whether of a board the lines alone are known, and not its cells."""
    return rules.table.form == "grid" and turn.grid is None


def note_contract(turn: Turn, result: Examination) -> Contract | None:
    """The contract, that of the turn's round where this is what is known (AMB-39), and whether that is
    open."""
    contracts, number = result.rules.contracts, turn.round
    if contracts is None or number is None or turn.contract is not None:
        return turn.contract
    result.note((_ORDER,), lambda rules: rules.contracts and rules.contracts.of_round(number))
    return contracts.of_round(number)


def examine_anew(
    known: Examination, name: str, rules: RuleSet, turn: Turn, opened: bool, play: Play | None
) -> Examination:
    """As `examine`, when the turn was examined under another value of one switch: what does not rest on
    it is taken from there."""
    found = None if known.under is None else known.under(name, rules)
    return found or examine(turn, rules, opened, play, known.questions)


@dataclass(frozen=True, slots=True)
class _Parts:
    """A turn with tiles, examined in parts: what does not rest on a switch is the same under all its
    values."""

    turn: Turn
    play: Play
    opened: bool
    tables: JokerTables | None
    sets: Examination
    """What is no set."""
    beside: Examination
    """All but that, the jokers and the clock."""
    jokers: Examination
    """The jokers, on which alone rests what `HOW_JOKERS_MOVE` says."""
    known_sets: dict[Hashable, Examination] = field(default_factory=dict)
    """What is no set, by how the switches of sets stand."""

    def together(self, rules: RuleSet) -> Examination:
        """All parts by these rules, and the clock, which adds to whatever was found."""
        found = self.sets, self.beside, self.jokers
        result = Examination(
            rules,
            self.sets.questions,
            [item for part in found for item in part.findings],
            set[str]().union(*[part.depends_on for part in found]),
            [words for part in found for words in part.unchecked],
            [item for part in found for item in part.advice],
        )
        examine_clock(self.turn, self.play, result)
        result.under = self.under
        return result

    def under(self, name: str, rules: RuleSet) -> Examination | None:
        """The turn by rules with another value of one switch; None where it has to be examined from the
        beginning."""
        turn, before, play = self.turn, self.turn.before, self.play
        if before is None or not play.changed:
            # Without a change a play is looked for that there was, and that rests on everything.
            return None
        fresh = Examination(rules, self.sets.questions)
        if name in HOW_JOKERS_MOVE:
            jokers = _examine_jokers(turn, before, play, self.opened, self.tables, fresh)
            return self._with(self.sets, jokers).together(rules)
        if name == MOST_JOKERS and self._rests_in_sets_alone():
            stand = rules.standing_of(SET_SWITCHES)
            sets = self.known_sets.get(stand) or examine_sets(turn, fresh)
            self.known_sets[stand] = sets
            return self._with(sets, self.jokers).together(rules)
        return None

    def _with(self, sets: Examination, jokers: Examination) -> _Parts:
        same = self.turn, self.play, self.opened, self.tables
        return _Parts(*same, sets, self.beside, jokers, self.known_sets)

    def _rests_in_sets_alone(self) -> bool:
        """Whether it matters to nothing but what is a set how many jokers one may hold: it was not asked
        what a set is worth or stands for, and of two jokers that are there in all, one that was lifted
        left no second one behind that could be too many."""
        few = self.sets.rules.equipment.jokers <= _IN_ONE_SET
        return few and self.turn.grid is None and not self.beside.asked


def _examine_jokers(
    turn: Turn,
    before: Layout,
    play: Play,
    opened: bool,
    tables: JokerTables | None,
    result: Examination,
) -> Examination:
    """What became of the jokers; returned."""
    _note_stand_ins(before, turn.after, play, result)
    jokers = examine_jokers_of(tables, opened, result.rules)
    result.depends_on |= jokers.depends_on
    for item in jokers.faults:
        tiles = () if item.meld is None else turn.after.melds[item.meld].tiles
        result.find(item.fault, item.message, tiles, item.meld, item.kind)
    if tables is not None:
        _examine_kept(turn, play, tables, result)
    return result


def _examine_kept(turn: Turn, play: Play, tables: JokerTables, result: Examination) -> None:
    """PR-20 and its like: a joker that was replaced and left the table was not used in the turn. Where
    it is known to be on the rack, the same words may forbid that already (SB-18, RS-20)."""
    fault, rules = Fault.JOKER_NOT_REUSED, result.rules
    kept = Counter(tile for tile in play.gone.elements() if tile.is_joker)
    if rules.rule_of(fault) == rules.rule_of(Fault.TABLE_TILE_TO_RACK, "joker"):
        kept = surplus(kept, _new_on_rack(turn))
    there = tables.replacements(rules)
    replaced = [place for place in chain(*tables.old) if tables.was_filled(place, there)]
    for joker, place in zip(kept.elements(), replaced, strict=False):
        came = unpacked(bytes(kind for kind in place.wanted if kind in there))
        words = f"{named(came, 'or')} took the place of {the(joker)}, which lies in no set now"
        result.find(fault, words, (joker,), repair=_put_back(joker))


def _note_stand_ins(before: Layout, after: Layout, play: Play, result: Examination) -> None:
    """Note whether it is open what jokers stand for where 1 may follow 13 or not, if any may have
    moved."""
    if not result.rules.is_open(WRAP):
        return
    if not any(has_joker(before.melds[number].packed) for number in play.old_sets):
        return
    for meld in (*before.melds, *after.melds):
        if has_joker(meld.packed):
            names = (WRAP,) if WRAP in mattering_to(meld.packed) else ()
            result.note(names, partial(_readings_with_jokers, meld.tiles))


def _readings_with_jokers(tiles: tuple[Tile, ...], rules: RuleSet) -> tuple[SetReading, ...]:
    return book_of_jokers(rules).readings_of(tiles)


def check_pieces(turn: Turn, rules: RuleSet) -> None:
    """Raise ValueError for a card in a game of tiles, or a tile in a game of cards.

    Both are in the notation, but a game has only one of them. So with a grid where sets lie apart.
    """
    if turn.grid is not None and rules.table.form != "grid":
        raise ValueError(f"{rules.preset} is played with sets that lie apart, not in a grid")
    pieces = rules.equipment.pieces
    claimed = (tile for claim in turn.claims or () for tile in claim.meld)
    racks = (*(turn.rack_before or ()), *(turn.rack_after or ()), *(turn.discard or ()))
    before = b"" if turn.before is None else turn.before.packed
    found = b"".join((turn.packed_after, before, packed((*racks, *claimed))))
    others = found.translate(None, _PIECES[pieces])
    if not others:
        return
    tile = unpacked(others)[0]
    what = "card" if tile.is_card else "tile"
    raise ValueError(f"{tile} is a {what}, and {rules.preset} is played with {pieces}")


def _examine_copies(turn: Turn, result: Examination) -> None:
    """G-04. The racks count where they are known; other players' tiles are out of sight."""
    equipment = result.rules.equipment
    found = turn.packed_after + packed(turn.rack_after or ())
    numbered = found.translate(None, _JOKERS)
    most_alike = max(map(numbered.count, set(numbered)), default=0)
    if most_alike <= equipment.copies and len(found) - len(numbered) <= equipment.jokers:
        return
    tiles = (*turn.tiles_after, *(turn.rack_after or ()))
    piece = equipment.pieces.removesuffix("s")
    for tile, count in sorted(Counter(tiles).items()):
        most = equipment.copies_of(tile)
        if count > most:
            there = (
                f"there are {count} jokers"
                if tile.is_joker
                else f"{the(tile)} is there {count} times"
            )
            text = f"{there}, and the game has {most}; most likely a {piece} was misread"
            where = {number for number, meld in enumerate(turn.after.melds) if tile in meld.tiles}
            meld = where.pop() if len(where) == 1 else None
            repair = f"look at each {tile.spoken} again; most likely one of them is another {piece}"
            result.find(Fault.TOO_MANY_COPIES, text, (tile,) * count, meld, repair=repair)


def _examine_conservation(turn: Turn, play: Play, result: Examination) -> None:
    """G-01 and G-03: where every tile came from and went to, as far as racks are known."""
    was = None if turn.rack_before is None else packed(turn.rack_before)
    now = None if turn.rack_after is None else packed(turn.rack_after)
    if play.gone:
        _examine_gone(play.gone, _new_on_rack(turn), result)
    if was is None:
        return
    for tile in sorted(unpacked(without(play.laid, was))):
        text = f"{the(tile)} is new on the table, but was not on the rack"
        where = [n for n, meld in enumerate(turn.after.melds) if tile in meld.tiles]
        repair = f"take away {the(tile)}"
        result.find(Fault.TILE_CONSERVATION, text, (tile,), where[0], repair=repair)
    if now is None:
        return
    if two_player_draw(turn, play, result):
        return
    for tile in sorted(unpacked(without(without(was, now), play.laid))):
        text = f"{the(tile)} left the rack, but does not lie on the table"
        repair = f"put {the(tile)} back on the rack"
        result.find(Fault.TILE_CONSERVATION, text, (tile,), repair=repair)


def _new_on_rack(turn: Turn) -> Counter[Tile]:
    """The tiles that came to the rack; none where it was not seen both before and after."""
    if turn.rack_before is None or turn.rack_after is None:
        return Counter()
    return surplus_of_packed(packed(turn.rack_after), packed(turn.rack_before))


def _examine_gone(gone: Counter[Tile], new_on_rack: Counter[Tile], result: Examination) -> None:
    """The tiles that lie on the table no more, of which some may have gone to the rack."""
    to_rack = gone & new_on_rack
    for tile in sorted(to_rack.elements()):
        text = f"{the(tile)} lay on the table and is on the rack now"
        kind = "joker" if tile.is_joker else "tile"
        result.find(Fault.TABLE_TILE_TO_RACK, text, (tile,), kind=kind, repair=_put_back(tile))
    for tile in sorted(surplus(gone, to_rack).elements()):
        text = f"{the(tile)} lay on the table before the turn and lies there no more"
        result.find(Fault.TILE_CONSERVATION, text, (tile,), repair=_put_back(tile))


def _put_back(tile: Tile) -> str:
    return f"put {the(tile)} back on the table"
