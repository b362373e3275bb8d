// SPDX-License-Identifier: MIT
// T19, preloaded: the engine's memory moves before and after each call of it, so that every view of
// it that anyone kept is detached. Tells the number of calls in WEFT_MOVES, a file of its own for
// each process.
import { appendFileSync } from "node:fs";
import { hooks } from "./instances.mjs";

let calls = 0;
hooks.call = (_, real, args, memory) => {
  calls++;
  // Growing by nothing detaches the old buffer as well.
  memory.grow(0);
  const answer = real(...args);
  memory.grow(0);
  return answer;
};
// T19's planted bug: a host that goes on with the first view that it got.
if (process.env.WEFT_BREAK === "T19") hooks.memory = ({ buffer }) => ({ buffer });
process.on("exit", () => calls > 0 && appendFileSync(process.env.WEFT_MOVES, `${calls}\n`));
