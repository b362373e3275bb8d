// SPDX-License-Identifier: MIT
// Serves: docs/semantics.md 18 (messages from LangChain's callbacks), the rule that models of
// @langchain/core stream with and without the node's config, because both packages share one
// AsyncLocalStorage.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AIMessage as CoreAIMessage,
  AIMessageChunk as CoreAIMessageChunk,
  HumanMessage as CoreHumanMessage,
} from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import {
  Command,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  getConfig,
  interrupt,
} from "weftgraph";

const chat = (node, options) =>
  new StateGraph(MessagesAnnotation).addNode("say", node).addEdge(START, "say").compile(options);
const model = () => new FakeListChatModel({ responses: ["ab"] });
const stream = async (app, options) => {
  const chunks = [];
  for await (const chunk of await app.stream(
    { messages: [new CoreHumanMessage("q")] },
    { streamMode: "messages", ...options },
  ))
    chunks.push(chunk);
  return chunks;
};

for (const [name, node] of [
  [
    "with the node's config",
    async (state, config) => ({ messages: [await model().invoke(state.messages, config)] }),
  ],
  ["without config", async (state) => ({ messages: [await model().invoke(state.messages)] })],
  [
    "with a config made from the node's",
    async (state, config) => ({
      messages: [await model().invoke(state.messages, { ...config, runName: "other" })],
    }),
  ],
  [
    "inside a Runnable of core",
    async (state) => ({
      messages: [
        await RunnableLambda.from((input) => model().invoke(input)).invoke(state.messages),
      ],
    }),
  ],
  [
    "as the node itself",
    RunnableLambda.from(async (state, config) => ({
      messages: [await model().invoke(state.messages, config)],
    })),
  ],
]) {
  test(`a model of core streams ${name}`, async () => {
    const chunks = await stream(chat(node), { tags: ["t"], metadata: { me: 1 } });
    assert.deepEqual(
      chunks.map(([message]) => message.content),
      ["a", "b"],
    );
    const [, metadata] = chunks[0];
    assert.equal(metadata.langgraph_node, "say");
    assert.equal(metadata.me, 1);
    assert.ok(metadata.tags.includes("t"));
  });
}

test("tokens that a model of core tells without a chunk are core's AIMessageChunks, from its first answer on", async () => {
  // That model tells its tokens so, and yields chunks of core's.
  const app = chat(async (state, config) => ({
    messages: [await model().invoke(state.messages, config)],
  }));
  await stream(app);
  for (const [message] of await stream(app)) {
    assert.ok(message instanceof CoreAIMessageChunk && CoreAIMessageChunk.isInstance(message));
    assert.equal(message.concat(new CoreAIMessageChunk("!")).content, `${message.content}!`);
    assert.equal(new CoreAIMessageChunk("!").concat(message).content, `!${message.content}`);
  }
  const told = [];
  for await (const { event, data } of app.streamEvents(
    { messages: [new CoreHumanMessage("q")] },
    { version: "v2" },
  ))
    if (event === "on_chat_model_stream") told.push(data.chunk);
  assert.deepEqual(
    told.map((chunk) => [chunk.content, chunk instanceof CoreAIMessageChunk]),
    [
      ["a", true],
      ["b", true],
    ],
  );
});

test("a tag silences a model of core, its answer is shown once, whole", async () => {
  const silent = model().withConfig({ tags: ["nostream"] });
  const chunks = await stream(
    chat(async (state, config) => ({ messages: [await silent.invoke(state.messages, config)] })),
  );
  assert.deepEqual(
    chunks.map(([message]) => message.content),
    ["ab"],
  );
});

test("messages of core are kept as they are in memory, and survive a checkpoint", async () => {
  const app = chat(() => ({ messages: [new CoreAIMessage({ content: "hi", id: "a" })] }), {
    checkpointer: new MemorySaver(),
  });
  const thread = { configurable: { thread_id: "1" } };
  const result = await app.invoke(
    { messages: [new CoreHumanMessage({ content: "q", id: "h" })] },
    thread,
  );
  assert.ok(
    result.messages[0] instanceof CoreHumanMessage && result.messages[1] instanceof CoreAIMessage,
  );
  const { values } = await app.getState(thread);
  assert.deepEqual(
    values.messages.map((message) => [message.getType(), message.id, message.content]),
    [
      ["human", "h", "q"],
      ["ai", "a", "hi"],
    ],
  );
});

test("interrupt and getConfig find the task through Runnables of core", async () => {
  const app = chat(
    RunnableLambda.from(async () => {
      const answer = await RunnableLambda.from(async () =>
        interrupt(getConfig().metadata.langgraph_node),
      ).invoke(1);
      return { messages: [new CoreAIMessage({ content: answer, id: "a" })] };
    }),
    { checkpointer: new MemorySaver() },
  );
  const thread = { configurable: { thread_id: "1" } };
  const stopped = await app.invoke({ messages: [] }, thread);
  assert.equal(stopped.__interrupt__[0].value, "say");
  assert.equal(
    (await app.invoke(new Command({ resume: "yes" }), thread)).messages[0].content,
    "yes",
  );
});
