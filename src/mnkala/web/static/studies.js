// Studies of the lab: the list with what was found and what became of the reports' claims; of each study the finding, plots and tables of the
// report that comes with mnkala, or of a quick run on this computer, which is started, followed and cancelled here.

import { api } from "./api.js";
import { badPlace } from "./bad_link.js";
import { h, replace } from "./dom.js";
import { reportsButton } from "./reports.js";
import { QuickRun } from "./study_run.js";
import { claimsByReport, claimsTable, english, figure, stateOf, table } from "./study_parts.js";
import { t } from "./words.js";

/** @param {HTMLElement} container @param {Params} params @param {Context} context */
export async function show(container, params, context) {
  try {
    return params.name ? await studyPage(container, { ...params, name: params.name }, context) : await listPage(container, context);
  } catch (error) {
    return badPlace(container, error, context, h("a", { class: "button primary", href: "#/studies" }, t("study.back")));
  }
}

const waiting = () => h("p", { class: "soft", role: "status" }, t("study.loading"));

// ---- The list ----

/** @param {HTMLElement} container @param {Context} context */
async function listPage(container, context) {
  context.title(t("study.title"));
  const place = h("div", { class: "study-sections" }, waiting());
  const run = new QuickRun(context, { start: null });
  replace(container, h("div", { class: "page studies" },
    h("div", { class: "page-head" }, h("h1", null, t("study.title")), reportsButton()),
    h("p", { class: "soft" }, t("study.about"), " ", t("study.in_english")), run.element, place));
  try {
    const [{ studies, claims, how_to_read: howToRead, limitations, facts, quick }] = await Promise.all([api.get("studies"), run.begin()]);
    replace(place,
      claims.length ? h("section", { "aria-labelledby": "claims-title" }, h("h2", { id: "claims-title" }, t("study.claims")), english("p", { class: "help" }, howToRead), claimsByReport(claims)) : null,
      h("section", { "aria-labelledby": "studies-title" }, h("h2", { id: "studies-title" }, t("study.all")), h("ul", { class: "study-list", id: "studies" }, studies.map((one) => row(one, quick[one.name])))),
      h("details", { id: "study-limitations" }, h("summary", null, t("study.limitations")), pairs(limitations)),
      h("details", { id: "study-facts" }, h("summary", null, t("study.facts")), pairs(facts)));
  } catch (error) {
    run.close();
    throw error;
  }
  return { close: () => run.close(), keys: {} };
}

/** @param {[string, string][]} all */
const pairs = (all) => h("dl", { class: "study-facts", lang: "en" }, all.map(([key, value]) => [h("dt", null, key), h("dd", null, value)]));

/** @param {StudySummary} study @param {string | undefined} quick */
function row(study, quick) {
  const place = `#/studies/${encodeURIComponent(study.name)}`;
  return h("li", { class: "panel study-row", "data-study": study.name },
    h("h3", null, h("a", { href: place, lang: "en" }, study.title)),
    english("p", { class: "study-question" }, study.question),
    study.answer ? english("p", null, study.answer) : null,
    h("p", { class: "help" }, stateOf(study), quick ? [" · ", h("a", { href: `${place}?data=quick` }, t("study.quick_of", { day: quick }))] : null));
}

// ---- A study ----

/**
 * @param {HTMLElement} container @param {Params & { name: string }} options
 * @param {Context} context
 */
async function studyPage(container, { name, data = "report" }, context) {
  const address = `#/studies/${encodeURIComponent(name)}`;
  const view = await api.get(`studies/${encodeURIComponent(name)}${data === "report" ? "" : `?data=${encodeURIComponent(data)}`}`);
  const { summary } = view;
  context.title(summary.title);
  const run = new QuickRun(context, { start: name, finished: () => context.navigate(`${address}?data=quick`) });
  /** @param {string} which @param {string} text */
  const tab = (which, text) => h("a", { class: "button", href: which === "report" ? address : `${address}?data=quick`, "data-data": which, "aria-current": view.data === which ? "page" : null }, text);
  replace(container, h("div", { class: "page study" },
    h("div", { class: "page-head" }, h("h1", { lang: "en" }, summary.title), h("a", { class: "button", href: "#/studies" }, t("study.back"))),
    english("p", { class: "study-question" }, summary.question),
    h("p", { class: "help", id: "study-state" }, stateOf(summary)),
    run.element,
    view.quick ? h("nav", { class: "controls", "aria-label": t("study.whose_data") }, tab("report", t("study.of_report")), tab("quick", t("study.quick_of", { day: view.quick }))) : null,
    view.finding.length ? h("section", { class: "panel study-finding", id: "study-finding", "aria-label": t("study.finding") }, view.finding.map((text) => english("p", null, text))) : h("p", null, t("study.no_data")),
    view.claims.length ? h("section", null, h("h2", null, t("study.claims")), claimsTable(view.claims, false)) : null,
    view.parts.map((part) => h("section", { class: "study-part" }, part.title ? h("h2", { lang: "en" }, part.title) : null, part.figures.map(figure), part.tables.map(table))),
    view.failures.length ? h("details", null, h("summary", null, t("study.failures", { count: view.failures.length })), h("ul", { lang: "en" }, view.failures.map((text) => h("li", null, text)))) : null,
    h("section", { class: "study-again" }, h("h2", null, t("study.again")), english("p", { class: "soft" }, view.about), h("p", null, h("code", { id: "study-command" }, view.command)))));
  await run.begin();
  return { close: () => run.close(), keys: {} };
}
