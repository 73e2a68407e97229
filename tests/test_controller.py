"""A running game as the server and the terminal play it: who thinks, what is dropped, what is
paused, whose time passes.
"""

from __future__ import annotations

import pytest

from mnkala.core import Position
from mnkala.errors import IllegalMove, MnkalaError
from mnkala.play import parse_player
from mnkala.play.clock import Clock
from mnkala.play.controller import Controller, Engines, Step, Ticket, next_step, seconds_to_wait
from mnkala.play.events import (
    Answer,
    FlagFall,
    Helped,
    Move,
    Pace,
    Pause,
    Redo,
    Renamed,
    Resignation,
    SeatTaken,
    Undo,
    UndoOffered,
)
from mnkala.play.game_state import Event, GameState, Superseded
from mnkala.search import Analysis

PAUSE, RESUME, STEP = Pause(True), Pause(False), Pause(True, steps=1)


def a_game(
    first: str = "human",
    second: str = "human",
    moves: str = "",
    clock: Clock | None = None,
    prepared: bool = True,
    owners: tuple[str | None, str | None] = ("ann", "ann"),
) -> Controller:
    position = Position("connect4").play(moves)
    players = parse_player(first, position.rules), parse_player(second, position.rules)
    game = Controller(GameState(position, players, clock=clock, owners=owners))
    if prepared:
        game.prepared(0)
    return game


def found(ticket: Ticket, move: str) -> Analysis:
    """What an engine with a ticket answers."""
    line = tuple(ticket.position.rules.parse_moves(move))
    return Analysis(
        ticket.position,
        str(ticket.engine),
        None,
        moves=(),
        line_codes=line,
        depth=1,
        nodes=1,
        evaluations=0,
        cutoffs=0,
        held=0,
        table_hits=0,
        seconds=0.0,
    )


def answer(game: Controller, ticket: Ticket, move: str, now: float) -> None:
    game.apply(game.wanted(ticket, Answer(found(ticket, move))), now)


def think(game: Controller, move: str, now: float) -> None:
    assert game.next_step(now) is Step.THINK
    answer(game, game.think(now), move, now)


# ---- Who is to do what ----


def test_engines_are_prepared_once_and_then_think() -> None:
    game = a_game("random", "human", prepared=False)
    assert game.next_step(0) is Step.PREPARE
    game.preparing()
    assert game.next_step(1) is Step.NOTHING, "they are being compiled"
    game.prepared(2)
    assert game.next_step(2) is Step.THINK
    ticket = game.think(2)
    assert game.next_step(2) is Step.NOTHING, "it thinks already"
    answer(game, ticket, "4", 3)
    assert (game.state.position.moves, game.ticket, game.state.turn) == ("4", None, 1)
    assert game.next_step(3) is Step.NOTHING, "a person is to move"


def test_what_comes_next_is_told_by_the_state_and_the_engines_alone() -> None:
    state = a_game("random", "random").state
    steps = {engines: next_step(state, engines, 0) for engines in Engines}
    assert steps == dict.fromkeys(Engines, Step.NOTHING) | {
        Engines.UNPREPARED: Step.PREPARE,
        Engines.READY: Step.THINK,
    }
    assert next_step(state.apply(PAUSE), Engines.READY, 0) is Step.NOTHING
    assert next_step(state.apply(STEP), Engines.READY, 0) is Step.THINK
    assert (
        next_step(a_game(moves="4").state.apply(Resignation()), Engines.UNPREPARED, 0)
        is Step.NOTHING
    )


def test_an_answer_that_is_no_longer_wanted_is_dropped() -> None:
    game = a_game("human", "random")
    game.apply(Move("4"), 0)
    ticket = game.think(0)
    game.apply(Undo(), 1)
    assert game.next_step(1) is Step.NOTHING
    assert ticket.stop.is_set()
    for _ in range(2):  # also where the same position is on the board again
        with pytest.raises(Superseded):
            answer(game, ticket, "4", 2)
        if game.state.undone:
            game.apply(Redo(), 3)
    assert game.state.position.moves == "4"
    assert game.think(3) is not ticket


@pytest.mark.parametrize("event", [Helped(), UndoOffered(0), Renamed(0, "Ann"), Pace(1)])
def test_an_engine_in_trouble_is_not_asked_again_while_its_question_stays(event: Event) -> None:
    game = a_game("human", "random")
    game.apply(Move("4"), 0)
    game.think(0)
    game.failed(MnkalaError("no idea"), 1)
    game.apply(event, 2)
    assert (str(game.trouble), game.next_step(2)) == ("no idea", Step.NOTHING)
    game.apply(Undo(), 3)
    game.apply(Redo(), 4)
    assert (game.trouble, game.next_step(4)) == (None, Step.THINK), (
        "the question was another meanwhile"
    )


def test_an_engine_in_trouble_is_asked_again_if_a_person_wants_it() -> None:
    game = a_game("human", "random", "444443")
    game.apply(Move("4"), 0)
    before, ticket = game.state, game.think(0)
    with pytest.raises(IllegalMove, match="random made an illegal move: "):
        answer(game, ticket, "4", 1)
    assert game.state is before, "what was refused leaves no trace"
    game.failed(MnkalaError("no idea"), 1)
    assert (str(game.trouble), game.ticket, game.next_step(1)) == ("no idea", None, Step.NOTHING)
    game.apply(RESUME, 2)
    assert (game.trouble, game.next_step(2)) == (None, Step.THINK)


def test_nothing_is_played_while_a_seat_is_empty() -> None:
    game = a_game("random", "human", owners=("ann", None))
    assert game.next_step(0) is Step.NOTHING
    game.apply(SeatTaken("ben", "Ben"), 1)
    assert (game.next_step(1), game.state.owners, game.state.players[1].nickname) == (
        Step.THINK,
        ("ann", "ben"),
        "Ben",
    )
    with pytest.raises(IllegalMove, match="no seat of this game is open"):
        game.apply(SeatTaken("eve"), 2)


# ---- Two engines ----


def test_two_engines_wait_between_their_moves() -> None:
    game = a_game("random", "random")
    think(game, "4", 10)
    assert game.next_step(10) is Step.WAIT
    assert seconds_to_wait(game.state, 10.2) == pytest.approx(0.4)
    game.apply(Pace(2), 10.5)
    assert seconds_to_wait(game.state, 11) == pytest.approx(1)
    think(game, "4", 12)


def test_two_engines_can_be_paused_and_stepped() -> None:
    game = a_game("random", "random")
    ticket = game.think(0)
    game.apply(PAUSE, 1)
    assert (game.next_step(1), game.ticket, ticket.stop.is_set()) == (Step.NOTHING, None, True)
    game.apply(STEP, 2)
    think(game, "4", 2)
    assert game.next_step(2) is Step.NOTHING, "one move and no more"
    game.apply(STEP, 2)
    think(game, "4", 2)
    game.apply(RESUME, 3)
    assert game.next_step(3) is Step.THINK
    game.apply(Undo(), 4)
    assert game.state.paused, "they would play on at once"


def test_a_step_lets_an_engine_that_thinks_already_finish() -> None:
    game = a_game("random", "random")
    ticket = game.think(0)
    game.apply(STEP, 1)
    answer(game, ticket, "4", 2)
    assert game.next_step(9) is Step.NOTHING


def test_who_thinks_goes_on_if_a_change_leaves_the_position() -> None:
    game = a_game("random", "random")
    changed, ticket = game.state.apply(Pace(2), 0), game.think(0)
    game.become(changed, 1)
    assert (game.state.pace, game.ticket) == (2, ticket)


# ---- Giving up ----


def test_a_person_gives_up_also_while_the_engine_thinks() -> None:
    game = a_game("human", "random", "4")
    ticket = game.think(0)
    game.apply(Resignation((True, False)), 1)
    assert game.next_step(1) is Step.NOTHING
    assert (str(game.state.outcome), game.state.ending, ticket.stop.is_set()) == (
        "0-1",
        "resignation",
        True,
    )
    for event in (Move("4"), Resignation((True, False))):
        with pytest.raises(IllegalMove, match="over"):
            game.apply(event, 2)


def test_of_two_people_the_one_to_move_gives_up_and_engines_never() -> None:
    game = a_game(moves="4")
    game.apply(Resignation(), 0)
    assert str(game.state.outcome) == "1-0"
    with pytest.raises(IllegalMove, match="engines do not resign"):
        a_game("random", "random").apply(Resignation((False, False)), 0)


# ---- The clock ----


def a_clock(seconds: float = 100, increment: float = 0) -> Clock:
    return Clock.of(seconds, increment)


def left(game: Controller, now: float) -> tuple[float, float]:
    clock = game.state.clock
    assert clock is not None
    return clock.remaining(0, now), clock.remaining(1, now)


def test_time_passes_from_the_first_move_on() -> None:
    game = a_game(clock=a_clock(increment=2))
    game.next_step(0)
    assert left(game, 50) == (100, 100)
    game.apply(Move("4"), 50)
    game.apply(Move("4"), 60)
    assert left(game, 65) == (97, 92)


def test_no_time_passes_before_the_engines_are_compiled() -> None:
    game = a_game("human", "random", "4", a_clock(), prepared=False)
    game.preparing()
    game.next_step(0)
    assert left(game, 30) == (100, 100)
    game.prepared(30)
    assert left(game, 31) == (100, 99)


def test_an_engine_has_no_more_time_than_the_clock_leaves() -> None:
    game = a_game("human", "deepening:time=30", "4", a_clock(100))
    assert game.think(0).seconds == pytest.approx(4)
    assert a_game("human", "deepening:time=3", "4", a_clock(100)).think(0).seconds == 3
    assert a_game("human", "deepening:time=30", "4").think(0).seconds == 30
    assert a_game("human", "alphabeta:depth=3", "4").think(0).seconds is None


def test_time_stands_while_engines_are_paused_in_trouble_or_wait_to_be_saved() -> None:
    game = a_game("random", "random", "4", a_clock())
    game.next_step(0)
    game.apply(PAUSE, 10)
    assert left(game, 50) == (100, 90)
    game.apply(STEP, 50)
    ticket = game.think(50)
    ticket.has_answered = True
    game.set_clock(60)
    assert left(game, 80) == (100, 80)
    game.failed(MnkalaError("no idea"), 80)
    assert left(game, 99) == (100, 80)


def test_the_time_that_a_change_takes_to_be_saved_counts() -> None:
    game = a_game(clock=a_clock(), moves="4")
    game.next_step(0)
    moved = game.state.apply(Move("4"), 10)
    assert left(game, 15) == (100, 85), "the game is still the one that is on disk"
    game.become(moved, 10)
    assert left(game, 15) == (95, 90)


def test_what_was_taken_back_gives_no_time_back() -> None:
    game = a_game(clock=a_clock(), moves="44")
    game.next_step(0)
    game.apply(Move("4"), 10)
    game.apply(Undo(), 15)
    assert left(game, 20) == (85, 95)


def test_the_player_whose_time_is_up_loses() -> None:
    game = a_game(moves="4", clock=a_clock())
    game.next_step(0)
    with pytest.raises(Superseded, match="in time"):
        game.apply(FlagFall(), 99)
    assert game.seconds_left(99) == 1
    game.apply(FlagFall(), 100)
    assert (str(game.state.outcome), game.state.ending, game.seconds_left(101)) == (
        "1-0",
        "time",
        None,
    )
