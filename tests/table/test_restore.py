"""What is not as it was on the table before, and that it is told when it is again."""

from __future__ import annotations

import numpy as np
import pytest

from engine.layout import parse_layout
from table.kept_tables import after, as_shift
from table.restore import LyingTile, compared, moved_with_camera

SIZE_WH = (1000, 800)


def at(label: str, x: float, y: float = 0.5, *, covered: bool = False) -> LyingTile:
    """A tile of 40 x 56 pixels with its centre at parts of the picture."""
    half = ((-0.02, -0.035), (0.02, -0.035), (0.02, 0.035), (-0.02, 0.035))
    return LyingTile(label, tuple((x + a, y + b) for a, b in half), covered)


def row(text: str, y: float = 0.5, x: float = 0.2) -> list[LyingTile]:
    return [at(label, x + 0.041 * k, y) for k, label in enumerate(text.split())]


def told(before: list[list[LyingTile]], now: list[list[LyingTile]]) -> tuple[bool, bool, list[str]]:
    """Whether it is as it was, by sets and by places, and what is not, as ``kind labels``."""
    layouts = [
        parse_layout(" | ".join(" ".join(t.label for t in meld) for meld in table) or "-")
        for table in (before, now)
    ]
    lay, lie = ([tile for meld in table for tile in meld] for table in (before, now))
    found = compared(layouts[0], lay, layouts[1], lie, SIZE_WH)
    lines = [f"{d.kind} {' '.join(d.labels)}" for d in found.differences]
    return found.as_it_was, found.same_places, lines


RUN, GROUP = row("K3 K4 K5"), row("R7 B7 O7", 0.7)


@pytest.mark.parametrize(
    ("now", "expected"),
    [
        pytest.param([RUN, GROUP], (True, True, []), id="as it was"),
        pytest.param([RUN[:2], GROUP], (False, False, ["missing K5"]), id="one is gone"),
        pytest.param(
            [[*RUN, at("K6", 0.33)], GROUP],
            (False, False, ["extra K6"]),
            id="one too many",
        ),
        pytest.param(
            [RUN[:2], [*GROUP, at("K5", 0.6, 0.7)]],
            (False, False, ["elsewhere K5"]),
            id="one lies in another set",
        ),
        pytest.param(
            [row("K3 K4 K5", 0.2), GROUP],
            (True, False, ["elsewhere K3", "elsewhere K4", "elsewhere K5"]),
            id="a set at another place",
        ),
        pytest.param(
            [row("K3 K4 K5", 0.51, 0.21), GROUP],
            (True, True, []),
            id="a set pushed by less than half a tile",
        ),
        pytest.param(
            [[*RUN[:2], at("K5", RUN[2].quad[0][0] + 0.02, covered=True)], GROUP],
            (False, False, ["unsure K5"]),
            id="one is covered by a hand",
        ),
        pytest.param(
            [],
            (
                False,
                False,
                [f"missing {t.label}" for t in sorted([*RUN, *GROUP], key=lambda t: t.label)],
            ),
            id="nothing lies there",
        ),
        pytest.param(
            [[at("K3", 0.1, 0.2)], row("K4 K5", 0.5, 0.241), GROUP],
            (False, False, ["elsewhere K3"]),
            id="one lies apart",
        ),
    ],
)
def test_what_is_not_as_it_was_is_told_tile_by_tile(
    now: list[list[LyingTile]], expected: tuple[bool, bool, list[str]]
) -> None:
    assert told([RUN, GROUP], now) == expected


def test_sets_that_are_read_otherwise_with_every_tile_in_its_place_are_named() -> None:
    assert told([RUN, GROUP], [RUN[:1], RUN[1:], GROUP]) == (False, False, ["apart K3 K4 K5"])


def test_of_two_copies_the_one_that_is_gone_is_missed_at_its_place() -> None:
    twins = [row("K3 K4 K5"), row("K3 B3 R3", 0.7)]
    layout = parse_layout("K3 K4 K5 | K3 B3 R3")
    lie = [*twins[0][1:], *twins[1]]
    found = compared(layout, [*twins[0], *twins[1]], parse_layout("K4 K5 | K3 B3 R3"), lie, SIZE_WH)
    (missing,) = [d for d in found.differences if d.kind == "missing"]
    assert missing.before == (twins[0][0].quad,)


def test_without_places_the_sets_decide() -> None:
    lay = [LyingTile(label, ()) for label in ("K3", "K4", "K5")]
    layout = parse_layout("K3 K4 K5")
    found = compared(layout, lay, layout, RUN, SIZE_WH)
    assert (found.as_it_was, found.same_places, found.differences) == (True, False, ())


def test_a_table_that_was_empty_is_as_it_was_when_it_is_empty() -> None:
    assert told([], []) == (True, True, [])
    assert told([], [RUN])[0] is False


def test_a_camera_that_was_pushed_moves_the_places_with_it() -> None:
    lay = [*RUN, *GROUP]
    lie = [
        LyingTile(t.label, tuple((round(x + 0.03, 4), round(y - 0.02, 4)) for x, y in t.quad))
        for t in lay[:-1]
    ]
    brought, matrix = moved_with_camera(lay, lie, SIZE_WH)
    assert matrix is not None
    assert matrix[4:] == pytest.approx((30, -16), abs=0.1)
    off = np.array([t.quad for t in brought[:-1]]) - np.array([t.quad for t in lie])
    assert np.abs(off).max() < 2e-4
    same, none = moved_with_camera(lay, lay, SIZE_WH)
    assert (same, none) == (tuple(lay), None)


def test_two_shifts_are_one_after_the_other() -> None:
    turned = np.array([(0.0, -1.0, 5.0), (1.0, 0.0, 7.0), (0.0, 0.0, 1.0)])
    pushed = np.array([(1.0, 0.0, 20.0), (0.0, 1.0, -10.0), (0.0, 0.0, 1.0)])
    assert as_shift(2 * turned) == (0, 1, -1, 0, 5, 7), "as SVG has it"
    assert after(as_shift(turned), None) == as_shift(turned)
    assert after(as_shift(turned), as_shift(pushed)) == as_shift(turned @ pushed)
