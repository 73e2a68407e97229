// What a person likes: a name, language, light or dark, movement, single keys. Kept in this browser only.

import { h, replace } from "./dom.js";
import { choice as choose } from "./play_computer.js";
import { signButton } from "./play_icons.js";
import { language, t } from "./words.js";

const THEME = "mnkala.theme";
const PIECES = "mnkala.pieces";
const MOTION = "mnkala.motion";
const KEYS = "mnkala.keys";

/** Make the page look as it was chosen to. */
export function applySettings() {
  const root = document.documentElement;
  const theme = localStorage.getItem(THEME);
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  else delete root.dataset.theme;
  const pieces = localStorage.getItem(PIECES);
  if (pieces) root.dataset.pieces = pieces;
  else delete root.dataset.pieces;
  const motion = localStorage.getItem(MOTION);
  if (motion) root.dataset.motion = motion;
  else delete root.dataset.motion;
}

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
 * @param {Record<string, string>} languages @param {(language: string) => Promise<void>} onLanguage
 */
export function openSettings(languages, onLanguage) {
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
    choice(
      "pieces",
      t("page.pieces"),
      [
        ["ours", t("page.pieces_ours")],
        ["classic", t("page.pieces_classic")],
      ],
      localStorage.getItem(PIECES) || "ours",
      (value) => keep(PIECES, value, "ours"),
    ),
    choice(
      "motion",
      t("page.motion"),
      [
        ["slow", t("page.motion_slow")],
        ["on", t("page.motion_usual")],
        ["fast", t("page.motion_fast")],
        ["off", t("page.off")],
      ],
      localStorage.getItem(MOTION) || "on",
      (value) => keep(MOTION, value, "on"),
    ),
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
