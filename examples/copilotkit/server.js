// SPDX-License-Identifier: MIT
// The agent behind an address, its threads in files, and the page that `npm run build` made.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { handleAgUi } from "weftgraph/ag-ui";
import { FileSaver } from "weftgraph/savers/file";
import { toNodeHandler } from "weftgraph/server/node";
import { makeAgent } from "./graph.js";

const graph = makeAgent(new FileSaver({ path: process.env.THREADS ?? ".weft" }));
const dist = join(import.meta.dirname, "dist");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

async function fetch(request) {
  const { pathname } = new URL(request.url);
  if (pathname === "/agui") return handleAgUi(request, { graph });
  // A path in a URL has no "..": it stays in the folder.
  const path = join(dist, pathname === "/" ? "index.html" : pathname);
  const headers = { "content-type": TYPES[extname(path)] ?? "application/octet-stream" };
  return readFile(path).then(
    (bytes) => new Response(bytes, { headers }),
    () => new Response(null, { status: 404 }),
  );
}

const http = createServer(toNodeHandler({ fetch }));
http.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () =>
  console.log(`http://127.0.0.1:${http.address().port}`),
);
