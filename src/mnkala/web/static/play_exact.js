// The exact side of the analysis: every move with its proved score, why it is so, and the proved line; bounds while the solver works.

import { shortValue } from "./board_marks.js";
import { h, replace } from "./dom.js";
import { byWorth, exactText, exactValue, resultShape } from "./exact.js";
import { known, number, t } from "./words.js";

const LONGEST_LINE = 42;
const SAID = ["hint.wins_in", "hint.wins", "why.loses_in"]; // what the score says already

/** A reason in the reader's language, or as the server said it. */
export const reasonText = ({ key, values, text }) => (known(key) ? t(key, values) : text);

export class ExactList {
  /** `onStop()` ends the work, `onGo()` takes it up again. The lines' own events are the caller's. */
  constructor({ onStop, onGo }) {
    this.lines = h("ol", { class: "lines exact-lines", id: "exact-lines" });
    this.progress = h("progress", { class: "exact-progress", "aria-label": t("exact.progress"), max: 1, value: 0 });
    this.stop = h("button", { type: "button", id: "exact-stop", onclick: onStop }, t("exact.stop"));
    this.go = h("button", { type: "button", id: "exact-go", onclick: onGo }, t("exact.go_on"));
    this.state = h("span", { class: "exact-state", id: "exact-state" });
    this.element = h("div", { class: "exact-body" }, this.lines, h("div", { class: "exact-work" }, this.progress, this.state, this.stop, this.go));
  }

  /** What to say of the position as a whole. */
  verdict(answer, view) {
    const player = view.players[view.mover];
    if (answer.score === null) return t("exact.says_open", { player, score: exactText(answer) });
    return t("exact.says", { player, score: exactText(answer), value: shortValue(answer.score) });
  }

  show(answer, view, stopped) {
    const settled = answer ? answer.columns.filter(({ score }) => score !== null).length : 0;
    const total = answer?.columns.length || 1;
    const working = !stopped && !answer?.final;
    Object.assign(this.progress, { max: total, value: settled });
    this.progress.hidden = !answer || settled === total;
    this.state.textContent = !answer ? "" : settled === total ? t("exact.all_proved") : t(working ? "exact.proved_so_far" : "exact.stopped_at", { done: number(settled), total: number(total) });
    this.stop.hidden = !working || !answer;
    this.go.hidden = working || settled === total || !answer;
    const following = JSON.stringify(answer?.columns.map(({ move, lower, upper, line, reasons }) => [move, lower, upper, line.length, reasons?.length]));
    if (following === this.drawn) return;
    this.drawn = following;
    const focused = this.lines.contains(document.activeElement) ? document.activeElement.dataset.line : null;
    replace(this.lines, answer ? byWorth(answer.columns).map((entry) => this.entry(entry, answer.best.includes(entry.move))) : []);
    if (focused) this.lines.querySelector(`[data-line="${focused}"]`)?.focus({ preventScroll: true });
  }

  entry(entry, best) {
    const { move, score, result, line, reasons = [] } = entry;
    const moves = line.length ? line : [move];
    const role = score === null || moves.length < 2 ? null : result === "loss" ? "exact.refuted" : best ? "exact.best_line" : "exact.proved_line";
    return h("li", { "data-exact": move, class: best ? "best" : null },
      h("span", { class: `chip exact ${result}${score === null ? " open" : ""}` }, resultShape(result), exactValue(entry)),
      h("div", { class: "exact-entry" },
        h("p", { class: "exact-head" }, h("strong", null, t("exact.move", { move })), " ", h("span", null, exactText(entry)), entry.source === "book" ? h("span", { class: "tag" }, t("exact.book_tag")) : null),
        reasons.filter(({ key }) => !SAID.includes(key)).map((reason) => h("p", { class: "exact-why", tabindex: reason.cells?.length ? "0" : null, "data-cells": reason.cells?.length ? JSON.stringify(reason.cells) : null }, reasonText(reason))),
        role ? h("div", { class: "proved-line" }, h("span", { class: "tag proved-tag" }, "✓ ", t(role)),
          h("span", { class: "line-moves" }, moves.slice(0, LONGEST_LINE).map((text, i) => h("button", { type: "button", class: "move", "data-line": moves.slice(0, i + 1).join(",") }, text)).slice(role === "exact.refuted" ? 1 : 0))) : null));
  }
}
