// Looking ahead along a line of the analysis without playing it. That needs intent: a click, the focus by the keyboard, or a pointer
// that rests for a moment. The board then says that it is a preview. Escape or leaving ends it; after a click it stays until then.

import { h, replace } from "./dom.js";
import { icon } from "./play_icons.js";
import { t } from "./words.js";

const REST = 250; // milliseconds that a pointer rests before it means something
const LAST = 8; // moves that the board names

export class LinePreview {
  /** `list` holds buttons with `data-line`; `onPreview(moves or null)` shows a line; `onPlay(moves)`, where there is one, plays it. */
  constructor(list, { onPreview, onPlay = null }) {
    this.onPreview = onPreview;
    this.line = null;
    this.moves = h("span", { class: "preview-moves" });
    this.bar = h("div", { class: "preview-bar", role: "status", hidden: true }, h("strong", null, t("analysis.preview")), this.moves,
      onPlay ? h("button", { type: "button", id: "play-preview", onclick: () => { const { line } = this; this.end(); onPlay(line); } }, t("analysis.play_line")) : null,
      h("button", { type: "button", class: "icon", "aria-label": t("analysis.end_preview"), title: t("analysis.end_preview"), onclick: () => this.end() }, icon("close")));
    const at = (event) => event.target.closest("[data-line]")?.dataset.line.split(",") ?? null;
    list.addEventListener("mouseover", (event) => this.rest(at(event)));
    list.addEventListener("mouseleave", () => this.leave());
    list.addEventListener("focusin", (event) => { if (at(event) && event.target.matches(":focus-visible")) this.show(at(event)); });
    list.addEventListener("focusout", (event) => { if (event.relatedTarget && !this.ours(event.relatedTarget)) this.leave(); });
    list.addEventListener("click", (event) => { if (at(event)) this.show(at(event), true); });
    this.ours = (target) => list.contains(target) || this.bar.contains(target);
    this.outside = (event) => { if (!this.ours(event.target)) this.end(); };
    this.escape = (event) => {
      if (event.key !== "Escape") return;
      this.refused = this.line.join(); // where the pointer still rests
      this.end();
    };
  }

  rest(line) {
    clearTimeout(this.timer);
    if (this.kept || (line && line.join() === this.refused)) return;
    this.refused = null;
    if (line) this.timer = setTimeout(() => this.show(line), REST);
    else if (this.line) this.timer = setTimeout(() => this.end(), REST);
  }

  leave() {
    clearTimeout(this.timer);
    if (!this.kept) this.end();
  }

  /** `kept`: until Escape or a click elsewhere, not only as long as the pointer is there. */
  show(line, kept = false) {
    clearTimeout(this.timer);
    this.kept = kept;
    if (!this.line) {
      document.addEventListener("pointerdown", this.outside);
      document.addEventListener("keydown", this.escape);
    }
    this.line = line;
    this.bar.hidden = false;
    replace(this.moves, `${line.length > LAST ? "… " : ""}${line.slice(-LAST).join(" ")}`);
    this.onPreview(line);
  }

  end() {
    clearTimeout(this.timer);
    if (!this.line) return;
    document.removeEventListener("pointerdown", this.outside);
    document.removeEventListener("keydown", this.escape);
    Object.assign(this, { line: null, kept: false });
    this.bar.hidden = true;
    this.onPreview(null);
  }
}
