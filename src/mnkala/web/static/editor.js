// Setting up a position by clicking: choose what to put, click cells or houses, say who is to move. The server says whether the board can
// arise, or why not, after every change.

import { api, told } from "./api.js";
import { Board } from "./board.js";
import { kindOf } from "./board_kinds.js";
import { mark } from "./board_marks.js";
import { h, part, replace } from "./dom.js";
import { gameName } from "./play_cards.js";
import { choice } from "./play_computer.js";
import { copyButton } from "./play_icons.js";
import { address } from "./play_positions.js";
import { openDialog } from "./settings.js";
import { t } from "./words.js";

/** Open the editor at a position. It leads to the analysis page or to a new game. @param {View} view */
function openEditor(view) {
  return new Editor(view);
}

/**
 * A button that opens the editor at the position which `current()` gives.
 * @param {() => View | null | undefined} current @param {Attributes} [attributes]
 */
export function editButton(current, attributes = {}) {
  return h(
    "button#edit-position",
    {
      ...attributes,
      onclick: () => {
        const view = current();
        if (view) openEditor(view);
      },
    },
    t("editor.open"),
  );
}

class Editor {
  /** @type {number | null} */ mover;
  /** @type {number} */ shownMover;
  /** @type {Edited | null} */ found;

  /** @param {View} view */
  constructor(view) {
    this.view = view;
    const { Editing } = kindOf(view);
    this.editing = new Editing(view, {
      onBrush: () => this.drawChosen(),
      onChange: () => this.changed(),
    });
    this.asked = 0;
    const place = h("div.board-place");
    this.brushes = h("div.editor-brushes");
    this.fields = h("div.editor-stores");
    this.movers = h("div");
    this.verdict = h("ul.editor-verdict#editor-verdict");
    this.literal = h("code.editor-literal#editor-literal");
    this.copy = copyButton(() => `${this.view.game}@${this.found?.literal}`, t("play.copy"), {
      id: "editor-copy",
    });
    this.analyse = h(
      "button.primary#editor-analyse",
      { onclick: () => this.leave("analysis") },
      t("editor.analyse"),
    );
    this.play = h(
      "button#editor-play",
      { onclick: () => this.leave("") },
      t("page.play_from_here"),
    );
    const tools = h(
      "div.editor-tools",
      h("div.editor-choices", this.brushes, this.fields, this.movers),
      h(
        "div.controls",
        h("button#editor-clear", { onclick: () => this.clear() }, t("editor.clear")),
        h("button#editor-start", { onclick: () => this.start() }, t("editor.start")),
      ),
      h("div", { role: "status" }, this.verdict),
      h("div.controls", this.analyse, this.play),
      (this.written = h("div.editor-written", this.literal, this.copy)),
      h("p.help", t(this.editing.help, { x: view.players[0], o: view.players[1] })),
    );
    const body = h(
      "div",
      { class: this.editing.below ? "editor-body below" : "editor-body" },
      place,
      tools,
    );
    this.dialog = openDialog(`${t("editor.title")}: ${gameName(view.game)}`, body, {
      id: "editor",
      class: "dialog editor",
    });
    this.board = new Board(place, {
      id: "editor-board",
      onCell: (row, column) => this.editing.put(row, column),
    });
    /** @param {Event} event */
    const pressed = (event) => this.pressed(/** @type {On<KeyboardEvent>} */ (event));
    document.addEventListener("keydown", pressed); // wherever the focus is: a click may leave it nowhere
    this.dialog.addEventListener("close", () => {
      document.removeEventListener("keydown", pressed);
      this.board.close();
    });
    this.drawBrushes();
    replace(this.fields, this.editing.fields);
    this.fields.hidden = !this.editing.fields.length;
    this.take(view);
    this.check();
  }

  /** What a click puts. */
  drawBrushes() {
    const { editing } = this;
    replace(
      this.brushes,
      choice("editor-brush", t("editor.brush"), editing.brushes, editing.brush, (brush) =>
        editing.choose(brush),
      ),
    );
    for (const input of this.brushes.querySelectorAll("input"))
      if (editing.spoken[input.value])
        input.setAttribute("aria-label", editing.spoken[input.value]);
    this.brushes.append(...editing.beside);
  }

  drawChosen() {
    part(this.brushes, `input[value="${this.editing.brush}"]`).checked = true;
  }

  // ---- The board ----

  /** Begin with the board of a view. @param {View} view */
  take(view) {
    this.editing.take(view);
    this.mover = view.tells_mover ? null : view.mover; // whose turn the board says, unless a player is chosen
    this.shownMover = view.mover;
    this.draw([]);
  }

  clear() {
    this.editing.clear();
    this.changed();
  }

  async start() {
    try {
      this.take(await api.post("look", { game: this.view.game }));
      this.check();
    } catch (error) {
      this.tell([{ text: told(error) }]);
    }
  }

  /** @param {On<KeyboardEvent>} event */
  pressed(event) {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.target.matches("input[type=number]")
    )
      return;
    if (!this.editing.pressed(event.key, this.board.active)) return;
    event.preventDefault();
  }

  /** @param {Cell[]} pointed */
  draw(pointed) {
    const shown = {
      ...this.view,
      moves: [],
      last: [],
      marked: [],
      over: false,
      ...this.editing.board,
    };
    this.board.show(shown, { cells: pointed });
    this.editing.drawFields();
    this.drawMovers();
  }

  drawMovers() {
    const { players } = this.view;
    const chosen = String(this.mover ?? this.shownMover);
    const input = part(this.movers, `input[value="${chosen}"]`);
    if (input) input.checked = true;
    else
      replace(
        this.movers,
        choice(
          "editor-mover",
          t("editor.to_move"),
          [0, 1].map((player) => [String(player), [mark(player), players[player]]]),
          chosen,
          (player) => {
            this.mover = Number(player);
            this.changed();
          },
        ),
      );
  }

  // ---- What the server says ----

  changed() {
    this.draw([]);
    this.check();
  }

  async check() {
    this.asked += 1;
    const mine = this.asked;
    try {
      const found = await api.post("edit", {
        game: this.view.game,
        ...this.editing.board,
        ...(this.mover === null ? {} : { mover: this.mover }),
      });
      if (mine !== this.asked) return;
      this.found = found;
      if (found.view) {
        this.shownMover = found.view.mover;
        if (this.view.tells_mover) this.mover = null;
      }
      this.draw(found.reasons.flatMap((reason) => reason.cells));
      this.tell(
        found.reasons.length
          ? found.reasons.map((reason) => ({ ...reason, text: t(reason.key, reason.values) }))
          : [{ text: t("editor.legal") }],
      );
    } catch (error) {
      if (mine !== this.asked) return;
      this.found = null;
      this.tell([{ text: told(error) }]);
    }
  }

  /** @param {{ key?: string, text: string }[]} reasons */
  tell(reasons) {
    const literal = this.found?.literal;
    this.verdict.classList.toggle("bad", !literal);
    replace(
      this.verdict,
      reasons.map(({ key, text }) => h("li", key ? { "data-reason": key } : null, text)),
    );
    this.literal.textContent = literal ? `${this.view.game}@${literal}` : "";
    this.analyse.disabled = this.written.hidden = !literal;
    this.play.disabled = !literal || Boolean(this.found?.view?.over);
  }

  /** @param {string} page */
  leave(page) {
    this.dialog.close();
    if (this.found?.view) location.hash = address(page, this.found.view);
  }
}
