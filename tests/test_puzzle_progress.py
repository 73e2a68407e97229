"""What a person reaches in puzzles: the first try counts, days make a streak, and the puzzle of a
day is the same for everybody.
"""

from __future__ import annotations

import contextlib
import datetime
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnkala.core import parse_game
from mnkala.errors import MnkalaError
from mnkala.play.puzzle_progress import (
    DAY_BEGINS,
    MIDDLE,
    Solver,
    daily,
    entries,
    games_with_daily,
    is_of_day,
    mixed,
    progress,
    shipped,
    similar,
    streak,
)
from mnkala.play.puzzles import hints, puzzle_at, shipped_goals
from mnkala.play.store import Store
from tests.web_server import Person, inside

TODAY = datetime.date(2026, 11, 19)
ANN, BOB = (Solver((name,), name, here=False) for name in ("ann", "bob"))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with contextlib.closing(Store(tmp_path / "games.sqlite")) as opened:
        yield opened


def test_only_the_first_try_counts_for_the_rating_and_the_best_result_is_shown(
    store: Store,
) -> None:
    one, two, three = (each.puzzle for each in shipped("connect4")[:3])
    for puzzle in (one, two, three):
        store.write(entries(puzzle, ANN, solved=False, helped=True))
        store.write(entries(puzzle, ANN, solved=True, helped=False))
    store.write(entries(one, ANN, solved=True, helped=True))
    reached = progress(store, ANN, TODAY)
    assert reached.rating is not None
    assert reached.rating.rating < MIDDLE, "three puzzles failed at first"
    assert (reached.state(one), reached.solved, reached.tried) == ("alone", 3, 3)
    for puzzle in (one, two, three):
        store.write(entries(puzzle, BOB, solved=True, helped=False))
    better = progress(store, BOB, TODAY).rating
    assert better is not None
    assert better.rating > MIDDLE > reached.rating.rating
    assert progress(store, BOB, TODAY, "kalah").solved == 0


def test_the_daily_puzzle_makes_a_streak_and_any_other_puzzle_does_not(store: Store) -> None:
    for back in (3, 1, 0):
        day = TODAY - datetime.timedelta(days=back)
        store.write(entries(daily("kalah", day).puzzle, ANN, solved=True, helped=True, today=day))
    other = next(each.puzzle for each in shipped("kalah") if not is_of_day(each.puzzle, TODAY))
    store.write(entries(other, BOB, solved=True, helped=False, today=TODAY))
    assert (progress(store, ANN, TODAY).streak, progress(store, ANN, TODAY).today) == (2, True)
    assert progress(store, ANN, TODAY + datetime.timedelta(days=1)).streak == 2, "still open"
    assert progress(store, ANN, TODAY + datetime.timedelta(days=2)).streak == 0
    assert progress(store, BOB, TODAY).streak == 0
    assert streak([], TODAY) == 0


def test_every_game_with_puzzles_has_one_a_day_and_none_comes_twice_in_a_round() -> None:
    assert {"connect4", "gomoku", "tictactoe", "kalah"} <= set(games_with_daily())
    for game in ("tictactoe", "gomoku"):
        days = [DAY_BEGINS + datetime.timedelta(days=i) for i in range(len(shipped(game)))]
        chosen = [daily(game, day).puzzle.moves for day in days]
        assert len(set(chosen)) == len(chosen)
    assert daily("connect4", TODAY).puzzle.moves == "22425355522532673533364444666"
    with pytest.raises(MnkalaError, match="begin on 2026-01-01"):
        daily("connect4", datetime.date(2025, 12, 31))


def test_mixed_puzzles_are_new_and_near_the_rating_and_similar_ones_train_a_mistake(
    store: Store,
) -> None:
    pool = [each for game in games_with_daily() for each in shipped(game)]
    for each in pool[:200]:
        store.write(entries(each.puzzle, ANN, solved=True, helped=False))
    reached = progress(store, ANN, TODAY)
    chosen = mixed(pool, reached, 10, random.Random(1))
    assert all(reached.state(each.puzzle) == "" for each in chosen)
    assert sum(each.puzzle.rating for each in chosen) / 10 > MIDDLE, "ann has solved everything"
    some = similar("gomoku:13", "lines.mistake.allowed_fours", reached, 3, random.Random(1))
    assert [(each.puzzle.game, each.puzzle.goal) for each in some] == [("gomoku", "defence")] * 3


@pytest.mark.parametrize("game", ["connect4", "gomoku", "tictactoe", "kalah"])
def test_hints_show_where_to_look_without_giving_the_move_away(game: str) -> None:
    rules = parse_game(game)
    for goal, some in shipped_goals(game).items():
        puzzle = some[0]
        found = hints(puzzle.position, goal)
        state = puzzle.position.state()
        cells = {
            move: set(rules.move_cells(state, puzzle.position.play(move).history_codes[-1]))
            for move in puzzle.position.legal_moves
        }
        shown = [move for move, at in cells.items() if at & set(found.area)]
        assert found.line[0] in shown
        assert 1 < len(shown) <= max(3, len(cells) // 2)
        assert found.line[0] not in found.idea.english.split()
        for language in ("en", "pt", "it"):
            assert not {"{", "."} & set(found.idea.text(language)[:-1])


def test_a_linked_puzzle_of_another_board_is_proved_anew_and_what_is_none_is_refused() -> None:
    rules = parse_game("mnk:3x3x3")
    known = shipped_goals("tictactoe")["only-win"][0]
    found = puzzle_at(rules, "only-win", known.moves)
    assert (found.moves, found.solution[0]) == (known.moves, known.solution[0])
    with pytest.raises(MnkalaError, match="is no puzzle of the kind only-win"):
        puzzle_at(rules, "only-win", "")


def test_the_server_keeps_results_by_person_and_takes_over_what_browsers_remembered(
    tmp_path: Path,
) -> None:
    with inside(tmp_path) as server:
        ann, bob = Person(server), Person(server)
        shown = ann.post("/puzzles/pick", {"pick": "daily", "game": "tictactoe"})["puzzles"][0]
        where = {name: shown[name] for name in ("game", "moves", "kind")}
        right = bob.post("/puzzles/help", where)["line"][0]
        solved = ann.post("/puzzles/try", {**where, "move": right})
        assert (solved["progress"]["solved"], solved["progress"]["streak"]) == (1, 1)
        listed = {"game": "tictactoe", "kind": shown["kind"], "moves": shown["moves"]}
        for person, state in ((ann, "alone"), (bob, "tried")):
            found = person.post("/puzzles", listed)
            assert found["puzzles"][found["at"]]["state"] == state
        other = shipped("connect4")[0].puzzle
        kept = {f"{other.game} {other.moves}": "helped", "connect4 44": "alone"}
        assert bob.post("/puzzles/solved", {"solved": kept}) == {"games": 1}
        assert bob.post("/puzzles", {"win_in": 3})["progress"]["tried"] == 0
        made_up = {"game": "tictactoe", "kind": "only-draw", "moves": "b2", "move": "a1"}
        assert ann.post("/puzzles/try", made_up)["progress"] is None
        assert (
            "is no date" in ann.post("/puzzles/pick", {"pick": "daily", "date": "x"}, 400)["error"]
        )
