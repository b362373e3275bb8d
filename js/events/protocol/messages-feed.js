// SPDX-License-Identifier: MIT
// Reports messages in LangGraph's protocol: a start, growing blocks of content, an end. Does not
// depend on models.
import { messageType } from "../../messages/base.js";
import { nodeNamespace } from "../../base/namespace.js";

/** @typedef {import("../../engine/block.js").Block} Block */
/** @typedef {import("../../messages/base.js").Message} Message */
/** @typedef {import("../../base/callable.js").Value} Value */

/** Kinds of block that grow, each in the field of its name. */
const GROWING = ["text", "reasoning"];

/** One answer of a model while it arrives. */
class OpenMessage {
  /** @type {Map<number, Value>} */
  #blocks = new Map();
  /** @type {unknown} */
  #usage;

  /** @param {(event: unknown) => void} tell @param {string} id */
  constructor(tell, id) {
    this.tell = tell;
    tell({ event: "message-start", id });
  }

  /** @param {Value} chunk */
  add({ content, tool_call_chunks: calls, usage_metadata: usage }) {
    if (typeof content === "string") this.#grow(0, { type: "text", text: content }, true);
    else
      content.forEach((/** @type {any} */ block, /** @type {number} */ i) =>
        this.#grow(block.index ?? i, block, false),
      );
    for (const call of calls ?? []) this.#addCall(call);
    if (usage === undefined) return;
    this.#usage = usage;
    this.tell({ event: "usage", usage });
  }

  /**
   * @param {number} index
   * @param {any} block
   * @param {boolean} isPlain a text begins empty, a block with its content
   */
  #grow(index, block, isPlain) {
    const { type } = block;
    const known = this.#blocks.get(index);
    if (isPlain && block.text === "") return;
    if (known === undefined) {
      const start = isPlain ? { type: "text", text: "" } : block;
      this.#blocks.set(index, { ...start });
      this.tell({ event: "content-block-start", index, content: start });
      if (!isPlain) return;
    }
    if (!GROWING.includes(type)) return;
    const whole = this.#blocks.get(index);
    whole[type] = `${whole[type] ?? ""}${block[type]}`;
    this.tell({
      event: "content-block-delta",
      index,
      delta: { type: `${type}-delta`, [type]: block[type] },
    });
  }

  /** @param {Value} call a chunk of a tool call */
  #addCall({ index = 0, id, name, args = "" }) {
    let block = this.#blocks.get(index);
    if (block === undefined) {
      block = { type: "tool_call_chunk", id, name, args };
      this.#blocks.set(index, block);
      this.tell({ event: "content-block-start", index, content: { ...block, index } });
    } else {
      Object.assign(block, {
        id: id ?? block.id,
        name: name ?? block.name,
        args: `${block.args ?? ""}${args}`,
      });
    }
    const { id: knownId, name: knownName, args: known } = block;
    this.tell({
      event: "content-block-delta",
      index,
      delta: {
        type: "block-delta",
        fields: { type: "tool_call_chunk", id: knownId, name: knownName, args: known },
      },
    });
  }

  finish() {
    for (const [index, block] of this.#blocks)
      this.tell({ event: "content-block-finish", index, content: finished(block) });
    this.tell({
      event: "message-finish",
      reason: "stop",
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
    });
  }
}

/** @param {any} block */
function finished(block) {
  if (block.type !== "tool_call_chunk") return block;
  const { id, name, args } = block;
  try {
    return { type: "tool_call", id, name, args: JSON.parse(args || "{}") };
  } catch {
    return { type: "invalid_tool_call", id, name, args };
  }
}

/**
 * Makes the feed of the `messages` stream in events.
 * @param {typeof import("../../calls/modes/messages-mode.js").MessagesFeed} MessagesFeed passed in
 *   rather than imported: bundlers would make a third chunk for what both parts share
 */
export const protocolFeed = (MessagesFeed) =>
  class extends MessagesFeed {
    /** Answers in progress, by the run of their model. @type {Map<string, OpenMessage>} */
    #open = new Map();

    /**
     * @param {(chunk: [message: unknown, metadata: Record<string, unknown>]) => void} push
     * @param {(namespace: string[]) => boolean} isHere
     */
    constructor(push, isHere) {
      super(push, isHere);
      // A LangChain chat model that finds these sends the events itself, and answers with the
      // message that they make.
      Object.assign(this.handler, {
        lc_prefer_chat_model_stream_events: true,
        handleChatModelStreamEvent: this.#passOn.bind(this),
      });
    }

    /**
     * Returns the namespace of the node that called.
     * @param {Record<string, unknown>} metadata
     * @returns {string[]}
     */
    namespaceOf(metadata) {
      return nodeNamespace(metadata);
    }

    /**
     * Returns the id of a first message without one; others without are not reported.
     * @param {string} run
     */
    idAt(run) {
      return run;
    }

    /** @param {Value} event @param {string} runId */
    #passOn(event, runId) {
      const run = this.handler.shown.get(runId);
      if (run === undefined) return;
      if (event.event === "message-start") this.seen.add(event.id);
      this.#teller(run.metadata, runId)(event);
    }

    /**
     * @param {Record<string, unknown>} metadata
     * @param {string | undefined} runId
     * @returns {(event: unknown) => void}
     */
    #teller(metadata, runId) {
      const shown = runId === undefined ? metadata : { ...metadata, run_id: runId };
      return (event) => this.push([/** @type {Message} */ (event), shown]);
    }

    /**
     * Reports a chunk of a model's answer.
     * @param {Value} chunk
     * @param {Record<string, unknown>} metadata
     * @param {string} runId
     */
    showPiece(chunk, metadata, runId) {
      this.seen.add(chunk.id);
      let open = this.#open.get(runId);
      if (open === undefined)
        this.#open.set(runId, (open = new OpenMessage(this.#teller(metadata, runId), chunk.id)));
      open.add(chunk);
    }

    /**
     * Reports the end of a model's answer; one without chunks is reported as a whole.
     * @param {Message} message
     * @param {Record<string, unknown>} metadata
     * @param {string} runId
     */
    showAnswer(message, metadata, runId) {
      const open = this.#open.get(runId);
      if (open === undefined) return super.showAnswer(message, metadata, runId);
      this.#open.delete(runId);
      open.finish();
    }

    /**
     * Lists the new messages, without those of tools, which report their own; includes one without
     * an id only if it is the first.
     * @param {unknown} value
     */
    messagesOf(value) {
      const news = super
        .messagesOf(value)
        .filter((message) => messageType(message) !== "tool" && !this.seen.has(message.id));
      return news.filter((message) => message === news[0] || message.id != null);
    }

    /**
     * Reports a message as a whole, unless it is a tool's: tools report their own.
     * @param {Value} message
     * @param {Record<string, unknown>} metadata
     * @param {string} [runId]
     */
    show(message, metadata, runId) {
      const type = messageType(message);
      if (type === "tool") return;
      this.seen.add(message.id);
      const tell = this.#teller(metadata, runId);
      tell({ event: "message-start", id: message.id, ...(type === "ai" ? {} : { role: type }) });
      const { content } = message;
      const blocks =
        typeof content === "string"
          ? [{ type: "text", text: content }].filter(({ text }) => text !== "")
          : content;
      blocks.forEach((/** @type {Block} */ block, /** @type {number} */ index) =>
        tellBlock(tell, block, index),
      );
      const { usage_metadata: usage, response_metadata: responseMetadata = {} } = message;
      tell({
        event: "message-finish",
        ...(usage === undefined ? {} : { usage }),
        responseMetadata,
      });
    }
  };

/** @param {(event: unknown) => void} tell @param {any} block @param {number} index */
function tellBlock(tell, block, index) {
  const { type } = block;
  const grows = GROWING.includes(type);
  tell({ event: "content-block-start", index, content: grows ? { type, [type]: "" } : block });
  if (grows)
    tell({
      event: "content-block-delta",
      index,
      delta: { type: `${type}-delta`, [type]: block[type] },
    });
  tell({
    event: "content-block-finish",
    index,
    content: grows ? { type, [type]: block[type] } : block,
  });
}
