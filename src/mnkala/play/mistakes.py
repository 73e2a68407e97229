"""The mistakes of a person in saved games: of which kinds, how often of late, and where.

A review finds the mistakes of both sides in a game (`mistakes_of`), and the family says of which
kind each is (`explain/reasons.py`). What was found is kept beside the game with whatever judged
it, so that no game is reviewed twice; a game that was played on, or a new version of the kinds,
makes it stale.

Counted are finished games in which the person had one seat: against a computer, or against
somebody with an owner of their own. Where two people share one owner, nobody knows who made which
mistake.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from mnkala.core import Position
from mnkala.core.score import Score
from mnkala.errors import MnkalaError
from mnkala.explain.contract import Fault, Reason
from mnkala.explain.reasons import JUDGED, explain_move, kind_of_mistake
from mnkala.explain.words import named_moves
from mnkala.play.game_filter import Wanted
from mnkala.play.players import HUMAN
from mnkala.play.puzzle_contract import Attempt, Goal, Puzzle
from mnkala.play.puzzle_contract import Grade as PuzzleGrade
from mnkala.play.puzzles import Hints
from mnkala.play.review_judge import ESTIMATE_NODES, Grade
from mnkala.play.reviews import EXACT_NODES, MoveReview, Review, review
from mnkala.play.store import DamagedRow, ReviewedGame, Row, Store
from mnkala.play.turn_reviews import TurnReview
from mnkala.search import Limit, Stop
from mnkala.solve import find_solver

VERSION = 1
"""The version of the kinds: games that were reviewed under another one are reviewed again."""
FAULTS: tuple[Grade, ...] = ("inaccuracy", "mistake", "blunder")
MOST_GAMES = 100
"""The newest games that are counted and reviewed."""
ENOUGH_GAMES = 10
"""The fewest games for a trend."""
SURE = 0.1
"""A trend is named only if chance alone would show one as large in less than this share of cases."""
NODES_OF_A_GAME = 60_000_000
"""The most nodes for the review of one of many games, about half of what one game alone gets."""
MOST_PLACES = 12
"""The latest positions that are listed for a kind."""
Change = Literal["few", "none", "fewer", "more"]


class Mistake(msgspec.Struct, frozen=True):
    """A mistake in a game: the plies of the move or turn, counted from 1, and its kind."""

    first: int
    last: int
    player: int
    kind: str
    """The key of the text that names it."""
    grade: Grade
    proved: bool
    """Whether what it missed or allowed is proved; otherwise a search thinks another move better."""
    cost: float
    """What it gave away: a share of the expected result, or a margin where those count."""


def mistakes_of(found: Review) -> tuple[Mistake, ...]:
    """The mistakes of both sides in a reviewed game."""
    return tuple(
        mistake for unit in found.turns or found.moves if (mistake := _mistake(found, unit))
    )


def _mistake(found: Review, unit: TurnReview | MoveReview) -> Mistake | None:
    """The mistake of a graded move or turn, with its kind; None if it was none."""
    if unit.grade not in FAULTS:
        return None
    if isinstance(unit, TurnReview):
        first, last, played, best = unit.first, unit.last, unit.moves, unit.best
        cost: float = unit.given_away or 0
    else:
        first = last = unit.ply
        played, best, cost = (unit.move,), unit.best_turn, unit.loss
    position = found.position
    before = position.back(len(position.history) - first + 1)

    def codes(moves: Sequence[str]) -> tuple[int, ...]:
        """The codes of moves, as far as they can be played from the position before the move or
        turn."""
        return before.play(",".join(moves)).history_codes[len(before.history_codes) :]

    fault = Fault(
        before,
        codes(played),
        codes(best or (unit.line[:1])),
        codes(unit.line),
        codes(unit.refutation),
        unit.turned,
    )
    if not fault.best:
        return None
    kind = kind_of_mistake(fault)
    return Mistake(first, last, unit.player, kind, unit.grade, kind != JUDGED, round(cost, 4))


def missed(found: Review, seat: int | None) -> Mistake | None:
    """The mistake that a person should look at again: where the game turned, or else the worst one;
    anybody's if no seat is given."""
    own = [each for each in mistakes_of(found) if seat in (None, each.player)]
    turning = [
        each
        for each in own
        if found.turning_point is not None and each.first <= found.turning_point <= each.last
    ]
    return max(turning or own, key=lambda each: each.cost, default=None)


GOAL = "missed"
RIGHT: tuple[Grade, ...] = ("best", "good")


@dataclasses.dataclass(frozen=True)
class OwnMove(Puzzle):
    """What a player missed in a game, as a task: any move that a review calls best or good is
    right."""

    before: Position
    number: int
    """The number of the move or turn that was played."""
    reasons: tuple[Reason, ...]

    @property
    def goal(self) -> str:
        return GOAL

    @property
    def position(self) -> Position:
        return self.before

    def task(self, left: Goal) -> Reason:
        values: dict[str, str | int] = {"number": self.number, "player": self.before.to_move}
        return Reason("review.find_about", values)

    def answer(self) -> str:
        return " ".join(self.solution)

    def facts(self) -> dict[str, Any]:
        return {"kind": GOAL}

    @property
    def hints(self) -> Hints:
        """The better move and what is said for it, as help."""
        opponent = self.before.rules.players[1 - self.before.mover]
        idea = Reason("puzzle.idea_any", {"opponent": opponent})
        return Hints((), (), idea, self.solution, self.reasons)

    def judge(self, move: str, stop: Stop | None = None) -> Attempt:
        """Review a move that is tried."""
        after = self.before.play(move)
        move = after.history[-1]
        grade: Grade | None = "best" if move == self.solution[0] else None
        score = Score(player=self.before.mover)
        if grade is None:
            for found in review(after, stop=stop):  # it begins with the last move
                if found.done:
                    grade, score = found.moves[-1].grade, found.moves[-1].score or score
                    break
        if grade in RIGHT:
            return Attempt(move, True, score, after, after, "", ())
        wrong = Reason("review.find_wrong", {"move": named_moves(after.rules, move)})
        return Attempt(move, False, score, after, after, GOAL, (move,), (wrong,))


def own_move(found: Review, mistake: Mistake) -> OwnMove:
    """The task of a mistake: from where a turn of several moves leaves the better one."""
    units: Sequence[TurnReview | MoveReview] = found.turns or found.moves
    unit = next(
        each
        for each in units
        if (each.first if isinstance(each, TurnReview) else each.ply) == mistake.first
    )
    if isinstance(unit, TurnReview):
        played, best, number = unit.moves, unit.best, unit.number
    else:
        played, best, number = (unit.move,), unit.best_turn or unit.line, unit.ply
    same = next(
        (i for i, (one, other) in enumerate(zip(played, best, strict=False)) if one != other), 0
    )
    position = found.position
    before = position.back(len(position.history) - mistake.first + 1 - same)
    code = before.play(best[same]).history_codes[-1]
    reasons = tuple(explain_move(before, code))
    return OwnMove(
        position.game,
        before.moves,
        tuple(best[same:]),
        PuzzleGrade(1, 1, 0),
        before,
        number,
        reasons,
    )


# ---- Saved games ----


def seat_of(row: Row, owners: Sequence[str] | None) -> int | None:
    """The seat of a person in a saved game; None if the person had none, or both. Without owners,
    that of the only human."""
    seats = [
        seat
        for seat, (name, owner) in enumerate(
            ((row.first, row.first_owner), (row.second, row.second_owner))
        )
        if name == HUMAN and (owners is None or owner in owners)
    ]
    return seats[0] if len(seats) == 1 else None


def games_to_learn_from(store: Store, owners: tuple[str, ...] | None) -> list[Row]:
    """The newest finished games of a person that can be reviewed, the newest first; without owners,
    those of this computer."""
    wanted = Wanted(owners=owners, here=owners is None, state="finished")
    return [
        row
        for row in store.listed(wanted, MOST_GAMES)
        if not isinstance(row, DamagedRow) and row.played and seat_of(row, owners) is not None
    ]


def is_current(row: Row, kept: ReviewedGame | None) -> bool:
    """Whether the review that is kept about a game still holds."""
    return kept is not None and (kept.revision, kept.version) == (row.revision, VERSION)


def review_game(row: Row, stop: Stop) -> ReviewedGame | None:
    """Review a saved game; None if that was stopped before its end. A game that cannot be reviewed
    has no mistakes, and its judge says why."""
    try:
        position = Position(row.game, literal=row.start or None).play(row.moves)
        nodes = EXACT_NODES if find_solver(position.rules) else ESTIMATE_NODES
        limit = Limit(nodes=min(nodes, NODES_OF_A_GAME // len(position.history)))
        *_, found = review(position, stop=stop, limit=limit)
        if not found.final:
            return None
        judge, mistakes = found.engine, mistakes_of(found)
    except MnkalaError as error:
        if stop.is_set():
            return None
        judge, mistakes = f"not reviewed: {error}", ()
    return ReviewedGame(
        row.id, row.revision, VERSION, judge, msgspec.json.encode(mistakes).decode()
    )


def read_mistakes(kept: ReviewedGame) -> tuple[Mistake, ...]:
    """The mistakes that are kept about a game."""
    return msgspec.json.decode(kept.found, type=tuple[Mistake, ...])


# ---- The report ----


@dataclasses.dataclass(frozen=True)
class MistakePlace:
    """A mistake with the saved game in which it was made."""

    id: str
    game: str
    updated: str
    mistake: Mistake
    judge: str


@dataclasses.dataclass(frozen=True)
class KindReport:
    """A kind of mistake in the games of one name."""

    kind: str
    count: int
    games: int
    """The number of games in which it was made."""
    proved: int
    by_game: tuple[int, ...]
    """How often it was made in each reviewed game, the oldest first."""
    change: Change
    """Whether it is made less or more often in the later half of the games; `few` if there are too
    few games to tell, `none` if chance explains the difference."""
    places: tuple[MistakePlace, ...]
    """Where it was made, at most `MOST_PLACES`, the latest first."""


@dataclasses.dataclass(frozen=True)
class GameReport:
    """The mistakes of a person in the games of one name."""

    game: str
    """The game string of the latest of these games."""
    reviewed: int
    kinds: tuple[KindReport, ...]
    """The kinds of mistakes that were made, the most frequent first."""


@dataclasses.dataclass(frozen=True)
class MistakeReport:
    """The mistakes of a person in all games."""

    total: int
    """The number of games that count."""
    open: int
    """The number of these that are not reviewed yet."""
    games: tuple[GameReport, ...]


def make_report(
    rows: Sequence[Row], kept: Mapping[str, ReviewedGame], owners: Sequence[str] | None
) -> MistakeReport:
    """Count the mistakes in games, the newest first."""
    current = [row for row in rows if is_current(row, kept.get(row.id))]
    names = dict.fromkeys(row.game.partition(":")[0] for row in current)
    return MistakeReport(
        len(rows),
        len(rows) - len(current),
        tuple(
            _game_report(
                [row for row in current if row.game.partition(":")[0] == name], kept, owners
            )
            for name in names
        ),
    )


def _game_report(
    rows: Sequence[Row], kept: Mapping[str, ReviewedGame], owners: Sequence[str] | None
) -> GameReport:
    places = [
        [
            MistakePlace(row.id, row.game, row.updated, each, kept[row.id].judge)
            for each in read_mistakes(kept[row.id])
            if each.player == seat_of(row, owners)
        ]
        for row in reversed(rows)
    ]
    kinds = dict.fromkeys(each.mistake.kind for game in places for each in game)
    reports = [_kind_report(kind, places) for kind in kinds]
    reports.sort(key=lambda each: -each.count)
    return GameReport(rows[0].game, len(rows), tuple(reports))


def _kind_report(kind: str, places: Sequence[Sequence[MistakePlace]]) -> KindReport:
    found = [[each for each in game if each.mistake.kind == kind] for game in places]
    counts = tuple(map(len, found))
    flat = [each for game in found for each in game]
    return KindReport(
        kind,
        sum(counts),
        sum(count > 0 for count in counts),
        sum(each.mistake.proved for each in flat),
        counts,
        change_of(counts),
        tuple(reversed(flat[-MOST_PLACES:])),
    )


def change_of(counts: Sequence[int]) -> Change:
    """Whether something happens less or more often in the later half of some games. Under the same
    rate each occurrence falls into either half by the number of its games; the test is exact."""
    games = len(counts)
    if games < ENOUGH_GAMES:
        return "few"
    early, late = counts[: games // 2], counts[games // 2 :]
    total, seen, share = sum(counts), sum(late), len(late) / games
    chances = [
        math.comb(total, k) * share**k * (1 - share) ** (total - k) for k in range(total + 1)
    ]
    if sum(each for each in chances if each <= chances[seen] * (1 + 1e-9)) >= SURE:
        return "none"
    return "fewer" if seen / len(late) < sum(early) / len(early) else "more"


def unreviewed(store: Store, owners: tuple[str, ...] | None) -> tuple[list[Row], MistakeReport]:
    """The games that are still to be reviewed, the newest first, and the report of the others."""
    rows = games_to_learn_from(store, owners)
    kept = store.reviewed([row.id for row in rows])
    todo = [row for row in rows if not is_current(row, kept.get(row.id))]
    return todo, make_report(rows, kept, owners)


def review_all(store: Store, rows: Sequence[Row], stop: Stop) -> Iterator[Row]:
    """Review games one after the other and keep what is found, until `stop` is set; yields each
    game that is done."""
    for row in rows:
        if (found := review_game(row, stop)) is None:
            return
        store.write([found])
        yield row
