// The graph of a game: what the first player could expect after each move, or by how much that side was ahead where every margin is
// proved, as two areas in the players' colours. Faults stand on the line as dots of different shapes. It is a slider: click, drag or
// arrow keys go to a move.

import { h, last, replace, s } from "./dom.js";
import { hasMargins, unitAt, unitsOf } from "./review_parts.js";
import { signed } from "./scores.js";
import { number, t } from "./words.js";

const HEIGHT = 168;
const EDGE = { left: 54, right: 14, top: 14, bottom: 24 };
const ROOM = 2; // points above the largest margin
const FAULTS = ["inaccuracy", "mistake", "blunder"];

/** The shape of a grade around (0, 0): circle, small circle, diamond, triangle, square. @param {string} grade @param {number} radius */
export function gradeShape(grade, radius) {
  const r = radius;
  const path = {
    inaccuracy: `M0 ${-r * 1.2}L${r * 1.2} 0 0 ${r * 1.2} ${-r * 1.2} 0Z`,
    mistake: `M0 ${-r * 1.15}L${r * 1.2} ${r * 0.95} ${-r * 1.2} ${r * 0.95}Z`,
    blunder: `M${-r} ${-r}H${r}V${r}H${-r}Z`,
  }[grade];
  return path
    ? s("path.shape", { d: path })
    : s("circle.shape", { r: grade === "best" ? r : r * 0.72 });
}

export class Graph {
  /** @type {ReviewView | null} */ review;
  /** @type {string[]} */ players;
  /** @type {ReviewUnit[]} */ units;
  /** @type {number | null} */ largest;
  /** @type {(number | null)[]} */ heights;
  /** @type {number} */ width;
  /** @type {SVGElement} */ cursor;
  /** @type {SVGElement} */ ghost;

  /** `onGo(ply)` is called when a position is chosen. @param {(ply: number) => void} onGo */
  constructor(onGo) {
    this.onGo = onGo;
    this.ply = 0;
    this.review = null;
    this.svg = s("svg.graph#review-graph", {
      role: "slider",
      tabindex: "0",
      "aria-label": t("review.graph"),
      "aria-valuemin": "0",
      "aria-valuemax": "0",
      "aria-valuenow": "0",
    });
    this.tip = h("div.graph-tip", { hidden: true, "aria-hidden": "true" });
    this.element = h("div.graph-frame", this.svg, this.tip);
    this.svg.addEventListener("keydown", (event) => this.pressed(event));
    this.svg.addEventListener("pointerdown", (event) => {
      this.svg.setPointerCapture(event.pointerId);
      this.dragging = true;
      this.onGo(this.plyAt(event));
    });
    this.svg.addEventListener("pointerup", () => {
      this.dragging = false;
    });
    this.svg.addEventListener("pointercancel", () => {
      this.dragging = false;
    });
    this.svg.addEventListener("pointermove", (event) => {
      const ply = this.plyAt(event);
      if (this.dragging && ply !== this.ply) this.onGo(ply);
      this.point(ply);
    });
    this.svg.addEventListener("pointerleave", () => this.point(null));
    this.watcher = new ResizeObserver(() => this.draw());
    this.watcher.observe(this.element);
  }

  /** Draw a review; `players` are the names of the two. @param {ReviewView} review @param {string[]} players @param {number} ply */
  show(review, players, ply) {
    this.review = review;
    this.players = players;
    this.ply = ply;
    this.units = unitsOf(review);
    const margins = hasMargins(review);
    const largest = margins
      ? Math.max(...review.margins.map((margin) => Math.abs(margin ?? 0))) + ROOM
      : null;
    this.largest = largest;
    this.heights = largest
      ? review.margins.map((margin) =>
          margin === null || largest === null ? null : (margin / largest + 1) / 2,
        )
      : review.chances;
    this.svg.setAttribute("aria-label", t(margins ? "review.graph_margins" : "review.graph"));
    this.draw();
  }

  /** Show another place in the game. @param {number} ply */
  setPly(ply) {
    this.ply = ply;
    if (!this.cursor) return;
    const x = this.x(ply);
    this.cursor.setAttribute("x1", String(x));
    this.cursor.setAttribute("x2", String(x));
    for (const dot of /** @type {NodeListOf<SVGElement>} */ (this.svg.querySelectorAll(".dot")))
      dot.classList.toggle("current", Number(dot.dataset.ply) === ply);
    this.describe();
  }

  get total() {
    return this.review ? this.review.moves.length : 0;
  }

  /** @param {number} ply */
  x(ply) {
    return EDGE.left + (this.width - EDGE.left - EDGE.right) * (this.total ? ply / this.total : 0);
  }

  /** The place of a height between 0 and 1. @param {number} height */
  y(height) {
    return EDGE.top + (HEIGHT - EDGE.top - EDGE.bottom) * (1 - height);
  }

  /** @param {MouseEvent} event */
  plyAt(event) {
    const { left, width } = this.svg.getBoundingClientRect();
    const x = (event.clientX - left) * (this.width / (width || 1));
    const share = (x - EDGE.left) / (this.width - EDGE.left - EDGE.right);
    return Math.max(0, Math.min(this.total, Math.round(share * this.total)));
  }

  draw() {
    const { review } = this;
    this.width = Math.max(240, this.element.clientWidth);
    if (!review) return;
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
    this.svg.setAttribute("height", String(HEIGHT));
    const [top, bottom] = [this.y(1), this.y(0)];
    const [from, to] = [this.x(0), this.x(this.total)];
    const known = this.heights.flatMap((height, ply) =>
      height === null ? [] : [[this.x(ply), this.y(height)]],
    );
    const line = known
      .map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`)
      .join("");
    /** @param {number} edge */
    const area = (edge) =>
      known.length > 1
        ? `${line}L${last(known)[0].toFixed(1)} ${edge}L${known[0][0].toFixed(1)} ${edge}Z`
        : "";
    const clearing = `${this.svg.id}-room`;
    const width = Math.max(0, to - from);
    const ground = { x: from, y: top, width, height: bottom - top, rx: 4 };
    this.cursor = s("line.graph-cursor", { y1: top - 6, y2: bottom + 6 });
    this.ghost = s("line.graph-ghost", { y1: top, y2: bottom, visibility: "hidden" });
    replace(
      this.svg,
      s("defs", s("clipPath", { id: clearing }, s("rect", ground))),
      s("rect.graph-ground", ground),
      s(
        "g",
        { "clip-path": `url(#${clearing})` },
        s("path.graph-second", { d: area(top) }),
        s("path.graph-first", { d: area(bottom) }),
      ),
      s("line.graph-even", { x1: from, x2: to, y1: this.y(0.5), y2: this.y(0.5) }),
      [1, 0.5, 0].map((height) =>
        s(
          "text.graph-label",
          { x: EDGE.left - 8, y: this.y(height) + 4, "text-anchor": "end" },
          this.largest === null
            ? `${number(100 * height)} %`
            : signed(this.largest * (2 * height - 1)),
        ),
      ),
      this.numbers(bottom),
      s("path.graph-line", { d: line }),
      this.turning(top, bottom),
      this.ghost,
      this.cursor,
      this.dots(),
    );
    this.setPly(this.ply);
  }

  /** Numbers of the moves or turns, as many as fit. @param {number} bottom */
  numbers(bottom) {
    const step =
      [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find(
        (each) => (this.width / Math.max(1, this.units.length)) * each >= 34,
      ) || 2000;
    return this.units
      .filter((unit) => unit.number % step === 0)
      .map((unit) =>
        s(
          "text.graph-label",
          { x: this.x(unit.ply), y: bottom + 18, "text-anchor": "middle" },
          number(unit.number),
        ),
      );
  }

  /** @param {number} top @param {number} bottom */
  turning(top, bottom) {
    const ply = this.review?.turning_point ?? null;
    if (ply === null) return null;
    const x = this.x(ply);
    return s(
      "g.graph-turning",
      s("line", { x1: x, x2: x, y1: top, y2: bottom }),
      s("path", { d: `M${x - 6} ${top - 10}h12l-6 9Z` }),
    );
  }

  /** A dot for every move or turn that is graded; those of sound ones are small. */
  dots() {
    const crowded = (this.width - EDGE.left - EDGE.right) / Math.max(1, this.total) < 9;
    return this.units.map(({ ply, grade, player }) => {
      const height = this.heights[ply];
      if (!grade || height === null) return null;
      const fault = FAULTS.includes(grade);
      const radius = fault ? 5 : crowded ? 1.4 : 2.6;
      return s(
        "g",
        {
          class: `dot grade-${grade} ${player ? "second" : "first"}`,
          "data-ply": ply,
          "data-grade": grade,
          transform: `translate(${this.x(ply).toFixed(1)} ${this.y(height).toFixed(1)})`,
        },
        gradeShape(grade, radius),
      );
    });
  }

  /** @param {number | null} ply */
  point(ply) {
    const height = ply === null || !this.review ? null : this.heights[ply];
    this.tip.hidden = ply === null || height === null || height === undefined;
    this.ghost?.setAttribute("visibility", ply === null ? "hidden" : "visible");
    if (ply === null || !this.ghost) return;
    const x = this.x(ply);
    this.ghost.setAttribute("x1", String(x));
    this.ghost.setAttribute("x2", String(x));
    if (this.tip.hidden) return;
    this.tip.textContent = this.text(ply);
    const half = this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.max(half, Math.min(this.width - half, x))}px`;
  }

  /** Describe a position in words. @param {number} ply */
  text(ply) {
    const unit = unitAt(this.units, ply);
    if (!unit) return t("review.at_start", { player: this.players[0], value: this.value(ply) });
    const grade = unit.grade ? t(`review.grade_${unit.grade}`) : "…";
    return t("review.at_move", {
      number: number(unit.number),
      mover: this.players[unit.player],
      move: unit.text,
      grade,
      player: this.players[0],
      value: this.value(ply),
    });
  }

  /** The first player's chance, or the margin by which that side was ahead. @param {number} ply */
  value(ply) {
    const height = this.heights[ply] ?? null;
    if (height === null) return "…";
    return this.largest === null
      ? `${number(100 * height)} %`
      : signed(this.review?.margins[ply] ?? 0);
  }

  describe() {
    this.svg.setAttribute("aria-valuemax", String(this.total));
    this.svg.setAttribute("aria-valuenow", String(this.ply));
    this.svg.setAttribute("aria-valuetext", this.text(this.ply));
  }

  /** @param {KeyboardEvent} event */
  pressed(event) {
    const to = {
      ArrowLeft: this.ply - 1,
      ArrowDown: this.ply - 1,
      ArrowRight: this.ply + 1,
      ArrowUp: this.ply + 1,
      Home: 0,
      End: this.total,
      PageDown: this.ply - 10,
      PageUp: this.ply + 10,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.onGo(Math.max(0, Math.min(this.total, to)));
  }

  close() {
    this.watcher.disconnect();
  }
}
