// The one table of kinds of boards: how each is drawn, put into words and edited, and
// whether its players sit at opposite sides. A view names its kind (`style`); a kind that the page
// does not know is a plain grid. (The terminal's table is in mnkala/terminal/boards.py.)

import { DiscsEditing, MarksEditing, SeedsEditing } from "./board_editing.js";
import { DiscsPainter, DropPainter, GridPainter, StonesPainter } from "./board_grid.js";
import { HousesPainter } from "./board_houses.js";
import { t } from "./words.js";

// ---- In words, for people who hear the board: every cell, and the whole position as plain characters ----

const MARKS = ".xo";
/** @param {View} view */
const seedsOf = (view) => /** @type {Seeds} */ (view.seeds);

/** Boards of rows and columns. */
const gridWords = /** @type {BoardWords} */ ({
  /** What stands on a cell: "column d, row 3, x". */
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
    const lines = view.cells.map(
      (row, i) =>
        (margin ? `${view.row_labels[i].padStart(margin)} ` : "") +
        row.map((owner) => MARKS[owner].padStart(wide)).join(" "),
    );
    if (view.column_labels?.length)
      lines.push(
        (margin ? " ".repeat(margin + 1) : "") +
          view.column_labels.map((label) => label.padStart(wide)).join(" "),
      );
    return lines.join("\n");
  },
});

/** Boards of houses and stores. */
const houseWords = /** @type {BoardWords} */ ({
  cell(view, row, column, yours = null) {
    const player = 1 - row;
    const number = row ? column + 1 : view.columns - column;
    const owner =
      yours && yours[0] !== yours[1]
        ? t(yours[player] ? "play.yours" : "play.theirs")
        : t("play.of_player", { player: view.players[player] });
    return t(seedsOf(view).houses[row][column] === 1 ? "play.house_one" : "play.house", {
      number,
      seeds: seedsOf(view).houses[row][column],
      owner,
    });
  },

  /** What lies in a player's store. */
  store: (view, player) =>
    t("board.store", { player: view.players[player], seeds: seedsOf(view).stores[player] }),

  board: (view) =>
    t("play.board_houses", {
      houses: view.columns,
      first: seedsOf(view).stores[0],
      second: seedsOf(view).stores[1],
    }),

  position(view) {
    const [above, below] = seedsOf(view).houses.map((row) =>
      row.map((count) => String(count).padStart(3)).join(""),
    );
    const [first, second] = seedsOf(view).stores.map(String);
    const gap = " ".repeat(above.length);
    return [
      `    ${above}`,
      `${second.padStart(3)} ${gap} ${first.padStart(3)}`,
      `    ${below}`,
    ].join("\n");
  },
});

// ---- The table ----

/**
 * @typedef {object} Kind
 * @property {{ new (view: Drawable, options?: PainterOptions): Painter, meant(cells: Cell[], owners: number[][]): Cell[] }} Painter
 * @property {BoardWords} words
 * @property {typeof MarksEditing} Editing
 * @property {boolean} [sided]
 */

const GRID = /** @type {Kind} */ ({
  Painter: GridPainter,
  words: gridWords,
  Editing: MarksEditing,
});

const KINDS = /** @type {Record<string, Kind>} */ (
  /** @type {Record<string, unknown>} */ ({
    squares: GRID,
    discs: { ...GRID, Painter: DiscsPainter },
    stones: { ...GRID, Painter: StonesPainter },
    drop: { ...GRID, Painter: DropPainter, Editing: DiscsEditing },
    houses: { Painter: HousesPainter, words: houseWords, Editing: SeedsEditing, sided: true },
  })
);

/** The kind of board of a view. Houses need their seeds. @param {Pick<Drawable, "style" | "seeds">} options */
export function kindOf({ style = "", seeds }) {
  return style === "houses" && !seeds ? GRID : Object.hasOwn(KINDS, style) ? KINDS[style] : GRID;
}

/** @param {Drawable} view @param {PainterOptions} options */
export function painterOf(view, options) {
  const { Painter } = kindOf(view);
  return new Painter(view, options);
}
