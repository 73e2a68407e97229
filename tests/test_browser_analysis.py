"""The analysis of positions on the page, in a real browser: exact scores and estimates, proved lines,
the opening book, threats, turns, and the tree of moves that one has looked at.

Each test is a journey of one person; its steps are functions that say what holds.
"""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from mnkala import Limit, Position, parse_engine
from mnkala.cli.analyse import analysis_json
from mnkala.explain.words import words
from mnkala.solve.books import open_book
from tests.browser import DESK, PATIENCE, Visitor, click_move
from tests.reference_solver import true_scores
from tests.web_server import Person

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


def discs(page: Page) -> int:
    return page.locator("#board .pieces > g").count()


# ---- Proofs and estimates ----


def test_every_move_of_a_position_is_proved_and_its_lines_are_walked(ann: Visitor) -> None:
    page = ann.go(f"#/analysis?game=connect4&moves={MIDDLE}")
    wait_for_proof(page)
    exact_scores_stand_over_the_columns_in_colour_shape_and_words(page)
    the_tiles_lie_over_their_columns(page)
    a_losing_move_has_the_line_that_refutes_it(page)
    proved_lines_are_marked_and_walked_through_on_the_board(page)
    page.locator(".column-tile").first.click()
    expect(page.locator("#move-list [data-move]")).to_have_count(len(MIDDLE) + 3)


def exact_scores_stand_over_the_columns_in_colour_shape_and_words(page: Page) -> None:
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


def a_losing_move_has_the_line_that_refutes_it(page: Page) -> None:
    lost = page.locator("#analysis-lines li", has=page.locator(".chip.bad")).first
    expect(lost.locator(".line-role")).to_contain_text(words("en")["exact.refuted"])
    line = lost.locator("[data-line]").last.get_attribute("data-line") or ""
    end = Position("connect4").play(MIDDLE).play(line)
    assert end.outcome is not None
    assert end.outcome.winner == 1


def proved_lines_are_marked_and_walked_through_on_the_board(page: Page) -> None:
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


def the_tiles_lie_over_their_columns(page: Page) -> None:
    # In one step: the page draws its tiles anew when a word comes in, and a place asked for in
    # between is nowhere.
    for column, (middle, under, cell_middle, cell_top) in enumerate(page.evaluate(TILES_AND_CELLS)):
        assert abs(middle - cell_middle) < 4, f"column {column + 1}"
        assert under <= cell_top + 1, f"column {column + 1}"


def test_what_is_not_proved_is_an_estimate_and_says_so(ann: Visitor) -> None:
    an_estimate_stands_marked_until_there_is_a_proof_and_the_solver_can_be_stopped(ann)
    where_a_proof_is_out_of_reach_the_estimate_stays_and_the_page_says_why(ann)
    analysis_shows_the_engines_own_numbers_on_the_board(ann)
    scores_stand_in_cells_too_by_the_names_of_their_game(ann)
    the_analysis_is_kept_while_one_plays(ann)
    the_book_is_part_of_the_list_and_its_moves_are_played_by_clicks(ann)
    the_end_of_the_book_is_told_and_the_solver_goes_on(ann)


def an_estimate_stands_marked_until_there_is_a_proof_and_the_solver_can_be_stopped(
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


def where_a_proof_is_out_of_reach_the_estimate_stays_and_the_page_says_why(
    ann: Visitor,
) -> None:
    page = ann.go("#/analysis?game=connect4:7x7")
    expect(page.locator("#analysis-unproved")).to_contain_text(
        "No proof: this position of connect4:7x7 is out of reach"
    )
    expect(page.locator('.column-tile[data-proved="false"]')).to_have_count(7)
    expect(page.locator("#exact-stop")).to_be_hidden()


def analysis_shows_the_engines_own_numbers_on_the_board(ann: Visitor) -> None:
    game, moves = "connect4:10x11", "5,5,6,6"
    page = ann.go(f"#/analysis?game={game}&moves={moves}")
    expect(page.locator("[data-score]")).to_have_count(11)
    expected = analysis_json(
        parse_engine("deepening").analyse(
            Position(game).play(moves), Limit(depth=6), all_moves=True
        )
    )["moves"]
    won = [move for move, entry in expected.items() if entry["kind"] == "exact"]
    assert set(won) >= {"4", "7"}
    for move in won:
        tile, own = (
            page.locator(f'[data-score="{move}"]'),
            expected[move]["plies"] + (expected[move]["result"] == "win"),
        )
        expect(tile).to_have_attribute("data-proved", "true")
        expect(tile.locator("strong")).to_have_text(f"in {own // 2}")  # the winner's own moves
    expect(page.locator("#evaluation-bar .evaluation-end > span")).to_have_text(
        [re.compile(r"^\d+\s%$")] * 2
    )
    expect(page.locator("#evaluation-bar")).to_contain_text("100")
    expect(page.locator("#analysis-facts")).to_contain_text("nodes")
    expect(page.locator("#analysis-lines > [data-move]")).to_have_count(5)
    page.locator("#more-moves").click()
    expect(page.locator("#analysis-lines > [data-move]").nth(5)).to_be_attached()
    expect(page.locator("#book-about")).to_be_hidden()
    page.locator("#analysis-switch").focus()
    page.keyboard.press("a")
    expect(page.locator("[data-score]")).to_have_count(0)
    page.keyboard.press("a")


def scores_stand_in_cells_too_by_the_names_of_their_game(ann: Visitor) -> None:
    page = ann.go("#/analysis?game=tictactoe&moves=b2,a2")
    expect(page.locator('#board [data-cell="0,0"]')).to_have_attribute(
        "aria-label", re.compile("Cell a3, the best: wins")
    )
    expect(page.locator("#board .badge .badge-ring").first).to_be_attached()
    expect(page.locator('#board .badge[data-tone="good"] svg.tone-shape').first).to_be_attached()
    expect(page.locator(".column-tile")).to_have_count(0)


def the_analysis_is_kept_while_one_plays(ann: Visitor) -> None:
    page = ann.new_game("tictactoe")
    page.keyboard.press("a")
    expect(page.locator("[data-score]")).to_have_count(9)
    click_move(page, ann.state()["view"], "b2")
    expect(page.locator("[data-score]")).to_have_count(8)


def the_book_is_part_of_the_list_and_its_moves_are_played_by_clicks(ann: Visitor) -> None:
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


def the_end_of_the_book_is_told_and_the_solver_goes_on(ann: Visitor) -> None:
    moves = "12345671234567123456"
    page = ann.go(f"#/analysis?game=connect4&moves={moves}")
    expect(page.locator("#book-about")).to_contain_text("The book ends")
    plies = Person(ann.server).post("/book", {"game": "connect4", "moves": moves})["depth"]
    expect(page.locator("#book-about")).to_contain_text(str(plies))
    page.locator("#book-back").click()
    expect(page.locator('#move-list [aria-current="step"]')).to_have_attribute(
        "data-ply", str(plies - 1)
    )


# ---- Turns of Kalah ----


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
    a_hint_draws_its_turn_on_a_turned_board_too(ann)
    the_arrows_leave_the_counts_of_houses_readable(ann)


def a_hint_draws_its_turn_on_a_turned_board_too(ann: Visitor) -> None:
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


def the_arrows_leave_the_counts_of_houses_readable(ann: Visitor) -> None:
    page = ann.go("#/analysis?game=kalah&moves=36")
    expect(page.locator("#board .path").first).to_be_attached()
    over = """() => Boolean(document.querySelector("#board .path").compareDocumentPosition(
      document.querySelector("#board .counts")) & Node.DOCUMENT_POSITION_FOLLOWING)"""
    assert page.evaluate(over), "counts are drawn after the arrows"


# ---- Threats of Gomoku ----


def test_gomoku_shows_a_handful_of_moves_a_victory_by_fours_and_the_threats_of_both_sides(
    ann: Visitor,
) -> None:
    an_estimate_says_what_the_move_does_and_its_badge_hides_no_threat(ann)
    ann.page.keyboard.press("v")
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


def an_estimate_says_what_the_move_does_and_its_badge_hides_no_threat(
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


# ---- What one has looked at ----


def current(page: Page, ply: int, move: str) -> None:
    expect(page.locator('#move-list [aria-current="step"]')).to_have_attribute("data-ply", str(ply))
    expect(page.locator('#move-list [aria-current="step"]')).to_have_attribute("data-move", move)


def test_a_new_move_branches_and_variations_outlive_a_reload(ann: Visitor) -> None:
    page = ann.go("#/analysis?game=tictactoe&moves=b2,a1,c3")
    page.locator("#analysis-switch").click()
    page.keyboard.press("ArrowLeft")  # after a click the keys are still the page's
    current(page, 2, "a1")
    page.locator('#board [data-cell="0,0"]').click()
    current(page, 3, "a3")
    expect(page.locator("#move-list [data-ply='3']")).to_have_count(2)
    page.keyboard.press("ArrowUp")  # after a click on the board, too
    current(page, 3, "c3")
    page.keyboard.press("ArrowDown")
    current(page, 3, "a3")
    page.locator("#promote").click()
    expect(page.locator("#move-list .variation")).to_contain_text("c3")
    page.reload()
    current(page, 3, "a3")
    assert page.url.endswith("moves=b2,a1,a3")
    expect(page.locator("#move-list .variation")).to_contain_text("c3")
    expect(page.locator("#analysis-switch")).to_have_attribute("aria-checked", "false")
    page.locator('[data-walk="first"]').click()
    expect(page.locator('[data-walk="first"]')).to_be_disabled()
    page.keyboard.press("ArrowRight")
    current(page, 1, "b2")
    page.locator("#move-list .variation [data-move]").click()
    current(page, 3, "c3")
    page.locator("#remove").click()
    page.locator("#remove").click()
    current(page, 2, "a1")
    expect(page.locator("#move-list [data-move]")).to_have_count(3)
    page.locator("#analysis-family").select_option("kalah")
    expect(page.locator("#move-list [data-move]")).to_have_count(0)
