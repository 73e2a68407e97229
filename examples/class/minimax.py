"""Exercise 1: Minimax."""

from mnkala import Position


def minimax(position: Position, depth: int) -> str:
    """The best move of a position that is not over, searched `depth` moves deep.

    A finished game is worth position.outcome.margin to player 0, and minus that to player 1.
    A position at depth 0 that is not over is worth your guess between -1 and 1; 0 will do.
    """
    return position.legal_moves[0]  # legal, but naive: look at every move instead
