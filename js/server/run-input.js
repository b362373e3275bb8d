// SPDX-License-Identifier: MIT
// Turns what a client asks of a run into what a graph is called with. Nothing of a client's config
// reaches the engine's own keys.
import { isRecord } from "../base/check-arguments.js";
import { Command, Send } from "../base/constants.js";
import { countIn, objectIn, oneOf, textIn, textsIn } from "./http/fields.js";
import { invalid } from "./http/replies.js";

/** @typedef {import("./http/fields.js").Json} Json */

const MOST_STEPS = 10_000;
const MOST_SECONDS = 7 * 24 * 3600;
/** Keys of `configurable` that say where a run stands: the server sets them. */
const PLACES = [
  "thread_id",
  "run_id",
  "checkpoint_id",
  "checkpoint_ns",
  "checkpoint_map",
  "assistant_id",
  "graph_id",
  "langgraph_auth_user",
  "langgraph_auth_user_id",
];
export const STRATEGIES = /** @type {const} */ (["reject", "enqueue", "interrupt", "rollback"]);

/**
 * A client's RunCreate, checked; absent fields are undefined.
 * @typedef {ReturnType<typeof readRun> & { onChunk?: (chunk: unknown) => unknown }} RunRequest
 *   `onChunk`: gets what the graph streams
 */

/**
 * @param {Json} body
 * @returns what the run is to do
 */
export function readRun(body) {
  const from = withSnakeCase(body);
  const assistantId = textIn(from, "assistant_id");
  if (assistantId === undefined)
    throw invalid("assistant_id must be an assistant's id or a graph's name.");
  const command = objectIn(from, "command");
  return {
    body: from,
    assistantId,
    input: from.input,
    command: command === undefined ? undefined : readCommand(command),
    config: objectIn(from, "config") ?? {},
    context: objectIn(from, "context"),
    metadata: objectIn(from, "metadata") ?? {},
    modes: textsIn(from, "stream_mode") ?? ["values"],
    subgraphs: from.stream_subgraphs === true,
    isResumable: from.stream_resumable === true,
    interruptBefore: readNodes(from, "interrupt_before"),
    interruptAfter: readNodes(from, "interrupt_after"),
    checkpoint: readPlace(from),
    strategy: oneOf(from, "multitask_strategy", STRATEGIES),
    onCompletion: oneOf(from, "on_completion", ["delete", "keep"]) ?? "delete",
    onDisconnect: oneOf(from, "on_disconnect", ["cancel", "continue"]) ?? "continue",
    afterSeconds: countIn(from, "after_seconds", 0, MOST_SECONDS),
    ifNotExists: oneOf(from, "if_not_exists", ["reject", "create"]) ?? "reject",
    webhook: textIn(from, "webhook"),
    isStrict: from.strict_resume === true,
    durability:
      oneOf(from, "durability", ["sync", "async", "exit"]) ??
      (from.checkpoint_during === false ? "exit" : undefined),
  };
}

/** The SDK's batch sends camelCase keys. @param {Json} body @returns {Json} */
function withSnakeCase(body) {
  if (!("assistantId" in body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}

/** @param {Json} from @param {string} key @returns {string[] | "*" | undefined} */
function readNodes(from, key) {
  if (from[key] === "*") return "*";
  const list = textsIn(from, key);
  return list?.includes("*") ? "*" : list;
}

/** @param {Json} from @returns {Json} the keys of a checkpoint's place, those that it names */
export function readPlace(from) {
  const place = objectIn(from, "checkpoint") ?? {};
  const found = {
    checkpoint_id: textIn(place, "checkpoint_id") ?? textIn(from, "checkpoint_id"),
    checkpoint_ns: textIn(place, "checkpoint_ns"),
    checkpoint_map: objectIn(place, "checkpoint_map"),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value));
}

/** @param {Json} command @returns {Command} */
export function readCommand(command) {
  /** @type {Json} */
  const fields = {};
  if (command.resume !== undefined) fields.resume = command.resume;
  if (command.update !== undefined && command.update !== null) fields.update = command.update;
  if (command.goto !== undefined && command.goto !== null) {
    const list = Array.isArray(command.goto) ? command.goto : [command.goto];
    fields.goto = list.map(readGoto);
  }
  if (Object.keys(fields).length === 0)
    throw invalid("command has none of resume, update and goto.");
  return new Command(fields);
}

/** @param {unknown} goto */
function readGoto(goto) {
  if (typeof goto === "string") return goto;
  if (isRecord(goto) && typeof goto.node === "string") return new Send(goto.node, goto.input);
  throw invalid("goto must be a node's name, { node, input }, or a list of them.");
}

/**
 * @param {RunRequest} request
 * @param {{ config?: Json }} assistant
 * @returns {{ configurable: Json }} what a thread shows of the config of its newest run
 */
export function shownConfig({ config }, assistant) {
  const beneath = isRecord(assistant.config) ? assistant.config : {};
  return {
    configurable: { ...plainKeys(beneath.configurable), ...plainKeys(config.configurable) },
  };
}

/**
 * @param {RunRequest} request
 * @param {import("./assistants.js").AssistantRecord} assistant whose config is beneath
 * @param {import("./work/run-record.js").RunRecord} record
 * @returns {Json} the config of the graph's call
 */
export function configOf(request, assistant, { run_id, thread_id, owner }) {
  const beneath = isRecord(assistant.config) ? assistant.config : {};
  const { graph_id, assistant_id } = assistant;
  const { created_by: _by, ...metadata } = assistant.metadata;
  const ids = { graph_id, assistant_id, run_id, thread_id };
  const configurable = {
    ...shownConfig(request, assistant).configurable,
    ...ids,
    // As an Agent Server names them for nodes and for a factory of graphs.
    ...(owner !== undefined && {
      langgraph_auth_user_id: owner,
      langgraph_auth_user: { identity: owner },
    }),
    ...request.checkpoint,
    ...(request.isStrict ? { __pregel_strict_resume: true } : {}),
  };
  const context = request.context ?? assistant.context;
  const steps = countIn({ ...beneath, ...request.config }, "recursion_limit", 25, MOST_STEPS);
  return {
    configurable,
    metadata: { ...metadata, ...request.metadata, ...ids },
    tags: [...(textsIn(beneath, "tags") ?? []), ...(textsIn(request.config, "tags") ?? [])],
    recursionLimit: Math.max(steps, 1),
    ...(context === undefined || Object.keys(context).length === 0 ? {} : { context }),
    interruptBefore: request.interruptBefore,
    interruptAfter: request.interruptAfter,
    durability: request.durability,
  };
}

/** @param {unknown} configurable @returns {Json} what is the user's in it */
function plainKeys(configurable) {
  if (!isRecord(configurable)) return {};
  return Object.fromEntries(
    Object.entries(configurable).filter(([key]) => !key.startsWith("__") && !PLACES.includes(key)),
  );
}
