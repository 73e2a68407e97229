// The games that were played or are going on: open, review, delete.

import { api } from "./api.js";
import { miniature } from "./board.js";
import { mark } from "./board_marks.js";
import { h, replace } from "./dom.js";
import { familyPicture } from "./play_cards.js";
import { icon, sureButton } from "./play_icons.js";
import { gameName } from "./play_names.js";
import { computerName } from "./play_plates.js";
import { language, number, t } from "./words.js";

const EVERYONE = "mnkala.games.everyone";

export async function show(container, params, context) {
  const page = new GamesPage(container, context);
  await page.load();
  return { close: () => page.close(), keys: {} };
}

class GamesPage {
  constructor(container, context) {
    this.context = context;
    this.everyone = context.catalogue.loopback && localStorage.getItem(EVERYONE) === "true";
    context.title(t("page.games_title"));
    this.list = h("ul", { class: "game-list", id: "games" });
    this.note = h("div", { class: "soft" });
    const all = h("button", { type: "button", class: "switch", id: "everyone", role: "switch", "aria-checked": String(this.everyone), onclick: () => {
      this.everyone = !this.everyone;
      localStorage.setItem(EVERYONE, String(this.everyone));
      all.setAttribute("aria-checked", String(this.everyone));
      this.load().catch(context.notify);
    } }, h("span", { class: "switch-knob", "aria-hidden": "true" }), h("span", null, t("page.games_all")));
    replace(container, h("div", { class: "page" }, h("div", { class: "page-head" }, h("h1", null, t("page.games_title")), context.catalogue.loopback ? all : null), this.list, this.note));
    this.watcher = new IntersectionObserver((entries) => {
      for (const entry of entries) if (entry.isIntersecting) this.picture(entry.target);
    }, { rootMargin: "200px" });
  }

  /** Fill the list, or add the games that were last touched before a time. */
  async load(before = null) {
    const wanted = new URLSearchParams({ ...(this.everyone ? { everyone: "true" } : {}), ...(before ? { before } : {}) });
    const { games, more } = await api.get(`games?${wanted}`);
    if (!before) {
      this.watcher.disconnect();
      this.list.replaceChildren();
    }
    const rows = games.map((game) => this.row(game));
    this.list.append(...rows);
    const older = () => this.load(games.at(-1).updated).then(() => rows.at(-1).nextElementSibling?.querySelector("a, button").focus()).catch(this.context.notify);
    replace(this.note, this.list.children.length ? null : [t("page.games_none"), h("p", { class: "above" }, h("a", { class: "button primary", href: "#/" }, t("play.new_game")))],
      more ? h("button", { type: "button", id: "older", onclick: older }, t("page.games_more")) : null);
    for (const row of rows) if (row.querySelector("[data-open]")) this.watcher.observe(row);
  }

  /** The board as it stands, once the row is near the screen. */
  async picture(row) {
    this.watcher.unobserve(row);
    try {
      const { view } = await api.get(`games/${row.dataset.game}`);
      replace(row.querySelector(".picture"), miniature(view));
    } catch { /* it stays with the picture of its family */ }
  }

  row(game) {
    if (game.unreadable) return this.unreadable(game);
    const family = this.context.catalogue.games.find(({ name }) => name === game.game.split(":")[0]);
    const player = (seat) => [mark(seat), h("span", null, game.players[seat] === "human" ? t(game.yours[seat] && !game.yours[1 - seat] ? "play.you" : "page.human") : computerName(game.players[seat]))];
    const state = game.over ? game.result.replace(/1\/2/g, "½").replace("-", "–") : t(game.open_seat === null ? "page.games_going" : "page.games_waiting");
    const date = new Intl.DateTimeFormat(navigator.languages.find((each) => each.startsWith(language)) || language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(game.updated));
    const moves = game.moves === 1 ? t("page.games_one_move") : t("page.games_moves", { count: number(game.moves) });
    const goesOn = !game.over && (game.yours[0] || game.yours[1]);
    const row = h("li", { class: "game-row", "data-game": game.id },
      h("div", { class: "picture" }, family ? familyPicture(family) : null),
      h("div", null,
        h("h2", null, h("a", { href: `#/game/${game.id}` }, gameName(game.game))),
        h("p", { class: "who" }, player(0), h("span", { class: "soft" }, "–"), player(1)),
        h("p", { class: "help" }, [state, moves, date].join(" · "))),
      h("div", { class: "controls" },
        h("a", { class: `button${goesOn ? " primary" : ""}`, "data-open": game.id, href: `#/game/${game.id}` }, t(goesOn ? "page.games_open" : "page.games_look")),
        game.moves ? h("a", { class: "button", "data-review": game.id, href: `#/review?id=${game.id}` }, icon("chart"), h("span", null, t("page.games_review"))) : null,
        sureButton("trash", t("page.games_delete"), t("page.games_delete_sure"), { "data-delete": game.id }, () => this.remove(game, row))));
    return row;
  }

  /** A game that is kept but cannot be opened: its name, the reason, and the way to be rid of it. */
  unreadable(game) {
    const row = h("li", { class: "game-row", "data-game": game.id },
      h("div", { class: "picture" }),
      h("div", null, h("h2", null, t("page.games_unreadable", { id: game.id })), h("p", { class: "help" }, game.unreadable)),
      h("div", { class: "controls" }, sureButton("trash", t("page.games_delete"), t("page.games_delete_sure"), { "data-delete": game.id }, () => this.remove(game, row))));
    return row;
  }

  async remove(game, row) {
    try {
      await api.remove(`games/${game.id}`);
      const next = row.nextElementSibling || row.previousElementSibling;
      row.remove();
      this.context.announce(t("page.games_deleted"));
      if (next) next.querySelector("[data-delete]").focus();
      else await this.load();
    } catch (error) {
      this.context.notify(error);
    }
  }

  close() {
    this.watcher.disconnect();
  }
}
