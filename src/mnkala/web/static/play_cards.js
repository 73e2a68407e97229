// Choosing a game by a small picture of its board. The pictures are real positions, asked of the server.

import { miniature } from "./board.js";
import { h, replace } from "./dom.js";
import { familyAbout, familyName } from "./play_names.js";
import { look } from "./play_positions.js";

const FIRST = ["connect4", "tictactoe", "gomoku", "kalah", "mnk", "connect"]; // then everything else, by name
const SAMPLES = { // positions that show at a glance what the game is like
  connect4: ["connect4", "4,4,3,5,3,3,5,4,2"],
  tictactoe: ["tictactoe", "b2,c3,a3,c1,c2"],
  gomoku: ["gomoku:9", "e5,f6,f5,e6,g5,d5,e7"],
  kalah: ["kalah", "3,5"],
  mnk: ["mnk:5x6x4", "c3,d3,c2,c4,d4,b2"],
  connect: ["connect:4x5x3", "3,3,2,4"],
};

export const sortFamilies = (families) => [...families].sort((a, b) => place(a) - place(b) || a.name.localeCompare(b.name));
const place = ({ name }) => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);

/** The usual game string of a family. */
export const usualGame = (family) => family.names[0] || family.example;

/** A picture of a family's board, filled in when the server has answered. */
export function familyPicture(family) {
  const holder = h("span", { class: "card-picture", "aria-hidden": "true" });
  const [game, moves] = SAMPLES[family.name] || [usualGame(family), ""];
  look(game, null, moves ? moves.split(",") : []).then((view) => replace(holder, miniature(view)), () => {});
  return holder;
}

export class Cards {
  constructor(families, chosen, onChoose) {
    this.element = h("div", { class: "games-grid", role: "radiogroup" }, sortFamilies(families).map((family) =>
      h("label", { class: "card", title: familyAbout(family) },
        h("input", { type: "radio", name: "family", value: family.name, checked: family.name === chosen, "data-family": family.name, onchange: () => onChoose(family.name) }),
        h("span", { class: "card-face" }, familyPicture(family), h("span", { class: "card-name" }, familyName(family.name))))));
  }

  choose(name) {
    const box = this.element.querySelector(`[data-family="${CSS.escape(name)}"]`);
    if (box) box.checked = true;
  }
}
