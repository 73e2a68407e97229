// The moves of a position with what they are worth, why, and the line that follows; and how far the solver has come.

import { toneShape } from "./board_annotations.js";
import { around, h, part, redraw, replace } from "./dom.js";
import { icon } from "./play_icons.js";
import { fullText, grouped, moveName, named, toneOf, turnText } from "./scores.js";
import { number, said, t } from "./words.js";

const LONGEST_LINE = 42;
const [HANDFUL, MANY, MOST] = [5, 9, 60]; // of more than MANY moves a HANDFUL is listed at first, and never more than MOST
/** What a move is worth, in words, in a small box. @param {WorthView} worth @param {boolean} best */
const scoreChip = (worth, best) =>
  h(
    "span",
    { class: `chip worth ${toneOf(worth)}${best ? " best" : ""}`, title: fullText(worth) },
    toneShape(toneOf(worth)),
    said(worth.words),
  );

/** The moves, the best first, each with what it is worth, why, and the line that follows. What does not fit one row is cut with an
 * ellipsis and unfolds by a click; of many moves the first handful is shown. */
export class ScoreList {
  /** @type {string} */ place;
  /** @type {string} */ drawn;
  /** @type {boolean} */ all;
  /** @type {Set<string>} */ unfolded;
  /** @type {[MoveWorth[], string[], View]} */ shown;

  /** `onMove(move)`, where there is one, plays a move. @param {{ onMove?: ((move: string) => void) | null }} [options] */
  constructor({ onMove = null } = {}) {
    this.onMove = onMove;
    this.element = h("ol.lines#analysis-lines", { onclick: (event) => this.clicked(event) });
    this.watcher = new ResizeObserver(() => this.measure());
    this.watcher.observe(this.element);
    this.unfolded = new Set();
  }

  /** @param {MoveWorth[]} moves @param {string[]} best @param {View} view */
  show(moves, best, view) {
    const place = JSON.stringify([view.game, view.start, view.played]);
    if (place !== this.place) Object.assign(this, { place, all: false, unfolded: new Set() });
    const drawn = JSON.stringify([place, this.all, moves, best]);
    if (drawn === this.drawn) return;
    Object.assign(this, { drawn, shown: [moves, best, view] });
    const many = moves.length > MANY && !this.all;
    redraw(this.element, () => {
      replace(
        this.element,
        moves
          .slice(0, many ? HANDFUL : MOST)
          .map((worth) => this.entry(worth, best.includes(worth.move), view)),
        many
          ? h(
              "li.more-moves",
              h(
                "button.quiet#more-moves",
                t("analysis.more_moves", { count: number(Math.min(moves.length, MOST) - HANDFUL) }),
              ),
            )
          : null,
      );
      this.measure();
    });
  }

  /** @param {MoveWorth} worth @param {boolean} best @param {View} view */
  entry(worth, best, view) {
    const { move, line = [], reasons = [], source, turn = [], turns = [] } = worth;
    const moves = line[0] === move ? line : [move, ...line];
    const role =
      worth.kind !== "exact" ||
      moves.length < 2 ||
      (worth.result === "loss" && moves.length === turns[0])
        ? null
        : worth.result === "loss"
          ? "exact.refuted"
          : best
            ? "exact.best_line"
            : "exact.proved_line";
    const steps = moves
      .slice(0, LONGEST_LINE)
      .map((text, i) => h("button.move", { "data-line": moves.slice(0, i + 1).join(",") }, text));
    const why = reasons.map((reason) => {
      const cells = reason.cells?.length ? JSON.stringify(reason.cells) : null;
      return h(
        "p.score-why.cut",
        { tabindex: cells ? "0" : null, "data-cells": cells },
        said(reason),
      );
    });
    const told =
      best && (turn.length > 1 || turn.some(({ captured }) => captured))
        ? [h("p.score-why.cut.best-turn", t("turn.best", { turn: turnText(turn) }))]
        : [];
    const walk = turn.length
      ? h(
          "button.icon.walk-turn",
          {
            "data-walk": turn.map((each) => each.move).join(","),
            "aria-label": t("turn.step"),
            title: t("turn.step"),
          },
          icon("step"),
        )
      : null;
    const label = role ? h("span", { class: `line-role ${toneOf(worth)}` }, t(role)) : null;
    const own = role === "exact.refuted" ? (turns[0] ?? 1) : 0; // what refutes a turn comes after it
    const shown = [
      own > 1 ? grouped(steps.slice(0, own), turns) : null,
      label,
      grouped(steps.slice(own), own ? turns.slice(1) : turns),
    ];
    return h(
      "li",
      {
        "data-move": move,
        class: `${best ? "best" : ""}${this.unfolded.has(move) ? " unfolded" : ""}`,
      },
      h(
        "p.score-head",
        scoreChip(worth, best),
        this.name(move, view),
        source === "book" ? h("span.tag", t("exact.book_tag")) : null,
        walk,
      ),
      told,
      why,
      h(
        "div.line-row",
        h(
          "span.line-moves.cut",
          { "data-whole": moves.join(",") },
          moves.length < 2 ? null : [shown, moves.length > LONGEST_LINE ? "…" : null],
        ),
        h(
          "button.unfold",
          {
            "aria-expanded": String(this.unfolded.has(move)),
            "aria-label": t("analysis.unfold"),
            title: t("analysis.unfold"),
          },
          icon("down"),
        ),
      ),
    );
  }

  /** The name of a move; where moves are played from the list, a button. @param {string} move @param {View} view */
  name(move, view) {
    const text = moveName(move, view);
    return this.onMove
      ? h(
          "button.move-name",
          { "data-play": move, title: t("play.play_move", { move: named([move], view) }) },
          text,
        )
      : h("strong.move-name", text);
  }

  /** @param {On<MouseEvent>} event */
  clicked(event) {
    /** @param {string} selector */
    const on = (selector) => around(event, selector);
    if (on("#more-moves")) {
      this.all = true;
      this.show(...this.shown);
      setTimeout(() =>
        /** @type {NodeListOf<HTMLElement>} */ (this.element.querySelectorAll(".move-name"))[
          HANDFUL
        ]?.focus({ preventScroll: true }),
      ); // drawn once the button is released
    } else if (on("[data-play]")) this.onMove?.(on("[data-play]")?.dataset.play ?? "");
    else if (on(".unfold, .score-why")) this.unfold(/** @type {HTMLElement} */ (on("li")));
  }

  /** @param {HTMLElement} row */
  unfold(row) {
    const open = row.classList.toggle("unfolded");
    this.unfolded[open ? "add" : "delete"](row.dataset.move ?? "");
    part(row, ".unfold").setAttribute("aria-expanded", String(open));
  }

  /** Offer to unfold only what is cut. */
  measure() {
    for (const row of this.element.children) {
      const cut =
        row.classList.contains("unfolded") ||
        row.querySelectorAll(".score-why").length > 1 ||
        [...row.querySelectorAll(".cut")].some((text) => text.scrollWidth > text.clientWidth + 1);
      row.classList.toggle("is-cut", cut);
    }
  }

  close() {
    this.watcher.disconnect();
  }
}

/** How many moves the solver has proved, with a button that ends its work or takes it up again. */
export class ProofProgress {
  /** @param {{ onStop: () => void, onGo: () => void }} options */
  constructor({ onStop, onGo }) {
    this.bar = h("progress", { "aria-label": t("exact.progress"), max: 1, value: 0 });
    this.state = h("span.soft#exact-state");
    this.stop = h("button#exact-stop", { onclick: onStop }, t("exact.stop"));
    this.go = h("button#exact-go", { onclick: onGo }, t("exact.go_on"));
    this.element = h("div.proof-progress", this.bar, this.state, this.stop, this.go);
  }

  /**
   * How many moves have an exact score; `done` is null where nothing can be proved.
   * @param {number | null} done @param {number} total @param {boolean} working
   */
  show(done, total, working) {
    this.element.hidden = done === null;
    if (done === null) return;
    Object.assign(this.bar, { max: total, value: done });
    this.state.textContent =
      done === total
        ? t("exact.all_proved")
        : t(working ? "exact.proved_so_far" : "exact.stopped_at", {
            done: number(done),
            total: number(total),
          });
    this.bar.hidden = done === total;
    this.stop.hidden = !working;
    this.go.hidden = working || done === total;
  }
}
