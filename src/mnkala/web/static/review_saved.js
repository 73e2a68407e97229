// The saved games that can be reviewed, the latest first, as a list of links.

import { api } from "./api.js";
import { h, replace } from "./dom.js";
import { gameName } from "./play_names.js";
import { computerName } from "./play_plates.js";
import { language, number, t } from "./words.js";

const MOST = 8;

/** A section that fills itself; it stays hidden while there is no game with moves. */
export function savedGames() {
  const section = h("section", { hidden: true }, h("h2", null, t("review.saved")));
  api.get("games").then(({ games }) => {
    const played = games.filter(({ moves, unreadable }) => moves && !unreadable);
    section.hidden = !played.length;
    section.append(h("ul", { class: "saved-games", id: "saved-games" }, played.slice(0, MOST).map(link)), h("p", { class: "above" }, h("a", { class: "button", href: "#/games" }, t("review.all_saved"))));
  }, (error) => {
    section.hidden = false;
    replace(section, h("p", { class: "error" }, error.message));
  });
  return section;
}

/** @param {Summary} options */
function link({ id, game, players, moves, updated, over, result }) {
  const names = players.map((player) => (player === "human" ? t("page.human") : computerName(player)));
  const facts = [over ? result.replace(/1\/2/g, "½").replace("-", "–") : t("page.games_going"), moves === 1 ? t("page.games_one_move") : t("page.games_moves", { count: number(moves) }),
    new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(new Date(updated))];
  return h("li", null, h("a", { href: `#/review?id=${id}`, "data-review": id }, h("span", null, h("strong", null, gameName(game)), " ", names.join(" – ")), h("span", { class: "soft" }, facts.join(" · "))));
}
