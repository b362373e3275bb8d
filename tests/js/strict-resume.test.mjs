// SPDX-License-Identifier: MIT
// Strict resume mode, and answers that do not fit the schema of their question.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  AIMessage,
  Annotation,
  Command,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  interrupt,
  isInvalidResume,
  isUnknownInterruptError,
  tool,
} from "weftgraph";
import { ToolNode } from "weftgraph/prebuilt";
import { z } from "zod";

const State = Annotation.Root({
  log: Annotation({ reducer: (left, right) => left.concat(right), default: () => [] }),
});
const STRICT = { configurable: { thread_id: "t", __pregel_strict_resume: true } };
const PLAIN = { configurable: { thread_id: "t" } };
const OTHER = "0".repeat(32);

/** Each node asks by its name. */
function asking(names) {
  const builder = new StateGraph(State);
  for (const name of names)
    builder.addNode(name, () => ({ log: [name + interrupt(name)] })).addEdge(START, name);
  return builder.compile({ checkpointer: new MemorySaver() });
}

async function refusal(graph, resume) {
  const error = await graph.invoke(new Command({ resume }), STRICT).then(
    () => undefined,
    (thrown) => thrown,
  );
  assert(isUnknownInterruptError(error), `${error}`);
  return error;
}

test("in strict mode an answer that does not fit what waits is refused, and the questions stay open", async () => {
  const graph = asking(["a", "b"]);
  const { __interrupt__: asked } = await graph.invoke({ log: [] }, STRICT);
  const ids = asked.map(({ id }) => id);
  const before = JSON.stringify(await graph.getState(PLAIN));
  for (const [resume, reason, named] of [
    ["r", "ambiguous", []],
    [0, "ambiguous", []],
    [["r"], "ambiguous", []],
    [{ a: 1 }, "ambiguous", []],
    [{}, "empty_map", []],
    [{ [OTHER]: "r" }, "not_pending", [OTHER]],
    [{ [ids[0]]: "r", [OTHER]: "r" }, "not_pending", [OTHER]],
  ]) {
    const error = await refusal(graph, resume);
    assert.deepEqual([error.reason, error.interruptIds, error.pendingIds], [reason, named, ids]);
  }
  assert.equal(JSON.stringify(await graph.getState(PLAIN)), before);
  const { log } = await graph.invoke(new Command({ resume: { [ids[0]]: 1, [ids[1]]: 2 } }), STRICT);
  assert.deepEqual(log, ["a1", "b2"]);
});

test("in strict mode one value answers the one question that waits; an answer by its id that comes again is refused", async () => {
  const graph = asking(["a"]);
  const {
    __interrupt__: [{ id }],
  } = await graph.invoke({ log: [] }, STRICT);
  assert.deepEqual((await graph.invoke(new Command({ resume: 1 }), STRICT)).log, ["a1"]);
  const error = await refusal(graph, { [id]: 2 });
  assert.deepEqual([error.reason, error.interruptIds, error.pendingIds], ["not_pending", [id], []]);
});

test("without strict mode one value answers all that wait", async () => {
  const graph = asking(["a", "b"]);
  await graph.invoke({ log: [] }, PLAIN);
  assert.deepEqual((await graph.invoke(new Command({ resume: 1 }), PLAIN)).log, ["a1", "b1"]);
});

test("an answer that does not fit its schema is told apart, also as a cause, and the question can be answered again", async () => {
  const responseSchema = z.object({ age: z.number() });
  const node = (wraps) => () => {
    try {
      return { log: [interrupt("age?", { responseSchema }).age] };
    } catch (error) {
      throw wraps && error.name === "ZodError" ? new Error("wrapped", { cause: error }) : error;
    }
  };
  for (const wraps of [false, true]) {
    const graph = new StateGraph(State)
      .addNode("a", node(wraps))
      .addEdge(START, "a")
      .compile({ checkpointer: new MemorySaver() });
    await graph.invoke({ log: [] }, PLAIN);
    const error = await graph.invoke(new Command({ resume: { age: "x" } }), PLAIN).then(
      () => undefined,
      (thrown) => thrown,
    );
    assert.equal(isInvalidResume(error), true);
    assert.deepEqual((await graph.invoke(new Command({ resume: { age: 5 } }), PLAIN)).log, [5]);
  }
  const circular = new Error("circular");
  circular.cause = circular;
  for (const other of [
    new Error("x"),
    circular,
    undefined,
    null,
    "text",
    z.number().safeParse("x").error,
  ])
    assert.equal(isInvalidResume(other), false);
});

test("a tool's answer that does not fit its schema is no failure for the model to mend", async () => {
  const ask = tool(() => String(interrupt("age?", { responseSchema: z.number() })), {
    name: "ask",
    description: "asks",
    schema: z.object({}),
  });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("tools", new ToolNode([ask]))
    .addEdge(START, "tools")
    .compile({ checkpointer: new MemorySaver() });
  await graph.invoke(
    {
      messages: [new AIMessage({ content: "", tool_calls: [{ name: "ask", args: {}, id: "c" }] })],
    },
    PLAIN,
  );
  await assert.rejects(graph.invoke(new Command({ resume: "x" }), PLAIN), (error) =>
    isInvalidResume(error),
  );
  const { messages } = await graph.invoke(new Command({ resume: 7 }), PLAIN);
  assert.deepEqual([messages.at(-1).status, messages.at(-1).content], ["success", "7"]);
});
