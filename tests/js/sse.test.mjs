// SPDX-License-Identifier: MIT
// Serves: server-sent events wherever their bytes are cut, in linear time and bounded memory.
// Own process: takes as long as many other files.
import assert from "node:assert/strict";
import { test } from "node:test";
import { EventParser } from "../../js/models/sse.js";

const bytes = (text) => new TextEncoder().encode(text);

function parse(all, size) {
  const parser = new EventParser();
  const events = [];
  for (let at = 0; at < all.length; at += size)
    events.push(...parser.push(all.subarray(at, at + size)));
  return [...events, ...parser.end()];
}

test("the same events whatever the ends of lines are and wherever the bytes are cut", () => {
  const lines = [
    "\ufeffevent: a",
    "data: 1",
    "data:é𝄞",
    ": a comment",
    "id: 7",
    "",
    "",
    "event: bare",
    "",
    "data",
    "unknown: x",
    "",
    "\ufeffdata: a mark that does not begin the text is part of a name",
    "",
    "data: no blank line behind",
  ];
  const wanted = [
    { event: "a", data: "1\né𝄞" },
    { event: "bare", data: undefined },
    { event: undefined, data: "" },
    { event: undefined, data: "no blank line behind" },
  ];
  for (const end of ["\n", "\r\n", "\r"]) {
    const all = bytes(lines.join(end));
    for (let size = 1; size <= all.length; size++)
      assert.deepEqual(parse(all, size), wanted, `${JSON.stringify(end)} by ${size}`);
  }
});

test("an event is given with its blank line, not with what follows", () => {
  const parser = new EventParser();
  assert.equal(parser.push(bytes("data: 1\r\n\r")).length, 1);
  assert.deepEqual(parser.push(bytes("\ndata: 2\n\n")), [{ event: undefined, data: "2" }]);
});

test("a line of 8 MB in pieces of 1 kB takes the time of its bytes", () => {
  const all = new Uint8Array(2 ** 23).fill(120);
  all.set(bytes("data: "));
  const begun = process.cpuUsage();
  const [{ data }] = parse(all, 1024);
  const { user } = process.cpuUsage(begun);
  assert.equal(data.length, all.length - 6);
  assert.ok(user < 3e6, `${user} µs`);
});

test("an event without an end is refused", () => {
  const parser = new EventParser();
  const chunk = new Uint8Array(2 ** 22).fill(120);
  assert.throws(
    () => {
      for (let i = 0; i < 17; i++) parser.push(chunk);
    },
    { name: "RangeError", code: "EVENT_TOO_LONG" },
  );
  // All lines of an event count, long ones and short ones.
  for (const [length, most] of [
    [2 ** 12, undefined],
    [1, 2 ** 20],
  ]) {
    const line = `data: ${"x".repeat(length)}\n`;
    const lines = bytes(line.repeat(2 ** 22 / line.length));
    const other = new EventParser(most);
    assert.throws(
      () => {
        for (let i = 0; i < 17; i++) other.push(lines);
      },
      { code: "EVENT_TOO_LONG" },
    );
  }
});
