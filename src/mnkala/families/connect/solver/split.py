"""Starts of Connect proved in pieces (`solve.pieces`): the tree of the first plies, with one of each
pair of mirror images, and scores where it ends.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from mnkala.core import Position, Rules, parse_game
from mnkala.errors import BadGame, MnkalaError
from mnkala.families.connect.solver.search import key_of
from mnkala.families.connect.solver.solver import ConnectSolver
from mnkala.jobs import Progress
from mnkala.numbers import counted
from mnkala.solve.pieces import (
    Bounds,
    PieceProof,
    Split,
    TreeMove,
    TreeNode,
    kept_solver,
    prove_pieces,
)

PLIES, MOST_PLIES = 6, 8
"""The usual depth of the tree, and the largest: with 8 plies 7x7 has 100,000 positions."""
TABLE_MB = 512
"""The size of the table of a worker's solver."""
LOOK_NODES = 2000
"""The most nodes of a look at a position where the tree ends."""


def answer_unit(game: str, number: int, literal: str, above: int, table_mb: int) -> list[int]:
    """Answer a unit: return [number, lower, upper] of a position's score, narrow enough to say
    whether it is above a number. A job for `mnkala.jobs`."""
    solver = kept_solver(ConnectSolver, game, table_mb)
    found = solver.solve(Position(game, literal=literal), within=(above, above + 1))
    return [number, found.score.lower, found.score.upper]


def check_split(rules: Rules, plies: int) -> None:
    """Check that a start can be proved in pieces; raise an error that says what is allowed."""
    if (reason := ConnectSolver.why_not(rules)) is not None:
        raise BadGame(f"{rules.game_string()} is not proved in pieces: {reason}")
    if not 1 <= plies <= MOST_PLIES:
        raise MnkalaError(f"a tree of {counted(plies, 'move')}; 1 to {MOST_PLIES} are possible")


def prove_split(
    rules: Rules,
    *,
    weak: bool = True,
    plies: int = PLIES,
    jobs: int | None = None,
    cluster: str | None = None,
    table_mb: int = TABLE_MB,
    retry: bool = False,
    path: Path | None = None,
    progress: Callable[[str], Progress] | None = None,
) -> Split:
    """Prove who wins from a start, or unless `weak` its score, as `prove_pieces` does."""
    check_split(rules, plies)
    ConnectSolver.prepare(rules)
    return prove_pieces(
        Proof(rules.game_string(), plies, weak=weak),
        f"{__name__}:{answer_unit.__name__}",
        path,
        table_mb=table_mb,
        jobs=jobs,
        cluster=cluster,
        retry=retry,
        progress=progress,
    )


class Proof(PieceProof):
    """The tree with everything known about it, by scores."""

    def __init__(self, game: str, plies: int, *, weak: bool = True) -> None:
        self.weak = weak
        self._solver = ConnectSolver(parse_game(game), table_mb=1)
        self._looks: dict[int, int] = {}
        start = Position(game)
        super().__init__(game, self._first_plies(start, plies), self._number(start))

    def span(self, position: Position) -> Bounds:
        return self._solver.span(position)

    def look(self, number: int) -> int:
        """A draw, unless a short search says more."""
        if number not in self._looks:
            found = self._solver.solve(
                self.tree[number].position, within=(-1, 1), nodes=LOOK_NODES
            ).score
            self._looks[number] = max(found.lower, min(found.upper, 0))
        return self._looks[number]

    def next_question(self, above: int | None) -> int | None:
        if above is not None or not self.weak:
            return super().next_question(above)
        low, high = self.bounds(self.root)
        return 0 if low <= 0 < high else -1 if low < 0 <= high else None

    def _number(self, position: Position) -> int:
        """The number that a position shares with its mirror image."""
        words: tuple[Any, Any] = self._solver.board(position)
        with np.errstate(over="ignore"):
            return int(key_of(*words, self._solver.shape))

    def _first_plies(self, start: Position, plies: int) -> dict[int, TreeNode]:
        """All unfinished positions of at most so many plies, by number; those of fewer come first."""
        tree: dict[int, TreeNode] = {}
        layer = {self._number(start): start}
        for played in range(plies + 1):
            following: dict[int, Position] = {}
            for number, position in layer.items():
                moves = []
                for code in self._solver.order(position) if played < plies else ():
                    after = position.play_codes((code,))
                    if after.is_over:
                        drawn = after.rules.result(after.state()) == 0
                        gain = 0 if drawn else self.span(position)[1]
                        moves.append(TreeMove(gain, -1, None))
                    else:
                        moves.append(TreeMove(0, -1, self._number(after)))
                        following.setdefault(self._number(after), after)
                tree[number] = TreeNode(number, played, position, tuple(moves))
            layer = following
        return tree
