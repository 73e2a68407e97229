"""Kaggle's ConnectX in both directions: agents as players, with everything that they may do wrong,
and our engines as agents.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mnkala import Position, parse_engine
from mnkala.errors import BadEngine, BadGame, BadPosition
from mnkala.families.connect.kaggle import agent_of, configuration_of, observation_of, position_of
from mnkala.play import Match, Player, parse_player
from mnkala.play.series import series_games
from mnkala.programs.process import Forfeit
from mnkala.search import Stop
from mnkala.web.engines import read_engine
from mnkala.web.limits import Limits
from tests.command_line import mnkala
from tests.reference import random_position
from tests.waiting import wait_until

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
CENTRE = "def agent(observation, configuration):\n    return configuration.columns // 2\n"


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mnkala.families.connect.kaggle.GRACE_SECONDS", 0.1)
    monkeypatch.setattr("mnkala.programs.process.FAREWELL_SECONDS", 0.1)


def agent_file(folder: Path, source: str) -> Path:
    file = folder / "agent.py"
    file.write_text(source, encoding="utf-8")
    return file


def against(
    file: Path, moves: str = "4", seconds: float = 60.0, game: str = "connect4", options: str = ""
) -> Match:
    """A game in which people have moved, and an agent is to."""
    position = Position(game)
    return Match(
        position.play(moves),
        (
            Player("human"),
            parse_player(f"kaggle:{file},time={seconds}{options}", position.rules, programs=True),
        ),
    )


# ---- What an agent sees ----


@pytest.mark.parametrize("game", ["connect4", "connect:4x5x3", "connect4:10x11"])
def test_a_position_is_shown_and_read_back(game: str) -> None:
    for seed in range(20):
        position = random_position(game, seed)
        observation, configuration = observation_of(position), configuration_of(position.rules, 2)
        read = position_of(observation, configuration)
        assert read.literal == position.literal
        assert read.game == position.game
        assert observation["mark"] == 1 + position.mover
        assert len(observation["board"]) == configuration["rows"] * configuration["columns"]


def test_the_board_is_told_row_by_row_from_the_top_and_the_marks_by_who_moved_first() -> None:
    observation = observation_of(Position("connect4").play("447"))
    assert observation["board"][35:] == [0, 0, 0, 1, 0, 0, 1]
    assert observation["board"][28:35] == [0, 0, 0, 2, 0, 0, 0]
    assert (observation["mark"], observation["step"]) == (2, 3)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"board": [0] * 41}, "is no board of 6 rows and 7 columns"),
        ({"board": [3] * 42}, "is no board"),
        ({"board": [0] * 41 + [1], "mark": 1}, "the agent's mark is 1, but 2 is to move"),
        ({"board": [1] + [0] * 41, "mark": 2}, "hangs above"),
    ],
)
def test_a_board_that_cannot_be_is_refused(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(BadPosition, match=said):
        position_of(
            {"board": [0] * 42, "mark": 1} | changed, {"rows": 6, "columns": 7, "inarow": 4}
        )


# ---- Agents as players ----


def test_an_agent_is_asked_with_dictionaries_whose_entries_are_attributes(tmp_path: Path) -> None:
    source = (
        "import json\ncalls = []\ndef agent(observation, configuration):\n"
        "    calls.append([observation.mark, observation['step'], configuration.inarow, configuration['rows'], configuration.actTimeout])\n"
        "    open('seen.json', 'w').write(json.dumps(calls))\n    print('a word', flush=True)\n    return 2\n"
    )
    match = against(agent_file(tmp_path, source), "44", game="connect:5x6x3")
    for _ in range(2):
        match = Match(match.position, (match.players[1], match.players[1]))
        match.take(match.think())
    assert match.position.moves == "4433"
    assert json.loads((tmp_path / "seen.json").read_text()) == [
        [1, 2, 3, 5, 60],
        [2, 3, 3, 5, 60],
    ], "it stays in one process"


def test_the_last_function_of_a_file_is_the_agent_and_may_take_the_observation_alone(
    tmp_path: Path,
) -> None:
    (tmp_path / "beside.py").write_text("COLUMN = 5\n")
    match = against(
        agent_file(
            tmp_path,
            "from beside import COLUMN\ndef helper(): return 1\ndef mine(observation): return COLUMN\n",
        )
    )
    match.take(match.think())
    assert match.position.moves == "46"
    match.players[1].engine.search.close()  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (
            "return 1 / 0",
            "exception: agent.py raised ZeroDivisionError in line 2: division by zero",
        ),
        ("raise SystemExit(3)", "exception: agent.py raised SystemExit in line 2: 3"),
        ("__import__('os')._exit(7)", "disconnection: agent.py has ended (status 7)"),
        ("__import__('time').sleep(1000)", "flag fall: agent.py gave no answer in its time"),
        ("while True: print('x' * 1000)", "flag fall: agent.py gave no answer in its time"),
        (
            "return 7",
            "illegal move: agent.py returned column 7; columns are whole numbers from 0 to 6",
        ),
        ("return -1", "illegal move: agent.py returned column -1;"),
        (
            "return 3",
            "illegal move: agent.py returned column 3, which is full; those with room are 0 1 2 4 5 6",
        ),
        (
            "return '3'",
            "illegal move: agent.py returned '3' of type str; columns are whole numbers from 0 to 6",
        ),
        ("pass", "illegal move: agent.py returned None of type NoneType"),
        ("return True", "illegal move: agent.py returned True of type bool"),
        ("return bytearray(1 << 32)[0]", "out of memory: agent.py needs more than 256 megabytes"),
        (
            "__import__('os').write(4, b'{}x\\n'); return 0",
            "bad line: agent.py wrote into the channel of the answers: '{}x'",
        ),
    ],
)
def test_a_bad_agent_loses_with_the_reason_in_the_record(
    tmp_path: Path, body: str, fault: str
) -> None:
    waits = fault.startswith("flag fall")
    file = agent_file(tmp_path, f"def agent(observation, configuration):\n    {body}\n")
    match = against(file, "444444", 0.2 if waits else 60.0, options=",memory=256")
    match = Match(match.position, match.players[::-1])
    with pytest.raises(Forfeit):
        match.think()
    assert match.result == "0-1"
    assert match.state.fault is not None
    assert match.state.fault.startswith(fault)
    assert dict(match.record().tags)["ending"] == match.state.fault


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "def agent(:\n",
            "'.*agent.py' does not start: exception: agent.py raised SyntaxError in line 1",
        ),
        ("import nothing_of_that_name\n", "raised ModuleNotFoundError in line 1"),
        ("x = 3\n", "there is no function in the file"),
        ("import sys; sys.exit(2)\n", "raised SystemExit in line 1: 2"),
    ],
)
def test_an_agent_that_cannot_be_loaded_is_refused_before_the_game(
    tmp_path: Path, source: str, said: str
) -> None:
    with pytest.raises(BadEngine, match=said):
        against(agent_file(tmp_path, source)).think()


def test_what_is_no_agent_is_refused() -> None:
    for text, said in (
        ("kaggle:", "which agent"),
        ("kaggle:no_such_file.py", "there is no file"),
        ("kaggle:a.py,memory=-1", "memory=-1"),
    ):
        with pytest.raises(BadEngine, match=said):
            parse_engine(text, programs=True).analyse(Position("connect4"))
    with pytest.raises(BadGame, match="do not play kalah"):
        parse_player("kaggle:a.py", Position("kalah").rules, programs=True)


def test_only_what_was_typed_runs_an_agent(tmp_path: Path) -> None:
    file = agent_file(tmp_path, "open('ran', 'w')\n" + CENTRE)
    with pytest.raises(BadEngine):
        read_engine(f"kaggle:{file}", Limits())
    with pytest.raises(BadEngine, match="runs only where it is typed"):
        parse_engine(f"kaggle:{file}").analyse(Position("connect4"))
    assert not (tmp_path / "ran").exists()


def test_an_agent_that_nobody_waits_for_is_ended_and_started_again(tmp_path: Path) -> None:
    """It hangs only the first time: then there is no file yet."""
    source = (
        "import os, time\ndef agent(observation, configuration):\n    if not os.path.exists('pid'):\n"
        "        open('pid.new', 'w').write(str(os.getpid()))\n        os.rename('pid.new', 'pid')\n        time.sleep(1000)\n    return 0\n"
    )
    engine, stop = parse_engine(f"kaggle:{agent_file(tmp_path, source)}", programs=True), Stop()
    answers = engine.stream(Position("connect4"), stop=stop)

    def end_it() -> None:
        wait_until((tmp_path / "pid").exists, "the agent thinks")
        stop.set()

    threading.Thread(target=end_it).start()
    assert next(answers).note == "stopped"
    if os.path.exists("/proc"):
        wait_until(
            lambda: not Path("/proc", (tmp_path / "pid").read_text()).exists(),
            "its process is gone",
        )
    assert engine.analyse(Position("connect4")).best_move == "1"
    engine.search.close()


def test_a_series_goes_on_after_a_fault_and_names_it(tmp_path: Path) -> None:
    file = agent_file(tmp_path, "def agent(observation):\n    return 99\n")
    games = list(series_games("connect4", f"kaggle:{file}", "random:seed=4", 2))
    assert all(played.points == 0 for played in games)
    assert [played.fault.partition(":")[0] for played in games if played.fault] == [
        "illegal move"
    ] * 2


def test_the_example_agent_plays_from_the_command_line() -> None:
    done = mnkala(
        "match",
        "connect:4x5x3",
        f"kaggle:{EXAMPLES / 'kaggle_simple.py'}",
        "random:seed=1",
        "--games",
        "2",
        "--jobs",
        "0",
        "--json",
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["wins"] == 2
    assert not told["faults"]


# ---- Our engines as agents ----


def test_an_engine_of_ours_is_an_agent_on_any_board() -> None:
    agent = agent_of("alphabeta:depth=2")
    for game, moves, column in (("connect4", "112233", 3), ("connect:4x5x3", "1122", 2)):
        position = Position(game).play(moves)
        assert agent(observation_of(position), configuration_of(position.rules, 2)) == column


def test_an_engine_without_a_limit_keeps_the_time_of_the_configuration() -> None:
    """It would take hours otherwise."""
    agent = agent_of("mcts:iterations=1000000000")
    assert agent(
        observation_of(Position("connect4")), configuration_of(Position("connect4").rules, 0.1)
    ) in range(7)


def test_the_example_file_is_an_agent_for_us_too() -> None:
    """A file that holds an engine of ours, run as Kaggle would run it: in a process of its own."""
    position = Position("connect4").play("112233")
    engine = parse_engine(f"kaggle:{EXAMPLES / 'kaggle_agent.py'},time=5,memory=0", programs=True)
    assert engine.analyse(position).best_move == "4"
    engine.search.close()


@pytest.fixture(scope="module")
def connectx() -> Callable[..., Any]:
    """The real environment: `pip install --no-deps kaggle_environments` with jsonschema and
    requests is enough for it.
    """
    environments = pytest.importorskip(
        "kaggle_environments", reason="kaggle_environments brings 120 packages and is not installed"
    )
    return lambda *agents: environments.make("connectx").run(list(agents))[-1]


def test_kaggles_environment_plays_with_our_agents_and_ours_with_its(
    connectx: Callable[..., Any], tmp_path: Path
) -> None:
    for agents, rewards in (
        ([agent_of("deepening:depth=6"), "random"], [1, -1]),
        (["random", agent_of("deepening:depth=6")], [-1, 1]),
        ([str(EXAMPLES / "kaggle_agent.py"), "negamax"], [1, -1]),
    ):
        assert [state.reward for state in connectx(*agents)] == rewards
    source = "from kaggle_environments.envs.connectx.connectx import negamax_agent\ndef agent(o, c): return negamax_agent(o, c)\n"
    match = against(agent_file(tmp_path, source), "121212", options=",memory=0")
    match = Match(match.position, match.players[::-1])
    match.take(match.think())
    assert match.position.moves == "1212121"


def test_kaggle_refuses_the_answers_that_we_refuse(connectx: Callable[..., Any]) -> None:
    """But None, for which it plays column 0: here that is told."""
    for answer in (np.int64(3), "3", 9, -1):
        lost = connectx(lambda observation, configuration, answer=answer: answer, "random")[0]
        assert lost.status != "DONE"
        assert lost.reward != 1
