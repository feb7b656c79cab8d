// Pictures for docs/web.md: node web/test/panels_pictures.mjs (needs web/dist and Chromium) writes docs/img/web_editor.png and web_learn.png.

import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { serve } from "./serve.mjs";

const images = fileURLToPath(new URL("../../docs/img/", import.meta.url)),
    LONG = { timeout: 90000 };
const server = await serve();
const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--autoplay-policy=no-user-gesture-required"],
});
const page = await (await browser.newContext({ viewport: { width: 1100, height: 820 } })).newPage();

async function editor() {
    await page.goto(`${server.url}#scene=guitar_frets`);
    await page.waitForFunction(() => globalThis.sistrum?.scene, null, LONG);
    await page.click("[data-play]");
    await page.click("[data-tab=code]");
    await page.waitForSelector(".cm-content", LONG);
    await page.click(".cm-content");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\ncontact { above = s, belo = frets, d");
    await page.waitForSelector(".cm-completionInfo", LONG);
    await page.waitForSelector(".cm-lint-marker-error", LONG);
    await page.evaluate(() =>
        document.querySelector(".editor .trouble").scrollIntoView({ block: "end", behavior: "instant" }),
    );
    await page.waitForTimeout(600);
    await page.screenshot({ path: `${images}web_editor.png` });
}

async function learn() {
    await page.goto(`${server.url}learn/index.html#rattle`);
    await page.waitForSelector(".numbers", LONG);
    await page.evaluate(() => scrollTo({ top: 330, behavior: "instant" }));
    await page.waitForTimeout(300);
    await page.screenshot({ path: `${images}web_learn.png` });
}

await editor();
await learn();
for (const name of ["web_editor", "web_learn"])
    console.log(`${name}.png ${statSync(`${images}${name}.png`).size} bytes`);
await browser.close();
server.close();
