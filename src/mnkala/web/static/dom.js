// Small helpers to build HTML and SVG without a framework. Texts go in as text nodes, never as markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Build an element of a sign, "button.primary#start": its tag, its classes and its id. The first of `rest` may be its attributes, the others are
 * its children.
 * @template {HTMLElement | SVGElement} E
 * @param {(tag: string) => E} make @param {string} sign @param {unknown[]} rest
 */
function build(make, sign, rest) {
  const [names, id] = sign.split("#");
  const [tag, ...classes] = names.split(".");
  const element = make(tag);
  if (tag === "button") element.setAttribute("type", "button"); // one that submits says so
  if (classes.length) element.setAttribute("class", classes.join(" "));
  if (id) element.id = id;
  const attributes = rest[0]?.constructor === Object ? /** @type {Attributes} */ (rest[0]) : {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function")
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === "css")
      for (const [property, text] of Object.entries(attributes.css ?? {}))
        element.style.setProperty(property, text);
    else if (name in element && !(element instanceof SVGElement) && typeof value !== "string")
      Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...shown(rest[0] === attributes ? rest.slice(1) : rest));
  return element;
}

/** The nodes and texts among children. @param {readonly unknown[]} children @returns {(Node | string)[]} */
const shown = (children) =>
  children
    .flat(20)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));

/**
 * An HTML element: h("button.primary", {onclick: go}, "Go"). `css` sets style properties (the content policy forbids style attributes).
 * @type {Hyperscript<HTMLElementTagNameMap>}
 */
export const h = (/** @type {string} */ sign, /** @type {unknown[]} */ ...rest) =>
  /** @type {any} */ (build((tag) => document.createElement(tag), sign, rest));

/** An SVG element. @type {Hyperscript<SVGElementTagNameMap>} */
export const s = (/** @type {string} */ sign, /** @type {unknown[]} */ ...rest) =>
  /** @type {any} */ (
    build((tag) => document.createElementNS(SVG, /** @type {"g"} */ (tag)), sign, rest)
  );

/** Put these children in the place of whatever an element holds. @template {Element} E @param {E} element @param {...Child} children */
export function replace(element, ...children) {
  element.replaceChildren(...shown(children));
  return element;
}

let pressed = /** @type {Node | null} */ (null); // what is pressed now
const waiting = /** @type {Map<Element, () => void>} */ (new Map()); // until it is released
addEventListener(
  "pointerdown",
  (event) => {
    pressed = /** @type {Node} */ (event.target);
  },
  true,
);
for (const kind of ["pointerup", "pointercancel"]) {
  addEventListener(
    kind,
    () =>
      setTimeout(() => {
        // the click comes first
        pressed = null;
        for (const [element, draw] of [...waiting]) redraw(element, draw);
      }),
    true,
  );
}

/** What tells an element from others that are drawn like it. @param {Element} element */
const signOf = (element) =>
  element.id
    ? `#${CSS.escape(element.id)}`
    : element.localName +
      [...element.attributes]
        .filter(({ name }) => /^(data-.*|name|value|href)$/.test(name))
        .map(({ name, value }) => `[${name}="${CSS.escape(value)}"]`)
        .join("");

/**
 * Draw what an element holds anew: what had the focus has it again, and what was scrolled stays there. While something in it is pressed it
 * stays as it is, for what is pressed must still be there to be clicked; it is drawn when that is released.
 * @param {Element} element @param {() => void} draw
 */
export function redraw(element, draw) {
  if (pressed && element.contains(pressed)) {
    waiting.set(element, draw);
    return;
  }
  waiting.delete(element);
  const focused = document.activeElement;
  const sign = focused && focused !== element && element.contains(focused) ? signOf(focused) : null;
  const top = element.scrollTop;
  draw();
  element.scrollTop = top;
  if (sign) part(element, sign)?.focus({ preventScroll: true });
}

/** Save a blob as a file on the user's computer. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const link = h("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** The last of a list that is not empty. @template T @param {readonly T[]} list */
export const last = (list) => list[list.length - 1];

/** The part of an element that a selector means, which is there. @param {ParentNode} element @param {string} selector */
export const part = (element, selector) =>
  /** @type {HTMLInputElement} */ (element.querySelector(selector));

/** The element around the one where something happened, or null. @param {Event} event @param {string} selector */
export const around = (event, selector) =>
  /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(selector));

/** A field with its label, and what stands below it. @param {Child} label @param {HTMLElement} control @param {...Child} more */
export const labelled = (label, control, ...more) =>
  h("div", { class: "field" }, h("label", { for: control.id }, label), control, more);

// Whether a person used a pointer last, or keys. Keys that a control would take (arrows in a row of choices, on the board) belong to the
// page after a click, and to the control when it was reached by keys.

let pointer = false;
addEventListener(
  "pointerdown",
  () => {
    pointer = true;
  },
  true,
);
addEventListener(
  "keydown",
  () => {
    pointer = false;
  },
  true,
);

export const byPointer = () => pointer;
