// SPDX-License-Identifier: MIT
// Names the keys of threads in a key-value storage. Must not know what is stored.
import { checkThreadId } from "../../log/log-store.js";

export class Keys {
  /** @param {string} prefix what all keys begin with */
  constructor(prefix) {
    this.prefix = prefix;
  }

  /** @param {string} threadId @returns {string} what its keys begin with */
  place(threadId) {
    checkThreadId(threadId);
    return `${this.prefix}${partOf(threadId)}/`;
  }

  /** The id whose place it is; undefined: nobody's. @param {string} place */
  threadOf(place) {
    const part = place.slice(this.prefix.length, -1);
    try {
      const id = /^=\.\.?$/.test(part) ? part.slice(1) : decodeURIComponent(part);
      return id !== "" && partOf(id) === part ? id : undefined;
    } catch {} // another program's key
  }
}

/**
 * A thread id as a part of a key; "." and ".." would lead out of the prefix where keys are paths or
 * addresses.
 * @param {string} threadId
 */
function partOf(threadId) {
  return threadId === "." || threadId === ".." ? `=${threadId}` : encodeURIComponent(threadId);
}
