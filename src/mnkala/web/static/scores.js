// What moves are worth, for people. A worth is what the server says of a position or a move (WorthView in openapi.json): a chance that
// compares all moves of an answer, what is known in the game's own terms, and its words; here they are only drawn.

import { h, last } from "./dom.js";
import { number, said, t } from "./words.js";

const TONES = /** @type {Record<string, string>} */ ({ win: "good", draw: "even", loss: "bad" });

/** A value with its sign. @param {number | null} value */
export const signed = (value) =>
  value && value < 0 ? `−${number(-value)}` : `${value ? "+" : ""}${number(value)}`;

/** Whether a worth is more than an opinion. @param {Pick<WorthView, "kind">} options */
export const isProved = ({ kind }) => kind === "exact" || kind === "bound";

/** Whether it is good for the player to move, once that is proved. @param {WorthView} worth */
export const toneOf = (worth) => (isProved(worth) ? (TONES[worth.result] ?? "open") : "open");

/**
 * A worth in words, followed by the number behind them, for a tooltip.
 * @param {WorthView} worth
 */
export const fullText = ({ words, detail }) =>
  detail ? `${said(words)} (${said(detail)})` : said(words);

/** A worth in words that also say whether it is proved. @param {WorthView} worth */
export const provedText = ({ kind, words }) =>
  kind === "exact" ? t("exact.proved", { score: said(words) }) : said(words);

/** A move by the name that its game has for moves: "Column 4". @param {string} move @param {Pick<View, "noun">} options */
export const moveName = (move, { noun }) => t(`exact.move_${noun}`, { move });

/**
 * Moves as a value for a sentence, "column 4": as explain/words.py names them. Several are those of one turn.
 * @param {string[]} moves @param {Pick<View, "noun">} view
 */
export const named = (moves, { noun }) =>
  namedAs(moves.length > 1 ? "turn" : noun, moves, noun, ", ");

/** Several moves of a line, or several of which one may be chosen: "columns 4 5". @param {string[]} moves @param {Pick<View, "noun">} view */
export const namedLine = (moves, { noun }) =>
  namedAs(moves.length > 1 ? `${noun}s` : noun, moves, noun, " ");

/** @param {string} word @param {string[]} moves @param {string} noun @param {string} by */
function namedAs(word, moves, noun, by) {
  const text = moves.join(by);
  return noun === "cell" || !moves.some((move) => /^\d+$/.test(move))
    ? text
    : `@move.${word} ${text}`;
}

/**
 * The chance of the first player, from the worth for the player to move.
 * @param {WorthView} options @param {number} mover
 */
export const firstChance = ({ chance }, mover) => (mover === 0 ? chance : 1 - chance);

/** What the board shows of a move (see board_annotations.js). @param {MoveWorth} worth @param {View} view @param {boolean} best @returns {Said} */
export function annotation(worth, view, best) {
  const { move, short, board, source } = worth;
  const title = t(best ? "exact.named_best" : "exact.named", {
    name: moveName(move, view),
    score: fullText(worth),
  });
  return {
    move,
    text: said(short),
    words: said(board),
    note: "",
    tone: toneOf(worth),
    best,
    proved: isProved(worth),
    title: source === "book" ? `${title} · ${t("exact.from_book")}` : title,
  };
}

// Whole turns: where a player may move again, the moves of one player in a row are what people think of. In words ("3, 6, then 1 – captures
// 5"), as a path over the board, and as groups of a list of moves.

/** A turn in words; it goes on where the line was cut short. @param {TurnMove[]} turn */
export function turnText(turn) {
  const moves = [...turn.map(({ move }) => move), ...(last(turn).again ? ["…"] : [])];
  const chain =
    moves.length === 1
      ? moves[0]
      : t("turn.chain", { first: moves.slice(0, -1).join(", "), last: moves.at(-1) });
  const captured = turn.reduce((sum, each) => sum + each.captured, 0);
  return captured ? `${chain} – ${t("turn.captures", { seeds: captured })}` : chain;
}

/**
 * The best turn as an annotation of the board (see board_annotations.js); null where every move is a turn.
 * @param {TurnMove[] | undefined} turn @returns {Annotation | null}
 */
export function turnPath(turn) {
  if (!turn?.some(({ way }) => way.length > 1)) return null;
  /** @param {TurnMove} options @param {number} i */
  const leg = ({ way, taken, captured }, i) => ({
    cells: way,
    label: turn.length > 1 ? i + 1 : null,
    takes: taken,
    note: captured ? `×${captured}` : null,
  });
  return { path: turn.map(leg), title: t("turn.best", { turn: turnText(turn) }) };
}

/** What a step of a move does, in words. @param {StepView} options */
export const stepText = ({ kind, seeds, hand }) =>
  kind === "capture"
    ? t("turn.captures", { seeds: seeds - 1 })
    : kind === "sweep"
      ? t("turn.sweeps", { seeds })
      : t("turn.hand", { seeds: hand });

/**
 * Parts of a line in the groups of its turns, which have so many parts each; what is left over stands alone, as does everything where
 * every move is a turn.
 * @param {Child[]} parts @param {number[]} lengths
 */
export function grouped(parts, lengths) {
  const groups = [];
  let at = 0;
  for (const length of lengths) {
    if (at < parts.length) groups.push(parts.slice(at, at + length));
    at += length;
  }
  return [
    ...groups.map((group) => (group.length > 1 ? h("span.turn-group", group) : group)),
    ...parts.slice(at),
  ];
}
