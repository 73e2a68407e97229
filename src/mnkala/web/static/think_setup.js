// What to look at: the game, the position (set up by playing moves on a board), the search and its measures.

import { api } from "./api.js";
import { Board } from "./board.js";
import { labelled, h, replace } from "./dom.js";
import { gameName } from "./play_cards.js";
import { icon } from "./play_icons.js";
import { known, t } from "./words.js";

const ALGORITHMS = /** @type {const} */ (["minimax", "alphabeta", "compare", "mcts"]);
/** Small positions in which every search has something to show, those that can be searched deepest first. @param {Catalogue} options */
export const examplesOf = ({ examples }) =>
  examples.filter(({ depth }) => depth > 0).sort((a, b) => b.depth - a.depth);

export class Setup {
  /** @type {HTMLSelectElement} */ games;
  /** @type {Board} */ board;
  /** @type {View} */ view;
  /** @type {string[]} */ offers;
  /** @type {string} */ offersOf;

  /**
   * `choice` is {game, start, moves, algorithm, depth, iterations, heuristic, exploration, seed}; `onChange` hears of every change of it.
   * @param {HTMLElement} container @param {ThinkChoice} choice @param {Catalogue} catalogue
   * @param {() => void} onChange @param {(problem: unknown) => void} notify
   */
  constructor(container, choice, catalogue, onChange, notify) {
    this.choice = choice;
    this.catalogue = catalogue;
    this.onChange = onChange;
    this.notify = notify;
    this.offers = [];
    this.examples = examplesOf(catalogue);
    this.algorithms = h(
      "fieldset.choice.algorithms",
      h("legend.sr-only", t("think.algorithm")),
      h(
        "div.segments",
        ALGORITHMS.map((name) =>
          h(
            "label",
            h("input", {
              type: "radio",
              name: "think-algorithm",
              value: name,
              id: `algorithm-${name}`,
              checked: choice.algorithm === name,
              onchange: () => this.change({ algorithm: name }),
            }),
            h("span", t(`think.${name}`)),
          ),
        ),
      ),
    );
    this.measures = h("div.measures");
    this.positionButton = h(
      "button#think-position",
      { "aria-expanded": "false", onclick: () => this.toggle() },
      icon("tree"),
      h("span", h("span.small-only"), h("span")),
    );
    this.boardPlace = h("div.setup-board");
    this.games = h("select#think-game", { onchange: () => this.pickGame(this.games.value) });
    this.undoButton = h(
      "button#think-undo",
      { onclick: () => this.undo() },
      icon("undo"),
      h("span", t("think.undo")),
    );
    this.clearButton = h(
      "button#think-clear",
      { onclick: () => this.setMoves("") },
      t("think.clear"),
    );
    this.drawer = h(
      "div.panel.setup-drawer#setup-drawer",
      { hidden: true },
      h(
        "div.setup-fields",
        labelled(t("think.game"), this.games),
        h("div.field", h("span.help", t("think.setup_help"))),
        h("div.setup-buttons", this.undoButton, this.clearButton),
        h(
          "div.field",
          h("span.label", t("think.examples")),
          h(
            "div.segments",
            this.examples.map((example) =>
              h(
                "button",
                { "data-example": example.name, onclick: () => this.example(example) },
                t(`${example.family}.example.${example.name}`),
              ),
            ),
          ),
        ),
      ),
      this.boardPlace,
    );
    this.element = h(
      "div.think-setup",
      h("div.setup-row", this.algorithms, this.measures),
      this.drawer,
    );
    container.append(this.element);
    this.draw();
  }

  /** @param {Partial<ThinkChoice>} wanted */
  change(wanted) {
    Object.assign(this.choice, wanted);
    this.draw();
    this.onChange();
  }

  /** The heuristics that fit the game and compile; known a moment after another game was chosen. */
  async loadOffers() {
    const { game } = this.choice;
    this.offersOf = game;
    const offers = await api.post("offers", { game }).catch(() => ({ heuristics: [] }));
    if (game !== this.choice.game) return;
    this.offers = offers.heuristics;
    this.draw();
  }

  draw() {
    const { choice } = this;
    if (choice.game !== this.offersOf) this.loadOffers();
    const [search, position] = this.positionButton.querySelectorAll("span > span");
    search.textContent = `${t(`think.${choice.algorithm}`)} · `;
    position.textContent = t("think.position", {
      game: gameName(choice.game),
      moves: choice.moves || t("think.start"),
    });
    /**
     * @param {string} id @param {string} key
     * @param {"depth" | "iterations" | "exploration" | "seed"} name @param {number} min
     * @param {number} max @param {number} [step]
     */
    const number = (id, key, name, min, max, step = 1) =>
      h(
        "div.field.measure",
        h("label", { for: id }, t(key)),
        h("input", {
          type: "number",
          id,
          min: String(min),
          max: String(max),
          step: String(step),
          value: String(choice[name]),
          onchange: (event) => {
            const value = Number(event.target.value);
            if (event.target.value !== "" && value >= min && value <= max)
              this.change({ [name]: value });
            else event.target.value = String(choice[name]);
          },
        }),
      );
    replace(
      this.measures,
      choice.algorithm === "mcts"
        ? [
            number("think-iterations", "think.iterations", "iterations", 1, 500),
            number("think-exploration", "think.exploration", "exploration", 0, 100, 0.1),
            number("think-seed", "think.seed", "seed", 0, 9999),
          ]
        : [number("think-depth", "think.depth", "depth", 1, 12), this.heuristics()],
    );
    for (const input of this.algorithms.querySelectorAll("input"))
      input.checked = input.value === choice.algorithm;
  }

  heuristics() {
    const fitting = this.catalogue.heuristics.filter(
      ({ name }) => this.offers.includes(name) || name === this.choice.heuristic,
    );
    const chosen = this.choice.heuristic;
    return h(
      "div.field.measure.wide-measure",
      h("label", { for: "think-heuristic" }, t("think.heuristic")),
      h(
        "select#think-heuristic",
        { onchange: (event) => this.change({ heuristic: event.target.value }) },
        h("option", { value: "auto", selected: chosen === "auto" }, t("think.auto")),
        fitting.map(({ name, summary }) =>
          h(
            "option",
            {
              value: name,
              title: known(`game.heuristic.${name}`) ? t(`game.heuristic.${name}`) : summary,
              selected: chosen === name,
            },
            name,
          ),
        ),
      ),
    );
  }

  gameNames() {
    const names = this.catalogue.games.flatMap(({ names: all, example, plugin }) =>
      plugin && !all.length ? [example] : all,
    );
    return [...new Set([...names, ...this.examples.map(({ game }) => game), this.choice.game])];
  }

  async toggle() {
    this.drawer.hidden = !this.drawer.hidden;
    this.positionButton.setAttribute("aria-expanded", String(!this.drawer.hidden));
    if (this.drawer.hidden) return;
    replace(
      this.games,
      this.gameNames().map((name) =>
        h("option", { value: name, selected: name === this.choice.game }, gameName(name)),
      ),
    );
    if (!this.board)
      this.board = new Board(this.boardPlace, {
        onMove: (move) => this.play(move),
        interactive: true,
        id: "think-board",
      });
    await this.look();
  }

  async look() {
    if (this.drawer.hidden) return;
    try {
      this.view = await api.post("look", {
        game: this.choice.game,
        start: this.choice.start,
        moves: this.choice.moves,
      });
      this.board.show(this.view, { animate: true });
      this.undoButton.disabled = this.clearButton.disabled = !this.view.played.length;
    } catch (error) {
      this.notify(error);
    }
  }

  /** @param {string} moves */
  async setMoves(moves) {
    this.change({ moves });
    await this.look();
  }

  /** @param {string} move */
  play(move) {
    return this.setMoves([...this.view.played, move].join(" "));
  }

  undo() {
    return this.setMoves(this.view.played.slice(0, -1).join(" "));
  }

  /** @param {string} game */
  async pickGame(game) {
    this.change({ game, start: null, moves: "", heuristic: "auto" });
    await this.look();
  }

  /** @param {ExampleInfo} options */
  async example({ game, moves, depth }) {
    this.change({ game, start: null, moves, depth, heuristic: "auto" });
    this.games.value = game;
    await this.look();
  }

  close() {
    this.board?.close();
  }
}
