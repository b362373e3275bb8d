// SPDX-License-Identifier: MIT
// A sample: a node that fails twice and is tried again, and one whose error another node answers.
import { Annotation, START, StateGraph } from "weftgraph";

const State = Annotation.Root({
  tries: /** @type {typeof Annotation<number>} */ (Annotation),
  result: /** @type {typeof Annotation<string>} */ (Annotation),
});

let tries = 0;
const wait = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const flaky = new StateGraph(State)
  .addNode(
    "call",
    async () => {
      await wait(300);
      if (++tries % 3 !== 0) throw new Error("The service is busy");
      return { tries };
    },
    { retryPolicy: { initialInterval: 400, jitter: false, logWarning: false } },
  )
  .addNode("report", ({ tries: count }) => ({ result: `It answered at try ${count}.` }))
  .addEdge(START, "call")
  .addEdge("call", "report")
  .compile();
