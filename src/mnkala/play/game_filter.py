"""Which saved games a list contains, and the same filter as a database query."""

from __future__ import annotations

import dataclasses
import re
from typing import Literal

State = Literal["going", "finished"]
Outcome = Literal["won", "lost", "drawn"]
Opponent = Literal["computer", "here", "link", "watched"]
OPPONENTS: dict[Opponent, str] = {
    "computer": "(first = 'human') != (second = 'human')",
    "here": "first = 'human' AND second = 'human' AND NOT linked",
    "link": "linked",
    "watched": "first != 'human' AND second != 'human'",
}
"""A person against the computer, two people at one computer, two people through a link, two
engines."""


@dataclasses.dataclass(frozen=True)
class Wanted:
    """A filter for saved games; fields that are None match every game."""

    owners: tuple[str, ...] | None = None
    here: bool = False
    """Only games that were begun at this computer."""
    game: str | None = None
    """A family or a game string."""
    state: State | None = None
    outcome: Outcome | None = None
    """The result as the owners see it, or as any person sees it if no owners are given. Nobody
    wins or loses against themselves."""
    opponent: Opponent | None = None
    text: str | None = None
    """A text contained in the game string or in the name of a player."""
    before: str | None = None
    """Only games last changed before this time."""

    def query(self) -> tuple[str, list[str]]:
        """The filter as a condition in SQL, and its parameters."""
        terms: list[str] = ["1"]
        values: list[str] = []
        if self.owners is not None:
            terms.append(f"({self._owned('first', values)} OR {self._owned('second', values)})")
        if self.here:
            terms.append("here")
        if self.game is not None:
            terms.append("(game = ? OR game LIKE ? ESCAPE '!')")
            values += [self.game, f"{_literally(self.game)}:%"]
        if self.state is not None:
            terms.append("over" if self.state == "finished" else "NOT over")
        if self.opponent is not None:
            terms.append(OPPONENTS[self.opponent])
        if self.outcome == "drawn":
            terms.append("result = '1/2-1/2'")
        elif self.outcome is not None:
            first, second = ("1-0", "0-1") if self.outcome == "won" else ("0-1", "1-0")
            terms.append(
                f"({self._ended('first', 'second', first, values)} OR {self._ended('second', 'first', second, values)})"
            )
        if self.text:
            names = " || ' ' || ".join(
                (
                    "game",
                    "first",
                    "second",
                    "coalesce(first_nickname, '')",
                    "coalesce(second_nickname, '')",
                )
            )
            terms.append(f"({names}) LIKE ? ESCAPE '!'")
            values.append(f"%{_literally(self.text)}%")
        if self.before is not None:
            terms.append("updated < ?")
            values.append(self.before)
        return " AND ".join(terms), values

    def _owned(self, side: str, values: list[str]) -> str:
        """Make the SQL condition that a seat belongs to one of the owners, and append its
        parameters to `values`. `side` is `first` or `second`."""
        assert self.owners is not None
        values += self.owners
        return f"coalesce({side}_owner IN ({','.join('?' * len(self.owners))}), 0)"

    def _ended(self, mine: str, other: str, result: str, values: list[str]) -> str:
        """Make the SQL condition that the game has this result for a person among the owners whose
        opponent is not one of them, and append its parameters to `values`."""
        term = f"{mine} = 'human' AND result = '{result}'"
        if self.owners is None:
            return f"({term} AND {other} != 'human')"
        return f"({term} AND {self._owned(mine, values)} AND ({other} != 'human' OR NOT {self._owned(other, values)}))"


def _literally(text: str) -> str:
    """Escape a text so that its characters stand for themselves in LIKE."""
    return re.sub(r"([!%_])", r"!\1", text)
