"""Report 003's player as an engine, its heuristics by depth, and the exact solver as the judge of engines."""

from __future__ import annotations

import pytest

from mnkala.errors import BadEngine
from mnkala.games import Position, parse_game
from mnkala.lab.studies.levels import report_003_game
from mnkala.play.series import play_series
from mnkala.search import parse_engine

# ---- Report 003's player ----


@pytest.mark.parametrize(("levels", "heuristic", "scores", "moves"), [
    ("1 v 1", "own-side", (44, 4), (5, 5)), ("1 v 2", "stores", (15, 33), (12, 9)), ("2 v 3", "own-side", (20, 28), (22, 18)),
])
def test_a_game_of_report_003_comes_out_to_the_seed_and_to_the_move(
        levels: str, heuristic: str, scores: tuple[int, int], moves: tuple[int, int]) -> None:
    row = report_003_game(levels=levels, heuristic=heuristic, pruning=True)
    assert (row["score_first"], row["score_second"]) == scores
    assert (row["moves_first"], row["moves_second"]) == moves


def test_a_match_of_the_engine_is_the_report_s_game() -> None:
    ends: list[Position] = []
    play_series("kalah", "report-003:level=1", "report-003:level=2", 1, plies=0, watch=lambda game: ends.append(game.position))
    row = report_003_game(levels="1 v 2", heuristic="stores", pruning=True)
    assert ends[0].moves == row["played"]


@pytest.mark.parametrize("heuristic", ["own-side", "stores"])
def test_pruning_changes_no_move_of_it_but_saves_nodes(heuristic: str) -> None:
    with_cuts, without = (report_003_game(levels="2 v 2", heuristic=heuristic, pruning=pruning) for pruning in (True, False))
    assert with_cuts["played"] == without["played"]
    assert with_cuts["nodes_first"] < without["nodes_first"]


def test_of_equal_moves_it_plays_the_rightmost_on_the_board() -> None:
    even = "report-003:level=1,heuristic=nothing"
    first = Position("kalah")
    assert parse_engine(even).analyse(first).best_code == max(first.legal_codes)
    second = first.play_codes([0])
    assert second.mover == 1
    assert parse_engine(even).analyse(second).best_code == min(second.legal_codes)


def test_it_knows_three_levels_and_one_game() -> None:
    with pytest.raises(BadEngine, match="1, 2 and 3"):
        parse_engine("report-003:level=4")
    with pytest.raises(BadEngine, match="plays Kalah"):
        parse_engine("report-003").search.check(parse_game("connect4"))
    assert str(parse_engine("report-003:level=2,pruning=off")) == "report-003:level=2,pruning=off"


def test_a_limit_of_depth_stands_for_a_level() -> None:
    start = Position("kalah")
    by_level, by_depth = (parse_engine(f"report-003:{which}").analyse(start) for which in ("level=2", "depth=4"))
    assert (by_level.nodes, by_level.line) == (by_depth.nodes, by_depth.line)
