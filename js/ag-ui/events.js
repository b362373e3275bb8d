// SPDX-License-Identifier: MIT
// Turns what a graph streams (values, messages, custom) into AG-UI's events. Each message and call
// is emitted once; whatever is open is closed before the end.
import { isBaseMessage, messageType, textOf } from "../messages/index.js";
import { reasoningOf } from "../messages/reasoning.js";
import { toPlain } from "../server/http/wire.js";
import { toAgUiMessage } from "./messages.js";
import { diff } from "./patch.js";

/** @typedef {import("./messages.js").Fields} Fields */
/** @typedef {import("./messages.js").Message} Message */
/** @typedef {{ type: string, [key: string]: unknown }} AgUiEvent */
/** @typedef {{ id: string, value: unknown }} Question */
/**
 * @typedef {Message & { tool_call_chunks?: { index?: number, id?: string, name?: string, args?:
 *   string }[], additional_kwargs?: Fields }} Piece
 */

const INTERRUPT = "__interrupt__";

export class AgUiEvents {
  #emit;
  /** Ids of messages that were emitted, or were in the thread before. @type {Set<string>} */
  #known = new Set();
  /** Calls whose start was emitted. @type {Set<string>} */
  #calls = new Set();
  #hasBegun = false;
  /** The message that grows. @type {string | undefined} */
  #open;
  #isText = false;
  #isReasoning = false;
  /** Its calls that are open, by their index. @type {Map<number, string>} */
  #growing = new Map();
  /** The state that was emitted last, without messages. @type {unknown} */
  #state;
  /** @type {Fields} */
  values = {};
  /** @type {Question[]} */
  questions = [];

  /**
   * @param {(event: AgUiEvent) => void} emit
   * @param {Fields} values of the thread before the run
   */
  constructor(emit, values) {
    this.#emit = emit;
    this.values = values;
    this.#state = stateOf(values);
    for (const { id } of messagesOf(values)) if (id !== undefined) this.#known.add(id);
    emit({ type: "STATE_SNAPSHOT", snapshot: this.#state });
  }

  /** @param {string} mode @param {unknown} payload of a chunk of the outermost graph */
  take(mode, payload) {
    if (mode === "messages") this.#message(/** @type {[Piece]} */ (payload)[0]);
    else if (mode === "custom") this.#custom(payload);
    else if (mode === "values") this.#values(/** @type {Fields} */ (payload));
  }

  /** Ends what is open, and emits the whole state and all messages. */
  finish() {
    this.close();
    this.#emit({ type: "STATE_SNAPSHOT", snapshot: stateOf(this.values) });
    const messages = messagesOf(this.values).map(toAgUiMessage);
    this.#emit({
      type: "MESSAGES_SNAPSHOT",
      messages: messages.filter((one) => one !== undefined),
    });
  }

  /** Ends what is open. */
  close() {
    const messageId = this.#open;
    if (messageId === undefined) return;
    this.#endReasoning(messageId);
    if (this.#isText) this.#emit({ type: "TEXT_MESSAGE_END", messageId });
    for (const toolCallId of this.#growing.values())
      this.#emit({ type: "TOOL_CALL_END", toolCallId });
    this.#isText = false;
    this.#growing.clear();
    this.#open = undefined;
  }

  /** @param {Fields} payload */
  #values(payload) {
    const { [INTERRUPT]: questions, ...values } = payload ?? {};
    if (Object.keys(values).length > 0) {
      const messages = messagesOf(values);
      // The first state has what the user said, which the client knows.
      if (!this.#hasBegun)
        for (const message of messages)
          if (message.id !== undefined && messageType(message) !== "ai")
            this.#known.add(message.id);
      this.#hasBegun = true;
      this.values = values;
      for (const message of messages) this.#whole(message);
      const state = stateOf(values);
      const delta = diff(this.#state, state);
      this.#state = state;
      if (delta.length > 0) this.#emit({ type: "STATE_DELTA", delta });
    }
    if (Array.isArray(questions)) this.questions.push(...questions);
  }

  /** @param {Piece} message */
  #message(message) {
    if (!isBaseMessage(message)) return;
    if (!("tool_call_chunks" in message) || messageType(message) !== "ai")
      return this.#whole(message);
    const { id = "" } = message;
    if (this.#open !== id) {
      if (this.#known.has(id)) return;
      this.#begin(id);
    }
    this.#emitContent(id, message);
    for (const { index = 0, id: callId, name, args } of message.tool_call_chunks ?? [])
      this.#callPiece(id, index, callId, name, args);
  }

  /** @param {Piece} message */
  #whole(message) {
    if (!isBaseMessage(message)) return;
    const { id = "" } = message;
    const type = messageType(message);
    if (type === "ai" && this.#open === id) return this.close();
    if (this.#known.has(id)) return;
    if (type === "tool") {
      this.close();
      this.#known.add(id);
      this.#emit({
        type: "TOOL_CALL_RESULT",
        messageId: id,
        toolCallId: message.tool_call_id ?? "",
        content: textOf(message.content) || JSON.stringify(message.content),
        role: "tool",
      });
    }
    if (type !== "ai") return;
    this.#begin(id);
    this.#emitContent(id, message);
    for (const [at, call] of (message.tool_calls ?? []).entries())
      this.#callPiece(id, at, call.id, call.name, JSON.stringify(call.args ?? {}));
    this.close();
  }

  /** @param {string} id */
  #begin(id) {
    this.close();
    this.#open = id;
    this.#known.add(id);
  }

  /** Text and reasoning. @param {string} messageId @param {Piece} message */
  #emitContent(messageId, message) {
    const reasoning = reasoningOf(message);
    if (reasoning !== "") {
      if (!this.#isReasoning) {
        this.#isReasoning = true;
        this.#emit({ type: "REASONING_START", messageId: `${messageId}:reasoning` });
        this.#emit({
          type: "REASONING_MESSAGE_START",
          messageId: `${messageId}:reasoning`,
          role: "reasoning",
        });
      }
      this.#emit({
        type: "REASONING_MESSAGE_CONTENT",
        messageId: `${messageId}:reasoning`,
        delta: reasoning,
      });
    }
    const delta = textOf(message.content);
    if (delta === "") return;
    this.#endReasoning(messageId);
    if (!this.#isText) this.#emit({ type: "TEXT_MESSAGE_START", messageId, role: "assistant" });
    this.#isText = true;
    this.#emit({ type: "TEXT_MESSAGE_CONTENT", messageId, delta });
  }

  /** @param {string} messageId */
  #endReasoning(messageId) {
    if (!this.#isReasoning) return;
    this.#isReasoning = false;
    this.#emit({ type: "REASONING_MESSAGE_END", messageId: `${messageId}:reasoning` });
    this.#emit({ type: "REASONING_END", messageId: `${messageId}:reasoning` });
  }

  /**
   * @param {string} parentMessageId
   * @param {number} index
   * @param {string | undefined} id
   * @param {string | undefined} name
   * @param {string} [args]
   */
  #callPiece(parentMessageId, index, id, name, args = "") {
    let toolCallId = this.#growing.get(index);
    if (toolCallId === undefined) {
      if (id === undefined || id === "" || !name || this.#calls.has(id)) return;
      toolCallId = id;
      this.#calls.add(id);
      this.#growing.set(index, id);
      this.#emit({ type: "TOOL_CALL_START", toolCallId, toolCallName: name, parentMessageId });
    }
    if (args !== "") this.#emit({ type: "TOOL_CALL_ARGS", toolCallId, delta: args });
  }

  /** @param {unknown} value that a node wrote */
  #custom(value) {
    const type = /** @type {{ type?: unknown } | null} */ (value)?.type;
    this.#emit({ type: "CUSTOM", name: typeof type === "string" ? type : "custom", value });
  }
}

/** @param {Fields} values @returns {Piece[]} */
function messagesOf({ messages }) {
  return Array.isArray(messages) ? messages : [];
}

/** @param {Fields} values @returns {unknown} a copy in plain data, without messages */
function stateOf({ messages: _, [INTERRUPT]: _questions, ...values }) {
  return toPlain(values);
}

/** @param {Question} question @returns {Fields} AG-UI's interrupt */
export function interruptOf({ id, value }) {
  const asked = /** @type {Fields | null} */ (typeof value === "object" ? value : null);
  const toolCallId = asked?.tool_call_id ?? asked?.id;
  const isCall = asked !== null && Array.isArray(asked.action_requests);
  const message = isCall ? asked?.description : typeof value === "string" ? value : undefined;
  return {
    id,
    reason: isCall ? "tool_call" : "input_required",
    ...(typeof message === "string" ? { message } : {}),
    ...(isCall && typeof toolCallId === "string" ? { toolCallId } : {}),
    metadata: { value },
  };
}
