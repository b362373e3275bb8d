// SPDX-License-Identifier: MIT
// The agent behind Bun.serve, its threads in a folder.
import { FileSaver } from "weftgraph/savers/file";
import { createServer } from "weftgraph/server";
import { SaverStore } from "weftgraph/stores/saver";
import { agent } from "./graph.js";

const saver = new FileSaver({ path: process.env.THREADS ?? ".weft" });
const server = createServer({ graphs: { agent }, saver, store: new SaverStore(saver) });

const { port } = Bun.serve({
  port: Number(process.env.PORT ?? 2024),
  hostname: "127.0.0.1",
  fetch: (request) => server.fetch(request),
});
console.log(`http://127.0.0.1:${port}`);
