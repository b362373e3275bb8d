// SPDX-License-Identifier: MIT
// Tests of the public surface: the same program through both packages, without a number of
// facts.mjs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compare } from "./harness.mjs";

/** @param {string} title @param {(lib: any, t: import("./harness.mjs").Trace) => any} program */
export function same(title, program) {
  test(title, async () => {
    const found = await compare(program);
    if (found !== undefined) assert.fail(`Weft (+) differs from LangGraph.js (-):\n${found}`);
  });
}

/**
 * @param {AsyncIterable<any> | Promise<AsyncIterable<any>>} stream
 * @returns {Promise<any[]>} its chunks
 */
export async function drain(stream) {
  const chunks = [];
  for await (const chunk of await stream) chunks.push(chunk);
  return chunks;
}
