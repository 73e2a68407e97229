"""The solver on the page, in a real browser: exact scores by default, estimates marked as such,
proved lines, the opening book, puzzles.
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from mnkala import Position
from mnkala.explain.words import words
from mnkala.solve.books import open_book
from tests.browser import DESK, PATIENCE, Visitor, check_access, module
from tests.reference_solver import true_scores
from tests.web_server import Person, Server

expect.set_options(timeout=PATIENCE)
MIDDLE = "4444422635"
SLOW_BOARD = "connect4:7x6"
"""Its empty board is not solved while anybody waits."""
TILES_AND_CELLS = """() => [0, 1, 2, 3, 4, 5, 6].map((column) => {
  const tile = document.querySelector(`[data-score="${column + 1}"]`).getBoundingClientRect();
  const cell = document.querySelector(`#board [data-cell="0,${column}"]`).getBoundingClientRect();
  return [tile.x + tile.width / 2, tile.bottom, cell.x + cell.width / 2, cell.top];
})"""


def tile(page: Page, move: str) -> Locator:
    return page.locator(f'.column-tile[data-score="{move}"]')


def wait_for_proof(page: Page) -> None:
    expect(page.locator("#exact-state")).to_have_text(words("en")["exact.all_proved"])


# ---- Exact scores ----


def test_exact_scores_stand_over_the_columns_in_colour_shape_and_words(ann: Visitor) -> None:
    page = ann.go(f"#/analysis?game=connect4&moves={MIDDLE}")
    wait_for_proof(page)
    expected = true_scores(MIDDLE)
    best = max(expected.values())
    for move, score in expected.items():
        tone, words_of = (
            ("good", "wins in")
            if score > 0
            else ("bad", "loses in")
            if score < 0
            else ("even", "a draw")
        )
        expect(tile(page, move)).to_have_attribute("data-tone", tone)
        expect(tile(page, move)).to_have_attribute("data-proved", "true")
        expect(tile(page, move).locator("strong")).to_have_text(
            re.compile("^in [0-9]+$" if score else "^draw$")
        )
        expect(tile(page, move).locator("svg.tone-shape")).to_be_visible()
        said = tile(page, move).get_attribute("aria-label") or ""
        assert said.startswith(f"Column {move}")
        assert words_of in said
        assert ("the best" in said) == (score == best)
    expect(page.locator("#analysis-score")).to_contain_text("proved")
    expect(page.locator('[data-proved="false"]')).to_have_count(0)
    expect(page.locator("#evaluation-bar")).not_to_contain_text("~")


def test_the_tiles_lie_over_their_columns_and_play_them(ann: Visitor) -> None:
    page = ann.go(f"#/analysis?game=connect4&moves={MIDDLE}")
    wait_for_proof(page)
    # In one step: the page draws its tiles anew when a word comes in, and a place asked for in
    # between is nowhere.
    for column, (middle, under, cell_middle, cell_top) in enumerate(page.evaluate(TILES_AND_CELLS)):
        assert abs(middle - cell_middle) < 4, f"column {column + 1}"
        assert under <= cell_top + 1, f"column {column + 1}"
    tile(page, "7").click()
    expect(page.locator("#move-list [data-move]")).to_have_count(len(MIDDLE) + 1)
    wait_for_proof(page)
    expect(page.locator("#move-list [data-ply='11']")).to_have_text("7")


def test_an_estimate_stands_marked_until_there_is_a_proof_and_the_solver_can_be_stopped(
    ann: Visitor,
) -> None:
    page = ann.go(f"#/analysis?game={SLOW_BOARD}")
    expect(page.locator('.column-tile[data-tone="open"]')).to_have_count(6)
    expect(page.locator('.column-tile[data-proved="false"]')).to_have_count(6)
    expect(tile(page, "4")).to_contain_text("~")
    expect(page.locator("#analysis-score .tag")).to_have_text(words("en")["exact.estimate_tag"])
    expect(page.locator("#evaluation-bar")).to_contain_text("~")
    expect(page.locator("#exact-state")).to_contain_text("of 6 moves proved")
    page.locator("#exact-stop").click()
    expect(page.locator("#exact-state")).to_contain_text("stopped")
    expect(page.locator("#exact-go")).to_be_visible()
    facts = [page.locator("#analysis-facts").inner_text()]
    while len(facts) < 60 and facts[-1] not in facts[:-1]:  # a last word may still come
        page.wait_for_timeout(500)
        facts.append(page.locator("#analysis-facts").inner_text())
    assert facts[-1] in facts[:-1], f"it went on: {facts}"
    page.locator("#exact-go").click()
    expect(page.locator("#exact-stop")).to_be_visible()


def test_where_a_proof_is_out_of_reach_the_estimate_stays_and_the_page_says_why(
    ann: Visitor,
) -> None:
    page = ann.go("#/analysis?game=connect4:7x7")
    expect(page.locator("#analysis-unproved")).to_contain_text(
        "No proof: this position of connect4:7x7 is out of reach"
    )
    expect(page.locator('.column-tile[data-proved="false"]')).to_have_count(7)
    expect(page.locator("#exact-stop")).to_be_hidden()


def test_scores_stand_in_cells_too_by_the_names_of_their_game(ann: Visitor) -> None:
    page = ann.go("#/analysis?game=tictactoe&moves=b2,a2")
    expect(page.locator('#board [data-cell="0,0"]')).to_have_attribute(
        "aria-label", re.compile("Cell a3, the best: wins")
    )
    expect(page.locator("#board .badge .badge-ring").first).to_be_attached()
    expect(page.locator('#board .badge[data-tone="good"] svg.tone-shape').first).to_be_attached()
    expect(page.locator(".column-tile")).to_have_count(0)


LATE = "<3,4,3,0,1,1,2,1,0>"
"""Best is 3, which moves again, then 2, which captures 2 and ends the game; house 2 at once loses
by 2.
"""
ON_BOARD = "(seeds) => ['.count', '.store-count'].flatMap((kind) => [...document.querySelectorAll(`#board ${kind}`)]).map((each) => each.textContent).join() === seeds"
"""Whether these are the seeds of the upper row, the lower row, and the stores of the first player
and the second.
"""


def test_the_best_turn_of_kalah_is_one_path_is_stepped_through_seed_by_seed_and_played_as_one_entry(
    ann: Visitor,
) -> None:
    page = ann.go(f"#/analysis?game=kalah:3x2&start={LATE}")
    path, said = page.locator("#board [data-path]"), page.locator(".preview-moves")
    wait_for_proof(page)
    expect(path).to_have_attribute("data-path", "Best turn: 3, then 2 – captures 2")
    expect(path.locator(".path-label text")).to_have_text(["1", "×2", "2"])
    expect(path.locator(".path-line")).to_have_count(2)
    # Every house says what it is worth.
    expect(page.locator('#board [data-cell="1,2"]')).to_have_attribute(
        "aria-label", re.compile("House 3, the best: wins by 4")
    )
    for move, worth in (("3", "wins by 4"), ("2", "loses by 2")):
        expect(page.locator(f'#board [data-score="{move}"] .in-full text')).to_have_text(worth)
        expect(page.locator(f'#board [data-score="{move}"] .in-full')).to_be_visible()
    # Step by step, and back; the board shows the seeds of every moment.
    expect(page.locator("#analysis-lines li.best .turn-group")).to_have_text("32")
    page.locator("#analysis-lines li.best .walk-turn").click()
    boards = [
        ("3 1 in hand", [0, 1, 2, 0, 1, 0, 4, 3]),
        ("3 0 in hand", [0, 1, 2, 0, 1, 0, 5, 3]),
        ("3 2 1 in hand", [0, 1, 2, 0, 0, 0, 5, 3]),
        ("3 2 0 in hand", [0, 1, 2, 0, 0, 1, 5, 3]),
        ("3 2 captures 2", [0, 1, 0, 0, 0, 0, 8, 3]),
    ]
    for words_of, seeds in boards:
        expect(said).to_have_text(words_of)
        page.wait_for_function(ON_BOARD, arg=",".join(map(str, seeds)))
        expect(page.locator("#board [data-hand]")).to_have_count(int("1 in hand" in words_of))
        page.keyboard.press("ArrowRight")
    expect(said).to_have_text("3 2 the rest goes to the stores: 1")
    expect(page.locator("#preview-forward")).to_be_disabled()
    for words_of, _ in boards[::-1]:
        page.locator("#preview-back").click()
        expect(said).to_have_text(words_of)
    expect(path).to_have_count(0)  # it is no preview
    page.keyboard.press("Escape")
    expect(path).to_have_count(1)
    # On a phone nothing hides the board.
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#analysis-lines li.best .turn-group .move").last.click()
    expect(page.locator(".preview-bar")).to_be_visible()
    bar, board = page.locator(".preview-bar").bounding_box(), page.locator("#board").bounding_box()
    assert bar
    assert board
    assert bar["y"] > board["y"] + board["height"]
    page.set_viewport_size({"width": DESK["width"], "height": DESK["height"]})
    # Played, the turn is one entry of the list; its moves are taken back one by one.
    page.locator("#play-preview").click()
    expect(page.locator("#move-list .turn-group")).to_have_text(re.compile("3.*2"))
    page.keyboard.press("u")
    expect(page.locator('#move-list [data-ply="1"]')).to_have_attribute("aria-current", "step")


def test_a_hint_draws_its_turn_on_a_turned_board_too(ann: Visitor) -> None:
    page = ann.new_game("kalah:3x2", "random:seed=1", "human", start=f"{LATE}o")
    page.locator("#hint").click()
    expect(page.locator("#hint-text")).to_contain_text("Best turn: 3, then 2 – captures 2")
    house, number = (
        page.locator(where).bounding_box()
        for where in ('#board [data-cell="0,0"]', "#board .path-label >> nth=0")
    )
    assert house
    assert number
    assert house["y"] <= number["y"] < house["y"] + house["height"]
    assert house["x"] <= number["x"] < house["x"] + house["width"]
    page.locator("#walk-hint").click()
    expect(page.locator(".preview-moves")).to_have_text("3 1 in hand")
    page.locator("#preview-forward").click()
    expect(page.locator(".preview-moves")).to_have_text("3 0 in hand")
    expect(page.locator("#board .store-count").last).to_have_text("5")


def discs(page: Page) -> int:
    return page.locator("#board .pieces > g").count()


def test_proved_lines_are_marked_and_walked_through_on_the_board(ann: Visitor) -> None:
    page = ann.go(f"#/analysis?game=connect4&moves={MIDDLE}")
    wait_for_proof(page)
    best = page.locator("#analysis-lines li.best").first
    expect(best.locator(".line-role")).to_contain_text(words("en")["exact.best_line"])
    before = discs(page)
    best.locator("[data-line]").nth(3).hover()
    expect(page.locator("#board .pieces > g")).to_have_count(before + 4)
    expect(page.locator(".preview-bar")).to_contain_text("Preview")
    page.locator("#move-list").hover()
    expect(page.locator("#board .pieces > g")).to_have_count(before)
    best.locator("[data-line]").nth(1).click()
    page.locator("#move-list").hover()
    expect(page.locator("#board .pieces > g")).to_have_count(
        before + 2
    )  # a click means it: it stays
    page.keyboard.press("Escape")
    expect(page.locator("#board .pieces > g")).to_have_count(before)
    expect(page.locator(".preview-bar")).to_be_hidden()
    best.locator("[data-line]").nth(1).click()
    page.locator("#play-preview").click()
    expect(page.locator("#move-list [data-move]")).to_have_count(len(MIDDLE) + 2)


def test_a_losing_move_has_the_line_that_refutes_it(ann: Visitor) -> None:
    page = ann.go(f"#/analysis?game=connect4&moves={MIDDLE}")
    wait_for_proof(page)
    lost = page.locator("#analysis-lines li", has=page.locator(".chip.bad")).first
    expect(lost.locator(".line-role")).to_contain_text(words("en")["exact.refuted"])
    line = lost.locator("[data-line]").last.get_attribute("data-line") or ""
    end = Position("connect4").play(MIDDLE).play(line)
    assert end.outcome is not None
    assert end.outcome.winner == 1


def test_exact_scores_stay_while_one_plays_a_game(ann: Visitor) -> None:
    page = ann.new_game("connect4", "human", "human", moves="44444226351")
    page.keyboard.press("a")
    wait_for_proof(page)
    before = page.locator(".column-tile").all_inner_texts()
    best = page.locator(".column-tile.best").first
    best.click()
    expect(page.locator("#move-list [data-move]")).to_have_count(12)
    wait_for_proof(page)
    after = page.locator(".column-tile").all_inner_texts()
    assert before != after


def test_gomoku_shows_a_handful_of_moves_a_victory_by_fours_and_the_threats_of_both_sides(
    ann: Visitor,
) -> None:
    page = ann.go("#/analysis?game=gomoku&moves=h8,g8,i8,a3,j8,a5,k9,a7,k10,o1")
    best = page.locator("#analysis-lines > [data-move]").first
    expect(best).to_contain_text("wins in 3 moves (by fours)")
    expect(best).to_have_attribute("data-move", "k8")
    expect(page.locator('[data-score="k8"]')).to_have_attribute("data-proved", "true")
    assert page.locator("#analysis-lines > [data-move]").count() <= 6
    expect(page.locator("[data-threat]")).to_have_count(0)
    page.locator("#threats-switch").click()
    expect(page.locator('#threats-list [data-threat="fours"]')).to_contain_text(
        "x can win in 3 moves by fours: k8, l8,"
    )
    expect(
        page.locator('#board [data-threat="four_three"][data-player="0"] .threat-stone')
    ).to_have_count(5)
    expect(page.locator("#board .threat-stop")).to_have_count(0)  # nobody stops the player to move
    page.locator("#analysis-switch").click()
    expect(page.locator("[data-score]")).to_have_count(0)
    expect(page.locator('#board [data-threat="fours"]')).to_be_attached()
    expect(page.locator("#threats-key li")).to_have_count(3)
    page.keyboard.press("Home")
    expect(page.locator("#threats-list")).to_have_text("Nobody threatens anything yet.")
    expect(page.locator("#threats-key")).to_be_hidden()
    ann.go("#/analysis?game=gomoku&moves=h8,h9,i8,i9,j8,j9,k8,k9,l8")
    expect(page.locator("#threats-list")).to_have_text("The game is over.")
    page.keyboard.press("v")
    expect(page.locator("#threats-switch")).to_have_attribute("aria-checked", "false")
    page.keyboard.press("?")
    expect(page.locator("#help-dialog")).to_contain_text("Turn the threats on or off")
    page = ann.go("#/analysis?game=connect4")
    expect(page.locator("#threats-switch")).to_be_hidden()
    page.keyboard.press("v")
    assert page.evaluate("localStorage.getItem('mnkala.threats.on')") == "false", (
        "there is nothing to switch"
    )


def test_an_estimate_of_gomoku_says_what_the_move_does_and_its_badge_hides_no_threat(
    ann: Visitor,
) -> None:
    page = ann.go("#/analysis?game=gomoku&moves=h8,i9,i8,g10,j8")
    row = page.locator('#analysis-lines > [data-move="k8"]')
    expect(row).to_contain_text("Stops the open three h8-i8-j8.")
    expect(row).to_contain_text("about")
    page.keyboard.press("v")
    expect(page.locator("#board .badges > :last-child")).to_have_attribute(
        "data-threat", "open_three"
    )  # over the badges


@pytest.mark.parametrize("game", ["connect4:10x11"])
def test_where_there_is_no_solver_an_estimate_stands_alone(ann: Visitor, game: str) -> None:
    page = ann.go(f"#/analysis?game={game}")
    expect(page.locator('[data-score][data-proved="false"]').first).to_be_attached()
    expect(page.locator("#analysis-lines > [data-move]")).to_have_count(5)
    page.locator("#more-moves").click()
    expect(page.locator("#analysis-lines > [data-move]").nth(5)).to_be_attached()
    expect(page.locator(".proof-progress")).to_be_hidden()
    expect(page.locator("#book-about")).to_be_hidden()


# ---- The book ----


def test_the_book_is_part_of_the_list_and_its_moves_are_played_by_clicks(ann: Visitor) -> None:
    page = ann.go("#/analysis?game=connect4&moves=444")
    position = Position("connect4").play("444")
    book = open_book(position.rules)
    assert book is not None
    expected = book.moves(position)
    assert expected is not None
    entries = page.locator("#analysis-lines > li[data-move]")
    expect(entries.locator(".tag", has_text=words("en")["exact.book_tag"])).to_have_count(7)
    expect(page.locator("#book-about")).to_contain_text("reaches")
    best = max(expected, key=lambda move: expected[move])
    assert entries.first.get_attribute("data-move") == str(best + 1)
    entries.first.locator("[data-play]").click()
    expect(page.locator("#move-list [data-move]")).to_have_count(4)


def test_the_end_of_the_book_is_told_and_the_solver_goes_on(ann: Visitor) -> None:
    moves = "12345671234567123456"
    page = ann.go(f"#/analysis?game=connect4&moves={moves}")
    expect(page.locator("#book-about")).to_contain_text("The book ends")
    plies = Person(ann.server).post("/book", {"game": "connect4", "moves": moves})["depth"]
    expect(page.locator("#book-about")).to_contain_text(str(plies))
    wait_for_proof(page)
    page.locator("#book-back").click()
    expect(page.locator('#move-list [aria-current="step"]')).to_have_attribute(
        "data-ply", str(plies - 1)
    )


# ---- Lessons ----


def test_a_lesson_refutes_a_wrong_move_and_remembers_a_right_one(ann: Visitor) -> None:
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
    expect(page.locator("#puzzle-task")).to_contain_text(f"wins in {win_in}")
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
                f"wins in {left - 1}" if left > 2 else "wins at once"
            )
            played = shown_moves(page, puzzle)
            assert len(played) == 2 * (puzzle["win_in"] - left + 1)


def by_mouse(page: Page, move: str) -> None:
    page.locator(f'#board [data-cell="0,{int(move) - 1}"]').click()


def by_digit(page: Page, move: str) -> None:
    page.locator("#board").focus()
    page.keyboard.press(move)


@pytest.mark.parametrize(("win_in", "play"), [(3, by_mouse), (4, by_digit)])
def test_a_puzzle_is_solved_against_the_best_defence_and_remembered(
    ann: Visitor, win_in: int, play: Any
) -> None:
    page, puzzle = open_puzzle(ann, win_in)
    solve(page, puzzle, play)
    expect(page.locator("#puzzle-feedback")).to_contain_text(words("en")["puzzle.solved"])
    expect(page.locator('[data-puzzle="1"]')).to_have_attribute("data-solved", "alone")
    expect(page.locator("#puzzle-next")).to_be_focused()
    page.reload()
    expect(page.locator('[data-puzzle="1"]')).to_have_attribute("data-solved", "alone")
    ann.go(f"#/puzzles?win_in={win_in}")
    expect(page.locator('.puzzle-dot[aria-current="step"]')).to_have_attribute("data-puzzle", "2")


def test_a_wrong_move_is_refuted_and_taken_back(ann: Visitor) -> None:
    page, puzzle = open_puzzle(ann, 3)
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
    expect(page.locator('[data-puzzle="1"]')).to_have_attribute("data-solved", "helped")


def test_a_hint_points_at_the_move_and_the_solution_is_played_out(ann: Visitor) -> None:
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


def test_the_puzzle_of_the_day_counts_for_streak_and_rating_and_its_link_opens_it(
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


def test_another_length_and_the_next_puzzle_are_a_key_away(ann: Visitor) -> None:
    page, _ = open_puzzle(ann, 3)
    page.keyboard.press("n")
    expect(page.locator('.puzzle-dot[aria-current="step"]')).to_have_attribute("data-puzzle", "2")
    page.locator("label:has([name=puzzle-goal][value='6'])").click()
    expect(page.locator("#puzzle-task")).to_contain_text("wins in 6")
    assert "win_in=6" in page.url
    page.locator("#puzzle-analyse").click()
    expect(page.locator("#analysis-switch")).to_be_visible()


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
    expect(task).to_contain_text("wins in 3")

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


# ---- Everywhere ----

PLACES = [
    ("#/lessons", "[data-course]"),
    ("#/lessons/connect4/zugzwang", "#lesson-task"),
    ("#/puzzles", "#puzzle-task"),
    ("#/mistakes", "#mistakes-work p"),
    ("#/puzzles?game=kalah&kind=longest-chain", "#puzzle-task"),
    (f"#/analysis?game=connect4&moves={MIDDLE}", '.column-tile[data-proved="true"]'),
    ("#/analysis?game=connect4&moves=44", '.column-tile[data-proved="true"]'),
    (f"#/analysis?game={SLOW_BOARD}", '.column-tile[data-proved="false"]'),
]
"""Pages, and what they show in the end. On most of them an engine thinks as long as one looks."""


@pytest.mark.parametrize(("place", "shows"), PLACES)
def test_every_solver_page_is_accessible_in_light_and_dark_colours_and_fits_a_phone(
    ann: Visitor, place: str, shows: str
) -> None:
    check_access(ann, place, "-exact", shows=shows, wait=300)


@pytest.mark.parametrize("language", ["pt", "it"])
def test_puzzles_speak_the_readers_language(
    browser: Browser, server: Server, language: str
) -> None:
    ann = Visitor(browser, server, locale=language)
    page = ann.go("#/puzzles?win_in=3")
    expect(page.locator("#puzzle-next")).to_have_text(words(language)["puzzle.next"])
    expect(page.locator("#puzzle-task")).to_contain_text("3")
    ann.close()
