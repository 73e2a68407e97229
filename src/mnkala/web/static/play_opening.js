// An opening by a rule, such as Swap2: what is to be done and by whom, and the buttons of whoever has a choice. Stones are put by clicking on
// the board. The texts of a rule have its name at the head of their keys.

import { h, part, replace } from "./dom.js";
import { seatName } from "./play_plates.js";
import { t } from "./words.js";

/** What the opening requires now, in a sentence; "" once the game has begun. @param {Game} game */
export function openingText(game) {
  const { opening } = game;
  return opening && !game.over
    ? t(`${opening.rule}.${opening.stage}`, {
        player: seatName(game, game.mover),
        left: opening.left,
      })
    : "";
}

/** Whether a click on the board means something. @param {Game} game */
export const putsStones = (game) => !game.opening?.choices.length;

export class OpeningPanel {
  /** @param {(choice: string) => unknown} onChoose */
  constructor(onChoose) {
    this.onChoose = onChoose;
    this.element = h("section.panel#opening", { "aria-label": t("play.opening"), hidden: true });
  }

  /** @param {Game} game */
  show(game) {
    const text = openingText(game);
    this.element.hidden = !text;
    if (!text) return replace(this.element);
    const { rule = "", choices = [] } = game.opening ?? {};
    return replace(
      this.element,
      h("p", { role: "status" }, text),
      game.can.move && choices.length
        ? h(
            "div.controls",
            choices.map((choice) =>
              h(
                "button",
                { "data-choice": choice, onclick: () => this.onChoose(choice) },
                t(`${rule}.${choice}`),
              ),
            ),
          )
        : null,
    );
  }
}

/** The boxes of the first page that ask for an opening rule, on empty boards that have some: one of them, or none. */
export class OpeningBoxes {
  /** @param {string | null | undefined} wanted @param {(rule: string | null) => void} onChange */
  constructor(wanted, onChange) {
    this.wanted = wanted;
    this.onChange = onChange;
    this.rules = /** @type {string[]} */ ([]);
    this.element = h("section", { "aria-label": t("play.opening"), hidden: true });
  }

  /** The rule that was asked for, if the board has it. */
  get chosen() {
    return this.rules.find((rule) => rule === this.wanted) ?? null;
  }

  /** @param {View} view */
  show(view) {
    const rules = view.start || view.played.length ? [] : view.openings;
    this.element.hidden = !rules.length;
    if (rules.join() === this.rules.join()) return;
    this.rules = rules;
    this.draw();
  }

  draw() {
    replace(
      this.element,
      this.rules.map((rule) => {
        const box = h("input", {
          type: "checkbox",
          id: `opening-${rule}`,
          checked: rule === this.wanted,
          onchange: () => {
            this.want(box.checked ? rule : null);
          },
        });
        return h("div.field.check.wide", box, h("label", { for: box.id }, t(`${rule}.offer`)));
      }),
    );
  }

  /** @param {string | null} rule */
  want(rule) {
    this.wanted = rule;
    this.onChange(rule);
    for (const each of this.rules)
      part(this.element, `#${CSS.escape(`opening-${each}`)}`).checked = each === rule;
  }
}
