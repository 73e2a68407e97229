// What is to be found in puzzles, and what is said of it. The catalogue says of each family with puzzles which board is offered first, its
// goals, what requests and addresses call them (`option`), and the stem of its texts. A goal that is a number is a win in so many moves of
// one's own; one that is a word is a kind of puzzle that the family names.

import { ApiError } from "./api.js";
import { h, replace } from "./dom.js";
import { named } from "./scores.js";
import { number, said, t } from "./words.js";

const LAST = "mnkala.puzzles.last";
/** @param {number | string} goal */
const isNumber = (goal) => typeof goal === "number";
/** @param {View} first */
const mover = (first) => first.players[first.mover];

export class PuzzleGoals {
  /** @param {Catalogue} catalogue */
  constructor(catalogue) {
    this.families = catalogue.games.flatMap(({ name, puzzles }) =>
      puzzles ? [{ name, puzzles }] : [],
    );
    /** The boards that are offered, one of each family. */
    this.games = [...new Set(this.families.map(({ puzzles }) => puzzles.game))];
  }

  /**
   * The entry of the catalogue about a game's puzzles; for a game without one that of the first
   * game, so that the server refuses it.
   * @param {string} game
   */
  of(game) {
    const name = game.split(":")[0].trim().toLowerCase();
    return (this.families.find((family) => family.name === name) ?? this.families[0]).puzzles;
  }

  /** A goal as requests and addresses name it. @param {string} game @param {number | string} goal */
  named(game, goal) {
    return { [this.of(game).option]: goal };
  }

  /** The address of a puzzle, or of the puzzles with a goal. @param {string} game @param {number | string} goal @param {number | null} [at] */
  placeOf(game, goal, at = null) {
    const parts = {
      ...(game === this.games[0] ? {} : { game }),
      ...this.named(game, goal),
      ...(at === null ? {} : { number: at + 1 }),
    };
    return `#/puzzles?${Object.entries(parts)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join("&")}`;
  }

  /** The goal of a puzzle. @param {PuzzleView} puzzle */
  static goalOf(puzzle) {
    return puzzle.win_in ?? puzzle.kind ?? "";
  }

  /** The address that opens exactly this puzzle anywhere. @param {PuzzleView} puzzle */
  linkTo(puzzle) {
    const goal = Object.entries(this.named(puzzle.game, PuzzleGoals.goalOf(puzzle)))[0];
    return `#/puzzles?${new URLSearchParams([
      ["game", puzzle.game],
      [goal[0], String(goal[1])],
      ["moves", puzzle.moves],
    ])}`;
  }

  /** The game whose puzzles were open last. */
  lastGame() {
    const [game] = (localStorage.getItem(LAST) || "").split(" ");
    return this.games.includes(game) ? game : this.games[0];
  }

  /** What an address asks for; where it says nothing, what was open last. @param {Params} options */
  wanted({ game: asked, number: which, ...params }) {
    const [, lastGoal] = (localStorage.getItem(LAST) || "").split(" ");
    const chosenBy = this.families.find(({ puzzles }) => puzzles.option in params)?.puzzles.game;
    const game = asked || chosenBy || this.lastGame();
    const { goals, option } = this.of(game);
    const given = Object.entries(params).find(([name]) =>
      this.families.some(({ puzzles }) => puzzles.option === name),
    );
    const goal = goals.find((each) => String(each) === (params[option] ?? lastGoal));
    if (goal === undefined && given) {
      const key = isNumber(goals[0]) ? "links.no_puzzle_length" : "links.no_puzzle_kind";
      throw Object.assign(
        new ApiError(400, t(key, { length: given[1], lengths: goals.join(", ") })),
        { game },
      );
    }
    return {
      game,
      goal: goal ?? goals[0],
      at: which === undefined ? null : (/^\d+$/.test(which) ? Number(which) : 0) - 1,
    };
  }

  /** @param {string} game @param {number | string} goal */
  keep(game, goal) {
    localStorage.setItem(LAST, `${game} ${goal}`);
  }

  // ---- Words ----

  /** @param {string} game @param {number | string} goal */
  name(game, goal) {
    return isNumber(goal) ? number(goal) : t(`${this.of(game).texts}.${goal}.name`);
  }

  /** @param {string} game */
  title(game) {
    return t(isNumber(this.of(game).goals[0]) ? "puzzle.length" : "puzzle.kind");
  }

  /** @param {string} game */
  about(game) {
    return t(`${this.of(game).texts}.about`);
  }

  /** @param {string} game */
  setTitle(game) {
    return t(isNumber(this.of(game).goals[0]) ? "puzzle.all" : "puzzle.all_kind");
  }

  /** @param {string} game @param {number | string} goal @param {number} done @param {number} total */
  progress(game, goal, done, total) {
    const name = this.name(game, goal);
    return t(isNumber(goal) ? "puzzle.progress" : "puzzle.progress_kind", {
      done: number(done),
      total: number(total),
      moves: name,
      kind: name,
    });
  }

  /** What is asked for as a puzzle begins. @param {string} game @param {number | string} goal @param {View} first */
  demand(game, goal, first) {
    return isNumber(goal)
      ? t("puzzle.find", { player: mover(first), moves: number(goal) })
      : t(`${this.of(game).texts}.${goal}.find`);
  }
}

/**
 * The task in words, or what it was.
 * @param {PuzzleView} puzzle @param {View} first @param {number | null} left @param {boolean} done
 */
export function taskText(puzzle, first, left, done) {
  if (puzzle.win_in === null) return said(puzzle.task);
  const key = done ? "puzzle.was" : left === 1 ? "puzzle.task_last" : "puzzle.task";
  return t(key, { player: mover(first), moves: number((done ? puzzle.win_in : left) ?? 0) });
}

/**
 * The answer to a right move that does not solve the puzzle yet.
 * @param {Tried} tried @param {View} view
 */
export function rightText({ move: tried, reply, left }, view) {
  const move = named([tried], view);
  if (reply === null) return t("puzzle.right_again", { move });
  return t(left === 1 ? "puzzle.right_last" : "puzzle.right", {
    move,
    reply: named([reply], view),
    moves: number(left ?? 0),
  });
}

/** A solution: to the end of the game, or one turn of perhaps several moves. @param {PuzzleView} puzzle @param {string[]} line */
export const solutionText = (puzzle, line) =>
  t("puzzle.solution_is", { line: line.join(puzzle.win_in === null ? ", " : " ") });

/**
 * The answer to a wrong move: a headline, what refutes it, and what the reply does on the board.
 * @param {Tried} tried @param {View} view
 */
export function wrongTexts({ said: reasons, worth, why, turns }, view) {
  const texts = reasons.map((reason) => said(reason, { score: said(worth.words) }));
  if (!why.length) return texts;
  const reply = t("puzzle.why", { reply: named([turns[1][0]], view) });
  return [...texts, [reply, ...why.map((each) => said(each))].join(" ")];
}

/**
 * Show the answer to a move, or the task: a headline with the sign of its mood, and sentences below
 * it; nothing without a headline.
 * @param {HTMLElement} place @param {string} mood @param {string} head @param {(string | undefined)[]} [more] @param {Child} [below]
 */
export function tell(place, mood, head, more = [], below = null) {
  place.className = `puzzle-feedback ${mood}`;
  place.dataset.mood = mood;
  const shape = { good: "✓", bad: "✗" }[mood];
  const sign = shape && h("span.puzzle-sign", { "aria-hidden": "true" }, shape);
  replace(
    place,
    head && h("p.puzzle-head", sign, h("strong", head)),
    more.filter(Boolean).map((text) => h("p", text)),
    below,
  );
}
