// What the pages of tournaments are made of: how far one is, the table with its intervals, who beat whom, a game.

import { mark } from "./board_marks.js";
import { h } from "./dom.js";
import { gameName } from "./play_cards.js";
import { icon } from "./play_icons.js";
import { known, number, t } from "./words.js";

/** A level in the reader's language; other engines by their names. @param {string} name */
const playerName = (name) => (known(`game.level.${name}`) ? t(`game.level.${name}`) : name);

/** How far a tournament is, with a bar. @param {TournamentSummary} options */
export function stateOf({ played, total, going }) {
  const state = t(
    played >= total ? "tournament.over" : going ? "tournament.going" : "tournament.stopped",
  );
  return h(
    "label.tournament-state",
    h(
      "span",
      `${t("tournament.progress", { played: number(played), total: number(total) })} · ${state}`,
    ),
    h("progress", { max: String(total), value: String(played) }),
  );
}

/** @param {number} elo */
const signed = (elo) => `${elo > 0 ? "+" : elo < 0 ? "−" : ""}${number(Math.abs(Math.round(elo)))}`;

/** @param {number} value */
function seconds(value) {
  if (value >= 1) return `${number(value, 1)} s`;
  return `${number(1000 * value, value >= 0.01 ? 0 : 1)} ms`;
}

/** How many games a result is of. @param {SeriesResult} result */
const gamesOf = ({ wins = 0, draws = 0, losses = 0 }) => wins + draws + losses;

/** The table: place, player, rating with its interval as text and as a bar on one scale, points, results, faults, times. @param {TableRow[]} rows */
export function ratingTable(rows) {
  const played = rows.filter(({ result }) => gamesOf(result));
  const low = Math.min(...played.map((row) => row.low));
  const high = Math.max(...played.map((row) => row.high));
  /** @param {number} elo */
  const at = (elo) => `${(100 * (elo - low)) / Math.max(1, high - low)}%`;
  /** @param {TableRow} row */
  const whisker = (row) =>
    h("span.whisker", {
      "aria-hidden": "true",
      css: { "--from": at(row.low), "--to": at(row.high), "--at": at(row.elo) },
    });
  /** @param {string} key @param {string} [kind] */
  const head = (key, kind = "") => h("th", { scope: "col", class: kind }, t(`tournament.${key}`));
  /** @param {TableRow} row */
  const cells = ({ result, spent, ...row }) =>
    gamesOf(result)
      ? [
          h("td.number", signed(row.elo)),
          h(
            "td.interval",
            h("span", `±${number((row.high - row.low) / 2)}`),
            whisker({ result, spent, ...row }),
          ),
          h(
            "td.number",
            `${number(result.wins + result.draws / 2, result.draws % 2)} / ${number(gamesOf(result))}`,
          ),
          h(
            "td.number",
            `+${number(result.wins)} =${number(result.draws)} −${number(result.losses)}`,
          ),
          h("td", { class: `number${row.faults ? " faulty" : ""}` }, number(row.faults)),
          h("td.number", seconds(spent.seconds / Math.max(1, spent.moves))),
          h("td.number", seconds(spent.longest)),
        ]
      : Array.from({ length: 7 }, () => h("td.number.soft", "–"));
  return h(
    "table.rating-table",
    h(
      "thead",
      h(
        "tr",
        h("th", { scope: "col" }, h("span.sr-only", t("tournament.place"))),
        head("player"),
        head("elo", "number"),
        head("interval"),
        head("points", "number"),
        head("results", "number"),
        head("faults", "number"),
        head("a_move", "number"),
        head("longest", "number"),
      ),
    ),
    h(
      "tbody",
      rows.map((row, place) =>
        h(
          "tr",
          { "data-player": String(row.player) },
          h("td.number.soft", String(place + 1)),
          h("th", { scope: "row" }, playerName(row.name)),
          cells(row),
        ),
      ),
    ),
  );
}

/** Who beat whom, the strongest first: won, drawn and lost games of the row against the column. @param {TournamentView} options */
export function crossTable({ rows, names, cross }) {
  const order = rows.map(({ player }) => player);
  /** @param {number} player @param {number} other */
  const cell = (player, other) => {
    if (player === other) return h("td.self");
    const { wins, draws, losses } = cross[player][other];
    if (!(wins + draws + losses)) return h("td.number.soft", "–");
    const title = t("tournament.against", {
      player: names[player],
      other: names[other],
      wins,
      draws,
      losses,
    });
    return h(
      "td",
      { class: `number ${wins > losses ? "ahead" : wins < losses ? "behind" : ""}`, title },
      h("span.sr-only", title),
      h("span", { "aria-hidden": "true" }, `${wins}–${draws}–${losses}`),
    );
  };
  return h(
    "table.cross-table",
    h(
      "thead",
      h(
        "tr",
        h("td"),
        order.map((other, place) =>
          h("th", { scope: "col" }, h("abbr", { title: names[other] }, String(place + 1))),
        ),
      ),
    ),
    h(
      "tbody",
      order.map((player, place) =>
        h(
          "tr",
          h("th", { scope: "row" }, `${place + 1} ${playerName(names[player])}`),
          order.map((other) => cell(player, other)),
        ),
      ),
    ),
  );
}

/** A game with what ended it, and the way to replay it. @param {string} tournament @param {TournamentGame} game */
export function gameRow(tournament, game) {
  const ended = t(`tournament.ended_${game.ending}`, { fault: game.fault });
  return h(
    "li.panel.tournament-game",
    { "data-game": game.place },
    h(
      "div",
      h(
        "p.who",
        mark(0),
        h("span", playerName(game.first)),
        h("span.soft", "–"),
        mark(1),
        h("span", playerName(game.second)),
        h("strong", game.result.replace(/1\/2/g, "½").replace("-", "–")),
      ),
      h(
        "p",
        { class: `help${game.fault ? " faulty" : ""}` },
        [gameName(game.game), t("tournament.plies", { count: game.plies }), ended].join(" · "),
      ),
    ),
    h(
      "a.button",
      { href: `#/review?tournament=${encodeURIComponent(tournament)}&place=${game.place}` },
      icon("chart"),
      h("span", t("tournament.replay")),
    ),
  );
}
