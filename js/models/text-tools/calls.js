// SPDX-License-Identifier: MIT
// Collects the tool calls that a model wrote as text. A call that names no tool, or cannot be read,
// is an invalid call with the text as it was written. Does not depend on how it was written.
import { invalidCall } from "../../messages/tool-arguments.js";
import { ModelError } from "../model-error.js";

/** @typedef {import("../../messages/tool-calls.js").ToolCall} ToolCall */
/** @typedef {import("../../messages/tool-calls.js").InvalidToolCall} InvalidToolCall */
/** @typedef {import("../../messages/tool-calls.js").ToolCallChunk} ToolCallChunk */

/** Maximum number of tools that an error names. */
const MOST_NAMES = 50;

export class WrittenCalls {
  #names;
  #most;
  #newId;
  /** @type {ToolCallChunk[]} */
  #fresh = [];
  /** @type {ToolCall[]} */
  valid = [];
  /** @type {InvalidToolCall[]} */
  invalid = [];

  /** @param {{ names: readonly string[], most: number, newId: () => string }} options */
  constructor({ names, most, newId }) {
    this.#names = names;
    this.#most = most;
    this.#newId = newId;
  }

  get count() {
    return this.valid.length + this.invalid.length;
  }

  /** @param {string} name */
  knows(name) {
    return this.#names.includes(name);
  }

  /**
   * Adds a call.
   * @param {unknown} name @param {ToolCall["args"]} args
   * @param {string} raw the text as it was written, which is no JSON
   */
  add(name, args, raw) {
    if (typeof name !== "string") return this.refuse(undefined, raw, "A call needs a tool's name.");
    if (!this.knows(name)) {
      const known = this.#names.slice(0, MOST_NAMES).join(", ");
      return this.refuse(name, raw, `There is no tool ${JSON.stringify(name)}, only: ${known}.`);
    }
    const id = this.#nextId();
    this.valid.push({ name, args, id, type: "tool_call" });
    this.#tell(name, JSON.stringify(args), id);
  }

  /**
   * Adds a call that cannot be made.
   * @param {string | undefined} name @param {string} raw @param {string} error
   */
  refuse(name, raw, error) {
    const id = this.#nextId();
    this.invalid.push(invalidCall(name ?? "", raw, id, error));
    this.#tell(name ?? "", raw, id);
  }

  /** Returns the calls since the last time, as chunks. */
  take() {
    const fresh = this.#fresh;
    this.#fresh = [];
    return fresh;
  }

  #nextId() {
    if (this.count === this.#most)
      throw new ModelError(
        `The model wrote more than ${this.#most} tool calls (\`maxToolCalls\`)`,
        {
          code: "TOO_LARGE",
        },
      );
    return this.#newId();
  }

  /** @param {string} name @param {string} args @param {string} id */
  #tell(name, args, id) {
    // The model's own calls, if it makes some, have numbers.
    const index = `text-${this.count - 1}`;
    this.#fresh.push({ name, args, id, index, type: "tool_call_chunk" });
  }
}
