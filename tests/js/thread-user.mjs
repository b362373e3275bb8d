// SPDX-License-Identifier: MIT
// A process that uses one thread of a folder: `node thread-user.mjs path runs [strategy]`. It tells
// its parent each result, by its code when it failed, from when it is told to begin. With `runs` 0
// its one run never ends, and it tells when its node has begun.
import { once } from "node:events";
import { Annotation, START, StateGraph } from "weftgraph";
import { FileSaver } from "weftgraph/savers/file";

const [path, runs, multitaskStrategy] = process.argv.slice(2);
const add = (a, b) => a + b;
const hangs = runs === "0";
process.send("ready");
await once(process, "message");
const step = async () => {
  if (hangs) {
    process.send("began");
    setInterval(() => {}, 1000);
    await new Promise(() => {});
  }
  await new Promise((resolve) => setTimeout(resolve, 5));
  return { count: 1 };
};
const graph = new StateGraph(
  Annotation.Root({ count: Annotation({ reducer: add, default: () => 0 }) }),
)
  .addNode("one", step)
  .addNode("two", step)
  .addEdge(START, "one")
  .addEdge("one", "two")
  .compile({ checkpointer: new FileSaver({ path }), multitaskStrategy });
for (let left = hangs ? 1 : Number(runs); left > 0; left--) {
  const result = await graph
    .invoke({}, { configurable: { thread_id: "1" } })
    .catch((error) => error.code ?? String(error));
  await new Promise((resolve) => process.send(result, resolve));
}
process.disconnect();
