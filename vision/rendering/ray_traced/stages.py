"""How tiles lie: melds on a table, racks, a whole table in play, a few tiles close up."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from vision.rendering.ray_traced.hands import reaching_hand
from vision.rendering.ray_traced.makers import SUITS, Maker
from vision.rendering.ray_traced.shelves import sample_make, shelf
from vision.rendering.ray_traced.solids import (
    FACE_DOWN,
    Array,
    Stage,
    Thing,
    Tile,
    flat,
    leaning,
    moved,
    raised,
)

Rng = np.random.Generator


class Bag:
    """A set's 106 tiles, from which melds and single tiles are taken."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng
        self._left = {f"{suit}{n}": 2 for suit in SUITS for n in range(1, 14)} | {"J": 1, "J2": 1}

    def take(self, label: str) -> bool:
        """Take one out; False where none is left."""
        if not self._left[label]:
            return False
        self._left[label] -= 1
        return True

    def any(self, count: int) -> list[str]:
        """So many of those left, at random; fewer where the bag is empty."""
        rest = [label for label, n in self._left.items() for _ in range(n)]
        self._rng.shuffle(rest)
        return [label for label in rest[:count] if self.take(label)]

    def meld(self) -> list[str]:
        """A run or a group, here and there with a joker; possibly short where tiles ran out."""
        rng = self._rng
        suits = list(SUITS)
        rng.shuffle(suits)
        if rng.random() < 0.6:
            length = int(rng.integers(3, 8))
            first = int(rng.integers(1, 15 - length))
            wanted = [f"{suits[0]}{n}" for n in range(first, first + length)]
        else:
            number = int(rng.integers(1, 14))
            wanted = [f"{suit}{number}" for suit in suits[: int(rng.integers(3, 5))]]
        meld = [label for label in wanted if self.take(label)]
        if meld and rng.random() < 0.12:
            joker = str(rng.choice(["J", "J2"]))
            if self.take(joker):
                at = int(rng.integers(len(meld)))
                self._left[meld[at]] += 1
                meld[at] = joker
        return meld


def melds(rng: Rng, maker: Maker, count: int, bag: Bag | None = None) -> Stage:
    """Melds in rows, most of them facing one way, with a few tiles askew, upside down or face down."""
    bag = bag or Bag(rng)
    tiles: list[Tile] = []
    room = float(rng.uniform(0.3, 0.42)) * np.sqrt(max(count, 8) / 25)
    x = y = row = 0.0
    gap = float(rng.choice([0.0001, 0.0006, 0.002]))
    while len(tiles) < count and (labels := bag.meld()):
        labels = labels[: max(1, count - len(tiles))]
        across = rng.random() < 0.1
        length, depth = len(labels) * (maker.width + gap), maker.height
        wide, deep = (depth, length) if across else (length, depth)
        if x > 0 and x + wide > room:
            x, y, row = 0.0, y - row - float(rng.uniform(0.003, 0.025)), 0.0
        turn = float(rng.normal(0, 0.025)) + (
            float(rng.choice([-1, 1])) * np.pi / 2 if across else 0
        )
        turn += np.pi if rng.random() < 0.08 else 0.0
        middle = (x + wide / 2, y - deep / 2)
        tiles += _in_a_row(rng, maker, labels, flat(*middle, turn), gap)
        x, row = x + wide + float(rng.uniform(0.008, 0.03)), max(row, deep)
    return Stage("melds", _without_overlap(_centred(tiles), maker))


def _in_a_row(rng: Rng, maker: Maker, labels: list[str], pose: Array, gap: float) -> list[Tile]:
    step = maker.width + gap
    start = -step * (len(labels) - 1) / 2
    loose = 0.004 if gap < 0.0005 else 0.025
    tiles = []
    for k, label in enumerate(labels):
        turn = float(rng.normal(0, loose)) + (np.pi if rng.random() < 0.025 else 0.0)
        along = float(rng.normal(0, 0.0008))
        shown = FACE_DOWN if rng.random() < 0.01 else label
        tiles.append(Tile(shown, pose @ flat(start + k * step, along, turn)))
    return tiles


def _centred(tiles: list[Tile]) -> list[Tile]:
    places = np.array([tile.matrix[:2, 3] for tile in tiles])
    off = (places.min(axis=0) + places.max(axis=0)) / 2
    return [Tile(tile.label, flat(-off[0], -off[1], 0) @ tile.matrix) for tile in tiles]


def _without_overlap(tiles: list[Tile], maker: Maker) -> list[Tile]:
    """The tiles, but none of which a good part would stand inside another."""
    kept: list[Tile] = []
    least = 0.93 * maker.width
    for tile in tiles:
        here = tile.matrix[:2, 3]
        if all(np.linalg.norm(here - other.matrix[:2, 3]) > least for other in kept):
            kept.append(tile)
    return kept


def close_up(rng: Rng, maker: Maker) -> Stage:
    """One to five tiles, in a row or lying about."""
    labels = Bag(rng).any(int(rng.integers(1, 6)))
    if rng.random() < 0.5:
        return Stage("close up", _in_a_row(rng, maker, labels, flat(0, 0, 0), 0.0006))
    return Stage(
        "close up", _scattered(rng, maker, labels, (0, 0), 0.02 + 0.022 * len(labels), 0.5)
    )


def _scattered(
    rng: Rng,
    maker: Maker,
    labels: list[str],
    middle: tuple[float, float],
    reach: float,
    turned: float,
) -> list[Tile]:
    """Tiles lying about without touching, turned by ``turned`` radians more or less.

    Those for which no free place is found in a square of half a side ``reach`` are left out.
    """
    apart = float(np.hypot(maker.width, maker.height)) * 1.01
    places: list[tuple[float, float]] = []
    tiles = []
    for label in labels:
        for _ in range(150):
            x, y = (float(m + rng.uniform(-reach, reach)) for m in middle)
            if all(np.hypot(x - a, y - b) > apart for a, b in places):
                places.append((x, y))
                tiles.append(Tile(label, flat(x, y, float(rng.normal(0, turned)))))
                break
    return tiles


def rack(rng: Rng, maker: Maker, labels: list[str]) -> Stage:
    """A stand of two tiers that leans back, its player at negative y, with ``labels`` on it."""
    lean = float(rng.uniform(0.25, 0.6))
    upper = labels[: len(labels) // 2]
    lower = labels[len(labels) // 2 :]
    most = max(len(upper), len(lower), 10)
    gap = float(rng.choice([0.0003, 0.002]))
    wide = most * (maker.width + 0.003)
    colour = [(0.33, 0.19, 0.1), (0.04, 0.04, 0.045), (0.62, 0.45, 0.27), (0.1, 0.14, 0.35)]
    rgb = colour[int(rng.integers(len(colour)))]
    wooden = rgb[0] > rgb[2] * 1.5
    material = (
        {
            "kind": "wood",
            "rgb": rgb,
            "second": [0.7 * v for v in rgb],
            "scale": 18.0,
            "roughness": 0.4,
        }
        if wooden
        else {"kind": "plain", "rgb": rgb, "roughness": 0.3}
    )
    tiles: list[Tile] = []
    things: list[Thing] = []
    rise = maker.height * float(rng.uniform(0.75, 1.0))
    for tier, row in enumerate((lower, upper)):
        y, z = tier * (maker.height * 0.45 + 0.012), 0.006 + tier * rise
        tiles += _on_tier(rng, maker, row, (y, z), lean, gap)
        things += _tier(maker, wide, (y, z), lean, material)
    return Stage("racks", tiles, things, faces_camera=np.pi / 2 - lean)


def _on_tier(
    rng: Rng, maker: Maker, labels: list[str], at: tuple[float, float], lean: float, gap: float
) -> list[Tile]:
    x = -(maker.width + gap) * (len(labels) - 1) / 2
    tiles = []
    for label in labels:
        pose = raised(leaning(x, at[0], at[1], lean), maker.height / 2)
        askew = flat(0, 0, float(rng.normal(0, 0.008)) + (np.pi if rng.random() < 0.03 else 0))
        tiles.append(Tile(label, pose @ askew))
        x += (
            maker.width
            + gap
            + (float(rng.uniform(0.5, 1)) * maker.width if rng.random() < 0.08 else 0)
        )
    return tiles


def _tier(
    maker: Maker, wide: float, at: tuple[float, float], lean: float, material: dict[str, object]
) -> list[Thing]:
    """The board that a row of tiles leans on, the ledge it stands on, and what carries both."""
    y, z = at
    pose = leaning(0, y, z, lean)
    board = pose.copy()
    board[:3, 3] += 0.5 * maker.height * pose[:3, 1] - 0.0026 * pose[:3, 2]
    ledge = pose.copy()
    ledge[:3, 3] += -0.0022 * pose[:3, 1] + 0.45 * maker.thickness * pose[:3, 2]
    foot = flat(0, y + 0.012, 0.0)
    return [
        Thing("box", (wide, maker.height * 0.95, 0.004), board, material),
        Thing("box", (wide, 0.004, maker.thickness * 1.5), ledge, material),
        Thing(
            "box",
            (wide, 0.02, max(0.004, z - 0.004)),
            raise_by(foot, max(0.004, z - 0.004) / 2),
            material,
        ),
    ]


def raise_by(pose: Array, by: float) -> Array:
    """A pose moved along the world's z."""
    moved = pose.copy()
    moved[2, 3] += by
    return moved


def racks(rng: Rng, maker: Maker) -> Stage:
    """One rack as its player's phone sees it, now and then with a few tiles on the table before it."""
    bag = Bag(rng)
    stage = rack(rng, maker, sorted(bag.any(int(rng.integers(12, 23)))))
    tiles = list(stage.tiles)
    if rng.random() < 0.4:
        before = -0.05 - maker.height
        loose = bag.any(int(rng.integers(1, 5)))
        row = _in_a_row(rng, maker, loose, flat(0, before, 0), 0.001)
        tiles += row
    return Stage("racks", tiles, stage.things, stage.faces_camera)


def whole_table(rng: Rng, maker: Maker, laid: tuple[int, int] = (24, 46)) -> Stage:
    """All 106 tiles: melds, a pool of backs, an open box of spare ones, and one or two racks.

    ``laid`` says how many tiles are in melds: at least so many, and fewer than the second number.
    """
    bag = Bag(rng)
    middle = melds(rng, maker, int(rng.integers(*laid)), bag)
    tiles = list(middle.tiles)
    things: list[Thing] = []
    half = np.abs([tile.matrix[:2, 3] for tile in tiles]).max(axis=0) + 0.03
    for side in range(int(rng.integers(1, 3))):
        stand = rack(rng, maker, bag.any(int(rng.integers(8, 17))))
        turn = side * np.pi
        pose = flat(0, 0, turn) @ flat(0, -half[1] - 0.07, 0)
        there = moved(stand, pose)
        tiles, things = tiles + there.tiles, things + there.things
    spare = bag.any(int(rng.integers(10, 25)))
    box_tiles, box = _box(rng, maker, spare, (half[0] + 0.1, 0.0))
    pool = [FACE_DOWN for _ in bag.any(106)]
    reach = 0.66 * float(np.hypot(maker.width, maker.height)) * np.sqrt(len(pool))
    aside = _scattered(rng, maker, pool, (-half[0] - reach - 0.02, 0), reach, 2.0)
    return Stage("whole table", tiles + box_tiles + aside, things + box)


def full_table(rng: Rng, maker: Maker) -> Stage:
    """The same late in a game, half of the tiles and more in melds, and in half of them hands above."""
    stage = whole_table(rng, maker, (50, 76))
    things = list(stage.things)
    shown = [tile for tile in stage.tiles if tile.label != FACE_DOWN]
    for _ in range(int(rng.choice([0, 1, 2], p=[0.5, 0.25, 0.25]))):
        things += reaching_hand(rng, shown)
    return Stage("full table", stage.tiles, things)


def shelves(rng: Rng, maker: Maker) -> Stage:
    """One stand or two, one behind the other, as a player's phone sees them; with tiles before them now
    and then."""
    bag, make = Bag(rng), sample_make(rng, maker)
    near = shelf(rng, maker, make, bag.any(int(rng.integers(3, 23))))
    tiles, things = list(near.tiles), list(near.things)
    if rng.random() < 0.5:
        behind = flat(
            float(rng.uniform(-0.1, 0.1)),
            make.deep + float(rng.uniform(0.03, 0.12)),
            float(rng.normal(0, 0.15)),
        )
        more = moved(shelf(rng, maker, make, bag.any(int(rng.integers(3, 18)))), behind)
        tiles, things = tiles + more.tiles, things + more.things
    if rng.random() < 0.4:
        loose = bag.any(int(rng.integers(1, 7)))
        tiles += _in_a_row(rng, maker, loose, flat(0, -0.04 - maker.height, 0), 0.001)
    return Stage("shelves", tiles, things, near.faces_camera)


def shelf_table(rng: Rng, maker: Maker) -> Stage:
    """Melds in the middle, and stands round them on one to four sides."""
    bag, make = Bag(rng), sample_make(rng, maker)
    middle = melds(rng, maker, int(rng.integers(6, 30)), bag)
    tiles, things = list(middle.tiles), list[Thing]()
    half = np.abs([tile.matrix[:2, 3] for tile in tiles]).max(axis=0) + 0.03
    for quarter in rng.permutation(4)[: int(rng.integers(1, 5))]:
        away = half[1] if quarter % 2 == 0 else half[0]
        place = flat(0, 0, float(quarter) * np.pi / 2) @ flat(
            float(rng.normal(0, 0.03)),
            -float(away) - make.deep - 0.03,
            float(rng.normal(0, 0.06)),
        )
        more = moved(shelf(rng, maker, make, bag.any(int(rng.integers(3, 16)))), place)
        tiles, things = tiles + more.tiles, things + more.things
    return Stage("shelf table", tiles, things)


def _box(
    rng: Rng, maker: Maker, labels: list[str], at: tuple[float, float]
) -> tuple[list[Tile], list[Thing]]:
    """An open box with tiles in it, in rows, some on their backs."""
    columns = 4
    step, down = maker.width + 0.002, maker.height + 0.002
    rows = -(-len(labels) // columns)
    wide, deep = columns * step + 0.012, rows * down + 0.012
    shown = [FACE_DOWN if rng.random() < 0.25 else label for label in labels]
    tiles = [
        Tile(
            label,
            flat(
                at[0] + (k % columns - (columns - 1) / 2) * step,
                at[1] + (k // columns - (rows - 1) / 2) * down,
                float(rng.normal(0, 0.02)) + (np.pi if rng.random() < 0.3 else 0),
                0.0025,
            ),
        )
        for k, label in enumerate(shown)
    ]
    rgb = tuple(float(v) for v in rng.uniform(0.03, 0.5, 3))
    cardboard = {"kind": "plain", "rgb": rgb, "roughness": 0.7}
    tall = float(rng.uniform(0.012, 0.035))
    walls = [
        ((wide, 0.002, tall), (0, deep / 2)),
        ((wide, 0.002, tall), (0, -deep / 2)),
        ((0.002, deep, tall), (wide / 2, 0)),
        ((0.002, deep, tall), (-wide / 2, 0)),
    ]
    things = [Thing("box", (wide, deep, 0.002), flat(*at, 0, 0.001), cardboard)]
    for size, (x, y) in walls:
        things.append(Thing("box", size, flat(at[0] + x, at[1] + y, 0, tall / 2), cardboard))
    return tiles, things


STAGES: dict[str, Callable[[Rng, Maker], Stage]] = {
    "melds": lambda rng, maker: melds(rng, maker, int(rng.integers(10, 46))),
    "racks": racks,
    "whole table": whole_table,
    "full table": full_table,
    "close up": close_up,
    "shelves": shelves,
    "shelf table": shelf_table,
}
"""The kinds of scenes."""

ORDERS = {
    "mixed": (
        "melds",
        "racks",
        "melds",
        "close up",
        "whole table",
        "melds",
        "racks",
        "melds",
        "close up",
        "melds",
    ),
    "melds": ("melds",),
    "shelves": ("shelves", "shelf table"),
    "full-tables": ("full table",),
}
"""Which kind a picture is of, by its number: shares do not hang on luck."""
