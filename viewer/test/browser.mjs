// Opens reports in a real browser and checks what a reader does with them:
//   node test/browser.mjs [--shots FOLDER] [--look REPORT.html]... [--special NAME=REPORT.html]... REPORT.html...
//   node test/browser.mjs --speed [--fps MIN] [--open MS] REPORT.html...
// --look only takes pictures and sees that nothing is cut off; --special: a report that is out of the ordinary (browser/special.mjs).
// --speed measures pictures per second and the time until the first one, for a machine that does nothing else.
// CHROMIUM names the browser (/usr/bin/chromium otherwise). The exit code is 1 when anything is wrong.
import assert from "node:assert/strict";
import { basename } from "node:path";
import { looksRight, useReport } from "./browser/reader.mjs";
import { closePages, dataOf, kWide, open, startBrowser, stopBrowser } from "./browser/session.mjs";
import { kSpecial, withoutWebgl } from "./browser/special.mjs";
import { speedOf } from "./browser/speed.mjs";

function parse(words) {
  const options = { shots: null, speed: false, fps: 0, open: Infinity, look: [], special: [], files: [] };
  for (let i = 0; i < words.length; ++i) {
    if (words[i] === "--shots") options.shots = words[++i];
    else if (words[i] === "--speed") options.speed = true;
    else if (words[i] === "--fps") options.fps = Number(words[++i]);
    else if (words[i] === "--open") options.open = Number(words[++i]);
    else if (words[i] === "--look") options.look.push(words[++i]);
    else if (words[i] === "--special") options.special.push(words[++i]);
    else options.files.push(words[i]);
  }
  return options;
}

const nameOf = (file) => (basename(file) === "report.html" ? dataOf(file).scene.name.replace(/[^\w-]+/g, "_") : basename(file, ".html"));

async function lookAt(file) {
  const { page, close } = await open(file, kWide, "light");
  await looksRight(file, nameOf(file), page);
  await close();
  return "looks right";
}

async function measure(file, options) {
  const { openedIn, fps } = await speedOf(file);
  assert.ok(openedIn < options.open, `opened in ${openedIn} ms`);
  assert.ok(fps >= options.fps, `${fps} pictures a second`);
  return `opened in ${openedIn.toFixed(0)} ms, ${fps.toFixed(1)} pictures a second`;
}

const options = parse(process.argv.slice(2));
if (options.files.length + options.look.length + options.special.length === 0) {
  console.error("usage: node test/browser.mjs [--shots FOLDER] [--speed] [--fps MIN] [--open MS] [--look REPORT.html] [--special NAME=REPORT.html] REPORT.html...");
  process.exit(2);
}
const jobs = options.files.map((file) => [nameOf(file), () => (options.speed ? measure(file, options) : useReport(file, nameOf(file), dataOf(file)))]);
for (const file of options.look) jobs.push([nameOf(file), () => lookAt(file)]);
for (const pair of options.special) {
  const [name, file] = [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)];
  if (!kSpecial[name]) throw new Error(`there is no special report '${name}'`);
  jobs.push([name, () => kSpecial[name](file, dataOf(file))]);
}
if (!options.speed && options.files.length > 0) jobs.push(["without WebGL", () => withoutWebgl(options.files[0])]);

await startBrowser(options.shots);
let failed = 0;
for (const [name, run] of jobs) {
  const begin = performance.now();
  const seconds = () => `${((performance.now() - begin) / 1000).toFixed(1)} s`;
  try {
    console.log(`${name}: ${await run()} (${seconds()})`);
  } catch (error) {
    ++failed;
    console.error(`${name}: FAILED after ${seconds()}: ${error instanceof assert.AssertionError ? error.message : error.stack}`);
    if (error.actual !== undefined && typeof error.actual === "object") console.error(JSON.stringify(error.actual));
    await closePages();
  }
}
await stopBrowser();
process.exit(failed > 0 ? 1 : 0);
