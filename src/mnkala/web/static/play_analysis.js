// The analysis of a position while it is looked at: scores of all moves for the board, an evaluation bar, the best lines, depth and
// nodes as they grow. The game page and the analysis page both use it.

import { live } from "./api.js";
import { mark, seenBy, shortValue } from "./board_marks.js";
import { h, replace } from "./dom.js";
import { exactChance } from "./exact.js";
import { EnginePicker } from "./play_engine.js";
import { ExactList } from "./play_exact.js";
import { icon } from "./play_icons.js";
import { chanceText, scoreText } from "./play_score.js";
import { number, t } from "./words.js";

const LINES = 4; // best moves whose lines are listed
const LONGEST_LINE = 14;
const ENGINE = "mnkala.analysis.engine";
const DEFAULT_ENGINE = "deepening";
const MODE = "mnkala.analysis.mode"; // exact, or an estimate by an engine
const SIGNS = { exact: "=", lower: "≥", upper: "≤", heuristic: "" };

export class AnalysisPanel {
  /** `onScores()` is called when there is something new for the board, `onPreview(moves or null)` when a move of a line is pointed at,
   * `onPoint(cells)` when a reason is. */
  constructor({ catalogue, onScores, onPreview, onPoint = () => {} }) {
    Object.assign(this, { onScores, onPreview, onPoint });
    this.on = false;
    this.view = null;
    this.answer = null;
    this.mode = localStorage.getItem(MODE) || "estimate";
    this.engine = localStorage.getItem(ENGINE) || DEFAULT_ENGINE;
    this.switch = h("button", { type: "button", class: "switch", id: "analysis-switch", role: "switch", "aria-checked": "false", onclick: () => this.toggle() },
      h("span", { class: "switch-knob", "aria-hidden": "true" }), h("span", null, t("play.analysis")));
    this.facts = h("p", { class: "facts", id: "analysis-facts" });
    this.verdict = h("p", { class: "verdict", id: "analysis-score" });
    this.lines = h("ol", { class: "lines", id: "analysis-lines" });
    this.picker = new EnginePicker(catalogue, { engine: this.engine, unlimited: true, onChange: (engine) => this.choose(engine) });
    this.legend = h("p", { class: "help" });
    this.exactList = new ExactList({ onStop: () => this.stopWork(), onGo: () => this.ask(true) });
    this.engineBox = h("details", { class: "analysis-engine" }, h("summary", null, icon("gear"), t("play.engine")), this.picker.element);
    this.modes = this.modeChoice();
    this.body = h("div", { class: "analysis-body", hidden: true }, this.verdict, this.lines, this.exactList.element, this.facts, this.legend, this.engineBox);
    this.element = h("section", { class: "panel analysis", "aria-label": t("play.analysis") }, h("div", { class: "analysis-head" }, this.switch, this.modes), this.body);
    this.bar = h("div", { id: "evaluation-bar", class: "evaluation unknown", role: "meter", "aria-label": t("play.evaluation"), "aria-valuemin": "0", "aria-valuemax": "100", hidden: true },
      this.sides = [0, 1].map((seat) => h("span", { class: "evaluation-end", "aria-hidden": "true" }, mark(seat), h("span"))),
      h("div", { class: "evaluation-track", "aria-hidden": "true" }, this.share = h("div", { class: "evaluation-first" })));
    const point = (event) => this.point(event);
    for (const lines of [this.lines, this.exactList.lines]) {
      for (const kind of ["mouseover", "focusin", "click"]) lines.addEventListener(kind, point);
      for (const kind of ["mouseleave", "focusout"]) lines.addEventListener(kind, () => this.endPoint());
    }
    this.ends = [live.on("analysis", (message) => this.take(message)), live.on("solve", (message) => this.take(message)), live.on("error", (message) => this.failed(message))];
  }

  /** Estimate or exact, where the board can be solved. */
  modeChoice() {
    const choice = (mode) => h("label", null, h("input", { type: "radio", name: "analysis-mode", value: mode, id: `analysis-${mode}`, checked: mode === this.mode, onchange: () => this.setMode(mode) }), h("span", null, t(`exact.mode_${mode}`)));
    return h("div", { class: "segments analysis-mode", role: "radiogroup", "aria-label": t("exact.mode"), hidden: true }, choice("estimate"), choice("exact"));
  }

  /** Change the mode from outside. */
  chooseMode(mode) {
    this.modes.querySelector(`[value="${mode}"]`).checked = true;
    this.setMode(mode);
  }

  setMode(mode) {
    this.mode = mode;
    localStorage.setItem(MODE, mode);
    this.ask();
    this.onScores();
  }

  /** Whether scores are proved instead of estimated. */
  get exact() {
    return this.mode === "exact" && Boolean(this.view?.solvable);
  }

  toggle(on = !this.on) {
    this.on = on;
    this.switch.setAttribute("aria-checked", String(on));
    this.body.hidden = !on;
    this.modes.hidden = !on || !this.view?.solvable;
    this.bar.hidden = !on;
    this.element.classList.toggle("on", on);
    this.ask();
    this.onScores();
  }

  choose(engine) {
    this.engine = engine;
    localStorage.setItem(ENGINE, engine);
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => { this.ask(); this.onScores(); }, 400);
  }

  /** The position that is looked at now. */
  setView(view) {
    const before = this.view && this.name(this.view);
    this.view = view;
    this.picker.setFamily(view.game.split(":")[0]);
    this.modes.hidden = !view.solvable || !this.on;
    if (this.name(view) !== before) this.ask();
  }

  name(view) {
    return JSON.stringify([view.game, view.start, view.played]);
  }

  /** Ask the server about the position that is looked at, unless that is what it works on; `again` also if it was stopped. */
  ask(again = false) {
    const wanted = this.on && this.view && !this.view.over ? this.name(this.view) + (this.exact ? "exact" : this.engine) : null;
    if (wanted === this.asked && !again) return;
    this.asked = wanted;
    if (!again) this.answer = null;
    this.stopped = false;
    if (this.number) live.forget("analyse", { type: "stop", id: this.number });
    this.number = null;
    if (wanted) {
      this.number = live.number();
      const { game, start, played } = this.view;
      const where = { id: this.number, game, ...(start ? { start } : {}), ...(played.length ? { moves: played.join(",") } : {}) };
      live.keep("analyse", this.exact ? { type: "solve", ...where } : { type: "analyse", ...where, engine: this.engine });
    }
    this.draw();
  }

  /** End the solver's work; what is proved by then stands. */
  stopWork() {
    this.stopped = true;
    live.forget("analyse", { type: "stop", id: this.number });
    this.draw();
  }

  take(message) {
    if (message.id !== this.number) return;
    this.answer = message;
    if (message.final) live.forget("analyse");
    this.draw();
    this.onScores();
  }

  failed(message) {
    if (!this.number || message.id !== this.number) return;
    live.forget("analyse");
    this.trouble = message.error;
    this.draw();
    this.trouble = null;
  }

  /** Scores of the moves for the board: {move: Score}, or null. */
  get scores() {
    if (!this.on || !this.answer || !this.view || this.exact) return null;
    return Object.fromEntries(Object.entries(this.answer.scores).filter(([, { score }]) => score).map(([move, { score }]) => [move, score]));
  }

  /** Exact scores to stand over the columns, or null. */
  get columns() {
    return this.on && this.exact && !this.view.over ? this.answer?.columns || [] : null;
  }

  /** The best moves; several when they are equally good. */
  get best() {
    return (this.on && this.answer?.best) || [];
  }

  draw() {
    if (!this.on) return;
    const { view, answer } = this;
    this.body.classList.toggle("working", Boolean(this.number) && !answer?.final && !this.trouble && !this.stopped);
    this.lines.hidden = this.engineBox.hidden = this.exact;
    this.exactList.element.hidden = !this.exact || Boolean(view?.over) || Boolean(this.trouble);
    if (this.exact) {
      this.drawExact();
      return;
    }
    if (this.trouble) replace(this.verdict, this.trouble);
    else if (view?.over) replace(this.verdict, t("play.analysis_over"));
    else if (!answer?.score) replace(this.verdict, t("play.analysis_waits"));
    else replace(this.verdict, t("play.analysis_says", { player: view.players[view.mover], score: scoreText(answer.score, view) }));
    replace(this.facts, answer ? t("play.facts", { depth: number(answer.depth), nodes: number(answer.nodes), seconds: number(answer.seconds, 1) }) : "");
    replace(this.lines, answer ? this.ranked().map(([move, { score, line }]) => this.line(move, score, line || [])) : []);
    replace(this.legend, view && !view.over ? t("play.scores_for", { player: view.players[view.mover] }) : "");
    this.drawBar();
  }

  drawExact() {
    const { view, answer } = this;
    this.exactList.show(answer, view, this.stopped);
    if (this.trouble) replace(this.verdict, this.trouble);
    else if (view.over) replace(this.verdict, t("play.analysis_over"));
    else replace(this.verdict, answer ? this.exactList.verdict(answer, view) : t("exact.waits"));
    replace(this.facts, answer && !view.over ? t("exact.facts", { nodes: number(answer.nodes), seconds: number(answer.seconds, 1) }) : "");
    replace(this.legend, view.over ? "" : t("exact.about", { player: view.players[view.mover] }));
    this.drawBar();
  }

  ranked() {
    const { scores, best, line, score } = this.answer;
    const { mover } = this.view;
    const all = Object.entries(scores).filter(([, entry]) => entry.score);
    if (!all.length) return best.length ? [[best[0], { score, line }]] : [];
    const order = ([move, entry]) => [Number(best.includes(move)), seenBy(entry.score, mover).value];
    return all.sort((a, b) => {
      const [[bestA, valueA], [bestB, valueB]] = [order(a), order(b)];
      return bestB - bestA || valueB - valueA;
    }).slice(0, LINES);
  }

  line(move, score, rest) {
    const moves = rest[0] === move ? rest : [move, ...rest];
    const seen = seenBy(score, this.view.mover);
    return h("li", null,
      h("span", { class: `chip ${seen.kind === "heuristic" ? "opinion" : "proved"} ${seen.result}`, title: scoreText(score, this.view) },
        `${SIGNS[seen.kind] ?? ""}${shortValue(seen.value)}`),
      h("span", { class: "line-moves" }, moves.slice(0, LONGEST_LINE).map((text, i) => h("button", { type: "button", class: "move", "data-line": moves.slice(0, i + 1).join(",") }, text))));
  }

  point(event) {
    const button = event.target.closest("[data-line]");
    const reason = event.target.closest("[data-cells]");
    if (button) this.onPreview(button.dataset.line.split(","));
    if (reason) this.onPoint(JSON.parse(reason.dataset.cells));
  }

  endPoint() {
    this.onPreview(null);
    this.onPoint([]);
  }

  drawBar() {
    const over = this.view?.over ? { "1-0": 1, "0-1": 0, "1/2-1/2": 0.5 }[this.view.result] : null;
    const chance = over ?? (this.exact ? this.answer && exactChance(this.answer, this.view.mover) : this.answer?.score?.chance);
    const unknown = chance === undefined || chance === null;
    this.bar.classList.toggle("unknown", unknown && (this.exact || !this.bar.hasAttribute("aria-valuenow")));
    if (unknown) return;
    const [first, second] = this.view.players;
    const text = t("play.chances", { first, second, chance: chanceText(chance), other: chanceText(1 - chance) });
    this.share.style.width = `${100 * chance}%`;
    this.sides.forEach((end, seat) => { end.lastChild.textContent = chanceText(seat ? 1 - chance : chance); });
    this.bar.setAttribute("aria-valuenow", String(Math.round(100 * chance)));
    this.bar.setAttribute("aria-valuetext", text);
  }

  close() {
    this.on = false;
    clearTimeout(this.waiting);
    if (this.number) live.forget("analyse", { type: "stop", id: this.number });
    for (const end of this.ends) end();
  }
}
