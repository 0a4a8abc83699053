"""Maps that turn as the crop does; collected only where PyTorch is installed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

torch = pytest.importorskip("torch")

from models.training.half_turns import (  # noqa: E402  (this imports PyTorch)
    CAREFUL,
    DETAILED,
    QUICK,
    SIZES,
    HalfTurnConv,
    HalfTurnReaderNet,
    Size,
    as_plain,
    grown,
    size_of,
    turned,
)


def some_net(size: Size = QUICK) -> HalfTurnReaderNet:
    """One in which no layer adds nothing, as untrained residual ones do."""
    torch.manual_seed(0)
    net = HalfTurnReaderNet(size).eval()
    for parameter in net.parameters():
        if not parameter.any():
            torch.nn.init.normal_(parameter, std=0.05)
    return net


@pytest.mark.parametrize(
    ("side", "stride", "paired"), [(3, 1, True), (2, 2, True), (6, 2, False), (9, 3, False)]
)
def test_what_comes_out_of_a_turned_crop_is_turned(side: int, stride: int, paired: bool) -> None:
    torch.manual_seed(0)
    layer = HalfTurnConv(4, 6, side, stride, paired)
    torch.nn.init.normal_(layer.bias)
    maps = torch.rand(2, 4, 12, 18)
    with torch.no_grad():
        given = layer(turned(maps) if paired else torch.flip(maps, [2, 3]))
        torch.testing.assert_close(given, turned(layer(maps)))
        assert not torch.allclose(given, layer(maps))


@pytest.mark.parametrize("size", SIZES)
def test_a_turned_crop_is_read_as_it_is_turned(size: Size) -> None:
    width, height = size.crop_wh
    net, crops = some_net(size).double(), torch.rand(5, 3, height, width, dtype=torch.float64)
    with torch.inference_mode():
        joint, embedding, hidden = net.look(crops)
        joint_t, embedding_t, hidden_t = net.look(torch.flip(crops, [2, 3]))
    torch.testing.assert_close(joint, joint_t.flip(1))
    torch.testing.assert_close(hidden, hidden_t.flip(1))
    torch.testing.assert_close(embedding, embedding_t)
    assert not torch.allclose(joint, joint_t)


def test_written_out_it_says_the_same() -> None:
    net, crops = some_net(), torch.rand(5, 3, 64, 48)
    plain = as_plain(net)
    assert not any(isinstance(module, HalfTurnConv) for module in plain.modules())
    with torch.inference_mode():
        for ours, theirs in zip(plain.look(crops), net.look(crops), strict=True):
            torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("written", [lambda net: net, as_plain])
def test_how_large_a_reader_is_is_told_by_its_weights(
    size: Size, written: Callable[[HalfTurnReaderNet], HalfTurnReaderNet]
) -> None:
    assert size_of(written(HalfTurnReaderNet(size)).state_dict()) == size


def test_weights_of_no_reader_are_said_to_be_none() -> None:
    with pytest.raises(ValueError, match="no reader has 0, 0 and 0 residual blocks"):
        size_of(["tile.fine.0.0.weight"])


def test_what_has_grown_reads_larger_crops_much_as_it_read_the_smaller_ones() -> None:
    """What lies so still that the smaller crops hold all of it; noise would be another matter."""
    net, coarse = some_net(CAREFUL), torch.rand(6, 3, 4, 3)
    crops, larger = (
        torch.nn.functional.interpolate(coarse, size.crop_wh[::-1], mode="bilinear")
        for size in (CAREFUL, DETAILED)
    )
    with torch.inference_mode():
        before, after = net.look(crops)[0], grown(net, DETAILED).eval().look(larger)[0]
        strange = some_net(DETAILED).look(larger)[0]
    off = (after - before).abs().mean()
    assert off < 0.35 * (strange - before).abs().mean()


def test_a_reader_of_other_layers_does_not_grow() -> None:
    with pytest.raises(ValueError, match="grows to that size"):
        grown(some_net(QUICK), DETAILED)
    with pytest.raises(ValueError, match="grows to that size"):
        grown(some_net(DETAILED), CAREFUL)
