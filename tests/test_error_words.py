"""Errors that people meet on the page are said in three languages: each has a key of the words, and
its English text is what the words say.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mnkala import MnkalaError, Position
from mnkala.core.registry import parse_game
from mnkala.explain.words import LANGUAGES, say, words
from mnkala.play.players import read_nickname
from mnkala.trace import trace
from tests.web_server import Person, Server

SOURCES = Path(__file__).parents[1] / "src" / "mnkala"
MET: list[tuple[Callable[[], Any], str]] = [
    (lambda: parse_game("connect4:99x7"), "error.board_rows"),
    (lambda: parse_game("mnk:7x99x5"), "error.board_columns"),
    (lambda: parse_game("connect:5x5x9"), "error.board_line"),
    (lambda: parse_game("mnk:5x5x9"), "error.board_line"),
    (lambda: parse_game("kalah:99x4"), "kalah.error.houses"),
    (lambda: parse_game("kalah:6x99"), "kalah.error.seeds"),
    (lambda: parse_game("gomoku:15?"), "error.game_unreadable"),
    (lambda: Position("connect4").play("9"), "connect.error.no_column"),
    (lambda: Position("connect4").play("n"), "connect.error.not_a_column"),
    (lambda: Position("kalah").play("9"), "kalah.error.no_house"),
    (lambda: Position("kalah").play("n"), "kalah.error.not_a_house"),
    (lambda: Position("tictactoe").play("d1"), "lines.error.no_cell"),
    (lambda: Position("tictactoe").play("5"), "lines.error.not_a_cell"),
    (lambda: Position("tictactoe").play("a1 a1"), "error.illegal_after"),
    (
        lambda: Position(parse_game("kalah:3x2"), literal="<3,0,0,0,2,2,2,3,3>").play("1"),
        "error.illegal",
    ),
    (lambda: Position("connect4").play("12121212"), "error.game_over"),
    (
        lambda: trace(Position("connect4").play("1212121"), "alphabeta", 2),
        "error.nothing_to_search",
    ),
    (lambda: trace(Position("connect4"), "minimax", 6), "error.tree_too_large"),
    (lambda: read_nickname("medium"), "error.name_of_computer"),
]


@pytest.mark.parametrize(("met", "key"), MET, ids=[key for _, key in MET])
def test_an_error_has_words_that_say_the_same(met: Callable[[], Any], key: str) -> None:
    with pytest.raises(MnkalaError) as caught:
        met()
    assert caught.value.key == key
    assert say(key, "en", **caught.value.values) == str(caught.value)
    for language in LANGUAGES:
        assert "{" not in say(key, language, **caught.value.values), "every place is filled"


def test_every_key_of_an_error_has_words_and_every_word_an_error() -> None:
    raised = set()
    for file in SOURCES.rglob("*.py"):
        for found in re.findall(r'f?"((?:[a-z]+\.)?error\.[^"]+)"', file.read_text()):
            raised.add(re.sub(r"\{[^}]*\}", "*", found))
    known = {key for key in words("en") if re.match(r"([a-z]+\.)?error\.", key)}
    patterns = {each: re.compile(re.escape(each).replace(r"\*", "[a-z_]+")) for each in raised}
    assert not [
        each
        for each, pattern in patterns.items()
        if not any(pattern.fullmatch(key) for key in known)
    ]
    assert not [
        key for key in known if not any(pattern.fullmatch(key) for pattern in patterns.values())
    ]


def test_the_server_sends_the_key_with_the_error(server: Server) -> None:
    told = Person(server).post("/look", {"game": "connect4", "moves": "9"}, expect=400)
    assert told == {
        "error": "column 9 does not exist; playable columns are 1-7",
        "key": "connect.error.no_column",
        "values": {"text": "9", "most": 7},
    }
