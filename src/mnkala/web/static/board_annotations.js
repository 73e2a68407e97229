// What stands on a board beside its moves: tiles over the columns where discs fall, badges in the cells and beside the houses elsewhere.
// An annotation of a move is {move, text, words, note, tone: good, even, bad or open, best, proved, title}; the best come first. `words` is the
// text where there is room for more. Tones differ in shape as well as in colour; what is not proved has a ~ before it. Sizes follow the
// texts, as the browser measures them. An annotation may also be a way over the board, {path, title}, which board_paths.js
// draws, or a threat on a line, {threat, title}, which board_threats.js draws.

import { CELL } from "./board_marks.js";
import { h, s } from "./dom.js";
import { t } from "./words.js";

const SHAPES = /** @type {Record<string, string>} */ ({
  good: "M0 -6L6.4 5H-6.4Z",
  even: "M-5 -5H5V5H-5Z",
  bad: "M0 6L6.4 -5H-6.4Z",
});
const SIGN = 0.95; // width of a shape, in letters' heights
const [PAD, WIDEST, HIGHEST] = [5, 46, 42]; // of a badge in a cell
const widths = new Map();
let pen = null;

/** How wide a text is, in letters' heights. @param {string} text @param {number} [weight] */
function widthOf(text, weight = 750) {
  const name = `${weight}${text}`;
  if (!widths.has(name)) {
    pen ??= document.createElement("canvas").getContext("2d");
    pen.font = `${weight} 50px ${getComputedStyle(document.documentElement).getPropertyValue("--font") || "sans-serif"}`;
    if (widths.size > 2000) widths.clear();
    widths.set(name, pen.measureText(text).width / 50);
  }
  return widths.get(name);
}

/**
 * The shape of a tone: up for good, a square for even, down for bad; none while it is open.
 * @param {string} tone @param {Attributes} [place]
 */
export function toneShape(tone, place = {}) {
  return SHAPES[tone]
    ? s(
        "svg.tone-shape",
        { viewBox: "-8 -8 16 16", "aria-hidden": "true", ...place },
        s("path", { d: SHAPES[tone] }),
      )
    : null;
}

/** @param {Annotation} options */
const isAbout = ({ text, proved }) => !proved && !/[~≤≥…]/.test(text ?? "");

/** The shape or the ~ before the text of an annotation; nothing where the text says it. @param {Said} each */
const signBefore = (each) =>
  isAbout(each) ? h("span.about", "~") : each.proved ? toneShape(each.tone) : null;

/**
 * Tiles over a board, each as wide as its column, that play it. Full columns have none. All have letters of one size: that of the longest text.
 * @param {Painter} painter @param {View} view @param {Said[]} annotations
 * @param {{ playable: boolean, onMove: (move: string) => unknown, onPoint: (move: string | null) => void }} options
 */
export function columnTiles(painter, view, annotations, { playable, onMove, onPoint }) {
  const found = new Map(annotations.map((each) => [each.move, each]));
  const none = () => h("li.column-none");
  /** @param {string[]} texts */
  const widest = (texts) => Math.max(1.6, ...texts.map((text) => widthOf(text))).toFixed(2);
  const [texts, notes] = [
    annotations.flatMap(({ text }) => breakable(text)),
    annotations.map(({ note }) => note || ""),
  ];
  /** @param {string[]} lines */
  const words = (lines) => lines.flatMap((line) => line.split(" "));
  /** @param {Said} each */
  const tile = (each) =>
    h(
      "li",
      h(
        "button",
        {
          type: "button",
          class: `column-tile worth ${each.tone}${each.best ? " best" : ""}`,
          "data-score": each.move,
          "data-tone": each.tone,
          "data-proved": String(each.proved),
          "aria-label": each.title,
          title: each.title,
          disabled: !playable,
          onclick: () => onMove(each.move),
          onmouseenter: () => onPoint(each.move),
          onmouseleave: () => onPoint(null),
          onfocus: () => onPoint(each.move),
          onblur: () => onPoint(null),
        },
        signBefore(each),
        h(
          "strong",
          breakable(each.text).map((part, i) => [i ? h("wbr") : null, part]),
        ),
        each.note ? h("span.column-note", each.note) : null,
      ),
    );
  return h(
    "ol",
    {
      class: "column-tiles",
      "aria-label": t("exact.columns"),
      css: {
        "grid-template-columns": `${painter.left}fr repeat(${painter.columns}, ${CELL}fr) ${painter.edge}fr`,
        "--columns": String(painter.columns),
        "--letters": widest(texts),
        "--word": widest(words(texts)),
        "--note": widest(notes),
        "--note-word": widest(words(notes)),
      },
    },
    none(),
    view.column_labels.map((label) => {
      const each = found.get(label);
      return each ? tile(each) : none();
    }),
  );
}

/** The parts of a text that is too long for one line: bounds may break after their dots. @param {string} text */
const breakable = (text) =>
  /….+/.test(text) && widthOf(text) > 2.6
    ? [text.slice(0, text.indexOf("…") + 1), text.slice(text.indexOf("…") + 1)]
    : [text];

/**
 * A badge around (0, 0) for the middle of a cell: its text, below it the note; the shape stands beside a short text, above a long one.
 * @param {Said} each
 */
export function cellBadge(each) {
  const texts = breakable((isAbout(each) ? "~" : "") + each.text);
  const note = texts.length === 1 && each.note;
  const shaped = each.proved && SHAPES[each.tone] ? SIGN : 0;
  const beside = shaped && texts.length === 1 && widthOf(texts[0]) + SIGN < 4.1 ? SIGN : 0;
  const lines = texts.map((text) => ({ text, wide: widthOf(text) + beside, shaped: beside }));
  const size = Math.min(
    lines.length > 1 || note ? 16 : 20,
    ...lines.map(({ wide }) => (WIDEST - PAD) / wide),
  );
  const rows = lines.map((line) => /** @type {BadgeLine} */ ({ ...line, size }));
  if (shaped && !beside) rows.unshift(shapeAlone(0.8 * size));
  if (note)
    rows.push({
      text: note,
      wide: widthOf(note),
      size: Math.min(11, (WIDEST - PAD) / widthOf(note)),
      class: "badge-note",
    });
  return named(each, pill(each, rows, WIDEST, HIGHEST));
}

/**
 * A badge of one line for the outer side of a house, within these measures: in words, or where these would be too small its short text.
 * The words of `all` badges have letters of one size, in the board's measures `size`.
 * @param {Said} each @param {Said[]} all @param {number} wide @param {number} high
 */
export function rimBadge(each, all, wide, high) {
  const about = isAbout(each) ? "~" : "";
  /** @param {string} text */
  const fitting = (text) => (wide - PAD - 3) / widthOf(text);
  const short =
    each.note && widthOf(`${about}${each.text} ${each.note}`) < 2.5
      ? `${each.text} ${each.note}`
      : each.text;
  /** @param {string} text @param {number} largest */
  const line = (text, largest) => {
    const shaped = each.proved && SHAPES[each.tone] && widthOf(text) < 3 ? SIGN : 0; // no room for it beside a long text
    const letters = widthOf(text) + shaped;
    return { text, wide: letters, shaped, size: Math.min(largest, (wide - 3) / letters) };
  };
  const brief = pill(each, [line(about + short, 0.72 * high)], wide, high);
  if (all.every(({ text, words = text }) => words === text))
    return { element: named(each, brief), size: Infinity };
  const size = Math.min(0.62 * high, ...all.map(({ text, words = text }) => fitting(words)));
  const full = pill(each, [line(about + (each.words ?? short), size)], wide, high);
  full.classList.add("in-full");
  brief.classList.add("in-brief");
  return { element: named(each, s("g", full, brief)), size };
}

/**
 * A badge with a rank, for boards of many cells: the rank above the text, or, where the text would be too small, the rank alone. Its
 * `size` is that of the text, in the board's measures.
 * @param {Said} each @param {string} rank
 */
export function rankBadge(each, rank) {
  const text = (isAbout(each) ? "~" : "") + each.text;
  const shaped = each.proved && SHAPES[each.tone] ? SIGN : 0;
  const size = Math.min(14, (CELL - 3) / widthOf(text, 600));
  const full = pill(
    each,
    [
      { text: rank, wide: 0.7 + shaped, shaped, size: 17, class: "badge-rank" },
      { text, wide: widthOf(text, 600), size, class: "badge-note" },
    ],
    CELL,
    HIGHEST,
  );
  const brief = pill(
    each,
    [...(shaped ? [shapeAlone(11)] : []), { text: rank, wide: 0.7, size: 27, class: "badge-rank" }],
    WIDEST,
    WIDEST,
    WIDEST / 2,
  );
  full.classList.add("in-full");
  brief.classList.add("in-brief");
  return { element: named(each, s("g", { "data-rank": rank }, full, brief)), size };
}

/** A line of a badge that holds nothing but the shape. @param {number} size */
const shapeAlone = (size) => ({ text: "", wide: 0.8, shaped: 0.8, size });

/** An element that says which move it is about. @param {Said} options @param {SVGElement} element */
function named({ move, tone, proved }, element) {
  Object.assign(element.dataset, { score: move, tone, proved });
  return element;
}

/**
 * Lines of text in a rounded box that is as large as they ask for, and not larger than this.
 * @param {Said} each @param {BadgeLine[]} lines @param {number} widest @param {number} highest
 *
 */
function pill(each, lines, widest, highest, round = 9) {
  const wide = Math.max(
    Math.min(widest, 30),
    round > 9
      ? widest
      : Math.min(widest, Math.max(...lines.map((line) => line.wide * line.size)) + PAD),
  );
  const high =
    round > 9
      ? highest
      : Math.min(
          highest,
          lines.reduce((sum, { size }) => sum + 1.06 * size, PAD + 1),
        );
  const total = lines.reduce((sum, { size }) => sum + 1.06 * size, 0);
  let top = -total / 2;
  const texts = lines.map((line) => {
    const middle = top + 0.53 * line.size;
    top += 1.06 * line.size;
    return [
      line.shaped
        ? toneShape(each.tone, {
            x: (-line.wide * line.size) / 2,
            y: middle - 0.42 * line.size,
            width: 0.8 * line.size,
            height: 0.8 * line.size,
          })
        : null,
      s(
        "text",
        {
          class: line.class,
          "font-size": line.size.toFixed(1),
          x: ((line.shaped || 0) * line.size) / 2,
          y: (middle + 0.355 * line.size).toFixed(1),
        },
        line.text,
      ),
    ];
  });
  return s(
    "g",
    { class: `badge worth ${each.tone}` },
    s("rect", {
      x: -wide / 2,
      y: -high / 2,
      width: wide,
      height: high,
      rx: Math.min(round, high / 2),
    }),
    each.best
      ? s("rect.badge-ring", {
          x: -wide / 2 - 1.5,
          y: -high / 2 - 1.5,
          width: wide + 3,
          height: high + 3,
          rx: Math.min(round, high / 2) + 1.5,
        })
      : null,
    texts,
  );
}
