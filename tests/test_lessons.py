"""Lessons in playing: every claim is true, every move is judged live, and what was learned is kept."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest

from mnkala.core.plugins import PluginWarning
from mnkala.explain.line_reasons import Lines
from mnkala.explain.words import LANGUAGES
from mnkala.play import lessons
from mnkala.play.lessons import BadLesson, Lesson, attempt, check_lesson, course_of, courses
from mnkala.play.store import THIS_COMPUTER, Learned, Store
from tests.command_line import mnkala

ALL = [lesson for course in courses() for lesson in course.lessons]
EXAMPLE = """
game = "tictactoe"
[[lesson]]
name = "block"
moves = "b2a1b3"
goal = "hold"
answers = ["b1"]
title.en = "Block"
text.en = "x threatens."
task.en = "Block."
right.en = "Blocked."
"""


@pytest.mark.parametrize("lesson", ALL, ids=lambda lesson: lesson.key)
def test_what_a_lesson_claims_is_proved(lesson: Lesson) -> None:
    check_lesson(lesson)


def test_lessons_are_in_every_language_and_have_names_of_their_own() -> None:
    assert courses()[0].game == "tictactoe"
    assert len({lesson.key for lesson in ALL}) == len(ALL)
    for lesson in ALL:
        for said in (lesson.title, lesson.text, lesson.task, lesson.right):
            assert said.keys() == LANGUAGES.keys(), lesson.key
            assert all(said.values()), lesson.key


@pytest.mark.parametrize(
    ("claim", "answer"),
    [
        ('answers = ["b1"]', 'answers = ["b1", "c3"]'),
        ('answers = ["b1"]', 'answers = ["b1"]\nscore = 1'),
        ('answers = ["b1"]', 'answers = ["b1"]\nscores = { c3 = 0 }'),
        ('answers = ["b1"]', 'answers = ["b1"]\nline = "c3b1"'),
    ],
)
def test_a_false_claim_is_found(tmp_path: Path, claim: str, answer: str) -> None:
    (tmp_path / "lesson.toml").write_text(EXAMPLE.replace(claim, answer))
    with pytest.raises(BadLesson):
        check_lesson(lessons.read_course(tmp_path / "lesson.toml").lessons[0])


def test_a_wrong_move_is_refuted_and_a_right_one_is_answered() -> None:
    fork = course_of("tictactoe").lesson("fork")
    wrong = attempt(fork, [], "c3")
    assert not wrong.right
    assert wrong.line[0] == "c3"
    assert wrong.said
    right = attempt(fork, [], "a1")
    assert right.right
    assert not right.solved
    assert right.reply in ("a2", "c1")
    done = attempt(fork, ["a1", right.reply], "c1" if right.reply == "a2" else "a2")
    assert done.solved
    assert done.answered.is_over


def test_a_lesson_of_one_turn_ends_with_it() -> None:
    tried = attempt(course_of("tictactoe").lesson("corner-trap"), [], "b1")
    assert tried.solved
    assert tried.answered == tried.after


def test_a_lost_game_of_gomoku_is_still_defended_where_the_threats_are() -> None:
    tried = attempt(course_of("gomoku").lesson("double-three"), [], "i8")
    assert tried.reply in {"f8", "j8", "k8", "i7", "i11", "i6", "i12", "e8"}


def test_following_up_wins_against_every_defence() -> None:
    """As the lesson says: win or block first, otherwise answer in the same column."""
    start = course_of("connect4").lesson("follow-up").position
    waiting, seen = [start], 0
    while waiting:
        position = waiting.pop()
        board = Lines(position.rules, position.state())
        forced = board.wins(1) or board.wins(0)
        reply = str(forced[0][1] + 1) if forced else position.history[-1]
        after = position.play(reply)
        if after.is_over:
            assert after.outcome is not None
            assert after.outcome.winner == 1
        else:
            waiting += [after.play(move) for move in after.legal_moves]
            assert not any(each.is_over for each in waiting)
        seen += 1
    assert seen > 100


def test_the_terminal_teaches_in_plain_lines_and_goes_on_where_one_was(games_folder: Path) -> None:
    typed = "a3\nz9\nc1\nq\n"
    done = mnkala("lessons", "tictactoe", "--language", "en", stdin=typed)
    first, second = course_of("tictactoe").lessons[:2]
    told = [first.text["en"], "Not a3", "Try again from here", "z9", first.right["en"]]
    assert [done.stdout.index(part) for part in told] == sorted(
        done.stdout.index(part) for part in told
    )
    assert "Lesson 2 of" in mnkala("lessons", "tictactoe", "--language", "en").stdout
    listed = mnkala("lessons", "--language", "it").stdout
    assert f"* {first.title['it']}" in listed
    assert f"  {second.title['it']}" in listed


def test_the_terminal_says_which_lessons_there_are(games_folder: Path) -> None:
    assert "did you mean connect4?" in mnkala("lessons", "conect4").stderr
    assert "lessons are extra-turn, " in mnkala("lessons", "kalah", "99").stderr
    hint = mnkala("lessons", "connect4", "zugzwang", "--language", "en", stdin="h\n").stdout
    assert "Marked: column 7, row 3" in hint
    assert "Play column 6" in hint


def test_files_that_cannot_be_read_are_left_out(tmp_path: Path) -> None:
    for number, text in enumerate(("[[lesson]]", "no toml", EXAMPLE.replace("hold", "fly"))):
        (tmp_path / f"{number}.toml").write_text(text)
    (tmp_path / "good.toml").write_text(EXAMPLE)
    with pytest.warns(PluginWarning, match="were left out"):
        found = lessons._courses(tuple(sorted(tmp_path.glob("*.toml"))))
    assert [course.lessons[0].name for course in found] == ["block"]


def test_what_was_learned_is_kept_once_for_each_owner(tmp_path: Path) -> None:
    with contextlib.closing(Store(tmp_path / "games.sqlite")) as store:
        for owner, here in ((THIS_COMPUTER, True), (THIS_COMPUTER, True), ("another", False)):
            store.write([Learned(owner, here, "tictactoe/fork")])
        store.write([Learned("another", False, "tictactoe/block")])
        assert store.learned(None) == store.learned((THIS_COMPUTER,)) == {"tictactoe/fork"}
        assert store.learned(("another",)) == {"tictactoe/fork", "tictactoe/block"}
