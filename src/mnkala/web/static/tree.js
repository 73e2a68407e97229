// The tree of a search as a drawing that follows a replay: nodes in their places from the start, brought out as the search comes to
// them. Only nodes that a step touched are changed, so that thousands of nodes stay quick.

import { miniature } from "./board.js";
import { around, h, replace, s } from "./dom.js";
import { icon } from "./play_icons.js";
import { Camera, Culling } from "./think_camera.js";
import { openSigns } from "./think_legend.js";
import { NodePainter } from "./think_nodes.js";
import { DONE, OPEN, UNSEEN } from "./think_replay.js";
import { boardView, ranker, Reader } from "./think_values.js";
import { t } from "./words.js";

const READABLE = 0.42; // below this scale texts are hidden
const FITTING = 0.56; // a tree that needs a smaller scale than this to be seen as a whole is shown in parts
const CLOSE = 0.8; // the scale of such parts
const [NARROW, LOW] = [700, 420]; // pixels: on a smaller stage, a phone's, letters are never smaller than
const LEGIBLE = 12;
const STRETCH = 2.3; // how far a level may be stretched to fill the stage
const STRETCH_WHOLE = 3.4; // the same for a tree that is always seen as a whole
const LARGEST = 1.8; // small trees do not grow beyond this

export class TreeView {
  /** @type {SearchTree} */ tree;
  /** @type {Replay} */ replay;
  /** @type {boolean} */ book;
  /** @type {boolean} */ boards;
  /** @type {boolean} */ mayHaveBoards;
  /** @type {Set<number> | null} */ concealed;
  /** @type {boolean} */ following;
  /** @type {Places} */ place;
  /** @type {boolean} */ placed;
  /** @type {number} */ current;
  /** @type {number} */ fitScale;
  /** @type {Reader} */ reader;
  /** @type {(value: number) => number} */ rank;
  /** @type {NodePainter} */ painter;
  /** @type {NodeParts[]} */ parts;
  /** @type {({ group: SVGElement, d: string } | null)[]} */ edges;
  /** @type {string[]} */ edgeClasses;
  /** @type {Set<number>} */ drawn;
  /** @type {Culling} */ culling;
  /** @type {SVGElement} */ activeEdges;
  /** @type {HTMLElement} */ followButton;
  /** @type {HTMLElement} */ boardsButton;

  /** @param {HTMLElement} container @param {{ onPick?: (node: SearchNode) => void, label?: string, tools?: boolean, whole?: boolean }} [options] */
  constructor(container, { onPick = () => {}, label = "", tools = true, whole = false } = {}) {
    this.onPick = onPick;
    this.whole = whole; // whether the tree is shown as a whole, however small
    this.layer = s("g.tree-layer");
    this.svg = s("svg.tree", { role: "img", "aria-label": label }, this.layer);
    this.tip = h("div.tree-tip", { hidden: true });
    this.stage = h("div.tree-stage", this.svg, this.tip, tools ? this.makeTools() : null);
    container.append(this.stage);
    this.camera = new Camera(this.stage, this.layer, (scale) => this.moved(scale));
    this.camera.byHand = () => {
      this.following = false;
      this.followButton?.setAttribute("aria-pressed", "false");
    };
    this.setFollowing(!whole);
    this.svg.addEventListener("pointerover", (event) => this.hovered(event));
    this.svg.addEventListener("pointerleave", () => {
      this.tip.hidden = true;
    });
    this.svg.addEventListener("click", (event) => this.clicked(event));
    this.watcher = new ResizeObserver(() => {
      this.camera.measure();
      if (this.tree && !this.placed) this.fit();
    });
    this.watcher.observe(this.stage);
  }

  makeTools() {
    /** @param {string} text @param {Child} content @param {() => void} action @param {string} id */
    const button = (text, content, action, id) =>
      h(
        "button.icon",
        { "data-tool": id, title: text, "aria-label": text, onclick: action },
        content,
      );
    this.followButton = button(
      t("think.follow"),
      icon("target"),
      () => this.setFollowing(!this.following),
      "follow",
    );
    this.followButton.setAttribute("aria-pressed", "true");
    this.boardsButton = button(
      t("think.boards"),
      icon("grid"),
      () => this.setBoards(!this.boards),
      "boards",
    );
    const signs = button(t("signs.title"), "?", () => openSigns(this.tree.algorithm), "signs");
    return h(
      "div.tree-tools",
      button(t("think.zoom_in"), "+", () => this.camera.zoom(1.3), "in"),
      button(t("think.zoom_out"), "−", () => this.camera.zoom(1 / 1.3), "out"),
      button(t("think.fit"), icon("fit"), () => this.fit(true), "fit"),
      this.followButton,
      this.boardsButton,
      signs,
    );
  }

  /**
   * Show a tree and follow a replay of it.
   * @param {SearchTree} tree @param {Replay} replay
   * @param {{ book?: boolean, boards?: boolean | null }} [options]
   */
  load(tree, replay, { book = true, boards = null } = {}) {
    this.tree = tree;
    this.replay = replay;
    this.book = book;
    this.mayHaveBoards = tree.places.length > 1;
    this.boards = this.mayHaveBoards && (boards ?? this.tree.nodes_list.length <= 40);
    if (this.boardsButton) this.boardsButton.hidden = !this.mayHaveBoards;
    this.build();
  }

  /** The smallest scale at which a tree is shown as a whole without being asked to, and the scale of its parts otherwise. */
  get scales() {
    if (this.camera.width > NARROW && this.camera.height > LOW) return [FITTING, CLOSE];
    const legible = LEGIBLE / (this.boards ? 13 : 12); // the smallest letters of think.css
    return [legible, legible];
  }

  /**
   * Keep an answer back: these nodes show no value and no best move, and neither cuts nor the best line are drawn. Null shows all.
   * @param {number[] | null} nodes
   */
  conceal(nodes) {
    this.concealed = nodes && new Set(nodes);
    if (this.replay) this.show(true);
  }

  /** @param {boolean} on */
  setBoards(on) {
    this.boards = on && this.mayHaveBoards;
    this.build();
  }

  /** @param {boolean} book */
  setBook(book) {
    this.book = book;
    this.build(true);
  }

  /** @param {boolean} on */
  setFollowing(on) {
    this.following = on;
    this.followButton?.setAttribute("aria-pressed", String(on));
    if (on && this.placed) this.bringClose();
  }

  /** To follow a large tree, texts must be readable. */
  bringClose() {
    const [fitting, close] = this.scales;
    if (this.camera.scale < fitting && this.fitScale < fitting)
      this.camera.set(
        this.camera.width / 2 - this.place.x[this.current] * close,
        this.camera.height / 2 - this.place.y[this.current] * close,
        close,
      );
    this.follow();
  }

  build(stay = false) {
    const { tree } = this;
    const nodes = tree.nodes_list;
    this.camera.measure();
    this.boardsButton?.setAttribute("aria-pressed", String(this.boards));
    this.reader = new Reader(tree, this.book);
    this.rank = ranker(tree);
    this.painter = new NodePainter(tree, this.reader, this.boards);
    this.place = this.arrange(tree.places[Number(this.boards)]);
    const stacked = new Set(this.place.stacked);
    const [edges, marks] = [s("g.edges"), s("g.nodes")];
    this.parts = nodes.map((node) =>
      this.painter.make(node, this.place.x[node.id], this.place.y[node.id], stacked.has(node.id)),
    );
    this.edges = nodes.map((node) =>
      node.parent === null ? null : this.makeEdge(node, stacked.has(node.id)),
    );
    edges.append(...this.edges.flatMap((edge) => (edge ? [edge.group] : [])));
    marks.append(...this.parts.map(({ group }) => group));
    this.activeEdges = s("g.active-edges");
    replace(this.layer, edges, this.activeEdges, marks);
    this.drawn = new Set();
    this.edgeClasses = new Array(nodes.length);
    this.culling = new Culling(this.place.x, (id, hidden) => {
      this.parts[id].group.style.display = hidden ? "none" : "";
      const edge = this.edges[id];
      if (edge && nodes[id].ply > 2) edge.group.style.display = hidden ? "none" : "";
    });
    this.show(true);
    if (!stay || !this.placed) this.fit();
    else this.moved(this.camera.scale);
  }

  /** The camera has moved: texts too small to be read and nodes out of sight are left out. @param {number} scale */
  moved(scale) {
    this.svg.classList.toggle("far", scale < READABLE);
    this.culling?.show(-this.camera.x / scale, (this.camera.width - this.camera.x) / scale, scale);
  }

  /** The places of the nodes; a wide tree gets higher levels, so that it fills the stage. @param {Places} given */
  arrange(given) {
    const plies = this.tree.nodes_list.map(({ ply }) => ply);
    const deepest = Math.max(...plies);
    const across = Math.min(LARGEST, (this.camera.width - 24) / given.width);
    const [fitting, close] = this.scales;
    const spare =
      (this.camera.height - 40) / (across < fitting && !this.whole ? close : across) - given.height;
    if (spare <= 0 || !deepest) return given;
    const more = Math.min(
      given.level * ((this.whole ? STRETCH_WHOLE : STRETCH) - 1),
      spare / deepest,
    );
    const y = given.y.map((at, id) => at + plies[id] * more);
    return {
      ...given,
      y,
      level: given.level + more,
      height: Math.max(...y.map((at, id) => at + given.heights[id])),
    };
  }

  /** @param {SearchNode} node @param {boolean} stacked */
  makeEdge(node, stacked) {
    const parent = this.tree.nodes_list[node.parent ?? 0];
    const [x1, y1, x2, y2] = [
      this.place.x[parent.id],
      this.place.y[parent.id] + this.painter.bottom(parent) + 3,
      this.place.x[node.id],
      this.place.y[node.id],
    ];
    let d;
    if (stacked)
      d = `M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${(node.ply * this.place.level).toFixed(1)}V${y2.toFixed(1)}`;
    else {
      const end = y2 - (node.kind === "cut" ? 4 : 15);
      const bend = (y1 + end) / 2;
      d = `M${x1.toFixed(1)} ${y1.toFixed(1)}C${x1.toFixed(1)} ${bend.toFixed(1)} ${x2.toFixed(1)} ${bend.toFixed(1)} ${x2.toFixed(1)} ${end.toFixed(1)}`;
    }
    const group = s("g.edge", s("path", { d }));
    const named =
      this.painter.growing || node.kind === "inner" || (this.boards && node.kind !== "cut");
    if (named)
      group.append(s("text.move-name", { x: x2.toFixed(1), y: (y2 - 4).toFixed(1) }, node.move));
    return { group, d };
  }

  /** Bring the drawing to where the replay stands. */
  show(everything = false) {
    const { replay } = this;
    const touched =
      everything || !replay.touched
        ? this.parts.map((_, id) => id)
        : new Set([...replay.touched, ...this.drawn]);
    const over = replay.index === replay.length;
    const finished = over && !this.concealed;
    const path = new Set(over && this.concealed ? [] : replay.path);
    const line = new Set(
      finished
        ? this.painter.growing
          ? this.tree.nodes_list.filter((node) => node.on_line).map(({ id }) => id)
          : replay.line()
        : [],
    );
    const step = replay.step;
    const current =
      over && this.concealed
        ? 0
        : step
          ? step.event === "select" || step.event === "expand"
            ? step.child
            : step.node
          : 0;
    const phase = step ? `phase-${step.event}` : "";
    for (const id of touched) {
      const node = this.tree.nodes_list[id];
      const parentBest =
        node.parent !== null &&
        replay.best[node.parent] === id &&
        !this.concealed?.has(node.parent);
      const gone = Boolean(this.concealed) && node.kind === "cut" && replay.status[id] === UNSEEN;
      this.painter.update(
        this.parts[id],
        node,
        replay,
        {
          path: path.has(id),
          current: id === current,
          line: line.has(id),
          best: parentBest,
          gone,
          veiled: this.concealed?.has(id),
        },
        this.rank,
      );
      this.updateEdge(id, replay.status[id], line.has(id), parentBest, gone);
    }
    this.svg.setAttribute(
      "class",
      `tree ${this.svg.classList.contains("far") ? "far" : ""} ${this.painter.growing ? "mcts" : ""} ${this.boards ? "with-boards" : ""} ${phase} ${finished ? "finished" : ""}`,
    );
    const lit =
      this.painter.growing && step?.event === "backup"
        ? step.counts.map(({ node }) => node)
        : [...path, ...(step?.event === "cut" ? [] : [current])];
    replace(
      this.activeEdges,
      over
        ? []
        : [...new Set(lit)].map((id) => this.edges[id] && s("path", { d: this.edges[id]?.d })),
    );
    this.drawn = new Set([...path, current, ...line]);
    this.current = current;
    if (this.following) this.follow();
  }

  /** @param {number} id @param {number} status @param {boolean} onLine @param {boolean} best @param {boolean} gone */
  updateEdge(id, status, onLine, best, gone) {
    const edge = this.edges[id];
    if (!edge) return;
    const state =
      status === UNSEEN ? "unseen" : status === OPEN ? "open" : status === DONE ? "done" : "cut";
    const classes = `edge ${state}${onLine ? " line" : ""}${best ? " best" : ""}${gone ? " gone" : ""}`;
    if (this.edgeClasses[id] === classes) return;
    this.edgeClasses[id] = classes;
    edge.group.setAttribute("class", classes);
  }

  follow() {
    if (
      !this.placed ||
      (this.camera.scale >= this.fitScale * 0.98 && this.fitScale >= this.scales[0])
    )
      return;
    const [id, parent] = [this.current, this.tree.nodes_list[this.current].parent ?? this.current];
    const { x, y, widths, heights, board } = this.place;
    /** @param {number} node */
    const half = (node) => Math.max(widths[node], board[0]) / 2;
    /** @param {number} node */
    const box = (node) => [
      x[node] - half(node),
      y[node],
      x[node] + half(node),
      y[node] + heights[node],
    ];
    const [a, b] = [box(id), box(parent)];
    const both = [
      Math.min(a[0], b[0]),
      Math.min(a[1], b[1]),
      Math.max(a[2], b[2]),
      Math.max(a[3], b[3]),
    ];
    const [left, top, right, bottom] =
      (both[2] - both[0]) * this.camera.scale < this.camera.width - 90 ? both : a;
    this.camera.reveal(left, top, right, bottom);
  }

  /** See the whole tree; a tree too large to be read is shown from its root at a size that can be read, unless asked for as a whole. */
  fit(whole = false) {
    this.camera.measure();
    if (this.camera.width < 2 || !this.place) return;
    const [x, y, scale] = this.camera.fitting(this.place.width, this.place.height, LARGEST);
    this.fitScale = scale;
    this.placed = true;
    const [fitting, close] = this.scales;
    if (whole || this.whole || scale >= fitting) {
      if (whole) this.camera.glide(x, y, scale);
      else this.camera.set(x, y, scale);
      return;
    }
    this.camera.set(this.camera.width / 2 - this.place.x[this.current ?? 0] * close, 22, close);
    this.follow();
  }

  /** Mark a node as the right or a wrong answer, until the next step. @param {number} id @param {string} kind */
  mark(id, kind) {
    for (const { group } of this.parts) group.classList.remove("right", "wrong");
    this.parts[id].group.classList.add(kind);
    this.parts[id].classes = null;
  }

  /** @param {Event} event */
  nodeOf(event) {
    const found = around(event, "[data-node]");
    return found ? this.tree.nodes_list[Number(found.dataset.node)] : null;
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    if (this.camera.moved) return;
    const node = this.nodeOf(event);
    if (node) this.onPick(node);
  }

  /** @param {PointerEvent} event */
  hovered(event) {
    const node = event.pointerType === "touch" ? null : this.nodeOf(event);
    if (!node || (this.painter.growing && this.replay.status[node.id] === UNSEEN)) {
      this.tip.hidden = true;
      return;
    }
    replace(this.tip, this.describe(node));
    this.tip.hidden = false;
    const [box, stage] = [
      /** @type {Element} */ (around(event, "[data-node]")).getBoundingClientRect(),
      this.stage.getBoundingClientRect(),
    ];
    const below = box.bottom - stage.top + 8;
    const high = this.tip.offsetHeight;
    this.tip.style.left = `${Math.max(6, Math.min(stage.width - this.tip.offsetWidth - 6, box.left - stage.left + box.width / 2 - this.tip.offsetWidth / 2))}px`;
    this.tip.style.top = `${below + high > stage.height ? Math.max(6, box.top - stage.top - high - 8) : below}px`;
  }

  /** What the card beside a node says. @param {SearchNode} node */
  describe(node) {
    const seen = this.replay.status[node.id];
    const head = h(
      "strong",
      node.parent === null
        ? t("think.root")
        : node.kind === "cut"
          ? node.cut_moves.join(" ")
          : this.reader.moves(node).join(" "),
    );
    if (node.kind === "cut") return [head, h("span", t("think.tip_cut"))];
    const rows = [];
    if (this.painter.growing)
      rows.push(
        t("think.tip_visits", {
          share: this.painter.share(this.replay.reward[node.id], this.replay.visits[node.id]),
          who: this.tree.players[node.player],
        }),
      );
    else if (seen === DONE)
      rows.push(
        `${node.kind === "leaf" ? t("think.tip_leaf") : node.kind === "end" ? t("think.tip_end") : this.reader.who(node)}: ${this.reader.returned(node)}${this.reader.plies(node)}`,
      );
    if (!this.painter.growing && seen !== UNSEEN && node.alpha !== undefined)
      rows.push(
        t("think.tip_window", {
          window: `(${this.reader
            .window(node, node.alpha, node.beta)
            .map((value) => this.reader.short(value))
            .join(", ")})`,
        }),
      );
    return [
      head,
      miniature(boardView(this.tree, node.board)),
      ...rows.map((row) => h("span", row)),
    ];
  }

  close() {
    this.camera.stop();
    this.watcher.disconnect();
    this.stage.remove();
  }
}
