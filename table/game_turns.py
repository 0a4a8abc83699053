"""What people press in a game, carried out in the loop's thread: it is checked, logged, and then so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.game.event_lines import print_event
from engine.game.events import (
    Corrected,
    Dealt,
    GameBegun,
    GameEvent,
    RoundCounted,
    StarterNamed,
    Undone,
)
from engine.game.state import GameState, Phase
from engine.melds import Meld, parse_meld
from engine.notation import NotationError
from engine.referee import NO_TILE, Ruling, Verdict
from engine.ruleset import RuleSet, list_presets, load_ruleset
from engine.tiles import Tile
from engine.wording import listed
from table.clock import CAMERA
from table.clock_in_sight import ClockInSight
from table.counted_rounds import is_read
from table.events import (
    ClockSet,
    Event,
    GameLeft,
    GameResumed,
    RackCorrected,
    RackTold,
    TableDisarranged,
    TablePutBack,
)
from table.game_acts import Said, events_of, lies_as_it_did
from table.game_on_table import GameOnTable, line_told, value_of
from table.game_score import winners_if_put_away
from table.game_view import START, GameView, view_of
from table.in_sight import InSight
from table.play import PERSON, Play, Write
from table.racks import (
    Rack,
    beside_the_table,
    check_number,
    decode_photo,
    in_reading_order,
    labels_told,
    rack_event,
    tile_told,
)
from table.wishes import WishRefusedError
from vision.placements import Placement

CLOCK_WORDS = ("paused", "running", "full")
OF_A_TURN = frozenset(
    {"play", "let_stand", "take_back", "draw", "pass", "claim", "everybody_draws", "stop"}
)
"""Acts of the player to move: not before it is settled what follows from a time that is up."""
WITHOUT_A_PLAY = frozenset({"draw", "pass", "everybody_draws"})
"""Acts of the player to move that leave the table as it was before the turn."""
OF_THE_TABLE = OF_A_TURN | {"table_is_back"}
"""What is said of the table as it lies there now, or lay there when the turn ended."""
OF_THE_LAYOUT = frozenset({"play", "let_stand", "take_back"})
"""Acts that are about what lies on the table, and name the layout they mean."""


class GameTurns:
    """The game at a table, for whoever presses something. It belongs to the loop's thread."""

    def __init__(
        self,
        on_table: GameOnTable,
        play: Play,
        write: Write,
        read: Callable[[NDArray[np.uint8]], Sequence[Placement]],
        now_s: Callable[[], float],
        in_sight: Callable[[], InSight],
    ) -> None:
        """``read`` finds the tiles in a photograph's BGR pixels, ``now_s`` is the log's steady clock."""
        self._on_table = on_table
        self._play = play
        self._write = write
        self._read = read
        self._now_s = now_s
        self._in_sight = in_sight
        self._clock_in_sight = ClockInSight(on_table, in_sight)
        self._shown: tuple[object, ...] = ()
        self._view: GameView | None = None
        self._turn_seen: Sequence[object] | None = None
        self._stands_at_s: float | None = None
        """Seconds that the turn has taken, while its clock stands because the table is not yet as it has
        to be; else None."""
        self._turn_waiting: Sequence[object] | None = None
        """The turn whose clock stood so last."""

    @property
    def is_on(self) -> bool:
        """Whether a game was begun and not put away."""
        return self._on_table.game is not None

    def view(self) -> GameView | None:
        """The game as pages show it; None where there is none."""
        is_lost = self._in_sight().at_rest is None and not self._play.is_known
        lying = replace(self._play.lying, lost_in_motion=is_lost)
        on_table = self._on_table
        clock = on_table.clock, on_table.clock_by
        shows = (on_table.sequence, lying, on_table.game, clock, self._stands_at_s)
        if shows != self._shown:
            view = view_of(on_table, lying, stands_at_s=self._stands_at_s)
            self._shown, self._view = shows, view
        return self._view

    def record(self) -> list[dict[str, object]]:
        """Every event of the game as it was told: number, line, time, who, and whether it stands."""
        game = self._on_table.game
        standing = {} if game is None else {n: print_event(e) for n, e in game.standing}
        return [
            {
                "number": told.number,
                "line": standing.get(told.number, told.line),
                "told": told.line,
                "at": told.at_utc,
                "by": told.by,
                "stands": told.number in standing,
            }
            for told in self._on_table.record
        ]

    def rules_to_begin(self) -> tuple[RuleSet, ...]:
        """The rules that a game may be begun with, with the house rules that hold at this table: those
        of the last game by the same preset."""
        now = self._play.rules if self.is_on else self._on_table.as_played_last(self._play.rules)
        return tuple(
            now if rules.preset == now.preset else self._on_table.as_played_last(rules)
            for rules in map(load_ruleset, list_presets())
        )

    # Wishes. WishRefusedError says why something is not done.

    def begin(
        self,
        preset: str,
        players: tuple[str, ...],
        house_rules: Mapping[str, str],
        starter: str | None,
        by: str = PERSON,
        locks: int | None = None,
    ) -> None:
        """A game begins, with the first turn where it is told whose it is.

        ``locks`` are the lock tokens of a game with claims, None where nobody counted them.
        """
        self._check_real()
        self._check_none_goes_on()
        if alike := _hardly_told_apart(players):
            text = f"{listed(alike)} are hardly told apart; give one of them another name"
            raise WishRefusedError("not_understood", text)
        if preset not in list_presets():
            known = listed(list_presets())
            raise WishRefusedError(
                "not_understood", f"there is no preset {preset}; there are {known}"
            )
        chosen = {name: value_of(value) for name, value in house_rules.items()}
        begun = GameBegun(preset, players, chosen, locks)
        first = () if starter is None else (StarterNamed(starter), Dealt())
        rules = self._on_table.trial(begun, *first).rules
        self._begin_round(rules, by, self._on_table.telling(self._play.turn, by, begun, *first))

    def leave(self, by: str = PERSON, sequence: int | None = None) -> None:
        """The game is put away; turns are judged without players again.

        ``sequence`` is the game's newest event as the page showed it, None where that is not known.
        """
        self._check_on()
        if sequence is not None:
            self._check_sequence(sequence)
        state = self._on_table.state
        is_over = state is not None and bool(winners_if_put_away(state))
        self._write(GameLeft(self._play.turn, by, self._play.laid_text))
        self._play.judge_alone(is_over=is_over)

    def _check_none_goes_on(self) -> None:
        """Refuses while a game is under way that is not over: that one would be lost from sight."""
        state = self._on_table.state
        if state is not None and state.phase is not Phase.GAME_OVER:
            raise WishRefusedError("in_game", "a game is under way; put it away first")

    def resume(self, number: int, by: str = PERSON) -> None:
        """The game that event ``number`` began, and that was put away, goes on where it was."""
        self._check_real()
        self._check_none_goes_on()
        if not self._on_table.was_put_away(number):
            text = f"no game that event {number} began can be taken up again"
            raise WishRefusedError("no_game", text)
        self._write(GameResumed(self._play.turn, number, by))
        state = self._on_table.state
        assert state is not None, "it goes on"
        self._play.take_up_game(state.table)

    def act(
        self,
        act: str,
        sequence: int,
        layout_sequence: int = 0,
        player: str = "",
        by: str = "",
        tile: str = "",
        meld: str = "",
        fresh: bool | None = None,
    ) -> None:
        """What somebody did or decided: one of ``ACTS``, ``full_time``, ``table_is_back`` or ``finish``.

        ``sequence`` is the game's newest event and ``layout_sequence`` the layout's, as the page
        showed them: nobody draws twice by pressing twice, or plays what they have not seen. ``meld``
        and ``fresh`` say which set is claimed, as ``GameView.claims`` has it.
        """
        self._check_on()
        self._check_sequence(sequence)
        if act == "full_time":
            self.set_clock("full", by or PERSON)
        elif act == "table_is_back":
            self._put_back(by or PERSON)
        elif act == "finish":
            self._finish(by or PERSON)
        else:
            self._check_turn_of(act, player)
            said = Said(player, by, self._tile_of(tile), meld=_meld_of(meld), fresh=fresh)
            self._do(act, layout_sequence, said)

    def play_laid(self, layout_sequence: int, by: str) -> None:
        """The player to move is done, with what the layout shows."""
        self._do("play", layout_sequence, Said(), told_by=by)

    def set_clock(self, to: str, by: str = PERSON) -> None:
        """The clock of the turn is ``paused``, goes on ``running``, or has the ``full`` time again."""
        self._check_on()
        if to not in CLOCK_WORDS:
            raise WishRefusedError("not_understood", f"a clock is {', '.join(CLOCK_WORDS)}")
        if not self._on_table.limit_s:
            raise WishRefusedError("refused", "no clock runs now")
        if self._stands_at_s is not None:
            raise WishRefusedError("refused", "the clock stands until the table lies as it has to")
        spent_s = 0.0 if to == "full" else self._elapsed_s() or 0.0
        self._clock_in_sight.let_run(self._play.turn)
        self._write(ClockSet(self._play.turn, to, spent_s, by))

    def standing_still(self, last_s: float) -> tuple[ClockSet, ...]:
        """What stops the clock of a turn in whose middle the last session ended, which is known to have
        run until ``last_s``; nothing where no clock ran."""
        clock = self._on_table.clock
        if not self._on_table.limit_s or clock.since_s is None:
            return ()
        return (ClockSet(self._play.turn, "paused", round(clock.elapsed_s(last_s), 1), START),)

    @property
    def time_counts(self) -> bool:
        """Whether the clock of a turn runs."""
        return bool(self._on_table.limit_s) and self._on_table.clock.since_s is not None

    def undo(self, sequence: int, by: str) -> None:
        """The last event of the game that stands is taken back, by the word of somebody with a name."""
        self._check_on()
        self._check_sequence(sequence)
        self._tell(Undone(_name_of(by)), by=by)

    def correct(
        self,
        number: int,
        line: str,
        by: str,
        was: str | None = None,
        *,
        only_try: bool = False,
    ) -> None:
        """Event ``number`` of the record was not so but like this line, by the word of somebody with a
        name; ``only_try`` tells no more than whether that can be, whoever says so.

        ``was`` is that event's line as the page showed it, None where that is not known: two people who
        correct the same do not undo each other's word.
        """
        self._check_on()
        standing = [entry["line"] for entry in self.record() if entry["number"] == number]
        if was is not None and standing != [was]:
            raise WishRefusedError("stale", f"event {number} is another one now; look again")
        assert self._on_table.state is not None, "a game is on"
        event = line_told(line, self._on_table.state)
        if only_try:
            self._on_table.trial(Corrected(number, event))
            return
        self._tell(Corrected(number, event, _name_of(by)), by=by)

    def count_round(
        self, sequence: int, counts: Mapping[str, int], out: str | None, by: str = PERSON
    ) -> None:
        """A round that nobody followed is over: what everybody is left with, as the players counted it,
        and who went out, if somebody did.

        ``sequence`` is the game's newest event as the page showed it.
        """
        self._check_on()
        self._check_sequence(sequence)
        self._tell(RoundCounted(tuple(counts.items()), out), by=by)

    # The racks at the end of a round.

    def read_photo(self, player: str, photo: bytes, by: str = PERSON) -> None:
        """The tiles in an uploaded photograph are the rack of that player."""
        self._check_rack_of(player)
        seen = in_reading_order(self._read(decode_photo(photo)))
        if not seen:
            text = "no tile was found in the photograph; take it again, nearer and from the front"
            raise WishRefusedError("nothing_read", text)
        self._hold(player, "photo", seen, by)

    def read_camera(self, player: str, by: str = PERSON) -> None:
        """The tiles that lie beside the game's own in the camera's picture are that player's rack."""
        state = self._check_rack_of(player)
        seen = self._play.watch.adopted
        if seen is None or not self._in_sight().at_rest:
            raise WishRefusedError("nothing_read", "the table has not been read; wait a moment")
        # The camera may know a rack already, and leave it out of the table.
        beside = beside_the_table(seen.placements, state.table) or self._play.rack_in_sight()
        if not beside:
            text = "no tile lies beside those of the table; lay the rack there, or type it"
            raise WishRefusedError("nothing_read", text)
        self._hold(player, "camera", beside, by)

    def tell_rack(
        self, player: str, text: str, by: str = PERSON, shown: Sequence[str] | None = None
    ) -> None:
        """That player holds these tiles, in notation.

        ``shown`` are the labels of the rack as the page had it, none where nobody had told it; None
        where that is not known: of two people who tell it at once the later one looks first.
        """
        state = self._check_rack_of(player)
        self._check_shown(player, shown)
        self._write(RackTold(self._play.turn, player, labels_told(text, state.rules), by))

    def correct_rack(
        self,
        player: str,
        tile: int,
        label: str,
        by: str = PERSON,
        shown: Sequence[str] | None = None,
    ) -> None:
        """Tile ``tile`` of that rack is a ``label``; ``none`` takes it off, one too many adds one.

        ``shown`` are the labels of the rack as the page had it, None where that is not known: two people
        who take off the same tile take off one.
        """
        state = self._check_rack_of(player)
        rack = self._check_shown(player, shown)
        if not 0 <= tile <= len(rack) or (label == NO_TILE and tile == len(rack)):
            raise WishRefusedError("stale", f"the rack of {player} has no tile {tile}")
        if label != NO_TILE:
            label = str(tile_told(label, state.rules))
        was = rack[tile].label if tile < len(rack) else ""
        self._write(RackCorrected(self._play.turn, player, tile, was, label, by))

    # Time.

    def tick(self) -> None:
        """Logs that the time of the turn is over, as soon as it is.

        It stands while the camera is out, and while the table has to be put back, or cleared, before
        anything can be laid. A new turn
        has its full time from then on; one that goes on, as the rules of some games have it after what
        came to nothing, the time that was left.
        """
        on_table, mover = self._on_table, self._on_table.mover
        if mover is None or not on_table.limit_s or on_table.time_over is not None:
            self._turn_seen = self._stands_at_s = None
            return
        clock, now_s = on_table.clock, self._now_s()
        if self._turn_waiting != on_table.turn_under_way:
            self._stands_at_s = None  # it stood for another turn
        if self._play.awaits_its_table:
            if self._stands_at_s is None:
                is_seen = self._turn_seen == on_table.turn_under_way
                goes_on = is_seen or on_table.to_be_laid == "taken up"
                # By the event since which it waits; a turn that was brought back had taken some time.
                spent_s = clock.elapsed_s(on_table.last_s) if goes_on else clock.spent_s
                self._stands_at_s = round(spent_s, 1)
                self._turn_waiting = on_table.turn_under_way
            return
        self._turn_seen = on_table.turn_under_way
        if self._stands_at_s is not None:
            self._clock_goes_on(self._stands_at_s)
        elif (change := self._clock_in_sight.due(self._play.turn, now_s)) is not None:
            self._write(change)
        elif clock.since_s is not None and clock.elapsed_s(now_s) >= on_table.limit_s:
            self._play.time_is_over(mover.name)

    def _clock_goes_on(self, spent_s: float) -> None:
        """The table is as it has to be."""
        self._stands_at_s = None
        if spent_s and self._on_table.clock.since_s is None:
            return  # a person stopped it
        to, by = "running" if spent_s else "full", self._on_table.put_back_by or CAMERA
        self._write(ClockSet(self._play.turn, to, spent_s, by))

    # How it is done.

    def _put_back(self, by: str) -> None:
        if not self._play.to_put_back:
            raise WishRefusedError("stale", "the table is not to be put back now")
        self._write(TablePutBack(self._play.turn, by))
        self._play.accept_table()

    def _finish(self, by: str) -> None:
        state = self._on_table.state
        if state is None or not winners_if_put_away(state):
            text = "the players end a game after a round, where no number of points was agreed"
            raise WishRefusedError("refused", text)
        self.leave(by)

    def _do(self, act: str, layout_sequence: int, said: Said, told_by: str = PERSON) -> None:
        self.tick()
        if act in OF_A_TURN and not self._on_table.is_followed:
            text = "turns with cards are not told; count the round when it is over"
            raise WishRefusedError("refused", text)
        if self._on_table.time_over is not None and act in OF_A_TURN:
            raise WishRefusedError("time_over", "the time is up; say first what follows from that")
        tried = self._play.was_tried(layout_sequence) if act == "take_back" else None
        if tried is None:
            self._check_table(act, layout_sequence)
        lying = tried or self._play.lying
        timed = replace(said, elapsed_s=self._elapsed_s())
        events = events_of(act, self._on_table, lying, timed)
        is_left = act in WITHOUT_A_PLAY and self._is_disarranged
        self._tell(
            *events,
            by=said.by or told_by,
            ruling=lying.ruling if act in OF_THE_LAYOUT else None,
            is_disarranged=is_left,
        )

    @property
    def _is_disarranged(self) -> bool:
        """Whether the sets lie otherwise than before the turn, and some of them are none."""
        ruling, lying = self._play.ruling, self._play.lying
        is_wrong = ruling is not None and ruling.verdict is Verdict.ILLEGAL
        return is_wrong and not lying.to_put_back and not lies_as_it_did(self._on_table, lying)

    def _tile_of(self, label: str) -> Tile | None:
        return tile_told(label, self._play.rules) if label else None

    def _check_table(self, act: str, layout_sequence: int) -> None:
        """Refuses an act of a turn on a table that is not as the page showed it.

        Who draws or passes waits for no picture; where there is one it has to be at rest. While the
        camera is out nobody would see whether something is laid meanwhile: that would count as the next
        player's.
        """
        in_sight = self._in_sight()
        of_the_layout = act in OF_THE_LAYOUT
        if act in OF_A_TURN and in_sight.is_out:
            raise WishRefusedError("stale", in_sight.why_not)
        if of_the_layout or (act in OF_A_TURN and in_sight.at_rest is not None):
            self._play.check_settled(
                layout_sequence, in_sight=in_sight, of_the_layout=of_the_layout
            )

    def _tell(
        self,
        *events: GameEvent,
        by: str,
        ruling: Ruling | None = None,
        is_disarranged: bool = False,
    ) -> None:
        """Logs events of the game, and what follows from them for the table; ``ruling`` is that on what
        was laid, where they are about that."""
        before, after = self._on_table.state, self._on_table.trial(*events)
        told = self._on_table.telling(self._play.turn, by or PERSON, *events)
        assert before is not None, "there is a game"
        if any(isinstance(event, Dealt) for event in events):
            self._begin_round(after.rules, by, told)
        elif isinstance(events[-1], Undone | Corrected | RoundCounted) or _same_turn(before, after):
            self._write(*told)
            self._play.follow_game()
        else:
            verdict = Verdict.LEGAL if ruling is None else ruling.verdict
            left: tuple[Event, ...] = ()
            if is_disarranged and before.to_move is not None:
                mover = before.seats[before.to_move].name
                left = (TableDisarranged(self._play.turn + 1, mover),)
            self._play.confirm(after.table, verdict.value, by or PERSON, *told, *left)

    def _begin_round(self, rules: RuleSet, by: str, told: Sequence[Event]) -> None:
        """A round begins on a table that was cleared; with cards nobody looks at one."""
        if is_read(rules):
            self._play.new_round(by, *told)
        else:
            self._write(*told)
            self._play.follow_game()

    def _hold(self, player: str, source: str, seen: Sequence[Placement], by: str) -> None:
        check_number(len(seen))
        self._write(rack_event(self._play.turn, player, source, seen, by))

    def _elapsed_s(self) -> float | None:
        if not self._on_table.limit_s:
            return None
        return round(self._on_table.clock.elapsed_s(self._now_s()), 1)

    def _check_real(self) -> None:
        if self._play.has_program:
            text = "on the rendered table imaginary players play; watch a real one to begin a game"
            raise WishRefusedError("not_here", text)

    def _check_on(self) -> None:
        if not self.is_on:
            raise WishRefusedError("no_game", "no game is under way; begin one first")

    def _check_turn_of(self, act: str, player: str) -> None:
        """Refuses what the player to move does where it is told of somebody else."""
        mover = self._on_table.mover
        if act in OF_A_TURN and player and mover is not None and player != mover.name:
            raise WishRefusedError("not_your_turn", f"it is the turn of {mover.name}")

    def _check_sequence(self, sequence: int) -> None:
        if sequence != self._on_table.sequence:
            raise WishRefusedError("stale", "the game has gone on since; look again")

    def _check_shown(self, player: str, shown: Sequence[str] | None) -> Rack:
        """The rack of that player, as it was told; ``shown`` are its labels as a page had them."""
        rack = self._on_table.racks.get(player, ())
        if shown is not None and list(shown) != [held.label for held in rack]:
            raise WishRefusedError("stale", f"the rack of {player} is another one now; look again")
        return rack

    def _check_rack_of(self, player: str) -> GameState:
        self._check_on()
        state = self._on_table.state
        assert state is not None, "a game is on"
        if state.phase is not Phase.ROUND_OVER:
            raise WishRefusedError("stale", "racks are counted when a round is over")
        if player not in [seat.name for seat in state.seats if seat.held and seat.rack is None]:
            raise WishRefusedError("not_understood", f"the rack of {player} is not to be counted")
        return state


def _name_of(by: str) -> str:
    if not by:
        raise WishRefusedError("not_understood", "say by name who takes back what was told")
    return by


def _meld_of(text: str) -> Meld | None:
    try:
        return parse_meld(text) if text else None
    except NotationError as error:
        raise WishRefusedError("not_understood", str(error)) from error


def _hardly_told_apart(names: Sequence[str]) -> tuple[str, ...]:
    """The first names that differ in capital letters alone; none mostly."""
    alike: dict[str, list[str]] = {}
    for name in names:
        alike.setdefault(name.casefold(), []).append(name)
    return tuple(next((each for each in alike.values() if len({*each}) > 1), ()))


def _same_turn(before: GameState, after: GameState) -> bool:
    """Whether it is still the same player's turn, or was nobody's."""
    if before.to_move is None:
        return True
    return (before.turn, before.to_move) == (after.turn, after.to_move)
