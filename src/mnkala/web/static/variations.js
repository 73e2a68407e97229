// A tree of moves as a list: the main line runs on, each variation follows in a block of its own after the move that it stands beside.
// Moves that one player makes in a row stand together as one turn. A click looks at a move.

import { around, h, last, redraw, replace } from "./dom.js";
import { t } from "./words.js";

export class Variations {
  /** @type {Map<Element, MoveNode>} */ nodes;

  /** `onLook(node)` is asked for the position after a move. @param {(node: MoveNode) => void} onLook */
  constructor(onLook) {
    this.list = h("div.variations#move-list", { role: "group", "aria-label": t("play.moves") });
    this.list.addEventListener("click", (event) => {
      const button = around(event, "button[data-ply]");
      const node = button && this.nodes.get(button);
      if (node) onLook(node);
    });
  }

  /** @param {MoveTree} tree @param {MoveNode} node */
  show(tree, node) {
    redraw(this.list, () => {
      this.draw(tree);
      this.setCurrent(node);
    });
    this.setCurrent(node);
  }

  /** @param {MoveTree} tree */
  draw(tree) {
    this.nodes = new Map();
    const [first] = tree.root.children;
    replace(
      this.list,
      first
        ? this.line(first, { ply: 1, turn: 1, shown: true })
        : h("p.soft.nothing", t("play.no_moves")),
    );
  }

  /**
   * The moves from a node on; at every fork the other moves follow the main one as blocks.
   * @param {MoveNode} first @param {{ ply: number, turn: number, shown: boolean }} place @returns {HTMLElement[]}
   */
  line(first, place) {
    const parts = /** @type {HTMLElement[]} */ ([]);
    let node = /** @type {MoveNode | undefined} */ (first);
    let { ply, turn, shown } = place;
    while (node) {
      const siblings = node.parent?.children ?? [];
      const entry = this.button(node, ply, turn, shown);
      if (node.mover === node.parent?.mover && !shown) together(parts, entry);
      else parts.push(entry);
      const others = siblings[0] === node ? siblings.slice(1) : [];
      for (const other of others)
        parts.push(
          h(
            "div.variation",
            { role: "group", "aria-label": t("analysis.variation") },
            this.line(other, { ply, turn, shown: true }),
          ),
        );
      shown = others.length > 0;
      const next = /** @type {MoveNode | undefined} */ (node.children[0]);
      if (next && next.mover !== node.mover) turn += 1;
      [node, ply] = [next, ply + 1];
    }
    return parts;
  }

  /**
   * The number of the turn stands before the first player's move, and before the second's where a line begins or goes on with it; turns are
   * counted as everywhere.
   * @param {MoveNode} node @param {number} ply @param {number} turn @param {boolean} shown
   */
  button(node, ply, turn, shown) {
    const begins = node.mover === 0 && node.parent?.mover !== 0;
    const number = begins || shown ? h("span.turn-number", `${turn}.`) : null;
    const button = h("button.move", { "data-ply": String(ply), "data-move": node.move }, node.move);
    this.nodes.set(button, node);
    return h("span.numbered", number, button);
  }

  /** Point to the move that is looked at, within sight. @param {MoveNode} node */
  setCurrent(node) {
    for (const old of this.list.querySelectorAll("[aria-current]"))
      old.removeAttribute("aria-current");
    const now = [...this.nodes].find(([, each]) => each === node)?.[0];
    if (!now) {
      this.list.scrollTop = 0;
      return;
    }
    now.setAttribute("aria-current", "step");
    const [box, frame] = [now.getBoundingClientRect(), this.list.getBoundingClientRect()];
    if (box.top < frame.top) this.list.scrollTop -= frame.top - box.top;
    if (box.bottom > frame.bottom) this.list.scrollTop += box.bottom - frame.bottom;
  }
}

/** Put a move into one group with those of the same turn before it. @param {HTMLElement[]} parts @param {HTMLElement} entry */
function together(parts, entry) {
  const before = last(parts);
  const group = before.classList.contains("turn-group") ? before : h("span.turn-group", before);
  parts[parts.length - 1] = group;
  group.append(entry);
}
