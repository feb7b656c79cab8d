// The vertical magnification: it follows what moves, quickly when something leaves the picture,
// slowly back when it dies away, and not while a finger holds on. Pure.

const OUT = 0.06, BACK = 2.4, FORGET = 0.7, ROOM = 1.15; // s, s, s, times the peak

const REACH = { string: (b) => 0.006 * b.length, plate: (b) => Math.min(0.008 * b.length, 3e-3), modal: () => 6e-3, mass: () => 5e-3 };

/** How far a finger moves a body, m: a pull to the edge of its row. */
export const reachOf = (body) => (REACH[body.kind] ?? REACH.mass)(body);

/** The range (m, from the resting line to the edge) that a row shows. */
export class Zoom {
  /** @param {number} start m, what is shown at rest @param {number} least m, what it shows at least */
  constructor(start, least = 0.5 * start) {
    this.least = least;
    this.range = start;
    this.peak = 0;
    this.shown = 0;
  }

  /** @param {number} high m, the largest displacement now @param {number} dt s @param {boolean} held a finger is down
   *  @returns {number} the range */
  update(high, dt, held) {
    this.peak = Math.max(high, this.peak * Math.exp(-dt / FORGET));
    const aim = Math.max(ROOM * this.peak, this.least);
    const after = aim > this.range ? OUT : BACK;
    if (held && aim < this.range) return this.range;
    this.range *= Math.exp(Math.log(aim / this.range) * (1 - Math.exp(-dt / after)));
    return this.range;
  }

  /** The factor to be written: two digits, and it stays while the true one is within 6 % of it. */
  label(factor) {
    if (!(Math.abs(factor - this.shown) <= 0.06 * this.shown)) this.shown = round2(factor);
    return this.shown;
  }
}

/** Rounded to two digits. */
export function round2(x) {
  if (!(x > 0) || !Number.isFinite(x)) return 0;
  const step = 10 ** (Math.floor(Math.log10(x)) - 1);
  return Math.round(x / step) * step;
}

/** A length of 1, 2 or 5 times a power of ten that is at most `most` m, as a bar.
 *  @returns {{length:number, text:string}} */
export function ruler(most) {
  if (!(most > 0)) return { length: 0, text: "" };
  const power = 10 ** Math.floor(Math.log10(most) + 1e-9);
  const length = [5, 2, 1].map((m) => m * power).find((l) => l <= most * (1 + 1e-9)) ?? power;
  return { length, text: metres(length) };
}

/** A length with its unit, to two digits. */
export function metres(x) {
  const a = Math.abs(x);
  const [unit, by] = a >= 0.9995 ? ["m", 1] : a >= 0.01 ? ["cm", 100] : a >= 1e-3 * 0.9995 ? ["mm", 1e3] : a >= 1e-6 * 0.9995 ? ["µm", 1e6] : ["nm", 1e9];
  return `${Number((x * by).toPrecision(2))} ${unit}`;
}

/** Linear up to `edge` pixels, then ever slower: what flies far stays in sight. */
export function squeeze(y, edge) {
  const a = Math.abs(y);
  return a <= edge ? y : Math.sign(y) * edge * (1 + 0.22 * Math.log(a / edge));
}

/** Height on screen of displacement u in a row: far away it is squeezed into sight. */
export const rise = (row, scale, u) => -squeeze(u * scale, row.half);
