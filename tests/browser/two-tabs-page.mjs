// SPDX-License-Identifier: MIT
// What a tab of the two-tab tests can do: run a graph whose node waits until it is let go, follow a thread, ask for storage.
import { Annotation, START, StateGraph } from "../../js/index.js";
import { IdbfsSaver } from "../../js/savers/idbfs.js";
import { watchThread } from "../../js/savers/watch.js";

const State = Annotation.Root({ count: Annotation({ reducer: (a, b) => a + b, default: () => 0 }) });
let gates = [];

function graphOn(prefix) {
  const checkpointer = new IdbfsSaver({ prefix });
  const graph = new StateGraph(State)
    .addNode("work", async () => {
      await new Promise((resolve) => gates.push(resolve));
      return { count: 1 };
    })
    .addNode("more", () => ({ count: 10 }))
    .addEdge(START, "work")
    .addEdge("work", "more")
    .compile({ checkpointer });
  return { graph, checkpointer };
}

const configOf = (threadId) => ({ configurable: { thread_id: threadId } });

globalThis.tab = {
  /** Starts a run; `outcome` tells how it ended. */
  start(prefix, threadId, multitaskStrategy) {
    const { graph } = graphOn(prefix);
    globalThis.outcome = graph.invoke({}, { ...configOf(threadId), multitaskStrategy }).then(({ count }) => count, (error) => error.code ?? `${error}`);
  },
  isWorking: () => gates.length > 0,
  open() {
    for (const gate of gates.splice(0)) gate();
  },
  outcome: () => globalThis.outcome,
  /** Notes each change of a thread, with the state that was there to be read when it was told. */
  follow(prefix, threadId) {
    const { graph, checkpointer } = graphOn(prefix);
    globalThis.heard = [];
    watchThread(checkpointer, threadId, async ({ seq }) => {
      const entry = { seq };
      globalThis.heard.push(entry);
      entry.count = (await graph.getState(configOf(threadId))).values.count;
    });
  },
  heard: () => globalThis.heard,
  remove: (prefix, threadId) => new IdbfsSaver({ prefix }).deleteThread(threadId),
};
