"""What is told of solved positions: bounds of every move, lines, the opening book, and puzzles that
are what they claim to be.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from mnkala import Position
from mnkala.core import parse_game
from mnkala.core.score import BY_BOOK, BY_RULES
from mnkala.errors import MnkalaError
from mnkala.explain.verdicts import proved_verdicts
from mnkala.families.connect.puzzles import needed_score
from mnkala.families.connect.solver.solver import ConnectSolver
from mnkala.play.opening_explorer import explore_opening
from mnkala.play.puzzle_contract import NotSolvedInTime
from mnkala.play.puzzles import attempt, puzzle_set, reasons_for, solution
from mnkala.play.view import make_view
from mnkala.search import Stop
from mnkala.solve import Exact, prove
from mnkala.solve.oracle import out_of_reach
from mnkala.solve.solver import forget_solvers, lent_solver
from tests.brute_force import some_positions, truth
from tests.reference_solver import all_moves

LENGTHS = range(3, 9)


def proof(position: Position, **options: Any) -> Exact:
    """The last word of the oracle."""
    *_, last = prove(position, **options)
    return last


@pytest.mark.parametrize(
    ("game", "least"), [("connect4:4x4", 8), ("connect:3x5x3", 5), ("connect4:4x5", 12)]
)
def test_every_move_is_worth_what_trying_everything_says(game: str, least: int) -> None:
    for position in some_positions(game, 12, least):
        found = proof(position)
        assert found.done
        assert found.score.exact == truth(position)
        reasons = proved_verdicts(found)
        for known in found.moves:
            assert known.score.exact == -truth(position.play_codes((known.code,)))
            end = position.play_codes(known.line_codes)
            assert end.is_over
            assert len(known.line_codes) == known.score.plies
            assert reasons[known.code] or known.score.exact == 0


def test_bounds_hold_the_truth_from_the_first_step_to_the_last() -> None:
    heard = list(prove(Position("connect4").play("444442263")))
    assert len(heard) > 7
    scores = {known.code: known.score.lower for known in heard[-1].moves}
    for earlier, later in itertools.pairwise(heard):
        assert earlier.score.lower <= later.score.lower <= later.score.upper <= earlier.score.upper
        for before, after in zip(earlier.moves, later.moves, strict=True):
            assert (
                before.score.lower
                <= after.score.lower
                <= scores[after.code]
                <= after.score.upper
                <= before.score.upper
            )


def test_a_raised_flag_ends_it_before_it_begins() -> None:
    stop = Stop()
    stop.set()
    found = proof(Position("connect4:7x7"), stop=stop)
    assert not found.done
    assert found.nodes == 0


def test_a_stream_that_is_closed_ends_and_gives_its_solver_back() -> None:
    forget_solvers()
    stream = prove(Position("connect4"), book=False)
    assert next(stream).score.exact is None
    stream.close()
    with lent_solver(parse_game("connect4")) as kept:
        assert kept.solve(Position("connect4").play("1212123")).score.exact is not None


def test_a_move_that_ends_the_game_is_known_by_the_rules() -> None:
    found = proof(Position("connect4").play("121212"))
    assert next(known for known in found.moves if known.code == 0).score.source == BY_RULES
    assert found.best_codes == (0,)
    assert found.line_codes == (0,)


@pytest.mark.parametrize("position", [Position("gomoku"), Position("connect4").play("1212121")])
def test_what_cannot_be_solved_is_refused_with_a_reason(position: Position) -> None:
    with pytest.raises(MnkalaError, match="solve"):
        proof(position)


def test_what_a_game_has_and_what_is_within_reach_are_two_questions() -> None:
    late = Position("kalah", literal="<6,20,20,0,0,1,0,1,2,0,0,0,2,1,1>")
    assert out_of_reach(late) is None
    for hopeless in (Position("kalah:6x5"), Position("connect4:7x8"), Position("connect4:10x11")):
        view = make_view(hopeless)
        assert view.solver
        assert "out of reach" in str(out_of_reach(hopeless))
    assert "cannot be solved" in str(out_of_reach(Position("gomoku")))
    assert out_of_reach(Position("connect4")) is None, "the book has it"
    tictactoe, kalah = make_view(Position("tictactoe")), make_view(late)
    assert (tictactoe.book, tictactoe.puzzles, tictactoe.noun, tictactoe.graded) == (
        False,
        True,
        "cell",
        False,
    )
    assert (kalah.solver, kalah.noun, kalah.graded) == (True, "house", True)


# ---- The book ----


def test_the_opening_of_a_position_is_that_of_its_mirror_image() -> None:
    one, other = (
        explore_opening(Position("connect4").play("4433")),
        explore_opening(Position("connect4").play("4455")),
    )
    assert one.book == other.book is not None
    assert one.score == other.score
    mirrored = {6 - known.code: known.score.within for known in other.moves}
    assert {known.code: known.score.within for known in one.moves} == mirrored


def test_what_the_book_has_is_what_the_solver_finds() -> None:
    position = Position("connect4").play("444444")
    solver = ConnectSolver(position.rules)
    scores = {move: known.exact for move, known in all_moves(solver, position).items()}
    before = {known.code: known.score.exact for known in explore_opening(position.back()).moves}
    assert before[3] == -max(score for score in scores.values() if score is not None)
    settled = [known for known in explore_opening(position).moves if known.score.source == BY_BOOK]
    assert all(known.score.exact == scores[known.code] for known in settled)


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
        assert solver.solve(position, within=(needed - 1, needed + 1)).score.exact == needed
        after = {move: position.play_codes((move,)) for move in position.legal_codes}
        winning = [
            move
            for move, place in after.items()
            if place.is_over or solver.solve(place, within=(-1, 0)).score.upper < 0
        ]
        assert [rules.move_text(move) for move in winning] == [puzzle.solution[0]]
        # 2. The solution is a game of that length that ends with the win.
        end = position.play(",".join(puzzle.solution))
        assert len(puzzle.solution) == 2 * win_in - 1
        assert end.outcome is not None
        assert end.outcome.winner == position.mover


def test_a_puzzle_is_lost_by_no_answer_of_the_defender() -> None:
    puzzle = puzzle_set(parse_game("connect4"), 5)[3]
    position, left = puzzle.position, int(puzzle.goal)
    while left:
        move = solution(position, left)[0]
        assert reasons_for(position, solution(position, left))
        tried = attempt(position, left, move)
        assert tried.right
        assert tried.solved == (left == 1)
        position, left = tried.answered, int(tried.left)
    assert position.is_over


def test_a_move_that_wins_too_late_is_wrong_and_says_when_it_wins() -> None:
    """The first player wins in two on the bottom row, but has slower wins as well."""
    position = Position("connect4").play("4455")
    right = [move for move in position.legal_moves if attempt(position, 2, move).right]
    assert right == ["3", "6"]
    late = attempt(position, 2, "1")
    assert not late.right
    assert late.reply is None
    assert late.known.exact is not None
    assert late.known.exact < needed_score(position, 2)
    with pytest.raises(NotSolvedInTime, match="no win in 2"):
        solution(Position("connect4"), 2, seconds=2)
