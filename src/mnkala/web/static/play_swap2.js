// An opening by Swap2: what is to be done and by whom, and the buttons of whoever has a choice. Stones are put by clicking on the board.

import { h, replace } from "./dom.js";
import { seatName } from "./play_plates.js";
import { t } from "./words.js";

/** What is to be done, in a sentence; "" once the game has begun. */
export function swap2Text(game) {
  return game.swap2 && !game.over ? t(`swap2.${game.swap2.stage}`, { player: seatName(game, game.mover), left: game.swap2.left }) : "";
}

/** Whether a click on the board means something. */
export const putsStones = (game) => !game.swap2?.choices.length;

export class Swap2Panel {
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.element = h("section", { class: "panel swap2", id: "swap2", "aria-label": t("swap2.title"), hidden: true });
  }

  show(game) {
    const text = swap2Text(game);
    this.element.hidden = !text;
    if (!text) return replace(this.element);
    const choices = game.can.move ? game.swap2.choices : [];
    return replace(this.element, h("p", { role: "status" }, text),
      choices.length ? h("div", { class: "controls" }, choices.map((choice) => h("button", { type: "button", "data-choice": choice, onclick: () => this.onChoose(choice) }, t(`swap2.${choice}`)))) : null);
  }
}

/** The box of the first page that asks for the rule, on boards that have it. */
export function swap2Box(checked, onChange) {
  const box = h("input", { type: "checkbox", id: "swap2-rule", checked, onchange: () => onChange(box.checked) });
  return h("section", { class: "field check wide", hidden: true }, box, h("label", { for: box.id }, t("swap2.offer")));
}
