// The tools of the analysis board in one row: walk along the line, start over, other pages for this position, everything else in a menu.

import { h, replace } from "./dom.js";
import { copyButton, icon, menu, signButton, sureButton } from "./play_icons.js";
import { moreAbout } from "./play_panels.js";
import { address } from "./play_positions.js";
import { t } from "./words.js";

export class AnalysisTools {
  /**
   * `walk(name)` goes to the first, back, forward, last; `startOver()` forgets all moves.
   * @param {{ walk: (name: string) => unknown, startOver: () => unknown, context: Context }} options
   */
  constructor({ walk, startOver, context }) {
    this.context = context;
    /** @param {string} text */
    const named = (text) => ({ "aria-label": text, title: text });
    /** @param {Icon} name */
    const step = (name) =>
      signButton(name, t(`play.walk_${name}`), { "data-walk": name, onclick: () => walk(name) });
    /** @param {string} id @param {Icon} name @param {string} text */
    const link = (id, name, text) => h("a.button.icon", { id, ...named(text) }, icon(name));
    this.steps = /** @type {const} */ (["first", "back", "forward", "last"]).map(step);
    this.again = sureButton(
      "rematch",
      t("analysis.start_over"),
      t("analysis.start_over_sure"),
      { class: "icon", id: "from-start", title: t("analysis.start_over") },
      startOver,
    );
    this.fromHere = link("play-from-here", "play", t("page.play_from_here"));
    this.review = link("review", "chart", t("play.review"));
    this.think = link("think-from-here", "tree", t("play.open_think"));
    this.more = h("div");
    this.menu = menu(
      [h("span", { "aria-hidden": "true" }, "…"), h("span.sr-only", t("play.more"))],
      { id: "analysis-more", title: t("play.more"), onopen: () => this.drawMore() },
      this.more,
    );
    this.element = h(
      "div.analysis-tools",
      { role: "group", "aria-label": t("play.controls") },
      this.steps,
      this.again,
      copyButton(() => location.href, t("page.link_here"), {
        class: "icon",
        id: "copy-link",
        title: t("page.link_here"),
      }),
      this.fromHere,
      this.review,
      this.think,
      this.menu,
    );
  }

  /**
   * Show a view; `whole` has all moves of the line, of which the view may have played only some.
   * @param {View} view @param {string[]} whole
   */
  show(view, whole) {
    this.view = view;
    const [first, back, forward, last] = this.steps;
    first.disabled = back.disabled = !view.played.length;
    last.disabled = forward.disabled = whole.length <= view.played.length;
    this.fromHere.href = address("", view);
    this.review.href = address("review", { ...view, played: whole });
    this.review.hidden = !whole.length;
    this.think.href = address("think", view);
    if (this.menu.open) this.drawMore();
  }

  drawMore() {
    if (this.view) replace(this.more, moreAbout(this.view, null, this.context));
  }
}
