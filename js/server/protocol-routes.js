// SPDX-License-Identifier: MIT
// The addresses of protocol v2: commands, and streams of a thread's events that stay open over
// runs.
import { runCommand } from "./commands.js";
import { objectOf } from "./http/fields.js";
import { Refusal } from "./http/replies.js";
import { eventResponse } from "./http/sse.js";
import { openLog, readSubscription } from "./subscriptions.js";

/** @typedef {import("./router.js").Call} Call */
/** @typedef {import("./server.js").ServerState} ServerState */

/** @param {ServerState} state @param {Call} call */
async function streamEvents(state, { params, body, user, signal }) {
  const { since, isWanted } = readSubscription(objectOf(await body()));
  const { log, mayHear } = openLog(state, params.thread, user);
  return eventResponse(log, {
    after: since,
    isWanted: (event) => isWanted(event) && mayHear(),
    heartbeatMs: state.heartbeatMs,
    headers: {},
    signal,
  });
}

/** @param {ServerState} state @param {Call} call */
async function openSocket(state, { original, params, user }) {
  const isAsked = original.headers.get("upgrade")?.toLowerCase() === "websocket";
  if (state.upgrade === undefined || !isAsked)
    throw new Refusal(405, "POST the subscription: createServer({ upgrade }) serves sockets.");
  const { socket, response } = state.upgrade(original);
  state.open(socket, params.thread, async () => user);
  return response;
}

/** @type {import("./router.js").Routes} */
export const protocolRoutes = [
  ["POST", "/threads/:thread/commands", runCommand],
  ["POST", "/threads/:thread/stream/events", streamEvents],
  ["GET", "/threads/:thread/stream/events", openSocket],
  ["POST", "/threads/:thread/stream", streamEvents],
];
