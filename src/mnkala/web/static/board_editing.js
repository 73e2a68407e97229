// What the position editor does to a board, kind by kind: what a click puts, which keys there are, what it asks the server about.

import { mark } from "./board_marks.js";
import { h, labelled } from "./dom.js";
import { t } from "./words.js";

const MOST_SEEDS = 160; // no board holds more
const BRUSHES = /** @type {Record<string, string>} */ ({
  1: "1",
  x: "1",
  2: "2",
  o: "2",
  0: "0",
  ".": "0",
  Delete: "0",
  Backspace: "0",
});

/** Marks on cells. */
export class MarksEditing {
  /** @type {number[][]} */ cells;

  help = "editor.keys_grid";

  below = false; // whether the tools lie below the board

  spoken = /** @type {Record<string, string>} */ ({}); // names of brushes whose sign does not say enough

  beside = /** @type {HTMLElement[]} */ ([]); // fields beside the brushes

  fields = /** @type {Child[]} */ ([]);

  brush = "1";

  /** `onBrush()` hears that another brush was chosen, `onChange()` that the board has changed. @param {View} view @param {EditingHooks} options */
  constructor(view, { onBrush, onChange }) {
    this.view = view;
    this.onBrush = onBrush;
    this.onChange = onChange;
  }

  /** [name, what is shown]. */
  get brushes() {
    const { players } = this.view;
    return [
      ["1", [mark(0), players[0]]],
      ["2", [mark(1), players[1]]],
      ["0", t("editor.empty")],
    ];
  }

  /** @param {string} brush */
  choose(brush) {
    this.brush = brush;
    this.onBrush();
  }

  /** Begin with the board of a view. @param {View} view */
  take(view) {
    this.cells = view.cells.map((row) => [...row]);
  }

  clear() {
    for (const row of this.cells) row.fill(0);
  }

  /** @param {number} row @param {number} column */
  put(row, column) {
    const owner = Number(this.brush);
    this.cells[row][column] = this.cells[row][column] === owner ? 0 : owner;
    this.onChange();
  }

  /** Handle a key; return whether it meant something. @param {string} key @param {Cell} _cell */
  pressed(key, _cell) {
    if (Object.hasOwn(BRUSHES, key)) this.choose(BRUSHES[key]);
    return Object.hasOwn(BRUSHES, key);
  }

  /** The board as requests and views hold it. */
  get board() {
    return { cells: this.cells };
  }

  drawFields() {}
}

/** Discs that fall: one comes to lie on top of its column, or takes the place of another; where one is taken out, those above it come down. */
export class DiscsEditing extends MarksEditing {
  /** @param {number} row @param {number} column */
  put(row, column) {
    const owner = Number(this.brush);
    const discs = this.cells.map((cells) => cells[column]).reverse();
    const height = discs.indexOf(0) < 0 ? discs.length : discs.indexOf(0);
    const at = this.cells.length - 1 - row;
    if (!owner && at < height) discs.push(...discs.splice(at, 1).fill(0));
    else if (owner && at < height && discs[at] !== owner) discs[at] = owner;
    else if (owner && height < discs.length) discs[height] = owner;
    discs.reverse().forEach((disc, i) => {
      this.cells[i][column] = disc;
    });
    this.onChange();
  }
}

/** Seeds in houses and stores: a click puts one more, one less, or so many. */
export class SeedsEditing extends MarksEditing {
  /** @type {Seeds} */ seeds;

  help = "editor.keys_houses";

  below = true;

  brush = "add";

  exactly = 4;

  /** @param {View} view @param {EditingHooks} hooks */
  constructor(view, hooks) {
    super(view, hooks);
    this.spoken = { add: t("editor.add"), take: t("editor.take") };
    const number = this.numberField(
      { id: "editor-number", value: String(this.exactly), "aria-label": t("editor.number") },
      (count) => {
        this.exactly = count;
        this.choose("exactly");
      },
    );
    this.beside = [number];
    this.stores = [0, 1].map((player) =>
      this.numberField({ id: `editor-store-${player}` }, (count) => {
        this.seeds.stores[player] = count;
        this.onChange();
      }),
    );
    this.fields = [1, 0].map((player) =>
      labelled(t("editor.store", { player: view.players[player] }), this.stores[player]),
    );
  }

  /** @param {Attributes} attributes @param {(count: number) => void} onNumber */
  numberField(attributes, onNumber) {
    const field = h("input.editor-number", {
      type: "number",
      min: "0",
      max: String(MOST_SEEDS),
      ...attributes,
      oninput: () => {
        onNumber(seedsOf(field.value));
      },
    });
    return field;
  }

  get brushes() {
    return [
      ["add", "+1"],
      ["take", "−1"],
      ["exactly", t("editor.exactly")],
    ];
  }

  /** @param {View} options */
  take({ seeds }) {
    this.seeds = /** @type {Seeds} */ (structuredClone(seeds));
  }

  clear() {
    for (const row of [...this.seeds.houses, this.seeds.stores]) row.fill(0);
  }

  /** @param {number} row @param {number} column */
  put(row, column) {
    this.sow(row, column, (count) =>
      this.brush === "exactly" ? this.exactly : count + (this.brush === "add" ? 1 : -1),
    );
  }

  /**
   * Change a house, or a store: the second player's lies before the houses of the upper row, the first player's behind those of the lower.
   * @param {number} row @param {number} column @param {(count: number) => number} next
   */
  sow(row, column, next) {
    const { houses, stores } = this.seeds;
    const [place, at] = column in houses[row] ? [houses[row], column] : [stores, 1 - row];
    place[at] = Math.max(0, Math.min(MOST_SEEDS, next(place[at])));
    this.onChange();
  }

  /** @param {string} key @param {Cell} cell */
  pressed(key, cell) {
    const known = /^[0-9+-]$/.test(key);
    if (known)
      this.sow(...cell, (count) =>
        key === "+" ? count + 1 : key === "-" ? count - 1 : Number(key),
      );
    return known;
  }

  get board() {
    return {
      cells: this.seeds.houses.map((row, above) => row.map((count) => (count ? 2 - above : 0))),
      seeds: structuredClone(this.seeds),
    };
  }

  drawFields() {
    this.seeds.stores.forEach((count, player) => {
      const field = this.stores[player];
      if (seedsOf(field.value) !== count || !field.value) field.value = String(count);
    });
  }
}

/** @param {string} text */
const seedsOf = (text) => Math.max(0, Math.min(MOST_SEEDS, Math.trunc(Number(text)) || 0));
