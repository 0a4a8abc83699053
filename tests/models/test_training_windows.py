"""What happens to the finder's windows on an accelerator."""

from __future__ import annotations

from collections.abc import Callable

import pytest

torch = pytest.importorskip("torch")

from models.training import disturb_windows  # noqa: E402 - needs torch

DISTURBANCES: dict[str, Callable[..., object]] = {
    "RELIT_PART": disturb_windows.relit,
    "SHADED_PART": disturb_windows.shaded,
    "BURNT_OUT_PART": disturb_windows.burnt_out,
    "GREY_PART": disturb_windows.greyed,
    "BLURRED_PART": disturb_windows.blurred,
    "NOISY_PART": disturb_windows.noisy,
}


@pytest.fixture
def windows() -> object:
    torch.manual_seed(1)
    return torch.rand(6, 3, 40, 48) * 0.8


def test_windows_stay_windows(windows: object) -> None:
    done = disturb_windows.disturbed_windows(windows)
    assert done.shape == windows.shape
    assert torch.isfinite(done).all()
    assert done.min() >= 0
    assert done.max() <= 1
    assert not torch.equal(done, windows)


@pytest.mark.parametrize("part", DISTURBANCES)
def test_each_happens_always_or_never(
    part: str, windows: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disturb_windows, part, 0.0)
    untouched = DISTURBANCES[part](windows)
    assert torch.allclose(untouched, windows, atol=1e-6)
    monkeypatch.setattr(disturb_windows, part, 1.0)
    done = DISTURBANCES[part](windows)
    changed = (done - windows).abs().flatten(1).max(dim=1).values
    assert (changed > 1e-3).all()


def test_a_lamp_burns_white_out_and_leaves_black(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disturb_windows, "BURNT_OUT_PART", 1.0)
    torch.manual_seed(2)
    tiles = torch.zeros(8, 3, 32, 32)
    tiles[:, :, 8:24] = 0.7
    lit = disturb_windows.burnt_out(tiles)
    assert (lit[:, :, :8] == 0).all()
    assert (lit.flatten(1).max(dim=1).values > 0.99).all()


def test_shade_is_bluer_than_the_sun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disturb_windows, "SHADED_PART", 1.0)
    torch.manual_seed(3)
    half = disturb_windows.shaded(torch.full((64, 3, 32, 32), 0.8))
    red, _, blue = half.amin(dim=(2, 3)).T
    shaded = red < 0.7
    assert shaded.sum() > 32
    assert (blue[shaded] >= red[shaded] - 1e-6).all()
