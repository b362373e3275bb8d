// SPDX-License-Identifier: MIT
// T18: threads of every released format are opened, say what they said, and go on to their ends.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { MemorySaver } from "weftgraph";
import { converse, sayConversation } from "../golden/copies.mjs";
import { edit, sayAll } from "../golden/edits.mjs";
import { expireLast, sayDecisions } from "../golden/expiring.mjs";
import { fillPatched, open } from "../golden/open.mjs";
import { sayLists, talk } from "../golden/list-snapshots.mjs";
import { readGolden } from "../golden/threads.mjs";
import { figure, isBroken } from "./kit.mjs";

/** @param {Buffer} log */
function formatsIn(log) {
  const found = new Set();
  for (let at = 0; at < log.length; at += 48 + log.readUInt32LE(at + 8)) found.add(log[at + 4]);
  return found;
}

const formats = readdirSync(fileURLToPath(new URL("../golden/", import.meta.url)))
  .filter((name) => /^format-.*\.json$/.test(name))
  .map((name) => name.slice(0, -".json".length));

test("T18: golden threads of every format open and go on", async () => {
  const counts = { formats: formats.length, threads: 0, checkpoints: 0 };
  for (const format of formats) {
    for (const [i, thread] of readGolden(format).entries()) {
      // T18's planted bug: a reader that leaves out the last record.
      const { says, end } = await open(thread, new MemorySaver(), isBroken("T18"));
      assert.equal(says, thread.says, `T18: thread ${i} of ${format}`);
      assert.equal(end, thread.end, `T18: thread ${i} of ${format} goes on`);
      counts.threads++;
      counts.checkpoints += parseInt(says, 10);
    }
  }
  figure("T18", counts);
});

test("T18: a golden thread whose values are patches says what it said and goes on", async () => {
  const golden = readGolden("patched-2");
  const saver = new MemorySaver();
  await fillPatched(saver, golden);
  assert.deepEqual(await sayAll(saver), [golden.says, golden.says]);
  assert.equal(await edit(saver, 3), golden.end);
  assert.equal(golden.says.length, 13);
});

test("T18: a golden thread with patches that take from other values says what it said and goes on", async () => {
  const golden = readGolden("copied-4");
  const saver = new MemorySaver();
  await fillPatched(saver, golden);
  assert.deepEqual(await sayConversation(saver), golden.says);
  assert.deepEqual(await converse(saver, 2), golden.end);
  assert.equal(golden.end.length, 10);
});

test("T18: a golden thread whose questions expire says what it said and goes on", async () => {
  const golden = readGolden("expiring-5");
  const saver = new MemorySaver();
  await fillPatched(saver, golden);
  assert.ok(formatsIn(Buffer.concat(saver.store.read("t"))).has(5));
  assert.deepEqual(await sayDecisions(saver), golden.says);
  assert.equal(golden.says.questions[0].value.expires_at, "2026-11-27T03:00:00.000Z");
  assert.deepEqual(await expireLast(saver), golden.end);
  assert.deepEqual(golden.end.decided, [
    ["accept", "person"],
    ["escalate", "expiry"],
    ["ignore", "expiry"],
    ["escalate", "expiry"],
    ["ignore", "expiry"],
  ]);
});

for (const [name, file] of [
  ["with list snapshots", "rolled-3"],
  ["whose records are packed", "packed-5"],
]) {
  test(`T18: a golden thread ${name} says what it said and goes on`, async () => {
    const golden = readGolden(file);
    const saver = new MemorySaver();
    await fillPatched(saver, golden);
    assert.deepEqual(await sayLists(saver), golden.says);
    assert.deepEqual(await talk(saver, 2), golden.end);
    assert.equal(golden.end.length, 28);
  });
}
