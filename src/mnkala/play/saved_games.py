"""Running games as rows of the file of games, and back; the terminal's own games in that file;
records of many games in one text.

The page saves its games through `web/transactions.py`, the terminal through `SavedGame`, after
every change. Both use one file, so each finds and continues the other's games.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import hashlib
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from mnkala.core import Position, Record, Rules, parse_game
from mnkala.core.record import record_text
from mnkala.errors import MnkalaError, did_you_mean
from mnkala.explain.words import say
from mnkala.numbers import shortened
from mnkala.play.clock import Clock
from mnkala.play.game_filter import Wanted
from mnkala.play.game_state import GameState
from mnkala.play.opening_rule import name_and_state, read_opening
from mnkala.play.players import HUMAN, Player, parse_player, read_nickname
from mnkala.play.store import DamagedRow, Details, Row, Store, Update, games_file

LAST = "last"
"""The name under which commands know the game that was played last."""
NEWEST, FEW = 50, 3
"""The number of games among which a name is looked up, and the number that an error lists."""
ReadPlayer = Callable[[str, Rules], Player]


def now_text() -> str:
    """The current time in the form that rows use."""
    return time_text(datetime.datetime.now(datetime.UTC))


def time_text(moment: datetime.datetime) -> str:
    """A time in the form that rows use; later times sort after earlier ones."""
    return moment.isoformat(timespec="microseconds")


# ---- Games and rows ----


def columns_of(game: GameState) -> dict[str, Any]:
    """The columns of a row that hold the game itself."""
    position, (first, second), clock, now = (
        game.position,
        game.players,
        game.clock,
        time.monotonic(),
    )
    times = (
        None
        if clock is None
        else (clock.seconds, clock.increment, (clock.remaining(0, now), clock.remaining(1, now)))
    )
    more = Details(
        turn=game.turn,
        resigned=game.resigned,
        out_of_time=game.out_of_time,
        undone=[*game.undone],
        paused=game.paused,
        pace=game.pace,
        clock=times,
        fault=game.fault,
        opening=None if game.opening_rule is None else str(game.opening_rule),
        unaided=game.unaided,
        rematch=game.rematch,
        undo_asked=game.undo_asked,
        draw_asked=game.draw_asked,
        agreed=game.agreed,
    )
    return {
        "game": position.game,
        "start": position.start_literal,
        "moves": position.moves,
        "first": first.name,
        "second": second.name,
        "first_nickname": first.nickname,
        "second_nickname": second.nickname,
        "first_owner": game.owners[0],
        "second_owner": game.owners[1],
        "invitation": game.invitation,
        "over": game.is_over,
        "result": game.result,
        "played": len(position.history),
        "more": more,
    }


def new_row(
    game: GameState,
    game_id: str | None = None,
    *,
    linked: bool = False,
    watchable: bool = False,
    here: bool = True,
) -> Row:
    """Make the first row of a game."""
    moment = now_text()
    return Row(
        **columns_of(game),
        id=game_id or secrets.token_hex(6),
        linked=linked,
        watchable=watchable,
        here=here,
        revision=1,
        created=moment,
        updated=moment,
    )


def next_row(row: Row, game: GameState) -> Row:
    """The new row of a game that has changed."""
    return dataclasses.replace(
        row, **columns_of(game), revision=row.revision + 1, updated=now_text()
    )


def state_of(row: Row, read_player: ReadPlayer) -> GameState:
    """The game saved in a row. The caller decides who may be a player in it."""
    rules, more = parse_game(row.game), row.more
    first, second = read_player(row.first, rules), read_player(row.second, rules)
    return GameState(
        Position(rules, literal=row.start or None).play(row.moves),
        (
            dataclasses.replace(first, nickname=row.first_nickname),
            dataclasses.replace(second, nickname=row.second_nickname),
        ),
        read_opening(more.opening, rules),
        None if more.clock is None else Clock(*more.clock),
        more.turn,
        more.resigned,
        more.out_of_time,
        more.fault,
        tuple(more.undone),
        more.unaided,
        pace=more.pace,
        paused=more.paused,
        owners=(row.first_owner, row.second_owner),
        invitation=row.invitation,
        undo_asked=more.undo_asked,
        rematch=more.rematch,
        draw_asked=more.draw_asked,
        agreed=more.agreed,
    )


def record_of(row: Row) -> str:
    """The record of a saved game, without playing it again."""
    tags = [
        ("first", row.first_nickname or row.first),
        ("second", row.second_nickname or row.second),
        ("date", row.created[:10]),
    ]
    if row.ending is not None and row.ending != "rules":
        tags.append(("ending", row.more.fault or row.ending))
    if row.more.opening is not None:
        tags.append(("opening", name_and_state(row.more.opening)[0]))
    return record_text(row.game, row.start, row.moves, row.result, tags)


def recorded_game(record: Record, read_player: ReadPlayer) -> GameState:
    """The game of a record. A player whose name is not that of an engine is a person."""
    tags = dict(record.tags)
    first, second = (
        _player_of(tags.get(side, HUMAN), record.position.rules, read_player)
        for side in ("first", "second")
    )
    game = GameState(record.position, (first, second), unaided=not record.position.history_codes)
    if record.position.is_over or record.result == "*":
        return game
    if record.result not in ("1-0", "0-1"):
        return dataclasses.replace(game, agreed=True)
    ending = tags.get("ending", "resignation")
    return dataclasses.replace(
        game,
        resigned=int(record.result == "1-0"),
        out_of_time=ending == "time",
        fault=None if ending in ("resignation", "time") else ending,
    )


def _player_of(name: str, rules: Rules, read_player: ReadPlayer) -> Player:
    try:
        return read_player(name, rules)
    except MnkalaError:
        with contextlib.suppress(MnkalaError):
            return Player(HUMAN, nickname=read_nickname(name[:24]))
        return Player(HUMAN)


# ---- Games of the terminal ----


class SavedGame:
    """A game of the terminal and its row. The file is open only while something is read or
    written, because another program may need it."""

    def __init__(self, row: Row | None = None, game_id: str | None = None) -> None:
        self.row = row
        self.id = row.id if row else game_id or secrets.token_hex(6)

    def save(self, game: GameState) -> None:
        """Save any changes once a move was made; raises NotSaved, or ChangedElsewhere if another
        program was quicker."""
        old = self.row
        if old is None:
            if not game.position.history_codes:
                return
            row = new_row(game, self.id)
        else:
            row = next_row(old, game)
            if _saved_values(row) == _saved_values(old):
                return
            row = dataclasses.replace(
                row, more=msgspec.structs.replace(row.more, turn=max(game.turn, old.more.turn + 1))
            )
        with open_store() as store:
            store.write([row if old is None else Update(row, old.revision)])
        self.row = row

    def changed_elsewhere(self) -> GameState | None:
        """The game as another program has changed it, if one has."""
        if self.row is None:
            return None
        with open_store() as store:
            if store.revision(self.id) in (self.row.revision, None):
                return None
            row = store.load(self.id)
        if not isinstance(row, Row):
            return None
        self.row = row
        return state_of(row, parse_player)


def _saved_values(row: Row) -> tuple[object, ...]:
    """The values that must have changed for a game to be saved again."""
    return (
        row.moves,
        row.result,
        row.first,
        row.first_nickname,
        row.second_nickname,
        row.more.undone,
        row.more.opening,
        row.more.unaided,
    )


@contextlib.contextmanager
def open_store() -> Iterator[Store]:
    """Open the games of this user, including those that older versions kept in separate files."""
    with contextlib.closing(Store(games_file())) as store:
        take_in_files(store)
        yield store


def saved_games(wanted: Wanted, limit: int) -> list[Row | DamagedRow]:
    """The newest games of this computer, from its page and from its terminal."""
    with open_store() as store:
        return store.listed(dataclasses.replace(wanted, here=True), limit)


def find_saved_game(name: str) -> Row | None:
    """A saved game by its id, or the one that was played `last`; None if no game has the id. Raises
    MnkalaError for a game that cannot be opened, and for `last` if no game was played."""
    if name == LAST:
        found = next(
            (row for row in saved_games(Wanted(), NEWEST) if isinstance(row, Row) and row.played),
            None,
        )
        if found is None:
            raise MnkalaError("no game is saved yet; `mnkala play connect4` begins one")
        return found
    with open_store() as store:
        row = store.load(name)
    if isinstance(row, DamagedRow):
        raise MnkalaError(f"game {name!r} cannot be opened: {row.why}")
    return row


def no_saved_game(name: str) -> MnkalaError:
    """The error for a name that no saved game has; it suggests a similar name and the newest
    games."""
    ids = [row.id for row in saved_games(Wanted(), NEWEST) if isinstance(row, Row)]
    listed = (
        f"the newest are {', '.join(ids[:FEW])}; `mnkala saved` lists them"
        if ids
        else "none is saved yet"
    )
    return MnkalaError(
        f"no saved game is called '{shortened(name)}'; {did_you_mean(name, [LAST, *ids], listed)}"
    )


def last_unfinished() -> Row | None:
    """The most recently played unfinished game of this computer."""
    return next(
        (
            row
            for row in saved_games(Wanted(state="going"), NEWEST)
            if isinstance(row, Row) and not row.linked
        ),
        None,
    )


def open_saved_game(row: Row) -> tuple[SavedGame, GameState]:
    """Open a saved game to continue it in the terminal; raises MnkalaError for an unfinished game
    by link, which only the page can continue."""
    if row.linked and not row.over:
        raise MnkalaError(
            f"game {row.id!r} is played by two people by a link; continue it on the page (`mnkala web`)"
        )
    return SavedGame(row), state_of(row, parse_player)


def saved_game_of(file: Path | None) -> SavedGame:
    """The row in which a game of the terminal is saved: a new one, or that of the file it came
    from."""
    if file is None:
        return SavedGame()
    with contextlib.suppress(MnkalaError):
        return SavedGame(find_saved_game(file_id(file)), file_id(file))
    return SavedGame(game_id=file_id(file))


def one_line(row: Row, say_name: Callable[[Row, int], str], language: str = "en") -> str:
    """Describe a saved game in one line, for the terminal's lists; `say_name` gives the name of the
    player on a side."""
    moment = datetime.datetime.fromisoformat(row.updated).astimezone().strftime("%Y-%m-%d %H:%M")
    moves = say(
        "page.games_one_move" if row.played == 1 else "page.games_moves", language, count=row.played
    )
    return f"{moment}  {row.game}  {say_name(row, 0)} – {say_name(row, 1)}  {moves}  {row.result}"


# ---- Records ----


def row_of_record(
    record: Record,
    read_player: ReadPlayer,
    game_id: str | None = None,
    moment: datetime.datetime | None = None,
) -> Row:
    """Make the row of a game from its record. It counts as a game of this computer; `moment` is
    when it was last changed, by default now."""
    row = new_row(recorded_game(record, read_player), game_id)
    updated = row.updated if moment is None else time_text(moment)
    created = updated
    with contextlib.suppress(ValueError):
        created = time_text(
            datetime.datetime.fromisoformat(dict(record.tags).get("date", "")).replace(
                tzinfo=datetime.UTC
            )
        )
    return dataclasses.replace(row, created=created, updated=updated)


def records_text(rows: Iterable[Row | DamagedRow]) -> str:
    """The records of many games, one after the other, separated by empty lines."""
    return "\n".join(record_of(row) for row in rows if isinstance(row, Row))


def file_id(path: Path) -> str:
    """The id of the game that a file holds."""
    return hashlib.sha256(str(path.expanduser().resolve()).encode()).hexdigest()[:12]


def take_in_files(store: Store) -> None:
    """Import the games that the terminal of older versions kept, one file a game. The files
    stay; unreadable ones are tried again next time."""
    folder = store.path.parent / "games"
    try:
        files = {path.name: path for path in folder.glob("*.txt")} if folder.is_dir() else {}
    except OSError:
        return
    new: dict[str, Row] = {}
    for name in sorted(files.keys() - store.files_taken_in()) if files else ():
        with contextlib.suppress(MnkalaError, OSError):
            written = datetime.datetime.fromtimestamp(files[name].stat().st_mtime, datetime.UTC)
            new[name] = row_of_record(
                Record.load(files[name]), parse_player, file_id(files[name]), written
            )
    if new:
        store.take_in(new)
