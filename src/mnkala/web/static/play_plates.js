// The plates of the two players: mark, name, clock, whose turn it is, whether an engine is thinking or a person is there. Below the board
// sits the reader, or the first player where the reader has both seats or none.

import { h, replace } from "./dom.js";
import { mark } from "./board_marks.js";
import { known, number, t } from "./words.js";

/** What a computer player is called: its level, or its engine string. @param {string} name */
export function computerName(name) {
  return known(`game.level.${name}`)
    ? t("play.computer", { level: t(`game.level.${name}`) })
    : name;
}

/**
 * The seat of the person who looks at a game; null if both are theirs, or none.
 * @param {Pick<Game, "yours">} game
 */
export const readerOf = ({ yours }) => (yours[0] === yours[1] ? null : Number(yours[1]));

/**
 * The name of a seat for the person who looks at the game.
 * @param {Seats} game @param {number} seat
 */
export function seatName(game, seat) {
  const player = game.players[seat];
  if (!player.human) return computerName(player.name);
  if (game.open_seat === seat) return t("play.waiting_seat");
  const alone = readerOf(game) !== null;
  if (alone && game.yours[seat])
    return player.nickname ? t("others.name_you", { name: player.nickname }) : t("play.you");
  if (player.nickname) return player.nickname;
  if (alone && game.linked) return t("play.other");
  return t(seat === 0 ? "play.first_player" : "play.second_player");
}

/** @param {number} seconds */
function clockText(seconds) {
  const left = Math.max(0, seconds);
  if (left < 20) return number(Math.floor(left * 10) / 10, 1);
  const whole = Math.ceil(left);
  const [hours, minutes, rest] = [
    Math.floor(whole / 3600),
    Math.floor((whole % 3600) / 60),
    whole % 60,
  ];
  /** @param {number} value */
  const two = (value) => String(value).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

export class Plates {
  /** @type {HTMLElement} */ above;
  /** @type {HTMLElement} */ below;
  /** @type {Game} */ game;
  /** @type {number} */ since;
  /** @type {(HTMLElement | null)[]} */ clocks;
  /** @type {ReturnType<typeof setInterval> | undefined} */ ticker; // only games with a clock need one

  constructor() {
    this.plates = [0, 1].map((seat) =>
      h("div", { class: `plate ${seat ? "second" : "first"}`, "data-seat": String(seat) }),
    );
    [this.below, this.above] = this.plates.map((plate) => h("div.plate-place", plate));
  }

  /** @param {Game} game */
  show(game) {
    this.game = game;
    const reader = game.yours[1] && !game.yours[0] ? 1 : 0;
    if (!this.below.contains(this.plates[reader])) {
      this.below.append(this.plates[reader]);
      this.above.append(this.plates[1 - reader]);
    }
    this.since = performance.now();
    if (game.clock) this.ticker ??= setInterval(() => this.tick(), 100);
    this.clocks = [];
    const mover = game.over ? null : game.mover;
    this.plates.forEach((plate, seat) => {
      plate.classList.toggle("to-move", mover === seat);
      const clock = game.clock
        ? h("span.clock", {
            role: "timer",
            "aria-label": t("play.clock_of", { player: seatName(game, seat) }),
          })
        : null;
      this.clocks.push(clock);
      const preparing = game.preparing && mover === seat && !game.players[seat].human;
      const thinking = game.thinking === seat || preparing;
      const state = preparing
        ? t("play.preparing")
        : thinking
          ? t("play.thinking")
          : mover === seat
            ? t("play.to_move")
            : null;
      const there = game.yours[seat] ? null : game.present[seat];
      replace(
        plate,
        mark(seat, game.view.players[seat]),
        h("span.plate-name", seatName(game, seat)),
        there === null
          ? null
          : h(
              "span",
              { class: `presence ${there ? "here" : "away"}` },
              t(there ? "others.here" : "others.away"),
            ),
        state
          ? h(
              "span",
              { class: `plate-state${thinking ? " thinking" : ""}` },
              thinking ? h("span.dots", { "aria-hidden": "true" }) : null,
              state,
            )
          : null,
        game.view.seeds ? h("span.plate-score", number(game.view.seeds.stores[seat])) : null,
        clock,
      );
    });
    this.tick();
  }

  tick() {
    const clock = this.game?.clock;
    if (!clock) return;
    const passed = (performance.now() - this.since) / 1000;
    this.clocks.forEach((element, seat) => {
      if (!element) return;
      const running = clock.running === seat && !this.game.over;
      const left = clock.left[seat] - (running ? passed : 0);
      const text = clockText(left);
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("running", running);
      element.classList.toggle("short", left < 20);
    });
  }

  close() {
    clearInterval(this.ticker);
  }
}
