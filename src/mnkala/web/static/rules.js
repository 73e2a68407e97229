// The rules of a game in a dialog: sections with small boards, told by the server (mnkala/explain/rulebook.py).

import { api } from "./api.js";
import { miniature } from "./board.js";
import { toneShape } from "./board_annotations.js";
import { h, last } from "./dom.js";
import { icon } from "./play_icons.js";
import { openDialog } from "./settings.js";
import { keys, language, t } from "./words.js";

/** Open the rules of a game string. @param {string} game */
async function openRules(game) {
  const { title, sections } = await api.post("rules", {
    game,
    language: /** @type {RulesRequest["language"]} */ (language),
  });
  /** @param {RulesFigure} options */
  const figure = ({ view, caption, cells }) =>
    h(
      "figure",
      { class: view.style },
      miniature({ ...view, pointed: cells }),
      h("figcaption", caption),
    );
  /** @param {string} text */
  const paragraphs = (text) => text.split(/\n\s*\n/).map((part) => h("p", part));
  const content = h(
    "div.help-text",
    { tabindex: "0", role: "region", "aria-label": t("rules.title", { game: title }) },
    sections.map(({ heading, text, figures }) =>
      h(
        "section",
        heading ? h("h3", heading) : null,
        paragraphs(text),
        figures.length ? h("div.figures", figures.map(figure)) : null,
      ),
    ),
  );
  return openDialog(t("rules.title", { game: title }), content, {
    id: "rules-dialog",
    class: "dialog wide-dialog",
  });
}

/**
 * A button that opens the rules of the game that `game()` names when it is pressed; `notify` hears what went wrong.
 * @param {() => string} game @param {(problem: unknown) => void} notify
 */
export function rulesButton(game, notify) {
  return h(
    "button.quiet",
    { "data-help": "rules", onclick: () => openRules(game()).catch(notify) },
    icon("rules"),
    h("span", t("rules.button")),
  );
}

// The five reports that heuristics, engines and studies are named after, introduced in a dialog.

function openReports() {
  const numbers = keys("reports.")
    .filter((key) => key.endsWith(".game"))
    .map((key) => key.split(".")[1])
    .sort();
  /** @param {string} number */
  const entry = (number) =>
    h(
      "section",
      { "data-report": number },
      h("h3", `${number} · ${t(`reports.${number}.game`)}`),
      h("p", t(`reports.${number}.found`)),
    );
  openDialog(
    t("reports.title"),
    h(
      "div.help-text",
      { tabindex: "0", role: "region", "aria-label": t("reports.title") },
      h("p", t("reports.about")),
      numbers.map(entry),
    ),
    { id: "reports-dialog", class: "dialog wide-dialog" },
  );
}

/** A button that introduces them, to stand where one is named. */
export const reportsButton = () =>
  h("button.quiet", { "data-help": "reports", onclick: openReports }, t("reports.button"));

// "How to read the numbers", in a dialog: samples of what stands beside moves, each with what it means. The view of a game says which.

const TONES = ["good", "even", "bad"];

/** @param {string} stem */
const nameOf = (stem) => last(stem.split("."));

/** Open it for the game of a view; without one, with what holds for any game. @param {View | null} [view] */
export function openLegend(view = null) {
  const stems =
    view?.legend ??
    keys("legend.entry.")
      .filter((key) => key.endsWith(".text"))
      .map((key) => key.slice(0, -".text".length));
  /** @param {string} stem */
  const entry = (stem) =>
    h("div", { "data-entry": nameOf(stem) }, h("dt", sample(stem)), h("dd", t(`${stem}.text`)));
  return openDialog(
    t("legend.title"),
    h(
      "div.help-text",
      { tabindex: "0", role: "region", "aria-label": t("legend.title") },
      h("dl.legend", stems.map(entry)),
    ),
    { id: "legend-dialog", class: "dialog wide-dialog" },
  );
}

/** A button that opens it for the view that `view()` gives when it is pressed. @param {() => View | null} view */
export function legendButton(view) {
  return h(
    "button.quiet",
    { "data-help": "legend", onclick: () => openLegend(view()) },
    icon("help"),
    h("span", t("legend.button")),
  );
}

/**
 * The buttons that open the rules of a board and the legend of its numbers.
 * @param {() => View} view @param {(problem: unknown) => void} notify
 */
export const helpButtons = (view, notify) =>
  h(
    "div.help-buttons",
    rulesButton(() => view().game, notify),
    legendButton(view),
  );

/** What an entry speaks of, as it looks on the page. @param {string} stem */
function sample(stem) {
  const [name, text] = [nameOf(stem), t(`${stem}.sample`)];
  if (name === "tones")
    return TONES.map((tone) => h("span", { class: `chip worth ${tone}` }, toneShape(tone)));
  if (name === "gauge")
    return [h("span.legend-gauge", { "aria-hidden": "true" }), h("span.sr-only", text)];
  const tones = /** @type {Record<string, string[]>} */ ({
    wins_in: ["good", "bad"],
    wins_by: ["good", "bad"],
    by_fours: ["good"],
    draw: ["even"],
  })[name];
  return tones
    ? text
        .split(" · ")
        .map((part, i) => h("span", { class: `chip worth ${tones[i]}` }, toneShape(tones[i]), part))
    : h("span", { class: name === "book" ? "tag" : null }, text);
}
