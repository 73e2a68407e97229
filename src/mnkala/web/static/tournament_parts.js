// What the pages of tournaments are made of: how far one is, the games in progress, the table with its intervals, who beat whom, a game.

import { miniature } from "./board.js";
import { mark } from "./board_marks.js";
import { h } from "./dom.js";
import { gameName } from "./play_cards.js";
import { capital } from "./play_computer.js";
import { icon } from "./play_icons.js";
import { address } from "./play_positions.js";
import { duration, known, number, t } from "./words.js";

/** A level in the reader's language; other engines by their names. @param {string} name */
export const playerName = (name) =>
  known(`game.level.${name}`) ? capital(t(`game.level.${name}`)) : name;

const MOST_NAMED = 4; // players in a title

/** What a tournament is called: by its own name, or by who plays what. @param {TournamentSummary} options */
export function titleOf({ name, usual_name: usual, games, players }) {
  if (!usual) return name;
  const named = players.slice(0, MOST_NAMED).map(playerName).join(", ");
  const more = players.length - MOST_NAMED;
  return `${games.map(gameName).join(", ")}: ${more > 0 ? t("tournament.and_more", { named, more }) : named}`;
}

/** How far a tournament is, with a bar. @param {TournamentSummary} options */
export function stateOf({ played, total, state, ahead, left, error }) {
  const words = [
    t("tournament.progress", { played: number(played), total: number(total) }),
    t(`tournament.state_${state}`),
    state === "waiting" ? t("tournament.ahead", { count: ahead }) : null,
    state === "running" && left !== null ? t("study.left", { time: duration(left) }) : null,
  ];
  return h(
    "div.tournament-state",
    h(
      "label",
      h("span", words.filter(Boolean).join(" · ")),
      h("progress", { max: String(total), value: String(played) }),
    ),
    error ? h("p.error", error) : null,
  );
}

/** The games in progress, each with its board. @param {readonly TournamentBoard[]} playing */
export const liveBoards = (playing) =>
  playing.map(({ place, first, second, view }) =>
    h(
      "li.panel.live-board",
      { "data-board": place },
      h("p.who", mark(0), playerName(first), h("span.soft", "–"), mark(1), playerName(second)),
      miniature(view),
      h(
        "p.help",
        t("tournament.plies", { count: view.played.length }),
        " · ",
        h("a", { href: address("analysis", view) }, t("tournament.analyse")),
      ),
    ),
  );

/** One sentence on who is strongest, as far as the games tell. @param {readonly TableRow[]} rows */
export function verdict(rows) {
  const [leader, ...others] = rows.filter(({ result }) => gamesOf(result));
  if (!others.length) return "";
  const near = others.filter(({ high }) => high >= leader.low).map(({ name }) => playerName(name));
  return near.length
    ? t("tournament.leads", { player: playerName(leader.name), others: near.join(", ") })
    : t("tournament.strongest", { player: playerName(leader.name) });
}

/** @param {number} elo */
const signed = (elo) => `${elo > 0 ? "+" : elo < 0 ? "−" : ""}${number(Math.abs(Math.round(elo)))}`;

/** @param {number} value */
function seconds(value) {
  if (value >= 1) return `${number(value, 1)} s`;
  return `${number(1000 * value, value >= 0.01 ? 0 : 1)} ms`;
}

/** The number of games in a result. @param {SeriesResult} result */
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
            h("span", `${signed(row.low)} … ${signed(row.high)}`),
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
          h("td.number.extra", seconds(spent.seconds / Math.max(1, spent.moves))),
          h("td.number.extra", seconds(spent.longest)),
        ]
      : Array.from({ length: 7 }, (_, place) =>
          h(`td.number.soft${place > 4 ? ".extra" : ""}`, "–"),
        );
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
        head("a_move", "number extra"),
        head("longest", "number extra"),
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
      player: playerName(names[player]),
      other: playerName(names[other]),
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
          h(
            "th",
            { scope: "col" },
            h("abbr", { title: playerName(names[other]) }, String(place + 1)),
          ),
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
