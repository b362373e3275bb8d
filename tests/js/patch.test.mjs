// SPDX-License-Identifier: MIT
// Serves: RELIABILITY 1 (damaged bytes end in an error, in bounded time) for patches as JavaScript reads them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Patch } from "../../js/log/patch.js";

const bytes = new TextEncoder().encode("a long text");
const patched = (...edits) => new Patch({ bytes: Uint8Array.from(edits), length: bytes.length, base: () => ({ bytes }) });

test("a patch is a text of its base and its edits", () => {
  assert.equal(String(patched(5, 4, 4, ...new TextEncoder().encode("tiny"))), "a tiny text");
});

test("a patch that ends within a number is refused", () => {
  for (const edits of [[0x80], [5], [5, 4], [5, 4, 0xff, 0xff]]) assert.throws(() => String(patched(...edits)), RangeError);
});
