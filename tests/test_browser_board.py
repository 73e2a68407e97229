"""The boards of the page by themselves, in a real browser: what is written on them, how they are
touched, and how pieces move.
"""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from mnkala.explain.words import words
from tests.browser import DESK, EMPTY, PATIENCE, PHONE, Visitor, click_move, module
from tests.waiting import wait_until

expect.set_options(timeout=PATIENCE)


DRAW = (
    "async ({game, moves, texts, words, options, show}) => { const [{ api }, { Board }] = [await "
    + module("api")
    + ", await "
    + module("board")
    + """];
  const view = await api.post("look", { game, ...(moves ? { moves } : {}) });
  const place = Object.assign(document.createElement("div"), { className: "board-place" });
  document.querySelector("main").replaceChildren(place);
  window.chosen = [];
  window.board = new Board(place, options?.edit ? { onCell: (...cell) => chosen.push(cell.join()) } : { onMove: (move) => chosen.push(move) });
  const annotations = texts && view.moves.map(({ move }, i) => ({ move, text: texts[i % texts.length], words: words?.[i % words.length], note: i % 2 ? "in 12" : "", tone: ["good", "even", "bad"][i % 3], best: !i, proved: i % 2 === 0, title: `said of ${move}` }));
  board.show(view, { annotations, ...show });
  board.measure();
}"""
)
"""Put a board on an empty page, with something said of every move."""
SPILT = """() => [...document.querySelectorAll(".badge, .column-tile")].filter((each) => each.getClientRects().length).flatMap((each) => {
  const box = (each.querySelector("rect") ?? each).getBoundingClientRect();
  return [...each.querySelectorAll("text, strong, .column-note")].filter((text) => {
    const { left, right, width } = text.getBoundingClientRect();
    return width && (left < box.left - 0.5 || right > box.right + 0.5);
  }).map((text) => text.textContent);
})"""
"""The texts that are wider than the badge or tile they stand in."""


def draw(page: Page, game: str, **more: Any) -> None:
    page.evaluate(DRAW, {"game": game, **more})


def test_a_board_shows_what_is_said_of_moves_and_is_touched(ann: Visitor, phone: Visitor) -> None:
    ann.go("#/games")
    for size in (PHONE, DESK):
        texts_stay_within_their_badges_and_large_boards_rank_the_best_handful(ann, size)
    a_piece_is_picked_put_back_dragged_and_goes_where_it_may(ann)
    every_cell_can_be_chosen_for_editing_and_a_preview_looks_like_one(ann)
    the_names_of_rows_and_columns_stay_while_two_fingers_zoom_and_one_scrolls(phone)


def texts_stay_within_their_badges_and_large_boards_rank_the_best_handful(
    ann: Visitor, size: Any
) -> None:
    page = ann.page
    page.set_viewport_size(size)
    for game, shown in [
        ("tictactoe", 9),
        ("connect:7x8x4", 8),
        ("connect:8x12x4", 12),
        ("kalah", 6),
        ("gomoku", 5),
        ("breakthrough:6x6", 3),
    ]:
        draw(page, game, texts=["−12…+17", "63 %", "wins 5", "draw"])
        expect(page.locator("[data-score]")).to_have_count(shown)
        assert page.evaluate(SPILT) == [], game
    expect(page.locator("#board .badges .arrow")).to_have_count(
        5
    )  # ways of pieces to three goals, each with the best of its ways
    draw(page, "gomoku", texts=["63 %"])
    assert [each.get_attribute("data-rank") for each in page.locator("#board [data-rank]").all()][
        ::-1
    ] == list("12345")
    expect(page.locator('#board [data-cell="0,14"]')).to_have_attribute(
        "aria-label", re.compile("said of o15")
    )  # also of the others
    draw(page, "kalah", texts=["+12", "−9"], words=["wins by 12", "loses by 9"])
    assert page.evaluate(SPILT) == []
    expect(page.locator('#board [data-score="2"] .in-full')).to_be_visible(
        visible=size == DESK
    )  # in words where there is room
    expect(page.locator('#board [data-score="2"] .in-brief')).to_be_visible(visible=size == PHONE)
    house, badge = (
        page.locator(where).bounding_box()
        for where in ("#board .hollow.first >> nth=0", '#board [data-score="1"]')
    )
    assert house
    assert badge
    assert badge["y"] > house["y"] + house["height"], "the seeds stay in sight"
    page.set_viewport_size({"width": DESK["width"], "height": DESK["height"]})


def a_piece_is_picked_put_back_dragged_and_goes_where_it_may(ann: Visitor) -> None:
    page = ann.page
    draw(page, "breakthrough:5x4", moves="b2-b3", texts=["63 %"])

    def cell(row: int, column: int) -> Any:
        return page.locator(f'#board [data-cell="{row},{column}"]')

    cell(1, 1).click()
    expect(page.locator("#board .tint.goal")).to_have_count(2)
    expect(cell(1, 1)).to_have_attribute("aria-selected", "true")
    expect(cell(2, 0)).to_have_attribute("aria-label", re.compile("can go here. said of b4-a3"))
    page.keyboard.press("Escape")
    expect(page.locator("#board .tint.goal")).to_have_count(0)
    cell(1, 1).click()
    cell(1, 0).click()
    expect(cell(1, 0)).to_have_attribute("aria-selected", "true")
    cell(4, 3).click()
    expect(page.locator("#board .tint.picked")).to_have_count(0)
    assert page.evaluate("chosen") == []
    cell(1, 3).drag_to(cell(2, 2))
    assert page.evaluate("chosen") == ["d4-c3"]


def every_cell_can_be_chosen_for_editing_and_a_preview_looks_like_one(
    ann: Visitor,
) -> None:
    page = ann.page
    draw(page, "kalah:3x2", moves="2", options={"edit": True})
    for cell in ("1,1", "0,2", "0,-1"):
        page.locator(f'#board [data-cell="{cell}"]').click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert page.evaluate("chosen") == ["1,1", "0,2", "0,-1", "0,0"]
    draw(page, "connect4", moves="44", show={"preview": True})
    expect(page.locator(".board-preview")).to_have_text(words("en")["board.preview"])
    assert (
        page.locator(".board-view").evaluate("(place) => getComputedStyle(place).outlineStyle")
        == "dashed"
    )


def the_names_of_rows_and_columns_stay_while_two_fingers_zoom_and_one_scrolls(
    phone: Visitor,
) -> None:
    page = phone.go("#/games")
    draw(page, "mnk:50x50x5", texts=["63 %"])
    box = page.locator(".board-view").bounding_box()
    assert box
    fingers = page.context.new_cdp_session(page)

    def touch(kind: str, *places: tuple[float, float]) -> None:
        points = [
            {"x": box["x"] + x, "y": box["y"] + y, "id": i} for i, (x, y) in enumerate(places)
        ]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", (140, 150), (180, 150))
    for far in (40, 70, 100):
        touch("touchMove", (160 - far, 150), (160 + far, 150))
    touch("touchEnd")
    assert page.evaluate("board.zoom.factor") > 3
    page.locator(".board-view").evaluate("(place) => place.scrollTo(300, 500)")
    for ruler, edge in ((".row-ruler", "left"), (".column-ruler", "bottom")):
        assert (
            page.evaluate(
                "([ruler, edge]) => Math.abs(document.querySelector(ruler).getBoundingClientRect()[edge]"
                " - document.querySelector('.board-view').getBoundingClientRect()[edge])",
                [ruler, edge],
            )
            < 1.5
        )
    sizes = "(kind) => [...document.querySelectorAll(kind)].filter((each) => each.getClientRects().length).map((each) => each.getBoundingClientRect().height)"
    assert min(page.evaluate(sizes, ".ruler text")) > 11
    page.locator('[data-zoom="out"]').click()
    expect(page.locator(".board-zoom")).to_be_visible()


# ---- Parts of the page ----


def test_a_redraw_keeps_focus_and_scroll_and_waits_while_something_is_pressed(ann: Visitor) -> None:
    a_tree_of_moves_is_walked_changed_and_read_again(ann)
    page = ann.page
    page.goto(f"{ann.server.address}/{EMPTY}")
    page.evaluate(f"""async () => {{
      const {{ h, redraw, replace }} = await {module("dom")};
      const list = h("div", {{ id: "list", css: {{ height: "60px", overflow: "auto" }} }});
      document.body.replaceChildren(list);
      window.pressed = [];
      window.draw = (mark) => redraw(list, () => replace(list, [0, 1, 2, 3, 4, 5, 6, 7].map((i) =>
        h("button", {{ type: "button", "data-move": String(i), css: {{ display: "block" }}, onclick: () => {{ window.pressed.push(i); }} }}, `${{mark}} ${{i}}`))));
      window.draw("old");
    }}""")
    sixth = page.locator('[data-move="6"]')
    sixth.focus()
    top = page.evaluate("document.querySelector('#list').scrollTop")
    assert top > 0
    page.evaluate("window.draw('new')")
    expect(sixth).to_have_text("new 6")
    expect(sixth).to_be_focused()
    assert page.evaluate("document.querySelector('#list').scrollTop") == top
    sixth.hover()
    page.mouse.down()
    page.evaluate("window.draw('late')")
    expect(sixth).to_have_text("new 6")
    page.mouse.up()
    expect(sixth).to_have_text("late 6")
    assert page.evaluate("window.pressed") == [6], "the click has arrived"


def a_tree_of_moves_is_walked_changed_and_read_again(ann: Visitor) -> None:
    ann.page.goto(f"{ann.server.address}/{EMPTY}")
    found = ann.page.evaluate("""async () => {
      const { MoveTree } = await import("/move_tree.js");
      const tree = new MoveTree();
      tree.add(["1", "2", "3"], [0, 1, 0]);
      const other = tree.add(["1", "4", "5"], [0, 1, 0]);
      const moves = (node) => tree.moves(node).join("");
      const seen = [moves(tree.end(tree.root)), moves(tree.beside(other, 1)), moves(tree.branch(other)), tree.branch(tree.find(["1", "2"]))];
      tree.promote(other);
      const again = MoveTree.read(JSON.parse(JSON.stringify(tree.serialise())));
      seen.push(again.root.children[0].children.map(({ move }) => move).join(""), moves(tree.remove(tree.branch(tree.find(["1", "2"])))), tree.find(["1", "2"]));
      return seen;
    }""")
    assert found == ["145", "12", "14", None, "42", "1", None]


# ---- Movement ----

WATCH = """() => {
  window.frames = [];
  const look = () => {
    const board = document.querySelector("#board");
    if (!board) return; // another page
    const hidden = (each) => getComputedStyle(each).visibility === "hidden";
    window.frames.push({
      carried: board.querySelectorAll(".carried > g").length, moving: board.getAnimations({ subtree: true }).some((each) => each.effect.getKeyframes()[0].transform),
      discs: board.querySelectorAll(".pieces .disc").length, rings: [...board.querySelectorAll(".ring.last")].filter((each) => !hidden(each)).length,
    });
    requestAnimationFrame(look);
  };
  look();
}"""


def frames(page: Page) -> list[dict[str, Any]]:
    """What every frame since `WATCH` showed."""
    found: list[dict[str, Any]] = page.evaluate("window.frames")
    return found


def test_pieces_move_and_boards_look_as_one_likes(ann: Visitor) -> None:
    ann.page.emulate_media(reduced_motion="no-preference")
    seeds_travel_and_captured_ones_go_to_the_store(ann)
    a_reply_waits_until_the_disc_before_has_landed_and_rings_come_last(ann)
    a_board_is_chosen_by_a_sample_and_stones_tell_their_moves_in_reviews(ann)
    classic_colours_are_those_of_the_game(ann)
    without_animation_nothing_moves_and_sounds_are_turned_off_by_one_click(ann)


def seeds_travel_and_captured_ones_go_to_the_store(mover: Visitor) -> None:
    page = mover.new_game("kalah", start="<6,0,0,1,0,3,3,3,3,3,3,3,3,3,3>")
    page.evaluate(WATCH)
    click_move(page, mover.state()["view"], "1")
    expect(page.locator(".store-count").first).to_have_text("4")
    expect(page.locator(".carried > g")).to_have_count(0)
    assert [page.locator(".count").nth(column).text_content() for column in range(12)] == [
        *"303333",
        *"003333",
    ]
    assert max(frame["carried"] for frame in frames(page)) == 2, (
        "one seed travelled, then those of two houses"
    )


def a_reply_waits_until_the_disc_before_has_landed_and_rings_come_last(mover: Visitor) -> None:
    page = mover.new_game("connect4", "human", "random:seed=1")
    page.evaluate(WATCH)
    click_move(page, mover.state()["view"], "4")
    expect(page.locator("#board .pieces .disc")).to_have_count(2)
    expect(page.locator(".ring.last")).to_have_count(1)
    wait_until(
        lambda: page.evaluate(
            "!document.querySelector('#board').getAnimations({ subtree: true }).length"
        ),
        "everything has landed",
    )
    seen = frames(page)
    assert any(
        frame["discs"] == 1 and not frame["moving"] and frame["rings"] == 1 for frame in seen
    ), "the first disc lay, with its ring, before the second fell"
    assert not any(frame["moving"] and frame["rings"] for frame in seen)


def a_board_is_chosen_by_a_sample_and_stones_tell_their_moves_in_reviews(
    mover: Visitor,
) -> None:
    page = mover.new_game("gomoku", moves="h8,h9,i8")
    ground, number = page.locator("#board .wood"), page.locator("#board .number")
    expect(number.first).to_be_hidden()
    page.locator("#settings").click()
    samples = page.locator(".segments [data-board] .wood")
    seen = [samples.nth(i).evaluate("each => getComputedStyle(each).fill") for i in range(4)]
    assert len(set(seen)) == 4
    page.locator('[name="setting-board"][value="slate"]').check(force=True)
    expect(ground).to_have_css("fill", seen[2])
    page.locator('[name="setting-numbers"][value="on"]').check(force=True)
    page.keyboard.press("Escape")
    expect(number).to_have_text(["2", "1", "3"])  # from the top
    expect(page.locator("#board .disc-mark")).to_have_count(3)
    page.evaluate("localStorage.removeItem('mnkala.numbers')")
    page.goto(f"{mover.server.address}/#/review?game=gomoku&moves=h8,h9,i8")
    page.reload()
    expect(page.locator("#board .number")).to_have_text(["2", "1", "3"])
    expect(page.locator("#board .number").first).to_be_visible()
    page.evaluate("localStorage.removeItem('mnkala.board')")


def classic_colours_are_those_of_the_game(mover: Visitor) -> None:
    page = mover.new_game("connect4", moves="4")
    page.locator("#settings").click()
    page.locator('[name="setting-pieces"][value="classic"]').check(force=True)
    page.keyboard.press("Escape")
    expect(page.locator("#board .disc.first .disc-body")).to_have_css("fill", "rgb(198, 40, 40)")
    page = mover.new_game("gomoku", moves="h8h9")
    expect(page.locator("#board .disc.first .disc-body")).to_have_css("fill", "rgb(28, 28, 28)")
    expect(page.locator("#board .disc.second .disc-body")).to_have_css("fill", "rgb(246, 245, 240)")
    page.evaluate("localStorage.removeItem('mnkala.pieces')")


def without_animation_nothing_moves_and_sounds_are_turned_off_by_one_click(
    mover: Visitor,
) -> None:
    page = mover.new_game("kalah")
    page.locator("#settings").click()
    page.locator('[name="setting-motion"][value="off"]').check(force=True)
    page.keyboard.press("Escape")
    page.locator("#sound").click()
    expect(page.locator("#sound")).to_have_attribute("title", "Turn the sounds on")
    assert page.evaluate(
        "[localStorage.getItem('mnkala.sound'), localStorage.getItem('mnkala.motion')]"
    ) == ["off", "off"]
    page.evaluate(WATCH)
    click_move(page, mover.state()["view"], "3")
    expect(page.locator(".store-count").first).to_have_text("1")
    assert not any(frame["carried"] for frame in frames(page))
    page.reload()
    expect(page.locator("#sound")).to_have_attribute("title", "Turn the sounds on")
    page.locator("#sound").click()
    assert page.evaluate("localStorage.getItem('mnkala.sound')") is None
