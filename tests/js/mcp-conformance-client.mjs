// SPDX-License-Identifier: MIT
// The program that MCP's conformance tests start as a client: calls what the scenario's server has.
import { connectMcp } from "weftgraph/mcp";

const { toolCalls } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? "{}");
const server = await connectMcp(process.argv.at(-1), {
  onElicit: () => ({ action: "accept", content: {} }),
});

/** Makes arguments that fit a schema. */
const sample = (schema) =>
  Object.fromEntries(
    Object.entries(schema?.properties ?? {}).map(([key, { type, ...field }]) => [
      key,
      field.default ??
        { number: 1, integer: 1, boolean: true, object: type === "object" && sample(field) }[
          type
        ] ??
        "text",
    ]),
  );

const { tools } = await server.listTools();
/** What the tool that echoes a schema is given: another tool's, as this client read it. */
const echoed = tools.find(({ name }) => name === "json_schema_2020_12_tool")?.inputSchema;
const calls =
  toolCalls ??
  tools.map(({ name, inputSchema }) => ({
    name,
    arguments: name === "json_schema_echo" ? { schema: echoed } : sample(inputSchema),
  }));
for (const call of calls) {
  // Some scenarios' tools fail on purpose.
  let result = await server.callTool(call).catch(() => ({}));
  for (let round = 0; result.resultType === "input_required" && round < 5; round++)
    result = await server.callTool({
      ...call,
      inputResponses: Object.fromEntries(
        Object.keys(result.inputRequests ?? {}).map((key) => [
          key,
          { action: "accept", content: { confirmed: true } },
        ]),
      ),
      requestState: result.requestState,
    });
}
await server.close();
