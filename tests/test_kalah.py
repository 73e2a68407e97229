"""Kalah: the rules against a slow reference and OpenSpiel, notation, drawing, heuristics, and
values known from the literature.
"""

from __future__ import annotations

import dataclasses
import functools
import random
import xml.etree.ElementTree

import numpy as np
import pytest

from mnkala import GOING_ON, Position, parse_engine, parse_game, perft
from mnkala.errors import BadEngine, BadGame, BadPosition, IllegalMove
from mnkala.families.kalah.rules import Kalah, KalahState
from mnkala.search import Engine, Limit, heuristic_for
from mnkala.search.conformance import check_rules
from mnkala.search.minimax import AlphaBeta
from mnkala.search.values import EndValues

BOARDS = [
    "kalah",
    "kalah:1x1",
    "kalah:8x10",
    "kalah:3x3",
    "kalah:4x3,standard",
    "kalah:6x6",
    "kalah:standard",
    "kalah:2x10",
]
PERFT_6X4 = (1, 6, 35, 185, 942, 4685, 23169, 113959, 559885)


@dataclasses.dataclass
class SlowKalah:
    """Kalah as a child would play it: two rows, two stores, one seed after the other."""

    rows: list[list[int]]
    standard: bool
    stores: list[int] = dataclasses.field(default_factory=lambda: [0, 0])
    mover: int = 0

    @staticmethod
    def start(houses: int, seeds: int, standard: bool) -> SlowKalah:
        return SlowKalah([[seeds] * houses, [seeds] * houses], standard)

    def legal(self) -> list[int]:
        return (
            [house for house, seeds in enumerate(self.rows[self.mover]) if seeds]
            if not self.is_over()
            else []
        )

    def is_over(self) -> bool:
        return not any(self.rows[0]) or not any(self.rows[1])

    def play(self, house: int) -> SlowKalah:
        after = SlowKalah([row[:] for row in self.rows], self.standard, self.stores[:], self.mover)
        after._sow(house)
        if after.is_over():
            for player in (0, 1):
                after.stores[player] += sum(after.rows[player])
                after.rows[player] = [0] * len(after.rows[player])
        return after

    def _sow(self, house: int) -> None:
        me, houses = self.mover, len(self.rows[0])
        hand, self.rows[me][house] = self.rows[me][house], 0
        side, place = me, house
        while hand:
            place += 1
            if place == houses and side == me:
                self.stores[me] += 1
                hand -= 1
                if not hand:
                    return
            if place >= houses:
                side, place = 1 - side, 0
            self.rows[side][place] += 1
            hand -= 1
        if side == me and self.rows[me][place] == 1:
            opposite = self.rows[1 - me][houses - 1 - place]
            if opposite or not self.standard:
                self.stores[me] += 1 + opposite
                self.rows[me][place] = self.rows[1 - me][houses - 1 - place] = 0
        self.mover = 1 - me

    def perft(self, depth: int) -> int:
        return 1 if depth == 0 else sum(self.play(house).perft(depth - 1) for house in self.legal())

    def margin(self) -> int:
        """The margin for the mover with best play, by trying everything."""
        return best_margin(self.literal(), self.standard)

    def literal(self) -> str:
        me, you = self.mover, 1 - self.mover
        numbers = [
            len(self.rows[0]),
            self.stores[me],
            self.stores[you],
            *self.rows[me],
            *self.rows[you],
        ]
        return f"<{','.join(map(str, numbers))}>" + "o" * me


@functools.cache
def best_margin(literal: str, standard: bool) -> int:
    houses, store, other_store, *seeds = map(int, literal.strip("<>o").split(","))
    slow = SlowKalah([seeds[:houses], seeds[houses:]], standard, [store, other_store])
    if slow.is_over():
        return store - other_store
    after = [slow.play(house) for house in slow.legal()]
    return max(best_margin(a.literal(), standard) * (1 if a.mover == 0 else -1) for a in after)


def position(literal: str, game: str = "") -> Position:
    """A position from its literal alone: the number of houses is its first number."""
    return Position(game or f"kalah:{literal[1]}x4", literal=literal)


# ---- The rules ----


def test_perft_of_kalah_counts_all_games_up_to_eight_moves() -> None:
    assert tuple(perft(Position("kalah"), depth) for depth in range(9)) == PERFT_6X4
    assert tuple(SlowKalah.start(6, 4, False).perft(depth) for depth in range(6)) == PERFT_6X4[:6]


@pytest.mark.parametrize("standard", [False, True])
@pytest.mark.parametrize(
    "size",
    [(6, 4), (1, 1), (1, 10), (2, 10), (3, 3), (4, 3), (5, 7), (6, 6), (7, 2), (8, 10), (8, 1)],
)
def test_random_games_agree_with_a_slow_reference(size: tuple[int, int], standard: bool) -> None:
    rules, rng = Kalah(*size, standard), random.Random(f"{size} {standard}")
    buffer = np.zeros(8, dtype=np.int64)
    for _ in range(60):
        state, slow = rules.start(), SlowKalah.start(*size, standard)
        while True:
            assert rules.literal(state) == slow.literal()
            assert (rules.result(state) != GOING_ON) == slow.is_over()
            if slow.is_over():
                assert rules.result(state) == slow.stores[slow.mover] - slow.stores[1 - slow.mover]
                break
            assert buffer[: rules.moves(state, buffer)].tolist() == slow.legal()
            move = rng.choice(slow.legal())
            state, slow = rules.play(state, move), slow.play(move)


@pytest.mark.parametrize("houses", range(1, 9))
@pytest.mark.parametrize("standard", [False, True])
def test_heaps_of_up_to_160_seeds_go_round_as_often_as_it_takes(
    houses: int, standard: bool
) -> None:
    rules, rng = Kalah(houses, 4, standard), random.Random(houses)
    for heap in range(1, 155):
        rows = [[rng.choice((0, 0, 1)) for _ in range(houses)] for _ in range(2)]
        house = rng.randrange(houses)
        rows[0][house], rows[1][rng.randrange(houses)] = heap, 1
        while sum(rows[0]) + sum(rows[1]) > 160:
            rows[0][house] -= 1
        slow = SlowKalah(rows, standard)
        state = rules.play(rules.parse_literal(slow.literal()), house)
        assert rules.literal(state) == slow.play(house).literal()


@pytest.mark.parametrize("games", [500, pytest.param(5000, marks=pytest.mark.slow)])
def test_random_games_agree_with_open_spiel(games: int) -> None:
    """OpenSpiel's mancala is Kalah(6, 4), captures only what is not empty, numbers the board around
    and tells who won.
    """
    pyspiel = pytest.importorskip(
        "pyspiel", reason="OpenSpiel has no build for this Python or system"
    )
    game, rules, rng = pyspiel.load_game("mancala"), Kalah(standard=True), random.Random(4)
    buffer = np.zeros(6, dtype=np.int64)
    for _ in range(games):
        theirs, ours = game.new_initial_state(), rules.start()
        while True:
            mover, result = int(rules.mover(ours)), int(rules.result(ours))
            assert theirs.is_terminal() == (result != GOING_ON)
            if result != GOING_ON:
                assert theirs.returns()[mover] == np.sign(result)
                break
            assert seeds_on_open_spiels_board(theirs) == seeds_on_ours(rules, ours)
            legal = buffer[: rules.moves(ours, buffer)].tolist()
            assert theirs.current_player() == mover
            assert theirs.legal_actions() == [move + 1 + 7 * mover for move in legal]
            move = rng.choice(legal)
            theirs.apply_action(move + 1 + 7 * mover)
            ours = rules.play(ours, move)


def seeds_on_open_spiels_board(state: object) -> list[int]:
    """From a drawing of three lines: the upper row, the stores, the lower row."""
    return [
        int(number) for line in str(state).splitlines()[:3] for number in line.split("-") if number
    ]


def seeds_on_ours(rules: Kalah, state: KalahState) -> list[int]:
    (above, below), stores = (seeds := rules.picture(state).seeds).houses, seeds.stores
    return [*above, stores[1], stores[0], *below]


@pytest.mark.parametrize("text", BOARDS)
def test_every_board_keeps_the_contract(text: str) -> None:
    assert [finding for finding in check_rules(parse_game(text)) if finding.problem] == []


def test_a_last_seed_in_the_store_moves_again() -> None:
    after = Position("kalah").play("3")
    assert (after.mover, after.literal) == (0, "<6,1,0,4,4,0,5,5,5,4,4,4,4,4,4>")
    assert after.play("4").mover == 1


@pytest.mark.parametrize(
    ("game", "before", "move", "after"),
    [
        ("kalah:3x4", "<3,0,0,1,0,1,2,5,2>", "1", "<3,0,6,2,0,2,0,0,1>o"),
        ("kalah:3x4,standard", "<3,0,0,1,0,1,2,5,2>", "1", "<3,0,6,2,0,2,0,0,1>o"),
        ("kalah:3x4", "<3,0,0,1,0,1,2,0,2>", "1", "<3,0,1,2,0,2,0,0,1>o"),
        ("kalah:3x4,standard", "<3,0,0,1,0,1,2,0,2>", "1", "<3,0,0,2,0,2,0,1,1>o"),
        ("kalah:3x4", "<3,0,0,7,0,1,2,0,2>", "1", "<3,0,5,3,1,0,0,1,2>o"),
        ("kalah:3x4", "<3,0,0,1,1,1,2,5,2>", "1", "<3,0,0,2,5,2,0,2,1>o"),
        ("kalah:3x4", "<3,0,0,1,1,3,0,2,2>", "3", "<3,0,1,1,3,2,1,1,0>o"),
    ],
)
def test_a_last_seed_in_an_empty_own_house_captures(
    game: str, before: str, move: str, after: str
) -> None:
    """Something opposite, nothing opposite, after a whole lap; but not in a house with seeds, and
    not on the other's side.
    """
    assert position(before, game).play(move).literal == after


@pytest.mark.parametrize(
    ("before", "move", "after", "margin"),
    [
        ("<2,5,5,0,1,3,4>", "2", "<2,6,12,0,0,0,0>", -6),
        ("<2,5,5,1,0,0,6>", "1", "<2,11,6,0,0,0,0>o", 5),
        ("<2,0,9,1,0,4,0>o", "1", "<2,9,5,0,0,0,0>", 4),
    ],
)
def test_an_empty_row_ends_the_game_and_the_other_takes_the_rest(
    before: str, move: str, after: str, margin: int
) -> None:
    """The mover's own row empty after an extra turn and after a capture, and the other's row
    captured empty.
    """
    end = position(before).play(move)
    assert (end.is_over, end.literal, end.rules.result(end.state())) == (True, after, margin)


def test_no_game_outlasts_its_potential() -> None:
    """The argument of `longest_game`, move by move: the potential falls with every move and starts
    at most at the bound.
    """

    def potential(rules: Kalah, state: KalahState) -> int:
        m = rules.houses
        return sum(
            seeds * (m * (m - 1) + m - i)
            for row in (state.own, state.other)
            for i, seeds in enumerate(rules.row(row))
        )

    rng = random.Random(2)
    for houses in range(1, 9):
        rules, buffer = Kalah(houses, 10), np.zeros(8, dtype=np.int64)
        for _ in range(30):
            state = rules.start()
            assert potential(rules, state) <= rules.longest_game()
            while rules.result(state) == GOING_ON:
                after = rules.play(state, int(rng.choice(buffer[: rules.moves(state, buffer)])))
                assert potential(rules, after) < potential(rules, state)
                state = after


# ---- Notation and drawing ----


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("kalah", "kalah"),
        ("Kalah:6x4", "kalah"),
        ("kalah:6x4,standard", "kalah:standard"),
        ("kalah:standard", "kalah:standard"),
        ("kalah:4x3", "kalah:4x3"),
        ("kalah:4x3,standard", "kalah:4x3,standard"),
        ("kalah:8x10", "kalah:8x10"),
    ],
)
def test_game_strings_are_written_as_short_as_possible(text: str, canonical: str) -> None:
    assert parse_game(text).game_string() == canonical


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("kalah:9x4", "9 houses; a row has 1 to 8"),
        ("kalah:0x4", "0 houses"),
        ("kalah:6x11", "11 seeds; a house starts with 1 to 10"),
        ("kalah:6x0", "0 seeds"),
        ("kalah:6", "1 size; sizes are HOUSESxSEEDS"),
        ("kalah:6x4x2", "3 sizes"),
        ("kalah:6x4,empty", "no option 'empty'"),
        ("kalah:standard,standard", "given twice"),
        ("kalah:,", "cannot be read"),
    ],
)
def test_bad_game_strings_say_what_is_allowed(text: str, words: str) -> None:
    with pytest.raises(BadGame, match=words):
        parse_game(text)


def test_moves_are_written_together_and_read_either_way() -> None:
    start = Position("kalah")
    assert start.play("36142").moves == "36142"
    assert start.play("3 6,1 42") == start.play("36142")
    with pytest.raises(IllegalMove, match="house 7 does not exist; houses are 1-6"):
        start.play("7")
    with pytest.raises(IllegalMove, match="'a' is not a house"):
        start.play("a")
    with pytest.raises(IllegalMove, match="3 cannot be played after 3; legal moves are 1 2 4 5 6"):
        start.play("33")


def test_a_literal_says_who_is_to_move() -> None:
    assert Position("kalah").literal == "<6,0,0,4,4,4,4,4,4,4,4,4,4,4,4>"
    second = position("<2,0,0,1,1,1,1>o")
    assert (second.mover, second.literal) == (1, "<2,0,0,1,1,1,1>o")
    assert position("<2,0,0,1,1,1,1>x") == position("<2,0,0,1,1,1,1>")
    assert position("<2,3,4,0,0,1,1>").literal == "<2,3,6,0,0,0,0>"


@pytest.mark.parametrize(
    ("literal", "words"),
    [
        ("", "whole numbers as in <3,0,0,3,3,3,3,3,3>"),
        ("3,0,0,3,3,3,3,3,3", "is not a position"),
        ("<3,0,0,3,3,3,3,3,-3>", "is not"),
        ("<3,0,0,3,3,3,3,3,3>z", "is not a position"),
        ("<3,0,0,3,3,3,3,3>", "7 numbers of seeds; two stores and two rows of 3"),
        ("<4,0,0,3,3,3,3,3,3,3,3>", "a board of 4 houses; kalah:3x3 has 3"),
        ("<3,99,0,60,1,1,3,3,3>", "170 seeds; .* at most 160"),
        ("<3,0,0,3,3,3,3,3,99999999>", "is not a position"),
        ("<>", "is not a position"),
        ("<3,0,0,３,3,3,3,3,3>", "is not a position"),
    ],
)
def test_bad_literals_say_what_is_allowed(literal: str, words: str) -> None:
    with pytest.raises(BadPosition, match=words):
        Position("kalah:3x3", literal=literal)


def test_the_first_player_sits_below_and_the_mover_has_a_star() -> None:
    assert (
        str(Position("kalah:3x3").play("1"))
        == """\
   o     3     2     1
+-----+-----+-----+-----+-----+
|     |  3  |  3  |  3  |     |
|  0  +-----+-----+-----+  1  |
|     |  0  |  4  |  4  |     |
+-----+-----+-----+-----+-----+
         1     2     3    x*"""
    )


def test_pictures_tell_positions_apart_by_their_seeds() -> None:
    pictures = [
        position(literal).rules.picture(position(literal).state())
        for literal in (
            "<2,0,0,1,1,1,1>",
            "<2,0,0,2,1,1,1>",
            "<2,0,0,1,1,1,1>o",
            "<2,1,0,1,1,1,1>",
            "<2,0,1,1,1,1,1>",
        )
    ]
    assert len(set(pictures)) == 5
    assert len({picture.cells for picture in pictures}) == 1
    for picture in pictures:
        xml.etree.ElementTree.fromstring(picture.svg())
        assert "\x1b[" in picture.terminal()


# ---- Searching ----


@pytest.mark.parametrize(
    ("game", "margin"),
    [("kalah:3x3", 2), ("kalah:4x3", 8), ("kalah:4x3,standard", 6), ("kalah:5x2", 0)],
)
def test_deepening_proves_known_values(game: str, margin: int) -> None:
    score = parse_engine("deepening:depth=200").analyse(Position(game)).score
    assert score is not None
    assert (score.kind, score.value) == ("exact", margin)


@pytest.mark.parametrize("standard", [False, True])
@pytest.mark.parametrize(
    "size", [(1, 1), (1, 4), (1, 9), (2, 1), (2, 2), (2, 3), (2, 4), (3, 1), (3, 2)]
)
def test_deepening_finds_what_trying_everything_finds(
    size: tuple[int, int], standard: bool
) -> None:
    score = parse_engine("deepening:depth=200").analyse(Position(Kalah(*size, standard))).score
    assert score is not None
    assert (score.kind, score.value) == ("exact", SlowKalah.start(*size, standard).margin())


def value(name: str, literal: str) -> int:
    at = position(literal)
    return int(heuristic_for(name, at.rules).evaluate(at.rules, at.state()))


def test_the_heuristics_of_the_report_count_seeds() -> None:
    assert value("stores", "<3,5,2,1,2,0,4,0,0>") == 3
    assert value("own-side", "<3,5,2,1,2,0,4,0,0>") == 2


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("<3,0,0,1,0,1,1,1,1>", "<3,0,0,1,0,0,2,1,1>"),
        ("<3,0,0,1,0,3,1,5,1>", "<3,0,0,1,3,0,1,5,1>"),
        ("<3,0,0,1,1,2,2,2,0>", "<3,0,0,4,0,0,2,2,0>"),
    ],
)
def test_our_heuristic_sees_extra_turns_captures_and_choice(better: str, worse: str) -> None:
    assert value("kalah", better) > value("kalah", worse)


def test_our_heuristic_plays_extra_turns_out() -> None:
    """One seed in house 3, then two in house 2, one in house 3 again: three seeds come home before
    anything is counted.
    """
    assert value("kalah", "<3,0,0,4,2,1,5,5,5>") == value("kalah", "<3,3,0,4,0,0,5,5,5>")


@pytest.mark.parametrize("name", ["own-side", "stores", "kalah", "margin"])
def test_heuristics_of_kalah_refuse_other_games(name: str) -> None:
    with pytest.raises(BadEngine, match="connect4 is not Kalah"):
        heuristic_for(name, parse_game("connect4"))


@pytest.mark.parametrize("other", ["stores", pytest.param("own-side", marks=pytest.mark.slow)])
def test_our_heuristic_beats_those_of_the_report_at_equal_nodes(other: str) -> None:
    engines = [parse_engine(f"alphabeta:nodes=2000,heuristic={name}") for name in ("kalah", other)]
    rng, points = random.Random(other), 0
    for _ in range(20):
        opening = Position("kalah")
        for _ in range(4):
            opening = opening.play_codes([rng.choice(opening.legal_codes)])
        for seat in (0, 1):
            at = opening
            while at.outcome is None:
                at = at.play_codes([engines[at.mover ^ seat].analyse(at).line_codes[0]])
            points += int(np.sign(at.outcome.margin)) * (1 if seat == 0 else -1)
    assert points > 0


# ---- Report 003 ----

LEVELS = {"easy": 1, "medium": 4, "hard": 8}
"""The report gives only the last; its games give away the others."""
REPORT = [
    ("own-side", "easy", "easy", (44, 4), (5, 5)),
    ("own-side", "easy", "medium", (19, 29), (10, 9)),
    ("own-side", "medium", "hard", (20, 28), (22, 18)),
    ("stores", "easy", "easy", (19, 29), (11, 10)),
    ("stores", "easy", "medium", (15, 33), (12, 9)),
    ("stores", "medium", "medium", (34, 14), (26, 11)),
    ("stores", "medium", "hard", (19, 29), (17, 13)),
]


@dataclasses.dataclass(frozen=True)
class ReportSearch(AlphaBeta):
    """A finished game is worth its margin, like any other position."""

    @property
    def ends(self) -> EndValues:
        return EndValues(0, 1, 0)


@pytest.mark.parametrize(("heuristic", "first", "second", "stores", "moves"), REPORT)
def test_seven_games_of_the_report_come_out_to_the_seed(
    heuristic: str, first: str, second: str, stores: tuple[int, int], moves: tuple[int, int]
) -> None:
    """Of equal moves the report's program takes the rightmost on the board."""
    engines = [
        Engine(ReportSearch(heuristic), Limit(depth=LEVELS[level])) for level in (first, second)
    ]
    at, played = Position("kalah"), [0, 0]
    while not at.is_over:
        mover, right = at.mover, 1 - 2 * at.mover
        found = engines[mover].analyse(at, all_moves=True).moves
        at = at.play_codes(
            [max(found, key=lambda move: (move.score.value, right * move.code)).code]
        )
        played[mover] += 1
    assert (at.rules.picture(at.state()).seeds.stores, tuple(played)) == (stores, moves)  # type: ignore[union-attr]
