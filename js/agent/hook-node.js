// SPDX-License-Identifier: MIT
// Runs a middleware's hook as a node of the graph. The jump that it returns stands in the state
// for the route behind the node, and nowhere else. Does not depend on the graph's edges.
import { isPromise } from "../base/callable.js";
import { isRecord, shown } from "../base/check-arguments.js";
import { isCommand } from "../base/constants.js";
import { isBaseMessage } from "../messages/base.js";
import { JUMP } from "./agent-state.js";
import { runtimeOf } from "./runtime.js";

/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {import("./create-middleware.js").Middleware} Middleware */
/** @typedef {import("./create-middleware.js").JumpTo} JumpTo */
/** @typedef {import("./create-middleware.js").AgentState} AgentState */

/**
 * Makes the node of a hook.
 * @param {Middleware} middleware
 * @param {string} name of the hook
 * @param {{ hook: import("./create-middleware.js").Hook, canJumpTo: readonly JumpTo[] }} found
 * @param {readonly import("../tools/tool.js").ToolLike[]} tools that the agent runs
 */
export function hookNode(middleware, name, { hook, canJumpTo }, tools) {
  return (/** @type {AgentState} */ state, /** @type {Config} */ config) => {
    const { [JUMP]: _jump, ...seen } = state;
    const result = hook(seen, runtimeOf(config, middleware.contextSchema), tools);
    return isPromise(result) ? result.then(updateOf) : updateOf(result);
  };

  /** @param {unknown} result */
  function updateOf(result) {
    const update = result ?? {};
    if (isCommand(update) || isBaseMessage(update) || !isRecord(update))
      throw new TypeError(
        `${name} of middleware "${middleware.name}" must return an update of the state, not ${shown(result)}`,
      );
    const { [JUMP]: jump } = update;
    if (jump !== undefined && jump !== null && !canJumpTo.includes(/** @type {JumpTo} */ (jump)))
      throw new Error(
        canJumpTo.length === 0
          ? `Invalid jump target: ${jump}, no ${name}.canJumpTo defined in middleware ${middleware.name}.`
          : `Invalid jump target: ${jump}, must be one of: ${canJumpTo.join(", ")}.`,
      );
    // Also takes back the jump of an earlier hook.
    return { ...update, [JUMP]: jump ?? undefined };
  }
}
