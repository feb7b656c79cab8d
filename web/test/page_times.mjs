// How long it takes until something is heard:  node web/test/page_times.mjs [RUNS]
// Opens the page in a fresh profile and again in the same one, touches at once, edits a number; prints medians of the marks
// that engine.js sets, in ms after the page was asked for. A busy machine shows: say what else it did.
import { check, listen, openPanel, pause, pluck, report, run, sceneIsOpen } from "./kit.mjs";

const runs = Number(process.argv[2] ?? 3), all = new Map();
const keep = (what, ms) => all.set(what, [...(all.get(what) ?? []), ms]);
const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];

const marks = (page) => page.evaluate(() => Object.fromEntries(performance.getEntriesByType("mark").map((one) => [one.name, one.startTime])));

async function first(page, which) {
  const ears = await listen(page), touched = await page.evaluate(() => performance.now());
  await pluck(page);
  const sounds = await ears.sound();
  const now = await marks(page), heard = (await ears.heard()).heardAt;
  keep(`${which}: module compiled`, now["sistrum-module"]);
  keep(`${which}: scene on the stage`, now["sistrum-scene"]);
  keep(`${which}: touch to sound`, heard - touched);
  keep(`${which}: first sound, touched as soon as a test can`, heard);
  return sounds;
}

async function opening({ open }) {
  for (let i = 0; i < runs; i++) {
    const { page } = await open();
    check("it sounds", await first(page, "new visitor"));
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => 0));
    await page.reload();
    await sceneIsOpen(page);
    check("and again", await first(page, "second visit"));
    await edits(page);
  }
}

/** From a keystroke to the new scene in the audio thread. */
async function edits(page) {
  await openPanel(page, "code");
  await page.waitForSelector(".cm-content");
  await page.click(".cm-content");
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("End");
  for (let i = 0; i < 3; i++) {
    await page.evaluate(() => {
      globalThis.edited = new Promise((done) => {
        let at = 0;
        sistrum.on("text", () => { at = performance.now(); });
        sistrum.engine.addEventListener("begun", () => at && done(performance.now() - at));
      });
    });
    await page.keyboard.type(".");
    keep("edit to sound, with 60 ms of rest", await page.evaluate(() => globalThis.edited));
    await pause(800);
  }
}

await run(opening, async function told() {
  for (const [what, list] of all) report(`${what}: ${median(list).toFixed(0)} ms`);
  check("times were taken", all.size > 5);
});
