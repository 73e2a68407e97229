// A tree of moves: the line that is looked at and every other that was tried. The first child of a node is its main move, the others are
// variations. It is data only; variations.js draws it.

const nodeOf = (parent, move, mover) => ({ parent, move, mover, children: [], chosen: null });

export class MoveTree {
  constructor() {
    this.root = nodeOf(null, null, null);
  }

  /** The node after these moves, added as far as it is missing: a new move beside another makes a branch. */
  add(moves, movers) {
    let node = this.root;
    moves.forEach((move, i) => {
      let next = node.children.find((child) => child.move === move);
      if (!next) node.children.push(next = nodeOf(node, move, movers[i]));
      node.chosen = next; // the way forward is the way that was last gone
      node = next;
    });
    return node;
  }

  /** The node after these moves, or null if they were never tried. */
  find(moves) {
    let node = this.root;
    for (const move of moves) node = node?.children.find((child) => child.move === move);
    return node ?? null;
  }

  /** The nodes from the first move to this one. */
  path(node) {
    const nodes = [];
    for (let at = node; at.parent; at = at.parent) nodes.unshift(at);
    return nodes;
  }

  moves(node) {
    return this.path(node).map(({ move }) => move);
  }

  forward(node) {
    return node.chosen ?? node.children[0] ?? null;
  }

  /** Where the line through a node ends. */
  end(node) {
    let at = node;
    while (this.forward(at)) at = this.forward(at);
    return at;
  }

  /** The nearest node of the line, from here back, that has variations beside it; null on a line without any. */
  fork(node) {
    let at = node;
    while (at.parent && at.parent.children.length < 2) at = at.parent;
    return at.parent ? at : null;
  }

  /** The next variation (or with −1 the one before) of the nearest fork, round and round; null where there is none. */
  beside(node, step) {
    const at = this.fork(node);
    if (!at) return null;
    const { children } = at.parent;
    return children[(children.indexOf(at) + step + children.length) % children.length];
  }

  /** The node with which the variation of a node begins: itself or one before that is not a main move; null on the main line. */
  branch(node) {
    let at = node;
    while (at.parent && at.parent.children[0] === at) at = at.parent;
    return at.parent ? at : null;
  }

  /** Make the variation of a node the main one at its fork. */
  promote(node) {
    const at = this.branch(node);
    if (at) at.parent.children = [at, ...at.parent.children.filter((child) => child !== at)];
  }

  /** Take a node and all that follows it away; the node before it. */
  remove(node) {
    const { parent } = node;
    parent.children = parent.children.filter((child) => child !== node);
    if (parent.chosen === node) parent.chosen = null;
    return parent;
  }

  /** As plain data: a list of [place of the parent in this list or −1, move, mover], parents before their children. */
  serialise() {
    const rows = [];
    const waiting = this.root.children.map((child) => [child, -1]);
    while (waiting.length) {
      const [node, parent] = waiting.shift();
      rows.push([parent, node.move, node.mover]);
      for (const child of node.children) waiting.push([child, rows.length - 1]);
    }
    return rows;
  }

  static read(rows) {
    const tree = new MoveTree();
    const nodes = [];
    for (const [parent, move, mover] of rows) {
      const before = parent < 0 ? tree.root : nodes[parent];
      const node = nodeOf(before, move, mover);
      before.children.push(node);
      nodes.push(node);
    }
    return tree;
  }
}
