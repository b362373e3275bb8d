// SPDX-License-Identifier: MIT
// What JavaScript reads of packed records (js/log/unpack.js) is what the engine reads
// (tests/c/test_log_pack.c): of the same bodies the same are refused, and a reader keeps as little
// of a long log as of a short one.
import assert from "node:assert/strict";
import test from "node:test";
import { WholeFrames } from "../../js/log/unpack.js";

/** A frame of a log, without its sums. */
function frame(seq, format, body) {
  const bytes = new Uint8Array(44 + body.length + 4);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x54464557, true);
  bytes.set([format, 1], 4);
  view.setUint32(8, body.length, true);
  view.setBigUint64(12, BigInt(seq), true);
  bytes.set(body, 44);
  return bytes;
}
const bodyOf = ({ bytes, at, length }) => [...bytes.subarray(at, at + length)];
const LETTERS = Array.from({ length: 600 }, (_, at) => at % 251);

/** What a packed body stands for behind so many records of these bytes. */
function unpacked(packed, before = 1, text = LETTERS.slice(0, 17)) {
  const reader = new WholeFrames();
  for (let seq = 1; seq <= before; seq++)
    assert.equal([...reader.of(frame(seq, 1, text))].length, 1);
  return bodyOf([...reader.of(frame(before + 1, 4, packed))][0]);
}

test("a packed body is what it was", () => {
  assert.deepEqual(unpacked([18, 0, 1, 0, 17, 1, 99]), [...LETTERS.slice(0, 17), 99]);
  assert.deepEqual(unpacked([18, 1, 98, 1, 1, 16, 1, 99]), [98, ...LETTERS.slice(1, 17), 99]);
  assert.deepEqual(unpacked([18, 0, 0x80, 2, 0, 17, 1, 99], 300), [...LETTERS.slice(0, 17), 99]);
  assert.deepEqual(unpacked([0x82, 2, 2, 7, 8, 1, 0x80, 2, 0x80, 2], 1, LETTERS), [
    7,
    8,
    ...LETTERS.slice(256, 512),
  ]);
});

const long = Array(160).fill(0x80);
for (const [name, packed, before, text] of [
  ["takes of itself", [18, 0, 0, 0, 17, 1, 99]],
  ["takes of what is before the first", [18, 0, 2, 0, 17, 1, 99]],
  ["takes from behind an end", [18, 0, 1, 127, 17, 1, 99]],
  ["takes over an end", [18, 0, 1, 1, 17, 1, 99]],
  ["takes more than all", [18, 0, 1, 0, 17, 2, 99, 99]],
  ["takes nothing from behind an end", [18, 0, 1, 18, 0, 18, ...LETTERS.slice(0, 18)]],
  ["is less", [19, 0, 1, 0, 17, 1, 99]],
  ["has more than is left of the frame", [18, 0, 1, 0, 17, 2, 99]],
  ["ends in a number", [18, 0, 1, 0x80]],
  ["ends behind a place", [18, 0, 1, 0]],
  ["is longer than what is packed", [0x81, 32, ...LETTERS]],
  ["takes from far back", [18, 0, 0x81, 2, 0, 17, 1, 99], 300],
  ["takes from a place far behind", [3, 0, 1, 0x81, 2, 3], 1, LETTERS],
  ["takes much at once", [0x81, 2, 0, 1, 0, 0x81, 2], 1, LETTERS],
  ["has a place of 2^53", [18, 0, 1, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 16, 17, 1, 99]],
  ["has a place that is no number any more", [18, 0, 1, ...long, 0, 17, 1, 99]],
  ["has a count that is no number any more", [18, 0, 1, 0, ...long, 0]],
  ["has a length that is no number any more", [...long, 0]],
  ["has a number longer than need be", [18, 0, 0x81, 0, 0, 17, 1, 99]],
]) {
  test(`a packed body that ${name} is refused`, () =>
    assert.throws(() => unpacked(packed, before, text), RangeError));
}
