"""Whole games of tiles whose sets lie apart, played at random with legal choices and with attempts."""

from __future__ import annotations

from typing import ClassVar

from engine.game.state import GameState, Phase
from tests.engine.game.tile_games import House, with_usual_answers
from tests.engine.game.tile_machine import TileGame, machine
from tests.engine.game.tile_turn_machine import Costs


class PressmanGame(TileGame):
    """PR-16: three tiles. PR-15: one. AMB-22: the larger where both are due; a legal table stands."""

    preset = "pressman"
    house: ClassVar[House] = with_usual_answers("pressman", {"score.target": 60})
    costs = Costs(misplay=3, untouched=1, illegal=3, legal=None)
    zero_sum = True


class TournamentGame(TileGame):
    """PT-02: three tiles when the minute is over, but where what lies there is legal and stands."""

    preset = "pressman-tournament"
    house: ClassVar[House] = with_usual_answers("pressman-tournament")
    costs = Costs(misplay=3, untouched=3, illegal=3, legal=None)
    zero_sum = True


class SabraGame(TileGame):
    """SB-22: three tiles. AMB-23: nothing for the time alone."""

    preset = "sabra"
    house: ClassVar[House] = with_usual_answers("sabra", {"score.rounds": 2})
    costs = Costs(misplay=3, untouched=0, illegal=3, legal=3)
    zero_sum = all_pass = True


class ResetGame(TileGame):
    """RS-22: three tiles where sets were moved in vain and the time is over. RS-14: otherwise one."""

    preset = "reset"
    house: ClassVar[House] = with_usual_answers("reset")
    costs = Costs(misplay=None, untouched=1, illegal=3, legal=3)
    obligatory = returns = all_pass = True

    def deal(self) -> None:
        """RS-08: whoever can lay the first set must; it is tried to pass."""
        super().deal()
        if self.state.phase is Phase.TURN and self.is_starting:
            self.pass_turn()

    def check_who_begins(self, starter: int, after: GameState) -> None:
        """RS-06, RS-07: the next one on the left."""
        assert (after.phase, after.starter) == (Phase.DEAL, (starter + 1) % self.players)


class ResetFreezeGame(ResetGame):
    """RS-28 is all that is another."""

    preset = "reset-freeze"


TestPressman = machine(PressmanGame, 6)
TestPressmanTournament = machine(TournamentGame, 6)
TestSabra = machine(SabraGame, 6)
TestReset = machine(ResetGame, 6)
TestResetFreeze = machine(ResetFreezeGame, 6)
