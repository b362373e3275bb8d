// SPDX-License-Identifier: MIT
// LangGraph's own checkpointer validation over our savers, run by vitest (see validation.test.mjs).
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { Miniflare } from "miniflare";
import { validate } from "@langchain/langgraph-checkpoint-validation";
import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { WeftSaver } from "../../js/savers/weft-saver.js";
import { FileSaver } from "weftgraph/savers/file";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { KvSaver } from "weftgraph/savers/kv";
import { MemorySaver } from "weftgraph/savers/memory";
import { sealSaver } from "weftgraph/savers/sealed";
import { bundleWorker } from "../runtime/smoke-bundle.mjs";
import { LONG, isBroken } from "./kit.mjs";
import { remoteStore } from "./remote-store.mjs";

globalThis.IDBKeyRange = IDBKeyRange;

const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
  "encrypt",
  "decrypt",
]);

function makeKv() {
  const map = new Map();
  const holds = (key, expected) =>
    expected === undefined
      ? !map.has(key)
      : map.has(key) && Buffer.compare(map.get(key), expected) === 0;
  return new KvSaver({
    get: (key) => map.get(key),
    put: (key, value) => map.set(key, value),
    list: (prefix) => [...map.keys()].filter((key) => key.startsWith(prefix)),
    delete: (key) => map.delete(key),
    cas: (key, expected, value) => holds(key, expected) && (map.set(key, value), true),
  });
}

/** @type {Map<object, string>} */
const folders = new Map();

async function makeFile() {
  const path = await fs.mkdtemp(join(tmpdir(), "weft-saver-"));
  const saver = new FileSaver({ path });
  folders.set(saver, path);
  return saver;
}

async function dropFile(saver) {
  await fs.rm(folders.get(saver), { recursive: true, force: true, maxRetries: 5 });
}

// The suite needs Node. The stores that stand elsewhere stay there: in workerd and in Deno, under
// WEFT_LONG.
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
let drawn = 0;
/** @type {Promise<Miniflare> | undefined} */
let worker;
/**
 * @type {Promise<{ port: number, process: import("node:child_process").ChildProcess }> | undefined}
 */
let deno;

async function makeObject() {
  worker ??= bundleWorker(here("validation-worker.mjs")).then(
    (modules) =>
      new Miniflare({
        modules,
        compatibilityDate: "2026-01-01",
        durableObjects: { THREAD: { className: "Thread", useSQLite: true } },
      }),
  );
  const flare = await worker;
  const place = `http://store/${++drawn}`;
  return new WeftSaver(
    remoteStore(async (body) =>
      (await flare.dispatchFetch(place, { method: "POST", body })).text(),
    ),
  );
}

async function startDeno() {
  const folder = await fs.mkdtemp(join(tmpdir(), "weft-kv-"));
  const bin = join(here("../../node_modules/.bin"), "deno");
  const process = spawn(
    bin,
    [
      "run",
      "--quiet",
      "--no-config",
      "--unstable-kv",
      "-A",
      here("validation-deno.mjs"),
      join(folder, "kv.db"),
    ],
    { env: { ...globalThis.process.env, DENO_DIR: folder } },
  );
  const port = await new Promise((resolve, reject) => {
    process.stdout.once("data", (text) => resolve(Number(text)));
    process.once("exit", (code) => reject(new Error(`Deno ended with ${code}`)));
  });
  return { port, process };
}

async function makeKvElsewhere() {
  const { port } = await (deno ??= startDeno());
  const place = `http://127.0.0.1:${port}/${++drawn}`;
  return new WeftSaver(
    remoteStore(async (body) => (await fetch(place, { method: "POST", body })).text()),
  );
}

globalThis.afterAll(async () => {
  await (await worker)?.dispose();
  (await deno)?.process.kill();
});

// A saver called MemorySaver is spared one test by the suite, as LangGraph's is: it keeps whole
// checkpoints.
const makers = {
  MemorySaver: () => new MemorySaver(),
  IdbfsSaver: () => new IdbfsSaver({ indexedDB: new IDBFactory() }),
  KvSaver: makeKv,
  "KvSaver, sealed": () => sealSaver(makeKv(), { key }),
  FileSaver: makeFile,
  ...(LONG && { DurableObjectSaver: makeObject, DenoKvSaver: makeKvElsewhere }),
};

/** T23's planted bug: a saver that forgets which checkpoint came before. */
async function planted(make) {
  const saver = await make();
  const { getTuple } = saver;
  saver.getTuple = async function (config) {
    const tuple = await getTuple.call(this, config);
    if (tuple !== undefined) delete tuple.parentConfig;
    return tuple;
  };
  return saver;
}

for (const [checkpointerName, make] of Object.entries(makers)) {
  const destroyCheckpointer = make === makeFile ? dropFile : undefined;
  validate({
    checkpointerName,
    createCheckpointer: isBroken("T23") ? () => planted(make) : make,
    destroyCheckpointer,
  });
}
