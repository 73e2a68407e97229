"""A correct Minimax."""

from mnkala import Position


def minimax(position: Position, depth: int) -> str:
    player = position.mover

    def value(node: Position, left: int) -> float:
        if node.outcome is not None:
            return node.outcome.margin if player == 0 else -node.outcome.margin
        if left == 0:
            return 0
        values = [value(node.play(move), left - 1) for move in node.legal_moves]
        return max(values) if node.mover == player else min(values)

    return max(position.legal_moves, key=lambda move: value(position.play(move), depth - 1))
