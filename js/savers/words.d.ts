// SPDX-License-Identifier: MIT
export type All = "*";
/** What all channels have, those of other packages too. */
export interface ChannelProtocol<ValueType = unknown, UpdateType = unknown, CheckpointType = unknown> {
  ValueType: ValueType;
  UpdateType: UpdateType;
  lc_graph_name: string;
  fromCheckpoint(checkpoint?: CheckpointType): this;
  update(values: UpdateType[]): void;
  /** EmptyChannelError: there is none. */
  get(): ValueType;
  checkpoint(): CheckpointType | undefined;
}
export interface SendProtocol {
  node: string;
  args: any;
  timeout?: { runTimeout?: number; idleTimeout?: number; refreshOn?: "auto" | "heartbeat" };
}
/** JSON of something made by a constructor. */
export type ConstructorRecord = { lc: 2; type: "constructor"; id: unknown; method?: unknown; args?: unknown };
/** Channels of writes that are no values. */
export declare const ERROR: "__error__";
export declare const INTERRUPT: "__interrupt__";
export declare const RESUME: "__resume__";
export declare const SCHEDULED: "__scheduled__";
/** The channel of pending Sends. */
export declare const TASKS: "__pregel_tasks";
/** A UUID of version 5. @param namespace a UUID; another text is a TypeError */
export declare function uuid5(name: string, namespace: string): string;
