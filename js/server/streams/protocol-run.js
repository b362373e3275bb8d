// SPDX-License-Identifier: MIT
// Runs a graph and writes what happens into its thread's log, in the events of protocol v2.
import { isRecord } from "../../base/check-arguments.js";
import { INTERRUPT } from "../../base/constants.js";
import { namesOf } from "../../base/namespace.js";
import { RootState } from "./root-state.js";
import { errorOf } from "./run-stream.js";
import { toJson } from "../http/wire.js";

/** @typedef {import("../http/fields.js").Json} Json */
/** @typedef {import("../http/event-log.js").EventLog} EventLog */
/** @typedef {import("../graphs.js").ServedGraph} ServedGraph */
/**
 * @typedef {{ method: string, params: { namespace: string[], timestamp: number, node?: string,
 *   data: unknown } }} ProtocolEvent
 */

/** Writes events of one run into the log of its thread. */
export class ProtocolRun extends RootState {
  #log;
  #runId;
  #graphName;
  #count = 0;
  /** Questions that were sent. @type {Set<string>} */
  #asked = new Set();
  /** @type {undefined} */
  last;
  #runLog;

  /**
   * @param {EventLog} log of the thread
   * @param {string} runId
   * @param {string} graphName
   * @param {EventLog} runLog gets the states, for readers who join the run by its id
   */
  constructor(log, runId, graphName, runLog) {
    super();
    this.#runLog = runLog;
    this.#log = log;
    this.#runId = runId;
    this.#graphName = graphName;
  }

  /**
   * @param {ServedGraph} graph
   * @param {unknown} input
   * @param {Json} config
   * @param {string[]} answered ids of the questions that it answers
   */
  async run(graph, input, config, answered) {
    if (answered.length > 0) this.#emit("input.answered", [], { interrupt_ids: answered });
    this.#emitRoot("running");
    try {
      const events = /** @type {AsyncIterable<ProtocolEvent>} */ (
        /** @type {unknown} */ (await graph.streamEvents(input, { ...config, version: "v3" }))
      );
      for await (const event of events) this.#pass(event);
      this.#emitRoot(this.#asked.size > 0 ? "interrupted" : "completed");
    } catch (error) {
      this.#emitRoot(isAbort(error) ? "interrupted" : "failed", failureOf(error));
      throw error;
    }
  }

  /** @param {ProtocolEvent} event of the graph's own stream */
  #pass({ method, params }) {
    const { namespace, node } = params;
    // The run's own begin and end are sent with the ids that clients know them by.
    if (method === "lifecycle" && namespace.length === 0) return;
    if (method === "updates" && node === INTERRUPT) return;
    let { data } = params;
    if (method === "values" && namespace.length === 0)
      this.#runLog.append("values", toJson(this.take(data)));
    if (method === "values" && isRecord(data)) {
      const { [INTERRUPT]: questions, ...values } = data;
      if (questions !== undefined && Object.keys(values).length === 0) return;
      data = values;
    }
    // A message stands in the namespace of its node's task.
    if (
      method === "messages" &&
      isRecord(data) &&
      namespace.length === 1 &&
      namesOf(namespace[0]) === node
    )
      this.partial.addEvent(data, node);
    this.#emit(method, namespace, data, { node });
    if (method === "tasks" && isRecord(data) && Array.isArray(data.interrupts))
      for (const { id, value } of data.interrupts) this.#ask(namespace, String(id), value);
  }

  /** @param {string[]} namespace @param {string} id @param {unknown} payload */
  #ask(namespace, id, payload) {
    if (this.#asked.has(id)) return;
    this.#asked.add(id);
    this.#emit("input.requested", namespace, { interrupt_id: id, payload });
  }

  /** @param {string} event @param {Json} [more] */
  #emitRoot(event, more) {
    const data = { event, graph_name: this.#graphName, ...more };
    this.#emit("lifecycle", [], data, { key: `synth:${this.#runId}:${event}` });
  }

  /**
   * @param {string} method
   * @param {string[]} namespace
   * @param {unknown} data
   * @param {{ node?: string, key?: string }} [more]
   */
  #emit(method, namespace, data, { node, key = `${this.#runId}:${this.#count++}` } = {}) {
    appendEvent(this.#log, key, method, namespace, data, node);
  }
}

/**
 * @param {EventLog} log of a thread
 * @param {string} key the event's id
 * @param {string} method
 * @param {string[]} namespace
 * @param {unknown} data
 * @param {string} [node]
 */
export function appendEvent(log, key, method, namespace, data, node) {
  const params = {
    namespace,
    timestamp: Date.now(),
    ...(node === undefined ? {} : { node }),
    data,
  };
  const event = { type: "event", event_id: key, seq: log.next, method, params };
  const name = method === "custom" && isRecord(data) ? { name: data.name } : undefined;
  log.append(method, toJson(event), {
    key,
    about: { method, params: { namespace, data: name } },
  });
}

/** @param {unknown} error */
function isAbort(error) {
  return /** @type {Error | undefined} */ (error)?.name === "AbortError";
}

/** @param {unknown} error @returns {Json} */
function failureOf(error) {
  if (isAbort(error)) return {};
  const { interruptIds, pendingIds, reason } =
    /** @type {{ interruptIds?: string[], pendingIds?: string[], reason?: string }} */ (error);
  return {
    error: errorOf(error).message,
    ...(interruptIds === undefined
      ? {}
      : {
          reason: reason ?? "unknown_interrupt",
          interrupt_ids: interruptIds,
          pending_ids: pendingIds ?? [],
        }),
  };
}
