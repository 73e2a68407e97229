"""The table of a tournament on a terminal: live above a bar while games are played, and once more
at the end.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from typing import Any

from rich.console import Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from mnkala.arena.ratings import Standings
from mnkala.arena.tournament import Tournament
from mnkala.cli.arguments import tell_failures
from mnkala.cli.commands import Console
from mnkala.jobs import PlainProgress, Progress, RichProgress
from mnkala.numbers import counted
from mnkala.play.clock import in_seconds
from mnkala.terminal.environment import output_width

REFRESH_SECONDS = 0.5
"""The seconds between two updates of the table: ratings take some milliseconds."""
MOST_FAULTS = 10
UNPLAYED = "some games could not be played and are left alone until the same command with --retry:"
PADDING = 3
"""The characters around the text of a cell: a space on either side, and a line."""


def rich_table(title: str, standings: Standings) -> Table:
    """A table with place, name, rating with its 95 % interval, points, games, and what was
    spent. Columns without entries are left out, and so are the last columns if a name would have
    to be split for them."""
    table = Table(title=Text(title), title_justify="left", title_style="bold")
    names, numbers = [row.name for row in standings.rows], _numbers(standings)
    places = [str(place) for place in range(1, len(names) + 1)]
    room = output_width() - _width(places) - _width(["player", *names]) - 1
    while len(numbers) > 1 and sum(map(_width, numbers)) > room:
        numbers.pop()
    table.add_column("", justify="right")
    table.add_column("player", overflow="fold")
    for head, *_ in numbers:
        table.add_column(head, justify="right", no_wrap=True)
    for place, name, *cells in zip(places, names, *(cells for _, *cells in numbers), strict=True):
        table.add_row(place, Text(name), *cells)
    return table


def _numbers(standings: Standings) -> list[list[str]]:
    """The columns after the names that have entries: a heading, and a cell for each row."""
    rows = []
    for row in standings.rows:
        result, half = row.result, (row.high - row.low) / 2
        spent = (
            (in_seconds(row.spent.mean), in_seconds(row.spent.longest))
            if row.spent.moves
            else ("", "")
        )
        counts = (
            f"{result.points:g}/{result.games}",
            f"{result.wins} {result.draws} {result.losses}",
            str(row.faults or ""),
        )
        rows.append(
            (f"{row.elo:+z.0f}", f"±{half:.0f}", *counts, *spent)
            if result.games
            else ("", "", "0/0", *[""] * 4)
        )
    heads = ("Elo", "95 %", "points", "+ = -", "faults", "a move", "longest")
    columns = [[head, *cells] for head, *cells in zip(heads, *rows, strict=True)]
    return [column for column in columns if any(column[1:])]


def _width(cells: Iterable[str]) -> int:
    """The characters of a column with its padding and its line."""
    return max(map(len, cells), default=0) + PADDING


def print_table(title: str, standings: Standings) -> None:
    """Print the table to standard output."""
    Console(width=output_width()).print(rich_table(title, standings))


class LiveTable(RichProgress):
    """A table above a progress bar, both kept up to date."""

    def __init__(self, label: str, title: Callable[[Tournament], str]) -> None:

        super().__init__(label, refreshes=False)
        self.title, self.looked = title, 0.0
        self.table: Any = Text("")
        self.live = Live(
            get_renderable=lambda: Group(self.table, self.bar),
            console=Console(stderr=True),
            refresh_per_second=4,
            transient=True,
        )

    def begin(self, total: int, kept: int) -> None:
        self.bar.reset(self.task, total=total, completed=kept)
        self.live.start()

    def see(self, tournament: Tournament) -> None:
        """Update the table, if some time has passed since the last update."""
        now = time.monotonic()
        if now - self.looked >= REFRESH_SECONDS:
            self.table = rich_table(self.title(tournament), tournament.standings())
            self.looked = time.monotonic()

    def end(self) -> None:
        self.live.stop()


def progress_of(
    label: str, title: Callable[[Tournament], str]
) -> tuple[Progress, Callable[[Tournament], None] | None]:
    """The display of a tournament's progress: the live table on a terminal, plain lines
    elsewhere; and the function that is called with every state."""
    if sys.stderr.isatty():
        table = LiveTable(label, title)
        return table, table.see
    return PlainProgress(label, noun="game"), None


def tell_faults(tournament: Tournament) -> None:
    """Report on standard error which players lost by a fault, and which games could not be
    played."""
    for fault in tournament.faults[:MOST_FAULTS]:
        print(fault, file=sys.stderr)
    if len(tournament.faults) > MOST_FAULTS:
        print(f"and {counted(len(tournament.faults) - MOST_FAULTS, 'fault')} more", file=sys.stderr)
    tell_failures(tournament.failures, UNPLAYED)
