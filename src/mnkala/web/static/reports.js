// The five reports that heuristics, engines and studies are named after, introduced in a dialog.

import { h } from "./dom.js";
import { openDialog } from "./settings.js";
import { keys, t } from "./words.js";

function openReports() {
  const numbers = keys("reports.").filter((key) => key.endsWith(".game")).map((key) => key.split(".")[1]).sort();
  /** @param {string} number */
  const entry = (number) => h("section", { "data-report": number }, h("h3", null, `${number} · ${t(`reports.${number}.game`)}`), h("p", null, t(`reports.${number}.found`)));
  openDialog(t("reports.title"), h("div", { class: "help-text", tabindex: "0", role: "region", "aria-label": t("reports.title") }, h("p", null, t("reports.about")), numbers.map(entry)), { id: "reports-dialog", class: "dialog wide-dialog" });
}

/** A button that introduces them, to stand where one is named. */
export const reportsButton = () => h("button", { type: "button", class: "quiet", "data-help": "reports", onclick: openReports }, t("reports.button"));
