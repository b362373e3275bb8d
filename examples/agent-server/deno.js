// SPDX-License-Identifier: MIT
// The agent behind Deno.serve, its threads in a folder.
import { FileSaver } from "weftgraph/savers/file";
import { createServer } from "weftgraph/server";
import { SaverStore } from "weftgraph/stores/saver";
import { agent } from "./graph.js";

const saver = new FileSaver({ path: Deno.env.get("THREADS") ?? ".weft" });
const server = createServer({ graphs: { agent }, saver, store: new SaverStore(saver) });

Deno.serve(
  {
    port: Number(Deno.env.get("PORT") ?? 2024),
    hostname: "127.0.0.1",
    onListen: ({ port }) => console.log(`http://127.0.0.1:${port}`),
  },
  (request) => server.fetch(request),
);
