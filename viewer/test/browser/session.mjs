// Pages of reports in a real browser, and what can be asked of them.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const kWide = { width: 1280, height: 720 }, kPhone = { width: 390, height: 844 };

let browser = null, shots = null;

/** Starts the browser that CHROMIUM names; pictures go to `folder` when there is one. */
export async function startBrowser(folder) {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) throw new Error(`there is no browser at ${executablePath}`);
  shots = folder;
  if (shots) mkdirSync(shots, { recursive: true });
  browser = await chromium.launch({
    executablePath, headless: true,
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage", "--disable-gpu-rasterization", "--disable-accelerated-2d-canvas"],
  });
}

/** Closes what a test that failed has left open. */
export async function closePages() {
  for (const context of browser.contexts()) await context.close();
}

export async function stopBrowser() {
  await browser.close();
}

export const call = (page, name, ...args) => page.evaluate(([n, a]) => window.pintleReport[n](...a), [name, args]);
export const get = (page, name) => page.evaluate((n) => window.pintleReport[n], name);

/** Waits until the page has drawn what was asked for so far, however slow the machine is. */
export const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60)))));

/** A page that remembers what went wrong on it and what it asked for; `close` fails when anything did. */
export async function open(file, viewport, colorScheme, extra = {}) {
  const { init, hash = "", ...more } = extra;
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce", acceptDownloads: true, ...more });
  const page = await context.newPage();
  page.setDefaultTimeout(60000);
  if (init) await page.addInitScript(init);
  const wrong = [], requests = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") wrong.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`exception: ${error.message}`));
  page.on("dialog", (dialog) => {
    wrong.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => requests.push(request.url()));
  const url = pathToFileURL(resolve(file)).href;
  await page.goto(url + hash);
  await page.waitForFunction(() => window.pintleReport?.ready);
  const close = async () => {
    const outside = requests.filter((r) => r.replace(/#.*/, "") !== url && !r.startsWith("blob:") && !r.startsWith("data:"));
    assert.deepEqual(outside, [], "requests left the page");
    // Drivers without a graphics card tell that reading pixels is slow; that is no fault of the page.
    assert.deepEqual(wrong.filter((text) => !/GPU stall|GL Driver Message|swiftshader|software WebGL/i.test(text)), [], "the console is not clean");
    await context.close();
  };
  return { page, close, wrong };
}

export async function shot(page, name) {
  if (!shots) return;
  await page.screenshot({ path: join(shots, `${name}.png`) });
}

/** What is cut off: elements with text that are wider than what they may show, without an ellipsis, and the page itself. */
export async function clipped(page) {
  return page.evaluate(() => {
    const found = [];
    if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    for (const element of document.querySelectorAll("button, h1, h2, h3, h4, dd, dt, p, output, select, td, th, .check-text, .legend-value, .legend-extreme")) {
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      const style = getComputedStyle(element);
      if (style.textOverflow !== "ellipsis" && style.overflowX !== "auto" && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0) found.push(`${element.tagName}.${element.className}: ${element.textContent}`);
      const scrolls = element.closest(".scroll-x, .chips, .plots, .checks-panel, .side, .tree, .inspector, .legend, .events, .help-card, .labels");
      if (!scrolls && (box.right > innerWidth + 1 || box.left < -1 || box.bottom > innerHeight + 1)) found.push(`outside: ${element.tagName}.${element.className} ${element.textContent}`);
    }
    return found;
  });
}

/** A number for the picture as it is drawn next, to see whether a switch changes it. */
export async function pixels(page) {
  return page.evaluate(() => new Promise((done) => {
    window.pintleReport.invalidate();
    // After the page's own callback of the same frame, while the buffer is still there.
    requestAnimationFrame(() => {
      const canvas = document.querySelector("canvas.picture");
      const copy = document.createElement("canvas");
      copy.width = canvas.width;
      copy.height = canvas.height;
      const ink = copy.getContext("2d", { willReadFrequently: true });
      ink.drawImage(canvas, 0, 0);
      const data = new Uint32Array(ink.getImageData(0, 0, copy.width, copy.height).data.buffer);
      let sum = 0;
      for (let i = 0; i < data.length; ++i) sum = (Math.imul(sum, 31) + data[i]) | 0;
      done(sum);
    });
  }));
}

export function dataOf(file) {
  const text = readFileSync(file, "utf8");
  const begin = text.indexOf('<script id="pintle-data"');
  return JSON.parse(text.slice(text.indexOf(">", begin) + 1, text.indexOf("</script>", begin)));
}
