// How far the opening book reaches, in one short line under the moves that it knows, with the way back into it.

import { api, told } from "./api.js";
import { h, replace } from "./dom.js";
import { icon } from "./play_icons.js";
import { placeOf } from "./play_positions.js";
import { number, t } from "./words.js";

export class BookReach {
  /** @type {View} */ view;

  /** `onBack(ply)`, where there is one, returns to the last position that the book has. @param {{ onBack?: ((ply: number) => void) | null }} options */
  constructor({ onBack = null }) {
    this.onBack = onBack;
    this.element = h("p.book-reach#book-about", { hidden: true });
  }

  /** @param {View} view */
  async show(view) {
    this.view = view;
    this.element.hidden = !view.book || view.over;
    if (this.element.hidden) return;
    try {
      const opening = await api.post("book", placeOf(view));
      if (view === this.view) this.draw(opening);
    } catch (error) {
      if (view === this.view) replace(this.element, told(error));
    }
  }

  /** @param {Opening} options */
  draw({ book, scores, unit, depth, here, last }) {
    const inside = scores.length > 0;
    const way =
      book && !inside && here !== null && this.onBack && this.view.played.length > (last ?? 0);
    const key = inside ? "reaches" : here !== null && here >= depth ? "ended" : "gap";
    this.element.hidden = !book;
    replace(
      this.element,
      icon("book"),
      h(
        "span",
        t(`analysis.book_${key}${unit === "turn" ? "_turns" : ""}`, {
          depth: number(depth),
          here: number(here ?? 0),
        }),
      ),
      way
        ? h(
            "button.quiet#book-back",
            { onclick: () => this.onBack?.(last ?? 0) },
            icon("back"),
            h("span", t("exact.book_back")),
          )
        : null,
    );
  }
}
