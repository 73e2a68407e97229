"""For teachers: right solutions get full marks, usual mistakes lose the points that they should,
and no file can hurt anything.
"""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mnkala import Analysis, Position, parse_engine
from mnkala.cli import run
from mnkala.errors import MnkalaError
from mnkala.jobs import Store
from mnkala.school import exercises
from mnkala.school.checks import WON_AND_LOST, CheckResult, won_and_lost
from mnkala.school.exercises import FULL_MARKS, checks_of
from mnkala.school.grading import KEPT_NAME, Grade, GradingSettings, check_file, grade_folder
from mnkala.school.ladder import REFERENCES, against_references, pairings
from mnkala.school.process import Bounds, StudentProcess
from mnkala.school.report import as_csv, as_json, feedback, markdown, write
from mnkala.school.submission import (
    EXERCISES,
    FILES,
    Submission,
    find_submissions,
    read_submission,
    write_handout,
)
from mnkala.school.worker import describe
from tests.processes import is_running, needs_proc
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parent.parent
SOLUTIONS = {
    exercise: (ROOT / "tests" / "school" / f"{exercise}.py").read_text() for exercise in EXERCISES
}
HURRIED, PATIENT = Bounds(seconds=1.0, memory=256), Bounds(seconds=100.0, memory=256)
TESTS_ONLY = GradingSettings(Bounds(seconds=100.0), games=0)
PLAYED_TO_THE_END = (
    exercises.FIRST_PLAYER,
    exercises.SECOND_PLAYER,
    exercises.MOVE_AGAIN,
    exercises.MARGIN,
    exercises.LARGE_TREES,
)


def graded(
    source: str, exercise: str = "minimax", bounds: Bounds | None = None, only: tuple[str, ...] = ()
) -> Grade:
    tests = [check for check in checks_of(exercise) if not only or check.name in only]
    return check_file(
        Submission("anna", source, exercise), bounds or Bounds(seconds=100.0), tests=tests
    )


def minimax_that(body: str) -> str:
    return "def minimax(position, depth):\n" + "".join(
        f"    {line}\n" for line in body.splitlines()
    )


def points(grade: Grade) -> dict[str, float]:
    return {check.name: check.points for check in grade.checks}


def changed(exercise: str, old: str, new: str) -> str:
    assert old in SOLUTIONS[exercise]
    return SOLUTIONS[exercise].replace(old, new)


# ---- What is right ----


@pytest.mark.parametrize("places", PLAYED_TO_THE_END)
def test_the_reference_answers_are_those_of_the_engine(
    places: tuple[exercises.Placed, ...],
) -> None:
    engine = parse_engine(f"minimax:depth={exercises.TO_THE_END},candidates=all")
    for position in exercises.placed(places):
        found = engine.analyse(position, all_moves=True)
        values = {position.rules.move_text(move.code): move.score.value for move in found.moves}
        ours = exercises.move_values(position, exercises.TO_THE_END)
        if not position.game.startswith(
            "kalah"
        ):  # where the engine's score also tells how soon the win comes
            ours, values = (
                {move: (value > 0) - (value < 0) for move, value in side.items()}
                for side in (ours, values)
            )
        assert ours == values
        assert exercises.minimax_plays(position, exercises.TO_THE_END) == found.nodes - 1
        assert exercises.alphabeta_plays(position, exercises.TO_THE_END) < found.nodes


@pytest.mark.parametrize(
    ("places", "depth"),
    [
        (exercises.WIN_IN_ONE, 1),
        (exercises.LOSS_IN_ONE, 2),
        *((places, exercises.TO_THE_END) for places in PLAYED_TO_THE_END),
    ],
)
def test_whoever_always_plays_the_first_move_is_never_right(
    places: tuple[exercises.Placed, ...], depth: int
) -> None:
    for position in exercises.placed(places):
        best = exercises.best_moves(position, depth)
        assert len(best) == 1
        assert position.legal_moves[0] not in best


@pytest.mark.parametrize(
    "places",
    [
        exercises.WIN_IN_ONE,
        exercises.LOSS_IN_ONE,
        exercises.FIRST_PLAYER + exercises.SECOND_PLAYER,
        exercises.MOVE_AGAIN,
    ],
)
def test_both_players_are_asked(places: tuple[exercises.Placed, ...]) -> None:
    assert {position.mover for position in exercises.placed(places)} == {0, 1}


def result_of(analysis: Analysis) -> str | None:
    return None if analysis.score is None else analysis.score.result


@pytest.mark.parametrize("game", WON_AND_LOST)
def test_the_won_positions_are_won_and_the_lost_ones_lost(game: str) -> None:
    engine = parse_engine(
        "alphabeta:depth=5" if game.startswith("connect") else "deepening:depth=40"
    )
    won, lost = won_and_lost(game)
    assert {result_of(engine.analyse(position)) for position in won} == {"win"}
    assert {result_of(engine.analyse(position)) for position in lost} == {"loss"}


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_right_solution_gets_all_points(exercise: str) -> None:
    grade = graded(SOLUTIONS[exercise], exercise)
    assert [check for check in grade.checks if check.points < check.of] == []
    assert (grade.points, grade.status, grade.reason) == (FULL_MARKS, "passed", "")
    assert sum(check.points for check in checks_of(exercise)) == FULL_MARKS


@pytest.mark.parametrize("exercise", EXERCISES)
def test_an_untouched_template_is_legal_but_fails(exercise: str) -> None:
    grade = graded((ROOT / "examples" / "class" / f"{exercise}.py").read_text(), exercise)
    assert 0 < grade.points < FULL_MARKS / 2
    assert grade.checks[0].points == grade.checks[0].of


# ---- Usual mistakes ----


def test_taking_turns_in_kalah_loses_just_those_points() -> None:
    wrong = graded(
        changed(
            "minimax",
            "max(values) if node.mover == player",
            "max(values) if (depth - left) % 2 == 0",
        )
    )
    assert [check.name for check in wrong.checks if check.points < check.of] == [
        "Kalah: moves again",
        "wins by most",
    ]
    assert points(wrong)["Kalah: moves again"] == 0
    always = graded(
        changed("alphabeta", "if child.mover == node.mover:", "if False:"),
        "alphabeta",
        only=("Kalah: moves again", "Minimax's answer"),
    )
    assert points(always)["Kalah: moves again"] == 0
    assert points(always)["Minimax's answer"] == 4


def test_searching_for_player_0_only_fails_as_second_player() -> None:
    grade = graded(
        changed("minimax", "player = position.mover", "player = 0"),
        only=("also as second player", "best move to the end"),
    )
    assert points(grade)["also as second player"] == 0
    assert points(grade)["best move to the end"] == 3


def test_looking_at_the_depth_before_the_end_of_the_game_misses_a_win() -> None:
    grade = graded(
        changed(
            "minimax",
            "        if node.outcome is not None:",
            "        if left == 0:\n            return 0\n        if node.outcome is not None:",
        )
    )
    assert points(grade)["wins in one move"] == 0
    lost = next(check for check in grade.checks if check.name == "wins in one move")
    assert "last ply" in lost.help
    assert "played" in lost.failures[0]


def test_counting_only_win_and_loss_misses_the_larger_win() -> None:
    margin = "(node.outcome.margin > 0) - (node.outcome.margin < 0)"
    grade = graded(
        changed(
            "minimax",
            "node.outcome.margin if player == 0 else -node.outcome.margin",
            f"({margin}) * (1 if player == 0 else -1)",
        )
    )
    assert [check.name for check in grade.checks if check.points < check.of] == ["wins by most"]


def test_minimax_handed_in_as_alpha_beta_lacks_the_points_for_cuts() -> None:
    grade = graded(SOLUTIONS["minimax"].replace("def minimax", "def alphabeta"), "alphabeta")
    lacking = {check.name for check in grade.checks if check.points < check.of}
    assert lacking == {"visits less than Minimax", "cuts as the textbook"}


def test_a_new_window_for_each_root_move_cuts_less_than_the_textbook() -> None:
    source = SOLUTIONS["alphabeta"] + (
        "\n\ninner = alphabeta\n\n\ndef alphabeta(position, depth):\n    def value(move):\n        child = position.play(move)\n        if child.is_over:\n"
        "            return child.outcome.margin if position.mover == 0 else -child.outcome.margin\n        found = search(child, depth - 1, -1000, 1000)\n"
        "        return found if child.mover == position.mover else -found\n    return max(position.legal_moves, key=value)\n\n\n"
        "def search(node, left, alpha, beta):\n    if node.is_over:\n        return node.outcome.margin if node.mover == 0 else -node.outcome.margin\n"
        "    if left == 0:\n        return 0\n    for move in node.legal_moves:\n        child = node.play(move)\n"
        "        found = search(child, left - 1, alpha, beta) if child.mover == node.mover else -search(child, left - 1, -beta, -alpha)\n"
        "        alpha = max(alpha, found)\n        if alpha >= beta:\n            break\n    return alpha\n"
    )
    grade = graded(
        source,
        "alphabeta",
        only=("Minimax's answer", "visits less than Minimax", "cuts as the textbook"),
    )
    assert points(grade)["Minimax's answer"] == 4
    assert points(grade)["visits less than Minimax"] == 3
    assert points(grade)["cuts as the textbook"] < 2


def test_random_numbers_from_elsewhere_are_noticed() -> None:
    source = changed(
        "mcts", "    root = Node(position)", "    rng = random\n    root = Node(position)"
    )
    assert graded(source, "mcts", only=("repeats itself",)).points < 2


def test_crediting_turns_instead_of_movers_hurts_mcts_in_kalah() -> None:
    source = changed("mcts", "for node in path:", "for level, node in enumerate(path):").replace(
        "== node.mover)", "== (position.mover + level + 1) % 2)"
    )
    assert graded(source, "mcts", only=("Kalah: moves again",)).points < 2


def test_a_heuristic_for_the_wrong_player_is_noticed() -> None:
    turned = graded(
        SOLUTIONS["heuristic"]
        + "\n\nright = heuristic\n\n\ndef heuristic(position):\n    return -right(position)\n",
        "heuristic",
    )
    assert (
        points(turned)["Connect: own lines"]
        == points(turned)["Kalah: fuller store"]
        == points(turned)["Kalah: knows who wins"]
        == 0
    )
    for_player_0 = graded(
        SOLUTIONS["heuristic"] + "\n\nright = heuristic\n\n\ndef heuristic(position):\n"
        "    return right(position) * (1 - 2 * position.mover)\n",
        "heuristic",
    )
    assert points(for_player_0)["Kalah: either player"] < 2


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        ("float('nan')", "finite"),
        ("None", "NoneType"),
        ("'7'", "list"),
        ("10 ** 400", "OverflowError"),
    ],
)
def test_a_heuristic_must_give_finite_numbers(returned: str, said: str) -> None:
    grade = graded(f"def heuristic(position):\n    return {returned}\n", "heuristic")
    assert grade.points == 0
    assert said in grade.checks[0].failures[0]


# ---- Files that misbehave ----

FORGED = """
import os
for descriptor in range(3, 30):
    try:
        os.write(descriptor, b'{"token": "x", "answer": "4", "plays": 1, "seconds": 0.1}\\n')
    except OSError:
        pass
return position.legal_moves[0]
"""

MISBEHAVING = {
    "loops": ("while True: pass", "no answer within 1 s"),
    "forks": ("import os\nwhile True: os.fork()", "starts another process"),
    "starts programs": ("import subprocess\nsubprocess.run(['true'])", "starts another process"),
    "eats memory": ("hoard = [bytearray(1 << 24) for _ in range(100)]", "more than 256 MB"),
    "raises": ("raise ValueError('no idea')", "raised ValueError in line 2: no idea"),
    "recurses without end": ("return minimax(position, depth)", "RecursionError"),
    "fills the disk": (
        "for i in range(100): open(f'{i}.bin', 'wb').write(bytes(8 << 20))",
        "filled its folder: all that it writes may have 32 MB",
    ),
    "makes thousands of files": (
        "for i in range(10**5): open(f'{i}.bin', 'wb').close()",
        "32 MB in 1000 files",
    ),
    "prints megabytes": ("while True: print('x' * 1000)", "printed more than 1 MB"),
    "calls sys.exit": ("import sys; sys.exit(0)", "called sys.exit"),
    "calls os._exit": ("import os; os._exit(0)", "ended its process (status 0)"),
    "forges a result": (FORGED.strip(), "grader's own channel"),
    "removes its folder": (
        "import shutil, os; shutil.rmtree(os.path.dirname(__file__))",
        "removes or changes files",
    ),
    "writes elsewhere": (
        "open('/tmp/mnkala-class-should-not-be', 'w').write('x')",
        "may write only in the folder",
    ),
    "asks the network": (
        "import socket; socket.create_connection(('127.0.0.1', 9))",
        "uses the network",
    ),
    "kills its parent": ("import os; os.kill(os.getppid(), 9)", "sends a signal"),
    "reads the reference": (
        f"exec(open({exercises.__file__!r}).read())",
        "its other files may not",
    ),
    "opens a database": ("import sqlite3; sqlite3.connect('notes.db')", "opens a database"),
    "borrows a search": ("from mnkala import parse_engine", "its searches may not"),
    "answers nonsense": ("return 'pass'", "returned 'pass'; legal moves were 1 2 3"),
    "answers a number": ("return 3", "returned 3, which is of type int"),
    "hides its crime": (
        "import os\ntry:\n    os.fork()\nexcept BaseException:\n    pass\nreturn '4'",
        "starts another process",
    ),
}


@pytest.mark.parametrize("name", MISBEHAVING)
def test_a_file_that_misbehaves_fails_with_a_reason(name: str) -> None:
    body, reason = MISBEHAVING[name]
    if sys.platform == "win32" and name in ("forks", "eats memory"):
        pytest.skip("Windows cannot fork and has no limit of memory")
    if name == "loops":
        grade = graded(minimax_that(body), bounds=HURRIED)
    else:
        grade = graded(minimax_that(body), bounds=PATIENT, only=("legal moves",))
    assert (grade.points, grade.status) == (0, "failed")
    assert reason in grade.note
    assert reason in feedback(grade)
    assert not Path("/tmp/mnkala-class-should-not-be").exists()


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (
            "while True: pass\ndef minimax(position, depth): return '4'",
            "cannot be loaded: it gave no answer",
        ),
        (
            "1 / 0\ndef minimax(position, depth): return '4'",
            "cannot be loaded: it raised ZeroDivisionError in line 1",
        ),
        (
            "import os; os._exit(0)\ndef minimax(position, depth): return '4'",
            "cannot be loaded: it ended its process",
        ),
        (
            "import os; os.system('true')\ndef minimax(position, depth): return '4'",
            "starts another process",
        ),
        (
            "import nowhere_to_be_found\ndef minimax(position, depth): return '4'",
            "ModuleNotFoundError",
        ),
    ],
)
def test_a_file_that_misbehaves_while_it_is_loaded_fails_at_once(source: str, reason: str) -> None:
    grade = graded(source, bounds=HURRIED if "while" in source else PATIENT)
    assert reason in grade.reason
    assert (grade.points, grade.checks) == (0, ())


def test_what_a_file_may_do_it_can_do() -> None:
    body = "import math, random, itertools, numpy\nprint('thinking')\nopen('notes.txt', 'w').write('x')\nreturn position.legal_moves[3]"
    with StudentProcess(minimax_that(body), "minimax", PATIENT) as process:
        answer = process.ask("move", Position("connect4"), {"depth": 1})
        assert (answer.value, answer.plays) == ("4", 0)


def test_a_trouble_costs_its_case_and_the_next_question_goes_to_a_fresh_process() -> None:
    source = minimax_that(
        "while position.game == 'tictactoe': pass\nreturn position.legal_moves[0]"
    )
    legal = graded(source, bounds=HURRIED, only=("legal moves",)).checks[0]
    assert (legal.passed, legal.cases) == (5, 6)
    assert "no answer" in legal.failures[0]


def test_an_error_whose_text_cannot_be_made_is_still_told() -> None:
    class Mute(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    assert describe(Mute()) == ("raised", "raised Mute")


# ---- Folders ----


def class_of(folder: Path, **files: str) -> Path:
    for name, source in files.items():
        path = folder / (name.replace("__", "/") + ".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(source, encoding="utf-8")
    return folder


def test_the_function_says_which_exercise_it_is(tmp_path: Path) -> None:
    class_of(
        tmp_path,
        anna=SOLUTIONS["mcts"],
        ben__minimax=SOLUTIONS["minimax"],
        ben__alphabeta=SOLUTIONS["alphabeta"] + SOLUTIONS["minimax"],
        _own="x = 1",
    )
    found = {
        submission.name: (submission.exercise, submission.fault)
        for submission in find_submissions(tmp_path)
    }
    assert found == {
        "anna": ("mcts", ""),
        "ben/minimax": ("minimax", ""),
        "ben/alphabeta": ("alphabeta", ""),
    }
    assert [Grade(name, "mcts").student for name in ("anna", "ben/mcts")] == ["anna", "ben"]


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        (b"def minimax(position, depth:", "is not Python: '(' was never closed in line 1"),
        (b"x = 1", "defines none of the functions minimax(position, depth)"),
        (b"def minimax(p, d): pass\ndef mcts(p, i, r): pass", "defines minimax and mcts"),
        (b"def minimax(position): pass", "it must be minimax(position, depth)"),
        (b"\xff\xfe\x00", "is not text in UTF-8"),
        (b"", "defines none"),
    ],
)
def test_a_file_that_cannot_be_graded_says_why(tmp_path: Path, source: bytes, fault: str) -> None:
    (tmp_path / "anna.py").write_bytes(source)
    submission = read_submission(tmp_path / "anna.py", "anna")
    assert fault in submission.fault
    assert fault in check_file(submission, HURRIED).note


def test_a_folder_without_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MnkalaError, match="holds no Python file"):
        grade_folder(tmp_path)
    with pytest.raises(MnkalaError, match="is no folder"):
        grade_folder(tmp_path / "nowhere")


def test_bad_files_hurt_neither_the_folder_nor_the_others(tmp_path: Path) -> None:
    class_of(
        tmp_path,
        anna=SOLUTIONS["heuristic"],
        bad=minimax_that("import os, glob\nfor name in glob.glob('*'): os.remove(name)"),
        copied=SOLUTIONS["heuristic"].replace("    total = 0", "    total  =  0"),
    )
    before = {path.name: path.read_text() for path in tmp_path.glob("*.py")}
    grades = {grade.name: grade for grade in grade_folder(tmp_path, TESTS_ONLY)}
    assert {path.name: path.read_text() for path in tmp_path.glob("*.py")} == before
    assert grades["anna"].points == grades["copied"].points == FULL_MARKS
    assert "removes or changes files" in grades["bad"].note
    assert grades["copied"].note == "same text as anna"


def test_a_second_run_asks_nobody_again_and_a_new_text_is_graded_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class_of(
        tmp_path, anna=SOLUTIONS["heuristic"], ben=minimax_that("return position.legal_moves[0]")
    )
    first = grade_folder(tmp_path, TESTS_ONLY)
    asked: list[str] = []
    new_text = minimax_that("return position.legal_moves[-1]")
    real = check_file

    def noted(submission: Submission, *rest: object) -> Grade:
        asked.append(submission.source)
        return real(submission, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("mnkala.school.grading.check_file", noted)
    assert grade_folder(tmp_path, TESTS_ONLY) == first
    assert asked == []
    class_of(tmp_path, ben=new_text)
    grade_folder(tmp_path, TESTS_ONLY)
    assert asked == [new_text]
    (tmp_path / KEPT_NAME).write_text("{ broken")
    with pytest.raises(MnkalaError, match="file is not a database; name another file with --keep"):
        grade_folder(tmp_path, TESTS_ONLY)


def test_several_files_at_a_time_give_the_same(tmp_path: Path) -> None:
    class_of(
        tmp_path,
        **{
            f"student{number}": minimax_that(f"return position.legal_moves[{-number}]")
            for number in range(2)
        },
    )
    one = grade_folder(tmp_path, TESTS_ONLY, kept=tmp_path / "one")
    assert (
        grade_folder(tmp_path, GradingSettings(TESTS_ONLY.bounds, 0, jobs=2), kept=tmp_path / "two")
        == one
    )


# ---- The ladder ----


def test_neighbours_meet() -> None:
    assert pairings(["a", "b", "c"]) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert len(pairings([str(number) for number in range(30)])) == 27 * 3 + 2 + 1


def test_a_good_heuristic_climbs_higher_than_a_bad_one_and_results_come_in_every_form(
    tmp_path: Path,
) -> None:
    bad = SOLUTIONS["heuristic"].replace(
        "return total", "return total * 1e-9 if len(rows) == 6 else -total"
    )
    folder = class_of(
        tmp_path / "class",
        good=SOLUTIONS["heuristic"],
        bad=bad,
        late=minimax_that("return position.legal_moves[0]"),
    )
    grades = grade_folder(folder, GradingSettings(Bounds(10.0), games=2))
    assert [grade.name for grade in grades if grade.passed] == ["good", "bad"]
    best = grades[0]
    assert [match.opponent for match in best.references] == [
        name.partition(":seed")[0] for name in REFERENCES
    ]
    assert best.references[0].result.wins == 2
    assert [match.result.games for match in best.peers] == [2]
    assert best.peers[0].result.wins == grades[1].peers[0].result.losses
    low, high = best.references[0].result.interval
    assert 0.34 < low < 0.35
    assert high == pytest.approx(1)

    for ending in ("md", "csv", "json"):
        write(grades, tmp_path / f"results.{ending}")
    read = json.loads((tmp_path / "results.json").read_text())
    assert read == json.loads(json.dumps(as_json(grades)))
    assert [row["name"] for row in read] == [grade.name for grade in grades]
    table = list(csv.DictReader(io.StringIO((tmp_path / "results.csv").read_text())))
    assert [(row["name"], float(row["points"])) for row in table] == [
        (grade.name, grade.points) for grade in grades
    ]
    assert "| 1 | good | heuristic | passed | 20 of 20 |" in (tmp_path / "results.md").read_text()


def test_a_player_without_an_answer_loses_and_the_others_time_is_not_wasted() -> None:
    source = minimax_that(
        "if len(position.history) > 4: raise ValueError('lost my way')\nreturn position.legal_moves[0]"
    )
    matches = against_references(Submission("anna", source, "minimax"), PATIENT, 4)
    assert {(match.result.losses, match.forfeits) for match in matches} == {(4, 4)}
    assert "lost my way" in matches[0].note


# ---- Texts ----


def test_a_text_cannot_paint_on_the_terminal_nor_break_a_table() -> None:
    nasty = Grade(
        "=cmd|x",
        "minimax",
        (CheckResult("legal moves", 0, 2, 0, 1, "help", ("raised X: \x1b[31m|<b>\n",)),),
    )
    assert "\x1b" not in feedback(nasty) + markdown([nasty]) + as_csv([nasty])
    assert "=cmd\\|x" in markdown([nasty])
    assert "&lt;b>" in markdown([nasty])
    assert "'=cmd|x" in as_csv([nasty])


def test_the_handout_is_what_the_examples_show_and_overwrites_nothing(tmp_path: Path) -> None:
    write_handout(tmp_path / "new")
    for name in FILES:
        assert (tmp_path / "new" / name).read_bytes() == (
            ROOT / "examples" / "class" / name
        ).read_bytes()
    assert {path.name for path in (ROOT / "examples" / "class").iterdir() if path.is_file()} == set(
        FILES
    )
    with pytest.raises(MnkalaError, match="already"):
        write_handout(tmp_path / "new")


def test_the_exercise_sheet_tells_the_truth() -> None:
    import doctest

    failed, tried = doctest.testfile(
        str(ROOT / "examples" / "class" / "exercises.md"), module_relative=False
    )
    assert (failed, tried > 3) == (0, True)


# ---- The command ----

COMMAND = [sys.executable, "-m", "mnkala", "class"]


def mnkala_class(*arguments: str) -> int:
    return run(["class", *arguments])


def test_the_command_prints_a_table_and_writes_letters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    assert mnkala_class("new", str(tmp_path / "sheet")) == 0
    folder = class_of(
        tmp_path / "class", anna=SOLUTIONS["heuristic"], ben=minimax_that("raise ValueError('no')")
    )
    assert (
        mnkala_class("grade", str(folder), "--games", "0", "--out", str(tmp_path / "out.csv")) == 0
    )
    said = capsys.readouterr().out
    assert "20 of 20" in said
    assert "ben: legal moves: connect4 at the start: raised ValueError in line 2: no" in said
    assert "1 of 2 files passed" in said
    assert (folder / "feedback" / "ben.txt").read_text().startswith("ben: 0 of 20 points, failed")
    assert (tmp_path / "out.csv").exists()
    assert mnkala_class("grade", str(folder), "--games", "0", "--json") == 0
    listed = json.loads(capsys.readouterr().out)
    assert [(row["name"], row["points"]) for row in listed] == [("anna", 20.0), ("ben", 0.0)]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "is no folder"),
        ((".", "--out", "x.doc"), ".md, .csv, .json"),
        ((".", "--seconds", "0"), "--seconds 0: 0.1 to 600 are possible"),
        ((".", "--games", "-1"), "--games -1: 0 to 1,000 are possible"),
    ],
)
def test_bad_input_gets_a_sentence(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert mnkala_class("grade", *arguments) == 2
    assert said in capsys.readouterr().err


@needs_proc
@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_ctrl_c_keeps_what_was_graded_and_leaves_nothing_behind(tmp_path: Path, jobs: str) -> None:
    from mnkala.jobs.supervisor import descendants

    spare = tmp_path / "spare"
    spare.mkdir()
    folder = class_of(
        tmp_path / "class", anna=SOLUTIONS["heuristic"], zoe=minimax_that("while True: pass")
    )
    running = subprocess.Popen(
        [*COMMAND, "grade", str(folder), "--games", "0", "--seconds", "100", "--jobs", jobs],
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"TMPDIR": str(spare)},
    )
    try:
        wait_until(
            lambda: kept_in(folder) == 1 and bool(descendants(running.pid)),
            "anna's file is graded, zoe's loops",
        )
        children = descendants(running.pid)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=120)
    finally:
        running.kill()
    assert running.returncode == 130
    assert "the same command continues" in said
    assert kept_in(folder) == 1
    wait_until(lambda: not any(map(is_running, children)), "no process is left")
    assert list(spare.iterdir()) == [], "no folder is left"


def kept_in(folder: Path) -> int:
    """How many results are kept."""
    if not (folder / KEPT_NAME).exists():
        return 0
    with Store(folder / KEPT_NAME) as store:
        return len(store.all())
