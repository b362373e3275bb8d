// SPDX-License-Identifier: MIT
// Answers a request with server-sent events out of a log: what is asked for of it, then what comes,
// a comment while nothing does. Reads as fast as its reader; stops with it.
import { nextTurn } from "../../base/event-loop.js";
import { textIn } from "./fields.js";

/** @typedef {import("./event-log.js").EventLog} EventLog */
/** @typedef {import("./event-log.js").RunEvent} RunEvent */

const encoder = new TextEncoder();
/** Characters from which on a piece is sent before more events are taken. */
const PIECE = 65536;

/**
 * @param {EventLog} log
 * @param {{ heartbeatMs: number }} state
 * @param {{ signal: AbortSignal | undefined }} call
 * @param {{ after: number, isWanted: (event: RunEvent) => boolean, headers?: Record<string,
 *   string>, onLeave?: () => void }} options
 *   `after`: the id of the last event that is known, -1: none; `onLeave`: its reader went away
 *   before the end
 * @returns {Response}
 */
export function eventResponse(log, state, call, { after, isWanted, headers, onLeave }) {
  const { signal } = call;
  let at = after + 1;
  let isOver = false;
  /** Ends the wait for an event; true: none came for a while. */
  let settle = (/** @type {boolean} */ _isIdle) => {};
  const come = () => settle(false);
  const stop = () => {
    isOver = true;
    log.forget(come);
    signal?.removeEventListener("abort", abort);
    settle(false);
  };
  const leave = () => {
    if (isOver) return;
    stop();
    onLeave?.();
  };
  /** @type {ReadableStreamDefaultController<Uint8Array>} */
  let reader;
  const abort = () => {
    if (isOver) return;
    leave();
    reader.error(signal?.reason);
  };
  /** What there is to send: several events are one piece. */
  const takeFrames = () => {
    let text = "";
    // Older events are gone.
    at = Math.max(at, log.first);
    for (let event; text.length < PIECE && at < log.next && (event = log.at(at)); ) {
      at = event.id + 1;
      if (isWanted(event)) text += frameOf(event);
    }
    return text;
  };
  /** Waits for an event. @returns {Promise<boolean>} true: none came for a while */
  const isIdle = () => {
    log.onNext(come);
    return new Promise((resolve) => {
      // It is there only while somebody reads.
      const timer = setTimeout(() => settle(true), state.heartbeatMs);
      // A process may end while a stream is open.
      timer.unref?.();
      settle = (isIdle) => {
        clearTimeout(timer);
        resolve(isIdle);
      };
    });
  };
  const body = new ReadableStream(
    {
      start(controller) {
        reader = controller;
        // It may be aborted already: then its event does not come any more.
        if (signal?.aborted) abort();
        else signal?.addEventListener("abort", abort, { once: true });
      },
      async pull(controller) {
        // What comes in the same turn of the event loop as the last piece is one more piece.
        if (at > after + 1) await nextTurn();
        while (!isOver) {
          const text = takeFrames();
          if (text !== "") return controller.enqueue(encoder.encode(text));
          if (at < log.next) continue;
          if (log.isClosed) {
            stop();
            return controller.close();
          }
          if (await isIdle()) return controller.enqueue(encoder.encode(": heartbeat\n\n"));
          // What comes in the same turn of the event loop goes with it.
          await nextTurn();
        }
      },
      cancel: leave,
    },
    { highWaterMark: 0 },
  );
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
      ...headers,
    },
  });
}

/**
 * @param {import("../router.js").Call} call
 * @returns {string | undefined} the id of the last event that its client has
 */
export function lastIdOf({ request, query }) {
  return request.headers.get("last-event-id") || textIn(query, "last_event_id") || undefined;
}

/** @param {RunEvent} event */
function frameOf({ id, event, data, key }) {
  return `event: ${event}\ndata: ${data}\nid: ${key ?? id}\n\n`;
}
