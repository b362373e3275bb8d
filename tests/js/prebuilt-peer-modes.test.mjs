// SPDX-License-Identifier: MIT
// What agents show, chunk by chunk and key by key, through LangGraph.js and Weft: messages with
// their metadata, tasks with their inputs, events with names and tags.
// Own process: takes as long as many other files.
import { test } from "node:test";
import assert from "node:assert/strict";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, HumanMessage } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import { RunnableLambda } from "@langchain/core/runnables";
import { tool } from "@langchain/core/tools";
import * as peerGraph from "@langchain/langgraph";
import * as peerPrebuilt from "@langchain/langgraph/prebuilt";
import * as ownGraph from "weftgraph";
import * as ownPrebuilt from "weftgraph/prebuilt";

const PEER = { ...peerGraph, ...peerPrebuilt };
const OWN = { ...ownGraph, ...ownPrebuilt };

/** Streams its answers letter by letter. */
class Model extends BaseChatModel {
  constructor(answers, turn = { at: 0 }) {
    super({});
    this.answers = answers;
    this.turn = turn;
  }
  _llmType() {
    return "test";
  }
  bindTools(tools) {
    return new Model(this.answers, this.turn).withConfig({ tools });
  }
  withStructuredOutput() {
    return RunnableLambda.from(() => ({ x: 1 }));
  }
  async _generate() {
    return { generations: [{ text: "", message: this.answers[this.turn.at++] }] };
  }
  async *_streamResponseChunks() {
    const { content, id, tool_calls } = this.answers[this.turn.at++];
    const tool_call_chunks = tool_calls.map(({ name, args, id }, index) => ({
      name,
      args: JSON.stringify(args),
      id,
      index,
      type: "tool_call_chunk",
    }));
    for (const text of content === "" ? [""] : content)
      yield new ChatGenerationChunk({
        text,
        message: new AIMessageChunk({ content: text, id, tool_call_chunks }),
      });
  }
}

const call = (name, args = {}, id = "1") => ({ name, args, id, type: "tool_call" });
const ai = (content, ...tool_calls) => new AIMessage({ id: `a${content}`, content, tool_calls });
const schema = { type: "object", properties: { a: { type: "number" } } };
const add = tool(({ a }) => `r${a}`, {
  name: "add",
  description: "",
  schema,
  tags: ["tagged"],
  metadata: { of: "add" },
});
const boom = tool(
  () => {
    throw new Error("kaput");
  },
  { name: "boom", description: "", schema },
);
const direct = tool(() => "direct", {
  name: "direct",
  description: "",
  schema,
  returnDirect: true,
});

const scripts = {
  "one call": [[ai("", call("add", { a: 1 })), ai("ok")], [add]],
  "two calls": [
    [ai("", call("add", { a: 1 }), call("boom", {}, "2")), ai("ok")],
    [add, boom],
  ],
  "behind a condition": [
    [ai("", call("add", { a: 1 })), ai("ok")],
    [add, direct],
  ],
  "no call": [[ai("ok")], [add]],
};
const setups = {
  bare: {},
  saved: (lib) => ({ checkpointer: new lib.MemorySaver() }),
  hooks: { preModelHook: () => ({}), postModelHook: () => ({}) },
  chosen: {
    preModelHook: ({ messages }) => ({ llmInputMessages: messages.slice(-1) }),
    prompt: "sys",
  },
  structured: {
    responseFormat: { type: "object", title: "T", properties: {} },
    postModelHook: () => ({}),
  },
  named: { name: "bob", includeAgentName: "inline", prompt: "sys" },
};

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
// When a tool's message gets its id shows in events alone: docs/differences.md, D8.
let hidden = "";
const view = (value) => {
  if (typeof value === "string") return value.replace(UUID, "UUID");
  if (typeof value?.getType === "function")
    return view({
      type: value.getType(),
      content: value.content,
      id: value.getType() === hidden ? undefined : value.id,
      name: value.name,
      calls: value.tool_calls,
      of: value.tool_call_id,
      status: value.status,
    });
  if (Array.isArray(value)) return value.map(view);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined && typeof one !== "function")
      .map(([key, one]) => [key, view(one)]),
  );
};

async function show(lib, version, [answers, tools], options, streamMode) {
  const agent = lib.createReactAgent({
    llm: new Model(
      answers.map(({ content, id, tool_calls }) => new AIMessage({ content, id, tool_calls })),
    ),
    tools,
    version,
    ...(typeof options === "function" ? options(lib) : options),
  });
  const input = { messages: [new HumanMessage({ content: "hi", id: "u" })] };
  const config = { configurable: { thread_id: "1" }, tags: ["call"], metadata: { mine: 1 } };
  const seen = [];
  hidden = streamMode === "events" ? "tool" : "";
  if (streamMode === "events") {
    for await (const { event, name, tags, metadata, data } of agent.streamEvents(input, {
      ...config,
      version: "v2",
    }))
      seen.push(
        view([
          event,
          name,
          tags,
          metadata,
          Object.keys(data).sort(),
          data.output,
          ...(["prompt", "RunnableSequence"].includes(name) ? [data.input] : []),
        ]),
      );
  } else {
    for await (const chunk of await agent.stream(input, { ...config, streamMode }))
      seen.push(view(chunk));
  }
  return seen;
}

/**
 * What a graph gives among the events of others, and what tools side by side tell, has no order
 * that is promised.
 * @param {any[]} seen
 */
function inOrder(seen) {
  const keyOf = (one) =>
    (Array.isArray(one) ? `${one[1]} ${one[3]?.langgraph_path}` : one.toolCallId) ?? "";
  const ofGraph = (one) => Array.isArray(one) && one[0] === "on_chain_stream";
  const isTold = seen.every((one) => Array.isArray(one) || one.toolCallId !== undefined);
  return !isTold
    ? seen
    : [
        ...seen
          .filter((one) => !ofGraph(one))
          .map((one) => [keyOf(one), one])
          .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
        ...seen.filter(ofGraph),
      ];
}

for (const version of ["v1", "v2"]) {
  for (const mode of ["values", "updates", "messages", "tasks", "tools", "events"]) {
    test(`${mode} of agents, ${version}`, async () => {
      for (const [script, parts] of Object.entries(scripts)) {
        for (const [setup, options] of Object.entries(setups)) {
          const shown = async (packages) =>
            inOrder(await show(packages, version, parts, options, mode));
          assert.deepEqual(await shown(OWN), await shown(PEER), `${script}, ${setup}`);
        }
      }
    });
  }
}

test("version v1 behind a hook: one task for all open calls; v2: one for each", async () => {
  for (const [version, triggers] of [
    ["v1", ["branch:to:tools"]],
    ["v2", ["__pregel_push", "__pregel_push"]],
  ]) {
    const chunks = await show(OWN, version, scripts["two calls"], setups.hooks, "tasks");
    assert.deepEqual(
      chunks
        .filter(({ name, triggers: of }) => name === "tools" && of !== undefined)
        .flatMap(({ triggers: of }) => of),
      triggers,
    );
  }
});
