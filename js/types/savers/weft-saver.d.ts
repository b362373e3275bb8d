// SPDX-License-Identifier: MIT
// Declares the base of Weft's savers, their options and results.
import type { CheckpointMetadata, RunnableConfig } from "../base/common-types.js";
import { BaseCheckpointSaver } from "./base-checkpoint-saver.js";
import type {
  ChannelVersions,
  Checkpoint,
  CheckpointListOptions,
  CheckpointTuple,
  PendingWrite,
  SerializerProtocol,
} from "./base-checkpoint-saver.js";
import type { LogHead, LogStore } from "./testing/contract.js";

/** One decision about a tool call. */
export interface ToolDecision {
  /** Number of the record in the log. */
  seq: number;
  /** Id of the request, its `approval_id`. */
  id: string;
  /** Number of the record with the request, which came first. undefined in an imported thread. */
  request_seq: number | undefined;
  /**
   * Digest of the presented call: SHA-256 over thread, task, call, tool and canonical arguments, in
   * hex.
   */
  digest: string;
  /** escalate: nobody answered in time, and somebody else was asked. */
  type: "accept" | "edit" | "response" | "ignore" | "retry" | "escalate";
  /** The host decided, since the request had expired. Absent: a person did. */
  by?: "expiry";
  /** The answer as it was passed in. */
  answer: any;
  tool_call_id: string;
  checkpoint_ns: string;
  /**
   * Number of the checkpoint with the interrupt; for an imported thread, in the log where it was
   * decided.
   */
  checkpoint_seq: number;
}

/** A place outside the store that remembers heads: a server, another origin, a cookie. */
export interface Witness {
  /**
   * Returns the head that was set last. An error fails the run: nobody can tell then whether the
   * store is complete.
   * @param threadId id of the thread
   */
  get(threadId: string): LogHead | null | undefined | Promise<LogHead | null | undefined>;
  /**
   * Called after commits were acknowledged, one call at a time, with the newest head; undefined:
   * the thread was deleted.
   * @param threadId id of the thread
   * @param head number and CRC of the log's last record
   */
  set(threadId: string, head: LogHead | undefined): unknown;
}

/**
 * Which checkpoints are kept: the newest `last`, those of the last `days`, and the `pinned` ones
 * (by checkpoint id). The newest checkpoint, pending interrupts, and subgraphs' checkpoints below a
 * kept one are never dropped.
 */
export interface Keep {
  /** Number of the newest checkpoints. Default 1. */
  last?: number;
  /** Maximum age in days; may be a fraction. */
  days?: number;
  pinned?: readonly string[];
}
/**
 * With `keep` a saver drops other checkpoints automatically: when a run of a thread that has grown
 * by `every` records has ended; the thread's next run waits for that. `onError` receives errors,
 * and the thread stays unchanged.
 */
export interface KeepOptions extends Keep {
  /** Number of records after which a thread is pruned; default 256. */
  every?: number;
  /**
   * @param error what the pruning failed with
   * @param threadId thread that was to be pruned
   */
  onError?: (error: unknown, threadId: string) => void;
}
/** Handler for unreadable threads when all threads are listed. */
export interface ListErrors {
  /**
   * `threadId` is undefined if the thread's id itself is damaged; the error then names its place.
   * Codes CORRUPT_LOG, DATA_LOSS, UNSEALED, STORE.
   */
  onError?: (error: unknown, threadId?: string) => void;
}
/** Result of pruning. */
export interface Pruned {
  /** Number of checkpoints. */
  kept: number;
  dropped: number;
  bytesBefore: number;
  bytesAfter: number;
}

/**
 * Base of Weft's savers: LangGraph's methods over a store of logs. Ids of checkpoints passed to
 * `put` must be UUIDs.
 */
export declare class WeftSaver<Store extends LogStore = LogStore> extends BaseCheckpointSaver {
  /**
   * @param store keeps the logs; `storeContract` tests one of your own
   * @param serde turns values into bytes and back; another than the default makes graphs call the
   *   saver's methods
   * @param keep which checkpoints of a thread are kept; default: all
   * @throws BAD_ARGUMENT for a rule of another form
   */
  constructor(store: Store, serde?: SerializerProtocol, keep?: KeepOptions);
  readonly store: Store;
  /**
   * The store, while no method below and no serializer is overridden: then graphs use it directly.
   */
  get logStore(): Store | undefined;
  /**
   * Makes graphs call the methods below from now on. They also do so by themselves when a log has a
   * value in another form.
   */
  leaveStore(): void;
  /**
   * Sets a witness that is notified how far each thread is stored. A store that later has less, or
   * nothing, is DATA_LOSS instead of a new thread. Set it before the saver is used.
   */
  set witness(witness: Witness);
  /**
   * Whether values that cannot be stored exactly are errors. Default false: they are restored as
   * plain objects, with a warning.
   */
  strict?: boolean;
  /**
   * Whether each run reads its thread from the store, so that in-place changes of a node are not
   * visible later. Default false.
   */
  isolate?: boolean;
  /**
   * Sets which checkpoints are kept, like the option of the same name. Throws BAD_ARGUMENT. Set it
   * before the saver is used.
   */
  set keep(keep: KeepOptions);
  /**
   * Prunes a thread or all threads now, by the saver's `keep` or the one passed in. Queues with the
   * saver's runs of the thread. Rejects with BAD_ARGUMENT without a `keep`; with BUSY in a node of
   * such a run, which would wait for itself (detected with AsyncLocalStorage); with FENCED when
   * another process continues a thread at that moment: then nothing of it is dropped.
   * @param threadId only this thread; default: all
   * @param keep checkpoints to keep; default: the saver's own rule
   */
  prune(threadId?: string, keep?: Keep): Promise<Pruned>;
  /**
   * Returns the checkpoint that the config names, else the thread's newest.
   * @param config names the thread (`configurable.thread_id`), and a checkpoint of it
   *   (`checkpoint_id`) or the newest
   */
  getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined>;
  /**
   * Yields the checkpoints of a thread, the newest first; of all threads without a `thread_id`.
   * Among all, an unreadable one does not stop the others: `onError` receives its error, or it is
   * thrown after the last checkpoint.
   * @param config names the thread, else all are listed; `checkpoint_ns` narrows it to one
   *   namespace
   * @param options how many (`limit`), older than which (`before`), with which metadata (`filter`)
   */
  list(
    config: RunnableConfig,
    options?: CheckpointListOptions & ListErrors,
  ): AsyncGenerator<CheckpointTuple>;
  /**
   * Stores a checkpoint whose parent the config names; resolves with its config.
   * @param config names the thread and the parent (`checkpoint_id`); without one it has none
   * @param checkpoint with an `id` of its own, a UUID
   * @param metadata source, step and what a run adds
   * @param newVersions versions of the channels that changed since the parent
   */
  put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions?: ChannelVersions,
  ): Promise<RunnableConfig>;
  /**
   * Stores writes of a task with a checkpoint.
   * @param config names the thread and the checkpoint that the task started from
   * @param writes pairs of channel and value, in order
   * @param taskId UUID of the task
   * @param taskPath sorts the writes among those of other tasks; default ""
   */
  putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath?: string,
  ): Promise<void>;
  /**
   * Deletes a thread.
   * @param threadId id of the thread; one that does not exist is no error
   */
  deleteThread(threadId: string): Promise<void>;
  /**
   * Returns the stored bytes of a thread or of all, without the items of a SaverStore.
   * @param threadId only this thread; default: all
   */
  byteLength(threadId?: string): Promise<number>;
  /**
   * Lists people's decisions about tool calls of a thread (`approval`), in the order of its log.
   * History only: they permit nothing.
   * @param threadId id of the thread; one that does not exist gives `[]`
   */
  decisions(threadId: string): Promise<ToolDecision[]>;
  /**
   * Lists thread ids in the store's own fixed order: all readable ids, also of otherwise damaged
   * threads. `onError` receives an error for each unreadable id; without it, the console does.
   * @param options how many ids (`limit`), behind which (`after`), and what happens with unreadable
   *   ones
   */
  listThreads(options?: { limit?: number; after?: string } & ListErrors): Promise<string[]>;
}
