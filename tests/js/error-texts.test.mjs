// SPDX-License-Identifier: MIT
// Serves: R12: errors say which node, which model, which value it was, and what to do.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Annotation, MemorySaver, START, StateGraph, entrypoint, task } from "weftgraph";
import { ChatOpenAICompatible } from "weftgraph/models/openai";
import { createReactAgent } from "weftgraph/prebuilt";
import { FileSaver } from "weftgraph/savers/file";

const State = Annotation.Root({ n: Annotation() });

/** @param {any} node @param {any} [options] */
function failing(node, options) {
  return new StateGraph(State).addNode("work", node, options).addEdge(START, "work").compile();
}

test("an Error that a node throws comes out itself, and says which node it was where no comparison sees it", async () => {
  const error = new RangeError("no");
  const thrown = await failing(() => {
    throw error;
  })
    .invoke({ n: 0 })
    .catch((caught) => caught);
  assert.equal(thrown, error);
  assert.equal(thrown.node, "work");
  assert.deepEqual(Object.keys(thrown), []);
  assert.deepEqual(thrown, new RangeError("no"));
  const late = failing(async () => {
    throw new Error("late");
  });
  await assert.rejects(late.invoke({ n: 0 }), (caught) => caught.node === "work");
  const outer = new StateGraph(State).addNode("outer", late).addEdge(START, "outer").compile();
  await assert.rejects(outer.invoke({ n: 0 }), (caught) => caught.node === "work");
  const step = task("step", async () => {
    throw new Error("no");
  });
  await assert.rejects(
    entrypoint("flow", async () => step()).invoke(0),
    (caught) => caught.node === "step",
  );
});

test("what a node throws is not touched where it has a `node`, is frozen, or is no Error", async () => {
  const own = Object.assign(new Error("x"), { node: "mine" });
  for (const value of [own, Object.freeze(new Error("frozen")), "text", { plain: true }]) {
    const thrown = await failing(() => {
      throw value;
    })
      .invoke({ n: 0 })
      .then(
        () => undefined,
        (caught) => caught,
      );
    assert.equal(thrown, value);
  }
  assert.equal(own.node, "mine");
});

test("a model that answers with nothing is named, not a property of it", async () => {
  for (const [answer, text] of [
    [undefined, "undefined"],
    [null, "null"],
  ]) {
    const llm = {
      bindTools() {
        return this;
      },
      invoke: async () => answer,
    };
    await assert.rejects(createReactAgent({ llm, tools: [] }).invoke({ messages: "x" }), {
      code: "BAD_ARGUMENT",
      message: `Bad argument: the model must answer with a message, not ${text}.`,
    });
  }
});

test("a thread id that is no text is refused without a word of another saver", async () => {
  const path = mkdtempSync(join(tmpdir(), "weft-texts-"));
  try {
    const app = new StateGraph(State)
      .addNode("a", () => ({ n: 1 }))
      .addEdge(START, "a")
      .compile({ checkpointer: new FileSaver({ path }) });
    await assert.rejects(app.invoke({ n: 0 }, { configurable: { thread_id: 7 } }), {
      message:
        'Invalid configurable value for key "thread_id": expected a string identifier (got number).',
    });
  } finally {
    rmSync(path, { recursive: true });
  }
});

test("FENCED says to call again, and how processes wait for each other", async () => {
  const saver = new MemorySaver();
  const app = new StateGraph(State)
    .addNode("a", () => saver.deleteThread("1").then(() => ({ n: 1 })))
    .addEdge(START, "a")
    .compile({ checkpointer: saver });
  await assert.rejects(app.invoke({ n: 0 }, { configurable: { thread_id: "1" } }), {
    code: "FENCED",
    message:
      /^Another writer has continued or deleted thread 1 meanwhile: call again, to go on from what is stored. Runs of several processes or tabs wait for each other with a FileSaver or an IdbfsSaver\.$/,
  });
});

test("a base URL that answers with a page shows the content type and how the page begins", async () => {
  const fetch = async () =>
    new Response("<!doctype html><title>Not here</title>", {
      headers: { "content-type": "text/html" },
    });
  const llm = new ChatOpenAICompatible({
    model: "m",
    baseURL: "http://localhost/v2",
    fetch,
    maxRetries: 0,
  });
  const told = {
    code: "BAD_ANSWER",
    message: /received text\/html: <!doctype html><title>Not here/,
  };
  await assert.rejects(llm.invoke("hi"), told);
  await assert.rejects(async () => {
    for await (const _ of llm.stream("hi"));
  }, told);
});

test("a FileSaver that is given a text says that it takes an object with the path", () => {
  assert.throws(() => new FileSaver("threads"), {
    code: "BAD_ARGUMENT",
    message: /needs the path of its folder: \{ path \}/,
  });
});
