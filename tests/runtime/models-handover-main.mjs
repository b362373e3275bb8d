// SPDX-License-Identifier: MIT
// One turn of the wandering threads (models-handover-turn.mjs) as a program of Node, Deno and Bun:
// `models-handover-main.mjs <address>`.
import { turnOfAll } from "./models-handover-turn.mjs";

const { Deno, process } = globalThis;
await turnOfAll((Deno?.args ?? process.argv).at(-1));
console.log("done");
(Deno ?? process).exit(0);
