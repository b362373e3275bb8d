// SPDX-License-Identifier: MIT
// A thread whose graph inside is given its messages, which so stand in the log as list snapshots:
// what it says, and how it goes on.
import { AIMessage, HumanMessage, MessagesAnnotation, START, StateGraph } from "weftgraph";

const config = { configurable: { thread_id: "t" } };
const say = ({ messages }) => ({
  messages: new AIMessage({
    id: `said${messages.length}`,
    content: `that is ${messages.length}, after ${messages.at(-1).content}`,
  }),
});
const around = (node) =>
  new StateGraph(MessagesAnnotation).addNode("inside", node).addEdge(START, "inside");
const graphOf = (/** @type {any} */ checkpointer) =>
  around(around(say).compile()).compile({ checkpointer });
const plain = (/** @type {any} */ messages) =>
  messages.map((/** @type {any} */ { id, content, kwargs }) => [
    id ?? kwargs.id,
    content ?? kwargs.content,
  ]);

/** Runs the thread on for `turns`. @param {any} saver @param {number} turns */
export async function talk(saver, turns) {
  const { messages = [] } = (await graphOf(saver).getState(config)).values;
  let end = messages.length;
  for (let i = 0; i < turns; i++) {
    const more = Array.from(
      { length: end === 0 ? 12 : 2 },
      (_, n) =>
        new HumanMessage({
          id: `h${end + n}`,
          content: `what número ${end + n} says, and not briefly`,
        }),
    );
    end = (await graphOf(saver).invoke({ messages: more }, config)).messages.length;
  }
  return plain((await graphOf(saver).getState(config)).values.messages);
}

/**
 * Every checkpoint's messages, those inside too, with what they were given and what tasks wrote.
 * @param {any} saver
 */
export async function sayLists(saver) {
  const all = [];
  for await (const { checkpoint, pendingWrites } of saver.list(config)) {
    const { messages = [], __start__: given } = checkpoint.channel_values;
    const written = pendingWrites
      .filter((/** @type {any} */ [, channel]) => channel === "messages")
      .map((/** @type {any} */ [, , value]) => plain([value].flat()));
    all.push([plain(messages), plain(given?.messages ?? []), written]);
  }
  return JSON.parse(JSON.stringify(all));
}
