"""A maker's set as it was got to know, and what that knowledge makes of readings.

The network's own probabilities and the evidence of the set's features are multiplied, each raised to a
power: the two look at the same pixels and are far from independent. Only what a face-up tile shows is
corrected; whether something is a tile, its back or nothing stays as the network has it, and so does
how far a six is told from a nine. A picture whose tiles are unlike the set is read as if no set were
known.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from models.classes import COLOURS, FACES, NUMBERS
from models.sureness import SureFrom
from models.tile_reader import INKS, SHAPES, Readings
from vision.enrolment.inks import Ink
from vision.enrolment.likeness import Features, Likeness
from vision.enrolment.logistic import softmax

FORMAT_NAME = "meldwatch-set/"
FORMAT = FORMAT_NAME + "3"
"""Raised when what is learned changes: older sets have to be enrolled anew."""

NETWORK_SAYS_SHAPES, SHAPES_SAY = 0.3, 1.0
NETWORK_SAYS_INKS, INKS_SAY = 1.0, 0.5
"""Powers of the network's probabilities and of the set's evidence. Chosen on generated tables of
held-out designs (`vision.enrolment.measure`): the set tells its digits apart better than the network,
which tells inks well enough by comparison within a picture."""

SURE_FROM = SureFrom(face=0.95, other=0.05, colour=0.98)
"""A corrected reading is sure from here. Of 5,212 readings of 21 sets (seeds 90 and 91) one was wrong
where number and colour together had 0.943, and two from 0.925: the product of the two witnesses claims
less than it could."""

ROUNDS = 3
"""How often it is estimated anew what a picture adds to the features of all its tiles, by what they
are taken for by then."""

TURNED = (NUMBERS.index(6), NUMBERS.index(9))
"""The features are those of the way up that the network prefers. A six that it takes upside down looks
like a nine to the set as well, however well that knows its nines."""

LEAST_PROBABILITY = 1e-6
"""No probability is taken for lower before it is corrected: no evidence could ever lift it."""

LIKE, UNLIKE = 0.85, 1.1
"""How far the middle tile of a picture is from its nearest kind. Under the first, as four in five
pictures of the set are, it is the set's, and the set is believed against the network; of other sets'
pictures one in twenty lies there. From the second on it is another set's, or seen too badly to tell."""


class Knowledge(Protocol):
    """What is known of a set, and what it makes of a picture's readings."""

    @property
    def sure_from(self) -> SureFrom:
        """The probabilities from which a corrected reading is sure."""

    def fits(self, readings: Readings) -> bool:
        """Whether the tiles of a picture look as if they were of this set."""

    def corrected(self, readings: Readings) -> Readings:
        """The readings of one picture with classes and colours as this set makes them likely."""


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
        return distance(readings, self.shapes) <= UNLIKE

    def corrected(self, readings: Readings) -> Readings:
        """The readings of one picture with classes and colours as this set makes them likely.

        Where it is less than certain that the tiles are of this set, one that it would name otherwise
        than the network gets the mean of both answers, which is never sure.
        """
        if not len(readings):
            return readings
        classes, colours = weighed(readings, self.shapes, self.colours)
        if distance(readings, self.shapes) > LIKE:
            classes = doubtful_where_at_odds(classes, readings.classes)
            colours = doubtful_where_at_odds(colours, readings.colours)
        return replace(readings, classes=classes, colours=colours)

    @property
    def sure_from(self) -> SureFrom:
        """The probabilities from which a corrected reading is sure."""
        return SURE_FROM

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
        kept_as = str(value["format"])
        if kept_as != FORMAT and kept_as.startswith(FORMAT_NAME):
            raise SetError(f"{path}: was learned by another release; enrol the set again")
        if kept_as != FORMAT:
            raise ValueError(f"is {kept_as}, this program needs {FORMAT}")
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


def weighed(readings: Readings, shapes: Likeness, inks: Likeness) -> tuple[Features, Features]:
    """Classes (n, 16) and colours (n, 4) of a picture's tiles, n at least 1, as the network and a set's
    features together make them likely."""
    counted = _face_up(readings)
    faces = readings.classes[:, :FACES]
    by_shape, _ = _weighed(faces, NETWORK_SAYS_SHAPES, shapes, readings.shapes, SHAPES_SAY, counted)
    classes = readings.classes.copy()
    classes[:, :FACES] = no_surer_which_way_up(by_shape, faces)
    classes[:, :FACES] *= faces.sum(axis=1, keepdims=True)
    colours, _ = _weighed(
        readings.colours, NETWORK_SAYS_INKS, inks, readings.inks, INKS_SAY, counted
    )
    return classes, colours


def distance(readings: Readings, shapes: Likeness) -> float:
    """How far the middle face-up tile of a picture is from its nearest kind; 0 where none is."""
    face_up = _face_up(readings)
    if not face_up.any():
        return 0.0
    seen, faces = readings.shapes[face_up], readings.classes[face_up, :FACES]
    _, drift = _weighed(faces, NETWORK_SAYS_SHAPES, shapes, seen, SHAPES_SAY)
    return float(np.median(shapes.distances(seen, drift).min(axis=1)))


def _face_up(readings: Readings) -> NDArray[np.bool_]:
    return np.asarray(readings.classes[:, :FACES].sum(axis=1) >= 0.5)


def _weighed(
    probabilities: Features,
    power: float,
    likeness: Likeness,
    features: Features,
    evidence_power: float,
    counted: NDArray[np.bool_] | None = None,
) -> tuple[Features, Features | None]:
    """Rows proportional to probabilities and likelihoods, each to its power, which sum to 1; and what
    the picture was found to add to all features, None where none of its tiles is ``counted``."""
    counted = np.ones(len(features), np.bool_) if counted is None else counted
    network = np.log(np.maximum(probabilities, LEAST_PROBABILITY))
    # Of a kind that was not seen the network alone knows anything: it says so with its full voice.
    best = np.where(likeness.seen, network, -np.inf).max(axis=1, keepdims=True)
    network = np.where(likeness.seen, power * network, power * best + network - best)
    drift = None
    for _ in range(ROUNDS if counted.any() else 0):
        weighed = softmax(network + evidence_power * likeness.evidence(features, drift))
        drift = likeness.drift_of(features[counted], weighed[counted].astype(np.float32))
    weighed = softmax(network + evidence_power * likeness.evidence(features, drift))
    return weighed.astype(np.float32), drift


def doubtful_where_at_odds(known: Features, network: Features) -> Features:
    """``known`` (n, k), with the mean of both in rows whose likeliest differ."""
    at_odds = known.argmax(axis=1) != network.argmax(axis=1)
    return np.where(at_odds[:, None], (known + network) / 2, known)


def no_surer_which_way_up(shapes: Features, faces: Features) -> Features:
    """``shapes`` (n, FACES) with odds between six and nine that are no longer than in ``faces``, and for
    the same of the two: a reading says which way up the tile lies, and has to go on saying it."""
    pair = list(TURNED)
    after, before = (np.log(np.maximum(one[:, pair], LEAST_PROBABILITY)) for one in (shapes, faces))
    longest = np.abs(before[:, 0] - before[:, 1])
    odds = np.clip(after[:, 0] - after[:, 1], -longest, longest)
    at_odds = odds * (before[:, 0] - before[:, 1]) < 0
    odds = np.where(at_odds, before[:, 0] - before[:, 1], odds)
    first = shapes[:, pair].sum(axis=1) / (1 + np.exp(-odds))
    turned = shapes.copy()
    turned[:, pair[0]], turned[:, pair[1]] = first, shapes[:, pair].sum(axis=1) - first
    return turned
