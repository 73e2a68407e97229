"""What every page must keep, in a real browser: it can be read by everybody, in every language, on
screens of every size, and its help is one click away.
"""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from mnkala.explain.words import LANGUAGES, say, words
from mnkala.numbers import written
from tests.browser import (
    PATIENCE,
    PHONE,
    Visitor,
    check_access,
    check_no_violation,
    check_width,
    module,
    overflow,
)
from tests.web_server import Server

expect.set_options(timeout=PATIENCE)
MIDDLE = "4444422635"


PLACES = [
    ("", "form"),
    ("#/games", "main h1"),
    ("#/review?game=connect4&moves=44352", "#review-graph"),
    ("#/think?game=tictactoe&moves=b2&depth=2", ".tree .node"),
    ("#/learn", "main h1"),
    ("#/learn/alphabeta", ".tree .node"),
    ("#/analysis?game=gomoku&moves=h8,a1,h9,a2,h10,a3,h11,a4", "[data-score]"),
    ("#/analysis?game=kalah:3x2&moves=2", "[data-score]"),
    (f"#/analysis?game=connect4&moves={MIDDLE}", '.column-tile[data-proved="true"]'),
    ("#/analysis?game=connect4:7x6", '.column-tile[data-proved="false"]'),
    ("#/lessons", "[data-course]"),
    ("#/lessons/connect4/zugzwang", "#lesson-task"),
    ("#/puzzles?game=kalah&kind=longest-chain", "#puzzle-task"),
    ("#/mistakes", "#mistakes-work p"),
    ("#/tournaments", "#start-tournament"),
    ("#/studies", "#studies"),
    ("#/studies/pruning", "figure svg"),
]
"""Pages, and what they show once they are complete."""


def test_every_page_is_accessible_in_light_and_dark_colours_and_fits_a_phone(ann: Visitor) -> None:
    for place, shows in PLACES:
        check_access(ann, place, "", shows=shows, wait=100)
    dialogs_offers_and_the_end_of_a_game_have_no_accessibility_violation(ann)


def dialogs_offers_and_the_end_of_a_game_have_no_accessibility_violation(
    ann: Visitor,
) -> None:
    page = ann.new_game("connect4", "human", "minimax:depth=3", moves="737462")
    for _ in range(2):
        page.locator("#draw").click()
    expect(page.locator("#declined")).to_contain_text("it rates its own position higher")
    check_no_violation(page)
    page.locator("#settings").click()
    expect(page.locator("#network")).to_contain_text("Only this computer can join")
    check_no_violation(page)
    page.keyboard.press("Escape")
    for _ in range(2):
        page.locator("#resign").click()
    expect(page.locator("#result")).to_contain_text("by resignation")
    check_no_violation(page)
    ann.go("#/analysis?game=connect4&moves=44")
    page.locator("#edit-position").click()
    expect(page.locator("#editor-verdict li")).to_have_count(1)
    check_no_violation(page)


# ---- Languages ----


def test_the_page_speaks_the_readers_language_and_fits_a_phone_in_it(
    browser: Browser, server: Server
) -> None:
    ann = Visitor(browser, server, locale="pt", viewport=PHONE, color_scheme="dark")
    page = ann.go()
    assert page.locator("html").get_attribute("lang") == "pt"
    expect(page.locator("#start-game")).to_have_text(words("pt")["page.start_game"])
    page_and_terminal_write_numbers_and_plurals_alike(ann)
    for language in ("pt", "it"):
        page.evaluate("(language) => localStorage.setItem('mnkala.language', language)", language)
        page.reload()
        for place, shows, key in (
            ("", "#start-game", "page.start_game"),
            ("#/puzzles?win_in=3", "#puzzle-next", "puzzle.next"),
            ("#/studies", "h1", "study.title"),
            ("#/studies/pruning", "figure.narrow svg", ""),
            ("#/tournaments", "#new-tournament", ""),
        ):
            check_width(ann, place, f"phone-{language}", shows=shows, wait=100)
            if key:
                expect(page.locator(shows)).to_have_text(say(key, language))
    ann.close()


def page_and_terminal_write_numbers_and_plurals_alike(ann: Visitor) -> None:
    numbers = [(7, 0), (1588, 0), (17588, 0), (1234567, 0), (1234.5, 1), (0.25, 2)]
    for language in LANGUAGES:
        shown, said = ann.page.evaluate(
            f"""async ([wanted, numbers]) => {{
              const {{ loadWords, number, t }} = await {module("words")};
              await loadWords(wanted);
              return [numbers.map((each) => number(...each)), [1, 2].map((count) => t("page.games_moves", {{ count }}))];
            }}""",
            [language, numbers],
        )
        assert shown == [written(value, digits, language) for value, digits in numbers]
        assert said == [say("page.games_moves", language, count=count) for count in (1, 2)]
    assert [written(17588, language=language) for language in LANGUAGES] == [
        "17,588",
        "17\xa0588",
        "17.588",
    ]


# ---- Screens ----

SCREENS = {"desk": (1280, 800), "wide": (1440, 900), "sideways": (844, 390)}


FITS = """(selector) => {
  const box = document.querySelector(selector).getBoundingClientRect();
  return box.height > 0 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
}"""


def test_boards_and_tools_fit_screens_of_every_size(ann: Visitor, phone: Visitor) -> None:
    for screen, game in (("desk", "connect4"), ("wide", "kalah:3x2"), ("sideways", "tictactoe")):
        the_analysis_page_is_one_screen_in_which_only_lists_scroll(ann, screen, game)
    for game, least in (("connect4", 350), ("gomoku", 330), ("kalah", 540)):
        sideways_a_large_board_has_the_players_and_controls_beside_it(ann, game, least)
    a_phone_plays_by_touch(phone)
    on_a_phone_the_board_and_the_tools_stay_in_view(phone)
    every_page_is_reached_from_a_narrow_header(phone)


def the_analysis_page_is_one_screen_in_which_only_lists_scroll(
    ann: Visitor, screen: str, game: str
) -> None:
    width, height = SCREENS[screen]
    ann.page.set_viewport_size({"width": width, "height": height})
    page = ann.go(f"#/analysis?game={game}")
    expect(page.locator("#analysis-lines > [data-move]").first).to_be_visible()
    assert page.evaluate(
        "[document.documentElement.scrollHeight, document.documentElement.scrollWidth]"
    ) == [height, width]
    for part in (
        "#board",
        "#evaluation-bar",
        "#analysis-lines",
        "#move-list",
        "#analysis-more",
        "#analysis-family",
        "#copy-link",
    ):
        assert page.evaluate(FITS, part), part
    board = page.locator("#board").bounding_box()
    assert board is not None
    assert board["height"] > 0.6 * height or board["width"] > 0.5 * width


def sideways_a_large_board_has_the_players_and_controls_beside_it(
    ann: Visitor, game: str, least: int
) -> None:
    ann.page.set_viewport_size({"width": 844, "height": 390})
    page = ann.new_game(game)
    board = page.locator("#board").bounding_box()
    assert board is not None
    assert board["width"] >= least
    for shown in ("#board", ".plate.first", ".plate.second", "#undo", "#hint", "#resign"):
        box = page.locator(shown).bounding_box()
        assert box is not None
        assert 0 <= box["y"] <= box["y"] + box["height"] <= 390, shown
    assert overflow(page) <= 0


def a_phone_plays_by_touch(phone: Visitor) -> None:
    page = phone.new_game("connect4", "human", "easy")
    page.locator('#board [data-cell="0,3"]').tap()
    expect(page.locator("#move-list [data-move]")).to_have_count(2)


def on_a_phone_the_board_and_the_tools_stay_in_view(phone: Visitor) -> None:
    page = phone.go("#/analysis?game=connect4&moves=121212")
    expect(page.locator("#analysis-lines > [data-move]")).to_have_count(7)
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert page.evaluate("scrollY") > 0
    assert page.evaluate(FITS, "#board")
    assert page.evaluate(FITS, "#analysis-more")
    assert (
        page.evaluate("parseFloat(getComputedStyle(document.querySelector('.chip')).fontSize)")
        >= 12
    )


def every_page_is_reached_from_a_narrow_header(phone: Visitor) -> None:
    page = phone.go("#/games")
    more = page.locator(".nav-more")
    for name in ("think", "learn", "tournaments", "studies"):
        expect(page.locator(f'[data-nav="{name}"]')).to_be_hidden()
        more.locator("summary").click()
        more.locator(f'[data-more="{name}"]').click()
        page.wait_for_url(f"**/#/{name}")
        expect(more.locator("summary")).to_have_css(
            "color", page.evaluate("getComputedStyle(document.body).color")
        )
    assert overflow(page) <= 0


# ---- Help ----


def test_rules_numbers_and_reports_are_one_click_away(ann: Visitor, phone: Visitor) -> None:
    page = ann.go("#/?game=kalah:3x2,standard")
    expect(page.locator("#start-game")).to_be_enabled()
    page.locator("[data-help=rules]").click()
    expect(page.locator("#rules-dialog h2")).to_contain_text("Kalah 3x2,standard")
    expect(page.locator("#rules-dialog figure .miniature")).to_have_count(11)
    page.keyboard.press("Escape")
    page = ann.new_game("domineering:4x4")
    page.locator("[data-help=rules]").click()
    for text in ("Lay dominoes, upright or flat", "Whoever cannot lay a domino loses."):
        expect(page.locator("#rules-dialog")).to_contain_text(text)
    page.keyboard.press("Escape")
    page.locator("[data-help=legend]").click()
    expect(page.locator("#legend-dialog [data-entry=wins_in]")).to_contain_text(
        "counts the winner's own moves"
    )
    expect(
        page.locator("#legend-dialog [data-entry=wins_by], #legend-dialog [data-entry=book]")
    ).to_have_count(0)
    page = ann.go("#/learn")
    page.locator("[data-help=reports]").click()
    expect(page.locator("#reports-dialog [data-report]")).to_have_count(5)
    small = phone.go("#/")
    small.locator("[data-help=rules]").click()
    expect(small.locator("#rules-dialog figure").first).to_be_visible()
    assert small.evaluate("document.documentElement.scrollWidth <= innerWidth")
