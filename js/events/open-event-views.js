// SPDX-License-Identifier: MIT
// Opens the requested view of a graph's events. Loads its module only then: few apps need it, and
// bundlers keep it separate. Does not depend on events.
import { badArgument } from "../base/check-arguments.js";
import { checkGiven } from "../base/merge-configs.js";
import { EVENTS } from "./lazy.js";
import { newStream } from "../streams/chunk-stream.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("../graph/compiled.js").Compiled} Compiled */
/** @typedef {import("../runnable/runnable.js").Runnable} Runnable */
/** @typedef {import("./langchain/recorder.js").Filter} Filter */

/** @typedef {import("../streams/chunk-stream.js").RunStream} RunStream */

/**
 * @param {Runnable} graph
 * @param {unknown} input
 * @param {Config & { version?: string }} options
 * @param {Filter | undefined} filter
 * @returns {unknown} a stream; for "v3" a promise of a run
 */
export function openEvents(graph, input, options, filter) {
  checkGiven(options);
  checkFilter(filter);
  const version = options.version;
  if (version === "v3" && /** @type {Partial<Compiled>} */ (graph).lg_is_pregel === true)
    return EVENTS.load().then(({ openRun }) =>
      openRun(/** @type {Compiled} */ (graph), input, options),
    );
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
 * @param {Filter | undefined} filter
 * @returns {RunStream}
 */
export function openLog(graph, input, options, filter) {
  checkGiven(options);
  checkFilter(filter);
  return fill(async (stream) =>
    (await EVENTS.load()).showLog(graph, input, options ?? {}, filter, stream),
  );
}

const FILTERS = /** @type {const} */ ([
  "includeNames",
  "includeTypes",
  "includeTags",
  "excludeNames",
  "excludeTypes",
  "excludeTags",
]);

/** @param {Filter | undefined} filter of events */
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
