// SPDX-License-Identifier: MIT
// A tab with a server of its own over the IndexedDB that its siblings use: starts, follows, cancels
// and reads runs by the SDK's client.
import { Client } from "@langchain/langgraph-sdk";
import { Annotation, START, StateGraph, interrupt } from "../../js/index.js";
import { IdbfsSaver } from "../../js/savers/idbfs/saver.js";
import { createServer } from "../../js/server/index.js";
import { SaverStore } from "../../js/stores/saver-store.js";

const State = Annotation.Root({
  log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
});
const gates = [];

/** Waits until this tab opens its gate, or the run is cancelled; "ask" asks. */
async function work({ log }, { writer, signal }) {
  const word = log.at(-1);
  writer?.({ began: word });
  if (word === "ask") return { log: [`said ${interrupt({ question: "sure?" })}`] };
  if (word !== "quick")
    await new Promise((resolve, reject) => {
      gates.push(resolve);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  return { log: [`${word} in ${globalThis.tabName}`] };
}

const onError = (error) => globalThis.failures.push(`${error.stack}`);

function serverOf(agent, name) {
  const saver = new IdbfsSaver({ prefix: name });
  const store = new SaverStore(saver);
  return createServer({ graphs: { agent }, saver, store, tabs: name, onError });
}

let server, client;
const outcomeOf = (promise) =>
  promise.then(
    (value) => ({ value }),
    (error) => ({ status: error.status ?? 0, message: `${error.message}` }),
  );

globalThis.tab = {
  /** Makes the tab's server. */
  serve(tabName, name) {
    globalThis.tabName = tabName;
    const agent = new StateGraph(State)
      .addNode("work", work)
      .addNode("more", () => ({ log: ["end"] }))
      .addEdge(START, "work")
      .addEdge("work", "more")
      .compile();
    globalThis.failures = [];
    server = serverOf(agent, name);
    client = new Client({
      apiUrl: "http://weft.local",
      callerOptions: { fetch: server.fetch, maxRetries: 0 },
    });
  },
  failures: () => globalThis.failures,
  createThread: (threadId) => client.threads.create({ threadId, ifExists: "do_nothing" }),
  thread: (threadId) => client.threads.get(threadId),
  threads: async () => (await client.threads.search()).map(({ thread_id }) => thread_id),
  log: async (threadId) => (await client.threads.getState(threadId)).values.log ?? [],
  runs: async (threadId) =>
    (await client.runs.list(threadId)).map(({ status }) => status).reverse(),
  start: (threadId, word, multitaskStrategy) =>
    outcomeOf(
      client.runs.create(threadId, "agent", {
        input: { log: [word] },
        streamMode: ["values", "custom"],
        ...(multitaskStrategy === undefined ? {} : { multitaskStrategy }),
      }),
    ),
  answer: (threadId, resume) =>
    outcomeOf(client.runs.wait(threadId, "agent", { command: { resume } })),
  write: (threadId, word) =>
    outcomeOf(client.threads.updateState(threadId, { values: { log: [word] }, asNode: "more" })),
  cancel: (threadId, runId, action) => outcomeOf(client.runs.cancel(threadId, runId, true, action)),
  /** The last state of a run, wherever it is at work. */
  join: async (threadId, runId) => (await client.runs.join(threadId, runId)).log,
  /** Reads a stream into `globalThis.heard`: of the thread, or of one run. */
  follow(threadId, runId, lastEventId) {
    globalThis.heard = [];
    (async () => {
      const stream =
        runId === undefined
          ? client.threads.joinStream(threadId, { lastEventId })
          : client.runs.joinStream(threadId, runId, { lastEventId });
      for await (const event of stream) globalThis.heard.push(event);
      globalThis.heard.push("end");
    })();
  },
  heard: () => globalThis.heard,
  /** Reads the thread's events of protocol v2 into `globalThis.told`. */
  async subscribe(threadId) {
    globalThis.told = [];
    const { body } = await server.fetch(`http://weft.local/threads/${threadId}/stream/events`, {
      method: "POST",
      body: "{}",
    });
    (async () => {
      let text = "";
      for await (const piece of body.pipeThrough(new TextDecoderStream())) {
        text += piece;
        const frames = text.split("\n\n");
        text = frames.pop();
        for (const frame of frames) {
          const data = /^data: (.*)$/m.exec(frame)?.[1];
          if (data !== undefined) globalThis.told.push(JSON.parse(data));
        }
      }
    })();
  },
  told: () => globalThis.told,
  async command(threadId, method, params) {
    const response = await server.fetch(`http://weft.local/threads/${threadId}/commands`, {
      method: "POST",
      body: JSON.stringify({ id: 1, method, params }),
    });
    return response.json();
  },
  isWorking: () => gates.length > 0,
  open() {
    for (const gate of gates.splice(0)) gate();
  },
};
