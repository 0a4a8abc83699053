"""Whether something lies over a place, by the table round about it."""

from __future__ import annotations

import cv2
import numpy as np

from vision.frame import Pixels
from vision.tracking.bare_table import BareTable

HEIGHT, WIDTH = 480, 640
PLACE = np.array([(300, 220), (340, 220), (340, 276), (300, 276)], np.float32)
BESIDE = [PLACE + np.array((dx, 0), np.float32) for dx in (-41, 41)]


def cloth(light: float = 1.0, shift: tuple[int, int] = (0, 0)) -> Pixels:
    """A cloth with a pattern."""
    random = np.random.default_rng(2)
    pattern = cv2.GaussianBlur(random.normal(0, 260, (HEIGHT, WIDTH)), (0, 0), 5)
    picture = np.repeat((125 + pattern)[..., None], 3, axis=2) * light
    return np.clip(np.roll(picture, shift, (0, 1)), 0, 255).astype(np.uint8)


def with_hand(picture: Pixels) -> Pixels:
    out = picture.copy()
    cv2.circle(out, (320, 250), 90, (120, 150, 205), -1)
    return out


def covered(bare: BareTable, picture: Pixels) -> bool:
    is_covered, _ = bare.covered(picture, PLACE[None], [])
    return bool(is_covered[0])


def test_a_hand_over_a_place_covers_the_table_round_about_it() -> None:
    bare = BareTable()
    bare.see(cloth(), [PLACE])
    assert covered(bare, with_hand(cloth()))
    assert not covered(bare, cloth(0.7))


def test_what_lay_under_tiles_is_not_known_from_an_older_light() -> None:
    """A row lay there all evening; it is taken away in another light than it was laid in."""
    bare = BareTable()
    bare.see(cloth(0.45), [])
    bare.see(cloth(), [PLACE, *BESIDE])
    assert not covered(bare, cloth())


def test_a_camera_that_was_pushed_covers_nothing() -> None:
    bare = BareTable()
    bare.see(cloth(), [PLACE])
    assert not covered(bare, cloth(shift=(25, 30)))
