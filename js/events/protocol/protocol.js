// SPDX-License-Identifier: MIT
// Converts chunks of a stream to events of LangGraph's protocol. Does not depend on their readers.
import { checkArgument, isObject } from "../../base/check-arguments.js";

/** @typedef {import("../../base/callable.js").Value} Value */

/** The modes of `streamEvents` in version 3. */
export const STREAM_EVENTS_V3_MODES = ["values", "updates", "messages", "tools", "custom", "tasks"];

/**
 * @typedef {{ type: "event", seq: number, method: string, params: { namespace: string[], timestamp:
 *   number, node?: string, data: Value } }} ProtocolEvent
 */

/** @param {any} payload @returns {boolean} has it only a checkpoint's id and place, no state? */
export function isCheckpointEnvelope(payload) {
  if (typeof payload !== "object" || payload === null || typeof payload.id !== "string")
    return false;
  const isFull = "values" in payload || "config" in payload;
  return !isFull && ("step" in payload || "source" in payload);
}

/**
 * @param {{ namespace: string[], mode: string, payload: unknown, seq: number }} chunk
 * @returns {ProtocolEvent[]}
 */
export function convertToProtocolEvent(chunk) {
  checkArgument(
    isObject(chunk),
    "convertToProtocolEvent(chunk): chunk must be an object, as { namespace, mode, payload, seq }",
  );
  const { namespace, mode, payload, seq } = chunk;
  const shown = dataOf(mode, payload);
  if (shown === undefined) return [];
  const { node, data } = shown;
  return [
    {
      type: "event",
      seq,
      method: mode,
      params: { namespace, timestamp: Date.now(), ...(node === undefined ? {} : { node }), data },
    },
  ];
}

/**
 * @param {string} mode
 * @param {unknown} payload
 * @returns {{ node?: string, data: unknown } | undefined}
 */
function dataOf(mode, payload) {
  switch (mode) {
    case "values":
    case "tasks":
      return { data: payload };
    case "updates":
      return updatesOf(payload);
    case "messages":
      return messageOf(payload);
    case "custom":
      return {
        data:
          typeof payload === "object" && payload !== null && "name" in payload
            ? payload
            : { payload },
      };
    case "tools":
      return { data: toolOf(payload) };
    case "checkpoints":
      return isCheckpointEnvelope(payload) ? { data: payload } : undefined;
    default:
      return undefined;
  }
}

/** Converts the updates of one node. @param {unknown} payload */
function updatesOf(payload) {
  const [entry] = typeof payload === "object" && payload !== null ? Object.entries(payload) : [];
  if (entry === undefined) return { data: { values: {} } };
  const [node, value] = entry;
  return {
    node,
    data: { node, values: typeof value === "object" && value !== null ? value : { value } },
  };
}

/** @param {unknown} payload a message event, alone or with its metadata */
function messageOf(payload) {
  if (!Array.isArray(payload) || payload.length !== 2 || typeof (payload[1] ?? 0) !== "object")
    return { data: payload };
  const [data, { langgraph_node: node, run_id }] = payload;
  const isTold = typeof run_id === "string" && typeof data === "object" && data !== null;
  return {
    node: typeof node === "string" ? node : undefined,
    data: isTold ? { ...data, run_id } : data,
  };
}

/** @param {Value} payload */
function toolOf(payload) {
  if (typeof payload !== "object" || payload === null)
    return failed("", "Unexpected tools payload shape");
  const { event, name, input, data, output, error } = payload;
  const tool_call_id = String(payload.toolCallId ?? "");
  switch (event) {
    case "on_tool_start":
      return { event: "tool-started", tool_call_id, tool_name: String(name ?? "unknown"), input };
    case "on_tool_event":
      return {
        event: "tool-output-delta",
        tool_call_id,
        delta: typeof data === "string" ? data : JSON.stringify(data ?? ""),
      };
    case "on_tool_end":
      return { event: "tool-finished", tool_call_id, output };
    case "on_tool_error":
      return failed(
        tool_call_id,
        typeof error?.message === "string" ? error.message : String(error ?? "unknown error"),
      );
    default:
      return failed("", `Unknown tool event: ${event}`);
  }
}

/** @param {string} tool_call_id @param {string} message */
function failed(tool_call_id, message) {
  return { event: "tool-error", tool_call_id, message };
}
