// Choosing a game by a small picture of its board. The pictures are real positions, asked of the server.

import { miniature } from "./board.js";
import { h, part, replace } from "./dom.js";
import { familyAbout, familyName } from "./play_names.js";
import { look } from "./play_positions.js";

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
    this.element = h("div", { class: "games-grid", role: "radiogroup" }, families.map((family) =>
      h("label", { class: "card", title: familyAbout(family) },
        h("input", { type: "radio", name: "family", value: family.name, checked: family.name === chosen, "data-family": family.name, onchange: () => onChoose(family.name) }),
        h("span", { class: "card-face" }, familyPicture(family), h("span", { class: "card-name" }, familyName(family.name))))));
  }

  /** @param {string} name */
  choose(name) {
    const box = part(this.element, `[data-family="${CSS.escape(name)}"]`);
    if (box) box.checked = true;
  }
}
