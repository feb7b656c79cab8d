// Page and gallery side by side and each alone, in a real browser: links are there where they lead somewhere.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { joinGallery } from "../gallery.mjs";
import { check, dist, listen, openPage, pluck, program, report, root, run, sceneIsOpen } from "./kit.mjs";
import { serve } from "./serve.mjs";

const folder = mkdtempSync(join(tmpdir(), "sistrum-gallery-")), gallery = join(folder, "alone/index.html");

/** A Python that has numpy, or nothing. */
const python = [process.env.PYTHON, "/usr/bin/python3", "python3"].filter(Boolean).find((one) => {
  try {
    execFileSync(one, ["-c", "import numpy"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
});

/** A gallery of two scenes. */
function build() {
  const scenes = ["two_masses", "guitar"].map((name) => join(root, "scenes", `${name}.lua`));
  const script = [join(root, "tools/gallery.py"), ...scenes, "-o", gallery];
  execFileSync(python, script, { stdio: ["ignore", "ignore", "inherit"], env: { ...process.env, SISTRUM: program } });
}

async function together({ browser }) {
  const both = join(folder, "both"), plain = join(folder, "plain");
  for (const to of [both, plain]) cpSync(dist, to, { recursive: true, filter: (from) => from !== join(dist, "gallery") });
  writeFileSync(join(plain, "index.html"), readFileSync(join(plain, "index.html"), "utf8").replace(" gallery\"", "\""));
  writeFileSync(join(both, "index.html"), readFileSync(join(plain, "index.html")));
  check("the gallery is put beside the page", joinGallery(both, gallery));
  const host = await serve({ folder: both });
  const { page, context, errors } = await openPage(browser, host.url);
  await page.click('nav a[data-link="gallery"]');
  await page.waitForSelector("article header a.touch");
  check("the page leads to the gallery", /a gallery of collisions/.test(await page.title()), await page.title());
  check("every scene of it can be touched", (await page.$$("article")).length === 2 && (await page.$$("article header a.touch")).length === 2);
  await page.click('article[data-scene="guitar"] a.touch');
  await sceneIsOpen(page);
  check("the gallery leads to the scene in the page", (await page.evaluate(() => sistrum.work.name)) === "guitar");
  const ears = await listen(page);
  await pluck(page);
  check("which sounds", await ears.sound());
  await page.goBack();
  await page.waitForSelector("article a.touch");
  await page.goForward();
  await sceneIsOpen(page);
  check("back and forward", (await page.evaluate(() => sistrum.work.name)) === "guitar");
  check("no error on the console", errors.length === 0, errors);
  await context.close();
  host.close();
}

async function alone({ browser }) {
  for (const [what, where, there] of [["gallery", "alone", "article"], ["page", "plain", "#canvas"]]) {
    const host = await serve({ folder: join(folder, where) });
    const { page, context, errors } = await openPage(browser, host.url, { ready: what === "page" });
    check(`the ${what} alone is there`, await page.isVisible(there));
    const links = await page.evaluate(() => [...document.querySelectorAll('a.touch, a[data-link="gallery"]')].filter((a) => !a.hidden).length);
    check(`the ${what} alone leads nowhere else`, links === 0, links);
    check(`the ${what} alone has no error on the console`, errors.length === 0, errors);
    await context.close();
    host.close();
  }
}

if (python) {
  build();
  await run(together, alone, async function tidied() { rmSync(folder, { recursive: true }); });
} else report("skipped: the gallery needs numpy (tools/install.sh web-test)"), console.log("\n0 passed, 0 failed");
