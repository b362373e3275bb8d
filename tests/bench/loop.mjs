// SPDX-License-Identifier: MIT
// docs/benchmarks.md: one node, 1,000 steps, a conditional edge; plain and with the memory saver.
import { compare } from "./measure.mjs";

const STEPS = 1000;
let thread = 0;

function side(lib, saved) {
  const app = new lib.StateGraph(lib.Annotation.Root({ n: lib.Annotation() }))
    .addNode("step", (state) => ({ n: state.n + 1 }))
    .addEdge(lib.START, "step")
    .addConditionalEdges("step", (state) => (state.n < STEPS ? "step" : lib.END))
    .compile(saved ? { checkpointer: new lib.MemorySaver() } : {});
  return async () => {
    const config = { recursionLimit: STEPS + 5 };
    if (saved) config.configurable = { thread_id: `l${thread++}` };
    const result = await app.invoke({ n: 0 }, config);
    if (result.n !== STEPS) throw new Error(`the loop counted ${result.n}`);
  };
}

function byHand() {
  const step = async (state) => ({ n: state.n + 1 });
  return async () => {
    for (let i = 0; i < 20; i++) {
      let state = { n: 0 };
      while (state.n < STEPS) state = { ...state, ...(await step(state)) };
    }
  };
}

export async function rows({ weft, langgraph }) {
  const made = [];
  for (const saved of [false, true]) {
    const row = await compare(`loop, 1,000 steps${saved ? " + MemorySaver" : ""}`, {
      unit: "µs/superstep",
      per: STEPS,
      sides: { weft: side(weft, saved), langgraph: side(langgraph, saved) },
      warmups: 3,
      must: saved ? 40 : 50,
    });
    const limit = await compare("", {
      unit: "µs",
      per: STEPS * 20,
      sides: { limit: byHand() },
      rounds: 3,
    });
    made.push({ ...row, limit: limit.limit });
  }
  return made;
}
