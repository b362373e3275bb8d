// SPDX-License-Identifier: MIT
// LangGraph's own checkpointer validation over our savers, run by vitest (see validation.test.mjs).
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { validate } from "@langchain/langgraph-checkpoint-validation";
import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { FileSaver } from "weftgraph/savers/file";
import { IdbfsSaver } from "weftgraph/savers/idbfs";
import { KvSaver } from "weftgraph/savers/kv";
import { MemorySaver } from "weftgraph/savers/memory";
import { sealSaver } from "weftgraph/savers/sealed";
import { isBroken } from "./kit.mjs";

globalThis.IDBKeyRange = IDBKeyRange;

const key = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);

function makeKv() {
  const map = new Map();
  const holds = (key, expected) => (expected === undefined ? !map.has(key) : map.has(key) && Buffer.compare(map.get(key), expected) === 0);
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
  await fs.rm(folders.get(saver), { recursive: true, force: true });
}

// A saver called MemorySaver is spared one test by the suite, as LangGraph's is: it keeps whole checkpoints.
const makers = {
  MemorySaver: () => new MemorySaver(),
  IdbfsSaver: () => new IdbfsSaver({ indexedDB: new IDBFactory() }),
  KvSaver: makeKv,
  "KvSaver, sealed": () => sealSaver(makeKv(), { key }),
  FileSaver: makeFile,
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
  validate({ checkpointerName, createCheckpointer: isBroken("T23") ? () => planted(make) : make, destroyCheckpointer });
}
