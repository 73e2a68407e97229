"""The mistakes of a person in saved games, as the server tells of them; and the work of reviewing
these games in the background.

Games are reviewed one after the other in the queue of long work, so that people who wait have
their turn between two of them, and a review that gives way to somebody is tried again. The work
ends when it is stopped, and soon after nobody asks how far it is.
"""

from __future__ import annotations

import asyncio
import dataclasses
import functools
import time
from typing import TYPE_CHECKING

from mnkala.core import parse_game
from mnkala.errors import MnkalaError
from mnkala.play.mistakes import MistakeReport, review_game, unreviewed
from mnkala.play.reviews import reviewer
from mnkala.play.store import ReviewedGame, Row
from mnkala.search import Stop
from mnkala.solve import find_solver
from mnkala.web.handlers import SOLVER
from mnkala.web.messages import Answer, Problem
from mnkala.web.serialise import problem

if TYPE_CHECKING:
    from mnkala.web.live_games import LiveGames
    from mnkala.web.routes import Call

LEFT_SECONDS = 20.0
"""The work ends if nobody has asked how far it is for this long."""
TRIES, PAUSE = 5, 3.0
"""How often the review of a game that had to give way is tried, and the seconds between."""


@dataclasses.dataclass(eq=False)
class Run:
    """The work for one person."""

    done: int = 0
    total: int = 0
    asked: float = dataclasses.field(default_factory=time.monotonic)
    """When somebody last asked how far it is."""
    stop: Stop = dataclasses.field(default_factory=Stop)
    task: asyncio.Task[None] | None = None
    trouble: MnkalaError | None = None
    ended: bool = False

    @property
    def is_wanted(self) -> bool:
        """Whether somebody still waits for the reviews."""
        return not self.ended and time.monotonic() < self.asked + LEFT_SECONDS

    def end(self) -> None:
        """Stop the work; games that are done stay reviewed."""
        self.ended = True
        self.stop.set()


class MistakesView(Answer, frozen=True, kw_only=True):
    """The mistakes of a person, and how far the reviewing of further games is."""

    report: MistakeReport
    running: bool
    done: int
    todo: int
    """The number of games that this run reviews."""
    trouble: Problem | None
    """Why the last run ended early, if not because it was stopped."""


class MistakeWork:
    """The work that people have asked for, by person. All methods run in the event loop's thread."""

    def __init__(self, games: LiveGames) -> None:
        self.games = games
        self._runs: dict[str, Run] = {}

    def start(self, person: str, owners: tuple[str, ...]) -> None:
        """Begin to review in the background those of a person's games that are not reviewed yet,
        unless that is already being done."""
        run = self._runs.get(person)
        if run is not None and run.task is not None and not run.task.done():
            return
        self._runs[person] = run = Run()
        run.task = asyncio.create_task(self._review(person, owners, run))

    def stop(self, person: str) -> None:
        """Stop the work for a person."""
        if (run := self._runs.get(person)) is not None:
            run.end()

    def close(self) -> None:
        """Stop all work."""
        for run in self._runs.values():
            run.end()
            if run.task is not None:
                run.task.cancel()

    def run_of(self, person: str) -> Run:
        """The work for a person, who asks how far it is."""
        run = self._runs.get(person, Run(ended=True))
        run.asked = time.monotonic()
        if run.task is not None and run.task.done():
            run.ended = True
            self._runs.pop(person, None)  # report its last state once
        return run

    async def _review(self, person: str, owners: tuple[str, ...], run: Run) -> None:
        """Review a person's games one after the other, until all are done or the work is to end."""
        workers = self.games.workers
        try:
            rows, _ = await workers.read(person, lambda: unreviewed(self.games.store, owners))
            run.total = len(rows)
            for row in rows:
                found = await self._review_one(person, row, run)
                if found is None:
                    return
                await self.games.keep(found)
                run.done += 1
        except MnkalaError as error:
            run.trouble = error

    async def _review_one(self, person: str, row: Row, run: Run) -> ReviewedGame | None:
        """Review a game; None if the work is to end."""
        workers = self.games.workers
        rules = await workers.read(person, lambda: parse_game(row.game))
        await workers.compiled(rules, reviewer(rules))
        if find_solver(rules) is not None:
            await workers.compiled(rules, SOLVER)
        for _ in range(TRIES):
            if not run.is_wanted:
                return None
            run.stop = stop = Stop()
            watch = asyncio.create_task(_watch(run, stop))
            try:
                work = functools.partial(review_game, row, stop)
                found = await workers.run(workers.long, person, work, stop)
            finally:
                watch.cancel()
            if found is not None:
                return found
            if not run.is_wanted:
                return None
            await asyncio.sleep(PAUSE)
        return None


async def _watch(run: Run, stop: Stop) -> None:
    """Stop the review in progress once nobody waits for it."""
    while run.is_wanted:
        await asyncio.sleep(1.0)
    stop.set()


async def tell(call: Call) -> MistakesView:
    """The mistakes found so far, and how far the work is."""
    games = call.games
    run, owners = games.mistakes.run_of(call.person), games.solver(call.person).owners
    _, report = await call.read(lambda: unreviewed(games.store, owners))
    return MistakesView(
        report=report,
        running=not run.ended,
        done=run.done,
        todo=run.total,
        trouble=None if run.trouble is None else problem(run.trouble),
    )


async def start(call: Call) -> MistakesView:
    """Begin to review the person's games."""
    owners = call.games.solver(call.person).owners
    assert owners is not None
    call.games.mistakes.start(call.person, owners)
    return await tell(call)


async def stop(call: Call) -> None:
    """Stop reviewing the person's games."""
    call.games.mistakes.stop(call.person)
