// SPDX-License-Identifier: MIT
// Serves: docs/semantics.md 19 (messagesStateReducer: coerces, gives ids, replaces in place,
// appends, removes, REMOVE_ALL).
import assert from "node:assert/strict";
import { test } from "node:test";
import { messagesStateReducer as reduce } from "../../js/state/messages-reducer.js";
import { HumanMessage, REMOVE_ALL_MESSAGES, RemoveMessage } from "weftgraph/messages";

const human = (id, content = "c") => new HumanMessage({ id, content });
const gone = (id) => new RemoveMessage({ id });
const show = (list) => list.map((message) => `${message.id}:${message.content}`).join(" ");

test("anything message-like joins, and gets an id in place", () => {
  const list = reduce("a", ["b", ["user", "x"], { role: "user", content: "y" }]);
  assert.deepEqual(
    list.map((message) => message.content),
    ["a", "b", "x", "y"],
  );
  for (const message of list) assert.match(message.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  const own = new HumanMessage("q");
  assert.equal(reduce([], [own])[0], own);
  assert.equal(own.id.length, 36);
  const left = [human("1")];
  assert.notEqual(reduce(left, []), left);
});

for (const [name, left, right, result] of [
  ["replaces in place", [human("1"), human("2")], [human("1", "n")], "1:n 2:c"],
  ["the last of equal ids wins", [human("1")], [human("3", "a"), human("3", "b")], "1:c 3:b"],
  ["equal ids on the left stay", [human("1", "a"), human("1", "b")], [human("1", "c")], "1:a 1:c"],
  ["removes", [human("1"), human("2")], [gone("1")], "2:c"],
  ["removes twice", [human("1"), human("2")], [gone("1"), gone("1")], "2:c"],
  [
    "removed and written again keeps its place",
    [human("1"), human("2")],
    [gone("1"), human("1", "n")],
    "1:n 2:c",
  ],
  ["removes what it just added", [human("1")], [human("2"), gone("2")], "1:c"],
  ["remove, add, remove", [human("1"), human("2")], [gone("1"), human("1"), gone("1")], "2:c"],
  [
    "only what follows the last REMOVE_ALL is kept",
    [human("1")],
    [human("5"), gone(REMOVE_ALL_MESSAGES), human("6"), gone(REMOVE_ALL_MESSAGES), human("7")],
    "7:c",
  ],
]) {
  test(name, () => assert.equal(show(reduce(left, right)), result));
}

test("removing what is not there is an error that names it", () => {
  assert.throws(() => reduce([human("1")], [gone("9")]), {
    name: "Error",
    message: "Attempting to delete a message with an ID that doesn't exist ('9')",
  });
});

test("what is no message is refused", () => {
  for (const bad of [3, { a: 1 }, null, undefined])
    assert.throws(() => reduce([], [bad]), { lc_error_code: "MESSAGE_COERCION_FAILURE" });
});
