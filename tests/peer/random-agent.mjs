// SPDX-License-Identifier: MIT
// Random agents: models that follow a script, tools that answer, fail, ask and send Commands, both
// versions, hooks, prompts, response formats and states of one's own, and random use of their
// threads.
import { tool } from "@langchain/core/tools";
import * as theirs from "@langchain/langgraph/prebuilt";
import fc from "fast-check";
import * as ours from "weftgraph/prebuilt";
import { thread } from "./harness.mjs";
import { Play, often } from "./random-kit.mjs";

const TOOLS = ["look", "Ask", "add", "miss"];
const LIMIT = 14;

const toolKind = fc.record({
  does: often(
    1,
    fc.constantFrom("throws", "asks", "commands", "messages", "object", "empty"),
    "text",
  ),
  isAsync: fc.boolean(),
  returnDirect: often(6, fc.constant(true), false),
});

const calls = fc.array(fc.record({ tool: fc.nat(3), x: fc.nat(9) }), {
  minLength: 1,
  maxLength: 3,
});

const hook = fc.constantFrom("none", "log", "messages", "trim");

const operation = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ op: "resume" }) },
  { weight: 2, arbitrary: fc.constant({ op: "go on" }) },
  { weight: 2, arbitrary: fc.constant({ op: "input" }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("resume by id"), of: fc.nat(3) }) },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant("update"), as: fc.constantFrom("agent", "tools") }),
  },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("replay"), back: fc.nat(4) }) },
);

const stop = often(4, fc.constantFrom(["tools"], ["agent"], "*"), undefined);

/** @type {fc.Arbitrary<any>} */
export const programs = fc.record({
  tools: fc.array(toolKind, { minLength: 3, maxLength: 3 }),
  turns: fc.array(calls, { maxLength: 3 }),
  version: fc.constantFrom("v1", "v2"),
  prompt: often(1, fc.constantFrom("text", "message", "function"), undefined),
  pre: often(2, hook, "none"),
  post: often(2, hook, "none"),
  format: often(3, fc.constantFrom("schema", "prompt"), undefined),
  hasState: often(2, fc.constant(true), false),
  before: stop,
  after: stop,
  saved: often(4, fc.constant(false), true),
  operations: fc.array(operation, { maxLength: 4 }),
});

class Program extends Play {
  /**
   * A version 1 node asks about its calls together in Weft, one after the other in LangGraph.js: it
   * has one that asks.
   */
  get turns() {
    const { turns, version, tools } = this.spec;
    if (version === "v2") return turns;
    return turns.map((calls) =>
      calls.filter(
        ({ tool }, i) =>
          tools[tool]?.does !== "asks" ||
          calls.findIndex((one) => tools[one.tool]?.does === "asks") === i,
      ),
    );
  }

  /** Does something stop the agent, so that LangGraph.js needs a saver? */
  get saved() {
    const { saved, tools, before, after } = this.spec;
    return (
      saved ||
      before !== undefined ||
      after !== undefined ||
      tools.some(({ does }) => does === "asks")
    );
  }

  tools() {
    const { lib } = this;
    return this.spec.tools.map(({ does, isAsync, returnDirect }, number) => {
      const name = TOOLS[number];
      const act = ({ x }, config) => {
        const id = config.toolCall?.id ?? config.toolCallId;
        switch (does) {
          case "throws":
            throw new RangeError(`${name} ${x} fails`);
          case "asks":
            return `${name} heard ${lib.interrupt({ name, x })}`;
          case "commands":
            return new lib.Command({
              update: {
                messages: [
                  new lib.ToolMessage({ content: `${name} ${x} commands`, tool_call_id: id, name }),
                ],
              },
            });
          case "messages":
            return new lib.ToolMessage({
              content: `${name} ${x} itself`,
              tool_call_id: id,
              name,
              id: `own ${id}`,
            });
          case "object":
            return { name, x };
          case "empty":
            return "";
        }
        return `${name} ${x}`;
      };
      return tool(isAsync ? async (args, config) => (await null, act(args, config)) : act, {
        name,
        description: name,
        schema: { type: "object", properties: { x: { type: "number" } } },
        ...(returnDirect ? { returnDirect } : {}),
      });
    });
  }

  /** Says what the script says after as many of its answers as it is shown. */
  model() {
    const { lib, turns, trace } = this;
    const model = {
      lc_runnable: true,
      _modelType: () => "base_chat_model",
      bindTools: () => model,
      withStructuredOutput: (schema) => ({
        lc_runnable: true,
        invoke: async (messages) => ({
          schema: Object.keys(schema),
          count: messages.length,
          last: messages.at(-1).content,
        }),
      }),
      async invoke(messages) {
        trace.note(
          "asked",
          messages.map((message) => [message.getType(), message.content]),
        );
        const turn = messages.filter((message) => message.getType() === "ai").length;
        const script = turns[turn % (turns.length + 1)];
        const id = `ai${turn} of ${messages.length}`;
        if (script === undefined)
          return new lib.AIMessage({ content: `end ${messages.length}`, id });
        return new lib.AIMessage({
          content: "",
          id,
          tool_calls: script.map(({ tool, x }, i) => ({
            name: TOOLS[tool],
            args: { x },
            id: `call ${turn} ${messages.length} ${i}`,
            type: "tool_call",
          })),
        });
      },
    };
    return model;
  }

  hook(name, what) {
    const { lib, spec } = this;
    return (state) => {
      const extra = spec.hasState ? { seen: [`${name} ${state.messages.length}`] } : {};
      if (what === "messages")
        return {
          ...extra,
          messages: [new lib.HumanMessage({ content: `from ${name}`, id: `${name} hook` })],
        };
      if (what === "trim" && name === "pre")
        return { ...extra, llmInputMessages: state.messages.slice(-3) };
      return extra;
    };
  }

  build() {
    const { lib, spec } = this;
    const { createReactAgent } = this.trace.isPeer ? theirs : ours;
    // Each of several calls asks under an id of its own.
    if (spec.version === "v1" && this.turns.some(({ length }) => length > 1))
      this.trace.around.add("tools");
    const prompts = {
      text: "be kind",
      message: new lib.SystemMessage({ content: "be brief", id: "system" }),
      function: (state) => [
        new lib.SystemMessage(`of ${state.messages.length}`),
        ...(state.llmInputMessages ?? state.messages),
      ],
    };
    const schema = { type: "object", title: "answer", properties: { a: { type: "string" } } };
    const { Annotation } = lib;
    const state = Annotation.Root({
      ...lib.MessagesAnnotation.spec,
      seen: Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
      ...(spec.format === undefined ? {} : { structuredResponse: Annotation }),
    });
    return createReactAgent({
      llm: this.model(),
      tools: this.tools(),
      version: spec.version,
      ...(spec.prompt === undefined ? {} : { prompt: prompts[spec.prompt] }),
      ...(spec.pre === "none" ? {} : { preModelHook: this.hook("pre", spec.pre) }),
      ...(spec.post === "none" ? {} : { postModelHook: this.hook("post", spec.post) }),
      ...(spec.format === undefined
        ? {}
        : { responseFormat: spec.format === "schema" ? schema : { prompt: "tell", schema } }),
      ...(spec.hasState ? { stateSchema: state } : {}),
      ...(spec.before === undefined ? {} : { interruptBefore: spec.before }),
      ...(spec.after === undefined ? {} : { interruptAfter: spec.after }),
      ...(this.saved ? { checkpointer: new lib.MemorySaver() } : {}),
    });
  }

  stream(graph, input, config) {
    // How many turns a tool takes is its own affair, and that of what calls it (D1).
    const sorted = this.spec.version === "v2" ? "all" : false;
    return this.trace.stream(
      graph,
      input,
      thread("t", { recursionLimit: LIMIT, streamMode: ["updates", "values", "tasks"], ...config }),
      { sorted, fallible: true },
    );
  }

  input() {
    const number = this.inputs++;
    return {
      messages: [new this.lib.HumanMessage({ content: `hi ${number}`, id: `in${number}` })],
    };
  }

  async run() {
    const { trace } = this;
    const graph = this.build();
    await this.stream(graph, this.input());
    for (const [number, operation] of this.spec.operations.entries()) {
      if (!this.saved && operation.op !== "input") continue;
      trace.note("operation", operation.op);
      await this.operate(graph, operation, number);
      if (this.saved) await trace.state(graph, thread("t"));
    }
    if (this.saved) await trace.history(graph, thread("t"));
  }

  async operate(graph, { op, of, as, back }, number) {
    const { lib, trace } = this;
    switch (op) {
      case "resume":
      case "go on":
      case "input":
        return this.goOn(graph, op, number);
      case "resume by id": {
        const { tasks } = await graph.getState(thread("t"));
        const asked = tasks.flatMap(({ interrupts }) => interrupts.map(({ id }) => id));
        const chosen = asked.slice(0, of + 1).map((id) => [id, `r${number}`]);
        return chosen.length > 0
          ? this.stream(graph, new lib.Command({ resume: Object.fromEntries(chosen) }))
          : undefined;
      }
      case "update":
        return trace.update(
          graph,
          thread("t"),
          { messages: [new lib.AIMessage({ content: `edit ${number}`, id: `edit ${number}` })] },
          as,
        );
      case "replay":
        return this.replay(graph, thread("t"), back);
    }
  }
}

/**
 * A message of a tool has an id when its node returns it, in LangGraph.js when the step is applied
 * (D8): they are not compared.
 */
function withoutIds(value) {
  if (typeof value !== "object" || value === null) return;
  if (value["<message>"] === "tool" && /^[0-9a-f-]{36}$/.test(value.id)) delete value.id;
  for (const part of Object.values(value)) withoutIds(part);
}

/** @returns {(lib: any, t: import("./harness.mjs").Trace) => Promise<void>} */
export function programOf(spec) {
  return async (lib, trace) => {
    await new Program(spec, lib, trace).run();
    withoutIds(trace.seen);
  };
}
