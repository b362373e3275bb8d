// SPDX-License-Identifier: MIT
// Adds a message to the `messages` stream and to the state before the node has ended. Does not
// depend on how the state stores it.
import { writePairs } from "../plan/writes.js";
import { coerceMessageLikeToMessage } from "../messages/coerce.js";
import { currentScope, scopeOf } from "../base/ambient.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("../base/merge-configs.js").Config} Config */

/**
 * Pushes a message.
 * @param {unknown} like a message in any form, with an id
 * @param {Config & { stateKey?: string | null }} [options] the node's config; `stateKey`: state key
 *   of the message, null for none
 * @returns {Value} the message
 */
export function pushMessage(like, options) {
  const message = coerceMessageLikeToMessage(like);
  if (!message.id) throw new Error("Message ID is required.");
  const scope = scopeOf(options) ?? currentScope();
  if (scope === undefined) return message;
  const { plan, task, config } = scope.of;
  const { context } = task.run.request;
  context.messages?.showPushed(message, config.metadata);
  const key = options?.stateKey === undefined ? "messages" : options.stateKey;
  if (key === null) return message;
  writePairs(plan, task, [[key, message]]);
  return message;
}
