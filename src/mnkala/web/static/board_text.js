// Boards in words, for people who hear them: every cell, and the whole position as plain characters.

import { t } from "./words.js";

const MARKS = ".xo";
/** @param {View} view */
const seedsOf = (view) => /** @type {Seeds} */ (view.seeds);

/** Boards of rows and columns. */
export const gridWords = /** @type {BoardWords} */ ({
  /**
   * What stands on a cell: "column d, row 3, x".
   *
   */
  cell(view, row, column) {
    const owner = view.cells[row][column];
    return t("play.cell", {
      row: view.row_labels?.[row] ?? view.rows - row,
      column: view.column_labels?.[column] ?? column + 1,
      mark: owner ? view.players[owner - 1] : t("play.cell_empty"),
    });
  },

  /** One sentence on the whole board, for its label. */
  board: (view) => t("play.board_grid", { rows: view.rows, columns: view.columns }),

  /** The position as lines of characters. */
  position(view) {
    const margin = Math.max(0, ...(view.row_labels || []).map((label) => label.length));
    const wide = Math.max(1, ...(view.column_labels || []).map((label) => label.length));
    const lines = view.cells.map((row, i) => (margin ? `${view.row_labels[i].padStart(margin)} ` : "") + row.map((owner) => MARKS[owner].padStart(wide)).join(" "));
    if (view.column_labels?.length) lines.push((margin ? " ".repeat(margin + 1) : "") + view.column_labels.map((label) => label.padStart(wide)).join(" "));
    return lines.join("\n");
  },
});

/** Boards of houses and stores. */
export const houseWords = /** @type {BoardWords} */ ({
  cell(view, row, column, yours = null) {
    const player = 1 - row;
    const number = row ? column + 1 : view.columns - column;
    const owner = yours && yours[0] !== yours[1] ? t(yours[player] ? "play.yours" : "play.theirs") : t("play.of_player", { player: view.players[player] });
    return t(seedsOf(view).houses[row][column] === 1 ? "play.house_one" : "play.house", { number, seeds: seedsOf(view).houses[row][column], owner });
  },

  /** What lies in a player's store. */
  store: (view, player) => t("board.store", { player: view.players[player], seeds: seedsOf(view).stores[player] }),

  board: (view) => t("play.board_houses", { houses: view.columns, first: seedsOf(view).stores[0], second: seedsOf(view).stores[1] }),

  position(view) {
    const [above, below] = seedsOf(view).houses.map((row) => row.map((count) => String(count).padStart(3)).join(""));
    const [first, second] = seedsOf(view).stores.map(String);
    const gap = " ".repeat(above.length);
    return [`    ${above}`, `${second.padStart(3)} ${gap} ${first.padStart(3)}`, `    ${below}`].join("\n");
  },
});
