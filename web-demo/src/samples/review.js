// SPDX-License-Identifier: MIT
// A sample: a text is written, shown to a person, and written again until it is accepted.
import { Annotation, Command, END, START, StateGraph } from "weftgraph";

const State = Annotation.Root({
  topic: /** @type {typeof Annotation<string>} */ (Annotation),
  draft: /** @type {typeof Annotation<string>} */ (Annotation),
  wishes: /** @type {typeof Annotation<string[]>} */ (Annotation)({
    reducer: (before, more) => [...before, ...more],
    default: () => [],
  }),
});

export const review = new StateGraph(State)
  .addNode("write", ({ topic, wishes }) => ({
    draft: [`A few words about ${topic}.`, ...wishes.map((wish) => `Now ${wish}.`)].join(" "),
  }))
  .addNode(
    "ask",
    ({ draft }, runtime) => {
      const options = ["Publish", "add a joke", "say it in one line"];
      const question = "Publish it, or what is to be changed?";
      const answer = runtime.interrupt({ question, draft, options });
      if (answer === "Publish") return new Command({ goto: "publish" });
      return new Command({ goto: "write", update: { wishes: [String(answer)] } });
    },
    { ends: ["write", "publish"] },
  )
  .addNode("publish", ({ draft }) => ({ draft: `Published: ${draft}` }))
  .addEdge(START, "write")
  .addEdge("write", "ask")
  .addEdge("publish", END)
  .compile();
