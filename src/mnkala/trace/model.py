"""The data of a trace: the tree that a search walked, and every step of the walk.

What is None, False or empty is left out of its JSON, so that thousands of nodes stay light. Values,
alpha and beta are those of the code, in negamax form: a node's values are for the player to move at
that node. For the MAX and MIN of the textbook, change the sign where the mover is not the one at
the root (`Trace.for_root`).
"""

from __future__ import annotations

import dataclasses
from typing import Any, Literal

import msgspec

from mnkala.core import Position, Rules
from mnkala.core.score import Score
from mnkala.explain.score_words import moves_to_end, score_text
from mnkala.search.analysis import Analysis
from mnkala.search.values import INFINITY, is_proved, margin_and_plies

Algorithm = Literal["minimax", "alphabeta", "mcts"]
Kind = Literal["inner", "leaf", "end", "cut"]
"""The kind of a node. inner: its moves were searched. leaf: the heuristic evaluated it (in
Monte-Carlo search: it has no children yet). end: the game is over there. cut: it was never entered;
such a node may stand for several moves."""
Event = Literal["enter", "value", "update", "cut", "select", "expand", "playout", "backup", "proof"]


class Diagram(msgspec.Struct, frozen=True, omit_defaults=True):
    """A position to be drawn."""

    rows: tuple[str, ...]
    """A digit for each cell from the top left: 0 empty, 1 the first player's, 2 the second's."""
    marked: tuple[tuple[int, int], ...] = ()
    """The cells of the line that won."""
    last: tuple[tuple[int, int], ...] = ()
    """The cells that the last move changed; on a board of houses, the house that was sown."""
    houses: tuple[tuple[int, ...], ...] | None = None
    """The seeds of the upper row and of the lower row of a board of houses, both from the left."""
    stores: tuple[int, int] | None = None

    @classmethod
    def of(cls, rules: Rules, state: Any, before: Any = None, move: int | None = None) -> Diagram:
        """The diagram of a state, with what `move` changed since the state before it."""
        picture = rules.picture(state)
        rows = tuple("".join(map(str, cells)) for cells in picture.cells)
        last = () if move is None else rules.changed_cells(before, move)
        seeds = picture.seeds
        return cls(
            rows, picture.marked, last, *(() if seeds is None else (seeds.houses, seeds.stores))
        )


class Node(msgspec.Struct, frozen=True, omit_defaults=True):
    """A place in the tree. Its id counts from 0 in the order in which nodes came to be; those that
    were cut come last.
    """

    id: int
    parent: int | None
    ply: int
    mover: int
    kind: Kind
    move: str | None = None
    """The move that leads to the node; for several moves that were cut, their number."""
    board: Diagram | None = None
    value: int | None = None
    """The value that the node returned, for its mover."""
    text: str = ""
    """The value as people read it."""
    bound: Literal["exact", "lower", "upper"] | None = None
    """In alpha-beta, whether the value is exact or, because it lay outside the window, only a
    bound."""
    alpha: int | None = None
    beta: int | None = None
    """The upper end of the window with which the node was entered; `alpha` is the lower."""
    on_line: bool = False
    """Whether the node is on the principal variation."""
    cut_moves: tuple[str, ...] = ()
    """The moves that a cut node stands for."""
    player: int | None = None
    """In Monte-Carlo search, the player who moved into the node and for whom its reward counts."""
    visits: int | None = None
    reward: float | None = None
    """Games won at the end of the search; a draw counts half."""
    proof: int | None = None
    """The margin for `player`, if it is proved."""
    distance: int | None = None
    """The number of plies from the node to the end of the game, if it is proved."""


class Choice(msgspec.Struct, frozen=True, omit_defaults=True):
    """A child as the selection of Monte-Carlo search sees it."""

    node: int
    visits: int
    share: float
    """The share of its games that were won."""
    bound: float | None = None
    """The child's upper bound UCB1; None if the child is proved and so not considered."""


class Count(msgspec.Struct, frozen=True, omit_defaults=True):
    """The counts of a node after a back-up."""

    node: int
    visits: int
    reward: float


class Proof(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was proved of a node: the margin for the player who moved into it, and the number of
    plies to the end."""

    node: int
    margin: int
    distance: int


class TraceStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that the search did.

    enter: it came to `node` with the window. value: `node` handed `value` up. update: `child` gave
    `node` a better `value`, and raised alpha if `raises`. cut: `value` reached beta, so `node` was
    left and the nodes `skipped` never entered.

    Monte-Carlo search: select: of the `choices` at `node` it went to `child`. expand: `child` was
    added below `node`. playout: from `node` the `moves` were played at random and the first player
    got `result` (1, 0.5, 0); no moves where the game had ended. backup: the `counts` of the path.
    proof: the `proofs` that followed.
    """

    event: Event
    node: int
    child: int | None = None
    value: int | None = None
    alpha: int | None = None
    beta: int | None = None
    raises: bool = False
    skipped: tuple[int, ...] = ()
    moves: tuple[str, ...] = ()
    result: float | None = None
    board: Diagram | None = None
    """The position in which a playout ended."""
    choices: tuple[Choice, ...] = ()
    counts: tuple[Count, ...] = ()
    proofs: tuple[Proof, ...] = ()
    iteration: int | None = None


@dataclasses.dataclass(frozen=True)
class Trace:
    """The record of a search."""

    position: Position
    algorithm: Algorithm
    depth: int
    """The depth of minimax and alpha-beta in plies; for Monte-Carlo search, the length of its line."""
    iterations: int | None
    heuristic: str | None
    exploration: float | None
    seed: int | None
    analysis: Analysis
    """The engine's answer, the same object that `Engine.analyse` returns."""
    nodes: tuple[Node, ...]
    steps: tuple[TraceStep, ...]
    limit: int
    """The largest number of nodes that the trace may have."""

    @property
    def root(self) -> Node:
        """The node of the position that was searched."""
        return self.nodes[0]

    def for_root(self, node: Node) -> int | None:
        """A node's value for the mover at the root, as the MAX and MIN of the textbook see it."""
        if node.value is None:
            return None
        return node.value if node.mover == self.root.mover else -node.value

    def children(self) -> list[list[int]]:
        """The ids of every node's children, in the order of the moves."""
        below: list[list[int]] = [[] for _ in self.nodes]
        for node in self.nodes:
            if node.parent is not None:
                below[node.parent].append(node.id)
        return below

    def text(self, value: int | None) -> str:
        """Write a value of the root as people read it."""
        return value_text(self.position.rules, value, self.root.mover, self.root.mover)

    def short(self, value: int | None) -> str:
        """Abbreviate a value of the root: W3 is a win for MAX with MAX's third move."""
        if value is not None and (score := proved_score(value, self.root.mover)):
            return "".join(map(str, letter_and_size(self.position.rules, score, self.root.mover)))
        return self.text(value)

    def json(self) -> bytes:
        """Write the trace as the JSON object that docs/api.md describes under "The tree of a
        search"."""
        from mnkala.trace.files import tree

        return msgspec.json.encode(tree(self))

    def svg(self) -> str:
        """Draw the tree as an SVG picture that prints well."""
        from mnkala.trace.as_svg import to_svg

        return to_svg(self)

    def dot(self) -> str:
        """Write the tree in the language of Graphviz."""
        from mnkala.trace.files import to_dot

        return to_dot(self)


def proved_score(value: int, player: int) -> Score | None:
    """What the value of a finished game says, for the player whose value it is."""
    if not is_proved(value) or abs(value) >= INFINITY:
        return None
    margin, plies = margin_and_plies(value)
    return Score.exactly(margin, player, plies)


def letter_and_size(rules: Rules, score: Score, root_mover: int) -> tuple[str, int | str]:
    """W or L with the margin, or with the winner's own moves from the root if they can be counted."""
    return "W" if score.result == "win" else "L", abs(
        score.value
    ) if rules.graded else moves_to_end(score, rules, root_mover) or ""


def value_text(rules: Rules, value: int | None, player: int, root_mover: int) -> str:
    """Write a player's value as people read it."""
    if value is None:
        return ""
    if abs(value) >= INFINITY:
        return "+∞" if value > 0 else "−∞"
    if score := proved_score(value, player):
        return score_text(score, rules, root_mover).text()
    return f"{value:+d}".replace("-", "−") if value else "0"
