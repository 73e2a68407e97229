// The list of moves in two columns. A click or an arrow key looks at an earlier position; the game itself goes on untouched.

import { h, replace } from "./dom.js";
import { icon } from "./play_icons.js";
import { t } from "./words.js";

export class MoveList {
  /** `onLook(ply)` is asked for the position after so many moves. */
  constructor(onLook) {
    this.onLook = onLook;
    this.list = h("ol", { class: "moves", id: "move-list", "aria-label": t("play.moves") });
    const walk = (name, text, where) => h("button", { type: "button", class: "icon", "data-walk": name, "aria-label": text, title: text, onclick: () => this.walk(where()) }, icon(name));
    this.walks = h("div", { class: "walk", role: "group", "aria-label": t("play.walk") },
      walk("first", t("play.walk_first"), () => 0),
      walk("back", t("play.walk_back"), () => this.ply - 1),
      walk("forward", t("play.walk_forward"), () => this.ply + 1),
      walk("last", t("play.walk_last"), () => this.total));
    this.element = h("section", { class: "panel moves-panel", "aria-label": t("play.moves") }, this.walks, this.list);
    this.list.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-ply]");
      if (button) this.walk(Number(button.dataset.ply));
    });
    this.total = 0;
    this.ply = 0;
  }

  walk(ply) {
    const to = Math.max(0, Math.min(this.total, ply));
    if (to !== this.ply) this.onLook(to);
  }

  /** Show these moves with their movers; `ply` is the position that is looked at. */
  show(played, movers, ply) {
    const drawn = JSON.stringify([played, movers]);
    this.total = played.length;
    this.ply = ply;
    if (drawn !== this.drawn) this.draw(played, movers);
    this.drawn = drawn;
    for (const old of this.list.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    const now = this.list.querySelector(`[data-ply="${ply}"]`);
    if (now) {
      now.setAttribute("aria-current", "step");
      const [box, frame] = [now.getBoundingClientRect(), this.list.getBoundingClientRect()];
      if (box.top < frame.top) this.list.scrollTop -= frame.top - box.top;
      if (box.bottom > frame.bottom) this.list.scrollTop += box.bottom - frame.bottom;
    } else this.list.scrollTop = 0;
    const [first, back, forward, last] = this.walks.children;
    first.disabled = back.disabled = ply <= 0;
    last.disabled = forward.disabled = ply >= this.total;
  }

  draw(played, movers) {
    const turns = []; // [moves of the first, moves of the second]: a player who moves again fills the same cell
    played.forEach((move, i) => {
      const last = turns.at(-1);
      const same = last && movers[i] === movers[i - 1];
      if (!last || (movers[i] === 0 && movers[i - 1] !== 0)) turns.push([[], []]);
      else if (!same && last[movers[i]].length) turns.push([[], []]);
      turns.at(-1)[movers[i]].push([move, i + 1]);
    });
    const cell = (moves, first) => h("span", { class: "turn" }, moves.length
      ? moves.map(([move, ply]) => h("button", { type: "button", class: "move", "data-ply": String(ply), "data-move": move }, move))
      : first ? h("span", { class: "no-move" }, "…") : null);
    replace(this.list, turns.map(([first, second]) => h("li", null, cell(first, true), cell(second, false))));
    if (!played.length) this.list.append(h("li", { class: "nothing" }, t("play.no_moves")));
  }
}
