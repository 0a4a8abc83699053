"""Pictures have a quota, and are the first to go."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from table.picture_files import PictureFiles


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_newest_so_many_pictures_are_kept(tmp_path: Path) -> None:
    files = PictureFiles(tmp_path, 2, free_floor_bytes=0)
    for sequence in (9, 10, 11):
        assert files.keep(b"jpeg", sequence) == f"{sequence:09d}.jpg"
    assert names(tmp_path) == ["000000010.jpg", "000000011.jpg"]


def test_pictures_take_no_more_than_their_bytes_but_the_newest_stays(tmp_path: Path) -> None:
    files = PictureFiles(tmp_path, 100, most_bytes=2500, free_floor_bytes=0)
    for sequence in (1, 2, 3):
        files.keep(bytes(1000), sequence)
    assert names(tmp_path) == ["000000002.jpg", "000000003.jpg"]
    files.keep(bytes(9000), 4)
    assert names(tmp_path) == ["000000004.jpg"]


def test_a_picture_of_a_log_that_was_begun_anew_is_not_dropped_for_its_low_number(
    tmp_path: Path,
) -> None:
    files = PictureFiles(tmp_path, 2, free_floor_bytes=0)
    for sequence in (800, 801, 1):
        files.keep(b"jpeg", sequence)
    assert names(tmp_path) == ["000000001.jpg", "000000801.jpg"]


def test_the_oldest_pictures_make_room_on_a_disk_that_is_nearly_full(tmp_path: Path) -> None:
    """A disk of 10,000 bytes on which something else grows from 0 to 6,000."""
    other = [0]

    def free(folder: Path) -> int:
        return 10_000 - other[0] - sum(path.stat().st_size for path in folder.iterdir())

    files = PictureFiles(tmp_path, 100, free_floor_bytes=3_000, free=free)
    for sequence in (1, 2, 3, 4):
        files.keep(bytes(1000), sequence)
    other[0] = 4_000
    files.keep(bytes(1000), 5)
    assert names(tmp_path) == ["000000003.jpg", "000000004.jpg", "000000005.jpg"]
    other[0] = 8_000
    with pytest.raises(OSError, match="free on the disk") as full:
        files.keep(bytes(1000), 6)
    assert full.value.errno == errno.ENOSPC
    assert names(tmp_path) == []


def test_what_a_killed_program_left_half_written_is_cleared_away(tmp_path: Path) -> None:
    (tmp_path / "000000007.jpg.part").write_bytes(b"half")
    PictureFiles(tmp_path, 5, free_floor_bytes=0).keep(b"jpeg", 8)
    assert names(tmp_path) == ["000000008.jpg"]


def test_a_picture_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "000000008.jpg").mkdir()
    with pytest.raises(OSError, match="000000008"):
        PictureFiles(tmp_path, 5, free_floor_bytes=0).keep(b"jpeg", 8)
    assert names(tmp_path) == ["000000008.jpg"]
