"""Starts of Kalah proved in pieces (`solve.pieces`): the tree of the first turns, and the margins to
come where it ends.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

from mnkala.core import Position, Rules, parse_game
from mnkala.errors import BadGame, MnkalaError
from mnkala.families.kalah.opening_book import MOST_TURNS, gained, number_at, opening_tree
from mnkala.families.kalah.rules import Kalah, sum_of
from mnkala.families.kalah.solver.board import MOST_SEEDS
from mnkala.families.kalah.solver.solver import KalahSolver
from mnkala.jobs import Progress
from mnkala.numbers import counted
from mnkala.solve.pieces import Bounds, PieceProof, Split, kept_solver, prove_pieces

TURNS = 3
"""The usual depth of the tree, in turns."""
TABLE_MB = 1024
"""The size of the table of a worker's solver."""


def answer_unit(game: str, number: int, literal: str, above: int, table_mb: int) -> list[int]:
    """Answer a unit: return [number, lower, upper] of a position's margin to come, narrow enough to
    say whether it is above a number. A job for `mnkala.jobs`."""
    solver, position = kept_solver(KalahSolver, game, table_mb), Position(game, literal=literal)
    known = gained(position, position.mover)
    found = solver.solve(position, within=(above + known, above + known + 1))
    return [number, found.score.lower - known, found.score.upper - known]


def check_split(rules: Rules, turns: int, above: int | None = None) -> Kalah:
    """Check that the score of a start can be proved in pieces; raise an error that says what is
    allowed."""
    if not isinstance(rules, Kalah):
        raise BadGame(
            f"{rules.game_string()} is not Kalah; proofs in pieces are for Kalah, such as kalah:6x5"
        )
    seeds = 2 * rules.houses * rules.seeds
    if seeds > MOST_SEEDS:
        raise BadGame(
            f"{rules.game_string()} has {seeds} seeds; the solver of Kalah takes at most {MOST_SEEDS}"
        )
    if not 1 <= turns <= MOST_TURNS:
        raise MnkalaError(f"a tree of {counted(turns, 'turn')}; 1 to {MOST_TURNS} are possible")
    if above is not None and not -seeds <= above < seeds:
        raise MnkalaError(
            f"above {above}? The score of {rules.game_string()} lies between {-seeds} and {seeds}"
        )
    return rules


def prove_split(
    rules: Rules,
    *,
    above: int | None = None,
    turns: int = TURNS,
    jobs: int | None = None,
    cluster: str | None = None,
    table_mb: int = TABLE_MB,
    retry: bool = False,
    path: Path | None = None,
    progress: Callable[[str], Progress] | None = None,
) -> Split:
    """Prove the score of a start, or with `above` only whether it exceeds that number.

    The work runs on `jobs` processes (None: one for each core; 0: this process) or a Dask
    `cluster`. Ctrl-C raises KeyboardInterrupt; the same call continues.
    """
    rules = check_split(rules, turns, above)
    return prove_pieces(
        Proof(rules.game_string(), turns),
        f"{__name__}:{answer_unit.__name__}",
        path,
        table_mb=table_mb,
        above=above,
        jobs=jobs,
        cluster=cluster,
        retry=retry,
        progress=progress,
    )


class Proof(PieceProof):
    """The tree with everything known about it, by margins to come."""

    def __init__(self, game: str, turns: int) -> None:
        super().__init__(game, opening_tree(game, turns), number_at(Position(game)))
        self._looks = _looks(game, turns)

    def span(self, position: Position) -> Bounds:
        state = position.state()
        seeds = int(sum_of(state.own)) + int(sum_of(state.other))
        return -seeds, seeds

    def look(self, number: int) -> int:
        return self._looks[number]


@functools.lru_cache(maxsize=2)
def _looks(game: str, turns: int) -> dict[int, int]:
    """The guessed margin at every end of the tree."""
    solver = KalahSolver(parse_game(game), table_mb=1)
    return {
        node.number: solver.look(node.position)
        for node in opening_tree(game, turns).values()
        if not node.moves
    }
