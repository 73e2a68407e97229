// The bar below a tree: to the start, back, play, forward, to the next event, to the end; a scrubber; the speed.

import { h, replace } from "./dom.js";
import { icon, signButton } from "./play_icons.js";
import { number, t } from "./words.js";

const SLOWEST = 0.5; // steps a second at the left end of the speed, and the factor to the right end
const RANGE = 600;

export class Player {
  /** @type {number | null} */ frame;

  /** `onGo(index)` shows the state after so many steps. @param {HTMLElement} container @param {{ onGo: (index: number) => void }} options */
  constructor(container, { onGo }) {
    this.onGo = onGo;
    this.index = 0;
    this.length = 0;
    this.milestones = /** @type {number[]} */ ([]);
    /** @param {string} id @param {string} key @param {Icon} name @param {() => void} action */
    const button = (id, key, name, action) => signButton(name, t(key), { id, onclick: action });
    this.toStart = button("step-start", "think.to_start", "first", () => this.jump(0));
    this.back = button("step-back", "think.step_back", "back", () => this.jump(this.index - 1));
    this.toggle = button("step-play", "think.play", "play", () => this.playOrPause());
    this.toggle.classList.add("primary");
    this.forward = button("step-forward", "think.step_forward", "forward", () =>
      this.jump(this.index + 1),
    );
    this.skip = button("step-skip", "think.skip", "skip", () =>
      this.jump(this.milestones.find((at) => at > this.index) ?? this.length),
    );
    this.toEnd = button("step-end", "think.to_end", "last", () => this.jump(this.length));
    this.scrubber = h("input#step-scrubber", {
      type: "range",
      min: "0",
      max: "0",
      value: "0",
      "aria-label": t("think.scrubber"),
      oninput: () => {
        this.jump(Number(this.scrubber.value));
      },
    });
    this.place = h("output.player-place#step-place");
    this.speed = h("input#step-speed", {
      type: "range",
      min: "0",
      max: "100",
      value: localStorage.getItem("mnkala.think_speed") || "30",
      "aria-label": t("think.speed"),
      oninput: () => this.sayPace(true),
    });
    this.pace = h("output.player-pace");
    this.element = h(
      "div.player",
      { role: "group", "aria-label": t("think.controls") },
      h(
        "div.player-buttons",
        this.toStart,
        this.back,
        this.toggle,
        this.forward,
        this.skip,
        this.toEnd,
      ),
      h("div.player-track", this.scrubber, this.place),
      h("label.player-speed", h("span", t("think.speed")), this.speed, this.pace),
    );
    container.append(this.element);
    this.sayPace();
    this.keys = {
      ArrowLeft: () => this.jump(this.index - 1),
      ArrowRight: () => this.jump(this.index + 1),
      " ": () => this.playOrPause(),
      Home: () => this.jump(0),
      End: () => this.jump(this.length),
      s: () => this.skip.click(),
    };
  }

  get rate() {
    return SLOWEST * RANGE ** (Number(this.speed.value) / 100);
  }

  sayPace(keep = false) {
    this.pace.textContent = t("think.pace", { rate: number(this.rate, this.rate < 10 ? 1 : 0) });
    if (keep) localStorage.setItem("mnkala.think_speed", this.speed.value);
  }

  /** @param {number} length @param {number[]} milestones @param {number} [index] */
  load(length, milestones, index = 0) {
    this.pause();
    this.length = length;
    this.milestones = milestones;
    this.scrubber.max = String(length);
    this.go(index);
  }

  /** The user takes over: playing stops. @param {number} index */
  jump(index) {
    this.pause();
    this.go(index);
  }

  /** @param {number} index */
  go(index) {
    this.index = Math.max(0, Math.min(this.length, index));
    this.scrubber.value = String(this.index);
    this.scrubber.setAttribute(
      "aria-valuetext",
      t("think.place", { step: this.index, steps: this.length }),
    );
    this.scrubber.style.setProperty(
      "--part",
      `${this.length ? (100 * this.index) / this.length : 0}%`,
    );
    this.place.textContent = `${number(this.index)} / ${number(this.length)}`;
    this.place.dataset.step = String(this.index);
    for (const each of [this.toStart, this.back]) each.disabled = this.index === 0;
    for (const each of [this.forward, this.skip, this.toEnd])
      each.disabled = this.index === this.length;
    this.onGo(this.index);
  }

  get playing() {
    return Boolean(this.frame);
  }

  playOrPause() {
    if (this.playing) {
      this.pause();
      return;
    }
    if (this.index === this.length) this.go(0);
    let [last, owed] = [performance.now(), 0];
    /** @param {number} now */
    const tick = (now) => {
      owed += ((now - last) / 1000) * this.rate;
      last = now;
      if (owed >= 1) {
        this.go(this.index + Math.floor(owed));
        owed %= 1;
      }
      if (this.index === this.length) this.pause();
      else if (this.frame) this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
    this.showPlaying(true);
    this.go(this.index + 1);
  }

  pause() {
    if (!this.frame) return;
    cancelAnimationFrame(this.frame);
    this.frame = null;
    this.showPlaying(false);
  }

  /** @param {boolean} on */
  showPlaying(on) {
    const text = t(on ? "think.pause" : "think.play");
    replace(this.toggle, icon(on ? "pause" : "play"));
    this.toggle.title = text;
    this.toggle.setAttribute("aria-label", text);
  }

  close() {
    this.pause();
    this.element.remove();
  }
}
