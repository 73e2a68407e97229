// The icons of the page, drawn by hand as strokes on a field of 24 by 24, and the buttons that wear them.

import { h, s } from "./dom.js";
import { t } from "./words.js";

export const PATHS = {
  undo: "M9 5 4 10l5 5M4 10h10a6 6 0 0 1 0 12h-3",
  redo: "m15 5 5 5-5 5M20 10H10a6 6 0 0 0 0 12h3",
  hint: "M9 18h6M10 22h4M12 2a7 7 0 0 0-4 12.7c.7.6 1 1.3 1 2.3h6c0-1 .3-1.7 1-2.3A7 7 0 0 0 12 2Z",
  draw: "M4 9h16M4 15h16",
  resign: "M5 22V3M5 4h13l-3 4 3 4H5",
  rematch: "M20 11a8 8 0 1 0-2.3 6.3M20 4v7h-7",
  pause: "M8 5v14M16 5v14",
  play: "M7 4v16l13-8Z",
  step: "M6 5v14l10-7ZM19 5v14",
  copy: "M9 9h11v12H9ZM5 15H4V3h12v2",
  plus: "M12 5v14M5 12h14",
  chart: "M4 20V4M4 20h16M8 16l4-5 3 3 5-7",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM16 16l5 5",
  tree: "M12 3v5M12 8 6 13M12 8l6 5M6 13v4M18 13v4M12 8v9",
  gear: "M12 15.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4ZM12 2.5v3M12 18.5v3M2.5 12h3M18.5 12h3M5.3 5.3l2.1 2.1M16.6 16.6l2.1 2.1M5.3 18.7l2.1-2.1M16.6 7.4l2.1-2.1",
  help: "M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 1.9v.3M12 17.6v.1M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20Z",
  rules: "M6 3h9l4 4v14H6ZM9.500 11h6M9.500 15h6M9.500 7h2",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6M14 11v6",
  first: "M18 5l-8 7 8 7M6 5v14",
  last: "m6 5 8 7-8 7M18 5v14",
  back: "m15 5-8 7 8 7",
  forward: "m9 5 8 7-8 7",
  up: "m5 15 7-8 7 8",
  down: "m5 9 7 8 7-8",
  download: "M12 3v12M7 11l5 5 5-5M4 21h16",
  link: "M10 14a4 4 0 0 0 6 0l4-4a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-4 4a4 4 0 0 0 6 6l1-1",
  book: "M12 6c-2-2-5-2.500-9-2.500V19c4 0 7 .5 9 2.500 2-2 5-2.500 9-2.500V3.500c-4 0-7 .5-9 2.500ZM12 6v15.500",
  close: "M5 5l14 14M19 5 5 19",
  phone: "M7 2h10v20H7ZM11 18.500h2",
  skip: "m5 5 7 7-7 7M13 5l7 7-7 7",
  target: "M12 2v5M12 17v5M2 12h5M17 12h5M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z",
  fit: "M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5",
  grid: "M4 4h16v16H4ZM4 9.3h16M4 14.7h16M9.3 4v16M14.7 4v16",
  sound: "M4 9v6h4l5 4V5L8 9ZM16.500 9a4.500 4.500 0 0 1 0 6M19 6.500a8 8 0 0 1 0 11",
  mute: "M4 9v6h4l5 4V5L8 9ZM17 9.500l5 5M22 9.500l-5 5",
  upload: "M12 16V4M7 9l5-5 5 5M4 21h16",
};

/** @param {Icon} name */
export function icon(name) {
  return s(
    "svg.icon-picture",
    { viewBox: "0 0 24 24", "aria-hidden": "true" },
    s("path", { d: PATHS[name] }),
  );
}

/** A button that wears an icon alone; its text is its name. @param {Icon} name @param {string} text @param {Attributes} [attributes] */
export const signButton = (name, text, attributes = {}) =>
  h("button.icon", { title: text, "aria-label": text, ...attributes }, icon(name));

/**
 * A button with an icon and a text; `attributes.id` and so on go to the button.
 * @param {Icon} name @param {string} text @param {Attributes} [attributes]
 */
export function iconButton(name, text, attributes = {}) {
  return h("button", { ...attributes }, icon(name), h("span", text));
}

/**
 * A button that asks once more before it does something that cannot be taken back. Neither a double-click nor a key that is held down is
 * an answer to the question.
 * @param {Icon} name @param {string} text @param {string | (() => string)} sure @param {Attributes} attributes
 * @param {() => unknown} action
 */
export function sureButton(name, text, sure, attributes, action) {
  const label = h("span", text);
  let timer = 0;
  const calm = () => {
    timer = 0;
    label.textContent = text;
    button.classList.remove("sure");
  };
  const button = h(
    "button",
    {
      ...attributes,
      onkeydown: (event) => {
        if (event.repeat) event.preventDefault();
      },
      onclick: (event) => {
        if (event.detail > 1) return;
        if (timer) {
          clearTimeout(timer);
          calm();
          action();
          return;
        }
        label.textContent = typeof sure === "function" ? sure() : sure;
        button.classList.add("sure");
        timer = setTimeout(calm, 4000);
      },
    },
    icon(name),
    label,
  );
  return button;
}

/** Copy a text and say so on the button for a moment. @param {string | (() => string)} text @param {string} label */
export function copyButton(text, label, attributes = {}) {
  const words = h("span", label);
  /** @param {boolean} said */
  const say = (said) => {
    words.textContent = said ? t("play.copied") : label;
    button.classList.toggle("copied", said);
  };
  const button = h(
    "button",
    {
      ...attributes,
      onclick: async () => {
        await copy(typeof text === "function" ? text() : text);
        say(true);
        setTimeout(say, 1600, false);
      },
    },
    icon("copy"),
    words,
  );
  return button;
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // no permission, or not a secure page: the old way
    const field = h("textarea.sr-only");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
}

// A small menu that opens beside its button, and closes by Escape, by a click elsewhere or by its button.

/**
 * `label` is what the button shows; `attributes.onopen` is called when the menu opens.
 * @param {Child} label @param {Attributes & { title: string, onopen?: () => void }} options
 * @param {...Child} content
 */
export function menu(label, { title, onopen = () => {}, ...attributes }, ...content) {
  const button = h("summary.button", { title }, label);
  const element = h("details.menu", { ...attributes }, button, h("div.menu-body.panel", content));
  const close = () => {
    element.open = false;
  };
  /** @param {Event} event */
  const outside = (event) => {
    if (!element.contains(/** @type {Node} */ (event.target))) close();
  };
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
