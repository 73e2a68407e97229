"""The studies of searches: each in its quick form end to end, and what their measures and findings claim, on data where the truth is known."""

from __future__ import annotations

import math
import random
import re
import threading
from pathlib import Path
from statistics import fmean

import numpy as np
import pytest

from mnkala import Position
from mnkala.lab import load_study, run
from mnkala.lab.clock import alone, median_interval
from mnkala.lab.findings import depth_limit as said_of_depth_limit
from mnkala.lab.findings import free_cells as said_of_free_cells
from mnkala.lab.findings import ordering as said_of_ordering
from mnkala.lab.findings import ordering_lesson
from mnkala.lab.findings import parity as said_of_parity
from mnkala.lab.findings import pruning as said_of_pruning
from mnkala.lab.findings import scaling as said_of_scaling
from mnkala.lab.findings import timing as said_of_timing
from mnkala.lab.plots import figures
from mnkala.lab.positions import answer, position_of
from mnkala.lab.registry import Row, find_finding, find_measure
from mnkala.lab.studies import depth_limit, free_cells, parity, pruning, timing
from mnkala.lab.studies.ordering import branching_match, filled_depth, selection_speed
from mnkala.lab.study_file import study_names
from mnkala.native import plain
from mnkala.search.budget import FILL, FILL_OF_ALL, Budget
from mnkala.search.limit import depth_for_nodes

STUDIES = ("pruning", "parity", "timing", "depth-limit", "ordering", "free-cells", "scaling")


@pytest.mark.parametrize("name", STUDIES)
def test_a_quick_run_gives_every_row_every_plot_and_a_finding(name: str, tmp_path: Path) -> None:
    results = run(name, tmp_path / "lab.sqlite", quick=True, jobs=0)
    assert results.failures == []
    assert (results.state, results.done) == ("quick", results.total)
    assert all(part.rows for part in results.parts)
    assert len(figures(results)) == sum(len(part.plots) for part in load_study(name).parts)
    assert results.finding is not None
    assert len(results.finding) > 100
    assert not re.search(r"\b(nan|inf|None)\b", results.finding)


@pytest.mark.parametrize("name", study_names())
def test_the_measures_and_the_finding_of_a_study_are_in_modules_of_its_name(name: str) -> None:
    """The words apart from the measures, so that mending them makes no row old."""
    module = name.replace("-", "_")
    measures = [find_measure(part.measure).function for part in load_study(name).parts]
    assert {function.__module__ for function in measures} == {f"mnkala.lab.studies.{module}"}
    assert getattr(find_finding(name), "__module__", None) == f"mnkala.lab.findings.{module}"


# ---- Pruning ----


@pytest.mark.parametrize(("board", "nodes"), [("10x11", [12, 63, 557, 1924]), ("15x16", [17, 93, 1537, 4674])])
def test_the_pruned_rows_of_report_002_come_out_to_the_node(board: str, nodes: list[int]) -> None:
    assert [pruning.pruning(board, "after 1", depth)["pruned"] for depth in (1, 2, 3, 4)] == nodes


def _pruning_row(depth: int, start: str, ours: int, theirs: int) -> Row:
    return {"board": "6x7", "start": start, "depth": depth, "unpruned": 8, "pruned": ours, "ratio": 8 / ours, "report_unpruned": 8,
            "report_pruned": theirs}


def test_the_finding_on_pruning_says_which_counts_come_out_and_which_do_not() -> None:
    met = said_of_pruning.in_words([_pruning_row(1, "empty board", 8, 8), _pruning_row(2, "empty board", 4, 4)])
    assert "all 2 pruned counts come out to the node from the empty board" in met
    assert "not explained" not in met
    missed = said_of_pruning.in_words([_pruning_row(1, "empty board", 8, 8), _pruning_row(2, "empty board", 5, 4), _pruning_row(2, "after 1", 6, 4)])
    assert "only 1 of 2 pruned counts come out (at depth 2 the report has 4, we have 5 from the empty board and " \
        "6 after a first disc in column 1)" in missed
    assert "not explained" in missed


# ---- Parity ----


def test_a_smooth_growth_of_the_saving_favours_neither_parity() -> None:
    assert said_of_parity.even_bonus([2.0**depth for depth in range(6)]) == pytest.approx(0)


@pytest.mark.parametrize("branching", [4, 7, 16])
def test_the_minimal_tree_favours_even_depths_as_theory_says(branching: int) -> None:
    """Leaves of the full tree over those of Knuth and Moore's minimal one, at large depths, where its −1 no longer counts."""
    ratios = [branching**d / (branching ** math.ceil(d / 2) + branching ** (d // 2) - 1) for d in range(12, 21)]
    bonus = said_of_parity.even_bonus(ratios)
    assert bonus is not None
    # The first depth of the list is even here, so the sign turns round.
    assert math.exp(-bonus) == pytest.approx(said_of_parity.perfect_bonus(branching), rel=1e-3)


def _parity_rows(bonus: float, noise: float) -> list[Row]:
    chance = random.Random(1)
    rows = []
    for seed in range(40):
        shift = chance.gauss(bonus, noise)
        rows += [{"game": "connect4", "ordering": "as listed", "heuristic": "usual", "seed": seed, "depth": depth,
                  "ratio": math.exp(0.5 * depth + (shift / 2 if depth % 2 == 0 else -shift / 2))} for depth in range(1, 7)]
    return rows


@pytest.mark.parametrize(("bonus", "noise", "verdict"), [
    (0.3, 0.1, "Even depths prune better"), (-0.3, 0.1, "Odd depths prune better"), (0.0, 0.3, "It is not decided"),
])
def test_the_finding_on_parity_is_as_sure_as_the_data(bonus: float, noise: float, verdict: str) -> None:
    assert said_of_parity.in_words(_parity_rows(bonus, noise)).startswith(verdict)


def test_parity_counts_the_same_tree_in_every_order_of_moves() -> None:
    rows = parity.parity("kalah", "usual", 5, seed=3)
    assert rows == parity.parity("kalah", "usual", 5, seed=3)
    by_ordering = {ordering: [row for row in rows if row["ordering"] == ordering] for ordering in ("as listed", "by heuristic", "deepening")}
    full = [answer(f"minimax:depth={depth}", position_of("kalah", 4, 3)).nodes for depth in range(1, 6)]
    assert all([row["unpruned"] for row in some] == full for some in by_ordering.values())
    assert all(row["pruned"] <= row["unpruned"] for row in rows if row["ordering"] != "deepening")
    assert fmean(row["pruned"] for row in by_ordering["by heuristic"]) < fmean(row["pruned"] for row in by_ordering["as listed"])


# ---- The depth for a limit ----


@pytest.mark.parametrize("truth", [0.6, 0.75, 0.9])
def test_the_best_factor_is_found_where_nodes_follow_the_formula(truth: float) -> None:
    searches = [[{"depth": depth, "nodes": 7 ** (truth * depth)} for depth in range(1, 13)] for _ in range(5)]
    fit = said_of_depth_limit.best_factor("connect4", searches)
    assert fit is not None
    assert fit.factor == pytest.approx(truth, abs=0.02)
    assert fit.hits > 0.9
    assert (fit.usual > 0.9) == (truth == 0.75)


def test_the_depth_limit_measures_real_searches() -> None:
    rows = depth_limit.depth_limit("connect4:10x11", "alphabeta", 3, seed=2)
    nodes = [answer(f"alphabeta:depth={depth}", position_of("connect4:10x11", 4, 2)).nodes for depth in (1, 2, 3)]
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
    # The bounds that report 000 gives: 2,801 nodes of a tree of depth 5 with its root, 7,001 of 1,000 iterations.
    assert row["nodes"] <= {"Minimax": 2801, "Alpha-Beta": 2801, "MCTS": 7001}[algorithm]
    assert row["held"] <= {"Minimax": 5, "Alpha-Beta": 5, "MCTS": 7001}[algorithm]


def test_the_finding_on_timing_compares_the_order_of_the_algorithms() -> None:
    rows: list[Row] = [{"algorithm": name, "computer_moves": moves, "ms": ms, "nodes": 100.0, "held": 5, "report_ms": told, "report_held": 9}
                       for name, ms, told in (("A", 1.0, 10.0), ("B", 2.0, 20.0)) for moves in (4, 6, 8)]
    assert "A < B, is also the report's" in said_of_timing.in_words(rows)
    for row in rows:
        row["report_ms"] = 30 - row["report_ms"]
    assert "is not the report's, which is B < A" in said_of_timing.in_words(rows)


# ---- Free cells ----


@pytest.mark.parametrize("name", free_cells.STRUCTURES)
@pytest.mark.parametrize("cells", [4, 9, 50])
def test_every_structure_lists_exactly_the_free_cells(name: str, cells: int) -> None:
    """After a line of play; three times, so that taking everything back is tested too. Compiled and in plain Python."""
    line = np.random.default_rng(cells).permutation(cells)[: cells // 2].astype(np.int64)
    for function in (free_cells.STRUCTURES[name], plain(free_cells.STRUCTURES[name])):
        out = np.full(cells, -1, np.int64)
        function(line, cells, 3, free_cells.SEARCH, out)
        assert sorted(out[: cells - len(line)].tolist()) == sorted(set(range(cells)) - set(line.tolist()))


def test_the_finding_on_free_cells_does_not_call_a_tie_a_win() -> None:
    times = (("swap list", 10.0, 1.0), ("fresh array", 30.0, 2.0), ("linked list", 20.0, 0.9), ("hash set", 40.0, 3.0))
    rows: list[Row] = [{"side": 3, "cells": 9, "operation": "search", "structure": name, "ns": ns, "slower": ns / 10, "slower_low": low,
                        "slower_high": ns} for name, ns, low in times]
    assert "beats every rival on 0 of 1 boards" in said_of_free_cells.in_words(rows)
    rows[2]["slower_low"] = 1.5
    found = said_of_free_cells.in_words(rows)
    assert "beats every rival on 1 of 1 boards" in found
    assert "a fresh array holds on 0 of 1" in found


# ---- Ordering ----


def test_every_way_of_choosing_is_measured_against_the_full_sort() -> None:
    rows = {row["select"]: row for row in selection_speed("mnk:5x5x4", 3, nodes=200, positions=1, repeats=1)}
    assert set(rows) == {"heap", "sort", "quickselect", "none"}
    assert rows["sort"]["times_sort"] == 1
    assert all(row["nodes_per_second"] > 0 for row in rows.values())


def test_a_match_is_played_against_the_hand_chosen_q_of_the_board() -> None:
    row = branching_match("mnk:4x4x3", 3, 4, seed=1, seconds=0.0005, games=2)
    assert row["wins"] + row["draws"] + row["losses"] == 2
    assert row["hand_q"] == 7
    assert row["low"] <= row["share"] <= row["high"]


def _match_rows(best_q: int, best_depth: int, games: int) -> list[Row]:
    rows = []
    for q in (2, 3, 5, 8, 12):
        for depth in (3, 5, 8, 12):
            share = 1 / (1 + math.exp(2 * (math.log(q / best_q) ** 2 + math.log(depth / best_depth) ** 2) - 1))
            wins = round(games * share)
            rows.append({"part": "learning", "game": "gomoku:13", "q": q, "depth": depth, "hand_q": 5, "wins": wins, "draws": 0,
                         "losses": games - wins, "share": wins / games})
    return rows


@pytest.mark.parametrize(("q", "depth"), [(3, 8), (8, 5), (5, 5)])
def test_the_best_q_and_depth_are_learnt_from_matches(q: int, depth: int) -> None:
    lesson = ordering_lesson.learn(_match_rows(q, depth, games=60))
    assert lesson is not None
    assert (lesson.q, lesson.depth) == (q, depth)
    assert lesson.low > 0.5
    assert lesson.sure_q[0] <= q <= lesson.sure_q[1]


def test_settings_that_won_all_of_six_games_are_not_sure_of_it() -> None:
    rows: list[Row] = [{**row, "wins": 6, "losses": 0, "share": 1.0, "pairs": "0 0 0 0 3"} for row in _match_rows(3, 8, 6)]
    lesson = ordering_lesson.learn(rows)
    assert lesson is not None
    assert lesson.low < 0.97
    alone = ordering_lesson.learn(rows[:2])
    assert alone is not None
    assert alone.low < 0.9


def test_few_games_decide_nothing() -> None:
    rows = [{**row, "wins": 1, "losses": 1, "share": 0.5} for row in _match_rows(3, 8, 10)]
    assert "not decidedly better or worse" in said_of_ordering.in_words(rows)


def test_settings_are_told_apart_by_whether_the_nodes_fill_the_depth() -> None:
    """With q = 2 and 6 * 2^10 nodes, each root move gets 2^10: enough for ten plies without any pruning."""
    rows: list[Row] = [{"part": "time", "game": "gomoku:13", "seconds": 0.01, "q": 2, "depth": depth, "hand_q": 5, "nodes": 6 * 2**10,
                        "wins": wins, "draws": 0, "losses": 50 - wins, "share": wins / 50} for depth, wins in ((10, 30), (14, 45), (40, 5))]
    assert [said_of_ordering.fill(row) for row in rows] == pytest.approx([1.0, 10 / 14, 0.25])
    found = said_of_ordering.in_words(rows)
    assert "deeper than the nodes can fill 10 %" in found
    assert "about what they fill 90 %" in found
    assert "better computed from the nodes than fixed" in found
    assert "better computed" not in said_of_ordering.in_words([{**row, "wins": 25, "losses": 25, "share": 0.5} for row in rows])


def _filled_rows(fill: float, game: str, wins: int, nodes: int = 2500) -> Row:
    moves = 6 if game == "kalah" else 81
    return {"part": "filling", "game": game, "fill": fill, "nodes": nodes, "filled_depth": 7, "wins": wins, "draws": 0, "losses": 100 - wins,
            "share": wins / 100, "moves": moves, "hand_q": 5 if moves > 25 else 7}


def test_the_finding_on_the_filled_depth_tells_the_boards_and_judges_each_default_by_its_rivals() -> None:
    rows = [_filled_rows(FILL, "gomoku:9", 80), _filled_rows(FILL, "kalah", 20), _filled_rows(FILL_OF_ALL, "gomoku:9", 30),
            _filled_rows(FILL_OF_ALL, "kalah", 50)]
    found = said_of_ordering.in_words(rows)
    assert f"Where q is enough for all moves, F = {FILL_OF_ALL:g}, the player's default, scores 50 % (40 to 60 %) against the fixed depth of 10 " \
        "at the same nodes: with 2,500 nodes a move not decided on kalah 50 % (40 to 60 %)." in found
    assert f"There F = {FILL:g} is worse than the default: 20 % (13 to 29 %), where that scores 50 % (40 to 60 %)." in found
    assert f"Where q is less than the number of moves, F = {FILL:g}, the player's default, scores 80 % (71 to 87 %)" in found
    assert "clearly better on gomoku:9 80 % (71 to 87 %)" in found
    turned = [{**row, "wins": row["losses"], "losses": row["wins"], "share": 1 - row["share"]} for row in rows]
    assert f"There F = {FILL_OF_ALL:g} is better than the default: 70 %" in said_of_ordering.in_words(turned)
    # A factor is judged by the cases that the default has played too.
    more = said_of_ordering.in_words([_filled_rows(FILL, "gomoku:9", 20), _filled_rows(1.5, "gomoku:9", 20),
                                     _filled_rows(1.5, "gomoku:9", 90, nodes=9), _filled_rows(FILL, "gomoku:9", 90, nodes=8)])
    assert "F = 1.5 is not to be told from the default: 20 % (13 to 29 %), where that scores 20 %" in more


def test_the_finding_on_q_judges_the_hand_chosen_one_by_intervals() -> None:
    def told(*wins: int) -> str:
        return said_of_ordering.in_words([{**_filled_rows(FILL, "gomoku:15", one), "q": q, "hand_q": 4} for q, one in zip((2, 4, 6), wins, strict=True)])

    assert "gomoku:15: 40 % (31 to 50 %) with q = 2, 70 % (60 to 78 %) with q = 4 and 60 % (50 to 69 %) with q = 6; " \
        "the hand-chosen 4 is best." in told(40, 70, 60)
    assert "the hand-chosen 4 is worse than 2." in told(90, 50, 60)
    assert "the hand-chosen 4 is not to be told from 6." in told(40, 55, 60)


def test_a_filled_depth_plays_the_hand_chosen_one_at_equal_nodes() -> None:
    row = filled_depth("mnk:4x4x3", 0.6, 300, seed=1, games=4)
    assert row == {**filled_depth("mnk:4x4x3", 0.6, 300, seed=1, games=4), "ms_one": row["ms_one"], "ms_other": row["ms_other"]}
    assert row["wins"] + row["draws"] + row["losses"] == 4
    assert (row["hand_q"], row["filled_depth"]) == (7, Budget(q=7, fill=0.6).depth_for(Position("mnk:4x4x3").rules, 300))
    assert row["nodes_one"] <= 310


def test_the_reports_claim_is_held_against_the_measured_factor() -> None:
    rows: list[Row] = [{"select": name, "cells": 900, "nodes_per_second": 1e5, "times_sort": factor}
            for name, factor in (("heap", 5.5), ("sort", 1.0), ("quickselect", 4.0), ("none", 9.0))]
    claim = [{"select": "heap", "times_low": 5, "times_high": 6}]
    assert "5 to 6 times is reached on 900 cells" in said_of_ordering.in_words(rows, references=claim)
    rows[0]["times_sort"] = 2.0
    assert "is not reached on these boards: the largest factor is 2.00×" in said_of_ordering.in_words(rows, references=claim)


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


def _scaling_rows(cores: float) -> list[Row]:
    return [{"game": f"g{cells}", "family": "connect", "cells": cells, "threads": threads, "depth": 8, "nodes": 1000.0, "seconds": 1.0 / threads,
             "nodes_per_second": 1000.0 * threads, "nodes_per_cpu_second": 1000.0, "cores": cores if threads == 2 else 1.0,
             "kilobytes": float(cells)} for cells in (40, 80, 160) for threads in (1, 2)]


def test_the_finding_on_scaling_tells_growth_and_doubts_a_crowded_machine() -> None:
    found = said_of_scaling.in_words(_scaling_rows(cores=1.95))
    assert "memory beyond the table 40 to 160 kB (cells^1.00)" in found
    assert "Two threads visit 2.00× the nodes a second that one visits" in found
    assert "cores between them" not in found
    assert "had only 1.20 cores" in said_of_scaling.in_words(_scaling_rows(cores=1.2))
