"""The plan of a tournament: who plays what, how often and under which conditions. Same plan, same tournament.

A plan is all that the command said, in one form, with what tells one state of the engines from another: so the command that began a
tournament finds it again and goes on, and after an edit of an engine another one begins.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from collections.abc import Sequence
from typing import Any, Literal

from mnkala.arena.identity import engine_identity, program_digest
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
# Players are numbers, in the order in which they were entered.


Pairing = tuple[int, int]
MOST_STEPS = 20_000
"""Attempts at pairing a round of a Swiss tournament without a rematch, before one is allowed."""


def round_robin(players: int) -> list[list[Pairing]]:
    """Everyone meets everyone, in rounds in which nobody plays twice (the circle method), so that the table is fair at any time."""
    seats: list[int | None] = [*range(players), *([None] if players % 2 else [])]
    half = len(seats) // 2
    rounds = []
    for _ in range(len(seats) - 1):
        facing = zip(seats[:half], reversed(seats[half:]), strict=True)
        rounds.append([(min(one, other), max(one, other)) for one, other in facing if one is not None and other is not None])
        seats = [seats[0], seats[-1], *seats[1:-1]]
    return rounds


def gauntlet(players: int, challengers: int = 1) -> list[list[Pairing]]:
    """The first few meet all others, and not each other."""
    return [[(one, other)] for other in range(challengers, players) for one in range(challengers)]


def swiss(points: Sequence[float], met: Sequence[Sequence[Pairing]]) -> list[Pairing]:
    """The next round: neighbours in the table that have not met (Monrad's way). Of an odd number the last one that has not yet been left
    out is left out. `points` must count such a bye as a won round; `met` are the rounds so far."""
    players = range(len(points))
    order = sorted(players, key=lambda player: (-points[player], player))
    if len(order) % 2:
        order.remove(next(player for player in reversed(order) if player not in byes(len(points), met)))
    before = {pairing for played in met for pairing in played}
    if not met:  # in the first round nobody is known: the upper half of the list meets the lower
        half = len(order) // 2
        return [(min(pair), max(pair)) for pair in zip(order[:half], order[half:], strict=True)]
    found = _without_rematch(order, before, [MOST_STEPS])
    return found if found is not None else [(min(pair), max(pair)) for pair in zip(order[::2], order[1::2], strict=True)]


def byes(players: int, met: Sequence[Sequence[Pairing]]) -> list[int]:
    """Who was left out in each round, if anybody was; once everyone had that, it begins anew."""
    left_out = [next(iter(set(range(players)) - {player for pairing in played for player in pairing})) for played in met
                if 2 * len(played) < players]
    return left_out[len(left_out) // players * players:]


def _without_rematch(order: list[int], before: set[Pairing], steps: list[int]) -> list[Pairing] | None:
    """Pair the first with the next one that it has not met, and the rest likewise; None if that cannot be, or takes too long."""
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
        if (found := _without_rematch(rest[:place] + rest[place + 1:], before, steps)) is not None:
            return [pairing, *found]
    return None


# ---- The plan ----


Format = Literal["round-robin", "gauntlet", "swiss", "match"]
MOST_PLAYERS, MOST_GAMES = 200, 1_000_000
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,59}")
"""What a tournament may be called: it becomes a file."""


@dataclasses.dataclass(frozen=True)
class TournamentPlan:
    """A tournament that is to be played."""

    games: tuple[str, ...]
    """Game strings; every pairing plays each of them."""
    players: tuple[str, ...]
    """Engine strings or levels."""
    names: tuple[str, ...]
    """What tables call the players."""
    format: Format = "round-robin"
    games_each: int = 10
    """Of a pairing in each of the games; two from every opening, with the sides changed."""
    rounds: int = 0
    """Of a Swiss tournament."""
    challengers: int = 1
    """Of a gauntlet: so many of the first players meet all others."""
    openings: str = AUTO
    seed: int = 1
    clock: tuple[float, float] | None = None
    opening_rule: str | None = None
    adjudicate: int | None = None
    grace: float = GRACE_SECONDS
    engines: tuple[str, ...] = ()
    """What identifies each engine as it is now, with the files that it reads; then, for each game, the state of the code that plays it."""

    def version(self, game: str) -> str:
        """The state of the code that played a game, when the tournament was planned."""
        return self.engines[len(self.engines) - len(self.games) + self.games.index(game)]

    @property
    def conditions(self) -> Conditions:
        """How each game is played."""
        return Conditions(self.clock, self.opening_rule, self.adjudicate, self.grace)

    @property
    def encounters(self) -> int:
        """Pairings in all."""
        if self.format == "swiss":
            return self.rounds * (len(self.players) // 2)
        return sum(map(len, self.pairings()))

    @property
    def total(self) -> int:
        """Games in all."""
        return self.encounters * len(self.games) * self.games_each

    @property
    def openings_needed(self) -> int:
        """Of each game."""
        rounds = self.rounds if self.format == "swiss" else 1
        return 0 if self.opening_rule else rounds * ((self.games_each + 1) // 2)

    def pairings(self) -> list[list[tuple[int, int]]]:
        """The rounds of a tournament whose pairings are known from the start."""
        return gauntlet(len(self.players), self.challengers) if self.format == "gauntlet" else round_robin(len(self.players))

    @property
    def digest(self) -> str:
        """Tells this plan from all others."""
        return hashlib.sha256(self.as_json().encode()).hexdigest()[:8]

    @property
    def usual_name(self) -> str:
        """What the tournament is called unless somebody says so."""
        games = re.sub(r"[^a-z0-9]+", "-", "-".join(self.games).lower())[:30].strip("-")
        return f"{games}-{self.format}-{self.digest}"

    def as_json(self) -> str:
        """All of it as text."""
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> TournamentPlan:
        """The plan that `as_json` wrote."""
        fields: dict[str, Any] = json.loads(text)
        if "swap2" in fields:  # of a time when there was one rule
            fields["opening_rule"] = SWAP2 if fields.pop("swap2") else None
        known: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()}
        return cls(**known)

    def differs_from(self, other: TournamentPlan) -> str:
        """In what two plans differ, in words."""
        found = [field.name for field in dataclasses.fields(self) if getattr(self, field.name) != getattr(other, field.name)]
        words = {"engines": "engines as they are now", "games_each": "games", "seed": "seed", "names": "names"}
        return ", ".join(words.get(name, name) for name in found)


def make_plan(games: Sequence[str], players: Sequence[str], *, names: Sequence[str] = (), limit: Limit | None = None,
              format: Format = "round-robin", games_each: int = 10, rounds: int | None = None, challengers: int = 1, openings: str = AUTO,
              seed: int = 1, conditions: Conditions | None = None) -> TournamentPlan:
    """A plan that can be played, or an error that says why not. `limit` is for those engine strings that name none."""
    rules = [parse_game(game) for game in games]
    if not rules:
        raise MnkalaError("a tournament of no game")
    if not 2 <= len(players) <= MOST_PLAYERS:
        raise MnkalaError(f"{counted(len(players), 'player')}; a tournament has 2 to {MOST_PLAYERS}")
    limited = tuple(_with_limit(player, rules, limit) for player in players)
    called = _names(limited, names, rules[0])
    if not 1 <= games_each <= MOST_GAMES:
        raise MnkalaError(f"{counted(games_each, 'game')} a pairing; 1 to {MOST_GAMES:,} are possible")
    if not 1 <= challengers < len(players):
        raise MnkalaError(f"{counted(challengers, 'challenger')} among {counted(len(players), 'player')}; 1 to {len(players) - 1} are "
                          "possible")
    if rounds is None:
        rounds = (len(players) - 1).bit_length() + 1 if format == "swiss" else 0
    most = len(players) - 1 + len(players) % 2
    if format == "swiss" and not 1 <= rounds <= most:
        raise MnkalaError(f"{counted(rounds, 'round')} of {counted(len(players), 'player')}; 1 to {most} are possible, so that nobody "
                          "meets twice")
    if format != "swiss" and rounds:
        raise MnkalaError(f"--rounds is for --format swiss; in a {format}, --games says how often each pairing plays")
    how = conditions or Conditions()
    for each in rules:
        how.check(each)
    engines = tuple(engine_identity(player, each) for each in rules for player in limited)
    strings = tuple(each.game_string() for each in rules)
    plan = TournamentPlan(strings, limited, called, format, games_each, rounds, challengers, openings, seed,
                how.clock, how.opening_rule, how.adjudicate, how.grace, (*engines, *map(program_digest, strings)))
    if plan.total > MOST_GAMES:
        raise MnkalaError(f"{plan.total:,} games; a tournament has at most {MOST_GAMES:,}")
    return plan


def _with_limit(player: str, rules: Sequence[Rules], limit: Limit | None) -> str:
    """An engine string in its one form, with the common limit if it has none of its own; a level stays what it is."""
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
    """What players are called: as they were named, or by their engine strings without the folders of programs."""
    if names and len(names) != len(players):
        raise MnkalaError(f"{counted(len(names), 'name')} for {counted(len(players), 'player')}")
    called = tuple(" ".join(name.split())[:60] for name in names) if names else tuple(label_of(player, rules) for player in players)
    for number, name in enumerate(called):
        if not name:
            raise MnkalaError("a player without a name")
        if name in called[:number]:
            raise MnkalaError(f"two players are called {shortened(name)}; engines must differ, or have names of their own: --names")
    return called


def label_of(player: str, rules: Rules) -> str:
    """A short name that betrays no folders: the engine string, of a program the last part of its path."""
    engine = engine_for(player, rules)
    if not engine.search.runs_program:
        return player
    return re.sub(r"[^\s,'\":=]*/", "", player)


def check_name(name: str) -> str:
    """A name that a tournament may have."""
    if not NAME.fullmatch(name):
        raise MnkalaError(f"--name {shortened(name)}; a tournament is called by letters, digits, '-', '_' and '.', at most 60 of them")
    return name
