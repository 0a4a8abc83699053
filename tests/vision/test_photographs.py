"""Photographs from files: what is decoded, and that nothing else gets past."""

import struct
import zlib
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from vision.photographs import LARGEST_PHOTOGRAPH_PIXELS, PhotographError, load_photograph

RED, BLUE, WHITE = (0, 0, 255), (255, 0, 0), (255, 255, 255)
"""In BGR, as loaded."""


def picture() -> Image.Image:
    """8 pixels wide and 4 high: the left half red, the right half blue."""
    image = Image.new("RGB", (8, 4), (255, 0, 0))
    image.paste((0, 0, 255), (4, 0, 8, 4))
    return image


def png_head(width: int, height: int) -> bytes:
    """A PNG that claims a size and holds next to nothing."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(bytes(50_000))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


def refusal(path: Path) -> str:
    with pytest.raises(PhotographError) as caught:
        load_photograph(path)
    message = str(caught.value)
    assert "\n" not in message
    assert str(path) in message
    return message


def test_pixels_come_as_blue_green_red(tmp_path: Path) -> None:
    picture().save(tmp_path / "a.png")
    pixels = load_photograph(tmp_path / "a.png")
    assert (pixels.dtype, pixels.shape) == (np.uint8, (4, 8, 3))
    assert tuple(pixels[0, 0]) == RED
    assert tuple(pixels[0, 7]) == BLUE


def test_all_eight_exif_orientations_come_out_as_opencv_turns_them(tmp_path: Path) -> None:
    image = Image.fromarray(np.random.default_rng(3).integers(0, 255, (16, 24, 3), np.uint8))
    for orientation in range(1, 9):
        exif = Image.Exif()
        exif[0x0112] = orientation
        path = tmp_path / f"{orientation}.jpg"
        image.save(path, exif=exif, quality=98)
        truth = cv2.imread(str(path), cv2.IMREAD_COLOR)
        assert truth is not None
        pixels = load_photograph(path)
        assert pixels.shape == truth.shape
        assert int(np.abs(pixels.astype(int) - truth).max()) <= 3  # two decoders' rounding


def test_damaged_exif_notes_do_not_cost_the_photograph(tmp_path: Path) -> None:
    picture().save(tmp_path / "a.jpg", exif=b"Exif\x00\x00nonsense", quality=98)
    assert load_photograph(tmp_path / "a.jpg").shape == (4, 8, 3)


def test_grey_becomes_colour_and_sixteen_bits_become_eight(tmp_path: Path) -> None:
    Image.new("L", (5, 3), 77).save(tmp_path / "grey.png")
    assert (load_photograph(tmp_path / "grey.png") == 77).all()
    deep = np.full((3, 5), 0x8000, np.uint16)
    deep[0, 0] = 0xFFFF
    Image.fromarray(deep).save(tmp_path / "deep.png")
    pixels = load_photograph(tmp_path / "deep.png")
    assert pixels.shape == (3, 5, 3)
    assert tuple(pixels[1, 1]) == (128, 128, 128)
    assert tuple(pixels[0, 0]) == WHITE
    assert cv2.imwrite(str(tmp_path / "colour.png"), np.full((3, 5, 3), 0x8000, np.uint16))
    assert tuple(load_photograph(tmp_path / "colour.png")[1, 1]) == (128, 128, 128)


def test_real_numbers_from_nought_to_one_are_a_whole_scale(tmp_path: Path) -> None:
    Image.fromarray(np.full((3, 5), 0.5, np.float32)).save(tmp_path / "real.tiff")
    assert tuple(load_photograph(tmp_path / "real.tiff")[0, 0]) == (128, 128, 128)


def test_transparency_shows_white_with_and_without_a_palette(tmp_path: Path) -> None:
    clear = Image.new("RGBA", (4, 4), (0, 0, 0, 0))
    clear.paste((255, 0, 0, 255), (0, 0, 2, 4))
    clear.save(tmp_path / "clear.png")
    clear.quantize(8).save(tmp_path / "palette.png")
    for name in ("clear.png", "palette.png"):
        pixels = load_photograph(tmp_path / name)
        assert tuple(pixels[0, 0]) == RED, name
        assert tuple(pixels[0, 3]) == WHITE, name


@pytest.mark.parametrize("mode", ["1", "P", "CMYK", "YCbCr", "LA", "RGBA"])
def test_every_common_colour_mode_becomes_three_channels(tmp_path: Path, mode: str) -> None:
    path = tmp_path / ("a.jpg" if mode in ("CMYK", "YCbCr") else "a.png")
    picture().convert(mode).save(path)
    assert load_photograph(path).shape == (4, 8, 3)


def test_missing_empty_and_foreign_files_and_folders_are_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "empty.jpg").touch()
    (tmp_path / "notes.jpg").write_text("these are notes, not a photograph")
    (tmp_path / "zip.jpg").write_bytes(b"PK\x03\x04" + bytes(100))
    assert "no such file" in refusal(tmp_path / "nowhere.jpg")
    assert "empty" in refusal(tmp_path / "empty.jpg")
    assert "not a photograph" in refusal(tmp_path / "notes.jpg")
    assert "not a photograph" in refusal(tmp_path / "zip.jpg")
    assert "folder" in refusal(tmp_path)
    assert "no such file" in refusal(tmp_path / "empty.jpg" / "inside.jpg")


@pytest.mark.parametrize("kind", ["jpg", "png", "webp", "bmp", "tiff"])
def test_truncated_files_are_refused_wherever_they_end(tmp_path: Path, kind: str) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (64, 64, 3), np.uint8)
    whole = tmp_path / f"whole.{kind}"
    Image.fromarray(noise).save(whole)
    data = whole.read_bytes()
    for part in (1, 10, 40, len(data) // 3, len(data) * 3 // 4):
        cut = tmp_path / f"cut.{kind}"
        cut.write_bytes(data[:part])
        refusal(cut)


def test_a_huge_picture_is_refused_from_its_head(tmp_path: Path) -> None:
    """20,000 x 20,000 pixels would decode to 1.2 GB; the file's data is not even a picture."""
    path = tmp_path / "huge.png"
    path.write_bytes(png_head(20_000, 20_000))
    assert path.stat().st_size < 50_000
    assert "80 million pixels" in refusal(path)
    path.write_bytes(png_head(10_001, LARGEST_PHOTOGRAPH_PIXELS // 10_000))
    assert "10001 x 8000" in refusal(path)


def test_damaged_bytes_inside_a_photograph_never_escape_as_another_error(tmp_path: Path) -> None:
    noise = np.random.default_rng(2).integers(0, 255, (40, 40, 3), np.uint8)
    random = np.random.default_rng(4)
    path = tmp_path / "a"
    for kind in ("JPEG", "PNG", "WEBP", "TIFF", "GIF"):
        Image.fromarray(noise).save(path, format=kind)
        data = np.frombuffer(path.read_bytes(), np.uint8)
        for _ in range(40):
            damaged = data.copy()
            damaged[random.integers(0, len(data), 6)] = random.integers(0, 255, 6)
            path.write_bytes(damaged.tobytes())
            with suppress(PhotographError):
                assert load_photograph(path).shape[2] == 3
