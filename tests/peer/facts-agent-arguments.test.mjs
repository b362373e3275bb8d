// SPDX-License-Identifier: MIT
// createReactAgent with arguments that cannot be used: what is refused, when, and with which words.
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { tool } from "@langchain/core/tools";
import { createReactAgent as theirs } from "@langchain/langgraph/prebuilt";
import { createReactAgent as ours } from "weftgraph/prebuilt";
import { z } from "zod";
import { same } from "./surface.mjs";

class Model extends FakeListChatModel {
  constructor() {
    super({ responses: ["done"] });
  }

  bindTools() {
    return this;
  }

  async invoke() {
    return new AIMessage({ content: "done", id: "a" });
  }
}

const add = () => tool(({ x }) => `${x}`, { name: "add", schema: z.object({ x: z.number() }) });
const with_ = (more) => () => ({ llm: new Model(), tools: [add()], ...more });

const ARGUMENTS = {
  nothing: () => undefined,
  null: () => null,
  "no fields": () => ({}),
  "no tools": () => ({ llm: new Model() }),
  "tools that are null": with_({ tools: null }),
  "two prompts": with_({ prompt: "a", stateModifier: "b" }),
  "three prompts": with_({ prompt: "a", stateModifier: "b", messageModifier: "c" }),
  "a prompt that is a number": with_({ prompt: 5 }),
  "a modifier that is a number": with_({ messageModifier: 5 }),
  "a format that is null": with_({ responseFormat: null }),
  "a hook that is null": with_({ postModelHook: null }),
  "a hook that is a number": with_({ preModelHook: 5 }),
  "a hook that returns nothing": with_({ preModelHook: () => undefined }),
  "a hook that returns a number": with_({ preModelHook: () => 5 }),
  "a model function of nothing": with_({ llm: () => undefined }),
  "a model function that throws": with_({
    llm: () => {
      throw new Error("no model");
    },
  }),
  "a model bound to no tools": () => ({
    llm: new Model().withConfig({ tools: [] }),
    tools: [add()],
  }),
  "a model bound to other tools": () => ({
    llm: new Model().withConfig({ tools: [{ type: "function", function: { name: "other" } }] }),
    tools: [add()],
  }),
  "a schema without messages": (lib) => ({
    llm: new Model(),
    tools: [add()],
    stateSchema: lib.Annotation.Root({ a: lib.Annotation }),
  }),
};

for (const [title, make] of Object.entries(ARGUMENTS)) {
  same(`an agent with ${title}`, async (lib, t) => {
    const agent = await t.try("made", async () => {
      const made = (t.isPeer ? theirs : ours)(make(lib));
      t.note("nodes", Object.keys(made.nodes));
      return Object.assign(() => {}, { made });
    });
    if (agent !== undefined)
      await t.invoke(agent.made, { messages: [new HumanMessage({ content: "hi", id: "h" })] });
  });
}
