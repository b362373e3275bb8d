// SPDX-License-Identifier: MIT
// T8 in Node and Deno: `evict-main.mjs <file of jobs> <file of results>`.
import { readFileSync, writeFileSync } from "node:fs";
import { runJobs } from "./evict.mjs";

const [jobs, results] = globalThis.Deno?.args ?? process.argv.slice(2);
writeFileSync(results, JSON.stringify(await runJobs(JSON.parse(readFileSync(jobs, "utf8")))));
console.log("done");
