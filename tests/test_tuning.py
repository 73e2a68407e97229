"""Tuning: weights from the results of games, settings by play; and what was learned of Connect,
played by name.
"""

from __future__ import annotations

import dataclasses
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench.fit_gomoku import Lesson, Teacher

from mnkala.arena import game_job, tune_weights
from mnkala.arena.models import Seen, model_for
from mnkala.arena.sprt import share_of_elo
from mnkala.arena.tune_settings import Number, Spsa, numbers_to_tune, tune_settings, with_numbers
from mnkala.arena.tune_weights import Lessons, learn
from mnkala.cli import run
from mnkala.core import Position, Rules, parse_game
from mnkala.errors import BadEngine, BadGame, MnkalaError
from mnkala.families.connect.bits import Connect
from mnkala.families.connect.learned import (
    SCALE,
    SHIPPED,
    ConnectModel,
    learned_from,
    read_window_weights,
)
from mnkala.families.lines.engine.board import count_of, evaluate, make_board
from mnkala.families.lines.engine.patterns import COMPLETES, WINS
from mnkala.families.lines.engine.settings import Settings, read_settings
from mnkala.families.lines.engine.weights import FIRST_GUESS, read_weights
from mnkala.families.lines.model import SIDE, GomokuModel, features_by_combination
from mnkala.families.lines.rules import Mnk, build
from mnkala.search import Engine, heuristic_for, parse_engine
from mnkala.search.engine import Search, Tunable


def random_positions(rules: Rules, count: int, seed: int = 1) -> list[Position]:
    """Positions of random games that are going on."""
    rng, found = random.Random(seed), list[Position]()
    while len(found) < count:
        position = Position(rules)
        for _ in range(rng.randint(1, 14)):
            if not position.is_over:
                position = position.play_codes([rng.choice(position.legal_codes)])
        if not position.is_over:
            found.append(position)
    return found


def seen(positions: list[Position]) -> Seen:
    return Seen(
        [position.state() for position in positions], [position.mover for position in positions]
    )


# ---- Features ----


def test_the_features_of_lines_times_the_weights_are_the_evaluation_of_threats() -> None:
    rules = parse_game("mnk:7x8x5")
    assert isinstance(rules, Mnk)
    model, positions = GomokuModel(rules), random_positions(rules, 8)
    for name in ("guessed", "learned"):
        values = model.features(seen(positions)) @ model.guess(
            parse_engine(f"threats:heuristic={name}")
        )
        boards = [
            make_board(model.rules, position.state().cells, read_weights(name))
            for position in positions
        ]
        assert values.tolist() == [
            int(evaluate(board, position.mover))
            for board, position in zip(boards, positions, strict=True)
        ]
        assert len(set(values.tolist())) > 3
    assert features_by_combination().shape == (1 << 16, SIDE)


@pytest.mark.parametrize("game", ["connect4", "connect4:5x6"])
def test_the_features_of_windows_times_the_weights_are_the_heuristic_learned(game: str) -> None:
    rules = parse_game(game)
    assert isinstance(rules, Connect)
    weights, model, positions = (
        read_window_weights(SHIPPED),
        ConnectModel(rules),
        random_positions(rules, 12),
    )
    own = (
        np.ravel(weights.own) if game == "connect4" else np.zeros(model.size - model.table)
    )  # elsewhere what all windows share
    values = model.features(seen(positions)) @ np.concatenate([weights.shared, own]) + weights.tempo
    learned = heuristic_for("learned", rules)
    assert np.rint(values).astype(int).tolist() == [
        int(learned.evaluate(rules, position.state())) for position in positions
    ]


# ---- Weights ----


def test_the_regression_finds_the_weights_by_which_results_were_drawn() -> None:
    """Features of random boards; results drawn by weights that the guess has wrong in one place."""
    rules = parse_game("mnk:7x7x4")
    model, engine = model_for(rules), parse_engine("threats:heuristic=guessed")
    some, rng = seen(random_positions(rules, 60)), np.random.default_rng(1)
    features, guess = model.features(some).toarray(), model.guess(engine)
    truth = guess / 600
    loud = int(np.argmax(features.std(axis=0)))
    truth[loud] = 0.3
    row = rng.integers(len(features), size=4000)
    points = (rng.random(len(row)) < 1 / (1 + np.exp(-(features[row] @ truth)))).astype(float)
    lessons = Lessons(
        Seen([some.states[i] for i in row], [some.movers[i] for i in row]),
        points,
        np.arange(len(row)),
        "digest",
    )
    learned = learn(_Quick(model, features[row]), engine, lessons)
    assert learned.bits_after < learned.bits_before - 0.01
    assert guess[loud] / 600 < 0.02
    assert 0.1 < learned.weights[loud] < 0.3  # held back by the penalty
    assert learned.weights.min() >= 0  # a line is good for whoever can make it
    assert (learned.positions, learned.games, learned.held_out) == (4000, 4000, 800)


class _Quick:
    """A model whose features are known already."""

    def __init__(self, model: Any, features: np.ndarray) -> None:
        self.model, self.known = model, features

    def features(self, seen: Seen) -> np.ndarray:
        return self.known

    def __getattr__(self, name: str) -> Any:
        return getattr(self.model, name)


def test_weights_are_learned_written_and_played_and_a_second_call_plays_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "learned.json"
    words = [
        "tune",
        "weights",
        "mnk:4x4x4",
        "--engine",
        "threats:nodes=20",
        "--games",
        "10",
        "--jobs",
        "0",
        "--data",
        str(tmp_path / "games.sqlite"),
        "--out",
        str(file),
    ]
    assert run(words) == 0
    out = capsys.readouterr().out
    assert "by what was guessed" in out
    assert f"play it: threats:heuristic={file}" in out
    weights, made = read_weights(str(file)), json.loads(file.read_text())["made"]
    assert weights.order_kinds == read_weights("auto").order_kinds
    assert weights.kinds != FIRST_GUESS.kinds
    assert (
        made["command"]
        == "mnkala tune weights mnk:4x4x4 --engine threats:nodes=20 --games 10 --seed 1"
    )
    assert made["games"] == 10
    assert (
        parse_engine(f"threats:nodes=20,heuristic={file}").analyse(Position("mnk:4x4x4")).best_move
    )

    def play_for_learning(**others: Any) -> None:
        raise AssertionError("everything was played before")

    monkeypatch.setattr(tune_weights, "play_for_learning", play_for_learning)
    assert run([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["digest"] == made["data"]


def test_what_was_learned_of_connect_is_played_by_name_on_other_boards_and_from_a_file(
    tmp_path: Path,
) -> None:
    made = read_window_weights(SHIPPED).made
    assert made["command"].startswith("mnkala tune weights connect4 ")
    assert made["bits_learned"] < made["bits_guessed"] < 1
    rules, file = parse_game("connect4:5x6"), tmp_path / "mine.json"
    file.write_bytes(SHIPPED.read_bytes())
    by_name, by_file = heuristic_for("learned", rules), heuristic_for(str(file), rules)
    state = Position(rules).play("3344").state()
    assert by_name.evaluate(rules, state) == by_file.evaluate(rules, state)
    assert (
        parse_engine("greedy:heuristic=learned")
        .analyse(Position("connect4").play("112131"))
        .best_move
        == "4"
    )
    for game, told in (
        ("connect:8x8x5", "64 bits"),
        ("connect:6x7x5", "lines of 4"),
        ("kalah", "plays Connect"),
    ):
        with pytest.raises(BadEngine, match=told):
            heuristic_for("learned", parse_game(game))
    file.write_text("{}")
    with pytest.raises(BadEngine, match="has no weights of Connect"):
        learned_from(file, rules)


def test_being_far_ahead_in_windows_looks_good_to_what_was_learned() -> None:
    rules = parse_game("connect4")
    learned = heuristic_for("learned", rules)
    ahead = Position(rules).play("4152526")  # three on the ground for the first player, who waits
    assert learned.evaluate(rules, ahead.state()) < -SCALE // 2


def test_games_without_weights_and_engines_without_lines_are_refused() -> None:
    with pytest.raises(BadGame, match="no weights to learn for kalah"):
        model_for(parse_game("kalah"))
    with pytest.raises(BadEngine, match="played by threats"):
        model_for(parse_game("tictactoe")).guess(parse_engine("deepening"))


# ---- Settings ----


def test_spsa_climbs_a_hill_that_it_knows_by_noisy_games_alone() -> None:
    """Strength falls off as a square from a peak that is far from the start; results are drawn by
    it.
    """
    numbers = [
        Number("one", 2, 0, 40),
        Number("two", 90, 0, 100),
        Number("three", 0.9, 0.0, 1.0, whole=False),
    ]
    peak = (25, 30, 0.3)

    def elo(values: tuple[float, ...]) -> float:
        return -sum(
            500 * ((value - best) / (each.high - each.low)) ** 2
            for each, value, best in zip(numbers, values, peak, strict=True)
        )

    rng, tuner = random.Random(1), Spsa(numbers, trials=3000)
    for number in range(3000):
        trial = tuner.trial(number)
        chance = share_of_elo(elo(trial.plus) - elo(trial.minus))
        tuner.hear(number, trial, sum(1 if rng.random() < chance else -1 for _ in range(2)))
    for each, best in zip(numbers, peak, strict=True):
        assert abs(tuner.best[each.name] - best) < 0.15 * (each.high - each.low)
    assert elo(tuple(tuner.best.values())) > -20 > elo((2, 90, 0.9))


def test_trials_are_whole_within_their_ranges_right_in_the_mean_and_always_the_same() -> None:
    numbers = [Number("small", 3, 1, 10), Number("edge", 0, 0, 100)]
    trials = [Spsa(numbers, 200).trial(number) for number in range(200)]
    assert trials == [Spsa(numbers, 200).trial(number) for number in range(200)]
    values = np.array([side for trial in trials for side in (trial.plus, trial.minus)])
    assert (values == np.rint(values)).all()
    assert values.min() >= 0
    assert values[:, 0].mean() == pytest.approx(3, abs=0.15)
    for bad in (
        lambda: Number("x", 5, 7, 9),
        lambda: Number("x", 5, 9, 1),
        lambda: Spsa([], 5),
        lambda: Spsa(numbers, 5, rate=0),
    ):
        with pytest.raises(MnkalaError):
            bad()


def test_settings_are_tuned_on_the_runner_and_a_run_goes_on_from_what_it_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[str] = []

    def play_pair(number: int, new: str, old: str, **others: Any) -> dict[str, Any]:
        """A pair that the wider search wins."""
        calls.append(new)
        one, other = (
            read_settings(dataclasses.asdict(parse_engine(each).search)["tuning"])
            for each in (new, old)
        )
        won = 1.0 if one.width > other.width else 0.0
        return {
            "number": number,
            "opening": "",
            "points": [won, won],
            "games": ["", ""],
            "faults": ["", ""],
        }

    monkeypatch.setattr(game_job, "play_pair", play_pair)
    options: dict[str, Any] = {
        "ranges": ["width:4..40", "late"],
        "batch": 8,
        "jobs": 0,
        "rate": 0.1,
        "data": tmp_path / "games.sqlite",
        "openings": "random",
    }
    told: list[int] = []
    tuned = tune_settings(
        parse_game("tictactoe"),
        "threats:nodes=50",
        pairs=32,
        tell=lambda so_far: told.append(so_far.pairs),
        **options,
    )
    assert told == [8, 16, 24, 32]
    assert tuned.values["width"] > Settings().width + 3
    assert f"width:{tuned.values['width']}" in tuned.engine
    assert parse_engine(tuned.engine).limit.nodes == 50
    played = len(calls)
    assert tune_settings(parse_game("tictactoe"), "threats:nodes=50", pairs=32, **options) == tuned
    assert len(calls) == played


def test_the_numbers_of_any_engine_can_be_tuned_and_are_named_where_they_are_not_known() -> None:
    mcts, threats = (
        parse_engine("mcts:iterations=50"),
        parse_engine("threats:nodes=9,tuning=late:5"),
    )
    assert "exploration" in mcts.search.numbers()
    [number] = numbers_to_tune(mcts, ["exploration:0.2..3"])
    assert (number.low, number.high, number.whole) == (0.2, 3.0, False)
    assert "exploration=0.5" in with_numbers(mcts, {"exploration": 0.5})
    budget = parse_engine("budget:nodes=9")
    trial = Spsa(numbers_to_tune(budget, ["q:2..14"]), 9).trial(0)
    assert [
        str(parse_engine(with_numbers(budget, {"q": side[0]})))
        for side in (trial.plus, trial.minus)
    ] == ["budget:q=2,nodes=9", "budget:q=3,nodes=9"]
    assert {each.name: each.start for each in numbers_to_tune(threats, [])}["late"] == 5
    assert (
        with_numbers(threats, {"late": 2.0}) == "threats:nodes=9"
    )  # the usual number is not named
    for engine, vary, told in (
        (threats, ["lat:1..3"], "did you mean late"),
        (threats, ["late:1-3"], "read late:1..10"),
        (threats, ["late:a..3"], "not a number"),
        (mcts, [], "Say --vary"),
        (mcts, ["exploration"], "read"),
        (parse_engine("greedy"), [], "no numbers to tune"),
    ):
        with pytest.raises(MnkalaError, match=told):
            numbers_to_tune(engine, vary)


def test_the_command_tunes_settings_by_real_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        run(
            [
                "tune",
                "settings",
                "tictactoe",
                "--engine",
                "threats:nodes=20",
                "--vary",
                "width:2..20",
                "--pairs",
                "2",
                "--jobs",
                "0",
                "--data",
                str(tmp_path / "games.sqlite"),
            ]
        )
        == 0
    )
    out = capsys.readouterr()
    assert out.out.startswith("threats:")
    assert "mnkala sprt threats:" in out.out
    assert "2 of 2 pairs: width" in out.err
    assert run(["tune", "settings", "tictactoe", "--pairs", "0"]) == 2


def test_the_evaluation_is_taught_by_searches_from_quiet_positions_and_the_same_ones_each_time() -> (
    None
):
    def lessons() -> list[Lesson]:
        teacher = Teacher("gomoku:9", "threats", 300, seed=3)
        return [lesson for game in range(4) for lesson in teacher.lessons(game)]

    found, again = lessons(), lessons()
    assert [(lesson.mover, lesson.logits, lesson.game) for lesson in found] == [
        (lesson.mover, lesson.logits, lesson.game) for lesson in again
    ]
    assert len(found) > 3
    model = GomokuModel(build(9, 9, 5))
    for lesson in found:
        board = model.board(lesson.state)
        assert not any(
            count_of(board, side, threat) for side in (0, 1) for threat in (COMPLETES, WINS)
        )
        assert abs(lesson.logits) <= 3


@dataclasses.dataclass(frozen=True)
class Own(Search):
    """A search of one's own with a number that has a range, and one that is tuned only where it is
    asked for.
    """

    name = "own"
    bonus: int = 3
    slope: float = 0.5
    threads: int = 1
    seed: int = 7

    def numbers(self) -> dict[str, Tunable]:
        return {**super().numbers(), "bonus": Tunable(self.bonus, True, (1, 9))}


def test_a_search_says_which_numbers_are_tuned_and_within_what() -> None:
    engine = Engine(Own())
    assert list(engine.search.numbers()) == ["bonus", "slope"], (
        "neither what it takes of the machine nor its seed"
    )
    assert (
        numbers_to_tune(engine, ())
        == numbers_to_tune(engine, ("bonus",))
        == [Number("bonus", 3.0, 1, 9, True)]
    )
    assert numbers_to_tune(engine, ("slope:0..1",)) == [Number("slope", 0.5, 0, 1, False)]
    with pytest.raises(MnkalaError, match=r"a number and its range read slope:1\.\.10"):
        numbers_to_tune(engine, ("slope",))
    assert with_numbers(engine, {"bonus": 5}) == "own:bonus=5"
