// SPDX-License-Identifier: MIT
// Facts 18.11 and 18.12: streamEvents of versions 1 and 2, streamLog.
import { dispatchCustomEvent } from "@langchain/core/callbacks/dispatch";
import { RunnableLambda } from "@langchain/core/runnables";
import { AIMessageChunk } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { FakeLLM } from "@langchain/core/utils/testing";
import { tool } from "@langchain/core/tools";
import { chain, fact, thread } from "./harness.mjs";

const simple = (lib, options) =>
  chain(lib, { a: () => ({ log: ["a"] }), b: async () => ({ x: 1 }) }, options);

async function note(t, open) {
  try {
    for await (const event of open()) {
      if (event.event === "on_tool_error")
        t.note("event", {
          ...event,
          data: { ...event.data, error: event.data.error.split("\n    at")[0] },
        });
      else t.note("event", event);
    }
  } catch (error) {
    t.note("threw", error);
  }
}

const add = tool(({ q }) => `r${q}`, {
  name: "add",
  description: "d",
  schema: { type: "object", properties: { q: { type: "string" } } },
});
const bad = tool(
  () => {
    throw new RangeError("bad");
  },
  { name: "bad", description: "d", schema: { type: "object", properties: {} } },
);

function rich(lib) {
  const model = new lib.FakeListChatModel({ responses: ["hey"] });
  const llm = new FakeLLM({ response: "plain" });
  return chain(
    lib,
    {
      model: async (state) => ({ messages: [await model.invoke(state.messages)] }),
      llm: async () => void (await llm.invoke("prompt")),
      lambda: RunnableLambda.from(async () => {
        await dispatchCustomEvent("custom", { d: 1 });
        await add.invoke({ q: "1" });
        await bad.invoke({}).catch(() => {});
        await RunnableLambda.from((text) => `${text}!`).invoke("text");
        return {};
      }).withConfig({ runName: "named" }),
    },
    { state: lib.MessagesAnnotation },
  );
}

/** As models of providers do: each piece is told with the chunk that it stands in. */
function telling(lib) {
  const model = new lib.FakeListChatModel({ responses: ["unused"] });
  model._streamResponseChunks = async function* (_messages, _options, manager) {
    for (const text of ["a", "b"]) {
      const chunk = new ChatGenerationChunk({
        text,
        message: new AIMessageChunk({ content: text, id: "m" }),
      });
      yield chunk;
      await manager?.handleLLMNewToken(text, undefined, undefined, undefined, undefined, { chunk });
    }
  };
  return model;
}

async function lastOf(stream) {
  let last;
  for await (const chunk of await stream) last = chunk;
  return last;
}

for (const version of ["v1", "v2"]) {
  fact("18.11", `events of ${version}: chains, names, tags, modes`, async (lib, t) => {
    await note(t, () =>
      simple(lib).streamEvents(
        { log: ["in"] },
        { version, tags: ["t"], metadata: { m: 1 }, runName: "named" },
      ),
    );
    await note(t, () =>
      simple(lib, { name: "Mine" }).streamEvents({ log: [] }, { version, streamMode: "values" }),
    );
    await note(t, () =>
      simple(lib, { name: "Mine" }).streamEvents(
        { log: [] },
        { version, streamMode: ["values", "updates"] },
      ),
    );
    await note(t, () =>
      simple(lib)
        .withConfig({ runName: "bound", tags: ["b"] })
        .streamEvents({ log: [] }, { version }),
    );
    await note(t, () =>
      chain(lib, {
        a: () => {
          throw new RangeError("bad");
        },
      }).streamEvents({ log: [] }, { version }),
    );
    const asks = chain(
      lib,
      { a: () => ({ log: [lib.interrupt("q")] }) },
      { checkpointer: new lib.MemorySaver() },
    );
    await note(t, () => asks.streamEvents({ log: [] }, thread("1", { version })));
    await note(t, () =>
      asks.streamEvents(new lib.Command({ resume: 1 }), thread("1", { version })),
    );
  });

  fact("18.11", `events of ${version}: models, tools, lambdas, custom events`, async (lib, t) => {
    await note(t, () =>
      rich(lib).streamEvents(
        { messages: [new lib.HumanMessage({ content: "x", id: "x" })] },
        { version },
      ),
    );
  });

  fact(
    "18.11",
    `events of ${version}: the pieces of a model that tells them itself`,
    async (lib, t) => {
      for (const run of [(model) => model.invoke("q"), (model) => lastOf(model.stream("q"))]) {
        const model = telling(lib);
        await note(t, () =>
          chain(
            lib,
            { a: async () => ({ messages: [await run(model)] }) },
            { state: lib.MessagesAnnotation },
          ).streamEvents({ messages: [] }, { version }),
        );
      }
    },
  );

  fact("18.11", `events of ${version}: filters`, async (lib, t) => {
    const filters = [
      { includeNames: ["a"] },
      { includeTypes: ["chain"] },
      { includeTags: ["graph:step:1"] },
      { excludeNames: ["__start__"] },
      { excludeTags: ["langsmith:hidden"] },
      { excludeTypes: ["chain"] },
      { includeNames: ["a"], includeTags: ["graph:step:2"], excludeNames: ["b"] },
      {},
      { includeNames: [] },
    ];
    for (const filter of filters)
      await note(t, () => simple(lib).streamEvents({ log: [] }, { version }, filter));
    await note(t, () =>
      rich(lib).streamEvents(
        { messages: ["x"] },
        { version },
        { includeTypes: ["tool", "llm", "chat_model"] },
      ),
    );
  });
}

fact("18.11", "versions that are not there; bytes", async (lib, t) => {
  for (const options of [{}, { version: "v9" }])
    await t.try("open", async () => void simple(lib).streamEvents({ log: [] }, options));
  for await (const bytes of simple(lib).streamEvents(
    { log: [] },
    { version: "v2", encoding: "text/event-stream" },
    { includeNames: ["a"] },
  )) {
    const text = new TextDecoder().decode(bytes);
    const [, event, data] = /^event: (.*)\n(?:data: (.*)\n)?\n$/.exec(text) ?? [];
    t.note(event, data === undefined ? undefined : JSON.parse(data));
  }
});

fact("18.12", "streamLog", async (lib, t) => {
  const log = async (graph, input, options, filter) => {
    let whole;
    for await (const patch of graph.streamLog(input, options, filter)) {
      whole = whole === undefined ? patch : whole.concat(patch);
      t.note(patch.constructor.name, patch.ops);
    }
    t.note("state", [
      whole.constructor.name,
      whole.state.final_output,
      Object.keys(whole.state.logs),
      whole.ops.length,
    ]);
  };
  await log(simple(lib), { log: [] }, { tags: ["t"] });
  await log(simple(lib), { log: [] }, { streamMode: "values" }, { includeNames: ["a"] });
  await log(rich(lib), { messages: [new lib.HumanMessage({ content: "x", id: "x" })] });
});
