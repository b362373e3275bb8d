// SPDX-License-Identifier: MIT
// Declares the public names of `weftgraph/ag-ui`.

/** An event of AG-UI. */
export interface AgUiEvent {
  type: string;
  [key: string]: unknown;
}
/** The methods of a compiled graph that are used; it needs a checkpointer. */
export interface AgUiGraph {
  stream(input: any, config?: any): any;
  getState(config: any, options?: any): Promise<any>;
  getStateHistory(config: any, options?: any): any;
}
/** Options of running a graph for an AG-UI client. */
export interface AgUiOptions {
  /**
   * Config that each run's config overrides. Nodes find the client's tools and context in
   * `context.agui`.
   */
  config?: Record<string, any>;
  /** Returns the answer to an interrupt that the user cancelled. Default: `{ approved: false }`. */
  onCancelled?(question: { id: string; value: unknown }): unknown;
  /** Returns the text about an error for the user. Default: "An error occurred." */
  onError?(error: unknown): string;
  /** Whether to emit interrupts as a CUSTOM event `on_interrupt` too. Default false. */
  legacyInterrupt?: boolean;
  /** Aborts the run. */
  signal?: AbortSignal;
}
/**
 * Runs a graph for an AG-UI client. AG-UI's thread is the graph's; interrupts end the run with the
 * outcome `interrupt`, and `resume` answers them by id.
 *
 * @param input AG-UI's RunAgentInput
 * @returns events; the stream never errors: RUN_ERROR reports failures
 * @example
 * for await (const event of toAgUi(graph, input)) console.log(event.type);
 */
export function toAgUi(
  graph: AgUiGraph,
  input: unknown,
  options?: AgUiOptions,
): ReadableStream<AgUiEvent>;
/**
 * Answers AG-UI's HttpAgent: takes a POST with a RunAgentInput and returns server-sent events. With
 * `?connect` in the address nothing runs: the events show the thread's state, messages and open
 * interrupts.
 *
 * @param request of the client
 * @param options the graph, and how to run it
 * @returns server-sent events; 405, 413 or 422 for an invalid request
 * @example
 * export default { fetch: (request: Request) => handleAgUi(request, { graph }) };
 */
export function handleAgUi(
  request: Request,
  options: AgUiOptions & {
    graph: AgUiGraph;
    /** Maximum bytes of a request body (413): a client sends all messages. Default 10 MB. */
    maxBodyBytes?: number;
  },
): Promise<Response>;
/**
 * Makes an agent that runs a graph in the same tab, from the client's own classes.
 *
 * @param AbstractAgent of `@ag-ui/client`
 * @param Observable of `rxjs`
 * @example
 * const agent = createAgent(AbstractAgent, Observable, graph, { threadId: "anna" });
 */
export function createAgent<Agent extends object>(
  AbstractAgent: new (config?: any) => Agent,
  Observable: new (subscribe: any) => any,
  graph: AgUiGraph,
  options?: AgUiOptions & { agentId?: string; description?: string; threadId?: string },
): Agent;
