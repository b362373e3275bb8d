// SPDX-License-Identifier: MIT
// The facts of threads, questions and channels by themselves once more, with Weft on LangGraph.js's
// own MemorySaver; under WEFT_LONG (`make check-long PART=port`) also those of loops, channels,
// updates, functions and graphs inside.
// Own process: runs the facts' files over another saver, once more in the same process.
import { LONG } from "../proof/kit.mjs";

process.env.WEFT_PEER_SAVER = "langgraph";
const names = ["threads", "interrupts", "surface-channels"];
if (LONG)
  names.push(
    "channels",
    "loop",
    "subgraphs",
    "subgraphs-root",
    "subgraphs-state",
    "update",
    "functional",
  );
for (const name of names) await import(`./facts-${name}.test.mjs`);
