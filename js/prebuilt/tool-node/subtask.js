// SPDX-License-Identifier: MIT
// Runs parts of a node's work as separate tasks: each is saved when it is done, interrupts under
// its own id, and is hidden from the list of tasks. Does not depend on tools.
import { SCOPE, scopeOf } from "../../base/ambient.js";
import { Layers } from "../../base/config-layers.js";
import { Calls } from "../../run/tasks/calls.js";

/** @typedef {import("../../base/merge-configs.js").Config} Config */

const CALLER = /* @__PURE__ */ Symbol("the part of a node that calls");

/** @typedef {import("../../base/ambient.js").Scope} Scope */

/**
 * Runs a part of a node's work as a separate task.
 * @template Result
 * @param {Scope} scope the node's
 * @param {string} name
 * @param {(config: Config) => Result | Promise<Result>} work
 * @param {Partial<Pick<import("../../plan/definition.js").Node, "retry" | "timeout">>} [policies]
 * @param {number} [place] identifies the task together with its name; default: how many parts of
 *   that name this attempt has begun
 * @returns {Promise<Result>} the saved result if an earlier run finished this part
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
  return Calls.of(scope.task.run).add(scope, /** @type {never} */ (node), scope.input);
}

/**
 * Makes the node's config for a part of its work: calls and interrupts belong to the part.
 * @param {Config} config
 * @param {Config} own the part's
 */
export function asCaller(config, own) {
  return layered({ interrupt: own.interrupt, [CALLER]: scopeOf(own) }, config, own);
}

/**
 * Returns the scope that owns new parts: the current part's, or the node's.
 * @param {Config | undefined} config
 * @returns {import("../../base/ambient.js").Scope | undefined}
 */
export function callerOf(config) {
  return config?.[CALLER] ?? scopeOf(config);
}

/**
 * Makes the config of one attempt of a call with policies: it has its own signal, heartbeat and
 * attempt number.
 * @param {Config | undefined} config
 * @param {Config} own the attempt's
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
 * Puts a layer over a config. LangChain copies only a config's own properties and `configurable`:
 * both store the part's scope.
 * @param {Config} layer
 * @param {Config} config
 * @param {unknown} own
 * @returns {Config}
 */
function layered(layer, config, own) {
  const shown = new Proxy(layer, new Layers(config));
  const outer = scopeOf(config);
  if (outer === undefined) return shown;
  const scope = (layer[SCOPE] = Object.create(/** @type {Scope} */ (scopeOf(own)), {
    config: { value: shown },
    of: { value: outer.of },
  }));
  Object.defineProperty(layer, "configurable", {
    enumerable: true,
    configurable: true,
    get: () => ({ ...config.configurable, [SCOPE]: scope }),
  });
  return shown;
}

/**
 * Number of parts that an attempt of a task has begun, by name.
 * @type {WeakMap<object, Map<string, number>>}
 */
const begun = new WeakMap();

/**
 * Returns how many parts of that name this attempt of the task has begun, and counts one more.
 * @param {object | undefined} task
 * @param {string} name
 */
export function nextPlace(task, name) {
  const counts = begun.get(/** @type {object} */ (task)) ?? new Map();
  const place = counts.get(name) ?? 0;
  begun.set(/** @type {object} */ (task), counts.set(name, place + 1));
  return place;
}
