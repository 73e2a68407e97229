// Learn from your mistakes: of which kinds they were in the saved games, how often of late, the positions as tasks, and the puzzles that
// train them. The server reviews the games that are not reviewed yet while this page is open. The address is #/mistakes.

import { api, Watched } from "./api.js";
import { h, redraw, replace } from "./dom.js";
import { gameName } from "./play_cards.js";
import { icon } from "./play_icons.js";
import { PuzzleGoals } from "./puzzle_goals.js";
import { language, number, said, t } from "./words.js";

const MOST_BARS = 24; // games of the trend

/** @type {Show} */
export const show = async (container, params, context) => {
  const page = new MistakesPage(container, context);
  await page.load();
  page.again();
  return { close: () => page.close() };
};

class MistakesPage extends Watched {
  /** @param {HTMLElement} container @param {Context} context */
  constructor(container, context) {
    super(context, 1200, 15_000);
    context.title(t("mistake.title"));
    this.goals = new PuzzleGoals(context.catalogue);
    this.work = h("div.review-progress#mistakes-work", { role: "status" });
    this.kinds = h("div#mistakes-kinds");
    this.shown = "";
    replace(
      container,
      h(
        "div.page.mistakes-page",
        h("h1", t("mistake.title")),
        h("p.soft", t("mistake.about")),
        this.work,
        this.kinds,
      ),
    );
  }

  /** @override */
  async load() {
    this.draw(await api.get("mistakes"));
  }

  async start() {
    this.draw(await api.post("mistakes"));
    this.again();
  }

  async stop() {
    await api.remove("mistakes");
    await this.load();
  }

  /** @param {MistakesView} view */
  draw(view) {
    this.going = view.running;
    this.drawWork(view);
    const shown = JSON.stringify(view.report);
    if (shown === this.shown) return;
    this.shown = shown;
    redraw(this.kinds, () =>
      replace(
        this.kinds,
        view.report.games.map((game) => this.game(game)),
      ),
    );
  }

  /** @param {MistakesView} view */
  drawWork({ report, running, done, todo, trouble }) {
    const { total, open } = report;
    /** @param {() => Promise<void>} action */
    const act = (action) => () => action.call(this).catch((error) => this.context.notify(error));
    if (running)
      replace(
        this.work,
        h(
          "label",
          h("span", t("mistake.progress", { done: number(done), total: number(todo) })),
          h("progress", { max: Math.max(1, todo), value: done }),
        ),
        h("button#mistakes-stop", { onclick: act(this.stop) }, t("mistake.stop")),
      );
    else
      replace(
        this.work,
        trouble ? h("p.notice.bad", said({ ...trouble, text: trouble.error })) : null,
        h(
          "p",
          !total
            ? t("mistake.none_yet")
            : open
              ? t("mistake.open", { open: number(open), total: number(total) })
              : t("mistake.all_done", { total: number(total) }),
        ),
        open
          ? h("button.primary#mistakes-start", { onclick: act(this.start) }, t("mistake.start"))
          : null,
      );
  }

  /** @param {GameReport} report */
  game({ game, reviewed, kinds }) {
    return h(
      "section.panel.mistakes-game",
      { "data-game": game },
      h("h2", gameName(game)),
      h("p.soft", t("mistake.reviewed", { games: number(reviewed) })),
      kinds.length
        ? h(
            "ul.mistake-kinds",
            kinds.map((kind) => this.kind(game, kind)),
          )
        : h("p", t("mistake.none")),
    );
  }

  /** @param {string} game @param {KindReport} report */
  kind(game, { kind, count, games, by_game: byGame, change, places, proved }) {
    const bars = byGame.slice(-MOST_BARS);
    const highest = Math.max(1, ...bars);
    const place = new URLSearchParams([
      ["like", kind],
      ["game", game],
      ["back", "mistakes"],
    ]);
    const trained = this.goals.families.some(({ name }) => name === game.split(":")[0]);
    return h(
      "li.mistake-kind",
      { "data-kind": kind },
      h("h3", t(kind)),
      h(
        "p",
        t("mistake.count", { count: number(count), games: number(games) }),
        ` · ${t(`mistake.change_${change}`)}`,
        proved < count ? ` · ${t("mistake.by_search")}` : "",
      ),
      h(
        "div.mistake-bars",
        { role: "img", "aria-label": t("mistake.bars", { counts: bars.join(", ") }) },
        bars.map((each) => {
          const bar = h("span");
          bar.style.height = `${(100 * each) / highest}%`;
          return bar;
        }),
      ),
      h(
        "div.controls",
        trained
          ? h(
              "a.button.mistake-train",
              { href: `#/puzzles?${place}` },
              icon("search"),
              h("span", t("mistake.train")),
            )
          : null,
      ),
      h(
        "details",
        h("summary", t("mistake.places", { count: number(places.length) })),
        h("ul.mistake-places", places.map(task)),
      ),
    );
  }
}

/** The link that opens one of the person's own positions as a task. @param {MistakePlace} place */
const task = ({ id, game, updated, mistake }) =>
  h(
    "li",
    h(
      "a",
      { href: `#/review?id=${encodeURIComponent(id)}&find=1&ply=${mistake.first}` },
      t("mistake.place", {
        game: gameName(game),
        number: number(mistake.first),
        date: new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(new Date(updated)),
      }),
    ),
  );
