// SPDX-License-Identifier: MIT
// PERFORMANCE row 14: all that a browser app with a ReAct agent, a StateGraph and a saver loads, minified and gzipped.
import { gzipSync } from "node:zlib";
import { firstLoad } from "../../tools/bundle.mjs";
import { round } from "./measure.mjs";

const uses = {
  weft: `export { StateGraph, Annotation, interrupt, Command } from "weftgraph";
    export { createReactAgent } from "weftgraph/prebuilt"; export { IdbfsSaver } from "weftgraph/savers/idbfs";`,
  langgraph: `export { StateGraph, Annotation, interrupt, Command, MemorySaver } from "@langchain/langgraph/web";
    export { createReactAgent } from "@langchain/langgraph/prebuilt";`,
};

async function gzipped(contents) {
  return gzipSync((await firstLoad(contents)).bytes, { level: 9 }).length / 1000;
}

export async function rows() {
  const row = { name: "browser bundle: ReAct agent, StateGraph, saver (ours with IDBFS and wasm)", unit: "kB gz" };
  for (const [side, contents] of Object.entries(uses)) row[side] = round(await gzipped(contents));
  return [{ ...row, ratio: round(row.langgraph / row.weft), must: "<= 100 kB" }];
}
