"""The process in which an agent of Kaggle's ConnectX lives.

`main` runs there: it bounds itself (`jobs/parent.py`), loads the file as Kaggle does, where the
last thing in it that can be called is the agent, and answers questions, a line of JSON each. What
the file prints goes to standard error, which nobody reads, so that it cannot be taken for an
answer. `kaggle.py` is at the other end of the pipes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mnkala.jobs.parent import LONGEST_TEXT, Parent, limit_memory, raised
from mnkala.numbers import shortened

START = "import sys; sys.path.insert(0, sys.argv[1]); from mnkala.families.connect.kaggle_process import main; main()"


class Struct(dict[str, Any]):
    """A dictionary whose entries are attributes too, as agents receive it."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def command(file: Path, memory: int) -> list[str]:
    """The command that starts the process of an agent; `memory` is in megabytes, 0 for no limit."""
    return [
        sys.executable,
        "-P",
        "-B",
        "-c",
        START,
        str(Path(__file__).resolve().parents[3]),
        str(file),
        str(memory),
    ]


def main() -> None:
    """Run the process: set the limits, load the agent, answer questions."""
    file, memory = sys.argv[2], int(sys.argv[3])
    parent = Parent()
    if memory:
        limit_memory(memory << 20)
    try:
        agent = load(file)
    except BaseException as error:
        parent.tell(described(error, file))
        return
    parent.tell({"ready": True})
    for question in parent.messages():
        try:
            parent.tell(answer(agent, question))
        except BaseException as error:
            parent.tell(described(error, file))


def load(file: str) -> Callable[..., Any]:
    """Load a file; return its agent, the last thing in it that can be called."""
    sys.path.append(os.path.dirname(file))
    names: dict[str, Any] = {}
    exec(compile(Path(file).read_text(encoding="utf-8"), file, "exec"), names)
    found = [value for value in names.values() if callable(value)]
    if not found:
        raise TypeError("there is no function in the file")
    return found[-1]


def answer(agent: Callable[..., Any], question: dict[str, Any]) -> dict[str, Any]:
    """Call the agent, which may take the observation alone, and return its answer."""
    arguments = [Struct(question["observation"]), Struct(question["configuration"])]
    code = getattr(agent, "__code__", None)
    action = agent(*arguments[: code.co_argcount] if code is not None else arguments)
    if type(action) is int:
        return {"action": action}
    return {"returned": shortened(f"{action!r} of type {type(action).__name__}", LONGEST_TEXT)}


def described(error: BaseException, file: str) -> dict[str, Any]:
    """Describe an exception, with the line of the file."""
    if isinstance(error, MemoryError):
        return {"memory": True}
    return {"raised": raised(error, file)}
