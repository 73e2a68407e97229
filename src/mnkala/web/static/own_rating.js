// What a person's games against the levels say of the person. Results are kept in this browser only; the server is asked what they mean.

import { api } from "./api.js";
import { h, replace } from "./dom.js";
import { known, t } from "./words.js";

const KEPT = "mnkala.results";
const MOST = 200; // of each game, as in play/own_rating.py

/** @returns {Record<string, (LevelResult & { id: string })[]>} */
function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEPT) || "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

/** @param {string} game */
const resultsOf = (game) => (Array.isArray(kept()[game]) ? kept()[game] : []);

/**
 * Keep the result of a game that has ended before the reader's eyes, if one person played a level in it without help; each game counts once.
 * @param {Game} game
 */
export function noteResult(game) {
  const seat = game.yours[0] !== game.yours[1] ? Number(game.yours[1]) : null;
  if (seat === null || !game.over || !game.unaided || game.linked || game.view.start || game.players[1 - seat].human) return;
  const level = game.players[1 - seat].name;
  const points = { "1-0": 1 - seat, "0-1": seat, "1/2-1/2": 0.5 }[game.result];
  if (points === undefined || !known(`game.level.${level}`)) return;
  const all = kept();
  const listed = resultsOf(game.view.game);
  if (listed.some(({ id }) => id === game.id)) return;
  all[game.view.game] = [...listed, { id: game.id, level, points }].slice(-MOST);
  localStorage.setItem(KEPT, JSON.stringify(all));
}

export function forgetResults() {
  localStorage.removeItem(KEPT);
}

/**
 * A sentence on the reader's own rating in a game, and a button that forgets it; empty until there is something to say.
 * @param {string} game
 */
export function ownRating(game) {
  const element = h("div", { class: "own-rating" });
  const results = resultsOf(game).map(({ level, points }) => ({ level, points }));
  /** @param {OwnRating} found */
  const show = (found) => {
    if (found.rating === null) return;
    replace(element, h("p", { class: "soft" }, t("game.own_rating", { rating: found.rating, low: found.low, high: found.high, games: found.games })),
      h("button", { type: "button", class: "quiet", onclick: () => { forgetResults(); replace(element); } }, t("game.own_rating_forget")));
  };
  if (results.length) api.post("own-rating", { game, results }).then(show, () => {});
  return element;
}
