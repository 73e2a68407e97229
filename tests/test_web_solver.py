"""The server's interface to the solver: exact scores that stream, the opening book, puzzles; within
limits, and never a guess.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from mnkala import Position
from mnkala.families.connect.puzzles import needed_score
from mnkala.families.connect.solver.solver import ConnectSolver, plies_to_end
from tests.reference_solver import true_scores
from tests.web_server import Person, Server

MIDDLE = "4444422635"
"""Ten moves: solved in a second, and some moves win, one draws, some lose."""
LATER = MIDDLE + "1173"
"""The same, solved in a tenth of a second: for questions with a limit of time."""


@pytest.fixture
def ann(server: Server) -> Person:
    return Person(server)


# ---- Threats ----


def test_threats_are_told_with_their_marks_what_they_threaten_and_what_stops_them(
    ann: Person,
) -> None:
    (threat,) = ann.post("/threats", {"game": "gomoku", "moves": "h8h9i8i9j8"})["threats"]
    assert (threat["player"], threat["kind"]) == (0, "open_three")
    assert threat["stones"] == [[7, 7], [7, 8], [7, 9]]
    assert threat["at"] == threat["stops"] == [[7, 6], [7, 10]]
    assert threat["told"]["text"].startswith("x has an open three h8-i8-j8")
    assert threat["told"]["values"]["three"] == "@threat.number.3"
    assert ann.post("/threats", {"game": "gomoku"})["threats"] == []
    assert (
        "with lines of 4 to 16, "
        in ann.post("/threats", {"game": "mnk:20x20x17"}, expect=400)["error"]
    )
    assert (
        "not shown in connect4; they are in games such as gomoku"
        in ann.post("/threats", {"game": "connect4"}, expect=400)["error"]
    )


# ---- Exact scores ----


def test_every_move_is_proved(ann: Person) -> None:
    solved = ann.post("/solve", {"game": "connect4", "moves": LATER, "seconds": 10})
    expected = true_scores(LATER)
    assert {known["move"]: known["score"] for known in solved["scores"]} == expected
    assert solved["done"]
    assert solved["whole"]["score"] == max(expected.values())
    assert set(solved["best"]) == {
        move for move, score in expected.items() if score == max(expected.values())
    }


def test_lines_are_as_long_as_the_score_says_and_end_as_it_says(ann: Person) -> None:
    solved = ann.post("/solve", {"game": "connect4", "moves": LATER, "seconds": 10})
    start = Position("connect4").play(LATER)
    for known in solved["scores"]:
        end = start.play(",".join(known["line"]))
        assert known["line"][0] == known["move"]
        assert len(known["line"]) == known["plies"] == plies_to_end(known["score"], 42 - len(LATER))
        assert end.outcome is not None
        winner = {"win": start.mover, "loss": 1 - start.mover, "draw": None}[known["result"]]
        assert end.outcome.winner == winner


def test_a_proof_of_kalah_tells_whole_turns_and_a_move_is_told_seed_by_seed(ann: Person) -> None:
    where = {"game": "kalah:3x2", "start": "<3,4,3,0,1,1,2,1,0>"}
    best, worse = ann.post("/solve", {**where, "seconds": 10})["scores"]
    assert (best["score"], best["line"][:2], best["turns"]) == (4, ["3", "2"], [2])
    assert [
        (each["move"], each["way"], each["captured"], each["again"]) for each in best["turn"]
    ] == [("3", [[1, 2], [1, 3]], 0, True), ("2", [[1, 1], [1, 2]], 2, False)]
    assert worse["turn"][0]["move"] == "2"
    lifted, sown = ann.post("/steps", {**where, "move": "3"})["steps"]
    assert (lifted["kind"], lifted["hand"], lifted["board"]) == (
        "lift",
        1,
        {"houses": [[0, 1, 2], [0, 1, 0]], "stores": [4, 3]},
    )
    assert (sown["kind"], sown["cells"], sown["board"]["stores"]) == ("sow", [[1, 3]], [5, 3])
    assert ann.post("/steps", {"game": "connect4", "move": "4"})["steps"] == []
    for body, said in [
        ({**where, "move": "1"}, "legal moves are 2 3"),
        ({**where, "move": "9"}, "houses are 1-3"),
        ({**where, "moves": "32", "move": "1"}, "the game is over"),
    ]:
        assert said in ann.post("/steps", body, 400)["error"]


def test_bounds_stream_close_in_and_never_cross(ann: Person) -> None:
    expected = true_scores(MIDDLE)
    seen: dict[str, list[tuple[int, int]]] = {move: [] for move in expected}
    with ann.live() as connection:
        connection.send(type="analyse", id=7, game="connect4", moves=MIDDLE)
        while True:
            message = connection.until(
                lambda message: message["type"] == "analysis" and message["id"] == 7
            )
            for known in message["scores"]:
                if known["lower"] is not None and known["upper"] is not None:
                    seen[known["move"]].append((known["lower"], known["upper"]))
            if message["final"]:
                break
    assert message["proved"] == len(message["scores"])
    for move, bounds in seen.items():
        assert bounds[-1] == (expected[move], expected[move])
        for (low, high), (lower, upper) in itertools.pairwise(bounds):
            assert low <= lower <= expected[move] <= upper <= high


def test_an_analysis_estimates_what_is_not_proved_and_is_stopped_at_once(ann: Person) -> None:
    """The empty board of 7 x 8 takes days."""
    with ann.live() as connection:
        connection.send(type="analyse", id=1, game="connect4:7x6")
        seen = connection.until(
            lambda message: message["type"] == "analysis" and message["depth"] > 3
        )
        assert seen["whole"]["kind"] == "estimate"
        assert seen["proved"] == 0
        connection.send(type="stop", id=1)
        last = connection.until(lambda message: message["type"] == "analysis" and message["final"])
        assert last["proved"] < len(last["scores"])
        connection.send(type="analyse", id=2, game="connect4", moves=MIDDLE)
        done = connection.until(
            lambda message: (
                message["type"] == "analysis" and message["id"] == 2 and message["final"]
            )
        )
        assert done["proved"] == len(done["scores"])


def test_a_position_out_of_reach_is_told_so_and_estimated(ann: Person) -> None:
    with ann.live() as connection:
        connection.send(type="analyse", id=1, game="kalah:6x6")
        told = connection.until(lambda message: message["type"] == "analysis")
        assert "this position of kalah:6x6 is out of reach" in told["out_of_reach"]["error"]
        assert told["proved"] is None
        connection.send(type="analyse", id=2, game="kalah:3x2")
        solved = connection.until(
            lambda message: (
                message["type"] == "analysis" and message["id"] == 2 and message["final"]
            )
        )
        assert (solved["whole"]["score"], solved["best"]) == (4, ["2"])


def test_a_short_time_is_kept(ann: Person) -> None:
    solved = ann.post("/solve", {"game": "connect4:7x6", "seconds": 0.5})
    assert not solved["done"]
    assert solved["whole"]["score"] is None


@pytest.mark.parametrize(
    ("game", "moves", "said"), [("gomoku", "", "cannot be solved"), ("connect4", "1212121", "over")]
)
def test_what_cannot_be_solved_is_explained(ann: Person, game: str, moves: str, said: str) -> None:
    assert said in ann.post("/solve", {"game": game, "moves": moves}, expect=400)["error"]


@pytest.mark.parametrize(
    ("game", "noun", "graded", "solver", "book", "puzzles"),
    [
        ("connect4", "column", False, True, True, True),
        ("connect:5x6x3", "column", False, True, True, True),
        ("connect4:10x11", "column", False, True, False, False),
        ("gomoku", "cell", False, False, False, True),
        ("mnk:8x8x3", "cell", False, True, False, False),
        ("kalah", "house", True, True, True, True),
    ],
)
def test_a_view_says_what_its_game_has(
    ann: Person, game: str, noun: str, graded: bool, solver: bool, book: bool, puzzles: bool
) -> None:
    view = ann.post("/look", {"game": game})
    assert (view["noun"], view["graded"], view["solver"], view["book"], view["puzzles"]) == (
        noun,
        graded,
        solver,
        book,
        puzzles,
    )


# ---- The book ----


def test_the_book_agrees_with_the_solver(ann: Person) -> None:
    moves = "44444"
    found = ann.post("/book", {"game": "connect4", "moves": moves})
    assert found["book"]
    settled = {
        known["move"]: known["score"] for known in found["scores"] if known["score"] is not None
    }
    assert settled
    solved = true_scores(moves + "4")
    assert settled["4"] == -max(solved.values())
    six = ann.post("/book", {"game": "connect4", "moves": moves + "4"})
    assert all(
        solved[known["move"]] == known["score"]
        for known in six["scores"]
        if known["score"] is not None
    )


def test_the_book_says_where_it_ends(ann: Person) -> None:
    moves = "12345671234567123456"
    found = ann.post("/book", {"game": "connect4", "moves": moves})
    assert (found["scores"], found["whole"]) == ([], None)
    assert found["here"] == len(moves) > found["depth"] > 0
    assert found["last"] == found["depth"] - 1
    assert ann.post("/book", {"game": "connect4:4x5"})["book"] is None
    assert "no opening book" in ann.post("/book", {"game": "gomoku"}, expect=400)["error"]


# ---- Lessons ----


def lesson_of(person: Person, name: str, language: str = "en") -> Any:
    courses = person.get(f"/lessons?language={language}")["courses"]
    assert [course["game"] for course in courses] == ["tictactoe", "connect4", "gomoku", "kalah"]
    return next(each for course in courses for each in course["lessons"] if each["name"] == name)


def test_a_lesson_is_judged_move_by_move_and_kept_once_it_is_done(ann: Person) -> None:
    lesson = lesson_of(ann, "zugzwang")
    assert lesson["cells"] == [[3, 6]]
    assert not lesson["learned"]
    where = {"game": "connect4", "lesson": "zugzwang"}
    wrong = ann.post("/lessons/try", {**where, "move": "7"})
    assert not wrong["right"]
    assert wrong["line"][0] == "7"
    assert wrong["said"]
    played: list[str] = []
    while True:
        (move,) = ann.post("/lessons/help", {**where, "played": played})["line"][:1]
        tried = ann.post("/lessons/try", {**where, "played": played, "move": move})
        assert tried["right"]
        if tried["solved"]:
            break
        played += [move, tried["reply"]]
    assert len(played) == 4
    assert lesson_of(ann, "zugzwang", "pt")["learned"]
    assert not lesson_of(ann, "seven")["learned"]


def test_gomoku_is_judged_by_threats_in_lessons_and_puzzles(ann: Person) -> None:
    where = {"game": "gomoku", "lesson": "the-right-end"}
    wrong = ann.post("/lessons/try", {**where, "move": "g8"})
    assert not wrong["right"]
    assert "k8" in wrong["line"]
    assert ann.post("/lessons/try", {**where, "move": "k8"})["solved"]
    puzzle = ann.post("/puzzles", {"game": "gomoku", "kind": "defence"})["puzzles"][0]
    asked = {"game": "gomoku", "moves": puzzle["moves"], "kind": "defence"}
    (move,) = ann.post("/puzzles/help", asked)["line"]
    assert ann.post("/puzzles/try", {**asked, "move": move})["solved"]


def test_lessons_that_do_not_exist_are_refused(ann: Person) -> None:
    for body, problem in (
        ({"game": "connect4", "lesson": "flying"}, "no lesson is called"),
        ({"game": "reversi", "lesson": "fork"}, "no"),
        ({"game": "tictactoe", "lesson": "fork", "played": ["b1"]}, "b1"),
    ):
        assert problem in ann.post("/lessons/help", body, expect=400)["error"]


# ---- Puzzles ----


@pytest.mark.parametrize("win_in", range(3, 9))
def test_puzzles_of_every_length_are_served_at_once_without_their_solutions(
    ann: Person, win_in: int
) -> None:
    found = ann.post("/puzzles", {"win_in": win_in})
    assert len(found["puzzles"]) >= 12
    for puzzle in found["puzzles"]:
        assert puzzle["win_in"] == win_in
        assert 1 <= puzzle["grade"] <= 5
        assert "solution" not in puzzle
    assert [puzzle["grade"] for puzzle in found["puzzles"]] == sorted(
        puzzle["grade"] for puzzle in found["puzzles"]
    )


@pytest.mark.parametrize("win_in", [3, 5, 8])
def test_a_puzzle_is_won_in_time_against_the_best_defence(ann: Person, win_in: int) -> None:
    puzzle = ann.post("/puzzles", {"win_in": win_in})["puzzles"][0]
    played: list[str] = []
    for left in range(win_in, 0, -1):
        where = {
            "game": puzzle["game"],
            "moves": puzzle["moves"],
            "win_in": win_in,
            "played": played,
        }
        help_given = ann.post("/puzzles/help", where)
        assert len(help_given["line"]) == 2 * left - 1
        assert help_given["reasons"]
        tried = ann.post("/puzzles/try", {**where, "move": help_given["line"][0]})
        assert tried["right"]
        if left == 1:
            assert (tried["solved"], tried["reply"], tried["after"]["over"]) == (True, None, True)
            return
        assert not tried["solved"]
        assert tried["left"] == left - 1
        played += [tried["move"], tried["reply"]]
        assert tried["answered"]["played"][-2:] == played[-2:]


def test_every_wrong_move_is_told_apart_from_the_right_one(ann: Person) -> None:
    """By the solver's own word, in a position of which it knows everything."""
    puzzle = ann.post("/puzzles", {"win_in": 4})["puzzles"][1]
    position = Position("connect4").play(puzzle["moves"])
    scores = true_scores(puzzle["moves"])
    needed = needed_score(position, 4)
    assert max(scores.values()) == needed
    for move, score in scores.items():
        tried = ann.post(
            "/puzzles/try",
            {"game": "connect4", "moves": puzzle["moves"], "win_in": 4, "move": move},
        )
        assert tried["right"] is (score >= needed)
        if not tried["right"]:
            assert tried["worth"]["score"] == score
            assert len(tried["line"]) == tried["worth"]["plies"]
            assert tried["reply"] is None


def test_bad_questions_about_puzzles_are_refused(ann: Person) -> None:
    puzzle = ann.post("/puzzles", {"win_in": 3})["puzzles"][0]
    where = {"game": "connect4", "moves": puzzle["moves"], "win_in": 3}
    assert "playable" in ann.post("/puzzles/try", {**where, "move": "9"}, expect=400)["error"]
    assert (
        "nothing left"
        in ann.post("/puzzles/try", {**where, "played": ["1"], "move": "1"}, expect=400)["error"]
    )
    assert (
        "no win in 2"
        in ann.post("/puzzles/help", {"game": "connect4", "win_in": 2}, expect=400)["error"]
    )
    assert "win_in" in ann.post("/puzzles", {"win_in": 99}, expect=400)["error"]
    assert ann.post("/puzzles", {"game": "gomoku", "win_in": 3}, expect=400)["error"]


def test_a_turn_of_kalah_is_found_and_a_wrong_house_is_refuted(ann: Person) -> None:
    found = ann.post("/puzzles", {"game": "kalah", "kind": "save"})
    puzzle = next(
        each
        for each in found["puzzles"]
        if len(ann.post("/puzzles/help", where_of(each))["line"]) > 1
    )
    assert (puzzle["kind"], puzzle["win_in"], puzzle["task"]["key"][:22]) == (
        "save",
        None,
        "kalah.puzzle.task_save",
    )
    where, line = where_of(puzzle), ann.post("/puzzles/help", where_of(puzzle))["line"]
    wrong = next(
        move["move"]
        for move in ann.post("/look", {"game": "kalah", "moves": puzzle["moves"]})["moves"]
        if move["move"] != line[0]
    )
    refuted = ann.post("/puzzles/try", {**where, "move": wrong})
    assert (
        refuted["right"],
        refuted["worth"]["result"],
        refuted["left"],
        refuted["turns"][0][0],
    ) == (False, "loss", None, wrong)
    for number, move in enumerate(line):
        tried = ann.post("/puzzles/try", {**where, "played": line[:number], "move": move})
        assert (tried["right"], tried["solved"], tried["reply"]) == (
            True,
            number == len(line) - 1,
            None,
        )
    assert (
        "the turn is over"
        in ann.post("/puzzles/try", {**where, "played": line, "move": "1"}, expect=400)["error"]
    )


def where_of(puzzle: Any) -> dict[str, Any]:
    return {name: puzzle[name] for name in ("game", "moves", "kind")}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"game": "kalah", "kind": "nonsense"}, "are of the kinds only-move"),
        ({"game": "kalah", "win_in": 3}, "puzzles of kalah are chosen by kind alone"),
        ({"game": "connect4", "kind": "save"}, "by win_in alone"),
        ({"game": "kalah", "kind": "all"}, "kind"),
        ({"game": "kalah:2x2", "kind": "save"}, "at least 3 houses"),
    ],
)
def test_a_goal_that_does_not_fit_the_game_is_refused(
    ann: Person, body: dict[str, Any], said: str
) -> None:
    assert said in ann.post("/puzzles", body, expect=400)["error"]


def test_fair_starts_can_be_played(ann: Person) -> None:
    found = ann.post("/fair", {"game": "kalah:6x3"})
    assert all(max(start["scores"].values()) == 0 for start in found["starts"])
    game = ann.post(
        "/games", {"game": "kalah:6x3", "start": found["starts"][0]["literal"]}, expect=201
    )
    assert (game["view"]["start"], game["view"]["fair"]) == (found["starts"][0]["literal"], True)
    assert ann.post("/fair", {"game": "connect4"})["starts"] == []
    assert not ann.post("/look", {"game": "connect4"})["fair"]


def test_other_boards_have_puzzles_too(ann: Person) -> None:
    found = ann.post("/puzzles", {"game": "connect4:5x6", "win_in": 3})
    assert found["puzzles"]
    for puzzle in found["puzzles"]:
        position = Position("connect4:5x6").play(puzzle["moves"])
        assert ConnectSolver(position.rules).solve(position).score.plies == 5
