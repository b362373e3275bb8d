// SPDX-License-Identifier: MIT
import { type KeepOptions, WeftSaver } from "../weft-saver.js";

/**
 * The used part of a Durable Object's storage: pass `ctx.storage` of a class with SQLite storage.
 */
export interface SqlStorage {
  sql: {
    exec(
      query: string,
      ...bindings: any[]
    ): Iterable<Record<string, any>> & { toArray(): Record<string, any>[] };
  };
  /** @param work runs in a transaction, without `await`; what it writes is undone if it throws */
  transactionSync<T>(work: () => T): T;
}

/** Stores threads in a Durable Object's SQLite. */
export declare class DurableObjectSaver extends WeftSaver {
  /**
   * @param options the object's storage, and which checkpoints are kept
   * @param options.storage `ctx.storage` of the Durable Object
   * @param options.keep which checkpoints of a thread are kept; default: all
   * @throws BAD_ARGUMENT for a Durable Object without SQLite storage
   */
  constructor(options: { storage: SqlStorage; keep?: KeepOptions });
}
