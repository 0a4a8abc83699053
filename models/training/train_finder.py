"""Trains the finder: ``python -m models.training.train_finder --data FOLDER --out RUN``."""

from __future__ import annotations

import sys
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from models.finder_maps import axes_of_quads, decode_maps
from models.preprocess import planes
from models.training.finder_data import FinderSample, draw_sample
from models.training.nets import ExportedFinder, FinderNet, parameters_of
from models.training.pictures import LabelledPicture, load_generated
from models.training.restore import load_exported, load_folded
from models.training.run import Run, parse_options

MEASURED_SAMPLES = 96
MEASURED_SCORE = 0.3
GEOMETRY_WEIGHTS = (0.5, 0.5, 2.0, 1.5, 1.5, 2.0, 1.5, 1.5, 0.3, 0.3)
"""By how far each moves a corner: a cell is an eighth of a usual tile, one in log length about six
tenths of it, one in cosine or sine of the doubled angle about four. Up is read again by the reader."""


def make_batch(
    generated: list[LabelledPicture],
    real: list[LabelledPicture],
    real_part: float,
    size: int,
    rng: np.random.Generator,
) -> tuple[Tensor, ...]:
    """One batch: pictures uint8 (n, h, w, 3) and the five target maps of FinderSample."""
    samples = []
    for _ in range(size):
        pool = real if real and rng.random() < real_part else generated
        samples.append(draw_sample(pool[rng.integers(len(pool))], rng))
    return as_tensors(samples)


def as_tensors(samples: list[FinderSample]) -> tuple[Tensor, ...]:
    """The arrays of samples, stacked."""
    names = ("pixels_bgr", "heat", "heat_weight", "geometry", "geometry_weight", "up_weight")
    return tuple(torch.from_numpy(np.stack([getattr(s, n) for s in samples])) for n in names)


def as_input(pixels: Tensor) -> Tensor:
    """Pictures (n, h, w, 3) BGR uint8 as the network takes them: (n, 3, h, w) RGB, 0 to 1."""
    pictures = pixels.permute(0, 3, 1, 2).flip(1).to(torch.float32) / 255
    return pictures.contiguous(memory_format=torch.channels_last)


def loss_of(net: nn.Module, batch: tuple[Tensor, ...]) -> tuple[Tensor, dict[str, float], int]:
    """What a network's answers lose, by heat and by geometry."""
    device = next(net.parameters()).device
    pixels, *maps = (t.to(device) for t in batch)
    heat_loss, geometry_loss = loss_of_maps(net(as_input(pixels)), tuple(maps))
    parts = {"heat_loss": heat_loss.item(), "geometry_loss": geometry_loss.item()}
    return heat_loss + geometry_loss, parts, len(pixels)


def loss_of_maps(
    answers: tuple[Tensor, Tensor], wanted: tuple[Tensor, ...]
) -> tuple[Tensor, Tensor]:
    """Focal loss on the heat and weighted L1 on the geometry near centres; ``wanted`` are the maps of
    FinderSample."""
    logits, maps = answers
    heat, heat_weight, geometry, near, up_near = wanted
    heat_loss = focal_loss(logits[:, 0].float(), heat, heat_weight)
    weights = torch.cat(
        [near[:, None].expand(-1, 8, -1, -1), up_near[:, None].expand(-1, 2, -1, -1)], 1
    )
    scales = torch.tensor(GEOMETRY_WEIGHTS, device=maps.device)
    weights = weights * scales[None, :, None, None]
    wrong = functional.smooth_l1_loss(maps.float(), geometry, reduction="none", beta=0.05)
    return heat_loss, (wrong * weights).sum() / near.sum().clamp(min=1)


def focal_loss(logits: Tensor, heat: Tensor, weight: Tensor) -> Tensor:
    """CenterNet's penalty-reduced focal loss (Zhou et al. 2019, eq. 1), per centre."""
    p = torch.sigmoid(logits)
    at_centre = (heat == 1).float()
    hit = (1 - p) ** 2 * functional.logsigmoid(logits) * at_centre
    miss = (1 - heat) ** 4 * p**2 * functional.logsigmoid(-logits) * (1 - at_centre)
    return -((hit + miss) * weight).sum() / (at_centre * weight).sum().clamp(min=1)


def measure(net: nn.Module, samples: list[FinderSample]) -> dict[str, float]:
    """On held-out samples: tiles found, false tiles, corners and ups, at a score of 0.3."""
    finder = ExportedFinder(net).eval()  # type: ignore[arg-type]
    device = next(net.parameters()).device
    asked = found = false = up_right = up_asked = 0
    errors: list[float] = []
    for start in range(0, len(samples), 16):
        some = samples[start : start + 16]
        pictures = torch.from_numpy(planes(np.stack([s.pixels_bgr for s in some]))).to(device)
        with torch.inference_mode():
            heat, geometry = (t.cpu().numpy() for t in finder(pictures))
        for sample, h, g in zip(some, heat, geometry, strict=True):
            quads, _ = decode_maps(h[0], g, MEASURED_SCORE, 200)
            n = compare(sample, quads, errors)
            asked, found, false = asked + n[0], found + n[1], false + n[2]
            up_right, up_asked = up_right + n[3], up_asked + n[4]
    return {
        "found": found / max(1, asked),
        "false_per_tile": false / max(1, asked),
        "corner_error": float(np.median(errors)) if errors else 1.0,
        "corner_error_p95": float(np.percentile(errors, 95)) if errors else 1.0,
        "up": up_right / max(1, up_asked),
    }


def compare(
    sample: FinderSample, quads: Any, errors: list[float]
) -> tuple[int, int, int, int, int]:
    """Asked, found, false, ups right, ups asked; adds each corner error over the short side."""
    truth = sample.quads_xy
    centres, _, right = axes_of_quads(truth)
    short = 2 * np.linalg.norm(right, axis=1)
    free = np.ones(len(truth), bool)
    found = false = up_right = up_asked = 0
    cells = sample.heat_weight.shape[0]
    for quad in quads:
        centre = quad.mean(axis=0)
        distance = np.linalg.norm(centres - centre, axis=1) / short if len(truth) else np.ones(0)
        distance = np.where(free, distance, np.inf)
        best = int(distance.argmin()) if len(truth) else -1
        if best < 0 or distance[best] > 0.4:
            x, y = np.clip(np.round(centre / 4).astype(int), 0, cells - 1)
            false += int(sample.heat_weight[y, x] > 0)
            continue
        free[best] = False
        found += 1
        as_given = np.linalg.norm(quad - truth[best], axis=1).mean() / short[best]
        turned = np.linalg.norm(np.roll(quad, 2, axis=0) - truth[best], axis=1).mean() / short[best]
        errors.append(float(min(as_given, turned)))
        if sample.up_known[best]:
            up_asked += 1
            up_right += int(as_given < turned)
    return len(truth), found, false, up_right, up_asked


def main(arguments: list[str] | None = None) -> int:
    """Trains until the time budget is spent; the checkpoint is what ``export`` takes."""
    options = parse_options(__doc__ or "", batch=16, rate=3e-3, arguments=arguments)
    generated = load_generated(options.data, held_out=False, limit=options.limit)
    held_out = load_generated(options.data, held_out=True, limit=MEASURED_SAMPLES)
    rng = np.random.default_rng(0)
    samples = [draw_sample(held_out[i % len(held_out)], rng) for i in range(MEASURED_SAMPLES)]
    real: list[LabelledPicture] = []
    if options.real is not None:
        from models.training.real import load_real

        real = load_real(options.real, options.finder)
    net = FinderNet(options.norms)
    make = partial(make_batch, generated, real, options.real_part, options.batch)
    if options.init is not None and options.init.suffix == ".onnx":
        if options.norms:
            pictures = as_input(make(np.random.default_rng([options.seed, 0]))[0])
            load_exported(net, options.init, lambda filled: filled(pictures))
        else:
            load_folded(net, options.init)
    run = Run(net, options)
    run.say(
        {
            "event": "started",
            "parameters": parameters_of(net),
            "pictures": len(generated),
            "held_out": len(held_out),
            "real": len(real),
        }
    )
    run.train(make, loss_of, partial(measure, samples=samples))
    return 0


if __name__ == "__main__":
    sys.exit(main())
