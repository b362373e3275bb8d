// SPDX-License-Identifier: MIT
// Knows: what the nodes that run tools share with the tools: the name under which a tool shows its
// schema, how a result reads, the error for arguments that do not fit. Must not know the forms of
// schemas: who brings no tool of ours loads none.

/** @typedef {import("../base/callable.js").Value} Value */

/**
 * The method with which a tool of ours tells the schema that the engine is to check its arguments
 * with.
 */
export const ENGINE_SCHEMA = /* @__PURE__ */ Symbol.for("weft.tool.schema");

/**
 * The method with which a tool of ours reads arguments by its schema, without those that the host
 * fills in.
 */
export const READ_ARGUMENTS = /* @__PURE__ */ Symbol.for("weft.tool.read");

/**
 * Tool calls whose arguments were read by the tool's schema before anybody approved them: the
 * function gets them as they are. A ToolNode adds a call when it hands it to the tool. Copies of
 * the package (ESM and CommonJS) share the set.
 * @type {WeakSet<object>}
 */
export const READ_CALLS = /* @__PURE__ */ sharedSet(Symbol.for("weft.tool.read-calls"));

/** @param {symbol} name @returns {WeakSet<object>} */
function sharedSet(name) {
  const realm = /** @type {Record<PropertyKey, Value>} */ (globalThis);
  if (!Object.hasOwn(realm, name)) Object.defineProperty(realm, name, { value: new WeakSet() });
  return realm[name];
}

/** The method with which a tool of ours takes what the host fills in among its arguments. */
export const FILL_ARGUMENTS = /* @__PURE__ */ Symbol.for("weft.tool.fill");

/**
 * What a mark of an argument that the host fills in brings along: js/tools/injected.js, which tools
 * without such arguments do not load.
 */
export const INJECTION = /* @__PURE__ */ Symbol.for("weft.tool.injection");

/** @param {string} key @returns {never} */
export function refuseMark(key) {
  throw new TypeError(
    `A tool's injected.${key} must be InjectedState(), InjectedStore() or ToolRuntime()`,
  );
}

/** The arguments do not fit the tool's schema. */
export class ToolInputParsingException extends Error {
  /** @param {string} message @param {string} [output] the arguments as JSON */
  constructor(message, output) {
    super(message);
    this.name = "ToolInputParsingException";
    this.output = output;
  }
}

/**
 * A tool's result as the content of a message: text and blocks as they are, the rest as JSON.
 * @param {unknown} value
 * @returns {Value}
 */
export function messageContent(value) {
  if (typeof value === "string") return value;
  if (
    Array.isArray(value) &&
    value.every(
      (block) => block !== null && typeof block === "object" && typeof block.type === "string",
    )
  )
    return value;
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return String(value);
  }
}
