// The stage: a canvas with the bodies of the scene, drawn from frames.
import { arrange, chainReach, end, moves, place, shapeAt } from "./stage_layout.js";
import { Zoom, reachOf, ruler } from "./stage_scale.js";
import { draw } from "./stage_draw.js";
import { shades } from "./stage_plate.js";
import { Touch } from "./stage_touch.js";
import { drawTouch } from "./stage_hand.js";

const GLOW = 0.12; // s
const density = () => Math.min(globalThis.devicePixelRatio || 1, 3); // pixels of the screen for one of the page

export class Stage {
  /** @param {HTMLCanvasElement} canvas @param {object} app */
  constructor(canvas, app) {
    this.canvas = canvas;
    this.app = app;
    this.ctx = canvas.getContext("2d");
    this.scene = null;
    this.frame = null;
    this.before = [];
    this.width = this.height = 300;
    this.dense = 1;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.drawn = 0;
    this.cost = 0; // ms, mean of a picture
    this.view = { ctx: this.ctx, ghosts: [], scale: [], glow: [], walls: [], bowPlace: new Map(), held: null, small: false };
    this.touch = new Touch(this);
    this.colours();
    new ResizeObserver(() => this.resize()).observe(canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.colours());
    this.tick = this.tick.bind(this);
    requestAnimationFrame(this.tick);
  }

  /** A new scene, at rest. @param {object} scene SceneInfo */
  open(scene) {
    this.touch.lift();
    this.info = scene;
    this.known = new Map(); // layout -> what is drawn of it
    this.zooms = new Map(); // kind of row -> its scale
    this.loudest = 0;
    this.longest = Math.max(...scene.bodies.map((b) => (b.kind === "string" ? b.length : 0)), 0);
    this.view.bowPlace.clear();
    this.frame = restFrame(scene);
    this.before = [];
    this.use(this.frame.layout);
  }

  /** Bodies and links as a frame has them: a note of another pitch has another string. */
  use(layout) {
    const { view } = this;
    let it = this.known.get(layout);
    if (!it) {
      if (this.known.size > 40) this.known.clear();
      const scene = { ...this.info, bodies: layout.bodies, links: layout.links }, plan = arrange(scene);
      it = { scene, plan, glow: scene.links.map((l) => new Float32Array(l.points || 0)), walls: scene.links.map((l) => walls(scene, l)), steady: scene.links.map((l) => new Float32Array(l.points || 0)), families: families(plan.rows) };
      this.known.set(layout, it);
      for (const row of plan.rows) if (!this.zooms.has(row.kind)) this.zooms.set(row.kind, new Zoom(...rowRange(scene, row)));
    }
    this.layout = layout;
    this.scene = it.scene;
    this.families = it.families;
    Object.assign(view, { scene: it.scene, plan: it.plan, glow: it.glow, walls: it.walls, scale: [] });
    this.steady = it.steady;
    this.lay();
    this.touch.open();
    this.changed = true;
  }

  /** The frame to be shown. @param {object} frame @param {object[]} before frames before it, the newest first */
  show(frame, before = []) {
    if (frame.layout && frame.layout !== this.layout) this.use(frame.layout);
    this.frame = frame;
    this.before = before;
    this.changed = true;
  }

  /** A jump in time: nothing of the past is blended in. */
  jump() {
    for (const light of this.view.glow) light.fill(0);
    this.jumped = true;
  }

  resize() {
    const box = this.canvas.getBoundingClientRect(), dense = density();
    this.width = Math.max(box.width, 50);
    this.height = Math.max(box.height, 50);
    const w = Math.round(this.width * dense), h = Math.round(this.height * dense);
    if (this.canvas.width !== w || this.canvas.height !== h) {
      this.canvas.width = w;
      this.canvas.height = h;
    }
    this.dense = dense;
    this.view.small = this.width < 560;
    this.view.width = this.width;
    this.changed = true;
    if (!this.scene) return;
    this.lay();
    this.paint(0);
  }

  /** Places rows on the canvas. */
  lay() {
    const { small } = this.view;
    place(this.scene, this.view.plan, { width: this.width, height: this.height, longest: this.longest, side: small ? 18 : 40, right: small ? 78 : 98, top: small ? 72 : 76, bottom: small ? 40 : 44 });
    for (const rows of this.families) for (const r of rows) this.view.scale[r] = this.view.plan.rows[r].half / this.zoom(rows).range;
  }

  zoom(rows) { return this.zooms.get(this.view.plan.rows[rows[0]].kind); }

  colours() {
    const style = getComputedStyle(document.documentElement), get = (name) => style.getPropertyValue(`--${name}`).trim();
    const ink = {};
    for (const name of ["paper", "card", "ink", "soft", "line", "accent", "contact", "string", "wood", "edge", "metal", "shine", "mesh", "shadow"]) ink[name] = get(name);
    ink.small = "12px system-ui, 'Segoe UI', Roboto, sans-serif";
    ink.plate = shades(...["plate-dark", "plate-mid", "plate-light"].map((name) => rgb(get(name))));
    this.view.ink = ink;
    this.view.spark = spark(rgb(ink.contact));
    this.changed = true;
  }

  tick(now) {
    requestAnimationFrame(this.tick);
    if (density() !== this.dense) this.resize(); // the window is on another screen
    const since = (now - this.drawn) / 1000;
    if (!this.scene || (!this.changed && !this.lively && !(this.inviting && !this.calm.matches)) || (this.calm.matches && since < 0.08)) return;
    this.drawn = now;
    this.paint(Math.min(since, 0.1));
  }

  /** Draws now. @param {number} dt s since the last picture */
  paint(dt) {
    const begin = performance.now(), { ctx, view, frame } = this;
    this.changed = false;
    this.follow(frame, dt);
    view.ghosts = this.calm.matches ? [] : this.before.filter((one) => (one.layout ?? this.layout) === this.layout);
    ctx.setTransform(this.dense, 0, 0, this.dense, 0, 0);
    ctx.clearRect(0, 0, this.width, this.height);
    draw(view, frame);
    drawTouch(this);
    this.rulers();
    this.cost += 0.05 * (performance.now() - begin - this.cost);
  }

  /** Scales, glow and barriers follow the frame. */
  follow(frame, dt) {
    const { view, scene } = this, held = this.touch.holding;
    this.families.forEach((rows) => {
      let high = 0;
      for (const r of rows) high = Math.max(high, highest(view.plan.rows[r], frame));
      const zoom = this.zoom(rows);
      if (this.jumped) zoom.update(high, 0.25, false);
      else zoom.update(high, dt, held);
      for (const r of rows) view.scale[r] = view.plan.rows[r].half / zoom.range;
    });
    const jumped = this.jumped;
    this.jumped = false;
    let now = 0;
    for (const list of frame.forces) for (let j = 0; j < list.length; j++) { const f = Math.abs(list[j]); if (f > now) now = f; }
    this.loudest = Math.max(now, this.loudest * Math.exp(-dt / 4));
    const fade = this.calm.matches ? 0 : Math.exp(-dt / GLOW), settle = 1 - Math.exp(-dt / 0.5);
    this.lively = false;
    scene.links.forEach((link, l) => {
      const light = view.glow[l], force = frame.forces[l], steady = this.steady[l];
      if (link.kind === "spring" || !force) return;
      for (let j = 0; j < light.length; j++) {
        if (jumped) steady[j] = 0;
        const f = Math.abs(force[j]), change = Math.min(Math.abs(f - steady[j]) / (f + 1e-12), 1);
        steady[j] += settle * (f - steady[j]);
        const bright = this.loudest > 0 ? Math.sqrt(f / this.loudest) * (0.3 + 0.7 * change) : 0; // what only rests glows faintly
        light[j] = Math.max(bright, light[j] * fade);
        if (light[j] > 0.03 && bright < light[j]) this.lively = true;
      }
      this.wall(link, l, frame);
    });
  }

  /** A barrier is where its penetration says: inputs may move it. */
  wall(link, l, frame) {
    const { scene, view } = this, i = moves(scene, link.above) ? link.above : link.below;
    if (link.kind !== "contact" || (moves(scene, link.above) && moves(scene, link.below)) || !moves(scene, i)) return;
    const mine = end(link, i), wall = view.walls[l], depth = frame.penetrations[l];
    if (!depth || link.law === "centre-limited") return;
    const range = this.zooms.get(view.plan.rows[view.plan.row[i]]?.kind)?.range ?? 1;
    for (let j = 0; j < wall.length; j++) {
      const is = shapeAt(scene.bodies[i], frame.shapes[i], mine.at[j], mine.y[j]) + mine.side * depth[j];
      if (!Number.isFinite(is) || Math.abs(is - wall[j]) < 0.04 * range) continue;
      wall[j] += 0.3 * (is - wall[j]);
    }
  }

  /** How much each row is magnified, and how long a millimetre is in it. */
  rulers() {
    const { ctx, view } = this, ink = view.ink;
    this.families.forEach((rows) => {
      const row = view.plan.rows[rows[0]], scale = view.scale[rows[0]], zoom = this.zoom(rows);
      const bar = ruler((row.half * 0.7) / scale), high = bar.length * scale, x = this.width - (view.small ? 12 : 18);
      const times = row.ppm > 0 ? zoom.label(scale / row.ppm) : 0, flat = row.kind === "chain" && !row.upright;
      const y = flat ? row.base + row.radius + 40 : Math.min(row.base, row.bottom - 10);
      ctx.strokeStyle = ink.soft;
      ctx.lineWidth = 1.5;
      ctx.beginPath();
      if (flat) { ctx.moveTo(x - high, y); ctx.lineTo(x, y); ctx.moveTo(x, y - 3); ctx.lineTo(x, y + 3); ctx.moveTo(x - high, y - 3); ctx.lineTo(x - high, y + 3); }
      else { ctx.moveTo(x, y); ctx.lineTo(x, y - high); ctx.moveTo(x - 3, y); ctx.lineTo(x + 3, y); ctx.moveTo(x - 3, y - high); ctx.lineTo(x + 3, y - high); }
      ctx.stroke();
      ctx.font = ink.small;
      ctx.textAlign = "right";
      ctx.lineWidth = 3;
      ctx.lineJoin = "round";
      ctx.strokeStyle = ink.card;
      ctx.fillStyle = ink.soft;
      const text = (words, ty) => { ctx.strokeText(words, flat ? x : x - 7, ty); ctx.fillText(words, flat ? x : x - 7, ty); };
      text(bar.text, flat ? y - 8 : y - high / 2 + 4);
      if (times) text(`× ${times.toLocaleString("en")}`, flat ? y + 18 : y - high / 2 - 12);
    });
  }
}

/** Rows of one kind have one scale. */
function families(rows) {
  const list = new Map();
  rows.forEach((row, r) => {
    if (!list.has(row.kind)) list.set(row.kind, []);
    list.get(row.kind).push(r);
  });
  return [...list.values()];
}

/** What a row shows before anything moves, and the least that it shows, m. */
function rowRange(scene, row) {
  if (row.kind === "chain") return [chainReach(scene, row), 0.25 * chainReach(scene, row)];
  const reach = Math.max(...row.bodies.map((i) => reachOf(scene.bodies[i])), 1e-9);
  return row.kind === "string" ? [0.25 * reach, 0.12 * reach] : [0.02 * reach, 5e-4 * reach];
}

function highest(row, frame) {
  let high = 0;
  row.bodies.forEach((i, n) => {
    const u = frame.shapes[i], off = row.offsets?.[n] || 0;
    for (let j = 0; j < u.length; j++) { const a = Math.abs(u[j] + off); if (a > high) high = a; }
  });
  return high;
}

/** Levels of a barrier: the displacement at which the body touches it. */
function walls(scene, link) {
  const wall = new Float32Array(link.points || 0), mine = moves(scene, link.above) ? 1 : -1;
  for (let j = 0; j < wall.length; j++) wall[j] = (Number.isFinite(link.height?.[j]) ? link.height[j] : 0) - mine * (Number.isFinite(link.gap) ? link.gap : 0);
  return wall;
}

/** The frame of a scene that nothing has touched. */
export function restFrame(scene) {
  const zero = { kinetic: 0, elastic: 0, contact: 0, supplied: 0, dissipated: 0, total: 0, residual: 0, scale: 0 };
  return { time: 0, frames: 0, which: "hand", layout: scene.layout ?? { bodies: scene.bodies, links: scene.links }, energy: zero, shapes: scene.bodies.map((b) => (b.rest?.length === b.points ? b.rest : new Float32Array(b.points || 0))),
    forces: scene.links.map((l) => new Float32Array(l.points || 0)), penetrations: scene.links.map((l) => new Float32Array(l.points || 0).fill(NaN)) };
}

function rgb(colour) {
  const hex = /^#(..)(..)(..)$/.exec(colour);
  return hex ? hex.slice(1).map((h) => parseInt(h, 16)) : [128, 128, 128];
}

/** The light of a contact. */
function spark([r, g, b]) {
  const canvas = document.createElement("canvas"), size = 96;
  canvas.width = canvas.height = size;
  const ctx = canvas.getContext("2d"), light = ctx.createRadialGradient(size / 2, size / 2, 0, size / 2, size / 2, size / 2);
  const at = (stop, alpha) => light.addColorStop(stop, `rgba(${r},${g},${b},${alpha})`);
  light.addColorStop(0, `rgba(255,236,200,1)`);
  at(0.09, 1);
  at(0.2, 0.62);
  at(0.5, 0.16);
  at(1, 0);
  ctx.fillStyle = light;
  ctx.fillRect(0, 0, size, size);
  return canvas;
}
