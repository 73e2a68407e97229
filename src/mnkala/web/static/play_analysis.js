// The analysis of a position while it is looked at: what every move is worth, an evaluation bar, lines, depth and nodes as they grow.
// The server says what is known, best first: what is proved stands, and an engine's estimate, marked as such, fills what is open. The game
// page and the analysis page both use it.

import { live } from "./api.js";
import { mark } from "./board_marks.js";
import { around, h, part, replace } from "./dom.js";
import { LinePreview } from "./line_preview.js";
import { BookReach } from "./play_book.js";
import { EnginePicker } from "./play_engine.js";
import { icon, menu, signButton } from "./play_icons.js";
import { placeOf, stepsOf } from "./play_positions.js";
import { ProofProgress, ScoreList } from "./play_scores.js";
import { ThreatList } from "./play_threats.js";
import { openLegend } from "./rules.js";
import { annotation, firstChance, isProved, provedText, turnPath } from "./scores.js";
import { number, problemText, t } from "./words.js";

const ENGINE = "mnkala.analysis.engine";
const DEFAULT_ENGINE = "auto";
const LONGEST = 180; // seconds

export class AnalysisPanel {
  /** @type {View | null} */ view;
  /** @type {Ask} */ asked;
  /** @type {number} */ waiting;
  /** @type {string} */ pointed;
  /** @type {string} */ game;

  /**
   * `kept` is [storage, key] of the switch and `usual` whether it is on at first. `onScores()` is called when there is something new for the
   * board, `onPreview(moves or null, step)` when a line is looked ahead at, `onPoint(cells)` when a reason is pointed at. Where they are given,
   * `onMove(move)` plays a move of the list, `onLine(moves)` a line, and `onBack(ply)` goes back to where the book knows the position.
   * @param {AnalysisOptions} options
   */
  constructor({
    catalogue,
    kept,
    usual = false,
    onScores,
    onPreview,
    onPoint = () => {},
    onMove = null,
    onLine = null,
    onBack = null,
  }) {
    this.kept = kept;
    this.onScores = onScores;
    this.onPoint = onPoint;
    const [storage, key] = kept;
    this.on = (storage.getItem(key) ?? String(usual)) === "true";
    this.view = null;
    this.asked = {}; // what is wanted, its number, whether it has ended, the last answer, the trouble
    this.engine = localStorage.getItem(ENGINE) || DEFAULT_ENGINE;
    this.switch = h(
      "button.switch#analysis-switch",
      { role: "switch", "aria-checked": "false", onclick: () => this.toggle() },
      h("span.switch-knob", { "aria-hidden": "true" }),
      h("span", t("play.analysis")),
    );
    this.facts = h("p.facts#analysis-facts");
    this.verdict = h("p.verdict#analysis-score");
    const unfold = () => {
      this.unproved.classList.toggle("unfolded");
    };
    this.unproved = h("p.soft.cut#analysis-unproved", {
      role: "button",
      tabindex: "0",
      title: t("analysis.unfold"),
      onclick: unfold,
      onkeydown: (event) => {
        if (event.key === "Enter") unfold();
      },
    });
    this.picker = new EnginePicker(catalogue, {
      engine: this.engine,
      unlimited: true,
      onChange: (engine) => this.choose(engine),
    });
    this.list = new ScoreList({ onMove });
    this.progress = new ProofProgress({ onStop: () => this.end(), onGo: () => this.ask(true) });
    this.book = new BookReach({ onBack });
    this.threats = new ThreatList({
      onChange: () => {
        if (this.view) onScores();
      },
    });
    /** @param {string[]} line @param {string} move */
    const stepsAfter = (line, move) => {
      const { game, start, played } = /** @type {View} */ (this.view);
      return stepsOf(game, start, [...played, ...line], move);
    };
    this.preview = new LinePreview(this.list.element, {
      onPreview,
      onPlay: onLine,
      stepsOf: stepsAfter,
    });
    this.previewBar = this.preview.bar;
    this.engineBox = menu(
      icon("gear"),
      { class: "menu analysis-engine", title: t("play.engine") },
      this.picker.element,
    );
    this.legend = signButton("help", t("analysis.legend"), {
      id: "open-legend",
      onclick: () => openLegend(this.view),
    });
    this.body = h(
      "div.analysis-body",
      this.unproved,
      this.list.element,
      h("div.analysis-foot", this.book.element, this.progress.element, this.facts),
    );
    this.element = h(
      "section.panel.analysis",
      { "aria-label": t("play.analysis") },
      h("div.analysis-head", this.switch, this.verdict, this.legend, this.engineBox),
      this.body,
      this.threats.element,
    );
    this.bar = h(
      "div.evaluation.unknown#evaluation-bar",
      {
        role: "meter",
        "aria-label": t("play.evaluation"),
        "aria-valuemin": "0",
        "aria-valuemax": "100",
      },
      (this.sides = [0, 1].map((seat) =>
        h("span.evaluation-end", { "aria-hidden": "true" }, mark(seat), h("span")),
      )),
      h("div.evaluation-track", { "aria-hidden": "true" }, h("div.evaluation-first")),
    );
    for (const { element } of [this.list, this.threats]) {
      for (const kind of ["mouseover", "focusin"])
        element.addEventListener(kind, (event) => this.point(around(event, "[data-cells]")));
      for (const kind of ["mouseleave", "focusout"])
        element.addEventListener(kind, () => this.point(null));
    }
    this.ends = [
      live.on("analysis", (message) => this.take(message)),
      live.on("error", (message) => this.failed(message)),
    ];
    this.drawSwitch();
  }

  toggle(on = !this.on) {
    const [storage, key] = this.kept;
    this.on = on;
    storage.setItem(key, String(on));
    this.drawSwitch();
    this.preview.end();
    this.ask();
    this.onScores();
  }

  /** Whether it tells the player something about the position: an analysis, or threats. */
  get helps() {
    return this.on || Boolean(this.threats.on && this.view?.threats);
  }

  drawSwitch() {
    this.switch.setAttribute("aria-checked", String(this.on));
    for (const shown of [this.body, this.bar, this.verdict, this.legend, this.engineBox])
      shown.hidden = !this.on;
    this.element.classList.toggle("on", this.on);
  }

  /** @param {string} engine */
  choose(engine) {
    this.engine = engine;
    localStorage.setItem(ENGINE, engine);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      this.ask();
      this.onScores();
    }, 400);
  }

  // ---- Asking the server ----

  /** The position that is looked at now. @param {View} view */
  setView(view) {
    const before = this.view && this.name(this.view);
    this.view = view;
    this.picker.setGame(view.game);
    if (this.name(view) === before) return;
    this.threats.setView(view);
    this.preview.end();
    if (this.game !== view.game) this.bar.removeAttribute("aria-valuenow"); // another game: nothing is known of it
    this.game = view.game;
    this.book.show(view);
    this.ask();
  }

  /** @param {View} view */
  name(view) {
    return JSON.stringify([view.game, view.start, view.played]);
  }

  /** Ask about the position that is looked at, unless that is what the server works on; `again` also if it was stopped. */
  ask(again = false) {
    const wanted =
      this.on && this.view && !this.view.over ? this.name(this.view) + this.engine : null;
    if (wanted !== (this.asked.wanted ?? null) || again) {
      if (this.asked.number && !this.asked.ended)
        live.forget("analysis", { type: "stop", id: this.asked.number });
      this.asked = { wanted, answer: again ? this.asked.answer : null };
      if (wanted && this.view) {
        this.asked.number = live.number();
        live.keep("analysis", {
          type: "analyse",
          id: this.asked.number,
          engine: this.engine,
          seconds: LONGEST,
          ...placeOf(this.view),
        });
      }
    }
    this.draw();
  }

  /** End the analysis; what has been found stays on the page. */
  end() {
    if (this.asked.number && !this.asked.ended)
      live.forget("analysis", { type: "stop", id: this.asked.number });
    this.asked.ended = true;
    this.draw();
  }

  /** @param {AnalysisUpdate} message */
  take(message) {
    if (message.id !== this.asked.number) return;
    this.asked.answer = message;
    this.asked.ended ||= message.final;
    if (this.asked.ended) live.forget("analysis");
    this.draw();
    this.onScores();
  }

  /** @param {Failed} message */
  failed(message) {
    if (!message.id || message.id !== this.asked.number) return;
    live.forget("analysis");
    Object.assign(this.asked, { ended: true, trouble: problemText(message) });
    this.draw();
  }

  // ---- What is known ----

  /** What the position and its moves are worth, best first, and which are best. */
  get known() {
    const { whole = null, scores = [], best = [] } = this.asked.answer ?? {};
    return { whole, moves: scores, best };
  }

  /** The annotations of the moves for the board, or null. @returns {Annotation[] | null} */
  get annotations() {
    const { view } = this;
    const threats = view ? this.threats.annotations : [];
    if (!this.on || !view || view.over) return threats.length ? threats : null;
    const { moves, best } = this.known;
    const path = turnPath(moves.find(({ move }) => best.includes(move))?.turn);
    return [
      ...moves.map((worth) => annotation(worth, view, best.includes(worth.move))),
      ...(path ? [path] : []),
      ...threats,
    ];
  }

  // ---- Drawing ----

  draw() {
    if (!this.on || !this.view) return;
    const {
      view,
      asked: { number: sent, ended, answer, trouble },
    } = this;
    const { whole, moves: all, best } = this.known;
    const busy = Boolean(sent) && !ended;
    const moves = view.over ? [] : all;
    this.body.classList.toggle("working", busy);
    if (view.over) replace(this.verdict, t("play.analysis_over"));
    else if (whole)
      replace(
        this.verdict,
        mark(view.mover, t("analysis.to_move", { player: view.players[view.mover] })),
        provedText(whole).replace(/ %/g, "\u00a0%"),
        isProved(whole) ? null : " ",
        isProved(whole) ? null : h("span.tag", t("exact.estimate_tag")),
      );
    else replace(this.verdict, trouble || t(view.solver ? "exact.waits" : "play.analysis_waits"));
    replace(
      this.unproved,
      answer?.out_of_reach
        ? t("exact.out_of_reach", { why: problemText(answer.out_of_reach) })
        : "",
    );
    this.list.show(moves, best, view);
    this.progress.show(view.over ? null : (answer?.proved ?? null), moves.length, busy);
    replace(
      this.facts,
      answer && !view.over
        ? t(answer.depth ? "play.facts" : "exact.facts", {
            depth: number(answer.depth),
            nodes: number(answer.nodes),
            seconds: number(answer.seconds, 1),
          })
        : "",
    );
    this.drawBar(whole);
  }

  /** Show the cells that a reason speaks of while it is pointed at. @param {HTMLElement | null} element */
  point(element) {
    const cells = element?.dataset.cells ?? "[]";
    if (cells !== (this.pointed ?? "[]")) this.onPoint(JSON.parse(cells));
    this.pointed = cells;
  }

  /** @param {WorthView | null} whole */
  drawBar(whole) {
    const { view } = this;
    if (!view) return;
    const over = view.over
      ? (/** @type {Record<string, number>} */ ({ "1-0": 1, "0-1": 0, "1/2-1/2": 0.5 })[
          view.result
        ] ?? null)
      : null;
    const chance = over ?? (whole && firstChance(whole, view.mover));
    const unknown = chance === null;
    this.bar.classList.toggle("unknown", unknown && !this.bar.hasAttribute("aria-valuenow"));
    if (unknown) return;
    const about =
      over === null && (whole?.result === "unknown" || whole?.kind === "likely") ? "~" : "";
    const [left, right] = [chance, 1 - chance].map((each) => `${about}${number(100 * each)} %`);
    const [first, second] = view.players;
    this.bar.style.setProperty("--share", `${100 * chance}%`);
    this.bar.classList.toggle("weak", Boolean(about));
    this.sides.forEach((end, seat) => {
      part(end, ":scope > span").textContent = seat ? right : left;
    });
    this.bar.setAttribute("aria-valuenow", String(Math.round(100 * chance)));
    this.bar.setAttribute(
      "aria-valuetext",
      t("play.chances", { first, second, chance: left, other: right }),
    );
  }

  close() {
    this.on = false;
    this.preview.end();
    this.list.close();
    clearTimeout(this.waiting);
    this.end();
    for (const end of this.ends) end();
  }
}
