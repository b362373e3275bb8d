// SPDX-License-Identifier: MIT
// Presents a graph on a server of the LangGraph Platform with the methods of a local graph; it may
// be a node of another. Makes the requests of its methods and converts the responses. Does not
// depend on HTTP (client.js).
import { splitNamespace } from "../base/namespace.js";
import { INTERRUPT, isCommand } from "../base/constants.js";
import { GraphInterrupt, RemoteException } from "../base/errors.js";
import { checkArgument, isObject } from "../base/check-arguments.js";
import { currentScope, scopeOf } from "../base/ambient.js";
import { checkGiven, mergeConfigs } from "../base/merge-configs.js";
import { randomUuid } from "../base/uuid.js";
import { Graph } from "../runnable/drawable.js";
import { Runnable } from "../runnable/runnable.js";
import { PlatformClient } from "./client.js";
import { openRemoteRun } from "./remote-run.js";
import { protocolOf } from "./sdk-protocol.js";
import {
  drawnNode,
  plainInput,
  plainConfig,
  signalOf,
  checkpointOf,
  snapshotOf,
} from "./wire-format.js";

/** @typedef {import("../base/callable.js").Value} Value */
/** @typedef {import("../base/merge-configs.js").Config} Config */
/** @typedef {Record<string, unknown>} Fields */

/** @param {string} method @param {string} [what] */
function notSynchronous(method, what = "") {
  return new Error(
    `The synchronous "${method}"${what} is not supported for this graph. Call "${method}Async" instead.`,
  );
}

/**
 * Reads the rest of a run that asks: its thread takes an answer only when the run has ended.
 * @param {AsyncIterable<unknown>} chunks
 * @param {AbortSignal | undefined} signal
 */
async function untilEnd(chunks, signal) {
  try {
    for await (const _ of chunks);
  } catch {
    signal?.throwIfAborted(); // else the question counts, however the connection ended
  }
}

export class RemoteGraph extends Runnable {
  static lc_name = () => "RemoteGraph";

  lc_namespace = ["langgraph", "pregel"];
  lg_is_pregel = true;
  /** @type {Config | undefined} */
  config;

  /**
   * @param {{ graphId: string, client?: Value, url?: string, apiKey?: string, headers?:
   *   Record<string, string>, redirectOrigins?: string[], streamResumable?: boolean, [option:
   *   string]: Value }} params
   */
  constructor(params) {
    super();
    checkArgument(
      typeof params?.graphId === "string",
      "new RemoteGraph(params): params.graphId must be a text",
    );
    checkArgument(
      isObject(params.client ?? {}),
      "new RemoteGraph(params): params.client must be a client of the platform, as the SDK's",
    );
    const {
      graphId,
      client,
      url,
      apiKey,
      headers,
      redirectOrigins,
      config,
      interruptBefore,
      interruptAfter,
      streamResumable,
    } = params;
    this.graphId = graphId;
    this.client = client ?? new PlatformClient({ apiUrl: url, apiKey, headers, redirectOrigins });
    this.config = config;
    this.interruptBefore = interruptBefore;
    this.interruptAfter = interruptAfter;
    this.streamResumable = streamResumable;
  }

  /** @param {Config} config @returns {unknown} */
  withConfig(config) {
    return new RemoteGraph({ ...this, config: mergeConfigs(this.config, config) });
  }

  /** @param {Config | undefined} options @returns {Config} */
  #merged(options) {
    checkGiven(options);
    return mergeConfigs(this.config, options ?? currentScope()?.config);
  }

  /**
   * @param {unknown} input
   * @param {Config} [options]
   * @returns {Promise<unknown>} last values
   */
  async invoke(input, options) {
    let last;
    for await (const values of this._streamIterator(input, {
      ...this.#merged(options),
      streamMode: "values",
      subgraphs: false,
    }))
      last = values;
    return last;
  }

  /** @param {unknown} input @param {Config} [options] @returns {AsyncGenerator<unknown>} */
  async *_streamIterator(input, options) {
    const config = this.#merged(options);
    const given = config.streamMode ?? "updates";
    const isList = Array.isArray(given) && given.length > 0;
    const modes = Array.isArray(given) && !isList ? ["updates"] : [given].flat();
    const tap = (scopeOf(options) ?? currentScope())?.task.run.request.context.tap;
    const above = splitNamespace(config.configurable?.checkpoint_ns ?? "");
    const signal = signalOf(config);
    const threadId = config.configurable?.thread_id;
    const chunks = this.client.runs.stream(threadId, this.graphId, {
      ...(isCommand(input)
        ? { command: typeof input.toJSON === "function" ? input.toJSON() : input }
        : { input: plainInput(input) }),
      config: plainConfig(config),
      context: config.context ?? undefined,
      streamMode: [...new Set([...modes, "updates", ...(tap?.asked ?? [])])].map((name) =>
        name === "messages" ? "messages-tuple" : name,
      ),
      streamSubgraphs: config.subgraphs || tap !== undefined,
      streamResumable: this.streamResumable,
      interruptBefore: config.interruptBefore ?? this.interruptBefore,
      interruptAfter: config.interruptAfter ?? this.interruptAfter,
      ifNotExists: "create",
      signal,
    });
    /** Id of the run on the server, until it has ended. @type {string | undefined} */
    let runId;
    try {
      for await (const { event, data } of chunks) {
        const [name, ...namespace] = event.split("|");
        if (name === "metadata") runId = data?.run_id;
        // Passes on what a parent stream shows of subgraphs: of this graph, and of its own.
        if (tap?.asked.includes(name)) tap.emit([...above, ...namespace], name, data);
        if (name === "error")
          throw new RemoteException(typeof data === "string" ? data : JSON.stringify(data));
        if (name === "updates" && data?.[INTERRUPT] !== undefined) {
          await untilEnd(chunks, signal);
          throw new GraphInterrupt(data[INTERRUPT]);
        }
        // The chunk may be for the parent stream only. Messages are shown at any depth.
        if (
          !modes.includes(name) ||
          (namespace.length > 0 && name !== "messages" && !config.subgraphs)
        )
          continue;
        const chunk = isList ? [name, data] : [data];
        yield config.subgraphs ? [namespace, ...chunk] : isList ? chunk : data;
      }
      runId = undefined;
    } finally {
      if (signal?.aborted && typeof runId === "string" && typeof threadId === "string")
        this.#stop(threadId, runId);
    }
  }

  /**
   * Stops the run on the server when the reader aborts or leaves the stream; nobody waits for it,
   * and failures are ignored.
   * @param {string} threadId
   * @param {string} runId
   */
  async #stop(threadId, runId) {
    try {
      await this.client.runs.cancel?.(threadId, runId);
    } catch {
      // The run continues on the server.
    }
  }

  /** @param {unknown} input @param {Value} options @returns {unknown} promise of a run */
  streamEvents(input, options) {
    if (options?.version !== "v3") throw new Error("Not implemented.");
    return this.#openRun(input, options);
  }

  /** @param {Value} input @param {Value} options */
  async #openRun(input, options) {
    const config = this.#merged(options);
    const {
      interruptBefore = this.interruptBefore,
      interruptAfter = this.interruptAfter,
      transformers,
      control,
    } = options;
    for (const [name, value] of Object.entries({
      transformers,
      control,
      interruptBefore,
      interruptAfter,
      client:
        this.client.protocol === undefined && this.client.threads?.stream === undefined
          ? this.client
          : undefined,
    })) {
      if (value !== undefined)
        throw new Error(
          `RemoteGraph.streamEvents({ version: "v3" }) does not support \`${name}\`.`,
        );
    }
    const params = {
      input: plainInput(
        typeof input?.toJSON === "function" && isCommand(input) ? input.toJSON() : input,
      ),
      config: { ...plainConfig(config), recursion_limit: config.recursionLimit },
      assistant_id: this.graphId,
    };
    const protocol = this.client.protocol ?? protocolOf(this.client, this.graphId);
    return openRemoteRun(
      protocol,
      config.configurable?.thread_id ?? randomUuid(),
      params,
      signalOf(config),
      options.encoding === "text/event-stream",
    );
  }

  /**
   * @param {Config} options
   * @param {{ subgraphs?: boolean }} [query]
   * @returns {Promise<unknown>} a StateSnapshot
   */
  async getState(options, query) {
    const config = this.#merged(options);
    const state = await this.client.threads.getState(
      config.configurable?.thread_id,
      checkpointOf(config),
      query,
    );
    return snapshotOf(state, config);
  }

  /**
   * @param {Config} options
   * @param {{ limit?: number, before?: Config, filter?: Fields }} [query]
   */
  async *getStateHistory(options, query) {
    const config = this.#merged(options);
    const states = await this.client.threads.getHistory(config.configurable?.thread_id, {
      limit: query?.limit ?? 10,
      before: query?.before && checkpointOf(query.before),
      metadata: query?.filter,
      checkpoint: checkpointOf(config),
    });
    for (const state of states) yield snapshotOf(state, config);
  }

  /**
   * @param {Config} options
   * @param {unknown} values
   * @param {string} [asNode]
   * @returns {Promise<Config>} config of the new checkpoint
   */
  async updateState(options, values, asNode) {
    const config = this.#merged(options);
    const answer = await this.client.threads.updateState(config.configurable?.thread_id, {
      values,
      asNode,
      checkpoint: checkpointOf(config),
    });
    const { checkpoint } = answer;
    return {
      configurable: {
        thread_id: checkpoint.thread_id,
        checkpoint_ns: checkpoint.checkpoint_ns,
        checkpoint_id: checkpoint.checkpoint_id,
        checkpoint_map: checkpoint.checkpoint_map ?? {},
      },
    };
  }

  /** @param {unknown} [_config] @returns {unknown} */
  getGraph(_config) {
    throw notSynchronous("getGraph");
  }

  /** @param {{ xray?: boolean | number }} [config] */
  async getGraphAsync(config) {
    const { nodes, edges } = await this.client.assistants.getGraph(this.graphId, {
      xray: config?.xray,
    });
    return new Graph({ nodes: Object.fromEntries(nodes.map(drawnNode)), edges });
  }

  getSubgraphs() {
    throw notSynchronous("getSubgraphs", " method");
  }

  /**
   * @param {string} [namespace]
   * @param {boolean} [recurse]
   * @returns {AsyncGenerator<[string, RemoteGraph]>}
   */
  async *getSubgraphsAsync(namespace, recurse = false) {
    const subgraphs = await this.client.assistants.getSubgraphs(this.graphId, {
      namespace,
      recurse,
    });
    for (const [name, schema] of Object.entries(subgraphs))
      yield [
        name,
        new RemoteGraph({
          ...this,
          graphId: /** @type {Record<PropertyKey, unknown>} */ (schema).graph_id,
        }),
      ];
  }
}
