"""What several readings of one tile come to: no surer than they were, and not ruled by a stray one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.layout import Candidate, TileReading
from engine.tiles import parse_tile
from vision.tracking.memory import TileMemory, pooled


def reading(text: str) -> TileReading:
    """``K6`` is sure, ``K6 .7 K9 .3`` in doubt, ``?`` unread."""
    words = text.split()
    if text == "?":
        return TileReading((), sure=False)
    if len(words) == 1:
        return TileReading((Candidate(parse_tile(text), 0.995),), sure=True)
    pairs = zip(words[::2], words[1::2], strict=True)
    return TileReading(tuple(Candidate(parse_tile(t), float(p)) for t, p in pairs), sure=False)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param(["K6"], "K6", id="one is what it is"),
        pytest.param(["K6", "K6"], "K6", id="two agree"),
        pytest.param(["K6", "K6 .7 K9 .3"], "K6?", id="one sure reading of two is no fact"),
        pytest.param(["K6", "K6", "K6 .7 K9 .3"], "K6", id="most are sure"),
        pytest.param(["K6", "K6", "R6"], "K6", id="a stray one does not win"),
        pytest.param(["R6", "K6", "K6"], "K6", id="nor does it when it comes first"),
        pytest.param(["K6", "R6"], "K6?", id="two that disagree are in doubt"),
        pytest.param(["K6 .6 K9 .4"] * 6, "K6?", id="doubt repeated stays doubt"),
        pytest.param(["K6 .6 K9 .4", "K9 .9 K6 .1"], "K9?", id="the clearer one weighs more"),
        pytest.param(["?", "K6", "K6"], "K6", id="an unread one says nothing of which it is"),
        pytest.param(["?", "?"], "?", id="unread"),
    ],
)
def test_readings_of_one_rest_are_averaged(texts: list[str], expected: str) -> None:
    assert str(pooled([reading(text) for text in texts])) == expected


LABELS = st.sampled_from(["K6", "K9", "R6", "B8", "J"])
CHANCES = st.floats(0.01, 0.99)


@st.composite
def any_reading(draw: st.DrawFn) -> TileReading:
    labels = draw(st.lists(LABELS, min_size=1, max_size=4, unique=True))
    chances = sorted((draw(CHANCES) / len(labels) for _ in labels), reverse=True)
    candidates = tuple(Candidate(parse_tile(a), p) for a, p in zip(labels, chances, strict=True))
    return TileReading(candidates, sure=draw(st.booleans()) and len(labels) == 1)


@given(st.lists(any_reading(), min_size=1, max_size=8))
def test_no_tile_becomes_likelier_than_its_likeliest_reading(readings: list[TileReading]) -> None:
    """Frames of one light are not independent: repeating a reading must not sharpen it."""
    together = pooled(readings)
    for candidate in together.candidates:
        most = max(
            [c.probability for r in readings for c in r.candidates if c.tile == candidate.tile]
        )
        assert candidate.probability <= most + 1e-9


@given(st.lists(any_reading(), min_size=2, max_size=6), st.randoms())
def test_the_order_of_readings_says_nothing(readings: list[TileReading], chance: object) -> None:
    shuffled = list(readings)
    chance.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = pooled(readings), pooled(shuffled)
    assert (one.sure, one.may_be_none) == (other.sure, other.may_be_none)
    chances = [
        {c.tile: round(c.probability, 9) for c in result.candidates} for result in (one, other)
    ]
    assert chances[0] == chances[1]


def known(*texts: str) -> TileMemory:
    memory = TileMemory()
    for text in texts:
        memory.add(reading(text))
    return memory


def test_what_was_read_surely_is_known_in_other_light() -> None:
    memory = known("K6", "K6")
    memory.rest_begins()
    memory.add(reading("K6 .6 K9 .4"))
    assert str(memory.reading()) == "K6"


def test_one_sure_reading_makes_nothing_known() -> None:
    memory = known("K6")
    memory.rest_begins()
    memory.add(reading("K6 .6 K9 .4"))
    assert str(memory.reading()) == "K6?"


def test_a_sure_reading_of_another_tile_is_a_doubt_and_not_talked_away() -> None:
    memory = known("K6", "K6")
    memory.rest_begins()
    for _ in range(3):
        memory.add(reading("K8"))
    told = memory.reading()
    assert not told.sure
    assert {str(c.tile) for c in told.candidates} == {"K6", "K8"}


def test_a_persons_word_stands_against_what_it_put_right_and_not_against_anything_else() -> None:
    memory = known("K6", "K6")
    memory.tell(parse_tile("K8"))
    memory.add(reading("K6"))
    assert str(memory.reading()) == "K8"
    memory.rest_begins()
    for _ in range(2):
        memory.add(reading("R6"))
    assert not memory.reading().sure


def hinting(text: str, **hints: float) -> TileReading:
    """A sure reading that hints at other tiles."""
    unlikely = sorted(((p, name) for name, p in hints.items()), reverse=True)
    found = tuple(Candidate(parse_tile(name), p) for p, name in unlikely)
    return TileReading((Candidate(parse_tile(text), 0.997),), sure=True, unlikely=found)


def hints_of(told: TileReading) -> list[str]:
    assert told.sure
    return [str(candidate.tile) for candidate in told.unlikely]


def test_what_several_readings_hint_at_is_averaged_and_a_stray_hint_fades() -> None:
    readings = [
        hinting("K9", K2=0.004, K4=0.0002),
        hinting("K9", K2=0.001),
        hinting("K9", K2=0.001),
    ]
    together = pooled(readings)
    assert hints_of(together) == ["K2"]
    assert together.unlikely[0].probability == pytest.approx(0.00159, abs=0.0001)


def test_a_tile_that_is_known_keeps_what_was_hinted_at_and_one_that_was_told_has_no_hint() -> None:
    memory = TileMemory()
    for _ in range(2):
        memory.add(hinting("K9", K2=0.001))
    assert hints_of(memory.reading()) == ["K2"]
    memory.rest_begins()
    memory.add(reading("K9 .6 K8 .4"))
    assert hints_of(memory.reading()) == ["K2"]
    memory.tell(parse_tile("K9"))
    assert memory.reading() == TileReading.certain(parse_tile("K9"))
    for _ in range(3):
        memory.add(hinting("K9", K2=0.001))
    assert memory.reading() == TileReading.certain(parse_tile("K9"))


def test_what_a_person_said_is_surer_than_what_was_read() -> None:
    """So where there are three of a tile, it is asked about one that nobody has told yet."""
    memory = known("K6", "K6")
    assert memory.reading().candidates[0].probability < 1.0
    memory.tell(parse_tile("K6"))
    assert memory.reading().candidates[0].probability == 1.0
