// Laws of the stage that need no browser:  node --test web/test/unit_stage.mjs
import assert from "node:assert/strict";
import test from "node:test";
import { arrange, place, placeAt, project, shapeAt } from "../src/page/stage_layout.js";
import { chainAt } from "../src/page/stage_mass.js";
import { Zoom, metres, round2, ruler, squeeze } from "../src/page/stage_scale.js";
import { Ring, floatsOf } from "../src/page/see_ring.js";
import { Spectrum, octaves, rising } from "../src/page/see_fft.js";
import { balance, joules, verdict } from "../src/page/energy.js";
import { bowInputs, inputToPlace, ownKey, placeToInput } from "../src/page/stage_touch.js";
import { errorWords, hintFor, leadOf } from "../src/page/stage_words.js";
import { seconds } from "../src/page/see_charts.js";
import { speedWords } from "../src/page/see_time.js";

const near = (a, b, within = 1e-9) => assert.ok(Math.abs(a - b) <= within, `${a} is not ${b}`);
const string = (name, length = 1, segments = 10) => ({ name, kind: "string", points: segments + 1, length, width: 0, segments, segmentsY: 0, rest: new Float32Array(segments + 1) });
const plate = (name, length = 0.3, width = 0.2) => ({ name, kind: "plate", points: 12, length, width, segments: 3, segmentsY: 2, rest: new Float32Array(12) });
const mass = (name, driven = false) => ({ name, kind: "mass", points: 1, driven, length: 0, width: 0, segments: 0, segmentsY: 0, rest: new Float32Array(1) });
const modal = (name, points) => ({ name, kind: "modal", points, length: 0, width: 0, segments: 0, segmentsY: 0, rest: new Float32Array(points) });
const link = (above, below, { kind = "contact", at = [NaN, NaN], y = [NaN, NaN], gap = 0, ...more } = {}) => ({ name: "link", kind, above, below, points: 1, distributed: false, gap, law: "one-sided",
  atAbove: Float64Array.of(at[0]), atBelow: Float64Array.of(at[1]), yAbove: Float64Array.of(y[0]), yBelow: Float64Array.of(y[1]), height: Float64Array.of(NaN), ...more });
const scene = (bodies, links = [], more = {}) => ({ name: "x", bodies, links, knobs: [], ...more });
const SIZE = { width: 1000, height: 400 };

test("strings that touch each other share a row; the upper one lies higher by the gap", () => {
  const s = scene([string("upper"), string("lower")], [link(0, 1, { at: [0.5, 0.5], gap: 1e-3 })]), plan = arrange(s);
  assert.equal(plan.rows.length, 1);
  near(plan.rows[0].offsets[plan.rows[0].bodies.indexOf(0)] - plan.rows[0].offsets[plan.rows[0].bodies.indexOf(1)], 1e-3);
});

test("strings under one hammer are rows of their own, and the hammer has a disc in each", () => {
  const s = scene([mass("hammer"), string("a"), string("b"), string("c")], [1, 2, 3].map((i) => link(i, 0, { at: [0.1, NaN] }))), plan = place(s, arrange(s), SIZE);
  assert.equal(plan.rows.length, 3);
  assert.deepEqual(plan.seats[0].map((seat) => seat.row), [0, 1, 2]);
  assert.ok(plan.seats[0].every((seat) => seat.side === -1 && seat.at === 0.1));
});

test("what is above in a contact is drawn above", () => {
  const s = scene([plate("board"), string("string"), mass("bridge")], [link(2, 0, { at: [NaN, 0.1], y: [NaN, 0.1] }), link(1, 2, { at: [0.9, NaN] })]);
  const plan = place(s, arrange(s), SIZE);
  assert.ok(plan.rows[plan.row[1]].base < plan.rows[plan.row[0]].base);
});

test("wires under a plate are drawn with it", () => {
  const s = scene([plate("head"), string("wire", 0.3)], [link(0, 1, { at: [0.1, 0.1], y: [0.1, NaN] })]), plan = arrange(s);
  assert.deepEqual(plan.rows.map((row) => row.bodies), [[0, 1]]);
});

test("rods ride on the hoop that has more places", () => {
  const s = scene([modal("hoop", 10), modal("rod", 3)], [link(1, 0, { at: [1, 2] }), link(1, 0, { at: [2, 3] })]);
  assert.deepEqual(arrange(s).rows.map((row) => row.bodies), [[0, 1]]);
});

test("a chain of masses stands in the order of its contacts, from below to above", () => {
  const s = scene([mass("c"), mass("a"), mass("b")], [link(2, 1), link(0, 2)]), plan = arrange(s);
  assert.deepEqual(plan.rows[0].bodies.map((i) => s.bodies[i].name), ["a", "b", "c"]);
  assert.equal(plan.rows[0].upright, false);
});

test("all masses of a long chain are in the picture, beside each other and above each other", () => {
  for (const count of [3, 40, 120, 300])
    for (const wall of [[], [link(0, -1)]]) {
      const bodies = Array.from({ length: count }, (_, i) => mass(`m${i}`)), s = scene(bodies, [...bodies.slice(1).map((_, i) => link(i + 1, i)), ...wall]);
      const [row] = place(s, arrange(s), SIZE).rows, ends = [0, count - 1].map((n) => chainAt(row, n, 0, 1, []));
      assert.equal(row.upright, wall.length > 0);
      for (const [x, y] of ends) assert.ok(x >= row.radius && x <= SIZE.width - row.radius && y >= row.radius && y <= SIZE.height - row.radius, `${count}: ${x}, ${y}`);
      assert.ok(row.radius >= 3 && Math.hypot(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]) > 0.8 * (count - 1) * Math.min(2 * row.radius, row.upright ? 360 / count : 900 / count));
    }
});

test("a mass on a barrier stands upright; lone masses stand beside each other", () => {
  assert.equal(arrange(scene([mass("m")], [link(0, -1)])).rows[0].upright, true);
  const lone = arrange(scene([string("s"), mass("a"), mass("b")]));
  assert.equal(lone.rows.length, 2);
  assert.deepEqual(lone.rows[1].bodies, [1, 2]);
});

test("masses on one place stand beside each other", () => {
  const s = scene([modal("tongue", 2), mass("a"), mass("b")], [link(1, 0, { at: [NaN, 2] }), link(2, 0, { at: [NaN, 2] })]), plan = arrange(s);
  assert.deepEqual(plan.seats.slice(1).map(([seat]) => seat.beside), [-0.5, 0.5]);
});

test("rows fill the height, none overlaps, all within the width", () => {
  const s = scene([string("a"), string("b", 0.5), plate("p"), modal("m", 4), mass("x")]), plan = place(s, arrange(s), { ...SIZE, top: 60, bottom: 40 });
  let y = 60;
  for (const row of plan.rows) {
    near(row.top, y, 1e-6);
    y = row.bottom;
    assert.ok(row.x0 >= 0 && row.x1 <= 1000 && row.half > 0);
  }
  near(y, 360, 1e-6);
});

test("a pixel leads to the place that is drawn there", () => {
  const s = scene([string("s"), plate("p"), modal("m", 5)]), plan = place(s, arrange(s), { width: 800, height: 600 }), out = [0, 0];
  for (const [i, x, y] of [[0, 0.37, 0], [1, 0.12, 0.15], [2, 4, 0]]) {
    const row = plan.rows[plan.row[i]];
    project(row, s.bodies[i], x, y, out);
    const back = placeAt(row, s.bodies[i], out[0], out[1]);
    near(back.x, x, 1e-9);
    near(back.y, y, 1e-9);
  }
});

test("a shape is linear between its points, along and across", () => {
  const s = string("s", 2, 4), u = Float32Array.of(0, 1, 0, -1, 0);
  near(shapeAt(s, u, 0.25), 0.5);
  near(shapeAt(s, u, 2), 0);
  const p = plate("p"), v = Float32Array.from({ length: 12 }, (_, k) => (k % 4) + 10 * Math.floor(k / 4));
  near(shapeAt(p, v, 0.15, 0.05), 1.5 + 5, 1e-6);
});

test("a scene of nothing has no rows and does not fail", () => {
  const plan = place(scene([]), arrange(scene([])), SIZE);
  assert.equal(plan.rows.length, 0);
});

test("the scale follows a pluck within a quarter of a second and comes back slowly, without a jump", () => {
  const zoom = new Zoom(1e-3);
  let before = zoom.range, most = 0;
  for (let n = 0; n < 15; n++) { zoom.update(5e-3, 1 / 60, false); most = Math.max(most, zoom.range / before); before = zoom.range; }
  assert.ok(zoom.range > 4.8e-3, `${zoom.range}`);
  assert.ok(most < 1.7);
  for (let n = 0; n < 600; n++) { zoom.update(0, 1 / 60, false); assert.ok(before / zoom.range < 1.02); before = zoom.range; }
  assert.ok(zoom.range < 1e-3 && zoom.range >= 5e-4);
});

test("the scale stays while a finger holds", () => {
  const zoom = new Zoom(1e-3);
  zoom.update(1e-3, 1, false);
  const range = zoom.range;
  for (let n = 0; n < 100; n++) zoom.update(0, 0.1, true);
  assert.equal(zoom.range, range);
  zoom.update(5e-3, 1, true);
  assert.ok(zoom.range > 5e-3, "but what is pulled out of the picture is followed");
});

test("the written factor keeps still within 6 %", () => {
  const zoom = new Zoom(1);
  assert.equal(zoom.label(118), 120);
  assert.equal(zoom.label(125), 120);
  assert.equal(zoom.label(140), 140);
});

test("numbers are written short", () => {
  assert.equal(round2(1234), 1200);
  assert.deepEqual(ruler(7.3e-4), { length: 5e-4, text: "500 µm" });
  assert.equal(ruler(1e-3).text, "1 mm");
  assert.equal(metres(0.02), "2 cm");
  assert.equal(joules(1.234e-5), "12.34 µJ");
  assert.equal(joules(0, 2), "0.00 J");
  assert.equal(seconds(0.0123), "12.3 ms");
  assert.equal(speedWords(0.001), "slow motion: 1 s takes 1,000 s");
});

test("squeeze is the identity inside, rises outside and keeps far things in sight", () => {
  assert.equal(squeeze(80, 100), 80);
  assert.ok(squeeze(200, 100) > 100 && squeeze(400, 100) > squeeze(200, 100));
  assert.ok(squeeze(-1e6, 100) > -350);
});

const frame = (n, layout) => ({ time: n, frames: n, which: "hand", layout, shapes: layout.bodies.map((b) => new Float32Array(b.points).fill(n)), forces: layout.links.map((l) => new Float32Array(l.points).fill(n)),
  penetrations: layout.links.map((l) => new Float32Array(l.points).fill(-n)), energy: { kinetic: n, elastic: 0, contact: 0, supplied: 0, dissipated: 0, total: n, residual: 0, scale: 1 } });

test("the ring keeps the last frames, in order, as copies", () => {
  const layout = scene([string("s"), mass("m")], [link(0, 1)]), ring = new Ring(layout, 40), made = frame(7, layout);
  for (let n = 0; n < 100; n++) ring.push(frame(n, layout));
  assert.equal(ring.count, 40);
  for (let i = 0; i < 40; i++) {
    assert.equal(ring.at(i).time, 60 + i);
    assert.equal(ring.at(i).shapes[0][10], 60 + i);
    assert.equal(ring.at(i).penetrations[0][0], -60 - i);
  }
  assert.equal(ring.at(40), null);
  assert.equal(ring.at(-1), null);
  ring.push(made);
  made.shapes[0][0] = 99;
  assert.equal(ring.last.shapes[0][0], 7);
});

test("frames of several layouts live in one ring; slots are reused", () => {
  const a = scene([string("s", 1, 20)]), b = scene([string("s", 0.5, 9)]), ring = new Ring(a, 30);
  for (let n = 0; n < 60; n++) ring.push(frame(n, n % 2 ? a : b));
  assert.equal(ring.last.layout, a);
  assert.equal(ring.at(28).shapes[0].length, 10);
  const slot = ring.at(0);
  for (let n = 0; n < 30; n++) ring.push(frame(n, n % 2 ? a : b));
  assert.equal(ring.at(0), slot, "no garbage while layouts stay");
  const large = scene([string("s", 1, 500)]);
  ring.push(frame(1, large));
  assert.equal(ring.count, 1);
  assert.equal(ring.size, floatsOf(large));
});

test("the transform: a sine on a bin has power 1 there and none two bins away", () => {
  const fft = new Spectrum(256), power = fft.run((i) => Math.sin((2 * Math.PI * 20 * i) / 256));
  near(power[20], 1, 1e-12);
  assert.ok(power[23] < 1e-24 && power[17] < 1e-24);
});

test("the transform agrees with its definition", () => {
  const fft = new Spectrum(64), x = Array.from({ length: 64 }, (_, i) => Math.sin(i * i * 0.37)), power = fft.run((i) => x[i]);
  for (const k of [0, 1, 5, 31, 32]) {
    let re = 0, im = 0;
    x.forEach((v, i) => { const w = v * (0.5 - 0.5 * Math.cos((2 * Math.PI * i) / 64)); re += w * Math.cos((2 * Math.PI * k * i) / 64); im -= w * Math.sin((2 * Math.PI * k * i) / 64); });
    near(power[k], (re * re + im * im) * (4 / 64) ** 2, 1e-12);
  }
});

test("octaves are evenly spaced; the trigger finds where a wave rises", () => {
  const f = octaves(9, 50, 12800);
  near(f[0] / f[1], 2, 1e-9);
  near(f[8], 50, 1e-9);
  const wave = (i) => Math.sin((2 * Math.PI * (i + 13)) / 100), at = rising(wave, 0, 1000);
  assert.ok(wave(at) >= 0 && wave(at - 1) < 0);
  assert.equal(rising(() => 0, 0, 100), -1);
});

test("both sides of the energy balance are equal, also when a hand takes energy away", () => {
  for (const e of [{ kinetic: 1, elastic: 2, contact: 0.5, dissipated: 3, supplied: 4, total: 3.5 }, { kinetic: 1, elastic: 0, contact: 0, dissipated: 1, supplied: -2, total: 1 }]) {
    const b = balance(e);
    near(b.is.reduce((x, y) => x + y), b.from[0] + b.from[1]);
  }
  assert.equal(verdict(3e-15).text, "energy balance closed: 3e−15");
  assert.equal(verdict(1e-12).good, true);
  assert.equal(verdict(2e-12).good, false);
  assert.equal(verdict(NaN).good, false);
});

test("a bow finds its inputs by their words, and its place follows the finger", () => {
  const knob = (name, label, fallback, min, max, unit = "") => ({ name, label, fallback, value: fallback, min, max, unit, input: true, trigger: false });
  const s = scene([string("s")], [link(-1, 0, { kind: "bow" })], { knobs: [knob("place", "where it is bowed, in lengths of the string", 0.13, 0.04, 0.35),
    knob("lean", "pressed harder than 'bow' by so many times that", 0, 0, 5), knob("hold", "velocity of the bow: 1 as 'speed' says", 1, 0, 1)] });
  const inputs = bowInputs(s);
  assert.deepEqual([inputs.place.name, inputs.force.name, inputs.velocity.name], ["place", "lean", "hold"]);
  near(placeToInput(inputs.place, 0.145, 0.29), 0.26);
  near(inputToPlace(inputs.place, 0.145, 0.26), 0.29);
  assert.equal(bowInputs(scene([string("s")])).place, null);
});

test("words", () => {
  assert.equal(hintFor(scene([string("a")])), "Touch the string");
  assert.equal(hintFor(scene([string("a"), string("b")])), "Touch the strings");
  assert.equal(hintFor(scene([plate("skin")])), "Tap the skin");
  assert.equal(hintFor(scene([mass("ball1")])), "Pull a ball and let it go");
  assert.equal(leadOf("-- Snare: a drumhead struck\n"), "A drumhead struck");
  assert.equal(leadOf("-- Sitar: a string on a wide bridge\n-- It lies on it. More.\nlocal x"), "A string on a wide bridge");
  assert.equal(leadOf("-- The string of figure 3, let go from a raised cosine, at the\n-- end of it. And more.\n"), "The string of figure 3, let go from a raised cosine, at the end of it.");
  assert.equal(leadOf(""), "");
  assert.equal(ownKey({ keys: { lowest: 60, highest: 72 } }), 60);
  assert.equal(ownKey({ keys: { lowest: 26, highest: 72 }, text: 'local f0 = param { "f0", 44.55, min = 36 }\nplay { pitch = "f0" }' }), 29);
});

test("an error begins with its line, told once", () => {
  assert.equal(errorWords({ text: "snare.lua:5: plate: too large", line: 5 }), "Line 5: plate: too large");
  assert.equal(errorWords({ text: "note C2: snare.lua:5: plate: too large", line: 5 }), "Line 5: note C2: plate: too large");
  assert.equal(errorWords({ text: "snare.lua: the scene is empty", line: 0 }), "snare.lua: the scene is empty");
  assert.equal(errorWords({ text: "it took too long", line: 2 }), "Line 2: it took too long");
});
