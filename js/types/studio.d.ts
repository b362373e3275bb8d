// SPDX-License-Identifier: MIT
// Declares the public names of `weftgraph/studio`.
import { PageElement } from "./base/page-element.js";

/**
 * The element `<weft-studio>`: shows the graphs of an Agent Server at work, their threads,
 * checkpoints, branches and questions, and runs them. Importing `weftgraph/studio` defines it.
 *
 * Attributes: `url`, the address of a server; `graph` and `thread`, what is opened first;
 * `readonly`, without input, answers and choices. What has the attribute `slot="tools"` is shown in
 * its bar, `slot="node"` beside the name of a chosen node, `slot="checkpoint"` above what the step
 * of the shown checkpoint changed. When that changes, the event `weft-open` says which graph and
 * thread are open (`detail: { graph, thread, isGone }`; `isGone`: the thread that was wanted is not
 * there any more), `weft-node` which node of the graph is chosen (`detail: { graph, node }`),
 * `weft-checkpoint` which checkpoint is shown (`detail: { thread, checkpoint }`), `weft-spent` what
 * the open thread has cost on all its branches (`detail: { thread, steps, tokens, isWhole }`;
 * `isWhole`: no older checkpoints are left to read).
 * @example
 * ```ts part
 * import "weftgraph/studio";
 * const studio = document.createElement("weft-studio");
 * studio.server = createServer({ graphs: { agent } });
 * document.body.append(studio);
 * ```
 */
export class WeftStudio extends PageElement {
  /** Attributes whose changes are followed. */
  static observedAttributes: string[];
  /**
   * Server in the same program, in place of the attribute `url`: one of createServer's, or anything
   * with its `fetch`.
   *
   * @throws TypeError for what has no function `fetch`
   */
  get server(): StudioServer | undefined;
  set server(server: StudioServer | undefined);
  /** Headers of each request, such as `x-api-key`. They are kept in memory only. */
  get headers(): Record<string, string>;
  set headers(headers: Record<string, string>);
  /** The graph that is shown; another one can be chosen. */
  get graph(): string;
  set graph(graph: string);
  /** The thread that is open; `""`: the next run begins one. */
  get thread(): string;
  set thread(thread: string);
  /** Connects to the server. Called by the page. */
  connectedCallback(): void;
  /** Leaves the server. Called by the page. */
  disconnectedCallback(): void;
  /**
   * Follows a change of an attribute. Called by the page.
   * @param name "url", "graph" or "thread"
   * @param before earlier value; null: the attribute was not there
   * @param after new value; null: the attribute was removed
   */
  attributeChangedCallback(name: string, before: string | null, after: string | null): void;
  /**
   * Runs a graph with an input, in a thread of its own, and shows it.
   * @param graph name of a graph of the server
   * @param input the graph's input, as JSON can hold it
   */
  run(graph: string, input: unknown): Promise<void>;
  /** Reads threads, questions, the open thread's history and whether its run goes on. */
  refresh(): Promise<void>;
  /**
   * Shows the checkpoint that is so many after the shown one.
   *
   * @param by whole number; below 0: earlier ones. Stops at the first and at the last
   * @returns whether another one is shown now
   */
  move(by: number): boolean;
}

/** What answers the studio's requests. */
export interface StudioServer {
  /**
   * @param input address: `http://weft.local`, `basePath` and the path of a request
   * @param init method, headers, body and `signal`, as of the global `fetch`
   */
  fetch(input: string, init?: RequestInit): Promise<Response>;
  basePath?: string;
}

/**
 * Defines the element under a name, if the page has none of that name.
 *
 * @param name default `weft-studio`, which the import has defined already
 * @throws TypeError where there are no custom elements (a server, a worker)
 * @example
 * ```ts part
 * import { defineStudio } from "weftgraph/studio";
 *
 * defineStudio("my-studio");
 * document.body.append(document.createElement("my-studio"));
 * ```
 */
export function defineStudio(name?: string): void;

declare global {
  interface HTMLElementTagNameMap {
    "weft-studio": WeftStudio;
  }
}
