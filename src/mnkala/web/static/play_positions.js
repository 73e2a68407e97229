// Looking at positions without playing them: earlier moves of a game, lines of an analysis. What was seen is kept.

import { api } from "./api.js";

const MOST = 600;
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

/** The View that an address asks for; its moves are a text as people write it. */
export const lookAt = ({ game, start, moves }) => api.post("look", { game, ...(start ? { start } : {}), ...(moves ? { moves } : {}) });

/** Keep a View that came by another way. */
export function remember(view) {
  seen.set(JSON.stringify([view.game, view.start, view.played]), Promise.resolve(view));
}

/** The parameters of an address that opens this position elsewhere: `#/analysis?…`. */
export function address(page, { game, start, played }, more = {}) {
  const parts = { game, ...(start ? { start } : {}), ...(played.length ? { moves: played.join(",") } : {}), ...more };
  return `#/${page}?${Object.entries(parts).map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/%2C/g, ",").replace(/%3A/g, ":").replace(/%2F/g, "/")}`).join("&")}`;
}

/** Let a page show where a line leads from a position, or with null its own position again; only what was asked for last is shown. */
export async function showLine(page, { game, start, played }, line) {
  page.previewed = line;
  const view = line && await look(game, start, [...played, ...line]).catch(() => null);
  if (page.previewed !== line) return;
  page.preview = view;
  page.draw();
}
