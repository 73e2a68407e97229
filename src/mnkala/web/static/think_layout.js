// Where the nodes of a tree go: tidy drawing after Reingold and Tilford (1981), as mnkala/trace/layout.py does it for printed trees.
// Outlines are kept in narrow bands, so nodes may have any height and the many leaves of one parent hang below it in a column.

const BAND = 8;
const GAP = 10;
const ROW_GAP = 4;
const TALLEST = 9;
const FEWEST = 3;
const MANY = 60;

class Outline {
  constructor() {
    this.left = new Map();
    this.right = new Map();
  }

  cover(x, top, { width, height }) {
    for (let band = Math.floor(top / BAND); band <= Math.floor((top + height) / BAND); band += 1) this.widen(band, x - width / 2, x + width / 2);
  }

  widen(band, left, right) {
    this.left.set(band, Math.min(this.left.get(band) ?? left, left));
    this.right.set(band, Math.max(this.right.get(band) ?? right, right));
  }

  /** How far to the right another outline must go to clear this one. */
  distance(other) {
    let far = 0;
    for (const [band, left] of other.left) if (this.right.has(band)) far = Math.max(far, this.right.get(band) - left);
    return far + GAP;
  }

  add(other, shift) {
    for (const [band, left] of other.left) this.widen(band, left + shift, other.right.get(band) + shift);
    return this;
  }
}

/** `children[i]`: ids; `plies[i]`; `sizes[i]`: {width, height}. Answers {x, y, stacked, width, height}: centres of the upper edges. */
export function layOut(children, plies, sizes, level, stack) {
  const count = children.length;
  const fewest = count <= MANY ? FEWEST : 1;
  const offset = new Float64Array(count);
  const y = Float64Array.from(plies, (ply) => ply * level);
  const stacked = new Uint8Array(count);
  const outlines = new Array(count);
  for (let node = count - 1; node >= 0; node -= 1) {
    const below = children[node];
    let whole = new Outline();
    if (stack && below.length > fewest && below.every((child) => !children[child].length)) whole = column(below, sizes, offset, y, stacked);
    else if (below.length) whole = sideBySide(below, outlines, offset);
    for (const child of below) outlines[child] = undefined;
    whole.cover(0, y[node], sizes[node]);
    outlines[node] = whole;
  }
  return place(children, offset, y, stacked, sizes);
}

function sideBySide(below, outlines, offset) {
  const whole = new Outline().add(outlines[below[0]], 0);
  const shifts = [0];
  for (const child of below.slice(1)) {
    shifts.push(Math.max(whole.distance(outlines[child]), shifts.at(-1)));
    whole.add(outlines[child], shifts.at(-1));
  }
  const middle = shifts.at(-1) / 2;
  below.forEach((child, i) => { offset[child] = shifts[i] - middle; });
  return new Outline().add(whole, -middle);
}

function column(leaves, sizes, offset, y, stacked) {
  const columns = Math.ceil(leaves.length / TALLEST);
  const tall = Math.ceil(leaves.length / columns);
  const wide = Math.max(...leaves.map((leaf) => sizes[leaf].width)) + GAP;
  const tops = new Float64Array(columns);
  const outline = new Outline();
  leaves.forEach((leaf, i) => {
    const at = Math.floor(i / tall);
    offset[leaf] = (at - (columns - 1) / 2) * wide;
    y[leaf] += tops[at];
    tops[at] += sizes[leaf].height + ROW_GAP;
    stacked[leaf] = 1;
    outline.cover(offset[leaf], y[leaf], sizes[leaf]);
  });
  return outline;
}

function place(children, offset, y, stacked, sizes) {
  const x = new Float64Array(children.length);
  children.forEach((below, node) => { for (const child of below) x[child] = x[node] + offset[child]; });
  let [left, right, height] = [Infinity, -Infinity, 0];
  x.forEach((at, i) => {
    left = Math.min(left, at - sizes[i].width / 2);
    right = Math.max(right, at + sizes[i].width / 2);
    height = Math.max(height, y[i] + sizes[i].height);
  });
  return { x: x.map((at) => at - left), y, stacked, width: right - left, height };
}
