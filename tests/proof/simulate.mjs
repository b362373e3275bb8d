// SPDX-License-Identifier: MIT
// One seed of T9: a random program, run by processes that crash, meet a failing store, and work on
// one thread two at a time, until it is over. What must hold is checked where it would break.
import "./steady-loop.mjs";
import { MemorySaver } from "weftgraph";
import { build, endOf, makePlan, nextInput } from "./programs.mjs";
import { makeTalkPlan } from "./talks.mjs";
import { World, makeRandom } from "./world.mjs";

const config = { configurable: { thread_id: "t" } };
const PROCESSES = 40;
const INTENT = 3;
const LIST_SNAPSHOT = 7;

/** What the program ends with when nothing goes wrong. */
async function endWithoutFaults(plan) {
  const idle = async () => {};
  const graph = build(plan, new MemorySaver(), { work: idle, tool: idle, mayFail: () => {} });
  for (let runs = 0; runs < 30; runs++) {
    const snapshot = await graph.getState(config);
    const input = nextInput(plan, snapshot);
    if (input === undefined) return endOf(plan, snapshot);
    await graph.invoke(input, config);
  }
  throw new Error("the program does not end");
}

/** What nodes do outside, on behalf of a process, and what must hold when they begin. */
function outsideOf(world, process, tally) {
  const begin = (key) => {
    if (!process.alive) throw new Error("dead");
    world.trace.push(`${process.name} begins ${key}`);
  };
  return {
    async work(key) {
      begin(key);
      if (process.seen.includes(`done:${key};`))
        throw world.violate(`${key} ran again after its result was saved`);
      await world.wait(process, "work");
      tally.effects++;
    },
    mayFail(key) {
      if (world.random.chance(process.faults.node ?? 0)) throw new Error(`${key} failed`);
    },
    async tool(id, name) {
      begin(id);
      if (world.countRecords("t", INTENT, id) === 0)
        throw world.violate(`the call ${id} began before the log said so`);
      if (Buffer.from(world.log("t")).includes(`did ${id}`))
        throw world.violate(`the call ${id} ran again after its result was saved`);
      const runs = (tally.runs[id] = (tally.runs[id] ?? 0) + 1);
      if (name === "pay" && runs > 1 + (tally.accepted[id] ?? 0))
        throw world.violate(`the call ${id} ran ${runs} times, and nobody asked for it`);
      await world.wait(process, "work");
      tally.effects++;
    },
  };
}

const KNOWN = new Set(["FENCED", "STORE"]);

/** Whether an error is one that a client may see here. */
function isExpected({ code, message = "", cause, errors }) {
  return (
    KNOWN.has(code) ||
    /injected|failed$|^dead$/.test(message) ||
    (Array.isArray(errors) ? errors.every(isExpected) : cause !== undefined && isExpected(cause))
  );
}

async function maybePrune({ random }, { saver }, chance) {
  if (random.chance(chance)) await saver.prune("t", { last: 1 + random.below(3) });
}

/** Looks at the thread and lets it go on once. @returns whether it was over */
async function turn(world, plan, process, tally) {
  const graph = build(plan, process.saver, outsideOf(world, process, tally));
  const snapshot = await graph.getState(config);
  if (process.asked && !process.isRival) {
    const pending = new Set(
      snapshot.tasks.flatMap(({ interrupts }) => interrupts.map(({ id }) => id)),
    );
    for (const id of process.asked)
      if (!pending.has(id)) throw world.violate("a question that waited is gone");
  }
  const input = nextInput(plan, snapshot);
  if (input === undefined) return true;
  await maybePrune(world, process, 0.1);
  for (const { interrupts } of snapshot.tasks) {
    for (const { value } of interrupts)
      if (value.kind === "unknown_tool_call")
        tally.accepted[value.tool_call_id] = (tally.accepted[value.tool_call_id] ?? 0) + 1;
  }
  const result = await graph.invoke(input, {
    ...config,
    durability: plan.durability,
    recursionLimit: 60,
  });
  tally.asked = result.__interrupt__?.map(({ id }) => id);
  await maybePrune(world, process, 0.3);
  return false;
}

/** What each checkpoint holds, as the engine reads it and as JavaScript does. */
async function readTwice(world, plan, saver) {
  const heldOf = ({ messages, log }) => messages ?? log ?? [];
  const [states, tuples] = [[], []];
  for await (const { values } of build(plan, saver, {}).getStateHistory(config))
    states.push(heldOf(values));
  for await (const { checkpoint, config: at } of saver.list(config))
    if (at.configurable.checkpoint_ns === "") tuples.push(heldOf(checkpoint.channel_values));
  const [read, listed] = [states, tuples].map((all) => all.map((one) => JSON.stringify(one)));
  if (read.join() !== listed.join())
    throw world.violate(`the engine reads ${read}, JavaScript ${listed}`);
  return read;
}

/** The history is read in both ways, also what a last compaction leaves of it. */
async function checkHistory(world, plan) {
  const saver = new MemorySaver();
  const { seq, crc } = world.head("t");
  saver.store.append("t", { firstSeq: 1, seq, crc }, world.log("t"), undefined);
  const all = await readTwice(world, plan, saver);
  await saver.prune("t", { last: 2 });
  const left = await readTwice(world, plan, saver);
  if (left.join() !== all.slice(0, left.length).join())
    throw world.violate(`a compaction left ${left} of ${all}`);
}

/**
 * @param {number} seed
 * @param {{ ignoreExpected?: boolean }} [planted] the bug that the world is given
 * @returns {Promise<{ counts: Record<string, number>, trace: string[], end: string }>}
 */
export async function simulate(seed, planted) {
  const random = makeRandom(seed);
  const plan = random.chance(0.25) ? makeTalkPlan(random) : makePlan(random);
  const expected = await endWithoutFaults(plan);
  const world = new World(random, planted);
  const tally = {
    runs: {},
    accepted: {},
    effects: 0,
    asked: undefined,
    questions: 0,
    processes: 0,
  };
  const roughness = random.pick([0.01, 0.03, 0.08]);
  for (let over = false; !over; ) {
    const calm = tally.processes > PROCESSES - 12;
    if (tally.processes >= PROCESSES) throw world.violate("the thread does not come to its end");
    const faults = calm
      ? {}
      : { failure: roughness, lost: roughness, crash: roughness / 2, node: 0.2 };
    const count = !calm && world.acknowledged.length > 0 && random.chance(0.5) ? 2 : 1;
    const rivals = Array.from({ length: count }, () =>
      Object.assign(world.spawn(`p${++tally.processes}`, faults), {
        asked: tally.asked,
        isRival: count > 1,
      }),
    );
    tally.questions += tally.asked?.length ?? 0;
    tally.asked = undefined;
    const ends = await world.settle(rivals.map((process) => turn(world, plan, process, tally)));
    if (count > 1) tally.asked = undefined;
    if (world.violation) throw world.violation;
    for (const { error } of ends) {
      if (error && !isExpected(error))
        throw world.violate(`an error that nobody injected: ${error.code ?? ""} ${error.stack}`);
      if (error) world.trace.push(`failed ${error.code ?? "other"}`);
    }
    over = ends.some(({ value }) => value === true);
  }
  const last = world.spawn("reader");
  const [{ value: end, error }] = await world.settle([
    build(plan, last.saver, {})
      .getState(config)
      .then((snapshot) => endOf(plan, snapshot)),
  ]);
  if (error) throw error;
  if (end !== expected) throw world.violate(`the thread ended with ${end}, expected ${expected}`);
  await checkHistory(world, plan);
  world.trace.push(end);
  return {
    counts: {
      ...world.counts,
      listSnapshots: world.countRecords("t", LIST_SNAPSHOT, ""),
      effects: tally.effects,
      questions: tally.questions,
      processes: tally.processes,
    },
    trace: world.trace,
    end,
  };
}
