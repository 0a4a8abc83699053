"""Whether a camera's picture is the table as it is now: LIVE, or what is wrong with it.

Drivers and libraries say that all is well of a camera that is unplugged, hangs or sends the same
picture for ever. So nobody is asked: frames are judged by their content and by the clock. What is
wrong is named a moment after it began, so that a hand before the lens does not flicker on every
page; but from the first sign of it the picture counts as doubtful, and nothing is read from it.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from vision.frame import Frame, Pixels
from vision.looks import (
    CELLS,
    Look,
    changed_cells,
    changed_share,
    greatest_change,
    other_share,
)
from vision.view import ReferenceView, ViewState


class HealthState(StrEnum):
    """How a source is doing. Tables are read while it is LIVE, and at no other time."""

    STARTING = "starting"
    """No picture has come yet."""
    LIVE = "live"
    """The picture is the table as it is now."""
    STALE = "stale"
    """The newest picture is an old one; the next may come any moment."""
    FROZEN = "frozen"
    """Pictures come, but all are the same one: a camera that hangs."""
    DARK = "dark"
    """The picture shows next to nothing: a covered lens, or no light."""
    BLURRED = "blurred"
    """The picture is out of focus."""
    MOVED = "moved"
    """The camera does not look where it did: somebody bumped into it."""
    LOST = "lost"
    """No pictures come; the source goes on trying."""
    ENDED = "ended"
    """The last frame of a file or folder has been given; nothing more will come."""


@dataclass(frozen=True, slots=True)
class Health:
    """How a source is doing, with words for people."""

    state: HealthState
    message: str = ""
    """One line: what is wrong and what to try; empty while all is well."""
    doubtful: bool = False
    """True where something may be wrong that has not lasted long enough to be named. The picture
    is not to be read then, although its state is LIVE."""
    notes: tuple[str, ...] = ()
    """What is worth knowing of a picture that can be read, a sentence each."""

    @property
    def readable(self) -> bool:
        """Whether a table may be read from the picture."""
        return self.state is HealthState.LIVE and not self.doubtful


STALE_S: Final = 1.0
"""A picture older than this is not the table as it is now; cameras send five to thirty a second."""
LOST_S: Final = 4.0
"""Silence for so long is a lost camera, whatever it says of itself."""
FROZEN_S: Final = 2.0
"""The same picture for so long means that the camera hangs."""
REPEATED_SHARE: Final = 0.005
"""Two pictures of which less than this share of the pixels differs are the same one. The noise of a
sensor differs in 0.07 of them at least, measured on a drawn and a photographed table with noise of 0.3
levels, sent as JPEG of quality 30; in 0.4 usually."""
WRITTEN_SHARE: Final = 0.08
"""So are two that differ in no more than this share of the picture's parts, where cameras write the
time: the digits of a clock changed 0.06 of them at most on pictures 320 to 1280 wide, and the
faintest noise 0.68..."""
WRITTEN_ROWS: Final = 5
"""...in so many of `CELLS` rows of parts from the upper or the lower rim."""
LEGIBLE_LEVELS: Final = 32
"""What is written differs by more levels from what it stands on; the noise of a sensor by less."""
USUAL_TIMES, USUAL_WITHIN = 5, 200
"""So many times within so many pictures, 20 s, the same one came again and then another, where that is
usual."""
DARK_LEVEL: Final = 20.0
"""A picture with its brightest hundredth below this, of 255, shows nothing. On eight drawn tables with
noise of 2 levels all 180 tiles are found at 16, 173 of them at 12, twelve at 8."""
LIGHT_LEVEL: Final = 26.0
"""A dark picture is light again from here on."""
BLUR_FACTOR: Final = 1.8
"""A picture is blurred when its edges are this much softer than the camera's own best..."""
SHARP_ENOUGH_PX: Final = 3.6
"""...and softer than this, in pixels of a picture 1280 wide: on eight drawn tables every tile is read
right, and 173 of 180 surely, at a blur of 3 pixels, which is seen as 3.0 to 4.1..."""
NEVER_SHARP_PX: Final = 5.0
"""...or softer than this, whatever the camera's best is: at a blur of 5 pixels, seen as 4.8 to 5.9, a
fifth of the readings is not sure any more, at 6 half of them."""
FOCUSED_AGAIN: Final = 0.9
"""A blurred picture is sharp again at this part of the limit."""
TELL_AFTER_S: Final = 0.8
"""What is wrong with a picture is named when it has lasted this long."""
VIEW_EVERY_S: Final = 0.2
"""How often is looked whether the camera has moved: the dearest of the looks..."""
VIEW_AT_REST_S: Final = 1.0
"""...and how often while the picture is the same as when that was looked at last."""
BLUR_AT_REST_S: Final = 0.5
"""How often is looked whether such a picture is sharp. Others are looked at each time."""
OTHER_SHARE: Final = 0.003
"""A picture is another one when more of its small grey pixels than this show something else."""
VIEW_KNOWN_S: Final = 3.0
"""A camera that has looked at the same for so long stands where somebody put it."""
RENEW_BELOW: Final = 0.5
"""When only so many of the remembered points are left, the view is learnt anew, with what lies there
now. Not before: a camera that sinks slowly would never be found."""
RENEW_UNCLEAR_S: Final = 30.0
"""So it is when nothing could be told of the view for so long, as after a plain table was cleared, or
when what is remembered lies in a part of the picture only..."""
RICHER: Final = 1.5
"""...if the new view has so many times as many points then: renewed again and again, it would follow a
camera that sinks slowly."""

_WORDS: Final = {
    HealthState.DARK: "The picture is dark. Is the lens covered, or the light off?",
    HealthState.BLURRED: "The picture is out of focus. Is the lens clean, and nothing close to it?",
    HealthState.MOVED: "The camera has moved. Put it back, or say that it stays where it is now.",
}
NO_COLOURS: Final = (
    "The picture shows no colours: those of tiles are asked about. Is it a night mode?"
)


def is_dark(look: Look, was_dark: bool = False) -> bool:
    """Whether a picture shows next to nothing; one that was dark has to become clearly lighter."""
    return look.bright < (LIGHT_LEVEL if was_dark else DARK_LEVEL)


def health_of_picture(pixels_bgr: Pixels) -> Health:
    """All that can be said of a recorded picture: LIVE, or DARK."""
    look = Look(pixels_bgr)
    if is_dark(look):
        return Health(HealthState.DARK, _WORDS[HealthState.DARK])
    return Health(HealthState.LIVE, notes=(NO_COLOURS,) if look.is_grey else ())


class CameraWatch:
    """Told every frame of one camera, or that none came, says how the camera is doing.

    It never looks at a clock: times are arguments, seconds on one steady clock, the same that the
    frames carry. ``name`` and ``advice`` begin and end the message of a camera that gives no picture.
    """

    def __init__(self, name: str, began_at_s: float, advice: str = "") -> None:
        self._name = name
        self._advice = advice
        self._began_at_s = began_at_s
        self._last_at_s: float | None = None
        self._gone = ""
        self._damaged = False
        self._repeats = _Repeats()
        self._dark_since_s: float | None = None
        self._grey_since_s: float | None = None
        self._focus = _Focus()
        self._place = _Place()

    def see(
        self, frame: Frame | None, now_s: float, *, gone: str = "", damaged: bool = False
    ) -> Health:
        """Takes the next frame, or None where none came.

        ``gone`` says that none will come for now, and why: the cable is out, the stream was closed.
        ``damaged`` says that one came that was not whole, and was not used.
        """
        if frame is not None:
            self._look(frame)
        self._gone = gone or self._gone
        self._damaged |= damaged
        return self.health(now_s)

    @property
    def has_news(self) -> bool:
        """Whether the newest picture tells anything of the table.

        One that is the same as the one before it does not: the camera may hang. It does where that is
        usual, as of an encoder that sends one same picture while nothing moves.
        """
        return self._repeats.since_s is None or self._repeats.are_usual

    def accept_view(self) -> None:
        """A person says that the camera stays where it is now, and is as sharp as it gets."""
        self._place = _Place()
        self._focus = _Focus()

    def health(self, now_s: float) -> Health:
        """How the camera is doing at that time."""
        silent_s = now_s - (self._began_at_s if self._last_at_s is None else self._last_at_s)
        silence = "sends damaged pictures" if self._damaged else "gives no new picture"
        if self._last_at_s is None and not self._damaged:
            silence = "has not given a picture yet"
        if self._gone or silent_s > LOST_S:
            return self._trouble(HealthState.LOST, self._gone or silence)
        if self._last_at_s is None:
            return Health(HealthState.STARTING, f"{self._name}: waiting for the first picture")
        if silent_s > STALE_S:
            return self._trouble(HealthState.STALE, silence)
        return self._health_of_content(self._last_at_s)

    def _health_of_content(self, at_s: float) -> Health:
        if self._repeats.since_s is not None and self._dark_since_s is None:
            repeated_s = at_s - self._repeats.since_s
            if repeated_s >= FROZEN_S:
                reason = "sends the same picture again and again; switch it off and on"
                return Health(HealthState.FROZEN, f"{self._name}: {reason}")
        signs = (
            (HealthState.DARK, self._dark_since_s),
            (HealthState.BLURRED, self._focus.blurred_since_s),
            (HealthState.MOVED, self._place.moved_since_s),
        )
        for state, since_s in signs:
            if since_s is not None and at_s - since_s >= TELL_AFTER_S:
                return Health(state, _WORDS[state])
        doubtful = any(since_s is not None for _, since_s in signs)
        doubtful |= self._repeats.since_s is not None and at_s - self._repeats.since_s > STALE_S
        is_grey = self._grey_since_s is not None and at_s - self._grey_since_s >= TELL_AFTER_S
        return Health(HealthState.LIVE, doubtful=doubtful, notes=(NO_COLOURS,) if is_grey else ())

    def _trouble(self, state: HealthState, reason: str) -> Health:
        advice = f"; {self._advice}" if self._advice else ""
        return Health(state, f"{self._name}: {reason}{advice}")

    def _look(self, frame: Frame) -> None:
        at_s = frame.captured_at_s
        look = Look(frame.pixels_bgr)
        if self._last_at_s is not None and at_s - self._last_at_s > STALE_S:
            self._repeats.begin_anew()  # silence is no repetition
        self._last_at_s, self._gone, self._damaged = at_s, "", False
        self._repeats.see(look, at_s)
        was_dark = self._dark_since_s is not None
        self._dark_since_s = _since(self._dark_since_s, at_s, holds=is_dark(look, was_dark))
        self._grey_since_s = _since(self._grey_since_s, at_s, holds=look.is_grey)
        if self._dark_since_s is None:  # in the dark nothing else can be told
            self._focus.see(look, at_s)
            if self._focus.blurred_since_s is None:
                self._place.see(look, at_s)


def _since(since_s: float | None, at_s: float, *, holds: bool) -> float | None:
    """Since when something holds that did since then; None where it does not."""
    if not holds:
        return None
    return at_s if since_s is None else since_s


class _Repeats:
    """Whether pictures repeat, a clock that runs in them aside."""

    def __init__(self) -> None:
        self.since_s: float | None = None
        """When the picture came first that has come ever since; None where it came once."""
        self._first: Pixels | None = None
        self._first_at_s = 0.0
        self._last: Pixels | None = None
        self._written = np.zeros((CELLS, CELLS), np.bool_)
        self._seen = 0
        self._ended = deque[int](maxlen=USUAL_TIMES)
        """After how many pictures another one came than had come again, the last times."""

    def begin_anew(self) -> None:
        """The next picture is compared with none of before."""
        self._first = self.since_s = None

    @property
    def are_usual(self) -> bool:
        """Whether pictures came again, and then others, many times lately."""
        return len(self._ended) == USUAL_TIMES and self._seen - self._ended[0] < USUAL_WITHIN

    def see(self, look: Look, at_s: float) -> None:
        """Compares with the first of the equal ones, so that slow changes add up."""
        self._seen += 1
        if self._first is not None and self._is_same(self._first, look.sample):
            self.since_s = self._first_at_s
        else:
            if self.since_s is not None:
                self._ended.append(self._seen)
            self._first, self._first_at_s, self.since_s = look.sample, at_s, None
            self._written = np.zeros((CELLS, CELLS), np.bool_)
        self._last = look.sample

    def _is_same(self, first: Pixels, sample: Pixels) -> bool:
        if changed_share(first, sample) < REPEATED_SHARE:
            return True
        self._written |= changed_cells(first, sample)
        between = self._written[WRITTEN_ROWS : CELLS - WRITTEN_ROWS]
        in_a_corner = not between.any() and float(self._written.mean()) <= WRITTEN_SHARE
        return in_a_corner and not self._is_noise(sample)

    def _is_noise(self, sample: Pixels) -> bool:
        """Whether what changed last is too faint to be read: a sensor that runs, of a picture that is
        too dark or too bright everywhere else to show it."""
        return self._last is not None and 0 < greatest_change(self._last, sample) < LEGIBLE_LEVELS


class Pace:
    """When a dear look is due: at once where the picture is another one than at the last, and now and
    then where it is not, since a change may be slow."""

    def __init__(self, every_s: float, at_rest_s: float) -> None:
        self._every_s = every_s
        self._at_rest_s = at_rest_s
        self._at_s: float | None = None
        self._small: Pixels | None = None

    def is_due(self, look: Look, at_s: float, *, in_doubt: bool) -> bool:
        """Whether to look now; then this is the last look. ``in_doubt`` a rest does not count."""
        if self._at_s is not None and self._small is not None:
            since_s = at_s - self._at_s
            if 0 <= since_s < self._every_s:
                return False
            waits = 0 <= since_s < self._at_rest_s and not in_doubt
            if waits and other_share(self._small, look.small) <= OTHER_SHARE:
                return False
        self._at_s, self._small = at_s, look.small
        return True


class _Focus:
    """Whether the picture is as sharp as this camera can make it."""

    def __init__(self) -> None:
        self.blurred_since_s: float | None = None
        self._pace = Pace(0.0, BLUR_AT_REST_S)
        self._best_px: float | None = None

    def see(self, look: Look, at_s: float) -> None:
        """A picture without edges tells nothing and changes nothing."""
        if not self._pace.is_due(look, at_s, in_doubt=self.blurred_since_s is not None):
            return
        blur_px = look.blur_px
        if blur_px is None:
            return
        self._best_px = blur_px if self._best_px is None else min(self._best_px, blur_px)
        limit = min(max(BLUR_FACTOR * self._best_px, SHARP_ENOUGH_PX), NEVER_SHARP_PX)
        if self.blurred_since_s is None and blur_px > limit:
            self.blurred_since_s = at_s
        elif self.blurred_since_s is not None and blur_px < FOCUSED_AGAIN * limit:
            self.blurred_since_s = None


class _Place:
    """Whether the camera looks where it did."""

    def __init__(self) -> None:
        self.moved_since_s: float | None = None
        self._known: ReferenceView | None = None
        self._learnt: ReferenceView | None = None
        self._learnt_at_s = 0.0
        self._confirmed = False
        self._pace = Pace(VIEW_EVERY_S, VIEW_AT_REST_S)
        self._told_at_s = 0.0
        self._tried_at_s = 0.0
        """When a view was learnt last, whether it was taken or not."""

    def see(self, look: Look, at_s: float) -> None:
        """Compares with the view that is known, and learns it where none is."""
        is_learning = self._known is None and self._learnt is not None
        if not self._pace.is_due(
            look, at_s, in_doubt=is_learning or self.moved_since_s is not None
        ):
            return
        if self._known is None:
            self._learn(look, at_s)
            return
        change = self._known.compare(look.grey)
        if change.state is ViewState.MOVED:
            self.moved_since_s = at_s if self.moved_since_s is None else self.moved_since_s
            self._learnt = None
            return
        if change.state is ViewState.STANDS:
            self.moved_since_s, self._told_at_s = None, at_s
        stands = change.state is ViewState.STANDS
        changed = stands and change.stayed < RENEW_BELOW
        unclear = self.moved_since_s is None and at_s - self._told_at_s > RENEW_UNCLEAR_S
        is_poor = not self._known.is_all_over and at_s - self._tried_at_s > RENEW_UNCLEAR_S
        if changed or unclear or (stands and (is_poor or self._learnt is not None)):
            self._learn(look, at_s)

    def _learn(self, look: Look, at_s: float) -> None:
        """A view is known when the picture showed it for a while."""
        learnt = self._learnt
        if learnt is None:
            self._learnt, self._learnt_at_s, self._confirmed = ReferenceView(look.grey), at_s, False
        elif not self._confirmed:
            learnt.confirm(look.grey)
            self._confirmed = True
        elif learnt.compare(look.grey).state is not ViewState.STANDS:
            self._learnt = None
        elif at_s - self._learnt_at_s >= VIEW_KNOWN_S:
            if self._is_better(learnt, look):
                self._known, self._told_at_s = learnt, at_s
            self._learnt, self._tried_at_s = None, at_s

    def _is_better(self, learnt: ReferenceView, look: Look) -> bool:
        """Whether to know that view instead. One that was learnt of a damaged picture, or while a hand
        covered much, has fewer points than are left of the one before."""
        if self._known is None:
            return True
        stayed = self._known.compare(look.grey).stayed
        left = stayed * self._known.count
        return learnt.count >= (left if stayed < RENEW_BELOW else RICHER * left)
