// SPDX-License-Identifier: MIT
// T24's process: leads conversations over a FileSaver until it is killed, from the first that is
// not over. All that it does outside stands in the conversation's journal before it goes on. Usage:
// node lives-main.mjs folder program durability bug first
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { MemorySaver } from "weftgraph";
import { FileSaver } from "weftgraph/savers/file";
import { KEEP, build, end, live, lookBroken, makePlan } from "./lives.mjs";
import { makeRandom } from "./world.mjs";

const [folder, program, durability, bug, first = "1"] = process.argv.slice(2);
const LONGEST_MS = 12;
const config = { configurable: { thread_id: "t" }, durability };

async function endWithoutDeath(plan) {
  const outside = {
    wait: async () => {},
    note: (event) => void outside.journal.push(event),
    journal: [],
    isStored: () => false,
  };
  return end(
    plan,
    await live(plan, build(plan, new MemorySaver(), outside), config, outside, makeRandom(1)),
    outside,
  );
}

const journalOf = (seed) =>
  existsSync(`${folder}/${seed}.journal`)
    ? readFileSync(`${folder}/${seed}.journal`, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

/** @param {number} seed @param {any[]} journal */
async function goOn(seed, journal) {
  const plan = makePlan(makeRandom(seed), program);
  const random = makeRandom(seed * 1000 + journal.length);
  const saver = new FileSaver({
    path: `${folder}/${seed}`,
    ...(program === "keep" ? { keep: KEEP } : {}),
  });
  const stored = Buffer.concat((await saver.store.read("t")) ?? []);
  const outside = {
    journal,
    isStored: (text) => stored.includes(text),
    wait: () => new Promise((resolve) => setTimeout(resolve, random.below(LONGEST_MS))),
    note(event) {
      journal.push(event);
      appendFileSync(`${folder}/${seed}.journal`, `${JSON.stringify(event)}\n`);
    },
  };
  const last = await live(
    plan,
    build(plan, saver, outside),
    config,
    outside,
    random,
    bug === "broken" ? lookBroken : undefined,
  );
  const [came, expected] = [end(plan, last, outside), await endWithoutDeath(plan)];
  if (came !== expected) throw new Error(`it ended with ${came}, expected ${expected}`);
  // A fault that a tool found is the tool's error, which the model reads.
  const fault = journal.find((event) => event.fault !== undefined);
  if (fault !== undefined) throw new Error(fault.fault);
  outside.note({ over: true });
}

process.stdout.write("ready\n");
for (let seed = Number(first); ; seed++) {
  const journal = journalOf(seed);
  if (journal.some(({ over }) => over === true)) continue;
  await goOn(seed, journal).catch((error) => {
    console.error(`conversation ${seed}: ${error.stack}`);
    process.exit(2);
  });
}
