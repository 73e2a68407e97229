"""A correct Alpha-Beta."""

from mnkala import Position


def alphabeta(position: Position, depth: int) -> str:
    def value(node: Position, left: int, alpha: float, beta: float) -> tuple[float, str]:
        if node.outcome is not None:
            return (node.outcome.margin if node.mover == 0 else -node.outcome.margin), ""
        if left == 0:
            return 0, ""
        best, best_move = float("-inf"), ""
        for move in node.legal_moves:
            child = node.play(move)
            if child.mover == node.mover:
                found = value(child, left - 1, alpha, beta)[0]
            else:
                found = -value(child, left - 1, -beta, -alpha)[0]
            if found > best:
                best, best_move = found, move
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best, best_move

    return value(position, depth, float("-inf"), float("inf"))[1]
