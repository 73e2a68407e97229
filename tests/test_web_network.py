"""The border of the server, over raw sockets: slow, huge and countless requests cost only those who
send them; names must be known.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import functools
import io
import platform
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
import resvg_py
import segno
import uvicorn
from PIL import Image

from mnkala.errors import MnkalaError
from mnkala.web import addresses
from mnkala.web.addresses import LOOPBACK, addresses_of, hosts_of, plausible, qr_code
from mnkala.web.app import make_app
from mnkala.web.connections import BoundedProtocol, room_for
from mnkala.web.limits import USUAL, Limits
from mnkala.web.server import Server
from tests.web_server import Person, running, wait_for

PATIENT = Limits(head_seconds=600, body_seconds=600, connections=30, waiting_connections=10)
HURRIED = Limits(head_seconds=0.2, body_seconds=0.2)
HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"


class Answering:
    """A server of one word in this process, behind the bounded connections. `/slow` is answered
    when `go_on` is set.
    """

    def __init__(self, limits: Limits) -> None:
        self.go_on, self.left = threading.Event(), threading.Event()
        self.slow = 0
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.port = self.listening.getsockname()[1]
        protocol = functools.partial(BoundedProtocol, limits=limits)
        config = uvicorn.Config(
            self.answer,
            http=cast(type[asyncio.Protocol], protocol),
            interface="asgi3",
            lifespan="off",
            log_level="critical",
        )
        self.server = uvicorn.Server(config)
        self.thread = threading.Thread(
            target=self.server.run, args=([self.listening],), daemon=True
        )
        self.thread.start()

    async def answer(self, scope: Any, receive: Any, send: Any) -> None:
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.left.set()
                return
            if scope["path"] == "/early" or not message["more_body"]:
                break
        self.slow += scope["path"] == "/slow"
        while scope["path"] == "/slow" and not self.go_on.is_set():
            await asyncio.sleep(0.01)
        await send(
            {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]}
        )
        await send({"type": "http.response.body", "body": b"word"})

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60)

    def ask(self) -> str:
        return httpx.get(f"http://127.0.0.1:{self.port}/", timeout=60).text

    def stop(self) -> None:
        self.go_on.set()
        self.server.should_exit = True
        self.thread.join(60)


@contextlib.contextmanager
def answering(limits: Limits) -> Iterator[Answering]:
    server = Answering(limits)
    try:
        yield server
    finally:
        server.stop()


def rest_of(connection: socket.socket) -> bytes:
    """All that comes until the other side closes."""
    found = b""
    with contextlib.suppress(ConnectionResetError):
        while part := connection.recv(65536):
            found += part
    return found


def is_closed(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.01)


# ---- Size ----


@pytest.mark.parametrize(
    "head",
    [
        HEAD + b"X: " + b"a" * 300_000,
        HEAD + b"X: y\r\n" * 100_000,
        b"GET /" + b"a" * 300_000,
        b"\r\n" * 300_000,
        HEAD + b"".join(b"X%d: %s\r\n" % (number, b"a" * 1000) for number in range(80)) + b"\r\n",
    ],
)
def test_a_head_that_is_too_large_is_refused_before_it_ends_and_others_are_answered(
    head: bytes,
) -> None:
    with answering(PATIENT) as server, server.connect() as connection:
        with contextlib.suppress(ConnectionError):
            for start in range(0, len(head), 10_000):
                connection.sendall(head[start : start + 10_000])
        assert server.ask() == "word"
        answer = rest_of(connection)
    assert answer.startswith(b"HTTP/1.1 431 "), answer[:100]
    assert b"at most 65536 bytes" in answer


def test_a_large_head_within_the_limit_and_a_large_body_behind_it_are_fine() -> None:
    with answering(PATIENT) as server, server.connect() as connection:
        for _ in range(2):
            connection.sendall(
                b"POST / HTTP/1.1\r\nHost: localhost\r\nX: "
                + b"a" * 60_000
                + b"\r\nContent-Length: 900000\r\n\r\n"
                + b"b" * 900_000
            )
        connection.sendall(HEAD + b"Connection: close\r\n\r\n")
        assert rest_of(connection).count(b"word") == 3


def test_a_body_that_goes_on_after_its_answer_is_cut_off() -> None:
    with answering(PATIENT) as server, server.connect() as connection:
        connection.sendall(
            b"POST /early HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n\r\nbegun"
        )
        assert connection.recv(65536).startswith(b"HTTP/1.1 200")
        with pytest.raises(ConnectionError):
            connection.sendall(b"b" * 900_000_000)


def test_what_is_not_http_is_told_so() -> None:
    with answering(PATIENT) as server, server.connect() as connection:
        connection.sendall(b"\x16\x03\x01 hello\r\n\r\n")
        answer = rest_of(connection)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"not an HTTP request" in answer


# ---- Time ----


def test_a_head_that_comes_in_drops_is_given_up() -> None:
    with answering(HURRIED) as server, server.connect() as connection:
        with contextlib.suppress(ConnectionError):
            for drop in HEAD * 100:
                connection.send(bytes([drop]))
                if is_closed(connection):
                    break
                time.sleep(0.01)
        connection.settimeout(60)
        rest_of(connection)
        assert server.ask() == "word"


def test_an_unfinished_head_is_told_why_it_is_given_up() -> None:
    with answering(HURRIED) as server, server.connect() as connection:
        connection.sendall(HEAD)
        assert b"HTTP/1.1 408 " in (answer := rest_of(connection))
    assert b"the head of a request has to come within 0.2 seconds" in answer


def test_a_connection_that_says_nothing_is_closed_and_so_is_one_that_only_sends_line_ends_after_an_answer() -> (
    None
):
    with answering(HURRIED) as server, server.connect() as silent, server.connect() as polite:
        polite.sendall(HEAD + b"\r\n")
        assert polite.recv(65536).startswith(b"HTTP/1.1 200")
        polite.sendall(b"\r\n")
        assert rest_of(silent) == b""
        rest_of(polite)


def test_an_unfinished_body_is_given_up_and_the_application_told() -> None:
    with answering(HURRIED) as server, server.connect() as connection:
        connection.sendall(
            b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nbegun"
        )
        assert rest_of(connection).startswith(b"HTTP/1.1 408 ")
        assert server.left.wait(60)
        assert server.ask() == "word"


def test_a_request_that_is_whole_may_take_its_time() -> None:
    with answering(HURRIED) as server, server.connect() as connection:
        connection.sendall(b"GET /slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        time.sleep(2 * HURRIED.head_seconds + 2 * HURRIED.body_seconds)
        server.go_on.set()
        assert rest_of(connection).endswith(b"word")


# ---- Number ----


def test_of_too_many_silent_connections_the_oldest_are_closed_and_nobody_is_shut_out() -> None:
    with answering(PATIENT) as server, contextlib.ExitStack() as stack:
        silent = [stack.enter_context(server.connect()) for _ in range(200)]
        assert server.ask() == "word"
        until(lambda: all(map(is_closed, silent[: -PATIENT.waiting_connections])))
        assert not any(
            is_closed(connection) for connection in silent[-PATIENT.waiting_connections + 1 :]
        )


def test_where_all_places_are_taken_unused_connections_make_room_and_busy_ones_do_not() -> None:
    limits = dataclasses.replace(PATIENT, waiting_connections=PATIENT.connections)
    with answering(limits) as server, contextlib.ExitStack() as stack:
        kept = [stack.enter_context(server.connect()) for _ in range(limits.connections)]
        for connection in kept:
            connection.sendall(HEAD + b"\r\n")
            assert connection.recv(65536).startswith(b"HTTP/1.1 200")
        assert server.ask() == "word"
        until(lambda: sum(map(is_closed, kept)) == 1)
        busy = [stack.enter_context(server.connect()) for _ in range(limits.connections)]
        for connection in busy:
            connection.sendall(
                b"GET /slow HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            )
        until(lambda: server.slow == len(busy))
        assert all(map(is_closed, kept))
        with server.connect() as late:
            assert rest_of(late).startswith(b"HTTP/1.1 503 ")
        server.go_on.set()
        for connection in busy:
            connection.setblocking(True)
            assert rest_of(connection).endswith(b"word")


def test_there_are_files_for_as_many_connections_as_are_promised() -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
        assert room_for(Limits(connections=50)) == 50
        assert (
            room_for(Limits(connections=500)) == min(500, before[1] - 100)
            if before[1] >= 0
            else 500
        )
        assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= 600
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


# ---- Names ----


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8080", "127.0.0.1:80", "[::1]:8080", "localhost."]
)
def test_a_local_server_answers_to_this_computer(host: str) -> None:
    assert host in LOOPBACK


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8080",
        "localhost.evil.example",
        "localhost:80:80",
        "[::1",
        "localhost@x",
        "192.168.1.5",
        "localhost, localhost",
        "[",
        ":8080",
        "localhost/x",
    ],
)
def test_and_to_nobody_else(host: str) -> None:
    assert host not in LOOPBACK


def test_on_a_network_any_address_will_do_but_names_must_be_known() -> None:
    hosts = hosts_of("0.0.0.0", loopback=False, allowed=["Games.Example.org"])
    for host in (
        "192.168.1.5:8080",
        "[fe80::1]:8080",
        "localhost:8080",
        f"{socket.gethostname()}:8080",
        "games.example.org",
        "games.example.org:443",
    ):
        assert host in hosts
    for host in ("evil.example", "example.org", "0x7f.1", "192.168.1.5.evil.example", "127.1"):
        assert host not in hosts
    assert "10.1.2.3" not in hosts_of("127.0.0.1", loopback=True, allowed=["games.example.org"])
    assert "games.example.org" in hosts_of(
        "127.0.0.1", loopback=True, allowed=["games.example.org"]
    )


@pytest.mark.parametrize(
    "name",
    ["http://games.example.org", "games.example.org:80", "a b", "", "*", "games.example.org/x"],
)
def test_what_is_no_name_cannot_be_allowed(name: str) -> None:
    with pytest.raises(MnkalaError, match="a host is a name such as"):
        hosts_of("0.0.0.0", loopback=False, allowed=[name])


def test_a_server_for_the_network_keeps_all_of_this(tmp_path: Path) -> None:
    with running(
        tmp_path,
        "--host",
        "0.0.0.0",
        "--allow-host",
        "games.example.org",
        "--allow-host",
        "b.example",
    ) as server:

        def status(**headers: str) -> int:
            return httpx.get(
                f"http://127.0.0.1:{server.port}/api/v1/catalogue", headers=headers, timeout=60
            ).status_code

        assert server.process.stdout is not None
        warning = server.process.stdout.readline()
        assert "Anybody" in warning
        ann, ben = Person(server), Person(server)
        found = ann.get("/addresses")
        assert not found["loopback"]
        assert all(
            address in warning and f":{server.port}/" in address and "127." not in address
            for address in found["addresses"]
        )
        ann.get("/games?everyone=true", expect=403)
        ben.get(f"/games/{ann.new('connect4')['id']}", expect=404)
        assert status() == 200
        for known in (
            "games.example.org",
            f"b.example:{server.port}",
            f"192.168.7.7:{server.port}",
        ):
            assert status(host=known) == 200
            assert status(host=known, origin=f"http://{known}") == 200
        assert status(host="games.example.org", origin="https://games.example.org") == 200
        assert status(host="evil.example") == 403
        for origin in (
            "http://[",
            "http://evil.example",
            "null",
            "",
            "http://games.example.org.evil.example",
            "//",
            "http://b.example:x",
        ):
            assert status(host="games.example.org", origin=origin) == 403
        assert (
            "evil.example"
            in httpx.get(f"http://127.0.0.1:{server.port}/", headers={"host": "evil.example"}).text
        )
        with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
            connection.sendall(HEAD + b"X: " + b"a" * 200_000)
            assert rest_of(connection).startswith(b"HTTP/1.1 431 ")
        with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
            connection.sendall(
                b"POST /api/v1/look HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nbegun"
            )
        assert status() == 200
        assert "Traceback" not in server.errors


# ---- Where others reach it ----


def test_the_addresses_for_others_are_those_of_real_networks_the_outgoing_one_first_and_ipv4_before_ipv6() -> (
    None
):
    found = [
        ("lo", "127.0.0.1"),
        ("docker0", "172.17.0.1"),
        ("eth0", "fe80::1"),
        ("eth0", "2001:db8::5"),
        ("eth0", "10.0.0.7"),
        ("wlan0", "192.168.1.5"),
        ("usb0", "169.254.3.4"),
    ]
    assert plausible(found, ["2001:db8::5", "192.168.1.5"]) == [
        "192.168.1.5",
        "10.0.0.7",
        "2001:db8::5",
    ]
    assert addresses_of("192.168.1.9", 8080) == ["http://192.168.1.9:8080/"]
    assert addresses_of("fd00::9", 8080) == ["http://[fd00::9]:8080/"]
    assert not any("[" in address for address in addresses_of("0.0.0.0", 8080))


def test_a_qr_code_is_black_on_white_with_a_quiet_zone_and_says_the_link() -> None:
    link = "http://192.168.1.5:8080/#/join/sV942d0EOD0L/FhcSAPtTpxlimp1SVXRXeonJ"
    expected = [
        [bool(module) for module in row]
        for row in segno.make(link, error="m", micro=False).matrix_iter(border=4)
    ]
    side = len(expected)
    png = resvg_py.svg_to_bytes(svg_string=qr_code(link).decode(), width=side, height=side)
    drawn = Image.open(io.BytesIO(bytes(png))).convert("RGBA")
    colours = {True: (0, 0, 0, 255), False: (255, 255, 255, 255)}
    assert [[drawn.getpixel((column, row)) for column in range(side)] for row in range(side)] == [
        [colours[dark] for dark in row] for row in expected
    ]


# ---- Opened by a button ----


@contextlib.contextmanager
def served(folder: Path) -> Iterator[int]:
    """A server for this computer alone, in this process; its port."""
    app = make_app(folder / "games.sqlite", compile_ahead=False)
    protocol = functools.partial(BoundedProtocol, limits=USUAL)
    config = uvicorn.Config(
        app, http=cast(type[asyncio.Protocol], protocol), port=0, log_level="critical"
    )
    server = Server(config, app.state.games)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    wait_for(lambda: server.started, "the server starts")
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(60)


@pytest.mark.skipif(sys.platform != "linux", reason="a second address of this computer")
def test_who_sits_at_this_computer_opens_the_page_to_the_network_and_closes_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "plausible", lambda found, outgoing: ["127.0.0.2"])
    with served(tmp_path) as port, contextlib.ExitStack() as stack:
        own, other = (
            stack.enter_context(
                httpx.Client(
                    base_url=f"http://{host}:{port}/api/v1",
                    headers={"Authorization": f"Bearer {host.replace('.', '-') * 4}"},
                )
            )
            for host in ("127.0.0.1", "127.0.0.2")
        )
        before = own.get("/addresses").json()
        assert (before["loopback"], before["opened"], before["can_open"]) == (True, False, True)
        with pytest.raises(httpx.ConnectError):
            other.get("/addresses")
        opened = own.post("/network", json={"open": True}).json()
        assert opened["addresses"] == [f"http://127.0.0.2:{port}/"]
        assert (opened["loopback"], opened["opened"], opened["can_open"]) == (False, True, True)
        assert other.get("/addresses").json()["can_open"] is False
        assert other.post("/network", json={"open": False}).status_code == 403
        assert other.get("/games?everyone=true").status_code == 403, "these are others' games"
        assert own.get("/games?everyone=true").status_code == 200
        assert other.get("/addresses", headers={"Host": "evil.example"}).status_code == 403
        closed = own.post("/network", json={"open": False}).json()
        assert (closed["addresses"], closed["loopback"]) == ([], True)
        with pytest.raises(httpx.TransportError):
            other.get("/addresses")


# ---- Memory ----

TABLES = """
from pathlib import Path
import numpy, sys, threading
from mnkala.web.server import give_memory_back
give_memory_back()

def resident():
    status = Path("/proc/self/status").read_text()
    return int(status.partition("RssAnon:")[2].split()[0]) // 1024

def search(kept):
    for _ in range(4):
        numpy.ones(2_000_000)
        tables = [numpy.ones(500_000) for _ in range(10)]
        kept += [bytearray(5_000) for _ in range(4)]

before, kept = resident(), []
threads = [threading.Thread(target=search, args=(kept,)) for _ in range(8)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(resident() - before)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="settings of glibc")
def test_tables_of_searches_that_are_over_go_back_to_the_system() -> None:
    """Forty megabytes a thread in blocks of four, and a little that stays between them."""
    ran = subprocess.run([sys.executable, "-c", TABLES], check=True, capture_output=True, text=True)
    assert int(ran.stdout) < 60
