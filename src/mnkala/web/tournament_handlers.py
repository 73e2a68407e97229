"""The server's answers about tournaments. It reads their files, also while they are being played,
whether by `mnkala arena` or by this server (`page_tournaments.py`).

A file is read again only when it has changed, and a long tournament no more often than reading
it is worth, so that many who watch cost no more than one.
"""

from __future__ import annotations

import dataclasses
import datetime
import functools
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from mnkala.arena.game_job import Fixture, GameResult
from mnkala.arena.live_boards import read_boards
from mnkala.arena.pace import Pace, expected_seconds, pace_of
from mnkala.arena.plan import NAME, TournamentPlan
from mnkala.arena.ratings import Standings, TableRow
from mnkala.arena.tournament import (
    Summary,
    Tournament,
    last_change,
    read_all,
    read_summary,
    read_tournament,
    tournament_path,
)
from mnkala.core import Position, parse_game
from mnkala.errors import MnkalaError
from mnkala.numbers import read_digits
from mnkala.play.levels import read_level
from mnkala.play.players import level_word
from mnkala.play.series import SeriesResult
from mnkala.play.view import View, make_view
from mnkala.search import Stop
from mnkala.web.engines import read_player
from mnkala.web.http_errors import NotFound
from mnkala.web.messages import Answer
from mnkala.web.page_tournaments import Standing, read_plan, workers_for

if TYPE_CHECKING:
    from mnkala.web.routes import Call


State = Literal["waiting", "running", "stopped", "failed", "over"]


class TournamentSummary(Answer, frozen=True, kw_only=True):
    """A tournament in a list."""

    name: str
    games: list[str]
    format: str
    """round-robin, gauntlet, swiss or match."""
    usual_name: bool
    """Whether the name was made by the program."""
    players: list[str]
    """The names of the players; a level is called by its word."""
    played: int
    total: int
    updated: str
    """When a game was last added, in universal time."""
    state: State
    """What becomes of it; that somebody else plays it is seen by its file."""
    ahead: int
    """The number of tournaments that are played before one that waits."""
    left: float | None
    """The estimated seconds until it ends."""
    error: str
    """The reason why it failed."""
    here: bool
    """Whether it was started on the page."""
    yours: bool
    """Whether the person asking may stop, continue and delete it."""


class Tournaments(Answer, frozen=True):
    """All tournaments, the latest first."""

    tournaments: list[TournamentSummary]


class TournamentView(Answer, frozen=True, kw_only=True):
    """The current table of a tournament."""

    summary: TournamentSummary
    names: list[str]
    """The names of the players, by their numbers."""
    rows: tuple[TableRow, ...]
    """The rows of the table, the strongest player first."""
    cross: tuple[tuple[SeriesResult, ...], ...]
    """How the first of two players, given by their numbers, fared against the second."""
    games_each: int
    rounds: int
    clock: tuple[float, float] | None
    adjudicate: int | None
    draw_share: float
    failures: int
    """Games that could not be played at all."""
    playing: list[TournamentBoard]
    """The games in progress."""


class TournamentBoard(Answer, frozen=True, kw_only=True):
    """A game that is being played."""

    place: str
    first: str
    second: str
    """The players who began as first and as second."""
    moves: str
    view: View


class TournamentForecast(Answer, frozen=True, kw_only=True):
    """What a tournament would be."""

    games: int
    seconds: float
    """About how long it would take."""
    plies: int
    """The length of the sample game."""
    at_once: int
    """How many games would be played at the same time."""
    longest: float
    """The most seconds that this server allows."""


class TournamentGame(Answer, frozen=True, kw_only=True):
    """A game of a tournament."""

    place: str
    """The name of the game in addresses."""
    game: str
    first: str
    second: str
    """The players by side."""
    result: str
    ending: str
    """The reason why the game ended: rules, fault or adjudication."""
    fault: str
    plies: int
    finished: str


class TournamentGames(Answer, frozen=True):
    """Games of a tournament, the latest first."""

    games: list[TournamentGame]
    more: int
    """The number of games that are left out."""


class TournamentRecord(Answer, frozen=True):
    """A game of a tournament with its moves."""

    about: TournamentGame
    moves: str


LISTED = 50
"""The most games in one answer."""
MOST_LISTED = 200
"""The most tournaments in one list."""
GOING_SECONDS = 60.0
"""An unfinished tournament counts as being played if its file changed within this many seconds."""
SHARE_OF_TIME = 0.1
"""The largest share of a thread's time for reading one tournament again and again."""
KEPT = 8
"""The most tournaments that are kept in memory."""
MOST_BOARDS = 8
"""The most games in progress in one answer."""
PACES = 64
"""The most sample games that are kept in memory."""


@dataclasses.dataclass(frozen=True)
class _Read:
    """A tournament, and the time at which it was read."""

    changed: float
    again: float
    """The time before which it is not read again."""
    tournament: Tournament
    standings: Standings


Named = TypeVar("Named", Tournament, Summary)
_paces: dict[tuple[tuple[str, ...], tuple[str, ...]], Pace] = {}
_read: dict[Path, _Read] = {}
_lock = threading.Lock()


def _tournament(name: str) -> _Read:
    """A tournament, from memory if its file has not changed."""
    path = _path(name)
    with _lock:
        known = _read.get(path)
        changed = last_change(path)
        if known is not None and (known.changed == changed or time.monotonic() < known.again):
            return known
        started = time.monotonic()
        tournament = _with_levels(read_tournament(path))
        standings = tournament.standings()
        again = time.monotonic() + (time.monotonic() - started) / SHARE_OF_TIME
        _read.pop(path, None)
        found = _read[path] = _Read(changed, again, tournament, standings)
        while len(_read) > KEPT:
            del _read[next(iter(_read))]
        return found


def _path(name: str) -> Path:
    if not NAME.fullmatch(name) or not tournament_path(name).is_file():
        raise NotFound(f"no tournament is called '{name[:60]}'")
    return tournament_path(name)


# ---- Handlers ----


def list_tournaments(call: Call) -> Tournaments:
    """List all tournaments of this computer."""
    found = read_all(read_summary, lambda error: None)  # what cannot be read is not shown
    return Tournaments([_summary(_with_levels(each), call) for each in found[:MOST_LISTED]])


def get_tournament(call: Call) -> TournamentView:
    """Return the table of one tournament."""
    return _view(_tournament(call.path["name"]), call)


async def forecast(call: Call) -> TournamentForecast:
    """Estimate how long a tournament would take; its players play a sample game first, unless they
    have before."""
    return await _forecast(call, await call.read(lambda: read_plan(call.body, call.limits)))


async def _forecast(call: Call, plan: TournamentPlan) -> TournamentForecast:
    rules = parse_game(plan.games[0])
    stop, limits, workers = Stop(), call.limits, call.workers
    key = plan.games, plan.players
    pace = _paces.get(key)
    if pace is None:
        engines = [read_player(player, rules, limits).engine for player in plan.players]
        await workers.compiled(rules, *(engine for engine in engines if engine is not None))
        pace = await call.run(
            workers.questions, lambda: pace_of(rules, plan.players, stop), stop, alone="sample game"
        )
        _paces[key] = pace
        while len(_paces) > PACES:
            del _paces[next(iter(_paces))]
    at_once = workers_for(limits)
    return TournamentForecast(
        games=plan.total,
        seconds=expected_seconds(plan, [pace], at_once),
        plies=pace.plies,
        at_once=min(at_once, plan.total),
        longest=limits.seconds_of_tournament,
    )


async def start(call: Call) -> TournamentView:
    """Put a new tournament into the queue."""
    plan = await call.read(lambda: read_plan(call.body, call.limits))
    expected = (await _forecast(call, plan)).seconds
    if expected > call.limits.seconds_of_tournament:
        raise MnkalaError(
            f"this would take about {expected / 3600:.1f} hours; a tournament on the page takes at "
            f"most {call.limits.seconds_of_tournament / 3600:g}: play fewer games, or with less time",
            "error.tournament_too_long",
            hours=f"{expected / 3600:.1f}",
            most=f"{call.limits.seconds_of_tournament / 3600:g}",
        )
    name = await call.read(lambda: call.workers.tournaments.add(plan, call.person))
    return await call.read(lambda: _view(_tournament(name), call))


def change(call: Call) -> TournamentView:
    """Stop or continue a tournament."""
    name = call.path["name"]
    call.workers.tournaments.change(
        name, call.person, call.body, call.games.network.is_here(call.person)
    )
    return _view(_tournament(name), call)


def delete(call: Call) -> None:
    """Delete a tournament that was started on the page, with all its games."""
    call.workers.tournaments.delete(
        call.path["name"], call.person, call.games.network.is_here(call.person)
    )


def list_games(call: Call) -> TournamentGames:
    """List the games of a tournament: all, those of a player, or those that ended by a fault."""
    tournament = _tournament(call.path["name"]).tournament
    player, skip = (_number(call.query.get(name)) for name in ("player", "skip"))
    found = [
        game
        for game in reversed(tournament.games)
        if (player is None or player in (game.fixture.one, game.fixture.other))
        and (call.query.get("faults") != "true" or game.fault)
    ]
    begin = skip or 0
    return TournamentGames(
        [_game(tournament.plan, game) for game in found[begin : begin + LISTED]],
        max(0, len(found) - begin - LISTED),
    )


def get_game(call: Call) -> TournamentRecord:
    """Return one game of a tournament, with its moves."""
    tournament = _tournament(call.path["name"]).tournament
    for game in tournament.games:
        if game.fixture.place(tournament.plan.games) == call.path["place"]:
            return TournamentRecord(_game(tournament.plan, game), game.moves)
    raise NotFound(f"the tournament has no game '{call.path['place'][:40]}'")


def _number(text: str | None) -> int | None:
    if text is None:
        return None
    number = read_digits(text)
    if number is None:
        raise MnkalaError(f"'{text[:20]}' is no number")
    return number


# ---- Messages ----


def _time(seconds: float) -> str:
    return (
        datetime.datetime.fromtimestamp(seconds, datetime.UTC)
        .isoformat(timespec="seconds")
        .replace("+00:00", "Z")
    )


def _with_levels(found: Named) -> Named:
    """A tournament in which every player that is a level of its game is called so, also where the
    level's engine string was typed."""
    plan = found.plan
    rules = parse_game(plan.games[0])
    if all(read_level(name) for name in plan.names):
        return found
    names = (
        read_level(name) or (level_word(player, rules) if name == player else None) or name
        for name, player in zip(plan.names, plan.players, strict=True)
    )
    return dataclasses.replace(found, plan=dataclasses.replace(plan, names=tuple(names)))


def _state(found: Summary, standing: Standing | None) -> State:
    if found.played >= found.plan.total:
        return "over"
    if standing is not None and standing.state != "stopped":
        return standing.state
    path = tournament_path(found.name)
    fresh = abs(time.time() - found.updated) < GOING_SECONDS  # a clock may have been set back
    return "running" if standing is None and (fresh or read_boards(path)) else "stopped"


def _summary(found: Summary, call: Call) -> TournamentSummary:
    plan, standing = found.plan, call.workers.tournaments.standing(found.name)
    return TournamentSummary(
        name=found.name,
        games=list(plan.games),
        format=plan.format,
        usual_name=standing is not None or found.name.startswith(plan.usual_start),
        players=list(plan.names),
        played=found.played,
        total=plan.total,
        updated=_time(found.updated),
        state=_state(found, standing),
        ahead=standing.ahead if standing else 0,
        left=standing.left if standing else None,
        error=standing.error if standing else "",
        here=standing is not None,
        yours=standing is not None
        and (call.games.network.is_here(call.person) or standing.owner == call.person),
    )


def _view(read: _Read, call: Call) -> TournamentView:
    tournament, table = read.tournament, read.standings
    plan = tournament.plan
    summary = _summary(Summary(tournament.name, plan, len(tournament.games), read.changed), call)
    return TournamentView(
        summary=summary,
        names=list(plan.names),
        rows=table.rows,
        cross=table.cross,
        games_each=plan.games_each,
        rounds=plan.rounds,
        clock=plan.clock,
        adjudicate=plan.adjudicate,
        draw_share=table.ratings.draw_share,
        failures=len(tournament.failures),
        playing=_boards(tournament) if summary.state == "running" else [],
    )


def _boards(tournament: Tournament) -> list[TournamentBoard]:
    """The games in progress, as far as their moves are known."""
    plan, found = tournament.plan, []
    for key, moves in sorted(read_boards(tournament_path(tournament.name)).items()):
        fixture = Fixture.of_key(key)
        found.append(
            TournamentBoard(
                place=fixture.place(plan.games),
                first=plan.names[fixture.first],
                second=plan.names[fixture.second],
                moves=moves,
                view=_board(fixture.game, moves),
            )
        )
    return found[:MOST_BOARDS]


@functools.lru_cache(maxsize=64)
def _board(game: str, moves: str) -> View:
    return make_view(Position(game).play(moves) if moves else Position(game))


def _game(plan: TournamentPlan, game: GameResult) -> TournamentGame:
    first, second = (plan.names[player] for player in game.sides)
    plies = len(Position(game.fixture.game).rules.parse_moves(game.moves)) if game.moves else 0
    return TournamentGame(
        place=game.fixture.place(plan.games),
        game=game.fixture.game,
        first=first,
        second=second,
        result=game.result,
        ending=game.ending,
        fault=game.fault,
        plies=plies,
        finished=game.finished,
    )
