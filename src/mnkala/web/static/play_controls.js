// The buttons of a game: undo, redo, hint, resign, rematch, and for two computers pause, step and pace.

import { h, redraw, replace } from "./dom.js";
import { iconButton, sureButton } from "./play_icons.js";
import { number, t } from "./words.js";

export class Controls {
  /** @type {HTMLInputElement} */ pace;
  /** @type {HTMLElement} */ paceText;
  /** @type {boolean} */ paused;
  /** @type {boolean} */ both;

  /** @param {{ act: (action: Action["action"], more?: Omit<Action, "action">) => unknown, hint: () => unknown, rematch: () => unknown }} options */
  constructor({ act, hint, rematch }) {
    this.act = act;
    /** @param {string} id @param {Icon} name @param {() => unknown} action */
    const button = (id, name, action) =>
      iconButton(name, t(`play.${id}`), { id, onclick: action, title: t(`play.${id}_about`) });
    this.undo = button("undo", "undo", () => act("undo"));
    this.redo = button("redo", "redo", () => act("redo"));
    this.hint = button("hint", "hint", hint);
    this.resign = sureButton(
      "resign",
      t("play.resign"),
      t("play.resign_sure"),
      { id: "resign" },
      () => act("resign"),
    );
    this.draw = sureButton(
      "draw",
      t("play.draw_offer"),
      () => t(this.both ? "play.draw_sure_here" : "play.draw_sure"),
      { id: "draw", title: t("play.draw_offer_about") },
      () => act("draw"),
    );
    this.again = button("rematch", "rematch", rematch);
    this.fresh = h("a.button#new-game", { href: "#/" }, t("play.new_game"));
    this.seated = h(
      "div.controls",
      { role: "group", "aria-label": t("play.controls") },
      this.undo,
      this.redo,
      this.hint,
      this.draw,
      this.resign,
      this.again,
      this.fresh,
    );
    this.computers = h("div.computers.panel");
    this.element = h("div", this.seated, this.computers);
  }

  /** @param {Game} game */
  show(game) {
    const { can } = game;
    const human = game.players.some((player) => player.human);
    const mine = game.yours[0] || game.yours[1];
    /** @param {HTMLButtonElement} button @param {boolean} usable @param {boolean} shown */
    const offer = (button, usable, shown) => {
      button.disabled = !usable;
      button.hidden = !shown;
    };
    offer(this.undo, can.undo, mine && human);
    offer(this.redo, can.redo, mine && human);
    offer(this.hint, can.hint, human && mine && !game.over && (can.hint || !game.linked));
    this.both = game.yours[0] && game.yours[1];
    offer(this.draw, can.draw, human && mine && !game.over);
    offer(this.resign, can.resign, human && mine && !game.over);
    offer(this.again, can.rematch, game.over && can.rematch);
    this.again.classList.toggle("primary", game.over);
    this.drawComputers(game, human);
  }

  /** @param {Game} game @param {boolean} human */
  drawComputers(game, human) {
    this.computers.hidden = human || game.over;
    if (this.computers.hidden) return;
    if (this.pace && this.paused === game.paused) {
      if (document.activeElement !== this.pace) this.setPace(game.pace);
      return;
    }
    this.paused = game.paused;
    this.pace = h("input#pace", {
      type: "range",
      min: "0",
      max: "3",
      step: "0.1",
      value: String(game.pace),
      onchange: () => this.act("pace", { seconds: Number(this.pace.value) }),
      oninput: () => this.setPace(Number(this.pace.value)),
    });
    this.paceText = h("output", { for: "pace" });
    redraw(this.computers, () =>
      replace(
        this.computers,
        h(
          "div.controls",
          game.paused
            ? iconButton("play", t("play.resume"), {
                id: "pause",
                class: "primary",
                onclick: () => this.act("resume"),
              })
            : iconButton("pause", t("play.pause"), {
                id: "pause",
                onclick: () => this.act("pause"),
              }),
          iconButton("step", t("play.step"), {
            id: "step",
            disabled: !game.paused,
            onclick: () => this.act("step"),
          }),
        ),
        h("div.pace", h("label", { for: "pace" }, t("play.pace")), this.pace, this.paceText),
      ),
    );
    this.setPace(game.pace);
  }

  /** @param {number} seconds */
  setPace(seconds) {
    this.pace.value = String(seconds);
    this.paceText.textContent = t("play.pace_seconds", { seconds: number(seconds, 1) });
  }
}
