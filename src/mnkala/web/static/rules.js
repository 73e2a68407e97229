// The rules of a game in a dialog: sections with small boards, told by the server (mnkala/explain/rulebook.py).

import { api } from "./api.js";
import { miniature } from "./board.js";
import { h } from "./dom.js";
import { icon } from "./play_icons.js";
import { openDialog } from "./settings.js";
import { language, t } from "./words.js";

/** Open the rules of a game string. @param {string} game */
export async function openRules(game) {
  const { title, sections } = await api.post("rules", { game, language: /** @type {RulesRequest["language"]} */ (language) });
  /** @param {RulesFigure} options */
  const figure = ({ view, caption, cells }) => h("figure", { class: view.style }, miniature({ ...view, pointed: cells }), h("figcaption", null, caption));
  /** @param {string} text */
  const paragraphs = (text) => text.split(/\n\s*\n/).map((part) => h("p", null, part));
  const content = h("div", { class: "help-text", tabindex: "0", role: "region", "aria-label": t("rules.title", { game: title }) }, sections.map(({ heading, text, figures }) => h("section", null, heading ? h("h3", null, heading) : null, paragraphs(text),
    figures.length ? h("div", { class: "figures" }, figures.map(figure)) : null)));
  return openDialog(t("rules.title", { game: title }), content, { id: "rules-dialog", class: "dialog wide-dialog" });
}

/**
 * A button that opens the rules of the game that `game()` names when it is pressed; `notify` hears what went wrong.
 * @param {() => string} game @param {(problem: unknown) => void} notify
 */
export function rulesButton(game, notify) {
  return h("button", { type: "button", class: "quiet", "data-help": "rules", onclick: () => openRules(game()).catch(notify) }, icon("rules"), h("span", null, t("rules.button")));
}
