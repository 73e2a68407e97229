"""The studies of playing strength: levels, heuristics, mcts and learning, each in its quick form
end to end, and what they rest on.
"""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest

from mnkala.arena.models import expected, fit
from mnkala.core import Position
from mnkala.errors import BadEngine, BadGame
from mnkala.families.connect.studies.learned_windows import learned_windows
from mnkala.families.kalah.studies import levels
from mnkala.lab import judging
from mnkala.lab.judging import head_to_head, result_of, strongest_first, verdict
from mnkala.lab.measuring import PacedPlayer, games_between, player, series, summary
from mnkala.lab.results import Results
from mnkala.lab.store import run
from mnkala.lab.studies import heuristics, learning, mcts
from mnkala.lab.studies.learning import tables_of
from mnkala.play.intervals import paired, wilson
from mnkala.play.series import SeriesResult, play_series
from mnkala.search.heuristic import heuristic_for


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("lab") / "data.sqlite"


def quick(name: str, data: Path) -> Results:
    """A quick run in this process; what is there already is not measured again."""
    return run(name, data, quick=True, jobs=0)


# ---- Levels ----


def test_rows_repeat_exactly_but_for_times(data: Path, tmp_path: Path) -> None:
    def fixed(results: Results) -> list[Any]:
        timed = ("seconds", "ms_")
        return [
            {name: value for name, value in row.items() if not name.startswith(timed)}
            for part in results.parts
            for row in part.rows
        ]

    assert fixed(quick("levels", data)) == fixed(quick("levels", tmp_path / "again.sqlite"))


@pytest.mark.parametrize(
    ("heuristic", "pair", "scores", "moves"),
    [
        ("own-side", "1 v 1", (44, 4), (5, 5)),
        ("own-side", "1 v 2", (19, 29), (10, 9)),
        ("own-side", "2 v 3", (20, 28), (22, 18)),
        ("stores", "1 v 1", (19, 29), (11, 10)),
        ("stores", "2 v 2", (34, 14), (26, 11)),
        ("stores", "2 v 3", (19, 29), (17, 13)),
    ],
)
def test_games_of_report_003_come_out_to_the_seed(
    heuristic: str, pair: str, scores: tuple[int, int], moves: tuple[int, int]
) -> None:
    row = levels.report_003_game(levels=pair, heuristic=heuristic, pruning=True)
    assert (
        (row["score_first"], row["score_second"]),
        (row["moves_first"], row["moves_second"]),
    ) == (scores, moves)


def test_pruning_changes_no_move_and_saves_nodes() -> None:
    with_cuts, without = (
        levels.report_003_game(levels="2 v 2", heuristic="stores", pruning=pruning)
        for pruning in (True, False)
    )
    assert with_cuts["played"] == without["played"]
    assert with_cuts["nodes_first"] < without["nodes_first"]


def test_the_report_s_figures_stand_beside_ours(data: Path) -> None:
    rows = quick("levels", data).parts[0].rows
    row = next(
        row
        for row in rows
        if row["levels"] == "2 v 2" and row["heuristic"] == "own-side" and row["pruning"]
    )
    assert (
        row["report_score_first"],
        row["report_score_second"],
        row["report_moves_first"],
        row["report_seconds_first"],
    ) == (21, 27, 24, 0.001)


def test_levels_that_do_not_exist_are_refused() -> None:
    with pytest.raises(BadEngine, match="levels 1, 2 and 3"):
        levels.report_003_game(levels="1 v 4", heuristic="stores", pruning=True)


# ---- Series ----


def test_a_series_counts_as_the_match_command_does() -> None:
    one, other = "alphabeta:depth=3,heuristic=zero-sum", "alphabeta:depth=1,heuristic=basic"
    rules = Position("connect4").rules
    row = summary(
        games_between(
            rules, lambda number: (player("connect4", one), player("connect4", other)), 6, seed=1
        )
    )
    expected = play_series("connect4", one, other, 6, seed=1)
    assert (row["wins"], row["draws"], row["losses"]) == (
        expected.wins,
        expected.draws,
        expected.losses,
    )
    assert (row["low"], row["high"]) == pytest.approx(expected.interval, abs=1e-4)


def test_a_heuristic_against_itself_scores_half_and_all_adds_up_the_others() -> None:
    rows = {
        row["other"]: row
        for row in heuristics.heuristics(
            game="kalah",
            one="stores",
            field=["own-side", "stores", "nothing"],
            limit="depth 2",
            games=4,
        )
    }
    assert rows["stores"]["share"] == 0.5
    assert rows["all"]["wins"] == rows["own-side"]["wins"] + rows["nothing"]["wins"]
    assert rows["all"]["wins"] + rows["all"]["draws"] + rows["all"]["losses"] == 8


def test_a_paced_player_uses_the_time_that_it_gets() -> None:
    slow, quick_one = (
        PacedPlayer("connect4", f"alphabeta:heuristic={name}", 4) for name in ("threats", "nothing")
    )
    start = Position("connect4")
    for paced in (slow, quick_one):
        paced.engine.search.prepare(start.rules)
        spent = [paced.ask(start)[1] for _ in range(30)][-10:]
        assert 0.001 < float(np.median(spent)) < 0.016


@pytest.mark.parametrize("limit", ["depth", "soon", "time many ms", "nodes -3"])
def test_a_limit_that_cannot_be_read_is_refused(limit: str) -> None:
    with pytest.raises(BadEngine, match="limits are"):
        player("connect4", "alphabeta", limit)


def test_more_iterations_make_mcts_stronger() -> None:
    few, many = (
        mcts.mcts_strength(
            game="connect4",
            iterations=iterations,
            exploration=1.0,
            opponent="alphabeta:depth=2",
            games=10,
        )["share"]
        for iterations in (10, 2000)
    )
    assert many > few


# ---- Ratings ----


def series_row(one: str, other: str, wins: int, losses: int) -> dict[str, Any]:
    return {"one": one, "other": other, "wins": wins, "draws": 0, "losses": losses}


def test_a_field_is_ordered_by_all_games_and_not_by_their_number() -> None:
    rows = [
        series_row("a", "b", 1000, 100),
        series_row("b", "c", 1000, 100),
        series_row("a", "c", 10, 1),
    ]
    assert strongest_first(rows, ["c", "a", "b"]) == ["a", "b", "c"]
    assert strongest_first([series_row("a", "b", 4, 0)], ["b", "a"]) == ["a", "b"]
    assert strongest_first([series_row("b", "a", 1, 2)], ["b", "a"]) == ["a", "b"]


def test_games_count_whoever_is_named_first() -> None:
    assert head_to_head(
        [series_row("a", "b", 3, 1), series_row("b", "a", 1, 5)], "a", "b"
    ) == SeriesResult(8, 0, 2)


def test_only_an_interval_beyond_a_half_is_a_verdict() -> None:
    assert verdict(SeriesResult(6, 0, 4)) == "undecided"
    assert verdict(SeriesResult(60, 0, 20)) == "ahead"
    assert verdict(SeriesResult(20, 0, 60)) == "behind"
    assert judging.share(SeriesResult(0, 0, 10)).startswith("0 % (0 to ")


# ---- Learning ----


@pytest.mark.parametrize("game", ["connect4", "connect4:5x6", "kalah", "kalah:4x3"])
def test_the_compiled_evaluation_is_the_fitted_model(game: str) -> None:
    rules = Position(game).rules
    model, rng = tables_of(rules), np.random.default_rng(1)
    weights, draw = rng.normal(size=model.size), random.Random(1)
    heuristic = model.heuristic(weights, 0.5)
    for plies in range(10):
        position = Position(game)
        while len(position.history) < plies and not position.is_over:
            position = position.play_codes([draw.choice(position.legal_codes)])
        fitted = (model.design([position.state()]) @ weights)[0] + 0.5
        assert heuristic.evaluate(rules, position.state()) == pytest.approx(1000 * fitted, abs=100)


def test_mirrored_connect_positions_are_worth_the_same() -> None:
    model = tables_of(Position("connect4").rules)
    rng = np.random.default_rng(2)
    weights = rng.normal(size=model.size)
    left, right = (
        model.design([Position("connect4").play(moves).state()]) @ weights
        for moves in ("1223", "7665")
    )
    assert left == pytest.approx(right)


def test_regression_finds_weights_that_made_the_data() -> None:
    from scipy import sparse

    rng = np.random.default_rng(3)
    truth = np.array([1.0, -2.0, 0.5])
    design = sparse.csr_array(rng.integers(0, 2, size=(20_000, 3)).astype(float))
    points = (rng.random(20_000) < expected(design, truth, -0.3)).astype(float)
    weights, tempo = fit(design, points, np.zeros(3))
    assert weights == pytest.approx(truth, abs=0.15)
    assert tempo == pytest.approx(-0.3, abs=0.15)


def test_learning_repeats_exactly_and_registers_a_heuristic() -> None:
    name = learning.learned_name("kalah", 1, 12, 5)
    again = learning.learn.__wrapped__("kalah", 1, 12, 5)
    known = learning.learn("kalah", 1, 12, 5)
    assert np.array_equal(again.weights, known.weights)
    assert {**dataclasses.asdict(again), "weights": 0, "seconds": 0} == {
        **dataclasses.asdict(known),
        "weights": 0,
        "seconds": 0,
    }
    assert heuristic_for(name, Position("kalah").rules) is not None
    with pytest.raises(BadEngine, match="was learned for kalah"):
        heuristic_for(name, Position("kalah:4x3").rules)


def test_games_held_out_are_not_learned_from() -> None:
    held = (
        learning.games_of_round("kalah", 1, 12, 5).game % learning.HELD_OUT == learning.HELD_OUT - 1
    )
    assert 0 < held.sum() < len(held) / 2


def test_games_without_a_model_are_refused() -> None:
    for game in ("gomoku:9", "kalah"):
        with pytest.raises(BadGame, match="no windows; take a Connect board"):
            learned_windows(game=game, rounds=1, games_a_round=12, seed=5)


def test_results_add_up_over_rows() -> None:
    assert result_of([series_row("a", "b", 1, 2), series_row("a", "b", 3, 4)]) == SeriesResult(
        4, 0, 6
    )


def _results_of_openings(share: float, kind: str) -> list[float]:
    """How often an opening brings 0, half a point, … 2 points, if a game brings so much and its two
    games depend on each other like this.
    """
    other, drawn = 1 - share, 0.6 * min(share, 1 - share)
    won, lost = share - drawn / 2, other - drawn / 2
    split = 1.6 * min(share, other)
    return {
        "independent": [other**2, 0, 2 * share * other, 0, share**2],
        "drawn": [lost**2, 2 * lost * drawn, 2 * won * lost + drawn**2, 2 * won * drawn, won**2],
        "alike": [other, 0, 0, 0, share],
        "split": [other - split / 2, 0, split, 0, share - split / 2],
    }[kind]


@pytest.mark.parametrize("kind", ["independent", "drawn", "alike", "split"])
def test_intervals_by_openings_cover_the_truth_at_the_edge_too(kind: str) -> None:
    """95 % is promised. Of few openings only few intervals are possible, so single cases may fall
    short of it; the mean must not.
    """
    generator = np.random.default_rng(1)
    covered = []
    for openings in (6, 12, 18, 50):
        for share in (0.5, 0.7, 0.85, 0.95, 0.98, 1.0):
            drawn = Counter(
                map(
                    tuple,
                    generator.multinomial(
                        openings, _results_of_openings(share, kind), 500
                    ).tolist(),
                )
            )
            ends = {counts: paired(counts) for counts in drawn}
            covered.append(
                sum(
                    number
                    for counts, number in drawn.items()
                    if ends[counts][0] - 1e-9 <= share <= ends[counts][1] + 1e-9
                )
                / 500
            )
    assert min(covered) > 0.87
    assert fmean(covered) > 0.95


def test_all_games_won_leave_as_much_open_as_so_many_openings_do() -> None:
    assert paired((0, 0, 0, 0, 3)) == wilson(1.0, 3)
    assert paired((0, 0, 0, 0, 0)) == (0.0, 1.0)
    result = SeriesResult()
    for first, second in ((1.0, 0.5), (0.0, 1.0), (1.0, 1.0)):
        result = result.add(first).add(second, first)
    assert result == SeriesResult(4, 1, 1, (0, 0, 1, 1, 1))
    assert result.interval == paired(result.pairs)
    assert result.add(1.0).interval == wilson(11 / 14, 7), (
        "an opening without its second game: games are counted"
    )
    assert result.turned() == SeriesResult(1, 1, 4, (1, 1, 1, 0, 0))
    assert (result + result.turned()).pairs == (1, 1, 2, 1, 1)


def test_rows_tell_their_openings_and_older_ones_are_counted_by_games() -> None:
    played = summary(series("tictactoe", ("random:seed=1", ""), ("random:seed=2", ""), 6, seed=1))
    assert sum(int(count) for count in played["pairs"].split()) == 3
    assert (played["low"], played["high"]) == tuple(
        round(end, 4) for end in result_of([played]).interval
    )
    older = {name: value for name, value in played.items() if name != "pairs"}
    assert result_of([older]).interval == wilson(result_of([older]).share, 6)
