"""What is to be done now in a game: one thing at a time, in words, with a button for each answer.

It follows from the game, from what lies on the table and from the ruling on it; a page shows it and
works nothing out by itself.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from engine.game.events import (
    CalledOut,
    Drew,
    EverybodyDrew,
    FaultNoticed,
    GameEvent,
    Passed,
    PlayStopped,
    TimeRanOut,
)
from engine.game.possible_events import possible_events
from engine.game.state import GameState, Phase
from engine.game.tile_turns import is_before_first_set
from engine.referee import Verdict
from engine.turns import LEAST_PLAYERS
from engine.wording import count_of, listed
from table.ask import Act, Ask
from table.claims import claim_choices, claims_given_up
from table.counted_rounds import ask_round, is_read
from table.forms import lies_as
from table.game_acts import (
    Lying,
    Said,
    can_be,
    events_of,
    is_untouched,
    lies_as_it_did,
    time_ran_out,
)
from table.game_on_table import GameOnTable
from table.game_score import notes_on_victory, winners_if_put_away
from table.hands_ask import ask_hands
from table.wishes import WishRefusedError


def ask_now(on_table: GameOnTable, lying: Lying) -> Ask:
    """What is to be done now. There has to be a game."""
    state = on_table.state
    assert state is not None, "without a game nothing is asked here"
    if state.phase is Phase.START:
        return _ask_starter(state)
    if state.phase is Phase.DEAL:
        return _ask_deal(state)
    if state.phase is Phase.ROUND_OVER:
        return ask_hands(on_table, state)
    if state.phase is Phase.GAME_OVER:
        why = " ".join(f"{note[0].upper()}{note[1:]}." for note in notes_on_victory(state))
        another = Act("new_game", "Another game", primary=True)
        return Ask(f"{listed(state.winners)} won.", why, (another,))
    if not on_table.is_followed:
        return ask_round(state, _round(state))
    if on_table.time_over is not None:
        return _ask_time(on_table, state, lying)
    if lying.to_put_back:
        return _ask_put_back(on_table, state, lying)
    usual = _ask_turn(on_table, state, lying)
    return _ask_clear(state, usual) if lying.left_over else usual


_DRAWS = {
    "highest": "Everybody draws a tile, and the highest number begins.",
    "lowest": "Everybody draws a tile, and the lowest number begins.",
}


def _ask_starter(state: GameState) -> Ask:
    acts = tuple(Act("starter", f"{seat.name} begins", seat.name) for seat in state.seats)
    acts += _finish_acts(state)
    if state.rules.start.by in _DRAWS:  # PR-03, PR-05; AMB-05
        before = f"Clear the table and mix the tiles. {_DRAWS[state.rules.start.by]}"
        is_returned = state.rules.start.returned
        then = (
            "Mix these in again, and everybody takes" if is_returned else "With it everybody takes"
        )
        detail = f"{before} {then} {_each_takes(state)}."
    else:
        detail = f"{_dealing(state)} {_who_begins(state)}"
    return Ask(f"Who begins {_round(state)}?", f"{_who_is_equal(state)}{detail}", acts)


def _who_begins(state: GameState) -> str:
    if state.rules.start.by == "left_of_dealer":  # SR-04
        return "Whoever sits to the left of the dealer begins."
    return "Who begins is drawn by lot."


def _ask_deal(state: GameState) -> Ask:
    assert state.starter is not None, "it is known before the deal"
    name = state.seats[state.starter].name
    ready = Act("deal", f"Ready: {name} begins", primary=True)
    detail = f"{_who_is_equal(state)}{_dealing(state)}"
    return Ask(f"Now for {_round(state)}", detail, (ready, *_finish_acts(state)))


def _finish_acts(state: GameState) -> tuple[Act, ...]:
    """The button that ends a game which nothing in the rules ends (AMB-31)."""
    if not winners_if_put_away(state):
        return ()
    return (Act("finish", "That was the last round", asks_again=True),)


def _dealing(state: GameState) -> str:
    if not is_read(state.rules):
        return f"Shuffle the cards, and deal {_each_takes(state)} to everybody."
    return f"Clear the table, mix the tiles, and everybody takes {_each_takes(state)}."


def _each_takes(state: GameState) -> int:
    return state.rules.deal.tiles_for(len(state.seats))


def _who_is_equal(state: GameState) -> str:
    """Whom an extra round is between; empty where it is none."""
    if not state.deciding:
        return ""
    return f"{listed(state.deciding)} are equal: whoever of them does best now has won. "


def _round(state: GameState) -> str:
    game = "" if state.rules.tournament is None else f", game {state.game}"
    return f"the extra round{game}" if state.deciding else f"round {state.round}{game}"


def _ask_time(on_table: GameOnTable, state: GameState, lying: Lying) -> Ask:
    ran_out = time_ran_out(on_table)
    more = Act("full_time", "Restart the clock")
    text = f"Time is up for {ran_out.player}."
    if (question := on_table.asked_before(ran_out)) is not None:
        return Ask(text, "What follows depends on the answer.", (more,), question=question)
    try:
        after = on_table.trial(ran_out)
    except WishRefusedError as refusal:
        return Ask(text, str(refusal), (more,))
    return Ask(
        text,
        _consequence(state, after, ran_out, lying),
        (Act("time_over", "Accept", asks_again=True), more),
        rests_on=_resting(on_table, ran_out),
    )


def _ask_put_back(on_table: GameOnTable, state: GameState, lying: Lying) -> Ask:
    """How it lay stands beside it, as ``GameView.to_put_back``."""
    is_read_otherwise = lying.layout is not None
    back = Act("table_is_back", "It lies as it did", primary=True, asks_again=is_read_otherwise)
    if on_table.to_be_laid != "taken up":
        return Ask("Put the table back as it was.", _unread_there(lying), (back,))
    lay, detail = on_table.lay_when_put_away, _unread_there(lying)
    if lay is not None and not lies_as(state.table, lay):
        detail = f"What was laid in the turn may lie there, too. {detail}".rstrip()
    return Ask("Lay the table as it was when the game was put away.", detail, (back,))


def _unread_there(lying: Lying) -> str:
    """What to do about tiles that nobody could read, in words; empty where there is none."""
    if lying.unread == 1:
        return "A tile there could not be read. Press it below to say which it is."
    if lying.unread:
        return (
            f"{lying.unread} tiles there could not be read. Press them below to say which they are."
        )
    return ""


def _ask_clear(state: GameState, usual: Ask) -> Ask:
    """While the tiles of before the round lie there; a slip must not play them as the first turn."""
    assert state.to_move is not None, "it is somebody's turn"
    name = state.seats[state.to_move].name
    detail = f"This lay there when the round began. When it is cleared, it is {name}'s turn."
    # Nobody pays for what the last round left there.
    laid = [act for act in usual.acts if act.act != "take_back"]
    acts = tuple(replace(act, primary=False, asks_again=True) for act in laid)
    return replace(
        usual,
        text="Clear the table.",
        detail=f"{detail} If it was laid since:" if acts else detail,
        acts=acts,
    )


def _ask_turn(on_table: GameOnTable, state: GameState, lying: Lying) -> Ask:
    assert state.to_move is not None, "it is somebody's turn"
    name = state.seats[state.to_move].name
    if is_untouched(state, lying):
        return _ask_idle(on_table, state, lying, name)
    verdict = None if lying.ruling is None else lying.ruling.verdict
    why_not = _cannot_be_played(on_table, lying, legal=verdict is Verdict.LEGAL)
    if why_not and not lying.unread:  # what could not be read may be what is missing
        detail = f"{why_not} Put right what was read wrongly, or what was told before, or:"
        aside = replace(_take_back_act(on_table, state, lying), is_aside=True)
        return Ask(f"{name}'s turn", detail, (aside,))
    if verdict is Verdict.LEGAL:
        assert lying.layout is not None, "there is a ruling on it"
        detail = f"This is legal. {claims_given_up(state, lying.layout)}".rstrip()
        return Ask(f"{name}'s turn", detail, (Act("play", f"{name} is done", primary=True),))
    if lying.ruling is None:
        detail = "There is no ruling yet. Wait for it, or:"
    elif verdict is Verdict.ILLEGAL:
        detail = f"{lying.ruling.findings[0].message} Put it right, or:"
    else:
        detail = "If nobody can say:"
    stand = Act("let_stand", "Let it stand", needs_name=True)
    is_aside = verdict is not Verdict.ILLEGAL  # nobody has done anything wrong yet
    acts = tuple(
        replace(act, is_aside=is_aside) for act in (_take_back_act(on_table, state, lying), stand)
    )
    penalty = () if is_aside else events_of("take_back", on_table, lying, Said())
    return Ask(f"{name}'s turn", detail, acts, rests_on=_resting(on_table, *penalty))


def _resting(on_table: GameOnTable, *penalty: GameEvent) -> tuple[str, ...]:
    """The house rules that nobody has chosen and a penalty rests on, in sentences."""
    return tuple(default.words for event in penalty for default in on_table.rests_on(event))


def _cannot_be_played(on_table: GameOnTable, lying: Lying, *, legal: bool) -> str:
    """Why the game cannot go on with what lies there although it is legal, or somebody lets it stand:
    mostly more tiles than the player holds; empty where it can."""
    act, said = ("play", Said()) if legal else ("let_stand", Said(by="somebody"))
    try:
        on_table.trial(*events_of(act, on_table, lying, said))
    except WishRefusedError as refusal:
        return str(refusal)
    return ""


_MOVED_LAST = "Something moved on the table when it was seen last."


def _ask_idle(on_table: GameOnTable, state: GameState, lying: Lying, name: str) -> Ask:
    """The turn as long as no tile is new on the table."""
    idle, faults = _idle_acts(state, name), _fault_acts(on_table, state)
    if lies_as_it_did(on_table, lying):
        words = _first_words(state, name)
        if lying.lost_in_motion:
            # A hand that was laying tiles is no reason to think that none were laid.
            why = f"{_MOVED_LAST} Tiles that were laid then are not seen yet."
            idle = tuple(replace(act, primary=False, asks_again=True, follows=why) for act in idle)
            words = f"{_MOVED_LAST} {words}"
        everybody = EverybodyDrew in possible_events(state)
        text = "Everybody draws a tile" if everybody else f"{name}'s turn"
        return Ask(text, words, (*idle, *_claim_acts(on_table), *faults))
    detail, ruling = "The sets lie otherwise and no tile is new.", lying.ruling
    if ruling is not None and ruling.verdict is Verdict.ILLEGAL:
        detail = f"{detail} {ruling.findings[0].message}"
        idle = tuple(replace(act, primary=False, asks_again=True) for act in idle)
    back = _take_back_act(on_table, state, lying)
    so = "leave them" if back.follows.startswith(_STAYS) else "put them back"
    return Ask(f"{name}'s turn", f"{detail} Go on, or {so} and:", (*idle, *faults, back))


def _first_words(state: GameState, name: str) -> str:
    assert state.to_move is not None, "it is somebody's turn"
    if state.unsettled is not None:
        return "A turn left a table that is not legal, and it stands so far."
    if state.phase is Phase.PLAY:
        return f"{name} has drawn, and may play."
    if is_before_first_set(state) and EverybodyDrew in possible_events(state):
        then = f"Then {name} begins. If {name} has one after all, lay it now."
        return f"All have passed without a set. {then}"
    if is_before_first_set(state):
        return "Whoever holds a set has to lay one: it begins the round. Or:"
    if _has_everybody_passed(state):
        ends = "round" if state.rules.claims is None else "game"
        return f"Everybody has passed, and nothing is left to draw. The {ends} can end, or:"
    points = state.rules.opening.points
    has_opened = state.seats[state.to_move].opened
    if points and not has_opened and state.rules.opening.kind == "points":
        return f"The first sets have to be worth {points} points."
    return "Lay tiles on the table, or:"


def _has_everybody_passed(state: GameState) -> bool:
    """Whether a whole lap has passed with nothing left to draw, where nothing ends by that alone."""
    return state.pool == 0 and state.passes >= len(state.seats)


_IDLE_LABELS: tuple[tuple[type[GameEvent], str, str], ...] = (
    (Drew, "draw", "{name} drew {tiles}"),
    (EverybodyDrew, "everybody_draws", "Everybody drew a tile"),
    (Passed, "pass", "{name} passes"),
    (PlayStopped, "stop", "Nobody can play any more"),
)


def _idle_acts(state: GameState, name: str) -> tuple[Act, ...]:
    """What a turn may be in which nothing is laid."""
    possible, returns, drawn = possible_events(state), _returns_one(state), state.rules.draw.tiles
    tiles = "a tile" if drawn == 1 else f"{drawn} tiles"
    tiles = f"{drawn + 1} tiles and returned one" if returns else tiles
    if state.rules.pool_out.end == "all_pass":  # AMB-29: nothing else ends the round there
        possible -= {PlayStopped}
    labels = [(act, label) for kind, act, label in _IDLE_LABELS if kind in possible]
    if _has_everybody_passed(state):
        labels.sort(key=lambda each: each[0] != "stop")
    acts = [
        Act(
            act,
            label.format(name=name, tiles=tiles),
            primary=number == 0 and act != "stop",
            needs_tile=act == "draw" and returns and state.rules.draw.two_return == "shown",
            asks_again=act == "stop",
        )
        for number, (act, label) in enumerate(labels)
    ]
    if CalledOut in possible:
        out = [seat.name for seat in state.seats if seat.held == 0]
        acts += [Act("call_out", f"{player} calls out", player) for player in out]
    return tuple(acts)


def _claim_acts(on_table: GameOnTable) -> tuple[Act, ...]:
    """The button for a claim, where the rules allow one of the sets that lie there (R2-11)."""
    if all(choice.refused for choice in claim_choices(on_table)):
        return ()
    return (Act("claim", "Claim a set", needs_set=True),)


def _returns_one(state: GameState) -> bool:
    """Whether two are drawn and one of them is returned (RS-15)."""
    two = state.rules.draw.two_players == "draw2_return1"
    return two and len(state.seats) == LEAST_PLAYERS and state.pool > state.rules.draw.tiles


_FAULTS: tuple[tuple[Literal["stands", "taken_back"] | None, str, str], ...] = (
    (None, "fault_by_rules", "Back to the last legal table"),
    ("taken_back", "fault_taken_back", "Back to the last legal table"),
    ("stands", "fault_stands", "It stands for good"),
)


def _fault_acts(on_table: GameOnTable, state: GameState) -> tuple[Act, ...]:
    """What may become of a table that was let stand: where the rules decide, nothing else (AMB-26)."""
    if FaultNoticed not in possible_events(state):
        return ()
    by_rules = state.rules.misplay.late == "rollback"
    return tuple(
        Act(act, label, needs_name=True)
        for decision, act, label in _FAULTS
        if (decision is None) == by_rules and can_be(on_table, FaultNoticed(decision))
    )


_GOES_BACK = "The tiles of this turn go back, and the table is laid as it was."
_STAYS = "What was laid does not count as a legal play, and stays on the table."


def _take_back_act(on_table: GameOnTable, state: GameState, lying: Lying) -> Act:
    """The unsuccessful play, called by what becomes of its table (AMB-24)."""
    try:
        after = on_table.trial(*events_of("take_back", on_table, lying, Said()))
    except WishRefusedError:
        label, becomes = _BECOMES[not state.rules.misplay.restore]
        return Act("take_back", label, asks_again=True, follows=becomes)
    assert state.to_move is not None, "it is somebody's turn"
    name, drawn = state.seats[state.to_move].name, state.pool - after.pool
    if after.turn == state.turn:
        turn = f"{name} goes on."
    elif drawn:
        turn = f"{name} draws {count_of(drawn, 'tile')}, and the turn is over."
    else:
        turn = f"The turn of {name} is over."
    label, becomes = _BECOMES[after.table != state.table]
    label = f"{label} and draw {drawn}" if drawn else label
    return Act("take_back", label, asks_again=True, follows=f"{becomes} {turn}")


_BECOMES = {False: ("Take it back", _GOES_BACK), True: ("Leave it", _STAYS)}
"""What an unsuccessful play is called on its button, and what becomes of its table, by whether that
stays."""


def _consequence(state: GameState, after: GameState, ran_out: TimeRanOut, lying: Lying) -> str:
    """What an end of the time comes to, in a sentence."""
    assert state.to_move is not None, "it is somebody's turn"
    name, drawn = state.seats[state.to_move].name, state.pool - after.pool
    tiles = f"{name} draws {drawn} tile{'' if drawn == 1 else 's'}"
    if ran_out.at_buzzer is None:
        return f"{tiles}." if drawn else "The turn is over."
    if after.table == state.table:
        late = (
            "What was laid was not done in time and does not count: the table goes back as it was"
        )
        return f"{late}{f', and {tiles}' if drawn else ''}."
    lies_so = lying.layout is None or lies_as(ran_out.at_buzzer, lying.layout)
    stands = "lies there stands" if lies_so else "lay there when the time was up stands"
    return f"What {stands}, and {tiles}." if drawn else f"What {stands}."
