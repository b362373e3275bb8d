// SPDX-License-Identifier: MIT
// Opens the requested view of a graph's events. Loads its module only then: few apps need it, and
// bundlers keep it separate. Does not depend on events.
import { badArgument } from "../base/check-arguments.js";
import { checkGiven } from "../base/merge-configs.js";
import { EVENTS } from "./lazy.js";
import { newStream } from "../streams/chunk-stream.js";

/** @typedef {import("../base/callable.js").Value} Value */

/** @typedef {import("../streams/chunk-stream.js").RunStream} RunStream */

/**
 * @param {any} graph
 * @param {unknown} input
 * @param {Value} options
 * @param {Value} filter
 * @returns {unknown} a stream; for "v3" a promise of a run
 */
export function openEvents(graph, input, options, filter) {
  checkGiven(options);
  checkFilter(filter);
  const version = options.version;
  if (version === "v3" && graph.lg_is_pregel === true)
    return EVENTS.load().then(({ openRun }) => openRun(graph, input, options));
  if (version !== "v1" && version !== "v2")
    throw new Error('Only versions "v1" and "v2" of the schema are currently supported.');
  return fill(async (stream) =>
    (await EVENTS.load()).showEvents(graph, input, options, filter, stream),
  );
}

/**
 * @param {unknown} graph
 * @param {unknown} input
 * @param {unknown} options
 * @param {unknown} filter
 * @returns {RunStream}
 */
export function openLog(graph, input, options, filter) {
  checkGiven(options);
  checkFilter(filter);
  return fill(async (stream) =>
    (await EVENTS.load()).showLog(graph, input, options ?? {}, filter, stream),
  );
}

const FILTERS = [
  "includeNames",
  "includeTypes",
  "includeTags",
  "excludeNames",
  "excludeTypes",
  "excludeTags",
];

/** @param {Value} filter of events */
function checkFilter(filter) {
  for (const key of FILTERS) {
    const list = filter?.[key];
    if (list !== undefined && !Array.isArray(list))
      throw badArgument(`the filter of events: ${key} must be a list of texts`);
  }
}

/** @param {(stream: RunStream) => Promise<void>} show @returns {RunStream} */
function fill(show) {
  const stream = newStream();
  show(stream).catch((error) => stream.end(true, error));
  return stream;
}
