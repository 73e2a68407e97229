// Lessons in playing: a few sentences, a position, and something to find in it. What is tried is judged by the server's solver; a wrong move is
// refuted on the board. The address says which lesson: #/lessons/GAME/LESSON. What was learned is kept with the games.

import { api, ApiError } from "./api.js";
import { badPlace } from "./bad_link.js";
import { Board } from "./board.js";
import { mark } from "./board_marks.js";
import { h, part, replace } from "./dom.js";
import { motionOff, pause } from "./motion.js";
import { gameName } from "./play_cards.js";
import { icon, iconButton } from "./play_icons.js";
import { address, look } from "./play_positions.js";
import { tell, wrongTexts } from "./puzzle_goals.js";
import { named } from "./scores.js";
import { language, number, said, t } from "./words.js";

const STEP = 650; // milliseconds between the moves that are shown
const MOST_SHOWN = 6; // moves of a refutation that are played to its end; of a longer one the reply is

/** @param {string} game @param {string} name */
const placeOf = (game, name) => `#/lessons/${encodeURIComponent(game)}/${name}`;
/** @param {CourseView} course */
const unlearned = ({ lessons }) => lessons.find(({ learned }) => !learned);
/** @param {CourseView} course */
const progress = ({ lessons }) =>
  t("lesson.progress", {
    done: number(lessons.filter(({ learned }) => learned).length),
    total: number(lessons.length),
  });

/** @type {Show} */
export const show = async (container, params, context) => {
  const { courses } = await api.get(`lessons?language=${language}`);
  const course = courses.find(({ game }) => game === params.game);
  const at = course?.lessons.findIndex(({ name }) => name === params.name) ?? -1;
  if (params.game && at < 0)
    return badPlace(
      container,
      new ApiError(404, t("lesson.none")),
      context,
      h("a.button.primary", { href: "#/lessons" }, t("lesson.all")),
    );
  context.title(t("lesson.title"));
  if (!course) {
    container.append(overview(courses));
    return { close() {} };
  }
  const page = new LessonPage(container, course, at, context);
  await page.restart();
  return { close: () => page.close(), keys: page.keys };
};

/** @param {CourseView[]} courses */
function overview(courses) {
  return h(
    "div.learn-home",
    h("h1", t("lesson.title")),
    h("p.soft", t("lesson.about")),
    h(
      "div.courses",
      courses.map((course) => {
        const { game, lessons } = course;
        const next = unlearned(course) ?? lessons[0];
        const begun = lessons.some(({ learned }) => learned);
        return h(
          "section.panel.course",
          { "data-course": game, "aria-label": gameName(game) },
          h("h2", gameName(game)),
          h("p.soft", progress(course)),
          h(
            "a.button.primary",
            { href: placeOf(game, next.name) },
            t(begun ? "lesson.go_on" : "lesson.begin", { title: next.title }),
          ),
          h(
            "ol.lesson-list",
            lessons.map(({ name, title, learned }) =>
              h(
                "li",
                h("a", { href: placeOf(game, name), "data-lesson": name }, title),
                learned
                  ? h("span.learned", { role: "img", "aria-label": t("lesson.learned") }, " ✓")
                  : null,
              ),
            ),
          ),
        );
      }),
    ),
  );
}

class LessonPage {
  /** @type {View} */ first;
  /** @type {View} */ view;
  /** @type {string[]} */ played;
  /** @type {string | null} */ hinted;
  /** @type {Cell[]} */ cells;
  /** @type {"open" | "busy" | "wrong" | "done"} */ state;

  /** @param {HTMLElement} container @param {CourseView} course @param {number} at @param {Context} context */
  constructor(container, course, at, context) {
    this.course = course;
    this.at = at;
    this.context = context;
    this.lesson = course.lessons[at];
    this.turn = 0; // grows with everything that makes an answer on its way stale
    this.task = h("p.puzzle-task#lesson-task");
    this.feedback = h("div.puzzle-feedback#lesson-feedback", { role: "status" });
    this.controls = h("div.controls");
    this.progress = h("p.soft");
    this.dots = h("ol.puzzle-dots", { "aria-label": gameName(course.game) });
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
        "div.game-page.lesson-page",
        h(
          "section.lesson-words",
          h(
            "p.soft",
            `${gameName(course.game)} · `,
            t("lesson.number", { number: number(at + 1), total: number(course.lessons.length) }),
          ),
          h("h1.game-title", this.lesson.title),
          h("p", this.lesson.text),
        ),
        this.main,
        h(
          "aside.game-side",
          { "aria-label": t("lesson.title") },
          h("section.panel.puzzle-panel", this.feedback, this.controls),
          h(
            "section.panel.puzzle-set",
            this.progress,
            this.dots,
            h("a", { href: "#/lessons" }, t("lesson.all")),
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
      u: () => this.restart(),
      ...this.board.digits,
    };
  }

  async restart() {
    this.turn += 1;
    const mine = this.turn;
    const { game } = this.course;
    const { start, moves } = this.lesson;
    const first = await look(game, start, moves ? [moves] : []);
    if (mine !== this.turn) return;
    Object.assign(this, { first, view: first, played: [], cells: this.lesson.cells });
    this.set("open", "", "");
  }

  goNext() {
    const next = this.course.lessons[this.at + 1];
    if (next) this.context.navigate(placeOf(this.course.game, next.name));
    else return false;
  }

  get where() {
    return { game: this.course.game, lesson: this.lesson.name, played: this.played };
  }

  // ---- Playing ----

  /** @param {string} move */
  async play(move) {
    if (this.state === "wrong") await this.goBack();
    if (this.state !== "open") return;
    this.turn += 1;
    const mine = this.turn;
    this.state = "busy";
    try {
      const answer = await api.post("lessons/try", { ...this.where, move });
      if (mine !== this.turn) return;
      this.cells = [];
      this.hinted = null;
      await (answer.right ? this.right(answer, mine) : this.wrong(answer, mine));
    } catch (error) {
      if (mine === this.turn) this.state = "open";
      this.context.notify(error);
    }
  }

  /** Moves one after the other on the board. @param {string[]} moves @param {number} mine */
  async playOut(moves, mine) {
    for (const [i, move] of moves.entries()) {
      if (i) await pause(motionOff() ? STEP / 2 : STEP);
      const { game, start, played } = this.view;
      const view = await look(game, start, [...played, move]);
      if (mine !== this.turn) return;
      this.view = view;
      this.draw(true);
    }
  }

  /** @param {Tried} answer @param {number} mine */
  async right({ move, solved, answered }, mine) {
    const since = this.view.played.length;
    const moves = solved ? [move] : answered.played.slice(since);
    await this.playOut(moves, mine);
    if (mine !== this.turn) return;
    this.played = [...this.played, ...moves];
    if (solved) {
      this.lesson.learned = true;
      const ended = this.at === this.course.lessons.length - 1;
      this.set("done", "good", t("lesson.right"), [
        this.lesson.right,
        ended ? t("lesson.course_done") : "",
      ]);
      part(this.controls, ".primary").focus({ preventScroll: true });
    } else {
      const names = { move: named([move], this.first), reply: named(moves.slice(1), this.first) };
      this.set(
        "open",
        "good",
        t(moves.length > 1 ? "lesson.goes_on" : "puzzle.right_again", names),
      );
    }
  }

  /** @param {Tried} answer @param {number} mine */
  async wrong(answer, mine) {
    const [head, ...more] = wrongTexts(answer, this.first);
    const { line, move, refutation } = answer;
    tell(this.feedback, "bad", head, more);
    await this.playOut(line.length > MOST_SHOWN ? [move, ...refutation] : line, mine);
    if (mine === this.turn) this.set("wrong");
  }

  /** Back to where the wrong move was tried. */
  async goBack() {
    this.turn += 1;
    const { game, start, played } = this.first;
    this.view = await look(game, start, [...played, ...this.played]);
    this.set("open", "", "");
  }

  /** A right move, and why. */
  async help() {
    if (this.state === "wrong") await this.goBack();
    if (this.state !== "open") return;
    this.turn += 1;
    const mine = this.turn;
    try {
      const { line, reasons } = await api.post("lessons/help", this.where);
      if (mine !== this.turn) return;
      this.hinted = line[0];
      this.cells = reasons.flatMap(({ cells }) => cells);
      const move = named([line[0]], this.first);
      tell(
        this.feedback,
        "",
        t("play.hint_says", { move }),
        reasons.map((reason) => said(reason)),
      );
      this.draw();
    } catch (error) {
      this.context.notify(error);
    }
  }

  // ---- Drawing ----

  /** @param {LessonPage["state"]} state @param {string} [mood] @param {string} [head] @param {string[]} [more] */
  set(state, mood, head, more) {
    this.state = state;
    this.hinted = null;
    if (head !== undefined) tell(this.feedback, mood ?? "", head, more);
    this.draw();
    const { lessons, game } = this.course;
    const next = lessons[this.at + 1];
    replace(
      this.controls,
      state === "wrong"
        ? iconButton("undo", t("lesson.again"), {
            id: "lesson-again",
            class: "primary",
            onclick: () => this.goBack(),
          })
        : null,
      state === "done"
        ? h(
            "a.button.primary#lesson-next",
            { href: next ? placeOf(game, next.name) : `#/?game=${encodeURIComponent(game)}` },
            h("span", t(next ? "lesson.next" : "play.new_game")),
            icon("forward"),
          )
        : iconButton("hint", t("puzzle.hint"), { id: "lesson-hint", onclick: () => this.help() }),
      this.played.length
        ? iconButton("undo", t("puzzle.again"), {
            id: "lesson-restart",
            onclick: () => this.restart(),
          })
        : null,
      h(
        "a.button#lesson-analyse",
        { href: address("analysis", this.view) },
        icon("chart"),
        h("span", t("puzzle.analyse")),
      ),
    );
    this.progress.textContent = progress(this.course);
    replace(
      this.dots,
      lessons.map(({ name, title, learned }, i) =>
        h(
          "li",
          h(
            "a.button",
            {
              href: placeOf(game, name),
              class: `button puzzle-dot${learned ? " alone" : ""}`,
              "data-dot": String(i + 1),
              title,
              "aria-current": i === this.at ? "step" : null,
              "aria-label": `${title}${learned ? `, ${t("lesson.learned")}` : ""}`,
            },
            learned ? "✓" : number(i + 1),
          ),
        ),
      ),
    );
    if (this.feedback.textContent) this.controls.scrollIntoView({ block: "nearest" });
  }

  draw(animate = false) {
    const { first, lesson } = this;
    this.board.show(this.view, {
      animate,
      interactive: this.state === "open",
      hint: this.hinted,
      cells: this.cells,
      yours: [0, 1].map((side) => side === first.mover),
    });
    this.board.fit(this.main);
    replace(this.task, mark(first.mover), h("span", lesson.task));
  }

  close() {
    this.turn += 1;
    this.board.close();
  }
}
