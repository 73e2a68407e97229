"""The server's interface, against a real server in a process of its own: games, seats, clocks,
engines, and every kind of bad input.
"""

from __future__ import annotations

import contextlib
import dataclasses
import json
import re
import sqlite3
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from mnkala import Limit, Position, parse_engine
from mnkala.cli.analyse import analysis_json
from mnkala.core import Rules, parse_game
from mnkala.play import ladder_of
from mnkala.play.store import BadStore, Store
from mnkala.search import Analysis
from mnkala.search.engine import Search, register_search
from mnkala.search.root import Task
from mnkala.web.limits import USUAL
from tests.command_line import mnkala
from tests.web_server import Person, Server, inside, wait_for


@pytest.fixture
def ann(server: Server) -> Person:
    return Person(server)


@pytest.fixture
def ben(server: Server) -> Person:
    return Person(server)


# ---- Games ----


@pytest.mark.parametrize(
    ("game", "moves", "result"),
    [
        ("connect4", "4 4 5 5 6 6 7", "1-0"),
        ("tictactoe", "b2 a1 a2 c2 b1 b3 a3 c1 c3", "1/2-1/2"),
        ("gomoku", "h8 a1 i8 a2 j8 a3 k8 a4 l8", "1-0"),
        ("kalah:3x2", "2 3 2 1 3 2", "1-0"),
        ("domineering:2x2", "a2", "1-0"),
    ],
)
def test_a_whole_game_is_played_to_its_end(ann: Person, game: str, moves: str, result: str) -> None:
    state = ann.new(game)
    for move in moves.split():
        assert not state["over"]
        state = ann.move(state, move)
    assert (state["over"], state["result"], state["ending"]) == (True, result, "rules")
    assert state["view"]["played"] == moves.split()
    assert "over" in ann.move(state, moves.split(maxsplit=1)[0], expect=400)["error"]


def test_an_engine_replies_by_itself(ann: Person) -> None:
    state = ann.move(ann.new("connect4", "human", "easy"), "4")
    state = ann.until(state, lambda seen: len(seen["view"]["played"]) == 2)
    assert state["answer"]["engine"] == ladder_of(parse_game("connect4"))[1].engine
    assert state["answer"]["move"] == state["view"]["played"][1]
    assert state["can"]["move"]


def test_an_engine_may_move_first(ann: Person) -> None:
    state = ann.until(ann.new("kalah", "easy", "human"), lambda seen: seen["can"]["move"])
    assert state["view"]["mover"] == 1


def test_undo_takes_the_reply_back_too_and_redo_plays_both_again(ann: Person) -> None:
    state = ann.move(ann.new("connect4", "human", "easy"), "4")
    state = ann.until(state, lambda seen: len(seen["view"]["played"]) == 2)
    played = state["view"]["played"]
    assert ann.act(state, "undo")["view"]["played"] == []
    state = ann.act(state, "redo")
    assert state["view"]["played"] == played
    assert not state["can"]["redo"]
    assert "nothing" in ann.act(state, "redo", expect=400)["error"]


def test_a_resigned_game_is_won_by_the_other_and_a_rematch_swaps_sides(ann: Person) -> None:
    state = ann.act(ann.new("connect4", "human", "easy"), "resign")
    assert (state["result"], state["ending"]) == ("0-1", "resignation")
    again = ann.act(state, "rematch")
    assert again["id"] != state["id"]
    assert [player["name"] for player in again["players"]] == ["easy", "human"]
    assert ann.act(state, "rematch")["id"] == again["id"]


def test_a_game_opens_by_a_rule_and_so_does_its_rematch(ann: Person) -> None:
    state = ann.new("gomoku:9", opening="swap2")
    assert state["opening"] == {"rule": "swap2", "stage": "place", "choices": [], "left": 3}
    assert state["view"]["openings"] == ["swap2"]
    for move in ("d4", "e5", "f3"):
        state = ann.move(state, move)
    assert (state["opening"]["stage"], state["opening"]["choices"], state["mover"]) == (
        "choose",
        ["x", "o", "two"],
        1,
    )
    state = ann.move(state, "o")
    assert state["opening"] is None
    assert ann.act(ann.act(state, "resign"), "rematch")["opening"]["stage"] == "place"
    watched = ann.until(
        ann.new("gomoku:9", "random:seed=1", "human", opening="swap2"), lambda seen: seen["answer"]
    )
    assert watched["answer"]["opening"] == {
        "rule": "swap2",
        "did": "put",
        "stones": watched["view"]["played"],
    }


@pytest.mark.parametrize(
    ("game", "asked", "said"),
    [
        ("tictactoe", {"opening": "swap2"}, "Swap2 is an opening rule of Gomoku"),
        ("gomoku", {"opening": "pie"}, "gomoku has swap2"),
        ("gomoku", {"opening": "swap2", "moves": "h8"}, "begins on an empty board"),
    ],
)
def test_an_opening_rule_that_a_game_does_not_have_is_refused(
    ann: Person, game: str, asked: dict[str, Any], said: str
) -> None:
    assert (
        said
        in ann.post("/games", {"game": game, "players": ["human", "human"], **asked}, expect=400)[
            "error"
        ]
    )


def test_engines_alone_play_while_somebody_watches_and_obey_pause_and_step(ann: Person) -> None:
    state = ann.new("tictactoe", "random:seed=1", "random:seed=2", pace=0.0)
    time.sleep(0.3)
    assert ann.get(f"/games/{state['id']}")["view"]["played"] == []
    with ann.live() as connection:
        connection.send(type="follow", game=state["id"])
        ended = connection.until(
            lambda message: message["type"] == "game" and message["game"]["over"]
        )
        assert ended["game"]["result"] in ("1-0", "0-1", "1/2-1/2")
    state = ann.new("tictactoe", "random:seed=1", "random:seed=2", paused=True)
    for count in (1, 2):
        ann.act(state, "step")
        ann.until(state, lambda seen, count=count: len(seen["view"]["played"]) == count)  # type: ignore[misc]


def test_a_clock_that_runs_out_ends_the_game(ann: Person) -> None:
    state = ann.move(ann.new("connect4", clock={"seconds": 5, "increment": 0}), "4")
    assert state["clock"]["running"] == 1
    state = ann.until(state, lambda seen: seen["over"])
    assert (state["result"], state["ending"]) == ("1-0", "time")


def test_an_engine_keeps_its_clock(ann: Person) -> None:
    state = ann.move(
        ann.new("connect4", "human", "deepening:time=30", clock={"seconds": 30, "increment": 0}),
        "4",
    )
    state = ann.until(state, lambda seen: len(seen["view"]["played"]) == 2)
    assert not state["over"]
    assert 0 < state["clock"]["left"][1] < 30


def test_a_hint_gives_its_reasons(ann: Person) -> None:
    found = ann.post("/hint", {"game": "connect4", "moves": "121212"})
    assert found["move"] == "1"
    assert found["reasons"][0]["key"] == "hint.wins"
    assert found["worth"]["kind"] == "exact"
    state = ann.new("kalah", "human", "easy")
    assert ann.post(f"/games/{state['id']}/hint")["move"] in "123456"


def test_saved_games_are_listed_newest_first_and_can_be_forgotten(ann: Person, ben: Person) -> None:
    first, second = ann.new("connect4"), ann.new("kalah")
    assert [game["id"] for game in ann.get("/games")["games"]] == [second["id"], first["id"]]
    assert ben.get("/games")["games"] == []
    assert {first["id"], second["id"]} <= {
        game["id"] for game in ben.get("/games?everyone=true")["games"]
    }
    assert ben.http.delete(f"/games/{first['id']}").status_code == 403
    assert ann.http.delete(f"/games/{first['id']}").status_code == 204
    assert [game["id"] for game in ann.get("/games")["games"]] == [second["id"]]


def test_older_games_are_listed_on_request(ann: Person) -> None:
    made = [ann.new("tictactoe")["id"] for _ in range(3)]
    newest = ann.get("/games")["games"][0]
    assert newest["id"] == made[-1]
    older = ann.http.get("/games", params={"before": newest["updated"]}).json()["games"]
    assert [game["id"] for game in older] == made[1::-1]


def test_games_are_filtered_and_come_as_one_file_of_records_which_can_be_taken_in(
    ann: Person, ben: Person
) -> None:
    game = ann.new("connect4", moves="44", nicknames=["Ann", "Zoe"])
    ann.act(game, "resign")
    ann.new("kalah")
    assert [
        line["ending"]
        for line in ann.get("/games?text=zoe&state=finished&game=connect4&opponent=here")["games"]
    ] == ["resignation"]
    assert ann.get("/games?outcome=drawn")["games"] == []
    assert "it is going or finished" in ann.get("/games?state=lost", expect=400)["error"]
    text = ann.http.get("/records?text=zoe").text
    assert re.fullmatch(
        r"# first: Ann\n# second: Zoe\n# date: [-\d]+\n# ending: resignation\nconnect4 44 0-1\n",
        text,
    )
    assert ben.post("/records", {"text": text}) == {"games": 1}
    (line,) = ben.get("/games")["games"]
    assert (line["nicknames"], line["result"], line["ending"]) == (
        ["Ann", "Zoe"],
        "0-1",
        "resignation",
    )
    assert "line 1" in ben.post("/records", {"text": "nonsense"}, expect=400)["error"]


def test_an_exported_game_says_how_it_ended(ann: Person) -> None:
    body = {
        "game": "connect4",
        "moves": "44",
        "format": "record",
        "resigned": 0,
        "out_of_time": True,
        "players": ["Ann", "easy"],
    }
    text = ann.http.post("/export", json=body).text
    assert text.startswith("# first: Ann\n# second: easy\n")
    assert text.endswith("# ending: time\nconnect4 44 0-1\n")
    over = ann.post("/export", {**body, "moves": "1212121"}, expect=400)
    assert "the rules ended this game (1-0)" in over["error"]


# ---- Seats ----


def test_a_linked_game_is_joined_by_an_invitation_that_works_once(
    ann: Person, ben: Person, server: Server
) -> None:
    state = ann.new("connect4", linked=True)
    assert "nobody has taken" in ann.move(state, "4", expect=400)["error"]
    assert ben.get(f"/games/{state['id']}", expect=404)
    assert (
        "not valid"
        in ben.post(f"/games/{state['id']}/join", {"invitation": "guess"}, expect=403)["error"]
    )
    assert (
        "another browser"
        in ann.post(f"/games/{state['id']}/join", {"invitation": state["invitation"]}, expect=403)[
            "error"
        ]
    )
    assert ben.post(f"/games/{state['id']}/join", {"invitation": state["invitation"]})["yours"] == [
        False,
        True,
    ]
    assert Person(server).post(
        f"/games/{state['id']}/join", {"invitation": state["invitation"]}, expect=403
    )
    state = ann.get(f"/games/{state['id']}")
    assert state["invitation"] is None
    assert "not you" in ben.move(state, "4", expect=403)["error"]
    state = ann.move(state, "4")
    assert "not you" in ann.move(state, "4", expect=403)["error"]
    assert ben.move(state, "3")["view"]["played"] == ["4", "3"]


def test_a_third_person_may_watch_only_if_allowed_and_never_move(
    ann: Person, ben: Person, server: Server
) -> None:
    third = Person(server)
    for watchable, status in ((True, 200), (False, 404)):
        state = ann.new("connect4", linked=True, watchable=watchable)
        ben.post(f"/games/{state['id']}/join", {"invitation": state["invitation"]})
        seen = third.get(f"/games/{state['id']}", expect=status)
        if watchable:
            assert seen["yours"] == [False, False]
            assert not any(seen["can"].values())
            assert third.move(seen, "4", expect=403)
            assert third.act(seen, "resign", expect=403)
            assert third.act(seen, "undo", expect=403)
        with third.live() as connection:
            connection.send(type="follow", game=state["id"])
            answer = connection.until(lambda message: message["type"] in ("game", "error"))
            assert answer["type"] == ("game" if watchable else "error")


def test_in_a_linked_game_the_other_must_agree_to_take_back(ann: Person, ben: Person) -> None:
    state = ann.new("connect4", linked=True)
    ben.post(f"/games/{state['id']}/join", {"invitation": state["invitation"]})
    state = ann.move(ann.get(f"/games/{state['id']}"), "4")
    state = ann.act(state, "undo")
    assert (state["undo_asked"], state["view"]["played"]) == (0, ["4"])
    refused = ann.post(f"/games/{state['id']}/actions", {"action": "decline"}, expect=400)
    assert "does not ask" in refused["error"]
    state = ben.act(state, "decline")
    assert (state["undo_asked"], state["view"]["played"]) == (None, ["4"])
    state = ann.act(state, "undo")
    state = ben.act(state, "undo")
    assert (state["undo_asked"], state["view"]["played"]) == (None, [])
    state = ann.move(state, "4")
    state = ann.act(state, "undo")
    state = ben.move(state, "3")
    assert (state["undo_asked"], state["view"]["played"]) == (None, ["4", "3"])


def test_a_draw_is_offered_and_the_other_person_answers(ann: Person, ben: Person) -> None:
    state = ann.new("connect4", linked=True)
    ben.post(f"/games/{state['id']}/join", {"invitation": state["invitation"]})
    state = ann.act(ann.move(ann.get(f"/games/{state['id']}"), "4"), "draw")
    assert (state["draw_asked"], state["can"]["draw"], state["over"]) == (0, False, False)
    ann.act(state, "decline_draw", expect=400)
    assert ben.act(state, "decline_draw")["draw_asked"] is None
    ann.act(state, "draw")
    state = ben.move(ben.get(f"/games/{state['id']}"), "3")
    assert state["draw_asked"] is None, "a move declines the offer"
    ben.act(state, "draw")
    state = ann.act(state, "draw")
    assert (state["over"], state["result"], state["ending"]) == (True, "1/2-1/2", "agreement")
    listed = next(row for row in ann.get("/games")["games"] if row["id"] == state["id"])
    assert (listed["result"], listed["ending"]) == ("1/2-1/2", "agreement")
    text = ann.http.get("/records").text
    assert "# ending: agreement\nconnect4 43 1/2-1/2" in text
    assert ann.post("/records", {"text": text})["games"] == 1


def test_an_engine_agrees_to_a_draw_only_if_it_is_not_better(ann: Person) -> None:
    wins_at_once, loses = "112233", "737462"
    state = ann.act(ann.new("connect4", "human", "minimax:depth=3", moves=wins_at_once), "draw")
    assert (state["over"], state["ending"], state["unaided"]) == (True, "agreement", False)
    state = ann.act(ann.new("connect4", "human", "minimax:depth=3", moves=loses), "draw")
    assert (state["over"], state["draw_asked"], state["can"]["draw"]) == (False, None, True)
    here = ann.new("connect4", moves="44")
    assert ann.act(here, "draw")["ending"] == "agreement", "two people at one page agree at once"


def test_both_see_every_move_of_a_linked_game_live(ann: Person, ben: Person) -> None:
    state = ann.new("kalah", linked=True)
    ben.post(f"/games/{state['id']}/join", {"invitation": state["invitation"]})
    with ann.live() as hers, ben.live() as his:
        for connection in (hers, his):
            connection.send(type="follow", game=state["id"])
        state = hers.until(lambda message: message["type"] == "game")["game"]
        ann.move(state, "1")
        seen = his.until(
            lambda message: message["type"] == "game" and message["game"]["view"]["played"] == ["1"]
        )["game"]
        assert seen["yours"] == [False, True]
        assert seen["can"]["move"]


def test_no_secret_is_kept_in_the_clear_or_logged(ann: Person, server: Server) -> None:
    state = ann.new("connect4", linked=True)
    kept = b"".join(file.read_bytes() for file in server.folder.glob("games.sqlite*"))
    assert state["id"].encode() in kept
    assert ann.secret.encode() not in kept
    assert state["invitation"].encode() not in kept


# ---- Analysis and review ----


def test_the_scores_of_an_analysis_are_the_engines_where_nothing_is_proved(ann: Person) -> None:
    with ann.live() as connection:
        connection.send(
            type="analyse", id=7, game="connect4:10x11", moves="6,6,5,5", engine="deepening:depth=4"
        )
        found = connection.until(lambda message: message["type"] == "analysis" and message["final"])
    expected = parse_engine("deepening").analyse(
        Position("connect4:10x11").play("6,6,5,5"), Limit(depth=4, time=60), all_moves=True
    )
    assert found["id"] == 7
    told = analysis_json(expected)
    assert found["best"] == told["best"]
    assert found["scores"][0]["move"] in found["best"]
    assert {
        entry["move"]: (entry["kind"], entry["result"], entry["score"], entry["heuristic"])
        for entry in found["scores"]
    } == {
        move: (entry["kind"], entry["result"], entry["score"], entry["heuristic"])
        for move, entry in told["moves"].items()
    }
    assert found["out_of_reach"]


def test_stopping_or_replacing_an_analysis_ends_it(ann: Person) -> None:
    with ann.live() as connection:
        connection.send(type="analyse", id=1, game="connect4", seconds=100)
        connection.until(lambda message: message["type"] == "analysis" and message["id"] == 1)
        connection.send(type="analyse", id=2, game="connect4", moves="4", seconds=100)
        connection.until(lambda message: message["type"] == "analysis" and message["id"] == 2)
        connection.send(type="stop", id=2)
        assert (
            connection.until(
                lambda message: message["type"] == "analysis" and message["final"], seconds=90
            )["id"]
            == 2
        )


def test_closing_the_page_stops_its_analysis(server: Server) -> None:
    """Each of these would hold a thread for 100 seconds; the last one would wait for them all if
    they went on.
    """
    for _ in range(6):
        with Person(server).live() as connection:
            connection.send(type="analyse", id=1, game="connect4", seconds=100)
            connection.until(lambda message: message["type"] == "analysis")
    with Person(server).live() as connection:
        connection.send(
            type="analyse", id=1, game="connect4", engine="deepening:depth=4", seconds=100
        )
        connection.until(
            lambda message: message["type"] == "analysis" and message["final"], seconds=90
        )


def test_long_analyses_never_block_a_move_of_another_game(server: Server, ann: Person) -> None:
    people = [Person(server) for _ in range(5)]
    slow = people[0].new("connect4", "deepening:time=20", "human")
    connections = [person.live() for person in people]
    try:
        for number, opened in enumerate(connections):
            opened.__enter__().send(type="analyse", id=number, game="connect4", seconds=100)
        state = ann.new("connect4", "human", "easy")
        for move in ("4", "3", "5"):
            state = ann.move(state, move)
            state = ann.until(state, lambda seen: seen["can"]["move"] or seen["over"], seconds=90)
    finally:
        for opened in connections:
            opened.__exit__(None, None, None)
        people[0].http.delete(f"/games/{slow['id']}")


def test_a_review_grades_a_known_game(ann: Person) -> None:
    """The sixth move lets three in a column be."""
    with ann.live() as connection:
        connection.send(type="review", id=3, game="connect4", moves="1212121", seconds=0.2)
        found = connection.until(lambda message: message["type"] == "review" and message["final"])[
            "review"
        ]
    assert [move["move"] for move in found["moves"]] == list("1212121")
    assert found["moves"][5]["grade"] == "blunder"
    assert found["moves"][5]["best"] == "1"
    assert len(found["chances"]) == 8
    assert found["turning_point"] in (1, 6), (
        "the first move gives a won game away, as the book knows; how much the sixth does is searched"
    )


def test_a_tree_has_as_many_nodes_as_the_engine_counts(ann: Person) -> None:
    found = ann.post(
        "/think", {"game": "tictactoe", "moves": "b2", "algorithm": "alphabeta", "depth": 3}
    )
    expected = parse_engine("alphabeta").analyse(Position("tictactoe").play("b2"), Limit(depth=3))
    assert found["nodes"] == expected.nodes
    for form, start in (("svg", "<svg"), ("dot", "digraph"), ("json", "{")):
        answer = ann.http.post(
            "/think/export", json={"game": "tictactoe", "depth": 2, "format": form}
        )
        assert answer.text.lstrip().startswith(start)


@pytest.mark.parametrize(
    ("form", "start"),
    [("svg", b"<svg"), ("png", b"\x89PNG"), ("gif", b"GIF8"), ("record", b"connect4 445 *")],
)
def test_a_game_is_exported_in_every_form(ann: Person, form: str, start: bytes) -> None:
    answer = ann.http.post("/export", json={"game": "connect4", "moves": "445", "format": form})
    assert answer.status_code == 200
    lines = [line for line in answer.content.splitlines() if not line.startswith(b"#")]
    assert lines[0].startswith(start)
    assert "attachment" in answer.headers["content-disposition"]


def test_a_game_that_fills_the_largest_board_can_be_taken_along_and_taken_in_again(
    ann: Person,
) -> None:
    sides = [
        [90 * row + col for row in range(90) for col in range(90) if (row // 2 + col) % 2 == side]
        for side in (0, 1)
    ]
    position = Position("gomoku:90").play_codes(
        [move for pair in zip(*sides, strict=True) for move in pair]
    )  # five in a row nowhere
    where = {"game": position.game, "moves": position.moves}
    for form in ("svg", "png", "psq"):
        assert ann.http.post("/export", json={**where, "format": form}).status_code == 200
    record = ann.http.post("/export", json={**where, "format": "record"}).text
    assert len(ann.post("/record", {"text": record})["view"]["played"]) == 8100
    assert ann.post("/records", {"text": record})["games"] == 1
    assert "52 rows" in ann.post("/export", {**where, "format": "sgf"}, expect=400)["error"]


def test_a_game_is_read_in_any_form(ann: Person) -> None:
    found = ann.post("/record", {"text": "# first: Ann\nconnect4 44352 *\nkalah 36 *\n"})
    assert (found["game"], found["moves"], found["tags"], found["games"]) == (
        "connect4",
        "44352",
        {"first": "Ann"},
        2,
    )
    assert "result" in ann.post("/record", {"text": "connect4 44352 maybe"}, expect=400)["error"]
    start = "......./......./......./......./......./...x..."
    found = ann.post("/record", {"text": "3 5", "game": "connect4", "start": "7/7/7/7/7/3x3"})
    assert (found["start"], found["moves"], found["games"]) == (start, "35", 1)
    assert ann.post(
        "/record", {"text": "https://connect4.gamesolver.org/?pos=44", "game": "kalah"}
    )["view"]["played"] == ["4", "4"]


def test_a_board_that_is_set_up_is_a_position_or_told_why_not(ann: Person) -> None:
    cells = [[0] * 7 for _ in range(6)]
    cells[5][3] = 1
    found = ann.post("/edit", {"game": "connect4", "cells": cells})
    assert (found["literal"], found["view"]["mover"], found["reasons"]) == (
        "......./......./......./......./......./...x...",
        1,
        [],
    )
    assert ann.post("/look", {"game": "connect4", "start": found["literal"]}) == found["view"]
    cells[2][0] = 1
    found = ann.post("/edit", {"game": "connect4", "cells": cells})
    assert (found["literal"], found["view"]) == (None, None)
    assert [(reason["key"], reason["cells"]) for reason in found["reasons"]] == [
        ("editor.floats", [[2, 0]]),
        ("editor.too_many_first", []),
    ]
    houses = {"houses": [[2, 2, 2], [2, 2, 2]], "stores": [0, 0]}
    found = ann.post(
        "/edit", {"game": "kalah:3x2", "cells": [[2] * 3, [1] * 3], "seeds": houses, "mover": 1}
    )
    assert (found["literal"], found["view"]["seeds"]) == ("<3,0,0,2,2,2,2,2,2>o", houses)


# ---- A server begins ----


def test_a_file_that_cannot_be_used_is_refused_and_left_alone(tmp_path: Path) -> None:
    notes = tmp_path / "notes.sqlite"
    notes.write_text("these are my notes " * 100)
    with pytest.raises(BadStore, match="cannot be used for games"):
        Store(notes)
    assert notes.read_text().startswith("these are my notes")
    later = tmp_path / "later.sqlite"
    with contextlib.closing(sqlite3.connect(later)) as connection:
        connection.execute("PRAGMA user_version=99")
    with pytest.raises(BadStore, match="another version"):
        Store(later)


def test_a_port_that_is_taken_is_named_and_none_given_means_the_next(
    server: Server, tmp_path: Path
) -> None:
    done = mnkala("web", "--no-browser", "--port", str(server.port), MNKALA_DATA_DIR=str(tmp_path))
    assert done.returncode == 2
    assert str(server.port) in done.stderr
    assert mnkala("web", "--no-browser", "--port", "99999").returncode == 2
    assert (
        mnkala("web", "--no-browser", "--host", "no.such.host.example", "--port", "0").returncode
        == 2
    )


# ---- Bad input ----


@pytest.mark.parametrize(
    ("path", "body", "told"),
    [
        ("/games", {"game": "chess"}, "games are"),
        ("/games", {"game": "connect4:9999x9999"}, "up to 8100"),
        ("/games", {"game": "gomoku:5000"}, "up to 8100"),
        ("/games", {"game": "domineering:100000x100000"}, "up to 8100"),
        ("/games", {"game": "connect4:0x7"}, "1 to 40"),
        ("/games", {"game": "connect4", "players": ["human", "grandmaster"]}, "easy, medium, hard"),
        ("/games", {"game": "connect4", "players": ["human"]}, "length 2"),
        (
            "/games",
            {"game": "connect4", "players": ["human", "deepening:table_bits=30"]},
            "up to 22",
        ),
        ("/games", {"game": "connect4", "players": ["human", "mcts:memory=99999999"]}, "4000000"),
        ("/games", {"game": "connect4", "players": ["human", "deepening:time=9999"]}, "60 seconds"),
        (
            "/games",
            {"game": "connect4", "players": ["human", "alphabeta:heuristic=kalah"]},
            "not Kalah",
        ),
        (
            "/games",
            {"game": "connect4", "players": ["human", "easy"], "linked": True},
            "two people",
        ),
        ("/games", {"game": "connect4", "moves": "4444444"}, "legal moves are"),
        ("/games", {"game": "connect4", "start": "nonsense"}, "rows"),
        ("/games", {"game": "connect4", "clock": {"seconds": -1}}, ">= 1"),
        ("/games", {"game": "connect4", "colour": "red"}, "colour"),
        ("/games", {"players": ["human", "human"]}, "game"),
        ("/games", ["connect4"], "object"),
        ("/look", {"game": "connect4", "moves": "1 2 x"}, "playable columns"),
        ("/look", {"game": "mnk:90x90x5", "moves": " ".join(["a1"] * 3000)}, "moves"),
        ("/look", {"game": "connect4:10x11", "moves": "9" * 5000}, "playable columns"),
        (
            "/look",
            {"game": "connect4", "start": "/".join(["9" * 5000, "7", "7", "7", "7", "7"])},
            "cells",
        ),
        (
            "/games",
            {"game": "connect4", "players": ["human", "mcts:seed=99999999999999999999"]},
            "too large",
        ),
        (
            "/games",
            {"game": "connect4", "players": ["human", "deepening:nodes=9223372036854775808"]},
            "too large",
        ),
        ("/hint", {"game": "connect4", "moves": "4455667"}, "over"),
        ("/think", {"game": "gomoku", "depth": 9, "algorithm": "minimax"}, "depth"),
        ("/think", {"game": "connect4", "algorithm": "magic"}, "algorithm"),
        ("/export", {"game": "connect4", "format": "exe"}, "format"),
        ("/record", {"text": "nothing"}, "no game is called 'nothing'"),
        ("/record", {"text": "48", "game": "connect4"}, "column 8"),
        ("/edit", {"game": "connect4", "cells": [[0, 0], [0]]}, "6 rows of 7 cells"),
        ("/edit", {"game": "connect4", "cells": [[3]]}, "<= 2"),
        ("/edit", {"game": "connect4:99x99", "cells": []}, "boards of up to"),
        ("/record", {"text": "mnk:90x90x5 " + "a1 " * 12_000}, "this server reads up to"),
        ("/record", {"text": "connect4:99x99 4"}, "boards of up to"),
    ],
)
def test_bad_requests_are_told_what_is_wrong_and_what_is_allowed(
    ann: Person, path: str, body: Any, told: str
) -> None:
    assert told in ann.post(path, body, expect=400)["error"]


def test_illegal_and_stale_moves_are_refused(ann: Person) -> None:
    state = ann.new("connect4")
    assert "playable columns are 1-7" in ann.move(state, "9", expect=400)["error"]
    assert "2 moves" in ann.move(state, "44", expect=400)["error"]
    ann.move(state, "4")
    assert "turn 0" in ann.move(state, "4", expect=409)["error"]
    assert "no game" in ann.get("/games/nothing", expect=404)["error"]


def test_broken_bodies_are_refused(ann: Person, server: Server) -> None:
    kind = {"Content-Type": "application/json"}
    assert ann.http.post("/games", content=b'{"game": ', headers=kind).status_code == 400
    assert ann.http.post("/games", content=b"\xff\xfe", headers=kind).status_code == 400
    assert (
        ann.http.post(
            "/games", content=b'{"game": "connect4", "pace": ' + b"9" * 5000 + b"}", headers=kind
        ).status_code
        == 400
    )
    assert ann.http.post("/games", content=b"[" * 50_000, headers=kind).status_code == 400
    assert ann.http.post("/games", content=b"x" * 400_000, headers=kind).status_code == 413
    assert (
        ann.http.post("/games", content=b"{}", headers={"Content-Type": "text/plain"}).status_code
        == 415
    )
    assert (
        httpx.post(f"{server.address}/api/v1/games", json={"game": "connect4"}).status_code == 401
    )
    assert (
        httpx.post(
            f"{server.address}/api/v1/games",
            json={"game": "connect4"},
            headers={"Authorization": "Bearer short"},
        ).status_code
        == 401
    )
    wrong = ann.http.put("/games")
    assert wrong.status_code == 405
    assert {word.strip() for word in wrong.headers["allow"].split(",")} >= {"GET", "POST"}


def test_pages_of_other_sites_and_false_names_are_refused(ann: Person, server: Server) -> None:
    assert ann.http.get("/catalogue", headers={"Host": "evil.example"}).status_code == 403
    for origin in ("http://evil.example", "http://["):
        assert (
            ann.http.post(
                "/look", json={"game": "connect4"}, headers={"Origin": origin}
            ).status_code
            == 403
        )
    with pytest.raises(InvalidStatus):
        connect(
            f"ws://localhost:{server.port}/api/v1/live", origin=Origin("http://evil.example")
        ).__enter__()


def test_every_answer_carries_a_strict_content_policy(server: Server) -> None:
    for path in ("/", "/app.js", "/api/v1/catalogue", "/nothing"):
        policy = httpx.get(server.address + path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
    assert httpx.get(f"{server.address}/../pyproject.toml").status_code == 404
    assert httpx.get(f"{server.address}/%2e%2e/app.py").status_code == 404


def test_the_page_names_its_files_by_an_address_that_may_be_kept_for_good(server: Server) -> None:
    page = httpx.get(f"{server.address}/")
    script = page.text.split('<script type="module" src="')[1].split('"')[0]
    place, stamp, name = script.split("/")
    assert page.headers["cache-control"] == "no-cache", "for it names the address"
    kept = httpx.get(f"{server.address}/{script}")
    assert (kept.status_code, name) == (200, "app.js")
    assert "immutable" in kept.headers["cache-control"]
    for other in (f"{place}/{stamp[::-1]}x/app.js", "app.js"):
        assert httpx.get(f"{server.address}/{other}").headers["cache-control"] == "no-cache", (
            "not the files that this address means"
        )
    assert httpx.get(f"{server.address}/{place}/{stamp}/%2e%2e/app.py").status_code == 404


def test_the_page_is_sent_compressed_and_once(server: Server) -> None:
    page = httpx.get(f"{server.address}/")
    names = {
        page.text.split('<script type="module" src="')[1].split('"')[0],
        "style.css",
        "api/v1/words/en",
    }
    for name in names:
        plain, packed = (
            httpx.get(f"{server.address}/{name}", headers={"Accept-Encoding": each})
            for each in ("identity", "gzip")
        )
        assert packed.headers["content-encoding"] == "gzip"
        assert "accept-encoding" in packed.headers["vary"].lower()
        assert "content-encoding" not in plain.headers
        assert plain.content == packed.content
        if "etag" in plain.headers:
            known = packed.headers["etag"]
            assert known == plain.headers["etag"]
            assert known.startswith("W/"), "for two bodies have it"
            again = httpx.get(f"{server.address}/{name}", headers={"If-None-Match": known})
            assert (again.status_code, again.content) == (304, b"")
    small = httpx.get(f"{server.address}/nothing-here", headers={"Accept-Encoding": "gzip"})
    assert "content-encoding" not in small.headers, "it would not become smaller"


def test_bad_messages_on_a_socket_are_answered_and_do_not_end_it(ann: Person) -> None:
    with ann.live() as connection:
        for message in (
            "not json",
            "[]",
            '{"type": "dance"}',
            '{"type": "follow"}',
            '{"type": "follow", "game": "nothing"}',
            '{"type": "hello", "token": "again"}',
            json.dumps({"type": "analyse", "id": 1, "game": "connect4", "seconds": -1}),
        ):
            connection.socket.send(message)
            assert connection.until(lambda answer: answer["type"] == "error")["error"]
        connection.send(type="analyse", id=5, game="connect4", engine="no-such-engine")
        assert (
            "engines are"
            in connection.until(lambda answer: answer["type"] == "error" and answer.get("id") == 5)[
                "error"
            ]
        )
        connection.socket.send(b"\x00\x01")
        assert "not bytes" in connection.until(lambda answer: answer["type"] == "error")["error"]
        connection.send(type="ping")
        assert connection.until(lambda answer: answer["type"] == "pong")


def test_a_socket_without_a_good_hello_is_closed(server: Server) -> None:
    for first in ('{"type": "ping"}', '{"type": "hello", "token": "short"}', "x" * 400_000):
        with connect(f"ws://localhost:{server.port}/api/v1/live") as socket:
            socket.send(first)
            assert is_closed(socket)


def is_closed(socket: Any) -> bool:
    """Whether the server ends a socket, after at most a last word."""
    for _ in range(3):
        try:
            socket.recv(timeout=120)
        except ConnectionClosed:
            return True
    return False


def test_one_person_cannot_have_more_than_twenty_sockets(ann: Person) -> None:
    connections = [ann.live() for _ in range(20)]
    try:
        for connection in connections:
            entered = connection.__enter__()
            entered.send(type="ping")
            entered.until(lambda message: message["type"] == "pong")
        with ann.live() as one_too_many:
            assert is_closed(one_too_many.socket)
    finally:
        for connection in connections:
            connection.__exit__(None, None, None)


def test_many_sockets_are_bounded_and_the_page_goes_on(tmp_path: Path) -> None:
    with contextlib.ExitStack() as stack:
        server = stack.enter_context(inside(tmp_path, dataclasses.replace(USUAL, sockets=5)))
        ann = Person(server)
        live, address = "/api/v1/live", server.address.replace("http", "ws")
        for _ in range(5):
            stack.enter_context(connect(f"{address}{live}", open_timeout=120))
        for _ in range(3):
            with pytest.raises((InvalidStatus, ConnectionClosed, EOFError)):
                connect(f"{address}{live}", open_timeout=120).__enter__()
        assert ann.move(ann.new("connect4"), "4")["view"]["played"] == ["4"]
    with inside(tmp_path, dataclasses.replace(USUAL, sockets=1)) as server:
        ann = Person(server)
        for _ in range(2):  # the place of a socket that was closed is free again
            wait_for(lambda: is_answered(ann), "a socket is taken")


def is_answered(person: Person) -> bool:
    """Whether the server takes another socket of somebody."""
    try:
        with person.live() as connection:
            connection.send(type="ping")
            connection.until(lambda message: message["type"] == "pong")
    except (InvalidStatus, ConnectionClosed):
        return False
    return True


def test_an_engine_that_fails_is_reported_in_the_game_and_the_game_goes_on(tmp_path: Path) -> None:
    @register_search
    @dataclasses.dataclass(frozen=True)
    class Broken(Search):
        """Fails."""

        name = "broken"

        def prepare(self, rules: Rules) -> None:
            pass

        def run(self, task: Task) -> Analysis:
            raise ZeroDivisionError("oh no")

    with inside(tmp_path) as server:
        ann = Person(server)
        state = ann.move(ann.new("connect4", "human", "broken"), "4")
        state = ann.until(state, lambda seen: seen["trouble"] is not None)
        assert "oh no" in state["trouble"]["error"]
        assert ann.act(state, "undo")["can"]["move"]
