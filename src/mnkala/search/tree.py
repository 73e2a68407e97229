"""The tree of Monte-Carlo search in preallocated arrays, and the four steps that grow it: the kernel of `mcts`.

UCT (Kocsis and Szepesvári 2006) as report 000 describes it: select by UCB1 down to a leaf, expand, play at random to the
end, back the result up. A node counts for the player who moved into it, so an extra turn needs no special case. Finished
games are also backed up as proofs (Winands, Björnsson and Saito 2008): a proved node is not visited again.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mnkala.games import GOING_ON
from mnkala.native import NativeClass, kernel, mix, native, shared
from mnkala.native.objects import IntArray, WordArray
from mnkala.search.candidates import ALL, Candidates, list_moves
from mnkala.search.desk import NODES, Desk

NO_NODE = -1
UNPROVED = -(1 << 40)
"""The proof of a node about which nothing is proved."""
FULL, STOPPED, DONE = range(3)
"""Why `grow` came back: no room, asked to stop, all iterations made or the root proved."""
SPLITMIX_STEP = np.uint64(0x9E3779B97F4A7C15)


@native
class Tree(NativeClass):
    """A forest of one tree: node 0 is the root. Every array has a place for each node."""

    move: IntArray
    """The move that led into the node."""
    player: IntArray
    """Who made it: `reward` and `proof` are for this player."""
    first_child: IntArray
    next_sibling: IntArray
    children: IntArray
    """How many children are in the tree."""
    choices: IntArray
    """How many candidate moves the node has; -1 before it was first looked at."""
    visits: IntArray
    reward: IntArray
    """Two for each playout won, one for each draw."""
    proof: IntArray
    """The margin for `player` if it is proved, else UNPROVED."""
    distance: IntArray
    """Plies to the end of the game, where there is a proof."""
    path: IntArray
    """The nodes from the root to the leaf of the current iteration."""
    size: IntArray
    """[0]: nodes in use."""
    random: WordArray
    """[0]: the state of the random number generator."""


def make_tree(capacity: int, longest_game: int, seed: int, player: int) -> Tree:
    """A tree of a root that `player` moved into."""
    def numbers(fill: int = 0) -> IntArray:
        return np.full(capacity, fill, dtype=np.int64)

    tree = Tree(
        move=numbers(-1), player=numbers(), first_child=numbers(NO_NODE), next_sibling=numbers(NO_NODE), children=numbers(),
        choices=numbers(-1), visits=numbers(), reward=numbers(), proof=numbers(UNPROVED), distance=numbers(),
        path=np.zeros(longest_game + 2, dtype=np.int64), size=np.ones(1, dtype=np.int64),
        random=np.array([mix(np.uint64(seed))], dtype=np.uint64),
    )
    tree.player[0] = player
    return tree


@kernel
def grow(rules: Any, heuristic: Any, root_state: Any, candidates: Candidates, exploration: float, expand_all: bool,
         solve: bool, graded: bool, iterations: int, tree: Tree, desk: Desk) -> int:
    """Make iterations until one of the reasons to come back; desk row 0 is the buffer for moves."""
    capacity = len(tree.move)
    buffer = desk.moves[0]
    for _ in range(iterations):
        if desk.stop[0] != 0:
            return STOPPED
        if tree.proof[0] != UNPROVED:
            return DONE
        if tree.size[0] + (len(buffer) if expand_all else 1) > capacity:
            return FULL
        # 1. Select: from the root down to a node that is not fully expanded, or finished.
        state = rules.copy(root_state)
        node, length = 0, 1
        tree.path[0] = 0
        result = rules.result(state)
        while result == GOING_ON and tree.choices[node] >= 0 and tree.children[node] == tree.choices[node]:
            node = select_child(tree, node, exploration)
            state = rules.play(state, tree.move[node])
            tree.path[length] = node
            length += 1
            result = rules.result(state)
        # 2. Expand: all children or one more, and step into one of them.
        if result == GOING_ON:
            count = list_moves(rules, heuristic, state, heuristic.begin(rules, state), candidates, desk, 0)
            player = rules.mover(state)
            if tree.choices[node] < 0:
                tree.choices[node] = count
            if expand_all:
                for i in range(count):
                    add_child(tree, node, buffer[i], player)
                node = nth_child(tree, node, random_below(tree, count))
            else:
                node = add_child(tree, node, next_move(tree, node, buffer, count), player)
            desk.counters[NODES] = tree.size[0]
            state = rules.play(state, tree.move[node])
            tree.path[length] = node
            length += 1
            result = rules.result(state)
        # 3. Play at random to the end; a game that had ended already proves something.
        if result != GOING_ON:
            if solve:
                tree.proof[node] = result if rules.mover(state) == tree.player[node] else -result
                tree.distance[node] = 0
        else:
            while result == GOING_ON:
                state = rules.play(state, rules.random_move(state, next_random(tree), buffer))
                result = rules.result(state)
        # 4. Back the result up, and the proof as far as it reaches.
        back_up(tree, length, result, rules.mover(state))
        if solve and candidates.kind == ALL:
            back_up_proof(tree, length, graded)
    return DONE


@shared
def select_child(tree: Tree, node: int, exploration: float) -> int:
    """The child with the highest UCB1 among those that are not proved; one that was never visited comes first."""
    best, best_bound = NO_NODE, -1.0
    log_visits = math.log(tree.visits[node] + 1.0)
    child = tree.first_child[node]
    while child != NO_NODE:
        if tree.proof[child] == UNPROVED:
            if tree.visits[child] == 0:
                return child
            mean = tree.reward[child] / (2.0 * tree.visits[child])
            bound = mean + exploration * math.sqrt(log_visits / tree.visits[child])
            if bound > best_bound:
                best, best_bound = child, bound
        child = tree.next_sibling[child]
    return best if best != NO_NODE else tree.first_child[node]


@shared
def add_child(tree: Tree, parent: int, move: int, player: int) -> int:
    """A new node at the end of the parent's children."""
    node = tree.size[0]
    tree.size[0] += 1
    tree.move[node] = move
    tree.player[node] = player
    tree.next_sibling[node] = tree.first_child[parent]
    tree.first_child[parent] = node
    tree.children[parent] += 1
    return node


@shared
def nth_child(tree: Tree, node: int, index: int) -> int:
    """The child that `index` others come before."""
    child = tree.first_child[node]
    for _ in range(index):
        child = tree.next_sibling[child]
    return child


@shared
def next_move(tree: Tree, node: int, moves: IntArray, count: int) -> int:
    """The next move that is not in the tree yet, from a starting point that differs from node to node."""
    start = np.int64(mix(np.uint64(node)) % np.uint64(count))
    return moves[(start + tree.children[node]) % count]


@shared
def back_up(tree: Tree, length: int, margin: int, mover: int) -> None:
    """Count a result for every node of the path."""
    for i in range(length):
        node = tree.path[i]
        tree.visits[node] += 1
        if margin == 0:
            tree.reward[node] += 1
        elif (margin > 0) == (tree.player[node] == mover):
            tree.reward[node] += 2


@shared
def back_up_proof(tree: Tree, length: int, graded: bool) -> None:
    """From the leaf upwards: a node is proved by a winning child, or when all its children are proved."""
    for i in range(length - 2, -1, -1):
        node, last = tree.path[i], tree.path[i + 1]
        if tree.proof[last] == UNPROVED:
            return
        best, distance, proved = UNPROVED, 0, 0
        child = tree.first_child[node]
        while child != NO_NODE:
            proof = tree.proof[child]
            if proof != UNPROVED:
                proved += 1
                nearer = tree.distance[child] < distance if proof > 0 else tree.distance[child] > distance
                if proof > best or (proof == best and nearer):
                    best, distance = proof, tree.distance[child]
            child = tree.next_sibling[child]
        if proved < tree.choices[node] and (graded or best <= 0):
            return
        same = tree.player[node] == tree.player[last]
        tree.proof[node] = best if same else -best
        tree.distance[node] = distance + 1


@shared
def next_random(tree: Tree) -> np.uint64:
    """SplitMix64 (Steele, Lea and Flood 2014)."""
    tree.random[0] += SPLITMIX_STEP
    return mix(tree.random[0])


@shared
def random_below(tree: Tree, count: int) -> int:
    """A random number below `count`."""
    return np.int64(((next_random(tree) >> np.uint64(32)) * np.uint64(count)) >> np.uint64(32))  # type: ignore[return-value]
