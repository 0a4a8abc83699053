"""What was played and tried in one game or in many."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(slots=True)
class Tally:
    """Counts that add up."""

    games: int = 0
    whole_games: int = 0
    """Games that came to their end."""
    rounds: int = 0
    """Rounds that came to their end, in a tournament its games."""
    turns: int = 0
    events: Counter[str] = field(default_factory=Counter)
    """Events that applied, by their kinds."""
    refusals: Counter[str] = field(default_factory=Counter)
    """Events that were refused, by the codes."""
    rulings: Counter[str] = field(default_factory=Counter)
    """Turns that were judged, by the verdict."""
    tried: Counter[str] = field(default_factory=Counter)
    """Spoiled boards that were judged, by what was done to them."""
    agreed: int = 0
    """Rulings on which the plain referee had an opinion, the same."""
    checks: Counter[str] = field(default_factory=Counter)
    """What is not looked at after every event, and how often it was."""
    cpu_s: float = 0.0
    """Time of a processor that it took."""

    def add(self, other: Tally) -> None:
        """Add what another one counted."""
        for item in fields(self):
            setattr(self, item.name, getattr(self, item.name) + getattr(other, item.name))

    def to_json(self) -> dict[str, Any]:
        """Every count, the most frequent of each kind first."""
        found: dict[str, Any] = {}
        for item in fields(self):
            value = getattr(self, item.name)
            found[item.name] = dict(value.most_common()) if isinstance(value, Counter) else value
        return found | {"cpu_s": round(self.cpu_s, 3)}
