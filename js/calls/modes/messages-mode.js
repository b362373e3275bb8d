// SPDX-License-Identifier: MIT
// Selects the messages of the `messages` stream: tokens of models called below a node (through
// LangChain's callbacks), a model's whole answer if it had no tokens, and new messages that a node
// returns. Shows each id once. Does not depend on streams' readers or runs.
import { isCommand, isSend } from "../../base/constants.js";
import { nodeRunId } from "../../callbacks/trace.js";
import { pieceOf } from "../../messages/ai.js";
import { isBaseMessage, linkChunks, messageType } from "../../messages/base.js";
import { graphNamespace } from "../../base/namespace.js";

/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {[message: Message, metadata: Record<string, unknown>]} MessageChunk */

const SILENT = ["nostream", "langsmith:nostream"];

/** The messages that one stream has shown. */
export class MessagesFeed {
  /** Feed of a parent stream that shows the same nodes. @type {MessagesFeed | undefined} */
  outer = undefined;

  /**
   * @param {(chunk: MessageChunk) => void} push
   * @param {(namespace: string[]) => boolean} isHere whether messages from nodes of that graph are
   *   shown
   */
  constructor(push, isHere) {
    this.push = push;
    this.isHere = isHere;
    /** @type {Set<unknown>} */
    this.seen = new Set();
    /** Callback handler for models. */
    this.handler = new MessagesHandler(this);
  }

  /** @param {unknown} metadata */
  isShown(metadata) {
    return this.isHere(graphNamespace(metadata));
  }

  /**
   * Returns the namespace under which a message is shown.
   * @param {Record<string, unknown>} metadata
   * @returns {string[]}
   */
  namespaceOf(metadata) {
    return graphNamespace(metadata);
  }

  /**
   * Marks the messages in a node's input as known.
   * @param {unknown} input
   * @param {import("../../base/ambient.js").Scope} scope
   */
  markSeen(input, scope) {
    this.outer?.markSeen(input, scope);
    if (!this.isShown(scope.config.metadata)) return;
    for (const { id } of this.messagesOf(input)) if (id != null) this.seen.add(id);
  }

  /**
   * Collects messages.
   * @param {unknown} value a message, an object with messages, a Command with such an update, or a
   *   list of these
   * @returns {Message[]}
   */
  messagesOf(value) {
    if (!Array.isArray(value)) return isBaseMessage(value) ? [value] : inFields(value);
    return value.flatMap((one) =>
      isBaseMessage(one) ? [one] : Array.isArray(one) ? [] : inFields(one),
    );
  }

  /**
   * Shows the new messages in a node's output.
   * @param {unknown} output
   * @param {import("../../base/ambient.js").Scope} scope
   */
  showOutput(output, scope) {
    this.outer?.showOutput(output, scope);
    const { node, config } = scope;
    if (!this.isShown(config.metadata)) return;
    const messages = this.messagesOf(output);
    if (messages.length === 0) return;
    const runId = nodeRunId(scope);
    const fresh = this.#named(messages, `run-${runId}`);
    const metadata = {
      tags: [`graph:step:${scope.task.step}`, ...config.tags],
      name: node.name,
      ...config.metadata,
    };
    for (const message of fresh) this.show(message, metadata, runId);
  }

  /**
   * Returns the new messages and assigns missing ids.
   * @param {Message[]} messages
   * @param {string} run
   */
  #named(messages, run) {
    return messages.filter((message, place) => {
      if (this.seen.has(message.id)) return false;
      giveId(
        message,
        messageType(message) === "tool"
          ? `${run}-tool-${message.tool_call_id}`
          : this.idAt(run, place),
      );
      this.seen.add(message.id);
      return true;
    });
  }

  /**
   * Makes the id of a message that a node returned without one.
   * @param {string} run
   * @param {number} place
   * @returns {string}
   */
  idAt(run, place) {
    return `${run}-out-${place}`;
  }

  /**
   * Shows the end of a model's answer.
   * @param {Message} message
   * @param {Record<string, unknown>} metadata
   * @param {string} runId
   * @param {string} [told] id of its chunks
   */
  showAnswer(message, metadata, runId, told) {
    if (told === undefined && !this.seen.has(message.id)) this.show(message, metadata, runId);
  }

  /**
   * Shows a chunk of a model's answer.
   * @param {Message} chunk
   * @param {Record<string, unknown>} metadata
   * @param {string} runId
   */
  showPiece(chunk, metadata, runId) {
    this.show(chunk, metadata, runId);
  }

  /**
   * Shows a message that a node pushed itself.
   * @param {Message} message
   * @param {Record<string, unknown>} metadata
   */
  showPushed(message, metadata) {
    this.outer?.showPushed(message, metadata);
    if (this.isShown(metadata)) this.show(message, metadata);
  }

  /** @param {Message} message @param {Record<string, unknown>} metadata @param {string} [_runId] */
  show(message, metadata, _runId) {
    this.seen.add(message.id);
    this.push([message, metadata]);
  }
}

/**
 * Assigns an id to a message without one. LangChain saves a message's `lc_kwargs`, so _updateId
 * must be used if present.
 * @param {Message} message
 * @param {string} id
 * @param {string} [none] id that counts as missing
 * @returns {string} the message's id
 */
function giveId(message, id, none) {
  if ((message.id ?? none) === none) {
    if (typeof message._updateId === "function") message._updateId(id);
    else message.id = id;
  }
  return /** @type {string} */ (message.id);
}

/** @param {unknown} value @returns {Message[]} */
function among(value) {
  return [value].flat().filter(isBaseMessage);
}

/** @param {unknown} value @returns {Message[]} */
function inFields(value) {
  if (isSend(value)) return [];
  if (isCommand(value) && value.graph != null) return [];
  const fields = isCommand(value) ? value.update : value;
  return Array.isArray(fields) ? [] : Object.values(fields ?? {}).flatMap(among);
}

/**
 * Callback handler for models below a node, with the methods of LangChain's BaseCallbackHandler.
 */
class MessagesHandler {
  name = "StreamMessagesHandler";
  lc_prefer_streaming = true;
  awaitHandlers = true;
  ignoreChain = true;
  ignoreAgent = true;
  ignoreRetriever = true;
  ignoreCustomEvent = true;

  /** @param {MessagesFeed} feed */
  constructor(feed) {
    this.feed = feed;
    /**
     * Running models whose messages are shown; a run's first chunk id is used for chunks without
     * one.
     * @type {Map<string, { metadata: Record<string, unknown>, id?: string }>}
     */
    this.shown = new Map();
  }

  /**
   * @param {unknown} _model
   * @param {unknown} _messages
   * @param {string} runId
   * @param {string} [_parentRunId]
   * @param {unknown} [_extra]
   * @param {string[]} [tags]
   * @param {Record<string, unknown>} [metadata]
   * @param {string} [name]
   */
  handleChatModelStart(_model, _messages, runId, _parentRunId, _extra, tags, metadata, name) {
    if (tags?.some((tag) => SILENT.includes(tag)) || !this.feed.isShown(metadata)) return;
    this.shown.set(runId, { metadata: { tags: tags ?? [], name, ...metadata } });
  }

  /**
   * @param {string} token
   * @param {unknown} _index
   * @param {string} runId
   * @param {string} [_parentRunId]
   * @param {string[]} [_tags]
   * @param {unknown} [fields]
   */
  handleLLMNewToken(token, _index, runId, _parentRunId, _tags, fields) {
    const run = this.shown.get(runId);
    if (run === undefined) return;
    const message = pieceOf(token, fields);
    const own = `run-${runId}`;
    giveId(message, (run.id ??= giveId(message, own)), own);
    this.feed.showPiece(message, run.metadata, runId);
  }

  /** @param {import("../limits.js").ModelResult} output @param {string} runId */
  handleLLMEnd(output, runId) {
    const run = this.shown.get(runId);
    if (run === undefined) return;
    this.shown.delete(runId);
    const message = output?.generations?.[0]?.[0]?.message;
    if (message === undefined || !isBaseMessage(message)) return;
    linkChunks(message);
    giveId(message, `run-${runId}`);
    this.feed.showAnswer(message, run.metadata, runId, run.id);
  }

  /** @param {unknown} _error @param {string} runId */
  handleLLMError(_error, runId) {
    this.shown.delete(runId);
  }
}
