// SPDX-License-Identifier: MIT
// The addresses of protocol v2: commands, and streams of a thread's events that stay open over
// runs.
import { SUPPORTED_CHANNELS, matchesSubscription } from "../events/protocol/subscription.js";
import { checkReader, runCommand } from "./commands.js";
import { countIn, objectOf, textsIn } from "./http/fields.js";
import { invalid } from "./http/replies.js";
import { eventResponse } from "./http/sse.js";

/** @typedef {import("./router.js").Call} Call */
/** @typedef {import("./server.js").ServerState} ServerState */

/** @param {ServerState} state @param {Call} call */
async function streamEvents(state, { params, body, user, signal }) {
  const from = objectOf(await body());
  const channels = textsIn(from, "channels") ?? [...SUPPORTED_CHANNELS];
  const { namespaces } = from;
  if (
    namespaces !== undefined &&
    !(
      Array.isArray(namespaces) &&
      namespaces.every((one) => Array.isArray(one) && one.every((part) => typeof part === "string"))
    )
  )
    throw invalid("namespaces must be a list of lists of texts.");
  const depth =
    from.depth === undefined || from.depth === null ? undefined : countIn(from, "depth", 0, 1000);
  const since = countIn(from, "since", 0, Number.MAX_SAFE_INTEGER);
  const thread = checkReader(state, params.thread, user);
  return eventResponse(state.logs.open(params.thread, thread), {
    after: since,
    isWanted: ({ about }) =>
      about !== undefined && matchesSubscription(about, { channels, namespaces, depth }),
    heartbeatMs: state.heartbeatMs,
    headers: {},
    signal,
  });
}

/** @type {import("./router.js").Routes} */
export const protocolRoutes = [
  ["POST", "/threads/:thread/commands", runCommand],
  ["POST", "/threads/:thread/stream/events", streamEvents],
  ["POST", "/threads/:thread/stream", streamEvents],
];
