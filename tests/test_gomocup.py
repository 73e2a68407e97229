"""Gomocup's protocol over real pipes: our brain, brains of others as players, and everything that a
brain may do wrong.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mnkala import Position, parse_engine
from mnkala.core import Record, parse_game
from mnkala.errors import BadEngine
from mnkala.families.lines.gomocup_brain import AT_ONCE, Brain, ManagerSettings, usual_engine
from mnkala.families.lines.swap2 import Stage, Swap2
from mnkala.play import Match, Player, parse_player
from mnkala.play.saved_games import recorded_game
from mnkala.play.series import series_games
from mnkala.programs.process import Forfeit
from mnkala.search import Stop
from mnkala.web.engines import read_engine, read_player
from mnkala.web.limits import Limits
from tests.command_line import mnkala
from tests.processes import is_running, needs_proc
from tests.waiting import wait_until

SMALL = "gomoku:7"


def talk(*lines: str, engine: str = "greedy") -> list[str]:
    """What our brain answers to lines."""
    out = io.StringIO()
    Brain(lambda rules: parse_engine(engine)).run(
        io.StringIO("".join(f"{line}\n" for line in lines)), out
    )
    return out.getvalue().splitlines()


# ---- Our brain ----


def test_a_brain_is_a_process_that_answers_each_line_as_it_comes_however_lines_end() -> None:
    """The one test with a process of our own and a real search: two seconds of CPU, most of them to
    import and load kernels.
    """
    command = [
        sys.executable,
        "-c",
        "from mnkala.cli import gomocup_main; gomocup_main()",
        "--engine",
        "deepening:depth=5",
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as brain:
        assert brain.stdin is not None
        assert brain.stdout is not None

        def ask(*lines: str, end: str = "\r\n") -> str:
            assert brain.stdin is not None
            assert brain.stdout is not None
            brain.stdin.write("".join(f"{line}{end}" for line in lines).encode())
            brain.stdin.flush()
            return brain.stdout.readline().decode().rstrip("\n")

        assert ask("ABOUT").startswith('name="mnkala", version="')
        assert ask("INFO rule 0", "START 15", end="\n") == "OK"
        assert ask(*board("h8h9i8i9j8j9k8k9")) in ("6,7", "11,7")
        assert ask("INFO rule 1", "RESTART") == "OK"
        assert ask(*board("h8h9i8h10g8h11j13h12g14h14i15")) in ("5,7", "9,7")
        brain.stdin.write(b"\xff\xfe\r\n")
        assert ask("ABOUT").startswith("UNKNOWN")
        assert brain.stdout.readline().startswith(b"name=")
        assert ask("NO SUCH THING") == "UNKNOWN NO"
        brain.stdin.write(b"END\r\n")
        brain.stdin.flush()
        assert brain.wait(120) == 0
        assert brain.stderr is not None
        assert brain.stderr.read() == b""


def board(moves: str) -> list[str]:
    """A position of Gomoku as a manager shows it to the brain that is to move."""
    position = Position("gomoku:15,exact").play(moves)
    own = position.mover
    return [
        "BOARD",
        *(
            f"{code % 15},{14 - code // 15},{1 if owner == own else 2}"
            for code, owner in zip(position.history_codes, position.movers, strict=True)
        ),
        "DONE",
    ]


def test_a_game_is_played_taken_back_and_begun_again() -> None:
    answers = talk(
        "START 7",
        "INFO timeout_turn 0",
        "BEGIN",
        "TURN 0,0",
        "",
        "  turn 6 , 6 ",
        "RESTART",
        "TURN 3,3",
        "RECTSTART 9,6",
        "TURN 8,5",
        "END",
        "ABOUT",
    )
    assert answers[0] == answers[4] == answers[6] == "OK"
    assert len(answers) == 8
    points = [
        tuple(map(int, answer.split(","))) for answer in (*answers[1:4], answers[5], answers[7])
    ]
    assert len(set(points[:3]) | {(0, 0), (6, 6)}) == 5
    assert all(0 <= x < 9 and 0 <= y < 7 for x, y in points)


def test_the_last_stone_can_be_taken_back() -> None:
    first, begun, back, again = talk("START 7", "BEGIN", "TAKEBACK 3,3", "BEGIN")
    assert (first, begun, back, again) == ("OK", "3,3", "OK", "3,3")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (["BEGIN"], "ERROR there is no board yet; send START and the size first"),
        (["RESTART"], "ERROR there is no board yet"),
        (["START"], "ERROR START takes a size"),
        (["START -3"], "ERROR START takes a size"),
        (["START 4"], "ERROR a board of 4 columns and 4 rows; it has at least 5 of each"),
        (["START 1000"], "ERROR 1000 rows"),
        (["RECTSTART 20"], "ERROR START takes a size"),
        (
            ["INFO rule 4", "START 15"],
            "ERROR rule 4; 0 is freestyle and 1 exact five, others are not played here",
        ),
        (
            ["START 7", "TURN 7,0"],
            "ERROR 7,0 is not on the board of 7 columns and 7 rows, which are counted from 0",
        ),
        (["START 7", "TURN 3"], "ERROR '3' is not a point; points are X,Y, such as 7,7"),
        (["START 7", "BEGIN", "BEGIN"], "ERROR BEGIN is for an empty board"),
        (["START 7", "BEGIN", "TURN 3,3"], "ERROR d4 cannot be played after d4"),
        (
            ["START 7", "BEGIN", "TAKEBACK 0,0"],
            "ERROR 0,0 is not the last stone, and only that can be taken back",
        ),
        (
            ["START 7", "BOARD", "1,1,1", "DONE"],
            "ERROR 1 stone of the brain's and 0 of the other's",
        ),
        (["START 7", "BOARD", "1,1,3", "DONE"], "ERROR '1,1,3' is no stone; stones are X,Y,1"),
        (["START 7", "BOARD", "1,1,1", "1,1,2", "DONE"], "ERROR b6 cannot be played after b6"),
        (
            ["START 7", "BOARD", *(f"{x},{y},{1 + y}" for x in range(5) for y in range(2)), "DONE"],
            "ERROR the game is over (1-0)",
        ),
        (
            ["START 7", "SWAP2BOARD", "1,1", "DONE"],
            "ERROR 1 stone; an opening by Swap2 has 0, 3 or 5",
        ),
    ],
)
def test_what_cannot_be_obeyed_is_refused_with_the_reason(lines: list[str], said: str) -> None:
    assert talk(*lines)[-1].startswith(said)


def test_a_rule_that_is_told_later_holds_at_once() -> None:
    """The other has six in a row, put in an order that never had five: that has won, unless exactly
    five are asked for.
    """
    six = [
        "BOARD",
        *(f"{x},0,2" for x in (0, 1, 2, 4, 5, 3)),
        *(f"{x},{3 + x % 2},1" for x in range(5)),
        "DONE",
    ]
    assert talk("START 7", "INFO rule 0", *six)[-1] == "ERROR the game is over (1-0)"
    assert "," in talk("INFO rule 0", "START 7", "INFO rule 1", *six)[-1]


def test_the_three_questions_of_swap2_are_answered() -> None:
    started, three, choice, last = talk(
        "START 9",
        "SWAP2BOARD",
        "DONE",
        "SWAP2BOARD",
        "4,4",
        "5,5",
        "3,4",
        "DONE",
        "SWAP2BOARD",
        "4,4",
        "0,8",
        "3,4",
        "8,0",
        "5,4",
        "DONE",
        engine="deepening:nodes=300",
    )
    assert started == "OK"
    assert len(set(three.split())) == 3
    assert choice == "SWAP" or 1 <= len(set(choice.split())) <= 2
    assert last == "SWAP", "x has an open three"


# ---- Time and memory ----


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        ({"timeout_turn": 1000}, 0.92),
        ({"timeout_turn": 100}, 0.065),
        ({"timeout_turn": 0, "time_left": 5000}, AT_ONCE),
        ({"timeout_turn": 1000, "timeout_match": 0, "time_left": 10}, 0.92),
        ({"timeout_turn": 1000, "timeout_match": 180_000, "time_left": 4000}, 0.16),
        ({"timeout_turn": 1000, "time_left": 2_147_483_647}, 0.92),
        ({"timeout_turn": 1000, "foo": 3, "timeout_match": 100_000}, 0.92),
        ({"time_left": 1}, AT_ONCE),
        ({}, None),
    ],
)
def test_the_time_for_a_move_is_what_the_manager_told(
    told: dict[str, int], seconds: float | None
) -> None:
    settings = ManagerSettings()
    for key, value in told.items():
        settings.note(key, str(value))
    settings.note("timeout_turn", "soon")
    assert settings.limit(parse_engine("deepening"), 0.0).time == (
        seconds and pytest.approx(seconds)
    )


def test_what_was_used_of_a_match_and_of_a_move_counts() -> None:
    settings = ManagerSettings(time_left=7000)
    settings.spent(1.0)
    assert settings.time_left == 6000
    assert settings.limit(parse_engine("deepening"), 0.05).time == pytest.approx(
        0.3 - 0.03 - 0.015 - 0.05
    )


def test_the_table_fits_into_the_memory_that_is_allowed() -> None:
    engine = ManagerSettings(max_memory=16 << 20).within_means(
        parse_engine("deepening:table_bits=24")
    )
    assert 16 * 2**engine.search.table_bits <= 4 << 20  # type: ignore[attr-defined]
    assert ManagerSettings().within_means(engine) is engine
    greedy = parse_engine("greedy")
    assert ManagerSettings(max_memory=1, thread_num=2).within_means(greedy) is greedy


@pytest.mark.parametrize(
    ("told", "threads"), [("1", 1), ("2", 2), ("64", 2), ("0", 2), ("many", 2)]
)
def test_a_manager_may_say_how_many_threads_think(told: str, threads: int) -> None:
    settings = ManagerSettings()
    settings.note("THREAD_NUM", told)
    assert settings.within_means(parse_engine("auto:threads=2")).search.threads == threads  # type: ignore[attr-defined]


@pytest.mark.parametrize(("cores", "threads"), [(1, 1), (2, 2), (16, 2)])
def test_a_brain_thinks_on_two_threads_where_there_are_two_cores(
    monkeypatch: pytest.MonkeyPatch, cores: int, threads: int
) -> None:
    monkeypatch.setattr("os.sched_getaffinity", lambda process: set(range(cores)), raising=False)
    assert parse_engine(usual_engine()).search.threads == threads  # type: ignore[attr-defined]


# ---- Brains of others ----


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A brain that says nothing is given up sooner, and one that stays is ended sooner."""
    monkeypatch.setattr("mnkala.families.lines.gomocup.GRACE_SECONDS", 0.1)
    monkeypatch.setattr("mnkala.programs.process.FAREWELL_SECONDS", 0.1)


def brain(folder: Path, mode: str, seconds: float = 60.0) -> str:
    script = Path(__file__).parent / "brain.py"
    return f"gomocup:'{sys.executable}' -S '{script}' '{folder / 'log'}' {mode},time={seconds:g}"


def told(folder: Path) -> list[str]:
    return (folder / "log").read_text().splitlines()


def against(
    folder: Path, mode: str, seconds: float = 60.0, moves: str = "d4", game: str = SMALL
) -> Match:
    """A game in which a person has moved, and a brain is to."""
    position = Position(game)
    match = Match(
        position,
        (
            Player("human"),
            parse_player(brain(folder, mode, seconds), position.rules, programs=True),
        ),
    )
    for move in moves.split():
        match.play(move)
    return match


@pytest.mark.parametrize(
    ("mode", "fault"),
    [
        ("hang", "flag fall: {} gave no answer in its time"),
        ("die", "disconnection: {} has ended (status 3)"),
        ("nonsense", "bad line: {} answers 'good morning'"),
        ("outside", "illegal move: {}: 99,0 is not on the board of 7 columns and 7 rows"),
        ("taken", "illegal move: {}: d4 cannot be played after d4"),
        ("error", "bad line: {} answers 'ERROR no idea' to TURN"),
        ("endless", "bad line: {} writes without end"),
    ],
)
def test_a_bad_brain_loses_with_the_reason_in_the_record(
    tmp_path: Path, mode: str, fault: str
) -> None:
    match = against(tmp_path, mode, 0.2 if mode == "hang" else 60.0)
    with pytest.raises(Forfeit):
        match.think()
    assert match.result == "1-0"
    assert match.state.ending == "fault"
    assert match.state.fault is not None
    assert match.state.fault.startswith(fault.format(os.path.basename(sys.executable)))
    record = Record.parse(str(match.record()))
    assert dict(record.tags)["ending"] == match.state.fault
    assert recorded_game(record, parse_player).fault == match.state.fault
    assert recorded_game(record, parse_player).ending == "fault"


@pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="what a process holds is known on Linux"
)
def test_a_brain_that_takes_more_memory_than_it_may_is_ended_and_has_lost(tmp_path: Path) -> None:
    position = Position(SMALL).play("d4")
    engine = parse_player(brain(tmp_path, "greedy") + ",memory=100", position.rules, programs=True)
    match = Match(position, (Player("human"), engine))
    with pytest.raises(Forfeit, match=r"out of memory: .* holds more than 100 megabytes"):
        match.think()
    assert match.result == "1-0"


def test_a_brain_that_floods_its_pipe_is_ended(tmp_path: Path) -> None:
    """Messages that are read as they come are no fault, but they are no move either: its time runs
    out.
    """
    match = against(tmp_path, "flood", 0.3)
    with pytest.raises(Forfeit) as lost:
        match.think()
    assert lost.value.fault in ("flag fall", "bad line")


@needs_proc
def test_whatever_a_brain_has_started_is_ended_with_it(tmp_path: Path) -> None:
    match = against(tmp_path, "fork", 0.2)
    engine = match.to_move.engine
    assert engine is not None
    engine.search.prepare(match.position.rules)
    children = [*map(int, (tmp_path / "log.children").read_text().split())]
    assert all(map(is_running, children))
    with pytest.raises(Forfeit):
        match.think()
    wait_until(lambda: not any(map(is_running, children)), "the children of a brain are ended")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("gomocup:/no/such/brain", "there is no program '/no/such/brain' that can be run"),
        ("gomocup:", "which program? For example gomocup:/path/to/brain"),
        ("gomocup:'a", "is no command line: No closing quotation"),
        ("gomocup:{refuse}", "does not play on gomoku:7: it answers 'ERROR too small'"),
        ("gomocup:{early}", "does not start: disconnection"),
    ],
)
def test_a_program_that_cannot_play_is_refused_before_the_game(
    tmp_path: Path, command: str, said: str
) -> None:
    modes = {mode: brain(tmp_path, mode).removeprefix("gomocup:") for mode in ("refuse", "early")}
    with pytest.raises(BadEngine) as refused:
        parse_engine(command.format(**modes), programs=True).search.prepare(parse_game(SMALL))
    assert said in str(refused.value)


def test_a_brain_follows_a_game_turn_by_turn_and_is_shown_the_board_where_it_cannot(
    tmp_path: Path,
) -> None:
    match = against(tmp_path, "good", moves="d4")
    found = match.think()
    match.take(found)
    assert (found.best_move, found.note) == ("a7", "depth 2")
    match.play("e4")
    match.take(match.think())
    match.undo()
    match.play("f4")
    match.take(match.think())
    assert match.position.moves == "d4a7f4b7"
    Match(Position(SMALL), match.players[::-1]).think()
    for player in match.players:
        if player.engine:
            player.engine.search.close()
    asked = [line for line in told(tmp_path) if not line.startswith("INFO")]
    assert asked == [
        "START 7",
        "TURN 3,3",
        "TURN 4,3",
        "START 7",
        "BOARD",
        "3,3,2",
        "0,0,1",
        "5,3,2",
        "DONE",
        "START 7",
        "BEGIN",
        "END",
    ]
    infos = [line for line in told(tmp_path) if line.startswith("INFO")][:6]
    assert infos == [
        "INFO max_memory 367001600",
        "INFO game_type 1",
        "INFO rule 0",
        "INFO timeout_match 0",
        "INFO time_left 2147483647",
        "INFO timeout_turn 60000",
    ]


def test_a_suggestion_is_taken_and_a_rectangle_and_a_position_are_shown(tmp_path: Path) -> None:
    engine = parse_engine(brain(tmp_path, "suggest") + ",memory=64", programs=True)
    position = Position("mnk:6x8x5,exact", literal="8/8/2x5/3o4/8/8")
    assert engine.analyse(position).best_move == "a6"
    engine.search.close()
    lines = told(tmp_path)
    assert [line for line in lines if not line.startswith("INFO")] == [
        "RECTSTART 8,6",
        "BOARD",
        "3,3,2",
        "2,2,1",
        "DONE",
        "PLAY 0,0",
        "END",
    ]
    assert {"INFO rule 1", "INFO max_memory 67108864"} <= set(lines)


def test_a_brain_whose_answer_is_not_wanted_any_more_is_ended_at_once(tmp_path: Path) -> None:
    engine = parse_engine(brain(tmp_path, "hang", 1000), programs=True)
    stop = Stop()
    stop.set()
    found = [*engine.stream(Position(SMALL), stop=stop)][-1]
    assert found.note == "stopped"


def test_programs_run_only_where_they_are_typed(tmp_path: Path) -> None:
    """Neither a record nor a saved game nor the page can name one that runs."""
    rules = parse_game(SMALL)
    text = brain(tmp_path, "good")
    record = Record.parse(f"# first: human\n# second: {text}\n{SMALL} d4 *")
    with pytest.raises(BadEngine, match="which runs only where it is typed"):
        Match(record.position, recorded_game(record, parse_player).players).think()
    for read in (lambda: read_player(text, rules, Limits()), lambda: read_engine(text, Limits())):
        with pytest.raises(BadEngine, match="which a page may not ask for"):
            read()
    assert not (tmp_path / "log").exists()


def test_a_game_of_another_kind_has_no_brains(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="Gomocup knows five in a row on a board of any size"):
        parse_player(brain(tmp_path, "good"), parse_game("connect4"), programs=True)


# ---- Series and commands ----


def test_two_brains_of_ours_finish_a_game_that_they_open_by_swap2() -> None:
    """Two processes of ours, three seconds of CPU: the one proof that both sides of the protocol
    fit together.
    """
    ours = f"gomocup:'{sys.executable}' -m mnkala gomocup --engine greedy,time=60"
    (game,) = series_games("gomoku:6", ours, ours, 1, opening_rule="swap2")
    assert game.fault is None
    assert game.position.is_over


def test_a_match_tells_who_lost_by_which_fault(tmp_path: Path) -> None:
    bad = brain(tmp_path, "die")
    done = mnkala(
        "match", SMALL, "random", bad, "--games", "2", "--opening", "0", "--jobs", "0", "--json"
    )
    found = json.loads(done.stdout)
    assert (found["wins"], found["losses"]) == (2, 0)
    assert [(fault["game"], fault["loser"]) for fault in found["faults"]] == [(1, bad), (2, bad)]
    assert f"game 1: {bad} lost by disconnection" in done.stderr


@pytest.mark.usefixtures("games_folder")
def test_a_brain_plays_and_analyses_on_the_command_line(tmp_path: Path) -> None:
    done = mnkala("play", SMALL, "--second", brain(tmp_path, "die"), "--plain", stdin="d4\n")
    assert "lost by a fault: disconnection" in done.stdout
    assert f"{SMALL} d4 1-0" in done.stdout
    done = mnkala("play", SMALL, "--second", brain(tmp_path, "good"), "--plain", stdin="d4\nquit\n")
    assert "played a7  depth 2" in done.stdout
    done = mnkala("analyse", SMALL, "d4", "--engine", brain(tmp_path, "good"), "--json")
    assert json.loads(done.stdout)["best"] == ["a7"]


# ---- Swap2 with a brain ----


@pytest.mark.parametrize(
    ("stage", "moves", "answer", "after", "swapped"),
    [
        (Stage.PLACE, "", "1,1_2,2_3,3", ("choose", "b6c5d4"), False),
        (Stage.CHOOSE, "b6 c5 d4", "SWAP", ("over", "b6c5d4"), True),
        (Stage.CHOOSE, "b6 c5 d4", "0,0", ("over", "b6c5d4a7"), False),
        (Stage.CHOOSE, "b6 c5 d4", "0,0_1,0", ("decide", "b6c5d4a7b7"), False),
        (Stage.DECIDE, "b6 c5 d4 a7 b7", "SWAP", ("over", "b6c5d4a7b7"), False),
        (Stage.DECIDE, "b6 c5 d4 a7 b7", "0,6", ("over", "b6c5d4a7b7a1"), True),
    ],
)
def test_a_brain_is_asked_what_it_does_in_an_opening(
    tmp_path: Path, stage: Stage, moves: str, answer: str, after: tuple[str, str], swapped: bool
) -> None:
    position = Position(SMALL).play(moves)
    opening = Swap2(stage)
    program = parse_player(brain(tmp_path, f"swap={answer}"), position.rules, programs=True)
    players = (program, Player("human")) if opening.actor == 0 else (Player("human"), program)
    match = Match(position, players, opening)
    match.take(match.think())
    reached = match.state.opening_rule
    assert isinstance(reached, Swap2)
    assert (reached.stage, match.position.moves) == after
    assert (match.players[0] is players[1]) == swapped
    stones = [f"{ord(cell[0]) - 97},{7 - int(cell[1])}" for cell in moves.split()]
    assert [line for line in told(tmp_path) if not line.startswith("INFO")] == [
        "START 7",
        "SWAP2BOARD",
        *stones,
        "DONE",
    ]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("0,0", "stones are no answer"),
        ("SWAP", "stones are no answer"),
        ("hello", "hello"),
        ("0,0_0,0_1,1", "cannot be played after"),
    ],
)
def test_a_brain_that_opens_wrongly_has_lost(tmp_path: Path, answer: str, said: str) -> None:
    match = against(tmp_path, f"swap={answer}", moves="")
    match = Match(match.position, match.players[::-1], Swap2())
    with pytest.raises(Forfeit, match=said):
        match.think()
    assert match.result == "0-1"


def test_a_brain_without_swap2_is_no_loss_but_a_reason_to_begin_without_it(tmp_path: Path) -> None:
    match = against(tmp_path, "good", moves="")
    match = Match(match.position, match.players[::-1], Swap2())
    with pytest.raises(BadEngine, match="does not know Swap2"):
        match.think()
    assert not match.is_over


def test_the_rules_of_a_board_are_those_of_gomoku() -> None:
    rules = ManagerSettings(rule=1).rules(15, 12)
    assert rules.game_string() == "mnk:12x15x5,exact"
