"""Sets with numbers in frames are enrolled where these are made out, and refused in words where not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from vision.enrolment.enrolling import Enrolment, enrol_set
from vision.enrolment.scenes import enrolment_picture
from vision.reader import TableReader, open_table_reader
from vision.rendering.designs import sample_design
from vision.rendering.table_scenes import Typefaces


@cache
def reader() -> TableReader:
    return open_table_reader()


def enrolled(surround: str, by: TableReader) -> Enrolment:
    """What comes of a photograph of 53 tiles whose numbers have that around them."""
    chance, typefaces = np.random.default_rng([79, 1]), Typefaces()
    design = replace(
        sample_design(chance, typefaces.digits, typefaces.symbols),
        digit_height=0.3,
        digit_y=0.44,
        dish_radius=0.0,
        surround=surround,
        ornament="underline",
    )
    return enrol_set([enrolment_picture(chance, design, 1).pixels_bgr], by, "framed")


@pytest.mark.parametrize("surround", ["ring", "disc"])
def test_a_set_with_numbers_in_frames_is_enrolled(surround: str) -> None:
    enrolment = enrolled(surround, reader())
    assert enrolment.laying.is_whole
    assert enrolment.known is not None


def test_a_set_that_looks_like_jokers_alone_is_refused_in_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(TableReader, "of_framed_numbers", lambda _: None)
    enrolment = enrolled("flower", reader())
    assert enrolment.known is None
    first, *_ = enrolment.laying.complaints()
    assert first.endswith("tiles look like jokers: their numbers could not be made out.")
