// Fair starts: positions to begin from that neither side wins by best play. A button of the first page, for boards that come with some.

import { api } from "./api.js";
import { h, replace } from "./dom.js";
import { number, t } from "./words.js";

export class FairStarts {
  /** @type {string | null} */ wanted;
  /** @type {string} */ game;
  /** @type {string | null} */ start;
  /** @type {FairStart[]} */ starts;

  /**
   * `onStart(literal)` begins there, with "" from the usual start.
   * @param {(start: string) => void} onStart @param {(problem: unknown) => void} notify
   */
  constructor(onStart, notify) {
    this.onStart = onStart;
    this.notify = notify;
    this.element = h("section.fair-start", { hidden: true, "aria-label": t("page.fair_start") });
    this.about = h("p.help", { role: "status" });
    this.another = h(
      "button#fair-start",
      { onclick: () => this.choose().catch(notify) },
      t("page.fair_start"),
    );
    this.usual = h("button#usual-start", { onclick: () => onStart("") }, t("page.usual_start"));
    replace(this.element, h("div.controls", this.another, this.usual), this.about);
  }

  /** Note that another board was chosen: until it is shown, no start belongs to it. */
  wait() {
    this.wanted = null;
    this.another.disabled = true;
  }

  /** Say what the board that was chosen begins from. @param {View} options */
  show({ game, start, fair, played }) {
    const at = this.game === game ? this.starts.findIndex((each) => each.literal === start) : -1;
    Object.assign(this, { wanted: game, start });
    this.another.disabled = false;
    this.element.hidden = !fair;
    this.usual.hidden = !start && !played.length;
    this.about.textContent =
      at < 0
        ? t("page.fair_about")
        : t("page.fair_chosen", { number: number(at + 1), total: number(this.starts.length) });
  }

  /** Whether a start is one of those that were offered. @param {string} start */
  isOne(start) {
    return Boolean(this.starts?.some((each) => each.literal === start));
  }

  /** Another one, at random. */
  async choose() {
    const game = this.wanted;
    if (!game) return;
    if (this.game !== game) {
      const { starts } = await api.post("fair", { game });
      if (game !== this.wanted) return;
      Object.assign(this, { game, starts });
    }
    const others = this.starts.filter(({ literal }) => literal !== this.start);
    if (others.length) this.onStart(others[Math.floor(Math.random() * others.length)].literal);
  }
}
