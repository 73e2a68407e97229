"""What strangers may not have from a server, by whichever route they ask: engines beyond its
limits, files, programs of its computer.

Every text of every request and of every message on the socket is tried, so that a new route is
attacked as soon as it has an example here.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import re
import shutil
import typing
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from mnkala.core import Record, parse_game
from mnkala.errors import BadEngine
from mnkala.families.connect.learned import SHIPPED
from mnkala.play import Player
from mnkala.play.saved_games import row_of_record
from mnkala.play.store import digest
from mnkala.search import Engine, parse_engine
from mnkala.web import requests as r
from mnkala.web.engines import read_engine, read_heuristic, read_player
from mnkala.web.limits import USUAL
from mnkala.web.routes import ROUTES, Route
from tests.web_server import Inside, Person, inside, wait_for

HEAVY = (
    "mcts:memory=200000000,iterations=100000000",
    "deepening:table_bits=28",
    "auto:time=100000",
    "threats:table_bits=28,time=1",
    "perfect:threads=16",
)
PROGRAMS = ("gomocup:touch RAN", "kgp:touch RAN", "kaggle:RAN", "open_spiel:RAN")
GAME = {"game": "connect4", "moves": "44"}
PUZZLE = {"game": "connect4", "moves": "4453", "win_in": 3}
EXAMPLES: dict[type, dict[str, Any]] = {
    r.GameRequest: {"game": "connect4"},
    r.ResultsRequest: {"game": "connect4", "results": [{"level": "easy", "points": 1}]},
    r.PositionRequest: {**GAME, "start": None},
    r.StepsRequest: {**GAME, "move": "4"},
    r.RulesRequest: {"game": "connect4"},
    r.NewGame: {**GAME, "players": ["human", "random"], "nicknames": ["Ann", None]},
    r.Link: {"text": "http://here/"},
    r.Records: {"text": "# first: Ann\n# second: human\nconnect4 44 *"},
    r.Move: {"move": "4", "turn": 0},
    r.Action: {"action": "rename", "nickname": "Ann"},
    r.Join: {"invitation": "x", "nickname": "Ann"},
    r.OpenNetwork: {"open": False},
    r.QuickStudyRequest: {"study": "nothing"},
    r.NewTournament: {"game": "tictactoe", "players": ["greedy", "random"]},
    r.TournamentAction: {"action": "stop"},
    r.SolveRequest: {"game": "tictactoe", "moves": "a1b2", "seconds": 0.1},
    r.PuzzlesRequest: {"game": "connect4", "win_in": 3},
    r.PickRequest: {"pick": "similar", "game": "connect4", "mistake": "mistake.missed_win"},
    r.SolvedPuzzles: {"solved": {"connect4 44": "alone"}},
    r.PuzzleMove: {**PUZZLE, "move": "4", "played": []},
    r.PuzzleRequest: {**PUZZLE, "played": []},
    r.LessonMove: {"game": "tictactoe", "lesson": "block", "move": "b1", "played": []},
    r.LessonRequest: {"game": "tictactoe", "lesson": "block", "played": []},
    r.RecordText: {"text": "# first: easy\nconnect4 44 *", "game": "connect4", "start": None},
    r.EditRequest: {"game": "connect4", "cells": [[0] * 7] * 6},
    r.Export: {**GAME, "format": "record", "players": ["Ann", "Ben"], "fault": None},
    r.TraceRequest: {**GAME, "depth": 1, "heuristic": "auto"},
    r.TraceExport: {**GAME, "depth": 1, "heuristic": "auto", "format": "json"},
    r.Hello: {"token": "x"},
    r.Follow: {"game": "x"},
    r.Unfollow: {"game": "x"},
    r.StopWork: {"id": 1},
    r.Ping: {},
    r.Analyse: {**GAME, "id": 1, "engine": "random", "seconds": 0.05},
    r.ReviewGame: {**GAME, "id": 1, "seconds": 0.01},
}
"""A request of each type that is answered at once."""


# ---- Attacks ----


def with_text(body: Any, attack: str) -> Iterator[Any]:
    """The request with an attack in the place of each of its texts; where a text has lines, in the
    place of each name in them.
    """
    match body:
        case dict():
            for key, value in body.items():
                yield from ({**body, key: each} for each in with_text(value, attack))
        case list():
            for place, value in enumerate(body):
                yield from (
                    [*body[:place], each, *body[place + 1 :]] for each in with_text(value, attack)
                )
        case str() if ": " in body:
            yield from (
                re.sub(rf"(# {name}:).*", lambda found: f"{found[1]} {attack}", body)
                for name in re.findall(r"# (\w+):", body)
            )
            yield attack
        case str() | None:
            yield attack


def attacks(route: Route, *texts: str) -> Iterator[tuple[str, str, Any]]:
    """Method, path and body of every request of a route with one of these texts."""
    assert route.body is None or route.body in EXAMPLES, (
        f"{route.body} needs an example, so that it can be attacked"
    )
    for text in texts:
        if route.body is not None:
            yield from (
                (route.method, re.sub(r"\{\w+\}", "x", route.path), body)
                for body in with_text(EXAMPLES[route.body], text)
            )
        quoted = re.sub(
            r"[^\w.]", lambda found: "".join(f"%{byte:02x}" for byte in found[0].encode()), text
        )
        if "{" in route.path:
            yield (
                route.method,
                re.sub(r"\{\w+\}", quoted, route.path),
                EXAMPLES.get(route.body) if route.body else None,
            )
        for name, _ in route.query:
            yield route.method, f"{re.sub(r'[{][a-z]+[}]', 'x', route.path)}?{name}={quoted}", None


def socket_attacks(*texts: str) -> Iterator[dict[str, Any]]:
    """Every message on the socket with one of these texts."""
    for kind in typing.get_args(r.SocketRequest):
        tag = kind.__struct_config__.tag
        for text in texts:
            yield from ({"type": tag, **body} for body in with_text(EXAMPLES[kind], text))


def is_last(number: int, heard: Any) -> bool:
    """Whether a message is the last word on a piece of work."""
    return heard.get("id") == number and bool(heard.get("error") or heard.get("final"))


def names(person: Person, live: Any, path: Path) -> list[str]:
    """All answers to attacks that name a file, without what is new each time."""
    texts = (
        str(path),
        f"deepening:heuristic={path}",
        f"threats:heuristic={path}",
        f"kaggle:{path}",
    )
    said = []
    for route in ROUTES:
        for method, where, body in attacks(route, *texts):
            answer = (
                person.http.request(method, where, json=body)
                if body is not None
                else person.http.request(method, where)
            )
            said.append(f"{method} {where} {body}: {answer.status_code} {answer.text}")
    for number, message in enumerate(socket_attacks(*texts)):
        live.send(**{**message, **({"id": number} if "id" in message else {})})
        if message["type"] in ("analyse", "solve", "review"):
            said.append(f"{message}: {live.until(functools.partial(is_last, number))}")
        else:
            live.send(type="ping")
            first = live.until(lambda heard: heard["type"] in ("error", "pong"))
            said.append(f"{message}: {first}")
            if first["type"] == "error":
                live.until(lambda heard: heard["type"] == "pong")
    changing = r'"(?:id|created|updated|invitation|seconds|nodes|preparing|thinking)":[^,}]*|[\'"](?:seconds|nodes|version)[\'"]: [^,}]*'
    return [re.sub(changing, "", each) for each in said]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    limits = dataclasses.replace(USUAL, actions_per_second=1e9, actions_at_once=10_000)
    with inside(tmp_path_factory.mktemp("gate"), limits) as running:
        yield running


def test_no_request_tells_whether_a_file_is_there(server: Inside, tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    heard = []
    for is_there in (False, True):
        if is_there:
            shutil.copy(SHIPPED, file)
        person = Person(server)
        with person.live() as live:
            heard.append(names(person, live, file))
    for one, other in zip(*heard, strict=True):
        assert one == other


def test_no_request_brings_an_engine_beyond_the_limits_to_work(
    server: Inside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worked: list[Engine] = []

    def noted(original: Any) -> Any:
        def noting(engine: Engine, *arguments: Any, **named: Any) -> Any:
            worked.append(engine)
            return original(engine, *arguments, **named)

        return noting

    monkeypatch.chdir(tmp_path)
    for name in ("answer", "stream"):
        monkeypatch.setattr(Engine, name, noted(getattr(Engine, name)))
    person = Person(server)
    for route in ROUTES:
        for method, where, body in attacks(route, *HEAVY, *PROGRAMS):
            answer = (
                person.http.request(method, where, json=body)
                if body is not None
                else person.http.request(method, where)
            )
            assert answer.status_code < 500, f"{method} {where} {body}: {answer.text}"
    for game in person.get("/games")["games"]:
        person.get(f"/games/{game['id']}")
        person.until(game, lambda seen: not seen["preparing"])
    with person.live() as live:
        for number, message in enumerate(
            [
                {"type": "analyse", "id": 1, "game": "gomoku", "engine": "random", "seconds": 0.05},
                *socket_attacks(*HEAVY, *PROGRAMS),
            ]
        ):
            if (
                "id" in message
            ):  # the others are answered by nothing or by an error without a number
                live.send(**{**message, "id": number})
                live.until(functools.partial(is_last, number))
    wait_for(lambda: server.counts() == (0, 0), "all is done")
    assert worked, "the engine that is allowed did work"
    for engine in worked:
        assert getattr(engine.search, "table_bits", 0) <= USUAL.table_bits, engine
        assert getattr(engine.search, "memory", 0) <= USUAL.tree_nodes, engine
        assert getattr(engine.search, "threads", 1) <= USUAL.threads, engine
        assert (
            engine.limit.time or 0
        ) <= USUAL.seconds_per_move or engine.limit.stop is not None, engine
        assert not engine.search.runs_program, engine
    assert not list(tmp_path.iterdir()), "no program ran"


# ---- The gate itself ----


def test_nothing_in_web_makes_an_engine_of_a_text_but_the_gate() -> None:
    readers = {
        "parse_engine",
        "parse_player",
        "heuristic_for",
        "same_player",
        "engine_for",
        "learned_from",
        "read_weights",
    }
    for file in Path(str(resources.files("mnkala.web"))).glob("*.py"):
        if file.stem != "engines":
            used = {
                node.id
                if isinstance(node, ast.Name)
                else node.attr
                if isinstance(node, ast.Attribute)
                else node.name
                for node in ast.walk(ast.parse(file.read_text()))
                if isinstance(node, ast.Name | ast.Attribute | ast.alias)
            }
            assert not used & readers, f"{file.name} must ask mnkala.web.engines"


@pytest.mark.parametrize(
    "engine",
    [
        "deepening:heuristic=mine.json",
        "threats:nodes=5,heuristic = /etc/passwd",
        "threats:heuristic=~",
        "threats:heuristic=mine",
        r"deepening:heuristic=C:\mine",
        "auto:book=../x",
        "deepening:heuristic=mine",
    ],
)
def test_a_server_reads_no_file_that_somebody_names(engine: str) -> None:
    for read in (
        lambda: read_engine(engine, USUAL),
        lambda: read_player(engine, parse_game("tictactoe"), USUAL),
    ):
        with pytest.raises(BadEngine, match=r"reads no files|evaluates by|no heuristic is called"):
            read()
    with pytest.raises(BadEngine, match="no heuristic is called"):
        read_heuristic("/etc/passwd")


@pytest.mark.parametrize(
    "engine",
    [
        "deepening:heuristic=zero-sum-hv",
        "mcts:keep=off,exploration=1.5,nodes=10",
        "threats:tuning=late:4+width:20",
        "alphabeta:depth=3,candidates=near:2",
        "budget:fill=0.5",
        "threats:heuristic=guessed",
    ],
)
def test_options_that_name_no_file_are_read_as_ever(engine: str) -> None:
    assert read_engine(engine, USUAL) == parse_engine(engine)


# ---- Games that are kept already ----


@contextlib.contextmanager
def kept(
    folder: Path, engine: str, moves: str = "44", result: str = "*"
) -> Iterator[tuple[Person, str]]:
    """Somebody whose game with an engine is in the file already, as one of the terminal may be."""
    with inside(folder) as server:
        person = Person(server)
        row = row_of_record(Record.parse(f"connect4 {moves} {result}"), lambda *_: Player("human"))
        row = dataclasses.replace(
            row,
            first_owner=digest(person.secret),
            second_owner=digest(person.secret),
            second=engine,
        )
        server.games.store.write([row])
        yield person, row.id


@pytest.mark.parametrize(
    ("engine", "why"),
    [
        (HEAVY[0], "memory=200000000; this server allows up to 4000000"),
        ("auto:time=100000", "60 seconds a move"),
        ("gomocup:/somewhere/brain", "runs a program of this computer"),
        ("deepening:heuristic=/my/weights.json", "reads no files"),
        ("of-a-plugin:depth=3", "no player is called 'of-a-plugin'"),
    ],
)
def test_a_kept_game_opens_although_its_engine_may_not_play_here(
    tmp_path: Path, engine: str, why: str
) -> None:
    with kept(tmp_path, engine) as (person, game_id):
        opened = person.get(f"/games/{game_id}")
        assert opened["players"][1] == {
            "name": engine,
            "human": False,
            "engine": None,
            "nickname": None,
        }
        moved = person.move(opened, "4")
        assert why in moved["trouble"]["error"]
        assert "The game is kept" in moved["trouble"]["error"]
        assert why in person.get(f"/games/{game_id}")["trouble"]["error"]
        assert f"# second: {engine}" in person.http.get("/records").text
        assert person.get("/games")["games"][0]["unreadable"] is None
        back = person.act(moved, "undo")
        assert back["view"]["played"] == ["4", "4"]
        over = person.act(back, "resign")
        assert over["over"]
        assert why in person.act(over, "rematch", expect=400)["error"]


def test_a_finished_game_says_nothing_of_engines_that_play_no_more(tmp_path: Path) -> None:
    with kept(tmp_path, HEAVY[0], "4141414", "1-0") as (person, game_id):
        assert person.get(f"/games/{game_id}")["trouble"] is None


def test_records_with_such_engines_are_taken_in_and_given_back_as_they_were(tmp_path: Path) -> None:
    with inside(tmp_path) as server:
        person = Person(server)
        for engine in (HEAVY[0], "deepening:heuristic=mine.json", "gomocup:/a/brain"):
            text = f"# first: human\n# second: {engine}\nconnect4 44 *"
            assert person.post("/records", {"text": text})["games"] == 1
            assert f"# second: {engine}\n" in person.http.get("/records").text
            assert person.http.get("/records").status_code == 200
        long = "# first: mcts:" + "x" * 5000 + "\n# second: mcts:\u202e<b>\u0007\nconnect4 4 *"
        person.post("/records", {"text": long})
        game = person.get("/games")["games"][0]
        assert game["players"] == ["human", "human"]


def test_records_are_held_to_the_limits_of_boards(server: Inside) -> None:
    person = Person(server)
    assert "8100" in person.post("/records", {"text": "mnk:99x99x5 - *"}, expect=400)["error"]
