"""What the server answers about solved positions: exact scores, the opening book, puzzles. What cannot be meant is refused before
it waits for the solver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mnkala.errors import IllegalMove
from mnkala.games import Position, Rules
from mnkala.numbers import counted
from mnkala.play.view import make_view
from mnkala.play.worth import worth_of_solution
from mnkala.search import Stop, parse_engine
from mnkala.solve import solver_for
from mnkala.web.messages import Opening, PuzzleHelp, Puzzles, PuzzleView, Solved, Tried
from mnkala.web.requests import PuzzleMove, PuzzleRequest, read_position, read_rules
from mnkala.web.serialise import opening_message, reason_messages, solved_message, worth_view

if TYPE_CHECKING:
    from mnkala.web.routes import Call

SOLVER = parse_engine("perfect")
"""What has to be compiled before anything is solved."""
QUICK_SECONDS = 2.0
"""An exact score that may take longer waits with the analyses, so that it does not keep hints waiting."""
PUZZLE_SECONDS = 6.0
"""For judging a move. Puzzles need far less; this bounds what somebody can ask who makes up a position."""


async def solve(call: Call) -> Solved:
    """The exact score of every move."""
    from mnkala.solve.oracle import check_open, prove

    def read() -> Position:
        position = read_position(call.body, call.limits)
        solver_for(position.rules)
        check_open(position)
        return position

    def work(stop: Stop) -> Solved:
        *_, last = prove(position, stop=stop, seconds=seconds)
        return solved_message(last)

    position, seconds = await call.read(read), call.body.seconds
    queue = call.workers.quick_questions if seconds <= QUICK_SECONDS else call.workers.analyses
    return await call.ask(queue, position.rules, SOLVER, work)


async def look_up(call: Call) -> Opening:
    """The opening book."""
    from mnkala.play.opening import opening

    def work() -> Opening:
        return opening_message(opening(read_position(call.body, call.limits)))

    return await call.read(work)


async def puzzles(call: Call) -> Puzzles:
    """Puzzles of a length, without their solutions."""
    from mnkala.play.puzzle_sets import check_possible, is_ready, puzzle_set

    request = call.body

    def read() -> Rules:
        rules = read_rules(request.game, call.limits)
        check_possible(rules, request.win_in)
        return rules

    def work(stop: Stop) -> Puzzles:
        found = [PuzzleView(puzzle.game, puzzle.moves, puzzle.win_in, puzzle.grade.stars)
                 for puzzle in puzzle_set(rules, request.win_in, stop)]
        return Puzzles(rules.game_string(), request.win_in, found)

    rules = await call.read(read)
    if is_ready(rules, request.win_in):
        return await call.read(lambda: work(Stop()))
    return await call.ask(call.workers.analyses, rules, SOLVER, work)


async def try_move(call: Call) -> Tried:
    """Judge a move in a puzzle."""
    from mnkala.play.puzzle_game import attempt

    def work(stop: Stop) -> Tried:
        tried = attempt(position, left, call.body.move, seconds=PUZZLE_SECONDS, stop=stop)
        return Tried(move=tried.move, right=tried.right, solved=tried.solved, left=tried.left, reply=tried.reply,
                     after=make_view(tried.after), answered=make_view(tried.answered), line=list(tried.line),
                     worth=worth_view(worth_of_solution(tried.known)))

    position, left = await call.read(lambda: _in_puzzle(call))
    return await call.ask(call.workers.quick_questions, position.rules, SOLVER, work)


async def help_out(call: Call) -> PuzzleHelp:
    """The way to win from here."""
    from mnkala.play.puzzle_game import reasons_for, solution

    def work(stop: Stop) -> PuzzleHelp:
        line = solution(position, left, seconds=PUZZLE_SECONDS, stop=stop)
        return PuzzleHelp(list(line), reason_messages(reasons_for(position, line)))

    position, left = await call.read(lambda: _in_puzzle(call))
    return await call.ask(call.workers.quick_questions, position.rules, SOLVER, work)


def _in_puzzle(call: Call) -> tuple[Position, int]:
    """The position that a puzzle has come to, and the moves that are left for the win."""
    from mnkala.play.puzzle_game import check_puzzle

    request: PuzzleRequest = call.body
    position = read_position(request, call.limits)
    for move in request.played:
        position = position.play(move)
    left = request.win_in - len(request.played) // 2
    if len(request.played) % 2 or left < 1 or position.is_over:
        raise IllegalMove(f"after {counted(len(request.played), 'move')} there is nothing left to try in a puzzle of {request.win_in}")
    check_puzzle(position, left)
    if isinstance(request, PuzzleMove):
        position.play(request.move)
    return position, left
