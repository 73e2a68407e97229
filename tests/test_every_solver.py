"""What every solver must keep: the contract of `mnkala.solve.solver`, held against brute force by
the rules alone.

A new solver is added to `CASES` with games that brute force can take.
"""

from __future__ import annotations

import functools
import itertools
import random
import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from mnkala import Position
from mnkala.core import GOING_ON, Rules, parse_game
from mnkala.core.score import Contradiction, Score
from mnkala.errors import BadPlugin, BadPosition
from mnkala.families.connect.solver.solver import ConnectSolver
from mnkala.families.kalah.solver.solver import KalahSolver
from mnkala.search import Limit, Stop, parse_engine
from mnkala.search import heuristic as heuristic_module
from mnkala.solve import (
    Cost,
    FullSearch,
    NoSolver,
    Solver,
    full_search,
    prove,
    register_solver,
    solver_for,
)
from mnkala.solve.effort import Effort
from mnkala.solve.oracle import Oracle, open_oracle
from mnkala.solve.solver import TABLE_MB, Step, solvers
from tests.installed_plugin import example_plugins

CASES = [
    ("connect", "connect:3x4x3"),
    ("connect", "connect4:3x4"),
    ("nim", "nim:3"),
    ("kalah", "kalah:3x2"),
    ("kalah", "kalah:2x3,standard"),
    ("full-search", "tictactoe"),
    ("full-search", "mnk:3x2x2"),
    ("full-search", "kalah:3x2"),
    ("full-search", "kalah:2x3,standard"),
    ("full-search", "domineering:4x3"),
    ("full-search", "connect:3x4x3"),
    pytest.param(
        "full-search", "nim:3", marks=pytest.mark.slow
    ),  # compiled for this alone, and Domineering is a plug-in too
]
every_case = pytest.mark.parametrize(("solver", "game"), CASES, indirect=["solver"])
PERFECT = [
    pytest.param(*case, marks=pytest.mark.slow) if case == ("nim", "nim:3") else case
    for case in CASES
]
"""Engines compile a search for each game."""


@pytest.fixture(scope="module", autouse=True)
def _examples_are_registered() -> Iterator[None]:
    """Two games that mnkala does not bring along, one of them with a solver of its own."""
    with example_plugins("domineering", "nim"):
        yield


@pytest.fixture
def solver(request: pytest.FixtureRequest) -> type[Solver]:
    return next(cls for cls in solvers() if cls.name == request.param)


_tried: dict[tuple[str, int], tuple[int, int]] = {}


def brute(position: Position) -> tuple[int, int]:
    """(margin, plies to the end) for the mover by trying everything: the larger margin, then the
    quicker win or the slower loss.
    """
    return _brute(position.rules, position.state())


def _brute(rules: Rules, state: Any) -> tuple[int, int]:
    result, key = int(rules.result(state)), (rules.game_string(), int(rules.key(state)))
    if result != GOING_ON:
        return result, 0
    if key not in _tried:
        found, buffer = [], np.zeros(rules.most_moves(), np.int64)
        for move in buffer[: rules.moves(state, buffer)].tolist():
            after = rules.play(rules.copy(state), move)
            margin, plies = _brute(rules, after)
            found.append(
                (margin if rules.mover(after) == rules.mover(state) else -margin, plies + 1)
            )
        _tried[key] = max(found, key=lambda each: (each[0], -each[1] if each[0] > 0 else each[1]))
    return _tried[key]


def score_of(position: Position) -> int:
    """The score of a position for its mover."""
    margin, plies = brute(position)
    return int(position.rules.exact_score(position.state(), margin, plies))


@functools.cache
def positions(game: str, count: int = 12) -> tuple[Position, ...]:
    """Unfinished positions of random games, the first one move into the game."""
    chance, start = random.Random(game), Position(parse_game(game))
    found = [start.play_codes(start.legal_codes[1:2])]
    while len(found) < count:
        position, last = found[0], found[0]
        for _ in range(chance.randrange(2, 12)):
            last, position = position, position.play_codes([chance.choice(position.legal_codes)])
            if position.is_over:
                break
        found.append(last if position.is_over else position)
    return tuple(found)


# ---- Answers ----


@every_case
def test_scores_are_those_of_brute_force_for_the_mover(solver: type[Solver], game: str) -> None:
    made = solver(parse_game(game), table_mb=4)
    for position in positions(game):
        found = made.solve(position)
        assert (found.score.exact, found.score.player) == (score_of(position), position.mover)
        if found.score.plies is not None:
            assert found.score.plies == brute(position)[1]
        assert found.score.plies is not None or found.score.exact == 0 or not solver.counts_plies


@every_case
def test_steps_hold_the_truth_and_never_cross(solver: type[Solver], game: str) -> None:
    made = solver(parse_game(game), table_mb=4)
    for position in positions(game):
        low, high = made.span(position)
        steps = list(made.steps(position))
        assert steps
        for before, after in itertools.pairwise(steps):
            assert (
                before.score.lower
                <= after.score.lower
                <= score_of(position)
                <= after.score.upper
                <= before.score.upper
            )
            assert before.nodes <= after.nodes
        assert low <= score_of(position) <= high


@every_case
def test_a_question_within_bounds_is_answered_truly(solver: type[Solver], game: str) -> None:
    made = solver(parse_game(game), table_mb=4)
    for position in positions(game, 6):
        score = score_of(position)
        for number in {score - 2, score - 1, score, score + 1, 0, -1}:
            found = made.solve(position, within=(number, number + 1))
            assert found.score.lower <= score <= found.score.upper, (
                "bounds are true outside of the question too"
            )
            assert (found.score.lower > number) if score > number else (found.score.upper <= number)


def test_a_question_far_from_the_score_of_a_graded_game_is_answered_truly() -> None:
    """A forced loss seen beyond the upper end of a window is no upper bound: the mover may have
    better moves.
    """
    position = Position("kalah:3x3").play("3")
    for number in range(-8, 8):
        found = FullSearch(position.rules, table_mb=1).solve(position, within=(number, number + 1))
        assert found.score.lower <= 6 <= found.score.upper
        assert (found.score.lower > number) == (number < 6)


@every_case
def test_the_weak_form_says_who_wins(solver: type[Solver], game: str) -> None:
    for position in positions(game):
        found = solver(position.rules, table_mb=4).solve(position, weak=True)
        score = score_of(position)
        assert found.score.result == ("win" if score > 0 else "loss" if score < 0 else "draw")
        assert found.score.lower <= score <= found.score.upper


# ---- Limits ----


@every_case
def test_a_raised_flag_and_a_limit_of_nodes_leave_true_bounds(
    solver: type[Solver], game: str
) -> None:
    made, stop = solver(parse_game(game), table_mb=4), Stop()
    stop.set()
    for position in positions(game, 4):
        for found in (made.solve(position, stop=stop), made.solve(position, nodes=1)):
            assert found.score.lower <= score_of(position) <= found.score.upper
        assert made.solve(position).score.exact == score_of(position), (
            "what was interrupted leaves nothing wrong behind"
        )


@every_case
def test_several_threads_each_with_a_solver_find_the_same(solver: type[Solver], game: str) -> None:
    asked, answers = positions(game), {}

    def work(number: int) -> None:
        made = solver(parse_game(game), table_mb=4, threads=1 + number % 2)
        answers[number] = [made.solve(position).score.exact for position in asked]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(answers.values()) == [[score_of(position) for position in asked]] * 4


@every_case
def test_what_is_learnt_is_forgotten_on_demand_and_changes_no_answer(
    solver: type[Solver], game: str
) -> None:
    made = solver(parse_game(game), table_mb=4)
    first = made.solve(positions(game)[0])
    again = made.solve(positions(game)[0])
    made.clear()
    fresh = made.solve(positions(game)[0])
    assert (first.score, again.score) == (fresh.score, fresh.score)
    assert again.nodes <= first.nodes == fresh.nodes


@every_case
def test_orders_and_costs_are_told_without_a_search(solver: type[Solver], game: str) -> None:
    made = solver(parse_game(game), table_mb=4)
    for position in positions(game):
        assert sorted(made.order(position)) == sorted(position.legal_codes)
        assert made.cost(position) is Cost.AT_ONCE


@every_case
def test_what_cannot_be_meant_is_refused(solver: type[Solver], game: str) -> None:
    made = solver(parse_game(game), table_mb=4)
    over = positions(game)[0]
    while not over.is_over:
        over = over.play_codes(over.legal_codes[:1])
    with pytest.raises(BadPosition, match="over"):
        made.solve(over)
    with pytest.raises(BadPosition, match="this solver is for"):
        made.solve(Position("connect4:5x5"))


# ---- The oracle, with every solver ----


@every_case
def test_proofs_know_every_move_and_best_play_to_the_end(solver: type[Solver], game: str) -> None:
    for position in positions(game, 8):
        with Effort() as effort:
            *_, exact = Oracle(solver(position.rules, table_mb=4), None, effort).prove(position)
        assert exact.done
        assert exact.score.exact == score_of(position)
        for known in exact.moves:
            after = position.play_codes((known.code,))
            expected = score_of(after)
            assert known.score.exact == (expected if after.mover == position.mover else -expected)
            end = position.play_codes(known.line_codes)
            assert end.is_over, "lines are followed to the end"
            assert known.score.plies in (None, len(known.line_codes))
            final = Score.final(end)
            assert final.seen_by(position.mover).value == known.score.exact, (
                "and end with the score that was promised"
            )
        assert exact.best_codes


@pytest.mark.parametrize(("solver", "game"), PERFECT, indirect=["solver"])
def test_perfect_plays_by_it(solver: type[Solver], game: str) -> None:
    for position in positions(game, 6):
        found = parse_engine("perfect:book=off").analyse(position, Limit(depth=1), all_moves=True)
        assert found.score is not None
        assert (found.score.value, found.score.kind) == (score_of(position), "exact")
        after = position.play_codes(found.line_codes[:1])
        margin, plies = brute(after)
        assert (margin if after.mover == position.mover else -margin) == brute(position)[0]
        # Kalah's solver proves margins, not how long they take.
        assert (
            plies + 1 == brute(position)[1]
            or brute(position)[0] == 0
            or solver_for(position.rules) is KalahSolver
        )


def test_the_sign_follows_the_mover_where_one_moves_again() -> None:
    """House 2 of Kalah(3,2) ends in the store: the same player moves again."""
    position = Position("kalah:3x2")
    again = position.play("2")
    assert again.mover == position.mover
    with open_oracle(position.rules) as oracle:
        whole, after = oracle.answer(position), oracle.answer(again)
        assert whole.exact == after.before(position.mover).exact == 4
        assert oracle.is_above(again, 3, player=0) is True
        assert oracle.is_above(again, -4, player=1) is False


# ---- The register ----


def test_the_table_of_a_small_game_is_no_larger_than_its_positions_can_fill() -> None:
    small, large = (FullSearch(parse_game(game))._table for game in ("tictactoe", "mnk:4x4x3"))
    assert small.keys.nbytes + small.data.nbytes <= 16 << 20
    assert large.keys.nbytes + large.data.nbytes == TABLE_MB << 20


def test_a_solver_is_found_by_its_game_and_its_absence_is_explained() -> None:
    assert solver_for(parse_game("connect4")) is ConnectSolver
    assert solver_for(parse_game("kalah")) is KalahSolver
    assert solver_for(parse_game("tictactoe")) is FullSearch
    with pytest.raises(
        NoSolver,
        match=r"gomoku cannot be solved exactly: k in a row is solved on boards of at most 36 cells.*"
        "`mnkala analyse gomoku` estimates every move",
    ):
        solver_for(parse_game("gomoku"))
    with pytest.raises(
        NoSolver, match=r"^connect4:20x20 cannot be solved exactly: the solver of Connect takes"
    ):
        solver_for(parse_game("connect4:20x20"))
    with pytest.raises(BadPosition, match="at most 127"):
        ConnectSolver(parse_game("kalah"))


def test_a_solver_that_lacks_a_clause_or_lies_is_told_so() -> None:
    with pytest.raises(
        BadPlugin, match="Half lacks clear, cost, held, kernel_key, prepare, span, steps, why_not"
    ):

        @register_solver
        class Half(Solver):
            name = "half"

    class Liar(FullSearch):
        name = "liar"

        def steps(self, position: Position, **question: Any) -> Iterator[Step]:
            yield self.step(position, 2, 2)

    position = Position("tictactoe")
    with Effort() as effort, pytest.raises(Contradiction, match="at least 2 and of at most 1"):
        list(Oracle(Liar(position.rules, table_mb=1), None, effort).prove(position))


def test_a_solver_of_ones_own_comes_before_the_one_for_any_game() -> None:
    @register_solver
    class Own(FullSearch):
        """Only for boards of three columns."""

        name = "own"
        any_game = False

        @classmethod
        def why_not(cls, rules: Rules) -> str | None:
            return None if getattr(rules, "cols", 0) == 3 else "only boards with three columns"

    assert solver_for(parse_game("tictactoe")) is Own
    assert solver_for(parse_game("mnk:3x4x3")) is FullSearch
    *_, exact = prove(Position("tictactoe").play("b2a1"))
    assert exact.score.result == "draw"


def test_a_plug_ins_heuristic_that_names_urgent_moves_is_not_believed() -> None:
    class Bold(type(heuristic_module.heuristic_for("room", parse_game("domineering")))):  # type: ignore[misc]
        """Says that the first move must be played, always."""

        def urgent(self, rules: Any, state: Any, memory: Any) -> int:
            return 0

    Bold.__module__ = "bold_plugin"
    heuristic_module.register_heuristic("bold", "Bold.", lambda rules: Bold())
    rules = parse_game("domineering:4x3")
    assert full_search.search_for(rules).heuristic == "auto", (
        "a heuristic that only counts may order the moves"
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(rules), "heuristic", "bold")
        assert full_search.search_for(rules).heuristic == "nothing"


def test_a_game_that_goes_on_and_on_has_no_solver() -> None:
    class Endless(type(parse_game("nim:3"))):  # type: ignore[misc]
        """Nobody ever takes anything."""

        def moves(self, state: Any, out: Any) -> int:
            out[0] = 0
            return 1

        def play(self, state: Any, move: int) -> Any:
            return state._replace(mover=np.int64(1 - state.mover))

    assert FullSearch.why_not(Endless()) is not None
