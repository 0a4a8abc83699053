"""Each check of the doctor on something that is broken, and on something that is not."""

from __future__ import annotations

from pathlib import Path

from models.runtime import SHIPPED
from table.doctor import State, check_cameras, check_database, check_libraries, check_models
from vision.sources import Camera


def test_a_version_that_is_not_the_locked_one_is_named(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.txt"
    lock.write_text("# made by hand\nnumpy==0.0.1 \\\n    --hash=sha256:00\nno-such-thing==1.0\n")
    versions = next(check_libraries(lock))
    assert versions.state is State.MEND
    assert "the lock says 0.0.1" in versions.found
    assert "no-such-thing is missing" in versions.found
    assert versions.remedy


def test_a_lock_line_for_another_python_does_not_count(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.txt"
    lock.write_text("numpy==0.0.1 ; python_full_version < '3.0' \\\n")
    assert next(check_libraries(lock)).state is State.OK


def test_models_that_are_missing_are_to_be_mended(tmp_path: Path) -> None:
    checks = list(check_models(tmp_path))
    assert [check.state for check in checks] == [State.MEND] * 2, (
        "those for numbers in frames as well"
    )
    assert {check.remedy for check in checks} == {"git checkout -- models"}


def test_models_that_are_whole_are_all_named() -> None:
    checks = list(check_models(SHIPPED))
    assert {check.state for check in checks} == {State.OK}
    named = {check.found.partition(":")[0] for check in checks}
    assert {"finder.onnx", "rack_reader.onnx", "framed/careful_reader.onnx"} <= named


def test_no_camera_is_worth_a_note_only() -> None:
    (check,) = check_cameras([])
    assert check.state is State.NOTE


def test_a_camera_that_may_not_be_opened_comes_with_the_line_to_type(tmp_path: Path) -> None:
    camera = Camera(index=0, path=tmp_path / "video0", name="Camera", usable=False)
    (check,) = check_cameras([camera])
    assert check.state is State.MEND
    assert check.remedy.startswith("sudo usermod --append --groups video ")


def test_a_usable_camera_is_fine(tmp_path: Path) -> None:
    camera = Camera(index=0, path=tmp_path / "video0", name="Camera", usable=True)
    (check,) = check_cameras([camera])
    assert check.state is State.OK


def test_a_folder_that_will_be_made_is_probed_where_it_will_be(tmp_path: Path) -> None:
    check = check_database(tmp_path / "not" / "yet")
    assert check.state is State.OK
    assert not list(tmp_path.iterdir())


def test_a_data_folder_that_cannot_be_written_is_to_be_mended() -> None:
    check = check_database(Path("/proc/meldwatch"))
    assert check.state is State.MEND
    assert check.remedy
