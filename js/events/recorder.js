// SPDX-License-Identifier: MIT
// Knows: what callbacks tell of runs, as one kind of record: run started, gave a piece, ended. Must not know: the forms
// in which streamEvents and streamLog show it.
import { pass } from "../callbacks/trace.js";
import { AIMessageChunk } from "../messages/index.js";
import { mergeConfigs } from "../pregel/merge.js";
import { fieldsOf } from "../runnable/told.js";

/** @typedef {{ id: string, type: string, name: string, tags: string[], metadata: Record<string, any>, input: any, isWrapped: boolean, isLate: boolean }} Run `isLate`: its input is known at its end */
/**
 * @typedef {object} Listener
 * @property {(run: Run) => void} start
 * @property {(run: Run, chunk: any, first: any, text: string) => void} piece of a model's answer; `first` is what version 1 and the log show
 * @property {(run: Run, chunk: any) => void} part of what a run below gives
 * @property {(run: Run, output: any, outputs: any) => void} end `outputs` is always an object
 * @property {(run: Run, error: any) => void} fail
 * @property {boolean} [isSecond] is it version 2, in which an end is told earlier?
 * @property {boolean} [isLog] is it streamLog, in which a start is told earlier?
 * @property {(name: string, data: any, runId: string, tags: string[], metadata: Record<string, any>) => void} custom
 */

/** What LangChain takes, in turns of the microtask queue, to tell of a start and of an end; by how much version 1 and the log tell of an end later, and what is left then. */
const START_TURNS = 7;
const END_TURNS = 11;
const LAG_TURNS = 3;
const LOG_TURNS = 2;
const LAGGED_TURNS = 7;
/** Of a piece in version 2 and elsewhere, of a custom event there and where it is not shown. */
const PIECE_TURNS = 7;
const FIRST_PIECE_TURNS = 5;
const CUSTOM_TURNS = 8;
const UNTOLD_TURNS = 4;
/** Between two that are told at once. */
const TOLD_TURNS = 2;
/** Until a chunk is told, more for the first one, and between two. */
const READ_TURNS = 12;
const FIRST_TURNS = 2;
const NEXT_TURNS = 10;
/** More between what a step gave and what the next one begins with. */
const STEP_TURNS = 2;
/** By how much LangGraph.js makes these later than what a step's tasks gave. @type {Record<string, number | undefined>} */
const LATE_TURNS = { values: 11, checkpoints: 15, checkpoint: 15, task: 15 };

/** Its shape is LangChain's BaseCallbackHandler. */
export class Recorder {
  /** By which LangChain knows whom to show what passes through its own Runnables. */
  name = "event_stream_tracer";
  awaitHandlers = true;
  lc_prefer_streaming = true;
  /** Whoever tells of runs takes LangGraph.js's turns, so that chunks come in its order among events. */
  paces = true;
  /** @type {Map<string, Run>} */
  #runs = new Map();

  /** What is told last, and the turns until then. */
  #last = { turns: 0 };

  /** @param {Listener} listener */
  constructor(listener) {
    this.listener = listener;
  }

  /** What is told at once comes one after the other. @param {number} turns */
  async #tell(turns) {
    const own = (this.#last = { turns: Math.max(turns, this.#last.turns + TOLD_TURNS) });
    for (; own.turns > 0; own.turns--) await undefined;
  }

  copy() {
    return this;
  }

  /** @param {string} type @param {any} serialized @param {string} id @param {any} input @param {string[] | undefined} tags @param {any} metadata @param {string | undefined} name @param {boolean} [isWrapped] the input was no object @param {boolean} [isLate] */
  async #start(type, serialized, id, input, tags, metadata, name = serialized?.id?.at(-1) ?? "Unnamed", isWrapped = false, isLate = false) {
    const run = { id, type, name, tags: tags ?? [], metadata: metadata ?? {}, input, isWrapped, isLate };
    this.#runs.set(id, run);
    if (!this.listener.isLog) await undefined;
    this.listener.start(run);
    return this.#tell(START_TURNS);
  }

  /** @param {string} id @param {any} output @param {any} [outputs] */
  #end(id, output, outputs = output) {
    return this.#over(id, (run) => this.listener.end(run, output, outputs));
  }

  /** @param {string} id @param {unknown} error */
  #fail(id, error) {
    return this.#over(id, (run) => this.listener.fail(run, error));
  }

  /** @param {string} id @param {(run: Run) => void} show its end */
  async #over(id, show) {
    const run = this.#runs.get(id);
    if (run === undefined) return undefined;
    this.#runs.delete(id);
    const { isSecond, isLog } = this.listener;
    if (run.type === "chat_model" || run.type === "llm") await undefined;
    if (!isSecond) await pass(isLog ? LOG_TURNS : LAG_TURNS);
    show(run);
    return this.#tell(isSecond ? END_TURNS : LAGGED_TURNS);
  }

  /** @param {any} chain @param {any} inputs @param {string} id @param {any} _parent @param {any} tags @param {any} metadata @param {any} type @param {any} name */
  handleChainStart(chain, inputs, id, _parent, tags, metadata, type, name) {
    const input = inputs?.input === undefined ? inputs : inputs.input;
    const isLate = input === "" && Object.keys(inputs).length === 1;
    return this.#start(type ?? "chain", chain, id, isLate ? {} : input, tags, metadata, name, !isLate && inputs?.input !== undefined, isLate);
  }

  /** @param {any} outputs @param {string} id @param {any} [_parent] @param {any} [_tags] @param {any} [told] with what came in, where that was not known at first */
  handleChainEnd(outputs, id, _parent, _tags, told) {
    const run = this.#runs.get(id);
    if (run !== undefined && told?.inputs !== undefined) run.input = told.inputs.input ?? told.inputs;
    else if (run?.isLate) run.input = { input: "" };
    return this.#end(id, outputs?.output ?? outputs, fieldsOf(outputs, "output"));
  }

  /** What a run below gives, as it passes. @param {string} id @param {AsyncIterable<any>} chunks */
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

  /** @param {any} model @param {any} messages @param {string} id @param {any} _parent @param {any} _extra @param {any} tags @param {any} metadata @param {any} name */
  handleChatModelStart(model, messages, id, _parent, _extra, tags, metadata, name) {
    return this.#start("chat_model", model, id, { messages }, tags, metadata, name);
  }

  /** @param {any} model @param {any} prompts @param {string} id @param {any} _parent @param {any} _extra @param {any} tags @param {any} metadata @param {any} name */
  handleLLMStart(model, prompts, id, _parent, _extra, tags, metadata, name) {
    return this.#start("llm", model, id, { prompts }, tags, metadata, name);
  }

  /** @param {string} token @param {any} _index @param {string} id @param {any} _parent @param {any} _tags @param {any} fields */
  async handleLLMNewToken(token, _index, id, _parent, _tags, fields) {
    const run = this.#runs.get(id);
    if (run === undefined) return undefined;
    const isChat = run.type === "chat_model";
    const chunk = isChat ? (fields?.chunk?.message ?? new AIMessageChunk({ content: token, id: `run-${id}` })) : (fields?.chunk ?? { text: token });
    const { isSecond } = this.listener;
    await undefined;
    if (!isSecond) await undefined;
    this.listener.piece(run, chunk, isChat ? (fields?.chunk ?? chunk) : token, token);
    return this.#tell(isSecond ? PIECE_TURNS : FIRST_PIECE_TURNS);
  }

  /** @param {any} output @param {string} id */
  handleLLMEnd(output, id) {
    return this.#end(id, output);
  }

  /** @param {unknown} error @param {string} id */
  handleLLMError(error, id) {
    return this.#fail(id, error);
  }

  /** @param {any} tool @param {any} input @param {string} id @param {any} _parent @param {any} tags @param {any} metadata @param {any} name */
  handleToolStart(tool, input, id, _parent, tags, metadata, name) {
    return this.#start("tool", tool, id, parse(input), tags, metadata, name);
  }

  /** @param {any} output @param {string} id */
  handleToolEnd(output, id) {
    return this.#end(id, output, { output });
  }

  /** @param {unknown} error @param {string} id */
  handleToolError(error, id) {
    return this.#fail(id, error);
  }

  /** @param {any} retriever @param {string} query @param {string} id @param {any} _parent @param {any} tags @param {any} metadata @param {any} name */
  handleRetrieverStart(retriever, query, id, _parent, tags, metadata, name) {
    return this.#start("retriever", retriever, id, { query }, tags, metadata, name);
  }

  /** @param {any} documents @param {string} id */
  handleRetrieverEnd(documents, id) {
    return this.#end(id, documents, { documents });
  }

  /** @param {unknown} error @param {string} id */
  handleRetrieverError(error, id) {
    return this.#fail(id, error);
  }

  /** @param {string} name @param {any} data @param {string} id @param {any} tags @param {any} metadata */
  handleCustomEvent(name, data, id, tags, metadata) {
    const run = this.#runs.get(id);
    this.listener.custom(name, data, id, run?.tags ?? tags ?? [], run?.metadata ?? metadata ?? {});
    return this.#tell(this.listener.isSecond ? CUSTOM_TURNS : UNTOLD_TURNS);
  }
}

/** @param {any} input of a tool: JSON, or a text */
function parse(input) {
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    return { input };
  }
}

/**
 * Whose events are shown: what a binding binds, with its config.
 * @param {any} runnable
 * @param {any} options
 * @returns {{ graph: any, asked: any }}
 */
export function rootOf(runnable, options) {
  if (runnable.bound?.lc_runnable !== true || runnable.listeners !== undefined) return { graph: runnable, asked: options };
  if (runnable._work === "RunnableToolLike") return { graph: runnable, asked: { runName: runnable.name, ...options } };
  return rootOf(runnable.bound, mergeConfigs(runnable.config, options));
}

/**
 * Follows a run of a graph to its end.
 * @param {any} graph
 * @param {any} input
 * @param {any} options
 * @param {Listener} listener
 * @param {(chunk: any) => void} onChunk
 */
export async function record(graph, input, options, listener, onChunk) {
  const recorder = new Recorder(listener);
  const { callbacks } = options;
  const chunks = await graph.stream(input, { ...options, callbacks: callbacks?.copy?.([recorder]) ?? [...(callbacks ?? []), recorder] });
  const { streamMode = "updates" } = options;
  let shown;
  let before = 0;
  try {
    for await (const chunk of chunks) {
      // What is made of graphs, as a sequence, gives its chunks at once.
      if (graph._parts === undefined) {
        onChunk(chunk);
        continue;
      }
      const mode = Array.isArray(streamMode) ? chunk?.at?.(-2) : streamMode;
      const kind = kindOf(mode, Array.isArray(chunk) ? chunk.at(-1) : chunk);
      const late = LATE_TURNS[kind] ?? 0;
      shown = show(pass, shown, READ_TURNS + (shown ? 0 : FIRST_TURNS) + late, NEXT_TURNS + (late > before ? STEP_TURNS : 0), () => onChunk(chunk));
      before = late;
    }
  } finally {
    await shown;
  }
}

/** What a chunk tells; a call of task() begins at once. @param {string} mode @param {any} payload @returns {string} */
function kindOf(mode, payload) {
  if (mode === "debug") return payload?.type === "task" ? kindOf("tasks", payload.payload) : payload?.type;
  return mode === "tasks" && payload?.triggers && !Array.isArray(payload.input) ? "task" : mode;
}

/**
 * A chunk comes out as late as in LangGraph.js, and as late after the one before it.
 * @param {(turns: number) => Promise<void>} pass
 * @param {Promise<void> | undefined} before
 * @param {number} turns
 * @param {number} gap
 * @param {() => void} tell
 */
async function show(pass, before, turns, gap, tell) {
  await Promise.all([pass(turns), before?.then(() => pass(gap))]);
  tell();
}

/** @typedef {{ includeNames?: string[], includeTypes?: string[], includeTags?: string[], excludeNames?: string[], excludeTypes?: string[], excludeTags?: string[] }} Filter */

/** @param {Filter | null | undefined} filter @param {{ name: string, type: string, tags: string[] }} run @returns {boolean} */
export function isWanted(filter, { name, type, tags }) {
  if (filter === undefined || filter === null) return true;
  const { includeNames, includeTypes, includeTags, excludeNames, excludeTypes, excludeTags } = filter;
  const isIn = (includeNames ?? includeTypes ?? includeTags) === undefined || includeNames?.includes(name) || includeTypes?.includes(type) || includeTags?.some((tag) => tags.includes(tag));
  return !!isIn && !excludeNames?.includes(name) && !excludeTypes?.includes(type) && !excludeTags?.some((tag) => tags.includes(tag));
}
