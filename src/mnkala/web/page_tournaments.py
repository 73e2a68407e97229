"""The tournaments that people start on the page: one is played at a time, the others wait in the
order in which they were asked for.

A process of its own at low priority plays (`arena/tournament.py`), so that people's own moves and
analyses come first. The file of a tournament says who asked for it and whether it shall be played,
so that it goes on after a restart of the server; every game that was over is in the file.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import json
import re
import threading
from pathlib import Path
from typing import Literal

from mnkala.arena.plan import TournamentPlan, make_plan
from mnkala.arena.tournament import (
    PLAN,
    read_all,
    read_summary,
    remove_tournament,
    tournament_path,
)
from mnkala.core import Rules
from mnkala.errors import MnkalaError
from mnkala.jobs import Store
from mnkala.jobs.background import Background, BackgroundRun
from mnkala.jobs.run import usual_workers
from mnkala.play.levels import read_level
from mnkala.search import Engine, Limit
from mnkala.web.engines import read_player
from mnkala.web.http_errors import Forbidden, NotFound, ServerFull, TooBusy, TooManyActions
from mnkala.web.limits import Limits, RateLimiter
from mnkala.web.requests import NewTournament, TournamentAction, read_rules

PAGE = "page"
"""The note in the file of a tournament that was started on the page."""


# ---- Plans ----


def read_plan(asked: NewTournament, limits: Limits) -> TournamentPlan:
    """The plan that somebody asks for, if this server may play it."""
    rules = read_rules(asked.game, limits)
    if len(asked.players) > limits.tournament_players:
        raise MnkalaError(
            f"{len(asked.players)} players; a tournament on the page has up to {limits.tournament_players}",
            "error.tournament_players",
            most=limits.tournament_players,
        )
    usual = Limit(nodes=asked.nodes, time=asked.seconds)
    if usual == Limit():
        usual = Limit(nodes=USUAL_NODES)
    read = [_player(text, rules, usual, limits) for text in asked.players]
    for place, (name, _) in enumerate(read):
        if name in [other for other, _ in read[:place]]:
            raise MnkalaError(
                f"{name} is there twice; every player takes part once",
                "error.tournament_twice",
                player=name,
            )
    plan = make_plan(
        [rules.game_string()],
        [player for _, player in read],
        names=[name for name, _ in read],
        format="match" if len(read) == 2 else "round-robin",
        games_each=asked.games_each,
    )
    if plan.total > limits.tournament_games:
        raise MnkalaError(
            f"That makes {plan.total} games; a tournament on the page has up to {limits.tournament_games}",
            "error.tournament_games",
            games=plan.total,
            most=limits.tournament_games,
        )
    return plan


USUAL_NODES = 20_000
"""The nodes for a move where neither the engine nor the tournament has a limit."""


def _player(text: str, rules: Rules, usual: Limit, limits: Limits) -> tuple[str, str]:
    """The name of a player and what plays: a level, or an engine whose moves take no longer than
    the server allows."""
    player = read_player(text, rules, limits)
    engine = player.engine
    if engine is None:
        raise MnkalaError("engines play here; choose levels or engines")
    if read_level(player.name) is not None:
        return player.name, player.name
    if engine.limit == Limit():
        engine = Engine(engine.search, usual)
    most = limits.seconds_per_tournament_move
    time = min(most, engine.limit.time or most)
    return player.name[:60], str(
        Engine(engine.search, dataclasses.replace(engine.limit, time=time))
    )


def workers_for(limits: Limits) -> int:
    """How many games are played at the same time: one core is left for people."""
    return max(1, min(limits.tournament_workers, usual_workers() - 1))


# ---- The queue ----


@dataclasses.dataclass
class _Entry:
    """A tournament that was started on the page."""

    owner: str
    wanted: bool
    """Whether it shall be played."""
    error: str = ""
    """The reason why it ended early."""


@dataclasses.dataclass(frozen=True)
class Standing:
    """What a server does with a tournament of the page."""

    state: Literal["waiting", "running", "stopped", "failed"]
    ahead: int = 0
    """The number of tournaments that come first."""
    left: float | None = None
    """The estimated seconds until it ends."""
    error: str = ""
    owner: str = ""


class PageTournaments:
    """Starts, stops and deletes tournaments. All methods may be called from any thread."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.RLock()
        self._entries: dict[str, _Entry] = {}
        self._queue: list[str] = []
        """The names of those that shall be played, the current one first."""
        self._playing: tuple[str, Background] | None = None
        self._closed = False
        self._actions = RateLimiter(1.0, 10)

    def begin(self) -> None:
        """Find the tournaments that were started before the server was, and play on."""
        found = read_all(_read_entry, lambda error: None)
        with self._lock:
            for name, entry in reversed([each for each in found if each is not None]):
                self._entries.setdefault(name, entry)
                if entry.wanted and name not in self._queue:
                    self._queue.append(name)
            self._next()

    def standing(self, name: str) -> Standing | None:
        """What the server does with a tournament; None if it was not started on the page."""
        with self._lock:
            entry = self._entries.get(name)
            if entry is None:
                return None
            if self._playing is not None and self._playing[0] == name:
                run = self._playing[1].run
                return Standing("running", left=run.left, owner=entry.owner)
            if name in self._queue:
                return Standing("waiting", ahead=self._queue.index(name), owner=entry.owner)
            return Standing(
                "failed" if entry.error else "stopped", error=entry.error, owner=entry.owner
            )

    def add(self, plan: TournamentPlan, person: str) -> str:
        """Put a new tournament into the queue; return its name. Raises ServerFull if too many are
        kept or wait."""
        self._check_rate(person)
        with self._lock:
            self._check_room(person)
            owned = [entry.owner for entry in self._entries.values()]
            most, each = self._limits.stored_tournaments, self._limits.stored_tournaments_per_person
            if len(owned) >= most or owned.count(person) >= each:
                raise ServerFull(
                    f"this server keeps {most} tournaments, {each} of each person; delete some first",
                    "error.tournaments_stored",
                    most=each,
                )
            name = _new_name(plan)
            entry = _Entry(person, True)
            with Store(tournament_path(name)) as store:
                store.note(PLAN, plan.as_json())
                store.note(PAGE, json.dumps(dataclasses.asdict(entry)))
            self._entries[name] = entry
            self._queue.append(name)
            self._next()
            return name

    def change(self, name: str, person: str, action: TournamentAction, anybody: bool) -> None:
        """Stop a tournament, or put it into the queue again."""
        self._check_rate(person)
        with self._lock:
            entry = self._own(name, person, anybody)
            if action.action == "stop":
                work = self._take_out(name, entry)
            else:
                work = None
                if name not in self._queue:
                    self._check_room(person)
                    self._write(name, entry, wanted=True, error="")
                    self._queue.append(name)
                    self._next()
        if work is not None:
            work.end()

    def delete(self, name: str, person: str, anybody: bool) -> None:
        """Stop a tournament, and remove its games from the disk."""
        self._check_rate(person)
        with self._lock:
            work = self._take_out(name, self._own(name, person, anybody))
            del self._entries[name]
        if work is not None:
            work.end()
        remove_tournament(tournament_path(name))

    def close(self) -> None:
        """End the games in progress, and start no others; they are played when a server starts
        again."""
        with self._lock:
            self._closed = True
            playing = self._playing
        if playing is not None:
            playing[1].end()

    # ---- Within ----

    def _check_rate(self, person: str) -> None:
        if not self._actions.allows(person):
            raise TooManyActions(
                "tournaments are started, stopped and deleted once a second",
                "error.too_many_actions",
                most="1",
            )

    def _check_room(self, person: str) -> None:
        if self._closed:
            raise TooBusy("the server is closing")
        waiting = [self._entries[name].owner for name in self._queue]
        most, own = (
            self._limits.waiting_tournaments,
            self._limits.waiting_tournaments_per_person,
        )
        if len(waiting) > most or waiting.count(person) > own:
            raise TooBusy(
                f"one tournament is played at a time; {most} may wait, {own} of each person",
                "error.tournaments_waiting",
                most=own,
            )

    def _own(self, name: str, person: str, anybody: bool) -> _Entry:
        entry = self._entries.get(name)
        if entry is None:
            raise NotFound(f"no tournament of this page is called '{name[:60]}'")
        if not anybody and entry.owner != person:
            raise Forbidden("somebody else started this tournament", "error.tournament_not_yours")
        return entry

    def _take_out(self, name: str, entry: _Entry) -> Background | None:
        """Take a tournament out of the queue; return its process, if it is being played."""
        if name not in self._queue:
            return None
        self._queue.remove(name)
        self._write(name, entry, wanted=False, error="")
        return self._playing[1] if self._playing and self._playing[0] == name else None

    def _write(self, name: str, entry: _Entry, *, wanted: bool, error: str) -> None:
        """Change an entry, also in the file."""
        entry.wanted, entry.error = wanted, error
        path = tournament_path(name)
        if path.is_file():
            with contextlib.suppress(MnkalaError), Store(path) as store:
                store.note(PAGE, json.dumps(dataclasses.asdict(entry)))

    def _next(self) -> None:
        """Begin with the first in the queue, unless another is being played."""
        while self._queue and self._playing is None and not self._closed:
            name = self._queue[0]
            try:
                path = tournament_path(name)
                check_players(read_summary(path).plan, self._limits)
                work = Background(
                    "mnkala.arena.tournament:play_for_server",
                    str(path),
                    str(workers_for(self._limits)),
                    seconds=self._limits.seconds_of_tournament,
                    ended=lambda run, name=name: self._ended(name, run),  # type: ignore[misc]
                )
            except MnkalaError as error:
                self._queue.remove(name)
                self._write(name, self._entries[name], wanted=False, error=str(error))
            else:
                self._playing = name, work

    def _ended(self, name: str, run: BackgroundRun) -> None:
        """Note that a process is over, and begin with the next tournament."""
        with self._lock:
            self._playing = None
            if not self._closed:
                if name in self._queue and run.state != "cancelled":
                    self._queue.remove(name)
                    self._write(name, self._entries[name], wanted=False, error=run.error)
                self._next()


def check_players(plan: TournamentPlan, limits: Limits) -> None:
    """Raise an error if this server may not play a plan, whoever wrote its file."""
    for game in plan.games:
        rules = read_rules(game, limits)
        for player in plan.players:
            read_player(player, rules, limits)


def _read_entry(path: Path) -> tuple[str, _Entry] | None:
    with Store(path) as store:
        note = store.noted(PAGE)
    if note is None:
        return None
    try:
        return path.stem, _Entry(**json.loads(note))
    except (ValueError, TypeError):
        raise MnkalaError(f"{path.stem} was started by another version of mnkala") from None


def _new_name(plan: TournamentPlan) -> str:
    """A name for a tournament that is not taken: the game, the day and a number."""
    game = re.sub(r"[^a-z0-9]+", "-", plan.games[0].lower())[:30].strip("-")
    day = datetime.datetime.now().astimezone().date().isoformat()
    number = 1
    while tournament_path(name := f"{game}-{day}-{number}").exists():
        number += 1
    return name
