// SPDX-License-Identifier: MIT
// Answers a request with server-sent events out of a log: what is asked for of it, then what comes,
// a comment while nothing does. Reads as fast as its reader; stops with it.

/** @typedef {import("./event-log.js").EventLog} EventLog */
/** @typedef {import("./event-log.js").RunEvent} RunEvent */

const encoder = new TextEncoder();

/**
 * @param {EventLog} log
 * @param {{ after: number, isWanted: (event: RunEvent) => boolean, heartbeatMs: number, headers:
 *   Record<string, string>, signal: AbortSignal | undefined, onLeave?: () => void }} options
 *   `after`: the id of the last event that is known, -1: none; `onLeave`: its reader went away
 *   before the end
 * @returns {Response}
 */
export function eventResponse(log, { after, isWanted, heartbeatMs, headers, signal, onLeave }) {
  let at = after + 1;
  let isOver = false;
  const leave = () => {
    if (isOver) return;
    isOver = true;
    onLeave?.();
  };
  const body = new ReadableStream(
    {
      start(controller) {
        signal?.addEventListener(
          "abort",
          () => {
            if (isOver) return;
            leave();
            controller.error(signal.reason);
          },
          { once: true },
        );
      },
      async pull(controller) {
        while (!isOver) {
          const event = at < log.next ? log.at(at) : undefined;
          if (event !== undefined) {
            at = event.id + 1;
            if (!isWanted(event)) continue;
            controller.enqueue(encoder.encode(frameOf(event)));
            return;
          }
          if (log.isClosed) {
            isOver = true;
            controller.close();
            return;
          }
          if (!(await log.wait(at, heartbeatMs, signal)) && !isOver) {
            controller.enqueue(encoder.encode(": heartbeat\n\n"));
            return;
          }
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

/** @param {RunEvent} event */
function frameOf({ id, event, data, key }) {
  return `event: ${event}\ndata: ${data}\nid: ${key ?? id}\n\n`;
}
