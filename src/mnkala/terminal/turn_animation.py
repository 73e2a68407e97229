"""A turn shown step by step on the full screen: every seed that falls and every capture, one
sowing after the other."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from mnkala.core import Position
from mnkala.core.picture import BoardStep, Cell
from mnkala.core.position import first_turn
from mnkala.explain.turn_words import step_words, steps_of
from mnkala.play.view import View, make_view, step_view


@dataclasses.dataclass(frozen=True)
class Frame:
    """The board after one step of a turn."""

    moves: str
    """The moves of the turn up to the current one."""
    step: BoardStep
    view: View


@dataclasses.dataclass(frozen=True)
class Walk:
    """All frames of a turn, and the one being shown."""

    position: Position
    """The position before the turn."""
    frames: tuple[Frame, ...]
    at: int = 0

    @staticmethod
    def of(position: Position, line: Iterable[int]) -> Walk | None:
        """The first turn of a line, at its first step; None if it has no steps to show."""
        frames = tuple(_frames(position, first_turn(position, line)))
        return Walk(position, frames) if frames else None

    @property
    def here(self) -> Frame:
        """The frame being shown."""
        return self.frames[self.at]

    @property
    def hand(self) -> tuple[Cell, int] | None:
        """Where the hand is and how many seeds it holds; None if it is empty."""
        step = self.here.step
        return (step.cells[-1], step.hand) if step.hand else None

    def moved(self, by: int) -> Walk:
        """Go some steps forward or back, not beyond the ends."""
        return dataclasses.replace(self, at=max(0, min(len(self.frames) - 1, self.at + by)))


def walk_text(walk: Walk, language: str) -> Iterator[str]:
    """A turn in plain lines, one for each step: the moves so far, the upper and the lower row,
    both stores, and what happens."""
    wide = max(len(frame.moves) for frame in walk.frames)
    for frame in walk.frames:
        seeds = frame.view.seeds
        if seeds is not None:
            above, below = (" ".join(f"{count:>2}" for count in row) for row in seeds.houses)
            board = f"{seeds.stores[1]:>3} [{above} |{below} ] {seeds.stores[0]:<3}"
            yield f"{frame.moves:<{wide}}  {board}  {step_words(frame.step, language)}"


def _frames(position: Position, codes: Iterable[int]) -> Iterator[Frame]:
    made: list[str] = []
    for code in codes:
        made.append(position.rules.move_text(code))
        view = make_view(position)
        for step in steps_of(position, code):
            yield Frame(" ".join(made), step, step_view(view, step))
        position = position.play_codes((code,))
