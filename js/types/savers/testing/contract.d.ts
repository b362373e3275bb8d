// SPDX-License-Identifier: MIT
// Declares the stores of Weft's savers, and their contract as a test suite for your own stores.

/** End of a log: number and CRC of its last frame. */
export interface LogHead {
  seq: number;
  crc: number;
}

/**
 * One commit of one or more frames: `firstSeq` numbers the first, `seq` and `crc` describe the
 * last.
 */
export interface LogCommit extends LogHead {
  firstSeq: number;
}

/** Range of frames by their numbers, inclusive. */
export interface LogRange {
  firstSeq: number;
  lastSeq: number;
}

/** Result of a store: a value or a promise. */
export type Answer<T> = T | Promise<T>;

/** A store for WeftSaver. Errors have a `code`: FENCED, QUOTA, STORE. */
export interface LogStore {
  /**
   * Returns the stored end of the log; undefined for a thread without records.
   * @param threadId 1 to 1,024 bytes of UTF-8
   */
  head(threadId: string): Answer<LogHead | undefined>;
  /**
   * Returns batches of frames in order: the log, or the part from the frame `from` on. The bytes
   * are borrowed and must not be changed.
   * @param threadId 1 to 1,024 bytes of UTF-8
   * @param options which frames; default: the whole log
   * @param options.from number of the first frame; what lies in the same batch before it may come
   *   too. Default: the whole log
   */
  read(
    threadId: string,
    options?: {
      from?: number;
      /**
       * For a log that the store itself finds damaged: return the batches before the damage instead
       * of CORRUPT_LOG. Ignored by stores that detect no damage.
       */
      damaged?: boolean;
    },
  ): Answer<Uint8Array[]>;
  /**
   * Stores a commit after `expected`; durable once it returns or resolves. For another head FENCED,
   * storing nothing. `error.unknown`: reread the head.
   * @param threadId 1 to 1,024 bytes of UTF-8
   * @param commit numbers of its first and last frame; the first follows `expected`
   * @param bytes the frames; at least one byte
   * @param expected end of the log before; undefined: there are no records
   */
  append(
    threadId: string,
    commit: LogCommit,
    bytes: Uint8Array,
    expected: LogHead | undefined,
  ): Answer<void>;
  /**
   * Replaces whole commits, together exactly the range, by `bytes`.
   * @param threadId 1 to 1,024 bytes of UTF-8
   * @param range numbers of the first and the last frame
   * @param bytes what replaces them; at least one byte
   */
  fold(threadId: string, range: LogRange, bytes: Uint8Array): Answer<void>;
  /**
   * Lists thread ids in the store's own fixed order.
   * @param options which ids; default: all
   * @param options.limit most ids to list, from 1; default: all
   * @param options.after id of the thread behind which the list begins, in the store's order
   */
  list(options?: {
    limit?: number;
    after?: string;
    /**
     * Receives an error for each unreadable thread id. An unreadable or otherwise damaged thread
     * must not hide others.
     */
    onError?: (error: unknown) => void;
  }): Answer<string[]>;
  /**
   * Deletes a thread and its witness.
   * @param threadId 1 to 1,024 bytes of UTF-8; one without records is no error
   */
  drop(threadId: string): Answer<void>;
  /**
   * Sets the head in a second place, or without `head` returns it. A store without a second place
   * returns undefined.
   * @param threadId 1 to 1,024 bytes of UTF-8
   * @param head number and CRC of the last frame; undefined: the stored one is returned
   */
  witness(threadId: string, head?: LogHead): Answer<LogHead | undefined>;
  /**
   * Returns the stored bytes of a thread or of all.
   * @param threadId only this thread; default: all
   */
  byteLength(threadId?: string): Answer<number>;
  /**
   * Receives the head of a witness outside of the store: if reads may be stale, the store retries
   * reads that show less.
   * @param threadId thread that the witness knows
   * @param head the log's end that it knows as stored
   */
  expect?(threadId: string, head: LogHead): void;
  /** Whether the store reads long logs faster when its writer folds commits. */
  readonly foldable?: boolean;
  /**
   * Name of the BroadcastChannel on which the store reports [threadId, seq] of each commit,
   * [threadId] of each dropped thread.
   */
  readonly channel?: string;
  /**
   * Returns a store in the same storage with separate threads: no id of this store names them, and
   * its `list` and `byteLength` exclude them; always the same threads for one name. A SaverStore
   * keeps its items there.
   * @param name 1 to 16 letters from a to z
   */
  partition?(name: string): LogStore;
  /** Releases the store's resources; it is not used again. */
  close?(): Answer<void>;
  /**
   * Locks the thread cooperatively against other holders; resolves with a function that releases
   * it, or undefined when another one holds it.
   * @param threadId thread to lock
   * @param options what happens if another one holds it
   * @param options.wait true: waits until the lock is free; default false: resolves with undefined
   * @param options.signal ends the waiting, which rejects with its reason
   */
  hold?(
    threadId: string,
    options?: { wait?: boolean; signal?: AbortSignal },
  ): Promise<(() => void) | undefined>;
}

/** A store to test, and the functions of the test runner. */
export interface ContractOptions<Store extends LogStore = LogStore> {
  /**
   * Registers a test.
   * @param name what the store must do
   * @param run rejects if it does not
   */
  test: (name: string, run: () => Promise<void>) => void;
  /**
   * Throws when the condition is false.
   * @param condition what must be true; any falsy value fails
   * @param message text of the error
   */
  assert: (condition: unknown, message?: string) => void;
  /** Creates a store over an initially empty storage. */
  makeStore: () => Store | Promise<Store>;
  /**
   * Creates a second store over the storage of `store`, which stays in use. Without it persistence
   * and two writers are not tested.
   * @param store store that `makeStore` created
   */
  reopen?: (store: Store) => Store | Promise<Store>;
  /**
   * Makes frames with bodies of these sizes after `before`, for a store that reads them; arbitrary
   * bytes by default.
   * @param threadId thread of the log
   * @param before end of the log so far; `{ seq: 0, crc: 0 }` for a new one
   * @param sizes bytes of the body of each frame, one frame each
   */
  makeFrames?: (
    threadId: string,
    before: LogHead,
    sizes: number[],
  ) => { bytes: Uint8Array; head: LogHead };
  /** `witness`: the store has one. `bigBytes`: size of the large batch; 5 MB by default. */
  features?: {
    witness?: boolean;
    bigBytes?: number;
    /** false: `byteLength` counts more than the records' own bytes. */
    exactBytes?: boolean;
  };
}

/**
 * Registers the tests that a store must pass.
 * @param options the store, the functions of the test runner, and what the store has
 * @throws TypeError without the function `test`; a rule that the store breaks fails its test, by
 *   `assert`
 */
export declare function storeContract<Store extends LogStore>(
  options: ContractOptions<Store>,
): void;
