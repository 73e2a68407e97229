"""The kinds of mistakes in saved games: each is shown by the rules or a proof, counted for the
person who made it, kept with the game, and made anew when the game has changed.
"""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnkala.core import Position, parse_game
from mnkala.explain.words import words
from mnkala.play.game_state import GameState
from mnkala.play.mistakes import (
    change_of,
    missed,
    mistakes_of,
    review_all,
    unreviewed,
)
from mnkala.play.players import parse_player
from mnkala.play.puzzles import puzzles_of
from mnkala.play.reviews import review
from mnkala.play.saved_games import new_row
from mnkala.play.store import Row, Store, Update
from mnkala.search import Limit, Stop
from tests.waiting import wait_until
from tests.web_server import Person, inside

LOST = "b2a1a3b1a2c1"
"""The first player could complete the diagonal at c1, and plays a2 instead, so that o wins there."""


def kinds(game: str, moves: str, nodes: int | None = None) -> list[tuple[int, str]]:
    limit = None if nodes is None else Limit(nodes=nodes)
    *_, found = review(Position(game).play(moves), limit=limit)
    return [(each.first, each.kind) for each in mistakes_of(found)]


def test_a_win_at_once_a_block_and_a_double_threat_are_told_apart() -> None:
    assert kinds("tictactoe", LOST)[-1] == (5, "mistake.missed_now")
    assert kinds("tictactoe", "a1b2c3a2a3") == [(5, "mistake.missed_block")]
    assert kinds("tictactoe", "a1b2c3a3") == [(4, "mistake.allowed_double")]
    assert kinds("tictactoe", "a1b1") == [(2, "mistake.missed_draw")]


def test_turns_of_kalah_are_sorted_by_what_they_missed_or_allowed() -> None:
    """In the first position x can sow 3 and move again, and 1 passes the turn; in the second one
    turn of two sowings wins."""
    found = dict(kinds("kalah:4x3", "1,2,3,1,4"))
    assert found[1] == "kalah.mistake.missed_extra"
    position = Position(parse_game("kalah:3x2"), literal="<3,4,3,0,1,1,2,1,0>")
    *_, worse = review(position.play("2"))
    assert [each.kind for each in mistakes_of(worse)] == ["mistake.missed_now"]


def test_a_victory_by_fours_that_was_allowed_is_proved() -> None:
    moves = "h8,i9,h9,i8,h10,a1"
    assert kinds("gomoku", moves, 2000)[-1] == (6, "lines.mistake.allowed_four")


def test_every_kind_has_words_and_puzzles_train_those_that_they_name() -> None:
    texts = words("en")
    for game in ("connect4", "gomoku", "tictactoe", "kalah"):
        family = puzzles_of(parse_game(game))
        assert set(family.trains) <= set(texts)
        assert {goal for goals in family.trains.values() for goal in goals} <= set(family.offered)


def test_the_missed_move_is_where_the_game_turned() -> None:
    *_, found = review(Position("tictactoe").play(LOST))
    own = missed(found, 0)
    assert own is not None
    assert (own.first, own.kind) == (5, "mistake.missed_now")
    *_, fine = review(Position("tictactoe").play("b2a1"))
    assert missed(fine, 0) is None


@pytest.mark.parametrize(
    ("counts", "change"),
    [
        ([1] * 9, "few"),
        ([1] * 10, "none"),
        ([2] * 8 + [0] * 8, "fewer"),
        ([0] * 8 + [2] * 8, "more"),
        ([0] * 12, "none"),
        ([1, 0] * 6, "none"),
    ],
)
def test_a_trend_is_named_only_if_chance_does_not_explain_it(
    counts: list[int], change: str
) -> None:
    assert change_of(counts) == change


# ---- Saved games ----


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with contextlib.closing(Store(tmp_path / "games.sqlite")) as opened:
        yield opened


def lost_game(owner: str, moves: str = LOST, other: str = "random") -> Row:
    rules = parse_game("tictactoe")
    players = parse_player("human", rules), parse_player(other, rules)
    game = GameState(Position(rules).play(moves), players, owners=(owner, None))
    return new_row(game, here=False)


def test_games_are_reviewed_once_and_counted_for_the_person_who_played(store: Store) -> None:
    row, of_bob = lost_game("ann"), lost_game("bob")
    both = dataclasses.replace(lost_game("ann", other="human"), second_owner="ann")
    store.write([row, of_bob, both])
    todo, report = unreviewed(store, ("ann",))
    assert ([each.id for each in todo], report.open) == ([row.id], 1)
    assert [each.id for each in review_all(store, todo, Stop())] == [row.id]
    todo, report = unreviewed(store, ("ann",))
    assert (todo, report.open, report.total) == ([], 0, 1)
    (game,) = report.games
    assert {kind.kind: kind.count for kind in game.kinds} == {"mistake.missed_now": 1}
    (place,) = game.kinds[0].places
    assert (place.id, place.mistake.first, place.judge, place.mistake.proved) == (
        row.id,
        5,
        "perfect",
        True,
    )
    changed = dataclasses.replace(row, revision=2)
    store.write([Update(changed, 1)])
    assert [each.id for each in unreviewed(store, ("ann",))[0]] == [row.id], "played on since"
    store.write([row.id])
    assert not store.reviewed([row.id]), "what is kept goes with the game"


def test_a_stopped_review_keeps_nothing(store: Store) -> None:
    row, stop = lost_game("ann"), Stop()
    store.write([row])
    stop.set()
    assert not list(review_all(store, [row], stop))
    assert not store.reviewed([row.id])


def test_the_server_reviews_in_the_background_for_each_person_alone(tmp_path: Path) -> None:
    with inside(tmp_path) as server:
        ann, bob = Person(server), Person(server)
        new = {"game": "tictactoe", "moves": LOST, "players": ["human", "random"]}
        for _ in range(2):
            ann.post("/games", new, 201)
        assert bob.get("/mistakes")["report"]["total"] == 0
        assert ann.get("/mistakes")["report"]["open"] == 2
        ann.post("/mistakes", {})
        wait_until(lambda: not ann.get("/mistakes")["running"], "both games are reviewed")
        told = ann.get("/mistakes")
        assert (told["report"]["open"], told["trouble"]) == (0, None)
        (game,) = told["report"]["games"]
        assert game["kinds"][0]["by_game"] == [1, 1]
        assert ann.http.delete("/mistakes").status_code == 204
