// Threats on a board of lines: a ring around every mark that makes one, a diamond where it is carried out, a small square in the corner of
// a cell that stops it. Where they are one line of play, the moves are numbered. The two sides differ in colour and in the dashes of their rings.

import { CELL } from "./board_marks.js";
import { s } from "./dom.js";

const [DIAMOND, SQUARE, CORNER, DIGIT] = [0.2 * CELL, 0.2 * CELL, 0.2 * CELL, 0.36 * CELL];
const ASIDE = 0.38 * CELL;
const SIDES = ["first", "second"];

/** @param {number} size */
const diamond = (size) => `M0 ${-size}L${size} 0L0 ${size}L${-size} 0Z`;

const SIGNS = {
  stone: () => s("circle", { r: 16 }),
  at: () => s("path", { d: diamond(14) }),
  stop: () => s("rect", { x: -12, y: -12, width: 24, height: 24, rx: 2 }),
};

/**
 * What the board draws of a threat, one by one, for a key: the ring of either side, the diamond, the square.
 * @param {keyof typeof SIGNS} part @param {number} player
 */
export const threatSign = (part, player) =>
  s(
    "svg",
    {
      class: `threat threat-sign ${SIDES[player]}`,
      viewBox: "-20 -20 40 40",
      "aria-hidden": "true",
    },
    s("g", { class: `threat-${part}` }, SIGNS[part]()),
  );

/**
 * Everything of one threat ({player, kind, stones, at, stops, is_line} in cells). On a cell that has a badge (`covered`) it stands smaller in the
 * corners: where it is carried out in the upper left, what stops it in the lower right.
 * @param {LineThreatView} options @param {Painter} painter
 * @param {(cell: Cell) => boolean} [covered]
 */
export function threatShape(
  { player, kind, stones, at, stops, is_line: isLine },
  painter,
  covered = () => false,
) {
  /** @param {Cell} cell @param {string} name @param {...Child} parts */
  const place = (cell, name, ...parts) => {
    const [x, y] = painter.centre(...cell);
    const aside =
      !covered(cell) || name === "threat-stone"
        ? ""
        : name === "threat-stop"
          ? ` translate(${ASIDE / 3} ${ASIDE / 3})`
          : ` translate(${-ASIDE} ${-ASIDE}) scale(0.65)`;
    return s("g", { class: name, transform: `translate(${x} ${y})${aside}` }, parts);
  };
  const moves = isLine
    ? at.map((cell, i) =>
        place(
          cell,
          i % 2 ? "threat-answer" : "threat-at",
          s(
            "text.threat-number",
            { "font-size": DIGIT.toFixed(1), y: (0.36 * DIGIT).toFixed(1) },
            String(i + 1),
          ),
        ),
      )
    : at.map((cell) => place(cell, "threat-at", s("path", { d: diamond(DIAMOND) })));
  return s(
    "g",
    { class: `threat ${SIDES[player]}`, "data-threat": kind, "data-player": player },
    stones.map((cell) => place(cell, "threat-stone", s("circle", { r: painter.radius + 1.5 }))),
    moves,
    stops.map((cell) =>
      place(
        cell,
        "threat-stop",
        s("rect", { x: CORNER, y: CORNER, width: SQUARE, height: SQUARE, rx: 2 }),
      ),
    ),
  );
}
