"""A puzzle being played: the solver judges every move, the best defence answers, and a hint or the solution is always at hand.

The first move of a puzzle has one solution. Later on more than one move may still do, and each of them is right.
"""

from __future__ import annotations

import dataclasses

from mnkala.core import Position
from mnkala.explain.reason import Reason
from mnkala.play.puzzle_contract import Attempt, Goal
from mnkala.play.puzzles import puzzles_of
from mnkala.search import Stop


def left_after(position: Position, goal: Goal, played: tuple[str, ...] | list[str] = ()) -> Goal:
    """The goal that is left in a puzzle after some moves; raise an error with the reason if there
    is none, or if it cannot be reached."""
    return puzzles_of(position.rules).left(position, goal, played)


def attempt(position: Position, left: Goal, move: str, *, seconds: float | None = None, stop: Stop | None = None) -> Attempt:
    """Try a move in a position in which something is left to do."""
    family = puzzles_of(position.rules)
    family.left(position, left, ())
    position.play(move)
    with family.judge(position, seconds, stop) as judge:
        tried = family.attempt(judge, position, left, move)
    return tried if tried.right else dataclasses.replace(tried, said=family.refusal(tried, left))


def solution(position: Position, left: Goal, *, seconds: float | None = None, stop: Stop | None = None) -> tuple[str, ...]:
    """The solution from a position of the puzzle; raise an error if there is none."""
    family = puzzles_of(position.rules)
    family.left(position, left, ())
    with family.judge(position, seconds, stop) as judge:
        return family.solution(judge, position, left)


def reasons_for(position: Position, line: tuple[str, ...]) -> tuple[Reason, ...]:
    """Why the first move of a solution is the one to play."""
    return puzzles_of(position.rules).reasons(position, line)
