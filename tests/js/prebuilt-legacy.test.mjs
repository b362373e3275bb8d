// SPDX-License-Identifier: MIT
// LangGraph's agents from before tool calling, through both packages: ToolExecutor,
// createAgentExecutor, createFunctionCallingExecutor.
import { test } from "node:test";
import assert from "node:assert/strict";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { RunnableLambda } from "@langchain/core/runnables";
import { DynamicTool, tool } from "@langchain/core/tools";
import * as peer from "@langchain/langgraph/prebuilt";
import { z } from "zod";
import * as own from "weftgraph/prebuilt";

const add = tool(({ a }) => a + 1, {
  name: "add",
  description: "adds",
  schema: z.object({ a: z.number() }),
});
const echo = new DynamicTool({
  name: "echo",
  description: "echoes",
  func: async (text) => `E${text}`,
});

class Model extends BaseChatModel {
  constructor(answers) {
    super({});
    this.answers = answers;
    this.turn = 0;
  }
  _llmType() {
    return "test";
  }
  bind({ functions }) {
    this.functions = functions.map(({ name, description }) => [name, description]);
    return this;
  }
  async _generate() {
    const message = this.answers[Math.min(this.turn++, this.answers.length - 1)];
    return { generations: [{ text: "", message }] };
  }
}

const plain = (value) =>
  JSON.parse(
    JSON.stringify(
      value,
      (_key, one) =>
        typeof one?.getType === "function" ? [one.getType(), one.content, one.name] : one,
      0,
    ) ?? "null",
  );
const outcome = async (work) => {
  try {
    return plain(view(await work()));
  } catch (error) {
    return [error.name, error.message];
  }
};
/** Messages print themselves in LangChain's way: what is compared is what they say. */
const view = (value) => {
  if (typeof value?.getType === "function") return [value.getType(), value.content, value.name];
  if (Array.isArray(value)) return value.map(view);
  return value !== null && typeof value === "object"
    ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, view(one)]))
    : value;
};
const same = async (work, note) =>
  assert.deepEqual(await outcome(() => work(own)), await outcome(() => work(peer)), note);
const chunks = async (stream) => {
  const seen = [];
  for await (const chunk of await stream) seen.push(chunk);
  return seen;
};

test("ToolExecutor runs one call or several, and refuses a tool that it does not have", async () => {
  for (const [name, toolInput] of [
    ["add", { a: 1 }],
    ["echo", "x"],
    ["zz", "x"],
    ["add", "x"],
    [undefined, 1],
  ]) {
    await same(
      (lib) => new lib.ToolExecutor({ tools: [add, echo] }).invoke({ tool: name, toolInput }),
      String(name),
    );
    await same((lib) =>
      new lib.ToolExecutor({
        tools: [add, echo],
        invalidToolMsgTemplate: "no {requested_tool_name} in {available_tool_names_str}!",
      }).invoke({ tool: name, toolInput }),
    );
  }
});

test("ToolExecutor as a Runnable", async () => {
  const calls = [
    { tool: "add", toolInput: { a: 1 } },
    { tool: "zz", toolInput: 1 },
  ];
  await same((lib) => new lib.ToolExecutor({ tools: [add, echo] }).batch(calls));
  await same((lib) => chunks(new lib.ToolExecutor({ tools: [add, echo] }).stream(calls[0])));
  await same((lib) =>
    new lib.ToolExecutor({ tools: [add] })
      .pipe(RunnableLambda.from((result) => [result]))
      .invoke(calls[0]),
  );
  await same(async (lib) => {
    const { lc_graph_name, lc_namespace, invalidToolMsgTemplate, toolMap } = new lib.ToolExecutor({
      tools: [add, echo],
    });
    return [lc_graph_name, lc_namespace, invalidToolMsgTemplate, Object.keys(toolMap)];
  });
});

test("createAgentExecutor goes round until its agent finishes", async () => {
  for (const wrap of [(lib) => [add, lib], (lib) => new lib.ToolExecutor({ tools: [add] })]) {
    await same((lib) => {
      let turn = 0;
      const agentRunnable = RunnableLambda.from(() =>
        turn++ === 0
          ? { tool: "add", toolInput: { a: 1 }, log: "l" }
          : { returnValues: { output: "x" }, log: "f" },
      );
      const tools = wrap(lib);
      return chunks(
        lib
          .createAgentExecutor({ agentRunnable, tools: Array.isArray(tools) ? [add] : tools })
          .stream({ input: "q" }, { streamMode: ["updates", "values"] }),
      );
    });
  }
  await same((lib) =>
    lib
      .createAgentExecutor({ agentRunnable: RunnableLambda.from(() => null), tools: [add] })
      .invoke({ input: "q" }),
  );
  await same((lib) =>
    lib
      .createAgentExecutor({
        agentRunnable: RunnableLambda.from(() => ({ tool: "zz", toolInput: "" })),
        tools: [add],
      })
      .invoke({ input: "q" }, { recursionLimit: 4 }),
  );
});

test("createFunctionCallingExecutor calls the functions that its model asks for", async () => {
  const asks = (function_call) =>
    new AIMessage({ content: "", additional_kwargs: { function_call } });
  const answers = [
    asks({ name: "echo", arguments: '{"input":"hi"}' }),
    asks({ name: "echo", arguments: "hi" }),
    asks({ name: "zz", arguments: "{}" }),
    asks({ name: "echo" }),
    new AIMessage("no call"),
  ];
  for (const answer of answers) {
    await same(async (lib) => {
      const model = new Model([answer, new AIMessage("done")]);
      const app = lib.createFunctionCallingExecutor({ model, tools: [add, echo] });
      return [
        await chunks(
          app.stream({ messages: [new HumanMessage("q")] }, { streamMode: ["updates", "values"] }),
        ),
        model.functions,
      ];
    });
  }
  await same((lib) => lib.createFunctionCallingExecutor({ model: {}, tools: [echo] }));
});
