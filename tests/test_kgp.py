"""KGP over real sockets: lines, whole games of our clients on our server, and everything that a
client or a server may do wrong.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Coroutine
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mnkala import Position, parse_engine
from mnkala.core import Record, parse_game
from mnkala.errors import MnkalaError
from mnkala.families.kalah.kgp.client import Client, position_of
from mnkala.families.kalah.kgp.line import LONGEST_LINE, BadLine, BoardLiteral, Line, Word
from mnkala.families.kalah.kgp.remote import FinishedGame, ServerLimits, south_to_move
from mnkala.families.kalah.kgp.server import Server, ServerPlan
from mnkala.listening import listen
from mnkala.programs.process import Fault
from mnkala.search import Analysis, Engine, Search
from mnkala.search.root import Task
from tests.command_line import mnkala

LONG = 600.0
"""Seconds for a move, where nobody runs out of time."""
SMALL = parse_game("kalah:2x2,standard")
RANDOM = parse_engine("random")


@pytest.fixture(autouse=True)
def short_farewells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a test holds its end of a connection open, the other end does not wait a whole second
    for it.
    """
    monkeypatch.setattr("mnkala.families.kalah.kgp.line.CLOSING_SECONDS", 0.05)


def together(conversation: Coroutine[Any, Any, None]) -> None:
    """Run a test with sockets; a hang becomes a failure."""
    asyncio.run(asyncio.wait_for(conversation, 120))


# ---- Lines ----

texts = st.text(max_size=30)
words = st.text("amzAZ09:-", max_size=8).map(lambda text: Word(f"w{text}"))
boards = st.lists(st.integers(0, 10**6), min_size=1).map(
    lambda numbers: BoardLiteral(f"<{','.join(map(str, numbers))}>")
)
arguments = (
    st.integers(-(2**62), 2**62)
    | st.floats(allow_nan=False, allow_infinity=False)
    | texts
    | words
    | boards
)
ids = st.none() | st.integers(0, 10**17)
names = st.text("amzAZ09", max_size=8).map(lambda text: f"n{text}")


@given(names, st.lists(arguments, max_size=4).map(tuple), ids, ids)
def test_a_line_is_read_as_it_was_written(
    name: str, given: tuple[int | float | str, ...], number: int | None, ref: int | None
) -> None:
    line = Line(name, given, number, ref)
    found = Line.parse(bytes(line))
    assert found == line
    assert list(map(type, found.arguments)) == list(map(type, given))
    assert bytes(line).count(b"\n") == 1


@given(st.binary(max_size=60) | st.text('@<>",\\ 019+-.:amz', max_size=40).map(str.encode))
@example(b"\xff\xfe\r\n")
@example(b"1" * 5000)
@example(b"x " + b"1" * 5000)
@example(b"x " + b"9" * 400 + b".0")
def test_whatever_bytes_come_a_line_is_read_or_refused(line: bytes) -> None:
    with contextlib.suppress(BadLine):
        found = Line.parse(line)
        assert found is None or Line.parse(bytes(found)) == found


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        (b"mode freeplay\r\n", Line("mode", (Word("freeplay"),))),
        (b'  7\tmode "freeplay"  \n', Line("mode", ("freeplay",), 7)),
        (b"@4 move 2", Line("move", (2,), None, 4)),
        (b"6@4 stop", Line("stop", (), 6, 4)),
        (b"12", Line("12")),
        (b'set info:name "a \\"b\\" \\\\ \\n"', Line("set", (Word("info:name"), 'a "b" \\ \n'))),
        (b"8 state <1,0,0,2,2>", Line("state", (BoardLiteral("<1,0,0,2,2>"),), 8)),
        (b"x +0 -.5 3-x -", Line("x", (0, -0.5, Word("3-x"), Word("-")))),
    ],
)
def test_lines_are_read_as_other_clients_write_them(line: bytes, meant: Line) -> None:
    assert Line.parse(line) == meant
    assert list(map(type, (Line.parse(line) or meant).arguments)) == list(
        map(type, meant.arguments)
    )


# ---- A server, and whoever talks to it by hand ----


class Raw:
    """A connection whose lines a test writes itself."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    def send(self, *lines: str) -> None:
        self.writer.write("".join(f"{line}\r\n" for line in lines).encode())

    async def line(self) -> Line | None:
        return Line.parse(await self.reader.readline())

    async def hear(self, name: str) -> Line:
        """The next line of this name."""
        while (line := await self.line()) is not None:
            if line.name == name:
                return line
        raise AssertionError(f"the connection ended before a {name}")

    async def rest(self) -> list[str]:
        """The names of all lines until the end of the connection."""
        heard = []
        while (line := await self.line()) is not None:
            heard.append(line.name)
        return heard

    async def state(self, *answers: str) -> Position:
        """Wait for a state, and answer it: `{}` stands for its id."""
        line = await self.hear("state")
        self.send(*(answer.format(line.id) for answer in answers))
        return position_of(line.board(0))

    async def play_on(self, *answers: str) -> None:
        """Answer every state until the end of the connection; with the first legal move if not told
        otherwise.
        """
        while (line := await self.line()) is not None:
            if line.name == "state":
                move = position_of(line.board(0)).legal_moves[0]
                self.send(
                    *(
                        answer.format(line.id)
                        for answer in answers or (f"@{{}} move {move}", "@{} yield")
                    )
                )


@dataclasses.dataclass
class Host:
    """A server that is running."""

    server: Server
    port: int
    running: asyncio.Task[None]
    played: list[FinishedGame]
    said: list[str]

    @contextlib.asynccontextmanager
    async def guest(self, *lines: str) -> AsyncIterator[Raw]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        raw = Raw(reader, writer)
        raw.send(*lines)
        try:
            yield raw
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    def faults(self, name: str) -> dict[Fault, int]:
        return dict(self.server.results.of(name).faults)


@contextlib.asynccontextmanager
async def hosted(limits: ServerLimits = ServerLimits(), **plan: Any) -> AsyncIterator[Host]:  # noqa: B008
    """A server of a small board on a free port; afterwards it has ended."""
    listening = listen("127.0.0.1", [0])
    played: list[FinishedGame] = []
    said: list[str] = []
    server = Server(
        ServerPlan(**{"rules": SMALL, "seconds": LONG, **plan}),
        limits=limits,
        say=said.append,
        keep=played.append,
    )
    host = Host(
        server, listening.getsockname()[1], asyncio.create_task(server.run(listening)), played, said
    )
    try:
        yield host
    finally:
        host.running.cancel()
        await asyncio.gather(host.running, return_exceptions=True)


AGAINST_RANDOM: dict[str, Any] = {
    "engine": RANDOM,
    "engine_name": "random",
    "games": 1,
    "players": 1,
}
ANN = ('set info:name "Ann"', "mode freeplay")


def test_two_of_our_clients_finish_their_games_on_our_server() -> None:
    greedy = parse_engine("greedy")
    greedy.search.prepare(SMALL)

    async def conversation() -> None:
        async with hosted(
            rules=parse_game("kalah:3x2,standard"), players=2, games=6, at_once=3
        ) as host:
            reports = await asyncio.gather(
                Client(RANDOM, "Ann").play("127.0.0.1", host.port),
                Client(greedy, "Bob").play("127.0.0.1", host.port),
            )
            await host.running
        assert all(
            report.goodbye and not report.complaints and not report.stopped for report in reports
        )
        assert all(len(report.games) == 6 and report.server == "mnkala" for report in reports)
        assert (
            sorted(played.names for played in host.played)
            == [("Ann", "Bob")] * 3 + [("Bob", "Ann")] * 3
        )
        records = [*Record.parse_many("".join(str(played.record) for played in host.played))]
        assert len(records) == 6
        for record, played in zip(records, host.played, strict=True):
            assert record.position.game == "kalah:3x2,standard"
            assert record.position.is_over
            assert str(record.position.outcome) == record.result == played.record.result
        rows = host.server.results.rows
        assert (
            rows["Ann"].result.games == rows["Bob"].result.games == host.server.results.games == 6
        )
        assert rows["Ann"].result.points + rows["Bob"].result.points == 6
        assert not rows["Ann"].faults
        assert not rows["Bob"].faults

    together(conversation())


def test_three_clients_meet_each_other_and_namesakes_are_told_apart() -> None:
    async def conversation() -> None:
        async with hosted(players=3, games=2) as host:
            await asyncio.gather(
                *(Client(RANDOM, "Ann").play("127.0.0.1", host.port) for _ in range(3))
            )
            await host.running
        three = ["Ann", "Ann (2)", "Ann (3)"]
        assert sorted(played.names for played in host.played) == sorted(
            (one, other) for one in three for other in three if one != other
        )
        table = host.server.results.table().splitlines()
        assert table[0].split() == [
            "player",
            "games",
            "wins",
            "draws",
            "losses",
            "points",
            "faults",
        ]
        assert sorted(line[:7].strip() for line in table[1:]) == three

    together(conversation())


def test_the_last_move_before_the_yield_counts_and_the_client_is_always_south() -> None:
    async def conversation() -> None:
        async with hosted(players=2, games=1) as host, host.guest(*ANN) as ann:
            assert await ann.reader.readline() == b"kgp 1 0 1\r\n"
            assert (await ann.hear("ok")).ref is None
            async with host.guest("7 mode freeplay") as bob:
                assert (await bob.hear("ok")).ref == 7
                first = await ann.hear("state")
                assert first.board(0) == "<2,0,0,2,2,2,2>"
                ann.send(f"@{first.id} move 1", f"@{first.id} move 2", f"@{first.id} yield")
                assert (await ann.hear("stop")).ref == first.id
                second = await bob.hear("state")
                assert (
                    second.board(0) == "<2,0,1,3,2,2,0>"
                )  # as Bob sees it, after a last seed in Bob's first house
                bob.send(f"9@{second.id} move 2", f"@{second.id} yield")

    together(conversation())


def test_an_engine_of_ours_plays_everybody_and_then_says_goodbye() -> None:
    async def conversation() -> None:
        async with hosted(engine=RANDOM, engine_name="random", games=3, at_once=2) as host:
            for _ in range(2):  # whoever comes again plays again
                report = await Client(RANDOM, "Ann").play("127.0.0.1", host.port)
                assert report.goodbye
            assert not host.running.done()
        assert (
            host.server.results.rows["Ann"].result.games
            == host.server.results.rows["random"].result.games
            == 6
        )
        assert host.said[0] == "Ann has come"
        assert host.said[-1] == "Ann has left"

    together(conversation())


def test_what_cannot_be_read_or_understood_is_told_counted_and_survived() -> None:
    bad = (
        "31 jump",
        "33 move",
        "35 move north",
        "@9999 move 1",
        '"',
        "set",
        "\0\0",
        "37 state <2,0,0,1,1,1,1>",
    )

    async def conversation() -> None:
        async with hosted(**AGAINST_RANDOM) as host, host.guest(*bad) as ann:
            ann.writer.write(b"\xff\xfe\r\n" + b"x" * (3 * LONGEST_LINE) + b"\r\n\r\n")
            errors = [await ann.hear("error") for _ in range(len(bad) + 2)]
            assert [error.ref for error in errors[:3]] == [31, 33, 35]
            assert (
                errors[0]
                .text(0)
                .startswith("there is no command jump; commands are set, mode, move")
            )
            assert "lines have up to 16,384" in errors[-1].text(0)
            ann.send("set no:option 5", "pong", 'ok "thanks"', "41 ping 5", *ANN)
            pong = await ann.hear("pong")
            assert (pong.arguments, pong.ref) == ((5,), 41)
            await ann.play_on()
            await host.running
        assert host.server.results.games == 1
        assert host.faults("Ann") == {Fault.BAD_LINE: len(bad) + 2}

    together(conversation())


def test_too_many_bad_lines_and_a_line_without_an_end_end_the_connection() -> None:
    async def conversation() -> None:
        async with hosted(ServerLimits(bad_lines=3), players=2) as host:
            async with host.guest(*("jump",) * 5) as ann:
                assert await ann.rest() == ["kgp", *("error",) * 5, "goodbye"]
            async with host.guest() as bob:
                with contextlib.suppress(OSError):
                    for _ in range(1000):
                        bob.writer.write(b"x" * LONGEST_LINE)
                        await bob.writer.drain()
                with contextlib.suppress(OSError):
                    await bob.rest()
            assert not host.running.done()

    together(conversation())


def test_an_illegal_last_move_loses_the_game_and_one_that_is_improved_does_not() -> None:
    async def conversation() -> None:
        async with (
            hosted(players=2, games=2) as host,
            host.guest(*ANN) as ann,
            host.guest("mode freeplay") as bob,
        ):
            state = await ann.hear("state")
            ann.send(f"11@{state.id} move 9")
            error = await ann.hear("error")
            assert (error.ref, error.text(0)) == (
                11,
                "move 9 is illegal here; legal are 1 2. It loses unless another follows",
            )
            ann.send(f"@{state.id} move 2", f"@{state.id} yield")
            await bob.state("@{} move 0", "@{} yield")
            await bob.state("@{} move 1", "@{} move -1", "@{} yield")
            await host.running
        assert [played.record.result for played in host.played] == ["1-0", "0-1"]
        assert host.played[0].record.position.moves == "2"
        assert (
            "# faults of second: 1 illegal move\n# ending: illegal move\nkalah:2x2,standard 2 1-0\n"
            in str(host.played[0].record)
        )
        assert host.faults("client 2") == {Fault.ILLEGAL_MOVE: 2}
        assert not host.faults("Ann")

    together(conversation())


def test_moves_that_come_after_the_stop_are_passed_over() -> None:
    async def conversation() -> None:
        async with (
            hosted(players=2, games=1) as host,
            host.guest(*ANN) as ann,
            host.guest("mode freeplay") as bob,
        ):
            number = (await ann.hear("state")).id
            ann.send(
                f"@{number} move 2",
                f"@{number} yield",
                f"@{number} move 1",
                f"@{number} yield",
                "yield",
                "ping",
            )
            assert [(await ann.line() or Line("")).name for _ in range(2)] == ["stop", "pong"]
            assert (await bob.state()).literal == "<2,0,1,3,2,2,0>"
            assert not host.server.players[0].bad_lines

    together(conversation())


def test_a_client_that_sends_no_move_in_time_gets_random_ones_until_the_game_is_over() -> None:
    async def conversation() -> None:
        async with hosted(seconds=0.002, **AGAINST_RANDOM) as host, host.guest(*ANN) as ann:
            heard = await ann.rest()
            await host.running
        assert (
            heard.count("state") == heard.count("stop") == host.faults("Ann")[Fault.FLAG_FALL] >= 1
        )
        assert host.played[0].record.position.is_over

    together(conversation())


def test_a_yield_without_a_move_gets_a_random_one_too() -> None:
    async def conversation() -> None:
        async with hosted(**AGAINST_RANDOM) as host, host.guest(*ANN) as ann:
            await ann.play_on("@{} yield")
            await host.running
        assert set(host.faults("Ann")) == {Fault.NO_MOVE}

    together(conversation())


def test_a_silent_client_is_pinged_and_given_up_and_loses_its_game() -> None:
    async def conversation() -> None:
        async with (
            hosted(ServerLimits(silence_seconds=0.02), **AGAINST_RANDOM) as host,
            host.guest(*ANN) as ann,
        ):
            heard = await ann.rest()
            await host.running
        assert heard[-3:] == ["ping", "error", "goodbye"]
        assert host.faults("Ann") == {Fault.SILENCE: 1}
        assert host.server.results.rows["random"].result.wins == 1

    together(conversation())


def test_who_leaves_in_the_middle_of_a_game_has_lost_it_and_the_others_play_on() -> None:
    async def conversation() -> None:
        async with hosted(players=3, games=1) as host, host.guest(*ANN) as ann:
            async with host.guest("mode freeplay"):
                await ann.state()
                ann.writer.transport.abort()
                while not host.played:
                    await asyncio.sleep(0.001)
            report = await Client(RANDOM, "Bob").play("127.0.0.1", host.port)
            await host.running
        assert report.goodbye
        assert host.played[0].record.result == "0-1"
        assert host.faults("Ann") == {Fault.DISCONNECTED: 1}

    together(conversation())


def test_who_cannot_play_is_told_why() -> None:
    async def conversation() -> None:
        limits = ServerLimits(connections=2, mode_seconds=0.02)
        async with hosted(limits, players=2) as host:
            for mode, why in (
                ("simple", "there is no mode simple here"),
                ("<1,1>", "mode takes a word"),
            ):
                async with host.guest(f"mode {mode}") as guest:
                    assert (await guest.hear("error")).text(0).startswith(why)
                    await guest.hear("goodbye")
            async with host.guest() as nobody:
                assert (
                    (await nobody.hear("error")).text(0).startswith("no mode within 0.02 seconds")
                )
        async with (
            hosted(ServerLimits(connections=2), players=2) as host,
            host.guest(*ANN) as ann,
            host.guest() as bob,
        ):
            await ann.hear("ok")
            async with host.guest() as third:
                assert (await third.hear("error")).text(
                    0
                ) == "2 clients are here, which is as many as can be"
                assert await third.rest() == ["goodbye"]
            ann.send("mode freeplay")
            assert (await ann.hear("error")).text(0) == "the mode cannot be chosen twice"
            assert await ann.rest() == ["goodbye"]
            bob.send("mode freeplay")
            await bob.rest()
            await host.running  # two have come, and one is left
        async with hosted(ServerLimits(names=1)) as host, host.guest(*ANN) as ann:
            await ann.hear("ok")
            async with host.guest("mode freeplay") as bob:
                assert "as many as results are kept of" in (await bob.hear("error")).text(0)

    together(conversation())


# ---- The client, and whoever serves it by hand ----


@dataclasses.dataclass(frozen=True)
class Endless(Search):
    """Finds its move at once, and then thinks until it is stopped."""

    name = "endless"
    ended = threading.Event()

    def prepare(self, rules: Any) -> None:
        """Nothing to compile."""

    def run(self, task: Task) -> Analysis:
        best = Analysis(task.position, task.engine, None, (), task.position.legal_codes[-1:])
        task.report(best)
        while not task.stop.is_set():
            threading.Event().wait(0.001)
        self.ended.set()
        return best


@dataclasses.dataclass(frozen=True)
class Broken(Search):
    """Cannot play."""

    name = "broken"

    def prepare(self, rules: Any) -> None:
        """Nothing to compile."""

    def run(self, task: Task) -> Analysis:
        raise MnkalaError("out of order")


def test_an_engine_that_breaks_ends_its_side_in_order_and_says_why() -> None:
    async def conversation() -> None:
        broken = Engine(Broken())
        async with hosted(engine=broken, engine_name="broken", games=2) as host:
            report = await Client(RANDOM, "Ann").play("127.0.0.1", host.port)
            assert report.goodbye
            with pytest.raises(MnkalaError, match="out of order"):
                await host.running
        async with hosted(players=2) as host, host.guest(*ANN) as ann:
            with pytest.raises(MnkalaError, match="out of order"):
                await asyncio.gather(
                    Client(broken, "Bob").play("127.0.0.1", host.port), ann.play_on()
                )
            await host.running
        assert {Fault.DISCONNECTED} == set(host.faults("Bob"))

    together(conversation())


@contextlib.asynccontextmanager
async def served(client: Client) -> AsyncIterator[tuple[Raw, asyncio.Task[Any]]]:
    """A server that a test speaks for, and the client that has come to it."""
    guests: asyncio.Queue[Raw] = asyncio.Queue()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await guests.put(Raw(reader, writer))

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    playing = asyncio.create_task(client.play("127.0.0.1", server.sockets[0].getsockname()[1]))
    raw = await guests.get()
    try:
        yield raw, playing
    finally:
        raw.writer.close()
        server.close()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


def test_our_client_introduces_itself_answers_at_once_and_survives_what_a_server_sends() -> None:
    async def conversation() -> None:
        async with served(Client(RANDOM, 'An "engine"')) as (server, playing):
            server.send(
                "kgp 1 0 1",
                "ping",
                'error "so so"',
                'set info:name "theirs"',
                "jump",
                "9 state <2,0,0>",
                "11 state <9>",
                "13 state",
                "15 state <2,3,3,0,0,1,1>",
                '"',
                "set time:clock no",
                "17 state <2,0,0,2,0,2,2>",
                "19 state <6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>",
            )
            assert (await server.hear("set")).arguments == ("info:name", 'An "engine"')
            assert (await server.hear("mode")).arguments == ("freeplay",)
            await server.hear("pong")
            assert [(await server.hear("error")).ref for _ in range(6)] == [
                None,
                9,
                11,
                13,
                15,
                None,
            ]
            only = await server.hear("move")
            assert (only.ref, only.arguments) == (17, (1,))
            assert (await server.hear("yield")).ref == 17
            assert (await server.hear("move")).ref == 19
            assert (await server.hear("yield")).ref == 19
            server.send("goodbye")
            report = await playing
        assert report.goodbye
        assert (report.server, report.states) == ("theirs", 2)
        assert report.complaints[0] == "the server says: so so"
        assert len(report.complaints) == 7

    together(conversation())


def test_our_client_thinks_about_many_states_at_once_and_says_nothing_after_a_stop() -> None:
    Endless.ended.clear()

    async def conversation() -> None:
        async with served(Client(Engine(Endless()), "Ann")) as (server, playing):
            server.send("kgp 1 0 1", "8 state <2,0,0,2,2,2,2>", "10 state <3,0,0,2,2,2,2,2,2>")
            await server.hear("mode")
            moves = [await server.hear("move") for _ in range(4)]
            assert sorted((move.ref, move.arguments[0]) for move in moves) == [
                (8, 1),
                (8, 2),
                (10, 2),
                (10, 3),
            ]  # at once, and as thought
            server.send("@8 stop", "@10 stop", "@10 stop", "ping")
            assert (await server.line() or Line("")).name == "pong"
            server.send("goodbye")
            report = await playing
            assert await server.rest() == ["goodbye"]
        assert Endless.ended.is_set()
        assert report.stopped == 2

    together(conversation())


def test_our_client_yields_before_the_clock_that_it_was_told_is_up() -> None:
    async def conversation() -> None:
        for clock in (
            "set time:clock 0",
            "set time:clock 0.05",
            "set time:mode absolute\r\nset time:clock 1",
        ):
            async with served(Client(Engine(Endless()), "Ann")) as (server, _):
                server.send("kgp 1 0 1", clock, "8 state <2,0,0,2,2,2,2>")
                assert (await server.hear("move")).ref == 8
                assert (await server.hear("yield")).ref == 8

    together(conversation())


@pytest.mark.parametrize(
    ("greeting", "told"),
    [
        ("HTTP/1.1 400 Bad Request", "is no KGP server$"),
        ("hello", "is no KGP server; it began with 'hello'"),
        ("kgp 2 0 0", "KGP 1 is spoken here"),
        ('error "full"', "refuses: full"),
    ],
)
def test_our_client_refuses_what_is_no_server_of_this_protocol(greeting: str, told: str) -> None:
    async def conversation() -> None:
        async with served(Client(RANDOM, "Ann")) as (server, playing):
            server.send(greeting)
            with pytest.raises(MnkalaError, match=told):
                await playing

    together(conversation())


def test_our_client_reports_a_server_that_goes_away_and_one_that_is_not_there() -> None:
    async def conversation() -> None:
        async with served(Client(RANDOM, "Ann")) as (server, playing):
            server.send("kgp 1 0 1")
            await server.hear("mode")
            server.writer.close()
            report = await playing
        assert not report.goodbye
        assert "without a goodbye" in str(report)
        with contextlib.closing(listen("127.0.0.1", [0])) as taken:
            port = taken.getsockname()[1]
        with pytest.raises(MnkalaError, match=f"cannot connect to 127.0.0.1 port {port}"):
            await Client(RANDOM, "Ann").play("127.0.0.1", port)

    together(conversation())


@given(st.data())
def test_a_state_shows_the_position_that_it_was_made_of(data: st.DataObject) -> None:
    position = Position("kalah:3x3,standard")
    for _ in range(data.draw(st.integers(0, 12))):
        if not position.is_over:
            position = position.play_codes((data.draw(st.sampled_from(position.legal_codes)),))
    if not position.is_over:
        shown = position_of(south_to_move(position))
        assert (shown.mover, shown.legal_codes, shown.game) == (
            0,
            position.legal_codes,
            position.game,
        )
        for code in position.legal_codes:
            assert south_to_move(shown.play_codes((code,))) == south_to_move(
                position.play_codes((code,))
            )


# ---- Commands ----


@pytest.mark.skipif(os.name == "nt", reason="sends a POSIX signal")
def test_the_commands_play_record_and_tell_the_results_after_ctrl_c(tmp_path: Path) -> None:
    """Some two seconds of processor time, for a process of its own: the claim is about Ctrl-C."""
    record = tmp_path / "new" / "games.txt"
    serving = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "mnkala",
            "kgp",
            "serve",
            "--port",
            "0",
            "--houses",
            "3",
            "--seeds",
            "2",
            "--engine",
            "random",
            "--record",
            str(record),
            "--json",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert serving.stderr is not None
    started = serving.stderr.readline()
    assert started.startswith("kalah:3x2,standard is served at 127.0.0.1 port ")
    port = started.split("port ")[1].split()[0]
    playing = mnkala(
        "kgp", "play", "localhost", "--port", port, "--engine", "random", "--name", "Ann", "--json"
    )
    assert playing.returncode == 0
    assert json.loads(playing.stdout)["games"] == ["1", "2"]
    serving.send_signal(signal.SIGINT)
    output, errors = serving.communicate(timeout=60)
    assert (serving.returncode, "Traceback" in errors) == (0, False)
    results = json.loads(output)
    assert (results["game"], results["games"]) == ("kalah:3x2,standard", 2)
    assert [player["games"] for player in results["players"]] == [2, 2]
    assert [record.position.is_over for record in Record.parse_many(record.read_text())] == [
        True,
        True,
    ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("serve --houses 9", "a row has 1 to 8 houses"),
        ("serve --port 70000", "0 to 65,535 are possible"),
        ("serve --time 0", "0.001 to 3,600 are possible"),
        ("serve --players 1", "2 to 200 can play"),
        ("serve --games 0", "1 to 1,000,000 are possible"),
        ("serve --engine human", "KGP is played by engines"),
        ("serve --engine chess", "chess"),
        ("serve --record /dev/null/x", "cannot be written"),
        ("serve --host a..b", "cannot listen on"),
        ("play --engine human", "KGP is played by engines"),
        ("play --port 0", "1 to 65,535 are possible"),
        ("play a..b --engine random", "cannot connect to a..b"),
    ],
)
def test_commands_say_what_is_wrong(words: str, told: str) -> None:
    done = mnkala("kgp", *words.split())
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr


def test_a_name_that_is_empty_is_refused() -> None:
    assert "--name is empty" in mnkala("kgp", "play", "--engine", "random", "--name", " ").stderr
