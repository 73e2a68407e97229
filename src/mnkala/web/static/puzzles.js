// Puzzles: find the one move that wins in time, and play the win out against the best defence. The server's solver judges every move.
// The address says which puzzle: #/puzzles?win_in=4&number=3. What was solved is kept in this browser.

import { api } from "./api.js";
import { badPlace } from "./bad_link.js";
import { Board, motionOff } from "./board.js";
import { mark } from "./board_marks.js";
import { h, replace } from "./dom.js";
import { icon, iconButton } from "./play_icons.js";
import { address, lookAt } from "./play_positions.js";
import { reasonText } from "./play_scores.js";
import { scoreText } from "./scores.js";
import { number, t } from "./words.js";

const SOLVED = "mnkala.puzzles";
const LAST = "mnkala.puzzles.last";
const LENGTHS = [3, 4, 5, 6, 7, 8];
const GRADES = 5;
const [ANSWER_AFTER, BACK_AFTER] = [550, 1500]; // milliseconds: the reply to a right move, the return from a wrong one

/** Puzzles that were solved: {name: "alone" or "helped"}. */
function solvedOnes() {
  try {
    return JSON.parse(localStorage.getItem(SOLVED)) || {};
  } catch {
    return {};
  }
}

const nameOf = ({ game, moves }) => `${game} ${moves}`;

export async function show(container, params, context) {
  const page = new PuzzlePage(container, context);
  const last = Number(localStorage.getItem(LAST));
  const { game = "connect4", win_in: length = LENGTHS.includes(last) ? last : LENGTHS[0], number: wanted = null } = params;
  try {
    if (!LENGTHS.includes(Number(length))) throw Object.assign(new Error(t("links.no_puzzle_length", { length, lengths: LENGTHS.join(", ") })), { status: 400 });
    await page.fetch(game, Number(length), wanted === null ? null : (/^\d+$/.test(wanted) ? Number(wanted) : 0) - 1);
  } catch (error) {
    page.close();
    return badPlace(container, error, context, h("a", { class: "button primary", href: "#/puzzles?win_in=3" }, t("links.puzzles")));
  }
  return { close: () => page.close(), keys: page.keys };
}

class PuzzlePage {
  constructor(container, context) {
    this.context = context;
    context.title(t("puzzle.title"));
    this.turn = 0; // grows with everything that makes an answer on its way stale
    this.task = h("p", { class: "puzzle-task", id: "puzzle-task" });
    this.grade = h("p", { class: "puzzle-grade soft" });
    this.feedback = h("div", { class: "puzzle-feedback", id: "puzzle-feedback", role: "status" });
    this.progress = h("p", { class: "soft", id: "puzzle-progress" });
    this.dots = h("ol", { class: "puzzle-dots", "aria-label": t("puzzle.all") });
    this.hint = iconButton("hint", t("puzzle.hint"), { id: "puzzle-hint", onclick: () => this.help(false) });
    this.solution = iconButton("search", t("puzzle.solution"), { id: "puzzle-solution", onclick: () => this.help(true) });
    this.again = iconButton("undo", t("puzzle.again"), { id: "puzzle-again", onclick: () => this.restart() });
    this.next = h("button", { type: "button", class: "primary", id: "puzzle-next", onclick: () => this.goNext() }, h("span", null, t("puzzle.next")), icon("forward"));
    this.analyse = h("a", { class: "button", id: "puzzle-analyse" }, icon("chart"), h("span", null, t("puzzle.analyse")));
    this.lengths = h("fieldset", { class: "choice puzzle-lengths" }, h("legend", null, t("puzzle.length")), h("div", { class: "segments" }, LENGTHS.map((length) => h("label", null,
      h("input", { type: "radio", name: "puzzle-length", value: String(length), id: `puzzle-length-${length}`, onchange: () => this.open(this.game, length, null) }), h("span", null, number(length))))));
    const place = h("div", { class: "board-place" });
    this.main = h("section", { class: "game-main puzzle-main", "aria-label": t("play.board") }, this.task, place);
    replace(container, h("div", { class: "game-page" }, this.main, h("aside", { class: "game-side", "aria-label": t("puzzle.title") },
      h("div", null, h("h1", { class: "game-title" }, t("puzzle.title")), h("p", { class: "soft" }, t("puzzle.about"))),
      this.lengths,
      h("section", { class: "panel puzzle-panel", "aria-label": t("puzzle.this_one") }, this.grade, this.feedback, h("div", { class: "controls" }, this.hint, this.solution, this.again, this.next)),
      h("section", { class: "panel puzzle-set", "aria-label": t("puzzle.all") }, this.progress, this.dots),
      h("div", { class: "controls" }, this.analyse))));
    this.board = new Board(place, { onMove: (move) => this.play(move) });
  }

  get keys() {
    const digits = Object.fromEntries("123456789".split("").map((digit) => [digit, () => this.board.digit(digit)]));
    return { h: () => this.help(false), n: () => this.goNext(), u: () => this.restart(), s: () => this.help(true), ...digits };
  }

  // ---- Which puzzle ----

  open(game, length, wanted) {
    return this.fetch(game, length, wanted).catch(this.context.notify);
  }

  /** A puzzle of a length; without a number the first that is not solved. */
  async fetch(game, length, wanted) {
    this.turn += 1;
    const mine = this.turn;
    this.game = game;
    const set = await api.post("puzzles", { game, win_in: length });
    const solved = solvedOnes();
    const first = set.puzzles.findIndex((puzzle) => !solved[nameOf(puzzle)]);
    const at = wanted ?? Math.max(0, first);
    const puzzle = set.puzzles[at];
    if (!puzzle) throw Object.assign(new Error(t("links.no_puzzle_number", { number: at + 1, total: set.puzzles.length })), { status: 400 });
    const view = await lookAt(puzzle);
    if (mine !== this.turn) return;
    Object.assign(this, { set: set.puzzles, at, puzzle, first: view, length });
    localStorage.setItem(LAST, String(length));
    history.replaceState(null, "", `#/puzzles?${game === "connect4" ? "" : `game=${encodeURIComponent(game)}&`}win_in=${length}&number=${at + 1}`);
    this.lengths.querySelector(`[value="${length}"]`).checked = true;
    this.restart();
  }

  restart() {
    if (!this.puzzle) return;
    this.turn += 1;
    Object.assign(this, { view: this.first, left: this.puzzle.win_in, done: false, helped: false, busy: false, hinted: null, cells: [] });
    this.say("", t("puzzle.find", { player: this.first.players[this.first.mover], moves: number(this.puzzle.win_in) }));
    this.draw();
    this.drawSet();
  }

  goNext() {
    if (!this.set) return;
    const solved = solvedOnes();
    const order = this.set.map((_, i) => (this.at + 1 + i) % this.set.length);
    this.open(this.game, this.length, order.find((i) => !solved[nameOf(this.set[i])]) ?? order[0]);
  }

  // ---- Playing ----

  /** The moves since the puzzle began. */
  get played() {
    return this.view.played.slice(this.first.played.length);
  }

  async play(move) {
    if (this.busy || this.done) return;
    this.turn += 1;
    const mine = this.turn;
    this.busy = true;
    this.hinted = null;
    this.cells = [];
    try {
      const answer = await api.post("puzzles/try", { game: this.puzzle.game, moves: this.puzzle.moves, win_in: this.puzzle.win_in, played: this.played, move });
      if (mine !== this.turn) return;
      if (answer.right) await this.right(answer, mine);
      else await this.wrong(answer, mine);
    } catch (error) {
      this.busy = false;
      this.context.notify(error);
    }
  }

  async right(answer, mine) {
    this.view = answer.after;
    this.draw(true);
    if (answer.solved) {
      this.finish();
      return;
    }
    await pause(motionOff() ? ANSWER_AFTER / 2 : ANSWER_AFTER);
    if (mine !== this.turn) return;
    this.view = answer.answered;
    this.left = answer.left;
    this.busy = false;
    this.say("good", t(answer.left === 1 ? "puzzle.right_last" : "puzzle.right", { move: answer.move, reply: answer.reply, moves: number(answer.left) }));
    this.draw(true);
  }

  async wrong(answer, mine) {
    const before = this.view;
    this.helped = true;
    this.say("bad", t("puzzle.wrong", { move: answer.move }), [t(`puzzle.wrong_${answer.worth.result}`, { score: scoreText(answer.worth, this.first), moves: number(this.left) }), answer.line.length > 1 ? t("puzzle.refuted", { line: answer.line.slice(1, 9).join(" ") }) : null]);
    this.view = answer.after;
    this.draw(true);
    await pause(BACK_AFTER);
    if (mine !== this.turn) return;
    this.view = before;
    this.busy = false;
    this.draw();
  }

  finish() {
    this.done = true;
    this.busy = false;
    const solved = solvedOnes();
    const name = nameOf(this.puzzle);
    if (solved[name] !== "alone") solved[name] = this.helped ? "helped" : "alone";
    localStorage.setItem(SOLVED, JSON.stringify(solved));
    this.say("good", t(this.helped ? "puzzle.solved_helped" : "puzzle.solved"));
    this.draw();
    this.drawSet();
    this.next.focus({ preventScroll: true });
  }

  /** A hint: the move, and why; or the whole solution, played out. */
  async help(whole) {
    if (this.busy || this.done || !this.puzzle) return;
    this.turn += 1;
    const mine = this.turn;
    this.busy = true;
    this.helped = true;
    try {
      const answer = await api.post("puzzles/help", { game: this.puzzle.game, moves: this.puzzle.moves, win_in: this.puzzle.win_in, played: this.played });
      if (mine !== this.turn) return;
      if (whole) await this.playOut(answer.line, mine);
      else this.point(answer);
    } catch (error) {
      this.context.notify(error);
    }
    if (mine === this.turn) this.busy = false;
  }

  point(answer) {
    this.hinted = answer.line[0];
    this.cells = answer.reasons.flatMap(({ cells }) => cells);
    this.say("", t("play.hint_says", { move: answer.line[0] }), answer.reasons.map(reasonText));
    this.draw();
  }

  async playOut(line, mine) {
    this.say("", t("puzzle.solution_is", { line: line.join(" ") }));
    for (const move of line) {
      const view = await api.post("look", { game: this.puzzle.game, moves: [...this.view.played, move].join(",") });
      if (mine !== this.turn) return;
      this.view = view;
      this.draw(true);
      await pause(motionOff() ? ANSWER_AFTER / 2 : ANSWER_AFTER);
      if (mine !== this.turn) return;
    }
    this.done = true;
    this.draw();
  }

  // ---- Drawing ----

  say(mood, head, more = []) {
    this.feedback.className = `puzzle-feedback ${mood}`;
    this.feedback.dataset.mood = mood;
    const shape = { good: "✓", bad: "✗" }[mood];
    replace(this.feedback, h("p", { class: "puzzle-head" }, shape ? h("span", { class: "puzzle-sign", "aria-hidden": "true" }, shape) : null, h("strong", null, head)), more.filter(Boolean).map((text) => h("p", null, text)));
  }

  draw(animate = false) {
    const { view, puzzle, first } = this;
    this.board.show(view, { animate, interactive: !this.done && !this.busy, hint: this.hinted, cells: this.cells });
    this.board.fit(this.main);
    replace(this.task, mark(first.mover), h("span", null, t(this.done ? "puzzle.was" : this.left === 1 ? "puzzle.task_last" : "puzzle.task", { player: first.players[first.mover], moves: number(this.done ? puzzle.win_in : this.left) })));
    replace(this.grade, t("puzzle.number", { number: number(this.at + 1), total: number(this.set.length) }), " · ", t("puzzle.grade"), " ",
      h("span", { class: "puzzle-stars", role: "img", "aria-label": t("puzzle.grade_of", { grade: number(puzzle.grade), grades: number(GRADES) }) }, "★".repeat(puzzle.grade) + "☆".repeat(Math.max(0, GRADES - puzzle.grade))));
    this.hint.disabled = this.solution.disabled = this.done;
    this.again.disabled = !this.done && !this.played.length;
    this.analyse.href = address("analysis", view);
  }

  drawSet() {
    const solved = solvedOnes();
    const count = this.set.filter((puzzle) => solved[nameOf(puzzle)]).length;
    replace(this.progress, t("puzzle.progress", { done: number(count), total: number(this.set.length), moves: number(this.length) }));
    replace(this.dots, this.set.map((puzzle, i) => {
      const state = solved[nameOf(puzzle)];
      return h("li", null, h("button", { type: "button", class: `puzzle-dot${state ? ` ${state}` : ""}`, "data-puzzle": String(i + 1), "data-solved": state || null, "aria-current": i === this.at ? "step" : null,
        "aria-label": t(state ? `puzzle.dot_${state}` : "puzzle.dot", { number: number(i + 1) }), onclick: () => this.open(this.game, this.length, i) }, state ? "✓" : number(i + 1)));
    }));
  }

  close() {
    this.turn += 1;
    this.board.close();
  }
}

const pause = (time) => new Promise((go) => { setTimeout(go, time); });
