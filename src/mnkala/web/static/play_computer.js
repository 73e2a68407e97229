// Choosing how strong a computer player is: a level, or an engine of one's own.

import { h } from "./dom.js";
import { EnginePicker } from "./play_engine.js";
import { known, t } from "./words.js";

/** A row of buttons of which one is chosen. */
export function choice(name, legend, options, chosen, set) {
  return h("fieldset", { class: "choice" }, h("legend", null, legend),
    h("div", { class: "segments" }, options.map(([value, text]) => h("label", null,
      h("input", { type: "radio", name, value, checked: value === chosen, onchange: () => set(value) }), h("span", null, text)))));
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

export class Computer {
  constructor(catalogue, seat, value, onChange) {
    this.levels = catalogue.levels;
    this.name = `level-${seat}`;
    this.onChange = onChange;
    this.own = !known(`game.level.${value}`);
    this.value = value;
    this.label = "";
    this.picker = new EnginePicker(catalogue, { engine: this.own ? value : undefined, onChange: (engine) => this.set(engine) });
    this.element = h("div", { class: "computer" });
  }

  async setGame(game) {
    await this.picker.setGame(game);
    this.levels = this.picker.offers?.levels ?? this.levels;
    if (this.own) this.set(this.picker.value);
    else if (!this.levels.includes(this.value)) this.set(this.levels.at(-1)); // perfect, where the game cannot be solved
    if (this.element.isConnected) this.draw();
  }

  set(value) {
    this.value = value;
    this.onChange(value);
  }

  choose(value) {
    this.own = value === "own";
    this.set(this.own ? this.picker.value : value);
    this.draw();
    this.element.querySelector(`[value="${value}"]`).focus();
  }

  draw() {
    const levels = [...this.levels.map((level) => [level, capital(t(`game.level.${level}`))]), ["own", t("page.own_engine")]];
    this.element.replaceChildren(choice(this.name, this.label, levels, this.own ? "own" : this.value, (value) => this.choose(value)), ...(this.own ? [this.picker.element] : []));
    return this.element;
  }
}
