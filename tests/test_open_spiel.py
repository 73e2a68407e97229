"""OpenSpiel in both directions: which of its games are ours, our engines as its bots, and its bots
as players here.
"""

from __future__ import annotations

import importlib
import random
from pathlib import Path
from typing import Any

import pytest

from mnkala import Position, parse_engine, parse_game
from mnkala.core.registry import family_of
from mnkala.errors import BadEngine, BadGame, BadPosition, MnkalaError
from mnkala.play import Match, parse_player
from mnkala.play.series import play_series
from mnkala.programs.open_spiel import (
    position_of,
    rules_of,
    spiel_game,
    state_of,
)
from mnkala.programs.process import Forfeit
from tests.command_line import mnkala

pyspiel: Any = pytest.importorskip(
    "pyspiel", reason="OpenSpiel is not installed: pip install 'mnkala[open-spiel]'"
)
AGREEING = [
    ("connect4", "connect_four()"),
    ("connect:5x6x3", "connect_four(columns=6,rows=5,x_in_row=3)"),
    ("tictactoe", "tic_tac_toe()"),
    ("mnk:3x4x3", "mnk(k=3,m=4,n=3)"),
    ("gomoku:7", "gomoku(connect=5,size=7)"),
    ("mnk:5x5x4", "gomoku(connect=4,size=5)"),
    ("kalah:standard", "mancala()"),
]


@pytest.mark.parametrize(("ours", "theirs"), AGREEING)
def test_every_move_of_a_game_is_the_same_there_and_here(ours: str, theirs: str) -> None:
    """Thousands of games of each are compared in the tests of the games; these go through the table
    of names and actions.
    """
    rules, rng = parse_game(ours), random.Random(ours)
    game = spiel_game(rules)
    assert rules_of(game).game_string() == ours
    assert rules_of(pyspiel.load_game(theirs)).game_string() == ours
    for _ in range(20):
        position, state = Position(rules), game.new_initial_state()
        while not position.is_over:
            assert state.legal_actions() == sorted(
                family_of(rules).spiel_action(code, position.mover) for code in position.legal_codes
            )
            assert state.current_player() == position.mover
            action = rng.choice(state.legal_actions())
            state.apply_action(action)
            position = position.play_codes((family_of(rules).spiel_code(action),))
        assert state.is_terminal()
        outcome = position.outcome
        assert outcome is not None
        assert state.returns()[0] == (outcome.margin > 0) - (outcome.margin < 0)
        assert position_of(state) == position
        assert str(state_of(position, game)) == str(state)


@pytest.mark.parametrize("game", ["kalah", "kalah:4x3,standard", "gomoku:15,exact"])
def test_a_game_that_open_spiel_does_not_have_is_refused(game: str) -> None:
    with pytest.raises(BadGame, match="no game of OpenSpiel has the rules of"):
        parse_player("open_spiel:mcts", parse_game(game), programs=True)


@pytest.mark.parametrize("game", ["chess", "gomoku(wrap=true)", "gomoku(anti=true)", "oware"])
def test_a_game_that_is_not_ours_is_refused(game: str) -> None:
    from mnkala.adapters.open_spiel import MnkalaBot

    with pytest.raises(BadGame, match="is none of mnkala's games"):
        MnkalaBot(pyspiel.load_game(game), 0)


# ---- Our engines there ----


@pytest.mark.parametrize("name", ["connect_four", "tic_tac_toe", "mancala"])
def test_an_engine_of_ours_is_a_bot_that_a_random_one_does_not_beat(name: str) -> None:
    from mnkala.adapters.open_spiel import MnkalaBot

    game = pyspiel.load_game(name)
    for seat in (0, 1):
        bots = [
            MnkalaBot(game, seat, "deepening:depth=5"),
            pyspiel.make_uniform_random_bot(1 - seat, 7),
        ]
        assert pyspiel.evaluate_bots(
            game.new_initial_state(), bots if seat == 0 else bots[::-1], 3
        )[seat] >= (name != "tic_tac_toe")


# ---- Its bots here ----


def think(engine: str, game: str = "connect4", moves: str = "") -> Match:
    position = Position(game).play(moves)
    player = parse_player(engine, position.rules, programs=True)
    match = Match(position, (player, player))
    match.take(match.think())
    return match


@pytest.mark.parametrize(
    "engine",
    [
        "open_spiel:mcts",
        "open_spiel:mcts,simulations=500,uct=1.4,seed=3",
        "open_spiel:mcts,time=0.05",
        "open_spiel",
        "open_spiel:mcts,nodes=300",
    ],
)
def test_open_spiels_monte_carlo_search_wins_where_it_can(engine: str) -> None:
    assert think(engine, moves="112233").position.moves == "1122334"


def test_other_bots_of_open_spiels_play_by_their_names() -> None:
    assert len(think("open_spiel:uniform_random", "tictactoe").position.history) == 1


def test_a_bot_moves_again_where_the_rules_say_so() -> None:
    match = think("open_spiel:mcts,simulations=200", "kalah:standard")
    while not match.is_over:
        match.take(match.think())
    assert any(
        one == other
        for one, other in zip(match.position.movers, match.position.movers[1:], strict=False)
    )


BOTS = """
import pyspiel
HEARD = []
class Mine(pyspiel.Bot):
    def __init__(self, game, player, how):
        pyspiel.Bot.__init__(self)
        self.how = how
        HEARD.append(("new", player))
    def restart_at(self, state): pass
    def inform_action(self, state, player, action): HEARD.append((player, action))
    def step(self, state):
        if self.how == "raise": raise ValueError("no idea")
        return 99 if self.how == "cheat" else state.legal_actions()[0]
def first(game, player): return Mine(game, player, "first")
def cheat(game, player): return Mine(game, player, "cheat")
def fails(game, player): return Mine(game, player, "raise")
def broken(game, player): return 1 / 0
"""


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "bots_of_a_test.py").write_text(BOTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    found = importlib.import_module("bots_of_a_test")
    found.HEARD.clear()
    return found


def test_a_bot_of_ones_own_hears_the_other_sides_moves_and_begins_anew_with_a_new_game(
    bots: Any,
) -> None:
    engine = parse_engine("open_spiel:bots_of_a_test:first", programs=True)
    first = Position("connect4").play("4")
    engine.search.prepare(first.rules)
    bots.HEARD.clear()
    assert engine.analyse(first).best_move == "1"
    assert engine.analyse(first.play("15")).best_move == "1"
    assert engine.analyse(Position("connect4").play("7")).best_move == "1"
    assert bots.HEARD == [("new", 1), (0, 3), (0, 4), ("new", 1), (0, 6)]


def test_a_bot_that_does_wrong_loses_with_the_reason(bots: Any) -> None:
    for name, said in (
        ("cheat", "illegal move: the bot chose the action 99; legal are"),
        ("fails", "exception: the bot 'bots_of_a_test:fails' raised"),
    ):
        with pytest.raises(Forfeit, match=said):
            think(f"open_spiel:bots_of_a_test:{name}")


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        (
            "open_spiel:stockfish",
            "OpenSpiel has no bot 'stockfish'; name mcts, fixed_action_preference, uniform_random",
        ),
        ("open_spiel:bots_of_a_test:nothing", "bots_of_a_test has no function nothing"),
        ("open_spiel:bots_of_a_test:broken", "cannot be made: ZeroDivisionError"),
        ("open_spiel:mcts,simulations=0", "simulations=0"),
        ("open_spiel:no_such_module:f", "no_such_module"),
    ],
)
def test_what_is_no_bot_is_refused_before_the_game(bots: Any, engine: str, said: str) -> None:
    with pytest.raises(MnkalaError, match=said):
        think(engine)


def test_only_what_was_typed_runs_a_bot() -> None:
    with pytest.raises(BadEngine, match="runs only where it is typed"):
        parse_engine("open_spiel:mcts").analyse(Position("connect4"))


def test_a_board_that_was_set_up_has_no_state_there() -> None:
    with pytest.raises(BadPosition, match="by the moves from the start"):
        state_of(Position("connect4", literal="7/7/7/7/7/3x3"), pyspiel.load_game("connect_four"))


def test_a_series_with_a_bot_is_played_from_python_and_typed() -> None:
    assert (
        play_series("tictactoe", "open_spiel:mcts,simulations=400", "random:seed=1", 2).games == 2
    )
    done = mnkala(
        "play",
        "tictactoe",
        "--first",
        "open_spiel:mcts,simulations=50",
        "--second",
        "random:seed=2",
        "--plain",
    )
    assert done.returncode == 0, done.stderr
    assert "open_spiel:mcts,simulations=50" in done.stdout
