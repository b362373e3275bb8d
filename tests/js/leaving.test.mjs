// SPDX-License-Identifier: MIT
// A reader that leaves its stream before the end stops the run: in every mode, form of events and
// way of leaving. What was acknowledged stays, and the thread goes on.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import {
  AIMessage,
  Annotation,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "weftgraph";
import { RemoteGraph } from "weftgraph/remote";
import { KvSaver } from "weftgraph/savers/kv";

const thread = () => ({ configurable: { thread_id: "1" } });
const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  log: Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
});

/**
 * `a` shows something in every mode, `b` waits until it is stopped, unless it was stopped before;
 * `c` ends the run.
 */
function make() {
  const seen = { begun: [], reason: undefined };
  const entered = later();
  const stopped = later();
  const graph = new StateGraph(State)
    .addNode("a", (_, { writer }) => {
      seen.begun.push("a");
      writer("said");
      return { log: ["a"], messages: [new AIMessage({ id: "1", content: "said" })] };
    })
    .addNode("b", async (_, { signal }) => {
      seen.begun.push("b");
      if (seen.reason === undefined) {
        await new Promise((_, reject) => {
          signal.addEventListener("abort", () => {
            seen.reason = signal.reason;
            stopped.resolve();
            reject(signal.reason);
          });
          entered.resolve();
        });
      }
      return { log: ["b"] };
    })
    .addNode("c", () => (seen.begun.push("c"), { log: ["c"] }))
    .addEdge(START, "a")
    .addEdge("a", "b")
    .addEdge("b", "c")
    .compile({ checkpointer: new MemorySaver() });
  return { graph, seen, entered: entered.promise, stopped: stopped.promise };
}

function later() {
  const made = {};
  made.promise = new Promise((resolve) => (made.resolve = resolve));
  return made;
}

const bytes = { encoding: "text/event-stream" };
const ways = {
  ...Object.fromEntries(
    ["updates", "values", "messages", "custom", "tasks", "checkpoints", "debug"].map(
      (streamMode) => [streamMode, (graph) => graph.stream({}, { ...thread(), streamMode })],
    ),
  ),
  "several modes with subgraphs": (graph) =>
    graph.stream({}, { ...thread(), streamMode: ["updates", "messages"], subgraphs: true }),
  "server-sent events": (graph) => graph.stream({}, { ...thread(), ...bytes }),
  "events of version 1": (graph) => graph.streamEvents({}, { ...thread(), version: "v1" }),
  "events of version 2": (graph) => graph.streamEvents({}, { ...thread(), version: "v2" }),
  "events of version 2 as server-sent events": (graph) =>
    graph.streamEvents({}, { ...thread(), version: "v2", ...bytes }),
  "events of version 3 as server-sent events": (graph) =>
    graph.streamEvents({}, { ...thread(), version: "v3", ...bytes }),
  "a log": (graph) => graph.streamLog({}, thread()),
  "a sequence": (graph) => graph.pipe((state) => state).stream({}, thread()),
  "with a signal of the caller": (graph) =>
    graph.stream({}, { ...thread(), signal: new AbortController().signal }),
  "events with a signal of the caller": (graph) =>
    graph.streamEvents({}, { ...thread(), version: "v2", signal: new AbortController().signal }),
};

const leaving = {
  break: async (stream, entered) => {
    for await (const chunk of stream) {
      assert.ok(chunk);
      await entered;
      break;
    }
  },
  return: async (stream, entered) => (await entered, await stream.return()),
  throw: async (stream, entered) => (
    await entered, await assert.rejects(stream.throw(new Error("left")), /^Error: left$/)
  ),
  "await using": async (stream, entered) => (await entered, await stream[Symbol.asyncDispose]?.()),
  "cancel of the stream": async (stream, entered) => (await entered, await stream.cancel("why")),
  "cancel of a reader": async (stream, entered) => {
    const reader = stream.getReader();
    await reader.read();
    await entered;
    await reader.cancel();
  },
  "cancel of what it is piped through": async (stream, entered) => {
    const reader = stream.pipeThrough(new TransformStream()).getReader();
    await reader.read();
    await entered;
    await reader.cancel();
  },
  "cancel of both branches of a tee": async (stream, entered) => {
    await entered;
    await Promise.all(stream.tee().map((branch) => branch.cancel()));
  },
};

async function checkStopped({ graph, seen, stopped }, note) {
  await stopped;
  assert.ok(seen.reason !== undefined, note);
  const state = await graph.getState(thread());
  assert.deepEqual([seen.begun, state.values.log, state.next], [["a", "b"], ["a"], ["b"]], note);
  assert.deepEqual((await graph.invoke(null, thread())).log, ["a", "b", "c"], note);
  assert.deepEqual(seen.begun, ["a", "b", "b", "c"], note);
}

for (const [way, open] of Object.entries(ways)) {
  test(`a reader that leaves stops the run, and the thread goes on: ${way}`, async () => {
    for (const [how, leave] of Object.entries(leaving)) {
      if (how === "await using" && Symbol.asyncDispose === undefined) continue;
      // A sequence gives nothing before its first step has ended.
      if (way === "a sequence" && /^(break|cancel of (a|what))/.test(how)) continue;
      const program = make();
      const stream = await open(program.graph);
      await leave(stream, program.entered);
      await checkStopped(program, `${way}, ${how}`);
      assert.equal(stream.signal.aborted, true);
    }
  });
}

test("a run of version 3 stops when the reader of its events leaves, unless something else is read of it", async () => {
  const alone = make();
  for await (const event of await alone.graph.streamEvents({}, { ...thread(), version: "v3" })) {
    assert.ok(event);
    await alone.entered;
    break;
  }
  await checkStopped(alone, "alone");

  for (const part of ["output", "values", "messages", "lifecycle", "subgraphs"]) {
    const program = make();
    program.seen.reason = "none"; // so that `b` waits for nothing
    const run = await program.graph.streamEvents({}, { ...thread(), version: "v3" });
    assert.ok(run[part]);
    for await (const _ of run) break;
    assert.deepEqual((await run.output).log, ["a", "b", "c"], part);
  }
});

test("of two readers of a version 3 run's events the last one stops it", async () => {
  const program = make();
  const run = await program.graph.streamEvents({}, { ...thread(), version: "v3" });
  const [one, other] = [run[Symbol.asyncIterator](), run[Symbol.asyncIterator]()];
  await one.return();
  assert.equal((await other.next()).done, false);
  await program.entered;
  assert.equal(run.signal.aborted, false);
  await other.return();
  await checkStopped(program, "both left");
});

test("a reader that only stops reading stops nothing, nor does one that leaves after the end", async () => {
  const program = make();
  program.seen.reason = "none";
  const stream = await program.graph.stream({}, thread());
  await stream.next();
  for (;;) {
    const { next, values } = await program.graph.getState(thread());
    if (values.log?.length === 3 && next.length === 0) break;
    await new Promise((resolve) => setImmediate(resolve));
  }
  for await (const _ of stream);
  await stream.return();
  assert.equal(stream.signal.aborted, false);
  assert.deepEqual(program.seen.begun, ["a", "b", "c"]);
});

test("a node that leaves the stream of a graph inside stops that one alone", async () => {
  const inside = make();
  const outer = new StateGraph(Annotation.Root({ done: Annotation() }))
    .addNode("n", async (_, config) => {
      for await (const _ of await inside.graph.stream({}, config)) {
        await inside.entered;
        break;
      }
      await inside.stopped;
      return { done: config.signal.aborted };
    })
    .addEdge(START, "n")
    .compile();
  assert.deepEqual(await outer.invoke({}, thread()), { done: false });
  assert.deepEqual(inside.seen.begun, ["a", "b"]);
});

/** A chain of nodes that say when they run; `work` is what each does. */
function chain(length, begun, saver, work) {
  const graph = new StateGraph(State);
  const nameOf = (n) => (n === 0 ? START : `n${n}`);
  for (let n = 1; n <= length; n++) {
    graph.addNode(
      nameOf(n),
      (_, config) => (
        begun.push(n),
        work?.(n, config),
        { log: [n], messages: [new AIMessage({ id: `${n}`, content: "said" })] }
      ),
    );
    graph.addEdge(nameOf(n - 1), nameOf(n));
  }
  return graph.compile({ checkpointer: saver });
}

const upTo = (n) => Array.from({ length: n }, (_, at) => at + 1);

test("what a reader saw is in the thread when it leaves, also where nodes hold up the event loop", async () => {
  const holdUp = () => {
    for (const end = Date.now() + 5; Date.now() < end; );
  };
  for (let seen = 1; seen <= 6; seen++) {
    const begun = [];
    const graph = chain(8, begun, new MemorySaver(), holdUp);
    let chunks = 0;
    for await (const _ of await graph.stream({}, thread())) if (++chunks === seen) break;
    const { values } = await graph.getState(thread());
    assert.ok(values.log.length >= seen, `${values.log} after ${seen} chunks`);
    assert.equal(values.messages.length, values.log.length);
    assert.deepEqual((await graph.invoke(null, thread())).log, upTo(8));
    assert.deepEqual(
      begun.filter((n) => n <= seen),
      upTo(seen),
      "no step that was seen runs twice",
    );
  }
});

/** A key-value storage that acknowledges what it has put, some turns of the event loop later. */
function slowSaver(map) {
  const slowly = async (work) => {
    for (let turns = 3; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
    return work();
  };
  return new KvSaver({
    get: (key) => slowly(() => map.get(key)),
    put: (key, value) => slowly(() => map.set(key, value)),
    list: (prefix) => slowly(() => [...map.keys()].filter((key) => key.startsWith(prefix)).sort()),
    delete: (key) => slowly(() => map.delete(key)),
    cas: (key, expected, value) =>
      slowly(() => {
        const held = map.get(key);
        return (
          (expected === undefined
            ? held === undefined
            : held !== undefined && Buffer.compare(held, expected) === 0) && !!map.set(key, value)
        );
      }),
  });
}

for (const durability of ["sync", "async"]) {
  test(`a reader has left when what it saw is stored, whatever nodes do with their signal: ${durability}`, async () => {
    for (const how of [
      "break",
      "return",
      "throw",
      "cancel of the stream",
      "cancel of a reader",
      "cancel of both branches of a tee",
    ]) {
      const [map, entered] = [new Map(), later()];
      const make = (b) =>
        new StateGraph(State)
          .addNode("a", () => ({ log: ["a"] }))
          .addNode("b", b)
          .addEdge(START, "a")
          .addEdge("a", "b")
          .compile({ checkpointer: slowSaver(map) });
      const never = () => (entered.resolve(), new Promise(() => {}));
      await leaving[how](
        await make(never).stream({}, { ...thread(), durability }),
        how === "break" ? undefined : entered.promise,
      );
      const copy = new Map(map);
      const there = new StateGraph(State)
        .addNode("a", () => {})
        .addNode("b", () => {})
        .addEdge(START, "a")
        .addEdge("a", "b")
        .compile({ checkpointer: slowSaver(copy) });
      const { values, next } = await there.getState(thread());
      assert.deepEqual([values.log, next], [["a"], ["b"]], how);
    }
  });
}

test("what ended before a reader left is saved, also while the run lets the event loop turn", async () => {
  const begun = [];
  const names = ["a", "b", "c", "d", "e", "f"];
  const ends = names.map(() => later());
  // A stream is there with its first chunk.
  ends[0].resolve();
  const draft = new StateGraph(State);
  names.forEach((name, at) =>
    draft
      .addNode(name, async () => {
        begun.push(name);
        await ends[at].promise;
        // Holds the event loop for so long that the run waits for its turn.
        for (const end = Date.now() + 10; Date.now() < end; );
        return { log: [name] };
      })
      .addEdge(START, name),
  );
  const graph = draft
    .addNode(
      "last",
      (_, { signal }) => (
        begun.push("last"),
        begun.length > names.length + 1
          ? { log: ["last"] }
          : new Promise((_, reject) =>
              signal.addEventListener("abort", () => reject(signal.reason)),
            )
      ),
    )
    .addEdge(START, "last")
    .compile({ checkpointer: new MemorySaver() });
  const stream = await graph.stream({}, { ...thread(), durability: "sync" });
  for (const end of ends) {
    end.resolve();
    for (let awaits = 1000; awaits > 0; awaits--) await undefined;
  }
  await stream.return();
  assert.deepEqual((await graph.invoke(null, thread())).log, [...names, "last"]);
  assert.deepEqual(begun, [...names, "last", "last"]);
});

test("a step that ended is saved when the caller's signal is aborted before its commit", async () => {
  const begun = [];
  const stop = new AbortController();
  const Stopped = Annotation.Root({
    log: Annotation({
      reducer: (left, right) => (right.includes("a") && stop.abort(), left.concat(right)),
      default: () => [],
    }),
  });
  const graph = new StateGraph(Stopped)
    .addNode("a", () => (begun.push("a"), { log: ["a"] }))
    .addNode("b", () => (begun.push("b"), { log: ["b"] }))
    .addEdge(START, "a")
    .addEdge("a", "b")
    .compile({ checkpointer: new MemorySaver() });
  await assert.rejects(graph.invoke({ log: ["in"] }, { ...thread(), signal: stop.signal }), {
    name: "AbortError",
  });
  const { values, next } = await graph.getState(thread());
  assert.deepEqual([values.log, next, begun], [["in", "a"], ["b"], ["a"]]);
  assert.deepEqual((await graph.invoke(null, thread())).log, ["in", "a", "b"]);
  assert.deepEqual(begun, ["a", "b"]);
});

test("tracers of a run that its reader left hear that it ended", async () => {
  const { graph, entered, stopped } = make();
  const told = [];
  const ended = later();
  const handler = {
    name: "h",
    handleChainStart: (...args) => void told.push(`start ${args[7]}`),
    handleChainEnd: () => {},
    handleChainError: (error) => (told.push(error.name), ended.resolve()),
  };
  const stream = await graph.stream({}, { ...thread(), callbacks: [handler] });
  await entered;
  await stream.cancel();
  await stopped;
  await ended.promise;
  assert.ok(told.includes("start LangGraph") && told.includes("AbortError"), `${told}`);
});

test("whoever leaves the stream of a graph on a server, or aborts it, cancels the run there", async () => {
  const cancelled = [];
  let cancel = later();
  const server = createServer((request, response) => {
    if (request.url.includes("/cancel")) {
      cancelled.push(request.url);
      response.writeHead(204).end();
      return cancel.resolve();
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('event: metadata\ndata: {"run_id":"r 1"}\n\nevent: updates\ndata: {"a":1}\n\n');
  });
  await new Promise((resolve) => server.listen(0, resolve));
  try {
    const graph = new RemoteGraph({
      graphId: "g",
      url: `http://127.0.0.1:${server.address().port}`,
    });
    for await (const chunk of await graph.stream({}, thread())) {
      assert.deepEqual(chunk, { a: 1 });
      break;
    }
    await cancel.promise;
    cancel = later();
    const stop = new AbortController();
    const stream = await graph.stream({}, { ...thread(), signal: stop.signal });
    await stream.next();
    stop.abort();
    await assert.rejects(stream.next(), { name: "AbortError" });
    await cancel.promise;
    assert.deepEqual(
      cancelled,
      Array(2).fill("/threads/1/runs/r%201/cancel?wait=0&action=interrupt"),
    );
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
