// SPDX-License-Identifier: MIT
// Declares the public names of `weftgraph/record`.
import { WeftError } from "./base/error-types.js";
import type { Interrupt } from "./base/common-types.js";
import type { BaseMessage } from "./messages/index.js";

/** Recording of one run: the option `record` of `invoke` and `stream`. */
export interface Recording {
  /** Returns the recording as a text (JSON) for a file; for a run in progress, the part so far. */
  text(): string;
}
/**
 * Creates a recording for one run.
 * @returns for the option `record` of one call; `text()` is the recording
 */
export function record(): Recording;

/** A recorded run as seen from outside. */
export interface Replayed<Output = any> {
  status: "done" | "interrupted" | "failed" | "unfinished";
  /** Input of the run; undefined if it answered questions. */
  input: any;
  /** Answers of the run, by interrupt id or as one value. */
  resume: any;
  /** Whether its thread had been saved before. */
  continues: boolean;
  /** Result of `invoke`, without interrupts. */
  output: Output | undefined;
  /** Interrupts of the run. */
  interrupts: Interrupt[];
  /** Error of the run. `thrown`: the thrown value if it is no Error, as a text or `null`. */
  error: { name: string; message: string; thrown?: unknown } | undefined;
  /** Chunks of `values`, if they had a reader. */
  states: Output[];
  /** Messages that nodes wrote, in order. */
  messages: BaseMessage[];
  /** Tasks in the order in which they began. */
  steps: { node: string; task: number; attempt: number }[];
  /**
   * Its thread as the run left it, as a file for `importThread`; undefined for a run without a
   * checkpointer, or with one made for LangGraph.js.
   */
  thread: Uint8Array | undefined;
}

/**
 * Reports that the run takes another course than recorded; `entry` is the position in the
 * recording. Code REPLAY_DIVERGED.
 */
export class ReplayError extends WeftError {
  /**
   * @param difference what differs, as a part of the text
   * @param entry position of the difference; undefined: it is at none, of the output for example
   */
  constructor(difference: string, entry?: number);
  /** The answer now, and the recorded one. */
  difference: string;
  entry?: number;
}

/**
 * Replays a recording in a new engine and compares all its answers. Calls no node, model, tool,
 * reducer or store.
 * @param text of a recording
 * @param options `graph`: the current graph
 * @returns how the run went; a run that ended early is `unfinished`
 * @throws ReplayError for the first difference; BAD_ARGUMENT for a text that is no recording
 */
export function replay<Output = any>(
  text: string,
  options?: {
    /** A compiled graph that must take the same course, with the recorded results of its nodes. */
    graph?: object;
  },
): Replayed<Output>;
