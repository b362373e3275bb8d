// SPDX-License-Identifier: MIT
// Implements the methods that users call: invoke, stream, the state of a thread, and the interface
// of LangChain's Runnables. Owns the plan and the engine's graphs made from it. Does not depend on
// how a run proceeds (js/run) or on node outputs.
import { isCommand } from "../base/constants.js";
import { isObject } from "../base/check-arguments.js";
import { tracersLoading } from "../callbacks/environment.js";
import { traceGraph } from "../callbacks/trace.js";
import { Caching } from "../calls/caching.js";
import { CallContext, makeRequest } from "../calls/call.js";
import { resolveConfig } from "../calls/resolve-config.js";
import { enterThread } from "../calls/calls-under-way.js";
import {
  listen,
  listenThrough,
  readModes,
  shownLast,
  withQuestions,
} from "../calls/modes/modes.js";
import { outputOf } from "../calls/state-snapshot.js";
import { openQuestions } from "../run/read-snapshot.js";
import { Outlet } from "../streams/chunk-writer.js";
import {
  bindResume,
  checkStrictly,
  decidesCalls,
  namesQuestions,
  ownResume,
  waitingFor,
} from "../calls/resume-check.js";
import { abortError } from "../run/tasks/failures.js";
import { EVENTS } from "../events/lazy.js";
import { throwQuestions } from "../run/tasks/interrupts.js";
import { startRun } from "../run/start.js";
import { collect } from "../streams/chunk-stream.js";
import { ThreadState } from "./thread-state.js";
import { gathering } from "../stores/base-store.js";
import { isPromise } from "../base/callable.js";
import { EngineGraphs } from "./engine-graphs.js";
import { nodeInput } from "../plan/task-state.js";
import { checkCall } from "../plan/writes.js";

/** @typedef {import("../calls/config.js").Config} Config */
/** @typedef {import("../base/constants.js").Command} Command */
/** @typedef {import("../run/run.js").Run} Run */
/** @typedef {import("../run/start.js").RunRequest} RunRequest */
/** @typedef {import("./thread-state.js").GraphOptions} GraphOptions */
/** @typedef {import("./thread-state.js").StateSnapshot} StateSnapshot */
/** @typedef {import("../plan/definition.js").Plan} Plan */

/** Channel kinds that keep their value across steps. */
const LASTING = "last binop messages";

/**
 * Base of all compiled graphs; each kind makes its plan differently.
 * @template {object} [Builder=object] what it was made from
 * @extends {ThreadState<Builder>}
 */
export class Compiled extends ThreadState {
  lg_is_pregel = true;
  lc_namespace = ["langgraph", "pregel"];
  /** @type {Plan} */
  #plan;
  /** @type {EngineGraphs} */
  #graphs;

  static lc_name() {
    return "LangGraph";
  }

  /**
   * @param {Builder} builder
   * @param {GraphOptions} options
   * @param {Compiled<Builder>} [from] compiled graph whose plan is shared
   */
  constructor(builder, options, from) {
    super(builder, options, from === undefined);
    this.streamMode = from?.streamMode ?? ["updates"];
    const { debug = false } = from ?? {};
    /**
     * Whether steps are printed on the console. As in LangGraph.js the property counts, not an
     * option of `compile`.
     * @type {boolean}
     */
    this.debug = debug;
    this.interruptBefore = options.interruptBefore;
    this.interruptAfter = options.interruptAfter;
    this.multitaskStrategy = options.multitaskStrategy;
    /** Default policy of nodes without one. @type {unknown} */
    this.retryPolicy = from?.retryPolicy;
    /** Maximum duration of a step in ms. @type {number | undefined} */
    this.stepTimeout = from?.stepTimeout;
    this.#plan = from === undefined ? this._plan(builder, options) : from.#plan;
    this.#graphs = from === undefined ? new EngineGraphs(this.#plan) : from.#graphs;
  }

  /**
   * Makes the plan; each kind of graph overrides it.
   * @param {Builder} _builder
   * @param {GraphOptions} _options
   * @returns {Plan}
   */
  _plan(_builder, _options) {
    return /** @type {never} */ (undefined);
  }

  /**
   * Changes the channels that calls return and streams show.
   * @param {{ result?: string | string[], stream?: string | string[] }} keys
   */
  _show(keys) {
    this.#plan = { ...this.#plan, ...keys };
  }

  /** Replaces the plan. @param {Plan} plan */
  _change(plan) {
    this.#plan = plan;
    this.#graphs = new EngineGraphs(plan);
  }

  /**
   * Makes the context of a call.
   * @param {Config | undefined} options
   * @param {string | string[] | undefined} keys output channels of a low-level graph
   */
  #call(options, keys) {
    const { config, scope } = resolveConfig(this.config, options);
    this.#plan.checkContext?.(
      config.context === undefined ? (config.configurable ?? {}) : config.context,
    );
    const context = new CallContext(this.#plan, config, config.store ?? this.store, scope);
    if (context.outputKeys === undefined) context.outputKeys = keys;
    return context;
  }

  /**
   * Starts the run of a call.
   * @param {import("../run/start.js").EngineGraph} graph
   * @param {RunRequest} request
   * @param {unknown} input
   * @returns {Promise<import("../run/start.js").RunResult>}
   */
  #run(graph, request, input) {
    const { context } = request;
    const start = () => {
      const { promise } = (context.started = startRun(graph, request));
      // In a nested run the calling task raises the interrupts.
      return context.nested ? promise.then(throwQuestions) : promise;
    };
    if (context.gathers) context.userStore = gathering(context.userStore);
    if (this.debug) EVENTS.loaded?.printSteps(this.#plan, request, nodeInput);
    if (this.cache) request.caching = new Caching(this.#plan, this.cache);
    return context.traces
      ? traceGraph(this, context, input, request, start, (result) => outputOf(result, context))
      : start();
  }

  /**
   * Runs the graph to its end or to an interrupt.
   * @param {unknown} input
   * @param {Config} [options]
   * @returns {Promise<any>} the output, or the list of chunks with another `streamMode`
   */
  async invoke(input, options) {
    const mode = options?.streamMode ?? "values";
    const outputKeys = options?.outputKeys ?? this.#plan.result;
    const keys = outputKeys ?? this.#plan.outputKeys;
    const lists = mode !== "values";
    // A channel that later steps may empty counts with its last streamed value.
    const fades = this.#plan.definition.channels.some(
      ({ kind, name }) => !LASTING.includes(kind) && [keys].flat().includes(name),
    );
    if (
      lists ||
      fades ||
      options?.subgraphs ||
      this.#isOwn("stream") ||
      this.#isOwn("_streamIterator")
    ) {
      const chunks = await collect(
        await this.stream(input, {
          ...options,
          streamMode: mode,
          outputKeys: keys,
          encoding: undefined,
        }),
      );
      if (lists) return chunks;
      return shownLast(chunks);
    }
    const context = this.#call(options, this.#plan.result);
    this.#enter(context);
    try {
      return await this.#invoke(input, options, context, keys, outputKeys);
    } finally {
      context.atWork?.leave();
    }
  }

  /**
   * @param {unknown} input
   * @param {Config | undefined} options
   * @param {CallContext} context
   * @param {string | string[]} keys output keys
   * @param {string | string[] | undefined} outputKeys as the caller passed them in
   */
  async #invoke(input, options, context, keys, outputKeys) {
    if (this.debug) await EVENTS.load();
    const tracers = tracersLoading();
    if (tracers !== undefined) await tracers;
    let checked = checkCall(this.#plan, input);
    if (isPromise(checked)) checked = await checked;
    if (this._isVersioned && !context.nested) context.config = await this._bringUp(context.config);
    if (isCommand(input))
      checked = this.#checkResume(/** @type {Command} */ (checked), context, options);
    if (isPromise(checked)) checked = await checked;
    const request = makeRequest(this.#plan, this, checked, context);
    const { tap } = context;
    // Values from withConfig apply to streams only, as in LangGraph.js.
    context.outputKeys = outputKeys;
    if (tap === undefined) context.listenTo([]);
    else Object.assign(request, listen(this.#plan, tap.modes, context, tap.emit, keys));
    const result = await this.#run(this.#graphs.of(keys), request, input);
    return withQuestions(
      outputOf(result, context),
      (result.breakpoint ?? result.interrupts[0]) && result.interrupts,
    );
  }

  /**
   * Runs the graph and streams its events: a ReadableStream that is its own async iterator.
   * @param {unknown} input
   * @param {Config} [options]
   * @returns {Promise<import("../streams/chunk-stream.js").RunStream>} resolves once there is a
   *   chunk or the end
   */
  stream(input, options) {
    return this.#isOwn("_streamIterator")
      ? super.stream(input, options)
      : this.#open(input, options);
  }

  /** Registers the call as running on its thread. @param {CallContext} context */
  #enter(context) {
    const checkpointer = context.config.checkpointer ?? this.checkpointer;
    const threadId = context.config.configurable?.thread_id;
    if (!context.nested && isObject(checkpointer) && threadId !== undefined)
      context.atWork = enterThread(checkpointer, String(threadId), context);
  }

  /**
   * Checks and binds the answer of a resume.
   * @param {Command} command
   * @param {CallContext} context
   * @param {Config | undefined} options
   * @returns {Command | Promise<Command>} the command bound to the interrupts it answers
   */
  #checkResume(command, context, options) {
    const checkpointer = context.config.checkpointer ?? this.checkpointer;
    if (
      context.nested ||
      typeof checkpointer !== "object" ||
      context.config.configurable?.thread_id === undefined
    )
      return command;
    const isKept =
      typeof checkpointer?.getTuple !== "function" || checkpointer.logStore !== undefined;
    const isStrict = context.config.configurable.__pregel_strict_resume === true;
    if (
      command.resume == null ||
      (!isStrict && !isKept && !namesQuestions(command.resume) && !decidesCalls(command.resume))
    )
      return command;
    // The caller may change its answer while the thread is read.
    const own = ownResume(command);
    const bind = async (/** @type {StateSnapshot} */ snapshot) => {
      const { tasks } = (context.resumed = snapshot);
      if (isStrict) checkStrictly(own.resume, openQuestions(tasks));
      const open = openQuestions(tasks);
      const waiting = await waitingFor(own.resume, open, context.atWork?.seen);
      const bound = bindResume(
        own,
        waiting,
        tasks.flatMap((task) => task.interrupts),
        isKept,
        waiting !== open,
      );
      context.askedCalls = bound.asked;
      return bound.command;
    };
    const state = this.getState({ ...options, configurable: context.config.configurable });
    if (context.atWork !== undefined)
      context.atWork.call.waiting = state.then(
        ({ tasks }) => openQuestions(tasks),
        () => [],
      );
    // If the state is unreadable the run reports why.
    return state.then(bind, () => own);
  }

  /**
   * Checks whether a subclass or a user overrides a streaming method.
   * @param {"stream" | "_streamIterator"} method
   */
  #isOwn(method) {
    return this[method] !== Compiled.prototype[method];
  }

  /**
   * Whether chunks can be pushed as they are made. An overridden stream is known only by reading
   * it.
   */
  get _tellsChunks() {
    return !this.#isOwn("stream") && !this.#isOwn("_streamIterator");
  }

  /** @param {unknown} input @param {Config} [options] */
  async #open(input, options) {
    const context = this.#call(options, this.#plan.stream);
    this.#enter(context);
    try {
      return await this.#openRun(input, options, context);
    } catch (error) {
      context.atWork?.leave();
      throw error;
    }
  }

  /** @param {unknown} input @param {Config | undefined} options @param {CallContext} context */
  async #openRun(input, options, context) {
    if (this.debug) await EVENTS.load();
    const tracers = tracersLoading();
    if (tracers !== undefined) await tracers;
    let checked = checkCall(this.#plan, input);
    if (isPromise(checked)) checked = await checked;
    const given = context.config.streamMode;
    const mode = given === undefined ? (context.nested ? "values" : this.streamMode) : given;
    const modes = readModes(mode);
    if (this._isVersioned && !context.nested) context.config = await this._bringUp(context.config);
    const outlet = new Outlet(mode, given === undefined, options);
    const emit = (
      /** @type {string[]} */ namespace,
      /** @type {string} */ name,
      /** @type {unknown} */ payload,
    ) => outlet.push(namespace, name, payload);
    context.stream = outlet.stream;
    if (isCommand(input))
      checked = this.#checkResume(/** @type {Command} */ (checked), context, options);
    if (isPromise(checked)) checked = await checked;
    const request = makeRequest(this.#plan, this, checked, context);
    Object.assign(request, listenThrough(this.#plan, modes, context, emit, !!options?.subgraphs));
    this.#run(this.#graphs.of(context.outputKeys), request, input)
      .finally(() => context.atWork?.leave())
      .then(
        (result) => outlet.end(result),
        (/** @type {unknown} */ error) => outlet.fail(error),
      );
    return outlet.stream.opened((reason) => {
      const started = /** @type {Run} */ (context.started);
      started.giveUp(abortError(reason));
      return started.promise.catch(() => {});
    });
  }

  /** Parts for reading and editing threads. @returns {import("./get-state.js").Parts} */
  get _parts() {
    return { plan: this.#plan, graph: this.#graphs.whole, store: this.store };
  }

  /** @param {unknown} input @param {Config} [options] */
  async *_streamIterator(input, options) {
    yield* await this.#open(input, options);
  }
}
