// SPDX-License-Identifier: MIT
// Declares LangGraph's stores: memory that threads share.

/** An item of a store, under a namespace and a key. */
export interface Item {
  value: Record<string, any>;
  key: string;
  namespace: string[];
  createdAt: Date;
  updatedAt: Date;
}
/** An item found by a search. */
export interface SearchItem extends Item {
  /** Similarity to the query: the cosine; undefined without a query or a vector. */
  score?: number;
}
/** Reads the item of a key; the result is null without one. */
export interface GetOperation {
  namespace: string[];
  key: string;
}
/**
 * Searches items below a namespace, the most similar to `query` first if the store has an index;
 * `limit` is 10 by default.
 */
export interface SearchOperation {
  namespacePrefix: string[];
  /**
   * Conditions by key: a value, compared with ===, or `{ $eq | $ne | $gt | $gte | $lt | $lte | $in
   * | $nin: value }`.
   */
  filter?: Record<string, any>;
  /** Maximum number of items. Default 10. */
  limit?: number;
  offset?: number;
  /** Text for a similarity search; needs an index. */
  query?: string;
}
/** Sets or deletes an item. */
export interface PutOperation {
  namespace: string[];
  key: string;
  /** null deletes the item. */
  value: Record<string, any> | null;
  /** Paths of the searchable texts, instead of the store's; false: none. */
  index?: false | string[];
}
/** A namespace pattern: the label "*" matches any. */
export type NameSpacePath = (string | "*")[];
/** Which end of a namespace is compared. */
export type NamespaceMatchType = "prefix" | "suffix";
/** Required beginning or end of a namespace. */
export interface MatchCondition {
  matchType: NamespaceMatchType;
  path: NameSpacePath;
}
/** Lists the namespaces with items. */
export interface ListNamespacesOperation {
  matchConditions?: MatchCondition[];
  /** Longer namespaces are cut to this many labels. */
  maxDepth?: number;
  limit: number;
  offset: number;
}
/** An operation of `batch`; results have the same order (OperationResults). */
export type Operation = GetOperation | SearchOperation | PutOperation | ListNamespacesOperation;
/** Results of `batch`, by operation. */
export type OperationResults<Tuple extends readonly Operation[]> = {
  [K in keyof Tuple]: Tuple[K] extends PutOperation
    ? void
    : Tuple[K] extends SearchOperation
      ? SearchItem[]
      : Tuple[K] extends GetOperation
        ? Item | null
        : Tuple[K] extends ListNamespacesOperation
          ? string[][]
          : never;
};
/**
 * Configures how texts of items become vectors of `dims` numbers, so that `query` finds them by
 * meaning.
 */
export interface IndexConfig {
  /** Number of dimensions of a vector. */
  dims: number;
  /** LangChain's Embeddings, or an object with these methods. */
  embeddings: {
    embedDocuments(texts: string[]): Promise<number[][]>;
    embedQuery(text: string): Promise<number[]>;
  };
  /** Paths of the searchable texts: `title`, `meta.tags[*]`, `$` (the whole value; the default). */
  fields?: string[];
}

/**
 * Throws InvalidNamespaceError for an invalid namespace. `allowEmpty`: accept the namespace of all
 * items; `allowReservedRoot`: accept namespaces below "langgraph".
 * @param namespace labels that are not empty and have no dot
 * @param options what else is allowed
 * @param options.allowEmpty accept `[]`, the namespace of all items; default false
 * @param options.allowReservedRoot accept "langgraph" as the first label; default false
 * @throws InvalidNamespaceError for an invalid namespace, BAD_ARGUMENT for what is no list
 */
export declare function validateNamespace(
  namespace: string[],
  options?: { allowEmpty?: boolean; allowReservedRoot?: boolean },
): void;
/**
 * Reports a namespace that must not contain items (see put).
 * @example
 * ```ts
 * import { InMemoryStore } from "weftgraph";
 * import { InvalidNamespaceError, MemoryStore, validateNamespace } from "weftgraph/checkpoint";
 *
 * try {
 *   validateNamespace(["langgraph"]);
 * } catch (error) {
 *   console.log(error instanceof InvalidNamespaceError);
 * }
 * console.log(new MemoryStore() instanceof InMemoryStore);
 * ```
 * ```text
 * true
 * true
 * ```
 */
export declare class InvalidNamespaceError extends Error {
  /** @param message text for people: which label is wrong, and why */
  constructor(message: string);
}

/**
 * Base of your own stores: implement `batch`, on which the other methods are built.
 * @example
 * ```ts
 * import { BaseStore, InMemoryStore } from "weftgraph";
 *
 * // Keeps its items in another store, and counts the batches.
 * class Counted extends BaseStore {
 *   count = 0;
 *   #items = new InMemoryStore();
 *   batch(operations: any): any {
 *     this.count++;
 *     return this.#items.batch(operations);
 *   }
 * }
 * const store = new Counted();
 * await store.put(["shop"], "tea", { price: 3 });
 * console.log((await store.get(["shop"], "tea"))?.value, store.count);
 * ```
 * ```text
 * { price: 3 } 2
 * ```
 */
export declare abstract class BaseStore {
  /**
   * Executes all operations; results have their order.
   * @param operations reads, searches, writes and lists of namespaces, in any order
   */
  abstract batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>>;
  /**
   * Returns an item; null without one.
   * @param namespace labels from the root on, `["users", "ann"]`
   * @param key any text; one item in a namespace has it
   */
  get(namespace: string[], key: string): Promise<Item | null>;
  /**
   * Searches items whose namespace begins with these labels; `limit` is 10 by default, see
   * SearchOperation.
   * @param namespacePrefix first labels of the namespaces to search; `[]`: all
   * @param options conditions, and which part of what is found
   * @param options.filter conditions by key: a value, or `{ $gt: 3 }` and the like
   *   (SearchOperation)
   * @param options.limit most items; default 10
   * @param options.offset items to skip; default 0
   * @param options.query text whose meaning is searched for; needs an index
   */
  search(
    namespacePrefix: string[],
    options?: { filter?: Record<string, any>; limit?: number; offset?: number; query?: string },
  ): Promise<SearchItem[]>;
  /**
   * Sets an item. Rejects with InvalidNamespaceError for a namespace that is empty, has empty
   * labels or periods, or is below "langgraph".
   * @param namespace labels from the root on, `["users", "ann"]`
   * @param key any text; one item in a namespace has it
   * @param value replaces the whole item of the key
   * @param index paths of the texts to search by meaning; default: the store's, false: none
   */
  put(
    namespace: string[],
    key: string,
    value: Record<string, any>,
    index?: false | string[],
  ): Promise<void>;
  /**
   * Deletes an item, if it exists.
   * @param namespace labels from the root on, `["users", "ann"]`
   * @param key one that does not exist is no error
   */
  delete(namespace: string[], key: string): Promise<void>;
  /**
   * Lists namespaces with items; `limit` is 100 by default.
   * @param options which namespaces, and which part of the list
   * @param options.prefix first labels; `"*"` is any
   * @param options.suffix last labels; `"*"` is any
   * @param options.maxDepth longer namespaces are cut to this many labels, each is listed once
   * @param options.limit most namespaces; default 100
   * @param options.offset namespaces to skip; default 0
   */
  listNamespaces(options?: {
    prefix?: string[];
    suffix?: string[];
    maxDepth?: number;
    limit?: number;
    offset?: number;
  }): Promise<string[][]>;
  /** Does nothing; overridden by stores that need a start. */
  start(): void | Promise<void>;
  /** Does nothing; overridden by stores that need a stop. */
  stop(): void | Promise<void>;
}

/**
 * Keeps items in this process's memory. BAD_ARGUMENT names an argument of a wrong type.
 */
export declare class InMemoryStore extends BaseStore {
  /**
   * @param options `index` for the search by meaning
   * @param options.index how texts become vectors; without it a search with `query` goes by the
   *   filter only
   * @throws BAD_ARGUMENT for an index of another form
   */
  constructor(options?: { index?: IndexConfig });
  /**
   * Executes all operations; results have their order.
   * @param operations reads, searches, writes and lists of namespaces; as in LangGraph.js reads do
   *   not find an item that the batch adds, and show one that it changes as it is afterwards
   */
  batch<Op extends readonly Operation[]>(operations: Op): Promise<OperationResults<Op>>;
  get indexConfig(): IndexConfig | undefined;
}
/**
 * @deprecated use InMemoryStore
 * @param options `index` for the search by meaning
 * @param options.index how texts become vectors; without it a search with `query` goes by the
 *   filter only
 * @throws BAD_ARGUMENT for an index of another form
 */
export declare class MemoryStore extends InMemoryStore {}

/**
 * The store that a run passes to its nodes: collects the operations of one event-loop turn into one
 * batch.
 * @example
 * ```ts
 * import { AsyncBatchedStore, InMemoryStore } from "weftgraph";
 *
 * const store = new AsyncBatchedStore(new InMemoryStore());
 * store.start();
 * await store.put(["shop"], "tea", { price: 3 });
 * console.log((await store.get(["shop"], "tea"))?.value);
 * await store.stop();
 * ```
 * ```text
 * { price: 3 }
 * ```
 */
export declare class AsyncBatchedStore extends BaseStore {
  lg_name: string;
  protected store: BaseStore;
  /**
   * @param store any store with `batch`; another AsyncBatchedStore is unwrapped
   * @throws BAD_ARGUMENT for what has no `batch`
   */
  constructor(store: BaseStore);
  get isRunning(): boolean;
  /** Always rejects: batches are passed to the wrapped store. */
  batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>>;
  /** Starts executing operations. */
  start(): void;
  /** Stops after the pending batch. */
  stop(): Promise<void>;
}
/**
 * Returns the texts at `path` (`a.b`, `a[0]`, `a[*]`) in a value; other values are left out. Throws
 * TypeError if the path leads through null.
 * @param obj value of an item
 * @param path keys between dots, each with `[0]` or `[*]` behind it; `[*]` ends the path
 * @throws TypeError if the path leads through null
 * @example
 * ```ts
 * import { getTextAtPath, tokenizePath } from "weftgraph/checkpoint";
 *
 * console.log(getTextAtPath({ note: { text: "tea" } }, "note.text"));
 * console.log(getTextAtPath({ tags: ["tea", "milk"] }, "tags[*]"));
 * console.log(tokenizePath("note.text"));
 * ```
 * ```text
 * [ 'tea' ]
 * [ 'tea', 'milk' ]
 * [ 'note', 'text' ]
 * ```
 */
export declare function getTextAtPath(obj: any, path: string): string[];
/**
 * Splits a path into its parts.
 * @param path keys between dots; "" gives one empty part
 * @returns at least one part, without the dots; `a[0]` stays one
 * @throws TypeError if path is no text
 */
export declare function tokenizePath(path: string): string[];
