// SPDX-License-Identifier: MIT
// T21: 10,000 random documents whose keys are those that harm objects, as states, channels, threads
// and tools: each comes back as it was from a store and another process, and the prototypes of this
// realm stay what they were.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AIMessage, Annotation, END, START, StateGraph, tool } from "weftgraph";
import { KvSaver } from "weftgraph/savers/kv";
import { ToolNode } from "weftgraph/prebuilt";
import { figure, isBroken } from "./kit.mjs";
import { makeRandom } from "./world.mjs";

const DOCUMENTS = 10_000;
const EACH = 50;
const KEYS = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "valueOf",
  "hasOwnProperty",
  "__defineGetter__",
  "",
  "length",
  "0",
  "-1",
  "then",
  "toJSON",
  "lc",
  "k".repeat(65_536),
  "é\u202e\ud83d\ude00",
  "a.b",
  "__weft__",
  "__pregel_tasks",
];
const protos = [
  Object.prototype,
  Array.prototype,
  Function.prototype,
  String.prototype,
  Map.prototype,
];
const snapshot = () =>
  protos.map((proto) =>
    Reflect.ownKeys(proto).map((key) => [key, Object.getOwnPropertyDescriptor(proto, key).value]),
  );

/** A document as JSON text, so that each of its keys is its own. */
function makeText(random, depth) {
  const kind = depth === 0 ? 0 : random.below(4);
  if (kind === 0)
    return random.pick([
      "1",
      "null",
      "true",
      '"text"',
      "-0",
      '"__proto__"',
      '{"__proto__":{"isAdmin":true}}',
    ]);
  const count = random.below(4);
  if (kind === 1)
    return `[${Array.from({ length: count }, () => makeText(random, depth - 1)).join()}]`;
  const keys = new Set(
    Array.from({ length: count }, () =>
      random.chance(0.02) ? KEYS[14] : random.pick(KEYS.filter((key) => key.length < 100)),
    ),
  );
  return `{${[...keys].map((key) => `${JSON.stringify(key)}:${makeText(random, depth - 1)}`).join()}}`;
}

function kvOn(map) {
  return new KvSaver({
    get: (key) => map.get(key),
    put: (key, value) => map.set(key, value),
    list: (prefix) => [...map.keys()].filter((key) => key.startsWith(prefix)),
    delete: (key) => map.delete(key),
    cas: (key, expected, value) =>
      (expected === undefined ? !map.has(key) : Buffer.compare(map.get(key), expected) === 0) &&
      (map.set(key, value), true),
  });
}

/** T21's planted bug: a reader that assigns what it reads. */
const assigned = (value) =>
  Array.isArray(value)
    ? value.map(assigned)
    : value === null || typeof value !== "object"
      ? value
      : Object.keys(value).reduce((copy, key) => ((copy[key] = assigned(value[key])), copy), {});

test("T21: keys that harm objects are keys", { timeout: 1_200_000 }, async () => {
  const before = snapshot();
  const random = makeRandom(21);
  const counts = { documents: 0, threads: 0, calls: 0 };
  while (counts.documents < DOCUMENTS) {
    const texts = Array.from({ length: EACH }, () => makeText(random, 4));
    const name = random.pick(["constructor", "toString", "valueOf", "docs", "hasOwnProperty"]);
    const thread = {
      configurable: {
        thread_id: random.pick(["__proto__", "constructor", "prototype", "toString", "t"]),
      },
    };
    const graphOn = (map) => {
      const State = Annotation.Root({
        [name]: Annotation(),
        list: Annotation({ reducer: (a, b) => a.concat(b), default: () => [] }),
      });
      return new StateGraph(State)
        .addNode("n", (state) => ({ list: [state[name].length], [name]: state[name].slice() }))
        .addEdge(START, "n")
        .addEdge("n", END)
        .compile({ checkpointer: kvOn(map) });
    };
    const map = new Map();
    await graphOn(map).invoke({ [name]: texts.map((text) => JSON.parse(text)) }, thread);
    const { values } = await graphOn(map).getState(thread);
    const read = isBroken("T21") ? assigned(values[name]) : values[name];
    texts.forEach((text, i) =>
      assert.equal(
        JSON.stringify(read[i]),
        JSON.stringify(JSON.parse(text)),
        `T21: document ${counts.documents + i} in ${name}`,
      ),
    );
    assert.equal({}.isAdmin, undefined);
    counts.documents += EACH;
    counts.threads++;
    const ran = [];
    const tools = ["constructor", "toString"].map((called) =>
      tool((args) => (ran.push(JSON.stringify(args)), "ok"), {
        name: called,
        schema: { type: "object" },
      }),
    );
    const args = JSON.parse(`{"doc":${texts.find((text) => text.length < 60_000) ?? "1"}}`);
    await new ToolNode(tools).invoke([
      new AIMessage({
        content: "",
        tool_calls: ["constructor", "__proto__", "valueOf"].map((called) => ({
          id: called,
          name: called,
          args,
          type: "tool_call",
        })),
      }),
    ]);
    counts.calls += 3;
    assert.deepEqual(ran, [JSON.stringify(args)], "T21: of three calls the one with a tool runs");
  }
  assert.deepEqual(snapshot(), before, "T21: the prototypes are what they were");
  figure("T21", counts);
});
