"""What is told of solved positions: bounds of every move, lines, the opening book, and puzzles that are what they claim to be."""

from __future__ import annotations

import functools
import itertools
import random

import pytest

from mnkala import Position
from mnkala.errors import BadPosition
from mnkala.games import parse_game
from mnkala.play.exact import BY_BOOK, BY_RULES, Exact, exact
from mnkala.play.opening import opening
from mnkala.play.puzzle_game import NotSolvedInTime, attempt, needed_score, reasons_for, solution
from mnkala.play.puzzle_sets import puzzle_set
from mnkala.search import Stop
from mnkala.solve import ConnectSolver, plies_to_end
from mnkala.solve.questions import empty_cells
from tests.reference_solver import all_moves

LENGTHS = range(3, 9)


@functools.cache
def worth(position: Position) -> int:
    """The score of a position by trying everything, for its mover: Pons' scale, nothing clever."""
    rules, state = position.rules, position.state()
    if position.is_over:
        return int(rules.exact_score(state, int(rules.result(state)), 0))
    return max(-worth(position.play_codes((move,))) for move in position.legal_codes)


def some_positions(game: str, count: int, least: int) -> list[Position]:
    rng = random.Random(game)
    found: list[Position] = []
    while len(found) < count:
        position = Position(game)
        for _ in range(rng.randrange(least, position.rules.longest_game())):
            if not position.is_over:
                position = position.play_codes([rng.choice(position.legal_codes)])
        if not position.is_over:
            found.append(position)
    return found


@pytest.mark.parametrize(("game", "least"), [("connect4:4x4", 8), ("connect:3x5x3", 5), ("connect4:4x5", 12)])
def test_every_move_is_worth_what_trying_everything_says(game: str, least: int) -> None:
    for position in some_positions(game, 12, least):
        found = exact(position)
        assert found.done
        assert found.lower == found.upper == worth(position)
        for known in found.moves:
            assert known.score == -worth(position.play_codes((known.move,)))
            end = position.play_codes(known.line)
            assert end.is_over
            assert len(known.line) == plies_to_end(known.lower, empty_cells(position))
            assert known.reasons or known.score == 0


def test_bounds_hold_the_truth_from_the_first_report_to_the_last() -> None:
    position = Position("connect4").play("444442263")
    heard: list[Exact] = []
    final = exact(position, heard.append)
    assert len(heard) > 7
    truth = {known.move: known.lower for known in final.moves}
    for earlier, later in itertools.pairwise(heard):
        assert earlier.lower <= later.lower <= later.upper <= earlier.upper
        for before, after in zip(earlier.moves, later.moves, strict=True):
            assert before.lower <= after.lower <= truth[after.move] <= after.upper <= before.upper


def test_a_raised_flag_ends_it_before_it_begins() -> None:
    stop = Stop()
    stop.set()
    found = exact(Position("connect4:7x7"), stop=stop)
    assert not found.done
    assert found.nodes == 0


def test_a_move_that_ends_the_game_is_known_by_the_rules() -> None:
    found = exact(Position("connect4").play("121212"))
    assert next(known for known in found.moves if known.move == 0).source == BY_RULES
    assert found.best == (0,)
    assert found.line == (0,)


def test_what_cannot_be_solved_is_refused_with_a_reason() -> None:
    for position in (Position("gomoku"), Position("connect4:10x11"), Position("connect4").play("1212121")):
        with pytest.raises(BadPosition, match="solve"):
            exact(position)


# ---- The book ----


def test_the_opening_of_a_position_is_that_of_its_mirror_image() -> None:
    one, other = opening(Position("connect4").play("4433")), opening(Position("connect4").play("4455"))
    assert one.book == other.book is not None
    assert one.bounds == other.bounds
    mirrored = {6 - known.move: (known.lower, known.upper) for known in other.moves}
    assert {known.move: (known.lower, known.upper) for known in one.moves} == mirrored


def test_what_the_book_has_is_what_the_solver_finds() -> None:
    position = Position("connect4").play("444444")
    solver = ConnectSolver(position.rules)
    scores = {move: known.score for move, known in all_moves(solver, position).items()}
    before = {known.move: known.score for known in opening(position.back()).moves}
    assert before[3] == -max(score for score in scores.values() if score is not None)
    settled = [known for known in opening(position).moves if known.source == BY_BOOK]
    assert all(known.score == scores[known.move] for known in settled)


# ---- Puzzles ----


@pytest.mark.parametrize("win_in", LENGTHS)
def test_the_puzzles_of_the_package_are_proved(win_in: int) -> None:
    rules = parse_game("connect4")
    solver = ConnectSolver(rules)
    puzzles = puzzle_set(rules, win_in)
    assert len({puzzle.moves for puzzle in puzzles}) == len(puzzles) >= 20
    for puzzle in puzzles:
        position = puzzle.position
        needed = needed_score(position, win_in)
        # 1. The mover wins in exactly so many moves, and only one move wins at all.
        assert solver.solve(position, within=(needed - 1, needed + 1)).score == needed
        after = {move: position.play_codes((move,)) for move in position.legal_codes}
        winning = [move for move, place in after.items() if place.is_over or solver.solve(place, within=(-1, 0)).upper < 0]
        assert [rules.move_text(move) for move in winning] == [puzzle.solution[0]]
        # 2. The solution is a game of that length that ends with the win.
        end = position.play(",".join(puzzle.solution))
        assert len(puzzle.solution) == 2 * win_in - 1
        assert end.outcome is not None
        assert end.outcome.winner == position.mover


def test_a_puzzle_is_lost_by_no_answer_of_the_defender() -> None:
    puzzle = puzzle_set(parse_game("connect4"), 5)[3]
    position, left = puzzle.position, 5
    while left:
        move = solution(position, left)[0]
        assert reasons_for(position, solution(position, left))
        tried = attempt(position, left, move)
        assert tried.right
        assert tried.solved == (left == 1)
        position, left = tried.answered, tried.left
    assert position.is_over


def test_a_move_that_wins_too_late_is_wrong_and_says_when_it_wins() -> None:
    """The first player wins in two on the bottom row, but has slower wins as well."""
    position = Position("connect4").play("4455")
    right = [move for move in position.legal_moves if attempt(position, 2, move).right]
    assert right == ["3", "6"]
    late = attempt(position, 2, "1")
    assert not late.right
    assert late.reply is None
    assert late.known.score is not None
    assert late.known.score < needed_score(position, 2)
    with pytest.raises(NotSolvedInTime, match="no win in 2"):
        solution(Position("connect4"), 2, seconds=2)
