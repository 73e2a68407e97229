// Exact scores over the columns of a board where discs fall: a tile for each column, as wide as the column, that plays it.

import { exactText, exactValue, resultShape } from "./exact.js";
import { h } from "./dom.js";
import { number, t } from "./words.js";

/** The tiles over a board. `columns` is what the server knows of each move; full columns have none. */
export function columnTiles(painter, view, columns, best, { playable, onMove, onPoint }) {
  const found = new Map(columns.map((entry) => [entry.move, entry]));
  const tiles = view.column_labels.map((label) => (found.has(label) ? tile(found.get(label), best.includes(label), { playable, onMove, onPoint }) : h("li", { class: "column-none" })));
  return h("ol", {
    class: `column-tiles${columns.length > 9 ? " many" : ""}`, "aria-label": t("exact.columns"),
    css: { "grid-template-columns": `${painter.left}fr repeat(${painter.columns}, 48fr) ${painter.edge}fr`, "--columns": String(painter.columns) },
  }, h("li", { class: "column-none" }), tiles);
}

function tile(entry, best, { playable, onMove, onPoint }) {
  const { move, lower, upper, score, result, plies, source } = entry;
  const words = t(best ? "exact.column_best" : "exact.column", { move, score: exactText(entry), value: exactValue(entry) });
  return h("li", null, h("button", {
    type: "button", class: `column-tile ${result}${best ? " best" : ""}${score === null ? " open" : ""}`, "data-column": move, "data-lower": String(lower), "data-upper": String(upper), "data-result": result,
    "data-source": source, "aria-label": words, title: `${words}${source === "book" ? ` · ${t("exact.from_book")}` : ""}`, disabled: !playable,
    onclick: () => onMove(move), onmouseenter: () => onPoint(move), onmouseleave: () => onPoint(null), onfocus: () => onPoint(move), onblur: () => onPoint(null),
  }, resultShape(result), h("strong", null, exactValue(entry)), h("span", { class: "column-when" }, when(entry))));
}

const when = ({ score, result, plies }) => (score === null ? "" : result === "draw" ? t("exact.short_draw") : t("exact.short_in", { plies: number(plies) }));
