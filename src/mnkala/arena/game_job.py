"""Games between engines as jobs: one game of a tournament, or a pair of games from one opening with
the sides changed.

A worker that is lost costs only the game that it played. Jobs are kept in a store, so that an
interrupted tournament or test continues where it stopped and nothing is played twice. A stored game
belongs to the engines as they were: its key or its plan contains their engine strings in a standard
form, with digests of the files that these name and of the code that chooses the moves. After an
edit they count as other engines, and their games are played again.
"""

from __future__ import annotations

import collections
import dataclasses
import functools
import hashlib
import platform
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from mnkala.arena.openings import balanced_opening
from mnkala.core import Position, Record, Rules, parse_game
from mnkala.core.record import record_text
from mnkala.core.registry import families, family_of, read_game
from mnkala.errors import MnkalaError
from mnkala.folders import data_folder, is_file
from mnkala.jobs import Job, Outcome, Progress, Run, Store
from mnkala.jobs.pool import tell_so_far
from mnkala.jobs.store import Entry
from mnkala.play.clock import Spent
from mnkala.play.engine_game import Conditions, End, Played, engine_for
from mnkala.play.engine_game import play_game as play
from mnkala.play.human_errors import Overlooking
from mnkala.search.engine import options_of
from mnkala.sources import ENGINE, code_digest, place_of

# ---- The identity of engines ----


def program_digest(game: str) -> str:
    """A digest of the code that plays a game."""
    return digest_for(game, play)


@functools.cache
def digest_for(game: str | None, *functions: Callable[..., Any]) -> str:
    """A digest of the code that some functions need to play a game: the engines, the family of the
    game, and the functions themselves.

    Without a game, or with one that is unknown here, it covers all families, or the one to which a
    function belongs.
    """
    try:
        rules = read_game(game) if game is not None else None
    except MnkalaError:
        rules = None
    if rules is not None:
        known = [type(family_of(rules)), *type(rules).__mro__]
    else:
        own = [
            family
            for family in families()
            for each in functions
            if each.__module__.startswith(f"{type(family).__module__}.")
        ]
        known = [cls for family in own or families() for cls in (type(family), *family.rules)]
    places = {place for cls in known if (place := place_of(cls))}
    return code_digest(frozenset(places) | frozenset(ENGINE), (*functions, Overlooking))


def engine_identity(player: str, rules: Rules) -> str:
    """The engine string in a standard form, with a digest of each file that it names."""
    engine = engine_for(player, rules)
    values = [getattr(engine.search, option.name) for option in options_of(type(engine.search))]
    files = [
        hashlib.sha256(Path(value).expanduser().read_bytes()).hexdigest()[:12]
        for value in values
        if isinstance(value, str) and is_file(value)
    ]
    return " ".join((str(engine), *files))


# ---- One game of a tournament ----


WATCH_SECONDS = 0.4
"""The time between two messages about the moves of a game that is being played."""


@dataclasses.dataclass(frozen=True)
class Fixture:
    """A game that is to be played."""

    game: str
    one: int
    other: int
    """The numbers of the two players in the plan, the smaller first."""
    number: int
    """The number of the game between the two. Two consecutive games have the same opening; the
    first-named player begins the first of them."""

    @property
    def key(self) -> str:
        """The key under which the game is stored."""
        return f"{self.game} | {self.one} {self.other} | {self.number}"

    def place(self, games: tuple[str, ...]) -> str:
        """A short name for addresses: the position of the game string in `games`, the players, and
        the number."""
        return f"{games.index(self.game)}-{self.one}-{self.other}-{self.number}"

    @property
    def first(self) -> int:
        """The number of the player in the first seat."""
        return self.one if self.number % 2 == 0 else self.other

    @property
    def second(self) -> int:
        """The number of the player in the second seat."""
        return self.other if self.number % 2 == 0 else self.one

    @classmethod
    def of_key(cls, key: str) -> Fixture:
        """The fixture that is stored under a key."""
        game, players, number = key.split(" | ")
        one, other = players.split()
        return cls(game, int(one), int(other), int(number))


@dataclasses.dataclass(frozen=True)
class GameResult:
    """A game that was played."""

    fixture: Fixture
    opening: str
    moves: str
    """All moves, including those of the opening."""
    points: float
    """The points of the player in the first seat."""
    fault: str
    """The loser's fault, if the game was not lost by the rules."""
    ending: End
    spent: tuple[Spent, Spent]
    """What the player in the first seat spent, and what the other spent."""
    swapped: bool
    """Whether the player in the first seat ended up with the second side, as an opening rule
    allows."""
    finished: str = ""

    def points_of(self, player: int) -> float:
        """The points that the player of this number made in the game."""
        return self.points if player == self.fixture.first else 1 - self.points

    def spent_by(self, player: int) -> Spent:
        """What the player of this number spent on the game."""
        return self.spent[0 if player == self.fixture.first else 1]

    @property
    def faulty(self) -> int | None:
        """The number of the player who lost by a fault, or None."""
        if not self.fault:
            return None
        return self.fixture.second if self.points else self.fixture.first

    @property
    def result(self) -> str:
        """The result by sides, as in records."""
        points = 1 - self.points if self.swapped else self.points
        return {1.0: "1-0", 0.0: "0-1"}.get(points, "1/2-1/2")

    @property
    def sides(self) -> tuple[int, int]:
        """The players by the sides that they had on the board."""
        seats = self.fixture.first, self.fixture.second
        return (seats[1], seats[0]) if self.swapped else seats

    def record(self, names: tuple[str, ...]) -> str:
        """The game as a record, with its players and the reason why it ended."""
        first, second = (names[player] for player in self.sides)
        tags = [("first", first), ("second", second), ("date", self.finished[:10])]
        if self.ending != "rules":
            tags.append(("ending", self.fault or self.ending))
        position = (
            Position(self.fixture.game).play(self.moves)
            if self.moves
            else Position(self.fixture.game)
        )
        return record_text(
            self.fixture.game, None, Record.of(position).position.moves, self.result, tags
        )


def play_game(
    game: str,
    first: str,
    second: str,
    opening: str,
    clock: list[float] | None,
    opening_rule: str | None,
    adjudicate: int | None,
    grace: float,
    digest: str,
) -> dict[str, Any]:
    """Play one game between two engines; a job for `mnkala.jobs`. `digest` identifies the intended
    code of the engines: a worker of a cluster may have another version."""
    if digest != program_digest(game):
        raise MnkalaError(
            f"the engines of the machine {platform.node()} are not those of this one; install the same mnkala everywhere"
        )
    rules = parse_game(game)
    start = Position(rules).play(opening) if opening else Position(rules)
    conditions = Conditions(
        None if clock is None else (clock[0], clock[1]), opening_rule, adjudicate, grace
    )
    engines = engine_for(first, rules), engine_for(second, rules)
    played = play(start, engines, conditions, _Watch())
    spent = [
        [each.moves, each.nodes, round(each.seconds, 6), round(each.longest, 6)]
        for each in played.spent
    ]
    return {
        "moves": played.end.moves,
        "points": played.points[0],
        "fault": played.fault,
        "ending": played.ending,
        "spent": spent,
        "swapped": played.swapped,
    }


class _Watch:
    """Tells those who watch a tournament about the moves of a game, unless the game is very
    quick."""

    def __init__(self) -> None:
        self.told = time.monotonic()

    def __call__(self, position: Position) -> None:
        now = time.monotonic()
        if now - self.told >= WATCH_SECONDS:
            self.told = now
            tell_so_far(position.moves)


def job_of(fixture: Fixture, players: tuple[str, ...], opening: str, conditions: Conditions) -> Job:
    """Make the job of a game."""
    return Job(
        fixture.key,
        f"{__name__}:{play_game.__name__}",
        {
            "game": fixture.game,
            "first": players[fixture.first],
            "second": players[fixture.second],
            "opening": opening,
            "clock": None if conditions.clock is None else list(conditions.clock),
            "opening_rule": conditions.opening_rule,
            "adjudicate": conditions.adjudicate,
            "grace": conditions.grace,
            "digest": program_digest(fixture.game),
        },
    )


def result_of(outcome: Outcome, opening: str, finished: str = "") -> GameResult:
    """Convert the outcome of a job to a game's result."""
    found = outcome.value
    one, other = (Spent(*each) for each in found["spent"])
    return GameResult(
        Fixture.of_key(outcome.key),
        opening,
        found["moves"],
        found["points"],
        found["fault"],
        found["ending"],
        (one, other),
        found["swapped"],
        finished,
    )


def result_of_entry(entry: Entry) -> GameResult:
    """Convert a stored row to a game's result."""
    return result_of(entry.outcome, entry.job.arguments["opening"], entry.finished)


# ---- Pairs of games ----


def default_data() -> Path:
    """The file in which games are kept unless another is named."""
    return data_folder() / "arena.sqlite"


@dataclasses.dataclass(frozen=True)
class Pair:
    """Two games from one opening, from the new engine's view."""

    number: int
    opening: str
    points: tuple[float, float]
    """The new engine's points in the game in which it has the first seat, and in the other."""
    games: tuple[str, str]
    """The moves of each game."""
    faults: tuple[str, str]
    """The player who lost by a fault in each game, and the fault; empty if there was none."""


def play_pair(
    game: str, new: str, old: str, number: int, seed: int, opening: str | None = None
) -> dict[str, Any]:
    """Play two games from one opening, each engine moving first once; a job for `mnkala.jobs`.

    Without an `opening`, a balanced random one is made from `seed` and `number`. The row has the
    points and the faults from the point of view of `new`.
    """
    rules = parse_game(game)
    moves = balanced_opening(rules, seed, number).moves if opening is None else opening
    start = Position(rules).play(moves) if moves else Position(rules)
    played: list[Played] = []
    for first in (True, False):
        engines = engine_for(new, rules), engine_for(old, rules)
        played.append(play(start, engines if first else (engines[1], engines[0])))
    faults = [
        f"{new if one.points[seat] == 0 else old} lost by {one.fault}" if one.fault else ""
        for seat, one in enumerate(played)
    ]
    return {
        "number": number,
        "opening": moves,
        "points": [played[0].points[0], played[1].points[1]],
        "games": [one.end.moves for one in played],
        "faults": faults,
    }


def pair_of(outcome: Outcome) -> Pair:
    """Convert the outcome of a job to a pair."""
    found = outcome.value
    return Pair(
        found["number"],
        found["opening"],
        tuple(found["points"]),
        tuple(found["games"]),
        tuple(found["faults"]),
    )


def pair_job(
    rules: Rules,
    new: str,
    old: str,
    number: int,
    seed: int,
    opening: str | None,
    names: tuple[str, str] | None = None,
) -> Job:
    """Make the job of a pair; `names` are the engines' identities, where they are known already."""
    game = rules.game_string()
    one, other = names or (engine_identity(new, rules), engine_identity(old, rules))
    start = f"opening {opening}" if opening is not None else f"seed {seed} {number}"
    return Job(
        f"pair {program_digest(game)} {game} | {one} | {other} | {start}",
        f"{__name__}:{play_pair.__name__}",
        {"game": game, "new": new, "old": old, "number": number, "seed": seed, "opening": opening},
    )


def play_pairs(
    jobs: Sequence[Job],
    store: Store,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
    retry: bool = False,
) -> Generator[Pair, None, None]:
    """Play what the store does not hold yet, and yield all pairs in the order of the jobs,
    whichever is finished first. Pairs that could not be played are left out. Closing the generator
    (`contextlib.closing`) ends the work.
    """
    keys = [job.key for job in jobs]

    def outcomes() -> Iterator[Outcome]:
        yield from (
            outcome for outcome in store.outcomes(keys).values() if not (retry and outcome.failed)
        )
        with Run(
            jobs, store, workers=workers, cluster=cluster, progress=progress, retry=retry
        ) as run:
            yield from run

    yield from pairs_in_order(keys, outcomes())


def pairs_in_order(keys: Sequence[str], outcomes: Iterable[Outcome]) -> Iterator[Pair]:
    """Yield pairs in the order of their keys, each as soon as it and all before it have come.
    Failed ones are left out.
    """
    waiting: dict[str, Outcome] = {}
    left = collections.deque(keys)
    for outcome in outcomes:
        waiting[outcome.key] = outcome
        while left and left[0] in waiting:
            come = waiting.pop(left.popleft())
            if not come.failed:
                yield pair_of(come)
