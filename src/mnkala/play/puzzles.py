"""Puzzles: Connect positions in which exactly one move wins at all, and wins in a given number of moves.

They come from games of careful chance: each side wins where it can, blocks where it must, gives nothing away at once, and otherwise plays
by the die, the centre more often. Every claim of a puzzle is proved by the solver: how soon the winner wins against the best defence, and
that no other move wins. Positions in which only one move does not lose at once are left out, for there is nothing to find.

The grade says how hard a puzzle is to a person: how far ahead the win lies, how many wrong moves look as good to a shallow search, where
the heuristic alone would rank the solution, and how many moves of the winner are *quiet*, that is, threaten nothing the opponent has to
answer at once.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable, Iterator
from typing import Any

from mnkala.errors import MnkalaError
from mnkala.games import Position, Rules
from mnkala.play.reasons_of_lines import Lines
from mnkala.search import Limit, Stop, parse_engine
from mnkala.solve import ConnectSolver, Solution
from mnkala.solve.connect.shape import Shape, shape_for
from mnkala.solve.effort import Effort
from mnkala.solve.oracle import Oracle

SHORTEST, LONGEST = 2, 12
"""A win in one is no puzzle, and nobody finds one in thirteen."""
MOST_NODES = 150_000
"""For one question: about a tenth of a second. What takes more is left out."""
MOST_EMPTY = 32
"""Cells; positions with more are rarely solved with so few nodes."""
FEWEST_SAFE = 3
"""Moves that do not lose at once, among which the solution has to be found."""
PATIENCE = 150
"""Games without a puzzle after which any length of the range will do; after three times as many no more is looked for."""
MOST_STARS = 5
SHALLOW = parse_engine("deepening:depth=4")


class BadPuzzle(MnkalaError):
    """Puzzles that cannot be made."""


@dataclasses.dataclass(frozen=True)
class Grade:
    """How hard a puzzle is, and why."""

    stars: int
    """1 (easy) to 5 (hard)."""
    rank: int
    """The place of the solution by the heuristic alone: 1 if it looks best."""
    tempting: int
    """Wrong moves that a search of four plies likes as well."""
    quiet: int
    """Moves of the winner that threaten nothing at once."""


@dataclasses.dataclass(frozen=True)
class Puzzle:
    """A position, what to find in it, and the answer."""

    game: str
    moves: str
    """From the start of the game to the position."""
    win_in: int
    """Moves of the winner, the last one included."""
    solution: tuple[str, ...]
    """The one move that wins, and best play to the end."""
    grade: Grade

    @property
    def position(self) -> Position:
        """The position to look at."""
        return Position(self.game).play(self.moves)

    def to_json(self) -> dict[str, Any]:
        """As `mnkala puzzles --json` and the server tell it."""
        position = self.position
        return {"game": self.game, "moves": self.moves, "position": position.literal, "mover": position.to_move, "win_in": self.win_in,
                "solution": list(self.solution), "grade": dataclasses.asdict(self.grade)}


def make_puzzles(rules: Rules, win_in: range, count: int, seed: int = 0, *, stop: Stop | None = None,
                 report: Callable[[int, int], None] | None = None) -> Iterator[Puzzle]:
    """Up to `count` puzzles, spread over the lengths of `win_in`, the same for the same seed; fewer if the board has no more or `stop`
    is raised. `report` hears how many puzzles were found and how many games were looked through."""
    check_game(rules)
    check_lengths(win_in, count)
    ConnectSolver.prepare(rules)
    SHALLOW.search.prepare(rules)
    rng = random.Random(f"{rules.game_string()} {seed}")
    maker = Maker(rules, stop or Stop())
    shares = {length: count // len(win_in) + (i < count % len(win_in)) for i, length in enumerate(win_in)}
    found = games = idle = 0
    while found < count and idle < 3 * PATIENCE and not maker.stop.is_set():
        wanted = {length for length in win_in if shares[length] > 0 or idle >= PATIENCE}
        puzzle = maker.from_game(careful_game(rules, rng), wanted)
        games, idle = games + 1, idle + 1
        if puzzle is not None and not maker.stop.is_set():
            found, idle = found + 1, 0
            shares[puzzle.win_in] -= 1
            yield puzzle
        if report is not None:
            report(found, games)


def check_game(rules: Rules) -> Shape:
    """The board of a game that has puzzles; raise BadGame if it has none."""
    return shape_for(rules, "puzzles")


def check_lengths(win_in: range, count: int) -> None:
    """Raise BadPuzzle if these puzzles cannot be meant."""
    if not len(win_in) or not SHORTEST <= win_in[0] <= win_in[-1] <= LONGEST:
        raise BadPuzzle(f"puzzles with a win in {SHORTEST} to {LONGEST} moves can be made: a range such as 3..8, or a number")
    if count < 1:
        raise BadPuzzle(f"{count} puzzles; at least 1 is needed")


# ---- Games ----


def careful_game(rules: Rules, rng: random.Random) -> list[Position]:
    """The positions of a game in which nobody overlooks what one move ahead decides, without the last."""
    position, passed = Position(rules), []
    while not position.is_over:
        passed.append(position)
        position = position.play_codes((careful_move(position, rng),))
    return passed


def careful_move(position: Position, rng: random.Random) -> int:
    """A win, else a block, else any move that does not lose at once, those near the centre more often."""
    rules: Any = position.rules
    board, me = Lines(rules, position.state()), position.mover
    for player in (me, 1 - me):
        wins = board.wins(player)
        if wins:
            return board.playable[wins[0]]
    moves = safe_moves(board, me) or list(position.legal_codes)
    return rng.choices(moves, weights=[max(1, int(rules.prior(board.state, move))) for move in moves])[0]


def safe_moves(board: Lines, me: int) -> list[int]:
    """The moves after which the opponent does not win at once."""
    feared = board.wins(1 - me)
    return [move for cell, move in board.playable.items()
            if all(each == cell for each in feared) and not (cell[0] > 0 and board.completes((cell[0] - 1, cell[1]), 1 - me))]


# ---- Puzzles ----


class Maker:
    """Looks for puzzles in games, with a solver of its own: what it finds depends on nothing but the games."""

    def __init__(self, rules: Rules, stop: Stop) -> None:
        self.rules, self.stop = rules, stop
        self.solver = ConnectSolver(rules)
        self._seen: set[tuple[tuple[int, ...], ...]] = set()

    def from_game(self, game: list[Position], wanted: set[int]) -> Puzzle | None:
        """A puzzle of a wanted length that came up in a game, or None. The later positions are looked at first: they are quick."""
        for position in reversed(game):
            if self.solver.free_cells(position) > MOST_EMPTY or self.stop.is_set():
                break
            puzzle = self.from_position(position, wanted)
            if puzzle is not None:
                return puzzle
        return None

    def from_position(self, position: Position, wanted: set[int]) -> Puzzle | None:
        """The puzzle that a position is, if it is one of a wanted length."""
        board, me = Lines(self.rules, position.state()), position.mover
        if board.wins(me) or board.wins(1 - me) or len(safe_moves(board, me)) < FEWEST_SAFE:
            return None
        score = self._winning_score(position, wanted)
        if score is None or len(self._winning_moves(position)) != 1 or not self._is_new(board):
            return None
        plies = self.solver.plies(position, score)
        with Effort(self.stop) as effort:
            line = Oracle(self.solver, None, effort).line(position, Solution(score, score, position.mover))
        if len(line) != plies:
            return None
        text = tuple(self.rules.move_text(move) for move in line)
        return Puzzle(position.game, position.moves, (plies + 1) // 2, text, self._grade(position, line))

    def _winning_score(self, position: Position, wanted: set[int]) -> int | None:
        """The mover's score, if that is a win of a wanted length. Only scores of such lengths are asked for: that is quick, for they
        lie far from a draw."""
        state = position.state()
        scores = [score for length in wanted if (score := self.rules.exact_score(state, 1, 2 * length - 1)) > 0]
        if not scores:
            return None
        found = self.solver.solve(position, stop=self.stop, nodes=MOST_NODES, within=(min(scores) - 1, max(scores) + 1)).score
        return found if found in scores else None

    def _winning_moves(self, position: Position) -> list[int]:
        """The moves that win; two are enough to know that it is no puzzle, and one that takes too long to judge counts."""
        winning: list[int] = []
        for move in position.legal_codes:
            after = position.play_codes((move,))
            if not after.is_over and self.solver.solve(after, stop=self.stop, nodes=MOST_NODES, within=(-1, 0)).lower < 0:
                winning.append(move)
                if len(winning) > 1:
                    break
        return winning

    def _is_new(self, board: Lines) -> bool:
        """Whether neither this position nor its mirror image was a puzzle before."""
        cells = min(board.cells, tuple(row[::-1] for row in board.cells))
        known = cells in self._seen
        self._seen.add(cells)
        return not known

    def _grade(self, position: Position, line: tuple[int, ...]) -> Grade:
        move = line[0]
        rank = 1 + sum(value >= first for value, first in self._others(position, move, 1))
        tempting = sum(value >= first for value, first in self._others(position, move, SHALLOW.limit.depth or 1))
        quiet = self._quiet(position, line)
        return Grade(stars_for((len(line) + 1) // 2, rank, tempting, quiet), rank, tempting, quiet)

    def _others(self, position: Position, move: int, depth: int) -> Iterator[tuple[int, int]]:
        """What a shallow search makes of every other move, each beside what it makes of this one."""
        found = SHALLOW.analyse(position, Limit(depth=depth), all_moves=True)
        # A proved score is the game's own, in units of discs, and lies beyond every heuristic value.
        values = {each.code: each.score.value + 10**9 * {"win": 1, "loss": -1}.get(each.score.result, 0) for each in found.moves}
        return ((value, values[move]) for other, value in values.items() if other != move)

    def _quiet(self, position: Position, line: tuple[int, ...]) -> int:
        quiet, winner = 0, position.mover
        for move in line[:-1]:
            quiet += position.mover == winner and not Lines(self.rules, position.play_codes((move,)).state()).wins(winner)
            position = position.play_codes((move,))
        return quiet


def stars_for(win_in: int, rank: int, tempting: int, quiet: int) -> int:
    """1 to 5: a point for each move of the win beyond the second, each tempting wrong move, a low rank, each quiet move; two a star."""
    points = min(win_in - SHORTEST, 6) + min(tempting, 3) + min(rank - 1, 2) + min(quiet, 4)
    return min(MOST_STARS, 1 + points // 3)
