// SPDX-License-Identifier: MIT
// Plays recordings in a worker of its own, so that a file from anywhere can neither block the page
// nor touch the threads: the engine takes each recorded step again, no node runs, and the thread
// that comes of it is served to be read.
import { MemorySaver } from "weftgraph";
import { ReplayError, replay } from "weftgraph/record";
import { importThread } from "weftgraph/savers/transfer";
import { createServer } from "weftgraph/server";
import { offer } from "weftgraph/server/service-worker";
import { graphs } from "../../worker/graphs.js";

/**
 * What a replay says. `difference`: the first one, at an entry of the recording.
 * @typedef {{ status: string, steps: string[], messages: number, ms: number, error?: string, input:
 *   string } | { difference: string, entry?: number } | { refused: string }} Told
 */

/** Whatever the file's thread was called. */
const THREAD = "recording";
const MAX_THREAD_BYTES = 64 * 1024 * 1024;
const MAX_INPUT = 2000;
/** Requests that are no GET and change nothing. */
const READS = /\/(search|history|count)$/;

/**
 * @param {{ graph: string, recording: string }} file
 * @param {MessagePort} port on which the thread is served
 * @returns {Promise<Told>}
 */
async function play({ graph: name, recording }, port) {
  if (!Object.hasOwn(graphs, name))
    return { refused: "It is of a graph that this page does not have." };
  const graph = /** @type {Record<string, object>} */ (graphs)[name];
  try {
    const began = performance.now();
    const played = replay(recording, { graph });
    const ms = performance.now() - began;
    if (played.thread === undefined) return { refused: "Its run kept no checkpoints." };
    await serve(name, graph, played.thread, port);
    const { status, steps, messages, error } = played;
    const input = JSON.stringify(played.input ?? played.resume) ?? "";
    return {
      status,
      steps: steps.map(({ node }) => node).filter((node) => node !== "__start__"),
      messages: messages.length,
      ms,
      input: input.slice(0, MAX_INPUT),
      ...(error === undefined ? {} : { error: `${error.name}: ${error.message}` }),
    };
  } catch (error) {
    if (error instanceof ReplayError)
      return {
        difference: error.difference,
        ...(error.entry === undefined ? {} : { entry: error.entry }),
      };
    return { refused: String(/** @type {Error} */ (error)?.message ?? error) };
  }
}

/**
 * Serves a thread to be read: what would run or write is refused.
 * @param {string} name
 * @param {object} graph
 * @param {Uint8Array} file of the thread
 * @param {MessagePort} port
 */
async function serve(name, graph, file, port) {
  const saver = new MemorySaver();
  await importThread(saver, file, { threadId: THREAD, maxBytes: MAX_THREAD_BYTES });
  const server = createServer({ graphs: { [name]: /** @type {any} */ (graph) }, saver });
  const body = JSON.stringify({ thread_id: THREAD, metadata: { graph_id: name } });
  await server.fetch("http://weft.local/threads", { method: "POST", body });
  const fetch = async (/** @type {any} */ input, /** @type {RequestInit} */ init) => {
    const request = new Request(input, init);
    if (request.method === "GET" || READS.test(new URL(request.url).pathname))
      return server.fetch(request);
    return Response.json({ detail: "A recording is shown: nothing runs." }, { status: 403 });
  };
  offer({ fetch }, { port });
}

addEventListener("message", async ({ data, ports }) => {
  postMessage(await play(data, ports[0]));
});
