// SPDX-License-Identifier: MIT
// Runs a graph and writes what it streams into an event log, in the events that clients of an Agent
// Server read. Unknown stream modes are passed over: clients are newer than servers.
import { IN_LOOP } from "../../streams/chunk-writer.js";
import { MODES } from "../../streams/stream-modes.js";
import { shown } from "../../streams/server-events.js";
import { streamedMessage } from "./message-writer.js";
import { RootState } from "./root-state.js";
import { toJson } from "../http/wire.js";

/** @typedef {import("../http/fields.js").Json} Json */
/** @typedef {import("../http/event-log.js").EventLog} EventLog */
/** @typedef {import("../graphs.js").ServedGraph} ServedGraph */
/** @typedef {[namespace: string[], mode: string, payload: unknown]} Chunk */
/** @typedef {import("../../streams/chunk-stream.js").RunStream} Ended */
/**
 * @typedef {{ id?: string, concat?: (next: unknown) => Piece, tool_call_chunks?: unknown }} Piece
 */

/** What a graph is asked for, by the mode that a client names. @type {Record<string, string>} */
const ASKED = {
  ...Object.fromEntries(MODES.map((mode) => [mode, mode])),
  "messages-tuple": "messages",
};
/** @type {string[]} */
const ROOT = [];

export class RunStream extends RootState {
  #log;
  #modes;
  #subgraphs;
  #onChunk;
  /**
   * The checkpoint with which the thread is at its end; undefined: its state says where it is.
   * @type {string | undefined}
   */
  last;
  /** Messages that grow, by id, for the old mode `messages`. @type {Map<string, Piece>} */
  #growing = new Map();
  /** Ids that the old mode has sent as complete. @type {Set<string>} */
  #complete = new Set();

  /**
   * @param {EventLog} log
   * @param {{ modes: string[], subgraphs: boolean, onChunk?: (chunk: unknown) => unknown }} wanted
   *   `onChunk`: gets the graph's own chunks too, and is waited for
   */
  constructor(log, { modes, subgraphs, onChunk }) {
    super();
    this.#log = log;
    this.#onChunk = onChunk;
    this.#modes = new Set(modes);
    this.#subgraphs = subgraphs;
  }

  /**
   * @param {ServedGraph} graph
   * @param {unknown} input
   * @param {Json} config with the run's signal
   * @returns {Promise<void>} the run's end; rejects with its error
   */
  async run(graph, input, config) {
    const wanted = [...this.#modes]
      .filter((mode) => Object.hasOwn(ASKED, mode))
      .map((mode) => ASKED[mode]);
    const streamMode = [...new Set(["values", ...wanted])];
    const options = { ...config, streamMode, subgraphs: this.#subgraphs };
    if (this.#modes.has("events")) await this.#runWithEvents(graph, input, options);
    else {
      // A stream that is overridden may use it as what it is.
      const own = graph._tellsChunks ? { ...options, [IN_LOOP]: true } : options;
      const chunks = await graph.stream(input, own);
      for await (const chunk of chunks) {
        this.#emit(chunk);
        // An await costs as much as the event.
        if (this.#onChunk !== undefined) await this.#onChunk(chunk);
      }
      if (graph._tellsChunks) this.last = lastOf(/** @type {Ended} */ (chunks));
    }
    if (this.#modes.has("messages")) this.#emitComplete(this.values);
  }

  /** @param {ServedGraph} graph @param {unknown} input @param {Json} options */
  async #runWithEvents(graph, input, options) {
    const root = options.runId;
    for await (const event of graph.streamEvents(input, { ...options, version: "v2" })) {
      this.#log.append("events", toJson(event, true));
      const { chunk } = event.data ?? {};
      if (event.event === "on_chain_stream" && event.run_id === root && Array.isArray(chunk))
        this.#emit(chunk);
    }
  }

  /** @param {unknown} chunk with its namespace, where those of graphs inside come too */
  #emit(chunk) {
    if (this.#subgraphs) this.#emitFrom(.../** @type {Chunk} */ (chunk));
    else this.#emitFrom(ROOT, .../** @type {[string, unknown]} */ (chunk));
  }

  /** @param {string[]} namespace @param {string} mode @param {unknown} payload */
  #emitFrom(namespace, mode, payload) {
    if (mode === "values") this.#emitValues(namespace, payload);
    else if (mode === "messages")
      this.#emitMessage(namespace, /** @type {[Piece, Json]} */ (payload));
    else if (this.#modes.has(mode)) this.#append(mode, namespace, shown(mode, payload));
  }

  /** @param {string[]} namespace @param {unknown} payload */
  #emitValues(namespace, payload) {
    const values = namespace.length === 0 ? this.take(payload) : payload;
    if (this.#modes.has("values") || this.#modes.size === 0)
      this.#append("values", namespace, values);
    if (this.#modes.has("messages") && namespace.length === 0) this.#emitComplete(this.values);
  }

  /** @param {string[]} namespace @param {[Piece, Json]} payload */
  #emitMessage(namespace, [message, metadata]) {
    if (namespace.length === 0) this.partial.addPiece(message, metadata.langgraph_node);
    if (this.#modes.has("messages-tuple"))
      this.#log.append(nameOf("messages", namespace), streamedMessage(message, metadata));
    if (!this.#modes.has("messages") || message.id === undefined) return;
    const before = this.#growing.get(message.id);
    const whole = before?.concat === undefined ? message : before.concat(message);
    this.#growing.set(message.id, whole);
    if (before === undefined)
      this.#append("messages/metadata", namespace, { [message.id]: { metadata } });
    const isPiece = "tool_call_chunks" in message;
    if (!isPiece) this.#complete.add(message.id);
    this.#append(isPiece ? "messages/partial" : "messages/complete", namespace, [whole]);
  }

  /** Messages of a state that were not sent as complete. @param {Json | undefined} values */
  #emitComplete(values) {
    const messages = Array.isArray(values?.messages) ? values.messages : [];
    const fresh = messages.filter(({ id }) => id !== undefined && !this.#complete.has(id));
    if (fresh.length === 0) return;
    for (const { id } of fresh) this.#complete.add(id);
    this.#append("messages/complete", [], fresh);
  }

  /** @param {string} event @param {string[]} namespace @param {unknown} data */
  #append(event, namespace, data) {
    this.#log.append(nameOf(event, namespace), toJson(data));
  }
}

/** @param {Ended} stream that is read to its end @returns {string | undefined} */
function lastOf({ result }) {
  const isOver = result?.interrupted === false && result.breakpoint === undefined;
  return isOver ? result.checkpointId : undefined;
}

/** @param {string} event @param {string[]} namespace @returns {string} */
function nameOf(event, namespace) {
  return namespace.length === 0 ? event : [event, ...namespace].join("|");
}

/** @param {unknown} error @returns {Json} what a client sees of an error: never its stack */
export function errorOf(error) {
  const { name, message } = /** @type {Error} */ (error ?? {});
  return {
    error: typeof name === "string" ? name : "Error",
    message: typeof message === "string" ? message : String(error),
  };
}
