// SPDX-License-Identifier: MIT
// Answers a request that may take long: with JSON if it ends soon without saying anything before,
// else with server-sent events. The client's end of the connection ends the work.
import { EventLog } from "../../server/http/event-log.js";
import { eventResponse } from "../../server/http/sse.js";
import { pause } from "../../base/waits.js";

/** @typedef {Record<string, unknown>} Json */
/** @typedef {{ message: Json, status: number }} Last the answer to the request */
/** @typedef {(message: Json) => void} Send */
/**
 * @typedef {{ takesEvents: boolean, heartbeatMs: number, mostMs: number, signal: AbortSignal |
 *   undefined, cancel?: AbortSignal }} Circumstances `mostMs`: longest time of the work; `signal`:
 *   the connection; `cancel`: the client takes its request back
 */

/** Maximum number of messages that wait for a slow reader; of more the oldest are dropped. */
const MOST_WAITING = 500;
/** Events have no ids: nobody can go on with a stream that broke. */
const NO_ID = { key: "" };

/**
 * @param {(send: Send, signal: AbortSignal) => Promise<Last>} work fails only when the signal is
 *   aborted, whose reason is a TimeoutError if it took too long
 * @param {Circumstances} circumstances
 * @returns {Promise<Response>}
 */
export async function reply(work, { takesEvents, heartbeatMs, mostMs, signal, cancel }) {
  const log = new EventLog(MOST_WAITING);
  const send = (/** @type {Json} */ message) =>
    log.append("message", JSON.stringify(message), NO_ID);
  const own = new AbortController();
  const end = AbortSignal.any([own.signal, signal, cancel].filter((one) => one !== undefined));
  const timer = setTimeout(
    () => own.abort(new DOMException(`It took more than ${mostMs} ms.`, "TimeoutError")),
    mostMs,
  );
  /** @type {Last | undefined} */
  let last;
  let isStream = false;
  const done = work(takesEvents ? send : () => {}, end)
    .then((made) => {
      last = made;
      if (isStream) send(made.message);
    })
    .finally(() => {
      clearTimeout(timer);
      log.close();
    });
  try {
    await (takesEvents ? firstOf(done, log, heartbeatMs, end) : done);
  } catch (error) {
    if (cancel?.aborted) return new Response(null, { status: 202 });
    throw error;
  }
  if (last !== undefined && log.next === 0) return jsonOf(last);
  isStream = true;
  if (last !== undefined) log.append("message", JSON.stringify(last.message), NO_ID);
  // A stream that ends without an answer is one whose request was taken back.
  done.catch(() => {});
  const call = { signal };
  return eventResponse(log, { heartbeatMs }, call, {
    after: -1,
    isWanted: () => true,
    onLeave: () => own.abort(new DOMException("The client went away.", "AbortError")),
  });
}

/**
 * Waits for the end of the work, for a message, or for a while.
 * @param {Promise<void>} done @param {EventLog} log @param {number} ms @param {AbortSignal} end
 */
async function firstOf(done, log, ms, end) {
  const begun = new AbortController();
  const signal = AbortSignal.any([begun.signal, end]);
  const idle = pause(ms, signal).catch(() => {});
  try {
    await Promise.race([done, Promise.race([log.wait(0, signal), idle]).then(() => undefined)]);
    // What was aborted fails in a moment.
    if (end.aborted) await done;
  } finally {
    begun.abort();
  }
}

/** @param {Last} last */
function jsonOf({ message, status }) {
  return new Response(JSON.stringify(message), {
    status,
    headers: { "content-type": "application/json" },
  });
}
