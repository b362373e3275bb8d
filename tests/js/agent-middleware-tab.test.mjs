// SPDX-License-Identifier: MIT
// Middlewares where there is no AsyncLocalStorage, as in a tab or a Worker without flags.
// Own process: takes AsyncLocalStorage away before the package is loaded.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";

const hooks = createRequire(import.meta.url)("node:async_hooks");
const { getBuiltinModule } = process;
process.getBuiltinModule = (name) =>
  /async_hooks$/.test(name) ? undefined : getBuiltinModule.call(process, name);
delete globalThis.AsyncLocalStorage;
const { Command, MemorySaver } = await import("weftgraph");
const { createAgent } = await import("weftgraph/agent");
const { humanInTheLoopMiddleware } = await import("weftgraph/agent/middleware");
const { ScriptedModel } = await import("weftgraph/models/scripted");
const { tool } = await import("weftgraph/tools");

const onThread = { configurable: { thread_id: "1" } };

test("a person is asked after an await, and the approved calls run", async () => {
  assert.equal(typeof hooks.AsyncLocalStorage, "function"); // it is hidden, not absent
  const ran = [];
  const send = tool(
    async ({ to }) => {
      await Promise.resolve();
      ran.push(to);
      return "sent";
    },
    { name: "send", schema: { type: "object", properties: { to: { type: "string" } } } },
  );
  const calls = ["ann", "bob"].map((to) => ({
    name: "send",
    args: { to },
    id: to,
    type: "tool_call",
  }));
  const agent = createAgent({
    model: new ScriptedModel({ responses: [{ content: "", tool_calls: calls }, "done"] }),
    tools: [send],
    checkpointer: new MemorySaver(),
    middleware: [
      humanInTheLoopMiddleware({
        interruptOn: {
          send: {
            allowedDecisions: ["approve", "reject"],
            when: async () => true,
            description: async ({ args }) => `To ${args.to}?`,
          },
        },
      }),
    ],
  });
  const { __interrupt__: asked } = await agent.invoke({ messages: "go" }, onThread);
  assert.deepEqual(
    asked[0].value.actionRequests.map(({ description }) => description),
    ["To ann?", "To bob?"],
  );
  const { messages } = await agent.invoke(
    new Command({ resume: { decisions: [{ type: "approve" }, { type: "reject" }] } }),
    onThread,
  );
  assert.deepEqual(ran, ["ann"]);
  assert.equal(messages.at(-1).content, "done");
});
