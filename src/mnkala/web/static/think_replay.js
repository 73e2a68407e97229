// A search played back: what is known of every node after so many steps. Going back starts from the last checkpoint.

import { last } from "./dom.js";

export const UNSEEN = 0;
export const OPEN = 1;
export const DONE = 2;
export const CUT = 3;
const EVERY = 400; // steps between checkpoints

export class Replay {
  /** @type {Set<number> | null} */ touched;
  /** @type {number[]} */ path;

  /** @param {SearchTree} tree */
  constructor(tree) {
    this.tree = tree;
    this.length = tree.steps.length;
    const size = tree.nodes_list.length;
    this.status = new Uint8Array(size);
    this.value = new Float64Array(size).fill(NaN); // best so far, then the value; for the node's own mover
    this.alpha = new Float64Array(size).fill(NaN);
    this.beta = new Float64Array(size).fill(NaN);
    this.best = new Int32Array(size).fill(-1); // the child that gave the best
    this.visits = new Int32Array(size);
    this.reward = new Float64Array(size);
    this.proof = new Float64Array(size).fill(NaN);
    this.path = [];
    this.counts = { visited: 0, evaluations: 0, cuts: 0, cutMoves: 0, playouts: 0 };
    this.index = 0; // steps done
    this.touched = new Set();
    if (tree.algorithm === "mcts") this.status[0] = DONE;
    this.checkpoints = [this.save()];
    this.milestones = this.findMilestones();
  }

  get step() {
    return this.index ? this.tree.steps[this.index - 1] : null;
  }

  /** Steps at which something is worth stopping: cuts, root moves, iterations. */
  findMilestones() {
    const { steps, algorithm } = this.tree;
    const wanted = /** @type {Record<Tree["algorithm"], (step: SearchStep) => boolean>} */ ({
      minimax: (step) => step.event === "update" && step.node === 0,
      alphabeta: (step) => step.event === "cut" || (step.event === "update" && step.node === 0),
      mcts: (step) => step.event === "backup",
    })[algorithm];
    const found = steps.flatMap((step, i) => (wanted(step) ? [i + 1] : []));
    if (found.at(-1) !== steps.length) found.push(steps.length);
    return found;
  }

  save() {
    return {
      index: this.index,
      status: this.status.slice(),
      value: this.value.slice(),
      alpha: this.alpha.slice(),
      beta: this.beta.slice(),
      best: this.best.slice(),
      visits: this.visits.slice(),
      reward: this.reward.slice(),
      proof: this.proof.slice(),
      path: [...this.path],
      counts: { ...this.counts },
    };
  }

  /** @param {ReturnType<Replay["save"]>} saved */
  load(saved) {
    for (const name of /** @type {const} */ ([
      "status",
      "value",
      "alpha",
      "beta",
      "best",
      "visits",
      "reward",
      "proof",
    ]))
      this[name].set(saved[name]);
    this.path = [...saved.path];
    this.counts = { ...saved.counts };
    this.index = saved.index;
    this.touched = null; // everything may have changed
  }

  /** Go to just after step `index`. `touched` then holds the nodes that changed, or null for all. @param {number} index */
  go(index) {
    const wanted = Math.max(0, Math.min(this.length, index));
    this.touched = new Set(this.path);
    if (wanted < this.index) this.load(this.checkpoints[Math.floor(wanted / EVERY)]);
    else if (wanted - this.index > EVERY && this.checkpoints[Math.floor(wanted / EVERY)])
      this.load(this.checkpoints[Math.floor(wanted / EVERY)]);
    while (this.index < wanted) this.forward();
    if (this.touched) for (const node of this.path) this.touched.add(node);
  }

  forward() {
    const step = this.tree.steps[this.index];
    this.touch(step.node);
    this[`on${step.event}`](step);
    this.index += 1;
    if (this.index % EVERY === 0 && this.checkpoints.length === this.index / EVERY)
      this.checkpoints.push(this.save());
  }

  /** @param {number} node */
  touch(node) {
    this.touched?.add(node);
  }

  /** @param {SearchStep} options */
  onenter({ node, alpha, beta }) {
    this.status[node] = OPEN;
    this.alpha[node] = alpha ?? NaN;
    this.beta[node] = beta ?? NaN;
    this.path.push(node);
    this.counts.visited += 1;
  }

  /** @param {SearchStep} options */
  onvalue({ node, value }) {
    this.status[node] = DONE;
    this.value[node] = value;
    this.path.pop();
    if (this.tree.nodes_list[node].kind === "leaf") this.counts.evaluations += 1;
  }

  /** @param {SearchStep} options */
  onupdate({ node, child, value, alpha }) {
    this.touch(child);
    if (this.best[node] >= 0) this.touch(this.best[node]);
    this.best[node] = child;
    this.value[node] = value;
    this.alpha[node] = alpha ?? NaN;
  }

  /** @param {SearchStep} options */
  oncut({ skipped = [], moves = [] }) {
    for (const node of skipped) {
      this.status[node] = CUT;
      this.touch(node);
    }
    this.counts.cuts += 1;
    this.counts.cutMoves += moves.length;
  }

  /** @param {SearchStep} options */
  onselect({ node, child }) {
    if (node === 0) this.startPath();
    this.path.push(child);
  }

  /** @param {SearchStep} options */
  onexpand({ node, child }) {
    if (node === 0) this.startPath();
    this.status[child] = DONE;
    this.touch(child);
    this.path.push(child);
    this.counts.visited = Math.max(this.counts.visited, 1) + 1;
  }

  startPath() {
    for (const node of this.path) this.touch(node);
    this.path = [0];
    this.counts.visited = Math.max(this.counts.visited, 1);
  }

  onplayout() {
    this.counts.playouts += 1;
  }

  /** @param {SearchStep} options */
  onbackup({ counts }) {
    for (const { node, visits, reward } of counts) {
      this.visits[node] = visits;
      this.reward[node] = reward;
      this.touch(node);
    }
  }

  /** @param {SearchStep} options */
  onproof({ proofs }) {
    for (const { node, margin } of proofs) {
      this.proof[node] = margin;
      this.touch(node);
    }
  }

  /** The principal variation as it is known now. */
  line() {
    const nodes = [0];
    while (this.best[last(nodes)] >= 0) nodes.push(this.best[last(nodes)]);
    return nodes;
  }
}
