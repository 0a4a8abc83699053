"""What the rack reader learns from, and that it learns; collected only where PyTorch is installed."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import onnxruntime
import pytest

torch = pytest.importorskip("torch")

from models.runtime import (  # noqa: E402
    FINDER_NAME,
    MANIFEST_NAME,
    RACK_READER_NAME,
    SHIPPED,
    read_manifest,
)
from models.surroundings import SIDE_PX, surroundings  # noqa: E402
from models.training.rack_data import DRAWN_PX, OF_ONE, Lying, drawn, together, traced  # noqa: E402
from models.training.rack_net import (  # noqa: E402
    ExportedRackNet,
    RackNet,
    as_given,
    draw_samples,
    halfway,
    rack_net_of,
)
from models.training.restore import RestoreError  # noqa: E402
from models.training.train_rack_reader import export, learned, shares  # noqa: E402
from vision.rendering.table_scenes import Typefaces  # noqa: E402


@pytest.fixture(scope="module")
def racks() -> Lying:
    return drawn("racks", 6, 3, Typefaces())


def told_by_brightness(count: int) -> Lying:
    """Tiles that stand, on white, and tiles that lie, on black."""
    standing = np.arange(count) % 2 == 0
    seen = np.zeros((count, DRAWN_PX, DRAWN_PX, 3), np.uint8)
    seen[standing] = 230
    return Lying(seen, standing)


def test_both_kinds_are_drawn_and_no_picture_counts_for_many(racks: Lying) -> None:
    assert racks.standing.any()
    assert not racks.standing.all()
    assert racks.seen_bgr.shape == (len(racks), DRAWN_PX, DRAWN_PX, 3)
    assert len(racks) <= 6 * OF_ONE
    assert len(together([racks, racks])) == 2 * len(racks)


def test_what_is_kept_shows_in_its_middle_what_is_seen_in_use() -> None:
    pixels = np.random.default_rng(1).integers(0, 255, (200, 200, 3), np.uint8)
    pixels = np.asarray(cv2.GaussianBlur(pixels, (0, 0), 5), np.uint8)
    quad = np.array([[(80, 90), (110, 95), (105, 130), (75, 125)]], np.float32)
    kept = Lying(surroundings(pixels, quad, DRAWN_PX), np.array([True]))
    in_use = surroundings(pixels, quad)[..., ::-1].transpose(0, 3, 1, 2) / 255
    np.testing.assert_allclose(as_given(kept).numpy(), in_use, atol=0.02)


def test_samples_differ_and_stay_pictures(racks: Lying) -> None:
    rng = np.random.default_rng(1)
    first, second = (draw_samples(racks, np.arange(4), rng) for _ in range(2))
    assert first.shape == (4, 3, SIDE_PX, SIDE_PX)
    assert 0 <= float(first.min()) <= float(first.max()) <= 1
    assert float((first - second).abs().mean()) > 0.01


def test_it_learns_what_can_be_seen() -> None:
    tiles = told_by_brightness(64)
    found, false = shares(ExportedRackNet(learned(tiles, 30, seed=1)), tiles)
    assert found > 0.9
    assert false < 0.1


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_what_is_exported_is_listed_beside_the_others_and_knows_no_way_up(tmp_path: Path) -> None:
    manifest = json.loads((SHIPPED / MANIFEST_NAME).read_text())
    before = manifest["networks"].pop(RACK_READER_NAME)
    (tmp_path / MANIFEST_NAME).write_text(json.dumps(manifest))
    torch.manual_seed(1)
    net = RackNet().eval()
    export(net, tmp_path, steps=7)
    facts = read_manifest(tmp_path)
    assert facts.keys() == read_manifest(SHIPPED).keys()
    assert facts[RACK_READER_NAME].number("steps") == 7
    assert facts[RACK_READER_NAME].number("parameters") == before["parameters"]
    seen = torch.rand(2, 3, SIDE_PX, SIDE_PX)
    with torch.no_grad():
        (said,), (turned,) = (ExportedRackNet(net)(s) for s in (seen, torch.flip(seen, [2, 3])))
    torch.testing.assert_close(said, turned)


def test_traced_pictures_have_to_say_which_tiles_stand(tmp_path: Path) -> None:
    tile = {"quad": [[10, 10], [40, 10], [40, 50], [10, 50]], "label": "K7", "visible": 1.0}
    cv2.imwrite(str(tmp_path / "000000.jpg"), np.zeros((80, 80, 3), np.uint8))
    entry = tmp_path / "000000.json"
    entry.write_text(json.dumps({"everything": [tile | {"standing": True}]}))
    assert traced([tmp_path]).standing.tolist() == [True]
    entry.write_text(json.dumps({"everything": [tile]}))
    with pytest.raises(ValueError, match="000000"):
        traced([tmp_path])


def test_who_learns_on_begins_with_what_the_file_knows() -> None:
    shipped = SHIPPED / RACK_READER_NAME
    session = onnxruntime.InferenceSession(str(shipped))
    seen = torch.rand(5, 3, SIDE_PX, SIDE_PX, generator=torch.Generator().manual_seed(1))
    said = session.run(None, {"surroundings": seen.numpy()})[0]
    with torch.inference_mode():
        (mine,) = ExportedRackNet(rack_net_of(shipped).eval())(seen)
    np.testing.assert_allclose(mine.numpy(), said, atol=1e-5)
    hardly = learned(told_by_brightness(64), 1, 1, shipped, 1e-9)
    with torch.inference_mode():
        (still,) = ExportedRackNet(hardly)(seen)
    np.testing.assert_allclose(still.numpy(), said, atol=1e-3)


def test_a_file_of_another_network_is_refused() -> None:
    with pytest.raises(RestoreError, match="no rack reader"):
        rack_net_of(SHIPPED / FINDER_NAME)


def test_halfway_between_two_networks_every_weight_is_their_mean() -> None:
    torch.manual_seed(3)
    one, other = RackNet(), RackNet()
    between = halfway(one, other).state_dict()
    for name, weight in one.state_dict().items():
        torch.testing.assert_close(between[name], (weight + other.state_dict()[name]) / 2)
    same = halfway(one, one).state_dict()
    for name, weight in one.state_dict().items():
        torch.testing.assert_close(same[name], weight)
