// SPDX-License-Identifier: MIT
// What a compiled graph inherits of LangChain's Runnable: its names, pipe and its kin, batches,
// retries, and how it fares inside LangChain's own Runnables.
import {
  RunnableLambda,
  RunnableMap,
  RunnablePassthrough,
  RunnableSequence,
  Runnable,
} from "@langchain/core/runnables";
import { z } from "zod";
import { drain, same } from "./surface.mjs";

const graphOf = (lib, node = (state) => ({ a: state.a + 1 }), options) =>
  new lib.StateGraph(lib.Annotation.Root({ a: lib.Annotation }))
    .addNode("n", node)
    .addEdge(lib.START, "n")
    .compile(options);

async function* chunksOf(...values) {
  for (const value of values) yield value;
}

/** Notes what each way of calling gives. */
async function callAll(t, label, runnable, input) {
  await t.try(`${label} invoke`, () => runnable.invoke(input));
  await t.try(`${label} stream`, () => drain(runnable.stream(input)));
  await t.try(`${label} transform`, () => drain(runnable.transform(chunksOf(input))));
  await t.try(`${label} batch`, () => runnable.batch([input, input]));
}

same("names and marks of a Runnable", async (lib, t) => {
  const graph = graphOf(lib);
  t.note("names", [
    graph.getName(),
    graph.getName("Z"),
    graph.name,
    lib.CompiledStateGraph.lc_name(),
    graph.constructor.name,
  ]);
  t.note("marks", [
    graph.lc_runnable,
    graph.lc_serializable,
    graph.lc_namespace,
    graph.lc_id,
    graph.lg_is_pregel,
    Runnable.isRunnable(graph),
  ]);
  t.note("json", [graph.toJSON(), JSON.stringify({ graph })]);
  const named = graphOf(lib, undefined, { name: "bob", description: "builds" });
  t.note("named", [named.getName("X"), named.name, named.description]);
});

same("batch: options, errors, limits", async (lib, t) => {
  const graph = graphOf(lib, (state) => {
    if (state.a === 2) throw new Error("two");
    return { a: state.a + 1 };
  });
  await t.try("all", () => graph.batch([{ a: 1 }, { a: 3 }]));
  await t.try("one fails", () => graph.batch([{ a: 1 }, { a: 2 }]));
  await t.try("errors in the list", () =>
    graph.batch([{ a: 1 }, { a: 2 }], {}, { returnExceptions: true }),
  );
  await t.try("options for each", () =>
    graph.batch([{ a: 1 }, { a: 3 }], [{ streamMode: "updates" }, {}]),
  );
  await t.try("too few options", () => graph.batch([{ a: 1 }, { a: 3 }], [{}]));
  await t.try("nothing", () => graph.batch([]));
  for (const [options, batchOptions] of [
    [{ maxConcurrency: 1 }],
    [{}, { maxConcurrency: 2 }],
    [undefined],
  ]) {
    let running = 0;
    let most = 0;
    const slow = graphOf(lib, async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 2));
      running--;
      return {};
    });
    await slow.batch([{ a: 1 }, { a: 2 }, { a: 3 }], options, batchOptions);
    t.note("at once", most);
  }
});

same("pipe: functions, objects, graphs, generators", async (lib, t) => {
  const graph = graphOf(lib);
  const made = {
    function: graph.pipe((state) => state.a),
    "two functions": graph.pipe((state) => state.a).pipe((a) => a + 1),
    object: graph.pipe({ x: (state) => state.a, y: (state) => state.a + 1 }),
    graph: graph.pipe(graphOf(lib)),
    "core's": graph.pipe(RunnableLambda.from((state) => state.a)),
    "a Runnable returned": graph.pipe(() => RunnableLambda.from((state) => state.a)),
    generator: graph.pipe(async function* (state) {
      yield state.a;
      yield state.a;
    }),
  };
  for (const [label, runnable] of Object.entries(made)) {
    await callAll(t, label, runnable, { a: 1 });
    t.note(label, [
      runnable.getName(),
      runnable.lc_id,
      Runnable.isRunnable(runnable),
      runnable.steps.length,
      runnable.middle.length,
    ]);
  }
  for (const wrong of [5, "x", null, []]) await t.try("wrong", () => graph.pipe(wrong));
});

same("inside LangChain's own Runnables", async (lib, t) => {
  const graph = graphOf(lib);
  const made = {
    first: [RunnableSequence.from([graph, (state) => state.a]), { a: 1 }],
    last: [RunnableSequence.from([(a) => ({ a }), graph]), 1],
    twice: [RunnableSequence.from([(a) => ({ a }), graph, graph]), 1],
    piped: [
      RunnableLambda.from((a) => ({ a }))
        .pipe(graph)
        .pipe((state) => state),
      1,
    ],
    map: [RunnableMap.from({ x: graph }), { a: 1 }],
    assign: [RunnablePassthrough.assign({ graph }), { a: 1 }],
    returned: [RunnableLambda.from(() => graph), { a: 1 }],
  };
  for (const [label, [runnable, input]] of Object.entries(made))
    await callAll(t, label, runnable, input);
});

same("pick, assign, withConfig, withRetry, withFallbacks, asTool", async (lib, t) => {
  const graph = graphOf(lib);
  const made = {
    "one key": graph.pick("a"),
    keys: graph.pick(["a", "b"]),
    assign: graph.assign({ b: (state) => state.a * 2 }),
    "assign core's": graph.assign({ b: RunnableLambda.from((state) => state.a * 2) }),
    retry: graph.withRetry(),
    fallbacks: graph.withFallbacks([graph]),
    "fallbacks' other form": graph.withFallbacks({ fallbacks: [graph] }),
    config: graph.withConfig({ tags: ["t"] }),
    tool: graph.asTool({ name: "adder", description: "adds", schema: z.object({ a: z.number() }) }),
  };
  for (const [label, runnable] of Object.entries(made)) {
    await callAll(t, label, runnable, { a: 1 });
    t.note(label, [
      runnable.lc_id,
      Runnable.isRunnable(runnable),
      runnable.name,
      runnable.description,
    ]);
  }
  await t.try("a tool call", () =>
    made.tool.invoke({ name: "adder", args: { a: 4 }, id: "c", type: "tool_call" }),
  );
});

same("transform adds its chunks up", async (lib, t) => {
  const graph = graphOf(lib);
  await t.try("two", () => drain(graph.transform(chunksOf({ a: 1 }, { a: 2 }))));
  await t.try("values", () => drain(graph.transform(chunksOf({ a: 1 }), { streamMode: "values" })));
  await t.try("modes", () =>
    drain(graph.transform(chunksOf({ a: 1 }), { streamMode: ["values", "updates"] })),
  );
  await t.try("none", () => drain(graph.transform(chunksOf())));
});

same("fallbacks: the next one, else the first error", async (lib, t) => {
  const failing = (text) =>
    graphOf(lib, () => {
      throw new Error(text);
    });
  await callAll(t, "third", failing("bad").withFallbacks([failing("worse"), graphOf(lib)]), {
    a: 1,
  });
  await callAll(t, "none", failing("bad").withFallbacks([failing("worse")]), { a: 1 });
  await t.try("errors in the list", () =>
    failing("bad")
      .withFallbacks([])
      .batch([{ a: 1 }], {}, { returnExceptions: true }),
  );
});

same("retries: how often, what is told, what is not tried again", async (lib, t) => {
  const { setTimeout } = globalThis;
  const { random } = Math;
  const waits = [];
  Math.random = () => 0.5;
  globalThis.setTimeout = (call, ms, ...rest) => {
    if (ms >= 1000) waits.push(Math.floor(Math.log2(ms / 1000)));
    return setTimeout(call, Math.min(ms, 1), ...rest);
  };
  try {
    for (const error of [
      new Error("plain"),
      new TypeError("type"),
      Object.assign(new Error("gone"), { name: "AbortError" }),
    ]) {
      let calls = 0;
      const graph = graphOf(lib, () => {
        if (++calls < 3) throw error;
        return { a: calls };
      });
      const told = [];
      await t.try("three", () =>
        graph
          .withRetry({
            stopAfterAttempt: 3,
            onFailedAttempt: (failure, input) => void told.push([failure.message, input]),
          })
          .invoke({ a: 1 }),
      );
      t.note("told", [told, calls]);
      calls = 0;
      await t.try("two", () => graph.withRetry({ stopAfterAttempt: 2 }).invoke({ a: 1 }));
      calls = 0;
      await t.try("given up", () =>
        graph
          .withRetry({ onFailedAttempt: () => Promise.reject(new Error("enough")) })
          .invoke({ a: 1 }),
      );
    }
  } finally {
    globalThis.setTimeout = setTimeout;
    Math.random = random;
  }
  t.note("waits, as powers of two of a second", waits);
});

same("listeners hear of starts, ends and errors", async (lib, t) => {
  const hear = (what) => (run) =>
    void t.note(what, [
      run.name,
      run.run_type,
      run.inputs,
      run.outputs,
      run.error?.split("\n")[0],
      typeof run.id,
    ]);
  const listeners = { onStart: hear("start"), onEnd: hear("end"), onError: hear("error") };
  await t.try("well", () => graphOf(lib).withListeners(listeners).invoke({ a: 1 }));
  const failing = graphOf(lib, () => {
    throw new Error("bad");
  });
  await t.try("badly", () => failing.withListeners(listeners).invoke({ a: 1 }));
});
