// SPDX-License-Identifier: MIT
// Serves: the words of values at the border (wasm/README.md, Values) and the leak count of slots.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ABSENT, Slots } from "../../js/engine/slots.js";

test("immediates take no slot and come back", () => {
  const slots = new Slots();
  const limit = 2 ** 28;
  for (const value of [undefined, null, false, true, 0, 1, -1, limit - 1, -limit, ABSENT]) {
    assert.equal(slots.toValue(slots.toWord(value)), value);
  }
  assert.equal(slots.live, 0);
  assert.deepEqual(
    [undefined, null, false, true, ABSENT].map((value) => slots.toWord(value)),
    [8, 16, 24, 32, 0],
  );
  assert.equal(slots.toWord(5), 41);
  assert.equal(slots.toWord(-1), 0xfffffff9);
});

test("everything else gets an even number of its own, which is used again after its release", () => {
  const slots = new Slots();
  const values = [-0, 1.5, 2 ** 28, -(2 ** 28) - 1, NaN, "text", {}, [], 1n, Symbol("s"), () => 1];
  const words = values.map((value) => slots.toWord(value));
  assert.equal(slots.live, values.length);
  assert.equal(new Set(words).size, words.length);
  words.forEach((word, i) => {
    assert.equal(word & 7, 2);
    assert.equal((word >>> 3) % 2, 0);
    assert.ok(Object.is(slots.toValue(word), values[i]));
  });
  slots.release(words[3]);
  slots.release(words[3]);
  assert.equal(slots.live, values.length - 1);
  assert.equal(slots.toWord("again"), words[3]);
  assert.equal(slots.toValue(words[3]), "again");
  assert.notEqual(slots.toWord("new"), words[3]);
});

test("the same object under two words is held twice", () => {
  const slots = new Slots();
  const object = {};
  const [a, b] = [slots.toWord(object), slots.toWord(object)];
  assert.notEqual(a, b);
  slots.release(a);
  assert.equal(slots.toValue(b), object);
});

test("odd numbers are the engine's", () => {
  const slots = new Slots();
  const word = (7 << 3) | 2;
  slots.keep(word, "seven");
  slots.keep(word, "seven again");
  assert.equal(slots.live, 1);
  assert.equal(slots.toValue(word), "seven again");
  slots.release(word);
  assert.equal(slots.live, 0);
  assert.throws(() => slots.keep((6 << 3) | 2, "even"), RangeError);
  slots.release((99 << 3) | 2);
  assert.equal(slots.live, 0);
});
