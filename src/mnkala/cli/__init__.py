"""The command `mnkala`. Nothing here imports more than a command needs, so that help is quick."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import warnings
from collections.abc import Sequence

from mnkala.cli.interrupts import INTERRUPTED, end_at_once, watch_interrupts
from mnkala.errors import MnkalaError
from mnkala.numbers import shortened

BAD_INPUT = 2


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit: 0 for success, 1 for a negative answer, 2 for bad input, 130 for
    Ctrl-C.
    """
    prepare_streams()
    status = INTERRUPTED
    try:
        watch_interrupts()
        status = run(sys.argv[1:] if arguments is None else arguments)
        end_at_once()
    except KeyboardInterrupt:
        pass  # it came while `run` was telling what went wrong
    finally:
        end_at_once()
        _forget_output()
    sys.exit(status)


def gomocup_main() -> None:
    """The command `mnkala-gomocup`, for managers that start a brain by a path: `mnkala gomocup`
    with the given options."""
    main(["gomocup", *sys.argv[1:]])


def prepare_streams() -> None:
    """Make the standard streams fit for every command: a closed one becomes the null device,
    output is flushed after every line, also into a file or a pipe, and a character that the
    encoding does not have is printed as its number."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            nothing = open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, nothing)
            setattr(sys, f"__{name}__", nothing)
    if isinstance(sys.stdout, io.TextIOWrapper):
        knows_all = sys.stdout.encoding.lower().startswith("utf")
        sys.stdout.reconfigure(
            line_buffering=True, errors=None if knows_all else "backslashreplace"
        )


def run(arguments: Sequence[str]) -> int:
    """Run a command and return its exit status. Errors that a user can fix become one sentence
    on standard error."""
    warnings.showwarning = lambda message, *rest, **more: _tell(f"warning: {message}")
    try:
        status = _call(arguments)
        sys.stdout.flush()
        return status
    except MnkalaError as error:
        _tell(str(error))
        return BAD_INPUT
    except KeyboardInterrupt:
        _tell("interrupted", before="\n")
        return INTERRUPTED
    except BrokenPipeError:
        return 0  # the reader went away (`mnkala … | head`)
    except OSError as error:
        # A file that cannot be read or written, a full disk: nothing that a traceback explains
        # better.
        _tell(
            f"{f'{shortened(str(error.filename), 200)}: ' if error.filename else ''}{error.strerror or error}"
        )
        return BAD_INPUT
    except (UnicodeEncodeError, UnicodeDecodeError) as error:
        # A name with bytes that are no text, or a file of another encoding.
        _tell(f"this is not text in {error.encoding.upper()}: {shortened(repr(error.object), 200)}")
        return BAD_INPUT
    except Exception as error:
        return _blame(error)


def _call(arguments: Sequence[str]) -> int:
    """Find the command and call it."""
    from cyclopts import CycloptsError

    from mnkala.cli.commands import Console, command_line
    from mnkala.cli.mistakes import mistake, understood

    words = understood(arguments)
    try:
        status = command_line(front_page=words == ["--help"])(words, console=Console())
    except CycloptsError as error:
        raise mistake(error) from error
    return status if isinstance(status, int) else 0


def _blame(error: Exception) -> int:
    """Report a plug-in's mistake in a sentence; an error of mnkala itself keeps its traceback."""
    from mnkala.core.plugins import blame

    found = blame(error)
    if found is None:
        raise error
    _tell(str(found))
    return BAD_INPUT


def _tell(text: str, before: str = "") -> None:
    """Write a message to standard error, if that is open."""
    with contextlib.suppress(OSError):
        print(f"{before}mnkala: {text}", file=sys.stderr)


def _forget_output() -> None:
    """Drop output that nobody reads, so that Python does not try to write it again, and fail, on
    exit."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            try:
                stream.flush()
            except OSError:
                os.dup2(nothing, stream.fileno())
    os.close(nothing)
