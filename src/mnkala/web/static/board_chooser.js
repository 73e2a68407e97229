// A question beside a cell that means several moves: which one?

import { h, part, replace } from "./dom.js";
import { t } from "./words.js";

export class Chooser {
  /** @type {string[]} */ moves;

  /**
   * `onMove(move)` hears what is chosen, `onPoint(move or null)` what is about to be; `onClose(back)` whether the board gets the focus back.
   * @param {{ onMove: (move: string) => unknown, onPoint: (move: string | null) => void, onClose: (back: boolean) => void }} options
   */
  constructor({ onMove, onPoint, onClose }) {
    this.onMove = onMove;
    this.onPoint = onPoint;
    this.onClose = onClose;
    this.moves = [];
    this.element = h("div.chooser", { role: "group", hidden: true });
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close(true);
      event.stopPropagation();
    });
  }

  get isOpen() {
    return !this.element.hidden;
  }

  /**
   * Ask which of these moves is meant, below a target of the board within its frame.
   * @param {string[]} moves @param {Element} target @param {Element} frame
   */
  ask(moves, target, frame) {
    this.moves = moves;
    replace(
      this.element,
      moves.map((move) =>
        h(
          "button",
          {
            type: "button",
            "data-move": move,
            onclick: () => {
              this.close(true);
              this.onMove(move);
            },
            onmouseenter: () => this.onPoint(move),
            onfocus: () => this.onPoint(move),
          },
          move,
        ),
      ),
      h("button.quiet", { onclick: () => this.close(true) }, t("play.cancel")),
    );
    this.element.setAttribute("aria-label", t("play.which_move"));
    this.element.hidden = false;
    const [box, around] = [target.getBoundingClientRect(), frame.getBoundingClientRect()];
    const left = Math.min(
      Math.max(0, box.left - around.left + box.width / 2 - this.element.offsetWidth / 2),
      around.width - this.element.offsetWidth,
    );
    this.element.style.left = `${Math.max(0, left)}px`;
    this.element.style.top = `${box.bottom - around.top + 6}px`;
    part(this.element, "button").focus();
  }

  /** @param {boolean} back */
  close(back) {
    if (!this.isOpen) return;
    this.element.hidden = true;
    this.moves = [];
    this.onClose(back);
  }
}
