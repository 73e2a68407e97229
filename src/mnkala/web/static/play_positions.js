// Looking at positions without playing them: earlier moves of a game, lines of an analysis. What was seen is kept.

import { api } from "./api.js";
import { last } from "./dom.js";

const MOST = 600;
const seen = /** @type {Map<string, Promise<any>>} */ (new Map());

/** What a request says of a position. @param {Place} view */
export const placeOf = ({ game, start, played }) => ({ game, start, moves: played.join(",") });

/** Ask once, and keep the answer. @param {string} name @param {() => Promise<any>} ask */
function once(name, ask) {
  if (!seen.has(name)) {
    if (seen.size >= MOST) seen.delete([...seen.keys()][0]);
    const asked = ask();
    seen.set(name, asked);
    asked.catch(() => seen.delete(name));
  }
  return /** @type {Promise<any>} */ (seen.get(name));
}

/** The View of a game after these moves. @param {string} game @param {string | null | undefined} start @param {string[]} moves */
export const look = (game, start, moves) =>
  /** @type {Promise<View>} */ (
    once(JSON.stringify([game, start, moves]), () =>
      api.post("look", placeOf({ game, start, played: moves })),
    )
  );

/**
 * The steps of a move after these moves; none in games that do not describe them.
 * @param {string} game @param {string | null | undefined} start @param {string[]} moves
 * @param {string} move
 */
export const stepsOf = (game, start, moves, move) =>
  /** @type {Promise<StepView[]>} */ (
    once(JSON.stringify([game, start, moves, "steps", move]), () =>
      api
        .post("steps", { ...placeOf({ game, start, played: moves }), move })
        .then(({ steps }) => steps),
    )
  );

/** The View that an address asks for; its moves are a text as people write it. @param {Asked} options */
export const lookAt = ({ game = "", start, moves }) =>
  api.post("look", { game, start: start || null, moves: moves ?? "" });

/** Why the position that an address asks for cannot be opened; null if it can, or if none is. @param {Params} params */
export const problemOf = async (params) =>
  params.game
    ? lookAt(params).then(
        () => null,
        (error) => error,
      )
    : null;

/** Remember a view that was received in another way. @param {View} view */
export function remember(view) {
  seen.set(JSON.stringify([view.game, view.start, view.played]), Promise.resolve(view));
}

/**
 * The parameters of an address that opens this position elsewhere: `#/analysis?…`.
 * @param {string} page @param {Place} options @param {Record<string, string>} [more]
 */
export function address(page, { game, start, played }, more = {}) {
  const parts = {
    game,
    ...(start ? { start } : {}),
    ...(played.length ? { moves: played.join(",") } : {}),
    ...more,
  };
  return `#/${page}?${Object.entries(parts)
    .map(
      ([name, value]) =>
        `${name}=${encodeURIComponent(value).replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%2F/g, "/")}`,
    )
    .join("&")}`;
}

/**
 * Let a page show where a line leads from a position, or what a step on its way does ({steps of its next move, at}), or with null its own
 * position again; only what was asked for last is shown.
 * @param {Previewing} page @param {Place} options @param {string[] | null} line
 * @param {StepView | null} [step]
 */
export async function showLine(page, { game, start, played }, line, step = null) {
  const asked = line && { line, step };
  page.previewed = asked;
  const view = line && (await look(game, start, [...played, ...line]).catch(() => null));
  if (page.previewed !== asked) return;
  page.preview =
    view && step ? { ...view, seeds: step.board, last: step.cells, marked: [], way: [] } : view;
  page.hand = view && step?.hand ? { cell: last(step.cells), seeds: step.hand } : null;
  page.draw();
}
