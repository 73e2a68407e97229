// Zoom and pan of a drawing: wheel, drag, pinch, buttons, and gentle moves to a place.

import { motionOff } from "./motion.js";

const SMALLEST = 0.04;
const LARGEST = 3;
const GLIDE = 260; // milliseconds

export class Camera {
  /** @type {number} */ width;
  /** @type {number} */ height;
  /** @type {number} */ frame;

  /**
   * `stage` holds `layer`, a group that is moved; `onChange(scale)` hears of every change.
   * @param {HTMLElement} stage @param {SVGElement} layer @param {(scale: number) => void} onChange
   */
  constructor(stage, layer, onChange) {
    this.stage = stage;
    this.layer = layer;
    this.onChange = onChange;
    this.x = 0;
    this.y = 0;
    this.scale = 1;
    this.pointers = /** @type {Map<number, Point>} */ (new Map());
    this.moved = false; // whether the last press was a drag, so that its click means nothing
    this.byHand = () => {};
    this.measure();
    stage.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    stage.addEventListener("pointerdown", (event) => this.down(event));
    stage.addEventListener("pointermove", (event) => this.drag(event));
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"]))
      stage.addEventListener(name, (event) => this.pointers.delete(event.pointerId));
  }

  /** Read the stage's size; kept, because asking for it anew at every step would lay out the whole tree. */
  measure() {
    [this.width, this.height] = [this.stage.clientWidth || 1, this.stage.clientHeight || 1];
  }

  /** @param {number} x @param {number} y @param {number} scale */
  set(x, y, scale) {
    [this.x, this.y, this.scale] = [x, y, Math.max(SMALLEST, Math.min(LARGEST, scale))];
    this.layer.setAttribute(
      "transform",
      `translate(${this.x.toFixed(1)} ${this.y.toFixed(1)}) scale(${this.scale.toFixed(4)})`,
    );
    this.onChange(this.scale);
  }

  /** Zoom by a factor around a point of the stage, by default its middle. @param {number} factor @param {number} [x] @param {number} [y] */
  zoom(factor, x = this.width / 2, y = this.height / 2) {
    cancelAnimationFrame(this.frame);
    const scale = Math.max(SMALLEST, Math.min(LARGEST, this.scale * factor));
    const real = scale / this.scale;
    this.set(x - (x - this.x) * real, y - (y - this.y) * real, scale);
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    this.byHand();
    const box = this.stage.getBoundingClientRect();
    if (event.ctrlKey || Math.abs(event.deltaY) >= Math.abs(event.deltaX))
      this.zoom(
        Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)),
        event.clientX - box.left,
        event.clientY - box.top,
      );
    else this.set(this.x - event.deltaX, this.y - event.deltaY, this.scale);
  }

  /** @param {PointerEvent} event */
  down(event) {
    if (event.button) return;
    cancelAnimationFrame(this.frame);
    this.moved = false;
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = /** @type {Point} */ ([event.clientX, event.clientY]);
    if (!this.moved && Math.hypot(now[0] - before[0], now[1] - before[1]) < 4) return;
    if (!this.moved) this.stage.setPointerCapture(event.pointerId);
    this.moved = true;
    this.byHand();
    const other = [...this.pointers].find(([id]) => id !== event.pointerId)?.[1];
    this.pointers.set(event.pointerId, now);
    if (!other) {
      this.set(this.x + now[0] - before[0], this.y + now[1] - before[1], this.scale);
      return;
    }
    const box = this.stage.getBoundingClientRect();
    /** @param {Point} a @param {Point} b */
    const far = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
    this.zoom(
      far(now, other) / Math.max(1, far(before, other)),
      (now[0] + other[0]) / 2 - box.left,
      (now[1] + other[1]) / 2 - box.top,
    );
  }

  /** Move there, smoothly unless motion is off. @param {number} x @param {number} y @param {number} scale */
  glide(x, y, scale) {
    cancelAnimationFrame(this.frame);
    if (motionOff()) {
      this.set(x, y, scale);
      return;
    }
    const from = [this.x, this.y, this.scale];
    const start = performance.now();
    /** @param {number} now */
    const tick = (now) => {
      const part = Math.min(1, (now - start) / GLIDE);
      const eased = 1 - (1 - part) ** 3;
      const [nextX, nextY, next] = [x, y, scale].map((to, i) => from[i] + (to - from[i]) * eased);
      this.set(nextX, nextY, next);
      if (part < 1) this.frame = requestAnimationFrame(tick);
    };
    this.frame = requestAnimationFrame(tick);
  }

  /** The place from which a drawing of this size is seen as a whole. @param {number} width @param {number} height @param {number} largest */
  fitting(width, height, largest) {
    const scale = Math.min(largest, (this.width - 24) / width, (this.height - 24) / height);
    return [
      (this.width - width * scale) / 2,
      Math.max(12, Math.min(40, (this.height - height * scale) / 2)),
      scale,
    ];
  }

  /**
   * Glide only as far as needed to bring a box (in the drawing's measure) into view.
   * @param {number} left @param {number} top @param {number} right @param {number} bottom
   *
   */
  reveal(left, top, right, bottom, margin = 36) {
    const [x1, y1, x2, y2] = [
      this.x + left * this.scale,
      this.y + top * this.scale,
      this.x + right * this.scale,
      this.y + bottom * this.scale,
    ];
    /** @param {number} low @param {number} high @param {number} size */
    const shift = (low, high, size) =>
      high - low > size - 2 * margin
        ? size / 2 - (low + high) / 2
        : low < margin
          ? margin - low
          : high > size - margin
            ? size - margin - high
            : 0;
    const [dx, dy] = [shift(x1, x2, this.width), shift(y1, y2, this.height)];
    if (dx || dy) this.glide(this.x + dx, this.y + dy, this.scale);
  }

  stop() {
    cancelAnimationFrame(this.frame);
  }
}

// Of a large tree only what lies in the window is drawn: the rest is taken out of the picture while the camera moves.

const FROM = 400; // nodes: smaller trees are drawn as a whole
const MARGIN = 160; // pixels beyond the window that are drawn too

export class Culling {
  /**
   * `xs[i]`: where item i stands; `hide(i, hidden)` takes it out or puts it back.
   * @param {number[]} xs @param {(i: number, hidden: boolean) => void} hide
   */
  constructor(xs, hide) {
    this.hide = hide;
    this.order = [...xs.keys()].sort((a, b) => xs[a] - xs[b]);
    this.sorted = this.order.map((i) => xs[i]);
    this.from = 0;
    this.to = this.order.length;
    this.on = xs.length > FROM;
  }

  /** Show what lies between two places of the drawing. @param {number} left @param {number} right @param {number} scale */
  show(left, right, scale) {
    if (!this.on) return;
    const [from, to] = [this.find(left - MARGIN / scale), this.find(right + MARGIN / scale)];
    this.turn(this.from, Math.min(this.to, from), true);
    this.turn(Math.max(this.from, to), this.to, true);
    this.turn(from, Math.min(to, this.from), false);
    this.turn(Math.max(from, this.to), to, false);
    [this.from, this.to] = [from, to];
  }

  /** @param {number} from @param {number} to @param {boolean} hidden */
  turn(from, to, hidden) {
    for (let i = from; i < to; i += 1) this.hide(this.order[i], hidden);
  }

  /** The first item at or to the right of a place. @param {number} x */
  find(x) {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sorted[middle] < x) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
