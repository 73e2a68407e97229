// A score in words: "proved: wins in 3 moves", "about +12". Scores are always told as the player to move sees them.

import { seenBy, shortValue } from "./board_marks.js";
import { number, t } from "./words.js";

/** What a score says to the player to move. */
export function scoreText(score, view) {
  const { kind, result, plies, value } = seenBy(score, view.mover);
  if (kind === "heuristic") return t("play.score_about", { value: shortValue(value) });
  const proved = { value: shortValue(value), plies: number(plies ?? 0) };
  if (kind === "lower") return t("play.score_lower", proved);
  if (kind === "upper") return t("play.score_upper", proved);
  if (result === "draw") return t("play.score_draw");
  const when = plies === null ? "" : plies === 0 ? "_over" : plies === 1 ? "_one" : "_in";
  return t(`play.score_${result === "win" ? "win" : "loss"}${when}`, proved);
}

/** The first player's chance as "63 %". */
export function chanceText(chance) {
  return `${number(100 * chance)} %`;
}
