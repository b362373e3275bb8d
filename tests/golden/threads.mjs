// SPDX-License-Identifier: MIT
// T18: threads as a released version left them, and what they must say when they are opened. `node
// tests/golden/threads.mjs format-1` writes the logs of a new format once, files-1 exported and
// sealed ones (files-2: seals of format 2), patched-2 one whose values are patches, rolled-3 one
// with list snapshots, copied-4 one with patches that take from other values, packed-5 one whose
// records are packed, expiring-5 one whose questions expire; a file that is there is never written
// again.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { deflateRawSync } from "node:zlib";
import { MemorySaver } from "weftgraph";
import { exportThread } from "weftgraph/savers/transfer";
import { sealSaver } from "weftgraph/savers/sealed";
import * as weft from "weftgraph";
import { build, makePlan, nextInput } from "../proof/programs.mjs";
import { World, makeRandom } from "../proof/world.mjs";
import { keeper } from "../runtime/smoke-threads.mjs";
import { converse, sayConversation } from "./copies.mjs";
import { edit, sayAll } from "./edits.mjs";
import { askThrice, expireLast, sayDecisions } from "./expiring.mjs";
import { open } from "./open.mjs";
import { sayLists, talk } from "./list-snapshots.mjs";

const THREADS = 60;
const config = { configurable: { thread_id: "t" } };
const fileOf = (format) => fileURLToPath(new URL(`${format}.json`, import.meta.url));

/** @param {string} format @returns {{ plan: any, log: string, says: string, end: string }[]} */
export function readGolden(format) {
  return JSON.parse(readFileSync(fileOf(format), "utf8"));
}

/** A thread whose process died at some call of its store. */
async function record(seed) {
  const random = makeRandom(seed);
  const plan = makePlan(random);
  const world = new World(random);
  const process = world.spawn("p");
  const work = () => world.wait(process, "work");
  const graph = build(plan, process.saver, { work, tool: work, mayFail: () => {} });
  const run = async () => {
    for (;;) {
      const snapshot = await graph.getState(config);
      const input = nextInput(plan, snapshot);
      if (input === undefined) return;
      await graph.invoke(input, { ...config, durability: plan.durability });
    }
  };
  let left = 20 + random.below(150);
  await world.settle([run()], () =>
    world.happen(random.pick(world.waiting), --left === 0 ? "dies after" : "done"),
  );
  const log = deflateRawSync(world.log("t")).toString("base64");
  return { plan, log, ...(await open({ plan, log }, new MemorySaver())) };
}

const base64 = (bytes) => Buffer.from(bytes).toString("base64");

/** Threads as files and under seals, with what they say. */
async function recordFiles() {
  const saver = new MemorySaver();
  await keeper(weft, saver).invoke({ note: "first" }, config);
  await keeper(weft, saver).invoke({ note: "ask" }, config);
  const exported = [
    {
      file: base64(await exportThread(saver, "t")),
      says: [{ n: 1, note: "ask" }, ["go on?"]],
      end: "answered now",
    },
  ];
  const sealed = [];
  for (const [algorithm, uses] of [
    [{ name: "HMAC", hash: "SHA-256" }, ["sign", "verify"]],
    [{ name: "AES-GCM" }, ["encrypt", "decrypt"]],
  ]) {
    const key = crypto.getRandomValues(new Uint8Array(32));
    const plain = new MemorySaver();
    const { store } = plain;
    await keeper(
      weft,
      sealSaver(plain, { key: await crypto.subtle.importKey("raw", key, algorithm, false, uses) }),
    ).invoke({ note: "kept" }, config);
    sealed.push({
      key: base64(key),
      algorithm,
      uses,
      log: base64(Buffer.concat(store.read("t"))),
      head: store.head("t"),
      says: { n: 1, note: "did kept" },
    });
  }
  return { exported, sealed };
}

/** A log of format 2, and what it says. */
async function recordPatched() {
  const saver = new MemorySaver();
  await edit(saver, 12);
  const log = deflateRawSync(Buffer.concat(saver.store.read("t"))).toString("base64");
  return {
    log,
    head: saver.store.head("t"),
    says: (await sayAll(saver))[0],
    end: await edit(saver, 3),
  };
}

/** A log with list snapshots (packed since format 4), and what it says. */
async function recordRolled() {
  const saver = new MemorySaver();
  await talk(saver, 4);
  const log = deflateRawSync(Buffer.concat(saver.store.read("t"))).toString("base64");
  return {
    log,
    head: saver.store.head("t"),
    says: await sayLists(saver),
    end: await talk(saver, 2),
  };
}

/** A log of format 3, and what it says. */
async function recordCopied() {
  const saver = new MemorySaver();
  await converse(saver, 3);
  const log = deflateRawSync(Buffer.concat(saver.store.read("t"))).toString("base64");
  return {
    log,
    head: saver.store.head("t"),
    says: await sayConversation(saver),
    end: await converse(saver, 2),
  };
}

/** A log of format 5, and what it says. */
async function recordExpiring() {
  const saver = new MemorySaver();
  await askThrice(saver);
  const log = deflateRawSync(Buffer.concat(saver.store.read("t"))).toString("base64");
  return {
    log,
    head: saver.store.head("t"),
    says: await sayDecisions(saver),
    end: await expireLast(saver),
  };
}

const format = process.argv[2];
if (process.argv[1] === fileURLToPath(import.meta.url) && format !== undefined) {
  if (existsSync(fileOf(format)))
    throw new Error(`${fileOf(format)} is there: golden files are never written again`);
  if (format.startsWith("files-")) {
    writeFileSync(fileOf(format), `${JSON.stringify(await recordFiles(), undefined, 1)}\n`);
  } else if (/^(rolled|packed)-/.test(format)) {
    writeFileSync(fileOf(format), `${JSON.stringify(await recordRolled())}\n`);
  } else if (format.startsWith("expiring-")) {
    writeFileSync(fileOf(format), `${JSON.stringify(await recordExpiring())}\n`);
  } else if (format.startsWith("copied-")) {
    writeFileSync(fileOf(format), `${JSON.stringify(await recordCopied())}\n`);
  } else if (format.startsWith("patched-")) {
    writeFileSync(fileOf(format), `${JSON.stringify(await recordPatched())}\n`);
  } else {
    const threads = [];
    for (let seed = 1; threads.length < THREADS; seed++) {
      const thread = await record(seed).catch((error) =>
        /no checkpoint|Offset/.test(error.message) ? undefined : Promise.reject(error),
      );
      if (thread !== undefined && !thread.says.startsWith("0 ")) threads.push(thread);
    }
    writeFileSync(
      fileOf(format),
      `[\n${threads.map((thread) => JSON.stringify(thread)).join(",\n")}\n]\n`,
    );
  }
}
