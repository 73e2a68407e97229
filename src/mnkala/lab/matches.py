"""Games between two engines, as the studies of playing strength count them.

Every opening is played twice with the sides changed (see `mnkala.play.series`, whose openings and interval these are), and each game
also tells what either engine spent. Time is the processor time of the searching thread, so that other work on the machine does not show.
"""

from __future__ import annotations

import dataclasses
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import ClassVar

from mnkala.core import Position, Rules
from mnkala.errors import BadEngine
from mnkala.lab.registry import Row
from mnkala.lab.strength import pairs_column
from mnkala.play.engine_game import points_of
from mnkala.play.series import SeriesResult, opening
from mnkala.play.spending import Spent
from mnkala.search import Analysis, Engine, Limit, Stop, parse_engine
from mnkala.search.mcts import Mcts
from mnkala.search.root import Task

FIRST_BUDGET = 1000
"""Nodes or iterations to begin with, before anything is known of a search's speed."""
LARGEST_STEP = 2.0
"""A budget is corrected at most by this factor at a time."""
UNUSED = 0.5
"""A search that visits less than this part of its budget, and has time left, has nothing to search."""
LARGE_BOARD = 60
"""On boards of more cells an opening has more random moves, or all games would look alike."""


def means_a_move(spent: Spent, name: str) -> Row:
    """What an engine spent on a move, as columns."""
    moves = max(1, spent.moves)
    return {f"nodes_{name}": round(spent.nodes / moves, 1), f"ms_{name}": round(1000 * spent.seconds / moves, 4)}


@dataclasses.dataclass(frozen=True)
class MeasuredGame:
    """A finished game, as the first-named engine sees it."""

    end: Position
    points: float
    one: Spent
    other: Spent
    one_moved_first: bool


class MeasuredPlayer:
    """An engine at play, clocked by the processor time of the thread that asks it."""

    def __init__(self, engine: str) -> None:
        self.engine = parse_engine(engine)

    def ask(self, position: Position, all_moves: bool = False) -> tuple[Analysis, float]:
        """The answer, and the seconds that it took; with `all_moves` every move gets a score of its own."""
        engine = self.engine
        started = time.thread_time()
        task = Task(position, engine.limit, Stop(), lambda report: None, engine=str(engine), all_moves=all_moves)
        answer = engine.search.run(task)
        return answer, time.thread_time() - started


class PacedPlayer(MeasuredPlayer):
    """An engine that gets as many nodes (MCTS: iterations) as it can use in a given processor time.

    The budget is steered: each move that used up its budget tells how long it took, and the next budget follows. So engines get equal time
    whatever else the machine does, which a clock on the wall cannot promise. What was learned of the speed passes from game to game.
    """

    budgets: ClassVar[dict[tuple[str, str, float], float]] = {}

    def __init__(self, game: str, engine: str, milliseconds: float) -> None:
        super().__init__(engine)
        self.key, self.seconds = (game, engine.partition(",seed=")[0], milliseconds), milliseconds / 1000

    def ask(self, position: Position, all_moves: bool = False) -> tuple[Analysis, float]:
        budget = self.budgets.get(self.key, FIRST_BUDGET)
        self._set(max(1, round(budget)))
        answer, seconds = super().ask(position, all_moves)
        if not self._ended_early(answer, budget, seconds):
            wanted = self.seconds / max(seconds, 1e-6)
            self.budgets[self.key] = max(1.0, budget * min(LARGEST_STEP, max(1 / LARGEST_STEP, wanted)) ** 0.5)
        return answer, seconds

    def _ended_early(self, answer: Analysis, budget: float, seconds: float) -> bool:
        """Whether there was nothing left to search, with everything proved or all candidates looked at to the end: that tells no speed."""
        proved = answer.score is not None and answer.score.result != "unknown"
        unused = not isinstance(self.engine.search, Mcts) and answer.nodes < UNUSED * budget and seconds < self.seconds
        return proved or unused

    def _set(self, budget: int) -> None:
        search = self.engine.search
        if isinstance(search, Mcts):
            paced = dataclasses.replace(search, iterations=budget)
            paced.kept.update(search.kept)
            self.engine = Engine(paced)
        else:
            self.engine = Engine(search, Limit(nodes=budget))


def player(game: str, engine: str, limit: str = "") -> MeasuredPlayer:
    """A player under a limit: `depth 4`, `nodes 2000`, `time 2 ms` of processor time, or what its engine string says."""
    kind, _, amount = limit.partition(" ")
    number = amount.removesuffix(" ms")
    if not limit:
        return MeasuredPlayer(engine)
    if kind not in ("depth", "nodes", "time") or not number.replace(".", "", 1).isdigit():
        raise BadEngine(f"a limit of {limit!r}; limits are 'depth N', 'nodes N' and 'time N ms'")
    if kind == "time":
        return PacedPlayer(game, engine, float(number))
    return MeasuredPlayer(f"{engine}{',' if ':' in engine else ':'}{kind}={int(number)}")


def play_out(start: Position, seats: tuple[MeasuredPlayer, MeasuredPlayer]) -> tuple[Position, tuple[Spent, Spent]]:
    """Let two players finish a game: the end, and what each spent."""
    position, spent = start, [Spent(), Spent()]
    while not position.is_over:
        mover = position.mover
        answer, seconds = seats[mover].ask(position)
        position = position.play_codes(answer.line_codes[:1])
        spent[mover] = spent[mover].after(answer.nodes, seconds)
    return position, (spent[0], spent[1])


def games_between(rules: Rules, players: Callable[[int], tuple[MeasuredPlayer, MeasuredPlayer]], games: int,
                  seed: int) -> Iterator[MeasuredGame]:
    """Games from random openings, each opening played from both sides. `players` makes the two for each game by its number, so that
    nothing that a search remembers of one game helps it in another."""
    for number in range(games):
        pair = players(number)
        for seat in pair:
            seat.engine.search.prepare(rules)
        first = number % 2 == 0
        start = opening(rules, usual_plies(rules), seed + number // 2)
        end, spent = play_out(start, pair if first else (pair[1], pair[0]))
        one, other = spent if first else (spent[1], spent[0])
        yield MeasuredGame(end, points_of(end, 0 if first else 1), one, other, first)


def series(game: str, one: tuple[str, str], other: tuple[str, str], games: int, seed: int) -> Iterator[MeasuredGame]:
    """Games between two engines, each with its limit."""
    return games_between(Position(game).rules, lambda number: (player(game, *one), player(game, *other)), games, seed)


def summary(played: Iterable[MeasuredGame]) -> Row:
    """One row for a series: the result with its interval by openings, and what each engine spent a move. Games come in pairs."""
    result, one, other, first, lengths = SeriesResult(), Spent(), Spent(), 0.0, 0
    before: float | None = None
    for game in played:
        result = result.add(game.points, before)
        before = game.points if before is None else None
        one, other = one + game.one, other + game.other
        first += game.points if game.one_moved_first else 1 - game.points
        lengths += game.one.moves + game.other.moves
    low, high = result.interval
    return {"wins": result.wins, "draws": result.draws, "losses": result.losses, "pairs": pairs_column(result),
            "share": round(result.share, 4), "low": max(0.0, round(low, 4)), "high": min(1.0, round(high, 4)),
            "first_share": round(first / max(1, result.games), 4),
            "length": round(lengths / max(1, result.games), 1), **means_a_move(one, "one"), **means_a_move(other, "other")}


def usual_plies(rules: Rules) -> int:
    """Random moves before the engines take over."""
    return 4 if rules.most_moves() <= LARGE_BOARD else 6


def seed_of_pair(seed: int, one: str, other: str) -> int:
    """A seed of openings for an ordered pair: a-b and b-a play different games, so that a cross table holds each only once."""
    return 1000 * seed + 100_000 * (zlib.crc32(f"{one} {other}".encode()) % 10_000)
