// SPDX-License-Identifier: MIT
// The public names of `weftgraph/record`.
import { WeftError } from "./base/error-types.js";
import type { Interrupt } from "./base/common-types.js";

/** What one run is recorded on: the option `record` of `invoke` and `stream`. */
export interface Recording {
  /**
   * The recording as one text (JSON), to be kept in a file. Of a run that is not over: as far as it
   * went.
   */
  text(): string;
}
/** A new recording; one run each. */
export function record(): Recording;

/** What a recorded run looked like from outside. */
export interface Replayed<Output = any> {
  status: "done" | "interrupted" | "failed" | "unfinished";
  /** What `invoke` gave, without questions. */
  output: Output | undefined;
  /** What it asked. */
  interrupts: Interrupt[];
  /** What it failed with. What was thrown and is no Error, as a text or `null`, is `thrown`. */
  error: { name: string; message: string; thrown?: unknown } | undefined;
  /** The `values` chunks, if somebody read them. */
  states: Output[];
  /** Tasks in the order in which they began. */
  steps: { node: string; task: number; attempt: number }[];
}

/**
 * The run goes another way than it went; `entry` is the place in the recording. Its code is
 * REPLAY_DIVERGED.
 */
export class ReplayError extends WeftError {
  constructor(difference: string, entry?: number);
  /** What came, and what the recording has. */
  difference: string;
  entry?: number;
}

/**
 * Plays a recording to a fresh engine and compares all that it answers. No node, model, tool,
 * reducer or store is called. Throws ReplayError for the first difference, BAD_ARGUMENT for a text
 * that is no recording.
 */
export function replay<Output = any>(
  text: string,
  options?: {
    /**
     * A compiled graph that must take the same way: the nodes' results are those of the recording.
     */
    graph?: object;
  },
): Replayed<Output>;
