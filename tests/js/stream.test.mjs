// SPDX-License-Identifier: MIT
// Serves: docs/semantics.md 18 (values, updates, messages, custom; shapes of chunks; interrupts in
// streams), the rule that a reader who leaves stops nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AIMessage,
  AIMessageChunk,
  Annotation,
  Command,
  HumanMessage,
  MemorySaver,
  MessagesAnnotation,
  START,
  Send,
  StateGraph,
  getWriter,
  interrupt,
  writer,
} from "weftgraph";
import { newStream } from "../../js/streams/chunk-stream.js";

const State = Annotation.Root({
  a: Annotation(),
  l: Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
});
const one = (node, options) =>
  new StateGraph(State).addNode("x", node).addEdge(START, "x").compile(options);
const all = async (stream) => {
  const chunks = [];
  for await (const chunk of await stream) chunks.push(chunk);
  return chunks;
};

test("values and updates of each step, in order", async () => {
  const app = new StateGraph(State)
    .addNode("x", () => ({ a: 1, l: ["x"] }))
    .addNode("y", async () => null)
    .addEdge(START, "x")
    .addEdge("x", "y")
    .compile();
  assert.deepEqual(await all(app.stream({ a: 0 }, { streamMode: ["values", "updates"] })), [
    ["values", { a: 0, l: [] }],
    ["updates", { x: { a: 1, l: ["x"] } }],
    ["values", { a: 1, l: ["x"] }],
    ["updates", { y: {} }],
  ]);
  assert.deepEqual(await all(app.stream({ a: 0 })), [{ x: { a: 1, l: ["x"] } }, { y: {} }]);
  assert.deepEqual(await all(app.stream({ a: 0 }, { streamMode: "values" })), [
    { a: 0, l: [] },
    { a: 1, l: ["x"] },
  ]);
  assert.deepEqual(await app.invoke({ a: 0 }, { streamMode: ["updates"] }), [
    ["updates", { x: { a: 1, l: ["x"] } }],
    ["updates", { y: {} }],
  ]);
  assert.deepEqual(await all(app.stream({ a: 0 }, { streamMode: ["values"], subgraphs: true })), [
    [[], "values", { a: 0, l: [] }],
    [[], "values", { a: 1, l: ["x"] }],
  ]);
});

test("updates come as tasks end, several writes of a key one by one", async () => {
  const slow = () => new Promise((resolve) => setTimeout(() => resolve({ l: ["slow"] }), 15));
  const app = new StateGraph(State)
    .addNode("a1", slow)
    .addNode("b1", () => [new Command({ update: { l: [1] } }), new Command({ update: { l: [2] } })])
    .addEdge(START, "a1")
    .addEdge(START, "b1")
    .compile();
  assert.deepEqual(await all(app.stream({}, { streamMode: ["updates", "values"] })), [
    ["updates", { b1: [{ l: [1] }, { l: [2] }] }],
    ["updates", { a1: { l: ["slow"] } }],
    ["values", { l: ["slow", 1, 2] }],
  ]);
});

test("an interrupt is told in updates and values, and the resumed run begins with the state", async () => {
  const app = one(() => ({ a: interrupt("q") }), { checkpointer: new MemorySaver() });
  const options = { configurable: { thread_id: "1" }, streamMode: ["values", "updates"] };
  const [first, updates, values, ...rest] = await all(app.stream({ l: [1] }, options));
  assert.deepEqual(first, ["values", { l: [1] }]);
  assert.deepEqual([updates[0], values[0], rest.length], ["updates", "values", 0]);
  assert.deepEqual(updates[1], values[1]);
  assert.equal(updates[1].__interrupt__[0].value, "q");
  assert.deepEqual(await all(app.stream(new Command({ resume: 5 }), options)), [
    ["values", { l: [1] }],
    ["updates", { x: { a: 5 } }],
    ["values", { a: 5, l: [1] }],
  ]);
});

test("a breakpoint is an empty list", async () => {
  const app = one(() => ({ a: 1 }), { checkpointer: new MemorySaver(), interruptBefore: ["x"] });
  assert.deepEqual(
    await all(
      app.stream(
        { l: [1] },
        { configurable: { thread_id: "1" }, streamMode: ["values", "updates"] },
      ),
    ),
    [
      ["values", { l: [1] }],
      ["updates", { __interrupt__: [] }],
      ["values", { __interrupt__: [] }],
    ],
  );
});

test("custom chunks by config.writer, getWriter and writer, and nothing when nobody listens", async () => {
  const app = one(async (state, config) => {
    config.writer({ n: 1 });
    await null;
    getWriter()("two");
    writer(3);
    return { a: 2 };
  });
  assert.deepEqual(await all(app.stream({ a: 1 }, { streamMode: ["custom", "updates"] })), [
    ["custom", { n: 1 }],
    ["custom", "two"],
    ["custom", 3],
    ["updates", { x: { a: 2 } }],
  ]);
  assert.deepEqual(await all(app.stream({ a: 1 }, { streamMode: "custom" })), [{ n: 1 }, "two", 3]);
  assert.equal((await app.invoke({ a: 1 })).a, 2);
});

/** A model in LangChain's shape that tells its handlers what it does. */
function makeModel(tokens, tags = []) {
  return {
    async invoke(messages, config) {
      const handlers = config.callbacks?.handlers ?? [];
      const runId = "11111111-1111-4111-8111-111111111111";
      for (const handler of handlers)
        await handler.handleChatModelStart?.(
          {},
          [messages],
          runId,
          undefined,
          {},
          [...config.tags, ...tags],
          config.metadata,
          "model",
        );
      let whole = new AIMessageChunk({ content: "", id: `run-${runId}` });
      for (const token of tokens) {
        const chunk = new AIMessageChunk({ content: token, id: `run-${runId}` });
        whole = whole.concat(chunk);
        for (const handler of handlers)
          await handler.handleLLMNewToken?.(
            token,
            { prompt: 0, completion: 0 },
            runId,
            undefined,
            [],
            { chunk: { text: token, message: chunk } },
          );
      }
      for (const handler of handlers)
        await handler.handleLLMEnd?.(
          { generations: [[{ text: whole.content, message: whole }]] },
          runId,
        );
      return whole;
    },
  };
}
const chat = (node) =>
  new StateGraph(MessagesAnnotation).addNode("say", node).addEdge(START, "say").compile();
const contents = (chunks) =>
  chunks.map(([message, metadata]) => [message.content, metadata.langgraph_node]);

test("messages: tokens of a model, once", async () => {
  const model = makeModel(["He", "llo"]);
  const app = chat(async (state, config) => ({
    messages: [await model.invoke(state.messages, config)],
  }));
  const chunks = await all(
    app.stream({ messages: ["hi"] }, { streamMode: "messages", tags: ["t"], metadata: { me: 1 } }),
  );
  assert.deepEqual(contents(chunks), [
    ["He", "say"],
    ["llo", "say"],
  ]);
  assert.ok(chunks.every(([message]) => message.id === "run-11111111-1111-4111-8111-111111111111"));
  assert.deepEqual(chunks[0][1].tags, ["t"]);
  assert.equal(chunks[0][1].me, 1);
});

test("messages: a model's whole answer when it had no tokens, also when the node drops it", async () => {
  const silent = {
    async invoke(messages, config) {
      const message = new AIMessage({ content: "whole", id: "m1" });
      for (const handler of config.callbacks.handlers) {
        handler.handleChatModelStart({}, [messages], "r1", undefined, {}, [], config.metadata);
        handler.handleLLMEnd({ generations: [[{ text: "whole", message }]] }, "r1");
      }
      return message;
    },
  };
  const app = chat(async (state, config) => void (await silent.invoke(state.messages, config)));
  assert.deepEqual(
    contents(await all(app.stream({ messages: ["hi"] }, { streamMode: "messages" }))),
    [["whole", "say"]],
  );
});

test("messages: a tag silences tokens, what the node returns is shown as it is", async () => {
  for (const tag of ["nostream", "langsmith:nostream"]) {
    const model = makeModel(["He", "llo"], [tag]);
    const app = chat(async (state, config) => ({
      messages: [await model.invoke(state.messages, config)],
    }));
    assert.deepEqual(
      contents(await all(app.stream({ messages: ["hi"] }, { streamMode: "messages" }))),
      [["Hello", "say"]],
    );
  }
});

test("messages: new ones of a node, never those it was given, a Command's too, never plain objects", async () => {
  const show = async (node) =>
    (
      await all(
        chat(node).stream(
          { messages: [new HumanMessage({ id: "h", content: "q" })] },
          { streamMode: "messages" },
        ),
      )
    ).map(([message]) => message.id);
  assert.deepEqual(
    await show((state) => ({
      messages: [state.messages[0], new AIMessage({ id: "a", content: "x" })],
    })),
    ["a"],
  );
  assert.deepEqual(await show(() => ({ messages: new AIMessage({ id: "a", content: "x" }) })), [
    "a",
  ]);
  assert.deepEqual(
    await show(
      () => new Command({ update: { messages: [new AIMessage({ id: "a", content: "x" })] } }),
    ),
    ["a"],
  );
  assert.deepEqual(await show(() => ({ messages: ["text", { role: "ai", content: "x" }] })), []);
  const [id] = await show(() => ({ messages: [new AIMessage("x")] }));
  assert.match(id, /^run-[0-9a-f]{8}-/);
});

test("messages: a caller's own callbacks hear the model too", async () => {
  const heard = [];
  const model = makeModel(["x"]);
  const app = chat(async (state, config) => ({
    messages: [await model.invoke(state.messages, config)],
  }));
  const own = { handleLLMNewToken: (token) => heard.push(token) };
  await all(app.stream({ messages: ["hi"] }, { streamMode: "messages", callbacks: [own] }));
  await app.invoke({ messages: ["hi"] }, { callbacks: [own] });
  const manager = {
    handlers: [own],
    copy() {
      return { ...this, handlers: [...this.handlers] };
    },
    addHandler(handler) {
      this.handlers.push(handler);
    },
  };
  const seen = [];
  const managed = chat(async (state, config) => void seen.push(config.callbacks.handlers.length));
  await all(managed.stream({ messages: ["hi"] }, { streamMode: "messages", callbacks: manager }));
  assert.deepEqual([heard, seen, manager.handlers.length], [["x", "x"], [2], 1]);
});

test("an error ends the stream after what was told before it", async () => {
  const app = new StateGraph(State)
    .addNode("x", () => ({ a: 1 }))
    .addNode("y", async () => {
      throw new RangeError("y");
    })
    .addEdge(START, "x")
    .addEdge("x", "y")
    .compile();
  const told = [];
  await assert.rejects(
    async () => {
      for await (const chunk of await app.stream({})) told.push(chunk);
    },
    { name: "RangeError" },
  );
  assert.deepEqual(told, [{ x: { a: 1 } }]);
});

test("the stream is a ReadableStream for whoever wants one", async () => {
  const app = new StateGraph(State)
    .addConditionalEdges(START, () => [1, 2].map((i) => new Send("w", { i })))
    .addNode("w", ({ i }) => ({ l: [i] }))
    .compile();
  const stream = await app.stream({});
  assert.ok(stream instanceof ReadableStream);
  const doubled = stream.pipeThrough(
    new TransformStream({ transform: (chunk, controller) => controller.enqueue(chunk.w.l[0] * 2) }),
  );
  const reader = doubled.getReader();
  assert.deepEqual(
    [await reader.read(), await reader.read(), await reader.read()],
    [
      { done: false, value: 2 },
      { done: false, value: 4 },
      { done: true, value: undefined },
    ],
  );
  const cancelled = await app.stream({});
  await cancelled.cancel();
  assert.equal((await cancelled.next()).done, true);
});

test("readers that wait before there is anything, and an error told once", async () => {
  const stream = newStream();
  const waiting = [stream.next(), stream.next(), stream.next()];
  stream.push("a");
  stream.push("b");
  stream.end(true, new Error("late"));
  stream.push("after the end");
  assert.deepEqual(await waiting[0], { done: false, value: "a" });
  assert.deepEqual(await waiting[1], { done: false, value: "b" });
  await assert.rejects(waiting[2], /late/);
  assert.deepEqual(await stream.next(), { done: true, value: undefined });
});

test("a run of version 3 stops when it is aborted, and its events say so", async () => {
  const app = one(
    (_, { signal }) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  );
  const run = await app.streamEvents({ a: 1 }, { version: "v3" });
  const methods = [];
  await assert.rejects(async () => {
    for await (const { method, params } of run) {
      methods.push(params.data?.event ?? method);
      if (method === "tasks") run.abort(new RangeError("stop"));
    }
  }, /stop/);
  assert.equal(methods.at(-1), "failed");
  await assert.rejects(run.output, { name: "RangeError" });
  assert.ok(run.signal.aborted);
});

test("transformers of a graph and of its bound copy see every run", async () => {
  const counter = () => {
    let count = 0;
    let resolve;
    const events = new Promise((done) => (resolve = done));
    return {
      init: () => ({ events }),
      process: () => (count++, true),
      finalize: () => resolve(count),
    };
  };
  const app = one(() => ({ a: 2 }), { transformers: [counter] });
  assert.equal(await (await app.streamEvents({ a: 1 }, { version: "v3" })).extensions.events, 9);
  const named = () => ({ init: () => ({ mine: 1 }), process: () => true });
  assert.deepEqual(
    Object.keys(
      (
        await app
          .withConfig({ streamTransformers: [named] })
          .streamEvents({ a: 1 }, { version: "v3" })
      ).extensions,
    ),
    ["events", "mine"],
  );
});
