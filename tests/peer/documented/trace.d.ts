// SPDX-License-Identifier: MIT
// What a documented program is given: the Trace of harness.mjs, as TypeScript sees it.
export interface Trace {
  isPeer: boolean;
  /** Are tasks of snapshots shown with their errors and interrupts? */
  outcomes: boolean;
  /** Are snapshots shown with their parents? */
  parents: boolean;
  note<T>(label: string, value: T): T;
  /** Notes what `act` gives or throws. */
  try<T>(label: string, act: () => T): Promise<Awaited<T> | undefined>;
  /** Notes every chunk and the error at the end. */
  stream(
    graph: any,
    input: unknown,
    config?: unknown,
    how?: { sorted?: boolean | "all"; fallible?: boolean },
  ): Promise<any>;
  invoke(graph: any, input: unknown, config?: unknown): Promise<any>;
  state(graph: any, config: unknown, options?: unknown): Promise<any>;
  history(graph: any, config: unknown, query?: unknown): Promise<any>;
  update(graph: any, config: unknown, values: unknown, asNode?: string): Promise<any>;
}

/** Programs by their titles. */
export type Programs = Record<string, (t: Trace) => Promise<void>>;
