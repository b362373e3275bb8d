// SPDX-License-Identifier: MIT
// Runs one program with langchain's agent and middlewares and with Weft's, over a model of
// LangChain's that plays a script. What it shows leaves out ids.
import assert from "node:assert/strict";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, MemorySaver } from "@langchain/langgraph";
import * as langchain from "langchain";
import * as weft from "weftgraph";
import * as agent from "weftgraph/agent";
import * as middleware from "weftgraph/agent/middleware";
import { tool as weftTool } from "weftgraph/tools";

/** Plays its answers in turn; notes what it is asked and with which options. */
export class Model extends BaseChatModel {
  constructor(answers, { name = "Model", profile = {} } = {}) {
    super({});
    this.answers = answers;
    this.more = { name, profile };
    this.asked = [];
    this.options = [];
  }
  get profile() {
    return this.more.profile;
  }
  getName() {
    return this.more.name;
  }
  _llmType() {
    return "scripted";
  }
  bindTools(tools, options) {
    return this.withConfig({ tools, ...options });
  }
  async _generate(messages, options) {
    this.asked.push(messages.map(show));
    this.options.push(options);
    const { answers, asked } = this;
    const given = answers[Math.min(asked.length, answers.length) - 1];
    const answer = typeof given === "function" ? given(messages, options) : given;
    if (answer instanceof Error) throw answer;
    const message = new AIMessage(typeof answer === "string" ? { content: answer } : { ...answer });
    return { generations: [{ text: String(message.content), message }] };
  }
}

export const call = (name, args = {}, id = "c1") => ({ name, args, id, type: "tool_call" });
export const calling = (...tool_calls) => ({ content: "", tool_calls });
export const onThread = { configurable: { thread_id: "1" } };

/** What matters of a message. */
export const show = (message) => [
  message.getType(),
  message.content,
  ...(message.tool_calls?.length > 0
    ? [message.tool_calls.map(({ name, args, id }) => [name, args, id])]
    : []),
  ...(message.tool_call_id === undefined
    ? []
    : [message.tool_call_id, message.name, message.status]),
];

/** The conversation, or the error. */
export async function outcome(promise) {
  try {
    const { messages, ...rest } = await promise;
    return { messages: messages.map(show), ...("todos" in rest ? { todos: rest.todos } : {}) };
  } catch (error) {
    return { error: error.message };
  }
}

/** A tool that answers with its name and arguments; `fails`: errors of its first calls. */
export function makeTool(name, fails = []) {
  const left = [...fails];
  const ran = [];
  const made = tool(
    async (args) => {
      ran.push(args);
      if (left.length > 0) throw left.shift();
      return `${name} ${JSON.stringify(args)}`;
    },
    {
      name,
      description: `The tool ${name}`,
      schema: { type: "object", properties: { x: { type: "number" } } },
    },
  );
  return Object.assign(made, { ran });
}

export const PEER = { ...langchain, Command, MemorySaver };
export const OWN = { ...weft, ...agent, ...middleware, tool: weftTool };

/** Checks that a program shows the same with langchain and with Weft; returns it. */
export async function same(program) {
  const [peer, own] = [await program(PEER), await program(OWN)];
  assert.deepEqual(own, peer);
  return own;
}
