// SPDX-License-Identifier: MIT
// Facts 18.3, 18.9 and 18.10: messages with all of their metadata, pushed messages, tools.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { tool } from "@langchain/core/tools";
import { ToolNode as TheirToolNode } from "@langchain/langgraph/prebuilt";
import { tool as ourTool } from "weftgraph";
import { ToolNode as OurToolNode } from "weftgraph/prebuilt";
import { fact, logState } from "./harness.mjs";

function chain(lib, nodes, { state, ...options } = {}) {
  const builder = new lib.StateGraph(state ?? lib.MessagesAnnotation);
  let last = lib.START;
  for (const [name, act] of Object.entries(nodes)) {
    builder.addNode(name, ...[act].flat()).addEdge(last, name);
    last = name;
  }
  return builder.compile(options);
}

const said = (lib) => ({ messages: [new lib.HumanMessage({ content: "x", id: "x" })] });

fact("18.3", "messages of models, with their metadata", async (lib, t) => {
  const model = new lib.FakeListChatModel({ responses: ["hey"] });
  const asks = {
    returned: async (state) => ({ messages: [await model.invoke(state.messages)] }),
    dropped: async (state) => void (await model.invoke(state.messages)),
    configured: async (state, config) => ({
      messages: [
        await model.invoke(state.messages, {
          ...config,
          tags: ["mine"],
          metadata: { k: 1 },
          runName: "named",
        }),
      ],
    }),
    streamed: async (state) => {
      let all;
      for await (const chunk of await model.stream(state.messages))
        all = all === undefined ? chunk : all.concat(chunk);
      return { messages: [all] };
    },
    nostream: async (state) => ({
      messages: [await model.invoke(state.messages, { tags: ["nostream"] })],
    }),
    "langsmith:nostream": async (state) => ({
      messages: [await model.withConfig({ tags: ["langsmith:nostream"] }).invoke(state.messages)],
    }),
    twice: async (state) => ({
      messages: await Promise.all([model.invoke(state.messages), model.invoke(state.messages)]),
    }),
  };
  for (const [name, act] of Object.entries(asks)) {
    await t.stream(chain(lib, { [name.replace(":", "_")]: act }), said(lib), {
      streamMode: "messages",
    });
  }
  await t.stream(
    chain(lib, { returned: [asks.returned, { metadata: { of: "node" } }] }),
    said(lib),
    { streamMode: ["messages"], tags: ["t"], metadata: { m: 1 }, configurable: { user: 1 } },
  );
  await t.stream(chain(lib, { returned: asks.returned }), said(lib), {
    streamMode: ["messages", "values"],
    tags: ["nostream"],
  });
});

fact("18.3", "messages that nodes return, with their metadata", async (lib, t) => {
  const { AIMessage, AIMessageChunk, HumanMessage, ToolMessage } = lib;
  const graph = chain(lib, {
    list: () => ({
      messages: [
        new AIMessage({ content: "1", id: "1" }),
        new AIMessage("2"),
        new AIMessage("same run, same id"),
        new HumanMessage({ content: "h", id: "h" }),
        { role: "assistant", content: "like", id: "l" },
      ],
    }),
    chunk: [
      () => ({ messages: new AIMessageChunk({ content: "c", id: "c" }) }),
      { metadata: { nm: 1 } },
    ],
    again: (state) => ({ messages: state.messages.slice(0, 2) }),
    tool: () => ({
      messages: [
        new ToolMessage({ content: "t", tool_call_id: "tc", name: "tn" }),
        new ToolMessage({ content: "u", tool_call_id: "td" }),
      ],
    }),
    command: () =>
      new lib.Command({ update: { messages: [new AIMessage({ content: "cmd", id: "cmd" })] } }),
  });
  await t.stream(graph, said(lib), { streamMode: "messages", tags: ["t"] });
  await t.stream(graph, said(lib), { streamMode: ["updates", "messages"] });
});

/**
 * Answers in pieces with these ids, told by itself (`end`: the id of what it answers then) or by
 * LangChain.
 */
class Pieces extends BaseChatModel {
  constructor(lib, ids, end) {
    super({});
    Object.assign(this, { lib, ids, end });
    if (end === undefined) this._streamResponseChunks = this.stream_;
  }

  _llmType() {
    return "pieces";
  }

  #piece(id, i) {
    return new ChatGenerationChunk({
      text: `w${i}`,
      message: new this.lib.AIMessageChunk({ id, content: `w${i}` }),
    });
  }

  async _generate(_messages, _options, manager) {
    for (const [i, id] of this.ids.entries())
      await manager?.handleLLMNewToken(`w${i}`, undefined, undefined, undefined, undefined, {
        chunk: this.#piece(id, i),
      });
    return {
      generations: [
        {
          text: "all",
          message: new this.lib.AIMessage({ id: this.end ?? undefined, content: "all" }),
        },
      ],
    };
  }

  async *stream_(_messages, _options, manager) {
    for (const [i, id] of this.ids.entries()) {
      const chunk = this.#piece(id, i);
      yield chunk;
      await manager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, {
        chunk,
      });
    }
  }
}

fact("18.3", "pieces of a model without an id, and an answer that has another", async (lib, t) => {
  for (const [ids, end] of [
    [["A", undefined]],
    [[undefined, "A"]],
    [["A", "B", undefined]],
    [["A", null, ""]],
    [["A", "run-x", undefined]],
    [["A"], "B"],
    [["A"], null],
    [[undefined], "B"],
    [[], null],
    [["A"], "A"],
  ]) {
    const model = new Pieces(lib, ids, end);
    for (const keep of [true, false]) {
      const graph = chain(lib, {
        a: async () => {
          const message = await model.invoke("x");
          return keep ? { messages: [message] } : {};
        },
      });
      await t.stream(graph, said(lib), { streamMode: ["messages", "values"] });
    }
  }
});

fact("18.9", "pushMessage", async (lib, t) => {
  const { AIMessage, pushMessage } = lib;
  const message = (id, content = id) => new AIMessage({ content, id });
  await t.try("outside", () => pushMessage({ role: "assistant", content: "x", id: "1" }));
  await t.try("without id", () => pushMessage({ role: "assistant", content: "x" }));
  const modes = ["messages", "values", "updates", "tasks"];
  const options = { streamMode: modes, tags: ["t"], metadata: { m: 1 } };
  const run = (act, state) =>
    t.stream(
      chain(lib, { a: act, b: () => ({}) }, { state }),
      state === undefined ? said(lib) : { log: [] },
      options,
      { fallible: true },
    );
  await run((_, config) => {
    pushMessage({ role: "assistant", content: "plain", id: "p1" });
    pushMessage(message("p2"), config);
    pushMessage(message("p3"), { ...config, stateKey: null });
    return { messages: [message("returned")] };
  });
  await run(
    () =>
      void (pushMessage(message("p"), { stateKey: "messages" }),
      pushMessage(message("p", "again"))),
  );
  await run(async () => {
    await null;
    pushMessage(message("p"));
    return { messages: [message("p", "returned too")] };
  });
  await run(() => {
    pushMessage(message("p"));
    throw new RangeError("after");
  });
  await run(() => (pushMessage(message("p"), { stateKey: "log" }), { log: ["x"] }), logState(lib));
  await run(() => (pushMessage(message("p")), { log: ["x"] }), logState(lib));
  t.note(
    "invoke",
    await chain(lib, { a: () => void pushMessage(message("kept")) }).invoke(said(lib)),
  );
});

const schema = { type: "object", properties: { q: { type: "string" } } };
const made = (make) => ({
  one: make(({ q }) => `one ${q}`, { name: "one", description: "d", schema }),
  parts: make(
    async function* ({ q }) {
      yield { part: q };
      yield "two";
      return "whole";
    },
    { name: "parts", description: "d", schema },
  ),
  bad: make(
    async () => {
      throw new RangeError("bad tool");
    },
    { name: "bad", description: "d", schema },
  ),
  writes: make((_, config) => (config.writer?.("from a tool"), { a: 1 }), {
    name: "writes",
    description: "d",
    schema,
  }),
});

const theirs = made(tool);
for (const [whose, tools] of [
  ["LangChain's", () => theirs],
  ["each package's own", (lib) => (lib.isWeft ? made(ourTool) : theirs)],
]) {
  fact("18.10", `${whose} tools in a ToolNode, one after the other`, async (lib, t) => {
    const isWeft = !t.isPeer;
    const given = tools({ isWeft });
    const node = new (isWeft ? OurToolNode : TheirToolNode)(Object.values(given));
    for (const name of Object.keys(given)) {
      const call = () => ({
        messages: [
          new lib.AIMessage({
            content: "",
            id: "ai",
            tool_calls: [{ id: `c-${name}`, name, args: { q: "x" }, type: "tool_call" }],
          }),
        ],
      });
      const graph = chain(lib, { call, tools: node });
      await t.stream(graph, { messages: [] }, { streamMode: ["tools", "custom"] });
      await t.stream(graph, { messages: [] }, { streamMode: "tools", tags: ["t"] });
      await t.stream(graph, { messages: [] }, { streamMode: ["messages", "tools"] });
    }
  });

  fact("18.10", `${whose} tools called by a node`, async (lib, t) => {
    const { one, parts, bad } = tools({ isWeft: !t.isPeer });
    const graph = chain(lib, {
      a: async (_, config) => {
        await one.invoke({ q: "1" });
        await one.invoke({ type: "tool_call", id: "zz", name: "one", args: { q: "2" } }, config);
        await parts.invoke({ q: "3" });
        await bad.invoke({ q: "4" }).catch(() => {});
      },
    });
    await t.stream(graph, { messages: [] }, { streamMode: ["tools"] });
  });
}

fact("18.3", "ids of messages that nodes return, among events", async (lib, t) => {
  const said = () => ({
    messages: [
      new lib.AIMessage("said"),
      new lib.AIMessage("more"),
      new lib.ToolMessage({ content: "found", tool_call_id: "c" }),
    ],
  });
  const form = ({ id, content }) => [
    content,
    id.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, "<run>"),
  ];
  for (const version of ["v1", "v2"])
    for (const streamMode of [
      ["updates", "messages"],
      ["messages", "values"],
    ]) {
      const graph = new lib.StateGraph(lib.MessagesAnnotation)
        .addNode("a", said)
        .addNode("b", async () => said())
        .addEdge(lib.START, "a")
        .addEdge("a", "b")
        .compile();
      for await (const { event, name, data } of graph.streamEvents(
        { messages: [] },
        { version, streamMode },
      )) {
        if (event !== "on_chain_stream" || name !== "LangGraph") continue;
        const [mode, chunk] = data.chunk;
        t.note(
          mode,
          mode === "messages"
            ? form(chunk[0])
            : (chunk.messages ?? Object.values(chunk)[0].messages).map(form),
        );
      }
    }
});
