"""What is known about the position on the screen: a hint, an analysis, a proof, the book, a
quick evaluation."""

from __future__ import annotations

import enum
import functools
import time
from collections.abc import Callable
from typing import Protocol, TypeVar

from mnkala.core import Position
from mnkala.core.plugins import failure
from mnkala.core.score import Score
from mnkala.errors import MnkalaError
from mnkala.explain.contract import explanations_of
from mnkala.explain.inspection import Hint, Inspection, hint, inspect
from mnkala.play.opening_explorer import ExploredPosition, explore_opening
from mnkala.search import Limit, Stop
from mnkala.solve.books import has_books
from mnkala.solve.oracle import out_of_reach
from mnkala.terminal.proofs import Threatened

ANALYSIS_LIMIT = Limit(time=300)
"""The limit of an analysis that nobody turns off."""
PROOF_LIMIT, ESTIMATE_LIMIT = Limit(time=30), Limit(time=2)
"""The limits of an analysis for which a person waits; for what is still open then, the bounds are
shown."""
EVALUATION_LIMIT = Limit(nodes=20_000)
"""The limit for the evaluation bar, which moves after every move: some hundredths of a second."""
Answer = TypeVar("Answer")
Give = Callable[[Answer], None]


class Display(Protocol):
    """What shows a session to a person: the full screen, or plain lines."""

    is_live: bool
    """Whether time passes while a person thinks: clocks run, and what is found is shown as it
    comes. Otherwise the person waits for everything."""
    survives: tuple[type[Exception], ...]
    """The faults of background work that are reported instead of ending the program."""
    language: str

    def tell(self, message: str | MnkalaError) -> None:
        """Show a message, or what went wrong."""

    def note(self, text: str) -> None:
        """Show a message about a game that was saved, now or on leaving."""

    def changed(self) -> None:
        """Redraw the session."""

    def call_later(self, callback: Callable[..., object], *args: object) -> object:
        """Call a function in the display's thread."""

    def set_timer(self, delay: float, callback: Callable[[], object]) -> object:
        """Call a function after some seconds."""

    def run_worker(
        self, work: Callable[[], None], *, group: str, exclusive: bool, thread: bool
    ) -> object:
        """Do some work beside what is shown, or before anything else is asked."""


class Refused(Exception):
    """Something cannot be done now; `key` names the sentence that says why."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class Background:
    """Works on one question at a time in a worker of the display; a new question replaces the one
    before."""

    def __init__(self, display: Display, group: str) -> None:
        self.display, self.group = display, group
        self.stop: Stop | None = None
        """The stop flag of the current question."""
        self.started = 0.0

    @property
    def is_running(self) -> bool:
        """Whether the answer is still being worked out."""
        return self.stop is not None

    def ask(
        self,
        work: Callable[[Stop, Give[Answer]], object],
        heard: Give[Answer],
        failed: Callable[[MnkalaError], None] | None = None,
        stop: Stop | None = None,
    ) -> None:
        """Call `work(stop, give)` in a worker. What it gives is delivered in the display's thread,
        unless the question was dropped in the meantime."""
        self.drop()
        self.stop = asked = stop or Stop()
        self.started = time.monotonic()

        def give(answer: Answer) -> None:
            self.display.call_later(self._hear, asked, heard, answer)

        def run() -> None:
            try:
                work(asked, give)
            except self.display.survives as error:
                self.display.call_later(
                    self._end, asked, failed or self.display.tell, failure(error)
                )
            except BaseException:  # it ends the program, or the person can ask again
                self.drop()
                raise
            else:
                self.display.call_later(self._end, asked)

        self.display.run_worker(run, group=self.group, exclusive=True, thread=True)
        self.display.changed()

    def drop(self) -> None:
        """Cancel the question, because nobody needs the answer any more."""
        if self.stop is not None:
            self.stop.set()
            self.stop = None

    def _hear(self, asked: Stop, heard: Give[Answer], answer: Answer) -> None:
        if asked is self.stop:
            heard(answer)
            self.display.changed()

    def _end(
        self,
        asked: Stop,
        failed: Callable[[MnkalaError], None] | None = None,
        error: MnkalaError | None = None,
    ) -> None:
        if asked is self.stop:
            self.stop = None
            if failed is not None and error is not None:
                failed(error)
            self.display.changed()


class Study(enum.Enum):
    """The kinds of study: what is examined in every position on the screen until it is turned
    off."""

    ANALYSIS = "analysis"
    """What is proved, where that is possible, and an estimate until then."""
    BOOK = "book"
    THREATS = "threats"


Found = Inspection | ExploredPosition | Threatened


class Thoughts:
    """Everything that is worked out about one position after another, each part in the
    background."""

    def __init__(self, display: Display, position: Position) -> None:
        self.is_live = self.evaluating = display.is_live
        """`evaluating`: whether the evaluation bar is shown."""
        self._hinting, self._studying, self._evaluating = (
            Background(display, group) for group in ("hint", "study", "evaluation")
        )
        self.begin(position)

    def begin(self, position: Position) -> None:
        """Prepare for another game: nothing is worked out before its engines are compiled."""
        self.close()
        self.position, self.is_ready = position, False
        self.study: Study | None = None
        self.found: Found | None = None
        """What the study has found so far."""
        self.hint: Hint | None = None
        self.opinions: dict[Position, Score] = {}

    def start(self) -> None:
        """Begin to work, now that the engines are compiled."""
        self.is_ready = True
        self._restart()

    def look_at(self, position: Position) -> None:
        """Turn to the position that is on the screen now."""
        if position != self.position:
            self.position = position
            self._hinting.drop()
            self.hint = None
            self._restart()

    def close(self) -> None:
        """Stop all work for good."""
        for background in (self._hinting, self._studying, self._evaluating):
            background.drop()

    # ---- Hint ----

    @property
    def is_hinting(self) -> bool:
        """Whether a hint is being looked for."""
        return self._hinting.is_running

    def ask_hint(self) -> None:
        """Ask for a hint."""
        position = self.position
        if position.is_over:
            raise Refused("play.analysis_over")
        if not self.is_ready:
            raise Refused("terminal.preparing")
        if self.is_hinting:
            return

        def work(stop: Stop, give: Give[Hint]) -> None:
            give(hint(position, stop=stop))

        def heard(hint: Hint) -> None:
            self.hint = hint
            if hint.score is not None:
                self.opinions[position] = hint.score

        self._hinting.ask(work, heard)

    # ---- Analysis, proof, book ----

    def toggle(self, study: Study) -> None:
        """Start or stop a study."""
        if study is Study.BOOK and not has_books(self.position.rules):
            raise Refused("terminal.no_book")
        if study is Study.THREATS and not explanations_of(self.position.rules).threats:
            raise Refused("terminal.no_threats")
        self.study = None if self.study is study else study
        self._restart()

    @property
    def analysis(self) -> Inspection | None:
        """The analysis so far."""
        return self.found if isinstance(self.found, Inspection) else None

    @property
    def proof(self) -> Inspection | None:
        """What is known, once the solver has proved the position's score."""
        found = self.analysis
        return found if found is not None and found.is_settled and found.proof is not None else None

    @property
    def opening(self) -> ExploredPosition | None:
        """What the opening book knows about the position."""
        return self.found if isinstance(self.found, ExploredPosition) else None

    @property
    def threatened(self) -> Threatened | None:
        """The threats on the board."""
        return self.found if isinstance(self.found, Threatened) else None

    @property
    def is_studying(self) -> bool:
        """Whether the study may still find more."""
        return self._studying.is_running

    def best_line(self) -> tuple[int, ...]:
        """Best play from the position on the screen as far as it is known, from a proof, a hint
        or the analysis."""
        if self.proof is not None and self.proof.line_codes:
            return self.proof.line_codes
        if self.hint is not None:
            return tuple(map(self.position.rules.parse_move, self.hint.line or (self.hint.move,)))
        return () if self.analysis is None else self.analysis.line_codes

    def effort(self) -> tuple[int, float]:
        """The nodes and seconds that an analysis or a proof has taken; they grow even between
        two answers."""
        nodes, seconds = (
            (self.found.nodes, self.found.seconds)
            if isinstance(self.found, Inspection)
            else (0, 0.0)
        )
        if self._studying.stop is None:
            return nodes, seconds
        return max(nodes, self._studying.stop.nodes()), max(
            seconds, time.monotonic() - self._studying.started
        )

    def _restart(self) -> None:
        """Study the position on the screen, and evaluate it quickly."""
        self._studying.drop()
        self.found = None
        if self.study is Study.BOOK or (
            self.study is not None and self.is_ready and not self.position.is_over
        ):
            self._studying.ask(functools.partial(self._work, self.position, self.study), self._hear)
        self._evaluate()

    def _work(self, position: Position, study: Study, stop: Stop, give: Give[Found]) -> None:
        """Study a position, and give what is found."""
        match study:
            case Study.BOOK:
                give(explore_opening(position))
            case Study.THREATS:
                threats = explanations_of(position.rules).find_threats(position, stop)
                give(Threatened(position, threats))
            case Study.ANALYSIS:
                waited = PROOF_LIMIT if out_of_reach(position) is None else ESTIMATE_LIMIT
                limit = ANALYSIS_LIMIT if self.is_live else waited
                for found in inspect(position, limit, stop=stop):
                    if found.score is not None and (found.depth or found.is_settled):
                        give(found)

    def _hear(self, found: Found) -> None:
        self.found = found
        if isinstance(found, Inspection):
            self._note(found)

    def _note(self, found: Inspection) -> None:
        if found.score is not None:
            self.opinions[found.position] = found.score

    # ---- The evaluation bar ----

    def opinion(self) -> Score | None:
        """What is known about the position on the screen, or else about the one before it."""
        known = self.opinions.get(self.position)
        if known is None and self.position.history:
            known = self.opinions.get(self.position.back())
        return known

    def toggle_evaluation(self) -> None:
        """Show or hide the evaluation bar."""
        self.evaluating = not self.evaluating
        self._evaluate()

    def _evaluate(self) -> None:
        """Start a quick evaluation of the position, unless a better one is known or on its way."""
        self._evaluating.drop()
        position = self.position
        on_its_way = self.is_studying and self.study is Study.ANALYSIS
        if not self.evaluating or not self.is_ready or position in self.opinions or on_its_way:
            return

        def work(stop: Stop, give: Give[Inspection]) -> None:
            *_, last = inspect(
                position, EVALUATION_LIMIT, all_moves=False, head_start=None, stop=stop
            )
            give(last)

        self._evaluating.ask(work, self._note)
