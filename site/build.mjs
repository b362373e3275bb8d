// SPDX-License-Identifier: MIT
// Builds the site into site/build/dist: `node site/build.mjs`, or `make docs`. DOCS_BASE=/path/
// builds it for a path of a host, whose root takes the file _headers then.
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { layoutGraph } from "../js/drawing/svg.js";
import { Pages, gathered } from "./pages.mjs";
import { buildDemo } from "../web-demo/build.mjs";
import { STUDIO, headersFile } from "./policy.mjs";
import { top } from "./programs.mjs";
import { Reference } from "./reference/pages.mjs";
import { bundleRunner } from "./run/bundle.mjs";
import { guidesSidebar, referenceSidebar } from "./sidebar.mjs";

/** An agent that asks, for the start page. */
const AGENT = {
  nodes: ["__start__", "agent", "person", "tools", "__end__"].map((id) => ({ id })),
  edges: [
    ["__start__", "agent"],
    ["agent", "person", "asks"],
    ["person", "tools", "approves"],
    ["tools", "agent"],
    ["agent", "__end__", "answers"],
  ].map(([source, target, data]) => ({ source, target, data, conditional: data !== undefined })),
};

/** Writes the pages and the files that the site generator reads. */
export async function gather() {
  const folder = gathered();
  await rm(folder, { recursive: true, force: true });
  const pages = new Pages();
  const reference = new Reference();
  const write = async (path, text) => {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  for (const [page, text] of [...pages.texts, ...reference.texts])
    await write(`pages/${page}`, text);
  for (const [address, path] of pages.files)
    await cp(join(top, path), join(folder, "pages/public", address), { recursive: true });
  await cp(join(top, "web-demo/src/icon.svg"), join(folder, "pages/public/icon.svg"));
  await write("pages/public/_headers", headersFile(process.env.DOCS_BASE));
  await write(
    "sidebar.json",
    JSON.stringify({ guides: guidesSidebar(pages), reference: referenceSidebar(reference) }),
  );
  await write("agent-graph.json", JSON.stringify(layoutGraph(AGENT)));
  await bundleRunner(join(folder, "pages/public/run"));
  return folder;
}

/** @returns {Promise<string>} the folder of the site */
export async function buildSite() {
  const folder = await gather();
  const { build } = await import("vitepress");
  await build(join(top, "site"));
  const out = await buildDemo({ out: join(folder, "dist", STUDIO), docs: "../" });
  await rm(join(out, "_headers")); // hosts read the one above
  return join(folder, "dist");
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url))
  console.log(`The site is in ${await buildSite()}`);
