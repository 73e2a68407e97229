// The parts of the review beside the board: accuracy of the two sides, the move that is looked at, the graded list of moves.

import { mark } from "./board_marks.js";
import { h, redraw, replace, s } from "./dom.js";
import { gradeShape } from "./graph.js";
import { icon } from "./play_icons.js";
import { MoveList } from "./play_moves.js";
import { byTurns, unitAt, unitsOf } from "./review_units.js";
import { named, provedText, signed } from "./scores.js";
import { number, said, t } from "./words.js";

export const GRADES = ["best", "good", "inaccuracy", "mistake", "blunder"];
export const FAULTS = ["inaccuracy", "mistake", "blunder"];
const LONGEST_LINE = 14;
const SIGNS = { best: "!", good: "", inaccuracy: "?!", mistake: "?", blunder: "??" };

/** The shape of a grade as a small picture. @param {string} grade */
export function gradeMark(grade) {
  return s("svg", { class: `grade-mark grade-${grade}`, viewBox: "-8 -8 16 16", "aria-hidden": "true" }, gradeShape(grade, 5));
}

/** How well the two sides played. */
export class Accuracy {
  constructor() {
    this.element = h("section", { class: "accuracies", "aria-label": t("review.accuracy") });
  }

  /** @param {ReviewView} review @param {string[]} names */
  show(review, names) {
    const units = unitsOf(review);
    replace(this.element, [0, 1].map((player) => {
      const grades = units.filter((unit) => unit.player === player && unit.grade).map(({ grade }) => grade);
      return h("div", { class: `panel accuracy ${player ? "second" : "first"}` },
        h("div", { class: "accuracy-head" }, mark(player), h("h2", null, names[player])),
        this.value(review, player),
        h("ul", { class: "counts" }, GRADES.map((grade) => {
          const count = grades.filter((each) => each === grade).length;
          return h("li", { "data-count": grade, title: t(`review.grade_${grade}`), class: count ? null : "none" }, gradeMark(grade), h("span", { class: "count" }, number(count)), h("span", { class: "sr-only" }, t(`review.grade_${grade}`)));
        })));
    }));
  }

  /**
   * The share of the chances that a side kept; where margins count what it gave away, by the turns of which that is proved.
   * @param {ReviewView} review @param {number} player
   */
  value(review, player) {
    const [share, exact] = [review.accuracy[player], review.exactness[player]];
    /** @param {string} text @param {string} word */
    const large = (text, word) => h("p", { class: "accuracy-value" }, h("span", { id: player ? "accuracy-second" : "accuracy-first", class: "accuracy-number" }, text), h("span", { class: "soft" }, word));
    const guessed = exact ? exact.turns - exact.proved : 0;
    return [
      exact?.proved ? large(number(exact.given_away), t(`${review.margin_texts}.given`, { margin: exact.given_away })) : large(share === null ? "–" : `${number(share, 1)} %`, t("review.accuracy_word")),
      exact?.proved ? h("p", { class: "soft accuracy-turns" }, t("review.per_turn", { margin: number(exact.given_away / exact.proved, 1), best: number(exact.best), turns: exact.proved })) : null,
      guessed ? h("p", { class: "soft accuracy-turns" }, t("review.unproved", { turns: guessed })) : null];
  }
}

/** What is to be said of the move that is looked at. */
export class Comment {
  /**
   * `onLine(moves)` is asked to show the better line up to a move, or null to go back to the game.
   * @param {(shown: ShownLine | null) => void} onLine
   */
  constructor(onLine) {
    this.onLine = onLine;
    this.element = h("section", { class: "panel comment", "aria-label": t("review.this_move"), "aria-live": "polite" });
  }

  /**
   * The moves of a line as buttons: each shows the board after it, once more the game again.
   * @param {ReviewUnit} unit @param {ShownLine["of"]} of @param {ShownLine | null} shown
   */
  steps(unit, of, shown) {
    return unit[of].slice(0, LONGEST_LINE).map((each, i) => {
      const pressed = shown?.of === of && shown.upTo === i + 1;
      return h("button", { type: "button", class: "move", "data-line": String(i + 1), "data-of": of, "aria-pressed": String(pressed), onclick: () => this.onLine(pressed ? null : { of, upTo: i + 1 }) }, each);
    });
  }

  /**
   * @param {ReviewView} review @param {number} ply @param {string[]} names
   * @param {{ noun: string, tryHref: string, turning: boolean, shown: ShownLine | null }} options
   */
  show(review, ply, names, { noun, tryHref, turning, shown }) {
    const unit = unitAt(unitsOf(review), ply);
    if (!unit) {
      replace(this.element, h("p", { class: "comment-head" }, h("strong", null, t("review.start"))), h("p", { class: "soft" }, t("review.start_about")));
      return;
    }
    const { grade, given_away: lost, reasons } = unit;
    const guessed = grade && byTurns(review) && lost === null;
    const head = h("p", { class: "comment-head" }, mark(unit.player), h("strong", null, `${number(unit.number)}. ${unit.text}${grade ? SIGNS[grade] : ""}`),
      grade ? h("span", { class: `grade-word grade-${grade}` }, gradeMark(grade), t(`review.grade_${grade}`)) : h("span", { class: "soft" }, t("review.waits")),
      guessed && !unit.turned ? h("span", { class: "tag" }, t("exact.estimate_tag")) : null);
    const parts = [head];
    if (turning) parts.push(h("p", { class: "comment-turning" }, t("review.is_turning_point")));
    if (grade) {
      if (lost === null && unit.loss >= 0.005) parts.push(h("p", null, t("review.gave_away", { percent: number(100 * unit.loss) })));
      if (lost && !reasons.length) parts.push(h("p", null, t(`${review.margin_texts}.gave`, { margin: lost })));
      if (guessed) parts.push(h("p", { class: "soft" }, t("review.out_of_reach")));
      if (unit.turned) parts.push(h("p", { class: "turned" }, t(`review.turned_${unit.turned.join("_")}`)));
      if (reasons.length) parts.push(h("p", { class: "why" }, reasons.map((reason) => said(reason)).join(" ")));
      if ((unit.turned || lost) && unit.refutation.length > unit.moves.length) {
        parts.push(h("div", { class: "better refutation" }, h("p", null, h("strong", null, t("review.refuted"))),
          h("div", { class: "line", role: "group", "aria-label": t("review.refuted") }, this.steps(unit, "refutation", shown).slice(unit.moves.length))));
      }
      if (unit.worth) parts.push(h("p", { class: "soft" }, t(byTurns(review) ? "review.after_turn" : "review.after_it", { score: provedText(unit.worth) })));
      if (unit.best.join() !== unit.moves.join()) {
        parts.push(h("div", { class: "better" },
          h("p", null, h("strong", null, t(FAULTS.includes(grade) ? "review.better" : "review.preferred", { move: named(unit.best, { noun }) })), unit.best_worth ? h("span", { class: "soft" }, ` ${t("review.better_score", { score: provedText(unit.best_worth) })}`) : null),
          h("div", { class: "line", role: "group", "aria-label": t("review.line") }, this.steps(unit, "line", shown), h("a", { class: "button try", id: "try-it", href: tryHref }, icon("search"), h("span", null, t("review.try_it"))))));
      }
    }
    if (shown) parts.push(h("p", { class: "soft" }, t(shown.of === "line" ? "review.line_shown" : "review.refutation_shown")));
    replace(this.element, parts);
  }
}

/** The moves, or turns, with their grades. */
export class GradedMoves extends MoveList {
  /** @param {(ply: number) => void} onLook */
  constructor(onLook) {
    const next = h("button", { type: "button", class: "quiet", id: "next-fault", onclick: () => onLook(this.nextFault()) }, t("review.next_fault"));
    super(onLook, "review-moves", "moves graded", next);
    this.next = next;
    this.faults = /** @type {number[]} */ ([]);
    this.units = /** @type {ReviewUnit[]} */ ([]);
  }

  /**
   * Always: to go to the move that is looked at leaves a line that is shown instead of it.
   * @param {number} ply
   */
  walk(ply) {
    this.onLook(ply);
  }

  /** @param {number} ply */
  plyOfButton(ply) {
    return unitAt(this.units, ply)?.ply ?? ply;
  }

  /** The next move that gave something away, round and round. */
  nextFault() {
    return this.faults.find((ply) => ply > this.ply) ?? this.faults[0] ?? this.ply;
  }

  /** @param {ReviewView} review @param {number} ply */
  showReview(review, ply) {
    this.total = review.moves.length;
    this.units = unitsOf(review);
    this.faults = this.units.filter(({ grade }) => FAULTS.includes(grade ?? "")).map((unit) => unit.ply);
    this.next.disabled = !this.faults.length;
    this.ply = ply;
    redraw(this.list, () => {
      this.draw(this.units.map(({ player }) => player), (i) => this.entry(this.units[i], review));
      this.setPly(this.ply);
    });
    this.setPly(ply);
  }

  /** @param {ReviewUnit} unit @param {ReviewView} review */
  entry(unit, review) {
    const { first, ply, grade, given_away: lost } = unit;
    const word = `${grade ? t(`review.grade_${grade}`) : t("review.waits")}${lost ? `: ${t(`${review.margin_texts}.gave`, { margin: lost })}` : ""}`;
    const point = review.turning_point ?? -1;
    const turning = first <= point && point <= ply;
    return h("button", { type: "button", class: `move${grade ? ` grade-${grade}` : ""}`, "data-ply": String(ply), "data-move": unit.text, "data-grade": grade, title: word, id: turning ? "turning-point" : null },
      unit.text, grade ? h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[grade]) : null, grade && grade !== "good" ? gradeMark(grade) : null,
      lost ? h("span", { class: "lost-margin", "aria-hidden": "true" }, signed(-lost)) : null,
      turning ? h("span", { class: "turning-mark", "aria-hidden": "true" }, "▼") : null,
      h("span", { class: "sr-only" }, ` ${word}${turning ? `, ${t("review.turning_point")}` : ""}`));
  }
}
