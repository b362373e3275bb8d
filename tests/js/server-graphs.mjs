// SPDX-License-Identifier: MIT
// The graphs that tests of the server run, and the SDK's client of a server in the same process.
import { Client } from "@langchain/langgraph-sdk";
import {
  AIMessage,
  AIMessageChunk,
  Annotation,
  MessagesAnnotation,
  START,
  StateGraph,
  interrupt,
} from "weftgraph";
import { createServer } from "weftgraph/server";

export const URL_OF_SERVER = "http://weft.local";
const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  log: Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
});

/** Streams its answer as a model does. */
class Words {
  lc_runnable = true;
  async *stream(text) {
    for (const word of text.split(" ")) yield new AIMessageChunk({ content: `${word} `, id: "m1" });
  }
}

export const pause = (ms, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason)));
  });

/**
 * A graph that does what its last message says: "ask" asks, "slow" waits until it is released or
 * cancelled, "fail" throws, anything else is answered in words.
 */
export function makeAgent(heard = {}) {
  const answer = async (state, config) => {
    const last = state.messages.at(-1)?.content ?? "";
    if (last === "ask") return { messages: [{ role: "ai", content: `${interrupt({ q: "?" })}` }] };
    if (last === "fail") throw new TypeError("the payment service said no");
    if (last === "slow") {
      heard.started?.();
      try {
        await pause(heard.ms ?? 60_000, config.signal);
      } catch (error) {
        heard.aborted = error;
        throw error;
      }
    }
    let whole;
    for await (const chunk of new Words().stream(`you said ${last}`)) {
      config.writer?.({ piece: chunk.content });
      whole = whole === undefined ? chunk : whole.concat(chunk);
    }
    return { messages: [new AIMessage(whole.content)], log: [last] };
  };
  return new StateGraph(State)
    .addNode("first", () => ({ log: ["first"] }))
    .addNode("answer", answer)
    .addEdge(START, "first")
    .addEdge("first", "answer")
    .compile();
}

export const say = (content) => ({ messages: [{ role: "user", content }] });

/** A server and the SDK's client of it. */
export function serve(options = {}) {
  const server = createServer({
    graphs: { agent: makeAgent() },
    // What a run fails with its client is told.
    onError: (error, run) => {
      if (run === undefined) throw error;
    },
    ...options,
  });
  const client = new Client({
    apiUrl: URL_OF_SERVER,
    callerOptions: { fetch: server.fetch, maxRetries: 0 },
  });
  /** A request of one's own. */
  const ask = async (method, path, body, headers = {}) => {
    const response = await server.fetch(`${URL_OF_SERVER}${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text && JSON.parse(text) };
  };
  return { server, client, ask };
}

/** The events of a stream of the SDK's. */
export async function listOf(stream) {
  const events = [];
  for await (const event of stream) events.push(event);
  return events;
}

/** Server-sent events of a body, up to `most`, with their ids. */
export async function readEvents(response, most = Infinity) {
  const events = [];
  let text = "";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const frame = text.slice(0, end);
      text = text.slice(end + 2);
      if (frame.startsWith(":")) continue;
      const field = (name) => new RegExp(`^${name}: (.*)$`, "m").exec(frame)?.[1];
      events.push({
        id: Number(field("id")),
        event: field("event"),
        data: JSON.parse(field("data")),
      });
      if (events.length === most) {
        await reader.cancel();
        return events;
      }
    }
  }
  return events;
}
