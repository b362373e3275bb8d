// SPDX-License-Identifier: MIT
// Defines LangGraph's caches: values by namespace and key, with an expiry. Values are stored
// serialized, so that readers never share objects. Owns the stored entries.
import { badArgument } from "../log/log-store.js";
import { JsonPlusSerializer } from "../savers/base-checkpoint-saver.js";
import { dumpsTyped, loadsTyped } from "../savers/langgraph/jsonplus.js";

/** @typedef {string[]} CacheNamespace */
/** @typedef {[namespace: CacheNamespace, key: string]} CacheFullKey */
/**
 * `exp`: expiry in milliseconds since 1970
 * @typedef {{ enc: string, val: Uint8Array, exp: number | null }} CacheEntry `exp`: milliseconds
 *   since 1970
 */

/** Serializes a value synchronously: its owner may change it in the next event-loop turn. */
class AtOnce extends JsonPlusSerializer {
  /** @param {unknown} data */
  async dumpsTyped(data) {
    return dumpsTyped(data);
  }

  /** @param {string} type @param {Uint8Array | string} data */
  async loadsTyped(type, data) {
    return loadsTyped(type, data);
  }
}

/**
 * Joins labels into a text, reversibly.
 * @param {unknown} namespace
 * @returns {string}
 */
function nameOf(namespace) {
  if (!Array.isArray(namespace) || namespace.some((label) => typeof label !== "string"))
    throw badArgument("the namespace of a cache is a list of strings");
  return JSON.stringify(namespace);
}

/** @template Item @param {Item[]} list @param {string} name @returns {Item[]} */
function listOf(list, name) {
  if (!Array.isArray(list)) throw badArgument(`\`${name}\` of a cache is a list`);
  return list;
}

/** @param {unknown} fullKey @returns {CacheFullKey} */
function keyOf(fullKey) {
  if (!Array.isArray(fullKey) || !["string", "number"].includes(typeof fullKey[1]))
    throw badArgument("the key of a cache is [namespace, key]");
  return /** @type {CacheFullKey} */ (fullKey);
}

export class BaseCache {
  /** @type {import("../savers/base-checkpoint-saver.js").SerializerProtocol} */
  serde = new AtOnce();

  /** @param {import("../savers/base-checkpoint-saver.js").SerializerProtocol} [serde] */
  constructor(serde) {
    if (serde) this.serde = serde;
  }
}

/** @template [Kept=unknown] */
export class InMemoryCache extends BaseCache {
  /** @type {Record<string, Record<string, CacheEntry>>} */
  cache = Object.create(null);

  /**
   * @param {CacheFullKey[]} keys
   * @returns {Promise<{ key: CacheFullKey, value: Kept }[]>} the existing entries, in order
   */
  async get(keys) {
    const found = [];
    const now = Date.now();
    for (const fullKey of listOf(keys, "keys")) {
      const [namespace, key] = keyOf(fullKey);
      const entries = this.cache[nameOf(namespace)];
      const entry = entries?.[key];
      if (entry === undefined) continue;
      if (entry.exp !== null && !(now < entry.exp)) delete entries[key];
      else found.push({ key: fullKey, value: await this.serde.loadsTyped(entry.enc, entry.val) });
    }
    return found;
  }

  /** @param {{ key: CacheFullKey, value: Kept, ttl?: number }[]} pairs `ttl` in seconds */
  async set(pairs) {
    const now = Date.now();
    for (const { key: fullKey, value, ttl } of listOf(pairs, "pairs")) {
      const [namespace, key] = keyOf(fullKey);
      const [enc, val] = await this.serde.dumpsTyped(value);
      const entries = (this.cache[nameOf(namespace)] ??= Object.create(null));
      entries[key] = { enc, val, exp: ttl === undefined || ttl === null ? null : now + ttl * 1000 };
    }
  }

  /** @param {CacheNamespace[]} namespaces empty: all of them */
  async clear(namespaces) {
    if (listOf(namespaces, "namespaces").length === 0) this.cache = Object.create(null);
    for (const namespace of namespaces) delete this.cache[nameOf(namespace)];
  }
}
