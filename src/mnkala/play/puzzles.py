"""Puzzles of every family that has them: made, shipped and played.

Positions come from games of careful players. A solver proves every claim of a puzzle; the
families (`Family.puzzles`) decide what is to be found and how hard that is.

While a puzzle is played, the solver judges every move and the best defence answers; a hint and
the solution can be asked for at any time. The first move of a puzzle has one solution. Later
more than one move may do, and each of them is right.

Some puzzles come with the package, made in advance by its own solver; for other boards some are
made on demand. The shipped ones lie with the family of the game, in `puzzles`. Each file is the
output of a command, so it can be made again:

- `connect4.jsonl`: `mnkala puzzles connect4 --win-in 3..8 -n 180 --seed 6 --json`

- `gomoku.jsonl`: `mnkala puzzles gomoku -n 48 --seed 1 --json`

- `tictactoe.jsonl`: `mnkala puzzles tictactoe -n 24 --seed 1 --json`

- `kalah.jsonl`: `mnkala puzzles kalah --kind only-move,longest-chain,save -n 60 --seed 0 --json`
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import json
import math
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from mnkala.core import Position, Rules, parse_game
from mnkala.core.picture import Cell
from mnkala.core.registry import families, family_of
from mnkala.errors import BadGame, MnkalaError
from mnkala.explain.contract import Reason
from mnkala.explain.reasons import explain_move
from mnkala.play.puzzle_contract import Attempt, BadPuzzle, Goal, Goals, Puzzle, PuzzleFamily
from mnkala.search import Stop


def find_puzzles(rules: Rules) -> PuzzleFamily[Any] | None:
    """The puzzles of a game, or None if it has none."""
    return next((puzzles for puzzles in family_of(rules).puzzles() if puzzles.fits(rules)), None)


def puzzles_of(rules: Rules) -> PuzzleFamily[Any]:
    """The puzzles of a game; an error says which games have some if it has none."""
    found = find_puzzles(rules)
    if found is None:
        boards = ", and for ".join(puzzles.boards for puzzles in offered_puzzles())
        raise BadGame(
            f"there are no puzzles for {rules.game_string()}; there are puzzles for {boards}"
        )
    return found


def offered_puzzles() -> list[PuzzleFamily[Any]]:
    """The puzzles of all families, in the order of the families."""
    return [puzzles for family in families() for puzzles in family.puzzles()]


def check_puzzles(rules: Rules, goals: Sequence[Goal], count: int) -> PuzzleFamily[Any]:
    """The puzzle family of a game; raises an error with the reason if it cannot have the puzzles
    asked for."""
    family = puzzles_of(rules)
    family.check_goals(goals)
    if count < 1:
        raise BadPuzzle(f"{count} puzzles; at least 1 is needed")
    return family


def make_puzzles(
    rules: Rules,
    goals: Sequence[Goal],
    count: int,
    seed: int = 0,
    *,
    stop: Stop | None = None,
    report: Callable[[int, int], None] | None = None,
    idle_seconds: float | None = None,
) -> Iterator[Puzzle]:
    """Make up to `count` puzzles, spread over the goals, the same for the same seed; fewer if
    the board has no more, if none was found for `idle_seconds`, or if `stop` is set. `report` is
    called with the numbers of puzzles found and games searched."""
    family, stop = check_puzzles(rules, goals, count), stop or Stop()
    rng = random.Random(f"{rules.game_string()} {seed}")
    maker = family.maker(rules, stop)
    shares = {goal: count // len(goals) + (i < count % len(goals)) for i, goal in enumerate(goals)}
    found = games = idle = 0
    since = time.monotonic()
    while found < count and idle < 3 * family.patience and not stop.is_set():
        if idle_seconds is not None and time.monotonic() > since + idle_seconds:
            break
        wanted = {goal for goal in goals if shares[goal] > 0 or idle >= family.patience}
        puzzle = maker.from_game(maker.game(rng), wanted)
        games, idle = games + 1, idle + 1
        if puzzle is not None and not stop.is_set():
            found, idle, since = found + 1, 0, time.monotonic()
            shares[puzzle.goal] -= 1
            yield puzzle
        if report is not None:
            report(found, games)


def left_after(position: Position, goal: Goal, played: tuple[str, ...] | list[str] = ()) -> Goal:
    """The remaining goal of a puzzle after some moves; raise an error with the reason if there
    is none or it cannot be reached."""
    return puzzles_of(position.rules).left(position, goal, played)


def attempt(
    position: Position,
    left: Goal,
    move: str,
    *,
    seconds: float | None = None,
    stop: Stop | None = None,
) -> Attempt:
    """Judge a move in a position in which something is left to do."""
    family = puzzles_of(position.rules)
    family.left(position, left, ())
    position.play(move)
    with family.judge(position, seconds, stop) as judge:
        tried = family.attempt(judge, position, left, move)
    return refused(family, tried, left)


def refused(goals: Goals[Any], tried: Attempt, left: Goal) -> Attempt:
    """An attempt with the reasons why it is wrong, if it is."""
    if tried.right:
        return tried
    return dataclasses.replace(tried, said=goals.refusal(tried, left), why=_why(tried))


def _why(tried: Attempt) -> tuple[Reason, ...]:
    """The reasons that describe what the opponent's reply to a wrong move does on the board."""
    own, *theirs = tried.turns if tried.line else ((),)
    if not theirs:
        return ()
    before = tried.after.back().play(",".join(own))
    code = before.rules.parse_moves(theirs[0][0])[0]
    found = (each for each in explain_move(before, code) if each.key != "hint.only_safe")
    return tuple(itertools.islice(found, MOST_TOLD))


MOST_TOLD = 2
"""The most effects of a reply that are told."""


class Hints(NamedTuple):
    """Help with a puzzle, in steps: where to look, what it is about, the move and its reasons."""

    area: tuple[Cell, ...]
    """Cells of a few moves, among them the right one."""
    near: tuple[str, ...]
    """The few moves that these cells belong to."""
    idea: Reason
    line: tuple[str, ...]
    """The solution from here."""
    reasons: tuple[Reason, ...]


def hints(
    position: Position, left: Goal, *, seconds: float | None = None, stop: Stop | None = None
) -> Hints:
    """Help with a puzzle from here; raise an error if it has no solution from here."""
    family = puzzles_of(position.rules)
    line = solution(position, left, seconds=seconds, stop=stop)
    near = _moves_near(position, position.play(line[0]).history_codes[-1])
    rules, state = position.rules, position.state()
    return Hints(
        tuple(dict.fromkeys(cell for code in near for cell in _cells(rules, state, code))),
        tuple(map(rules.move_text, near)),
        family.idea(position, line),
        line,
        family.reasons(position, line),
    )


def _cells(rules: Rules, state: Any, move: int) -> tuple[Cell, ...]:
    """The cells that a move means and changes: where a mark lands, or the house that is sown."""
    changed = rules.changed_cells(state, move)
    return tuple(cell for cell in rules.move_cells(state, move) if cell in changed)


def _moves_near(position: Position, move: int) -> tuple[int, ...]:
    """Choose a few neighbouring moves, about the square root of all, that include the given one at
    a random place, as a hint where to look. Empty where moves have no cells."""
    rules, state = position.rules, position.state()
    cells = {code: _cells(rules, state, code) for code in position.legal_codes}
    if not all(cells.values()):
        return ()
    count = max(1, min(len(cells) - 1, math.isqrt(len(cells)) + 1))

    def near(code: int) -> list[int]:
        (row, column), *_ = cells[code]
        return sorted(
            cells,
            key=lambda other: min(
                abs(row - each[0]) + abs(column - each[1]) for each in cells[other]
            ),
        )[:count]

    around = [code for code in near(move) if move in near(code)]
    return tuple(near(random.Random(f"{position.game} {position.moves}").choice(around)))


def solution(
    position: Position, left: Goal, *, seconds: float | None = None, stop: Stop | None = None
) -> tuple[str, ...]:
    """The solution from a position of the puzzle; raise an error if there is none."""
    family = puzzles_of(position.rules)
    family.left(position, left, ())
    with family.judge(position, seconds, stop) as judge:
        return family.solution(judge, position, left)


def known_puzzle(rules: Rules, goal: Goal, moves: str) -> Puzzle | None:
    """The puzzle with a goal that a position is, if it comes with the package or was made here."""
    game = rules.game_string()
    found = (*shipped_goals(game).get(goal, ()), *_kept.get((game, goal), ()))
    return next((each for each in found if each.moves == moves), None)


def puzzle_at(rules: Rules, goal: Goal, moves: str, stop: Stop | None = None) -> Puzzle:
    """The puzzle with a goal that a position is, as a link names it; an error if it is none. What
    does not come with the package is proved first."""
    known = next(
        (each for each in shipped_goals(rules.game_string()).get(goal, ()) if each.moves == moves),
        None,
    )
    if known is not None:
        return known
    family, stop = puzzles_of(rules), stop or Stop()
    family.check_possible(rules, goal)
    position = Position(rules).play(moves)
    with _in_time(stop):
        found = (
            None if position.is_over else family.maker(rules, stop).from_position(position, {goal})
        )
    if found is None or found.goal != goal:
        raise NoPuzzles(
            f"this position of {rules.game_string()} is no puzzle {family.in_words(goal)}"
        )
    return found


def reasons_for(position: Position, line: tuple[str, ...]) -> tuple[Reason, ...]:
    """Why the first move of a solution is the one to play."""
    return puzzles_of(position.rules).reasons(position, line)


ON_DEMAND = 6
"""The number of puzzles made for each goal of a board that comes without any."""
ON_DEMAND_SECONDS = 8.0
SEED = 1
MOST_KEPT = 64
_kept: dict[tuple[str, Goal], tuple[Puzzle, ...]] = {}
"""Puzzles that were made on demand, by game and goal."""


class NoPuzzles(MnkalaError):
    """There are no puzzles of that kind."""


def puzzle_set(rules: Rules, goal: Goal, stop: Stop | None = None) -> tuple[Puzzle, ...]:
    """All puzzles of a board with a goal; an error if `stop` is set while they are being made."""
    family = puzzles_of(rules)
    family.check_possible(rules, goal)
    game = rules.game_string()
    found = shipped_goals(game).get(goal) or _made(rules, goal, stop or Stop())
    if not found:
        raise NoPuzzles(
            f"no puzzle {family.in_words(goal)} was found on {game}; try another kind or another board"
        )
    return found


def check_possible(rules: Rules, goal: Goal) -> None:
    """Raise an error with the reason if a board cannot have puzzles with a goal, without
    searching for one."""
    puzzles_of(rules).check_possible(rules, goal)


def is_ready(rules: Rules, goal: Goal) -> bool:
    """Whether puzzles of this kind come with the package, so that none have to be made."""
    return goal in shipped_goals(rules.game_string())


@functools.lru_cache(maxsize=MOST_KEPT)
def shipped_goals(game: str) -> dict[Goal, tuple[Puzzle, ...]]:
    """The puzzles that come with the package, by goal, the easy ones first."""
    rules = parse_game(game)
    file = family_of(rules).file("puzzles", game)
    if file is None:
        return {}
    family = puzzles_of(rules)
    found = [
        family.read(json.loads(line)) for line in file.read_text(encoding="utf-8").splitlines()
    ]
    goals = {puzzle.goal for puzzle in found}
    return {
        goal: tuple(
            sorted(
                (puzzle for puzzle in found if puzzle.goal == goal),
                key=lambda puzzle: puzzle.grade.stars,
            )
        )
        for goal in goals
    }


def _made(rules: Rules, goal: Goal, stop: Stop) -> tuple[Puzzle, ...]:
    """Make some puzzles for another board, within a time that a person will wait."""
    key = (rules.game_string(), goal)
    if key in _kept:
        return _kept[key]
    with _in_time(stop):
        found = tuple(make_puzzles(rules, [goal], ON_DEMAND, SEED, stop=stop))
    while len(_kept) >= MOST_KEPT:
        _kept.pop(next(iter(_kept)), None)
    _kept[key] = found
    return found


@contextlib.contextmanager
def _in_time(stop: Stop) -> Iterator[None]:
    """Give the block a flag that is set when a person has waited long enough. Raises an error if
    somebody else had it set."""
    late = threading.Event()

    def out_of_time() -> None:
        late.set()
        stop.set()

    timer = threading.Timer(ON_DEMAND_SECONDS, out_of_time)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
    if stop.is_set() and not late.is_set():
        raise NoPuzzles("the search for puzzles was stopped")
