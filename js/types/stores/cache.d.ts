// SPDX-License-Identifier: MIT
// LangGraph's caches: values by namespace and key, for some time.
import type { SerializerProtocol } from "../savers/base-checkpoint-saver.js";

/** Labels that entries are cleared by: a graph's node or task. */
export type CacheNamespace = string[];
/** The name of an entry. */
export type CacheFullKey = [namespace: CacheNamespace, key: string];

/** Extend it for a cache of your own. */
export declare abstract class BaseCache<V = unknown> {
  /** For caches that keep bytes. */
  serde: SerializerProtocol;
  constructor(serde?: SerializerProtocol);
  /** Those that are there and not too old, in the order of `keys`. */
  abstract get(keys: CacheFullKey[]): Promise<{ key: CacheFullKey; value: V }[]>;
  /** `ttl` in seconds; absent: for good. */
  abstract set(pairs: { key: CacheFullKey; value: V; ttl?: number }[]): Promise<void>;
  /** None: all of them. */
  abstract clear(namespaces: CacheNamespace[]): Promise<void>;
}

/** Values in this process's memory, dropped when they are too old and asked for. */
export declare class InMemoryCache<V = unknown> extends BaseCache<V> {
  get(keys: CacheFullKey[]): Promise<{ key: CacheFullKey; value: V }[]>;
  set(pairs: { key: CacheFullKey; value: V; ttl?: number }[]): Promise<void>;
  clear(namespaces: CacheNamespace[]): Promise<void>;
}
