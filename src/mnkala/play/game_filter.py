"""Which saved games a list is about, and the same as a query of the store."""

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
"""A person against the computer, two people at one computer, two by a link, two computers."""


@dataclasses.dataclass(frozen=True)
class Wanted:
    """Which games a list is about; what is None does not matter."""

    owners: tuple[str, ...] | None = None
    here: bool = False
    """Only those that were begun at this computer."""
    game: str | None = None
    """A family or a game string; None for all games."""
    state: State | None = None
    outcome: Outcome | None = None
    """As the owners see it, or any person if they do not matter. Nobody has won or lost against himself."""
    opponent: Opponent | None = None
    text: str | None = None
    """Something that stands in the game string or in the name of a player."""
    before: str | None = None
    """Only those that were last changed before this time."""

    def query(self) -> tuple[str, list[str]]:
        """The condition in SQL, and what stands in its places."""
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
            terms.append(f"({self._ended('first', 'second', first, values)} OR {self._ended('second', 'first', second, values)})")
        if self.text:
            names = " || ' ' || ".join(("game", "first", "second", "coalesce(first_nickname, '')", "coalesce(second_nickname, '')"))
            terms.append(f"({names}) LIKE ? ESCAPE '!'")
            values.append(f"%{_literally(self.text)}%")
        if self.before is not None:
            terms.append("updated < ?")
            values.append(self.before)
        return " AND ".join(terms), values

    def _owned(self, side: str, values: list[str]) -> str:
        """Whether a seat belongs to the owners."""
        assert self.owners is not None
        values += self.owners
        return f"coalesce({side}_owner IN ({','.join('?' * len(self.owners))}), 0)"

    def _ended(self, mine: str, other: str, result: str, values: list[str]) -> str:
        """Whether a person of the owners on one seat, and nobody of them on the other, has this result."""
        term = f"{mine} = 'human' AND result = '{result}'"
        if self.owners is None:
            return f"({term} AND {other} != 'human')"
        return f"({term} AND {self._owned(mine, values)} AND ({other} != 'human' OR NOT {self._owned(other, values)}))"


def _literally(text: str) -> str:
    """A text whose letters mean themselves in LIKE."""
    return re.sub(r"([!%_])", r"!\1", text)
