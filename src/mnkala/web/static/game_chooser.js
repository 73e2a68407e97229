// Choosing what is on the analysis board: the game, its size, and a row of ways to set up a position.

import { labelled, h, part, replace } from "./dom.js";
import { editButton } from "./editor.js";
import { pasteForm } from "./paste.js";
import { familyName, usualGame } from "./play_cards.js";
import { iconButton, menu } from "./play_icons.js";
import { SizeFields } from "./play_sizes.js";
import { rulesButton } from "./rules.js";
import { openDialog } from "./settings.js";
import { t } from "./words.js";

const PAUSE = 400; // milliseconds after the last key in a field

export class GameChooser {
  /** @type {string} */ shown;
  /** @type {number} */ timer;

  /**
   * `onGame(game)` and `onPaste(record)` open something; they answer a promise that fails with the reason why not. `current()` is on the board.
   * @param {{ catalogue: Catalogue, onGame: (game: string) => Promise<unknown>, onPaste: (record: RecordView) => Promise<unknown>, current: () => View, context: Context }} options
   */
  constructor({ catalogue, onGame, onPaste, current, context }) {
    this.onGame = onGame;
    this.onPaste = onPaste;
    this.current = current;
    this.context = context;
    this.catalogue = catalogue;
    this.families = h(
      "select#analysis-family",
      {
        "aria-label": t("analysis.game"),
        onchange: () => {
          this.open(usualGame(this.family(this.families.value)));
        },
      },
      catalogue.games.map(({ name }) => h("option", { value: name }, familyName(name))),
    );
    this.sizes = new SizeFields((game) => this.openSoon(game));
    this.size = h("span");
    this.field = h("input#analysis-game", {
      type: "text",
      autocomplete: "off",
      spellcheck: "false",
      onchange: () => {
        this.open(this.field.value.trim());
      },
    });
    this.error = h("p.error", { role: "alert" });
    this.sizeMenu = menu(
      [h("span.sr-only", t("page.size")), this.size],
      { id: "analysis-size", title: t("page.size") },
      this.sizes.element,
      labelled(t("page.game_string"), this.field),
      this.error,
    );
    this.tools = h(
      "div.chooser-tools#position-tools",
      { role: "group", "aria-label": t("analysis.position") },
      iconButton("copy", t("analysis.paste"), {
        id: "paste-open",
        title: t("paste.label"),
        onclick: () => this.askText(),
      }),
      (this.edit = editButton(current)),
      rulesButton(() => this.shown, context.notify),
    );
    this.element = h("div.game-chooser", this.families, this.sizeMenu, this.tools);
  }

  /** @param {string} name */
  family(name) {
    return /** @type {FamilyInfo} */ (this.catalogue.games.find((each) => each.name === name));
  }

  /** Say what is on the board. @param {View} view */
  show(view) {
    const [name, rest = ""] = view.game.split(/:(.*)/s);
    this.families.value = name;
    this.edit.hidden = !view.editor;
    replace(this.size, rest.replace(/x/g, "×").replace(/,/g, ", ") || this.usualSize(name, view));
    if (!this.sizeMenu.contains(document.activeElement) || view.game !== this.shown) {
      if (!this.sizes.element.contains(document.activeElement))
        this.sizes.show(this.family(name), view.game);
      this.field.value = view.game;
    }
    this.shown = view.game;
    this.error.textContent = "";
  }

  /** The size of a board whose game string does not tell it. @param {string} name @param {View} options */
  usualSize(name, { rows, columns }) {
    const { sizes } = this.family(name);
    return (sizes.length > 1 ? sizes : [rows, columns]).join("×");
  }

  /** @param {string} game */
  openSoon(game) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(game), PAUSE);
  }

  /** @param {string} game */
  async open(game) {
    clearTimeout(this.timer);
    await this.onGame(game).catch((error) => {
      this.error.textContent = error.message;
      this.sizeMenu.open = true;
    });
  }

  askText() {
    const form = pasteForm({
      id: "paste",
      label: t("paste.label"),
      button: t("page.open"),
      buttonId: "open-pasted",
      open: this.current,
      context: this.context,
      onRead: async (record) => {
        await this.onPaste(record);
        dialog.close();
      },
    });
    const dialog = openDialog(t("analysis.paste_title"), form, { id: "paste-dialog" });
    part(form, "textarea").focus();
  }

  close() {
    clearTimeout(this.timer);
  }
}
