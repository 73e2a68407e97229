// "See the search think": a tree that is searched step by step, or two of them side by side.

import { api, statusOf, told } from "./api.js";
import { badLink } from "./bad_link.js";
import { download, h, last, replace } from "./dom.js";
import { icon } from "./play_icons.js";
import { problemOf } from "./play_positions.js";
import { named } from "./scores.js";
import { treeList } from "./think_list.js";
import { Panel } from "./think_panel.js";
import { Player } from "./think_player.js";
import { Replay } from "./think_replay.js";
import { Setup, examplesOf } from "./think_setup.js";
import { Reader } from "./think_values.js";
import { TreeView } from "./tree.js";
import { number, t } from "./words.js";

const WAIT = 250; // milliseconds before a wait is shown

/** @type {Show} */
export const show = async (container, params, context) => {
  const problem = await problemOf(params);
  if (problem) return badLink(container, "think", params, problem, context);
  const page = new ThinkPage(container, params, context);
  await page.load();
  return { close: () => page.close(), keys: page.player.keys };
};

/** @param {Params} params @param {Catalogue} catalogue */
function readChoice(params, catalogue) {
  const example = /** @type {Partial<ExampleInfo>} */ (params.game ? {} : examplesOf(catalogue)[0]);
  /** @param {string | undefined} text @param {number} fallback */
  const whole = (text, fallback) => (/^\d+$/.test(text ?? "") ? Number(text) : fallback);
  const algorithms = /** @type {const} */ (["minimax", "alphabeta", "mcts", "compare"]);
  return {
    game: params.game || example.game || "",
    start: params.start || null,
    moves: params.moves ?? example.moves ?? "",
    algorithm: algorithms.find((name) => name === params.algorithm) ?? "alphabeta",
    depth: whole(params.depth, example.depth ?? 3),
    iterations: whole(params.iterations, 30),
    heuristic: params.heuristic || "auto",
    exploration: Number(params.exploration ?? 1) || 1,
    seed: whole(params.seed, 1),
  };
}

class ThinkPage {
  /** @type {Panel | null} */ panel;
  /** @type {HTMLElement | null} */ summary;

  /** @param {HTMLElement} container @param {Params} params @param {Context} context */
  constructor(container, params, context) {
    this.context = context;
    this.choice = readChoice(params, context.catalogue);
    this.book = localStorage.getItem("mnkala.think_view") !== "negamax";
    this.turn = 0;
    context.title?.(t("think.title"));
    const head = h(
      "div.think-head",
      h("h1", t("think.title")),
      h("p.soft", t("think.about"), " ", h("a", { href: "#/learn" }, t("think.learn_link"))),
    );
    this.trees = h("div.trees");
    this.side = h("div.think-side");
    this.problem = h("p.error.think-problem#think-problem", { role: "alert", hidden: true });
    this.foot = h("div.think-foot");
    this.listPlace = h("div.think-list");
    container.append(head);
    this.setup = new Setup(
      container,
      this.choice,
      context.catalogue,
      () => this.changed(),
      context.notify,
    );
    head.append(this.setup.positionButton);
    this.stage = h("div.think-stage", this.trees, this.side);
    container.append(this.problem, this.stage, this.foot);
    this.player = new Player(this.foot, { onGo: (index) => this.go(index) });
    container.append(this.extras(), this.listPlace);
    this.players = /** @type {Walker[]} */ ([]);
  }

  extras() {
    /** @param {boolean} book @param {string} key */
    const view = (book, key) =>
      h(
        "label",
        h("input", {
          type: "radio",
          name: "think-view",
          id: book ? "view-book" : "view-negamax",
          checked: this.book === book,
          onchange: () => this.setBook(book),
        }),
        h("span", t(key)),
      );
    /** @param {TraceExport["format"]} format */
    const save = (format) =>
      h(
        "button",
        { id: `export-${format}`, onclick: () => this.save(format) },
        icon("download"),
        h("span", format.toUpperCase()),
      );
    return h(
      "div.think-extras",
      h(
        "fieldset.choice.view-choice",
        h("legend", t("think.view")),
        h("div.segments", view(true, "think.view_book"), view(false, "think.view_negamax")),
      ),
      h(
        "div.exports",
        { role: "group", "aria-label": t("think.export") },
        h("span.help", t("think.export")),
        save("svg"),
        save("dot"),
        save("json"),
      ),
    );
  }

  changed() {
    const { choice } = this;
    const measures =
      choice.algorithm === "mcts"
        ? { iterations: choice.iterations, exploration: choice.exploration, seed: choice.seed }
        : { depth: choice.depth, heuristic: choice.heuristic };
    const query = new URLSearchParams(
      /** @type {Record<string, string>} */ (
        /** @type {unknown} */ ({
          game: choice.game,
          ...(choice.start ? { start: choice.start } : {}),
          moves: choice.moves,
          algorithm: choice.algorithm,
          ...measures,
        })
      ),
    );
    history.replaceState(null, "", `#/think?${query.toString().replace(/\+/g, "%20")}`);
    return this.load();
  }

  /** @param {TraceRequest["algorithm"]} algorithm */
  request(algorithm) {
    const { choice } = this;
    const where = { game: choice.game, start: choice.start, moves: choice.moves, algorithm };
    return algorithm === "mcts"
      ? {
          ...where,
          iterations: choice.iterations,
          exploration: choice.exploration,
          seed: choice.seed,
        }
      : { ...where, depth: choice.depth, heuristic: choice.heuristic };
  }

  async load() {
    this.turn += 1;
    const mine = this.turn;
    this.player.pause();
    /** @type {TraceRequest["algorithm"][]} */
    const wanted =
      this.choice.algorithm === "compare" ? ["minimax", "alphabeta"] : [this.choice.algorithm];
    const waiting = setTimeout(() => this.stage.classList.add("waiting"), WAIT);
    try {
      const trees = await Promise.all(
        wanted.map((algorithm) => api.post("think", this.request(algorithm))),
      );
      if (mine === this.turn) this.present(/** @type {SearchTree[]} */ (trees));
    } catch (error) {
      if (mine === this.turn) this.refuse(error);
    } finally {
      clearTimeout(waiting);
      if (mine === this.turn) this.stage.classList.remove("waiting");
    }
  }

  /** @param {unknown} error */
  refuse(error) {
    this.problem.textContent = told(error);
    this.problem.hidden = false;
    this.stage.classList.add("stale");
    if (statusOf(error) === undefined) console.error(error);
  }

  /** @param {SearchTree[]} trees */
  present(trees) {
    this.problem.hidden = true;
    this.stage.classList.remove("stale");
    this.closeTrees();
    const compare = trees.length === 2;
    this.stage.classList.toggle("compare", compare);
    this.players = trees.map((tree) => {
      const head = compare ? h("div.tree-head") : null;
      const holder = h("section.tree-holder", { "aria-label": t(`think.${tree.algorithm}`) }, head);
      this.trees.append(holder);
      return /** @type {Walker} */ ({ tree, replay: new Replay(tree), head, holder });
    });
    replace(this.side);
    this.panel = compare ? null : new Panel(this.side);
    this.panel?.load(trees[0], this.players[0].replay, this.book);
    this.summary = compare ? h("div.panel.compare-summary", { "aria-live": "polite" }) : null;
    if (this.summary) {
      this.side.append(this.summary);
      this.compare();
    }
    for (const player of this.players) this.draw(player, compare && innerWidth > 1020); // last, when everything else has taken its room
    replace(this.listPlace, treeList(last(trees), this.book));
    const longest = this.players.reduce((a, b) => (a.replay.length >= b.replay.length ? a : b));
    this.player.load(longest.replay.length, longest.replay.milestones);
  }

  /** @param {Walker} player @param {boolean} whole */
  draw(player, whole) {
    const { tree, replay, holder } = player;
    player.view = new TreeView(holder, {
      onPick: (node) => this.pick(player.view, node),
      label: t("think.tree_label", {
        algorithm: t(`think.${tree.algorithm}`),
        nodes: number(tree.nodes),
      }),
      whole,
    });
    player.view.load(tree, replay, { book: this.book });
  }

  /** @param {number} index */
  go(index) {
    for (const { replay, view } of this.players) {
      replay.go(index);
      view.show();
    }
    this.panel?.show(this.player.playing);
    if (this.summary) this.compare();
  }

  /** Minimax and alpha-beta, one step each at a time: who has visited how much. */
  compare() {
    const most = this.players[0].tree.nodes;
    for (const { tree, replay, head } of this.players) {
      const { visited } = replay.counts;
      const bar = h("span", {
        class: `race-bar ${tree.algorithm}`,
        css: { width: `${(100 * visited) / most}%` },
      });
      if (head)
        replace(
          head,
          h("strong", t(`think.${tree.algorithm}`)),
          h("span.race", bar),
          h(
            "span.race-count",
            {
              id: `think-nodes-${tree.algorithm}`,
              "data-nodes": String(visited),
              "data-total": String(tree.nodes),
            },
            t("think.nodes", { nodes: number(visited) }),
          ),
          replay.index === replay.length ? h("span.race-done", t("think.done")) : null,
        );
    }
    const [full, pruned] = this.players;
    const reader = new Reader(full.tree, this.book);
    const value = reader.long(full.tree.nodes_list[0], full.tree.value ?? 0);
    const same = full.tree.value === pruned.tree.value && full.tree.best === pruned.tree.best;
    const parts = {
      visited: number(pruned.tree.nodes),
      all: number(full.tree.nodes),
      part: number((100 * pruned.tree.nodes) / full.tree.nodes),
      move: named([full.tree.best], full.tree),
      value,
    };
    const [key, place] =
      pruned.replay.index < pruned.replay.length
        ? ["think.race_on", pruned.replay.counts]
        : [same ? "think.race_over" : "think.race_differs", pruned.replay.counts];
    if (this.summary)
      replace(
        this.summary,
        h(
          "p#compare-sentence",
          t(key, {
            ...parts,
            cut: number(place.cutMoves),
            sofar: number(place.visited),
            other: number(full.replay.counts.visited),
          }),
        ),
      );
  }

  /** @param {TreeView} view @param {SearchNode} node */
  pick(view, node) {
    const { steps } = view.tree;
    const index = steps.findIndex((step) =>
      node.kind === "cut"
        ? step.skipped?.includes(node.id)
        : step.event === "expand"
          ? step.child === node.id
          : step.event === "enter" && step.node === node.id,
    );
    if (index >= 0) this.player.jump(index + 1);
    else if (node.id === 0) this.player.jump(0);
  }

  /** @param {boolean} book */
  setBook(book) {
    this.book = book;
    localStorage.setItem("mnkala.think_view", book ? "book" : "negamax");
    for (const { view } of this.players) view.setBook(book);
    if (this.panel) {
      this.panel.setBook(book);
      this.panel.show();
    } else if (this.players.length) this.compare();
    if (this.players.length) replace(this.listPlace, treeList(last(this.players).tree, book));
  }

  /** @param {TraceExport["format"]} format */
  async save(format) {
    const algorithm = this.choice.algorithm === "compare" ? "alphabeta" : this.choice.algorithm;
    try {
      download(
        await api.file("think/export", { ...this.request(algorithm), format }),
        `${this.choice.game.replace(/\W+/g, "-")}-${algorithm}.${format}`,
      );
    } catch (error) {
      this.context.notify(error);
    }
  }

  closeTrees() {
    for (const { view } of this.players) view.close();
    this.players = [];
    replace(this.trees);
  }

  close() {
    this.turn += 1;
    this.player.close();
    this.closeTrees();
    this.setup.close();
  }
}
