"""The parts of the server alone: queues, clock, store, words, description."""

from __future__ import annotations

import json
import re
import string
import threading
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnkala import Position
from mnkala.core import parse_game
from mnkala.core.registry import families
from mnkala.explain.words import LANGUAGES, named_moves, named_turn, say, words
from mnkala.numbers import counted
from mnkala.play.clock import Clock
from mnkala.play.store import Row, Store
from mnkala.play.view import make_view
from mnkala.web.engines import read_engine
from mnkala.web.http_errors import TooBusy
from mnkala.web.limits import USUAL
from mnkala.web.live_game import LiveGame
from mnkala.web.openapi import description
from mnkala.web.requests import Join, NewGame, is_quick
from mnkala.web.routes import ROUTES
from mnkala.web.serialise import game_message
from mnkala.web.workers import WorkQueue
from tests.page_types import FILE, page_types

FAMILIES = {family.name for family in families()}
STATIC = Path(str(resources.files("mnkala.web"))) / "static"

# ---- Queues ----


def test_people_take_turns_in_a_queue() -> None:
    queue = WorkQueue("test", threads=1, waiting=100, waiting_per_person=100)
    begun, gate, done = (threading.Event() for _ in range(3))
    order: list[str] = []

    def hold() -> None:
        begun.set()
        gate.wait()

    queue.submit("first", hold)
    assert begun.wait(120)
    for i in range(5):
        queue.submit("greedy", lambda i=i: order.append(f"greedy {i}"))  # type: ignore[misc]
    queue.submit("modest", lambda: order.append("modest"))
    queue.submit("greedy", done.set)
    gate.set()
    assert done.wait(120)
    assert order.index("modest") == 1
    queue.close()


def test_a_full_lane_says_so() -> None:
    queue = WorkQueue("test", threads=1, waiting=3, waiting_per_person=2)
    gate = threading.Event()
    begun = threading.Event()

    def hold() -> None:
        begun.set()
        gate.wait()

    queue.submit("a", hold)
    assert begun.wait(120)
    for person in "bbc":
        queue.submit(person, int)  # type: ignore[arg-type]
    with pytest.raises(TooBusy, match="at most 2"):
        queue.submit("b", int)  # type: ignore[arg-type]
    with pytest.raises(TooBusy, match="3 questions"):
        queue.submit("d", int)  # type: ignore[arg-type]
    gate.set()
    queue.close()
    with pytest.raises(TooBusy, match="closing"):
        queue.submit("e", int)  # type: ignore[arg-type]


# ---- Clock ----


def test_only_the_movers_time_passes_and_a_move_earns_the_increment() -> None:
    clock = Clock.of(10, 2).started(0, now=100)
    assert (clock.remaining(0, 103), clock.remaining(1, 103)) == (7, 10)
    clock = clock.moved(0, now=103).started(1, now=103)
    assert (clock.remaining(0, 108), clock.remaining(1, 108)) == (9, 5)
    assert clock.started(None, 110).remaining(1, 500) == 3


@given(left=st.floats(0, 1000), increment=st.floats(0, 60))
def test_an_engine_never_plans_to_use_more_than_it_has(left: float, increment: float) -> None:
    clock = Clock(left, increment, (left, left))
    assert clock.budget(0, now=0) <= max(0.01, left)


# ---- Store ----


def test_a_game_comes_back_from_the_file_as_it_was(tmp_path: Path) -> None:
    store = Store(tmp_path / "deep" / "games.sqlite")
    game, invitation = LiveGame.new(
        NewGame(
            "kalah", players=("human", "human"), moves="36", linked=True, side=1, watchable=True
        ),
        "ann",
        USUAL,
    )
    assert invitation
    store.write([game.row])
    row = store.load(game.id)
    assert isinstance(row, Row)
    again = LiveGame.of_row(row, USUAL)
    assert msgspec.json.encode(game_message(again, "ann")) == msgspec.json.encode(
        game_message(game, "ann")
    )
    assert again.state.open_seat == 0
    again.become(again.state.apply(again.event("ben", Join(invitation))), 0)
    assert again.seats("ben") == (True, False)
    store.close()


# ---- Views ----


@pytest.mark.parametrize(
    "name",
    [
        "connect4",
        "connect4:10x11",
        "connect:8x9x5",
        "tictactoe",
        "mnk:7x8x4",
        "gomoku",
        "kalah",
        "kalah:4x3,standard",
    ],
)
def test_a_click_on_a_cell_of_a_view_means_a_legal_move(name: str) -> None:
    position = Position(name)
    while not position.is_over and len(position.history) < 12:
        view = make_view(position)
        assert [move.move for move in view.moves] == list(position.legal_moves)
        for move in view.moves:
            assert move.cells
            assert all(
                0 <= row < view.rows and 0 <= column < view.columns for row, column in move.cells
            )
        position = position.play(view.moves[len(view.moves) // 2].move)
    assert make_view(position).last


def test_in_a_game_that_says_nothing_a_click_means_the_move_that_changes_the_cell() -> None:
    from mnkala.core.rules import Rules

    rules = parse_game("connect4")
    state = rules.start()
    assert Rules.move_cells(rules, state, 5) == rules.changed_cells(state, 5) == ((5, 5),)


# ---- Engines ----


@pytest.mark.parametrize(
    ("engine", "game", "quick"),
    [
        ("deepening:nodes=150", "connect4", True),
        ("deepening:nodes=400000", "connect4", False),
        ("deepening:time=10", "connect4", False),
        ("alphabeta:depth=2", "kalah", True),
        ("alphabeta:depth=9", "gomoku", False),
        ("random", "gomoku", True),
        ("deepening", "kalah", False),
        ("mcts:depth=1,iterations=1000000000", "connect4", False),
    ],
)
def test_moves_go_into_the_lane_that_fits_them(engine: str, game: str, quick: bool) -> None:
    assert is_quick(read_engine(engine, USUAL), parse_game(game)) is quick


# ---- Words ----


def sections() -> dict[str, dict[str, dict[str, str]]]:
    """The texts of the package by file: its own, a section each, and those of the families."""
    folder = Path(str(resources.files("mnkala.explain"))) / "words"
    files = [
        *sorted(folder.glob("*.json")),
        *(file for family in families() for file in (family.folder / "words").glob("*.json")),
    ]
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}


def places(text: str) -> set[str]:
    return {
        name.partition("?")[0]
        for _, name, _, _ in string.Formatter().parse(text)
        if name is not None
    }


def test_every_text_is_there_in_every_language_with_the_same_places() -> None:
    seen: set[str] = set()
    for section, texts in sections().items():
        for key, said in texts.items():
            assert section in FAMILIES or key.startswith(f"{section}."), key
            assert key not in seen
            seen.add(key)
            assert set(said) == set(LANGUAGES), key
            assert all(text.strip() for text in said.values()), key
            assert len({frozenset(places(text)) for text in said.values()}) == 1, key
    assert len(seen) > 100


def test_every_text_that_the_page_asks_for_exists() -> None:
    known = words("en")
    for script in STATIC.glob("*.js"):
        for key in re.findall(
            r"""\bt\(\s*["']([a-z_]+\.[\w.-]+)["']""", script.read_text(encoding="utf-8")
        ):
            assert key in known, f"{script.name} asks for {key}"


def test_the_page_knows_the_types_of_what_the_server_sends() -> None:
    assert FILE.read_text(encoding="utf-8") == page_types(), "run `python -m tests.page_types`"


def test_moves_and_scores_of_every_kind_of_game_have_words() -> None:
    wanted = {f"exact.move_{noun}" for noun in ("column", "house", "cell", "move")}
    wanted |= {
        f"exact.{result}{how}"
        for result in ("win", "loss")
        for how in ("", "_by", "_by_least", "_in", "_within", "_now", "_over")
    }
    wanted |= {
        f"worth.{how}" for how in ("estimate", "at_least", "at_most", "likely_win", "likely_loss")
    }
    wanted |= {f"exact.short_{result}" for result in ("win", "draw", "loss")}
    assert wanted <= set(words("en"))


@pytest.mark.parametrize(
    ("game", "moves", "said"),
    [
        ("connect4", ("4",), ("Not column 4.", "A coluna 4 não.", "La colonna 4 no.")),
        ("kalah", ("3",), ("Not house 3.", "A casa 3 não.", "La casa 3 no.")),
        ("kalah", ("3", "1"), ("Not the turn 3, 1.", "O turno 3, 1 não.", "Il turno 3, 1 no.")),
        ("gomoku", ("h8",), ("Not h8.", "h8 não.", "h8 no.")),
    ],
)
def test_a_move_that_is_a_bare_number_is_named_in_a_sentence(
    game: str, moves: tuple[str, ...], said: tuple[str, ...]
) -> None:
    told = named_turn(parse_game(game), moves)
    assert tuple(say("puzzle.wrong", language, move=told) for language in LANGUAGES) == said
    assert say(
        "hint.fork", move="", moves=named_moves(parse_game("connect4"), "3", "5"), opponent="x"
    ).startswith("Makes a fork: it threatens to win with columns 3, 5,")


def test_every_heuristic_has_a_name_in_the_readers_language() -> None:
    own = (
        "article",
        "basic",
        "criticality",
        "kalah",
        "learned",
        "lines",
        "margin",
        "nothing",
        "runs",
        "stores",
        "threats",
        "zero-sum",
    )
    for language in LANGUAGES:
        assert all(f"game.heuristic.{name}" in words(language) for name in own)


def test_texts_are_filled_in() -> None:
    key = next(key for key, text in words("en").items() if places(text))
    value = dict.fromkeys(places(words("en")[key]), "HERE")
    assert "HERE" in say(key, "it", **value)


def test_one_thing_is_told_in_the_singular_in_every_language() -> None:
    for language, one, more in (
        ("en", "1 move", "2 moves"),
        ("pt", "1 jogada", "2 jogadas"),
        ("it", "1 mossa", "2 mosse"),
    ):
        assert (
            say("page.games_moves", language, count=1),
            say("page.games_moves", language, count=2),
        ) == (one, more)
        for key, text in words(language).items():
            assert "{" not in say(key, language, **dict.fromkeys(places(text), 1)), key
    assert [counted(number, "reply") for number in (0, 1, 12000)] == [
        "0 replies",
        "1 reply",
        "12,000 replies",
    ]


# ---- The description ----


def test_the_description_covers_every_route_and_refers_only_to_what_it_defines() -> None:
    described: Any = json.loads(description())
    for route in ROUTES:
        assert route.method.lower() in described["paths"][f"/api/v1{route.path}"]
    assert set(described["x-websocket"]["sends"]["discriminator"]["mapping"]) == {
        "game",
        "analysis",
        "review",
        "compiling",
        "error",
        "pong",
    }
    for name in set(re.findall(r'"#/components/schemas/([^"]+)"', description().decode())):
        assert name in described["components"]["schemas"]
