"""One list of games: what the page, the terminal and older versions kept is found by both, and
neither overwrites the other.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import sqlite3
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from mnkala import Position, Record
from mnkala.errors import MnkalaError
from mnkala.play import Player, parse_player
from mnkala.play.clock import Clock
from mnkala.play.compiler import Compiler
from mnkala.play.events import Move as Played
from mnkala.play.game_filter import Wanted
from mnkala.play.game_state import GameState
from mnkala.play.players import read_nickname
from mnkala.play.saved_games import (
    SavedGame,
    file_id,
    find_saved_game,
    open_saved_game,
    record_of,
    recorded_game,
    row_of_record,
    saved_games,
    take_in_files,
)
from mnkala.play.store import SINCE_VERSION_1, ChangedElsewhere, Row, Store, digest
from mnkala.web import presence
from mnkala.web.http_errors import NotFound, status_of
from mnkala.web.limits import USUAL, Limits
from mnkala.web.live_game import LiveGame
from mnkala.web.live_games import LiveGames
from mnkala.web.requests import Action, Join, Move, NewGame
from mnkala.web.workers import Workers
from tests.command_line import mnkala
from tests.web_server import Listener

ANN, BEN = digest("ann"), digest("ben")
TWO = (Player("human"), Player("human"))
pytestmark = pytest.mark.usefixtures("games_folder")


@contextlib.asynccontextmanager
async def server(
    folder: Path, limits: Limits = USUAL, loopback: bool = True
) -> AsyncIterator[LiveGames]:
    games = LiveGames(
        Store(folder / "games.sqlite"), Workers(limits, Compiler(everything=False)), loopback
    )
    try:
        yield games
    finally:
        games.close()


async def exported(games: LiveGames, person: str) -> str:
    return "".join([piece async for piece in games.exported(person, everyone=False)])


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(asyncio.wait_for(test(), 120))


def terminal_game(moves: str, game: str = "connect4") -> tuple[SavedGame, GameState]:
    saved, running = SavedGame(), GameState(Position(game).play(moves), TWO)
    saved.save(running)
    return saved, running


# ---- The terminal's games on the page, and the page's in the terminal ----


def test_a_game_of_the_terminal_is_listed_opened_and_continued_on_the_page_of_this_computer(
    games_folder: Path,
) -> None:
    saved, _ = terminal_game("44")

    async def test() -> None:
        async with server(games_folder) as games:
            (line,) = (await games.listed(ANN, everyone=False)).games
            assert (line.id, line.terminal, line.yours) == (saved.id, True, (True, True))
            game = await games.change(
                saved.id, ANN, Move("3", games.message(await games.find(saved.id, ANN), ANN).turn)
            )
            assert game.can.move
            await games.change(saved.id, BEN, Action("resign"))
        row = find_saved_game(saved.id)
        assert row is not None
        assert (row.moves, row.result, row.ending, row.of_terminal) == (
            "443",
            "1-0",
            "resignation",
            True,
        )
        found = saved.changed_elsewhere()
        assert found is not None
        assert found.result == "1-0"
        async with server(games_folder, loopback=False) as open_to_all:
            assert (await open_to_all.listed(ANN, everyone=False)).games == []
            with pytest.raises(NotFound):
                await open_to_all.find(saved.id, ANN)

    run(test)


def test_a_game_of_the_page_is_listed_and_continued_in_the_terminal_but_not_one_that_guests_play(
    games_folder: Path,
) -> None:
    async def test() -> None:
        async with server(games_folder) as games:
            mine = await games.open(
                NewGame(
                    "connect4", moves="44", players=("human", "human"), nicknames=("Ann", None)
                ),
                ANN,
            )
            linked = await games.open(
                NewGame("connect4", players=("human", "human"), linked=True), ANN
            )
        async with server(games_folder, loopback=False) as open_to_all:
            await open_to_all.open(NewGame("connect4", players=("human", "human")), BEN)
        assert {row.id for row in saved_games(Wanted(), 9)} == {mine.id, linked.id}
        row = find_saved_game(mine.id)
        assert row is not None
        saved, running = open_saved_game(row)
        running = running.apply(Played("5"))
        saved.save(running)
        again = find_saved_game(mine.id)
        assert again is not None
        assert not again.more.unaided  # it began with moves that nobody made here
        assert (again.moves, again.first_owner, again.first_nickname, again.revision) == (
            "445",
            ANN,
            "Ann",
            row.revision + 1,
        )
        other = find_saved_game(linked.id)
        assert other is not None
        with pytest.raises(MnkalaError, match="by a link"):
            open_saved_game(other)

    run(test)


def test_help_that_was_asked_for_is_remembered_by_whoever_goes_on_with_the_game(
    games_folder: Path,
) -> None:
    saved, running = terminal_game("")
    running = running.apply(Played("4"))
    saved.save(running)

    async def test() -> None:
        async with server(games_folder) as games:
            game = await games.find(saved.id, ANN)
            assert games.message(game, ANN).unaided
            assert not (await games.change(saved.id, ANN, Action("helped"))).unaided
        again = find_saved_game(saved.id)
        assert again is not None
        assert not open_saved_game(again)[1].unaided

    run(test)


def test_the_clock_of_a_game_stands_while_it_is_played_in_plain_lines(games_folder: Path) -> None:
    saved, running = (
        SavedGame(),
        GameState(Position("connect4").play("44"), TWO, clock=Clock(60, 5, (33.0, 44.0))),
    )
    saved.save(running)
    assert (
        mnkala("play", "--resume", saved.id, "--plain", stdin="3\n3\nundo\nquit\n").returncode == 0
    )
    row = find_saved_game(saved.id)
    assert row is not None
    assert (row.moves, row.more.clock) == ("443", (60, 5, (33.0, 44.0)))


def test_of_a_page_and_a_terminal_that_move_at_once_one_is_told_and_both_go_on(
    games_folder: Path,
) -> None:
    saved, running = terminal_game("44")

    async def test() -> None:
        async with server(games_folder) as games:
            game, listener = await games.find(saved.id, ANN), Listener(ANN)
            before = game.state.turn
            moved = running.apply(Played("3"))
            saved.save(moved)
            async with game.changing:  # the page does not notice yet
                click = asyncio.create_task(games.change(game.id, ANN, Move("5", before)))
                await asyncio.sleep(0)
            with pytest.raises(ChangedElsewhere) as caught:
                await click
            assert status_of(caught.value) == 409
            assert game.state.position.moves == "443"
            games.follow(game, listener)
            await games.change(saved.id, ANN, Move("5", game.state.turn))
            with pytest.raises(ChangedElsewhere):
                saved.save(moved.apply(Played("6")))
            found = saved.changed_elsewhere()
            assert found is not None
            assert found.position.moves == "4435"
            saved.save(found.apply(Played("6")))
            while game.state.position.moves != "44356":  # the page hears of it by itself
                await asyncio.sleep(0.01)
            assert len(listener.heard) >= 2

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(presence, "SECONDS", 0.02)
        run(test)


def test_a_page_hears_of_a_terminals_move_though_the_clock_was_set_back(
    games_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved, running = terminal_game("44")

    async def test() -> None:
        async with server(games_folder) as games:
            game = await games.find(saved.id, ANN)
            games.follow(game, Listener(ANN))
            monkeypatch.setattr("mnkala.play.saved_games.now_text", lambda: "2020-01-01T00:00:00Z")
            saved.save(running.apply(Played("3")))
            async with asyncio.timeout(60):
                while game.state.position.moves != "443":
                    await asyncio.sleep(0.01)

    monkeypatch.setattr(presence, "SECONDS", 0.02)
    run(test)


def test_a_game_that_the_terminal_deletes_is_gone_on_the_page(games_folder: Path) -> None:
    saved, _ = terminal_game("44")

    async def test() -> None:
        async with server(games_folder) as games:
            await games.find(saved.id, ANN)
            assert mnkala("saved", "delete", saved.id).stdout == "1 game deleted\n"
            with pytest.raises(NotFound):
                await games.find(saved.id, ANN)

    run(test)


# ---- What older versions kept ----


def test_games_of_older_versions_are_taken_in_once_and_stay_where_they_were(
    games_folder: Path,
) -> None:
    old = games_folder / "games" / "2026-01-02-030405-678.txt"
    Record.of(
        Position("connect4").play("44"), first="human", second="easy", date="2026-01-02"
    ).save(old)
    (old.parent / "broken.txt").write_text("no record")
    path = games_folder / "games.sqlite"
    with contextlib.closing(Store(path)) as store:
        page, _ = LiveGame.new(NewGame("kalah", players=("human", "human")), ANN, USUAL)
        store.write([page.row])
    with contextlib.closing(
        sqlite3.connect(path, isolation_level=None)
    ) as raw:  # as version 1 had it
        raw.execute("UPDATE games SET more = json_set(more, '$.revision', 7)")
        for name in SINCE_VERSION_1:
            raw.execute(f"ALTER TABLE games DROP COLUMN {name}")
        raw.execute("DROP TABLE files_taken_in")
        raw.execute("PRAGMA user_version = 1")
    rows = {row.id: row for row in saved_games(Wanted(), 9)}
    assert set(rows) == {page.id, file_id(old)}
    kept, terminal = rows[page.id], rows[file_id(old)]
    assert isinstance(kept, Row)
    assert isinstance(terminal, Row)
    assert (kept.revision, kept.here, kept.first_nickname) == (7, True, None)
    assert (terminal.moves, terminal.second, terminal.created[:10], terminal.of_terminal) == (
        "44",
        "easy",
        "2026-01-02",
        True,
    )
    assert mnkala("saved", "delete", file_id(old)).returncode == 0
    with contextlib.closing(Store(path)) as store:
        take_in_files(store)
        assert store.load(file_id(old)) is None, "what was deleted does not come back"
    assert old.exists()


# ---- Records ----


@pytest.mark.parametrize(
    ("result", "tags", "ending"),
    [
        ("0-1", "# ending: resignation\n", "resignation"),
        ("1-0", "# ending: time\n", "time"),
        ("0-1", "", "resignation"),
        ("1/2-1/2", "# ending: agreement\n", "agreement"),
        ("*", "", None),
    ],
)
def test_a_record_says_who_played_who_won_and_what_ended_it_and_is_read_back_so(
    result: str, tags: str, ending: str | None
) -> None:
    match = recorded_game(
        Record.parse(f"# first: Ann B\n# second: easy\n{tags}connect4 4435 {result}"), parse_player
    )
    assert (match.players[0].nickname, match.players[1].engine is not None, match.ending) == (
        "Ann B",
        True,
        ending,
    )
    again = str(match.record())
    assert "# first: Ann B\n# second: easy\n" in again
    assert ("ending" in again) == (ending is not None)
    assert again.endswith(f"connect4 4435 {result}\n")
    assert record_of(row_of_record(Record.parse(again), parse_player)) == again


def test_many_records_are_one_file_and_come_back(games_folder: Path, tmp_path: Path) -> None:
    rows = [
        row_of_record(
            Record.parse(f"# first: P{number}\nconnect4 {'4' * (number % 7)}7 *"), parse_player
        )
        for number in range(300)
    ]
    with contextlib.closing(Store(games_folder / "games.sqlite")) as store:
        store.write(rows)
    file = tmp_path / "all.txt"
    assert mnkala("saved", "export", str(file)).stdout == f"300 games written to {file}\n"
    assert [dict(record.tags)["first"] for record in Record.parse_many(file.read_text())][::-1] == [
        f"P{n}" for n in range(300)
    ]
    assert mnkala("saved", "import", str(file)).stdout == "300 games added\n"
    file.write_text("connect4 44 *\n\nconnect4 99 *\n")
    assert "line 3: column 9 does not exist" in mnkala("saved", "import", str(file)).stderr
    assert len(saved_games(Wanted(), 999)) == 600


def test_games_are_taken_in_on_the_page_within_its_bounds(games_folder: Path) -> None:
    async def test() -> None:
        async with server(games_folder, Limits(taken_in=2, stored_games=3)) as games:
            assert (
                await games.take_in(ANN, "# first: Ann\nconnect4 44 *\n\nconnect4 1212121 1-0")
            ).games == 2
            assert [
                line.nicknames[0]
                for line in (await games.listed(ANN, everyone=False)).games
                if not line.over
            ] == ["Ann"]
            assert (await games.listed(BEN, everyone=False)).games == []
            for text, why in (
                ("connect4 4 *\n" * 3, "more than 2 games at once"),
                ("connect4 4 *\n" * 2, "has no room"),
                ("x", "line 1"),
            ):
                with pytest.raises(MnkalaError, match=why):
                    await games.take_in(ANN, text)
            text = await exported(games, ANN)
            assert len(list(Record.parse_many(text))) == 2

    run(test)


def test_a_saved_game_is_reviewed_and_resumed_by_its_id(games_folder: Path) -> None:
    saved, _ = terminal_game("1212")
    assert "played: 1212" in mnkala("play", "--resume", saved.id, stdin="moves\n").stdout
    done = mnkala("play", "--resume", "last", "--name", "Ann", "--name", "Ben", stdin="resign\n")
    assert "o (Ben) wins. x (Ann) resigned." in done.stdout
    assert "ended by resignation" in mnkala("play", "--resume", saved.id).stderr
    assert "result 0-1" in mnkala("review", saved.id, "--nodes", "100").stdout
    assert "no game is in progress" in mnkala("play", "--resume", "last").stderr
    assert "result 0-1" in mnkala("review", "last", "--nodes", "100").stdout
    typed = f"z{saved.id[1:]}"
    for command in (("play", "--resume", typed), ("review", typed), ("saved", "delete", typed)):
        assert (
            f"no saved game is called '{typed}'; did you mean {saved.id}? The newest are {saved.id}; "
            in mnkala(*command).stderr
        )


def test_a_name_that_no_saved_game_has_is_explained_where_none_is_saved(games_folder: Path) -> None:
    assert (
        "no game is saved yet; `mnkala play connect4` begins one" in mnkala("review", "last").stderr
    )
    assert (
        "no saved game is called 'mine'; none is saved yet"
        in mnkala("play", "--resume", "mine").stderr
    )


# ---- Which games ----


def test_games_are_found_by_game_state_outcome_opponent_and_text(games_folder: Path) -> None:
    texts = {
        "won": "# first: Ann\n# second: easy\nconnect4 1212121 1-0",
        "lost": "# first: Ann\n# second: hard\nconnect4:5x6 12 0-1",
        "both": "# first: Ann\n# second: 100%\nconnect4 1212121 1-0",
        "watched": "# first: easy\n# second: hard\ntictactoe - *",
        "drawn": "# first: easy\n# second: Zoë\ntictactoe a1,b2,c3,a2,c2,c1,a3,b3,b1 1/2-1/2",
    }
    with contextlib.closing(Store(games_folder / "games.sqlite")) as store:
        store.write(
            [
                dataclasses.replace(
                    row_of_record(Record.parse(text), parse_player),
                    id=name,
                    first_owner=ANN,
                    second_owner=ANN,
                )
                for name, text in texts.items()
            ]
        )
        both = row_of_record(Record.parse(texts["both"]), parse_player)
        store.write(
            [dataclasses.replace(both, id="linked", first_owner=ANN, second_owner=BEN, linked=True)]
        )

        def found(**wanted: Any) -> set[str]:
            return {row.id for row in store.listed(Wanted(**wanted), 99)}

        everything = {*texts, "linked"}
        assert found() == found(owners=(ANN,)) == everything
        assert found(owners=(BEN,)) == {"linked"}
        assert found(game="connect4") == {"won", "lost", "both", "linked"}
        assert found(game="connect4:5x6") == {"lost"}
        assert found(game="connect") == set()
        assert found(state="going") == {"watched"}
        assert found(owners=(ANN,), outcome="won") == {"won", "linked"}
        assert found(owners=(BEN,), outcome="lost") == {"linked"}
        assert found(owners=(ANN,), outcome="lost") == {"lost"}
        assert found(outcome="won") == {"won"}
        assert found(outcome="drawn") == {"drawn"}
        assert found(opponent="computer") == {"won", "lost", "drawn"}
        assert found(opponent="here") == {"both"}
        assert found(opponent="link") == {"linked"}
        assert found(opponent="watched") == {"watched"}
        assert found(text="ann") == {"won", "lost", "both", "linked"}
        assert found(text="0%") == {"both", "linked"}
        assert found(text="_") == set()
        assert found(text="zoë") == {"drawn"}


# ---- Names ----


def test_a_name_is_short_visible_and_not_that_of_a_computer() -> None:
    assert read_nickname("  Ann  Lee ") == "Ann Lee"
    assert read_nickname(" ") is None
    assert read_nickname("Zoë 🎲") == "Zoë 🎲"
    for bad in ("x" * 25, "a\u202eb", "a\x1bb", "Hard", "human", "mcts:time=1"):
        with pytest.raises(MnkalaError):
            read_nickname(bad)


def test_names_of_a_linked_game_are_seen_by_both_and_can_be_changed(games_folder: Path) -> None:
    async def test() -> None:
        async with server(games_folder) as games:
            made = await games.open(
                NewGame(
                    "connect4", players=("human", "human"), linked=True, nicknames=("Ann", None)
                ),
                ANN,
            )
            joined = await games.change(made.id, BEN, Join(made.invitation or "", "Ben"))
            assert [player.nickname for player in joined.players] == ["Ann", "Ben"]
            assert [
                player.nickname
                for player in (
                    await games.change(made.id, BEN, Action("rename", nickname="Benny"))
                ).players
            ] == ["Ann", "Benny"]
            await games.change(made.id, ANN, Action("resign"))
            assert "# first: Ann\n# second: Benny\n" in await exported(games, BEN)
            assert "# ending: resignation\nconnect4 - 0-1" in await exported(games, BEN)
            again = await games.change(made.id, ANN, Action("rematch"))
            assert [player.nickname for player in again.players] == ["Benny", "Ann"]

    run(test)


# ---- Who is there ----


def test_the_other_player_is_away_after_some_seconds_and_back_at_once(games_folder: Path) -> None:
    async def test() -> None:
        async with server(games_folder, Limits(away_seconds=0.2)) as games:
            made = await games.open(
                NewGame("connect4", players=("human", "human"), linked=True), ANN
            )
            assert made.present == (True, None)
            await games.change(made.id, BEN, Join(made.invitation or ""))
            ann, ben, phone = Listener(ANN), Listener(BEN), Listener(BEN)
            game = await games.find(made.id, ANN)
            for listener in (ann, ben, phone):
                games.follow(game, listener)
            assert ann.heard[-1].present == (True, True)
            games.unfollow(game.id, ben)
            game.seen.clear()
            assert games.message(game, ANN).present == (True, True), "his phone follows it still"
            games.unfollow(game.id, phone)
            while ann.heard[-1].present != (True, False):
                await asyncio.sleep(0.01)
            games.follow(game, ben)
            assert ann.heard[-1].present == (True, True)
            against = await games.open(NewGame("connect4", players=("human", "random")), ANN)
            assert against.present == (None, None)

    run(test)
