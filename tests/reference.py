"""Slow, obvious reference versions: Connect in lists, and the exact value of a position by trying
everything.
"""

from __future__ import annotations

import functools
import random

from mnkala import Position

Columns = tuple[tuple[int, ...], ...]


class SlowConnect:
    """Connect as a child would write it: a list of discs for each column."""

    def __init__(self, rows: int, cols: int, line: int) -> None:
        self.rows, self.cols, self.line = rows, cols, line

    def start(self) -> Columns:
        return ((),) * self.cols

    def legal(self, columns: Columns) -> list[int]:
        return (
            []
            if self.winner(columns) is not None
            else [c for c in range(self.cols) if len(columns[c]) < self.rows]
        )

    def mover(self, columns: Columns) -> int:
        return sum(map(len, columns)) % 2

    def play(self, columns: Columns, col: int) -> Columns:
        return (*columns[:col], (*columns[col], self.mover(columns)), *columns[col + 1 :])

    def winner(self, columns: Columns) -> int | None:
        for col in range(self.cols):
            for row in range(len(columns[col])):
                for step_row, step_col in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                    cells = [(row + i * step_row, col + i * step_col) for i in range(self.line)]
                    owners = {
                        columns[c][r] if 0 <= c < self.cols and 0 <= r < len(columns[c]) else None
                        for r, c in cells
                    }
                    if len(owners) == 1 and None not in owners:
                        return columns[col][row]
        return None

    def is_over(self, columns: Columns) -> bool:
        return not self.legal(columns)

    @functools.cache  # noqa: B019
    def solve(self, columns: Columns) -> tuple[int, int]:
        """(margin, plies to the end) with best play: quick wins, slow losses."""
        if self.winner(columns) is not None:
            return (-1, 0)
        moves = self.legal(columns)
        if not moves:
            return (0, 0)
        answers = []
        for move in moves:
            margin, plies = self.solve(self.play(columns, move))
            answers.append((-margin, plies + 1))
        return max(answers, key=lambda answer: (answer[0], -answer[0] * answer[1]))

    def score(self, columns: Columns) -> int:
        """The exact score as the issue defines it, in its own words: own discs unplayed after the
        win, plus one.
        """
        margin, plies = self.solve(columns)
        if margin == 0:
            return 0
        played = sum(map(len, columns))
        winner = self.mover(columns) if margin > 0 else 1 - self.mover(columns)
        cells = self.rows * self.cols
        would_have = len(range(winner, cells, 2))
        has_used = len(range(winner, played + plies, 2))
        return margin * (would_have - has_used + 1)


def random_position(game: str, seed: int, most_moves: int | None = None) -> Position:
    """A position reached by random moves, not finished."""
    rng = random.Random(f"{game} {seed}")
    position = Position(game)
    wanted = rng.randint(0, position.rules.longest_game() if most_moves is None else most_moves)
    for _ in range(wanted):
        after = position.play_codes([rng.choice(position.legal_codes)])
        if after.is_over:
            break
        position = after
    return position
