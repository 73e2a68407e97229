"""One game of a tournament as a job: its arguments and its result. A worker that is lost costs only
the game that it played."""

from __future__ import annotations

import dataclasses
import platform
from typing import Any

from mnkala.arena.identity import program_digest
from mnkala.core import Position, Record, parse_game
from mnkala.core.record import record_text
from mnkala.errors import MnkalaError
from mnkala.jobs import Job, Outcome
from mnkala.jobs.store import Entry
from mnkala.play.engine_game import Conditions, End, engine_for
from mnkala.play.engine_game import play_game as play
from mnkala.play.spending import Spent


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
        """The points that a player of the plan made in the game."""
        return self.points if player == self.fixture.first else 1 - self.points

    def spent_by(self, player: int) -> Spent:
        """What a player of the plan spent on the game."""
        return self.spent[0 if player == self.fixture.first else 1]

    @property
    def faulty(self) -> int | None:
        """The player who lost by a fault, or None."""
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
        position = Position(self.fixture.game).play(self.moves) if self.moves else Position(self.fixture.game)
        return record_text(self.fixture.game, None, Record.of(position).position.moves, self.result, tags)


def play_game(game: str, first: str, second: str, opening: str, clock: list[float] | None, opening_rule: str | None,
              adjudicate: int | None, grace: float, digest: str) -> dict[str, Any]:
    """Play one game between two engines; a job for `mnkala.jobs`. `digest` identifies the intended
    code of the engines: a worker of a cluster may have another version."""
    if digest != program_digest(game):
        raise MnkalaError(f"the engines of the machine {platform.node()} are not those of this one; install the same mnkala everywhere")
    rules = parse_game(game)
    start = Position(rules).play(opening) if opening else Position(rules)
    conditions = Conditions(None if clock is None else (clock[0], clock[1]), opening_rule, adjudicate, grace)
    played = play(start, (engine_for(first, rules), engine_for(second, rules)), conditions)
    spent = [[each.moves, each.nodes, round(each.seconds, 6), round(each.longest, 6)] for each in played.spent]
    return {"moves": played.end.moves, "points": played.points[0], "fault": played.fault, "ending": played.ending, "spent": spent,
            "swapped": played.swapped}


def job_of(fixture: Fixture, players: tuple[str, ...], opening: str, conditions: Conditions) -> Job:
    """Make the job of a game."""
    return Job(fixture.key, f"{__name__}:{play_game.__name__}", {
        "game": fixture.game, "first": players[fixture.first], "second": players[fixture.second], "opening": opening,
        "clock": None if conditions.clock is None else list(conditions.clock), "opening_rule": conditions.opening_rule,
        "adjudicate": conditions.adjudicate, "grace": conditions.grace, "digest": program_digest(fixture.game)})


def result_of(outcome: Outcome, opening: str, finished: str = "") -> GameResult:
    """Convert the outcome of a job to a game's result."""
    found = outcome.value
    one, other = (Spent(*each) for each in found["spent"])
    return GameResult(Fixture.of_key(outcome.key), opening, found["moves"], found["points"], found["fault"], found["ending"], (one, other),
                      found["swapped"], finished)


def result_of_entry(entry: Entry) -> GameResult:
    """Convert a stored row to a game's result."""
    return result_of(entry.outcome, entry.job.arguments["opening"], entry.finished)
