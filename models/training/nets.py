"""The two networks, and the forms of them that are exported for use."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from models.classes import CLASSES, COLOURS
from models.finder_maps import GEOMETRY_CHANNELS
from models.preprocess import CROP_WH, NORMALISED_MAX

HEAT_PRIOR = 0.01
"""What an untrained finder answers everywhere, so that empty cells do not swamp its first steps."""


def with_norm(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    """3 x 3 convolution, batch norm (folded into it at export) and ReLU."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


def plain(inputs: int, outputs: int, stride: int = 1) -> nn.Sequential:
    """3 x 3 convolution and ReLU, for networks that begin with weights into which norms are folded, or
    from nothing."""
    return nn.Sequential(before_relu(inputs, outputs, stride), nn.ReLU(inplace=True))


def before_relu(inputs: int, outputs: int, stride: int = 1) -> nn.Conv2d:
    """3 x 3 convolution that gives as much as it takes where no norm sees to that (He et al. 2015)."""
    layer = nn.Conv2d(inputs, outputs, 3, stride, 1)
    nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
    assert layer.bias is not None
    nn.init.zeros_(layer.bias)
    return layer


class FinderNet(nn.Module):
    """Fully convolutional finder: down to stride 32, up again to stride 4; 0.6 M parameters.

    Takes (n, 3, H, W) RGB 0 to 1 with H and W multiples of 32; gives heat logits (n, 1, H/4, W/4)
    and the maps of :mod:`models.finder_maps` (n, 10, H/4, W/4).
    """

    def __init__(self, norms: bool = True) -> None:
        """Without ``norms`` it takes up weights into which they are folded, and learns faster."""
        super().__init__()
        conv = with_norm if norms else plain
        self.down4 = nn.Sequential(conv(3, 16, 2), conv(16, 32, 2), conv(32, 32))
        self.down8 = nn.Sequential(conv(32, 64, 2), conv(64, 64))
        self.down16 = nn.Sequential(conv(64, 96, 2), conv(96, 96))
        self.down32 = nn.Sequential(conv(96, 128, 2), conv(128, 128))
        self.side32, self.up16 = nn.Conv2d(128, 96, 1), conv(96, 96)
        self.side16, self.up8 = nn.Conv2d(96, 64, 1), conv(64, 64)
        self.side8, self.up4 = nn.Conv2d(64, 32, 1), conv(32, 32)
        self.heat = nn.Conv2d(32, 1, 1)
        self.geometry = nn.Conv2d(32, GEOMETRY_CHANNELS, 1)
        nn.init.constant_(self.heat.bias, float(torch.logit(torch.tensor(HEAT_PRIOR))))

    def forward(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        at4 = self.down4(pictures)
        at8 = self.down8(at4)
        at16 = self.down16(at8)
        at32 = self.down32(at16)
        at16 = self.up16(at16 + _doubled(self.side32(at32)))
        at8 = self.up8(at8 + _doubled(self.side16(at16)))
        at4 = self.up4(at4 + _doubled(self.side8(at8)))
        return self.heat(at4), self.geometry(at4)


def _doubled(maps: Tensor) -> Tensor:
    return functional.interpolate(maps, scale_factor=2.0, mode="nearest")


class ExportedFinder(nn.Module):
    """The finder as shipped: heat as probabilities with all but its 3 x 3 peaks cleared."""

    def __init__(self, net: FinderNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, pictures: Tensor) -> tuple[Tensor, Tensor]:
        logits, geometry = self.net(pictures)
        heat = torch.sigmoid(logits)
        peaks = functional.max_pool2d(heat, 3, 1, 1)
        return heat * (peaks == heat).to(heat.dtype), geometry


EMBEDDING = 64
SHAPE = 96
INK_MAPS = 4


class TileNet(nn.Module, ABC):
    """Sees single crops; no one knows which way up a tile lies, so it sees them both ways up."""

    classes: nn.Linear
    """Logits of the classes from 96 features."""

    @abstractmethod
    def look_both_ways(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """What the classes are told from of crops as given and turned by 180 degrees, (n, 2, 96), and
        the embedding that colours are told from, (n, 64)."""


def pooled_at_ink(ink: nn.Module, maps: Tensor, crops: Tensor) -> Tensor:
    """``maps`` (n, c, 32, 24) of crops and their log pixels, averaged where the attention settles that
    ``ink`` makes of the maps: (n, INK_MAPS * (c + 3)). All over a crop they mostly were its white."""
    weights = torch.softmax(ink(maps).flatten(2), dim=2)  # (n, INK_MAPS, 768)
    inks = torch.log(functional.avg_pool2d(crops, crops.shape[2] // maps.shape[2]) + 0.03)
    seen = torch.cat([maps, inks], dim=1).flatten(2)  # (n, c + 3, 768)
    return torch.matmul(weights, seen.transpose(1, 2)).flatten(1)


class Residual(nn.Module):
    """Two 3 x 3 convolutions whose result is added (He et al. 2016); at first it is nothing."""

    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.first, self.second = before_relu(width, inner), nn.Conv2d(inner, width, 3, 1, 1)
        nn.init.zeros_(self.second.weight)
        nn.init.zeros_(self.second.bias)  # type: ignore[arg-type]

    def forward(self, maps: Tensor) -> Tensor:
        added: Tensor = self.second(functional.relu(self.first(maps), inplace=True))
        return maps + added


class CarefulTileNet(TileNet):
    """A larger network, deeper by residual blocks where maps are small; it looks at each crop twice."""

    def __init__(self) -> None:
        super().__init__()
        self.fine = nn.Sequential(plain(3, 16), plain(16, 32, 2), plain(32, 32))  # 32 x 24
        middle = [Residual(64, 64) for _ in range(2)]
        coarse = [Residual(96, 192) for _ in range(3)]
        self.middle = nn.Sequential(plain(32, 64, 2), plain(64, 64), *middle)  # 16 x 12
        self.coarse = nn.Sequential(plain(64, 96, 2), plain(96, 96), *coarse)  # 8 x 6
        self.last = nn.Sequential(plain(96, 64, 2), Residual(64, 256))  # 4 x 3
        self.dropout = nn.Dropout(0.1)
        self.hidden = nn.Linear(64 * 4 * 3, SHAPE)
        self.classes = nn.Linear(SHAPE, len(CLASSES))
        self.ink = nn.Conv2d(32, INK_MAPS, 1)
        self.embed = nn.Linear(SHAPE + INK_MAPS * (32 + 3), EMBEDDING)

    def look(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """What the classes are told from, (n, 96), and the embedding that colours are, (n, 64)."""
        fine = self.fine(crops / NORMALISED_MAX)
        last = self.last(self.coarse(self.middle(fine)))
        hidden = functional.relu(self.hidden(self.dropout(last.flatten(1))))
        pooled = pooled_at_ink(self.ink, fine, crops)
        return hidden, self.embed(torch.cat([hidden, pooled], dim=1))

    def look_both_ways(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """As :meth:`TileNet.look_both_ways`."""
        hidden, embeddings = self.look(torch.cat([crops, torch.flip(crops, [2, 3])]))
        first, second = embeddings.chunk(2)
        return torch.stack(hidden.chunk(2), dim=1), (first + second) / 2


class TogetherLayer(nn.Module):
    """Self-attention across the tiles of one photograph: inks are told apart by comparison."""

    def __init__(self, width: int, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.norm, self.mixed = nn.LayerNorm(width), nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.feed = nn.Sequential(
            nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.GELU(), nn.Linear(2 * width, width)
        )

    def forward(self, tiles: Tensor, absent: Tensor | None) -> Tensor:
        """``tiles`` (photographs, n, width); ``absent`` (photographs, n) is True for padding."""
        photographs, count, width = tiles.shape
        split = self.mixed(self.norm(tiles)).reshape(photographs, count, 3, self.heads, -1)
        query, key, value = split.permute(2, 0, 3, 1, 4).unbind(0)  # (photographs, heads, n, d)
        scores = torch.matmul(query, key.transpose(2, 3)) * (width / self.heads) ** -0.5
        if absent is not None:
            scores = scores.masked_fill(absent[:, None, None, :], -1e4)
        mixed = torch.matmul(torch.softmax(scores, dim=3), value)
        tiles = tiles + self.out(mixed.transpose(1, 2).reshape(photographs, count, width))
        return tiles + self.feed(tiles)


class HandNet(nn.Module):
    """What the tiles of one photograph say about each other's numbers: whose hand drew them.

    One maker's seven is another's one, and a six lies where that maker's digits lie or it is a
    nine. Each tile comes both ways up, as two tokens; it is given what its alone logits lack.
    """

    def __init__(self) -> None:
        super().__init__()
        self.enter = nn.Linear(SHAPE + len(CLASSES), SHAPE)
        self.layers = nn.ModuleList([TogetherLayer(SHAPE), TogetherLayer(SHAPE)])
        self.leave = nn.Linear(SHAPE, len(CLASSES))
        nn.init.zeros_(self.leave.weight)
        nn.init.zeros_(self.leave.bias)

    def forward(self, hidden: Tensor, joint: Tensor, absent: Tensor | None) -> Tensor:
        """Logits to add, (photographs, n, 2, 16), for ``hidden`` (photographs, n, 2, 96) and alone
        logits ``joint`` (photographs, n, 2, 16); ``absent`` (photographs, n) is True for padding."""
        photographs, count = hidden.shape[:2]
        tokens = self.enter(torch.cat([hidden, joint], dim=3)).reshape(
            photographs, 2 * count, SHAPE
        )
        if absent is not None:
            absent = absent.repeat_interleave(2, dim=1)
        for layer in self.layers:
            tokens = layer(tokens, absent)
        added: Tensor = self.leave(tokens)
        return added.reshape(photographs, count, 2, len(CLASSES))


class ReaderNet(nn.Module):
    """Reads all tiles of a photograph: what each is, which way is up, and its colour.

    A :class:`TileNet` sees every crop as given and turned by 180 degrees; its 2 x 16 logits form one
    softmax, so that class and up direction are decided together.
    """

    def __init__(self, tile: TileNet, crop_wh: tuple[int, int] = CROP_WH) -> None:
        super().__init__()
        self.crop_wh = crop_wh
        """Width and height in pixels of the crops that it looks at."""
        self.tile = tile
        self.hand = HandNet()
        self.alone = nn.Linear(EMBEDDING + 3, EMBEDDING)
        self.colour_alone = nn.Linear(EMBEDDING, len(COLOURS))
        self.together = nn.ModuleList([TogetherLayer(EMBEDDING), TogetherLayer(EMBEDDING)])
        self.colour = nn.Sequential(nn.LayerNorm(EMBEDDING), nn.Linear(EMBEDDING, len(COLOURS)))

    def look(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """What single tiles show: joint logits (n, 2, 16), crop as given and crop turned; embeddings
        (n, 64); and what the classes are told from, (n, 2, 96), for both ways up."""
        hidden, embeddings = self.tile.look_both_ways(crops)
        return self.tile.classes(hidden), embeddings, hidden

    def compare(
        self, embeddings: Tensor, relative_whites: Tensor, absent: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        """Colour logits alone and together, each (photographs, n, 4).

        ``relative_whites`` (photographs, n, 3) is the log of each tile's white over the
        photograph's median white.
        """
        alone = functional.relu(self.alone(torch.cat([embeddings, relative_whites], dim=2)))
        tiles = alone
        for layer in self.together:
            tiles = layer(tiles, absent)
        return self.colour_alone(alone), self.colour(tiles)


class CarefulReaderNet(ReaderNet):
    """A larger network for pictures that may take their time: 2.2 M parameters."""

    def __init__(self) -> None:
        super().__init__(CarefulTileNet())
        self.hand.layers.append(TogetherLayer(SHAPE))
        self.together.append(TogetherLayer(EMBEDDING))


class ExportedReader(nn.Module):
    """The tile reader as shipped: one photograph's tiles in, calibrated probabilities out.

    Takes crops (n, 3, height, width) and their whites (n, 3). Gives class probabilities (n, 16), the
    probability that the crop as given is upright (n,), colour probabilities (n, 4), and two sets of
    features by which a set of tiles can be got to know: of the shape, the likelier way up (n, 96),
    and of the ink (n, 64). To the logits of the classes a summand (16,) each is added, and two
    temperatures divide the logits before the softmax; all come from :mod:`...calibrate`.
    """

    def __init__(
        self,
        net: ReaderNet,
        class_temperature: float,
        class_summands: Sequence[float],
        colour_temperature: float,
    ) -> None:
        super().__init__()
        self.net = net
        self.class_temperature = class_temperature
        self.register_buffer("class_summands", torch.tensor(class_summands))
        self.colour_temperature = colour_temperature

    def forward(self, crops: Tensor, whites: Tensor) -> tuple[Tensor, ...]:
        joint, embeddings, hidden = self.net.look(crops)
        joint = joint + self.net.hand(hidden[None], joint[None], None)[0]
        joint = (joint + self.class_summands) / self.class_temperature
        p = torch.softmax(joint.flatten(1), dim=1)
        p = p.reshape(-1, 2, len(CLASSES))
        _, colours = self.net.compare(embeddings[None], self._relative(whites)[None], None)
        colour = torch.softmax(colours[0] / self.colour_temperature, dim=1)
        upright = p[:, 0].sum(dim=1)
        shapes = torch.where(upright[:, None] >= 0.5, hidden[:, 0], hidden[:, 1])
        return p.sum(dim=1), upright, colour, shapes, embeddings

    @staticmethod
    def _relative(whites: Tensor) -> Tensor:
        """log of whites over their median; the upper one of two middles, as in training."""
        logs = torch.log(whites)
        count = logs.shape[0]
        ranked, _ = torch.topk(logs, count // 2 + 1, dim=0, largest=False)
        return logs - ranked[-1:]


def relative_whites(whites: Tensor, absent: Tensor) -> Tensor:
    """As :meth:`ExportedReader._relative` for padded groups: (b, n, 3) and (b, n) to (b, n, 3)."""
    logs = torch.log(whites)
    counts = (~absent).sum(dim=1)
    ranked, _ = torch.sort(logs.masked_fill(absent[:, :, None], float("inf")), dim=1)
    middle = (counts // 2).clamp(max=whites.shape[1] - 1)[:, None, None].expand(-1, 1, 3)
    relative = logs - torch.gather(ranked, 1, middle)
    return relative.masked_fill(absent[:, :, None], 0.0)


def parameters_of(net: nn.Module) -> int:
    """How many numbers training sets."""
    return sum(p.numel() for p in net.parameters())
