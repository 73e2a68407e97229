// Looking ahead along a line of the analysis without playing it. That needs intent: a click, the focus by the keyboard, or a pointer
// that rests for a moment. The board then says that it is a preview. Two buttons and the arrow keys step along the line, within a move too
// where the game tells its steps (the seeds of a sowing). Escape or leaving ends it; after a click or a step it stays until then.

import { around, h, part, replace } from "./dom.js";
import { signButton } from "./play_icons.js";
import { stepText } from "./scores.js";
import { t } from "./words.js";

const REST = 250; // milliseconds that a pointer rests before it means something
const LAST = 8; // moves that the board names

export class LinePreview {
  /** @type {string[] | null} */ line;
  /** @type {string[]} */ whole;
  /** @type {number} */ done;
  /** @type {boolean} */ kept;
  /** @type {string | null} */ refused;
  /** @type {number} */ timer;

  /**
   * `list` holds buttons with `data-line`, in an element with the whole line in `data-whole`, or with `data-walk`, a line to step through;
   * `onPreview(moves or null, step or null)` shows where a line leads, or what a step of its next move does; `stepsOf(moves, move)` tells these;
   * `onPlay(moves)`, where there is one, plays a line.
   * @param {HTMLElement} list
   * @param {{ onPreview: (line: string[] | null, step?: StepView | null) => void, stepsOf: (line: string[], move: string) => Promise<StepView[]>, onPlay?: ((line: string[]) => void) | null }} options
   */
  constructor(list, { onPreview, stepsOf, onPlay = null }) {
    this.onPreview = onPreview;
    this.stepsOf = stepsOf;
    this.line = null; // the moves that are looked at, of the whole line; `done` steps of the next one are
    this.walking = Promise.resolve();
    this.moves = h("span.preview-moves");
    /** @param {"back" | "forward"} name @param {number} by */
    const walk = (name, by) =>
      signButton(name, t(`turn.${name}`), { id: `preview-${name}`, onclick: () => this.step(by) });
    this.bar = h(
      "div.preview-bar",
      { role: "status", hidden: true },
      h("strong", t("analysis.preview")),
      walk("back", -1),
      this.moves,
      walk("forward", 1),
      onPlay
        ? h(
            "button#play-preview",
            {
              onclick: () => {
                const { reached } = this;
                this.end();
                onPlay(reached);
              },
            },
            t("analysis.play_line"),
          )
        : null,
      signButton("close", t("analysis.end_preview"), { onclick: () => this.end() }),
    );
    const at = (/** @type {Event} */ event) => around(event, "[data-line]");
    list.addEventListener("mouseover", (event) => this.rest(at(event)));
    list.addEventListener("mouseleave", () => this.leave());
    list.addEventListener("focusin", (event) => {
      const button = at(event);
      if (button && /** @type {Element} */ (event.target).matches(":focus-visible"))
        this.show(button);
    });
    list.addEventListener("focusout", (event) => {
      if (event.relatedTarget && !this.ours(event.relatedTarget)) this.leave();
    });
    list.addEventListener("click", (event) => {
      const [walked, button] = [around(event, "[data-walk]"), at(event)];
      if (walked) this.walk(walked.dataset.walk?.split(",") ?? []);
      else if (button) this.show(button, true);
    });
    this.ours = (/** @type {EventTarget | null} */ given) => {
      const target = /** @type {Node | null} */ (given);
      return list.contains(target) || this.bar.contains(target);
    };
    this.outside = (/** @type {Event} */ event) => {
      if (!this.ours(event.target)) this.end();
    };
    this.pressed = (/** @type {KeyboardEvent} */ event) => {
      if (event.key === "Escape") {
        this.refused = this.reached.join(); // where the pointer still rests
        this.end();
      } else if (
        (event.key === "ArrowLeft" || event.key === "ArrowRight") &&
        !event.ctrlKey &&
        !event.metaKey &&
        !event.altKey
      ) {
        this.step(event.key === "ArrowRight" ? 1 : -1);
        event.preventDefault(); // the page's arrows walk along the game
      }
    };
  }

  /** @param {HTMLElement | null} button */
  rest(button) {
    clearTimeout(this.timer);
    if (this.kept || (button && lineOf(button).join() === this.refused)) return;
    this.refused = null;
    if (button) this.timer = setTimeout(() => this.show(button), REST);
    else if (this.line) this.timer = setTimeout(() => this.end(), REST);
  }

  leave() {
    clearTimeout(this.timer);
    if (!this.kept) this.end();
  }

  /**
   * Show the line of a button. `kept`: until Escape or a click elsewhere, not only as long as the
   * pointer is on it.
   * @param {HTMLElement} button @param {boolean} [kept]
   */
  show(button, kept = false) {
    const line = lineOf(button);
    this.begin(
      line,
      /** @type {HTMLElement | null} */ (button.closest("[data-whole]"))?.dataset.whole?.split(
        ",",
      ) ?? line,
      kept,
    );
  }

  /** Step through a line from its beginning. @param {string[]} whole */
  walk(whole) {
    this.begin([], whole, true);
    this.step(1);
  }

  /** @param {string[]} line @param {string[]} whole @param {boolean} kept */
  begin(line, whole, kept) {
    clearTimeout(this.timer);
    if (!this.line) {
      document.addEventListener("pointerdown", this.outside);
      document.addEventListener("keydown", this.pressed);
    }
    Object.assign(this, { line, whole, kept, done: 0 });
    this.draw();
  }

  // ---- Steps ----

  /** One step forward or back, after those that were asked for before. @param {number} by */
  step(by) {
    this.kept = true;
    this.walking = this.walking.then(() => this.go(by)).catch(() => {});
  }

  /**
   * Go some steps; the last step of a move and the position after it look alike, so one of them is
   * passed over.
   * @param {number} by
   */
  async go(by) {
    const { whole } = this;
    let { line, done } = this;
    if (!line) return;
    /** @param {string[]} moves */
    const count = async (moves) =>
      moves.length < whole.length ? (await this.stepsOf(moves, whole[moves.length])).length : 0;
    if (by > 0) {
      if (done && done === (await count(line))) [line, done] = [whole.slice(0, line.length + 1), 0];
      if (line.length === whole.length) return;
      if (await count(line)) done += 1;
      else line = whole.slice(0, line.length + 1);
    } else if (done > 1 || (done && !line.length)) done -= 1;
    else if (line.length) {
      const last = done ? 0 : 1;
      line = line.slice(0, -1);
      done = Math.max(0, (await count(line)) - last);
    }
    if (!this.line || whole !== this.whole) return; // it ended, or is another by now
    Object.assign(this, { line, done });
    this.draw();
  }

  /** The moves that are on the board, one of them perhaps in part. */
  get reached() {
    const line = this.line ?? [];
    return this.done ? this.whole.slice(0, line.length + 1) : line;
  }

  async draw() {
    const { line, done, whole, reached } = this;
    if (!line) return;
    const steps = done ? await this.stepsOf(line, whole[line.length]).catch(() => []) : [];
    if (line !== this.line || done !== this.done) return;
    const step = steps[done - 1] ?? null;
    this.bar.hidden = false;
    this.bar.classList.toggle("stepping", Boolean(step));
    replace(
      this.moves,
      `${reached.length > LAST ? "… " : ""}${reached.slice(-LAST).join(" ")}`,
      step ? " " : null,
      step ? h("span.preview-step", stepText(step)) : null,
    );
    const [back, forward] = ["#preview-back", "#preview-forward"].map((name) =>
      part(this.bar, name),
    );
    back.disabled = !line.length && !done;
    forward.disabled =
      line.length === whole.length ||
      (done > 0 && done === steps.length && line.length + 1 === whole.length);
    this.onPreview(line, step);
  }

  end() {
    clearTimeout(this.timer);
    if (!this.line) return;
    document.removeEventListener("pointerdown", this.outside);
    document.removeEventListener("keydown", this.pressed);
    Object.assign(this, { line: null, kept: false });
    this.bar.hidden = true;
    this.onPreview(null);
  }
}

/** @param {HTMLElement} button */
const lineOf = (button) => (button.dataset.line ?? "").split(",");
