"""Small boards: does `threats` ever give a proved half point away? `python -m bench.gomoku_small
--boards 5x5x4 6x5x4 7x7x4 --time 0.2`.

From every opening of two plies (of those that are turned or mirrored alike, one) the engine plays
both sides. After the game each move is judged by a proof with a table of its own: what the position
was worth, and what was left of it. Positions that the proof does not reach within its nodes are
counted apart.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterator, Sequence

import numpy as np

from mnkala.core import Position
from mnkala.families.lines.engine.small_board import NEVER, YES, SmallBoard, ask, small_board
from mnkala.families.lines.rules import Mnk, build
from mnkala.search import Limit, parse_engine

BOARDS = ("5x5x4", "6x5x4", "7x7x4")
JUDGE_NODES = 3_000_000


@dataclasses.dataclass(frozen=True)
class Verdict:
    """What was lost in some games."""

    games: int = 0
    moves: int = 0
    lost: int = 0
    """Half points."""
    unknown: int = 0
    """Moves before or after which the value is not proved."""
    bad: tuple[str, ...] = ()

    def __add__(self, other: Verdict) -> Verdict:
        return Verdict(
            self.games + other.games,
            self.moves + other.moves,
            self.lost + other.lost,
            self.unknown + other.unknown,
            self.bad + other.bad,
        )

    def __str__(self) -> str:
        return f"{self.games} games, {self.moves} moves, {self.lost} half points lost, {self.unknown} moves not judged {' '.join(self.bad)}"


class Judge:
    """Knows what positions of a board are worth."""

    def __init__(self, rules: Mnk) -> None:
        self.rules = rules
        self.board: SmallBoard = small_board.__wrapped__(rules.rows, rules.cols, rules.line)[0]

    def value(self, position: Position) -> int | None:
        """1, 0 or -1 for the player to move; None if it is not proved."""
        if position.is_over:
            return int(np.sign(int(self.rules.result(position.state()))))
        answers = [
            self._can_win(position, attacker) for attacker in (position.mover, 1 - position.mover)
        ]
        if YES in answers:
            return 1 if answers[0] == YES else -1
        return 0 if answers == [NEVER, NEVER] else None

    def _can_win(self, position: Position, attacker: int) -> int:
        cells = position.state().cells
        attack, defence = (
            np.uint64(sum(1 << int(cell) for cell in np.flatnonzero(cells == 1 + side)))
            for side in (attacker, 1 - attacker)
        )
        return int(
            ask(
                self.board,
                attack,
                defence,
                int(position.mover == attacker),
                JUDGE_NODES,
                np.zeros(1, np.int64),
            )
        )

    def judge(self, opening: int, position: Position) -> Verdict:
        """All moves of a game after its opening."""
        codes, total = position.history_codes, Verdict(games=1)
        before, now = Position(self.rules).play_codes(codes[:opening]), None
        worth = self.value(before)
        for code in codes[opening:]:
            after = before.play_codes((code,))
            now = self.value(after)
            left = None if now is None else -now
            lost = 0 if worth is None or left is None else worth - left
            note = (
                (f"{''.join(before.history)}:{after.history[-1]}({worth:+d} to {left:+d})",)
                if lost
                else ()
            )
            total += Verdict(moves=1, lost=lost, unknown=worth is None or left is None, bad=note)
            before, worth = after, now
        return total


def openings(rules: Mnk) -> Iterator[tuple[int, int]]:
    """Every opening of two plies, one of those that are alike by symmetry."""
    cells, seen = rules.rows * rules.cols, set()
    for first in range(cells):
        for second in range(cells):
            alike = min(_turned(rules, (first, second)))
            if first != second and alike not in seen:
                seen.add(alike)
                yield first, second


def _turned(rules: Mnk, cells: Sequence[int]) -> Iterator[tuple[int, ...]]:
    rows, cols = rules.rows, rules.cols
    for turned in (False, True) if rows == cols else (False,):
        for flip_row in (False, True):
            for flip_col in (False, True):
                places = []
                for cell in cells:
                    row, col = divmod(cell, cols)
                    row, col = (col, row) if turned else (row, col)
                    places.append(
                        (rows - 1 - row if flip_row else row) * cols
                        + (cols - 1 - col if flip_col else col)
                    )
                yield tuple(places)


def half_points_lost(board: str, limit: Limit, every: int = 1, engine: str = "threats") -> Verdict:
    """Play from every opening, or from one in so many, and judge."""
    rows, cols, line = map(int, board.split("x"))
    rules = build(rows, cols, line)
    judge, player, total = Judge(rules), parse_engine(engine), Verdict()
    for number, opening in enumerate(openings(rules)):
        if number % every == 0:
            small_board.cache_clear()  # the engine knows nothing of earlier games
            player.search.prepare(rules)
            position = Position(rules).play_codes(opening)
            while not position.is_over:
                position = position.play_codes(player.analyse(position, limit).line_codes[:1])
            total += judge.judge(len(opening), position)
    return total


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.gomoku_small", description="Half points that threats gives away."
    )
    parser.add_argument("--boards", nargs="+", default=BOARDS)
    parser.add_argument("--time", type=float, default=0.2, help="seconds a move")
    parser.add_argument("--nodes", type=int, help="nodes a move instead")
    parser.add_argument("--every", type=int, default=1, help="play one opening in so many")
    parser.add_argument("--engine", default="threats")
    given = parser.parse_args()
    limit = Limit(nodes=given.nodes) if given.nodes else Limit(time=given.time)
    for board in given.boards:
        print(f"{board}: {half_points_lost(board, limit, given.every, given.engine)}", flush=True)


if __name__ == "__main__":
    main()
