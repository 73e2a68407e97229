// The layer of a board that says in its cells, or beside its houses, what the moves are worth, and where they lead. Boards of few cells have
// a badge for every move; on others the best handful is ranked, and where pieces move an arrow shows their way.

import { cellBadge, rankBadge } from "./board_annotations.js";
import { CELL, key } from "./board_marks.js";
import { threatShape } from "./board_threats.js";
import { last, replace, s } from "./dom.js";

const FEW = 36; // cells
const HANDFUL = 5;
const LARGEST = 90; // pixels: the side of a cell's badge
const LARGEST_OUTSIDE = 34; // pixels: the height of a house's
const SMALLEST = 18; // pixels: a rank alone
export const LEGIBLE = 10.5; // pixels: smaller texts make way for the rank alone

export class Badges {
  constructor() {
    this.smallest = Infinity;
    this.element = s("g.badges");
  }

  /**
   * Show annotations of moves whose cells are known, the best first: a cell that means several shows the best. `picked`: they are those of
   * one piece; `drawn` are annotations of the board: ways over it, and threats. Returns what is said of each cell.
   * @param {Said[]} annotations
   * @param {{ painter: Painter, view: View, byMove: Map<string, Cell[]>, picked: boolean, drawn?: Annotation[] }} options
   */
  show(annotations, { painter, view, byMove, picked, drawn = [] }) {
    const said = new Map();
    const found = annotations.map((each) => {
      const cells = byMove.get(each.move) ?? [];
      const cell = view.from_to ? last(cells) : painter.landing(cells)[0];
      const first = cell && !said.has(key(...cell));
      if (first) said.set(key(...cell), each);
      return {
        ...each,
        cell: first ? cell : null,
        way: view.from_to && cells.length > 1 ? cells : null,
      };
    });
    const ranked =
      !painter.badge && !picked && (view.from_to || painter.rows * painter.columns > FEW);
    const shown = found
      .filter(({ cell, way }) => cell || (ranked && way))
      .slice(0, ranked ? HANDFUL : Infinity);
    this.smallest = Infinity; // size of the smallest ranked text
    const badges = shown.map(
      (each, i) =>
        each.cell && this.badge(each, each.cell, ranked && String(i + 1), painter, shown),
    );
    const ways = shown.map(
      ({ way, best }) =>
        ranked && way && s("g", { class: best ? "best" : null }, painter.path([{ cells: way }])),
    );
    const badged = new Set(shown.map(({ cell }) => cell && key(...cell)));
    const paths = drawn.map(
      ({ path, title }) => path && s("g.best", { "data-path": title }, painter.path(path)),
    );
    const threats = drawn.map(
      ({ threat }) => threat && threatShape(threat, painter, (cell) => badged.has(key(...cell))),
    );
    replace(this.element, ways.reverse(), paths, badges.reverse(), threats);
    return said;
  }

  /** @param {Said} each @param {Cell} cell @param {string | false} rank @param {Painter} painter @param {Said[]} all */
  badge(each, cell, rank, painter, all) {
    const { element, size } = painter.badge
      ? painter.badge(each, ...cell, all)
      : rank
        ? rankBadge(each, rank)
        : { element: cellBadge(each), size: Infinity };
    this.smallest = Math.min(this.smallest, size);
    if (painter.badge) return element;
    return s("g", { transform: `translate(${painter.centre(...cell)})` }, element);
  }

  /** Choose their size, where a unit of the drawing has so many pixels. @param {Painter} painter @param {number} scale */
  measure(painter, scale) {
    const brief = this.smallest * scale < LEGIBLE;
    const side = CELL * scale;
    this.element.classList.toggle("brief", brief);
    this.element.style.setProperty(
      "--badge",
      (painter.badge
        ? Math.min(1, LARGEST_OUTSIDE / ((painter.margin ?? 0) * scale))
        : brief
          ? Math.max(1, SMALLEST / side)
          : Math.min(1, LARGEST / side)
      ).toFixed(2),
    );
  }
}
