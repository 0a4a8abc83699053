"""A round that is said to begin as soon as the camera runs, before anything was read."""

from __future__ import annotations

from pathlib import Path

from tests.table.filmed_table import FilmedTable


def test_what_lay_there_in_doubt_is_none_of_the_table(tmp_path: Path) -> None:
    film = FilmedTable(tmp_path)
    with film.session:
        film.table.lay("K6/B6!", "R7/O7!")
        film.show()
        assert film.reads == 0
        with film.camera.while_asking():
            film.session.new_round()
        for _ in range(12):
            state = film.show()
        assert film.reads > 0
        assert state.layout in (None, "-")
        film.table.lay("K6/B6!", "R7/O7!", "B1 B2 B3")
        film.pictures_until(lambda s: s.layout == "B1 B2 B3")
