// SPDX-License-Identifier: MIT
// Knows: how a node does parts of its work as tasks of their own: each is saved when it is done,
// asks under its own id, and is not shown as a task. Must not know tools.
import { SCOPE, scopeOf } from "../../base/ambient.js";
import { Layers } from "../../base/config-layers.js";
import { Calls } from "../../run/tasks/calls.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */
/** @typedef {import("../../base/callable.js").Value} Value */

const CALLER = /* @__PURE__ */ Symbol("the part of a node that calls");

/** @typedef {import("../../base/ambient.js").Scope} Scope */

/**
 * @template Result
 * @param {Scope} scope the node's
 * @param {string} name
 * @param {(config: unknown) => Result | Promise<Result>} work
 * @param {{ retry?: Value, timeout?: Value }} [policies] of the task
 * @param {number} [place] by which it is known, with its name: how many of the name this attempt
 *   has begun, unless it is said
 * @returns {Promise<Result>} from an earlier run, if it was done there
 */
export function aside(scope, name, work, policies, place = nextPlace(scope.task, name)) {
  const node = {
    name,
    isAside: true,
    place,
    ...policies,
    branches: [],
    call: (/** @type {unknown} */ _input, /** @type {Config} */ config) => work(config),
    write: (/** @type {Scope} */ own, /** @type {unknown} */ output) => {
      own.task.writes.value = output;
    },
  };
  return Calls.of(scope.task.run).add(scope, node, scope.input);
}

/**
 * The node's config for a part of its work: what it calls and asks is the part's own.
 * @param {Config} config
 * @param {Value} own the part's
 */
export function asCaller(config, own) {
  return layered({ interrupt: own.interrupt, [CALLER]: scopeOf(own) }, config, own);
}

/**
 * Who calls what a part of a node's work makes a task: the part, or the node.
 * @param {Config} config
 * @returns {import("../../base/ambient.js").Scope | undefined}
 */
export function callerOf(config) {
  return config?.[CALLER] ?? scopeOf(config);
}

/**
 * One attempt at a call with policies: it has a signal, a life and a number of its own.
 * @param {Config} config
 * @param {Value} own the attempt's
 */
export function asAttempt(config, own) {
  const layer = {
    interrupt: own.interrupt,
    get signal() {
      return own.signal;
    },
    get executionInfo() {
      const { nodeAttempt, nodeFirstAttemptTime } = own.executionInfo;
      return { ...config?.executionInfo, nodeAttempt, nodeFirstAttemptTime };
    },
    ...(own.heartbeat === undefined ? undefined : { heartbeat: own.heartbeat, writer: own.writer }),
  };
  return layered(layer, config ?? {}, own);
}

/**
 * Of a config LangChain's copies keep only what is its own and what is `configurable`: both know
 * the part.
 * @param {Value} layer @param {Config} config @param {Value} own
 */
function layered(layer, config, own) {
  const shown = new Proxy(layer, new Layers(config));
  const outer = scopeOf(config);
  if (outer === undefined) return shown;
  const scope = (layer[SCOPE] = Object.create(
    /** @type {Record<PropertyKey, Value>} */ (scopeOf(own)),
    { config: { value: shown }, of: { value: outer.of } },
  ));
  Object.defineProperty(layer, "configurable", {
    enumerable: true,
    configurable: true,
    get: () => ({ ...config.configurable, [SCOPE]: scope }),
  });
  return shown;
}

/**
 * Parts that an attempt at a task has begun, by name.
 * @type {WeakMap<object, Map<string, number>>}
 */
const begun = new WeakMap();

/**
 * How many of the name this attempt at the task has begun before.
 * @param {any} task
 * @param {string} name
 */
export function nextPlace(task, name) {
  const counts = begun.get(task) ?? new Map();
  const place = counts.get(name) ?? 0;
  begun.set(task, counts.set(name, place + 1));
  return place;
}
