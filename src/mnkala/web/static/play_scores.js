// The moves of a position with their scores: of what is proved also why, and the proved line; and how far the solver has come.

import { signBefore } from "./board_annotations.js";
import { h, replace } from "./dom.js";
import { fullText, isProved, moveName, scoreText, shortText, toneOf } from "./scores.js";
import { known, number, t } from "./words.js";

const LONGEST_LINE = 42;
const SAID = ["hint.wins_in", "hint.wins", "why.loses_in"]; // what the score says already

/** A reason in the reader's language, or as the server said it. */
export const reasonText = ({ key, values, text }) => (known(key) ? t(key, values) : text);

/** A score in a small box. */
export const scoreChip = (worth, best, view) => h("span", { class: `chip worth ${toneOf(worth)}${best ? " best" : ""}`, title: fullText(worth, view) }, signBefore({ tone: toneOf(worth), proved: isProved(worth) }), shortText(worth, view));

export class ScoreList {
  constructor() {
    this.element = h("ol", { class: "lines", id: "analysis-lines" });
  }

  show(moves, best, view) {
    const drawn = JSON.stringify(moves.map((worth) => [worth, best.includes(worth.move)]));
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const focused = this.element.contains(document.activeElement) ? document.activeElement.dataset.line : null;
    replace(this.element, moves.map((worth) => this.entry(worth, best.includes(worth.move), view)));
    if (focused) this.element.querySelector(`[data-line="${focused}"]`)?.focus({ preventScroll: true });
  }

  entry(worth, best, view) {
    const { move, line = [], reasons = [], source } = worth;
    const estimated = !isProved(worth);
    const moves = line[0] === move ? line : [move, ...line];
    const role = worth.kind !== "exact" || moves.length < 2 ? null : worth.result === "loss" ? "exact.refuted" : best ? "exact.best_line" : "exact.proved_line";
    const steps = moves.slice(0, LONGEST_LINE).map((text, i) => h("button", { type: "button", class: "move", "data-line": moves.slice(0, i + 1).join(",") }, text));
    const head = h("p", { class: "score-head" }, h("strong", null, moveName(move, view)), " ", h("span", null, scoreText(worth, view)), source === "book" ? h("span", { class: "tag" }, t("exact.book_tag")) : null);
    return h("li", { "data-move": move, class: best ? "best" : null }, scoreChip(worth, best, view),
      h("div", { class: "score-entry" },
        estimated ? null : head,
        reasons.filter(({ key }) => !SAID.includes(key)).map((reason) => h("p", { class: "score-why", tabindex: reason.cells?.length ? "0" : null, "data-cells": reason.cells?.length ? JSON.stringify(reason.cells) : null }, reasonText(reason))),
        role || estimated ? h("div", { class: "proved-line" }, role ? h("span", { class: "tag proved-tag" }, "✓ ", t(role)) : null, h("span", { class: "line-moves" }, role === "exact.refuted" ? steps.slice(1) : steps)) : null));
  }
}

/** How many moves the solver has proved, with a button that ends its work or takes it up again. */
export class ProofProgress {
  constructor({ onStop, onGo }) {
    this.bar = h("progress", { "aria-label": t("exact.progress"), max: 1, value: 0 });
    this.state = h("span", { class: "soft", id: "exact-state" });
    this.stop = h("button", { type: "button", id: "exact-stop", onclick: onStop }, t("exact.stop"));
    this.go = h("button", { type: "button", id: "exact-go", onclick: onGo }, t("exact.go_on"));
    this.element = h("div", { class: "proof-progress" }, this.bar, this.state, this.stop, this.go);
  }

  /** `proof` is what is known by now, or null where nothing is being proved. */
  show(proof, working) {
    this.element.hidden = !proof;
    if (!proof) return;
    const [done, total] = [proof.scores.filter(({ score }) => score !== null).length, proof.scores.length];
    Object.assign(this.bar, { max: total, value: done });
    this.state.textContent = done === total ? t("exact.all_proved") : t(working ? "exact.proved_so_far" : "exact.stopped_at", { done: number(done), total: number(total) });
    this.bar.hidden = done === total;
    this.stop.hidden = !working;
    this.go.hidden = working || done === total;
  }
}
