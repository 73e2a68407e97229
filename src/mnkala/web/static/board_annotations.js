// What stands on a board beside its moves: tiles over the columns where discs fall, badges in the cells and houses elsewhere. An
// annotation is {move, text, note, tone: good, even, bad or open, best, proved, title}. Tones differ in shape as well as in colour; what
// is not proved has a ~ before it.

import { h, s } from "./dom.js";
import { t } from "./words.js";

const SHAPES = { good: "M0 -6L6.4 5H-6.4Z", even: "M-5 -5H5V5H-5Z", bad: "M0 6L6.4 -5H-6.4Z" };
const WIDTHS = { "+": 0.85, "−": 0.85, "≥": 0.68, "≤": 0.68, ",": 0.36, ".": 0.36, "…": 0.9 }; // of letters, in the widest usual font
const SIGN_WIDTH = 0.95;

/** Up for good, a square for even, down for bad; nothing while it is open. */
export function toneShape(tone, place = {}) {
  return SHAPES[tone] ? s("svg", { class: "tone-shape", viewBox: "-8 -8 16 16", "aria-hidden": "true", ...place }, s("path", { d: SHAPES[tone] })) : null;
}

/** The shape or the ~ before the text of an annotation. */
export const signBefore = ({ tone, proved }) => (proved ? toneShape(tone) : h("span", { class: "about" }, "~"));

/** Tiles over a board, each as wide as its column, that play it. Full columns have none. */
export function columnTiles(painter, view, annotations, { playable, onMove, onPoint }) {
  const found = new Map(annotations.map((each) => [each.move, each]));
  const none = () => h("li", { class: "column-none" });
  const tile = (each) => h("li", null, h("button", {
    type: "button", class: `column-tile worth ${each.tone}${each.best ? " best" : ""}`, "data-score": each.move, "data-tone": each.tone, "data-proved": String(each.proved), "aria-label": each.title, title: each.title, disabled: !playable,
    onclick: () => onMove(each.move), onmouseenter: () => onPoint(each.move), onmouseleave: () => onPoint(null), onfocus: () => onPoint(each.move), onblur: () => onPoint(null),
  }, signBefore(each), h("strong", null, each.text), each.note ? h("span", { class: "column-note" }, each.note) : null));
  return h("ol", {
    class: "column-tiles", "aria-label": t("exact.columns"),
    css: { "grid-template-columns": `${painter.left}fr repeat(${painter.columns}, 48fr) ${painter.edge}fr`, "--columns": String(painter.columns) },
  }, none(), view.column_labels.map((label) => (found.has(label) ? tile(found.get(label)) : none())));
}

/** A badge around (0, 0); where the board is `roomy`, with its note in a second line and the ~ beside the text, not over it. */
export function badge({ move, text, note, tone, best, proved, title }, roomy) {
  const [two, stacked] = [roomy && note, !proved && !roomy];
  const [wide, high] = [43, two ? 38 : stacked ? 33 : 28];
  const letters = [...text].reduce((sum, letter) => sum + (WIDTHS[letter] ?? 0.7), 0);
  const sign = SHAPES[tone] || (!proved && roomy) ? SIGN_WIDTH : 0;
  const size = Math.min(two || stacked ? 17 : 20, (wide - (proved ? 8 : 4)) / (letters + sign));
  const [left, middle] = [(-(letters + sign) * size) / 2, two ? -7 : stacked ? 6 : 0];
  return s("g", { class: `badge worth ${tone}`, "data-score": move, "data-tone": tone, "data-proved": String(proved) },
    s("title", null, title),
    s("rect", { x: -wide / 2, y: -high / 2, width: wide, height: high, rx: 9 }),
    best ? s("rect", { class: "badge-ring", x: -wide / 2 - 1.5, y: -high / 2 - 1.5, width: wide + 3, height: high + 3, rx: 10.5 }) : null,
    toneShape(tone, { x: left, y: middle - 0.4 * size, width: 0.8 * size, height: 0.8 * size }),
    proved ? null : s("text", stacked ? { "font-size": 15, y: -4.5 } : { "font-size": size, x: left + 0.4 * size, y: 0.355 * size }, "~"),
    s("text", { "font-size": size.toFixed(1), x: (sign * size) / 2, y: (middle + 0.355 * size).toFixed(1) }, text),
    two ? s("text", { class: "badge-note", y: 14 }, note) : null);
}
