"""What the server answers about solved positions: exact scores, the opening book, puzzles. The solver works in the questions' lane."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from mnkala.errors import IllegalMove
from mnkala.games import Position
from mnkala.play.view import make_view
from mnkala.web.borders import read_position, read_rules
from mnkala.web.messages import Opening, PuzzleHelp, Puzzles, PuzzleView, PuzzleWhere, Solved, Tried, Where
from mnkala.web.scores import reason_views

if TYPE_CHECKING:
    from mnkala.web.http import Call

PUZZLE_SECONDS = 6.0
"""For judging a move. Puzzles need far less; this bounds what somebody can ask who makes up a position."""


async def solve(call: Call) -> Solved:
    """The exact score of every move."""
    from mnkala.play.exact import exact

    def work() -> Solved:
        return msgspec.convert(exact(read_position(_where(call.body), call.hall.limits), seconds=call.body.seconds).to_json(), Solved)

    return await call.hall.ask(call.hall.questions, call.person, work)


async def look_up(call: Call) -> Opening:
    """The opening book."""
    from mnkala.play.opening import opening

    def work() -> Opening:
        return msgspec.convert(opening(read_position(call.body, call.hall.limits)).to_json(), Opening)

    return await call.hall.ask(call.hall.light, call.person, work)


async def puzzles(call: Call) -> Puzzles:
    """Puzzles of a length, without their solutions."""
    from mnkala.play.puzzle_sets import is_ready, puzzle_set

    wish = call.body
    rules = await call.hall.ask(call.hall.light, call.person, lambda: read_rules(wish.game, call.hall.limits))

    def work() -> Puzzles:
        found = [PuzzleView(puzzle.game, puzzle.moves, puzzle.win_in, puzzle.grade.stars) for puzzle in puzzle_set(rules, wish.win_in)]
        return Puzzles(rules.game_string(), wish.win_in, found)

    lane = call.hall.light if is_ready(rules, wish.win_in) else call.hall.questions
    return await call.hall.ask(lane, call.person, work)


async def try_move(call: Call) -> Tried:
    """Judge a move in a puzzle."""
    from mnkala.play.exact import bounds_json
    from mnkala.play.puzzle_game import attempt

    def work() -> Tried:
        position, left = _in_puzzle(call)
        tried = attempt(position, left, call.body.move, seconds=PUZZLE_SECONDS)
        bounds = bounds_json(tried.known.lower, tried.known.upper, tried.known.empties)
        return Tried(move=tried.move, right=tried.right, solved=tried.solved, left=tried.left, reply=tried.reply,
                     after=make_view(tried.after), answered=make_view(tried.answered), line=list(tried.line), **bounds)

    return await call.hall.ask(call.hall.questions, call.person, work)


async def help_out(call: Call) -> PuzzleHelp:
    """The way to win from here."""
    from mnkala.play.puzzle_game import reasons_for, solution

    def work() -> PuzzleHelp:
        position, left = _in_puzzle(call)
        line = solution(position, left, seconds=PUZZLE_SECONDS)
        return PuzzleHelp(list(line), reason_views(reasons_for(position, line)))

    return await call.hall.ask(call.hall.questions, call.person, work)


def _in_puzzle(call: Call) -> tuple[Position, int]:
    """The position that a puzzle has come to, and the moves that are left for the win."""
    wish: PuzzleWhere = call.body
    position = read_position(_where(wish), call.hall.limits)
    for move in wish.played:
        position = position.play(move)
    left = wish.win_in - len(wish.played) // 2
    if len(wish.played) % 2 or left < 1 or position.is_over:
        raise IllegalMove(f"after {len(wish.played)} moves there is nothing left to try in a puzzle of {wish.win_in}")
    return position, left


def _where(wish: Where) -> Where:
    return Where(wish.game, wish.start, wish.moves)
