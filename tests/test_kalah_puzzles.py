"""Puzzles of Kalah and fair starts: what they claim is checked by trying everything on small
boards, and by a solver of their own on others.
"""

from __future__ import annotations

import functools
import itertools
import json
import random
from collections.abc import Iterator

import pytest

from mnkala.cli import run
from mnkala.core import Position, parse_game
from mnkala.errors import BadGame, IllegalMove, MnkalaError
from mnkala.families.kalah.fair_starts import (
    NoFairStart,
    find_fair_starts,
    looks_even,
    near_rows,
)
from mnkala.families.kalah.puzzles import (
    CHAIN,
    KINDS,
    ONLY,
    SAVE,
    SHORTEST_CHAIN,
    TurnPuzzle,
    longest_turns,
    orders_of_sowings,
    stars_for,
)
from mnkala.play.fair_starts import FairStart, any_fair_start, ready_fair_starts
from mnkala.play.puzzle_contract import MOST_STARS, BadPuzzle
from mnkala.play.puzzles import attempt, left_after, make_puzzles, puzzle_set, reasons_for, solution
from mnkala.search import Stop
from mnkala.solve.oracle import open_oracle

SMALL = "kalah:3x3"


@functools.cache
def brute(rows: tuple[tuple[int, ...], tuple[int, ...]]) -> int:
    """What the mover gains beyond what is in the stores, by trying everything with empty capture:
    the mover's row, the other's.
    """
    own, other = rows
    houses, best = len(own), -99
    for house in range(houses):
        if not own[house]:
            continue
        ring, gain, at = [*own, 0, *other], 0, house
        seeds, ring[house] = ring[house], 0
        for _ in range(seeds):
            at = (at + 1) % len(ring)
            ring[at] += 1
        if at < houses and ring[at] == 1:
            opposite = 2 * houses - at
            gain, ring[at], ring[opposite] = 1 + ring[opposite], 0, 0
        gain += ring[houses]
        mine, theirs = tuple(ring[:houses]), tuple(ring[houses + 1 :])
        if not any(mine) or not any(theirs):
            value = gain + sum(mine) - sum(theirs)
        else:
            value = gain + brute((mine, theirs)) if at == houses else gain - brute((theirs, mine))
        best = max(best, value)
    return best


def truth(position: Position, player: int) -> int:
    """The score of a position for a player."""
    if position.outcome is not None:
        return position.outcome.margin * (1 if player == 0 else -1)
    own, other = position.to_array(position.mover).tolist()
    margin = own[-1] - other[-1] + brute((tuple(own[:-1]), tuple(other[:-1])))
    return int(margin) if player == position.mover else -int(margin)


def turn_puzzles(game: str, kinds: tuple[str, ...], count: int, seed: int) -> list[TurnPuzzle]:
    return [
        puzzle
        for puzzle in make_puzzles(parse_game(game), kinds, count, seed)
        if isinstance(puzzle, TurnPuzzle)
    ]


@pytest.fixture(scope="module")
def made() -> list[TurnPuzzle]:
    """Two of each kind."""
    return turn_puzzles(SMALL, KINDS, 6, 0)


# ---- What a puzzle claims ----


def test_one_whole_turn_is_right_by_trying_everything(made: list[TurnPuzzle]) -> None:
    assert sorted(puzzle.kind for puzzle in made) == sorted([*KINDS, *KINDS]), (
        "spread over the kinds"
    )
    for puzzle in made:
        position = puzzle.position
        mover = position.mover
        assert puzzle.scores == {
            move: truth(position.play(move), mover) for move in position.legal_moves
        }
        ends = {
            turn: truth(position.play_codes(turn), mover) for turn in orders_of_sowings(position)
        }
        right = tuple(position.rules.parse_move(move) for move in puzzle.solution)
        if puzzle.kind == CHAIN:
            assert [turn for turn in ends if len(turn) == max(map(len, ends))] == [right]
            assert [turn for turn, score in ends.items() if score == max(ends.values())] == [right]
            assert len(right) >= SHORTEST_CHAIN
        else:
            wanted = 1 if ends[right] > 0 else 0
            assert [turn for turn, score in ends.items() if score >= wanted] == [right]
        assert max(ends.values()) == ends[right] == puzzle.score >= 0


def test_who_saves_the_game_is_behind_and_the_kinds_do_not_overlap(made: list[TurnPuzzle]) -> None:
    for puzzle in made:
        own, other = puzzle.position.to_array(puzzle.position.mover)[:, -1]
        others = [score for move, score in puzzle.scores.items() if move != puzzle.solution[0]]
        saved = own < other and all(score < 0 for score in others)
        assert puzzle.kind == CHAIN or (puzzle.kind == SAVE) == saved


def test_a_puzzle_begins_with_a_turn_and_offers_a_choice(made: list[TurnPuzzle]) -> None:
    for puzzle in made:
        position = puzzle.position
        assert len(position.legal_moves) >= 3
        assert not position.movers or position.movers[-1] != position.mover
        assert 1 <= puzzle.grade.stars <= MOST_STARS
        assert puzzle.grade.sowings == len(puzzle.solution)
    assert len({puzzle.position.literal for puzzle in made}) == len(made)


def test_the_same_seed_gives_the_same_puzzles_and_a_raised_flag_ends_the_search() -> None:
    one, again, other = (turn_puzzles(SMALL, (ONLY,), 2, seed) for seed in (1, 1, 2))
    assert one == again != other
    stop = Stop()
    found = []
    for puzzle in make_puzzles(parse_game(SMALL), [ONLY], 50, stop=stop):
        found.append(puzzle)
        stop.set()
    assert len(found) == 1


def test_more_to_see_makes_more_stars() -> None:
    assert stars_for(ONLY, 1, 1, 0) == stars_for(CHAIN, SHORTEST_CHAIN, 1, 0) == 1
    assert stars_for(SAVE, 4, 4, 3) == MOST_STARS
    for sowings, rank, tempting in itertools.product(range(4, 9), range(1, 5), range(4)):
        assert stars_for(CHAIN, sowings, rank, tempting) <= stars_for(
            CHAIN, sowings + 1, rank + 1, tempting + 1
        )


# ---- Playing it ----


def test_a_puzzle_is_solved_by_the_whole_turn(made: list[TurnPuzzle]) -> None:
    for puzzle in made:
        position = puzzle.position
        assert solution(position, puzzle.kind) == puzzle.solution
        reasons_for(position, puzzle.solution)
        for number, move in enumerate(puzzle.solution, start=1):
            tried = attempt(position, puzzle.kind, move)
            assert tried.right
            assert tried.reply is None
            assert tried.solved == (number == len(puzzle.solution))
            position = tried.answered
        assert tried.known.exact == puzzle.score


def test_every_wrong_house_is_refuted(made: list[TurnPuzzle]) -> None:
    for puzzle in made:
        position = puzzle.position
        for move in position.legal_moves:
            if move == puzzle.solution[0]:
                continue
            tried = attempt(position, puzzle.kind, move)
            assert not tried.right
            assert tried.known.exact == puzzle.scores[move]
            assert tried.line[0] == move
            if puzzle.kind == CHAIN:
                assert len(tried.turns) == 1
                assert len(tried.line) < len(puzzle.solution)
            else:
                end = position.play(",".join(tried.line))
                assert truth(end, position.mover) == puzzle.scores[move], (
                    "best play by both leads there"
                )
                assert "".join(itertools.chain(*tried.turns)) == "".join(tried.line)


def test_what_cannot_be_tried_is_refused(made: list[TurnPuzzle]) -> None:
    puzzle = next(puzzle for puzzle in made if puzzle.kind == CHAIN)
    position = puzzle.position
    with pytest.raises(IllegalMove, match="only-move, longest-chain, save"):
        left_after(position, "shortest-chain")
    assert left_after(position.play(puzzle.solution[0]), CHAIN, puzzle.solution[:1]) == CHAIN
    with pytest.raises(MnkalaError, match=r"the turn is over|the game is over"):
        left_after(position.play(",".join(puzzle.solution)), CHAIN, puzzle.solution)
    with pytest.raises(IllegalMove, match="houses are 1-3"):
        attempt(position, CHAIN, "9")


def test_where_every_turn_loses_the_best_one_is_right() -> None:
    position = Position(SMALL, literal="<3,1,9,1,1,0,2,2,2>")
    best = [move for move in position.legal_moves if attempt(position, ONLY, move).right]
    scores = {move: truth(position.play(move), 0) for move in position.legal_moves}
    assert max(scores.values()) < 0
    assert best == [move for move, score in scores.items() if score == max(scores.values())]


def test_the_longest_turns_are_found_among_all() -> None:
    position = Position("kalah:4x3", literal="<4,7,9,4,1,1,0,0,0,1,1>")
    assert longest_turns(position) == [(0, 3, 2, 3, 1)]
    assert len(set(orders_of_sowings(position))) == len([*orders_of_sowings(position)])


# ---- Those that come with the package ----


def shipped() -> list[TurnPuzzle]:
    return [
        puzzle
        for kind in KINDS
        for puzzle in puzzle_set(parse_game("kalah"), kind)
        if isinstance(puzzle, TurnPuzzle)
    ]


def check(puzzles: list[TurnPuzzle]) -> None:
    """By a solver that knows nothing of how they were made: the score of every house, at each
    sowing of the solution.
    """
    with open_oracle(parse_game("kalah"), fresh=True) as oracle:
        for puzzle in puzzles:
            position = puzzle.position
            mover, best = position.mover, puzzle.score
            least = best if puzzle.kind == CHAIN else 1 if best > 0 else 0
            for number, move in enumerate(puzzle.solution):
                scores = {
                    each: oracle.answer(position.play(each)).seen_by(mover).exact
                    for each in position.legal_moves
                }
                assert number or scores == puzzle.scores
                assert [
                    each for each, score in scores.items() if score is not None and score >= least
                ] == [move]
                position = position.play(move)
            assert position.is_over or position.mover != mover
            if puzzle.kind == CHAIN:
                assert len(longest_turns(puzzle.position)) == 1
                assert (
                    len(longest_turns(puzzle.position)[0]) == len(puzzle.solution) >= SHORTEST_CHAIN
                )


def test_there_are_twenty_puzzles_of_each_kind_and_a_sample_of_them_is_proved() -> None:
    found = shipped()
    for kind in KINDS:
        stars = [puzzle.grade.stars for puzzle in found if puzzle.kind == kind]
        assert len(stars) >= 20
        assert stars == sorted(stars)
        assert len(set(stars)) >= 3, "easy ones and hard ones"
    assert len({puzzle.position.literal for puzzle in found}) == len(found)
    check(random.Random(1).sample(found, 4))


@pytest.mark.slow
def test_every_puzzle_of_the_package_is_proved() -> None:
    check(shipped())


# ---- The command ----


def test_the_command_makes_puzzles_of_kalah(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["puzzles", SMALL, "--kind", "only-move", "-n", "2"]
    assert run([*command, "--solutions"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("only one turn") == 2
    assert "solution 2: " in shown
    assert run([*command, "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert set(told[0]) == {
        "game",
        "moves",
        "position",
        "mover",
        "kind",
        "score",
        "scores",
        "solution",
        "grade",
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["puzzles", "kalah", "--win-in", "3"],
            "--win-in does not fit kalah; its puzzles are chosen by --kind",
        ),
        (
            ["puzzles", "connect4", "--kind", "save"],
            "--kind does not fit connect4; its puzzles are chosen by --win-in",
        ),
        (["puzzles", "kalah", "--kind", "sve"], "did you mean save?"),
        (["puzzles", "kalah:2x3"], "Kalah boards with at least 3 houses"),
        (["play", "kalah", "--puzzle", "only-move,save"], "one is needed"),
        (["play", "connect4", "--fair"], "there are some of games such as kalah, kalah:3x3"),
        (["play", SMALL, "--fair", "--moves", "1"], "leave out --position"),
        (["kalah", "fair", SMALL, "-n", "0"], "1 to 1,000,000"),
        (["kalah", "fair", "kalah:1x3"], "at least 2 to choose from"),
        (["play", "kalah:6x5", "--fair"], "out of reach"),
        (["play", "kalah:4x6", "--fair"], "no fair start of kalah:4x6 is ready"),
    ],
)
def test_the_commands_say_what_they_take(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments) == 2
    assert said in capsys.readouterr().err


def test_bad_goals_are_refused() -> None:
    with pytest.raises(BadPuzzle, match="only-move, longest-chain, save"):
        next(make_puzzles(parse_game("kalah"), [3], 1))


# ---- Fair starts ----


def rows_of(start: FairStart) -> Iterator[list[int]]:
    for row in start.position.to_array().tolist():
        assert row[-1] == 0, "the stores are empty"
        yield row[:-1]


@pytest.mark.parametrize(("near", "apart"), [(False, False), (True, False), (True, True)])
def test_a_fair_start_is_worth_nothing_by_trying_everything(near: bool, apart: bool) -> None:
    found = list(
        itertools.islice(find_fair_starts(parse_game(SMALL), 1, near=near, apart=apart), 3)
    )
    assert len({start.literal for start in found}) == 3
    for start in found:
        own, other = rows_of(start)
        assert sum(own) == sum(other) == 9
        assert apart or own == other
        assert start.position.mover == 0
        assert start.scores == {
            move: truth(start.position.play(move), 0) for move in start.position.legal_moves
        }
        assert max(start.scores.values()) == truth(start.position, 0) == 0
    if not near:
        assert found == list(itertools.islice(find_fair_starts(parse_game(SMALL), 1), 3)), (
            "the same for the same seed"
        )


def test_near_starts_come_by_the_number_of_moved_seeds_each_once() -> None:
    rules = parse_game("kalah:3x2")
    found = list(near_rows(rules, random.Random(1), apart=False))  # type: ignore[arg-type]
    moved = [sum(abs(seeds - 2) for seeds in own) // 2 for own, _ in found]
    assert found[0] == ((2, 2, 2), (2, 2, 2))
    assert moved == sorted(moved)
    arrangements = [
        row for row in itertools.product(range(7), repeat=3) if sum(row) == 6 and row.count(0) < 2
    ]
    assert sorted(own for own, _ in found) == arrangements


def test_boards_without_fair_starts_are_told_so() -> None:
    with pytest.raises(BadGame, match="there are some of Kalah"):
        next(find_fair_starts(parse_game("connect4")))
    with pytest.raises(BadGame, match="there are some of games such as kalah"):
        any_fair_start(parse_game("connect4"))
    with pytest.raises(NoFairStart, match=r"out of reach|cannot be solved"):
        next(find_fair_starts(parse_game("kalah:8x10")))
    stop = Stop()
    stop.set()
    assert not list(find_fair_starts(parse_game(SMALL), stop=stop))


def test_the_command_certifies_each_start(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["kalah", "fair", SMALL, "-n", "2", "--near"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("score 0, proved twice") == 2
    assert "--position '<3,0,0," in shown
    assert run(["kalah", "fair", "kalah:2x1", "--json"]) == 1, "it has none"
    assert "only 0 of 3 starts" in capsys.readouterr().err


@pytest.mark.parametrize("game", ["kalah:3x3", "kalah:4x3", "kalah:6x2"])
def test_the_fair_starts_of_small_boards_that_come_with_the_package_are_fair(game: str) -> None:
    check_starts(game, 12)


@pytest.mark.slow
@pytest.mark.parametrize(("game", "count"), [("kalah:5x3", 12), ("kalah:6x3", 12), ("kalah", 5)])
def test_the_other_fair_starts_of_the_package_are_fair(game: str, count: int) -> None:
    check_starts(game, count)


def check_starts(game: str, count: int) -> None:
    found = ready_fair_starts(game)
    assert len({start.literal for start in found}) == len(found) >= count
    with open_oracle(parse_game(game), book=False, fresh=True) as oracle:
        for start in found:
            assert not list(start.position.rules.faults(start.literal))
            assert start.position.game == game
            assert max(start.scores.values()) == 0
            assert oracle.answer(start.position, (-1, 1)).exact == 0


def test_what_looks_far_from_even_is_not_solved_where_that_takes_long() -> None:
    assert not looks_even(Position("kalah:4x3")), "the first player wins by 8"
    assert looks_even(Position("kalah:4x3", literal="<4,0,0,3,2,3,4,3,2,3,4>"))
    assert all(looks_even(start.position) for start in ready_fair_starts("kalah")), (
        "whatever databases there were when they were found"
    )
