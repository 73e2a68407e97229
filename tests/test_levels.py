"""Levels 1 to 10: what they overlook, what they never do, the stored calibrations, and a person's
own rating.
"""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import pytest

from mnkala.arena.calibrate import (
    Round,
    even_places,
    ladder_text,
    path_for,
    rated_together,
    rising_curve,
    settings_at,
)
from mnkala.arena.game_job import Fixture, GameResult
from mnkala.arena.ratings import Encounter, rate
from mnkala.cli import run as main
from mnkala.core import Position, parse_game
from mnkala.errors import BadEngine, MnkalaError
from mnkala.play import LEVELS, Match, ladder_of, parse_player
from mnkala.play.clock import Spent
from mnkala.play.engine_game import play_game
from mnkala.play.events import Helped
from mnkala.play.game_state import GameState
from mnkala.play.human_errors import Overlooking, wins_in_one
from mnkala.play.levels import (
    COUNT,
    NAMES,
    PERFECT_ENGINE,
    ladder_file,
    ladder_files,
    level_of,
    levels_of,
    read_ladder,
    read_level,
)
from mnkala.play.own_rating import (
    estimate,
    forget_results,
    kept_results,
    note_result,
    own_rating,
    results_file,
)
from mnkala.play.players import read_nickname
from mnkala.play.series import opening
from mnkala.search import Engine, Limit, parse_engine

MENU = ("connect4", "tictactoe", "gomoku", "kalah")


# ---- The ladders ----


def test_every_game_of_the_menus_has_a_measured_ladder_of_ten_levels() -> None:
    assert {path.stem for path in ladder_files()} == set(MENU)
    for game in MENU:
        ladder = ladder_of(parse_game(game))
        assert [level.number for level in ladder] == list(range(1, COUNT + 1))
        assert {level.name: level.number for level in ladder if level.name} == NAMES | {
            "perfect" if game in ("connect4", "tictactoe") else "strongest": COUNT
        }
        ratings = [level.rating for level in ladder]
        assert ratings[0] == 1000
        assert all(rating is not None for rating in ratings)


@pytest.mark.parametrize("game", MENU)
def test_a_level_beats_the_level_two_below_it_in_the_stored_data(game: str) -> None:
    results = read_ladder(ladder_file(parse_game(game)))["results"]
    for lower in range(1, COUNT - 1):
        wins, _, losses = results[f"{lower}-{lower + 2}"]
        assert losses > wins, f"level {lower} against {lower + 2}"


@pytest.mark.parametrize("game", MENU)
def test_the_stored_ratings_rise_and_follow_from_the_stored_results(game: str) -> None:
    kept = read_ladder(ladder_file(parse_game(game)))
    ratings = [level["rating"] for level in kept["levels"]]
    met = []
    for pair, (wins, draws, losses) in kept["results"].items():
        one, other = (int(number) - 1 for number in pair.split("-"))
        met += [
            Encounter(one, other, (points,))
            for points, count in ((1.0, wins), (0.5, draws), (0.0, losses))
            for _ in range(count)
        ]
    assert rate(COUNT, met, (0, 1000.0)).elo == pytest.approx(ratings, abs=1)
    assert all(above > below for below, above in itertools.pairwise(ratings[::2]))


def test_the_top_is_perfect_where_a_solver_reaches_and_the_strongest_search_elsewhere() -> None:
    assert [ladder_of(parse_game(game))[-1].engine for game in MENU] == [
        PERFECT_ENGINE,
        PERFECT_ENGINE,
        "auto:nodes=200000",
        PERFECT_ENGINE,
    ]
    with pytest.raises(BadEngine, match="levels are"):
        level_of("perfect", parse_game("gomoku"))


@pytest.mark.parametrize("game", [*MENU, "connect4:10x11", "mnk:5x5x4", "kalah:3x2"])
def test_no_level_thinks_without_an_end(game: str) -> None:
    """That a clock is kept is tested for every search; so what a level needs is one, or a bound on
    its nodes.
    """
    for level in ladder_of(parse_game(game)):
        limit = parse_engine(level.engine).limit
        assert (limit.nodes is not None and limit.nodes <= 200_000) or (
            limit.time is not None and limit.time <= 10
        ), level


@pytest.mark.parametrize(
    "game", ["connect4:10x11", "connect4:5x6", "mnk:3x4x3", "mnk:7x7x4", "kalah:3x2"]
)
def test_a_board_without_a_ladder_has_the_settings_of_the_nearest_one_and_no_ratings(
    game: str,
) -> None:
    rules = parse_game(game)
    for level in ladder_of(rules):
        assert level.rating is None
        parse_engine(level.engine).search.check(rules)
    assert own_rating(rules, [("level5", 1.0)] * 5) is None


def test_levels_go_by_number_and_by_their_old_names() -> None:
    rules = parse_game("kalah")
    assert [
        read_level(text)
        for text in ("7", "level 7", " Level7 ", "10", "easy", "0", "11", "level", "auto")
    ] == ["level7", "level7", "level7", "level10", "easy", None, None, None, None]
    assert parse_player("7", rules) == parse_player("level7", rules)
    for name, number in NAMES.items():
        assert parse_player(name, rules).name == name
        assert parse_player(name, rules).engine == parse_player(str(number), rules).engine
    assert set(LEVELS) < set(levels_of(rules))
    with pytest.raises(BadEngine, match="level1"):
        parse_player("brutal", rules)
    with pytest.raises(MnkalaError, match="computer player"):
        read_nickname("7")


# ---- Play ----


@pytest.mark.parametrize("game", ["connect4", "tictactoe", "gomoku"])
def test_every_listed_level_answers(game: str) -> None:
    position = opening(parse_game(game), 3, seed=2)
    for level in ladder_of(position.rules):
        assert parse_engine(level.engine).analyse(position).best_move in position.legal_moves


def seeded(engine: str, seed: int) -> Engine:
    return parse_engine(f"{engine},seed={seed}")


@pytest.mark.parametrize("game", ["connect4", "tictactoe", "kalah:3x2"])
def test_no_level_above_the_lowest_misses_a_win_in_one(game: str) -> None:
    rules, rng, met = parse_game(game), random.Random(5), 0
    blind = ladder_of(rules)[1].engine
    for _ in range(20):
        position = Position(rules)
        while not position.is_over:
            wins = wins_in_one(position)
            if wins:
                met += 1
                assert seeded(blind, rng.randrange(1000)).analyse(position).best_code in wins
            position = position.play_codes((rng.choice(position.legal_codes),))
    assert met > 5
    for level in ladder_of(rules)[1:-1]:
        search = parse_engine(level.engine).search
        assert isinstance(search, Overlooking)
        assert search.keen


def test_the_lowest_level_of_tic_tac_toe_can_be_beaten() -> None:
    rules = parse_game("tictactoe")
    lowest = ladder_of(rules)[0].engine
    assert any(
        play_game(Position(rules), (parse_engine("perfect"), seeded(lowest, seed))).points[0] == 1
        for seed in range(6)
    )


def test_games_differ_by_the_seed_and_repeat_with_it() -> None:
    rules = parse_game("connect4")
    engine = "overlooking:sight=1,spread=0.05,nodes=200"
    games = [
        play_game(Position(rules), (seeded(engine, seed), seeded(engine, seed + 100))).end.moves
        for seed in (1, 2, 3, 1)
    ]
    assert games[0] == games[3]
    assert len(set(games)) == 3


def test_with_full_sight_and_no_spread_nothing_is_overlooked() -> None:
    position = Position("connect4").play("4455")  # x has an open three next
    assert parse_engine("overlooking:sight=1,spread=0,nodes=3000").analyse(position).best_move in (
        "3",
        "6",
    )


def test_a_player_without_sight_does_not_answer_the_last_move() -> None:
    position = Position("connect4").play("17273")  # x threatens four in the bottom row

    def answers(sight: float) -> set[str]:
        return {
            Engine(Overlooking(sight=sight, seed=seed), Limit(nodes=500))
            .analyse(position)
            .best_move
            for seed in range(12)
        }

    assert answers(1.0) == {"4"}
    assert answers(0.0) - {"4"}


def test_bad_options_are_told() -> None:
    for text, told in (
        ("sight=2", "0 to 1"),
        ("spread=-1", "0 to 1"),
        ("engine=overlooking", "auto"),
        ("engine=gomocup", "auto"),
    ):
        with pytest.raises(BadEngine, match=told):
            parse_engine(f"overlooking:{text}")


# ---- Calibration ----


def test_settings_are_moved_to_even_steps() -> None:
    places = tuple(number / 8 for number in range(9))
    assert even_places(
        [(place, 1000 + 100 * number) for number, place in enumerate(places)], 1900
    ) == pytest.approx(places)
    bent = [(place, 1000 + 900 * (place**2)) for place in places]
    steps = [1000 + 900 * place**2 for place in even_places(bent, 2012.5)]
    assert max(b - a for a, b in itertools.pairwise(steps)) < 1.5 * min(
        b - a for a, b in itertools.pairwise(steps)
    )
    assert even_places(bent, 5000) == even_places(bent, 1900 + 1000)
    assert even_places([(place, 1500 - place) for place in places], 1600) == pytest.approx(
        places
    )  # nothing learnt
    assert all(
        engine.startswith("overlooking:")
        for engine in settings_at(parse_game("gomoku"), places)[:-1]
    )
    assert (
        path_for(parse_game("connect4")).at(0.9, keen=True).startswith("overlooking:engine=perfect")
    )


def test_all_rounds_together_say_how_strong_a_setting_is() -> None:
    rough = [
        1000,
        1180,
        1120,
        1350,
        1300,
        1620,
        1590,
        1700,
        1790,
    ]  # 1 and 2, 3 and 4, 5 and 6 the wrong way round
    middles, strength = rising_curve([(number / 8, rating) for number, rating in enumerate(rough)])
    assert (middles[0], middles[-1]) == (0, 1)
    assert strength == sorted(set(strength))
    assert strength[1:3] == [1150, 1325]


def test_rounds_are_rated_at_once_by_the_players_that_they_share() -> None:
    """In either round a setting of its own lies between the lowest level and the top: 100 points
    above the one, and 300.
    """

    def games(one: int, other: int, wins: int, of: int) -> list[GameResult]:
        fixtures = [Fixture("connect4", one, other, number) for number in range(of)]
        return [
            GameResult(
                each,
                "",
                "",
                float((each.first == one) == (each.number < wins)),
                "",
                "rules",
                (Spent(), Spent()),
                False,
            )
            for each in fixtures
        ]

    rounds = [
        Round(
            (0.0, place),
            ("low", middle, "top"),
            tuple(games(0, 1, lost, 100) + games(1, 2, won, 100)),
        )
        for place, middle, lost, won in ((0.2, "a", 36, 24), (0.7, "b", 15, 50))
    ]
    points, top = rated_together(rounds)
    at = dict(points)
    assert at[0.0] == pytest.approx(1000)
    assert at[0.2] == pytest.approx(1100, abs=15)
    assert at[0.7] == pytest.approx(1300, abs=15)
    assert top == pytest.approx(1300, abs=15)


def test_a_calibration_can_be_run_and_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MNKALA_DATA_DIR", str(tmp_path))
    out = tmp_path / "ladder.json"
    assert (
        main(
            [
                "arena",
                "calibrate",
                "tictactoe",
                "--games",
                "2",
                "--rounds",
                "1",
                "--jobs",
                "0",
                "--out",
                str(out),
            ]
        )
        == 0
    )
    kept = read_ladder(out)
    assert len(kept["levels"]) == COUNT
    assert sum(map(sum, kept["results"].values())) == 17 * 2
    assert json.loads(ladder_text(kept)) == kept
    assert main(["arena", "calibrate", "tictactoe", "--games", "3"]) != 0
    assert "even number" in capsys.readouterr().err


# ---- One's own rating ----


def test_own_rating_follows_results_and_says_nothing_after_too_few_games() -> None:
    assert estimate([(1500, 1.0)] * 2, 1500) is None
    even = estimate([(1500, 1.0), (1500, 0.0)] * 20, 1500)
    assert even is not None
    assert even.rating == pytest.approx(1500, abs=1)
    assert even.low < 1420
    better = estimate([(1500, 1.0), (1500, 1.0), (1500, 1.0), (1500, 0.0)] * 25, 1500)
    assert better is not None
    assert better.rating == pytest.approx(1691, abs=20)
    swept = estimate([(1500, 1.0)] * 200, 1500)
    assert swept is not None
    assert swept.rating < 3000


def finished(level: str, *, undo: bool = False, hint: bool = False) -> GameState:
    rules = parse_game("tictactoe")
    match = Match(Position(rules), (parse_player("human", rules), parse_player(level, rules)))
    for move in ("a1", "b1", "a2", "b2", "a3"):
        if hint:
            match.apply(Helped())
        match.play(move)
    if undo:
        match.undo()
        match.redo()
    return match.state


def test_results_of_the_terminal_are_kept_and_can_be_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MNKALA_DATA_DIR", str(tmp_path))
    assert note_result(finished("easy")) is None
    assert note_result(finished("3")) is None
    assert note_result(finished("auto:nodes=10")) is None
    assert note_result(finished("easy", undo=True)) is None
    assert note_result(finished("easy", hint=True)) is None
    assert kept_results("tictactoe") == [("level2", 1.0), ("level3", 1.0)]
    found = note_result(finished("level10"))
    assert found is not None
    assert found.games == 3
    assert found.rating > 1200
    results_file().write_text(results_file().read_text() + "rubbish\n{}\n")
    assert main(["levels", "tictactoe"]) == 0
    assert "Your rating is about" in capsys.readouterr().out
    assert main(["levels", "--forget"]) == 0
    assert "3 results" in capsys.readouterr().err
    assert forget_results() == 0
    assert kept_results() == []
