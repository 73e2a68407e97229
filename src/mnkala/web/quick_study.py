"""The one quick study that a server runs at a time, for whoever asked first.

A process of its own at low priority does the work (`lab.store.answer_page`), so that moves and
analyses come first and a study can be ended in the middle of a job. It goes on when the page that
started it is closed, and is found again by any page; whoever started it may cancel it, and what was
measured until then is kept. It ends with the server, even if that is killed.
"""

from __future__ import annotations

import threading
from pathlib import Path

from mnkala.folders import data_folder
from mnkala.jobs.background import Background
from mnkala.web.http_errors import Forbidden, TooBusy
from mnkala.web.limits import Limits


def quick_data() -> Path:
    """The file in which quick runs of the page keep their rows, apart from those of the command
    line, which were measured on a quieter machine."""
    return data_folder() / "quick-studies.sqlite"


class QuickStudy:
    """Starts and ends the quick study. All methods may be called from any thread."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._closed = False
        self.study = self._person = ""
        self.work: Background | None = None
        """The run of the current study, or of the last one."""

    def start(self, study: str, person: str) -> None:
        """Start a shipped study by its name. While another runs this is refused; the same one is
        joined."""
        with self._lock:
            if self._closed:
                raise TooBusy("the server is closing")
            if self.work is not None and self.work.run.state == "running":
                if self.study == study:
                    return
                raise TooBusy(
                    f"the study {self.study} is running; this server runs one at a time",
                    "error.study_running",
                    study=self.study,
                )
            data = quick_data()
            data.parent.mkdir(parents=True, exist_ok=True)
            self.study, self._person = study, person
            self.work = Background(
                "mnkala.lab.store:answer_page",
                study,
                str(data),
                seconds=self._limits.seconds_of_study,
            )

    def is_of(self, person: str) -> bool:
        """Whether a person started the study, and so may cancel it."""
        return person == self._person

    def cancel(self, person: str) -> None:
        """End the current run, if this person started it; only the job in progress is lost."""
        work = self.work
        if work is not None and work.run.state == "running" and not self.is_of(person):
            raise Forbidden(f"somebody else started the study {self.study}")
        if work is not None:
            work.end()

    def close(self) -> None:
        """End the current run, and start no other."""
        with self._lock:
            self._closed = True
        if self.work is not None:
            self.work.end()
