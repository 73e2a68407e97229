// Drawing boards of rows and columns in three styles: "drop" (discs behind a front with holes), "stones" (crossings on wood) and
// "squares" (tiles). A painter draws what never changes once and then only the cells that differ from what it drew before. A turned board
// shows its last row at the top; cells keep their names.

import { s } from "./dom.js";
import { CELL, disc, key, ring, sign } from "./board_marks.js";
import { cellPath } from "./board_paths.js";

const RADIUS = { drop: 19.5, stones: 21, squares: 19 };
const FALL = 250; // milliseconds: the longest fall of a disc
const SLIDE = 160; // milliseconds that a piece takes from cell to cell
const GUTTER = 22; // for names of rows and columns; boards of many cells, which are drawn small, have more
const MANY = 13;

export class GridPainter {
  constructor(view, { labels = true, turned = false } = {}) {
    this.style = view.style;
    this.turned = turned;
    this.rows = view.cells.length;
    this.columns = view.cells[0].length;
    this.rowLabels = labels ? view.row_labels || [] : [];
    this.columnLabels = labels ? view.column_labels || [] : [];
    const edge = this.style === "drop" ? 7 : this.style === "stones" ? 4 : 2;
    this.edge = labels ? edge : Math.min(edge, 4);
    const gutter = GUTTER * Math.max(1, Math.max(this.rows, this.columns) / MANY);
    this.largestLabel = 0.86 * gutter;
    this.left = this.edge + (this.rowLabels.length ? gutter : 0);
    this.top = this.edge;
    this.below = this.columnLabels.length ? gutter + (this.style === "stones" ? 0 : 4) : 0;
    this.width = this.left + this.columns * CELL + this.edge + (this.style === "stones" && this.rowLabels.length ? 8 : 0);
    this.height = this.top + this.rows * CELL + this.edge + this.below;
    this.radius = RADIUS[this.style] || RADIUS.squares;
    this.owners = Array.from({ length: this.rows }, () => new Array(this.columns).fill(0));
    this.marks = new Map();
    this.under = s("g", { class: "under" }, this.ground());
    this.pieces = s("g", { class: "pieces" });
    this.over = s("g", { class: "over" }, this.style === "drop" ? this.front() : null);
  }

  centre(row, column) {
    const [down, right] = this.turned ? [this.rows - 1 - row, this.columns - 1 - column] : [row, column];
    return [this.left + (right + 0.5) * CELL, this.top + (down + 0.5) * CELL];
  }

  /** The area that belongs to a cell, for clicks. The lowest row of a drop board owns the number below it too. */
  box(row, column) {
    const [x, y] = this.centre(row, column);
    const extra = this.style === "drop" && row === this.rows - 1 ? this.edge + this.below : 0;
    return { x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL + extra };
  }

  ground() {
    const [wide, high] = [this.columns * CELL, this.rows * CELL];
    if (this.style === "drop") return s("rect", { class: "holes", x: this.left - 2, y: this.top - 2, width: wide + 4, height: high + 4, rx: 8 });
    if (this.style === "stones") return s("g", null, s("rect", { class: "wood", width: this.width, height: this.height, rx: 8 }), this.crossings());
    let tiles = "";
    for (let row = 0; row < this.rows; row += 1) {
      for (let column = 0; column < this.columns; column += 1) {
        const [x, y] = [this.left + column * CELL + 1.5, this.top + row * CELL + 1.5];
        const [r, side] = [6, CELL - 3 - 12];
        tiles += `M${x + r} ${y}h${side}a${r} ${r} 0 0 1 ${r} ${r}v${side}a${r} ${r} 0 0 1 ${-r} ${r}h${-side}a${r} ${r} 0 0 1 ${-r} ${-r}v${-side}a${r} ${r} 0 0 1 ${r} ${-r}z`;
      }
    }
    return s("path", { class: "tiles", d: tiles });
  }

  crossings() {
    const [x, y] = this.centre(0, 0);
    const [toX, toY] = this.centre(this.rows - 1, this.columns - 1);
    let lines = "";
    for (let row = 0; row < this.rows; row += 1) lines += `M${x} ${y + row * CELL}H${toX}`;
    for (let column = 0; column < this.columns; column += 1) lines += `M${x + column * CELL} ${y}V${toY}`;
    const group = s("g", null, s("path", { class: "wood-lines", d: lines }));
    for (const row of stars(this.rows)) for (const column of stars(this.columns)) {
      const [starX, starY] = this.centre(row, column);
      group.append(s("circle", { class: "star", cx: starX, cy: starY, r: 3.6 }));
    }
    return group;
  }

  front() {
    const [x, y, wide, high] = [this.left - this.edge, 0, this.columns * CELL + 2 * this.edge, this.rows * CELL + 2 * this.edge];
    const r = 12;
    let path = `M${x + r} ${y}h${wide - 2 * r}a${r} ${r} 0 0 1 ${r} ${r}v${high - 2 * r}a${r} ${r} 0 0 1 ${-r} ${r}h${-(wide - 2 * r)}a${r} ${r} 0 0 1 ${-r} ${-r}v${-(high - 2 * r)}a${r} ${r} 0 0 1 ${r} ${-r}z`;
    for (let row = 0; row < this.rows; row += 1) {
      for (let column = 0; column < this.columns; column += 1) {
        const [cx, cy] = this.centre(row, column);
        path += `M${cx - this.radius} ${cy}a${this.radius} ${this.radius} 0 1 0 ${2 * this.radius} 0a${this.radius} ${this.radius} 0 1 0 ${-2 * this.radius} 0z`;
      }
    }
    return s("path", { class: "front", "fill-rule": "evenodd", d: path });
  }

  /** The names of the rows, for a strip at the left edge, and of the columns, for one at the lower edge: [text, index from the first one]. */
  labels() {
    const edge = this.top + this.rows * CELL + this.edge;
    const named = (names, text) => names.map((name, i) => [s("text", text(i), name), i]);
    return {
      rows: named(this.rowLabels, (row) => ({ x: (this.left + (this.style === "stones" ? 0 : -2)) / 2, y: this.centre(row, 0)[1] })).map(([text, row]) => [text, this.rows - 1 - row]),
      columns: named(this.columnLabels, (column) => ({ x: this.centre(0, column)[0], y: edge + (this.style === "stones" ? 0.36 : 0.5) * this.below })),
    };
  }

  piece(owner) {
    return this.style === "squares" ? sign(owner, this.radius) : disc(owner, this.radius - (this.style === "drop" ? 0 : 0.5));
  }

  place(row, column) {
    const [x, y] = this.centre(row, column);
    return `translate(${x} ${y})`;
  }

  /** Draw a position. */
  paint(view, { animate = false } = {}) {
    const changed = [];
    for (let row = 0; row < this.rows; row += 1) {
      for (let column = 0; column < this.columns; column += 1) {
        if (view.cells[row][column] !== this.owners[row][column]) changed.push([row, column]);
      }
    }
    const appeared = changed.filter(([row, column]) => view.cells[row][column] && !this.owners[row][column]);
    const move = animate && appeared.length <= 2 && appeared.length === changed.length;
    const left = animate && changed.length === 2 && changed.find(([row, column]) => !view.cells[row][column]); // a piece has gone from there
    for (const [row, column] of changed) {
      const [owner, name] = [view.cells[row][column], key(row, column)];
      this.marks.get(name)?.remove();
      this.marks.delete(name);
      this.owners[row][column] = owner;
      if (!owner) continue;
      const piece = s("g", { transform: this.place(row, column) }, this.piece(owner));
      if (move) this.enter(piece.firstChild, row);
      else if (left) this.slide(piece.firstChild, left, [row, column]);
      this.marks.set(name, piece);
      this.pieces.append(piece);
    }
  }

  enter(piece, row) {
    if (this.style === "drop") {
      const far = (row + 1) * CELL;
      const time = Math.min(FALL, 90 + 160 * Math.sqrt((row + 1) / Math.max(this.rows, 6)));
      piece.animate([{ transform: `translateY(${-far}px)` }, { transform: "none" }], { duration: time, easing: "cubic-bezier(.45,0,.9,.6)" });
    } else {
      piece.animate([{ transform: "scale(.6)", opacity: 0.2 }, { transform: "none", opacity: 1 }], { duration: 120, easing: "ease-out" });
    }
  }

  slide(piece, from, to) {
    const [[x, y], [toX, toY]] = [this.centre(...from), this.centre(...to)];
    piece.animate([{ transform: `translate(${x - toX}px, ${y - toY}px)` }, { transform: "none" }], { duration: SLIDE, easing: "ease-in-out" });
  }

  /** The cell where a move leaves its mark: the lowest free one of a column, else the move's first cell. */
  landing(cells) {
    if (this.style !== "drop" || cells.length < 2) return cells.slice(0, 1);
    const free = cells.filter(([row, column]) => !this.owners[row][column]);
    return free.length ? [free.reduce((low, cell) => (cell[0] > low[0] ? cell : low))] : [];
  }

  /** A pale picture of what a move would do. */
  ghost(cells, mover) {
    const where = this.style === "drop" ? this.landing(cells) : cells;
    return s("g", { class: "ghost" }, where.map(([row, column]) => (this.owners[row][column]
      ? ring("point", ...this.centre(row, column), this.radius)
      : s("g", { transform: this.place(row, column) }, this.piece(mover + 1)))));
  }

  /** The way of a piece. */
  path(legs) {
    return cellPath(legs, this);
  }

  /** Rings around discs; squares are tinted as a whole. */
  rings(kind, cells) {
    if (this.style !== "squares") return cells.map(([row, column]) => ring(kind, ...this.centre(row, column), this.radius - (kind === "last" ? 1 : 0.5)));
    const side = CELL - 3;
    return cells.map(([row, column]) => {
      const [x, y] = this.centre(row, column);
      return s("rect", { class: `tint ${kind}`, x: x - side / 2, y: y - side / 2, width: side, height: side, rx: 6 });
    });
  }

  focusShape(row, column) {
    const { x, y } = this.box(row, column);
    return s("rect", { class: "focus-ring", x: x + 1.5, y: y + 1.5, width: CELL - 3, height: CELL - 3, rx: 7 });
  }
}

/** Where the star points of a side of so many crossings lie. */
function stars(side) {
  if (side < 9 || side > 25) return [];
  const edge = side >= 13 ? 3 : 2;
  const all = [edge, side - 1 - edge];
  if (side % 2) all.push((side - 1) / 2);
  return all;
}
