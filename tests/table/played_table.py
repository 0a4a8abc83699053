"""A game at a live table as a test plays it: the table is laid, time is held, acts are pressed."""

from __future__ import annotations

from pathlib import Path

from engine.ruleset import load_ruleset
from table.board import LiveState
from table.event_log import EventLog, open_event_log
from table.events import GameTold
from table.game_view import GameView
from table.readings import ReadPlacements
from table.session import TableSession
from tests.table.laid_table import HeldClock, StaticTable, Told, events_of, wait_until
from vision.racks import Standing
from vision.settling import SettleDetector

RULES = load_ruleset("pressman")


class PlayedTable:
    """A session on a table that the test lays, with its log and its time."""

    def __init__(
        self,
        folder: Path,
        table: StaticTable | None = None,
        time: HeldClock | None = None,
        read_photo: ReadPlacements | None = None,
        standing: Standing | None = None,
    ) -> None:
        self.time = time or HeldClock()
        self.table = table or StaticTable()
        self._read_photo = read_photo
        self._standing = standing
        self.log: EventLog = open_event_log(folder / "log.sqlite3", self.time.clock)
        self.session = self._session()
        self.session.start()

    def _session(self) -> TableSession:
        read, settle = self.table.read_placements, SettleDetector(still_for_s=0.3)
        return TableSession(
            self.table,
            read,
            RULES,
            self.log,
            read_photo=self._read_photo,
            settle=settle,
            standing=self._standing,
        )

    def restart(self) -> None:
        """The program ends and begins again, on the same log."""
        self.session.close()
        self.time.start_anew()
        self.session = self._session()
        self.session.start()

    @property
    def state(self) -> LiveState:
        return self.session.board.look().state

    @property
    def game(self) -> GameView:
        view = self.state.game
        assert view is not None, "a game is under way"
        return view

    def begin(self, *players: str, preset: str = "pressman", **house_rules: str) -> None:
        rules = {name.replace("__", "."): value for name, value in house_rules.items()}
        self.session.in_game(lambda game: game.begin(preset, players, rules, players[0]))

    def lay(self, *melds: str) -> LiveState:
        """Lays the whole table anew and waits until it was read."""
        self.table.lay(*melds)
        text = " | ".join(melds) or "-"
        return wait_until(
            self.session.board, lambda state: state.layout == text and not state.moving
        )

    def act(
        self, act: str, player: str = "", by: str = "", layout_sequence: int | None = None
    ) -> GameView:
        """Presses a button, as the page shows the table now or as it did with that layout."""
        sequence, shown = self.game.sequence, layout_sequence
        if shown is None:
            shown = self.state.layout_sequence
        self.session.in_game(lambda game: game.act(act, sequence, shown, player, by))
        return self.game

    def act_on_the_table(self, act: str) -> None:
        """Presses a button as a page does, which waits for a picture that comes after it."""
        sequence, shown = self.game.sequence, self.state.layout_sequence
        self.session.in_game(lambda game: game.act(act, sequence, shown), by_next_picture=True)

    def play(self, *melds: str) -> GameView:
        self.lay(*melds)
        wait_until(self.session.board, lambda state: state.ruling is not None)
        return self.act("play")

    def events(self, kind: type[Told]) -> list[Told]:
        return events_of(self.log, kind)

    def lines(self) -> list[str]:
        return [event.line for event in self.events(GameTold)]

    def acts(self) -> list[str]:
        return [act.act for act in self.game.ask.acts]


def held(view: GameView) -> list[tuple[str, int, bool]]:
    return [(seat.name, seat.held, seat.opened) for seat in view.seats]
