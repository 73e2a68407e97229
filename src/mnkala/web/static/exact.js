// Exact scores for people: "wins in 29 moves", "between −2 and 3". What is won, drawn or lost differs in shape as well as in colour.

import { shortValue } from "./board_marks.js";
import { s } from "./dom.js";
import { number, t } from "./words.js";

const SHAPES = { win: "M0 -6L6.4 5H-6.4Z", draw: "M-5 -5H5V5H-5Z", loss: "M0 6L6.4 -5H-6.4Z", unknown: "M-6 0a1.7 1.7 0 1 0 .01 0M0 0a1.7 1.7 0 1 0 .01 0M6 0a1.7 1.7 0 1 0 .01 0" };

/** Up for won, a square for drawn, down for lost, dots while it is open. */
export function resultShape(result) {
  return s("svg", { class: `result-shape ${result}`, viewBox: "-8 -8 16 16", "aria-hidden": "true" }, s("path", { d: SHAPES[result] }));
}

/** A score in few letters: +2, 0, −4; bounds while it is open. */
export function exactValue({ score, lower, upper }) {
  return score === null ? `${shortValue(lower)}…${shortValue(upper)}` : shortValue(score);
}

/** A score in words, for the player to move. */
export function exactText({ score, lower, upper, result, plies }) {
  if (score === null) {
    const bounds = { lower: shortValue(lower), upper: shortValue(upper) };
    return t(result === "unknown" ? "exact.between" : `exact.${result}_between`, bounds);
  }
  if (result === "draw") return t("exact.draw");
  return t(`exact.${result}_${plies === 1 ? "now" : "in"}`, { plies: number(plies) });
}

/** What the first player can expect: only what is proved. */
export function exactChance({ result }, mover) {
  const expected = { win: 1, draw: 0.5, loss: 0 }[result];
  return expected === undefined ? null : mover === 0 ? expected : 1 - expected;
}

/** Moves, the best first; open ones by what they may still be worth. */
export function byWorth(columns) {
  return [...columns].sort((a, b) => b.lower + b.upper - (a.lower + a.upper) || b.upper - a.upper);
}
