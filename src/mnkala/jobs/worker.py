"""The worker: a process that calls functions on request, one line of JSON a job.

`python -m mnkala.jobs` reads jobs from standard input and answers on what was standard output;
prints of the functions go to standard error. The worker ends when its parent is gone, even in the
middle of a job: the job is interrupted as by Ctrl-C, so that it can end what it has started, and
compiled code, which does not hear that, is ended a second later. The same `call` runs in this
process, in the caller's, and on a Dask cluster, so all of them give the same results.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.metadata
import json
import os
import platform
import signal
import time
import traceback
from collections.abc import Callable
from typing import Any

from mnkala.errors import MnkalaError
from mnkala.jobs.parent import Parent
from mnkala.unexpected_errors import in_one_line

FAREWELL = 1.0
"""Seconds that an interrupted job has to end what it started."""


def find_function(name: str) -> Callable[..., Any]:
    """The function that "module:name" names."""
    module, _, attribute = name.partition(":")
    try:
        function = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise MnkalaError(f"there is no function {name}: {error}") from None
    if not callable(function):
        raise MnkalaError(f"{name} is not a function")
    return function


def call(function: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Call a function; return its result as JSON text or its error in words, with the duration and
    the machine."""
    started = time.perf_counter()
    result = error = None
    try:
        result = to_json(find_function(function)(**arguments))
    except MnkalaError as problem:
        error = str(problem) or type(problem).__name__
    except (Exception, SystemExit) as problem:
        error = _in_words(problem)
    return {
        "result": result,
        "error": error,
        "seconds": time.perf_counter() - started,
        "machine": machine(),
    }


def to_json(value: Any) -> str:
    """Encode a result as JSON, with NumPy's numbers as plain ones; refuse anything that JSON cannot
    express."""
    try:
        return json.dumps(value, allow_nan=False, ensure_ascii=False, default=_plain)
    except (TypeError, ValueError) as error:
        raise MnkalaError(f"the result is not JSON: {error}") from None


def _plain(value: Any) -> Any:
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"a value of type {type(value).__name__}")


def _in_words(problem: BaseException) -> str:
    """Describe an unexpected error and where it arose, in one line."""
    last = traceback.extract_tb(problem.__traceback__)[-1]
    return f"{in_one_line(problem)} ({os.path.basename(last.filename)}, line {last.lineno})"


@functools.cache
def machine() -> str:
    """Describe this machine in one line: processor, cores, system, versions."""
    try:
        version = importlib.metadata.version("mnkala")
    except importlib.metadata.PackageNotFoundError:
        version = "from source"
    return (
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
        f"{platform.python_implementation()} {platform.python_version()}, mnkala {version}"
    )


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as info:
            for line in info:
                if line.startswith("model name"):
                    return " ".join(line.partition(":")[2].split())
    except OSError:
        pass
    return platform.processor() or platform.machine()


def main() -> None:
    """Answer jobs from the parent until it is gone."""
    parent = Parent()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # A shell may have it ignored.
    with contextlib.suppress(KeyboardInterrupt):
        jobs = parent.follow(FAREWELL)
        while job := jobs.get():
            parent.tell(call(**job))
    os._exit(0)
