// The pictures of docs/web.md:  node web/test/pictures.mjs [NAME ...]   (after tools/web.sh; needs chromium, pngquant if there is one)
// web_first, web_phone: before the first touch; web_slow_tanpura, web_slow_snare: slow motion, drawn from the state.
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url)))), folder = join(root, "docs/img");
const DESK = { viewport: { width: 1280, height: 800 } }, PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const wanted = process.argv.slice(2);

const site = await serve();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--autoplay-policy=no-user-gesture-required"] });

async function picture(name, scene, options, before = async () => {}, part = null) {
  if (wanted.length && !wanted.includes(name)) return;
  const context = await browser.newContext({ colorScheme: "light", ...options }), page = await context.newPage();
  page.on("pageerror", (error) => { throw error; });
  await page.goto(`${site.url}#scene=${scene}`);
  await page.waitForFunction(() => globalThis.sistrum?.scene, null, { timeout: 30000 });
  await page.waitForTimeout(700);
  await before(page);
  const path = join(folder, `${name}.png`);
  await (part ? page.locator(part) : page).screenshot({ path });
  await context.close();
  try { execFileSync("pngquant", ["--force", "--speed", "1", "--output", path, "128", path]); } catch { /* larger, and as good */ }
  console.log(`${name}.png ${(statSync(path).size / 1000).toFixed(0)} kB`);
}

/** Plays slowly for some seconds, pauses, and goes back to the frame in which contacts press most. */
async function slow(page, factor, wait, from) {
  await page.click("[data-play]");
  await page.waitForFunction(() => sistrum.engine.state === "running" && sistrum.ring.count > 3, null, { timeout: 20000 });
  await page.click(`[data-speed="${factor}"]`);
  await page.waitForTimeout(400);
  await page.click("[data-play]");
  await page.waitForTimeout(wait);
  await page.click("[data-pause]");
  await page.waitForTimeout(500);
  const best = await page.evaluate((from) => {
    const { ring } = sistrum, force = (frame) => frame.forces.reduce((sum, list, l) => (frame.layout.links[l].kind === "spring" ? sum : sum + list.reduce((a, f) => a + Math.abs(f), 0)), 0);
    let best = ring.count - 1, most = 0;
    for (let i = Math.max(ring.count - from, 0); i < ring.count - 5; i++) { const f = force(ring.at(i)); if (f > most) { most = f; best = i; } }
    return best;
  }, from);
  for (const i of [best - 2, best - 1, best]) await page.locator("[data-scrub]").fill(String(Math.max(i, 0)));
  await page.waitForTimeout(400);
  await page.evaluate(() => sistrum.emit("say", ""));
}

await picture("web_first", "tanpura", DESK);
await picture("web_phone", "tanpura", PHONE);
await picture("web_slow_tanpura", "tanpura", DESK, (page) => slow(page, 0.01, 6500, 240));
await picture("web_slow_snare", "snare", { ...DESK, colorScheme: "dark" }, (page) => slow(page, 0.01, 5000, 200));
await browser.close();
site.close();
