// SPDX-License-Identifier: MIT
// Bytes of gzip that a browser app may cost at most: a budget, not a goal. Correct and readable code comes first.

const AGENT_PAGE = 170_000;
const ONE_FILE = 215_000;

export const CEILINGS = {
  /** The entry of a bundle that splits, with what it imports statically. */
  first: AGENT_PAGE,
  /** The same in one file. */
  whole: ONE_FILE,
  /** In a Worker without IDBFS, one file and engine.wasm. */
  edge: ONE_FILE,
  /** Scripts that a page fetches while an agent asks, calls tools, stops, is approved and goes on (tools/agent-page). */
  page: AGENT_PAGE,
  /** The same with tools of `tool()` and JSON Schema. */
  schemaPage: AGENT_PAGE,
};
