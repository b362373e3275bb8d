// SPDX-License-Identifier: MIT
// docs/benchmarks.md: the first answer of an agent in a fresh process, over an empty script: in
// Node of one esbuild bundle and of the installed package, in workerd of one bundle.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { Miniflare } from "miniflare";
import { bundleWorker } from "../runtime/smoke-bundle.mjs";
import { AGENT, importsOf } from "./first-agent.mjs";
import { limitOf } from "./first-limit.mjs";
import { compare, overEmpty } from "./measure.mjs";

const top = fileURLToPath(new URL("../..", import.meta.url));
/** @type {(imports: string) => string} */
const program = (imports) => `${imports}${AGENT}await answer();`;
const IMPORTS = Object.entries(importsOf("@langchain/langgraph"));

function start(file) {
  return async () => {
    const from = performance.now();
    const ran = spawnSync(process.execPath, [file]);
    if (ran.status !== 0) throw new Error(String(ran.stderr));
    return performance.now() - from;
  };
}

/**
 * One bundle each.
 * @param {string} folder
 * @param {string[][]} programs by side
 */
async function bundled(folder, programs) {
  const files = {};
  for (const [side, contents] of programs) {
    files[side] = join(folder, `${side}.mjs`);
    await build({
      stdin: { contents, resolveDir: top },
      bundle: true,
      format: "esm",
      platform: "node",
      minify: true,
      outfile: files[side],
      logLevel: "error",
      banner: {
        js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
      },
    });
  }
  return files;
}

/** Both packages as npm lays them down. @param {string} folder */
function installed(folder) {
  const packages = join(folder, "installed/node_modules");
  const own = join(packages, "weftgraph");
  mkdirSync(join(own, "js"), { recursive: true });
  copyFileSync(join(top, "package.json"), join(own, "package.json"));
  execFileSync(process.execPath, [join(top, "tools/node.mjs"), join(own, "js/node")]);
  symlinkSync(join(top, "node_modules/@langchain"), join(packages, "@langchain"));
  return Object.fromEntries(
    IMPORTS.map(([side, imports]) => {
      const file = join(dirname(packages), `${side}.mjs`);
      writeFileSync(file, program(imports));
      return [side, file];
    }),
  );
}

/** @param {string} name @param {Record<string, string>} files @param {number} must */
async function measure(name, files, must) {
  const sides = Object.fromEntries(
    Object.entries(files).map(([side, file]) => [side, start(file)]),
  );
  const row = await compare(`first answer of an agent in Node, ${name}, over an empty script`, {
    unit: "ms",
    per: 1,
    rounds: 9,
    sides,
    must,
  });
  return overEmpty(row);
}

/**
 * From the start of workerd to the answer to its first request.
 * @param {Awaited<ReturnType<typeof bundleWorker>>} modules
 */
function serve(modules) {
  return async () => {
    const from = performance.now();
    const worker = new Miniflare({
      modules,
      compatibilityDate: "2026-01-01",
      compatibilityFlags: ["nodejs_compat"],
    });
    try {
      if ((await (await worker.dispatchFetch("http://first/")).text()) !== "It is 3")
        throw new Error("wrong");
      return performance.now() - from;
    } finally {
      await worker.dispose();
    }
  };
}

/** Of a Worker without an agent. */
const ANSWER = 'const answer = () => "It is 3";';

async function workers() {
  const folder = mkdtempSync(join(top, "tests/bench/.workers-"));
  try {
    const conditions = ["workerd", "worker", "browser"];
    const programs = {
      ...Object.fromEntries(IMPORTS.map(([side, imports]) => [side, imports + AGENT])),
      limit: `${await limitOf({ platform: "neutral", conditions })}${ANSWER}`,
      empty: ANSWER,
    };
    const sides = {};
    for (const [side, text] of Object.entries(programs)) {
      const file = join(folder, `${side}.mjs`);
      writeFileSync(
        file,
        `${text}\nexport default { fetch: async () => new Response(await answer()) };`,
      );
      sides[side] = serve(await bundleWorker(file));
    }
    return overEmpty(
      await compare("first answer of an agent in workerd, one bundle, over an empty Worker", {
        unit: "ms",
        per: 1,
        rounds: 9,
        sides,
        must: 3,
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export async function rows() {
  const folder = mkdtempSync(join(tmpdir(), "weft-cold-"));
  try {
    const empty = join(folder, "empty.mjs");
    writeFileSync(empty, "");
    const programs = IMPORTS.map(([side, imports]) => [side, program(imports)]);
    const least = await bundled(folder, [
      ["limit", await limitOf({ platform: "node", minify: true })],
      ["limit-readable", await limitOf({ platform: "node" })],
    ]);
    return [
      await measure(
        "one bundle",
        { ...(await bundled(folder, programs)), limit: least.limit, empty },
        3,
      ),
      await measure(
        "installed",
        { ...installed(folder), limit: least["limit-readable"], empty },
        8,
      ),
      await workers(),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
