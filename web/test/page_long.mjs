// A while of play in a real browser: the audio clock goes as the wall's, memory stays flat:  node web/test/page_long.mjs [SECONDS]
import { check, choose, listen, pause, pluck, report, run } from "./kit.mjs";

const seconds = Number(process.argv[2] ?? 20);

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
  for (let i = 0; i < 3; i++) { await pluck(page, { along: 0.3 + 0.1 * i }); await pause(300); }
  const all = [await look()];
  const end = Date.now() + 1000 * seconds;
  for (let i = 0; Date.now() < end; i++) {
    await pluck(page, { along: 0.2 + 0.1 * (i % 6) });
    await page.keyboard.press("zxcvbnm"[i % 7]);
    if (i % 4 === 3) await page.click("[data-play]");
    await pause(700);
    if (i % 8 === 7) all.push(await look());
  }
  await pluck(page);
  await pause(300);
  all.push(await look());
  const a = all[0], b = all.at(-1), wall = b.wall - a.wall, audio = b.audio - a.audio;
  const engine = (b.frames - a.frames) / 48000;
  report(`${wall.toFixed(1)} s by the wall, ${audio.toFixed(2)} s by the audio clock (${(100 * (audio / wall - 1)).toFixed(2)} %), ${engine.toFixed(2)} s by the engine; underruns ${b.underruns - a.underruns}, load ${b.load.toFixed(2)}`);
  check("the engine keeps up with the audio clock", Math.abs(engine / audio - 1) < 0.01, engine / audio);
  check("the audio clock goes as the wall's within 1 %", Math.abs(audio / wall - 1) < 0.01 || b.underruns > a.underruns, audio / wall);
  const heaps = all.map((one) => one.heap / 1e6);
  report(`memory of the page ${heaps.map((x) => x.toFixed(1)).join(" ")} MB`);
  check("memory stays flat", Math.min(...heaps.slice(-2)) < heaps[0] + 4, heaps);
  check("the energy balance is closed all the while", (await ears.heard()).residual <= 1e-12, (await ears.heard()).residual);
}

await run(playing);
