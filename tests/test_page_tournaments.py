"""Tournaments that are started on the page: what a person may ask for, who may stop and delete
them, and that a server which starts again loses no game.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mnkala.arena.pace import Pace, expected_seconds
from mnkala.arena.plan import make_plan
from mnkala.arena.tournament import run_tournament, tournament_path
from mnkala.core import parse_game
from mnkala.play.levels import engine_of_level
from mnkala.web.limits import USUAL
from tests.web_server import Inside, Person, inside

SMALL = {"game": "tictactoe", "players": ["greedy", "random:seed=1"], "games_each": 2}
SLOW = {
    "game": "connect4",
    "players": ["deepening:time=0.03", "deepening:time=0.035"],
    "games_each": 20,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    folder = tmp_path_factory.mktemp("tournaments")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MNKALA_DATA_DIR", str(folder))
        limits = dataclasses.replace(USUAL, seconds_of_tournament=600.0)
        with inside(folder, limits) as server:
            yield server


def until(ann: Person, name: str, holds: Callable[[Any], bool]) -> Any:
    """The tournament once something holds of it."""
    end = time.monotonic() + 120
    while not holds(view := ann.get(f"/tournaments/{name}")):
        assert time.monotonic() < end, view["summary"]
        time.sleep(0.05)
    return view


def state(view: Any) -> str:
    return str(view["summary"]["state"])


def test_a_tournament_is_played_while_others_wait_and_its_games_can_be_replayed(
    server: Inside,
) -> None:
    ann = Person(server)
    asked = ann.post("/tournaments/forecast", SMALL)
    assert asked["games"] == 2
    assert 0 < asked["seconds"] < asked["longest"]
    first, second = (ann.post("/tournaments", SMALL, expect=201)["summary"] for _ in range(2))
    assert (first["here"], first["yours"], first["usual_name"]) == (True, True, True)
    assert (second["state"], second["ahead"]) == ("waiting", 1)
    stopped = ann.post(f"/tournaments/{second['name']}/actions", {"action": "stop"})
    assert state(stopped) == "stopped"
    view = until(ann, first["name"], lambda view: state(view) == "over")
    assert view["rows"][0]["name"] == "greedy"
    assert len(ann.get(f"/tournaments/{first['name']}/games")["games"]) == 2
    game = ann.get(f"/tournaments/{first['name']}/games/0-0-1-0")
    assert len(game["moves"]) >= 5
    for each in (first, second):
        ann.http.delete(f"/tournaments/{each['name']}").raise_for_status()
        assert not list(tournament_path(each["name"]).parent.glob(f"{each['name']}*"))
    ann.get(f"/tournaments/{first['name']}", expect=404)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"players": ["greedy"]}, "length >= 2"),
        ({"players": ["easy", "easy"]}, "easy is there twice"),
        ({"players": ["greedy", "human"]}, "engines play here"),
        ({"players": ["greedy", "gomocup:x"]}, "runs a program of this computer"),
        ({"players": ["greedy", "random", *(f"random:seed={n}" for n in range(1, 8))]}, "up to 8"),
        ({"games_each": 1000}, "up to 400"),
        (
            {**SLOW, "players": ["deepening:time=50", "deepening:time=49"], "games_each": 60},
            "this would take about",
        ),
        ({"game": "gomoku:999"}, "cells"),
    ],
)
def test_what_this_server_does_not_play_is_refused_in_a_sentence(
    server: Inside, change: dict[str, Any], said: str
) -> None:
    assert said in Person(server).post("/tournaments", {**SMALL, **change}, expect=400)["error"]


def test_a_person_has_only_so_many_tournaments_waiting_and_acts_only_so_often(
    server: Inside,
) -> None:
    ann = Person(server)
    names = [
        ann.post("/tournaments", SLOW, expect=201)["summary"]["name"]
        for _ in range(1 + USUAL.waiting_tournaments_per_person)
    ]
    assert "one tournament is played at a time" in ann.post("/tournaments", SLOW, 429)["error"]
    for name in names:
        ann.http.delete(f"/tournaments/{name}").raise_for_status()
    while ann.http.delete("/tournaments/x").status_code == 404:
        pass
    assert (
        "once a second"
        in ann.post(f"/tournaments/{names[0]}/actions", {"action": "stop"}, 429)["error"]
    )


def test_on_a_network_only_the_one_who_started_it_may_end_a_tournament(tmp_path: Path) -> None:
    with inside(tmp_path, loopback=False) as server:
        ann, ben = Person(server), Person(server)
        name = ann.post("/tournaments", SMALL, expect=201)["summary"]["name"]
        assert not ben.get(f"/tournaments/{name}")["summary"]["yours"]
        ben.post(f"/tournaments/{name}/actions", {"action": "stop"}, expect=403)
        assert ben.http.delete(f"/tournaments/{name}").status_code == 403
        ann.http.delete(f"/tournaments/{name}").raise_for_status()


def test_a_level_is_called_by_its_name_even_if_its_engine_string_was_typed(server: Inside) -> None:
    engine = engine_of_level("easy", parse_game("tictactoe"))
    plan = make_plan(["tictactoe"], [engine, "level3", "greedy"], games_each=2, openings="plies:1")
    run_tournament(plan, tournament_path("typed"), jobs=0)
    view = Person(server).get("/tournaments/typed")
    assert view["names"] == ["easy", "level3", "greedy"]
    assert engine not in str(view)
    Person(server).http.delete("/tournaments/typed")  # not started on the page, so it stays
    assert Person(server).get("/tournaments/typed/games")["games"]


def test_what_is_no_tournament_is_neither_listed_nor_answered(server: Inside) -> None:
    damaged = tournament_path("damaged")
    damaged.parent.mkdir(exist_ok=True)
    damaged.write_text("this is no tournament" * 100)
    ann = Person(server)
    assert "damaged" not in [one["name"] for one in ann.get("/tournaments")["tournaments"]]
    damaged.unlink()
    games = ann.get("/tournaments/typed/games?skip=40&player=0")
    assert (len(games["games"]), games["more"]) == (0, 0)
    for place in ("..%2Fx", "typed/games/9-9-9-9", "nothing"):
        ann.get(f"/tournaments/{place}", expect=404)
    ann.get("/tournaments/typed/games?player=x", expect=400)


def test_a_server_that_starts_again_has_lost_no_game_and_plays_on(
    games_folder: Path,
) -> None:
    """The game in progress is seen, and is the only one that is played again."""
    with inside(games_folder) as server:
        ann = Person(server)
        name = ann.post("/tournaments", {**SLOW, "games_each": 2}, 201)["summary"]["name"]
        before = until(ann, name, lambda view: view["summary"]["played"] and view["playing"])
        assert before["playing"][0]["view"]["game"] == "connect4"
    with inside(games_folder) as server:
        ann = ann.at(server)
        assert ann.get(f"/tournaments/{name}")["summary"]["played"] >= before["summary"]["played"]
        until(ann, name, lambda view: state(view) == "over")
        assert len(ann.get(f"/tournaments/{name}/games")["games"]) == 2


def test_the_forecast_counts_every_game_of_every_player() -> None:
    plan = make_plan(["tictactoe"], ["greedy", "random"], format="match", games_each=10)
    one = expected_seconds(plan, [Pace(8, (1.0, 0.5))], 1)
    assert one == pytest.approx(10 * (4 * 1.0 + 4 * 0.5), abs=5)
    assert expected_seconds(plan, [Pace(8, (1.0, 0.5))], 2) < one
