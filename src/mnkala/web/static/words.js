// The words of the page. Their one home is the server (mnkala/explain/words/*.json); here they are looked up.

const LANGUAGES = ["en", "pt", "it"];
let texts = /** @type {Record<string, string>} */ ({});
export let language = "en";

/** The language that was chosen before, or the browser's. */
export function preferredLanguage() {
  const chosen = localStorage.getItem("mnkala.language");
  if (chosen && LANGUAGES.includes(chosen)) return chosen;
  for (const wanted of navigator.languages || []) {
    const short = wanted.slice(0, 2).toLowerCase();
    if (LANGUAGES.includes(short)) return short;
  }
  return "en";
}

/** Load a language; the page is drawn again by whoever asked. @param {string} wanted */
export async function loadWords(wanted) {
  const answer = await fetch(`api/v1/words/${wanted}`);
  if (!answer.ok) throw new Error(`no words for ${wanted}`);
  texts = await answer.json();
  language = wanted;
  localStorage.setItem("mnkala.language", wanted);
  document.documentElement.lang = wanted;
}

/** Whether there is a text of this key: plug-ins bring names that the words do not know. @param {string} key */
export function known(key) {
  return key in texts;
}

/** All keys that begin so, in the order of their file. @param {string} beginning */
export const keys = (beginning) => Object.keys(texts).filter((key) => key.startsWith(beginning));

/**
 * The text of a key, with its {places} filled in, and {count?move|moves} by the number; a value "@key" is a text itself, and
 * "@key moves" one that names moves, with a capital at the start of a sentence. A missing key shows itself, so that it is noticed.
 * @param {string} key @param {Record<string, unknown>} [values]
 */
export function t(key, values = {}) {
  const text = texts[key];
  if (text === undefined) {
    console.error(`no text for ${key}`);
    return key;
  }
  const chosen = text.replace(/\{(\w+)\?([^|{}]*)\|([^|{}]*)\}/g, (_, name, one, many) =>
    String(values[name]) === "1" ? one : many,
  );
  return chosen.replace(/\{(\w+)\}/g, (place, name, at) =>
    name in values ? spelled(String(values[name]), at === 0) : place,
  );
}

/** @param {string} value @param {boolean} first */
function spelled(value, first) {
  const [, key, moves] = value.match(/^@(\S+) ?(.*)$/) ?? [];
  if (!(key in texts)) return value;
  const told = texts[key].replace("{move}", moves);
  return first ? told[0].toUpperCase() + told.slice(1) : told;
}

/**
 * What the server says by a key of the words, in the reader's language, or as the server said it; `own` are values that the page says in its
 * own way.
 * @param {{ key: string, text: string, values: Problem["values"] }} options @param {Record<string, unknown>} [own]
 * @returns {string}
 */
export function said({ key, values, text }, own = {}) {
  const signed = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "string"
      ? value.replace(/(^|…)-(?=\d)/g, "$1−")
      : typeof value === "object"
        ? problemText(value)
        : value,
  ]);
  return known(key) ? t(key, { ...Object.fromEntries(signed), ...own }) : text;
}

/** What went wrong, in the reader's language. @param {{ error: string, key?: string, values?: Problem["values"] }} problem */
export const problemText = ({ error, key = "", values = {} }) => said({ key, values, text: error });

/** Portuguese here is that of Portugal. @type {Record<string, string>} */
const LOCALES = { pt: "pt-PT" };

/** A number as people of this language write it, as written() in numbers.py. @param {number | null} value */
export function number(value, digits = 0) {
  return new Intl.NumberFormat(LOCALES[language] ?? language, {
    useGrouping: "always",
    maximumFractionDigits: digits,
    minimumFractionDigits: digits,
  }).format(value ?? 0);
}

/** About how long something takes. @param {number} seconds */
export const duration = (seconds) =>
  seconds < 90
    ? t("page.seconds", { n: Math.max(1, Math.round(seconds)) })
    : t("page.minutes", { n: Math.round(seconds / 60) });
