// SPDX-License-Identifier: MIT
// Converts callbacks to one kind of record: a run started, produced a chunk, ended. Does not depend
// on the forms of streamEvents and streamLog.
import { pieceOf } from "../../messages/ai.js";
import { linkChunks } from "../../messages/base.js";
import { mergeConfigs } from "../../base/merge-configs.js";
import { ON_CHUNK } from "../../streams/chunk-writer.js";
import { fieldsOf } from "../../callbacks/notify-handlers.js";

/** @typedef {import("../../calls/limits.js").ModelResult} ModelResult */
/** @typedef {{ id?: string[] }} Serialized a Runnable, model or tool in LangChain's form */
/** @typedef {Record<string, unknown>} Fields */
/** @typedef {import("../../graph/compiled.js").Compiled} Compiled */
/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../models/base.js").ModelLike} ModelLike */
/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("../../base/callable.js").Value} Value */
/**
 * @typedef {{ id: string, type: string, name: string, tags: string[], metadata: Record<string,
 *   unknown>, input: unknown, isWrapped: boolean, isLate: boolean }} Run `isLate`: its input is
 *   known only at its end
 */
/**
 * @typedef {object} Listener
 * @property {(run: Run) => void} start
 * @property {(run: Run, chunk: unknown, first: Message, text: string) => void} piece a chunk of a
 *   model's answer; `first` is its form in version 1 and the log
 * @property {(run: Run, chunk: unknown) => void} part a chunk of a nested run's output
 * @property {(run: Run, output: unknown, outputs: unknown) => void} end `outputs` is always an
 *   object
 * @property {(run: Run, error: unknown) => void} fail
 * @property {(name: string, data: unknown, runId: string, tags: string[], metadata: Record<string,
 *   unknown>) => void} custom
 */

/** Records callbacks; has the shape of LangChain's BaseCallbackHandler. */
export class Recorder {
  /** Name by which LangChain finds the handler for chunks that pass its own Runnables. */
  name = "event_stream_tracer";
  awaitHandlers = true;
  lc_prefer_streaming = true;
  /** @type {Map<string, Run>} */
  #runs = new Map();

  /** @param {Listener} listener */
  constructor(listener) {
    this.listener = listener;
  }

  copy() {
    return this;
  }

  /**
   * @param {string} type
   * @param {Serialized | undefined} serialized
   * @param {string} id
   * @param {unknown} input
   * @param {string[] | undefined} tags
   * @param {Record<string, unknown>} metadata
   * @param {string | undefined} name
   * @param {boolean} [isWrapped] the input was not an object
   * @param {boolean} [isLate]
   */
  #start(
    type,
    serialized,
    id,
    input,
    tags,
    metadata,
    name = serialized?.id?.at(-1) ?? "Unnamed",
    isWrapped = false,
    isLate = false,
  ) {
    const run = {
      id,
      type,
      name,
      tags: tags ?? [],
      metadata: metadata ?? {},
      input,
      isWrapped,
      isLate,
    };
    this.#runs.set(id, run);
    this.listener.start(run);
  }

  /** @param {string} id @param {unknown} output @param {unknown} [outputs] */
  #end(id, output, outputs = output) {
    this.#over(id, (run) => this.listener.end(run, output, outputs));
  }

  /** @param {string} id @param {unknown} error */
  #fail(id, error) {
    this.#over(id, (run) => this.listener.fail(run, error));
  }

  /** @param {string} id @param {(run: Run) => void} show reports its end */
  #over(id, show) {
    const run = this.#runs.get(id);
    if (run === undefined) return;
    this.#runs.delete(id);
    show(run);
  }

  /**
   * @param {Serialized} chain
   * @param {Fields} inputs
   * @param {string} id
   * @param {unknown} _parent
   * @param {string[]} tags
   * @param {Record<string, unknown>} metadata
   * @param {string | undefined} type
   * @param {string} name
   */
  handleChainStart(chain, inputs, id, _parent, tags, metadata, type, name) {
    const input = inputs?.input === undefined ? inputs : inputs.input;
    const isLate = input === "" && Object.keys(inputs).length === 1;
    return this.#start(
      type ?? "chain",
      chain,
      id,
      isLate ? {} : input,
      tags,
      metadata,
      name,
      !isLate && inputs?.input !== undefined,
      isLate,
    );
  }

  /**
   * @param {Fields | undefined} outputs
   * @param {string} id
   * @param {unknown} [_parent]
   * @param {string[]} [_tags]
   * @param {{ inputs?: Fields }} [told] with the input, if it was not known at the start
   */
  handleChainEnd(outputs, id, _parent, _tags, told) {
    const run = this.#runs.get(id);
    if (run !== undefined && told?.inputs !== undefined)
      run.input = told.inputs.input ?? told.inputs;
    else if (run?.isLate) run.input = { input: "" };
    return this.#end(id, outputs?.output ?? outputs, fieldsOf(outputs, "output"));
  }

  /**
   * Reports a nested run's output as it passes.
   * @param {string} id
   * @param {AsyncIterable<unknown>} chunks
   */
  async *tapOutputIterable(id, chunks) {
    for await (const chunk of chunks) {
      const run = this.#runs.get(id);
      if (run !== undefined) this.listener.part(run, chunk);
      yield chunk;
    }
  }

  /** @param {unknown} error @param {string} id */
  handleChainError(error, id) {
    return this.#fail(id, error);
  }

  /**
   * @param {ModelLike} model
   * @param {Message[]} messages
   * @param {string} id
   * @param {unknown} _parent
   * @param {unknown} _extra
   * @param {string[]} tags
   * @param {Record<string, unknown>} metadata
   * @param {string} name
   */
  handleChatModelStart(model, messages, id, _parent, _extra, tags, metadata, name) {
    return this.#start(
      "chat_model",
      /** @type {Serialized} */ (model),
      id,
      { messages },
      tags,
      metadata,
      name,
    );
  }

  /**
   * @param {ModelLike} model
   * @param {unknown} prompts
   * @param {string} id
   * @param {unknown} _parent
   * @param {unknown} _extra
   * @param {string[]} tags
   * @param {Record<string, unknown>} metadata
   * @param {string} name
   */
  handleLLMStart(model, prompts, id, _parent, _extra, tags, metadata, name) {
    return this.#start(
      "llm",
      /** @type {Serialized} */ (model),
      id,
      { prompts },
      tags,
      metadata,
      name,
    );
  }

  /**
   * @param {string} token
   * @param {unknown} _index
   * @param {string} id
   * @param {unknown} _parent
   * @param {string[]} _tags
   * @param {Value} fields
   */
  handleLLMNewToken(token, _index, id, _parent, _tags, fields) {
    const run = this.#runs.get(id);
    if (run === undefined) return;
    const isChat = run.type === "chat_model";
    const chunk = isChat ? pieceOf(token, fields, `run-${id}`) : (fields?.chunk ?? { text: token });
    this.listener.piece(run, chunk, isChat ? (fields?.chunk ?? chunk) : token, token);
  }

  /** @param {ModelResult | undefined} output @param {string} id */
  handleLLMEnd(output, id) {
    linkChunks(output?.generations?.[0]?.[0]?.message);
    return this.#end(id, output);
  }

  /** @param {unknown} error @param {string} id */
  handleLLMError(error, id) {
    return this.#fail(id, error);
  }

  /**
   * @param {ToolLike} tool
   * @param {unknown} input
   * @param {string} id
   * @param {unknown} _parent
   * @param {string[]} tags
   * @param {Record<string, unknown>} metadata
   * @param {string} name
   */
  handleToolStart(tool, input, id, _parent, tags, metadata, name) {
    return this.#start(
      "tool",
      /** @type {Serialized} */ (tool),
      id,
      parse(input),
      tags,
      metadata,
      name,
    );
  }

  /** @param {unknown} output @param {string} id */
  handleToolEnd(output, id) {
    return this.#end(id, output, { output });
  }

  /** @param {unknown} error @param {string} id */
  handleToolError(error, id) {
    return this.#fail(id, error);
  }

  /**
   * @param {unknown} retriever
   * @param {string} query
   * @param {string} id
   * @param {unknown} _parent
   * @param {string[]} tags
   * @param {Record<string, unknown>} metadata
   * @param {string} name
   */
  handleRetrieverStart(retriever, query, id, _parent, tags, metadata, name) {
    return this.#start(
      "retriever",
      /** @type {Serialized} */ (retriever),
      id,
      { query },
      tags,
      metadata,
      name,
    );
  }

  /** @param {unknown} documents @param {string} id */
  handleRetrieverEnd(documents, id) {
    return this.#end(id, documents, { documents });
  }

  /** @param {unknown} error @param {string} id */
  handleRetrieverError(error, id) {
    return this.#fail(id, error);
  }

  /**
   * @param {string} name
   * @param {unknown} data
   * @param {string} id
   * @param {string[]} tags
   * @param {Record<string, unknown>} metadata
   */
  handleCustomEvent(name, data, id, tags, metadata) {
    const run = this.#runs.get(id);
    this.listener.custom(name, data, id, run?.tags ?? tags ?? [], run?.metadata ?? metadata ?? {});
  }
}

/** @param {unknown} input of a tool: JSON, or a text */
function parse(input) {
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    return { input };
  }
}

/**
 * Finds the Runnable whose events are reported: the one in a binding, with the binding's config.
 * @param {Value} runnable
 * @param {Value} options
 * @returns {{ graph: any, asked: Value }}
 */
export function rootOf(runnable, options) {
  if (runnable.bound?.lc_runnable !== true || runnable.listeners !== undefined)
    return { graph: runnable, asked: options };
  if (runnable._work === "RunnableToolLike")
    return { graph: runnable, asked: { runName: runnable.name, ...options } };
  return rootOf(runnable.bound, mergeConfigs(runnable.config, options));
}

/**
 * Follows a run to its end. A graph reports its chunks as they are made, so that its output comes
 * before what it does next; the chunks of other Runnables are read from their stream.
 * @param {Compiled} graph
 * @param {unknown} input
 * @param {Value} options
 * @param {Listener} listener
 * @param {(chunk: unknown) => void} onChunk
 */
export async function record(graph, input, options, listener, onChunk) {
  const recorder = new Recorder(listener);
  const { callbacks } = options;
  const own = {
    ...options,
    callbacks: callbacks?.copy?.([recorder]) ?? [...(callbacks ?? []), recorder],
  };
  if (graph._tellsChunks !== true) {
    for await (const chunk of await graph.stream(input, own)) onChunk(chunk);
    return;
  }
  const chunks = await graph.stream(input, { ...own, [ON_CHUNK]: onChunk });
  for await (const _ of chunks);
}

/**
 * @typedef {{ includeNames?: string[], includeTypes?: string[], includeTags?: string[],
 *   excludeNames?: string[], excludeTypes?: string[], excludeTags?: string[] }} Filter
 */

/**
 * @param {Filter | null | undefined} filter
 * @param {{ name: string, type: string, tags: string[] }} run
 * @returns {boolean}
 */
export function isWanted(filter, { name, type, tags }) {
  if (filter === undefined || filter === null) return true;
  const { includeNames, includeTypes, includeTags, excludeNames, excludeTypes, excludeTags } =
    filter;
  const isIn =
    (includeNames ?? includeTypes ?? includeTags) === undefined ||
    includeNames?.includes(name) ||
    includeTypes?.includes(type) ||
    includeTags?.some((tag) => tags.includes(tag));
  return (
    !!isIn &&
    !excludeNames?.includes(name) &&
    !excludeTypes?.includes(type) &&
    !excludeTags?.some((tag) => tags.includes(tag))
  );
}
