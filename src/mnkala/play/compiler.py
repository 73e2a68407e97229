"""Compiling in the background by a process of its own, so that neither a page nor a game waits.

A server or a terminal that holds a `Compiler` compiles nothing itself. It asks whether an engine
is ready; if not, the engine is compiled before everything else, and the waiting blocks nobody.
The process is started when there is something to do and ends when there is not; if it dies at
some combination (which a plug-in can cause), it is started again without that combination.

The process (`main`) runs at low priority and is told on standard input, a JSON line each, what is
wanted next: {"game": …, "engine": …}. With the argument `everything` it works through the whole
plan of `warmup` as well, the most likely first, and without it through what plug-ins bring. What
is wanted comes before that, and `skip:COMBINATION` leaves one out. On standard output it tells, a
JSON line each, how much there is to do ({"total": …, "done": …}), what it begins ({"begins":
kernel_key, "label": …}) and what it has finished ({"ends": kernel_key, "seconds": …, "problem": …},
with the reason, in words, if it cannot be compiled). It ends when nothing is left to do, or when
its standard input is closed: whoever started it is gone.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import dataclasses
import sys
import threading
import time
from collections.abc import Callable

from mnkala.core import Rules, parse_game
from mnkala.core.plugins import failure
from mnkala.errors import MnkalaError, NotCompiled
from mnkala.jobs.child import Child
from mnkala.jobs.parent import Parent
from mnkala.native.kernels import is_compiled
from mnkala.play.warmup import CompileStep, plugin_steps, step_for, warmup_steps
from mnkala.search import Engine, parse_engine

EVERYTHING, SKIP = "everything", "skip:"
"""The arguments that ask for the whole plan, and that leave a combination out."""
NICENESS = 5
FIRST_SECONDS, USUAL_SECONDS = 8.0, 3.0
"""The assumed compile times of a process's first combination and of a further one, until some
are measured."""
MOST_DEATHS = 5
"""If the process dies this often, engines are compiled where they are used."""

Future = concurrent.futures.Future[None]


@dataclasses.dataclass(frozen=True)
class Progress:
    """How far the background process has come."""

    done: int
    total: int
    """The number of combinations in the plan; 0 if there is none or it is not known yet."""
    compiling: str
    """What is being compiled, in words, preferably what somebody waits for; '' if nothing is."""
    waiting: bool
    """Whether somebody is waiting for it."""
    seconds: float
    """An estimate of how long those who wait still have to wait, or else how long the rest of
    the plan takes."""

    @property
    def busy(self) -> bool:
        """Whether there is anything left to compile."""
        return bool(self.compiling or self.waiting)


@dataclasses.dataclass(frozen=True)
class Request:
    """An engine for a game that somebody waits for until it is compiled."""

    label: str
    message: dict[str, str]
    """The message that asks the process for it."""
    done: Future = dataclasses.field(default_factory=concurrent.futures.Future)
    """Set when it is compiled. Several may wait for it, so nobody can cancel it for the others."""

    def __post_init__(self) -> None:
        self.done.set_running_or_notify_cancel()


class Compiler:
    """Has engines compiled by another process. All methods may be called from any thread;
    `changed` is called from a thread of the compiler."""

    def __init__(self, everything: bool = True, changed: Callable[[], None] = lambda: None) -> None:
        self._everything = everything
        self.changed = changed
        self._lock = threading.Lock()
        self._process: Child | None = None
        self._wanted: dict[str, Request] = {}
        """The open requests by their kernel key."""
        self._finished: set[str] = set()
        """The kernel keys that our process has compiled or tried to: nobody needs to wait for
        these."""
        self._problems: dict[str, str] = {}
        """Why some of them cannot be compiled, in words."""
        self._current, self._label, self._since = "", "", 0.0
        self._done, self._total = 0, 0
        self._times: list[float] = []
        self._deadly: list[str] = []
        """Combinations at which the process died; '' if it died before the first."""
        self._closed = False

    # ---- Asking ----

    def is_ready(self, engine: Engine, rules: Rules) -> bool:
        """Whether an engine can play a game without compiling anything."""
        kernel_key = engine.search.kernel_key(rules)
        return (kernel_key in self._finished and kernel_key not in self._problems) or is_compiled(
            kernel_key
        )

    def want(self, engine: Engine, rules: Rules) -> Future:
        """Have an engine compiled before everything else; the future is done when it is ready,
        or fails with NotCompiled if the compiler refuses it."""
        kernel_key = engine.search.kernel_key(rules)
        if kernel_key in self._finished or is_compiled(kernel_key):
            known: Future = concurrent.futures.Future()
            _settle(known, self._problems.get(kernel_key, ""))
            return known
        with self._lock:
            if kernel_key not in self._wanted:
                message = {"game": rules.game_string(), "engine": str(engine)}
                self._wanted[kernel_key] = Request(step_for(engine.search, rules).label, message)
                if self._process is None:
                    self._start()
                else:
                    self._process.tell(message)  # If it has just ended, `_ended` starts another.
            future = self._wanted[kernel_key].done
        self.changed()
        return future

    def progress(self) -> Progress:
        """The current progress of compiling."""
        with self._lock:
            waiting = [kernel_key for kernel_key in self._wanted if kernel_key != self._current]
            steps = (
                len(waiting)
                if self._wanted
                else max(0, self._total - self._done - bool(self._current))
            )
            usual = sum(self._times[-8:]) / len(self._times[-8:]) if self._times else USUAL_SECONDS
            expected = max(usual, FIRST_SECONDS if not self._times else 0.0)
            left = (
                max(expected - (time.monotonic() - self._since), 0.2 * expected)
                if self._current
                else 0.0
            )
            awaited = next((request.label for request in self._wanted.values()), "")
            return Progress(
                self._done, self._total, awaited or self._label, bool(awaited), steps * usual + left
            )

    # ---- Coming and going ----

    def start(self) -> None:
        """Begin with the plan, unless all of it is on disk already. Checking that takes a
        moment, so a thread does it."""
        threading.Thread(target=self._start_if_needed, daemon=True).start()

    def _start_if_needed(self) -> None:
        if all(
            step.is_done
            for step in (warmup_steps(everything=True) if self._everything else plugin_steps())
        ):
            return
        with self._lock:
            if self._process is None and not self._closed:
                self._start()

    def close(self) -> None:
        """End the process and release everybody who is still waiting."""
        with self._lock:
            self._closed = True
            process, self._process = self._process, None
            wanted, self._wanted = self._wanted, {}
        if process is not None:
            process.end()
        for request in wanted.values():
            request.done.set_result(None)

    def child(self, *arguments: str) -> Child:
        """Start the process that compiles, with these arguments."""
        return Child.calling("mnkala.play.compiler:main", *arguments, background=True)

    def _start(self) -> None:
        """Start the process with the plan, and ask it for everything that is wanted."""
        plan = [EVERYTHING] if self._everything else []
        try:
            self._process = self.child(*plan, *(SKIP + kernel_key for kernel_key in self._deadly))
        except OSError:
            threading.Thread(target=self._give_up, daemon=True).start()
            return
        for request in self._wanted.values():
            self._process.tell(request.message)
        threading.Thread(
            target=self._listen, args=(self._process,), name="compiler", daemon=True
        ).start()

    # ---- Messages from the process ----

    def _listen(self, process: Child) -> None:
        for message in process.messages():
            self._hear(message)
            self.changed()
        self._ended(process, process.end())
        self.changed()

    def _hear(self, message: dict[str, object]) -> None:
        """Take note of a message of the process."""
        match message:
            case {"total": int(total), "done": int(done)}:
                with self._lock:
                    self._total, self._done = total, done
            case {"begins": str(kernel_key), "label": str(label)}:
                with self._lock:
                    self._current, self._label, self._since = kernel_key, label, time.monotonic()
            case {"ends": str(kernel_key), "seconds": float(seconds), "problem": str(problem)}:
                with self._lock:
                    self._done += seconds > 0
                    self._times += [seconds] if seconds > 0 else []
                self._finish(kernel_key, problem)

    def _finish(self, kernel_key: str, problem: str = "") -> None:
        with self._lock:
            self._finished.add(kernel_key)
            if problem:
                self._problems[kernel_key] = problem
            self._current, self._label = "", ""
            wanted = self._wanted.pop(kernel_key, None)
        if wanted is not None:
            _settle(wanted.done, problem)

    def _ended(self, process: Child, status: int) -> None:
        """Handle the end of the process, which has nothing left to do or has died at something."""
        died_at, died = self._current, status != 0
        if died_at:
            self._finish(died_at)
        with self._lock:
            if self._process is not process or self._closed:
                return
            self._process = None
            self._deadly += [died_at] if died else []
            if (self._wanted or (died and self._everything)) and len(self._deadly) < MOST_DEATHS:
                self._start()
                return
        self._give_up()

    def _give_up(self) -> None:
        for kernel_key in list(self._wanted):
            self._finish(kernel_key)


def _settle(future: Future, problem: str) -> None:
    if problem:
        future.set_exception(NotCompiled(problem))
    else:
        future.set_result(None)


# ---- In the process ----


def main() -> None:
    """Compile until nothing is left to do."""
    parent, arguments = Parent(NICENESS), sys.argv[1:]
    requests = parent.follow()

    def wanted() -> CompileStep | None:
        """The next valid request; an invalid one is refused where it has to be answered."""
        while not requests.empty():
            request = requests.get()
            with contextlib.suppress(MnkalaError):
                return step_for(parse_engine(request["engine"]).search, parse_game(request["game"]))
        return None

    plan = warmup_steps(everything=True) if EVERYTHING in arguments else plugin_steps()
    left = [step for step in plan if not step.is_done and SKIP + step.kernel_key not in arguments]
    parent.tell({"total": len(plan), "done": len(plan) - len(left)})
    while (step := wanted() or (left.pop(0) if left else None)) is not None:
        if step.is_done:
            parent.tell({"ends": step.kernel_key, "seconds": 0.0, "problem": ""})
            continue
        parent.tell({"begins": step.kernel_key, "label": step.label})
        started = time.perf_counter()
        problem = ""
        try:
            step.compile()
        except Exception as error:  # a plug-in may raise anything; whoever waits is told
            problem = str(failure(error))
        seconds = time.perf_counter() - started
        parent.tell({"ends": step.kernel_key, "seconds": seconds, "problem": problem})
