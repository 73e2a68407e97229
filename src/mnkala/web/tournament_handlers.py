"""The server's answers about tournaments. It reads the files that `mnkala arena` writes, even
while a tournament is being played.

A file is read again only when it has changed, and a long tournament no more often than reading
it is worth, so that many who watch cost no more than one.
"""

from __future__ import annotations

import dataclasses
import datetime
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from mnkala.arena.game_job import GameResult
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
from mnkala.core import Position
from mnkala.errors import MnkalaError
from mnkala.numbers import read_digits
from mnkala.play.series import SeriesResult
from mnkala.web.http_errors import NotFound
from mnkala.web.messages import Answer

if TYPE_CHECKING:
    from mnkala.web.routes import Call


class TournamentSummary(Answer, frozen=True, kw_only=True):
    """A tournament in a list."""

    name: str
    games: list[str]
    format: str
    """round-robin, gauntlet, swiss or match."""
    players: int
    played: int
    total: int
    updated: str
    """When a game was last added, in universal time."""
    going: bool
    """Whether it is being played, as far as the file shows."""


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
    """For the numbers of two players, how the first fared against the second."""
    games_each: int
    rounds: int
    clock: tuple[float, float] | None
    adjudicate: int | None
    draw_share: float
    failures: int
    """Games that could not be played at all."""


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


@dataclasses.dataclass(frozen=True)
class _Read:
    """A tournament, and the time at which it was read."""

    changed: float
    again: float
    """The time before which it is not read again."""
    tournament: Tournament
    standings: Standings


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
        tournament = read_tournament(path)
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
    """All tournaments of this computer."""
    found = read_all(read_summary, lambda error: None)  # what cannot be read is not shown
    return Tournaments([_summary(each) for each in found[:MOST_LISTED]])


def get_tournament(call: Call) -> TournamentView:
    """The table of one tournament."""
    return _view(_tournament(call.path["name"]))


def list_games(call: Call) -> TournamentGames:
    """The games of a tournament: all, those of a player, or those that ended by a fault."""
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
    """One game of a tournament, with its moves."""
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


def _summary(found: Summary) -> TournamentSummary:
    plan = found.plan
    going = (
        found.played < plan.total and abs(time.time() - found.updated) < GOING_SECONDS
    )  # a clock may have been set back
    return TournamentSummary(
        name=found.name,
        games=list(plan.games),
        format=plan.format,
        players=len(plan.players),
        played=found.played,
        total=plan.total,
        updated=_time(found.updated),
        going=going,
    )


def _view(read: _Read) -> TournamentView:
    tournament, table = read.tournament, read.standings
    plan = tournament.plan
    summary = _summary(Summary(tournament.name, plan, len(tournament.games), read.changed))
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
    )


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
