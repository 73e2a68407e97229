// What a person wants to be called: kept in this browser, sent with new games and invitations.

import { h } from "./dom.js";
import { t } from "./words.js";

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
  const field = h("input", { id, type: "text", maxlength: String(LONGEST), autocomplete: id === "nickname" ? "nickname" : "off", placeholder: t("others.name_example"), value: value || "", onchange: () => { set(field.value); } });
  return h("div", { class: "field name-field" }, h("label", { for: id }, label), field);
}
