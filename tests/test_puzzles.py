"""Puzzles: what they claim is checked by plain search of whole small games, and by the solver on
the usual board.
"""

from __future__ import annotations

import itertools
import json
import random

import pytest

from mnkala.cli import run
from mnkala.core import Position, Rules, parse_game
from mnkala.errors import BadGame
from mnkala.families.connect.puzzles import WinPuzzle, careful_game, stars_for
from mnkala.families.connect.solver.solver import ConnectSolver, plies_to_end
from mnkala.play.puzzle_contract import MOST_STARS, BadPuzzle
from mnkala.play.puzzles import make_puzzles, puzzles_of, shipped_goals
from mnkala.search import Stop
from tests.brute_force import truth
from tests.reference_solver import all_moves

SMALL = (
    ("connect4:4x5", range(2, 4), 6),
    ("connect:4x4x3", range(2, 4), 6),
    ("connect4:5x4", range(2, 5), 6),
)


def wins_of(rules: Rules, lengths: range, count: int, seed: int) -> list[WinPuzzle]:
    return [
        puzzle
        for puzzle in make_puzzles(rules, lengths, count, seed)
        if isinstance(puzzle, WinPuzzle)
    ]


def replayed(puzzle: WinPuzzle) -> list[Position]:
    """The position of a puzzle and those of its solution."""
    positions = [puzzle.position]
    for move in puzzle.solution:
        positions.append(positions[-1].play(move))
    return positions


@pytest.mark.parametrize(("game", "lengths", "count"), SMALL)
def test_one_move_wins_and_in_so_many_moves_by_plain_search(
    game: str, lengths: range, count: int
) -> None:
    found = wins_of(parse_game(game), lengths, count, seed=3)
    assert len(found) == count
    for puzzle in found:
        position = puzzle.position
        assert not position.is_over
        scores = {move: -truth(position.play(move)) for move in position.legal_moves}
        assert [move for move, score in scores.items() if score > 0] == [puzzle.solution[0]]
        cells = position.rules.longest_game() - len(position.history)
        assert (
            plies_to_end(scores[puzzle.solution[0]], cells)
            == 2 * puzzle.win_in - 1
            == len(puzzle.solution)
        )
        positions = replayed(puzzle)
        assert all(
            truth(after) == -truth(before) for before, after in itertools.pairwise(positions)
        ), "best play by both"
        assert positions[-1].outcome is not None
        assert positions[-1].outcome.winner == position.mover


def test_puzzles_of_the_usual_board_hold_by_a_solver_of_their_own() -> None:
    rules = parse_game("connect4")
    found = wins_of(rules, range(3, 7), 8, seed=1)
    assert sorted(puzzle.win_in for puzzle in found) == [3, 3, 4, 4, 5, 5, 6, 6], (
        "spread over the lengths"
    )
    for puzzle in found:
        moves = all_moves(ConnectSolver(rules), puzzle.position)
        winning = [move for move, known in moves.items() if known.result == "win"]
        assert [rules.move_text(move) for move in winning] == [puzzle.solution[0]]
        assert moves[winning[0]].plies == 2 * puzzle.win_in - 1
        assert replayed(puzzle)[-1].is_over
        assert 1 <= puzzle.grade.stars <= MOST_STARS
    boards = {
        min(cells, tuple(row[::-1] for row in cells))
        for cells in (rules.picture(each.position.state()).cells for each in found)
    }
    assert len(boards) == len(found), "no two are alike"


def test_no_puzzle_is_a_mere_block_or_a_win_at_once() -> None:
    for puzzle in make_puzzles(parse_game("connect4:5x5"), range(2, 4), 8, seed=5):
        position = puzzle.position
        replies = {move: position.play(move) for move in position.legal_moves}
        assert all(after.outcome is None for after in replies.values())
        safe = [
            move
            for move, after in replies.items()
            if not any(after.play_codes([reply]).outcome for reply in after.legal_codes)
        ]
        assert len(safe) > 2


def test_the_same_seed_gives_the_same_puzzles_and_another_gives_others() -> None:
    rules = parse_game("connect4:5x6")
    one, again, other = (list(make_puzzles(rules, range(2, 4), 4, seed)) for seed in (1, 1, 2))
    assert one == again
    assert one != other


def test_a_raised_flag_ends_the_search_and_so_does_a_board_without_puzzles() -> None:
    stop = Stop()
    found = []
    for puzzle in make_puzzles(parse_game("connect4"), range(2, 4), 50, stop=stop):
        found.append(puzzle)
        stop.set()
    assert len(found) == 1
    heard: list[tuple[int, int]] = []
    assert not list(
        make_puzzles(
            parse_game("connect4:4x4"),
            range(9, 12),
            2,
            report=lambda *progress: heard.append(progress),
        )
    )
    assert heard[-1][0] == 0
    assert heard[-1][1] > 100, "it gave up in the end"


def test_the_games_are_careful() -> None:
    rng = random.Random(4)
    for before, after in itertools.pairwise(careful_game(parse_game("connect4"), rng)):
        winning = [move for move in before.legal_codes if before.play_codes([move]).is_over]
        assert not winning, "a win is taken, and then the game is over"
        assert after.back().moves == before.moves


def test_what_cannot_be_made_is_refused() -> None:
    rules = parse_game("connect4")
    with pytest.raises(BadPuzzle, match="2 to 12"):
        next(make_puzzles(rules, range(1, 4), 1))
    with pytest.raises(BadPuzzle, match="0 puzzles"):
        next(make_puzzles(rules, range(3, 4), 0))
    with pytest.raises(BadGame, match="there are puzzles for Connect boards"):
        next(make_puzzles(parse_game("mnk:40x40x3"), range(3, 4), 1))


def test_more_to_see_makes_more_stars() -> None:
    assert stars_for(2, 1, 0, 0) == 1
    assert stars_for(8, 3, 2, 4) == 5
    for win_in, rank, tempting, quiet in itertools.product(
        range(2, 9), range(1, 4), range(4), range(5)
    ):
        assert stars_for(win_in, rank, tempting, quiet) <= stars_for(
            win_in + 1, rank + 1, tempting + 1, quiet + 1
        )


def test_the_command_hides_its_solutions_unless_asked(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["puzzles", "connect4:5x5", "--win-in", "2..3", "-n", "3", "--seed", "2"]
    assert run(command) == 0
    shown = capsys.readouterr().out
    assert shown.count("win in") == 3
    assert "solution 1" not in shown
    assert run([*command, "--solutions"]) == 0
    assert "solution 3: " in capsys.readouterr().out
    assert run([*command, "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(told) == 3
    assert set(told[0]) == {"game", "moves", "position", "mover", "win_in", "solution", "grade"}
    assert (
        Position(told[0]["game"], literal=told[0]["position"]).literal
        == Position("connect4:5x5").play(told[0]["moves"]).literal
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--win-in", "many"], "such as 5 or 3..8"),
        (["--win-in", "8..3"], "2 to 12"),
        (["-n", "0"], "at least 1"),
    ],
)
def test_the_command_says_what_it_takes(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["puzzles", "connect4", *arguments]) == 2
    assert said in capsys.readouterr().err
    assert run(["puzzles", "mnk:40x40x3"]) == 2
    assert "there are no puzzles for mnk:40x40x3" in capsys.readouterr().err


def check_first_moves(game: str, every: int) -> None:
    """Every so many puzzles that come with a game have one right first move, by the judge of moves."""
    rules = parse_game(game)
    family = puzzles_of(rules)
    for goal, some in shipped_goals(game).items():
        for puzzle in some[::every]:
            position = puzzle.position
            with family.judge(position, None, None) as judge:
                right = [
                    move
                    for move in position.legal_moves
                    if family.attempt(judge, position, goal, move).right
                ]
            assert right == [puzzle.solution[0]], puzzle


SHIPPED = ("connect4", "gomoku", "tictactoe", "kalah")


@pytest.mark.parametrize("game", SHIPPED)
def test_puzzles_that_come_with_the_package_have_one_right_first_move(game: str) -> None:
    check_first_moves(game, 8)


@pytest.mark.slow
@pytest.mark.parametrize("game", SHIPPED)
def test_all_puzzles_that_come_with_the_package_have_one_right_first_move(game: str) -> None:
    check_first_moves(game, 1)
