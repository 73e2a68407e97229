// A free board: play both sides, try lines, go back and try others, with the analysis beside it. Nothing that was tried is lost, a reload
// brings it back, and the address always says what is on the board.

import { keptJson } from "./api.js";
import { AnalysisTools } from "./analysis_tools.js";
import { badLink } from "./bad_link.js";
import { Board } from "./board.js";
import { h, last, replace } from "./dom.js";
import { GameChooser } from "./game_chooser.js";
import { MoveTree } from "./move_tree.js";
import { AnalysisPanel } from "./play_analysis.js";
import { gameName, usualGame } from "./play_cards.js";
import { signButton, sureButton } from "./play_icons.js";
import { resultText } from "./play_panels.js";
import { address, look, lookAt, showLine } from "./play_positions.js";
import { named } from "./scores.js";
import { Variations } from "./variations.js";
import { t } from "./words.js";

const PERSON = { name: "human", human: true, engine: null, nickname: null };
const PEOPLE = /** @type {Pair<PlayerView>} */ ([PERSON, PERSON]); // who sits at the board
const KEPT = "mnkala.analysis"; // the last board with its tree: of this tab, and for a new tab that of any

/** @param {Storage} storage @returns {(KeptBoard & Asked) | null} */
function keptBoard(storage) {
  const board = keptJson(KEPT, storage);
  return board.game ? board : null;
}

/** @type {Show} */
export const show = async (container, params, context) => {
  const before = keptBoard(sessionStorage) || (params.game ? null : keptBoard(localStorage));
  const first = { game: usualGame(context.catalogue.games[0]) };
  let view;
  try {
    view = await lookAt(params.game ? params : before || first);
  } catch (error) {
    if (params.game) return badLink(container, "analysis", params, error, context);
    view = await lookAt(first);
  }
  const page = new AnalysisPage(container, context);
  page.begin(view, before);
  return { close: () => page.close(), keys: page.keys };
};

class AnalysisPage {
  /** @type {View} */ view;
  /** @type {MoveTree} */ tree;
  /** @type {MoveNode} */ node;
  /** @type {MoveNode} */ target;
  /** @type {View | null} */ preview;
  /** @type {Hand | null} */ hand;
  /** @type {Cell[]} */ pointed;

  /** @param {HTMLElement} container @param {Context} context */
  constructor(container, context) {
    this.context = context;
    const { catalogue } = context;
    this.analysis = new AnalysisPanel({
      catalogue,
      kept: [localStorage, "mnkala.analysis.on"],
      usual: true,
      onScores: () => this.draw(),
      onPreview: (...where) => showLine(this, this.view, ...where),
      onPoint: (cells) => {
        this.pointed = cells;
        this.draw();
      },
      onMove: (move) => this.play(move),
      onLine: (line) => this.playLine(line),
      onBack: (ply) => this.goTo(this.tree.path(this.node)[ply - 1] ?? this.tree.root),
    });
    this.chooser = new GameChooser({
      catalogue,
      onGame: (game) => this.open({ game }),
      onPaste: (record) => this.paste(record),
      current: () => this.view,
      context: this.context,
    });
    this.title = h("h1.sr-only");
    this.state = h("p.notice", { role: "status", hidden: true });
    this.variations = new Variations((node) => this.goTo(node));
    /** @param {string} id @param {Icon} name @param {() => unknown} action */
    const act = (id, name, action) =>
      signButton(name, t(`analysis.${id}`), { id, onclick: action });
    this.promote = act("promote", "up", () => this.change(() => this.tree.promote(this.node)));
    this.remove = sureButton(
      "trash",
      t("analysis.remove"),
      t("analysis.remove_sure"),
      { class: "icon", id: "remove" },
      () => this.removeVariation(),
    );
    this.tools = new AnalysisTools({
      context: this.context,
      walk: (name) => this.walk(name),
      startOver: () =>
        this.open({ game: this.view.game, start: this.view.start }).catch(this.context.notify),
    });
    const place = h("div.board-place", this.analysis.previewBar);
    this.main = h(
      "section.game-main.analysis-main",
      { "aria-label": t("play.board") },
      this.analysis.bar,
      place,
    );
    replace(
      container,
      h(
        "div.analysis-page",
        h("div.analysis-stage", this.main),
        h(
          "aside.analysis-side",
          { "aria-label": t("play.about_game") },
          this.title,
          this.chooser.element,
          this.state,
          this.analysis.element,
          h(
            "section.panel.variations-panel",
            { "aria-label": t("play.moves") },
            h("div.variations-head", h("h2", t("play.moves")), this.promote, this.remove),
            this.variations.list,
          ),
          this.tools.element,
        ),
      ),
    );
    this.board = new Board(place, { onMove: (move) => this.play(move) });
  }

  get keys() {
    /** @param {string} name */
    const walk = (name) => () => this.walk(name);
    /** @param {number} step */
    const beside = (step) => () => {
      const node = this.tree.beside(this.target, step);
      return node ? this.goTo(node) : false;
    };
    return {
      u: walk("back"),
      r: walk("forward"),
      ArrowLeft: walk("back"),
      ArrowRight: walk("forward"),
      Home: walk("first"),
      End: walk("last"),
      ArrowUp: beside(-1),
      ArrowDown: beside(1),
      a: () => this.analysis.toggle(),
      v: () => this.analysis.threats.toggleByKey(),
      ...this.board.digits,
    };
  }

  // ---- What is on the board ----

  /**
   * Begin with a position and its moves; the kept tree stays if it contains them.
   * @param {View} view @param {KeptBoard | null} [kept]
   */
  begin(view, kept = null) {
    const same = kept && kept.game === view.game && (kept.start ?? null) === (view.start ?? null);
    const tree = same ? MoveTree.read(kept.tree) : null;
    this.tree = tree?.find(view.played) ? tree : new MoveTree();
    this.take(view);
  }

  /** Open another game or line. The moves are a text as people write it. @param {Asked} where */
  async open(where) {
    const view = await lookAt(where);
    history.pushState(null, "", location.href); // Back returns to what was on the board
    this.begin(view);
  }

  /**
   * Open a pasted game; one from the start of the current tree is added to that tree.
   * @param {RecordView} options
   */
  async paste({ game, start, moves, view }) {
    if (game === this.view.game && start === this.view.start) this.take(view);
    else await this.open({ game, start, moves });
  }

  /** @param {string} move */
  async play(move) {
    const view = await this.see([...this.view.played, move]);
    if (!view) return;
    this.take(view, true);
    this.context.announce(
      t("play.said_move", { player: view.players[last(view.movers)], move: named([move], view) }),
    );
  }

  /** Add a line that was previewed to the tree. @param {string[]} line */
  async playLine(line) {
    const view = await this.see([...this.view.played, ...line]);
    if (view) this.take(view);
  }

  /** @param {string} name */
  walk(name) {
    const { tree, target } = this;
    return this.goTo(
      {
        first: tree.root,
        back: target.parent,
        forward: tree.forward(target),
        last: tree.end(target),
      }[name],
    );
  }

  /**
   * Go to a node of the tree; if several are asked for in quick succession, to the last.
   * @param {MoveNode | null | undefined} node
   */
  async goTo(node) {
    if (!node || node === this.target) return;
    const forward = node.parent === this.node;
    this.target = node;
    const view = await this.see(this.tree.moves(node));
    if (view && this.target === node) this.take(view, forward);
  }

  /** @param {string[]} moves */
  see(moves) {
    return look(this.view.game, this.view.start, moves).catch(this.context.notify);
  }

  /**
   * Change the tree, then show the position that remains.
   * @param {() => MoveNode | null | void} action
   */
  async change(action) {
    this.target = action() ?? this.node;
    const view = await this.see(this.tree.moves(this.target));
    if (view) this.take(view);
  }

  /** Delete the current variation or, on the main line, everything from this move on. */
  removeVariation() {
    return this.change(() => this.tree.remove(this.tree.branch(this.node) ?? this.node));
  }

  /** @param {View} view @param {boolean} [animate] */
  take(view, animate = false) {
    this.view = view;
    this.node = this.target = this.tree.add(view.played, view.movers);
    this.preview = this.hand = null;
    this.pointed = [];
    history.replaceState(null, "", address("analysis", view));
    const kept = JSON.stringify({
      game: view.game,
      start: view.start,
      moves: view.played.join(","),
      tree: this.tree.serialise(),
    });
    for (const storage of [sessionStorage, localStorage]) storage.setItem(KEPT, kept);
    this.analysis.setView(view);
    this.draw(animate);
    this.drawSide();
  }

  // ---- Drawing ----

  draw(animate = false) {
    if (!this.view) return;
    const shown = this.preview || this.view;
    this.board.show(shown, {
      annotations: this.analysis.annotations,
      preview: Boolean(this.preview),
      hand: this.hand,
      cells: this.preview ? [] : this.pointed || [],
      animate,
      interactive: !this.preview,
    });
    this.board.fit(this.main);
  }

  drawSide() {
    const { view, tree, node } = this;
    const name = gameName(view.game);
    this.title.textContent = `${t("page.analysis_title")}: ${name}`;
    this.context.title(this.title.textContent);
    this.chooser.show(view);
    this.state.hidden = !view.over;
    if (view.over)
      this.state.textContent = resultText({
        result: view.result,
        yours: [true, true],
        players: PEOPLE,
        open_seat: null,
        linked: false,
      });
    this.variations.show(tree, node);
    this.promote.disabled = !tree.branch(node);
    this.remove.disabled = !node.parent;
    this.remove.title = t(tree.branch(node) ? "analysis.remove" : "analysis.remove_from_here");
    this.tools.show(view, tree.moves(tree.end(node)));
  }

  close() {
    this.chooser.close();
    this.analysis.close();
    this.board.close();
  }
}
