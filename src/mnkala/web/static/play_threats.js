// The threats of both sides, on request: a switch beside the analysis, a sentence for each threat, and what the board draws of it. Games that
// have no lines of four or more have no switch.

import { api } from "./api.js";
import { mark } from "./board_marks.js";
import { threatSign } from "./board_threats.js";
import { h, replace } from "./dom.js";
import { placeOf } from "./play_positions.js";
import { said, t } from "./words.js";

const KEPT = "mnkala.threats.on";

export class ThreatList {
  /** @type {View | null} */ view;
  /** @type {string | null} */ wanted;
  /** @type {LineThreatView[]} */ threats;
  /** @type {string | null} */ trouble;

  /** `onChange()` is called when there is something new for the board. @param {{ onChange: () => void }} options */
  constructor({ onChange }) {
    this.onChange = onChange;
    this.on = localStorage.getItem(KEPT) === "true";
    this.view = null;
    this.threats = [];
    this.switch = h(
      "button.switch#threats-switch",
      {
        role: "switch",
        "aria-keyshortcuts": "v",
        title: t("threat.help"),
        onclick: () => this.toggle(),
      },
      h("span.switch-knob", { "aria-hidden": "true" }),
      h("span", t("threat.switch")),
    );
    this.list = h("ul.threat-list#threats-list", { "aria-label": t("threat.switch") });
    /** @param {"stone" | "at" | "stop"} part @param {number[]} [players] */
    const sign = (part, players = [0, 1]) =>
      h(
        "li",
        players.map((player) => threatSign(part, player)),
        h("span", t(`threat.key_${part}`)),
      );
    this.key = h(
      "ul.threat-key#threats-key",
      { "aria-label": t("threat.key") },
      sign("stone"),
      sign("at"),
      sign("stop", [0]),
    );
    this.element = h("div.threats", { hidden: true }, this.switch, this.list, this.key);
    this.draw();
  }

  toggle(on = !this.on) {
    this.on = on;
    localStorage.setItem(KEPT, String(on));
    this.ask();
  }

  /** Toggle the threats by a key, where the game has some. */
  toggleByKey() {
    if (!this.view?.threats) return false;
    this.toggle();
    return true;
  }

  /** The position that is looked at now. @param {View} view */
  setView(view) {
    this.view = view;
    this.element.hidden = !view.threats;
    this.ask();
  }

  async ask() {
    const { view } = this;
    const wanted =
      this.on && view?.threats ? JSON.stringify([view.game, view.start, view.played]) : null;
    if (wanted === this.wanted) return;
    this.wanted = wanted;
    this.take([]);
    if (!wanted || !view) return;
    const answer = await api
      .post("threats", placeOf(view))
      .catch((error) => /** @type {Partial<LineThreats> & { error: Error }} */ ({ error }));
    if (wanted !== this.wanted) return;
    const error = "error" in answer ? answer.error : null;
    if (error) this.wanted = null; // asked again with the next view
    this.take(answer.threats ?? [], error?.message ?? "");
  }

  /** @param {LineThreatView[]} threats @param {string | null} [trouble] */
  take(threats, trouble = null) {
    Object.assign(this, { threats, trouble });
    this.draw();
    this.onChange();
  }

  /** The annotations for the board. @returns {Annotation[]} */
  get annotations() {
    return this.threats.map((threat) => ({ threat, title: said(threat.told) }));
  }

  draw() {
    this.switch.setAttribute("aria-checked", String(this.on));
    this.list.hidden = !this.on;
    this.key.hidden = !this.on || !this.threats.length;
    const items = this.threats.map(({ player, kind, told }) =>
      h(
        "li",
        { "data-threat": kind, "data-cells": JSON.stringify(told.cells), tabindex: "0" },
        mark(player),
        h("span", said(told)),
      ),
    );
    replace(
      this.list,
      items.length
        ? items
        : h(
            "li.soft",
            this.trouble ||
              (this.trouble === null
                ? "…"
                : t(this.view?.over ? "play.analysis_over" : "threat.none")),
          ),
    );
  }
}
