// SPDX-License-Identifier: MIT
// One turn of a thread that wanders: `smoke-handover-main.mjs <folder> <answer>`. Without a thread
// in the folder it begins one; else the pending question is answered. Prints what the thread says
// now.
import { Annotation, Command, END, START, StateGraph } from "weftgraph";
import { FileSaver } from "weftgraph/savers/file";

const [folder, answer] = globalThis.Deno?.args ?? process.argv.slice(2);
const State = Annotation.Root({
  log: Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
  seen: Annotation,
});
const graph = new StateGraph(State)
  .addNode("ask", async ({ log }, runtime) => {
    const said = await runtime.interrupt({ question: `number ${log.length + 1}?` });
    return { log: [said], seen: new Map([[said, new Date(log.length)]]) };
  })
  .addEdge(START, "ask")
  .addConditionalEdges("ask", ({ log }) => (log.length < 3 ? "ask" : END), ["ask", END])
  .compile({ checkpointer: new FileSaver({ path: folder }) });

const config = { configurable: { thread_id: "wanderer" } };
const { next, tasks } = await graph.getState(config);
const { log, seen, __interrupt__ } = await graph.invoke(
  next.length === 0 ? {} : new Command({ resume: answer }),
  config,
);
const asked = __interrupt__?.[0].value.question ?? null;
console.log(
  JSON.stringify({
    before: tasks[0]?.interrupts[0]?.value.question ?? null,
    log: log ?? [],
    seen: [...(seen ?? [])],
    asked,
  }),
);
