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

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.classes import CLASSES
from models.preprocess import NORMALISED_MAX
from models.training.nets import EMBEDDING, INK_MAPS, SHAPE, ReaderNet, TileNet, pooled_at_ink

BLOCK = re.compile(r"tile\.coarse\.\d+\.first\.weight$")
"""What each residual block of 8 x 6 maps has one of."""


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
    """A small network that sees both ways up in one look."""

    def __init__(self, blocks: int) -> None:
        """``blocks`` is how many residual ones there are where maps are of 8 x 6."""
        super().__init__()
        self.fine = nn.Sequential(_layer(3, 32, 6, 2, paired=False), _layer(32, 32))  # 32 x 24
        self.middle = nn.Sequential(_layer(32, 64, 2, 2), HalfTurnResidual(64))  # 16 x 12
        coarse = [HalfTurnResidual(96) for _ in range(blocks)]
        self.coarse = nn.Sequential(_layer(64, 96, 2, 2), *coarse)  # 8 x 6
        self.last = _layer(96, 64, 2, 2)  # 4 x 3
        self.dropout = nn.Dropout(0.1)
        self.hidden = nn.Linear(64 * 4 * 3, SHAPE)
        self.classes = nn.Linear(SHAPE, len(CLASSES))
        self.ink = nn.Conv2d(16, INK_MAPS, 1)
        self.embed = nn.Linear(SHAPE + INK_MAPS * (16 + 3), EMBEDDING)

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
    """The tile reader: 0.5 M parameters."""

    def __init__(self, blocks: int = 1) -> None:
        """``blocks`` as :class:`HalfTurnTileNet` has them."""
        super().__init__(HalfTurnTileNet(blocks))


def blocks_of(names: Iterable[str]) -> int:
    """How many blocks the :class:`HalfTurnTileNet` of a reader has whose weights are called so."""
    return sum(bool(BLOCK.search(name)) for name in names)


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
