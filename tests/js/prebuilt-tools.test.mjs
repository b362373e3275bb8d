// SPDX-License-Identifier: MIT
// What LangGraph has in Python only: handleToolErrors in all forms, wrapToolCall, arguments that
// the host fills in (InjectedState, InjectedStore, ToolRuntime); and what a subclass of ToolNode
// may override.
import { test } from "node:test";
import assert from "node:assert/strict";
import { z } from "zod";
import * as z3 from "zod/v3";
import {
  AIMessage,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  ToolMessage,
} from "weftgraph";
import { ToolNode, toolsCondition } from "weftgraph/prebuilt";
import { InjectedState, InjectedStore, ToolRuntime, tool, toolJsonSchema } from "weftgraph/tools";

const ai = (...calls) => new AIMessage({ content: "", tool_calls: calls });
const call = (name, args = {}, id = "1") => ({ name, args, id, type: "tool_call" });
const said = (messages) =>
  messages.map(({ content, status, tool_call_id }) => [content, status, tool_call_id]);

class Mine extends Error {}
const number = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
const boom = tool(
  () => {
    throw new Mine("kaput");
  },
  { name: "boom" },
);
const double = tool(({ n }) => n * 2, { name: "double", schema: number });

test("handleToolErrors: text, function, classes", async () => {
  const run = async (handleToolErrors, one = call("boom")) =>
    said(await new ToolNode([boom, double], { handleToolErrors }).invoke([ai(one)]));
  const standard = "Error: kaput\n Please fix your mistakes.";
  assert.deepEqual(await run("sorry"), [["sorry", "error", "1"]]);
  assert.deepEqual(await run((error, { name }) => `${name}: ${error.message}`), [
    ["boom: kaput", "error", "1"],
  ]);
  assert.deepEqual(await run(async () => [{ type: "text", text: "t" }]), [
    [[{ type: "text", text: "t" }], "error", "1"],
  ]);
  assert.deepEqual(await run([TypeError, Mine]), [[standard, "error", "1"]]);
  assert.deepEqual(await run(Mine), [[standard, "error", "1"]]);
  await assert.rejects(run([TypeError]), { message: "kaput" });
  await assert.rejects(
    run((error) => {
      throw new RangeError(`again ${error.message}`);
    }),
    RangeError,
  );
  assert.deepEqual(await run("sorry", call("nope")), [["sorry", "error", "1"]]);
  assert.match(
    (await run((error) => error.message, call("double", { n: "x" })))[0][0],
    /expected number, found string "x"/,
  );
  await assert.rejects(run([Mine], call("nope")), { message: 'Tool "nope" not found.' });
});

test("wrapToolCall sees the call, may change it, repeat it or answer itself", async () => {
  const seen = [];
  const node = (wrapToolCall, options) =>
    new ToolNode([boom, double], { wrapToolCall, ...options });
  const once = node(async ({ toolCall, tool: { name }, state, runtime }, handler) => {
    seen.push([toolCall.args, name, state.length, runtime.toolCallId]);
    return handler();
  });
  assert.deepEqual(said(await once.invoke([ai(call("double", { n: 2 }))])), [
    ["4", "success", "1"],
  ]);
  assert.deepEqual(seen, [[{ n: 2 }, "double", 1, "1"]]);
  const changed = (args) =>
    node((request, handler) => handler({ ...request, toolCall: { ...request.toolCall, args } }));
  assert.deepEqual(said(await changed({ n: 5 }).invoke([ai(call("double", { n: 2 }))])), [
    ["10", "success", "1"],
  ]);
  assert.match(
    (await changed({ n: "x" }).invoke([ai(call("double", { n: 2 }))]))[0].content,
    /expected number/,
  );
  const own = node(
    ({ toolCall }) => new ToolMessage({ content: "cached", tool_call_id: toolCall.id }),
  );
  assert.deepEqual(said(await own.invoke([ai(call("double", { n: 2 }))])), [
    ["cached", undefined, "1"],
  ]);
  let tries = 0;
  const retry = node(async (_, handler) => {
    for (;;) {
      const answer = await handler();
      if (answer.status !== "error" || ++tries === 3) return answer;
    }
  });
  assert.deepEqual(said(await retry.invoke([ai(call("boom"))])), [
    ["Error: kaput\n Please fix your mistakes.", "error", "1"],
  ]);
  assert.equal(tries, 3);
  const broken = node(() => {
    throw new Error("wrapper");
  });
  assert.equal(
    (await broken.invoke([ai(call("double", { n: 1 }))]))[0].content,
    "Error: wrapper\n Please fix your mistakes.",
  );
  await assert.rejects(
    node(
      () => {
        throw new Error("wrapper");
      },
      { handleToolErrors: false },
    ).invoke([ai(call("double", { n: 1 }))]),
    { message: "wrapper" },
  );
});

test("a subclass overrides how one call runs", async () => {
  class Loud extends ToolNode {
    async runTool(one, config, state) {
      const answer = await super.runTool(one, config, state);
      return new ToolMessage({ content: `${answer.content}!`, tool_call_id: one.id });
    }
  }
  assert.deepEqual(
    said(
      await new Loud([double]).invoke([
        ai(call("double", { n: 2 }), call("double", { n: 3 }, "2")),
      ]),
    ),
    [
      ["4!", undefined, "1"],
      ["6!", undefined, "2"],
    ],
  );
});

const forms = {
  "JSON Schema": {
    schema: {
      type: "object",
      properties: { q: { type: "string" }, user: {} },
      required: ["q", "user"],
      additionalProperties: false,
    },
  },
  "zod 4": { schema: z.object({ q: z.string(), user: z.string() }) },
  "zod 4, not in the schema": { schema: z.object({ q: z.string() }) },
  "zod 3": { schema: z3.object({ q: z3.string(), user: z3.string() }) },
};

test("injected arguments: the model neither sees nor sets them", async () => {
  for (const [note, { schema }] of Object.entries(forms)) {
    const seen = [];
    const find = tool(
      (args, config) => (
        seen.push([args.q, args.user, args.all.user, args.runtime.state.user, config.toolCallId]),
        "ok"
      ),
      {
        name: "find",
        schema,
        injected: { user: InjectedState("user"), all: InjectedState(), runtime: ToolRuntime() },
      },
    );
    const told = toolJsonSchema(find);
    assert.deepEqual([Object.keys(told.properties), told.required], [["q"], ["q"]], note);
    const state = { user: "bob", messages: [ai(call("find", { q: "x" }))] };
    assert.deepEqual(
      said((await new ToolNode([find]).invoke(state)).messages),
      [["ok", "success", "1"]],
      note,
    );
    assert.deepEqual(seen, [["x", "bob", "bob", "bob", "1"]], note);
  }
  const marked = tool(({ user }) => user, {
    name: "who",
    schema: { type: "object", properties: { user: InjectedState("user") } },
  });
  assert.deepEqual(toolJsonSchema(marked).properties, {});
  const forged = await new ToolNode([marked]).invoke({
    user: "bob",
    messages: [ai(call("who", { user: "eve" }))],
  });
  assert.deepEqual(said(forged.messages), [["bob", "success", "1"]]);
  assert.throws(() => tool(() => 1, { name: "x", injected: { a: "b" } }), TypeError);
});

test("injected: lists of messages, a store, and none", async () => {
  const count = tool(({ all }) => all.length, {
    name: "count",
    injected: { all: InjectedState("messages") },
  });
  assert.deepEqual(said(await new ToolNode([count]).invoke([ai(call("count"))])), [
    ["1", "success", "1"],
  ]);
  const other = tool(({ x }) => x, { name: "other", injected: { x: InjectedState("x") } });
  await assert.rejects(new ToolNode([other]).invoke([ai(call("other"))]), /needs the state's "x"/);
  const keep = tool(({ store }) => store.name, {
    name: "keep",
    injected: { store: InjectedStore() },
  });
  await assert.rejects(new ToolNode([keep]).invoke([ai(call("keep"))]), {
    message:
      "Cannot inject store into tools with InjectedStore annotations - please compile your graph with a store.",
  });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("tools", new ToolNode([keep]))
    .addEdge(START, "tools")
    .compile({ store: { name: "mine" } });
  assert.equal(
    (await graph.invoke({ messages: [ai(call("keep"))] })).messages.at(-1).content,
    "mine",
  );
  const node = new ToolNode([other]);
  assert.deepEqual(node.injectToolArgs(call("other"), { x: 7 }).args, { x: 7 });
});

test("toolsCondition on another key", () => {
  assert.equal(toolsCondition({ chat: [ai(call("x"))] }, "chat"), "tools");
  assert.equal(toolsCondition({ chat: [new AIMessage("x")] }, "chat"), "__end__");
});

test("maxConcurrency: so many calls of a message at a time, in order, none after a failure", async () => {
  for (const saved of [undefined, new MemorySaver()]) {
    let running = 0;
    const peaks = [];
    const begun = [];
    const work = tool(
      async ({ n }) => {
        begun.push(n);
        peaks.push(++running);
        await new Promise((resolve) => setTimeout(resolve, 2));
        running--;
        if (n === 9) throw new Error("nine");
        return `${n}`;
      },
      { name: "work", schema: { type: "object", properties: { n: { type: "number" } } } },
    );
    const run = (numbers, options) => {
      const calls = numbers.map((n) => ({
        name: "work",
        args: { n },
        id: `${n}`,
        type: "tool_call",
      }));
      const app = new StateGraph(MessagesAnnotation)
        .addNode("tools", new ToolNode([work], options))
        .addEdge("__start__", "tools")
        .compile({ checkpointer: saved });
      return app.invoke(
        { messages: [new AIMessage({ content: "", tool_calls: calls })] },
        { maxConcurrency: 2, configurable: { thread_id: `${numbers}` } },
      );
    };
    const { messages } = await run([1, 2, 3, 4, 5]);
    assert.deepEqual(
      messages.slice(1).map(({ content }) => content),
      ["1", "2", "3", "4", "5"],
    );
    assert.deepEqual([Math.max(...peaks), begun], [2, [1, 2, 3, 4, 5]]);
    begun.length = 0;
    await assert.rejects(run([9, 1, 2, 3, 4, 5], { handleToolErrors: false }), /nine/);
    assert.ok(begun.length < 5);
  }
});
