// "How to read the numbers", in a dialog: samples of what stands beside moves, each with what it means. The view of a game says which.

import { toneShape } from "./board_annotations.js";
import { h, last } from "./dom.js";
import { icon } from "./play_icons.js";
import { rulesButton } from "./rules.js";
import { openDialog } from "./settings.js";
import { keys, t } from "./words.js";

const TONES = ["good", "even", "bad"];

/** @param {string} stem */
const nameOf = (stem) => last(stem.split("."));

/** Open it for the game of a view; without one, with what holds for any game. @param {View | null} [view] */
export function openLegend(view = null) {
  const stems = view?.legend ?? keys("legend.entry.").filter((key) => key.endsWith(".text")).map((key) => key.slice(0, -".text".length));
  /** @param {string} stem */
  const entry = (stem) => h("div", { "data-entry": nameOf(stem) }, h("dt", null, sample(stem)), h("dd", null, t(`${stem}.text`)));
  return openDialog(t("legend.title"), h("div", { class: "help-text", tabindex: "0", role: "region", "aria-label": t("legend.title") }, h("dl", { class: "legend" }, stems.map(entry))), { id: "legend-dialog", class: "dialog wide-dialog" });
}

/**
 * A button that opens it for the view that `view()` gives when it is pressed.
 * @param {() => View | null} view
 */
export function legendButton(view) {
  return h("button", { type: "button", class: "quiet", "data-help": "legend", onclick: () => openLegend(view()) }, icon("help"), h("span", null, t("legend.button")));
}

/**
 * Both for a board: its rules and its numbers.
 * @param {() => View} view @param {(problem: unknown) => void} notify
 */
export const helpButtons = (view, notify) => h("div", { class: "help-buttons" }, rulesButton(() => view().game, notify), legendButton(view));

/** What an entry speaks of, as it looks on the page. @param {string} stem */
function sample(stem) {
  const [name, text] = [nameOf(stem), t(`${stem}.sample`)];
  if (name === "tones") return TONES.map((tone) => h("span", { class: `chip worth ${tone}` }, toneShape(tone)));
  if (name === "gauge") return [h("span", { class: "legend-gauge", "aria-hidden": "true" }), h("span", { class: "sr-only" }, text)];
  const tones = /** @type {Record<string, string[]>} */ ({ wins_in: ["good", "bad"], wins_by: ["good", "bad"], by_fours: ["good"], draw: ["even"] })[name];
  return tones ? text.split(" · ").map((part, i) => h("span", { class: `chip worth ${tones[i]}` }, toneShape(tones[i]), part)) : h("span", { class: name === "book" ? "tag" : null }, text);
}
