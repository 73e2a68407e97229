"""Puzzles of Kalah: what to find is a whole turn, with all its sowings, and exactly one turn is
right.

- **only-move**: one turn keeps the win, or the draw; every other one does worse in result.
- **save**: the mover is behind in the stores, and every turn but one loses.
- **longest-chain**: one order of sowings, of at least four, is longer than every other, has a
  better score than every other, and does not lose.

The first two are disjoint: what is a `save` is no `only-move`. A turn is the only one that keeps a
score exactly if at each of its sowings no other house keeps it; so the solver is asked about every
house along the solution. For the third kind all turns are enumerated too.

Positions come from games in which both sides mostly play what a shallow search for seeds likes
best. The grade counts the sowings of the solution, where a greedy player ranks its first house, and
how many wrong houses look as good to a shallow search.

A puzzle is played sowing by sowing, and a wrong house is answered with its refutation. What is
right follows from the position on the board alone: in a longest chain, a house with which a longest
turn continues; otherwise a house that keeps the result.
"""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from mnkala.core import Position, Rules
from mnkala.core.position import turns
from mnkala.core.score import Score
from mnkala.errors import IllegalMove
from mnkala.explain.contract import Reason
from mnkala.explain.reasons import explain_move
from mnkala.explain.score_words import score_words
from mnkala.explain.words import named_moves
from mnkala.families.kalah.rules import Kalah
from mnkala.numbers import counted
from mnkala.play.puzzle_contract import (
    MOST_STARS,
    Attempt,
    Goal,
    Grade,
    Maker,
    NotSolvedInTime,
    Puzzle,
    SolverPuzzles,
    glances,
    rivals,
)
from mnkala.search import Stop, parse_engine
from mnkala.solve import Cost, find_solver, solver_for
from mnkala.solve.effort import Effort
from mnkala.solve.oracle import Oracle, check_open

ONLY, CHAIN, SAVE = KINDS = ("only-move", "longest-chain", "save")
MOST_TURNS = 20_000
"""The most turns of a position; one with more is no puzzle, because counting them would take too
long."""
MOST_REASONS = 3
FEWEST_HOUSES = 3
"""The fewest houses to choose from."""
SHORTEST_CHAIN = 4
MOST_NODES = 20_000_000
"""Nodes for all queries about a position. Positions within reach never need that many, so a faster
solver finds the same puzzles."""
FEWEST_LEFT, MOST_LEFT = 0.2, 0.7
"""The fractions of all seeds that must still be in the houses: with fewer there is nothing to find,
with more nobody can work it out."""
SHALLOW = parse_engine("deepening:heuristic=stores")
"""A heuristic that nobody will tune, so that the same games will always be played."""
WEIGHTS = (12, 4, 1)
"""How often a careful player takes what looks best, second and third, in proportion."""
GLANCE = 2
"""The plies that a careful player looks ahead."""


def orders_of_sowings(position: Position) -> Iterator[tuple[int, ...]]:
    """All turns of the mover, in every order of their sowings. (`whole_turns` continues from each
    board only once; here orders differ.)"""
    for move in position.legal_codes:
        after = position.play_codes((move,))
        if after.is_over or after.mover != position.mover:
            yield (move,)
        else:
            yield from ((move, *rest) for rest in orders_of_sowings(after))


def longest_turns(position: Position) -> list[tuple[int, ...]]:
    """The turns with the most sowings; none where there are too many turns to compare."""
    longest: list[tuple[int, ...]] = []
    for number, turn in enumerate(orders_of_sowings(position)):
        if number >= MOST_TURNS:
            return []
        if not longest or len(turn) > len(longest[0]):
            longest = [turn]
        elif len(turn) == len(longest[0]):
            longest.append(turn)
    return longest


def _right_moves(
    oracle: Oracle, position: Position, kind: str, moves: Sequence[int]
) -> Iterator[int]:
    """Yield those of the given houses that are right."""
    if kind == CHAIN:
        right = {turn[0] for turn in longest_turns(position)}
        yield from (move for move in moves if move in right)
        return
    needed = _needed(oracle, position)
    for move in moves:
        above = oracle.is_above(position.play_codes((move,)), needed, position.mover)
        if above is None:
            raise NotSolvedInTime(
                f"what {position.rules.move_text(move)} is worth could not be proved"
            )
        if above:
            yield move


def _needed(oracle: Oracle, position: Position) -> int:
    """The number that a score must exceed to keep the result or, where every turn loses, to keep
    the loss as small as it is."""
    for number in (0, -1):
        above = oracle.is_above(position, number, position.mover)
        if above is None:
            raise NotSolvedInTime("who wins here could not be proved")
        if above:
            return number
    return oracle.answer(position).lower - 1


def _longest_from(position: Position, move: int) -> tuple[int, ...]:
    """The longest turn that begins with a house."""
    after = position.play_codes((move,))
    if after.is_over or after.mover != position.mover:
        return (move,)
    return (move, *next(iter(longest_turns(after)), ()))


def _texts(position: Position, moves: Sequence[int]) -> tuple[str, ...]:
    return tuple(map(position.rules.move_text, moves))


@dataclasses.dataclass(frozen=True)
class KalahGrade(Grade):
    """How hard a turn is to find. Tempting are wrong houses that a search of four plies rates as
    high, and in chains those that move again."""

    sowings: int
    """The number of sowings in the solution."""


@dataclasses.dataclass(frozen=True)
class TurnPuzzle(Puzzle):
    """A position with one right turn, which is the solution."""

    grade: KalahGrade
    kind: str
    scores: dict[str, int]
    """The exact score of every house, for the mover."""

    @property
    def goal(self) -> str:
        """The kind of puzzle."""
        return self.kind

    @property
    def score(self) -> int:
        """The mover's score with best play."""
        return max(self.scores.values())

    def task(self, left: Goal) -> Reason:
        values: dict[str, str | int] = {"player": self.position.to_move}
        if self.kind == CHAIN:
            return Reason("kalah.puzzle.task_chain", {**values, "sowings": len(self.solution)})
        what = "save" if self.kind == SAVE else "only"
        return Reason(f"kalah.puzzle.task_{what}_{'win' if self.score > 0 else 'draw'}", values)

    def answer(self) -> str:
        rules, mover = self.position.rules, self.position.mover
        worth = {
            move: score_words(Score.exactly(score, mover), rules)
            for move, score in self.scores.items()
        }
        right, grade = self.solution[0], self.grade
        others = ", ".join(f"{move} {words}" for move, words in worth.items() if move != right)
        return (
            f"{', '.join(self.solution)}: {worth[right]}; {others}  (looks like choice {grade.rank}, "
            f"{counted(grade.tempting, 'tempting wrong house')})"
        )

    def facts(self) -> dict[str, Any]:
        return {"kind": self.kind, "score": self.score, "scores": self.scores}


class KalahPuzzles(SolverPuzzles):
    """Puzzles in which a turn is to be found."""

    game = "kalah"
    texts = "kalah.puzzle"
    option = "kind"
    offered = KINDS
    patience = 1500
    ideas: ClassVar = {
        "kalah.puzzle.idea_capture": {"hint.captures", "hint.chain_captures"},
        "kalah.puzzle.idea_again": {"hint.extra_turn", "hint.extra_turns", "hint.chain"},
        "kalah.puzzle.idea_save": {"hint.saves", "hint.eases"},
        "kalah.puzzle.idea_later": {"hint.prepares_capture", "hint.prepares_again"},
    }
    trains: ClassVar = {
        "kalah.mistake.missed_extra": (CHAIN,),
        "kalah.mistake.gave_extra": (ONLY, SAVE),
        "kalah.mistake.missed_capture": (ONLY, SAVE),
        "kalah.mistake.left_house": (SAVE, ONLY),
    }
    boards = f"Kalah boards with at least {FEWEST_HOUSES} houses, such as kalah or kalah:4x3"

    def fits(self, rules: Rules) -> bool:
        return (
            isinstance(rules, Kalah)
            and rules.houses >= FEWEST_HOUSES
            and find_solver(rules) is not None
        )

    def maker(self, rules: Rules, stop: Stop) -> Maker:
        solver_for(rules).prepare(rules)
        SHALLOW.search.prepare(rules)
        return KalahMaker(rules, stop)

    def read(self, entry: dict[str, Any]) -> TurnPuzzle:
        return TurnPuzzle(
            entry["game"],
            entry["moves"],
            tuple(entry["solution"]),
            KalahGrade(**entry["grade"]),
            entry["kind"],
            entry["scores"],
        )

    def left(self, position: Position, goal: Goal, played: Sequence[str]) -> str:
        """The kind of a puzzle at a position that some sowings led to; raise an error with the reason
        if there is nothing to find."""
        if goal not in KINDS:
            raise IllegalMove(f"a puzzle of Kalah is of one of the kinds {', '.join(KINDS)}")
        if played and (position.is_over or {*position.movers[-len(played) :]} != {position.mover}):
            raise IllegalMove(
                f"after {''.join(played)} the turn is over: there is nothing left to try in this puzzle"
            )
        check_open(position)
        return str(goal)

    def attempt(self, judge: Oracle, position: Position, left: Goal, move: str) -> Attempt:
        """Try a house and judge it."""
        kind = str(left)
        after = position.play(move)
        code, move = after.history_codes[-1], after.history[-1]
        right = code in _right_moves(judge, position, kind, (code,))
        known = judge.answer(after)
        if not right:
            line = (
                _longest_from(position, code)
                if kind == CHAIN
                else (code, *judge.line(after, known))
            )
            return Attempt(
                move,
                False,
                known.before(position.mover),
                after,
                after,
                kind,
                _texts(position, line),
            )
        over = after.is_over or after.mover != position.mover
        return Attempt(
            move, True, known.before(position.mover), after, after, "" if over else kind, ()
        )

    def refusal(self, tried: Attempt, left: Goal) -> tuple[Reason, ...]:
        """Explain a wrong house; in a chain, say how long the turn can be with that house."""
        if left != CHAIN:
            return super().refusal(tried, left)
        longest: dict[str, str | int] = {"sowings": len(tried.line), "line": ", ".join(tried.line)}
        return Reason("puzzle.wrong", {"move": named_moves(tried.after.rules, tried.move)}), Reason(
            "kalah.puzzle.wrong_chain", longest
        )

    def solution(self, judge: Oracle, position: Position, left: Goal) -> tuple[str, ...]:
        """The rest of the turn that solves the puzzle."""
        turn: list[int] = []
        now = position
        while not now.is_over and now.mover == position.mover:
            turn.append(next(iter(_right_moves(judge, now, str(left), now.legal_codes))))
            now = position.play_codes(turn)
        return _texts(position, turn)

    def reasons(self, position: Position, line: tuple[str, ...]) -> tuple[Reason, ...]:
        """The reasons that can be given for the first house."""
        code = position.play(line[0]).history_codes[-1]
        return tuple(explain_move(position, code)[:MOST_REASONS])


# ---- Making puzzles ----


class KalahMaker(Maker):
    """Looks for positions with a unique right turn."""

    def __init__(self, rules: Rules, stop: Stop) -> None:
        assert isinstance(rules, Kalah)
        self.rules, self.stop = rules, stop
        self.solver = solver_for(rules)(rules)
        self._seen: set[str] = set()

    def game(self, rng: random.Random) -> list[Position]:
        position, passed = Position(self.rules), []
        while not position.is_over:
            passed.append(position)
            values = glances(SHALLOW, position, GLANCE)
            ranked = sorted(values, key=lambda move: (-values[move], move))[: len(WEIGHTS)]
            position = position.play_codes(rng.choices(ranked, weights=WEIGHTS[: len(ranked)]))
        return passed

    def from_game(self, game: list[Position], wanted: set[Goal]) -> TurnPuzzle | None:
        """Look for a puzzle in a game where a turn begins, from the end, because later positions
        are solved faster."""
        for turn in reversed([*turns(Position(self.rules), game[-1].history_codes)]):
            if self.stop.is_set() or (seeds := self._seeds_left(turn.position)) > MOST_LEFT:
                break
            if (
                seeds >= FEWEST_LEFT
                and (puzzle := self.from_position(turn.position, wanted)) is not None
            ):
                return puzzle
        return None

    def _seeds_left(self, position: Position) -> float:
        """The fraction of all seeds that is in the houses."""
        seeds = position.to_array()
        return float(seeds[:, :-1].sum() / seeds.sum())

    def from_position(self, position: Position, wanted: set[Goal]) -> TurnPuzzle | None:
        """Make a puzzle of a position, if it is one of a wanted kind."""
        if len(position.legal_codes) < FEWEST_HOUSES or self.solver.cost(position) is Cost.HOPELESS:
            return None
        with Effort(self.stop, nodes=MOST_NODES) as effort:
            oracle = Oracle(self.solver, None, effort)
            found = self._chain(oracle, position) if CHAIN in wanted else None
            return found or (
                self._result(oracle, position, wanted) if wanted & {ONLY, SAVE} else None
            )

    def _chain(self, oracle: Oracle, position: Position) -> TurnPuzzle | None:
        """Make a puzzle if one turn is both the longest and the best."""
        longest = longest_turns(position)
        if len(longest) != 1 or len(longest[0]) < SHORTEST_CHAIN:
            return None
        best = oracle.answer(position).exact
        if (
            best is None
            or best < 0
            or tuple(self._only_moves(oracle, position, best - 1)) != longest[0]
        ):
            return None
        return self._puzzle(oracle, position, longest[0], CHAIN)

    def _result(self, oracle: Oracle, position: Position, wanted: set[Goal]) -> TurnPuzzle | None:
        """Make a puzzle if one turn keeps a result that the others do not keep."""
        needed = next(
            (number for number in (0, -1) if oracle.is_above(position, number, position.mover)),
            None,
        )
        if needed is None:
            return None
        turn = tuple(self._only_moves(oracle, position, needed))
        if not turn or self._goes_on(position, turn):
            return None
        puzzle = self._puzzle(oracle, position, turn, ONLY)
        if puzzle is None:
            return None
        stores = position.to_array(position.mover)[:, -1]
        lost = all(score < 0 for move, score in puzzle.scores.items() if move != puzzle.solution[0])
        kind = SAVE if lost and stores[0] < stores[1] else ONLY
        return dataclasses.replace(puzzle, kind=kind) if kind in wanted else None

    def _only_moves(self, oracle: Oracle, position: Position, needed: int) -> Iterator[int]:
        """Yield, sowing after sowing of this turn, the house that keeps a score above a number, as
        long as it is the only one."""
        before = position
        while not position.is_over and position.mover == before.mover:
            kept: list[int] = []
            for move in position.legal_codes:
                # Houses without a proof count as keeping the score, so that nothing unproved is
                # claimed.
                if oracle.is_above(position.play_codes((move,)), needed, before.mover) is not False:
                    kept.append(move)
                if len(kept) > 1:
                    return
            yield kept[0]
            position = position.play_codes(kept)

    @staticmethod
    def _goes_on(position: Position, turn: tuple[int, ...]) -> bool:
        """Whether the mover is still to move after some sowings."""
        after = position.play_codes(turn)
        return not after.is_over and after.mover == position.mover

    def _puzzle(
        self, oracle: Oracle, position: Position, turn: tuple[int, ...], kind: str
    ) -> TurnPuzzle | None:
        """Make a puzzle with the exact score of every house.

        None where a score is not found, where the position was used before, or where there is
        nothing to find, because a single sowing looks best to everybody.
        """
        name = (position.literal or "").rstrip("o")
        *_, proof = oracle.prove(position, moves="all", lines=False)
        if not proof.done or name in self._seen:
            return None
        self._seen.add(name)
        grade = self._grade(position, turn, kind)
        if grade.sowings == grade.rank == 1 and not grade.tempting:
            return None
        scores = {move: known.lower for move, known in proof.scores.items()}
        return TurnPuzzle(
            position.game,
            position.moves,
            tuple(map(self.rules.move_text, turn)),
            grade,
            kind,
            scores,
        )

    def _grade(self, position: Position, turn: tuple[int, ...], kind: str) -> KalahGrade:
        """Grade a puzzle by a shallow search, and by the sowings of its turn."""
        rank = 1 + rivals(SHALLOW, position, turn[0], 1)
        if kind == CHAIN:
            others = (
                position.play_codes((move,)) for move in position.legal_codes if move != turn[0]
            )
            tempting = sum(not after.is_over and after.mover == position.mover for after in others)
        else:
            tempting = rivals(SHALLOW, position, turn[0])
        return KalahGrade(stars_for(kind, len(turn), rank, tempting), rank, tempting, len(turn))


def stars_for(kind: str, sowings: int, rank: int, tempting: int) -> int:
    """Rate a puzzle with 1 to 5 stars: a point for each sowing beyond the fewest of the kind, each
    tempting wrong house, and each place below the best; two points make a star."""
    fewest = SHORTEST_CHAIN if kind == CHAIN else 1
    points = min(sowings - fewest, 6) + min(tempting, 4) + min(rank - 1, 4)
    return min(MOST_STARS, 1 + points // 2)
