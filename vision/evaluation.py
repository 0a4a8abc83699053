"""Figures for readings of labelled photographs: how much was found, named right, asked and missed.

The label format is a JSON object ``{"images": [...]}``; every image has ``image`` (a path relative
to the label file), ``game``, ``design``, ``width``, ``height``, ``tiles`` with ``label`` and
``bbox`` (x, y, width, height in pixels of the photograph with its EXIF orientation applied) and,
where parts of it count neither way, ``ignore`` boxes. A card label such as ``9?`` has no suit labelled.

Who belongs to whom: a reading can belong to a label when its centre lies inside the label's box;
the nearest pairs of centres are taken first, each label and each reading once. What touches the
photograph's border counts neither for nor against.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from pathlib import Path, PurePath
from typing import Any

from vision.placements import Face, Placement

BORDER = 0.004
"""Share of a photograph's longer side: what comes closer to its edge touches the border."""

UNREAD = "?"
"""Name of a reading that names nothing."""

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]
"""Four corners in pixels of the photograph."""


class LabelError(Exception):
    """A file of labels or predictions that cannot be used; one line that names the file."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A tile as somebody labelled it, or as a program read it: name and place."""

    label: str
    """``K7``, ``J``, ``10H``; a suit nobody labelled is ``?``, an unread tile is ``?`` alone."""
    quad: Quad
    sure: bool = True
    """False where the players are asked; labels are always sure."""
    probability: float = 1.0
    """Of the name, as the program that read it says."""

    @classmethod
    def of_box(cls, label: str, x: float, y: float, width: float, height: float) -> Labelled:
        """A tile whose axis-aligned box is known: its left, top, width and height in pixels."""
        return cls(label, _box_corners(x, y, width, height))

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the upright box around it."""
        xs, ys = zip(*self.quad, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    @property
    def centre(self) -> Point:
        """The mean of its corners."""
        xs, ys = zip(*self.quad, strict=True)
        return sum(xs) / 4, sum(ys) / 4


@dataclass(frozen=True, slots=True)
class LabelledPhotograph:
    """A photograph and what is to be found on it."""

    image: str
    """Path as the label file has it, relative to that file."""
    game: str
    design: str
    width: int
    height: int
    tiles: tuple[Labelled, ...]
    ignore: tuple[Quad, ...] = ()
    """Boxes inside which a reading counts neither way."""

    @property
    def name(self) -> str:
        """The file name, by which predictions are matched."""
        return PurePath(self.image).name


class MistakeKind(StrEnum):
    """How a reading and a label can disagree."""

    MISSED = "missed"
    """A label without a reading."""
    EXTRA = "extra"
    """A reading without a label."""
    MISNAMED = "misnamed"
    """A reading of another name than its label."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One disagreement between labels and readings."""

    kind: MistakeKind
    truth: str
    """The label; empty for an extra reading."""
    read: str
    """The reading; empty for a missed label."""
    sure: bool
    """True where the mistake was stated as a fact; a missed tile always is."""
    quad: Quad
    """Where: the reading's corners, or the box of the missed label."""

    def __str__(self) -> str:
        asked = "" if self.sure else " (asked)"
        match self.kind:
            case MistakeKind.MISSED:
                return f"missed {self.truth}"
            case MistakeKind.EXTRA:
                return f"extra {self.read}{asked}"
            case MistakeKind.MISNAMED:
                return f"{self.truth} read as {self.read}{asked}"


@dataclass(frozen=True, slots=True)
class Counts:
    """What was counted, on one photograph or summed over many. Counts add up with ``+``."""

    photos: int = 0
    tiles: int = 0
    """Labels that count."""
    read: int = 0
    """Of these, found and named right."""
    missed: int = 0
    extra: int = 0
    misnamed: int = 0
    number: int = 0
    """Misnamed with a wrong number..."""
    colour: int = 0
    """...with the right number in a wrong colour or suit..."""
    joker: int = 0
    """...a joker taken for something else, or something else for a joker."""
    exact: int = 0
    """Photographs without any mistake."""
    silent: int = 0
    """Mistakes that nobody was asked about; missed tiles are among them."""
    photos_without_silent: int = 0
    readings: int = 0
    """Readings that count."""
    asked: int = 0
    """Of these, put to the players as a question."""

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(Counts)))

    def figures(self) -> dict[str, int | float]:
        """The published figures: shares of tiles, photographs and readings, rounded; counts."""
        tiles, photos, readings = max(1, self.tiles), max(1, self.photos), max(1, self.readings)
        return {
            "photos": self.photos,
            "tiles": self.tiles,
            "read": round(self.read / tiles, 5),
            "missed": self.missed,
            "extra": self.extra,
            "misnamed": self.misnamed,
            "number": self.number,
            "colour": self.colour,
            "joker": self.joker,
            "exact": round(self.exact / photos, 4),
            "silent": self.silent,
            "photos_without_silent": round(self.photos_without_silent / photos, 4),
            "asked": round(self.asked / readings, 4),
        }


@dataclass(frozen=True, slots=True)
class PhotographScore:
    """What one photograph adds to the figures, and every mistake on it."""

    name: str
    counts: Counts
    mistakes: tuple[Mistake, ...]
    """Missed and misnamed labels in the order of the labels, then extra readings in theirs."""
    judged: tuple[tuple[float, bool, bool], ...] = ()
    """Of every reading that counts and names a tile: its probability, whether right, whether sure."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Figures for all photographs, for each game and for each design of it."""

    strata: Mapping[str, Counts]
    """By ``all``, ``GAME`` and ``GAME: DESIGN``, in the order in which they were met."""
    photographs: tuple[PhotographScore, ...]
    unread_photos: int
    """Photographs for which there is no prediction: all their tiles count as missed."""

    def to_json(self) -> dict[str, Any]:
        """For ``--json``: ``unread_photos`` and the figures of all ``strata``."""
        strata = {name: counts.figures() for name, counts in self.strata.items()}
        return {"unread_photos": self.unread_photos, "strata": strata}

    def text(self) -> str:
        """Two lines for each stratum, its name and its figures."""
        lines = []
        if self.unread_photos:
            lines.append(
                f"{self.unread_photos} photographs have no prediction and count as all missed"
            )
        for name, counts in self.strata.items():
            figures = "  ".join(f"{key} {value}" for key, value in counts.figures().items())
            lines += [name, f"   {figures}"]
        return "\n".join(lines)

    def errors_text(self) -> str:
        """One line for each photograph that has mistakes."""
        return "\n".join(
            f"{photo.name}: {'; '.join(map(str, photo.mistakes))}"
            for photo in self.photographs
            if photo.mistakes
        )


def score_photographs(
    labels: Iterable[LabelledPhotograph], predictions: Mapping[str, Sequence[Labelled]]
) -> Evaluation:
    """Figures for predictions, which are matched to the photographs by file name."""
    strata: dict[str, Counts] = defaultdict(Counts)
    scores, unread = [], 0
    for photo in labels:
        unread += photo.name not in predictions
        score = score_photograph(photo, predictions.get(photo.name, ()))
        scores.append(score)
        for stratum in ("all", photo.game, f"{photo.game}: {photo.design}"):
            strata[stratum] += score.counts
    return Evaluation(dict(strata), tuple(scores), unread)


def score_photograph(photo: LabelledPhotograph, readings: Sequence[Labelled]) -> PhotographScore:
    """Count one photograph."""
    reading_of = _matched(photo.tiles, readings)
    taken = set(reading_of.values())
    tally: dict[str, int] = defaultdict(int)
    mistakes: list[Mistake] = []
    judged: list[tuple[float, bool, bool]] = []
    for t, truth in enumerate(photo.tiles):
        if _touches_border(truth, photo):
            continue
        tally["tiles"] += 1
        if t not in reading_of:
            mistakes.append(Mistake(MistakeKind.MISSED, truth.label, "", True, truth.quad))
            continue
        reading = readings[reading_of[t]]
        tally["readings"] += 1
        tally["asked"] += not reading.sure
        right = _same_name(truth.label, reading.label)
        if reading.label != UNREAD:
            judged.append((reading.probability, right, reading.sure))
        if right:
            tally["read"] += 1
            continue
        tally[_what_was_wrong(truth.label, reading.label)] += 1
        mistakes.append(
            Mistake(MistakeKind.MISNAMED, truth.label, reading.label, reading.sure, reading.quad)
        )
    for r, reading in enumerate(readings):
        outside = _touches_border(reading, photo) or any(
            _inside(reading.centre, box) for box in photo.ignore
        )
        if r in taken or outside:
            continue
        tally["readings"] += 1
        tally["asked"] += not reading.sure
        if reading.label != UNREAD:
            judged.append((reading.probability, False, reading.sure))
        mistakes.append(Mistake(MistakeKind.EXTRA, "", reading.label, reading.sure, reading.quad))
    for mistake in mistakes:
        tally[mistake.kind.value] += 1
        tally["silent"] += mistake.sure
    counts = Counts(
        photos=1,
        exact=int(not mistakes),
        photos_without_silent=int(not tally.get("silent")),
        **tally,
    )
    return PhotographScore(photo.name, counts, tuple(mistakes), tuple(judged))


def _matched(truths: Sequence[Labelled], readings: Sequence[Labelled]) -> dict[int, int]:
    """Which reading belongs to which label, both by index: the nearest pairs of centres first."""
    centres = [reading.centre for reading in readings]
    pairs = []
    for t, truth in enumerate(truths):
        x, y = truth.centre
        for r, centre in enumerate(centres):
            if _inside(centre, truth.quad):
                pairs.append(((x - centre[0]) ** 2 + (y - centre[1]) ** 2, t, r))
    reading_of: dict[int, int] = {}
    taken: set[int] = set()
    for _, t, r in sorted(pairs):
        if t not in reading_of and r not in taken:
            reading_of[t] = r
            taken.add(r)
    return reading_of


def _inside(point: Point, quad: Quad) -> bool:
    """Whether a point lies in the upright box around a quad, its edges included."""
    xs, ys = zip(*quad, strict=True)
    return min(xs) <= point[0] <= max(xs) and min(ys) <= point[1] <= max(ys)


def _touches_border(tile: Labelled, photo: LabelledPhotograph) -> bool:
    margin = BORDER * max(photo.width, photo.height)
    left, top, right, bottom = tile.box
    return (
        left <= margin
        or top <= margin
        or right >= photo.width - margin
        or bottom >= photo.height - margin
    )


def _same_name(truth: str, read: str) -> bool:
    truth, read = truth.upper(), read.upper()
    return truth[:-1] == read[:-1] if truth.endswith("?") else truth == read


def _what_was_wrong(truth: str, read: str) -> str:
    """``joker``, ``colour`` or ``number``, for a reading of another name than its label."""
    truth, read = truth.upper(), read.upper()
    # A label that begins with J is a joker when it is J or five letters long: JH is a jack.
    if (truth.startswith("J") and len(truth) in (1, 5)) or read in ("J", "JOKER"):
        return "joker"
    return "colour" if _number(truth) == _number(read) else "number"


def _number(label: str) -> str:
    """The digits of a name, or the letter of a court card."""
    return "".join(letter for letter in label if letter.isdigit()) or label[:1]


def readings_of(placements: Iterable[Placement]) -> tuple[Labelled, ...]:
    """Placements as predictions: face-down tiles left out, unread ones as ``?`` that is asked."""
    return tuple(
        Labelled(
            placement.label or UNREAD,
            _quad(placement.quad_xy.tolist()),
            placement.sure,
            placement.reading.candidates[0].probability if placement.reading.candidates else 0.0,
        )
        for placement in placements
        if placement.face is not Face.DOWN
    )


def load_labels(path: str | Path) -> tuple[LabelledPhotograph, ...]:
    """The photographs of a label file. Raises `LabelError`."""
    path = Path(path)
    content = _json(path, _text(path))
    images = content.get("images") if isinstance(content, dict) else None
    if not isinstance(images, list):
        raise LabelError(f'{path}: expected an object with a list "images"')
    found = []
    for k, entry in enumerate(images):
        try:
            found.append(_photograph(entry))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise LabelError(f"{path}: image {k + 1} cannot be used: {_reason(error)}") from error
    return tuple(found)


def load_predictions(path: str | Path) -> dict[str, tuple[Labelled, ...]]:
    """Predictions by file name from a file with one JSON object a line. Raises `LabelError`.

    Each line is ``{"image", "tiles": [{"label", "quad" or "bbox", "sure"}]}``, as ``read --json``
    prints it.
    """
    path = Path(path)
    found = {}
    for number, line in enumerate(_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        try:
            entry = _json(path, line)
            tiles = tuple(_reading(tile) for tile in entry["tiles"])
            found[PurePath(entry["image"]).name] = tiles
        except (KeyError, TypeError, ValueError) as error:
            raise LabelError(f"{path}: line {number} cannot be used: {_reason(error)}") from error
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise LabelError(f"{path}: there is no such file; check the name") from None
    except (OSError, UnicodeDecodeError) as error:
        raise LabelError(f"{path}: cannot be read: {_reason(error)}") from error


def _json(path: Path, text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LabelError(f"{path}: is not JSON: {_reason(error)}") from error


def _reason(error: BaseException) -> str:
    if isinstance(error, KeyError):
        return f"{error} is missing"
    return " ".join(str(error).split()) or type(error).__name__


def _photograph(entry: dict[str, Any]) -> LabelledPhotograph:
    width, height = int(entry["width"]), int(entry["height"])
    if width < 1 or height < 1:
        raise ValueError(f"{width} x {height} is no size of a photograph")
    return LabelledPhotograph(
        image=str(entry["image"]),
        game=str(entry["game"]),
        design=str(entry["design"]),
        width=width,
        height=height,
        tiles=tuple(Labelled(_label(tile), _box(tile["bbox"])) for tile in entry["tiles"]),
        ignore=tuple(_box(box) for box in entry.get("ignore", ())),
    )


def _reading(tile: dict[str, Any]) -> Labelled:
    quad = _quad(tile["quad"]) if tile.get("quad") else _box(tile["bbox"])
    return Labelled(_label(tile), quad, bool(tile.get("sure", True)))


def _label(tile: dict[str, Any]) -> str:
    label = tile["label"]
    if not isinstance(label, str) or not label:
        raise ValueError(f"a label is a word such as K7, not {label!r}")
    return label


def _quad(points: Sequence[Sequence[float]]) -> Quad:
    corners = [(float(x), float(y)) for x, y in points]
    if len(corners) != 4 or not all(math.isfinite(value) for corner in corners for value in corner):
        raise ValueError(f"a quad is four finite corners, not {points}")
    return corners[0], corners[1], corners[2], corners[3]


def _box(box: Sequence[float]) -> Quad:
    x, y, width, height = (float(value) for value in box)
    return _quad(_box_corners(x, y, width, height))


def _box_corners(x: float, y: float, width: float, height: float) -> Quad:
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)
