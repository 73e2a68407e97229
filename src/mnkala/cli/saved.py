"""`mnkala saved`: the games played here, on the page and in the terminal; export as one file of
records, and import."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import App, Parameter

from mnkala.cli.arguments import AsJson, OutFile, Within, show
from mnkala.errors import BadRecord, MnkalaError
from mnkala.folders import file_errors, write_text
from mnkala.numbers import counted

if TYPE_CHECKING:
    from mnkala.play.store import Row

EVERYTHING = 1_000_000
saved = App(
    name="saved",
    help="The games that were played at this computer, on the page and in the terminal: list, export, import, "
    "delete.",
)
OfGame = Annotated[
    str | None, Parameter(help="Only games of a family or a game string, such as connect4.")
]
InState = Annotated[
    Literal["going", "finished"] | None,
    Parameter(help="Only games in progress, or only finished ones."),
]
WithText = Annotated[
    str | None,
    Parameter(help="Only games with this in the game string or in the name of a player."),
]


@saved.default
def list_saved(
    *,
    game: OfGame = None,
    state: InState = None,
    text: WithText = None,
    count: Annotated[
        int,
        Parameter(
            name=["--count", "-n"],
            validator=Within(1, EVERYTHING),
            help="How many games to list at most; the newest come first.",
        ),
    ] = 50,
    json: AsJson = False,
) -> None:
    """List the games, the newest first. `mnkala play --resume ID` continues one, `mnkala review ID`
    reviews it.
    """
    from mnkala.play.game_filter import Wanted
    from mnkala.play.saved_games import saved_games
    from mnkala.play.store import DamagedRow

    rows = saved_games(Wanted(game=game, state=state, text=text), count)
    values = [
        {"id": row.id, "unreadable": row.why}
        if isinstance(row, DamagedRow)
        else {
            "id": row.id,
            "game": row.game,
            "first": row.first_nickname or row.first,
            "second": row.second_nickname or row.second,
            "moves": row.moves,
            "result": row.result,
            "ending": row.ending,
            "updated": row.updated,
        }
        for row in rows
    ]
    lines = (
        f"{row.id:<12}  {row.why if isinstance(row, DamagedRow) else in_one_line(row)}"
        for row in rows
    )
    none = f"no saved game {'is like that' if game or state or text else 'yet'}"
    show(json, values, lines if rows else [none])


@saved.command
def export(
    file: OutFile = None,
    *,
    game: OfGame = None,
    state: InState = None,
    text: WithText = None,
) -> None:
    """Write the records of all games, or of some: `mnkala saved export games.txt`."""
    from mnkala.play.game_filter import Wanted
    from mnkala.play.saved_games import records_text, saved_games

    rows = saved_games(Wanted(game=game, state=state, text=text), EVERYTHING)
    if file is None:
        print(records_text(rows), end="")
        return
    write_text(file.expanduser(), records_text(rows))
    print(f"{counted(len(rows), 'game')} written to {file}")


@saved.command(name="import")
def take_in(
    file: Annotated[Path, Parameter(help="A file of records, one after the other.")],
) -> None:
    """Add the games of such a file to the list: `mnkala saved import games.txt`. All of them are
    added, or none.
    """
    from mnkala.core import Record
    from mnkala.play import parse_player
    from mnkala.play.saved_games import open_store, row_of_record

    with file_errors(file, "read", BadRecord):
        text = file.expanduser().read_text(encoding="utf-8")
    rows = [row_of_record(record, parse_player) for record in Record.parse_many(text)]
    with open_store() as store:
        store.write(rows)
    print(f"{counted(len(rows), 'game')} added")


@saved.command
def delete(*games: Annotated[str, Parameter(help="The ids of games.")]) -> None:
    """Forget games for good: `mnkala saved delete ID`."""
    from mnkala.play.saved_games import no_saved_game, open_store

    if not games:
        raise MnkalaError(
            "which games? For example: mnkala saved delete ID; `mnkala saved` lists the ids"
        )
    with open_store() as store:
        for game in games:
            if store.revision(game) is None:
                raise no_saved_game(game)
        store.write(games)
    print(f"{counted(len(games), 'game')} deleted")


def in_one_line(row: Row) -> str:
    """Describe a game in one line, without its id."""
    from mnkala.play.saved_games import one_line

    return one_line(
        row,
        lambda each, side: (each.first_nickname or each.first, each.second_nickname or each.second)[
            side
        ],
    )
