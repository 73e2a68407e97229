"""The server's answers about puzzles: those of a board, of the day, mixed ones; tries and help; and
what a person has reached in them.

The server judges every move, so it also knows who solved what, and keeps it with the games.
"""

from __future__ import annotations

import datetime
import random
from typing import TYPE_CHECKING

from mnkala.core import Position, Rules
from mnkala.errors import MnkalaError
from mnkala.play import puzzle_progress as reached
from mnkala.play import puzzles
from mnkala.play.puzzle_contract import BadPuzzle, Goal, Puzzle
from mnkala.play.store import NotSaved, PuzzleResult
from mnkala.search import Stop
from mnkala.web import messages as m
from mnkala.web import requests as r
from mnkala.web.handlers import PUZZLE_SECONDS, judge_of
from mnkala.web.serialise import progress_view, puzzle_help_message, puzzle_view, tried_message

if TYPE_CHECKING:
    from mnkala.web.routes import Call

DAYS_APART = datetime.timedelta(days=1)
"""How far a person's date may be from the server's: there are time zones."""


def day_of(text: str | None) -> datetime.date:
    """The date on which a person asks, as the person's calendar has it; the server's if that cannot
    be today anywhere."""
    today = datetime.datetime.now(datetime.UTC).date()
    try:
        asked = datetime.date.fromisoformat(text or "")
    except ValueError:
        return today
    return asked if abs(asked - today) <= DAYS_APART else today


# ---- Which puzzles ----


async def list_puzzles(call: Call) -> m.Puzzles:
    """List puzzles with a goal, without their solutions. The position of a link is the first if it
    is none of the others."""
    request: r.PuzzlesRequest = call.body

    def read() -> tuple[Rules, Goal]:
        rules = r.read_rules(request.game or _offered_game(request), call.limits)
        goal = _goal(rules, request)
        puzzles.check_possible(rules, goal)
        return rules, goal

    def work(stop: Stop) -> m.Puzzles:
        found = (
            list(puzzles.puzzle_set(rules, goal, stop)) if request.moves is None or ready else []
        )
        at = None
        if request.moves is not None:
            asked = puzzles.puzzle_at(rules, goal, request.moves, stop)
            if asked not in found:
                found.append(asked)
            at = found.index(asked)
        numbered = [reached.Numbered(each, i, len(found)) for i, each in enumerate(found)]
        return _listed(call, numbered, rules.game_string(), at=at)

    rules, goal = await call.read(read)
    ready = puzzles.is_ready(rules, goal)
    if ready and (request.moves is None or puzzles.known_puzzle(rules, goal, request.moves)):
        return await call.read(lambda: work(Stop()))
    return await call.ask(call.workers.long, rules, judge_of(rules), work)


def pick(call: Call) -> m.Puzzles:
    """Choose the puzzle of a day, or some puzzles near the person's rating."""
    request: r.PickRequest = call.body
    games = reached.games_with_daily() if request.game is None else [request.game]
    for game in games:
        r.read_rules(game, call.limits)
    if request.pick == "daily":
        date = _date(request.date) if request.date else day_of(request.day)
        return _listed(call, [reached.daily(game, date) for game in games], None)
    state = _progress(call, request.day, None)
    rng = random.Random(
        f"{day_of(request.day)} {state.tried} {state.solved}"
    )  # a reload changes nothing
    if request.pick == "similar" and request.game is not None:
        found = reached.similar(request.game, request.mistake or "", state, request.count, rng)
    else:
        pool = [each for game in games for each in reached.shipped(game)]
        found = reached.mixed(pool, state, request.count, rng)
    if not found:
        raise BadPuzzle("no puzzles come with the package for this; choose a board and a kind")
    return _listed(call, found, None)


def _date(text: str) -> datetime.date:
    """Read the date that a person named."""
    try:
        return datetime.date.fromisoformat(text)
    except ValueError:
        raise BadPuzzle(f"'{text[:20]}' is no date; write it as 2026-11-19") from None


def _listed(
    call: Call, found: list[reached.Numbered], game: str | None, at: int | None = None
) -> m.Puzzles:
    """List puzzles as the person sees them."""
    state = _progress(call, call.body.day, game)
    return m.Puzzles(
        found[0].puzzle.game,
        [puzzle_view(each, state.state(each.puzzle)) for each in found],
        progress_view(state),
        at,
    )


def _progress(call: Call, day: str | None, game: str | None) -> reached.Progress:
    return reached.progress(call.games.store, call.games.solver(call.person), day_of(day), game)


# ---- Solving them ----


async def try_move(call: Call) -> m.Tried:
    """Judge a move in a puzzle, and keep the result."""
    request: r.PuzzleMove = call.body

    def work(stop: Stop) -> m.Tried:
        return tried_message(
            puzzles.attempt(position, left, request.move, seconds=PUZZLE_SECONDS, stop=stop)
        )

    position, left = await call.read(lambda: _in_puzzle(call))
    tried = await call.ask(call.workers.questions, position.rules, judge_of(position.rules), work)
    if tried.right and not tried.solved:
        return tried
    return m.replaced(tried, progress=await _note(call, tried.solved, request.helped))


async def help_out(call: Call) -> m.PuzzleHelp:
    """Return help with a puzzle from here; from then on it is solved with help."""

    def work(stop: Stop) -> m.PuzzleHelp:
        return puzzle_help_message(puzzles.hints(position, left, seconds=PUZZLE_SECONDS, stop=stop))

    position, left = await call.read(lambda: _in_puzzle(call))
    found = await call.ask(call.workers.questions, position.rules, judge_of(position.rules), work)
    await _note(call, False, True)
    return found


async def _note(call: Call, solved: bool, helped: bool) -> m.PuzzleProgress | None:
    """Keep what happened in a puzzle, and return what the person has reached. Made-up positions do
    not count, and a puzzle can be played on while nothing can be saved."""
    request: r.PuzzleRequest = call.body
    today = day_of(request.day)

    def find() -> Puzzle | None:
        rules = r.read_rules(request.game, call.limits)
        return puzzles.known_puzzle(rules, _goal(rules, request), request.moves)

    puzzle = await call.read(find)
    if puzzle is None or call.games.store.puzzles_kept() >= call.limits.puzzle_results:
        return None
    who = call.games.solver(call.person)
    try:
        await call.games.keep(
            *reached.entries(puzzle, who, solved=solved, helped=helped, today=today)
        )
    except NotSaved:
        return None
    everywhere = isinstance(request, r.PuzzleMove) and request.everywhere
    game = None if everywhere else puzzle.game
    return await call.read(lambda: progress_view(_progress(call, request.day, game)))


async def take_in_solved(call: Call) -> m.TakenIn:
    """Keep the puzzles that a browser remembers as solved, from before the server kept them. They do
    not count for the rating, because nobody knows how they were tried."""
    request: r.SolvedPuzzles = call.body
    who = call.games.solver(call.person)

    def read() -> list[PuzzleResult]:
        found = []
        for name, state in request.solved.items():
            game, _, moves = name.partition(" ")
            try:
                rules = r.read_rules(game, call.limits)
            except MnkalaError:
                continue  # of a plug-in that is gone
            known = puzzles.shipped_goals(rules.game_string()).values()
            puzzle = next((each for some in known for each in some if each.moves == moves), None)
            if puzzle is not None:
                (entry,) = reached.entries(puzzle, who, solved=True, helped=state == "helped")
                assert isinstance(entry, PuzzleResult)
                found.append(entry.unrated())
        return found

    found = await call.read(read)
    await call.games.keep(*found)
    return m.TakenIn(len(found))


def _offered_game(request: r.PuzzlesRequest) -> str:
    """The game of puzzles for a request that names none: the first that has the option which the
    request names."""
    offered = puzzles.offered_puzzles()
    return next(
        (each for each in offered if getattr(request, each.option) is not None), offered[0]
    ).game


def _goal(rules: Rules, request: r.PuzzlesRequest | r.PuzzleRequest) -> Goal:
    """The goal, under the name that the game's puzzles have for it."""
    family = puzzles.puzzles_of(rules)
    given = {
        name: value
        for name, value in (("win_in", request.win_in), ("kind", request.kind))
        if value is not None
    }
    goal = given.pop(
        family.option, family.offered[0] if isinstance(request, r.PuzzlesRequest) else None
    )
    if goal is None or given:
        raise BadPuzzle(
            f"puzzles of {rules.game_string()} are chosen by {family.option} alone, such as {family.offered[0]!r}"
        )
    return goal


def _in_puzzle(call: Call) -> tuple[Position, Goal]:
    """The position that a puzzle has reached, and the goal that is left."""
    request: r.PuzzleRequest = call.body
    position = r.read_position(request, call.limits)
    goal = _goal(position.rules, request)
    for move in request.played:
        position = position.play(move)
    left = puzzles.left_after(position, goal, request.played)
    if isinstance(request, r.PuzzleMove):
        position.play(request.move)
    return position, left
