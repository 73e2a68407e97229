"""The review of a game: what each move was worth, where the game was decided, and how well
either side played.

The game is examined from its end to its start, so that what is proved late helps early. Each
position is searched for its best move; the move that was played is then searched to the same
horizon, because heuristic values of different depths cannot be compared. What it gave away is
the difference of two chances (`chances`). The accuracy of a move follows lichess.org's curve:
100 % where nothing was given away, falling with the loss of chance; a side's accuracy is the
mean over its moves. Where margins count and the solver knows them, moves are graded by what they
gave away, and reported by turns (`turn_reviews`). `grades` has the thresholds.

Unless it is given a time, a review counts nodes, so that it comes out the same every time, on
every machine.
"""

from __future__ import annotations

import dataclasses
import itertools
import math
from collections.abc import Iterator

from mnkala.core import Position, Rules
from mnkala.core.position import first_turn
from mnkala.core.score import OPEN_END, Score
from mnkala.errors import BadEngine
from mnkala.explain.contract import Reason
from mnkala.explain.reasons import MOST_REASONS, explain_move, tells_best_play
from mnkala.explain.verdicts import RANKS, has_verdicts, verdict
from mnkala.play.review_judge import (
    ESTIMATE_NODES,
    ESTIMATOR,
    INACCURACY,
    MOST_NODES,
    PROVER,
    Grade,
    Look,
    counts_margins,
    grade_by_chance,
    grade_by_margin,
    is_opinion,
    is_stopped,
    look,
    looking,
    proves_margins,
)
from mnkala.play.turn_reviews import (
    Accuracy,
    TurnReview,
    accuracy_in_margins,
    review_turns,
    turn_reasons,
)
from mnkala.search import Engine, Limit, Stop, parse_engine
from mnkala.search.auto import resolved
from mnkala.solve import find_solver

LOSING = 0.35
"""The chance below which a position counts as losing; above its opposite, 0.65, it counts as
winning, and in between as even. So a step from 0.51 to 1 turns a game, though the same side was
ahead before."""
LONGEST = 180.0
"""The approximate limit, in seconds, for the review of a very long game: its moves get less time
each."""
EXACT_NODES = 8_000_000
"""The node limit of a solver for a position; most need far fewer."""
SHORTEST_LOOK = 0.01
SHARE_FOR_PLAYED = 0.5
"""The search of the played move takes at most this share of the time again."""


def reviewer(rules: Rules) -> Engine:
    """The default judge: an exact solver if there is one, otherwise the strongest search."""
    return ESTIMATOR if find_solver(rules) is None else PROVER


@dataclasses.dataclass(frozen=True)
class MoveReview:
    """The grade of one move, and everything it rests on."""

    ply: int
    """The number of the move, counted from 1."""
    player: int
    move: str
    grade: Grade | None = None
    """None until it is known, like the scores."""
    score: Score | None = None
    """The score of the move for its player. Moves to the end count from the position before it,
    as in an analysis of that position."""
    best: str = ""
    """The move that should have been played; the move itself if none is better."""
    best_score: Score | None = None
    line: tuple[str, ...] = ()
    """The best move and the expected continuation."""
    loss: float = 0.0
    """How much of the expected result the move gave away, from 0 to 1."""
    refutation: tuple[str, ...] = ()
    """The move itself and best play after it, as far as the judge knows it."""
    reasons: tuple[Reason, ...] = ()
    """Why it is good or bad, where that is proved."""
    best_turn: tuple[str, ...] = ()
    """The beginning of `line` that belongs to the player: the best move, and further ones if
    that move lets the player move again."""

    @property
    def given_away(self) -> int | None:
        """The margin that the move gave away, by exact scores; None where that is not proved."""
        played, best = (
            None if score is None else score.exact for score in (self.score, self.best_score)
        )
        return None if played is None or best is None else best - played

    @property
    def turned(self) -> tuple[str, str] | None:
        """The results proved before and after a move that made it worse: (win, draw), (win, loss)
        or (draw, loss)."""
        if (
            self.score is None
            or self.best_score is None
            or "unknown" in (self.score.result, self.best_score.result)
        ):
            return None
        before, after = self.best_score.result, self.score.result
        return (before, after) if RANKS[after] < RANKS[before] else None


@dataclasses.dataclass(frozen=True)
class Review:
    """The review of a game so far."""

    position: Position
    """The last position, with its history."""
    engine: str
    moves: tuple[MoveReview, ...]
    chances: tuple[float | None, ...]
    """The first player's chance before move 1, after move 1, …; None where it is not known yet."""
    accuracy: tuple[float | None, float | None] = (None, None)
    """Each side's accuracy in percent; None until all moves are known, and for a side that did
    not move."""
    turning_point: int | None = None
    """The ply that cost the most among those that changed who was expected to win."""
    done: int = 0
    """The number of moves that are graded."""
    turns: tuple[TurnReview, ...] = ()
    """The moves grouped into turns, where margins count."""
    margins: tuple[int | None, ...] = ()
    """Where margins count, the first player's exact margin before move 1, after move 1, …; None
    where it is not proved, or not yet.
    """

    @property
    def accuracy_in_margins(self) -> tuple[Accuracy | None, Accuracy | None]:
        """How exactly the two sides played, where margins count; None until all moves are known,
        and for a side that did not move."""
        if not self.final:
            return None, None
        return accuracy_in_margins(self.turns, 0), accuracy_in_margins(self.turns, 1)

    @property
    def total(self) -> int:
        """The number of moves in the game."""
        return len(self.moves)

    @property
    def final(self) -> bool:
        """Whether every move is graded."""
        return self.done == self.total


def review(
    position: Position,
    seconds: float | None = None,
    engine: Engine | str | None = None,
    stop: Stop | None = None,
    *,
    limit: Limit | None = None,
) -> Iterator[Review]:
    """Yield better and better reviews of the game that led to `position`, beginning with an
    empty one; the last is complete unless `stop` was set.

    Each move gets `seconds`, less where the game is very long, or a `limit`; without either, it
    gets a number of nodes that takes an instant.
    """
    judge = resolved(
        parse_engine(engine) if isinstance(engine, str) else engine or reviewer(position.rules),
        position.rules,
    )
    total = max(1, len(position.history))
    margins = proves_margins(judge, position.rules)
    most_nodes = MOST_NODES if limit is None else None
    if limit is None and seconds is None:
        nodes = EXACT_NODES if judge.search.name == PROVER.search.name else ESTIMATE_NODES
        limit = Limit(nodes=nodes if margins else min(nodes, MOST_NODES // total))
    elif limit is None and seconds is not None:
        if not 0 < seconds < math.inf:
            raise BadEngine(f"{seconds} seconds for a move; it must be more than 0 and finite")
        limit = Limit(time=max(SHORTEST_LOOK, min(seconds, LONGEST / total)))
    assert limit is not None
    limit = dataclasses.replace(limit, stop=stop)
    growing = _GrowingReview(position, judge)
    yield growing.review()
    later: Look | None = None
    with looking(judge, position.rules, stop, most_nodes) as look_at:
        for ply, before, after in _backwards(position):
            if later is None:
                later = look_at(after, limit)
            now = look_at(before, limit)
            if not is_stopped(stop):
                played = _played(ESTIMATOR if margins else judge, now, before, after, later, limit)
            if is_stopped(stop):
                return
            growing.grade(ply, now, later, played)
            growing.explain(ply, before, now, later)
            later = now
            yield growing.review()


# ---- Looking at one move ----


@dataclasses.dataclass(frozen=True)
class Played:
    """The value that a review found for the move that was played."""

    score: Score
    """The score of the move for its player."""
    gap: float | None = None
    """How much better the best move looked at the same horizon, as a difference of chances; None
    where the scores decide."""


def _played(
    engine: Engine, now: Look, before: Position, after: Position, later: Look, limit: Limit
) -> Played:
    """Score the move that was played, to the same horizon as the search that found the best one.

    What is proved stands, and the engine's own move has the engine's own score. Otherwise the
    root's score of the move will do unless it is a mere bound; or the position after it is searched
    one ply less deep.
    """
    move, mover = after.history_codes[-1], before.mover
    if later.score.result != "unknown":
        return Played(later.score.before(mover))
    if move == now.found.best_code:
        return Played(now.score)
    known = next((root.score for root in now.found.moves if root.code == move), None)
    if known is not None and (
        known.result != "unknown" or (not known.is_proved and known.at is None)
    ):
        return Played(known)
    if now.found.depth < 2:
        return Played(later.score.before(mover))
    time = None if limit.time is None else max(SHORTEST_LOOK / 2, SHARE_FOR_PLAYED * limit.time)
    found = look(engine, after, dataclasses.replace(limit, depth=now.found.depth - 1, time=time))
    # The second search may have had to stop earlier: then the first one is asked what it thought at
    # that depth.
    depth = max((depth for depth in found.scores if depth + 1 in now.scores), default=None)
    gap = (
        None
        if depth is None
        else now.scores[depth + 1].chance - found.scores[depth].seen_by(mover).chance
    )
    return Played(found.score.before(mover), gap)


def _backwards(position: Position) -> Iterator[tuple[int, Position, Position]]:
    """Yield each ply with the positions before and after it, from the last move to the first.

    A position can be as large as its board, so on the way back only a few are held: some along the
    game, and those between two.
    """
    history = position.history_codes
    stride = max(1, math.isqrt(len(history)))
    marks = [position.root()]
    for start in range(0, len(history) - stride, stride):
        marks.append(marks[-1].play_codes(history[start : start + stride]))
    while marks:
        start = len(marks[-1].history)
        between = [marks.pop()]
        for move in history[start : min(start + stride, len(history))]:
            between.append(between[-1].play_codes([move]))
        for i in range(len(between) - 1, 0, -1):
            yield start + i, between[i - 1], between[i]


class _GrowingReview:
    """Collects a review move by move."""

    def __init__(self, position: Position, engine: Engine) -> None:
        rules = position.rules
        self.position, self.engine = position, engine
        movers = position.movers
        self.moves = [
            MoveReview(ply, movers[ply - 1], rules.move_text(move))
            for ply, move in enumerate(position.history_codes, start=1)
        ]
        self.chances: list[float | None] = [None] * (len(self.moves) + 1)
        self.settled: list[float | None] = [None] * (len(self.moves) + 1)
        """The first player's chances where a result is proved, by the position itself or by the
        move that led to it."""
        self.margins: list[int | None] = [None] * (len(self.moves) + 1)
        self.proved_lines: list[tuple[int, ...]] = [(move,) for move in position.history_codes]
        """Each move and best play after it, as far as that is proved."""
        self.reasons_of_turns: dict[int, tuple[Reason, ...]] = {}
        """The reasons for turns by their first plies, where margins count."""
        self.done = 0
        if not self.moves:
            self.chances[0] = None if position.outcome is None else _result_for_first(position)

    def grade(self, ply: int, now: Look, later: Look, found: Played) -> None:
        """Grade a move by everything that is known about it."""
        position, rules, played = self.position, self.position.rules, found.score
        this = self.moves[ply - 1]
        # 1. What it cost. What was proved of the position holds for every move of it; and no move
        #    is better than the best.
        best, reached = now.score.chance, played.chance
        if now.score.result in ("loss", "draw"):
            reached = min(reached, best)
        opinions = is_opinion(now.score) and is_opinion(played)
        loss = max(0.0, best - reached if found.gap is None or not opinions else found.gap)
        # 2. The engine's own choice gives nothing away, and neither does one that is proved to be
        #    as good.
        wins_now = played.result == "win" and played.plies == 1
        as_good = (
            position.history_codes[ply - 1] == now.found.best_code
            or wins_now
            or _as_good(played, now.score)
        )
        this = dataclasses.replace(this, score=played, best_score=now.score)
        grade: Grade = "best" if as_good else grade_by_chance(loss)
        if counts_margins(rules) and this.given_away is not None:
            grade = grade_by_margin(this.given_away, turned=this.turned is not None)
            as_good = grade == "best"
        line = now.found.line_codes
        best_turn = line[:1]
        if tells_best_play(now.found):
            best_turn = first_turn(now.found.position, line)
        self.moves[ply - 1] = dataclasses.replace(
            this,
            grade=grade,
            loss=0.0 if as_good else loss,
            best=this.move if as_good else now.found.best_move,
            line=tuple(map(rules.move_text, line)),
            best_turn=tuple(map(rules.move_text, best_turn)),
        )
        # 3. The graph: what could be expected before the move, and after the last one.
        if self.chances[ply] is None:
            self.chances[ply] = later.expected
        won = played.result == "win"
        self.chances[ply - 1] = float(this.player == 0) if won else now.expected
        if won or now.score.result != "unknown":
            self.settled[ply - 1] = self.chances[ply - 1]
        if played.result != "unknown":
            self.settled[ply] = played.seen_by(0).chance
        self.margins[ply - 1], self.margins[ply] = _margin(now.score), _margin(later.score)
        self.done += 1

    def explain(self, ply: int, before: Position, now: Look, later: Look) -> None:
        """Say why a move is good or bad, and how best play continues after it, as far as that is
        proved."""
        move, rules = self.position.history_codes[ply - 1], self.position.rules
        line, best_line = (move, *later.found.line_codes), _proved_line(now, rules)
        proved = (move, *_proved_line(later, rules))
        if len(proved) == 1 and best_line[:1] == proved:
            line = proved = best_line
        reasons: tuple[Reason, ...] = ()
        if counts_margins(rules) and self.moves[ply - 1].given_away == 0:
            reasons = tuple(explain_move(before, move, now.score, {}, proved)[:MOST_REASONS])
        elif has_verdicts(rules):
            known = {each.code: each.score for each in now.found.moves}
            if now.score.result == "loss":
                known = {
                    other: dataclasses.replace(now.score, lower=-OPEN_END)
                    for other in before.legal_codes
                } | known
            if now.found.best_code is not None and now.score.exact is not None:
                known[now.found.best_code] = now.score
            known[move] = later.score.before(before.mover)
            reasons = verdict(before, move, known, proved, best_line, now.score)
        text = tuple(rules.move_text(each) for each in line)
        self.moves[ply - 1] = dataclasses.replace(
            self.moves[ply - 1], refutation=text, reasons=reasons
        )
        self.proved_lines[ply - 1] = proved
        if counts_margins(rules) and (ply == 1 or self.moves[ply - 2].player != before.mover):
            rest = self.moves[ply - 1 :]
            turn = list(itertools.takewhile(lambda each: each.player == before.mover, rest))
            last = ply - 1 + len(turn)
            line = (*self.position.history_codes[ply - 1 : last - 1], *self.proved_lines[last - 1])
            self.reasons_of_turns[ply] = turn_reasons(before, turn, line)

    def review(self) -> Review:
        """The review of the moves graded so far."""
        moves, chances = self._held_to_proofs()
        known = self.done == len(moves)
        by_turns = (review_turns(moves, self.reasons_of_turns), tuple(self.margins))
        return Review(
            self.position,
            str(self.engine),
            moves,
            chances,
            (_accuracy(moves, 0), _accuracy(moves, 1)) if known else (None, None),
            _turning_point(moves) if known else None,
            self.done,
            *(by_turns if counts_margins(self.position.rules) else ()),
        )

    def _held_to_proofs(self) -> tuple[tuple[MoveReview, ...], tuple[float | None, ...]]:
        """The moves and the graph, corrected by proofs. A proved result holds until a move gives
        something away, even if a later search does not find the proof again; and nobody can give
        away more than was left."""
        moves, chances = list(self.moves), list(self.chances)
        held = self.settled[0]
        for ply, move in enumerate(self.moves, start=1):
            left = None if held is None else held if move.player == 0 else 1 - held
            if left is not None and move.loss > left and move.given_away is None:
                moves[ply - 1] = move = dataclasses.replace(
                    move, loss=left, grade=grade_by_chance(left)
                )
            kept = held if move.grade is not None and move.loss == 0 else None
            held = kept if self.settled[ply] is None else self.settled[ply]
            chances[ply] = chances[ply] if held is None else held
        return tuple(moves), tuple(chances)


def _result_for_first(position: Position) -> float:
    winner = position.outcome.winner if position.outcome else None
    return 0.5 if winner is None else float(winner == 0)


def _proved_line(look: Look, rules: Rules) -> tuple[int, ...]:
    """Best play from a position, as far as it is proved: where margins count, by an exact score."""
    score = look.score
    known = score.exact is not None if counts_margins(rules) else score.result != "unknown"
    return look.found.line_codes if known and tells_best_play(look.found) else ()


def _margin(score: Score) -> int | None:
    """The first player's exact score, if it is proved."""
    return score.seen_by(0).exact


def _as_good(played: Score, best: Score) -> bool:
    """Whether the played move is worth as much as the best: the same proved result, as soon as
    that where it is known, or an end found at the same distance, be it proved or likely."""
    if "likely" in (played.kind, best.kind):
        return (played.prospect, played.value, played.plies, played.at) == (
            best.prospect,
            best.value,
            best.plies,
            best.at,
        )
    if played.result == "unknown" or (played.result, played.value) != (best.result, best.value):
        return False
    return played.plies is None or best.plies is None or played.plies == best.plies


# ---- The whole game ----


def move_accuracy(loss: float) -> float:
    """The accuracy of a move in percent, by the chance that it gave away: lichess.org's curve."""
    return max(0.0, min(100.0, 103.1669 * math.exp(-4.354 * loss) - 3.1669))


def _accuracy(moves: tuple[MoveReview, ...], player: int) -> float | None:
    own = [move_accuracy(move.loss) for move in moves if move.player == player]
    return sum(own) / len(own) if own else None


def _turning_point(moves: tuple[MoveReview, ...]) -> int | None:
    """The ply of the move that gave away the most among those that changed a player's
    expectation (from winning to even, or from either to losing); of equal ones, the later."""
    turned = []
    for move in moves:
        if move.loss >= INACCURACY and move.score is not None:
            reached = move.score.chance
            if _zone(reached) < _zone(reached + move.loss):
                turned.append(move)
    return max(turned, key=lambda move: (round(move.loss, 6), move.ply)).ply if turned else None


def _zone(expected: float) -> int:
    """The zone of a chance: losing, even or winning as 0, 1 or 2."""
    return int(expected >= LOSING) + int(expected > 1 - LOSING)
