"""`meldwatch markers` writes its page, or says why it cannot."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from vision.calibration.markers import marker_page
from web.cli import main


def test_the_page_is_written_where_it_was_asked_for(tmp_path: Path) -> None:
    out = tmp_path / "markers.svg"
    out.write_text("an older page", "utf-8")
    done = CliRunner().invoke(main, ["markers", "--out", str(out)])
    assert done.exit_code == 0
    assert out.read_text("utf-8") == marker_page()
    assert str(out) in done.output


def test_a_page_that_cannot_be_written_ends_with_exit_code_3_and_a_line(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["markers", "--out", str(tmp_path / "no" / "markers.svg")])
    assert done.exit_code == 3
    assert done.stderr.startswith("meldwatch: cannot write ")
    assert done.stderr.count("\n") == 1
