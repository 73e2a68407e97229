"""What each part of report 001's heuristic brings: games of its player against itself without that
part, at equal nodes.

The report calls its multipliers for aligned and for adjacent cells fundamental, and lets two steps
stand above all ordinary scores: cells that end the game, and cells that play a double game.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from mnkala.core import Position, Rules
from mnkala.core.grid import DIRECTIONS
from mnkala.core.rules import State
from mnkala.lab.judging import Sentences, by_verdict, carried, results, where
from mnkala.lab.measuring import MeasuredPlayer, games_between, seed_of_pair, summary
from mnkala.lab.registry import NOT_TOLD, Judgement, Row, claim, finding, judged, measure
from mnkala.native import native
from mnkala.native.objects import IntArray
from mnkala.play.series import SeriesResult
from mnkala.search import Engine, Limit
from mnkala.search.budget import Budget
from mnkala.search.criticality import DOUBLE_GAME, END_GAME, NEIGHBOUR, window_weight
from mnkala.search.heuristic import Heuristic, Memory

PARTS = {
    "aligned marks": "aligned",
    "adjacent marks": "adjacent",
    "the end-game step": "end_game",
    "the double-game step": "double_game",
}
"""The parts that can be left out, and the fields of `Parts` that stand for them."""


@native
class Parts(Heuristic):
    """Report 001's heuristic, from which parts can be left out. It examines every window of every
    free cell anew; with all parts it gives the numbers of `criticality`."""

    aligned: bool = True
    """Whether the marks in a window count; without, every open window counts the same."""
    adjacent: bool = True
    """Whether a neighbour of the same owner counts."""
    end_game: bool = True
    """Whether a cell that completes a line stands above all others."""
    double_game: bool = True
    """Whether a cell with two windows that lack two marks stands above ordinary ones."""

    def worth(self, rules: Any, cells: IntArray, cell: int, player: int) -> int:
        """The value of a free cell for a player."""
        row, col = cell // rules.cols, cell % rules.cols
        ordinary, lack_one, lack_two = 0, 0, 0
        for direction in range(4):
            step_row, step_col = DIRECTIONS[direction]
            # 1. The windows through the cell.
            for back in range(rules.line):
                first_row, first_col = row - back * step_row, col - back * step_col
                last_row = first_row + (rules.line - 1) * step_row
                last_col = first_col + (rules.line - 1) * step_col
                if (
                    first_row < 0
                    or last_row >= rules.rows
                    or min(first_col, last_col) < 0
                    or max(first_col, last_col) >= rules.cols
                ):
                    continue
                own, other = 0, 0
                for i in range(rules.line):
                    mark = cells[(first_row + i * step_row) * rules.cols + first_col + i * step_col]
                    if mark == player + 1:
                        own += 1
                    elif mark != 0:
                        other += 1
                if other == 0:
                    ordinary += window_weight(own if self.aligned else 0)
                    lack_one += own == rules.line - 1
                    lack_two += own == rules.line - 2
            # 2. The neighbours.
            for side in (-1, 1):
                r, c = row + side * step_row, col + side * step_col
                if (
                    self.adjacent
                    and 0 <= r < rules.rows
                    and 0 <= c < rules.cols
                    and cells[r * rules.cols + c] == player + 1
                ):
                    ordinary += NEIGHBOUR
        # 3. The steps.
        ordinary = min(DOUBLE_GAME - 1, ordinary)
        if self.end_game and lack_one > 0:
            return END_GAME + ordinary
        if self.double_game and lack_two > 1:
            return DOUBLE_GAME + ordinary
        return ordinary

    def evaluate(self, rules: Any, state: State) -> int:
        mover = rules.mover(state)
        total = DOUBLE_GAME // 2
        for cell in range(rules.rows * rules.cols):
            if state.cells[cell] == 0:
                total += self.worth(rules, state.cells, cell, mover)
                total -= self.worth(rules, state.cells, cell, 1 - mover)
        return total

    def score_move(self, rules: Any, state: State, move: int, memory: Memory) -> int:
        cell, mover = rules.cell_of(state, move), rules.mover(state)
        return 2 * self.worth(rules, state.cells, cell, mover) + self.worth(
            rules, state.cells, cell, 1 - mover
        )


@dataclasses.dataclass(frozen=True)
class WithParts(Budget):
    """Report 001's player with some parts of its heuristic."""

    without: str = ""

    def heuristic_for(self, rules: Rules) -> Heuristic:
        return Parts(**{self.without: False}) if self.without else Parts()


class PartsPlayer(MeasuredPlayer):
    """A player that searches as `WithParts` does."""

    def __init__(self, without: str, nodes: int) -> None:
        super().__init__("budget")
        self.engine = Engine(WithParts(without=without), Limit(nodes=nodes))


@measure("without-a-part", version=1)
def without_a_part(*, game: str, without: str, nodes: int, games: int, seed: int = 1) -> Row:
    """Report 001's player with all parts of its heuristic against itself without one of them."""
    return summary(
        games_between(
            Position(game).rules,
            lambda number: (PartsPlayer("", nodes), PartsPlayer(PARTS[without], nodes)),
            games,
            seed_of_pair(seed, "all", without),
        )
    )


# ---- What the rows say ----


SAY = Sentences(__file__)
FUNDAMENTAL = 0.55
"""The least share of points, against the player without it, of a part that deserves to be called
fundamental: 35 Elo."""


@finding("steps")
def in_words(rows: list[Row]) -> str:
    """What the player scores against itself without each part, over all boards."""
    found = results(rows, "without")
    sides = by_verdict(found)
    return SAY.finding(
        needed=[(name, found[name]) for name in sides["ahead"]],
        harmful=[(name, found[name]) for name in sides["behind"]],
        open=[(name, found[name]) for name in sides["undecided"]],
        boards=len(results(rows, "game")),
    )


@claim(
    "steps",
    report="001",
    says="the multipliers for aligned and for adjacent cells are fundamental",
    needs=("without", "share"),
)
def multipliers_are_fundamental(rows: list[Row]) -> Judgement:
    """Judge by the games without each of the two: reproduced if they show that the player is better
    with either of them, refuted if one brings less than a fundamental part would, all boards added
    up."""
    found = {
        name: results(where(rows, without=name), "game")
        for name in ("aligned marks", "adjacent marks")
    }
    if not all(found.values()):
        return NOT_TOLD
    together = [sum(boards.values(), SeriesResult()) for boards in found.values()]
    return judged(
        all(carried(boards.values())[0] for boards in found.values()),
        any(result.interval[1] < FUNDAMENTAL for result in together),
        SAY.multipliers(found=[(name, list(boards.items())) for name, boards in found.items()]),
    )
