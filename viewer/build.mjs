// Builds the page into one file, src/pintle/io/report/viewer/report.html, which the C++ build embeds. The same sources give the
// same bytes. --check: compares with the committed file instead of writing.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
export const kBundle = join(here, "..", "src", "pintle", "io", "report", "viewer", "report.html");
const kDataLine = '<script id="pintle-data" type="application/json">{}</script>';

const sha256 = (text) => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
const read = (...path) => readFileSync(join(here, ...path), "utf8");

function licences() {
  const of = (name, title) => `${title} ${JSON.parse(read("node_modules", name, "package.json")).version}\n\n${read("node_modules", name, "LICENSE").trim()}`;
  return ["Pintle\n\n" + read("..", "LICENSE").trim(), of("three", "three.js"), of("uplot", "uPlot")].join("\n\n----\n\n").replace(/\r/g, "");
}

export async function page() {
  const result = await build({
    absWorkingDir: here, entryPoints: ["src/main.ts"], bundle: true, write: false, outdir: "build", format: "iife", minify: true,
    target: ["es2020"], legalComments: "none", charset: "ascii", logLevel: "warning",
  });
  const text = (end) => result.outputFiles.find((file) => file.path.endsWith(end)).text.trim();
  const script = text(".js"), style = text(".css");
  if (/<\/script|<!--/i.test(script)) throw new Error("the script would end its own element");
  if (/<\//.test(style)) throw new Error("the style would end its own element");
  const policy = `default-src 'none'; script-src ${sha256(script)}; style-src ${sha256(style)}; img-src data: blob:; connect-src 'none'; base-uri 'none'; form-action 'none'`;
  if (/--!?>/.test(licences())) throw new Error("the licences would end their comment");
  const parts = { CSP: policy, STYLE: style, LICENCES: licences(), SCRIPT: script };
  const html = read("src", "template.html").replace(/%(CSP|STYLE|LICENCES|SCRIPT)%/g, (_, name) => parts[name]);
  if (html.split(kDataLine).length !== 2) throw new Error("the element of the data is not there once");
  return html;
}

/** The page with the data of a run in it, as the C++ writer does it. */
export function filled(html, data) {
  const json = JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));
  return html.replace(kDataLine, () => kDataLine.replace("{}", () => json));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const html = await page();
  if (process.argv.includes("--check")) {
    const committed = readFileSync(kBundle, "utf8");
    if (committed !== html) {
      console.error("src/pintle/io/report/viewer/report.html is not what viewer/ builds: run `npm ci && npm run build` in viewer/ and commit it");
      process.exit(1);
    }
    for (const owner of ["Pintle contributors", "three.js authors", "Leon Sorokin"])
      if (!committed.includes(owner)) throw new Error(`the licence of ${owner} is missing`);
    console.log("the committed page equals a rebuild and carries the licences");
  } else {
    mkdirSync(dirname(kBundle), { recursive: true });
    writeFileSync(kBundle, html);
    console.log(`report.html: ${(html.length / 1024).toFixed(0)} KiB`);
  }
}
