"""A maker's set as it was got to know, and what that knowledge makes of readings.

The network's own probabilities and the evidence of the set's features are multiplied, each raised to a
power: the two look at the same pixels and are far from independent. Only what a face-up tile shows is
corrected; whether something is a tile, its back or nothing stays as the network has it. A picture whose
tiles are unlike the set is read as if no set were known.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from models.classes import COLOURS, JOKER
from models.tile_reader import INKS, SHAPES, Readings
from vision.enrolment.inks import Ink
from vision.enrolment.likeness import Likeness

FORMAT = "meldwatch-set/2"

FACES = JOKER + 1
"""The classes that a face-up tile may be: the thirteen numbers and the joker come first."""

NETWORK_SAYS_SHAPES, SHAPES_SAY = 0.5, 0.15
NETWORK_SAYS_INKS, INKS_SAY = 1.0, 0.1
"""Powers of the network's probabilities and of the set's evidence. Chosen on generated tables of
held-out designs (`vision.enrolment.measure`), where twice or half as much changes little; inks are
told apart well by comparison within a picture, and knowing them adds only a little."""

SURE_PROBABILITY = 0.99
"""A corrected reading is sure from here. With the shipped networks that leaves one reading in 400 of
hard drawn tables wrong and unasked; the networks alone, asking twice as often, leave one in 600."""

LEAST_PROBABILITY = 1e-6
"""No probability is taken for lower before it is corrected: no evidence could ever lift it."""

UNLIKE = 1.8
"""The middle tile of a picture is so far from its nearest kind when the picture shows another set:
of the set's own pictures 95 in 100 stay below 1.6, of other sets' 75 in 100 lie above 2.0."""


class SetError(Exception):
    """A set that cannot be used; one line: the file, what is wrong, what to do."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownSet:
    """What was learned of one set with one tile reader network."""

    name: str
    copies: int
    """How many of each kind it holds: 1 or 2."""
    tiles: int
    """Of how many tiles it was learned."""
    network: str
    """SHA-256 of the tile reader whose features these are."""
    shapes: Likeness
    """By the classes of a face-up tile: 1 to 13, joker."""
    colours: Likeness
    """By the four colours."""
    inks: tuple[Ink, ...]
    """The paints, measured."""

    def fits(self, readings: Readings) -> bool:
        """Whether the tiles of a picture look as if they were of this set."""
        face_up = readings.classes[:, :FACES].sum(axis=1) >= 0.5
        if not face_up.any():
            return True
        nearest = self.shapes.distances(readings.shapes[face_up]).min(axis=1)
        return bool(np.median(nearest) <= UNLIKE)

    def corrected(self, readings: Readings) -> Readings:
        """The readings of one picture with classes and colours as this set makes them likely."""
        if not len(readings):
            return readings
        face_up = readings.classes[:, :FACES]
        shapes = _weighed(
            face_up, NETWORK_SAYS_SHAPES, self.shapes.evidence(readings.shapes), SHAPES_SAY
        )
        classes = readings.classes.copy()
        classes[:, :FACES] = shapes * face_up.sum(axis=1, keepdims=True)
        colours = _weighed(
            readings.colours, NETWORK_SAYS_INKS, self.colours.evidence(readings.inks), INKS_SAY
        )
        return replace(readings, classes=classes, colours=colours)

    def to_json(self) -> dict[str, Any]:
        """As it is kept in a file."""
        return {
            "format": FORMAT,
            "name": self.name,
            "copies": self.copies,
            "tiles": self.tiles,
            "network": self.network,
            "inks": [ink.to_json() for ink in self.inks],
            "shapes": self.shapes.to_json(),
            "colours": self.colours.to_json(),
        }

    def save(self, path: Path) -> None:
        """Write it to a file, whole or not at all. Raises OSError."""
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(".part")
        unfinished.write_text(json.dumps(self.to_json()) + "\n", "utf-8")
        unfinished.replace(path)


def load_known_set(path: Path, network: str) -> KnownSet:
    """The set in a file, for the tile reader with this SHA-256. Raises :class:`SetError`."""
    try:
        value = json.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise SetError(f"{path}: there is no such set; meldwatch enrol makes one") from error
    except (OSError, ValueError) as error:
        raise SetError(f"{path}: cannot be read; enrol the set again") from error
    try:
        if value["format"] != FORMAT:
            raise ValueError(f"is {value['format']}, this program needs {FORMAT}")
        found = KnownSet(
            str(value["name"]),
            int(value["copies"]),
            int(value["tiles"]),
            str(value["network"]),
            Likeness.from_json(value["shapes"], FACES, SHAPES),
            Likeness.from_json(value["colours"], len(COLOURS), INKS),
            tuple(Ink.from_json(ink) for ink in value["inks"]),
        )
    except (ValueError, KeyError, TypeError) as error:
        raise SetError(f"{path}: is no set as this program keeps it; enrol it again") from error
    if found.network != network:
        raise SetError(
            f"{path}: was enrolled with another tile reader network; enrol the set again"
        )
    return found


def set_path(folder: Path, name: str) -> Path:
    """The file of the set called ``name`` below a data folder.

    No folder, hidden file or other name can hide in the name. Raises ValueError where it has neither
    a letter nor a digit.
    """
    plain = "".join(c if c.isalnum() else "-" for c in name.strip().lower()).strip("-")
    if not plain:
        raise ValueError("give the set a name with a letter or a digit")
    return folder / "sets" / f"{plain[:80]}.json"


def _weighed(
    probabilities: NDArray[np.float32],
    power: float,
    evidence: NDArray[np.float32],
    evidence_power: float,
) -> NDArray[np.float32]:
    """Rows proportional to probabilities and likelihoods, each to its power; they sum to 1."""
    logs = power * np.log(np.maximum(probabilities, LEAST_PROBABILITY)) + evidence_power * evidence
    odds = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True), np.float32)
