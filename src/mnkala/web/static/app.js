// The shell of the page: header, routes by the hash, messages, shortcuts. Each view is a module with
// `async show(container, params, context)` that answers {close(), keys?: {key: action}}; an action answers false if it did nothing.

import { api, ApiError, live, statusOf, told } from "./api.js";
import { byPointer, h, part, replace } from "./dom.js";
import { menu, signButton } from "./play_icons.js";
import { setSound, soundOn } from "./motion.js";
import { applySettings, keysOn, openDialog, openSettings } from "./settings.js";
import { duration, loadWords, preferredLanguage, t } from "./words.js";

const ROUTES = /** @type {Record<string, { module: string, places: string[] }>} */ ({
  "": { module: "./newgame.js", places: [] },
  game: { module: "./play.js", places: ["id"] },
  join: { module: "./play.js", places: ["id", "invitation"] },
  games: { module: "./games.js", places: [] },
  analysis: { module: "./analysis.js", places: [] },
  review: { module: "./review.js", places: [] },
  puzzles: { module: "./puzzles.js", places: [] },
  mistakes: { module: "./mistakes.js", places: [] },
  lessons: { module: "./lessons.js", places: ["game", "name"] },
  think: { module: "./think.js", places: [] },
  learn: { module: "./learn.js", places: ["tour"] },
  tournaments: { module: "./tournaments.js", places: ["name"] },
  studies: { module: "./studies.js", places: ["name"] },
});
const NAVIGATION = /** @type {[string, string, string[]][]} */ ([
  ["play", "#/", ["", "game", "join"]],
  ["games", "#/games", ["games"]],
  ["analysis", "#/analysis", ["analysis"]],
  ["review", "#/review", ["review", "mistakes"]],
  ["puzzles", "#/puzzles", ["puzzles"]],
  ["lessons", "#/lessons", ["lessons"]],
  ["think", "#/think", ["think"]],
  ["learn", "#/learn", ["learn"]],
  ["tournaments", "#/tournaments", ["tournaments"]],
  ["studies", "#/studies", ["studies"]],
]);
const FOLDED = ["lessons", "think", "learn", "tournaments", "studies"]; // in the menu of a narrow header
const SHORTCUTS = [
  ["h", "play.hint"],
  ["u", "play.undo"],
  ["r", "play.redo"],
  ["a", "page.key_analysis"],
  ["v", "page.key_threats"],
  ["← →", "page.key_walk"],
  ["↑ ↓", "analysis.key_variations"],
  ["Home, End", "page.key_ends"],
  ["1 – 9", "page.key_digits"],
  ["Tab, ← ↑ → ↓, Enter", "page.key_board"],
  ["␣", "page.key_pause"],
  ["n", "play.new_game"],
  ["?", "page.key_help"],
];

/** An element of index.html. @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const main = byId("main");
let view = /** @type {Shown | null} */ (null); // the view that is shown: {close, keys}
let turn = 0; // grows with every navigation, so that a slow view does not overwrite a newer one
const context = /** @type {Context} */ ({ navigate, notify, announce, title });

// ---- Messages ----

/** Tell about something that went wrong: a text or an error. @param {unknown} problem */
function notify(problem) {
  const text = problem instanceof Error ? told(problem) : String(problem);
  if (problem instanceof Error && statusOf(problem) === undefined) console.error(problem);
  const toast = h(
    "div.toast",
    h("span", text),
    signButton("close", t("page.close"), {
      onclick: () => {
        toast.remove();
      },
    }),
  );
  byId("toasts").append(toast);
  setTimeout(() => toast.remove(), 8000);
}

/** Say something to those who hear the page. @param {string} text */
function announce(text) {
  const place = byId("announcements");
  place.textContent = place.textContent === text ? `${text}\u00a0` : text;
}

/** @param {string} text */
function title(text) {
  document.title = text ? `${text} · mnkala` : "mnkala";
}

function listenToTheLine() {
  const banner = byId("banner");
  live.on("online", ({ online }) => {
    banner.textContent = online ? "" : t("page.connection_lost");
    banner.hidden = online;
  });
}

// ---- Routes ----

/** @param {string} hash */
function navigate(hash) {
  if (location.hash === hash) route();
  else location.hash = hash;
}

function readHash() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split(/\?(.*)/s);
  const [name, ...rest] = path.split("/").map(decodeURIComponent);
  const found = ROUTES[name];
  if (!found) return null;
  const params = Object.fromEntries(new URLSearchParams(query.replace(/\+/g, "%2B")));
  found.places.forEach((place, i) => {
    if (rest[i]) params[place] = rest[i];
  });
  return { name, module: found.module, params };
}

async function route() {
  if (location.hash === "#main") return; // the skip link
  turn += 1;
  const mine = turn;
  const wanted = readHash();
  drawHeader(wanted?.name);
  view?.close();
  view = null;
  replace(main);
  title("");
  try {
    if (!wanted) throw new ApiError(404, t("page.no_such_page"));
    const { show } = await import(wanted.module);
    if (mine !== turn) return;
    const container = h("div", { class: `view view-${wanted.name || "home"}` });
    const waiting = h("p.waiting.late", t("page.loading"));
    replace(main, waiting, container);
    const shown = await show(container, wanted.params, context);
    waiting.remove();
    if (mine !== turn) {
      shown?.close();
      return;
    }
    view = shown;
    if (turn > 1 && !main.contains(document.activeElement)) main.focus({ preventScroll: true }); // a new page starts at its top
  } catch (error) {
    if (mine === turn) replace(main, problemPage(error));
  }
}

/** @param {unknown} error */
function problemPage(error) {
  const status = statusOf(error);
  if (status === undefined) console.error(error);
  return h(
    "div.view.problem#problem",
    h("h1", t(status === 404 ? "page.not_found" : "page.problem")),
    h("p", told(error)),
    h(
      "p",
      h("a.button.primary", { href: "#/" }, t("play.new_game")),
      " ",
      h("a.button", { href: "#/games" }, t("page.games_title")),
      " ",
      h("button", { onclick: route }, t("page.try_again")),
    ),
  );
}

// ---- Header ----

/** One click turns the sounds off, and on again. */
function soundButton() {
  const button = signButton(
    soundOn() ? "sound" : "mute",
    t(soundOn() ? "page.sound_off" : "page.sound_on"),
    {
      id: "sound",
      onclick: () => {
        setSound(!soundOn());
        button.replaceWith(soundButton());
        byId("sound").focus();
      },
    },
  );
  return button;
}

/**
 * What does not fit into a narrow header lies in a menu at its end.
 * @param {typeof NAVIGATION} entries
 * @param {(entry: (typeof NAVIGATION)[number], mark: string) => Child} link
 * @param {string | undefined} current
 */
function moreLinks(entries, link, current) {
  const here = entries.find(([, , names]) => names.includes(current ?? "-"));
  return menu(
    t("page.nav_more"),
    { class: `menu nav-more${here ? ` in-${here[0]}` : ""}`, title: t("page.nav_more") },
    entries.map((entry) => link(entry, "data-more")),
  );
}

/** @param {string | undefined} current */
function drawHeader(current) {
  /** @param {(typeof NAVIGATION)[number]} entry @param {string} mark */
  const link = ([name, href, names], mark) =>
    h(
      "a",
      { href, [mark]: name, "aria-current": names.includes(current ?? "-") ? "page" : null },
      t(`page.nav_${name}`),
    );
  byId("skip").textContent = t("page.skip");
  replace(
    byId("header"),
    h(
      "a.brand",
      { href: "#/", "aria-label": t("page.home") },
      h("img", { src: "icon.svg", alt: "", width: "28", height: "28" }),
      h("span", "mnkala"),
    ),
    h(
      "nav",
      { "aria-label": t("page.navigation") },
      NAVIGATION.map((entry) => link(entry, "data-nav")),
      moreLinks(
        NAVIGATION.filter(([name]) => FOLDED.includes(name)),
        link,
        current,
      ),
    ),
    h(
      "div.tools",
      soundButton(),
      signButton("help", t("page.shortcuts"), { id: "help", onclick: openHelp }),
      signButton("gear", t("page.settings"), {
        id: "settings",
        onclick: () => openSettings(context, changeLanguage),
      }),
    ),
  );
}

/** @param {string} language */
async function changeLanguage(language) {
  try {
    await loadWords(language);
    await route();
  } catch (error) {
    notify(error);
  }
}

// ---- Shortcuts ----

function openHelp() {
  openDialog(
    t("page.shortcuts"),
    h(
      "dl.shortcuts",
      SHORTCUTS.map(([keys, text]) =>
        h(
          "div",
          h(
            "dt",
            keys.split(", ").map((key) => h("kbd", key)),
          ),
          h("dd", t(text)),
        ),
      ),
    ),
    { id: "help-dialog" },
  );
}

const KEYS = /** @type {Record<string, () => unknown>} */ ({
  "?": openHelp,
  n: () => navigate("#/"),
});
const CHOICES = "input[type=radio], input[type=checkbox], input[type=range]";

/** @param {On<KeyboardEvent>} event */
function pressed(event) {
  if (
    event.defaultPrevented ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    document.querySelector("dialog[open]")
  )
    return;
  /** @param {string} selector */
  const on = (selector) => event.target.closest?.(selector);
  if (on("input, textarea, select, [contenteditable]") && !on(CHOICES)) return;
  if (on(CHOICES) && !/^[a-z?]$/.test(event.key)) return;
  if (on("button, a, summary") && (event.key === " " || event.key === "Enter")) return;
  if (/^[a-z?]$/.test(event.key) && !keysOn()) return;
  const action = view?.keys?.[event.key] || KEYS[event.key];
  if (!action) return;
  if (action() !== false) event.preventDefault();
}

/** Give the keyboard focus back to the page after a choice by a click. */
function chosen() {
  if (byPointer() && document.activeElement?.matches(`select, ${CHOICES}`))
    /** @type {HTMLElement} */ (document.activeElement).blur();
}

async function begin() {
  applySettings();
  try {
    [context.catalogue] = await Promise.all([api.get("catalogue"), loadWords(preferredLanguage())]);
  } catch (error) {
    main.textContent = `mnkala: ${told(error)}`;
    setTimeout(begin, 2000);
    return;
  }
  listenToTheLine();
  listenToTheCompiler();
  addEventListener("hashchange", route);
  addEventListener("keydown", (event) => pressed(/** @type {On<KeyboardEvent>} */ (event)));
  addEventListener("change", chosen);
  byId("skip").addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });
  await route();
}

/** The quiet sign that engines are being compiled in the background, once after an installation; and what somebody waits for. */
function listenToTheCompiler() {
  const sign = part(document, "#compiling");
  live.on("compiling", ({ busy, waiting, compiling, done, total, seconds }) => {
    sign.hidden = !busy;
    sign.classList.toggle("awaited", waiting);
    sign.setAttribute("aria-live", waiting ? "polite" : "off"); // those who hear the page are told only of what they wait for
    const left = duration(seconds);
    sign.textContent = waiting
      ? t("page.compiling_awaited", { left })
      : t("page.compiling", { done, total });
    sign.title = t("page.compiling_about", { what: compiling, left });
  });
}

begin();
