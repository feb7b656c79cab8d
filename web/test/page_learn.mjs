// The pages to learn from, in a real browser: each opens, its scene sounds, its figure is drawn.
import { PHONE, check, listen, run } from "./kit.mjs";

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
  await page.waitForFunction(() => sistrum.scene);
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

await run(pages, phone);
