"""How the server shares its threads: nobody waits for somebody else's analysis, and nobody works
for those who have left.
"""

from __future__ import annotations

import contextlib
import dataclasses
import http.client
import json
import os
import secrets
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from mnkala.core import Position, Record
from mnkala.errors import MnkalaError
from mnkala.jobs.child import Child
from mnkala.jobs.supervisor import descendants
from mnkala.play import export, parse_player
from mnkala.play.export import picture_bytes
from mnkala.play.game_filter import Wanted
from mnkala.play.saved_games import record_of, records_text, row_of_record
from mnkala.play.store import DamagedRow, Row
from mnkala.search import Stop
from mnkala.web import live_games
from mnkala.web.drawing import Drawing
from mnkala.web.http_errors import TooBusy
from mnkala.web.limits import USUAL, Limits
from mnkala.web.live_game import LiveGame
from mnkala.web.live_games import AT_ONCE
from mnkala.web.requests import Export, read_position
from mnkala.web.workers import Job, WorkQueue
from tests.web_server import PATIENCE_OF_TESTS, Inside, Live, Person, Server, inside, wait_for

HARD = {"game": "connect4:7x8", "moves": "5"}
"""No book has it, and no solver ends with it soon."""


def sent(port: int, path: str, body: Any) -> http.client.HTTPConnection:
    """A request of somebody new, whose answer is not waited for."""
    connection = http.client.HTTPConnection("localhost", port, timeout=PATIENCE_OF_TESTS)
    connection.request(
        "GET" if body is None else "POST",
        f"/api/v1{path}",
        json.dumps(body),
        {
            "Content-Type": "application/json",
            "Authorization": f"Bearer {secrets.token_urlsafe(32)}",
        },
    )
    return connection


# ---- Queues ----


class Blocked:
    """Work that lasts until it is told to end, or until its stop flag is raised."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.stop = Stop()
        self.running = False

    def __call__(self) -> None:
        self.running = True
        while not self.gate.is_set() and not self.stop.is_set():
            time.sleep(0.002)

    def put_into(self, queue: WorkQueue, person: str) -> Job:
        return queue.submit(person, self, self.stop)


def test_nobody_holds_all_places_of_a_queue() -> None:
    queue = WorkQueue("test", threads=3, waiting=100, waiting_per_person=100, running_per_person=2)
    greedy, modest = [Blocked() for _ in range(4)], Blocked()
    for work in greedy:
        work.put_into(queue, "greedy")
    wait_for(lambda: queue.counts() == (2, 2), "two run and two wait")
    modest.put_into(queue, "modest")
    wait_for(lambda: modest.running, "the third place is for somebody else")
    assert not greedy[2].running
    queue.close()
    wait_for(lambda: queue.counts() == (0, 0), "closing ends what runs")


def test_where_all_places_are_taken_whoever_holds_more_gives_way() -> None:
    queue = WorkQueue("test", threads=2, waiting=100, waiting_per_person=100, patience=0.05)
    first, second, other, late = (Blocked() for _ in range(4))
    first.put_into(queue, "greedy")
    wait_for(lambda: first.running, "it runs")
    second.put_into(queue, "greedy")
    wait_for(lambda: second.running, "it runs")
    other.put_into(queue, "other")
    wait_for(lambda: other.running, "somebody else gets a place")
    assert first.stop.is_set()
    assert not second.stop.is_set()
    late.put_into(queue, "other")
    time.sleep(0.2)
    assert not late.running, "who holds as much as the other has to wait"
    queue.close()


def test_places_are_kept_for_what_is_urgent_which_is_always_accepted_and_gives_way_to_nobody() -> (
    None
):
    queue = WorkQueue(
        "test", threads=3, waiting=1, waiting_per_person=1, kept_for_urgent=1, patience=0.05
    )
    calm, urgent, late = [Blocked() for _ in range(3)], [Blocked() for _ in range(3)], Blocked()
    for number, work in enumerate(calm[:2]):
        work.put_into(queue, f"somebody {number}")
        wait_for(lambda work=work: work.running, "two places are for everybody")  # type: ignore[misc]
    calm[2].put_into(queue, "somebody 0")
    with pytest.raises(TooBusy):
        late.put_into(queue, "other")
    for work in urgent:
        queue.submit("engines", work, work.stop, urgent=True)
    wait_for(lambda: urgent[0].running, "the third place was kept")
    time.sleep(0.2)
    assert [work.running for work in (*calm, *urgent)] == [True, True, False, True, False, False]
    assert not urgent[0].stop.is_set()
    calm[0].gate.set()
    wait_for(lambda: urgent[1].running or calm[2].running, "the next in line")
    queue.close()


def test_work_of_one_name_is_done_one_after_the_other_while_others_pass() -> None:
    queue = WorkQueue("test", threads=3, waiting=100, waiting_per_person=100)
    pictures, hint = [Blocked() for _ in range(2)], Blocked()
    for picture in pictures:
        queue.submit("ann", picture, picture.stop, alone="picture")
    hint.put_into(queue, "ann")
    wait_for(lambda: pictures[0].running and hint.running, "the hint passes the second picture")
    assert not pictures[1].running
    pictures[0].gate.set()
    wait_for(lambda: pictures[1].running, "its turn has come")
    queue.close()


def test_what_nobody_wants_any_more_leaves_the_queue_at_once() -> None:
    queue = WorkQueue("test", threads=1, waiting=2, waiting_per_person=2)
    running, waiting = Blocked(), Blocked()
    job = running.put_into(queue, "a")
    wait_for(lambda: running.running, "it runs")
    jobs = [waiting.put_into(queue, "a") for _ in range(2)]
    with pytest.raises(TooBusy):
        waiting.put_into(queue, "a")
    for each in jobs:
        queue.withdraw(each)
    assert queue.counts() == (1, 0)
    queue.withdraw(job)
    wait_for(lambda: queue.counts() == (0, 0), "the running one heard of it")
    assert not waiting.running
    queue.close()


@contextlib.contextmanager
def all_places_taken(*queues: WorkQueue) -> Iterator[None]:
    """Every place of some queues is taken, but those that are kept for games."""
    works = [Blocked() for queue in queues for _ in range(queue._for_all)]
    each = iter(works)
    for queue in queues:
        for number in range(queue._for_all):
            next(each).put_into(queue, f"somebody {number}")
    wait_for(lambda: all(work.running for work in works), "they all run")
    try:
        yield
    finally:
        for work in works:
            work.gate.set()


def endless(*arguments: Any, **named: Any) -> None:
    """Work that ends only when its stop flag is raised."""
    flags = [getattr(each, "stop", each) for each in (*arguments, *named.values())]
    stop = next(flag for flag in flags if isinstance(flag, Stop))
    while not stop.is_set():
        time.sleep(0.002)
    raise MnkalaError("stopped")


PUZZLE = {"game": "connect4", "moves": "4453", "win_in": 3}


@pytest.mark.parametrize(
    ("function", "path", "body"),
    [
        ("mnkala.solve.oracle.prove", "/solve", {**HARD, "seconds": 10}),
        ("mnkala.solve.oracle.prove", "/solve", HARD),
        (
            "mnkala.families.lines.explain.line_threats",
            "/threats",
            {"game": "gomoku", "moves": "h8h9"},
        ),
        ("mnkala.explain.inspection.hint", "/hint", {"game": "connect4"}),
        ("mnkala.web.handlers.trace", "/think", {"game": "connect4"}),
        ("mnkala.play.puzzles.puzzle_set", "/puzzles", {"game": "connect4:5x8", "win_in": 3}),
        ("mnkala.play.puzzles.attempt", "/puzzles/try", {**PUZZLE, "move": "4"}),
        ("mnkala.play.puzzles.solution", "/puzzles/help", PUZZLE),
    ],
)
def test_dropped_requests_end_their_work(
    quiet: Inside, monkeypatch: pytest.MonkeyPatch, function: str, path: str, body: Any
) -> None:
    monkeypatch.setattr(function, endless)
    places = quiet.games.workers.long._places
    asked = [sent(quiet.port, path, body) for _ in range(places + 2)]
    wait_for(
        lambda: (
            sum(quiet.counts()) == len(asked) and quiet.counts()[0] > 1 and quiet.counts()[1] > 1
        ),
        "some run, others wait",
    )
    for connection in asked:
        connection.close()
    wait_for(lambda: quiet.counts() == (0, 0), "nothing is worked at for nobody")


def test_of_records_whose_sender_has_left_no_more_are_read(
    quiet: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    gate = threading.Event()

    def slow(where: Any, limits: Limits) -> Position:
        read.append(where.moves)
        gate.wait(PATIENCE_OF_TESTS)
        return read_position(where, limits)

    monkeypatch.setattr(live_games, "read_position", slow)
    connection = sent(quiet.port, "/records", {"text": "connect4 44 *\n" * 50})
    wait_for(lambda: bool(read), "it is read")
    queue = quiet.games.workers.questions
    connection.close()
    wait_for(
        lambda: all(job.stop.is_set() for job in queue._running),
        "the server hears that the sender has left",
    )
    gate.set()
    wait_for(lambda: quiet.counts() == (0, 0), "nothing is worked at for nobody")
    assert len(read) == 1


@pytest.fixture(scope="module")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A server with nothing to do, on which nobody has to give way."""
    with inside(
        tmp_path_factory.mktemp("quiet"), dataclasses.replace(USUAL, patience=10_000)
    ) as server:
        yield server


# ---- Files ----

PICTURE = Export("connect4", moves="4435261", format="png")


@pytest.fixture(scope="module")
def drawing() -> Iterator[Drawing]:
    """A process that draws."""
    found = Drawing(dataclasses.replace(USUAL, seconds_of_drawing=PATIENCE_OF_TESTS))
    yield found
    found.close()


def halted(drawing: Drawing) -> Child:
    """The process that draws, with its supervisor; it answers nothing from now on."""
    drawing.draw(PICTURE, Stop())
    assert drawing._process is not None
    for process in descendants(drawing._process.pid):
        os.kill(process, signal.SIGSTOP)
    return drawing._process


def test_pictures_are_drawn_by_another_process(
    quiet: Inside, drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = {
        format: picture_bytes(Position("connect4").play("4435261"), format)
        for format in ("svg", "png", "gif")
    }
    monkeypatch.setattr(export, "picture_bytes", None)
    monkeypatch.setattr(quiet.games.workers, "drawing", drawing)
    ann = Person(quiet)
    for format, (content, media, name) in expected.items():
        asked = {"game": "connect4", "moves": "4435261", "format": format}
        answer = ann.http.post("/export", json=asked)
        assert (answer.content, answer.headers["content-type"]) == (content, media)
        assert name in answer.headers["content-disposition"]
    wrong = {"game": "connect4", "moves": "49", "format": "png"}
    assert "column 9 does not exist" in ann.post("/export", wrong, expect=400)["error"]


def test_a_picture_is_drawn_though_the_process_that_draws_has_died(drawing: Drawing) -> None:
    first = drawing.draw(PICTURE, Stop())
    process = halted(drawing)
    threading.Timer(0.1, process.end).start()  # in the middle of the next picture
    assert drawing.draw(PICTURE, Stop()) == first


def test_the_process_that_draws_ends_when_nobody_can_ask_it_any_more(drawing: Drawing) -> None:
    drawing.draw(PICTURE, Stop())
    assert drawing._process is not None
    drawing._process.close_input()  # as the system does for a server that was killed
    assert drawing._process.end(PATIENCE_OF_TESTS) == 0


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="the process that draws is found in /proc")
def test_a_dropped_picture_ends_with_its_process_and_the_next_one_is_drawn(
    quiet: Inside, drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = halted(drawing)
    monkeypatch.setattr(quiet.games.workers, "drawing", drawing)
    connection = sent(quiet.port, "/export", {"game": "connect4", "format": "png"})
    wait_for(lambda: quiet.games.workers.questions.counts() == (1, 0), "it is being drawn")
    connection.close()
    wait_for(lambda: quiet.counts() == (0, 0), "nobody waits for it any more")
    assert not process.is_running
    assert drawing.draw(PICTURE, Stop()).media == "image/png"


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="the process that draws is found in /proc")
def test_a_picture_that_takes_too_long_is_refused(
    drawing: Drawing, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = halted(drawing)
    monkeypatch.setattr(drawing, "_limits", dataclasses.replace(USUAL, seconds_of_drawing=0.1))
    with pytest.raises(MnkalaError, match=r"more than 0\.1 s to be drawn"):
        drawing.draw(PICTURE, Stop())
    assert not process.is_running


def test_all_games_are_sent_in_slices_as_one_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with inside(tmp_path) as server:
        store = server.games.store
        rows = [
            row_of_record(Record.parse(f"# first: P{n}\nconnect4 {'4' * (n % 5)}7 *"), parse_player)
            for n in range(2 * AT_ONCE + 1)
        ]
        store.write(rows)
        expected = records_text(store.listed(Wanted(), 1_000))
        most, some = [0], store.some

        def counted(ids: Sequence[str]) -> list[Row | DamagedRow]:
            most[0] = max(most[0], len(ids))
            return some(ids)

        monkeypatch.setattr(store, "some", counted)
        ann = Person(server)
        assert ann.http.get("/records").text == expected
        assert most[0] == AT_ONCE, "no more of them are in memory at a time"
        assert ann.http.get("/records?text=P77").text == str(Record.parse(record_of(rows[77])))
        assert ann.http.get("/records?text=nobody").text == ""
        assert "everyone" in ann.get("/records?everyone=perhaps", expect=400)["error"]


def test_an_export_that_nobody_reads_any_more_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with inside(tmp_path) as server:
        store = server.games.store
        row = row_of_record(Record.parse("connect4 4 *"), parse_player)
        store.write([dataclasses.replace(row, id=f"{n}") for n in range(100 * AT_ONCE)])
        asked, gate, some = [0], threading.Event(), store.some

        def slow(ids: Sequence[str]) -> list[Row | DamagedRow]:
            asked[0] += 1
            if asked[0] == 3:
                assert gate.wait(PATIENCE_OF_TESTS)
            return some(ids)

        monkeypatch.setattr(store, "some", slow)
        connection = sent(server.port, "/records", None)
        wait_for(lambda: asked[0] == 3, "it is being sent")
        connection.close()
        wait_for(lambda: not server.games.workers._asked, "the server has heard of it")
        gate.set()
        wait_for(lambda: server.counts() == (0, 0), "nothing is read for nobody")
        assert asked[0] == 3


def test_an_engine_waits_while_nobody_waits_for_it(tmp_path: Path) -> None:
    limits = dataclasses.replace(
        USUAL, awaited_seconds=0.5, left_seconds=0.1, seconds_per_move=1000.0
    )
    with inside(tmp_path, limits) as server:
        ann = Person(server)
        games = [ann.new("connect4", "deepening:time=900", "human") for _ in range(8)]
        wait_for(lambda: server.counts() == (0, 0), "all games were left")
        ann.until(
            games[3], lambda seen: seen["thinking"] == 0
        )  # a player who looks again makes it go on
        wait_for(lambda: server.counts() == (0, 0), "and leaves again")
        with ann.live() as connection:
            connection.send(type="follow", game=games[5]["id"])
            connection.until(
                lambda message: message["type"] == "game" and message["game"]["thinking"] == 0
            )
            time.sleep(1.2)
            assert server.games.workers.long.counts() == (1, 0), (
                "it goes on as long as somebody follows"
            )
        wait_for(lambda: server.counts() == (0, 0), "the page was closed")
        quick = ann.new("connect4", "human", "easy")
        ann.move(quick, "4")
        ann.until(quick, lambda seen: seen["can"]["move"])


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        (
            "/puzzles",
            {"game": "connect:3x3x3", "win_in": 12},
            "its 9 cells are full after 5 moves of each side",
        ),
        ("/puzzles", {"game": "mnk:8x8x3", "win_in": 3}, "there are puzzles for Connect boards"),
        ("/puzzles", {"game": "gomoku", "win_in": 3}, "puzzles of gomoku are chosen by kind alone"),
        (
            "/puzzles/try",
            {"game": "connect4", "moves": "4", "win_in": 12, "played": ["4"] * 3, "move": "4"},
            "nothing left to try",
        ),
        (
            "/puzzles/help",
            {"game": "connect:3x3x3", "moves": "12", "win_in": 6},
            "here it can be 1 to 4",
        ),
        (
            "/puzzles/try",
            {"game": "connect4", "moves": "4", "win_in": 3, "move": "9"},
            "column 9 does not exist",
        ),
        ("/think", {"game": "kalah", "heuristic": "lines"}, "lines"),
        ("/think", {"game": "gomoku:90", "algorithm": "mcts", "iterations": 500}, "1 to 14"),
        ("/think", {"game": "connect4", "moves": "1212121"}, "the game is over"),
        ("/solve", {"game": "gomoku"}, "cannot be solved exactly"),
        ("/hint", {"game": "tictactoe", "moves": "a1b1a2b2a3"}, "the game is over"),
    ],
)
def test_what_cannot_be_meant_is_refused_before_it_waits(
    busy: Inside, path: str, body: Any, told: str
) -> None:
    assert told in Person(busy).post(path, body, expect=400)["error"]


BAD_ENGINES = (
    ("nonsense", "nonsense"),
    ("deepening:heuristic=kalah", "not Kalah"),
    ("deepening:table_bits=23", "up to 22"),
    ("threats:heuristic=/etc/passwd", "reads no files"),
    ("threats:heuristic=mine", "here threats evaluates by auto, learned, guessed"),
)


def test_an_analysis_that_cannot_be_is_refused_before_it_waits(busy: Inside) -> None:
    with Person(busy).live() as connection:
        for number, (engine, told) in enumerate(BAD_ENGINES):
            connection.send(type="analyse", id=number, game="connect4", engine=engine)
            assert told in connection.until(lambda message: message.get("id") == number)["error"]  # noqa: B023


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A server whose every place for questions is taken."""
    limits = dataclasses.replace(USUAL, patience=10_000)
    with (
        inside(tmp_path_factory.mktemp("busy"), limits) as server,
        all_places_taken(server.games.workers.questions, server.games.workers.long),
    ):
        yield server


def test_the_newest_of_many_analyses_is_the_one_that_runs(tmp_path: Path) -> None:
    with inside(tmp_path, dataclasses.replace(USUAL, patience=10_000)) as server:
        with Person(server).live() as connection, all_places_taken(server.games.workers.long):
            for number in range(50):
                connection.send(
                    type="analyse",
                    id=number,
                    game="connect4",
                    moves="4" * (number % 2),
                    seconds=100,
                )
            connection.send(type="ping")
            connection.until(lambda message: message["type"] == "pong")
            wait_for(lambda: server.games.workers.long.counts()[1] == 1, "only the newest waits")
        with Person(server).live() as connection:
            for number in range(50):
                connection.send(
                    type="analyse",
                    id=number,
                    game="connect4",
                    moves="4" * (number % 2),
                    seconds=100,
                )
            assert (
                connection.until(
                    lambda message: message["type"] == "error" or message.get("id") == 49
                )["type"]
                == "analysis"
            )
        wait_for(lambda: server.counts() == (0, 0), "the rest was called off")


def test_games_are_made_and_read_outside_the_event_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where: list[str] = []

    def heard(original: Any) -> Any:
        def listening(*arguments: Any) -> Any:
            where.append(threading.current_thread().name)
            return original(*arguments)

        return listening

    monkeypatch.setattr(LiveGame, "new", heard(LiveGame.new))
    monkeypatch.setattr(LiveGame, "of_row", heard(LiveGame.of_row))
    cells = "".join(f"a{row}c{row}" for row in range(1, 5))
    with inside(tmp_path) as server:
        ann = Person(server)
        game = ann.new("gomoku:90", moves=cells)
    with inside(tmp_path) as server, ann.at(server).live() as connection:
        connection.send(type="follow", game=game["id"])
        played = connection.until(lambda message: message["type"] == "game")["game"]["view"][
            "played"
        ]
    assert played == ["a1", "c1", "a2", "c2", "a3", "c3", "a4", "c4"]
    assert len(where) == 2
    assert all(name.startswith("quick-") for name in where)


# ---- A server in a process of its own ----


def running_analyses(connections: list[Live]) -> list[Live]:
    """Those that have not ended: their last words would come before the answer to a ping."""
    open_ones = []
    for connection in connections:
        connection.send(type="ping")
        first = connection.until(lambda message: message["type"] == "pong" or message.get("final"))
        if first["type"] == "pong":
            open_ones.append(connection)
    return open_ones


def test_a_hint_and_further_analyses_do_not_wait_for_long_ones(server: Server) -> None:
    with contextlib.ExitStack() as stack:
        connections = [stack.enter_context(Person(server).live()) for _ in range(3)]
        for number, connection in enumerate(connections):
            connection.send(type="analyse", id=number, game="connect4", moves="4", seconds=300)
            connection.until(lambda message: message["type"] == "analysis")
        assert Person(server).post("/hint", {"game": "connect4", "moves": "44"})["move"]
        assert Person(server).post("/solve", {"game": "connect4", "moves": "444444333333"})[
            "scores"
        ]
        assert running_analyses(connections) == connections, "all three went on meanwhile"


def test_a_hint_does_not_wait_for_reviews(server: Server) -> None:
    with contextlib.ExitStack() as stack:
        connections = [stack.enter_context(Person(server).live()) for _ in range(2)]
        for number, connection in enumerate(connections):
            connection.send(
                type="review",
                id=number,
                game="connect4:7x8",
                moves="121212212121565656656565",
                seconds=10,
            )
            connection.until(lambda message: message["type"] == "review")
        assert Person(server).post("/hint", {"game": "connect4", "moves": "44"})["move"]
        assert running_analyses(connections) == connections


def test_stopping_a_server_with_all_kinds_of_work_under_way_says_nothing(tmp_path: Path) -> None:
    server = Server(tmp_path)
    ann = Person(server)
    ann.new("connect4", "deepening:time=50", "human")
    requests = [("/solve", {**HARD, "seconds": 10})] * 12 + [
        ("/think", {"game": "gomoku", "algorithm": "mcts", "iterations": 500})
    ] * 2
    with ann.live() as socket:
        socket.send(type="analyse", id=1, game="connect4", seconds=100)
        socket.until(lambda message: message["type"] == "analysis")
        asked = [sent(server.port, *request) for request in requests]
        Person(server).get("/games")
        assert server.stop() == 0
    statuses = []
    for connection in asked:
        statuses.append(connection.getresponse().status)
        connection.close()
    assert statuses == [503] * len(requests)
    assert server.errors == ""
