// SPDX-License-Identifier: MIT
// Joins messages to a conversation (LangGraph's messagesStateReducer): replaces by id, removes by
// RemoveMessage, else appends. The engine does the same for channels of kind "messages"; this is
// for calls from host code and for a branch's own view of the state. Does not depend on channels,
// graphs or runs.
import { wholeMessage } from "../messages/coerce.js";
import { REMOVE_ALL_MESSAGES } from "../messages/index.js";
import { setId } from "../messages/base.js";
import { randomUuid } from "../base/uuid.js";
import { ERR_DELETE_MESSAGE } from "../base/codes.js";
import { makeError } from "../base/errors.js";

/** @typedef {import("../messages/base.js").Message} Message */
/** @typedef {import("../base/callable.js").Value} Value */

/**
 * Makes messages of anything message-like; sets missing ids in place.
 * @param {unknown} likes one or a list
 * @param {() => string} [nextId]
 * @returns {unknown[]}
 */
function coerceMessages(likes, nextId = randomUuid) {
  const list = Array.isArray(likes) ? likes : [likes];
  return list.map((like) => {
    const message = wholeMessage(like);
    if (message.id === undefined || message.id === null) setId(message, nextId());
    return message;
  });
}

/** @param {Message} message */
function isRemoval(message) {
  return (message.type ?? message.getType?.()) === "remove";
}

/**
 * @param {unknown} left the messages so far
 * @param {unknown} right the message or messages to join
 * @returns {Value[]} a new list
 */
export function messagesStateReducer(left, right) {
  return joinMessages(coerceMessages(left), coerceMessages(right));
}

/**
 * @param {Value[]} left messages with ids
 * @param {Value[]} right messages with ids
 * @returns {unknown[]}
 */
export function joinMessages(left, right) {
  const fresh = right.findLastIndex(
    (message) => isRemoval(message) && message.id === REMOVE_ALL_MESSAGES,
  );
  if (fresh !== -1) return right.slice(fresh + 1);
  const joined = left.slice();
  const places = new Map(joined.map((message, place) => [message.id, place]));
  const removed = new Set();
  for (const message of right) {
    const place = places.get(message.id);
    if (isRemoval(message)) {
      if (place === undefined) throw makeError(ERR_DELETE_MESSAGE, [message.id]);
      removed.add(message.id);
    } else if (place === undefined) {
      places.set(message.id, joined.push(message) - 1);
    } else {
      removed.delete(message.id);
      joined[place] = message;
    }
  }
  return removed.size === 0 ? joined : joined.filter((message) => !removed.has(message.id));
}
