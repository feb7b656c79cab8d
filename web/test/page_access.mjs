// For everyone: every control has a name, Tab reaches the main ones, text has contrast in light and dark, reduced motion.
import { PHONE, check, openPanel, pause, run } from "./kit.mjs";

const PANELS = ["knobs", "keys", "see", "code", "take"];

/** In the page: controls without a name. */
const nameless = () => [...document.querySelectorAll("button, a[href], input:not([type=hidden]), select, textarea, canvas, [role=application], [role=slider], [tabindex='0']")]
  .filter((node) => node.checkVisibility?.({ visibilityProperty: true }) && !node.closest("[aria-hidden=true], .cm-editor"))
  .filter((node) => {
    const labelled = (node.getAttribute("aria-labelledby") ?? "").split(/\s+/).map((id) => document.getElementById(id)?.textContent ?? "").join("");
    const labels = [...(node.labels ?? [])].map((one) => one.textContent).join("");
    return !(node.getAttribute("aria-label") || labelled || labels || node.title || node.textContent || node.alt || "").trim();
  }).map((node) => node.outerHTML.slice(0, 90));

/** In the page: texts whose contrast with what is behind them is below AA. */
const faint = () => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const pen = canvas.getContext("2d", { willReadFrequently: true }), known = new Map();
  const rgba = (text) => {
    if (!known.has(text)) {
      pen.clearRect(0, 0, 1, 1);
      pen.fillStyle = "#000";
      pen.fillStyle = text;
      pen.fillRect(0, 0, 1, 1);
      known.set(text, [...pen.getImageData(0, 0, 1, 1).data].map((x) => x / 255));
    }
    return known.get(text);
  };
  const over = (top, under) => top.slice(0, 3).map((x, i) => x * top[3] + under[i] * (1 - top[3])).concat(1);
  const light = ([r, g, b]) => [r, g, b].map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4)).reduce((sum, x, i) => sum + x * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (node) => {
    const stack = [];
    for (let one = node; one; one = one.parentElement) {
      const style = getComputedStyle(one), colour = rgba(style.backgroundColor);
      if (style.backgroundImage !== "none" && colour[3] < 1) return null; // a picture: not judged
      stack.push(colour);
      if (colour[3] === 1) break;
    }
    return stack.reverse().reduce((under, top) => over(top, under), rgba(getComputedStyle(document.documentElement).backgroundColor)[3] ? rgba(getComputedStyle(document.documentElement).backgroundColor) : [1, 1, 1, 1]);
  };
  const found = new Map(), walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const node = text.parentElement;
    if (!text.textContent.trim() || !node.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) || node.closest("[disabled], [aria-hidden=true], noscript, script, style, .hidden, .skip, .gone, option")) continue;
    const style = getComputedStyle(node), back = behind(node);
    if (!back) continue;
    let opacity = 1;
    for (let one = node; one; one = one.parentElement) opacity *= Number(getComputedStyle(one).opacity);
    const colour = rgba(style.color), front = over([...colour.slice(0, 3), colour[3] * opacity], back);
    const [a, b] = [light(front), light(back)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5) - 0.005) found.set(`${node.tagName.toLowerCase()}.${node.className} "${text.textContent.trim().slice(0, 24)}"`, ratio.toFixed(2));
  }
  return [...found].map(([what, ratio]) => `${what} ${ratio}`);
};

async function looks(open, colorScheme) {
  const { page } = await open({ colorScheme });
  for (const key of PANELS) {
    await openPanel(page, key);
    if (key === "code") await page.waitForSelector(".cm-content");
    await pause(350);
    const without = await page.evaluate(nameless);
    check(`${key}, ${colorScheme}: every control has a name`, without.length === 0, without.slice(0, 4));
    const weak = await page.evaluate(faint);
    check(`${key}, ${colorScheme}: texts have the contrast of AA`, weak.length === 0, weak.slice(0, 6));
  }
  await page.click('[data-open="scenes"]');
  await page.waitForSelector("button.scene");
  await pause(300);
  const weak = await page.evaluate(faint);
  check(`menu, ${colorScheme}: texts have the contrast of AA`, weak.length === 0, weak.slice(0, 6));
  check(`menu, ${colorScheme}: every control has a name`, (await page.evaluate(nameless)).length === 0);
}
const light = ({ open }) => looks(open, "light");
const dark = ({ open }) => looks(open, "dark");

async function byKeys({ open }) {
  const { page } = await open();
  const reached = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => {
      const node = document.activeElement;
      return node.id || node.dataset.tab || Object.keys(node.dataset)[0] || node.className || node.tagName;
    }));
  }
  for (const one of ["open", "theme", "canvas", "play", "pause", "speed", "picture"]) check(`Tab reaches ${one}`, reached.has(one), [...reached].join(" "));
  check("Tab reaches the tabs", [...reached].some((one) => one.startsWith("tab-")), [...reached].join(" "));
  check("and what is in the panel", [...reached].some((one) => /knob/.test(one)), [...reached].join(" "));
  check("Tab starts no sound", await page.evaluate(() => sistrum.engine.context === null));

  await page.focus('[data-tab="knobs"]');
  await page.keyboard.press("ArrowRight");
  check("arrows go along the tabs", (await page.evaluate(() => document.activeElement.dataset.tab)) === "keys" && (await page.isVisible("#panel-keys")));
  await page.focus('[data-open="scenes"]');
  await page.keyboard.press("Enter");
  await page.waitForSelector("button.scene");
  await page.keyboard.press("Escape");
  check("Escape closes the menu", !(await page.isVisible("button.scene")));
  check("and the focus is back", await page.evaluate(() => document.activeElement.dataset.open === "scenes"));
  const ring = await page.evaluate(() => {
    document.querySelector("[data-play]").focus({ focusVisible: true });
    const style = getComputedStyle(document.querySelector("[data-play]"));
    return style.outlineStyle !== "none" || style.boxShadow !== "none";
  });
  check("where the focus is can be seen", ring);
}

async function still({ open }) {
  const { page } = await open({ reducedMotion: "reduce" });
  const moving = await page.evaluate(() => document.getAnimations().filter((one) => one.playState === "running" && one.effect.getComputedTiming().duration > 50).length);
  check("with reduced motion nothing is animated", moving === 0, moving);
  const two = [await page.locator("#canvas").screenshot(), (await pause(500), await page.locator("#canvas").screenshot())];
  check("and the stage at rest stands still", two[0].equals(two[1]));
}

async function phone({ open }) {
  const { page } = await open(PHONE);
  check("phone: every control has a name", (await page.evaluate(nameless)).length === 0, await page.evaluate(nameless));
  const weak = await page.evaluate(faint);
  check("phone: texts have the contrast of AA", weak.length === 0, weak.slice(0, 6));
}

await run(light, dark, byKeys, still, phone);
