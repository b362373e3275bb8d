// SPDX-License-Identifier: MIT
// T7 in its CI size: 1,000 conflict-rich schedules of two tabs that write one thread (two instances
// over one IndexedDB). No acknowledged commit is lost or overwritten; the loser gets FENCED.
// WEFT_SCHEDULES=n runs n; a failing seed is named. Under WEFT_LONG schedules go on from where the
// last run ended, to 100,000 in all; build/proof/T7.json keeps the sum, WEFT_SECONDS ends a run
// earlier.
// Own process: runs two instances over one IndexedDB.
import { test } from "node:test";
import assert from "node:assert/strict";
import { LONG, figure, isBroken, keepSum, readSum, timeLimit } from "../proof/kit.mjs";
import {
  createChance,
  createInstance,
  createOrigin,
  createWriter,
  openTab,
  readHex,
} from "./idbfs-origin.mjs";

const SCHEDULES = Number(process.env.WEFT_SCHEDULES ?? 1000);
const ALL = 100_000;
const LOT = 100;
const FIRST = Number(process.env.WEFT_SEED ?? 1);
const instances = [createInstance(), createInstance(), createInstance()];
const pause = () => new Promise((resolve) => setImmediate(resolve));

/**
 * One tab: appends, rereads when fenced (or at a whim), folds now and then, and now and then
 * forgets all and starts anew.
 */
async function runTab(tab, chance, totals) {
  for (let step = 0; step < 5; step++) {
    for (let wait = chance(4); wait > 0; wait--) await pause();
    const whim = chance(12);
    if (whim === 0) await tab.writer.reload();
    if (whim === 1) await tab.store.close();
    try {
      await tab.writer.append(Array.from({ length: 1 + chance(3) }, () => chance(40)));
      totals.acknowledged++;
    } catch (error) {
      assert.equal(error.code, "FENCED", error.stack);
      totals.fenced++;
      // A stubborn tab tries again with what it knew: it must stay fenced.
      if (chance(3) === 0) await assert.rejects(tab.writer.append(), { code: "FENCED" });
      await tab.writer.reload();
    }
    if (chance(10) === 0) await fold(tab);
  }
}

async function fold({ store }) {
  const head = await store.head("shared");
  if (!head) return;
  const bytes = Buffer.concat(await store.read("shared"));
  const whole = await store.head("shared");
  if (whole.seq !== head.seq) return;
  try {
    await store.fold("shared", { firstSeq: 1, lastSeq: head.seq }, new Uint8Array(bytes));
  } catch (error) {
    assert.ok(["BAD_ARGUMENT", "FENCED"].includes(error.code), error.stack);
  }
}

/** T7's planted bug: a store that does not tell the loser. */
function forgiving(store) {
  const { append } = store;
  store.append = (...given) => append.apply(store, given).catch(() => {});
  return store;
}

async function runSchedule(seed, totals) {
  const origin = createOrigin();
  const chance = createChance(seed);
  const tabs = instances.slice(0, 2).map((instance) => {
    const store = isBroken("T7")
      ? forgiving(openTab(origin, { instance }))
      : openTab(origin, { instance });
    return { store, writer: createWriter(store, "shared") };
  });
  await Promise.all(
    tabs.map((tab, i) => runTab(tab, createChance(seed * 2 + i + chance(1000)), totals)),
  );
  const fresh = openTab(origin, { instance: instances[2] });
  const stored = await readHex(fresh, "shared");
  const acknowledged = tabs.flatMap((tab) => tab.writer.acknowledged);
  // Each acknowledged commit once, and nothing else: frames carry their place, so the order is
  // proved by the chain.
  const bySeq = acknowledged
    .map((hex) => [Number(Buffer.from(hex, "hex").readBigUInt64LE(12)), hex])
    .sort((a, b) => a[0] - b[0]);
  assert.equal(stored, bySeq.map(([, hex]) => hex).join(""));
  await Promise.all([...tabs.map((tab) => tab.store.close()), fresh.close()]);
}

async function runSchedules(first, count, totals) {
  for (let seed = first; seed < first + count; seed++) {
    try {
      await runSchedule(seed, totals);
    } catch (error) {
      throw new Error(
        `T7: seed ${seed}: WEFT_SEED=${seed} WEFT_SCHEDULES=1 node --test tests/js/store-idbfs-tabs.test.mjs`,
        { cause: error },
      );
    }
  }
  totals.schedules += count;
}

test(`${SCHEDULES} schedules of two tabs: none of the acknowledged commits lost or overwritten`, {
  timeout: LONG ? Infinity : 280_000,
}, async () => {
  const totals = { schedules: 0, acknowledged: 0, fenced: 0, ...(LONG ? readSum("T7") : {}) };
  const isOver = timeLimit();
  if (!LONG) await runSchedules(FIRST, SCHEDULES, totals);
  while (LONG && totals.schedules < ALL && !isOver()) {
    await runSchedules(totals.schedules + 1, LOT, totals);
    keepSum("T7", totals);
  }
  if (FIRST === 1 && totals.schedules >= SCHEDULES) figure("T7", totals);
  assert.ok(totals.fenced > totals.schedules, "T7: the schedules are rich in conflicts");
});

test("two tabs race over many folds", { timeout: 600_000 }, async () => {
  for (let seed = 1; seed <= 3; seed++) {
    const origin = createOrigin();
    const tabs = instances.slice(0, 2).map((instance) => {
      const store = openTab(origin, { instance });
      return { store, writer: createWriter(store, "shared") };
    });
    await Promise.all(
      tabs.map(async ({ writer }, i) => {
        const chance = createChance(seed * 100 + i);
        while (writer.acknowledged.length < 120) {
          await writer.append([chance(30) === 0 ? 300_000 : chance(60)]).catch((error) => {
            assert.equal(error.code, "FENCED", error.stack);
            return writer.reload();
          });
          for (let wait = chance(6); wait > 0; wait--) await pause();
        }
      }),
    );
    const stored = await readHex(openTab(origin, { instance: instances[2] }), "shared");
    const bySeq = tabs
      .flatMap(({ writer }) => writer.acknowledged)
      .map((hex) => [Number(Buffer.from(hex, "hex").readBigUInt64LE(12)), hex]);
    bySeq.sort((a, b) => a[0] - b[0]);
    assert.equal(bySeq.length, 240);
    assert.ok(
      stored === bySeq.map(([, hex]) => hex).join(""),
      `seed ${seed}: the log is what was acknowledged`,
    );
    await Promise.all(tabs.map(({ store }) => store.close()));
  }
});
