"""A running game as the server and the terminal play it: who thinks, what is dropped, what is paused, whose time passes."""

from __future__ import annotations

import pytest

from mnkala.core import Position
from mnkala.errors import IllegalMove, MnkalaError
from mnkala.play import Match, parse_player
from mnkala.play.clock import Clock
from mnkala.play.controller import Controller, Step, Ticket
from mnkala.search import Analysis


def a_game(first: str = "human", second: str = "human", moves: str = "", clock: Clock | None = None, prepared: bool = True) -> Controller:
    position = Position("connect4").play(moves)
    game = Controller(Match(position, (parse_player(first, position.rules), parse_player(second, position.rules))), clock)
    if prepared:
        game.prepared(0)
    return game


def found(ticket: Ticket, move: str) -> Analysis:
    """What an engine with a ticket answers."""
    line = tuple(ticket.position.rules.parse_moves(move))
    return Analysis(ticket.position, str(ticket.engine), None, moves=(), line_codes=line, depth=1, nodes=1, evaluations=0, cutoffs=0, held=0, table_hits=0,
                    seconds=0.0)


def think(game: Controller, move: str, now: float) -> None:
    assert game.next_step(now) is Step.THINK
    ticket = game.think(now)
    assert game.answered(ticket, found(ticket, move), now)


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
    assert game.answered(ticket, found(ticket, "4"), 3)
    assert (game.match.position.moves, game.ticket, game.turn) == ("4", None, 1)
    assert game.next_step(3) is Step.NOTHING, "a person is to move"


def test_an_answer_that_is_no_longer_wanted_is_dropped() -> None:
    game = a_game("human", "random")
    game.play("4", 0)
    game.next_step(0)
    ticket = game.think(0)
    assert game.undo(1) == 1
    assert game.next_step(1) is Step.NOTHING
    assert ticket.stop.is_set()
    assert not game.answered(ticket, found(ticket, "4"), 2)
    assert game.match.position.moves == ""
    assert game.redo(3) == 1
    assert game.think(3) is not ticket


def test_an_engine_in_trouble_is_asked_again_once_something_changes() -> None:
    game = a_game("human", "random", "444443")
    game.play("4", 0)
    ticket = game.think(0)
    with pytest.raises(MnkalaError, match="illegal move"):
        game.answered(ticket, found(ticket, "4"), 1)
    game.failed("no idea", 1)
    assert (game.trouble, game.ticket, game.next_step(1)) == ("no idea", None, Step.NOTHING)
    game.resume(2)
    assert (game.trouble, game.next_step(2)) == (None, Step.THINK)


def test_nothing_is_played_while_a_seat_is_empty() -> None:
    game = a_game("random", "human")
    game.open_seat = True
    assert game.next_step(0) is Step.NOTHING


# ---- Two engines ----


def test_two_engines_wait_between_their_moves() -> None:
    game = a_game("random", "random")
    think(game, "4", 10)
    assert game.next_step(10) is Step.WAIT
    assert game.seconds_to_wait(10.2) == pytest.approx(0.4)
    game.set_pace(2, 10.5)
    assert game.seconds_to_wait(11) == pytest.approx(1)
    think(game, "4", 12)


def test_two_engines_can_be_paused_and_stepped() -> None:
    game = a_game("random", "random")
    ticket = game.think(0)
    game.pause(1)
    assert (game.next_step(1), game.ticket, ticket.stop.is_set()) == (Step.NOTHING, None, True)
    game.step(2)
    think(game, "4", 2)
    assert game.next_step(2) is Step.NOTHING, "one move and no more"
    game.step(2)
    think(game, "4", 2)
    game.resume(3)
    assert game.next_step(3) is Step.THINK
    game.undo(4)
    assert game.paused, "they would play on at once"


def test_a_step_lets_an_engine_that_thinks_already_finish() -> None:
    game = a_game("random", "random")
    ticket = game.think(0)
    game.step(1)
    game.next_step(1)
    assert game.answered(ticket, found(ticket, "4"), 2)
    assert game.next_step(9) is Step.NOTHING


# ---- Giving up ----


def test_a_person_gives_up_also_while_the_engine_thinks() -> None:
    game = a_game("human", "random", "4")
    ticket = game.think(0)
    game.resign((True, False), 1)
    assert game.next_step(1) is Step.NOTHING
    assert (str(game.match.outcome), game.match.ending, ticket.stop.is_set()) == ("0-1", "resignation", True)
    with pytest.raises(IllegalMove, match="over"):
        game.play("4", 2)
    with pytest.raises(IllegalMove, match="over"):
        game.resign((True, False), 2)


def test_of_two_people_the_one_to_move_gives_up_and_engines_never() -> None:
    game = a_game(moves="4")
    game.resign((True, True), 0)
    assert str(game.match.outcome) == "1-0"
    with pytest.raises(IllegalMove, match="engines do not resign"):
        a_game("random", "random").resign((False, False), 0)


# ---- The clock ----


def a_clock(seconds: float = 100, increment: float = 0) -> Clock:
    return Clock.of(seconds, increment)


def left(game: Controller, now: float) -> tuple[float, float]:
    assert game.clock is not None
    return game.clock.remaining(0, now), game.clock.remaining(1, now)


def test_time_passes_from_the_first_move_on() -> None:
    game = a_game(clock=a_clock(increment=2))
    game.next_step(0)
    assert left(game, 50) == (100, 100)
    game.play("4", 50)
    game.play("4", 60)
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
    game.pause(10)
    assert left(game, 50) == (100, 90)
    game.step(50)
    ticket = game.think(50)
    ticket.has_answered = True
    game.set_clock(60)
    assert left(game, 80) == (100, 80)
    game.failed("no idea", 80)
    assert left(game, 99) == (100, 80)


def test_what_was_taken_back_gives_no_time_back() -> None:
    game = a_game(clock=a_clock(), moves="44")
    game.next_step(0)
    game.play("4", 10)
    game.undo(15)
    assert left(game, 20) == (85, 95)


def test_the_player_whose_time_is_up_loses() -> None:
    game = a_game(moves="4", clock=a_clock())
    game.next_step(0)
    assert not game.lose_on_time(99)
    assert game.seconds_left(99) == 1
    assert game.lose_on_time(100)
    assert (str(game.match.outcome), game.match.ending, game.seconds_left(101)) == ("1-0", "time", None)


# ---- Drafts ----


def test_a_draft_changes_nothing_before_it_is_adopted() -> None:
    game = a_game("human", "random", "4", a_clock())
    ticket = game.think(0)
    draft = game.draft()
    assert draft.answered(ticket, found(ticket, "3"), 5)
    assert (game.match.position.moves, game.ticket, left(game, 5)) == ("4", ticket, (100, 95))
    game.adopt(draft)
    assert (game.match.position.moves, game.ticket, left(game, 6)) == ("43", None, (99, 95))


def test_who_began_to_think_meanwhile_goes_on_if_the_draft_leaves_the_position() -> None:
    game = a_game("random", "random")
    draft = game.draft()
    draft.set_pace(2, 0)
    ticket = game.think(0)
    game.adopt(draft)
    assert (game.pace, game.ticket) == (2, ticket)
