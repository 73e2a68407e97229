// The first page: choose a game, who plays, and start. What was chosen is remembered, so that the next game is one click away.

import { api, keptJson, told } from "./api.js";
import { badLink } from "./bad_link.js";
import { miniature } from "./board.js";
import { labelled, h, part, redraw, replace } from "./dom.js";
import { editButton } from "./editor.js";
import { NetworkPanel } from "./play_invitation.js";
import { nameField, nickname, setNickname } from "./settings.js";
import { FairStarts } from "./fair_starts.js";
import { Cards, familyAbout, gameName, usualGame } from "./play_cards.js";
import { Computer, choice } from "./play_computer.js";
import { OpeningBoxes } from "./play_opening.js";
import { address, lookAt, problemOf } from "./play_positions.js";
import { SizeFields } from "./play_sizes.js";
import { rulesButton } from "./rules.js";
import { t } from "./words.js";

const KEPT = "mnkala.newgame";
const CLOCKS = /** @type {Record<string, [number, number]>} */ ({
  "3+2": [3, 2],
  "5+3": [5, 3],
  "10+5": [10, 5],
});
const USUAL = {
  mode: "computer",
  side: "first",
  computers: ["medium", "medium"],
  levels: /** @type {Record<string, string[]>} */ ({}),
  clock: "none",
  minutes: 15,
  increment: 10,
  watchable: true,
};

/** @type {Show} */
export const show = async (container, params, context) => {
  const problem = await problemOf(params);
  if (problem) return badLink(container, "", params, problem, context);
  const page = new NewGame(container, params, context);
  return { close: () => page.close(), keys: {} };
};

class NewGame {
  /** @type {View | null} */ view;
  /** @type {number} */ timer;

  /** @param {HTMLElement} container @param {Params} params @param {Context} context */
  constructor(container, params, context) {
    this.context = context;
    this.choices = { ...USUAL, ...keptJson(KEPT), ...(params.game ? { game: params.game } : {}) };
    this.choices.game ??= usualGame(context.catalogue.games[0]);
    this.start = params.start || "";
    this.moves = params.moves || "";
    this.checks = 0;
    if (!this.family()) this.choices.game = usualGame(context.catalogue.games[0]);
    const { choices } = this;
    this.cards = new Cards(this.context.catalogue.games, this.family()?.name ?? "", (name) =>
      this.chooseFamily(name),
    );
    this.sizes = new SizeFields((game) => this.setGame(game));
    this.computers = [0, 1].map(
      (seat) =>
        new Computer(this.context.catalogue, seat, choices.computers[seat], (engine) =>
          this.setComputer(seat, engine),
        ),
    );
    this.fair = new FairStarts((start) => this.setStart(start), this.context.notify);
    this.opening = new OpeningBoxes(choices.opening, (rule) => {
      choices.opening = rule;
    });
    this.who = h("section");
    this.clock = h("section");
    this.gameField = this.text("game-string", t("page.game_string"), (value) =>
      this.setGame(value.trim()),
    );
    this.startField = this.text("start-position", t("page.start_position"), (value) => {
      this.start = value.trim();
      this.checkSoon();
    });
    this.movesField = this.text("start-moves", t("page.start_moves"), (value) => {
      this.moves = value.trim();
      this.checkSoon();
    });
    part(this.startField, "input").value = this.start;
    part(this.movesField, "input").value = this.moves;
    const advanced = h(
      "details#advanced",
      { open: Boolean(this.start || this.moves) },
      h("summary", t("page.advanced")),
      h("div.fields", this.gameField, this.startField, this.movesField),
      (this.edit = editButton(() => this.view, { disabled: true })),
    );
    this.error = h("p.error#game-error", { role: "alert" });
    this.about = h("p.soft");
    this.name = h("h2");
    this.picture = h("div.preview", { "aria-hidden": "true" });
    this.go = h("button.primary#start-game", { type: "submit" }, t("page.start_game"));
    this.analyse = h("a#analyse-it", { href: "#/analysis" }, t("page.analyse_it"));
    const settings = h(
      "details.panel#board-settings",
      { open: Boolean(this.start || this.moves) },
      h("summary", t("page.board_settings")),
      h("section", { "aria-label": t("page.size") }, this.sizes.element),
      this.fair.element,
      this.opening.element,
      this.clock,
      (this.names = h("section")),
      advanced,
    );
    const form = h(
      "form.setup",
      {
        novalidate: "",
        onsubmit: (event) => {
          event.preventDefault();
          this.begin();
        },
      },
      h("div.setup-form", this.who, settings),
      h(
        "div.setup-side.panel",
        this.go,
        this.error,
        this.name,
        this.picture,
        this.about,
        rulesButton(() => this.choices.game, this.context.notify),
        this.analyse,
      ),
    );
    replace(container, h("div.home", h("h1", t("page.home_title")), this.cards.element, form));
    this.cards.element.setAttribute("aria-label", t("page.home_title"));
    this.drawWho();
    this.drawClock();
    this.check({ fields: true });
  }

  family() {
    const name = this.choices.game.split(":")[0].trim().toLowerCase();
    return this.context.catalogue.games.find((family) => family.name === name);
  }

  /** @param {string} id @param {string} label @param {(value: string) => void} set */
  text(id, label, set) {
    const input = h("input", {
      id,
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      autocapitalize: "off",
      "aria-describedby": "game-error",
      oninput: () => {
        set(input.value);
      },
    });
    return labelled(label, input);
  }

  /** @param {"mode" | "side" | "clock"} name @param {string} value */
  set(name, value) {
    this.choices[name] = value;
    this.drawWho();
    this.drawClock();
  }

  drawWho() {
    const { choices } = this;
    const modes = ["computer", "here", "link", "watch"].map((mode) => [
      mode,
      t(`page.mode_${mode}`),
    ]);
    const sides = ["first", "second", "random"].map((side) => [side, t(`page.side_${side}`)]);
    this.computers[0].label = t(choices.mode === "watch" ? "page.level_of_first" : "page.level");
    this.computers[1].label = t("page.level_of_second");
    redraw(this.who, () =>
      replace(
        this.who,
        choice("mode", t("page.who"), modes, choices.mode, (mode) => this.set("mode", mode)),
        choices.mode === "computer" || choices.mode === "link"
          ? choice("side", t("page.side"), sides, choices.side, (side) => this.set("side", side))
          : null,
        choices.mode === "computer" ? this.computers[0].draw() : null,
        choices.mode === "watch"
          ? h(
              "div.sides",
              this.computers.map((computer) => computer.draw()),
            )
          : null,
        choices.mode === "link" ? this.linkFields() : null,
      ),
    );
    redraw(this.names, () =>
      replace(this.names, choices.mode === "watch" ? null : this.nameFields()),
    );
  }

  /** @param {number} seat @param {string} engine */
  setComputer(seat, engine) {
    const { choices } = this;
    choices.computers[seat] = engine;
    choices.levels = { ...choices.levels, [this.family()?.name ?? ""]: [...choices.computers] };
  }

  linkFields() {
    const box = h("input#watchable", {
      type: "checkbox",
      checked: this.choices.watchable,
      onchange: () => {
        this.choices.watchable = box.checked;
      },
    });
    return [
      h("p.help#link-about", t("page.mode_link_about")),
      new NetworkPanel(this.context, { bare: true }).element,
      h("div.field.check", box, h("label", { for: "watchable" }, t("page.watchable"))),
    ];
  }

  nameFields() {
    const two = this.choices.mode === "here";
    return h(
      "div.names",
      nameField(
        "your-name",
        t(two ? "others.first_name" : "others.your_name"),
        nickname(),
        setNickname,
      ),
      two
        ? nameField("second-name", t("others.second_name"), this.choices.guest, (name) => {
            this.choices.guest = name.trim();
          })
        : null,
    );
  }

  drawClock() {
    const { choices } = this;
    const options = [
      ["none", t("page.clock_none")],
      ...Object.keys(CLOCKS).map((name) => [name, name.replace("+", " + ")]),
      ["own", t("page.clock_own")],
    ];
    /** @param {"minutes" | "increment"} name @param {string} label @param {number} min @param {number} max */
    const number = (name, label, min, max) => {
      const input = h("input", {
        type: "number",
        id: `clock-${name}`,
        min: String(min),
        max: String(max),
        step: "any",
        value: String(choices[name]),
        oninput: () => {
          choices[name] = Number(input.value);
        },
      });
      return labelled(label, input);
    };
    redraw(this.clock, () =>
      replace(
        this.clock,
        choice("clock", t("page.clock"), options, choices.clock, (clock) =>
          this.set("clock", clock),
        ),
        choices.clock === "own"
          ? h(
              "div.sizes",
              number("minutes", t("page.clock_minutes"), 0.1, 1440),
              number("increment", t("page.clock_increment"), 0, 600),
            )
          : null,
      ),
    );
  }

  // ---- What is chosen ----

  /** @param {string} name */
  chooseFamily(name) {
    const family = this.context.catalogue.games.find((each) => each.name === name);
    if (!family) return;
    this.choices.game = this.choices.boards?.[name] || usualGame(family);
    const levels = this.choices.levels[name] ?? USUAL.computers;
    this.computers.forEach((computer, seat) => computer.recall(levels[seat]));
    this.start = this.moves = "";
    this.fair.wait();
    for (const each of [this.startField, this.movesField]) part(each, "input").value = "";
    this.check({ fields: true });
  }

  /** Begin from another position; with an empty text, from the usual one. @param {string} start */
  setStart(start) {
    this.start = start;
    this.moves = "";
    part(this.startField, "input").value = start;
    part(this.movesField, "input").value = "";
    this.checkSoon();
  }

  /** @param {string} game */
  setGame(game) {
    this.choices.game = game;
    if (this.fair.isOne(this.start)) this.setStart(""); // it is fair on its own board only
    this.fair.wait();
    const typed = document.activeElement?.id === "game-string";
    const family = this.family();
    if (typed && family) this.cards.choose(family.name);
    this.checkSoon({ fields: typed });
  }

  /** @param {{ fields?: boolean }} [options] */
  checkSoon(options) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(options), 180);
  }

  get where() {
    return { game: this.choices.game, start: this.start || null, moves: this.moves };
  }

  /** Ask the server whether it knows this board; its answer is the preview, its refusal the explanation. */
  async check({ fields = false } = {}) {
    this.checks += 1;
    const mine = this.checks;
    let view = /** @type {View | null} */ (null);
    let problem = "";
    try {
      view = await lookAt(this.where);
    } catch (error) {
      problem = told(error);
    }
    if (mine !== this.checks) return;
    this.error.textContent = problem;
    this.go.disabled = Boolean(problem) || Boolean(view?.over);
    const typed = part(this.gameField, "input");
    typed.toggleAttribute("aria-invalid", false);
    if (problem) typed.setAttribute("aria-invalid", "true");
    if (document.activeElement !== typed) typed.value = this.choices.game;
    this.view = view;
    this.edit.disabled = !view;
    const family = this.family();
    if (!view || !family) return;
    if (fields || !this.sizes.family) this.sizes.show(family, view.game);
    for (const computer of this.computers) computer.setGame(view.game);
    this.fair.show(view);
    this.opening.show(view);
    replace(this.picture, miniature(view));
    this.name.textContent = gameName(view.game);
    this.about.textContent = familyAbout(family);
    this.analyse.href = address("analysis", view);
  }

  // ---- Starting ----

  order() {
    const { choices } = this;
    const side =
      choices.side === "random" ? Math.floor(Math.random() * 2) : choices.side === "second" ? 1 : 0;
    const nicknames = /** @type {Pair<string | null>} */ ([null, null]);
    const players = ["human", "human"];
    const order = /** @type {Order} */ ({ ...this.where, players, nicknames });
    if (choices.mode === "here") order.nicknames = [nickname(), choices.guest || null];
    else if (choices.mode !== "watch") nicknames[side] = nickname();
    if (choices.mode === "computer") players[1 - side] = choices.computers[0];
    if (choices.mode === "watch")
      Object.assign(order, { players: [...choices.computers], pace: 0.6 });
    if (choices.mode === "link")
      Object.assign(order, { linked: true, side, watchable: choices.watchable });
    const [minutes, increment] = CLOCKS[choices.clock] || [choices.minutes, choices.increment];
    if (choices.clock !== "none") order.clock = { seconds: Math.round(minutes * 60), increment };
    if (this.opening.chosen) order.opening = this.opening.chosen;
    return order;
  }

  async begin() {
    this.go.disabled = true;
    this.go.textContent = t("page.starting");
    try {
      const family = this.family();
      if (family)
        this.choices.boards = { ...this.choices.boards, [family.name]: this.choices.game };
      const game = await api.post("games", this.order());
      localStorage.setItem(KEPT, JSON.stringify(this.choices));
      if (game.invitation) sessionStorage.setItem(`mnkala.invitation.${game.id}`, game.invitation);
      this.context.navigate(`#/game/${game.id}`);
    } catch (error) {
      this.error.textContent = told(error);
      this.go.disabled = false;
      this.go.textContent = t("page.start_game");
    }
  }

  close() {
    clearTimeout(this.timer);
    this.checks += 1;
  }
}
