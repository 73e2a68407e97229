// Beside the tree: the step in a sentence, what was counted so far, the position, and the way from the root: windows that narrow, or
// the choices of a Monte-Carlo search.

import { miniature } from "./board.js";
import { h, replace, s } from "./dom.js";
import { sentence } from "./think_sentences.js";
import { boardView, ranker, Reader } from "./think_values.js";
import { number, t } from "./words.js";

const PHASES = ["select", "expand", "playout", "backup"];
const BADGES = {
  enter: "→",
  value: "↑",
  update: "★",
  cut: "✂",
  select: "↓",
  expand: "+",
  playout: "⚂",
  backup: "↑",
  proof: "✓",
};

export class Panel {
  /** @type {SearchTree} */ tree;
  /** @type {Replay} */ replay;
  /** @type {Reader} */ reader;
  /** @type {(value: number) => number} */ rank;
  /** @type {boolean} */ growing;

  /** @param {HTMLElement} container */
  constructor(container) {
    this.badge = h("span.step-badge", { "aria-hidden": "true" });
    this.sentence = h("p.step-sentence#step-sentence", { "aria-live": "polite" });
    this.counts = h("dl.step-counts");
    this.phases = h("ol.phases");
    this.board = h("div.step-board");
    this.detail = h("div.step-detail");
    this.element = h(
      "div.step-panel",
      h(
        "div.panel.step-says",
        h("div.step-line", this.badge, this.sentence),
        this.phases,
        this.counts,
      ),
      h("div.panel.step-where", this.board, this.detail),
    );
    container.append(this.element);
  }

  /** @param {SearchTree} tree @param {Replay} replay @param {boolean} book */
  load(tree, replay, book) {
    this.tree = tree;
    this.replay = replay;
    this.setBook(book);
    this.rank = ranker(tree);
    this.growing = tree.algorithm === "mcts";
    this.phases.hidden = !this.growing;
    if (this.growing)
      replace(
        this.phases,
        PHASES.map((phase) =>
          h("li", { class: `phase ${phase}`, "data-phase": phase }, t(`think.phase_${phase}`)),
        ),
      );
  }

  /** @param {boolean} book */
  setBook(book) {
    this.reader = new Reader(this.tree, book);
  }

  /** `quiet`: while playing, screen readers are spared every step. */
  show(quiet = false) {
    const { step } = this.replay;
    this.sentence.setAttribute("aria-live", quiet ? "off" : "polite");
    this.sentence.textContent = sentence(this.replay, this.reader);
    this.badge.textContent = step ? BADGES[step.event] : "•";
    this.badge.className = `step-badge ${step?.event ?? "none"}`;
    for (const item of this.phases.querySelectorAll("li"))
      item.classList.toggle(
        "on",
        item.dataset.phase === (step?.event === "proof" ? "backup" : step?.event),
      );
    this.showCounts();
    this.showBoard(step);
    replace(this.detail, this.growing ? this.choices(step) : this.path());
  }

  showCounts() {
    const { counts } = this.replay;
    const { tree } = this;
    const nodes = [counts.visited, tree.nodes, "think-nodes"];
    const rows = /** @type {[string, number, number, string][]} */ (
      this.growing
        ? [
            ["think.count_iterations", counts.playouts, tree.evaluations, "think-playouts"],
            ["think.count_nodes", ...nodes],
          ]
        : [
            ["think.count_visited", ...nodes],
            ["think.count_evaluations", counts.evaluations, tree.evaluations, "think-evaluations"],
            ...(tree.algorithm === "alphabeta"
              ? [["think.count_cut", counts.cutMoves, tree.cut_moves, "think-cut"]]
              : []),
          ]
    );
    replace(
      this.counts,
      rows.map(([key, value, total, id]) =>
        h(
          "div",
          h("dt", t(key)),
          h(
            "dd",
            { id, "data-nodes": String(value), "data-total": String(total) },
            number(value),
            h("small", ` / ${number(total)}`),
          ),
        ),
      ),
    );
  }

  /** @param {SearchStep | null} step */
  showBoard(step) {
    const { tree } = this;
    const place = step
      ? step.event === "select" || step.event === "expand"
        ? step.child
        : step.node
      : 0;
    const node = tree.nodes_list[place];
    const playout = step?.event === "playout" && step.board;
    const moves = this.reader.moves(node).join(" ");
    const caption = playout ? t("think.playout_board") : moves || t("think.root");
    replace(
      this.board,
      miniature(boardView(tree, playout || node.board)),
      h("p.step-caption", caption),
    );
  }

  /** The nodes from the root to here, each with its window. */
  path() {
    const { tree, replay, reader } = this;
    const windows = tree.algorithm === "alphabeta";
    const { step } = replay;
    const ids =
      step?.event === "value" && step.node !== 0 ? [...replay.path, step.node] : [...replay.path];
    if (!ids.length) return step ? this.ending() : h("p.help", t("think.path_empty"));
    return [
      h("h3", t(windows ? "think.windows" : "think.path")),
      h(
        "ol.path",
        ids.map((id) => this.pathRow(tree.nodes_list[id], id === step?.node, windows, reader)),
      ),
    ];
  }

  /** @param {SearchNode} node @param {boolean} current @param {boolean} windows @param {Reader} reader */
  pathRow(node, current, windows, reader) {
    const { replay } = this;
    const value = replay.value[node.id];
    const best = Number.isNaN(value) ? "–" : reader.short(reader.value(node, value));
    const triangle = s(
      "svg",
      {
        class: `path-mark ${node.mover ? "second" : "first"}`,
        viewBox: "-13 -2 26 25",
        "aria-hidden": "true",
      },
      node.kind === "inner"
        ? s("path", { d: reader.isMax(node) ? "M0 0 12 21H-12Z" : "M0 21 12 0H-12Z" })
        : s("rect", { x: -11, y: 1, width: 22, height: 20, rx: node.kind === "end" ? 4 : 10 }),
    );
    const row = [triangle, h("span.path-move", node.move ?? t("think.root"))];
    if (windows && !Number.isNaN(replay.alpha[node.id])) row.push(this.windowOf(node, reader));
    row.push(h("span.path-best", { title: t("think.best_so_far") }, best));
    return h(
      "li",
      { class: current ? "current" : null, "aria-current": current ? "step" : null },
      row,
    );
  }

  /** A window as an interval on the line of all values; the best so far is a tick on it. @param {SearchNode} node @param {Reader} reader */
  windowOf(node, reader) {
    const { replay } = this;
    const [alpha, beta] = reader.window(node, replay.alpha[node.id], replay.beta[node.id]);
    const [from, to] = [this.rank(alpha), this.rank(beta)];
    const value = replay.value[node.id];
    const parts = [
      s("rect.window-track", { x: 0, y: 8, width: 100, height: 6, rx: 3 }),
      alpha < beta
        ? s("rect.window-open", {
            x: 100 * from,
            y: 8,
            width: Math.max(1.5, 100 * (to - from)),
            height: 6,
            rx: 3,
          })
        : s("path.window-closed", { d: `M${100 * from - 3} 8l6 6m0-6l-6 6` }),
    ];
    if (!Number.isNaN(value))
      parts.push(
        s("path.window-best", {
          d: `M${(100 * this.rank(reader.value(node, value))).toFixed(1)} 5v12`,
        }),
      );
    return h(
      "span",
      { class: `path-window${alpha < beta ? "" : " closed"}` },
      h("span.path-bound", reader.short(alpha)),
      s(
        "svg",
        { viewBox: "0 0 100 22", preserveAspectRatio: "none", "aria-hidden": "true" },
        parts,
      ),
      h("span.path-bound", reader.short(beta)),
    );
  }

  ending() {
    const { tree, reader } = this;
    const root = tree.nodes_list[0];
    return [
      h("h3", t("think.line")),
      h("p.ending", h("strong", tree.line.join(" ")), `: ${reader.long(root, tree.value ?? 0)}`),
    ];
  }

  /** The children between which selection chooses, with their upper bounds; at other times those of the root. @param {SearchStep | null} step */
  choices(step) {
    const { tree, replay } = this;
    if (!step) return h("p.help", t("think.choices_empty"));
    const chosen = step.event === "select" ? step : null;
    /** @type {Choice[]} */
    const below = chosen
      ? chosen.choices
      : tree.nodes_list
          .filter((node) => node.parent === 0 && replay.status[node.id])
          .map(({ id }) => ({
            node: id,
            visits: replay.visits[id],
            share: replay.visits[id] ? replay.reward[id] / replay.visits[id] : 0,
          }));
    const most = Math.max(1, ...below.map(({ bound, share }) => bound ?? share));
    const rows = [...below]
      .sort((a, b) =>
        a.node === chosen?.child
          ? -1
          : b.node === chosen?.child
            ? 1
            : (b.bound ?? b.share) - (a.bound ?? a.share),
      )
      .slice(0, 9)
      .map((choice) => {
        const node = tree.nodes_list[choice.node];
        const bar = s(
          "svg",
          {
            class: `ucb ${node.player ? "second" : "first"}`,
            viewBox: "0 0 100 14",
            preserveAspectRatio: "none",
            "aria-hidden": "true",
          },
          s("rect.ucb-share", { width: (100 * choice.share) / most, height: 14, rx: 2 }),
          choice.bound === undefined
            ? null
            : s("rect.ucb-bonus", {
                x: (100 * choice.share) / most,
                width: (100 * (choice.bound - choice.share)) / most,
                height: 14,
                rx: 2,
              }),
        );
        return h(
          "tr",
          { class: choice.node === chosen?.child ? "current" : null },
          h("th", { scope: "row" }, node.move),
          h("td", bar),
          h("td", number(choice.share * 100), "%"),
          h("td", number(choice.visits)),
          h(
            "td",
            choice.bound === undefined
              ? chosen
                ? t("think.proved")
                : ""
              : number(choice.bound, 2),
          ),
        );
      });
    return [
      h("h3", t(chosen ? "think.choices" : "think.root_moves")),
      h(
        "table.choices",
        h(
          "thead",
          h(
            "tr",
            [t("think.move"), "", t("think.share"), t("think.visits"), chosen ? "UCB1" : ""].map(
              (text) => h("th", { scope: "col" }, text),
            ),
          ),
        ),
        h("tbody", rows),
      ),
      chosen ? h("p.help", t("think.choices_help")) : null,
    ];
  }
}
