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

  /**
   * Show what lies between two places of the drawing.
   * @param {number} left @param {number} right @param {number} scale
   */
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
