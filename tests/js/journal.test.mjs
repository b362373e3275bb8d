// SPDX-License-Identifier: MIT
// Results of task() are a journal: what returned before a question or a crash does not run again,
// in the functional API and in nodes of a graph: several at once, one in another, in a loop, with a
// crash between a result and the state. Serves docs/reliability.md 1 (promise 3: "journaled so that
// code before an interrupt does not run twice").
import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Annotation, Command, START, StateGraph, entrypoint, interrupt, task } from "weftgraph";
import { FileSaver } from "weftgraph/savers/file";

const thread = { configurable: { thread_id: "t" } };
const never = new Promise(() => {});
const pause = () => new Promise((resolve) => setTimeout(resolve, 3));

/**
 * Runs `work` with makers of savers of one folder, each a process of its own; one that is to die
 * tells when it is quiet.
 */
async function inFolder(work) {
  const path = mkdtempSync(join(tmpdir(), "weft-journal-"));
  const dying = () => {
    const saver = new FileSaver({ path });
    const { append } = saver.store;
    // A dead process holds no thread.
    saver.store.hold = undefined;
    let writing = 0;
    saver.store.append = async function (...given) {
      writing++;
      try {
        return await append.apply(this, given);
      } finally {
        writing--;
      }
    };
    const quiet = async () => {
      for (let idle = 0; idle < 4; idle = writing === 0 ? idle + 1 : 0) await pause();
    };
    return { saver, quiet };
  };
  try {
    return await work(() => new FileSaver({ path }), dying);
  } finally {
    rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Both ways to hold a body of code with tasks.
 * @type {Record<string, (checkpointer: any, body: (config: any) => any) => any>}
 */
const HOLDERS = {
  entrypoint: (checkpointer, body) =>
    entrypoint({ name: "work", checkpointer }, (_, config) => body(config)),
  node: (checkpointer, body) => {
    const graph = new StateGraph(Annotation.Root({ out: Annotation() }))
      .addNode("work", async (_, config) => ({ out: await body(config) }))
      .addEdge(START, "work")
      .compile({ checkpointer });
    return {
      invoke: async (input, config) => {
        const end = await graph.invoke(input, config);
        return end.__interrupt__ ? end : end.out;
      },
    };
  },
};

/** What the bodies count, by name. */
const counter = () => {
  const ran = [];
  const of = (name, work = async () => name) =>
    task(
      name,
      async (...args) => (ran.push(args.length > 0 ? `${name}${args[0]}` : name), work(...args)),
    );
  return { ran, of };
};

const BODIES = {
  "several at once": (of) => {
    const one = of("one", async (n) => (await pause(), n));
    return async (ask) => [
      await Promise.all([one(1), one(2), one(3)]),
      ask("a"),
      await Promise.all([one(4), one(5)]),
      ask("b"),
    ];
  },
  "one in another": (of) => {
    const leaf = of("leaf", async (n) => n * 10);
    const branch = of("branch", async (n) => (await leaf(n)) + (await leaf(n + 1)));
    return async (ask) => [await branch(1), ask("a"), await branch(5), ask("b")];
  },
  "in a loop that asks": (of) => {
    const step = of("step", async (n) => n);
    return async (ask) => {
      const out = [];
      for (let n = 0; n < 4; n++) {
        out.push(await step(n));
        if (n % 2 === 1) out.push(ask(`${n}`));
      }
      return out;
    };
  },
};

for (const [holder, hold] of Object.entries(HOLDERS)) {
  for (const [what, make] of Object.entries(BODIES)) {
    test(`${holder}, ${what}: no process runs again what returned before a question`, () =>
      inFolder(async (newSaver) => {
        const alone = counter();
        const expected = await hold(undefined, () =>
          make(alone.of)((question) => `heard ${question}`),
        ).invoke({}, {});
        const { ran, of } = counter();
        let result;
        let input = {};
        for (let rounds = 0; rounds < 4; rounds++) {
          result = await hold(newSaver(), () =>
            make(of)((question) => `heard ${interrupt(question)}`),
          ).invoke(input, thread);
          const asked = result?.__interrupt__?.[0];
          if (asked === undefined) break;
          input = new Command({ resume: asked.value });
        }
        assert.deepEqual(result, expected);
        assert.deepEqual(ran, alone.ran);
      }));
  }

  test(`${holder}: a crash behind a task's result, before the state, runs none again; one in flight runs once more`, async () => {
    for (const durability of ["sync", "async"]) {
      for (const dies of ["in the body", "in a task", "in a task beside others"]) {
        await inFolder(async (newSaver, dying) => {
          const { ran, of } = counter();
          let isDead = false;
          const body = (stuck) => {
            const one = of("one", async (n) => n);
            const slow = of("slow", async () => (stuck ? never : "slow"));
            return async () => {
              const first = await one(1);
              const rest =
                dies === "in a task beside others"
                  ? await Promise.all([one(2), slow(), one(3)])
                  : [await one(2), dies === "in a task" ? await slow() : "-"];
              if (stuck) (isDead = true), await never;
              return [first, ...rest];
            };
          };
          const { saver, quiet } = dying();
          hold(saver, body(true)).invoke({}, { ...thread, durability });
          const most = { "in the body": 2, "in a task": 3, "in a task beside others": 4 }[dies];
          while (!(dies === "in the body" ? isDead : ran.length === most)) await pause();
          await quiet();
          const result = await hold(newSaver(), body(false)).invoke(null, {
            ...thread,
            durability,
          });
          assert.deepEqual(
            result,
            {
              "in the body": [1, 2, "-"],
              "in a task": [1, 2, "slow"],
              "in a task beside others": [1, 2, "slow", 3],
            }[dies],
          );
          assert.deepEqual(
            ran.filter((name) => name.startsWith("one")).sort(),
            dies === "in a task beside others" ? ["one1", "one2", "one3"] : ["one1", "one2"],
            `${dies} ${durability}`,
          );
          assert.equal(
            ran.filter((name) => name === "slow").length,
            dies === "in the body" ? 0 : 2,
          );
        });
      }
    }
  });
}
