"""Puzzles of Gomoku and tic-tac-toe: what they claim is held against a slow board and against brute
force, and each can be played.
"""

from __future__ import annotations

import functools
import random

import pytest

from mnkala.cli import run
from mnkala.core import Position, parse_game
from mnkala.errors import IllegalMove
from mnkala.families.lines.puzzles import (
    DEFENCE,
    FOURS,
    KINDS,
    THREATS,
    Judge,
    ThreatMaker,
    ThreatPuzzle,
    ThreatPuzzles,
    stars_for,
)
from mnkala.families.lines.rules import Mnk
from mnkala.play.one_move_puzzles import SAVE, WIN, OneMove
from mnkala.play.puzzle_contract import MOST_STARS, BadPuzzle
from mnkala.play.puzzles import (
    attempt,
    left_after,
    make_puzzles,
    puzzle_set,
    puzzles_of,
    reasons_for,
    solution,
)
from mnkala.search import Stop
from tests.line_claims import SlowBoard, assert_victory

GOMOKU, TICTACTOE = parse_game("gomoku"), parse_game("tictactoe")
SHOWN = 4
"""Puzzles of each kind that are looked at."""


def shipped(kind: str) -> list[ThreatPuzzle]:
    return [
        puzzle for puzzle in puzzle_set(GOMOKU, kind)[:SHOWN] if isinstance(puzzle, ThreatPuzzle)
    ]


@functools.cache
def truth(literal: str) -> int:
    """The result of a position of tic-tac-toe for the player to move, by trying everything."""
    position = Position("tictactoe", literal=literal)
    return max(value_of(position, code) for code in position.legal_codes)


def value_of(position: Position, code: int) -> int:
    """The result of a move for the player who makes it."""
    after = position.play_codes((code,))
    if after.outcome is not None:
        return 0 if after.outcome.winner is None else 1
    return -truth(str(after.literal))


def completed(position: Position, line: list[int]) -> list[int]:
    """A victory up to its last four, with the line completed."""
    after = position.play_codes(line)
    return (
        line
        if after.is_over
        else [*line, next(code for code in after.legal_codes if after.play_codes((code,)).is_over)]
    )


@pytest.mark.parametrize("kind", KINDS)
def test_there_are_puzzles_of_every_kind_and_no_two_are_alike(kind: str) -> None:
    found = puzzle_set(GOMOKU, kind)
    assert len(found) >= 12
    boards = {
        min(cells, tuple(row[::-1] for row in cells))
        for cells in (GOMOKU.picture(each.position.state()).cells for each in found)
    }
    assert len(boards) == len(found)
    assert all(1 <= each.grade.stars <= MOST_STARS for each in found)


def test_a_win_by_fours_forces_every_answer() -> None:
    for puzzle in shipped(FOURS):
        position = puzzle.position
        line = list(position.rules.parse_moves(" ".join(puzzle.solution)))
        player = position.mover
        if len(line) % 2 == 0:
            line = completed(position, line)
        assert position.play_codes(line).outcome is not None
        assert position.play_codes(line).outcome.winner == player  # type: ignore[union-attr]
        board = SlowBoard(position)
        assert_victory(board, player, list(map(board.cell, line)))


def test_only_the_solution_keeps_a_win_by_fours() -> None:
    judge = Judge(GOMOKU, Stop())  # type: ignore[arg-type]
    for puzzle in shipped(FOURS)[:2]:
        position = puzzle.position
        right = [
            position.rules.move_text(move)
            for move in position.legal_codes
            if judge.keeps(position, move, FOURS)
        ]
        assert right == [puzzle.solution[0]]


def test_after_every_other_answer_the_opponent_still_wins_by_fours() -> None:
    puzzle = shipped(DEFENCE)[0]
    position, judge = puzzle.position, Judge(GOMOKU, Stop())  # type: ignore[arg-type]
    for move in position.legal_codes[::7]:
        text = position.rules.move_text(move)
        if text == puzzle.solution[0]:
            continue
        tried = attempt(position, DEFENCE, text)
        assert not tried.right
        after = position.play_codes((move,))
        line, board = list(after.rules.parse_moves(" ".join(tried.line[1:]))), SlowBoard(after)
        assert_victory(
            board,
            after.mover,
            list(map(board.cell, completed(after, line) if len(line) % 2 == 0 else line)),
        )
        assert [reason.key for reason in tried.said] == ["lines.puzzle.still_wins"]
    right = position.play(puzzle.solution[0])
    assert not judge.by_fours(right.state().cells, right.mover)
    assert attempt(position, DEFENCE, puzzle.solution[0]).solved


@pytest.mark.parametrize("kind", [FOURS, THREATS])
def test_a_puzzle_is_solved_by_following_what_is_advised(kind: str) -> None:
    puzzle = shipped(kind)[0]
    position, played = puzzle.position, 0
    player = position.mover
    assert reasons_for(position, puzzle.solution)
    while True:
        tried = attempt(position, kind, solution(position, kind)[0])
        assert tried.right, f"{position.moves}: {tried.move}"
        played += 1
        if tried.solved:
            break
        assert tried.reply is not None
        position = tried.answered
        assert (
            left_after(
                puzzle.position.play(",".join(position.history[len(puzzle.position.history) :])),
                kind,
            )
            == kind
        )
    assert played >= 3
    assert tried.after.outcome is not None
    assert tried.after.outcome.winner == player


def test_what_is_said_of_wrong_moves_is_their_own_fault() -> None:
    puzzle = shipped(FOURS)[0]
    position = puzzle.position
    far = next(move for move in ("a1", "o15", "a15", "o1") if move in position.legal_moves)
    tried = attempt(position, FOURS, far)
    assert not tried.right
    assert [reason.key for reason in tried.said] == ["lines.puzzle.no_four"]
    assert "makes no four" in tried.said[0].text()
    tried = attempt(shipped(THREATS)[0].position, THREATS, far)
    assert [reason.key for reason in tried.said] == ["lines.puzzle.no_threat"]


def test_the_same_seed_gives_the_same_puzzles() -> None:
    rules = parse_game("gomoku:9")
    one, again = (list(make_puzzles(rules, [THREATS], 1, 3)) for _ in range(2))
    assert one == again
    assert one


def test_a_position_turned_or_mirrored_is_no_new_puzzle() -> None:
    maker = ThreatPuzzles().maker(GOMOKU, Stop())
    assert isinstance(maker, ThreatMaker)
    puzzle = shipped(THREATS)[0]
    assert maker.from_position(puzzle.position, set(KINDS)) is not None
    assert isinstance(GOMOKU, Mnk)
    mirrored = [
        code // GOMOKU.cols * GOMOKU.cols + GOMOKU.cols - 1 - code % GOMOKU.cols
        for code in puzzle.position.history_codes
    ]
    assert maker.from_position(Position(GOMOKU).play_codes(mirrored), set(KINDS)) is None


def test_every_puzzle_of_tic_tac_toe_has_one_right_move_and_it_is_not_obvious() -> None:
    for kind, needed in ((WIN, 1), (SAVE, 0)):
        found = puzzle_set(TICTACTOE, kind)
        assert found
        for puzzle in found:
            assert isinstance(puzzle, OneMove)
            position = puzzle.position
            values = {
                position.rules.move_text(code): value_of(position, code)
                for code in position.legal_codes
            }
            assert all(position.play(move).outcome is None for move in values)
            assert [move for move, value in values.items() if value >= needed] == [
                puzzle.solution[0]
            ]
            assert attempt(position, kind, puzzle.solution[0]).solved
            assert not attempt(
                position, kind, next(move for move in values if move != puzzle.solution[0])
            ).right


@pytest.mark.parametrize(("game", "kind"), [("mnk:4x4x3", WIN), ("mnk:3x4x3", SAVE)])
def test_other_small_boards_have_puzzles_too(game: str, kind: str) -> None:
    found = list(make_puzzles(parse_game(game), [kind], 1, 3))
    assert found
    for puzzle in found:
        assert attempt(puzzle.position, kind, puzzle.solution[0]).solved


def test_what_is_no_kind_or_no_board_for_it_is_refused() -> None:
    with pytest.raises(BadPuzzle, match="fours, threats, defence"):
        puzzles_of(GOMOKU).read_goals("mate")
    with pytest.raises(BadPuzzle, match="only-win, only-draw"):
        puzzles_of(TICTACTOE).read_goals("fours")
    position = puzzle_set(GOMOKU, DEFENCE)[0].position
    with pytest.raises(IllegalMove, match="nothing left to try"):
        left_after(position, DEFENCE, ("h8", "h9"))


def test_longer_victories_and_more_temptations_are_harder() -> None:
    rng = random.Random(1)
    for _ in range(50):
        moves, rank, tempting = rng.randint(3, 12), rng.randint(1, 5), rng.randint(0, 6)
        assert (
            1
            <= stars_for(moves, rank, tempting)
            <= stars_for(moves + 1, rank, tempting)
            <= MOST_STARS
        )
        assert stars_for(moves, rank, tempting) <= stars_for(moves, rank + 1, tempting + 1)


def test_the_command_makes_them_and_names_the_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["puzzles", "tictactoe", "-n", "2", "--kind", "only-win", "--solutions"]) == 0
    assert "only one move wins" in capsys.readouterr().out
    assert run(["puzzles", "gomoku", "--win-in", "3"]) == 2
    assert (
        "--win-in does not fit gomoku; its puzzles are chosen by --kind" in capsys.readouterr().err
    )
