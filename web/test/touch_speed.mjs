// What a hand costs, in Node:  node web/test/touch_speed.mjs [--blocks N] [--least FACTOR] [SCENE ...]
// Presses a body of each shipped scene deep, slides along it and lets go; prints how many seconds of sound the engine makes in
// a second of CPU time, at 48000 Hz in blocks of 128. Each figure is the better of two runs. --least: the exit code tells
// whether every scene reached so much.
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Host, encode } from "../src/engine/host.js";
import { readLayout } from "../src/engine/frame.js";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url)))), words = process.argv.slice(2);
const option = (name, other) => {
    const at = words.indexOf(name);
    return at < 0 ? other : Number(words.splice(at, 2)[1]);
};
const BLOCKS = option("--blocks", 190), LEAST = option("--least", 0), PRESS = 6e-3; // of 2.7 ms; m on a string of 1 m
const scenes = words.length ? words : readdirSync(join(root, "scenes")).filter((name) => name.endsWith(".lua")).map((name) => name.slice(0, -4));
const module = new WebAssembly.Module(readFileSync(join(root, "build/web/sistrum.wasm")));

function openScene(name) {
    const host = new Host(module), e = host.exports, text = encode(readFileSync(join(root, "scenes", `${name}.lua`), "utf8"));
    e.page_open(48000, 8e6);
    e.page_set_peak(1);
    const fine = host.lend([text, `${name}.lua`, "", new Float64Array(0)], (t, n, ns, vs) => e.page_load(t, text.length, n, ns, vs, 0));
    if (!fine) throw new Error(`${name}: ${host.text()}`);
    host.lend(["", new Float64Array(0)], (ns, vs) => e.page_describe(48000, ns, vs, 0));
    const { bodyNames, linkNames, linkEnds, layout } = JSON.parse(host.text());
    e.page_settle();
    e.page_run(128);
    return { host, e, ...readLayout(new Float64Array(host.memory.buffer, e.page_layout_numbers(), layout), { bodyNames, linkNames, linkEnds }) };
}

/** The first string, else the first plate, else what moves. */
function chosen(bodies) {
    const free = bodies.map((body, i) => ({ ...body, i })).filter((body) => !body.driven && body.kind !== "barrier");
    return ["string", "plate", "modal", "mass"].map((kind) => free.find((body) => body.kind === kind)).find(Boolean);
}

/** Seconds of sound for a second of CPU time. */
function speed(e, blocks, act = () => {}) {
    const before = process.cpuUsage();
    for (let i = 0; i < blocks; i++) {
        act(i / blocks);
        e.page_run(128);
        e.page_work();
    }
    const { user, system } = process.cpuUsage(before);
    return ((blocks * 128) / 48000) * 1e6 / (user + system);
}

function measure(name) {
    const { e, bodies } = openScene(name), body = chosen(bodies), depth = body.length ? PRESS * body.length : 1e-3;
    const at = (along) => (body.kind === "modal" ? 1 : along * body.length);
    const touch = (along) => e.page_finger(0, body.i, at(along), 0.4 * body.width, depth);
    const best = { rest: speed(e, BLOCKS), pressed: 0, slid: 0, plucked: 0, lifted: 0 };
    const keep = (what, value) => (best[what] = Math.max(best[what], value));
    for (let run = 0; run < 2; run++) {
        touch(0.6);
        speed(e, 40);
        keep("pressed", speed(e, BLOCKS));
        keep("slid", speed(e, BLOCKS, (part) => touch(0.6 - 0.4 * part)));
        keep("plucked", speed(e, BLOCKS, (part) => (Math.floor(8 * part) % 2 ? e.page_finger(0, 0, 0, 0, NaN) : touch(0.6 - 0.4 * part))));
        e.page_finger(0, 0, 0, 0, NaN);
        speed(e, 4);
        keep("lifted", speed(e, BLOCKS));
    }
    return { body, ...best };
}

const figure = (x) => x.toFixed(x < 10 ? 2 : 0).padStart(9);
console.log(`${"scene".padEnd(22)}${"touched".padEnd(20)}${["at rest", "pressed", "slid", "plucked", "let go"].map((word) => word.padStart(9)).join("")}`);
const slow = [];
for (const name of scenes) {
    const m = measure(name);
    console.log(`${name.padEnd(22)}${`${m.body.kind} ${m.body.name ?? ""}`.slice(0, 19).padEnd(20)}${[m.rest, m.pressed, m.slid, m.plucked, m.lifted].map(figure).join("")}`);
    if (Math.min(m.pressed, m.slid, m.plucked, m.lifted) < LEAST) slow.push(name);
}
if (slow.length) console.log(`below ${LEAST}: ${slow.join(", ")}`);
process.exit(slow.length ? 1 : 0);
