"""What is around the tiles: the table's surface, other things on it, and the light."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from vision.rendering.ray_traced.lens import Array, Lens, looking_at
from vision.rendering.ray_traced.solids import Stage, Thing, flat

Rng = np.random.Generator
Linear = tuple[float, float, float]
"""A colour as linear RGB, 0 to 1."""

HDRIS = ("city", "courtyard", "forest", "interior", "night", "studio", "sunrise", "sunset")
"""The panoramas of light that come with Blender (Greg Zaal, HDRI Haven, CC0)."""

TABLES = ("wood", "white", "glossy", "cloth", "felt", "carpet", "checked", "dotted", "marble")
TABLE_SHARES = (0.26, 0.17, 0.08, 0.12, 0.1, 0.07, 0.06, 0.06, 0.08)

WOODS: tuple[tuple[Linear, Linear], ...] = (
    ((0.36, 0.19, 0.08), (0.21, 0.1, 0.04)),
    ((0.55, 0.36, 0.19), (0.42, 0.26, 0.13)),
    ((0.12, 0.055, 0.025), (0.06, 0.027, 0.014)),
    ((0.68, 0.52, 0.34), (0.56, 0.4, 0.24)),
)


def sample_table(rng: Rng) -> dict[str, Any]:
    """A table's material, ``kind`` first."""
    kind = str(rng.choice(TABLES, p=TABLE_SHARES))
    scale = float(rng.uniform(0.7, 1.4))
    dull = float(rng.uniform(0.6, 0.95))
    anything = [float(v) for v in rng.uniform(0.02, 0.6, 3)]
    other = [float(v) for v in rng.uniform(0.02, 0.8, 3)]
    if kind == "wood":
        light, dark = WOODS[int(rng.integers(len(WOODS)))]
        gloss = float(rng.uniform(0.15, 0.6))
        return {
            "kind": "wood",
            "rgb": light,
            "second": dark,
            "scale": 7 * scale,
            "roughness": gloss,
        }
    if kind == "white":
        level = float(rng.uniform(0.6, 0.85))
        rgb = [level, level * float(rng.uniform(0.96, 1)), level * float(rng.uniform(0.9, 1))]
        return {"kind": "plain", "rgb": rgb, "roughness": float(rng.uniform(0.2, 0.8))}
    if kind == "glossy":
        level = float(rng.choice([0.02, 0.1, 0.8]))
        return {"kind": "plain", "rgb": [level] * 3, "roughness": float(rng.uniform(0.03, 0.15))}
    if kind == "felt":
        cloths = ((0.02, 0.16, 0.06), (0.03, 0.08, 0.2), (0.25, 0.02, 0.03))
        cloth = cloths[int(rng.integers(len(cloths)))]
        return {"kind": "felt", "rgb": cloth, "roughness": 1.0, "scale": scale}
    if kind == "marble":
        return {"kind": "marble", "rgb": [0.75, 0.74, 0.72], "second": [0.25, 0.25, 0.27],
                "scale": 6 * scale, "roughness": float(rng.uniform(0.05, 0.3))}  # fmt: skip
    return {"kind": kind, "rgb": anything, "second": other, "scale": scale, "roughness": dull}


def kelvin_rgb(kelvin: float) -> Linear:
    """The colour of a black body between 1,900 and 6,600 K as linear RGB, red at 1.

    A fit to the CIE 1931 locus, good to a few percent: nothing here hangs on more.
    """
    if not 1900 <= kelvin <= 6600:
        raise ValueError(f"{kelvin} K is no lamp")
    green = 0.39008 * np.log(kelvin / 100) - 0.63184
    blue = 0.54321 * np.log(kelvin / 100 - 10) - 1.19625
    return 1.0, float(np.clip(green, 0, 1) ** 2.2), float(np.clip(blue, 0, 1) ** 2.2)


@dataclass(frozen=True, slots=True)
class LampHabits:
    """How often which lamps are there (0 to 1), and how strong the panorama is beside them."""

    evening: float
    window: float
    ceiling: float
    mirrored: float
    dusk: float
    """Upper bound of the panorama's strength in the evening, over 0.02."""
    day: float
    """Lower bound of the panorama's strength by day, under 1.2."""
    warm: float | None
    """Of mirrored lamps, how many are of 1,950 to 4,200 K; None for any of 2,700 to 6,000 K."""
    gloss: float = 0.0
    """How often glossy, mostly domed tiles mirror a window into the camera."""


USUAL_LAMPS: Final = LampHabits(0.2, 0.4, 0.25, 0.25, 0.1, 0.4, None)

MANY_LAMPS: Final = LampHabits(0.35, 0.3, 0.3, 0.7, 0.12, 0.25, 0.75)
"""To learn from: warm lamps, most of them mirrored by tiles, which turns their red to orange."""

WINDOWS: Final = LampHabits(0.06, 0.1, 0.15, 0.08, 0.12, 0.25, None, gloss=0.85)
"""To learn from: windows with their bars, mirrored in gloss, which veil ink and make black bluish."""


def sample_light(
    rng: Rng, lens: Lens, middle: Array, habits: LampHabits = USUAL_LAMPS
) -> dict[str, Any]:
    """A panorama's light, and often a window, a warm lamp or a lamp that is mirrored on the tiles."""
    lamps = []
    evening = rng.random() < habits.evening
    if rng.random() < habits.window and not evening:
        lamps.append(_window(rng, middle))
    if evening or rng.random() < habits.ceiling:
        lamps.append(_ceiling_lamp(rng, middle))
    mirrored = rng.random() < habits.mirrored
    if mirrored:
        lamp = _mirrored_lamp(rng, lens, middle)
        if habits.warm is not None:
            warm = rng.random() < habits.warm
            lamp["rgb"] = kelvin_rgb(float(rng.uniform(*((1950, 4200) if warm else (4200, 6500)))))
        lamps.append(lamp)
    strengths = (0.02, habits.dusk) if evening else (habits.day, 1.2)
    return {
        "hdri": str(rng.choice(HDRIS)),
        "turn": float(rng.uniform(0, 2 * np.pi)),
        "strength": float(rng.uniform(*strengths)),
        "lamps": lamps,
        "glare": mirrored,
    }


def _area(
    place: Array, target: Array, across: float, watts: float, kelvin: float
) -> dict[str, Any]:
    matrix = looking_at(place, target, 0.0)
    return {"matrix": matrix.tolist(), "across": across, "watts": watts, "rgb": kelvin_rgb(kelvin)}


def _window(rng: Rng, middle: Array) -> dict[str, Any]:
    angle, away = float(rng.uniform(0, 2 * np.pi)), float(rng.uniform(1.2, 2.5))
    aside = [away * np.cos(angle), away * np.sin(angle), float(rng.uniform(0.6, 1.4))]
    place = middle + np.array(aside)
    return _area(place, middle, 1.2, float(rng.uniform(20, 90)), float(rng.uniform(5200, 6500)))


def _ceiling_lamp(rng: Rng, middle: Array) -> dict[str, Any]:
    aside = rng.uniform(-0.6, 0.6, 2)
    place = middle + np.array([*aside, rng.uniform(0.8, 1.7)])
    across = float(rng.choice([0.08, 0.25, 0.5]))
    return _area(place, middle, across, float(rng.uniform(6, 25)), float(rng.uniform(2600, 3000)))


def _mirrored_lamp(rng: Rng, lens: Lens, middle: Array) -> dict[str, Any]:
    """A lamp where a flat tile near the middle reflects it into the camera."""
    spot = middle + np.array([*rng.uniform(-0.08, 0.08, 2), 0.0])
    ray = spot - lens.place
    ray[2] = -ray[2]
    ray += np.array([*rng.normal(0, 0.05, 2), 0.0])
    place = spot + ray / np.linalg.norm(ray) * float(rng.uniform(0.9, 1.6))
    across = float(rng.uniform(0.08, 0.4))
    return _area(place, spot, across, float(rng.uniform(3, 15)), float(rng.uniform(2700, 6000)))


def sample_clutter(rng: Rng, stage: Stage) -> list[Thing]:
    """None to three other things beside the tiles; prints are named and drawn by the caller."""
    count = int(rng.choice([0, 1, 2, 3], p=[0.35, 0.3, 0.2, 0.15]))
    if stage.kind in {"whole table", "full table"}:
        count = min(count, 1)
    taken = [tile.matrix[:2, 3] for tile in stage.tiles]
    taken += [thing.matrix[:2, 3] for thing in stage.things]
    reach = np.abs(taken).max(axis=0) + 0.06
    found: list[Thing] = []
    for name in rng.permutation(["cup", "pencil", "phone", "card", "coin", "paper"])[:count]:
        room = {
            "cup": 0.06,
            "pencil": 0.09,
            "phone": 0.09,
            "card": 0.06,
            "coin": 0.025,
            "paper": 0.14,
        }
        for _ in range(60):
            at = rng.uniform(-reach - room[name] * 0.7, reach + room[name] * 0.7)
            if min(np.linalg.norm(at - other) for other in taken) > room[name] + 0.022:
                found += _thing(rng, str(name), float(at[0]), float(at[1]))
                taken.append(at)
                break
    return found


def _thing(rng: Rng, name: str, x: float, y: float) -> list[Thing]:
    turn = float(rng.uniform(0, 2 * np.pi))

    def at(z: float) -> Array:
        return flat(x, y, turn, z)

    colour = [float(v) for v in rng.uniform(0.05, 0.8, 3)]
    china = {"kind": "plain", "rgb": colour, "roughness": 0.1}
    if name == "cup":
        handle = at(0.045) @ flat(0.04, 0, 0)
        handle[:3, :3] = handle[:3, :3] @ np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
        inside = {"kind": "plain", "rgb": [0.03, 0.015, 0.008], "roughness": 0.05}
        return [
            Thing("cylinder", (0.08, 0.08, 0.09), at(0.045), china),
            Thing("cylinder", (0.072, 0.072, 0.002), at(0.0905), inside),
            Thing("ring", (0.025, 0.005, 0), handle, china),
        ]
    if name == "pencil":
        lying = at(0.004)
        lying[:3, :3] = lying[:3, :3] @ np.array([[0, 0, 1.0], [1, 0, 0], [0, 1, 0]])
        return [Thing("cylinder", (0.0075, 0.0075, 0.16), lying, {**china, "roughness": 0.35})]
    if name == "phone":
        shell = {"kind": "plain", "rgb": [0.01] * 3, "roughness": 0.04}
        return [Thing("box", (0.074, 0.155, 0.008), at(0.004), shell)]
    if name == "coin":
        metal = {"kind": "metal", "rgb": [0.8, 0.6, 0.3], "roughness": 0.3}
        return [Thing("cylinder", (0.0243, 0.0243, 0.002), at(0.001), metal)]
    size = (0.063, 0.088, 0.0006) if name == "card" else (0.148, 0.21, 0.0004)
    sheet = {"kind": "print", "print": name, "rgb": [0.85] * 3, "roughness": 0.4}
    return [Thing("sheet", size, at(size[2] / 2), sheet)]
