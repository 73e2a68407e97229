// Looking ahead along a line of the analysis without playing it. That needs intent: a click, the focus by the keyboard, or a pointer
// that rests for a moment. The board then says that it is a preview. Two buttons and the arrow keys step along the line, within a move too
// where the game tells its steps (the seeds of a sowing). Escape or leaving ends it; after a click or a step it stays until then.

import { h, replace } from "./dom.js";
import { icon } from "./play_icons.js";
import { stepText } from "./turns.js";
import { t } from "./words.js";

const REST = 250; // milliseconds that a pointer rests before it means something
const LAST = 8; // moves that the board names

export class LinePreview {
  /** `list` holds buttons with `data-line`, in an element with the whole line in `data-whole`, or with `data-walk`, a line to step through;
   * `onPreview(moves or null, step or null)` shows where a line leads, or what a step of its next move does; `stepsOf(moves, move)` tells these;
   * `onPlay(moves)`, where there is one, plays a line. */
  constructor(list, { onPreview, stepsOf, onPlay = null }) {
    Object.assign(this, { onPreview, stepsOf });
    this.line = null; // the moves that are looked at, of the whole line; `done` steps of the next one are
    this.walking = Promise.resolve();
    this.moves = h("span", { class: "preview-moves" });
    const walk = (name, by) => h("button", { type: "button", class: "icon", id: `preview-${name}`, "aria-label": t(`turn.${name}`), title: t(`turn.${name}`), onclick: () => this.step(by) }, icon(name));
    this.bar = h("div", { class: "preview-bar", role: "status", hidden: true }, h("strong", null, t("analysis.preview")), walk("back", -1), this.moves, walk("forward", 1),
      onPlay ? h("button", { type: "button", id: "play-preview", onclick: () => { const { reached } = this; this.end(); onPlay(reached); } }, t("analysis.play_line")) : null,
      h("button", { type: "button", class: "icon", "aria-label": t("analysis.end_preview"), title: t("analysis.end_preview"), onclick: () => this.end() }, icon("close")));
    const at = (event) => event.target.closest("[data-line]");
    list.addEventListener("mouseover", (event) => this.rest(at(event)));
    list.addEventListener("mouseleave", () => this.leave());
    list.addEventListener("focusin", (event) => { if (at(event) && event.target.matches(":focus-visible")) this.show(at(event)); });
    list.addEventListener("focusout", (event) => { if (event.relatedTarget && !this.ours(event.relatedTarget)) this.leave(); });
    list.addEventListener("click", (event) => {
      const walked = event.target.closest("[data-walk]");
      if (walked) this.walk(walked.dataset.walk.split(","));
      else if (at(event)) this.show(at(event), true);
    });
    this.ours = (target) => list.contains(target) || this.bar.contains(target);
    this.outside = (event) => { if (!this.ours(event.target)) this.end(); };
    this.pressed = (event) => {
      if (event.key === "Escape") {
        this.refused = this.line.join(); // where the pointer still rests
        this.end();
      } else if ((event.key === "ArrowLeft" || event.key === "ArrowRight") && !event.ctrlKey && !event.metaKey && !event.altKey) {
        this.step(event.key === "ArrowRight" ? 1 : -1);
        event.preventDefault(); // the page's arrows walk along the game
      }
    };
  }

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

  /** The line of a button. `kept`: until Escape or a click elsewhere, not only as long as the pointer is there. */
  show(button, kept = false) {
    const line = lineOf(button);
    this.begin(line, button.closest("[data-whole]")?.dataset.whole.split(",") ?? line, kept);
  }

  /** Step through a line from its beginning. */
  walk(whole) {
    this.begin([], whole, true);
    this.step(1);
  }

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

  /** One step forward or back, after those that were asked for before. */
  step(by) {
    this.kept = true;
    this.walking = this.walking.then(() => this.line && this.go(by)).catch(() => {});
  }

  /** The last step of a move and the position after it look alike, so that one of them is passed over. */
  async go(by) {
    const { whole } = this;
    const count = async (line) => (line.length < whole.length ? (await this.stepsOf(line, whole[line.length])).length : 0);
    let [line, done] = [this.line, this.done];
    if (by > 0) {
      if (done && done === await count(line)) [line, done] = [whole.slice(0, line.length + 1), 0];
      if (line.length === whole.length) return;
      if (await count(line)) done += 1;
      else line = whole.slice(0, line.length + 1);
    } else if (done > 1 || (done && !line.length)) done -= 1;
    else if (line.length) {
      const last = done ? 0 : 1;
      line = line.slice(0, -1);
      done = Math.max(0, await count(line) - last);
    }
    if (!this.line || whole !== this.whole) return; // it ended, or is another by now
    Object.assign(this, { line, done });
    this.draw();
  }

  /** The moves that are on the board, one of them perhaps in part. */
  get reached() {
    return this.done ? this.whole.slice(0, this.line.length + 1) : this.line;
  }

  async draw() {
    const { line, done, whole, reached } = this;
    const steps = done ? await this.stepsOf(line, whole[line.length]).catch(() => []) : [];
    if (line !== this.line || done !== this.done) return;
    const step = steps[done - 1] ?? null;
    this.bar.hidden = false;
    this.bar.classList.toggle("stepping", Boolean(step));
    replace(this.moves, `${reached.length > LAST ? "… " : ""}${reached.slice(-LAST).join(" ")}`, step ? " " : null, step ? h("span", { class: "preview-step" }, stepText(step)) : null);
    const [back, forward] = ["#preview-back", "#preview-forward"].map((name) => this.bar.querySelector(name));
    back.disabled = !line.length && !done;
    forward.disabled = line.length === whole.length || (done > 0 && done === steps.length && line.length + 1 === whole.length);
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

const lineOf = (button) => button.dataset.line.split(",");
