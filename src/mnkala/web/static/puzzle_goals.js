// What is to be found in puzzles, and what is said of it: in Connect a win in so many moves of one's own, a number; in Kalah a kind of turn,
// a word. The address names the first win_in and the second kind, and so do requests.

import { reasonText } from "./play_scores.js";
import { scoreText } from "./scores.js";
import { number, t } from "./words.js";

const LAST = "mnkala.puzzles.last";
const LENGTHS = [3, 4, 5, 6, 7, 8];
const KINDS = ["only-move", "longest-chain", "save"];
const MOST_MOVES = 8; // of a refuting line that are told

export const GAMES = ["connect4", "kalah"];
const isKalah = (game) => game.split(":")[0] === "kalah";

/** The goals of a game's puzzles. */
export const goalsOf = (game) => (isKalah(game) ? KINDS : LENGTHS);

/** A goal as requests and addresses name it. */
export const named = (goal) => (typeof goal === "number" ? { win_in: goal } : { kind: goal });

/** The address of a puzzle. */
export function placeOf(game, goal, at) {
  const parts = { ...(game === GAMES[0] ? {} : { game }), ...named(goal), number: at + 1 };
  return `#/puzzles?${Object.entries(parts).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
}

/** What an address asks for; where it says nothing, what was open last. */
export function wantedPuzzle({ game: asked, win_in: length, kind, number: which = null }) {
  const [lastGame, lastGoal] = (localStorage.getItem(LAST) || "").split(" ");
  const game = asked || (length ? GAMES[0] : kind ? "kalah" : GAMES.includes(lastGame) ? lastGame : GAMES[0]);
  const goals = goalsOf(game);
  const text = (isKalah(game) ? kind : length) ?? lastGoal;
  const goal = goals.find((each) => String(each) === text);
  if (goal === undefined && (kind ?? length) !== undefined) {
    const key = isKalah(game) ? "links.no_puzzle_kind" : "links.no_puzzle_length";
    throw Object.assign(new Error(t(key, { length: kind ?? length, lengths: goals.join(", ") })), { status: 400, game });
  }
  return { game, goal: goal ?? goals[0], at: which === null ? null : (/^\d+$/.test(which) ? Number(which) : 0) - 1 };
}

export const keep = (game, goal) => localStorage.setItem(LAST, `${game} ${goal}`);

// ---- Words ----

export const goalName = (goal) => (typeof goal === "number" ? number(goal) : t(`puzzle.kind_${goal}`));

export const goalsTitle = (game) => t(isKalah(game) ? "puzzle.kind" : "puzzle.length");

export const aboutText = (game) => t(isKalah(game) ? "puzzle.about_turn" : "puzzle.about");

export const setTitle = (game) => t(isKalah(game) ? "puzzle.all_kind" : "puzzle.all");

export const progressText = (goal, done, total) => t(typeof goal === "number" ? "puzzle.progress" : "puzzle.progress_kind", { done: number(done), total: number(total), moves: goalName(goal), kind: goalName(goal) });

const mover = (first) => first.players[first.mover];

/** What is to be done, or was. */
export function taskText(puzzle, first, left, done) {
  if (puzzle.kind) return reasonText(puzzle.task);
  const key = done ? "puzzle.was" : left === 1 ? "puzzle.task_last" : "puzzle.task";
  return t(key, { player: mover(first), moves: number(done ? puzzle.win_in : left) });
}

export const findText = (puzzle, first) => (puzzle.kind ? t(`puzzle.find_${puzzle.kind}`) : t("puzzle.find", { player: mover(first), moves: number(puzzle.win_in) }));

/** What is said of a right move that does not solve the puzzle yet. */
export function rightText({ move, reply, left }) {
  if (reply === null) return t("puzzle.right_again", { move });
  return t(left === 1 ? "puzzle.right_last" : "puzzle.right", { move, reply, moves: number(left) });
}

/** A solution: to the end of the game, or the sowings of one turn. */
export const solutionText = (puzzle, line) => t("puzzle.solution_is", { line: line.join(puzzle.kind ? ", " : " ") });

/** What is said of a wrong move: a head, and what refutes it. */
export function wrongTexts(puzzle, first, left, { move, worth, line, turns }) {
  const score = scoreText(worth, first);
  if (puzzle.kind === "longest-chain") return [t("puzzle.wrong", { move }), t("puzzle.wrong_chain", { sowings: number(line.length), line: line.join(", ") })];
  if (!puzzle.kind) return [t("puzzle.wrong", { move }), t(`puzzle.wrong_${worth.result}`, { score, moves: number(left) }), line.length > 1 ? t("puzzle.refuted", { line: line.slice(1, MOST_MOVES + 1).join(" ") }) : null];
  const [own, answer] = turns.map((turn) => turn.join(", "));
  return [t("puzzle.wrong_turn", { move, score }), answer ? t(own === move ? "puzzle.answered" : "puzzle.answered_after", { own, line: answer }) : null];
}
