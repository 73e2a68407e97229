// Fields for the sizes of a board, read off the grammar that every family of games has: "kalah[:[HOUSESxSEEDS][,standard]]" asks
// for two numbers and one yes or no. So a plug-in gets its fields without anybody writing them.

import { h, replace } from "./dom.js";
import { known, t } from "./words.js";

const MEANING = { ROWS: "rows", COLS: "columns", COLUMNS: "columns", LINE: "line", SIZE: "side", HOUSES: "houses", SEEDS: "seeds" };

function readGrammar(grammar) {
  const sizes = grammar.match(/[A-Z_]+(?:x[A-Z_]+)*/)?.[0].split("x") || [];
  return { sizes, options: [...grammar.matchAll(/,([a-z][a-z0-9-]*)/g)].map((found) => found[1]) };
}

/** How many seeds a house of Kalah began with, on average. */
export const seedsOfHouse = ({ seeds: { houses, stores }, columns }) => Number(([...houses.flat(), ...stores].reduce((sum, each) => sum + each, 0) / (2 * columns)).toFixed(1));

/** What a size is in a position that is shown, where the game string does not tell. */
function seen(size, view) {
  const values = { rows: view.rows, columns: view.columns, side: view.rows, houses: view.columns, seeds: view.seeds && seedsOfHouse(view) };
  return values[MEANING[size]] ?? "";
}

const label = (size) => (MEANING[size] ? t(`page.size_${MEANING[size]}`) : size.toLowerCase().replace(/_/g, " "));

export class SizeFields {
  constructor(onChange) {
    this.onChange = onChange;
    this.element = h("div", { class: "sizes" });
  }

  /** Fields for a family, filled in by a game string of it and the View of that game. */
  show(family, game, view) {
    const { sizes, options } = readGrammar(family.grammar);
    const [, rest = ""] = game.split(/:(.*)/s);
    const given = /^\d/.test(rest) ? rest.split(",")[0].split("x") : [];
    const chosen = rest.split(",");
    this.family = family;
    this.numbers = sizes.map((size, i) => h("input", {
      type: "number", min: "1", max: "999", id: `size-${size.toLowerCase()}`, "data-size": size.toLowerCase(),
      value: String(given[i] ?? seen(size, view)), oninput: () => this.onChange(this.game),
    }));
    this.boxes = options.map((option) => h("input", { type: "checkbox", id: `size-${option}`, "data-size": option, checked: chosen.includes(option), onchange: () => this.onChange(this.game) }));
    this.options = options;
    replace(this.element,
      sizes.map((size, i) => h("div", { class: "field" }, h("label", { for: this.numbers[i].id }, label(size)), this.numbers[i])),
      options.map((option, i) => h("div", { class: "field check wide" }, this.boxes[i], h("label", { for: this.boxes[i].id }, known(`page.size_${option}`) ? t(`page.size_${option}`) : option))));
    this.element.hidden = !sizes.length && !options.length;
  }

  /** The game string that the fields say. */
  get game() {
    const sizes = this.numbers.map((field) => field.value.trim()).join("x");
    const options = this.options.filter((_, i) => this.boxes[i].checked);
    const rest = [...(this.numbers.length ? [sizes] : []), ...options].join(",");
    return rest ? `${this.family.name}:${rest}` : this.family.name;
  }
}
