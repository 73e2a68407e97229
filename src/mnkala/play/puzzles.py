"""Making puzzles, of every family that has them.

They come from games of careful players. Every claim of a puzzle is proved by the solver; what there is to find, and how hard that is, the
families say (`Family.puzzles`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from mnkala.core import Rules
from mnkala.core.registry import families, family_of
from mnkala.errors import BadGame
from mnkala.play.puzzle_contract import BadPuzzle, Goal, Puzzle, PuzzleFamily
from mnkala.search import Stop


def find_puzzles(rules: Rules) -> PuzzleFamily[Any] | None:
    """The puzzles of a game, or None if it has none."""
    return next((puzzles for puzzles in family_of(rules).puzzles() if puzzles.fits(rules)), None)


def puzzles_of(rules: Rules) -> PuzzleFamily[Any]:
    """The puzzles of a game; an error says which games have some if it has none."""
    found = find_puzzles(rules)
    if found is None:
        boards = ", and for ".join(puzzles.boards for puzzles in offered_puzzles())
        raise BadGame(f"there are no puzzles for {rules.game_string()}; there are puzzles for {boards}")
    return found


def offered_puzzles() -> list[PuzzleFamily[Any]]:
    """The puzzles of all families, in the order of the families."""
    return [puzzles for family in families() for puzzles in family.puzzles()]


def check_puzzles(rules: Rules, goals: Sequence[Goal], count: int) -> PuzzleFamily[Any]:
    """The family of a game; raises an error that says why if these puzzles cannot be meant."""
    family = puzzles_of(rules)
    family.check_goals(goals)
    if count < 1:
        raise BadPuzzle(f"{count} puzzles; at least 1 is needed")
    return family


def make_puzzles(rules: Rules, goals: Sequence[Goal], count: int, seed: int = 0, *, stop: Stop | None = None,
                 report: Callable[[int, int], None] | None = None) -> Iterator[Puzzle]:
    """Up to `count` puzzles, spread over the goals, the same for the same seed; fewer if the board has no more or `stop` is raised.
    `report` hears how many puzzles were found and how many games were looked through."""
    family, stop = check_puzzles(rules, goals, count), stop or Stop()
    rng = random.Random(f"{rules.game_string()} {seed}")
    maker = family.maker(rules, stop)
    shares = {goal: count // len(goals) + (i < count % len(goals)) for i, goal in enumerate(goals)}
    found = games = idle = 0
    while found < count and idle < 3 * family.patience and not stop.is_set():
        wanted = {goal for goal in goals if shares[goal] > 0 or idle >= family.patience}
        puzzle = maker.from_game(maker.game(rng), wanted)
        games, idle = games + 1, idle + 1
        if puzzle is not None and not stop.is_set():
            found, idle = found + 1, 0
            shares[puzzle.goal] -= 1
            yield puzzle
        if report is not None:
            report(found, games)
