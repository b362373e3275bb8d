// SPDX-License-Identifier: MIT
// What a store of Weft's savers is, and its contract as a test suite, for stores of
// your own.

/** The end of a log: number and CRC of its last frame. */
export interface LogHead {
  seq: number;
  crc: number;
}

/** One commit of one or more frames: `firstSeq` names the first, `seq` and `crc` the last. */
export interface LogCommit extends LogHead {
  firstSeq: number;
}

/** Frames by their numbers, both included. */
export interface LogRange {
  firstSeq: number;
  lastSeq: number;
}

/** A store may answer at once. */
export type Answer<T> = T | Promise<T>;

/** A store for WeftSaver. Errors have a `code`: FENCED, QUOTA, STORE. */
export interface LogStore {
  /** The end of the log as it is stored now; undefined for a thread without records. */
  head(threadId: string): Answer<LogHead | undefined>;
  /**
   * Batches of frames in order: the log, or the part that holds `from` and all behind it. Lent: not
   * to be written to.
   */
  read(
    threadId: string,
    options?: {
      from?: number;
      /**
       * Of a log that the store itself finds damaged: the batches before the damage, and no
       * CORRUPT_LOG. A store that finds none itself ignores it.
       */
      damaged?: boolean;
    },
  ): Answer<Uint8Array[]>;
  /**
   * Stores a commit behind `expected`. Answered = durable. Another head: FENCED, nothing is stored.
   * `error.unknown`: reread the head.
   */
  append(
    threadId: string,
    commit: LogCommit,
    bytes: Uint8Array,
    expected: LogHead | undefined,
  ): Answer<void>;
  /** Replaces whole commits, together exactly the range, by `bytes`. */
  fold(threadId: string, range: LogRange, bytes: Uint8Array): Answer<void>;
  /** Thread ids in the store's own, fixed order. */
  list(options?: {
    limit?: number;
    after?: string;
    /**
     * Is told of each thread whose id cannot be read. Such a one, or one that is damaged otherwise,
     * keeps no other from the list.
     */
    onError?: (error: unknown) => void;
  }): Answer<string[]>;
  /** Forgets a thread and its witness. */
  drop(threadId: string): Answer<void>;
  /**
   * Sets, or without `head` gets, the head kept in a second place. A store without one answers
   * undefined.
   */
  witness(threadId: string, head?: LogHead): Answer<LogHead | undefined>;
  /** Bytes stored of a thread, or of all. */
  byteLength(threadId?: string): Answer<number>;
  /**
   * A witness outside the store says so much is stored: where reads may lag behind writes, one that
   * shows less is repeated for a while.
   */
  expect?(threadId: string, head: LogHead): void;
  /** The store reads long logs faster when its writer folds its commits now and then. */
  readonly foldable?: boolean;
  /**
   * The BroadcastChannel on which the store tells [threadId, seq] of each commit, [threadId] of a
   * thread that was dropped.
   */
  readonly channel?: string;
  /**
   * A store in the same storage whose threads are others: no id of this one names them, and its
   * `list` and `byteLength` do not tell of them; the same threads each time for one name. A
   * SaverStore keeps what is not a thread there.
   */
  partition?(name: string): LogStore;
  /** Gives back what the store holds; it is not used again. */
  close?(): Answer<void>;
  /**
   * Asks other holders politely to keep off the thread; answers how to let go, or undefined when it
   * is held elsewhere.
   */
  hold?(
    threadId: string,
    options?: { wait?: boolean; signal?: AbortSignal },
  ): Promise<(() => void) | undefined>;
}

/** A store to be tested, and the test runner's words. */
export interface ContractOptions<Store extends LogStore = LogStore> {
  /** Registers a test. */
  test: (name: string, run: () => Promise<void>) => void;
  /** Throws when the condition does not hold. */
  assert: (condition: unknown, message?: string) => void;
  /** A store over storage that is empty at first. */
  makeStore: () => Store | Promise<Store>;
  /**
   * A second store over the storage of `store`, which stays in use. Without it persistence and two
   * writers are not tested.
   */
  reopen?: (store: Store) => Store | Promise<Store>;
  /**
   * Frames with bodies of these sizes behind `before`, for a store that looks into them; arbitrary
   * bytes by default.
   */
  makeFrames?: (
    threadId: string,
    before: LogHead,
    sizes: number[],
  ) => { bytes: Uint8Array; head: LogHead };
  /** `witness`: the store keeps one. `bigBytes`: the size of a large batch to try; 5 MB. */
  features?: {
    witness?: boolean;
    bigBytes?: number;
    /** false: `byteLength` counts more than the records' own bytes. */
    exactBytes?: boolean;
  };
}

/** Registers the tests that a store must pass. */
export declare function storeContract<Store extends LogStore>(
  options: ContractOptions<Store>,
): void;
