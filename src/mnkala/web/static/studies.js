// Studies of the lab: the reports in brief, then the list with what was found and what became of the claims; of each study the finding, plots and tables of the
// report that comes with mnkala, or of a quick run on this computer, which is started, followed and cancelled here.

import { api, Watched } from "./api.js";
import { badPlace } from "./bad_link.js";
import { h, redraw, replace } from "./dom.js";
import { reportsButton } from "./rules.js";
import { claimsByReport, claimsTable, english, figure, stateOf, table } from "./study_parts.js";
import { duration, number, t } from "./words.js";

/** @type {Show} */
export const show = async (container, params, context) => {
  try {
    return params.name
      ? await studyPage(container, { ...params, name: params.name }, context)
      : await listPage(container, context);
  } catch (error) {
    return badPlace(
      container,
      error,
      context,
      h("a.button.primary", { href: "#/studies" }, t("study.back")),
    );
  }
};

const waiting = () => h("p.soft", { role: "status" }, t("study.loading"));

// ---- The list ----

/** @param {HTMLElement} container @param {Context} context */
async function listPage(container, context) {
  context.title(t("study.title"));
  const place = h("div.study-sections", waiting());
  const run = new QuickRun(context, null);
  replace(
    container,
    h(
      "div.page.studies",
      h("div.page-head", h("h1", t("study.title")), reportsButton()),
      h("p.soft", t("study.about")),
      place,
      run.element,
    ),
  );
  try {
    const [{ briefs, studies, claims, how_to_read: howToRead, limitations, facts, quick }] =
      await Promise.all([api.get("studies"), run.begin()]);
    replace(
      place,
      inBrief(briefs),
      claims.length
        ? h(
            "section",
            { "aria-labelledby": "claims-title" },
            h("h2#claims-title", t("study.claims")),
            h("p.soft", t("study.in_english")),
            english("p", { class: "help" }, howToRead),
            claimsByReport(claims),
          )
        : null,
      h(
        "section",
        { "aria-labelledby": "studies-title" },
        h("h2#studies-title", t("study.all")),
        h(
          "ul.study-list#studies",
          studies.map((one) => row(one, quick[one.name])),
        ),
      ),
      h("details#study-limitations", h("summary", t("study.limitations")), pairs(limitations)),
      h("details#study-facts", h("summary", t("study.facts")), pairs(facts)),
    );
  } catch (error) {
    run.close();
    throw error;
  }
  return { close: () => run.close(), keys: {} };
}

/** A figure of a sentence, with as many digits as it needs. @param {number} value */
const written = (value) =>
  number(value, Number.isInteger(value) ? 0 : value < 0.1 ? 3 : value < 10 ? 2 : 0);

/**
 * The first page: what each report asked and what was found, in a sentence and a plot.
 * @param {readonly BriefView[]} briefs
 */
function inBrief(briefs) {
  const ofReports = briefs.filter((each) => each.report);
  /** @param {"claims" | "confirmed"} what */
  const sum = (what) => number(ofReports.reduce((total, each) => total + each[what], 0));
  const own = briefs.filter((each) => !each.report);
  /** @param {BriefView} options */
  const found = ({ words, values }) =>
    h(
      "p.brief-found",
      t(
        `${words}.brief`,
        Object.fromEntries(Object.entries(values).map(([name, value]) => [name, written(value)])),
      ),
    );
  /** @param {BriefView} options */
  const link = ({ study, title }) =>
    h("a", { href: `#/studies/${encodeURIComponent(study)}`, lang: "en" }, title);
  /** @param {BriefView} each */
  const one = (each) =>
    h(
      "article.panel.study-brief",
      { "data-brief": each.report },
      h("h3", t("study.report", { report: each.report }), " · ", t(`${each.words}.game`)),
      h("p.soft", t(`${each.words}.about`)),
      found(each),
      each.figure && figure(each.figure),
      h(
        "p.help",
        t("study.held", { confirmed: each.confirmed, claims: each.claims }),
        " · ",
        link(each),
      ),
    );
  /** @param {BriefView} each */
  const short = (each) =>
    h(
      "article.panel.study-brief",
      { "data-brief": each.study },
      h("p.soft", t(`${each.words}.about`)),
      found(each),
      h("p.help", link(each)),
    );
  return briefs.length
    ? h(
        "section",
        { "aria-labelledby": "brief-title" },
        h("h2#brief-title", t("study.in_brief")),
        h("p", t("study.in_brief_about", { claims: sum("claims"), confirmed: sum("confirmed") })),
        h("div.study-briefs", ofReports.map(one)),
        own.length ? h("h3", t("study.own_questions")) : null,
        own.length ? h("div.study-briefs", own.map(short)) : null,
      )
    : null;
}

/** @param {[string, string][]} all */
const pairs = (all) =>
  h(
    "dl.study-facts",
    { lang: "en" },
    all.map(([key, value]) => [h("dt", key), h("dd", value)]),
  );

/** @param {StudySummary} study @param {string | undefined} quick */
function row(study, quick) {
  const place = `#/studies/${encodeURIComponent(study.name)}`;
  return h(
    "li.panel.study-row",
    { "data-study": study.name },
    h("h3", h("a", { href: place, lang: "en" }, study.title)),
    english("p", { class: "study-question" }, study.question),
    study.answer ? english("p", null, study.answer) : null,
    h(
      "p.help",
      stateOf(study),
      quick
        ? [" · ", h("a", { href: `${place}?data=quick` }, t("study.quick_of", { day: quick }))]
        : null,
    ),
  );
}

// ---- A study ----

/** @param {HTMLElement} container @param {Params & { name: string }} options @param {Context} context */
async function studyPage(container, { name, data = "report" }, context) {
  const address = `#/studies/${encodeURIComponent(name)}`;
  const view = await api.get(
    `studies/${encodeURIComponent(name)}${data === "report" ? "" : `?data=${encodeURIComponent(data)}`}`,
  );
  const { summary } = view;
  context.title(summary.title);
  const run = new QuickRun(context, name, () => context.navigate(`${address}?data=quick`));
  /** @param {string} which @param {string} text */
  const tab = (which, text) =>
    h(
      "a.button",
      {
        href: which === "report" ? address : `${address}?data=quick`,
        "data-data": which,
        "aria-current": view.data === which ? "page" : null,
      },
      text,
    );
  replace(
    container,
    h(
      "div.page.study",
      h(
        "div.page-head",
        h("h1", { lang: "en" }, summary.title),
        h("a.button", { href: "#/studies" }, t("study.back")),
      ),
      english("p", { class: "study-question" }, summary.question),
      h("p.help#study-state", stateOf(summary)),
      run.element,
      view.quick
        ? h(
            "nav.controls",
            { "aria-label": t("study.whose_data") },
            tab("report", t("study.of_report")),
            tab("quick", t("study.quick_of", { day: view.quick })),
          )
        : null,
      view.finding.length
        ? h(
            "section.panel.study-finding#study-finding",
            { "aria-label": t("study.finding") },
            view.finding.map((text) => english("p", null, text)),
          )
        : h("p", t("study.no_data")),
      view.claims.length
        ? h("section", h("h2", t("study.claims")), claimsTable(view.claims, false))
        : null,
      view.parts.map((part) =>
        h(
          "section.study-part",
          part.title ? h("h2", { lang: "en" }, part.title) : null,
          part.figures.map(figure),
          part.tables.map(table),
        ),
      ),
      view.failures.length
        ? h(
            "details",
            h("summary", t("study.failures", { count: view.failures.length })),
            h(
              "ul",
              { lang: "en" },
              view.failures.map((text) => h("li", text)),
            ),
          )
        : null,
      h(
        "section.study-again",
        h("h2", t("study.again")),
        english("p", { class: "soft" }, view.about),
        h("p", h("code#study-command", view.command)),
      ),
    ),
  );
  await run.begin();
  return { close: () => run.close(), keys: {} };
}

// A quick run of a study: its button, its progress, how to cancel it. It goes on when the page is left, and every page finds it again.

const GOING = 700; // milliseconds between two looks at a run that goes on
const RESTING = 5000; // and at a server that has nothing to do: somebody else may begin

class QuickRun extends Watched {
  /** @type {QuickRunView} */ run;

  /**
   * `study` is the one that a button starts, null for none; `finished` is called when a run of that study ends well before one's eyes.
   * @param {Context} context @param {string | null} study
   */
  constructor(context, study, finished = () => {}) {
    super(context, GOING, RESTING, () => this.going);
    this.study = study;
    this.finished = finished;
    this.element = h("div.study-run#study-run");
  }

  async begin() {
    await this.load();
    this.again();
  }

  async load() {
    const run = await api.get("quick-study");
    if (this.closed) return;
    const before = this.run;
    this.run = run;
    this.going = run.state === "running";
    redraw(this.element, () =>
      replace(this.element, this.going ? this.goingParts() : this.restingParts()),
    );
    if (before?.state !== "running" || this.going) return;
    this.context.announce(t(`study.run_${run.state}`, { study: run.study }));
    if (run.state === "done" && run.study === this.study) this.finished();
  }

  /** @param {() => Promise<unknown>} work */
  async ask(work) {
    try {
      await work();
      await this.load();
    } catch (error) {
      this.context.notify(error);
    }
    this.again();
  }

  goingParts() {
    const { run } = this;
    const bar = h("progress", { "aria-label": t("study.progress", { study: run.study }) });
    if (run.total) Object.assign(bar, { max: run.total, value: run.done });
    const facts = [
      run.total
        ? t("study.jobs_done", { done: number(run.done), total: number(run.total) })
        : t("study.starting"),
      duration(run.seconds),
      run.left === null ? null : t("study.left", { time: duration(run.left) }),
      run.failed ? t("study.failed_jobs", { count: run.failed }) : null,
    ];
    return h(
      "div.panel.study-going",
      h(
        "p",
        h("strong", t("study.running")),
        " ",
        run.study === this.study
          ? null
          : h("a", { href: `#/studies/${encodeURIComponent(run.study)}`, lang: "en" }, run.study),
      ),
      bar,
      h("span.help", facts.filter(Boolean).join(" · ")),
      h("p.help", t("study.goes_on")),
      run.yours
        ? h(
            "div.controls",
            h(
              "button#cancel-study",
              { onclick: () => this.ask(() => api.remove("quick-study")) },
              t("study.cancel"),
            ),
          )
        : h("p.help", t("study.not_yours")),
    );
  }

  restingParts() {
    const { run, study } = this;
    const ended =
      run.study === study && ["cancelled", "failed"].includes(run.state)
        ? h(
            "p#study-ended",
            { class: run.state === "failed" ? "error" : "soft" },
            t(`study.run_${run.state}`, { study }),
            run.error ? `: ${run.error}` : null,
          )
        : null;
    return study === null
      ? []
      : [
          h(
            "div.controls",
            h(
              "button.primary#run-study",
              { onclick: () => this.ask(() => api.post("quick-study", { study })) },
              t("study.run"),
            ),
            h("span.help", t("study.about_quick")),
          ),
          ended,
        ];
  }
}
