// SPDX-License-Identifier: MIT
// MCP servers made with the official SDKs, as functions that take the place of `fetch`.
import {
  McpServer,
  acceptedContent,
  createMcpHandler,
  inputRequired,
} from "@modelcontextprotocol/server";
import { McpServer as LegacyMcpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import * as z from "zod";

export const URL_OF_ALL = "https://mcp.example/mcp";

/** Registers the tools, prompts and resources that both eras have. */
function registerAll(server, calls) {
  const textOf = (text) => ({ content: [{ type: "text", text }] });
  server.registerTool(
    "add",
    {
      title: "Add",
      description: "Adds two numbers",
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
      annotations: { readOnlyHint: true },
    },
    async ({ a, b }) => ({ ...textOf(String(a + b)), structuredContent: { sum: a + b } }),
  );
  server.registerTool("all.kinds", { description: "Answers in all kinds" }, async () => ({
    content: [
      { type: "text", text: "one" },
      { type: "image", data: "aGk=", mimeType: "image/png" },
      { type: "audio", data: "aGk=", mimeType: "audio/wav" },
      { type: "resource", resource: { uri: "file:///a", text: "hello", mimeType: "text/plain" } },
      { type: "resource_link", uri: "https://example.com/y", name: "y", mimeType: "text/plain" },
    ],
    _meta: { k: 1 },
  }));
  server.registerTool("broken", { description: "Fails" }, async () => ({
    ...textOf("no such city"),
    isError: true,
  }));
  server.registerTool(
    "slow",
    { description: "Takes three steps", inputSchema: z.object({ ms: z.number().optional() }) },
    async ({ ms = 1 }, context) => {
      const { notify, _meta, signal } = context.mcpReq ?? {
        notify: context.sendNotification,
        _meta: context._meta,
        signal: context.signal,
      };
      signal.addEventListener("abort", () => calls.push("slow aborted"));
      for (let progress = 1; progress <= 3; progress++) {
        await new Promise((resolve) => setTimeout(resolve, ms));
        if (_meta?.progressToken !== undefined)
          await notify({
            method: "notifications/progress",
            params: {
              progressToken: _meta.progressToken,
              progress,
              total: 3,
              message: `step ${progress}`,
            },
          });
      }
      return textOf("done");
    },
  );
  server.registerResource("note", "note://1", { mimeType: "text/plain" }, async () => ({
    contents: [{ uri: "note://1", text: "remember", mimeType: "text/plain" }],
  }));
  server.registerPrompt("greet", { argsSchema: z.object({ name: z.string() }) }, ({ name }) => ({
    messages: [{ role: "user", content: { type: "text", text: `Greet ${name}` } }],
  }));
}

/** A server of the revision 2026-07-28. `calls` receives what its tools did. */
export function modernServer({ calls = [], change = () => {} } = {}) {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "demo", version: "1.0.0" });
    registerAll(server, calls);
    server.registerTool(
      "deploy",
      { description: "Deploys", inputSchema: z.object({ env: z.string() }) },
      async ({ env }, context) => {
        const confirmed = acceptedContent(context.mcpReq.inputResponses, "confirm");
        calls.push(confirmed === undefined ? "deploy asked" : "deploy done");
        if (confirmed !== undefined)
          return {
            content: [{ type: "text", text: `deployed to ${env}: ${JSON.stringify(confirmed)}` }],
          };
        const message = `Deploy to ${env}?`;
        const requestedSchema = {
          type: "object",
          properties: {
            confirm: { type: "boolean" },
            level: { type: "string", default: "careful" },
          },
          required: ["confirm"],
        };
        return inputRequired({
          inputRequests: { confirm: inputRequired.elicit({ message, requestedSchema }) },
          requestState: `state of ${env}`,
        });
      },
    );
    change(server);
    return server;
  });
  return recording((url, init) => handler.fetch(new Request(url, init)));
}

/** A server with sessions of the revisions until 2025-11-25. */
export function legacyServer({ calls = [], answers = {} } = {}) {
  /** @type {Map<string, WebStandardStreamableHTTPServerTransport>} */
  const sessions = new Map();
  const open = async () => {
    const server = new LegacyMcpServer({ name: "old", version: "1.0.0" });
    registerAll(
      {
        registerTool: (name, config, run) =>
          server.registerTool(
            name,
            { ...config, inputSchema: config.inputSchema ?? z.object({}) },
            (args, extra) => run(args, extra),
          ),
        registerResource: server.registerResource.bind(server),
        registerPrompt: (name, { argsSchema }, run) =>
          server.registerPrompt(name, { argsSchema: argsSchema.shape }, run),
      },
      calls,
    );
    server.registerTool("ask", { inputSchema: z.object({}) }, async (_args, { sendRequest }) => {
      const answer = await sendRequest(
        {
          method: "elicitation/create",
          params: {
            mode: "form",
            message: "How many?",
            requestedSchema: {
              type: "object",
              properties: { count: { type: "number" }, unit: { type: "string", default: "kg" } },
            },
          },
        },
        z.any(),
      );
      return { content: [{ type: "text", text: JSON.stringify(answer) }] };
    });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      ...answers,
    });
    await server.connect(transport);
    return transport;
  };
  const fetch = recording(async (url, init) => {
    const request = new Request(url, init);
    const id = request.headers.get("mcp-session-id");
    if (id === null) return (await open()).handleRequest(request);
    const transport = sessions.get(id);
    if (transport === undefined) return new Response("no such session", { status: 404 });
    if (request.method === "DELETE") sessions.delete(id);
    return transport.handleRequest(request);
  });
  return Object.assign(fetch, { sessions });
}

/** Keeps what was sent. */
function recording(fetch) {
  const sent = [];
  const own = (url, init) => {
    sent.push({ url: String(url), ...init, body: init.body && JSON.parse(init.body) });
    return fetch(url, init);
  };
  return Object.assign(own, { sent });
}
