// SPDX-License-Identifier: MIT
// A sample: a service that is busy twice and is tried again, and one that does not answer in time,
// for which another node stands in.
import { Annotation, Command, START, StateGraph } from "weftgraph";

const State = Annotation.Root({
  outage: /** @type {typeof Annotation<boolean>} */ (Annotation),
  tries: /** @type {typeof Annotation<number>} */ (Annotation),
  stock: /** @type {typeof Annotation<string>} */ (Annotation),
  result: /** @type {typeof Annotation<string>} */ (Annotation),
});

const wait = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const flaky = new StateGraph(State)
  .addNode(
    "price",
    async (_, { executionInfo }) => {
      const tries = executionInfo?.nodeAttempt ?? 1;
      await wait(300);
      if (tries < 3) throw new Error("The service is busy");
      return { tries };
    },
    { retryPolicy: { initialInterval: 400, jitter: false, logWarning: false } },
  )
  .addNode(
    "warehouse",
    async ({ outage }) => {
      await wait(outage ? 3_000 : 300);
      return new Command({ update: { stock: "7 in stock" }, goto: "report" });
    },
    {
      timeout: 900,
      errorHandler: () => new Command({ goto: "yesterday" }),
      ends: ["report", "yesterday"],
    },
  )
  .addNode("yesterday", () => ({ stock: "about 5 in stock, as of yesterday" }))
  .addNode("report", ({ tries, stock }) => ({
    result: `The price came at try ${tries}; ${stock}.`,
  }))
  .addEdge(START, "price")
  .addEdge("price", "warehouse")
  .addEdge("yesterday", "report")
  .compile();
