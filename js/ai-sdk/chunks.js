// SPDX-License-Identifier: MIT
// Turns what a graph streams (values, messages, custom) into the chunks of the AI SDK's UI message
// stream. Each message is emitted once, streamed or whole; whatever is open is closed at the end.
import { isRecord } from "../base/check-arguments.js";
import { isBaseMessage, messageType, textOf } from "../messages/index.js";
import { reasoningOf } from "../messages/reasoning.js";
import { filesOf, outputOf } from "./content.js";
import { approvalsOf, isAboutCalls, metadataOf, shownText } from "./approvals.js";

/** @typedef {import("./approvals.js").Approval} Approval */
/** @typedef {import("./approvals.js").Question} Question */
/** @typedef {Record<string, unknown>} Fields */
/** @typedef {{ type: string, [key: string]: unknown }} UIChunk */
/**
 * What is read of a message.
 * @typedef {{ id?: string, content: unknown, tool_calls?: Call[], invalid_tool_calls?: (Call & {
 *   error?: string })[], tool_call_chunks?: CallChunk[], tool_call_id?: string, status?: string,
 *   artifact?: unknown, usage_metadata?: unknown, additional_kwargs?: Fields }} Message
 * @typedef {{ id?: string, name: string, args: unknown }} Call
 * @typedef {{ index?: number, id?: string, name?: string, args?: string }} CallChunk
 */
/** @typedef {{ id: string, name: string, args: string }} OpenCall */
/**
 * What a client shows of a call: its name, and all of it (`shownText`).
 * @typedef {{ name: unknown, text: string }} Shown
 */
/**
 * `messageId`: of the UI's message that goes on; `denied`: calls that a person has just refused;
 * `step`: calls without an outcome of the last step that its client shows, by their ids;
 * `isOwnStep`: that step has parts of approvals alone; `areApart`: approvals have parts of their
 * own; `answers`: those of parts of approvals, by their ids, undefined where it was refused.
 * @typedef {{ messageId?: string, denied?: ReadonlySet<string>, step?: ReadonlyMap<string, Shown>,
 *   isOwnStep?: boolean, areApart?: boolean, answers?: ReadonlyMap<string, unknown> }} ChunkOptions
 */

const INTERRUPT = "__interrupt__";

/**
 * The id of the UI's message that answers one of the user's: the same in each client, so that none
 * shows it twice.
 * @param {unknown} asked the id of the user's
 * @returns {string | undefined} undefined: it has none
 */
export function answerIdOf(asked) {
  return typeof asked === "string" && asked !== "" ? `${asked}:answer` : undefined;
}

export class UIChunks {
  #emit;
  #denied;
  #areApart;
  #answers;
  /** @type {Map<string, Shown>} */
  #step;
  /** The step has approvals alone. */
  #isOwnStep;
  /** Ids of messages that were emitted, or were in the thread before. @type {Set<string>} */
  #known = new Set();
  /** Calls whose input was emitted. @type {Set<string>} */
  #calls = new Set();
  /** Calls whose outcome was emitted. @type {Set<string>} */
  #outcomes = new Set();
  #hasBegun = false;
  #isInStep = false;
  /** Questions about calls; those of tasks come one by one. @type {Question[]} */
  #asked = [];
  /** Parts whose approval was asked for, by their ids. @type {Set<string>} */
  #requested = new Set();
  /** The message that grows. @type {string | undefined} */
  #open;
  /** Parts of it that are open: text, reasoning. @type {Set<string>} */
  #parts = new Set();
  /** Its calls, by their index. @type {Map<number, OpenCall>} */
  #growing = new Map();

  /**
   * @param {(chunk: UIChunk) => void} emit
   * @param {ChunkOptions} [options]
   */
  constructor(emit, { messageId, denied = new Set(), step, answers, ...options } = {}) {
    this.#emit = emit;
    this.#denied = denied;
    this.#areApart = options.areApart === true;
    this.#step = new Map(step);
    this.#isOwnStep = options.isOwnStep === true;
    this.#answers = new Map(answers);
    emit({ type: "start", ...(messageId === undefined ? {} : { messageId }) });
  }

  /** Calls without an outcome of the last step, by id. @returns {ReadonlyMap<string, Shown>} */
  get step() {
    return this.#step;
  }

  /** @param {string} mode @param {unknown} payload of a chunk of the outermost graph */
  take(mode, payload) {
    this.#closeApprovals();
    if (mode === "messages") this.#message(/** @type {[Message]} */ (payload)[0]);
    else if (mode === "custom") this.#custom(payload);
    else if (mode === "values") this.#values(/** @type {Fields} */ (payload));
  }

  /** The run ended well. */
  finish() {
    this.#closeApprovals();
    this.#closeMessage();
    this.#closeStep();
    this.#emit({ type: "finish", finishReason: this.#asked.length > 0 ? "tool-calls" : "stop" });
  }

  /** @param {string} text what the user is shown of the error */
  fail(text) {
    this.#closeMessage();
    this.#closeStep();
    this.#emit({ type: "error", errorText: text });
  }

  abort() {
    this.#closeMessage();
    this.#closeStep();
    this.#emit({ type: "abort" });
  }

  /** @param {Fields} values */
  #values(values) {
    const { [INTERRUPT]: questions, messages } = values ?? {};
    const list = /** @type {Message[]} */ (Array.isArray(messages) ? messages : []);
    // The first state is what was there before, with what the user said.
    if (!this.#hasBegun && questions === undefined)
      for (const { id } of list) if (id !== undefined) this.#known.add(id);
    this.#hasBegun = true;
    for (const message of list) this.#whole(message);
    if (Array.isArray(questions)) this.#questions(questions);
  }

  /** @param {Message} message a piece, or a whole one */
  #message(message) {
    if (!isBaseMessage(message)) return;
    const isPiece = "tool_call_chunks" in message;
    if (!isPiece || messageType(message) !== "ai") return this.#whole(message);
    const { id = "" } = message;
    if (this.#open !== id) {
      if (this.#known.has(id)) return;
      this.#closeMessage();
      this.#openMessage(id);
    }
    this.#pieces(id, message, message.tool_call_chunks ?? []);
  }

  /** @param {Message} message */
  #whole(message) {
    if (!isBaseMessage(message)) return;
    const type = messageType(message);
    if (type === "tool") return this.#outcome(message);
    const { id = "" } = message;
    if (type !== "ai") return;
    if (this.#open === id) {
      this.#closeMessage(message);
      return;
    }
    if (this.#known.has(id)) return;
    this.#closeMessage();
    this.#openMessage(id);
    this.#pieces(id, message, []);
    this.#closeMessage(message);
  }

  /** @param {string} id */
  #openMessage(id) {
    this.#openStep(false);
    this.#open = id;
    this.#known.add(id);
  }

  /** @param {string} id @param {Message} message @param {CallChunk[]} calls */
  #pieces(id, message, calls) {
    const reasoning = reasoningOf(message);
    if (reasoning !== "") this.#delta("reasoning", `${id}:reasoning`, reasoning);
    const text = textOf(message.content);
    if (text !== "") this.#delta("text", id, text);
    for (const file of filesOf(message)) this.#emit(file);
    for (const chunk of calls) this.#callPiece(chunk);
    if (message.usage_metadata !== undefined && message.usage_metadata !== null)
      this.#emit({
        type: "message-metadata",
        messageMetadata: { usage: message.usage_metadata },
      });
  }

  /** @param {"text" | "reasoning"} kind @param {string} id @param {string} delta */
  #delta(kind, id, delta) {
    if (!this.#parts.has(id)) {
      this.#parts.add(id);
      this.#emit({ type: `${kind}-start`, id });
    }
    this.#emit({ type: `${kind}-delta`, id, delta });
  }

  /** @param {CallChunk} chunk */
  #callPiece({ index = 0, id, name, args = "" }) {
    let call = this.#growing.get(index);
    if (call === undefined) {
      if (id === undefined || name === undefined || name === "") return;
      call = { id, name, args: "" };
      this.#growing.set(index, call);
      this.#emit({ type: "tool-input-start", toolCallId: id, toolName: name, dynamic: true });
    }
    if (args === "") return;
    call.args += args;
    this.#emit({ type: "tool-input-delta", toolCallId: call.id, inputTextDelta: args });
  }

  /** @param {Message} [whole] the message, if it is known */
  #closeMessage(whole) {
    if (this.#open === undefined) return;
    for (const id of this.#parts)
      this.#emit({ type: id.endsWith(":reasoning") ? "reasoning-end" : "text-end", id });
    const grown = [...this.#growing.values()];
    const calls = whole?.tool_calls ?? grown.filter(isReadable).map(readCall);
    for (const call of calls) this.#call(call);
    const wrong = whole?.invalid_tool_calls ?? grown.filter((call) => !isReadable(call));
    for (const call of wrong) this.#wrongCall(call);
    this.#parts.clear();
    this.#growing.clear();
    this.#open = undefined;
  }

  /** @param {Call} call */
  #call({ id = "", name, args }) {
    if (this.#calls.has(id)) return;
    this.#calls.add(id);
    this.#outcomes.delete(id);
    this.#step.set(id, { name, text: shownText(name, args) });
    this.#emit({
      type: "tool-input-available",
      toolCallId: id,
      toolName: name,
      input: args,
      dynamic: true,
    });
  }

  /** @param {Call & { error?: string }} call */
  #wrongCall({ id = "", name, args, error }) {
    if (this.#calls.has(id)) return;
    this.#calls.add(id);
    // What became of it is shown, not what it is.
    this.#step.set(id, { name, text: "" });
    this.#emit({
      type: "tool-input-error",
      toolCallId: id,
      toolName: name,
      input: args,
      errorText: error ?? "The arguments are no JSON.",
      dynamic: true,
    });
  }

  /** @param {Message} message of a tool */
  #outcome(message) {
    const { id, tool_call_id: toolCallId = "", status } = message;
    if ((id !== undefined && this.#known.has(id)) || this.#outcomes.has(toolCallId)) return;
    if (id !== undefined) this.#known.add(id);
    this.#outcomes.add(toolCallId);
    this.#step.delete(toolCallId);
    this.#closeMessage();
    if (this.#denied.has(toolCallId)) this.#emit({ type: "tool-output-denied", toolCallId });
    else if (status === "error")
      this.#emit({
        type: "tool-output-error",
        toolCallId,
        errorText: textOf(message.content),
        dynamic: true,
      });
    else
      this.#emit({
        type: "tool-output-available",
        toolCallId,
        output: outputOf(message),
        dynamic: true,
      });
  }

  /** @param {Question[]} questions */
  #questions(questions) {
    this.#closeMessage();
    for (const question of questions)
      if (!isAboutCalls(question)) {
        const { id, value } = question;
        this.#emit({ type: "data-interrupt", id, data: { id, value } });
      } else this.#asked.push(question);
    const step = this.#areApart ? new Map() : this.#step;
    for (const approval of approvalsOf(this.#asked, step))
      if (!this.#requested.has(approval.toolCallId)) this.#approval(approval);
  }

  /** @param {Approval} approval */
  #approval(approval) {
    const { approvalId, toolCallId, toolName, input, isOwn, about } = approval;
    this.#requested.add(toolCallId);
    const text = shownText(toolName, input, about);
    if (this.#step.get(toolCallId)?.text !== text) {
      // Clients send what is answered in a step once nothing else in it waits; the call that such a
      // question is beneath does.
      if (isOwn && !this.#isOwnStep) this.#openStep(true);
      this.#step.set(toolCallId, { name: toolName, text });
      this.#emit({
        type: "tool-input-available",
        toolCallId,
        toolName,
        input,
        dynamic: true,
        providerMetadata: metadataOf(approval) ?? {},
      });
    }
    this.#emit({ type: "tool-approval-request", approvalId, toolCallId });
  }

  /** Ends parts of approvals that were answered, once the run goes on: no message will. */
  #closeApprovals() {
    for (const [toolCallId, output] of this.#answers) {
      this.#step.delete(toolCallId);
      this.#emit(
        output === undefined
          ? { type: "tool-output-denied", toolCallId }
          : { type: "tool-output-available", toolCallId, output, dynamic: true },
      );
    }
    this.#answers.clear();
  }

  /** @param {unknown} value that a node wrote */
  #custom(value) {
    const { type = "custom", id, ...rest } = isRecord(value) ? value : { value };
    const isNamed = isRecord(value) && typeof value.type === "string";
    this.#emit({
      type: `data-${type}`,
      ...(typeof id === "string" ? { id } : { transient: true }),
      data: isNamed ? ("data" in rest && Object.keys(rest).length === 1 ? rest.data : rest) : value,
    });
  }

  /** @param {boolean} isOwn */
  #openStep(isOwn) {
    this.#closeStep();
    this.#emit({ type: "start-step" });
    this.#isInStep = true;
    this.#isOwnStep = isOwn;
    this.#step.clear();
  }

  #closeStep() {
    if (this.#isInStep) this.#emit({ type: "finish-step" });
    this.#isInStep = false;
  }
}

/** @param {OpenCall} call */
function isReadable({ args }) {
  try {
    JSON.parse(args || "{}");
    return true;
  } catch {
    return false;
  }
}

/** @param {OpenCall} call @returns {Call} */
function readCall({ id, name, args }) {
  return { id, name, args: JSON.parse(args || "{}") };
}
