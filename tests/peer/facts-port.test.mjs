// SPDX-License-Identifier: MIT
// The facts of threads, questions, loops, channels and graphs inside once more, with Weft on LangGraph.js's own MemorySaver.
process.env.WEFT_PEER_SAVER = "langgraph";
for (const name of ["threads", "interrupts", "channels", "loop", "subgraphs", "subgraphs-root", "subgraphs-state", "update", "functional"]) await import(`./facts-${name}.test.mjs`);
