"""What is thought about the position on the screen: a hint, an analysis, a quick evaluation; each in a job that can be dropped."""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Callable
from typing import Protocol

from mnkala.games import Position
from mnkala.play.chances import steady_chance
from mnkala.play.match import hint_engine
from mnkala.play.reasons import Hint, hint_of
from mnkala.search import Analysis, Engine, Limit, Score, parse_engine
from mnkala.terminal.thinking import Job

ANALYST = parse_engine("deepening")
ANALYSIS_LIMIT = Limit(time=300)
"""An analysis that nobody turns off ends some time."""
EVALUATOR = parse_engine("deepening:nodes=20000")
"""Who moves the evaluation bar after every move: some hundredths of a second."""


class Refused(Exception):
    """Something that cannot be done now; `key` is the sentence that says why."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class Stage(Protocol):
    """What a session needs of its screen."""

    def call(self, function: Callable[[], None]) -> None:
        """Call a function in the screen's thread; may be used from any thread."""

    def later(self, seconds: float, function: Callable[[], None]) -> None:
        """Call a function after a while."""

    def changed(self) -> None:
        """Something is to be drawn again."""

    def tell(self, text: str) -> None:
        """Something went wrong, in words."""


@dataclasses.dataclass(frozen=True)
class Opinion:
    """A score of a position, and what the first player can expect by it."""

    score: Score
    chance: float


class Thoughts:
    """Jobs on a stage. A derived class says which position is on the screen."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.evaluating = True
        self.paused = False
        """Whether computers rest."""
        self._jobs: list[Job] = []
        self._forget_all()

    def _forget_all(self) -> None:
        self.ready = False
        """Whether all engines are compiled."""
        self.analysing = False
        self.analysis: Analysis | None = None
        self.hint: Hint | None = None
        self.opinions: dict[Position, Opinion] = {}
        self._thinker: Job | None = None
        self._hinter: Job | None = None
        self._analyst: Job | None = None
        self._evaluator: Job | None = None
        self._analysis_started = 0.0

    @property
    def position(self) -> Position:
        """The position on the screen."""
        raise NotImplementedError

    # ---- Jobs ----

    def close(self, patience: float = 0.0) -> bool:
        """End all work; whether every thread has ended within some seconds."""
        for job in self._jobs:
            job.drop()
        ended = [job.wait(patience) for job in self._jobs]
        self._jobs = [job for job, done in zip(self._jobs, ended, strict=True) if not done]
        return not self._jobs

    def _run(self, work: Callable[[Job], None], slot: str = "") -> None:
        """Start a job; `slot` is the attribute that holds it while it runs."""
        self._jobs = [job for job in self._jobs if not job.wait(0)]
        job = Job(self.stage.call)
        self._jobs.append(job)
        if slot:
            setattr(self, slot, job)
        job.start(work, functools.partial(self._failed, slot))

    def _failed(self, slot: str, text: str) -> None:
        """An engine broke. One that was to move is not asked again before the person wants it."""
        if slot:
            setattr(self, slot, None)
        self.paused = self.paused or slot == "_thinker"
        self.stage.tell(text)
        self.stage.changed()

    def _forget(self) -> None:
        self._drop("_hinter")
        self.hint = None

    def _drop(self, name: str) -> None:
        job = getattr(self, name)
        if job is not None:
            job.drop()
            setattr(self, name, None)

    # ---- Hint ----

    @property
    def hinting(self) -> bool:
        """Whether a hint is being looked for."""
        return self._hinter is not None

    def ask_hint(self) -> None:
        """What to play on the board that is shown, and why."""
        position = self.position
        if position.is_over:
            raise Refused("play.analysis_over")
        if not self.ready:
            raise Refused("terminal.preparing")
        if self._hinter is not None:
            return

        def work(job: Job) -> None:
            *_, last = hint_engine(position.rules).stream(position, all_moves=True, stop=job.stop)
            found = hint_of(last)
            job.give(functools.partial(self._hinted, position, found))

        self._run(work, "_hinter")
        self.stage.changed()

    def _hinted(self, position: Position, hint: Hint) -> None:
        self._hinter, self.hint = None, hint
        if hint.score is not None:
            self._note(position, hint.score, hint_engine(position.rules))
        self.stage.changed()

    # ---- Analysis ----

    def toggle_analysis(self) -> None:
        """Start or stop the analysis of the board that is shown."""
        self.analysing = not self.analysing
        self._restart_analysis()
        self._evaluate()
        self.stage.changed()

    @property
    def analysis_running(self) -> bool:
        """Whether the analysis still gets deeper."""
        return self._analyst is not None

    def analysis_effort(self) -> tuple[int, float]:
        """Nodes and seconds of the analysis so far; both grow between one depth and the next."""
        nodes, seconds = (self.analysis.nodes, self.analysis.seconds) if self.analysis else (0, 0.0)
        if self._analyst is None:
            return nodes, seconds
        return max(nodes, self._analyst.stop.nodes()), max(seconds, time.monotonic() - self._analysis_started)

    def _restart_analysis(self) -> None:
        self._drop("_analyst")
        self.analysis = None
        position = self.position
        if not self.analysing or not self.ready or position.is_over:
            return

        def work(job: Job) -> None:
            for found in ANALYST.stream(position, ANALYSIS_LIMIT, all_moves=True, stop=job.stop):
                job.give(functools.partial(self._analysed, found))
            job.give(self._analysis_ended)

        self._analysis_started = time.monotonic()
        self._run(work, "_analyst")

    def _analysed(self, analysis: Analysis) -> None:
        self.analysis = analysis
        if analysis.score is not None and analysis.depth:
            self._note(analysis.position, analysis.score, ANALYST)
        self.stage.changed()

    def _analysis_ended(self) -> None:
        self._analyst = None
        self.stage.changed()

    # ---- The evaluation bar ----

    def opinion(self) -> Opinion | None:
        """What is known of the position on the screen, or else of the one before it."""
        position = self.position
        known = self.opinions.get(position)
        if known is None and position.history:
            known = self.opinions.get(position.back())
        return known

    def _evaluate(self) -> None:
        """A quick opinion of the position on the screen, unless a better one is there or on its way."""
        self._drop("_evaluator")
        position = self.position
        if not self.evaluating or not self.ready or position in self.opinions or self._analyst is not None:
            return

        def work(job: Job) -> None:
            *earlier, last = EVALUATOR.stream(position, stop=job.stop)
            before = next((analysis.score for analysis in reversed(earlier) if analysis.depth < last.depth), None)
            if last.score is not None:
                job.give(functools.partial(self._evaluated, position, last.score, before))

        self._run(work, "_evaluator")

    def _evaluated(self, position: Position, score: Score, before: Score | None) -> None:
        self._evaluator = None
        self._note(position, score, EVALUATOR, before)
        self.stage.changed()

    def _note(self, position: Position, score: Score, engine: Engine | str, before: Score | None = None) -> None:
        self.opinions[position] = Opinion(score, steady_chance(score, before, position, engine))

    def toggle_evaluation(self) -> None:
        """Show or hide the evaluation bar."""
        self.evaluating = not self.evaluating
        self._evaluate()
        self.stage.changed()
