// What a person likes: a name, language, light or dark, movement, single keys. Kept in this browser only.

import { disc } from "./board_marks.js";
import { h, replace, s } from "./dom.js";
import { choice as choose } from "./play_computer.js";
import { NetworkPanel } from "./play_invitation.js";
import { signButton } from "./play_icons.js";
import { language, t } from "./words.js";

const THEME = "mnkala.theme";
const LOOKS = ["pieces", "board", "numbers", "motion"]; // each a key of this browser and an attribute of the page
const KEYS = "mnkala.keys";

/** Make the page look as it was chosen to. */
export function applySettings() {
  const root = document.documentElement;
  const theme = localStorage.getItem(THEME);
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  else delete root.dataset.theme;
  for (const look of LOOKS) {
    const chosen = localStorage.getItem(`mnkala.${look}`);
    if (chosen) root.dataset[look] = chosen;
    else delete root.dataset[look];
  }
}

/**
 * The choice of one look of the page, whose first option is the usual one.
 * @param {string} look @param {Child[][]} options
 */
function lookChoice(look, options) {
  const name = `mnkala.${look}`;
  const usual = String(options[0][0]);
  return choice(look, t(`page.${look}`), options, localStorage.getItem(name) || usual, (value) =>
    keep(name, value, usual),
  );
}

/** A piece of a board in the colours of an option. @param {Attributes} look @param {string} text */
const sampled = (look, text) => [
  s(
    "svg.sample",
    { viewBox: "0 0 104 60", "aria-hidden": "true", ...look },
    s("rect.front", { width: 52, height: 60 }),
    s("rect.wood", { x: 52, width: 52, height: 60 }),
    s("path.wood-lines", { d: "M52 30H104M78 0V60" }),
    s("circle.holes", { cx: 26, cy: 30, r: 22 }),
    s("g", { transform: "translate(26 30)" }, disc(1, 20)),
    s("g", { transform: "translate(78 30)" }, disc(2, 20)),
  ),
  text,
];

/** Whether single letters are shortcuts. */
export const keysOn = () => localStorage.getItem(KEYS) !== "off";

/** @type {typeof choose} */
const choice = (name, ...rest) => choose(`setting-${name}`, ...rest);

/** @param {string} name @param {string} value @param {string} usual */
function keep(name, value, usual) {
  if (value === usual) localStorage.removeItem(name);
  else localStorage.setItem(name, value);
  applySettings();
}

/**
 * A dialog in the middle of the page; Escape, its button or another page closes it.
 * @param {string} title @param {Child} content @param {Attributes} [attributes]
 */
export function openDialog(title, content, attributes = {}) {
  const dialog = h(
    "dialog.dialog",
    { "aria-labelledby": "dialog-title", ...attributes },
    h(
      "div.dialog-head",
      h("h2#dialog-title", title),
      signButton("close", t("page.close"), {
        onclick: () => {
          dialog.close();
        },
      }),
    ),
    content,
  );
  const leave = () => dialog.close();
  addEventListener("hashchange", leave);
  dialog.addEventListener("close", () => {
    removeEventListener("hashchange", leave);
    dialog.remove();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * The settings. `onLanguage(language)` draws the page again in another language.
 * @param {Context} context @param {(language: string) => Promise<void>} onLanguage
 */
export function openSettings(context, onLanguage) {
  const { languages } = context.catalogue;
  const body = h("div.settings");
  replace(
    body,
    nameField("nickname", t("others.your_name"), nickname(), setNickname),
    choice("language", t("page.language"), Object.entries(languages), language, async (wanted) => {
      await onLanguage(wanted);
      dialog.close();
      document.getElementById("settings")?.focus();
    }),
    choice(
      "theme",
      t("page.theme"),
      [
        ["system", t("page.theme_system")],
        ["light", t("page.theme_light")],
        ["dark", t("page.theme_dark")],
      ],
      localStorage.getItem(THEME) || "system",
      (value) => keep(THEME, value, "system"),
    ),
    lookChoice(
      "pieces",
      ["ours", "classic"].map((name) => [
        name,
        sampled({ "data-pieces": name }, t(`page.pieces_${name}`)),
      ]),
    ),
    lookChoice(
      "board",
      ["ours", "wood", "slate", "contrast"].map((name) => [
        name,
        sampled({ "data-board": name }, t(`page.board_${name}`)),
      ]),
    ),
    lookChoice("numbers", [
      ["review", t("page.numbers_review")],
      ["on", t("page.numbers_on")],
      ["off", t("page.off")],
    ]),
    lookChoice("motion", [
      ["on", t("page.motion_usual")],
      ["slow", t("page.motion_slow")],
      ["fast", t("page.motion_fast")],
      ["off", t("page.off")],
    ]),
    choice(
      "keys",
      t("page.single_keys"),
      [
        ["on", t("page.on")],
        ["off", t("page.off")],
      ],
      localStorage.getItem(KEYS) || "on",
      (value) => keep(KEYS, value, "on"),
    ),
    h("fieldset.choice", h("legend", t("others.network")), new NetworkPanel(context).element),
  );
  const dialog = openDialog(t("page.settings"), body, { id: "settings-dialog" });
}

// What a person wants to be called: kept in this browser, sent with new games and invitations.

const KEPT = "mnkala.nickname";
const LONGEST = 24; // as in play/nicknames.py

/** The name that was given, or null. */
export const nickname = () => localStorage.getItem(KEPT) || null;

/** Remember a name; open games hear of it. @param {string} text */
export function setNickname(text) {
  const name = text.trim().replace(/\s+/g, " ").slice(0, LONGEST);
  if (name === (nickname() || "")) return;
  if (name) localStorage.setItem(KEPT, name);
  else localStorage.removeItem(KEPT);
  dispatchEvent(new Event("nickname"));
}

/**
 * A field for a name: its label and its input.
 * @param {string} id @param {string} label @param {string | null | undefined} value
 * @param {(name: string) => void} set
 */
export function nameField(id, label, value, set) {
  const field = h("input", {
    id,
    type: "text",
    maxlength: String(LONGEST),
    autocomplete: id === "nickname" ? "nickname" : "off",
    placeholder: t("others.name_example"),
    value: value || "",
    onchange: () => {
      set(field.value);
    },
  });
  return h("div.field.name-field", h("label", { for: id }, label), field);
}
