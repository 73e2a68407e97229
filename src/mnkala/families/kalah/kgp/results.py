"""The results of all games of a KGP server, player by player."""

from __future__ import annotations

import collections
import dataclasses
from typing import Any

from mnkala.families.kalah.kgp.game import Faults, Played, in_words

HEADINGS = ("player", "games", "wins", "draws", "losses", "points", "faults")


@dataclasses.dataclass
class Row:
    """One player's."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: Faults = dataclasses.field(default_factory=collections.Counter)

    @property
    def games(self) -> int:
        """Games played to an end."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """1 for a win, half for a draw."""
        return self.wins + self.draws / 2


class Results:
    """What every player has done so far, by name."""

    def __init__(self) -> None:
        self.rows: dict[str, Row] = {}
        self.games = 0

    def of(self, name: str) -> Row:
        """A player's row."""
        return self.rows.setdefault(name, Row())

    def add(self, played: Played) -> None:
        """Count a game."""
        self.games += 1
        for side, name in enumerate(played.names):
            row = self.of(name)
            row.wins += played.winner == side
            row.losses += played.winner == 1 - side
            row.draws += played.winner is None
            row.faults += played.faults[side]

    def ranked(self) -> list[tuple[str, Row]]:
        """The best first: most points, then fewest games, then by name."""
        return sorted(self.rows.items(), key=lambda each: (-each[1].points, each[1].games, each[0]))

    def table(self) -> str:
        """For people."""
        cells = [HEADINGS, *((name, *map(str, (row.games, row.wins, row.draws, row.losses, f"{row.points:g}")), in_words(row.faults))
                             for name, row in self.ranked())]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        return "\n".join(
            "  ".join(cell.ljust(width) if place in (0, len(widths) - 1) else cell.rjust(width)
                      for place, (cell, width) in enumerate(zip(line, widths, strict=True))).rstrip() for line in cells)

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {"games": self.games, "players": [
            {"name": name, "games": row.games, "wins": row.wins, "draws": row.draws, "losses": row.losses, "points": row.points,
             "faults": {str(fault): number for fault, number in sorted(row.faults.items())}} for name, row in self.ranked()]}
