"""Kalah, the Mancala of report 003: sow a house of your own row, seed by seed; the fuller store
wins.

Seeds are sown counter-clockwise, into one's own store too, never into the opponent's. A last seed
in one's own store moves again. A last seed in an empty house of one's own row goes to one's store,
together with the seeds opposite; as the report has it, also when there are none opposite, while
`standard` leaves it there then. When a move leaves a row empty the game ends, and the other player
takes what is left in theirs.

Game strings: `kalah` (6 houses, 4 seeds each), `kalah:4x3` (houses, seeds), `kalah:4x3,standard`.
Moves: houses from 1, counted from the mover's left, so that the last one lies next to the mover's
store; written together. Position literal: that of the Kalah Game Protocol, `<houses, mover's store,
other's store, mover's houses, other's houses>`, both rows in the order of sowing:
`<3,0,0,3,3,3,3,3,3>`. An `o` behind it says that the second player is to move.

`Kalah.play` computes the result of a move at once. For people who watch, the steps of a move are
also shown one picture after another: a house is lifted, its seeds fall one by one, the last one may
capture, and the end of a game sweeps the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from mnkala.core.picture import BoardStep, Cell, HousesPicture, Picture, StepKind
from mnkala.core.registry import GameName, register_name
from mnkala.core.rules import ENDLESS, GOING_ON, Rules, next_word, pick
from mnkala.errors import BadGame, BadPosition, IllegalMove
from mnkala.native import inlined, lowest_bit, mix, native, popcount, shared
from mnkala.native.objects import IntArray, WordArray
from mnkala.numbers import counted, read_digits, shortened

MOST_HOUSES, MOST_SEEDS = 8, 10
MOST_IN_ALL = 2 * MOST_HOUSES * MOST_SEEDS
"""The most seeds on a board, 160. They fit a byte, so no house and no store ever carries into the
next."""

ZERO, ONE = np.uint64(0), np.uint64(1)
EIGHT = np.uint64(8)
BYTE = np.uint64(0xFF)
ONES = np.uint64(0x0101010101010101)
"""A word with one seed in each of eight houses."""
LOW_BITS = np.uint64(0x7F7F7F7F7F7F7F7F)
"""A mask of all but the top bit of each house."""
SECOND = np.uint64(1 << 16)
"""The bit of `KalahState.stores` that says that player 1 is to move."""


class KalahState(NamedTuple):
    """The board as the mover sees it in three words, with a byte for each house: byte i is house i
    + 1 of a row. A finished game has empty rows."""

    own: np.uint64
    """The mover's houses."""
    other: np.uint64
    """The other's houses, in the order in which the other sows: house i lies opposite houses - 1 -
    i."""
    stores: np.uint64
    """The mover's store in byte 0, the other's in byte 1, and whose they are in bit 16."""


@native
class Kalah(Rules):
    """Rules of Kalah(houses, seeds) on three words."""

    name = "kalah"
    summary = "Kalah, a Mancala: sow seeds, capture, move again, fill your store"
    graded = True
    moves_again = True
    move_noun = "house"
    most_in_a_cell = MOST_IN_ALL
    heuristic = "margin"
    search = "sowing"
    houses: int = 6
    seeds: int = 4
    standard: bool = False
    """Whether a last seed in an empty house stays there when nothing lies opposite."""

    # ---- Rules ----

    def start(self) -> KalahState:
        row = first_houses(self.houses) * np.uint64(self.seeds)
        return KalahState(row, row, ZERO)

    def moves(self, state: KalahState, out: IntArray) -> int:
        count = 0
        row = state.own
        for house in range(self.houses):
            if row & BYTE != ZERO:
                out[count] = house
                count += 1
            row >>= EIGHT
        return count

    def play(self, state: KalahState, move: int) -> KalahState:
        own, other, gain, last = sow_seeds(state.own, state.other, move, self)
        stores = state.stores + gain
        # An empty row ends the game: all seeds go to the stores of their rows.
        if own == ZERO or other == ZERO:
            stores += sum_of(own) + (sum_of(other) << EIGHT)
            own, other = ZERO, ZERO
        # The turn passes, unless the last seed fell into the store.
        if last == self.houses:
            return KalahState(own, other, stores)
        return KalahState(other, own, exchanged(stores))

    def play_out(self, state: KalahState, random: WordArray, out: IntArray, most: int) -> int:
        """Sow houses, keeping of the stores only by how much player 0 leads."""
        own, other, player = state.own, state.other, 1 - 2 * self.mover(state)
        lead = player * (seeds_in(state.stores, 0) - seeds_in(state.stores, 1))
        for _ in range(most):
            move = self.random_move(KalahState(own, other, ZERO), next_word(random), out)
            own, other, gain, last = sow_seeds(own, other, move, self)
            lead += player * int(np.int64(gain))
            if own == ZERO or other == ZERO:
                return lead + player * (seeds_in(sum_of(own), 0) - seeds_in(sum_of(other), 0))
            again = last == self.houses
            own, other = own if again else other, other if again else own
            player = player if again else -player
        return ENDLESS

    def mover(self, state: KalahState) -> int:
        return int(np.int64(state.stores >> np.uint64(16)))

    def result(self, state: KalahState) -> int:
        if state.own != ZERO:
            return GOING_ON
        return seeds_in(state.stores, 0) - seeds_in(state.stores, 1)

    def key(self, state: KalahState) -> np.uint64:
        return mix(mix(state.own) ^ state.other) ^ mix(state.stores)

    def prior(self, state: KalahState, move: int) -> int:
        """Rank moves: those that move again come first, the one next to the store at the head; then
        captures by their size; then the others from the store backwards."""
        last = move + seeds_in(state.own, move)
        if last == self.houses:
            return 900 + move
        if last < self.houses and seeds_in(state.own, last) == 0:
            captured = seeds_in(state.other, self.houses - 1 - last)
            if captured != 0 or not self.standard:
                return 100 + 4 * captured + move
        return move

    def random_move(self, state: KalahState, word: np.uint64, out: IntArray) -> int:
        """Pick a legal move by the random bits in `word`, without a loop or a branch; `out` is not
        needed.

        It works on all houses at once: mark those that are not empty, count the marks up to each
        house, and take the first whose count exceeds the chosen number.
        """
        marks = (((state.own & LOW_BITS) + LOW_BITS) | state.own) & ~LOW_BITS
        counts = marks >> np.uint64(7)
        counts += counts << EIGHT
        counts += counts << np.uint64(16)
        counts += counts << np.uint64(32)
        wanted = np.uint64(pick(word, popcount(marks)) + 1) * ONES
        return lowest_bit(((counts | ~LOW_BITS) - wanted) & ~LOW_BITS) >> 3

    def is_legal(self, state: KalahState, move: int) -> bool:
        return 0 <= move < self.houses and seeds_in(state.own, move) != 0

    # ---- Bounds ----

    def most_moves(self) -> int:
        return self.houses

    def longest_game(self) -> int:
        """Every move uses up potential, and there is no more of it than seeds * houses².

        Let a seed that is d steps from the store of its row (1 to m = houses) be worth m(m - 1) +
        d, and 0 in a store. A move that stays in its row brings seeds closer: it costs at least 1.
        A move that drops q >= 1 seeds into the store takes at least q(m(m - 1) + 1) away with them;
        after each of these it drops at most one on each of the 2m houses, and those rise by at most
        m - 1, m - 2, …, 0 in either row: m(m - 1) in all. Captures only take away.
        """
        return MOST_IN_ALL * self.houses**2

    def largest_margin(self, state: KalahState) -> int:
        return int(sum_of(state.own) + sum_of(state.other)) + abs(
            seeds_in(state.stores, 0) - seeds_in(state.stores, 1)
        )

    # ---- Notation ----

    def game_string(self) -> str:
        sizes = "" if (self.houses, self.seeds) == (6, 4) else f"{self.houses}x{self.seeds}"
        words = [word for word in (sizes, "standard" if self.standard else "") if word]
        return "kalah" + (":" + ",".join(words) if words else "")

    def parse_move(self, text: str) -> int:
        number = read_digits(text)
        if number is None or not 1 <= number <= self.houses:
            what = (
                f"'{shortened(text)}' is not a house"
                if number is None
                else f"house {shortened(text)} does not exist"
            )
            raise IllegalMove(
                f"{what}; houses are 1-{self.houses}",
                f"kalah.error.{'not_a' if number is None else 'no'}_house",
                text=shortened(text),
                most=self.houses,
            )
        return number - 1

    def moves_text(self, moves: Sequence[int]) -> str:
        return "".join(self.move_text(move) for move in moves)

    def parse_moves(self, text: str) -> list[int]:
        return [self.parse_move(digit) for word in text.replace(",", " ").split() for digit in word]

    # ---- Position literal ----

    def literal(self, state: KalahState) -> str:
        numbers = [
            self.houses,
            seeds_in(state.stores, 0),
            seeds_in(state.stores, 1),
            *self.row(state.own),
            *self.row(state.other),
        ]
        return f"<{','.join(map(str, numbers))}>" + ("o" if self.mover(state) else "")

    def parse_literal(self, text: str) -> KalahState:
        match = re.fullmatch(r"<([0-9]{1,4}(?:,[0-9]{1,4})*)>([xo]?)", text.strip().lower())
        if not match:
            raise BadPosition(
                f"'{shortened(text)}' is not a position of {self.game_string()}; write whole numbers as in "
                f"{self.literal(self.start())}, and an o behind if the second player is to move",
                "kalah.error.literal",
                text=shortened(text),
                game=self.game_string(),
                example=self.literal(self.start()),
            )
        houses, *seeds = map(int, match[1].split(","))
        if houses != self.houses:
            raise BadPosition(
                f"a board of {counted(houses, 'house')}; {self.game_string()} has {self.houses}",
                "kalah.error.literal_houses",
                houses=houses,
                game=self.game_string(),
                needed=self.houses,
            )
        if len(seeds) != 2 + 2 * houses:
            raise BadPosition(
                f"{counted(len(seeds), 'number')} of seeds; two stores and two rows of "
                f"{counted(houses, 'house')} need {2 + 2 * houses}",
                "kalah.error.literal_numbers",
                count=len(seeds),
                houses=houses,
                needed=2 + 2 * houses,
            )
        if sum(seeds) > MOST_IN_ALL:
            raise BadPosition(f"{counted(sum(seeds), 'seed')}; a board holds at most {MOST_IN_ALL}")
        own, other = (
            sum(count << 8 * i for i, count in enumerate(row))
            for row in (seeds[2 : 2 + houses], seeds[2 + houses :])
        )
        return self._swept(own, other, seeds[0], seeds[1], mover=int(match[2] == "o"))

    def literal_of(self, picture: Picture, mover: int) -> str | None:
        if picture.seeds is None:
            return None
        (above, below), stores = picture.seeds.houses, picture.seeds.stores
        rows = (below, above[::-1])
        numbers = [self.houses, stores[mover], stores[1 - mover], *rows[mover], *rows[1 - mover]]
        return f"<{','.join(map(str, numbers))}>" + ("o" if mover else "")

    def faults(self, literal: str) -> Iterator[BadPosition]:
        """The faults of a board; a literal may have any number of seeds, but a game of this board
        always has the same."""
        found = [*super().faults(literal)]
        yield from found
        needed, count = (
            2 * self.houses * self.seeds,
            sum(map(int, re.findall("[0-9]+", literal)[1:])),
        )
        if not found and count != needed:
            yield BadPosition(
                f"{needed} seeds are needed, {count} are on the board",
                "editor.seeds",
                needed=needed,
                count=count,
            )

    @staticmethod
    def _swept(own: int, other: int, store: int, other_store: int, mover: int) -> KalahState:
        """Make a state of plain numbers. Where a row is empty the game is over, so the remaining
        seeds go to their stores."""
        if own == 0 or other == 0:
            store += int(sum_of(np.uint64(own)))
            other_store += int(sum_of(np.uint64(other)))
            own = other = 0
        return KalahState(
            np.uint64(own), np.uint64(other), np.uint64(store | other_store << 8 | mover << 16)
        )

    # ---- Drawing ----

    def row(self, word: np.uint64) -> tuple[int, ...]:
        """The seeds of a row, house by house."""
        return tuple(seeds_in(word, house) for house in range(self.houses))

    def _by_player(self, state: KalahState) -> tuple[list[tuple[int, ...]], list[int]]:
        """The rows and the stores of the first player and of the second."""
        seen = 1 if self.mover(state) == 0 else -1
        return [self.row(state.own), self.row(state.other)][::seen], [
            seeds_in(state.stores, 0),
            seeds_in(state.stores, 1),
        ][::seen]

    def picture(self, state: KalahState) -> HousesPicture:
        (first, second), stores = self._by_player(state)
        return HousesPicture.of(
            first, second, (stores[0], stores[1]), self.mover(state) if state.own else None
        )

    def board_style(self) -> str:
        return "houses"

    def changed_cells(self, state: KalahState, move: int) -> tuple[Cell, ...]:
        """The house that is sown."""
        return (cell_of(self.mover(state), move, self.houses),)

    def steps(self, state: KalahState, move: int) -> Iterator[BoardStep]:
        """Yield the sowing seed by seed."""
        return sow(*self._by_player(state), self.mover(state), move, self.standard)


# ---- Sowing ----


@inlined
def sow_seeds(
    own: np.uint64, other: np.uint64, house: int, rules: Kalah
) -> tuple[np.uint64, np.uint64, np.uint64, int]:
    """Sow along the mover's ring of 2 * houses + 1 places: own houses, own store, the other's
    houses. Return both rows, what the mover's store gains, and the place of the last seed."""
    # 1. Lift the house. Each full lap drops a seed on every place, including the lifted house;
    #    fewer seeds than a lap remain.
    houses = rules.houses
    seeds = seeds_in(own, house)
    own = without(own, house)
    gain = ZERO
    ring = 2 * houses + 1
    while seeds >= ring:
        seeds -= ring
        own += first_houses(houses)
        other += first_houses(houses)
        gain += ONE

    # 2. Sow the rest: to the right in the mover's row, into the store, along the other's row and
    #    round to the mover's.
    last = house + seeds
    own += first_houses(min(last + 1, houses)) - first_houses(house + 1)
    other += first_houses(max(min(last, 2 * houses) - houses, 0))
    gain += ONE if last >= houses else ZERO
    if last >= ring:
        last -= ring
        own += first_houses(last + 1)

    # 3. If there is a single seed where the last one fell, the house was empty, so it captures.
    #    (Beyond the row there are no seeds. It takes two half shifts, see `first_houses`.)
    half = np.uint64(4 * min(last, 15))
    if (own >> half >> half) & BYTE == ONE:
        opposite = houses - 1 - last
        captured = seeds_in(other, opposite)
        if captured != 0 or not rules.standard:
            gain += np.uint64(captured + 1)
            own = without(own, last)
            other = without(other, opposite)
    return own, other, gain, last


# ---- A row of houses in a word ----


@shared
def seeds_in(word: np.uint64, house: int) -> int:
    """The number in one byte of a word, as a signed number. (Mixing signed and unsigned words makes
    floats in compiled code.)"""
    return int(np.int64((word >> np.uint64(8 * house)) & BYTE))


@shared
def without(word: np.uint64, house: int) -> np.uint64:
    """A copy of a row with one house emptied."""
    return word & ~(BYTE << np.uint64(8 * house))


@shared
def first_houses(count: int) -> np.uint64:
    """A word with one seed in each of the first `count` houses, 0 to 8. It takes two half shifts,
    because a shift by all 64 bits is undefined."""
    half = np.uint64(4 * (8 - count))
    return ONES >> half >> half


@shared
def sum_of(word: np.uint64) -> np.uint64:
    """The sum of all seeds in a row, by adding halves to halves. No sum exceeds a byte, so nothing
    carries."""
    word += word >> np.uint64(32)
    word += word >> np.uint64(16)
    word += word >> EIGHT
    return word & BYTE


@shared
def exchanged(stores: np.uint64) -> np.uint64:
    """The stores as the other player sees them."""
    return ((stores & BYTE) << EIGHT) | ((stores >> EIGHT) & BYTE) | ((stores & SECOND) ^ SECOND)


def build(sizes: tuple[int, ...], options: tuple[str, ...]) -> Rules:
    """The rules that sizes and options name."""
    if options not in ((), ("standard",)):
        wrong = next((option for option in options if option != "standard"), None)
        raise BadGame(
            f"Kalah has no option '{wrong}'; its option is standard"
            if wrong
            else "standard is given twice"
        )
    if len(sizes) not in (0, 2):
        raise BadGame(f"{counted(len(sizes), 'size')}; sizes are HOUSESxSEEDS")
    houses, seeds = sizes or (6, 4)
    if not 1 <= houses <= MOST_HOUSES:
        raise BadGame(
            f"{houses} houses; a row has 1 to {MOST_HOUSES} houses",
            "kalah.error.houses",
            houses=houses,
            most=MOST_HOUSES,
        )
    if not 1 <= seeds <= MOST_SEEDS:
        raise BadGame(
            f"{seeds} seeds; a house starts with 1 to {MOST_SEEDS} seeds",
            "kalah.error.seeds",
            seeds=seeds,
            most=MOST_SEEDS,
        )
    return Kalah(houses, seeds, bool(options))


register_name(
    GameName(
        "kalah",
        "Kalah, a Mancala: 6 houses of 4 seeds each, or any other board",
        "kalah[:[HOUSESxSEEDS][,standard]]",
        example="kalah:4x3,standard",
        build=build,
        names=("kalah",),
        place=4,
        sizes=(6, 4),
        sample=("kalah", "35"),
        aliases=("mancala", "kalaha", "mankala"),
    )
)


def sow(
    rows: Sequence[Sequence[int]], stores: Sequence[int], player: int, house: int, standard: bool
) -> Iterator[BoardStep]:
    """Yield what happens when a player sows a house.

    `rows` and `stores` are the first player's and the second's, rows in the order of sowing; houses
    count from 0.
    """
    seeds, kept, houses = [list(row) for row in rows], list(stores), len(rows[0])
    own, other = seeds[player], seeds[1 - player]

    def step(kind: StepKind, places: Sequence[tuple[int, int]], moved: int, hand: int) -> BoardStep:
        picture = HousesPicture.of(tuple(seeds[0]), tuple(seeds[1]), (kept[0], kept[1]), player)
        return BoardStep(
            kind,
            tuple(cell_of(side, place, houses) for side, place in places),
            picture,
            moved,
            hand,
        )

    # 1. Lift the house.
    hand, own[house] = own[house], 0
    yield step("lift", [(player, house)], hand, hand)

    # 2. Drop its seeds along the player's ring: own houses, own store, the other's houses.
    side, place = player, house
    while hand:
        hand -= 1
        side, place = (
            (side, place + 1)
            if place < (houses if side == player else houses - 1)
            else (1 - side, 0)
        )
        if place == houses:
            kept[player] += 1
        else:
            seeds[side][place] += 1
        yield step("sow", [(side, place)], 1, hand)

    # 3. A single seed where the last one fell in the player's own row captures, with the seeds
    #    opposite.
    opposite = houses - 1 - place
    if side == player and place < houses and own[place] == 1 and (other[opposite] or not standard):
        moved = 1 + other[opposite]
        kept[player] += moved
        own[place] = other[opposite] = 0
        yield step("capture", [(player, place), (1 - player, opposite)], moved, 0)

    # 4. An empty row ends the game: all seeds go to the stores of their rows.
    if not any(own) or not any(other):
        left = [
            (each, place) for each in (0, 1) for place, count in enumerate(seeds[each]) if count
        ]
        moved = sum(map(sum, seeds))
        for each in (0, 1):
            kept[each] += sum(seeds[each])
            seeds[each][:] = [0] * houses
        if moved:
            yield step("sweep", left, moved, 0)


def cell_of(player: int, place: int, houses: int) -> Cell:
    """The cell of a player's house, or with `place` = houses of the store, in the picture.

    The first player's row is the lower one, from the left, and the second's the upper one, from the
    right. Stores lie one step beyond their rows.
    """
    return (1, place) if player == 0 else (0, houses - 1 - place)
