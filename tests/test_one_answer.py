"""One answer to what a position is worth: the page's message, the terminal's lines, the JSON and
the Python API say the same of it.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterator

import pytest

from mnkala import Limit, Position, Score, Stop, inspect
from mnkala.cli import run
from mnkala.cli.analyse import analysis_json
from mnkala.explain.inspection import Inspection, hint, merged
from mnkala.explain.score_words import moves_to_end, score_words
from mnkala.explain.words import LANGUAGES
from mnkala.play.fair_starts import ready_fair_starts
from mnkala.play.reviews import review
from mnkala.search import Analysis, RootMove, parse_engine
from mnkala.solve import Exact
from mnkala.web.serialise import analysis_update
from tests.installed_plugin import EXAMPLES, example_plugins
from tests.terminal_table import terminal_lines

GAMES = (
    "connect4",
    "connect4:8x8",
    "connect:4x5x3",
    "tictactoe",
    "mnk:5x5x4",
    "gomoku",
    "kalah:3x2",
    "kalah:6x5",
    "reversi:4x4",
    "reversi:6x6",
)
SOLVED = ("connect:4x5x3", "tictactoe", "kalah:3x2", "mnk:4x4x3", "reversi:4x4")
LIMIT = Limit(nodes=20_000)


@pytest.fixture(scope="module", autouse=True)
def _a_family_of_ones_own_is_registered() -> Iterator[None]:
    """Reversi, a package that is not part of mnkala."""
    modules = ("reversi", "reversi.heuristic", "reversi.solver")
    with example_plugins(*modules, folder=EXAMPLES / "reversi"):
        yield


def some_position(game: str, seed: int) -> Position:
    """A position of a random game."""
    rng, position = random.Random(seed), Position(game)
    for _ in range(rng.randrange(1, 12)):
        after = position.play_codes((rng.choice(position.legal_codes),))
        if after.is_over:
            break
        position = after
    return position


@pytest.mark.parametrize(("game", "seed"), list(itertools.product(GAMES, range(3))))
def test_the_page_the_terminal_the_json_and_python_say_the_same(game: str, seed: int) -> None:
    position = some_position(game, seed)
    *_, found = inspect(position, LIMIT)
    rules, message, told = (
        position.rules,
        analysis_update(1, found),
        json.loads(json.dumps(analysis_json(found))),
    )
    assert found.score is not None
    assert message.whole is not None
    # 1. The position.
    assert score_words(found.score, rules) == message.whole.words.english == told["words"]
    assert round(found.score.chance, 6) == message.whole.chance == told["chance"]
    assert list(found.best_moves) == message.best == told["best"]
    assert list(found.line) == message.line == told["line"]
    # 2. Its moves, the best first.
    names = [rules.move_text(move.code) for move in found.moves]
    assert names == [each.move for each in message.scores] == list(told["moves"])
    assert names[0] in found.best_moves or not found.best_moves
    for move, shown in zip(found.moves, message.scores, strict=True):
        facts = told["moves"][shown.move]
        assert score_words(move.score, rules) == shown.words.english == facts["words"]
        assert (shown.chance, shown.result, shown.score, shown.plies) == tuple(
            facts[key] for key in ("chance", "result", "score", "plies")
        )
    # 3. The terminal, in every language.
    for language in LANGUAGES:
        lines = terminal_lines(found, language)
        for name, move in list(zip(names, found.moves, strict=True))[:10]:
            words = score_words(move.score, rules, language)
            assert any(line.lstrip("* ").startswith(name) and words in line for line in lines), (
                name,
                words,
            )


@pytest.mark.parametrize("game", SOLVED)
def test_solve_hints_and_reviews_say_what_inspect_says(
    game: str, capsys: pytest.CaptureFixture[str]
) -> None:
    position = some_position(game, 1)
    *_, found = inspect(position)
    names = [position.rules.move_text(move.code) for move in found.moves]
    assert found.score is not None
    assert run(["solve", game, *position.history, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["score"], told["line"], list(told["moves"])) == (
        found.score.exact,
        list(found.line),
        names,
    )
    for name, move in zip(names, found.moves, strict=True):
        assert (told["moves"][name]["score"], told["moves"][name]["plies"]) == (
            move.score.exact,
            move.score.plies,
        )
        assert told["moves"][name]["why"] == [
            reason.to_json() for reason in found.reasons.get(move.code, ())
        ]
    advice = hint(position)
    assert (advice.move, advice.score) == (found.best_move, found.score)
    *_, looked = review(position.play(found.best_move))
    last = looked.moves[-1]
    assert last.best_score is not None
    assert (last.grade, last.best_score.exact) == ("best", found.score.exact)


def a_proof(position: Position, scores: dict[int, Score], whole: Score) -> Exact:
    """A proof that has come so far."""
    moves = tuple(
        RootMove(code, scores.get(code, Score(-18, 18, position.mover)), ())
        for code in position.legal_codes
    )
    return Exact(position, "solver", whole, moves, ())


def an_estimate(position: Position, numbers: dict[int, int]) -> Analysis:
    """What a search thinks, of each move a number."""
    moves = tuple(
        RootMove(code, Score.opinion(number, position.mover), (code,))
        for code, number in numbers.items()
    )
    best = max(moves, key=lambda move: move.score.value)
    return Analysis(position, "deepening", best.score, moves, best.line_codes, depth=4)


def test_an_estimate_never_says_more_than_the_proof_beside_it() -> None:
    position = Position("connect4").play("44")
    numbers = {code: 10 * code for code in position.legal_codes}
    known = merged(
        a_proof(position, {6: Score.exactly(-18, 0, 2)}, Score(-18, 18)),
        an_estimate(position, numbers),
    )
    assert known.best_moves == (), "what the estimate liked is proved to lose"
    known = merged(
        a_proof(position, {6: Score(-18, 0)}, Score(-18, 0)), an_estimate(position, numbers)
    )
    assert known.best_moves == ("7",)
    assert known.moves[0].score.chance <= 0.5
    drawn = merged(
        a_proof(position, {0: Score.exactly(0)}, Score(0, 18)),
        an_estimate(position, dict.fromkeys(position.legal_codes, -50)),
    )
    assert (drawn.best_moves, drawn.score) == (("1",), Score(0, 18)), "a draw can be had"
    hoped = merged(
        a_proof(position, {0: Score.exactly(0)}, Score(0, 18)), an_estimate(position, numbers)
    )
    assert hoped.best_moves == ("7",)
    assert hoped.score is not None
    assert (hoped.score.kind, hoped.score.chance > 0.5) == ("estimate", True), "and so may more"
    won = merged(
        a_proof(position, {3: Score.exactly(2, 0, 31)}, Score.exactly(2, 0, 31)),
        an_estimate(position, numbers),
    )
    assert won.best_moves == ("4",)
    assert won.is_settled


def test_the_stream_grows_and_a_closed_one_stops_the_work() -> None:
    stream = inspect(Position("connect4:7x6"), Limit(time=60))
    seen: list[Inspection] = list(itertools.islice(stream, 5))
    stream.close()
    assert seen[0].proof is not None
    for earlier, later in itertools.pairwise(seen):
        assert earlier.proof is not None
        assert later.proof is not None
        assert (
            earlier.proof.score.lower
            <= later.proof.score.lower
            <= later.proof.score.upper
            <= earlier.proof.score.upper
        )
    stop = Stop()
    stop.set()
    assert all(not found.is_settled for found in inspect(Position("connect4:7x6"), stop=stop))


def test_a_position_is_told_alike_at_odd_and_at_even_depths(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Single depths said 51 % and 75 %."""
    told = []
    for depth in ("14", "15"):
        assert (
            run(
                [
                    "analyse",
                    "connect4",
                    "44352",
                    "--engine",
                    "deepening",
                    "--depth",
                    depth,
                    "--json",
                ]
            )
            == 0
        )
        told.append(json.loads(capsys.readouterr().out)["chance"])
    assert abs(told[0] - told[1]) < 0.1


def test_moves_are_the_winners_own_and_plies_are_for_programs() -> None:
    won = parse_engine("deepening:depth=6").analyse(Position("connect4").play("4455"))
    assert won.score is not None
    rules = won.position.rules
    assert (won.score.plies, moves_to_end(won.score, rules), score_words(won.score, rules)) == (
        3,
        2,
        "wins in 2 moves",
    )
    assert analysis_json(won)["plies"] == 3
    update = analysis_update(1, merged(None, won)).whole
    assert update is not None
    assert update.detail is not None
    assert "3 plies" in update.detail.english


def test_the_command_shows_the_proof_where_it_is_within_reach(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["analyse", "connect4", "44444715", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["kind"], told["score"], told["words"], told["best"]) == (
        "exact",
        3,
        "wins in 15 moves",
        ["2"],
    )
    assert len(told["line"]) == told["plies"] == 29


def test_an_open_four_is_a_win_and_not_a_likely_one() -> None:
    """The reason "makes an open four: o cannot stop both" stood beside "likely wins"."""
    position = Position("gomoku").play("h8,a1,h9,a2,h10,a4")
    for engine in ("threats", "deepening"):
        *_, found = inspect(position, Limit(nodes=20_000), engine=engine)
        made = [
            move
            for move in found.moves
            if any(
                reason.key == "hint.makes_open_four" for reason in found.reasons.get(move.code, ())
            )
        ]
        assert {position.rules.move_text(move.code) for move in made} == {"h7", "h11"}
        assert {score_words(move.score, position.rules) for move in made} == {"wins in 2 moves"}


def test_a_fair_start_of_kalah_is_told_to_be_a_draw_by_everybody() -> None:
    """The level said 48 %, the hint 71 %, and the analysis that it is a draw."""
    for start in ready_fair_starts("kalah")[:2]:
        position = start.position
        best = {move for move, score in start.scores.items() if score == 0}
        advice, answer = hint(position), parse_engine("perfect:time=2").analyse(position)
        *_, found = inspect(position, Limit(time=2))
        assert advice.score is not None
        assert answer.score is not None
        assert found.score is not None
        assert {
            score_words(score, position.rules)
            for score in (advice.score, answer.score, found.score)
        } == {"a draw"}
        assert {advice.move, answer.best_move, *found.best_moves} <= best
