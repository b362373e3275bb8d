// SPDX-License-Identifier: MIT
// MCP's official example server, over a real connection.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { connectMcp, loadMcpTools } from "weftgraph/mcp";
import { startEverything } from "./mcp-everything.mjs";

let everything;
before(async () => {
  everything = await startEverything();
});
after(() => everything?.stop());

const invoke = async (tools, name, args) =>
  tools.find((one) => one.name === name).invoke({ type: "tool_call", id: "1", name, args });

test("the example server's tools answer in text, numbers, images, links and structures", async () => {
  const server = await connectMcp(everything.url);
  assert.equal(server.era, "legacy");
  const tools = await loadMcpTools(server);
  assert.match((await invoke(tools, "echo", { message: "hi" })).content, /hi/);
  assert.match((await invoke(tools, "get-sum", { a: 2, b: 3 })).content, /5/);
  const image = await invoke(tools, "get-tiny-image", {});
  assert.ok(
    image.content.some(({ image_url }) => image_url?.url.startsWith("data:image/png;base64,")),
  );
  const links = await invoke(tools, "get-resource-links", { count: 2 });
  assert.equal(links.content.filter(({ text }) => text.startsWith("Resource ")).length, 2);
  assert.equal(links.artifact.filter(({ type }) => type === "resource_link").length, 2);
  const weather = await invoke(tools, "get-structured-content", { location: "New York" });
  assert.equal(typeof weather.artifact[0].data.temperature, "number");
  await server.close();
});

test("a long operation of the example server tells its progress, and can be aborted", async () => {
  const server = await connectMcp(everything.url);
  const seen = [];
  await server.callTool(
    { name: "trigger-long-running-operation", arguments: { duration: 0.3, steps: 3 } },
    { onProgress: ({ progress, total }) => seen.push([progress, total]) },
  );
  assert.deepEqual(seen.at(-1), [3, 3]);
  const begun = Date.now();
  await assert.rejects(
    server.callTool(
      { name: "trigger-long-running-operation", arguments: { duration: 20, steps: 5 } },
      { signal: AbortSignal.timeout(100) },
    ),
    { name: "AbortError" },
  );
  assert.ok(Date.now() - begun < 5000);
  await server.close();
});

test("the example server's question is answered by onElicit", async () => {
  const asked = [];
  const server = await connectMcp(everything.url, {
    onElicit: ({ message, requestedSchema }) => {
      asked.push([message, Object.keys(requestedSchema.properties)]);
      return { action: "accept", content: { name: "Ada" } };
    },
  });
  const result = await server.callTool({ name: "trigger-elicitation-request", arguments: {} });
  assert.equal(asked.length, 1);
  assert.match(JSON.stringify(result.content), /Ada/);
  await server.close();
});
