// The first screen in a real browser: it opens silent, the first touch sounds, time can be slowed, held and stepped.
import { check, listen, pause, pluck, report, run, status } from "./kit.mjs";

async function touching({ open }) {
  const begun = Date.now();
  const { page } = await open();
  check("a scene is on the stage before any touch", (await page.textContent("[data-title]")) === "Tanpura", await page.textContent("[data-title]"));
  report(`page and scene ready ${Date.now() - begun} ms after opening`);
  check("it invites to touch", /touch/i.test(await page.textContent("[data-hint]")));
  check("it is silent before the touch: no AudioContext yet", await page.evaluate(() => sistrum.engine.context === null));
  const ears = await listen(page), touched = Date.now();
  await pluck(page);
  check("the first touch of the mouse sounds", await ears.sound(), await ears.heard());
  report(`first sound ${Date.now() - begun} ms after opening (aim 2000), ${Date.now() - touched} ms after the touch began`);
  const heard = await ears.heard();
  check("the hand supplied energy", heard.supplied > 0, heard.supplied);
  check("the energy balance is closed", heard.residual <= 1e-12, heard.residual);
  check("the lamp says so", /energy balance closed: \d/.test(await page.textContent("[data-lamp]")), await page.textContent("[data-lamp]"));
  check("the bar shows what was supplied", /[1-9]/.test(await page.textContent('[data-part="given"]')));

  await silence(page);
  await ears.forget();
  await pause(200);
  check("it falls silent when all is off", (await ears.heard()).peak < 1e-4, (await ears.heard()).peak);
  await pluck(page, { along: 0.3 });
  check("a later touch sounds where there was silence", await ears.sound());

  await silence(page);
  await ears.forget();
  await page.focus("#canvas");
  await page.keyboard.press("ArrowLeft");
  check("arrow keys tell where the finger is", / cm of .* cm/.test(await status(page)), await status(page));
  await page.keyboard.down("Space");
  await pause(100);
  await page.keyboard.up("Space");
  check("Space plucks", await ears.sound());

  await silence(page);
  await ears.forget();
  await page.click("[data-play]");
  check("Play sounds", await ears.sound());
  check("by a voice", (await ears.heard()).voices > 0);
  await pause(3000);
  check("as long as the scene lasts", (await page.evaluate(() => ears.last.status.keys)) > 0);
  await silence(page);
  await pause(500);
  check("when it has ended, the oscilloscope says so", /silent/.test(await page.textContent(".panel.see figcaption")), await page.textContent(".panel.see figcaption"));
}

const silence = async (page) => {
  await page.evaluate(() => { sistrum.release?.(); sistrum.engine.panic(); });
  await page.waitForFunction(() => !(ears.last?.status.peak > 1e-4) || performance.now() - ears.began > 5000);
  await pause(150);
};

async function time({ open }) {
  const { page } = await open();
  const ears = await listen(page);
  await page.click("[data-play]");
  check("it plays", await ears.sound());
  await page.click('[data-speed="0.01"]');
  check("slow motion is told", /1 s takes 100 s/.test(await page.textContent("[data-chip]")));
  await pause(300);
  await page.click("[data-play]");
  await pause(300);
  const speedOf = async () => {
    const read = () => page.evaluate(() => [ears.last.time, sistrum.engine.context.currentTime]);
    const [a, b] = [await read(), (await pause(1500), await read())];
    return (b[0] - a[0]) / (b[1] - a[1]);
  };
  const slow = await speedOf();
  check("a hundredth of real time passes", slow > 0.005 && slow < 0.02, slow);
  await ears.forget();
  check("with sound", await ears.sound(1e-5));
  await page.click('[data-speed="1"]');
  await page.click("[data-play]");
  await page.click('[data-speed="0.01"]');
  await pause(4500); // as long as the scene
  check("slowed down while it sounds, a note lasts longer", (await page.evaluate(() => ears.last.status.keys)) > 0);
  await page.click('[data-speed="1"]');
  await page.click("[data-play]");
  await pause(500);
  const real = await speedOf();
  check("and real time again", real > 0.9 && real < 1.1, real);

  await page.click("[data-pause]");
  await pause(400);
  const held = await page.evaluate(() => ears.last.frames);
  await pause(300);
  check("pause holds the state", (await page.evaluate(() => ears.last.frames)) === held);
  await page.click('[data-step="1"]');
  check("a step is one sample", await ears.until((n) => ears.last.frames === n + 1, held), await page.evaluate((n) => ears.last.frames - n, held));
  await page.click('[data-step="100"]');
  check("a hundred are a hundred", await ears.until((n) => ears.last.frames === n + 101, held), await page.evaluate((n) => ears.last.frames - n, held));
  await page.focus("[data-scrub]");
  const now = await page.textContent("[data-when]");
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowLeft");
  check("the scrubber goes back", /−/.test(await page.textContent("[data-when]")) && (await page.textContent("[data-when]")) !== now, await page.textContent("[data-when]"));
  await page.click("[data-pause]");
  await ears.forget();
  await pluck(page);
  check("it goes on", (await ears.until((n) => ears.last?.frames > n + 4000, held)) && (await ears.sound()));
}

async function suspended({ open }) {
  const { page } = await open();
  const ears = await listen(page);
  await page.click("[data-play]");
  await ears.sound();
  await page.evaluate(() => sistrum.engine.context.suspend());
  await page.waitForSelector("[data-wake]:not([hidden])");
  check("a suspended context is told in a sentence", /holds the sound back/.test(await page.textContent("[data-wake]")));
  await page.click("[data-wake]");
  check("a tap wakes it", await ears.until(() => sistrum.engine.state === "running" && document.querySelector("[data-wake]").hidden));
}

await run(touching, time, suspended);
