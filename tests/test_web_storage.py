"""The games of a server and their file: nothing acknowledged is lost, nothing refused leaves a
trace, nobody waits for the disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from importlib import resources
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

import httpx
import msgspec
import pytest

from mnkala import Position
from mnkala.errors import MnkalaError
from mnkala.play import store
from mnkala.play.compiler import Compiler
from mnkala.play.events import Answer, Pause
from mnkala.play.saved_games import next_row
from mnkala.play.store import BadStore, Change, DiskFull, NotSaved, Row, Store, Update, digest
from mnkala.search import Engine, Score
from mnkala.search.analysis import RootMove
from mnkala.web import transactions
from mnkala.web.app import make_app
from mnkala.web.http_errors import (
    Conflict,
    Forbidden,
    NotFound,
    ServerFull,
    TooManyActions,
    Unreadable,
    status_of,
)
from mnkala.web.limits import USUAL, Limits, RateLimiter
from mnkala.web.live_game import LiveGame
from mnkala.web.live_games import LiveGames
from mnkala.web.messages import Game
from mnkala.web.openapi import description
from mnkala.web.requests import Action, Join, Move, NewGame
from mnkala.web.serialise import game_message
from mnkala.web.server_lock import ServerLock
from mnkala.web.workers import Workers
from tests.command_line import mnkala
from tests.waiting import wait_until
from tests.web_server import Listener, Person, Server, locked

ANN, BEN = digest("ann"), digest("ben")


def a_request(*players: str, moves: str = "", game: str = "connect4", **more: Any) -> NewGame:
    return NewGame(game, players=players or ("human", "human"), moves=moves, **more)  # type: ignore[arg-type]


class SmallDisk(Store):
    """A file that can be made to be full: then every change comes with more than SQLite may still
    allot, and fails for real.
    """

    full = False

    def _room_is_kept(self) -> bool:
        return not self.full and super()._room_is_kept()

    def write(self, changes: Iterable[Change]) -> None:
        pages = self._writing.execute("PRAGMA page_count").fetchone()[0]
        self._writing.execute(f"PRAGMA max_page_count={pages if self.full else 1 << 30}")
        rows = [
            change.row if isinstance(change, Update) else change
            for change in changes
            if isinstance(change, Row | Update)
        ]
        filler = [dataclasses.replace(row, id="filler", moves="x" * 100_000) for row in rows][:1]
        super().write([*changes, *(filler if self.full else [])])


@contextlib.asynccontextmanager
async def open_games(
    folder: Path, limits: Limits = USUAL, kind: type[Store] = Store
) -> AsyncIterator[LiveGames]:
    games = LiveGames(
        kind(folder / "games.sqlite"), Workers(limits, Compiler(everything=False)), loopback=True
    )
    try:
        yield games
    finally:
        games.close()


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 120))


async def until(holds: Callable[[], bool]) -> None:
    """Wait for something; `run` says for how long at most."""
    while not holds():
        await asyncio.sleep(0.01)


def seen(game: LiveGame) -> bytes:
    return msgspec.json.encode(game_message(game, ANN))


async def refused(awaited: Awaitable[Any]) -> type[Exception]:
    with pytest.raises(MnkalaError) as caught:
        await awaited
    return caught.type


# ---- What was saved can be opened ----


def test_a_game_longer_than_requests_may_be_is_opened_again(tmp_path: Path) -> None:
    game, _ = LiveGame.new(a_request(game="mnk:30x30x30"), ANN, USUAL)
    row = next_row(
        game.row,
        dataclasses.replace(
            game.state, position=Position("mnk:30x30x30").play_codes(range(576)), paused=True
        ),
    )
    row = dataclasses.replace(row, first="random", second="random")
    with contextlib.closing(Store(tmp_path / "games.sqlite")) as file:
        file.write([row])

    async def test() -> None:
        async with open_games(tmp_path) as games:
            assert len((await games.find(game.id, ANN)).state.position.history) == 576
            assert not (await games.change(game.id, ANN, Action("resume"))).paused
            await games.delete(game.id, ANN)
            assert await refused(games.find(game.id, ANN)) is NotFound

    run(test)


def test_a_damaged_row_is_set_aside_and_named_and_can_be_deleted(tmp_path: Path) -> None:
    made = [LiveGame.new(a_request(moves="44"), ANN, USUAL)[0] for _ in range(5)]
    with contextlib.closing(Store(tmp_path / "games.sqlite")) as file:
        file.write([game.row for game in made])
    good, json, letters, plugin, illegal = (game.id for game in made)
    with contextlib.closing(
        sqlite3.connect(tmp_path / "games.sqlite", isolation_level=None)
    ) as raw:
        raw.execute("UPDATE games SET more = '{\"revision\": ' WHERE id = ?", (json,))
        raw.execute("UPDATE games SET moves = CAST(x'34FF' AS TEXT) WHERE id = ?", (letters,))
        raw.execute("UPDATE games SET game = 'hnefatafl:11' WHERE id = ?", (plugin,))
        raw.execute("UPDATE games SET moves = '4444444' WHERE id = ?", (illegal,))

    async def test() -> None:
        async with open_games(tmp_path) as games:
            listed = {
                line.id: line.unreadable and line.unreadable.error
                for line in (await games.listed(ANN, everyone=False)).games
            }
            assert set(listed) == {good, json, letters, plugin, illegal}
            assert listed[good] is None
            assert "damaged" in (listed[json] or "")
            assert "utf-8" in (listed[letters] or "")
            assert "hnefatafl" in (listed[plugin] or "")
            for bad in (json, letters, plugin, illegal):
                assert await refused(games.find(bad, ANN)) is Unreadable
                assert await refused(games.delete(bad, BEN)) is Forbidden
                await games.delete(bad, ANN)
            assert [line.id for line in (await games.listed(ANN, everyone=False)).games] == [good]
            assert (await games.find(good, ANN)).state.position.moves == "44"

    run(test)


def test_a_table_of_another_program_is_refused_at_the_start_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("CREATE TABLE games (id INTEGER PRIMARY KEY, title TEXT)")
    before = path.read_bytes()
    with pytest.raises(BadStore, match=r"columns id, title.*MNKALA_DATA_DIR"):
        Store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("version", [1, 2])
def test_a_file_that_an_older_version_wrote_is_opened_with_all_its_games(
    tmp_path: Path, version: int
) -> None:
    """The files were written by servers of then (`cfc9d08` and `945233c`), to whom one person had
    sent games of all kinds.
    """
    person, path = digest("old-version-secret-0123456789abcdefgh"), tmp_path / "games.sqlite"
    with contextlib.closing(sqlite3.connect(path)) as raw:
        raw.executescript(
            (Path(__file__).parent / "data" / f"games-version-{version}.sql").read_text()
        )
        names = "id, game, start, moves, first, second, linked, watchable, over, result, played, created, updated"
        before = raw.execute(f"SELECT {names} FROM games ORDER BY id").fetchall()
    assert len(before) == 8

    async def test() -> None:
        async with open_games(tmp_path) as games:
            listed = (await games.listed(person, everyone=False)).games
            assert {each.id for each in listed if each.unreadable is None} == {
                row[0] for row in before
            }
            for (
                game_id,
                game,
                start,
                moves,
                first,
                second,
                linked,
                watchable,
                over,
                result,
                *_,
            ) in before:
                opened = await games.find(game_id, person)
                match = opened.state
                assert (
                    match.position.game,
                    match.position.start_literal,
                    match.position.moves,
                ) == (game, start, moves)
                assert [player.name for player in match.players] == [first, second]
                assert (opened.row.linked, opened.row.watchable, match.is_over, match.result) == (
                    bool(linked),
                    bool(watchable),
                    bool(over),
                    result,
                )
            by_game = {row[1]: await games.find(row[0], person) for row in before}
            clock = by_game["kalah"].state.clock
            assert clock is not None
            assert (clock.seconds, clock.increment, clock.left) == (300.0, 2.0, (300.0, 300.0))
            assert by_game["tictactoe"].state.invitation is not None
            (undone,) = [
                row[0] for row in before if (await games.find(row[0], person)).state.undone
            ]
            await games.change(undone, person, Action("redo"))
            assert len((await games.find(undone, person)).state.position.history) == 4
            await games.delete(undone, person)
        with contextlib.closing(sqlite3.connect(path)) as raw:
            after = raw.execute(f"SELECT {names} FROM games ORDER BY id").fetchall()
            assert after == [row for row in before if row[0] != undone]

    run(test)


# ---- A full disk ----


def test_on_a_full_disk_a_transaction_leaves_nothing_behind(tmp_path: Path) -> None:
    first, second = (LiveGame.new(a_request(), ANN, USUAL)[0].row for _ in range(2))
    file = SmallDisk(tmp_path / "games.sqlite")
    file.full = True
    with pytest.raises(DiskFull, match="full"):
        file.write([first, second])
    assert file.count() == 0
    file.full = False
    file.write([first, second])
    assert file.count() == 2
    file.close()


def test_a_move_that_cannot_be_saved_leaves_the_game_as_it_was(tmp_path: Path) -> None:
    async def test() -> None:
        async with open_games(tmp_path, kind=SmallDisk) as games:
            made = await games.open(a_request(), ANN)
            game, listener = await games.find(made.id, ANN), Listener(ANN)
            games.follow(game, listener)
            before, told, kept = seen(game), len(listener.heard), games.store.load(game.id)
            assert isinstance(games.store, SmallDisk)
            games.store.full = True
            for attempt in (
                games.change(game.id, ANN, Move("4", made.turn)),
                games.change(game.id, ANN, Action("resign")),
                games.open(a_request(), ANN),
            ):
                assert await refused(attempt) is DiskFull
            assert (seen(game), len(listener.heard), games.store.load(game.id)) == (
                before,
                told,
                kept,
            )
            games.store.full = False
            assert (await games.change(game.id, ANN, Move("4", made.turn))).turn == made.turn + 1
            assert listener.heard[-1].turn == made.turn + 1

    run(test)
    assert status_of(DiskFull("")) == 507


def test_an_engines_move_waits_for_room_on_the_disk_and_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transactions, "FIRST_PAUSE", 0.01)

    async def test() -> None:
        async with open_games(tmp_path, kind=SmallDisk) as games:
            made = await games.open(a_request("random:seed=1", "random:seed=2", paused=True), ANN)
            game = await games.find(made.id, ANN)
            assert isinstance(games.store, SmallDisk)
            games.store.full = True
            game.apply(Pause(True, steps=1), time.monotonic())
            games._runner.wake(game)
            await until(lambda: game.unsaved is not None)
            trouble = game_message(game, ANN).trouble
            assert trouble is not None
            assert "full" in trouble.error
            assert not game.state.position.history
            games.store.full = False
            await until(lambda: len(game.state.position.history) == 1)
            assert game_message(game, ANN).trouble is None
            row = games.store.load(game.id)
            assert isinstance(row, Row)
            assert row.played == 1

    run(test)


ON_A_FULL_DISK = """
import dataclasses, pathlib, subprocess, sys
folder = pathlib.Path(sys.argv[1])
subprocess.run(["mount", "-t", "tmpfs", "-o", "size=5m", "tmpfs", folder], check=True)
print("mounted", flush=True)
from mnkala.core import Record
from mnkala.play import parse_player
from mnkala.play.saved_games import row_of_record
from mnkala.play.store import DiskFull, Store, Update
(folder / "other").write_bytes(bytes(500_000))
made = row_of_record(Record.parse("connect4 44 *"), parse_player)
kept, store, stored = (folder / "games.sqlite-room"), Store(folder / "games.sqlite"), []
while True:
    try:
        store.write([dataclasses.replace(made, id=str(len(stored)), moves="4" * 3000)])
    except DiskFull:
        break
    stored.append(len(stored))
print("full", len(stored) > 100, kept.exists())
for refused in range(20):
    try:
        store.write([dataclasses.replace(made, id=f"more{refused}-{each}", moves="4" * 3000) for each in range(20)])
    except DiskFull:
        pass
store.write([str(each) for each in stored[:50]])
print("deleted", store.count() == len(stored) - 50)
store.write([dataclasses.replace(made, id=f"new{each}", moves="4" * 3000) for each in range(20)])
for revision in range(1, 40):
    store.write([Update(dataclasses.replace(made, id="new0", revision=revision + 1), revision)])
store.write([])
print("played on", store.revision("new0") == 40, kept.exists())
store.close()
store = Store(folder / "games.sqlite")
store.write(["new0"])
(folder / "other").unlink()
store.write([str(each) for each in stored])
subprocess.run(["mount", "-o", "remount,size=20m", folder], check=True)
store.write([dataclasses.replace(made, id=f"large{each}", moves="4" * 3000) for each in range(1000)])
print("room again", kept.exists())
"""
"""Told of a small disk of its own, which nobody else sees."""


def test_on_a_full_disk_games_can_be_deleted_and_their_room_is_for_others(tmp_path: Path) -> None:
    ran = (
        subprocess.run(
            [
                "unshare",
                "--map-root-user",
                "--mount",
                sys.executable,
                "-c",
                ON_A_FULL_DISK,
                str(tmp_path),
            ],
            capture_output=True,
            text=True,
            check=False,
        )
        if shutil.which("unshare")
        else None
    )
    if ran is None or not ran.stdout.startswith("mounted"):
        pytest.skip("no disk of one's own can be had here")
    assert ran.stdout.splitlines()[1:] == [
        "full True False",
        "deleted True",
        "played on True False",
        "room again True",
    ], ran.stderr


# ---- Another program's lock ----


def test_another_programs_lock_makes_writers_wait_and_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "WRITE_SECONDS", 1.0)

    async def test() -> None:
        async with open_games(tmp_path) as games:
            made = await games.open(a_request(), ANN)
            other = await games.open(a_request(), BEN)
            with locked(games.store.path):
                move = asyncio.create_task(games.change(made.id, ANN, Move("4", made.turn)))
                for _ in range(20):
                    assert (await games.find(made.id, ANN)).state.turn == 0
                    assert len((await games.listed(BEN, everyone=False)).games) == 1
                assert not move.done()
                assert await refused(move) is NotSaved
                assert (await games.find(other.id, BEN)).state.turn == 0
            assert (await games.change(made.id, ANN, Move("4", made.turn))).turn == 1

    run(test)
    assert status_of(NotSaved("")) == 503


def test_a_move_that_was_written_is_made_even_if_the_one_who_sent_it_has_left(
    tmp_path: Path,
) -> None:
    async def test() -> None:
        async with open_games(tmp_path) as games:
            made = await games.open(a_request(), ANN)
            game = await games.find(made.id, ANN)
            with locked(games.store.path):
                move = asyncio.create_task(games.change(made.id, ANN, Move("4", made.turn)))
                await until(game.changing.locked)
                move.cancel()
                await asyncio.wait([move])
            await until(lambda: game.state.turn == 1)
            row = games.store.load(game.id)
            assert isinstance(row, Row)
            assert row.moves == game.state.position.moves == "4"

    run(test)


def test_saves_that_wait_together_are_written_together_and_each_game_keeps_its_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test() -> None:
        async with open_games(tmp_path) as games:
            made = [await games.open(a_request(), ANN) for _ in range(30)]
            written: list[int] = []
            write = games.store.write

            def noted(changes: Iterable[Change]) -> None:
                written.append(len([*changes]))
                write(changes)

            monkeypatch.setattr(games.store, "write", noted)
            for turn, move in enumerate("4455"):
                await asyncio.gather(
                    *(games.change(game.id, ANN, Move(move, turn)) for game in made)
                )
            assert sum(written) == 120
            assert len(written) < 120
            rows = [games.store.load(game.id) for game in made]
            assert {row.moves for row in rows if isinstance(row, Row)} == {"4455"}

    run(test)


# ---- Many at once ----


def test_of_many_who_open_one_invitation_at_once_one_gets_the_seat(tmp_path: Path) -> None:
    async def test() -> None:
        async with open_games(tmp_path) as games:
            made = await games.open(a_request(linked=True), ANN)
            assert made.invitation
            tries = await asyncio.gather(
                *(games.change(made.id, digest(str(i)), Join(made.invitation)) for i in range(10)),
                return_exceptions=True,
            )
            assert sum(isinstance(tried, Game) for tried in tries) == 1
            assert sum(isinstance(tried, Forbidden) for tried in tries) == 9

    run(test)


def test_a_rematch_asked_for_by_both_at_once_is_one_game_and_not_for_those_who_watch(
    tmp_path: Path,
) -> None:
    async def test() -> None:
        async with open_games(tmp_path) as games:
            made = await games.open(a_request(linked=True, watchable=True), ANN)
            await games.change(made.id, BEN, Join(made.invitation or ""))
            await games.change(made.id, ANN, Action("resign"))
            hers, his = await asyncio.gather(
                *(games.change(made.id, person, Action("rematch")) for person in (ANN, BEN))
            )
            assert hers.id == his.id != made.id
            assert (hers.yours, his.yours) == ((False, True), (True, False))
            assert games.store.count() == 2
            assert (
                await refused(games.change(made.id, digest("a third"), Action("rematch")))
                is Forbidden
            )

    run(test)


def test_a_game_is_never_in_memory_twice_and_never_comes_back_from_the_dead(tmp_path: Path) -> None:
    """With room for one game, others push it out while people work with it."""

    async def test() -> None:
        async with open_games(tmp_path, dataclasses.replace(USUAL, live_games=1)) as games:
            made, other = await games.open(a_request(), ANN), await games.open(a_request(), ANN)
            requests = [
                games.change(made.id, ANN, Move("4", 0)),
                *(games.find((made, other)[i % 2].id, ANN) for i in range(20)),
                *(games.change(made.id, ANN, Move("5", 0)) for _ in range(5)),
            ]
            answers = await asyncio.gather(*requests, return_exceptions=True)
            assert sum(isinstance(answer, Game) for answer in answers) == 1
            assert sum(isinstance(answer, Conflict) for answer in answers) == 5
            found = [
                answer
                for answer in answers
                if isinstance(answer, LiveGame) and answer.id == made.id
            ]
            assert len(set(map(id, found))) == 1
            await games.find(other.id, ANN)
            mixed: list[Awaitable[Any]] = [
                games.find(made.id, ANN),
                games.delete(made.id, ANN),
                games.change(made.id, ANN, Move("3", 1)),
                games.find(made.id, ANN),
            ]
            await asyncio.gather(*mixed, return_exceptions=True)
            assert games.store.load(made.id) is None
            assert await refused(games.find(made.id, ANN)) is NotFound

    run(test)


# ---- Moves are judged by the position that they answer ----


def test_games_beyond_their_share_of_memory_are_read_again_when_somebody_asks(
    tmp_path: Path,
) -> None:
    async def test() -> None:
        request = a_request(game="mnk:30x30x5", moves="a1b1")
        one, _ = LiveGame.new(request, ANN, USUAL)
        assert one.bytes > 60_000, "large boards take more than small ones"
        async with open_games(
            tmp_path, dataclasses.replace(USUAL, live_bytes=3 * one.bytes)
        ) as games:
            made = [await games.open(request, ANN) for _ in range(8)]
            assert len(games._games) == 3
            for each in made:
                await games.change(each.id, ANN, Move("c1", each.turn))
                assert (await games.find(each.id, ANN)).state.position.moves == "a1b1c1"
            assert len(games._games) == 3

    run(test)


def test_followed_games_stay_in_memory_and_no_more_are_taken_than_there_is_room_for(
    tmp_path: Path,
) -> None:
    async def test() -> None:
        request = a_request(game="mnk:30x30x5")
        one, _ = LiveGame.new(request, ANN, USUAL)
        async with open_games(
            tmp_path, dataclasses.replace(USUAL, live_bytes=2 * one.bytes)
        ) as games:
            listener, made = Listener(ANN), [(await games.open(request, ANN)).id for _ in range(4)]
            for game_id in made[:2]:
                games.follow(await games.find(game_id, ANN), listener)
            third = await games.find(made[2], ANN)
            with pytest.raises(ServerFull, match="it holds 2 of them"):
                games.follow(third, listener)
            assert set(made[:2]) <= set(games._games)
            games.unfollow(made[0], listener)
            games.follow(third, listener)

    run(test)


def test_of_an_engines_thoughts_a_game_keeps_no_more_than_it_tells() -> None:
    game, _ = LiveGame.new(a_request("random:seed=1", "human", game="mnk:30x30x5"), ANN, USUAL)
    game.prepared(0.0)
    ticket = game.think(0.0)
    analysis = ticket.engine.analyse(ticket.position)
    game.apply(
        game.wanted(
            ticket,
            Answer(
                dataclasses.replace(analysis, moves=(RootMove(0, Score.opinion(0, 0), (0,)),) * 900)
            ),
        ),
        1.0,
    )
    told = game_message(game, ANN).answer
    assert told is not None
    assert told.move == analysis.best_move
    assert game.state.answer is not None
    assert not game.state.answer.moves


def test_nothing_that_an_opponent_does_makes_a_move_stale(tmp_path: Path) -> None:
    async def test() -> None:
        async with open_games(tmp_path) as games:
            made = await games.open(a_request(linked=True), ANN)
            await games.change(made.id, BEN, Join(made.invitation or ""))
            state = await games.change(made.id, ANN, Move("4", 0))
            state = await games.change(made.id, BEN, Move("4", state.turn))
            for action in (
                Action("pace", 1.0),
                Action("pause"),
                Action("undo"),
                Action("resume"),
                Action("undo"),
                Action("step"),
            ):
                after = await games.change(made.id, BEN, action)
                assert (after.turn, after.revision > state.revision) == (state.turn, True)
            assert (await games.change(made.id, ANN, Move("5", state.turn))).turn == 3
            await games.change(made.id, ANN, Action("undo"))
            back = await games.change(made.id, BEN, Action("undo"))
            assert await refused(games.change(made.id, ANN, Move("5", state.turn))) is Conflict
            assert (await games.change(made.id, ANN, Move("6", back.turn))).turn == 5

    run(test)


def test_actions_are_counted_a_second_and_moves_are_not(tmp_path: Path) -> None:
    now = 0.0
    throttle = RateLimiter(per_second=2, at_once=3, now=lambda: now)
    assert [throttle.allows("ann") for _ in range(4)] == [True, True, True, False]
    assert throttle.allows("ben")
    now = 1.0
    assert [throttle.allows("ann") for _ in range(3)] == [True, True, False]

    async def test() -> None:
        async with open_games(
            tmp_path, dataclasses.replace(USUAL, actions_per_second=1e-9, actions_at_once=2)
        ) as games:
            made = await games.open(a_request(), ANN)
            for _ in range(2):
                await games.change(made.id, ANN, Action("pace", 0.1))
            assert await refused(games.change(made.id, ANN, Action("pace", 0.1))) is TooManyActions
            for turn, move in enumerate("4455"):
                await games.change(made.id, ANN, Move(move, turn))

    run(test)
    assert status_of(TooManyActions("")) == 429


def test_pace_does_not_make_an_engine_think_again_and_a_move_does(tmp_path: Path) -> None:
    async def test() -> None:
        async with open_games(tmp_path) as games:
            made = await games.open(a_request("human", "deepening:time=50"), ANN)
            game = await games.find(made.id, ANN)
            await games.change(made.id, ANN, Move("4", 0))
            await until(lambda: game.ticket is not None)
            ticket = game.ticket
            await games.change(made.id, ANN, Action("pace", 0.2))
            assert game.ticket is ticket
            await games.change(made.id, ANN, Action("undo"))
            assert ticket is not None
            assert ticket.stop.is_set()

    run(test)


# ---- The stops of a click ----

STOP = re.compile(r"`(\w+/\w+\.py)` `([\w.]+)`")


def handed_on(frames: Iterable[FrameType], stops: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The stops among the functions that were called, in their order. What `endpoint` and
    `to_its_end` make is called by their names.
    """
    root = str(resources.files("mnkala"))
    codes = (frame.f_code for frame in frames)
    names = (
        (
            code.co_filename.removeprefix(f"{root}/"),
            re.sub(r"^(\w+)\.<locals>\.\w+$", r"\1", code.co_qualname),
        )
        for code in codes
    )
    return [name for name in names if name in stops]


def test_a_click_is_handed_on_by_the_functions_that_the_documents_list_each_once(
    tmp_path: Path,
) -> None:
    """They are twelve from the change that is asked for to the state that it makes."""
    table = (
        (Path(__file__).parent.parent / "docs/design/server.md")
        .read_text(encoding="utf-8")
        .partition("## The stops of a click")[2]
    )
    stops = [(found[1], found[2]) for found in STOP.finditer(table)]
    frames: list[FrameType] = []

    def called(frame: FrameType, event: str, _: object) -> None:
        if (
            event == "call" and "mnkala" in frame.f_code.co_filename and frame not in frames
        ):  # a coroutine that goes on is called again
            frames.append(frame)

    async def test() -> None:
        app = make_app(tmp_path / "games.sqlite", compile_ahead=False)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(
                transport=httpx.ASGITransport(app), base_url="http://localhost/api/v1"
            ) as ann,
        ):
            ann.headers["Authorization"] = f"Bearer {'a' * 40}"
            game = (
                await ann.post("games", json={"game": "connect4", "players": ["human", "human"]})
            ).json()
            games: LiveGames = app.state.games
            live = await games.find(game["id"], digest("a" * 40))
            await until(lambda: live.is_prepared)
            before = sys.getprofile()
            sys.setprofile(called)
            try:
                answer = await ann.post(f"games/{game['id']}/moves", json={"move": "4", "turn": 0})
            finally:
                sys.setprofile(before)
            assert answer.json()["view"]["played"] == ["4"]

    run(test)
    assert handed_on(frames, stops) == stops
    names = [name for _, name in stops]
    assert names.index("Controller.become") - names.index("LiveGames.change") + 1 == 12


def test_an_engines_move_is_computed_once_and_applied_once(tmp_path: Path) -> None:
    async def test() -> None:
        async with open_games(tmp_path) as games:
            game = await games.open(a_request("human", "greedy"), ANN)
            live = await games.find(game.id, ANN)
            await games.change(game.id, ANN, Move("4", 0))
            await until(lambda: len(live.state.position.history_codes) == 2)
            await asyncio.sleep(0.1)
            assert (
                answered.call_count,
                applied.call_count,
                live.row.revision,
                live.state.spent[1].moves,
            ) == (1, 1, game.revision + 2, 1)

    with (
        patch.object(Engine, "answer", autospec=True, side_effect=Engine.answer) as answered,
        patch.object(Answer, "after", autospec=True, side_effect=Answer.after) as applied,
    ):
        run(test)


# ---- Processes ----


def test_a_second_server_on_the_same_games_leads_to_the_first_or_is_refused(
    server: Server,
) -> None:
    folder = str(server.folder)
    led = mnkala("web", "--no-browser", MNKALA_DATA_DIR=folder)
    assert led.returncode == 0
    assert f"running already, at {server.address}" in led.stdout
    done = mnkala("web", "--no-browser", "--port", "0", MNKALA_DATA_DIR=folder)
    assert done.returncode == 2
    assert f"another mnkala at {server.address}" in done.stderr


def test_of_two_servers_that_start_at_once_one_serves_and_the_other_says_where(
    tmp_path: Path,
) -> None:
    command = [
        sys.executable,
        "-m",
        "mnkala",
        "web",
        "--no-browser",
        "--port",
        "0",
        "--no-compile-ahead",
    ]
    started = [
        subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "MNKALA_DATA_DIR": str(tmp_path)},
        )
        for _ in range(2)
    ]
    try:
        wait_until(
            lambda: sum(process.poll() is not None for process in started) == 1, "one has ended"
        )
        serves = next(process for process in started if process.returncode is None)
        assert serves.stdout is not None
        address = serves.stdout.readline().split("at ")[1].split()[0]
        for process in started:
            if process is not serves:
                assert process.returncode == 2
                assert f"served by another mnkala at {address};" in process.communicate()[1]
    finally:
        for process in started:
            process.terminate()
            process.communicate(timeout=120)


def test_a_server_asks_for_its_folder_before_it_loads_an_engine() -> None:
    code = "import sys, mnkala.cli.play, mnkala.web.server_lock; print([name for name in ('numba', 'numpy', 'uvicorn') if name in sys.modules])"
    assert (
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout
        == "[]\n"
    )


def test_who_finds_a_starting_server_that_gives_up_serves_instead(tmp_path: Path) -> None:
    code = f"import sys; from pathlib import Path; from mnkala.web.server_lock import ServerLock; held = ServerLock(Path({str(tmp_path / 'g')!r})); print(flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        other.stdout.readline()
        threading.Timer(0.2, other.stdin.close).start()
        with ServerLock(tmp_path / "g") as lock:
            lock.announce("http://localhost/")


def test_a_kill_amid_moves_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    """The new server also finds the folder free: the lock of the one that was killed is gone. An
    engine goes on thinking, and what was taken back can be played again.
    """
    server = Server(tmp_path)
    ann = Person(server)
    thought_about, undone = (
        ann.move(ann.new("connect4", "human", "deepening:time=20"), "4") for _ in range(2)
    )
    ann.act(undone, "undo")
    acknowledged: dict[str, int] = {}
    enough = threading.Event()
    player = threading.Thread(target=play_on, args=(ann, acknowledged, 40, enough))
    player.start()
    assert enough.wait(60)
    server.kill()
    player.join(60)
    server.start()
    ann = ann.at(server)
    for game, turn in acknowledged.items():
        assert len(ann.get(f"/games/{game}")["view"]["played"]) >= turn, game
    seen = ann.until(
        thought_about, lambda seen: seen["thinking"] == 1 or len(seen["view"]["played"]) == 2
    )
    assert seen["view"]["played"][0] == "4"
    assert ann.get(f"/games/{undone['id']}")["can"]["redo"]
    assert ann.act(undone, "redo")["view"]["played"] == ["4"]
    assert server.stop() == 0
    assert "Traceback" not in server.errors


def play_on(
    person: Person, acknowledged: dict[str, int], goal: int, enough: threading.Event
) -> None:
    """Play one short game after the other until the server is gone, and note every move that it has
    acknowledged.
    """
    with contextlib.suppress(httpx.HTTPError):
        while True:
            state = person.new("connect4")
            for move in "445566":
                state = person.move(state, move)
                acknowledged[state["id"]] = state["turn"]
            if len(acknowledged) >= goal:
                enough.set()


def test_a_server_that_waits_for_the_disk_answers_others_and_stops_without_a_traceback(
    tmp_path: Path,
) -> None:
    server = Server(tmp_path)
    ann, ben = Person(server), Person(server)
    made = ann.new("connect4")
    with locked(tmp_path / "games.sqlite"):
        refusals: list[Any] = []
        waiting = threading.Thread(
            target=lambda: refusals.append(
                ann.http.post(f"/games/{made['id']}/moves", json={"move": "4", "turn": 0})
            )
        )
        waiting.start()
        while waiting.is_alive():
            assert ben.get(f"/games/{made['id']}")["turn"] == 0
            time.sleep(0.05)
        assert refusals[0].status_code == 503
        assert refusals[0].headers["retry-after"]
        assert "another program" in refusals[0].json()["error"]
        waiting = threading.Thread(target=ask_for_a_game, args=(ann,))
        waiting.start()
        time.sleep(0.3)
        assert server.stop() == 0
        waiting.join(60)
    assert "Traceback" not in server.errors


def ask_for_a_game(person: Person) -> None:
    with contextlib.suppress(httpx.HTTPError):
        person.http.post("/games", json={"game": "connect4"})


def test_the_description_names_the_refusals_of_a_full_disk_and_of_a_lock() -> None:
    described = msgspec.json.decode(description())
    answers = described["paths"]["/api/v1/games/{id}/moves"]["post"]["responses"]
    assert {"409", "422", "429", "503", "507"} <= set(answers)
