// SPDX-License-Identifier: MIT
// Several features at once: each was a difference once.
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import * as theirs from "@langchain/langgraph/prebuilt";
import * as ours from "weftgraph/prebuilt";
import { tool as weftTool } from "weftgraph/tools";
import { chain, fact, inTime, logState, pause, thread } from "./harness.mjs";

const MODES = { streamMode: ["values", "updates", "tasks", "custom"] };

/** Asks for `names` at once, then ends. */
class Asking extends FakeListChatModel {
  constructor(names) {
    super({ responses: ["done"] });
    this.names = names;
  }

  bindTools() {
    return this;
  }

  async _generate(messages) {
    const isFirst = messages.length === 1;
    const message = new AIMessage(
      isFirst
        ? {
            content: "",
            tool_calls: this.names.map((name, n) => ({
              name,
              args: {},
              id: `c${n}`,
              type: "tool_call",
            })),
          }
        : "done",
    );
    return { generations: [{ text: message.text, message }] };
  }
}

fact("18.2", "tools of one message end, whether they fail or not", async (lib, t) => {
  const { createReactAgent } = t.isPeer ? theirs : ours;
  const make = (name, act) =>
    tool(act, { name, description: name, schema: { type: "object", properties: {} } });
  const tools = [
    make("fine", () => "fine"),
    make("slow", async () => "fine"),
    make("bad", () => {
      throw new Error("bad");
    }),
    make("late", async () => {
      throw new Error("late");
    }),
    make(
      "order",
      (_, { toolCall }) =>
        new lib.Command({
          update: {
            messages: [new lib.ToolMessage({ content: "done", tool_call_id: toolCall.id })],
          },
        }),
    ),
  ];
  const names = [...tools.map(({ name }) => name), "nobody"];
  for (const names2 of names.flatMap((one) =>
    names.filter((other) => other !== one).map((other) => [one, other]),
  )) {
    const agent = createReactAgent({ llm: new Asking(names2), tools, version: "v2" });
    const ended = [];
    for await (const { tools: update } of await agent.stream(
      { messages: [new HumanMessage("go")] },
      { streamMode: "updates" },
    ))
      if (update) ended.push([update].flat()[0].messages[0].tool_call_id);
    t.note(names2.join(), ended.sort());
  }
});

fact("14.2, 18.4", "calls side by side that call on and write", async (lib, t) => {
  for (const act of [(x) => x, async (x) => x]) {
    const one = lib.task("one", (x) => {
      lib.getWriter()?.({ one: x });
      return act(x);
    });
    const two = lib.task("two", async (x) => [await one(x), await one(x + 1)]);
    await t.stream(
      lib.entrypoint("work", async () => Promise.all([two(1), two(10)])),
      1,
      MODES,
    );
    await t.stream(
      lib.entrypoint("work", async () => [await two(1), await two(10)]),
      1,
      MODES,
    );
  }
});

fact(
  "14.2, 12.1",
  "a call of task() is shown before the graph that is called next",
  async (lib, t) => {
    const inner = chain(lib, { x: () => ({ log: ["x"] }) }, { state: logState(lib) });
    const work = lib.entrypoint("inner", async (x) => x + 1);
    const one = lib.task("one", (x) => x);
    const outer = lib.entrypoint("work", async () => [
      await one(1),
      await inner.invoke({ log: [] }),
      await one(2),
      await work.invoke(5),
    ]);
    await t.stream(outer, 1, { ...MODES, subgraphs: true });
    await t.stream(outer, 1, { streamMode: ["values", "updates"], subgraphs: true });
  },
);

fact(
  "14.1, 18.7, 18.11, 18.12",
  "what is told of an entrypoint that gives nothing, asks or fails, and of a task of its name",
  async (lib, t) => {
    const same = lib.task("work", (x) => x);
    const acts = {
      nothing: () => undefined,
      null: () => null,
      zero: () => 0,
      asks: () => lib.interrupt("?"),
      fails: () => {
        throw new Error("boom");
      },
      tasks: async (x) => [await same(x), await same(x)],
      model: async () =>
        new FakeListChatModel({ responses: [] }).invoke("hi", {
          signal: AbortSignal.abort(new Error("no")),
        }),
    };
    for (const [name, act] of Object.entries(acts)) {
      t.note("an entrypoint that", name);
      const work = lib.entrypoint({ name: "work", checkpointer: new lib.MemorySaver() }, act);
      const callbacks = [
        {
          handleChainStart: (_, inputs) => void t.note("start", inputs),
          handleChainEnd: (outputs) => void t.note("end", outputs),
        },
      ];
      await t.try("invoke", () => work.invoke(5, { ...thread("a"), callbacks }));
      for (const version of ["v1", "v2"]) {
        for (const input of [5, { a: 1 }]) {
          await t.try(version, async () => {
            for await (const { event, name, data } of work.streamEvents(input, {
              ...thread(`${version} ${input}`),
              version,
            }))
              t.note("event", [event, name, data]);
          });
        }
      }
      await t.try("log", async () => {
        for await (const { ops } of work.streamLog(5, thread("log")))
          t.note(
            "ops",
            ops.map(({ op, path }) => [op, path]),
          );
      });
    }
  },
);

fact("18.12", "a log's names count those that it shows", async (lib, t) => {
  const { RunnableLambda } = await import("@langchain/core/runnables");
  const part = (tags) => RunnableLambda.from((x) => x).withConfig({ runName: "part", tags });
  const graph = chain(lib, {
    part: async () => ({ log: [await part([]).invoke(1), await part(["shown"]).invoke(2)] }),
    same: async () => ({ log: [await part(["shown"]).invoke(3)] }),
  });
  for (const filter of [
    undefined,
    { includeTags: ["shown"] },
    { excludeTags: ["shown"] },
    { includeNames: ["part"] },
  ]) {
    for await (const { ops } of graph.streamLog({ log: [] }, {}, filter))
      t.note(
        "ops",
        ops.map(({ op, path }) => [op, path]),
      );
  }
});

fact(
  "14.3",
  "a failure of a call that cuts other calls short comes with an AbortError",
  inTime(async (lib, t) => {
    const acts = {
      "at once": () => {
        throw new Error("boom");
      },
      later: async () => {
        await pause(2);
        throw new Error("boom");
      },
    };
    for (const [when, act] of Object.entries(acts)) {
      const bad = lib.task("bad", act);
      const slow = lib.task("slow", () => pause(30));
      const calls = lib.task("calls", async () => bad());
      const deep = lib.task("deep", async () => calls().catch(() => "caught"));
      for (const [name, body] of Object.entries({
        bad,
        calls,
        deep,
        both: () => Promise.all([bad(), slow()]),
        two: () => Promise.all([calls(), calls()]),
      })) {
        for (const work of [
          lib.entrypoint({ name: "work", checkpointer: new lib.MemorySaver() }, async () => body()),
          chain(lib, { a: async () => body() }),
        ]) {
          const error = await work.invoke({ log: [] }, thread("t")).catch((one) => one);
          t.note(`${name} ${when}`, [
            error.name,
            error.message,
            error.errors?.map(({ name, message }) => `${name}: ${message}`),
          ]);
        }
      }
    }
  }),
);

for (const [where, options] of Object.entries({
  alone: {},
  "with retries": { retryPolicy: { maxAttempts: 2, initialInterval: 1 } },
})) {
  fact(
    "10.4, 10.8",
    `one answer after the other reaches the tool call that it is for, ${where}`,
    async (lib, t) => {
      const { ToolNode } = t.isPeer ? theirs : ours;
      const ask = tool(async ({ q }) => `${q}: ${await lib.interrupt(q)}`, {
        name: "ask",
        description: "asks",
        schema: { type: "object", properties: { q: { type: "string" } } },
      });
      const graph = new lib.StateGraph(lib.MessagesAnnotation)
        .addNode("tools", new ToolNode([ask], options))
        .addEdge("__start__", "tools")
        .compile({ checkpointer: new lib.MemorySaver() });
      const calls = ["x", "y", "z"].map((q) => ({
        name: "ask",
        args: { q },
        id: q,
        type: "tool_call",
      }));
      await graph.invoke(
        { messages: [new AIMessage({ content: "", tool_calls: calls })] },
        thread("t"),
      );
      for (const answer of ["1", "2"])
        await graph.invoke(new lib.Command({ resume: answer }), thread("t"));
      const { messages } = await graph.invoke(new lib.Command({ resume: "3" }), thread("t"));
      t.note(
        "answers",
        messages.slice(1).map(({ content }) => content),
      );
    },
  );
}

for (const count of [1, 2]) {
  fact(
    "18.1",
    `tools of ${count === 1 ? "a lone call" : "several calls"} find what their node was called with`,
    async (lib, t) => {
      const { ToolNode } = t.isPeer ? theirs : ours;
      for (const make of [tool, weftTool]) {
        const look = make(
          () =>
            Object.entries(lib.getCurrentTaskInput())
              .map(([key, list]) => `${key} ${list.length}`)
              .join(),
          { name: "look", description: "looks", schema: { type: "object", properties: {} } },
        );
        const graph = new lib.StateGraph(lib.MessagesAnnotation)
          .addNode("tools", new ToolNode([look]))
          .addEdge("__start__", "tools")
          .compile({ checkpointer: new lib.MemorySaver() });
        const calls = Array.from({ length: count }, (_, n) => ({
          name: "look",
          args: {},
          id: `c${n}`,
          type: "tool_call",
        }));
        const { messages } = await graph.invoke(
          { messages: [new AIMessage({ content: "", tool_calls: calls })] },
          thread("t"),
        );
        t.note(
          "found",
          messages.slice(1).map(({ content }) => content),
        );
      }
    },
  );
}

for (const [title, make] of Object.entries({ "core's": tool, "our own": weftTool })) {
  fact(
    "10.3, 12.1",
    `what a tool call had called is its own when another call has ended, ${title} tools`,
    async (lib, t) => {
      const { ToolNode } = t.isPeer ? theirs : ours;
      const steps = [];
      const ask = (q) => (q === "asks" ? `${q} ${lib.interrupt(q)}` : q);
      const inner = new lib.StateGraph(lib.Annotation.Root({ q: lib.Annotation }))
        .addNode("one", ({ q }) => (steps.push(`one ${q}`), {}))
        .addNode("two", ({ q }) => ({ q: ask(q) }))
        .addEdge("__start__", "one")
        .addEdge("one", "two")
        .compile();
      const first = lib.task("first", async (q) => (steps.push(`first ${q}`), q));
      const ways = {
        graph: async (q) => (await inner.invoke({ q })).q,
        config: async (q, config) => (await inner.invoke({ q }, config)).q,
        task: async (q) => ask(await first(q)),
      };
      for (const [way, act] of Object.entries(ways)) {
        const call = make(({ q }, config) => act(q, config), {
          name: "call",
          description: "calls",
          schema: { type: "object", properties: { q: { type: "string" } } },
        });
        const graph = new lib.StateGraph(lib.MessagesAnnotation)
          .addNode("tools", new ToolNode([call]))
          .addEdge("__start__", "tools")
          .compile({ checkpointer: new lib.MemorySaver() });
        const calls = ["ends", "asks"].map((q) => ({
          name: "call",
          args: { q },
          id: q,
          type: "tool_call",
        }));
        await graph.invoke(
          { messages: [new AIMessage({ content: "", tool_calls: calls })] },
          thread("t"),
        );
        const { messages } = await graph.invoke(new lib.Command({ resume: "yes" }), thread("t"));
        t.note(way, [messages.slice(1).map(({ content }) => content), steps.splice(0).sort()]);
      }
    },
  );
}
