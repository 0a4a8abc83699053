"""Which of the bodies that were found are tiles, and what of each is said: face up with its candidates,
face down, or seen but unread.

Finder and tile reader err apart: what one of them hardly believes in is a tile all the same where it
lies among tiles and is made as they are, and none where it is of another size, material or make.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.layout import Candidate, TileReading
from models.classes import FACE_DOWN, NOT_A_TILE, NUMBERS
from models.detections import Detections
from models.finder import without_doubles
from models.sureness import SureFrom
from models.tile_reader import Readings
from vision.body_colours import of_another_colour
from vision.company import (
    COMPANY,
    DARKER,
    MUCH_DARKER,
    NEAR_TILES,
    fills_a_row,
    goes_on_a_row,
    in_company,
    made_alike,
    nearest,
    of_darker_make,
    upon_others,
)
from vision.frame import Pixels
from vision.patterned_cloth import figures_of_cloth
from vision.placements import Face, Placement
from vision.ranking import ranked_candidates
from vision.tile_sizes import of_one_set, of_other_sizes

LEAST_NUMBER = 0.3
"""Finder score times the probability of the likeliest number that a numbered tile must reach.

Chosen, as the next one, from the table of ``models.training.measure`` on held-out generated pictures:
below it, every second number is wrong, and there is half a false alarm for each right one."""

LEAST_OTHER = 0.4
"""The same for jokers and backs: what is no tile is most often taken for one of these."""

CERTAIN_BODY = 0.5
"""Finder score times the probability of being a tile at all, from which a tile that cannot be read is
reported as unread wherever it lies, and below which no reading is sure."""

FAINT_BODY = 0.4
"""The same for what lies among tiles and is as large as they are. Of 140 held-out generated pictures,
many with other things on the table, 36 tiles and 12 others come to be asked about by it; without that
company it would be 66 and 36, and from 0.3 on two others for each tile."""

AS_CLEARLY = 0.8
"""What the tile reader takes for no tile is asked about all the same where the finder saw it so nearly
as clearly as the middle one of the tiles that were read, and it lies close beside them and is as
large."""

CLEARLY_IN_A_ROW = 0.7
"""The same for one that lies in line with a tile and touches it, as the next one of its row."""

SEEN_IN_A_ROW = 0.5
"""The same for one that lies in line between two tiles and touches both: no table shows there, and
nobody lays anything else so, whatever the reader takes it for."""

CERTAINLY_NONE = 0.997
"""Probability of being no tile from which that is believed wherever it lies, but between two tiles."""

BESIDE = (0.55, 1.6)
"""How far from the nearest tile it may lie, middle to middle, in its own sizes: nearer, it is a part
of that one."""

FAINTLY_SEEN, HALF_AS_CLEARLY = 0.4, 0.5
"""Finder score, and part of that of the middle one of the tiles, from which what is made like them
(`vision.company.MADE_ALIKE`) is asked about though the tile reader takes it for no tile."""

PROBABLY_NONE = 0.98
"""Probability of being no tile from which that is believed of it all the same."""

MAYBE_NOTHING = 0.6
"""Finder score times the probability of being a tile at all, below which a doubtful reading may be of
something else: a vein of marble, the weave of a carpet. From here on one numbered reading in 400 is a
false alarm, by the same table."""

CLEARLY_FOUND = 0.8
"""Finder score from which an unread tile is one all the same. Of 3,335 false alarms in photographs of
cards two reach it, and of 27 on empty tables none comes near."""

MAYBE_BACK = 0.1
"""Probability of being face down from which a doubtful tile may be a back, and so none of a set."""

CLEARLY_DOWN = 0.8
"""Probability of being face down from which that is a fact. Of 587 held-out backs 13 had less, and so
had thin digits on wood that were taken for backs."""

AMONG_BACKS = 2
"""Backs close by that make one more of a body that nobody can read: a heap lies face down together."""

BURNT_OUT = 0.985
"""White, as a part of full scale in each channel, from which a tile without ink may have lost it to the
light. Of drawn tables every face that was taken for a back was as white, and one back in sixteen, none
of them in a row with tiles that are read."""

OVERLAP = (0.3, 0.5)
"""Two readings that share more than this, of their union or of the smaller, are one tile."""


def placed(
    found: Detections,
    readings: Readings,
    sure_from: SureFrom,
    pixels_bgr: Pixels | None = None,
    no_fact: int | None = None,
) -> list[tuple[int, Placement]]:
    """Placements from what both networks say of the same quads, each tile once, with its quad's number.

    Without the picture (H, W, 3) nothing is asked about for what it is made of. What was seen in
    passing, from the quad ``no_fact`` on, may lie in deep shade.
    """
    placements: list[tuple[int, Placement]] = []
    faint: list[tuple[int, Placement]] = []
    denied: list[tuple[int, Placement]] = []
    refused: list[tuple[int, Placement]] = []
    is_clear = sure_from.holds(readings.classes, readings.colours)
    candidates = ranked_candidates(readings.classes, readings.colours)
    for index, score in enumerate(found.scores):
        quad = found.quads_xy[index]
        if readings.upright[index] < 0.5:
            quad = np.roll(quad, 2, axis=0)
        classes = readings.classes[index]
        placement = _placement(
            quad, float(score), classes, candidates[index], bool(is_clear[index])
        )
        if placement is None:
            certainly_none = readings.classes[index, NOT_A_TILE] >= CERTAINLY_NONE
            bodies = refused if certainly_none else denied
            bodies.append((index, _unread(quad, float(score), readings.classes[index])))
            continue
        is_faint = placement.face is Face.UNREAD and placement.confidence < CERTAIN_BODY
        (faint if is_faint else placements).append((index, placement))
    read = [(index, p) for index, p in placements if p.face is not Face.UNREAD]
    company = [placement for _, placement in read]
    usual_score = float(np.median([found.scores[index] for index, _ in read])) if read else 0.0
    if len(read) >= COMPANY:
        seen = {index: found.scores[index] / usual_score for index, _ in denied}
        beside = in_company(
            [pair for pair in denied if seen[pair[0]] >= CLEARLY_IN_A_ROW], company, BESIDE
        )
        placements += in_company(faint, company, (0.0, NEAR_TILES))
        filling = {
            index: body
            for index, body in in_company([*denied, *refused], company, BESIDE)
            if found.scores[index] >= SEEN_IN_A_ROW * usual_score and fills_a_row(body, company)
        }
        placements += filling.items()
        placements += [
            (index, body)
            for index, body in beside
            if index not in filling and (seen[index] >= AS_CLEARLY or goes_on_a_row(body, company))
        ]
        if pixels_bgr is not None:
            alone = [
                pair
                for pair in [*denied, *faint]
                if found.scores[pair[0]] >= max(FAINTLY_SEEN, HALF_AS_CLEARLY * usual_score)
                and readings.classes[pair[0], NOT_A_TILE] < PROBABLY_NONE
            ]
            placements += made_alike(pixels_bgr, alone, placements)
    elif read:
        clear = [pair for pair in denied if found.scores[pair[0]] >= AS_CLEARLY * usual_score]
        placements += in_company(clear, company, BESIDE)
    can_be = of_one_set([placement for _, placement in placements])
    placements = [pair for pair, can in zip(placements, can_be, strict=True) if can]
    if not placements:
        return []
    quads = np.stack([p.quad_xy for _, p in placements])
    rank = np.array([p.confidence for _, p in placements], np.float32)
    single = [placements[index] for index in without_doubles(quads, rank, *OVERLAP)]
    unlike = of_other_sizes([placement for _, placement in single])
    single = [
        (index, in_doubt(placement) if is_unlike else placement)
        for (index, placement), is_unlike in zip(single, unlike, strict=True)
    ]
    single += upon_others([*denied, *faint], single)
    told = _with_backs_told(single, found, readings)
    if pixels_bgr is None:
        return told
    in_passing = len(found.scores) if no_fact is None else no_fact
    return _without_other_things(told, readings, pixels_bgr, in_passing)


def _without_other_things(
    told: list[tuple[int, Placement]], readings: Readings, pixels_bgr: Pixels, in_passing: int
) -> list[tuple[int, Placement]]:
    """The placements, each with the number of its quad, without what is in doubt and of another material
    or make in the picture (H, W, 3), and without bodies that nobody can read and that are figures of the
    cloth. What was seen ``in_passing``, from that quad on, may be dark for lying in the shade."""
    are_other = of_another_colour(pixels_bgr, [placement for _, placement in told])
    told = [pair for pair, is_other in zip(told, are_other, strict=True) if not is_other]
    sure = readings.whites[[index for index, placement in told if placement.reading.sure]]
    left = [
        (index, placement)
        for index, placement in told
        if placement.sure
        or not of_darker_make(
            readings.whites[index], sure, _darkest(placement, in_passing=index >= in_passing)
        )
    ]
    faces = {face: [p for _, p in left if p.face is face] for face in Face}
    unread = faces[Face.UNREAD]
    is_figure = figures_of_cloth(pixels_bgr, unread, faces[Face.DOWN], faces[Face.UP])
    figures = {id(body) for body, is_one in zip(unread, is_figure, strict=True) if is_one}
    return [pair for pair in left if id(pair[1]) not in figures]


def _darkest(placement: Placement, *, in_passing: bool) -> float:
    """The part of the tiles' white below which something in doubt is of another make. A joker may be of
    another colour than the numbers."""
    if placement.face is Face.UNREAD:
        return DARKER
    best = placement.reading.best
    return 0.0 if in_passing or best is None or best.is_joker else MUCH_DARKER


def _with_backs_told(
    single: Sequence[tuple[int, Placement]], found: Detections, readings: Readings
) -> list[tuple[int, Placement]]:
    """The placements, each with the number of its quad: a body of the pool is a back, and a back whose
    print the light may have burnt out is unread."""
    down = [placement for _, placement in single if placement.face is Face.DOWN]
    up = [placement for _, placement in single if placement.face is Face.UP]
    unread = [placement for _, placement in single if placement.face is Face.UNREAD]
    told = []
    for index, placement in single:
        maybe_back = bool(readings.classes[index, FACE_DOWN] >= MAYBE_BACK)
        # Several that nobody can read, side by side and unlike backs, may be a set.
        others = up if maybe_back else [*up, *(p for p in unread if p is not placement)]
        if _is_of_the_pool(placement, 1 if maybe_back else AMONG_BACKS, down, others):
            placement = _as_back(placement)
        elif _may_be_burnt_out(placement, readings.whites[index], up):
            score = float(found.scores[index])
            placement = _unread(placement.quad_xy, score, readings.classes[index])
        told.append((index, placement))
    return told


def _may_be_burnt_out(
    placement: Placement, white: NDArray[np.float32], up: Sequence[Placement]
) -> bool:
    """Whether what looks like a back may be a face that the light has washed out: as ``white`` (3,) as a
    picture can be, and in a row with some of the tiles that lie face ``up``."""
    if placement.face is not Face.DOWN or len(up) < COMPANY or white.min() < BURNT_OUT:
        return False
    return goes_on_a_row(placement, up)


def _is_of_the_pool(
    placement: Placement, least: int, down: Sequence[Placement], others: Sequence[Placement]
) -> bool:
    """Whether a tile that nobody can read lies near so many backs at least, and beside none of the
    ``others``."""
    if placement.face is not Face.UNREAD:
        return False
    if sum(nearest(placement, [back]) < NEAR_TILES for back in down) < least:
        return False
    return not others or nearest(placement, others) >= BESIDE[1]


def _as_back(placement: Placement) -> Placement:
    return replace(placement, reading=TileReading((), sure=False), face=Face.DOWN)


def _placement(
    quad_xy: NDArray[np.float32],
    score: float,
    classes: NDArray[np.float32],
    ranked: tuple[tuple[Candidate, ...], tuple[Candidate, ...]],
    is_clear: bool,
) -> Placement | None:
    """One tile as read; None when it is more likely none. ``ranked`` is what it may be, and ``is_clear``
    whether it is sure which one it is if it is one.

    A body whose ink says nothing is unread, a faint one too.
    """
    body = score * float(1 - classes[NOT_A_TILE])
    likeliest = int(np.argmax(classes[:NOT_A_TILE]))
    least = LEAST_NUMBER if likeliest < len(NUMBERS) else LEAST_OTHER
    maybe_back = float(classes[FACE_DOWN]) >= MAYBE_BACK
    if score * float(classes[likeliest]) < least:
        return _unread(quad_xy, score, classes) if body >= FAINT_BODY else None
    if likeliest == FACE_DOWN and classes[FACE_DOWN] < CLEARLY_DOWN:
        return _unread(quad_xy, score, classes)
    if likeliest == FACE_DOWN:
        back = TileReading((), sure=False)
        return Placement(quad_xy, back, score * float(classes[FACE_DOWN]), Face.DOWN)
    candidates, unlikely = ranked
    sure = is_clear and body >= CERTAIN_BODY
    may_be_none = not sure and (maybe_back or body < MAYBE_NOTHING)
    reading = TileReading(candidates, sure, may_be_none, unlikely)
    return Placement(quad_xy, reading, score * candidates[0].probability, Face.UP)


def _unread(quad_xy: NDArray[np.float32], score: float, classes: NDArray[np.float32]) -> Placement:
    """A body whose ink says nothing; it may be none where it was not clearly found, or is a back."""
    body = score * float(1 - classes[NOT_A_TILE])
    maybe_none = float(classes[FACE_DOWN]) >= MAYBE_BACK or score < CLEARLY_FOUND
    maybe_none |= body < FAINT_BODY
    return Placement(quad_xy, TileReading((), False, maybe_none), body, Face.UNREAD)


def in_doubt(placement: Placement) -> Placement:
    """The same, which may be none."""
    reading = replace(placement.reading, sure=False, may_be_none=True)
    return replace(placement, reading=reading)
