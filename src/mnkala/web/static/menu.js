// A small menu that opens beside its button, and closes by Escape, by a click elsewhere or by its button.

import { h } from "./dom.js";

/**
 * `label` is what the button shows; `attributes.onopen` is called when the menu opens.
 * @param {Child} label @param {Attributes & { title: string, onopen?: () => void }} options
 * @param {...Child} content
 */
export function menu(label, { title, onopen = () => {}, ...attributes }, ...content) {
  const button = h("summary", { class: "button", title }, label);
  const element = h("details", { class: "menu", ...attributes }, button, h("div", { class: "menu-body panel" }, content));
  const close = () => { element.open = false; };
  /** @param {Event} event */
  const outside = (event) => { if (!element.contains(/** @type {Node} */ (event.target))) close(); };
  /** @param {KeyboardEvent} event */
  const escape = (event) => {
    if (event.key !== "Escape") return;
    close();
    button.focus();
  };
  element.addEventListener("toggle", () => {
    document.removeEventListener("pointerdown", outside);
    if (!element.open) return;
    document.addEventListener("pointerdown", outside);
    onopen();
  });
  element.addEventListener("keydown", escape);
  return element;
}
