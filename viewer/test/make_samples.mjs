// Writes the sample reports: node test/make_samples.mjs FOLDER [NAME...]
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { filled, page } from "../build.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const [folder = join(here, "..", "build", "samples"), ...names] = process.argv.slice(2);
const compiled = join(here, "..", "build", "sample.mjs");
await build({ entryPoints: [join(here, "sample.ts")], bundle: true, outfile: compiled, platform: "node", format: "esm", logLevel: "warning" });
const { kSamples } = await import(pathToFileURL(compiled).href);
const html = await page();
mkdirSync(folder, { recursive: true });
for (const name of names.length > 0 ? names : Object.keys(kSamples)) {
  const text = filled(html, kSamples[name]());
  writeFileSync(join(folder, `${name}.html`), text);
  console.log(`${name}.html ${(text.length / 1024).toFixed(0)} KiB`);
}
