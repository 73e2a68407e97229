// Names of games for people: the words for a name, and the sizes behind it.

import { known, t } from "./words.js";

/** The name of a family of games; a plug-in is called by its own name. @param {string} name */
export function familyName(name) {
  return known(`game.${name}.name`) ? t(`game.${name}.name`) : name.charAt(0).toUpperCase() + name.slice(1);
}

/** @param {FamilyInfo} options */
export function familyAbout({ name, summary }) {
  return known(`game.${name}.about`) ? t(`game.${name}.about`) : summary;
}

/** The name of a game string. @param {string} text */
export function gameName(text) {
  const [name, rest] = text.split(/:(.*)/s);
  return rest ? `${familyName(name)} ${rest.replace(/x/g, "×").replace(/,/g, ", ")}` : familyName(name);
}
