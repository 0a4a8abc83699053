"""What a match came to: how often the machine was wrong, asked for nothing, and how long it took."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from table.match.intervals import interval
from table.match.outcome import NOTHING, Outcome
from table.match.shots import Kind

PRESS_S: Final = 0.3
"""When a person may press the button that ends the turn, after the last picture with a hand: the way
from the border of the picture to a button that lies just beside it."""
SOON_S: Final = 0.5
"""A ruling is given soon where it takes no longer than this."""


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    count: int
    of: int

    def __str__(self) -> str:
        if not self.of:
            return "0 of 0"
        low, high = interval(self.count, self.of)
        share = 100 * self.count / self.of
        if self.count == 0:
            return f"{self.count} of {self.of} (at most {100 * high:.2g} %)"
        if self.count == self.of:
            return f"{self.count} of {self.of} (at least {100 * low:.3g} %)"
        return f"{self.count} of {self.of}: {share:.1f} % ({100 * low:.1f} to {100 * high:.1f} %)"

    def to_json(self) -> dict[str, Any]:
        """The count, the trials, and the 95 % interval of the share."""
        low, high = interval(self.count, self.of)
        return {"count": self.count, "of": self.of, "low": round(low, 5), "high": round(high, 5)}


@dataclass(frozen=True, slots=True)
class Report:
    """What came of some turns."""

    turns: int
    """What was judged: turns that were played, and wrong ones that were tried and taken back."""
    wrong_accusations: Share
    """ILLEGAL said of legal turns."""
    wrong_acquittals: Share
    """LEGAL said of turns that are not."""
    named_right: Share
    """Of the turns ruled ILLEGAL that are, those whose faults were named exactly, as far as they could
    be known; where a part of the table is hidden, there is nothing exact to name."""
    more_beside: int
    """How many of all those turns had faults beside, which could not be known as nobody said whether
    the player had opened."""
    read_exactly: Share
    """Tables on which every tile and set was read as it lay."""
    asked_needlessly: Share
    """Turns in which something was asked that could be seen."""
    needless_questions: int
    hidden_questions: int
    """Questions about what lay there where a part of it was hidden."""
    game_questions: int
    """Questions that no camera can answer: whether a player had opened."""
    false_alarms: Share
    """Legal turns of which ILLEGAL was shown for a while, as under a hand that lay still."""
    without_ruling: Share
    """Turns on which nothing was said while it was waited for."""
    corrections: int
    """Tiles that were misread without a question."""
    seconds_median: float
    """From the last picture with a hand to the ruling, in the film's time; NaN without a ruling."""
    seconds_p99: float
    ruled_soon: Share
    """Rulings that came within `SOON_S` of that picture."""
    pressed_median: float
    """From the press of a button to the ruling, if it is pressed `PRESS_S` after that picture; 0 where
    the ruling is there before the press."""
    pressed_p99: float
    pressed_soon: Share
    """Rulings that came within `SOON_S` of that press."""
    pressed_soon_without_bumps: Share
    """The same of turns in which the camera was not pushed: else the ruling waits until a person accepts
    the new view."""
    computing_s: float
    """What reading took of this computer for one turn, on the average."""

    @property
    def needless_per_100(self) -> float:
        """Needless questions in 100 turns."""
        return 100 * self.needless_questions / max(1, self.turns)

    def lines(self) -> list[str]:
        """The report in words."""
        return [
            f"  wrong accusations    {self.wrong_accusations}",
            f"  wrong acquittals     {self.wrong_acquittals}",
            f"  named with its fault {self.named_right}; {self.more_beside} with more by the opening",
            f"  layouts read exactly {self.read_exactly}; {self.corrections} tiles put right unasked",
            f"  needless questions   {self.needless_per_100:.1f} in 100 turns",
            f"  turns with one       {self.asked_needlessly}",
            f"  hidden tiles         {self.hidden_questions} questions about them",
            f"  other questions      {self.game_questions}, on who had opened",
            f"  false alarms         {self.false_alarms}",
            f"  without a ruling     {self.without_ruling}",
            f"  hand out to ruling   {_times(self.seconds_median, self.seconds_p99)}",
            f"    in {SOON_S:g} s           {self.ruled_soon}",
            f"  press to ruling      {_times(self.pressed_median, self.pressed_p99)}",
            f"    in {SOON_S:g} s           {self.pressed_soon}",
            f"    without bumps      {self.pressed_soon_without_bumps}",
            f"  computing            {self.computing_s:.2f} s a turn, for reading, on this machine",
        ]

    def short(self) -> str:
        """The report in one line."""
        return (
            f"{self.turns:5} turns, accused {self.wrong_accusations.count}/"
            f"{self.wrong_accusations.of}, acquitted {self.wrong_acquittals.count}/"
            f"{self.wrong_acquittals.of}, exact {self.read_exactly.count}/{self.read_exactly.of}, "
            f"{self.needless_per_100:.0f} needless questions in 100, "
            f"alarms {self.false_alarms.count}, silent {self.without_ruling.count}, "
            f"{self.seconds_median:.2f} s"
        )

    def to_json(self) -> dict[str, Any]:
        """The report as an object; shares have their 95 % intervals."""
        told: dict[str, Any] = {}
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            if isinstance(value, Share):
                told[name] = value.to_json()
            elif isinstance(value, float):
                told[name] = None if np.isnan(value) else round(value, 4)
            else:
                told[name] = value
        return told


def report_on(outcomes: Sequence[Outcome]) -> Report:
    """What these turns came to."""
    legal = [o for o in outcomes if o.wrong is None]
    wrong = [o for o in outcomes if o.wrong is not None]
    ruled = [o for o in wrong if o.is_named]
    timed = [o for o in outcomes if o.seconds is not None]
    seconds = np.array([o.seconds for o in timed], np.float64)
    pressed = np.maximum(0.0, seconds - PRESS_S)
    bumped = np.array([o.kind is Kind.BUMP for o in timed], bool)
    return Report(
        turns=len(outcomes),
        wrong_accusations=_share(legal, lambda o: o.is_accusation),
        wrong_acquittals=_share(wrong, lambda o: o.is_acquittal),
        named_right=_share(ruled, lambda o: o.named_right),
        more_beside=sum(bool(o.unsaid) for o in ruled),
        read_exactly=_share(outcomes, lambda o: o.exact),
        asked_needlessly=_share(outcomes, lambda o: o.needless > 0),
        needless_questions=sum(o.needless for o in outcomes),
        hidden_questions=sum(o.about_the_table - o.needless for o in outcomes),
        game_questions=sum(len(o.questions) - o.about_the_table for o in outcomes),
        false_alarms=_share(legal, lambda o: o.false_alarm),
        without_ruling=_share(outcomes, lambda o: NOTHING in (o.first, o.final)),
        corrections=sum(o.corrections for o in outcomes),
        seconds_median=_quantile(seconds, 0.5),
        seconds_p99=_quantile(seconds, 0.99),
        ruled_soon=_soon(seconds),
        pressed_median=_quantile(pressed, 0.5),
        pressed_p99=_quantile(pressed, 0.99),
        pressed_soon=_soon(pressed),
        pressed_soon_without_bumps=_soon(pressed[~bumped]),
        computing_s=sum(o.computing_s for o in outcomes) / max(1, len(outcomes)),
    )


def reports_by(outcomes: Iterable[Outcome], key: Callable[[Outcome], str]) -> Mapping[str, Report]:
    """A report for each value of ``key``, in their order of appearance."""
    parts: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        parts.setdefault(key(outcome), []).append(outcome)
    return {name: report_on(part) for name, part in parts.items()}


def _share(outcomes: Sequence[Outcome], wanted: Callable[[Outcome], bool]) -> Share:
    return Share(sum(map(wanted, outcomes)), len(outcomes))


def _times(median_s: float, p99_s: float) -> str:
    return f"{median_s:.2f} s median, {p99_s:.2f} s p99"


def _quantile(seconds: NDArray[np.float64], part: float) -> float:
    return float(np.quantile(seconds, part)) if len(seconds) else float("nan")


def _soon(seconds: NDArray[np.float64]) -> Share:
    """Up to a thousandth of a second, for the film's clock adds up tenths."""
    return Share(int((seconds < SOON_S + 0.001).sum()), len(seconds))
