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

const forces = () => sistrum.ring.last?.forces.reduce((sum, list) => sum + list.reduce((a, f) => a + Math.abs(f), 0), 0) ?? 0;

/** Plays at a hundredth of the speed and stops when contacts press. */
async function slow(page, factor, stop) {
  await page.click("[data-play]");
  await page.waitForFunction(() => sistrum.engine.state === "running" && sistrum.ring.count > 3, null, { timeout: 20000 });
  await page.click(`[data-speed="${factor}"]`);
  await page.waitForTimeout(400);
  await page.click("[data-play]");
  await stop(page);
  await page.click("[data-pause]");
  await page.waitForTimeout(400);
}

await picture("web_first", "tanpura", DESK);
await picture("web_phone", "tanpura", PHONE);
await picture("web_slow_tanpura", "tanpura", DESK, (page) => slow(page, 0.01, async () => {
  await page.waitForTimeout(4500);
  await page.waitForFunction(forces, null, { polling: 16, timeout: 20000 });
}));
await picture("web_slow_snare", "snare", { ...DESK, colorScheme: "dark" }, (page) => slow(page, 0.01, async () => {
  await page.waitForTimeout(1500);
  await page.waitForFunction(forces, null, { polling: 16, timeout: 20000 });
  await page.waitForTimeout(250);
}));
await browser.close();
site.close();
