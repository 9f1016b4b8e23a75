// What a reader does with a report: moves the time, looks at bodies, switches overlays, reads plots and the checks.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { call, clipped, drawn, get, kPhone, kWide, open, pixels, shot } from "./session.mjs";

/** [px] that a body moved on the screen when the scrubber was moved, the most of all. */
export async function movesOnScreen(page) {
  const start = await get(page, "start"), end = await get(page, "end"), bodies = await get(page, "bodies");
  const places = () => page.evaluate((n) => Array.from({ length: n }, (_, i) => window.pintleReport.bodyOnScreen(i)), bodies.length);
  await call(page, "setTime", start);
  const before = await places(), picture = await pixels(page);
  const box = await page.locator(".scrubber").boundingBox();
  let most = 0;
  for (const part of [0.17, 0.37, 0.71]) {
    await page.mouse.click(box.x + part * box.width, box.y + box.height / 2);
    await drawn(page);
    const time = await call(page, "time");
    assert.ok(Math.abs((time - start) / (end - start) - part) < 0.05, `the scrubber sets the time: ${time}`);
    (await places()).forEach((now, i) => (most = Math.max(most, Math.hypot(now.x - before[i].x, now.y - before[i].y))));
  }
  assert.ok(most > 3, `moving the scrubber moves a body on screen: ${most} px`);
  assert.notEqual(await pixels(page), picture, "moving the scrubber changes the picture");
  return most;
}

const kKeys = { ground: "g", shadows: "s", joints: "j", frames: "f", names: "n", twists: "t", wrenches: "w", reactions: "r", contacts: "k", forces: "e", com: "c", momentum: "m" };

export async function switchesOverlays(page, data) {
  const changed = {};
  let before = await pixels(page);
  for (const name of await get(page, "overlays")) {
    const was = await call(page, "overlay", name);
    await page.keyboard.press(kKeys[name]);
    const absent = (name === "contacts" && data.contacts.length === 0) || (name === "forces" && !data.frames.contacts) || (["wrenches", "reactions"].includes(name) && !data.frames.wrenches) || (name === "momentum" && !data.frames.momentum);
    assert.equal(await call(page, "overlay", name), absent ? was : !was, `the key of ${name}`);
    const after = await pixels(page);
    changed[name] = before !== after;
    before = after;
  }
  for (const name of ["ground", "frames", "com", "twists", "momentum"]) assert.ok(changed[name], `${name} changes the picture`);
  if (data.scene.joints.some((joint) => joint.type !== "free")) assert.ok(changed.reactions, "reactions change the picture");
  if (data.scene.joints.some((joint) => joint.axes.length > 0)) assert.ok(changed.joints, "joint axes change the picture");
  for (const name of await get(page, "overlays")) await call(page, "setOverlay", name, ["ground", "shadows", "joints", "contacts", "forces"].includes(name));
  return Object.keys(changed).filter((name) => changed[name]).length;
}

/** At the instant with most points that touch: arrows can be switched off, and the inspector adds the forces up. */
export async function showsContactForces(page, data) {
  if (!data.frames.contacts) return 0;
  const first = new Uint32Array(new Uint8Array(Buffer.from(data.frames.contacts.first, "base64")).buffer);
  const who = new Int32Array(new Uint8Array(Buffer.from(data.frames.contacts.who, "base64")).buffer);
  const t = new Float64Array(new Uint8Array(Buffer.from(data.frames.t, "base64")).buffer);
  let at = 0;
  for (let i = 0; i < t.length; ++i) if (first[i + 1] - first[i] > first[at + 1] - first[at] && t[i] !== t[i + 1]) at = i;
  const count = first[at + 1] - first[at];
  assert.ok(count > 0, "something touches");
  await call(page, "setTime", t[at]);
  const shown = await pixels(page);
  await call(page, "setOverlay", "forces", false);
  assert.notEqual(await pixels(page), shown, "contact forces are seen");
  await call(page, "setOverlay", "forces", true);
  assert.equal(await pixels(page), shown, "and seen again");
  const body = who[3 * first[at] + 1];
  let points = 0;
  for (let c = first[at]; c < first[at + 1]; ++c) points += who[3 * c] === body || who[3 * c + 1] === body ? 1 : 0;
  await call(page, "select", body);
  await drawn(page);
  const text = await page.locator(".inspector").innerText();
  assert.match(text, new RegExp(`Points that touch\\s+${points}\\b`), "the inspector counts the points");
  assert.ok(text.includes("Force of all [N]"), "and adds their forces up");
  await call(page, "select", -1);
  return count;
}

export async function picksBodies(page) {
  const bodies = await get(page, "bodies");
  let picked = 0;
  for (let i = 0; i < bodies.length && picked === 0; ++i) {
    const place = await call(page, "bodyOnScreen", i);
    if (!place.visible || (await call(page, "bodyAt", place.x, place.y)) !== bodies[i]) continue;
    if (await page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.className !== "picture", place)) continue;
    await page.mouse.click(place.x, place.y);
    assert.equal(await call(page, "selected"), bodies[i], "a click chooses the body");
    assert.equal(await page.locator(".inspector h3").textContent(), bodies[i], "the inspector shows its name");
    ++picked;
  }
  await page.keyboard.press("Escape");
  assert.equal(await call(page, "selected"), null, "Escape chooses none");
  await page.locator(".tree-item").first().click();
  assert.ok(await call(page, "selected"), "the tree chooses a body");
  for (const what of ["Mass", "Position", "Velocity", "Pitch", "Force", "Torque"])
    assert.ok((await page.locator(".inspector").innerText()).includes(what), `the inspector shows ${what}`);
  return picked;
}

const kGroups = ["Coordinates", "Speeds", "Efforts", "Energies", "Momentum", "Certificate"];

export async function readsPlots(page, data) {
  await page.locator(".tab-plots").click();
  const chips = page.locator(".chip"), names = await chips.allTextContents();
  for (const group of kGroups) assert.ok(names.includes(group), `there are plots of ${group}`);
  const blows = data.contacts.length > 0 || data.events.some((event) => event.kind === "limit-impact");
  assert.equal(names.includes("Impulses"), blows, "blows are plotted");
  assert.equal(await page.locator(".impact-mark").count(), Math.min(data.contacts.length, 300), "blows are marked on the bar of time");
  for (let i = names.length - 1; i >= 0; --i) {
    await chips.nth(i).click();
    await page.locator(".plots .u-over").first().waitFor();
    await drawn(page);
    assert.ok(await hasTicks(page), `the plot of ${names[i]} has numbers at its axis`);
  }
  const column = data.columns[0], end = await get(page, "end");
  const value = await call(page, "plotValue", column.name, 0.4 * end);
  assert.ok(Number.isFinite(value) && value >= column.lowest - 1e-6 * Math.abs(column.lowest) && value <= column.highest + 1e-6 * Math.abs(column.highest), `${column.name} at 40 %: ${value}`);
  const box = await page.locator(".plots .u-over").first().boundingBox();
  await page.mouse.click(box.x + 0.4 * box.width, box.y + 0.5 * box.height);
  const time = await call(page, "time");
  assert.ok(Math.abs(time / end - 0.4) < 0.05, `a click in a plot sets the time: ${time}`);
  await page.mouse.move(5, 400);
  await drawn(page);
  const key = page.locator(".plots .legend-key").first();
  const number = (text) => Number(text.replace("−", "-").replace(/×10(.*)/, (_, e) => "e" + [...e].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c)).map((d) => (d < 0 ? "-" : d)).join("")));
  const legend = number(await key.locator(".legend-value").textContent()), shown = await call(page, "plotValue", column.name, time);
  assert.ok(Math.abs(legend - shown) <= 1e-3 * Math.abs(shown) + 1e-9, `the legend shows ${legend}, the column is ${shown}`);
  const extremes = (await key.locator(".legend-extreme").allTextContents()).map(number);
  assert.ok(Math.abs(extremes[0] - column.lowest) <= 1e-3 * Math.abs(column.lowest), `lowest: ${extremes[0]}`);
  assert.ok(Math.abs(extremes[1] - column.highest) <= 1e-3 * Math.abs(column.highest), `highest: ${extremes[1]}`);
  await zooms(page, box);
  await saves(page, data);
  return { column: column.name, value };
}

/** Whether something is written at the left of the first plot, from its top to its bottom. */
export async function hasTicks(page) {
  return page.evaluate(() => {
    const canvas = document.querySelector(".plots canvas"), over = document.querySelector(".plots .u-over");
    const ratio = canvas.width / canvas.clientWidth, width = Math.floor(parseFloat(over.style.left) * ratio);
    const data = canvas.getContext("2d").getImageData(0, 0, width - 2, Math.floor(parseFloat(over.style.height) * ratio)).data;
    return data.some((value, i) => i % 4 === 3 && value > 0);
  });
}

/** By a drag, and back by a double click: seen at the last tick of time. */
async function zooms(page, box) {
  const now = () => page.locator(".plots .now").first().evaluate((e) => e.style.transform);
  const before = await now();
  await page.mouse.move(box.x + 0.3 * box.width, box.y + 30);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.6 * box.width, box.y + 40, { steps: 4 });
  await page.mouse.up();
  await drawn(page);
  assert.notEqual(await now(), before, "a drag zooms");
  await page.mouse.dblclick(box.x + 0.5 * box.width, box.y + 50);
  await drawn(page);
}

async function saves(page, data) {
  const group = data.columns[0].group, columns = data.columns.filter((c) => c.group === group);
  for (const kind of ["SVG", "PNG", "CSV"]) {
    const [file] = await Promise.all([page.waitForEvent("download"), page.locator(".save button", { hasText: kind }).click()]);
    assert.match(file.suggestedFilename(), new RegExp(`-${group}\\.${kind.toLowerCase()}$`));
    const bytes = readFileSync(await file.path()), text = bytes.toString();
    if (kind === "SVG") assert.ok(text.startsWith("<svg") && text.includes("time [s]") && /<path d="M[\d.]/.test(text), "the SVG has lines and units");
    if (kind === "PNG") assert.ok(bytes.subarray(1, 4).toString() === "PNG" && bytes.readUInt32BE(16) === 1920, "the PNG has its size");
    if (kind === "CSV") {
      const lines = text.trimEnd().split("\n");
      assert.ok(lines[0].startsWith("t [s],") && lines.length === data.rows.drawn + 1, "the table has a head and all rows that are drawn");
      assert.equal(lines[1].split(",").length, columns.length + 1, "the table has the columns of the group");
    }
  }
}

export async function readsChecks(page, data) {
  await page.locator(".tab-checks").click();
  await page.locator(".outcome").waitFor();
  const text = await page.locator(".checks-panel").innerText(), { run } = data;
  for (const part of [data.command, run.state_hash, run.scene.hash, run.settings.method, run.pintle.version, run.pintle.compiler, run.pintle.bit_family])
    assert.ok(text.includes(part), `the checks shows ${part}`);
  for (const part of ["Energy balance", "Residual", "start + all work", "Certificate", "Momentum balance", "Step"]) assert.ok(text.includes(part), `the checks shows ${part}`);
  for (const check of run.checks.list) assert.ok(text.includes(check.text), `the checks shows ${check.text}`);
  const kind = { ok: "good", warning: "early", failed: "bad" }[run.checks.verdict];
  assert.equal(await page.locator(`.badge.${kind}`).count(), 1, `the badge is ${kind}, as the checks are`);
  assert.equal(/Thinned/.test(text), data.rows.thinned, "it says when rows are thinned");
  const layers = await page.locator(".checks-panel .swatch").evaluateAll((all) => all.filter((e) => e.style.height === "9px").length);
  assert.ok(layers >= 1, "the energy balance is stacked");
  assert.ok((await page.locator(".checks-panel .u-over").count()) >= 4, "plots of the checks are drawn");
  assert.deepEqual(await clipped(page), [], "nothing is cut off in the checks");
}

/** Without a mouse: everything can be reached, and does what its name says. */
export async function worksByKeys(page) {
  await page.locator(".tab-plots").focus();
  await page.keyboard.press("Enter");
  await page.locator("canvas.picture").focus();
  const start = await get(page, "start"), end = await get(page, "end");
  const expectTime = async (key, right, what) => {
    await page.keyboard.press(key);
    const time = await call(page, "time");
    assert.ok(right(time), `${what}: ${time}`);
  };
  await expectTime("End", (t) => t === end, "End goes to the end");
  await expectTime("Home", (t) => t === start, "Home goes to the start");
  await expectTime("ArrowRight", (t) => t > start, "the arrow steps one frame");
  await expectTime("ArrowLeft", (t) => t === start, "and back");
  await page.keyboard.press(" ");
  assert.equal(await call(page, "playing"), true, "Space plays");
  await page.keyboard.press(" ");
  assert.equal(await call(page, "playing"), false, "Space pauses");
  const view = await pixels(page);
  await page.keyboard.press("Shift+ArrowLeft");
  assert.notEqual(await pixels(page), view, "Shift and an arrow turn the view");
  await page.keyboard.press("a");
  await page.keyboard.press("Escape");
  await page.keyboard.press("]");
  assert.ok(await call(page, "selected"), "] chooses a body");
  await page.keyboard.press("Escape");
  await page.keyboard.press("p");
  assert.ok(await page.locator(".checks-panel").isVisible(), "P shows the checks");
  await page.keyboard.press("p");
  await page.keyboard.press("?");
  assert.ok(await page.locator(".help-card").isVisible(), "? shows the keys");
  await page.keyboard.press("Escape");
  assert.ok(await page.locator(".help-card").isHidden(), "Escape closes them");
  // Tab reaches the parts one after the other, each with a frame around it.
  const reached = new Set(), parts = ["treeitem", "picture", "tab", "legend-key", "play", "scrubber", "speed"];
  const missing = () => parts.filter((part) => ![...reached].some((r) => r.includes(part)));
  await page.locator(".badge").focus();
  for (let i = 0; i < 100 && missing().length > 0; ++i) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => {
      const at = document.activeElement;
      return at && getComputedStyle(at).outlineStyle !== "none" ? `${at.getAttribute("role") ?? ""} ${at.className}` : "unmarked";
    }));
  }
  assert.deepEqual(missing(), [], "Tab reaches everything");
}

/** Pictures of the page, light and dark, on a screen and on a phone. */
export async function looksRight(file, name, page) {
  const end = await get(page, "end");
  await call(page, "setTime", 0.36 * end);
  await drawn(page);
  assert.deepEqual(await clipped(page), [], "nothing is cut off");
  await shot(page, `${name}-light`);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await call(page, "setTime", 0.62 * end);
  await drawn(page);
  await shot(page, `${name}-dark`);
  await page.emulateMedia({ colorScheme: "light" });
  const phone = await open(file, kPhone, "light", { hasTouch: true, isMobile: true, deviceScaleFactor: 2 });
  await call(phone.page, "setTime", 0.36 * end);
  await drawn(phone.page);
  assert.deepEqual(await clipped(phone.page), [], "nothing is cut off on a phone");
  await shot(phone.page, `${name}-phone-light`);
  await phone.page.emulateMedia({ colorScheme: "dark" });
  await phone.page.locator(".tab-checks").click();
  await drawn(phone.page);
  assert.deepEqual(await clipped(phone.page), [], "nothing is cut off in the checks on a phone");
  await shot(phone.page, `${name}-phone-dark`);
  await phone.close();
}

export async function openList(page) {
  await page.locator("canvas.picture").focus();
  await page.keyboard.press("v");
  assert.ok(await page.locator(".menu-card").isVisible(), "V shows the list of overlays");
  const was = await call(page, "overlay", "twists");
  await page.locator("input[data-overlay=twists]").click();
  assert.equal(await call(page, "overlay", "twists"), !was, "the box switches the overlay");
  assert.deepEqual(await clipped(page), [], "nothing is cut off in the list");
}

/** A report from the first look to the last. */
export async function useReport(file, name, data) {
  const { page, close } = await open(file, kWide, "light");
  const openedIn = await get(page, "openedIn");
  await looksRight(file, name, page);
  const moved = await movesOnScreen(page);
  const picked = await picksBodies(page);
  const plot = await readsPlots(page, data);
  const overlays = await switchesOverlays(page, data);
  const touching = await showsContactForces(page, data);
  await readsChecks(page, data);
  await shot(page, `${name}-light-checks`);
  await worksByKeys(page);
  for (const overlay of ["twists", "reactions", "com"]) await call(page, "setOverlay", overlay, true);
  await page.emulateMedia({ colorScheme: "dark" });
  await openList(page);
  await drawn(page);
  await shot(page, `${name}-dark-list`);
  const drawCalls = await call(page, "drawCalls");
  assert.ok(drawCalls < 300, `${drawCalls} draw calls`);
  assert.equal(await page.locator("script").count(), 0, "names add no script");
  await close();
  return `${data.scene.bodies.length} bodies, opened in ${openedIn.toFixed(0)} ms, ${drawCalls} draw calls, a body moved ${moved.toFixed(0)} px, ${picked} picked in 3D, ` +
    `${overlays} overlays changed the picture, ${touching} contact forces, ${plot.column} = ${plot.value.toPrecision(4)}`;
}
