"""The result of a search: an `Analysis`, complete enough for a page, a study and a program."""

from __future__ import annotations

import dataclasses

from mnkala.core import Position
from mnkala.core.score import Score


@dataclasses.dataclass(frozen=True)
class RootMove:
    """One move of the analysed position."""

    code: int
    """The move as a number."""
    score: Score
    """The score for the player who makes the move."""
    line_codes: tuple[int, ...]
    """The move and its continuation, as far as the search knows it."""


@dataclasses.dataclass(frozen=True)
class Analysis:
    """A search's answer, or its answer so far."""

    position: Position
    engine: str
    score: Score | None
    """The score for the mover; None if the search has no opinion (random play)."""
    moves: tuple[RootMove, ...]
    """The root moves that were searched, in the order of the rules."""
    line_codes: tuple[int, ...]
    """The principal variation: best play by both sides. `line` has it as texts."""
    depth: int = 0
    nodes: int = 0
    """The number of positions visited: their moves were generated, or they were looked up or
    evaluated."""
    evaluations: int = 0
    """How often the heuristic was called."""
    cutoffs: int = 0
    """The number of positions that were left early because the opponent has something better
    elsewhere."""
    held: int = 0
    """Nodes held in memory at the end: the path, and the positions in the table or tree."""
    table_hits: int = 0
    seconds: float = 0.0
    """The time since the search began. The final answer has the time and the nodes of the whole
    search, including unfinished depths."""
    note: str = ""
    """A remark for the user about this answer."""
    earlier: tuple[RootMove, ...] = dataclasses.field(default=(), compare=False, repr=False)
    """The moves as the search rated them one depth before, if it went depth by depth."""

    @property
    def best_move(self) -> str:
        """The move to play; empty in a finished game."""
        return "" if self.best_code is None else self.position.rules.move_text(self.best_code)

    @property
    def best_code(self) -> int | None:
        """The best move as a number; None in a finished game."""
        return self.line_codes[0] if self.line_codes else None

    @property
    def best_moves(self) -> tuple[str, ...]:
        """The best move and all moves known to be as good."""
        return tuple(map(self.position.rules.move_text, self.best_codes))

    @property
    def best_codes(self) -> tuple[int, ...]:
        """The codes of the best moves, as `best_moves` gives their texts."""
        whole, first = self.score, self.line_codes[:1]
        if whole is None or (whole.exact is None and not first):
            return first
        equal = [
            move
            for move in self.moves
            if move.score == whole or (whole.exact is not None and move.score.exact == whole.exact)
        ]
        if whole.plies is not None and all(move.score.plies is not None for move in equal):
            equal = [move for move in equal if move.score.plies == whole.plies]
        return (*first, *(move.code for move in equal if move.code not in first))

    @property
    def line(self) -> tuple[str, ...]:
        """The principal variation: best play by both sides."""
        return tuple(map(self.position.rules.move_text, self.line_codes))

    @property
    def scores(self) -> dict[str, Score]:
        """The score of each move that was searched."""
        return {self.position.rules.move_text(move.code): move.score for move in self.moves}

    def __str__(self) -> str:
        """One readable line: the move, its score, the effort and the principal variation."""
        score = "no score" if self.score is None else str(self.score)
        return (
            f"{self.best_move or 'no move'} ({score}), depth {self.depth}, {self.nodes:,} nodes, {self.seconds:.2f} s"
            f"{', line ' + ' '.join(self.line) if self.line else ''}"
        )
