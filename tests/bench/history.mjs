// SPDX-License-Identifier: MIT
// docs/benchmarks.md: what a step costs when the thread is long. One long run (two steps a turn),
// and one invoke a turn on an open thread; 500-byte messages, memory saver. Growth is measured, not
// assumed.
import { randomBytes } from "node:crypto";
import { compare, round } from "./measure.mjs";

// No text is like another one: what is like an earlier one is stored as an edit of it.
const TEXTS = Array.from({ length: 4096 }, () => randomBytes(375).toString("base64"));
let told = 0;
const nextText = () => TEXTS[told++ % TEXTS.length];
const SIZES = [10, 100, 1000, 2000];
let serial = 0;

function twoNodes(lib, checkpointer) {
  let id = 0;
  const say = (kind) => () => ({
    messages: [new lib[kind]({ content: nextText(), id: `m${id++}` })],
  });
  return new lib.StateGraph(lib.MessagesAnnotation)
    .addNode("agent", say("AIMessage"))
    .addNode("tools", say("HumanMessage"))
    .addEdge(lib.START, "agent")
    .addEdge("agent", "tools")
    .addConditionalEdges("tools", (state, config) =>
      state.messages.length < config.configurable.until ? "agent" : lib.END,
    )
    .compile({ checkpointer });
}

/**
 * Messages up to `size` in one run; the time of the last part is what counts. Short runs are
 * repeated.
 */
function longRun(lib, size) {
  const once = lastSteps(lib, size);
  return async () => {
    const times = [];
    for (let left = size <= 100 ? 15 : 1; left > 0; left--) times.push(await once());
    return times.reduce((sum, time) => sum + time, 0) / times.length;
  };
}

function lastSteps(lib, size) {
  return async () => {
    const app = twoNodes(lib, new lib.MemorySaver());
    const first = Math.max(0, size - 20);
    let from;
    const stamp = { messages: [new lib.HumanMessage({ content: nextText(), id: "first" })] };
    const config = {
      recursionLimit: 100000,
      configurable: { thread_id: `h${serial++}`, until: size },
    };
    let steps = 0;
    let counted = 0;
    for await (const chunk of await app.stream(stamp, { ...config, streamMode: "updates" })) {
      void chunk;
      steps++;
      if (from === undefined && steps >= first) from = performance.now();
      else if (from !== undefined) counted++;
    }
    return (performance.now() - from) / Math.max(1, counted);
  };
}

/** One invoke per turn on a thread that already holds `size` messages. */
function turns(lib, size) {
  const checkpointer = new lib.MemorySaver();
  const app = twoNodes(lib, checkpointer);
  const config = { recursionLimit: 100000, configurable: { thread_id: `t${serial++}`, until: 0 } };
  let ready;
  const fill = async () => {
    const messages = Array.from(
      { length: size },
      (_, i) => new lib.HumanMessage({ content: nextText(), id: `f${i}` }),
    );
    await app.invoke({ messages }, config);
  };
  return async () => {
    await (ready ??= fill());
    const start = performance.now();
    for (let i = 0; i < 5; i++)
      await app.invoke({ messages: [new lib.HumanMessage(nextText())] }, config);
    return (performance.now() - start) / 15; // three supersteps a turn
  };
}

async function stored(lib, turnsOf) {
  const checkpointer = new lib.MemorySaver();
  const app = twoNodes(lib, checkpointer);
  const config = { configurable: { thread_id: "s", until: 0 } };
  for (let i = 0; i < turnsOf; i++)
    await app.invoke({ messages: [new lib.HumanMessage(nextText())] }, config);
  return (await checkpointer.byteLength("s")) / 1e6;
}

export async function rows({ weft, langgraph }) {
  const made = [];
  for (const size of SIZES) {
    made.push(
      await compare(`long run, at ${size} messages`, {
        unit: "ms/superstep",
        per: 1,
        sides: {
          weft: longRun(weft, size),
          ...(size <= 1000 ? { langgraph: longRun(langgraph, size) } : {}),
        },
      }),
    );
  }
  for (const size of SIZES) {
    made.push(
      await compare(`one invoke per turn, at ${size} messages`, {
        unit: "ms/superstep",
        per: 1,
        sides: {
          weft: turns(weft, size),
          ...(size <= 1000 ? { langgraph: turns(langgraph, size) } : {}),
        },
      }),
    );
  }
  for (const messages of [999, 1998]) {
    const megabytes = await stored(weft, messages / 3);
    made.push({
      name: `stored at ${messages + 1} messages, of the text`,
      unit: "x",
      weft: round(megabytes / ((messages * TEXTS[0].length) / 1e6)),
      must: "<= 2",
    });
  }
  const at = (name) => made.find((row) => row.name === name).weft;
  made.push({
    name: "growth of a step, 2,000 over 100 messages",
    unit: "x",
    weft: round(at("long run, at 2000 messages") / at("long run, at 100 messages")),
    must: "<= 1.3",
  });
  return made;
}
