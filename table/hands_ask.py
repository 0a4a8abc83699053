"""What is asked at the end of a round, while its racks are told: what is missing, wrong or in doubt.

What is wrong with one rack comes before what is missing of another only where no rack has to be told at
all, as the game's own count will do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping

from engine.game.state import GameState
from engine.tiles import parse_tile
from engine.wording import count_of, listed
from table.ask import Act, Ask
from table.game_acts import counted_otherwise
from table.game_on_table import GameOnTable
from table.racks import RackTile

FEWEST_ALIKE = 4
"""Tiles of two racks that are the same by accident hardly ever: it was one rack that was told twice."""


def ask_hands(on_table: GameOnTable, state: GameState) -> Ask:
    """What is to be said of the racks before the round is scored."""
    text = _why_it_is_over(state)
    missing = {
        seat.name: seat.held
        for seat in state.seats
        if seat.held and seat.rack is None and seat.name not in on_table.racks
    }
    by_number = state.rules.score.kind == "tiles_left"
    hold = "holds" if len(missing) == 1 else "hold"
    tell = f"Tell what {listed([*missing])} still {hold}"
    if missing and not by_number:
        return Ask(text, f"{tell}.", ())
    if wrong := _what_is_wrong(on_table, state, text):
        return wrong
    if missing:
        counted = [f"{count_of(held, 'tile')} for {name}" for name, held in missing.items()]
        detail = f"Only the number of tiles counts: {listed(counted)}, by the game. {tell}, or:"
        by_game = Act("count", "Score it by the game's count", asks_again=True)
        return Ask(text, detail, (by_game,))
    score = Act("count", "Score it", primary=True)
    return Ask(text, "Is every tile right? Then the round is scored.", (score,))


def _why_it_is_over(state: GameState) -> str:
    if state.out is not None:
        return f"{state.seats[state.out].name} is out!"
    has_everybody_passed = state.passes >= len(state.seats)
    return "Everybody has passed." if has_everybody_passed else "Nobody can play any more."


def _what_is_wrong(on_table: GameOnTable, state: GameState, text: str) -> Ask | None:
    """What has to be put right on the racks that were told, or said to be so; None where nothing has."""
    piece = state.rules.equipment.pieces.removesuffix("s")
    if too_many := _told_too_often(on_table):
        return Ask(text, f"{too_many} Put the rack right, or correct what was told before.", ())
    if unread := _racks_where(on_table, lambda tile: not tile.label):
        return Ask(text, f"{_count_of_racks(unread, 'could not be read')} Press it to say.", ())
    if differing := counted_otherwise(on_table):
        counts = " ".join(
            f"The game counted {count_of(held, piece)} for {name}, and the rack has {there}."
            for name, held, there in differing
        )
        as_shown = Act("count_as_shown", "Score it as it is", asks_again=True)
        return Ask(text, f"{counts} Put it right, or:", (as_shown,))
    told = []
    if doubts := _racks_where(on_table, lambda tile: not tile.sure):
        told.append(f"{_count_of_racks(doubts, 'in doubt')} Press it to say.")
    if alike := _racks_alike(on_table):
        told.append(f"The racks of {listed(alike)} hold the very same tiles. Tell one anew.")
    if not told:
        return None
    as_shown = Act("count", "Score it as shown", asks_again=True)
    return Ask(text, f"{' '.join(told)} Or:", (as_shown,))


def _count_of_racks(racks: Mapping[str, int], what: str) -> str:
    """How many tiles of which racks are so, in a sentence."""
    of = [f"{count_of(number, 'tile')} on the rack of {name}" for name, number in racks.items()]
    is_one = sum(racks.values()) == 1
    verb = "" if what.startswith("could") else "is " if is_one else "are "
    return f"{listed(of)} {verb}{what}."


def _racks_where(on_table: GameOnTable, is_so: Callable[[RackTile], bool]) -> dict[str, int]:
    """On whose racks how many tiles are so; those where none is are left out."""
    counts = {name: sum(map(is_so, rack)) for name, rack in on_table.racks.items()}
    return {name: count for name, count in counts.items() if count}


def _racks_alike(on_table: GameOnTable) -> tuple[str, ...]:
    """The players whose racks hold the very same tiles, enough of them for that to be no accident; none
    mostly."""
    held: dict[tuple[str, ...], list[str]] = {}
    for name, rack in on_table.racks.items():
        held.setdefault(tuple(sorted(tile.label for tile in rack)), []).append(name)
    alike = (names for tiles, names in held.items() if len(tiles) >= FEWEST_ALIKE)
    return tuple(next((names for names in alike if len(names) > 1), ()))


def _told_too_often(on_table: GameOnTable) -> str:
    """Of which tile there are more on the racks and on the table than the game has, and where, in a
    sentence; empty where there is none."""
    state = on_table.state
    assert state is not None, "checked before"
    racks = {
        name: [parse_tile(tile.label) for tile in rack if tile.label]
        for name, rack in on_table.racks.items()
    }
    there = Counter(tile for rack in (*racks.values(), state.table.tiles) for tile in rack)
    copies_of = state.rules.equipment.copies_of
    tile = min((tile for tile, count in there.items() if count > copies_of(tile)), default=None)
    if tile is None:
        return ""
    holders = [f"the rack of {name}" for name, rack in racks.items() if tile in rack]
    lies = ["the table"] if tile in state.table.tiles else []
    times = count_of(there[tile], "time")
    return (
        f"{tile.spoken.capitalize()} is there {times}, on {listed([*holders, *lies])}, and the game has "
        f"{copies_of(tile)}."
    )
