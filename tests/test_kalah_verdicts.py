"""What is said of the turns of Kalah: each sentence is held against a Kalah that tries everything, on small boards of both rules."""

from __future__ import annotations

import json
import random

import pytest

from mnkala.cli import run
from mnkala.games import Position
from mnkala.play.reason import Reason
from mnkala.play.reasons import explain_move, hint
from mnkala.play.verdicts import verdict
from mnkala.search import Score, parse_engine
from mnkala.solve import prove
from mnkala.terminal.proofs import exact_text
from mnkala.web.serialise import solved_message
from tests.kalah_claims import best_play, check, scores_of

SMALL = ("kalah:3x2", "kalah:3x2,standard", "kalah:4x2", "kalah:2x4")


def positions(game: str, count: int) -> list[Position]:
    """Unfinished positions of random games."""
    rng = random.Random(game)
    found: list[Position] = []
    while len(found) < count:
        position = Position(game)
        for _ in range(rng.randrange(3, 12)):
            if not position.is_over:
                position = position.play_codes([rng.choice(position.legal_codes)])
        if not position.is_over:
            found.append(position)
    return found


def test_every_sentence_about_every_move_is_true_by_brute_force() -> None:
    """Some two seconds, for the brute force."""
    said: set[str] = set()
    for position in (position for game in SMALL for position in positions(game, 45)):
        scores = scores_of(position)
        best = best_play(position, max(scores, key=lambda move: scores[move].value))
        for move in position.legal_codes:
            line = best_play(position, move)
            told = verdict(position, move, scores, line, best)
            assert told, "of every move something is proved"
            check(position, move, told, scores, line)
            on_the_board = tuple(explain_move(position, move, line=line))
            check(position, move, on_the_board, scores, line)
            said |= {reason.key for reason in (*told, *on_the_board)}
    assert said == {
        "hint.blocks", "hint.captures", "hint.chain", "hint.chain_captures", "hint.eases", "hint.ends", "hint.ends_giving",
        "hint.ends_sweeping", "hint.extra_turns", "hint.holds_draw", "hint.last_sweep", "hint.lost", "hint.only_best", "hint.only_draw",
        "hint.only_move", "hint.only_safe", "hint.only_win", "hint.prepares_again", "hint.prepares_capture", "hint.saves", "hint.wins",
        "hint.wins_by_force", "why.answer_captures", "why.answer_chain", "why.answer_ends", "why.draws_won", "why.last_sweep", "why.later",
        "why.leaves_threat", "why.loses_drawn", "why.loses_more", "why.loses_won", "why.tempting", "why.wins_less"}


def test_the_natural_move_that_loses_is_told_with_the_chain_that_punishes_it() -> None:
    position = Position("kalah:3x3", literal="<3,2,4,1,7,2,2,0,0>o")
    assert " ".join(reason.text() for reason in judged(position, 1)) == (
        "Tempting: 2 gains 3 seeds at once, and no turn gains more. Gives away 4 seeds: loses by 2, where 3 wins by 2. "
        "x answers 3, 1, 3, 2 and captures 2 seeds.")


def test_page_terminal_and_commands_say_why(capsys: pytest.CaptureFixture[str]) -> None:
    literal = "<3,2,4,1,7,2,2,0,0>o"
    *_, found = prove(Position("kalah:3x3", literal=literal))
    said = "Gives away 4 seeds: loses by 2, where 3 wins by 2. x answers 3, 1, 3, 2 and captures 2 seeds."
    assert said in " ".join(exact_text(found, "en"))
    told = next(each for each in solved_message(found).scores if each.move == "2").reasons
    assert said.startswith(told[1].text)
    for command in ("solve", "analyse"):
        engine = ["--engine", "perfect", "--all-moves"] if command == "analyse" else []
        assert run([command, "kalah:3x3", "--position", literal, *engine]) == 0
        assert said in capsys.readouterr().out
        assert run([command, "kalah:3x3", "--position", literal, *engine, "--json"]) == 0
        why = json.loads(capsys.readouterr().out)["moves"]["2"]["why"]
        assert [reason["key"] for reason in why] == ["why.tempting", "why.loses_won", "why.answer_captures"]


def test_a_hint_tells_the_chain_and_what_it_brings() -> None:
    reasons = hint(Position("kalah:3x2"), parse_engine("perfect")).reasons
    assert [reason.key for reason in reasons] == ["hint.only_win", "hint.chain", "hint.last_sweep"]
    assert reasons[1].text("it") == "In un solo turno, 2, 3 porta 2 semi nel granaio."


def test_what_is_not_proved_to_be_best_is_not_praised_for_it() -> None:
    position = Position("kalah:3x3", literal="<3,2,4,1,7,2,2,0,0>o")
    scores = scores_of(position)
    line = best_play(position, 1)
    alone = {reason.key for reason in verdict(position, 1, {1: scores[1]}, line)}
    assert alone == {"why.loses"}, "that every move loses is not known"
    bound = Score(1, "lower", 1, "win")
    assert {reason.key for reason in verdict(position, 2, scores | {2: bound}, ())} == {"hint.only_win"}
    assert verdict(position, 0, {0: Score(5, "heuristic", 1)}) == ()


def judged(position: Position, move: int) -> tuple[Reason, ...]:
    """The verdict on a move by what brute force knows."""
    scores = scores_of(position)
    best = max(scores, key=lambda each: scores[each].value)
    return verdict(position, move, scores, best_play(position, move), best_play(position, best))
