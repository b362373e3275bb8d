// SPDX-License-Identifier: MIT
// Tools and graphs that serveMcp serves, and the clients that ask it: our own in both eras, and the
// official ones, version 1 and 2.
import { Client } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as LegacyTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { Annotation, START, StateGraph, interrupt } from "weftgraph";
import { connectMcp } from "weftgraph/mcp";
import { tool } from "weftgraph/tools";

export const URL_OF_SERVER = "https://tools.example/mcp";
const NUMBERS = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" } },
  required: ["a", "b"],
};

/** Tools of every kind. `calls` receives what they did. */
export function makeTools(calls = []) {
  const add = tool(({ a, b }) => ({ sum: a + b }), {
    name: "add",
    description: "Adds two numbers",
    schema: NUMBERS,
    metadata: {
      mcp: {
        title: "Add",
        annotations: { readOnlyHint: true },
        outputSchema: { type: "object", properties: { sum: { type: "number" } } },
      },
    },
  });
  const fail = tool(
    () => {
      throw new Error("no such city");
    },
    { name: "fail", schema: { type: "object" } },
  );
  const slow = tool(
    async function* ({ ms = 1 }, { signal }) {
      signal.addEventListener("abort", () => calls.push("slow aborted"));
      for (let progress = 1; progress <= 3; progress++) {
        await new Promise((resolve) => setTimeout(resolve, ms));
        yield { progress, total: 3, message: `step ${progress}` };
      }
      calls.push("slow done");
      return "done";
    },
    { name: "slow", schema: { type: "object", properties: { ms: { type: "number" } } } },
  );
  const pay = tool(
    ({ amount }) => {
      calls.push(`paid ${amount}`);
      return `paid ${amount}`;
    },
    {
      name: "pay",
      schema: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
      approval: "ask",
    },
  );
  const ask = tool(
    () => {
      const answer = interrupt({
        message: "How many?",
        requestedSchema: {
          type: "object",
          properties: { count: { type: "integer" }, unit: { type: "string", default: "kg" } },
          required: ["count"],
        },
      });
      calls.push("asked");
      return JSON.stringify(answer);
    },
    { name: "ask", schema: { type: "object" } },
  );
  return [add, fail, slow, pay, ask];
}

/** A graph of two steps, the second of which asks. */
export function makeGraph(calls = []) {
  const State = Annotation.Root({
    to: Annotation(),
    greeting: Annotation(),
    sent: Annotation(),
  });
  return new StateGraph(State)
    .addNode("greet", ({ to }) => {
      calls.push("greet");
      return { greeting: `Dear ${to}` };
    })
    .addNode("write", ({ greeting }) => {
      const text = interrupt("What to write?");
      calls.push("write");
      return { sent: `${greeting}, ${text}` };
    })
    .addEdge(START, "greet")
    .addEdge("greet", "write")
    .compile();
}

export const MAIL = {
  name: "send_mail",
  description: "Writes to somebody",
  schema: { type: "object", properties: { to: { type: "string" } }, required: ["to"] },
};

/**
 * A client of each kind, with one way to call: `call(name, args, { answer, onProgress, signal })`,
 * where `answer(params)` answers a question.
 */
export const CLIENTS = {
  "our client, modern": (server, options) => ownClient(server, "modern", options),
  "our client, legacy": (server, options) => ownClient(server, "legacy", options),
  "the official client 2, modern": (server, options) => secondClient(server, "auto", options),
  "the official client 2, legacy": (server, options) => secondClient(server, undefined, options),
  "the official client 1": firstClient,
};

async function ownClient(server, era, { answer, headers } = {}) {
  const client = await connectMcp(URL_OF_SERVER, {
    fetch: server.fetch,
    era,
    headers,
    onElicit: answer,
  });
  const call = async (name, args, options = {}) => {
    const params = { name, arguments: args };
    let result = await client.callTool(params, options);
    while (result.resultType === "input_required") {
      const inputResponses = {};
      for (const [key, request] of Object.entries(result.inputRequests))
        inputResponses[key] = await answer(request.params);
      const { requestState } = result;
      result = await client.callTool({ ...params, inputResponses, requestState }, options);
    }
    return result;
  };
  return { client, call, list: (params) => client.listTools(params), close: () => client.close() };
}

async function secondClient(server, mode, { answer, headers } = {}) {
  const capabilities = answer === undefined ? {} : { elicitation: { form: {}, url: {} } };
  const client = new Client(
    { name: "c", version: "1" },
    { capabilities, ...(mode === undefined ? {} : { versionNegotiation: { mode } }) },
  );
  if (answer !== undefined)
    client.setRequestHandler("elicitation/create", ({ params }) => answer(params));
  const transport = new StreamableHTTPClientTransport(new URL(URL_OF_SERVER), {
    fetch: server.fetch,
    requestInit: { headers },
  });
  await client.connect(transport);
  const call = (name, args, { onProgress, signal } = {}) =>
    client.callTool({ name, arguments: args }, { onprogress: onProgress, signal });
  return { client, call, list: (params) => client.listTools(params), close: () => client.close() };
}

async function firstClient(server, { answer, headers } = {}) {
  const capabilities = answer === undefined ? {} : { elicitation: { form: {}, url: {} } };
  const client = new LegacyClient({ name: "c", version: "1" }, { capabilities });
  if (answer !== undefined)
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params));
  const transport = new LegacyTransport(new URL(URL_OF_SERVER), {
    fetch: server.fetch,
    requestInit: { headers },
  });
  await client.connect(transport);
  const call = (name, args, { onProgress, signal } = {}) =>
    client.callTool({ name, arguments: args }, undefined, { onprogress: onProgress, signal });
  return { client, call, list: (params) => client.listTools(params), close: () => client.close() };
}
