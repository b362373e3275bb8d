// SPDX-License-Identifier: MIT
// docs/benchmarks.md: all that a browser app with a ReAct agent, a StateGraph and a saver loads,
// minified and gzipped: the scripts that a page fetches while an agent runs in it where there is a
// Chromium, else the first load of a bundle.
import { existsSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { AGENT_IDBFS, firstLoad } from "../../tools/bundle.mjs";
import { AGENT_PAGE, CHROMIUM, SCHEMA_PAGE, loadPage } from "../../tools/page-load.mjs";
import { round } from "./measure.mjs";

const LANGGRAPH = `export { StateGraph, Annotation, interrupt, Command, MemorySaver } from "@langchain/langgraph/web";
  export { createReactAgent } from "@langchain/langgraph/prebuilt";`;

async function gzipped(contents) {
  return gzipSync((await firstLoad(contents)).bytes, { level: 9 }).length / 1000;
}

export async function rows() {
  const row = {
    name: "browser bundle: ReAct agent, StateGraph, saver (ours with IDBFS and wasm)",
    unit: "kB gz",
  };
  row.weft = round(
    existsSync(CHROMIUM) ? (await loadPage(AGENT_PAGE)).gzip / 1000 : await gzipped(AGENT_IDBFS),
  );
  row.langgraph = round(await gzipped(LANGGRAPH));
  const made = [{ ...row, ratio: round(row.langgraph / row.weft), must: "<= 205 kB" }];
  if (existsSync(CHROMIUM))
    made.push({
      name: "browser bundle: the same, whose tools bring JSON Schema",
      unit: "kB gz",
      weft: round((await loadPage(SCHEMA_PAGE)).gzip / 1000),
      must: "<= 205 kB",
    });
  return made;
}
