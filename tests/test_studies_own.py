"""Studies of our own questions: the smallest tree, what thinking longer buys, the only winning
move, and the parts of report 001's heuristic.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from typing import Any

import pytest

from mnkala.core import Position
from mnkala.families.lines.studies import steps
from mnkala.lab.measuring import answer, position_of
from mnkala.lab.registry import Row, Verdict, claims_of
from mnkala.lab.studies import longer, mcts, trees
from mnkala.lab.studies.trees import Tree, tree_of
from mnkala.search.criticality import Criticality
from mnkala.solve.oracle import open_oracle

# ---- The smallest tree ----


def uniform(branching: int, depth: int, seed: int) -> Tree:
    """A tree whose leaves all have different values."""
    chance = random.Random(seed)
    leaves = chance.sample(range(10 * branching**depth), branching**depth)
    children: list[list[int]] = []
    values: list[int] = []
    maximises: list[bool] = []

    def grow(ply: int) -> int:
        node = len(children)
        children.append([])
        values.append(0)
        maximises.append(ply % 2 == 0)
        if ply == depth:
            values[node] = leaves.pop()
        else:
            children[node] = [grow(ply + 1) for _ in range(branching)]
            best = max if ply % 2 == 0 else min
            values[node] = best(values[child] for child in children[node])
        return node

    grow(0)
    return Tree(children, values, maximises)


@pytest.mark.parametrize(("branching", "depth"), [(2, 5), (3, 4), (5, 3), (4, 1)])
def test_the_smallest_tree_is_that_of_knuth_and_moore(branching: int, depth: int) -> None:
    tree = uniform(branching, depth, seed=branching)
    # They count the leaves at each depth; the nodes of all depths together are the tree.
    nodes = sum(branching ** ((d + 1) // 2) + branching ** (d // 2) - 1 for d in range(depth + 1))
    assert tree.smallest() == nodes
    assert tree.visited(lambda node: tree.by_value(node, best_first=True)) == nodes


def test_with_the_worst_move_first_nothing_is_saved_where_all_values_differ() -> None:
    tree = uniform(3, 4, seed=7)
    worst = tree.visited(lambda node: tree.by_value(node, best_first=False))
    assert worst == len(tree.values)


@pytest.mark.parametrize(("game", "depth"), [("connect4:5x5", 3), ("kalah", 3), ("mnk:4x4x3", 2)])
def test_alpha_beta_visits_as_many_nodes_of_the_recorded_tree_as_the_engine_does(
    game: str, depth: int
) -> None:
    position = position_of(game, 4, 1)
    heuristic = position.rules.heuristic
    tree = tree_of(position, depth, heuristic)
    engine = f"alphabeta:depth={depth},heuristic={heuristic}"
    assert tree.visited(lambda node: tree.children[node]) == answer(engine, position).nodes
    for best_first in (False, True):
        visited = tree.visited(functools.partial(tree.by_value, best_first=best_first))
        assert tree.smallest() <= visited <= len(tree.values)


def test_the_worst_case_is_shown_by_one_tree_that_is_visited_whole() -> None:
    (claim,) = claims_of("trees")
    row: Row = {"game": "connect4", "ordering": trees.WORST, "share": 0.95}
    assert claim.judge([row, row], []).verdict is Verdict.NOT_DECIDABLE
    assert claim.judge([row, {**row, "share": 1.0}], []).verdict is Verdict.REPRODUCED
    assert claim.judge([{**row, "share": 0.5}] * 2, []).verdict is Verdict.REFUTED


# ---- Thinking longer ----


def _match(**more: object) -> Row:
    return {"wins": 30, "draws": 0, "losses": 10, "pairs": "2 0 6 0 12", "elo": 190.0, **more}


def test_elo_is_finite_even_without_a_loss() -> None:
    row = longer.doubling(game="connect4", search="greedy", nodes=1, games=2)
    assert math.isfinite(row["elo_low"])
    assert row["elo_low"] <= row["elo"] <= row["elo_high"]


def test_the_finding_names_the_cases_in_which_one_ply_more_plays_worse() -> None:
    worse = {"wins": 5, "draws": 0, "losses": 35, "pairs": "16 0 3 0 1"}
    rows = [
        _match(game="connect4", search="deepening", nodes=250),
        _match(game="kalah", heuristic="stores", depth=2),
        _match(game="kalah", heuristic="own-side", depth=3) | worse,
    ]
    found = longer.in_words(rows)
    assert "+190 Elo with deepening on connect4" in found
    assert "clearly better in 1 of 2 cases" in found
    assert "clearly worse in 1: own-side on kalah, from depth 3 to 4" in found
    assert longer.in_brief(rows) == {"least": 190, "most": 190, "worse": 1, "steps": 2}


# ---- The only winning move ----


def test_the_positions_have_exactly_one_winning_move() -> None:
    found = mcts.only_moves("connect4:4x4", 5, 4, 1)
    assert len(found) == 4
    with open_oracle(found[0][0].rules) as oracle:
        for position, only in found:
            wins = [
                code
                for code in position.legal_codes
                if oracle.answer(position.play_codes([code])).seen_by(position.mover).result
                == "win"
            ]
            assert wins == [only]


def test_a_search_that_proves_results_finds_the_move_and_one_iteration_misses_some() -> None:
    case: dict[str, Any] = {"game": "connect4:4x4", "plies": 8, "positions": 8}
    much = mcts.decisive(**case, iterations=5000, variant="with proofs")
    little = mcts.decisive(**case, iterations=1, variant="report 000's")
    assert much["missed"] == 0 < little["missed"]


# ---- The parts of a heuristic ----


@pytest.mark.parametrize("game", ["mnk:5x5x4", "mnk:4x4x3", "gomoku:7"])
def test_with_all_its_parts_the_heuristic_is_criticality(game: str) -> None:
    chance, position = random.Random(game), Position(game)
    whole, parts = Criticality(), steps.Parts()
    for _ in range(12):
        rules, state = position.rules, position.state()
        memory = whole.begin(rules, state)
        assert parts.evaluate(rules, state) == whole.value(rules, state, memory)
        for move in position.legal_codes[:6]:
            assert parts.score_move(rules, state, move, 0) == whole.score_move(
                rules, state, move, memory
            )
        position = position.play_codes([chance.choice(position.legal_codes)])
        if position.is_over:
            break


def test_each_part_that_is_left_out_changes_a_value() -> None:
    position = Position("mnk:5x5x4").play("b2 a5 c3 e5 d4 d5")
    rules, state = position.rules, position.state()
    whole = steps.Parts().evaluate(rules, state)
    for field in steps.PARTS.values():
        assert steps.Parts(**{field: False}).evaluate(rules, state) != whole, field


def test_multipliers_are_fundamental_if_the_player_is_clearly_better_with_either() -> None:
    (claim,) = claims_of("steps")

    def rows(wins: int, losses: int) -> list[Row]:
        pairs = f"{losses // 2} 0 0 0 {wins // 2}"
        return [
            {"wins": wins, "draws": 0, "losses": losses, "pairs": pairs, "share": wins / 100}
            | {"game": game, "without": part}
            for game, part in itertools.product(("a", "b"), ("aligned marks", "adjacent marks"))
        ]

    assert claim.judge(rows(80, 20), []).verdict is Verdict.REPRODUCED
    assert claim.judge(rows(56, 44), []).verdict is Verdict.NOT_DECIDABLE
    assert claim.judge(rows(40, 60), []).verdict is Verdict.REFUTED
