// The graph of a game: what the first player could expect after each move, as two areas in the players' colours. Faults stand on
// the line as dots of different shapes. It is a slider: click, drag or arrow keys go to a move.

import { h, replace, s } from "./dom.js";
import { number, t } from "./words.js";

const HEIGHT = 168;
const EDGE = { left: 54, right: 14, top: 14, bottom: 24 };
const FAULTS = ["inaccuracy", "mistake", "blunder"];

/** The shape of a grade around (0, 0): circle, small circle, diamond, triangle, square. */
export function gradeShape(grade, radius) {
  const r = radius;
  const path = {
    inaccuracy: `M0 ${-r * 1.2}L${r * 1.2} 0 0 ${r * 1.2} ${-r * 1.2} 0Z`,
    mistake: `M0 ${-r * 1.15}L${r * 1.2} ${r * 0.95} ${-r * 1.2} ${r * 0.95}Z`,
    blunder: `M${-r} ${-r}H${r}V${r}H${-r}Z`,
  }[grade];
  return path ? s("path", { class: "shape", d: path }) : s("circle", { class: "shape", r: grade === "best" ? r : r * 0.72 });
}

export class Graph {
  /** `onGo(ply)` is called when a position is chosen. */
  constructor(onGo) {
    this.onGo = onGo;
    this.ply = 0;
    this.review = null;
    this.svg = s("svg", { id: "review-graph", class: "graph", role: "slider", tabindex: "0", "aria-label": t("review.graph"), "aria-valuemin": "0", "aria-valuemax": "0", "aria-valuenow": "0" });
    this.tip = h("div", { class: "graph-tip", hidden: true, "aria-hidden": "true" });
    this.element = h("div", { class: "graph-frame" }, this.svg, this.tip);
    this.svg.addEventListener("keydown", (event) => this.pressed(event));
    this.svg.addEventListener("pointerdown", (event) => {
      this.svg.setPointerCapture(event.pointerId);
      this.dragging = true;
      this.onGo(this.plyAt(event));
    });
    this.svg.addEventListener("pointerup", () => { this.dragging = false; });
    this.svg.addEventListener("pointercancel", () => { this.dragging = false; });
    this.svg.addEventListener("pointermove", (event) => {
      const ply = this.plyAt(event);
      if (this.dragging && ply !== this.ply) this.onGo(ply);
      this.point(ply);
    });
    this.svg.addEventListener("pointerleave", () => this.point(null));
    this.watcher = new ResizeObserver(() => this.draw());
    this.watcher.observe(this.element);
  }

  /** Draw a review; `players` are the names of the two. */
  show(review, players, ply) {
    this.review = review;
    this.players = players;
    this.ply = ply;
    this.draw();
  }

  /** Only the place in the game has changed. */
  setPly(ply) {
    this.ply = ply;
    if (!this.cursor) return;
    const x = this.x(ply);
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    for (const dot of this.svg.querySelectorAll(".dot")) dot.classList.toggle("current", Number(dot.dataset.ply) === ply);
    this.describe();
  }

  get total() {
    return this.review ? this.review.moves.length : 0;
  }

  x(ply) {
    return EDGE.left + (this.width - EDGE.left - EDGE.right) * (this.total ? ply / this.total : 0);
  }

  y(chance) {
    return EDGE.top + (HEIGHT - EDGE.top - EDGE.bottom) * (1 - chance);
  }

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
    this.svg.setAttribute("height", HEIGHT);
    const [top, bottom] = [this.y(1), this.y(0)];
    const [from, to] = [this.x(0), this.x(this.total)];
    const known = review.chances.map((chance, ply) => [this.x(ply), chance === null ? null : this.y(chance)]).filter(([, y]) => y !== null);
    const line = known.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    const area = (edge) => (known.length > 1 ? `${line}L${known.at(-1)[0].toFixed(1)} ${edge}L${known[0][0].toFixed(1)} ${edge}Z` : "");
    const clearing = `${this.svg.id}-room`;
    this.cursor = s("line", { class: "graph-cursor", y1: top - 6, y2: bottom + 6 });
    this.ghost = s("line", { class: "graph-ghost", y1: top, y2: bottom, visibility: "hidden" });
    replace(this.svg,
      s("defs", null, s("clipPath", { id: clearing }, s("rect", { x: from, y: top, width: Math.max(0, to - from), height: bottom - top, rx: 4 }))),
      s("rect", { class: "graph-ground", x: from, y: top, width: Math.max(0, to - from), height: bottom - top, rx: 4 }),
      s("g", { "clip-path": `url(#${clearing})` }, s("path", { class: "graph-second", d: area(top) }), s("path", { class: "graph-first", d: area(bottom) })),
      s("line", { class: "graph-even", x1: from, x2: to, y1: this.y(0.5), y2: this.y(0.5) }),
      [[1, 100], [0.5, 50], [0, 0]].map(([chance, percent]) => s("text", { class: "graph-label", x: EDGE.left - 8, y: this.y(chance) + 4, "text-anchor": "end" }, `${number(percent)} %`)),
      this.numbers(bottom),
      s("path", { class: "graph-line", d: line }),
      this.turning(top, bottom), this.ghost, this.cursor, this.dots());
    this.setPly(this.ply);
  }

  /** Numbers of the moves, as many as fit. */
  numbers(bottom) {
    const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((each) => (this.width / Math.max(1, this.total)) * each >= 34) || 2000;
    const shown = [];
    for (let ply = step; ply <= this.total; ply += step) shown.push(s("text", { class: "graph-label", x: this.x(ply), y: bottom + 18, "text-anchor": "middle" }, number(ply)));
    return shown;
  }

  turning(top, bottom) {
    const ply = this.review.turning_point;
    if (ply === null) return null;
    const x = this.x(ply);
    return s("g", { class: "graph-turning" }, s("line", { x1: x, x2: x, y1: top, y2: bottom }), s("path", { d: `M${x - 6} ${top - 10}h12l-6 9Z` }));
  }

  /** A dot for every move that is graded; those of sound moves are small. */
  dots() {
    const crowded = (this.width - EDGE.left - EDGE.right) / Math.max(1, this.total) < 9;
    return this.review.moves.map(({ ply, grade, player }) => {
      const chance = this.review.chances[ply];
      if (!grade || chance === null) return null;
      const fault = FAULTS.includes(grade);
      const radius = fault ? 5 : crowded ? 1.4 : 2.6;
      return s("g", { class: `dot grade-${grade} ${player ? "second" : "first"}`, "data-ply": ply, "data-grade": grade, transform: `translate(${this.x(ply).toFixed(1)} ${this.y(chance).toFixed(1)})` }, gradeShape(grade, radius));
    });
  }

  point(ply) {
    const chance = ply === null || !this.review ? null : this.review.chances[ply];
    this.tip.hidden = ply === null || chance === null || chance === undefined;
    this.ghost?.setAttribute("visibility", ply === null ? "hidden" : "visible");
    if (ply === null || !this.ghost) return;
    const x = this.x(ply);
    this.ghost.setAttribute("x1", x);
    this.ghost.setAttribute("x2", x);
    if (this.tip.hidden) return;
    this.tip.textContent = this.text(ply);
    const half = this.tip.offsetWidth / 2;
    this.tip.style.left = `${Math.max(half, Math.min(this.width - half, x))}px`;
  }

  /** What is to be said of a position. */
  text(ply) {
    const chance = this.review.chances[ply];
    const move = this.review.moves[ply - 1];
    const percent = chance === null ? "…" : `${number(100 * chance)} %`;
    if (!move) return t("review.at_start", { player: this.players[0], percent });
    const grade = move.grade ? t(`review.grade_${move.grade}`) : "…";
    return t("review.at_move", { ply, mover: this.players[move.player], move: move.move, grade, player: this.players[0], percent });
  }

  describe() {
    this.svg.setAttribute("aria-valuemax", this.total);
    this.svg.setAttribute("aria-valuenow", this.ply);
    this.svg.setAttribute("aria-valuetext", this.text(this.ply));
  }

  pressed(event) {
    const to = { ArrowLeft: this.ply - 1, ArrowDown: this.ply - 1, ArrowRight: this.ply + 1, ArrowUp: this.ply + 1, Home: 0, End: this.total, PageDown: this.ply - 10, PageUp: this.ply + 10 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.onGo(Math.max(0, Math.min(this.total, to)));
  }

  close() {
    this.watcher.disconnect();
  }
}
