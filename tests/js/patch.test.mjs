// SPDX-License-Identifier: MIT
// Serves: docs/reliability.md 1 (damaged bytes end in an error, in bounded time) for patches as
// JavaScript reads them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Patch } from "../../js/log/patch.js";
import { readGolden } from "../golden/threads.mjs";
import { readDamaged } from "./damaged-log.mjs";

const bytes = new TextEncoder().encode("a long text");
const patched = (...edits) =>
  new Patch({ bytes: Uint8Array.from(edits), length: bytes.length, base: () => ({ bytes }) });

test("a patch is a text of its base and its edits", () => {
  assert.equal(String(patched(5, 4, 4, ...new TextEncoder().encode("tiny"))), "a tiny text");
});

test("a patch that ends within a number is refused", () => {
  for (const edits of [[0x80], [5], [5, 4], [5, 4, 0xff, 0xff]])
    assert.throws(() => String(patched(...edits)), RangeError);
});

test("a patch that does not fit its base is refused before anything is made for it", () => {
  const held = {
    bytes: Uint8Array.from([0, 0, 1, 120]),
    length: 12,
    depth: 1,
    base: () => ({ bytes }),
  };
  assert.equal(String(new Patch(held)), "a long textx");
  for (const wrong of [
    { length: 13 },
    { length: 2 ** 40 },
    { length: 5 },
    { bytes: Uint8Array.from([9, 9, 0]) },
    { bytes: Uint8Array.from([0, 200, 1, 0]) },
    { bytes: Uint8Array.from([200, 1, 0, 0]) },
    { bytes: Uint8Array.from([0, 0, 90, 1]) },
  ])
    assert.throws(
      () => String(new Patch({ ...held, made: undefined, ...wrong })),
      RangeError,
      JSON.stringify(wrong),
    );
  // One that is its own base, or no deeper than it, would never end.
  const circle = { ...held, made: undefined, base: () => circle };
  assert.throws(() => String(new Patch(circle)), RangeError);
  assert.throws(
    () => String(new Patch({ ...held, made: undefined, base: () => held })),
    RangeError,
  );
});

test("a chain that goes over all of a text again and again is bounded", () => {
  const long = new Uint8Array(1 << 15).fill(97);
  let held = { bytes: long };
  for (let depth = 1; depth <= 1000; depth++) {
    const base = held;
    const edits = Array.from({ length: 16 }, (_, i) => [
      i === 0 ? 1 + ((depth * 3) % 120) : 0x80 + 100,
      ...(i === 0 ? [] : [15]),
      1,
      1,
      98,
    ]).flat();
    held = { bytes: Uint8Array.from(edits), length: long.length, depth, base: () => base };
  }
  const start = process.cpuUsage();
  assert.throws(() => String(new Patch(held)), RangeError);
  assert.ok(process.cpuUsage(start).user < 2_000_000);
});

test("a log whose patches are damaged reads as something or is told to be damaged", async () => {
  const counts = await readDamaged(readGolden("patched-2"), 17);
  assert.ok(counts.read > 20 && counts.refused > 20, JSON.stringify(counts));
});
