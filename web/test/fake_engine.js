// An engine without WebAssembly, for tests of the page: one string over a bent bridge, in JavaScript, with the interface of
// src/engine/engine.js. Not the physics of Sistrum: a plain scheme that is stable and looks alike. Define it before the page starts:
//   globalThis.sistrumEngine = await import("/test/fake_engine.js")

const RATE = 48000, N = 120, FINGERS = 4, LOSS = 1.5, FRAME = 1 / 60;

/** null, or the sentence that a test asks for. */
export function unsupported() { return globalThis.fakeUnsupported ?? null; }

const bridge = (x) => -0.02 * Math.max(x - 0.02, 0) ** 2;

function makeScene(text, name) {
  const places = Float64Array.from({ length: N + 1 }, (_, i) => i / N), inner = places.slice(1, N), none = new Float64Array(N - 1).fill(NaN);
  const bodies = [{ name: "string", kind: "string", driven: false, points: N + 1, length: 1, width: 0, segments: N, segmentsY: 0, places, rest: new Float32Array(N + 1) },
    { name: "bridge", kind: "barrier", driven: false, points: 0, length: 0, width: 0, segments: 0, segmentsY: 0, places: new Float64Array(0), rest: new Float32Array(0) }];
  const links = [{ name: "on the bridge", kind: "contact", above: 0, below: -1, points: N - 1, distributed: true, atAbove: inner, atBelow: none, yAbove: none, yBelow: none,
    height: inner.map(bridge), gap: 0, law: "one-sided", aboveName: "string", belowName: "bridge" }];
  const knob = { name: "thread", label: "thickness of the thread", unit: "m", value: 0, fallback: 0, min: 0, max: 2e-4, logarithmic: false, input: true, trigger: false, cc: 1 };
  return { name, title: "Fake tanpura", text, rate: RATE, oversample: 1, latency: 0, knobs: [knob], presets: ["No buzz"], takesNotes: true, pitched: true, keys: { lowest: 26, highest: 72 },
    voices: 8, soundInputs: 0, bodies, links, layout: { bodies, links }, probes: [{ name: "out", on: "string", quantity: "velocity", unit: "m/s" }], sceneRate: RATE, duration: 4 };
}

export class Engine extends EventTarget {
  constructor() {
    super();
    this.state = "off";
    this.rate = RATE;
    this.u = new Float64Array(N + 1);
    this.v = new Float64Array(N + 1);
    this.next = new Float64Array(N + 1);
    this.force = new Float32Array(N - 1);
    this.fingers = Array.from({ length: FINGERS }, () => null);
    this.time = this.lost = 0;
    this.factor = 1;
    this.calls = []; // for tests
  }
  #set(state) { this.state = state; this.dispatchEvent(new CustomEvent("state", { detail: { state } })); }
  async prepare() {}
  async start() {
    if (this.state === "running") return;
    this.#set("starting");
    this.#set("running");
    this.timer ??= setInterval(() => { if (!this.paused) { this.run(Math.round(this.factor * FRAME * RATE) || 1); this.#frame(); } }, 1000 * FRAME);
  }
  async load(text, name) {
    this.calls.push(["load", name]);
    if (/error here/.test(text)) return { ok: false, error: { text: "an error here", line: text.split("\n").findIndex((line) => /error here/.test(line)) + 1 } };
    this.scene = makeScene(text, name);
    queueMicrotask(() => this.#frame());
    return { ok: true, scene: this.scene };
  }
  knob(name, value) { this.calls.push(["knob", name, value]); }
  preset(i) { this.calls.push(["preset", i]); }
  noteOn(key, velocity) {
    this.calls.push(["noteOn", key, velocity]);
    for (let i = 70; i < 90; i++) this.v[i] -= 0.8 * velocity * Math.sin(((i - 70) * Math.PI) / 20);
  }
  noteOff(key) { this.calls.push(["noteOff", key]); }
  midi() {}
  async tune() { return { ok: true }; }
  finger(i, it) { this.calls.push(["finger", i, it]); this.fingers[i] = it.press === null ? null : it; }
  gain() {}
  panic() { this.u.fill(0); this.v.fill(0); }
  speed(factor) { this.factor = factor; }
  pause() { this.paused = true; }
  resume() { this.paused = false; }
  step(frames = 1) { this.run(frames); this.#frame(); }
  async render() { return { ok: false, error: { text: "the fake engine renders nothing", line: 0 } }; }
  async hash() { return "0".repeat(64); }

  /** Waves at half a grid step a sample; the bridge pushes back, fingers hold. */
  run(samples) {
    const { u, v, force } = this, dt = 1 / RATE, c2 = (0.5 * RATE) ** 2 / 16;
    this.scope = new Float32Array(Math.min(samples, 4096));
    for (let s = 0; s < samples; s++) {
      for (let i = 1; i < N; i++) {
        const depth = bridge(i / N) - u[i];
        force[i - 1] = depth > 0 ? depth * 2e7 : 0;
        v[i] += dt * (c2 * (u[i - 1] - 2 * u[i] + u[i + 1]) + Math.min(force[i - 1], 4e4) - LOSS * v[i]);
        this.lost += 1e-4 * LOSS * v[i] * v[i] * dt;
      }
      for (const f of this.fingers) if (f) {
        const i = Math.min(Math.max(Math.round(f.x * N), 1), N - 1);
        v[i] += dt * (4e7 * (-f.press - u[i]) - 4e3 * v[i]);
      }
      for (let i = 1; i < N; i++) u[i] += dt * v[i];
      if (s < this.scope.length) this.scope[s] = 0.4 * v[N - 12];
    }
    this.time += samples / RATE;
  }

  #frame() {
    if (!this.scene) return;
    const { u, v, lost } = this, m = 1e-4, c2 = (0.5 * RATE) ** 2 / 16;
    let kinetic = 0, elastic = 0, contact = 0;
    for (let i = 1; i <= N; i++) {
      kinetic += 0.5 * m * v[i] * v[i];
      elastic += 0.5 * m * c2 * (u[i] - u[i - 1]) ** 2;
      contact += 0.5 * m * 2e7 * Math.max(bridge(i / N) - u[i], 0) ** 2;
    }
    const total = kinetic + elastic + contact, supplied = total + lost; // by definition: this engine keeps no account of work
    const scope = this.scope ?? new Float32Array(0);
    const detail = { time: this.time, frames: Math.round(this.time * RATE), which: "hand", layout: this.scene.layout, shapes: [Float32Array.from(this.u), new Float32Array(0)], forces: [this.force.slice()],
      penetrations: [Float32Array.from({ length: N - 1 }, (_, j) => bridge((j + 1) / N) - this.u[j + 1])],
      energy: { kinetic, elastic, contact, supplied, dissipated: lost, total, residual: this.residual ?? 3e-15, scale: supplied },
      status: { peak: 0, rms: 0, load: 0.05, limited: 0, residual: 3e-15, voices: 1, keys: 0, waiting: 0, touching: this.fingers.filter(Boolean).length, underruns: 0, late: 0 }, scope };
    this.scope = null;
    this.dispatchEvent(new CustomEvent("frame", { detail }));
  }
}
