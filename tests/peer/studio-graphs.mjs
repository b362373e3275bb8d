// SPDX-License-Identifier: MIT
// The graphs of studio.test.mjs, with the library that is given: one that asks and has a graph
// inside, and one whose state, input and context are zod's.

/** @param {any} lib @param {any} zod @returns {Record<string, unknown>} */
export function makeGraphs(
  { AIMessage, Annotation, END, MessagesAnnotation, START, StateGraph, interrupt },
  { z },
) {
  const inner = new StateGraph(MessagesAnnotation)
    .addNode("reply", () => ({ messages: [new AIMessage("Done.")] }))
    .addEdge(START, "reply")
    .compile();
  const State = Annotation.Root({ ...MessagesAnnotation.spec, may: Annotation });
  const agent = new StateGraph(State)
    .addNode("ask", () => ({ may: interrupt({ q: "May I?" }) }))
    .addNode("inner", inner)
    .addEdge(START, "ask")
    .addConditionalEdges("ask", ({ may }) => (may ? "inner" : END), ["inner", END])
    .addEdge("inner", END)
    .compile();
  const typed = new StateGraph({
    state: z.object({ name: z.string(), count: z.number().default(1) }),
    input: z.object({ name: z.string() }),
    context: z.object({ user: z.string() }),
  })
    .addNode("work", () => ({ count: 2 }))
    .addEdge(START, "work")
    .compile();
  return { agent, typed };
}
