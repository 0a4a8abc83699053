"""Typefaces that printed tiles, cards and papers are drawn in.

Pictures for training use every typeface found in a folder (see ``collect_typefaces`` and
datasets/README.md); the rendered table needs none, because Pillow carries one of its own.
"""

from __future__ import annotations

import functools
import re
import subprocess
import tarfile
import tempfile
import zlib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

GLYPH_PX = 96
"""Height at which a text is drawn once; smaller sizes are area-averaged from it."""

SYMBOL_FILE = "DejaVuSans.ttf"
"""Its stars, smiles and figures serve as joker faces (Debian package fonts-dejavu-core)."""

PICTOGRAPH_FAMILY = "noto-emoji"
PICTOGRAPH_FILE = f"{PICTOGRAPH_FAMILY}-emoji-400-normal.woff"
"""Its faces, animals and crowns do so as well (npm package @fontsource/noto-emoji, SIL Open Font
License)."""


@dataclass(frozen=True, slots=True)
class Typeface:
    """One weight of one family; ``path`` is None for the face that Pillow carries."""

    name: str
    path: str | None = None


BUILT_IN = Typeface("built in")


def family_of(typeface: Typeface) -> str:
    """The family's name, the same for all its weights."""
    return typeface.name.split("-latin")[0]


def is_held_out(typeface: Typeface) -> bool:
    """True for the eighth of all families that no training picture shows: they measure."""
    return zlib.crc32(family_of(typeface).encode()) % 8 == 0


def find_typefaces(folder: Path | None) -> tuple[Typeface, ...]:
    """Digit typefaces below ``folder`` in a fixed order; the built-in one where there are none."""
    if folder is None or not folder.is_dir():
        return (BUILT_IN,)
    paths = sorted(p for p in folder.rglob("*") if p.suffix in {".woff", ".ttf", ".otf"})
    faces = (
        Typeface(p.stem, str(p)) for p in paths if p.name not in {SYMBOL_FILE, PICTOGRAPH_FILE}
    )
    return tuple(face for face in faces if has_digits(face)) or (BUILT_IN,)


def find_symbols(folder: Path | None) -> Typeface | None:
    """The typeface of symbols in ``folder``, None where there is none."""
    return _named(folder, SYMBOL_FILE)


def find_pictographs(folder: Path | None) -> Typeface | None:
    """The typeface of pictographs in ``folder``, None where there is none."""
    return _named(folder, PICTOGRAPH_FILE)


def _named(folder: Path | None, name: str) -> Typeface | None:
    path = folder / name if folder is not None else None
    return Typeface(path.stem, str(path)) if path is not None and path.is_file() else None


@functools.lru_cache(maxsize=256)
def _font(path: str | None) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    if path is None:
        return ImageFont.load_default(GLYPH_PX)
    return ImageFont.truetype(path, GLYPH_PX)


@functools.lru_cache(maxsize=4096)
def text_mask(typeface: Typeface, text: str) -> NDArray[np.uint8]:
    """Coverage of ``text`` cut to its ink, 255 inside: (height, width) uint8.

    Empty (1, 1) zeros where the typeface has no ink for the text.
    """
    font = _font(typeface.path)
    left, top, right, bottom = (int(v) for v in font.getbbox(text))
    size = (max(1, right - left + 4), max(1, bottom - top + 4))
    image = Image.new("L", size, 0)
    ImageDraw.Draw(image).text((2 - left, 2 - top), text, fill=255, font=font)
    return cut_to_ink(np.asarray(image))


def cut_to_ink(mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The part (h, w) of a mask that has ink in it; (1, 1) zeros where none has."""
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    if rows.size == 0:
        return np.zeros((1, 1), np.uint8)
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])


def has_digits(typeface: Typeface) -> bool:
    """True where the ten digits have ink of about one height (no old-style figures) and are ten shapes:
    a typeface of another script draws an empty box for each."""
    digits = [text_mask(typeface, digit) for digit in "0123456789"]
    heights = [digit.shape[0] for digit in digits]
    are_even = min(heights) > 0.8 * max(heights) and min(heights) > GLYPH_PX // 3
    return are_even and len({(digit.shape, digit.tobytes()) for digit in digits}) == len(digits)


def fitted_mask(
    mask: NDArray[np.uint8], height_px: float, max_width_px: float, squeeze: float = 1.0
) -> NDArray[np.uint8]:
    """The mask at ``height_px``, its width times ``squeeze`` and never above ``max_width_px``."""
    height = max(2, round(height_px))
    width = mask.shape[1] * height_px / mask.shape[0] * squeeze
    size = (max(2, round(min(width, max_width_px))), height)
    shrinks = size[1] < mask.shape[0]
    resized = cv2.resize(mask, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR)
    return np.asarray(resized, np.uint8)


LISTS = ("typefaces", "more_typefaces")
"""Lists of families beside this module. Each belongs in a folder of its own: what a seed draws depends
on all typefaces of a folder."""

CUTS = ("normal", "italic")
"""What is fetched of a family, into folders of their own for the same reason."""


def family_names(listed: str = LISTS[0]) -> tuple[str, ...]:
    """Families the training pictures are drawn with, as one of `LISTS` names them."""
    text = resources.files(__package__).joinpath(f"{listed}.txt").read_text("utf-8")
    return tuple(w for line in text.splitlines() for w in line.split("#")[0].split())


def collect_typefaces(folder: Path, listed: str = LISTS[0], cut: str = CUTS[0]) -> int:
    """Fetch every family of a list as its npm package ``@fontsource/NAME`` with ``npm pack``.

    Keeps the Latin ones of a cut from 400 up as .woff files in ``folder``, and pictographs, copies the
    symbols where Debian's fonts-dejavu-core is installed, and returns how many files it added. Families
    already there are not fetched again. Raises ``RuntimeError`` where npm is missing or no
    family could be fetched at all.
    """
    folder.mkdir(parents=True, exist_ok=True)
    added, reached = 0, 0
    for family in family_names(listed):
        if any(folder.glob(f"{family}-*.woff")):
            reached += 1
            continue
        with tempfile.TemporaryDirectory() as work:
            archive = _package(family, Path(work))
            if archive is None:
                print(f"no package for the family {family}; left out")
                continue
            reached += 1
            added += _unpack(archive, family, folder, rf"-latin-[4-9]00-{cut}\.woff$")
    if not (folder / PICTOGRAPH_FILE).exists():
        with tempfile.TemporaryDirectory() as work:
            archive = _package(PICTOGRAPH_FAMILY, Path(work))
            if archive is not None:
                added += _unpack(archive, PICTOGRAPH_FAMILY, folder, rf"^{PICTOGRAPH_FILE}$")
    symbols = Path("/usr/share/fonts/truetype/dejavu") / SYMBOL_FILE
    if symbols.is_file() and not (folder / SYMBOL_FILE).exists():
        (folder / SYMBOL_FILE).write_bytes(symbols.read_bytes())
        added += 1
    if not reached:
        raise RuntimeError("no typeface could be fetched; is the npm registry within reach?")
    return added


def _package(family: str, folder: Path) -> Path | None:
    """The archive of a family's package, fetched into ``folder``; None where there is none."""
    try:
        done = subprocess.run(  # noqa: S603  the family names are our own list
            ["npm", "pack", "--silent", f"@fontsource/{family}"],  # noqa: S607
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError as error:
        raise RuntimeError("npm is needed to fetch typefaces: apt install npm") from error
    archives = list(folder.glob("*.tgz"))
    return archives[0] if archives and not done.returncode else None


def _unpack(archive: Path, family: str, folder: Path, pattern: str) -> int:
    """Write the files whose names match into ``folder``; how many there are."""
    kept = 0
    with tarfile.open(archive) as tar:
        for member in tar.getmembers():
            name = Path(member.name).name
            source = tar.extractfile(member) if re.search(pattern, name) else None
            if source is not None:
                (folder / f"{family}-{name.removeprefix(family + '-')}").write_bytes(source.read())
                kept += 1
    return kept
