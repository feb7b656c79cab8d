// The engine of the page in Node, bit by bit against the native program:
//   node web/test/node_engine.mjs SISTRUM SCENE_SAMPLES LIVE_SAMPLES [--long]
// The instruments of scenes/; --long: every scene, and all of them without SIMD too.
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Host, decode, encode, hasSimd } from "../src/engine/host.js";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const [program, samples, live] = process.argv.slice(2);
const long = process.argv.includes("--long");
const folder = mkdtempSync(join(tmpdir(), "sistrum-page-"));
const compiled = (name) => new WebAssembly.Module(readFileSync(join(root, "build/web", name)));
const simd = compiled("sistrum.wasm"), plain = long && compiled("sistrum-plain.wasm");
const read = (name) => readFileSync(join(root, "scenes", name + ".lua"));
const most = { maxBuffer: 1 << 30 };
let passed = 0, failed = 0;

function check(law, fine, why = "") {
    if (fine) passed++;
    else failed++;
    if (!fine || !long) console.log(`${fine ? "ok     " : "FAILED "} ${law}${fine ? "" : " " + why}`);
}

// ---------------------------------------------------------------------------- samples

function hashOf(module, name) {
    const host = new Host(module), text = read(name);
    const fine = host.lend([text, name + ".lua"], (at, called) => host.exports.page_hash(at, text.length, called));
    return fine ? host.text() : JSON.parse(host.text()).text;
}
const nativeHash = (name) => createHash("sha256").update(execFileSync(samples, [join(root, "scenes", name + ".lua")], most)).digest("hex");

function* allScenes(deep, under = "") {
    for (const name of readdirSync(join(root, "scenes", under)).sort()) {
        const path = join(under, name);
        if (statSync(join(root, "scenes", path)).isDirectory()) yield* deep ? allScenes(deep, path) : [];
        else if (name.endsWith(".lua")) yield path.slice(0, -4);
    }
}

function sameSamples() {
    for (const name of allScenes(long)) {
        const native = nativeHash(name), ours = hashOf(simd, name);
        check(`two seconds of ${name} have the native bits`, ours === native, ours);
        if (!long) continue;
        const without = hashOf(plain, name);
        check(`and without SIMD`, without === native, `${name}: ${without}`);
    }
}

// ---------------------------------------------------------------------------- files

function renderWith(module, name, more) {
    const host = new Host(module), words = [name + ".lua", "-o", "out.wav", "--data", "out.npy", "--energy", "out.csv", "--json", "out.json", ...more];
    host.store(basename(name) + ".lua", read(name));
    words[0] = basename(name) + ".lua";
    const code = host.lend([words.join("\0")], (at) => host.exports.page_render(at, words.length));
    return code ? { error: host.text() } : { wav: host.fetch("out.wav"), npy: host.fetch("out.npy"), csv: host.fetch("out.csv"), json: host.fetch("out.json") };
}

function sameFiles() {
    const runs = [
        ["tanpura", "--set", "K=1e6", "--duration", "0.3"],
        ["snare", "--duration", "0.2", "--bits", "16"],
        ["tanpura_drone", "--duration", "0.1", "--bits", "24", "--normalise", "on"],
        ["felt_piano", "--duration", "0.3", "--note", "A3", "--velocity", "0.7"],
        ["marble_on_glass", "--duration", "0.2", "--oversample", "2", "--rate", "48000"],
    ];
    for (const [name, ...more] of runs) {
        const paths = Object.fromEntries(["wav", "npy", "csv", "json"].map((kind) => [kind, join(folder, "native." + kind)]));
        execFileSync(resolve(program), ["render", name + ".lua", "-q", "-o", paths.wav, "--data", paths.npy, "--energy", paths.csv, "--json", paths.json, ...more],
            { cwd: join(root, "scenes") });
        const ours = renderWith(simd, name, more);
        for (const kind of ["wav", "npy", "csv"]) {
            const native = readFileSync(paths[kind]);
            check(`${kind} of ${name} ${more.join(" ")} has the program's bytes`, ours[kind] && native.equals(ours[kind]), ours.error ?? "");
        }
        const [here, there] = [readFileSync(paths.json), ours.json].map((bytes) => decode(bytes ?? new Uint8Array()).replace(/("seconds"|"realtime_factor"): [\d.e-]+/g, "$1"));
        check(`the report of ${name} has them but for its times`, here.length > 1000 && here === there, ours.error ?? there.split("\n").find((line, i) => line !== here.split("\n")[i]));
    }
}

function dataFiles() {
    const [scene, ...how] = ["tanpura", "--duration", "0.05", "-q", "--data"];
    const path = join(folder, "native.mat");
    execFileSync(program, ["render", join(root, "scenes", scene + ".lua"), ...how, path]);
    const host = new Host(simd), render = (...words) => {
        host.store("tanpura.lua", read(scene));
        const list = ["tanpura.lua", ...how.slice(0, 2), ...words];
        return host.lend([list.join("\0")], (at) => host.exports.page_render(at, list.length));
    };
    check("a Matlab file has the program's bytes", render("--data", "out.mat") === 0 && readFileSync(path).equals(host.fetch("out.mat")));
    check("HDF5 is refused by name", render("--data", "out.h5") === 2 && /this build has no HDF5.*\.npy, \.mat or \.csv/.test(host.text()), host.text());
    check("and so are checkpoints", render("--data", "out.npy", "--checkpoint", "c") === 2 && /page keeps no checkpoints/.test(host.text()), host.text());
}

// ---------------------------------------------------------------------------- playing

const EVENT = { bytes: 0, on: 2, off: 3 };

/** The next 128 frames; memory may move while they are made. */
function heard(host) {
    const from = host.exports.page_run(128);
    return Buffer.from(host.memory.buffer.slice(from, host.exports.page_run_end()));
}

/** Plays as live_samples does; the bytes of all floats. */
function playWith(module, name, blocks, acts) {
    const host = new Host(module), e = host.exports, text = read(name);
    e.page_open(48000, 256e6);
    e.page_set_peak(1);
    const fine = host.lend([text, "scene.lua", "", new Float64Array(0)], (t, n, ns, vs) => e.page_load(t, text.length, n, ns, vs, 0));
    if (!fine) throw new Error(host.text());
    e.page_offline(1);
    const parts = [];
    for (let block = 0; block < blocks; block++) {
        for (const [at, word, ...n] of acts) {
            if (at !== block) continue;
            if (word === "bytes") e.page_event(EVENT.bytes, 0, 0, -1, 0, n[0] | (n[1] << 8) | (n[2] << 16));
            else if (EVENT[word]) e.page_event(EVENT[word], 0, n[0], -1, n[1] ?? 0, 0);
            else if (word === "knob") e.page_knob(n[0], n[1]);
            else if (word === "finger") e.page_finger(...n);
            else if (word === "lift") e.page_finger(n[0], 0, 0, 0, NaN);
        }
        parts.push(heard(host));
    }
    return Buffer.concat(parts);
}

function samePlaying() {
    const runs = [
        ["tanpura", 375, [[0, "on", 50, 0.8], [40, "on", 57, 0.5], [80, "bytes", 0xb0, 64, 127], [90, "off", 50], [150, "knob", 0, 1e6], [200, "bytes", 0xe0, 0, 80], [250, "bytes", 0xb0, 64, 0]]],
        ["felt_piano", 250, [[0, "on", 60, 1], [3, "on", 64, 0.3], [60, "off", 60], [61, "off", 64], [100, "on", 30, 0.9]]],
        ["tanpura", 250, [[0, "finger", 0, 0, 0.3, 0, 0.002], [50, "finger", 0, 0, 0.31, 0, 0.004], [80, "lift", 0], [120, "finger", 1, 0, 0.6, 0, -0.001]]],
    ];
    for (const [name, blocks, acts] of runs) {
        const native = execFileSync(live, [join(root, "scenes", name + ".lua"), String(blocks), ...acts.map((a) => a.join(","))], most);
        const ours = playWith(simd, name, blocks, acts), floats = new Float32Array(new Uint8Array(native).buffer);
        const what = acts.some((a) => a[1] === "finger") ? "touched" : "played by notes";
        check(`${name} ${what} in blocks of 128 has the bits of the live library`, native.equals(ours) && floats.some((x) => Math.abs(x) > 1e-4),
            `first at byte ${native.findIndex((x, i) => x !== ours[i])} of ${native.length}`);
    }
}

// ---------------------------------------------------------------------------- wrong scenes

function errorOf(text) {
    const host = new Host(simd), bytes = encode(text);
    host.exports.page_open(48000, 8e6);
    const fine = host.lend([bytes, "scene.lua", "", new Float64Array(0)], (t, n, ns, vs) => host.exports.page_load(t, bytes.length, n, ns, vs, 0));
    return fine ? { text: "", line: 0 } : JSON.parse(host.text());
}

function sentences() {
    const cases = [
        ["an endless loop is stopped", "local a = 1\nwhile true do a = a + 1 end", /too long/, 2],
        ["a scene that takes all memory is stopped", "local t = {}\nfor i = 1, 1e9 do t[i] = ('x'):rep(1e6) .. i end", /memory|too long/, 2],
        ["so is a recursion without end", "local function f() return 1 + f() end\nf()", /memory|stack/, 1],
        ["a megabyte of comment is an empty scene", "--" + "x".repeat(1e6), /empty/, 0],
        ["a megabyte of text is read", "x = '" + "y".repeat(1e6) + "'\nmass{ mas = 1 }", /unknown key 'mas'/, 2],
        ["a mistake of Lua has its line", "mass{ mass = 1 }\nprobe{ on = }", /unexpected symbol|near/, 2],
        ["a wrong key has its line", "\n\nstring{ lengt = 1 }", /did you mean 'length'/, 3],
        ["what is no text is told", "mass{ mass = 1 }\n\0\u{1f980}", /./, 2],
    ];
    for (const [law, text, wanted, line] of cases) {
        const { text: said, line: at } = errorOf(text);
        check(law, wanted.test(said) && at === line, `${at}: ${said}`);
    }
    const host = new Host(simd);
    host.store("x.lua", encode("mass{}"));
    const code = host.lend([["x.lua", "-o", "out.wav"].join("\0")], (at) => host.exports.page_render(at, 3));
    check("render tells what the program tells", code === 3 && /mass/.test(JSON.parse(host.text()).text) && JSON.parse(host.text()).line === 1, host.text());
}

// ---------------------------------------------------------------------------- memory

/** An image that goes on elsewhere sounds the same, and instances that are used again do not grow. */
function imagesGoOn() {
    const host = new Host(simd), e = host.exports, text = read("tanpura");
    e.page_open(48000, 8e6);
    e.page_set_peak(1);
    host.lend([text, "scene.lua", "", new Float64Array(0)], (t, n, ns, vs) => e.page_load(t, text.length, n, ns, vs, 0));
    const image = host.image(), other = new Host(simd);
    const run = (h) => {
        h.exports.page_event(EVENT.on, 0, 45, -1, 0.9, 0);
        const parts = [];
        for (let i = 0; i < 100; i++) {
            parts.push(heard(h));
            h.exports.page_work();
        }
        return Buffer.concat(parts);
    };
    const sizes = new Set();
    const first = run(host);
    check("an image leaves out what is empty", image.bytes.byteLength < 0.5 * host.exports.page_used(), image.bytes.byteLength);
    for (let i = 0; i < 5; i++) {
        if (i % 2) new Uint8Array(other.memory.buffer, other.exports.page_used() / 2).fill(170); // what was played before
        let pieces = 1;
        while (!other.restore(image, i % 2 ? 100 : Infinity)) pieces++;
        check(`it comes in pieces, ${i + 1}`, i % 2 ? pieces > 5 : pieces === 1, pieces);
        check(`a copy of the memory plays the same, ${i + 1}`, run(other).equals(first));
        sizes.add(other.memory.buffer.byteLength);
    }
    check("memory stays flat when it is used again", sizes.size === 1, [...sizes].join(" "));
}

function texts() {
    const text = "aé€🦀\u0000z";
    const { TextDecoder: own, TextEncoder: other } = globalThis;
    const bytes = encode(text);
    globalThis.TextDecoder = globalThis.TextEncoder = undefined;
    check("texts go in and out as in a worklet, which has no TextDecoder", decode(bytes) === text && Buffer.from(encode(text)).equals(Buffer.from(bytes)));
    Object.assign(globalThis, { TextDecoder: own, TextEncoder: other });
    check("this machine has SIMD", hasSimd());
}

texts();
sentences();
imagesGoOn();
samePlaying();
sameFiles();
dataFiles();
sameSamples();
rmSync(folder, { recursive: true });
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
