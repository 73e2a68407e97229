"""The process in which one student's file runs. It answers questions; it never sees a test, a mark
or another student.

`process.py` starts it with `python -I` in an empty folder. It reads questions from its standard
input, one to a line, and writes answers to its standard output. Both are moved out of the way
before the student's file is loaded, so that `print` and `input` cannot disturb them. What the file
prints goes to standard error, which the other side reads and limits.

Before it loads the file it enters the layers of isolation that this machine offers (`sandbox.py`),
which the file cannot leave, and sets the limits and the guard (`guard.py`).
"""

from __future__ import annotations

import errno
import importlib.util
import os
import random
import sys
import time
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

from mnkala.core import Position
from mnkala.core.registry import families
from mnkala.jobs.parent import LONGEST_TEXT, Parent, limit_processor, raised
from mnkala.numbers import shortened
from mnkala.school import sandbox
from mnkala.school.guard import DISK_TEXT, set_guard, set_limits


class Channel:
    """The connection to the grader."""

    def __init__(self) -> None:
        self.parent = Parent()
        self.token = ""

    def read(self) -> dict[str, Any] | None:
        """The next question, or None when the grader is gone."""
        question: dict[str, Any] | None = next(self.parent.messages(), None)
        if question is not None:
            self.token = question["token"]
        return question

    def write(self, **answer: Any) -> None:
        """Write one answer. The token says which question it belongs to."""
        self.parent.tell({"token": self.token} | answer)


# ---- Answering questions ----


def load(path: str, function: str) -> Callable[..., Any]:
    """Load the student's file and return its function."""
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


class PlayedMoves:
    """Counts every move that the student's code plays on any `Position`, by replacing the method
    that plays moves.
    """

    def __init__(self) -> None:
        self.count = 0
        play = Position.play_codes

        def counted(position: Position, moves: Iterable[int]) -> Position:
            codes = tuple(moves)
            self.count += len(codes)
            return play(position, codes)

        Position.play_codes = counted  # type: ignore[method-assign, assignment]


def answer(
    question: dict[str, Any], function: Callable[..., Any], played: PlayedMoves
) -> dict[str, Any]:
    """Call the student's function for one question; return its answer and cost, or an error."""
    position = Position(question["game"], literal=question["literal"]).play_codes(question["codes"])
    arguments: dict[str, Any] = dict(question["arguments"])
    if "seed" in arguments:
        arguments["rng"] = random.Random(arguments.pop("seed"))
        random.seed()  # A file that uses the module's own generator must not repeat itself.
    played.count, started = 0, time.perf_counter()
    if question["do"] == "greedy":
        value = greedy(position, function)
    else:
        value = function(position, *arguments.values())
    seconds = time.perf_counter() - started
    if question["do"] == "value":
        value = as_number(value)
    if not isinstance(value, str | float):
        return {
            "error": "answer",
            "text": f"returned {shortened(repr(value), LONGEST_TEXT)}, which is of type {type(value).__name__}",
        }
    return {"answer": value, "plays": played.count, "seconds": seconds}


def as_number(value: Any) -> Any:
    """Convert a number of any type to a float; return anything else unchanged."""
    if isinstance(value, bool | str | bytes) or not hasattr(type(value), "__float__"):
        return value if not isinstance(value, str) else [value]
    return float(value)


def greedy(position: Any, heuristic: Callable[[Any], Any]) -> str:
    """The move after which the heuristic rates the position best: how a heuristic plays on the
    ladder."""

    def worth(move: str) -> float:
        child = position.play(move)
        if child.is_over:
            margin = child.outcome.margin if position.mover == 0 else -child.outcome.margin
            return float(margin) * 1e12
        value = float(heuristic(child))
        return value if child.mover == position.mover else -value

    return max(position.legal_moves, key=worth)


def describe(error: BaseException) -> tuple[str, str]:
    """Classify an exception; return the kind of trouble and the text for the student, with the
    error and the line of the file."""
    if isinstance(error, MemoryError):
        return "memory", "ran out of memory"
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return "disk", DISK_TEXT
    if isinstance(error, SystemExit):
        return "exit", "called sys.exit"
    return "raised", f"raised {raised(error, 'student.py')}"


def serve(channel: Channel, setup: dict[str, Any]) -> None:
    """Load the file and answer questions until there are no more."""
    folder = os.path.realpath(os.getcwd())
    played = PlayedMoves()
    arm = set_guard(lambda why: channel.write(error="forbidden", text=why), folder)
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
            said = answer(question, function, played)
        except BaseException as error:
            kind, text = describe(error)
            said = {"error": kind, "text": text}
        channel.write(**said)


def main() -> None:
    """Run the process. Its last argument is its folder."""
    channel = Channel()
    setup = channel.read()
    if setup is None:
        return
    if "probe" in setup:
        channel.write(**sandbox.probe(sys.argv[-1], setup["probe"]))
        return
    families()  # Games are found by what is installed, which is invisible from here on.
    try:
        if sys.platform == "linux":
            sandbox.enter(setup["layers"], sys.argv[-1], setup["readable"])
    except OSError as error:
        channel.write(
            error="isolation", text=f"cannot be isolated by {', '.join(setup['layers'])}: {error}"
        )
        return
    serve(channel, setup)
    sys.stdout.flush()
    os._exit(0)
