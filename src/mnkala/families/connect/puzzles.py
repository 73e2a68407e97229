"""Puzzles of Connect: positions in which exactly one move wins at all, and wins in a given
number of moves.

They come from random games between careful players: each side wins where it can, blocks where it
must, gives nothing away at once, and otherwise moves at random, more often near the centre. The
solver proves every claim of a puzzle: how soon the winner wins against the best defence, and
that no other move wins. Positions in which only one move does not lose at once are left out,
because there is nothing to find.

The grade says how hard a puzzle is for a person: how far ahead the win lies, how many wrong
moves look as good to a shallow search, where the heuristic alone would rank the solution, and
how many moves of the winner are *quiet*, that is, make no threat that the opponent must answer
at once.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Sequence
from typing import Any

from mnkala.core import Position, Rules
from mnkala.core.score import Score
from mnkala.errors import IllegalMove
from mnkala.explain.contract import Reason
from mnkala.explain.line_reasons import Lines
from mnkala.explain.reasons import explain
from mnkala.explain.score_words import score_words
from mnkala.explain.words import named_moves
from mnkala.families.connect.bits import Connect
from mnkala.families.connect.solver.board import BOARDS, fits
from mnkala.families.connect.solver.solver import ConnectSolver
from mnkala.numbers import counted, read_whole
from mnkala.play.puzzle_contract import (
    MOST_STARS,
    Attempt,
    BadPuzzle,
    Goal,
    Grade,
    Maker,
    NotSolvedInTime,
    Puzzle,
    SolverPuzzles,
    rivals,
)
from mnkala.search import Analysis, Limit, Stop, parse_engine
from mnkala.solve.effort import Effort
from mnkala.solve.oracle import Oracle, check_open

SHORTEST, LONGEST = 2, 12
"""The fewest and the most moves of a puzzle's win. A win in one is no puzzle, and nobody finds one
in thirteen."""
MOST_NODES = 150_000
"""The node limit of one query, about a tenth of a second. Positions that need more are skipped."""
MOST_EMPTY = 32
"""The most empty cells; positions with more are rarely solved with so few nodes."""
SHALLOW = parse_engine("deepening")
MOST_TOLD = 8
"""The most moves of a refuting line that are shown."""
FEWEST_SAFE = 3
"""The solution must be found among at least this many moves that do not lose at once."""
DEFENDER = parse_engine("perfect")
"""The engine that defends. Among equally long defences it chooses the one that is hardest to meet."""
DEFENDER_NODES = 3_000_000
"""The nodes of the defender: some seconds at most, and always the same answer."""


@dataclasses.dataclass(frozen=True)
class ConnectGrade(Grade):
    """How hard a win is to find; tempting moves are wrong ones that a search of four plies rates as
    high."""

    quiet: int
    """The winner's moves that threaten nothing at once."""


@dataclasses.dataclass(frozen=True)
class WinPuzzle(Puzzle):
    """A position that one move wins; the solution is that move followed by best play to the end."""

    grade: ConnectGrade
    win_in: int
    """The number of the winner's moves, including the last."""

    @property
    def goal(self) -> int:
        """The number of moves in which the position is won."""
        return self.win_in

    def task(self, left: Goal) -> Reason:
        return Reason(
            "puzzle.task_last" if left == 1 else "puzzle.task",
            {"player": self.position.to_move, "moves": left},
        )

    def answer(self) -> str:
        rules, grade = self.position.rules, self.grade
        line = rules.moves_text(rules.parse_moves(" ".join(self.solution[1:])))
        return (
            f"{self.solution[0]}, then {line}  (looks like choice {grade.rank}, {counted(grade.tempting, 'tempting wrong move')}, "
            f"{counted(grade.quiet, 'quiet move')})"
        )

    def facts(self) -> dict[str, Any]:
        return {"win_in": self.win_in}


class ConnectPuzzles(SolverPuzzles):
    """Puzzles whose goal is a win in a number of moves."""

    game = "connect4"
    texts = "connect.puzzle"
    option = "win_in"
    offered = range(3, 9)
    boards = BOARDS
    patience = 150

    def fits(self, rules: Rules) -> bool:
        return fits(rules)

    def read_goals(self, text: str) -> range:
        """Read a range of goals such as `3..8`, or a single one; raises BadPuzzle for anything
        else."""
        first, dots, last = text.partition("..")
        try:
            return range(read_whole(first), read_whole(last if dots else first) + 1)
        except ValueError:
            raise BadPuzzle(
                f"a win in {text}: it takes a number of moves or a range, such as 5 or 3..8"
            ) from None

    def check_goals(self, goals: Sequence[Goal]) -> None:
        if not goals or not all(
            isinstance(goal, int) and SHORTEST <= goal <= LONGEST for goal in goals
        ):
            raise BadPuzzle(
                f"puzzles with a win in {SHORTEST} to {LONGEST} moves can be made: a range such as 3..8, or a number"
            )

    def check_possible(self, rules: Rules, goal: Goal) -> None:
        self.check_goals([goal])
        assert isinstance(rules, Connect)
        assert isinstance(goal, int)
        cells = rules.rows * rules.cols
        if goal > (cells + 1) // 2:
            raise BadPuzzle(
                f"a win in {goal} on {rules.game_string()}; its {counted(cells, 'cell')} are full after "
                f"{counted((cells + 1) // 2, 'move')} of each side"
            )
        if rules.cols < FEWEST_SAFE:
            raise BadPuzzle(
                f"{rules.game_string()} has {counted(rules.cols, 'column')}; a puzzle needs {FEWEST_SAFE} to choose from"
            )

    def in_words(self, goal: Goal) -> str:
        return f"with a win in {goal}"

    def maker(self, rules: Rules, stop: Stop) -> Maker:
        ConnectSolver.prepare(rules)
        SHALLOW.search.prepare(rules)
        return ConnectMaker(rules, stop)

    def read(self, entry: dict[str, Any]) -> WinPuzzle:
        return WinPuzzle(
            entry["game"],
            entry["moves"],
            tuple(entry["solution"]),
            ConnectGrade(**entry["grade"]),
            entry["win_in"],
        )

    def left(self, position: Position, goal: Goal, played: Sequence[str]) -> int:
        """The number of moves left for the win; raises IllegalMove if the puzzle is over, or if no
        win on this board can take so many."""
        left = goal - len(played) // 2 if isinstance(goal, int) else 0
        if len(played) % 2 or (played and (left < 1 or position.is_over)):
            raise IllegalMove(
                f"after {counted(len(played), 'move')} there is nothing left to try in a puzzle of {goal}"
            )
        check_open(position)
        most = needed_score(position, 1)
        if not 1 <= left <= most:
            raise IllegalMove(
                f"a win in {counted(left, 'move')} of one's own; here it can be 1 to {most}"
            )
        return left

    def attempt(self, judge: Oracle, position: Position, left: Goal, move: str) -> Attempt:
        """Judge a move; raises NotSolvedInTime if that takes too long. Later in the puzzle several
        moves may win in time, and each of them is right."""
        assert isinstance(left, int)
        after = position.play(move)
        move = after.history[-1]
        needed = needed_score(position, left)
        right = judge.is_above(after, needed - 1, position.mover)
        if right is None:
            raise NotSolvedInTime(f"whether {move} wins in time could not be proved")
        if not right:
            return _wrong(judge, position, after, move, left)
        known = Score.exactly(needed, position.mover, 2 * left - 1)
        if after.is_over:
            return Attempt(move, True, known, after, after, 0, ())
        best = DEFENDER.analyse(
            after, Limit(nodes=DEFENDER_NODES, stop=judge.effort.stop)
        ).best_move
        return Attempt(move, True, known, after, after.play(best), left - 1, ())

    def refusal(self, tried: Attempt, left: Goal) -> tuple[Reason, ...]:
        """Explain that a move wins too late or not at all, with the line that shows it."""
        score, move = (
            score_words(tried.known, tried.after.rules),
            named_moves(tried.after.rules, tried.move),
        )
        said = [
            Reason("puzzle.wrong", {"move": move}),
            Reason(f"puzzle.wrong_{tried.known.result}", {"score": score, "moves": left}),
        ]
        if len(tried.line) > 1:
            said.append(Reason("puzzle.refuted", {"line": " ".join(tried.line[1 : MOST_TOLD + 1])}))
        return tuple(said)

    def solution(self, judge: Oracle, position: Position, left: Goal) -> tuple[str, ...]:
        """The win and the best defence, to the end; raise an error if there is no win in time."""
        assert isinstance(left, int)
        needed = needed_score(position, left)
        if judge.is_above(position, needed - 1, position.mover) is not True:
            raise NotSolvedInTime(f"no win in {counted(left, 'move')} was found here")
        line = judge.line(position, Score.exactly(needed, position.mover))
        return tuple(position.rules.move_text(code) for code in line)

    def reasons(self, position: Position, line: tuple[str, ...]) -> tuple[Reason, ...]:
        """Explain why the first move of a solution is the one to play."""
        codes = position.play(",".join(line)).history_codes[len(position.history_codes) :]
        score = Score.exactly(
            needed_score(position, (len(codes) + 1) // 2), position.mover, len(codes)
        )
        return explain(Analysis(position, str(DEFENDER), score, (), tuple(codes), depth=len(codes)))


def needed_score(position: Position, left: int) -> int:
    """The score that the mover has if the win takes `left` of the mover's own moves."""
    return position.rules.exact_score(position.state(), 1, 2 * left - 1)


def _wrong(oracle: Oracle, position: Position, after: Position, move: str, left: int) -> Attempt:
    """Judge a wrong move: its value, and the line that shows it."""
    answer = oracle.answer(after)
    line = oracle.line(after, answer) if answer.exact is not None else ()
    texts = tuple(position.rules.move_text(code) for code in line)
    return Attempt(move, False, answer.before(position.mover), after, after, left, (move, *texts))


# ---- Games as a source of puzzles ----


def careful_game(rules: Rules, rng: random.Random) -> list[Position]:
    """The positions, except the last, of a random game in which nobody overlooks what is decided
    one move ahead."""
    position, passed = Position(rules), []
    while not position.is_over:
        passed.append(position)
        position = position.play_codes((careful_move(position, rng),))
    return passed


def careful_move(position: Position, rng: random.Random) -> int:
    """Choose a move that wins, else one that blocks, else any that does not lose at once, more
    often near the centre."""
    rules: Any = position.rules
    board, me = Lines(rules, position.state()), position.mover
    for player in (me, 1 - me):
        wins = board.wins(player)
        if wins:
            return board.playable[wins[0]]
    moves = safe_moves(board, me) or list(position.legal_codes)
    return rng.choices(
        moves, weights=[max(1, int(rules.prior(board.state, move))) for move in moves]
    )[0]


def safe_moves(board: Lines, me: int) -> list[int]:
    """The moves after which the opponent does not win at once."""
    feared = board.wins(1 - me)
    return [
        move
        for cell, move in board.playable.items()
        if all(each == cell for each in feared)
        and not (cell[0] > 0 and board.completes((cell[0] - 1, cell[1]), 1 - me))
    ]


# ---- Making puzzles ----


class ConnectMaker(Maker):
    """Looks for positions with a unique win."""

    def __init__(self, rules: Rules, stop: Stop) -> None:
        self.rules, self.stop = rules, stop
        self.solver = ConnectSolver(rules)
        self._seen: set[tuple[tuple[int, ...], ...]] = set()

    def game(self, rng: random.Random) -> list[Position]:
        return careful_game(self.rules, rng)

    def from_game(self, game: list[Position], wanted: set[Goal]) -> WinPuzzle | None:
        """Look for a puzzle in a game, from the end, because later positions are solved faster."""
        for position in reversed(game):
            if self.solver.free_cells(position) > MOST_EMPTY or self.stop.is_set():
                break
            puzzle = self.from_position(position, wanted)
            if puzzle is not None:
                return puzzle
        return None

    def from_position(self, position: Position, wanted: set[Goal]) -> WinPuzzle | None:
        """Make a puzzle of a position, if it is one of a wanted length."""
        board, me = Lines(self.rules, position.state()), position.mover
        if board.wins(me) or board.wins(1 - me) or len(safe_moves(board, me)) < FEWEST_SAFE:
            return None
        score = self._winning_score(position, wanted)
        if score is None or len(self._winning_moves(position)) != 1 or not self._is_new(board):
            return None
        plies = self.solver.plies(position, score)
        with Effort(self.stop) as effort:
            line = Oracle(self.solver, None, effort).line(
                position, Score.exactly(score, position.mover)
            )
        if len(line) != plies:
            return None
        text = tuple(self.rules.move_text(move) for move in line)
        return WinPuzzle(
            position.game, position.moves, text, self._grade(position, line), (plies + 1) // 2
        )

    def _winning_score(self, position: Position, wanted: set[Goal]) -> int | None:
        """The mover's score, if it is a win of a wanted length. Only such scores are tested, which
        is fast because they lie far from a draw."""
        state = position.state()
        scores = [
            score
            for length in wanted
            if isinstance(length, int)
            and (score := self.rules.exact_score(state, 1, 2 * length - 1)) > 0
        ]
        if not scores:
            return None
        found = self.solver.solve(
            position, stop=self.stop, nodes=MOST_NODES, within=(min(scores) - 1, max(scores) + 1)
        ).score.exact
        return found if found in scores else None

    def _winning_moves(self, position: Position) -> list[int]:
        """The moves that win. Two are enough to know that it is no puzzle, and one that takes too
        long to judge counts as winning."""
        winning: list[int] = []
        for move in position.legal_codes:
            after = position.play_codes((move,))
            if (
                not after.is_over
                and self.solver.solve(
                    after, stop=self.stop, nodes=MOST_NODES, within=(-1, 0)
                ).score.lower
                < 0
            ):
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

    def _grade(self, position: Position, line: tuple[int, ...]) -> ConnectGrade:
        rank, tempting = (
            1 + rivals(SHALLOW, position, line[0], 1),
            rivals(SHALLOW, position, line[0]),
        )
        quiet = self._quiet(position, line)
        return ConnectGrade(
            stars_for((len(line) + 1) // 2, rank, tempting, quiet), rank, tempting, quiet
        )

    def _quiet(self, position: Position, line: tuple[int, ...]) -> int:
        quiet, winner = 0, position.mover
        for move in line[:-1]:
            quiet += position.mover == winner and not Lines(
                self.rules, position.play_codes((move,)).state()
            ).wins(winner)
            position = position.play_codes((move,))
        return quiet


def stars_for(win_in: int, rank: int, tempting: int, quiet: int) -> int:
    """Rate a puzzle with 1 to 5 stars: a point for each move of the win beyond the second, each
    tempting wrong move, a low rank, and each quiet move; two points make a star."""
    points = min(win_in - SHORTEST, 6) + min(tempting, 3) + min(rank - 1, 2) + min(quiet, 4)
    return min(MOST_STARS, 1 + points // 3)
