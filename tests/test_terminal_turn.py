"""The whole turn in the terminal: the best chain of sowings in words, badges by house, stepping
seed by seed.
"""

from __future__ import annotations

import asyncio

import pytest

from mnkala.core import Position
from mnkala.play import parse_player
from mnkala.play.game_state import GameState
from mnkala.play.view import make_view
from mnkala.terminal.app import GameApp
from mnkala.terminal.drawing import Note, Overlay
from mnkala.terminal.houses import Houses
from tests.command_line import mnkala
from tests.terminal_table import Table, table, workers_end

pytestmark = pytest.mark.usefixtures("brisk", "games_folder")
LATE = "<3,4,3,0,1,1,2,1,0>"
"""Best is 3, which moves again, then 2, which captures 2 and ends the game: 8 seeds to 4. House 2
at once loses by 2.
"""


def test_the_best_turn_stands_in_words_and_is_stepped_through_seed_by_seed() -> None:
    async def play() -> None:
        position = Position("kalah:3x2", literal=LATE)
        human = parse_player("human", position.rules)
        app = GameApp(GameState(position, (human, human)))
        async with app.run_test(size=(120, 40)) as pilot:
            here = Table(app, pilot)
            await here.ready()
            await here.press("t")
            assert "No best turn is known here yet" in here.said("status")
            await here.press("a")
            await here.until(
                lambda: app.session.thoughts.proof is not None and app.session.thoughts.proof.done
            )
            assert "Best turn: 3, then 2 – captures 2" in here.said("thoughts")
            assert "wins by 4" in here.board()  # below its house, not only in the list
            assert "loses by 2" in here.said("thoughts")
            seen = []
            for _ in range(6):
                await here.press("t")
                seen.append(here.said("status").partition("  (")[0])
            assert seen == [
                "3: 1 in hand",
                "3: 0 in hand",
                "3 2: 1 in hand",
                "3 2: 0 in hand",
                "3 2: captures 2",
                "3 2: the rest goes to the stores: 1",
            ]
            assert not app.session.can_play
            await here.press("t", "T", "T", "T")  # the last step stays; three back
            assert "3 2: 1 in hand" in here.said("status")
            assert "(1)" in here.board()
            await here.press("right")
            assert "3 2: 0 in hand" in here.said("status")
            assert here.played == ""
            await here.press("escape")
            assert app.session.can_play
            await here.press("t", "3")  # a move ends the stepping
            assert here.played == "3"
            assert app.session.walk is None
            app.session.close()
            await workers_end()

    asyncio.run(play())


def test_where_every_move_is_a_turn_there_is_nothing_to_step_through() -> None:
    async def play() -> None:
        async with table("tictactoe") as here:
            await here.press("t")
            assert "every move is a whole turn" in here.said("status")

    asyncio.run(play())


@pytest.mark.parametrize(
    ("wide", "shown"),
    [(10, ["wins by 6", "~63%"]), (6, ["+6", "~63%"]), (4, ["+6", "63%"]), (3, ["1", "2"])],
)
def test_a_badge_says_as_much_as_there_is_room_for_and_never_loses_its_sign(
    wide: int, shown: list[str]
) -> None:
    board = Houses(make_view(Position("kalah:2x2")), wide, 3, ascii_only=True)
    notes = {
        (1, 0): Note("+6", "good", True, 1, "wins by 6"),
        (1, 1): Note("~63%", "even", False, 2, "~63%"),
    }
    assert [board.written(note, Overlay(notes=notes)) for note in notes.values()] == shown


def test_plain_lines_tell_the_turn_its_steps_and_group_the_moves() -> None:
    told = mnkala(
        "play",
        "kalah:3x2",
        "--position",
        LATE,
        "--second",
        "human",
        "--plain",
        stdin="hint\nturn\nanalyse\nmoves\n3\n2\n",
    ).stdout
    assert told.count("Best turn: 3, then 2 – captures 2") == 3
    assert "3 2    3 [ 0  1  0 | 0  0  0 ] 8    captures 2" in told
    assert "best play 32" in told
    assert (
        "every move is a whole turn"
        in mnkala("play", "tictactoe", "--second", "human", "--plain", stdin="turn\nquit\n").stdout
    )
