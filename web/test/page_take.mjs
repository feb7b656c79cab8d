// What is taken away, in a real browser: files with the bytes of the native program.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { check, choose, openPanel, program, root, run, sceneText } from "./kit.mjs";

const folder = mkdtempSync(join(tmpdir(), "sistrum-page-"));

async function download(page, act) {
  const [file] = await Promise.all([page.waitForEvent("download"), act()]);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

async function files({ open }) {
  const { page } = await open();
  for (const [name, turn] of [["tanpura", true], ["snare", false]]) {
    await choose(page, name);
    let set = [];
    if (turn) {
      await openPanel(page, "knobs");
      await page.locator(".knob-list input[type=range]").first().focus();
      for (let i = 0; i < 7; i++) await page.keyboard.press("ArrowLeft");
      set = await page.evaluate(() => sistrum.scene.knobs.filter((k) => k.value !== k.fallback).flatMap((k) => ["--set", `${k.name}=${k.value}`]));
      check("a knob is turned by keys", set.length === 2, set);
    }
    await openPanel(page, "take");
    await page.fill('[aria-label="Seconds to render"]', "0.5");
    const path = (kind) => join(folder, `${name}.${kind}`);
    execFileSync(program, ["render", join(root, "scenes", `${name}.lua`), "-q", "--duration", "0.5", ...set, "-o", path("wav"), "--data", path("npy"), "--energy", path("csv")]);
    for (const kind of ["wav", "npy", "csv"]) {
      const { name: called, bytes } = await download(page, () => page.click(`[data-kind="${kind}"]`));
      await page.waitForFunction(() => !document.querySelector('[data-kind="wav"]').disabled);
      check(`${called} of ${name} has the program's bytes (${bytes.length})`, called === `${name}.${kind}` && bytes.equals(readFileSync(path(kind))), `${bytes.length} and ${readFileSync(path(kind)).length}`);
    }
    const words = await page.textContent(".takeaway .try code");
    check("the command is shown", /^sistrum render/.test(words) && /--duration 0\.5/.test(words), words);
  }
  const json = await page.$('[data-kind="json"]');
  if (json && (await json.isVisible())) {
    const { bytes } = await download(page, () => json.click());
    check("the report is JSON", (() => { try { return typeof JSON.parse(bytes.toString()) === "object"; } catch { return false; } })(), bytes.toString().slice(0, 80));
  }
  const lua = await download(page, () => page.click(".takeaway .files >> text=LUA"));
  check("the scene is its text", lua.name === "snare.lua" && lua.bytes.toString() === sceneText("snare"));
  const png = await download(page, () => page.click(".takeaway .files >> text=PNG"));
  check("the picture is a PNG", png.bytes.subarray(1, 4).toString() === "PNG" && png.bytes.length > 5000, png.bytes.length);

  await page.fill('[aria-label="Seconds to render"]', "60");
  await page.click('[data-kind="wav"]');
  await page.click("text=cancel");
  await page.waitForFunction(() => /cancel/i.test(document.querySelector(".takeaway").textContent) && !document.querySelector('[data-kind="wav"]').disabled);
  check("a long render can be cancelled", true);
  rmSync(folder, { recursive: true });
}

await run(files);
