// Fields for the sizes of a board, read off the grammar that every game has: "NAME[:[ROWSxCOLS][,exact]]" asks for two numbers and one
// yes or no. So a plug-in gets its fields without anybody writing them; its family may bring words for them.

import { labelled, h, replace } from "./dom.js";
import { known, t } from "./words.js";

/** @param {string} grammar */
function readGrammar(grammar) {
  const sizes = grammar.match(/[A-Z_]+(?:x[A-Z_]+)*/)?.[0].split("x") || [];
  return { sizes, options: [...grammar.matchAll(/,([a-z][a-z0-9-]*)/g)].map((found) => found[1]) };
}

/** The name of a size or an option: the family's own, the usual one, or as the grammar has it. @param {FamilyInfo} options @param {string} part */
function label({ family }, part) {
  const key = [`${family}.size.${part}`, `page.size_${part}`].find(known);
  return key ? t(key) : part.replace(/_/g, " ");
}

export class SizeFields {
  /** @type {FamilyInfo} */ family;
  /** @type {HTMLInputElement[]} */ numbers;
  /** @type {HTMLInputElement[]} */ boxes;
  /** @type {string[]} */ options;

  /** @param {(game: string) => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    this.element = h("div.sizes");
  }

  /** Fields for a game, filled in by a game string of it. @param {FamilyInfo} family @param {string} game */
  show(family, game) {
    const { sizes, options } = readGrammar(family.grammar);
    const [, rest = ""] = game.split(/:(.*)/s);
    const given = /^\d/.test(rest) ? rest.split(",")[0].split("x") : [];
    const chosen = rest.split(",");
    this.family = family;
    this.numbers = sizes.map((size, i) =>
      h("input", {
        type: "number",
        min: "1",
        max: "999",
        id: `size-${size.toLowerCase()}`,
        "data-size": size.toLowerCase(),
        value: String(given[i] ?? family.sizes[i] ?? ""),
        oninput: () => this.onChange(this.game),
      }),
    );
    this.boxes = options.map((option) =>
      h("input", {
        type: "checkbox",
        id: `size-${option}`,
        "data-size": option,
        checked: chosen.includes(option),
        onchange: () => this.onChange(this.game),
      }),
    );
    this.options = options;
    replace(
      this.element,
      sizes.map((size, i) => labelled(label(family, size.toLowerCase()), this.numbers[i])),
      options.map((option, i) =>
        h(
          "div.field.check.wide",
          this.boxes[i],
          h("label", { for: this.boxes[i].id }, label(family, option)),
        ),
      ),
    );
    this.element.hidden = !sizes.length && !options.length;
  }

  /** The game string that the fields say. */
  get game() {
    const sizes = this.numbers.map((input) => input.value.trim()).join("x");
    const options = this.options.filter((_, i) => this.boxes[i].checked);
    const rest = [...(this.numbers.length ? [sizes] : []), ...options].join(",");
    return rest ? `${this.family.name}:${rest}` : this.family.name;
  }
}
