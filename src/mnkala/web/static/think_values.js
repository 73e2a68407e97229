// The numbers of a search as people read them. A tree holds them in negamax form (for the player to move at each node); the textbook
// wants them as MAX, the mover at the root, sees them. `Reader` turns the one into the other.

import { namedLine } from "./scores.js";
import { number, said, t } from "./words.js";

const SIGNS = /** @type {Record<string, string>} */ ({ lower: "≥", upper: "≤" });
const TURNED = /** @type {Record<string, string>} */ ({ "≥": "≤", "≤": "≥" });

export class Reader {
  /** `book`: MAX and MIN as in the textbook; otherwise each node's own mover, as in the code. @param {SearchTree} tree @param {boolean} [book] */
  constructor(tree, book = true) {
    this.tree = tree;
    this.book = book;
  }

  /** @param {SearchNode} node */
  flips(node) {
    return this.book && node.mover !== this.tree.mover;
  }

  /** @param {SearchNode} node */
  isMax(node) {
    return node.mover === this.tree.mover;
  }

  /** A node's number in the chosen view. @param {SearchNode} node @param {number} value */
  value(node, value) {
    return this.flips(node) ? -value : value;
  }

  /** A node's window in the chosen view. @param {SearchNode} node @param {number} alpha @param {number} beta */
  window(node, alpha, beta) {
    return this.flips(node) ? [-beta, -alpha] : [alpha, beta];
  }

  /** The sign in front of a bound. @param {SearchNode} node */
  bound(node) {
    const sign = SIGNS[node.bound] ?? "";
    return this.flips(node) ? (TURNED[sign] ?? "") : sign;
  }

  /** Few characters, for a node: "+12", "W3" (a win with the winner's third move), "∞". @param {number} value */
  short(value) {
    if (Math.abs(value) >= this.tree.infinity) return value > 0 ? "+∞" : "−∞";
    const end = this.tree.proved[value];
    if (end)
      return t(end.margin > 0 ? "think.win_short" : "think.loss_short", {
        size: this.tree.graded ? Math.abs(end.margin) : (end.moves ?? ""),
      });
    return signed(value);
  }

  /** Words, for a sentence: "MAX wins in 2 moves". @param {SearchNode} node @param {number} value */
  long(node, value) {
    const shown = this.value(node, value);
    const end = this.tree.proved[shown];
    return end
      ? `${this.book ? "MAX" : this.tree.players[node.mover]} ${said(end.words)}`
      : this.short(shown);
  }

  /** What a node has returned: a value in words, or a bound in few characters. @param {SearchNode} node */
  returned(node) {
    const bound = node.kind === "inner" ? this.bound(node) : "";
    return bound
      ? `${bound} ${this.short(this.value(node, node.value))}`
      : this.long(node, node.value);
  }

  /** The plies behind such words, for those who point at them. @param {SearchNode} node */
  plies(node) {
    const end = this.tree.proved[node.value];
    return end ? ` (${t("worth.plies", { plies: end.plies })})` : "";
  }

  /** Who is to move: MAX (x), MIN (o), or only the mark. @param {SearchNode} node */
  who(node) {
    const mark = this.tree.players[node.mover];
    return this.book ? `${this.isMax(node) ? "MAX" : "MIN"} (${mark})` : mark;
  }

  /** The moves from the root to a node. @param {SearchNode} node */
  moves(node) {
    const moves = [];
    for (let at = node; at.parent !== null; at = this.tree.nodes_list[at.parent])
      moves.unshift(at.move);
    return moves;
  }

  /** The move that leads to a node, as a value for a sentence. @param {number} id */
  move(id) {
    return namedLine([this.tree.nodes_list[id].move], this.tree);
  }

  /** A node as a value for a sentence: the root, or the moves that lead to it. @param {SearchNode} node */
  name(node) {
    return node.parent === null ? "@think.root" : namedLine(this.moves(node), this.tree);
  }
}

/** @param {number} value */
export function signed(value) {
  const size = Math.abs(value);
  const digits =
    size >= 1e7 ? `${number(size / 1e6)}M` : size >= 1e5 ? `${number(size / 1e3)}k` : String(size);
  return value > 0 ? `+${digits}` : value < 0 ? `−${digits}` : "0";
}

/**
 * Where values lie on a line from 0 to 1: by rank, so that proved and heuristic values share one line; the ends are infinite.
 * @param {SearchTree} tree
 */
export function ranker(tree) {
  const met = new Set([0]);
  for (const { value, alpha, beta } of tree.nodes_list)
    for (const each of [value, alpha, beta])
      if (each !== undefined && Math.abs(each) < tree.infinity) met.add(each).add(-each);
  const sorted = [...met].sort((a, b) => a - b);
  const rank = new Map(sorted.map((value, i) => [value, (i + 1) / (sorted.length + 1)]));
  return (/** @type {number} */ value) =>
    value <= -tree.infinity ? 0 : value >= tree.infinity ? 1 : (rank.get(value) ?? 0.5);
}

/** The view of a node's board that `miniature` of board.js draws. @param {SearchTree} tree @param {Diagram} board @returns {Drawable} */
export function boardView(tree, board) {
  return {
    style: tree.style,
    cells: board.rows.map((row) => [...row].map(Number)),
    marked: board.marked || [],
    last: board.last || [],
    seeds: board.houses && board.stores ? { houses: board.houses, stores: board.stores } : null,
    players: tree.players,
    row_labels: tree.row_labels,
    column_labels: tree.column_labels,
  };
}
