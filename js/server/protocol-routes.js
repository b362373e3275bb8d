// SPDX-License-Identifier: MIT
// The addresses of a thread's events over all its runs: commands and streams of protocol v2, and
// the thread's runs one behind the other.
import { runCommand } from "./commands.js";
import { namesIn } from "./http/fields.js";
import { Refusal, invalid } from "./http/replies.js";
import { eventResponse, lastIdOf } from "./http/sse.js";
import { isPosition } from "./streams/joined-threads.js";
import { findThread } from "./threads.js";
import { openLog, readSubscription } from "./subscriptions.js";

/** @typedef {import("./router.js").Call} Call */
/** @typedef {import("./server.js").ServerState} ServerState */

/** @param {ServerState} state @param {Call} call */
async function streamEvents(state, call) {
  const { params, fields, user } = call;
  const { since, isWanted } = readSubscription(await fields());
  const { log, mayHear } = openLog(state, params.thread, user);
  return eventResponse(log, state, call, {
    after: since,
    isWanted: (event) => isWanted(event) && mayHear(),
  });
}

/**
 * Tells which events of a thread each mode wants.
 * @type {Record<string, (event: string) => boolean>}
 */
const WANTED = {
  run_modes: (event) => event !== "state_update",
  lifecycle: (event) => event === "metadata",
  state_update: (event) => event === "state_update",
};

/**
 * Streams a thread's runs, the one under way and later ones, until the client leaves.
 * @param {ServerState} state
 * @param {Call} call
 */
async function joinThread(state, call) {
  const { params, query, user, basePath } = call;
  const thread = findThread(state, params.thread, user);
  const given = lastIdOf(call);
  if (given !== undefined && !isPosition(given))
    throw invalid("Last-Event-ID must be the id of an event of this stream, or -1.");
  const asked = namesIn(query, "stream_mode") ?? [];
  const known = asked.filter((mode) => Object.hasOwn(WANTED, mode));
  const modes = known.length === 0 ? ["run_modes"] : known;
  const feed = state.joined.join(thread);
  const leave = () => state.joined.leave(thread.thread_id, feed);
  try {
    // A client that comes back gets the state as it is now, if it changed in between.
    if (modes.includes("state_update")) await feed.tellState(true);
    const after = feed.after(given);
    const where = new URLSearchParams(modes.map((mode) => ["stream_mode", mode]));
    const path = `${basePath}/threads/${encodeURIComponent(thread.thread_id)}/stream`;
    return eventResponse(feed.log, state, call, {
      after,
      isWanted: ({ event }) => modes.some((mode) => WANTED[mode](event)),
      headers: { location: `${path}?${where}` },
      onLeave: leave,
    });
  } catch (error) {
    leave();
    throw error;
  }
}

/** @param {ServerState} state @param {Call} call */
async function openSocket(state, { original, params, user }) {
  const isAsked = original.headers.get("upgrade")?.toLowerCase() === "websocket";
  if (state.upgrade === undefined || !isAsked)
    throw new Refusal(405, "POST it: createServer({ upgrade }) serves sockets.");
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
  ["GET", "/threads/:thread/stream", joinThread],
];
