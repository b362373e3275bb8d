// SPDX-License-Identifier: MIT
// T8 in a page.
import { runJobs } from "./evict.mjs";

globalThis.runJobs = runJobs;
