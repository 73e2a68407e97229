"""The words for moves of Reversi: corners taken, kept and given away, and how many replies a move
leaves.

A corner can never be turned over again, and whoever runs out of good moves has to give corners
away. Everything that is said is looked up on the board after the move.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from mnkala import GOING_ON, Position, popcount
from mnkala.core.picture import Cell
from mnkala.explain.contract import Explanations
from mnkala.explain.contract import Reason
from reversi.discs import ZERO, moves_for
from reversi.rules import Board, Reversi

FEW = 3
"""So few replies are worth a sentence."""


class ReversiExplanations(Explanations):
    """By corners and replies."""

    verdicts = True
    margins = True
    margin_texts = "reversi.review"
    importance: ClassVar = {
        "hint.only_move": ("hint.reversi.must_pass",),
        "hint.only_best": (
            "hint.reversi.no_reply",
            "hint.reversi.takes_corner",
            "hint.reversi.keeps_corner",
        ),
        "hint.holds_draw": ("hint.reversi.few_replies",),
    }
    said_by: ClassVar = {
        "hint.only_move": {"hint.reversi.must_pass"},
        "hint.only_safe": {"hint.reversi.must_pass"},
    }

    def reasons(
        self, position: Position, move: int, line: tuple[int, ...], *, proved: bool
    ) -> Iterator[Reason]:
        rules, state = board_of(position)
        player, opponent = rules.players[position.mover], rules.players[1 - position.mover]
        after = rules.play(state, move)
        if move == rules.rows * rules.cols:
            yield Reason("hint.reversi.must_pass", {"player": player})
            return
        if int(rules.corners) >> move & 1:
            yield Reason(
                "hint.reversi.takes_corner",
                {"cell": rules.move_text(move)},
                rules.move_cells(state, move),
            )
        if rules.result(after) != GOING_ON:
            return
        if after.open == ZERO:
            yield Reason("hint.reversi.no_reply", {"player": player, "opponent": opponent})
            return
        feared = (
            moves_for(state.other, state.own, rules) & rules.corners & ~after.other
        )  # not the one that is taken now
        if feared != ZERO and after.open & rules.corners == ZERO:
            cells = cells_of(rules, feared)
            yield Reason(
                "hint.reversi.keeps_corner",
                {"opponent": opponent, "cell": text_of(rules, feared)},
                cells,
            )
        replies = popcount(after.open)
        if replies <= FEW and all(
            replies <= popcount(rules.play(state, other).open) for other in position.legal_codes
        ):
            yield Reason(
                "hint.reversi.few_replies",
                {"opponent": opponent, "count": replies},
                cells_of(rules, after.open),
            )

    def drawbacks(self, position: Position, move: int, line: tuple[int, ...]) -> Iterator[Reason]:
        """The corners that the opponent can take after the move, and could not have taken without
        it.
        """
        rules, state = board_of(position)
        given = (
            rules.play(state, move).open & rules.corners & ~moves_for(state.other, state.own, rules)
        )
        if given != ZERO and not (len(line) > 1 and int(given) >> line[1] & 1):
            values = {"opponent": rules.players[1 - position.mover], "cell": text_of(rules, given)}
            yield Reason("why.reversi.gives_corner", values, cells_of(rules, given))


def board_of(position: Position) -> tuple[Reversi, Board]:
    """The rules and the board of a position of Reversi."""
    assert isinstance(position.rules, Reversi)
    return position.rules, position.state()


def cells_of(rules: Reversi, cells: np.uint64) -> tuple[Cell, ...]:
    """A set of cells, as a picture counts them."""
    return tuple(
        divmod(cell, rules.cols)
        for cell in range(rules.rows * rules.cols)
        if int(cells) >> cell & 1
    )


def text_of(rules: Reversi, cells: np.uint64) -> str:
    """A set of cells as they stand in a sentence."""
    return ", ".join(
        rules.move_text(row * rules.cols + column) for row, column in cells_of(rules, cells)
    )
