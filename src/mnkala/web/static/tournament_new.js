// Starting a tournament: the game, the players by the names of their levels or as engines of one's own, how often every pair plays, and
// about how long that takes.

import { api, keptJson, told } from "./api.js";
import { h, part, replace } from "./dom.js";
import { Cards, usualGame } from "./play_cards.js";
import { choice } from "./play_computer.js";
import { EnginePicker } from "./play_engine.js";
import { SizeFields } from "./play_sizes.js";
import { playerName } from "./tournament_parts.js";
import { duration, number, t } from "./words.js";

const KEPT = "mnkala.newtournament";
const PAUSE = 400; // milliseconds after the last change, before the server is asked what it would mean
const WORDS = ["easy", "medium", "hard", "strongest"];
const NAMED = [2, 5, 8, 10]; // the levels that these words name
const GAMES_EACH = ["2", "4", "10", "20"];

export class NewTournament {
  /** @type {number} */ timer;

  /** @param {Context} context @param {boolean} open */
  constructor(context, open) {
    const { catalogue } = context;
    this.context = context;
    this.choices =
      /** @type {{ game: string, players: string[], games: string, own: string[] }} */ ({
        game: usualGame(catalogue.games[0]),
        players: ["easy", "medium", "hard"],
        games: "4",
        own: [],
        ...keptJson(KEPT),
      });
    if (!this.family()) this.choices.game = usualGame(catalogue.games[0]);
    this.asked = 0;
    this.sizes = new SizeFields((game) => this.setGame(game));
    this.cards = new Cards(catalogue.games, this.family().name, (name) => {
      const family = catalogue.games.find((each) => each.name === name);
      if (family) this.setGame(usualGame(family));
    });
    this.cards.element.setAttribute("aria-label", t("page.home_title"));
    this.picker = new EnginePicker(catalogue, { engine: "deepening:nodes=20000" });
    this.players = h("fieldset.choice.tournament-players");
    this.forecast = h("p#tournament-forecast", { role: "status" });
    this.error = h("p.error#tournament-error", { role: "alert" });
    this.go = h("button.primary#start-tournament", { type: "submit" }, t("tournament.start"));
    const others = catalogue.levels.filter((_, place) => !NAMED.includes(place + 1));
    this.levels = h("details", h("summary", t("tournament.other_levels")), this.pills(others));
    const own = h(
      "details#own-engines",
      h("summary", t("tournament.own")),
      h(
        "p.help",
        t("tournament.own_about", { seconds: catalogue.limits.seconds_per_tournament_move }),
      ),
      this.picker.element,
      h("button#add-engine", { onclick: () => this.add(this.picker.value) }, t("tournament.add")),
    );
    this.element = h(
      "details.panel#new-tournament",
      { open, ontoggle: () => this.changed() },
      h("summary", h("strong", t("tournament.new"))),
      h(
        "form.tournament-form",
        {
          onsubmit: (event) => {
            event.preventDefault();
            this.begin();
          },
        },
        this.cards.element,
        h("details", h("summary", t("page.size")), this.sizes.element),
        this.players,
        this.levels,
        own,
        choice(
          "games-each",
          t("tournament.each_pair"),
          GAMES_EACH.map((count) => [count, count]),
          this.choices.games,
          (count) => {
            this.choices.games = count;
            this.changed();
          },
        ),
        h("div.tournament-go", this.go, this.forecast),
        this.error,
      ),
    );
    this.drawPlayers();
    this.setGame(this.choices.game);
  }

  family() {
    const name = this.choices.game.split(":")[0];
    return /** @type {FamilyInfo} */ (
      this.context.catalogue.games.find((family) => family.name === name)
    );
  }

  /** Boxes of players that may take part. @param {readonly string[]} names */
  pills(names) {
    return h(
      "div.segments.pills",
      names.map((name) => {
        const box = h("input", {
          type: "checkbox",
          value: name,
          checked: this.choices.players.includes(name),
          onchange: () => {
            this.choose(name, box.checked);
          },
        });
        return h("label", box, h("span", playerName(name)));
      }),
    );
  }

  drawPlayers() {
    replace(
      this.players,
      h("legend", t("tournament.who")),
      this.pills([...WORDS, ...this.choices.own]),
    );
  }

  /** @param {string} name @param {boolean} chosen */
  choose(name, chosen) {
    this.choices.players = [
      ...this.choices.players.filter((each) => each !== name),
      ...(chosen ? [name] : []),
    ];
    this.changed();
  }

  /** @param {string} engine */
  add(engine) {
    if (!this.choices.own.includes(engine))
      this.choices.own = [...this.choices.own, engine].slice(-6);
    this.choices.players = this.choices.players.filter(
      (name) =>
        this.context.catalogue.levels.includes(name) ||
        [...WORDS, ...this.choices.own].includes(name),
    );
    this.choose(engine, true);
    this.drawPlayers();
    part(this.players, `[value="${CSS.escape(engine)}"]`).focus();
  }

  /** @param {string} game */
  setGame(game) {
    this.choices.game = game;
    this.picker.setGame(game);
    if (!this.element.contains(document.activeElement) || this.sizes.family !== this.family())
      this.sizes.show(this.family(), game);
    this.changed();
  }

  get order() {
    const { game, players, games } = this.choices;
    return { game, players, games_each: Number(games) };
  }

  /** Ask what the tournament would mean, a moment after the last change. */
  changed() {
    clearTimeout(this.timer);
    this.asked += 1;
    this.error.textContent = "";
    if (!this.element.open) return;
    const few = this.choices.players.length < 2;
    this.go.disabled = few;
    this.forecast.textContent = t(few ? "tournament.too_few" : "tournament.forecast_soon");
    if (!few) this.timer = setTimeout(() => this.ask(), PAUSE);
  }

  async ask() {
    const mine = this.asked;
    try {
      const { games, seconds } = await api.post("tournaments/forecast", this.order);
      if (mine !== this.asked) return;
      const players = this.choices.players.length;
      this.forecast.textContent = t(
        players === 2 ? "tournament.forecast_match" : "tournament.forecast",
        { players, games: number(games), time: duration(seconds) },
      );
    } catch (error) {
      if (mine !== this.asked) return;
      this.forecast.textContent = "";
      this.error.textContent = told(error);
      this.go.disabled = true;
    }
  }

  async begin() {
    this.go.disabled = true;
    try {
      localStorage.setItem(KEPT, JSON.stringify(this.choices));
      const { summary } = await api.post("tournaments", this.order);
      this.context.navigate(`#/tournaments/${encodeURIComponent(summary.name)}`);
    } catch (error) {
      this.error.textContent = told(error);
      this.go.disabled = false;
    }
  }

  close() {
    clearTimeout(this.timer);
    this.asked += 1;
  }
}
