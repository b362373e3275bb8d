// SPDX-License-Identifier: MIT
// Facts 14.1 to 14.3 and 10.7: entrypoints and tasks.
import { chain, fact, pause, thread } from "./harness.mjs";

const both = { streamMode: ["updates", "values"] };
const all = { streamMode: ["values", "updates", "custom"] };

/** An entrypoint with a saver. */
function workflow(lib, act, options) {
  return lib.entrypoint({ name: "work", checkpointer: new lib.MemorySaver(), ...options }, act);
}

fact("14.1", "what an entrypoint returns", async (lib, t) => {
  for (const value of [1, 0, "", null, [1, [2]], { a: 1 }, false]) {
    await t.invoke(
      lib.entrypoint("work", async () => value),
      1,
    );
    await t.stream(
      lib.entrypoint("work", () => value),
      1,
      both,
    );
  }
  await t.try("nothing", async () =>
    String(await lib.entrypoint("work", async () => undefined).invoke(1)),
  );
  await t.stream(
    lib.entrypoint("work", async () => undefined),
    1,
    both,
  );
});

fact(
  "14.1",
  "an entrypoint called again with nothing gives what was saved, and nothing as null",
  async (lib, t) => {
    const { final } = lib.entrypoint;
    for (const value of [
      undefined,
      null,
      0,
      "",
      final({}),
      final({ save: 1 }),
      final({ value: 1 }),
    ]) {
      const work = workflow(lib, async () => value);
      await t.invoke(work, 1, thread("t"));
      await t.invoke(work, null, thread("t"));
      await t.stream(work, null, thread("t", both));
      await t.stream(
        work,
        null,
        thread("t", { streamMode: "values", outputKeys: ["__end__", "__previous__"] }),
      );
      // The same thread, which another graph finds in its saver.
      await t.invoke(
        workflow(lib, async () => [lib.getPreviousState()], { checkpointer: work.checkpointer }),
        null,
        thread("t"),
      );
      await t.state(work, thread("t"));
      await t.invoke(work, 2, thread("t"));
    }
  },
);

fact("14.1", "what an entrypoint is given", async (lib, t) => {
  for (const input of [1, 0, "", false, [1], { a: 1 }, null, undefined]) {
    await t.invoke(
      lib.entrypoint("work", async (given) => t.note("given", given)),
      input,
    );
  }
  const echo = workflow(lib, async (given, config) => {
    const { metadata, configurable, executionInfo, runName } = config;
    return t.note("told", {
      metadata,
      thread: configurable.thread_id,
      ns: configurable.checkpoint_ns,
      executionInfo: executionInfo.taskId,
      runName,
      given,
    });
  });
  await t.invoke(echo, 1, thread("t"));
});

fact("14.1", "value and saved value; what the run before saved", async (lib, t) => {
  const sum = workflow(lib, async (n) => {
    const before = t.note("before", lib.getPreviousState());
    return lib.entrypoint.final({ value: before ?? "none", save: (before ?? 0) + n });
  });
  t.note("final", lib.entrypoint.final({ value: 1, save: 2 }));
  await t.stream(sum, 1, thread("t", both));
  await t.stream(sum, 2, thread("t", both));
  await t.invoke(sum, 3, thread("t"));
  await t.state(sum, thread("t"));
  await t.history(sum, thread("t"));
  await t.invoke(sum, 3, thread("u"));
  await t.invoke(
    workflow(lib, async () => lib.entrypoint.final({ value: 1 })),
    3,
    thread("t"),
  );
  await t.stream(
    workflow(lib, async () => lib.entrypoint.final({ save: 1 })),
    3,
    thread("t", both),
  );
});

fact("14.1", "an entrypoint's state is updated", async (lib, t) => {
  const keep = workflow(lib, async (n) => [lib.getPreviousState(), n]);
  await t.invoke(keep, 1, thread("t"));
  await t.update(keep, thread("t"), { x: 1 });
  await t.state(keep, thread("t"));
  await t.update(keep, thread("t"), { x: 2 }, "work");
  await t.invoke(keep, 2, thread("t"));
  await t.update(keep, thread("t"), lib.entrypoint.final({ value: "v", save: "s" }), "work");
  await t.state(keep, thread("t"));
  await t.invoke(keep, 3, thread("t"));
  await t.history(keep, thread("t"));
});

fact("14.1", "a fresh thread, null as input, no saver", async (lib, t) => {
  const one = workflow(lib, async () => 1);
  await t.state(one, thread("t"));
  await t.invoke(one, null, thread("t"));
  await t.invoke(one, 1, thread("t"));
  await t.stream(one, null, thread("t", both));
  await t.invoke(one, new lib.Command({ resume: 1 }), thread("t"));
  await t.try("state", () => lib.entrypoint("work", async () => 1).getState(thread("t")));
  await t.try("resume", () =>
    lib.entrypoint("work", async () => 1).invoke(new lib.Command({ resume: 1 })),
  );
});

fact("14.1, 14.3", "generators are refused", async (lib, t) => {
  for (const make of [lib.task, lib.entrypoint]) {
    await t.try("generator", () => make("g", function* () {}));
    await t.try("async generator", () => make("g", async function* () {}));
  }
});

fact(
  "14.2",
  "an update has the name of a task and of an entrypoint that give nothing",
  async (lib, t) => {
    for (const nothing of [undefined, null]) {
      const notify = lib.task("notify", async () => nothing);
      const work = lib.entrypoint("work", async () => (await notify(), nothing));
      for await (const chunk of await work.stream(1, { streamMode: "updates" }))
        t.note("update", Object.entries(chunk));
    }
  },
);

fact("14.2", "tasks: their updates, side by side and one after the other", async (lib, t) => {
  const add = lib.task("add", async (a, b) => a + b);
  const twice = lib.task({ name: "twice" }, (n) => n * 2);
  const work = workflow(lib, async (n) => {
    const [a, b] = await Promise.all([add(n, 1), twice(n)]);
    return [a, b, await add(a, b)];
  });
  await t.stream(work, 3, thread("t"));
  await t.stream(work, 3, thread("u", all));
  await t.state(work, thread("u"));
  await t.history(work, thread("u"));
  await t.invoke(work, 4, thread("u", { streamMode: "updates" }));
  await t.try("batch", () => lib.entrypoint("work", (n) => twice(n)).batch([1, 2]));
});

fact("14.2", "tasks that return nothing, write to the stream, call each other", async (lib, t) => {
  const nothing = lib.task("nothing", async () => undefined);
  const none = lib.task("none", async () => null);
  const inner = lib.task("inner", async (n) => {
    lib.getWriter()?.(`inner ${n}`);
    const { metadata } = lib.getConfig();
    t.note("path", [
      metadata.langgraph_path,
      metadata.langgraph_checkpoint_ns,
      metadata.langgraph_node,
      metadata.langgraph_triggers,
    ]);
    return n + 1;
  });
  const outer = lib.task("outer", async (n) => [await inner(n), await inner(n * 2)]);
  const work = workflow(lib, async (n, config) => {
    config.writer("start");
    const result = [String(await nothing()), await none(), await outer(n), await inner(n)];
    config.writer("end");
    return result;
  });
  await t.stream(work, 3, thread("t", all));
});

fact("14.2", "tasks in a graph's nodes", async (lib, t) => {
  const double = lib.task("double", async (n) => n * 2);
  const builder = new lib.StateGraph(
    lib.Annotation.Root({
      n: lib.Annotation(),
      log: lib.Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
    }),
  )
    .addNode("a", async ({ n }) => ({ n: await double(n), log: [await double(7)] }))
    .addNode("b", async ({ n }) => ({ log: await Promise.all([double(n), double(n + 1)]) }))
    .addEdge(lib.START, "a")
    .addEdge("a", "b");
  const graph = builder.compile({ checkpointer: new lib.MemorySaver() });
  await t.stream(graph, { n: 1 }, thread("t", both));
  await t.history(graph, thread("t"));
  await t.stream(builder.compile(), { n: 1 }, both);
});

fact("10.7, 14.2", "a task that asks: what was done is not done again", async (lib, t) => {
  const step = lib.task("step", async (n) => t.note("runs", n));
  const ask = lib.task(
    "ask",
    async (question) => t.note("asks", question) && lib.interrupt(question),
  );
  const work = workflow(lib, async (n) => {
    t.note("work", n);
    return [await step(n), await ask("first"), await step(n + 1), await ask("second")];
  });
  await t.stream(work, 5, thread("t", both));
  t.triggers = undefined; // the ids of the questions are those of the tasks
  for (const resume of ["one", "two"]) {
    await t.state(work, thread("t"));
    await t.stream(work, new lib.Command({ resume }), thread("t", both));
  }
  await t.state(work, thread("t"));
  await t.history(work, thread("t"));
});

fact("10.7", "tasks side by side that ask, answered at once and by id", async (lib, t) => {
  const ask = lib.task("ask", async (question) => lib.interrupt(question));
  const work = workflow(lib, async () => Promise.all([ask("a"), ask("b")]));
  t.triggers = undefined; // the ids of the questions are those of the tasks
  await t.stream(work, 1, thread("t", both));
  await t.state(work, thread("t"));
  await t.stream(work, new lib.Command({ resume: "R" }), thread("t", both));
  let asked = await t.invoke(work, 1, thread("u"));
  for (const answer of ["X", "Y"]) {
    asked = await t.invoke(
      work,
      new lib.Command({ resume: { [asked.__interrupt__[0].id]: answer } }),
      thread("u"),
    );
  }
});

fact("10.7", "questions of the caller and of a task", async (lib, t) => {
  const two = lib.task("two", async () => [lib.interrupt("i1"), lib.interrupt("i2")]);
  const work = workflow(lib, async () => [lib.interrupt("p"), await two(), lib.interrupt("last")]);
  await t.stream(work, 1, thread("t", both));
  for (const resume of ["1", "2", "3", "4"])
    await t.stream(work, new lib.Command({ resume }), thread("t", both));
});

fact("10.7", "a question that the caller catches", async (lib, t) => {
  const ask = lib.task("ask", async (question) => lib.interrupt(question));
  const work = workflow(lib, async () => ask("q").catch((error) => `caught ${error.name}`));
  await t.stream(work, 1, thread("t", both));
  await t.stream(work, null, thread("t", both));
});

fact("14.3", "a task that fails, caught or not", async (lib, t) => {
  const bad = lib.task("bad", async (n) => {
    throw new Error(`boom ${n}`);
  });
  await t.stream(
    lib.entrypoint("work", async () => bad(1)),
    1,
    both,
  );
  await t.invoke(
    lib.entrypoint("work", async () => bad(1).catch(() => "caught")),
    1,
  );
});

fact("14.3", "a call that fails, and what it is called by", async (lib, t) => {
  const fails = {
    "at once": () => {
      throw new Error("boom");
    },
    later: async () => {
      await pause(2);
      throw new Error("boom");
    },
  };
  for (const [when, act] of Object.entries(fails)) {
    const bad = lib.task("bad", act);
    const good = lib.task("good", () => 1);
    for (const streamMode of ["tasks", ["updates", "debug"]]) {
      t.note("when", when);
      await t.stream(
        lib.entrypoint("work", async () => bad(1)),
        1,
        { streamMode },
        { fallible: true },
      );
      await t.stream(
        lib.entrypoint("work", async () => [
          await good(1),
          await pause(2),
          await bad(1).catch(() => 2),
        ]),
        1,
        { streamMode },
        { fallible: true },
      );
      await t.stream(
        lib.entrypoint("work", async () => Promise.all([bad(1), good(2)])),
        1,
        { streamMode },
        { fallible: true },
      );
      await t.stream(
        chain(lib, { a: () => ({ log: ["a"] }), b: async () => ({ log: [await bad(1)] }) }),
        { log: [] },
        { streamMode },
        { fallible: true },
      );
    }
  }
});

fact(
  "14.3",
  "after a failure what returned is not called again; by checkpoint_id it is",
  async (lib, t) => {
    let fails = true;
    let runs = 0;
    const a = lib.task("a", async () => ++runs);
    const b = lib.task("b", async () => {
      if (fails) throw new Error("not yet");
      return "b";
    });
    const work = workflow(lib, async () => [await a(), await b()]);
    await t.stream(work, 1, thread("t", both));
    fails = false;
    await t.stream(work, null, thread("t", both));
    t.outcomes = false;
    const history = await t.history(work, thread("t"));
    await t.stream(work, null, { ...history[1].config, ...both });
    await t.stream(work, 2, thread("t", both));
  },
);

fact("14.2", "a task that nobody waits for", async (lib, t) => {
  const late = lib.task("late", () => new Promise((resolve) => setTimeout(resolve, 10, "late")));
  await t.stream(
    workflow(lib, async () => (late(), "done")),
    1,
    thread("t", both),
  );
});

fact("14.2", "calls one after the other", async (lib, t) => {
  for (const act of [(x) => x, async (x) => x]) {
    const [one, two] = [lib.task("one", act), lib.task("two", act)];
    for (const streamMode of ["tasks", ["updates", "debug"]]) {
      await t.stream(
        lib.entrypoint("work", async () => [
          await one(1),
          await one(2),
          await two(3),
          await one(4),
        ]),
        1,
        { streamMode },
      );
      await t.stream(
        lib.entrypoint("work", async () => [
          await one(1),
          await Promise.all([one(2), two(3)]),
          await one(4),
          await Promise.all([one(2), two(3)]),
        ]),
        1,
        { streamMode },
      );
      for (const turns of [1, 2, 3]) {
        await t.stream(
          lib.entrypoint("work", async () => {
            for (const x of [1, 2, 3]) {
              await one(x);
              for (let i = 0; i < turns; i++) await null;
            }
          }),
          1,
          { streamMode },
        );
      }
    }
  }
});

fact("14.2", "durability and tasks", async (lib, t) => {
  for (const durability of ["sync", "async", "exit"]) {
    let fails = true;
    const a = lib.task("a", async () => t.note("a", durability));
    const work = workflow(lib, async () => {
      const value = await a();
      if (fails) throw new Error("stop");
      return value;
    });
    await t.invoke(work, 1, thread("t", { durability }));
    fails = false;
    await t.stream(work, null, thread("t", { durability, ...both }));
    await t.history(work, thread("t"));
  }
});

fact("6.8, 14.2", "tasks run within the limit of their caller", async (lib, t) => {
  const wait = lib.task("wait", (n) => new Promise((resolve) => setTimeout(resolve, 1, n)));
  await t.invoke(
    lib.entrypoint("work", async () => Promise.all([wait(1), wait(2)])),
    1,
    { maxConcurrency: 1 },
  );
});
