// SPDX-License-Identifier: MIT
// Deletes items also where the browser's storage is full: a note of the deletion takes room, too.
import { SaverStore } from "weftgraph/stores/saver";

export class RoomlessStore extends SaverStore {
  /** Deletions that found no room, by their item. @type {Map<string, [string[], string]>} */
  #unnoted = new Map();

  /** @param {string[]} namespace @param {string} key */
  async delete(namespace, key) {
    try {
      await super.delete(namespace, key);
    } catch (error) {
      if (/** @type {{ code?: unknown }} */ (error)?.code !== "QUOTA") throw error;
      // Until there is room for the note, the item is there again after a reload.
      this.#unnoted.set(JSON.stringify([namespace, key]), [namespace, key]);
    }
  }

  /** @param {Parameters<SaverStore["put"]>} item */
  async put(...item) {
    await super.put(...item);
    const unnoted = [...this.#unnoted];
    this.#unnoted.clear();
    for (const [name, deleted] of unnoted)
      if (name !== JSON.stringify([item[0], item[1]])) await this.delete(...deleted);
  }
}
