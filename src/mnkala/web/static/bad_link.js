// What a page shows when its address cannot be opened: what is wrong with it, and ways on.

import { statusOf, told } from "./api.js";
import { h, replace } from "./dom.js";
import { familyName, gameName, usualGame } from "./play_cards.js";
import { address, look } from "./play_positions.js";
import { t } from "./words.js";

/** The single moves of a text as people write it: "4,4,5", "4 4 5", "445", "a1b2". @param {string} text */
const movesOf = (text) =>
  /[,\s]/.test(text) ? text.split(/[,\s]+/).filter(Boolean) : text.match(/[a-z]+\d+|\d|\S/gi) || [];

/** @param {string} game @param {string | null} start @param {string[]} moves */
const opens = (game, start, moves) =>
  look(game, start, moves).catch((/** @type {unknown} */ error) => {
    if (statusOf(error) === 0) throw error;
    return null;
  });

/** The position after as many of the moves as are legal. @param {string} game @param {string | null} start @param {string[]} moves */
async function legalPart(game, start, moves) {
  let [good, bad] = [0, moves.length];
  let view = /** @type {View | null} */ (null);
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const seen = await opens(game, start, moves.slice(0, middle));
    if (seen) [good, view] = [middle, seen];
    else bad = middle;
  }
  return view;
}

/**
 * Show what is wrong in the place of a page, with ways on, and return what a page's `show` returns.
 * An error that is not the address's fault is thrown again.
 * @param {HTMLElement} container @param {unknown} error @param {Context} context
 * @param {Child} ways @param {...Child} more
 */
export function badPlace(container, error, context, ways, ...more) {
  const status = statusOf(error) ?? 0;
  if (status < 400 || status >= 500) throw error;
  context.title(t("links.bad"));
  replace(
    container,
    h(
      "div.problem#problem",
      h("h1", t("links.bad")),
      h("p.error", told(error)),
      h("div.controls", ways),
      more,
    ),
  );
  return { close() {}, keys: {} };
}

/**
 * Show what is wrong with an address that names a game and perhaps where it starts and its moves.
 * @param {HTMLElement} container @param {string} page @param {Asked} options
 * @param {unknown} error @param {Context} context
 */
export async function badLink(
  container,
  page,
  { game = "", start = null, moves = "" },
  error,
  context,
) {
  const empty = await opens(game, null, []);
  const begun = start && empty ? await opens(game, start, []) : empty;
  const part = begun && moves ? await legalPart(game, start, movesOf(moves)) : null;
  /** @param {string} id @param {View | null} view @param {Child} text */
  const way = (id, view, text) =>
    view ? h("a.button", { id, href: address(page, view) }, text) : null;
  const name = empty && gameName(empty.game);
  return badPlace(
    container,
    error,
    context,
    [
      way(
        "open-legal",
        part,
        part && t("links.legal_part", { moves: part.played.join(" "), count: part.played.length }),
      ),
      start ? way("open-begun", begun, t("links.given_start", { game: name })) : null,
      way("open-start", empty, t("links.from_start", { game: name })),
    ],
    h("h2", t("links.choose")),
    h(
      "div.controls#choose-game",
      context.catalogue.games.map((family) =>
        h(
          "a.button",
          { href: address(page, { game: usualGame(family), played: [] }) },
          familyName(family.name),
        ),
      ),
    ),
  );
}
