"""What is said of the turns of Kalah: each sentence is held against a Kalah that tries everything,
on small boards of both rules.
"""

from __future__ import annotations

import json
import random

import pytest

from mnkala.cli import run
from mnkala.core import Position
from mnkala.explain.contract import Reason
from mnkala.explain.inspection import hint, hint_of, merged
from mnkala.explain.reasons import explain_move
from mnkala.explain.verdicts import proved_verdicts, verdict, verdicts
from mnkala.search import Limit, Score, parse_engine
from mnkala.solve import prove
from mnkala.web.serialise import solved_message
from tests.kalah_claims import (
    best_play,
    board_of,
    captured_house,
    check,
    scores_of,
    threatened,
)
from tests.terminal_table import terminal_lines

OPINIONS = {"hint.search", "hint.chosen"}
"""What an engine thinks, which no board can judge."""
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


def late_positions(game: str, count: int) -> list[Position]:
    """Unfinished positions of random games with few seeds left, where games are about to end."""
    rng = random.Random(f"{game} late")
    found: list[Position] = []
    while len(found) < count:
        position = Position(game)
        while not position.is_over and sum(map(sum, board_of(position).rows)) > rng.randrange(3, 8):
            position = position.play_codes([rng.choice(position.legal_codes)])
        if not position.is_over:
            found.append(position)
    return found


def partly(position: Position, scores: dict[int, Score], rng: random.Random) -> dict[int, Score]:
    """What a search may know of true scores: some exactly, some by bounds, of some an opinion, and
    of some nothing."""
    me, known = position.mover, {}
    for move, score in scores.items():
        slack = 2 * rng.randrange(3)
        match rng.randrange(6):
            case 0 | 1:
                known[move] = score
            case 2:
                most = score.value + slack
                known[move] = Score.at_most(most, me)
            case 3:
                least = score.value - slack
                known[move] = Score.at_least(least, me)
            case 4:
                known[move] = Score.opinion(rng.randrange(-300, 300), me)
    return known


def test_every_sentence_about_every_move_is_true_by_brute_force() -> None:
    """Some two seconds, for the brute force."""
    said: set[str] = set()
    for position in (
        position for game in SMALL for position in (*positions(game, 45), *late_positions(game, 40))
    ):
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
        "hint.blocks",
        "hint.captures",
        "hint.chain",
        "hint.chain_captures",
        "hint.eases",
        "hint.ends",
        "hint.ends_giving",
        "hint.ends_sweeping",
        "hint.extra_turns",
        "hint.holds_draw",
        "hint.last_sweep",
        "hint.lost",
        "hint.only_best",
        "hint.only_draw",
        "hint.only_move",
        "hint.only_safe",
        "hint.only_win",
        "hint.prepares_again",
        "hint.prepares_capture",
        "hint.saves",
        "hint.wins",
        "hint.wins_by_force",
        "why.answer_captures",
        "why.answer_chain",
        "why.answer_ends",
        "why.draws_won",
        "why.last_sweep",
        "why.later",
        "why.leaves_threat",
        "why.loses_drawn",
        "why.loses_more",
        "why.loses_won",
        "why.tempting",
        "why.wins_less",
    }


def test_every_sentence_about_partly_proved_moves_is_true_by_brute_force() -> None:
    rng, said = random.Random(5), set()
    for position in (
        position for game in SMALL for position in (*positions(game, 30), *late_positions(game, 30))
    ):
        scores = scores_of(position)
        known = partly(position, scores, rng)
        best = max(scores, key=lambda each: scores[each].value)
        whole = rng.choice([None, Score.opinion(70, position.mover), scores[best]])
        liked = max(known, key=lambda each: known[each].value, default=best)
        for move in known:
            line = best_play(position, move)
            told = verdict(position, move, known, line, best_play(position, liked), whole)
            check(position, move, told, scores, line)
            said |= {reason.key for reason in told}
    assert said >= {
        "why.gives_at_least",
        "why.wins_less",
        "why.loses_won",
        "why.loses_more",
        "why.loses",
        "why.later",
        "why.answer_captures",
        "hint.only_win",
        "hint.only_best",
        "hint.only_safe",
        "hint.lost",
    }


@pytest.mark.parametrize("engine", ["sowing", "deepening", "perfect", "mcts", "alphabeta:depth=4"])
def test_every_sentence_of_an_analysis_within_few_nodes_is_true_by_brute_force(engine: str) -> None:
    """Few nodes, so that some moves are proved and of others there is an estimate."""
    search, half = parse_engine(engine), 0
    for position in (position for game in SMALL for position in positions(game, 12)):
        scores = scores_of(position)
        for nodes in (20, 60, 200):
            found = search.analyse(position, Limit(nodes=nodes), all_moves=True)
            told = verdicts(found)
            half += 0 < len(told) < len(position.legal_codes)
            for root in found.moves:
                check(position, root.code, told.get(root.code, ()), scores, root.line_codes)
            line = found.line_codes
            reasons = (
                reason
                for reason in hint_of(merged(None, found)).reasons
                if reason.key not in OPINIONS
            )
            check(position, line[0], tuple(reasons), scores, line)
    assert half, "of some positions a part of the moves is proved"


def test_what_is_given_away_is_told_as_a_least_while_a_better_move_is_an_estimate() -> None:
    position = Position("kalah").play("31143346544633464122551314236143563")
    found = parse_engine("sowing").analyse(position, Limit(nodes=300), all_moves=True)
    assert found.scores["4"].kind == "estimate"
    told = " ".join(reason.text() for reason in verdicts(found)[2])
    assert told.startswith("Gives away at least 2 seeds: house 1 is proved to gain 2 more. ")
    *_, exact = prove(position)
    assert proved_verdicts(exact)[2][0].text() == (
        "Gives away 10 seeds: loses by 6, where house 4 wins by 4."
    )


def test_a_reply_that_wins_all_the_same_is_not_blocked() -> None:
    *_, found = prove(Position("kalah").play("3135214431256524511514161"))
    told = [reason.key for reason in proved_verdicts(found)[1]]
    assert told == ["hint.only_safe", "hint.only_best", "hint.lost"]
    stopped = explain_move(Position("kalah:3x2", literal="<3,2,4,2,1,0,2,1,0>"), 0)
    assert stopped[0].text() == "Blocks: o would win with house 2."


def test_a_threat_that_is_not_stopped_is_named_and_another_house_is_another_threat() -> None:
    position = Position("kalah").play("31143346544633464122551314236143563")
    *_, found = prove(position)
    told = proved_verdicts(found)[2][1].text()
    assert told.startswith("It does not stop the threat to o's house 4: x answers ")
    # Before the move, o's chain 3, 2 captures from one house, and after it from another.
    elsewhere = Position("kalah:3x3", literal="<3,2,2,5,1,1,0,6,1>")
    scores, line = scores_of(elsewhere), (0, 2, 1, 0, 2, 0, 2)
    assert threatened(board_of(elsewhere).passed(), (2, 1)) == 2
    assert captured_house(board_of(elsewhere).sow(0), (2, 1)) == 1
    reasons = verdict(elsewhere, 0, scores, line, best_play(elsewhere, 1))
    assert "o answers with the turn 3, 2 and captures 3 seeds." in {
        reason.text() for reason in reasons
    }


def test_the_natural_move_that_loses_is_told_with_the_chain_that_punishes_it() -> None:
    position = Position("kalah:3x3", literal="<3,2,4,1,7,2,2,0,0>o")
    assert " ".join(reason.text() for reason in judged(position, 1)) == (
        "Tempting: house 2 gains 3 seeds at once, and no turn gains more. Gives away 4 seeds: loses by 2, where house 3 wins by 2. "
        "x answers with the turn 3, 1, 3, 2 and captures 2 seeds."
    )


def test_page_terminal_and_commands_say_why(capsys: pytest.CaptureFixture[str]) -> None:
    literal = "<3,2,4,1,7,2,2,0,0>o"
    *_, found = prove(Position("kalah:3x3", literal=literal))
    said = "Gives away 4 seeds: loses by 2, where house 3 wins by 2. x answers with the turn 3, 1, 3, 2 and captures 2 seeds."
    assert said in " ".join(terminal_lines(merged(found, None), "en"))
    told = next(
        each for each in solved_message(merged(found, None)).scores if each.move == "2"
    ).reasons
    assert said.startswith(told[1].english)
    for command in ("solve", "analyse"):
        engine = ["--engine", "perfect", "--all-moves"] if command == "analyse" else []
        assert run([command, "kalah:3x3", "--position", literal, *engine]) == 0
        assert said in " ".join(capsys.readouterr().out.split())
        assert run([command, "kalah:3x3", "--position", literal, *engine, "--json"]) == 0
        why = json.loads(capsys.readouterr().out)["moves"]["2"]["why"]
        assert [reason["key"] for reason in why] == [
            "why.tempting",
            "why.loses_won",
            "why.answer_captures",
        ]


def test_a_hint_tells_the_chain_and_what_it_brings() -> None:
    reasons = hint(Position("kalah:3x2")).reasons
    assert [reason.key for reason in reasons] == ["hint.only_win", "hint.chain", "hint.last_sweep"]
    assert reasons[1].text("it") == "Il turno 2, 3 porta 2 semi nel granaio."


def test_what_is_not_proved_to_be_best_is_not_praised_for_it() -> None:
    position = Position("kalah:3x3", literal="<3,2,4,1,7,2,2,0,0>o")
    scores = scores_of(position)
    line = best_play(position, 1)
    alone = {reason.key for reason in verdict(position, 1, {1: scores[1]}, line)}
    assert alone == {"why.loses"}, "that every move loses is not known"
    bound = Score.at_least(1, 1)
    assert {reason.key for reason in verdict(position, 2, scores | {2: bound}, ())} == {
        "hint.only_win"
    }
    assert verdict(position, 0, {0: Score.opinion(5, 1)}) == ()


def judged(position: Position, move: int) -> tuple[Reason, ...]:
    """The verdict on a move by what brute force knows."""
    scores = scores_of(position)
    best = max(scores, key=lambda each: scores[each].value)
    return verdict(position, move, scores, best_play(position, move), best_play(position, best))
