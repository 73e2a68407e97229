"""Exercise 2: Alpha-Beta."""

from mnkala import Position


def alphabeta(position: Position, depth: int) -> str:
    """The move that Minimax would choose `depth` moves deep, found with fewer calls of
    position.play.

    Keep a window from alpha to beta, and stop looking at the moves of a position as soon as alpha
    >= beta.
    """
    return position.legal_moves[0]  # legal, but naive: begin with your Minimax
