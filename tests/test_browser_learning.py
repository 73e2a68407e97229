"""What one learns from on the page, in a real browser: searches step by step, tours, lessons and
puzzles.

Each test is a journey of one person; its steps are functions that say what holds.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, ViewportSize, expect

from mnkala import Limit, Position, parse_engine
from mnkala.explain.words import words
from tests.browser import PATIENCE, Visitor, module

expect.set_options(timeout=PATIENCE)


# ---- Searches ----


def test_a_search_is_watched_step_by_step(ann: Visitor, phone: Visitor) -> None:
    the_tree_has_the_nodes_that_the_engine_counts(ann)
    minimax_and_alphabeta_stand_side_by_side(ann)
    the_visits_of_a_monte_carlo_tree_are_those_of_the_engine(ann)
    the_steps_of_a_search_name_their_moves_and_count_those_of_the_winner(ann)
    a_phone_shows_the_tree_large_enough_to_read_and_explains_its_signs(phone)


def the_tree_has_the_nodes_that_the_engine_counts(ann: Visitor) -> None:
    page = ann.go("#/think?game=connect4&moves=44&algorithm=alphabeta&depth=3")
    expected = parse_engine("alphabeta").analyse(Position("connect4").play("44"), Limit(depth=3))
    expect(page.locator("#think-nodes")).to_have_attribute("data-total", str(expected.nodes))
    page.keyboard.press("End")
    expect(page.locator("#think-nodes")).to_have_attribute("data-nodes", str(expected.nodes))
    page.locator("#step-back").click()
    page.locator("#step-forward").click()
    with page.expect_download() as downloading:
        page.locator("#export-json").click()
    assert json.loads(Path(downloading.value.path()).read_text())["nodes"] == expected.nodes


def minimax_and_alphabeta_stand_side_by_side(ann: Visitor) -> None:
    page = ann.go("#/think?game=tictactoe&moves=b2,a1&algorithm=compare&depth=3")
    for algorithm in ("minimax", "alphabeta"):
        expected = parse_engine(algorithm).analyse(
            Position("tictactoe").play("b2 a1"), Limit(depth=3)
        )
        expect(page.locator(f"#think-nodes-{algorithm}")).to_have_attribute(
            "data-total", str(expected.nodes)
        )


def the_visits_of_a_monte_carlo_tree_are_those_of_the_engine(ann: Visitor) -> None:
    page = ann.go("#/think?game=tictactoe&algorithm=mcts&iterations=40")
    expect(page.locator("[data-node]").first).to_be_attached()
    page.keyboard.press("End")
    expected = parse_engine("mcts:iterations=40,keep=off").analyse(Position("tictactoe"))
    expect(page.locator("#think-nodes")).to_have_attribute("data-nodes", str(expected.nodes))


def the_steps_of_a_search_name_their_moves_and_count_those_of_the_winner(ann: Visitor) -> None:
    for language, sentence, plies in (
        ("pt", "Joga a coluna 3: MAX perde em 2 jogadas.", "4 meias-jogadas dos dois lados"),
        ("en", "It plays column 3: MAX loses in 2 moves.", "4 plies: moves of both sides"),
    ):
        ann.page.evaluate(
            f"async (wanted) => (await {module('words')}).loadWords(wanted)", language
        )
        ann.go("#/learn")
        page = ann.go("#/think?game=connect4&moves=271546426&algorithm=alphabeta&depth=4")
        expect(page.locator("[data-node]").first).to_be_attached()
        page.keyboard.press("End")
        expect(page.locator("#step-sentence")).to_contain_text(sentence)
        expect(page.locator(".step-panel")).not_to_contain_text(plies)
        page.locator("[data-node='0']").hover()
        expect(page.locator(".tree-tip")).to_contain_text(plies)


def a_phone_shows_the_tree_large_enough_to_read_and_explains_its_signs(
    phone: Visitor,
) -> None:
    page = phone.go("#/think")
    for size in (ViewportSize(width=390, height=844), ViewportSize(width=844, height=390)):
        page.set_viewport_size(size)
        expect(page.locator(".tree .node").first).to_be_visible()
        stage = page.locator(".tree-stage").bounding_box()
        assert stage is not None
        assert stage["y"] + stage["height"] <= size["height"]
        assert stage["width"] * stage["height"] > 0.45 * size["width"] * size["height"]
        letters = page.evaluate("""() => Math.min(...[...document.querySelectorAll('.tree text')].filter((text) => text.textContent)
            .map((text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))""")
        assert letters >= 11.99
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("[data-tool=signs]").click()
    expect(page.locator("#signs-dialog [data-entry=end]")).to_contain_text("L2")


# ---- Tours and lessons ----

HELD_BACK = [
    ("minimax?step=5", ".node[data-node='0'] .value:not(:text-is('?'))"),
    ("alphabeta?step=2", ".node.cut:not(.gone)"),
    ("mcts?step=6", ".edge.line"),
]


def test_tours_and_lessons_are_walked_to_their_end(ann: Visitor) -> None:
    for tour in ("minimax", "alphabeta", "mcts"):
        a_tour_is_walked_to_its_end(ann, tour)
    for place, hidden in HELD_BACK:
        a_tour_keeps_its_answer_back_until_it_is_asked_for(ann, place, hidden)
    a_lesson_refutes_a_wrong_move_and_remembers_a_right_one(ann)


def a_tour_is_walked_to_its_end(ann: Visitor, tour: str) -> None:
    page = ann.go("#/learn")
    page.locator(f'a[href*="#/learn/{tour}"]').first.click()
    steps = 0
    forward = page.locator("#learn-next")
    expect(forward).to_be_visible()
    usable = page.locator("#learn-next:enabled:visible")
    while usable.count() and f"#/learn/{tour}" in page.url and steps < 40:
        before = page.locator("main").inner_text()
        forward.click()
        page.wait_for_function(
            "before => document.querySelector('main').innerText !== before", arg=before
        )
        steps += 1
    assert steps >= 3


def a_tour_keeps_its_answer_back_until_it_is_asked_for(
    ann: Visitor, place: str, hidden: str
) -> None:
    page = ann.go(f"#/learn/{place}")
    expect(page.locator("#learn-show")).to_be_visible()
    expect(page.locator(".tree .node").first).to_be_visible()
    expect(page.locator(hidden)).to_have_count(0)
    expect(page.locator(".learn-says")).to_have_text("")
    page.locator("#learn-show").click()
    expect(page.locator("#learn-feedback")).to_have_attribute("data-right", "true")
    assert page.locator(hidden).count() > 0
    assert page.locator(".learn-says").inner_text()


def a_lesson_refutes_a_wrong_move_and_remembers_a_right_one(ann: Visitor) -> None:
    page = ann.go("#/lessons")
    page.locator('[data-lesson="protect"]').click()
    expect(page.locator("#lesson-task")).to_contain_text("Save the six seeds")
    feedback = page.locator("#lesson-feedback")
    page.locator("#board").focus()
    page.keyboard.press("1")
    expect(feedback).to_have_attribute("data-mood", "bad")
    page.locator("#lesson-again").click()
    expect(feedback).to_be_empty()
    page.locator("#lesson-hint").click()
    expect(feedback).to_contain_text("house 6")
    page.locator("#board").focus()
    page.keyboard.press("6")
    expect(feedback).to_contain_text("your six seeds stay at home")
    expect(page.locator('[aria-current="step"]')).to_have_text("✓")
    expect(page.locator("#lesson-next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Keep your seeds at home")
    page.go_back()
    page.reload()
    expect(page.locator('[data-dot="6"]')).to_have_text("✓")


# ---- Puzzles ----


def ask(page: Page, path: str, body: dict[str, Any]) -> Any:
    return page.evaluate(
        f"async ([path, body]) => (await {module('api')}).api.post(path, body)", [path, body]
    )


def open_puzzle(visitor: Visitor, win_in: int, number: int = 1) -> tuple[Page, Any]:
    page = visitor.go(f"#/puzzles?win_in={win_in}&number={number}")
    expect(page.locator("#puzzle-task")).to_contain_text(f"win in {win_in}")
    return page, ask(page, "puzzles", {"win_in": win_in})["puzzles"][number - 1]


def solution_of(page: Page, puzzle: Any, played: list[str] | None = None) -> list[str]:
    where = {
        "game": puzzle["game"],
        "moves": puzzle["moves"],
        "win_in": puzzle["win_in"],
        "played": played or [],
    }
    return list(ask(page, "puzzles/help", where)["line"])


def shown_moves(page: Page, puzzle: Any) -> list[str]:
    """What was played in the puzzle, by the address to its analysis."""
    link = page.locator("#puzzle-analyse").get_attribute("href") or ""
    start = len(Position("connect4").play(puzzle["moves"]).history)
    return link.split("moves=")[1].split("&")[0].split(",")[start:]


def solve(page: Page, puzzle: Any, play: Any) -> None:
    """Play a puzzle to its end, each move as the solver advises."""
    played: list[str] = []
    for left in range(puzzle["win_in"], 0, -1):
        play(page, solution_of(page, puzzle, played)[0])
        if left > 1:
            expect(page.locator("#puzzle-task")).to_contain_text(
                f"win in {left - 1}" if left > 2 else "win at once"
            )
            played = shown_moves(page, puzzle)
            assert len(played) == 2 * (puzzle["win_in"] - left + 1)


def by_mouse(page: Page, move: str) -> None:
    page.locator(f'#board [data-cell="0,{int(move) - 1}"]').click()


def by_digit(page: Page, move: str) -> None:
    page.locator("#board").focus()
    page.keyboard.press(move)


def discs(page: Page) -> int:
    return page.locator("#board .pieces > g").count()


def test_puzzles_are_solved_alone_with_help_and_not_at_all(ann: Visitor) -> None:
    a_puzzle_is_solved_against_the_best_defence_and_remembered(ann)
    a_wrong_move_is_refuted_and_taken_back(ann)
    a_hint_points_at_the_move_and_the_solution_is_played_out(ann)
    another_length_and_the_next_puzzle_are_a_key_away(ann)
    the_puzzle_of_the_day_counts_for_streak_and_rating_and_its_link_opens_it(ann)


def a_puzzle_is_solved_against_the_best_defence_and_remembered(ann: Visitor) -> None:
    page, puzzle = open_puzzle(ann, 3)
    solve(page, puzzle, by_digit)
    expect(page.locator("#puzzle-feedback")).to_contain_text(words("en")["puzzle.solved"])
    expect(page.locator('[data-puzzle="1"]')).to_have_attribute("data-solved", "alone")
    expect(page.locator("#puzzle-next")).to_be_focused()
    page.reload()
    expect(page.locator('[data-puzzle="1"]')).to_have_attribute("data-solved", "alone")
    ann.go("#/puzzles?win_in=3")
    expect(page.locator('.puzzle-dot[aria-current="step"]')).to_have_attribute("data-puzzle", "2")


def a_wrong_move_is_refuted_and_taken_back(ann: Visitor) -> None:
    page, puzzle = open_puzzle(ann, 3, 2)
    right = solution_of(page, puzzle)[0]
    before = discs(page)
    wrong = next(
        move for move in Position("connect4").play(puzzle["moves"]).legal_moves if move != right
    )
    by_mouse(page, wrong)
    expect(page.locator("#puzzle-feedback")).to_have_attribute("data-mood", "bad")
    expect(page.locator("#puzzle-feedback")).to_contain_text(f"Not column {wrong}")
    expect(page.locator("#puzzle-feedback")).to_contain_text("What the reply column")
    expect(page.locator("#board .pieces > g")).to_have_count(before + 2)
    page.locator("#puzzle-retry").click()
    expect(page.locator("#board .pieces > g")).to_have_count(before)
    solve(page, puzzle, by_mouse)
    expect(page.locator("#puzzle-feedback")).to_contain_text(words("en")["puzzle.solved_helped"])
    expect(page.locator('[data-puzzle="2"]')).to_have_attribute("data-solved", "helped")


def a_hint_points_at_the_move_and_the_solution_is_played_out(ann: Visitor) -> None:
    page, puzzle = open_puzzle(ann, 4, 2)
    line = solution_of(page, puzzle)
    feedback = page.locator("#puzzle-feedback")
    page.keyboard.press("h")
    expect(feedback).to_contain_text(words("en")["puzzle.look_here"])
    page.keyboard.press("h")
    expect(feedback).not_to_contain_text(words("en")["puzzle.look_here"])
    expect(page.locator("#board [data-hint]")).to_have_count(0)
    page.keyboard.press("h")
    expect(page.locator(f'#board [data-hint="{line[0]}"]')).to_be_attached()
    expect(feedback).to_contain_text(line[0])
    before = discs(page)
    page.locator("#puzzle-solution").click()
    expect(page.locator("#puzzle-feedback")).to_contain_text(" ".join(line))
    expect(page.locator("#board .pieces > g")).to_have_count(before + len(line))
    expect(page.locator("#puzzle-hint")).to_be_disabled()
    page.locator("#puzzle-again").click()
    expect(page.locator("#board .pieces > g")).to_have_count(before)
    expect(page.locator('[data-puzzle="2"]')).not_to_have_attribute("data-solved", "alone")


def another_length_and_the_next_puzzle_are_a_key_away(ann: Visitor) -> None:
    page, _ = open_puzzle(ann, 3)
    page.keyboard.press("n")  # the second one is solved
    expect(page.locator('.puzzle-dot[aria-current="step"]')).to_have_attribute("data-puzzle", "3")
    page.locator("label:has([name=puzzle-goal][value='6'])").click()
    expect(page.locator("#puzzle-task")).to_contain_text("win in 6")
    assert "win_in=6" in page.url
    page.locator("#puzzle-analyse").click()
    expect(page.locator("#analysis-switch")).to_be_visible()


def the_puzzle_of_the_day_counts_for_streak_and_rating_and_its_link_opens_it(
    ann: Visitor,
) -> None:
    page = ann.go("#/puzzles?daily=today&game=tictactoe")
    expect(page.locator('.puzzle-dot[aria-current="step"]')).to_contain_text("Tic-tac-toe")
    shown = ask(page, "puzzles/pick", {"pick": "daily", "game": "tictactoe"})["puzzles"][0]
    where = {name: shown[name] for name in ("game", "moves", "kind")}
    right = ask(page, "puzzles/help", where)["line"][0]
    row, column = 3 - int(right[1]), "abc".index(right[0])
    page.locator(f'#board [data-cell="{row},{column}"]').click()
    expect(page.locator("#puzzle-feedback")).to_contain_text(words("en")["puzzle.solved"])
    expect(page.locator("#puzzle-rating")).to_contain_text("1 day in a row")
    page.locator("label:has([name=puzzle-mode][value='mixed'])").click()
    expect(page.locator("[data-puzzle]")).to_have_count(10)
    ann.go(f"#/puzzles?game=tictactoe&kind={shown['kind']}&moves={shown['moves']}")
    expect(page.locator('.puzzle-dot[aria-current="step"]')).to_have_attribute(
        "data-puzzle", str(shown["number"] + 1)
    )


def test_a_turn_of_kalah_is_found_and_a_fair_start_is_one_click_away(ann: Visitor) -> None:
    """In as few page loads as there are pages."""
    page = ann.go("#/puzzles?game=kalah&kind=save")
    task, feedback, board = (
        page.locator(f"#{name}") for name in ("puzzle-task", "puzzle-feedback", "board")
    )
    expect(task).to_contain_text("is behind")
    page.locator("label:has([value='longest-chain'])").click()
    expect(task).to_contain_text("longest chain")
    assert page.url.endswith("#/puzzles?game=kalah&kind=longest-chain&number=1")
    puzzle = ask(page, "puzzles", {"game": "kalah", "kind": "longest-chain"})["puzzles"][0]
    turn = ask(
        page, "puzzles/help", {"game": "kalah", "moves": puzzle["moves"], "kind": "longest-chain"}
    )["line"]
    expect(task).to_contain_text(f"{len(turn)} sowings in one turn")
    before = Position("kalah").play(puzzle["moves"])
    wrong = next(move for move in before.legal_moves if move != turn[0])
    board.focus()
    page.keyboard.press(wrong)
    expect(feedback).to_contain_text("With it the turn has at most")
    page.keyboard.press("u")
    expect(page.locator("#puzzle-analyse")).to_have_attribute(
        "href", re.compile(",".join(before.history) + "$")
    )
    page.keyboard.press("h")
    expect(feedback).to_contain_text(words("en")["puzzle.look_here"])
    page.keyboard.press("h")
    page.keyboard.press("h")
    expect(page.locator(f'#board [data-hint="{turn[0]}"]')).to_be_attached()
    for number, move in enumerate(turn, start=1):
        page.keyboard.press(move)
        expect(feedback).to_contain_text(
            "Solved" if number == len(turn) else f"Right: house {move}"
        )
    expect(feedback).to_contain_text("With best play from here")
    expect(page.locator('[data-puzzle="1"]')).to_have_attribute("data-solved", "helped")
    page.locator("label:has([value='connect4'])").click()
    expect(task).to_contain_text("win in 3")

    page.locator('[data-nav="play"]').click()
    expect(page.locator("#fair-start")).to_be_hidden()
    page.locator('[data-family="kalah"]').check(force=True)
    page.locator("#board-settings > summary").click()
    page.locator("#size-seeds").fill("3")
    page.locator("#fair-start").click()
    expect(page.locator(".fair-start")).to_contain_text(
        re.compile(r"Fair starting position \d+ of")
    )
    assert page.locator("#start-position").input_value() in [
        each["literal"] for each in ask(page, "fair", {"game": "kalah:6x3"})["starts"]
    ]
    page.locator("#size-standard").check()
    expect(page.locator("#fair-start")).to_be_hidden()
    assert page.locator("#start-position").input_value() == "", (
        "what is fair under one rule need not be so under the other"
    )
    page.locator("#size-standard").uncheck()
    expect(page.locator(".fair-start")).to_contain_text("favours one side")
    page.locator("#fair-start").click()
    expect(page.locator(".fair-start")).to_contain_text(
        re.compile(r"Fair starting position \d+ of")
    )
    start = page.locator("#start-position").input_value()
    page.locator("#start-game").click()
    expect(board).to_be_visible()
    assert ann.state()["view"]["start"] == start
