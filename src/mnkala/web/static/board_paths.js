// A path over a board: where something goes, leg by leg, as one arrowed way. A leg is {cells, label, takes, note}: the cells that it passes,
// a number where it begins, the cells whose pieces it takes with a word on them. Boards of cells draw straight ways; on houses the seeds
// jump in arcs between the two rows, and a dotted line leads from where a leg ends to where the next one begins.

import { CELL } from "./board_marks.js";
import { s } from "./dom.js";

const SHOULDER = Math.atan2(0.69, 0.72); // where arcs leave a house and arrive: towards the next one and the middle of the board, beside the count
const TURN = 0.75; // how much further round its rim a house has its next number
const [RISE, RISE_MORE, HIGHEST] = [13, 4, 29]; // how far an arc rises over a house beside it, how much more for each that it passes, and at most
const INSIDE = 9; // how far arcs reach into a store
const [LOWEST, APART] = [44, 17]; // from the middle of a store: where its first arc arrives, and how far from it the next
const LABEL = 9.5; // radius of a number
const HEAD = 11; // length of an arrow's head

/** An arrow through these points; it begins and ends a little inside the cells. @param {Point[]} points @param {number} cell */
function arrow(points, cell) {
  const way = points.map(([x, y]) => ({ x, y }));
  const [before, end] = way.slice(-2);
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const tip = { x: end.x - 0.12 * cell * cos, y: end.y - 0.12 * cell * sin };
  /** @param {number} side */
  const wing = (side) =>
    `${tip.x - 0.26 * cell * cos + side * 0.15 * cell * sin} ${tip.y - 0.26 * cell * sin - side * 0.15 * cell * cos}`;
  const shaft = { x: tip.x - 0.2 * cell * cos, y: tip.y - 0.2 * cell * sin };
  return s(
    "g.arrow",
    s("path.arrow-shaft", {
      d: `M${[...way.slice(0, -1), shaft].map(({ x, y }) => `${x} ${y}`).join("L")}`,
    }),
    s("path.arrow-head", { d: `M${tip.x} ${tip.y}L${wing(1)}L${wing(-1)}Z` }),
  );
}

/** Straight ways from cell to cell. @param {Leg[]} legs @param {Painter} painter */
export const cellPath = (legs, painter) =>
  s(
    "g.path",
    legs.map(({ cells }) =>
      arrow(
        cells.map((cell) => painter.centre(...cell)),
        CELL,
      ),
    ),
  );

/**
 * The cells at which the way of a sowing turns: where it begins, its own store, the ends of the rows that it passes, where it ends.
 * @param {Cell[]} cells @param {HousesPainter} painter
 */
function corners(cells, painter) {
  const found = cells.filter(([row, column], i) => {
    const [before, next] = [cells[i - 1], cells[i + 1]];
    return (
      !before ||
      !next ||
      painter.isStore(column) ||
      next[0] !== row ||
      (before[0] !== row && !painter.isStore(before[1]))
    );
  });
  const told = found.length > 6 ? [...found.slice(0, 4), ...found.slice(-2)] : found; // the first lap stands for all
  return told.filter((cell, i) => !i || String(cell) !== String(told[i - 1]));
}

/** The way of the seeds over houses. @param {Leg[]} legs @param {HousesPainter} painter */
export const housesPath = (legs, painter) => new HousesPath(painter).draw(legs);

class HousesPath {
  /** @param {HousesPainter} painter */
  constructor(painter) {
    this.painter = painter;
    this.uses = /** @type {Map<string, number>} */ (new Map()); // how often a house was left, a store reached
    const texts = () => /** @type {string[]} */ ([]);
    this.parts = {
      rings: /** @type {SVGElement[]} */ ([]),
      links: texts(),
      lines: texts(),
      heads: texts(),
      labels: /** @type {[Point, string | number, string?][]} */ ([]),
    };
  }

  /** @param {Leg[]} legs */
  draw(legs) {
    let before = /** @type {Point | null} */ (null);
    for (const leg of legs) {
      const { start, end } = this.leg(leg);
      if (before) this.parts.links.push(`M${before}L${start}`);
      before = end;
    }
    const { rings, links, lines, heads, labels } = this.parts;
    /** @param {string} kind */
    const stroke = (kind) => (/** @type {string} */ d) => s("path", { class: kind, d });
    return s(
      "g.path",
      rings,
      links.map(stroke("path-link")),
      lines.map(stroke("path-under")),
      heads.map(stroke("path-head path-under")),
      lines.map(stroke("path-line")),
      heads.map(stroke("path-head")),
      labels.map(([at, text, kind]) => label(at, text, kind)),
    );
  }

  /** One sowing: an arc from corner to corner of its way, and what it takes. @param {Leg} options */
  leg({ cells, label: text, takes = [], note }) {
    const { painter } = this;
    const way = corners(cells, painter);
    const start = this.rim(way[0], this.x(way[1]), this.use(String(way[0])));
    const line = [`M${start}`];
    let [at, control] = [start, start];
    /** @param {Point} to @param {number} row */
    const arcTo = (to, row) => {
      control = this.control(at, to, row);
      line.push(`Q${control} ${to}`);
      at = to;
    };
    way.slice(1).forEach((cell, i) => {
      const [row] = way[i];
      if (!painter.isStore(cell[1]))
        arcTo(this.rim(cell, at[0]), painter.isStore(way[i][1]) ? cell[0] : row);
      else if (i + 2 === way.length)
        arcTo(
          this.inStore(cell, at[0], painter.side(row) * (LOWEST - APART * (this.use("store") % 4))),
          row,
        );
      else {
        arcTo(this.inStore(cell, at[0], 8 * painter.side(row)), row);
        const out = this.inStore(cell, way[i] && this.x(way[i]), -8 * painter.side(row));
        line.push(`Q${[at[0] + 1.6 * (this.x(cell) - at[0]), painter.middle]} ${out}`);
        at = out;
      }
    });
    if (takes.length) {
      this.parts.heads.push(head(control, at));
      [at, control] = this.take(takes, note, line);
    }
    this.parts.lines.push(line.join(""));
    this.parts.heads.push(head(control, at));
    if (text) this.parts.labels.push([start, text]);
    return { start, end: at };
  }

  /**
   * A capture: a line to the house opposite, and from there an arc into the store.
   * @param {Cell[]} cells @param {string | null | undefined} note @param {string[]} line
   * @returns {Pair<Point>}
   */
  take([own, other], note, line) {
    const { painter } = this;
    const store = /** @type {Cell} */ (own[0] ? [1, painter.columns] : [0, -1]);
    const from = this.rim(other, this.x(store));
    const goal = this.inStore(store, from[0], -painter.side(own[0]) * LOWEST);
    const control = this.control(from, goal, other[0]);
    /** @param {Cell} from */
    const edge = ([row, column]) => [
      this.x([row, column]),
      painter.centre(row, column)[1] - painter.side(row) * painter.radius,
    ];
    line.push(`M${edge(own)}L${edge(other)}M${from}Q${control} ${goal}`);
    this.parts.rings.push(...painter.rings("taken", [own, other]));
    if (note) this.parts.labels.push([[this.x(other), painter.middle], note, "taken"]);
    return [goal, control];
  }

  /** @param {string} name */
  use(name) {
    const times = this.uses.get(name) ?? 0;
    this.uses.set(name, times + 1);
    return times;
  }

  /** @param {Cell} cell */
  x(cell) {
    return this.painter.centre(...cell)[0];
  }

  /**
   * The point of a house's rim that looks to the middle of the board and to another place; the next time a little further round.
   * @param {Cell} from @param {number} toX @param {number} [times] @returns {Point}
   */
  rim([row, column], toX, times = 0) {
    const { painter } = this;
    const [x, y] = painter.centre(row, column);
    const angle = SHOULDER - TURN * times;
    return [
      x + (Math.sign(toX - x) || 1) * painter.radius * Math.cos(angle),
      y - painter.side(row) * painter.radius * Math.sin(angle),
    ];
  }

  /** @param {Cell} cell @param {number} fromX @param {number} below @returns {Point} */
  inStore(cell, fromX, below) {
    const x = this.x(cell);
    return [x + Math.sign(fromX - x) * (this.painter.radius - INSIDE), this.painter.middle + below];
  }

  /**
   * What pulls an arc from one point to another over the houses of a row.
   * @param {Point} from @param {Point} to @param {number} row @returns {Point}
   */
  control([x], [toX], row) {
    const { painter } = this;
    const houses = Math.abs(toX - x) / painter.pitch;
    const rise = Math.min(HIGHEST, RISE * Math.min(1, 2 * houses) + RISE_MORE * houses);
    return [
      (x + toX) / 2,
      painter.centre(row, 0)[1] -
        painter.side(row) * (painter.radius * Math.sin(SHOULDER) + 2 * rise),
    ];
  }
}

/** The head of an arrow that comes from one point to another. @param {Point} from @param {Point} to */
function head([fromX, fromY], [x, y]) {
  const angle = Math.atan2(y - fromY, x - fromX);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  /** @param {number} side */
  const wing = (side) => [
    x - HEAD * cos + side * 0.55 * HEAD * sin,
    y - HEAD * sin - side * 0.55 * HEAD * cos,
  ];
  return `M${[x, y]}L${wing(1)}L${wing(-1)}Z`;
}

/** A word in a small round box. @param {Point} from @param {string | number} text @param {string} [kind] */
function label([x, y], text, kind = "") {
  const wide = Math.max(2 * LABEL, 7 * String(text).length + 9);
  return s(
    "g",
    { class: `path-label ${kind}`, transform: `translate(${x} ${y})` },
    s(
      "g",
      s("rect", { x: -wide / 2, y: -LABEL, width: wide, height: 2 * LABEL, rx: LABEL }),
      s("text", { y: 4.6 }, text),
    ),
  );
}
