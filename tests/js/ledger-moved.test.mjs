// SPDX-License-Identifier: MIT
// Threads that go elsewhere take along what their log knows of tool calls: what was in flight when
// the process died is asked about there too, and what is done is not done again. Serves
// docs/reliability.md 1 (promise 3: "on any host").
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AIMessage,
  Command,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  tool,
} from "weftgraph";
import { ToolNode } from "weftgraph/prebuilt";
import { copyThread, exportThread, importThread } from "weftgraph/savers/transfer";
import { kvOver } from "./kv-map.mjs";

const call = (name, args = {}) => ({ name, args, id: name, type: "tool_call" });
const on = (thread_id) => ({ configurable: { thread_id } });
const said = ({ messages }) =>
  messages
    .filter(({ type }) => type === "tool")
    .map(({ tool_call_id, content }) => [tool_call_id, content]);
const graphOf = (bodies, checkpointer, fields) => {
  const tools = Object.entries(bodies).map(([name, body]) =>
    tool(body, { name, schema: { type: "object" }, ...fields }),
  );
  return new StateGraph(MessagesAnnotation)
    .addNode("tools", new ToolNode(tools))
    .addEdge(START, "tools")
    .compile({ checkpointer });
};

/** A thread whose process dies while "pay" runs; with `approval` somebody has allowed it. */
async function dead(map, fields) {
  const messages = [new AIMessage({ content: "", id: "a", tool_calls: [call("pay", { n: 1 })] })];
  const { promise, resolve } =
    Promise.withResolvers?.() ??
    (() => {
      let resolve;
      return { promise: new Promise((done) => (resolve = done)), resolve };
    })();
  const graph = graphOf({ pay: () => (resolve(), new Promise(() => {})) }, kvOver(map), fields);
  if (fields?.approval) await graph.invoke({ messages }, on("1"));
  void graph.invoke(
    fields?.approval ? new Command({ resume: { type: "accept" } }) : { messages },
    on("1"),
  );
  await promise;
}

/** Ways to another host. */
const WAYS = {
  "a file, into another saver": async (map) => {
    const other = new MemorySaver();
    await importThread(other, await exportThread(kvOver(map), "1"));
    return [other, "1"];
  },
  "a copy beside it": async (map) => (await copyThread(kvOver(map), "1", "2"), [kvOver(map), "2"]),
  "a copy of a copy, made shorter": async (map) => {
    await copyThread(kvOver(map), "1", "2");
    await kvOver(map).prune("2", { last: 1 });
    await copyThread(kvOver(map), "2", "3");
    return [kvOver(map), "3"];
  },
};

for (const [way, go] of Object.entries(WAYS)) {
  for (const approval of [undefined, "ask"]) {
    test(`a call in flight is asked about there too, ${approval ? "allowed before" : "asked nobody"}: ${way}`, async () => {
      const map = new Map();
      await dead(map, { approval });
      const [saver, id] = await go(map);
      let runs = 0;
      const graph = graphOf({ pay: ({ n }) => (runs++, `paid ${n}`) }, saver, { approval });
      let asked = await graph.invoke(null, on(id));
      if (approval) {
        // Permission is not imported: it is asked for again, and does not hide that the call was
        // begun.
        assert.deepEqual(
          [
            asked.__interrupt__?.[0].value.action_request.action,
            asked.__interrupt__?.[0].value.kind,
            runs,
          ],
          ["pay", undefined, 0],
        );
        asked = await graph.invoke(new Command({ resume: { type: "accept" } }), on(id));
      }
      assert.deepEqual([asked.__interrupt__?.[0].value.kind, runs], ["unknown_tool_call", 0]);
      assert.deepEqual(
        (await saver.decisions(id)).map(({ type }) => type),
        approval ? ["accept", "accept"] : [],
      );
      const end = await graph.invoke(
        new Command({
          resume: { [asked.__interrupt__[0].id]: { type: "response", args: "it was paid" } },
        }),
        on(id),
      );
      assert.deepEqual([said(end), runs], [[["pay", "it was paid"]], 0]);
    });
  }
}

test("what may be repeated is repeated under the key that it began with: in a copy of another id one is asked, unless the tool makes its key", async () => {
  const schema = { type: "object" };
  const ends = [];
  for (const fields of [
    { idempotent: true },
    { onUnknown: "retry" },
    { idempotent: true, idempotencyKey: ({ n }) => `order-${n}` },
  ]) {
    const map = new Map();
    await dead(map, fields);
    const keys = [];
    const graphOn = (saver) =>
      new StateGraph(MessagesAnnotation)
        .addNode(
          "tools",
          new ToolNode([
            tool((_, { idempotencyKey }) => (keys.push(idempotencyKey), "paid"), {
              name: "pay",
              schema,
              ...fields,
            }),
          ]),
        )
        .addEdge(START, "tools")
        .compile({ checkpointer: saver });
    await copyThread(kvOver(map), "1", "2");
    const asked = await graphOn(kvOver(map)).invoke(null, on("2"));
    if (fields.idempotencyKey) {
      ends.push([said(asked), keys]);
      continue;
    }
    assert.deepEqual([asked.__interrupt__?.[0].value.kind, keys], ["unknown_tool_call", []]);
    // Still so after another move, or when it was tidied up.
    await kvOver(map).prune("2", { last: 1 });
    await copyThread(kvOver(map), "2", "3");
    assert.deepEqual(
      [(await graphOn(kvOver(map)).invoke(null, on("3"))).__interrupt__?.[0].value.kind, keys],
      ["unknown_tool_call", []],
    );
    assert.deepEqual(
      said(await graphOn(kvOver(map)).invoke(new Command({ resume: { type: "accept" } }), on("2"))),
      [["pay", "paid"]],
    );
    // Where its id is the same, so is its key.
    const other = new MemorySaver();
    await importThread(other, await exportThread(kvOver(map), "1"));
    assert.deepEqual(said(await graphOn(other).invoke(null, on("1"))), [["pay", "paid"]]);
    assert.deepEqual(said(await graphOn(kvOver(map)).invoke(null, on("1"))), [["pay", "paid"]]);
    assert.deepEqual([keys.length, keys[1] === keys[2], keys[0] === keys[1]], [3, true, false]);
  }
  assert.deepEqual(ends, [[[["pay", "paid"]], ["order-1"]]]);
});
