// SPDX-License-Identifier: MIT
import type { CheckpointMetadata, RunnableConfig } from "../pregel/words.js";
import { BaseCheckpointSaver } from "./base-saver.js";
import type { ChannelVersions, Checkpoint, CheckpointListOptions, CheckpointTuple, PendingWrite, SerializerProtocol } from "./base-saver.js";
import type { LogStore } from "./contract.js";

/** What all of Weft's savers share: LangGraph's methods over a store of logs. Checkpoints that are put have UUIDs as ids. */
export declare class WeftSaver<Store extends LogStore = LogStore> extends BaseCheckpointSaver {
  constructor(store: Store, serde?: SerializerProtocol);
  readonly store: Store;
  /** The store, as long as none of the methods below and no serializer was replaced: then graphs work on it directly. */
  get logStore(): Store | undefined;
  /** Graphs call the methods below from now on, as they do of themselves when a log holds a value in another form than they have. */
  leaveStore(): void;
  getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined>;
  list(config: RunnableConfig, options?: CheckpointListOptions): AsyncGenerator<CheckpointTuple>;
  put(config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, newVersions?: ChannelVersions): Promise<RunnableConfig>;
  putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void>;
  deleteThread(threadId: string): Promise<void>;
  /** Bytes stored of a thread, or of all. */
  byteLength(threadId?: string): Promise<number>;
  /** Thread ids, in the store's own, fixed order. */
  listThreads(options?: { limit?: number; after?: string }): Promise<string[]>;
}
