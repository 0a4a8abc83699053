"""How text stands out from what is behind it, measured on the colours that a browser computed."""

from __future__ import annotations

import re

from playwright.sync_api import Locator


def colours_of(text: Locator) -> tuple[str, str]:
    """The colour of a text, and that of the first thing behind it that has one."""
    own, behind = text.evaluate(
        """element => {
          let behind = element;
          const colour = (e) => getComputedStyle(e).backgroundColor;
          while (colour(behind) === 'rgba(0, 0, 0, 0)') behind = behind.parentElement;
          return [getComputedStyle(element).color, getComputedStyle(behind).backgroundColor];
        }"""
    )
    return own, behind


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, 1 to 21, as WCAG 2 defines it."""
    lights = sorted((luminance(one), luminance(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def luminance(colour: str) -> float:
    """Relative luminance of ``rgb(r, g, b)``, as WCAG 2 defines it."""
    parts = [int(v) / 255 for v in re.findall(r"\d+", colour)[:3]]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
