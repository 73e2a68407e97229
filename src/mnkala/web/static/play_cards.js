// Choosing a game by a small picture of its board. The pictures are real positions, asked of the server.

import { miniature } from "./board.js";
import { h, part, replace } from "./dom.js";
import { familyAbout, familyName } from "./play_names.js";
import { look } from "./play_positions.js";
import { t } from "./words.js";

const FIRST_SHOWN = 4; // the other games, among them those of plug-ins, are folded away

/** The usual game string of a family. @param {FamilyInfo} family */
export const usualGame = (family) => family.names[0] || family.example;

/**
 * A picture of a family's board, filled in when the server has answered.
 * @param {FamilyInfo} family
 */
export function familyPicture(family) {
  const holder = h("span", { class: "card-picture", "aria-hidden": "true" });
  const [game, moves] = family.sample;
  look(game, null, moves).then((view) => replace(holder, miniature(view)), () => {});
  return holder;
}

export class Cards {
  /** @param {FamilyInfo[]} families @param {string} chosen @param {(name: string) => void} onChoose */
  constructor(families, chosen, onChoose) {
    /** @param {FamilyInfo} family */
    const card = (family) => h("label", { class: "card", title: familyAbout(family) },
      h("input", { type: "radio", name: "family", value: family.name, checked: family.name === chosen, "data-family": family.name, onchange: () => onChoose(family.name) }),
      h("span", { class: "card-face" }, familyPicture(family), h("span", { class: "card-name" }, familyName(family.name))));
    this.rest = h("details", { id: "more-games" }, h("summary", null, t("page.more_games")), h("div", { class: "games-grid" }, families.slice(FIRST_SHOWN).map(card)));
    this.element = h("div", { role: "radiogroup" }, h("div", { class: "games-grid" }, families.slice(0, FIRST_SHOWN).map(card)), families.length > FIRST_SHOWN ? this.rest : null);
    this.choose(chosen);
  }

  /** @param {string} name */
  choose(name) {
    const box = part(this.element, `[data-family="${CSS.escape(name)}"]`);
    if (box) box.checked = true;
    if (this.rest.contains(box)) this.rest.open = true;
  }
}
