// SPDX-License-Identifier: MIT
// Knows: which messages the `messages` stream shows: tokens of models called below a node (through LangChain's
// callbacks), a model's whole answer when it had no tokens, and new messages that a node returns. Each id once.
// Must not know: streams' consumers, runs.
import { AIMessageChunk, isBaseMessage } from "../messages/index.js";
import { randomUuid } from "./random.js";

const SILENT = ["nostream", "langsmith:nostream"];

/** What one call has shown so far. */
export class MessagesFeed {
  /** @param {(chunk: [message: any, metadata: Record<string, any>]) => void} push */
  constructor(push) {
    this.push = push;
    /** @type {Set<string>} */
    this.seen = new Set();
  }

  /** Messages that a node was given are not news. @param {any} input */
  markSeen(input) {
    for (const message of messagesOf(input)) if (typeof message.id === "string") this.seen.add(message.id);
  }

  /** @param {any} output @param {() => Record<string, any>} metadata @param {string[]} tags */
  showOutput(output, metadata, tags) {
    for (const message of messagesOf(output)) {
      message.id ??= `run-${randomUuid()}`;
      this.showOnce(message, { tags, name: undefined, ...metadata() });
    }
  }

  /** @param {any} message @param {Record<string, any>} metadata */
  showOnce(message, metadata) {
    if (this.seen.has(message.id)) return;
    this.seen.add(message.id);
    this.push([message, metadata]);
  }
}

/** @param {any} value a message, a list, or an object with such values @returns {any[]} */
function messagesOf(value) {
  if (isBaseMessage(value)) return [value];
  if (Array.isArray(value)) return value.filter(isBaseMessage);
  if (typeof value !== "object" || value === null || value.lg_name === "Command") return [];
  return Object.values(value).flatMap((field) => (Array.isArray(field) ? field.filter(isBaseMessage) : isBaseMessage(field) ? [field] : []));
}

/** The listener that models find in a node's callbacks. Its shape is LangChain's BaseCallbackHandler. */
class MessagesHandler {
  name = "StreamMessagesHandler";
  lc_prefer_streaming = true;
  awaitHandlers = true;
  raiseError = false;
  ignoreLLM = false;
  ignoreChain = true;
  ignoreAgent = true;
  ignoreRetriever = true;
  ignoreCustomEvent = true;
  lc_serializable = false;

  /** @param {MessagesFeed} feed @param {() => Record<string, any>} metadata of the task */
  constructor(feed, metadata) {
    this.feed = feed;
    this.metadata = metadata;
    /** Model runs that are shown, with their metadata. @type {Map<string, Record<string, any>>} */
    this.shown = new Map();
  }

  copy() {
    return this;
  }

  /**
   * @param {any} _model
   * @param {any} _messages
   * @param {string} runId
   * @param {string} [_parentRunId]
   * @param {any} [_extra]
   * @param {string[]} [tags]
   * @param {Record<string, any>} [metadata]
   * @param {string} [name]
   */
  handleChatModelStart(_model, _messages, runId, _parentRunId, _extra, tags, metadata, name) {
    if (tags?.some((tag) => SILENT.includes(tag))) return;
    this.shown.set(runId, { tags: tags ?? [], name, ...(metadata ?? this.metadata()) });
  }

  /**
   * @param {string} token
   * @param {any} _index
   * @param {string} runId
   * @param {string} [_parentRunId]
   * @param {string[]} [_tags]
   * @param {any} [fields]
   */
  handleLLMNewToken(token, _index, runId, _parentRunId, _tags, fields) {
    const metadata = this.shown.get(runId);
    if (metadata === undefined) return;
    const message = fields?.chunk?.message ?? new AIMessageChunk({ content: token });
    message.id ??= `run-${runId}`;
    this.feed.seen.add(message.id);
    this.feed.push([message, metadata]);
  }

  /** @param {any} output @param {string} runId */
  handleLLMEnd(output, runId) {
    const metadata = this.shown.get(runId);
    if (metadata === undefined) return;
    this.shown.delete(runId);
    const message = output?.generations?.[0]?.[0]?.message;
    if (!isBaseMessage(message)) return;
    message.id ??= `run-${runId}`;
    this.feed.showOnce(message, metadata);
  }

  /** @param {any} _error @param {string} runId */
  handleLLMError(_error, runId) {
    this.shown.delete(runId);
  }
}

/**
 * The callbacks of a node: the caller's, and the listener of the `messages` stream when there is one.
 * @param {{ config: any, messages: MessagesFeed | undefined }} context
 * @param {() => Record<string, any>} metadata
 */
export function taskCallbacks(context, metadata) {
  const given = context.config.callbacks;
  if (context.messages === undefined) return given;
  const handler = new MessagesHandler(context.messages, metadata);
  if (given === undefined || given === null) return [handler];
  if (Array.isArray(given)) return [...given, handler];
  const manager = given.copy();
  manager.addHandler(handler, true);
  return manager;
}
