// The nodes of a tree as SVG: their shapes, and how these change from step to step. MAX points up, MIN points
// down, a leaf is a round chip, a finished game a square one, a cut branch wears scissors. A node of Monte-Carlo search is a ball.
// How much room each needs, and where, the tree itself says (mnkala/trace/files.py).

import { miniature } from "./board.js";
import { s } from "./dom.js";
import { boardView } from "./think_values.js";
import { CUT, DONE, OPEN, UNSEEN } from "./think_replay.js";

const TRIANGLE = 24;
const BAR = 40; // width of a window
const CUT_ROW = 15;
const SIDES = ["first", "second"];
const STATES = /** @type {Record<number, string>} */ ({
  [UNSEEN]: "unseen",
  [OPEN]: "open",
  [DONE]: "done",
  [CUT]: "cut",
});

/** Draws the nodes of one tree in their places. */
export class NodePainter {
  /** @type {number} */ textRow;
  /** @type {number} */ chip;

  /** @param {SearchTree} tree @param {Reader} reader @param {boolean} boards */
  constructor(tree, reader, boards) {
    this.tree = tree;
    this.reader = reader;
    this.places = tree.places[Number(boards)];
    this.growing = tree.algorithm === "mcts";
    this.windows = tree.algorithm === "alphabeta";
    this.boards = boards;
    [this.textRow, this.chip] = boards ? [22, 27] : [17, 22]; // between boards there is room for larger texts
  }

  /** @param {number} visits */
  radius(visits) {
    return 7 + 17 * Math.sqrt(visits / (this.tree.nodes_list[0].visits || 1));
  }

  /** @param {number} reward @param {number} visits */
  share(reward, visits) {
    return `${Number.isInteger(reward) ? reward : reward.toFixed(1)}/${visits}`;
  }

  /** A node at (x, y), the middle of its upper edge. @param {SearchNode} node @param {number} x @param {number} y @param {boolean} stacked */
  make(node, x, y, stacked) {
    const group = s("g", {
      class: `node ${node.kind} ${SIDES[this.growing ? node.player : node.mover]}`,
      transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
      "data-node": node.id,
    });
    const parts = { group };
    if (node.kind === "cut") this.makeCut(group, node, stacked);
    else this.makeSeen(group, parts, node, stacked);
    return parts;
  }

  /** @param {SVGElement} group @param {SearchNode} node @param {boolean} stacked */
  makeCut(group, node, stacked) {
    const width = this.places.widths[node.id] - 2;
    const x = stacked ? 6 - width / 2 : 0;
    if (stacked)
      group.append(s("rect.cut-ground", { x: -width / 2, y: 0, width, height: CUT_ROW }));
    group.append(
      s(
        "g.scissors",
        { transform: `translate(${x} ${stacked ? 7 : 4})` },
        s("path", { d: "M-3 -6 2.2 2.2M3 -6-2.2 2.2" }),
        s("circle", { cx: -3, cy: 4, r: 1.9 }),
        s("circle", { cx: 3, cy: 4, r: 1.9 }),
      ),
      s(
        "text.cut-move",
        {
          x: stacked ? x + 10 : 0,
          y: stacked ? 11 : 21,
          "text-anchor": stacked ? "start" : "middle",
        },
        node.move,
      ),
    );
  }

  /** @param {SVGElement} group @param {NodeParts} parts @param {SearchNode} node @param {boolean} stacked */
  makeSeen(group, parts, node, stacked) {
    let y = 0;
    if (this.boards && node.board) {
      const [width, height] = this.places.board;
      const picture = miniature(boardView(this.tree, node.board));
      for (const [name, value] of Object.entries({ x: -width / 2, y: 0, width, height }))
        picture.setAttribute(name, String(value));
      group.append(
        s("rect.frame", { x: -width / 2 - 3, y: -3, width: width + 6, height: height + 6, rx: 6 }),
        picture,
      );
      y = height + 5;
    }
    if (this.growing) this.makeBall(group, parts, node, y);
    else if (node.kind === "inner") this.makeTriangle(group, parts, node, y);
    else this.makeChip(group, parts, node, y, stacked);
  }

  /** @param {SVGElement} group @param {NodeParts} parts @param {SearchNode} node @param {number} y */
  makeTriangle(group, parts, node, y) {
    const half = TRIANGLE / 2;
    const path = this.reader.isMax(node)
      ? `M0 ${y}L${half} ${y + 21}H${-half}Z`
      : `M0 ${y + 21}L${half} ${y}H${-half}Z`;
    parts.text = s("text.value", { y: y + TRIANGLE + this.textRow - 5 });
    group.append(s("path.halo", { d: path }), s("path.shape", { d: path }), parts.text);
    if (this.windows) {
      const top = y + TRIANGLE + this.textRow + 2;
      parts.bar = s("rect.window-open", { y: top, height: 5, rx: 2.5 });
      group.append(
        s(
          "g.window",
          s("rect.window-track", { x: -BAR / 2, y: top, width: BAR, height: 5, rx: 2.5 }),
          parts.bar,
        ),
      );
    }
  }

  /** @param {SVGElement} group @param {NodeParts} parts @param {SearchNode} node @param {number} y @param {boolean} stacked */
  makeChip(group, parts, node, y, stacked) {
    const width = this.places.widths[node.id];
    const shape = {
      x: -width / 2,
      y,
      width,
      height: this.chip,
      rx: node.kind === "end" ? 5 : this.chip / 2,
    };
    parts.text = s("tspan.value");
    group.append(
      s("rect.halo", { ...shape }),
      s("rect.shape", { ...shape }),
      s(
        "text",
        { y: y + this.chip * 0.7 },
        stacked || !this.boards ? s("tspan.chip-move", `${node.move} `) : null,
        parts.text,
      ),
    );
  }

  /** @param {SVGElement} group @param {NodeParts} parts @param {SearchNode} node @param {number} y */
  makeBall(group, parts, node, y) {
    parts.centre = y + this.radius(node.visits); // it grows around its centre
    parts.halo = s("circle.halo");
    parts.ball = s("circle.shape");
    parts.fill = s("circle.fill");
    parts.text = s("text.value");
    group.append(parts.halo, parts.ball, parts.fill, parts.text);
  }

  /**
   * Bring a node up to date; `rank` places values on the line of a window.
   * @param {NodeParts} parts @param {SearchNode} node @param {Replay} replay
   * @param {Record<string, boolean | undefined> & { veiled?: boolean }} marks
   * @param {(value: number) => number} rank
   */
  update(parts, node, replay, marks, rank) {
    const status = replay.status[node.id];
    const classes = [
      "node",
      node.kind,
      SIDES[this.growing ? node.player : node.mover],
      STATES[status],
    ];
    for (const [name, on] of Object.entries(marks)) if (on) classes.push(name);
    const text = classes.join(" ");
    if (parts.classes !== text) parts.group.setAttribute("class", text);
    parts.classes = text;
    if (node.kind === "cut") return;
    if (this.growing) this.updateBall(parts, node, replay);
    else
      this.updateValue(
        parts,
        node,
        replay,
        marks.veiled ? OPEN : status,
        marks.veiled ? NaN : replay.value[node.id],
        rank,
      );
  }

  /**
   * @param {NodeParts} parts @param {SearchNode} node @param {Replay} replay @param {number} status
   * @param {number} value @param {(value: number) => number} rank
   */
  updateValue(parts, node, replay, status, value, rank) {
    const shown =
      status === UNSEEN || Number.isNaN(value)
        ? status === OPEN
          ? "?"
          : ""
        : (status === DONE && node.kind === "inner" ? this.reader.bound(node) : "") +
          this.reader.short(this.reader.value(node, value));
    if (parts.text && parts.shown !== shown) parts.text.textContent = shown;
    parts.shown = shown;
    if (parts.bar && status === OPEN) {
      const [alpha, beta] = this.reader
        .window(node, replay.alpha[node.id], replay.beta[node.id])
        .map(rank);
      parts.bar.setAttribute("x", (-BAR / 2 + BAR * Math.min(alpha, beta)).toFixed(1));
      parts.bar.setAttribute("width", Math.max(2, BAR * (beta - alpha)).toFixed(1));
    }
  }

  /** @param {NodeParts} parts @param {SearchNode} node @param {Replay} replay */
  updateBall(parts, node, replay) {
    const [visits, reward] = [replay.visits[node.id], replay.reward[node.id]];
    const radius = this.radius(visits);
    const share = visits ? reward / visits : 0;
    const { halo, ball, fill, text, centre = 0 } = parts;
    if (!halo || !ball || !fill || !text) return;
    const circle = (/** @type {SVGElement} */ shape, /** @type {number} */ r) => {
      shape.setAttribute("cy", String(centre));
      shape.setAttribute("r", String(r));
    };
    circle(halo, radius);
    circle(ball, radius);
    circle(fill, Math.max(0, radius - 1.5));
    fill.style.opacity = String(visits ? 0.1 + 0.9 * share : 0);
    text.setAttribute("y", String(centre + this.radius(node.visits) + this.textRow - 4));
    const proof = replay.proof[node.id];
    text.textContent =
      (Number.isNaN(proof) ? "" : proof > 0 ? "✓ " : proof < 0 ? "✗ " : "= ") +
      this.share(reward, visits);
  }

  /** Where the edges below a node start, below its upper edge: at the centre of a ball, which may still grow. @param {SearchNode} node */
  bottom(node) {
    const high = this.places.heights[node.id];
    if (this.growing) return high - this.textRow - this.radius(node.visits);
    return high - (this.windows && node.kind === "inner" ? 9 : 0);
  }
}
