// SPDX-License-Identifier: MIT
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

/** One answer to one question about a tool call. */
export interface ToolDecision {
  /** The record's number in the log. */
  seq: number;
  /** The request's, its `approval_id`. */
  id: string;
  /**
   * The number of the record that says what was asked; it came first. undefined: of an imported
   * thread.
   */
  request_seq: number | undefined;
  /** What was shown: SHA-256 over thread, task, call, tool and canonical arguments, in hex. */
  digest: string;
  type: "accept" | "edit" | "response" | "ignore" | "retry";
  /** As it was given. */
  answer: any;
  tool_call_id: string;
  checkpoint_ns: string;
  /**
   * The number of the checkpoint on which the question hung; of an imported thread: in the log
   * where it was decided.
   */
  checkpoint_seq: number;
}

/** A place outside the store: a server, another origin, a cookie. */
export interface Witness {
  /**
   * The head that was set last. What it throws fails the run: nobody can tell then whether the
   * store is whole.
   */
  get(threadId: string): LogHead | null | undefined | Promise<LogHead | null | undefined>;
  /**
   * After commits were acknowledged, one call at a time and of several heads the newest; undefined:
   * the thread was deleted.
   */
  set(threadId: string, head: LogHead | undefined): unknown;
}

/**
 * Which checkpoints stay: the newest `last`, those of the last `days`, and the `pinned` ones (by
 * checkpoint id); whatever is in one of these sets. The newest checkpoint, questions that wait, and
 * subgraphs' checkpoints below one that stays are never dropped.
 */
export interface Keep {
  /** Default 1. */
  last?: number;
  /** By when checkpoints were made; fractions are fine. */
  days?: number;
  pinned?: readonly string[];
}
/**
 * With `keep` a saver drops the others by itself: those of a thread that has grown by `every`
 * records (default 256), when its run is over; the thread's next run waits for that. An error is
 * told to `onError` and the thread stays whole.
 */
export interface KeepOptions extends Keep {
  /** Records after which a thread is tidied; 256. */
  every?: number;
  onError?: (error: unknown, threadId: string) => void;
}
/** Who is told of threads that cannot be read, where all threads are asked for. */
export interface ListErrors {
  /**
   * `threadId` is undefined where the thread's very id is damaged; the error then names its place.
   * CORRUPT_LOG, DATA_LOSS, UNSEALED, STORE.
   */
  onError?: (error: unknown, threadId?: string) => void;
}
/** What dropping checkpoints came to. */
export interface Pruned {
  /** Checkpoints. */
  kept: number;
  dropped: number;
  bytesBefore: number;
  bytesAfter: number;
}

/**
 * What all of Weft's savers share: LangGraph's methods over a store of logs. Checkpoints that are
 * put have UUIDs as ids.
 */
export declare class WeftSaver<Store extends LogStore = LogStore> extends BaseCheckpointSaver {
  constructor(store: Store, serde?: SerializerProtocol, keep?: KeepOptions);
  readonly store: Store;
  /**
   * The store, as long as none of the methods below and no serializer was replaced: then graphs
   * work on it directly.
   */
  get logStore(): Store | undefined;
  /**
   * Graphs call the methods below from now on, as they do of themselves when a log holds a value in
   * another form than they have.
   */
  leaveStore(): void;
  /**
   * Is told how far each thread is stored. A store that later holds less, or nothing, is DATA_LOSS
   * and never a new thread. Set before the saver is used.
   */
  set witness(witness: Witness);
  /**
   * Default false: what cannot be stored as it is comes back as a plain object, with a warning.
   * true: it is an error.
   */
  strict?: boolean;
  /**
   * Default false. true: each run reads its thread from the store, so that what a node changed in
   * place is not seen again.
   */
  isolate?: boolean;
  /**
   * Which checkpoints stay, as the option of the same name. BAD_ARGUMENT. Set before the saver is
   * used.
   */
  set keep(keep: KeepOptions);
  /**
   * Drops now what the saver's `keep`, or the given one, does not keep: of a thread, or of all. It
   * waits for the saver's runs of the thread, and they for it. BAD_ARGUMENT without either; BUSY in
   * a node of such a run, which would wait for itself (known where there is AsyncLocalStorage);
   * FENCED when another process continues a thread at this moment, then nothing of it is dropped.
   */
  prune(threadId?: string, keep?: Keep): Promise<Pruned>;
  getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined>;
  /**
   * The checkpoints of a thread, the newest first; of all threads without a `thread_id`. Of all,
   * one that cannot be read keeps no other back: `onError` is told, or its error is thrown behind
   * the last checkpoint.
   */
  list(
    config: RunnableConfig,
    options?: CheckpointListOptions & ListErrors,
  ): AsyncGenerator<CheckpointTuple>;
  put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions?: ChannelVersions,
  ): Promise<RunnableConfig>;
  putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath?: string,
  ): Promise<void>;
  deleteThread(threadId: string): Promise<void>;
  /** Bytes stored of a thread, or of all; not what a SaverStore keeps. */
  byteLength(threadId?: string): Promise<number>;
  /**
   * What people decided about tool calls of a thread that asked (`approval`), in the order of its
   * log. History only: nothing is allowed by it.
   */
  decisions(threadId: string): Promise<ToolDecision[]>;
  /**
   * Thread ids, in the store's own, fixed order: all that can be read, also of threads that are
   * damaged otherwise. Of one whose very id is damaged `onError` is told; without it, the console
   * is.
   */
  listThreads(options?: { limit?: number; after?: string } & ListErrors): Promise<string[]>;
}
