"""A game at the full-screen terminal, apart from any screen: the match, whose turn it is, what is thought about it, what is looked at.

Everything here runs in the screen's thread. Engines work in jobs (`thinking`), whose answers come back through `Stage.call`.
"""

from __future__ import annotations

import dataclasses
import functools
import time
from pathlib import Path

from mnkala.games import Position
from mnkala.play import Match
from mnkala.play.clock import Clock
from mnkala.play.puzzle_game import Attempt
from mnkala.play.view import View, make_view
from mnkala.search import Analysis, Engine, Limit
from mnkala.terminal.proving import Proving, Task, make_task
from mnkala.terminal.thinking import Job
from mnkala.terminal.thoughts import EVALUATOR, Refused, Stage

PACES = (0.0, 0.1, 0.3, 0.6, 1.0, 2.0, 4.0)
"""Seconds between the moves of two engines."""
USUAL_PACE = 0.6


class Session(Proving):
    """One match after another on one stage."""

    def __init__(self, match: Match, stage: Stage, file: Path | None = None, clock: Clock | None = None) -> None:
        super().__init__(stage)
        self.pace = USUAL_PACE
        self._turn = 0
        self._begin(match, file, clock)

    def _begin(self, match: Match, file: Path | None, clock: Clock | None) -> None:
        self._forget_all()
        self.match, self.file, self.clock = match, file, clock
        self.ply: int | None = None
        """The number of moves of the position that is looked at, or None for the game itself."""
        self.paused = False
        self.answer: tuple[int, Analysis] | None = None
        """The last move of an engine: whose it was, and what it thought."""

    def start(self) -> None:
        """Compile what the engines need, then play."""
        rules, engines = self.match.position.rules, [*self.match.engines(), EVALUATOR]

        def work(job: Job) -> None:
            for engine in engines:
                engine.search.prepare(rules)
            job.give(self._prepared)

        self._run(work)

    def _prepared(self) -> None:
        self.ready = True
        self.changed()

    def begin(self, match: Match, clock: Clock | None = None) -> None:
        """Another game."""
        self.close()
        self._begin(match, None, clock)
        self.stage.changed()
        self.start()

    def find_puzzle(self, win_in: int, number: int | None = None) -> None:
        """A puzzle of a length instead of a game; for some boards it has to be made first."""
        rules = self.match.position.rules

        def work(job: Job) -> None:
            task = make_task(rules, win_in, number)
            job.give(functools.partial(self.begin_puzzle, task))

        self._run(work)

    def begin_with(self, task: Task) -> None:
        """Have a puzzle on the table before anything starts."""
        self._begin(task.match(), None, None)
        self.task = task

    def begin_puzzle(self, task: Task) -> None:
        """A puzzle instead of a game."""
        self.begin(task.match())
        self.task = task
        self.stage.changed()

    # ---- What is looked at ----

    @property
    def position(self) -> Position:
        """The position on the screen."""
        game = self.match.position
        return game if self.ply is None else game.back(len(game.history) - self.ply)

    @property
    def view(self) -> View:
        """The board on the screen."""
        return make_view(self.position)

    def look(self, ply: int | None) -> None:
        """Look at the position after so many moves; the game itself is not changed."""
        last = len(self.match.position.history)
        wanted = None if ply is None or ply >= last else max(0, ply)
        if wanted != self.ply:
            self.ply = wanted
            self._forget()
            self._restart_analysis()
            self._evaluate()
            self.stage.changed()

    @property
    def thinking(self) -> int | None:
        """The side whose engine is at work."""
        return None if self._thinker is None else self.match.position.mover

    @property
    def engines_only(self) -> bool:
        """Whether two computers play."""
        return not any(player.is_human for player in self.match.players)

    @property
    def can_play(self) -> bool:
        """Whether a person may move on the board that is shown."""
        return self.ply is None and not self.match.is_over and self.match.to_move.is_human

    # ---- Moving ----

    def play(self, text: str) -> None:
        """A person moves."""
        if self.ply is not None:
            raise Refused("terminal.looking_back")
        if self.match.is_over:
            raise Refused("play.analysis_over")
        if not self.match.to_move.is_human:
            raise Refused("terminal.not_your_turn")
        if self.task is not None:
            self._try(self.match.position, text)
            return
        mover = self.match.position.mover
        self.match.play(text)
        self._press(mover)
        self.changed()

    def _tried(self, tried: Attempt) -> None:
        """The solver has judged a move in a puzzle; a right one is played with its answer, a wrong one is not."""
        assert self.task is not None
        self._judge = None
        self.task = self.task.after(tried)
        if tried.right:
            self.match.position = tried.answered
            self.match.undone.clear()
        self.changed()

    def undo(self) -> int:
        """Take back to the last turn of a person; of a puzzle, to its start."""
        if self.task is not None:
            count = len(self.match.position.history) - len(self.task.match().position.history)
            self.begin_puzzle(dataclasses.replace(self.task, left=self.task.puzzle.win_in, tried=None, line=()))
            return count
        self._drop("_thinker")
        try:
            count = self.match.undo()
        finally:
            self.ply = None
            if self.engines_only:
                self.paused = True
            self.answer = None
            self.changed()
        return count

    def redo(self) -> int:
        """Play again what was taken back."""
        count = self.match.redo()
        self.ply = None
        self.changed()
        return count

    def resign(self) -> None:
        """The person gives up, also while the computer thinks."""
        sides = [side for side, player in enumerate(self.match.players) if player.is_human]
        if not sides:
            raise Refused("terminal.nobody_resigns")
        if self.match.is_over:
            raise Refused("play.analysis_over")
        self._drop("_thinker")
        mover = self.match.position.mover
        self.match.resign(mover if mover in sides else sides[0])
        self.changed()

    def changed(self) -> None:
        """The game is another now: old thoughts are dropped, the clock is set, the next engine is asked."""
        self._turn += 1
        self._forget()
        self._set_clock()
        self._restart_analysis()
        self._evaluate()
        self._ask_engine()
        self.stage.changed()

    # ---- Engines ----

    def _ask_engine(self) -> None:
        if self._thinker is not None or not self.ready or self.match.is_over or self.match.to_move.is_human or self.paused:
            return
        if self.engines_only and self.match.position.history:
            self.stage.later(self.pace, functools.partial(self._ask_after_pace, self._turn))
        else:
            self._think()

    def _ask_after_pace(self, turn: int) -> None:
        if turn == self._turn and not self.paused and self._thinker is None and not self.match.is_over:
            self._think()

    def _think(self) -> None:
        engine, position = self.match.to_move.engine, self.match.position
        assert engine is not None
        limit = self._limit(engine)

        def work(job: Job) -> None:
            *_, last = engine.stream(position, limit, stop=job.stop)
            job.give(functools.partial(self._answered, last))

        self._run(work, "_thinker")
        self.stage.changed()

    def _limit(self, engine: Engine) -> Limit:
        """The engine's own limit, and no more time than the clock leaves."""
        if self.clock is None:
            return engine.limit
        budget = self.clock.budget(self.match.position.mover, time.monotonic())
        return dataclasses.replace(engine.limit, time=min(engine.limit.time or budget, budget))

    def _answered(self, analysis: Analysis) -> None:
        self._thinker = None
        mover = self.match.position.mover
        self.match.play(analysis.best)
        self._press(mover)
        self.answer = mover, analysis
        if analysis.score is not None:
            self._note(self.match.position, analysis.score, analysis.engine)
        self.changed()

    def toggle_pause(self) -> None:
        """Let two computers stop, or go on."""
        self.paused = not self.paused
        if self.paused:
            self._drop("_thinker")
        self.changed()

    def step(self) -> None:
        """One move of a computer, then a pause."""
        self.paused = True
        if self.ready and self._thinker is None and not self.match.is_over and not self.match.to_move.is_human:
            self.ply = None
            self._think()

    def change_pace(self, slower: bool) -> None:
        """More or less time between the moves of two computers."""
        at = PACES.index(self.pace)
        self.pace = PACES[max(0, min(len(PACES) - 1, at + (1 if slower else -1)))]
        self.stage.changed()

    # ---- The clock ----

    def _press(self, mover: int) -> None:
        if self.clock is not None:
            self.clock.moved(mover, time.monotonic())

    def _set_clock(self) -> None:
        """Time passes for the side to move, once the engines are ready and the first move is made."""
        if self.clock is None:
            return
        now, running = time.monotonic(), self.ready and not self.match.is_over and not self.paused
        if not running:
            self.clock.stop(now)
        elif self.clock.running != self.match.position.mover:
            self.clock.start(self.match.position.mover, now)

    def tick(self) -> None:
        """Look at the clock, and at how far the analysis has come."""
        if self.analysis_running:
            self.stage.changed()
        if self.clock is None or self.clock.running is None or self.match.is_over:
            return
        side = self.clock.running
        if self.clock.remaining(side, time.monotonic()) <= 0:
            self._drop("_thinker")
            self.match.lose_on_time(side)
            self.changed()
        else:
            self.stage.changed()
