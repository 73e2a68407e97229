"""Programs that speak KGP as players, wherever an engine string is allowed: real processes on real
sockets.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mnkala import Position
from mnkala.core import parse_game
from mnkala.errors import BadEngine
from mnkala.play.engine_game import play_game
from mnkala.programs.process import Fault, Forfeit, NoStart
from mnkala.search import Engine, Limit, parse_engine

CLIENT = """
import re, socket, sys
how = sys.argv[1]
link = socket.create_connection((sys.argv[2], int(sys.argv[3])))
file = link.makefile("rw", newline="\\r\\n")
def say(text):
    file.write(text + "\\n"); file.flush()
print("a client may print", flush=True)
say("1 mode freeplay")
asked = 0
for line in file:
    found = re.match(r"(\\d+) state <(.*)>", line)
    if found is None:
        continue
    asked += 1
    number, board = found[1], [int(each) for each in found[2].split(",")]
    houses = board[3:3 + board[0]]
    legal = [house + 1 for house in range(len(houses)) if houses[house]]
    if how == "first" or (how == "leaves" and asked == 1):
        say("@%s move %d" % (number, legal[0])); say("@%s yield" % number)
    elif how == "second thoughts":
        say("@%s move %d" % (number, legal[0])); say("@%s move %d" % (number, legal[-1])); say("@%s yield" % number)
    elif how == "lies":
        say("@%s move 9" % number); say("@%s yield" % number)
    elif how == "yields":
        say("@%s yield" % number)
    elif how == "leaves":
        break
"""
RULES = parse_game("kalah:standard")
Make = Callable[[str], Engine]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """An engine that runs a client of a kind."""
    script, made = tmp_path / "client.py", []
    script.write_text(CLIENT)

    def engine(how: str) -> Engine:
        made.append(
            parse_engine(
                f'kgp:"{sys.executable}" "{script}" "{how}" {{host}} {{port}}', programs=True
            )
        )
        return made[-1]

    yield engine
    for each in made:
        each.search.close()


def test_a_client_plays_a_whole_game_as_an_engine_does(make: Make) -> None:
    played = play_game(Position(RULES), (make("first"), parse_engine("random:seed=1")))
    assert not played.fault
    assert played.end.is_over
    expected = Position(RULES)
    for code, mover in zip(played.end.history_codes, played.end.movers, strict=True):
        assert mover == 1 or code == expected.legal_codes[0]
        expected = expected.play_codes((code,))


def test_the_last_move_that_it_named_counts(make: Make) -> None:
    position = Position(RULES)
    assert make("second thoughts").analyse(position, Limit(time=20)).line_codes == (
        position.legal_codes[-1],
    )


@pytest.mark.parametrize(
    ("how", "fault"),
    [("lies", Fault.ILLEGAL_MOVE), ("yields", Fault.NO_MOVE), ("silent", Fault.FLAG_FALL)],
)
def test_what_it_does_wrong_loses_and_is_named(make: Make, how: str, fault: Fault) -> None:
    engine = make(how)
    with pytest.raises(Forfeit) as lost:
        engine.analyse(Position(RULES), Limit(time=0.3 if how == "silent" else 20))
    assert lost.value.fault is fault


def test_one_that_leaves_has_lost_and_can_be_started_again(make: Make) -> None:
    engine, position = make("leaves"), Position(RULES)
    first = engine.analyse(position, Limit(time=20)).line_codes
    with pytest.raises(Forfeit) as lost:
        engine.analyse(position, Limit(time=20))
    assert lost.value.fault is Fault.DISCONNECTED
    assert engine.analyse(position, Limit(time=20)).line_codes == first


def test_a_program_that_ends_before_it_connects_does_not_start() -> None:
    engine = parse_engine(f'kgp:"{sys.executable}" -c pass', programs=True)
    with pytest.raises(NoStart, match="does not start: disconnection"):
        engine.search.prepare(RULES)


@pytest.mark.parametrize(
    ("text", "game", "words"),
    [
        ("kgp:", "kalah:standard", "which program"),
        ("kgp:no-such-program-there", "kalah:standard", "there is no program"),
        ("kgp:client", "kalah", "standard rule"),
        ("kgp:client", "connect4", "standard rule"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_words(text: str, game: str, words: str) -> None:
    with pytest.raises(BadEngine, match=words):
        parse_engine(text, programs=True).search.prepare(parse_game(game))


def test_nobody_but_who_typed_it_can_start_a_program() -> None:
    with pytest.raises(BadEngine, match="runs only where it is typed"):
        parse_engine("kgp:client").search.prepare(RULES)
