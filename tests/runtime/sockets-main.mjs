// SPDX-License-Identifier: MIT
// A server with sockets, as a Worker or a program of Deno: a graph that asks before it answers.
import { Annotation, START, StateGraph, interrupt } from "weftgraph";
import { createServer } from "weftgraph/server";

const asking = new StateGraph(Annotation.Root({ said: Annotation() }))
  .addNode("ask", () => ({ said: interrupt("which?") }))
  .addEdge(START, "ask")
  .compile();

/** @returns {{ socket: object, response: Response }} */
function pairOf() {
  const { 0: client, 1: socket } = new globalThis.WebSocketPair();
  socket.accept();
  return { socket, response: new Response(null, { status: 101, webSocket: client }) };
}

const { Deno: deno } = globalThis;
const server = createServer({ graphs: { asking }, upgrade: deno?.upgradeWebSocket ?? pairOf });

export default { fetch: (request) => server.fetch(request) };

if (deno !== undefined)
  deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: ({ port }) => console.log(port) },
    deno.args.includes("wrapped") ? (request) => server.fetch(request) : server.fetch,
  );
