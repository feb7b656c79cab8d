// The pages to learn from, in a real browser: each opens, its scene sounds, its figure is drawn.
import { PHONE, check, listen, run, sceneIsOpen } from "./kit.mjs";

async function pages({ open }) {
  const { page } = await open({ path: "learn/index.html", ready: false });
  await page.waitForSelector("[data-figures] li");
  const ids = await page.$$eval(".menu a", (links) => links.map((one) => one.hash.slice(1)));
  check("six steps and four figures", ids.length === 10, ids);
  for (const id of ids) {
    await page.click(`.menu a[href="#${id}"]`);
    await page.waitForFunction((wanted) => document.querySelector("[data-page]")?.dataset.page === wanted && document.querySelector("[data-page] .next, [data-page] .trouble") ||
      (document.querySelector("[data-page]")?.dataset.page === wanted && document.querySelector('.menu li:last-child a[aria-current="page"]') && document.querySelector("[data-page]").children.length > 2), id);
    const { title, trouble } = await page.evaluate(() => ({ title: document.title, trouble: document.querySelector("[data-page] .trouble:not([hidden])")?.textContent ?? "" }));
    check(`${id} opens: ${title}`, trouble === "", trouble);
  }
  await page.click(`.menu a[href="#${ids[3]}"]`);
  await sceneIsOpen(page);
  const ears = await listen(page);
  const play = page.locator("[data-page] button", { hasText: /play/i }).first();
  await play.click();
  check("a scene of a step sounds", await ears.sound());
}

async function phone({ open }) {
  const { page } = await open({ ...PHONE, path: "learn/index.html", ready: false });
  await page.waitForSelector("[data-page] p");
  check("on a phone nothing is wider than the screen", await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), await page.evaluate(() => document.documentElement.scrollWidth));
}

/** The controls of time in the box, and one scene after another in slow motion. */
async function slow({ open }) {
  const { page } = await open({ path: "learn/index.html#3-string", ready: false });
  await sceneIsOpen(page);
  await page.click('[data-speed="0.1"]');
  check("slow motion is told on the stage of a step", (await page.textContent(".live [data-chip]")) === "1 s takes 10 s" && (await page.isVisible(".live [data-chip]")));
  await page.click('.menu a[href="#glue"]');
  await page.waitForSelector(".numbers");
  await page.click(".figure > .row button");
  const ears = await listen(page);
  check("the next scene opens in slow motion, and sounds", await page.waitForFunction(() => sistrum.scene && sistrum.work.name.startsWith("learn/glue")).then(() => true, () => false));
  const twice = await page.evaluate(() => [...document.querySelectorAll("[id]")].map((one) => one.id).filter((id, i, all) => all.indexOf(id) !== i));
  check("no two knobs have one id", twice.length === 0, twice);
  await page.click("[data-play]");
  check("it sounds", await ears.sound());
}

/** At 1e9 four of five integrators have no run: the figure says so, and shows what there is. */
async function noRun({ open }) {
  const { page } = await open({ path: "learn/index.html#blow", ready: false });
  await page.waitForSelector(".numbers");
  const typed = page.locator(".figure .knob-list input[type=text], .figure .knob-list input[type=number]").first();
  await typed.fill("1e9");
  await typed.press("Enter");
  await page.waitForFunction(() => /diverges/.test(document.querySelector(".figure [role=status]").textContent));
  const cells = await page.$$eval(".numbers tbody tr:first-child td", (all) => all.map((one) => one.textContent));
  check("at 1e9 only the invariant scheme has a number", cells.join() === "other values,no run,no run,no run,no run,+0.000 %", cells);
  check("and a curve", (await page.locator(".plots figure:first-child path.line").count()) === 1, await page.locator(".plots path").count());
}

await run(pages, phone, slow, noRun);
