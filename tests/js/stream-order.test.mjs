// SPDX-License-Identifier: MIT
// Serves: what docs/guides/streaming.md promises of the order of chunks, events and callbacks.
// Random graphs whose nodes wait for random times; the random numbers are of a seed, the times that
// nodes really take are not.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AIMessage,
  Annotation,
  END,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  entrypoint,
  task,
} from "weftgraph";
import { TestClock, testIds } from "weftgraph/testing";

const PROGRAMS = 24;
const SEED = Number(process.env.WEFT_SEED ?? 20261124);
const MODES = ["values", "updates", "tasks", "custom", "messages", "debug", "checkpoints"];
const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  log: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
});

/** mulberry32 @param {number} seed */
function randomOf(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / 4294967296;
  };
  return {
    below: (/** @type {number} */ limit) => Math.floor(next() * limit),
    of: (/** @type {any[]} */ list) => list[Math.floor(next() * list.length)],
  };
}

/**
 * What a step's nodes do: how long each waits in turns of the event loop (undefined: it is
 * synchronous), then in awaits; what it does besides.
 */
function specOf(random) {
  const node = (deep) => ({
    ms: random.of([undefined, undefined, 0, 0, 1, 2, 3]),
    awaits: random.below(6),
    writes: random.below(3),
    does: random.of(
      deep
        ? ["returns", "returns", "returns", "retries", "handled", "graph", "calls"]
        : ["returns", "retries"],
    ),
  });
  const steps = (deep) =>
    Array.from({ length: 1 + random.below(deep ? 3 : 2) }, () =>
      Array.from({ length: 1 + random.below(4) }, () => ({
        ...node(deep),
        steps: deep ? steps(false) : [],
      })),
    );
  return { steps: steps(true), isRouted: random.of([true, false]) };
}

/** A turn of its own for whoever waits. */
class Watch {
  turn = 0;
  /** The turn in which each task ended, by its id in the namespace. @type {Map<string, number>} */
  ends = new Map();
  /**
   * Who waited for the run itself, which lets the event loop turn uncounted.
   * @type {Set<string>}
   */
  waited = new Set();
  constructor(clock) {
    this.clock = clock ?? { setTimeout };
  }

  wait(ms) {
    return new Promise((resolve) => this.clock.setTimeout(() => resolve(this.turn++), ms));
  }
}

/** The graph that a description makes. */
function graphOf({ steps, isRouted }, watch, more, prefix = "") {
  const builder = new StateGraph(State);
  const names = steps.map((nodes, step) => nodes.map((_, at) => `${prefix}s${step}n${at}`));
  for (const [step, nodes] of steps.entries()) {
    for (const [at, node] of nodes.entries()) {
      const name = names[step][at];
      const handled = { errorHandler: () => ({ log: [`handled ${name}`] }) };
      const retried = {
        retryPolicy: { maxAttempts: 3, initialInterval: 1, jitter: false, logWarning: false },
      };
      builder.addNode(name, actOf(node, name, watch), {
        ...(node.does === "handled" ? handled : {}),
        ...(node.does === "retries" ? retried : {}),
      });
    }
  }
  for (const first of names[0]) builder.addEdge(START, first);
  for (const [step, list] of names.entries())
    for (const name of list) {
      if (step + 1 === names.length) builder.addEdge(name, END);
      else if (isRouted)
        builder.addConditionalEdges(name, async () => names[step + 1], names[step + 1]);
      else for (const next of names[step + 1]) builder.addEdge(name, next);
    }
  return builder.compile(more);
}

function actOf(node, name, watch) {
  const { ms, awaits, does } = node;
  let attempts = 0;
  const inside =
    does === "graph"
      ? graphOf({ steps: node.steps, isRouted: false }, watch, undefined, `${name}/`)
      : undefined;
  const job = task(`job ${name}`, async (n) => (await watch.wait(n), n));
  const finish = (config) => {
    if (does === "handled" || (does === "retries" && attempts++ === 0)) throw new Error("fails");
    watch.ends.set(config.configurable.checkpoint_ns, watch.turn);
    if (does === "calls" || does === "graph") watch.waited.add(config.configurable.checkpoint_ns);
    return { log: [name], messages: [new AIMessage({ content: name, id: `${name}.` })] };
  };
  const write = (config) => {
    for (let i = 0; i < node.writes; i++)
      config.writer?.({ by: config.configurable.checkpoint_ns });
  };
  // Another attempt begins with a timer of its own.
  const begin = (config) => {
    if (attempts > 0) watch.turn++;
    write(config);
  };
  if (ms === undefined && (does === "returns" || does === "retries"))
    return (_, config) => (begin(config), finish(config));
  return async (state, config) => {
    begin(config);
    if (ms !== undefined) await watch.wait(ms);
    for (let i = 0; i < awaits; i++) await null;
    if (inside !== undefined) await inside.invoke({ messages: [], log: [] }, config);
    if (does === "calls") await Promise.all([job(0), job(1)]);
    write(config);
    return finish(config);
  };
}

/** The chunks of a graph, by its namespace. */
function byGraph(chunks) {
  const found = new Map();
  for (const [namespace, mode, payload] of chunks) {
    const key = namespace.join("|");
    if (!found.has(key)) found.set(key, []);
    found.get(key).push([mode, payload]);
  }
  return found;
}

const isCall = ({ input }) => Array.isArray(input);

/** All that is promised of one graph's chunks. */
function checkGraph(chunks, namespace, watch) {
  const begun = new Map();
  const ended = [];
  const shown = [];
  for (const [mode, payload] of chunks) {
    if (mode === "tasks" && payload.result === undefined) {
      assert(!begun.has(payload.id), "a task begins once");
      begun.set(payload.id, payload);
    } else if (mode === "tasks") {
      assert(begun.has(payload.id), `the start of ${payload.name} comes before its end`);
      assert(!ended.includes(payload.id), "a task ends once");
      ended.push(payload.id);
    } else if (mode === "updates")
      shown.push(...Object.values(payload).flatMap((update) => update?.log ?? []));
    else if (mode === "values")
      assert.deepEqual(
        [...payload.log].sort(),
        [...shown].sort(),
        "values come behind all updates of the step, and before the next",
      );
    else if (mode === "custom") {
      const id = payload.by
        .split("|")
        [namespace === "" ? 0 : namespace.split("|").length].split(":")[1];
      assert(
        begun.has(id) && !ended.includes(id),
        "what a task writes comes between its start and its end",
      );
    } else if (mode === "messages")
      assert(!shown.includes(payload[0].content), "a message comes before the result");
  }
  assert.deepEqual([...begun.keys()].sort(), [...ended].sort(), "who begins ends");
  checkEnds([...begun.values()], ended, namespace, watch);
}

/** Tasks are shown in the order in which they end, those of one turn in the order of their step. */
function checkEnds(begun, ended, namespace, watch) {
  const place = (id) => begun.findIndex((one) => one.id === id);
  const keyOf = (id) => `${namespace === "" ? "" : `${namespace}|`}${begun[place(id)].name}:${id}`;
  const turnOf = (id) => watch.ends.get(keyOf(id));
  // Of a task that waited for the run only the least turn is known.
  const isCounted = (id) => !watch.waited.has(keyOf(id));
  const known = ended.filter((id) => turnOf(id) !== undefined && !isCall(begun[place(id)]));
  for (const [at, id] of known.entries()) {
    const before = known[at - 1];
    if (before === undefined) continue;
    assert(
      turnOf(before) < turnOf(id) ||
        (turnOf(before) === turnOf(id) && (place(before) < place(id) || !isCounted(id))),
      `${begun[place(before)].name} ended in turn ${turnOf(before)}, ${begun[place(id)].name} in ${turnOf(id)}`,
    );
  }
}

const input = () => ({ messages: [], log: [] });
let threads = 0;
const config = (more) => ({ configurable: { thread_id: `${threads++}` }, ...more });

/** @param {(random: any, spec: any, watch: Watch) => Promise<void>} play */
async function each(play) {
  for (let at = 0; at < PROGRAMS; at++) {
    const random = randomOf(SEED + at);
    const spec = specOf(random);
    try {
      await play(random, spec, new Watch());
    } catch (error) {
      error.message += `\nWEFT_SEED=${SEED + at}: ${JSON.stringify(spec)}`;
      throw error;
    }
  }
}

for (const subgraphs of [true, false]) {
  test(`chunks of all modes${subgraphs ? ", with those of graphs inside" : ""}`, async () => {
    await each(async (_, spec, watch) => {
      const chunks = [];
      const app = graphOf(spec, watch, { checkpointer: new MemorySaver() });
      for await (const chunk of await app.stream(input(), config({ streamMode: MODES, subgraphs })))
        chunks.push(subgraphs ? chunk : [[], ...chunk]);
      for (const [namespace, own] of byGraph(chunks)) checkGraph(own, namespace, watch);
      if (subgraphs) checkInside(chunks);
    });
  });
}

/** What a graph inside a task shows comes between the task's start and its end. */
function checkInside(chunks) {
  const running = new Set();
  for (const [namespace, mode, payload] of chunks) {
    for (const part of namespace)
      assert(
        running.has(part.split(":")[1]),
        "a graph inside shows what it does while its task runs",
      );
    if (mode !== "tasks") continue;
    if (payload.result === undefined) running.add(payload.id);
    else running.delete(payload.id);
  }
}

test("each mode by itself has the order that it has among others", async () => {
  await each(async (_, spec) => {
    const play = async (streamMode) => {
      const chunks = [];
      const watch = new Watch();
      for await (const chunk of await graphOf(
        {
          ...spec,
          steps: spec.steps.map((nodes) =>
            nodes.map((node) => ({ ...node, ms: undefined, does: "returns" })),
          ),
        },
        watch,
      ).stream(input(), { streamMode }))
        chunks.push(chunk);
      return chunks;
    };
    const plain = (chunks) =>
      JSON.parse(
        JSON.stringify(chunks, (key, value) =>
          key === "id" || key === "by" || key === "timestamp" || key.endsWith("checkpoint_ns")
            ? undefined
            : value,
        ),
      );
    const all = await play(MODES.filter((mode) => mode !== "checkpoints"));
    for (const mode of MODES)
      if (mode !== "checkpoints")
        assert.deepEqual(
          plain(await play(mode)),
          plain(all.filter(([one]) => one === mode).map(([, payload]) => payload)),
        );
  });
});

test("three nodes that end in one turn in any order, and one later", async () => {
  for (const order of ["abc", "acb", "bac", "bca", "cab", "cba"]) {
    const gates = {};
    const builder = new StateGraph(State);
    for (const name of "abcd")
      builder
        .addNode(
          name,
          () => new Promise((resolve) => (gates[name] = () => resolve({ log: [name] }))),
        )
        .addEdge(START, name);
    const seen = [];
    const reading = (async () => {
      for await (const chunk of await builder.compile().stream(input()))
        seen.push(...Object.keys(chunk));
    })();
    while (Object.keys(gates).length < 4) await new Promise(setImmediate);
    for (const name of order.slice(0, 2)) gates[name]();
    await new Promise(setImmediate);
    assert.deepEqual(seen, [...order.slice(0, 2)].sort());
    gates[order[2]]();
    await new Promise(setImmediate);
    gates.d();
    await reading;
    assert.deepEqual(seen.slice(2), [order[2], "d"]);
  }
});

test("nodes that end while the run waits for a slow reader are shown in the order in which they ended", async () => {
  const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const acts = { slow: () => after(20), quick: () => after(5), first: () => undefined };
  const builder = new StateGraph(State);
  for (const [name, act] of Object.entries(acts))
    builder.addNode(name, async () => (await act(), { log: [name] })).addEdge(START, name);
  const ended = [];
  for await (const chunk of await builder.compile().stream(input(), { streamMode: "updates" })) {
    ended.push(...Object.keys(chunk));
    await after(50);
  }
  assert.deepEqual(ended, ["first", "quick", "slow"]);
});

for (const version of ["v1", "v2"]) {
  test(`events of version ${version}: a run begins before it ends, what it gives stands between, and a step before the next one`, async () => {
    await each(async (_, spec, watch) => {
      const begun = new Set();
      const ended = new Set();
      let root;
      let updates = 0;
      const lasts = [];
      for await (const { event, name, run_id: id, data, metadata } of graphOf(
        spec,
        watch,
      ).streamEvents(input(), { version })) {
        root ??= id;
        lasts.push(id);
        if (event.endsWith("_start")) {
          assert(!begun.has(id));
          begun.add(id);
          assert(id === root || begun.has(root));
          // Its step begins when all is told that the one before has written.
          if (name === metadata.langgraph_node && /^s\d+n\d+$/.test(name))
            assert.equal(
              updates >= spec.steps.slice(0, metadata.langgraph_step - 1).flat().length,
              true,
              name,
            );
        } else if (event.endsWith("_end")) {
          assert(begun.has(id) && !ended.has(id));
          ended.add(id);
        } else if (event.endsWith("_stream")) {
          assert(begun.has(id) && !ended.has(id));
          if (id === root)
            updates += Object.keys(data.chunk).filter((key) =>
              /^(__error_handler__)?s\d+n\d+$/.test(key),
            ).length;
        }
      }
      assert.equal(lasts.at(-1), root, "the graph ends last");
      if (version === "v1")
        assert.deepEqual(
          [...begun].filter((id) => !ended.has(id)),
          [],
        );
    });
  });
}

test("events of version 3", async () => {
  await each(async (_, spec, watch) => {
    const chunks = [];
    for await (const { method, params } of await graphOf(spec, watch).streamEvents(input(), {
      version: "v3",
    })) {
      if (["tasks", "values", "updates", "custom"].includes(method))
        chunks.push([
          params.namespace,
          method,
          method === "custom" ? (params.data.payload ?? params.data) : params.data,
        ]);
    }
    for (const [namespace, own] of byGraph(chunks))
      checkGraph(
        own.filter(([mode]) => mode !== "custom"),
        namespace,
        watch,
      );
  });
});

/** Notes what is told of each run. */
function listener() {
  const runs = new Map();
  const start = (...given) => {
    const [, , id, parent] = given;
    assert(!runs.has(id), "a run begins once");
    assert(
      parent === undefined || runs.get(parent)?.ends === 0,
      "a run begins while the one around it is at work",
    );
    runs.set(id, { parent, ends: 0 });
  };
  const end = (value, id) => {
    const run = runs.get(id);
    assert.equal(run?.ends, 0, "a run ends once, behind its start");
    Object.assign(run, {
      ends: 1,
      error: value instanceof Error || value instanceof DOMException ? value : undefined,
    });
  };
  return {
    runs,
    handler: {
      name: "listener",
      awaitHandlers: true,
      raiseError: true,
      handleChainStart: start,
      handleChainEnd: end,
      handleChainError: end,
      handleToolStart: start,
      handleToolEnd: end,
      handleToolError: end,
    },
  };
}

test("callbacks: a run begins before it ends, inside the one around it, and all end", async () => {
  await each(async (_, spec, watch) => {
    const { runs, handler } = listener();
    await graphOf(spec, watch).invoke(input(), { callbacks: [handler] });
    assert.deepEqual(
      [...runs.values()].filter(({ ends }) => ends !== 1),
      [],
    );
  });
});

test("a step that fails: who did not end shows no result, and its run is told an error", async () => {
  const never = () => new Promise(() => {});
  const inside = new StateGraph(State).addNode("deep", never).addEdge(START, "deep").compile();
  const app = new StateGraph(State)
    .addNode("fails", async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      throw new RangeError("no");
    })
    .addNode("hangs", never)
    .addNode("graph", inside)
    .addNode("done", () => ({ log: ["done"] }))
    .addNode("asks", () => ({}))
    .addConditionalEdges("asks", never)
    .addEdge(START, "fails")
    .addEdge(START, "hangs")
    .addEdge(START, "graph")
    .addEdge(START, "done")
    .addEdge(START, "asks")
    .compile();
  const { runs, handler } = listener();
  const results = [];
  await assert.rejects(
    async () => {
      for await (const [, payload] of await app.stream(input(), {
        streamMode: ["tasks"],
        callbacks: [handler],
      }))
        if (payload.result !== undefined) results.push([payload.name, payload.result]);
    },
    { name: "RangeError", message: "no" },
  );
  assert.deepEqual(results, [
    ["done", { log: ["done"] }],
    ["fails", {}],
  ]);
  await new Promise(setImmediate);
  const errors = [...runs.values()]
    .map(({ ends, error }) => (assert.equal(ends, 1), error?.name))
    .filter(Boolean)
    .sort();
  // The graph and the node that failed; two nodes, a node with a graph, that graph and its node, a
  // condition.
  assert.deepEqual(errors, [
    "AbortError",
    "AbortError",
    "AbortError",
    "AbortError",
    "AbortError",
    "AbortError",
    "RangeError",
    "RangeError",
  ]);
});

test("who fails in the turn in which another one fails is heard too", async () => {
  const fails = (name, awaits) => async () => {
    for (let i = 0; i < awaits; i++) await null;
    throw new Error(name);
  };
  const builder = new StateGraph(State);
  for (const [name, awaits] of [
    ["a", 9],
    ["b", 0],
    ["c", 4],
  ])
    builder.addNode(name, fails(name, awaits)).addEdge(START, name);
  const app = builder
    .addNode("d", () => new Promise(() => {}))
    .addEdge(START, "d")
    .compile();
  await assert.rejects(
    app.invoke(input()),
    ({ errors }) => (
      assert.deepEqual(errors.map(({ message }) => message).sort(), ["a", "b", "c"]), true
    ),
  );
});

test("calls of task() are shown as they come back, before what is called next begins", async () => {
  const one = task("one", async (n) => n);
  const app = entrypoint("flow", async (n) => {
    for (let i = 0; i < 3; i++) n = await one(n + 1);
    return n;
  });
  const told = [];
  for await (const [mode, payload] of await app.stream(0, { streamMode: ["updates", "tasks"] }))
    told.push(
      mode === "updates"
        ? Object.entries(payload)[0].join()
        : `${payload.name} ${payload.result === undefined ? "begins" : "ends"}`,
    );
  assert.deepEqual(told, [
    "flow begins",
    ...[1, 2, 3].flatMap((n) => ["one begins", `one,${n}`, "one ends"]),
    "flow,3",
    "flow ends",
  ]);
});

/** Works for a time that is another each time. */
function work() {
  const end = performance.now() + Math.random() * 3;
  while (performance.now() < end);
}

test("with a test clock the order is the same each time, however long nodes take", async () => {
  for (let at = 0; at < 8; at++) {
    const spec = specOf(randomOf(SEED + at));
    const play = async () => {
      const clock = new TestClock(0);
      const watch = new Watch(clock);
      const finish = watch.wait.bind(watch);
      watch.wait = (ms) => (work(), finish(ms));
      let isOver = false;
      const chunks = [];
      const app = graphOf(spec, watch);
      const reading = (async () => {
        for await (const chunk of await app.stream(input(), {
          streamMode: MODES.filter((mode) => mode !== "checkpoints"),
          subgraphs: true,
          clock,
          ids: testIds(at),
        }))
          chunks.push(chunk);
      })().finally(() => (isOver = true));
      while (!isOver) await clock.advance(1);
      await reading;
      return JSON.stringify(chunks);
    };
    const first = await play();
    for (let again = 0; again < 2; again++) assert.equal(await play(), first);
  }
});
