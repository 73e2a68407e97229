"""A puzzle in the terminal: what is to be found, and what the solver says about the last try,
beside the board and in plain lines."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING

from mnkala.core import Rules
from mnkala.explain.score_words import score_words
from mnkala.explain.words import named_moves, say
from mnkala.play import HUMAN, Player
from mnkala.play.game_state import GameState
from mnkala.play.puzzle_contract import Attempt, Goal, Puzzle, PuzzleFamily
from mnkala.play.puzzles import puzzle_set
from mnkala.terminal.drawing import INK, SOFT, TONES

if TYPE_CHECKING:
    from mnkala.terminal.panels import Panels, Part

NEITHER_SIDE = (Player(HUMAN), Player(HUMAN))
"""The players of a puzzle. The solver moves for the other side when it judges a move."""


@dataclasses.dataclass(frozen=True)
class Task:
    """A puzzle being solved."""

    puzzle: Puzzle
    number: int
    """Its number in the set of its goal, from 0."""
    total: int
    left: Goal
    """The goal that is left; empty once the puzzle is solved."""
    tried: Attempt | None = None
    """The last move that was tried."""
    helped: bool = False
    line: tuple[str, ...] = ()
    """The solution from here, if it was asked for."""

    @property
    def solved(self) -> bool:
        """Whether the puzzle is solved."""
        return not self.left

    def game(self) -> GameState:
        """The puzzle's position as a game, on which moves are played."""
        return GameState(self.puzzle.position, NEITHER_SIDE)

    def after(self, tried: Attempt) -> Task:
        """The task after a move was judged."""
        left = tried.left if tried.right else self.left
        return dataclasses.replace(
            self, tried=tried, left=left, helped=self.helped or not tried.right, line=()
        )

    def again(self) -> Task:
        """The task from its beginning."""
        return dataclasses.replace(self, left=self.puzzle.goal, tried=None, line=())

    def words(self, language: str) -> str:
        """The task in words."""
        return self.puzzle.task(self.left).text(language)

    def verdict(self, language: str) -> Iterator[tuple[str, str]]:
        """What the solver says about the last try, as sentences with their tone."""
        tried = self.tried
        if self.solved:
            yield say("puzzle.solved_helped" if self.helped else "puzzle.solved", language), "good"
        elif tried is not None and not tried.right:
            yield from self._refused(tried, language)
        elif tried is not None:
            rules = tried.after.rules
            key = (
                "puzzle.right_again"
                if tried.reply is None
                else "puzzle.right_last"
                if self.left == 1
                else "puzzle.right"
            )
            reply = "" if tried.reply is None else named_moves(rules, tried.reply)
            yield (
                say(
                    key, language, move=named_moves(rules, tried.move), reply=reply, moves=self.left
                ),
                "good",
            )

    def _refused(self, tried: Attempt, language: str) -> Iterator[tuple[str, str]]:
        """Explain what is wrong with a move."""
        score = score_words(tried.known, tried.after.rules, language)
        for number, reason in enumerate(tried.said):
            yield (
                say(reason.key, language, **{**reason.values, "score": score}),
                "even" if number else "bad",
            )


def goal_words(family: PuzzleFamily, goal: Goal, language: str) -> str:
    """The goal of some puzzles in words, for a list to choose from."""
    return (
        say("terminal.puzzle_length", language, moves=goal)
        if isinstance(goal, int)
        else say(f"{family.texts}.{goal}.name", language)
    )


def solution_words(goal: Goal, line: tuple[str, ...], language: str) -> str:
    """A solution in words: to the end of the game, or the sowings of one turn."""
    return say(
        "puzzle.solution_is", language, line=(" " if isinstance(goal, int) else ", ").join(line)
    )


def make_task(rules: Rules, goal: Goal, number: int | None = None) -> Task:
    """A puzzle with a goal, by its number or any."""
    found = puzzle_set(rules, goal)
    chosen = random.randrange(len(found)) if number is None else number % len(found)
    return Task(found[chosen], chosen, len(found), goal)


def puzzle_panel(panels: Panels, task: Task) -> list[Part]:
    """The task, what was tried, and which keys help."""
    stars = ("*" if panels.ascii_only else "★") * task.puzzle.grade.stars
    which = panels.say("puzzle.number", number=task.number + 1, total=task.total)
    parts: list[Part] = [panels.title("puzzle.title"), (f"  {which} {stars}", SOFT)]
    if not task.solved:
        parts += ["\n", (task.words(panels.language), f"bold {INK}")]
    if panels.session.is_judging:
        parts += ["\n", (panels.say("exact.waits"), SOFT)]
    else:
        for text, tone in task.verdict(panels.language):
            parts += [
                "\n",
                (
                    text,
                    SOFT
                    if tone == "even"
                    else f"bold {TONES[tone]}"
                    if task.solved
                    else TONES[tone],
                ),
            ]
    if task.line:
        parts += ["\n", (solution_words(task.puzzle.goal, task.line, panels.language), INK)]
    return [*parts, "\n", (panels.say("terminal.puzzle_keys"), SOFT)]
