// SPDX-License-Identifier: MIT
// Names the keys of threads in a key-value storage. Does not depend on the values.
import { checkThreadId } from "../../log/log-store.js";

export class Keys {
  /** @param {string} prefix prefix of all keys */
  constructor(prefix) {
    this.prefix = prefix;
  }

  /** @param {string} threadId @returns {string} prefix of its keys */
  place(threadId) {
    checkThreadId(threadId);
    return `${this.prefix}${partOf(threadId)}/`;
  }

  /** Returns the thread id of a key prefix; undefined for other keys. @param {string} place */
  threadOf(place) {
    const part = place.slice(this.prefix.length, -1);
    try {
      const id = /^=\.\.?$/.test(part) ? part.slice(1) : decodeURIComponent(part);
      return id !== "" && partOf(id) === part ? id : undefined;
    } catch {} // another program's key
  }
}

/**
 * Encodes a thread id as a key part; "." and ".." would leave the prefix where keys are paths or
 * URLs.
 * @param {string} threadId
 */
function partOf(threadId) {
  return threadId === "." || threadId === ".." ? `=${threadId}` : encodeURIComponent(threadId);
}
