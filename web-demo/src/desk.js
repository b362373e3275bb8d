// SPDX-License-Identifier: MIT
// Knows: what the page keeps beside the threads' logs: the tools' things (notes, orders) as a store
// of the kind that graphs take, and the threads' titles. Owns the database "weft-demo". Must not
// know: agents, the page.
import { openDB } from "idb";

/**
 * @typedef {{ namespace: string[], key: string, value: Record<string, any>, createdAt: Date,
 *   updatedAt: Date }} Item
 */
/** @typedef {{ id: string, title: string, usedAt: number }} ThreadCard */

export function openDesk() {
  return openDB("weft-demo", 1, {
    upgrade(database) {
      database.createObjectStore("items");
      database.createObjectStore("threads", { keyPath: "id" });
    },
    // Another tab brings a newer version of the page.
    blocking: (_current, _next, event) => /** @type {IDBDatabase} */ (event.target).close(),
  });
}

/** Items under (namespace, key), with the verbs of LangGraph's BaseStore. */
export class DeskStore {
  /** @param {import("idb").IDBPDatabase} database */
  constructor(database) {
    this.database = database;
  }

  /** @param {string[]} namespace @param {string} key @returns {Promise<Item | null>} */
  async get(namespace, key) {
    const found = await this.database.get("items", [...namespace, key]);
    return found ? { ...found, namespace, key } : null;
  }

  /** @param {string[]} namespace @param {string} key @param {Record<string, any>} value */
  async put(namespace, key, value) {
    const { store, done } = this.database.transaction("items", "readwrite", {
      durability: "strict",
    });
    const now = new Date();
    const before = await store.get([...namespace, key]);
    await store.put({ value, createdAt: before?.createdAt ?? now, updatedAt: now }, [
      ...namespace,
      key,
    ]);
    await done;
  }

  /** @param {string[]} namespace @param {string} key */
  async delete(namespace, key) {
    await this.database.delete("items", [...namespace, key]);
  }

  /**
   * The items whose namespace begins so, the oldest first; `query` is looked for in their texts.
   * @param {string[]} prefix
   * @param {{ query?: string, limit?: number, offset?: number }} [options]
   * @returns {Promise<Item[]>}
   */
  async search(prefix, { query, limit = 10, offset = 0 } = {}) {
    const wanted = query?.toLowerCase();
    /** @type {Item[]} */
    const found = [];
    const range = IDBKeyRange.bound(prefix, [...prefix, []]);
    for (
      let cursor = await this.database.transaction("items").store.openCursor(range);
      cursor;
      cursor = await cursor.continue()
    ) {
      const path = /** @type {string[]} */ (cursor.key);
      const item = { ...cursor.value, namespace: path.slice(0, -1), key: path.at(-1) };
      if (wanted === undefined || JSON.stringify(item.value).toLowerCase().includes(wanted))
        found.push(item);
    }
    found.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
    return found.slice(offset, offset + limit);
  }
}

/** The threads' titles and when they were used. */
export class ThreadCards {
  /** @param {import("idb").IDBPDatabase} database */
  constructor(database) {
    this.database = database;
  }

  /**
   * The threads that have a card, and those that only the saver knows; used last comes first.
   * @param {string[]} stored
   * @returns {Promise<ThreadCard[]>}
   */
  async list(stored) {
    /** @type {ThreadCard[]} */
    const cards = await this.database.getAll("threads");
    const known = new Set(cards.map(({ id }) => id));
    const lost = stored
      .filter((id) => !known.has(id))
      .map((id) => ({ id, title: "Conversation without a title", usedAt: 0 }));
    return [...cards, ...lost].sort((one, other) => other.usedAt - one.usedAt);
  }

  /** @param {string} id @param {string} text what the thread began with */
  async touch(id, text) {
    const { store, done } = this.database.transaction("threads", "readwrite");
    const before = await store.get(id);
    await store.put({ id, title: before?.title ?? titleOf(text), usedAt: Date.now() });
    await done;
  }

  /** @param {string} id */
  async remove(id) {
    await this.database.delete("threads", id);
  }
}

/** @param {string} text */
function titleOf(text) {
  const line = text.trim().split(/\s+/).join(" ");
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
