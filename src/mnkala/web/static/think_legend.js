// The signs of a tree in a dialog, each drawn as the tree draws it (see think_nodes.js), with what it means.

import { h, s } from "./dom.js";
import { openDialog } from "./settings.js";
import { t } from "./words.js";

const UP = "M0 0L12 21H-12Z";
const DOWN = "M0 21L12 0H-12Z";
const SIGNS = {
  minimax: ["max", "min", "value", "leaf", "end", "here", "line"],
  alphabeta: ["max", "min", "value", "leaf", "end", "bound", "cut", "window", "here", "line"],
  mcts: ["ball", "proof", "phases", "line"],
};
const PHASES = ["select", "expand", "playout", "backup"];

/** Open the legend of an algorithm's tree. @param {keyof typeof SIGNS} algorithm */
export function openSigns(algorithm) {
  /** @param {string} name */
  const entry = (name) =>
    h("div", { "data-entry": name }, h("dt", sample(name)), h("dd", t(`signs.${name}`)));
  return openDialog(
    t("signs.title"),
    h(
      "div.help-text.think-colours",
      { tabindex: "0", role: "region", "aria-label": t("signs.title") },
      h("dl.legend.signs", SIGNS[algorithm].map(entry)),
    ),
    { id: "signs-dialog", class: "dialog wide-dialog" },
  );
}

/** @param {number} width @param {...Child} parts */
const drawing = (width, ...parts) =>
  s(
    "svg.tree.sign",
    { viewBox: `${-width / 2} -8 ${width} 52`, width, height: 52, "aria-hidden": "true" },
    parts,
  );
/** @param {string} classes @param {...Child} parts */
const node = (classes, ...parts) => s("g", { class: `node done ${classes}` }, parts);
/** @param {string} path @param {string} [value] */
const triangle = (path, value = "") => [
  s("path.halo", { d: path }),
  s("path.shape", { d: path }),
  s("text.value", { y: 37 }, value),
];
/** @param {number} x @param {number} round @param {string} move @param {string} value */
const chip = (x, round, move, value) =>
  s(
    "g",
    { transform: `translate(${x} 4)` },
    s("rect.shape", { x: -29, width: 58, height: 24, rx: round }),
    s("text", { y: 17 }, s("tspan.chip-move", `${move} `), s("tspan.value", value)),
  );
/** @param {string} classes @param {string} d */
const edge = (classes, d) => s("g", { class: `edge ${classes}` }, s("path", { d }));
/** @param {string} kind @param {number} size */
const short = (kind, size) => t(`think.${kind}_short`, { size });

/** @param {string} name */
function sample(name) {
  switch (name) {
    case "max":
      return drawing(90, node("first inner", triangle(UP)));
    case "min":
      return drawing(90, node("second inner", triangle(DOWN)));
    case "value":
      return drawing(
        120,
        s("g", { transform: "translate(-28 0)" }, node("first inner", triangle(UP, "+4"))),
        s("g", { transform: "translate(28 0)" }, node("second inner open", triangle(DOWN, "?"))),
      );
    case "leaf":
      return drawing(90, node("leaf second", chip(0, 12, "b2", "−7")));
    case "end":
      return drawing(
        150,
        node("end first", chip(-34, 5, "3", short("win", 3))),
        node("end second", chip(34, 5, "5", short("loss", 2))),
      );
    case "bound":
      return drawing(90, node("second inner", triangle(DOWN, "≤−2")));
    case "cut":
      return drawing(
        90,
        edge("cut", "M0 -6C0 8 0 6 0 14"),
        node(
          "cut",
          s(
            "g.scissors",
            { transform: "translate(0 20)" },
            s("path", { d: "M-3 -6 2.2 2.2M3 -6-2.2 2.2" }),
            s("circle", { cx: -3, cy: 4, r: 1.9 }),
            s("circle", { cx: 3, cy: 4, r: 1.9 }),
          ),
          s("text.cut-move", { y: 40 }, "4 5 6"),
        ),
      );
    case "window":
      return drawing(
        90,
        node(
          "second inner open path",
          triangle(DOWN, "?"),
          s(
            "g.window",
            s("rect.window-track", { x: -24, y: 39, width: 48, height: 5, rx: 2.5 }),
            s("rect.window-open", { x: -6, y: 39, width: 18, height: 5, rx: 2.5 }),
          ),
        ),
      );
    case "here":
      return drawing(90, node("first inner current", triangle(UP)));
    case "line":
      return drawing(
        120,
        edge("line", "M-44 8C-10 8 10 30 44 30"),
        edge("", "M-44 8C-10 8 10 4 44 4"),
      );
    case "ball":
      return s(
        "svg.tree.mcts.sign",
        { viewBox: "-60 -8 120 52", width: 120, height: 52, "aria-hidden": "true" },
        ball(-26, 15, "first", 0.66, "5/8"),
        ball(30, 8, "first", 0.3, "1/3"),
      );
    case "proof":
      return s(
        "svg.tree.mcts.sign",
        { viewBox: "-60 -8 120 52", width: 120, height: 52, "aria-hidden": "true" },
        ball(-26, 11, "second", 1, "✓ 4/4"),
        ball(30, 9, "second", 0.1, "✗ 0/2"),
      );
    default:
      return h(
        "ol.phases",
        PHASES.map((phase) => h("li", { class: `phase on ${phase}` }, t(`think.phase_${phase}`))),
      );
  }
}

/** @param {number} x @param {number} radius @param {string} side @param {number} share @param {string} text */
function ball(x, radius, side, share, text) {
  return s(
    "g",
    { class: `node done ${side}`, transform: `translate(${x} 0)` },
    s("circle.shape", { cy: 12, r: radius }),
    s("circle.fill", { cy: 12, r: radius - 1.5, opacity: share }),
    s("text.value", { y: 42 }, text),
  );
}
