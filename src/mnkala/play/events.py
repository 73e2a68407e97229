"""What can happen to a game: frozen values that compute the game after the event
(`GameState.apply`), or say why it cannot happen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from mnkala.errors import IllegalMove
from mnkala.numbers import counted, shortened
from mnkala.play.game_state import Event, GameState, Superseded
from mnkala.play.opening_rule import Decision
from mnkala.search import Analysis

# ---- Moves ----


@dataclass(frozen=True)
class Move(Event):
    """A person types a move, or a choice in an opening."""

    text: str

    def after(self, game: GameState, now: float) -> GameState:
        _require_unfinished(game)
        opening = game.opening
        if opening is not None and opening.choices:
            return _turn_over(game, now, choice=opening.read(self.text))
        moves = game.position.rules.parse_moves(self.text)
        if len(moves) != 1:
            raise IllegalMove(
                f"'{self.text}' is {counted(len(moves), 'move')}; type one",
                "error.one_move",
                text=self.text,
                moves=len(moves),
            )
        return _turn_over(game, now, moves)


@dataclass(frozen=True)
class Answer(Event):
    """An engine makes the move that it found, or carries out its decision in an opening."""

    analysis: Analysis

    def after(self, game: GameState, now: float) -> GameState:
        _require_unfinished(game)
        found, seat = self.analysis, game.mover
        game.thinker  # noqa: B018 (refused where it is a person's turn)
        if found.position != game.position:
            asked, here = (
                shortened(f"{position.game} {position.moves}".strip())
                for position in (found.position, game.position)
            )
            raise Superseded(f"this is an answer to {asked}; the game is at {here}")
        (first, second), spent = game.spent, game.spent[seat].after(found.nodes, found.seconds)
        choice = found.choice if game.opening is not None and isinstance(found, Decision) else None
        try:
            return _turn_over(
                game,
                now,
                found.line_codes,
                choice,
                spent=(first, spent) if seat else (spent, second),
                engine_moved_at=now,
                answer=replace(found, moves=()) if found.moves else found,
                steps=max(0, game.steps - 1),
            )
        except IllegalMove as error:
            raise IllegalMove(f"{found.engine} made an illegal move: {error}") from error


def _turn_over(
    game: GameState,
    now: float,
    codes: Sequence[int] = (),
    choice: str | None = None,
    **changes: Any,
) -> GameState:
    """The game after a decision in an opening is carried out: a choice, the moves that place
    stones, or both."""
    position, rule, swapped = game.position, game.opening_rule, False
    if choice is not None:
        assert rule is not None
        rule, swapped = rule.chosen(choice, position)
    codes = codes[: rule.left(position) if rule is not None and rule.goes_on else 1]
    if choice is None and not codes:
        raise IllegalMove("no move at all")
    for code in codes:
        position = position.play_codes((code,))
        if rule is not None and rule.goes_on:
            rule = rule.placed(position)
    clock = game.clock and game.clock.moved(game.mover, now)
    after = replace(
        game,
        position=position,
        opening_rule=rule,
        clock=clock,
        turn=game.turn + 1,
        undone=(),
        undo_asked=None,
        draw_asked=None if game.draw_asked != game.mover else game.draw_asked,
        **changes,
    )
    if not swapped:
        return after
    # The players change places: their times, what they spent and their seats go along.
    return replace(
        after,
        players=after.players[::-1],
        spent=after.spent[::-1],
        owners=after.owners[::-1],
        clock=clock and clock.swapped(),
    )


@dataclass(frozen=True)
class Undo(Event):
    """Take moves back to the last turn of a person. A game between two engines is paused by it."""

    def after(self, game: GameState, now: float) -> GameState:
        history, fixed = game.position.history_codes, game.fixed_plies
        if game.opening is not None:
            raise IllegalMove(
                f"an opening by {game.opening.title} is not taken back; begin a new game",
                "error.opening_stays",
                opening=game.opening.title,
            )
        if len(history) <= fixed:
            raise (
                IllegalMove("the stones of the opening are not taken back", "error.stones_stay")
                if fixed
                else _no_move_yet()
            )
        for count, mover in enumerate(reversed(game.position.movers[fixed:]), start=1):
            if game.between_engines or game.players[mover].is_human:
                return replace(
                    game,
                    position=game.position.back(count),
                    undone=(*game.undone, history[len(history) - count :]),
                    turn=game.turn + 1,
                    answer=None,
                    undo_asked=None,
                    draw_asked=None,
                    agreed=False,
                    unaided=False,
                    resigned=None,
                    out_of_time=False,
                    fault=None,
                    paused=game.paused or game.between_engines,
                )
        raise IllegalMove(
            "no person has moved yet, so there is nothing to take back", "error.nobody_moved"
        )


@dataclass(frozen=True)
class Redo(Event):
    """Play again the moves that were last taken back."""

    def after(self, game: GameState, now: float) -> GameState:
        if not game.undone:
            raise IllegalMove("there is nothing to play again", "error.nothing_undone")
        return replace(
            game,
            position=game.position.play_codes(game.undone[-1]),
            undone=game.undone[:-1],
            turn=game.turn + 1,
            answer=None,
            undo_asked=None,
        )


@dataclass(frozen=True)
class UndoOffered(Event):
    """A seat asks the other to take back a move; `Undo` by the other one accepts."""

    seat: int

    def after(self, game: GameState, now: float) -> GameState:
        if not game.position.history_codes:
            raise _no_move_yet()
        _require_unfinished(game)
        return replace(game, undo_asked=self.seat)


@dataclass(frozen=True)
class UndoDeclined(Event):
    """A seat does not let the other one take back a move."""

    seat: int

    def after(self, game: GameState, now: float) -> GameState:
        if game.undo_asked != 1 - self.seat:
            raise IllegalMove("the other player does not ask to take back a move")
        return replace(game, undo_asked=None)


# ---- The end ----


@dataclass(frozen=True)
class Resignation(Event):
    """One of the given seats resigns: the one to move, if it is among them."""

    seats: tuple[bool, bool] = (True, True)

    def after(self, game: GameState, now: float) -> GameState:
        _require_unfinished(game)
        if not any(self.seats):
            raise IllegalMove(
                "engines do not resign; delete the game or let them play on",
                "error.engines_do_not_resign",
            )
        return replace(game, resigned=game.mover if self.seats[game.mover] else 1 - game.mover)


@dataclass(frozen=True)
class DrawOffered(Event):
    """A seat offers a draw, or accepts the offer of the other. An offer stands until the other
    seat declines it or moves."""

    seat: int

    def after(self, game: GameState, now: float) -> GameState:
        _require_unfinished(game)
        if game.opening is not None:
            raise IllegalMove("no draw is offered in an opening", "error.no_draw_yet")
        if game.draw_asked == 1 - self.seat:
            return DrawAgreed().after(game, now)
        return replace(game, draw_asked=self.seat)


@dataclass(frozen=True)
class DrawAgreed(Event):
    """Both sides agree on a draw. With an engine it says nothing about the person's strength."""

    def after(self, game: GameState, now: float) -> GameState:
        _require_unfinished(game)
        people = all(player.is_human for player in game.players)
        return replace(
            game, agreed=True, draw_asked=None, undo_asked=None, unaided=game.unaided and people
        )


@dataclass(frozen=True)
class DrawDeclined(Event):
    """A seat declines the draw that the other has offered."""

    seat: int

    def after(self, game: GameState, now: float) -> GameState:
        if game.draw_asked != 1 - self.seat:
            raise IllegalMove("the other player does not offer a draw", "error.no_offer")
        return replace(game, draw_asked=None)


@dataclass(frozen=True)
class FlagFall(Event):
    """The player to move has run out of time."""

    def after(self, game: GameState, now: float) -> GameState:
        if game.is_over or game.clock is None or game.clock.left[game.mover] > 0:
            raise Superseded("the move came in time")
        return replace(game, resigned=game.mover, out_of_time=True)


@dataclass(frozen=True)
class LostByFault(Event):
    """The player to move has lost by a fault, such as an external program's."""

    what: str

    def after(self, game: GameState, now: float) -> GameState:
        _require_unfinished(game)
        return replace(game, resigned=game.mover, fault=self.what)


@dataclass(frozen=True)
class Rematch(Event):
    """A new game was made to follow this one."""

    game_id: str

    def after(self, game: GameState, now: float) -> GameState:
        if not game.is_over:
            raise IllegalMove("a rematch follows a finished game; this one is going on")
        if game.rematch is not None:
            raise Superseded("the other player was quicker")
        return replace(game, rematch=self.game_id)


def _require_unfinished(game: GameState) -> None:
    if game.is_over:
        text = f"the game is over ({game.result})"
        raise IllegalMove(text, "error.is_over", result=game.result)


def _no_move_yet() -> IllegalMove:
    return IllegalMove("there is no move to take back", "error.no_move_yet")


# ---- Around the board ----


@dataclass(frozen=True)
class Pause(Event):
    """A game between two engines is paused after the given number of moves, or resumed."""

    paused: bool
    steps: int = 0

    def after(self, game: GameState, now: float) -> GameState:
        return replace(game, paused=self.paused, steps=self.steps)


@dataclass(frozen=True)
class Pace(Event):
    """The time between the moves of two engines changes."""

    seconds: float

    def after(self, game: GameState, now: float) -> GameState:
        return replace(game, pace=self.seconds)


@dataclass(frozen=True)
class SeatTaken(Event):
    """Somebody takes the open seat."""

    owner: str
    nickname: str | None = None

    def after(self, game: GameState, now: float) -> GameState:
        seat = game.open_seat
        if seat is None:
            raise IllegalMove("no seat of this game is open")
        first, second = (
            self.owner if side == seat else owner for side, owner in enumerate(game.owners)
        )
        return Renamed(seat, self.nickname).after(
            replace(game, owners=(first, second), invitation=None), now
        )


@dataclass(frozen=True)
class Renamed(Event):
    """A person changes the name that is shown."""

    seat: int
    nickname: str | None

    def after(self, game: GameState, now: float) -> GameState:
        first, second = (
            player.called(self.nickname) if side == self.seat else player
            for side, player in enumerate(game.players)
        )
        return replace(game, players=(first, second))


@dataclass(frozen=True)
class Helped(Event):
    """A person has asked for help such as a hint or an analysis, so that the result says less
    about the person."""

    def after(self, game: GameState, now: float) -> GameState:
        return game if game.is_over else replace(game, unaided=False)
