"""An unexpected error in one short line. What a compiler says fills pages and helps nobody who
plays: it goes into a log.
"""

from __future__ import annotations

import contextlib
import datetime
import re
import traceback

from mnkala.errors import printable
from mnkala.folders import cache_base

LONGEST = 300
"""Characters of another program's error that are repeated at most."""
COMPILERS = ("numba", "llvmlite")
LOG = "compiler.log"
LARGEST_LOG = 256 * 1024
"""Bytes; beyond that the older half is forgotten."""
SEE_LOG = f"{LOG} in mnkala's cache folder says why"


def in_one_line(error: BaseException) -> str:
    """The kind of an error and what it says, in a line of bounded length."""
    if is_of_compiler(error):
        keep_in_log(error)
        return f"something cannot be compiled; {SEE_LOG}"
    text = " ".join(str(error).split())
    return printable(
        (f"{type(error).__name__}: {text}" if text else type(error).__name__)[:LONGEST]
    )


def is_of_compiler(error: BaseException) -> bool:
    """Whether a compiler refused some code, or broke on it."""
    if type(error).__module__.partition(".")[0] in COMPILERS:
        return True
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return (
        last is not None
        and str(last.tb_frame.f_globals.get("__name__")).partition(".")[0] in COMPILERS
    )


def keep_in_log(error: BaseException) -> None:
    """Write all that a compiler said into the log, for whoever mends the code. A log that cannot be
    written is no new error.
    """
    with contextlib.suppress(OSError):
        path = cache_base() / LOG
        path.parent.mkdir(parents=True, exist_ok=True)
        old = path.read_bytes() if path.is_file() else b""
        said = f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d %H:%M:%S} UTC\n{''.join(traceback.format_exception(error))}\n"
        path.write_bytes(
            (old[-LARGEST_LOG // 2 :] if len(old) > LARGEST_LOG else old)
            + said.encode(errors="replace")
        )


def essence(error: BaseException) -> str:
    """What a compiler says, without where it looked, for those who wrote the code: it nests its
    reasons, and the last one is the cause.
    """
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    last = max(
        (place for place, line in enumerate(lines) if "Failed in nopython mode" in line), default=-1
    )
    cause = [line for line in lines[last + 1 :] if not line.startswith(("During:", "File "))]
    if not cause:
        return "the compiler gives no reason"
    signature = next(
        (line.removeprefix(">>>").strip() for line in cause if line.startswith(">>>")), ""
    )
    first = re.sub(r"Function\((.*)\)", r"\1", cause[0])
    return printable((f"{first} {signature}" if first.endswith(":") else first)[:LONGEST])
