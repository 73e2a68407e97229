"""What measures share: CPU time that can be trusted on a shared machine (also for `make bench`),
seeded positions, and games between engines that are clocked.

Work is repeated until the clock has something to count, medians stand for repetitions, rivals take
turns, and what needs every core waits until it is alone. In games, every opening is played twice
with the sides changed (as in `mnkala.play.series`), and time is the processor time of the searching
thread, so that other work on the machine does not show.
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import getpass
import sqlite3
import statistics
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from mnkala.core import Position, Rules
from mnkala.errors import BadEngine
from mnkala.lab.judging import pairs_column
from mnkala.lab.registry import Row
from mnkala.play.clock import Spent
from mnkala.play.engine_game import points_of
from mnkala.play.series import SeriesGame, SeriesResult, opening
from mnkala.search import Analysis, Engine, Limit, Stop, parse_engine
from mnkala.search.mcts import Mcts
from mnkala.search.root import Task

SHORTEST = 0.01
"""Seconds of CPU time that a measured piece of work lasts at least; the clocks of some systems tick
every 16 ms.
"""


def cpu_seconds(work: Callable[[], object], at_least: float = SHORTEST) -> float:
    """The CPU seconds (all threads of this process, user and system) that a piece of work takes,
    repeated until they can be measured.
    """
    done, started = 0, time.process_time()
    while True:
        work()
        done += 1
        spent = time.process_time() - started
        if spent >= at_least:
            return spent / done


def typical_seconds(work: Callable[[], object], repeats: int, at_least: float = SHORTEST) -> float:
    """The median of several measurements by `cpu_seconds`."""
    return statistics.median(cpu_seconds(work, at_least) for _ in range(repeats))


def rivals_seconds(
    works: Sequence[Callable[[], object]], repeats: int, at_least: float = SHORTEST
) -> list[list[float]]:
    """The CPU seconds of several pieces of work that take turns, so that a change of the machine's
    speed affects all of them.

    There is one list for each piece, in the order of the rounds, so ratios within a round are fair.
    """
    rounds = [[cpu_seconds(work, at_least) for work in works] for _ in range(repeats)]
    return [list(times) for times in zip(*rounds, strict=True)]


def clocked(search: Callable[[], Analysis]) -> tuple[float, float, int]:
    """The real seconds, the CPU seconds of all threads, and the nodes of a search; none of them is
    zero.
    """
    clock, processor = time.perf_counter(), time.process_time()
    nodes = max(1, search().nodes)
    return max(1e-6, time.perf_counter() - clock), max(1e-6, time.process_time() - processor), nodes


@contextlib.contextmanager
def alone(patience: float = 3600) -> Iterator[None]:
    """Wait until no other worker on this machine is inside such a block, for measurements that need
    every core.

    An exclusive transaction on a file of its own is a lock on every system, and the death of its
    holder releases it.
    """
    try:
        user = getpass.getuser()
    except (KeyError, OSError, ImportError):
        user = "user"
    with contextlib.ExitStack() as stack:
        # Where no such file can be made, measure all the same: the rows say how many cores there
        # were.
        with contextlib.suppress(sqlite3.Error):
            file = Path(tempfile.gettempdir()) / f"mnkala-alone-{user}.sqlite"
            connection = stack.enter_context(
                contextlib.closing(sqlite3.connect(file, timeout=patience))
            )
            connection.execute("BEGIN EXCLUSIVE")
        yield


# ---- Seeded positions, and what engines find there ----


def position_of(game: str, plies: int, seed: int) -> Position:
    """A position after `plies` random moves in which the game is neither over nor won at once; with 0
    plies, the start of the game.
    """
    start = Position(game)
    return opening(start.rules, plies, seed) if plies else start


def engine_for(text: str, position: Position) -> Engine:
    """An engine whose kernels are compiled for the position's game, so that the compiler's time is
    not measured.
    """
    engine = parse_engine(text)
    engine.search.prepare(position.rules)
    return engine


def answer(engine: str | Engine, position: Position) -> Analysis:
    """An engine's answer, found in the calling thread."""
    chosen = engine_for(engine, position) if isinstance(engine, str) else engine
    return chosen.answer(position, Stop())


def rivals_rates(engines: Sequence[str], position: Position, repeats: int) -> list[list[float]]:
    """The nodes per CPU second of several engines that take turns on one position: a list for each,
    in the order of the rounds.
    """
    made = [engine_for(text, position) for text in engines]
    visited = [answer(engine, position).nodes for engine in made]
    spent = rivals_seconds(
        [functools.partial(answer, engine, position) for engine in made], repeats
    )
    return [
        [nodes / seconds for seconds in some] for nodes, some in zip(visited, spent, strict=True)
    ]


def seconds_a_node(text: str, position: Position, at_least: float = SHORTEST) -> float:
    """The CPU seconds for a node of an engine's search."""
    engine = engine_for(text, position)
    visited = answer(engine, position).nodes
    return cpu_seconds(functools.partial(answer, engine, position), at_least) / visited


def nodes_by_depth(engine: str, position: Position, limit: Limit) -> list[int]:
    """The nodes that a deepening search has visited when it has finished depth 1, 2, …"""
    found: dict[int, int] = {}
    for analysis in engine_for(engine, position).stream(position, limit):
        found.setdefault(analysis.depth, analysis.nodes)
    return [found[depth] for depth in sorted(found) if depth >= 1]


# ---- Games between engines ----


FIRST_BUDGET = 1000
"""The nodes or iterations with which a player begins, before anything is known of its speed."""
LARGEST_STEP = 2.0
"""The largest factor by which a budget is corrected at once."""
UNUSED = 0.5
"""A search that visits a smaller share of its budget and has time left has nothing more to search."""
LARGE_BOARD = 60
"""On boards with more cells an opening has more random moves, for otherwise all games would look
alike.
"""


class MeasuredPlayer:
    """An engine whose moves are clocked by the processor time of the thread that asks it."""

    def __init__(self, engine: str) -> None:
        self.engine = parse_engine(engine)

    def ask(self, position: Position, all_moves: bool = False) -> tuple[Analysis, float]:
        """The engine's answer and the seconds that it took; with `all_moves` every move has a score
        of its own.
        """
        engine = self.engine
        started = time.thread_time()
        task = Task(
            position,
            engine.limit,
            Stop(),
            lambda report: None,
            engine=str(engine),
            all_moves=all_moves,
        )
        answer = engine.search.run(task)
        return answer, time.thread_time() - started


class PacedPlayer(MeasuredPlayer):
    """An engine that gets as many nodes (MCTS: iterations) as it can use in a given processor time.

    The budget is steered: after each move that used it up, the next budget is corrected by the time
    that the move took. So engines get equal time whatever else the machine does, which a wall clock
    cannot promise. The speed that was learned is kept from game to game.
    """

    budgets: ClassVar[dict[tuple[str, str, float], float]] = {}

    def __init__(self, game: str, engine: str, milliseconds: float) -> None:
        super().__init__(engine)
        self.key, self.seconds = (
            (game, engine.partition(",seed=")[0], milliseconds),
            milliseconds / 1000,
        )

    def ask(self, position: Position, all_moves: bool = False) -> tuple[Analysis, float]:
        budget = self.budgets.get(self.key, FIRST_BUDGET)
        self._set(max(1, round(budget)))
        answer, seconds = super().ask(position, all_moves)
        if not self._ended_early(answer, budget, seconds):
            wanted = self.seconds / max(seconds, 1e-6)
            self.budgets[self.key] = max(
                1.0, budget * min(LARGEST_STEP, max(1 / LARGEST_STEP, wanted)) ** 0.5
            )
        return answer, seconds

    def _ended_early(self, answer: Analysis, budget: float, seconds: float) -> bool:
        """Whether there was nothing left to search, because everything is proved or seen; such a
        move says nothing about the speed.
        """
        proved = answer.score is not None and answer.score.result != "unknown"
        unused = (
            not isinstance(self.engine.search, Mcts)
            and answer.nodes < UNUSED * budget
            and seconds < self.seconds
        )
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
    """Make a player with a limit (`depth 4`, `nodes 2000`, or `time 2 ms` of processor time);
    without one, with that of its engine string. Raises BadEngine for any other limit."""
    kind, _, amount = limit.partition(" ")
    number = amount.removesuffix(" ms")
    if not limit:
        return MeasuredPlayer(engine)
    if kind not in ("depth", "nodes", "time") or not number.replace(".", "", 1).isdigit():
        raise BadEngine(f"a limit of {limit!r}; limits are 'depth N', 'nodes N' and 'time N ms'")
    if kind == "time":
        return PacedPlayer(game, engine, float(number))
    return MeasuredPlayer(f"{engine}{',' if ':' in engine else ':'}{kind}={int(number)}")


def play_out(
    start: Position, seats: tuple[MeasuredPlayer, MeasuredPlayer]
) -> tuple[Position, tuple[Spent, Spent]]:
    """Let two players finish a game; return its end and what each of them spent."""
    position, spent = start, [Spent(), Spent()]
    while not position.is_over:
        mover = position.mover
        answer, seconds = seats[mover].ask(position)
        position = position.play_codes(answer.line_codes[:1])
        spent[mover] = spent[mover].after(answer.nodes, seconds)
    return position, (spent[0], spent[1])


def games_between(
    rules: Rules,
    players: Callable[[int], tuple[MeasuredPlayer, MeasuredPlayer]],
    games: int,
    seed: int,
) -> Iterator[SeriesGame]:
    """Play games from random openings, each opening from both sides. `players` makes the two
    players of each game by its number, so that nothing that a search remembers of one game helps it
    in another.
    """
    for number in range(games):
        pair = players(number)
        for player in pair:
            player.engine.search.prepare(rules)
        seat = number % 2
        end, spent = play_out(
            opening(rules, usual_plies(rules), seed + number // 2), (pair[seat], pair[1 - seat])
        )
        yield SeriesGame(
            number, end, points_of(end, seat), seat == 0, spent=(spent[seat], spent[1 - seat])
        )


def series(
    game: str,
    one: tuple[str, str],
    other: tuple[str, str],
    games: int,
    seed: int,
    first_seed: int = 0,
) -> Iterator[SeriesGame]:
    """Play games between two engines, each with its limit. `{seed}` in an engine string is replaced
    by a seed for each game, counted from `first_seed`: with the same seed for all of them, a series
    would measure a single sequence of random numbers.
    """

    def players(number: int) -> tuple[MeasuredPlayer, MeasuredPlayer]:
        first, second = (
            player(game, engine.replace("{seed}", str(first_seed + number)), limit)
            for engine, limit in (one, other)
        )
        return first, second

    return games_between(Position(game).rules, players, games, seed)


def summary(played: Iterable[SeriesGame]) -> Row:
    """The row of a series: its result with the interval by openings, and what each engine spent on
    a move. Games come in pairs.
    """
    games, result = list(played), SeriesResult()
    before: float | None = None
    for game in games:
        result = result.add(game.points, before)
        before = game.points if before is None else None
    low, high = result.interval
    first = sum(game.points if game.first_moved_first else 1 - game.points for game in games)
    row: Row = {
        "wins": result.wins,
        "draws": result.draws,
        "losses": result.losses,
        "pairs": pairs_column(result),
        "share": round(result.share, 4),
        "low": max(0.0, round(low, 4)),
        "high": min(1.0, round(high, 4)),
        "first_share": round(first / max(1, result.games), 4),
        "length": round(
            sum(spent.moves for game in games for spent in game.spent) / max(1, result.games), 1
        ),
    }
    for side, name in enumerate(("one", "other")):
        spent = sum((game.spent[side] for game in games), Spent())
        moves = max(1, spent.moves)
        row |= {
            f"nodes_{name}": round(spent.nodes / moves, 1),
            f"ms_{name}": round(1000 * spent.seconds / moves, 4),
        }
    return row


def usual_plies(rules: Rules) -> int:
    """The number of random moves before the engines take over."""
    return 4 if rules.most_moves() <= LARGE_BOARD else 6


def seed_of_pair(seed: int, one: str, other: str) -> int:
    """A seed of openings for an ordered pair: a-b and b-a play different games, so that a cross
    table holds each game only once.
    """
    return 1000 * seed + 100_000 * (zlib.crc32(f"{one} {other}".encode()) % 10_000)
