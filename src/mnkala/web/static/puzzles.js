// Puzzles: find the one move that wins in time, and play the win out against the best defence; or the one right turn. The server's
// solver judges every move, and the server keeps what was reached. The address says which puzzles are open:
// #/puzzles?win_in=4&number=3 is one of a theme (with `moves` exactly that one), ?daily=today the one of the day, ?mixed=all some near the
// person's rating, ?like=MISTAKE three that train against a kind of mistake, after which `back` is offered.

import { api, ApiError, keptJson } from "./api.js";
import { badPlace } from "./bad_link.js";
import { Board } from "./board.js";
import { motionOff, pause } from "./motion.js";
import { mark } from "./board_marks.js";
import { h, redraw, replace } from "./dom.js";
import { gameName } from "./play_cards.js";
import { copyButton, icon, iconButton } from "./play_icons.js";
import { address, lookAt } from "./play_positions.js";
import { choice } from "./play_computer.js";
import {
  PuzzleGoals,
  rightText,
  solutionText,
  taskText,
  tell,
  wrongTexts,
} from "./puzzle_goals.js";
import { named } from "./scores.js";
import { language, number, said, t } from "./words.js";

const SOLVED = "mnkala.puzzles"; // what browsers kept before the server did
const GRADES = 5;
const ANSWER_AFTER = 550; // milliseconds until the reply to a move
const RATED_FROM = 3; // puzzles
const ALIKE = 3; // puzzles after a mistake
const MODES = /** @type {const} */ (["daily", "mixed", "theme"]);

/** The date on this person's calendar. */
export function today() {
  const now = new Date();
  const two = (/** @type {number} */ part) => String(part).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

/** Hand over what this browser has kept of solved puzzles. */
async function handOver() {
  const solved = keptJson(SOLVED);
  if (!Object.keys(solved).length) return;
  await api.post("puzzles/solved", { solved });
  localStorage.removeItem(SOLVED);
}

/** @type {Show} */
export const show = async (container, params, context) => {
  const page = new PuzzlePage(container, context);
  await handOver().catch(context.notify);
  try {
    await page.begin(params);
  } catch (error) {
    page.close();
    const { goals } = page;
    const game = params.game ?? "";
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
  /** @type {PuzzleProgress} */ reached;
  /** @type {"daily" | "mixed" | "theme" | "like"} */ mode;
  /** @type {Params} */ params;
  /** @type {PuzzleHelp | null} */ answer;
  /** @type {View | null} */ refuted;
  /** @type {number} */ steps;

  /** @param {HTMLElement} container @param {Context} context */
  constructor(container, context) {
    this.context = context;
    this.goals = new PuzzleGoals(context.catalogue);
    context.title(t("puzzle.title"));
    this.turn = 0; // grows with everything that makes an answer on its way stale
    this.task = h("p.puzzle-task#puzzle-task");
    this.grade = h("p.puzzle-grade.soft");
    this.rating = h("p.soft#puzzle-rating");
    this.feedback = h("div.puzzle-feedback#puzzle-feedback", { role: "status" });
    this.progress = h("p.soft#puzzle-progress");
    this.dots = h("ol.puzzle-dots");
    this.hint = iconButton("hint", t("puzzle.hint"), {
      id: "puzzle-hint",
      onclick: () => this.help(),
    });
    this.solution = iconButton("search", t("puzzle.solution"), {
      id: "puzzle-solution",
      onclick: () => this.showSolution(),
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
    this.about = h("p.soft.puzzle-about");
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
          h("div", h("h1.game-title", t("puzzle.title")), this.rating),
          h(
            "section.panel.puzzle-panel",
            { "aria-label": t("puzzle.this_one") },
            this.grade,
            this.feedback,
            h("div.controls", this.hint, this.solution, this.again, this.next),
          ),
          this.choices,
          this.about,
          (this.all = h("section.panel.puzzle-set", this.progress, this.dots)),
          h(
            "div.controls",
            this.analyse,
            copyButton(
              () => new URL(this.goals.linkTo(this.puzzle), location.href).href,
              t("puzzle.copy_link"),
              { id: "puzzle-link" },
            ),
          ),
        ),
      ),
    );
    this.board = new Board(place, { onMove: (move) => this.play(move) });
  }

  get keys() {
    return {
      h: () => this.help(),
      n: () => this.goNext(),
      u: () => (this.refuted ? this.takeBack() : this.restart()),
      s: () => this.showSolution(),
      ...this.board.digits,
    };
  }

  // ---- Which puzzle ----

  /** The puzzles that an address asks for. @param {Params} params */
  begin(params) {
    this.params = params;
    const { like, mixed, daily } = params;
    const themed = ["game", "win_in", "kind", "number"].some((name) => params[name] !== undefined);
    if (like !== undefined)
      return this.pick("like", { pick: "similar", mistake: like, count: ALIKE });
    if (mixed !== undefined) return this.pick("mixed", { pick: "mixed" });
    if (daily !== undefined || !themed) {
      const date = daily === undefined || daily === "today" ? undefined : daily;
      return this.pick("daily", { pick: "daily", date });
    }
    const { game, goal, at } = this.goals.wanted(params);
    return this.fetch(game, goal, at, params.moves);
  }

  /** @param {string} place */
  openPlace(place) {
    this.context.navigate(place);
  }

  /** Puzzles that the server chooses. @param {"daily" | "mixed" | "like"} mode @param {Partial<PickRequest>} asked */
  async pick(mode, asked) {
    this.turn += 1;
    const mine = this.turn;
    const game =
      mode === "mixed" && this.params.mixed !== "all" ? this.params.mixed : this.params.game;
    const request = /** @type {PickRequest} */ ({ day: today(), ...asked });
    const found = await api.post("puzzles/pick", mode === "daily" ? request : { ...request, game });
    const wanted = found.puzzles.findIndex((each) => each.game === (game ?? this.goals.lastGame()));
    if (mine !== this.turn) return;
    this.mode = mode;
    await this.take(found, mode === "daily" ? Math.max(0, wanted) : 0, mine);
  }

  /**
   * A puzzle with a goal; without a number the first that is not solved.
   * @param {string} game @param {number | string} goal @param {number | null} wanted @param {string} [moves]
   */
  async fetch(game, goal, wanted, moves) {
    this.turn += 1;
    const mine = this.turn;
    const found = await api.post("puzzles", {
      game,
      moves,
      day: today(),
      ...this.goals.named(game, goal),
    });
    const first = found.puzzles.findIndex(({ state }) => !isSolved(state));
    const at = found.at ?? wanted ?? Math.max(0, first);
    if (!found.puzzles[at])
      throw new ApiError(
        400,
        t("links.no_puzzle_number", { number: at + 1, total: found.puzzles.length }),
      );
    if (mine !== this.turn) return;
    this.mode = "theme";
    await this.take(found, at, mine);
  }

  /** @param {Puzzles} found @param {number} at @param {number} mine */
  async take(found, at, mine) {
    this.reached = found.progress;
    await this.openAt(found.puzzles, at, mine);
  }

  /** One of these puzzles. @param {PuzzleView[]} set @param {number} at @param {number} mine */
  async openAt(set, at, mine) {
    const puzzle = set[at];
    const view = await lookAt(puzzle);
    if (mine !== this.turn) return;
    const goal = PuzzleGoals.goalOf(puzzle);
    Object.assign(this, { set, at, puzzle, first: view, game: puzzle.game, goal });
    if (this.mode === "theme") {
      this.goals.keep(puzzle.game, goal);
      history.replaceState(
        null,
        "",
        this.params.moves && puzzle.moves === this.params.moves
          ? this.goals.linkTo(puzzle)
          : this.goals.placeOf(puzzle.game, goal, at),
      );
    }
    this.drawChoices();
    this.restart();
  }

  /** Another puzzle of those that are listed. @param {number} at */
  goTo(at) {
    this.turn += 1;
    return this.openAt(this.set, at, this.turn).catch((error) => this.context.notify(error));
  }

  /** @param {string} game @param {number | string} goal */
  open(game, goal) {
    return this.fetch(game, goal, null).catch((error) => {
      this.context.notify(error);
      if (this.puzzle) this.drawChoices(); // what was chosen is not there
    });
  }

  /** How puzzles are chosen, of which game, and with which goal. */
  drawChoices() {
    const { game, goal, goals: known, mode } = this;
    const all = { all: t("puzzle.all_games") };
    /** @param {string} chosen */
    const setMode = (chosen) => {
      if (chosen === "theme") this.open(game, known.of(game).goals[0]);
      else this.openPlace(`#/puzzles?${chosen}=${chosen === "daily" ? "today" : "all"}`);
    };
    const games = [...new Set([...known.games, ...(mode === "theme" ? [game] : [])])];
    const mixed = this.params.mixed ?? "all";
    redraw(this.choices, () =>
      replace(
        this.choices,
        choice(
          "puzzle-mode",
          t("puzzle.mode"),
          MODES.map((each) => [each, t(`puzzle.mode_${each}`)]),
          mode,
          setMode,
        ),
        mode === "theme"
          ? choice(
              "puzzle-game",
              t("puzzle.game"),
              games.map((each) => [each, gameName(each)]),
              game,
              (each) => this.open(each, known.of(each).goals[0]),
            )
          : null,
        mode === "mixed"
          ? choice(
              "puzzle-game",
              t("puzzle.game"),
              [...Object.entries(all), ...known.games.map((each) => [each, gameName(each)])],
              mixed,
              (each) => this.openPlace(`#/puzzles?mixed=${encodeURIComponent(each)}`),
            )
          : null,
        mode === "theme"
          ? choice(
              "puzzle-goal",
              known.title(game),
              known.of(game).goals.map((each) => [String(each), known.name(game, each)]),
              String(goal),
              (each) =>
                this.open(game, known.of(game).goals.find((one) => String(one) === each) ?? goal),
            )
          : null,
      ),
    );
    this.about.textContent =
      mode === "theme"
        ? known.about(game)
        : t(`puzzle.about_${mode}`, { date: dateText(this.params.daily) });
    for (const element of [this.all, this.dots])
      element.setAttribute(
        "aria-label",
        mode === "theme" ? known.setTitle(game) : t("puzzle.chosen"),
      );
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
      answer: null,
      refuted: null,
      steps: 0,
    });
    tell(this.feedback, "", this.goals.demand(this.game, this.goal, this.first));
    this.draw();
    this.drawSet();
  }

  /** The next puzzle; after the last of a mixed set others, after the last of a series the way back. */
  goNext() {
    if (!this.set) return;
    const order = this.set.map((_, i) => (this.at + 1 + i) % this.set.length);
    const open = order.find((i) => !isSolved(this.set[i].state));
    if (this.mode === "like" && this.at === this.set.length - 1) {
      this.openPlace(this.params.back ? `#/${this.params.back}` : "#/puzzles?mixed=all");
      return;
    }
    if (this.mode === "mixed" && open === undefined) {
      this.pick("mixed", { pick: "mixed" }).catch((error) => this.context.notify(error));
      return;
    }
    this.goTo(this.mode === "like" ? this.at + 1 : (open ?? order[0]));
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
      day: today(),
    };
  }

  /** @param {string} move */
  async play(move) {
    if (this.refuted) this.takeBack();
    if (this.busy || this.done) return;
    this.turn += 1;
    const mine = this.turn;
    this.busy = true;
    Object.assign(this, { hinted: null, cells: [], answer: null, steps: 0 });
    try {
      const answer = await api.post("puzzles/try", {
        ...this.where,
        move,
        helped: this.helped,
        everywhere: this.mode !== "theme",
      });
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
    tell(this.feedback, "good", rightText(answer, this.first));
    this.draw(animate);
  }

  /** A wrong move is answered on the board by what refutes it; it stays there until it is taken back. @param {Tried} answer @param {number} mine */
  async wrong(answer, mine) {
    const before = this.view;
    this.helped = true;
    this.note(answer, "tried");
    const [head, ...more] = wrongTexts(answer, this.first);
    const back = h("button#puzzle-retry", { onclick: () => this.takeBack() }, t("puzzle.retry"));
    tell(this.feedback, "bad", head, more, back);
    this.view = answer.after;
    this.draw(true);
    for (const move of answer.refutation) {
      await pause(motionOff() ? ANSWER_AFTER / 2 : ANSWER_AFTER);
      const view = await this.after(move);
      if (mine !== this.turn) return;
      this.view = view;
      this.cells = answer.why.flatMap(({ cells }) => cells);
      this.draw(true);
    }
    this.refuted = before;
    this.busy = false;
    this.draw();
  }

  /** The board before the wrong move. */
  takeBack() {
    if (!this.refuted) return;
    Object.assign(this, { view: this.refuted, refuted: null, cells: [] });
    tell(this.feedback, "", this.goals.demand(this.game, this.goal, this.first));
    this.draw();
    this.board.focus();
  }

  /** The position after one more move. @param {string} move */
  after(move) {
    return api.post("look", {
      game: this.puzzle.game,
      moves: [...this.view.played, move].join(","),
    });
  }

  /** Keep what the server says of this puzzle now. @param {Tried} answer @param {PuzzleView["state"]} state */
  note({ progress }, state) {
    const order = ["", "tried", "helped", "alone"];
    if (order.indexOf(state) > order.indexOf(this.puzzle.state)) this.puzzle.state = state;
    if (progress) this.reached = progress;
    this.drawRating();
    this.drawSet();
  }

  /** @param {Tried} answer */
  finish(answer) {
    this.done = true;
    this.busy = false;
    this.note(answer, this.helped ? "helped" : "alone");
    tell(this.feedback, "good", t(this.helped ? "puzzle.solved_helped" : "puzzle.solved"), [
      this.puzzle.win_in === null
        ? t("puzzle.solved_worth", { score: said(answer.worth.words) })
        : undefined,
      answer.progress ? undefined : t("puzzle.not_kept"),
    ]);
    this.draw();
    this.next.focus({ preventScroll: true });
  }

  /** What the server knows of the solution from here, once. */
  async asked() {
    if (this.refuted) this.takeBack();
    if (this.busy || this.done || !this.puzzle) return null;
    this.helped = true;
    if (this.answer) return this.answer;
    this.turn += 1;
    const mine = this.turn;
    this.busy = true;
    try {
      const answer = await api.post("puzzles/help", this.where);
      if (mine !== this.turn) return null;
      this.answer = answer;
      return answer;
    } catch (error) {
      this.context.notify(error);
      return null;
    } finally {
      if (mine === this.turn) this.busy = false;
    }
  }

  /** The next hint: where to look, what the move is about, the move and why. */
  async help() {
    const answer = await this.asked();
    if (!answer) return;
    if (!this.steps && !answer.area.length) this.steps = 1;
    this.steps = Math.min(3, this.steps + 1);
    if (this.steps === 1) {
      this.cells = answer.area;
      tell(this.feedback, "", t("puzzle.look_here"));
    } else if (this.steps === 2) tell(this.feedback, "", answer.idea ? said(answer.idea) : "");
    else {
      this.hinted = answer.line[0];
      this.cells = answer.reasons.flatMap(({ cells }) => cells);
      tell(
        this.feedback,
        "",
        t("play.hint_says", { move: named([answer.line[0]], this.first) }),
        answer.reasons.map((reason) => said(reason)),
      );
    }
    this.draw();
  }

  /** The whole solution, played out. */
  async showSolution() {
    const answer = await this.asked();
    if (!answer) return;
    this.busy = true;
    this.turn += 1;
    const mine = this.turn;
    tell(this.feedback, "", solutionText(this.puzzle, answer.line));
    for (const move of answer.line) {
      const view = await this.after(move);
      if (mine !== this.turn) return;
      this.view = view;
      this.draw(true);
      await pause(motionOff() ? ANSWER_AFTER / 2 : ANSWER_AFTER);
      if (mine !== this.turn) return;
    }
    this.done = true;
    this.busy = false;
    this.draw();
  }

  // ---- Drawing ----

  drawRating() {
    const { rating, low, high, tried, streak } = this.reached;
    const about =
      rating === null || low === null || high === null
        ? t("puzzle.rating_none", { count: Math.max(1, RATED_FROM - tried) })
        : t("puzzle.rating", { rating: number(rating), low: number(low), high: number(high) });
    const days = streak ? ` · ${t("puzzle.streak", { days: streak })}` : "";
    this.rating.textContent = about + days;
  }

  draw(animate = false) {
    const { view, puzzle, first } = this;
    this.board.show(view, {
      animate,
      interactive: !this.done && !this.busy && !this.refuted,
      hint: this.hinted,
      cells: this.cells,
      yours: [0, 1].map((side) => side === first.mover),
    });
    this.board.fit(this.main);
    replace(this.task, mark(first.mover), h("span", taskText(puzzle, first, this.left, this.done)));
    replace(
      this.grade,
      this.mode === "theme"
        ? t("puzzle.number", { number: number(this.at + 1), total: number(this.set.length) })
        : `${gameName(puzzle.game)} · ${t("puzzle.number", { number: number(puzzle.number + 1), total: number(puzzle.total) })}`,
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
    this.hint.disabled = this.done || this.steps === 3;
    this.solution.disabled = this.done;
    const last = this.mode === "like" && this.at === this.set.length - 1;
    replace(
      this.next,
      h("span", t(last && this.params.back ? "puzzle.back_to_game" : "puzzle.next")),
      icon("forward"),
    );
    this.again.disabled = !this.done && !this.played.length;
    this.analyse.href = address("analysis", view);
  }

  drawSet() {
    const count = this.set.filter(({ state }) => isSolved(state)).length;
    this.drawRating();
    replace(
      this.progress,
      this.mode === "theme"
        ? this.goals.progress(this.game, this.goal, count, this.set.length)
        : t("puzzle.progress_chosen", { done: number(count), total: number(this.set.length) }),
    );
    const named_ = this.mode === "daily";
    replace(
      this.dots,
      this.set.map(({ state, game }, i) => {
        const solved = isSolved(state) ? state : null;
        const words = t(solved ? `puzzle.dot_${solved}` : "puzzle.dot", { number: number(i + 1) });
        return h(
          "li",
          h(
            "button",
            {
              class: `puzzle-dot${named_ ? " named" : ""}${solved ? ` ${solved}` : ""}`,
              "data-puzzle": String(i + 1),
              "data-solved": solved,
              "aria-current": i === this.at ? "step" : null,
              "aria-label": named_ ? `${gameName(game)}: ${words}` : words,
              onclick: () => this.goTo(i),
            },
            `${solved ? "✓" : ""}${named_ ? ` ${gameName(game)}` : solved ? "" : number(i + 1)}`,
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

/** @param {PuzzleView["state"]} state */
const isSolved = (state) => state === "alone" || state === "helped";

/** A date in words; today if none is named. @param {string | undefined} date */
function dateText(date) {
  const day = date && date !== "today" ? new Date(`${date}T12:00`) : new Date();
  return new Intl.DateTimeFormat(language, { dateStyle: "long" }).format(day);
}
