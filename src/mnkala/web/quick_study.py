"""The one quick study that a server runs at a time, for whoever asked first.

A process of its own at low priority does the work (`lab.store.answer_page`), so that moves and
analyses come first and a study can be ended in the middle of a job. It goes on when the page that
started it is closed, and is found again by any page; whoever started it may cancel it, and what was
measured until then is kept. It ends with the server, even if that is killed: its standard input
closes then.
"""

from __future__ import annotations

import dataclasses
import threading
import time
from pathlib import Path
from typing import Any, Literal

from mnkala.errors import MnkalaError
from mnkala.folders import data_folder
from mnkala.jobs.child import Child
from mnkala.web.http_errors import Forbidden, TooBusy
from mnkala.web.limits import Limits

State = Literal["idle", "running", "done", "cancelled", "failed"]


def quick_data() -> Path:
    """The file in which quick runs of the page keep their rows, apart from those of the command
    line, which were measured on a quieter machine."""
    return data_folder() / "quick-studies.sqlite"


@dataclasses.dataclass(frozen=True)
class QuickRun:
    """The state of a quick study."""

    study: str = ""
    person: str = ""
    state: State = "idle"
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
    error: str = ""

    @property
    def elapsed(self) -> float:
        """The seconds since the start, or the duration of the run."""
        return time.monotonic() - self.started if self.state == "running" else self.seconds

    @property
    def left(self) -> float | None:
        """The estimated seconds left, once a job is done."""
        measured = self.done - self.kept
        return (
            self.elapsed / measured * (self.total - self.done)
            if self.state == "running" and measured > 0
            else None
        )


class QuickStudy:
    """Starts, follows and ends the quick study. All methods may be called from any thread."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._process: Child | None = None
        self._run = QuickRun()
        self._closed = False

    @property
    def run(self) -> QuickRun:
        """The current study, or the last one."""
        return self._run

    def start(self, study: str, person: str) -> QuickRun:
        """Start a shipped study by its name. While another runs this is refused; the same one is
        joined."""
        with self._lock:
            if self._closed:
                raise TooBusy("the server is closing")
            if self._run.state == "running":
                if self._run.study == study:
                    return self._run
                raise TooBusy(
                    f"the study {self._run.study} is running; this server runs one at a time",
                    "error.study_running",
                    study=self._run.study,
                )
            try:
                data = quick_data()
                data.parent.mkdir(parents=True, exist_ok=True)
                self._process = Child.calling(
                    "mnkala.lab.store:answer_page", study, str(data), background=True
                )
            except OSError as error:
                raise MnkalaError(f"cannot start a study: {error.strerror or error}") from None
            self._run = QuickRun(study, person, "running", started=time.monotonic())
            threading.Thread(
                target=self._listen, args=(self._process,), name="quick-study", daemon=True
            ).start()
            return self._run

    def cancel(self, person: str) -> None:
        """End the current run, if this person started it; only the job in progress is lost."""
        run, process = self._run, self._process
        if run.state == "running" and run.person != person:
            raise Forbidden(f"somebody else started the study {run.study}")
        self._end(process, "cancelled")

    def close(self) -> None:
        """End the current run, and start no other."""
        with self._lock:
            self._closed = True
        self._end(self._process, "cancelled")

    def _change(self, process: Child | None, **changes: Any) -> None:
        """Change what is known of the run of a process, unless it is over."""
        with self._lock:
            if self._process is process and self._run.state == "running":
                self._run = dataclasses.replace(self._run, **changes)

    def _end(self, process: Child | None, state: State, error: str = "") -> None:
        self._change(process, state=state, error=error, seconds=self._run.elapsed)
        if process is not None:
            process.end()

    def _listen(self, process: Child) -> None:
        seconds = self._limits.seconds_of_study
        too_long = (
            f"it took more than {seconds:.0f} s, which is all that this server allows; "
            "what was measured is kept, and the next run goes on from there"
        )
        watch = threading.Timer(seconds, self._end, (process, "failed", too_long))
        watch.daemon = True
        watch.start()
        try:
            for message in process.messages():
                match message:
                    case {"total": int(total), "kept": int(kept)}:
                        self._change(process, total=total, done=kept, kept=kept)
                    case {"failed": bool(failed)}:
                        self._change(
                            process, done=self._run.done + 1, failed=self._run.failed + failed
                        )
                    case {"problem": str(problem)}:
                        self._change(
                            process,
                            state="failed" if problem else "done",
                            error=problem,
                            seconds=self._run.elapsed,
                        )
        finally:
            watch.cancel()
            self._end(
                process, "failed", f"the process that measured has died (status {process.end()})"
            )
