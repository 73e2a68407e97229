// The smallest pieces of a board: the players' marks, rings, seeds. Marks differ in shape as well as in colour (first: a cross,
// second: a ring), as in mnkala/core/picture.py, so that nobody has to tell colours apart.

import { s } from "./dom.js";

export const CELL = 48; // the unit of every drawing: the side of a cell
const SIDES = ["", "first", "second"];
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** @param {number} row @param {number} column */
export const key = (row, column) => `${row},${column}`;

/** A disc with its player's shape on it, around (0, 0). @param {number} owner @param {number} radius */
export function disc(owner, radius) {
  const arm = radius * 0.36;
  const shape =
    owner === 1
      ? s("path.disc-mark", { d: `M${-arm} ${-arm}L${arm} ${arm}M${arm} ${-arm}L${-arm} ${arm}` })
      : s("circle.disc-mark", { r: radius * 0.36 });
  return s(
    "g",
    { class: `disc ${SIDES[owner]}` },
    s("circle.disc-body", { r: radius }),
    s("circle.disc-edge", { r: radius * 0.8 }),
    shape,
  );
}

/** A cross or a nought, around (0, 0), as on paper. @param {number} owner @param {number} radius */
export function sign(owner, radius) {
  const arm = radius * 0.68;
  return owner === 1
    ? s("path.sign.first", { d: `M${-arm} ${-arm}L${arm} ${arm}M${arm} ${-arm}L${-arm} ${arm}` })
    : s("circle.sign.second", { r: radius * 0.72 });
}

/**
 * A ring in two tones, so that it is seen on any ground. `kind` is last, won, best, hint or point.
 * @param {string} kind @param {number} x @param {number} y @param {number} radius
 */
export function ring(kind, x, y, radius) {
  return s(
    "g",
    { class: `ring ${kind}` },
    s("circle.ring-under", { cx: x, cy: y, r: radius }),
    s("circle.ring-over", { cx: x, cy: y, r: radius }),
  );
}

/**
 * So many seeds around (0, 0) within a radius, laid out like the seeds of a sunflower (Vogel 1979).
 * @param {number} count @param {number} radius @param {number} [stretch]
 */
export function seeds(count, radius, stretch = 1) {
  const group = s("g.seeds");
  if (!count) return group;
  const size = Math.min(5, 0.6 * radius * Math.sqrt(stretch / count));
  for (let i = 0; i < count; i += 1) {
    const far = count > 1 ? (radius - size) * Math.sqrt((i + 0.5) / Math.max(count, 6)) : 0;
    const angle = i * GOLDEN_ANGLE;
    group.append(
      s("circle", {
        cx: (far * Math.cos(angle)).toFixed(1),
        cy: (stretch * far * Math.sin(angle)).toFixed(1),
        r: size.toFixed(1),
      }),
    );
  }
  return group;
}

/** A player's mark as a small picture of its own, for plates and lists. @param {number} player @param {string | null} [title] */
export function mark(player, title = null) {
  return s(
    "svg.mark",
    {
      viewBox: "-10 -10 20 20",
      role: title ? "img" : null,
      "aria-label": title,
      "aria-hidden": title ? null : "true",
    },
    disc(player + 1, 9.5),
  );
}
