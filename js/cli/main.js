#!/usr/bin/env node
// SPDX-License-Identifier: MIT
// The command `weftgraph`.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { HELP, UsageError } from "./usage.js";

const manifest = fileURLToPath(new URL("../../package.json", import.meta.url));

/**
 * The command of another copy of the package that is installed where the graphs are: they and their
 * server have to be of one.
 * @returns {string | undefined}
 */
function commandHere() {
  try {
    const path = createRequire(join(process.cwd(), "here.js")).resolve("weftgraph/package.json");
    const command = JSON.parse(readFileSync(path, "utf8")).bin?.weftgraph;
    if (path === manifest || typeof command !== "string") return undefined;
    return pathToFileURL(join(dirname(path), command)).href;
  } catch {
    return undefined;
  }
}

/** @param {string[]} words */
async function run([command, ...words]) {
  const { version } = JSON.parse(readFileSync(manifest, "utf8"));
  const has = (/** @type {string} */ long, /** @type {string} */ short) =>
    [command, ...words].some((word) => word === long || word === short);
  if (has("--help", "-h")) return void process.stdout.write(HELP);
  if (has("--version", "-v")) return console.log(version);
  if (command === undefined)
    throw new UsageError("Say what to do: weftgraph serve ./graph.js, or weftgraph --help.");
  if (command !== "serve" && command !== "studio")
    throw new UsageError(
      `There is no command ${JSON.stringify(command)}: weftgraph --help lists what there is.`,
    );
  const { serve } = await import("./serve.js");
  await serve(words, version, { hasStudio: command === "studio" });
}

const elsewhere = commandHere();
try {
  if (elsewhere !== undefined) await import(elsewhere);
  else await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(`weftgraph: ${error.message}`);
  process.exit(2);
}
