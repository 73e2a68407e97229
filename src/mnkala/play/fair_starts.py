"""Fair starts: positions to begin a game from that neither side can force to win, for any game
whose family has some.

Those that come with a family, ready at once, are in its files of the kind `fair`: one JSON line
for each. The family may also find others (`Family.fair_start`).
"""

from __future__ import annotations

import dataclasses
import functools
import json
import random
from typing import Any

from mnkala.core import Position, Rules, parse_game
from mnkala.core.registry import families, family_of
from mnkala.errors import BadGame
from mnkala.search import Stop


@dataclasses.dataclass(frozen=True)
class FairStart:
    """A position to begin a game from, with the proof that it is fair."""

    game: str
    literal: str
    scores: dict[str, int]
    """The exact score of every move, for the first player; the best is 0."""

    @property
    def position(self) -> Position:
        """The position in which the game starts."""
        return Position(self.game, literal=self.literal)

    def to_json(self) -> dict[str, Any]:
        """The start as a line of a file."""
        return {
            "game": self.game,
            "position": self.literal,
            "score": max(self.scores.values()),
            "scores": self.scores,
        }


@functools.cache
def ready_fair_starts(game: str) -> tuple[FairStart, ...]:
    """The fair starts that come with the family for a game string; most boards have none."""
    file = family_of(parse_game(game)).file("fair", game)
    lines = [] if file is None else file.read_text(encoding="utf-8").splitlines()
    return tuple(
        FairStart(entry["game"], entry["position"], entry["scores"])
        for entry in map(json.loads, lines)
    )


def any_fair_start(rules: Rules, stop: Stop | None = None) -> FairStart:
    """A fair start to play from, another one each time: one that is ready, or else one that the
    family finds. An error says why there is none."""
    ready = ready_fair_starts(rules.game_string())
    found = random.choice(ready) if ready else family_of(rules).fair_start(rules, stop or Stop())
    if found is None:
        raise BadGame(
            f"there are no fair starts of {rules.game_string()}; there are some of games such as {', '.join(_examples())}"
        )
    return found


def _examples() -> list[str]:
    """Some games that have ready fair starts."""
    files = (file for family in families() for file in family.folder.glob("fair/*.json*"))
    games = {
        json.loads(file.read_text(encoding="utf-8").partition("\n")[0])["game"] for file in files
    }
    return sorted(games, key=lambda game: (len(game), game))[:3]
