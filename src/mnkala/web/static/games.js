// The games that were played or are going on, of the page and of the terminal: find, open, review, delete, save all to a file.

import { api } from "./api.js";
import { miniature } from "./board.js";
import { mark } from "./board_marks.js";
import { download, h, last, part, replace } from "./dom.js";
import { familyName, familyPicture, gameName } from "./play_cards.js";
import { icon, iconButton, sureButton } from "./play_icons.js";
import { computerName } from "./play_plates.js";
import { language, number, problemText, t } from "./words.js";

const EVERYONE = "mnkala.games.everyone";
const FILTERS = /** @type {const} */ ({
  game: null,
  state: ["going", "finished"],
  outcome: ["won", "lost", "drawn"],
  opponent: ["computer", "here", "link", "watched"],
});
const LARGEST_PART = 18_000; // characters of records that are sent at once

/** @type {Show} */
export const show = async (container, params, context) => {
  const page = new GamesPage(container, params, context);
  await page.load();
  return { close: () => page.close(), keys: {} };
};

class GamesPage {
  /** @type {number} */ timer;

  /** @param {HTMLElement} container @param {Params} params @param {Context} context */
  constructor(container, params, context) {
    this.context = context;
    this.everyone = context.catalogue.loopback && localStorage.getItem(EVERYONE) === "true";
    this.wanted = Object.fromEntries(
      ["text", ...Object.keys(FILTERS)]
        .map((name) => [name, params[name] ?? ""])
        .filter(([, value]) => value),
    );
    this.asked = 0;
    context.title(t("page.games_title"));
    this.list = h("ul.game-list#games");
    this.note = h("div.soft", { role: "status" });
    const all = h(
      "button.switch#everyone",
      {
        role: "switch",
        "aria-checked": String(this.everyone),
        onclick: () => {
          this.everyone = !this.everyone;
          localStorage.setItem(EVERYONE, String(this.everyone));
          all.setAttribute("aria-checked", String(this.everyone));
          this.load().catch(context.notify);
        },
      },
      h("span.switch-knob", { "aria-hidden": "true" }),
      h("span", t("page.games_all")),
    );
    const file = h("input#import-file", {
      type: "file",
      accept: ".txt,.sgf,.psq,text/plain",
      onchange: () => {
        this.takeIn(file);
      },
    });
    replace(
      container,
      h(
        "div.page",
        h(
          "div.page-head",
          h("h1", t("page.games_title")),
          h(
            "div.list-tools",
            context.catalogue.loopback ? all : null,
            h("a.button#to-tournaments", { href: "#/tournaments" }, t("tournament.title")),
            iconButton("download", t("saved.export_all"), {
              id: "export-all",
              title: t("saved.export_about"),
              onclick: () => this.save(),
            }),
            file,
            iconButton("upload", t("saved.import"), {
              id: "import",
              title: t("saved.import_about"),
              onclick: () => file.click(),
            }),
          ),
        ),
        this.filters(),
        this.list,
        this.note,
      ),
    );
    this.watcher = new IntersectionObserver(
      (entries) => {
        for (const entry of entries)
          if (entry.isIntersecting) this.picture(/** @type {HTMLElement} */ (entry.target));
      },
      { rootMargin: "200px" },
    );
  }

  // ---- Which games ----

  filters() {
    const text = h("input#filter-text", {
      type: "search",
      maxlength: "60",
      placeholder: t("saved.text_example"),
      value: this.wanted.text || "",
      oninput: () => {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.want("text", text.value.trim()), 250);
      },
    });
    /** @param {keyof typeof FILTERS} name */
    const select = (name) => {
      const options = FILTERS[name]
        ? FILTERS[name].map((value) => [value, t(`saved.${name}_${value}`)])
        : this.context.catalogue.games.map((family) => [family.name, familyName(family.name)]);
      const field = h(
        "select",
        {
          id: `filter-${name}`,
          onchange: () => {
            this.want(name, field.value);
          },
        },
        h("option", { value: "" }, t(`saved.any_${name}`)),
        options.map(([value, label]) => h("option", { value }, label)),
      );
      field.value = this.wanted[name] || "";
      return h("div.field", h("label", { for: field.id }, t(`saved.${name}`)), field);
    };
    return h(
      "form.filters",
      { role: "search", onsubmit: (event) => event.preventDefault() },
      h("div.field", h("label", { for: text.id }, t("saved.text")), text),
      /** @type {(keyof typeof FILTERS)[]} */ (Object.keys(FILTERS)).map(select),
    );
  }

  /** @param {string} name @param {string} value */
  want(name, value) {
    if (value) this.wanted[name] = value;
    else delete this.wanted[name];
    const query = new URLSearchParams(this.wanted).toString();
    history.replaceState(null, "", `#/games${query ? `?${query}` : ""}`);
    this.load().catch(this.context.notify);
  }

  /** @param {Record<string, string>} [more] */
  query(more = {}) {
    return new URLSearchParams({
      ...this.wanted,
      ...(this.everyone ? { everyone: "true" } : {}),
      ...more,
    });
  }

  /** Fill the list, or add the games that were last touched before a time. @param {string | null} [before] */
  async load(before = null) {
    this.asked += 1;
    const mine = this.asked;
    const { games, more } = await api.get(`games?${this.query(before ? { before } : {})}`);
    if (mine !== this.asked) return; // another filter was chosen meanwhile
    if (!before) {
      this.watcher.disconnect();
      this.list.replaceChildren();
    }
    const rows = games.map((game) => this.row(game));
    this.list.append(...rows);
    const older = () =>
      this.load(last(games).updated)
        .then(() => part(last(rows).nextElementSibling ?? this.list, "a, button").focus())
        .catch(this.context.notify);
    const none = Object.keys(this.wanted).length
      ? t("saved.none_such")
      : [
          t("page.games_none"),
          h("p.above", h("a.button.primary", { href: "#/" }, t("play.new_game"))),
        ];
    replace(
      this.note,
      this.list.children.length ? null : none,
      more ? h("button#older", { onclick: older }, t("page.games_more")) : null,
    );
    for (const row of rows) if (row.querySelector("[data-open]")) this.watcher.observe(row);
  }

  // ---- Files ----

  async save() {
    try {
      download(await api.file(`records?${this.query()}`), "mnkala-games.txt");
    } catch (error) {
      this.context.notify(error);
    }
  }

  /** Send the records of a file, in parts: a record ends with its line, its comments stand above it. @param {HTMLInputElement} field */
  async takeIn(field) {
    const file = field.files?.[0];
    if (!file) return;
    let text = "";
    let total = 0;
    const send = async () => {
      if (text.trim()) total += (await api.post("records", { text })).games;
      text = "";
    };
    try {
      let whole = true; // whether the last line that was added ended a record
      for (const line of (await file.text()).split(/\r?\n/)) {
        if (whole && text.length + line.length > LARGEST_PART) await send();
        text += `${line}\n`;
        if (line.trim()) whole = !line.trim().startsWith("#");
      }
      await send();
      this.context.announce(t("saved.imported", { count: number(total) }));
    } catch (error) {
      this.context.notify(error);
    }
    field.value = "";
    await this.load().catch(this.context.notify);
  }

  // ---- Rows ----

  /** The board as it stands, once the row is near the screen. @param {HTMLElement} row */
  async picture(row) {
    this.watcher.unobserve(row);
    try {
      const { view } = await api.get(`games/${row.dataset.game}`);
      replace(part(row, ".picture"), miniature(view));
    } catch {
      /* it stays with the picture of its family */
    }
  }

  /** @param {Summary} game */
  row(game) {
    if (game.unreadable) return this.unreadable(game);
    const family = this.context.catalogue.games.find(
      ({ name }) => name === game.game.split(":")[0],
    );
    /** @param {number} seat */
    const name = (seat) => {
      if (game.players[seat] !== "human") return computerName(game.players[seat]);
      return (
        game.nicknames[seat] ||
        t(game.yours[seat] && !game.yours[1 - seat] ? "play.you" : "page.human")
      );
    };
    /** @param {number} seat */
    const player = (seat) => [mark(seat), h("span", name(seat))];
    const how = {
      resignation: ` ${t("play.by_resignation")}`,
      agreement: ` ${t("play.by_agreement")}`,
      time: ` ${t("play.by_time")}`,
      fault: "",
      rules: "",
    }[game.ending ?? "rules"];
    const state = game.over
      ? `${game.result.replace(/1\/2/g, "½").replace("-", "–")}${how}`
      : t(game.open_seat === null ? "page.games_going" : "page.games_waiting");
    const date = new Intl.DateTimeFormat(
      navigator.languages.find((each) => each.startsWith(language)) || language,
      { dateStyle: "medium", timeStyle: "short" },
    ).format(new Date(game.updated));
    const moves =
      game.moves === 1
        ? t("page.games_one_move")
        : t("page.games_moves", { count: number(game.moves) });
    const goesOn = !game.over && (game.yours[0] || game.yours[1]);
    return h(
      "li.game-row",
      { "data-game": game.id },
      h("div.picture", family ? familyPicture(family) : null),
      h(
        "div",
        h("h2", h("a", { href: `#/game/${game.id}` }, gameName(game.game))),
        h("p.who", player(0), h("span.soft", "–"), player(1)),
        h(
          "p.help",
          [state, moves, date].join(" · "),
          game.terminal ? [" · ", h("span.origin", t("saved.terminal"))] : null,
        ),
      ),
      h(
        "div.controls",
        h(
          "a",
          {
            class: `button${goesOn ? " primary" : ""}`,
            "data-open": game.id,
            href: `#/game/${game.id}`,
          },
          t(goesOn ? "page.games_open" : "page.games_look"),
        ),
        game.moves
          ? h(
              "a.button",
              { "data-review": game.id, href: `#/review?id=${game.id}` },
              icon("chart"),
              h("span", t("page.games_review")),
            )
          : null,
        this.deleteButton(game),
      ),
    );
  }

  /** A game that is kept but cannot be opened: its name, the reason, and the way to be rid of it. @param {Summary} game */
  unreadable(game) {
    return h(
      "li.game-row",
      { "data-game": game.id },
      h("div.picture"),
      h(
        "div",
        h("h2", t("page.games_unreadable", { id: game.id })),
        h("p.help", game.unreadable && problemText(game.unreadable)),
      ),
      h("div.controls", this.deleteButton(game)),
    );
  }

  /** @param {Summary} game */
  deleteButton(game) {
    const [label, sure] = [t("page.games_delete"), t("page.games_delete_sure")];
    const button = sureButton("trash", label, sure, { "data-delete": game.id }, () => {
      this.remove(game, /** @type {HTMLElement} */ (button.closest(".game-row")));
    });
    return button;
  }

  /** @param {Summary} game @param {HTMLElement} row */
  async remove(game, row) {
    try {
      await api.remove(`games/${game.id}`);
      const next = row.nextElementSibling || row.previousElementSibling;
      row.remove();
      this.context.announce(t("page.games_deleted"));
      if (next) part(next, "[data-delete]").focus();
      else await this.load();
    } catch (error) {
      this.context.notify(error);
    }
  }

  close() {
    clearTimeout(this.timer);
    this.asked += 1;
    this.watcher.disconnect();
  }
}
