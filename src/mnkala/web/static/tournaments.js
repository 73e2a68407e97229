// Tournaments of engines: the list, where one is started, and of each the games in progress, the table, who beat whom, and every game to
// replay. What is being played is asked for again and again while somebody looks.

import { api, Watched } from "./api.js";
import { badPlace } from "./bad_link.js";
import { labelled, h, redraw, replace } from "./dom.js";
import { gameName } from "./play_cards.js";
import { sureButton } from "./play_icons.js";
import { NewTournament } from "./tournament_new.js";
import {
  crossTable,
  gameRow,
  liveBoards,
  playerName,
  ratingTable,
  stateOf,
  titleOf,
  verdict,
} from "./tournament_parts.js";
import { language, number, t } from "./words.js";

const GOING = 1200; // milliseconds between two looks at a tournament that is being played
const RESTING = 10_000; // and at one that is not

/** @type {Show} */
export const show = async (container, params, context) => {
  const page = params.name
    ? new TournamentPage(container, params.name, context)
    : new ListPage(container, context);
  try {
    await page.load();
  } catch (error) {
    page.close();
    return badPlace(
      container,
      error,
      context,
      h("a.button.primary", { href: "#/tournaments" }, t("tournament.back")),
    );
  }
  page.again();
  return { close: () => page.close(), keys: {} };
};

/** The day of a time. @param {string} time */
const day = (time) => new Date(time).toLocaleDateString(language, { dateStyle: "medium" });

/**
 * Whether a tournament is waiting or in progress, so that it changes by itself.
 * @param {TournamentSummary} options
 */
const isGoing = ({ state }) => state === "running" || state === "waiting";

class ListPage extends Watched {
  /** @type {NewTournament} */ form;

  /** @param {HTMLElement} container @param {Context} context */
  constructor(container, context) {
    super(context, GOING, RESTING);
    context.title(t("tournament.title"));
    this.list = h("ul.tournament-list#tournaments");
    this.place = h("div");
    replace(
      container,
      h(
        "div.page",
        h(
          "div.page-head",
          h("h1", t("tournament.title")),
          h("a.button", { href: "#/games" }, t("page.games_title")),
        ),
        h("p.soft", t("tournament.about")),
        this.place,
        this.list,
      ),
    );
  }

  async load() {
    const { tournaments } = await api.get("tournaments");
    if (this.closed) return;
    this.going = tournaments.some(isGoing);
    if (!this.form) {
      this.form = new NewTournament(this.context, !tournaments.length);
      replace(this.place, this.form.element);
    }
    redraw(this.list, () =>
      replace(
        this.list,
        tournaments.length
          ? tournaments.map((one) => this.row(one))
          : h("li.soft", t("tournament.none")),
      ),
    );
  }

  close() {
    super.close();
    this.form?.close();
  }

  /** @param {TournamentSummary} one */
  row(one) {
    return h(
      "li.panel.tournament-row",
      { "data-tournament": one.name },
      h("h2", h("a", { href: `#/tournaments/${encodeURIComponent(one.name)}` }, titleOf(one))),
      h(
        "p.help",
        [
          one.games.map(gameName).join(", "),
          t(`tournament.format_${one.format}`),
          t("tournament.players", { count: one.players.length }),
          t("tournament.last_game", { day: day(one.updated) }),
        ].join(" · "),
      ),
      stateOf(one),
    );
  }
}

class TournamentPage extends Watched {
  /** @type {string} */ told;
  /** @type {string} */ asked;

  /** @param {HTMLElement} container @param {string} name @param {Context} context */
  constructor(container, name, context) {
    super(context, GOING, RESTING);
    this.name = name;
    this.place = /** @type {const} */ (`tournaments/${encodeURIComponent(name)}`);
    this.player = "";
    this.faults = false;
    this.skipped = 0;
    context.title(name);
    this.title = h("h1");
    this.facts = h("p.help");
    this.state = h("div#tournament-state");
    this.controls = h("div.controls#tournament-controls");
    this.boards = h("ul.live-boards#live-boards");
    this.live = h(
      "section",
      { "aria-labelledby": "live-title", hidden: true },
      h("h2#live-title", t("tournament.live")),
      this.boards,
    );
    this.verdict = h("p#tournament-verdict");
    this.table = h("div.table-place#tournament-table", {
      tabindex: "0",
      role: "region",
      "aria-label": t("tournament.table"),
    });
    this.note = h("p.help");
    this.cross = h("div.table-place", {
      tabindex: "0",
      role: "region",
      "aria-label": t("tournament.cross"),
    });
    this.list = h("ul.tournament-games#tournament-games");
    this.more = h("div");
    this.chooser = h("select#of-player", {
      onchange: () =>
        this.want(() => {
          this.player = this.chooser.value;
        }),
    });
    const faults = h("input#only-faults", {
      type: "checkbox",
      onchange: () =>
        this.want(() => {
          this.faults = faults.checked;
        }),
    });
    replace(
      container,
      h(
        "div.page.tournament",
        h(
          "div.page-head",
          this.title,
          h("a.button", { href: "#/tournaments" }, t("tournament.back")),
        ),
        this.facts,
        this.state,
        this.controls,
        this.live,
        h("h2", t("tournament.table")),
        this.verdict,
        this.table,
        this.note,
        h("h2", t("tournament.cross")),
        this.cross,
        h("h2", t("tournament.games")),
        h(
          "form.tournament-filters",
          { onsubmit: (event) => event.preventDefault() },
          labelled(t("tournament.of_player"), this.chooser),
          h(
            "div.field.check",
            faults,
            h("label", { for: "only-faults" }, t("tournament.only_faults")),
          ),
        ),
        this.list,
        this.more,
      ),
    );
  }

  async load() {
    const view = await api.get(this.place);
    if (this.closed) return;
    this.going = isGoing(view.summary);
    const told = JSON.stringify(view);
    if (told === this.told) return;
    const first = !this.told;
    this.told = told;
    this.draw(view, first);
    if (!this.skipped) await this.loadGames();
  }

  /** @param {TournamentView} view @param {boolean} first */
  draw(view, first) {
    const { summary, clock } = view;
    this.context.title(titleOf(summary));
    this.title.textContent = titleOf(summary);
    replace(
      this.facts,
      [
        summary.games.map(gameName).join(", "),
        t(`tournament.format_${summary.format}`),
        t("tournament.each", { count: view.games_each }),
        view.rounds ? t("tournament.rounds", { count: view.rounds }) : null,
        clock
          ? t("tournament.clock", { seconds: number(clock[0], 1), increment: number(clock[1], 1) })
          : null,
        view.adjudicate === null ? null : t("tournament.adjudicated", { move: view.adjudicate }),
      ]
        .filter(Boolean)
        .join(" · "),
    );
    replace(this.state, stateOf(summary));
    redraw(this.controls, () => replace(this.controls, this.buttons(summary)));
    this.live.hidden = summary.state !== "running";
    redraw(this.boards, () =>
      replace(
        this.boards,
        view.playing.length ? liveBoards(view.playing) : h("li.soft", t("tournament.live_soon")),
      ),
    );
    this.verdict.textContent = verdict(view.rows);
    replace(this.table, ratingTable(view.rows));
    replace(
      this.note,
      t("tournament.about_table"),
      view.failures ? ` ${t("tournament.failures")}` : "",
    );
    replace(this.cross, crossTable(view));
    if (first)
      replace(
        this.chooser,
        h("option", { value: "" }, t("tournament.anybody")),
        view.names.map((name, player) => h("option", { value: String(player) }, playerName(name))),
      );
  }

  /** What may be done with the tournament. @param {TournamentSummary} options */
  buttons({ yours, here, state, played, total }) {
    /** @param {"stop" | "resume"} action */
    const button = (action) =>
      h(
        `button#tournament-${action}`,
        { onclick: () => this.ask(() => api.post(`${this.place}/actions`, { action })) },
        t(`tournament.${action}`),
      );
    if (!yours)
      return here || state !== "stopped" ? null : h("p.help", t("tournament.goes_on_in_terminal"));
    return [
      state === "running" || state === "waiting" ? button("stop") : null,
      (state === "stopped" || state === "failed") && played < total ? button("resume") : null,
      sureButton(
        "trash",
        t("page.games_delete"),
        t("page.games_delete_sure"),
        { id: "tournament-delete" },
        () =>
          this.ask(async () => {
            this.close();
            await api.remove(this.place);
            this.context.navigate("#/tournaments");
          }),
      ),
    ];
  }

  /** @param {() => Promise<unknown>} work */
  async ask(work) {
    try {
      await work();
      if (!this.closed) await this.load();
    } catch (error) {
      this.context.notify(error);
    }
    this.again();
  }

  /** @param {() => void} change */
  want(change) {
    change();
    this.skipped = 0;
    this.loadGames().catch(this.context.notify);
  }

  async loadGames(skip = 0) {
    const query = new URLSearchParams({
      ...(this.player ? { player: this.player } : {}),
      ...(this.faults ? { faults: "true" } : {}),
      ...(skip ? { skip: String(skip) } : {}),
    });
    this.asked = query.toString();
    const mine = this.asked;
    const { games, more } = await api.get(`${this.place}/games?${query}`);
    if (this.closed || mine !== this.asked) return;
    const rows = games.map((game) => gameRow(this.name, game));
    this.skipped = skip;
    if (skip) this.list.append(...rows);
    else replace(this.list, rows.length ? rows : h("li.soft", t("tournament.no_games")));
    replace(
      this.more,
      more
        ? h(
            "button#more-games",
            { onclick: () => this.loadGames(skip + games.length).catch(this.context.notify) },
            t("tournament.more", { count: number(more) }),
          )
        : null,
    );
  }
}
