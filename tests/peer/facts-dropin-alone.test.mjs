// SPDX-License-Identifier: MIT
// What a graph's parts do by themselves: tools in a test without a graph, tasks without a name;
// names that are no plain words.
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import * as theirs from "@langchain/langgraph/prebuilt";
import * as ours from "weftgraph/prebuilt";
import { chain, thread } from "./harness.mjs";
import { same } from "./surface.mjs";

const CALL = { name: "a", args: {}, id: "1", type: "tool_call" };

/** What code in a tool may ask of the graph around it. */
const ASKING = {
  interrupt: (lib) => lib.interrupt("q"),
  getWriter: (lib) => String(lib.getWriter()),
  getStore: (lib) => String(lib.getStore()),
  getConfig: (lib) => Object.keys(lib.getConfig()).sort().join(),
  getCurrentTaskInput: (lib) => lib.getCurrentTaskInput(),
  getPreviousState: (lib) => String(lib.getPreviousState()),
};

for (const [name, ask] of Object.entries(ASKING)) {
  same(`${name} in a tool and a lambda that no graph calls`, async (lib, t) => {
    const { ToolNode } = t.isPeer ? theirs : ours;
    const act = () => ask(lib);
    const one = tool(act, {
      name: "a",
      description: "d",
      schema: { type: "object", properties: {} },
    });
    for (const config of [undefined, { configurable: { thread_id: "1" } }]) {
      await t.try("tool", () => one.invoke(CALL, config));
      await t.try("lambda", () => RunnableLambda.from(act).invoke(1, config));
      for (const handleToolErrors of [false, true]) {
        const node = new ToolNode([one], { handleToolErrors });
        await t.try("ToolNode", () =>
          node.invoke(
            { messages: [new lib.AIMessage({ content: "", tool_calls: [CALL] })] },
            config,
          ),
        );
      }
    }
    if (name !== "getPreviousState") await t.try("nothing around it", async () => act());
  });
}

for (const [name, options] of Object.entries({
  "no name": {},
  "an undefined one": { name: undefined },
  "an empty one": { name: "" },
  "an empty text for one": "",
})) {
  same(`a task with ${name}`, async (lib, t) => {
    const one = lib.task(options, async function named(x) {
      return x + 1;
    });
    const flow = lib.entrypoint({ name: "flow", checkpointer: new lib.MemorySaver() }, async (x) =>
      one(x),
    );
    await t.stream(flow, 1, thread("t", { streamMode: ["updates", "tasks", "debug", "values"] }));
    await t.history(flow, thread("t"));
  });
}

for (const name of ["a~b", "~1", "a/b", "logs/__start__/x"]) {
  same(`a log's path of the node ${name}`, async (lib, t) => {
    const patches = [];
    for await (const patch of chain(lib, {
      [name]: () => ({ log: ["a"] }),
      z: () => ({}),
    }).streamLog({ log: [] }, {}))
      patches.push(patch);
    t.note(
      "paths",
      patches.map(({ ops }) => ops.map(({ op, path }) => [op, path])),
    );
    await t.try("logs", () =>
      Object.keys(patches.reduce((whole, patch) => whole.concat(patch)).state.logs),
    );
  });
}

same("an agent's sequence of prompt and model has no name of its own", async (lib, t) => {
  const { createReactAgent } = t.isPeer ? theirs : ours;
  const agent = createReactAgent({
    llm: new lib.FakeListChatModel({ responses: ["hi"] }),
    tools: [],
    prompt: "be brief",
  });
  const callbacks = [
    {
      name: "h",
      awaitHandlers: true,
      handleChainStart: (chain, _inputs, _id, _parent, _tags, _metadata, _type, name) =>
        void t.note("start", [chain.id, name]),
    },
  ];
  await agent.invoke(
    { messages: [new lib.HumanMessage({ id: "h", content: "hi" })] },
    { callbacks },
  );
});
