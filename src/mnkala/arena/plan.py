"""The plan of a tournament: who plays what, how often and under which conditions. The same plan
always gives the same tournament.

A plan contains everything that the command said, in a standard form, and the versions of the
engines. The command that began a tournament therefore finds it again and continues it, and after an
edit of an engine another tournament begins.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any, Literal

from mnkala.arena.game_job import engine_identity, program_digest
from mnkala.arena.openings import AUTO
from mnkala.core import Rules, parse_game
from mnkala.errors import MnkalaError
from mnkala.numbers import counted, shortened
from mnkala.play.engine_game import GRACE_SECONDS, Conditions, engine_for
from mnkala.play.levels import levels_of
from mnkala.play.opening_rule import SWAP2
from mnkala.search import Engine, Limit

# ---- Pairings ----
#
# Players are numbered in the order in which they were entered.


Pairing = tuple[int, int]
MOST_STEPS = 20_000
"""How many attempts are made to pair a round of a Swiss tournament without a rematch before a
rematch is allowed."""


def round_robin(players: int) -> list[list[Pairing]]:
    """Pair everyone with everyone, in rounds in which nobody plays twice (the circle method), so
    that the table is fair at any time."""
    seats: list[int | None] = [*range(players), *([None] if players % 2 else [])]
    half = len(seats) // 2
    rounds = []
    for _ in range(len(seats) - 1):
        facing = zip(seats[:half], reversed(seats[half:]), strict=True)
        rounds.append(
            [
                (min(one, other), max(one, other))
                for one, other in facing
                if one is not None and other is not None
            ]
        )
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return rounds


def gauntlet(players: int, challengers: int = 1) -> list[list[Pairing]]:
    """Pair the first few players with all others, and not with each other."""
    return [[(one, other)] for other in range(challengers, players) for one in range(challengers)]


def swiss(points: Sequence[float], met: Sequence[Sequence[Pairing]]) -> list[Pairing]:
    """Pair the next round of a Swiss tournament: neighbours in the table that have not met
    (Monrad's system).

    If the number of players is odd, the last one that has had no bye gets it. `points` must count a
    bye as a won round; `met` contains the rounds so far.
    """
    players = range(len(points))
    order = sorted(players, key=lambda player: (-points[player], player))
    if len(order) % 2:
        order.remove(
            next(player for player in reversed(order) if player not in byes(len(points), met))
        )
    before = {pairing for played in met for pairing in played}
    if (
        not met
    ):  # Nobody has played before the first round: the upper half of the list meets the lower half.
        half = len(order) // 2
        return [(min(pair), max(pair)) for pair in zip(order[:half], order[half:], strict=True)]
    found = _without_rematch(order, before, [MOST_STEPS])
    return (
        found
        if found is not None
        else [(min(pair), max(pair)) for pair in zip(order[::2], order[1::2], strict=True)]
    )


def byes(players: int, met: Sequence[Sequence[Pairing]]) -> list[int]:
    """The player who had a bye in each round, if anybody had. Once everyone has had a bye, the
    count begins again."""
    left_out = [
        next(iter(set(range(players)) - {player for pairing in played for player in pairing}))
        for played in met
        if 2 * len(played) < players
    ]
    return left_out[len(left_out) // players * players :]


def _without_rematch(
    order: list[int], before: set[Pairing], steps: list[int]
) -> list[Pairing] | None:
    """Pair the first player with the next one that it has not met, and so on with the rest; None if
    that is impossible or takes too long."""
    if not order:
        return []
    first, rest = order[0], order[1:]
    for place, other in enumerate(rest):
        pairing = min(first, other), max(first, other)
        if pairing in before:
            continue
        steps[0] -= 1
        if steps[0] < 0:
            return None
        if (found := _without_rematch(rest[:place] + rest[place + 1 :], before, steps)) is not None:
            return [pairing, *found]
    return None


# ---- The plan ----


Format = Literal["round-robin", "gauntlet", "swiss", "match"]
MOST_PLAYERS, MOST_GAMES = 200, 1_000_000
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")
"""The form of a tournament's name, which becomes a file name."""


@dataclasses.dataclass(frozen=True)
class TournamentPlan:
    """A tournament that is to be played."""

    games: tuple[str, ...]
    """The game strings; every pairing plays each of them."""
    players: tuple[str, ...]
    """The engine strings or levels."""
    names: tuple[str, ...]
    """The names of the players in tables."""
    format: Format = "round-robin"
    games_each: int = 10
    """The games of each pairing in each of the games; two from every opening, with the sides
    changed."""
    rounds: int = 0
    """The number of rounds of a Swiss tournament."""
    challengers: int = 1
    """The number of challengers in a gauntlet: the first players, who meet all others."""
    openings: str = AUTO
    seed: int = 1
    clock: tuple[float, float] | None = None
    opening_rule: str | None = None
    adjudicate: int | None = None
    grace: float = GRACE_SECONDS
    engines: tuple[str, ...] = ()
    """The identity of each engine as it is now, with the files that it reads; then, for each game,
    the version of the code that plays it."""

    def version(self, game: str) -> str:
        """The version of the code that played a game when the tournament was planned."""
        return self.engines[len(self.engines) - len(self.games) + self.games.index(game)]

    @property
    def conditions(self) -> Conditions:
        """The conditions under which each game is played."""
        return Conditions(self.clock, self.opening_rule, self.adjudicate, self.grace)

    @property
    def encounters(self) -> int:
        """The total number of pairings."""
        if self.format == "swiss":
            return self.rounds * (len(self.players) // 2)
        return sum(map(len, self.pairings()))

    @property
    def total(self) -> int:
        """The total number of games."""
        return self.encounters * len(self.games) * self.games_each

    @property
    def openings_needed(self) -> int:
        """The number of openings needed in each game."""
        rounds = self.rounds if self.format == "swiss" else 1
        return 0 if self.opening_rule else rounds * ((self.games_each + 1) // 2)

    def pairings(self) -> list[list[tuple[int, int]]]:
        """The rounds of a tournament whose pairings are known from the start."""
        return (
            gauntlet(len(self.players), self.challengers)
            if self.format == "gauntlet"
            else round_robin(len(self.players))
        )

    @property
    def digest(self) -> str:
        """A digest that differs between different plans."""
        return hashlib.sha256(self.as_json().encode()).hexdigest()[:8]

    @property
    def usual_start(self) -> str:
        """How the name of the tournament begins unless another is given: by what is played."""
        games = re.sub(r"[^a-z0-9]+", "-", "-".join(self.games).lower())[:30].strip("-")
        return f"{games}-{self.format}-"

    @property
    def usual_name(self) -> str:
        """The name that the tournament has unless another is given."""
        return f"{self.usual_start}{self.digest}"

    def as_json(self) -> str:
        """Write the whole plan as JSON."""
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> TournamentPlan:
        """Read a plan that `as_json` wrote."""
        fields: dict[str, Any] = json.loads(text)
        if "swap2" in fields:  # This key is from a time when there was only one opening rule.
            fields["opening_rule"] = SWAP2 if fields.pop("swap2") else None
        known: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in fields.items()
        }
        return cls(**known)

    def differs_from(self, other: TournamentPlan) -> str:
        """Describe in words how two plans differ."""
        found = [
            field.name
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != getattr(other, field.name)
        ]
        words = {
            "engines": "engines as they are now",
            "games_each": "games",
            "seed": "seed",
            "names": "names",
        }
        return ", ".join(words.get(name, name) for name in found)


def make_plan(
    games: Sequence[str],
    players: Sequence[str],
    *,
    names: Sequence[str] = (),
    limit: Limit | None = None,
    format: Format = "round-robin",
    games_each: int = 10,
    rounds: int | None = None,
    challengers: int = 1,
    openings: str = AUTO,
    seed: int = 1,
    conditions: Conditions | None = None,
) -> TournamentPlan:
    """Make a plan that can be played, or raise an error that says why not. `limit` is for engine
    strings without a limit."""
    rules = [parse_game(game) for game in games]
    if not rules:
        raise MnkalaError("a tournament of no game")
    if not 2 <= len(players) <= MOST_PLAYERS:
        raise MnkalaError(
            f"{counted(len(players), 'player')}; a tournament has 2 to {MOST_PLAYERS}"
        )
    limited = tuple(_with_limit(player, rules, limit) for player in players)
    called = _names(limited, names, rules[0])
    if not 1 <= games_each <= MOST_GAMES:
        raise MnkalaError(
            f"{counted(games_each, 'game')} a pairing; 1 to {MOST_GAMES:,} are possible"
        )
    if not 1 <= challengers < len(players):
        raise MnkalaError(
            f"{counted(challengers, 'challenger')} among {counted(len(players), 'player')}; 1 to {len(players) - 1} are "
            "possible"
        )
    if rounds is None:
        rounds = (len(players) - 1).bit_length() + 1 if format == "swiss" else 0
    most = len(players) - 1 + len(players) % 2
    if format == "swiss" and not 1 <= rounds <= most:
        raise MnkalaError(
            f"{counted(rounds, 'round')} of {counted(len(players), 'player')}; 1 to {most} are possible, so that nobody "
            "meets twice"
        )
    if format != "swiss" and rounds:
        raise MnkalaError(
            f"--rounds is for --format swiss; in a {format}, --games says how often each pairing plays"
        )
    how = conditions or Conditions()
    for each in rules:
        how.check(each)
    strings = tuple(each.game_string() for each in rules)
    plan = TournamentPlan(
        strings,
        limited,
        called,
        format,
        games_each,
        rounds,
        challengers,
        openings,
        seed,
        how.clock,
        how.opening_rule,
        how.adjudicate,
        how.grace,
        versions(rules, limited),
    )
    if plan.total > MOST_GAMES:
        raise MnkalaError(f"{plan.total:,} games; a tournament has at most {MOST_GAMES:,}")
    return plan


def versions(rules: Sequence[Rules], players: Sequence[str]) -> tuple[str, ...]:
    """The identities of the engines as they are now, as a plan keeps them (`engines`)."""
    identities = (engine_identity(player, each) for each in rules for player in players)
    return (*identities, *(program_digest(each.game_string()) for each in rules))


def _with_limit(player: str, rules: Sequence[Rules], limit: Limit | None) -> str:
    """An engine string in standard form, with the common limit if it has none of its own; a level
    is left unchanged."""
    for each in rules:
        engine_for(player, each)
    word = player.strip()
    if word.lower() in levels_of(rules[0]):
        return word.lower()
    engine = engine_for(word, rules[0])
    if limit is not None and engine.limit == Limit():
        engine = Engine(engine.search, limit)
    return str(engine)


def _names(players: Sequence[str], names: Sequence[str], rules: Rules) -> tuple[str, ...]:
    """The names of the players: those given, or the engine strings without the folders of programs."""
    if names and len(names) != len(players):
        raise MnkalaError(f"{counted(len(names), 'name')} for {counted(len(players), 'player')}")
    called = (
        tuple(" ".join(name.split())[:60] for name in names)
        if names
        else tuple(label_of(player, rules) for player in players)
    )
    for number, name in enumerate(called):
        if not name:
            raise MnkalaError("a player without a name")
        if name in called[:number]:
            raise MnkalaError(
                f"two players are called {shortened(name)}; engines must differ, or have names of their own: --names"
            )
    return called


def label_of(player: str, rules: Rules) -> str:
    """A short name that reveals no folders: the engine string, or for a program the last part of
    its path."""
    engine = engine_for(player, rules)
    if not engine.search.runs_program:
        return player
    return re.sub(r"[^\s,'\":=]*/", "", player)


def check_name(name: str) -> str:
    """Check that a tournament may have this name, and return it."""
    if not NAME.fullmatch(name):
        raise MnkalaError(
            f"--name {shortened(name)}; a tournament is called by letters, digits, '-', '_' and '.', at most 60 of them"
        )
    return name
