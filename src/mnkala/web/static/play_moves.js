// The list of moves in two columns. A click or an arrow key looks at an earlier position; the game itself goes on untouched.

import { around, h, last, redraw, replace } from "./dom.js";
import { signButton } from "./play_icons.js";
import { t } from "./words.js";

export class MoveList {
  /**
   * `onLook(ply)` is asked for the position after so many moves; `more` follows the buttons that walk.
   * @param {(ply: number) => void} onLook @param {string} [id] @param {string} [kind]
   * @param {...Child} more
   */
  constructor(onLook, id = "move-list", kind = "moves", ...more) {
    this.onLook = onLook;
    this.total = 0;
    this.ply = 0;
    this.list = h("ol", { class: kind, id, "aria-label": t("play.moves") });
    /** @param {Icon} name @param {() => number} where */
    const walk = (name, where) =>
      signButton(name, t(`play.walk_${name}`), {
        "data-walk": name,
        onclick: () => this.walk(where()),
      });
    this.walks = h(
      "div.walk",
      { role: "group", "aria-label": t("play.walk") },
      walk("first", () => 0),
      walk("back", () => this.ply - 1),
      walk("forward", () => this.ply + 1),
      walk("last", () => this.total),
      more,
    );
    this.element = h(
      "section.panel.moves-panel",
      { "aria-label": t("play.moves") },
      this.walks,
      this.list,
    );
    this.list.addEventListener("click", (event) => {
      const button = around(event, "button[data-ply]");
      if (button) this.walk(Number(button.dataset.ply));
    });
  }

  /** @param {number} ply */
  walk(ply) {
    const to = Math.max(0, Math.min(this.total, ply));
    if (to !== this.ply) this.onLook(to);
  }

  /**
   * Show these moves with their movers; `ply` is the position that is looked at.
   * @param {string[]} played @param {number[]} movers @param {number} ply
   */
  show(played, movers, ply) {
    this.total = played.length;
    this.ply = ply;
    redraw(this.list, () => {
      this.draw(movers, (i) =>
        h("button.move", { "data-ply": String(i + 1), "data-move": played[i] }, played[i]),
      );
      if (!played.length) this.list.append(h("li.nothing", t("play.no_moves")));
      this.setPly(this.ply);
    });
    this.setPly(ply);
  }

  /**
   * A row for a turn of either player, with `button(i)` for each move; a player who moves again fills the same cell. A row has the number of
   * its first turn, so that the third turn is 3 here as everywhere else.
   * @param {number[]} movers @param {(i: number) => HTMLElement} button
   */
  draw(movers, button) {
    const rows = /** @type {{ number: number, cells: Pair<HTMLElement[]> }[]} */ ([]);
    let turn = 0;
    movers.forEach((mover, i) => {
      const begins = mover !== movers[i - 1];
      turn += Number(begins);
      if (!rows.length || (begins && (mover === 0 || last(rows).cells[1].length)))
        rows.push({ number: turn, cells: [[], []] });
      last(rows).cells[mover].push(button(i));
    });
    /** @param {HTMLElement[]} moves */
    const group = (moves) => (moves.length > 1 ? h("span.turn-group", moves) : moves);
    /** @param {HTMLElement[]} moves @param {number} player */
    const cell = (moves, player) =>
      h("span.turn", moves.length || player === 1 ? group(moves) : h("span.no-move", "…"));
    replace(
      this.list,
      rows.map(({ number, cells }) => h("li", { "data-number": String(number) }, cells.map(cell))),
    );
  }

  /** The ply of the button that a ply belongs to. @param {number} ply */
  plyOfButton(ply) {
    return ply;
  }

  /** Point to the position that is looked at, within sight. @param {number} ply */
  setPly(ply) {
    this.ply = ply;
    for (const old of this.list.querySelectorAll("[aria-current]"))
      old.removeAttribute("aria-current");
    const now = this.list.querySelector(`[data-ply="${this.plyOfButton(ply)}"]`);
    if (now) {
      now.setAttribute("aria-current", "step");
      const [box, frame] = [now.getBoundingClientRect(), this.list.getBoundingClientRect()];
      if (box.top < frame.top) this.list.scrollTop -= frame.top - box.top;
      if (box.bottom > frame.bottom) this.list.scrollTop += box.bottom - frame.bottom;
    } else this.list.scrollTop = 0;
    const [first, back, forward, end] = this.walks.querySelectorAll("button");
    first.disabled = back.disabled = ply <= 0;
    end.disabled = forward.disabled = ply >= this.total;
  }
}
