"""See a search think: the tree that is shown is that of the engine, node for node, and its steps
tell the truth.
"""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from mnkala import Position
from mnkala.errors import BadEngine, MnkalaError
from mnkala.search import Stop, parse_engine
from mnkala.search.limit import Stopped
from mnkala.search.values import INFINITY
from mnkala.trace import MOST_NODES, Trace, check_trace, export, trace
from mnkala.trace.layout import Size, lay_out
from mnkala.trace.recorder import rebound

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
POSITIONS = [
    ("connect4", ""),
    ("connect4", "44"),
    ("connect4", "445566"),
    ("connect4:8x8", "12"),
    ("tictactoe", ""),
    ("tictactoe", "a1b2c3a3c1"),
    ("kalah", ""),
    ("kalah", "3"),
    ("kalah:3x2", "12"),
    ("mnk:5x5x4", "c3b2"),
    ("gomoku:9", "e5"),
]


def position(game: str, moves: str) -> Position:
    return Position(game).play(moves)


def signature(found: Any) -> tuple[object, ...]:
    return found.nodes, found.evaluations, found.cutoffs, found.line, found.score, found.moves


# ---- The very search that runs ----


@pytest.mark.parametrize("depth", [1, 3])
@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
@pytest.mark.parametrize(("game", "moves"), POSITIONS)
def test_the_tree_is_that_of_the_engine(game: str, moves: str, algorithm: str, depth: int) -> None:
    where = position(game, moves)
    engine = parse_engine(f"{algorithm}:depth={depth}").analyse(where)
    if engine.nodes > MOST_NODES:
        with pytest.raises(
            MnkalaError, match=rf"{algorithm} visits more than 4,000 positions .*; depth [12] fits"
        ):
            trace(where, algorithm, depth)
        return
    seen = trace(where, algorithm, depth)
    assert signature(seen.analysis) == signature(engine)
    assert len([node for node in seen.nodes if node.kind != "cut"]) == engine.nodes
    assert len([node for node in seen.nodes if node.kind == "leaf"]) == engine.evaluations
    assert len([step for step in seen.steps if step.event == "cut"]) == engine.cutoffs
    line = sorted((node.ply, node.move) for node in seen.nodes if node.on_line)
    assert [move for ply, move in line[1:]] == [
        where.rules.move_text(move) for move in engine.line_codes
    ]


@pytest.mark.parametrize("iterations", [1, 100])
@pytest.mark.parametrize(("game", "moves"), POSITIONS)
def test_the_tree_of_monte_carlo_search_is_that_of_the_engine(
    game: str, moves: str, iterations: int
) -> None:
    where = position(game, moves)
    engine = parse_engine(f"mcts:iterations={iterations},seed=7,keep=off").analyse(where)
    seen = trace(where, "mcts", iterations=iterations, seed=7)
    assert signature(seen.analysis) == signature(engine)
    assert len(seen.nodes) == engine.nodes
    assert seen.root.visits == engine.evaluations


@pytest.mark.parametrize("heuristic", ["zero-sum", "basic", "nothing"])
def test_the_heuristic_is_the_one_that_was_asked_for(heuristic: str) -> None:
    where = position("connect4", "4453")
    engine = parse_engine(f"alphabeta:depth=3,heuristic={heuristic}").analyse(where)
    seen = trace(where, "alphabeta", 3, heuristic=heuristic)
    assert seen.heuristic == heuristic
    assert signature(seen.analysis) == signature(engine)


def test_a_plug_in_can_be_watched_too() -> None:
    """In a process of its own, so that the example is loaded as users load it; uncompiled, which is
    quicker for so few nodes.
    """
    code = """if True:
        from mnkala import Position
        from mnkala.search import parse_engine
        from mnkala.trace import trace
        where = Position("domineering:4x4").play("a4")
        for text in ("minimax:depth=3", "alphabeta:depth=4"):
            name, depth = text.split(":depth=")
            seen, engine = trace(where, name, int(depth)), parse_engine(text).analyse(where)
            assert (seen.analysis.nodes, seen.analysis.score, seen.analysis.line) == (engine.nodes, engine.score, engine.line)
            assert seen.heuristic == "room" and "<svg" in seen.svg()
        seen, engine = trace(where, "mcts", iterations=60), parse_engine("mcts:iterations=60,keep=off").analyse(where)
        assert (seen.analysis.nodes, seen.analysis.moves) == (engine.nodes, engine.moves)
        print("watched")
    """
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=EXAMPLES,
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "MNKALA_PLUGINS": "domineering", "MNKALA_PLAIN": "1"},
    )
    assert done.stdout.strip() == "watched", done.stderr


# ---- What the steps say ----


def by_hand(seen: Trace) -> dict[int, int]:
    """Every node's value for its mover, worked out from the leaves of the trace alone."""
    values: dict[int, int] = {}
    below = seen.children()
    for node in reversed(seen.nodes):
        if node.kind == "cut":
            continue
        if node.kind in ("leaf", "end"):
            assert node.value is not None
            values[node.id] = node.value
        else:
            children = [
                seen.nodes[child] for child in below[node.id] if seen.nodes[child].kind != "cut"
            ]
            values[node.id] = max(
                values[child.id] if child.mover == node.mover else -values[child.id]
                for child in children
            )
    return values


@pytest.mark.parametrize(("game", "moves"), POSITIONS)
def test_a_value_is_the_best_of_the_children_and_its_sign_follows_the_mover(
    game: str, moves: str
) -> None:
    for algorithm, depth in (("minimax", 2), ("alphabeta", 2), ("alphabeta", 3)):
        seen = trace(position(game, moves), algorithm, depth)
        assert by_hand(seen) == {node.id: node.value for node in seen.nodes if node.kind != "cut"}


def test_an_extra_turn_keeps_the_sign_and_the_window() -> None:
    seen = trace(position("kalah", ""), "alphabeta", 3)
    again = [
        node
        for node in seen.nodes
        if node.parent is not None
        and node.kind != "cut"
        and node.mover == seen.nodes[node.parent].mover
    ]
    assert again, "the third house of the first move ends in the store"
    for node in again:
        assert node.parent is not None
        assert node.beta == seen.nodes[node.parent].beta


def test_steps_come_in_the_order_of_the_search() -> None:
    seen = trace(position("tictactoe", "a1b2c3"), "alphabeta", 3)
    path: list[int] = []
    entered: list[int] = []
    for step in seen.steps:
        if step.event == "enter":
            assert seen.nodes[step.node].parent == (path[-1] if path else None)
            path.append(step.node)
            entered.append(step.node)
        elif step.event == "value":
            assert path.pop() == step.node
            assert step.value == seen.nodes[step.node].value
        else:
            assert path[-1] == step.node
    assert path == []
    assert entered == [node.id for node in seen.nodes if node.kind != "cut"]


def test_windows_narrow_and_a_cut_is_made_exactly_when_alpha_reaches_beta() -> None:
    seen = trace(position("connect4", "44"), "alphabeta", 3)
    raised = {node.id: node.alpha for node in seen.nodes}
    for step in seen.steps:
        if step.event == "update":
            before = raised[step.node]
            assert before is not None
            assert step.value is not None
            assert step.alpha is not None
            assert step.alpha == max(before, step.value)
            assert bool(step.raises) == (step.value > before)
            raised[step.node] = step.alpha
        elif step.event == "cut":
            assert step.alpha is not None
            assert step.beta is not None
            assert step.moves
            assert step.skipped
            assert step.alpha >= step.beta
            left = [move for number in step.skipped for move in seen.nodes[number].cut_moves]
            assert tuple(left) == step.moves
    for node in seen.nodes:
        if node.parent is not None and node.kind != "cut":
            assert node.alpha is not None
            assert node.beta is not None
            assert node.alpha < node.beta
    skipped = [number for step in seen.steps for number in step.skipped or ()]
    assert sorted(skipped) == [node.id for node in seen.nodes if node.kind == "cut"]


def test_every_move_is_either_entered_or_cut() -> None:
    seen = trace(position("connect4", "44"), "alphabeta", 3)
    below = seen.children()
    for node in seen.nodes:
        if node.kind == "inner":
            moves = [
                move
                for child in below[node.id]
                for move in (seen.nodes[child].cut_moves or (seen.nodes[child].move,))
            ]
            assert moves == [str(column) for column in range(1, 8)]


def test_many_cut_moves_become_one_bundle() -> None:
    seen = trace(position("mnk:5x5x4", "c3b2"), "alphabeta", 2)
    bundles = [node for node in seen.nodes if len(node.cut_moves) > 1]
    assert bundles
    assert all(node.move == f"+{len(node.cut_moves)}" for node in bundles)


def test_the_first_window_is_open_on_both_sides_and_minimax_has_none() -> None:
    assert (
        trace(position("connect4", ""), "alphabeta", 2).root.alpha,
        trace(position("connect4", ""), "alphabeta", 2).root.beta,
    ) == (-INFINITY, INFINITY)
    assert all(
        node.alpha is None and node.beta is None
        for node in trace(position("connect4", ""), "minimax", 2).nodes
    )


def test_a_win_reads_as_a_win() -> None:
    seen = trace(position("connect4", "112233"), "minimax", 2)
    assert seen.text(seen.root.value) == "wins at once"
    winner = next(node for node in seen.nodes if node.ply == 1 and node.move == "4")
    assert winner.kind == "end"
    assert winner.board is not None
    assert len(winner.board.marked) == 4
    assert winner.board.last == ((5, 3),)
    assert winner.text == "loses at once", "for its own mover, who has lost"
    assert seen.for_root(winner) == seen.root.value


def test_playouts_add_up_to_visits_and_rewards() -> None:
    seen = trace(position("tictactoe", "a1b2"), "mcts", iterations=80)
    visits = dict.fromkeys(range(len(seen.nodes)), 0)
    reward = dict.fromkeys(range(len(seen.nodes)), 0.0)
    for step in seen.steps:
        for count in step.counts or ():
            visits[count.node] += 1
            assert step.result is not None
            reward[count.node] += (
                step.result if seen.nodes[count.node].player == 0 else 1 - step.result
            )
            assert (count.visits, count.reward) == (visits[count.node], reward[count.node])
    assert [(node.visits, node.reward) for node in seen.nodes] == [
        (visits[node.id], reward[node.id]) for node in seen.nodes
    ]


def test_selection_follows_the_highest_upper_bound() -> None:
    seen = trace(position("connect4", "44"), "mcts", iterations=60, exploration=1.4)
    selections = [step for step in seen.steps if step.event == "select"]
    assert selections
    for step in selections:
        assert step.choices
        bounds = {choice.node: choice.bound for choice in step.choices if choice.bound is not None}
        assert step.child is not None
        assert bounds[step.child] == max(bounds.values())
        visits = sum(choice.visits for choice in step.choices) + (step.node != 0)
        for choice in step.choices:
            assert choice.bound is not None
            assert choice.bound == pytest.approx(
                choice.share + 1.4 * math.sqrt(math.log(visits + 1) / choice.visits), abs=1e-4
            )


def test_a_playout_is_a_legal_game_that_ends_as_it_says() -> None:
    where = position("connect4", "44")
    seen = trace(where, "mcts", iterations=20)
    for step in (step for step in seen.steps if step.event == "playout"):
        line, node = [], seen.nodes[step.node]
        while node.parent is not None:
            line.append(node.move)
            node = seen.nodes[node.parent]
        played = where.play(
            " ".join([*reversed([move or "" for move in line]), *(step.moves or ())])
        )
        assert played.outcome is not None
        assert step.result == {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[str(played.outcome)]


def test_a_proved_root_ends_the_search_early() -> None:
    seen = trace(position("connect4", "112233"), "mcts", iterations=500)
    assert seen.root.visits is not None
    assert seen.root.visits < 500
    assert seen.root.proof == -1, "for the player who moved into the root, and who has lost"
    assert seen.steps[-1].event == "proof"


# ---- Borders ----


def test_what_cannot_be_watched_is_refused_in_words() -> None:
    start = position("connect4", "")
    with pytest.raises(
        BadEngine, match="searches that can be watched are minimax, alphabeta, mcts"
    ):
        trace(start, "deepening")
    with pytest.raises(BadEngine, match="1 to 12 plies"):
        trace(start, "minimax", 0)
    with pytest.raises(BadEngine, match="1 to 500"):
        trace(start, "mcts", iterations=501)
    with pytest.raises(BadEngine, match="between 0 and 100"):
        trace(start, "mcts", exploration=math.nan)
    with pytest.raises(BadEngine, match="seeds are 0 to"):
        trace(start, "mcts", seed=-1)
    with pytest.raises(BadEngine, match="no heuristic is called 'guess'"):
        trace(start, "minimax", heuristic="guess")
    with pytest.raises(MnkalaError, match=r"the game is over \(1-0\)"):
        trace(position("connect4", "1122334"), "minimax")


def test_a_tree_that_is_too_large_says_which_depth_fits() -> None:
    with pytest.raises(
        MnkalaError,
        match="minimax visits more than 4,000 positions here at depth 6, too many to be shown; depth 4 fits",
    ):
        trace(position("connect4", ""), "minimax", 6)
    assert trace(position("connect4", ""), "minimax", 4).analysis.nodes == 2801


def test_on_a_large_board_less_can_be_watched_and_that_is_known_at_once() -> None:
    """Five hundred random games on 90 x 90 took 47 seconds."""
    large = position("gomoku:90", "")
    with pytest.raises(
        BadEngine,
        match="500 iterations; on this board Monte-Carlo search can be watched for 1 to 14",
    ):
        check_trace(large, "mcts", 3, 500, "auto", 1.0, 1)
    check_trace(position("gomoku", ""), "mcts", 3, 500, "auto", 1.0, 1)
    with pytest.raises(BadEngine, match="not Kalah"):
        check_trace(position("connect4", ""), "minimax", 3, 30, "kalah", 1.0, 1)
    with pytest.raises(
        MnkalaError,
        match="visits more than 493 positions here at depth 2, too many to be shown; depth 1 fits",
    ):
        trace(large.play("as45at45au46av45"), "minimax", 2, heuristic="nothing")


@pytest.mark.parametrize("algorithm", ["minimax", "mcts"])
def test_a_trace_that_nobody_wants_any_more_ends(algorithm: str) -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        trace(position("connect4", ""), algorithm, stop=stop)


def test_a_recorder_that_nothing_would_call_is_a_mistake() -> None:
    with pytest.raises(LookupError, match="by_hand does not use ghost"):
        rebound(by_hand, {"ghost": None})


# ---- Files ----


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "mcts"])
@pytest.mark.parametrize(("game", "moves"), POSITIONS)
def test_every_trace_can_be_saved(game: str, moves: str, algorithm: str) -> None:
    seen = trace(position(game, moves), algorithm, 2)
    svg, kind, name = export(seen, "svg")
    assert kind == "image/svg+xml"
    assert re.fullmatch(r"[a-z0-9-]+\.svg", name)
    picture = ElementTree.fromstring(svg)
    width, height = float(picture.attrib["width"]), float(picture.attrib["height"])
    for mark in picture.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 <= float(mark.attrib["x"]) <= width
        assert 0 <= float(mark.attrib["y"]) <= height or "y" not in mark.attrib
    dot = export(seen, "dot")[0].decode()
    assert dot.count(" -> ") == len(seen.nodes) - 1
    assert dot.startswith("digraph ")
    assert dot.count("{") == dot.count("}")
    told = json.loads(export(seen, "json")[0])
    assert (told["nodes"], told["best"], len(told["nodes_list"]), len(told["steps"])) == (
        seen.analysis.nodes,
        seen.analysis.best_move,
        len(seen.nodes),
        len(seen.steps),
    )
    with pytest.raises(MnkalaError, match="formats are svg, dot, json"):
        export(seen, "pdf")


def test_the_json_explains_every_proved_value() -> None:
    told = json.loads(trace(position("kalah:3x2", "12"), "alphabeta", 8).json())
    proved = {int(value) for value in told["proved"]}
    for node in told["nodes_list"]:
        if "value" in node:
            assert abs(node["value"]) < 10_000 or node["value"] in proved
    assert any(entry["margin"] > 1 for entry in told["proved"].values()), "Kalah is graded"
    assert all(entry["moves"] is None for entry in told["proved"].values()), (
        "a player may move again"
    )


def test_values_count_the_moves_of_the_winner_whoever_looks_at_them() -> None:
    seen = trace(position("connect4", "445567"), "minimax", 3)
    told = json.loads(seen.json())
    ends = [node for node in told["nodes_list"] if node["kind"] == "end" and node["ply"] == 3]
    assert ends
    for end in ends:
        own, other = (told["proved"][str(value)] for value in (end["value"], -end["value"]))
        assert (own["plies"], own["moves"]) == (other["plies"], other["moves"]) == (3, 2)
        assert (own["words"]["text"], other["words"]["text"]) == (
            "loses in 2 moves",
            "wins in 2 moves",
        )
        assert seen.short(-end["value"]) == "W2"
    assert told["noun"] == "column"


def test_nodes_of_a_picture_do_not_overlap() -> None:
    seen = trace(position("connect4", "44"), "alphabeta", 3)
    heights = {"inner": 40, "leaf": 22, "end": 22, "cut": 13}
    sizes = [Size(20 + 7 * (node.id % 5), heights[node.kind]) for node in seen.nodes]
    for stack in (False, True):
        placed = lay_out(seen.children(), [node.ply for node in seen.nodes], sizes, 80, stack)
        boxes = sorted(
            (
                placed.y[i],
                placed.x[i] - size.width / 2,
                placed.x[i] + size.width / 2,
                placed.y[i] + size.height,
            )
            for i, size in enumerate(sizes)
        )
        for i, (top, left, right, bottom) in enumerate(boxes):
            for other_top, other_left, other_right, _ in boxes[i + 1 :]:
                if other_top >= bottom:
                    break
                assert other_left >= right - 1e-6 or other_right <= left + 1e-6, (top, left, right)
    assert (
        placed.width
        < lay_out(seen.children(), [node.ply for node in seen.nodes], sizes, 80, False).width / 3
    )
    below = seen.children()[0]
    assert placed.x[0] == pytest.approx((placed.x[below[0]] + placed.x[below[-1]]) / 2)


@pytest.mark.parametrize(
    ("game", "moves", "algorithm", "depth"),
    [
        ("connect4", "44", "alphabeta", 4),
        ("kalah:3x2", "", "minimax", 4),
        ("tictactoe", "b2", "mcts", 3),
        ("tictactoe", "b2a1", "alphabeta", 2),
    ],
)
def test_the_json_says_where_the_nodes_stand_and_levels_may_be_stretched(
    game: str, moves: str, algorithm: str, depth: int
) -> None:
    seen = trace(position(game, moves), algorithm, depth)
    found = json.loads(seen.json())["places"]
    assert len(found) == (2 if len(seen.nodes) <= 70 else 1), "boards only where they can be seen"
    for placed, stretch in ((placed, stretch) for placed in found for stretch in (1, 1.4, 3)):
        more = placed["level"] * (stretch - 1)
        boxes = []
        for node in seen.nodes:
            half = (
                max(placed["widths"][node.id], 0 if node.kind == "cut" else placed["board"][0]) / 2
            )
            x, y = placed["x"][node.id], placed["y"][node.id] + node.ply * more
            assert (
                y == pytest.approx(node.ply * stretch * placed["level"], abs=0.2)
                or node.id in placed["stacked"]
            )
            boxes.append((y, x - half, x + half, y + placed["heights"][node.id]))
        boxes.sort()
        for i, (_, left, right, bottom) in enumerate(boxes):
            for other_top, other_left, other_right, _ in boxes[i + 1 :]:
                if other_top >= bottom:
                    break
                assert other_left >= right - 0.2 or other_right <= left + 0.2, (game, stretch)
    assert max(right for _, _, right, _ in boxes) == pytest.approx(placed["width"], abs=0.2)


def test_the_command_prints_a_tree_and_saves_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from mnkala.cli.think import think

    picture = tmp_path / "tree.svg"
    assert (
        think(
            "tictactoe", "a1b2c3a3c1", depth=3, lines=12, svg=picture, json=tmp_path / "tree.json"
        )
        == 0
    )
    printed = capsys.readouterr().out
    assert "MAX to move, MAX loses in 1 move  window (−∞, +∞)" in printed
    assert "b1  cut" in printed
    assert "14 nodes, 2 evaluations, 4 cuts that spared 7 moves" in printed
    assert "more lines" in printed
    assert picture.read_text().startswith("<svg")
    assert json.loads((tmp_path / "tree.json").read_text())["nodes"] == 14
    with pytest.raises(MnkalaError, match="cannot be written"):
        think("tictactoe", depth=1, dot=tmp_path / "nowhere" / "tree.dot")
