// Pictures of the panels alone: node test/panels_shots.mjs OUT (needs dist/ with the data of data.mjs)
import { createServer } from "node:http";
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import { build } from "esbuild";
import { chromium } from "playwright-core";

const web = resolve(import.meta.dirname, ".."),
    dist = join(web, "dist"),
    out = resolve(process.argv[2] ?? "/tmp/shots");
mkdirSync(out, { recursive: true });
await build({
    entryPoints: [join(web, "test/panels.js")],
    bundle: true,
    format: "esm",
    splitting: true,
    outdir: join(dist, "panels"),
    minify: true,
    logLevel: "error",
});
copyFileSync(join(web, "style-panels.css"), join(dist, "style-panels.css"));
copyFileSync(join(web, "../tools/gallery.css"), join(dist, "gallery.css"));
const TYPES = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".json": "application/json",
    ".png": "image/png",
};
const server = createServer((request, answer) => {
    const path = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const file =
        path === "/panels.html"
            ? join(web, "test/panels.html")
            : /^\/(panels|chunk|editor_code)[^/]*\.js$/.test(path)
              ? join(dist, "panels", path)
              : join(dist, path);
    if (!existsSync(file) || statSync(file).isDirectory()) return answer.writeHead(404).end();
    answer.writeHead(200, { "content-type": TYPES[extname(file)] ?? "text/plain" }).end(readFileSync(file));
}).listen(0);
const address = `http://127.0.0.1:${server.address().port}/panels.html`;
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
for (const [name, options] of Object.entries({
    desk: { viewport: { width: 1180, height: 900 } },
    dark: { viewport: { width: 1180, height: 900 }, colorScheme: "dark" },
    phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
})) {
    const page = await (await browser.newContext(options)).newPage();
    page.on("console", (m) => m.type() === "error" && console.log(name, "console:", m.text()));
    page.on("pageerror", (e) => console.log(name, "error:", e.message));
    await page.goto(address);
    await page.waitForSelector(".cm-content");
    await page.waitForSelector("button.scene");
    await page.screenshot({ path: join(out, `${name}.png`), fullPage: name !== "phone" });
    if (name === "phone") {
        const tall = await page.evaluate(() => document.documentElement.scrollHeight);
        console.log("phone: height", tall, "width", await page.evaluate(() => document.documentElement.scrollWidth));
        await page.screenshot({ path: join(out, "phone1.png") });
        for (const id of ["knobs", "keyboard", "scenes"]) {
            await page.locator(`#${id}`).scrollIntoViewIfNeeded();
            await page.evaluate((which) => document.getElementById(which).scrollIntoView(), id);
            await page.screenshot({ path: join(out, `phone_${id}.png`) });
        }
    }
}
await browser.close();
server.close();
