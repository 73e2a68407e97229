// The parts of the review beside the board: accuracy of the two sides, the move that is looked at, the graded list of moves.

import { mark } from "./board_marks.js";
import { h, last, redraw, replace, s } from "./dom.js";
import { gradeShape } from "./graph.js";
import { icon } from "./play_icons.js";
import { MoveList } from "./play_moves.js";
import { named, provedText, signed } from "./scores.js";
import { number, said, t } from "./words.js";

export const GRADES = ["best", "good", "inaccuracy", "mistake", "blunder"];
export const FAULTS = ["inaccuracy", "mistake", "blunder"];
const LONGEST_LINE = 14;
const SIGNS = { best: "!", good: "", inaccuracy: "?!", mistake: "?", blunder: "??" };

/** The shape of a grade as a small picture. @param {string} grade */
function gradeMark(grade) {
  return s(
    "svg",
    { class: `grade-mark grade-${grade}`, viewBox: "-8 -8 16 16", "aria-hidden": "true" },
    gradeShape(grade, 5),
  );
}

/** How well the two sides played. */
export class Accuracy {
  constructor() {
    this.element = h("section.accuracies", { "aria-label": t("review.accuracy") });
  }

  /** @param {ReviewView} review @param {string[]} names */
  show(review, names) {
    const units = unitsOf(review);
    replace(
      this.element,
      [0, 1].map((player) => {
        const grades = units
          .filter((unit) => unit.player === player && unit.grade)
          .map(({ grade }) => grade);
        return h(
          "div",
          { class: `panel accuracy ${player ? "second" : "first"}` },
          h("div.accuracy-head", mark(player), h("h2", names[player])),
          this.value(review, player),
          h(
            "ul.counts",
            GRADES.map((grade) => {
              const count = grades.filter((each) => each === grade).length;
              return h(
                "li",
                {
                  "data-count": grade,
                  title: t(`review.grade_${grade}`),
                  class: count ? null : "none",
                },
                gradeMark(grade),
                h("span.count", number(count)),
                h("span.sr-only", t(`review.grade_${grade}`)),
              );
            }),
          ),
        );
      }),
    );
  }

  /**
   * The share of the chances that a side kept; where margins count what it gave away, by the turns of which that is proved.
   * @param {ReviewView} review @param {number} player
   */
  value(review, player) {
    const [share, exact] = [review.accuracy[player], review.exactness[player]];
    /** @param {string} text @param {string} word */
    const large = (text, word) =>
      h(
        "p.accuracy-value",
        h("span.accuracy-number", { id: player ? "accuracy-second" : "accuracy-first" }, text),
        h("span.soft", word),
      );
    const guessed = exact ? exact.turns - exact.proved : 0;
    return [
      exact?.proved
        ? large(
            number(exact.given_away),
            t(`${review.margin_texts}.given`, { margin: exact.given_away }),
          )
        : large(share === null ? "–" : `${number(share, 1)} %`, t("review.accuracy_word")),
      exact?.proved
        ? h(
            "p.soft.accuracy-turns",
            t("review.per_turn", {
              margin: number(exact.given_away / exact.proved, 1),
              best: number(exact.best),
              turns: exact.proved,
            }),
          )
        : null,
      guessed ? h("p.soft.accuracy-turns", t("review.unproved", { turns: guessed })) : null,
    ];
  }
}

/** The comment on the current move. */
export class Comment {
  /**
   * `onLine(moves)` is asked to show the better line up to a move, or null to go back to the game.
   * @param {(shown: ShownLine | null) => void} onLine
   */
  constructor(onLine) {
    this.onLine = onLine;
    this.element = h("section.panel.comment", {
      "aria-label": t("review.this_move"),
      "aria-live": "polite",
    });
  }

  /**
   * The moves of a line as buttons: each shows the board after it, once more the game again.
   * @param {ReviewUnit} unit @param {ShownLine["of"]} of @param {ShownLine | null} shown
   */
  steps(unit, of, shown) {
    return unit[of].slice(0, LONGEST_LINE).map((each, i) => {
      const pressed = shown?.of === of && shown.upTo === i + 1;
      return h(
        "button.move",
        {
          "data-line": String(i + 1),
          "data-of": of,
          "aria-pressed": String(pressed),
          onclick: () => this.onLine(pressed ? null : { of, upTo: i + 1 }),
        },
        each,
      );
    });
  }

  /**
   * @param {ReviewView} review @param {number} ply @param {string[]} names
   * @param {{ noun: string, tryHref: string, turning: boolean, shown: ShownLine | null, onFind: (unit: ReviewUnit) => void, onRetry: (unit: ReviewUnit) => void }} options
   */
  show(review, ply, names, { noun, tryHref, turning, shown, onFind, onRetry }) {
    const unit = unitAt(unitsOf(review), ply);
    if (!unit) {
      replace(
        this.element,
        h("p.comment-head", h("strong", t("review.start"))),
        h("p.soft", t("review.start_about")),
      );
      return;
    }
    const { grade, given_away: lost, reasons } = unit;
    const guessed = grade && byTurns(review) && lost === null;
    const head = h(
      "p.comment-head",
      mark(unit.player),
      h("strong", `${number(unit.number)}. ${unit.text}${grade ? SIGNS[grade] : ""}`),
      grade
        ? h(
            "span",
            { class: `grade-word grade-${grade}` },
            gradeMark(grade),
            t(`review.grade_${grade}`),
          )
        : h("span.soft", t("review.waits")),
      guessed && !unit.turned ? h("span.tag", t("exact.estimate_tag")) : null,
    );
    const parts = [head];
    if (turning) parts.push(h("p.comment-turning", t("review.is_turning_point")));
    if (grade) {
      if (lost === null && unit.loss >= 0.005)
        parts.push(h("p", t("review.gave_away", { percent: number(100 * unit.loss) })));
      if (lost && !reasons.length)
        parts.push(h("p", t(`${review.margin_texts}.gave`, { margin: lost })));
      if (guessed) parts.push(h("p.soft", t("review.out_of_reach")));
      if (unit.turned) parts.push(h("p.turned", t(`review.turned_${unit.turned.join("_")}`)));
      if (reasons.length) parts.push(h("p.why", reasons.map((reason) => said(reason)).join(" ")));
      if ((unit.turned || lost) && unit.refutation.length > unit.moves.length) {
        parts.push(
          h(
            "div.better.refutation",
            h("p", h("strong", t("review.refuted"))),
            h(
              "div.line",
              { role: "group", "aria-label": t("review.refuted") },
              this.steps(unit, "refutation", shown).slice(unit.moves.length),
            ),
          ),
        );
      }
      if (unit.worth)
        parts.push(
          h(
            "p.soft",
            t(byTurns(review) ? "review.after_turn" : "review.after_it", {
              score: provedText(unit.worth),
            }),
          ),
        );
      if (unit.best.join() !== unit.moves.join()) {
        parts.push(
          h(
            "div.better",
            h(
              "p",
              h(
                "strong",
                t(FAULTS.includes(grade) ? "review.better" : "review.preferred", {
                  move: named(unit.best, { noun }),
                }),
              ),
              unit.best_worth
                ? h(
                    "span.soft",
                    ` ${t("review.better_score", { score: provedText(unit.best_worth) })}`,
                  )
                : null,
            ),
            h(
              "div.line",
              { role: "group", "aria-label": t("review.line") },
              this.steps(unit, "line", shown),
              h(
                "a.button.try#try-it",
                { href: tryHref },
                icon("search"),
                h("span", t("review.try_it")),
              ),
            ),
          ),
        );
      }
    }
    if (FAULTS.includes(grade ?? ""))
      parts.push(
        h(
          "div.controls",
          h("button#find-it", { onclick: () => onFind(unit) }, t("review.find_it")),
          h("button#retry-it", { onclick: () => onRetry(unit) }, t("review.retry")),
        ),
      );
    if (shown)
      parts.push(
        h("p.soft", t(shown.of === "line" ? "review.line_shown" : "review.refutation_shown")),
      );
    replace(this.element, parts);
  }
}

/** The moves, or turns, with their grades. */
export class GradedMoves extends MoveList {
  /** @param {(ply: number) => void} onLook */
  constructor(onLook) {
    const next = h(
      "button.quiet#next-fault",
      { onclick: () => onLook(this.nextFault()) },
      t("review.next_fault"),
    );
    super(onLook, "review-moves", "moves graded", next);
    this.next = next;
    this.faults = /** @type {number[]} */ ([]);
    this.units = /** @type {ReviewUnit[]} */ ([]);
  }

  /** Always: to go to the move that is looked at leaves a line that is shown instead of it. @param {number} ply */
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
    this.faults = this.units
      .filter(({ grade }) => FAULTS.includes(grade ?? ""))
      .map((unit) => unit.ply);
    this.next.disabled = !this.faults.length;
    this.ply = ply;
    redraw(this.list, () => {
      this.draw(
        this.units.map(({ player }) => player),
        (i) => this.entry(this.units[i], review),
      );
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
    return h(
      "button",
      {
        class: `move${grade ? ` grade-${grade}` : ""}`,
        "data-ply": String(ply),
        "data-move": unit.text,
        "data-grade": grade,
        title: word,
        id: turning ? "turning-point" : null,
      },
      unit.text,
      grade ? h("span.sign", { "aria-hidden": "true" }, SIGNS[grade]) : null,
      grade && grade !== "good" ? gradeMark(grade) : null,
      lost ? h("span.lost-margin", { "aria-hidden": "true" }, signed(-lost)) : null,
      turning ? h("span.turning-mark", { "aria-hidden": "true" }, "▼") : null,
      h("span.sr-only", ` ${word}${turning ? `, ${t("review.turning_point")}` : ""}`),
    );
  }
}

// The units in which people think of a game that is looked at again: its moves, or where margins count its turns, for the moves of one
// player in a row are one thought. A unit: {number, first, ply, player, moves, text, grade, given_away, best, line, refutation, turned, reasons, loss, worth,
// best_worth}; `ply` is its last one, and `given_away` is what it lost of the margin, or null where that is not proved or not counted.

/**
 * Whether a game is reviewed by turns, in margins as far as they are proved.
 * @param {ReviewView} review
 */
export const byTurns = (review) => review.turns.length > 0;

/** Whether every position that was looked at has an exact margin, so that these are drawn instead of the chances. @param {ReviewView} review */
export const hasMargins = (review) =>
  byTurns(review) &&
  review.chances.every((chance, ply) => chance === null || review.margins[ply] !== null);

/** @param {ReviewView} review @returns {ReviewUnit[]} */
export function unitsOf(review) {
  if (!byTurns(review))
    return review.moves.map((move) => ({
      ...move,
      number: move.ply,
      first: move.ply,
      moves: [move.move],
      text: move.move,
      best: [move.best],
      given_away: null,
    }));
  return review.turns.map((turn) => {
    const moves = review.moves.slice(turn.first - 1, turn.last);
    return {
      ...turn,
      ply: turn.last,
      text: turn.moves.join(" "),
      loss: Math.max(...moves.map(({ loss }) => loss)),
      worth: last(moves).worth,
      best_worth: moves[0].best_worth,
    };
  });
}

/** The unit that a ply belongs to. @param {ReviewUnit[]} units @param {number} ply */
export const unitAt = (units, ply) => units.find((unit) => unit.first <= ply && ply <= unit.ply);

/**
 * The number of moves that a unit shares with the better one from the start.
 * @param {ReviewUnit} options
 */
export function parting({ moves, best }) {
  const place = best.findIndex((move, i) => move !== moves[i]);
  return place < 0 ? 0 : place;
}
