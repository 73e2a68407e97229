// Guided tours of the searches: a paragraph, a live board or tree, sometimes a question. Arrow keys and dots lead through.

import { api } from "./api.js";
import { Board } from "./board.js";
import { h, part, replace, s } from "./dom.js";
import { icon } from "./play_icons.js";
import { toursOf } from "./learn_tours.js";
import { reportsButton } from "./rules.js";
import { Panel } from "./think_panel.js";
import { Player } from "./think_player.js";
import { Replay } from "./think_replay.js";
import { sentence } from "./think_sentences.js";
import { Reader } from "./think_values.js";
import { TreeView } from "./tree.js";
import { known, number, t } from "./words.js";

const DONE = "mnkala.learned";
const WHOLE = 110; // nodes of a tree that is shown as a whole on a wide screen
const learned = () => new Set((localStorage.getItem(DONE) || "").split(",").filter(Boolean));

/** @type {Show} */
export const show = async (container, params, context) => {
  const tours = toursOf(context.catalogue);
  const tour = tours.find(({ id }) => id === params.tour);
  if (!tour) {
    context.title?.(t("learn.title"));
    container.append(overview(tours));
    return { close() {} };
  }
  const page = new TourPage(container, tours, tour, context, Number(params.step) || 1);
  await page.go(page.index);
  return {
    close: () => page.close(),
    keys: { ArrowLeft: () => page.turn(-1), ArrowRight: () => page.turn(1) },
  };
};

/** @param {Tour[]} tours */
function overview(tours) {
  const done = learned();
  return h(
    "div.learn-home",
    h("h1", t("learn.title")),
    h("p.soft", t("learn.about")),
    h(
      "ol.tours",
      tours.map(({ id, steps }, i) =>
        h(
          "li",
          h(
            "a.tour-card",
            { href: `#/learn/${id}`, "data-tour": id },
            picture(id),
            h("span.tour-number", { "aria-hidden": "true" }, done.has(id) ? "✓" : String(i + 1)),
            h("strong", t(`learn.${id}.title`)),
            h("span.soft", t(`learn.${id}.about`)),
            h(
              "span.help",
              t("learn.steps", { count: steps.length }),
              done.has(id) ? ` · ${t("learn.done")}` : "",
            ),
          ),
        ),
      ),
    ),
    h(
      "p.controls",
      reportsButton(),
      h("a.button#to-studies", { href: "#/studies" }, t("study.to_studies")),
    ),
  );
}

/** A small drawing of what a tour is about: a whole tree, one with cuts, one that fades with its depth, one that leans. @param {string} tour */
function picture(tour) {
  const parts = { edges: /** @type {Child[]} */ ([]), nodes: /** @type {Child[]} */ ([]) };
  /** @param {number} x @param {number} y @param {number} spread @param {number} ply @param {boolean} kept */
  const grow = (x, y, spread, ply, kept) => {
    const side = ply % 2 ? "second" : "first";
    const radius = tour === "mcts" ? (kept ? 11 - 2.2 * ply : 4) : 7;
    const shape =
      tour === "mcts"
        ? s("circle", { cx: x, cy: y, r: radius, class: `${side}${kept ? " full" : ""}` })
        : s("path", {
            class: side,
            d: ply % 2 ? `M${x} ${y + 7}l8-13h-16Z` : `M${x} ${y - 7}l8 13h-16Z`,
          });
    if (tour === "depth" && ply) shape.style.opacity = String(1 - 0.28 * ply);
    parts.nodes.push(shape);
    if (ply === 2 || (tour === "mcts" && !kept && ply)) return;
    for (const way of [-1, 0, 1]) {
      const gone = tour === "alphabeta" && ply === 1 && !kept && way >= 0;
      const best = kept && way === 0;
      const [toX, toY] = [x + way * spread, y + 36];
      parts.edges.push(
        s("path", {
          class: gone ? "gone" : best && tour !== "depth" ? "way" : null,
          d: `M${x} ${y + 7}C${x} ${y + 20} ${toX} ${y + 16} ${toX} ${toY - (gone ? 8 : 7)}`,
        }),
      );
      if (!gone) grow(toX, toY, spread / 3, ply + 1, best);
    }
  };
  grow(150, 12, 96, 0, true);
  return s(
    "svg.tour-picture",
    { viewBox: "0 0 300 96", "aria-hidden": "true" },
    parts.edges,
    parts.nodes,
  );
}

/** Each tree is asked for once in a visit, one after the other: the server lets nobody wait for many answers at once. */
const trees = /** @type {Map<string, Promise<SearchTree>>} */ (new Map());
let lastAsked = /** @type {Promise<unknown>} */ (Promise.resolve());
/** @param {TraceRequest} request */
function fetchTree(request) {
  const key = JSON.stringify(request);
  if (!trees.has(key)) {
    const tree = lastAsked.then(
      async () => /** @type {SearchTree} */ (await api.post("think", request)),
    );
    lastAsked = tree.catch(() => trees.delete(key));
    trees.set(key, tree);
  }
  return /** @type {Promise<SearchTree>} */ (trees.get(key));
}

class TourPage {
  /** @type {TreeView | null} */ view;
  /** @type {Player | null} */ player;
  /** @type {Board | null} */ board;
  /** @type {(Question & { base: string }) | null} */ question;
  /** @type {HTMLElement} */ feedback;
  /** @type {HTMLElement} */ showButton;
  /** @type {() => void} */ say;

  /** @param {HTMLElement} container @param {Tour[]} tours @param {Tour} tour @param {Context} context @param {number} step */
  constructor(container, tours, tour, context, step) {
    this.tours = tours;
    this.tour = tour;
    this.context = context;
    this.index = Math.max(0, Math.min(tour.steps.length - 1, step - 1));
    this.turnNumber = 0;
    context.title?.(t(`learn.${tour.id}.title`));
    this.heading = h("h2.learn-heading", { tabindex: "-1" });
    this.text = h("div.learn-text");
    this.ask = h("div.learn-question", { hidden: true });
    this.bars = h("div.learn-bars", { hidden: true });
    this.dots = h("ol.dots-row");
    this.back = h(
      "button#learn-back",
      { onclick: () => this.turn(-1) },
      icon("back"),
      h("span", t("learn.back")),
    );
    this.next = h(
      "button.primary#learn-next",
      { onclick: () => this.turn(1) },
      h("span"),
      icon("forward"),
    );
    this.scene = h("div.learn-scene");
    container.append(
      h(
        "div.learn-top",
        h("a.soft", { href: "#/learn" }, t("learn.title")),
        h("span.soft", { "aria-hidden": "true" }, "›"),
        h("h1", t(`learn.${tour.id}.title`)),
      ),
      h(
        "div.learn-page",
        h(
          "div.panel.learn-words",
          this.heading,
          this.text,
          this.bars,
          this.ask,
          h("div.learn-nav", this.back, this.dots, this.next),
        ),
        this.scene,
      ),
    );
  }

  /** @param {number} by */
  turn(by) {
    if (this.index + by < 0) return;
    if (this.index + by >= this.tour.steps.length) this.finish();
    else this.go(this.index + by, true);
  }

  finish() {
    localStorage.setItem(DONE, [...learned().add(this.tour.id)].join(","));
    const following = this.tours[this.tours.indexOf(this.tour) + 1];
    this.context.navigate(following ? `#/learn/${following.id}` : "#/learn");
  }

  /** @param {number} index @param {boolean} [focus] */
  async go(index, focus = false) {
    this.turnNumber += 1;
    const mine = this.turnNumber;
    this.index = index;
    const { tour } = this;
    const step = tour.steps[index];
    const last = index === tour.steps.length - 1;
    history.replaceState(null, "", `#/learn/${tour.id}?step=${index + 1}`);
    this.back.disabled = index === 0;
    part(this.next, "span").textContent = t(
      last ? (this.tours.at(-1) === tour ? "learn.finish" : "learn.next_tour") : "learn.next",
    );
    replace(
      this.dots,
      tour.steps.map((each, i) =>
        h(
          "li",
          h("button.dot", {
            "aria-current": i === index ? "step" : null,
            "aria-label": t("learn.step", { step: i + 1, steps: tour.steps.length }),
            onclick: () => this.go(i, true),
          }),
        ),
      ),
    );
    try {
      const [tree, ...all] = await Promise.all([
        step.tree ? fetchTree(step.tree) : null,
        ...(step.bars || []).map(fetchTree),
      ]);
      if (mine !== this.turnNumber) return;
      this.closeScene();
      this.write(step, /** @type {SearchTree} */ (tree), all);
      await (tree ? this.showTree(step, tree) : this.showBoard(step));
      if (focus && mine === this.turnNumber) this.heading.focus({ preventScroll: false });
    } catch (error) {
      this.context.notify(error);
    }
  }

  /** @param {TourStep} step @param {SearchTree} tree @param {SearchTree[]} all */
  write(step, tree, all) {
    const base = `learn.${this.tour.id}.${step.id}`;
    const values = Object.fromEntries(
      Object.entries(step.values?.(tree, all) || {}).map(([name, value]) => [
        name,
        typeof value === "number" ? signless(value) : value,
      ]),
    );
    this.heading.textContent = t(`${base}.title`, values);
    const paragraphs = [
      t(`${base}.text`, values),
      known(`${base}.more`) ? t(`${base}.more`, values) : null,
    ].filter(Boolean);
    replace(
      this.text,
      paragraphs.map((text) => h("p", text)),
    );
    this.bars.hidden = !step.bars;
    if (step.bars) this.drawBars(all, step.names || all.map(({ algorithm }) => algorithm));
    this.ask.hidden = !step.question;
    if (step.question) this.drawQuestion(base, step.question, tree);
  }

  /** Nodes of several searches as bars. @param {SearchTree[]} all @param {string[]} names */
  drawBars(all, names) {
    const most = Math.max(...all.map(({ nodes }) => nodes));
    replace(
      this.bars,
      all.map((tree, i) => {
        const reader = new Reader(tree, true);
        return h(
          "div.learn-bar",
          h("span", t(`learn.bar_${names[i]}`)),
          h(
            "span.race",
            h("span", {
              class: `race-bar ${tree.algorithm}`,
              css: { width: `${(100 * tree.nodes) / most}%` },
            }),
          ),
          h("strong", t("think.nodes", { nodes: number(tree.nodes) })),
          h("span.soft", `${tree.best}: ${reader.short(tree.value ?? 0)}`),
        );
      }),
    );
  }

  /** @param {string} base @param {Question} question @param {SearchTree} tree */
  drawQuestion(base, question, tree) {
    this.feedback = h("p.learn-feedback#learn-feedback", { role: "status" });
    const buttons = question.choices
      ? h(
          "div.segments",
          question.choices.map((name) =>
            h(
              "button",
              { "data-answer": name, onclick: () => this.answer(base, name === question.right) },
              t(`learn.answer_${name}`),
            ),
          ),
        )
      : null;
    const among = question.among
      ? h(
          "div.segments.answers",
          question.among(tree).map((id) =>
            h(
              "button",
              {
                "data-answer": String(id),
                onclick: () => this.answer(base, Boolean(question.nodes?.(tree).includes(id)), id),
              },
              answerText(tree, id),
            ),
          ),
        )
      : null;
    this.showButton = h(
      "button.quiet#learn-show",
      { onclick: () => this.showAnswer(tree) },
      t("learn.show"),
    );
    replace(
      this.ask,
      h("p.learn-asks", t(`${base}.question`)),
      buttons,
      among,
      this.showButton,
      this.feedback,
    );
    this.question = { base, ...question };
  }

  /** The answer without an attempt. @param {SearchTree} tree */
  showAnswer(tree) {
    if (!this.question) return;
    const { base, moves, nodes } = this.question;
    if (moves) this.board?.show(this.board.view, { hint: moves[0] });
    this.answer(base, true, nodes ? nodes(tree)[0] : null);
  }

  /** From now on the tree shows everything. */
  reveal() {
    this.showButton.hidden = true;
    if (!this.view?.concealed) return;
    this.view.conceal(null);
    this.say();
  }

  /** @param {string} base @param {boolean} right @param {number | null} [node] */
  answer(base, right, node = null) {
    this.feedback.textContent = t(`${base}.${right ? "right" : "wrong"}`);
    this.feedback.className = `learn-feedback ${right ? "good" : "bad"}`;
    this.feedback.dataset.right = String(right);
    if (right) this.reveal();
    if (node !== null) this.view?.mark(node, right ? "right" : "wrong");
    if (right) this.next.focus({ preventScroll: true });
  }

  /** @param {TourStep} options */
  async showBoard({ board, question }) {
    const view = await api.post("look", { game: board?.game ?? "", moves: board?.moves });
    const holder = h("div.learn-board");
    replace(
      this.scene,
      holder,
      question
        ? null
        : h("p.soft.learn-caption", t("learn.to_move", { who: view.players[view.mover] })),
    );
    const base = this.question?.base ?? "";
    const shown = new Board(holder, {
      interactive: Boolean(question),
      id: "learn-board",
      onMove: (move) => {
        shown.show(view, { hint: move });
        this.answer(base, Boolean(question?.moves?.includes(move)));
      },
    });
    shown.show(view, {});
    this.board = shown;
  }

  /** @param {TourStep} step @param {SearchTree} tree */
  showTree(step, tree) {
    const replay = new Replay(tree);
    const holder = h("div.tree-holder.learn-tree");
    const says = h("p.learn-says.soft", { "aria-live": "off" });
    const foot = h("div.learn-foot");
    const detail = step.panel ? h("div.learn-detail") : null;
    replace(this.scene, holder, says, foot, detail);
    const view = new TreeView(holder, {
      label: t("think.tree_label", {
        algorithm: t(`think.${tree.algorithm}`),
        nodes: number(tree.nodes),
      }),
      onPick: (node) => this.picked(node, tree),
      whole: innerWidth > 900 && tree.nodes_list.length <= WHOLE,
    });
    this.view = view;
    view.load(tree, replay, { book: true, boards: tree.nodes_list.length <= 30 });
    const panel = detail && new Panel(detail);
    panel?.load(tree, replay, true);
    const reader = new Reader(tree, true);
    this.say = () => {
      says.textContent = view.concealed ? "" : sentence(replay, reader);
    };
    const asked = step.question ? step.at?.(tree) : null; // what the search says there would be the answer
    if (step.question) view.conceal(step.question.conceal?.(tree) ?? []);
    this.player = new Player(foot, {
      onGo: (index) => {
        replay.go(index);
        if (index !== asked && this.player && view.concealed) this.reveal();
        view.show();
        this.say();
        panel?.show(this.player?.playing);
      },
    });
    this.player.load(tree.steps.length, replay.milestones, step.at?.(tree));
    view.build(); // again, now that everything else has taken its room
  }

  /** @param {SearchNode} node @param {SearchTree} tree */
  picked(node, tree) {
    if (!this.question || this.ask.hidden || !this.question.among) return;
    const among = this.question.among(tree);
    let at = /** @type {SearchNode | null} */ (node);
    while (at && !among.includes(at.id))
      at = at.parent === null ? null : tree.nodes_list[at.parent];
    if (at)
      this.answer(this.question.base, Boolean(this.question.nodes?.(tree).includes(at.id)), at.id);
  }

  closeScene() {
    this.view?.close();
    this.player?.close();
    this.board?.close();
    this.view = this.player = this.board = this.question = null;
  }

  close() {
    this.turnNumber += 1;
    this.closeScene();
  }
}

/** @param {SearchTree} tree @param {number} id */
function answerText(tree, id) {
  const node = tree.nodes_list[id];
  if (tree.algorithm === "mcts") return node.move;
  return `${node.move} (${new Reader(tree, true).short(node.mover === tree.mover ? node.value : -node.value)})`;
}

/** @param {number} value */
const signless = (value) => (value < 0 ? `−${number(-value)}` : number(value));
