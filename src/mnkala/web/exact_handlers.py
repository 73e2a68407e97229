"""The server's answers about solved positions: exact scores, the opening book, puzzles. Invalid
requests are refused before they wait for the solver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnkala.core import Position, Rules
from mnkala.play.puzzle_contract import BadPuzzle, Goal
from mnkala.search import Engine, Limit, Stop
from mnkala.solve import solver_for
from mnkala.solve.perfect import Perfect
from mnkala.web.messages import FairStarts, Opening, PuzzleHelp, Puzzles, Solved, Tried
from mnkala.web.requests import PuzzleMove, PuzzleRequest, PuzzlesRequest, read_position, read_rules
from mnkala.web.serialise import opening_message, puzzle_view, reason_messages, solved_message, tried_message

if TYPE_CHECKING:
    from mnkala.web.routes import Call

SOLVER = Engine(Perfect())
"""The engine that must be compiled before anything is solved."""
QUICK_SECONDS = 2.0
"""An exact score that may take longer waits with the analyses, so that it does not delay hints."""
PUZZLE_SECONDS = 6.0
"""The time limit for judging a move. Puzzles need far less; it bounds what made-up positions can
cost."""


async def solve(call: Call) -> Solved:
    """Return the exact score of every move."""
    from mnkala.explain.inspection import inspect
    from mnkala.solve.oracle import check_open

    def read() -> Position:
        position = call.position
        solver_for(position.rules)
        check_open(position)
        return position

    def work(stop: Stop) -> Solved:
        *_, last = inspect(position, Limit(time=seconds), engine=None, stop=stop)
        return solved_message(last)

    position, seconds = await call.read(read), call.body.seconds
    queue = call.workers.questions if seconds <= QUICK_SECONDS else call.workers.long
    return await call.ask(queue, position.rules, SOLVER, work)


def look_up(call: Call) -> Opening:
    """Look a position up in the opening book."""
    from mnkala.play.opening_explorer import explore_opening

    return opening_message(explore_opening(call.position))


def fair(call: Call) -> FairStarts:
    """List the shipped fair starts; most boards have none."""
    from mnkala.play.fair_starts import ready_fair_starts

    game = call.rules.game_string()
    return FairStarts(game, ready_fair_starts(game))


async def puzzles(call: Call) -> Puzzles:
    """List puzzles with a goal, without their solutions."""
    from mnkala.play.puzzles import check_possible, is_ready, puzzle_set

    request = call.body

    def read() -> tuple[Rules, Goal]:
        rules = read_rules(request.game or _offered_game(request), call.limits)
        goal = _goal(rules, request)
        check_possible(rules, goal)
        return rules, goal

    def work(stop: Stop) -> Puzzles:
        found = [puzzle_view(puzzle) for puzzle in puzzle_set(rules, goal, stop)]
        return Puzzles(rules.game_string(), found, found[0].win_in, found[0].kind)

    rules, goal = await call.read(read)
    if is_ready(rules, goal):
        return await call.read(lambda: work(Stop()))
    return await call.ask(call.workers.long, rules, SOLVER, work)


async def try_move(call: Call) -> Tried:
    """Judge a move in a puzzle."""
    from mnkala.play.puzzles import attempt

    def work(stop: Stop) -> Tried:
        return tried_message(attempt(position, left, call.body.move, seconds=PUZZLE_SECONDS, stop=stop))

    position, left = await call.read(lambda: _in_puzzle(call))
    return await call.ask(call.workers.questions, position.rules, SOLVER, work)


async def help_out(call: Call) -> PuzzleHelp:
    """Return the solution of a puzzle from here."""
    from mnkala.play.puzzles import reasons_for, solution

    def work(stop: Stop) -> PuzzleHelp:
        line = solution(position, left, seconds=PUZZLE_SECONDS, stop=stop)
        return PuzzleHelp(list(line), reason_messages(reasons_for(position, line)))

    position, left = await call.read(lambda: _in_puzzle(call))
    return await call.ask(call.workers.questions, position.rules, SOLVER, work)


def _offered_game(request: PuzzlesRequest) -> str:
    """The game of puzzles for a request that names none: the first that has the option which the
    request names."""
    from mnkala.play.puzzles import offered_puzzles

    offered = offered_puzzles()
    return next((each for each in offered if getattr(request, each.option) is not None), offered[0]).game


def _goal(rules: Rules, request: PuzzlesRequest | PuzzleRequest) -> Goal:
    """The goal, under the name that the game's puzzles have for it."""
    from mnkala.play.puzzles import puzzles_of

    family = puzzles_of(rules)
    given = {name: value for name, value in (("win_in", request.win_in), ("kind", request.kind)) if value is not None}
    goal = given.pop(family.option, family.offered[0] if isinstance(request, PuzzlesRequest) else None)
    if goal is None or given:
        raise BadPuzzle(f"puzzles of {rules.game_string()} are chosen by {family.option} alone, such as {family.offered[0]!r}")
    return goal


def _in_puzzle(call: Call) -> tuple[Position, Goal]:
    """The position that a puzzle has reached, and the goal that is left."""
    from mnkala.play.puzzles import left_after

    request: PuzzleRequest = call.body
    position = read_position(request, call.limits)
    goal = _goal(position.rules, request)
    for move in request.played:
        position = position.play(move)
    left = left_after(position, goal, request.played)
    if isinstance(request, PuzzleMove):
        position.play(request.move)
    return position, left
