"""The studies of searches: each in its quick form end to end, and what their measures and findings
claim, on data where the truth is known.
"""

from __future__ import annotations

import math
import random
import threading
from statistics import fmean

import numpy as np
import pytest

from mnkala import Position
from mnkala.families.connect.studies import depth_limit, parity, pruning, timing
from mnkala.families.lines.studies import free_cells
from mnkala.lab.judging import median_interval
from mnkala.lab.measuring import alone, answer, position_of
from mnkala.lab.studies.ordering import branching_match, filled_depth, selection_speed
from mnkala.native import plain
from mnkala.search.budget import Budget
from mnkala.search.limit import depth_for_nodes

# ---- Pruning ----


@pytest.mark.parametrize(
    ("board", "nodes"), [("10x11", [12, 63, 557, 1924]), ("15x16", [17, 93, 1537, 4674])]
)
def test_the_pruned_rows_of_report_002_come_out_to_the_node(board: str, nodes: list[int]) -> None:
    assert [pruning.pruning(board, "after 1", depth)["pruned"] for depth in (1, 2, 3, 4)] == nodes


# ---- Parity ----


def test_parity_counts_the_same_tree_in_every_order_of_moves() -> None:
    rows = parity.parity("kalah", "usual", 5, seed=3)
    assert rows == parity.parity("kalah", "usual", 5, seed=3)
    by_ordering = {
        ordering: [row for row in rows if row["ordering"] == ordering]
        for ordering in ("as listed", "by heuristic", "deepening")
    }
    full = [
        answer(f"minimax:depth={depth}", position_of("kalah", 4, 3)).nodes for depth in range(1, 6)
    ]
    assert all([row["unpruned"] for row in some] == full for some in by_ordering.values())
    assert all(row["pruned"] <= row["unpruned"] for row in rows if row["ordering"] != "deepening")
    assert fmean(row["pruned"] for row in by_ordering["by heuristic"]) < fmean(
        row["pruned"] for row in by_ordering["as listed"]
    )


# ---- The depth for a limit ----


def test_the_depth_limit_measures_real_searches() -> None:
    rows = depth_limit.depth_limit("connect4:10x11", "alphabeta", 3, seed=2)
    nodes = [
        answer(f"alphabeta:depth={depth}", position_of("connect4:10x11", 4, 2)).nodes
        for depth in (1, 2, 3)
    ]
    assert [row["nodes"] for row in rows] == nodes
    assert all(11 ** (row["factor"] * row["depth"]) == pytest.approx(row["nodes"]) for row in rows)
    assert rows[2]["predicted_worst"] == 11**3
    assert depth_for_nodes(Position("connect4:10x11").rules, 110 * 11**3, 1.0) == 3


# ---- Timing ----


@pytest.mark.parametrize("algorithm", timing.ALGORITHMS)
def test_the_computer_makes_as_many_moves_as_the_row_says(algorithm: str) -> None:
    row = timing.time_a_move(algorithm, 4, games=1, repeats=1)
    assert row["games"] == 1
    assert row["ms"] > 0
    # The bounds that report 000 gives: 2,801 nodes of a tree of depth 5 with its root, 7,001 of
    # 1,000 iterations.
    assert row["nodes"] <= {"Minimax": 2801, "Alpha-Beta": 2801, "MCTS": 7001}[algorithm]
    assert row["held"] <= {"Minimax": 5, "Alpha-Beta": 5, "MCTS": 7001}[algorithm]


# ---- Free cells ----


@pytest.mark.parametrize("name", free_cells.STRUCTURES)
@pytest.mark.parametrize("cells", [4, 9, 50])
def test_every_structure_lists_exactly_the_free_cells(name: str, cells: int) -> None:
    """After a line of play; three times, so that taking everything back is tested too. Compiled and
    in plain Python.
    """
    line = np.random.default_rng(cells).permutation(cells)[: cells // 2].astype(np.int64)
    for function in (free_cells.STRUCTURES[name], plain(free_cells.STRUCTURES[name])):
        out = np.full(cells, -1, np.int64)
        function(line, cells, 3, free_cells.SEARCH, out)
        assert sorted(out[: cells - len(line)].tolist()) == sorted(
            set(range(cells)) - set(line.tolist())
        )


# ---- Ordering ----


def test_every_way_of_choosing_is_measured_against_the_full_sort() -> None:
    rows = {
        row["select"]: row
        for row in selection_speed("mnk:5x5x4", 3, nodes=200, positions=1, repeats=1)
    }
    assert set(rows) == {"heap", "sort", "quickselect", "none"}
    assert rows["sort"]["times_sort"] == 1
    assert all(row["nodes_per_second"] > 0 for row in rows.values())


def test_a_match_is_played_against_the_hand_chosen_q_of_the_board() -> None:
    row = branching_match("mnk:4x4x3", 3, 4, seed=1, seconds=0.0005, games=2)
    assert row["wins"] + row["draws"] + row["losses"] == 2
    assert row["hand_q"] == 7
    assert row["low"] <= row["share"] <= row["high"]


def test_a_filled_depth_plays_the_hand_chosen_one_at_equal_nodes() -> None:
    row = filled_depth("mnk:4x4x3", 0.6, 300, seed=1, games=4)
    assert row == {
        **filled_depth("mnk:4x4x3", 0.6, 300, seed=1, games=4),
        "ms_one": row["ms_one"],
        "ms_other": row["ms_other"],
    }
    assert row["wins"] + row["draws"] + row["losses"] == 4
    assert (row["hand_q"], row["filled_depth"]) == (
        7,
        Budget(q=7, fill=0.6).depth_for(Position("mnk:4x4x3").rules, 300),
    )
    assert row["nodes_one"] <= 310


# ---- Time and threads ----


def test_the_interval_of_a_median_holds_it_as_often_as_it_says() -> None:
    chance = random.Random(7)
    held = 0
    for _ in range(500):
        low, high = median_interval([chance.expovariate(1) for _ in range(9)])
        held += low <= math.log(2) <= high
    assert 0.93 < held / 500 < 0.99


def test_measurements_that_need_every_core_wait_for_each_other() -> None:
    entered = threading.Event()

    def rival() -> None:
        with alone():
            entered.set()

    with alone():
        thread = threading.Thread(target=rival)
        thread.start()
        assert not entered.wait(0.3)
    thread.join(120)
    assert entered.is_set()
