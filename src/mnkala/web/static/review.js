// A game looked at again: the graph of chances, the board at any move with the better move pointed out, graded moves, files.
// Its address says which game: #/review?game=…&start=…&moves=… or #/review?id=…

import { api, ApiError, live } from "./api.js";
import { badLink } from "./bad_link.js";
import { Board } from "./board.js";
import { kindOf } from "./board_kinds.js";
import { download, h, part, replace } from "./dom.js";
import { Graph } from "./graph.js";
import { pasteForm } from "./paste.js";
import { gameName } from "./play_cards.js";
import { copyButton, icon, iconButton } from "./play_icons.js";
import { circumstances, outcomeText } from "./play_panels.js";
import { computerName, readerOf, seatName } from "./play_plates.js";
import { address, look, lookAt } from "./play_positions.js";
import {
  Accuracy,
  Comment,
  FAULTS,
  GradedMoves,
  parting,
  unitAt,
  unitsOf,
} from "./review_parts.js";
import { Finder, missed } from "./review_find.js";
import { language, number, problemText, t } from "./words.js";

const QUICK = 0; // seconds for a move: by nodes instead, so that a review comes out the same every time
const DEEP = 1.5;
const NOTHING = /** @type {ReviewView} */ ({
  engine: "",
  moves: [],
  chances: [null],
  accuracy: [null, null],
  turning_point: null,
  mistakes: [],
  turns: [],
  margins: [],
  exactness: [null, null],
  margin_texts: "review.margin",
});

/** @type {Show} */
export const show = async (container, params, context) => {
  const page = new ReviewPage(container, context);
  try {
    await page.open(params);
  } catch (error) {
    page.close();
    if (params.game) return badLink(container, "review", params, error, context);
    throw error;
  }
  return { close: () => page.close(), keys: page.keys };
};

class ReviewPage {
  /** @type {View} */ view;
  /** @type {ReviewView} */ review;
  /** @type {Graph} */ graph;
  /** @type {GradedMoves} */ list;
  /** @type {Accuracy} */ accuracy;
  /** @type {Comment} */ comment;
  /** @type {HTMLElement} */ progress;
  /** @type {HTMLElement} */ state;
  /** @type {HTMLAnchorElement} */ analysis;
  /** @type {HTMLButtonElement} */ deeper;
  /** @type {HTMLElement} */ main;
  /** @type {Board} */ board;
  /** @type {Circumstances} */ circumstances;
  /** @type {string} */ result;
  /** @type {number | null} */ reader;
  /** @type {string[]} */ names;
  /** @type {string[]} */ moves;
  /** @type {ShownLine | null} */ shown;
  /** @type {number | null} */ number;
  /** @type {string} */ pointed;
  /** @type {Finder | null} */ finder;
  /** @type {boolean} */ wantsToFind;
  /** @type {Params} */ params;
  /** @type {string[]} */ opponents;

  /** @param {HTMLElement} container @param {Context} context */
  constructor(container, context) {
    this.context = context;
    this.container = container;
    this.ply = 0;
    this.review = NOTHING;
    this.seconds = QUICK;
    this.ends = [
      live.on("review", (message) => this.take(message)),
      live.on("error", (message) => {
        if (message.id !== undefined && message.id === this.number)
          this.failed(problemText(message));
      }),
    ];
  }

  // ---- Which game ----

  /** @param {Params} params */
  async open(params) {
    this.params = params;
    this.wantsToFind = params.find !== undefined;
    if (params.id) {
      const game = await api.get(`games/${encodeURIComponent(params.id)}`);
      await this.begin(
        game.view,
        [0, 1].map((seat) => seatName(game, seat)),
        game.result,
        circumstances(game, true),
        readerOf(game),
        game.players.map(({ human, name }) => (human ? "medium" : name)),
      );
    } else if (params.tournament) await this.openOfTournament(params.tournament, params.place);
    else if (params.game) {
      const view = await lookAt(params);
      await this.begin(view, null, view.result);
    } else this.ask();
  }

  /** A game of a tournament, with its players and what ended it. @param {string} name @param {string | undefined} place */
  async openOfTournament(name, place) {
    const { about, moves } = await api.get(
      `tournaments/${encodeURIComponent(name)}/games/${encodeURIComponent(place ?? "")}`,
    );
    const players = /** @type {Pair<string>} */ ([about.first, about.second]);
    const fault =
      about.ending === "fault"
        ? { resigned: about.result === "1-0" ? 1 : 0, fault: about.fault }
        : {};
    await this.begin(
      await lookAt({ game: about.game, moves }),
      players.map(computerName),
      about.result,
      { players, ...fault },
    );
    this.state.after(
      h(
        "p.help",
        h("a", { href: `#/tournaments/${encodeURIComponent(name)}` }, t("tournament.of", { name })),
        about.ending === "rules"
          ? null
          : ` · ${t(`tournament.ended_${about.ending}`, { fault: about.fault })}`,
      ),
    );
  }

  /** No game is named: ask for a record, or for one of the saved games. */
  ask() {
    this.context.title(t("review.title"));
    replace(
      this.container,
      h(
        "div.page.review-ask",
        h("h1", t("review.title")),
        h("p.soft", t("review.about")),
        h("p", h("a.button#open-mistakes", { href: "#/mistakes" }, t("mistake.title"))),
        this.recordForm(),
        savedGames(),
      ),
    );
  }

  recordForm() {
    /** @param {RecordView} record */
    const onRead = async (record) => {
      if (!record.view.played.length) throw new ApiError(400, t("review.no_moves"));
      history.pushState(null, "", address("review", record.view));
      await this.begin(
        record.view,
        this.namesOf(record.tags),
        record.result,
        circumstancesOf(record),
      );
    };
    return h(
      "div.panel.record-form",
      pasteForm({
        id: "record-input",
        label: t("paste.label"),
        button: t("review.open"),
        buttonId: "record-open",
        open: () => this.view,
        onRead,
        context: this.context,
      }),
    );
  }

  /** @param {Record<string, string>} tags */
  namesOf(tags) {
    return [0, 1].map((seat) => {
      const name = tags[["first", "second"][seat]];
      return name && name !== "human"
        ? computerName(name)
        : t(seat ? "play.second_player" : "play.first_player");
    });
  }

  /**
   * Open a game; `told` is what its record says besides the moves (players, who resigned), and
   * `reader` is the seat of the person who looks at it, if that is one of the players.
   * @param {View} view @param {string[] | null} names @param {string} result
   * @param {Circumstances} [told] @param {number | null} [reader] @param {string[]} [opponents] who plays each seat when the game is played on
   */
  async begin(view, names, result, told = {}, reader = null, opponents = ["medium", "medium"]) {
    this.stop();
    this.leaveFinding();
    this.opponents = opponents;
    this.view = view;
    this.circumstances = told;
    this.reader = reader;
    this.result = result || view.result;
    this.names = names || this.namesOf({});
    this.moves = view.played;
    this.ply = view.played.length;
    this.shown = null;
    this.review = NOTHING;
    this.build();
    this.context.title(`${t("review.title")}: ${gameName(view.game)}`);
    if (!view.played.length) {
      replace(this.progress, h("p.notice", t("review.no_moves")));
      this.draw();
      return;
    }
    this.look();
    this.askServer(QUICK);
  }

  // ---- The page ----

  build() {
    this.board?.close();
    this.graph?.close();
    this.graph = new Graph((ply) => this.goTo(ply));
    this.list = new GradedMoves((ply) => this.goTo(ply));
    this.accuracy = new Accuracy();
    this.comment = new Comment((shown) => this.showLine(shown));
    this.progress = h("div.review-progress", { role: "status" });
    this.state = h("p.soft.review-result");
    this.analysis = h("a.button#open-analysis", icon("search"), h("span", t("review.analyse")));
    this.deeper = h(
      "button#review-deeper",
      { onclick: () => this.askServer(DEEP) },
      t("review.deeper"),
    );
    const place = h("div.board-place");
    /** @param {Export["format"]} format */
    const file = (format) =>
      iconButton("download", t(`play.file_${format}`), {
        id: `export-${format}`,
        onclick: () => this.save(format),
      });
    this.main = h(
      "section.game-main.review-main",
      { "aria-label": t("play.board") },
      place,
      this.graph.element,
    );
    replace(
      this.container,
      h(
        "div.game-page.review-page",
        this.main,
        h(
          "aside.game-side",
          { "aria-label": t("review.title") },
          h(
            "div",
            h("h1.game-title", t("review.title_of", { game: gameName(this.view.game) })),
            this.state,
          ),
          this.progress,
          this.accuracy.element,
          this.list.element,
          this.comment.element,
          h(
            "div.controls",
            this.analysis,
            this.deeper,
            copyButton(
              () =>
                new URL(address("review", { ...this.view, played: this.moves }), location.href)
                  .href,
              t("review.copy_link"),
              { id: "copy-link" },
            ),
          ),
          h(
            "div.controls",
            { role: "group", "aria-label": t("play.files") },
            ["record", "svg", "png", "gif"].map(file),
          ),
          h("details.another", h("summary", t("review.another")), this.recordForm()),
        ),
      ),
    );
    this.board = new Board(place, { interactive: false, onMove: (move) => this.finder?.try(move) });
  }

  get keys() {
    /** @param {() => number} where */
    const go = (where) => () => this.review && this.view && this.goTo(where());
    return {
      ArrowLeft: go(() => this.ply - 1),
      ArrowRight: go(() => this.ply + 1),
      Home: go(() => 0),
      End: go(() => this.moves.length),
      ArrowUp: go(() => 0),
      ArrowDown: go(() => this.moves.length),
    };
  }

  // ---- The review ----

  /** Ask the server, again and again after a break of the line, until the last answer is there. @param {number} seconds */
  askServer(seconds) {
    this.stop();
    this.seconds = seconds;
    this.number = live.number();
    const { game, start } = this.view;
    live.keep("review", {
      type: "review",
      id: this.number,
      game,
      start,
      moves: this.moves.join(","),
      seconds: seconds || undefined,
    });
    this.deeper.disabled = true;
    this.drawProgress(0, this.moves.length);
  }

  /** @param {ReviewUpdate} options */
  take({ id, final, done, total, review }) {
    if (id !== this.number || !review) return;
    this.review = review;
    if (final) {
      live.forget("review");
      this.number = null;
      this.deeper.disabled = this.seconds >= DEEP;
      replace(this.progress);
      this.context.announce(t("review.ready"));
      if (this.wantsToFind) this.findMissed(Number(this.params.ply));
    } else this.drawProgress(done, total);
    this.draw();
  }

  /** @param {string} text */
  failed(text) {
    live.forget("review");
    this.number = null;
    this.deeper.disabled = false;
    replace(this.progress, h("p.notice.bad", text));
  }

  /** @param {number} done @param {number} total */
  drawProgress(done, total) {
    if (!part(this.progress, "progress"))
      replace(this.progress, h("label", h("span"), h("progress")));
    part(this.progress, "span").textContent = t("review.progress", { done, total });
    Object.assign(part(this.progress, "progress"), { max: Math.max(1, total), value: done });
  }

  stop() {
    if (this.number) live.forget("review", { type: "stop", id: this.number });
    this.number = null;
  }

  // ---- Trying again ----

  /**
   * Make a task of the move with this number, or else of the reader's worst move.
   * @param {number} ply
   */
  findMissed(ply) {
    this.wantsToFind = false;
    const named = unitsOf(this.review).find(({ first, ply: last }) => first <= ply && ply <= last);
    const unit = named ?? missed(this.review, this.reader, FAULTS);
    if (unit) this.find(unit);
    else replace(this.progress, h("p.notice#nothing-missed", t("review.find_nothing")));
  }

  /** @param {ReviewUnit} unit */
  find(unit) {
    this.leaveFinding();
    this.goTo(unit.ply);
    const kind = this.review.mistakes.find(({ last }) => last === unit.ply)?.kind;
    this.finder = new Finder(
      this.view,
      unit,
      this.before(parting(unit)),
      this.puzzlesLike(kind ?? "", unit.ply),
      () => this.goTo(unit.ply),
    );
    this.drawComment();
    this.look();
  }

  /** The address of puzzles about a kind of mistake, after which one comes back here. @param {string} kind @param {number} ply */
  puzzlesLike(kind, ply) {
    const { id } = this.params;
    const here = id
      ? `review?id=${encodeURIComponent(id)}&find=1&ply=${ply}`
      : `${address("review", { ...this.view, played: this.moves }).slice(2)}&find=1&ply=${ply}`;
    return `#/puzzles?${new URLSearchParams([
      ["like", kind],
      ["game", this.view.game],
      ["back", here],
    ])}`;
  }

  leaveFinding() {
    this.finder?.close();
    this.finder = null;
  }

  /** Play on from before a move, against whoever was the opponent. @param {ReviewUnit} unit */
  async retry(unit) {
    const players = ["human", "human"];
    players[1 - unit.player] = this.opponents[1 - unit.player];
    const { game, start } = this.view;
    try {
      const order = /** @type {Order} */ ({ game, start, moves: this.before().join(","), players });
      const made = await api.post("games", order);
      this.context.navigate(`#/game/${made.id}`);
    } catch (error) {
      this.context.notify(error);
    }
  }

  // ---- Where we are ----

  /** @param {number} ply */
  goTo(ply) {
    const to = Math.max(0, Math.min(this.moves.length, ply));
    if (to === this.ply && this.shown === null && !this.finder) return;
    this.leaveFinding();
    const forward = to === this.ply + 1;
    this.ply = to;
    this.shown = null;
    this.graph.setPly(to);
    this.list.setPly(to);
    this.drawComment();
    this.look(forward);
  }

  /**
   * Show a line up to one of its moves, as {of: "line" or "refutation", upTo}, or with null the
   * game again.
   * @param {ShownLine | null} shown
   */
  showLine(shown) {
    this.shown = shown;
    this.drawComment();
    this.look(shown !== null);
  }

  /** The move or turn that is looked at. */
  get unit() {
    return unitAt(unitsOf(this.review), this.ply);
  }

  /** The moves before it, and so many of its own. */
  before(own = 0) {
    return this.moves.slice(0, Math.max(0, (this.unit?.first ?? this.ply) - 1 + own));
  }

  /** Put the position on the board that is looked at, with the better move pointed out. */
  async look(animate = false) {
    const { ply, shown, unit, finder } = this;
    const { game, start } = this.view;
    if (finder) {
      const view = await look(game, start, finder.before).catch(this.context.notify);
      if (view && finder === this.finder)
        this.board.show(view, {
          interactive: true,
          yours: [unit?.player === 0, unit?.player === 1],
        });
      return;
    }
    const fault = shown === null && unit && FAULTS.includes(unit.grade ?? "");
    const same = fault ? parting(unit) : 0;
    const wanted =
      shown === null
        ? this.moves.slice(0, ply)
        : [...this.before(), ...(unit?.[shown.of] ?? []).slice(0, shown.upTo)];
    try {
      const [view, earlier] = await Promise.all([
        look(game, start, wanted),
        fault ? look(game, start, this.before(same)) : null,
      ]);
      if (ply !== this.ply || shown !== this.shown) return;
      const better = fault ? landing(earlier, unit.best[same]) : [];
      this.board.show(view, { cells: better, animate, interactive: false });
      this.board.fit(this.main);
      this.analysis.href = address("analysis", { ...view, played: this.moves.slice(0, ply) });
    } catch (error) {
      this.context.notify(error);
    }
  }

  draw() {
    const { review } = this;
    if (this.result !== "*") {
      const { resigned, out_of_time: outOfTime } = this.circumstances;
      const how =
        resigned === undefined ? "" : `, ${t(outOfTime ? "play.by_time" : "play.by_resignation")}`;
      this.state.textContent = `${outcomeText(this.result, this.names, this.reader)}${how}`;
    }
    this.graph.show(review, this.names, this.ply);
    this.list.showReview(review, this.ply);
    this.accuracy.show(review, this.names);
    this.drawComment();
    const now = JSON.stringify(this.unit || null);
    if (now !== this.pointed) this.look();
    this.pointed = now;
  }

  drawComment() {
    const { unit } = this;
    if (this.finder) {
      replace(this.comment.element, this.finder.element);
      return;
    }
    const point = this.review.turning_point;
    const turning =
      point !== null && unit !== undefined && unit.first <= point && point <= unit.ply;
    this.comment.show(this.review, this.ply, this.names, {
      noun: this.view.noun,
      tryHref: address("analysis", { ...this.view, played: this.before() }),
      turning,
      shown: this.shown,
      onFind: (each) => this.find(each),
      onRetry: (each) => this.retry(each),
    });
  }

  /** @param {Export["format"]} format */
  async save(format) {
    const whole = format === "gif" || format === "record";
    const moves = (whole ? this.moves : this.moves.slice(0, this.ply)).join(",");
    const { game, start } = this.view;
    try {
      const { players, ...end } = this.circumstances;
      const atEnd = whole || this.ply === this.moves.length;
      const body = /** @type {Export} */ ({
        game,
        start,
        moves,
        format,
        language,
        players,
        ...(atEnd ? end : {}),
      });
      download(
        await api.file("export", body),
        `${game.replace(/\W+/g, "-")}${whole ? "" : `-${this.ply}`}.${format === "record" ? "txt" : format}`,
      );
    } catch (error) {
      this.context.notify(error);
    }
  }

  close() {
    this.stop();
    this.leaveFinding();
    for (const end of this.ends) end();
    this.graph?.close();
    this.board?.close();
  }
}

/** The players and the end of a record that was pasted, for the files that are made of it. @param {RecordView} options @returns {Circumstances} */
function circumstancesOf({ view, result, tags }) {
  const resigned = !view.over && { "1-0": 1, "0-1": 0 }[result];
  return {
    ...(tags.first || tags.second
      ? { players: [tags.first || "human", tags.second || "human"] }
      : {}),
    ...(typeof resigned === "number" ? { resigned, out_of_time: tags.ending === "time" } : {}),
  };
}

/** The cells where a move would have been made. @param {View | null} view @param {string} move */
function landing(view, move) {
  const cells = view?.moves.find((each) => each.move === move)?.cells;
  return cells ? kindOf(view).Painter.meant(cells, view.cells) : [];
}

// The saved games that can be reviewed, the latest first, as a list of links.

const MOST = 8;

/** A section that fills itself; it stays hidden while there is no game with moves. */
export function savedGames() {
  const section = h("section", { hidden: true }, h("h2", t("review.saved")));
  api.get("games").then(
    ({ games }) => {
      const played = games.filter(({ moves, unreadable }) => moves && !unreadable);
      section.hidden = !played.length;
      section.append(
        h("ul.saved-games#saved-games", played.slice(0, MOST).map(link)),
        h("p.above", h("a.button", { href: "#/games" }, t("review.all_saved"))),
      );
    },
    (error) => {
      section.hidden = false;
      replace(section, h("p.error", error.message));
    },
  );
  return section;
}

/** @param {Summary} options */
function link({ id, game, players, moves, updated, over, result }) {
  const names = players.map((player) =>
    player === "human" ? t("page.human") : computerName(player),
  );
  const facts = [
    over ? result.replace(/1\/2/g, "½").replace("-", "–") : t("page.games_going"),
    moves === 1 ? t("page.games_one_move") : t("page.games_moves", { count: number(moves) }),
    new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(new Date(updated)),
  ];
  return h(
    "li",
    h(
      "a",
      { href: `#/review?id=${id}`, "data-review": id },
      h("span", h("strong", gameName(game)), " ", names.join(" – ")),
      h("span.soft", facts.join(" · ")),
    ),
  );
}
