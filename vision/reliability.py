"""Whether probabilities mean what they say: how often readings of each probability were right.

The diagram is that of DeGroot and Fienberg (1983), with the bins narrow where a referee looks: near
certainty. Intervals are those of Clopper and Pearson (1934), 95 %, and the expected calibration error is
that of Naeini, Cooper and Hauskrecht (2015): the gap between what is said and what holds, over bins.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

EDGES = (0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 1.0)
"""Between the bins; the last bin holds 1 as well."""

LEVEL = 0.95

Judged = tuple[float, bool]
"""What a reading said of itself, and whether it was right."""


@dataclass(frozen=True, slots=True)
class Bin:
    """Readings whose probability lies between two edges."""

    low: float
    high: float
    readings: int
    right: int
    said: float
    """Mean probability of the readings; the middle of the bin where there are none."""

    @property
    def held(self) -> float:
        """Share of them that was right; as said where there are none."""
        return self.right / self.readings if self.readings else self.said

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies, 19 times in 20."""
        return exact_interval(self.right, self.readings)


@dataclass(frozen=True, slots=True)
class Reliability:
    """All bins, and what became of the readings that were called sure."""

    bins: tuple[Bin, ...]
    sure: int
    sure_wrong: int

    @property
    def expected_error(self) -> float:
        """Mean gap between said and held, weighted by readings; 0 where there are none."""
        total = sum(b.readings for b in self.bins)
        return sum(abs(b.said - b.held) * b.readings for b in self.bins) / max(1, total)

    def text(self) -> str:
        """A table with a line for each bin that holds readings, and two lines below it."""
        lines = ["   said          readings   right    held    95 % of the true share"]
        for b in self.bins:
            if b.readings:
                low, high = b.interval
                lines.append(
                    f"   {b.low:5.3f}-{b.high:5.3f}   {b.readings:8,}  {b.right:6,}   {b.held:6.4f}"
                    f"   {low:.4f}-{high:.4f}"
                )
        most = exact_interval(self.sure_wrong, self.sure)[1]
        lines.append(f"   expected calibration error {self.expected_error:.4f}")
        lines.append(
            f"   sure: {self.sure:,}, wrong among them {self.sure_wrong}; "
            f"at most {most * 1000:.2f} in 1,000 (95 %)"
        )
        return "\n".join(lines)


def reliability_of(judged: Iterable[Judged], sure: Sequence[bool]) -> Reliability:
    """Bins of readings; ``sure`` says of each, in the same order, whether it was stated as a fact.

    Raises ValueError where the two differ in length or a probability is none.
    """
    readings = sorted(zip(judged, sure, strict=True))
    if any(not 0 <= p <= 1 for (p, _), _ in readings):
        raise ValueError("a probability lies outside 0 to 1")
    bins = []
    for low, high in pairwise(EDGES):
        inside = [(p, ok) for (p, ok), _ in readings if low <= p < high or (p == high == EDGES[-1])]
        said = sum(p for p, _ in inside) / len(inside) if inside else (low + high) / 2
        bins.append(Bin(low, high, len(inside), sum(ok for _, ok in inside), said))
    stated = [ok for (_, ok), fact in readings if fact]
    return Reliability(tuple(bins), len(stated), stated.count(False))


def exact_interval(hits: int, trials: int, level: float = LEVEL) -> tuple[float, float]:
    """The interval of Clopper and Pearson for a share, by bisection of the binomial's tails."""
    if not 0 <= hits <= trials:
        raise ValueError(f"{hits} of {trials} is no share")
    if trials == 0:
        return 0.0, 1.0
    tail = (1 - level) / 2
    low = 0.0 if hits == 0 else _bisect(lambda p: 1 - _at_most(hits - 1, trials, p) - tail)
    high = 1.0 if hits == trials else _bisect(lambda p: tail - _at_most(hits, trials, p))
    return low, high


def _bisect(rising: object) -> float:
    assert callable(rising)
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < 0 else (low, middle)
    return (low + high) / 2


def _at_most(hits: int, trials: int, p: float) -> float:
    """Probability of at most so many hits; summed over the shorter side, in logarithms."""
    if p <= 0 or p >= 1:
        return float(p <= 0 or hits >= trials)
    if hits > trials - hits - 1:
        return 1 - _at_most(trials - hits - 1, trials, 1 - p)
    log_p, log_q, whole = math.log(p), math.log1p(-p), math.lgamma(trials + 1)
    terms = (
        whole - math.lgamma(k + 1) - math.lgamma(trials - k + 1) + k * log_p + (trials - k) * log_q
        for k in range(hits + 1)
    )
    return math.fsum(map(math.exp, terms))


SIDE, EDGE = 360, 56


def diagram(named: Sequence[tuple[str, Reliability]]) -> str:
    """An SVG with a panel for each: said across, held upwards, both as odds against being wrong.

    Odds make room where it matters: 0.9, 0.99 and 0.999 are as far from each other.
    """
    panels = [_panel(name, found, k * (SIDE + EDGE)) for k, (name, found) in enumerate(named)]
    width, height = len(panels) * (SIDE + EDGE) + EDGE // 2, SIDE + 2 * EDGE
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
    font = 'font-family="sans-serif" font-size="12">'
    paper = '<rect width="100%" height="100%" fill="white"/>'
    return "\n".join([f"{head} {font}", paper, *panels, "</svg>\n"])


TICKS = (0.5, 0.9, 0.99, 0.999)
LEAST, MOST = 0.2, 0.9995


def _place(share: float) -> float:
    """0 to 1 along an axis."""
    low, high, at = (math.log(p / (1 - p)) for p in (LEAST, MOST, min(max(share, LEAST), MOST)))
    return (at - low) / (high - low)


def _panel(name: str, found: Reliability, left: float) -> str:
    def x(share: float) -> float:
        return left + EDGE + _place(share) * SIDE

    def y(share: float) -> float:
        return EDGE + (1 - _place(share)) * SIDE

    edge = left + EDGE
    sure = f"sure {found.sure:,}, wrong {found.sure_wrong}"
    summary = f"expected error {found.expected_error:.4f}; {sure}"
    frame = f'<rect x="{edge}" y="{EDGE}" width="{SIDE}" height="{SIDE}" fill="none"'
    ideal = f'<line x1="{x(LEAST)}" y1="{y(LEAST)}" x2="{x(MOST)}" y2="{y(MOST)}"'
    lines = [
        f'<text x="{edge}" y="{EDGE - 28}" font-weight="bold">{name}</text>',
        f'<text x="{edge}" y="{EDGE - 10}" fill="#555">{summary}</text>',
        f'{frame} stroke="#999"/>',
        f'{ideal} stroke="#bbb"/>',
    ]
    for tick in TICKS:
        below, beside = f'x="{x(tick):.1f}" y="{EDGE + SIDE + 18}"', f'y="{y(tick) + 4:.1f}"'
        lines += [
            f'<text {below} text-anchor="middle">{tick}</text>',
            f'<text x="{edge - 6}" {beside} text-anchor="end">{tick}</text>',
        ]
    for b in found.bins:
        if b.readings:
            at, (low, high) = f"{x(b.said):.1f}", b.interval
            reach = f'y1="{y(low):.1f}" y2="{y(high):.1f}"'
            lines += [
                f'<line x1="{at}" x2="{at}" {reach} stroke="#1a6fb5"/>',
                f'<circle cx="{at}" cy="{y(b.held):.1f}" r="3.5" fill="#1a6fb5">',
                f"<title>{b.readings} readings</title></circle>",
            ]
    return "\n".join(lines)
