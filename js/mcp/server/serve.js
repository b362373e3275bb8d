// SPDX-License-Identifier: MIT
// An MCP server as a function from requests to responses: tools and graphs, for clients of both
// eras of the protocol, in a Worker, in a process, or in a tab over a port.
import { runWithConfig } from "../../base/ambient.js";
import { checkArgument, isRecord } from "../../base/check-arguments.js";
import { readBody } from "../../server/http/fields.js";
import { Refusal } from "../../server/http/replies.js";
import { receive } from "../../server/http/requests.js";
import { answerOn } from "../../server/local/port.js";
import { checkOrigin, preflight, userOf, withHeaders } from "./access.js";
import { Calls } from "./calls.js";
import {
  INTERNAL_ERROR,
  RpcRefusal,
  errorMessage,
  invalidParams,
  isId,
  notification,
  readMessage,
  resultMessage,
} from "./json-rpc.js";
import { LegacyEra, sessionHeaders } from "./legacy.js";
import { answerModern, isModern } from "./modern.js";
import { readOptions } from "./options.js";
import { reply } from "./reply.js";
import { isGraph, readTools } from "./served-tools.js";
import { Steps } from "./steps.js";

/** @typedef {import("./json-rpc.js").Json} Json */
/** @typedef {import("./json-rpc.js").Message} Message */
/** @typedef {import("./calls.js").Call} Call */
/** @typedef {import("./served-tools.js").ServedTool} ServedTool */
/** @typedef {import("../../server/local/port.js").Port} Port */
/**
 * One request. `send` passes on what comes before the answer; `signal` is aborted when nobody waits
 * for it any more.
 * @typedef {{ request: Request, user: string | undefined, takesEvents: boolean, send: (message:
 *   Json) => void, signal: AbortSignal }} Context
 */
/**
 * What both eras serve.
 * @typedef {{ serverInfo: Json, instructions: string | undefined, tools: Map<string, ServedTool>,
 *   calls: Calls, list: (params: Json) => { tools: Json[], nextCursor?: string }, readCall:
 *   (params: Json, context: Context) => Call }} Core
 */

/**
 * @param {import("../../types/mcp-server.js").McpGraph | readonly object[]} graphOrTools
 * @param {import("../../types/mcp-server.js").ServeMcpOptions} [given]
 * @returns {import("../../types/mcp-server.js").McpServer}
 * @throws BAD_ARGUMENT
 */
export function serveMcp(graphOrTools, given = {}) {
  const options = readOptions(given);
  const core = makeCore(graphOrTools, options);
  const legacy = new LegacyEra(core);
  const { maxBodyBytes, onError } = options;

  /** @param {unknown} error @returns {Refusal} */
  const refusalOf = (error) => {
    if (error instanceof Refusal) return error;
    onError?.(error);
    return new RpcRefusal(INTERNAL_ERROR, "The server failed at this request");
  };

  /**
   * @param {Message & { id: import("./json-rpc.js").Id }} message
   * @param {Context} context
   * @param {(context: Context) => Promise<Json>} result
   * @returns {Promise<import("./reply.js").Last>}
   */
  const answerTo = async ({ id }, context, result) => {
    const { signal } = context;
    try {
      return { message: resultMessage(id, await result(context)), status: 200 };
    } catch (error) {
      const { name, message } = /** @type {Error} */ (signal.reason ?? {});
      if (signal.aborted && name !== "TimeoutError") throw error;
      const refusal = signal.aborted ? new RpcRefusal(INTERNAL_ERROR, message) : refusalOf(error);
      return { message: errorMessage(id, refusal), status: refusal.status };
    }
  };

  /**
   * @param {Message} message @param {Context} context @param {AbortSignal | undefined} signal
   * @returns {Promise<Response>}
   */
  const dispatch = async (message, context, signal) => {
    const { id, method } = message;
    const isNew = isModern(message, context.request);
    if (!isNew) legacy.check(context);
    if (id === undefined || method === undefined) {
      if (!isNew) legacy.take(message, context);
      return new Response(null, { status: 202 });
    }
    const request = { ...message, id };
    const result = (/** @type {Context} */ own) =>
      isNew ? answerModern(core, message, own) : legacy.answer(message, own);
    if (method !== "tools/call") {
      const last = await answerTo(request, context, result);
      const headers = isNew ? {} : sessionHeaders(message);
      return Response.json(last.message, { status: last.status, headers });
    }
    const cancel = isNew ? undefined : legacy.open(message, context);
    const work = (/** @type {Context["send"]} */ send, /** @type {AbortSignal} */ end) =>
      answerTo(request, { ...context, send, signal: end }, result).finally(() => {
        if (cancel !== undefined) legacy.close(message, context);
      });
    const { takesEvents } = context;
    const { heartbeatMs, maxDurationMs: mostMs } = options;
    return reply(work, { takesEvents, heartbeatMs, mostMs, signal, cancel });
  };

  /**
   * @param {Request} request @param {AbortSignal | undefined} signal
   * @returns {Promise<Response>}
   */
  const answer = async (request, signal) => {
    /** @type {import("./json-rpc.js").Id | undefined} */
    let id;
    try {
      checkOrigin(request, options);
      if (request.method === "OPTIONS") return preflight(request);
      if (request.method !== "POST")
        return new Response(null, { status: 405, headers: { allow: "POST, OPTIONS" } });
      const user = await userOf(request, options);
      const { headers } = request;
      if (!/^application\/json\s*(;|$)/i.test(headers.get("content-type") ?? ""))
        throw new Refusal(415, "The body must be application/json");
      const message = readMessage(await readBody(request, maxBodyBytes));
      ({ id } = message);
      const takesEvents = /\btext\/event-stream\b/i.test(headers.get("accept") ?? "");
      const never = new AbortController().signal;
      const context = { request, user, takesEvents, send: () => {}, signal: never };
      return await dispatch(message, context, signal);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      const refusal = refusalOf(error);
      // A message that cannot be read is a bad request, too.
      const status = { 200: 500, 422: 400 }[refusal.status] ?? refusal.status;
      return Response.json(errorMessage(id, refusal), { status });
    }
  };

  /** @type {import("../../types/mcp-server.js").McpServer["fetch"]} */
  const respond = async (input, init) => {
    const { request, signal } = receive(input, init);
    signal?.throwIfAborted();
    return withHeaders(await answer(request, signal), request, options);
  };
  // A client may be a node of this program: what it calls here is no part of its task.
  /** @type {import("../../types/mcp-server.js").McpServer["fetch"]} */
  const fetch = (input, init) => runWithConfig({}, () => respond(input, init));
  return {
    fetch,
    listen(port) {
      checkArgument(
        typeof port?.postMessage === "function" && typeof port.addEventListener === "function",
        "listen(port): port must be a MessagePort",
      );
      return answerOn(/** @type {Port} */ (port), { fetch });
    },
  };
}

/**
 * @param {unknown} graphOrTools
 * @param {import("./options.js").Options} options
 * @returns {Core}
 */
function makeCore(graphOrTools, options) {
  const { serverInfo, instructions, pageSize, answerMs, onError } = options;
  const tools = readTools(graphOrTools, options.graphTool);
  const graph = /** @type {{ checkpointer?: unknown, store?: unknown }} */ (
    isGraph(graphOrTools) ? graphOrTools : {}
  );
  const saver = options.saver ?? (isRecord(graph.checkpointer) ? graph.checkpointer : undefined);
  const store = options.store ?? graph.store;
  const infos = [...tools.values()].map(({ info }) => info);
  return {
    serverInfo,
    instructions,
    tools,
    calls: new Calls(tools.values(), { saver, store, answerMs, onError }),
    list({ cursor }) {
      const start = cursor === undefined ? 0 : Number(cursor);
      const isPlace = typeof cursor !== "string" ? cursor === undefined : /^\d{1,9}$/.test(cursor);
      if (!isPlace || start >= infos.length)
        throw invalidParams("The cursor is not one of this list");
      const end = start + pageSize;
      return {
        tools: infos.slice(start, end),
        ...(end < infos.length ? { nextCursor: String(end) } : undefined),
      };
    },
    readCall({ name, arguments: args = {}, _meta: meta }, { user, signal, send }) {
      const served = typeof name === "string" ? tools.get(name) : undefined;
      if (served === undefined) throw invalidParams(`Unknown tool: ${String(name).slice(0, 128)}`);
      if (!isRecord(args)) throw invalidParams("The arguments must be an object");
      const token = isRecord(meta) ? meta.progressToken : undefined;
      const onProgress = (/** @type {import("./steps.js").Progress} */ progress) =>
        send(notification("notifications/progress", { progressToken: token, ...progress }));
      const steps = new Steps(isId(token) ? onProgress : undefined);
      return { served, args, user, signal, steps };
    },
  };
}
