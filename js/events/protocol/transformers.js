// SPDX-License-Identifier: MIT
// Defines the transformers of every run: values, messages, the lifecycle of its graphs, streams of
// its subgraphs. Does not depend on runs.
import { checkArgument, isObject } from "../../base/check-arguments.js";
import { ChatModelStreamImpl } from "./chat-stream.js";
import { select } from "./mux.js";
import { StreamChannel } from "./stream-channel.js";
import { isPrefixMatch, normalizeNamespaceSegment } from "./subscription.js";

/** @typedef {import("../../base/callable.js").Value} Value */
/** @typedef {import("./protocol.js").ProtocolEvent} ProtocolEvent */
/**
 * @typedef {Record<string, unknown> & { namespace: string[], timestamp: number, event: string }}
 *   LifecycleEntry
 */

/** Events of a message that its reader receives. */
const MESSAGE_EVENTS = /^(message-(start|finish)|content-block-(start|delta|finish)|error)$/;

/** @param {unknown} transformer @returns {boolean} */
export function isNativeTransformer(transformer) {
  return /** @type {{ __native?: unknown } | undefined} */ (transformer)?.__native === true;
}

/** @param {string[]} left @param {string[]} right */
function isSame(left, right) {
  return left.length === right.length && left.every((segment, i) => segment === right[i]);
}

/** @param {string[]} path */
export function createValuesTransformer(path) {
  /** @type {StreamChannel<Record<string, unknown>>} */
  const log = StreamChannel.local();
  return {
    init: () => ({ _valuesLog: log }),
    /** @param {ProtocolEvent} event */
    process({ method, params }) {
      if (method === "values" && isSame(params.namespace, path)) log.push(params.data);
      return true;
    },
    finalize: () => log._close(),
    /** @param {unknown} error */
    fail: (error) => log._fail(error),
  };
}

/**
 * @param {string[]} path messages of its nodes are grouped
 * @param {string} [nodeFilter] only this node's messages
 * @param {number} [least] minimum length of a message's namespace: servers report messages of a
 *   graph's nodes under its own namespace
 */
export function createMessagesTransformer(path, nodeFilter, least = (path?.length ?? 0) + 1) {
  checkArgument(
    Array.isArray(path),
    "createMessagesTransformer(path): path must be a list of texts",
  );
  /** @type {StreamChannel<Value>} */
  const log = StreamChannel.local();
  /** Messages in progress. @type {Map<string, StreamChannel<unknown>>} */
  const open = new Map();
  return {
    init: () => ({ messages: log.toAsyncIterable() }),
    /** @param {ProtocolEvent} event */
    process({ method, params: { namespace, node, data } }) {
      const isHere =
        isPrefixMatch(namespace, path) &&
        namespace.length >= least &&
        namespace.length <= path.length + 1;
      if (method !== "messages" || !isHere || (nodeFilter !== undefined && node !== nodeFilter))
        return true;
      const key = `${namespace.join("|")} ${data?.run_id}`;
      if (data?.event === "message-start") {
        const events = StreamChannel.local();
        open.set(key, events);
        log.push(Object.assign(new ChatModelStreamImpl(events), { namespace, node }));
      }
      if (MESSAGE_EVENTS.test(data?.event)) open.get(key)?.push(data);
      if (data?.event !== "message-finish") return true;
      open.get(key)?._close();
      open.delete(key);
      return true;
    },
    finalize() {
      for (const events of open.values()) {
        events.push({ event: "message-finish" });
        events._close();
      }
      log._close();
    },
    /** @param {unknown} error */
    fail(error) {
      for (const events of open.values()) events._fail(error);
      log._fail(error);
    },
  };
}

/** @param {unknown} error @returns {string} */
function textOf(error) {
  if (error instanceof Error) return error.message;
  if (typeof error === "string") return error;
  try {
    return JSON.stringify(error);
  } catch {
    return String(error);
  }
}

/** @param {string[]} namespace @returns {string} */
function lastName(namespace) {
  return normalizeNamespaceSegment(namespace.at(-1) ?? "");
}

/**
 * Reports when graphs start and end.
 * @param {{ rootGraphName?: string, initialStatus?: string, emitRootOnRegister?: boolean,
 *   getGraphName?: (namespace: string[]) => string, getTerminalStatusOverride?: () =>
 *   Promise<string | undefined>, serializeError?: (error: unknown) => string }} [options]
 */
export function createLifecycleTransformer(options = {}) {
  const {
    rootGraphName = "root",
    initialStatus = "running",
    emitRootOnRegister = true,
    getGraphName = lastName,
    getTerminalStatusOverride,
    serializeError = textOf,
  } = options;
  /** @type {StreamChannel<LifecycleEntry>} */
  const log = StreamChannel.local();
  /** Active subgraphs, by namespace. @type {Map<string, string[]>} */
  const running = new Map();
  /** A subgraph that has ended, reported before the next event. @type {string[] | undefined} */
  let due;
  /** Is that known only from an update of its node? The end of a task identifies it better. */
  let isGuess = false;
  /** @type {Value} */
  let emitter;
  let isTelling = false;
  /**
   * @param {string[]} namespace
   * @param {string} event
   * @param {Record<string, unknown>} [more]
   * @param {boolean} [isShown] as an event of the run too?
   */
  const tell = (namespace, event, more, isShown = true) => {
    const timestamp = Date.now();
    const data = {
      event,
      graph_name: namespace.length === 0 ? rootGraphName : getGraphName(namespace),
      ...more,
    };
    log.push({ namespace, timestamp, ...data });
    isTelling = isShown;
    if (isShown)
      emitter?.push(namespace, {
        type: "event",
        seq: 0,
        method: "lifecycle",
        params: { namespace, timestamp, data },
      });
    isTelling = false;
  };
  const settle = () => {
    const ended = due;
    due = undefined;
    if (ended !== undefined && running.delete(ended.join("|"))) tell(ended, "completed");
  };
  /**
   * @param {string[]} namespace
   * @param {(segment: string) => boolean} isIt
   * @returns {string[] | undefined} one of the direct subgraphs
   */
  const find = (namespace, isIt) =>
    [...running.values()].find(
      (inside) =>
        inside.length === namespace.length + 1 &&
        isPrefixMatch(inside, namespace) &&
        isIt(inside[namespace.length]),
    );
  /** @type {Set<string>} */
  const known = new Set();
  return {
    __native: /** @type {true} */ (true),
    init: () => ({ _lifecycleLog: log, lifecycle: filterLifecycleEntries(log, []) }),
    /** @param {unknown} given */
    onRegister(given) {
      emitter = given;
      if (emitRootOnRegister) tell([], initialStatus);
    },
    /** @param {ProtocolEvent} event */
    process({ method, params: { namespace, node, data } }) {
      // Only this transformer may report lifecycles.
      if (method === "lifecycle") return isTelling;
      const isEnd = method === "tasks" && data?.result !== undefined;
      if (
        isEnd &&
        isGuess &&
        due !== undefined &&
        isSame(due.slice(0, -1), namespace) &&
        lastName(due) === data.name
      )
        due = undefined;
      settle();
      for (let depth = 1; depth <= namespace.length; depth++) {
        const inside = namespace.slice(0, depth);
        const key = inside.join("|");
        if (known.has(key)) continue;
        known.add(key);
        running.set(key, inside);
        tell(inside, "started");
      }
      isGuess = method === "updates";
      if (isEnd) due = find(namespace, (segment) => segment === `${data.name}:${data.id}`);
      else if (isGuess && node !== undefined)
        due = find(namespace, (segment) => normalizeNamespaceSegment(segment) === node);
      return true;
    },
    finalize() {
      settle();
      for (const namespace of running.values()) tell(namespace, "completed");
      /** @param {string} [status] */
      const endRoot = (status = "completed") => {
        tell([], status, undefined, emitRootOnRegister);
        log._close();
      };
      return getTerminalStatusOverride === undefined
        ? endRoot()
        : getTerminalStatusOverride().then(endRoot);
    },
    /** @param {unknown} error */
    fail(error) {
      for (const namespace of running.values()) tell(namespace, "failed");
      tell([], "failed", { error: serializeError(error) }, emitRootOnRegister);
      log._fail(error);
    },
  };
}

/** @param {Value} log @param {unknown} path */
function checkLog(log, path) {
  checkArgument(typeof log?.toAsyncIterable === "function", "log must be a StreamChannel");
  checkArgument(Array.isArray(path), "path must be a list of texts");
}

/**
 * @param {StreamChannel<LifecycleEntry>} log
 * @param {string[]} path
 * @param {number} [startAt]
 * @returns {AsyncIterable<LifecycleEntry>}
 */
export function filterLifecycleEntries(log, path, startAt = 0) {
  checkLog(log, path);
  return {
    [Symbol.asyncIterator]: () =>
      select(log.toAsyncIterable(startAt), ({ namespace }) => isPrefixMatch(namespace, path)),
  };
}

/**
 * Makes a stream for each subgraph at its first event.
 * @param {import("./mux.js").StreamMux} mux
 * @param {{ createStream: (path: string[], discoveryStart: number, eventStart: number) => Value }}
 *   options
 */
export function createSubgraphDiscoveryTransformer(mux, options) {
  checkArgument(
    isObject(mux) && typeof options?.createStream === "function",
    "createSubgraphDiscoveryTransformer(mux, options): a mux and the function options.createStream are needed",
  );
  const { createStream } = options;
  const known = new Set();
  return {
    __native: /** @type {true} */ (true),
    init: () => ({
      _discoveries: mux._discoveries,
      subgraphs: filterSubgraphHandles(mux._discoveries, []),
    }),
    /** @param {ProtocolEvent} event */
    process({ params: { namespace } }) {
      const [first] = namespace;
      if (first === undefined || known.has(first)) return true;
      known.add(first);
      const stream = createStream([first], mux._discoveries.size, mux._events.size);
      mux.register([first], stream);
      mux._discoveries.push({ ns: [first], stream });
      return true;
    },
  };
}

/**
 * @param {StreamChannel<{ ns: string[], stream: unknown }>} log
 * @param {string[]} path
 * @param {number} [startAt]
 * @returns {AsyncIterable<unknown>} streams of direct subgraphs
 */
export function filterSubgraphHandles(log, path, startAt = 0) {
  checkLog(log, path);
  return {
    async *[Symbol.asyncIterator]() {
      for await (const { ns, stream } of log.toAsyncIterable(startAt))
        if (ns.length === path.length + 1 && isPrefixMatch(ns, path)) yield stream;
    },
  };
}
