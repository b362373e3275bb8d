// SPDX-License-Identifier: MIT
// Bundles the demo into web-demo/dist: two pages (the chat, the studio), each with a script and a
// style sheet, the worker with the engine, an icon, and the headers that a host has to send. Any
// web server can serve that folder.
import { build } from "esbuild";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { contentSecurityPolicy, headersFile } from "./policy.mjs";

const here = dirname(fileURLToPath(import.meta.url));

/**
 * @param {{ out?: string, connect?: string[], alias?: Record<string, string> }} [options]
 * @returns {Promise<string>} the folder
 */
export async function buildDemo({ out = join(here, "dist"), connect = [], alias } = {}) {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await build({
    entryPoints: {
      app: join(here, "src/main.js"),
      style: join(here, "src/style.css"),
      studio: join(here, "src/studio-page.js"),
      "studio-style": join(here, "src/studio.css"),
      worker: join(here, "src/worker/worker.js"),
    },
    outdir: out,
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    sourcemap: true,
    legalComments: "linked",
    logLevel: "warning",
    alias,
  });
  for (const name of ["index.html", "studio.html"]) {
    const page = await readFile(join(here, "src", name), "utf8");
    await writeFile(
      join(out, name),
      page.replace("{{policy}}", contentSecurityPolicy({ connect })),
    );
  }
  await writeFile(join(out, "_headers"), headersFile({ connect }));
  await copyFile(join(here, "src/icon.svg"), join(out, "icon.svg"));
  return out;
}
