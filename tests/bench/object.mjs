// SPDX-License-Identifier: MIT
// docs/benchmarks.md: in workerd, a step of 1 KB saved in a Durable Object, over one row of 1 KB
// written by hand. What a request writes goes to the disk at its end, for both; the least of many
// rounds counts, since a disk is late at will.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
import { bundleWorker } from "../runtime/smoke-bundle.mjs";
import { round } from "./measure.mjs";

const COUNT = 1000;
const ROUNDS = 20;
const KINDS = ["append", "raw", "plain", "saved", "nothing"];

export async function rows() {
  const folder = mkdtempSync(join(tmpdir(), "weft-object-"));
  const modules = await bundleWorker(fileURLToPath(new URL("object-worker.mjs", import.meta.url)));
  const worker = new Miniflare({
    modules,
    compatibilityDate: "2026-01-01",
    durableObjects: { BENCH: { className: "Bench", useSQLite: true } },
    durableObjectsPersist: folder,
  });
  const least = Object.fromEntries(KINDS.map((kind) => [kind, Infinity]));
  try {
    await worker.ready;
    for (let i = 0; i < ROUNDS; i++) {
      for (const kind of KINDS) {
        const start = performance.now();
        await (await worker.dispatchFetch(`http://bench/work?kind=${kind}&count=${COUNT}`)).text();
        least[kind] = Math.min(least[kind], performance.now() - start);
      }
    }
  } finally {
    await worker.dispose();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  const µs = (more, less) => round(((least[more] - least[less]) * 1000) / COUNT);
  const limit = µs("raw", "nothing");
  const row = (what, weft, must) => ({
    name: `Durable Object, a saved step of 1 KB: ${what}`,
    unit: "µs",
    weft,
    limit,
    ratio: round(weft / limit),
    must,
  });
  return [
    row("its record, over one sql.exec", µs("append", "nothing"), "<= 2x"),
    row("all that the saver adds", µs("saved", "plain")),
  ];
}
