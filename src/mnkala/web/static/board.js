// The board: it draws a View, shows scores, hints and lines on it, and tells which move a click or a key means. One listener for
// all cells, so that a board of 90 by 90 stays quick. The board is one tab stop: arrows walk, Enter plays. Where pieces move, the piece
// is chosen first, which picks it, then its goal.

import { columnTiles } from "./board_annotations.js";
import { Badges, LEGIBLE } from "./board_badges.js";
import { Chooser } from "./board_chooser.js";
import { CELL, key } from "./board_marks.js";
import { kindOf, painterOf } from "./board_kinds.js";
import { Rulers } from "./board_rulers.js";
import { Zoom } from "./board_zoom.js";
import { byPointer, h, last, redraw, replace, s } from "./dom.js";
import { motionOff, pause, slowness, sound } from "./motion.js";
import { t } from "./words.js";

const REST = 250; // milliseconds between a move that has landed and the next one
const IN_TURN = 110; // milliseconds between the rings of a line that has won
const SMALL = 22; // pixels: cells smaller than this ask for a zoom
const SMALL_FOR_FINGERS = 30;
const MOST_TILES = 12; // wider boards have badges instead of tiles over their columns: these grow with the zoom
const LARGEST_CELL = 128; // pixels: boards of few cells do not grow beyond this
const MARK_LETTERS = 13; // the size of the numbers of a path and of a hand, in the board's measures: they grow where the board is small
const STEPS = /** @type {Record<string, Cell>} */ ({
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
});
let boards = 0;

/** A small picture of a board. @param {Drawable} view */
export function miniature(view) {
  const painter = painterOf(view, { labels: false });
  painter.paint(view);
  const rings = [
    ...painter.rings("last", view.marked?.length ? [] : view.last || []),
    ...painter.rings("won", view.marked || []),
    ...painter.rings("point", view.pointed || []),
  ];
  return s(
    "svg",
    {
      class: `miniature ${painter.style}`,
      viewBox: `0 0 ${painter.width} ${painter.height}`,
      "aria-hidden": "true",
    },
    painter.under,
    painter.ringsBelow ? rings : null,
    painter.pieces,
    painter.over,
    painter.ringsBelow ? null : rings,
    painter.counts,
  );
}

/** The cell of a key. @param {string} name */
const cellOf = (name) => /** @type {Cell} */ (name.split(",").map(Number));

/**
 * Whether the reader of a game sits at the far side of its board: it is turned then, if its players have sides.
 * @param {View} view @param {boolean[] | null} yours
 */
const isTurned = (view, yours) =>
  Boolean((kindOf(view).sided || view.from_to) && yours && yours[1] && !yours[0]);

export class Board {
  /** @type {(move: string) => unknown} */ onMove;
  /** @type {BoardConfig["onCell"]} */ onCell;
  /** @type {boolean} */ interactive;
  /** @type {View} */ view;
  /** @type {boolean[] | null} */ yours;
  /** @type {boolean} */ preview;
  /** @type {Said[] | null} */ annotations;
  /** @type {Annotation[]} */ drawn;
  /** @type {Cell[]} */ picked;
  /** @type {Cell} */ active;
  /** @type {Painter} */ painter;
  /** @type {SVGElement} */ ghost;
  /** @type {SVGElement} */ tints;
  /** @type {SVGElement} */ picks;
  /** @type {SVGElement} */ notes;
  /** @type {SVGElement} */ focusLayer;
  /** @type {Map<string, Cell[]>} */ byMove;
  /** @type {Map<string, string[]>} */ byCell;
  /** @type {SVGElement[][]} */ targets;
  /** @type {Map<string, SVGElement>} */ stores;
  /** @type {Map<Element, string>} */ texts;
  /** @type {boolean} */ playable;
  /** @type {Cell | null} */ dragged;
  /** @type {string} */ shape;
  /** @type {string | null} */ ghosted;

  /**
   * `onMove(move)` hears what is played. With `onCell(row, column)` the board is edited instead: every cell can be chosen, and nothing is
   * played. The stores of houses are cells then too: the second player's is (0, -1), the first player's is one behind the last house of row 1.
   * @param {HTMLElement} container @param {BoardConfig} [options]
   */
  constructor(
    container,
    { onMove = () => {}, onCell = null, interactive = true, id = "board" } = {},
  ) {
    boards += 1;
    this.name = `board-${boards}`;
    Object.assign(this, { onMove, onCell, interactive, active: null, picked: [] });
    this.svg = s("svg.board", { id, role: "grid", tabindex: "0" });
    this.rulers = new Rulers();
    this.badges = new Badges();
    this.sheet = h("div.board-sheet", this.svg, this.rulers.elements);
    this.place = h("div.board-view", this.sheet);
    this.zoom = new Zoom(this.place, this.sheet, () => this.measure());
    this.chooser = new Chooser({
      onMove: (move) => this.onMove(move),
      onPoint: (move) => this.setGhost(move),
      onClose: (back) => {
        this.setGhost(null);
        if (back) this.svg.focus();
      },
    });
    this.buttons = h("div.board-buttons");
    this.tiles = h("div.board-tiles", { hidden: true });
    this.previewTag = h("span.board-preview.tag", { hidden: true });
    this.element = h(
      "div.board-frame",
      this.tiles,
      h("div.board-holder", this.place, this.previewTag),
      this.zoom.element,
      this.chooser.element,
      this.buttons,
    );
    container.append(this.element);
    this.svg.addEventListener("click", (event) => this.clicked(event));
    this.svg.addEventListener("pointerdown", (event) => {
      this.dragged =
        this.view?.from_to && event.pointerType === "mouse" ? this.cellOf(event) : null;
    });
    this.svg.addEventListener("pointerup", (event) => this.dropped(event));
    this.svg.addEventListener("pointermove", (event) => this.hovered(event));
    this.svg.addEventListener("pointerleave", () => this.setGhost(null));
    this.svg.addEventListener("keydown", (event) => this.pressed(event));
    this.svg.addEventListener("pointerdown", () => {
      this.clickedInto = true;
    });
    this.svg.addEventListener("focus", () => {
      this.clickedInto = byPointer();
      this.setActive(this.active);
    });
    this.svg.addEventListener("blur", () => this.setGhost(null));
    this.outside = (/** @type {Event} */ event) => {
      const target = /** @type {Node} */ (event.target);
      if (!this.chooser.element.contains(target)) this.chooser.close(false);
      if (this.picked.length && !this.svg.contains(target)) this.pick([]);
    };
    document.addEventListener("pointerdown", this.outside);
    this.watcher = new ResizeObserver(() => this.measure());
    this.watcher.observe(this.place);
  }

  /**
   * Draw a position. `annotations` of its moves, the best first, or of the moves before a `preview`, which looks like one, and of ways and
   * threats over the board; `hint` a move, `cells` to point at, `hand` the seeds that somebody holds over one ({cell, seeds}), `yours` the seats of the
   * reader, who sits below.
   * @param {View} view @param {BoardState} [options]
   */
  show(
    view,
    {
      annotations = null,
      preview = false,
      hint = null,
      cells = [],
      hand = null,
      animate = false,
      interactive = this.interactive,
      yours = null,
    } = {},
  ) {
    const turned = isTurned(view, yours);
    const shape = [
      view.style,
      view.rows,
      view.columns,
      view.row_labels,
      view.column_labels,
      turned,
    ].join("|");
    if (shape !== this.shape) this.build(view, shape, turned);
    const drawn = annotations?.filter(({ path, threat }) => path || threat) ?? [];
    Object.assign(this, {
      view,
      yours,
      preview,
      drawn,
      annotations:
        drawn.length === annotations?.length
          ? null
          : annotations?.filter((each) => !drawn.includes(each)),
    });
    this.playable = interactive && !view.over && !this.onCell;
    this.byMove = new Map(view.moves.map(({ move, cells: places }) => [move, places]));
    this.picked = this.playable && this.continued(this.picked).length ? this.picked : [];
    this.index();
    this.painter.paint(view, { animate: animate && !motionOff() });
    this.point(hint, cells, hand);
    this.showRings(animate);
    this.annotate();
    this.setGhost(null);
    if (animate && view.last.length) this.reveal(view.last[0]);
    if (!this.chooser.moves.every((move) => this.byMove.has(move))) this.chooser.close(false);
    this.element.classList.toggle("is-preview", preview);
    this.previewTag.hidden = !preview;
    this.previewTag.textContent = t("board.preview");
    this.svg.classList.toggle("playable", this.playable || Boolean(this.onCell));
    if (!this.playable) this.svg.classList.toggle("over-move", Boolean(this.onCell));
  }

  /** The rings of a move wait until it has landed; those of a line that has won come one after the other. @param {boolean} fresh */
  showRings(fresh) {
    const wait = Math.max(0, (this.painter.until ?? 0) - performance.now());
    const won = this.view.marked.length > 0;
    if (won && fresh) sound("won", wait);
    const rings = /** @type {SVGElement[]} */ ([
      ...this.notes.querySelectorAll(".ring.last, .ring.won"),
      ...this.tints.children,
    ]);
    rings.forEach((each, i) => {
      const duration = wait + (won && fresh && !motionOff() ? i * IN_TURN : 0);
      if (duration)
        each.animate([{ visibility: "hidden" }, { visibility: "hidden" }], { duration });
    });
    const { moving } = this.painter;
    if (moving?.playState !== "running") return;
    for (const each of rings) each.style.visibility = "hidden";
    const show = () => {
      for (const each of rings) each.style.visibility = "";
    };
    moving.finished.then(show, show);
  }

  /** Wait until the move that was made last has landed and has been seen. */
  rest() {
    const left = this.painter?.until
      ? this.painter.until + REST * slowness() - performance.now()
      : 0;
    return left > 0 ? pause(left) : null;
  }

  /** @param {View} view @param {string} shape @param {boolean} turned */
  build(view, shape, turned) {
    this.shape = shape;
    this.picked = [];
    this.painter = painterOf(view, { turned });
    const { painter } = this;
    this.svg.setAttribute("viewBox", `0 0 ${painter.width} ${painter.height}`);
    this.svg.setAttribute("class", `board ${painter.style}`);
    this.fit(this.element);
    for (const layer of /** @type {const} */ (["ghost", "tints", "picks", "notes", "focusLayer"]))
      this[layer] = s("g", { class: layer });
    this.texts = new Map();
    /** @param {number} row @param {number} column */
    const target = (row, column) =>
      s("rect", {
        ...painter.box(row, column),
        id: `${this.name}-${row}-${column}`,
        role: "gridcell",
        "data-cell": key(row, column),
      });
    this.targets = Array.from({ length: painter.rows }, (_, row) =>
      Array.from({ length: painter.columns }, (__, column) => target(row, column)),
    );
    this.stores = new Map(
      this.onCell ? painter.storeCells.map((cell) => [key(...cell), target(...cell)]) : [],
    );
    /** @param {Child[]} list */
    const seen = (list) => (turned ? [...list].reverse() : list);
    const rows = this.targets.map((line, row) =>
      s(
        "g",
        { role: "row" },
        seen([this.stores.get(key(row, -1)), ...line, this.stores.get(key(row, painter.columns))]),
      ),
    );
    const still = s(
      "g",
      { "aria-hidden": "true" },
      painter.under,
      this.tints,
      this.picks,
      this.ghost,
      painter.pieces,
      painter.over,
      this.notes,
      this.badges.element,
      painter.counts,
      this.focusLayer,
    );
    replace(this.svg, still, s("g.targets", { role: "presentation" }, seen(rows)));
    this.rulers.build(painter, this.sheet);
    this.active = painter.first;
    this.svg.removeAttribute("aria-activedescendant");
    this.zoom.set(1);
  }

  /** Show the movement of a move that is past already when it is drawn. @param {View} view */
  pass(view) {
    this.painter.paint(view, { animate: !motionOff() });
  }

  /**
   * Tell an element how large the board wants to be, so that its neighbours can be as wide (see .game-main in style.css).
   * @param {HTMLElement} element
   */
  fit(element) {
    const { width, height } = this.painter;
    element.style.setProperty("--ratio", String(width / height));
    element.style.setProperty("--widest", `${Math.round((width / CELL) * LARGEST_CELL)}px`);
  }

  /** Texts of the cells for those who hear the board, with what is said of them; only what changed is written. @param {Map<string, Said>} said */
  describe(said) {
    const { words } = kindOf(this.view);
    this.svg.setAttribute("aria-label", words.board(this.view));
    const goals = this.picked.length ? this.byCell : new Map();
    this.targets.forEach((line, row) =>
      line.forEach((target, column) => {
        const name = key(row, column);
        const held = `${this.view.seeds?.houses[row][column] ?? ""}${this.view.cells[row][column]}${this.yours}`;
        const more = [
          this.picked.some((cell) => key(...cell) === name) && t("board.picked"),
          goals.has(name) && t("board.goal"),
          said.get(name)?.title,
        ].filter(Boolean);
        if (this.texts.get(target) === `${held}${more}`) return;
        this.texts.set(target, `${held}${more}`);
        target.setAttribute(
          "aria-label",
          [words.cell(this.view, row, column, this.yours), ...more].join(". "),
        );
      }),
    );
    for (const [name, target] of this.stores)
      target.setAttribute("aria-label", words.store?.(this.view, name === "0,-1" ? 1 : 0) ?? "");
  }

  /** Last move, winning line, hint, cells pointed at, the hand. @param {string | null} hint @param {Cell[]} cells @param {Hand | null} hand */
  point(hint, cells, hand) {
    const { painter, view } = this;
    const rings = [
      ...(view.marked.length
        ? painter.rings("won", view.marked)
        : painter.rings("last", view.last)),
      ...painter.rings("point", cells),
    ];
    const parts = painter.ringsBelow ? [] : rings;
    replace(this.tints, painter.ringsBelow ? rings : []);
    const hinted = hint !== null && this.byMove.get(hint);
    if (hinted) {
      parts.push(
        s("g.hint-ghost", { "data-hint": hint }, painter.ghost(hinted, view.mover)),
        ...painter.rings("hint", painter.meant(hinted)),
        ...(view.from_to && hinted.length > 1 ? [painter.path([{ cells: hinted }])] : []),
      );
    }
    if (hand && painter.hand) parts.push(painter.hand(hand.cell, hand.seeds));
    replace(this.notes, parts);
  }

  /** Say what the moves are worth: a cell that means several shows the best. What is said of the moves before a preview stays over the
   * columns, so that the board does not jump, and leaves the cells. */
  annotate() {
    const { painter, annotations, preview, view } = this;
    const tiled = painter.columnsPlayed && painter.columns <= MOST_TILES;
    this.drawTiles(tiled ? annotations : null);
    const open = new Set(this.continued(this.picked).map(({ move }) => move));
    const said = this.badges.show(
      ((!tiled && !preview && annotations) || []).filter(({ move }) => open.has(move)),
      {
        painter,
        view,
        byMove: this.byMove,
        picked: this.picked.length > 0,
        drawn: preview ? [] : this.drawn,
      },
    );
    if (this.scale) this.badges.measure(painter, this.scale);
    this.describe(said);
    this.offerButtons();
  }

  /** @param {Said[] | null} annotations */
  drawTiles(annotations) {
    this.tiles.hidden = !annotations;
    redraw(this.tiles, () =>
      replace(
        this.tiles,
        annotations
          ? columnTiles(this.painter, this.view, annotations, {
              playable: this.playable,
              onMove: (move) => this.onMove(move),
              onPoint: (move) => this.setGhost(move),
            })
          : null,
      ),
    );
  }

  /** Moves that no cell stands for. */
  offerButtons() {
    const loose = this.playable ? this.view.moves.filter(({ cells }) => !cells.length) : [];
    /** @param {string} move */
    const text = (move) =>
      !this.preview && this.annotations?.find((each) => each.move === move)?.text;
    replace(
      this.buttons,
      loose.map(({ move }) =>
        h(
          "button",
          { "data-move": move, onclick: () => this.onMove(move) },
          t("play.play_move", { move }),
          text(move) ? ` (${text(move)})` : "",
        ),
      ),
    );
  }

  // ---- What a cell means ----

  /** The moves that begin with these cells. @param {Cell[]} picked */
  continued(picked) {
    return this.view.moves.filter(({ cells }) =>
      picked.every((cell, i) => cells.length > picked.length && key(...cell) === key(...cells[i])),
    );
  }

  /** The moves by the cells that mean them now. */
  index() {
    this.byCell = new Map();
    const step = this.picked.length;
    for (const { move, cells } of this.continued(this.picked)) {
      for (const [row, column] of this.view.from_to ? cells.slice(step, step + 1) : cells) {
        const name = key(row, column);
        this.byCell.set(name, [...(this.byCell.get(name) ?? []), move]);
      }
    }
  }

  /** Pick a piece, with the cells of its way so far: its goals light up. No cell puts it back. @param {Cell[]} cells */
  pick(cells) {
    this.picked = cells;
    this.index();
    const { painter } = this;
    const goals = cells.length ? [...this.byCell.keys()].map((name) => cellOf(name)) : [];
    replace(this.picks, painter.rings("picked", cells), painter.rings("goal", goals));
    this.targets.flat().forEach((target) => target.removeAttribute("aria-selected"));
    for (const [row, column] of cells)
      this.targets[row][column].setAttribute("aria-selected", "true");
    this.svg.classList.toggle("picking", cells.length > 0);
    this.setGhost(null);
    this.annotate();
  }

  /** @param {Event} event */
  cellOf(event) {
    const text = /** @type {SVGElement} */ (event.target).dataset?.cell;
    return text ? cellOf(text) : null;
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const cell = this.cellOf(event);
    if (!cell) return;
    this.setActive(cell);
    this.choose(cell);
  }

  /** A piece was dragged to its goal. @param {PointerEvent} event */
  dropped(event) {
    const [from, to] = [this.dragged, this.cellOf(event)];
    this.dragged = null;
    if (!this.playable || !from || !to || key(...from) === key(...to)) return;
    this.pick([]);
    this.choose(from);
    if (this.picked.length) this.choose(to);
  }

  /** What a cell means: a cell to edit, its move, a piece to pick, or a question when it means several moves. @param {Cell} cell */
  choose(cell) {
    if (this.onCell) this.onCell(...cell);
    if (!this.playable) return;
    const step = this.picked.length;
    let moves = this.byCell.get(key(...cell)) || [];
    if (step && !moves.length) {
      const again = key(...cell) === key(...last(this.picked));
      this.pick([]);
      if (!again && this.byCell.has(key(...cell))) this.choose(cell);
    } else if (
      this.view.from_to &&
      moves.some((move) => (this.byMove.get(move) ?? []).length > step + 1)
    ) {
      this.pick([...this.picked, cell]);
    } else {
      moves = [...moves];
      if (step) this.pick([]);
      if (moves.length === 1) this.onMove(moves[0]);
      else if (moves.length) this.chooser.ask(moves, this.targetOf(cell), this.element);
    }
  }

  /** @param {PointerEvent} event */
  hovered(event) {
    if (event.pointerType === "touch" || !this.playable || this.chooser.isOpen) return;
    const cell = this.cellOf(event);
    const moves = (cell && this.byCell.get(key(...cell))) || [];
    this.svg.classList.toggle("over-move", moves.length > 0);
    this.setGhost(moves.length === 1 ? moves[0] : null);
  }

  /** @param {string | null} move */
  setGhost(move) {
    if (move === this.ghosted) return;
    this.ghosted = move;
    const cells = move !== null && this.byMove.get(move);
    replace(this.ghost, cells ? [this.painter.ghost(cells, this.view.mover)] : []);
  }

  // ---- Keyboard ----

  /** @param {Cell} from */
  targetOf([row, column]) {
    return this.targets[row]?.[column] ?? this.stores.get(key(row, column));
  }

  /** @param {Cell | null} cell */
  setActive(cell) {
    if (!cell) return;
    this.active = cell;
    this.svg.setAttribute("aria-activedescendant", this.targetOf(cell).id);
    replace(this.focusLayer, this.painter.focusShape(...cell));
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.view) return;
    if (
      this.clickedInto &&
      !this.onCell &&
      !/^[1-9]$/.test(event.key) &&
      !(event.key === "Escape" && this.picked.length)
    )
      return; // after a click the arrows are the page's
    const { rows, columns, turned } = this.painter;
    const [row, column] = this.active;
    const step = STEPS[event.key]?.map((each) => (turned ? -each : each));
    if (step) {
      const to = /** @type {Cell} */ ([
        Math.max(0, Math.min(rows - 1, row + step[0])),
        column + step[1],
      ]);
      this.setActive(this.targetOf(to) ? to : [to[0], Math.max(0, Math.min(columns - 1, to[1]))]);
    } else if (event.key === "Home" || event.key === "End")
      this.setActive([row, (event.key === "Home") === turned ? columns - 1 : 0]);
    else if (event.key === "Enter" || event.key === " ") this.choose(this.active);
    else if (event.key === "Escape" && this.picked.length) this.pick([]);
    else if (!this.digit(event.key)) return;
    this.reveal(this.active);
    const moves = (this.playable && this.byCell.get(key(...this.active))) || [];
    if (!this.chooser.isOpen) this.setGhost(moves.length === 1 ? moves[0] : null);
    event.preventDefault();
    event.stopPropagation();
  }

  /** The keys of the digits. @returns {Record<string, () => unknown>} */
  get digits() {
    return Object.fromEntries([..."123456789"].map((digit) => [digit, () => this.digit(digit)]));
  }

  /** Digits play columns and houses directly. @param {string} text */
  digit(text) {
    if (!this.playable || !/^[1-9]$/.test(text) || !this.painter.byDigits || !this.byMove.has(text))
      return false;
    this.onMove(text);
    return true;
  }

  // ---- Sizes ----

  /** Pixels of a unit of the drawing. */
  get scale() {
    return this.svg.clientWidth / this.painter.width;
  }

  measure() {
    if (!this.painter || !this.scale) return;
    const { painter, scale } = this;
    const side = (this.place.clientWidth / painter.width) * painter.pitch;
    this.zoom.setUseful(
      side < (matchMedia("(pointer: coarse)").matches ? SMALL_FOR_FINGERS : SMALL),
    );
    this.rulers.measure(painter, this.sheet, scale);
    this.badges.measure(painter, scale);
    this.svg.style.setProperty(
      "--mark",
      Math.min(1.5, Math.max(1, LEGIBLE / (MARK_LETTERS * scale))).toFixed(2),
    );
  }

  /** Bring a cell of a zoomed board into sight, or into the middle. @param {Cell} cell @param {boolean} [middle] */
  reveal(cell, middle = false) {
    const [x, y] = this.painter.centre(...cell);
    this.zoom.reveal(x * this.scale, y * this.scale, middle);
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
