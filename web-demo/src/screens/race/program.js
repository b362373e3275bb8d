// SPDX-License-Identifier: MIT
// The program that both libraries run: the same text, given either library's names. Does not depend
// on which one it is given.

/**
 * What the program uses of a library.
 * @typedef {{ StateGraph: any, Annotation: any, START: string, END: string, MemorySaver: any }}
 *   Library
 */
/** @typedef {{ ms: number, steps: number, bytes: number }} Lap */

const THREAD = { thread_id: "race" };
/** What each step adds to the state. */
const NOTE = "A sentence that a model could have said, kept as one entry of a list.";

/** @param {Library} library */
export function makeRunner({ StateGraph, Annotation, START, END, MemorySaver }) {
  const State = Annotation.Root({
    goal: Annotation(),
    count: Annotation(),
    notes: Annotation({
      reducer: (/** @type {string[]} */ all, /** @type {string[]} */ more) => all.concat(more),
      default: () => [],
    }),
  });
  const builder = new StateGraph(State)
    .addNode("work", (/** @type {any} */ { count }) => ({
      count: count + 1,
      notes: [`${count}: ${NOTE}`],
    }))
    .addEdge(START, "work")
    .addConditionalEdges(
      "work",
      (/** @type {any} */ { count, goal }) => (count < goal ? "work" : END),
      ["work", END],
    );

  /**
   * Runs so many steps on a new thread.
   * @param {number} steps
   * @param {(saver: any) => number | Promise<number>} bytesIn what the saver stores
   * @returns {Promise<Lap>}
   */
  return async function run(steps, bytesIn) {
    const checkpointer = new MemorySaver();
    const graph = builder.compile({ checkpointer });
    const began = performance.now();
    const { count } = await graph.invoke(
      { goal: steps, count: 0 },
      { configurable: THREAD, recursionLimit: steps + 5 },
    );
    const ms = performance.now() - began;
    if (count !== steps) throw new Error(`The program made ${count} steps in place of ${steps}.`);
    return { ms, steps, bytes: await bytesIn(checkpointer) };
  };
}

/**
 * Answers a page: runs two steps as soon as the library is there, then laps as they are asked for.
 * @param {Library} library
 * @param {(saver: any) => number | Promise<number>} bytesIn
 */
export async function answerLaps(library, bytesIn) {
  const run = makeRunner(library);
  addEventListener("message", async ({ data }) => {
    try {
      const lap = await run(data.steps, bytesIn);
      while (lap.ms < data.leastMs) {
        const { ms, steps } = await run(data.steps, () => 0);
        lap.ms += ms;
        lap.steps += steps;
      }
      postMessage({ lap });
    } catch (error) {
      postMessage({ failed: String(/** @type {Error} */ (error)?.message ?? error) });
    }
  });
  await run(2, () => 0);
  postMessage({ answered: true });
}
