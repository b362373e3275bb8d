// SPDX-License-Identifier: MIT
// For tests of graphs: time that stands still until it is moved, ids that are the same in each run.
import type { Clock } from "./plan/policy-types.js";

/** For the option `clock`. */
export class TestClock implements Clock {
  /** Milliseconds since 1970, or a date; 0. */
  constructor(start?: number | string | Date);
  /** The time, which only `advance` moves. */
  now(): number;
  setTimeout(call: () => void, ms: number): number;
  clearTimeout(timer: number): void;
  /** How many timers wait. */
  get waiting(): number;
  /** Until a timer waits. */
  armed(): Promise<void>;
  /** Moves the time; timers that are due then ring in order. */
  advance(ms: number): Promise<void>;
}

/** For the option `ids`: the same UUIDs in the same order for the same seed (0). */
export function testIds(seed?: number): () => string;
