// SPDX-License-Identifier: MIT
// The agent behind Node's http, its threads in a folder.
import { createServer as listen } from "node:http";
import { FileSaver } from "weftgraph/savers/file";
import { createServer } from "weftgraph/server";
import { toNodeHandler } from "weftgraph/server/node";
import { SaverStore } from "weftgraph/stores/saver";
import { agent } from "./graph.js";

const saver = new FileSaver({ path: process.env.THREADS ?? ".weft" });
const server = createServer({ graphs: { agent }, saver, store: new SaverStore(saver) });

const http = listen(toNodeHandler(server));
http.listen(Number(process.env.PORT ?? 2024), "127.0.0.1", () =>
  console.log(`http://127.0.0.1:${http.address().port}`),
);
