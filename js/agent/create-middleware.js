// SPDX-License-Identifier: MIT
// Checks and makes a middleware: hooks around an agent's run, its model's calls and its tools'
// calls, with the state and the tools that they need. Does not depend on how an agent runs them.
import { checkArgument, isListOf, isRecord, shown } from "../base/check-arguments.js";

/** @typedef {import("../base/constants.js").Command} Command */
/** @typedef {import("../tools/tool.js").ToolLike} ToolLike */
/** @typedef {import("../prebuilt/agent/agent-model.js").AgentState} AgentState */
/** @typedef {import("./wrappers.js").ModelRequest} ModelRequest */
/** @typedef {import("./wrappers.js").ToolRequest} ToolRequest */
/** @typedef {import("./wrappers.js").AskModel} AskModel */
/** @typedef {import("./wrappers.js").RunTool} RunTool */
/** @typedef {"model" | "tools" | "end"} JumpTo */
/** @typedef {"beforeAgent" | "beforeModel" | "afterModel" | "afterAgent"} HookName */
/**
 * `tools`: those that the agent runs, for the package's own middlewares.
 * @typedef {(state: AgentState, runtime: object, tools?: readonly ToolLike[]) => unknown} Hook
 */
/**
 * `reviews`: names of the tools that no call reaches past this hook.
 * @typedef {Hook | { hook: Hook, canJumpTo?: readonly JumpTo[], reviews?: readonly string[] }}
 *   GivenHook
 */
/**
 * A middleware. A hook is a function, or a function with the places that it may jump to.
 * @typedef {{ name: string, stateSchema?: unknown, contextSchema?: unknown, tools?: readonly
 *   ToolLike[], streamTransformers?: readonly unknown[], beforeAgent?: GivenHook, beforeModel?:
 *   GivenHook, afterModel?: GivenHook, afterAgent?: GivenHook, wrapModelCall?: (request:
 *   ModelRequest, handler: AskModel) => unknown, wrapToolCall?: (request: ToolRequest, handler:
 *   RunTool) => unknown }} Middleware
 */

/** @type {readonly HookName[]} */
export const HOOKS = ["beforeAgent", "beforeModel", "afterModel", "afterAgent"];
const WRAPPERS = ["wrapModelCall", "wrapToolCall"];
const TARGETS = ["model", "tools", "end"];

/**
 * Makes a middleware of createAgent.
 * @param {Middleware} config its name, hooks, schemas and tools
 * @returns {Middleware}
 * @throws WeftError ARGUMENT for an unusable part
 */
export function createMiddleware(config) {
  checkMiddleware(config, "createMiddleware(config)");
  const { name, stateSchema, contextSchema, tools = [], streamTransformers } = config;
  const { beforeAgent, beforeModel, afterModel, afterAgent } = config;
  const { wrapModelCall, wrapToolCall } = config;
  const made = {
    name,
    stateSchema,
    contextSchema,
    tools,
    streamTransformers,
    beforeAgent,
    beforeModel,
    afterModel,
    afterAgent,
    wrapModelCall,
    wrapToolCall,
  };
  // A misspelled hook would guard nothing.
  for (const key of Object.keys(config))
    checkArgument(key in made, `createMiddleware(config): middleware "${name}" has no ${key}`);
  return made;
}

/**
 * Throws unless it can be used as a middleware, of this package or of LangChain.
 * @param {unknown} given
 * @param {string} call for the error text
 * @returns {asserts given is Middleware}
 */
export function checkMiddleware(given, call) {
  // A function has a name, too: a middleware that was not called would guard nothing.
  checkArgument(isRecord(given), `${call}: a middleware must be an object, not ${shown(given)}`);
  const middleware = /** @type {Record<string, unknown>} */ (given);
  const { name, tools } = middleware;
  checkArgument(
    typeof name === "string" && name !== "" && !/[|:]/.test(name),
    `${call}: a middleware's name must be a text without "|" and ":", not ${shown(name)}`,
  );
  const where = `${call}: middleware "${name}"`;
  checkArgument(tools === undefined || Array.isArray(tools), `${where}: tools must be a list`);
  for (const wrapper of WRAPPERS)
    checkArgument(
      middleware[wrapper] === undefined || typeof middleware[wrapper] === "function",
      `${where}: ${wrapper} must be a function`,
    );
  for (const hook of HOOKS) checkHook(middleware[hook], `${where}: ${hook}`);
}

/** @param {unknown} given @param {string} where for the error text */
function checkHook(given, where) {
  if (given === undefined || typeof given === "function") return;
  const { hook, canJumpTo } = /** @type {Record<string, unknown>} */ (given ?? {});
  checkArgument(
    typeof hook === "function",
    `${where} must be a function, or { hook, canJumpTo } with a function`,
  );
  checkArgument(
    canJumpTo === undefined || isListOf(canJumpTo, isTarget),
    `${where}: canJumpTo must be a list of "model", "tools" and "end"`,
  );
}

/**
 * Returns the function of a hook, the places that it may jump to, and what it reviews.
 * @param {Middleware} middleware
 * @param {HookName} name
 * @returns {{ hook: Hook, canJumpTo: readonly JumpTo[], reviews?: readonly string[] } | undefined}
 *   undefined without such a hook
 */
export function hookOf(middleware, name) {
  const given = middleware[name];
  if (given === undefined) return undefined;
  return typeof given === "function"
    ? { hook: given, canJumpTo: [] }
    : { ...given, canJumpTo: given.canJumpTo ?? [] };
}

/**
 * Throws if two middlewares have one name: it names their nodes.
 * @param {readonly Middleware[]} middlewares
 */
export function checkNames(middlewares) {
  const seen = new Set();
  for (const { name } of middlewares) {
    if (seen.has(name)) throw new Error(`Middleware ${name} is defined multiple times`);
    seen.add(name);
  }
}

/** @param {unknown} value */
function isTarget(value) {
  return TARGETS.includes(/** @type {string} */ (value));
}
