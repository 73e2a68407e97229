"""The positions of the exercises and their right answers, computed by textbook Minimax and
Alpha-Beta on `Position`.

It is plain Python as a student would write it, so nothing waits for a compiler;
`tests/test_school.py` compares these functions with the engines `minimax` and `alphabeta`. A
finished game is worth its margin. A position at the end of the depth is worth 0, whatever a
student's file makes of it: the reference positions are chosen so that no guess between -1 and 1
changes the answer. Answers are kept, because every student is asked the same.
"""

from __future__ import annotations

import functools

from mnkala.core import Position

# ---- Positions for the tests ----
#
# They come from random play: positions with a unique answer that is not the first legal move nor (except in Kalah)
# the last, so that a constant answer earns nothing, and in which a common mistake leads to another move.
# `tests/test_school.py` verifies all of this.


Placed = tuple[str, str]
"""A game string and the moves that lead to a position."""

ANY: tuple[Placed, ...] = (("connect4", ""), ("connect4:5x6", "334"), ("tictactoe", "b2a1"), ("kalah", ""), ("kalah:4x3", "21"),
                           ("connect:4x4x3", "2133113442"))
"""Ordinary positions of several games: an answer must be legal in each of them."""

WIN_IN_ONE: tuple[Placed, ...] = (("connect4", "4615274452"), ("connect4", "752414735525447"), ("connect4:5x6", "2345216623"),
                                  ("connect4:5x6", "62115632523"), ("tictactoe", "a1c2c1b3"), ("tictactoe", "a2b1c2b3c1"))
"""Positions in which one move wins at once, for either player."""

LOSS_IN_ONE: tuple[Placed, ...] = (("connect4", "2212154"), ("connect4", "345626361223"), ("connect4:5x6", "66414322456"),
                                   ("connect4:5x6", "1455223316"), ("tictactoe", "b1c3a1"), ("tictactoe", "c2c1b2"))
"""Positions in which the opponent threatens to win, the mover cannot win at once, and one move
stops the threat."""

FIRST_PLAYER: tuple[Placed, ...] = (("tictactoe", "b3c1a2c2"), ("connect4:4x4", "23343324"), ("connect:4x4x3", "434134"),
                                    ("connect:4x4x3", "214333"))
SECOND_PLAYER: tuple[Placed, ...] = (("tictactoe", "a1b2c1"), ("connect:3x4x3", "224"), ("connect4:4x4", "222141132"),
                                     ("connect:4x4x3", "4133343"))
"""Positions in which one move is best when the game is searched to its end."""

MOVE_AGAIN: tuple[Placed, ...] = (("kalah:3x3", "2322312312"), ("kalah:3x3", "3213113223"), ("kalah:4x2", "3144"),
                                  ("kalah:4x2", "12412331244314"), ("kalah:4x2", "3231143411"), ("kalah:4x3", "323124324413"))
"""Positions of Kalah, searched to the end, in which a search that changes sides after every move
goes wrong."""

MARGIN: tuple[Placed, ...] = (("kalah:5x2", "31542415"), ("kalah:3x2", "21213"), ("kalah:4x3", "14324222312324"))
"""Positions in which several moves win and one wins by most."""

LARGE_TREES: tuple[Placed, ...] = (("connect:3x4x3", "224"), ("connect:4x4x3", "434134"), ("kalah:5x2", "31542415"))
"""Positions from which the tree to the end has some thousand nodes; Alpha-Beta needs a fraction of them."""


def placed(positions: tuple[Placed, ...]) -> list[Position]:
    """Make the positions."""
    return [Position(game).play(moves) for game, moves in positions]


# ---- Right answers ----


TO_THE_END = 60
"""A depth greater than the length of any game from the reference positions."""


def margin_for(position: Position, player: int) -> int:
    """The value of a finished game for a player."""
    assert position.outcome is not None
    return position.outcome.margin if player == 0 else -position.outcome.margin


def move_values(position: Position, depth: int) -> dict[str, int]:
    """The value of each legal move for the mover, searched `depth` plies deep."""
    known: dict[tuple[str | None, int], int] = {}
    return {move: _for_mover(position, child, _value(child, depth - 1, known))
            for move in position.legal_moves for child in [position.play(move)]}


def _for_mover(position: Position, child: Position, value: int) -> int:
    """A child's value for the mover of `position`: the sign changes only if the turn has passed."""
    return value if child.mover == position.mover else -value


def _value(position: Position, depth: int, known: dict[tuple[str | None, int], int]) -> int:
    """The value by Minimax. Positions that occurred before are looked up, which changes no value."""
    if position.is_over:
        return margin_for(position, position.mover)
    if depth == 0:
        return 0
    key = (position.literal, depth)
    if key not in known:
        children = (position.play(move) for move in position.legal_moves)
        known[key] = max(_for_mover(position, child, _value(child, depth - 1, known)) for child in children)
    return known[key]


@functools.cache
def best_moves(position: Position, depth: int) -> tuple[str, ...]:
    """All moves that Minimax may choose."""
    values = move_values(position, depth)
    return tuple(move for move, value in values.items() if value == max(values.values()))


@functools.cache
def minimax_plays(position: Position, depth: int) -> int:
    """How many moves plain Minimax plays: the size of the tree without its root."""
    return _tree(position, depth, {}) - 1


def _tree(position: Position, depth: int, known: dict[tuple[str | None, int], int]) -> int:
    if position.is_over or depth == 0:
        return 1
    key = (position.literal, depth)
    if key not in known:
        known[key] = 1 + sum(_tree(position.play(move), depth - 1, known) for move in position.legal_moves)
    return known[key]


TOO_MUCH = 1 << 30


@functools.cache
def alphabeta_plays(position: Position, depth: int) -> int:
    """How many moves textbook Alpha-Beta plays, with moves in the order of the rules, one window
    from the root on, and a cut at alpha >= beta."""
    return _alphabeta(position, depth, -TOO_MUCH, TOO_MUCH)[1]


def _alphabeta(position: Position, depth: int, alpha: int, beta: int) -> tuple[int, int]:
    """The value for the mover, and the number of moves played below."""
    if position.is_over:
        return margin_for(position, position.mover), 0
    if depth == 0:
        return 0, 0
    best, plays = -TOO_MUCH, 0
    for move in position.legal_moves:
        child = position.play(move)
        if child.mover == position.mover:
            value, below = _alphabeta(child, depth - 1, alpha, beta)
        else:
            value, below = _alphabeta(child, depth - 1, -beta, -alpha)
            value = -value
        best, plays = max(best, value), plays + below + 1
        alpha = max(alpha, value)
        if alpha >= beta:
            break
    return best, plays
