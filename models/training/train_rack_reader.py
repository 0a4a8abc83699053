"""Trains the rack reader and writes it into a folder of networks.

``python -m models.training.train_rack_reader --out MODELS --fonts FONTS --traced FOLDER ...`` takes a
quarter of an hour on two cores, half of it for drawing. Half of each batch are tiles that stand. All
pictures are generated. A folder that is named several times counts as often.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from models.runtime import RACK_READER_NAME
from models.training.export import OPSET, checked, write_entry
from models.training.nets import parameters_of
from models.training.rack_data import Lying, drawn, of_games, together, traced
from models.training.rack_net import (
    ExportedRackNet,
    RackNet,
    as_given,
    draw_samples,
    halfway,
    rack_net_of,
)
from vision.rendering.dataset import select_typefaces

BATCH: Final = 128
RATE: Final = 2e-3
DRAWN: Final = {"racks": 800, "evenings": 530, "tables": 400, "sheets": 120}
"""How many pictures of each kind of scene are drawn."""
GAMES: Final = 120
FIRST_GAME: Final = 20_000
"""Seeds from there on: none that games are measured with."""
HELD_OUT: Final = 15
"""As many times fewer are drawn in held-out typefaces, to say how well it goes."""
SAID_EVERY: Final = 250
"""Steps from one line of progress to the next."""


def learned(
    tiles: Lying, steps: int, seed: int, begin: Path | None = None, rate: float = RATE
) -> RackNet:
    """A network that has taken so many steps, from nothing or from what a file of one holds; both kinds
    of tiles have to be there. Raises RestoreError where the file holds another network."""
    torch.manual_seed(seed)
    rng = np.random.default_rng([seed, 9])
    net = (RackNet() if begin is None else rack_net_of(begin)).train()
    kinds = [np.flatnonzero(tiles.standing == stands) for stands in (False, True)]
    rule = torch.optim.AdamW(net.parameters(), rate, weight_decay=1e-2)
    pace = torch.optim.lr_scheduler.OneCycleLR(rule, rate, total_steps=steps)
    began_s, usual = time.monotonic(), 0.0
    for step in range(1, steps + 1):
        chosen = np.concatenate([rng.choice(kind, BATCH // 2) for kind in kinds])
        truth = torch.from_numpy(tiles.standing[chosen]).to(torch.float32)
        loss = functional.binary_cross_entropy_with_logits(
            net(draw_samples(tiles, chosen, rng)), truth * 0.96 + 0.02
        )
        rule.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        rule.step()
        pace.step()
        usual = usual * 0.98 + loss.item() * 0.02
        if step % SAID_EVERY == 0:
            print(f"step {step}, {time.monotonic() - began_s:.0f} s, loss {usual:.3f}", flush=True)
    return net.eval()


def shares(net: ExportedRackNet, tiles: Lying) -> tuple[float, float]:
    """The share of tiles that stand of which it says so, and of those that lie: each by itself."""
    with torch.inference_mode():
        said = [net(some)[0] for some in as_given(tiles).split(BATCH)]
    stands = (torch.cat(said) >= 0.5).numpy()
    return float(stands[tiles.standing].mean()), float(stands[~tiles.standing].mean())


def export(net: RackNet, out: Path, steps: int) -> None:
    """Writes rack_reader.onnx and its entry in the manifest of the folder."""
    wrapped = ExportedRackNet(net).eval()
    path = out / RACK_READER_NAME
    torch.onnx.export(
        wrapped,
        (torch.rand(3, 3, 64, 64),),
        str(path),
        dynamo=False,
        opset_version=OPSET,
        input_names=["surroundings"],
        output_names=["standing"],
        dynamic_axes={"surroundings": {0: "tiles"}, "standing": {0: "tiles"}},
    )
    rng = torch.Generator().manual_seed(0)
    inputs: list[tuple[Tensor, ...]] = [
        (torch.rand(n, 3, 64, 64, generator=rng),) for n in (1, 2, 7, 64)
    ]
    entry: dict[str, Any] = {"parameters": parameters_of(net), "steps": steps}
    write_entry(out, RACK_READER_NAME, entry | checked(path, wrapped, inputs))


def _tiles(fonts: Path, part: str, parts: int, seed: int, folders: Sequence[Path]) -> Lying:
    """Tiles of all kinds, of ``DRAWN`` one in ``parts``."""
    faces = select_typefaces(fonts, part)
    kinds = [drawn(kind, n // parts, seed, faces) for kind, n in DRAWN.items()]
    return together([*kinds, of_games(seed + FIRST_GAME, GAMES // parts, faces), traced(folders)])


def main(arguments: list[str] | None = None) -> int:
    """Draws, learns, says how well it goes with typefaces never seen, and exports."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder with a manifest")
    parser.add_argument("--fonts", type=Path, required=True)
    parser.add_argument("--traced", type=Path, nargs="*", default=[], help="to learn from")
    parser.add_argument("--held-out", type=Path, nargs="*", default=[], help="traced, to measure")
    parser.add_argument("--begin", type=Path, help="rack_reader.onnx to learn on from")
    parser.add_argument(
        "--halfway", action="store_true", help="go half of the way from what it began from alone"
    )
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--rate", type=float, default=RATE, help="highest learning rate")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    if options.halfway and options.begin is None:
        parser.error("--halfway needs something to --begin from")
    torch.set_num_threads(2)
    tiles = _tiles(options.fonts, "train", 1, options.seed, options.traced)
    print(f"{len(tiles)} tiles, {int(tiles.standing.sum())} of them on racks", flush=True)
    net = learned(tiles, options.steps, options.seed, options.begin, options.rate)
    if options.halfway:
        net = halfway(rack_net_of(options.begin), net)
    held_out = _tiles(options.fonts, "held-out", HELD_OUT, options.seed + 1000, options.held_out)
    found, false = shares(ExportedRackNet(net), held_out)
    print(f"held out: {found:.1%} of {int(held_out.standing.sum())} tiles on racks, "
          f"and {false:.2%} of {int((~held_out.standing).sum())} others")  # fmt: skip
    export(net, options.out, options.steps)
    return 0


if __name__ == "__main__":
    sys.exit(main())
