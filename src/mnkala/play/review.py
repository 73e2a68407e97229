"""A game looked at again: what each move was worth, where it was decided, how well either side played.

The game is gone through from its end to its start, so that what is proved late helps early. Each position is searched for its best
move; the move that was played is then searched to the same horizon, because heuristic values of different depths do not compare. What
it gave away is the difference of two chances (`chances`), as lichess.org judges moves by winning chances instead of by centipawns. The
accuracy of a move is lichess' curve, too: 100 % where nothing was given away, falling with the loss of chance; a side's accuracy is
the mean over its moves.

Unless told to take so many seconds, a review counts nodes, so that it comes out the same every time, on every machine.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from typing import Literal

from mnkala.errors import BadEngine
from mnkala.games import Position, Rules
from mnkala.play.chances import chance, first_chance
from mnkala.play.reason import Reason
from mnkala.play.reasons_of_lines import is_game_of_lines
from mnkala.play.verdicts import RANKS, verdict
from mnkala.search import Analysis, Engine, Limit, Score, Stop, parse_engine
from mnkala.search.engine import finished
from mnkala.solve import find_solver

Grade = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
GRADES: tuple[Grade, ...] = ("best", "good", "inaccuracy", "mistake", "blunder")
INACCURACY, MISTAKE, BLUNDER = 0.1, 0.2, 0.3
"""Losses of chance from which a move is called so. Half a point, 0.5, is a won game made a draw; a fifth of that is about what two
searches of a quiet position differ by, so anything less is no fault."""
LOSING = 0.35
"""A smaller chance is a losing position, a larger one than its opposite a winning one; between them it is even. So a step from 0.51 to 1
turns a game, though the same side was ahead before."""
REVIEWER, EXACT_REVIEWER = parse_engine("deepening"), parse_engine("perfect")
LONGEST = 180.0
"""Seconds that a review of a very long game takes at most, nearly: each of its moves gets less."""
NODES, EXACT_NODES, MOST_NODES = 200_000, 8_000_000, 100_000_000
"""For a position, by a heuristic search and by a solver, of which most positions take far less; and by either for a whole game."""
SHORTEST_LOOK = 0.01
SHARE_FOR_PLAYED = 0.5
"""The played move is searched for at most this part of the time again."""


def reviewer(rules: Rules) -> Engine:
    """Who judges unless told otherwise: the exact solver where there is one, else the strongest search."""
    return REVIEWER if find_solver(rules) is None else EXACT_REVIEWER


@dataclasses.dataclass(frozen=True)
class MoveReview:
    """One move of the game."""

    ply: int
    """Counted from 1."""
    player: int
    move: str
    grade: Grade | None = None
    """None while it is not yet known; so are the scores."""
    score: Score | None = None
    """Of the move, for its player: moves to the end count from the position before it, as in an analysis of that."""
    best: str = ""
    """What should have been played; the move itself if it was as good as any."""
    best_score: Score | None = None
    line: tuple[str, ...] = ()
    """The best move and what would have followed."""
    loss: float = 0.0
    """How much of the expected result the move gave away: 0 nothing, 1 everything."""
    refutation: tuple[str, ...] = ()
    """The move itself and best play after it, as far as the judge knows it."""
    reasons: tuple[Reason, ...] = ()
    """Why it is good or bad, where that is proved."""

    @property
    def turned(self) -> tuple[str, str] | None:
        """What was proved before the move and after it, if the move made it worse: (win, draw), (win, loss) or (draw, loss)."""
        if self.score is None or self.best_score is None or "unknown" in (self.score.result, self.best_score.result):
            return None
        before, after = self.best_score.result, self.score.result
        return (before, after) if RANKS[after] < RANKS[before] else None


@dataclasses.dataclass(frozen=True)
class Review:
    """A game, as far as it has been looked at."""

    position: Position
    """The last position, with its history."""
    engine: str
    moves: tuple[MoveReview, ...]
    chances: tuple[float | None, ...]
    """What the first player could expect before move 1, after move 1, …; None where not yet known."""
    accuracy: tuple[float | None, float | None] = (None, None)
    """In percent; None until all moves are known, and for a side that did not move."""
    turning_point: int | None = None
    """The ply that cost the most of those that changed who was to be expected to win."""
    done: int = 0
    """Moves that are graded."""

    @property
    def total(self) -> int:
        """Moves of the game."""
        return len(self.moves)

    @property
    def final(self) -> bool:
        """Whether every move is graded."""
        return self.done == self.total


def review(position: Position, seconds: float | None = None, engine: Engine | str | None = None, stop: Stop | None = None, *,
           limit: Limit | None = None) -> Iterator[Review]:
    """Better and better reviews of the game that led to `position`, the first one empty; the last is complete unless `stop` was raised.

    Each move gets so many `seconds`, less where the game is very long; or `limit`; or, of neither, so many nodes that it takes an instant.
    """
    judge = parse_engine(engine) if isinstance(engine, str) else engine or reviewer(position.rules)
    total = max(1, len(position.history))
    if limit is None and seconds is None:
        limit = Limit(nodes=min(EXACT_NODES if judge.search.name == EXACT_REVIEWER.search.name else NODES, MOST_NODES // total))
    elif limit is None and seconds is not None:
        if not 0 < seconds < math.inf:
            raise BadEngine(f"{seconds} seconds for a move; it must be more than 0 and finite")
        limit = Limit(time=max(SHORTEST_LOOK, min(seconds, LONGEST / total)))
    assert limit is not None
    limit = dataclasses.replace(limit, stop=stop)
    growing = _GrowingReview(position, judge)
    yield growing.review()
    later: Look | None = None
    for ply, before, after in _backwards(position):
        if later is None:
            later = look(judge, after, limit)
        now = look(judge, before, limit)
        if not _stopped(stop):
            played = _played(judge, now, before, after, later, limit)
        if _stopped(stop):
            return
        growing.grade(ply, now, later, played)
        growing.explain(ply, before, now, later)
        later = now
        yield growing.review()


# ---- Looking at one move ----


@dataclasses.dataclass(frozen=True)
class Look:
    """What an engine found of a position."""

    analysis: Analysis
    score: Score
    """For the mover."""
    expected: float
    """The first player's chance. Searches of odd and of even depth lean to either side, because one of the players has the last word, so
    that of a heuristic score is the mean over the last two depths."""
    scores: dict[int, Score]
    """By depth, for the mover."""


def look(engine: Engine, position: Position, limit: Limit) -> Look:
    """Search a position; of a finished game, its result."""
    last: dict[int, Analysis] = {}
    for analysis in [finished(position, str(engine))] if position.is_over else engine.stream(position, limit):
        last[analysis.depth] = analysis
    *before, final = (analysis for depth, analysis in sorted(last.items()))
    if final.score is None and not _stopped(limit.stop):
        final = engine.analyse(position, Limit(depth=1, stop=limit.stop))  # a computer so busy that not even one ply was done in time
    score = final.score
    if score is None:
        if _stopped(limit.stop):
            return Look(final, Score(0, "heuristic", position.mover), 0.5, {})
        raise BadEngine(f"{engine} gives no scores, so it cannot review a game; deepening, alphabeta and mcts can")
    scores = {analysis.depth: analysis.score for analysis in (*before, final) if analysis.score is not None}
    expected = first_chance(score, position, engine)
    if is_opinion(score) and len(scores) > 1:
        expected = (expected + first_chance(list(scores.values())[-2], position, engine)) / 2
    return Look(final, score, expected, scores)


def is_opinion(score: Score) -> bool:
    """Whether a score rests on a heuristic alone: nothing is proved, and no end was seen."""
    return score.result == "unknown" and score.plies is None


def _stopped(stop: Stop | None) -> bool:
    return stop is not None and stop.is_set()


@dataclasses.dataclass(frozen=True)
class Played:
    """What the move that was played is worth."""

    score: Score
    """Of the move, for whoever moved."""
    gap: float | None = None
    """How much better the best move looked to the same horizon, in chances; None where the scores speak for themselves."""


def _played(engine: Engine, now: Look, before: Position, after: Position, later: Look, limit: Limit) -> Played:
    """Score the move that was played to the horizon of the look that found the best one.

    What is proved stands. The engine's own move has the engine's own score. Otherwise the root's score of the move will do unless it
    is a mere bound; or the position after it is searched one ply less deep.
    """
    move, mover = after.history_codes[-1], before.mover
    if later.score.result != "unknown":
        return Played(_before(later.score, mover))
    if move == now.analysis.best_code:
        return Played(now.score)
    known = next((root.score for root in now.analysis.moves if root.code == move), None)
    if known is not None and (known.kind in ("exact", "heuristic") or known.result != "unknown"):
        return Played(known)
    if now.analysis.depth < 2:
        return Played(_before(later.score, mover))
    time = None if limit.time is None else max(SHORTEST_LOOK / 2, SHARE_FOR_PLAYED * limit.time)
    found = look(engine, after, dataclasses.replace(limit, depth=now.analysis.depth - 1, time=time))
    # The second search may have had to stop earlier: then the first one is asked what it thought at that depth.
    depths = [depth for depth in found.scores if depth + 1 in now.scores][-2:]
    gaps = [chance(now.scores[depth + 1], before, engine) - chance(found.scores[depth].seen_by(mover), before, engine) for depth in depths]
    return Played(_before(found.score, mover), sum(gaps) / len(gaps) if gaps else None)


def _before(score: Score, player: int) -> Score:
    """The score of a position as that of the move that led to it, for the player who made it."""
    return dataclasses.replace(score.seen_by(player), plies=None if score.plies is None else score.plies + 1)


def _backwards(position: Position) -> Iterator[tuple[int, Position, Position]]:
    """(ply, position before it, position after it), from the last move to the first.

    A position can be as large as its board, so on the way back only a few are held: some along the game, and those between two.
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
    """The review as it grows."""

    def __init__(self, position: Position, engine: Engine) -> None:
        rules = position.rules
        self.position, self.engine = position, engine
        movers = position.movers
        self.moves = [MoveReview(ply, movers[ply - 1], rules.move_text(move)) for ply, move in enumerate(position.history_codes, start=1)]
        self.chances: list[float | None] = [None] * (len(self.moves) + 1)
        self.done = 0
        if not self.moves:
            self.chances[0] = None if position.outcome is None else _result_for_first(position)

    def grade(self, ply: int, now: Look, later: Look, found: Played) -> None:
        """Note what is known of a move."""
        position, rules, played = self.position, self.position.rules, found.score
        this = self.moves[ply - 1]
        # 1. What it cost. What was proved of the position holds for every move of it; and no move is better than the best.
        best, reached = chance(now.score, position, self.engine), chance(played, position, self.engine)
        if now.score.result in ("loss", "draw"):
            reached = min(reached, best)
        opinions = is_opinion(now.score) and is_opinion(played)
        loss = max(0.0, best - reached if found.gap is None or not opinions else found.gap)
        # 2. The engine's own choice gives nothing away, and neither does one that is proved to be as good.
        wins_now = played.result == "win" and played.plies == 1
        as_good = position.history_codes[ply - 1] == now.analysis.best_code or wins_now or _as_good(played, now.score)
        self.moves[ply - 1] = dataclasses.replace(
            this, grade="best" if as_good else _grade(loss), score=played, loss=0.0 if as_good else loss,
            best=this.move if as_good else now.analysis.best_move, best_score=now.score,
            line=tuple(rules.move_text(move) for move in now.analysis.line_codes))
        # 3. The graph: what could be expected before the move, and after the last one.
        if self.chances[ply] is None:
            self.chances[ply] = later.expected
        won = played.result == "win"
        self.chances[ply - 1] = float(this.player == 0) if won else now.expected
        self.done += 1

    def explain(self, ply: int, before: Position, now: Look, later: Look) -> None:
        """Say why a move is good or bad, as far as that is proved, and how the game goes on after it with best play."""
        move, rules = self.position.history_codes[ply - 1], self.position.rules
        line = (move, *later.analysis.line_codes)
        reasons: tuple[Reason, ...] = ()
        if is_game_of_lines(rules):
            known = {each.code: each.score for each in now.analysis.moves}
            if now.score.result == "loss":
                known = {other: dataclasses.replace(now.score, kind="upper") for other in before.legal_codes} | known
            if now.analysis.best_code is not None and now.score.kind == "exact":
                known[now.analysis.best_code] = now.score
            known[move] = _before(later.score, before.mover)
            reasons = verdict(before, move, known, line)
        text = tuple(rules.move_text(each) for each in line)
        self.moves[ply - 1] = dataclasses.replace(self.moves[ply - 1], refutation=text, reasons=reasons)

    def review(self) -> Review:
        """What is known by now."""
        moves = tuple(self.moves)
        known = self.done == len(moves)
        return Review(self.position, str(self.engine), moves, tuple(self.chances),
                      (_accuracy(moves, 0), _accuracy(moves, 1)) if known else (None, None),
                      _turning_point(moves, self.position, self.engine) if known else None, self.done)


def _result_for_first(position: Position) -> float:
    winner = position.outcome.winner if position.outcome else None
    return 0.5 if winner is None else float(winner == 0)


def _as_good(played: Score, best: Score) -> bool:
    """Whether the played move is worth as much as the best: the same proved result, and as soon as far as that is known; or an end that was
    found at the same distance."""
    if played.result == best.result == "unknown" and played.plies is not None:
        return (played.value, played.kind, played.plies) == (best.value, best.kind, best.plies)
    if played.result == "unknown" or (played.result, played.value) != (best.result, best.value):
        return False
    return played.plies is None or best.plies is None or played.plies == best.plies


def _grade(loss: float) -> Grade:
    return "blunder" if loss >= BLUNDER else "mistake" if loss >= MISTAKE else "inaccuracy" if loss >= INACCURACY else "good"


# ---- The whole game ----


def move_accuracy(loss: float) -> float:
    """The accuracy of a move in percent, by the chance that it gave away: lichess.org's curve."""
    return max(0.0, min(100.0, 103.1669 * math.exp(-4.354 * loss) - 3.1669))


def _accuracy(moves: tuple[MoveReview, ...], player: int) -> float | None:
    own = [move_accuracy(move.loss) for move in moves if move.player == player]
    return sum(own) / len(own) if own else None


def _turning_point(moves: tuple[MoveReview, ...], position: Position, engine: Engine) -> int | None:
    """Of the moves that turned a player's expectation over (from winning to even, from either to losing) the one that gave away most;
    the later of equals."""
    turned = []
    for move in moves:
        if move.loss >= INACCURACY and move.score is not None:
            reached = chance(move.score, position, engine)
            if _zone(reached) < _zone(reached + move.loss):
                turned.append(move)
    return max(turned, key=lambda move: (round(move.loss, 6), move.ply)).ply if turned else None


def _zone(expected: float) -> int:
    """Losing, even or winning: 0, 1 or 2."""
    return int(expected >= LOSING) + int(expected > 1 - LOSING)
