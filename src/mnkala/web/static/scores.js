// Scores for people: "wins in 29 moves", "wins by 6", "between −2 and 3", "about +12". They are told as the player to move sees them.
// A score is {score, lower, upper, result, plies} as the solver knows it: `score` is null until the bounds meet. What a search says is
// read into the same shape; its opinion is an `estimate`, and a result that it saw among some of the moves only is `likely`.

import { number, t } from "./words.js";

const TONES = { win: "good", draw: "even", loss: "bad" };
const OTHER_SIDE = { lower: "upper", upper: "lower", win: "loss", loss: "win" };

/** A value in few letters; `places` behind the comma of thousands and millions. */
export function shortValue(value, places = 1) {
  const size = Math.abs(value);
  const digits = size >= 1e6 ? `${number(size / 1e6, places)}M` : size >= 1e3 ? `${number(size / 1e3, size >= 1e4 ? 0 : places)}k` : number(size);
  return value > 0 ? `+${digits}` : value < 0 ? `−${digits}` : digits;
}

/** What a search says, for a player. */
export function searchScore({ value, kind, result, plies, player }, mover) {
  const [sign, seen] = player === mover ? [1, (word) => word] : [-1, (word) => OTHER_SIDE[word] ?? word];
  const known = { score: null, lower: null, upper: null, result: seen(result), plies };
  const part = { exact: "score", heuristic: "estimate" }[kind] ?? seen(kind);
  return { ...known, [part]: sign * value, likely: kind === "heuristic" && plies !== null && value ? (sign * value > 0 ? "win" : "loss") : null };
}

/** A score in few letters: +2, 0, −4; bounds while it is open. */
export function valueText({ score, lower, upper, estimate, likely, plies }) {
  if (score !== null) return shortValue(score);
  if (likely) return `${likely === "win" ? "▲" : "▼"}${number(plies)}`;
  if (estimate !== undefined) return shortValue(estimate, 0);
  return upper === null ? `≥${shortValue(lower)}` : lower === null ? `≤${shortValue(upper)}` : `${shortValue(lower)}…${shortValue(upper)}`;
}

/** A score in words. Where a game counts by how much it is won, the number says so; elsewhere it says how soon, if that is known. */
export function scoreText({ score, lower, upper, estimate, likely, result, plies }, { graded }) {
  if (score === null) {
    if (likely) return t(`exact.${likely}_likely`, { plies: number(plies) });
    const bounds = { value: shortValue(estimate ?? lower ?? upper), lower: shortValue(lower), upper: shortValue(upper) };
    if (estimate !== undefined) return t("exact.estimated", bounds);
    if (lower === null || upper === null) return t(upper === null ? "exact.at_least" : "exact.at_most", bounds);
    return t(result === "unknown" ? "exact.between" : `exact.${result}_between`, bounds);
  }
  if (result === "draw") return t("exact.draw");
  const how = plies === 0 ? "_over" : graded ? "_by" : plies === null ? "" : plies === 1 ? "_now" : "_in";
  return t(`exact.${result}${how}`, { margin: number(Math.abs(score)), plies: number(plies ?? 0) });
}

/** In words and, where that says more, as a number: "wins in 29 moves (+7)". */
export const fullText = (worth, view) => (worth.score && !view.graded ? `${scoreText(worth, view)} (${valueText(worth)})` : scoreText(worth, view));

/** The same, and whether it is proved. */
export const provedText = (worth, view) => (worth.score === null ? scoreText(worth, view) : t("exact.proved", { score: fullText(worth, view) }));

/** A move by the name that its game has for moves: "Column 4". */
export const moveName = (move, { noun }) => t(`exact.move_${noun}`, { move });

/** Whether a score is good for the player to move, once it is known. */
export const toneOf = ({ score, result }) => (score === null ? "open" : TONES[result]);

/** Whether it is more than an opinion. */
export const isProved = ({ estimate }) => estimate === undefined;

/** What the first player can expect, where the result is proved. */
export function provedChance({ result }, mover) {
  const expected = { win: 1, draw: 0.5, loss: 0 }[result];
  return expected === undefined ? null : mover === 0 ? expected : 1 - expected;
}

/** Moves, the best first: won ones, then open and drawn ones by what they may be worth, then lost ones. */
export function byWorth(moves) {
  const kind = ({ result, likely }) => ({ win: 1, loss: -1 })[likely ?? result] ?? 0;
  const value = ({ score, estimate, lower, upper }) => score ?? estimate ?? ((lower ?? upper) + (upper ?? lower)) / 2;
  return [...moves].sort((a, b) => kind(b) - kind(a) || value(b) - value(a));
}

/** What the board shows of a move (see board_annotations.js). */
export function annotation(worth, view, best) {
  const { move, score, result, plies } = worth;
  const soon = score === null || view.graded ? "" : result === "draw" ? t("exact.short_draw") : plies === null ? "" : t("exact.short_in", { plies: number(plies) });
  const title = t(best ? "exact.named_best" : "exact.named", { name: moveName(move, view), score: fullText(worth, view) });
  return { move, text: valueText(worth), note: soon, tone: toneOf(worth), best, proved: isProved(worth), title: worth.source === "book" ? `${title} · ${t("exact.from_book")}` : title };
}
