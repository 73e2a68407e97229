"""Threats on lines, and the reasons that name them: every sentence is held against a slow board."""

from __future__ import annotations

import random

import pytest

from mnkala.core import Position, parse_game
from mnkala.core.score import Score
from mnkala.errors import BadGame
from mnkala.explain.contract import explanations_of
from mnkala.explain.inspection import hint
from mnkala.explain.line_reasons import A_ROW, ROWS, quiet_reasons, row_reasons
from mnkala.explain.reasons import explain_move, importance_of
from mnkala.explain.words import LANGUAGES
from mnkala.families.lines.board_threats import (
    MOST_TOLD,
    BoardThreats,
    line_threats,
    victory,
)
from mnkala.families.lines.explain import MADE, STOPPED, threat_reasons
from mnkala.families.lines.rules import Mnk
from mnkala.search import Limit, RootMove, Stop
from mnkala.search.limit import Stopped
from tests.claims import check_on_the_board
from tests.line_claims import STEPS, check_reason, check_threat, check_threats

BOARDS = (
    "gomoku:9",
    "mnk:9x9x5,exact",
    "mnk:7x8x4",
    "mnk:7x7x4,exact",
    "mnk:10x9x6",
    "mnk:11x11x7",
    "mnk:6x6x5",
)
OPEN_THREE = Position("gomoku").play("h8h9i8i9j8")
BY_FOURS = Position("gomoku").play("h8g8i8a3j8a5k9a7k10a9")
"""x makes a four on a row, and with the same mark an open three in a column."""


def crowded(game: str, count: int, seed: int) -> list[Position]:
    """Positions of random games in which marks stand close together."""
    chooser = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        position = Position(game)
        assert isinstance(position.rules, Mnk)
        rows, cols = position.rules.rows, position.rules.cols
        for _ in range(chooser.randrange(7, 22)):
            moves = [
                move
                for move in position.legal_codes
                if abs(move // cols - rows // 2) + abs(move % cols - cols // 2) < 5
            ]
            after = position.play_codes((chooser.choice(moves),))
            if not after.is_over:
                position = after
        found.append(position)
    return found


def on_lines(game: str, count: int, seed: int) -> list[Position]:
    """Positions with lines that cross or end at the edge, some cells of which have marks of one
    side: broken threes, fours that share marks, two fours on one line."""
    chooser = random.Random(seed)
    found: list[Position] = []
    while len(found) < count:
        rules = parse_game(game)
        assert isinstance(rules, Mnk)
        everywhere = {(row, col) for row in range(rules.rows) for col in range(rules.cols)}
        marks: dict[tuple[int, int], int] = {}
        for _ in range(chooser.randrange(1, 4)):
            length = chooser.randrange(rules.line, 2 * rules.line + 2)
            full, player = chooser.choice((0.4, 0.6)), int(chooser.random() < 0.3)
            row, col = chooser.choice([*marks] or sorted(everywhere))
            (down, right), before = chooser.choice(STEPS), chooser.randrange(length)
            for i in range(-before, length - before):
                cell = (row + i * down, col + i * right)
                if chooser.random() < full and cell in everywhere and cell not in marks:
                    marks[cell] = player if chooser.random() < 0.9 else 1 - player
        position = with_marks(game, marks, chooser)
        if position is not None:
            found.append(position)
    return found


def with_marks(
    game: str,
    marks: dict[tuple[int, int], int],
    chooser: random.Random,
) -> Position | None:
    """A position with these marks, and some elsewhere so that there are as many of either side;
    none if somebody has won on the way."""
    position = Position(game)
    assert isinstance(position.rules, Mnk)
    cols = position.rules.cols
    sides = [
        [row * cols + col for (row, col), player in marks.items() if player == side]
        for side in (0, 1)
    ]
    free = [code for code in position.legal_codes if divmod(code, cols) not in marks]
    chooser.shuffle(free)
    if abs(len(sides[0]) - len(sides[1])) > len(free):
        return None
    while len(sides[0]) != len(sides[1]):
        min(sides, key=len).append(free.pop())
    for code in (code for pair in zip(*sides, strict=True) for code in pair):
        position = position.play_codes((code,))
        if position.is_over:
            return None
    return position


def check(position: Position, moves: int) -> None:
    """All that is told of the threats on a board, and for some moves that have to do with them."""
    threats = line_threats(position)
    check_threats(position, threats)
    interesting = {move for threat in threats for move in (*threat.at[:1], *threat.stops)}
    for move in sorted(interesting)[:moves]:
        for reason in threat_reasons(position, move):
            check_reason(position, move, reason)
            assert reason.key in importance_of(explanations_of(position.rules))
            assert not {"{", "@"} & {*"".join(reason.text(language) for language in LANGUAGES)}


def test_of_hundreds_of_threats_only_those_that_are_told_are_looked_into(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chooser, cells = (
        random.Random(1),
        [(row, col) for row in range(0, 30, 5) for col in range(0, 30, 5)],
    )
    chooser.shuffle(cells)
    board = [["."] * 30 for _ in range(30)]
    for number, (row, col) in enumerate(
        cells[:34]
    ):  # pairs: beside each of them a mark makes two open threes of a line of four
        board[row][col] = board[row + 1][col + 1] = "xo"[number % 2]
    position = Position("mnk:30x30x4", literal="/".join("".join(row) for row in board))
    tried: list[int] = []

    after = BoardThreats.after

    def noting(reading: BoardThreats, cell: int, player: int) -> BoardThreats:
        tried.append(cell)
        return after(reading, cell, player)

    monkeypatch.setattr(BoardThreats, "after", noting)
    reading = BoardThreats.of(position)
    assert sum(len(each) for each in reading.doubles(0).values()) > 50
    assert len(line_threats(position)) == 2 * MOST_TOLD
    assert len(tried) < 2 * MOST_TOLD * 20
    tried.clear()
    assert not list(threat_reasons(position, 899))
    assert tried == [899], "nothing near is threatened, so that no answer is tried"


def test_reading_threats_ends_when_nobody_waits_for_them() -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(Stopped):
        line_threats(OPEN_THREE, stop)


@pytest.mark.parametrize("game", BOARDS)
def test_threats_and_reasons_are_true(game: str) -> None:
    """Costs half a second: every sentence is checked by trying moves."""
    for position in (*crowded(game, 3, seed=4), *on_lines(game, 5, seed=4)):
        check(position, 4)


@pytest.mark.slow
@pytest.mark.parametrize(
    "game", [*BOARDS, "gomoku", "mnk:15x15x5,exact", "mnk:4x9x4", "mnk:13x13x7,exact"]
)
def test_many_threats_and_reasons_are_true(game: str) -> None:
    for position in (*crowded(game, 40, seed=5), *on_lines(game, 100, seed=5)):
        check(position, 10)


def test_an_open_three_is_told_with_what_it_threatens_and_what_stops_it() -> None:
    (threat,) = line_threats(OPEN_THREE)
    assert (
        threat.told.text()
        == "x has an open three h8-i8-j8 and threatens to make an open four at g8, k8; o stops it at g8, k8."
    )
    assert threat.told.text("it").startswith("x ha un tre aperto h8-i8-j8")


def test_near_the_other_side_an_open_three_can_be_stopped_on_three_cells() -> None:
    (threat,) = line_threats(OPEN_THREE.play("l8a1"))
    assert threat.told.text().endswith("at g8; o stops it at f8, g8, k8.")


def test_a_four_is_stopped_where_it_wins_and_an_open_four_nowhere() -> None:
    four = OPEN_THREE.play("g8k8")
    assert [(each.kind, each.told.text()) for each in line_threats(four)][:1] == [
        ("four", "x has a four h8-i8-j8-k8 and threatens to win at l8; o stops it there.")
    ]
    open_four = OPEN_THREE.play("a1k8")
    assert line_threats(open_four)[0].stops == ()
    assert "wins at g8, l8: o cannot stop both" in line_threats(open_four)[0].told.text()


def test_who_is_to_move_carries_a_threat_out_and_is_not_told_that_it_is_stopped() -> None:
    three = OPEN_THREE.play("a1")
    assert [threat.told.text() for threat in line_threats(three)] == [
        "x has an open three h8-i8-j8 and can make an open four at g8, k8."
    ]
    assert line_threats(three)[0].stops == ()
    four = OPEN_THREE.play("g8k8a1")
    assert [threat.told.text() for threat in line_threats(four)] == [
        "x has a four h8-i8-j8-k8 and can win now at l8."
    ]
    assert (
        line_threats(four)[0].told.text("pt")
        == "x tem um quatro h8-i8-j8-k8 e pode ganhar já em l8."
    )
    assert (
        line_threats(four)[0].told.text("it")
        == "x ha un quattro h8-i8-j8-k8 e può vincere subito in l8."
    )


def test_who_can_win_at_once_is_told_nothing_else_and_a_four_must_be_answered_before_a_three_is_of_use() -> (
    None
):
    both = Position("gomoku").play("h8a1i8a2j8a3k8a4")  # x and o have a four each, and x is to move
    assert [(threat.player, threat.kind) for threat in line_threats(both)] == [(0, "open_four")]
    assert "can win now at g8, l8" in line_threats(both)[0].told.text()
    hurried = Position("gomoku").play("h8a1i8a2j8a3o15a4")
    assert [threat.told.text() for threat in line_threats(hurried) if threat.kind != "fours"] == [
        "o has a four a1-a2-a3-a4 and threatens to win at a5; x stops it there.",
        "x has an open three h8-i8-j8 and threatens to make an open four at g8, k8; o stops it at g8, k8.",
    ]


def row_of(text: str) -> Position:
    """A position with these marks in the middle row of the board, from its left edge, and o's
    others out of their way."""
    marks = [(f"{chr(ord('a') + i)}8", sign) for i, sign in enumerate(text) if sign != "."]
    mine, blocks = ([cell for cell, sign in marks if sign == player] for player in "xo")
    away = [f"{column}{row}" for column in "acegikmo" for row in (15, 1)]
    pairs = zip(mine, [*blocks, *away], strict=False)
    return Position("gomoku").play("".join(x + o for x, o in pairs))


def sentences(text: str) -> list[str]:
    """What is told of x's marks in a row on o's turn, but for victories by fours."""
    position = row_of(text).play("h3")
    threats = [threat for threat in line_threats(position) if threat.player == 0]
    return [threat.told.text() for threat in threats if threat.kind != "fours"]


def test_two_fours_on_one_line_are_a_double_four_and_no_open_four() -> None:
    assert sentences("..x..xx.xo") == ["x can make a double four at e8; o stops it at d8, e8, h8."]
    assert sentences("..x.xxx.xo") == [
        "x has a four c8-e8-f8-g8 and threatens to win at d8; o stops it there.",
        "x has a four e8-f8-g8-i8 and threatens to win at h8; o stops it there.",
    ]


def test_an_open_three_or_four_beside_another_mark_is_told_once_with_its_own_marks() -> None:
    assert sentences("...xxx..x") == [
        "x has an open three d8-e8-f8 and threatens to make an open four at c8, g8; "
        "o stops it at c8, g8."
    ]
    assert sentences("...xxxx.x") == [
        "x has an open four d8-e8-f8-g8 and wins at c8, h8: o cannot stop both."
    ]
    assert sentences("..oxxx.xx") == [
        "x has a four d8-e8-f8-h8 and threatens to win at g8; o stops it there."
    ]


def test_a_move_that_leaves_an_open_four_stops_no_open_three() -> None:
    position = Position("gomoku").play("h11m8n13o14l15m7n10l11n8k10g15l8o8l9l13h8n9m14h12")
    first = next(threat for threat in line_threats(position) if threat.player == 0)
    assert (
        first.told.text()
        == "x has an open three n8-n9-n10 and threatens to make an open four at n7, n11; "
        "o stops it at n7, n11."
    )
    for move, stops in (("n11", True), ("n12", False)):
        reasons = explain_move(position, position.rules.parse_move(move))
        assert ("hint.stops_open_three" in {reason.key for reason in reasons}) == stops


def test_a_double_three_is_not_stopped_while_a_three_becomes_two_fours_on_one_line() -> None:
    """After k5 x still plays j5: i6 is then an open four, j7 a double four in the column, and no
    answer meets both."""
    position = Position("gomoku").play(
        "d11f4j9g10i5h10h9l9l11f7i10e11h7i9e10h6j11k12l5e12j8j4k7i12d6j12k4g12h12g7"
    )
    move = position.rules.parse_move("j5")
    (threat,) = BoardThreats.of(position).describe_doubles(0, "double_three", [move])
    assert threat.told.text() == "x can make a double open three at j5; o stops it at j5."


def test_with_four_in_line_the_names_count_one_less() -> None:
    position = Position("mnk:7x7x4").play("d4d5e4")
    assert (
        line_threats(position)[0]
        .told.text()
        .startswith("x has an open two d4-e4 and threatens to make an open three at c4, f4")
    )


def test_a_victory_by_fours_is_told_with_its_line_and_for_who_makes_its_first_move() -> None:
    line = victory(BY_FOURS, 0)
    assert len(line) > 3
    threat = next(each for each in line_threats(BY_FOURS) if each.kind == "fours")
    check_threat(BY_FOURS, threat)
    reasons = explain_move(BY_FOURS, line[0])
    assert reasons[0].key == "hint.wins_by_fours"
    assert (
        f"Wins by fours in {(len(line) + 1) // 2} moves: {BY_FOURS.rules.move_text(line[0])} "
        in reasons[0].text()
    )
    assert BY_FOURS.play_codes(line).is_over


@pytest.mark.parametrize(
    ("moves", "move", "expected"),
    [
        ("h8h9i8i9j8", "g8", "Stops the open three h8-i8-j8."),
        ("h8h9i8i9j8a1", "k8", "Makes an open four: o cannot stop both g8, l8."),
        ("h8h9i8i9j8g8", "k8", "Makes a four; o must answer at l8."),
        ("h8a1i8a3", "j8", "Makes an open three; o must answer at g8, k8 or make a four."),
        (
            row_of("..x..x..xo").moves,
            "g8",
            "Threatens a double four at e8; o must answer at d8, e8, h8 or make a four.",
        ),
        (BY_FOURS.moves, "k8", "Makes a four and an open three; o must answer at l8."),
    ],
)
def test_a_reason_names_what_a_move_makes_or_stops(moves: str, move: str, expected: str) -> None:
    position = Position("gomoku").play(moves)
    assert expected in [
        reason.text() for reason in explain_move(position, position.rules.parse_move(move))
    ]


@pytest.mark.parametrize(
    "game", ["connect4", "kalah", "tictactoe", "mnk:20x20x17", "mnk:20x20x16,exact"]
)
def test_other_games_are_refused(game: str) -> None:
    with pytest.raises(
        BadGame,
        match=f"threats are shown for Gomoku and .* with lines of 4 to 16, or 15 where .*, not for {game}",
    ):
        line_threats(Position(game))


def test_moves_of_games_with_very_long_lines_are_explained_without_threats() -> None:
    position = Position("mnk:20x20x17").play("a1a2b1b2")
    assert not victory(position, 0)
    assert hint(position, Limit(nodes=300)).move in position.legal_moves
    wins = position.play_codes(
        [code for col in range(2, 16) for code in (col, 380 - 40 * (col % 2) + col)]
    )
    assert explain_move(wins, 16)[0].key == "hint.wins"


def test_a_finished_game_threatens_nothing() -> None:
    assert line_threats(Position("gomoku").play("h8h9i8i9j8j9k8k9l8")) == ()


def test_the_best_moves_of_an_estimate_have_true_reasons_and_other_games_none() -> None:
    for position in crowded("gomoku", 6, seed=9):
        moves = [
            RootMove(code, Score.opinion(0, position.mover), (code,))
            for code in position.legal_codes[100:120]
        ]
        found = row_reasons(position, moves)
        assert list(found) == [move.code for move in moves[:ROWS]]
        for move, reasons in found.items():
            assert len(reasons) <= A_ROW
            for reason in reasons:
                (
                    check_reason
                    if reason.key in {*MADE, *STOPPED, "hint.wins_by_fours"}
                    else check_on_the_board
                )(position, move, reason)
    assert row_reasons(Position("connect4"), [RootMove(3, Score.opinion(0), (3,))]) == {}


def test_a_quiet_move_is_told_by_two_marks_in_a_line() -> None:
    position = Position("gomoku").play("h8i9")
    assert [
        reason.values["count"]
        for reason in quiet_reasons(position, position.rules.parse_move("g9"))
    ] == [2]
    assert list(quiet_reasons(position, position.rules.parse_move("a1"))) == []
