// SPDX-License-Identifier: MIT
// A Deno process that uses one thread of a Deno KV: `kv-user.mjs <database> <runs> [strategy]`. It
// prints the result of each run, one line each. With `runs` 0 its one run never ends, and it prints
// "began".
import { Annotation, START, StateGraph } from "weftgraph";
import { DenoKvSaver } from "weftgraph/savers/deno-kv";

const [database, runs, multitaskStrategy] = globalThis.Deno.args;
const step = async () => {
  if (runs === "0") {
    console.log("began");
    setInterval(() => {}, 1000);
    await new Promise(() => {});
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
  return { count: 1 };
};
const kv = await globalThis.Deno.openKv(database);
const graph = new StateGraph(
  Annotation.Root({ count: Annotation({ reducer: (a, b) => a + b, default: () => 0 }) }),
)
  .addNode("one", step)
  .addNode("two", step)
  .addEdge(START, "one")
  .addEdge("one", "two")
  .compile({ checkpointer: new DenoKvSaver({ kv }), multitaskStrategy });
for (let left = Number(runs) || 1; left > 0; left--) {
  const result = await graph
    .invoke({}, { configurable: { thread_id: "1" } })
    .catch((error) => error.code ?? String(error));
  console.log(JSON.stringify(result));
}
