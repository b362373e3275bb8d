// SPDX-License-Identifier: MIT
// One program through langchain's createAgent and Weft's: the graph, each stream mode, the state,
// the history, what the model was asked. Ids and times are left out.
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, AIMessageChunk, HumanMessage } from "@langchain/core/messages";
import { ChatGenerationChunk } from "@langchain/core/outputs";
import * as langgraph from "@langchain/langgraph";
import * as langchain from "langchain";
import * as weft from "weftgraph";
import * as agent from "weftgraph/agent";

export const PEER = { ...langgraph, ...langchain };
export const OWN = { ...weft, ...agent };

/** A model of LangChain's that gives its answers in turn, and notes what it is asked. */
export class Model extends BaseChatModel {
  constructor(answers, more = {}) {
    super({});
    this.answers = answers;
    this.more = more;
    this.turn = { at: 0 };
    this.asked = [];
    this.bound = [];
  }
  get profile() {
    return this.more.profile ?? {};
  }
  _llmType() {
    return "scripted";
  }
  bindTools(tools, options = {}) {
    this.bound.push([tools.map((tool) => tool.function?.name ?? tool.name), plainOptions(options)]);
    return this.withConfig({ tools, ...options });
  }
  #next(messages) {
    this.asked.push(messages.map((message) => [message.getType(), message.content]));
    const answer = this.answers[Math.min(this.turn.at++, this.answers.length - 1)];
    if (answer instanceof Error) throw answer;
    return typeof answer === "function" ? answer(messages) : answer;
  }
  async _generate(messages) {
    const { content = "", calls = [], id } = this.#next(messages);
    const message = new AIMessage({ content, tool_calls: calls, id });
    return { generations: [{ text: content, message }] };
  }
  async *_streamResponseChunks(messages) {
    const { content = "", calls = [], id } = this.#next(messages);
    const tool_call_chunks = calls.map(({ name, args, id }, index) => ({
      name,
      args: JSON.stringify(args),
      id,
      index,
      type: "tool_call_chunk",
    }));
    for (const text of content === "" ? [""] : content.split(/(?<= )/))
      yield new ChatGenerationChunk({
        text,
        message: new AIMessageChunk({ content: text, id, tool_call_chunks }),
      });
  }
}

const plainOptions = (options) =>
  JSON.parse(JSON.stringify(options, (key, value) => (key.startsWith("ls_") ? undefined : value)));

export const call = (name, args = {}, id = "c1") => ({ name, args, id, type: "tool_call" });
export const saying = (content, id = `a-${content}`) => ({ content, id });
export const calling = (...calls) => ({ content: "", calls, id: `a-${calls[0].id}` });
export const human = (content) => new HumanMessage({ content, id: `h-${content}` });
export const input = (content = "hi") => ({ messages: [human(content)] });
export const onThread = { configurable: { thread_id: "1" } };

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const INTERRUPT_ID = /^[0-9a-f]{32}$/;
export const view = (value) => {
  if (typeof value === "string") return value.replace(UUID, "UUID").replace(INTERRUPT_ID, "ID");
  if (typeof value?.getType === "function")
    return view({
      type: value.getType(),
      content: value.content,
      name: value.name,
      calls: value.tool_calls?.map(({ name, args, id }) => [name, args, id]),
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

export const thrown = (error) => ({ message: error.message });

const isHook = (name) => /\.(before|after)_(agent|model)$/.test(name);
/**
 * What a hook writes: langchain's writes the whole state again, Weft's what it returned
 * (docs/differences.md).
 */
const withoutHooks = (updates) =>
  Object.fromEntries(
    Object.entries(updates).map(([name, update]) => [name, isHook(name) ? "hook" : update]),
  );
const EVENTS = {
  values: view,
  custom: view,
  updates: (chunk) => view(withoutHooks(chunk)),
  messages: ([message, { langgraph_node, langgraph_step }]) => [
    // When a chunk gets the agent's name depends on when it is read.
    { ...view(message), name: undefined },
    langgraph_node,
    langgraph_step,
  ],
  tasks: ({ name, input, result, error, interrupts }) =>
    view({
      name,
      input: isHook(name) ? undefined : { ...input, jumpTo: undefined },
      result: isHook(name) ? undefined : result,
      error,
      interrupts: interrupts?.map((one) => one.value),
    }),
  checkpoints: ({ values, next, metadata, tasks }) =>
    view({
      values,
      next,
      source: metadata.source,
      step: metadata.step,
      tasks: tasks.map((task) => task.name),
    }),
};
const MODES = Object.keys(EVENTS);
/** What `debug` tells of tasks and checkpoints is shown as their own modes show it. */
const OF_DEBUG = {
  checkpoint: EVENTS.checkpoints,
  task: EVENTS.tasks,
  task_result: EVENTS.tasks,
};
const SHOWN = {
  ...EVENTS,
  debug: ({ step, type, payload }) => ({ step, type, payload: OF_DEBUG[type](payload) }),
};

/**
 * What a run shows in these stream modes, each mode's chunks in their order, and its failure.
 * `debug` needs a run of its own: beside other modes LangGraph ends the stream of a failure before
 * all of it is read.
 */
export async function chunksOf(made, given, config = {}, modes = MODES) {
  const chunks = Object.fromEntries(modes.map((mode) => [mode, []]));
  try {
    const stream = await made.stream(given, { ...onThread, ...config, streamMode: modes });
    for await (const [mode, chunk] of stream) chunks[mode].push(SHOWN[mode](chunk));
  } catch (error) {
    return { ...chunks, failure: thrown(error) };
  }
  return chunks;
}

/** The checkpoints of a thread, the newest first, and what is next. */
export async function historyOf(made) {
  const list = [];
  for await (const { values, next, metadata, tasks } of made.graph.getStateHistory(onThread))
    list.push(
      view({
        values,
        next,
        source: metadata.source,
        step: metadata.step,
        tasks: tasks.map(({ name, interrupts }) => [name, interrupts.map((one) => one.value)]),
      }),
    );
  return { next: (await made.graph.getState(onThread)).next, list };
}

/** What a model was bound to; langchain binds it again for each call, also to no tools. */
export const boundOf = ({ bound }) => [
  ...new Set(bound.filter(([tools]) => tools.length > 0).map((one) => JSON.stringify(one))),
];

/**
 * Runs an agent on a thread and tells all that can be seen of it.
 * @param lib @param model @param {object} params of createAgent
 * @param {unknown[]} inputs one after the other
 */
export async function trace(lib, model, params, inputs = [input()], config = {}, modes = MODES) {
  const made = lib.createAgent({ model, checkpointer: new lib.MemorySaver(), ...params });
  const runs = [];
  for (const one of inputs) {
    runs.push(await chunksOf(made, one, config, modes));
    runs.push(await historyOf(made));
  }
  return {
    nodes: Object.keys(made.graph.nodes).sort(),
    runs,
    asked: model.asked,
    bound: boundOf(model),
  };
}
