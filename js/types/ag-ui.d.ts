// SPDX-License-Identifier: MIT
// Declares the public names of `weftgraph/ag-ui`.

/** An event of AG-UI. */
export interface AgUiEvent {
  type: string;
  [key: string]: unknown;
}
/** The methods of a compiled graph that are used; it needs a checkpointer. */
export interface AgUiGraph {
  /**
   * @param input state update, or a Command with the answers to interrupts
   * @param config config of the call: `configurable.thread_id`, a list of stream modes, `signal`
   */
  stream(input: any, config?: any): any;
  /**
   * @param config names the thread
   * @param options none is passed
   */
  getState(config: any, options?: any): Promise<any>;
  /**
   * @param config names the thread
   * @param options `limit`: most checkpoints
   */
  getStateHistory(config: any, options?: any): any;
}
/** Options of running a graph for an AG-UI client. */
export interface AgUiOptions {
  /**
   * Config that each run's config overrides. Nodes find the client's tools and context in
   * `context.agui`.
   */
  config?: Record<string, any>;
  /**
   * Returns the answer to an interrupt that the user cancelled. Default: `{ approved: false }`.
   * @param question the interrupt
   * @param question.id its id
   * @param question.value what the graph asked
   */
  onCancelled?(question: { id: string; value: unknown }): unknown;
  /**
   * Returns the text about an error for the user. Default: "An error occurred."
   * @param error what the run failed with; not called for an input that is refused
   */
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
 * @param graph a compiled graph
 * @param options a signal, and the texts of errors
 * @returns events; the stream never errors: RUN_ERROR reports failures
 * @throws BAD_ARGUMENT for a graph that is not compiled; a failure of the run is an event
 * @example
 * ```ts
 * import { Annotation, MemorySaver, START, StateGraph } from "weftgraph";
 * import { toAgUi } from "weftgraph/ag-ui";
 *
 * const graph = new StateGraph(Annotation.Root({ count: Annotation<number> }))
 *   .addNode("add", ({ count }) => ({ count: count + 1 }))
 *   .addEdge(START, "add")
 *   .compile({ checkpointer: new MemorySaver() });
 * const input = { threadId: "anna", runId: "1", messages: [], state: { count: 0 } };
 * for await (const event of toAgUi(graph, input)) console.log(event.type);
 * ```
 * ```text
 * RUN_STARTED
 * STATE_SNAPSHOT
 * STATE_SNAPSHOT
 * MESSAGES_SNAPSHOT
 * RUN_FINISHED
 * ```
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
 * @throws BAD_ARGUMENT for a maxBodyBytes that is not above 0; what a client sent wrong is an
 *   answer
 * @example
 * ```ts
 * import { MemorySaver, MessagesAnnotation, START, StateGraph } from "weftgraph";
 * import { handleAgUi } from "weftgraph/ag-ui";
 *
 * const graph = new StateGraph(MessagesAnnotation)
 *   .addNode("answer", () => ({ messages: [{ role: "assistant", content: "Hello" }] }))
 *   .addEdge(START, "answer")
 *   .compile({ checkpointer: new MemorySaver() });
 * const messages = [{ id: "u1", role: "user", content: "Hi" }];
 * const body = JSON.stringify({ threadId: "anna", runId: "1", messages });
 * const request = new Request("http://weft.local/agui", { method: "POST", body });
 * const response = await handleAgUi(request, { graph });
 * console.log((await response.text()).includes('"type":"RUN_FINISHED"'));
 * ```
 * ```text
 * true
 * ```
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
 * @param graph a compiled graph with a checkpointer
 * @param options `agentId`, `description` and `threadId` go to the client's class; the others are
 *   as for toAgUi
 * @returns an instance of a subclass of AbstractAgent, for the client's list of agents
 * @throws TypeError if AbstractAgent is no class; a run that fails is the event RUN_ERROR, and
 *   `run()` with a graph that is not compiled throws BAD_ARGUMENT
 * @example
 * ```ts part
 * const agent = createAgent(AbstractAgent, Observable, graph, { threadId: "anna" });
 * ```
 */
export function createAgent<Agent extends object>(
  AbstractAgent: new (config?: any) => Agent,
  Observable: new (subscribe: any) => any,
  graph: AgUiGraph,
  options?: AgUiOptions & { agentId?: string; description?: string; threadId?: string },
): Agent;
