// SPDX-License-Identifier: MIT
// Bytes of gzip that a browser app should cost at most: a budget, not a goal. Correct and readable
// code comes first: a test fails above ALLOWED times the budget of a page or a file, and above that
// of a part.

/** A page with an agent and graphs: what it fetches until the agent has answered. */
const AGENT_PAGE = 176_500;
/** The same in one file, which carries also what a page of several files would fetch later. */
const ONE_FILE = 209_000;
/** What the saver in IndexedDB adds: idbfs.wasm, its glue and the store. */
const IDBFS = 18_000;

/** What one more adapter of a model adds to a page that has the others named with it. */
export const ADAPTER = 6_000;
/** @type {Record<string, string[]>} */
export const BESIDE = {
  openai: ["anthropic"],
  anthropic: ["openai"],
  gemini: ["anthropic"],
  responses: ["anthropic"],
  "workers-ai": ["anthropic"],
  "ai-sdk": ["openai"],
  "prompt-api": ["text-tools"],
  webllm: ["openai", "text-tools"],
};
/** What connectMcp adds to a page with an agent and a model. */
export const CONNECT_MCP = 4_000;
/** What createAgent adds to a page with createReactAgent. */
export const MIDDLEWARE_AGENT = 8_000;

/** How much of their budgets pages and files may take. */
export const ALLOWED = 1.05;

export const CEILINGS = {
  /** The entry of a bundle that splits, with what it imports statically. */
  first: AGENT_PAGE,
  /** The same with IDBFS. */
  firstSaved: AGENT_PAGE + IDBFS,
  /** Everything in one file. */
  whole: ONE_FILE,
  /** The same with IDBFS. */
  wholeSaved: ONE_FILE + IDBFS,
  /** In a Worker without IDBFS, one file and engine.wasm. */
  edge: ONE_FILE,
  /**
   * Scripts that a page with IDBFS fetches while an agent asks, calls tools, stops, is approved and
   * goes on (tools/agent-page).
   */
  page: AGENT_PAGE + IDBFS,
  /** The same with tools of `tool()` and JSON Schema. */
  schemaPage: AGENT_PAGE + IDBFS,
};
