// The page in the Firefox of the machine (Debian's firefox-esr, or FIREFOX=...): it opens, a touch sounds, keys play, scenes
// change, the energy balance closes and the bits are the native ones.
import { writeFileSync } from "node:fs";
import { check, listen, pause, pluck, report, sceneIsOpen } from "./kit.mjs";
import { openFirefox } from "./marionette.mjs";
import { serve } from "./serve.mjs";

let passed = 0, failed = 0;
const law = (...all) => (check(...all) ? passed++ : failed++);
const host = await serve(), { page, close } = await openFirefox();

try {
  await page.goto(host.url);
  await sceneIsOpen(page);
  await page.evaluate(() => {
    globalThis.wrong = [];
    addEventListener("error", (event) => globalThis.wrong.push(event.message));
    addEventListener("unhandledrejection", (event) => globalThis.wrong.push(String(event.reason)));
  });
  report(await page.evaluate(() => navigator.userAgent));
  law("a scene is on the stage", (await page.textContent("[data-title]")) === "Tanpura", await page.textContent("[data-title]"));
  law("it is silent before the touch", await page.evaluate(() => sistrum.engine.context === null));
  const ears = await listen(page);
  await pluck(page);
  law("the first touch of the mouse sounds", await ears.sound(), await page.evaluate(() => [sistrum.engine.state, document.querySelector("[data-status]").textContent]));
  let heard = await ears.heard();
  law("the hand supplied energy", heard.supplied > 0, heard.supplied);
  law("the energy balance is closed", heard.residual <= 1e-12, heard.residual);
  law("the lamp says so", /energy balance closed: \d/.test(await page.textContent("[data-lamp]")), await page.textContent("[data-lamp]"));
  if (process.env.SHOTS) writeFileSync(`${process.env.SHOTS}/firefox.png`, await page.screenshot());
  await page.evaluate(() => sistrum.engine.panic());
  await pause(300);
  await ears.forget();
  await page.keyboard.down("z");
  await pause(150);
  await page.keyboard.up("z");
  law("a key of the computer plays", await ears.sound());
  law("by a voice", (await ears.heard()).voices > 0);
  await page.click('[data-open="scenes"]');
  await page.waitForFunction(() => document.querySelector('button.scene[data-name="guitar"]'));
  await page.click('button.scene[data-name="guitar"]');
  await page.waitForFunction(() => sistrum.work.name === "guitar" && sistrum.scene?.text === sistrum.work.text);
  await pause(300);
  await ears.forget();
  await pluck(page);
  law("another scene sounds under the hand", await ears.sound());
  heard = await ears.heard();
  law("with a closed balance", heard.residual <= 1e-12, heard.residual);
  await page.evaluate(async () => { globalThis.hashed = null; globalThis.hashed = await sistrum.engine.hash(); });
  law("two seconds have the native bits", await page.evaluate(async () => globalThis.hashed === (await (await fetch("hashes.json")).json()).guitar));
  const clock = () => page.evaluate(() => [performance.now() / 1000, sistrum.engine.context.currentTime]);
  const [a, b] = [await clock(), (await pause(3000), await clock())];
  report(`audio clock ${(100 * ((b[1] - a[1]) / (b[0] - a[0]) - 1)).toFixed(2)} % beside the wall's`);
  law("no error in the page", await page.evaluate(() => globalThis.wrong.length === 0), await page.evaluate(() => globalThis.wrong));
} catch (error) {
  law("Firefox", false, error.message);
}
await close();
host.close();
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
