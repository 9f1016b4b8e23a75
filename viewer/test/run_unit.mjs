// Compiles the unit tests and hands them to node's own runner.
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url)), out = join(here, "..", "build", "unit");
rmSync(out, { recursive: true, force: true });
const tests = readdirSync(join(here, "unit")).filter((name) => name.endsWith(".test.ts"));
await build({ entryPoints: tests.map((name) => join(here, "unit", name)), bundle: true, outdir: out, outExtension: { ".js": ".mjs" }, platform: "node", format: "esm", logLevel: "warning" });
const run = spawnSync(process.execPath, ["--test", ...tests.map((name) => join(out, name.replace(/\.ts$/, ".mjs")))], { stdio: "inherit" });
process.exit(run.status ?? 1);
