// Puzzles: find the one move that wins in time, and play the win out against the best defence; or the one right turn. The server's
// solver judges every move. The address says which puzzle: #/puzzles?win_in=4&number=3. What was solved is kept in this browser.

import { api, ApiError, keptJson } from "./api.js";
import { badPlace } from "./bad_link.js";
import { Board } from "./board.js";
import { motionOff, pause } from "./motion.js";
import { mark } from "./board_marks.js";
import { h, redraw, replace } from "./dom.js";
import { gameName } from "./play_cards.js";
import { icon, iconButton } from "./play_icons.js";
import { address, lookAt } from "./play_positions.js";
import { choice } from "./play_computer.js";
import { PuzzleGoals, rightText, solutionText, taskText, wrongTexts } from "./puzzle_goals.js";
import { named } from "./scores.js";
import { number, said, t } from "./words.js";

const SOLVED = "mnkala.puzzles";
const GRADES = 5;
const [ANSWER_AFTER, BACK_AFTER] = [550, 1500]; // milliseconds: the reply to a right move, the return from a wrong one

/** Puzzles that were solved: {name: "alone" or "helped"}. */
const solvedOnes = () => keptJson(SOLVED);

/** @param {PuzzleView} options */
const nameOf = ({ game, moves }) => `${game} ${moves}`;

/** @type {Show} */
export const show = async (container, params, context) => {
  const page = new PuzzlePage(container, context);
  let game = params.game || "";
  try {
    const wanted = page.goals.wanted(params);
    ({ game } = wanted);
    await page.fetch(game, wanted.goal, wanted.at);
  } catch (error) {
    page.close();
    const { goals } = page;
    const other =
      /** @type {Problems} */ (error).game || (goals.games.includes(game) ? game : goals.games[0]);
    const place = goals.placeOf(other, goals.of(other).goals[0]);
    return badPlace(
      container,
      error,
      context,
      h("a.button.primary", { href: place }, t("links.puzzles", { game: gameName(other) })),
    );
  }
  return { close: () => page.close(), keys: page.keys };
};

class PuzzlePage {
  /** @type {PuzzleView[]} */ set;
  /** @type {number} */ at;
  /** @type {PuzzleView} */ puzzle;
  /** @type {View} */ first;
  /** @type {View} */ view;
  /** @type {string} */ game;
  /** @type {number | string} */ goal;
  /** @type {number | null} */ left;
  /** @type {boolean} */ done;
  /** @type {boolean} */ helped;
  /** @type {boolean} */ busy;
  /** @type {string | null} */ hinted;
  /** @type {Cell[]} */ cells;

  /** @param {HTMLElement} container @param {Context} context */
  constructor(container, context) {
    this.context = context;
    this.goals = new PuzzleGoals(context.catalogue);
    context.title(t("puzzle.title"));
    this.turn = 0; // grows with everything that makes an answer on its way stale
    this.task = h("p.puzzle-task#puzzle-task");
    this.grade = h("p.puzzle-grade.soft");
    this.feedback = h("div.puzzle-feedback#puzzle-feedback", { role: "status" });
    this.progress = h("p.soft#puzzle-progress");
    this.dots = h("ol.puzzle-dots");
    this.hint = iconButton("hint", t("puzzle.hint"), {
      id: "puzzle-hint",
      onclick: () => this.help(false),
    });
    this.solution = iconButton("search", t("puzzle.solution"), {
      id: "puzzle-solution",
      onclick: () => this.help(true),
    });
    this.again = iconButton("undo", t("puzzle.again"), {
      id: "puzzle-again",
      onclick: () => this.restart(),
    });
    this.next = h(
      "button.primary#puzzle-next",
      { onclick: () => this.goNext() },
      h("span", t("puzzle.next")),
      icon("forward"),
    );
    this.analyse = h("a.button#puzzle-analyse", icon("chart"), h("span", t("puzzle.analyse")));
    this.about = h("p.soft");
    this.choices = h("div.puzzle-choices");
    const place = h("div.board-place");
    this.main = h(
      "section.game-main.puzzle-main",
      { "aria-label": t("play.board") },
      this.task,
      place,
    );
    replace(
      container,
      h(
        "div.game-page",
        this.main,
        h(
          "aside.game-side",
          { "aria-label": t("puzzle.title") },
          h("div", h("h1.game-title", t("puzzle.title")), this.about),
          this.choices,
          h(
            "section.panel.puzzle-panel",
            { "aria-label": t("puzzle.this_one") },
            this.grade,
            this.feedback,
            h("div.controls", this.hint, this.solution, this.again, this.next),
          ),
          (this.all = h("section.panel.puzzle-set", this.progress, this.dots)),
          h("div.controls", this.analyse),
        ),
      ),
    );
    this.board = new Board(place, { onMove: (move) => this.play(move) });
  }

  get keys() {
    const digits = Object.fromEntries(
      "123456789".split("").map((digit) => [digit, () => this.board.digit(digit)]),
    );
    return {
      h: () => this.help(false),
      n: () => this.goNext(),
      u: () => this.restart(),
      s: () => this.help(true),
      ...digits,
    };
  }

  // ---- Which puzzle ----

  /** @param {string} game @param {number | string} goal @param {number | null} wanted */
  open(game, goal, wanted) {
    return this.fetch(game, goal, wanted).catch((error) => {
      this.context.notify(error);
      if (this.puzzle) this.drawChoices(); // what was chosen is not there
    });
  }

  /**
   * A puzzle with a goal; without a number the first that is not solved.
   * @param {string} game @param {number | string} goal @param {number | null} wanted
   */
  async fetch(game, goal, wanted) {
    this.turn += 1;
    const mine = this.turn;
    const set = await api.post("puzzles", { game, ...this.goals.named(game, goal) });
    const solved = solvedOnes();
    const first = set.puzzles.findIndex((puzzle) => !solved[nameOf(puzzle)]);
    const at = wanted ?? Math.max(0, first);
    const puzzle = set.puzzles[at];
    if (!puzzle)
      throw new ApiError(
        400,
        t("links.no_puzzle_number", { number: at + 1, total: set.puzzles.length }),
      );
    const view = await lookAt(puzzle);
    if (mine !== this.turn) return;
    Object.assign(this, { set: set.puzzles, at, puzzle, first: view, game, goal });
    this.goals.keep(game, goal);
    history.replaceState(null, "", this.goals.placeOf(game, goal, at));
    this.drawChoices();
    this.restart();
  }

  /** The games and the goals of this one. */
  drawChoices() {
    const { game, goal, goals: known } = this;
    const games = [...new Set([...known.games, game])];
    const { goals } = known.of(game);
    redraw(this.choices, () =>
      replace(
        this.choices,
        choice(
          "puzzle-game",
          t("puzzle.game"),
          games.map((each) => [each, gameName(each)]),
          game,
          (each) => this.open(each, known.of(each).goals[0], null),
        ),
        choice(
          "puzzle-goal",
          known.title(game),
          goals.map((each) => [String(each), known.name(game, each)]),
          String(goal),
          (each) => this.open(game, goals.find((one) => String(one) === each) ?? goal, null),
        ),
      ),
    );
    this.about.textContent = known.about(game);
    for (const element of [this.all, this.dots])
      element.setAttribute("aria-label", known.setTitle(game));
  }

  restart() {
    if (!this.puzzle) return;
    this.turn += 1;
    Object.assign(this, {
      view: this.first,
      left: this.puzzle.win_in,
      done: false,
      helped: false,
      busy: false,
      hinted: null,
      cells: [],
    });
    this.say("", this.goals.demand(this.game, this.goal, this.first));
    this.draw();
    this.drawSet();
  }

  goNext() {
    if (!this.set) return;
    const solved = solvedOnes();
    const order = this.set.map((_, i) => (this.at + 1 + i) % this.set.length);
    this.open(this.game, this.goal, order.find((i) => !solved[nameOf(this.set[i])]) ?? order[0]);
  }

  // ---- Playing ----

  /** The moves since the puzzle began. */
  get played() {
    return this.view.played.slice(this.first.played.length);
  }

  /** This puzzle and what was played in it, as the server is asked. */
  get where() {
    return {
      game: this.puzzle.game,
      moves: this.puzzle.moves,
      ...this.goals.named(this.game, this.goal),
      played: this.played,
    };
  }

  /** @param {string} move */
  async play(move) {
    if (this.busy || this.done) return;
    this.turn += 1;
    const mine = this.turn;
    this.busy = true;
    this.hinted = null;
    this.cells = [];
    try {
      const answer = await api.post("puzzles/try", { ...this.where, move });
      if (mine !== this.turn) return;
      if (answer.right) await this.right(answer, mine);
      else await this.wrong(answer, mine);
    } catch (error) {
      this.busy = false;
      this.context.notify(error);
    }
  }

  /** @param {Tried} answer @param {number} mine */
  async right(answer, mine) {
    this.view = answer.after;
    this.draw(true);
    if (answer.solved) {
      this.finish(answer);
      return;
    }
    if (answer.reply !== null) await pause(motionOff() ? ANSWER_AFTER / 2 : ANSWER_AFTER);
    if (mine !== this.turn) return;
    const animate = answer.reply !== null;
    this.view = answer.answered;
    this.left = answer.left;
    this.busy = false;
    this.say("good", rightText(answer, this.first));
    this.draw(animate);
  }

  /** @param {Tried} answer @param {number} mine */
  async wrong(answer, mine) {
    const before = this.view;
    this.helped = true;
    const [head, ...more] = wrongTexts(answer);
    this.say("bad", head, more);
    this.view = answer.after;
    this.draw(true);
    await pause(BACK_AFTER);
    if (mine !== this.turn) return;
    this.view = before;
    this.busy = false;
    this.draw();
  }

  /** @param {Tried} options */
  finish({ worth }) {
    this.done = true;
    this.busy = false;
    const solved = solvedOnes();
    const name = nameOf(this.puzzle);
    if (solved[name] !== "alone") solved[name] = this.helped ? "helped" : "alone";
    localStorage.setItem(SOLVED, JSON.stringify(solved));
    this.say(
      "good",
      t(this.helped ? "puzzle.solved_helped" : "puzzle.solved"),
      this.puzzle.win_in === null ? [t("puzzle.solved_worth", { score: said(worth.words) })] : [],
    );
    this.draw();
    this.drawSet();
    this.next.focus({ preventScroll: true });
  }

  /** A hint: the move, and why; or the whole solution, played out. @param {boolean} whole */
  async help(whole) {
    if (this.busy || this.done || !this.puzzle) return;
    this.turn += 1;
    const mine = this.turn;
    this.busy = true;
    this.helped = true;
    try {
      const answer = await api.post("puzzles/help", this.where);
      if (mine !== this.turn) return;
      if (whole) await this.playOut(answer.line, mine);
      else this.point(answer);
    } catch (error) {
      this.context.notify(error);
    }
    if (mine === this.turn) this.busy = false;
  }

  /** @param {PuzzleHelp} answer */
  point(answer) {
    this.hinted = answer.line[0];
    this.cells = answer.reasons.flatMap(({ cells }) => cells);
    this.say(
      "",
      t("play.hint_says", { move: named([answer.line[0]], this.first) }),
      answer.reasons.map((reason) => said(reason)),
    );
    this.busy = false; // it can be played now
    this.draw();
  }

  /** @param {string[]} line @param {number} mine */
  async playOut(line, mine) {
    this.say("", solutionText(this.puzzle, line));
    for (const move of line) {
      const view = await api.post("look", {
        game: this.puzzle.game,
        moves: [...this.view.played, move].join(","),
      });
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

  /** @param {string} mood @param {string} head @param {(string | undefined)[]} [more] */
  say(mood, head, more = []) {
    this.feedback.className = `puzzle-feedback ${mood}`;
    this.feedback.dataset.mood = mood;
    const shape = { good: "✓", bad: "✗" }[mood];
    replace(
      this.feedback,
      h(
        "p.puzzle-head",
        shape ? h("span.puzzle-sign", { "aria-hidden": "true" }, shape) : null,
        h("strong", head),
      ),
      more.filter(Boolean).map((text) => h("p", text)),
    );
  }

  draw(animate = false) {
    const { view, puzzle, first } = this;
    this.board.show(view, {
      animate,
      interactive: !this.done && !this.busy,
      hint: this.hinted,
      cells: this.cells,
      yours: [0, 1].map((side) => side === first.mover),
    });
    this.board.fit(this.main);
    replace(this.task, mark(first.mover), h("span", taskText(puzzle, first, this.left, this.done)));
    replace(
      this.grade,
      t("puzzle.number", { number: number(this.at + 1), total: number(this.set.length) }),
      " · ",
      t("puzzle.grade"),
      " ",
      h(
        "span.puzzle-stars",
        {
          role: "img",
          "aria-label": t("puzzle.grade_of", {
            grade: number(puzzle.grade),
            grades: number(GRADES),
          }),
        },
        "★".repeat(puzzle.grade) + "☆".repeat(Math.max(0, GRADES - puzzle.grade)),
      ),
    );
    this.hint.disabled = this.solution.disabled = this.done;
    this.again.disabled = !this.done && !this.played.length;
    this.analyse.href = address("analysis", view);
  }

  drawSet() {
    const solved = solvedOnes();
    const count = this.set.filter((puzzle) => solved[nameOf(puzzle)]).length;
    replace(this.progress, this.goals.progress(this.game, this.goal, count, this.set.length));
    replace(
      this.dots,
      this.set.map((puzzle, i) => {
        const state = solved[nameOf(puzzle)];
        return h(
          "li",
          h(
            "button",
            {
              class: `puzzle-dot${state ? ` ${state}` : ""}`,
              "data-puzzle": String(i + 1),
              "data-solved": state || null,
              "aria-current": i === this.at ? "step" : null,
              "aria-label": t(state ? `puzzle.dot_${state}` : "puzzle.dot", {
                number: number(i + 1),
              }),
              onclick: () => this.open(this.game, this.goal, i),
            },
            state ? "✓" : number(i + 1),
          ),
        );
      }),
    );
  }

  close() {
    this.turn += 1;
    this.board.close();
  }
}
