"""What is done to cut crops before a network sees them; collected only where PyTorch is installed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

torch = pytest.importorskip("torch")

from models.preprocess import NORMALISED_MAX, divided_by_white  # noqa: E402  (the rest needs PyTorch)
from models.training.batches import as_batch, extent_of, over_white, tensors_of  # noqa: E402
from models.training.chances import Change, sometimes  # noqa: E402
from models.training.disturb_crops import (  # noqa: E402
    SOMETIMES,
    disturbed,
    grained,
    redrawn,
    relit,
    sharpened,
    spoilt,
    worn,
)
from models.training.disturb_light import glowing, mirroring, shaded  # noqa: E402
from models.training.tile_data import TileGroup, joined  # noqa: E402

ONE_PHOTOGRAPH = 12
"""Tiles in a row of each photograph here."""


def seven() -> NDArray[np.uint8]:
    """(3, 64, 48) a digit on a tile."""
    crop = np.full((64, 48, 3), 230, np.uint8)
    cv2.putText(crop, "7", (12, 44), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (20, 20, 20), 3)
    return np.ascontiguousarray(crop.transpose(2, 0, 1))


def photographs(count: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Crops, 0 to 1, their quads, and of which photograph each is: sevens in rows."""
    many = count * ONE_PHOTOGRAPH
    crops = torch.from_numpy(seven()).float().expand(many, -1, -1, -1) / 255
    square = torch.tensor([[0.0, 0.0], [30, 0], [30, 42], [0, 42]])
    number = torch.arange(many)
    quads = square + torch.stack([number % ONE_PHOTOGRAPH * 32.0, number * 0.0], dim=1)[:, None]
    return crops.clone(), quads, number // ONE_PHOTOGRAPH


PARTS = {change: part for part, change in SOMETIMES}


def at_times(
    change: Change, crops: torch.Tensor, quads: torch.Tensor, groups: torch.Tensor, count: int
) -> torch.Tensor:
    """What happens to as many photographs as it does in training."""
    return sometimes(PARTS[change], change, crops, quads, groups, count)


def apart(values: torch.Tensor) -> torch.Tensor:
    """(photographs, tiles, ...)."""
    return values.reshape(-1, ONE_PHOTOGRAPH, *values.shape[1:])


def test_digits_are_redrawn_alike_on_all_tiles_of_a_photograph() -> None:
    torch.manual_seed(1)
    crops, _, groups = photographs(40)
    anew = redrawn(crops, groups, 40)
    ink = apart((anew < 0.5).float().flatten(1).mean(dim=1))
    assert (ink > 0.005).all(), "some is left"
    assert ink.mean(dim=1).std() > 4 * ink.std(dim=1).mean(), (
        "photographs differ, their tiles hardly"
    )
    same = apart((anew - crops).abs().flatten(1).max(dim=1).values < 1e-4)
    assert 0.15 < same.float().mean() < 0.45, "neither redrawn nor moved: 0.6 of 0.5"


@pytest.mark.parametrize(("change", "low", "high"), [(grained, 0.1, 0.2), (worn, 0.05, 0.15)])
def test_age_and_grain_are_alike_on_all_tiles_of_a_photograph_and_leave_most_as_they_are(
    change: Change, low: float, high: float
) -> None:
    torch.manual_seed(7)
    crops, quads, groups = photographs(200)
    after = at_times(change, crops, quads, groups, 200)
    changed = apart((after - crops).abs().flatten(1).max(dim=1).values > 0.01)
    assert (changed.all(dim=1) | ~changed.any(dim=1)).float().mean() > 0.95
    assert low < changed.float().mean() < high
    assert after.min() >= 0
    assert after.max() <= 1


def test_what_wears_off_is_ink() -> None:
    torch.manual_seed(8)
    crops, quads, groups = photographs(200)
    smooth = crops.clone()
    smooth[:] = crops.amax()
    assert torch.allclose(worn(smooth, quads, groups, 200), smooth, atol=1e-5)
    lighter = (worn(crops, quads, groups, 200) - crops).amax(dim=(1, 2, 3))
    assert (lighter > 0.3).float().mean() > 0.3, "where ink was, white comes out"


@pytest.mark.parametrize("part", [0.0, 0.3, 1.0])
def test_what_happens_at_times_happens_to_whole_photographs_and_leaves_the_others(
    part: float,
) -> None:
    torch.manual_seed(3)
    crops, quads, groups = photographs(100)
    seen = []

    def darker(
        some: torch.Tensor, where: torch.Tensor, of: torch.Tensor, count: int
    ) -> torch.Tensor:
        seen.append((len(some), len(where), of.unique().tolist(), count))
        return some * (0.5 + of[:, None, None, None] / count / 4)

    after = sometimes(part, darker, crops, quads, groups, 100)
    factor = apart((after / crops).mean(dim=(1, 2, 3)))
    assert (factor.std(dim=1) < 1e-6).all()
    is_changed = factor[:, 0] < 0.99
    assert abs(float(is_changed.float().mean()) - part) < 0.15
    assert torch.equal(apart(after)[~is_changed], apart(crops)[~is_changed])
    if part:
        count = int(is_changed.sum())
        many = count * ONE_PHOTOGRAPH
        assert seen == [(many, many, list(range(count)), count)]
        assert (factor[is_changed, 0].diff() > 0).all(), "each by its own number"


def test_a_lamp_lights_tiles_near_it_and_leaves_those_far_away() -> None:
    torch.manual_seed(2)
    crops, quads, groups = photographs(200)
    after = at_times(glowing, crops * 0.4, quads, groups, 200)
    change = apart((after - crops * 0.4).mean(dim=(1, 2, 3)))
    assert (change > -1e-6).all()
    lit = change.max(dim=1).values > 0.02
    assert 0.15 < lit.float().mean() < 0.35
    assert (change[~lit].max(dim=1).values < 0.02).all()
    for row in change[lit]:
        brightest = int(row.argmax())
        assert (row[: brightest + 1].diff() >= -1e-5).all()
        assert (row[brightest:].diff() <= 1e-5).all()


def test_shade_begins_at_a_line_and_is_bluer() -> None:
    torch.manual_seed(9)
    crops, quads, groups = photographs(300)
    after = at_times(shaded, crops, quads, groups, 300)
    light = apart((after / crops.clamp(min=1e-3))[:, :, 2:-2, 2:-2].mean(dim=(2, 3)))
    dark = light.amin(dim=(1, 2)) < 0.95
    assert 0.08 < dark.float().mean() < 0.2
    assert torch.allclose(light[~dark], torch.ones(()), atol=0.05)
    assert (light[..., 2] >= light[..., 0] - 1e-4).all(), "shade has more blue than red"
    steps = light[dark].mean(dim=2).diff(dim=1)
    assert ((steps > -1e-3).all(dim=1) | (steps < 1e-3).all(dim=1)).all(), "one border in a row"


def test_a_window_is_mirrored_over_a_part_of_a_photograph_and_adds_its_light() -> None:
    torch.manual_seed(7)
    crops, quads, groups = photographs(200)
    crops = crops * 0.6
    after = at_times(mirroring, crops, quads, groups, 200)
    more = (after - crops).amin(dim=1)
    assert (more >= -1e-3).all(), "light is added"
    lit = apart((more > 0.05).float().flatten(1).mean(dim=1))
    mirrors = (lit > 0).any(dim=1)
    assert 0.4 < mirrors.float().mean() < 0.56, "by MIRRORING_PART, less what is faint"
    in_part = (lit[mirrors] > 0.1) & (lit[mirrors] < 0.9)
    assert in_part.any(dim=1).float().mean() > 0.6, "over a part of some tiles, of most photographs"
    edges = (more[:, :, 1:] - more[:, :, :-1]).abs().flatten(1).max(dim=1).values
    assert (edges > 0.1).any(), "with a sharp edge"
    red, _, blue = (after - crops)[(more > 0.05).any(dim=1).any(dim=1)].mean(dim=(0, 2, 3))
    assert blue > red, "as a sky's is"


def test_a_sharpened_photograph_has_more_contrast_along_edges_alone() -> None:
    torch.manual_seed(9)
    crops, quads, groups = photographs(100)
    grey = 0.3 + crops * 0.4
    after = at_times(sharpened, grey, quads, groups, 100)
    changed = apart((after - grey).abs().flatten(1).max(dim=1).values > 1e-3)
    assert (changed.all(dim=1) | ~changed.any(dim=1)).all(), "all tiles of a photograph alike"
    assert 0.2 < changed.float().mean() < 0.5
    assert torch.allclose(after[..., :5, :5], grey[..., :5, :5]), "what is plain stays"
    sharp = after[changed.flatten()]
    assert (sharp.amax(dim=(1, 2, 3)) > grey.max() + 0.01).all(), "lighter beside an edge"
    assert (sharp.amin(dim=(1, 2, 3)) < grey.min() - 0.01).all(), "and darker along it"


def test_another_light_is_the_same_for_all_tiles_of_a_photograph() -> None:
    torch.manual_seed(3)
    crops, quads, groups = photographs(60)
    light = apart(relit(crops, quads, groups, 60).mean(dim=(2, 3)))
    assert (light.std(dim=1) < 1e-5).all()
    assert (light[:, 0].std(dim=0) > 0.02).all()


def test_a_grey_light_turns_no_grey_into_a_colour_but_by_white_balance() -> None:
    """Saturation and hue leave what has neither: one factor for each channel is all that is left."""
    torch.manual_seed(4)
    grey = torch.linspace(0.1, 0.4, 64)[None, None, :, None].expand(300, 3, 64, 48)
    after = relit(grey, torch.zeros(300, 4, 2), torch.arange(300), 300)
    gain = (after[:, :, -1, 0] / after[:, :, 0, 0]).log()
    assert (gain.std(dim=1) < 0.02).float().mean() > 0.6, "alike wherever nothing was cut off"


def test_some_crops_are_spoilt_and_most_are_not() -> None:
    torch.manual_seed(5)
    crops = photographs(100)[0]
    after = spoilt(crops)
    changed = (after - crops).abs().flatten(1).max(dim=1).values > 1e-3
    assert 0.28 < changed.float().mean() < 0.42
    assert after.min() >= 0
    assert after.max() <= 1


def test_white_is_what_use_takes_for_white() -> None:
    torch.manual_seed(6)
    crops, quads, groups = photographs(8)
    crops = disturbed(crops, quads, groups, 8)
    mine, my_whites = over_white(crops)
    theirs, their_whites = divided_by_white(crops.numpy())
    np.testing.assert_allclose(my_whites.numpy(), their_whites, atol=1e-6)
    np.testing.assert_allclose(mine.numpy(), theirs, atol=1e-5)
    assert mine.max() <= NORMALISED_MAX


def group(tiles: int) -> TileGroup:
    ones = np.ones(tiles, np.int64)
    cut = np.stack([seven()] * tiles)
    quads = np.zeros((tiles, 4, 2), np.float32)
    return TileGroup(cut, quads, ones, ones, ones, np.zeros(tiles, np.bool_))


def test_a_batch_shows_the_same_samples_otherwise_each_time() -> None:
    torch.manual_seed(7)
    samples = tensors_of(joined([group(3), group(5)]))
    assert extent_of(samples[-1]) == (2, 5)
    plain, once, again = (as_batch(samples, None, disturb) for disturb in (False, True, True))
    assert plain.crops.shape == once.crops.shape == (8, 3, 64, 48)
    assert np.median(plain.crops.numpy()) == pytest.approx(1)
    assert (once.crops - again.crops).abs().max() > 0.01
    assert all(torch.equal(a, b) for a, b in zip(once[2:], again[2:], strict=True))
