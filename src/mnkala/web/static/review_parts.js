// The parts of the review beside the board: accuracy of the two sides, the move that is looked at, the graded list of moves.

import { mark } from "./board_marks.js";
import { h, replace, s } from "./dom.js";
import { gradeShape } from "./graph.js";
import { icon } from "./play_icons.js";
import { MoveList } from "./play_moves.js";
import { reasonText } from "./play_scores.js";
import { provedText } from "./scores.js";
import { number, t } from "./words.js";

export const GRADES = ["best", "good", "inaccuracy", "mistake", "blunder"];
export const FAULTS = ["inaccuracy", "mistake", "blunder"];
const LONGEST_LINE = 14;
const SIGNS = { best: "!", good: "", inaccuracy: "?!", mistake: "?", blunder: "??" };

/** The shape of a grade as a small picture. */
export function gradeMark(grade) {
  return s("svg", { class: `grade-mark grade-${grade}`, viewBox: "-8 -8 16 16", "aria-hidden": "true" }, gradeShape(grade, 5));
}

/** How well the two sides played. */
export class Accuracy {
  constructor() {
    this.element = h("section", { class: "accuracies", "aria-label": t("review.accuracy") });
  }

  show(review, names) {
    replace(this.element, [0, 1].map((player) => {
      const share = review.accuracy[player];
      const grades = review.moves.filter((move) => move.player === player && move.grade).map((move) => move.grade);
      return h("div", { class: `panel accuracy ${player ? "second" : "first"}` },
        h("div", { class: "accuracy-head" }, mark(player), h("h2", null, names[player])),
        h("p", { class: "accuracy-value" }, h("span", { id: player ? "accuracy-second" : "accuracy-first", class: "accuracy-number" }, share === null ? "–" : `${number(share, 1)} %`), h("span", { class: "soft" }, t("review.accuracy_word"))),
        h("ul", { class: "counts" }, GRADES.map((grade) => {
          const count = grades.filter((each) => each === grade).length;
          return h("li", { "data-count": grade, title: t(`review.grade_${grade}`), class: count ? null : "none" }, gradeMark(grade), h("span", { class: "count" }, number(count)), h("span", { class: "sr-only" }, t(`review.grade_${grade}`)));
        })));
    }));
  }
}

/** What is to be said of the move that is looked at. */
export class Comment {
  /** `onLine(moves)` is asked to show the better line up to a move, or null to go back to the game. */
  constructor(onLine) {
    this.onLine = onLine;
    this.element = h("section", { class: "panel comment", "aria-label": t("review.this_move"), "aria-live": "polite" });
  }

  /** The moves of a line as buttons: each shows the board after it, once more the game again. */
  steps(move, of, shown) {
    return move[of].slice(0, LONGEST_LINE).map((each, i) => {
      const pressed = shown?.of === of && shown.upTo === i + 1;
      return h("button", { type: "button", class: "move", "data-line": String(i + 1), "data-of": of, "aria-pressed": String(pressed), onclick: () => this.onLine(pressed ? null : { of, upTo: i + 1 }) }, each);
    });
  }

  show(review, ply, names, { graded, tryHref, turning, shown }) {
    const move = review.moves[ply - 1];
    if (!move) {
      replace(this.element, h("p", { class: "comment-head" }, h("strong", null, t("review.start"))), h("p", { class: "soft" }, t("review.start_about")));
      return;
    }
    const head = h("p", { class: "comment-head" }, mark(move.player), h("strong", null, `${number(ply)}. ${move.move}${move.grade ? SIGNS[move.grade] : ""}`),
      move.grade ? h("span", { class: `grade-word grade-${move.grade}` }, gradeMark(move.grade), t(`review.grade_${move.grade}`)) : h("span", { class: "soft" }, t("review.waits")));
    const parts = [head];
    if (turning) parts.push(h("p", { class: "comment-turning" }, t("review.is_turning_point")));
    if (move.grade) {
      const words = (worth) => provedText(worth, { graded });
      if (move.loss >= 0.005) parts.push(h("p", null, t("review.gave_away", { percent: number(100 * move.loss), player: names[move.player] })));
      if (move.turned) parts.push(h("p", { class: "turned" }, t(`review.turned_${move.turned.join("_")}`)));
      if (move.reasons?.length) parts.push(h("p", { class: "why" }, move.reasons.map(reasonText).join(" ")));
      if (move.turned && move.refutation?.length > 1) {
        parts.push(h("div", { class: "better refutation" }, h("p", null, h("strong", null, t("review.refuted"))),
          h("div", { class: "line", role: "group", "aria-label": t("review.refuted") }, this.steps(move, "refutation", shown).slice(1))));
      }
      if (move.worth) parts.push(h("p", { class: "soft" }, t("review.after_it", { player: names[move.player], score: words(move.worth) })));
      if (move.best !== move.move) {
        parts.push(h("div", { class: "better" },
          h("p", null, h("strong", null, t(FAULTS.includes(move.grade) ? "review.better" : "review.preferred", { move: move.best })), move.best_worth ? h("span", { class: "soft" }, ` ${t("review.better_score", { player: names[move.player], score: words(move.best_worth) })}`) : null),
          h("div", { class: "line", role: "group", "aria-label": t("review.line") }, this.steps(move, "line", shown), h("a", { class: "button try", id: "try-it", href: tryHref }, icon("search"), h("span", null, t("review.try_it"))))));
      }
    }
    if (shown) parts.push(h("p", { class: "soft" }, t(shown.of === "line" ? "review.line_shown" : "review.refutation_shown")));
    replace(this.element, parts);
  }
}

/** The moves with their grades. */
export class GradedMoves extends MoveList {
  constructor(onLook) {
    const next = h("button", { type: "button", class: "quiet", id: "next-fault", onclick: () => onLook(this.nextFault()) }, t("review.next_fault"));
    super(onLook, "review-moves", "moves graded", next);
    this.next = next;
    this.faults = [];
  }

  /** Always: to go to the move that is looked at leaves a line that is shown instead of it. */
  walk(ply) {
    this.onLook(ply);
  }

  /** The next move that gave something away, round and round. */
  nextFault() {
    return this.faults.find((ply) => ply > this.ply) ?? this.faults[0] ?? this.ply;
  }

  show(review, ply) {
    this.total = review.moves.length;
    this.faults = review.moves.filter(({ grade }) => FAULTS.includes(grade)).map((move) => move.ply);
    this.next.disabled = !this.faults.length;
    const top = this.list.scrollTop;
    this.draw(review.moves.map(({ player }) => player), (i) => this.entry(review.moves[i], review));
    this.list.scrollTop = top;
    this.setPly(ply);
  }

  entry(move, review) {
    const { ply, grade } = move;
    const word = grade ? t(`review.grade_${grade}`) : t("review.waits");
    const turning = review.turning_point === ply;
    return h("button", { type: "button", class: `move${grade ? ` grade-${grade}` : ""}`, "data-ply": String(ply), "data-move": move.move, "data-grade": grade, title: word, id: turning ? "turning-point" : null },
      move.move, grade ? h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[grade]) : null, grade && grade !== "good" ? gradeMark(grade) : null,
      turning ? h("span", { class: "turning-mark", "aria-hidden": "true" }, "▼") : null,
      h("span", { class: "sr-only" }, ` ${word}${turning ? `, ${t("review.turning_point")}` : ""}`));
  }
}
