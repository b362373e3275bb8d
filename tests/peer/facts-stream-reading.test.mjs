// SPDX-License-Identifier: MIT
// Fact 18.8: how a stream is read, left and cancelled; its bytes as server-sent events.
import { setTimeout } from "node:timers/promises";
import { chain, fact, thread } from "./harness.mjs";

const slow = (lib, ran) =>
  chain(lib, {
    a: async () => (await setTimeout(5), ran.push("a"), { log: ["a"] }),
    b: async (_, config) => {
      await setTimeout(5);
      ran.push(["b", config.signal?.aborted]);
      return { log: ["b"] };
    },
    c: async () => (ran.push("c"), { log: ["c"] }),
  });

// A reader that leaves in another way stops the run too; in LangGraph.js it goes on
// (tests/js/leaving.test.mjs).
fact("18.8", "cancelling a stream", async (lib, t) => {
  const ran = [];
  const stream = await slow(lib, ran).stream({ log: [] });
  t.note("ran", ran.slice());
  t.note("read", [
    await stream.next(),
    await stream.cancel("why"),
    stream.signal.aborted,
    stream.signal.reason,
  ]);
  await setTimeout(25);
  t.note("ran", ran);
});

fact("18.8", "aborting by signal", async (lib, t) => {
  const ran = [];
  const stop = new AbortController();
  const stream = await slow(lib, ran).stream({ log: [] }, { signal: stop.signal });
  t.note("first", await stream.next());
  stop.abort(new Error("mine"));
  await t.try("rest", () => stream.next());
  await setTimeout(20);
  t.note("ran", [ran, stream.signal.aborted]);
});

fact("18.8", "errors before the first chunk reject stream() itself", async (lib, t) => {
  const fails = chain(lib, {
    a: () => {
      throw new RangeError("first");
    },
  });
  const open = (input, options) =>
    t.try("open", async () => {
      const stream = await fails.stream(input, options);
      await t.try("read", () => stream.next());
      await t.try("read on", () => stream.next());
      return "opened";
    });
  await open({ log: [] });
  await open({ log: [] }, { streamMode: "values" });
  await open(null);
  await open({ log: [] }, { encoding: "text/event-stream" });
});

fact("18.8", "as a ReadableStream", async (lib, t) => {
  const read = async (stream) => {
    const keys = [];
    for await (const chunk of stream) keys.push(Object.keys(chunk)[0]);
    return keys;
  };
  const [left, right] = (await slow(lib, []).stream({ log: [] })).tee();
  t.note("tee", await Promise.all([read(left), read(right)]));
  const stream = await slow(lib, []).stream({ log: [] });
  t.note("iterator", [
    stream[Symbol.asyncIterator]() === stream,
    stream instanceof ReadableStream,
    stream.locked,
  ]);
  const all = await Promise.all([stream.next(), stream.next(), stream.next(), stream.next()]);
  t.note(
    "at once",
    all.map(({ done, value }) => [done, Object.keys(value ?? {})[0]]),
  );
  t.note(
    "piped",
    await read((await slow(lib, []).stream({ log: [] })).pipeThrough(new TransformStream())),
  );
});

/** Bytes as the events in them, their data parsed. */
async function events(t, stream) {
  for await (const bytes of stream) {
    const text = new TextDecoder().decode(bytes);
    const [, event, data] = /^event: (.*)\ndata: (.*)\n\n$/.exec(text) ?? [];
    t.note("event", [bytes instanceof Uint8Array, event, JSON.parse(data)]);
  }
}

fact("18.8", "server-sent events", async (lib, t) => {
  const encoding = "text/event-stream";
  const { AIMessage, AIMessageChunk, HumanMessage, SystemMessage, ToolMessage } = lib;
  const steps = {
    a: (_, config) => (config.writer("w"), { log: ["a"] }),
    b: () => ({ log: [new Map([[1, 2]]), undefined, NaN, new Date(0), new lib.Send("a", 1)] }),
  };
  for (const streamMode of [
    "values",
    ["values"],
    ["values", "custom", "updates", "tasks"],
    undefined,
  ]) {
    await events(t, await chain(lib, steps).stream({ log: [] }, { streamMode, encoding }));
  }
  await events(
    t,
    await chain(lib, steps).stream(
      { log: [] },
      { streamMode: ["values", "debug"], subgraphs: true, encoding },
    ),
  );
  const spoken = [
    new AIMessage({
      content: "x",
      id: "1",
      name: "nm",
      tool_calls: [{ id: "t", name: "f", args: { a: 1 } }],
      usage_metadata: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    }),
    new ToolMessage({ content: "t", tool_call_id: "tc", name: "tn", artifact: { z: 1 }, id: "2" }),
    new AIMessageChunk({ content: "c", id: "3" }),
    new SystemMessage({ content: [{ type: "text", text: "s" }], id: "4" }),
    new HumanMessage({ content: "h", id: "5" }),
  ];
  const talk = chain(lib, { a: () => ({ messages: spoken }) }, { state: lib.MessagesAnnotation });
  await events(
    t,
    await talk.stream({ messages: [] }, { streamMode: ["messages", "updates"], encoding }),
  );
  const fails = chain(lib, {
    a: () => ({ log: ["a"] }),
    b: () => {
      throw new RangeError("late");
    },
  });
  await events(t, await fails.stream({ log: [] }, { encoding }));
  await events(
    t,
    await chain(lib, { a: () => ({ log: ["a"] }), b: () => ({ x: 10n }) })
      .stream({ log: [] }, { encoding })
      .catch((error) => (t.note("threw", error), [])),
  );
  const asks = chain(
    lib,
    { a: () => ({ log: [lib.interrupt("q")] }) },
    { checkpointer: new lib.MemorySaver() },
  );
  await events(t, await asks.stream({ log: [] }, thread("1", { encoding })));
  t.note(
    "invoke",
    await chain(lib, steps).invoke({ log: [] }, { encoding, streamMode: "updates" }),
  );
  for await (const chunk of await chain(lib, { a: steps.a }).stream(
    { log: [] },
    { encoding: "nope" },
  ))
    t.note("unknown encoding", chunk);
});

fact("18.1", "modes and outputKeys of a bound graph", async (lib, t) => {
  const graph = chain(lib, { a: (_, config) => (config.writer("w"), { log: ["a"], x: 1 }) });
  for (const bound of [
    { streamMode: "values" },
    { streamMode: ["values", "custom"] },
    { streamMode: ["updates"] },
    { subgraphs: true },
    { outputKeys: ["x"] },
    { outputKeys: "x", streamMode: "values" },
  ]) {
    t.note("bound", bound);
    await t.stream(graph.withConfig(bound), { log: [] });
    await t.stream(graph.withConfig(bound), { log: [] }, { streamMode: "updates" });
    await t.invoke(graph.withConfig(bound), { log: [] });
  }
});
