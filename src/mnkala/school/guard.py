"""Protects a student's process from accidents: limits of the operating system, and a *guard* that
explains.

The guard is an audit hook (PEP 578). It ends the process, with the reason, as soon as the file
starts a process, removes or overwrites something, opens a connection or imports from mnkala what is
to be written. Somebody who means harm can get round it: the guard explains, the layers of
`sandbox.py` contain.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from typing import Any

from mnkala.core.registry import rules_files
from mnkala.jobs.parent import LONGEST_TEXT, limit_memory, limit_processor
from mnkala.numbers import shortened

LONGEST_FILE = 16 << 20
LARGEST_FOLDER, MOST_FILES = 32 << 20, 1000
"""The bytes and the number of files that a student's process may keep in its folder."""
DISK_TEXT = f"filled its folder: all that it writes may have {LARGEST_FOLDER >> 20} MB in {MOST_FILES} files"
GUARDED = 3
"""The exit status of a process that the guard has ended."""

FORBIDDEN = {
    **dict.fromkeys(
        (
            "os.fork",
            "os.forkpty",
            "os.exec",
            "os.posix_spawn",
            "os.spawn",
            "os.system",
            "os.startfile",
            "subprocess.Popen",
            "pty.spawn",
        ),
        "starts another process",
    ),
    **dict.fromkeys(("os.kill", "os.killpg", "signal.pthread_kill"), "sends a signal to a process"),
    **dict.fromkeys(
        (
            "os.remove",
            "os.rmdir",
            "os.rename",
            "os.truncate",
            "shutil.rmtree",
            "shutil.move",
            "os.chmod",
            "os.chown",
            "os.link",
            "os.symlink",
            "os.mkdir",
            "os.chdir",
        ),
        "removes or changes files",
    ),
    **dict.fromkeys(
        ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto", "urllib.Request"),
        "uses the network",
    ),
    **dict.fromkeys(("resource.setrlimit", "resource.prlimit"), "changes limits of a process"),
    "sqlite3.connect": "opens a database",
}
"""Audit events (see the table in Python's documentation) and their meaning for the student."""
OWN_WORK = ("mnkala.core", "mnkala.native", "mnkala.errors")
"""The parts of mnkala that a student may import: the games. The searches are for the student to
write."""
SHOWN_PARTS = ("__init__.py", "__pycache__", "errors.py", "core", "native")
"""The files and folders of mnkala that a student may read."""


# ---- Limits ----


def set_limits(memory: int) -> None:
    """Limit memory, the size of files and the number of other processes, where the operating system
    can."""
    limit_memory(memory)
    try:
        import resource
    except ImportError:  # Windows has time limits only, which the grader enforces.
        return
    for name, value in {"RLIMIT_FSIZE": LONGEST_FILE, "RLIMIT_CORE": 0, "RLIMIT_NPROC": 0}.items():
        with contextlib.suppress(AttributeError, ValueError, OSError):
            resource.setrlimit(getattr(resource, name), (value, value))


# ---- The guard ----


def set_guard(tell: Callable[[str], None], folder: str) -> Callable[[], None]:
    """Install the audit hook and a watch on imports; return the function that arms it for good.
    `tell` passes the reason on."""
    armed, games = [False], rules_files()

    def stop(why: str) -> None:
        tell(why)
        os._exit(GUARDED)

    def guard(event: str, arguments: tuple[Any, ...]) -> None:
        if not armed[0]:
            return
        if event in FORBIDDEN and sys._getframe(1).f_code is not limit_processor.__code__:
            stop(f"the file {FORBIDDEN[event]} ({event})")
        elif (
            event == "open" and opens_for_writing(arguments) and not harmless(arguments[0], folder)
        ):
            stop(
                f"the file writes to {shortened(str(arguments[0]), LONGEST_TEXT)}; it may write only in the folder it runs in"
            )
        elif event == "open" and is_hidden(arguments[0], games):
            stop(
                f"the file reads {shortened(str(arguments[0]), LONGEST_TEXT)}; the games of mnkala may be used, its other files may not"
            )

    class Borrowed:
        """An import finder that sees every import first, including those that fail because the
        module is hidden."""

        @staticmethod
        def find_spec(name: str, *_: Any) -> None:
            if armed[0] and name.startswith("mnkala.") and not name.startswith(OWN_WORK):
                stop(
                    f"the file imports {name}; the games of mnkala may be used, its searches may not"
                )

    def arm() -> None:
        armed[0] = True

    sys.addaudithook(guard)
    sys.meta_path.insert(0, Borrowed)
    return arm


def opens_for_writing(arguments: tuple[Any, ...]) -> bool:
    """Whether an `open` event opens a file for writing."""
    _, mode, flags = arguments
    if isinstance(mode, str):
        return any(letter in mode for letter in "wax+")
    return isinstance(flags, int) and bool(
        flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND)
    )


def harmless(path: Any, folder: str) -> bool:
    """Whether a file may be written: one in the process's own folder, or an open descriptor."""
    if isinstance(path, int) or path == os.devnull:
        return True
    real = os.path.realpath(os.fsdecode(path))
    return real.startswith(os.path.join(folder, ""))


def is_hidden(path: Any, games: frozenset[str] = frozenset()) -> bool:
    """Whether a file belongs to a part of mnkala that is hidden from students. The worker, which
    appears in every traceback, and the rules of `games` may be read."""
    if not isinstance(path, str | bytes | os.PathLike):
        return False
    school = os.path.dirname(os.path.realpath(__file__))
    package, real = os.path.join(os.path.dirname(school), ""), os.path.realpath(os.fsdecode(path))
    return (
        real.startswith(package)
        and real != os.path.join(school, "worker.py")
        and real not in games
        and real.removeprefix(package).split(os.sep)[0] not in SHOWN_PARTS
    )
