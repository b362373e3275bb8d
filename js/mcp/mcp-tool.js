// SPDX-License-Identifier: MIT
// Makes a tool of a graph from one tool of an MCP server: a call's progress goes to the streams, a
// server's question to the person (an interrupt), the result into a tool message.
import { isRecord } from "../base/check-arguments.js";
import { showHidden } from "../base/show-hidden.js";
import { refuseAnswer } from "../calls/interrupt.js";
import { Checker } from "../engine/checker.js";
import { ToolMessage } from "../messages/index.js";
import { aside, callerOf } from "../prebuilt/tool-node/subtask.js";
import { tool } from "../tools/tool.js";
import { fillDefaults } from "./elicitation.js";
import { McpError, shorten } from "./mcp-error.js";
import { convertResult } from "./tool-result.js";

/** @typedef {import("../base/ambient.js").Scope} Scope */
/** @typedef {import("./client.js").McpToolInfo} McpToolInfo */
/** @typedef {import("./client.js").Progress} Progress */
/** @typedef {import("./official-client.js").ToolServer} ToolServer */
/** @typedef {import("../types/tools/index.js").ToolApproval} ToolApproval */
/**
 * @typedef {{ server: string, name: string, approval: ToolApproval | undefined,
 *   maxResultCharacters: number }} Options
 */

const CHECK_NONE = 0;
/** Keywords of a schema that are texts for the model. */
const TEXTS = ["description", "title", "$comment"];
/**
 * What a tool's second argument has for a call.
 * @typedef {import("../base/merge-configs.js").Config & { writer?: (event: object) => void,
 *   interrupt?: (value: unknown) => unknown, toolCallId?: string, signal?: AbortSignal }}
 *   CallConfig
 */

/** How often a server may ask during one call. */
const MOST_ROUNDS = 16;
/** Maximum progress events that wait to be read; of more the newest are kept. */
const MOST_EVENTS = 256;

/**
 * @param {ToolServer} client
 * @param {McpToolInfo} info
 * @param {Options} options
 */
export function mcpTool(client, info, { server, name, approval, maxResultCharacters }) {
  const { title, annotations, icons, outputSchema } = info;
  const description = showHidden(info.description ?? title ?? "");
  const { $schema: _dialect, ...schema } = shownSchema(info.inputSchema);
  checkSchema(schema);
  const checkOutput = outputChecker(outputSchema);
  /**
   * @param {Record<string, unknown>} args
   * @param {CallConfig} [config]
   */
  const call = async function* (args, config) {
    const params = { name: info.name, arguments: args };
    const result = yield* withProgress(
      (onProgress) => callInRounds({ client, params, server, config, onProgress }),
      (progress) => tell(config, { type: "mcp_progress", server, tool: info.name, ...progress }),
    );
    const { content, artifact } = convertResult(result, maxResultCharacters);
    const wrong = result.isError === true ? undefined : checkOutput(result.structuredContent);
    if (result.isError !== true && wrong === undefined) return [content, artifact];
    return [failed(wrong ?? content, config, name), artifact];
  };
  return tool(call, {
    name,
    description: description === "" ? undefined : description,
    schema,
    responseFormat: "content_and_artifact",
    approval,
    // A question about a call is void when the server describes the tool otherwise, or is another.
    version: JSON.stringify([
      info.name,
      description,
      title ?? null,
      annotations ?? null,
      server,
      addressOf(client),
    ]),
    metadata: { mcp: { server, name: info.name, title, annotations, icons } },
  });
}

/**
 * @param {ToolServer} client
 * @returns {string | null} without the query, which may hold a key that is renewed
 */
function addressOf({ url }) {
  if (url === undefined) return null;
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/**
 * Throws for one that no call could be checked by: it would make a whole agent unusable. Where the
 * engine is not ready yet, it is looked at later with the other tools.
 * @param {object} schema
 */
function checkSchema(schema) {
  try {
    new Checker(JSON.stringify({ schema }));
  } catch (error) {
    if (/** @type {{ code?: unknown }} */ (error).code !== "ENGINE_NOT_READY") throw error;
  }
}

/** Shows hidden characters in what a schema says to the model. @param {object} schema */
function shownSchema(schema) {
  return /** @type {Record<string, unknown>} */ (
    JSON.parse(JSON.stringify(schema), (key, value) =>
      typeof value === "string" && TEXTS.includes(key) ? showHidden(value) : value,
    )
  );
}

/**
 * Passes on progress while a call runs.
 * @param {(onProgress: (progress: Progress) => void) => Promise<Record<string, unknown>>} start
 * @param {(progress: Progress) => unknown} toEvent
 * @returns {AsyncGenerator<unknown, Record<string, unknown>, void>}
 */
async function* withProgress(start, toEvent) {
  /** @type {Progress[]} */
  const waiting = [];
  let isOver = false;
  let wake = () => {};
  const call = start((progress) => {
    if (waiting.push(progress) > MOST_EVENTS) waiting.shift();
    wake();
  });
  const end = () => {
    isOver = true;
    wake();
  };
  call.then(end, end);
  for (;;) {
    for (let progress; (progress = waiting.shift()) !== undefined; ) yield toEvent(progress);
    if (isOver) return call;
    await new Promise((resolve) => (wake = () => resolve(undefined)));
  }
}

/** @param {CallConfig | undefined} config @param {object} event */
function tell(config, event) {
  config?.writer?.(event);
  return event;
}

/**
 * Calls the tool; asks the person what the server asks. The server's question is saved with the
 * thread, so the call is not repeated when the answer comes, perhaps in another process.
 * @param {{ client: ToolServer, params: { name: string, arguments: Record<string, unknown> },
 *   server: string, config: CallConfig | undefined, onProgress: (progress: Progress) => void }}
 *   call
 * @returns {Promise<Record<string, unknown>>}
 */
async function callInRounds({ client, params, server, config, onProgress }) {
  const scope = config && callerOf(config);
  const asking = { signal: config?.signal, onProgress };
  /** @type {{ inputResponses?: unknown, requestState?: unknown }} */
  let answered = {};
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const send = () => client.callTool({ ...params, ...answered }, asking);
    /** @type {Record<string, unknown> | undefined} */
    let result;
    const askQuestion = async () => {
      result = await send();
      // What a person agreed to is not done again when the node starts again for another question.
      return isQuestion(result) ? result : round === 0 ? null : { done: result };
    };
    const question =
      scope === undefined
        ? await askQuestion()
        : await aside(scope, `mcp:${params.name}`, askQuestion);
    // The process may have ended between the call and its message.
    if (question === null) return result ?? send();
    if (!isQuestion(question)) return /** @type {{ done: typeof question }} */ (question).done;
    answered = askPerson(question, { tool: params.name, server, config, scope });
  }
  throw new McpError(`The MCP tool ${shorten(params.name)} asked more than ${MOST_ROUNDS} times`, {
    code: "BAD_ANSWER",
  });
}

/** @param {Record<string, unknown>} result */
function isQuestion({ resultType }) {
  return resultType === "input_required";
}

/**
 * @param {Record<string, unknown>} question
 * @param {{ tool: string, server: string, config: CallConfig | undefined, scope: Scope | undefined
 *   }} from
 * @returns {{ inputResponses?: Record<string, unknown>, requestState: unknown }}
 */
function askPerson({ inputRequests, requestState }, { tool, server, config, scope }) {
  const requests = isRecord(inputRequests) ? Object.entries(inputRequests) : [];
  // The server asks nobody, but to be called again.
  if (requests.length === 0) return { requestState };
  const isElicitation = (/** @type {unknown} */ request) =>
    isRecord(request) && request.method === "elicitation/create";
  if (!requests.every(([, request]) => isElicitation(request)))
    throw new McpError(`The MCP tool ${shorten(tool)} asks for what this client does not do`, {
      code: "BAD_ANSWER",
    });
  if (scope === undefined || typeof config?.interrupt !== "function")
    throw new McpError(
      `The MCP tool ${shorten(tool)} asks a person: call it in a graph with a checkpointer`,
      { code: "NEEDS_GRAPH" },
    );
  const answers = config.interrupt({
    type: "mcp_elicitation",
    server,
    tool,
    requests: inputRequests,
    requestState,
  });
  try {
    const inputResponses = Object.fromEntries(
      requests.map(([key, request]) => [
        key,
        fillDefaults(request, isRecord(answers) ? answers[key] : undefined),
      ]),
    );
    return { inputResponses, requestState };
  } catch (error) {
    throw refuseAnswer(scope.task, error);
  }
}

/**
 * Returns a function that says why structured content does not fit.
 * @param {unknown} schema
 * @returns {(data: unknown) => string | undefined}
 */
function outputChecker(schema) {
  if (!isRecord(schema)) return () => undefined;
  /** @type {Checker | undefined} */
  let checker;
  return (data) => {
    if (data === undefined) return "The tool returned no structured content";
    /** @type {import("../engine/checker.js").Problem | undefined} */
    let problem;
    try {
      checker ??= new Checker(JSON.stringify({ schema }));
      problem = checker.check(JSON.stringify(data), CHECK_NONE, () => true)?.problems[0];
    } catch (error) {
      // The call is done: a schema that cannot be used is no reason to lose its result.
      if (/** @type {{ code?: unknown }} */ (error).code !== "BAD_SCHEMA") throw error;
    }
    if (problem === undefined) return undefined;
    const place = problem.instance === "" ? "" : ` at ${problem.instance}`;
    return `The tool's result does not fit its schema${place}: ${problem.message}`;
  };
}

/**
 * @param {import("./tool-result.js").Converted["content"]} content
 * @param {CallConfig | undefined} config
 * @param {string} name
 */
function failed(content, config, name) {
  const callId = config?.toolCallId ?? config?.toolCall?.id;
  if (callId === undefined)
    throw new McpError(typeof content === "string" ? content : JSON.stringify(content), {
      code: "TOOL_ERROR",
    });
  return new ToolMessage({ content, tool_call_id: callId, name, status: "error" });
}
