"""Kalah: the rules against a slow reference and OpenSpiel, notation, drawing, heuristics, and values known from the literature."""

from __future__ import annotations

import dataclasses
import random

import numpy as np
import pytest

from mnkala import GOING_ON, Position, perft
from mnkala.games import kalah
from mnkala.games.kalah import Board, Kalah
from mnkala.search import kalah_heuristics

assert kalah_heuristics, kalah

BOARDS = ["kalah", "kalah:1x1", "kalah:8x10", "kalah:3x3", "kalah:4x3,standard", "kalah:6x6", "kalah:standard", "kalah:2x10"]
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
        return [house for house, seeds in enumerate(self.rows[self.mover]) if seeds] if not self.is_over() else []

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

    def literal(self) -> str:
        me, you = self.mover, 1 - self.mover
        numbers = [len(self.rows[0]), self.stores[me], self.stores[you], *self.rows[me], *self.rows[you]]
        return f"<{','.join(map(str, numbers))}>" + "o" * me


def position(literal: str, game: str = "") -> Position:
    """A position from its literal alone: the number of houses is its first number."""
    return Position(game or f"kalah:{literal[1]}x4", literal=literal)


# ---- The rules ----


def test_perft_of_kalah_counts_all_games_up_to_eight_moves() -> None:
    assert tuple(perft(Position("kalah"), depth) for depth in range(9)) == PERFT_6X4
    assert tuple(SlowKalah.start(6, 4, False).perft(depth) for depth in range(6)) == PERFT_6X4[:6]


@pytest.mark.parametrize("standard", [False, True])
@pytest.mark.parametrize("size", [(6, 4), (1, 1), (1, 10), (2, 10), (3, 3), (4, 3), (5, 7), (6, 6), (7, 2), (8, 10), (8, 1)])
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
def test_heaps_of_up_to_160_seeds_go_round_as_often_as_it_takes(houses: int, standard: bool) -> None:
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


def test_thousands_of_random_games_agree_with_open_spiel() -> None:
    """OpenSpiel's mancala is Kalah(6, 4), captures only what is not empty, numbers the board around and tells who won."""
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel has no build for this Python or system")
    game, rules, rng = pyspiel.load_game("mancala"), Kalah(standard=True), random.Random(4)
    buffer = np.zeros(6, dtype=np.int64)
    for _ in range(2000):
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
    return [int(number) for line in str(state).splitlines()[:3] for number in line.split("-") if number]


def seeds_on_ours(rules: Kalah, state: Board) -> list[int]:
    picture = rules.picture(state)
    return [*picture.seeds[0], picture.stores[1], picture.stores[0], *picture.seeds[1]]
