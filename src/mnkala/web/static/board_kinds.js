// The one table of kinds of boards: how each is drawn, put into words and edited, and
// whether its players sit at opposite sides. A view names its kind (`style`); a kind that the page
// does not know is a plain grid. (The terminal's table is in mnkala/terminal/boards.py.)

import { DiscsEditing, MarksEditing, SeedsEditing } from "./board_editing.js";
import { DiscsPainter, DropPainter, GridPainter, StonesPainter } from "./board_grid.js";
import { HousesPainter } from "./board_houses.js";
import { gridWords, houseWords } from "./board_text.js";

/**
 * @typedef {object} Kind
 * @property {{ new (view: Drawable, options?: PainterOptions): Painter, meant(cells: Cell[], owners: number[][]): Cell[] }} Painter
 * @property {BoardWords} words
 * @property {typeof MarksEditing} Editing
 * @property {boolean} [sided]
 */

const GRID = /** @type {Kind} */ ({ Painter: GridPainter, words: gridWords, Editing: MarksEditing });

const KINDS = /** @type {Record<string, Kind>} */ (/** @type {Record<string, unknown>} */ ({
  squares: GRID,
  discs: { ...GRID, Painter: DiscsPainter },
  stones: { ...GRID, Painter: StonesPainter },
  drop: { ...GRID, Painter: DropPainter, Editing: DiscsEditing },
  houses: { Painter: HousesPainter, words: houseWords, Editing: SeedsEditing, sided: true },
}));

/**
 * The kind of board of a view. Houses need their seeds.
 * @param {Pick<Drawable, "style" | "seeds">} options
 */
export function kindOf({ style = "", seeds }) {
  return style === "houses" && !seeds ? GRID : Object.hasOwn(KINDS, style) ? KINDS[style] : GRID;
}

/** @param {Drawable} view @param {PainterOptions} options */
export function painterOf(view, options) {
  const { Painter } = kindOf(view);
  return new Painter(view, options);
}
