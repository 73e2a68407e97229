"""Puzzles of Gomoku and of other games with lines long enough for threats: win by fours, win by
threats, find the only defence.

They come from games of the engine against itself, in which it looks at few nodes. What a puzzle
claims is proved by the searches for victories by fours (`engine/vcf.py`) and by threats
(`engine/vct.py`), each of which tries everything of its kind up to a number of moves:

- *fours*: every move of the winner makes a line that is one short. Exactly one first move wins in
  this way.
- *threats*: there is no victory by fours, but one in which open threes help. Again exactly one
  first move wins in this way.
- *defence*: the opponent threatens a victory by fours. Exactly one move leaves none; after every
  other one the victory is there.

Whoever solves a puzzle may leave the shipped line: every move after which the victory is still
proved is right.

On tic-tac-toe and other small boards the solver knows everything: exactly one move wins, or exactly
one does not lose. Where a line can be completed at once, by either side, there is nothing to find,
so such positions are left out: what remains are moves that make two threats together, and moves
that stop the opponent from making them.
"""

from __future__ import annotations

import collections
import contextlib
import dataclasses
import random
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Literal

import numpy as np

from mnkala.core import Position, Rules
from mnkala.core.registry import family_of
from mnkala.core.score import Score
from mnkala.errors import IllegalMove
from mnkala.explain.contract import Reason
from mnkala.explain.line_reasons import Lines
from mnkala.explain.reasons import explain
from mnkala.families.lines.board_threats import (
    READER,
    BoardThreats,
    check_knows_threats,
    knows_threats,
    line_threats,
    size_words,
)
from mnkala.families.lines.engine.patterns import (
    COMPLETES,
    LONGEST_REACH,
    MAKES_FOUR,
    MAKES_THREE,
    WINS,
    first_of,
)
from mnkala.families.lines.engine.settings import Settings
from mnkala.families.lines.engine.shared_search import MOST_PLIES, make_thread
from mnkala.families.lines.engine.vcf import GAVE_UP, make_fours, shortest
from mnkala.families.lines.engine.vct import shortest_by_threats
from mnkala.families.lines.rules import Mnk
from mnkala.families.lines.solver import MOST_CELLS
from mnkala.native.objects import IntArray
from mnkala.numbers import counted
from mnkala.play.one_move_puzzles import OneMovePuzzles
from mnkala.play.puzzle_contract import (
    MOST_STARS,
    Attempt,
    Goal,
    Grade,
    Maker,
    NotSolvedInTime,
    Puzzle,
    PuzzleFamily,
)
from mnkala.play.series import opening
from mnkala.search import Analysis, Limit, Stop, parse_engine

Kind = Literal["fours", "threats", "defence"]
FOURS: Kind = "fours"
THREATS: Kind = "threats"
DEFENCE: Kind = "defence"
KINDS: tuple[Kind, ...] = (FOURS, THREATS, DEFENCE)
MOST_FOURS, MOST_THREATS = 12, 8
"""The most moves of the winner in a victory; people do not find longer ones at a board."""
NODES = 60_000
"""The node limit of one proof: some milliseconds."""
FEWEST_MOVES = 3
"""The fewest moves of the winner in a puzzle, including the one that completes the line."""
FEWEST_TEMPTING = 1
"""The fewest wrong moves of the same kind as the solution."""
FIRST_MARKS = (2, 4)
"""The random marks with which a game begins where the family has no random start: without them the
few engines would play the same few games again and again."""
PLAYERS = tuple(parse_engine(f"threats:nodes={nodes}") for nodes in (60, 150, 400))
"""The engines whose games puzzles come from: strong enough to make threats, too weak to see all
of them."""
LONGEST_GAME = 80
DEFENDER = parse_engine("threats")
DEFENDER_NODES = 20_000
"""The node limit of the defender's answer to an open three: a fraction of a second, and always
the same answer."""


class Judge:
    """Proves victories by fours and by threats on boards of one game."""

    def __init__(self, rules: Mnk, stop: Stop) -> None:
        self.rules, self.stop = rules, stop
        READER.prepare(rules)
        self.fours, self.sequences = make_fours(stop.flag), make_fours(stop.flag, MOST_PLIES + 2)
        self.thread = make_thread(rules.rows * rules.cols, stop, Settings())

    def by_fours(self, cells: IntArray, attacker: int) -> tuple[int, ...]:
        """A shortest victory by fours with the attacker to move, up to the last four; empty if
        it is proved that there is none. Raises NotSolvedInTime if neither could be shown."""
        board = BoardThreats(self.rules, cells, self.stop).board
        found = shortest(board, attacker, MOST_FOURS, NODES, self.fours)
        self._check(found, int(self.fours.numbers[GAVE_UP]))
        return tuple(map(int, self.fours.line[0, : self.fours.length[0]])) if found else ()

    def by_threats(self, cells: IntArray, attacker: int, mover: int) -> tuple[int, ...]:
        """A shortest victory by fours and open threes, with either side to move; otherwise like
        `by_fours`."""
        board = BoardThreats(self.rules, cells, self.stop).board
        found = shortest_by_threats(
            board, attacker, mover, MOST_THREATS, NODES, self.sequences, self.thread, self.fours
        )
        self._check(found, int(self.sequences.numbers[GAVE_UP]))
        return tuple(map(int, self.sequences.line[0, : self.sequences.length[0]])) if found else ()

    def keeps(self, position: Position, move: int, kind: Kind) -> bool:
        """Whether a legal move is right in a puzzle of this kind: the victory is still there, or
        the threatened one is gone."""
        after, me = position.play_codes((move,)), position.mover
        if after.is_over:
            return after.outcome is not None and after.outcome.winner == me
        cells = after.state().cells
        if kind == DEFENCE:
            return not self.by_fours(cells, 1 - me)
        if kind == THREATS:
            return bool(self.by_threats(cells, me, 1 - me))
        reply = self.reply_to_four(after)
        return reply is not None and (
            self.completes(after.play_codes((reply,)), me)
            or bool(self.by_fours(after.play_codes((reply,)).state().cells, me))
        )

    def reply_to_four(self, after: Position) -> int | None:
        """The answer that a four forces; None if the move made no four, or if the opponent
        completes a line first."""
        ways = BoardThreats.of(after, self.stop)
        if ways.cells(after.mover, COMPLETES):
            return None
        return next(iter(ways.cells(1 - after.mover, COMPLETES)), None)

    def completes(self, position: Position, player: int) -> bool:
        """Whether a player completes a line with one more mark."""
        return bool(BoardThreats.of(position, self.stop).cells(player, COMPLETES))

    def solution(self, position: Position, kind: Kind) -> tuple[int, ...]:
        """The right move with its continuation, or nothing: a victory up to the last four, or a
        defence with the victory that it stops."""
        me, cells = position.mover, position.state().cells
        if kind == FOURS:
            return self.by_fours(cells, me)
        if kind == THREATS:
            return self.by_threats(cells, me, me)
        threatened = self.by_fours(cells, 1 - me)
        tried = (
            *dict.fromkeys(threatened),
            *(code for code in position.legal_codes if code not in threatened),
        )
        return next(
            ((code,) for code in tried if threatened and self.keeps(position, code, DEFENCE)), ()
        )

    def _check(self, found: int, gave_up: int) -> None:
        self.stop.check()
        if not found and gave_up:
            raise NotSolvedInTime("whether this wins could not be proved")


@dataclasses.dataclass(frozen=True)
class ThreatPuzzle(Puzzle):
    """A position with one right move. The solution is that move and its continuation: to the
    last four, or the victory that is stopped."""

    kind: Kind

    @property
    def goal(self) -> Kind:
        return self.kind

    def task(self, left: Goal) -> Reason:
        position = self.position
        values = size_words(position.rules) | {
            "player": position.to_move,
            "opponent": position.rules.players[1 - position.mover],
        }
        return Reason(f"lines.puzzle.task_{self.kind}", values)

    def answer(self) -> str:
        return f"{' '.join(self.solution)}  (looks like choice {self.grade.rank}, {counted(self.grade.tempting, 'tempting wrong move')})"

    def facts(self) -> dict[str, Any]:
        return {"kind": self.kind}


class ThreatPuzzles(PuzzleFamily[Judge]):
    """Victories by fours and by threats, and the only defence against one."""

    game = "gomoku"
    texts = "lines.puzzle"
    option = "kind"
    offered = KINDS
    boards = f"Gomoku and (m,n,k)-games with lines of 4 to {LONGEST_REACH} that are too large to be solved"
    patience = 400
    ideas: ClassVar = {
        "lines.puzzle.idea_stop": {
            "hint.stops_fours",
            "hint.stops_double_four",
            "hint.stops_four_three",
        },
        "lines.puzzle.idea_four": {
            "hint.makes_four",
            "hint.makes_four_three",
            "hint.makes_double_four",
        },
        "lines.puzzle.idea_three": {"hint.makes_open_three", "hint.makes_open_three_unstopped"},
    }
    trains: ClassVar = {
        "mistake.missed_now": (FOURS,),
        "lines.mistake.missed_fours": (FOURS,),
        "mistake.missed_win": (THREATS,),
        "mistake.missed_block": (DEFENCE,),
        "lines.mistake.allowed_four": (DEFENCE,),
        "lines.mistake.allowed_fours": (DEFENCE,),
    }

    def fits(self, rules: Rules) -> bool:
        return (
            isinstance(rules, Mnk) and knows_threats(rules) and rules.rows * rules.cols > MOST_CELLS
        )

    def prepare(self, rules: Rules) -> None:
        for engine in (*PLAYERS, DEFENDER):
            engine.search.prepare(rules)

    def maker(self, rules: Rules, stop: Stop) -> Maker:
        self.prepare(rules)
        assert isinstance(rules, Mnk)
        return ThreatMaker(rules, stop)

    def read(self, entry: dict[str, Any]) -> ThreatPuzzle:
        return ThreatPuzzle(
            entry["game"],
            entry["moves"],
            tuple(entry["solution"]),
            Grade(**entry["grade"]),
            entry["kind"],
        )

    # ---- Playing ----

    def left(self, position: Position, goal: Goal, played: Sequence[str]) -> Goal:
        """The kind of puzzle, until the line is completed; a defence has only its one move."""
        self.check_goals([goal])
        check_knows_threats(position.rules)
        if position.is_over or len(played) % 2 or (played and goal == DEFENCE):
            raise IllegalMove(
                f"after {counted(len(played), 'move')} there is nothing left to try in this puzzle"
            )
        return goal

    @contextlib.contextmanager
    def judge(
        self, position: Position, seconds: float | None, stop: Stop | None
    ) -> Iterator[Judge]:
        """A judge whose proofs have limits of their own, so `seconds` do not matter."""
        assert isinstance(position.rules, Mnk)
        self.prepare(position.rules)
        yield Judge(position.rules, stop or Stop())

    def attempt(self, judge: Judge, position: Position, left: Goal, move: str) -> Attempt:
        kind = _kind(left)
        after = position.play(move)
        code, move = after.history_codes[-1], after.history[-1]
        if not judge.keeps(position, code, kind):
            return Attempt(
                move,
                False,
                Score(player=position.mover),
                after,
                after,
                left,
                _refutation(judge, position, code, kind),
            )
        if kind == DEFENCE:
            return Attempt(move, True, Score(player=position.mover), after, after, "", ())
        won = Score.at_least(1, position.mover)
        if after.is_over:
            return Attempt(move, True, won, after, after, "", ())
        return Attempt(
            move, True, won, after, after.play_codes((_best_reply(judge, after, kind),)), left, ()
        )

    def refusal(self, tried: Attempt, left: Goal) -> tuple[Reason, ...]:
        """Explain why the move is wrong: it makes no four, it leaves nothing after the answer,
        or the opponent still wins."""
        rules, player = tried.after.rules, tried.after.mover
        values = size_words(rules) | {
            "move": tried.move,
            "opponent": rules.players[player],
            "line": " ".join(tried.line[1:]),
        }
        if left == DEFENCE:
            return (Reason("lines.puzzle.still_wins", values),)
        key = "answered" if len(tried.line) > 1 else "no_four" if left == FOURS else "no_threat"
        return (Reason(f"lines.puzzle.{key}", values),)

    def solution(self, judge: Judge, position: Position, left: Goal) -> tuple[str, ...]:
        line = judge.solution(position, _kind(left))
        if not line:
            raise NotSolvedInTime("no such move was found here")
        return tuple(map(position.rules.move_text, line))

    def idea(self, position: Position, line: tuple[str, ...]) -> Reason:
        found = super().idea(position, line)
        return dataclasses.replace(found, values={**size_words(position.rules), **found.values})

    def reasons(self, position: Position, line: tuple[str, ...]) -> tuple[Reason, ...]:
        codes = tuple(position.rules.parse_moves(" ".join(line[:1])))
        return explain(Analysis(position, str(DEFENDER), None, (), codes, depth=len(codes)))


def _kind(goal: Goal) -> Kind:
    """The kind that a goal names."""
    return next(kind for kind in KINDS if kind == goal)


def _best_reply(judge: Judge, after: Position, kind: Kind) -> int:
    """The forced answer to a four, or the engine's answer to an open three. If the engine gives up
    because every answer loses, return one that stops as many threats as possible."""
    forced = judge.reply_to_four(after)
    if forced is not None:
        return forced
    best = DEFENDER.analyse(after, Limit(nodes=DEFENDER_NODES, stop=judge.stop)).best_code
    assert best is not None
    useful = collections.Counter(
        code
        for threat in line_threats(after, judge.stop)
        for code in threat.stops
        if threat.player != after.mover
    )
    if (
        not useful
        or best in useful
        or best in BoardThreats.of(after).cells(after.mover, MAKES_FOUR)
    ):
        return best
    return max(useful, key=lambda code: (useful[code], -code))


def _refutation(judge: Judge, position: Position, move: int, kind: Kind) -> tuple[str, ...]:
    """A wrong move and the answer that shows why: the one that its four forces, the line that
    the opponent completes first, or the victory by fours that it leaves. Only the move if
    nothing had to be answered."""
    after = position.play_codes((move,))
    ways = BoardThreats.of(after, judge.stop)
    at_once = ways.cells(after.mover, COMPLETES)
    if kind == DEFENCE:
        answer = judge.by_fours(after.state().cells, after.mover)
    else:
        answer = tuple(at_once[:1] or ways.cells(position.mover, COMPLETES)[:1])
    return tuple(map(position.rules.move_text, (move, *answer)))


# ---- Making ----


class ThreatMaker(Maker):
    """Looks for positions with one right move in games of the engine against itself."""

    def __init__(self, rules: Mnk, stop: Stop) -> None:
        self.rules, self.stop = rules, stop
        self.judge = Judge(rules, stop)
        self._seen: set[bytes] = set()

    def game(self, rng: random.Random) -> list[Position]:
        """Play a game from a few random marks, each side at one of three strengths; return its
        positions.
        """
        sides = rng.choice(PLAYERS), rng.choice(PLAYERS)
        position, passed = (
            family_of(self.rules).random_start(self.rules, rng)
            or opening(self.rules, rng.randint(*FIRST_MARKS), rng.randrange(1 << 30)),
            [],
        )
        while (
            not position.is_over and len(position.history) < LONGEST_GAME and not self.stop.is_set()
        ):
            passed.append(position)
            best = sides[position.mover].analyse(position).best_code
            assert best is not None
            position = position.play_codes((best,))
        return passed

    def from_game(self, game: list[Position], wanted: set[Goal]) -> ThreatPuzzle | None:
        """Find the first puzzle in a game. Early positions come first, because victories are longer
        there.
        """
        for position in game:
            if self.stop.is_set():
                break
            try:
                puzzle = self.from_position(position, wanted)
            except NotSolvedInTime:
                continue
            if puzzle is not None:
                return puzzle
        return None

    def from_position(self, position: Position, wanted: set[Goal]) -> ThreatPuzzle | None:
        """Make a puzzle of a position; None if it has no single right move or is not of a wanted
        kind.
        """
        board, me = BoardThreats.of(position, self.stop), position.mover
        if board.cells(me, COMPLETES) or board.cells(1 - me, COMPLETES):
            return None
        kind, line = self._task(position)
        if kind not in wanted or winning_moves(line) < FEWEST_MOVES:
            return None
        others = self._rivals(position, board, kind, line)
        right = [move for move in others if self.judge.keeps(position, move, kind)]
        if len(right) != 1 or len(others) <= FEWEST_TEMPTING or not self._is_new(position):
            return None
        solution = line if kind != DEFENCE else (right[0],)
        if right[0] != solution[0]:
            return None
        return ThreatPuzzle(
            position.game,
            position.moves,
            tuple(map(self.rules.move_text, solution)),
            self._grade(board, me, others, right[0], winning_moves(line)),
            kind,
        )

    def _task(self, position: Position) -> tuple[Kind, tuple[int, ...]]:
        """The kind of puzzle that this position could be, and the victory that it is about."""
        me, cells = position.mover, position.state().cells
        if own := self.judge.by_fours(cells, me):
            return FOURS, own
        if own := self.judge.by_threats(cells, me, me):
            return THREATS, own
        return DEFENCE, self.judge.by_fours(cells, 1 - me)

    def _rivals(
        self, position: Position, board: BoardThreats, kind: Kind, line: Sequence[int]
    ) -> list[int]:
        """The moves that could be right: those that make a four or an open three; for a defence
        all moves, those on the line first."""
        if kind == DEFENCE:
            return [*dict.fromkeys((*line, *position.legal_codes))]
        made = (MAKES_FOUR,) if kind == FOURS else (MAKES_FOUR, MAKES_THREE, WINS)
        return sorted({cell for threat in made for cell in board.cells(position.mover, threat)})

    def _is_new(self, position: Position) -> bool:
        """Whether neither this position nor any turned or mirrored image of it was a puzzle
        before."""
        cells = position.state().cells.reshape(self.rules.rows, self.rules.cols)
        key = min(
            np.rot90(each, turns).tobytes() for each in (cells, cells.T) for turns in range(4)
        )
        known = key in self._seen
        self._seen.add(key)
        return not known

    def _grade(
        self, board: BoardThreats, me: int, others: Sequence[int], right: int, moves: int
    ) -> Grade:
        """Grade a puzzle by the length of the victory, the rank of the solution by its patterns,
        and the wrong moves that look as good."""
        looks = {
            cell: max(
                int(first_of(board.board.order[board.board.combinations[side * board.size + cell]]))
                for side in (me, 1 - me)
            )
            for cell in others
        }
        rank = 1 + sum(look > looks[right] for look in looks.values())
        tempting = sum(look >= looks[right] for cell, look in looks.items() if cell != right)
        return Grade(stars_for(moves, rank, tempting), rank, tempting)


def winning_moves(line: Sequence[int]) -> int:
    """The number of the winner's moves in a victory that is written up to its last four or to
    its end."""
    return len(line) // 2 + 1


def stars_for(moves: int, rank: int, tempting: int) -> int:
    """Rate a puzzle with 1 to 5 stars: a point for each move of the victory beyond the shortest,
    for each place below the best and each tempting wrong move; two points make a star."""
    points = min(moves - FEWEST_MOVES, 5) + min(rank - 1, 2) + min(tempting, 3)
    return min(MOST_STARS, 1 + points // 2)


FEWEST_FREE, MOST_FREE = 4, 14
"""The fewest and the most free cells: with fewer there is little to find, with more it is too
hard for a person."""


class SmallLinePuzzles(OneMovePuzzles):
    """The only move that keeps a result, on boards that are small enough to be solved."""

    game = "tictactoe"
    boards = "tic-tac-toe and other (m,n,k)-games on boards that are solved"

    def fits(self, rules: Rules) -> bool:
        return isinstance(rules, Mnk) and rules.rows * rules.cols <= MOST_CELLS

    def is_rich(self, position: Position, free: int) -> bool:
        return FEWEST_FREE <= free <= MOST_FREE

    def is_obvious(self, position: Position) -> bool:
        board = Lines(position.rules, position.state())
        return bool(board.wins(0) or board.wins(1))
