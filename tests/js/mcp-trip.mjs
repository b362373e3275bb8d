// SPDX-License-Identifier: MIT
// A graph as an MCP server that runs anywhere: it reports its progress, asks its person a question,
// asks whether a tool may run, and returns a structured result. And what a client does with it.
import { Annotation, MessagesAnnotation, START, StateGraph, interrupt } from "weftgraph";
import { serveMcp } from "weftgraph/mcp/server";
import { ToolNode } from "weftgraph/prebuilt";
import { tool } from "weftgraph/tools";

const STEP_MS = 20;
/** More steps than a test waits for. */
const ENDLESS = 1000;
const MOST_LOOKS = 50;
const WORDS = { type: "array", items: { type: "string" } };

/** The graph, and a tool that tells what the graph did since it was last asked. */
export function serveTrip() {
  let done = [];
  let at = 0;
  const book = tool(({ seat }) => (done.push("book"), `booked ${seat}`), {
    name: "book",
    schema: { type: "object", properties: { seat: { type: "string" } }, required: ["seat"] },
    approval: "ask",
  });
  const State = Annotation.Root({
    ...MessagesAnnotation.spec,
    steps: Annotation(),
    to: Annotation(),
    seat: Annotation(),
  });
  const graph = new StateGraph(State)
    .addNode("search", async ({ steps }, { signal, writer }) => {
      for (let progress = 1; progress <= steps; progress++) {
        await new Promise((resolve) => setTimeout(resolve, STEP_MS));
        if (signal.aborted) {
          done.push("stopped");
          signal.throwIfAborted();
        }
        at = progress;
        writer({ progress, total: steps });
      }
      done.push("search");
    })
    .addNode("choose", ({ to }) => {
      const requestedSchema = {
        type: "object",
        properties: { seat: { type: "string", enum: ["aisle", "window"] } },
        required: ["seat"],
      };
      const { content } = interrupt({ message: `Which seat to ${to}?`, requestedSchema });
      const call = { type: "tool_call", id: "1", name: "book", args: content };
      return {
        seat: content.seat,
        messages: { role: "assistant", content: "", tool_calls: [call] },
      };
    })
    .addNode("tools", new ToolNode([book]))
    .addEdge(START, "search")
    .addEdge("search", "choose")
    .addEdge("choose", "tools")
    .compile();
  const trip = {
    graph,
    name: "trip",
    description: "Books a journey",
    schema: {
      type: "object",
      properties: { to: { type: "string" }, steps: { type: "integer" } },
      required: ["to", "steps"],
    },
    output: ({ to, seat, messages }) => ({ to, seat, told: messages.at(-1).content }),
    outputSchema: {
      type: "object",
      properties: { to: { type: "string" }, seat: { type: "string" }, told: { type: "string" } },
      required: ["to", "seat", "told"],
    },
  };
  const log = tool(
    () => {
      const told = { done, at };
      done = [];
      return told;
    },
    {
      name: "log",
      schema: { type: "object" },
      metadata: {
        mcp: {
          outputSchema: { type: "object", properties: { done: WORDS, at: { type: "integer" } } },
        },
      },
    },
  );
  return serveMcp([trip, log]);
}

/**
 * Lists the tools, calls the graph and answers it, and gives a long call up.
 * @param {(server: object, options: object) => Promise<any>} open one of CLIENTS
 * @param {{ fetch: typeof globalThis.fetch }} server
 */
export async function takeTrip(open, server) {
  const asked = [];
  const answer = ({ message, requestedSchema }) => {
    asked.push(message.split("\n")[0]);
    const { decision } = requestedSchema.properties;
    return { action: "accept", content: decision ? { decision: "approve" } : { seat: "window" } };
  };
  const { call, list, close } = await open(server, { answer });
  const log = async () => (await call("log", {})).structuredContent;
  const names = (await list()).tools.map(({ name }) => name);
  const seen = [];
  const onProgress = ({ progress, total }) => {
    // The official client tells each round of questions as progress, too, without a total.
    if (total !== undefined) seen.push(`${progress} of ${total}`);
  };
  const { structuredContent } = await call("trip", { to: "Oslo", steps: 2 }, { onProgress });
  const { done } = await log();
  const controller = new AbortController();
  const options = { signal: controller.signal, onProgress: () => controller.abort() };
  const isRefused = await call("trip", { to: "Rome", steps: ENDLESS }, options).then(
    () => false,
    () => true,
  );
  const stop = await stopOf(log);
  await close();
  return { names, seen, asked, structuredContent, done, isRefused, ...stop };
}

/** Waits until the graph takes no more steps; `told`: what it said of it. */
async function stopOf(log) {
  const told = [];
  for (let looks = 0, last = -1; looks < MOST_LOOKS; looks++) {
    const { done, at } = await log();
    told.push(...done);
    if (at === last) return { isStopped: true, told };
    last = at;
    await new Promise((resolve) => setTimeout(resolve, 5 * STEP_MS));
  }
  return { isStopped: false, told };
}

/** What `takeTrip` returns. */
export const TAKEN = {
  names: ["trip", "log"],
  seen: ["1 of 2", "2 of 2"],
  asked: ["Which seat to Oslo?", 'The agent wants to call "book".'],
  structuredContent: { to: "Oslo", seat: "window", told: "booked window" },
  done: ["search", "book"],
  isRefused: true,
  isStopped: true,
  told: ["stopped"],
};
