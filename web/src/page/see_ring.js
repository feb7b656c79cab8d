// The last frames, copied into memory that is allocated once for a scene. Pure.

/** Numbers of one frame of a layout. */
export function floatsOf(layout) {
  let sum = 0;
  for (const body of layout.bodies) sum += body.points || 0;
  for (const link of layout.links) sum += 2 * (link.points || 0);
  return Math.max(sum, 1);
}

/** A ring of frames: push copies, at(i) reads; 0 is the oldest. Frames may have different layouts (notes of other
 *  pitches have other strings); one that is larger than any before empties the ring. */
export class Ring {
  /** @param {object} layout {bodies, links} of most frames @param {number} room how many frames it holds @param {number} floats at most, over all */
  constructor(layout, room = 600, floats = 4e6) {
    this.most = room;
    this.floats = floats;
    this.layout = layout;
    this.make(floatsOf(layout));
  }

  make(size) {
    this.size = size;
    this.room = Math.max(Math.min(this.most, Math.floor(this.floats / size)), 30);
    this.data = new Float32Array(this.room * size);
    this.slots = [];
    this.count = 0;
    this.next = 0;
  }

  /** The frame whose arrays are views into slot n; made anew only when the layout changes. */
  slot(n, layout) {
    let frame = this.slots[n];
    if (frame && (!layout || frame.layout === layout)) return frame;
    layout ??= this.layout;
    let at = n * this.size;
    const view = (one) => this.data.subarray(at, (at += one.points || 0));
    frame = { time: 0, frames: 0, which: "hand", layout, shapes: layout.bodies.map(view), forces: layout.links.map(view), penetrations: layout.links.map(view),
      energy: { kinetic: 0, elastic: 0, contact: 0, supplied: 0, dissipated: 0, total: 0, residual: 0, scale: 0 } };
    this.slots[n] = frame;
    return frame;
  }

  /** Copies a frame in; the oldest goes when there is no room. @returns {object} the copy */
  push(frame) {
    const layout = frame.layout ?? this.layout;
    if (layout !== this.layout && layout !== this.known) {
      const need = floatsOf(layout);
      if (need > this.size) this.make(need);
      this.known = layout;
    }
    const to = this.slot(this.next, layout);
    to.time = frame.time;
    to.frames = frame.frames;
    to.which = frame.which;
    copy(to.shapes, frame.shapes);
    copy(to.forces, frame.forces);
    copy(to.penetrations, frame.penetrations);
    const e = frame.energy;
    if (e) for (const key in to.energy) to.energy[key] = e[key] ?? 0;
    this.next = (this.next + 1) % this.room;
    if (this.count < this.room) this.count++;
    return to;
  }

  /** The i-th frame, 0 the oldest; null: there is none. */
  at(i) {
    if (!(i >= 0 && i < this.count)) return null;
    return this.slots[(this.next - this.count + i + 2 * this.room) % this.room];
  }

  get last() { return this.at(this.count - 1); }
}

function copy(to, from) {
  for (let i = 0; i < to.length; i++) {
    const a = from?.[i], b = to[i];
    if (a && a.length === b.length) b.set(a);
    else b.fill(0);
  }
}
