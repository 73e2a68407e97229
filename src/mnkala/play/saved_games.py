"""Running games as rows of the file of games, and back; the terminal's own games in it; records of many games in one text.

The page keeps its games by way of `web/transactions.py`. A game of the terminal is written by `SavedGame` after every change; both are in
one file, so each finds and continues the other's.
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
from mnkala.errors import MnkalaError
from mnkala.explain.words import say
from mnkala.play.clock import Clock
from mnkala.play.controller import USUAL_PACE, Controller
from mnkala.play.game_filter import Wanted
from mnkala.play.match import HUMAN, Match, Player, parse_player
from mnkala.play.nicknames import read_nickname
from mnkala.play.opening_rule import name_and_state, read_opening
from mnkala.play.store import THIS_COMPUTER, DamagedRow, Details, Row, Store, Update, games_file

ReadPlayer = Callable[[str, Rules], Player]


def now_text() -> str:
    """The time as rows have it."""
    return time_text(datetime.datetime.now(datetime.UTC))


def time_text(moment: datetime.datetime) -> str:
    """A moment as rows have it: later ones sort behind earlier ones."""
    return moment.isoformat(timespec="microseconds")


# ---- Games and rows ----


def columns_of(running: Controller) -> dict[str, Any]:
    """What a row says of the game itself."""
    match = running.match
    position, (first, second) = match.position, match.players
    return {"game": position.game, "start": position.start_literal, "moves": position.moves, "first": first.name, "second": second.name,
            "first_nickname": first.nickname, "second_nickname": second.nickname, "over": match.is_over, "result": match.result,
            "played": len(position.history)}


def details_of(running: Controller) -> dict[str, Any]:
    """And what its details say."""
    match, clock, now = running.match, running.clock, time.monotonic()
    times = None if clock is None else (clock.seconds, clock.increment, (clock.remaining(0, now), clock.remaining(1, now)))
    return {"turn": running.turn, "resigned": match.resigned, "out_of_time": match.out_of_time, "undone": [*match.undone],
            "paused": running.paused, "pace": running.pace, "clock": times, "fault": match.fault,
            "opening": None if match.opening_rule is None else str(match.opening_rule), "unaided": match.unaided}


def controller_of(row: Row, read_player: ReadPlayer) -> Controller:
    """The game that a row has saved. Who may be a player in it is the reader's affair."""
    rules, more = parse_game(row.game), row.more
    first, second = read_player(row.first, rules), read_player(row.second, rules)
    match = Match(Position(rules, literal=row.start or None).play(row.moves),
                  (dataclasses.replace(first, nickname=row.first_nickname), dataclasses.replace(second, nickname=row.second_nickname)),
                  read_opening(more.opening, rules))
    match.resigned, match.out_of_time, match.undone, match.fault = more.resigned, more.out_of_time, [*more.undone], more.fault
    match.unaided = more.unaided
    controller = Controller(match, clock_of(row), pace=more.pace, paused=more.paused)
    controller.turn = more.turn
    return controller


def clock_of(row: Row) -> Clock | None:
    """The clock as it stood."""
    times = row.more.clock
    return None if times is None else Clock(times[0], times[1], [*times[2]])


def record_of(row: Row) -> str:
    """The record of a saved game, without playing it again."""
    tags = [("first", row.first_nickname or row.first), ("second", row.second_nickname or row.second), ("date", row.created[:10])]
    if row.ending is not None and row.ending != "rules":
        tags.append(("ending", row.more.fault or row.ending))
    if row.more.opening is not None:
        tags.append(("opening", name_and_state(row.more.opening)[0]))
    return record_text(row.game, row.start, row.moves, row.result, tags)


def match_of(record: Record, read_player: ReadPlayer) -> Match:
    """A game as a record tells it. A player whom no engine is called like is a person of that name."""
    tags = dict(record.tags)
    first, second = (_player_of(tags.get(side, HUMAN), record.position.rules, read_player) for side in ("first", "second"))
    match = Match(record.position, (first, second))
    if not record.position.is_over and record.result in ("1-0", "0-1"):
        ending = tags.get("ending", "resignation")
        match.resigned, match.out_of_time = int(record.result == "1-0"), ending == "time"
        match.fault = None if ending in ("resignation", "time") else ending
    return match


def _player_of(name: str, rules: Rules, read_player: ReadPlayer) -> Player:
    try:
        return read_player(name, rules)
    except MnkalaError:
        with contextlib.suppress(MnkalaError):
            return Player(HUMAN, nickname=read_nickname(name[:24]))
        return Player(HUMAN)


# ---- Games of the terminal ----


class SavedGame:
    """A game of the terminal and its row. The file is open only while something is read or written: another program may want it."""

    def __init__(self, row: Row | None = None, game_id: str | None = None) -> None:
        self.row = row
        self.id = row.id if row else game_id or secrets.token_hex(6)

    def save(self, running: Controller) -> None:
        """Write what has changed, once a move was made; raises NotSaved, or ChangedElsewhere if another program was quicker."""
        new, old = columns_of(running), self.row
        if not (running.match.position.history or old):
            return
        details = Details(**details_of(running), rematch=old.more.rematch if old else None, undo_asked=None)
        details = msgspec.structs.replace(details, turn=max(details.turn, old.more.turn + 1 if old else 0))
        if old is None:
            moment = now_text()
            row = Row(**new, id=self.id, first_owner=THIS_COMPUTER, second_owner=THIS_COMPUTER, invitation=None, linked=False,
                      watchable=False, here=True, revision=1, created=moment, updated=moment, more=details)
        else:
            row = dataclasses.replace(old, **new, more=details)
            if _told(row) == _told(old):
                return
            row = dataclasses.replace(row, revision=old.revision + 1, updated=now_text())
        with open_store() as store:
            store.write([row if old is None else Update(row, old.revision)])
        self.row = row

    def changed_elsewhere(self) -> Controller | None:
        """The game as another program has left it, if one has changed it."""
        if self.row is None:
            return None
        with open_store() as store:
            if store.revision(self.id) in (self.row.revision, None):
                return None
            row = store.load(self.id)
        if not isinstance(row, Row):
            return None
        self.row = row
        return controller_of(row, parse_player)


def _told(row: Row) -> tuple[object, ...]:
    """What must have changed for a game to be written anew."""
    return row.moves, row.result, row.first, row.first_nickname, row.second_nickname, row.more.undone, row.more.opening, row.more.unaided


@contextlib.contextmanager
def open_store() -> Iterator[Store]:
    """The games of this user, with those that older versions left in files of their own."""
    with contextlib.closing(Store(games_file())) as store:
        take_in_files(store)
        yield store


def saved_games(wanted: Wanted, limit: int) -> list[Row | DamagedRow]:
    """The newest games of this computer, those of its page and those of its terminal."""
    with open_store() as store:
        return store.listed(dataclasses.replace(wanted, here=True), limit)


def find_saved_game(game_id: str) -> Row | None:
    """A saved game by its id."""
    with open_store() as store:
        row = store.load(game_id)
    if isinstance(row, DamagedRow):
        raise MnkalaError(f"game {game_id!r} cannot be opened: {row.why}")
    return row


def last_unfinished() -> Row | None:
    """The game of this computer that goes on and was played last."""
    return next((row for row in saved_games(Wanted(state="going"), 50) if isinstance(row, Row) and not row.linked), None)


def open_saved_game(row: Row) -> tuple[SavedGame, Controller]:
    """A saved game to go on with in the terminal."""
    if row.linked and not row.over:
        raise MnkalaError(f"game {row.id!r} is played by two people by a link; go on with it on the page (`mnkala web`)")
    return SavedGame(row), controller_of(row, parse_player)


def saved_game_of(file: Path | None) -> SavedGame:
    """Where a game of the terminal is saved: a new row, or that of the file it came from."""
    if file is None:
        return SavedGame()
    with contextlib.suppress(MnkalaError):
        return SavedGame(find_saved_game(file_id(file)), file_id(file))
    return SavedGame(game_id=file_id(file))


def one_line(row: Row, say_name: Callable[[Row, int], str], language: str = "en") -> str:
    """A saved game in a list of the terminal."""
    moment = datetime.datetime.fromisoformat(row.updated).astimezone().strftime("%Y-%m-%d %H:%M")
    moves = say("page.games_one_move" if row.played == 1 else "page.games_moves", language, count=row.played)
    return f"{moment}  {row.game}  {say_name(row, 0)} – {say_name(row, 1)}  {moves}  {row.result}"


# ---- Records ----


def row_of_record(record: Record, read_player: ReadPlayer, game_id: str | None = None, moment: datetime.datetime | None = None) -> Row:
    """A game of this computer from its record."""
    match = match_of(record, read_player)
    running = Controller(match, pace=USUAL_PACE)
    updated = now_text() if moment is None else time_text(moment)
    created = dict(record.tags).get("date", "")
    with contextlib.suppress(ValueError):
        created = time_text(datetime.datetime.fromisoformat(created).replace(tzinfo=datetime.UTC))
    return Row(**columns_of(running), id=game_id or secrets.token_hex(6), first_owner=THIS_COMPUTER, second_owner=THIS_COMPUTER,
               invitation=None, linked=False, watchable=False, here=True, revision=1, created=created if "T" in created else updated,
               updated=updated, more=Details(**details_of(running), rematch=None, undo_asked=None))


def records_text(rows: Iterable[Row | DamagedRow]) -> str:
    """The records of many games, one after the other, with empty lines between them."""
    return "\n".join(record_of(row) for row in rows if isinstance(row, Row))


def file_id(path: Path) -> str:
    """The id of the game that a file holds."""
    return hashlib.sha256(str(path.expanduser().resolve()).encode()).hexdigest()[:12]


def take_in_files(store: Store) -> None:
    """Take in the games that the terminal of older versions kept, one file a game. The files stay; what cannot be read is tried again."""
    folder = store.path.parent / "games"
    try:
        files = {path.name: path for path in folder.glob("*.txt")} if folder.is_dir() else {}
    except OSError:
        return
    new: dict[str, Row] = {}
    for name in sorted(files.keys() - store.files_taken_in()) if files else ():
        with contextlib.suppress(MnkalaError, OSError):
            written = datetime.datetime.fromtimestamp(files[name].stat().st_mtime, datetime.UTC)
            new[name] = row_of_record(Record.load(files[name]), parse_player, file_id(files[name]), written)
    if new:
        store.take_in(new)
