// What moves are worth, for people: "wins in 29 moves", "wins by 6", "likely wins in 5 moves", "about 63 %". It is told as the player to
// move sees it. A worth is what the server says of a position or a move (WorthView in openapi.json): a chance that compares all moves of an
// answer, and what is known in the game's own terms.

import { known, number, t } from "./words.js";

const TONES = /** @type {Record<string, string>} */ ({ win: "good", draw: "even", loss: "bad" });
const STEP = 1e-6; // what tells two chances apart

/** A value with its sign. @param {number | null} value */
export const signed = (value) => (value && value < 0 ? `−${number(-value)}` : `${value ? "+" : ""}${number(value)}`);

/** A chance that is not proved, in percent: never 0 or 100. @param {number} chance */
export const percent = (chance) => number(Math.min(99, Math.max(1, Math.round(100 * chance))));

/** Whether it is more than an opinion. @param {Pick<WorthView, "kind">} options */
export const isProved = ({ kind }) => kind === "exact" || kind === "bound";

/** Whether it is good for the player to move, once that is proved. @param {WorthView} worth */
export const toneOf = (worth) => (isProved(worth) ? TONES[worth.result] ?? "open" : "open");

/**
 * In few letters, for chips and boards, without its sign (▲ ■ ▼ for what is proved, ~ for what is not).
 * @param {WorthView} worth @param {Graded} options
 */
export function shortText(worth, { graded }) {
  const { kind, result, chance, plies, score, lower, upper } = worth;
  if (kind === "estimate") return `${percent(chance)} %`;
  if (kind === "likely") return `${result === "win" ? "▲" : "▼"}${number(plies)}`;
  if (graded && score) return signed(score);
  if (graded && result !== "draw" && result !== "unknown" && marginOf(worth)) return `${result === "win" ? "≥" : "≤"}${signed(marginOf(worth))}`;
  if (result === "unknown") return graded && lower !== null && upper !== null ? `${signed(lower)}…${signed(upper)}` : "…";
  if (result === "draw") return t("exact.short_draw");
  return plies ? t("exact.short_in", { plies: number(plies) }) : t(`exact.short_${result}`);
}

/**
 * By how much a game is won (or, below 0, lost) that counts it, or by how much at least.
 * @param {WorthView} options
 */
const marginOf = ({ result, score, lower, upper }) => score ?? (result === "win" ? lower : upper);

/**
 * For a board that has room for words, where a game counts by how much it is won: "wins by 6", "loses by ≥2"; else in few letters.
 * @param {WorthView} worth @param {Graded} view
 */
export function wordsOnBoard(worth, view) {
  const { kind, result } = worth;
  const margin = view.graded && isProved(worth) && ["win", "loss"].includes(result) && marginOf(worth);
  return margin ? t(`exact.${result}_by`, { margin: `${kind === "exact" ? "" : "≥"}${number(Math.abs(margin))}` }) : shortText(worth, view);
}

/**
 * In words. Where a game counts by how much it is won, the number says so; elsewhere it says how soon, if that is known.
 * @param {WorthView} worth @param {Graded} options
 */
export function scoreText(worth, { graded }) {
  const { kind, result, chance, at, plies, score, lower, upper, source } = worth;
  if (kind === "estimate") return t(at ? `worth.at_${at}` : "worth.estimate", { percent: percent(chance) });
  if (kind === "likely") return t(`worth.likely_${result}`, { plies: number(plies) });
  if (result === "unknown") {
    if (graded && lower !== null && upper !== null) return t("exact.between", { lower: signed(lower), upper: signed(upper) });
    return t(lower === 0 ? "exact.least_draw" : upper === 0 ? "exact.most_draw" : "exact.open");
  }
  if (result === "draw") return t("exact.draw");
  if (graded && plies !== 0) {
    const margin = number(Math.abs(marginOf(worth) ?? 0));
    return t(`exact.${result}_by${score === null ? "_least" : ""}`, { margin });
  }
  if (known(`worth.by_${source}`)) return t(`worth.by_${source}`, { score: t("exact.win_in", { plies: number(plies) }) });
  const how = plies === null ? "" : plies === 0 ? "_over" : plies === 1 ? "_now" : kind === "exact" ? "_in" : "_within";
  return t(`exact.${result}${how}`, { plies: number(plies ?? 0) });
}

/**
 * In words and with the number behind them, for those who point at it: the game's own score, or the heuristic's.
 * @param {WorthView} worth @param {Graded} view
 */
export function fullText(worth, view) {
  const { score, heuristic } = worth;
  if (heuristic !== null) return `${scoreText(worth, view)} (${t("worth.heuristic", { value: signed(heuristic) })})`;
  return score && !view.graded ? `${scoreText(worth, view)} (${signed(score)})` : scoreText(worth, view);
}

/** In words, and whether it is proved. @param {WorthView} worth @param {Graded} view */
export const provedText = (worth, view) => (worth.kind === "exact" ? t("exact.proved", { score: scoreText(worth, view) }) : scoreText(worth, view));

/**
 * A move by the name that its game has for moves: "Column 4".
 * @param {string} move @param {Pick<View, "noun">} options
 */
export const moveName = (move, { noun }) => t(`exact.move_${noun}`, { move });

/**
 * Moves as a value for a sentence, "column 4": as explain/words.py names them. Several are those of one turn.
 * @param {string[]} moves @param {Pick<View, "noun">} view
 */
export function named(moves, { noun }) {
  const text = moves.join(", ");
  return noun === "cell" || !moves.some((move) => /^\d+$/.test(move)) ? text : `@move.${moves.length > 1 ? "turn" : noun} ${text}`;
}

/**
 * What the first player can expect by what is known for the player to move.
 * @param {WorthView} options @param {number} mover
 */
export const firstChance = ({ chance }, mover) => (mover === 0 ? chance : 1 - chance);

/**
 * One truth of a proof and an estimate of the same position: {whole, moves, best}, the moves best first. What is proved stands; an
 * estimate fills what is open, and never says more than the proof beside it.
 * @param {Solved | null | undefined} proof @param {AnalysisUpdate | null | undefined} estimate
 */
export function merged(proof, estimate) {
  if (!proof) return { whole: estimate?.whole ?? null, moves: estimate?.scores ?? [], best: estimate?.best ?? [] };
  const decided = proof.whole.result !== "unknown";
  const guesses = new Map(decided && proof.whole.score !== null ? [] : (estimate?.scores ?? []).map((each) => [each.move, each]));
  const ceiling = decided ? proof.whole.chance : 1;
  /** @param {MoveWorth} guess @param {MoveWorth} proved */
  const cap = (guess, proved) => ({ ...guess, chance: Math.min(guess.chance, ceiling, proved.upper === 0 ? 0.5 : 1), reasons: proved.reasons });
  const moves = proof.scores.map((each) => (each.result === "unknown" && guesses.has(each.move) ? cap(guesses.get(each.move) ?? each, each) : each)).sort((a, b) => b.chance - a.chance);
  if (decided) return { whole: proof.whole, moves: lead(moves, proof.best), best: proof.best };
  const open = new Set(moves.filter(({ result, kind }) => !(kind !== "likely" && result === "loss")).map(({ move }) => move));
  const drawn = moves.filter((each) => isProved(each) && each.result === "draw").map(({ move }) => move);
  const liked = moves.filter(({ move }) => (estimate?.best ?? []).includes(move) && open.has(move));
  // A draw that is proved can be had, whatever an estimate thinks of it.
  const sure = drawn.length && liked.every(({ chance }) => chance < 0.5);
  const best = sure ? drawn : liked.map(({ move }) => move);
  const led = lead(moves, best);
  const whole = estimate?.whole && best.length && !sure ? { ...estimate.whole, chance: led[0].chance } : proof.whole;
  return { whole, moves: led, best };
}

/**
 * The best moves first, with nothing else as large.
 * @param {MoveWorth[]} moves @param {string[]} best
 */
function lead(moves, best) {
  const top = Math.max(...moves.filter(({ move }) => best.includes(move)).map(({ chance }) => chance));
  if (!best.length) return moves;
  const capped = moves.map((each) => (best.includes(each.move) ? each : { ...each, chance: Math.min(each.chance, Math.max(0, top - STEP)) }));
  return capped.sort((a, b) => Number(best.includes(b.move)) - Number(best.includes(a.move)) || b.chance - a.chance);
}

/**
 * What the board shows of a move (see board_annotations.js).
 * @param {MoveWorth} worth @param {View} view @param {boolean} best
 * @returns {Said}
 */
export function annotation(worth, view, best) {
  const { move } = worth;
  const title = t(best ? "exact.named_best" : "exact.named", { name: moveName(move, view), score: fullText(worth, view) });
  return { move, text: shortText(worth, view), words: wordsOnBoard(worth, view), note: "", tone: toneOf(worth), best, proved: isProved(worth), title: worth.source === "book" ? `${title} · ${t("exact.from_book")}` : title };
}
