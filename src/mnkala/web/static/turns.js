// Whole turns: where a player may move again, the moves of one player in a row are what people think of. In words ("3, 6, then 1 – captures
// 5"), as a path over the board, and as groups of a list of moves.

import { h, last } from "./dom.js";
import { t } from "./words.js";

/** A turn in words; it goes on where the line was cut short. @param {TurnMove[]} turn */
export function turnText(turn) {
  const moves = [...turn.map(({ move }) => move), ...(last(turn).again ? ["…"] : [])];
  const chain = moves.length === 1 ? moves[0] : t("turn.chain", { first: moves.slice(0, -1).join(", "), last: moves.at(-1) });
  const captured = turn.reduce((sum, each) => sum + each.captured, 0);
  return captured ? `${chain} – ${t("turn.captures", { seeds: captured })}` : chain;
}

/**
 * The best turn as an annotation of the board (see board_annotations.js); null where every move is a turn.
 * @param {TurnMove[] | undefined} turn @returns {Annotation | null}
 */
export function turnPath(turn) {
  if (!turn?.some(({ way }) => way.length > 1)) return null;
  /** @param {TurnMove} options @param {number} i */
  const leg = ({ way, taken, captured }, i) => ({ cells: way, label: turn.length > 1 ? i + 1 : null, takes: taken, note: captured ? `×${captured}` : null });
  return { path: turn.map(leg), title: t("turn.best", { turn: turnText(turn) }) };
}

/** What a step of a move does, in words. @param {StepView} options */
export const stepText = ({ kind, seeds, hand }) => (kind === "capture" ? t("turn.captures", { seeds: seeds - 1 }) : kind === "sweep" ? t("turn.sweeps", { seeds }) : t("turn.hand", { seeds: hand }));

/**
 * Parts of a line in the groups of its turns, which have so many parts each; what is left over stands alone, as does everything where
 * every move is a turn.
 * @param {Child[]} parts @param {number[]} lengths
 */
export function grouped(parts, lengths) {
  const groups = [];
  let at = 0;
  for (const length of lengths) {
    if (at < parts.length) groups.push(parts.slice(at, at + length));
    at += length;
  }
  return [...groups.map((group) => (group.length > 1 ? h("span", { class: "turn-group" }, group) : group)), ...parts.slice(at)];
}
