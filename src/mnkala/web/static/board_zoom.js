// A large board under a magnifying glass: buttons, two fingers or Ctrl and the wheel make it larger within its place, where it scrolls.

import { h, last } from "./dom.js";
import { t } from "./words.js";

const STEPS = [1, 1.5, 2, 3, 4, 6];
const MOST = last(STEPS);
const CLOSE = 40; // pixels: what is nearer to the edge is brought into the middle

export class Zoom {
  /** @type {{ far: number, factor: number } | null} */ pinch;

  /**
   * `place` scrolls, `sheet` in it grows. `onChange()` is called when the board has another size.
   * @param {HTMLElement} place @param {HTMLElement} sheet @param {() => void} onChange
   */
  constructor(place, sheet, onChange) {
    this.place = place;
    this.sheet = sheet;
    this.onChange = onChange;
    this.factor = 1;
    this.useful = false;
    this.out = h(
      "button.icon",
      {
        "data-zoom": "out",
        onclick: () => this.set(STEPS.findLast((step) => step < this.factor - 0.01) ?? 1),
      },
      "−",
    );
    this.into = h(
      "button.icon",
      {
        "data-zoom": "in",
        onclick: () => this.set(STEPS.find((step) => step > this.factor + 0.01) ?? MOST),
      },
      "+",
    );
    this.element = h("div.board-zoom", { hidden: true }, this.out, this.into);
    place.addEventListener("touchstart", (event) => this.began(event), { passive: true });
    place.addEventListener("touchmove", (event) => this.pinched(event), { passive: false });
    place.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
  }

  /** Say whether the board is worth magnifying in its place. @param {boolean} useful */
  setUseful(useful) {
    this.useful = useful || this.factor > 1;
    this.element.hidden = !this.useful;
    this.place.classList.toggle("zoomable", this.useful);
  }

  /**
   * Make the board so many times as large as its place; a point of the window stays where it is, by default the middle of the place.
   * @param {number} factor @param {Point | null} [at]
   */
  set(factor, at = null) {
    const box = this.place.getBoundingClientRect();
    const [x, y] = at ? [at[0] - box.left, at[1] - box.top] : [box.width / 2, box.height / 2];
    const { scrollLeft, scrollTop } = this.place;
    const wanted = Math.max(1, Math.min(MOST, factor));
    const grown = wanted / this.factor;
    this.factor = wanted;
    this.sheet.style.width = `${wanted * 100}%`;
    this.place.classList.toggle("zoomed", wanted > 1);
    this.place.scrollTo({
      left: (scrollLeft + x) * grown - x,
      top: (scrollTop + y) * grown - y,
      behavior: "instant",
    });
    [this.out.disabled, this.into.disabled] = [wanted === 1, wanted === MOST];
    this.out.setAttribute("aria-label", t("play.zoom_out"));
    this.into.setAttribute("aria-label", t("play.zoom_in"));
    this.onChange();
  }

  /** Bring a point of the sheet into sight, or into the middle. @param {number} x @param {number} y @param {boolean} middle */
  reveal(x, y, middle) {
    if (this.factor === 1) return;
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = this.place;
    const outside =
      x < scrollLeft + CLOSE ||
      x > scrollLeft + clientWidth - CLOSE ||
      y < scrollTop + CLOSE ||
      y > scrollTop + clientHeight - CLOSE;
    if (middle || outside)
      this.place.scrollTo({ left: x - clientWidth / 2, top: y - clientHeight / 2 });
  }

  /** @param {TouchEvent} options */
  began({ touches }) {
    this.pinch =
      touches.length === 2 && this.useful ? { far: distance(touches), factor: this.factor } : null;
  }

  /** @param {TouchEvent} event */
  pinched(event) {
    if (!this.pinch || event.touches.length !== 2) return;
    event.preventDefault();
    const [one, other] = event.touches;
    this.set(this.pinch.factor * (distance(event.touches) / this.pinch.far), [
      (one.clientX + other.clientX) / 2,
      (one.clientY + other.clientY) / 2,
    ]);
  }

  /** @param {WheelEvent} event */
  wheeled(event) {
    if (!event.ctrlKey || !this.useful) return;
    event.preventDefault();
    this.set(this.factor * Math.exp(-event.deltaY / 200), [event.clientX, event.clientY]);
  }
}

/** @param {TouchList} from */
const distance = ([one, other]) =>
  Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY));
