// SPDX-License-Identifier: MIT
// Shows a thread's state as messages of the AI SDK, as its client would have made them of the
// stream: a turn of the graph, with its model calls and tools, is one message.
import { isRecord } from "../base/check-arguments.js";
import { messageType, textOf } from "../messages/index.js";
import { reasoningOf } from "../messages/reasoning.js";
import { approvalsOf, isAboutCalls, metadataOf, questionsOf } from "./approvals.js";
import { answerIdOf } from "./chunks.js";
import { filesOf, outputOf } from "./content.js";

/** @typedef {import("./chunks.js").Fields} Fields */
/** @typedef {import("./chunks.js").Message} Message */
/** @typedef {import("./approvals.js").Approval} Approval */
/** @typedef {Fields & { type: string }} Part */
/**
 * @typedef {{ values: { messages?: unknown }, tasks: readonly import("./approvals.js").Task[] }}
 *   ThreadState
 */
/** @typedef {{ id: string, role: "user" | "assistant", parts: Part[] }} UIMessage */

/**
 * @param {ThreadState} state of a graph's thread, as getState gives it
 * @returns {UIMessage[]} calls that wait for a person have the state `approval-requested`; those of
 *   an earlier turn without an outcome are over, in the state `output-error`
 */
export function toUIMessages({ values, tasks }) {
  const list = /** @type {Message[]} */ (Array.isArray(values.messages) ? values.messages : []);
  const questions = questionsOf(tasks);
  /** @type {UIMessage[]} */
  const shown = [];
  /** Parts of calls without an outcome, by their ids. @type {Map<string, Part>} */
  const open = new Map();
  for (const message of list) {
    const type = messageType(message);
    const id = message.id ?? `message-${shown.length}`;
    if (type === "human") shown.push({ id, role: "user", parts: userParts(message.content) });
    else if (type === "ai") {
      const parts = modelParts(message);
      for (const part of parts) if ("toolCallId" in part) open.set(String(part.toolCallId), part);
      const last = shown.at(-1);
      if (last?.role === "assistant") last.parts.push(...parts);
      else shown.push({ id: answerIdOf(last?.id) ?? id, role: "assistant", parts });
    } else if (type === "tool") {
      const part = open.get(message.tool_call_id ?? "");
      if (part !== undefined) Object.assign(part, outcomeOf(message));
      open.delete(message.tool_call_id ?? "");
    }
  }
  for (const part of open.values())
    if (part.state === "input-available" && !shown.at(-1)?.parts.includes(part))
      Object.assign(part, { state: "output-error", errorText: "The chat went on without it." });
  /** @type {Part[]} */
  const own = [];
  for (const approval of approvalsOf(questions, stepOf(shown, open))) {
    const asked = approvalPart(approval);
    const part = open.get(approval.toolCallId);
    if (part === undefined) own.push(asked);
    else {
      // Of a call that was repaired.
      delete part.errorText;
      Object.assign(part, asked);
    }
  }
  const others = questions
    .filter((question) => !isAboutCalls(question))
    .map(({ id, value }) => ({ type: "data-interrupt", id, data: { id, value } }));
  const added = [...(own.length > 0 ? [{ type: "step-start" }, ...own] : []), ...others];
  const last = shown.at(-1);
  if (last?.role === "assistant") last.parts.push(...added);
  else if (added.length > 0)
    shown.push({
      id: answerIdOf(last?.id) ?? questions[0].id,
      role: "assistant",
      parts: added,
    });
  return shown;
}

/**
 * @param {UIMessage[]} shown
 * @param {ReadonlyMap<string, Part>} open parts of calls without an outcome, by their ids
 * @returns {Map<string, { name: unknown }>} those of the last step
 */
function stepOf(shown, open) {
  const last = shown.at(-1)?.parts ?? [];
  const step = new Set(last.slice(last.findLastIndex(({ type }) => type === "step-start") + 1));
  const calls = [...open].filter(([, part]) => step.has(part));
  return new Map(calls.map(([id, { toolName }]) => [id, { name: toolName }]));
}

/** @param {Approval} approval @returns {Part} */
function approvalPart(approval) {
  const { approvalId, toolCallId, toolName, input } = approval;
  const callProviderMetadata = metadataOf(approval);
  return {
    type: "dynamic-tool",
    toolName,
    toolCallId,
    state: "approval-requested",
    input,
    ...(callProviderMetadata === undefined ? {} : { callProviderMetadata }),
    approval: { id: approvalId },
  };
}

/** @param {unknown} content @returns {Part[]} */
function userParts(content) {
  if (!Array.isArray(content)) return [{ type: "text", text: textOf(content) }];
  return content.flatMap((block) => userPart(block));
}

/** @param {unknown} block @returns {Part[]} none where it has no form */
function userPart(block) {
  if (!isRecord(block)) return [];
  if (block.type === "text") return [{ type: "text", text: String(block.text) }];
  const image = isRecord(block.image_url) ? block.image_url.url : block.image_url;
  const type = block.mimeType ?? block.mime_type;
  const url =
    image ?? block.url ?? (typeof block.data === "string" && `data:${type};base64,${block.data}`);
  if (typeof url !== "string") return [];
  const mediaType = type ?? /^data:([^;,]+)/.exec(url)?.[1] ?? "image/*";
  return [{ type: "file", mediaType, url }];
}

/** @param {Message} message of a model @returns {Part[]} one step */
function modelParts(message) {
  const reasoning = reasoningOf(message);
  const text = textOf(message.content);
  return [
    { type: "step-start" },
    ...(reasoning === "" ? [] : [{ type: "reasoning", text: reasoning, state: "done" }]),
    ...(text === "" ? [] : [{ type: "text", text, state: "done" }]),
    ...filesOf(message),
    ...(message.tool_calls ?? []).map(({ id = "", name, args }) => ({
      type: "dynamic-tool",
      toolName: name,
      toolCallId: id,
      state: "input-available",
      input: args,
    })),
    ...(message.invalid_tool_calls ?? []).map(({ id = "", name, args, error }) => ({
      type: "dynamic-tool",
      toolName: name,
      toolCallId: id,
      state: "output-error",
      input: args,
      errorText: error ?? "The arguments are no JSON.",
    })),
  ];
}

/** @param {Message} message of a tool @returns {Fields} */
function outcomeOf(message) {
  return message.status === "error"
    ? { state: "output-error", errorText: textOf(message.content) }
    : { state: "output-available", output: outputOf(message) };
}
