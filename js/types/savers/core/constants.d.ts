// SPDX-License-Identifier: MIT
/** Selects all nodes in place of a list. */
export type All = "*";
/** Common members of all channels, including other packages'. */
export interface ChannelProtocol<
  ValueType = unknown,
  UpdateType = unknown,
  CheckpointType = unknown,
> {
  ValueType: ValueType;
  UpdateType: UpdateType;
  lc_graph_name: string;
  /** @param checkpoint what `checkpoint()` returned; undefined: the initial value */
  fromCheckpoint(checkpoint?: CheckpointType): this;
  /** @param values writes of one step, in their order */
  update(values: UpdateType[]): void;
  /** Returns the value; throws EmptyChannelError without one. */
  get(): ValueType;
  checkpoint(): CheckpointType | undefined;
}
/** A Send as it is stored. */
export interface SendProtocol {
  node: string;
  args: any;
  timeout?: { runTimeout?: number; idleTimeout?: number; refreshOn?: "auto" | "heartbeat" };
}
/** JSON of a value made by a constructor. */
export type ConstructorRecord = {
  lc: 2;
  type: "constructor";
  id: unknown;
  method?: unknown;
  args?: unknown;
};
/**
 * Channel of a task's error.
 * @example
 * ```ts
 * import { ERROR, INTERRUPT, RESUME, SCHEDULED, TASKS } from "weftgraph/checkpoint";
 *
 * console.log(ERROR, INTERRUPT, RESUME, SCHEDULED, TASKS);
 * ```
 * ```text
 * __error__ __interrupt__ __resume__ __scheduled__ __pregel_tasks
 * ```
 */
export declare const ERROR: "__error__";
/** Channel of a stopped task's interrupts. */
export declare const INTERRUPT: "__interrupt__";
/** Channel of a resumed task's answers. */
export declare const RESUME: "__resume__";
/** LangGraph.js's mark that a task's calls were begun; Weft reads it but does not write it. */
export declare const SCHEDULED: "__scheduled__";
/** Channel of pending Sends. */
export declare const TASKS: "__pregel_tasks";
/**
 * Makes a UUID of version 5.
 * @param name any text; the same name and namespace always give the same id
 * @param namespace a UUID, in any case
 * @returns the id in lower case, with hyphens
 * @throws TypeError if namespace is no UUID
 */
export declare function uuid5(name: string, namespace: string): string;
