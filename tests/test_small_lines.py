"""(m,n,k)-games on small boards, solved by threats: answers that are those of a full search where
both can be asked.
"""

from __future__ import annotations

import random

import pytest

from mnkala import Position
from mnkala.core import parse_game
from mnkala.families.lines.solver import SmallLinesSolver
from mnkala.search import Stop, parse_engine
from mnkala.solve import Cost, FullSearch, find_solver, prove
from mnkala.solve.solver import Step

FROM_THE_START = {
    "4x4x4": 0,
    "4x4x3": 1,
    "5x3x3": 1,
    "7x2x4": 0,
    "5x4x4": 0,
    "5x5x4": 0,
    "6x4x4": 0,
    "6x5x4": 1,
    "6x6x4": 1,
    "7x5x4": 1,
    "5x5x5": 0,
    "6x6x5": 0,
}
"""What this solver found when it was written, kept so that a change is noticed; nobody else's
proofs were at hand.
"""


@pytest.mark.parametrize(("size", "expected"), FROM_THE_START.items())
def test_the_starts_keep_the_values_that_were_found(size: str, expected: int) -> None:
    rules = parse_game(f"mnk:{size}")
    assert find_solver(rules) is SmallLinesSolver
    assert SmallLinesSolver(rules, table_mb=1).solve(Position(rules)).score.exact == expected


def late_positions(game: str, count: int, marks: range) -> list[Position]:
    """Positions of random games with so many marks."""
    chance, rules = random.Random(game), parse_game(game)
    found: list[Position] = []
    while len(found) < count:
        position, wanted = Position(rules), chance.choice(marks)
        while not position.is_over and len(position.history) < wanted:
            position = position.play_codes([chance.choice(position.legal_codes)])
        if not position.is_over:
            found.append(position)
    return found


def test_answers_are_those_of_a_full_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of positions where both can be asked, with the short cut to the full search taken away."""
    boards = {
        "mnk:5x4x4": range(9, 13),
        "mnk:5x5x4": range(13, 17),
        "mnk:4x4x4": range(3, 10),
        "mnk:4x4x3": range(1, 8),
        "mnk:5x3x3": range(7),
        "mnk:3x5x4": range(2, 8),
        "mnk:2x7x3": range(6),
    }
    truths = {}
    for game, marks in boards.items():
        full = FullSearch(parse_game(game), table_mb=16)
        for position in late_positions(game, 20, marks):
            truths[position] = full.solve(position).score.exact
    monkeypatch.setattr(FullSearch, "cost", lambda *_, **__: Cost.HOPELESS)
    for game in boards:
        solver = SmallLinesSolver(parse_game(game), table_mb=1)
        mine = [position for position in truths if position.game == game]
        assert {position: solver.solve(position).score.exact for position in mine} == {
            position: truths[position] for position in mine
        }
    assert {-1, 0, 1} <= set(truths.values())


def test_a_step_says_only_what_is_proved_and_questions_of_no_interest_are_not_asked() -> None:
    start = Position("mnk:5x5x4")
    solver = SmallLinesSolver(start.rules, table_mb=1)
    solver.clear()
    bounds = [(step.score.lower, step.score.upper) for step in solver.steps(start)]
    assert bounds == [(-1, 0), (0, 0)]
    assert [
        (step.score.lower, step.score.upper) for step in solver.steps(start, within=(0, 1))
    ] == [(-1, 0)]
    assert [
        (step.score.lower, step.score.upper) for step in solver.steps(start, within=(-1, 0))
    ] == [(0, 1)]


def test_it_ends_early_when_it_is_told_to() -> None:
    start = Position("mnk:6x4x4")
    solver, stop = SmallLinesSolver(start.rules, table_mb=1), Stop()
    solver.clear()
    assert [(step.score.lower, step.score.upper) for step in solver.steps(start, nodes=50)] == [
        (-1, 1)
    ]
    stop.set()
    assert [(step.score.lower, step.score.upper) for step in solver.steps(start, stop=stop)] == [
        (-1, 1)
    ]


def test_near_the_end_the_moves_are_counted_too() -> None:
    for moves, score, plies in (
        ("b2 a1 c2 a2 d2 a3", 1, 1),
        ("b3 a1 c3 a5 e1 e5", 1, 3),
        ("b3 a1 c3 a2 d3", -1, 2),
    ):
        *_, exact = prove(Position("mnk:5x5x4").play(moves))
        assert (exact.score.exact, exact.score.plies) == (score, plies)


def test_perfect_wins_what_is_won_and_loses_nothing_that_is_drawn() -> None:
    """Against random moves: from a won start it wins; from a drawn one it does not lose."""
    engine = parse_engine("perfect:nodes=5000")
    for game, seed in (("mnk:6x5x4", 1), ("mnk:5x5x4", 2)):
        position, chance = Position(game), random.Random(seed)
        while not position.is_over:
            moves = (
                [engine.analyse(position).line_codes[0]]
                if position.mover == 0
                else [chance.choice(position.legal_codes)]
            )
            position = position.play_codes(moves)
        assert position.outcome is not None
        assert position.outcome.winner in ((0,) if game == "mnk:6x5x4" else (0, None))


@pytest.mark.parametrize(
    "game",
    ["tictactoe", "mnk:4x3x3", "mnk:7x7x4", "gomoku", "mnk:5x5x4,exact", "connect4", "kalah"],
)
def test_other_games_have_other_solvers_or_none(game: str) -> None:
    rules = parse_game(game)
    assert SmallLinesSolver.why_not(rules) is not None
    assert find_solver(rules) is not SmallLinesSolver


def test_a_solution_is_for_the_mover() -> None:
    position = Position("mnk:6x5x4").play("c1")
    found = SmallLinesSolver(position.rules, table_mb=1).solve(position)
    assert (found.score.exact, found.score.player) == (1, position.mover)
    assert isinstance(found, Step)
