// How to read the numbers of an analysis, in a dialog.

import { h } from "./dom.js";
import { openDialog } from "./settings.js";
import { t } from "./words.js";

export function openLegend(view) {
  const player = view.players[view.mover ?? 0];
  return openDialog(t("analysis.legend"), h("div", { class: "legend" }, h("p", null, t(view.graded ? "exact.about_margins" : "exact.about", { player })), h("p", null, t("exact.about_estimates"))), { id: "legend" });
}
