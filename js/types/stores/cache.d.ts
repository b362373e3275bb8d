// SPDX-License-Identifier: MIT
// Declares LangGraph's caches: values by namespace and key, with an expiry.
import type { SerializerProtocol } from "../savers/base-checkpoint-saver.js";

/** Labels by which entries are cleared: a graph's node or task. */
export type CacheNamespace = string[];
/** Key of an entry. */
export type CacheFullKey = [namespace: CacheNamespace, key: string];

/** Base of your own caches. */
export declare abstract class BaseCache<V = unknown> {
  /** Serializer for caches that store bytes. */
  serde: SerializerProtocol;
  /**
   * @param serde turns values into bytes and back; default: JSON with marks for dates, maps and
   *   classes
   */
  constructor(serde?: SerializerProtocol);
  /**
   * Returns the existing, unexpired entries in the order of `keys`.
   * @param keys pairs of namespace and key
   */
  abstract get(keys: CacheFullKey[]): Promise<{ key: CacheFullKey; value: V }[]>;
  /**
   * Stores entries. `ttl` in seconds; without it they do not expire.
   * @param pairs keys with their values, and how many seconds each is kept
   */
  abstract set(pairs: { key: CacheFullKey; value: V; ttl?: number }[]): Promise<void>;
  /**
   * Deletes the entries of the namespaces; of all for an empty list.
   * @param namespaces each must be the whole namespace; `[]`: all
   */
  abstract clear(namespaces: CacheNamespace[]): Promise<void>;
}

/**
 * Keeps values in this process's memory; expired ones are deleted when they are read.
 * @param serde turns values into bytes and back, so that readers never share objects; default: JSON
 *   with marks for dates, maps and classes
 */
export declare class InMemoryCache<V = unknown> extends BaseCache<V> {
  /** @param keys pairs of namespace and key */
  get(keys: CacheFullKey[]): Promise<{ key: CacheFullKey; value: V }[]>;
  /** @param pairs keys with their values, and how many seconds each is kept */
  set(pairs: { key: CacheFullKey; value: V; ttl?: number }[]): Promise<void>;
  /** @param namespaces each must be the whole namespace; `[]`: all */
  clear(namespaces: CacheNamespace[]): Promise<void>;
}
