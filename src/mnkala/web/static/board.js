// The board: it draws a View, shows scores, hints and lines on it, and tells which move a click or a key means. One listener for
// all cells, so that a board of 90 by 90 stays quick. The board is one tab stop: arrows walk, Enter plays.

import { badge, columnTiles } from "./board_annotations.js";
import { CELL, key } from "./board_marks.js";
import { GridPainter } from "./board_grid.js";
import { HousesPainter } from "./board_houses.js";
import { boardText, cellText } from "./board_text.js";
import { h, replace, s } from "./dom.js";
import { t } from "./words.js";

const ZOOMS = [1, 1.5, 2, 3, 4, 6];
const SMALL = 22; // pixels: cells smaller than this ask for a zoom
const LABEL = 14; // pixels: the letters and numbers at the edge keep about this size
const MOST_TILES = 12; // wider boards have badges instead of tiles over their columns: these grow with the zoom
const ROOMY = 8; // cells in a row: so few are large enough for badges of two lines
const LARGEST_BADGE = 76; // pixels
const LARGEST_CELL = 128; // pixels: boards of few cells do not grow beyond this
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
let boards = 0;

const painterOf = (view, options) => (view.seeds ? new HousesPainter(view, options) : new GridPainter(view, options));

export function motionOff() {
  return document.documentElement.dataset.motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** A small picture of a board: `miniature(view)`, or `miniature(cells, style)`. */
export function miniature(view, style = "squares") {
  const given = Array.isArray(view) ? { cells: view, style } : view;
  const painter = painterOf({ ...given, style: given.style || style }, { labels: false });
  painter.paint({ last: [], ...given });
  const rings = [...painter.rings("last", given.marked?.length ? [] : given.last || []), ...painter.rings("won", given.marked || [])];
  return s("svg", { class: `miniature ${painter.style}`, viewBox: `0 0 ${painter.width} ${painter.height}`, "aria-hidden": "true" },
    painter.under, painter.style === "squares" ? rings : null, painter.pieces, painter.over, painter.style === "squares" ? null : rings);
}

export class Board {
  /** `onMove(move)` hears what is played. With `onCell(row, column)` the board is edited instead: every cell can be chosen, and nothing is played. */
  constructor(container, { onMove = () => {}, onCell = null, interactive = true, id = "board" } = {}) {
    boards += 1;
    this.name = `board-${boards}`;
    this.onMove = onMove;
    this.onCell = onCell;
    this.interactive = interactive;
    this.zoom = 0;
    this.active = null;
    this.svg = s("svg", { class: "board", id, role: "grid", tabindex: "0" });
    this.view_ = h("div", { class: "board-view" }, this.svg);
    this.chooser = h("div", { class: "chooser", role: "group", hidden: true });
    this.zoomer = h("div", { class: "board-zoom", hidden: true },
      h("button", { type: "button", class: "icon", "data-zoom": "out", onclick: () => this.setZoom(this.zoom - 1) }, "−"),
      h("button", { type: "button", class: "icon", "data-zoom": "in", onclick: () => this.setZoom(this.zoom + 1) }, "+"));
    this.buttons = h("div", { class: "board-buttons" });
    this.tiles = h("div", { class: "board-tiles", hidden: true });
    this.element = h("div", { class: "board-frame" }, this.tiles, this.view_, this.zoomer, this.chooser, this.buttons);
    container.append(this.element);
    this.svg.addEventListener("click", (event) => this.clicked(event));
    this.svg.addEventListener("pointermove", (event) => this.hovered(event));
    this.svg.addEventListener("pointerleave", () => this.setGhost(null));
    this.svg.addEventListener("keydown", (event) => this.pressed(event));
    this.svg.addEventListener("focus", () => this.setActive(this.active));
    this.svg.addEventListener("blur", () => this.setGhost(null));
    this.chooser.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.closeChooser(true);
      event.stopPropagation();
    });
    this.outside = (event) => {
      if (!this.chooser.hidden && !this.chooser.contains(event.target)) this.closeChooser(false);
    };
    document.addEventListener("pointerdown", this.outside);
    this.watcher = new ResizeObserver(() => this.measure());
    this.watcher.observe(this.view_);
  }

  /** Draw a position. `annotations` of its moves, or of the moves before a `preview`; `hint` a move, `cells` to point at, `yours` the seats of the reader. */
  show(view, { annotations = null, preview = false, hint = null, cells = [], animate = false, interactive = this.interactive, yours = null } = {}) {
    const shape = [view.style, view.rows, view.columns, view.row_labels, view.column_labels].join("|");
    if (shape !== this.shape) this.build(view, shape);
    this.view = view;
    this.yours = yours;
    this.playable = interactive && !view.over && !this.onCell;
    this.byCell = new Map();
    this.byMove = new Map();
    for (const { move, cells: places } of view.moves) {
      this.byMove.set(move, places);
      for (const [row, column] of places) {
        const name = key(row, column);
        if (this.byCell.has(name)) this.byCell.get(name).push(move);
        else this.byCell.set(name, [move]);
      }
    }
    this.painter.paint(view, { animate: animate && !motionOff() });
    this.point(hint, cells);
    this.annotate(annotations, preview);
    this.setGhost(null);
    if (animate && view.last.length) this.reveal(view.last[0]);
    if (this.chooserMoves && !this.chooserMoves.every((move) => this.byMove.has(move))) this.closeChooser(false);
    this.svg.classList.toggle("playable", this.playable || Boolean(this.onCell));
    if (!this.playable) this.svg.classList.toggle("over-move", Boolean(this.onCell));
  }

  build(view, shape) {
    this.shape = shape;
    this.painter = painterOf(view);
    const { width, height } = this.painter;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.setAttribute("class", `board ${this.painter.style}`);
    this.fit(this.element);
    this.ghost = s("g", { class: "ghosts" });
    this.tints = s("g", { class: "tints" });
    this.notes = s("g", { class: "notes" });
    this.badges = s("g", { class: "badges" });
    this.focusLayer = s("g", { class: "focus" });
    this.texts = new Map();
    this.targets = [];
    const grid = s("g", { class: "targets", role: "presentation" });
    for (let row = 0; row < this.painter.rows; row += 1) {
      this.targets[row] = [];
      const line = s("g", { role: "row" });
      for (let column = 0; column < this.painter.columns; column += 1) {
        const target = s("rect", { ...this.painter.box(row, column), id: `${this.name}-${row}-${column}`, role: "gridcell", "data-cell": key(row, column) });
        this.targets[row][column] = target;
        line.append(target);
      }
      grid.append(line);
    }
    const still = s("g", { "aria-hidden": "true" }, this.painter.under, this.tints, this.ghost, this.painter.pieces, this.painter.over, this.notes, this.badges, this.focusLayer);
    replace(this.svg, still, grid);
    this.active = view.seeds ? [1, 0] : [view.style === "drop" ? 0 : (view.rows - 1) >> 1, (view.columns - 1) >> 1];
    this.svg.removeAttribute("aria-activedescendant");
    this.setZoom(0);
  }

  /** Show the movement of a move that is past already when it is drawn. */
  pass(view) {
    this.painter.paint(view, { animate: !motionOff() });
  }

  /** Tell an element how large the board wants to be, so that its neighbours can be as wide (see .game-main in style.css). */
  fit(element) {
    const { width, height } = this.painter;
    element.style.setProperty("--ratio", String(width / height));
    element.style.setProperty("--widest", `${Math.round((width / CELL) * LARGEST_CELL)}px`);
  }

  /** Texts of the cells for those who hear the board, with what is said of them; only what changed is written. */
  describe(said) {
    this.svg.setAttribute("aria-label", boardText(this.view));
    this.targets.forEach((line, row) => line.forEach((target, column) => {
      const held = this.view.seeds ? `${this.view.seeds.houses[row][column]}${this.yours}` : this.view.cells[row][column];
      const more = said.get(key(row, column))?.title;
      if (this.texts.get(target) === `${held}${more}`) return;
      this.texts.set(target, `${held}${more}`);
      target.setAttribute("aria-label", [cellText(this.view, row, column, this.yours), more].filter(Boolean).join(". "));
    }));
  }

  /** Last move, winning line, hint, cells pointed at. */
  point(hint, cells) {
    const { painter, view } = this;
    const rings = [...(view.marked.length ? painter.rings("won", view.marked) : painter.rings("last", view.last)), ...painter.rings("point", cells)];
    const parts = painter.style === "squares" ? [] : rings;
    replace(this.tints, painter.style === "squares" ? rings : []);
    const hinted = hint !== null && this.byMove.get(hint);
    if (hinted) {
      const where = painter.style === "drop" ? painter.landing(hinted) : hinted;
      parts.push(s("g", { class: "hint-ghost", "data-hint": hint }, painter.ghost(hinted, view.mover)), ...painter.rings("hint", where));
    }
    replace(this.notes, parts);
  }

  /** Say what the moves are worth, the best first: a cell that means several shows the first. Null takes it away. What is said of the
   * moves before a preview stays over the columns, so that the board does not jump, and leaves the cells. */
  annotate(annotations, preview = false) {
    const { painter } = this;
    const tiled = painter.style === "drop" && painter.columns <= MOST_TILES;
    this.drawTiles(tiled ? annotations : null);
    const inCells = new Map();
    for (const each of (!tiled && !preview && annotations) || []) {
      const [cell] = painter.landing(this.byMove.get(each.move) || []);
      if (cell && !inCells.has(key(...cell))) inCells.set(key(...cell), { ...each, cell });
    }
    replace(this.badges, [...inCells.values()].reverse().map((each) => s("g", { transform: `translate(${painter.centre(...each.cell)})` }, badge(each, painter.columns <= ROOMY))));
    painter.houses?.forEach((houses, row) => houses.forEach((house, column) => house.classList.toggle("covered", inCells.has(key(row, column)))));
    this.describe(inCells);
    this.offerButtons(preview ? null : annotations);
  }

  drawTiles(annotations) {
    const drawn = annotations && JSON.stringify([annotations, this.playable, this.shape]);
    if (drawn === this.tilesDrawn) return;
    this.tilesDrawn = drawn;
    this.tiles.hidden = !annotations;
    const focused = this.tiles.contains(document.activeElement) ? document.activeElement.dataset.score : null;
    replace(this.tiles, annotations ? columnTiles(this.painter, this.view, annotations, { playable: this.playable, onMove: (move) => this.onMove(move), onPoint: (move) => this.setGhost(move) }) : null);
    if (focused) this.tiles.querySelector(`[data-score="${focused}"]`)?.focus({ preventScroll: true });
  }

  /** Moves that no cell stands for. */
  offerButtons(annotations) {
    const loose = this.playable ? this.view.moves.filter(({ cells }) => !cells.length) : [];
    const text = (move) => annotations?.find((each) => each.move === move)?.text;
    replace(this.buttons, loose.map(({ move }) => h("button", { type: "button", "data-move": move, onclick: () => this.onMove(move) }, t("play.play_move", { move }), text(move) ? ` (${text(move)})` : "")));
  }

  cellOf(event) {
    const text = event.target.dataset?.cell;
    return text ? text.split(",").map(Number) : null;
  }

  clicked(event) {
    const cell = this.cellOf(event);
    if (!cell) return;
    this.setActive(cell);
    this.choose(cell);
  }

  /** What a cell means: a cell to edit, its move, or a question when it means several. */
  choose(cell) {
    if (this.onCell) this.onCell(...cell);
    if (!this.playable) return;
    const moves = this.byCell.get(key(...cell)) || [];
    if (moves.length === 1) this.onMove(moves[0]);
    else if (moves.length) this.ask(cell, moves);
  }

  ask(cell, moves) {
    this.chooserMoves = moves;
    replace(this.chooser, moves.map((move) => h("button", {
      type: "button", "data-move": move, onclick: () => { this.closeChooser(true); this.onMove(move); },
      onmouseenter: () => this.setGhost(move), onfocus: () => this.setGhost(move),
    }, move)), h("button", { type: "button", class: "quiet", onclick: () => this.closeChooser(true) }, t("play.cancel")));
    this.chooser.setAttribute("aria-label", t("play.which_move"));
    this.chooser.hidden = false;
    const [box, frame] = [this.targets[cell[0]][cell[1]].getBoundingClientRect(), this.element.getBoundingClientRect()];
    const left = Math.min(Math.max(0, box.left - frame.left + box.width / 2 - this.chooser.offsetWidth / 2), frame.width - this.chooser.offsetWidth);
    this.chooser.style.left = `${Math.max(0, left)}px`;
    this.chooser.style.top = `${box.bottom - frame.top + 6}px`;
    this.chooser.firstChild.focus();
  }

  closeChooser(back) {
    this.chooser.hidden = true;
    this.chooserMoves = null;
    this.setGhost(null);
    if (back) this.svg.focus();
  }

  hovered(event) {
    if (event.pointerType === "touch" || !this.playable || !this.chooser.hidden) return;
    const cell = this.cellOf(event);
    const moves = (cell && this.byCell.get(key(...cell))) || [];
    this.svg.classList.toggle("over-move", moves.length > 0);
    this.setGhost(moves.length === 1 ? moves[0] : null);
  }

  setGhost(move) {
    if (move === this.ghosted) return;
    this.ghosted = move;
    const cells = move !== null && this.byMove.get(move);
    replace(this.ghost, cells ? [this.painter.ghost(cells, this.view.mover)] : []);
  }

  setActive(cell) {
    if (!cell) return;
    this.active = cell;
    const target = this.targets[cell[0]][cell[1]];
    this.svg.setAttribute("aria-activedescendant", target.id);
    replace(this.focusLayer, this.painter.focusShape(...cell));
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.view) return;
    const [row, column] = this.active;
    const step = STEPS[event.key];
    if (step) this.setActive([clamp(row + step[0], this.painter.rows), clamp(column + step[1], this.painter.columns)]);
    else if (event.key === "Home") this.setActive([row, 0]);
    else if (event.key === "End") this.setActive([row, this.painter.columns - 1]);
    else if (event.key === "Enter" || event.key === " ") this.choose(this.active);
    else if (!this.digit(event.key)) return;
    this.reveal(this.active);
    const moves = (this.playable && this.byCell.get(key(...this.active))) || [];
    if (this.chooser.hidden) this.setGhost(moves.length === 1 ? moves[0] : null);
    event.preventDefault();
    event.stopPropagation();
  }

  /** Digits play columns and houses directly. */
  digit(text) {
    if (!this.playable || !/^[1-9]$/.test(text) || !["drop", "houses"].includes(this.painter.style) || !this.byMove.has(text)) return false;
    this.onMove(text);
    return true;
  }

  measure() {
    if (!this.painter) return;
    const side = (this.view_.clientWidth / this.painter.width) * (this.painter.style === "houses" ? 72 : CELL);
    this.zoomer.hidden = side >= SMALL && this.zoom === 0;
    const scale = this.svg.clientWidth / this.painter.width;
    if (!scale) return;
    this.svg.style.setProperty("--label", `${Math.max(8, Math.min(19, LABEL / scale)).toFixed(1)}px`);
    this.svg.style.setProperty("--badge", Math.min(this.painter.style === "houses" ? 1.3 : 1, LARGEST_BADGE / (CELL * scale)).toFixed(2));
  }

  setZoom(step) {
    this.zoom = Math.max(0, Math.min(ZOOMS.length - 1, step));
    const factor = ZOOMS[this.zoom];
    const { scrollLeft, scrollTop, clientWidth, clientHeight, scrollWidth } = this.view_;
    const before = scrollWidth / Math.max(1, clientWidth);
    const first = before < 1.01 && this.zoom > 0;
    this.svg.style.width = `${factor * 100}%`;
    this.view_.classList.toggle("zoomed", this.zoom > 0);
    this.view_.scrollLeft = (scrollLeft + clientWidth / 2) * (factor / before) - clientWidth / 2;
    this.view_.scrollTop = (scrollTop + clientHeight / 2) * (factor / before) - clientHeight / 2;
    if (first && this.view?.last.length) this.reveal(this.view.last[0], true);
    const [out, into] = this.zoomer.children;
    [out.disabled, into.disabled] = [this.zoom === 0, this.zoom === ZOOMS.length - 1];
    out.setAttribute("aria-label", t("play.zoom_out"));
    into.setAttribute("aria-label", t("play.zoom_in"));
    this.measure();
  }

  /** Bring a cell of a zoomed board into sight, or into the middle. */
  reveal([row, column], middle = false) {
    if (!this.zoom) return;
    const [x, y] = this.painter.centre(row, column).map((value) => (value * this.svg.clientWidth) / this.painter.width);
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.view_;
    const margin = 40;
    const outside = x < scrollLeft + margin || x > scrollLeft + clientWidth - margin || y < scrollTop + margin || y > scrollTop + clientHeight - margin;
    if (middle || outside) this.view_.scrollTo({ left: x - clientWidth / 2, top: y - clientHeight / 2 });
  }

  focus() {
    this.svg.focus();
  }

  close() {
    document.removeEventListener("pointerdown", this.outside);
    this.watcher.disconnect();
    this.element.remove();
  }
}

const clamp = (value, size) => Math.max(0, Math.min(size - 1, value));
