// Smaller parts of the game page: the hint with its reasons, the result, the last answer of an engine, and everything else that can be
// done with a position.

import { api } from "./api.js";
import { kindOf } from "./board_kinds.js";
import { download, h, replace } from "./dom.js";
import { copyButton, icon, iconButton } from "./play_icons.js";
import { readerOf, seatName } from "./play_plates.js";
import { address, placeOf } from "./play_positions.js";
import { fullText, named, provedText, turnPath, turnText } from "./scores.js";
import { language, number, said, t } from "./words.js";

/** The hint stays until the next move. Pointing at a reason shows the cells that it speaks of; a whole turn is drawn on the board, and
 * `onWalk(moves)` steps through it. */
export class HintPanel {
  /** @type {string | null} */ move;
  /** @type {Annotation | null} */ path;

  /** @param {(cells: Cell[]) => void} onPoint @param {(moves: string[]) => void} onWalk */
  constructor(onPoint, onWalk) {
    this.onPoint = onPoint;
    this.onWalk = onWalk;
    this.element = h("section.panel.hint#hint-text", {
      "aria-label": t("play.hint"),
      hidden: true,
    });
    this.move = null;
    this.text = "";
  }

  wait() {
    this.move = this.path = null;
    this.element.hidden = false;
    replace(this.element, h("p.waiting", t("play.hint_waits")));
  }

  clear() {
    this.move = this.path = null;
    this.element.hidden = true;
    replace(this.element);
  }

  /** @param {Hint} hint @param {View} view */
  show(hint, view) {
    this.move = hint.move;
    this.path = turnPath(hint.turn);
    const chained = hint.turn.length > 1;
    const reasons = hint.reasons.map((reason) => ({
      words: said(reason),
      cells: reason.cells || [],
    }));
    const head = chained
      ? t("turn.best", { turn: turnText(hint.turn) })
      : t("play.hint_says", { move: named([hint.move], view) });
    this.text = [head, ...reasons.map(({ words }) => words)].join(" ");
    /** @param {Cell[]} cells */
    const point = (cells) => () => this.onPoint(cells);
    const cells = reasons.flatMap((reason) => reason.cells);
    this.element.hidden = false;
    replace(
      this.element,
      h(
        "p.hint-head",
        icon("hint"),
        h("strong", head),
        h("span.soft", hint.worth ? provedText(hint.worth) : ""),
        this.path
          ? h(
              "button.icon.walk-turn#walk-hint",
              {
                "aria-label": t("turn.step"),
                title: t("turn.step"),
                onclick: () => this.onWalk(hint.turn.map(({ move }) => move)),
              },
              icon("step"),
            )
          : null,
      ),
      h(
        "ul",
        reasons.map((reason) =>
          h(
            "li",
            {
              tabindex: reason.cells.length ? "0" : null,
              onmouseenter: point(reason.cells),
              onfocus: point(reason.cells),
              onmouseleave: point(cells),
              onblur: point(cells),
            },
            reason.words,
          ),
        ),
      ),
    );
    this.onPoint(cells);
  }
}

/**
 * Who won, in words for the player of a seat (`reader`) or for somebody without one.
 * @param {string} result @param {string[]} names @param {number | null} reader
 */
export function outcomeText(result, names, reader) {
  if (result === "1/2-1/2") return t("play.draw");
  const winner = result === "1-0" ? 0 : 1;
  return reader === null
    ? t("play.won", { player: names[winner] })
    : t(reader === winner ? "play.you_won" : "play.you_lost");
}

/** The result of a game that was played here, in words. @param {Seats} game */
export const resultText = (game) =>
  outcomeText(
    game.result,
    [0, 1].map((seat) => seatName(game, seat)),
    readerOf(game),
  );

/** What ended a game. @param {Game} game */
function ending(game) {
  if (game.ending === "resignation") return t("play.by_resignation");
  if (game.ending === "agreement") return t("play.by_agreement");
  if (game.ending === "time") return t("play.by_time");
  if (game.ending === "fault") return t("play.by_fault", { fault: game.fault });
  const { seeds } = game.view;
  if (seeds) return t("play.by_seeds", { first: seeds.stores[0], second: seeds.stores[1] });
  if (game.view.marked.length) return t("play.by_line", { length: game.view.marked.length });
  return game.result === "1/2-1/2" ? t("play.board_full") : t("play.by_rules");
}

/** @param {Game} game */
export function resultBanner(game) {
  const alone = game.yours[0] !== game.yours[1];
  const won = game.result === "1-0" ? 0 : game.result === "0-1" ? 1 : null;
  const mood =
    won === null ? "even" : alone ? (game.yours[won] ? "good" : "bad") : won ? "second" : "first";
  return h(
    "div",
    { class: `result ${mood}`, id: "result", "data-result": game.result },
    h(
      "p.result-head",
      h("strong", resultText(game)),
      h("span.result-score", game.result.replace(/1\/2/g, "½").replace("-", "–")),
    ),
    h("p.soft", ending(game)),
    h(
      "div.controls",
      alone && mood !== "good" && game.view.played.length > 2
        ? h(
            "a.button.primary#find-missed",
            { href: `#/review?id=${game.id}&find=1` },
            icon("target"),
            h("span", t("play.find_missed")),
          )
        : null,
      h(
        "a.button#review",
        { href: `#/review?id=${game.id}` },
        icon("chart"),
        h("span", t("play.review")),
      ),
    ),
  );
}

/** What the computer did in an opening. @param {Game} game @param {OpeningAnswer} opening @param {string} engine */
function openingAnswer(game, opening, engine) {
  const computers = [0, 1].filter((seat) => !game.players[seat].human);
  return t(`${opening.rule}.did_${opening.did}`, {
    player: computers.length === 1 ? seatName(game, computers[0]) : engine,
    stones: opening.stones.join(" "),
  });
}

/** The computer's last move in plain words; its engine, depth and numbers for those who unfold them. @param {Game} game */
export function lastAnswer(game) {
  const { answer } = game;
  if (!answer) return null;
  const { worth } = answer;
  const move = named([answer.move], game.view);
  const facts = [[t("play.answer_engine"), h("code", answer.engine)]];
  if (worth) facts.push([t("play.answer_score"), fullText(worth)]);
  if (answer.depth) facts.push([t("play.answer_depth"), number(answer.depth)]);
  if (answer.nodes) facts.push([t("play.answer_nodes"), number(answer.nodes)]);
  facts.push([
    t("play.answer_time"),
    t("play.pace_seconds", { seconds: number(answer.seconds, answer.seconds < 10 ? 2 : 0) }),
  ]);
  const says = answer.opening
    ? openingAnswer(game, answer.opening, answer.engine)
    : worth
      ? t("play.answer_worth", { move, score: said(worth.words) })
      : t("play.answer_says", { move });
  return h(
    "details.panel.answer#answer",
    h("summary", says),
    h(
      "dl",
      facts.map(([name, value]) => h("div", h("dt", name), h("dd", value))),
    ),
  );
}

/**
 * What an exported game says of its players and its end, which the position alone does not know; `over` if the end is shown.
 * @param {Game | null} game @param {boolean} over @returns {Circumstances}
 */
export function circumstances(game, over) {
  if (!game) return {};
  const resigned = over && ["resignation", "time", "fault"].includes(game.ending ?? "");
  return {
    players: /** @type {Pair<string>} */ (
      game.players.map((player) => player.nickname || player.name)
    ),
    ...(over && game.ending === "agreement" ? { agreed: true } : {}),
    ...(resigned
      ? {
          resigned: game.result === "1-0" ? 1 : 0,
          out_of_time: game.ending === "time",
          ...(game.fault ? { fault: game.fault } : {}),
        }
      : {}),
  };
}

/**
 * The position as text, files, and of a game also links to the other pages.
 * @param {View} view @param {Game | null} game @param {Context} context @param {() => void} [onHelp]
 */
export function moreAbout(view, game, context, onHelp) {
  const last = view === game?.view;
  const record = recordLine(view, last ? game.result : view.result);
  /** @param {Export["format"]} format */
  const file = async (format) => {
    try {
      const body = /** @type {Export} */ ({
        ...placeOf(view),
        format,
        language,
        ...circumstances(game, last),
      });
      download(
        await api.file("export", body),
        `${view.game.replace(/\W+/g, "-")}.${format === "record" ? "txt" : format}`,
      );
    } catch (error) {
      context.notify(error);
    }
  };
  const unfair = game && game.linked && !game.over && (game.yours[0] || game.yours[1]);
  return h(
    "div.more-body",
    unfair
      ? null
      : h(
          "p.more-links",
          game
            ? h(
                "a.button",
                { href: address("analysis", view), onclick: onHelp },
                icon("search"),
                h("span", t("play.open_analysis")),
              )
            : null,
          game
            ? h(
                "a.button",
                { href: address("think", view), onclick: onHelp },
                icon("tree"),
                h("span", t("play.open_think")),
              )
            : null,
          view.puzzles
            ? h(
                "a.button",
                { href: `#/puzzles?game=${encodeURIComponent(view.game)}` },
                icon("hint"),
                h("span", t("puzzle.title")),
              )
            : null,
        ),
    h(
      "div.more-links",
      { role: "group", "aria-label": t("play.files") },
      view.files.map((format) =>
        iconButton("download", t(`play.file_${format}`), {
          "data-export": format,
          onclick: () => file(format),
        }),
      ),
    ),
    h("h2", t("play.as_text")),
    h("pre.as-text#as-text", { tabindex: "0" }, kindOf(view).words.position(view)),
    h("p.as-line", h("code#as-record", record), copyButton(record, t("play.copy"))),
  );
}

/** @param {View} view @param {string} result */
function recordLine(view, result) {
  return `${view.game}${view.start ? `@${view.start}` : ""} ${view.played.join(",") || "-"} ${result}`;
}
