// Opens reports in a real browser and checks what a reader does with them:
//   node test/browser.mjs [--shots FOLDER] [--fps MIN] [--open MS] REPORT.html...
// --fps and --open measure and demand frames per second and the time until the first picture: for a machine that does nothing else.
// CHROMIUM names the browser (/usr/bin/chromium otherwise). The exit code is 1 when anything is wrong.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const kWide = { width: 1280, height: 720 }, kPhone = { width: 390, height: 844 };

function parse(words) {
  const options = { shots: null, fps: 0, open: Infinity, files: [] };
  for (let i = 0; i < words.length; ++i) {
    if (words[i] === "--shots") options.shots = words[++i];
    else if (words[i] === "--fps") options.fps = Number(words[++i]);
    else if (words[i] === "--open") options.open = Number(words[++i]);
    else options.files.push(words[i]);
  }
  return options;
}

const options = parse(process.argv.slice(2));
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(executablePath)) {
  console.error(`there is no browser at ${executablePath}`);
  process.exit(2);
}
if (options.files.length === 0) {
  console.error("usage: node test/browser.mjs [--shots FOLDER] [--fps MIN] [--open MS] REPORT.html...");
  process.exit(2);
}
if (options.shots) mkdirSync(options.shots, { recursive: true });

const browser = await chromium.launch({
  executablePath, headless: true,
  args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage"],
});

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const call = (page, name, ...args) => page.evaluate(([n, a]) => window.pintleReport[n](...a), [name, args]);
const get = (page, name) => page.evaluate((n) => window.pintleReport[n], name);

/** Waits until the page has drawn what was asked for so far, however slow the machine is. */
const drawn = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 120)))));

/** A page that remembers what went wrong on it and what it asked for. */
async function open(file, viewport, colorScheme, extra = {}) {
  const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce", acceptDownloads: true, ...extra });
  const page = await context.newPage();
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
  await page.goto(url);
  await page.waitForFunction(() => window.pintleReport?.ready, null, { timeout: 30000 });
  const close = async () => {
    const outside = requests.filter((r) => r !== url && !r.startsWith("blob:") && !r.startsWith("data:"));
    assert.deepEqual(outside, [], "requests left the page");
    // Drivers without a graphics card tell that reading pixels is slow; that is no fault of the page.
    assert.deepEqual(wrong.filter((text) => !/GPU stall|GL Driver Message|swiftshader|software WebGL/i.test(text)), [], "the console is not clean");
    await context.close();
  };
  return { page, close };
}

async function shot(page, name) {
  if (!options.shots) return;
  await page.screenshot({ path: join(options.shots, `${name}.png`) });
}

/** What is cut off: elements with text that are wider than what they may show, without an ellipsis, and the page itself. */
async function clipped(page) {
  return page.evaluate(() => {
    const found = [];
    if (document.documentElement.scrollWidth > innerWidth) found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
    for (const element of document.querySelectorAll("button, h1, h2, h3, h4, dd, dt, p, output, select, td, th, .tile-value")) {
      const box = element.getBoundingClientRect();
      if (box.width === 0 || box.height === 0) continue;
      const style = getComputedStyle(element);
      if (style.textOverflow !== "ellipsis" && style.overflowX !== "auto" && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0) found.push(`${element.tagName}.${element.className}: ${element.textContent}`);
      const scrolls = element.closest(".scroll-x, .chips, .plots, .proof-panel, .side, .tree, .inspector, .legend, .events, .help-card, .labels");
      if (!scrolls && (box.right > innerWidth + 1 || box.left < -1 || box.bottom > innerHeight + 1)) found.push(`outside: ${element.tagName}.${element.className} ${element.textContent}`);
    }
    return found;
  });
}

async function movesOnScreen(page, bodies) {
  const start = await get(page, "start"), end = await get(page, "end");
  await call(page, "setTime", start);
  const before = [];
  for (let i = 0; i < bodies.length; ++i) before.push(await call(page, "bodyOnScreen", i));
  const slider = page.locator(".scrubber");
  const box = await slider.boundingBox();
  let most = 0;
  for (const part of [0.17, 0.37, 0.71]) {
    await page.mouse.click(box.x + part * box.width, box.y + box.height / 2);
    await drawn(page);
    const time = await call(page, "time");
    assert.ok(Math.abs((time - start) / (end - start) - part) < 0.05, `the scrubber sets the time: ${time}`);
    for (let i = 0; i < bodies.length; ++i) {
      const now = await call(page, "bodyOnScreen", i);
      most = Math.max(most, Math.hypot(now.x - before[i].x, now.y - before[i].y));
    }
  }
  return most;
}

/** The picture itself, to see whether a switch changes it. */
async function pixels(page) {
  return page.evaluate(() => {
    const canvas = document.querySelector("canvas.picture");
    window.pintleReport.setTime(window.pintleReport.time());
    const copy = document.createElement("canvas");
    copy.width = canvas.width;
    copy.height = canvas.height;
    const ink = copy.getContext("2d", { willReadFrequently: true });
    // Drawn in the same task as the copy, so that the buffer is still there.
    window.pintleReport.setOverlay("ground", window.pintleReport.overlay("ground"));
    ink.drawImage(canvas, 0, 0);
    const data = ink.getImageData(0, 0, copy.width, copy.height).data;
    let sum = 0;
    for (let i = 0; i < data.length; i += 4) sum = (sum * 31 + data[i] * 7 + data[i + 1] * 3 + data[i + 2] + data[i + 3]) % 4294967291;
    return sum;
  });
}

async function checkOverlays(page, data) {
  const changed = {};
  for (const name of await get(page, "overlays")) {
    const was = await call(page, "overlay", name);
    const before = await pixels(page);
    await page.keyboard.press({ ground: "g", shadows: "s", joints: "j", frames: "f", names: "n", twists: "t", wrenches: "w", reactions: "r", contacts: "k", com: "c", momentum: "m" }[name]);
    const now = await call(page, "overlay", name);
    const absent = (name === "contacts" && data.contacts.length === 0) || (["wrenches", "reactions"].includes(name) && !data.frames.wrenches) || (name === "momentum" && !data.frames.momentum);
    assert.equal(now, absent ? was : !was, `the key of ${name}`);
    const after = await pixels(page);
    changed[name] = before !== after;
    await call(page, "setOverlay", name, was);
  }
  for (const name of ["ground", "frames", "com"]) assert.ok(changed[name], `${name} changes the picture`);
  if (data.scene.joints.some((joint) => joint.axes.length > 0)) assert.ok(changed.joints, "joint axes change the picture");
  assert.ok(changed.twists, "twists change the picture");
  return Object.keys(changed).filter((name) => changed[name]);
}

async function checkPicking(page, bodies) {
  let picked = 0;
  await call(page, "setTime", await call(page, "time"));
  for (let i = 0; i < bodies.length; ++i) {
    const place = await call(page, "bodyOnScreen", i);
    if (!place.visible || (await call(page, "bodyAt", place.x, place.y)) !== bodies[i]) continue;
    const covered = await page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.className !== "picture", place);
    if (covered) continue;
    await page.mouse.click(place.x, place.y);
    assert.equal(await call(page, "selected"), bodies[i], "a click chooses the body");
    assert.ok((await page.locator(".inspector h3").textContent()) === bodies[i], "the inspector shows its name");
    ++picked;
    break;
  }
  await page.keyboard.press("Escape");
  await page.locator(".tree-item").first().click();
  assert.ok(await call(page, "selected"), "the tree chooses a body");
  await page.locator(".inspector dd").first().waitFor();
  return picked;
}

async function checkPlots(page, data) {
  const groups = await page.locator(".chip").count();
  assert.ok(groups > 0, "there are groups of columns");
  const column = data.columns[0].name;
  const end = await get(page, "end");
  const value = await call(page, "plotValue", column, 0.5 * end);
  assert.equal(typeof value, "number");
  for (let i = 0; i < groups; ++i) {
    await page.locator(".chip").nth(i).click();
    await page.locator(".u-over").first().waitFor();
  }
  await page.locator(".chip").first().click();
  const over = page.locator(".plots .u-over").first(), box = await over.boundingBox();
  await page.mouse.click(box.x + 0.4 * box.width, box.y + 0.5 * box.height);
  const time = await call(page, "time");
  assert.ok(Math.abs(time / end - 0.4) < 0.05, `a click in a plot sets the time: ${time}`);
  await page.mouse.move(5, 400);
  await drawn(page);
  const legend = await page.locator(".plots .legend-value").first().textContent();
  assert.ok(legend.length > 0, "the legend has a value");
  // Zoom by drag, and back.
  await page.mouse.move(box.x + 0.3 * box.width, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.6 * box.width, box.y + 40, { steps: 4 });
  await page.mouse.up();
  await drawn(page);
  await page.mouse.dblclick(box.x + 0.5 * box.width, box.y + 50);
  for (const kind of ["SVG", "PNG", "CSV"]) {
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator(".save button", { hasText: kind }).click()]);
    const text = readFileSync(await file.path());
    assert.ok(text.length > 200, `${kind} has something in it`);
    if (kind === "CSV") assert.ok(text.toString().startsWith("t [s],"), "the table has a head");
    if (kind === "PNG") assert.equal(text.subarray(1, 4).toString(), "PNG");
  }
  return { column, value, legend };
}

async function checkProof(page, data) {
  await page.locator(".tab-proof").click();
  await page.locator(".outcome").waitFor();
  const text = await page.locator(".proof-panel").innerText();
  if (data.command) assert.ok(text.includes(data.command), "the command is shown");
  if (data.run.state_hash) assert.ok(text.includes(data.run.state_hash), "the hash is shown");
  if (data.rows.thinned) assert.match(text, /drawn/, "it says what was thinned");
  return (await page.locator(".proof-panel .u-over").count());
}

async function checkKeyboard(page) {
  await page.locator("canvas.picture").focus();
  const start = await get(page, "start");
  await page.keyboard.press("Home");
  assert.equal(await call(page, "time"), start, "Home goes to the start");
  await page.keyboard.press("ArrowRight");
  assert.ok((await call(page, "time")) > start, "the arrow steps one frame");
  await page.keyboard.press(" ");
  assert.equal(await call(page, "playing"), true, "Space plays");
  await page.keyboard.press(" ");
  assert.equal(await call(page, "playing"), false, "Space pauses");
  await page.keyboard.press("?");
  assert.ok(await page.locator(".help-card").isVisible(), "? shows the keys");
  await drawn(page);
}

/** While playing, and what the machine can do when it is let: the best of some short bursts of whole pictures. */
async function framesPerSecond(page) {
  const played = options.fps > 0 ? await playedPerSecond(page) : 0;
  let least = Infinity;
  for (let k = 0; k < (options.fps > 0 ? 8 : 1); ++k) least = Math.min(least, (await call(page, "drawMany", 3)) / 3);
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
  await sleep(300);
  return played;
}

/** [bytes] that one picture allocates with everything shown, by the sampling profiler of the heap. */
async function heapPerPicture(page) {
  await page.evaluate(() => {
    const report = window.pintleReport;
    for (const name of report.overlays) report.setOverlay(name, name !== "names");
    report.select(-1);
    report.drawMany(20);
  });
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.startSampling", { samplingInterval: 256 });
  await page.evaluate(() => void window.pintleReport.drawMany(40));
  const { profile } = await session.send("HeapProfiler.stopSampling");
  const size = (node) => (node.callFrame.functionName === "(IDLE_EXTERNAL)" ? 0 : node.selfSize) + node.children.reduce((sum, child) => sum + size(child), 0);
  return size(profile.head) / 40;
}

async function checkWithoutWebgl(file) {
  const context = await browser.newContext({ viewport: kWide });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const real = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
      return /webgl/.test(kind) ? null : real.call(this, kind, ...rest);
    };
  });
  await page.goto(pathToFileURL(resolve(file)).href);
  await page.waitForFunction(() => window.pintleReport?.ready);
  assert.ok(await page.locator(".no-webgl").isVisible(), "it says that there is no WebGL");
  await page.locator(".chip").nth(1).click();
  await call(page, "setTime", 0.5 * (await get(page, "end")));
  await page.locator(".tree-item").first().click();
  await page.locator(".tab-proof").click();
  await shot(page, `${nameOf(file)}-no-webgl`);
  await context.close();
}

function dataOf(file) {
  const text = readFileSync(file, "utf8");
  const begin = text.indexOf('<script id="pintle-data"');
  return JSON.parse(text.slice(text.indexOf(">", begin) + 1, text.indexOf("</script>", begin)));
}

const nameOf = (file) => (basename(file) === "report.html" ? dataOf(file).scene.name.replace(/[^\w-]+/g, "_") : basename(file, ".html"));

async function checkReport(file) {
  const name = nameOf(file), data = dataOf(file);
  const { page, close } = await open(file, kWide, "light");
  let openedIn = await get(page, "openedIn");
  const bodies = await get(page, "bodies");
  await call(page, "setTime", 0.36 * (await get(page, "end")));
  await shot(page, `${name}-light`);
  const moved = await movesOnScreen(page, bodies);
  assert.ok(moved > 3, `moving the scrubber moves a body on screen: ${moved} px`);
  const picked = await checkPicking(page, bodies);
  const plot = await checkPlots(page, data);
  const overlays = await checkOverlays(page, data);
  for (const overlay of ["twists", "com", "momentum"]) await call(page, "setOverlay", overlay, true);
  assert.deepEqual(await clipped(page), [], "nothing is cut off");
  await shot(page, `${name}-light-overlays`);
  for (const overlay of ["twists", "com", "momentum"]) await call(page, "setOverlay", overlay, false);
  const proofPlots = await checkProof(page, data);
  assert.deepEqual(await clipped(page), [], "nothing is cut off in the proof");
  await shot(page, `${name}-light-proof`);
  await page.locator(".tab-plots").click();
  await checkKeyboard(page);
  await shot(page, `${name}-light-keys`);
  await page.keyboard.press("Escape");
  const fps = await framesPerSecond(page);
  const drawCalls = await call(page, "drawCalls");
  const heap = await heapPerPicture(page);
  const drawCallsAll = await call(page, "drawCalls");
  assert.equal(await page.locator("script").count(), 0, "names add no script");
  await close();

  const dark = await open(file, kWide, "dark");
  // The first page also starts the browser's own processes; the better of two counts.
  openedIn = Math.min(openedIn, await get(dark.page, "openedIn"));
  await call(dark.page, "setTime", 0.62 * (await get(dark.page, "end")));
  for (const overlay of ["reactions", "wrenches"]) await call(dark.page, "setOverlay", overlay, true);
  await call(dark.page, "select", 0);
  await drawn(dark.page);
  await shot(dark.page, `${name}-dark`);
  await dark.page.keyboard.press("v");
  assert.ok(await dark.page.locator(".menu-card").isVisible(), "V shows the list of overlays");
  const box = dark.page.locator("input[data-overlay=twists]"), was = await call(dark.page, "overlay", "twists");
  await box.click();
  assert.equal(await call(dark.page, "overlay", "twists"), !was, "the box switches the overlay");
  assert.deepEqual(await clipped(dark.page), [], "nothing is cut off in the list");
  await shot(dark.page, `${name}-dark-list`);
  await dark.close();

  for (const scheme of ["light", "dark"]) {
    const phone = await open(file, kPhone, scheme, { hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
    await call(phone.page, "setTime", 0.36 * (await get(phone.page, "end")));
    if (scheme === "dark") {
      await phone.page.locator(".tab-bodies").click();
      await phone.page.locator(".tree-item").first().click();
    }
    assert.deepEqual(await clipped(phone.page), [], `nothing is cut off on a phone (${scheme})`);
    await drawn(phone.page);
    await shot(phone.page, `${name}-phone-${scheme}`);
    if (scheme === "light") {
      await phone.page.locator(".tab-proof").click();
      assert.deepEqual(await clipped(phone.page), [], "nothing is cut off in the proof on a phone");
      await drawn(phone.page);
      await shot(phone.page, `${name}-phone-proof`);
    }
    await phone.close();
  }
  // What is left are numbers that the engine of the browser boxes itself.
  assert.ok(heap < 4096, `a picture allocates ${heap} bytes`);
  assert.ok(drawCallsAll < 300, `${drawCallsAll} draw calls`);
  assert.ok(openedIn < options.open, `opened in ${openedIn} ms`);
  assert.ok(fps >= options.fps, `${fps} frames per second`);
  console.log(`${name}: ${bodies.length} bodies, opened in ${openedIn.toFixed(0)} ms, ${fps.toFixed(1)} frames/s, ${drawCalls} draw calls (all overlays: ${drawCallsAll}), ${heap.toFixed(0)} bytes of heap a picture, ` +
    `a body moved ${moved.toFixed(0)} px, ${picked} picked in 3D, ${overlays.length} overlays changed the picture, ${plot.column} = ${plot.legend}, ${proofPlots} plots of proof`);
}

let failed = 0;
for (const file of options.files) {
  try {
    await checkReport(file);
  } catch (error) {
    ++failed;
    console.error(`${file}: ${error.message}`);
    if (!(error instanceof assert.AssertionError)) console.error(error.stack);
  }
}
try {
  await checkWithoutWebgl(options.files[0]);
} catch (error) {
  ++failed;
  console.error(`without WebGL: ${error.message}`);
}
await browser.close();
process.exit(failed > 0 ? 1 : 0);
