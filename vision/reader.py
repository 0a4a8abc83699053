"""From a picture to placements: find the tiles, read them, and say what is in doubt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.layout import Candidate, TileReading
from engine.tiles import JOKER, Suit, Tile
from models.careful_reader import CarefulReader
from models.classes import COLOURS, FACE_DOWN, NOT_A_TILE, NUMBERS
from models.classes import JOKER as JOKER_CLASS
from models.detections import Detections
from models.finder import TileFinder, without_doubles
from models.rack_reader import RackReader
from models.runtime import (
    CAREFUL_READER_NAME,
    FINDER_NAME,
    FRAMED,
    RACK_READER_NAME,
    SHIPPED,
    TILE_READER_NAME,
    check_framed,
    read_manifest,
)
from models.sparing_reader import SparingReader
from models.sureness import SureFrom
from models.tile_reader import Readings, TileReader, rows_of
from models.turned_finder import TurnedFinder
from vision.black_or_blue import with_blacks_and_blues_told
from vision.body_colours import of_another_colour
from vision.colourless_inks import with_colourless_inks
from vision.company import (
    COMPANY,
    NEAR_TILES,
    fills_a_row,
    goes_on_a_row,
    in_company,
    made_alike,
    nearest,
    of_darker_make,
    upon_others,
)
from vision.cut_short import with_cut_ones_in_doubt
from vision.deep_shade import with_tiles_in_shade
from vision.enrolment.known_set import Knowledge, load_known_set
from vision.frame import Pixels
from vision.halves import as_no_fact, with_parts_in_doubt, with_whole_tiles
from vision.hardly_legible import with_room_for_others
from vision.lone_doubts import with_lone_doubts
from vision.lone_pieces import with_tiles_of_pieces
from vision.looks import Look
from vision.lying_across import with_tiles_across
from vision.lying_below import lying_below
from vision.many_jokers import with_many_jokers_in_doubt
from vision.mirrored_lamps import with_mirrored_lamps
from vision.missed_in_rows import SHORT, with_tiles_in_rows
from vision.patterned_cloth import figures_of_cloth
from vision.placements import LEAST_UNLIKELY, Face, Placement
from vision.printed_fields import printed_fields
from vision.purple_inks import with_purple_inks
from vision.quad_axes import with_axes_of_neighbours
from vision.racks import Standing
from vision.standing_faces import with_faces_alone
from vision.telling_paints import with_telling_paints
from vision.tile_sizes import of_one_set, of_other_sizes
from vision.too_small import too_small, too_small_together
from vision.two_inks import with_two_inks
from vision.veiled_inks import with_veiled_inks
from vision.where_printed import with_places_of_print

LEAST_NUMBER = 0.3
"""Finder score times the probability of the likeliest number that a numbered tile must reach.

Chosen, as the next one, from the table of ``models.training.measure`` on held-out generated pictures:
below it, every second number is wrong, and there is half a false alarm for each right one."""

LEAST_OTHER = 0.4
"""The same for jokers and backs: what is no tile is most often taken for one of these."""

LEAST_CANDIDATE = 0.005
"""Readings less probable than this are not handed on."""

MOST_CANDIDATES = 5

MOST_UNLIKELY = 4

FACES = (*(Tile(Suit(colour), number) for number in NUMBERS for colour in COLOURS), JOKER)
"""What a tile may show: every number in every colour, and the joker."""

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


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """The tiles of a picture, and what the tile reader says of each."""

    placements: tuple[Placement, ...]
    readings: Readings
    """Of the same tiles in the same order, for their quads as the finder gave them: a placement's is
    turned where the reading's ``upright`` is under a half."""


class TableReader:
    """Reads all tiles of a picture. Physical facts, such as two copies a kind, are not applied."""

    def __init__(
        self,
        finder: TileFinder | TurnedFinder,
        tile_reader: TileReader | CarefulReader | SparingReader,
        known_set: Knowledge | None = None,
        network: str = "",
        careful: TileReader | None = None,
        standing: Standing | None = None,
        framed: Callable[[], TableReader] | None = None,
    ) -> None:
        """With a ``known_set`` pictures of its tiles are read by what is known of them.

        ``network`` is the SHA-256 of the tile reader, by which a set that is enrolled is marked.
        ``careful`` is what reads tiles where there is time, and ``standing`` says then which stand;
        without it the marks of these stay as the finder gives them. ``framed`` opens the reader of
        :meth:`of_framed_numbers`.
        """
        self._finder = finder
        self._tile_reader = tile_reader
        self._known_set = known_set
        self.network = network
        self._careful = careful
        self._standing = standing
        self._framed = framed

    def knowing(self, known_set: Knowledge) -> TableReader:
        """A reader with the same networks that knows this set, and no other."""
        return self._like(self._finder, self._tile_reader, known_set)

    def looking_longer(self) -> TableReader:
        """A reader that knows the same set, looks for tiles in four views of each picture and reads them
        by both networks, which takes several times as long. It belongs to one thread."""
        if isinstance(self._finder, TurnedFinder):
            return self
        tile_reader = self._tile_reader
        if isinstance(tile_reader, SparingReader):
            tile_reader = tile_reader.quick
        if self._careful is not None and isinstance(tile_reader, TileReader):
            tile_reader = CarefulReader(tile_reader, self._careful)
        turned = TurnedFinder(self._finder)
        return self._like(turned, tile_reader, self._known_set)

    def of_live_pictures(self) -> TableReader:
        """A reader that knows the same set, for one picture after another of one table: tiles that are
        new to it are read by both networks (`models.sparing_reader`). It belongs to one thread."""
        if self._careful is None or not isinstance(self._tile_reader, TileReader):
            return self
        sparing = SparingReader(self._tile_reader, self._careful)
        return self._like(self._finder, sparing, self._known_set)

    def of_framed_numbers(self) -> TableReader | None:
        """A reader whose networks know numbers in frames and on figures as well, which knows no set and
        looks as long as this one; None where there is none. It belongs to one thread.

        Raises :class:`models.runtime.ModelError` when its networks cannot be opened."""
        if self._framed is None:
            return None
        framed = self._framed()
        return framed.looking_longer() if isinstance(self._finder, TurnedFinder) else framed

    def _like(
        self,
        finder: TileFinder | TurnedFinder,
        tile_reader: TileReader | CarefulReader | SparingReader,
        known_set: Knowledge | None,
    ) -> TableReader:
        """A reader that has all else from this one."""
        careful, standing, framed = self._careful, self._standing, self._framed
        return TableReader(finder, tile_reader, known_set, self.network, careful, standing, framed)

    def read(self, pixels_bgr: NDArray[np.uint8]) -> list[Placement]:
        """The tiles of a picture (H, W, 3) BGR: face up, face down, and seen but unread.

        Quads are upright as the tile's own reader sees it. ``confidence`` is the probability of the
        first candidate (of a back: that it is one) times the finder's score. Not promised: an order.
        """
        placements = list(self.look(pixels_bgr).placements)
        return [*placements, *lying_below(pixels_bgr, placements)]

    def look(self, pixels_bgr: NDArray[np.uint8]) -> Seen:
        """The tiles that the finder sees, as of :meth:`read`, and what the tile reader says of each.

        A picture that shows no colours tells none of a tile: each is as likely as the others.
        """
        found = self._finder.find(pixels_bgr)
        found = replace(found, quads_xy=with_axes_of_neighbours(found.quads_xy))
        readings = self.read_quads(pixels_bgr, found.quads_xy)

        def read(quads_xy: NDArray[np.float32]) -> Readings:
            return self.read_quads(pixels_bgr, quads_xy)

        found, readings, no_fact = with_whole_tiles(found, readings, read)
        found, readings, no_fact = with_tiles_of_pieces(found, readings, no_fact, read)
        longest = None if isinstance(self._finder, TurnedFinder) else SHORT
        found, readings, no_fact = with_tiles_in_rows(found, readings, no_fact, read, longest)
        if isinstance(self._finder, TurnedFinder):
            find = self._finder.find_in_passing
            found, readings, no_fact = with_tiles_in_shade(
                found, readings, no_fact, read, find, pixels_bgr
            )
        if isinstance(self._finder, TurnedFinder) and self._standing is not None:
            kept = _placed(found, readings, self._tile_reader.sure_from)
            standing = partial(self._standing, pixels_bgr)
            found, readings = with_faces_alone(found, readings, kept, read, standing)
        if Look(pixels_bgr).is_grey:
            readings = replace(readings, colours=np.full_like(readings.colours, 1 / len(COLOURS)))
        sure = self._tile_reader.sure_from
        if self._known_set is not None and self._known_set.fits(readings):
            readings, sure = self._known_set.corrected(readings), self._known_set.sure_from
        readings = with_veiled_inks(readings, found.quads_xy, pixels_bgr)
        readings = with_colourless_inks(readings, found.quads_xy, pixels_bgr)
        readings = with_telling_paints(readings, found.quads_xy, pixels_bgr, sure)
        readings = with_blacks_and_blues_told(readings, found.quads_xy, pixels_bgr, sure)
        readings = with_purple_inks(readings, found.quads_xy, pixels_bgr)
        readings = with_two_inks(readings, found.quads_xy, pixels_bgr)
        readings = with_mirrored_lamps(readings, found.quads_xy, pixels_bgr)
        readings = with_places_of_print(readings, found.quads_xy, pixels_bgr, sure)
        readings = with_tiles_across(readings, found, read, sure)
        kept = _placed(found, readings, sure, pixels_bgr)
        is_small = too_small([placement for _, placement in kept])
        kept = [pair for pair, none in zip(kept, is_small, strict=True) if not none]
        may_be_keys = too_small_together([placement for _, placement in kept])
        kept = [
            (index, _in_doubt(placement) if may_be_one else placement)
            for (index, placement), may_be_one in zip(kept, may_be_keys, strict=True)
        ]
        if isinstance(self._finder, TurnedFinder):
            kept = _with_prints_in_doubt(kept)
        chosen = rows_of(readings, [index for index, _ in kept])
        placements = with_parts_in_doubt(
            [as_no_fact(p) if index >= no_fact else p for index, p in kept], read
        )
        placements = with_many_jokers_in_doubt(with_room_for_others(placements))
        placements = with_cut_ones_in_doubt(placements)
        return Seen(tuple(with_lone_doubts(placements)), chosen)

    @property
    def sure_from(self) -> SureFrom:
        """The probabilities from which the networks alone are sure of a tile."""
        return self._tile_reader.sure_from

    @property
    def known_set(self) -> Knowledge | None:
        """What is known of the set whose tiles are read; None where no set is known."""
        return self._known_set

    def bodies_near(self, pixels_bgr: Pixels, quad_xy: NDArray[np.float32]) -> NDArray[np.float32]:
        """The corners (n, 4, 2) of what looks like a tile near a place (4, 2) of a picture (H, W, 3).

        Seen from nearer than by :meth:`look`: pieces of tiles, too, and one tile twice.
        """
        return self._finder.look_near(pixels_bgr, quad_xy).quads_xy

    def read_quads(self, pixels_bgr: NDArray[np.uint8], quads_xy: NDArray[np.float32]) -> Readings:
        """What the tile reader alone says of quads (n, 4, 2) that are known already."""
        return self._tile_reader.read(pixels_bgr, quads_xy)

    def features(self, pixels_bgr: NDArray[np.uint8], quads_xy: NDArray[np.float32]) -> Readings:
        """The same where features alone count, for which no reader needs more time than others."""
        return self._tile_reader.features(pixels_bgr, quads_xy)


def open_table_reader(
    threads: int = 2, folder: Path = SHIPPED, known_set: Path | None = None
) -> TableReader:
    """The reader with the networks that come with Meldwatch, or others in a folder of the same form.

    ``known_set`` is the file of an enrolled set. Raises :class:`models.runtime.ModelError` when a
    network is missing, damaged or does not fit, and
    :class:`vision.enrolment.known_set.SetError` when the set does.
    """
    tile_reader = TileReader(folder / TILE_READER_NAME, threads)
    network = read_manifest(folder)[TILE_READER_NAME].sha256
    known = None if known_set is None else load_known_set(known_set, network)
    finder = TileFinder(folder / FINDER_NAME, threads)
    careful = TileReader(folder / CAREFUL_READER_NAME, threads)
    racks = folder / RACK_READER_NAME  # a folder of networks that are being trained may lack it
    standing = RackReader(racks, threads).standing if racks.exists() else None
    framed = None
    if check_framed(folder):

        @cache
        def framed() -> TableReader:
            readers = folder / FRAMED
            quick = TileReader(readers / TILE_READER_NAME, threads)
            slow = TileReader(readers / CAREFUL_READER_NAME, threads)
            return TableReader(finder, quick, None, network, slow, standing)

    return TableReader(finder, tile_reader, known, network, careful, standing, framed)


def placed(found: Detections, readings: Readings, sure_from: SureFrom) -> list[Placement]:
    """Placements from what both networks say of the same quads, each tile once."""
    return [placement for _, placement in _placed(found, readings, sure_from)]


def _with_prints_in_doubt(kept: Sequence[tuple[int, Placement]]) -> list[tuple[int, Placement]]:
    """The same, with nothing a fact that may be one field of a print."""
    prints = printed_fields([placement for _, placement in kept])
    printed = {number for fields in prints for number in fields}
    return [
        (index, as_no_fact(placement) if number in printed else placement)
        for number, (index, placement) in enumerate(kept)
    ]


def _placed(
    found: Detections,
    readings: Readings,
    sure_from: SureFrom,
    pixels_bgr: Pixels | None = None,
) -> list[tuple[int, Placement]]:
    """The placements, each with the number of its quad.

    Without the picture (H, W, 3) nothing is asked about for what it is made of.
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
        (index, _in_doubt(placement) if is_unlike else placement)
        for (index, placement), is_unlike in zip(single, unlike, strict=True)
    ]
    single += upon_others([*denied, *faint], single)
    told = _with_backs_told(single, found, readings)
    return told if pixels_bgr is None else _without_other_things(told, readings, pixels_bgr)


def _without_other_things(
    told: list[tuple[int, Placement]], readings: Readings, pixels_bgr: Pixels
) -> list[tuple[int, Placement]]:
    """The placements, each with the number of its quad, without what is in doubt and of another material
    in the picture (H, W, 3), and without bodies that nobody can read and that are things of another make
    or figures of the cloth."""
    are_other = of_another_colour(pixels_bgr, [placement for _, placement in told])
    told = [pair for pair, is_other in zip(told, are_other, strict=True) if not is_other]
    sure = readings.whites[[index for index, placement in told if placement.reading.sure]]
    left = [
        (index, placement)
        for index, placement in told
        if placement.face is not Face.UNREAD or not of_darker_make(readings.whites[index], sure)
    ]
    faces = {face: [p for _, p in left if p.face is face] for face in Face}
    unread = faces[Face.UNREAD]
    is_figure = figures_of_cloth(pixels_bgr, unread, faces[Face.DOWN], faces[Face.UP])
    figures = {id(body) for body, is_one in zip(unread, is_figure, strict=True) if is_one}
    return [pair for pair in left if id(pair[1]) not in figures]


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


def _in_doubt(placement: Placement) -> Placement:
    """The same, which may be none."""
    reading = replace(placement.reading, sure=False, may_be_none=True)
    return replace(placement, reading=reading)


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


def ranked_candidates(
    classes: NDArray[np.float32], colours: NDArray[np.float32]
) -> list[tuple[tuple[Candidate, ...], tuple[Candidate, ...]]]:
    """What each of n face-up tiles may be, likeliest first: its candidates, at least one and none but
    the first under 0.5 %, and what is unlikely, as little as LEAST_UNLIKELY.

    ``classes`` (n, 16) and ``colours`` (n, 4) are probabilities. Those of a tile's candidates add up
    to less than 1: the rest is being face down, no tile, or something rarer.
    """
    numbered = classes[:, : len(NUMBERS), np.newaxis] * colours[:, np.newaxis]
    faces = (
        numbered.reshape(len(classes), len(FACES) - 1),
        classes[:, JOKER_CLASS : JOKER_CLASS + 1],
    )
    probabilities = np.clip(np.concatenate(faces, axis=1), 0, 1)
    ranked = np.argsort(-probabilities, axis=1, kind="stable")[:, : MOST_CANDIDATES + MOST_UNLIKELY]
    chances = np.take_along_axis(probabilities, ranked, axis=1)
    likely = 1 + (chances[:, 1:MOST_CANDIDATES] >= LEAST_CANDIDATE).sum(axis=1)
    named = np.maximum(
        likely, np.minimum((chances >= LEAST_UNLIKELY).sum(axis=1), likely + MOST_UNLIKELY)
    )
    rows = zip(ranked.tolist(), chances.tolist(), likely.tolist(), named.tolist(), strict=True)
    found = [
        ([Candidate(FACES[row[k]], chance[k]) for k in range(end)], count)
        for row, chance, count, end in rows
    ]
    return [(tuple(each[:count]), tuple(each[count:])) for each, count in found]
