// SPDX-License-Identifier: MIT
// T8 in workerd: POST jobs, get results.
import { runJobs } from "./evict.mjs";

export default {
  fetch: async (request) => Response.json(await runJobs(await request.json())),
};
