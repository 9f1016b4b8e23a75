// Reports that are out of the ordinary: large ones, failed and interrupted runs, names that look like markup.
import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { hasTicks } from "./reader.mjs";
import { call, clipped, drawn, get, kPhone, kWide, open, shot } from "./session.mjs";

/** [bytes] that one picture allocates with everything shown, by the sampling profiler of the heap. */
export async function heapPerPicture(page, pictures) {
  await page.evaluate(() => {
    const report = window.pintleReport;
    for (const name of report.overlays) report.setOverlay(name, name !== "names");
    report.drawMany(2);
  });
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.startSampling", { samplingInterval: 256 });
  await page.evaluate((n) => void window.pintleReport.drawMany(n), pictures);
  const { profile } = await session.send("HeapProfiler.stopSampling");
  const size = (node) => (node.callFrame.functionName === "(IDLE_EXTERNAL)" ? 0 : node.selfSize) + node.children.reduce((sum, child) => sum + size(child), 0);
  return size(profile.head) / pictures;
}

async function fifty(file, data) {
  assert.equal(data.scene.bodies.length, 50);
  const { page, close } = await open(file, kWide, "light");
  const openedIn = await get(page, "openedIn");
  await call(page, "setTime", 3);
  await shot(page, "fifty-light");
  assert.deepEqual(await clipped(page), [], "nothing is cut off");
  // Fewer pixels take the software that draws here less time; what the page does for a picture is the same.
  await page.setViewportSize({ width: 400, height: 400 });
  await drawn(page);
  const heap = await heapPerPicture(page, 8), drawCalls = await call(page, "drawCalls");
  await close();
  // What is left are numbers that the engine of the browser boxes itself.
  assert.ok(heap < 4096, `a picture allocates ${heap} bytes`);
  assert.ok(drawCalls < 300, `${drawCalls} draw calls`);
  return `opened in ${openedIn.toFixed(0)} ms, ${drawCalls} draw calls and ${heap.toFixed(0)} bytes of heap a picture with all overlays`;
}

async function million(file, data) {
  assert.ok(data.rows.total >= 1e6 && data.rows.thinned, "a million rows are thinned");
  const size = statSync(file).size;
  assert.ok(size < 10e6, `${size} bytes`);
  const { page, close } = await open(file, kWide, "light");
  const openedIn = await get(page, "openedIn");
  await page.locator(".tab-checks").click();
  const said = await page.locator(".verdict").innerText();
  assert.match(said, /Thinned for drawing: .* of 1\u2009000\u2009001 rows are drawn; all of them are in run\.csv and run\.npz/, "it says that it is thinned");
  await shot(page, "million-light");
  await close();
  return `${data.rows.drawn} of ${data.rows.total} rows, ${(size / 1e6).toFixed(1)} MB, opened in ${openedIn.toFixed(0)} ms`;
}

async function names(file, data) {
  const { page, close } = await open(file, kWide, "light");
  assert.equal(await page.title(), `${data.scene.name} – Pintle`);
  assert.equal(await page.locator("h1").textContent(), data.scene.name);
  assert.equal(await page.locator(".tree-name").first().textContent(), data.scene.bodies[0].name);
  await page.locator(".tree-item").first().click();
  await call(page, "setOverlay", "names", true);
  for (const tab of ["bodies", "plots", "checks"]) await call(page, "showTab", tab);
  for (let i = 0; i < (await page.locator(".event").count()); ++i) await page.locator(".event").nth(i).hover();
  await drawn(page);
  assert.equal(await page.locator("script, img, b, iframe").count(), 0, "names add no elements");
  await shot(page, "names-light");
  await close();
  await policyHolds(file);
  return "names are text, and the policy lets nothing in or out";
}

/** What got into the page could neither run nor ask anybody for anything. */
async function policyHolds(file) {
  const { page } = await open(file, kWide, "light");
  const outcome = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.broken = true";
    document.body.append(script);
    const asked = await fetch("https://example.com/").then(() => "answered", () => "refused");
    const seen = new Image();
    const image = await new Promise((done) => {
      seen.onload = () => done("loaded");
      seen.onerror = () => done("refused");
      seen.src = "https://example.com/x.png";
    });
    let evaluated = true;
    try {
      new Function("return 1")();
    } catch {
      evaluated = false;
    }
    return { broken: window.broken === true, asked, image, evaluated };
  });
  assert.deepEqual(outcome, { broken: false, asked: "refused", image: "refused", evaluated: false });
  await page.context().close();
}

/** A run that did not come to its end says so before anything else, and still shows what there is. */
async function honest(file, data, name, kind, words) {
  const { page, close } = await open(file, kWide, "light");
  assert.equal(await page.locator(`.badge.${kind}`).count(), 1, `the badge is ${kind}`);
  assert.equal(await page.locator(`.outcome.${kind}`).count(), 1, `the checks opens and its verdict is ${kind}`);
  const said = await page.locator(".verdict").innerText();
  assert.ok(said.includes(data.run.text), "it says what happened");
  assert.match(said, words);
  assert.doesNotMatch(said, /NaN|undefined|null/);
  await shot(page, `${name}-light`);
  for (const part of [0, 0.5, 1]) {
    await call(page, "setTime", (await get(page, "start")) + part * ((await get(page, "end")) - (await get(page, "start"))));
    await drawn(page);
  }
  const chips = page.locator(".chip");
  await page.locator(".tab-plots").click();
  for (let i = (await chips.count()) - 1; i >= 0; --i) {
    await chips.nth(i).click();
    await page.locator(".plots .u-over").first().waitFor();
    await drawn(page);
    assert.ok(await hasTicks(page), "plots have numbers at their axes");
  }
  assert.equal(await page.locator(".lost").isVisible(), kind === "bad", "it says when bodies cannot be drawn");
  await page.keyboard.press("r");
  await page.keyboard.press("t");
  await page.locator(".tree-item").first().click();
  await drawn(page);
  assert.deepEqual(await clipped(page), [], "nothing is cut off");
  await shot(page, `${name}-light-plots`);
  await close();
  const phone = await open(file, kPhone, "dark");
  assert.deepEqual(await clipped(phone.page), [], "nothing is cut off on a phone");
  await shot(phone.page, `${name}-phone-dark`);
  await phone.close();
  return `it says: ${said.split("\n")[0]}`;
}

export const kSpecial = {
  fifty, million, names,
  diverged: (file, data) => honest(file, data, "diverged", "bad", /The run failed\. It was to go to t = 10/),
  interrupted: (file, data) => honest(file, data, "interrupted", "early", /The run was interrupted\. It was to go to t = /),
};

export async function withoutWebgl(file) {
  const { page, close } = await open(file, kWide, "light", { init: () => {
    const real = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return /webgl/.test(kind) ? null : real.call(this, kind, ...rest);
    };
  } });
  assert.ok(await page.locator(".no-webgl").isVisible(), "it says that there is no WebGL");
  await page.locator(".tab-plots").click();
  await page.locator(".chip").nth(1).click();
  await call(page, "setTime", 0.5 * (await get(page, "end")));
  await page.locator(".tree-item").first().click();
  await page.locator(".tab-checks").click();
  await shot(page, "no-webgl");
  // three.js tells the console what the page tells its reader.
  await close().catch((error) => {
    if (!/WebGL/.test(JSON.stringify(error.actual))) throw error;
  });
  return "plots, numbers and the checks are there";
}
