// Fingers, mouse and keys on the stage: press, pluck, strike, slide, hold a mass, lead a bow, throw a hammer.
import { chainReach, moves, placeAt, project, shapeAt } from "./stage_layout.js";
import { bowAt, bowHeight } from "./stage_link.js";
import { chainAt, massAt, massRadius } from "./stage_mass.js";
import { reachOf, rise } from "./stage_scale.js";

const FINGERS = 4, NEAR = 64, TAP = 0.25, LEAST = 70; // px; part of the reach; ms that a tap presses at least
const point = [0, 0];

export class Touch {
  constructor(stage) {
    this.stage = stage;
    this.canvas = stage.canvas;
    this.hands = new Map(); // pointerId -> hand
    this.cursor = { body: 0, along: 0.8, shown: false };
    const on = (name, f) => this.canvas.addEventListener(name, f);
    on("pointerdown", (e) => this.down(e));
    on("pointermove", (e) => this.move(e));
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) on(name, (e) => this.up(e));
    on("keydown", (e) => this.key(e));
    on("keyup", (e) => this.keyUp(e));
    on("blur", () => { this.liftHand("keys"); this.cursor.shown = false; stage.changed = true; });
    on("focus", () => { if (this.canvas.matches(":focus-visible")) { this.cursor.shown = true; stage.changed = true; } });
    on("contextmenu", (e) => e.preventDefault());
  }

  /** A finger holds a body: the scale stays. */
  get holding() { return this.hands.size > 0; }

  /** A new scene. */
  open() {
    const { scene } = this.stage, plan = this.stage.view.plan;
    this.bodies = plan.rows.flatMap((row) => [...row.bodies, ...row.masses]).filter((i, n, all) => all.indexOf(i) === n && !scene.bodies[i].driven);
    const first = this.bodies.findIndex((i) => scene.bodies[i].kind !== "mass");
    this.cursor.body = Math.max(first, 0);
    this.inputs = bowInputs(scene);
    this.trigger = scene.knobs.find((k) => k.trigger) ?? null;
    this.hammer = scene.bodies.findIndex((b) => b.kind === "mass" && !b.driven && (this.trigger || /hammer|mallet|stick|beater/.test(b.name)));
  }

  lift() { for (const id of [...this.hands.keys()]) this.liftHand(id); }

  at(e) {
    const box = this.canvas.getBoundingClientRect();
    return [e.clientX - box.left, e.clientY - box.top];
  }

  /** What is under a pixel: a bow, a mass, or the nearest long body. */
  find(px, py) {
    const { view, scene, frame } = this.stage;
    for (const link of scene.links) {
      if (link.kind !== "bow") continue;
      bowAt(view, frame, link, point);
      const high = bowHeight(view, link) + 16;
      if (Math.abs(px - point[0]) < 22 && Math.abs(py - point[1]) < high && (Math.abs(py - point[1]) > 16 || Math.abs(px - point[0]) < 9)) return { kind: "bow", link };
    }
    const mass = this.massUnder(px, py);
    if (mass) return mass;
    let best = null, least = NEAR;
    for (const i of this.bodies) {
      const body = scene.bodies[i], r = view.plan.row[i], row = view.plan.rows[r];
      if (body.kind === "mass" || row.kind === "chain") continue;
      const away = this.distance(row, r, i, px, py);
      if (away < least) { least = away; best = { kind: body.kind === "plate" ? "plate" : "line", body: i, row: r }; }
    }
    return best;
  }

  massUnder(px, py) {
    const { view, scene, frame } = this.stage, grip = Math.max(massRadius(view) + 11, 22);
    let best = null, least = Infinity;
    const near = (i, r, flat, reach) => {
      const d = Math.hypot(px - point[0], py - point[1]);
      if (d < reach && d < least && !scene.bodies[i].driven) { least = d; best = { kind: "mass", body: i, row: r, flat }; }
    };
    view.plan.seats.forEach((list, i) => list.forEach((seat) => near(i, seat.row, false, (massAt(view, seat, frame.shapes[i][0], point), grip))));
    view.plan.rows.forEach((row, r) => {
      if (row.kind === "chain") row.bodies.forEach((i, n) => near(i, r, !row.upright, (chainAt(row, n, frame.shapes[i][0], view.scale[r], point), row.radius + 14)));
    });
    return best;
  }

  distance(row, r, i, px, py) {
    const { view, scene, frame } = this.stage, body = scene.bodies[i];
    if (row.kind === "modal") {
      if (row.bodies[0] !== i) return Infinity;
      return px < row.x0 - row.step || px > row.x1 + row.step || py < row.top || py > row.bottom ? Infinity : 5;
    }
    const where = placeAt(row, body, px, py);
    if (body.kind === "plate") {
      project(row, body, where.x, where.y, point);
      return Math.hypot(px - point[0], py - point[1]) * 0.5;
    }
    if (row.kind === "plate") { // a wire under it
      const x = Math.min(Math.max((px - row.x0) / row.ppm, 0), body.length);
      return py > row.base + 6 && x >= 0 ? Math.abs(py - row.base - row.drop) + 4 : Infinity;
    }
    const side = Math.max(row.x0 - px, px - row.x1, 0), n = row.bodies.indexOf(i);
    const y = row.base + rise(row, view.scale[r], shapeAt(body, frame.shapes[i], where.x) + (row.offsets[n] || 0));
    return Math.abs(py - y) + side;
  }

  /** A free finger of the engine, 0 .. 3. */
  freeFinger() {
    const used = new Set([...this.hands.values()].map((h) => h.finger));
    for (let i = 0; i < FINGERS; i++) if (!used.has(i)) return i;
    return -1;
  }

  down(e) {
    if (!this.stage.scene || (e.pointerType === "mouse" && e.button !== 0)) return;
    const [px, py] = this.at(e), found = this.find(px, py);
    this.stage.app.emit("gesture", { found });
    if (!found) return;
    this.canvas.focus({ preventScroll: true, focusVisible: false });
    this.cursor.shown = false;
    e.preventDefault();
    try { this.canvas.setPointerCapture(e.pointerId); } catch { /* a made-up event of a test */ }
    this.begin(e.pointerId, found, px, py);
  }

  begin(id, found, px, py) {
    this.end(id);
    const { stage } = this, finger = found.kind === "bow" ? -2 : this.freeFinger();
    if (finger === -1) return;
    const hand = { ...found, finger, px, py, startX: px, startY: py, since: performance.now(), moved: false };
    this.hands.set(id, hand);
    if (found.kind === "bow") this.bowDown(hand);
    else {
      if (found.kind === "mass") hand.held = stage.frame.shapes[found.body][0];
      hand.lifts = liesOn(stage.scene, found.body);
      this.send(hand);
      if (found.kind === "plate") this.deepen(id, hand);
    }
    stage.changed = true;
  }

  /** A finger that stays on a plate presses deeper for a moment. */
  deepen(id, hand) {
    const step = () => {
      if (this.hands.get(id) !== hand || performance.now() - hand.since > 260) return;
      this.send(hand);
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  move(e) {
    const hand = this.hands.get(e.pointerId), [px, py] = this.at(e);
    if (!hand || hand.lifted) {
      if (e.pointerType === "mouse" && this.stage.scene) this.hover(px, py);
      return;
    }
    hand.px = px;
    hand.py = py;
    if (Math.hypot(px - hand.startX, py - hand.startY) > 5) hand.moved = true;
    if (hand.kind === "bow") this.bowMove(hand);
    else this.send(hand);
    this.stage.changed = true;
  }

  hover(px, py) {
    const found = this.find(px, py);
    this.canvas.style.cursor = !found ? "default" : found.kind === "bow" || found.kind === "mass" ? "grab" : "pointer";
  }

  up(e) { this.liftHand(e.pointerId); }

  /** Plucks what was touched before there was sound. */
  pluck(found) {
    const held = [...this.hands.values()].filter((hand) => !hand.lifted); // a tap that ends would end at once
    if (held.length) { for (const hand of held) if (hand.kind !== "bow") this.send(hand); return; }
    const cursor = this.cursor.body, at = this.bodies.indexOf(found.body);
    if (at < 0) return;
    this.cursor.body = at;
    this.keyPluck();
    this.cursor.body = cursor;
    setTimeout(() => this.liftHand("keys"), 60);
  }

  /** Lifts a hand; a quick tap presses for a moment at least. */
  liftHand(id) {
    const hand = this.hands.get(id);
    if (!hand || hand.lifted) return;
    hand.lifted = true;
    const late = Math.max(LEAST - (performance.now() - hand.since), 0);
    hand.go = () => {
      clearTimeout(hand.timer);
      this.hands.delete(id);
      if (hand.kind === "bow") this.bowUp(hand);
      else if (hand.finger >= 0) this.engine.finger(hand.finger, { body: hand.body, x: hand.x ?? 0, y: hand.y ?? 0, press: null });
      if (hand.body === this.hammer && !hand.moved) this.throwHammer();
      this.stage.changed = true;
    };
    if (late > 4 && hand.kind !== "bow") hand.timer = setTimeout(hand.go, late);
    else hand.go();
  }

  /** Lifts a hand at once, before the same pointer or key presses again. */
  end(id) {
    this.liftHand(id);
    this.hands.get(id)?.go();
  }

  get engine() { return this.stage.app.engine; }

  /** A tapped hammer is thrown: by the trigger of the scene while a note sounds, else with a note. */
  throwHammer() {
    const { app } = this.stage;
    if (this.trigger && app.status?.voices > 0) this.engine.knob(this.trigger.name, Math.min(Math.max(1, this.trigger.min), this.trigger.max));
    else app.play?.();
  }

  /** Tells the engine where a finger is. */
  send(hand) {
    const { scene, view } = this.stage, body = scene.bodies[hand.body], row = view.plan.rows[hand.row];
    const dx = hand.px - hand.startX, dy = hand.py - hand.startY;
    const metre = (reach) => reach / Math.max(row.half, 90); // of a pixel
    if (hand.kind === "mass") {
      const reach = row.kind === "chain" ? chainReach(scene, row) : Math.max(reachOf(body), 1.5 * Math.abs(this.stage.info.bodies[hand.body].rest?.[0] ?? 0));
      hand.press = hand.held + (hand.flat ? dx : -dy) * metre(reach);
      if (hand.finger >= 0) this.engine.finger(hand.finger, { body: hand.body, x: 0, y: 0, press: hand.press });
      return;
    }
    const where = placeAt(row, body, hand.px, hand.py), reach = reachOf(body);
    hand.x = where.x;
    hand.y = where.y;
    if (hand.kind === "plate") hand.press = reach * (TAP + Math.min((performance.now() - hand.since) / 250, 1) * (1 - TAP));
    else {
      const drag = Math.max(Math.abs(dy) - 5, 0), up = body.kind === "string" && (drag > 0 ? dy < 0 : hand.lifts);
      hand.press = (up ? -1 : 1) * (TAP * reach + drag * metre(reach)); // modal bodies are pressed from above only
    }
    // What is shown may be a note with a shorter string; the hand plays the scene's own.
    const own = this.stage.info.bodies[hand.body], times = own.length && body.length ? own.length / body.length : 1;
    if (hand.finger >= 0) this.engine.finger(hand.finger, { body: hand.body, x: hand.x * times, y: hand.y, press: hand.press });
  }

  // Bows ------------------------------------------------------------------------------------------
  /** Touching the bow draws it: a note as long as it is held; across the string it moves, down it presses. */
  bowDown(hand) {
    const { scene, view } = this.stage;
    view.held = hand.link.name;
    hand.from = bowStart(this.inputs);
    if (scene.takesNotes) {
      hand.note = ownKey(scene);
      this.engine.noteOn(hand.note, 0.7);
      // A bow that the scene draws for a while is drawn again for as long as it is held.
      const stroke = scene.knobs.find((k) => k.name === "stroke" && k.unit === "s");
      if (stroke) hand.again = setInterval(() => { this.engine.noteOff(hand.note); this.engine.noteOn(hand.note, 0.7); }, 950 * stroke.value);
    }
    const { velocity } = this.inputs;
    if (velocity) this.turn(velocity, velocity.fallback || velocity.max);
  }

  bowMove(hand) {
    const { scene, view } = this.stage, { place, force } = this.inputs;
    const i = moves(scene, hand.link.above) ? hand.link.above : hand.link.below, row = view.plan.rows[view.plan.row[i]];
    if (place) {
      const at = placeAt(row, scene.bodies[i], hand.px, hand.py).x, mine = hand.link.above === i ? hand.link.atAbove : hand.link.atBelow;
      const value = clamp(placeToInput(place, mine[0], at), place);
      view.bowPlace.set(hand.link.name, inputToPlace(place, mine[0], value));
      this.turn(place, value);
    }
    if (force) this.turn(force, clamp(hand.from.force + ((hand.py - hand.startY) / 130) * (force.max - force.min) * 0.7, force));
  }

  bowUp(hand) {
    this.stage.view.held = null;
    clearInterval(hand.again);
    if (hand.note !== undefined) this.engine.noteOff(hand.note);
    if (this.inputs.force) this.turn(this.inputs.force, this.inputs.force.fallback);
  }

  turn(knob, value) {
    this.engine.knob(knob.name, value);
    this.stage.app.emit("turned", { name: knob.name, value });
  }

  // Keys ------------------------------------------------------------------------------------------
  key(e) {
    const { scene, app } = this.stage, cursor = this.cursor;
    if (!scene || e.ctrlKey || e.metaKey || e.altKey || !this.bodies.length) return;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[e.key];
    if (steps !== undefined) {
      cursor.shown = true;
      if (e.key === "ArrowLeft" || e.key === "ArrowRight") cursor.along = Math.min(Math.max(cursor.along + steps * (e.shiftKey ? 0.1 : 0.02), 0.01), 0.99);
      else cursor.body = (cursor.body + steps + this.bodies.length) % this.bodies.length;
      app.emit("say", this.cursorWords());
      const hand = this.hands.get("keys");
      if (hand && !hand.lifted) { this.cursorAt(point); hand.px = point[0]; this.send(hand); }
    } else if (e.key === " " || e.key === "Enter") {
      cursor.shown = true;
      if (!e.repeat) this.keyPluck();
    } else return;
    e.preventDefault();
    this.stage.changed = true;
  }

  keyUp(e) { if (e.key === " " || e.key === "Enter") this.liftHand("keys"); }

  keyPluck() {
    const { view } = this.stage, i = this.bodies[this.cursor.body], body = this.stage.scene.bodies[i], r = view.plan.row[i], row = view.plan.rows[r];
    this.stage.app.emit("gesture", { found: { body: i } });
    this.cursorAt(point);
    const kind = body.kind === "mass" ? "mass" : body.kind === "plate" ? "plate" : "line", flat = row.kind === "chain" && !row.upright;
    this.begin("keys", { kind, body: i, row: r, flat }, point[0], point[1]);
    const hand = this.hands.get("keys");
    if (!hand) return;
    if (kind === "mass") { if (flat) hand.px -= 0.5 * row.half; else hand.py -= 0.5 * row.half; }
    else if (kind === "line") hand.py += (hand.lifts ? -0.2 : 0.2) * row.half;
    this.send(hand);
  }

  /** Where the cursor of the keys is on screen. */
  cursorAt(out) {
    const { scene, view, frame } = this.stage, i = this.bodies[this.cursor.body], body = scene.bodies[i], r = view.plan.row[i], row = view.plan.rows[r];
    if (view.plan.seats[i].length) return massAt(view, view.plan.seats[i][0], frame.shapes[i][0], out);
    if (row.kind === "chain") return chainAt(row, row.bodies.indexOf(i), frame.shapes[i][0], view.scale[r], out);
    const along = body.kind === "modal" ? 1 + this.cursor.along * (body.points - 1) : this.cursor.along * body.length;
    project(row, body, along, body.kind === "plate" ? 0.45 * body.width : 0, out);
    if (row.kind === "plate" && body.kind === "string") out[1] += row.drop;
    return out;
  }

  cursorWords() {
    const { scene } = this.stage, body = scene.bodies[this.bodies[this.cursor.body]];
    if (body.kind === "mass") return `${body.name}. Space holds it.`;
    if (body.kind === "modal") return `${body.name}, place ${Math.round(1 + this.cursor.along * (body.points - 1))}. Space plucks.`;
    return `${body.name}, ${(this.cursor.along * body.length * 100).toFixed(1)} cm of ${(body.length * 100).toFixed(0)} cm. Space plucks.`;
  }
}

/** A string that lies on a barrier along it is lifted off by a tap, as players do. */
const liesOn = (scene, i) => scene.links.some((l) => l.kind === "contact" && l.distributed && l.above === i && !moves(scene, l.below));

const clamp = (x, knob) => Math.min(Math.max(x, knob.min), knob.max);

/** The inputs that a bow follows, by what they are called. */
export function bowInputs(scene) {
  const inputs = scene.links.some((l) => l.kind === "bow") ? scene.knobs.filter((k) => k.input && !k.trigger) : [];
  const find = (...words) => inputs.find((k) => words.some((w) => w.test(`${k.name}: ${k.label}`))) ?? null;
  return { place: find(/^place\b/, /\bbowed\b/, /^slide\b/), force: find(/^(lean|press|force)\b/, /force of the bow/), velocity: find(/velocity of the bow/) };
}

function bowStart(inputs) {
  const now = (k) => (k ? k.value ?? k.fallback : 0);
  return { force: now(inputs.force), place: now(inputs.place) };
}

/** An input that says where along the string: m, or in lengths of it, by where the link is at its fallback. */
export function placeToInput(knob, start, at) {
  if (knob.unit === "m") return knob.fallback + (at - start);
  return knob.fallback ? (at * knob.fallback) / start : at;
}
export function inputToPlace(knob, start, value) {
  if (knob.unit === "m") return start + (value - knob.fallback);
  return knob.fallback ? (value * start) / knob.fallback : value;
}

/** The key that plays a scene as it is written: that of the param which is its pitch, else a low one. */
export function ownKey(scene) {
  const keys = scene.keys ?? { lowest: 0, highest: 127 }, name = /\bpitch\s*=\s*"(\w+)"/.exec(scene.text ?? "")?.[1];
  const pitch = name ? Number(new RegExp(`param\\s*\\{\\s*"${name}"\\s*,\\s*([0-9.eE+-]+)`).exec(scene.text)?.[1]) : NaN;
  const key = pitch > 0 ? Math.round(69 + 12 * Math.log2(pitch / 440)) : 48;
  return Math.min(Math.max(key, keys.lowest), keys.highest);
}
