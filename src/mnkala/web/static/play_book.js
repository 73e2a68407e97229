// The opening explorer: every move of an early position with its exact score from the book; a click plays it. It says where the book ends.

import { api } from "./api.js";
import { h, replace } from "./dom.js";
import { icon } from "./play_icons.js";
import { scoreChip } from "./play_scores.js";
import { moveName, scoreText } from "./scores.js";
import { number, t } from "./words.js";

const OPEN = "mnkala.book.open";

export class BookPanel {
  /** `onMove(move)` plays a move, `onPoint(move or null)` shows it on the board, `onBack(ply)` returns to the book. */
  constructor({ onMove, onPoint, onBack }) {
    Object.assign(this, { onMove, onPoint, onBack });
    this.about = h("p", { class: "soft", id: "book-about" });
    this.list = h("ol", { class: "book-moves", id: "book-moves", "aria-label": t("exact.book_moves") });
    this.ways = h("div", { class: "controls" });
    this.element = h("details", { class: "panel book", id: "book", hidden: true, open: localStorage.getItem(OPEN) !== "no", ontoggle: () => {
      localStorage.setItem(OPEN, this.element.open ? "yes" : "no");
      this.ask();
    } }, h("summary", null, icon("book"), t("exact.book")), h("div", { class: "book-body" }, this.about, this.list, this.ways));
  }

  setView(view) {
    this.view = view;
    this.element.hidden = !view.book;
    this.ask();
  }

  async ask() {
    const { view } = this;
    if (!view?.book || !this.element.open || this.asked === view) return;
    this.asked = view;
    const { game, start, played } = view;
    try {
      const opening = await api.post("book", { game, ...(start ? { start } : {}), ...(played.length ? { moves: played.join(",") } : {}) });
      if (view === this.view) this.draw(opening);
    } catch (error) {
      if (view === this.view) replace(this.about, error.message);
    }
  }

  draw(opening) {
    const { view } = this;
    this.element.dataset.inside = String(opening.scores.length > 0);
    replace(this.about, this.words(opening));
    replace(this.list, opening.scores.map((entry) => this.entry(entry, opening.best.includes(entry.move))));
    this.list.hidden = !opening.scores.length;
    const outside = opening.book && !opening.scores.length && !view.over;
    replace(this.ways,
      outside && view.played.length > opening.last ? h("button", { type: "button", id: "book-back", onclick: () => this.onBack(opening.last) }, icon("back"), h("span", null, t("exact.book_back"))) : null);
  }

  words(opening) {
    if (!opening.book) return t("exact.book_none");
    const facts = { plies: number(opening.plies), discs: number(opening.discs) };
    if (this.view.over) return t("play.analysis_over");
    if (!opening.scores.length) return t(opening.whole ? "exact.book_edge" : opening.discs > opening.plies ? "exact.book_ended" : "exact.book_gap", { ...facts, score: opening.whole ? scoreText(opening.whole, this.view) : "" });
    return t("exact.book_says", { ...facts, player: this.view.players[this.view.mover], score: scoreText(opening.whole, this.view) });
  }

  entry(entry, best) {
    const { move } = entry;
    const point = (to) => () => this.onPoint(to);
    return h("li", null, h("button", { type: "button", class: "book-move", "data-book": move, "data-value": String(entry.score), onclick: () => this.onMove(move), onmouseenter: point(move), onfocus: point(move), onmouseleave: point(null), onblur: point(null) },
      scoreChip(entry, best, this.view), h("strong", null, moveName(move, this.view)), h("span", { class: "soft" }, scoreText(entry, this.view))));
  }
}
