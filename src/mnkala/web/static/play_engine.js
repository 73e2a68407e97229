// Choosing an engine of one's own: search, heuristic, a limit, pruning, and whatever other options it has. The result is an engine
// string ("alphabeta:depth=6,heuristic=basic"), which is shown so that it can be learnt.

import { api } from "./api.js";
import { h, labelled, replace } from "./dom.js";
import { reportsButton } from "./rules.js";
import { known, language, t } from "./words.js";

const LIMITS =
  /** @type {Record<string, { value: number, min: number, max: number, step: number }>} */ ({
    depth: { value: 6, min: 1, max: 60, step: 1 },
    time: { value: 1, min: 0.1, max: 30, step: 0.1 },
    nodes: { value: 20000, min: 1, max: 50_000_000, step: 1 },
  });
const USUAL_LIMIT = /** @type {Record<string, string>} */ ({ alphabeta: "depth", budget: "nodes" }); // others: time
const UNLIMITED = ["greedy", "random", "rules"]; // answer at once whatever they are told
const OWN_FIELDS = ["depth", "time", "nodes"]; // options with a field of their own; so has a heuristic that is one of all games'

/** A name from the words, or the given text where the words do not know it (plug-ins). @param {string} key @param {string} otherwise */
const named = (key, otherwise) => (known(key) ? t(key) : otherwise);

/** @param {string} text */
function readEngine(text) {
  const [name, rest = ""] = text.split(/:(.*)/s);
  return {
    name,
    options: Object.fromEntries(
      rest
        .split(",")
        .filter(Boolean)
        .map((part) => part.split("=")),
    ),
  };
}

let pickers = 0;

export class EnginePicker {
  /** @type {string} */ search;
  /** @type {boolean} */ pruning;
  /** @type {Record<string, string>} */ options;
  /** @type {string} */ limit;
  /** @type {HTMLElement} */ shown;
  /** @type {Offers | null} */ offers;
  /** @type {string | null} */ game;

  /**
   * `unlimited` also offers "no limit of its own", for analysis. `onChange` is told of every new engine string.
   * @param {Catalogue} catalogue
   * @param {{ engine?: string, unlimited?: boolean, onChange?: (engine: string) => void }} [options]
   */
  constructor(
    catalogue,
    { engine = "alphabeta:depth=6", unlimited = false, onChange = () => {} } = {},
  ) {
    pickers += 1;
    this.name = `engine-${pickers}`;
    this.catalogue = catalogue;
    this.unlimited = unlimited;
    this.onChange = onChange;
    this.element = h("div.engine");
    this.game = null;
    this.offers = null; // the names of the engines and heuristics for this game, once the server has told
    this.set(engine);
  }

  /** @param {string} engine */
  set(engine) {
    const { name, options } = readEngine(engine);
    this.pruning = name !== "minimax";
    this.search = name === "minimax" ? "alphabeta" : name;
    this.options = options;
    this.limit =
      ["depth", "time", "nodes"].find((kind) => kind in options) ||
      (this.unlimited || UNLIMITED.includes(name) ? "none" : "depth");
    this.search = this.described().name;
    this.draw();
  }

  /** Only engines and heuristics that fit this game, and compile, are offered. @param {string} game */
  async setGame(game) {
    if (game === this.game) return;
    this.game = game;
    const offers = await api.post("offers", { game }).catch(() => null);
    if (game !== this.game) return;
    if (!offers) {
      this.game = null; // asked again with the next view
      return;
    }
    this.offers = offers;
    if (!this.offered("engines").some(({ name }) => name === this.search))
      [this.search, this.options, this.limit] = ["auto", {}, this.unlimited ? "none" : "time"];
    if (
      this.described().heuristics &&
      this.options.heuristic &&
      !offers.heuristics.includes(this.options.heuristic)
    )
      delete this.options.heuristic;
    this.draw();
  }

  described() {
    return (
      this.catalogue.engines.find(({ name }) => name === this.search) ?? this.catalogue.engines[0]
    );
  }

  /** @param {"engines" | "heuristics"} kind */
  offered(kind) {
    return this.catalogue[kind].filter(
      ({ name }) => !this.offers || this.offers[kind].includes(name),
    );
  }

  get value() {
    const name = this.search === "alphabeta" && !this.pruning ? "minimax" : this.search;
    const known_ = new Set(this.described().options.map((option) => option.name));
    const parts = Object.entries(this.options)
      .filter(
        ([option, value]) =>
          value !== "" && (LIMITS[option] ? option === this.limit : known_.has(option)),
      )
      .map(([option, value]) => `${option}=${value}`);
    return parts.length ? `${name}:${parts.join(",")}` : name;
  }

  changed() {
    this.shown.textContent = this.value;
    this.onChange(this.value);
  }

  /** @param {string} text @param {HTMLElement} control @param {string | null} [help] */
  field(text, control, help = null) {
    control.id = control.id || `${this.name}-${text}`.replace(/\W+/g, "-");
    const field = labelled(text, control);
    if (help) field.title = help;
    return field;
  }

  /** @param {string} name @param {string[][]} choices @param {string} value @param {(value: string) => void} set */
  select(name, choices, value, set) {
    const control = h(
      "select",
      {
        id: `${this.name}-${name}`,
        "data-engine": name,
        onchange: () => {
          set(control.value);
          this.draw();
          this.changed();
        },
      },
      choices.map(([key, text]) => h("option", { value: key, selected: key === value }, text)),
    );
    return control;
  }

  /** @param {string} name @param {string} value @param {{ min: number, max: number, step: number }} options @param {(value: string) => void} set */
  number(name, value, { min, max, step }, set) {
    const control = h("input", {
      type: "number",
      id: `${this.name}-${name}`,
      "data-engine": name,
      min: String(min),
      max: String(max),
      step: String(step),
      value: String(value),
      oninput: () => {
        set(control.value);
        this.changed();
      },
    });
    return control;
  }

  draw() {
    const described = this.described();
    const searches = this.offered("engines")
      .filter(({ name }) => name !== "minimax")
      .map(({ name, summary }) => [
        name,
        named(`game.engine.${name}`, summary ? `${name}: ${summary}` : name),
      ]);
    const fields = /** @type {Child[]} */ ([
      this.field(
        t("game.search"),
        this.select("search", searches, this.search, (name) => {
          this.search = name;
          this.options = {};
          if (!this.unlimited)
            this.limit = UNLIMITED.includes(name) ? "none" : USUAL_LIMIT[name] || "time";
        }),
        language === "en" ? described.summary : null,
      ),
    ]);
    if (described.heuristics) {
      const heuristics = [
        ["", t("game.heuristic_auto")],
        ...this.offered("heuristics").map(({ name, summary }) => [
          name,
          named(`game.heuristic.${name}`, `${name}: ${summary}`),
        ]),
      ];
      fields.push(
        this.field(
          t("game.heuristic"),
          this.select("heuristic", heuristics, this.options.heuristic || "", (name) => {
            if (name) this.options.heuristic = name;
            else delete this.options.heuristic;
          }),
        ),
      );
    }
    if (!UNLIMITED.includes(this.search)) fields.push(this.limitFields());
    if (this.search === "alphabeta") fields.push(this.pruningField());
    const more = described.options.filter(
      ({ name }) => !OWN_FIELDS.includes(name) && !(described.heuristics && name === "heuristic"),
    );
    this.shown = h("code.engine-string", this.value);
    const open = this.element.querySelector("details")?.open || false;
    replace(
      this.element,
      h("div.fields", fields),
      more.length
        ? h(
            "details",
            { open },
            h("summary", t("game.more_options")),
            h(
              "div.fields",
              more.map((option) => this.option(option)),
            ),
          )
        : null,
      h("p.engine-shown", this.shown),
      [described, ...this.offered("heuristics")].some(({ summary }) => /report \d/i.test(summary))
        ? h("p", reportsButton())
        : null,
    );
  }

  limitFields() {
    const kinds = [
      ["depth", t("game.limit_depth")],
      ["time", t("game.limit_time")],
      ["nodes", t("game.limit_nodes")],
    ];
    if (this.unlimited) kinds.unshift(["none", t("game.limit_none")]);
    const limits = /** @type {typeof LIMITS} */ ({
      ...LIMITS,
      time: { ...LIMITS.time, max: this.catalogue.limits?.seconds_per_move || LIMITS.time.max },
    });
    if (this.limit in LIMITS && !this.options[this.limit])
      this.options[this.limit] = String(LIMITS[this.limit].value);
    return [
      this.field(
        t("game.limit"),
        this.select("limit", kinds, this.limit, (kind) => {
          this.limit = kind;
        }),
      ),
      this.limit in LIMITS
        ? this.field(
            t(`game.limit_${this.limit}_value`),
            this.number("limit-value", this.options[this.limit], limits[this.limit], (value) => {
              this.options[this.limit] = value;
            }),
          )
        : null,
    ];
  }

  pruningField() {
    const box = h("input", {
      type: "checkbox",
      id: `${this.name}-pruning`,
      "data-engine": "pruning",
      checked: this.pruning,
      onchange: () => {
        this.pruning = box.checked;
        this.changed();
      },
    });
    return h(
      "div.field.check",
      box,
      h("label", { for: box.id }, t("game.pruning")),
      h("p.help", t("game.pruning_about")),
    );
  }

  /** @param {OptionInfo} options */
  option({ name, kind, default: usual }) {
    const id = `${this.name}-${name}`;
    /** @param {string} value */
    const set = (value) => {
      if (value === "" || value === String(usual)) delete this.options[name];
      else this.options[name] = value;
      this.changed();
    };
    const value = this.options[name] ?? "";
    const control =
      kind === "bool"
        ? h(
            "select",
            {
              id,
              onchange: () => {
                set(control.value);
              },
            },
            [
              ["", t("game.usual", { value: String(usual) })],
              ["true", t("game.yes")],
              ["false", t("game.no")],
            ].map(([key, text]) =>
              h("option", { value: key, selected: key === value.toLowerCase() }, text),
            ),
          )
        : h("input", {
            id,
            type: kind === "str" ? "text" : "number",
            step: kind === "float" ? "any" : "1",
            placeholder: String(usual),
            value,
            oninput: () => {
              set(control.value);
            },
          });
    control.dataset.engine = name;
    return this.field(name, control);
  }
}
