"""The command `mnkala`. Nothing here imports more than a command needs: help must cost nothing."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence

from mnkala.cli.front_page import ASKED_FOR, print_front_page
from mnkala.cli.interrupts import INTERRUPTED, watch_interrupts
from mnkala.errors import MnkalaError
from mnkala.numbers import shortened

BAD_INPUT = 2


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit: 0 for success, 1 for a negative answer, 2 for bad input, 130 for Ctrl-C."""
    watch_interrupts()
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def gomocup_main() -> None:
    """The command `mnkala-gomocup`, for managers that start a brain by a path: `mnkala gomocup`, with its options if there are any."""
    main(["gomocup", *sys.argv[1:]])


def run(arguments: Sequence[str]) -> int:
    """Run a command; its exit status. Errors that a user can put right are one sentence on standard error."""
    warnings.showwarning = lambda message, *rest, **more: print(f"mnkala: warning: {message}", file=sys.stderr)
    try:
        status = _call(arguments)
        sys.stdout.flush()
        return status
    except MnkalaError as error:
        print(f"mnkala: {error}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("\nmnkala: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`mnkala … | head`): leave quietly, also when Python flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        # A file that cannot be read or written, a full disk: nothing that a traceback explains better.
        print(f"mnkala: {f'{shortened(str(error.filename), 200)}: ' if error.filename else ''}{error.strerror or error}", file=sys.stderr)
        return BAD_INPUT
    except (UnicodeEncodeError, UnicodeDecodeError) as error:
        # A name with bytes that are no text, or a file of another encoding.
        print(f"mnkala: this is not text in UTF-8: {shortened(repr(error.object), 200)}", file=sys.stderr)
        return BAD_INPUT
    except Exception as error:
        return _blame(error)


def _call(arguments: Sequence[str]) -> int:
    """Find the command and call it; what Cyclopts itself refuses it has told already."""
    if list(arguments) in ASKED_FOR:
        print_front_page()
        return 0
    from cyclopts import CycloptsError

    from mnkala.cli.commands import app

    try:
        status = app(arguments, exit_on_error=False, print_error=True)
    except CycloptsError:
        return BAD_INPUT
    return status if isinstance(status, int) else 0


def _blame(error: Exception) -> int:
    """A plug-in's mistake is told in a sentence; a fault of ours keeps its traceback."""
    from mnkala.games.blame import blame

    found = blame(error)
    if found is None:
        raise error
    print(f"mnkala: {found}", file=sys.stderr)
    return BAD_INPUT
