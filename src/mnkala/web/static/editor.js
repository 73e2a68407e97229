// Setting up a position by clicking: choose what to put, click cells or houses, say who is to move. The server says whether the board can
// arise, or why not, after every change.

import { api } from "./api.js";
import { Board } from "./board.js";
import { mark } from "./board_marks.js";
import { h, replace } from "./dom.js";
import { choice } from "./play_computer.js";
import { copyButton } from "./play_icons.js";
import { gameName } from "./play_names.js";
import { address } from "./play_positions.js";
import { openDialog } from "./settings.js";
import { t } from "./words.js";

const MOST_SEEDS = 160; // no board holds more

/** Open the editor at a position. It leads to the analysis page or to a new game. */
export function openEditor(view) {
  return new Editor(view);
}

/** A button that opens the editor at the position which `current()` gives. */
export function editButton(current, attributes = {}) {
  return h("button", { type: "button", id: "edit-position", ...attributes, onclick: () => current() && openEditor(current()) }, t("editor.open"));
}

class Editor {
  constructor(view) {
    this.view = view;
    this.brush = view.seeds ? "add" : "1";
    this.exactly = 4;
    this.asked = 0;
    this.build();
    this.take(view);
    this.check();
  }

  build() {
    const { view } = this;
    const place = h("div", { class: "board-place" });
    this.brushes = h("div", { class: "editor-brushes" });
    this.stores = h("div", { class: "editor-stores", hidden: !view.seeds });
    this.movers = h("div");
    this.verdict = h("ul", { class: "editor-verdict", id: "editor-verdict", role: "status" });
    this.literal = h("code", { class: "editor-literal", id: "editor-literal" });
    this.copy = copyButton(() => `${this.view.game}@${this.found.literal}`, t("play.copy"), { id: "editor-copy" });
    this.analyse = h("button", { type: "button", class: "primary", id: "editor-analyse", onclick: () => this.leave("analysis") }, t("editor.analyse"));
    this.play = h("button", { type: "button", id: "editor-play", onclick: () => this.leave("") }, t("page.play_from_here"));
    const tools = h("div", { class: "editor-tools" },
      h("div", { class: "editor-choices" }, this.brushes, this.stores, this.movers),
      h("div", { class: "controls" },
        h("button", { type: "button", id: "editor-clear", onclick: () => this.clear() }, t("editor.clear")),
        h("button", { type: "button", id: "editor-start", onclick: () => this.start() }, t("editor.start"))),
      this.verdict, h("div", { class: "controls" }, this.analyse, this.play),
      this.written = h("div", { class: "editor-written" }, this.literal, this.copy),
      h("p", { class: "help" }, t(view.seeds ? "editor.keys_houses" : "editor.keys_grid", { x: view.players[0], o: view.players[1] })));
    const body = h("div", { class: view.seeds ? "editor-body below" : "editor-body" }, place, tools);
    this.dialog = openDialog(`${t("editor.title")}: ${gameName(view.game)}`, body, { id: "editor", class: "dialog editor" });
    this.board = new Board(place, { id: "editor-board", onCell: (row, column) => this.put(row, column) });
    const pressed = (event) => this.pressed(event);
    document.addEventListener("keydown", pressed); // wherever the focus is: a click may leave it nowhere
    this.dialog.addEventListener("close", () => {
      document.removeEventListener("keydown", pressed);
      this.board.close();
    });
    this.drawBrushes();
    if (view.seeds) replace(this.stores, [1, 0].map((player) => this.storeField(player)));
  }

  /** What a click puts: a mark or nothing; of seeds one more, one less, or so many. */
  drawBrushes() {
    const { players, seeds } = this.view;
    const options = seeds ? [["add", "+1"], ["take", "−1"], ["exactly", t("editor.exactly")]]
      : [["1", [mark(0), players[0]]], ["2", [mark(1), players[1]]], ["0", t("editor.empty")]];
    replace(this.brushes, choice("editor-brush", t("editor.brush"), options, this.brush, (brush) => this.choose(brush)));
    const spoken = { add: t("editor.add"), take: t("editor.take") };
    for (const input of this.brushes.querySelectorAll("input")) if (spoken[input.value]) input.setAttribute("aria-label", spoken[input.value]);
    if (!seeds) return;
    const field = h("input", { type: "number", id: "editor-number", class: "editor-number", min: "0", max: String(MOST_SEEDS), value: String(this.exactly), "aria-label": t("editor.number"), oninput: () => {
      this.exactly = seedsOf(field.value);
      this.choose("exactly");
    } });
    this.brushes.append(field);
  }

  choose(brush) {
    this.brush = brush;
    this.brushes.querySelector(`input[value="${brush}"]`).checked = true;
  }

  storeField(player) {
    const id = `editor-store-${player}`;
    const field = h("input", { type: "number", id, class: "editor-number", min: "0", max: String(MOST_SEEDS), oninput: () => {
      this.seeds.stores[player] = seedsOf(field.value);
      this.changed();
    } });
    return h("div", { class: "field" }, h("label", { for: id }, t("editor.store", { player: this.view.players[player] })), field);
  }

  // ---- The board ----

  /** Begin with the board of a view. */
  take(view) {
    this.cells = view.cells.map((row) => [...row]);
    this.seeds = view.seeds && { houses: view.seeds.houses.map((row) => [...row]), stores: [...view.seeds.stores] };
    this.mover = view.seeds ? view.mover : null; // elsewhere the number of marks says whose turn it is, unless a player is chosen
    this.shownMover = view.mover;
    this.draw([]);
  }

  clear() {
    for (const row of [...this.cells, ...(this.seeds ? [...this.seeds.houses, this.seeds.stores] : [])]) row.fill(0);
    this.changed();
  }

  async start() {
    try {
      this.take(await api.post("look", { game: this.view.game }));
      this.check();
    } catch (error) {
      this.tell([{ text: error.message }]);
    }
  }

  put(row, column) {
    if (this.seeds) this.sow(row, column, { add: (count) => count + 1, take: (count) => count - 1, exactly: () => this.exactly }[this.brush]);
    else {
      if (this.view.style === "drop") this.drop(row, column, Number(this.brush));
      else this.cells[row][column] = this.cells[row][column] === Number(this.brush) ? 0 : Number(this.brush);
      this.changed();
    }
  }

  /** Discs fall: one comes to lie on top of its column, or takes the place of another; where one is taken out, those above it come down. */
  drop(row, column, owner) {
    const discs = this.cells.map((cells) => cells[column]).reverse();
    const height = discs.indexOf(0) < 0 ? discs.length : discs.indexOf(0);
    const at = this.cells.length - 1 - row;
    if (!owner && at < height) discs.push(...discs.splice(at, 1).fill(0));
    else if (owner && at < height && discs[at] !== owner) discs[at] = owner;
    else if (owner && height < discs.length) discs[height] = owner;
    discs.reverse().forEach((disc, i) => { this.cells[i][column] = disc; });
  }

  /** Change a house, or a store: the second player's lies before the houses of the upper row, the first player's behind those of the lower. */
  sow(row, column, next) {
    const { houses, stores } = this.seeds;
    const [place, at] = column in houses[row] ? [houses[row], column] : [stores, 1 - row];
    place[at] = Math.max(0, Math.min(MOST_SEEDS, next(place[at])));
    this.changed();
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input[type=number]")) return;
    const brush = { 1: "1", x: "1", 2: "2", o: "2", 0: "0", ".": "0", Delete: "0", Backspace: "0" }[event.key];
    if (!this.seeds && brush) this.choose(brush);
    else if (this.seeds && /^[0-9+-]$/.test(event.key)) {
      this.sow(...this.board.active, { "+": (count) => count + 1, "-": (count) => count - 1 }[event.key] || (() => Number(event.key)));
    } else return;
    event.preventDefault();
  }

  draw(pointed) {
    if (this.seeds) this.cells = this.seeds.houses.map((row, above) => row.map((count) => (count ? 2 - above : 0)));
    const shown = { ...this.view, cells: this.cells, moves: [], last: [], marked: [], over: false, ...(this.seeds ? { seeds: structuredClone(this.seeds) } : {}) };
    this.board.show(shown, { cells: pointed });
    this.seeds?.stores.forEach((count, player) => {
      const field = this.stores.querySelector(`#editor-store-${player}`);
      if (seedsOf(field.value) !== count || !field.value) field.value = count;
    });
    this.drawMovers();
  }

  drawMovers() {
    const { players } = this.view;
    const chosen = String(this.mover ?? this.shownMover);
    const input = this.movers.querySelector(`input[value="${chosen}"]`);
    if (input) input.checked = true;
    else replace(this.movers, choice("editor-mover", t("editor.to_move"), [0, 1].map((player) => [String(player), [mark(player), players[player]]]), chosen, (player) => {
      this.mover = Number(player);
      this.changed();
    }));
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
      const found = await api.post("edit", { game: this.view.game, cells: this.cells, ...(this.seeds ? { seeds: this.seeds } : {}), ...(this.mover === null ? {} : { mover: this.mover }) });
      if (mine !== this.asked) return;
      this.found = found;
      if (found.view) {
        this.shownMover = found.view.mover;
        if (!this.seeds) this.mover = null;
      }
      this.draw(found.reasons.flatMap((reason) => reason.cells));
      this.tell(found.reasons.length ? found.reasons.map((reason) => ({ ...reason, text: t(reason.key, reason.values) })) : [{ text: t("editor.legal") }]);
    } catch (error) {
      if (mine !== this.asked) return;
      this.found = null;
      this.tell([{ text: error.status === 0 ? t("page.offline") : error.message }]);
    }
  }

  tell(reasons) {
    const literal = this.found?.literal;
    this.verdict.classList.toggle("bad", !literal);
    replace(this.verdict, reasons.map(({ key, text }) => h("li", key ? { "data-reason": key } : null, text)));
    this.literal.textContent = literal ? `${this.view.game}@${literal}` : "";
    this.analyse.disabled = this.written.hidden = !literal;
    this.play.disabled = !literal || this.found.view.over;
  }

  leave(page) {
    const { view } = this.found;
    this.dialog.close();
    location.hash = address(page, view);
  }
}

const seedsOf = (text) => Math.max(0, Math.min(MOST_SEEDS, Math.trunc(Number(text)) || 0));
