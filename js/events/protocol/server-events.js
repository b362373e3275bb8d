// SPDX-License-Identifier: MIT
// Encodes a run of version 3 as the bytes of server-sent events. Does not depend on where the run
// is.
import { newStream } from "../../streams/chunk-stream.js";

/**
 * Sends one event for each of the run's; an error is the last one. A reader that leaves aborts the
 * run.
 * @param {AsyncIterable<import("./protocol.js").ProtocolEvent> & { abort: (reason: unknown) => void
 *   }} run
 * @returns {import("../../streams/chunk-stream.js").RunStream}
 */
export function encodeRun(run) {
  const encoder = new TextEncoder();
  const stream = newStream();
  const push = (/** @type {string} */ name, /** @type {unknown} */ data) =>
    stream.push(encoder.encode(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`));
  const show = async () => {
    try {
      for await (const { method, params } of run)
        push([method, ...params.namespace].join("|"), params.data);
    } catch (error) {
      push("error", { message: String(error) });
    }
    stream.end(false);
  };
  stream.signal.addEventListener("abort", () => run.abort(stream.signal.reason));
  show();
  return stream;
}
