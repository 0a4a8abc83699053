"""The games: tiles, melds, layouts, rules and the referee.

Pure Python on the standard library alone: no clock, no randomness, no pixels. Time and everything
that was seen arrive as arguments. The only files read are the rule data packed with this package.

The names in `__all__` are for programs of other people; docs/api-python.md presents them and says what
is promised. Each is loaded from its own module when it is first asked for, so that `import engine` costs
nothing and whoever wants a tile does not load the solver. Within Meldwatch itself a name is imported
from that module.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

_HOMES: Final = {
    # What lies on a table, and its text
    "engine.notation": "NOTATION_VERSION NotationError",
    "engine.tiles": "CARDS CARD_JOKER JOKER TILES Suit Tile parse_tile",
    "engine.melds": "Meld parse_meld parse_tiles",
    "engine.layout": "Candidate GridLayout GridReading Layout LayoutReading TileReading"
    " parse_grid parse_layout",
    # The rules, and what a table may choose
    "engine.ruleset": "RuleSet UnknownPresetError list_presets load_ruleset quotation",
    "engine.switches": "HouseRuleError Switch",
    # Turns and what the referee says of them
    "engine.turns": "Claim RecordedTurn Turn parse_turn",
    "engine.turn_reading": "ClaimReading DoubtBefore TurnReading",
    "engine.faults": "NO_TILE Fault Finding Question Ruling Verdict",
    "engine.verdicts": "judge",
    "engine.doubt": "judge_reading",
    # The best play
    "engine.solver": "HintsOffError Play SolverError advise arrange best_opening best_opening_play"
    " best_play can_open can_play is_arrangeable missed_tiles smallest_change",
    "engine.solving.player": "greedy_turn",
    # Points
    "engine.scoring": "Check ClaimedSet GameScore HandsAtEnd RoundScore ScoringError hand_points"
    " score_claims score_round score_rounds score_tournament tile_points",
    # A whole game, event by event
    "engine.game.events": "CalledOut CardBought CardTaken Claimed Corrected Dealt Discarded"
    " DrawnForStart Drew EverybodyDrew FaultNoticed GameBegun GameEvent HandsShown HouseRuleChosen"
    " Misplayed Passed PlayStopped Played Reshuffled RoundCounted StarterNamed TimeRanOut Undone",
    "engine.game.fold": "Game apply",
    "engine.game.state": "GameState Phase Refusal Seat",
    "engine.game.digest": "digest",
    "engine.game.possible_events": "possible_events",
    # Positions and records as text
    "engine.game.position": "Place Position TokensOn check_position parse_position",
    "engine.game.positions": "position_of turn_from",
    "engine.game.record": "Entry Note Record Result parse_record split_records",
    "engine.game.replay": "Difference Step record_of replay steps",
    "engine.game.text_errors": "AmbiguousError GameTextError IllegalError MalformedError"
    " UntrueError",
}
"""The public names of each module."""

_HOME_OF: Final = {name: home for home, names in _HOMES.items() for name in names.split()}

__all__ = [*_HOME_OF]  # noqa: PLE0604 - they are all strings

if TYPE_CHECKING:
    # The same for type checkers. The form `A as A` says that a name is passed on.
    # isort: off
    from engine.notation import NOTATION_VERSION as NOTATION_VERSION, NotationError as NotationError
    from engine.tiles import (
        CARDS as CARDS,
        CARD_JOKER as CARD_JOKER,
        JOKER as JOKER,
        TILES as TILES,
        Suit as Suit,
        Tile as Tile,
        parse_tile as parse_tile,
    )
    from engine.melds import Meld as Meld, parse_meld as parse_meld, parse_tiles as parse_tiles
    from engine.layout import (
        Candidate as Candidate,
        GridLayout as GridLayout,
        GridReading as GridReading,
        Layout as Layout,
        LayoutReading as LayoutReading,
        TileReading as TileReading,
        parse_grid as parse_grid,
        parse_layout as parse_layout,
    )
    from engine.ruleset import (
        RuleSet as RuleSet,
        UnknownPresetError as UnknownPresetError,
        list_presets as list_presets,
        load_ruleset as load_ruleset,
        quotation as quotation,
    )
    from engine.switches import HouseRuleError as HouseRuleError, Switch as Switch
    from engine.turns import (
        Claim as Claim,
        RecordedTurn as RecordedTurn,
        Turn as Turn,
        parse_turn as parse_turn,
    )
    from engine.turn_reading import (
        ClaimReading as ClaimReading,
        DoubtBefore as DoubtBefore,
        TurnReading as TurnReading,
    )
    from engine.faults import (
        NO_TILE as NO_TILE,
        Fault as Fault,
        Finding as Finding,
        Question as Question,
        Ruling as Ruling,
        Verdict as Verdict,
    )
    from engine.verdicts import judge as judge
    from engine.doubt import judge_reading as judge_reading
    from engine.solver import (
        HintsOffError as HintsOffError,
        Play as Play,
        SolverError as SolverError,
        advise as advise,
        arrange as arrange,
        best_opening as best_opening,
        best_opening_play as best_opening_play,
        best_play as best_play,
        can_open as can_open,
        can_play as can_play,
        is_arrangeable as is_arrangeable,
        missed_tiles as missed_tiles,
        smallest_change as smallest_change,
    )
    from engine.solving.player import greedy_turn as greedy_turn
    from engine.scoring import (
        Check as Check,
        ClaimedSet as ClaimedSet,
        GameScore as GameScore,
        HandsAtEnd as HandsAtEnd,
        RoundScore as RoundScore,
        ScoringError as ScoringError,
        hand_points as hand_points,
        score_claims as score_claims,
        score_round as score_round,
        score_rounds as score_rounds,
        score_tournament as score_tournament,
        tile_points as tile_points,
    )
    from engine.game.events import (
        CalledOut as CalledOut,
        CardBought as CardBought,
        CardTaken as CardTaken,
        Claimed as Claimed,
        Corrected as Corrected,
        Dealt as Dealt,
        Discarded as Discarded,
        DrawnForStart as DrawnForStart,
        Drew as Drew,
        EverybodyDrew as EverybodyDrew,
        FaultNoticed as FaultNoticed,
        GameBegun as GameBegun,
        GameEvent as GameEvent,
        HandsShown as HandsShown,
        HouseRuleChosen as HouseRuleChosen,
        Misplayed as Misplayed,
        Passed as Passed,
        PlayStopped as PlayStopped,
        Played as Played,
        Reshuffled as Reshuffled,
        RoundCounted as RoundCounted,
        StarterNamed as StarterNamed,
        TimeRanOut as TimeRanOut,
        Undone as Undone,
    )
    from engine.game.fold import Game as Game, apply as apply
    from engine.game.state import (
        GameState as GameState,
        Phase as Phase,
        Refusal as Refusal,
        Seat as Seat,
    )
    from engine.game.digest import digest as digest
    from engine.game.possible_events import possible_events as possible_events
    from engine.game.position import (
        Place as Place,
        Position as Position,
        TokensOn as TokensOn,
        check_position as check_position,
        parse_position as parse_position,
    )
    from engine.game.positions import position_of as position_of, turn_from as turn_from
    from engine.game.record import (
        Entry as Entry,
        Note as Note,
        Record as Record,
        Result as Result,
        parse_record as parse_record,
        split_records as split_records,
    )
    from engine.game.replay import (
        Difference as Difference,
        Step as Step,
        record_of as record_of,
        replay as replay,
        steps as steps,
    )
    from engine.game.text_errors import (
        AmbiguousError as AmbiguousError,
        GameTextError as GameTextError,
        IllegalError as IllegalError,
        MalformedError as MalformedError,
        UntrueError as UntrueError,
    )
    # isort: on
else:
    # Hidden from type checkers, which would let any name pass.

    def __getattr__(name: str) -> object:
        """A public name from its module, kept here from then on."""
        if name not in _HOME_OF:
            raise AttributeError(f"module 'engine' has no attribute {name!r}")
        value = getattr(import_module(_HOME_OF[name]), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        """The public names beside what is loaded."""
        return sorted({*globals(), *__all__})
