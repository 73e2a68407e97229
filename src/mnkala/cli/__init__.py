"""The command `mnkala`. Nothing here imports NumPy or Numba before a command needs it: help must cost nothing."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence

from cyclopts import App, CycloptsError

from mnkala import __version__
from mnkala.cli import analyse, book, lab, listing, match, play, puzzles, review, school, solve, think, tools, web
from mnkala.cli.interrupts import INTERRUPTED, watch_interrupts
from mnkala.errors import MnkalaError

BAD_INPUT = 2

app = App(
    name="mnkala",
    help="Play, analyse and measure two-player board games.\n\n"
    "Games are named by a game string: `connect4`, `connect4:10x11` (rows x columns), `connect:8x9x5` (rows x columns x line). "
    "Engines by an engine string: `deepening:time=2`, `alphabeta:depth=6,heuristic=basic`.\n\n"
    "Start with `mnkala play connect4`.",
    version=__version__,
    result_action="return_value",
)
app.command(play.play)
app.command(web.web)
app.command(analyse.analyse)
app.command(solve.solve)
app.command(review.review)
app.command(think.think)
app.command(puzzles.puzzles)
app.command(match.match)
app.command(book.book)
app.command(lab.lab)
app.command(school.app)
app.command(listing.games)
app.command(listing.engines)
app.command(listing.heuristics)
app.command(tools.perft)
app.command(tools.check)
app.command(tools.warmup)
app.command(listing.version)
app.register_install_completion_command()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command and exit: 0 for success, 1 for a negative answer, 2 for bad input, 130 for Ctrl-C."""
    watch_interrupts()
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run a command; its exit status. Errors that a user can put right are one sentence on standard error."""
    warnings.showwarning = lambda message, *rest, **more: print(f"mnkala: warning: {message}", file=sys.stderr)
    try:
        status = app(arguments, exit_on_error=False, print_error=True)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except CycloptsError:
        return BAD_INPUT
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
    except Exception as error:
        return _blame(error)


def _blame(error: Exception) -> int:
    """A plug-in's mistake is told in a sentence; a fault of ours keeps its traceback."""
    from mnkala.games.blame import blame

    found = blame(error)
    if found is None:
        raise error
    print(f"mnkala: {found}", file=sys.stderr)
    return BAD_INPUT
