// SPDX-License-Identifier: MIT
// T24 in one process: lives in the small world (world.mjs), each of which ends at a call of the
// store, or while a tool or a model is at work, as a seed says.
import { MemorySaver } from "weftgraph";
import { keepPruned } from "weftgraph/savers/retention";
import { KEEP, build, end, live, makePlan } from "./lives.mjs";
import { World, makeRandom } from "./world.mjs";

/**
 * What a life does at most until it ends; reading a commit, of which a thread has many, is little
 * of that.
 */
const LONGEST = 45;
const READ = 0.02;
const PROCESSES = 400;
const configOf = (durability) => ({ configurable: { thread_id: "t" }, durability });

/** How it ends when nobody dies. */
async function endWithoutDeath(plan, durability) {
  const outside = {
    wait: async () => {},
    note: (event) => void outside.journal.push(event),
    journal: [],
    isStored: () => false,
  };
  const snapshot = await live(
    plan,
    build(plan, new MemorySaver(), outside),
    configOf(durability),
    outside,
    makeRandom(1),
  );
  return end(plan, snapshot, outside);
}

/**
 * @param {World} world
 * @param {any} process
 * @param {any[]} journal
 * @returns {import("./lives.mjs").Outside}
 */
function outsideOf(world, process, journal) {
  const isAlive = () => {
    if (!process.alive) throw new Error("dead");
  };
  return {
    journal,
    wait: (what) => (isAlive(), world.wait(process, "work", undefined, what)),
    note(event) {
      if (!process.alive) return;
      if (event.fault !== undefined) world.violate(event.fault);
      journal.push(event);
    },
    isStored: (text) => (isAlive(), process.seen.includes(text)),
  };
}

/**
 * One conversation, from its first life to its last.
 * @param {string} program
 * @param {string} durability
 * @param {number} seed
 * @param {(snapshot: any) => any} [look]
 * @returns {Promise<{ lives: number, effects: number, questions: number }>} lives: those that were
 *   cut short
 */
export async function runLives(program, durability, seed, look) {
  const random = makeRandom(seed);
  const plan = makePlan(random, program);
  const expected = await endWithoutDeath(plan, durability);
  const world = new World(random);
  const journal = [];
  const sum = { lives: 0, effects: 0, questions: 0 };
  for (let process, last; last === undefined; ) {
    if (sum.lives > PROCESSES) throw world.violate("the conversation does not come to its end");
    process = world.spawn(`p${sum.lives}`);
    journal.push({ life: sum.lives + 1 });
    let left = 3 + random.below(LONGEST);
    const step = () => {
      const call = random.pick(world.waiting);
      left -= call.verb === "get" ? READ : 1;
      world.happen(call, left > 0 ? "done" : random.chance(0.5) ? "dies before" : "dies after");
    };
    const saver = program === "keep" ? keepPruned(process.saver, KEEP) : process.saver;
    const outside = outsideOf(world, process, journal);
    const [{ value, error }] = await world.settle(
      [live(plan, build(plan, saver, outside), configOf(durability), outside, random, look)],
      step,
    );
    if (world.violation) throw Object.assign(world.violation, { journal, log: world.log("t") });
    if (value === undefined && process.alive)
      throw world.violate(`an error that nobody injected: ${error.code ?? ""} ${error.stack}`);
    last = value;
    if (process.alive) world.kill(process);
    else sum.lives++;
    if (last !== undefined && end(plan, last, { journal }) !== expected)
      throw world.violate(`it ended with ${end(plan, last, { journal })}, expected ${expected}`);
  }
  sum.effects = journal.filter(({ run }) => run !== undefined).length;
  sum.questions = journal.filter(({ answered }) => answered !== undefined).length;
  return sum;
}
