"""Levels at even steps: a tournament of ten settings is rated, and the settings are moved to where
the steps would be even; then again.

Settings lie on a *path* from 0, a player who overlooks most and hardly looks ahead, to 1, a player
who sees everything and looks far ahead; the top level is not on it. Each level plays those one and
two above it, from openings of one random move or from the set that comes with the game, with the
sides changed. What is overlooked depends on the seed and the number of the game, so the same
command plays the same games wherever the top level does. The last round is kept: nothing is moved
after it, so results and ratings belong to its settings.

Ratings of one round are rough, and settings that follow all their errors never settle. So the
strength of a place is estimated from all rounds: their games are rated together, since the lowest
and the top level are the same players in each round, and the curve through the ratings is the
best-fitting rising one, with straight lines between the middles of its steps (centred isotonic
regression: Oron and Flournoy 2017).
"""

from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from mnkala.arena.game_job import Fixture, GameResult, job_of, program_digest, result_of
from mnkala.arena.openings import AUTO, BY_PLIES, opening_list, shipped_set
from mnkala.arena.ratings import Standings, standings_of
from mnkala.arena.tournament import Tournament
from mnkala.core import Rules
from mnkala.core.registry import family_of
from mnkala.errors import MnkalaError
from mnkala.folders import data_folder
from mnkala.jobs import Progress, Store
from mnkala.jobs.run import finished
from mnkala.numbers import counted
from mnkala.play.engine_game import Conditions
from mnkala.play.levels import (
    COUNT,
    LEVELS,
    PERFECT_ENGINE,
    SOLVER_SECONDS,
    STRONGEST_ENGINE,
    asks_solver,
)

# ---- The ladder ----
#
# One table for each game, over all games of tournaments and matches. A player is its engine string.


@dataclasses.dataclass(frozen=True)
class Ladder:
    """The ratings of all players of one game, over every tournament and match that was kept."""

    game: str
    standings: Standings
    groups: int
    """The number of groups of players that never met; ratings compare players only within a group."""
    versions: int
    """The number of versions of the engines' code that are counted together."""

    @property
    def notes(self) -> list[str]:
        """Remarks for the reader of the table."""
        found = []
        if self.groups > 1:
            found.append(
                f"the players fall into {self.groups} groups that never met: compare ratings only within a group"
            )
        if self.versions > 1:
            found.append(
                f"games by {self.versions} versions of the engines are counted together; --current counts those of this one"
            )
        return found

    def as_json(self) -> dict[str, Any]:
        """The table as JSON values."""
        players = [row.as_json() for row in self.standings.rows]
        return {
            "game": self.game,
            "players": players,
            "groups": self.groups,
            "versions": self.versions,
        }


def ladders(
    tournaments: Iterable[Tournament], game: str | None = None, *, current: bool = False
) -> list[Ladder]:
    """Rate the players of every game, or of one; with `current`, only from games that the engines
    played with today's code.
    """
    of_game: dict[str, list[tuple[Tournament, GameResult]]] = {}
    for each in tournaments:
        for played in each.games:
            name = played.fixture.game
            if game in (None, name) and not (
                current and each.plan.version(name) != program_digest(name)
            ):
                of_game.setdefault(name, []).append((each, played))
    return [_ladder(name, of_game[name]) for name in sorted(of_game)]


def _ladder(game: str, played: list[tuple[Tournament, GameResult]]) -> Ladder:
    """Combine games of several tournaments under one numbering of players and of openings."""
    numbers: dict[str, int] = {}
    tournaments: dict[int, int] = {}
    merged = []
    for tournament, result in played:
        one, other = (
            numbers.setdefault(_name(tournament, player), len(numbers))
            for player in (result.fixture.one, result.fixture.other)
        )
        if one == other:
            continue  # An engine against itself shows nothing about its strength.
        apart = tournaments.setdefault(id(tournament), len(tournaments))
        merged.append(renumbered(result, one, other, apart))
    names = list(numbers)
    return Ladder(
        game,
        standings_of(names, merged),
        _groups(len(names), merged),
        len({each.plan.version(game) for each, _ in played}),
    )


def _name(tournament: Tournament, player: int) -> str:
    """The name of a player: for a program its name in the tournament, which contains no folders;
    otherwise its engine string."""
    text = tournament.plan.players[player]
    return tournament.plan.names[player] if "/" in text else text


STRIDE = 1 << 24
"""Separates the numbers of games of different tournaments; no tournament has more games than this."""


def renumbered(result: GameResult, one: int, other: int, tournament: int) -> GameResult:
    """Return a result with new numbers for its players and its opening, so that results of several
    tournaments can be rated together."""
    number = result.fixture.number + STRIDE * tournament
    if one < other:
        return dataclasses.replace(result, fixture=Fixture(result.fixture.game, one, other, number))
    # The first-named player begins the games of even numbers: exchanging the names exchanges the
    # numbers of a pair too.
    return dataclasses.replace(result, fixture=Fixture(result.fixture.game, other, one, number ^ 1))


def _groups(players: int, games: Iterable[GameResult]) -> int:
    """The number of groups of players that never met."""
    from scipy.sparse.csgraph import connected_components

    met = np.zeros((players, players))
    for game in games:
        met[game.fixture.one, game.fixture.other] = 1
    return int(connected_components(met, directed=False, return_labels=False))


# ---- Levels ----


LOWEST_RATING = 1000.0
"""The rating of level 1 in every game; the ratings of the others follow."""
REACH = 2
"""Each level plays the levels up to this many above it."""
MOST_GAMES, MOST_ROUNDS = 10_000, 10
EVENLY: tuple[float, ...] = tuple(number / (COUNT - 2) for number in range(COUNT - 1))
"""The places of the settings in the first round."""


@dataclasses.dataclass(frozen=True)
class LevelPath:
    """Settings from weak to strong: first a search that looks further and further ahead, then a
    solver that overlooks less and less."""

    nodes: tuple[float, float] = (20, 30_000)
    sight: tuple[float, float] = (0.3, 1.0)
    exact_from: float = 1.1
    """The place where the solver takes over; beyond 1 it never does."""
    exact_sight: tuple[float, float] = (0.85, 0.99)
    spread: tuple[float, float] = (0.1, 0.02)

    def at(self, place: float, *, keen: bool) -> str:
        """The engine string at a place from 0 to 1."""
        exact = place >= self.exact_from
        if exact:
            sight = _between(self.exact_sight, (place - self.exact_from) / (1 - self.exact_from))
        else:
            sight = _between(self.sight, place / min(1.0, self.exact_from))
        options = [
            *(["engine=perfect"] if exact else []),
            f"sight={sight:.3f}",
            f"spread={_between(self.spread, place):.3f}",
            *([] if keen else ["keen=off"]),
        ]
        if exact:
            options.append(f"time={SOLVER_SECONDS}")
        else:
            options.append(
                f"nodes={round(self.nodes[0] * (self.nodes[1] / self.nodes[0]) ** (place / min(1.0, self.exact_from)))}"
            )
        return f"overlooking:{','.join(options)}"


def _between(ends: tuple[float, float], share: float) -> float:
    return ends[0] + (ends[1] - ends[0]) * share


def path_for(rules: Rules) -> LevelPath:
    """The path of a game. A solver plays the upper levels where it is fast enough to be asked about
    every move."""
    return family_of(rules).level_path(rules) or LevelPath()


@dataclasses.dataclass(frozen=True)
class Round:
    """A tournament between players at the ten settings of a ladder."""

    places: tuple[float, ...]
    """The places of all levels except the top one."""
    players: tuple[str, ...]
    results: tuple[GameResult, ...]

    @property
    def standings(self) -> Standings:
        """The standings of this round alone."""
        return standings_of(LEVELS, self.results, (0, LOWEST_RATING))


def rated_together(rounds: Sequence[Round]) -> tuple[list[tuple[float, float]], float]:
    """Return places with their ratings by the games of all rounds, and the rating of the top level."""
    names = list(dict.fromkeys(player for each in rounds for player in each.players))
    games = [
        renumbered(
            result,
            names.index(each.players[result.fixture.one]),
            names.index(each.players[result.fixture.other]),
            number,
        )
        for number, each in enumerate(rounds)
        for result in each.results
    ]
    elo = standings_of(names, games, (0, LOWEST_RATING)).ratings.elo
    places = {
        player: place
        for each in rounds
        for player, place in zip(each.players, each.places, strict=False)
    }
    return [(place, elo[names.index(player)]) for player, place in places.items()], elo[
        names.index(rounds[0].players[-1])
    ]


def even_places(points: Sequence[tuple[float, float]], top: float) -> tuple[float, ...]:
    """Choose places at which the steps from the lowest level to the top are even, given places and
    their ratings.

    The top level stays as it is. If no setting comes near it, the steps below it are even.
    """
    places, strength = rising_curve(points)
    if len(strength) == 1:  # There are so few games that no setting seems stronger than another.
        return EVENLY
    targets = np.linspace(strength[0], max(top, strength[-1]), COUNT)[:-1]
    if targets[-1] > strength[-1]:
        targets = np.linspace(strength[0], strength[-1], COUNT - 1)
    return tuple(round(float(place), 4) for place in np.interp(targets, strength, places))


def rising_curve(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    """Fit the best rising curve: the middles of the steps of an isotonic regression, with the first
    and the last place."""
    from scipy.optimize import isotonic_regression

    places, ratings = zip(*sorted(points), strict=True)
    fitted = isotonic_regression(ratings)
    steps = list(itertools.pairwise(fitted.blocks))
    middles = [float(np.mean(places[low:high])) for low, high in steps]
    middles[0], middles[-1] = places[0], places[-1]
    return middles, [float(fitted.x[low]) for low, _ in steps]


def settings_at(rules: Rules, places: Sequence[float]) -> tuple[str, ...]:
    """The engine strings of all levels; only the lowest may miss a win in one."""
    path = path_for(rules)
    top = PERFECT_ENGINE if asks_solver(rules) else STRONGEST_ENGINE
    return (*(path.at(place, keen=number > 0) for number, place in enumerate(places)), top)


def calibrate(
    rules: Rules,
    *,
    games: int = 40,
    top_games: int | None = None,
    rounds: int = 2,
    seed: int = 1,
    jobs: int | None = None,
    cluster: str | None = None,
    progress: Callable[[str], Progress] = lambda label: Progress(),
) -> dict[str, Any]:
    """Measure the ladder of a game; return what is written to its file. The top level may be slow
    and play fewer games."""
    top_games = games if top_games is None else top_games
    for count in (games, top_games):
        if not 2 <= count <= MOST_GAMES or count % 2:
            raise MnkalaError(
                f"{counted(count, 'game')} a pairing; an even number from 2 to {MOST_GAMES:,} is possible"
            )
    if not 1 <= rounds <= MOST_ROUNDS:
        raise MnkalaError(f"{counted(rounds, 'round')}; 1 to {MOST_ROUNDS} are possible")
    places = EVENLY
    known: list[Round] = []
    for number in range(1, rounds + 1):
        played = _play(
            rules,
            places,
            (games, top_games),
            seed + number,
            jobs,
            cluster,
            progress(f"round {number} of {rounds}"),
        )
        known.append(played)
        places = even_places(*rated_together(known))
    return as_json(
        rules,
        played,
        f"mnkala arena calibrate {rules.game_string()} --games {games} --top-games {top_games} "
        f"--rounds {rounds} --seed {seed}",
    )


def _play(
    rules: Rules,
    places: tuple[float, ...],
    counts: tuple[int, int],
    seed: int,
    jobs: int | None,
    cluster: str | None,
    progress: Progress,
) -> Round:
    """Play one round. Its games are kept, so that the same command continues after an interruption."""
    players = settings_at(rules, places)
    source = AUTO if shipped_set(rules) else f"{BY_PLIES}1"
    openings = opening_list(rules, source, seed, max(counts) // 2)
    fixtures = [
        Fixture(rules.game_string(), one, other, number)
        for number in range(max(counts))
        for one in range(COUNT)
        for other in range(one + 1, min(COUNT, one + REACH + 1))
        if number < counts[other == COUNT - 1]
    ]
    work = [
        job_of(
            each,
            tuple(_seeded(player, seed, each.number) for player in players),
            openings[each.number // 2],
            Conditions(),
        )
        for each in fixtures
    ]
    name = hashlib.sha256(
        json.dumps([players, seed, program_digest(rules.game_string())]).encode()
    ).hexdigest()[:12]
    folder = data_folder() / "calibrations"
    with Store(folder / f"{rules.game_string().replace(':', '-')}-{name}.sqlite") as store:
        outcomes = finished(
            work,
            store,
            advice="some games could not be played: ",
            workers=jobs,
            cluster=cluster,
            progress=progress,
        )
    results = [result_of(outcome, "") for outcome in outcomes]
    if faults := [result.fault for result in results if result.fault]:
        raise MnkalaError(f"{counted(len(faults), 'game')} ended with a fault: {faults[0]}")
    return Round(places, players, tuple(results))


def _seeded(player: str, seed: int, number: int) -> str:
    return f"{player},seed={1000 * seed + number}" if player.startswith("overlooking") else player


def as_json(rules: Rules, played: Round, command: str) -> dict[str, Any]:
    """A ladder as JSON values: settings, ratings with their 95 % intervals, and results between
    levels (wins, draws and losses of the lower one)."""
    standings = played.standings
    ratings = standings.ratings
    levels = [
        {
            "engine": player,
            "rating": round(ratings.elo[number]),
            "low": round(ratings.interval(number)[0]),
            "high": round(ratings.interval(number)[1]),
        }
        for number, player in enumerate(played.players)
    ]
    results = {
        f"{one + 1}-{other + 1}": [met.wins, met.draws, met.losses]
        for one, row in enumerate(standings.cross)
        for other, met in enumerate(row)
        if other > one and met.games
    }
    return {
        "game": rules.game_string(),
        "made_by": command,
        "draw_share": round(ratings.draw_share, 3),
        "dispersion": round(ratings.dispersion, 3),
        "levels": levels,
        "results": results,
    }


def ladder_text(ladder: dict[str, Any]) -> str:
    """Write a ladder as in its file, with one line for each level and each result."""

    def lines(key: str) -> str:
        value = ladder[key]
        if key == "levels":
            return "[\n" + ",\n".join(f"    {json.dumps(each)}" for each in value) + "\n  ]"
        return json.dumps(value)

    return "{\n" + ",\n".join(f"  {json.dumps(key)}: {lines(key)}" for key in ladder) + "\n}\n"
