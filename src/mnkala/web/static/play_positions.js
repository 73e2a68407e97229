// Looking at positions without playing them: earlier moves of a game, lines of an analysis. What was seen is kept.

import { api } from "./api.js";

const MOST = 600;
const ALTERNATING = ["connect", "connect4", "mnk", "gomoku", "tictactoe"];
const seen = new Map();

/** The View of a game after these moves (a list of texts). */
export function look(game, start, moves) {
  const name = JSON.stringify([game, start, moves]);
  if (!seen.has(name)) {
    if (seen.size >= MOST) seen.delete(seen.keys().next().value);
    const asked = api.post("look", { game, ...(start ? { start } : {}), ...(moves.length ? { moves: moves.join(",") } : {}) });
    seen.set(name, asked);
    asked.catch(() => seen.delete(name));
  }
  return seen.get(name);
}

/** Keep a View that came by another way. */
export function remember(view) {
  seen.set(JSON.stringify([view.game, view.start, view.played]), Promise.resolve(view));
}

/** Who played each of the moves. Where turns need not alternate (Kalah moves again, a plug-in may) every position is asked. */
export async function moversOf(view) {
  if (view.movers) return view.movers;
  const { game, start, played } = view;
  if (!played.length) return [];
  if (ALTERNATING.includes(game.split(":")[0])) return played.map((_, i) => (view.mover + played.length - i) % 2);
  const before = await Promise.all(played.map((_, i) => look(game, start, played.slice(0, i))));
  return before.map((position) => position.mover);
}

/** The parameters of an address that opens this position elsewhere: `#/analysis?…`. */
export function address(page, { game, start, played }, more = {}) {
  const parts = { game, ...(start ? { start } : {}), ...(played.length ? { moves: played.join(",") } : {}), ...more };
  return `#/${page}?${Object.entries(parts).map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%2F/g, "/")}`).join("&")}`;
}
