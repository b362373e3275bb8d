// SPDX-License-Identifier: MIT
// A sample: twenty searches side by side, and one node that joins what they found.
import { Annotation, START, Send, StateGraph } from "weftgraph";

const State = Annotation.Root({
  question: /** @type {typeof Annotation<string>} */ (Annotation),
  source: /** @type {typeof Annotation<number>} */ (Annotation),
  found: /** @type {typeof Annotation<string[]>} */ (Annotation)({
    reducer: (before, more) => [...before, ...more],
    default: () => [],
  }),
  answer: /** @type {typeof Annotation<string>} */ (Annotation),
});

const SOURCES = 20;
const wait = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const research = new StateGraph(State)
  .addNode("plan", () => ({}))
  .addNode("search", async ({ question, source }) => {
    await wait(300 + ((source * 137) % 900) * 2);
    return { found: [`source ${source} on ${question}`] };
  })
  .addNode("join", ({ found }) => ({ answer: `${found.length} sources were read` }))
  .addEdge(START, "plan")
  .addConditionalEdges(
    "plan",
    ({ question }) =>
      Array.from({ length: SOURCES }, (_, source) => new Send("search", { question, source })),
    ["search"],
  )
  .addEdge("search", "join")
  .compile();
