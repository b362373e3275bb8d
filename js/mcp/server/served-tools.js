// SPDX-License-Identifier: MIT
// Reads what a server offers: Weft's tools (or LangChain's), and graphs, each of which becomes a
// tool. Describes them as MCP does.
import { checkArgument, isRecord } from "../../base/check-arguments.js";
import { compileSchema } from "../../schema/index.js";
import { toPlain } from "../../server/http/wire.js";
import { asTool } from "../../tools/function-tool.js";
import { toolJsonSchema } from "../../tools/schema.js";
import { tool } from "../../tools/tool.js";
import { textOf } from "../../messages/index.js";
import { headerParameters } from "../parameter-headers.js";

/** @typedef {import("./json-rpc.js").Json} Json */
/** @typedef {import("../../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("../../types/mcp-server.js").GraphToolFields} GraphToolFields */
/** @typedef {import("../../server/graphs.js").ServedGraph} ServedGraph */
/**
 * `info`: as tools/list shows it. `headers`: arguments that a client of revision 2026-07-28 sends
 * as headers too.
 * @typedef {{ tool: ToolLike, info: Json & { name: string, outputSchema?: unknown }, headers:
 *   readonly import("../parameter-headers.js").HeaderParameter[] }} ServedTool
 */
/** @typedef {{ invoke: (input: unknown, config: unknown) => Promise<unknown> }} Invocable */

/** Names that all clients take. */
const NAME = /^[\w.-]{1,128}$/;
const GRAPH_TOOL = "serveMcp: a graph needs a name and a schema of its arguments";

/** @param {unknown} value @returns {value is ServedGraph} */
export function isGraph(value) {
  const graph = /** @type {Partial<ServedGraph> | null | undefined} */ (value);
  return typeof graph?.stream === "function" && typeof graph.getState === "function";
}

/**
 * @param {unknown} given a graph, or a list of tools and graphs
 * @param {Json} options of serveMcp, which describe a single graph
 * @returns {Map<string, ServedTool>} by name, in the order given
 * @throws BAD_ARGUMENT
 */
export function readTools(given, options) {
  const list = isGraph(given) ? [{ ...options, graph: given }] : given;
  checkArgument(
    Array.isArray(list) && list.length > 0,
    "serveMcp(graphOrTools): a compiled graph, or a list of tools and graphs",
  );
  /** @type {Map<string, ServedTool>} */
  const tools = new Map();
  for (const one of /** @type {unknown[]} */ (list)) {
    const served = serve(one);
    const { name } = served.info;
    checkArgument(!tools.has(name), `serveMcp: two tools are called ${JSON.stringify(name)}`);
    tools.set(name, served);
  }
  return tools;
}

/** @param {unknown} given @returns {ServedTool} */
function serve(given) {
  const isOfGraph = isRecord(given) && isGraph(given.graph);
  const one = /** @type {ToolLike} */ (
    isOfGraph ? graphTool(/** @type {never} */ (given)) : asTool(given)
  );
  const { name, description, metadata } = one ?? {};
  checkArgument(
    typeof one?.invoke === "function" && typeof name === "string" && NAME.test(name),
    "serveMcp: a tool has a name of up to 128 letters, digits, `_`, `-` and `.`, and a method invoke",
  );
  const { title, annotations, icons, outputSchema } = /** @type {Json} */ (
    (isRecord(metadata) && metadata.mcp) || {}
  );
  if (outputSchema !== undefined) compileSchema(outputSchema);
  const inputSchema = inputSchemaOf(one);
  const headers = headerParameters(inputSchema);
  checkArgument(headers !== undefined, `serveMcp: the tool ${name} has an invalid x-mcp-header`);
  const info = { name, title, description, inputSchema, outputSchema, annotations, icons };
  // What is undefined is left out.
  return { tool: one, info: JSON.parse(JSON.stringify(info)), headers: headers ?? [] };
}

/** @param {ToolLike} tool @returns {Json} */
function inputSchemaOf(tool) {
  const schema = /** @type {Json} */ (toolJsonSchema(tool));
  const { $schema } = /** @type {Json} */ (tool.schema ?? {});
  return {
    ...(typeof $schema === "string" ? { $schema } : undefined),
    ...schema,
    type: "object",
  };
}

/**
 * Makes a tool of a graph: its arguments are the graph's input, its result the graph's output.
 * @param {GraphToolFields} fields
 * @returns {unknown}
 */
function graphTool({ graph, name, description, schema, input, output, ...mcp }) {
  checkArgument(typeof name === "string" && isRecord(schema), GRAPH_TOOL);
  for (const [key, fn] of Object.entries({ input, output }))
    checkArgument(
      fn === undefined || typeof fn === "function",
      `serveMcp: ${key} of the graph ${name} must be a function`,
    );
  const { title, annotations, icons, outputSchema } = mcp;
  const call = async (/** @type {Json} */ args, /** @type {unknown} */ config) => {
    const { invoke } = /** @type {Invocable} */ (/** @type {unknown} */ (graph));
    const state = await invoke.call(graph, input === undefined ? args : await input(args), config);
    return toAnswer(output === undefined ? outputOf(state) : await output(state));
  };
  return tool(call, {
    name,
    description,
    schema,
    responseFormat: "content_and_artifact",
    metadata: { mcp: { title, annotations, icons, outputSchema } },
  });
}

/**
 * What a graph says: its structured response, its last message, or its whole state.
 * @param {unknown} state
 */
function outputOf(state) {
  if (!isRecord(state)) return state;
  const { structuredResponse, messages } = state;
  if (structuredResponse !== undefined) return structuredResponse;
  const last = Array.isArray(messages) ? messages.at(-1) : undefined;
  return isRecord(last) && last.content !== undefined ? textOf(last.content) : state;
}

/** @param {unknown} output @returns {[content: string, artifact: Json[]]} */
function toAnswer(output) {
  if (typeof output === "string") return [output, []];
  const data = toPlain(output);
  return [JSON.stringify(data), [{ type: "mcp_structured_content", data }]];
}
