// The names of rows and columns, in strips at the left and the lower edge of a board: they stay in sight while it is scrolled. Where there
// is no room for all of them, one of several is shown.

import { CELL } from "./board_marks.js";
import { h, last, replace, s } from "./dom.js";

const LETTERS = 14; // pixels: names keep about this size
const EVERY = [1, 2, 5, 10];

export class Rulers {
  /** @type {{ rows: [SVGElement, number][], columns: [SVGElement, number][] }} */ labels;

  constructor() {
    this.strips = [0, 1].map(() => s("svg", { "aria-hidden": "true" }));
    this.corner = h("div");
    this.elements = [...this.strips, this.corner];
  }

  /** Name the rows and columns of a painter's board on its sheet. @param {Painter} painter @param {HTMLElement} sheet */
  build(painter, sheet) {
    const { width, height, left = 0, below = 0, style } = painter;
    this.labels = painter.labels?.() ?? { rows: [], columns: [] };
    const strips = /** @type {[string, [SVGElement, number][], number[]][]} */ ([
      ["row-ruler", this.labels.rows, [0, 0, left, height]],
      ["column-ruler", this.labels.columns, [0, height - below, width, below]],
    ]);
    strips.forEach(([name, labels, box], i) => {
      const strip = this.strips[i];
      strip.setAttribute("class", `ruler labels ${name} ${style}`);
      strip.setAttribute("viewBox", box.join(" "));
      strip.style.display = labels.length ? "" : "none";
      replace(
        strip,
        labels.map(([text]) => text),
      );
    });
    this.corner.className = `ruler ruler-corner ${style}`;
    this.corner.hidden = !this.labels.rows.length || !this.labels.columns.length;
    sheet.style.setProperty("--gutter", `${(100 * left) / width}%`);
    sheet.style.setProperty("--below", `${(100 * below) / height}%`);
  }

  /**
   * Choose the size of the letters, and how many names are shown, where a unit of the drawing has so many pixels.
   * @param {Painter} painter @param {HTMLElement} sheet @param {number} scale
   */
  measure(painter, sheet, scale) {
    const size = Math.max(8, Math.min(painter.largestLabel, LETTERS / scale));
    sheet.style.setProperty("--label", `${size.toFixed(1)}px`);
    const rooms = /** @type {[[SVGElement, number][], number][]} */ ([
      [this.labels.rows, 1.1],
      [
        this.labels.columns,
        0.4 + 0.6 * Math.max(1, ...this.labels.columns.map(([text]) => text.textContent.length)),
      ],
    ]);
    for (const [labels, room] of rooms) {
      const every = EVERY.find((each) => each * CELL >= room * size) ?? last(EVERY);
      for (const [text, i] of labels) text.style.display = (i + 1) % every === 0 ? "" : "none";
    }
  }
}
