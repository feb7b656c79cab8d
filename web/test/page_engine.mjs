// The engine in a browser, without the page around it:  node web/test/page_engine.mjs
// Needs web/dist/ as tools/web.sh --test builds it, and the native program beside it. Times are told, not asserted.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "./serve.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const chromiumPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
if (!chromiumPath) {
    console.log("skipped: chromium is not installed");
    process.exit(77);
}
const { chromium } = await import("playwright-core");
const read = (name) => readFileSync(join(root, "scenes", name + ".lua"), "utf8");
let passed = 0, failed = 0;
function check(law, fine, why = "") {
    if (fine) passed++;
    else failed++;
    console.log(`${fine ? "ok     " : "FAILED "} ${law}${fine ? "" : " " + JSON.stringify(why)}`);
}

const site = await serve();
const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
const page = await browser.newPage();
const complaints = [];
page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
page.on("pageerror", (error) => complaints.push(error.message));
await page.goto(site.url + "test/engine_page.html");

/** Runs f in the page; it has engine, frames, said, wait and last. */
const inPage = (f, argument) => page.evaluate(f, argument);
await page.evaluate(() => {
    globalThis.wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    globalThis.until = async (f, ms = 20000) => {
        for (const end = Date.now() + ms; Date.now() < end; await wait(20)) if (f()) return true;
        return false;
    };
    globalThis.last = () => frames.at(-1);
});
const load = (text, name, settings) => inPage(async ([t, n, s]) => {
    const before = performance.now(), { ok, error, scene } = await engine.load(t, n, s);
    return { ok, error, ms: performance.now() - before, knobs: scene?.knobs.map((k) => [k.name, k.value]), bodies: scene?.bodies.map((b) => b.kind),
        presets: scene?.presets };
}, [text, name, settings ?? {}]);

// ---------------------------------------------------------------------------- before the tap

const first = await load(read("tanpura"), "tanpura.lua", { K: 1e6, nothing: 3, loss: 1e9 });
check("a scene loads before the tap, unknown settings are left out, others held to their range",
    first.ok && first.knobs.some(([n, v]) => n === "K" && v === 1e6) && first.knobs.some(([n, v]) => n === "loss" && v === 10), first);
check("and is seen at rest", await inPage(() => frames.length === 1 && last().shapes[0].every((u) => Math.abs(u) < 1e-9)));
console.log(`        first load ${first.ms.toFixed(0)} ms`);

// ---------------------------------------------------------------------------- playing

await page.click("#start");
check("a tap starts the sound", await inPage(() => until(() => engine.state === "running")));
await inPage(() => engine.noteOn(50, 0.8));
check("a note sounds, moves and its energy balance is closed", await inPage(() =>
    until(() => last().which === "notes" && last().status.peak > 1e-3 && last().shapes[0].some((u) => Math.abs(u) > 1e-6) && last().energy.supplied > 0)) &&
    await inPage(() => Math.abs(last().energy.residual) <= 1e-12 && last().status.residual <= 1e-12), await inPage(() => [last().energy, last().status]));
check("frames come, and each has its samples", await inPage(async () => {
    await wait(500);
    const some = frames.slice(-10), samples = some.slice(1).reduce((sum, f) => sum + f.scope.length, 0);
    return samples === some.at(-1).frames - some[0].frames;
}));
check("contacts are seen to touch", await inPage(() => frames.some((f) => f.touched.some((n) => n > 0) && f.forces.some((list) => list.some((x) => x !== 0)))));
await inPage(() => engine.panic());
await inPage(() => wait(300));
const touched = await inPage(async () => {
    const before = last().energy.supplied;
    for (let i = 1; i <= 8; i++) {
        engine.finger(0, { body: 0, x: 0.3, press: 0.0005 * i });
        await wait(20);
    }
    engine.finger(0, { press: null });
    await until(() => last().which === "hand" && last().status.peak > 1e-3);
    await wait(200);
    return { before, which: last().which, energy: last().energy, peak: last().status.peak };
});
check("a finger makes sound out of silence, and its work is in the balance",
    touched.which === "hand" && touched.energy.supplied > 0 && Math.abs(touched.energy.residual) <= 1e-12 && touched.peak > 1e-4, touched);

// ---------------------------------------------------------------------------- time

check("slow motion: a tenth of the samples", await inPage(async () => {
    engine.noteOn(45, 0.9);
    engine.speed(0.1);
    await wait(300);
    const a = [last().frames, engine.context.currentTime];
    await wait(1000);
    const b = [last().frames, engine.context.currentTime];
    const share = (b[0] - a[0]) / 48000 / (b[1] - a[1]);
    return share > 0.08 && share < 0.12;
}));
check("pause stands still, a step is one sample", await inPage(async () => {
    engine.pause();
    await wait(300);
    const a = last().frames;
    await wait(300);
    const b = last().frames;
    engine.step(1);
    await until(() => last().frames === b + 1, 2000);
    const c = last().frames;
    engine.step(1000);
    await until(() => last().frames === b + 1001, 2000);
    return a === b && c === b + 1 && last().frames === b + 1001;
}));
check("and it goes on", await inPage(async () => {
    const a = last().frames;
    engine.speed(1);
    engine.resume();
    return until(() => last().frames > a + 4800);
}));

// ---------------------------------------------------------------------------- edits

const edits = [];
for (let i = 0; i < 6; i++) {
    const edit = await load(read("tanpura").replace("0.8", "0.7" + i), "tanpura.lua");
    edits.push(edit.ms);
    await inPage(() => wait(200));
    if (i === 1) await inPage(async () => (globalThis.flat = await engine.memory()));
}
console.log(`        edits ${edits.map((ms) => ms.toFixed(0)).join(", ")} ms`);
check("the memory of the worklet stays flat", await inPage(async () => Math.abs((await engine.memory()) - flat) <= 0.1 * flat),
    await inPage(async () => [flat, await engine.memory()]));
check("a preset moves knobs", await inPage(async () => {
    const told = new Promise((resolve) => engine.addEventListener("knobs", ({ detail }) => resolve(detail.scene.knobs), { once: true }));
    engine.preset(0);
    return (await told).some((knob) => knob.value !== knob.fallback);
}));
const scale = "! slendro.scl\nfive\n 5\n!\n240.0\n480.0\n720.0\n960.0\n2/1\n";
check("a scale is taken, and a wrong one told", await inPage(async (text) => (await engine.tune({ scale: text })).ok &&
    !(await engine.tune({ scale: "nonsense" })).ok && (await engine.tune()).ok, scale));

// ---------------------------------------------------------------------------- wrong scenes

for (const [what, text, wanted] of [
    ["an endless loop", "while true do end", "too long"],
    ["all memory", "local t = {} for i = 1, 1e9 do t[i] = ('x'):rep(1e6) .. i end", "the scene"],
    ["a megabyte of text", "x = '" + "y".repeat(1e6) + "'\nmass{ mas = 1 }", "unknown key"],
    ["a wrong key", "\nstring{ lengt = 1 }", "did you mean"],
]) {
    const { ok, error } = await load(text, "wrong.lua");
    check(`${what} gets its sentence`, !ok && error.text.includes(wanted), error);
}
check("and what was there sounds on", (await load(read("tanpura"), "tanpura.lua")).ok && await inPage(async () => {
    await until(() => last().time < 5);
    engine.noteOn(52, 0.8);
    return until(() => last().status.peak > 1e-3);
}));

// ---------------------------------------------------------------------------- files and hashes

const program = join(root, "build/release/sistrum"), samples = join(root, "build/release/bench/scene_samples");
const folder = mkdtempSync(join(tmpdir(), "sistrum-page-"));
execFileSync(program, ["render", join(root, "scenes/tanpura.lua"), "-q", "--duration", "0.5", "--set", "K=1e6", "-o", join(folder, "x.wav"), "--data", join(folder, "x.npy"), "--energy", join(folder, "x.csv")]);
const rendered = await inPage(async (text) => {
    const { ok, error, files } = await engine.render({ text, name: "tanpura.lua", settings: { K: 1e6 }, duration: 0.5, files: ["wav", "npy", "csv"] });
    const hex = async (bytes) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].map((b) => b.toString(16).padStart(2, "0")).join("");
    return ok ? { wav: await hex(files.wav), npy: await hex(files.npy), csv: await hex(files.csv) } : error;
}, read("tanpura"));
const sha = (bytes) => createHash("sha256").update(bytes).digest("hex");
for (const kind of ["wav", "npy", "csv"])
    check(`a rendered ${kind} has the program's bytes`, rendered[kind] === sha(readFileSync(join(folder, "x." + kind))), rendered);
rmSync(folder, { recursive: true });
const hash = await inPage((text) => engine.hash({ text, name: "tanpura.lua" }), read("tanpura"));
check("samples have the native hash", hash === sha(execFileSync(samples, [join(root, "scenes/tanpura.lua")], { maxBuffer: 1 << 30 })), hash);
const given = await inPage(async (text) => {
    const stop = new AbortController(), seen = [];
    setTimeout(() => stop.abort(), 700);
    const answer = await engine.render({ text, name: "snare.lua", duration: 600, files: ["wav"] }, (part) => seen.push(part), stop.signal);
    const after = await engine.render({ text, name: "snare.lua", duration: 0.01, files: ["wav"] });
    return { ok: answer.ok, error: answer.error, after: after.ok, seen: seen.length };
}, read("snare"));
check("a long render can be given up, and the next one works", !given.ok && given.error.text.includes("cancelled") && given.after, given);

// ---------------------------------------------------------------------------- the clock

const clock = await inPage(async () => {
    const a = [engine.context.currentTime, performance.now() / 1000, last()?.status.underruns ?? 0];
    await wait(5000);
    return { share: (engine.context.currentTime - a[0]) / (performance.now() / 1000 - a[1]), underruns: (last()?.status.underruns ?? 0) - a[2] };
});
console.log(`        audio clock over wall clock ${clock.share.toFixed(4)}, underruns ${clock.underruns} in 5 s`);
check("nothing complained", complaints.length === 0, complaints);
console.log(`        said: ${JSON.stringify(await inPage(() => said))}`);

// ---------------------------------------------------------------------------- pages that cannot

const strict = await serve({ headers: { "content-security-policy": "script-src 'self'" } });
const other = await browser.newPage();
await other.goto(strict.url + "test/engine_page.html");
await other.click("#start");
await other.waitForFunction(() => globalThis.engine.state === "failed", null, { timeout: 20000 }).catch(() => {});
check("a page that forbids WebAssembly says so", await other.evaluate(() => engine.state === "failed" && said.length === 1));

await browser.close();
strict.close();
site.close();
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
