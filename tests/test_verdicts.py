"""Verdicts: each sentence about a move is held against plain search of whole small games, or against a solver of its own."""

from __future__ import annotations

import collections
import json
from typing import Any

import pytest

from mnkala.cli import run
from mnkala.games import Position
from mnkala.play.reason import Reason
from mnkala.play.reasons import explain_move, hint
from mnkala.play.review import review
from mnkala.play.verdicts import verdict, verdicts
from mnkala.play.words import LANGUAGES, words
from mnkala.search import Limit, Score, parse_engine
from mnkala.solve import ConnectSolver, plies_to_end
from tests.brute_force import SMALL, some_positions, truth
from tests.reference_solver import all_moves

ENGINE = parse_engine("perfect:book=off")


def cells_left(position: Position) -> int:
    return sum(cell == 0 for row in position.rules.picture(position.state()).cells for cell in row)


def completes(cells: Any, row: int, column: int, mark: int, line: int) -> bool:
    """Whether a mark on a cell of the picture makes a line, counted cell by cell."""
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        count = 1
        for sign in (1, -1):
            r, c = row + sign * down, column + sign * right
            while 0 <= r < len(cells) and 0 <= c < len(cells[0]) and cells[r][c] == mark:
                count, r, c = count + 1, r + sign * down, c + sign * right
        if count >= line:
            return True
    return False


def check_claim(position: Position, move: int, reason: Reason, scores: dict[int, int], line: tuple[int, ...]) -> None:
    """Hold one sentence against the true scores of all moves and against the board. `scores` are for the mover."""
    mine, others = scores[move], [score for other, score in scores.items() if other != move]
    value: Any = reason.values
    plies = plies_to_end(mine, cells_left(position))
    best = None if "best" not in value else scores[position.rules.parse_moves(value["best"])[0]]
    rules: Any = position.rules
    if reason.key == "hint.only_win":
        assert mine > 0 >= max(others)
    elif reason.key == "hint.only_draw":
        assert mine == 0 > max(others)
    elif reason.key == "hint.wins_in":
        assert (mine > 0, plies) == (True, value["plies"])
        assert mine >= max(others, default=mine)
    elif reason.key == "why.wins_later":
        assert (best is not None and best > mine > 0, plies) == (True, value["plies"])
    elif reason.key == "why.wins_too":
        assert best is not None
        assert best > mine > 0
    elif reason.key == "why.gives_away_win":
        assert best is not None
        assert best > mine == 0
    elif reason.key == "hint.holds_draw":
        assert mine == 0 == max([mine, *others])
    elif reason.key == "why.loses_in":
        assert (mine < 0, plies) == (True, value["plies"])
    elif reason.key == "why.loses_sooner":
        assert (mine < max(others) < 0, plies) == (True, value["plies"])
    elif reason.key == "hint.longest":
        assert (mine == max([mine, *others]) < 0, plies) == (True, value["plies"])
    elif reason.key in ("why.gives_above", "why.leaves_win"):
        end = position.play_codes([move]).play(value["reply"])
        assert end.outcome is not None
        assert end.outcome.winner == 1 - position.mover
        assert (reason.key == "why.gives_above") == (rules.move_text(move) == value["reply"])
    elif reason.key == "why.answer":
        reply = position.play_codes([move]).play(value["reply"])
        assert truth_of(reply, scores) in (None, mine), "the answer keeps what the move is worth"
    elif reason.key == "why.ends":
        last = position.play_codes(line)
        assert last.outcome is not None
        assert last.outcome.winner == 1 - position.mover
        assert (rules.rows - value["row"], value["column"] - 1) in reason.cells


def truth_of(position: Position, scores: dict[int, int]) -> int | None:
    """The score of a small position two plies later for the same mover; nothing where plain search takes too long."""
    return truth(position) if position.rules.longest_game() <= 20 else None


@pytest.mark.parametrize("game", SMALL)
def test_every_sentence_about_every_move_is_true_by_plain_search(game: str) -> None:
    said = collections.Counter[str]()
    for position in some_positions(game, 60):
        found = ENGINE.analyse(position, all_moves=True)
        told = verdicts(found)
        assert set(told) == set(position.legal_codes), "of every move something is proved"
        scores = {move: -truth(position.play_codes([move])) for move in position.legal_codes}
        for root in found.moves:
            for reason in told[root.move]:
                if reason.key == "why.answer":
                    check_claim(position, root.move, reason, scores, root.line)
                    break  # what follows is said of the answer
                check_claim(position, root.move, reason, scores, root.line)
                said[reason.key] += 1
    if game == "connect4:4x5":
        assert {"hint.only_win", "hint.only_draw", "hint.wins_in", "why.wins_later", "why.gives_away_win", "why.loses_in", "why.loses_sooner",
                "hint.longest", "why.gives_above", "why.leaves_win", "why.ends"} <= set(said)


def test_sentences_about_the_usual_board_are_true_by_another_solver() -> None:
    for position in some_positions("connect4", 12, least=18):
        found = ENGINE.analyse(position, all_moves=True)
        scores = {move: known.lower for move, known in all_moves(ConnectSolver(position.rules), position).items()}
        told = verdicts(found)
        assert set(told) == set(scores)
        for root in found.moves:
            check_claim(position, root.move, told[root.move][0], scores, root.line)
            for reason in told[root.move]:
                if reason.key == "why.ends":
                    check_claim(position, root.move, reason, scores, root.line)


@pytest.mark.parametrize("game", ["connect4", "connect4:5x5", "connect:6x6x3", "connect4:10x11"])
def test_a_distant_threat_is_where_it_is_said_to_be(game: str) -> None:
    seen = set()
    for position in some_positions(game, 60 if game == "connect4:10x11" else 120, least=4):
        rules: Any = position.rules
        mark = 1 + position.mover
        for move in position.legal_codes:
            after = position.play_codes([move])
            for reason in explain_move(position, move):
                if reason.key in ("hint.odd_threat", "hint.even_threat"):
                    seen.add(reason.key)
                    value: Any = reason.values
                    (cell,), cells = reason.cells, rules.picture(after.state()).cells
                    assert cell == (rules.rows - value["row"], value["column"] - 1)
                    assert (reason.key == "hint.odd_threat") == (value["row"] % 2 == 1)
                    assert cells[cell[0]][cell[1]] == cells[cell[0] + 1][cell[1]] == 0, "it cannot be reached yet"
                    assert completes(cells, *cell, mark, rules.line)
                    assert not completes(rules.picture(position.state()).cells, *cell, mark, rules.line), "it is new"
    assert seen == {"hint.odd_threat", "hint.even_threat"}


def test_nothing_is_said_of_what_is_not_proved() -> None:
    position = Position("connect4").play("44")
    opinion = Score(30, "heuristic", 0)
    assert verdict(position, 3, dict.fromkeys(range(7), opinion)) == ()
    assert verdict(position, 3, {}) == ()
    won = Score(2, "exact", 0, "win", 37)
    assert next(reason.key for reason in verdict(position, 3, dict.fromkeys(range(7), opinion) | {3: won})) == "hint.wins_in"
    bound = Score(-1, "upper", 0, "loss")
    assert [reason.key for reason in verdict(position, 2, {2: bound, 3: won})] == ["why.loses"]


def test_only_claims_need_every_other_move() -> None:
    position = Position("connect4").play("44")
    won, lost = Score(2, "exact", 0, "win", 37), Score(-1, "upper", 0, "loss")
    keys = [reason.key for reason in verdict(position, 3, dict.fromkeys(range(7), lost) | {3: won})]
    assert keys[0] == "hint.only_win"
    assert "hint.only_win" not in [reason.key for reason in verdict(position, 3, dict.fromkeys(range(6), lost) | {3: won})]


def test_every_verdict_can_be_said_in_every_language() -> None:
    keys = {key for key in words("en") if key.startswith("why.")}
    assert len(keys) > 8
    for language in LANGUAGES:
        assert keys <= set(words(language))
    reason = Reason("why.loses_in", {"plies": 8})
    assert reason.text("pt") == "Perde em 8 jogadas, contando as dos dois lados."


def test_a_hint_on_a_solved_board_is_proved() -> None:
    position = Position("connect4").play("444443233665555")
    found = hint(position)
    assert found.score is not None
    assert (found.score.kind, found.score.value) == ("exact", ConnectSolver(position.rules).solve(position).score)
    assert found.reasons[0].key in ("hint.longest", "hint.wins_in", "hint.only_draw", "hint.holds_draw", "hint.only_win")


# ---- Reviews and the command line ----


def test_a_review_marks_what_was_won_drawn_and_lost_exactly() -> None:
    position = Position("connect4").play("4444432336655556")
    *_, found = review(position, limit=Limit(nodes=600_000))
    solver = ConnectSolver(position.rules)
    checked = 0
    for move in found.moves[8:]:
        before = Position("connect4").play(position.moves[: move.ply - 1])
        results = [solver.solve(before).result, {"win": "loss", "loss": "win"}.get(other := solver.solve(before.play(move.move)).result, other)]
        worse = {"win": 2, "draw": 1, "loss": 0}
        assert move.turned == (tuple(results) if worse[results[1]] < worse[results[0]] else None)
        checked += move.turned is not None
        if move.turned:
            assert move.grade == "blunder"
            assert move.reasons[0].key in ("why.loses_in", "why.gives_away_win")
            assert move.refutation[0] == move.move
            assert before.play(" ".join(move.refutation)).is_over
    assert checked == 3
    assert found.moves[9].turned == ("win", "draw")
    assert found.moves[9].reasons[0].key == "why.gives_away_win"


def test_a_heuristic_review_claims_nothing_that_is_not_proved() -> None:
    *_, found = review(Position("gomoku").play("h8i9h9h10"), engine="deepening", limit=Limit(nodes=2000))
    assert all(move.turned is None and not move.reasons for move in found.moves)


def test_the_commands_say_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyse", "connect4", "444443233665555", "--engine", "perfect", "--all-moves"]) == 0
    shown = capsys.readouterr().out
    assert "this one holds out longest, 26 moves" in shown
    assert "Every move loses, but this one sooner: in 24 moves" in shown
    assert run(["analyse", "connect4", "444443233665555", "--engine", "perfect", "--all-moves", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["why"]["3"][0]["key"] == "hint.longest"
    assert len(told["lines"]["3"]) == 26
    assert run(["review", "connect4", "4444432336655556", "--nodes", "300000"]) == 0
    assert "blunder: won -> drawn" in capsys.readouterr().out
