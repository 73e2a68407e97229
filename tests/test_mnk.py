"""(m,n,k)-games: the rules agree with a slow reference and OpenSpiel, free cells keep their order,
notation comes back as written.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnkala import Position, Record, parse_engine, parse_game, perft
from mnkala.core import contract_checks
from mnkala.core.grid import column_name, column_number
from mnkala.core.rules import GOING_ON
from mnkala.errors import BadGame, BadPosition, IllegalMove, MnkalaError
from mnkala.families.lines import rules
from mnkala.families.lines.rules import Mnk
from mnkala.search.conformance import CLAUSES, check_rules
from tests.reference import random_position

PERFT_TICTACTOE = (1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872)
SMALL = [
    "tictactoe",
    "mnk:4x4x4",
    "mnk:5x7x3",
    "gomoku:9",
    "mnk:1x6x2",
    "mnk:6x1x2",
    "mnk:1x1x1",
    "mnk:4x3x1",
    "mnk:6x6x3,exact",
]
LARGE = ["gomoku", "gomoku:19", "gomoku:15,exact"]
BOARDS = [*SMALL, *LARGE]


class SlowMnk:
    """The rules as a child would write them: a dictionary of marks, looked through from end to end."""

    def __init__(self, rules: Mnk) -> None:
        self.rules = rules
        self.marks: dict[tuple[int, int], int] = {}

    def play(self, move: int) -> None:
        self.marks[divmod(move, self.rules.cols)] = self.mover()

    def mover(self) -> int:
        return len(self.marks) % 2

    def free(self) -> set[int]:
        cells = itertools.product(range(self.rules.rows), range(self.rules.cols))
        return {row * self.rules.cols + col for row, col in cells if (row, col) not in self.marks}

    def winner(self) -> int | None:
        for (row, col), owner in self.marks.items():
            for step_row, step_col in ((0, 1), (1, 0), (1, 1), (-1, 1)):

                def at(
                    i: int, start: tuple[int, int, int, int] = (row, col, step_row, step_col)
                ) -> int | None:
                    return self.marks.get((start[0] + i * start[2], start[1] + i * start[3]))

                full = all(at(i) == owner for i in range(self.rules.line))
                if full and not (self.rules.exact and owner in (at(-1), at(self.rules.line))):
                    return owner
        return None


def legal(rules: Mnk, state: Any) -> list[int]:
    buffer = np.zeros(rules.most_moves(), dtype=np.int64)
    return [int(move) for move in buffer[: rules.moves(state, buffer)]]


def rules_of(text: str) -> Mnk:
    rules = parse_game(text)
    assert isinstance(rules, Mnk)
    return rules


# ---- The contract ----


@pytest.mark.parametrize(
    "text", [*SMALL, *(pytest.param(text, marks=pytest.mark.slow) for text in LARGE)]
)
def test_every_board_keeps_the_contract(text: str) -> None:
    assert [finding for finding in check_rules(parse_game(text)) if finding.problem] == []


def test_a_board_of_70_by_70_keeps_the_contract(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the first plies of a game, and without the searches: 4900 moves squared take too long."""
    whole = contract_checks.random_game

    def opening(rules: Any, rng: random.Random, end: float) -> Iterator[Any]:
        return itertools.islice(whole(rules, rng, end), 4)

    monkeypatch.setattr(contract_checks, "random_game", opening)
    monkeypatch.setattr(contract_checks, "RANDOM_GAMES_LARGE", 1)
    findings = itertools.islice(check_rules(parse_game("mnk:70x70x10")), len(CLAUSES) - 1)
    assert [finding for finding in findings if finding.problem] == []


# ---- The rules ----


def test_perft_of_tic_tac_toe_counts_all_games() -> None:
    assert tuple(perft(Position("tictactoe"), depth) for depth in range(10)) == PERFT_TICTACTOE


@pytest.mark.parametrize(
    "text", [*BOARDS, "mnk:7x7x4,exact", "mnk:9x4x3", "mnk:12x13x6", "mnk:3x30x4"]
)
def test_random_games_agree_with_a_slow_reference(text: str) -> None:
    rules = rules_of(text)
    rng = random.Random(text)
    for _ in range(2 if rules.rows * rules.cols > 200 else 40):
        state, slow = rules.start(), SlowMnk(rules)
        while True:
            assert rules.mover(state) == slow.mover()
            winner, free = slow.winner(), slow.free()
            if rules.result(state) != GOING_ON:
                assert rules.result(state) == (0 if winner is None else -1)
                assert winner is not None or not free
                break
            assert winner is None
            moves = legal(rules, state)
            assert (set(moves), len(moves), rules.free_count(state)) == (free, len(free), len(free))
            assert [rules.free_cell(state, i) for i in range(len(moves))] == moves
            move = rng.choice(moves)
            state = rules.play(state, move)
            slow.play(move)
            assert rules.last_cell(state) == move


def test_a_whole_game_on_70_by_70_agrees_with_a_slow_reference() -> None:
    rules = rules_of("mnk:70x70x10")
    rng = random.Random(70)
    state, slow = rules.start(), SlowMnk(rules)
    while rules.result(state) == GOING_ON:
        move = int(rules.free_cell(state, rng.randrange(int(rules.free_count(state)))))
        before = len(slow.marks)
        state = rules.play(state, move)
        slow.play(move)
        if before % 500 == 0:
            assert slow.winner() is None
    assert rules.result(state) == -1
    assert slow.winner() == 1 - rules.mover(state)
    rules.undo(state, move)
    del slow.marks[divmod(move, 70)]
    assert slow.winner() is None


@pytest.mark.parametrize(
    ("name", "options", "text", "games"),
    [
        ("tic_tac_toe", {}, "tictactoe", 2000),
        ("mnk", {"m": 3, "n": 3, "k": 3}, "tictactoe", 1000),
        ("mnk", {"m": 4, "n": 3, "k": 3}, "mnk:3x4x3", 1000),
        ("mnk", {"m": 5, "n": 7, "k": 4}, "mnk:7x5x4", 500),
        ("mnk", {"m": 9, "n": 9, "k": 5}, "gomoku:9", 150),
        ("mnk", {"m": 15, "n": 15, "k": 5}, "gomoku", 40),
    ],
)
def test_thousands_of_random_games_agree_with_open_spiel(
    name: str, options: dict[str, int], text: str, games: int
) -> None:
    """OpenSpiel's m are the columns and n the rows; its row 0 is at the top, which mirrors the
    board and changes no line.
    """
    pyspiel = pytest.importorskip(
        "pyspiel", reason="OpenSpiel has no build for this Python or system"
    )
    game = pyspiel.load_game(name, options)
    rules = rules_of(text)
    rng = random.Random(text)
    for _ in range(games):
        theirs, ours = game.new_initial_state(), rules.start()
        while True:
            result = rules.result(ours)
            assert theirs.is_terminal() == (result != GOING_ON)
            if result != GOING_ON:
                assert theirs.returns()[int(rules.mover(ours))] == result
                break
            moves = legal(rules, ours)
            assert sorted(moves) == theirs.legal_actions()
            assert theirs.current_player() == rules.mover(ours)
            move = rng.choice(moves)
            theirs.apply_action(move)
            ours = rules.play(ours, move)


@given(
    seed=st.integers(0, 10_000),
    text=st.sampled_from(["tictactoe", "mnk:5x7x3", "gomoku", "mnk:1x6x2"]),
)
def test_taking_marks_back_restores_the_order_of_free_cells(seed: int, text: str) -> None:
    """Play and take back at random; after every step the state is the one that was there before,
    array by array.
    """
    rules = rules_of(text)
    rng = random.Random(seed)
    state = rules.start()
    seen: list[tuple[list[int], Any]] = []
    played: list[int] = []
    for _ in range(80):
        going_on = rules.result(state) == GOING_ON
        if going_on and (not played or rng.random() < 0.6):
            seen.append((legal(rules, state), rules.copy(state)))
            played.append(rng.choice(legal(rules, state)))
            state = rules.play(state, played[-1])
        else:
            rules.undo(state, played.pop())
            moves, before = seen.pop()
            assert legal(rules, state) == moves
            assert all(np.array_equal(now, then) for now, then in zip(state, before, strict=True))


def test_marking_swaps_a_cell_with_the_last_free_one() -> None:
    rules = rules_of("tictactoe")
    state = rules.play(rules.start(), 2)
    assert legal(rules, state) == [0, 1, 8, 3, 4, 5, 6, 7]
    state = rules.play(state, 8)
    assert legal(rules, state) == [0, 1, 7, 3, 4, 5, 6]
    rules.undo(state, 8)
    rules.undo(state, 2)
    assert legal(rules, state) == list(range(9))


@pytest.mark.parametrize(("text", "winner"), [("mnk:1x12x5", 0), ("mnk:1x12x5,exact", None)])
def test_six_in_a_row_win_in_freestyle_but_not_where_lines_are_exact(
    text: str, winner: int | None
) -> None:
    position = Position(text, literal="xxx.xxoo.ooo").play("d1")
    assert (position.outcome.winner if position.outcome else None) == winner
    assert position.rules.picture(position.state()).marked == (
        tuple((0, col) for col in range(6)) if winner == 0 else ()
    )


def test_where_lines_are_exact_a_line_wins_even_if_it_crosses_a_longer_run() -> None:
    """f3 makes six in its row and five in its column."""
    position = Position(
        "mnk:7x9x5,exact", literal="5x3/5x3/5x3/5x3/2xxx1xx1/oo1oo1oo1/o1o1o4"
    ).play("f3")
    assert position.outcome is not None
    assert position.outcome.winner == 0
    assert position.rules.picture(position.state()).marked == tuple((row, 5) for row in range(5))


@pytest.mark.parametrize(
    ("moves", "winner"),
    [
        ("a1b1a2b2a3", 0),
        ("a1a2b1b2c1", 0),
        ("a1a2b2b1c3", 0),
        ("a3a2b2b1c1", 0),
        ("b2a1c3a2c1a3", 1),
        ("b2a1c3", None),
    ],
)
def test_lines_in_every_direction_win(moves: str, winner: int | None) -> None:
    outcome = Position("tictactoe").play(moves).outcome
    assert (outcome.winner if outcome else None) == winner


def test_no_line_wraps_around_the_edge() -> None:
    """b1, c1 and a2 follow each other in the array, but lie in two rows."""
    assert Position("tictactoe").play("b1a3c1b3a2").outcome is None


def test_a_full_board_without_a_line_is_a_draw() -> None:
    position = Position("tictactoe").play("a1b1c1b2a2c2b3a3c3")
    assert position.outcome is not None
    assert (position.outcome.winner, str(position.outcome)) == (None, "1/2-1/2")


@pytest.mark.parametrize(
    ("game", "result"),
    [
        ("tictactoe", "draw"),
        pytest.param("mnk:4x4x4", "draw", marks=pytest.mark.slow),
        ("mnk:4x3x3", "win"),
        ("mnk:3x4x3", "win"),
        ("mnk:1x6x2", "win"),
        ("mnk:2x2x2", "win"),
        ("mnk:1x4x3", "draw"),
        ("mnk:3x3x1", "win"),
    ],
)
def test_small_boards_have_their_known_values(game: str, result: str) -> None:
    """(3,3,3) and (4,4,4) are drawn, (4,3,3) is a win for the first player (Uiterwijk and van den
    Herik 2000).
    """
    score = parse_engine("deepening:depth=100").analyse(Position(game)).score
    assert score is not None
    assert (score.kind, score.result, score.player) == ("exact", result, 0)


# ---- What searches ask ----


def test_the_centre_has_the_best_prior() -> None:
    rules = rules_of("gomoku")
    state = rules.start()
    priors = {move: rules.prior(state, move) for move in legal(rules, state)}
    assert rules.move_text(max(priors, key=lambda move: priors[move])) == "h8"
    assert min(priors.values()) == priors[rules.parse_move("o15")] >= 0


def test_near_means_within_a_star_around_a_mark() -> None:
    position = Position("gomoku").play("h8")
    rules, state = position.rules, position.state()
    near = {rules.move_text(move) for move in position.legal_codes if rules.near(state, move, 2)}
    assert near == {
        "g7",
        "g8",
        "g9",
        "h7",
        "h9",
        "i7",
        "i8",
        "i9",
        "f6",
        "f8",
        "f10",
        "h6",
        "h10",
        "j6",
        "j8",
        "j10",
    }


@given(word=st.integers(0, 2**64 - 1), seed=st.integers(0, 100))
def test_a_random_move_is_a_legal_one(word: int, seed: int) -> None:
    position = random_position("mnk:5x7x3", seed)
    move = position.rules.random_move(
        position.state(), np.uint64(word), np.zeros(1, dtype=np.int64)
    )
    assert move in position.legal_codes


# ---- Notation ----


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("tictactoe", "tictactoe"),
        ("mnk:3x3x3", "tictactoe"),
        ("mnk:3x3x3,exact", "mnk:3x3x3,exact"),
        ("gomoku", "gomoku"),
        ("mnk:15x15x5", "gomoku"),
        ("gomoku:15", "gomoku"),
        ("gomoku:19", "gomoku:19"),
        ("mnk:19x19x5", "gomoku:19"),
        ("gomoku:15,exact", "gomoku:15,exact"),
        ("gomoku:exact", "gomoku:15,exact"),
        (" Gomoku:19,EXACT ", "gomoku:19,exact"),
        ("mnk:13x15x5", "mnk:13x15x5"),
        ("mnk:7x7x4,exact", "mnk:7x7x4,exact"),
        ("mnk:70x70x10", "mnk:70x70x10"),
    ],
)
def test_a_game_string_has_one_canonical_form(text: str, canonical: str) -> None:
    assert parse_game(text).game_string() == canonical
    assert parse_game(canonical).game_string() == canonical


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("mnk", "0 sizes; write mnk:ROWSxCOLSxLINE"),
        ("mnk:3x3", "2 sizes"),
        ("mnk:3x3x3x3", "4 sizes"),
        ("mnk:0x3x3", "1 to 90 rows"),
        ("mnk:3x91x3", "91 columns; a board has 1 to 90"),
        ("mnk:3x3x4", "a line of 4 on 3x3; this board allows 1 to 3"),
        ("mnk:3x3x0", "1 to 3"),
        ("mnk:3x3x3,renju", "no option is called 'renju'; write mnk"),
        ("gomoku:4", "a line of 5 on 4x4"),
        ("gomoku:15x15", "2 sizes; write gomoku"),
        ("tictactoe:3", "1 size; write tictactoe"),
        ("tictactoe:exact", "'exact'"),
        ("mnk:3*3", "cannot be read"),
    ],
)
def test_a_bad_game_string_is_told_what_is_allowed(text: str, words: str) -> None:
    with pytest.raises(BadGame, match=words):
        parse_game(text)


@pytest.mark.parametrize(
    ("col", "name"),
    [(0, "a"), (25, "z"), (26, "aa"), (27, "ab"), (51, "az"), (52, "ba"), (69, "br"), (89, "cl")],
)
def test_columns_beyond_z_have_two_letters(col: int, name: str) -> None:
    assert (column_name(col), column_number(name)) == (name, col)


@pytest.mark.parametrize(
    "text", ["gomoku", "mnk:70x70x10", "mnk:90x90x5", "mnk:1x6x2", "mnk:6x1x2"]
)
def test_every_cell_is_read_back_as_written(text: str) -> None:
    rules = rules_of(text)
    cells = list(range(rules.rows * rules.cols))
    assert [rules.parse_move(rules.move_text(cell)) for cell in cells] == cells
    assert rules.parse_moves(rules.moves_text(cells)) == cells


def test_rows_count_from_the_bottom_and_columns_from_the_left() -> None:
    rules = rules_of("mnk:70x70x10")
    assert rules.move_text(0) == "a1"
    assert rules.parse_move("ab70") == 69 * 70 + 27
    assert rules.move_text(70 * 70 - 1) == "br70"


@pytest.mark.parametrize("text", ["h8i9aa1", "h8 i9 aa1", "h8,i9,aa1", " H8, i9AA1 "])
def test_moves_are_read_together_or_apart(text: str) -> None:
    position = Position("mnk:30x30x5").play(text)
    assert position.moves == "h8i9aa1"
    assert position.history_codes == (7 * 30 + 7, 8 * 30 + 8, 26)


@pytest.mark.parametrize(
    ("game", "moves", "words"),
    [
        ("tictactoe", "d1", "cell d1 does not exist; cells are a1 to c3"),
        ("tictactoe", "a4", "does not exist"),
        ("tictactoe", "a0", "does not exist"),
        ("tictactoe", "5", "'5' is not a cell; cells are a1 to c3"),
        ("tictactoe", "a1b", "'a1b' is not a cell"),
        ("tictactoe", "a1-b2", "'a1-b2' is not a cell"),
        ("tictactoe", "a٣", "is not a cell"),
        ("tictactoe", "a1a1", "a1 cannot be played after a1; legal moves are"),
        ("tictactoe", "a99999999", "is not a cell"),
        ("tictactoe", "a1b1a2b2a3b3", r"the game is over \(1-0\)"),
        ("mnk:70x70x10", "bs1", "cells are a1 to br70"),
    ],
)
def test_a_bad_move_is_told_what_is_allowed(game: str, moves: str, words: str) -> None:
    with pytest.raises(IllegalMove, match=words):
        Position(game).play(moves)


@pytest.mark.parametrize(
    "game", ["tictactoe", "mnk:5x7x3", "gomoku", "mnk:6x6x3,exact", "mnk:30x31x6"]
)
@given(seed=st.integers(0, 10_000))
def test_positions_survive_their_literal_and_their_record(game: str, seed: int) -> None:
    position = random_position(game, seed, 60)
    for after in (position, position.play_codes(position.legal_codes[:1])):
        again = Position(game, literal=after.literal)
        assert str(again) == str(after)
        assert (again.mover, again.outcome) == (after.mover, after.outcome)
        assert sorted(again.legal_codes) == sorted(after.legal_codes)
        assert again.legal_codes == tuple(sorted(again.legal_codes))
        assert after.rules.key(again.state()) == after.rules.key(after.state())
        assert Record.parse(str(Record.of(after, first="human"))).position == after
        assert Record.parse(str(Record.of(again))).position == again


@given(
    seed=st.integers(0, 3000),
    game=st.sampled_from(["tictactoe", "mnk:5x7x3", "mnk:6x6x3,exact", "mnk:4x4x2"]),
)
def test_a_finished_game_survives_its_literal(seed: int, game: str) -> None:
    position = random_position(game, seed)
    for move in position.legal_codes:
        after = position.play_codes([move])
        if after.is_over:
            again = Position(game, literal=after.literal)
            assert again.outcome == after.outcome
            assert again.rules.picture(again.state()) == after.rules.picture(after.state())


@given(seed=st.integers(0, 3000))
def test_a_game_goes_on_from_a_literal_and_comes_back(seed: int) -> None:
    rules = rules_of("mnk:5x7x3")
    state = rules.parse_literal(random_position("mnk:5x7x3", seed).literal or "")
    before = rules.copy(state)
    played = []
    rng = random.Random(seed)
    while rules.result(state) == GOING_ON:
        played.append(rng.choice(legal(rules, state)))
        state = rules.play(state, played[-1])
    for move in reversed(played):
        rules.undo(state, move)
    assert all(np.array_equal(now, then) for now, then in zip(state, before, strict=True))


@pytest.mark.parametrize(
    ("game", "literal", "words"),
    [
        ("tictactoe", "3/3", "2 rows"),
        ("tictactoe", "3/3/4", "row 3 has 4 cells"),
        ("tictactoe", "3/3/z2", "'z' in row 3"),
        ("tictactoe", "3/3/xx1", "as many as o, or one more"),
        ("tictactoe", "3/3/o2", "as many as o"),
        ("tictactoe", "3/ooo/xxx", "x and o both have a line already"),
        ("tictactoe", "o2/oo1/xxx", "x has a line already, so o could not have moved"),
        ("mnk:2x8x3", "xxx1xxx1/ooo2oo1", "x and o both have a line already"),
        ("mnk:2x8x3", "xxx1xxx1/oo1oo1o1", "x had a line before the last move"),
        ("mnk:2x8x3", "xxxxxx2/oo1oo1o1", "x had a line before the last move"),
        ("tictactoe", "", "1 row"),
    ],
)
def test_a_bad_literal_is_told_what_is_wrong(game: str, literal: str, words: str) -> None:
    with pytest.raises(BadPosition, match=words):
        Position(game, literal=literal)


def test_the_last_mark_of_a_literal_is_one_that_completed_every_line() -> None:
    """Two lines cross in b2: no other mark can have been the last."""
    rules = rules_of("tictactoe")
    assert rules.last_cell(rules.parse_literal("xox/oxo/xox")) == rules.parse_move("b2")


def test_the_last_mark_of_a_literal_left_no_line_without_it() -> None:
    """Of four in a row where exactly three win, one of the inner two came last: without an end
    there would have been three.
    """
    rules = rules_of("mnk:2x9x3,exact")
    assert rules.last_cell(rules.parse_literal("xxxx5/o1o1o4")) in (
        rules.parse_move("b2"),
        rules.parse_move("c2"),
    )


@given(st.text(alphabet=".xo/0123456789 ab", max_size=60))
def test_no_literal_raises_anything_but_our_own_error(text: str) -> None:
    for game in ("mnk:2x3x2", "tictactoe", "mnk:2x3x2,exact"):
        try:
            Position(game, literal=text)
        except MnkalaError:
            pass


@given(st.text(max_size=20))
def test_no_move_text_raises_anything_but_our_own_error(text: str) -> None:
    try:
        Position("gomoku").play(text)
    except MnkalaError:
        pass


# ---- Drawing ----


def test_the_board_is_drawn_with_letters_and_numbers() -> None:
    position = Position("tictactoe").play("a1b2c1b1b3")
    assert str(position) == "3 . x .\n2 . o .\n1 x o x\n  a b c"
    assert position.rules.picture(position.state()).marked == ()


def test_the_winning_line_is_marked() -> None:
    position = Position("tictactoe").play("a1b1a2b2a3")
    assert position.rules.picture(position.state()).marked == ((0, 0), (1, 0), (2, 0))


def test_cells_are_told_from_the_top() -> None:
    position = Position("mnk:2x3x3").play("a1c2")
    cells = [
        [position.rules.cell(position.state(), row, col) for col in range(3)] for row in range(2)
    ]
    assert cells == [[0, 0, 2], [1, 0, 0]]


def test_the_largest_board_is_as_large_as_values_can_tell() -> None:
    from mnkala.search.values import PER_MARGIN

    assert rules.LARGEST_SIDE**2 < PER_MARGIN <= (rules.LARGEST_SIDE + 1) ** 2
