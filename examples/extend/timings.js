// SPDX-License-Identifier: MIT
// A stream mode of one's own, made of one that is there: how long each task took, in milliseconds.

/**
 * @param {{ stream: (input: any, options: any) => Promise<AsyncIterable<any>> }} graph compiled
 * @param {any} input
 * @param {object} [options] of the call
 * @returns {AsyncGenerator<{ node: string, milliseconds: number }>}
 */
export async function* timings(graph, input, options) {
  /** @type {Map<string, number>} */
  const begun = new Map();
  for await (const { id, name, ...task } of await graph.stream(input, {
    ...options,
    streamMode: "tasks",
  })) {
    if ("input" in task) begun.set(id, performance.now());
    else yield { node: name, milliseconds: performance.now() - (begun.get(id) ?? NaN) };
  }
}
