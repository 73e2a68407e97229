// Choosing how strong a computer player is: one of three words, or behind them a level or an engine of one's own.

import { api, keptJson } from "./api.js";
import { h, part, replace } from "./dom.js";
import { EnginePicker } from "./play_engine.js";
import { known, t } from "./words.js";

/**
 * A row of buttons of which one is chosen.
 * @param {string} name @param {string} legend @param {Child[][]} options
 * @param {string} chosen @param {(value: string) => unknown} set
 */
export function choice(name, legend, options, chosen, set) {
  return h(
    "fieldset.choice",
    h("legend", legend),
    h(
      "div.segments",
      options.map(([value, text]) =>
        h(
          "label",
          h("input", {
            type: "radio",
            name,
            value,
            checked: value === chosen,
            onchange: () => set(String(value)),
          }),
          h("span", text),
        ),
      ),
    ),
  );
}

const WORDS = /** @type {Record<string, number>} */ ({ easy: 1, medium: 4, hard: 7 }); // their places on a ladder that does not name them

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The name of a level as a player. @param {Level} level */
const playerOf = (level) => `level${level.number}`;

export class Computer {
  /** @param {Catalogue} catalogue @param {number} seat @param {string} value @param {(engine: string) => void} onChange */
  constructor(catalogue, seat, value, onChange) {
    this.ladder = catalogue.levels.map(
      (_, index) => /** @type {Level} */ ({ number: index + 1, name: "", engine: "" }),
    ); // until the game's own comes
    this.game = "";
    this.name = `level-${seat}`;
    this.onChange = onChange;
    this.own = !known(`game.level.${value}`);
    this.value = value;
    this.label = "";
    this.picker = new EnginePicker(catalogue, {
      engine: this.own ? value : undefined,
      onChange: (engine) => this.set(engine),
    });
    this.element = h("div.computer");
  }

  /** @param {string} game */
  async setGame(game) {
    await this.picker.setGame(game);
    this.game = game;
    this.ladder = this.picker.offers?.ladder ?? this.ladder;
    if (this.own) this.set(this.picker.value);
    else this.set(playerOf(this.level()));
    if (this.element.isConnected) this.draw();
  }

  /** The level that is chosen, also by its name; perfect and strongest are the top of every game. */
  level() {
    const found = this.ladder.find(
      (level) => this.value === playerOf(level) || this.value === level.name,
    );
    return found ?? this.named(this.value);
  }

  /** The level that a word stands for; the top for any other. @param {string} word */
  named(word) {
    return (
      this.ladder.find(({ name }) => name === word) ??
      this.ladder[WORDS[word] ?? this.ladder.length - 1]
    );
  }

  /** @param {string} value */
  set(value) {
    this.value = value;
    this.onChange(value);
  }

  /** Take what was chosen for this game before, or the usual. @param {string} value */
  recall(value) {
    this.own = !known(`game.level.${value}`);
    if (this.own) this.picker.set(value);
    this.set(value);
  }

  /** @param {string} value */
  choose(value) {
    this.own = value === "own";
    this.set(this.own ? this.picker.value : value);
    this.draw();
    for (const place of [".all-levels ", ""]) {
      const box = part(this.element, `${place}[value="${value}"]`);
      if (box?.checkVisibility()) return box.focus();
    }
  }

  draw() {
    const chosen = this.own ? "own" : playerOf(this.level());
    const words = Object.keys(WORDS).map((word) => [
      playerOf(this.named(word)),
      capital(t(`game.level.${word}`)),
    ]);
    const levels = [
      ...this.ladder.map((level) => [playerOf(level), String(level.number)]),
      ["own", t("page.own_engine")],
    ];
    const open =
      this.element.querySelector("details")?.open ?? !words.some(([player]) => player === chosen);
    /** @param {string} value */
    const choose = (value) => this.choose(value);
    this.element.replaceChildren(
      choice(`word-${this.name}`, this.label, words, chosen, choose),
      ...(this.own
        ? []
        : [h("p.help.level-about", { role: "status" }, this.about()), ownRating(this.game)]),
      h(
        "details.all-levels",
        { open },
        h("summary", t("page.all_levels")),
        choice(this.name, t("page.level"), levels, chosen, choose),
        this.own ? this.picker.element : null,
      ),
    );
    return this.element;
  }

  /** The level in words: its name, its rating with the interval, and from where on it is exact. */
  about() {
    const level = this.level();
    const { number, name, rating, low, high, exact_from: from } = level;
    const exact =
      name === "perfect"
        ? t("game.level_exact")
        : from
          ? t(`game.level_exact_from.${from[0]}`, { most: from[1] })
          : "";
    const more = exact && `; ${exact}`;
    const called = capital(
      name
        ? t("game.level_named", { number, name: t(`game.level.${name}`) })
        : t(`game.level.${playerOf(level)}`),
    );
    if (typeof rating !== "number") return `${called}: ${t("game.level_unrated")}${more}`;
    return `${called}: ${t("game.level_rating", { rating })}${low !== high ? ` (${low}–${high})` : ""}${more}`;
  }
}

// What a person's games against the levels say of the person. Results are kept in this browser only; the server is asked what they mean.

const KEPT = "mnkala.results";
const MOST = 200; // of each game, as in play/own_rating.py

/** @param {string} game @returns {(LevelResult & { id: string })[]} */
const resultsOf = (game) => (Array.isArray(keptJson(KEPT)[game]) ? keptJson(KEPT)[game] : []);

/**
 * Keep the result of a game that ended while it was shown, if one person played a level in it
 * without help; each game counts once.
 * @param {Game} game
 */
export function noteResult(game) {
  const seat = game.yours[0] !== game.yours[1] ? Number(game.yours[1]) : null;
  if (
    seat === null ||
    !game.over ||
    !game.unaided ||
    game.linked ||
    game.view.start ||
    game.players[1 - seat].human
  )
    return;
  const level = game.players[1 - seat].name;
  const points = { "1-0": 1 - seat, "0-1": seat, "1/2-1/2": 0.5 }[game.result];
  if (points === undefined || !known(`game.level.${level}`)) return;
  const all = keptJson(KEPT);
  const listed = resultsOf(game.view.game);
  if (listed.some(({ id }) => id === game.id)) return;
  all[game.view.game] = [...listed, { id: game.id, level, points }].slice(-MOST);
  localStorage.setItem(KEPT, JSON.stringify(all));
}

function forgetResults() {
  localStorage.removeItem(KEPT);
}

/** A sentence on the reader's own rating in a game, and a button that forgets it; empty until there is something to say. @param {string} game */
export function ownRating(game) {
  const element = h("div.own-rating");
  const results = resultsOf(game).map(({ level, points }) => ({ level, points }));
  /** @param {OwnRating} found */
  const show = (found) => {
    if (found.rating === null) return;
    replace(
      element,
      h(
        "p.soft",
        t("game.own_rating", {
          rating: found.rating,
          low: found.low,
          high: found.high,
          games: found.games,
        }),
      ),
      h(
        "button.quiet",
        {
          onclick: () => {
            forgetResults();
            replace(element);
          },
        },
        t("game.own_rating_forget"),
      ),
    );
  };
  if (results.length) api.post("own-rating", { game, results }).then(show, () => {});
  return element;
}
