// SPDX-License-Identifier: MIT
// A graph as an AG-UI agent: behind an address, or as a subclass of its client's AbstractAgent.
import { checkArgument } from "../base/check-arguments.js";
import { readBody } from "../server/http/fields.js";
import { Refusal } from "../server/http/replies.js";
import { toJson } from "../server/http/wire.js";
import { showThread, toAgUi } from "./run.js";

/** @typedef {import("./run.js").Graph} Graph */
/** @typedef {import("./run.js").RunOptions} RunOptions */
/** @typedef {import("./events.js").AgUiEvent} AgUiEvent */

const MOST_BYTES = 10 * 1024 * 1024;
const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
};

/**
 * @param {Request} request POST with a RunAgentInput; with `?connect` in its address the thread is
 *   shown as it is, and nothing runs
 * @param {RunOptions & { graph: Graph, maxBodyBytes?: number }} options
 * @returns {Promise<Response>} server-sent events; 405, 413 and 422 for what is no run
 */
export async function handleAgUi(request, { graph, maxBodyBytes = MOST_BYTES, ...options }) {
  checkArgument(maxBodyBytes > 0, "maxBodyBytes must be a number above 0");
  if (request.method !== "POST") return new Response("POST a RunAgentInput.", { status: 405 });
  let input;
  try {
    input = await readBody(request, maxBodyBytes);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return new Response(error.message, { status: error.status });
  }
  const encoder = new TextEncoder();
  const frames = new TransformStream({
    transform(event, controller) {
      controller.enqueue(encoder.encode(`data: ${toJson(event)}\n\n`));
    },
  });
  const run = { ...options, signal: options.signal ?? request.signal };
  const isShown = new URL(request.url).searchParams.has("connect");
  const events = (isShown ? showThread : toAgUi)(graph, input, run);
  return new Response(events.pipeThrough(frames), { headers: HEADERS });
}

/**
 * @typedef {{ next: (event: AgUiEvent) => void, complete: () => void, error: (error: unknown) =>
 *   void }} Observer
 */
/**
 * Makes an agent that runs a graph in the same tab, from the client's own classes.
 * @template {object} Agent
 * @param {new (config?: Record<string, unknown>) => Agent} AbstractAgent of @ag-ui/client
 * @param {new (subscribe: (observer: Observer) => () => void) => unknown} Observable of rxjs
 * @param {Graph} graph
 * @param {RunOptions & { agentId?: string, description?: string, threadId?: string }} [options]
 * @returns {Agent}
 */
export function createAgent(AbstractAgent, Observable, graph, options = {}) {
  const { agentId, description, threadId, ...run } = options;
  const Base = /** @type {new (config?: Record<string, unknown>) => { clone(): object }} */ (
    AbstractAgent
  );
  /**
   * @param {Set<AbortController>} controllers of what goes on
   * @param {(signal: AbortSignal) => ReadableStream<AgUiEvent>} open
   */
  const observe = (controllers, open) =>
    new Observable((observer) => {
      const controller = new AbortController();
      controllers.add(controller);
      const done = () => controllers.delete(controller);
      pump(open(controller.signal), observer).then(done, done);
      return () => controller.abort(new DOMException("Its reader went away.", "AbortError"));
    });
  class WeftAgent extends Base {
    /** @type {Set<AbortController>} */
    controllers = new Set();

    /** @param {unknown} input */
    run(input) {
      return observe(this.controllers, (signal) => toAgUi(graph, input, { ...run, signal }));
    }

    /** What the thread has come to, for a client that has not seen it. @param {unknown} input */
    connect(input) {
      return observe(this.controllers, () => showThread(graph, input, run));
    }

    abortRun() {
      for (const controller of this.controllers)
        controller.abort(new DOMException("Stopped.", "AbortError"));
    }

    /** The client's own way knows what all it has set, and its copy stops its own runs alone. */
    clone() {
      const copy = /** @type {WeftAgent} */ (super.clone());
      copy.controllers = new Set();
      return copy;
    }
  }
  const agent = /** @type {unknown} */ (new WeftAgent({ agentId, description, threadId }));
  return /** @type {Agent} */ (agent);
}

/** @param {ReadableStream<AgUiEvent>} events @param {Observer} observer */
async function pump(events, observer) {
  const reader = events.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return observer.complete();
    observer.next(value);
  }
}
