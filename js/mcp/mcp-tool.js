// SPDX-License-Identifier: MIT
// Makes a tool of a graph from one tool of an MCP server: a call's progress goes to the streams, a
// server's question to the person (an interrupt), the result into a tool message.
import { isRecord } from "../base/check-arguments.js";
import { showHidden } from "../base/show-hidden.js";
import { refuseAnswer } from "../calls/interrupt.js";
import { Checker } from "../engine/checker.js";
import { ToolMessage } from "../messages/index.js";
import { wasAsked } from "../prebuilt/approval/asked-calls.js";
import { aside, callerOf } from "../prebuilt/tool-node/subtask.js";
import { tool } from "../tools/tool.js";
import { READ_ARGUMENTS, RENEW } from "../tools/tool-result.js";
import { fillDefaults } from "./elicitation.js";
import { McpError, shorten } from "./mcp-error.js";
import { convertResult } from "./tool-result.js";

/** @typedef {import("../base/ambient.js").Scope} Scope */
/** @typedef {import("../prebuilt/tool-calls/open-calls.js").OpenCall} OpenCall */
/** @typedef {import("./client.js").McpToolInfo} McpToolInfo */
/** @typedef {import("./client.js").Progress} Progress */
/** @typedef {import("./official-client.js").ToolServer} ToolServer */
/** @typedef {import("../types/tools/index.js").ToolApproval} ToolApproval */
/**
 * `approvalOf`: the rule for the tool as it is described; `find`: asks the server how it describes
 * the tool now.
 * @typedef {{ server: string, name: string, maxResultCharacters: number, approvalOf: (info:
 *   McpToolInfo) => ToolApproval | undefined, find: () => Promise<McpToolInfo> }} Options
 */

const CHECK_NONE = 0;
/** Fields of a tool that depend on what the server says of it. */
const FIELDS = /** @type {const} */ (["description", "schema", "version", "metadata", "approval"]);
/**
 * How long an answer of the server counts, in ms: a call's arguments are read several times, and a
 * message may have many calls.
 */
const FRESH_MS = 1000;
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
export function mcpTool(client, info, { server, name, maxResultCharacters, approvalOf, find }) {
  let checkOutput = outputChecker(info.outputSchema);
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
  const describe = (/** @type {McpToolInfo} */ given) => ({
    ...described(client, given, { server, name }),
    approval: approvalOf(given),
  });
  let known = describe(info);
  const made = tool(call, { name, responseFormat: "content_and_artifact", ...known });
  const take = (/** @type {McpToolInfo} */ found) => {
    const next = describe(found);
    checkOutput = outputChecker(found.outputSchema);
    const isOther = (/** @type {keyof typeof next} */ field) =>
      JSON.stringify(known[field]) !== JSON.stringify(next[field]);
    // What the program itself set on the tool stays, unless the server has changed that.
    const changed = FIELDS.filter(isOther);
    for (const field of changed) Object.assign(made, { [field]: next[field] });
    known = next;
    return changed.includes("version") || changed.includes("schema");
  };
  const read = made[READ_ARGUMENTS].bind(made);
  let checkedAt = -Infinity;
  /** How the server describes the tool now. Answers whether that is news. */
  const check = async () => {
    const found = await find();
    checkedAt = performance.now();
    return take(found);
  };
  return Object.assign(made, {
    // A node that can ask again renews the tool before it plans the calls, ...
    [RENEW]: async (
      /** @type {readonly OpenCall[]} */ calls,
      /** @type {Scope | undefined} */ scope,
    ) => {
      const isAsked = (/** @type {OpenCall} */ call) =>
        call.name === name && call.reviewed === undefined && wasAsked(scope, call.id, name);
      if (calls.some(isAsked))
        // A failure is told when the arguments are read.
        await check().catch(() => (checkedAt = -Infinity));
    },
    // ... and here comes every call that needs a decision: none passes that was planned otherwise.
    [READ_ARGUMENTS]: async (/** @type {unknown} */ args) => {
      if (performance.now() - checkedAt > FRESH_MS && (await check()))
        throw new McpError(
          `The MCP tool ${shorten(info.name)} was not run: its server describes it otherwise now. Read its new description, and call it again if that is still right`,
          { code: "BAD_TOOL" },
        );
      return read(args);
    },
  });
}

/**
 * Makes the fields of a tool that the server describes.
 * @param {ToolServer} client @param {McpToolInfo} info
 * @param {{ server: string, name: string }} own
 */
function described(client, info, { server, name }) {
  const { title, annotations, icons } = info;
  const description = showHidden(info.description ?? title ?? "");
  const { $schema: _dialect, ...schema } = shownSchema(info.inputSchema);
  checkSchema(schema);
  return {
    description: description || `${name} tool`,
    schema,
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
  };
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
