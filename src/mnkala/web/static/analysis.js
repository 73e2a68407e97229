// A free board: play both sides, walk back and forth, try lines, with the analysis beside it. Its address always says what is on it.

import { api } from "./api.js";
import { Board } from "./board.js";
import { h, replace } from "./dom.js";
import { editButton } from "./editor.js";
import { pasteForm } from "./paste.js";
import { AnalysisPanel } from "./play_analysis.js";
import { sortFamilies, usualGame } from "./play_cards.js";
import { BookPanel } from "./play_book.js";
import { copyButton, iconButton } from "./play_icons.js";
import { MoveList } from "./play_moves.js";
import { familyName, gameName } from "./play_names.js";
import { moreAbout, resultText } from "./play_panels.js";
import { address, look, showLine } from "./play_positions.js";
import { t } from "./words.js";

const LAST = "mnkala.analysis";

export async function show(container, params, context) {
  const page = new AnalysisPage(container, context);
  const wanted = params.game ? params : { game: localStorage.getItem(LAST) || "connect4" };
  const opened = await page.open(wanted.game, wanted.start || null, wanted.moves || "");
  if (!opened && !params.game) await page.open("connect4", null, "");
  page.analysis.toggle(true);
  return { close: () => page.close(), keys: page.keys };
}

class AnalysisPage {
  constructor(container, context) {
    this.context = context;
    this.line = []; // all moves; `ply` of them are on the board
    this.ply = 0;
    this.build(container);
  }

  build(container) {
    const { catalogue } = this.context;
    this.analysis = new AnalysisPanel({ catalogue, onScores: () => this.draw(), onPreview: (line) => showLine(this, this.view, line), onPoint: (cells) => { this.pointed = cells; this.draw(); } });
    this.moves = new MoveList((ply) => this.goTo(ply));
    this.book = new BookPanel({
      onMove: (move) => this.play(move), onPoint: (move) => { this.hinted = move; this.draw(); }, onBack: (ply) => this.goTo(ply),
    });
    this.title = h("h1", { class: "game-title" });
    this.state = h("p", { class: "notice", role: "status", hidden: true });
    this.undo = iconButton("undo", t("play.undo"), { id: "undo", title: t("play.undo_about"), onclick: () => this.goTo(this.ply - 1) });
    this.redo = iconButton("redo", t("play.redo"), { id: "redo", title: t("play.redo_about"), onclick: () => this.goTo(this.ply + 1) });
    this.again = h("button", { type: "button", id: "from-start", onclick: () => this.open(this.view.game, this.view.start, "") }, t("page.from_start"));
    this.link = copyButton(() => location.href, t("page.link_here"), { id: "copy-link" });
    this.fromHere = h("a", { class: "button", id: "play-from-here" }, t("page.play_from_here"));
    this.toReview = h("a", { class: "button", id: "review" }, t("play.review"));
    this.more = h("details", { class: "panel more", ontoggle: () => this.drawMore() }, h("summary", null, t("play.more")), this.moreBody = h("div"));
    const place = h("div", { class: "board-place" });
    this.main = h("section", { class: "game-main analysis-main", "aria-label": t("play.board") }, this.analysis.bar, place);
    replace(container, h("div", { class: "game-page" }, this.main, h("aside", { class: "game-side", "aria-label": t("play.about_game") },
      this.title, this.state, this.analysis.element,
      h("div", { class: "controls", role: "group", "aria-label": t("play.controls") }, this.undo, this.redo, this.again),
      this.book.element, this.moves.element, this.setUp(), h("div", { class: "controls" }, editButton(() => this.view), this.link, this.fromHere, this.toReview), this.more)));
    this.board = new Board(place, { onMove: (move) => this.play(move) });
  }

  /** Another game, a record or moves to paste. */
  setUp() {
    const families = sortFamilies(this.context.catalogue.games);
    this.gameField = h("input", { id: "analysis-game", type: "text", list: "analysis-games", autocomplete: "off", spellcheck: "false", onchange: () => this.open(this.gameField.value.trim(), null, "") });
    return h("details", { class: "panel", id: "set-up" }, h("summary", null, t("page.set_up")),
      h("div", { class: "address" },
        h("div", { class: "field" }, h("label", { for: "analysis-game" }, t("page.game_string")), this.gameField,
          h("datalist", { id: "analysis-games" }, families.map((family) => h("option", { value: usualGame(family) }, familyName(family.name))))),
        pasteForm({ id: "paste", label: t("paste.label"), button: t("page.open"), buttonId: "open-pasted", open: () => this.view, onRead: ({ game, start, moves }) => this.open(game, start, moves), context: this.context })));
  }

  get keys() {
    const digits = Object.fromEntries("123456789".split("").map((digit) => [digit, () => this.board.digit(digit)]));
    const [back, forward] = [() => this.goTo(this.ply - 1), () => this.goTo(this.ply + 1)];
    return { u: back, r: forward, ArrowLeft: back, ArrowRight: forward, Home: () => this.goTo(0), End: () => this.goTo(this.line.length), a: () => this.analysis.toggle(), ...digits };
  }

  /** Put a position on the board. The moves are a text as people write it. */
  async open(game, start, moves) {
    try {
      const view = await api.post("look", { game, ...(start ? { start } : {}), ...(moves ? { moves } : {}) });
      this.line = [...view.played];
      this.take(view);
      localStorage.setItem(LAST, view.game);
      return true;
    } catch (error) {
      this.context.notify(error);
      return false;
    }
  }

  async play(move) {
    const moves = [...this.view.played, move];
    const view = await this.see(moves);
    if (!view) return;
    if (this.line.slice(0, moves.length).join() !== moves.join()) this.line = moves;
    this.take(view, true);
    this.context.announce(t("play.said_move", { player: view.players[view.movers.at(-1)], move }));
  }

  async goTo(ply) {
    const to = Math.max(0, Math.min(this.line.length, ply));
    if (to === this.ply) return;
    const view = await this.see(this.line.slice(0, to));
    if (view) this.take(view, to === this.ply + 1);
  }

  see(moves) {
    return look(this.view.game, this.view.start, moves).catch((error) => this.context.notify(error));
  }

  take(view, animate = false) {
    this.view = view;
    this.ply = view.played.length;
    this.preview = null;
    this.pointed = [];
    this.hinted = null;
    history.replaceState(null, "", address("analysis", view));
    this.analysis.setView(view);
    this.book.setView(view);
    this.draw(animate);
    this.drawSide();
  }

  draw(animate = false) {
    if (!this.view) return;
    const shown = this.preview || this.view;
    this.board.show(shown, { annotations: this.analysis.annotations, preview: Boolean(this.preview), cells: this.preview ? [] : this.pointed || [], hint: this.preview ? null : this.hinted, animate, interactive: !this.preview });
    this.board.fit(this.main);
  }

  async drawSide() {
    const { view } = this;
    const name = gameName(view.game);
    this.title.textContent = name;
    this.context.title(`${t("page.analysis_title")}: ${name}`);
    this.gameField.value = view.game;
    this.state.hidden = !view.over;
    if (view.over) this.state.textContent = resultText({ result: view.result, yours: [true, true], players: [{ human: true }, { human: true }], open_seat: null, linked: false });
    this.undo.disabled = this.ply === 0;
    this.redo.disabled = this.ply >= this.line.length;
    this.fromHere.href = address("", view);
    this.toReview.href = address("review", { ...view, played: this.line });
    this.toReview.hidden = !this.line.length;
    this.drawMore();
    const whole = await look(view.game, view.start, this.line).catch(() => view);
    if (view === this.view) this.moves.show(whole.played, whole.movers, this.ply);
  }

  drawMore() {
    if (this.more.open) replace(this.moreBody, moreAbout(this.view, null, this.context));
  }

  close() {
    this.analysis.close();
    this.board.close();
  }
}
