// The units in which people think of a game that is looked at again: its moves, or where margins count its turns, for the moves of one
// player in a row are one thought. A unit: {number, first, ply, player, moves, text, grade, given_away, best, line, refutation, turned, reasons, loss, worth,
// best_worth}; `ply` is its last one, and `given_away` is what it lost of the margin, or null where that is not proved or not counted.

import { last } from "./dom.js";

/**
 * Whether a game is told by turns, in margins as far as they are proved.
 * @param {ReviewView} review
 */
export const byTurns = (review) => review.turns.length > 0;

/**
 * Whether every position that was looked at has an exact margin, so that these are drawn instead of the chances.
 * @param {ReviewView} review
 */
export const hasMargins = (review) => byTurns(review) && review.chances.every((chance, ply) => chance === null || review.margins[ply] !== null);

/** @param {ReviewView} review @returns {ReviewUnit[]} */
export function unitsOf(review) {
  if (!byTurns(review)) return review.moves.map((move) => ({ ...move, number: move.ply, first: move.ply, moves: [move.move], text: move.move, best: [move.best], given_away: null }));
  return review.turns.map((turn) => {
    const moves = review.moves.slice(turn.first - 1, turn.last);
    return { ...turn, ply: turn.last, text: turn.moves.join(" "), loss: Math.max(...moves.map(({ loss }) => loss)), worth: last(moves).worth, best_worth: moves[0].best_worth };
  });
}

/** The unit that a ply belongs to. @param {ReviewUnit[]} units @param {number} ply */
export const unitAt = (units, ply) => units.find((unit) => unit.first <= ply && ply <= unit.ply);

/**
 * Where a unit leaves the better one: so many of its moves are the same.
 * @param {ReviewUnit} options
 */
export function parting({ moves, best }) {
  const place = best.findIndex((move, i) => move !== moves[i]);
  return place < 0 ? 0 : place;
}
