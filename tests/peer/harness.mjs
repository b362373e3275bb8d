// SPDX-License-Identifier: MIT
// One program, two packages: runs it with LangGraph.js and with Weft and compares all that it saw.
// A program is `async (lib, t) => { ... }`; `lib` holds the package's names, `t` notes what
// happens.
import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { mock, test } from "node:test";
import * as langgraph from "@langchain/langgraph";
import * as langchainMessages from "@langchain/core/messages";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import * as weft from "weftgraph";
import { checkSnapshot } from "./ids.mjs";
import { Names, Verbatim, difference, plain } from "./plain.mjs";
import { promised } from "./promised.mjs";

// WEFT_PEER_SAVER=langgraph: Weft runs on LangGraph.js's own saver, so on the SAVER port.
const saver =
  process.env.WEFT_PEER_SAVER === "langgraph" ? { MemorySaver: langgraph.MemorySaver } : {};

export const LIBRARIES = {
  langgraph: { ...langchainMessages, ...langgraph, FakeListChatModel },
  weft: { ...weft, ...saver, FakeListChatModel },
};

// What a slip in the program itself throws, or a check of what a library gave; never an
// observation.
const SLIPS = [ReferenceError, SyntaxError, assert.AssertionError];

/** Notes what a program sees, and checks the ids of every snapshot that it takes. */
export class Trace {
  #names = new Verbatim();
  /** @type {Array<[string, any]>} */
  seen = [];
  /**
   * Names of joins and other channels that trigger a node besides `branch:to:<node>`.
   * @type {string[]}
   */
  triggers = [];
  /** Names of nodes that hold graphs, whose questions are theirs. */
  around = new Set();

  /** @param {boolean} isPeer does the program run with LangGraph.js? */
  constructor(isPeer) {
    this.isPeer = isPeer;
    this.#names.once = isPeer;
    /** Are tasks shown with their errors and interrupts? */
    this.outcomes = true;
    /** Are snapshots shown with their parents? */
    this.parents = true;
  }

  /** Leaves a key out of all that is noted. @param {string} key */
  hide(key) {
    this.#names.hidden = key;
  }

  /** @param {string} label @param {any} value */
  note(label, value) {
    this.seen.push([label, plain(value, this.#names)]);
    return value;
  }

  /** Notes what `act` gives or throws. */
  async try(label, act) {
    try {
      return this.note(label, await act());
    } catch (error) {
      if (SLIPS.some((slip) => error instanceof slip)) throw error;
      this.note(`${label} threw`, error);
      return undefined;
    }
  }

  invoke(graph, input, config) {
    return this.try("invoke", () => graph.invoke(input, config));
  }

  /**
   * Notes every chunk, also those before an error. With `sorted`, messages of one step go by the
   * names of their nodes; with "all", so do the ends of its tasks (D1). With `fallible`, the chunks
   * before an error are not compared: LangGraph.js drops those that wait when it comes (D5).
   */
  async stream(graph, input, config, { sorted = false, fallible = false } = {}) {
    const chunks = [];
    try {
      for await (const chunk of await graph.stream(input, config)) chunks.push(chunk);
    } catch (error) {
      this.note("stream threw", error);
      if (fallible) return undefined;
    }
    if (!sorted) return this.note("stream", chunks);
    if (config.subgraphs !== true)
      return this.note(
        "stream",
        sortUpdates(
          chunks.map((chunk) => this.#bare(chunk)),
          sorted,
        ),
      );
    for (const [namespace, own] of byNamespace(chunks)) {
      this.note(`stream of ${namesOf(namespace)}`, [
        namespace,
        sortUpdates(
          own.map((chunk) => withoutParents(namespace, this.#bare(chunk))),
          sorted,
        ),
      ]);
    }
  }

  /**
   * A checkpoint without what LangGraph.js lets out of its own listeners, and without parents where
   * they are not compared.
   */
  #bare([mode, payload]) {
    if (mode !== "checkpoints") return [mode, payload];
    const bare = (config) =>
      config && {
        ...config,
        callbacks: undefined,
        configurable: withoutPrivate(config.configurable),
      };
    return [
      mode,
      {
        ...payload,
        tasks: payload.tasks.map(withoutAbort).map(withoutParent),
        config: bare(payload.config),
        parentConfig: this.parents ? bare(payload.parentConfig) : undefined,
      },
    ];
  }

  state(graph, config, options) {
    return this.try("state", async () => {
      const snapshot = this.#check(await graph.getState(config, options));
      return this.#shown(this.isPeer ? await askedAgain(graph, snapshot) : snapshot);
    });
  }

  /**
   * Where a Command edited the thread, LangGraph.js shows the edit in the checkpoint before it too
   * (D3): `edited` leaves the state out.
   */
  history(graph, config, query, { edited = false } = {}) {
    return this.try("history", async () => {
      const snapshots = [];
      for await (const snapshot of graph.getStateHistory(config, query)) {
        snapshots.push({
          ...this.#shown(this.#check(snapshot)),
          ...(edited ? { values: undefined, next: undefined, tasks: undefined } : {}),
        });
      }
      const ids = snapshots.map((snapshot) => snapshot.config.configurable.checkpoint_id);
      assert.deepEqual(
        ids,
        [...ids].sort().reverse(),
        "history goes from the newest id to the oldest",
      );
      return snapshots;
    });
  }

  update(graph, config, values, asNode) {
    return this.try("update", () => graph.updateState(config, values, asNode));
  }

  /**
   * LangGraph.js shows what every attempt of a task left, Weft what the last one left (D4); under
   * durability exit LangGraph.js shows the checkpoint that was saved last as the parent of those
   * that it does not save.
   */
  #shown(snapshot) {
    const shown = this.parents ? { ...snapshot } : { ...snapshot, parentConfig: undefined };
    shown.tasks = shown.tasks
      ?.map(withoutAbort)
      .map((task) =>
        task.state === undefined ? task : { ...task, state: this.#within(task.state) },
      );
    if (this.outcomes) return shown;
    return { ...shown, tasks: shown.tasks.map(({ id, name, path }) => ({ id, name, path })) };
  }

  /** What stands in a task of a snapshot: the config, or the snapshot, of the graph inside. */
  #within(state) {
    const own = (config) =>
      config && { ...config, configurable: withoutPrivate(config.configurable) };
    if (state.config === undefined) return own(state);
    const asks = state.tasks.some(({ interrupts }) => interrupts.length > 0);
    const tasks = state.tasks.map(withoutParent);
    return this.#shown({
      ...state,
      tasks,
      next: asks ? undefined : state.next,
      config: own(state.config),
      parentConfig: own(state.parentConfig),
    });
  }

  #check(snapshot) {
    if (this.triggers !== undefined) checkSnapshot(snapshot, this.triggers, this.around);
    return snapshot;
  }
}

/**
 * A task that was cut short has no error of its own; LangGraph.js gives it the signal's, for ever.
 */
function withoutAbort(task) {
  return ["AbortError", "TimeoutError"].includes(task.error?.name)
    ? { ...task, error: undefined, isAborted: true }
    : task;
}

/**
 * Where LangGraph.js shows that error, it may not show what the task wrote, nor what it holds and
 * the error of an earlier run.
 * @param {any} ours
 * @param {any} theirs what both saw
 */
function forgetAborted(ours, theirs) {
  if (typeof theirs !== "object" || theirs === null) return;
  if (theirs.isAborted) {
    delete theirs.isAborted;
    if (theirs.result === undefined) delete ours?.result;
    delete ours?.error;
    delete ours?.state;
  }
  for (const [key, value] of Object.entries(theirs)) forgetAborted(ours?.[key], value);
}

const SPECIAL = new Set(["__error__", "__interrupt__", "__resume__"]);

/**
 * LangGraph.js leaves a task out of `next` once it has an answer, though it asks again or fails;
 * Weft keeps it (D2).
 */
async function askedAgain(graph, snapshot) {
  const stays = (task) => task.interrupts.length > 0 || task.error !== undefined;
  if (!snapshot.tasks.some(stays)) return snapshot;
  const { pendingWrites } = await graph.checkpointer.getTuple(snapshot.config);
  const isAnswered = (task) =>
    pendingWrites.some(([id, channel]) => id === task.id && channel === "__resume__");
  if (!snapshot.tasks.some((task) => stays(task) && isAnswered(task))) return snapshot;
  const done = new Set(
    pendingWrites.filter(([, channel]) => !SPECIAL.has(channel)).map(([task]) => task),
  );
  return {
    ...snapshot,
    next: snapshot.tasks.filter((task) => !done.has(task.id)).map((task) => task.name),
  };
}

/** The beginning of a call of task(), which may come as late as those before it are shown. */
function isCalled(mode, payload) {
  return (
    mode === "tasks" &&
    payload.result === undefined &&
    Array.isArray(payload.input) &&
    payload.triggers[0] === "__pregel_push"
  );
}

const RANDOM_ID = /^[0-9a-f]{8}-/;

/** Objects of the two packages have their keys in different orders, and ids of their own. */
function ordered(_, value) {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, id]) => key !== "id" || !RANDOM_ID.test(id))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/**
 * What an update, an interrupt or the end of a task is sorted by; undefined for what separates
 * steps. `started` holds ids in order, `askers` who asked what.
 */
function orderOf([mode, payload], started, askers) {
  const asked = payload?.__interrupt__;
  if (isCalled(mode, payload)) return ` ${JSON.stringify(payload.input)}`;
  if (asked?.length > 0)
    return `${mode} ${JSON.stringify(asked.map(({ value }) => value))} ${String(started.indexOf(askers.get(asked[0].id))).padStart(6)}`;
  if (mode === "tasks") {
    const isStart = payload.result === undefined;
    // A handler starts when a task has failed, whatever its neighbours do.
    const isHandler = payload.name.startsWith("__error_handler__");
    const place = isHandler
      ? `handlers ${payload.name}`
      : String(started.indexOf(payload.id)).padStart(6);
    return isStart && !isHandler ? undefined : `${mode} ${place} ${isStart ? 0 : 1}`;
  }
  if (mode === "messages")
    return `${mode} ${payload[1].langgraph_node} ${JSON.stringify(payload[1].langgraph_path)} ${payload[0].content}`;
  return mode === "updates" || mode === "custom"
    ? `${mode} ${JSON.stringify(payload, ordered)}`
    : undefined;
}

/**
 * @param {any[]} given [mode, payload], `values` among them, so that steps stay apart
 * @param {true | "all"} what
 */
function sortUpdates(given, what) {
  const sorted = [];
  const chunks = withoutLost(inTheirStep(given));
  const started = chunks.flatMap(([mode, payload]) =>
    mode === "tasks" && payload.result === undefined ? [payload.id] : [],
  );
  const askers = new Map(
    chunks.flatMap(([mode, payload]) =>
      mode === "tasks" && payload.result !== undefined
        ? payload.interrupts.map(({ id }) => [id, payload.id])
        : [],
    ),
  );
  const place = (chunk) =>
    what === "all" || chunk[0] === "messages" ? orderOf(chunk, started, askers) : undefined;
  for (const chunk of chunks) {
    const order = place(chunk);
    let at = sorted.length;
    while (order !== undefined && at > 0 && place(sorted[at - 1]) > order) at--;
    sorted.splice(at, 0, chunk);
  }
  return sorted;
}

/**
 * LangGraph.js passes messages of nodes through one queue of callbacks for the whole process, so
 * that whatever else goes on moves them (D1): each goes behind the beginnings of its step.
 */
function inTheirStep(given) {
  const isStart = ([mode, payload]) => mode === "tasks" && payload.result === undefined;
  const isHandler = ([, { name }]) => name.startsWith("__error_handler__");
  const chunks = [];
  for (const chunk of given) {
    const task =
      chunk[0] === "messages"
        ? chunk[1][1].langgraph_checkpoint_ns?.split("|").at(-1).split(":")[1]
        : undefined;
    let at = chunks.findLastIndex((one) => isStart(one) && one[1].id === task) + 1;
    if (task === undefined || at === 0) at = chunks.length;
    else
      while (
        at < chunks.length &&
        ((isStart(chunks[at]) && !isHandler(chunks[at])) || chunks[at][0] === "messages")
      )
        at++;
    chunks.splice(at, 0, chunk);
  }
  return chunks;
}

// LangGraph.js shows at least so many messages of a run's last step.
const LAST_MESSAGES = 5;

/**
 * Where a run ends, LangGraph.js drops messages of its last step that are still in that queue: all
 * where it stops early, else those of many nodes (D5). Of two removals of everything only the first
 * is shown, so that the order decides whose it is (D1).
 */
function withoutLost(given) {
  const chunks = given.filter(
    ([mode, payload]) => mode !== "messages" || payload[0].id !== "__remove_all__",
  );
  const asked = chunks.findLast(
    ([mode, payload]) => mode === "values" && payload?.__interrupt__ !== undefined,
  )?.[1].__interrupt__;
  const last = chunks.findLast(([mode]) => mode === "checkpoints")?.[1].metadata.step;
  if (last === undefined) return chunks;
  const shown = asked === undefined || asked.length > 0 ? last : last - 1;
  let count = 0;
  const isKept = (step) =>
    asked === undefined ? step < shown || ++count <= LAST_MESSAGES : step <= shown;
  return chunks.filter(
    ([mode, payload]) => mode !== "messages" || isKept(payload[1].langgraph_step),
  );
}

/** LangGraph.js stores a Command for the parent as an error of the task that gave it. */
function withoutParent(task) {
  return task.error?.name === "ParentCommand" ? { ...task, error: undefined } : task;
}

/** LangGraph.js shows its own keys in the config of a checkpoint inside. */
function withoutPrivate(configurable) {
  return (
    configurable &&
    Object.fromEntries(Object.entries(configurable).filter(([key]) => !key.startsWith("__pregel")))
  );
}

/**
 * A checkpoint that a graph with a namespace of its own found shows in LangGraph.js what it was
 * made beneath, in Weft what it runs beneath.
 */
function withoutParents(namespace, [mode, payload]) {
  const isOwn =
    mode === "checkpoints" && namespace !== "" && !namespace.split("|").at(-1).includes(":");
  return isOwn
    ? [mode, { ...payload, metadata: { ...payload.metadata, parents: undefined } }]
    : [mode, payload];
}

/** @param {string} namespace */
function namesOf(namespace) {
  return namespace.replace(/:[^|]*/g, "");
}

/**
 * Chunks of a stream with subgraphs, by namespace: runs inside one step go on side by side, so only
 * what each shows has an order. Namespaces follow in the order in which the tasks around them were
 * shown first.
 * @param {any[]} chunks @returns {Map<string, any[]>}
 */
function byNamespace(chunks) {
  const found = new Map([["", []]]);
  for (const [namespace, mode, payload] of chunks) {
    const key = namespace.join("|");
    if (!found.has(key)) found.set(key, []);
    found.get(key).push([mode, payload]);
  }
  const started = chunks.flatMap(([, mode, payload]) =>
    mode === "tasks" && payload.result === undefined ? [payload.id] : [],
  );
  const place = (namespace) =>
    namespace
      .split("|")
      .map((part) => String(started.indexOf(part.split(":")[1]) + 1).padStart(4))
      .join();
  return new Map(
    [...found].sort(
      ([a], [b]) =>
        a.split("|").length - b.split("|").length ||
        (namesOf(a) + place(a) < namesOf(b) + place(b) ? -1 : 1),
    ),
  );
}

/** @param {(lib: any, t: Trace) => any} program @param {string} name of the library */
export async function see(program, name) {
  const trace = new Trace(name === "langgraph");
  // Each program starts outside of any graph, whatever ran before.
  await new AsyncLocalStorage().run(undefined, () => program(LIBRARIES[name], trace));
  return trace.seen;
}

/** What was seen, with random ids by their first occurrence. */
const named = (seen) => plain(seen, new Names());

/**
 * Runs a program with both packages: they saw the same, in the same order as far as one is
 * promised.
 * @returns the text of the first difference, or undefined
 */
export async function compare(program) {
  const theirs = await see(program, "langgraph");
  assert(theirs.length > 0, "the program noted nothing");
  const ours = await see(program, "weft");
  return different(ours, theirs) && different(promised(ours), promised(theirs));
}

/** @param {any} ours @param {any} theirs */
function different(ours, theirs) {
  const [left, right] = [named(ours), named(theirs)];
  forgetAborted(left, right);
  return difference(left, right);
}

/**
 * One test: the facts that it serves, what it says, the program.
 * @param {string} facts numbers of tests/peer/facts.mjs, with commas
 * @param {string} title
 * @param {(lib: any, t: Trace) => any} program
 */
export function fact(facts, title, program) {
  test(`[${facts}] ${title}`, async () => {
    const found = await compare(program);
    if (found !== undefined) assert.fail(`Weft (+) differs from LangGraph.js (-):\n${found}`);
  });
}

/**
 * The program in a time of its own, in which each turn of the event loop takes 1 ms: what is late
 * in it does not hang on the machine. For nodes that wait by `pause`.
 * @param {(lib: any, t: Trace) => any} program
 */
export function inTime(program) {
  return async (lib, t) => {
    mock.timers.enable({ apis: ["setTimeout", "Date"], now: Date.now() });
    const signals = mock.method(AbortSignal, "timeout", timeoutSignal);
    let isOver = false;
    const outcome = Promise.allSettled([program(lib, t)]).finally(() => (isOver = true));
    while (!isOver) {
      await new Promise((resolve) => setImmediate(resolve));
      mock.timers.tick(1);
    }
    mock.timers.reset();
    signals.mock.restore();
    const [{ reason }] = await outcome;
    if (reason !== undefined) throw reason;
  };
}

/** An AbortSignal.timeout() of the time that timers have. @param {number} ms */
function timeoutSignal(ms) {
  const controller = new AbortController();
  setTimeout(
    () =>
      controller.abort(
        new DOMException("The operation was aborted due to timeout", "TimeoutError"),
      ),
    ms,
  );
  return controller.signal;
}

export const pause = (ms, value) => new Promise((resolve) => setTimeout(resolve, ms, value));

/** A config of a thread. */
export function thread(id, more) {
  const { configurable, ...rest } = more ?? {};
  return { ...rest, configurable: { thread_id: id, ...configurable } };
}

/** A list that grows, by a reducer of the host. */
export function logState(lib, more) {
  const log = lib.Annotation({ reducer: (left, right) => left.concat(right), default: () => [] });
  return lib.Annotation.Root({ log, ...more });
}

/** START -> one node after the other: its function, or that and its options. */
export function chain(lib, nodes, { state, ...options } = {}) {
  const builder = new lib.StateGraph(state ?? logState(lib, { x: lib.Annotation }));
  let last = lib.START;
  for (const [name, act] of Object.entries(nodes)) {
    builder.addNode(name, ...[act].flat()).addEdge(last, name);
    last = name;
  }
  return builder.compile(options);
}
