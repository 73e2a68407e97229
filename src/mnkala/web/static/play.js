// The page of a game: board, players, moves, hint, analysis. It shows what the server says of the game and asks it for changes; it
// knows no rules.

import { api, live, statusOf, told } from "./api.js";
import { Board } from "./board.js";
import { h, last, part, redraw, replace } from "./dom.js";
import { motionOff } from "./motion.js";
import { AnalysisPanel } from "./play_analysis.js";
import { gameName } from "./play_cards.js";
import { noteResult } from "./play_computer.js";
import { Controls } from "./play_controls.js";
import { MoveList } from "./play_moves.js";
import { Invitation } from "./play_invitation.js";
import { HintPanel, lastAnswer, moreAbout, resultBanner, resultText } from "./play_panels.js";
import { Plates, readerOf, seatName } from "./play_plates.js";
import { look, remember, showLine } from "./play_positions.js";
import { OpeningPanel, openingText, putsStones } from "./play_opening.js";
import { helpButtons } from "./rules.js";
import { named } from "./scores.js";
import { nameField, nickname, setNickname } from "./settings.js";
import { problemText, t } from "./words.js";

const NOT_SAVED = [503, 507]; // the file of games is locked, or the disk is full: the game stands as it was

/** @type {Show} */
export const show = async (container, params, context) => {
  let { id = "" } = params;
  if (params.invitation) {
    try {
      const joined = await api.post(`games/${id}/join`, {
        invitation: params.invitation,
        nickname: nickname(),
      });
      id = joined.id;
    } catch (error) {
      const game = await api.get(`games/${encodeURIComponent(id)}`).catch(() => null);
      if (!game) throw error;
      if (!game.yours[0] && !game.yours[1]) return offerToWatch(container, game, error);
    }
    history.replaceState(null, "", `#/game/${id}`); // the secret leaves the address
  }
  const game = await api.get(`games/${encodeURIComponent(id)}`);
  const page = new GamePage(container, game, context);
  return { close: () => page.close(), keys: page.keys };
};

/** The invitation cannot be used any more, but the game can be watched. @param {HTMLElement} container @param {Game} game @param {unknown} error */
function offerToWatch(container, game, error) {
  replace(
    container,
    h(
      "div.problem",
      h("h1", t("others.used")),
      h("p", told(error)),
      h(
        "p",
        h("a.button.primary#watch-game", { href: `#/game/${game.id}` }, t("others.watch")),
        " ",
        h("a.button", { href: "#/" }, t("play.new_game")),
      ),
    ),
  );
  return { close() {} };
}

class GamePage {
  /** @type {Game} */ game;
  /** @type {View | null} */ past;
  /** @type {number | null} */ looking;
  /** @type {View | null} */ preview;
  /** @type {Hand | null} */ hand;
  /** @type {Cell[] | null} */ pointed;
  /** @type {string | null} */ unsaved;
  /** @type {string} */ declined;
  /** @type {string | null} */ catching;
  /** @type {number | null} */ shownPly;
  /** @type {boolean} */ wantsRematch;
  /** @type {boolean} */ helped;
  /** @type {boolean} */ busy;
  /** @type {number | null} */ openSeat;

  /** @param {HTMLElement} container @param {Game} game @param {Context} context */
  constructor(container, game, context) {
    this.context = context;
    this.looking = null; // ply of an earlier position that is looked at, or null
    this.preview = null; // View of a line of the analysis that is pointed at
    const { catalogue } = context;
    this.plates = new Plates();
    this.analysis = new AnalysisPanel({
      catalogue,
      kept: [sessionStorage, `mnkala.analysis.${game.id}`],
      onScores: () => {
        this.draw();
        if (this.analysis.helps) this.noteHelp();
      },
      onPreview: (...where) => showLine(this, this.past || this.game.view, ...where),
      onPoint: (cells) => {
        this.pointed = cells;
        this.draw();
      },
    });
    this.moves = new MoveList((ply) => this.lookAt(ply));
    this.hint = new HintPanel(
      (cells) => {
        this.pointed = cells;
        this.draw();
      },
      (moves) => this.analysis.preview.walk(moves),
    );
    this.controls = new Controls({
      act: (action, more) => this.act(action, more),
      hint: () => this.askHint(),
      rematch: () => this.rematch(),
    });
    this.title = h("h1.game-title");
    this.status = h("div.game-status");
    this.looked = h("div.looking", { hidden: true });
    this.opening = new OpeningPanel((choice) => this.play(choice));
    this.invitation = new Invitation(this.context);
    this.named = h("div");
    this.answer = h("div");
    this.more = h(
      "details.panel.more",
      { ontoggle: () => this.drawMore() },
      h("summary", t("play.more")),
      (this.moreBody = h("div")),
    );
    const place = h("div.board-place", this.analysis.previewBar);
    this.main = h(
      "section.game-main",
      { "aria-label": t("play.board") },
      this.plates.above,
      this.analysis.bar,
      place,
      this.plates.below,
      this.looked,
    );
    const side = h(
      "aside.game-side",
      { "aria-label": t("play.about_game") },
      this.title,
      helpButtons(() => this.game.view, this.context.notify),
      this.status,
      this.opening.element,
      this.named,
      this.invitation.element,
      this.controls.element,
      this.hint.element,
      this.analysis.element,
      this.moves.element,
      this.answer,
      this.more,
    );
    this.board = new Board(place, { onMove: (move) => this.play(move) });
    replace(container, h("div.game-page", this.main, side));
    this.take(game);
    live.keep(`follow-${game.id}`, { type: "follow", game: game.id });
    const renamed = () => this.rename();
    addEventListener("nickname", renamed);
    this.ends = [
      live.on("game", (message) => message.game.id === game.id && this.take(message.game)),
      () => removeEventListener("nickname", renamed),
    ];
  }

  get keys() {
    /** @param {string} id */
    const press = (id) => () => {
      const button = document.getElementById(id);
      button?.click();
      return Boolean(button);
    };
    return {
      h: press("hint"),
      u: press("undo"),
      r: press("redo"),
      a: () => {
        if (!this.analysis.element.hidden) this.analysis.toggle();
      },
      v: () => !this.analysis.element.hidden && this.analysis.threats.toggleByKey(),
      ArrowLeft: () => this.moves.walk(this.moves.ply - 1),
      ArrowRight: () => this.moves.walk(this.moves.ply + 1),
      Home: () => this.moves.walk(0),
      End: () => this.moves.walk(this.moves.total),
      " ": press("pause"),
      ...this.board.digits,
    };
  }

  // ---- What the server says ----

  /** @param {Game} game */
  take(game) {
    const before = this.game;
    if (before && before.id === game.id && game.revision < before.revision) return;
    this.unsaved = null;
    this.game = { ...game, invitation: game.invitation || before?.invitation };
    const { view } = game;
    remember(view);
    const moved = before && before.view.played.join() !== view.played.join();
    if (moved || game.over || game.draw_asked !== null) this.declined = "";
    else if (before && before.draw_asked !== null && game.yours[before.draw_asked]) {
      const seat = 1 - before.draw_asked;
      this.declined = t(
        game.players[seat].human ? "play.draw_declined" : "play.draw_declined_ahead",
        { player: seatName(game, seat) },
      );
    }
    const grown = moved && view.played.length === before.view.played.length + 1;
    if (moved || !before) this.hint.clear();
    if (before && !before.over && game.over) noteResult(game);
    if (moved) {
      this.pointed = null;
      this.analysis.preview.end();
    }
    if (moved && this.looking !== null && this.looking >= view.played.length) this.looking = null;
    if (grown) this.say(before, game);
    else if (before && game.over && !before.over) this.context.announce(resultText(game));
    else if (before && openingText(before) !== openingText(game))
      this.context.announce(
        openingText(game) ||
          t(readerOf(game) === game.mover ? "play.you_have_side" : "play.has_side", {
            player: seatName(game, game.mover),
            mark: game.view.players[game.mover],
          }),
      );
    else if (before) this.sayWhoIsThere(before, game);
    if (
      moved &&
      view.played.length > before.view.played.length &&
      view.played.join().startsWith(before.view.played.join())
    )
      this.catchUp(before.view.played.length);
    else this.draw();
    this.drawSide();
    if (game.rematch && this.wantsRematch) this.context.navigate(`#/game/${game.rematch}`);
  }

  /** @param {Game} before @param {Game} game */
  say(before, game) {
    const words = [
      t("play.said_move", {
        player: seatName(before, before.mover),
        move: named([last(game.view.played)], game.view),
      }),
    ];
    if (game.over) words.push(resultText(game));
    else if (game.yours[game.mover] && game.yours[0] !== game.yours[1])
      words.push(t("play.your_turn"));
    this.context.announce(words.join(" "));
  }

  /** Somebody has left, or is back. @param {Game} before @param {Game} game */
  sayWhoIsThere(before, game) {
    for (const seat of [0, 1]) {
      if (
        game.yours[seat] ||
        before.present[seat] === null ||
        before.present[seat] === game.present[seat]
      )
        continue;
      this.context.announce(
        t(game.present[seat] ? "others.back" : "others.left", { player: seatName(game, seat) }),
      );
    }
  }

  /** Show the moves since a ply one after the other: each waits until the one before has landed. @param {number} ply */
  async catchUp(ply) {
    const { view } = this.game;
    const now = view.played.join();
    const from = this.shownPly ?? ply;
    const moves = motionOff() ? [] : view.played.slice(from, -1);
    this.catching = now;
    this.shownPly = from;
    const passed = moves.length
      ? await Promise.all(
          moves.map((_, i) => look(view.game, view.start, view.played.slice(0, from + i + 1))),
        ).catch(() => [])
      : [];
    for (const position of [...passed, view]) {
      const rest = this.board.rest();
      if (rest) await rest;
      if (this.catching !== now) return;
      if (position !== view && this.shown === view) this.board.pass(position);
      this.shownPly += 1;
    }
    this.draw(true);
  }

  // ---- Drawing ----

  /** The position on the board: the game's, an earlier one or one of a line. */
  get shown() {
    return this.preview || this.past || this.game.view;
  }

  draw(animate = false) {
    if (!this.game || (!animate && this.catching === this.game.view.played.join())) return; // moves are still on their way
    this.catching = this.shownPly = null;
    const { game } = this;
    const now = this.shown === game.view;
    if (!this.preview) this.analysis.setView(this.shown);
    const hinted = now && this.hint.path ? [this.hint.path] : null;
    const annotations = this.analysis.annotations;
    this.board.show(this.shown, {
      annotations: hinted
        ? [...(annotations ?? []).filter(({ path }) => !path), ...hinted]
        : annotations,
      preview: Boolean(this.preview),
      hand: this.hand,
      hint: now ? this.hint.move : null,
      cells: now ? this.pointed || [] : [],
      animate: animate && now,
      interactive: now && game.can.move && putsStones(game),
      yours: game.yours,
    });
    this.board.fit(this.main);
    this.main.classList.toggle("is-past", !now);
  }

  drawSide() {
    const { game } = this;
    const name = gameName(game.view.game);
    this.title.textContent = name;
    const mine = !game.over && game.yours[game.mover] && game.yours[0] !== game.yours[1];
    this.context.title(mine ? `${t("play.your_turn")} ${name}` : name);
    this.plates.show(game);
    this.controls.show(game);
    this.opening.show(game);
    const other = seatName(game, game.yours[0] ? 1 : 0);
    replace(
      this.status,
      game.over ? resultBanner(game) : null,
      game.trouble ? h("p.notice.bad", { role: "alert" }, problemText(game.trouble)) : null,
      this.unsaved
        ? h("p.notice.bad#unsaved", { role: "alert" }, t("play.not_saved", { why: this.unsaved }))
        : null,
      this.question("undo", game.undo_asked, "decline"),
      this.question("draw", game.draw_asked, "decline_draw"),
      this.declined ? h("p.notice#declined", { role: "status" }, this.declined) : null,
      game.rematch && !this.wantsRematch
        ? h(
            "div.notice",
            h(
              "a.button.primary#go-rematch",
              { href: `#/game/${game.rematch}` },
              t("play.rematch_ready", { player: other }),
            ),
          )
        : null,
    );
    if (typeof this.openSeat === "number" && game.open_seat === null && !game.over)
      this.context.announce(t("play.joined", { player: other }));
    this.openSeat = game.open_seat;
    this.invitation.show(game);
    this.askName();
    replace(this.answer, lastAnswer(game));
    const fair = !game.linked || game.over || !(game.yours[0] || game.yours[1]);
    this.analysis.element.hidden = !fair;
    if (!fair && this.analysis.on) this.analysis.toggle(false);
    if (fair && this.analysis.helps) this.noteHelp();
    this.drawMoves();
    this.drawMore();
  }

  /**
   * What the other player asks, with its two answers; or what I have asked.
   * @param {"undo" | "draw"} what @param {number | null} asked the seat that asks @param {Action["action"]} decline
   */
  question(what, asked, decline) {
    const { game } = this;
    if (asked === null) return null;
    const player = seatName(game, game.yours[asked] ? 1 - asked : asked);
    if (game.yours[asked]) {
      const waits = game.players[1 - asked].human ? `play.${what}_waits` : "play.draw_thinks";
      return h("p.notice", { role: "status" }, t(waits, { player }));
    }
    if (!game.yours[1 - asked]) return null;
    return h(
      "div.notice",
      { role: "status" },
      h("span", t(`play.${what}_asked`, { player })),
      h("button.primary", { id: `agree-${what}`, onclick: () => this.act(what) }, t("play.agree")),
      h("button", { id: `decline-${what}`, onclick: () => this.act(decline) }, t("play.decline")),
    );
  }

  /** The seat that is mine alone, in a game with somebody elsewhere. */
  get mySeat() {
    const { linked, yours } = this.game;
    return linked && yours[0] !== yours[1] ? yours.indexOf(true) : null;
  }

  /** Whoever has come by a link without a name may give one. */
  askName() {
    const asked =
      this.mySeat !== null && !this.game.over && !this.game.players[this.mySeat].nickname;
    if (!asked) replace(this.named);
    else if (!this.named.firstChild) {
      const field = nameField("my-name", t("others.your_name"), nickname(), () => {});
      /** @param {Event} event */
      const give = (event) => {
        event.preventDefault();
        setNickname(part(field, "input").value);
        this.rename();
      };
      replace(
        this.named,
        h(
          "form.panel.name-form",
          { onsubmit: give },
          field,
          h("button#give-name", { type: "submit" }, t("others.give_name")),
        ),
      );
    }
  }

  /** Be called in this game as everywhere. */
  rename() {
    if (this.mySeat !== null && this.game.players[this.mySeat].nickname !== nickname())
      this.act("rename", { nickname: nickname() });
  }

  drawMoves() {
    const { played, movers } = this.game.view;
    const ply = this.looking ?? played.length;
    this.moves.show(played, movers, ply);
    this.looked.hidden = this.looking === null;
    if (this.looking !== null) {
      replace(
        this.looked,
        h("span", t("play.looking", { ply, total: played.length })),
        h(
          "button.primary#back-to-game",
          { onclick: () => this.lookAt(played.length) },
          t("play.back_to_game"),
        ),
      );
    }
  }

  drawMore() {
    if (this.more.open)
      redraw(this.moreBody, () =>
        replace(
          this.moreBody,
          moreAbout(this.shown, this.game, this.context, () => this.noteHelp()),
        ),
      );
  }

  /** The player looks at what engines think of the game: it will not count for the player's rating. */
  noteHelp() {
    const { game } = this;
    const alone = game.yours[0] !== game.yours[1] && !game.linked;
    if (!alone || game.over || !game.unaided || this.helped) return;
    this.helped = true;
    this.ask(() => api.post(`games/${game.id}/actions`, { action: "helped" })).then((noted) => {
      this.helped = Boolean(noted);
    });
  }

  // ---- Looking without playing ----

  /** @param {number} ply */
  async lookAt(ply) {
    const { game, start, played } = this.game.view;
    this.preview = null;
    if (ply >= played.length) {
      this.looking = null;
      this.past = null;
    } else {
      this.looking = ply;
      const view = await look(game, start, played.slice(0, ply)).catch(this.context.notify);
      if (!view || this.looking !== ply) return;
      this.past = view;
    }
    this.draw();
    this.drawMoves();
    this.drawMore();
  }

  // ---- Asking the server ----

  /** @param {string} move */
  async play(move) {
    if (this.busy) return;
    this.busy = true;
    await this.ask(() => api.post(`games/${this.game.id}/moves`, { move, turn: this.game.turn }));
    this.busy = false;
  }

  /** @param {Action["action"]} action @param {Omit<Action, "action">} [more] */
  async act(action, more = {}) {
    if (this.looking !== null) await this.lookAt(Infinity);
    await this.ask(() => api.post(`games/${this.game.id}/actions`, { action, ...more }));
  }

  /** @param {() => Promise<Game>} request */
  async ask(request) {
    try {
      const game = await request();
      if (game?.view) this.take(game);
      return game;
    } catch (error) {
      if (NOT_SAVED.includes(statusOf(error) ?? 0)) {
        this.unsaved = told(error); // until the server has news of the game
        this.drawSide();
        return null;
      }
      this.context.notify(error);
      if (statusOf(error) === 409) this.take(await api.get(`games/${this.game.id}`));
      return null;
    }
  }

  async askHint() {
    if (this.looking !== null) await this.lookAt(Infinity);
    const asked = this.game.view.played.join();
    this.hint.wait();
    try {
      const hint = await api.post(`games/${this.game.id}/hint`);
      if (this.game.view.played.join() !== asked) return; // the game went on meanwhile
      this.hint.show(hint, this.game.view);
      this.context.announce(this.hint.text);
    } catch (error) {
      this.hint.clear();
      this.context.notify(error);
    }
    this.draw();
  }

  async rematch() {
    this.wantsRematch = true;
    const game = await this.ask(() =>
      api.post(`games/${this.game.id}/actions`, { action: "rematch" }),
    );
    const next = game && (game.rematch || (game.id !== this.game.id && game.id));
    if (next) this.context.navigate(`#/game/${next}`);
  }

  close() {
    for (const end of this.ends) end();
    live.forget(`follow-${this.game.id}`, { type: "unfollow", game: this.game.id });
    this.plates.close();
    this.invitation.forget();
    this.analysis.close();
    this.board.close();
  }
}
