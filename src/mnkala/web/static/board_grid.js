// Drawing boards of rows and columns: marks or discs on tiles, and in classes of their own discs behind a front with holes, and stones on the crossings of
// lines. A painter draws what never changes once and then only the cells that differ from what it drew before. A turned board
// shows its last row at the top; cells keep their names.

import { s } from "./dom.js";
import { CELL, disc, key, ring, sign as signOf } from "./board_marks.js";
import { cellPath } from "./board_paths.js";
import { slowness, sound } from "./motion.js";

const FALL = 330; // milliseconds: the longest fall of a disc
const APPEAR = 120; // milliseconds that a piece takes to appear
const SLIDE = 160; // milliseconds that a piece takes from cell to cell
const GUTTER = 22; // for names of rows and columns; boards of many cells, which are drawn small, have more
const MANY = 13;
const GRID = {
  style: "squares",
  radius: 19,
  border: 2, // around the cells
  space: 4, // between the cells and the names of the columns
  labelY: 0.5, // where these names stand in their strip
  labelX: -2, // how far those of the rows stand from the middle of theirs
  beside: 0, // room at the right of a board whose rows have names
};

/** Marks in tiles: also the painter of boards of a kind that the page does not know. */
export class GridPainter {
  /** @type {number} */ radius;
  /** @type {number} */ border;
  /** @type {number} */ space;
  /** @type {number} */ labelX;
  /** @type {number} */ labelY;
  /** @type {number} */ beside;
  /** @type {string} */ style;

  ringsBelow = true; // what is pointed at tints a tile, below its mark

  columnsPlayed = false; // a move is not just a column

  byDigits = false;

  pitch = CELL;

  storeCells = /** @type {Cell[]} */ ([]);

  /** @param {Drawable} view @param {PainterOptions} [options] @param {typeof GRID} [look] */
  constructor(view, { labels = true, turned = false } = {}, look = GRID) {
    Object.assign(this, look);
    this.turned = turned;
    this.rows = view.cells.length;
    this.columns = view.cells[0].length;
    this.rowLabels = labels ? view.row_labels || [] : [];
    this.columnLabels = labels ? view.column_labels || [] : [];
    this.edge = labels ? this.border : Math.min(this.border, 4);
    const gutter = GUTTER * Math.max(1, Math.max(this.rows, this.columns) / MANY);
    this.largestLabel = 0.86 * gutter;
    this.left = this.edge + (this.rowLabels.length ? gutter : 0);
    this.top = this.edge;
    this.below = this.columnLabels.length ? gutter + this.space : 0;
    this.width =
      this.left + this.columns * CELL + this.edge + (this.rowLabels.length ? this.beside : 0);
    this.height = this.top + this.rows * CELL + this.edge + this.below;
    this.owners = Array.from({ length: this.rows }, () => new Array(this.columns).fill(0));
    this.marks = new Map();
    this.until = 0; // when the movement under way ends
    this.moving = /** @type {Animation | null} */ (null);
    this.under = s("g.under", this.ground());
    this.pieces = s("g.pieces");
    this.over = s("g.over", this.front());
  }

  /** The cell on which a walk with the arrows begins. @returns {Cell} */
  get first() {
    return [(this.rows - 1) >> 1, (this.columns - 1) >> 1];
  }

  /** @param {number} row @param {number} column @returns {Point} */
  centre(row, column) {
    const [down, right] = this.turned
      ? [this.rows - 1 - row, this.columns - 1 - column]
      : [row, column];
    return [this.left + (right + 0.5) * CELL, this.top + (down + 0.5) * CELL];
  }

  /** The area that belongs to a cell, for clicks. @param {number} row @param {number} column */
  box(row, column) {
    const [x, y] = this.centre(row, column);
    return { x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL };
  }

  /** @returns {SVGElement} */
  ground() {
    let tiles = "";
    for (let row = 0; row < this.rows; row += 1) {
      for (let column = 0; column < this.columns; column += 1) {
        const [x, y] = [this.left + column * CELL + 1.5, this.top + row * CELL + 1.5];
        const [r, side] = [6, CELL - 3 - 12];
        tiles += `M${x + r} ${y}h${side}a${r} ${r} 0 0 1 ${r} ${r}v${side}a${r} ${r} 0 0 1 ${-r} ${r}h${-side}a${r} ${r} 0 0 1 ${-r} ${-r}v${-side}a${r} ${r} 0 0 1 ${r} ${-r}z`;
      }
    }
    return s("path.tiles", { d: tiles });
  }

  /** The layer in front of the pieces. @returns {SVGElement | null} */
  front() {
    return null;
  }

  /** The names of the rows, for a strip at the left edge, and of the columns, for one at the lower edge: [text, index from the first one]. */
  labels() {
    const edge = this.top + this.rows * CELL + this.edge;
    /** @param {string[]} names @param {(i: number) => Attributes} text */
    const named = (names, text) =>
      names.map((name, i) => /** @type {[SVGElement, number]} */ ([s("text", text(i), name), i]));
    return {
      rows: named(this.rowLabels, (row) => ({
        x: (this.left + this.labelX) / 2,
        y: this.centre(row, 0)[1],
      })).map(([text, row]) => /** @type {[SVGElement, number]} */ ([text, this.rows - 1 - row])),
      columns: named(this.columnLabels, (column) => ({
        x: this.centre(0, column)[0],
        y: edge + this.labelY * this.below,
      })),
    };
  }

  /** @param {number} owner @returns {SVGElement} */
  piece(owner) {
    return signOf(owner, this.radius);
  }

  /** @param {number} row @param {number} column */
  place(row, column) {
    const [x, y] = this.centre(row, column);
    return `translate(${x} ${y})`;
  }

  /** Draw a position. @param {Drawable} view @param {{ animate?: boolean }} [options] */
  paint(view, { animate = false } = {}) {
    const changed = /** @type {Cell[]} */ ([]);
    for (let row = 0; row < this.rows; row += 1) {
      for (let column = 0; column < this.columns; column += 1) {
        if (view.cells[row][column] !== this.owners[row][column]) changed.push([row, column]);
      }
    }
    const appeared = changed.filter(
      ([row, column]) => view.cells[row][column] && !this.owners[row][column],
    );
    const move = animate && appeared.length <= 2 && appeared.length === changed.length;
    const left =
      animate && changed.length === 2 && changed.find(([row, column]) => !view.cells[row][column]); // a piece has gone from there
    for (const [row, column] of changed) {
      const [owner, name] = [view.cells[row][column], key(row, column)];
      this.marks.get(name)?.remove();
      this.marks.delete(name);
      this.owners[row][column] = owner;
      if (!owner) continue;
      const sign = this.piece(owner);
      const piece = s("g", { transform: this.place(row, column) }, sign);
      this.moving = move
        ? this.enter(sign, row)
        : left
          ? this.slide(sign, left, [row, column])
          : null;
      if (this.moving) {
        const time = Number(this.moving.effect?.getTiming().duration);
        this.until = performance.now() + time;
        sound("disc", time);
      }
      this.marks.set(name, piece);
      this.pieces.append(piece);
    }
  }

  /** Let a piece appear. @param {Element} piece @param {number} _row */
  enter(piece, _row) {
    return piece.animate(
      [
        { transform: "scale(.6)", opacity: 0.2 },
        { transform: "none", opacity: 1 },
      ],
      { duration: APPEAR * slowness(), easing: "ease-out" },
    );
  }

  /** @param {Element} piece @param {Cell} from @param {Cell} to */
  slide(piece, from, to) {
    const [[x, y], [toX, toY]] = [this.centre(...from), this.centre(...to)];
    return piece.animate(
      [{ transform: `translate(${x - toX}px, ${y - toY}px)` }, { transform: "none" }],
      { duration: SLIDE * slowness(), easing: "ease-in-out" },
    );
  }

  /**
   * The cells that a move of these cells will change, on a board with these owners of its cells.
   * @param {Cell[]} cells @param {number[][]} _owners
   */
  static meant(cells, _owners) {
    return cells;
  }

  /** @param {Cell[]} cells */
  meant(cells) {
    return /** @type {typeof GridPainter} */ (this.constructor).meant(cells, this.owners);
  }

  /** The cell where a move leaves its mark. @param {Cell[]} cells */
  landing(cells) {
    return this.meant(cells).slice(0, 1);
  }

  /** A pale picture of what a move would do. @param {Cell[]} cells @param {number} mover */
  ghost(cells, mover) {
    return s(
      "g.ghost",
      this.meant(cells).map(([row, column]) =>
        this.owners[row][column]
          ? ring("point", ...this.centre(row, column), this.radius)
          : s("g", { transform: this.place(row, column) }, this.piece(mover + 1)),
      ),
    );
  }

  /** The way of a piece. @param {Leg[]} legs */
  path(legs) {
    return cellPath(legs, this);
  }

  /** Tiles are tinted as a whole. @param {string} kind @param {Cell[]} cells @returns {SVGElement[]} */
  rings(kind, cells) {
    const side = CELL - 3;
    return cells.map(([row, column]) => {
      const [x, y] = this.centre(row, column);
      return s("rect", {
        class: `tint ${kind}`,
        x: x - side / 2,
        y: y - side / 2,
        width: side,
        height: side,
        rx: 6,
      });
    });
  }

  /** @param {number} row @param {number} column */
  focusShape(row, column) {
    const { x, y } = this.box(row, column);
    return s("rect.focus-ring", {
      x: x + 1.5,
      y: y + 1.5,
      width: CELL - 3,
      height: CELL - 3,
      rx: 7,
    });
  }
}

/** Round pieces, with rings around them. */
class RoundPainter extends GridPainter {
  ringsBelow = false;

  /** @param {number} owner */
  piece(owner) {
    return disc(owner, this.radius - 0.5);
  }

  /** @param {string} kind @param {Cell[]} cells @returns {SVGElement[]} */
  rings(kind, cells) {
    return cells.map(([row, column]) =>
      ring(kind, ...this.centre(row, column), this.radius - (kind === "last" ? 1 : 0.5)),
    );
  }
}

/** Discs on tiles. */
export class DiscsPainter extends RoundPainter {
  /** @param {Drawable} view @param {PainterOptions} options */
  constructor(view, options) {
    super(view, options, { ...GRID, style: "discs" });
  }
}

/** Stones on the crossings of lines on wood. */
export class StonesPainter extends RoundPainter {
  /** @param {Drawable} view @param {PainterOptions} options */
  constructor(view, options) {
    super(view, options, {
      ...GRID,
      style: "stones",
      radius: 21,
      border: 4,
      space: 0,
      labelY: 0.36,
      labelX: 0,
      beside: 8,
    });
  }

  /** Draw a position, and on every stone which move it was. @param {Drawable} view @param {{ animate?: boolean }} [options] */
  paint(view, options) {
    super.paint(view, options);
    view.played?.forEach((move, i) => {
      const [, column, row] = move.match(/^([a-z]+)(\d+)$/) ?? [];
      const stone = this.marks.get(
        key(this.rowLabels.indexOf(row), this.columnLabels.indexOf(column)),
      )?.firstElementChild;
      const number = stone?.querySelector(".number") ?? s("text.number");
      number.textContent = String(i + 1);
      stone?.append(number);
    });
  }

  ground() {
    return s(
      "g",
      s("rect.wood", { width: this.width, height: this.height, rx: 8 }),
      this.crossings(),
    );
  }

  crossings() {
    const [x, y] = this.centre(0, 0);
    const [toX, toY] = this.centre(this.rows - 1, this.columns - 1);
    let lines = "";
    for (let row = 0; row < this.rows; row += 1) lines += `M${x} ${y + row * CELL}H${toX}`;
    for (let column = 0; column < this.columns; column += 1)
      lines += `M${x + column * CELL} ${y}V${toY}`;
    const group = s("g", s("path.wood-lines", { d: lines }));
    for (const row of stars(this.rows))
      for (const column of stars(this.columns)) {
        const [starX, starY] = this.centre(row, column);
        group.append(s("circle.star", { cx: starX, cy: starY, r: 3.6 }));
      }
    return group;
  }
}

/** Discs that fall behind a front with holes. */
export class DropPainter extends RoundPainter {
  columnsPlayed = true;

  byDigits = true;

  /** @param {Drawable} view @param {PainterOptions} options */
  constructor(view, options) {
    super(view, options, { ...GRID, style: "drop", radius: 19.5, border: 7 });
  }

  /** @returns {Cell} */
  get first() {
    return [0, (this.columns - 1) >> 1];
  }

  /** The lowest row owns the number below it too. @param {number} row @param {number} column */
  box(row, column) {
    const box = super.box(row, column);
    return row === this.rows - 1 ? { ...box, height: box.height + this.edge + this.below } : box;
  }

  ground() {
    return s("rect.holes", {
      x: this.left - 2,
      y: this.top - 2,
      width: this.columns * CELL + 4,
      height: this.rows * CELL + 4,
      rx: 8,
    });
  }

  front() {
    const [x, y, wide, high] = [
      this.left - this.edge,
      0,
      this.columns * CELL + 2 * this.edge,
      this.rows * CELL + 2 * this.edge,
    ];
    const r = 12;
    let path = `M${x + r} ${y}h${wide - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${high - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}h${-(wide - 2 * r)}a${r} ${r} 0 0 1 ${-r} ${-r}v${-(high - 2 * r)}a${r} ${r} 0 0 1 ${r} ${-r}z`;
    for (let row = 0; row < this.rows; row += 1) {
      for (let column = 0; column < this.columns; column += 1) {
        const [cx, cy] = this.centre(row, column);
        path += `M${cx - this.radius} ${cy}a${this.radius} ${this.radius} 0 1 0 ${2 * this.radius} 0a${this.radius} ${this.radius} 0 1 0 ${-2 * this.radius} 0z`;
      }
    }
    return s("path.front", { "fill-rule": "evenodd", d: path });
  }

  /** @param {number} owner */
  piece(owner) {
    return disc(owner, this.radius);
  }

  /** @param {Element} piece @param {number} row */
  enter(piece, row) {
    const far = (row + 1) * CELL;
    const time = slowness() * FALL * (0.35 + 0.65 * Math.sqrt((row + 1) / Math.max(this.rows, 6)));
    return piece.animate([{ transform: `translateY(${-far}px)` }, { transform: "none" }], {
      duration: time,
      easing: "cubic-bezier(.45,0,.9,.6)",
    });
  }

  /** The lowest free cell of a column. @param {Cell[]} cells @param {number[][]} owners */
  static meant(cells, owners) {
    const free = cells.filter(([row, column]) => !owners[row][column]);
    return free.length ? [free.reduce((low, cell) => (cell[0] > low[0] ? cell : low))] : [];
  }
}

/** Where the star points of a side of so many crossings lie. @param {number} side */
function stars(side) {
  if (side < 9 || side > 25) return [];
  const edge = side >= 13 ? 3 : 2;
  const all = [edge, side - 1 - edge];
  if (side % 2) all.push((side - 1) / 2);
  return all;
}
