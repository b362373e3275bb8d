// SPDX-License-Identifier: MIT
// A thread whose values are edited, and so stand in its log as patches (format 2): what it says,
// and how it goes on.
import { Annotation, END, START, StateGraph } from "weftgraph";

const FIRST = Array.from({ length: 90 }, (_, i) => `wörd${(i * 7919) % 1009}`).join(" ");
const put = (text, at, word) => text.slice(0, at) + word + text.slice(at + 4);

const config = { configurable: { thread_id: "t" } };

/** @param {any} saver */
const graphOf = (saver) =>
  new StateGraph(
    Annotation.Root({
      text: Annotation,
      list: Annotation({ reducer: (a, b) => [...a, ...b], default: () => [] }),
      at: Annotation,
      end: Annotation,
    }),
  )
    .addNode("edits", ({ text, at }) => ({
      text: put(put(text, (at * 13) % 200, `<${at}>`), 300 + at, "é"),
      list: [{ edited: at }],
      at: at + 1,
    }))
    .addEdge(START, "edits")
    .addConditionalEdges("edits", ({ at, end }) => (at >= end ? END : "edits"))
    .compile({ checkpointer: saver });

/** Runs the thread on for `steps`. @param {any} saver @param {number} steps */
export async function edit(saver, steps) {
  const { at } = (await graphOf(saver).getState(config)).values;
  const input = at === undefined ? { text: FIRST, at: 0, end: steps } : { end: at + steps };
  return (await graphOf(saver).invoke(input, { ...config, recursionLimit: steps + 5 })).text;
}

/** Every checkpoint's values, by both ways of reading them. @param {any} saver */
export async function sayAll(saver) {
  const states = [];
  for await (const { values } of graphOf(saver).getStateHistory(config))
    if (values.at !== undefined) states.push([values.text, values.list, values.at]);
  const tuples = [];
  for await (const {
    checkpoint: { channel_values: held },
  } of saver.list(config))
    if (held.at !== undefined) tuples.push([held.text, held.list, held.at]);
  return [states, tuples];
}
