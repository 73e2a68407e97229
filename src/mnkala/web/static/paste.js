// One field for a game in any form: moves, a game and its moves, a record, a position, an address; typed, pasted, dropped or from a file.

import { api, statusOf, told } from "./api.js";
import { h } from "./dom.js";
import { t } from "./words.js";

const EXAMPLE = 5; // moves
const LARGEST = 40_000; // characters that the server reads

/**
 * A form whose game goes to `onRead(record)`. `open()` gives the view of the game that is open, of which bare moves are; `id` names the field.
 * @param {{ id: string, label: string, button: string, buttonId?: string, open?: () => View | null | undefined, onRead: (record: RecordView) => Promise<unknown>, context: Context }} options
 */
export function pasteForm({
  id,
  label,
  button,
  buttonId = `${id}-open`,
  open = () => null,
  onRead,
  context,
}) {
  const [game, moves] = context.catalogue.games[0].sample;
  const field = h("textarea", {
    id,
    rows: "2",
    spellcheck: "false",
    autocapitalize: "off",
    placeholder: `${game} ${moves.slice(0, EXAMPLE).join(" ")}`,
    "aria-describedby": `${id}-about`,
    onkeydown: (event) => {
      if (event.key !== "Enter" || event.shiftKey) return;
      event.preventDefault();
      read();
    },
  });
  const error = h("p.error", { id: `${id}-error`, role: "alert" });
  const read = async () => {
    const text = field.value.trim();
    error.textContent = "";
    if (!text) {
      field.focus();
      return;
    }
    try {
      const view = open();
      const record = await api.post("record", { text, game: view?.game, start: view?.start });
      await onRead(record);
      if (record.games > 1) context.notify(t("paste.several", { games: record.games }));
      if (view && view.game !== record.game)
        context.notify(t("paste.read_as", { game: record.game }));
    } catch (problem) {
      if (statusOf(problem) === undefined) throw problem;
      error.textContent = told(problem);
    }
  };
  /** @param {File | undefined} file */
  const take = async (file) => {
    if (!file) return;
    if (file.size > LARGEST) {
      error.textContent = t("paste.too_large", { file: file.name, most: LARGEST });
      return;
    }
    field.value = await file.text();
    read();
  };
  const chooser = h("input", {
    type: "file",
    id: `${id}-file`,
    class: "sr-only",
    tabindex: "-1",
    "aria-label": t("paste.file"),
    accept: ".txt,.sgf,.psq,text/plain",
    onchange: () => {
      take(chooser.files?.[0]);
      chooser.value = "";
    },
  });
  return h(
    "form.paste",
    {
      onsubmit: (event) => {
        event.preventDefault();
        read();
      },
      ondragover: (event) => {
        if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
      },
      ondrop: (event) => {
        if (!event.dataTransfer?.files.length) return;
        event.preventDefault();
        take(event.dataTransfer.files[0]);
      },
    },
    h(
      "div.field",
      h("label", { for: id }, label),
      field,
      h("p.help", { id: `${id}-about` }, t("paste.about")),
      error,
    ),
    h(
      "div.controls",
      h("button.primary", { type: "submit", id: buttonId }, button),
      h("button", { onclick: () => chooser.click() }, t("paste.file")),
      chooser,
    ),
  );
}
