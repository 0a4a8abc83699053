"""How often readings of each probability are right, and how sure one can be of that."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.reliability import EDGES, diagram, exact_interval, reliability_of


def test_readings_are_counted_by_what_they_said() -> None:
    judged = [(0.92, True), (0.94, False), (0.9995, True), (1.0, True)]
    found = reliability_of(judged, [False, True, True, True])
    by_low = {b.low: b for b in found.bins}
    assert (by_low[0.9].readings, by_low[0.9].right) == (2, 1)
    assert by_low[0.9].said == pytest.approx(0.93)
    assert by_low[0.999].readings == 2, "a probability of 1 belongs to the last bin"
    assert (found.sure, found.sure_wrong) == (3, 1)


def test_the_expected_error_is_the_gap_weighted_by_readings() -> None:
    found = reliability_of([(0.75, True)] * 3 + [(0.75, False)] + [(0.95, False)] * 4, [False] * 8)
    assert found.expected_error == pytest.approx(0.5 * 0.0 + 0.5 * 0.95)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), max_size=40))
def test_every_reading_is_in_one_bin(judged: list[tuple[float, bool]]) -> None:
    found = reliability_of(judged, [True] * len(judged))
    assert sum(b.readings for b in found.bins) == len(judged) == found.sure
    assert [b.low for b in found.bins] == list(EDGES[:-1])


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [
        # Published values of Clopper and Pearson's interval, 95 %.
        (0, 10, 0.0, 0.3085),
        (1, 10, 0.0025, 0.4450),
        (5, 10, 0.1871, 0.8129),
        (10, 10, 0.6915, 1.0),
    ],
)
def test_the_interval_is_the_published_one(hits: int, trials: int, low: float, high: float) -> None:
    assert exact_interval(hits, trials) == pytest.approx((low, high), abs=5e-4)


def test_of_no_error_in_n_the_rule_of_three_holds_nearly() -> None:
    high = exact_interval(0, 6000)[1]
    assert high == pytest.approx(-math.log(0.025) / 6000, rel=1e-3)


def test_what_is_no_share_is_refused() -> None:
    with pytest.raises(ValueError, match="no share"):
        exact_interval(3, 2)
    with pytest.raises(ValueError, match="outside"):
        reliability_of([(1.2, True)], [True])


def test_the_diagram_is_a_picture_with_a_point_for_each_filled_bin() -> None:
    found = reliability_of([(0.55, True), (0.97, True), (0.9999, False)], [False, False, True])
    root = ET.fromstring(diagram([("plain", found), ("dark", found)]))  # noqa: S314
    assert len(root.findall(".//{*}circle")) == 6
    assert {"plain", "dark"} <= {text.text for text in root.findall(".//{*}text")}
