// SPDX-License-Identifier: MIT
// A server of LangSmith's wire protocol, as far as its client needs it: keeps the runs that are
// posted.
import { once } from "node:events";
import { createServer } from "node:http";

/** @returns {Promise<{ url: string, runs: Map<string, any>, close: () => void }>} */
export async function langsmithServer() {
  const runs = new Map();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (request.url?.endsWith("/runs/batch")) {
      const { post = [], patch = [] } = JSON.parse(body);
      for (const run of [...post, ...patch]) runs.set(run.id, { ...runs.get(run.id), ...run });
    }
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        version: "0.0.0",
        batch_ingest_config: {
          use_multipart_endpoint: false,
          size_limit: 100,
          scale_up_nthreads_limit: 16,
          scale_up_qsize_trigger: 1000,
          size_limit_bytes: 20_971_520,
        },
      }),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    runs,
    close: () => (server.closeAllConnections(), server.close()),
  };
}

/** The runs as lines: each below the one that it is in, indented. @param {Map<string, any>} runs */
export function treeOf(runs) {
  const lines = [];
  const add = (parent, indent) => {
    const inside = [...runs.values()].filter((run) => (run.parent_run_id ?? undefined) === parent);
    inside.sort((a, b) => (a.dotted_order < b.dotted_order ? -1 : 1));
    for (const run of inside) {
      lines.push(
        `${indent}${run.run_type} ${run.name}${run.end_time ? "" : " (open)"}${run.error ? " failed" : ""}`,
      );
      add(run.id, `${indent}  `);
    }
  };
  add(undefined, "");
  return lines;
}
