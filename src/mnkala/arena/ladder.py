"""The ladder: one table for each game, over all that was played in tournaments and matches. A player is its engine string."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Any

from mnkala.arena.game_job import Fixture, GameResult
from mnkala.arena.identity import program_digest
from mnkala.arena.standings import Standings, standings_of
from mnkala.arena.tournament import Tournament


@dataclasses.dataclass(frozen=True)
class Ladder:
    """The table of a game."""

    game: str
    standings: Standings
    groups: int
    """Players fall into so many groups that never met, between which ratings say nothing."""
    versions: int
    """Of the engines: so many states of their code are counted together."""

    @property
    def notes(self) -> list[str]:
        """What a reader should know."""
        found = []
        if self.groups > 1:
            found.append(f"the players fall into {self.groups} groups that never met: compare ratings only within a group")
        if self.versions > 1:
            found.append(f"games by {self.versions} versions of the engines are counted together; --current counts those of this one")
        return found

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        players = [row.as_json() for row in self.standings.rows]
        return {"game": self.game, "players": players, "groups": self.groups, "versions": self.versions}


def ladders(tournaments: Iterable[Tournament], game: str | None = None, *, current: bool = False) -> list[Ladder]:
    """The tables, by game; with `current` only of games by the engines as they are now."""
    of_game: dict[str, list[tuple[Tournament, GameResult]]] = {}
    for each in tournaments:
        for played in each.games:
            name = played.fixture.game
            if game in (None, name) and not (current and each.plan.version(name) != program_digest(name)):
                of_game.setdefault(name, []).append((each, played))
    return [_ladder(name, of_game[name]) for name in sorted(of_game)]


def _ladder(game: str, played: list[tuple[Tournament, GameResult]]) -> Ladder:
    """Games of several tournaments with one numbering of players and of openings."""
    numbers: dict[str, int] = {}
    tournaments: dict[int, int] = {}
    merged = []
    for tournament, result in played:
        one, other = (numbers.setdefault(_name(tournament, player), len(numbers))
                      for player in (result.fixture.one, result.fixture.other))
        if one == other:
            continue  # an engine against itself tells nothing of its strength
        apart = tournaments.setdefault(id(tournament), len(tournaments))
        merged.append(renumbered(result, one, other, apart))
    names = list(numbers)
    return Ladder(game, standings_of(names, merged), _groups(len(names), merged), len({each.plan.version(game) for each, _ in played}))


def _name(tournament: Tournament, player: int) -> str:
    """A program by its name in the tournament, which has no folders; other engines by their engine strings."""
    text = tournament.plan.players[player]
    return tournament.plan.names[player] if "/" in text else text


STRIDE = 1 << 24
"""Keeps the numbers of games of different tournaments apart: more than a tournament has games."""


def renumbered(result: GameResult, one: int, other: int, tournament: int) -> GameResult:
    """A game of a tournament among the players and games of several."""
    number = result.fixture.number + STRIDE * tournament
    if one < other:
        return dataclasses.replace(result, fixture=Fixture(result.fixture.game, one, other, number))
    # The first-named begins the games of even numbers: with the names exchanged the numbers of a pair are exchanged as well.
    return dataclasses.replace(result, fixture=Fixture(result.fixture.game, other, one, number ^ 1))


def _groups(players: int, games: Iterable[GameResult]) -> int:
    """Into how many groups players fall that never met."""
    group = list(range(players))

    def leader(player: int) -> int:
        while group[player] != player:
            player = group[player]
        return player

    for game in games:
        group[leader(game.fixture.one)] = leader(game.fixture.other)
    return len({leader(player) for player in range(players)})
