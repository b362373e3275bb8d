// SPDX-License-Identifier: MIT
// Checks the options of serveMcp and fills in their defaults.
import { checkArgument, isRecord } from "../../base/check-arguments.js";

/** @typedef {import("./json-rpc.js").Json} Json */
/**
 * `graphTool`: what describes a single graph.
 * @typedef {import("./access.js").Access & { serverInfo: Json, instructions: string | undefined,
 *   saver: unknown, store: unknown, pageSize: number, answerMs: number, maxDurationMs: number,
 *   heartbeatMs: number, maxBodyBytes: number, onError: ((error: unknown) => void) | undefined,
 *   graphTool: Json }} Options
 */

/** Options of the server, with their types. */
const OPTIONS = {
  serverInfo: "object",
  instructions: "string",
  saver: "object",
  store: "object",
  authenticate: "function",
  resourceMetadataUrl: "string",
  cors: "boolean or list",
  hosts: "list",
  pageSize: "number",
  answerMs: "number",
  maxDurationMs: "number",
  heartbeatMs: "number",
  maxBodyBytes: "number",
  onError: "function",
};
/** Options that describe a single graph. */
const GRAPH_TOOL = [
  "name",
  "description",
  "schema",
  "outputSchema",
  "title",
  "annotations",
  "icons",
  "input",
  "output",
];
const VERSION = "0.1.0";
/** A timer takes no longer time. */
const MOST = 2 ** 31;
const ANSWER_MS = 24 * 3600 * 1000;
const MAX_DURATION_MS = 600_000;
const HEARTBEAT_MS = 5000;
const BODY_BYTES = 4 * 1024 * 1024;
const PAGE = 100;

/**
 * @param {unknown} given
 * @returns {Options}
 * @throws BAD_ARGUMENT
 */
export function readOptions(given) {
  checkArgument(isRecord(given), "serveMcp(graphOrTools, options): options must be an object");
  /** @type {Json} */
  const graphTool = {};
  const options = /** @type {Json} */ ({});
  for (const [name, value] of Object.entries(/** @type {Json} */ (given))) {
    if (GRAPH_TOOL.includes(name)) graphTool[name] = value;
    else if (value !== undefined) options[name] = checked(name, value);
  }
  return /** @type {Options} */ ({
    cors: false,
    pageSize: PAGE,
    answerMs: ANSWER_MS,
    maxDurationMs: MAX_DURATION_MS,
    heartbeatMs: HEARTBEAT_MS,
    maxBodyBytes: BODY_BYTES,
    ...options,
    serverInfo: options.serverInfo ?? { name: graphTool.name ?? "weftgraph", version: VERSION },
    graphTool,
  });
}

/** @param {string} name @param {unknown} value */
function checked(name, value) {
  const type = /** @type {Record<string, string>} */ (OPTIONS)[name];
  checkArgument(type !== undefined, `serveMcp: there is no option \`${name}\``);
  const isList = Array.isArray(value) && value.every((one) => typeof one === "string");
  const isRight =
    type === "number"
      ? Number.isInteger(value) && Number(value) > 0 && Number(value) < MOST
      : type.includes("list")
        ? isList || (type !== "list" && typeof value === "boolean")
        : typeof value === type && value !== null;
  checkArgument(isRight, `serveMcp: \`${name}\` must be of the type ${type}`);
  return value;
}
