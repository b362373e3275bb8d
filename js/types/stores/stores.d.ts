// SPDX-License-Identifier: MIT
// LangGraph's stores: memory that threads share.

/** What a store holds under a namespace and a key. */
export interface Item {
  value: Record<string, any>;
  key: string;
  namespace: string[];
  createdAt: Date;
  updatedAt: Date;
}
/** An item that a search found. */
export interface SearchItem extends Item {
  /** How near it is to the query: the cosine; undefined without one, or without a vector. */
  score?: number;
}
/** Asks for the item of a key; null where there is none. */
export interface GetOperation {
  namespace: string[];
  key: string;
}
/**
 * Asks for items below a namespace, the nearest to `query` first where the store has an index; 10
 * of them unless `limit` says more.
 */
export interface SearchOperation {
  namespacePrefix: string[];
  /**
   * By key: a value, compared with ===, or `{ $eq | $ne | $gt | $gte | $lt | $lte | $in | $nin:
   * value }`.
   */
  filter?: Record<string, any>;
  /** Default 10. */
  limit?: number;
  offset?: number;
  /** A text to be near to; needs an index. */
  query?: string;
}
/** Sets an item, or deletes it. */
export interface PutOperation {
  namespace: string[];
  key: string;
  /** null: the item is deleted. */
  value: Record<string, any> | null;
  /** Paths of the texts that it is found by, instead of the store's; false: none. */
  index?: false | string[];
}
/** A namespace of which some labels may be anything: "*". */
export type NameSpacePath = (string | "*")[];
/** Which end of a namespace is compared. */
export type NamespaceMatchType = "prefix" | "suffix";
/** What a namespace must begin or end with. */
export interface MatchCondition {
  matchType: NamespaceMatchType;
  path: NameSpacePath;
}
/** Asks which namespaces hold items; `maxDepth` cuts them to as many labels. */
export interface ListNamespacesOperation {
  matchConditions?: MatchCondition[];
  /** Longer namespaces are cut to so many labels. */
  maxDepth?: number;
  limit: number;
  offset: number;
}
/** What `batch` takes; the answers come in the same order (OperationResults). */
export type Operation = GetOperation | SearchOperation | PutOperation | ListNamespacesOperation;
/** What `batch` answers to operations, one by one. */
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
/** How texts of items become vectors of `dims` numbers, so that `query` finds them by meaning. */
export interface IndexConfig {
  /** Numbers of a vector. */
  dims: number;
  /** LangChain's Embeddings, or anything with their methods. */
  embeddings: {
    embedDocuments(texts: string[]): Promise<number[][]>;
    embedQuery(text: string): Promise<number[]>;
  };
  /**
   * Paths of the texts that items are found by: `title`, `meta.tags[*]`, `$` (the whole; the
   * default).
   */
  fields?: string[];
}

/**
 * Throws InvalidNamespaceError. `allowEmpty`: of all items; `allowReservedRoot`: below "langgraph",
 * too.
 */
export declare function validateNamespace(
  namespace: string[],
  options?: { allowEmpty?: boolean; allowReservedRoot?: boolean },
): void;
/** A namespace that no item can be put in (see put). */
export declare class InvalidNamespaceError extends Error {
  constructor(message: string);
}

/** A store of your own implements `batch`; the other methods are made of it. */
export declare abstract class BaseStore {
  /** Carries out all operations; the answers come in their order. */
  abstract batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>>;
  /** null: there is none. */
  get(namespace: string[], key: string): Promise<Item | null>;
  /**
   * Items whose namespace begins with these labels; 10 unless `limit` says more, see
   * SearchOperation.
   */
  search(
    namespacePrefix: string[],
    options?: { filter?: Record<string, any>; limit?: number; offset?: number; query?: string },
  ): Promise<SearchItem[]>;
  /** InvalidNamespaceError: empty, with empty labels or periods, or below "langgraph". */
  put(
    namespace: string[],
    key: string,
    value: Record<string, any>,
    index?: false | string[],
  ): Promise<void>;
  /** It need not be there. */
  delete(namespace: string[], key: string): Promise<void>;
  /** Namespaces that hold items, 100 unless `limit` says more. */
  listNamespaces(options?: {
    prefix?: string[];
    suffix?: string[];
    maxDepth?: number;
    limit?: number;
    offset?: number;
  }): Promise<string[][]>;
  start(): void | Promise<void>;
  stop(): void | Promise<void>;
}

/**
 * Items in this process's memory. Reads of a batch see what was there before its writes.
 * BAD_ARGUMENT names an argument of a wrong type.
 */
export declare class InMemoryStore extends BaseStore {
  constructor(options?: { index?: IndexConfig });
  batch<Op extends readonly Operation[]>(operations: Op): Promise<OperationResults<Op>>;
  get indexConfig(): IndexConfig | undefined;
}
/** @deprecated Alias for InMemoryStore */
export declare class MemoryStore extends InMemoryStore {}

/** What a run hands to its nodes: gathers what is asked in one turn into one batch of the store. */
export declare class AsyncBatchedStore extends BaseStore {
  lg_name: string;
  protected store: BaseStore;
  constructor(store: BaseStore);
  get isRunning(): boolean;
  batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>>;
  start(): void;
  stop(): Promise<void>;
}
/**
 * The texts of `path` (`a.b`, `a[0]`, `a[*]`) in a value; what is no text is left out. TypeError:
 * the path leads through null.
 */
export declare function getTextAtPath(obj: any, path: string): string[];
/** A path's parts. */
export declare function tokenizePath(path: string): string[];
