// SPDX-License-Identifier: MIT
// Defines what is kept of a run under way: its span, and what runs below it inherit.

/** @typedef {import("./attributes.js").Attributes} Attributes */
/** @typedef {import("./content.js").Rule} Rule */
/** @typedef {{ end(time?: number): void, setAttribute(key: string, value: unknown): unknown,
 *   setAttributes(attributes: Attributes): unknown, setStatus(status: { code: number, message?:
 *   string }): unknown, spanContext(): object, isRecording?(): boolean }} Span */

/** @type {Set<string>} */
const NONE = new Set();
/** @type {Entry["told"]} */
const UNTOLD = new Map();

/** A run under way, as the callbacks tell it. */
export class Entry {
  /**
   * Of a graph: the step under way, and how often each of its tasks began.
   * @type {{ number: number, entry: Entry, attempts: Map<unknown, number> } | undefined}
   */
  step = undefined;
  /**
   * Of a node: replaces its input and output.
   * @type {{ processInputs?: (inputs: unknown) => unknown, processOutputs?: (outputs: unknown) =>
   *   unknown } | undefined}
   */
  policy = undefined;
  /** When it began, in ms. */
  begun = performance.now();

  /**
   * @param {string} kind
   * @param {string} name
   * @param {Entry | undefined} parent
   * @param {Rule} usual
   * @param {unknown} context for what is below
   * @param {unknown} thread
   * @param {Span | undefined} span undefined: shown as a part of its parent
   * @param {Attributes} attributes of the span
   */
  constructor(kind, name, parent, usual, context, thread, span, attributes) {
    const { root = this, rule = usual, node } = parent ?? {};
    this.kind = kind;
    this.name = name;
    /** @type {Entry} */
    this.root = root;
    /** Of the outermost run: ids of the runs below it. @type {Set<string>} */
    this.open = parent === undefined ? new Set() : NONE;
    /** Of the outermost run: ids of its questions. @type {Set<string>} */
    this.asked = parent === undefined ? new Set() : NONE;
    /**
     * Of the outermost run: errors of runs below it, with the rule of the first that failed and
     * what that allowed to store.
     * @type {Map<unknown, { rule: Rule, text: string | undefined }>}
     */
    this.told = parent === undefined ? new Map() : UNTOLD;
    /** What its trace may hold. @type {Rule} */
    this.rule = rule;
    /** The node that it is below. @type {string | undefined} */
    this.node = node;
    this.thread = thread;
    this.context = context;
    this.span = span;
    this.attributes = attributes;
  }
}
