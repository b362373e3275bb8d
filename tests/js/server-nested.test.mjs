// SPDX-License-Identifier: MIT
// Serves docs/guides/server.md: a graph's node that asks the server it runs on is a client like any
// other: what it starts is a run of its own, which has nothing of the node's run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { MessagesAnnotation, START, StateGraph } from "weftgraph";
import { createAdapter } from "weftgraph/server/adapter";
import { URL_OF_SERVER, listOf, pause, say, serve } from "./server-graphs.mjs";

const graphOf = (node) =>
  new StateGraph(MessagesAnnotation).addNode("node", node).addEdge(START, "node").compile();

const textsOf = ({ messages }) => messages.map(({ content }) => content);

for (const [way, start] of [
  [
    "by fetch",
    async ({ server }) => {
      const response = await server.fetch(`${URL_OF_SERVER}/threads/inner/runs/wait`, {
        method: "POST",
        body: JSON.stringify({
          assistant_id: "inner",
          input: say("go"),
          if_not_exists: "create",
        }),
      });
      return textsOf(await response.json()).join();
    },
  ],
  [
    "by an adapter",
    async ({ server, client }) => {
      const transport = createAdapter(server, { threadId: "inner" });
      const params = { assistant_id: "inner", input: say("go") };
      await transport.send({ id: 1, method: "run.start", params });
      while ((await client.threads.get("inner")).status === "busy") await pause(1);
      await transport.close();
      return textsOf((await client.threads.getState("inner")).values).join();
    },
  ],
])
  test(`a node that asks its own server ${way} starts a run of its own`, async () => {
    const seen = [];
    const inner = graphOf((_, config) => {
      seen.push(config);
      config.writer?.("written by the inner run");
      return { messages: [{ role: "ai", content: "done" }] };
    });
    const outer = graphOf(async () => ({
      messages: [{ role: "ai", content: `they say ${await start(served)}` }],
    }));
    const served = serve({ graphs: { outer, inner } });
    const { client } = served;
    await client.threads.create({ threadId: "outer" });
    const events = await listOf(
      client.runs.stream("outer", "outer", {
        input: say("hello"),
        streamMode: ["updates", "values", "custom"],
        streamSubgraphs: true,
        config: { configurable: { secret: "outer's" }, tags: ["outer"] },
        metadata: { from: "outer" },
      }),
    );
    const names = new Set(events.map(({ event }) => event));
    assert.deepEqual([...names], ["metadata", "values", "updates"]);
    assert.deepEqual(textsOf(events.at(-1).data), ["hello", "they say go,done"]);
    const [{ configurable, metadata, tags }] = seen;
    assert.deepEqual(
      [
        configurable.secret,
        configurable.thread_id,
        metadata.from,
        tags?.includes("outer") ?? false,
      ],
      [undefined, "inner", undefined, false],
    );
    assert.doesNotMatch(configurable.checkpoint_ns, /\|/);
    const state = await client.threads.getState("inner");
    assert.deepEqual(textsOf(state.values), ["go", "done"]);
    assert.equal(state.metadata.run_id, (await client.runs.list("inner"))[0].run_id);
    assert.deepEqual((await client.threads.getHistory("outer")).at(-1).next, ["__start__"]);
  });
