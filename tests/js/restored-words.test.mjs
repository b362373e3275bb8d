// SPDX-License-Identifier: MIT
// Serves: what a saver gives back is what it was given: the words of a graph, its channels, and
// data that looks like a record of LangChain's.
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { AIMessage as CoreMessage } from "@langchain/core/messages";
import { MemorySaver as PeerSaver } from "@langchain/langgraph-checkpoint";
import {
  AIMessage,
  Annotation,
  Command,
  HumanMessage,
  MemorySaver,
  START,
  Send,
  StateGraph,
  interrupt,
} from "weftgraph";
import { Topic } from "weftgraph/channels";
import { emptyCheckpoint } from "weftgraph/checkpoint";
import { FileSaver } from "weftgraph/savers/file";

const THREAD = { configurable: { thread_id: "1" } };
const made = [];
test.after(() =>
  Promise.all(made.map((path) => fs.rm(path, { recursive: true, force: true, maxRetries: 5 }))),
);
const SAVERS = {
  MemorySaver: () => new MemorySaver(),
  FileSaver: async () => {
    const path = await fs.mkdtemp(join(tmpdir(), "weft-words-"));
    made.push(path);
    return new FileSaver({ path });
  },
  "LangGraph's MemorySaver": () => new PeerSaver(),
};

test("a unique Topic goes on with a plain list of values, as one that was not unique saved it", () => {
  const topic = new Topic({ unique: true, accumulate: true }).fromCheckpoint(["e"]);
  assert.deepEqual(topic.get(), ["e"]);
  assert.equal(topic.update(["e"]), false);
  topic.update(["f"]);
  assert.deepEqual(topic.get(), ["e", "f"]);
  assert.deepEqual(
    new Topic({ unique: true, accumulate: true }).fromCheckpoint(topic.checkpoint()).get(),
    ["e", "f"],
  );
  assert.deepEqual(new Topic({ unique: true }).fromCheckpoint([]).isAvailable(), false);
});

for (const [name, open] of Object.entries(SAVERS)) {
  test(`${name}: a Command that a Send carries is one again after a resume`, async () => {
    const seen = [];
    const ask = (args) => {
      seen.push([
        args instanceof Command && args.update,
        args.list?.[0] instanceof Command && args.list[0].resume,
      ]);
      interrupt("go on?");
      return {};
    };
    const graph = new StateGraph(Annotation.Root({ n: Annotation }))
      .addNode("ask", ask)
      .addConditionalEdges(
        START,
        () => [
          new Send("ask", new Command({ update: { n: 1 } })),
          new Send("ask", { list: [new Command({ resume: "yes" })] }),
        ],
        ["ask"],
      )
      .compile({ checkpointer: await open() });
    await graph.invoke({ n: 0 }, THREAD);
    await graph.invoke(null, THREAD);
    const once = [
      [{ n: 1 }, false],
      [false, "yes"],
    ];
    assert.deepEqual(seen, [...once, ...once]);
  });
}

for (const [name, open] of Object.entries({
  MemorySaver: SAVERS.MemorySaver,
  FileSaver: SAVERS.FileSaver,
})) {
  test(`${name}: putWrites and put give back a message whose additional_kwargs look like records of LangChain's`, async () => {
    const saver = await open();
    const data = {
      record: {
        lc: 1,
        type: "constructor",
        id: ["langchain_core", "messages", "HumanMessage"],
        kwargs: { content: "hi" },
      },
      secret: { lc: 1, type: "secret", id: ["KEY"] },
      deeper: [{ list: [{ lc: 2 }] }],
      marked: { __lc_escaped__: { lc: 1 } },
      plain: { a: 1 },
    };
    for (const Message of [AIMessage, CoreMessage]) {
      const message = new Message({ id: "1", content: "x", additional_kwargs: data });
      const at = await saver.put(
        { configurable: { thread_id: Message === AIMessage ? "own" : "core", checkpoint_ns: "" } },
        { ...emptyCheckpoint(), channel_values: { m: message }, channel_versions: { m: 1 } },
        { source: "input", step: -1, parents: {} },
        { m: 1 },
      );
      await saver.putWrites(
        at,
        [
          ["m", message],
          [
            "inner",
            new AIMessage({
              content: "",
              additional_kwargs: { held: [new HumanMessage("inside")] },
            }),
          ],
        ],
        "task",
      );
      const { checkpoint, pendingWrites } = await saver.getTuple(at);
      assert.deepEqual(pendingWrites[0][2].additional_kwargs, data);
      assert.deepEqual(checkpoint.channel_values.m.additional_kwargs, data);
      const [held] = pendingWrites[1][2].additional_kwargs.held;
      assert.ok(
        held instanceof HumanMessage && held.content === "inside",
        "a message inside is one",
      );
    }
  });
}

test("a message's JSON marks such data as LangChain's own messages do", () => {
  for (const additional_kwargs of [
    { a: { lc: 1 } },
    { a: [{ b: { lc: 2, c: { lc: 3 } } }] },
    { a: { __lc_escaped__: 1 } },
    { a: { __lc_escaped__: 1, b: 2 } },
  ]) {
    assert.deepEqual(
      JSON.parse(JSON.stringify(new AIMessage({ content: "x", additional_kwargs }))).kwargs
        .additional_kwargs,
      JSON.parse(JSON.stringify(new CoreMessage({ content: "x", additional_kwargs }))).kwargs
        .additional_kwargs,
    );
  }
});
