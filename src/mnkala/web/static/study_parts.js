// What the pages of studies are made of: states, claims with their verdicts, plots and tables. What the lab writes is in English.

import { h } from "./dom.js";
import { number, t } from "./words.js";

const LONG = 14; // rows from which on a table is folded
const VERDICTS = /** @type {const} */ (["reproduced", "refuted", "not decidable", "not measured"]);
const SIGNS = { reproduced: "✓", refuted: "✗", "not decidable": "?", "not measured": "–" };

/** An element whose text the lab wrote. @param {keyof HTMLElementTagNameMap} tag @param {Attributes | null} attributes @param {Child} text */
export const english = (tag, attributes, text) => h(tag, { lang: "en", ...attributes }, text);

/** @param {string} kind @param {Child} text */
const badge = (kind, text) => h("span", { class: `badge ${kind}` }, text);

/** Whose question it is, what there is of the data, and whether older code measured them. @param {StudySummary} study */
export function stateOf(study) {
  const state =
    study.state === "partial"
      ? t("study.state_partial", { done: number(study.done), total: number(study.total) })
      : t(`study.state_${study.state}`, { total: number(study.total) });
  return [
    study.source ? [h("span", { lang: "en" }, study.source), " · "] : null,
    badge(`state-${study.state}`, state),
    study.measured ? ` · ${t("study.measured", { day: study.measured })}` : null,
    study.stale
      ? [" · ", badge("state-stale", t("study.stale", { count: number(study.stale) }))]
      : null,
  ].flat();
}

/** @param {keyof typeof SIGNS} verdict */
const named = (verdict) => t(`study.verdict_${verdict.replace(" ", "_")}`);

/** @param {keyof typeof SIGNS} verdict */
const verdictBadge = (verdict) =>
  h(
    "span",
    { class: `badge verdict-${verdict.replace(" ", "-")}` },
    h("span", { "aria-hidden": "true" }, `${SIGNS[verdict]} `),
    named(verdict),
  );

/** The claims of each report: how many came out how, and all of them to unfold. @param {ClaimView[]} claims */
export function claimsByReport(claims) {
  const reports = [...new Set(claims.map(({ report }) => report))];
  /** @param {ClaimView[]} some */
  const counts = (some) =>
    VERDICTS.map((verdict) => ({
      verdict,
      count: some.filter((claim) => claim.verdict === verdict).length,
    }))
      .filter(({ count }) => count)
      .map(({ verdict, count }) => `${named(verdict)}: ${count}`)
      .join(", ");
  return h(
    "div.study-claims#claims",
    reports.map((report) => {
      const some = claims.filter((claim) => claim.report === report);
      return h(
        "details.panel",
        { "data-report": report },
        h(
          "summary",
          t("study.report", { report }),
          ` · ${t(`reports.${report}.game`)}`,
          h("span.help", ` ${counts(some)}`),
        ),
        claimsTable(some, true),
      );
    }),
  );
}

/** A line for each claim; with `linked`, each leads to its study. @param {ClaimView[]} claims @param {boolean} linked */
export function claimsTable(claims, linked) {
  const heads = [
    t("study.claim"),
    t("study.verdict"),
    t("study.evidence"),
    ...(linked ? [t("study.study")] : []),
  ];
  return h(
    "div.table-place",
    { tabindex: "0", role: "region", "aria-label": t("study.claims") },
    h(
      "table.study-table.claims-table",
      h(
        "thead",
        h(
          "tr",
          heads.map((head) => h("th", { scope: "col" }, head)),
        ),
      ),
      h(
        "tbody",
        claims.map((claim) =>
          h(
            "tr",
            h("th", { scope: "row", lang: "en" }, claim.says),
            h("td", verdictBadge(claim.verdict)),
            h("td", { lang: "en" }, claim.evidence),
            linked
              ? h(
                  "td",
                  h(
                    "a",
                    { href: `#/studies/${encodeURIComponent(claim.study)}`, lang: "en" },
                    claim.study,
                  ),
                )
              : null,
          ),
        ),
      ),
    ),
  );
}

/** @param {string} svg */
const picture = (svg) =>
  document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);

/**
 * A plot; a wide one twice, of which the one that fits is shown. Its ink is that of the page, so it follows the theme.
 * @param {FigureView} options
 */
export function figure({ title, svg, narrow }) {
  /** @param {string} kind @param {string} text */
  const shown = (kind, text) =>
    h("figure", { class: `study-figure${kind}`, "data-title": title, lang: "en" }, picture(text));
  return narrow ? [shown(" wide", svg), shown(" narrow", narrow)] : shown("", svg);
}

/** A table; a long one is folded. @param {Table} options */
export function table({ title, note, head, numeric, rows }) {
  /** @param {number} column */
  const side = (column) => (numeric[column] ? "number" : null);
  const words = [title, note].filter(Boolean).join(" – ");
  const whole = h(
    "div.table-place",
    { tabindex: "0", role: "region", "aria-label": title || t("study.table"), lang: "en" },
    h(
      "table.study-table",
      words ? h("caption", words) : null,
      h(
        "thead",
        h(
          "tr",
          head.map((name, column) => h("th", { scope: "col", class: side(column) }, name)),
        ),
      ),
      h(
        "tbody",
        rows.map((row) =>
          h(
            "tr",
            row.map((cell, column) => h("td", { class: side(column) }, cell)),
          ),
        ),
      ),
    ),
  );
  return rows.length < LONG
    ? whole
    : h(
        "details.study-fold",
        h(
          "summary",
          h("span", { lang: "en" }, title || t("study.table")),
          ` (${t("study.rows", { count: rows.length })})`,
        ),
        whole,
      );
}
