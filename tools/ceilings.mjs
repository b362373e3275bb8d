// SPDX-License-Identifier: MIT
// Bytes of gzip that a browser app may cost at most; the goal is 100 kB in all. They follow what is reached: whoever adds
// to the first load takes something else out, or has it loaded when it is needed.

export const CEILINGS = {
  /** The entry of a bundle that splits, with what it imports statically. */
  first: 103_950,
  /** The same in one file. */
  whole: 184_500,
  /** In a Worker without IDBFS, one file and engine.wasm. */
  edge: 202_100,
  /** Scripts that a page fetches while an agent asks, calls tools, stops, is approved and goes on (tools/agent-page). */
  page: 99_990,
  /** The same with tools of `tool()` and JSON Schema. */
  schemaPage: 114_260,
};
