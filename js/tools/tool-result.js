// SPDX-License-Identifier: MIT
// Defines what tools share with the nodes that run them: names of methods, the form of a result,
// the error for arguments that do not fit. Does not depend on the forms of schemas, which programs
// without Weft's tools do not load.

/** Method by which a Weft tool returns the schema for the engine to check its arguments with. */
export const ENGINE_SCHEMA = /* @__PURE__ */ Symbol.for("weft.tool.schema");

/** Method by which a Weft tool reads arguments by its schema, without the injected ones. */
export const READ_ARGUMENTS = /* @__PURE__ */ Symbol.for("weft.tool.read");

/**
 * Tool calls whose arguments the tool's schema read before their approval: the function gets them
 * as they are. A ToolNode adds a call when it passes it to the tool. Copies of the package (ESM and
 * CommonJS) share the set.
 * @type {WeakSet<object>}
 */
export const READ_CALLS = /* @__PURE__ */ sharedSet(Symbol.for("weft.tool.read-calls"));

/** @param {symbol} name @returns {WeakSet<object>} */
function sharedSet(name) {
  const realm = /** @type {Record<PropertyKey, WeakSet<object>>} */ (
    /** @type {unknown} */ (globalThis)
  );
  if (!Object.hasOwn(realm, name)) Object.defineProperty(realm, name, { value: new WeakSet() });
  return realm[name];
}

/** Method by which a Weft tool adds the injected arguments. */
export const FILL_ARGUMENTS = /* @__PURE__ */ Symbol.for("weft.tool.fill");

/**
 * Method by which a tool that others describe (an MCP server) takes its present description, if a
 * person was asked about one of the calls. Where that fails, the tool reads no arguments.
 */
export const RENEW = /* @__PURE__ */ Symbol.for("weft.tool.renew");

/**
 * Key of the implementation that a mark of an injected argument carries: js/tools/injected.js,
 * which tools without such arguments do not load.
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
 * Converts a tool's result to a message's content: text and blocks as they are, the rest to JSON.
 * @param {unknown} value
 * @returns {import("../messages/base.js").Content}
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
