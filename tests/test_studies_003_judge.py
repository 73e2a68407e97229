"""Report 003's player as an engine, its heuristics by depth, and the exact solver as the judge of
engines.
"""

from __future__ import annotations

import random

import pytest

from mnkala.core import Position, parse_game
from mnkala.errors import BadEngine
from mnkala.families.connect.studies.timing import time_a_move
from mnkala.families.kalah.studies import kalah_heuristics
from mnkala.families.kalah.studies.kalah_heuristics import (
    heuristic_speed,
    level_pair,
    own_side_against_stores,
)
from mnkala.families.kalah.studies.levels import report_003_game
from mnkala.lab.judging import clustered_share
from mnkala.lab.registry import Row, Verdict, claims_of
from mnkala.lab.studies import judge
from mnkala.lab.studies.heuristics import fixed_cost
from mnkala.lab.studies.judge import given_away, seeded
from mnkala.lab.studies.scaling import fixed_seconds, threads
from mnkala.lab.tables import show, with_half
from mnkala.play.series import play_series
from mnkala.search import parse_engine

# ---- Report 003's player ----


@pytest.mark.parametrize(
    ("levels", "heuristic", "scores", "moves"),
    [
        ("1 v 1", "own-side", (44, 4), (5, 5)),
        ("1 v 2", "stores", (15, 33), (12, 9)),
        ("2 v 3", "own-side", (20, 28), (22, 18)),
    ],
)
def test_a_game_of_report_003_comes_out_to_the_seed_and_to_the_move(
    levels: str, heuristic: str, scores: tuple[int, int], moves: tuple[int, int]
) -> None:
    row = report_003_game(levels=levels, heuristic=heuristic, pruning=True)
    assert (row["score_first"], row["score_second"]) == scores
    assert (row["moves_first"], row["moves_second"]) == moves


def test_a_match_of_the_engine_is_the_report_s_game() -> None:
    ends: list[Position] = []
    play_series(
        "kalah",
        "report-003:level=1",
        "report-003:level=2",
        1,
        plies=0,
        watch=lambda game: ends.append(game.position),
    )
    row = report_003_game(levels="1 v 2", heuristic="stores", pruning=True)
    assert ends[0].moves == row["played"]


@pytest.mark.parametrize("heuristic", ["own-side", "stores"])
def test_pruning_changes_no_move_of_it_but_saves_nodes(heuristic: str) -> None:
    with_cuts, without = (
        report_003_game(levels="2 v 2", heuristic=heuristic, pruning=pruning)
        for pruning in (True, False)
    )
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
    by_level, by_depth = (
        parse_engine(f"report-003:{which}").analyse(start) for which in ("level=2", "depth=4")
    )
    assert (by_level.nodes, by_level.line) == (by_depth.nodes, by_depth.line)


# ---- Report 003's heuristics ----


def test_own_side_against_stores_is_a_series_of_whole_openings() -> None:
    row = own_side_against_stores(depth=2, games=10)
    assert row["wins"] + row["draws"] + row["losses"] == 10
    assert sum(int(count) for count in row["pairs"].split()) == 5
    assert row == {
        **own_side_against_stores(depth=2, games=10),
        "ms_one": row["ms_one"],
        "ms_other": row["ms_other"],
    }


def test_without_pruning_both_heuristics_visit_the_same_tree_and_with_it_fewer_nodes() -> None:
    plain, pruned = (
        heuristic_speed(depth=4, pruning=pruning, positions=2, repeats=1)
        for pruning in (False, True)
    )
    assert plain[0]["nodes"] == plain[1]["nodes"]
    assert all(few["nodes"] < many["nodes"] for few, many in zip(pruned, plain, strict=True))
    assert all(
        row["ratio_node_low"] <= row["ratio_node"] <= row["ratio_node_high"] for row in plain
    )


def test_a_pair_of_levels_tells_results_moves_and_time_of_either_side() -> None:
    row = level_pair(levels="1 v 2", heuristic="stores", games=6)
    assert row["wins"] + row["draws"] + row["losses"] == row["games"] == 6
    assert row["margin_low"] <= row["margin"] <= row["margin_high"]
    assert row["moves_first"] > 1
    assert row["ms_second"] > 0


def _depth_rows(share: dict[int, float], games: int = 400) -> list[Row]:
    """Series in which openings are won or lost by the same side twice."""
    rows = []
    for depth, points in share.items():
        won = round(points * games / 2)
        rows.append(
            {
                "depth": depth,
                "wins": 2 * won,
                "draws": 0,
                "losses": games - 2 * won,
                "pairs": f"{games // 2 - won} 0 0 0 {won}",
            }
        )
    return rows


SHALLOW_FIRST = {depth: 0.7 if depth < 4 else 0.3 for depth in range(1, 9)}


@pytest.mark.parametrize(
    ("share", "verdict"),
    [
        (SHALLOW_FIRST, Verdict.REPRODUCED),
        (dict.fromkeys(range(1, 9), 0.3), Verdict.REFUTED),
        (dict.fromkeys(range(1, 9), 0.5), Verdict.NOT_DECIDABLE),
        ({1: 0.7, 8: 0.3}, Verdict.NOT_DECIDABLE),
    ],
)
def test_which_heuristic_suits_which_depth_is_judged_by_shallow_and_deep_games(
    share: dict[int, float], verdict: Verdict
) -> None:
    judge = next(claim for claim in claims_of("kalah-heuristics") if "shallow" in claim.says)
    assert judge.judge(_depth_rows(share), []).verdict is verdict


def _speed_row(pruning: bool, low: float, high: float, depth: int = 8) -> Row:
    return {
        "heuristic": "stores",
        "depth": depth,
        "pruning": pruning,
        "nodes": 100.0,
        "ratio_move": (low + high) / 2,
        "ratio_move_low": low,
        "ratio_move_high": high,
        "ratio_node": 1.0,
        "ratio_node_low": 0.98,
        "ratio_node_high": 1.02,
    }


@pytest.mark.parametrize(
    ("row", "verdict"),
    [
        (_speed_row(True, 1.01, 1.2), Verdict.REPRODUCED),
        (_speed_row(True, 0.9, 1.1), Verdict.REPRODUCED),
        (_speed_row(True, 0.6, 0.9), Verdict.REFUTED),
        (_speed_row(True, 2.2, 3.5), Verdict.REFUTED),
        (_speed_row(True, 1.1, 1.4), Verdict.NOT_DECIDABLE),
        (_speed_row(False, 1.01, 1.2), Verdict.NOT_DECIDABLE),
        (_speed_row(True, 1.01, 1.2, depth=6), Verdict.NOT_DECIDABLE),
    ],
)
def test_a_slight_difference_is_one_by_which_moves_take_a_quarter_longer_at_most(
    row: Row, verdict: Verdict
) -> None:
    judge = next(claim for claim in claims_of("kalah-heuristics") if "faster" in claim.says)
    assert judge.judge([row], []).verdict is verdict


def _level_row(levels: str, heuristic: str, margin: float, higher_lost: int = 0) -> Row:
    """Ten games in which the higher level is ahead by so many seeds."""
    first = int(levels[0]) > int(levels[-1])
    won, lost = (10 - higher_lost, higher_lost) if first else (higher_lost, 10 - higher_lost)
    return {
        "levels": levels,
        "heuristic": heuristic,
        "games": 10,
        "wins": won,
        "draws": 0,
        "losses": lost,
        "margin": margin if first else -margin,
    }


def test_one_lost_game_refutes_that_the_higher_level_always_wins() -> None:
    judge = next(claim for claim in claims_of("levels") if "always wins" in claim.says)
    single = [
        {
            "played": "1",
            "heuristic": "stores",
            "pruning": True,
            "depth_first": one,
            "depth_second": other,
            "score_first": 30 if one > other else 18,
            "score_second": 18 if one > other else 30,
        }
        for one, other in ((1, 4), (4, 1), (8, 8))
    ]
    assert judge.judge(single, []) == (
        Verdict.REPRODUCED,
        "it wins 2 of 2 single games from the usual start, which is the report’s setting",
    )
    series = {"heuristic": "stores", "one": 4, "other": 1, "share": 0.9, "wins": 9, "draws": 0}
    found = judge.judge([*single, {**series, "losses": 1, "pairs": "0 0 1 0 4"}], [])
    assert found.verdict is Verdict.REFUTED
    assert "wins 2 of 2 single games" in found.evidence
    assert found.evidence.endswith("with the depths of the levels, it loses 1 of 10 games")


@pytest.mark.parametrize(
    ("more", "verdict"),
    [
        ((4, 5, 6), Verdict.REPRODUCED),
        ((-4, -5, -6), Verdict.REFUTED),
        ((9, -8, 0), Verdict.NOT_DECIDABLE),
    ],
)
def test_margins_are_compared_level_by_level(more: tuple[int, ...], verdict: Verdict) -> None:
    judge = next(claim for claim in claims_of("kalah-heuristics") if "wins by more" in claim.says)
    rows = [
        _level_row(pair, heuristic, 10 + (extra if heuristic == "stores" else 0))
        for pair, extra in zip(("1 v 2", "3 v 1", "2 v 3"), more, strict=True)
        for heuristic in ("own-side", "stores")
    ]
    found = judge.judge(rows, [])
    assert found.verdict is verdict
    assert "10.0 with the first" in found.evidence
    assert "60 games" in found.evidence


def test_the_finding_names_the_depths_at_which_a_heuristic_is_ahead() -> None:
    found = kalah_heuristics.in_words(
        [*_depth_rows({1: 0.7, 4: 0.5, 6: 0.3, 7: 0.3, 8: 0.3}), _speed_row(True, 1.1, 1.3)]
    )
    assert (
        "own-side is clearly ahead of stores at depth 1, clearly behind stores at depths 6 to 8 and undecided at depth 4"
        in found
    )
    assert "takes 1.20 (1.10 to 1.30) times as long" in found


# ---- The judge ----


def test_perfect_play_gives_nothing_away_and_random_play_does() -> None:
    perfect, lucky = (
        given_away(
            game="tictactoe", engine=engine, opponent="random", plies=1, starts=[1, 4], games=6
        )
        for engine in ("deepening:depth=9", "random")
    )
    assert perfect[-1]["given"] == 0
    assert perfect[-1]["chances"] > 6
    assert lucky[-1]["given"] > 0
    assert (
        lucky[-1]["given"]
        == lucky[-1]["win_to_draw"] + lucky[-1]["win_to_loss"] + lucky[-1]["draw_to_loss"]
    )


def test_bands_hold_every_judged_move_once_and_the_judge_is_repeatable() -> None:
    rows = given_away(
        game="tictactoe", engine="random", opponent="random", plies=1, starts=[1, 3, 5], games=4
    )
    assert [row["plies"] for row in rows] == ["2 to 3", "4 to 5", "6 on", "all"]
    assert sum(row["chances"] for row in rows[:-1]) == rows[-1]["chances"]
    assert rows == given_away(
        game="tictactoe", engine="random", opponent="random", plies=1, starts=[1, 3, 5], games=4
    )


def test_rows_of_levels_tell_their_number_and_those_of_engines_none() -> None:
    level = given_away(
        game="tictactoe", engine="level 3", opponent="random", plies=1, starts=[2], games=1
    )
    engine = given_away(
        game="tictactoe", engine="greedy", opponent="random", plies=1, starts=[2], games=1
    )
    assert {row["level"] for row in level} == {3}
    assert all("level" not in row for row in engine)


def test_a_player_with_chances_gets_a_seed_and_others_none() -> None:
    rules = parse_game("connect4")
    assert "seed=7" in str(seeded("level 3", rules, 7).engine).split(",")
    assert str(seeded("mcts:iterations=10", rules, 7).engine) == "mcts:iterations=10,seed=7"
    assert str(seeded("alphabeta:depth=4", rules, 7).engine) == "alphabeta:depth=4"


def test_the_interval_of_a_clustered_share_holds_it_as_often_as_it_says() -> None:
    """Games of which each has a share of its own, as players do who hold some positions better than
    others.
    """
    chance, held, tries, truth = random.Random(5), 0, 600, 0.2
    for _ in range(tries):
        clusters = []
        for _ in range(30):
            own = 0.4 if chance.random() < 0.5 else 0.0
            moves = chance.randint(1, 9)
            clusters.append((sum(chance.random() < own for _ in range(moves)), moves))
        _, low, high = clustered_share(clusters)
        held += low <= truth <= high
    assert 0.92 < held / tries < 0.985


def test_an_interval_without_a_hit_is_no_point_and_without_a_trial_is_everything() -> None:
    share, low, high = clustered_share([(0, 5)] * 10)
    assert (share, round(low, 9)) == (0, 0)
    assert 0.05 < high < 0.12
    assert clustered_share([])[1:] == clustered_share([(0, 0)])[1:] == (0.0, 1.0)
    assert clustered_share([(5, 5), (0, 5)] * 5)[2] > clustered_share([(2, 5), (3, 5)] * 5)[2]


def _judged_rows(engine: str, level: int | None, early: float, late: float) -> list[Row]:
    number = {} if level is None else {"level": level}
    return [
        {
            "game": "connect4",
            "engine": engine,
            **number,
            "ply": ply,
            "plies": plies,
            "chances": 100,
            "given": round(100 * share),
            "share": share,
            "low": max(0.0, share - 0.1),
            "high": share + 0.1,
            "blind": 0.5,
        }
        for ply, plies, share in (
            (5, "5 to 10", early),
            (29, "29 on", late),
            (None, "all", (early + late) / 2),
        )
    ]


def test_the_finding_of_the_judge_tells_levels_engines_and_when_results_are_lost() -> None:
    rows = [
        *_judged_rows("level 1", 1, 0.6, 0.4),
        *_judged_rows("level 10", 10, 0, 0),
        *_judged_rows("mcts", None, 0.3, 0.1),
        *_judged_rows("greedy", None, 0.5, 0.3),
    ]
    found = judge.in_words(rows)
    assert (
        "levels 1 and 10 lose it with 50 % (40 to 60 %) and 0 % (0 to 10 %) of the moves in Connect Four"
        in found
    )
    assert "with 35 % of moves 5 to 10 and 20 % of moves 29 on in Connect Four" in found
    assert "mcts in Connect Four, 20 % (10 to 30 %), tied with 1 other" in found
    found = judge.in_words([*rows[:9], *_judged_rows("greedy", None, 0.9, 0.7)])
    assert "mcts in Connect Four, 20 % (10 to 30 %)." in found


def test_no_table_tells_a_negative_nought() -> None:
    assert show(-0.0) == "0"
    assert with_half(-0.001, 2.0) == "0.0 ± 2.0"


# ---- What an empty question costs ----


def test_the_time_of_a_move_is_what_is_left_without_the_empty_question() -> None:
    row = time_a_move("Alpha-Beta", 4, games=1, repeats=1)
    assert row["ms"] == pytest.approx(row["whole_ms"] - row["fixed_ms"])
    assert 0 < row["fixed_ms"] < row["whole_ms"]


def test_an_empty_question_costs_little_of_ten_milliseconds() -> None:
    assert (
        0
        < fixed_cost(game="kalah", heuristic="stores", limit_ms=10.0, positions=3, repeats=1)[
            "fixed_share"
        ]
        < 0.05
    )


def test_every_depth_costs_something_beside_its_nodes() -> None:
    shallow, deep = (fixed_seconds(Position("connect4"), depth, 1) for depth in (1, 20))
    assert 0 < shallow < deep < 0.05


def test_threads_are_compared_to_the_same_depth_in_searches_of_the_wanted_size() -> None:
    one, two = threads("connect4", nodes=20_000, positions=1, repeats=1)
    assert (one["threads"], two["threads"], one["depth"]) == (1, 2, two["depth"])
    assert 20_000 <= one["nodes"] < 200_000
    assert one["cpu_seconds"] == pytest.approx(one["cores"] * one["seconds"])
