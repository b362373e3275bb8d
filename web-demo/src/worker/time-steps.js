// SPDX-License-Identifier: MIT
// Measures the engine where it runs: how long a graph takes for a thousand steps, and how many
// requests left for other servers.
import { Annotation, END, START, StateGraph } from "weftgraph";

const STEPS = 1000;
/** Of so many times the middle one counts: the first ones compile. */
const TIMES = 5;

const State = Annotation.Root({
  count: /** @type {typeof Annotation<number>} */ (Annotation),
});
const counter = new StateGraph(State)
  .addNode("step", ({ count }) => ({ count: count + 1 }))
  .addEdge(START, "step")
  .addConditionalEdges("step", ({ count }) => (count < STEPS ? "step" : END), ["step", END])
  .compile();

/** @returns {Promise<{ steps: number, ms: number, requests: number }>} */
export async function timeSteps() {
  const times = [];
  for (let time = 0; time < TIMES; time++) {
    const begun = performance.now();
    await counter.invoke({ count: 0 }, { recursionLimit: STEPS + 1 });
    times.push(performance.now() - begun);
  }
  const ms = times.sort((a, b) => a - b)[TIMES >> 1];
  return { steps: STEPS, ms, requests: requestsSent() };
}

/** Counts what was sent to other origins from here: not the files of the page. */
function requestsSent() {
  const isOther = (/** @type {{ name: string }} */ { name }) =>
    URL.canParse(name) && /^http/.test(name) && new URL(name).origin !== location.origin;
  return performance.getEntriesByType("resource").filter(isOther).length;
}
