// SPDX-License-Identifier: MIT
// Tells what LangChain's callbacks mean for spans: which runs have one, its name and attributes.
// Other chains (sequences, conditions) are parts of the node above them.
import { answerAttributes, answerOf, requestAttributes } from "./attributes.js";
import { messageOf } from "./content.js";

/** @typedef {import("./attributes.js").Fields} Fields */
/** @typedef {import("./entry.js").Entry} Entry */

const CLIENT = 2;
const HIDDEN = "langsmith:hidden";
const STEP = /^graph:step:/;
const UPDATE = /UpdateState$/;
const TRACE_POLICY = Symbol.for("langchain.trace_policy");

/** LangChain's methods of a handler, over the spans of runs under way. */
export class Events {
  #spans;

  /** @param {import("./spans.js").Spans} spans */
  constructor(spans) {
    this.#spans = spans;
  }

  /**
   * @param {{ id?: string[] } | undefined} chain
   * @param {unknown} inputs
   * @param {string} runId
   * @param {string} [parentRunId]
   * @param {string[]} [tags]
   * @param {Fields} [metadata]
   * @param {string} [_type]
   * @param {string} [name]
   * @param {Record<symbol, Entry["policy"]>} [extra]
   */
  handleChainStart(
    chain,
    inputs,
    runId,
    parentRunId,
    tags = [],
    metadata = {},
    _type,
    name,
    extra,
  ) {
    const parent = this.#spans.get(parentRunId);
    const step = tags.find((tag) => STEP.test(tag))?.slice(11);
    const isGraph = chain?.id?.[1] === "pregel";
    if (tags.includes(HIDDEN) || (step === undefined && !isGraph)) {
      this.#spans.begin(runId, "", "", parent, metadata);
      return;
    }
    const entry =
      step === undefined
        ? this.#beginGraph(runId, parent, String(name), metadata)
        : this.#beginNode(runId, parent, String(name), Number(step), metadata);
    const policy = extra?.[TRACE_POLICY];
    if (entry !== undefined) entry.policy = policy;
    this.#spans.hold(entry, "langgraph.input", "input", () =>
      policy?.processInputs === undefined ? inputs : policy.processInputs(inputs),
    );
  }

  /**
   * @param {string} runId
   * @param {Entry | undefined} parent
   * @param {string} name
   * @param {Fields} metadata
   */
  #beginGraph(runId, parent, name, metadata) {
    const isUpdate = UPDATE.test(name);
    const agent = isUpdate || name === "LangGraph" ? undefined : name;
    const operation = isUpdate ? "update_state" : "invoke_agent";
    return this.#spans.begin(
      runId,
      "run",
      operation,
      parent,
      metadata,
      {
        "gen_ai.operation.name": operation,
        "gen_ai.agent.name": agent,
      },
      agent,
    );
  }

  /**
   * @param {string} runId
   * @param {Entry | undefined} graph
   * @param {string} name
   * @param {number} number of the step
   * @param {Fields} metadata
   */
  #beginNode(runId, graph, name, number, metadata) {
    const step = graph && this.#spans.stepOf(graph, number);
    const task = metadata.langgraph_checkpoint_ns;
    const attempt = (step?.attempts.get(task) ?? 0) + 1;
    step?.attempts.set(task, attempt);
    const entry = this.#spans.begin(
      runId,
      "node",
      "node",
      step?.entry ?? graph,
      metadata,
      {
        "langgraph.node": name,
        "langgraph.step": number,
        "langgraph.checkpoint_ns": task,
        "langgraph.attempt": attempt > 1 ? attempt : undefined,
      },
      name,
    );
    if (entry !== undefined) this.#spans.enter(entry, name);
    return entry;
  }

  /** @param {unknown} outputs @param {string} runId */
  handleChainEnd(outputs, runId) {
    this.#spans.end(runId, undefined, (entry) => {
      const { policy } = entry;
      this.#spans.hold(entry, "langgraph.output", "output", () =>
        policy?.processOutputs === undefined ? outputs : policy.processOutputs(outputs),
      );
    });
  }

  /** @param {unknown} error @param {string} runId */
  handleChainError(error, runId) {
    this.#spans.fail(runId, error);
  }

  /**
   * @param {unknown} _model
   * @param {unknown[][]} lists
   * @param {string} runId
   * @param {string} [parentRunId]
   * @param {unknown} [extra]
   * @param {string[]} [_tags]
   * @param {Fields} [metadata]
   */
  handleChatModelStart(_model, lists, runId, parentRunId, extra, _tags, metadata = {}) {
    const parent = this.#spans.get(parentRunId);
    const attributes = requestAttributes("chat", extra, metadata);
    const model = attributes["gen_ai.request.model"];
    const entry = this.#spans.begin(
      runId,
      "model",
      "chat",
      parent,
      metadata,
      attributes,
      model,
      CLIENT,
    );
    this.#spans.hold(entry, "gen_ai.input.messages", "input", () =>
      lists.flat().map((message) => messageOf(/** @type {Fields} */ (message))),
    );
  }

  /** @param {unknown} output @param {string} runId */
  handleLLMEnd(output, runId) {
    const message = answerOf(output);
    this.#spans.end(runId, undefined, (entry) => {
      this.#spans.add(entry, answerAttributes(message));
      this.#spans.hold(entry, "gen_ai.output.messages", "output", () => [messageOf(message)]);
    });
  }

  /** @param {unknown} error @param {string} runId */
  handleLLMError(error, runId) {
    this.#spans.fail(runId, error);
  }

  /**
   * @param {{ name?: string } | undefined} tool
   * @param {string} input
   * @param {string} runId
   * @param {string} [parentRunId]
   * @param {string[]} [_tags]
   * @param {Fields} [metadata]
   * @param {string} [name]
   * @param {string} [callId]
   */
  handleToolStart(tool, input, runId, parentRunId, _tags, metadata = {}, name, callId) {
    const parent = this.#spans.get(parentRunId);
    const operation = "execute_tool";
    const called = name ?? tool?.name;
    const entry = this.#spans.begin(
      runId,
      "tool",
      operation,
      parent,
      metadata,
      {
        "gen_ai.operation.name": operation,
        "gen_ai.tool.name": called,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": callId,
      },
      called,
    );
    this.#spans.hold(entry, "gen_ai.tool.call.arguments", "input", () => parsed(input));
  }

  /** @param {unknown} output @param {string} runId */
  handleToolEnd(output, runId) {
    this.#spans.end(runId, undefined, (entry) =>
      this.#spans.hold(
        entry,
        "gen_ai.tool.call.result",
        "output",
        () => Object(output).content ?? output,
      ),
    );
  }

  /** @param {unknown} error @param {string} runId */
  handleToolError(error, runId) {
    this.#spans.fail(runId, error);
  }
}

/** @param {string} input of a tool, a text of JSON or another one */
function parsed(input) {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}
