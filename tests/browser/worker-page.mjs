// SPDX-License-Identifier: MIT
// A page of a site without a backend: it may offer a server, and reaches one by the SDK's client
// and the page's own fetch. The graph does what its last message says.
import { Client } from "@langchain/langgraph-sdk";
import { StreamController } from "@langchain/langgraph-sdk/stream";
import { MessagesAnnotation, START, StateGraph, interrupt } from "weftgraph";
import { createServer } from "weftgraph/server";
import { offer } from "weftgraph/server/service-worker";
import { ScriptedModel } from "weftgraph/models/scripted";

const heard = [];
const responses = Array.from({ length: 20 }, () => "one two three four");
const llm = new ScriptedModel({ responses, tokenDelayMs: 60 });

async function answer({ messages }, { signal }) {
  const { content } = messages.at(-1);
  if (content === "ask") return { messages: [{ role: "ai", content: interrupt("may I?") }] };
  if (content === "slow") {
    heard.push("slow began");
    await new Promise((_resolve, reject) =>
      signal.addEventListener("abort", () => {
        heard.push("slow was cancelled");
        reject(signal.reason);
      }),
    );
  }
  return { messages: [await llm.invoke(messages)] };
}

const agent = new StateGraph(MessagesAnnotation)
  .addNode("answer", answer)
  .addEdge(START, "answer")
  .compile();

const address = `${location.origin}/agents`;
const client = new Client({ apiUrl: address, callerOptions: { maxRetries: 0 } });
const say = (content) => ({ messages: [{ role: "user", content }] });
let undo;

globalThis.tab = {
  heard: () => heard,
  /** Registers a service worker, and waits until it has this page. */
  async register(script) {
    await navigator.serviceWorker.register(script);
    while (navigator.serviceWorker.controller === null)
      await new Promise((resolve) => setTimeout(resolve, 10));
  },
  offer() {
    undo = offer(createServer({ graphs: { agent }, basePath: "/agents" }));
  },
  takeBack: () => undo(),
  /** The status of a plain request, and its JSON. */
  async ask(path, init) {
    const response = await fetch(`${address}${path}`, init);
    return [response.status, await response.json()];
  },
  createThread: async (threadId) => (await client.threads.create({ threadId })).thread_id,
  /** A turn: pieces of its answer with the times when they came, its last text and its question. */
  async turn(threadId, content, resume) {
    const pieces = [];
    let values = {};
    const stream = client.runs.stream(threadId, "agent", {
      ...(resume === undefined ? { input: say(content) } : { command: { resume } }),
      streamMode: ["values", "messages-tuple"],
    });
    for await (const { event, data } of stream)
      if (event === "messages") pieces.push([performance.now(), data[0].content]);
      else if (event === "values") values = data;
    return {
      pieces,
      text: values.messages?.at(-1).content,
      question: values.__interrupt__?.[0].value,
    };
  },
  /** Begins to read a run that does not end, until the second event, and goes on behind it. */
  async begin(threadId) {
    globalThis.controller = new AbortController();
    const stream = client.runs.stream(threadId, "agent", {
      input: say("slow"),
      streamMode: "values",
      onDisconnect: "cancel",
      signal: globalThis.controller.signal,
    });
    const events = stream[Symbol.asyncIterator]();
    await events.next();
    await events.next();
    globalThis.end = (async () => {
      for (;;) {
        const { done, value } = await events.next();
        if (done || value.event === "error") return "ended";
      }
    })().catch((error) => error.name);
  },
  leave: () => globalThis.controller.abort(),
  end: () => globalThis.end,
  /** What useStream does and shows: a question, and the last message once it is answered. */
  async control() {
    const controller = new StreamController({ assistantId: "agent", client, threadId: null });
    controller.activate();
    const shown = () => controller.rootStore.getSnapshot();
    const until = async (isSo) => {
      while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    await controller.submit(say("ask"));
    await until(() => shown().interrupt !== undefined && !shown().isLoading);
    const question = shown().interrupt.value;
    await controller.respond("yes");
    await until(() => shown().messages.length === 2 && !shown().isLoading);
    const { text } = shown().messages.at(-1);
    await controller.dispose();
    return [question, text];
  },
};
