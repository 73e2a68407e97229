"""A correct MCTS with UCT."""

import math
import random

from mnkala import Position


class Node:
    def __init__(self, position: Position, move: str = "", mover: int = 0) -> None:
        self.position, self.move, self.mover = position, move, mover
        self.untried = list(position.legal_moves)
        self.children: list[Node] = []
        self.visits, self.wins = 0, 0.0

    def ucb(self, child: "Node") -> float:
        return child.wins / child.visits + 1.4 * math.sqrt(math.log(self.visits) / child.visits)


def mcts(position: Position, iterations: int, rng: random.Random) -> str:
    root = Node(position)
    for _ in range(iterations):
        node, path = root, [root]
        while not node.untried and node.children:
            node = max(node.children, key=node.ucb)
            path.append(node)
        if node.untried:
            move = node.untried.pop(rng.randrange(len(node.untried)))
            child = Node(node.position.play(move), move, node.position.mover)
            node.children.append(child)
            node = child
            path.append(node)
        end = node.position
        while not end.is_over:
            end = end.play(rng.choice(end.legal_moves))
        assert end.outcome is not None
        for node in path:
            node.visits += 1
            node.wins += (
                0.5 if end.outcome.winner is None else float(end.outcome.winner == node.mover)
            )
    return max(root.children, key=lambda child: child.visits).move
