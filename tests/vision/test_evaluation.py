"""Figures of labelled photographs: counted by hand, and against the photographs' own scorer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.layout import TileReading
from engine.tiles import parse_tile
from vision.evaluation import (
    Counts,
    Evaluation,
    LabelError,
    Labelled,
    LabelledPhotograph,
    load_labels,
    load_predictions,
    readings_of,
    score_photograph,
    score_photographs,
)
from vision.placements import Face, Placement

PHOTOGRAPHS = Path(
    os.environ.get("MELDWATCH_PHOTOGRAPHS", Path(__file__).parents[3] / "shared" / "photos")
)
"""Labelled photographs and their scorer, which are no part of the project."""


def at(label: str, x: float, y: float = 50, *, sure: bool = True) -> Labelled:
    """A tile 20 wide and 30 high around a point."""
    box = Labelled.of_box(label, x - 10, y - 15, 20, 30)
    return Labelled(label, box.quad, sure)


def photograph(*tiles: Labelled, ignore: tuple[Any, ...] = ()) -> LabelledPhotograph:
    """1000 x 500 pixels: what comes within 4 pixels of an edge touches the border."""
    return LabelledPhotograph(
        "images/a.jpg", "rummikub", "cream", 1000, 500, tiles, tuple(box.quad for box in ignore)
    )


def count(photo: LabelledPhotograph, *readings: Labelled) -> Counts:
    return score_photograph(photo, readings).counts


def says(photo: LabelledPhotograph, *readings: Labelled) -> list[str]:
    return list(map(str, score_photograph(photo, readings).mistakes))


def test_a_perfect_reading_counts_every_tile_and_is_exact() -> None:
    counts = count(photograph(at("K7", 100), at("R8", 200)), at("R8", 203), at("K7", 98))
    assert counts == Counts(photos=1, tiles=2, read=2, exact=1, photos_without_silent=1, readings=2)


def test_missed_extra_and_misnamed_tiles_are_told_apart() -> None:
    photo = photograph(at("K7", 100), at("R8", 200), at("J", 300), at("B2", 400))
    readings = [at("K1", 100), at("B8", 200), at("O3", 300), at("O9", 500)]
    assert says(photo, *readings) == [
        "K7 read as K1",
        "R8 read as B8",
        "J read as O3",
        "missed B2",
        "extra O9",
    ]
    assert count(photo, *readings) == Counts(
        photos=1, tiles=4, missed=1, extra=1, misnamed=3, number=1, colour=1, joker=1, silent=5,
        readings=4,
    )  # fmt: skip


def test_a_mistake_that_was_asked_about_is_not_silent_but_never_exact() -> None:
    photo = photograph(at("K7", 100))
    counts = count(photo, at("K1", 100, sure=False), at("K2", 300, sure=False))
    assert (counts.silent, counts.photos_without_silent, counts.exact) == (0, 1, 0)
    assert counts.asked == counts.readings == 2
    assert says(photo, at("K1", 100, sure=False)) == ["K7 read as K1 (asked)"]


def test_a_reading_belongs_to_the_nearest_label_whose_box_holds_its_centre() -> None:
    photo = photograph(at("K7", 100), at("K8", 112))
    assert says(photo, at("K8", 108), at("K7", 104)) == []
    assert says(photo, at("K7", 100), at("K7", 101)) == ["missed K8", "extra K7"]
    assert says(photograph(at("K7", 100)), at("K7", 111)) == ["missed K7", "extra K7"]


def test_what_touches_the_border_counts_neither_way() -> None:
    photo = photograph(at("K7", 13), at("K8", 987), at("K9", 300, 17), at("B1", 500, 481))
    assert count(photo) == Counts(photos=1, exact=1, photos_without_silent=1)
    assert count(photo, at("R1", 13), at("R2", 600, 484)).extra == 0
    assert count(photograph(at("K7", 15))).missed == 1


def test_readings_inside_an_ignored_box_count_neither_way() -> None:
    photo = photograph(ignore=(Labelled.of_box("", 200, 0, 100, 100),))
    assert count(photo, at("K7", 250)).readings == 0
    assert count(photo, at("K7", 350)).extra == 1


def test_a_card_whose_suit_nobody_labelled_needs_its_rank_only() -> None:
    photo = photograph(at("10?", 100), at("K?", 200))
    assert count(photo, at("10H", 100), at("KS", 200)).read == 2
    assert count(photo, at("9H", 100), at("QS", 200)).number == 2


def test_a_jack_is_no_joker() -> None:
    assert count(photograph(at("JH", 100)), at("JS", 100)).colour == 1
    assert count(photograph(at("JH", 100)), at("J", 100)).joker == 1
    assert count(photograph(at("JOKER", 100)), at("JS", 100)).joker == 1


def test_labels_compare_without_regard_to_case() -> None:
    assert count(photograph(at("k7", 100)), at("K7", 100)).read == 1


def test_strata_are_all_then_game_then_design_and_counts_add_up() -> None:
    photos = [
        LabelledPhotograph("x/a.jpg", "rummikub", "cream", 100, 100, (at("K7", 50),)),
        LabelledPhotograph("x/b.jpg", "cards", "plain", 100, 100, (at("KS", 50),)),
    ]
    evaluation = score_photographs(photos, {"a.jpg": [at("K7", 50)]})
    assert list(evaluation.strata) == [
        "all", "rummikub", "rummikub: cream", "cards", "cards: plain",
    ]  # fmt: skip
    assert evaluation.unread_photos == 1
    assert evaluation.strata["all"].figures() == {
        "photos": 2, "tiles": 2, "read": 0.5, "missed": 1, "extra": 0, "misnamed": 0, "number": 0,
        "colour": 0, "joker": 0, "exact": 0.5, "silent": 1, "photos_without_silent": 0.5,
        "asked": 0.0,
    }  # fmt: skip
    assert evaluation.text().splitlines()[0].startswith("1 photographs have no prediction")
    assert evaluation.errors_text() == "b.jpg: missed KS"


def test_placements_become_predictions_without_the_face_down_ones() -> None:
    quad = np.array([[0, 0], [10, 0], [10, 14], [0, 14]], np.float32)
    unread = TileReading((), False)
    readings = readings_of(
        [
            Placement(quad, TileReading.certain(parse_tile("K7")), 0.9, Face.UP),
            Placement(quad, unread, 0.9, Face.DOWN),
            Placement(quad, unread, 0.9, Face.UNREAD),
        ]
    )
    assert [(r.label, r.sure) for r in readings] == [("K7", True), ("?", False)]
    assert readings[0].quad == ((0, 0), (10, 0), (10, 14), (0, 14))


def test_labels_are_loaded_as_written(tmp_path: Path) -> None:
    path = tmp_path / "labels.json"
    image = {
        "image": "images/a.jpg", "game": "rummikub", "design": "cream", "width": 100, "height": 80,
        "tiles": [{"label": "K7", "bbox": [10, 20, 30, 40]}], "ignore": [[0, 0, 5, 5]],
    }  # fmt: skip
    path.write_text(json.dumps({"images": [image]}))
    (photo,) = load_labels(path)
    assert (photo.name, photo.width, photo.height) == ("a.jpg", 100, 80)
    assert photo.tiles == (Labelled("K7", ((10, 20), (40, 20), (40, 60), (10, 60))),)
    assert photo.ignore == (((0, 0), (5, 0), (5, 5), (0, 5)),)


def image(width: str = "9", tiles: str = "[]") -> str:
    """The text of a label file with one image."""
    return (
        '{"images": [{"image": "a", "game": "g", "design": "d", "height": 9, '
        f'"width": {width}, "tiles": {tiles}}}]}}'
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is not JSON"),
        ("[1, 2]", '"images"'),
        ('{"images": 3}', '"images"'),
        ('{"images": [3]}', "image 1"),
        ('{"images": [{"image": "a.jpg"}]}', "'width' is missing"),
        (image(tiles='[{"label": "K7", "bbox": [1, 2, 3]}]'), "image 1"),
        (image(tiles='[{"label": 7, "bbox": [1, 2, 3, 4]}]'), "a label is a word"),
        (image(width="0"), "0 x 9"),
        (image(width='"wide"'), "image 1"),
    ],
)
def test_unusable_labels_are_refused_by_file_and_image(
    tmp_path: Path, text: str, complaint: str
) -> None:
    path = tmp_path / "labels.json"
    path.write_text(text)
    with pytest.raises(LabelError) as caught:
        load_labels(path)
    assert str(path) in str(caught.value)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_and_binary_label_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match="no such file"):
        load_labels(tmp_path / "none.json")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(LabelError, match="cannot be read"):
        load_labels(tmp_path / "binary.json")
    with pytest.raises(LabelError, match="cannot be read"):
        load_labels(tmp_path)


def test_unusable_predictions_are_refused_by_line(tmp_path: Path) -> None:
    path = tmp_path / "predictions.jsonl"
    path.write_text('{"image": "a.jpg", "tiles": []}\n\n{"image": "b.jpg"}\n')
    with pytest.raises(LabelError, match=r"line 3 .*'tiles' is missing"):
        load_predictions(path)


def random_predictions(seed: int, labels: dict[str, Any]) -> list[dict[str, Any]]:
    """Predictions with every kind of mistake; some photographs are left out."""
    random = np.random.default_rng(seed)
    names = ["K7", "R10", "B6", "O9", "J", "10H", "KS", "JH", "QD", "k7", "Joker", "?"]
    lines = []
    for photo in labels["images"]:
        tiles = []
        for tile in photo["tiles"]:
            x, y, w, h = tile["bbox"]
            for _ in range(int(random.choice([0, 1, 2], p=[0.1, 0.8, 0.1]))):
                dx, dy = random.normal(0, 0.2, 2) * (w, h)
                name = tile["label"] if random.random() < 0.8 else str(random.choice(names))
                entry = {"label": name.replace("?", "S"), "sure": bool(random.random() < 0.8)}
                corners = [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]
                quad = [[px + dx, py + dy] for px, py in corners]
                box = [x + dx, y + dy, w, h]
                kind = random.integers(3)
                entry |= {"quad": quad} if kind == 0 else {"quad": [], "bbox": box}
                if kind == 1:
                    del entry["sure"]
                tiles.append(entry)
        for _ in range(int(random.integers(0, 3))):
            x, y = random.uniform(0, 0.95, 2) * (photo["width"], photo["height"])
            tiles.append({"label": str(random.choice(names)), "bbox": [x, y, 40, 50]})
        if random.random() < 0.95:
            lines.append({"image": "elsewhere/" + Path(photo["image"]).name, "tiles": tiles})
    return lines


@pytest.mark.parametrize("labels_name", ["train.json", "test.json"])
def test_figures_text_and_errors_equal_those_of_the_scorer_beside_the_photographs(
    labels_name: str, tmp_path: Path
) -> None:
    labels, scorer = PHOTOGRAPHS / labels_name, PHOTOGRAPHS / "score.py"
    if not scorer.exists():
        print(f"not compared: there is no {scorer}")
        return
    predictions = tmp_path / "predictions.jsonl"
    lines = random_predictions(7, json.loads(labels.read_text()))
    predictions.write_text("\n".join(map(json.dumps, lines)))

    def scored(*options: str) -> str:
        command = [sys.executable, str(scorer), str(labels), str(predictions), *options]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    evaluation: Evaluation = score_photographs(load_labels(labels), load_predictions(predictions))
    assert json.dumps(evaluation.to_json()) == scored("--json").strip()
    assert f"{evaluation.errors_text()}\n{evaluation.text()}\n" == scored("--errors")
