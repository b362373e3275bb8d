// SPDX-License-Identifier: MIT
// What docs/differences.md says of LangGraph.js, as tests: one program through both packages, and
// what each of them makes of it. Such a test fails when LangGraph.js has mended what the page
// tells, or Weft does no longer what it promises.
import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { test } from "node:test";
import { InMemoryCache as TheirCache } from "@langchain/langgraph-checkpoint";
import * as theirChannels from "@langchain/langgraph/channels";
import * as theirPregel from "@langchain/langgraph/pregel";
import * as theirPrebuilt from "@langchain/langgraph/prebuilt";
import * as ourChannels from "weftgraph/channels";
import { InMemoryCache as OurCache } from "weftgraph/checkpoint";
import * as ourPregel from "weftgraph/pregel";
import * as ourPrebuilt from "weftgraph/prebuilt";
import { LIBRARIES } from "./harness.mjs";

const PACKAGES = {
  langgraph: {
    ...LIBRARIES.langgraph,
    ...theirChannels,
    ...theirPregel,
    ...theirPrebuilt,
    InMemoryCache: TheirCache,
    isPeer: true,
  },
  weft: {
    ...LIBRARIES.weft,
    ...ourChannels,
    ...ourPregel,
    ...ourPrebuilt,
    InMemoryCache: OurCache,
    isPeer: false,
  },
};

/**
 * @param {string} title what of the page it is
 * @param {(lib: any) => any} program gives what it saw, as plain data
 * @param {{ theirs: any, ours: any }} expected what LangGraph.js makes of it, and what Weft does
 */
export function differs(title, program, expected) {
  test(title, async () => {
    // Each program starts outside of any graph, whatever ran before.
    const see = (lib) => new AsyncLocalStorage().run(undefined, () => tried(() => program(lib)));
    const theirs = await see(PACKAGES.langgraph);
    assert.deepEqual(theirs, expected.theirs, "LangGraph.js: the page may have to follow it");
    assert.deepEqual(await see(PACKAGES.weft), expected.ours, "Weft");
  });
}

/** What `act` gives, or the name (Weft's: the code) and the first sentence of what it throws. */
export async function tried(act) {
  try {
    return await act();
  } catch (error) {
    if (error instanceof assert.AssertionError || error instanceof ReferenceError) throw error;
    return told(error);
  }
}

/** @param {any} error */
export function told(error) {
  if (!(error instanceof Error)) return `thrown: ${error}`;
  const { code, name, message } = /** @type {any} */ (error);
  return typeof code === "string" ? code : `${name}: ${message.split(/[.:\n]/)[0]}`;
}

/**
 * What comes of it, or `instead` when it does not come: Weft gets as long as a busy machine may
 * take.
 * @param {any} lib
 * @param {any} promise
 * @param {any} instead
 */
export async function orLate(lib, promise, instead) {
  const given = new AbortController();
  const late = pause(lib.isPeer ? 150 : 20_000, instead, { signal: given.signal });
  late.catch(() => {});
  try {
    return await Promise.race([promise, late]);
  } finally {
    given.abort();
  }
}

/** The questions that a call shows, or the list that it returned. @param {any} result */
export const shownBy = (result) =>
  result.__interrupt__ === undefined
    ? (result.log ?? result)
    : result.__interrupt__.map(({ value }) => value);

/** A checkpointer among a graph's options. @param {any} lib */
export const saved = (lib, more = {}) => ({ checkpointer: new lib.MemorySaver(), ...more });

/** As many turns of the microtask queue. @param {number} count */
export async function turns(count) {
  for (let at = 0; at < count; at++) await null;
}

/**
 * Nodes side by side, each a function or that and its options.
 * @param {any} lib
 * @param {Record<string, any>} nodes
 * @param {{ state?: any, to?: string }} [more] `to`: the node behind all of them
 */
export function sideBySide(lib, nodes, { state, to } = {}) {
  const log = lib.Annotation({ reducer: (left, right) => left.concat(right), default: () => [] });
  const builder = new lib.StateGraph(state ?? lib.Annotation.Root({ log }));
  for (const [name, act] of Object.entries(nodes)) {
    builder.addNode(name, ...[act].flat());
    if (name !== to) builder.addEdge(lib.START, name);
    if (to !== undefined && name !== to) builder.addEdge(name, to);
  }
  return builder;
}
