"""Errors that people meet on the page are said in three languages: each has a key of the words, and
its English text is what the words say.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mnkala import MnkalaError, Position, Record
from mnkala.core.registry import parse_game
from mnkala.explain.words import LANGUAGES, error_words, say, words
from mnkala.play.events import Move, Redo, Undo
from mnkala.play.game_state import GameState
from mnkala.play.players import parse_player, read_nickname
from mnkala.search import parse_engine
from mnkala.solve import solver_for
from mnkala.solve.oracle import out_of_reach
from mnkala.trace import trace
from mnkala.web.engines import read_engine
from mnkala.web.limits import USUAL
from mnkala.web.serialise import problem
from tests.web_server import Person, inside

SOURCES = Path(__file__).parents[1] / "src" / "mnkala"
CONNECT = parse_game("connect4")
OVER = Position("connect4").play("1212121")
GAME = GameState(
    Position(CONNECT), (parse_player("human", CONNECT), parse_player("human", CONNECT))
)
PSQ = "Piskvorky 15x15, 11:11, 0\n"
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
    (lambda: Position("connect4", literal="7/7"), "error.literal_rows"),
    (lambda: Position("connect4", literal="7/7/7/7/7/6"), "error.literal_row"),
    (lambda: Position("connect4", literal="7/7/7/7/7/z6"), "error.literal_sign"),
    (lambda: Position("kalah", literal="<3"), "kalah.error.literal"),
    (lambda: Position("kalah", literal="<3,0,0,2,2,2,2,2,2>"), "kalah.error.literal_houses"),
    (lambda: Position("kalah", literal="<6,0,0>"), "kalah.error.literal_numbers"),
    (lambda: Record.parse("4-4 1"), "error.fits_no_game"),
    (lambda: Record.parse("connect4 44 no"), "error.no_result"),
    (lambda: Record.parse("tictactoe a1,b1,a2,b2,a3 0-1"), "error.other_result"),
    (lambda: Record.parse("https://example.org/#/game/abc"), "error.address_of_game"),
    (lambda: Record.parse("https://example.org/"), "error.address_without_position"),
    (lambda: Record.parse("connect4 4\nconnect4 4"), "error.one_game"),
    (lambda: [*Record.parse_many("connect4 9")], "error.in_line"),
    (lambda: Record.parse("(;GM[1])"), "lines.error.sgf_game"),
    (lambda: Record.parse("(;SZ[x])"), "lines.error.sgf_size"),
    (lambda: Record.parse("(;AB[hh])"), "lines.error.sgf_stones"),
    (lambda: Record.parse("(;W[hh])"), "lines.error.sgf_turn"),
    (lambda: Record.parse("(;B[h])"), "lines.error.sgf_point"),
    (lambda: Record.parse("(;B[hh]"), "lines.error.sgf_end"),
    (lambda: Record.parse("(;B[hh])x"), "lines.error.sgf_outside"),
    (lambda: Record.parse("(;%)"), "lines.error.sgf_sign"),
    (lambda: Record.parse("Piskvorky 15"), "lines.error.psq_head"),
    (lambda: Record.parse(f"{PSQ}99,1,0"), "lines.error.psq_cell"),
    (lambda: Record.parse(f"{PSQ}1,x"), "lines.error.psq_move"),
    (lambda: parse_engine("xyzzy"), "error.unknown_engine"),
    (lambda: parse_player("xyzzy", CONNECT), "error.unknown_player"),
    (lambda: parse_player("33", CONNECT), "error.no_level"),
    (lambda: parse_engine("minimax:xyzzy=1"), "error.engine_option"),
    (lambda: parse_engine("minimax:depth=2,depth=3"), "error.twice"),
    (lambda: parse_engine("minimax:depth=99999"), "error.depth"),
    (
        lambda: parse_engine("minimax:heuristic=xyzzy").search.check(CONNECT),
        "error.unknown_heuristic",
    ),
    (lambda: read_engine("deepening:table_bits=24", USUAL), "error.option_most"),
    (lambda: read_engine("deepening:time=999", USUAL), "error.seconds_a_move"),
    (lambda: read_engine("deepening:heuristic=/etc/x", USUAL), "error.no_files"),
    (lambda: read_engine("gomocup:x", USUAL), "error.runs_program"),
    (lambda: trace(Position("connect4"), "minimax", 99), "error.watched_depth"),
    (lambda: trace(Position("connect4"), "mcts", iterations=10**6), "error.iterations"),
    (lambda: solver_for(CONNECT)(CONNECT).check(OVER), "error.nothing_to_solve"),
    (lambda: GAME.apply(Undo()), "error.no_move_yet"),
    (lambda: GAME.apply(Redo()), "error.nothing_undone"),
    (lambda: GAME.apply(Move("12")), "error.one_move"),
]


@pytest.mark.parametrize("game", ["connect4:10x11", "kalah:6x6", "mnk:7x7x4"])
def test_the_reason_why_nothing_is_proved_has_words(game: str) -> None:
    error = out_of_reach(Position(game))
    assert error is not None
    if error.key:
        said = {language: error_words(error, language) for language in LANGUAGES}
        assert said["en"] == str(error)
        assert len(set(said.values())) == len(LANGUAGES)
        assert not [text for text in said.values() if "@" in text]


@pytest.mark.parametrize(("met", "key"), MET, ids=[key for _, key in MET])
def test_an_error_has_words_that_say_the_same(met: Callable[[], Any], key: str) -> None:
    with pytest.raises(MnkalaError) as caught:
        met()
    assert caught.value.key == key
    assert say(key, "en", **caught.value.values) == str(caught.value)
    for language in LANGUAGES:
        assert "{" not in say(key, language, **caught.value.values), "every place is filled"


def test_the_reason_inside_an_error_is_said_in_the_same_language() -> None:
    with pytest.raises(MnkalaError) as caught:
        list(Record.parse_many("connect4 9"))
    inner = caught.value.values["why"]
    assert isinstance(inner, MnkalaError)
    for language in LANGUAGES:
        assert error_words(caught.value, language).endswith(error_words(inner, language))
    assert len({error_words(inner, language) for language in LANGUAGES}) == len(LANGUAGES)
    sent = problem(caught.value)
    assert sent.values["why"] == problem(inner)


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


def test_the_server_sends_the_key_with_the_error(tmp_path: Path) -> None:
    with inside(tmp_path) as server:
        told = Person(server).post("/look", {"game": "connect4", "moves": "9"}, expect=400)
    assert told == {
        "error": "column 9 does not exist; playable columns are 1-7",
        "key": "connect.error.no_column",
        "values": {"text": "9", "most": 7},
    }
