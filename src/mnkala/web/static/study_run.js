// A quick run of a study: its button, its progress, how to cancel it. It goes on when the page is left, and every page finds it again.

import { api } from "./api.js";
import { h, redraw, replace } from "./dom.js";
import { number, t } from "./words.js";

const GOING = 700; // milliseconds between two looks at a run that goes on
const RESTING = 5000; // and at a server that has nothing to do: somebody else may begin

/** @param {number} seconds */
const duration = (seconds) => (seconds < 90 ? t("page.seconds", { n: Math.max(1, Math.round(seconds)) }) : t("page.minutes", { n: Math.round(seconds / 60) }));

export class QuickRun {
  /** @type {Context} */ context;
  /** @type {string | null} */ study;
  /** @type {() => void} */ finished;
  /** @type {boolean} */ closed;
  /** @type {QuickRunView} */ run;
  /** @type {number} */ timer;

  /**
   * `start` is the study that a button starts, null for none; `finished` is called when a run of that study ends well before one's eyes.
   * @param {Context} context @param {{ start: string | null, finished?: () => void }} options
   */
  constructor(context, { start, finished = () => {} }) {
    Object.assign(this, { context, study: start, finished, closed: false, told: "" });
    this.element = h("div", { class: "study-run", id: "study-run" });
  }

  async begin() {
    await this.look();
    this.again();
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
  }

  again() {
    if (this.closed) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(async () => {
      if (!document.hidden || this.run?.state === "running") await this.look().catch(() => {}); // the line tells by itself when it is lost
      this.again();
    }, this.run?.state === "running" ? GOING : RESTING);
  }

  async look() {
    const run = await api.get("quick-study");
    if (this.closed) return;
    const before = this.run;
    this.run = run;
    this.draw();
    if (before?.state !== "running" || run.state === "running") return;
    this.context.announce(t(`study.run_${run.state}`, { study: run.study }));
    if (run.state === "done" && run.study === this.study) this.finished();
  }

  /** @param {() => Promise<unknown>} work */
  async ask(work) {
    try {
      await work();
      await this.look();
    } catch (error) {
      this.context.notify(error);
    }
    this.again();
  }

  draw() {
    const going = this.run.state === "running";
    redraw(this.element, () => replace(this.element, going ? this.goingParts() : this.restingParts()));
  }

  goingParts() {
    const { run } = this;
    const bar = h("progress", { "aria-label": t("study.progress", { study: run.study }) });
    if (run.total) Object.assign(bar, { max: run.total, value: run.done });
    const facts = [run.total ? t("study.jobs_done", { done: number(run.done), total: number(run.total) }) : t("study.starting"), duration(run.seconds),
      run.left === null ? null : t("study.left", { time: duration(run.left) }), run.failed ? t("study.failed_jobs", { count: run.failed }) : null];
    return h("div", { class: "panel study-going" },
      h("p", null, h("strong", null, t("study.running")), " ", run.study === this.study ? null : h("a", { href: `#/studies/${encodeURIComponent(run.study)}`, lang: "en" }, run.study)),
      bar, h("span", { class: "help" }, facts.filter(Boolean).join(" · ")),
      h("p", { class: "help" }, t("study.goes_on")),
      run.yours ? h("div", { class: "controls" }, h("button", { type: "button", id: "cancel-study", onclick: () => this.ask(() => api.remove("quick-study")) }, t("study.cancel"))) : h("p", { class: "help" }, t("study.not_yours")));
  }

  restingParts() {
    const { run, study } = this;
    const ended = run.study === study && ["cancelled", "failed"].includes(run.state) ? h("p", { class: run.state === "failed" ? "error" : "soft", id: "study-ended" }, t(`study.run_${run.state}`, { study }), run.error ? `: ${run.error}` : null) : null;
    return study === null ? [] : [
      h("div", { class: "controls" }, h("button", { type: "button", class: "primary", id: "run-study", onclick: () => this.ask(() => api.post("quick-study", { study })) }, t("study.run")), h("span", { class: "help" }, t("study.about_quick"))), ended];
  }
}
