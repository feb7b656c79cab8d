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

  // Seconds that are none are told, and no file of another length comes.
  const seconds = page.locator('[aria-label="Seconds to render"]'), said = page.locator(".takeaway p.aside[role=status]");
  for (const wrong of ["0", "-1", "1e9"]) {
    await seconds.fill(wrong);
    await page.click('[data-kind="csv"]');
    check(`${wrong} s are refused`, /a number above 0, at most 600/.test(await said.textContent()) && (await seconds.getAttribute("aria-invalid")) === "true", await said.textContent());
  }
  await seconds.fill("0.25");
  check("seconds that are right take the sentence away", (await said.textContent()) === "" && (await seconds.getAttribute("aria-invalid")) === "false", await said.textContent());
  await openPanel(page, "code");
  await page.waitForSelector(".cm-content");
  await page.click(".cm-content");
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("-- mine\n");
  await page.waitForFunction(() => sistrum.scene?.text === sistrum.work.text);
  await openPanel(page, "take");
  check("an edit leaves the seconds as they were typed", (await seconds.inputValue()) === "0.25" && /--duration 0\.25/.test(await page.textContent(".takeaway .try code")), await seconds.inputValue());
  await choose(page, "guitar");
  check("another scene has its own", (await seconds.inputValue()) === (await page.evaluate(() => String(sistrum.scene.duration))), await seconds.inputValue());

  await seconds.fill("60");
  await page.click('[data-kind="wav"]');
  await page.click("text=cancel");
  await page.waitForFunction(() => /cancel/i.test(document.querySelector(".takeaway").textContent) && !document.querySelector('[data-kind="wav"]').disabled);
  check("a long render can be cancelled", true);
  rmSync(folder, { recursive: true });
}

await run(files);
