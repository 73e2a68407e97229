// Drawing a board of houses and stores. The first player sits below and sows to the right, the second sits above; on a turned board
// it is the other way round. Scores have their place outside, above and below the houses.
// After mnkala/core/picture.py, with the sowing: a handful of seeds travels along the way that the server tells and leaves one in each
// cell; what is captured then goes to its store.

import { s } from "./dom.js";
import { rimBadge } from "./board_annotations.js";
import { disc, ring, seeds } from "./board_marks.js";
import { housesPath } from "./board_paths.js";
import { slowness, sound } from "./motion.js";

const PLACE = 72; // width of a house's place
const HOUSE = 29; // radius of a house
const ROWS = 118; // distance of the two rows
const STORE = ROWS + 2 * HOUSE - 6; // height of a store
const RIM = 20; // wood between a house and the edge: the number of the house
const OUTSIDE = 30; // above and below the wood, for scores; more where many houses make the board small
const STEP = 190; // milliseconds from cell to cell
const SOWING = 2600; // milliseconds: the longest sowing
const GATHER = 380; // milliseconds for what is captured
const LONGEST_WAIT = 6000; // milliseconds that a sowing may wait for the one before
const SIDES = ["first", "second"];

/** A cell on the way of the seeds, and what it holds then. @typedef {{ row: number, column: number, count: number }} Step */

export class HousesPainter {
  ringsBelow = false;

  columnsPlayed = false;

  byDigits = true;

  pitch = PLACE;

  /** @param {Drawable} view @param {PainterOptions} [options] */
  constructor(view, { labels = true, turned = false } = {}) {
    this.style = "houses";
    this.turned = turned;
    this.rows = 2;
    this.columns = (view.seeds?.houses ?? view.cells)[0].length;
    this.margin = labels ? Math.max(OUTSIDE, 5 * this.columns) : 4;
    this.largestLabel = 0.9 * RIM;
    this.labelled = labels;
    this.width = (this.columns + 2) * PLACE;
    this.boardHeight = ROWS + 2 * (HOUSE + RIM);
    this.height = this.boardHeight + 2 * this.margin;
    this.middle = this.height / 2;
    this.radius = HOUSE;
    this.timers = /** @type {number[]} */ ([]);
    this.until = 0; // when the movements under way end
    this.goal = /** @type {Seeds | null} */ (null); // the seeds when they have ended
    this.houses = /** @type {SVGElement[][]} */ ([[], []]); // groups that hold the seeds and the count of a house
    this.numbers = /** @type {SVGElement[][]} */ ([[], []]); // the counts of the houses
    this.stores = /** @type {SVGElement[]} */ ([]);
    this.shown = {
      houses: /** @type {number[][]} */ ([[], []]),
      stores: /** @type {number[]} */ ([]),
    };
    this.under = s(
      "g.under",
      s("rect.wood", {
        x: 1,
        y: this.margin,
        width: this.width - 2,
        height: this.boardHeight,
        rx: 30,
      }),
    );
    this.pieces = s("g.pieces");
    this.over = s("g.over");
    this.counts = s("g.counts"); // above the arrows of an analysis
    this.carried = s("g.carried"); // the seeds on their way
    this.build();
    this.over.append(this.carried);
  }

  /** The cell on which a walk with the arrows begins. @returns {Cell} */
  get first() {
    return this.turned ? [0, this.columns - 1] : [1, 0];
  }

  /** 1 for the row that is shown below, -1 for the other. @param {number} row */
  side(row) {
    return Boolean(row) === this.turned ? -1 : 1;
  }

  /** The stores are cells too, one before the upper row and one behind the lower. @returns {Cell[]} */
  get storeCells() {
    return [
      [0, -1],
      [1, this.columns],
    ];
  }

  /** @param {number} column */
  isStore(column) {
    return column < 0 || column >= this.columns;
  }

  /** @param {number} row @param {number} column @returns {Point} */
  centre(row, column) {
    if (this.isStore(column)) return [this.storeX(1 - row), this.middle];
    return [
      PLACE * ((this.turned ? this.columns - 1 - column : column) + 1.5),
      this.middle + (this.side(row) * ROWS) / 2,
    ];
  }

  /** @param {number} row @param {number} column */
  box(row, column) {
    const [x] = this.centre(row, column);
    const high = this.height / 2;
    if (this.isStore(column)) return { x: x - PLACE / 2, y: 0, width: PLACE, height: this.height };
    return { x: x - PLACE / 2, y: this.side(row) > 0 ? high : 0, width: PLACE, height: high };
  }

  /**
   * The badge of a move outside the board, so that the seeds stay in sight. `all` are the
   * annotations of every move.
   * @param {Said} each @param {number} row @param {number} column @param {Said[]} all
   */
  badge(each, row, column, all) {
    const [x] = this.centre(row, column);
    const y = this.middle + (this.side(row) * (this.boardHeight + this.margin)) / 2;
    const { element, size } = rimBadge(each, all, PLACE - 3, this.margin - 5);
    return { element: s("g", { transform: `translate(${x} ${y})` }, element), size };
  }

  /** The number by which the owner of a house calls it. @param {number} row @param {number} column */
  number(row, column) {
    return row ? column + 1 : this.columns - column;
  }

  build() {
    for (const row of [0, 1]) {
      for (let column = 0; column < this.columns; column += 1) {
        const [x, y] = this.centre(row, column);
        this.under.append(
          s("circle", { class: `hollow ${SIDES[1 - row]}`, cx: x, cy: y, r: HOUSE }),
        );
        this.houses[row][column] = s("g");
        this.pieces.append(this.houses[row][column]);
        this.numbers[row][column] = s("text.count", {
          x,
          y: y + (this.side(row) > 0 ? -HOUSE - 8 : HOUSE + 19),
        });
        this.counts.append(this.numbers[row][column]);
        if (this.labelled)
          this.over.append(
            s(
              "text.label",
              { x, y: y + this.side(row) * (HOUSE + RIM / 2 + 1.5) },
              this.number(row, column),
            ),
          );
      }
    }
    for (const player of [0, 1]) {
      const x = this.storeX(player);
      this.under.append(
        s("rect", {
          class: `hollow ${SIDES[player]}`,
          x: x - HOUSE,
          y: this.middle - STORE / 2,
          width: 2 * HOUSE,
          height: STORE,
          rx: HOUSE,
        }),
      );
      this.under.append(
        s(
          "g",
          { transform: `translate(${x} ${this.middle + STORE / 2 - 20})` },
          disc(player + 1, 10),
        ),
      );
      this.stores[player] = s("g");
      this.pieces.append(this.stores[player]);
    }
  }

  /** @param {number} player */
  storeX(player) {
    return (player === 0) !== this.turned ? this.width - PLACE / 2 - 4 : PLACE / 2 + 4;
  }

  /** @param {number} row @param {number} column @param {number} count */
  setHouse(row, column, count) {
    if (this.shown.houses[row][column] === count) return;
    this.shown.houses[row][column] = count;
    const [x, y] = this.centre(row, column);
    this.houses[row][column].replaceChildren(
      s("g", { transform: `translate(${x} ${y})` }, seeds(count, HOUSE - 5)),
    );
    this.numbers[row][column].textContent = String(count);
  }

  /** @param {number} player @param {number} count */
  setStore(player, count) {
    if (this.shown.stores[player] === count) return;
    this.shown.stores[player] = count;
    const x = this.storeX(player);
    this.stores[player].replaceChildren(
      s("g", { transform: `translate(${x} ${this.middle + 4})` }, seeds(count, HOUSE - 6, 1.9)),
      s("text.store-count", { x, y: this.middle - ROWS / 2 - 4 }, count),
    );
  }

  /**
   * Draw a position. A sowing waits for the one before it, unless too many wait already.
   * @param {Drawable} view @param {{ animate?: boolean }} [options]
   */
  paint(view, { animate = false } = {}) {
    const wanted = /** @type {Seeds} */ (view.seeds);
    if (JSON.stringify(wanted) === JSON.stringify(this.goal)) return; // it is there, or on its way
    const steps = animate && this.goal ? this.way(this.goal, view) : [];
    const now = performance.now();
    if (!steps.length || this.until - now > LONGEST_WAIT)
      this.finish(steps.length && this.goal ? this.goal : wanted);
    this.goal = wanted;
    if (!steps.length) return;
    const start = Math.max(0, this.until - now);
    const pace = slowness() * Math.min(STEP, SOWING / steps.length);
    const { houses, stores } = wanted;
    const captured = JSON.stringify(this.sown(steps)) !== JSON.stringify({ houses, stores });
    const landed = start + (steps.length - 1) * pace + 0.5 * STEP * slowness();
    const length = landed + (captured ? GATHER * slowness() : 0);
    steps.forEach((step, i) =>
      this.timers.push(
        setTimeout(
          () => this.step(step, steps[i + 1], steps.length - 1 - i, pace),
          start + i * pace,
        ),
      ),
    );
    this.timers.push(
      setTimeout(() => this.gather(wanted, length - landed), landed),
      setTimeout(() => this.set(wanted), length),
    );
    this.until = now + length;
  }

  /** Stop every movement and show these seeds. @param {Seeds} wanted */
  finish(wanted) {
    this.carried.replaceChildren();
    for (const timer of this.timers.splice(0)) clearTimeout(timer);
    this.until = 0;
    this.set(wanted);
  }

  /** @param {Seeds} options */
  set({ houses, stores }) {
    this.carried.replaceChildren();
    houses.forEach((row, r) => row.forEach((count, c) => this.setHouse(r, c, count)));
    stores.forEach((count, player) => this.setStore(player, count));
  }

  /**
   * What the last move did, from the seeds before it: the house that was lifted comes first, then a seed falls on each cell of its way.
   * @param {Seeds} before @param {Drawable} options
   */
  way(before, { way = [] }) {
    const [lifted] = way;
    if (!lifted || before.houses[lifted[0]][lifted[1]] !== way.length - 1) return []; // these are other seeds
    const counts = { houses: before.houses.map((row) => [...row]), stores: [...before.stores] };
    return way.map(([row, column], i) => {
      if (this.isStore(column)) return { row, column, count: (counts.stores[1 - row] += 1) };
      counts.houses[row][column] = i ? counts.houses[row][column] + 1 : 0;
      return { row, column, count: counts.houses[row][column] };
    });
  }

  /** The seeds once all are sown, before anything is captured. @param {Step[]} steps */
  sown(steps) {
    const { houses, stores } = structuredClone(/** @type {Seeds} */ (this.goal));
    for (const { row, column, count } of steps) {
      if (this.isStore(column)) stores[1 - row] = count;
      else houses[row][column] = count;
    }
    return { houses, stores };
  }

  /**
   * A seed falls into a cell, or its seeds are lifted, and the others travel on to the next cell.
   * @param {Step} step @param {Step | undefined} next @param {number} left @param {number} duration
   */
  step({ row, column, count }, next, left, duration) {
    if (this.isStore(column)) this.setStore(1 - row, count);
    else this.setHouse(row, column, count);
    this.carried.replaceChildren();
    if (next) this.carry([row, column], [next.row, next.column], left, duration);
    if (count) sound("seed");
  }

  /** Seeds travel between two cells. @param {Cell} from @param {Cell} to @param {number} count @param {number} duration */
  carry(from, to, count, duration) {
    const [[x, y], [toX, toY]] = [this.centre(...from), this.centre(...to)];
    const handful = s("g", seeds(count, 15));
    this.carried.append(s("g", { transform: `translate(${toX} ${toY})` }, handful));
    handful.animate(
      [
        { transform: `translate(${x - toX}px, ${y - toY}px)` },
        { transform: `translate(${(x - toX) / 2}px, ${(y - toY) / 2 - 8}px) scale(1.12)` },
        { transform: "none" },
      ],
      { duration, easing: "ease-in-out" },
    );
  }

  /** What is captured, or left at the end, goes to a store. @param {Seeds} wanted @param {number} duration */
  gather(wanted, duration) {
    this.carried.replaceChildren();
    const gains = [0, 1].filter((player) => wanted.stores[player] > this.shown.stores[player]);
    wanted.houses.forEach((row, r) =>
      row.forEach((count, c) => {
        const taken = this.shown.houses[r][c] - count;
        if (taken <= 0) return;
        const player = gains.length === 1 ? gains[0] : 1 - r;
        this.setHouse(r, c, count);
        this.carry([r, c], this.storeCells[1 - player], taken, duration);
        sound("seed", duration);
      }),
    );
  }

  /** The seeds in a hand over a cell. @param {Cell} from @param {number} count */
  hand([row, column], count) {
    const [x, y] = this.centre(row, column);
    const at = [
      x + (this.isStore(column) ? 0 : HOUSE * 0.75),
      this.isStore(column) ? this.middle : y - this.side(row) * HOUSE * 0.9,
    ];
    return s(
      "g.hand",
      { "data-hand": count, transform: `translate(${at})` },
      s(
        "g",
        s("circle", { r: 15 }),
        s("g", { transform: "translate(0 -4.5)" }, seeds(Math.min(count, 12), 8)),
        s("text", { y: 12.5 }, count),
      ),
    );
  }

  /** @param {Leg[]} legs */
  path(legs) {
    return housesPath(legs, this);
  }

  /** @param {Cell[]} cells */
  static meant(cells) {
    return cells;
  }

  /** @param {Cell[]} cells */
  meant(cells) {
    return cells;
  }

  /** @param {Cell[]} cells */
  landing(cells) {
    return cells.slice(0, 1);
  }

  /** @param {Cell[]} cells */
  ghost(cells) {
    return s(
      "g.ghost-houses",
      cells.map(([row, column]) => ring("point", ...this.centre(row, column), HOUSE)),
    );
  }

  /** @param {string} kind @param {Cell[]} cells @returns {SVGElement[]} */
  rings(kind, cells) {
    return cells.map(([row, column]) =>
      this.isStore(column)
        ? this.storeRing(kind, 1 - row)
        : ring(kind, ...this.centre(row, column), HOUSE),
    );
  }

  /** @param {string} kind @param {number} player */
  storeRing(kind, player) {
    /** @param {string} name */
    const edge = (name) =>
      s("rect", {
        class: name,
        x: this.storeX(player) - HOUSE,
        y: this.middle - STORE / 2,
        width: 2 * HOUSE,
        height: STORE,
        rx: HOUSE,
      });
    return s("g", { class: `ring ${kind}` }, edge("ring-under"), edge("ring-over"));
  }

  /** @param {number} row @param {number} column */
  focusShape(row, column) {
    const [x, y] = this.centre(row, column);
    const high = (this.isStore(column) ? ROWS / 2 : 0) + HOUSE + 3;
    return s("rect.focus-ring", {
      x: x - HOUSE - 3,
      y: y - high,
      width: 2 * (HOUSE + 3),
      height: 2 * high,
      rx: HOUSE + 3,
    });
  }
}
