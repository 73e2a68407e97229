"""The process in which one student's file lives. It answers questions; it never sees a test, a mark or another student.

`process.py` starts it by path with `python -I` in an empty folder. It reads a question a line from its standard input and writes an
answer a line to its standard output; both are moved out of the way before the student's file is loaded, so that `print` and
`input` cannot disturb them. What the file prints goes to standard error, which the other side reads and bounds.

Against accidents it has limits of the operating system (memory, processor time, processes, size of files) and a *guard*: an audit
hook (PEP 578) that ends the process, with the reason, as soon as the file starts a process, removes or overwrites something, opens a
connection or borrows a search of mnkala. Whoever means harm can get around all that: this is no sandbox.
"""

from __future__ import annotations

import importlib.util
import json
import os
import random
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

PYTHON_ITSELF = 256 << 20
"""Address space of Python and NumPy, which a student does not pay for."""
LONGEST_FILE = 16 << 20
LONGEST_TEXT = 500
GUARDED, OUT_OF_MEMORY = 3, 4
"""Exit statuses: ended by the guard, by the watch on memory."""

FORBIDDEN = {
    **dict.fromkeys(("os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.startfile", "subprocess.Popen",
                     "pty.spawn"), "starts another process"),
    **dict.fromkeys(("os.kill", "os.killpg", "signal.pthread_kill"), "sends a signal to a process"),
    **dict.fromkeys(("os.remove", "os.rmdir", "os.rename", "os.truncate", "shutil.rmtree", "shutil.move", "os.chmod", "os.chown", "os.link",
                     "os.symlink", "os.mkdir", "os.chdir"), "removes or changes files"),
    **dict.fromkeys(("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto", "urllib.Request"), "uses the network"),
    "resource.setrlimit": "changes its limits",
}
"""Audit events (see Python's table of them) and what they mean."""
OWN_WORK = ("mnkala.games", "mnkala.native", "mnkala.errors")
"""The parts of mnkala that a student may import: the games. The searches are what is to be written."""


class Channel:
    """The way back to the grader."""

    def __init__(self) -> None:
        self.questions = os.fdopen(os.dup(0), "rb")
        self.descriptor = os.dup(1)
        self.token = ""
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(2, 1)

    def read(self) -> dict[str, Any] | None:
        """The next question, or None when the grader is gone."""
        line = self.questions.readline()
        if not line:
            return None
        question: dict[str, Any] = json.loads(line)
        self.token = question["token"]
        return question

    def write(self, **answer: Any) -> None:
        """One answer. The token says which question it belongs to."""
        line = json.dumps({"token": self.token} | answer).encode() + b"\n"
        while line:
            line = line[os.write(self.descriptor, line):]


def short(text: str) -> str:
    """A text of bounded length."""
    return text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + " …"


# ---- Limits ----


def set_limits(memory: int) -> None:
    """Bound the process by the operating system, where it can."""
    try:
        import resource
    except ImportError:  # Windows has time limits only, kept by the grader
        return
    wanted = {"RLIMIT_AS": memory + PYTHON_ITSELF, "RLIMIT_FSIZE": LONGEST_FILE, "RLIMIT_CORE": 0, "RLIMIT_NPROC": 0}
    if sys.platform == "darwin":
        watch_memory(memory + PYTHON_ITSELF)  # there the address space cannot be bounded
        del wanted["RLIMIT_AS"]
    for name, value in wanted.items():
        try:
            resource.setrlimit(getattr(resource, name), (value, value))
        except (AttributeError, ValueError, OSError):
            continue


def limit_processor(seconds: float) -> None:
    """Processor time for the next question: what ends an endless loop even if the grader is gone."""
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    until = int(used.ru_utime + used.ru_stime + seconds) + 2
    resource.setrlimit(resource.RLIMIT_CPU, (until, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def watch_memory(most: int) -> None:
    """End the process when it has used more than `most` bytes, looking ten times a second."""
    import resource

    unit = 1 if sys.platform == "darwin" else 1024

    def watch() -> None:
        while resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit < most:
            time.sleep(0.1)
        os._exit(OUT_OF_MEMORY)

    threading.Thread(target=watch, daemon=True).start()


def set_guard(channel: Channel, folder: str) -> Callable[[], None]:
    """Install the audit hook; the function that is returned arms it for good."""
    armed = [False]

    def stop(why: str) -> None:
        channel.write(error="forbidden", text=why)
        os._exit(GUARDED)

    def guard(event: str, arguments: tuple[Any, ...]) -> None:
        if not armed[0]:
            return
        if event in FORBIDDEN and sys._getframe(1).f_code is not limit_processor.__code__:
            stop(f"the file {FORBIDDEN[event]} ({event})")
        elif event == "open" and opens_for_writing(arguments) and not harmless(arguments[0], folder):
            stop(f"the file writes to {short(str(arguments[0]))}; it may write only in the folder it runs in")
        elif event == "import" and str(arguments[0]).startswith("mnkala.") and not str(arguments[0]).startswith(OWN_WORK):
            stop(f"the file imports {arguments[0]}; the games of mnkala may be used, its searches may not")

    def arm() -> None:
        armed[0] = True

    sys.addaudithook(guard)
    return arm


def opens_for_writing(arguments: tuple[Any, ...]) -> bool:
    """Whether an `open` event is about writing."""
    _, mode, flags = arguments
    if isinstance(mode, str):
        return any(letter in mode for letter in "wax+")
    return isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND))


def harmless(path: Any, folder: str) -> bool:
    """Whether a file may be written: those of the process's own folder, and open descriptors."""
    if isinstance(path, int) or path == os.devnull:
        return True
    real = os.path.realpath(os.fsdecode(path))
    return real.startswith(os.path.join(folder, ""))


# ---- Questions ----


def load(path: str, function: str) -> Callable[..., Any]:
    """The student's function."""
    spec = importlib.util.spec_from_file_location("student", path)
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    sys.modules["student"] = module
    spec.loader.exec_module(module)
    found = getattr(module, function, None)
    if not callable(found):
        raise TypeError(f"{function} is not a function")
    return found


class Counter:
    """Counts the moves that are played, by a wrapper around `Position`."""

    def __init__(self) -> None:
        from mnkala.games import Position

        self.plays = 0
        play = Position.play_codes

        def counted(position: Position, moves: Iterable[int]) -> Position:
            codes = tuple(moves)
            self.plays += len(codes)
            return play(position, codes)

        Position.play_codes = counted  # type: ignore[method-assign, assignment]


def answer(question: dict[str, Any], function: Callable[..., Any], counter: Counter) -> dict[str, Any]:
    """Ask the function one question."""
    from mnkala.games import Position

    position = Position(question["game"], literal=question["literal"]).play_codes(question["codes"])
    arguments: dict[str, Any] = dict(question["arguments"])
    if "seed" in arguments:
        arguments["rng"] = random.Random(arguments.pop("seed"))
        random.seed()  # a file that uses the module's own generator does not repeat itself
    counter.plays, started = 0, time.perf_counter()
    if question["do"] == "greedy":
        value = greedy(position, function)
    else:
        value = function(position, *arguments.values())
    seconds = time.perf_counter() - started
    if question["do"] == "value":
        value = as_number(value)
    if not isinstance(value, str | float):
        return {"error": "answer", "text": f"returned {short(repr(value))}, which is of type {type(value).__name__}"}
    return {"answer": value, "plays": counter.plays, "seconds": seconds}


def as_number(value: Any) -> Any:
    """A number of any kind as a float; anything else as it is."""
    if isinstance(value, bool | str | bytes) or not hasattr(type(value), "__float__"):
        return value if not isinstance(value, str) else [value]
    return float(value)


def greedy(position: Any, heuristic: Callable[[Any], Any]) -> str:
    """The move after which the heuristic likes the position best: how a heuristic plays on the ladder."""
    def worth(move: str) -> float:
        child = position.play(move)
        if child.is_over:
            margin = child.outcome.margin if position.mover == 0 else -child.outcome.margin
            return float(margin) * 1e12
        value = float(heuristic(child))
        return value if child.mover == position.mover else -value

    return max(position.legal_moves, key=worth)


def describe(error: BaseException) -> tuple[str, str]:
    """What kind of trouble an exception means, and the text for the student: the error and the line of the file."""
    if isinstance(error, MemoryError):
        return "memory", "ran out of memory"
    if isinstance(error, SystemExit):
        return "exit", "called sys.exit"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename.endswith("student.py")]
    where = f" in line {lines[-1]}" if lines else f" in line {error.lineno}" if isinstance(error, SyntaxError) else ""
    try:
        said = str(error)
    except Exception:
        said = ""
    return "raised", short(f"raised {type(error).__name__}{where}" + (f": {said}" if said else ""))


def serve(channel: Channel, setup: dict[str, Any]) -> None:
    """Load the file and answer questions until there are no more."""
    folder = os.path.realpath(os.getcwd())
    counter = Counter()
    arm = set_guard(channel, folder)
    set_limits(int(setup["memory"]))
    limit_processor(float(setup["seconds"]))
    channel.write(ready=True)
    question = channel.read()
    if question is None:
        return
    arm()
    try:
        function = load(os.path.join(folder, "student.py"), str(setup["function"]))
        channel.write(loaded=True)
    except BaseException as error:
        kind, text = describe(error)
        channel.write(error=kind, text=text)
        return
    while question := channel.read():
        limit_processor(float(question["seconds"]))
        try:
            said = answer(question, function, counter)
        except BaseException as error:
            kind, text = describe(error)
            said = {"error": kind, "text": text}
        channel.write(**said)


def main() -> None:
    """Run as a script."""
    channel = Channel()
    setup = channel.read()
    if setup is None:
        return
    sys.path[:] = setup["paths"]
    sys.dont_write_bytecode = True
    import mnkala.games  # noqa: F401  before any limit is set

    serve(channel, setup)
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
