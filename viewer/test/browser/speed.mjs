// How fast a report opens and moves.
import { call, get, kWide, open } from "./session.mjs";

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

/** The better of two counts: the first page also starts the browser's own processes. */
export async function speedOf(file) {
  let openedIn = Infinity, fps = 0;
  for (let k = 0; k < 2; ++k) {
    const { page, close } = await open(file, kWide, "light");
    openedIn = Math.min(openedIn, await get(page, "openedIn"));
    fps = Math.max(fps, await framesPerSecond(page));
    await close();
  }
  return { openedIn, fps };
}

/** While playing, and what the machine can do when it is let: the best of some short bursts of whole pictures. */
async function framesPerSecond(page) {
  const played = await playedPerSecond(page);
  let least = Infinity;
  for (let k = 0; k < 8; ++k) least = Math.min(least, (await call(page, "drawMany", 3)) / 3);
  return Math.max(played, 1000 / least);
}

async function playedPerSecond(page) {
  await call(page, "play", true);
  await sleep(500);
  const played = await page.evaluate(() => new Promise((done) => {
    let frames = 0;
    const from = performance.now();
    const tick = () => {
      ++frames;
      const gone = performance.now() - from;
      if (gone > 2500) done((1000 * frames) / gone);
      else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }));
  await call(page, "play", false);
  return played;
}
