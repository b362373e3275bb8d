// SPDX-License-Identifier: MIT
// An MCP server on a port in Deno or Bun, asked by the client of the same program, and the official
// example server, whose address is the argument. Prints what came back.
import { connectMcp } from "weftgraph/mcp";
import { serveMcp } from "weftgraph/mcp/server";
import { tool } from "weftgraph/tools";

const deno = globalThis.Deno;
const [everything] = deno?.args ?? globalThis.process.argv.slice(2);
const ended = [];
const slow = tool(
  async function* ({ steps }, { signal }) {
    signal.addEventListener("abort", () => ended.push("aborted"));
    for (let progress = 1; progress <= steps; progress++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      yield { progress, total: steps };
    }
    return "done";
  },
  { name: "slow", schema: { type: "object", properties: { steps: { type: "integer" } } } },
);
const pay = tool(({ amount }) => `paid ${amount}`, {
  name: "pay",
  schema: { type: "object", properties: { amount: { type: "number" } } },
  approval: "ask",
});
const { fetch } = serveMcp([slow, pay], { heartbeatMs: 50 });
const server = deno
  ? deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => fetch(request))
  : globalThis.Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: (request) => fetch(request) });
const url = `http://127.0.0.1:${server.addr?.port ?? server.port}/mcp`;

const approve = { action: "accept", content: { decision: "approve" } };
const results = [];
for (const era of ["modern", "legacy"]) {
  const client = await connectMcp(url, { era, onElicit: () => approve });
  const seen = [];
  const onProgress = ({ progress }) => seen.push(progress);
  await client.callTool({ name: "slow", arguments: { steps: 2 } }, { onProgress });
  const params = { name: "pay", arguments: { amount: 1 } };
  let paid = await client.callTool(params);
  if (paid.resultType === "input_required")
    paid = await client.callTool({
      ...params,
      inputResponses: { [Object.keys(paid.inputRequests)[0]]: approve },
      requestState: paid.requestState,
    });
  const controller = new AbortController();
  const options = { signal: controller.signal, onProgress: () => controller.abort() };
  const error = await client
    .callTool({ name: "slow", arguments: { steps: 100 } }, options)
    .catch(({ name }) => name);
  for (let tries = 0; ended.length === 0 && tries < 100; tries++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  results.push([era, seen, paid.content[0].text, error, ended.splice(0)]);
  await client.close();
}
const example = await connectMcp(everything);
const { content } = await example.callTool({ name: "get-sum", arguments: { a: 2, b: 3 } });
results.push([example.era, content[0].text]);
await example.close();
console.log(JSON.stringify(results));
(deno ?? globalThis.process).exit(0);
