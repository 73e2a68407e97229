// "You missed this. Can you find it?": a move of a review that gave something away, as a task on the board. What is tried is judged by a
// review of its own, so every move that is as good counts.

import { live } from "./api.js";
import { h, last, replace } from "./dom.js";
import { parting, unitsOf } from "./review_parts.js";
import { named } from "./scores.js";
import { problemText, t } from "./words.js";

const RIGHT = ["best", "good"];

/**
 * The move to find, of the reader or else of either player: where the game turned, or else the
 * worst one.
 * @param {ReviewView} review @param {number | null} reader @param {string[]} faults @returns {ReviewUnit | undefined}
 */
export function missed(review, reader, faults) {
  const theirs = unitsOf(review).filter(
    (unit) => faults.includes(unit.grade ?? "") && (reader === null || unit.player === reader),
  );
  return (
    theirs.find((unit) => unit.ply === review.turning_point) ??
    theirs.sort(
      (one, other) => (other.given_away ?? 0) - (one.given_away ?? 0) || other.loss - one.loss,
    )[0]
  );
}

export class Finder {
  /**
   * `before` are the moves up to where the unit leaves the better one; `puzzles` is the address of puzzles like it; `onLeave()` goes
   * back to the review, which shows what was better.
   * @param {View} view @param {ReviewUnit} unit @param {string[]} before @param {string} puzzles @param {() => void} onLeave
   */
  constructor(view, unit, before, puzzles, onLeave) {
    this.puzzles = puzzles;
    this.view = view;
    this.unit = unit;
    this.before = before;
    const place = parting(unit);
    this.better = unit.best[place];
    this.played = unit.moves[place];
    this.onLeave = onLeave;
    this.found = false;
    this.number = /** @type {number | null} */ (null);
    this.tried = "";
    this.verdict = h("p.find-verdict", { role: "status" });
    this.more = h("div.controls");
    this.element = h(
      "div.find",
      h("p.comment-head", h("strong", t("review.find_title"))),
      h("p", t("review.find_about", { number: unit.number, player: view.players[unit.player] })),
      this.verdict,
      this.more,
    );
    this.ends = [
      live.on("review", (message) => this.take(message)),
      live.on("error", (message) => {
        if (message.id !== undefined && message.id === this.number)
          this.failed(problemText(message));
      }),
    ];
    this.draw("");
  }

  /** @param {string} text */
  draw(text) {
    this.verdict.textContent = text;
    const { view, found } = this;
    replace(
      this.more,
      found ? null : h("button#find-answer", { onclick: this.onLeave }, t("review.find_answer")),
      found && view.puzzles
        ? h("a.button.primary#find-more", { href: this.puzzles }, t("review.find_more"))
        : null,
      h("button#find-done", { onclick: this.onLeave }, t("review.find_done")),
    );
  }

  /** @param {string} move */
  try(move) {
    if (this.found || this.number) return;
    this.tried = move;
    if (move === this.better) this.judge(true);
    else if (move === this.played) this.judge(false);
    else {
      this.draw(t("review.find_waits"));
      this.number = live.number();
      const { game, start } = this.view;
      live.keep("find", {
        type: "review",
        id: this.number,
        game,
        start,
        moves: [...this.before, move].join(","),
      });
    }
  }

  /** @param {ReviewUpdate} options */
  take({ id, final, review }) {
    if (id !== this.number || !final || !review) return;
    this.number = null;
    live.forget("find");
    this.judge(RIGHT.includes(last(review.moves).grade ?? ""));
  }

  /** @param {string} text */
  failed(text) {
    this.number = null;
    live.forget("find");
    this.draw(text);
  }

  /** @param {boolean} right */
  judge(right) {
    this.found = right;
    this.draw(
      t(right ? "review.find_right" : "review.find_wrong", {
        move: named([this.tried], this.view),
      }),
    );
  }

  close() {
    if (this.number) live.forget("find", { type: "stop", id: this.number });
    for (const end of this.ends) end();
  }
}
