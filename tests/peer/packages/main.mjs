// SPDX-License-Identifier: MIT
// Prints what each case gives, as JSON: with `--import swap.mjs` on Weft, without on LangGraph.js.
import { agents } from "./agents.mjs";
import { middleware } from "./middleware.mjs";
import { teams } from "./teams.mjs";

const RANDOM = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\b[0-9a-f]{32}\b/g;
const TIMES = new Set(["timestamp", "created_at", "createdAt", "modified_at"]);

/** Random ids are named by the order in which they appear; times are left out. */
function plain(value) {
  const names = new Map();
  return JSON.parse(
    JSON.stringify(value ?? null, (key, inner) => {
      if (TIMES.has(key)) return undefined;
      if (typeof inner !== "string") return inner;
      return inner.replace(
        RANDOM,
        (id) => names.get(id) ?? names.set(id, `#${names.size}`).get(id),
      );
    }),
  );
}

const told = {};
for (const [name, work] of Object.entries({ ...agents, ...middleware, ...teams })) {
  told[name] = await Promise.resolve()
    .then(work)
    .then(plain, (error) => ({
      threw: error.name,
      message: error.message,
      code: error.lc_error_code,
    }));
}
process.stdout.write(
  JSON.stringify({ library: import.meta.resolve("@langchain/langgraph"), told }),
  () => process.exit(),
);
