// SPDX-License-Identifier: MIT
// Implements task() of the functional API: a function whose calls are journaled, so that a finished
// call does not run again. The engine numbers, saves and resumes calls.
import { timeoutPolicy } from "../base/constants.js";
import { checkArgument, hasText, isObject, refuseUnknown } from "../base/check-arguments.js";
import { retryRule } from "../plan/policies.js";
import { currentScope, hasStorage } from "../base/ambient.js";
import { CALLED, callTask } from "../calls/task-call.js";

/** @typedef {import("../base/ambient.js").Scope} Scope */
/** @typedef {import("../base/constants.js").TimeoutPolicy} TimeoutPolicy */
/** @typedef {import("../plan/definition.js").CachePolicy} CachePolicy */
/** @typedef {import("../plan/definition.js").Node} Node */
/** @typedef {import("../base/callable.js").Value} Value */

const GENERATORS = ["[object GeneratorFunction]", "[object AsyncGeneratorFunction]"];
const OPTIONS = ["name", "retry", "cachePolicy", "cache", "timeout"];
const OUTSIDE = "Called a task outside of an entrypoint or of a graph's node.";
const AFTER_AWAIT =
  " After an `await` without AsyncLocalStorage: call runtime.task(step, ...args), of the function's second argument.";

/**
 * Refuses what is no function or a generator.
 * @param {unknown} func
 * @param {"task" | "entrypoint"} kind role of the function in the error text
 */
export function checkWork(func, kind) {
  checkArgument(typeof func === "function", `${kind}(options, func): func must be a function`);
  if (!GENERATORS.includes(Object.prototype.toString.call(func))) return;
  throw new Error(
    `Generators are disallowed as ${kind}s. For streaming responses, use config.write.`,
  );
}

/**
 * Makes a function whose calls inside an entrypoint or a node are separate tasks.
 * @param {string | { name: string, retry?: unknown, cachePolicy?: CachePolicy, cache?:
 *   CachePolicy, timeout?: number | TimeoutPolicy }} optionsOrName `cache`: LangGraph's name of
 *   cachePolicy
 * @param {(...args: Value[]) => unknown} func
 * @returns {(...args: unknown[]) => Promise<any>}
 */
export function task(optionsOrName, func) {
  const options = typeof optionsOrName === "string" ? { name: optionsOrName } : optionsOrName;
  checkArgument(
    isObject(options),
    "task(options, func): options must be a name or an object with a name",
  );
  checkArgument(hasText(options?.name), "task(options, func): the name must be a text");
  refuseUnknown(options, "task(options, func)", OPTIONS);
  const { name, retry, timeout } = options;
  const cachePolicy = options.cachePolicy ?? ("cache" in options ? options.cache : undefined);
  checkWork(func, "task");
  const node = callNode(name, func, {
    retry: retryRule(retry),
    cachePolicy,
    timeout: timeoutPolicy(timeout),
  });
  const step = (/** @type {unknown[]} */ ...args) => {
    const scope = currentScope();
    if (scope === undefined) throw new Error(hasStorage() ? OUTSIDE : OUTSIDE + AFTER_AWAIT);
    return callTask(scope, step, args);
  };
  return Object.defineProperty(step, CALLED, { value: node });
}

/**
 * Makes the node of a task's calls.
 * @param {string} name
 * @param {(...args: unknown[]) => unknown} func
 * @param {Pick<Node, "retry" | "cachePolicy" | "timeout">} policies
 * @returns {Node}
 */
function callNode(name, func, policies) {
  return {
    name,
    branches: [],
    call: (/** @type {unknown[]} */ args) => func(...args),
    write: (/** @type {Scope} */ scope, /** @type {unknown} */ output) => {
      scope.task.writes.value = output;
    },
    ...policies,
  };
}
