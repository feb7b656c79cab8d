// What tests of the page share: a browser, a server of web/dist/, laws that are counted, and ears.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

export const web = dirname(dirname(fileURLToPath(import.meta.url))), root = dirname(web), dist = join(web, "dist");
export const program = process.env.SISTRUM ?? join(root, "build/release/sistrum");
export const samples = process.env.SCENE_SAMPLES ?? join(root, "build/release/bench/scene_samples");
export const PATIENCE = 60000; // ms that anything may take on a busy machine
export const DESK = { viewport: { width: 1280, height: 860 } };
export const PHONE = { viewport: { width: 390, height: 780 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };

let passed = 0, failed = 0;

export function check(law, fine, why = "") {
  if (fine) passed++;
  else failed++;
  console.log(`${fine ? "ok     " : "FAILED "} ${law}${fine || why === "" ? "" : `: ${typeof why === "string" ? why : JSON.stringify(why)}`}`);
  return fine;
}
export const report = (what) => console.log(`note    ${what}`);
export const pause = (ms) => new Promise((later) => setTimeout(later, ms));

/** Runs the parts one after the other; what one throws is a law that failed. */
export async function run(...parts) {
  const host = await serve(), browser = await launch();
  for (const part of parts) {
    const opened = [];
    const open = async (options) => {
      const one = await openPage(browser, host.url, options);
      opened.push(one);
      return one;
    };
    try {
      await part({ open, browser, url: host.url });
    } catch (error) {
      check(part.name, false, error.message.split("\n").slice(0, 4).join(" "));
    }
    for (const one of opened) {
      check(`${part.name}: no error on the console`, one.errors.length === 0, one.errors.slice(0, 3).join(" | "));
      await one.context.close().catch(() => {});
    }
  }
  await browser.close();
  host.close();
  console.log(`\n${passed} passed, ${failed} failed`);
  process.exit(failed ? 1 : 0);
}

/** Chromium of the machine. For Firefox: marionette.mjs. */
function launch() {
  const mute = ["--no-sandbox", "--mute-audio", "--disable-dev-shm-usage"];
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: mute });
}

/** A fresh profile with the page open. before: runs in the page before its scripts do. */
export async function openPage(browser, url, { path = "", before = null, ready = true, allowed = null, ...options } = {}) {
  const context = await browser.newContext({ ...DESK, acceptDownloads: true, ...options });
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage(), errors = [];
  const note = (text) => { if (!allowed?.test(text)) errors.push(text); };
  page.on("console", (message) => message.type() === "error" && note(message.text()));
  page.on("pageerror", (error) => note(error.message));
  if (before) await page.addInitScript(before);
  await page.goto(url + path);
  if (ready) await sceneIsOpen(page);
  return { context, page, errors };
}

export const sceneIsOpen = (page) => page.waitForFunction(() => globalThis.sistrum?.scene, null, { timeout: PATIENCE });

/** Ears: frames of the engine and the sound that leaves its node, since the last call of forget(). */
export async function listen(page) {
  await page.evaluate(() => {
    const { engine } = globalThis.sistrum, ears = { count: 0 };
    ears.forget = () => Object.assign(ears, { frames: 0, peak: 0, loudest: 0, supplied: 0, residual: 0, touching: 0, voices: 0, last: null, heardAt: 0, began: performance.now() });
    ears.forget();
    engine.addEventListener("frame", ({ detail: f }) => {
      ears.frames++;
      for (const x of f.scope) if (Math.abs(x) > ears.peak) ears.peak = Math.abs(x);
      if (ears.peak > 1e-4 && !ears.heardAt) ears.heardAt = performance.now();
      ears.supplied = Math.max(ears.supplied, f.energy.supplied);
      ears.residual = Math.max(ears.residual, Math.abs(f.energy.residual), Math.abs(f.status.residual));
      ears.touching = Math.max(ears.touching, f.status.touching);
      ears.voices = Math.max(ears.voices, f.status.voices);
      ears.last = { time: f.time, frames: f.frames, which: f.which, energy: f.energy, status: f.status };
    });
    /** The sound itself, after the engine's node. */
    ears.tap = () => {
      if (ears.analyser || !engine.node) return;
      ears.analyser = new AnalyserNode(engine.context, { fftSize: 2048 });
      engine.node.connect(ears.analyser);
      const buffer = new Float32Array(2048);
      setInterval(() => {
        ears.analyser.getFloatTimeDomainData(buffer);
        for (const x of buffer) if (Math.abs(x) > ears.loudest) ears.loudest = Math.abs(x);
      }, 20);
    };
    globalThis.ears = ears;
  });
  return {
    forget: () => page.evaluate(() => { globalThis.ears.forget(); }),
    heard: () => page.evaluate(() => { const { forget, tap, analyser, ...rest } = globalThis.ears; return rest; }),
    /** Waits until there is sound in the frames and after the node. */
    sound: (least = 1e-4, ms = PATIENCE) => page.waitForFunction((peak) => { globalThis.ears.tap(); return globalThis.ears.peak > peak && globalThis.ears.loudest > peak; }, least, { timeout: ms })
      .then(() => true, () => false),
    until: (f, argument, ms = PATIENCE) => page.waitForFunction(f, argument, { timeout: ms }).then(() => true, () => false),
  };
}

/** Where an element is once nothing moves it: pages scroll smoothly, and keyboards are laid out anew. */
export async function restingBox(locator) {
  let before = null;
  for (let same = 0, looks = 0; same < 3 && looks < 200; looks++) {
    await pause(40);
    const now = await locator.boundingBox();
    same = now && JSON.stringify(now) === JSON.stringify(before) ? same + 1 : 0;
    before = now;
  }
  return before;
}

/** Where a body is on the screen: the pixel that the cursor of the keys would be at. */
export const bodyPoint = async (page, where) => {
  await restingBox(page.locator("#canvas"));
  return cursorPoint(page, where);
};
const cursorPoint = (page, { body = null, along = 0.6 } = {}) => page.evaluate(({ body, along }) => {
  const { touch, canvas } = globalThis.sistrum.stage, { cursor } = touch, kept = { ...cursor }, point = [0, 0];
  Object.assign(cursor, { along, body: body === null ? cursor.body : touch.bodies.indexOf(body) });
  touch.cursorAt(point);
  Object.assign(cursor, kept);
  const box = canvas.getBoundingClientRect();
  return { x: box.left + point[0], y: box.top + point[1] };
}, { body, along });

/** Presses a body with the mouse, pulls it and lets go. */
export async function pluck(page, where = {}) {
  const { x, y } = await bodyPoint(page, where);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 14, y + 14, { steps: 3 }); // some masses move sideways
  await pause(120);
  await page.mouse.up();
}

/** Opens a scene by the menu. */
export async function choose(page, name) {
  await page.click('[data-open="scenes"]');
  await page.click(`button.scene[data-name="${name}"]`);
  await page.waitForFunction((wanted) => globalThis.sistrum.work?.name === wanted && globalThis.sistrum.scene && globalThis.sistrum.scene.text === globalThis.sistrum.work.text, name);
}

export const status = (page) => page.textContent("[data-status]");
export const openPanel = (page, key) => page.click(`[data-tab="${key}"]`);
export const sceneText = (name) => readFileSync(join(root, "scenes", `${name}.lua`), "utf8");
