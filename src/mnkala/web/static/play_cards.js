// Choosing a game by a small picture of its board. The pictures are real positions, asked of the server.

import { miniature } from "./board.js";
import { h, part, replace } from "./dom.js";
import { look } from "./play_positions.js";
import { known, t } from "./words.js";

const FIRST_SHOWN = 4; // the other games, among them those of plug-ins, are folded away

/** The usual game string of a family. @param {FamilyInfo} family */
export const usualGame = (family) => family.names[0] || family.example;

/** A picture of a family's board, filled in when the server has answered. @param {FamilyInfo} family */
export function familyPicture(family) {
  const holder = h("span.card-picture", { "aria-hidden": "true" });
  const [game, moves] = family.sample;
  look(game, null, moves).then(
    (view) => replace(holder, miniature(view)),
    () => {},
  );
  return holder;
}

export class Cards {
  /** @param {FamilyInfo[]} families @param {string} chosen @param {(name: string) => void} onChoose */
  constructor(families, chosen, onChoose) {
    /** @param {FamilyInfo} family */
    const card = (family) =>
      h(
        "label.card",
        { title: familyAbout(family) },
        h("input", {
          type: "radio",
          name: "family",
          value: family.name,
          checked: family.name === chosen,
          "data-family": family.name,
          onchange: () => onChoose(family.name),
        }),
        h("span.card-face", familyPicture(family), h("span.card-name", familyName(family.name))),
      );
    this.rest = h(
      "details#more-games",
      h("summary", t("page.more_games")),
      h("div.games-grid", families.slice(FIRST_SHOWN).map(card)),
    );
    this.element = h(
      "div",
      { role: "radiogroup" },
      h("div.games-grid", families.slice(0, FIRST_SHOWN).map(card)),
      families.length > FIRST_SHOWN ? this.rest : null,
    );
    this.choose(chosen);
  }

  /** @param {string} name */
  choose(name) {
    const box = part(this.element, `[data-family="${CSS.escape(name)}"]`);
    if (box) box.checked = true;
    if (this.rest.contains(box)) this.rest.open = true;
  }
}

// Names of games for people: the words for a name, and the sizes behind it.

/** The name of a family of games; a plug-in is called by its own name. @param {string} name */
export function familyName(name) {
  return known(`game.${name}.name`)
    ? t(`game.${name}.name`)
    : name.charAt(0).toUpperCase() + name.slice(1);
}

/** @param {FamilyInfo} options */
export function familyAbout({ name, summary }) {
  return known(`game.${name}.about`) ? t(`game.${name}.about`) : summary;
}

/** The name of a game string. @param {string} text */
export function gameName(text) {
  const [name, rest] = text.split(/:(.*)/s);
  return rest
    ? `${familyName(name)} ${rest.replace(/x/g, "×").replace(/,/g, ", ")}`
    : familyName(name);
}
