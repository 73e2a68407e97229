// A board in words, for people who hear it: every cell, and the whole position as plain characters.

import { t } from "./words.js";

const MARKS = ".xo";

/** What stands on a cell: "column d, row 3, x". */
export function cellText(view, row, column, yours = null) {
  if (view.seeds) return houseText(view, row, column, yours);
  const owner = view.cells[row][column];
  return t("play.cell", {
    row: view.row_labels?.[row] ?? view.rows - row,
    column: view.column_labels?.[column] ?? column + 1,
    mark: owner ? view.players[owner - 1] : t("play.cell_empty"),
  });
}

function houseText(view, row, column, yours) {
  const player = 1 - row;
  const number = row ? column + 1 : view.columns - column;
  const owner = yours && yours[0] !== yours[1] ? t(yours[player] ? "play.yours" : "play.theirs") : t("play.of_player", { player: view.players[player] });
  return t(view.seeds.houses[row][column] === 1 ? "play.house_one" : "play.house", { number, seeds: view.seeds.houses[row][column], owner });
}

/** What lies in a player's store. */
export const storeText = (view, player) => t("board.store", { player: view.players[player], seeds: view.seeds.stores[player] });

/** One sentence on the whole board, for its label. */
export function boardText(view) {
  return view.seeds
    ? t("play.board_houses", { houses: view.columns, first: view.seeds.stores[0], second: view.seeds.stores[1] })
    : t("play.board_grid", { rows: view.rows, columns: view.columns });
}

/** The position as lines of characters. */
export function positionText(view) {
  if (view.seeds) {
    const [above, below] = view.seeds.houses.map((row) => row.map((count) => String(count).padStart(3)).join(""));
    const [first, second] = view.seeds.stores.map(String);
    const gap = " ".repeat(above.length);
    return [`    ${above}`, `${second.padStart(3)} ${gap} ${first.padStart(3)}`, `    ${below}`].join("\n");
  }
  const margin = Math.max(0, ...(view.row_labels || []).map((label) => label.length));
  const wide = Math.max(1, ...(view.column_labels || []).map((label) => label.length));
  const lines = view.cells.map((row, i) => (margin ? `${view.row_labels[i].padStart(margin)} ` : "") + row.map((owner) => MARKS[owner].padStart(wide)).join(" "));
  if (view.column_labels?.length) lines.push((margin ? " ".repeat(margin + 1) : "") + view.column_labels.map((label) => label.padStart(wide)).join(" "));
  return lines.join("\n");
}
