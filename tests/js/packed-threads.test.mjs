// SPDX-License-Identifier: MIT
// Random lives of threads with graphs inside nodes, whose records are packed: turns, failed nodes,
// appends that are lost or whose answer is, forks, edits, prunings, copies, exports, two savers on
// one storage, sealed ones. After each event a new engine handle and JavaScript's reader tell the
// same of all checkpoints, and of those that were there before the same as then.
import assert from "node:assert/strict";
import test from "node:test";
import {
  AIMessage,
  Annotation,
  HumanMessage,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from "weftgraph";
import { pruneThread } from "weftgraph/savers/retention";
import { sealSaver } from "weftgraph/savers/sealed";
import { copyThread, exportThread, importThread } from "weftgraph/savers/transfer";
import { framesOf } from "../../js/log/frames.js";
import { createChance } from "./idbfs-origin.mjs";
import { kvOver } from "./kv-map.mjs";

const LIVES = process.env.WEFT_LONG ? 120 : 8;
const EVENTS = 14;
const key = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, [
  "sign",
  "verify",
]);

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  notes: Annotation({ reducer: (a, b) => [...a, ...b].slice(-5), default: () => [] }),
  last: Annotation(),
});
const words = (chance) =>
  Array.from({ length: chance(40) }, () => chance(1e6).toString(36)).join(
    chance(8) === 0 ? " – " : " ",
  );

/** Graphs inside one another; the innermost answers as `life` has it. */
function graphOf(life, checkpointer) {
  const work = ({ messages }) => {
    if (life.fails-- === 0) throw new Error("as it was wanted");
    const text = words(life.chance);
    return {
      messages: new AIMessage(text),
      notes: [messages.length, { text: text.slice(0, 9) }],
      last: `${messages.length} ${text}`,
    };
  };
  let graph = new StateGraph(State).addNode("work", work).addEdge(START, "work");
  for (let level = 0; level < life.levels; level++) {
    const inner = graph.compile(life.own && level === 0 ? { checkpointer: true } : {});
    graph = new StateGraph(State)
      .addNode("before", ({ messages }) => ({ notes: [`${level} of ${messages.length}`] }))
      .addNode("inside", inner)
      .addEdge(START, "before")
      .addEdge("before", "inside");
  }
  return graph.compile({ checkpointer });
}

/**
 * A storage of a kind; `open` is another process on it, whose appends go wrong where `life.lost`
 * says so.
 */
function storageOf(life, kind) {
  const guard = (store) => {
    const { append } = store;
    return Object.assign(store, {
      async append(...given) {
        const lost = life.lost-- === 0 ? 1 + life.chance(2) : 0;
        if (lost === 1) throw new Error("the append is lost");
        const answer = await append.apply(store, given);
        if (lost === 2) throw new Error("the answer is lost");
        return answer;
      },
    });
  };
  const [map, store] = [new Map(), guard(new MemorySaver().store)];
  const over = () => {
    if (kind % 2 === 0) return Object.assign(new MemorySaver(), { store });
    const saver = kvOver(map);
    guard(saver.store);
    return saver;
  };
  return () => (kind < 2 ? over() : sealSaver(over(), { key }));
}

const plain = (value) => JSON.parse(JSON.stringify(value ?? null));
const told = ({ messages = [], notes = [], last = null }) =>
  plain({
    messages: messages.map((message) => [
      message.type ?? message.getType(),
      message.id,
      message.content,
    ]),
    notes,
    last,
  });
async function all(list) {
  const found = [];
  for await (const each of list) found.push(each);
  return found;
}

/** What a thread holds, by what reads it. */
async function read(life) {
  const on = { configurable: { thread_id: life.id } };
  const graph = graphOf({ ...life, fails: -1 }, life.open());
  const states = (await all(graph.getStateHistory(on))).map(({ config, values, parentConfig }) => [
    config.configurable.checkpoint_id,
    told(values),
    parentConfig?.configurable.checkpoint_id,
  ]);
  const saver = life.open();
  const tuples = await all(saver.list(on));
  const root = tuples.filter(({ config }) => config.configurable.checkpoint_ns === "");
  // A saver names a parent that was pruned, too.
  const above = (config) =>
    root.find(({ checkpoint: { id } }) => id === config?.configurable.checkpoint_id)?.checkpoint.id;
  assert.deepEqual(
    root.map(({ config, checkpoint, parentConfig }) => [
      config.configurable.checkpoint_id,
      told(checkpoint.channel_values),
      above(parentConfig),
    ]),
    states,
  );
  const newest = await saver.getTuple(on);
  assert.deepEqual(plain(newest), plain(root[0]));
  if (newest !== undefined) assert.deepEqual(told((await graph.getState(on)).values), states[0][1]);
  // One of those inside, by itself.
  const inside = tuples.filter(({ config }) => config.configurable.checkpoint_ns !== "");
  if (inside.length > 0) {
    const { config, checkpoint } = inside[life.chance(inside.length)];
    assert.deepEqual(plain((await life.open().getTuple(config)).checkpoint), plain(checkpoint));
    assert.deepEqual(told((await graph.getState(config)).values), told(checkpoint.channel_values));
  }
  // What breakpoints have seen of channels that were written since is not told of a checkpoint that
  // stands on nothing any more.
  const kept = ({ versions_seen: { __interrupt__, ...seen }, ...checkpoint }) => ({
    ...checkpoint,
    versions_seen: seen,
  });
  return new Map(
    tuples.map((tuple) => [
      `${tuple.config.configurable.checkpoint_ns} ${tuple.checkpoint.id}`,
      plain([
        kept(tuple.checkpoint),
        tuple.metadata,
        tuple.parentConfig?.configurable.checkpoint_id,
      ]),
    ]),
  );
}

/** What may happen to a thread. Those that answer `true` may leave checkpoints out. */
const happenings = {
  turn: (life, graph, on) => graph.invoke({ messages: new HumanMessage(words(life.chance)) }, on),
  turns: async (life, graph, on) => {
    for (let turn = 0; turn < 3; turn++) await happenings.turn(life, graph, on);
  },
  failing: (life, graph, on) => {
    life.fails = 0;
    return happenings.turn(life, graph, on);
  },
  aborted: (life, graph, on) => {
    const controller = new AbortController();
    const turn = happenings.turn(life, graph, { ...on, signal: controller.signal });
    const wait = async (ticks) => {
      for (; ticks > 0; ticks--) await null;
      controller.abort();
    };
    return Promise.all([turn, wait(life.chance(400))]);
  },
  lost: (life, graph, on) => {
    life.lost = life.chance(8);
    return happenings.turn(life, graph, {
      ...on,
      durability: ["sync", "async", "exit"][life.chance(3)],
    });
  },
  resumed: (_, graph, on) => graph.invoke(null, on),
  fork: async (life, graph, on) => {
    const states = await all(graph.getStateHistory(on, { limit: 12 }));
    if (states.length === 0) return;
    const { config } = states[life.chance(states.length)];
    const edited =
      life.chance(2) === 0
        ? config
        : await graph.updateState(config, { last: words(life.chance) }, "inside");
    await graph.invoke(
      life.chance(2) === 0 ? null : { messages: new HumanMessage("forked") },
      edited,
    );
  },
  pruned: async (life, graph, on) => {
    const { config } = await graph.getState(on);
    await pruneThread(life.chance(2) === 0 ? life.open() : graph.checkpointer, life.id, {
      last: 1 + life.chance(4),
      ...(life.chance(2) === 0 &&
        config.configurable.checkpoint_id && { pinned: [config.configurable.checkpoint_id] }),
    });
    return true;
  },
  rewritten: async (life) => {
    await pruneThread(life.open(), life.id, { last: 1e6 });
    return true;
  },
  copied: async (life) => {
    const to = `${life.id}+`;
    await copyThread(life.open(), life.id, to);
    life.id = to;
  },
  moved: async (life) => {
    const file = await exportThread(life.open(), life.id);
    const open = storageOf(life, life.chance(4));
    await importThread(open(), file);
    life.open = open;
    life.graphs = [0, 1].map(() => graphOf(life, open()));
  },
};

async function live(seed) {
  const chance = createChance(seed);
  const life = {
    chance,
    levels: 1 + chance(3),
    own: chance(4) === 0,
    id: "1",
    fails: -1,
    lost: -1,
  };
  life.open = storageOf(life, chance(4));
  life.graphs = [0, 1].map(() => graphOf(life, life.open()));
  const names = Object.keys(happenings);
  let known = new Map();
  const events = [];
  for (let at = 0; at < EVENTS; at++) {
    const name = at < 2 ? "turn" : names[chance(names.length)];
    events.push(name);
    let mayLose;
    try {
      mayLose = await happenings[name](life, life.graphs[chance(2)], {
        configurable: { thread_id: life.id },
      });
    } catch (error) {
      assert.match(
        `${error.code} ${error.name} ${error.message}`,
        /as it was wanted|is lost|FENCED|Abort|EMPTY_INPUT|OTHER_SHAPE|no thread/,
        `seed ${seed}: ${events}: ${error.stack}`,
      );
    }
    // Who reads while an append is under way hears of its end.
    await Promise.allSettled(
      life.graphs.map((graph) => graph.getState({ configurable: { thread_id: life.id } })),
    );
    life.fails = life.lost = -1;
    try {
      const now = await read(life);
      for (const [id, tuple] of known)
        if (!mayLose || now.has(id)) assert.deepEqual(now.get(id), tuple, id);
      known = now;
    } catch (error) {
      error.message = `seed ${seed}: ${events}: ${error.message}`;
      throw error;
    }
  }
  return (await life.open().store.read(life.id)).flatMap((piece) =>
    [...framesOf(piece)].map(({ bytes, at }) => bytes[at - 40]),
  );
}

test(`${LIVES} random lives of threads with graphs inside`, async (t) => {
  let packed = 0;
  for (let seed = 1; seed <= LIVES; seed++) {
    const formats = await live(seed);
    if (formats.includes(4)) packed++;
  }
  t.diagnostic(`${packed} hold packed records at their end`);
  assert.ok(packed > LIVES / 2);
});
