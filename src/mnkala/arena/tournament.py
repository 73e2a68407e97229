"""Tournaments: a plan, a file that keeps every game as it ends, and the runner that plays the
missing games.

A tournament is one SQLite file (`jobs.Store`) with its plan and its openings as notes. The page,
the ladder and programs read the whole tournament from this file, also while it is played.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from mnkala.arena.game_job import Fixture, GameResult, job_of, result_of, result_of_entry
from mnkala.arena.live_boards import LiveBoards, remove_boards
from mnkala.arena.openings import opening_list
from mnkala.arena.plan import Pairing, TournamentPlan, byes, check_name, swiss, versions
from mnkala.arena.ratings import Standings, standings_of
from mnkala.core import parse_game
from mnkala.errors import MnkalaError
from mnkala.folders import data_folder
from mnkala.jobs import Job, Outcome, Progress, Run, Store
from mnkala.jobs.background import work_for_parent
from mnkala.jobs.store import remove_store
from mnkala.play.clock import Spent
from mnkala.play.engine_game import engine_for

PLAN, OPENINGS = "plan", "openings"
SUFFIX = ".sqlite"
Watch = Callable[["Tournament"], None]
Found = TypeVar("Found")


@dataclasses.dataclass(frozen=True)
class Tournament:
    """A tournament with the games played so far."""

    name: str
    plan: TournamentPlan
    games: tuple[GameResult, ...]
    failures: tuple[str, ...] = ()
    """The reasons why some games could not be played at all."""

    def standings(self, anchor: tuple[int, float] | None = None) -> Standings:
        """The table of the tournament."""
        return standings_of(self.plan.names, self.games, anchor)

    @property
    def spent(self) -> tuple[Spent, ...]:
        """What each player spent."""
        return tuple(
            sum(
                (
                    game.spent_by(player)
                    for game in self.games
                    if player in (game.fixture.one, game.fixture.other)
                ),
                Spent(),
            )
            for player in range(len(self.plan.players))
        )

    @property
    def faults(self) -> list[str]:
        """Describe the games that were lost by a fault and not by the rules."""
        return [fault_words(self.plan, game) for game in self.games if game.fault]


def fault_words(plan: TournamentPlan, game: GameResult) -> str:
    """Describe who lost a game by which fault."""
    assert game.faulty is not None
    fixture = game.fixture
    loser, winner = (
        plan.names[game.faulty],
        plan.names[fixture.other if game.faulty == fixture.one else fixture.one],
    )
    return (
        f"{fixture.game}, game {fixture.number + 1} against {winner}: {loser} lost by {game.fault}"
    )


# ---- Files ----


def tournaments_folder() -> Path:
    """The folder in which tournaments are kept unless a file is named."""
    return data_folder() / "tournaments"


def tournament_path(name: str) -> Path:
    """The file of the tournament with this name."""
    return tournaments_folder() / f"{check_name(name)}{SUFFIX}"


def tournament_files() -> list[Path]:
    """The files of all the user's tournaments, the most recently changed first."""
    found = []
    for path in tournaments_folder().glob(f"*{SUFFIX}"):
        with contextlib.suppress(OSError, ValueError):  # It may have been deleted meanwhile.
            found.append((last_change(path), path))
    return [path for _, path in sorted(found, reverse=True)]


def read_tournament(path: Path) -> Tournament:
    """Read a tournament from its file; raise an error if the file is not one."""
    with _opened(path) as (store, plan):
        entries = store.entries()
    games = tuple(result_of_entry(entry) for entry in entries if not entry.outcome.failed)
    failures = {entry.outcome.error for entry in entries if entry.outcome.error}
    return Tournament(path.stem, plan, games, tuple(sorted(failures)))


@dataclasses.dataclass(frozen=True)
class Summary:
    """A tournament in a list."""

    name: str
    plan: TournamentPlan
    played: int
    updated: float
    """When its file was last written, in seconds since the epoch."""


def read_summary(path: Path) -> Summary:
    """Read what a list shows of a tournament, without reading its games."""
    with _opened(path) as (store, plan):
        return Summary(path.stem, plan, store.count(), last_change(path))


def last_change(path: Path) -> float:
    """When a tournament was last written to, in seconds since the epoch."""
    log = path.with_name(path.name + "-wal")
    return max(each.stat().st_mtime for each in (path, log) if each.exists())


def remove_tournament(path: Path) -> None:
    """Delete the file of a tournament that nobody is playing, and those beside it."""
    remove_store(path)
    remove_boards(path)


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[tuple[Store, TournamentPlan]]:
    if not path.is_file():
        raise MnkalaError(f"there is no tournament {path}")
    with Store(path) as store:
        plan = store.noted(PLAN)
        if plan is None:
            raise MnkalaError(f"{path} is no tournament")
        try:
            found = TournamentPlan.from_json(plan)
        except (ValueError, TypeError):
            raise MnkalaError(
                f"{path} has a tournament that another version of mnkala wrote"
            ) from None
        yield store, found


def read_all(read: Callable[[Path], Found], refused: Callable[[MnkalaError], None]) -> list[Found]:
    """Read all the user's tournaments, the latest first; `refused` is called with the error for
    each file that cannot be read."""
    found = []
    for path in tournament_files():
        try:
            found.append(read(path))
        except MnkalaError as error:
            refused(error)
    return found


# ---- Playing ----


def run_tournament(
    plan: TournamentPlan,
    path: Path,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    retry: bool = False,
    anew: bool = False,
    progress: Progress | None = None,
    watch: Watch | None = None,
    tell: Callable[[str], None] = lambda text: None,
) -> Tournament:
    """Play the games that the file does not hold yet; `watch` sees the tournament after every game.

    Ctrl-C raises KeyboardInterrupt, and the same call continues from there, as it does after any
    crash: every finished game is in the file. With `anew` all earlier games are discarded first.
    """
    with Store(path) as store:
        kept = store.noted(PLAN)
        if kept is not None and not anew and kept != plan.as_json():
            other = plan.differs_from(TournamentPlan.from_json(kept))
            raise MnkalaError(
                f"{path} has a tournament with other {other}; give another --name, or begin it anew with --anew"
            )
        if cluster is None:
            _try_programs(plan)
        if anew:
            store.forget([entry.job.key for entry in store.entries()])
        if anew or store.noted(OPENINGS) is None:
            store.note(OPENINGS, json.dumps(_openings(plan, tell)))
        if anew or kept is None:
            store.note(PLAN, plan.as_json())
        with LiveBoards(path) as boards:
            return _Run(plan, path.stem, store, progress or Progress(), watch, boards).play(
                jobs, cluster, retry
            )


def _try_programs(plan: TournamentPlan) -> None:
    """Start every external program once, so that one that cannot play is reported before the first
    game instead of losing a row of games."""
    for game in plan.games:
        rules = parse_game(game)
        for player in plan.players:
            search = engine_for(player, rules).search
            if search.runs_program:
                try:
                    search.prepare(rules)
                finally:
                    search.close()


def _openings(plan: TournamentPlan, tell: Callable[[str], None]) -> dict[str, list[str]]:
    """The openings of each game."""
    needed = plan.openings_needed
    if not needed:
        return {}
    tell(f"looking for {needed} openings")
    return {
        game: opening_list(parse_game(game), plan.openings, plan.seed, needed)
        for game in plan.games
    }


class _Run:
    """A tournament while it is being played."""

    def __init__(
        self,
        plan: TournamentPlan,
        name: str,
        store: Store,
        progress: Progress,
        watch: Watch | None,
        boards: LiveBoards,
    ) -> None:
        self.plan, self.name, self.store, self.watch = plan, name, store, watch
        self.boards = boards
        self.openings: dict[str, list[str]] = json.loads(store.noted(OPENINGS) or "{}")
        self.games: list[GameResult] = [
            result_of_entry(entry) for entry in store.entries() if not entry.outcome.failed
        ]
        self.progress = progress
        self.rounds: list[list[Pairing]] = []

    def _hear(self, outcome: Outcome) -> None:
        self.boards.over(outcome.key)
        if not outcome.failed:
            fixture = Fixture.of_key(outcome.key)
            self.games.append(result_of(outcome, self._opening(fixture)))
            if self.watch is not None:
                self.watch(self.so_far())

    def so_far(self, failures: Sequence[str] = ()) -> Tournament:
        """The current state of the tournament."""
        return Tournament(self.name, self.plan, tuple(self.games), tuple(failures))

    def _opening(self, fixture: Fixture) -> str:
        return self.openings[fixture.game][fixture.number // 2] if self.openings else ""

    def play(self, workers: int | None, cluster: str | None, retry: bool) -> Tournament:
        """Play all missing games."""
        asked: list[str] = []
        self.progress.begin(self.plan.total, len(self.games))  # one for all rounds
        try:
            if self.watch is not None and self.games:
                self.watch(self.so_far())
            for work in self._batches():
                asked += [job.key for job in work]
                with Run(
                    work,
                    self.store,
                    workers=workers,
                    cluster=cluster,
                    retry=retry,
                    heard=self.boards.hear,
                ) as run:
                    for outcome in run:
                        self._hear(outcome)
                        self.progress.done(outcome)
        finally:
            self.progress.end()
        return self.so_far(self.store.errors(asked))

    def _batches(self) -> Iterator[list[Job]]:
        """Yield jobs that can be given out together: all of them, or one round of a Swiss
        tournament once the round before it is over."""
        if self.plan.format != "swiss":
            yield list(self._jobs(self.plan.pairings(), 0))
            return
        for number in range(self.plan.rounds):
            self.rounds.append(swiss(self._points(number), self.rounds))
            yield list(self._jobs([self.rounds[-1]], number))

    def _points(self, rounds: int) -> list[float]:
        """The points that count for the next pairing after so many rounds; a bye is a won round.
        The file may hold later games, from an earlier run."""
        points = [0.0] * len(self.plan.players)
        a_round = 2 * ((self.plan.games_each + 1) // 2)
        for game in self.games:
            for player in (
                (game.fixture.one, game.fixture.other)
                if game.fixture.number < rounds * a_round
                else ()
            ):
                points[player] += game.points_of(player)
        for player in byes(len(points), self.rounds):
            points[player] += self.plan.games_each * len(self.plan.games)
        return points

    def _jobs(self, rounds: Sequence[Sequence[Pairing]], swiss_round: int) -> Iterator[Job]:
        """The games of some rounds, in an order in which everybody has played about equally often
        at any time."""
        plan = self.plan
        openings_each = (plan.games_each + 1) // 2
        for opening in range(openings_each):
            for pairings in rounds:
                for game in plan.games:
                    for one, other in pairings:
                        for number in (2 * opening, 2 * opening + 1):
                            if number < plan.games_each:
                                fixture = Fixture(
                                    game, one, other, 2 * openings_each * swiss_round + number
                                )
                                yield job_of(
                                    fixture, plan.players, self._opening(fixture), plan.conditions
                                )


# ---- In a process for a server ----


def go_on(path: Path, workers: int, progress: Progress) -> None:
    """Play the remaining games of a tournament; raises MnkalaError if its engines have changed
    since it began."""
    plan = read_summary(path).plan
    if plan.engines != versions([parse_game(game) for game in plan.games], plan.players):
        raise MnkalaError(
            "its engines have changed since it began, so its other games would be played by other "
            "players; the games until then are kept, and a new tournament has the new engines"
        )
    run_tournament(plan, path, jobs=workers if workers > 1 else 0, progress=progress, retry=True)


def play_for_server() -> None:
    """Play the tournament in the file that the command line names, for the server that started this
    process; the second argument is the number of workers."""
    file, workers = sys.argv[1:]
    work_for_parent(lambda progress: go_on(Path(file), int(workers), progress))
