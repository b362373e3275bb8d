// SPDX-License-Identifier: MIT
// Runs a graph for `streamEvents` of version 3. Does not depend on what its events are made of.
import { HEADS } from "../../streams/stream-modes.js";
import { encodeRun } from "./server-events.js";
import { protocolFeed } from "./messages-feed.js";
import { STREAM_EVENTS_V3_MODES } from "./protocol.js";
import { createGraphRunStream } from "./run-stream.js";

/** @typedef {import("../../graph/compiled.js").Compiled} Compiled */

/**
 * @param {Compiled} graph
 * @param {unknown} input
 * @param {import("../../base/merge-configs.js").Config} options
 * @returns {import("./run-stream.js").GraphRunStream |
 *   import("../../streams/chunk-stream.js").RunStream} bytes if `encoding` requests them
 */
export function openRun(graph, input, options) {
  const { version: _version, transformers, encoding, signal, ...rest } = options;
  const controller = new AbortController();
  const signals =
    signal === undefined ? controller.signal : AbortSignal.any([signal, controller.signal]);
  const asked = {
    ...rest,
    streamMode: [HEADS, ...STREAM_EVENTS_V3_MODES],
    subgraphs: true,
    signal: signals,
    __weft_feed: protocolFeed,
  };
  const chunks = async function* () {
    for await (const [namespace, mode, payload] of await graph.stream(input, asked)) {
      yield [namespace, mode === HEADS ? "checkpoints" : mode, payload];
    }
  };
  const run = createGraphRunStream(
    chunks(),
    [...(graph.streamTransformers ?? []), ...(transformers ?? [])],
    controller,
  );
  return encoding === "text/event-stream" ? encodeRun(run) : run;
}
