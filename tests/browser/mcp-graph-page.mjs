// SPDX-License-Identifier: MIT
// A page that asks a graph as an MCP server, in this page behind a MessagePort or in a worker of
// its own, with our clients and the official ones.
import { serveFrom } from "weftgraph/server/service-worker";
import { CLIENTS } from "../js/mcp-served.mjs";
import { serveTrip, takeTrip } from "../js/mcp-trip.mjs";

const PLACES = {
  "in the page, over a MessagePort"() {
    const { port1, port2 } = new MessageChannel();
    const stop = serveTrip().listen(port1);
    return { ...serveFrom(port2), stop };
  },
  "in a worker of its own"() {
    const worker = new Worker("/worker.js", { type: "module" });
    return { ...serveFrom(worker), stop: () => worker.terminate() };
  },
};

globalThis.tab = {
  async take(place, kind) {
    const { fetch, stop } = PLACES[place]();
    const taken = await takeTrip(CLIENTS[kind], { fetch });
    stop();
    return taken;
  },
};
