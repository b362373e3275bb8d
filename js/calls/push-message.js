// SPDX-License-Identifier: MIT
// Knows: how a node puts a message into the `messages` stream, and into its state, before it has
// ended. Must not know: how the state takes it.
import { writePairs } from "../plan/writes.js";
import { coerceMessageLikeToMessage } from "../messages/coerce.js";
import { currentScope, scopeOf } from "../base/ambient.js";

/** @typedef {import("../base/callable.js").Value} Value */

/**
 * @param {Value} like a message in any form, with an id
 * @param {Value} [options] the node's config; `stateKey`: where the message is kept, null: nowhere
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
