"""Reversi against a slow reference, brute force, known values and OpenSpiel; and what it says to
people.
"""

from __future__ import annotations

import functools
import random
from typing import Any

import numpy as np
import pytest
from reversi import ReversiFamily
from reversi.heuristic import FEATURES, PHASES, SHIPPED, WeightsFile, features
from reversi.rules import Board, Reversi
from reversi.studies.counting import in_words

from mnkala import GOING_ON, Position, parse_engine, parse_game
from mnkala.core.registry import family_of
from mnkala.errors import BadEngine, BadGame, BadPosition, IllegalMove
from mnkala.explain.contract import explanations_of
from mnkala.explain.reasons import explain_move
from mnkala.explain.rulebook import Rulebook
from mnkala.explain.verdicts import proved_verdicts
from mnkala.explain.words import LANGUAGES, say, words
from mnkala.play.lessons import check_lesson, course_of
from mnkala.play.one_move_puzzles import WIN
from mnkala.play.position_editor import set_up
from mnkala.play.puzzles import attempt, make_puzzles, reasons_for
from mnkala.play.reviews import review
from mnkala.play.view import make_view
from mnkala.search.conformance import check_rules, perft
from mnkala.solve import Cost, find_solver, solver_for
from mnkala.solve.oracle import open_oracle
from mnkala.terminal.boards import drawing_for

SIZES = ("reversi", "reversi:4x4", "reversi:6x6", "reversi:4x16", "reversi:8x4")


def random_positions(game: str, games: int = 5) -> list[Position]:
    """The positions of some random games, the finished ones too."""
    rng, found = random.Random(game), []
    for _ in range(games):
        position = Position(game)
        found.append(position)
        while not position.is_over:
            position = position.play_codes([rng.choice(position.legal_codes)])
            found.append(position)
    return found


# ---- The rules ----

Cells = tuple[tuple[int, ...], ...]


def turned(cells: Cells, player: int, row: int, column: int) -> set[tuple[int, int]]:
    """What a disc turns over, by walking in every direction: the slow, obvious way."""
    found = set()
    for down, right in ((i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j):
        passed, at = [], (row + down, column + right)
        while (
            0 <= at[0] < len(cells)
            and 0 <= at[1] < len(cells[0])
            and cells[at[0]][at[1]] == 2 - player
        ):
            passed.append(at)
            at = at[0] + down, at[1] + right
        if (
            0 <= at[0] < len(cells)
            and 0 <= at[1] < len(cells[0])
            and cells[at[0]][at[1]] == 1 + player
        ):
            found.update(passed)
    return found


def placeable(cells: Cells, player: int) -> list[tuple[int, int]]:
    return [
        (row, column)
        for row, line in enumerate(cells)
        for column, mark in enumerate(line)
        if mark == 0 and turned(cells, player, row, column)
    ]


@pytest.mark.parametrize("game", SIZES)
def test_moves_passes_ends_and_turned_discs_are_those_of_a_slow_reference(game: str) -> None:
    for position in random_positions(game):
        rules, state = position.rules, position.state()
        cells, mover = position.rules.picture(position.state()).cells, position.mover
        own, other = placeable(cells, mover), placeable(cells, 1 - mover)
        assert position.is_over == (not own and not other)
        if position.is_over:
            discs = [sum(line.count(1 + player) for line in cells) for player in (mover, 1 - mover)]
            assert rules.result(state) == discs[0] - discs[1]
            continue
        assert [rules.move_cells(state, move) for move in position.legal_codes] == (
            [(cell,) for cell in own] or [()]
        )
        for move in position.legal_codes:
            after = rules.picture(rules.play(state, move)).cells
            placed = set(rules.move_cells(state, move))
            changed = set().union(placed, *(turned(cells, mover, *cell) for cell in placed))
            assert {
                (r, c)
                for r, line in enumerate(after)
                for c, mark in enumerate(line)
                if mark != cells[r][c]
            } == changed
            assert all(after[row][column] == 1 + mover for row, column in changed)


def test_the_number_of_games_of_so_many_moves_is_that_of_othello() -> None:
    assert [perft(Position("reversi"), depth) for depth in range(1, 9)] == [
        4,
        12,
        56,
        244,
        1396,
        8200,
        55092,
        390216,
    ]


@pytest.mark.parametrize("game", ["reversi", "reversi:4x6"])
def test_every_board_keeps_the_contract(game: str) -> None:
    assert [finding for finding in check_rules(parse_game(game)) if finding.problem] == []


@pytest.mark.parametrize("game", ["reversi:5x5", "reversi:2x8", "reversi:10x10", "reversi:6x7"])
def test_boards_that_are_odd_too_small_or_too_large_are_refused(game: str) -> None:
    with pytest.raises(BadGame, match="even number of rows and of columns"):
        parse_game(game)


def test_a_pass_is_the_only_move_of_who_cannot_turn_anything_over() -> None:
    position = Position("reversi:4x4", literal="xxxx/xxxx/xxxo/xxx.:o")
    assert position.legal_moves == ("pass",)
    assert position.play("pass").legal_moves == ("d4",)
    assert str(position.play("pass,d4").outcome) == "1-0"
    with pytest.raises(IllegalMove):
        Position("reversi").play("pass")


def test_a_move_that_cannot_be_read_is_refused_with_what_can() -> None:
    with pytest.raises(IllegalMove, match="cells from a1 to h8, and pass"):
        Position("reversi").play("j9")


def test_a_board_that_cannot_arise_is_refused_with_the_cells_that_show_it() -> None:
    rules = parse_game("reversi:4x4")
    position = Position(rules, literal="..../.xo./.x../....:x")
    picture = rules.picture(position.state())
    (reason,) = set_up(rules, picture, 0).reasons
    assert (reason.key, reason.cells) == ("editor.reversi.middle", ((2, 2),))
    with pytest.raises(BadPosition, match="4 rows of 4 cells"):
        Position("reversi:4x4", literal="..../.xo./.x..:x")


@pytest.mark.parametrize("literal", ["..../.ox./.xo./....:x", "xxxx/xoox/xoxx/x...:o"])
def test_a_literal_tells_its_board(literal: str) -> None:
    found = list(ReversiFamily().games_of_literal(literal))
    assert found == ["reversi:4x4"]
    assert Position(found[0], literal=literal).literal == literal


def test_moves_are_those_of_open_spiel() -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is not installed")
    from mnkala.programs.open_spiel import rules_of, spiel_game

    rules = parse_game("reversi")
    game = spiel_game(rules)
    assert rules_of(game).game_string() == "reversi"
    rng = random.Random(1)
    for _ in range(20):
        position, state = Position(rules), game.new_initial_state()
        while not position.is_over:
            assert state.legal_actions() == sorted(
                family_of(rules).spiel_action(code, position.mover) for code in position.legal_codes
            )
            code = rng.choice(position.legal_codes)
            state.apply_action(family_of(rules).spiel_action(code, position.mover))
            position = position.play_codes([code])
        assert state.is_terminal()
        margin = position.outcome.margin if position.outcome else 0
        assert state.returns()[0] == (margin > 0) - (margin < 0)


# ---- The solver ----


@functools.cache
def brute(rules: Reversi, state: Board) -> int:
    """The score by trying everything."""
    result = rules.result(state)
    if result != GOING_ON:
        return int(result)
    buffer = np.zeros(rules.most_moves(), np.int64)
    return max(
        -brute(rules, rules.play(state, move))
        for move in buffer[: rules.moves(state, buffer)].tolist()
    )


@pytest.mark.parametrize(
    ("game", "free"), [("reversi:4x4", 8), ("reversi:6x6", 7), ("reversi", 6), ("reversi:4x8", 7)]
)
def test_scores_near_the_end_are_those_of_brute_force(game: str, free: int) -> None:
    rules: Any = parse_game(game)
    solver = solver_for(rules)(rules, table_mb=1)
    late = [
        position
        for position in random_positions(game, 8)
        if not position.is_over and solver.free_cells(position) <= free
    ]  # type: ignore[attr-defined]
    assert len(late) > 20
    for position in late:
        score = brute(rules, position.state())
        assert solver.solve(position).score.exact == score
        for number in (score - 1, score, 0):
            found = solver.solve(position, within=(number, number + 1))
            assert (found.score.lower > number) if score > number else (found.score.upper <= number)
        assert solver.solve(position, weak=True).score.result in (
            ("win",) if score > 0 else ("loss",) if score < 0 else ("draw",)
        )


def test_on_the_smallest_board_the_first_player_loses_by_eight() -> None:
    found = solver_for(parse_game("reversi:4x4"))(parse_game("reversi:4x4")).solve(
        Position("reversi:4x4")
    )
    assert (found.score.exact, found.score.player) == (-8, 0)


def test_bounds_close_in_and_nodes_end_the_work() -> None:
    rules = parse_game("reversi:6x6")
    solver = solver_for(rules)(rules)
    position = Position(rules)
    assert solver.cost(position) is Cost.HOPELESS
    *_, last = solver.steps(position, nodes=1000)
    assert last.score.exact is None
    assert last.nodes <= 1001
    low, high = solver.span(position)
    assert low <= last.score.lower < last.score.upper <= high


def test_the_solver_is_found_for_reversi_alone() -> None:
    assert find_solver(parse_game("reversi")) is not find_solver(parse_game("tictactoe"))


# ---- The heuristic ----


def test_a_position_and_its_mirror_image_have_the_same_features() -> None:
    for position in random_positions("reversi:4x6", 3):
        literal, colon, mover = str(position.literal).partition(":")
        mirrored = Position(
            "reversi:4x6", literal="/".join(row[::-1] for row in literal.split("/")) + colon + mover
        )
        assert features(position.state(), position.rules) == features(
            mirrored.state(), mirrored.rules
        )


def test_features_say_who_holds_which_cells() -> None:
    position = Position("reversi:4x4", literal="x.../.ox./.xo./....:x")
    told = dict(zip(FEATURES, features(position.state(), position.rules), strict=True))
    assert (told["discs"], told["corners"], told["diagonal"], told["edges"]) == (1, 1, 1, 1)
    assert told["parity"] == 1


def test_the_weights_are_shipped_with_how_they_came_about_and_beat_a_count_of_discs() -> None:
    import msgspec

    shipped = msgspec.json.decode(SHIPPED.read_bytes(), type=WeightsFile)
    assert [len(row) for row in shipped.weights] == [len(FEATURES)] * PHASES
    assert shipped.made["command"].startswith("mnkala tune weights reversi")
    assert shipped.made["bits_learned"] < shipped.made["bits_guessed"]


def test_a_file_of_weights_of_another_kind_is_refused(tmp_path: Any) -> None:
    file = tmp_path / "bad.json"
    file.write_text('{"weights": [[1, 2]]}')
    with pytest.raises(BadEngine, match="weights"):
        parse_engine(f"deepening:heuristic={file},depth=1").analyse(Position("reversi"))


# ---- For people ----


def keys(literal: str, move: str, game: str = "reversi:4x4") -> list[str]:
    position = Position(game, literal=literal)
    return [reason.key for reason in explain_move(position, position.rules.parse_move(move))]


def test_a_corner_is_told_when_it_is_taken() -> None:
    assert "hint.reversi.takes_corner" in keys(
        ".ox.../.ox.../.xo.../.xoo../....../......:x", "a1", "reversi:6x6"
    )


def test_who_must_pass_is_told_so_and_not_that_it_is_the_only_move() -> None:
    assert keys("xxxx/xxxx/xxxo/xxx.:o", "pass") == ["hint.reversi.must_pass"]


def test_a_move_after_which_the_opponent_must_pass_says_so() -> None:
    found = keys("x..x../xxxx.o/xoxxxo/xoxx.o/xxoxxo/x.xxxo:o", "b6", "reversi:6x6")
    assert "hint.reversi.no_reply" in found


def test_a_review_tells_in_discs_what_was_given_away() -> None:
    *_, found = review(Position("reversi:4x4").play("c4,d2,c1,d4,d3,b4,a2,d1"))
    assert [move.given_away for move in found.moves] == [0, 17, 7, 2, 0, 0, 14, 0]
    said = [reason.text() for reason in found.turns[6].reasons]
    assert said[:2] == ["Gives away 14: loses by 10, where d1 wins by 4.", "Gives o the corner a1."]
    exact = found.accuracy_in_margins[0]
    assert exact is not None
    assert (
        say(f"{explanations_of(found.position.rules).margin_texts}.count", margin=exact.given_away)
        == "21 discs"
    )


def test_a_smaller_win_is_told_as_such_and_not_as_a_slower_one() -> None:
    position = Position("reversi:4x4").play("c4,d2,c1,d4,d3,b4")
    with open_oracle(position.rules) as oracle:
        *_, proof = oracle.prove(position)
    told = {
        position.rules.move_text(move): reasons[0].text()
        for move, reasons in proved_verdicts(proof).items()
    }
    assert told["a4"] == "Gives away 3: wins by 1, where d1 wins by 4."
    assert told["d1"] == told["a3"] == "Wins by force, whatever o plays."


def test_the_board_does_not_tell_whose_turn_it_is() -> None:
    assert not make_view(Position("reversi")).tells_mover


@pytest.mark.parametrize("game", SIZES)
def test_the_rulebook_is_whole_in_every_language(game: str) -> None:
    for language in LANGUAGES:
        for section in Rulebook(parse_game(game), language).sections:
            assert section.heading
            assert not section.heading.startswith("rules.")
            assert "{" not in section.text
            assert not section.text.startswith("rules.")
            assert all("rules." not in figure.caption for figure in section.figures)


def test_every_text_is_said_in_every_language() -> None:
    own = {
        language: {
            key: text for key, text in words(language).items() if "reversi" in key.split(".")
        }
        for language in LANGUAGES
    }
    assert own["en"]
    assert all(told.keys() == own["en"].keys() for told in own.values())
    assert all(
        own["pt"][key] != text for key, text in own["en"].items() if not key.endswith(".name")
    )


def test_a_puzzle_has_one_winning_move_and_tells_why() -> None:
    rules = parse_game("reversi:6x6")
    (puzzle,) = make_puzzles(rules, [WIN], 1, seed=1)
    winning = [
        move for move in puzzle.position.legal_moves if attempt(puzzle.position, WIN, move).right
    ]
    assert winning == [puzzle.solution[0]]
    assert reasons_for(puzzle.position, puzzle.solution)
    wrong = next(move for move in puzzle.position.legal_moves if move != winning[0])
    assert attempt(puzzle.position, WIN, wrong).line[0] == wrong
    assert family_of(rules).puzzles() is not None


@pytest.mark.parametrize("name", ["corner", "few-moves"])
def test_the_familys_lessons_are_found_and_what_they_claim_is_proved(name: str) -> None:
    lesson = course_of("reversi").lesson(name)
    assert lesson.title.keys() == LANGUAGES.keys()
    check_lesson(lesson)


def test_the_familys_study_is_found_and_tells_what_it_measured() -> None:
    from mnkala.lab.registry import load_shipped
    from mnkala.lab.study_file import all_studies

    load_shipped()
    assert "counting" in {study.name for study in all_studies()}
    rows = [
        {"game": "reversi", "limit": "depth 1", "other": other, "share": 0.9}
        for other in ("discs", "all")
    ]
    assert in_words(rows).endswith("depth 1: 90%.")


def test_the_terminal_draws_discs_on_squares() -> None:
    drawing = drawing_for(make_view(Position("reversi:4x4")), 100, 40)
    assert type(drawing).__name__ == "Discs"
    assert drawing.marks == ("●", "○")
