"""Work that goes on in a process of its own at low priority, for a server: both ends of it.

The process does jobs (`work_for_parent`) and tells its parent, a JSON line each, how much there is
to do ({"total": …, "kept": …}), each job that is done ({"failed": …}), and at the end {"problem": …},
which is empty if all went well. It ends at once when its standard input is closed: whoever started
it has had enough, or is gone, even if it was killed. `Background` is the other end.
"""

from __future__ import annotations

import dataclasses
import os
import threading
import time
from collections.abc import Callable
from typing import Any, Literal

from mnkala.errors import MnkalaError
from mnkala.jobs.child import Child
from mnkala.jobs.parent import Parent
from mnkala.jobs.run import Progress
from mnkala.jobs.store import Outcome

NICENESS = 10
State = Literal["running", "done", "cancelled", "failed"]


# ---- In the process ----


class ParentProgress(Progress):
    """Reports the progress of the work to the parent process."""

    def __init__(self, parent: Parent) -> None:
        self._parent = parent

    def begin(self, total: int, kept: int) -> None:
        self._parent.tell({"total": total, "kept": kept})

    def done(self, outcome: Outcome) -> None:
        self._parent.tell({"failed": outcome.failed})


def work_for_parent(work: Callable[[Progress], object]) -> None:
    """Do the work of this process, tell the parent about it, and end."""
    parent = Parent(NICENESS)
    parent.follow()
    problem = ""
    try:
        work(ParentProgress(parent))
    except MnkalaError as error:
        problem = str(error)
    parent.tell({"problem": problem})
    os._exit(0)


# ---- In the server ----


@dataclasses.dataclass(frozen=True)
class BackgroundRun:
    """How far work in the background is."""

    state: State = "running"
    done: int = 0
    kept: int = 0
    """The number of jobs done before this run."""
    total: int = 0
    """The number of jobs; 0 until the process has reported it."""
    failed: int = 0
    started: float = 0.0
    """When the run started, by the monotonic clock."""
    seconds: float = 0.0
    """The duration of the run, once it is over."""
    begun: float = 0.0
    """When the jobs of the run began, after all preparations."""
    error: str = ""

    @property
    def elapsed(self) -> float:
        """The seconds since the start, or the duration of the run."""
        return time.monotonic() - self.started if self.state == "running" else self.seconds

    @property
    def left(self) -> float | None:
        """The estimated seconds left, once a job is done."""
        now = self.done - self.kept
        return (
            (time.monotonic() - self.begun) / now * (self.total - self.done)
            if self.state == "running" and now > 0
            else None
        )


class Background:
    """Starts, follows and ends a process that works. All methods may be called from any thread."""

    def __init__(
        self,
        function: str,
        *arguments: str,
        seconds: float,
        ended: Callable[[BackgroundRun], None] = lambda run: None,
    ) -> None:
        """Start a process that calls `module:name`; it is ended after so many seconds, and `ended`
        is called when it is over."""
        self._lock = threading.Lock()
        self._run = BackgroundRun(started=time.monotonic())
        self._seconds, self._ended = seconds, ended
        try:
            self._process = Child.calling(function, *arguments, background=True)
        except OSError as error:
            raise MnkalaError(f"cannot start a process: {error.strerror or error}") from None
        threading.Thread(target=self._listen, name=function, daemon=True).start()

    @property
    def run(self) -> BackgroundRun:
        """How far the work is."""
        return self._run

    def end(self, state: State = "cancelled", error: str = "") -> None:
        """End the process, if it still works; only the jobs in progress are lost."""
        self._change(state=state, error=error, seconds=self._run.elapsed)
        self._process.end()

    def _change(self, **changes: Any) -> None:
        """Change what is known of the work, unless it has ended."""
        with self._lock:
            if self._run.state == "running":
                self._run = dataclasses.replace(self._run, **changes)

    def _listen(self) -> None:
        """Follow the messages of the process until it ends, and end it when its time is up."""
        too_long = (
            f"it took more than {self._seconds:.0f} s, which is all that this server allows; "
            "what was done is kept, and the next run goes on from there"
        )
        watch = threading.Timer(self._seconds, self.end, ("failed", too_long))
        watch.daemon = True
        watch.start()
        try:
            for message in self._process.messages():
                match message:
                    case {"total": int(total), "kept": int(kept)}:
                        self._change(total=total, done=kept, kept=kept, begun=time.monotonic())
                    case {"failed": bool(failed)}:
                        self._change(done=self._run.done + 1, failed=self._run.failed + failed)
                    case {"problem": str(problem)}:
                        self._change(
                            state="failed" if problem else "done",
                            error=problem,
                            seconds=self._run.elapsed,
                        )
        finally:
            watch.cancel()
            died = f"the process that worked has died (status {self._process.end()})"
            self.end("failed", died)
            self._ended(self._run)
