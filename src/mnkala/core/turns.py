"""Turns: consecutive moves of one player.

In most games a turn is a move. In Kalah a last seed in one's store moves again, so a turn is a
chain of sowings: the unit in which people think about a game, explain it and judge it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence

from mnkala.core.position import Position


@dataclasses.dataclass(frozen=True)
class Turn:
    """Consecutive moves of one player."""

    position: Position
    """The position before the first move."""
    codes: tuple[int, ...]
    """The moves as numbers; the last one passes the turn or ends the game, unless the line was cut
    short there.
    """
    after: Position

    @property
    def mover(self) -> int:
        """The player whose turn it is."""
        return self.position.mover

    @property
    def text(self) -> str:
        """The moves of the turn as people write them."""
        return self.position.rules.moves_text(self.codes)


def turns(position: Position, codes: Iterable[int]) -> Iterator[Turn]:
    """The turns of a line of moves, each as soon as it is over; the last one may be unfinished."""
    before, chain = position, []
    for code in codes:
        position = position.play_codes((code,))
        chain.append(code)
        if position.is_over or position.mover != before.mover:
            yield Turn(before, tuple(chain), position)
            before, chain = position, []
    if chain:
        yield Turn(before, tuple(chain), position)


def first_turn(position: Position, codes: Iterable[int]) -> tuple[int, ...]:
    """The beginning of a line of moves that belongs to the player to move."""
    return next((turn.codes for turn in turns(position, codes)), ())


def line_text(position: Position, codes: Iterable[int]) -> str:
    """A line of moves for people: separated, and grouped by turns where a player may move again."""
    rules = position.rules
    if not rules.moves_again:
        return " ".join(map(rules.move_text, codes))
    return " ".join(turn.text for turn in turns(position, codes))


def written_line(position: Position, codes: Sequence[int]) -> str:
    """A line of moves in the game's notation, to be read and typed again: grouped by turns where
    a player may move again."""
    return (
        line_text(position, codes)
        if position.rules.moves_again
        else position.rules.moves_text(codes)
    )
