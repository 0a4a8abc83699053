"""The mean of weights; collected only where PyTorch is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from models.runtime import CAREFUL_READER_NAME, SHIPPED, TILE_READER_NAME  # noqa: E402
from models.training.half_turns import HalfTurnReaderNet  # noqa: E402
from models.training.mean import main, mean_of  # noqa: E402
from models.training.restore import RestoreError, reader_of  # noqa: E402


def saved(folder: Path, name: str, value: float, steps: int) -> str:
    net = HalfTurnReaderNet()
    weights = {key: torch.full_like(tensor, value) for key, tensor in net.state_dict().items()}
    torch.save({"ema": weights, "steps": steps}, folder / name)
    return str(folder / name)


def test_it_lies_in_the_middle_and_counts_all_steps(tmp_path: Path) -> None:
    runs = [saved(tmp_path, f"{k}.pt", value, 10) for k, value in enumerate((1.0, 2.0, 6.0))]
    assert main([*runs, "--out", str(tmp_path / "mean.pt")]) == 0
    mean = torch.load(tmp_path / "mean.pt", weights_only=True)
    assert mean["steps"] == 30
    assert all((weight == 3).all() for weight in mean["ema"].values())


def test_what_is_shipped_counts_by_its_part(tmp_path: Path) -> None:
    shipped = reader_of(SHIPPED / TILE_READER_NAME)
    run, out = saved(tmp_path, "run.pt", 1.0, 10), tmp_path / "mean.pt"
    shipped_file = str(SHIPPED / TILE_READER_NAME)
    main([run, "--out", str(out), "--shipped", shipped_file, "--shipped-part", "0.25"])
    mean = torch.load(out, weights_only=True)["ema"]
    for name, kept in shipped.state_dict().items():
        part = 0 if name.startswith("colour_alone.") else 0.25
        torch.testing.assert_close(mean[name], 1 + part * (kept - 1))


def test_other_networks_weights_are_refused() -> None:
    with pytest.raises(ValueError, match="not the weights of the same network"):
        mean_of([{"a": torch.ones(2)}, {"a": torch.ones(3)}])


def test_what_is_shipped_of_another_network_is_refused(tmp_path: Path) -> None:
    run, out = saved(tmp_path, "run.pt", 1.0, 10), tmp_path / "mean.pt"
    with pytest.raises(RestoreError, match="another network"):
        main([run, "--out", str(out), "--shipped", str(SHIPPED / CAREFUL_READER_NAME)])
    assert not out.exists()
