"""The tree of Monte-Carlo search in preallocated arrays, and the four steps that grow it: the
kernel of `mcts`.

UCT (Kocsis and Szepesvári 2006) as report 000 describes it: select by UCB1 down to a leaf, expand,
play at random to the end, back the result up. A node counts for the player who moved into it, so an
extra turn needs no special case. Finished games are also backed up as proofs (Winands, Björnsson
and Saito 2008): a proved node is not visited again.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mnkala.core import GOING_ON
from mnkala.core.rules import ENDLESS as NO_END
from mnkala.core.rules import next_word, pick
from mnkala.native import NativeClass, kernel, mix, native, shared
from mnkala.native.objects import IntArray, SmallGrid, WordArray
from mnkala.search.buffers import NODES, Buffers
from mnkala.search.candidates import ALL, Candidates, list_moves

NO_NODE = -1
UNPROVED = -(1 << 30)
"""The proof of a node about which nothing is proved."""
MOST_VISITS = (1 << 30) - 1
"""The most visits of a node, for its reward, up to twice as many, must fit 32 bits too. So many
iterations take minutes."""
FULL, STOPPED, DONE, ENDLESS = range(4)
"""Why `grow` returned: there is no room, it was asked to stop, all iterations were made or the
root is proved, or a game is longer than the rules promise."""

MOVE, PLAYER, FIRST_CHILD, NEXT_SIBLING, CHILDREN, CHOICES, VISITS, REWARD, PROOF, DISTANCE = range(
    10
)
"""The columns of `Tree.node`. MOVE led into the node and PLAYER made it; REWARD and PROOF are for
this player. CHILDREN are in the tree, out of CHOICES candidate moves (-1 before the node was first
looked at). REWARD is two for each playout won and one for each draw. PROOF is the margin if it is
proved, else UNPROVED, and DISTANCE then the plies to the end of the game.
"""
MOST_NODES = (1 << 31) - 1
"""The most nodes that can be numbered."""
NEW_NODE = (-1, 0, NO_NODE, NO_NODE, 0, -1, 0, 0, UNPROVED, 0)
"""A node about which nothing is known yet. Rows beyond `Tree.size` have any content."""


@native
class Tree(NativeClass):
    """One tree, whose node 0 is the root. A node's numbers lie side by side, because they are
    used together."""

    node: SmallGrid
    """The numbers of each node, at [node, column]."""
    path: IntArray
    """The nodes from the root to the leaf of the current iteration."""
    size: IntArray
    """The number of nodes in use, at [0]."""
    random: WordArray
    """At [0]: the state of the random number generator."""


def make_room(capacity: int) -> SmallGrid:
    """Allocate all nodes at once, or as many as the system provides, so that a growing tree is
    never copied while a clock is running.

    Memory that is never touched costs nothing: the system provides pages on first use.
    """
    capacity = min(capacity, MOST_NODES)
    while True:
        try:
            return np.empty((capacity, len(NEW_NODE)), dtype=np.int32)
        except (
            MemoryError,
            ValueError,
        ):  # NumPy's word for more than can be addressed is ValueError
            if capacity == 1:
                raise
            capacity //= 2


def make_tree(capacity: int, longest_game: int, seed: int, player: int) -> Tree:
    """A tree with a root that `player` moved into."""
    tree = Tree(
        node=make_room(capacity),
        path=np.zeros(longest_game + 2, dtype=np.int64),
        size=np.ones(1, dtype=np.int64),
        random=np.array([mix(np.uint64(seed))], dtype=np.uint64),
    )
    tree.node[0] = NEW_NODE
    tree.node[0, PLAYER] = player
    return tree


@kernel
def transplant(old: SmallGrid, root: int, new: SmallGrid, stop: IntArray) -> int:
    """Copy the tree below `root` to an array of its own, breadth first; return the number of
    nodes.

    It is cut where there is no more room or the stop flag is set: a node whose children stay
    behind keeps what is known about it and becomes a leaf again. The root's children are always
    copied, because the answer is one of them.
    """
    copy_node(old, root, new, 0)
    new[0, NEXT_SIBLING] = NO_NODE
    size = 1
    node = 0
    while node < size:
        if size + new[node, CHILDREN] > len(new) or (node > 0 and stop[0] != 0):
            new[node, FIRST_CHILD] = NO_NODE
            new[node, CHILDREN] = 0
            new[node, CHOICES] = -1
        elif new[node, CHILDREN] > 0:
            child = new[node, FIRST_CHILD]
            new[node, FIRST_CHILD] = size
            while child != NO_NODE:
                copy_node(old, child, new, size)
                child = old[child, NEXT_SIBLING]
                new[size, NEXT_SIBLING] = size + 1 if child != NO_NODE else NO_NODE
                size += 1
        node += 1
    return size


@shared
def copy_node(old: SmallGrid, node: int, new: SmallGrid, place: int) -> None:
    """Copy everything that is known about a node."""
    for column in range(len(NEW_NODE)):
        new[place, column] = old[node, column]


@kernel
def grow(
    rules: Any,
    heuristic: Any,
    root_state: Any,
    candidates: Candidates,
    exploration: float,
    expand_all: bool,
    solve: bool,
    graded: bool,
    iterations: int,
    tree: Tree,
    buffers: Buffers,
) -> int:
    """Make iterations until there is a reason to return; row 0 of `buffers.moves` takes the
    moves."""
    capacity = len(tree.node)
    buffer = buffers.moves[0]
    longest = len(tree.path)
    for _ in range(iterations):
        if buffers.stop[0] != 0:
            return STOPPED
        if tree.node[0, PROOF] != UNPROVED:
            return DONE
        if tree.size[0] + (len(buffer) if expand_all else 1) > capacity:
            return FULL
        if tree.node[0, VISITS] >= MOST_VISITS:
            return FULL
        # 1. Select: from the root down to a node that is not fully expanded, or finished.
        state = rules.copy(root_state)
        node, length = 0, 1
        tree.path[0] = 0
        result = rules.result(state)
        while (
            result == GOING_ON
            and tree.node[node, CHOICES] >= 0
            and tree.node[node, CHILDREN] == tree.node[node, CHOICES]
        ):
            if length + 1 >= longest:
                return ENDLESS
            node = select_child(tree, node, exploration)
            state = rules.play(state, tree.node[node, MOVE])
            tree.path[length] = node
            length += 1
            result = rules.result(state)
        # 2. Expand: all children or one more, and step into one of them.
        if result == GOING_ON:
            count = list_moves(
                rules, heuristic, state, heuristic.begin(rules, state), candidates, buffers, 0
            )
            player = rules.mover(state)
            if tree.node[node, CHOICES] < 0:
                tree.node[node, CHOICES] = count
            if expand_all:
                for i in range(count):
                    add_child(tree, node, buffer[i], player)
                node = nth_child(tree, node, pick(next_word(tree.random), count))
            else:
                node = add_child(tree, node, next_move(tree, node, buffer, count), player)
            buffers.counters[NODES] = tree.size[0]
            state = rules.play(state, tree.node[node, MOVE])
            tree.path[length] = node
            length += 1
            result = rules.result(state)
        # 3. Play at random to the end; a game that had ended already proves something.
        if result != GOING_ON:
            if rules.mover(state) != 0:
                result = -result
            if solve:
                tree.node[node, PROOF] = result if tree.node[node, PLAYER] == 0 else -result
                tree.node[node, DISTANCE] = 0
        else:
            result = rules.play_out(state, tree.random, buffer, longest - length)
            if result == NO_END:
                return ENDLESS
        # 4. Back the result up, and the proof as far as it reaches.
        back_up(tree, length, result)
        if solve and candidates.kind == ALL:
            back_up_proof(tree, length, graded)
    return DONE


# ---- UCB1 ----
#
# A processor divides and takes roots slowly, and one after the other, so what numbers of visits
# need is looked up. Most nodes have few visits, so most look-ups are found in the nearest cache.


TABLED = 1 << 14
"""Of smaller numbers of visits, quotients and roots are in tables."""
HALVES = 0.5 / np.maximum(1, np.arange(TABLED))
INVERSE_ROOTS = 1.0 / np.sqrt(np.maximum(1, np.arange(TABLED)))
ROOTS_OF_LOGS = np.sqrt(np.log(np.arange(TABLED) + 1.0))


@shared
def root_of_log(visits: int) -> float:
    """The part of a parent in the width of its children's confidence bounds."""
    if 0 <= visits < TABLED:
        return float(ROOTS_OF_LOGS[visits])
    return math.sqrt(math.log(visits + 1.0))


@shared
def ucb1(reward: int, visits: int, width: float) -> float:
    """The upper confidence bound of a visited node's share of won games; REWARD counts halves."""
    if 0 < visits < TABLED:
        return float(reward * HALVES[visits] + width * INVERSE_ROOTS[visits])
    return reward * (0.5 / visits) + width * (1.0 / math.sqrt(visits))


@shared
def select_child(tree: Tree, node: int, exploration: float) -> int:
    """The child with the highest UCB1 among those that are not proved; one that was never visited
    comes first.
    """
    best, best_bound = NO_NODE, -1.0
    width = exploration * root_of_log(tree.node[node, VISITS])
    child = tree.node[node, FIRST_CHILD]
    while child > NO_NODE:
        if tree.node[child, PROOF] == UNPROVED:
            visits = tree.node[child, VISITS]
            if visits == 0:
                return child
            bound = ucb1(tree.node[child, REWARD], visits, width)
            best = child if bound > best_bound else best
            best_bound = max(bound, best_bound)
        child = tree.node[child, NEXT_SIBLING]
    return best if best != NO_NODE else tree.node[node, FIRST_CHILD]


@shared
def add_child(tree: Tree, parent: int, move: int, player: int) -> int:
    """Add a new node at the end of the parent's children."""
    node = tree.size[0]
    tree.size[0] += 1
    for column in range(len(NEW_NODE)):
        tree.node[node, column] = NEW_NODE[column]
    tree.node[node, MOVE] = move
    tree.node[node, PLAYER] = player
    tree.node[node, NEXT_SIBLING] = tree.node[parent, FIRST_CHILD]
    tree.node[parent, FIRST_CHILD] = node
    tree.node[parent, CHILDREN] += 1
    return node


@shared
def nth_child(tree: Tree, node: int, index: int) -> int:
    """The child number `index`, counted from 0."""
    child = tree.node[node, FIRST_CHILD]
    for _ in range(index):
        child = tree.node[child, NEXT_SIBLING]
    return child


@shared
def next_move(tree: Tree, node: int, moves: IntArray, count: int) -> int:
    """The next move that is not in the tree yet: the one after the last that was added. The
    first one differs from node to node, and nodes change their numbers when a part of a tree is
    kept."""
    last = tree.node[node, FIRST_CHILD]
    if last == NO_NODE:
        return moves[np.int64(mix(np.uint64(node)) % np.uint64(count))]
    place = 0
    while place < count - 1 and moves[place] != tree.node[last, MOVE]:
        place += 1
    return moves[(place + 1) % count]


@shared
def back_up(tree: Tree, length: int, margin: int) -> None:
    """Add a result, the margin for player 0, to every node of the path."""
    for i in range(length):
        node = tree.path[i]
        tree.node[node, VISITS] += 1
        if margin == 0:
            tree.node[node, REWARD] += 1
        elif (margin > 0) == (tree.node[node, PLAYER] == 0):
            tree.node[node, REWARD] += 2


@shared
def back_up_proof(tree: Tree, length: int, graded: bool) -> None:
    """Go from the leaf upwards: a node is proved by a winning child, or when all its children
    are proved."""
    for i in range(length - 2, -1, -1):
        node, last = tree.path[i], tree.path[i + 1]
        if tree.node[last, PROOF] == UNPROVED:
            return
        best, distance, proved = UNPROVED, 0, 0
        child = tree.node[node, FIRST_CHILD]
        while child != NO_NODE:
            proof = tree.node[child, PROOF]
            if proof != UNPROVED:
                proved += 1
                nearer = (
                    tree.node[child, DISTANCE] < distance
                    if proof > 0
                    else tree.node[child, DISTANCE] > distance
                )
                if proof > best or (proof == best and nearer):
                    best, distance = proof, tree.node[child, DISTANCE]
            child = tree.node[child, NEXT_SIBLING]
        if proved < tree.node[node, CHOICES] and (graded or best <= 0):
            return
        same = tree.node[node, PLAYER] == tree.node[last, PLAYER]
        tree.node[node, PROOF] = best if same else -best
        tree.node[node, DISTANCE] = distance + 1
