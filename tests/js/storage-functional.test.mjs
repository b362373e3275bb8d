// SPDX-License-Identifier: MIT
// What threads of entrypoints cost: what was said stands in the store once, as an input or as what
// a task returned; the value that is made of it, and saved for the next turn, is told by that.
import assert from "node:assert/strict";
import test from "node:test";
import {
  AIMessage,
  HumanMessage,
  MemorySaver,
  addMessages,
  entrypoint,
  getPreviousState,
  task,
} from "weftgraph";
import { pruneThread } from "weftgraph/savers/retention";
import { exportThread, importThread } from "weftgraph/savers/transfer";
import { readGolden } from "../golden/threads.mjs";
import { readDamaged } from "./damaged-log.mjs";

const on = { configurable: { thread_id: "1" } };
const TURNS = 50;
/** 500 bytes that are like no others. */
const words = (at) =>
  Array.from({ length: 120 }, (_, i) => ((i * 7919 + at * 104_729) % 1_000_003).toString(36))
    .join(" ")
    .slice(0, 500);
const previous = () => getPreviousState() ?? [];
const plain = task("model", async (messages) => ({
  role: "ai",
  content: words(messages.length),
  id: `a${messages.length}`,
}));
const classy = task(
  "model",
  async (messages) => new AIMessage({ content: words(messages.length), id: `a${messages.length}` }),
);
const words500 = task("words", async (at) => words(at));

/**
 * What a turn is given, and what the entrypoint makes of it.
 * @type {Record<string, [input: (at: number) => any, func: (input: any) => Promise<any>]>}
 */
const SHAPES = {
  "all messages": [
    (at) => [{ role: "user", content: words(-1 - at), id: `u${at}` }],
    async (input) => {
      const all = [...previous(), ...input];
      return [...all, await plain(all)];
    },
  ],
  "all messages, which a task did not make": [
    (at) => [{ role: "user", content: words(-1 - at) }],
    async (input) => [...previous(), ...input, { role: "ai", content: words(previous().length) }],
  ],
  "the answer, and all messages saved": [
    (at) => [{ role: "user", content: words(-1 - at), id: `u${at}` }],
    async (input) => {
      const all = [...previous(), ...input];
      const answer = await plain(all);
      return entrypoint.final({ value: answer, save: [...all, answer] });
    },
  ],
  "the last messages, and all saved": [
    (at) => [{ role: "user", content: words(-1 - at), id: `u${at}` }],
    async (input) => {
      const all = [...previous(), ...input];
      all.push(await plain(all));
      return entrypoint.final({ value: all.slice(-4), save: all });
    },
  ],
  "messages of LangChain's classes": [
    (at) => [new HumanMessage({ content: words(-1 - at), id: `u${at}` })],
    async (input) => {
      const all = addMessages(previous(), input);
      return addMessages(all, [await classy(all)]);
    },
  ],
  "messages made of words": [
    (at) => words(-1 - at),
    async (input) => [
      ...previous(),
      { role: "user", content: input },
      { role: "ai", content: await words500(previous().length) },
    ],
  ],
  "an object of two lists": [
    (at) => ({ question: words(-1 - at) }),
    async ({ question }) => {
      const { asked = [], told = [] } = getPreviousState() ?? {};
      return { asked: [...asked, question], told: [...told, await words500(told.length * 2)] };
    },
  ],
};

const told = async (list) => {
  const all = [];
  for await (const each of list) all.push(each);
  return JSON.parse(JSON.stringify(all));
};

for (const [name, [input, func]] of Object.entries(SHAPES)) {
  test(`a conversation takes at most twice its text: ${name}`, async (t) => {
    const saver = new MemorySaver();
    const sizes = [];
    const { append } = saver.store;
    saver.store.append = (id, commit, bytes, expected) => (
      sizes.push(bytes.length), append.call(saver.store, id, commit, bytes, expected)
    );
    const make = (checkpointer) => entrypoint({ name: "talk", checkpointer }, func);
    const saved = [];
    const graph = make(saver);
    for (let at = 0; at < TURNS; at++) {
      await graph.invoke(input(at), on);
      saved.push(JSON.stringify((await saver.getTuple(on)).checkpoint.channel_values.__previous__));
    }
    const stored = await saver.byteLength("1");
    t.diagnostic(`${(stored / (TURNS * 1000)).toFixed(2)} times its text`);
    assert.ok(stored <= 2 * TURNS * 1000, `${stored} bytes`);
    assert.ok(Math.max(...sizes) <= 500 + 100 + 256, `${sizes}`);
    saved.forEach((text, at) =>
      assert.ok(text.includes(words(-1 - at)) && text.includes(words(-1)), `turn ${at}`),
    );
    // Every way of reading tells the same: this process, another one, what an export holds, and
    // what stays behind a pruning.
    const versions = async (from) =>
      (await told(from.list({ configurable: { thread_id: "1" } }))).map(
        ({ checkpoint, pendingWrites }) => [checkpoint.channel_values, pendingWrites],
      );
    const listed = await versions(saver);
    const ends = listed
      .filter(([values]) => values.__previous__ !== undefined && values.__start__ === undefined)
      .map(([values]) => JSON.stringify(values.__previous__));
    assert.deepEqual(ends, saved.toReversed());
    const other = new MemorySaver();
    await importThread(other, await exportThread(saver, "1"));
    assert.deepEqual(await versions(other), listed);
    assert.ok(
      (await other.byteLength("1")) <= stored + 200,
      "an export takes from the same places",
    );
    const states = async (from) =>
      (await told(make(from).getStateHistory(on))).map(({ values }) => values);
    assert.deepEqual(await states(other), await states(saver));
    await pruneThread(saver, "1", { last: 4 });
    assert.deepEqual(
      await versions(saver),
      listed
        .slice(0, 4)
        .map(([values, writes], at) => [values, at === 3 ? (writes ?? []) : writes]),
    );
    const [next, after] = [
      await make(saver).invoke(input(TURNS), on),
      await make(other).invoke(input(TURNS), on),
    ];
    assert.deepEqual(JSON.parse(JSON.stringify(next)), JSON.parse(JSON.stringify(after)));
  });
}

test("a log whose patches take from other values is damaged: it reads as something or is told to be", async () => {
  const counts = await readDamaged(readGolden("copied-4"), 7);
  assert.ok(counts.refused > 0 && counts.read > 0);
});
