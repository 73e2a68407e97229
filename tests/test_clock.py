"""What is done on a running clock is bounded: the kept tree is copied by a kernel that hears the
stop flag, nothing is copied when the answer is due, and the garbage collector has little to look
at. No test here measures time; `bench/clock_keeping.py` does.
"""

from __future__ import annotations

import contextlib
import gc
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mnkala import Limit, Position, parse_engine
from mnkala.core import Rules
from mnkala.native import plain
from mnkala.native.kernels import loading
from mnkala.search import table as table_module
from mnkala.search.engine import Search
from mnkala.search.limit import Stop
from mnkala.search.mcts import Mcts, children, find_node
from mnkala.search.root import Task
from mnkala.search.table import KEPT_BITS, MOST_KEPT, lent_table
from mnkala.search.tree import (
    CHILDREN,
    CHOICES,
    FIRST_CHILD,
    MOVE,
    NEXT_SIBLING,
    NO_NODE,
    VISITS,
    Tree,
    make_room,
    transplant,
)

NO_LIMIT = Limit()
LINKS = (FIRST_CHILD, NEXT_SIBLING)
KNOWN = [
    column for column in range(10) if column not in (FIRST_CHILD, NEXT_SIBLING, CHILDREN, CHOICES)
]
"""The columns that a cut leaves alone."""


def grown(
    engine: str = "mcts:iterations=3000", game: str = "connect4"
) -> tuple[Mcts, Position, Tree]:
    """A search that keeps its tree, a position two moves on, and the tree."""
    search = parse_engine(engine).search
    assert isinstance(search, Mcts)
    start = Position(game)
    search.prepare(start.rules)
    answer = search.run(question(start))
    ((_, trees),) = search.kept.values()
    return search, start.play_codes(answer.line_codes[:2]), trees[0]


def question(position: Position, stop: Stop | None = None, limit: Limit = NO_LIMIT) -> Task:
    return Task(position, limit, stop or Stop(), lambda analysis: None, engine="mcts")


def breadth_first(tree: Tree, root: int) -> list[int]:
    order = [root]
    for node in order:
        order.extend(children(tree, node))
    return order


def renumbered(tree: Tree, root: int) -> np.ndarray:
    """The tree below a node, numbered afresh in the plainest way."""
    order = breadth_first(tree, root)
    place = {NO_NODE: NO_NODE} | {node: number for number, node in enumerate(order)}
    rows = tree.node[order].copy()
    rows[0, NEXT_SIBLING] = NO_NODE
    for row in rows:
        row[list(LINKS)] = [place[int(node)] for node in row[list(LINKS)]]
    return rows


def raised() -> Stop:
    stop = Stop()
    stop.set()
    return stop


def test_a_node_of_a_kept_tree_gets_every_move_once_and_its_proofs_are_true() -> None:
    position = Position("kalah:3x2", literal="<3,1,2,2,3,0,3,0,1>")
    engine = parse_engine("mcts")
    assert isinstance(engine.search, Mcts)
    for nodes in (20, 60, 200):
        found = engine.analyse(position, Limit(nodes=nodes), all_moves=True)
        ((_, (tree,)),) = engine.search.kept.values()
        for node in breadth_first(tree, 0):
            moves = [int(tree.node[child, MOVE]) for child in children(tree, node)]
            assert len(moves) == len(set(moves))
    assert str(found.scores["2"]) == "0 (draw)"


@pytest.mark.parametrize("form", [transplant, plain(transplant)])
def test_the_kept_tree_is_the_old_one_numbered_afresh(form: object) -> None:
    _, after, tree = grown()
    root = find_node(tree, after.history_codes, 1 - after.mover)
    new = make_room(len(tree.node))
    size = form(tree.node, root, new, Stop().flag)  # type: ignore[operator]
    assert size > 100
    np.testing.assert_array_equal(new[:size], renumbered(tree, root))


@pytest.mark.parametrize(
    ("room", "stop"), [(1, Stop()), (5, Stop()), (60, Stop()), (3000, raised()), (60, raised())]
)
def test_a_cut_copy_keeps_what_is_known_of_every_node_it_has(room: int, stop: Stop) -> None:
    _, after, tree = grown()
    root = find_node(tree, after.history_codes, 1 - after.mover)
    new = make_room(room)
    size = transplant(tree.node, root, new, stop.flag)
    branches = 1 + len(children(tree, root))
    assert size <= room
    if room < branches:
        assert size == 1
    elif stop.is_set():
        assert size == branches, "no more was copied than the answer needs"
    copy = Tree(new, tree.path, np.array([size]), tree.random)
    pairs = [(0, root)]
    for node, old in pairs:
        assert list(new[node, KNOWN]) == list(tree.node[old, KNOWN])
        below = children(copy, node)
        assert len(below) == new[node, CHILDREN]
        if below:
            pairs += zip(below, children(tree, old), strict=True)
        else:
            assert new[node, CHOICES] == -1, "it is expanded again when it is next visited"
    assert sorted(node for node, _ in pairs) == list(range(size)), "every node is reached once"


def test_a_clock_that_is_up_at_once_still_gets_the_kept_trees_answer() -> None:
    search, after, tree = grown()
    root = find_node(tree, after.history_codes, 1 - after.mover)
    branches = children(tree, root)
    answer = search.run(question(after, raised()))
    assert answer.held == 1 + len(branches), "no more was copied than the answer needs"
    assert answer.evaluations == 0
    favourite = max(branches, key=lambda child: int(tree.node[child, VISITS]))
    assert answer.line_codes == (tree.node[favourite, MOVE],)


def test_a_search_goes_on_from_a_cut_copy() -> None:
    search, after, _ = grown()
    search.run(question(after, raised()))
    ((_, (tree,)),) = search.kept.values()
    before = int(tree.node[0, VISITS])
    answer = search.run(question(after))
    assert answer.evaluations == 3000
    ((_, (tree,)),) = search.kept.values()
    size = int(tree.size[0])
    assert tree.node[0, VISITS] == before + 3000
    assert sorted(breadth_first(tree, 0)) == list(range(size))
    for node in range(size):
        assert (
            sum(int(tree.node[child, VISITS]) for child in children(tree, node))
            <= tree.node[node, VISITS]
        )


def test_the_old_tree_is_given_back_before_the_search_and_not_when_the_answer_is_due() -> None:
    search, after, tree = grown()
    gone = weakref.ref(tree)
    del tree
    assert gone() is not None
    seen: list[bool] = []
    search.run(
        Task(after, Limit(), Stop(), lambda analysis: seen.append(gone() is None), engine="mcts")
    )
    assert seen
    assert all(seen)


def test_a_growing_tree_stays_where_it_is() -> None:
    """A search without a number of iterations has room for all that it may hold from the start."""
    search = Mcts(memory=70_000)
    position = Position("connect4")
    search.prepare(position.rules)
    search.run(question(position))
    ((_, (tree,)),) = search.kept.values()
    assert len(tree.node) == 70_000
    assert tree.size[0] > 16_384


def test_more_memory_than_the_system_gives_is_as_much_as_it_gives() -> None:
    for nodes in (10**13, 10**18):
        answer = Mcts(memory=nodes).run(question(Position("connect4")))
        assert answer.best_code is not None


def test_a_kept_tree_does_not_exceed_a_limit_of_nodes() -> None:
    search, after, tree = grown()
    assert len(breadth_first(tree, find_node(tree, after.history_codes, 1 - after.mover))) > 200
    for nodes in (3, 200):
        answer = search.run(question(after, limit=Limit(nodes=nodes)))
        assert answer.held <= nodes
        assert answer.best_code is not None


def test_what_was_loaded_is_out_of_the_garbage_collectors_sight(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Loading(Search):
        name = "loading"

        def kernel_key(self, rules: Rules) -> str:
            return f"a test in {tmp_path}"

    monkeypatch.setenv("MNKALA_CACHE_DIR", str(tmp_path))
    loaded: list[object] = [[]]
    assert any(thing is loaded for thing in gc.get_objects())
    Loading().prepare(Position("connect4").rules)
    assert not any(thing is loaded for thing in gc.get_objects())


def test_compiling_leaves_no_garbage_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    class Knot:
        def __init__(self) -> None:
            self.itself = self

    monkeypatch.setattr("mnkala.native.kernels.COMPILING_SECONDS", -1.0)
    with loading():
        gone = weakref.ref(Knot())
    assert gone() is None


# ---- Tables ----


def test_a_table_is_kept_for_the_next_search_and_handed_out_empty() -> None:
    with lent_table(KEPT_BITS) as first:
        first.keys[:], first.data[:] = 1, 2
        with lent_table(KEPT_BITS) as meanwhile:
            assert meanwhile.keys is not first.keys, "two searches at once have two tables"
    with lent_table(KEPT_BITS) as second:
        assert second is first
        assert not second.keys.any()
        assert not second.data.any()


def test_few_tables_are_kept_and_none_of_another_size() -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(MOST_KEPT + 2):
            stack.enter_context(lent_table(KEPT_BITS))
        small = stack.enter_context(lent_table(KEPT_BITS - 1))
    assert len(table_module._free) == MOST_KEPT
    assert small not in table_module._free


def test_a_search_gives_the_same_answer_with_a_table_that_was_used() -> None:
    def ask(game: str) -> tuple[int, int, object]:
        answer = parse_engine("deepening").analyse(Position(game), Limit(depth=7))
        return answer.nodes, answer.held, answer.score

    first = ask("connect4")
    assert ask("connect4:5x6") != first
    assert ask("connect4") == first


def test_no_search_reads_its_desk_before_it_has_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """Buffers are handed out as the system gives them, so what lies in them must not count: zeros
    or anything else.
    """
    made = np.empty

    def dirty(shape: Any, dtype: Any = float) -> Any:
        array = made(shape, dtype)
        array.view(np.uint8).fill(0x5A)
        return array

    engines = (
        "deepening:depth=5",
        "alphabeta:depth=4",
        "minimax:depth=3",
        "budget:nodes=2000",
        "mcts:iterations=300,keep=off",
        "greedy",
    )
    questions = [(engine, Position("connect4")) for engine in engines] + [
        ("deepening:depth=3", Position("gomoku").play("h8 h9 i8 i9"))
    ]
    clean = [parse_engine(engine).analyse(position) for engine, position in questions]
    monkeypatch.setattr("mnkala.search.buffers.np.empty", dirty)
    for (engine, position), before in zip(questions, clean, strict=True):
        after = parse_engine(engine).analyse(position)
        assert (after.nodes, after.score, after.line_codes, after.moves) == (
            before.nodes,
            before.score,
            before.line_codes,
            before.moves,
        )
