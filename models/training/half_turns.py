"""A tile reader that reads both ways up at once: its maps turn as the crop does.

Nobody knows which way up a tile lies, so every crop is read as given and turned by 180 degrees.
:class:`models.training.nets.CarefulTileNet` does so twice over. Here maps come in pairs instead: the
second half of a layer's maps is what its first half would be if the crop were turned, then turned back
(Cohen and Welling 2016, for the group of half turns). Both readings come out of one run, for little
over half the work, and a turned crop is read exactly as it is, turned.

In use that is an ordinary network: `as_plain` writes the pairs out.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.classes import CLASSES
from models.preprocess import CROP_WH, DETAILED_WH, NORMALISED_MAX
from models.training.nets import (
    EMBEDDING,
    INK_MAPS,
    SHAPE,
    ReaderNet,
    TileNet,
    TogetherLayer,
    pooled_at_ink,
)

FINE_ROWS = 32
"""Of the largest maps, whatever the crops' size."""

BLOCK = re.compile(r"tile\.(fine|middle|coarse)\.\d+\.first\.weight$")
"""What each residual block has one of."""


@dataclass(frozen=True, slots=True)
class Size:
    """How large a network is."""

    fine: int
    """Maps of 32 x 24."""
    middle: int
    """Maps of 16 x 12."""
    coarse: int
    """Maps of 8 x 6."""
    last: int
    """Maps of 4 x 3."""
    middle_blocks: int
    """Residual blocks where maps are of 16 x 12."""
    coarse_blocks: int
    """The same where they are of 8 x 6."""
    compared: int
    """Attention layers over the tiles of a photograph, for numbers and for inks each."""
    fine_blocks: int = 0
    """Residual blocks where maps are of 32 x 24."""
    crop_wh: tuple[int, int] = CROP_WH
    """Width and height in pixels of the crops, each a multiple of what maps of 32 x 24 have."""


QUICK = Size(32, 64, 96, 64, middle_blocks=1, coarse_blocks=1, compared=2)
"""For live pictures: 35 million multiplications and additions for a tile."""
CAREFUL = Size(48, 96, 160, 96, middle_blocks=2, coarse_blocks=4, compared=3)
"""Where there is time: 180 million."""
DETAILED = replace(CAREFUL, fine_blocks=1, crop_wh=DETAILED_WH)
"""The same with crops half as large again, which its first layer brings down to as many maps: 213
million."""
SIZES = (QUICK, CAREFUL, DETAILED)


class HalfTurnConv(nn.Module):
    """Convolution with as many weights for half of its maps; the other half are the same, turned.

    The stride must divide both sides of what comes in, and the kernel's side less it be even: then
    a turned picture is looked at in the same places.
    """

    def __init__(
        self, inputs: int, outputs: int, side: int = 3, stride: int = 1, paired: bool = True
    ) -> None:
        """``paired`` says whether what comes in are such pairs; pixels are none."""
        super().__init__()
        self.stride, self.padding = stride, (side - stride) // 2
        self.paired = paired
        self.weight = nn.Parameter(torch.empty(outputs // 2, inputs, side, side))
        self.bias = nn.Parameter(torch.zeros(outputs // 2))
        nn.init.kaiming_normal_(self.weight, nonlinearity="relu")

    def written_out(self) -> tuple[Tensor, Tensor]:
        """Weights (outputs, inputs, side, side) and biases (outputs,) of an ordinary convolution."""
        other = turned(self.weight) if self.paired else torch.flip(self.weight, [2, 3])
        weight = torch.cat([self.weight, other])
        return weight, torch.cat([self.bias, self.bias])

    def forward(self, maps: Tensor) -> Tensor:
        """Maps (n, inputs, h, w) to (n, outputs, h / stride, w / stride)."""
        return functional.conv2d(maps, *self.written_out(), self.stride, self.padding)


def turned(maps: Tensor) -> Tensor:
    """What pairs of maps (n, c, h, w) would be of the turned crop."""
    first, second = maps.chunk(2, dim=1)
    return torch.flip(torch.cat([second, first], dim=1), [2, 3])


def _layer(
    inputs: int, outputs: int, side: int = 3, stride: int = 1, paired: bool = True
) -> nn.Module:
    conv = HalfTurnConv(inputs, outputs, side, stride, paired)
    return nn.Sequential(conv, nn.ReLU(inplace=True))


class HalfTurnResidual(nn.Module):
    """As :class:`models.training.nets.Residual`, of pairs."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first, self.second = HalfTurnConv(width, width), HalfTurnConv(width, width)
        nn.init.zeros_(self.second.weight)

    def forward(self, maps: Tensor) -> Tensor:
        """Maps (n, width, h, w) to as many."""
        added: Tensor = self.second(functional.relu(self.first(maps), inplace=True))
        return maps + added


class HalfTurnTileNet(TileNet):
    """Sees both ways up in one look."""

    def __init__(self, size: Size) -> None:
        super().__init__()
        fine, middle, coarse, last = size.fine, size.middle, size.coarse, size.last
        step = size.crop_wh[1] // FINE_ROWS
        fine_blocks = [HalfTurnResidual(fine) for _ in range(size.fine_blocks)]
        middle_blocks = [HalfTurnResidual(middle) for _ in range(size.middle_blocks)]
        coarse_blocks = [HalfTurnResidual(coarse) for _ in range(size.coarse_blocks)]
        first = _layer(3, fine, 3 * step, step, paired=False)
        self.fine = nn.Sequential(first, _layer(fine, fine), *fine_blocks)
        self.middle = nn.Sequential(_layer(fine, middle, 2, 2), *middle_blocks)
        self.coarse = nn.Sequential(_layer(middle, coarse, 2, 2), *coarse_blocks)
        self.last = _layer(coarse, last, 2, 2)
        self.dropout = nn.Dropout(0.1)
        self.hidden = nn.Linear(last * 4 * 3, SHAPE)
        self.classes = nn.Linear(SHAPE, len(CLASSES))
        self.ink = nn.Conv2d(fine // 2, INK_MAPS, 1)
        self.embed = nn.Linear(SHAPE + INK_MAPS * (fine // 2 + 3), EMBEDDING)

    def look_both_ways(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """As :meth:`models.training.nets.TileNet.look_both_ways`."""
        fine = self.fine(crops / NORMALISED_MAX)
        last = self.dropout(self.last(self.coarse(self.middle(fine))))
        both = torch.stack([last, turned(last)], dim=1).flatten(2)
        hidden = functional.relu(self.hidden(both))
        either = torch.stack(fine.chunk(2, dim=1)).sum(dim=0)  # turned, it is the same, turned
        pooled = pooled_at_ink(self.ink, either, crops)
        return hidden, self.embed(torch.cat([hidden.mean(dim=1), pooled], dim=1))


class HalfTurnReaderNet(ReaderNet):
    """A tile reader: of 0.5 M parameters where it is quick, of 1.6 M where it is careful or detailed."""

    def __init__(self, size: Size = QUICK) -> None:
        super().__init__(HalfTurnTileNet(size), size.crop_wh)
        while len(self.together) < size.compared:
            self.hand.layers.append(TogetherLayer(SHAPE))
            self.together.append(TogetherLayer(EMBEDDING))


def size_of(names: Iterable[str]) -> Size:
    """The one of `SIZES` that a reader has whose weights are called so.

    Raises ValueError where no such reader has weights of these names.
    """
    blocks = [match[1] for name in names if (match := BLOCK.search(name))]
    counts = tuple(blocks.count(where) for where in ("fine", "middle", "coarse"))
    for size in SIZES:
        if counts == (size.fine_blocks, size.middle_blocks, size.coarse_blocks):
            return size
    raise ValueError(f"no reader has {counts[0]}, {counts[1]} and {counts[2]} residual blocks")


def grown(net: HalfTurnReaderNet, size: Size) -> HalfTurnReaderNet:
    """A reader of another size that has learned what ``net`` has, for crops of as much detail or more.

    What only the larger one has adds nothing at first; its first layer sees what the other's does, more
    finely. Raises ValueError where their layers do not fit.
    """
    larger = HalfTurnReaderNet(size)
    learned, shapes = net.state_dict(), larger.state_dict()
    first = "tile.fine.0.0.weight"
    before, after = (weights[first].shape[2] for weights in (learned, shapes))
    finer = functional.interpolate(learned[first], (after, after), mode="bilinear")
    learned[first] = finer * (before / after) ** 2
    try:
        lacking = larger.load_state_dict(learned, strict=False)
    except RuntimeError as error:
        raise ValueError(f"no such reader grows to that size: {error}") from error
    if lacking.unexpected_keys:
        raise ValueError(f"no such reader grows to that size: {lacking.unexpected_keys}")
    return larger


def as_plain(net: ReaderNet) -> ReaderNet:
    """A copy in which every :class:`HalfTurnConv` is the ordinary convolution that it amounts to."""
    copied = copy.deepcopy(net)
    for module in list(copied.modules()):
        for name, child in module.named_children():
            if isinstance(child, HalfTurnConv):
                setattr(module, name, _plain(child))
    return copied


def _plain(layer: HalfTurnConv) -> nn.Conv2d:
    weight, bias = layer.written_out()
    outputs, inputs, side, _ = weight.shape
    plain = nn.Conv2d(inputs, outputs, side, layer.stride, layer.padding)
    plain.weight.data.copy_(weight.detach())
    assert plain.bias is not None
    plain.bias.data.copy_(bias.detach())
    return plain
