// A while of play in a real browser: the audio clock goes as the wall's, memory stays flat:  node web/test/page_long.mjs [SECONDS]
import { check, choose, listen, pause, pluck, report, run } from "./kit.mjs";

const seconds = Number(process.argv[2] ?? 20);

async function turns(page, long, act) {
  const end = Date.now() + 1000 * long;
  for (let i = 0; Date.now() < end; i++) {
    await act(i);
    await pause(700);
  }
}

/** How fast the audio clock went by the wall's, and the engine by the audio clock. */
function rates(a, b) {
  const wall = b.wall - a.wall, audio = b.audio - a.audio, engine = (b.frames - a.frames) / 48000;
  return { audio: audio / wall, engine: engine / audio, words: `${wall.toFixed(1)} s by the wall, ${audio.toFixed(2)} s by the audio clock (${(100 * (audio / wall - 1)).toFixed(2)} %), underruns ${b.underruns - a.underruns}, load ${b.load.toFixed(2)}` };
}

/** Pictures of the stage in three seconds of sound. */
const pictures = (page) => page.evaluate(async () => {
  const { stage } = sistrum, begin = performance.now();
  let count = 0;
  stage.paint = function (...words) {
    count++;
    return Object.getPrototypeOf(this).paint.apply(this, words);
  };
  await new Promise((done) => setTimeout(done, 3000));
  delete stage.paint;
  return { rate: (1000 * count) / (performance.now() - begin), cost: stage.cost };
});

async function playing({ open }) {
  const { page } = await open();
  const ears = await listen(page);
  await choose(page, "tanpura");
  await page.click("[data-play]");
  check("it plays", await ears.sound());
  const session = await page.context().newCDPSession(page);
  const look = async () => {
    await session.send("HeapProfiler.collectGarbage");
    return page.evaluate(() => ({ wall: performance.now() / 1000, audio: sistrum.engine.context.currentTime, heap: performance.memory.usedJSHeapSize,
      engine: sistrum.engine.memory ? Number(sistrum.engine.memory()) || 0 : 0, ...ears.last.status, frames: ears.last.frames }));
  };
  await pause(1000);
  const seen = await pictures(page);
  report(`pictures: ${seen.rate.toFixed(1)} a second (aim 60), ${seen.cost.toFixed(2)} ms each`);
  check("the stage moves while it sounds", seen.rate > 5, seen);
  const all = [await look()];
  await turns(page, seconds, async (i) => {
    await page.keyboard.press("zxcvbnm"[i % 7]);
    if (i % 4 === 3) await page.click("[data-play]");
    if (i % 8 === 7) all.push(await look());
  });
  all.push(await look());
  const notes = rates(all[0], all.at(-1));
  report(`notes: ${notes.words}`);
  check("the engine keeps up with the audio clock", Math.abs(notes.engine - 1) < 0.01, notes.engine);
  check("the audio clock goes as the wall's within 1 %", Math.abs(notes.audio - 1) < 0.01, notes.words);

  // A hand on the string costs more than notes do: told, not judged.
  for (const name of ["tanpura", "guitar"]) {
    await choose(page, name);
    await pluck(page);
    await pause(500);
    const before = await look();
    await turns(page, seconds / 3, (i) => pluck(page, { along: 0.2 + 0.1 * (i % 6) }));
    const after = await look();
    report(`${name} under a hand: ${rates(before, after).words}`);
    all.push(after);
  }
  const heaps = all.map((one) => one.heap / 1e6);
  report(`memory of the page ${heaps.map((x) => x.toFixed(1)).join(" ")} MB`);
  check("memory stays flat", Math.min(...heaps.slice(-2)) < heaps[0] + 4, heaps);
  check("the energy balance is closed all the while", (await ears.heard()).residual <= 1e-12, (await ears.heard()).residual);
}

await run(playing);
