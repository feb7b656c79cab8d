// Energy over time, from the ring of frames, and the map of contacts.
import { balance, joules } from "./energy.js";
import { end, moves } from "./stage_layout.js";
import { marker, write } from "./see_mark.js";

const COLUMNS = 600, PARTS = ["kinetic", "elastic", "contact", "dissipated"];
const edges = PARTS.map(() => new Float64Array(COLUMNS)), given = new Float64Array(COLUMNS);

/** Stacked energies of the last frames; the dots are what was there or was supplied. */
export function drawEnergy(surface, ink, ring, scrub, note) {
  const { ctx, width, height } = surface;
  if (!ring || ring.count < 2) { if (note.textContent) note.textContent = ""; return; }
  const count = Math.min(ring.count, COLUMNS), from = ring.count - count;
  let top = 0;
  for (let i = 0; i < count; i++) {
    const b = balance(ring.at(from + i).energy);
    let sum = 0;
    for (let p = 0; p < 4; p++) edges[p][i] = sum += b.is[p];
    given[i] = b.from[0] + b.from[1];
    top = Math.max(top, sum);
  }
  if (!(top > 0)) top = 1;
  const x = (i) => width * (1 - (count - 1 - i) / COLUMNS), y = (v) => height - 2 - (v / top) * (height - 8);
  for (let p = 3; p >= 0; p--) {
    ctx.fillStyle = ink[PARTS[p]];
    ctx.beginPath();
    ctx.moveTo(x(0), height);
    for (let i = 0; i < count; i++) ctx.lineTo(x(i), y(edges[p][i]));
    ctx.lineTo(x(count - 1), height);
    ctx.fill();
  }
  ctx.strokeStyle = ink.given;
  ctx.lineWidth = 1.5;
  ctx.setLineDash([2, 3]);
  ctx.beginPath();
  for (let i = 0; i < count; i++) ctx.lineTo(x(i), y(given[i]));
  ctx.stroke();
  ctx.setLineDash([]);
  if (scrub > 0) marker(surface, ink, x(count - 1 - scrub));
  const span = ring.at(ring.count - 1).time - ring.at(from).time, words = `${seconds(span)}, up to ${joules(top)}`;
  if (note.textContent !== words) note.textContent = words;
}

/** A time with its unit. */
export function seconds(t) {
  const a = Math.abs(t);
  return a >= 1 ? `${t.toFixed(a >= 10 ? 0 : 1)} s` : a >= 1e-3 ? `${(1e3 * t).toFixed(a >= 0.1 ? 0 : 1)} ms` : `${(1e6 * t).toFixed(0)} µs`;
}

const ROWS = 150;

/** Place against time; force as colour. Each contact that has no places is a band of its own. */
export class ContactMap {
  constructor(scene, columns) {
    this.columns = columns;
    this.picture = document.createElement("canvas");
    this.picture.width = columns;
    this.picture.height = ROWS;
    this.ctx = this.picture.getContext("2d");
    this.at = 0;
    this.loud = 0;
    this.lanes = lanes(scene);
    this.colour = getComputedStyle(document.documentElement).getPropertyValue("--contact").trim();
  }

  theme(ink) { this.colour = ink.contact; }

  push(frame) {
    const { ctx, at } = this;
    ctx.clearRect(at, 0, 1, ROWS);
    let top = 0;
    if (frame.layout && frame.layout !== this.layout) {
      this.layout = frame.layout;
      this.lanes = lanes(frame.layout);
    }
    for (const lane of this.lanes) { const f = frame.forces[lane.link]; for (let j = 0; f && j < f.length; j++) top = Math.max(top, Math.abs(f[j])); }
    this.loud = Math.max(top, this.loud * 0.997);
    ctx.fillStyle = this.colour;
    for (const lane of this.lanes) {
      const force = frame.forces[lane.link];
      for (let j = 0; force && j < lane.y.length; j++) {
        const light = this.loud > 0 ? Math.sqrt(Math.abs(force[j]) / this.loud) : 0;
        if (light < 0.03) continue;
        ctx.globalAlpha = Math.min(light, 1);
        ctx.fillRect(at, lane.y[j] - lane.high / 2, 1, lane.high);
      }
    }
    ctx.globalAlpha = 1;
    this.at = (at + 1) % this.columns;
  }

  draw(surface, ink, scrub) {
    const { ctx, width, height } = surface, left = this.columns - this.at;
    ctx.strokeStyle = ink.line;
    ctx.fillStyle = ink.soft;
    ctx.font = ink.font;
    ctx.textAlign = "left";
    ctx.lineWidth = 1;
    ctx.drawImage(this.picture, this.at, 0, left, ROWS, 0, 0, (left / this.columns) * width, height);
    if (this.at > 0) ctx.drawImage(this.picture, 0, 0, this.at, ROWS, (left / this.columns) * width, 0, (this.at / this.columns) * width, height);
    const scale = height / ROWS;
    let written = -20;
    for (const lane of this.lanes) {
      ctx.strokeStyle = ink.line;
      ctx.lineWidth = 1;
      ctx.beginPath();
      ctx.moveTo(0, lane.bottom * scale);
      ctx.lineTo(width, lane.bottom * scale);
      ctx.stroke();
      const y = (lane.top * scale + lane.bottom * scale) / 2 + 4;
      if (y - written > 12) { write(ctx, ink, lane.name, 4, y); written = y; }
    }
    if (!this.lanes.length) ctx.fillText("This scene has no contacts.", 4, height / 2);
    if (scrub > 0) marker(surface, ink, width * (1 - scrub / this.columns));
  }
}

/** Lanes from top to bottom; a lane with places is three times as high as one without. */
function lanes(scene) {
  const list = scene.links.map((link, l) => ({ link: l, points: link.points, kind: link.kind, name: link.name })).filter((lane) => lane.kind !== "spring" && lane.points > 0);
  const weight = (lane) => (lane.points > 12 ? 6 : lane.points > 1 ? 3 : 1), total = list.reduce((sum, lane) => sum + weight(lane), 0);
  let y = 0;
  for (const lane of list) {
    const link = scene.links[lane.link], high = (ROWS * weight(lane)) / total;
    const body = moves(scene, link.below) && scene.bodies[link.below].kind === "string" ? link.below : moves(scene, link.above) ? link.above : link.below;
    const at = end(link, body).at, length = scene.bodies[body]?.length || 0;
    lane.top = y;
    lane.bottom = y + high;
    lane.high = lane.points > 1 ? Math.max((0.94 * high) / lane.points, 1.2) : 0.8 * high;
    let low = Infinity, far = -Infinity; // the part of the body that has contacts
    for (let j = 0; j < lane.points; j++) { low = Math.min(low, at[j]); far = Math.max(far, at[j]); }
    const spread = length > 0 && far > low;
    lane.y = Float32Array.from({ length: lane.points }, (_, j) => y + high * (spread ? 0.97 - 0.94 * ((at[j] - low) / (far - low)) : lane.points > 1 ? (j + 0.5) / lane.points : 0.5));
    y += high;
  }
  return list;
}
