// SPDX-License-Identifier: MIT
/** In a list of nodes: all of them. */
export type All = "*";
/** What all channels have, those of other packages too. */
export interface ChannelProtocol<
  ValueType = unknown,
  UpdateType = unknown,
  CheckpointType = unknown,
> {
  ValueType: ValueType;
  UpdateType: UpdateType;
  lc_graph_name: string;
  fromCheckpoint(checkpoint?: CheckpointType): this;
  update(values: UpdateType[]): void;
  /** EmptyChannelError: there is none. */
  get(): ValueType;
  checkpoint(): CheckpointType | undefined;
}
/** A Send as it is stored. */
export interface SendProtocol {
  node: string;
  args: any;
  timeout?: { runTimeout?: number; idleTimeout?: number; refreshOn?: "auto" | "heartbeat" };
}
/** JSON of something made by a constructor. */
export type ConstructorRecord = {
  lc: 2;
  type: "constructor";
  id: unknown;
  method?: unknown;
  args?: unknown;
};
/** Channels of writes that are no values. */
export declare const ERROR: "__error__";
/** Of a task that stopped: its questions. */
export declare const INTERRUPT: "__interrupt__";
/** Of a task that goes on: the answers. */
export declare const RESUME: "__resume__";
/** LangGraph.js's mark that a task's calls were begun; Weft reads it and writes none. */
export declare const SCHEDULED: "__scheduled__";
/** The channel of pending Sends. */
export declare const TASKS: "__pregel_tasks";
/** A UUID of version 5. @param namespace a UUID; another text is a TypeError */
export declare function uuid5(name: string, namespace: string): string;
