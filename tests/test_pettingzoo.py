"""Every game as an environment of PettingZoo: its own tests pass, and what agents see and get
follows from the rules.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from mnkala import Position
from mnkala.errors import BadGame, IllegalMove, MnkalaError
from tests.installed_plugin import example_plugins

zoo_tests: Any = pytest.importorskip(
    "pettingzoo.test", reason="PettingZoo is not installed: pip install 'mnkala[pettingzoo]'"
)
from mnkala.adapters.pettingzoo import env, raw_env  # noqa: E402


@pytest.mark.parametrize(
    "game", ["connect4", "connect4:10x11", "tictactoe", "gomoku:9", "kalah", "kalah:3x2,standard"]
)
def test_pettingzoos_own_tests_pass(game: str) -> None:
    """Its warnings are about dictionaries as observations, which all of its classic games have too,
    and empty boards.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        zoo_tests.api_test(env(game), num_cycles=300)
        zoo_tests.seed_test(lambda: env(game), num_cycles=100)


def test_they_pass_for_a_game_of_ones_own() -> None:
    with example_plugins("breakthrough"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        zoo_tests.api_test(env("breakthrough:5x4"), num_cycles=100)
        zoo_tests.seed_test(lambda: env("breakthrough:5x4"), num_cycles=50)
        game = env("breakthrough:5x4")
        game.reset()
        assert game.observe("player_0")["observation"].shape == (5, 4, 2)
        assert game.action_space("player_0").n == 400


def played(game: str, moves: str, **options: Any) -> Any:
    environment = raw_env(game, **options)
    environment.reset()
    for code in Position(game).play(moves).history_codes:
        environment.step(code)
    return environment


def test_an_agent_sees_its_own_marks_first_and_may_play_only_what_is_legal() -> None:
    environment = played("connect:3x4x3", "1112")
    first, second = (environment.observe(agent) for agent in environment.agents)
    assert first["observation"][:, 0, 0].tolist() == [1, 0, 1], "from the top"
    assert np.array_equal(first["observation"], second["observation"][:, :, ::-1])
    assert environment.agent_selection == "player_0"
    assert first["action_mask"].tolist() == [0, 1, 1, 1]
    assert not second["action_mask"].any(), "it is not to move"


def test_in_kalah_an_agent_whose_last_seed_falls_into_the_store_moves_again() -> None:
    environment = played("kalah", "3")
    assert environment.agent_selection == "player_0"
    assert environment.observe("player_0")["observation"].tolist() == [
        [4, 4, 0, 5, 5, 5, 1],
        [4, 4, 4, 4, 4, 4, 0],
    ]
    assert environment.observe("player_1")["observation"].tolist() == [
        [4, 4, 4, 4, 4, 4, 0],
        [4, 4, 0, 5, 5, 5, 1],
    ]
    environment.step(0)
    assert environment.agent_selection == "player_1"


def test_rewards_come_at_the_end_for_who_won_or_by_how_much() -> None:
    assert played("connect4", "1212121").rewards == {"player_0": 1, "player_1": -1}
    assert played("connect4", "121212").rewards == {"player_0": 0, "player_1": 0}
    moves, position = "", Position("kalah:2x2")
    while not position.is_over:
        position = position.play(position.legal_moves[0])
        moves = position.moves
    assert position.outcome is not None
    margin = position.outcome.margin
    assert margin != 0
    assert played("kalah:2x2", moves, rewards="margin").rewards == {
        "player_0": margin,
        "player_1": -margin,
    }
    ended = played("kalah:2x2", moves)
    assert ended.rewards["player_0"] == np.sign(margin)
    assert all(ended.terminations.values())


def test_an_illegal_move_loses_where_pettingzoos_wrappers_are_used_and_is_refused_elsewhere() -> (
    None
):
    wrapped = env("connect:2x3x3")
    wrapped.reset()
    for _ in range(2):
        wrapped.step(0)
    wrapped.step(0)
    assert all(wrapped.terminations.values())
    assert wrapped.rewards == {"player_0": -1, "player_1": 0}
    raw = played("connect:2x3x3", "11")
    with pytest.raises(IllegalMove):
        raw.step(0)


def test_a_game_can_begin_elsewhere_and_begins_anew_with_each_reset() -> None:
    environment = raw_env("connect4")
    environment.reset(options={"start": "7/7/7/7/7/3x3", "moves": "45"})
    assert environment.position.literal == Position("connect4").play("445").literal
    assert environment.agent_selection == "player_1"
    environment.reset(seed=3)
    assert not environment.state().any()


def test_boards_are_rendered_as_text_as_pixels_and_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert played("tictactoe", "b2", render_mode="ansi").render() == str(
        Position("tictactoe").play("b2")
    )
    pixels = played("connect4", "44", render_mode="rgb_array").render()
    assert pixels.dtype == np.uint8
    assert pixels.shape[2] == 3
    assert max(pixels.shape) <= 480
    played("tictactoe", "b2a1", render_mode="human")
    assert capsys.readouterr().out.count("●") == 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"render_mode": "loud"}, "modes are ansi, human, rgb_array"),
        ({"rewards": "gold"}, "result or margin"),
    ],
)
def test_what_cannot_be_meant_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(MnkalaError, match=said):
        raw_env(**options)
    with pytest.raises(BadGame):
        raw_env("conect4")
