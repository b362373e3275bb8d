// SPDX-License-Identifier: MIT
// A thread of an entrypoint that returns all that was said, which so stands in its log as patches
// that take from other values (format 3): what it says, and how it goes on.
import { entrypoint, getPreviousState, task } from "weftgraph";

const config = { configurable: { thread_id: "t" } };
const words = (/** @type {number} */ at) =>
  Array.from({ length: 70 }, (_, i) => ((i * 7919 + at * 104_729) % 1_000_003).toString(36)).join(
    " ",
  );
const answer = task("answer", async (/** @type {any[]} */ messages) => ({
  role: "ai",
  content: `número ${words(messages.length)}`,
}));
const talkOf = (/** @type {any} */ checkpointer) =>
  entrypoint({ name: "talk", checkpointer }, async (/** @type {string} */ said) => {
    const messages = [...(getPreviousState() ?? []), { role: "user", content: said }];
    return [...messages, await answer(messages)];
  });

/** Runs the thread on for `turns`. @param {any} saver @param {number} turns */
export async function converse(saver, turns) {
  let end = (await talkOf(saver).getState(config)).values ?? [];
  for (let i = 0; i < turns; i++)
    end = await talkOf(saver).invoke(words(-1 - (end.length ?? 0)), config);
  return end;
}

/** What every checkpoint holds, and what tasks wrote. @param {any} saver */
export async function sayConversation(saver) {
  const all = [];
  for await (const { checkpoint, pendingWrites } of saver.list(config))
    all.push([
      checkpoint.channel_values,
      pendingWrites.map((/** @type {any} */ [, ...write]) => write),
    ]);
  return JSON.parse(JSON.stringify(all));
}
