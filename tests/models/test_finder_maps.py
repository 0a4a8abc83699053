"""Tiles written into the finder's maps are read back as they were."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from models.finder_maps import (
    GEOMETRY_CHANNELS,
    STRIDE,
    axes_of_quads,
    decode_geometry,
    decode_maps,
    encode_geometry,
    quads_of_axes,
)

angles = st.floats(-np.pi, np.pi)
lengths = st.floats(3, 80)
places = st.floats(40, 300)
slants = st.floats(-0.5, 0.5)


@st.composite
def upright_quads(draw: st.DrawFn) -> NDArray[np.float32]:
    """One parallelogram (1, 4, 2) at any angle, not mirrored, up to 29 degrees aslant."""
    angle, slant = draw(angles), draw(slants)
    up = draw(lengths) * np.array([[np.cos(angle), np.sin(angle)]])
    turned = angle + np.pi / 2 + slant
    right = draw(lengths) * np.array([[np.cos(turned), np.sin(turned)]])
    centre = np.array([[draw(places), draw(places)]])
    return quads_of_axes(*(v.astype(np.float32) for v in (centre, up, right)))


@given(upright_quads())
def test_decoding_is_the_inverse_of_encoding(quads: NDArray[np.float32]) -> None:
    cells = np.floor(quads.mean(axis=1) / STRIDE).astype(np.intp)
    back = decode_geometry(encode_geometry(quads, cells), cells)
    np.testing.assert_allclose(back, quads, atol=0.02)


@given(upright_quads(), st.integers(-1, 1), st.integers(-1, 1))
def test_a_neighbouring_cell_describes_the_same_tile(
    quads: NDArray[np.float32], across: int, down: int
) -> None:
    cells = np.floor(quads.mean(axis=1) / STRIDE).astype(np.intp) + np.array([across, down])
    back = decode_geometry(encode_geometry(quads, cells), cells)
    np.testing.assert_allclose(back, quads, atol=0.02)


@given(upright_quads())
def test_axes_and_corners_say_the_same(quads: NDArray[np.float32]) -> None:
    np.testing.assert_allclose(quads_of_axes(*axes_of_quads(quads)), quads, atol=1e-3)


@given(upright_quads())
def test_only_the_up_vector_tells_a_tile_from_the_same_upside_down(
    quads: NDArray[np.float32],
) -> None:
    cells = np.floor(quads.mean(axis=1) / STRIDE).astype(np.intp)
    upright = encode_geometry(quads, cells)
    turned = encode_geometry(np.roll(quads, 2, axis=1), cells)
    np.testing.assert_allclose(turned[:, :8], upright[:, :8], atol=1e-3)
    np.testing.assert_allclose(turned[:, 8:], -upright[:, 8:], atol=1e-3)


@given(upright_quads(), st.floats(0.6, 1.0), st.floats(-0.05, 0.05), st.floats(-0.05, 0.05))
def test_who_cannot_tell_length_from_width_still_knows_the_corners_are_square(
    quads: NDArray[np.float32], upright: float, more_cos: float, more_sin: float
) -> None:
    """Between the tile and the same one lying on its side a network writes what lies between them."""
    cells = np.floor(quads.mean(axis=1) / STRIDE).astype(np.intp)
    lying = np.roll(quads, 1, axis=1)
    between = upright * encode_geometry(quads, cells) + (1 - upright) * encode_geometry(
        lying, cells
    )
    between[:, 3:5] += [more_cos, more_sin]
    axes = [_angle_between(q) for q in (decode_geometry(between, cells), quads)]
    np.testing.assert_allclose(axes[0], axes[1], atol=12)


def _angle_between(quads: NDArray[np.float32]) -> NDArray[np.float32]:
    """Degrees from the up axis to the right axis of each quad."""
    _, up, right = axes_of_quads(quads)
    cross, dot = up[:, 0] * right[:, 1] - up[:, 1] * right[:, 0], (up * right).sum(axis=1)
    return np.degrees(np.arctan2(cross, dot))


def test_an_upright_tile_begins_at_its_top_left() -> None:
    centre, up, right = (np.array([v], np.float32) for v in ([100, 90], [0, -20], [15, 0]))
    quad = quads_of_axes(centre, up, right)[0]
    assert quad.tolist() == [[85, 70], [115, 70], [115, 110], [85, 110]]


def test_peaks_are_read_best_first_and_faint_ones_are_left_out() -> None:
    heat = np.zeros((20, 30), np.float32)
    geometry = np.zeros((GEOMETRY_CHANNELS, 20, 30), np.float32)
    quad = np.array([[[40, 30], [60, 30], [60, 58], [40, 58]]], np.float32)
    for score, (x, y) in ((0.5, (12, 11)), (0.9, (5, 4)), (0.1, (25, 18))):
        heat[y, x] = score
        moved = quad + (np.array([x, y]) - [12, 11]) * STRIDE
        geometry[:, y, x] = encode_geometry(moved, np.array([[x, y]]))[0]
    quads, scores = decode_maps(heat, geometry, 0.3, 10)
    assert scores.tolist() == [np.float32(0.9), 0.5]
    np.testing.assert_allclose(quads[1], quad[0], atol=1e-3)
    best_only, _ = decode_maps(heat, geometry, 0.3, 1)
    np.testing.assert_allclose(best_only, quads[:1])
