// The one table of kinds of boards: how each is drawn, put into words and edited, and
// whether its players sit at opposite sides. A view names its kind (`style`); a kind that the page
// does not know is a plain grid. (The terminal's table is in mnkala/terminal/boards.py.)

import { DiscsEditing, MarksEditing, SeedsEditing } from "./board_editing.js";
import { DiscsPainter, DropPainter, GridPainter, StonesPainter } from "./board_grid.js";
import { HousesPainter } from "./board_houses.js";
import { gridWords, houseWords } from "./board_text.js";

const GRID = { Painter: GridPainter, words: gridWords, Editing: MarksEditing };

const KINDS = {
  squares: GRID,
  discs: { ...GRID, Painter: DiscsPainter },
  stones: { ...GRID, Painter: StonesPainter },
  drop: { ...GRID, Painter: DropPainter, Editing: DiscsEditing },
  houses: { Painter: HousesPainter, words: houseWords, Editing: SeedsEditing, sided: true },
};

/** The kind of board of a view. Houses need their seeds. */
export function kindOf({ style, seeds }) {
  return (style === "houses" && !seeds ? null : Object.hasOwn(KINDS, style) && KINDS[style]) || GRID;
}

export function painterOf(view, options) {
  const { Painter } = kindOf(view);
  return new Painter(view, options);
}
