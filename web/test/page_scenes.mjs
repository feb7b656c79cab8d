// Every shipped scene in a real browser: chosen from the menu, played and touched; and hashed in the Worker with --hashes.
//   node web/test/page_scenes.mjs [--hashes] [SCENE ...]
import { createHash } from "node:crypto";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { check, choose, dist, listen, pause, pluck, report, root, run, samples, sceneText } from "./kit.mjs";

const catalogue = JSON.parse(readFileSync(join(dist, "scenes.json"), "utf8"));
const asked = process.argv.slice(2).filter((one) => !one.startsWith("--"));
const wanted = catalogue.filter((one) => !asked.length || asked.includes(one.name));
const own = wanted.filter((one) => !one.group.startsWith("Papers")), papers = wanted.filter((one) => one.group.startsWith("Papers"));

const quiet = async (page, ears) => {
  await page.evaluate(() => { sistrum.release?.(); sistrum.engine.panic(); });
  await pause(120);
  await ears.forget();
};

/** Sound by the Play button, or why not. */
async function plays(page, ears) {
  await page.click("[data-play]");
  return ears.until(() => ears.peak > 1e-5 || ears.voices > 0, null, 20000);
}

/** A touch of the first body that can be touched: sound, energy, balance. */
async function touches(page, ears, name) {
  await quiet(page, ears);
  if (!(await page.evaluate(() => sistrum.stage.touch.bodies.length))) return report(`${name} has nothing to touch`);
  const body = await page.evaluate(() => sistrum.scene.bodies[sistrum.stage.touch.bodies[sistrum.stage.touch.cursor.body]].kind);
  // What still moves may have gone when the hand comes: it is touched once more.
  for (let i = 0; i < 2; i++) {
    await pluck(page);
    if (await ears.until(() => ears.supplied > 1e-15 && ears.peak > 1e-6, null, 6000)) break;
  }
  const heard = await ears.heard();
  check(`${name} touched: sound ${heard.peak.toPrecision(2)}, energy ${heard.supplied.toPrecision(2)} J, residual ${heard.residual.toPrecision(1)}`,
    heard.peak > 1e-6 && heard.supplied > 0 && heard.residual <= 1e-12 && (heard.touching > 0 || body === "mass"), heard);
}

async function instruments({ open }) {
  const { page } = await open();
  const ears = await listen(page);
  check("the menu has every scene of scenes/", asked.length > 0 || own.length >= 30, own.length);
  for (const { name } of own) {
    await choose(page, name);
    await ears.forget();
    const { takes, inputs } = await page.evaluate(() => ({ takes: sistrum.scene.takesNotes !== false, inputs: sistrum.scene.soundInputs }));
    const sounds = await plays(page, ears), heard = await ears.heard();
    if (takes || !inputs) check(`${name} is chosen, and plays`, sounds && heard.residual <= 1e-12, heard);
    await touches(page, ears, name);
  }
  const last = await ears.heard();
  report(`underruns ${last.last?.status.underruns}, load ${last.last?.status.load.toFixed(2)}`);
}

async function figures({ open }) {
  const { page } = await open();
  const ears = await listen(page);
  for (const { name } of papers) {
    await choose(page, name);
    await quiet(page, ears);
    check(`${name} is chosen, and plays`, await plays(page, ears), await ears.heard());
  }
}

/** SHA-256 of what the native program prints: nothing of it is kept. */
const native = (name) => new Promise((done, failed) => {
  const hash = createHash("sha256"), child = spawn(samples, [join(root, "scenes", `${name}.lua`)], { stdio: ["ignore", "pipe", "inherit"] });
  child.stdout.on("data", (bytes) => hash.update(bytes));
  child.on("error", failed);
  child.on("close", (code) => (code === 0 ? done(hash.digest("hex")) : failed(new Error(`scene_samples failed on ${name}`))));
});

async function hashes({ open }) {
  const { page } = await open();
  for (const { name } of own) {
    const [here, there] = await Promise.all([
      page.evaluate(({ text, name }) => sistrum.engine.hash({ text, name: `${name}.lua` }).catch((error) => error.message), { text: sceneText(name), name }), native(name)]);
    check(`two seconds of ${name} have the native bits in the browser`, here === there, here);
  }
  await page.click('[data-tab="take"]');
  await page.click("text=hash two seconds");
  await page.waitForSelector(".bits strong.good, .bits strong.bad");
  check("the page shows that the bits are the same", (await page.textContent(".bits strong")) === "the same bits", await page.textContent(".bits"));
}

if (process.argv.includes("--hashes")) await run(hashes);
else await run(instruments, figures);
