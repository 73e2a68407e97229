// A tree of moves: the line that is looked at and every other that was tried. The first child of a node is its main move, the others are
// variations. It is data only; variations.js draws it.

/** @param {MoveNode | null} parent @param {string} move @param {number} mover @returns {MoveNode} */
const nodeOf = (parent, move, mover) => ({ parent, move, mover, children: [], chosen: null });

export class MoveTree {
  constructor() {
    this.root = nodeOf(null, "", -1);
  }

  /**
   * The node after these moves, added as far as it is missing: a new move beside another makes a branch.
   * @param {string[]} moves @param {number[]} movers
   */
  add(moves, movers) {
    let node = this.root;
    moves.forEach((move, i) => {
      let next = node.children.find((child) => child.move === move);
      if (!next) node.children.push((next = nodeOf(node, move, movers[i])));
      node.chosen = next; // the way forward is the way that was last gone
      node = next;
    });
    return node;
  }

  /** The node after these moves, or null if they were never tried. @param {string[]} moves */
  find(moves) {
    let node = /** @type {MoveNode | undefined} */ (this.root);
    for (const move of moves) node = node?.children.find((child) => child.move === move);
    return node ?? null;
  }

  /** The nodes from the first move to this one. @param {MoveNode} node */
  path(node) {
    const nodes = /** @type {MoveNode[]} */ ([]);
    for (let at = node; at.parent; at = at.parent) nodes.unshift(at);
    return nodes;
  }

  /** @param {MoveNode} node */
  moves(node) {
    return this.path(node).map(({ move }) => move);
  }

  /** @param {MoveNode} node */
  forward(node) {
    return node.chosen ?? node.children[0] ?? null;
  }

  /** Where the line through a node ends. @param {MoveNode} node */
  end(node) {
    let at = node;
    while (this.forward(at)) at = this.forward(at);
    return at;
  }

  /** The nearest node of the line, from here back, that has variations beside it; null on a line without any. @param {MoveNode} node */
  fork(node) {
    let at = node;
    while (at.parent && at.parent.children.length < 2) at = at.parent;
    return at.parent ? at : null;
  }

  /**
   * The next variation (or with −1 the one before) of the nearest fork, round and round; null where there is none.
   * @param {MoveNode} node @param {number} step
   */
  beside(node, step) {
    const at = this.fork(node);
    if (!at?.parent) return null;
    const { children } = at.parent;
    return children[(children.indexOf(at) + step + children.length) % children.length];
  }

  /**
   * The node with which the variation of a node begins: itself or one before that is not a main move; null on the main line.
   * @param {MoveNode} node
   */
  branch(node) {
    let at = node;
    while (at.parent && at.parent.children[0] === at) at = at.parent;
    return at.parent ? at : null;
  }

  /** Make the variation of a node the main one at its fork. @param {MoveNode} node */
  promote(node) {
    const at = this.branch(node);
    if (at?.parent)
      at.parent.children = [at, ...at.parent.children.filter((child) => child !== at)];
  }

  /** Take a node and all that follows it away; the node before it. @param {MoveNode} node */
  remove(node) {
    const { parent } = node;
    if (!parent) return null;
    parent.children = parent.children.filter((child) => child !== node);
    if (parent.chosen === node) parent.chosen = null;
    return parent;
  }

  /** As plain data: a list of [place of the parent in this list or −1, move, mover], parents before their children. */
  serialise() {
    const rows = /** @type {[number, string, number][]} */ ([]);
    const waiting = this.root.children.map(
      (child) => /** @type {[MoveNode, number]} */ ([child, -1]),
    );
    for (const [node, parent] of waiting) {
      rows.push([parent, node.move, node.mover]);
      for (const child of node.children) waiting.push([child, rows.length - 1]);
    }
    return rows;
  }

  /** @param {[number, string, number][]} rows */
  static read(rows) {
    const tree = new MoveTree();
    const nodes = /** @type {MoveNode[]} */ ([]);
    for (const [parent, move, mover] of rows) {
      const before = parent < 0 ? tree.root : nodes[parent];
      const node = nodeOf(before, move, mover);
      before.children.push(node);
      nodes.push(node);
    }
    return tree;
  }
}
