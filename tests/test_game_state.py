"""Whatever happens to a game, in whatever order: its state stays valid, the same events give the
same state, and what was taken back can be played again.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnkala.core import Position
from mnkala.errors import IllegalMove, MnkalaError
from mnkala.play import Player, parse_player
from mnkala.play.clock import Clock
from mnkala.play.events import (
    Answer,
    DrawDeclined,
    DrawOffered,
    FlagFall,
    Helped,
    LostByFault,
    Move,
    Pace,
    Pause,
    Redo,
    Rematch,
    Renamed,
    Resignation,
    SeatTaken,
    Undo,
    UndoDeclined,
    UndoOffered,
)
from mnkala.play.game_state import Event, GameState
from mnkala.play.opening_rule import Decision, new_opening
from mnkala.play.saved_games import new_row, state_of
from mnkala.search import Analysis

GAMES = ("connect:4x5x3", "tictactoe", "kalah:3x2", "gomoku:5")
ENGINE = parse_player("random:seed=1", Position("connect4").rules)
START = st.builds(
    lambda game, opens, engines, clocked, open_seat: a_game(
        game, opens, engines, Clock.of(20, 2) if clocked else None, open_seat
    ),
    st.sampled_from(GAMES),
    st.booleans(),
    st.tuples(st.booleans(), st.booleans()),
    st.booleans(),
    st.booleans(),
)
WHAT = st.lists(st.tuples(st.integers(0, 16), st.integers(0, 40), st.floats(0, 3)), max_size=40)


def a_game(
    game: str,
    opens: bool = False,
    engines: tuple[bool, bool] = (False, False),
    clock: Clock | None = None,
    open_seat: bool = False,
) -> GameState:
    position = Position(game)
    ann, ben = (
        ENGINE if engine else Player("human", nickname=name)
        for engine, name in zip(engines, ("Ann", "Ben"), strict=True)
    )
    rule = new_opening("swap2", position) if opens and game.startswith("gomoku") else None
    return GameState(
        position, (ann, ben), rule, clock, owners=("ann", None) if open_seat else ("ann", "ben")
    )


def found(game: GameState, which: int) -> Analysis:
    """What an engine may answer in a game: one of the moves, or a choice of the opening with the
    stones that follow it.
    """
    codes = game.position.legal_codes
    line = tuple(codes[(which + step) % len(codes)] for step in range(3)) if codes else ()
    if game.opening is None:
        return Analysis(game.position, "random:seed=1", None, (), line[:1])
    choices = game.opening.choices
    return Decision(
        game.position,
        "random:seed=1",
        None,
        (),
        line,
        rule=game.opening.name,
        choice=choices[which % len(choices)] if choices else None,
    )


def an_event(game: GameState, kind: int, which: int) -> Event:
    """Some event; many of them cannot happen in this state."""
    if kind < 7:
        opening, moves = game.opening, game.position.legal_moves
        typed = opening.choices if opening is not None and opening.choices else moves
        return (
            Answer(found(game, which))
            if game.to_move.engine
            else Move(typed[which % len(typed)] if typed else "1")
        )
    others: tuple[Callable[[], Event], ...] = (
        Undo,
        Redo,
        lambda: (UndoOffered, UndoDeclined)[which // 2 % 2](which % 2),
        lambda: (DrawOffered, DrawDeclined)[which // 2 % 2](which % 2),
        lambda: Resignation((which % 3 != 1, which % 3 != 2)),
        FlagFall,
        lambda: (LostByFault("crash"), Rematch("next"), SeatTaken("ben", "Ben"), Helped())[
            which % 4
        ],
        lambda: (Pause(True), Pause(False), Pause(True, 1), Pace(which / 10))[which % 4],
        lambda: Renamed(which % 2, (None, "Ann", "Zoë")[which % 3]),
        lambda: Move("nonsense"),
    )
    return others[kind - 7]()


def check(game: GameState) -> None:
    """What holds in every state."""
    position = game.position
    assert Position(position.game).play_codes(position.history_codes) == position
    assert (
        game.is_over
        == (game.result != "*")
        == (game.ending is not None)
        == (game.outcome is not None)
    )
    assert 0 <= game.fixed_plies <= len(position.history_codes)
    assert game.clock is None or (min(game.clock.left) >= 0 and game.clock.running is None)
    read = state_of(
        new_row(game), lambda name, rules: ENGINE if name == ENGINE.name else Player(name)
    )
    passing: dict[str, Any] = {
        "spent": game.spent,
        "answer": game.answer,
        "engine_moved_at": game.engine_moved_at,
        "steps": game.steps,
    }
    assert dataclasses.replace(read, **passing) == game, "what is written down is the whole game"


@settings(max_examples=150, deadline=None)
@given(start=START, what=WHAT)
def test_any_events_give_a_valid_state_and_the_same_one_again(
    start: GameState, what: list[tuple[int, int, float]]
) -> None:
    game, now, happened = start, 0.0, []
    for kind, which, seconds in what:
        now += seconds
        event, before = an_event(game, kind, which), game
        if game.clock is not None:
            game = dataclasses.replace(game, clock=game.clock.started(game.mover, now))
        try:
            after = game.apply(event, now + seconds)
        except MnkalaError:
            game = before
            continue
        happened.append((event, now, now + seconds))
        moved = (after.position, after.opening_rule) != (before.position, before.opening_rule)
        assert after.turn == before.turn + moved, (
            "a click on the board names the turn that it answers"
        )
        check(game := after)
    again = start
    for event, began, came in happened:
        if again.clock is not None:
            again = dataclasses.replace(again, clock=again.clock.started(again.mover, began))
        again = again.apply(event, came)
    assert again == game


@settings(max_examples=100, deadline=None)
@given(start=START, what=WHAT, which=st.integers(0, 40))
def test_a_move_that_is_taken_back_was_never_made_and_can_be_made_again(
    start: GameState, what: list[tuple[int, int, float]], which: int
) -> None:
    game = start
    for kind, other, _ in what:
        if kind < 7 and not game.is_over:
            game = game.apply(an_event(game, kind, other))
    if (
        game.is_over
        or game.opening is not None
        or not (game.to_move.is_human or game.between_engines)
    ):
        return
    after = game.apply(an_event(game, 0, which))
    back = after.apply(Undo())
    unchanged: dict[str, Any] = {
        "turn": after.turn + 1,
        "undone": back.undone,
        "unaided": False,
        "clock": back.clock,
        "spent": after.spent,
        "answer": None,
        "engine_moved_at": after.engine_moved_at,
        "paused": back.paused,
        "steps": after.steps,
    }
    assert back == dataclasses.replace(game, **unchanged)
    assert back.apply(Redo()).position == after.position


def test_a_refused_event_leaves_the_state_and_names_what_is_allowed() -> None:
    game = a_game("connect:4x5x3").apply(Move("1"))
    refused: tuple[tuple[Event, str], ...] = (
        (Move("9"), "column 9 does not exist"),
        (Redo(), "nothing to play again"),
        (Rematch("x"), "follows a finished game"),
        (SeatTaken("eve"), "no seat of this game is open"),
        (FlagFall(), "the move came in time"),
    )
    for event, said in refused:
        with pytest.raises(IllegalMove, match=said):
            game.apply(event)
    over = game.apply(Resignation())
    too_late: tuple[Event, ...] = Move("1"), Resignation(), LostByFault("crash"), UndoOffered(0)
    for event in too_late:
        with pytest.raises(IllegalMove, match="over"):
            over.apply(event)
    assert over.apply(Undo()).apply(Redo()).result == "*", "who takes back goes on"
    assert over.apply(Helped()).unaided, "after the end help is no help"


def test_an_engine_that_answers_nothing_has_made_an_illegal_move() -> None:
    game = a_game("connect:4x5x3", engines=(True, True))
    with pytest.raises(IllegalMove, match="random:seed=1 made an illegal move: no move at all"):
        game.apply(Answer(dataclasses.replace(found(game, 0), line_codes=())))
