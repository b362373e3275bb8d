// SPDX-License-Identifier: MIT
// T10: every way in which one or two tabs can answer three questions, with every order of what they do to the thread's head
// and a crash at any of it. A run is decided by a list of choices; the next list is the last one with its last choice moved on.
// Time and ids come from the log: where no process is alive, what may happen next is decided by the log and by what ran, and
// is explored once.
import { createHash } from "node:crypto";
import { AIMessage, Command, END, MessagesAnnotation, START, StateGraph, tool } from "weftgraph";
import { ToolNode } from "weftgraph/prebuilt";
import { World, makeRandom } from "./world.mjs";

const config = { configurable: { thread_id: "t" } };
const INTENT = 3;
const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
export const VERDICTS = ["accept", "edit", "ignore", "response"];
const CALLS = ["c0", "c1", "c2"];
const at = (id) => CALLS.indexOf(id);

/** What a person says to a question. @param {string} verdict @param {any} value the question */
function answer(verdict, { tool_call_id: id, digest }) {
  const n = at(id);
  return { type: verdict, digest, args: verdict === "edit" ? { action: "order", args: { n: n + 10 } } : verdict === "response" ? `no ${id}` : null };
}

/** What may be said of a call that got this verdict; behind a crash also that nobody knows. */
function outcomes(verdict, n) {
  if (verdict === "accept") return [`ordered ${n}`];
  if (verdict === "edit") return [`ordered ${n + 10}`];
  return [`The user rejected the call of "order"; it was not run. Reason: ${verdict === "ignore" ? "it was skipped" : `no c${n}`}`];
}

const TIME = Date.parse("2026-01-01T00:00:00Z");

/** What an invocation that begins now is given for time and ids. @param {Uint8Array} log */
function given(log) {
  let drawn = 0;
  const ids = () => {
    const hex = createHash("sha1").update(log).update(`${drawn++}`).digest("hex");
    return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
  };
  return { ...config, durability: "sync", clock: TIME + log.length, ids };
}

/** The choices of one run: those given, then always the first. */
class Choices {
  at = 0;
  /** @param {{ pick: number, of: number }[]} made */
  constructor(made) {
    this.made = made;
  }

  /** @param {number} of */
  next(of) {
    if (this.at === this.made.length) this.made.push({ pick: 0, of });
    return this.made[this.at++].pick;
  }

  /** Whether those given are used up. */
  get isNew() {
    return this.at === this.made.length;
  }

  /** The choices of the next run, or undefined when there is none. */
  following() {
    const made = this.made.slice(0, this.at);
    while (made.length > 0 && made.at(-1).pick + 1 === made.at(-1).of) made.pop();
    if (made.length === 0) return undefined;
    made.at(-1).pick++;
    return made;
  }
}

class Scenario {
  crashes = 0;
  states = 0;
  mostCrashes = 1;
  crashesAtWork = true;

  /** @param {Choices} choices @param {string[]} calls @param {{ ignoreExpected?: boolean }} planted @param {Set<string>} known where no process was alive */
  constructor(choices, calls, planted, known) {
    this.known = known;
    this.calls = calls;
    this.ran = new Map(calls.map((id) => [id, []]));
    this.choices = choices;
    this.planted = planted;
    this.world = new World(makeRandom(1), planted);
  }

  graphOf(process) {
    const order = tool(async ({ n }, { toolCallId: id }) => {
      const { world } = this;
      if (!process.alive) throw new Error("dead");
      if (world.countRecords("t", INTENT, id) === 0) throw world.violate(`${id} began before the log said so`);
      this.ran.get(id).push(n);
      await world.wait(process, "work", undefined, "work");
      return `ordered ${n}`;
    }, { name: "order", schema, approval: "ask" });
    return new StateGraph(MessagesAnnotation).addNode("tools", new ToolNode([order])).addEdge(START, "tools").addEdge("tools", END).compile({ checkpointer: process.saver });
  }

  /** Once: looks, answers as `verdicts` say, and lets the thread go on. @returns whether it is over */
  async turn(process, verdicts) {
    const graph = this.graphOf(process);
    const snapshot = await graph.getState(config);
    if (snapshot.metadata === undefined) {
      const tool_calls = this.calls.map((id, n) => ({ id, name: "order", args: { n }, type: "tool_call" }));
      await graph.invoke({ messages: [new AIMessage({ id: "ai", content: "", tool_calls })] }, given(this.world.log("t")));
      return false;
    }
    if (snapshot.next.length === 0) return true;
    const asked = snapshot.tasks.flatMap(({ interrupts }) => interrupts);
    const said = asked.map(({ id, value }) => [id, value.kind === "unknown_tool_call" ? { type: "ignore", args: null } : answer(verdicts[at(value.tool_call_id)], value)]);
    await graph.invoke(said.length > 0 ? new Command({ resume: Object.fromEntries(said) }) : null, given(this.world.log("t")));
    return false;
  }

  /** Runs turns at once. What they do to the head, and their work, happens in an order that is chosen; they may crash there. */
  settle(turns, explores) {
    const { world, choices } = this;
    return world.settle(turns, () => {
      const quiet = world.waiting.filter(({ key, verb }) => !key.endsWith("head") && (verb !== "work" || !this.crashesAtWork));
      if (quiet.length > 0 || !explores) {
        for (const call of quiet.length > 0 ? quiet : [world.waiting[0]]) world.happen(call, "done");
        return;
      }
      this.states++;
      // Reads of the head may change places with each other, not with its writes.
      const read = world.waiting.find(({ verb }) => verb === "get");
      const ready = world.waiting.filter((call) => call.verb !== "get" || call === read);
      const options = ready.map((call) => ({ call, how: "done" }));
      if (this.crashes < this.mostCrashes) {
        // Whatever a process was about to do when it died, it did not do.
        for (const process of new Set(ready.map((call) => call.process))) options.push({ call: ready.find((call) => call.process === process), how: "dies before" });
        for (const call of ready) if (call.verb === "cas") options.push({ call, how: "dies after" });
      }
      const { call, how } = options[choices.next(options.length)];
      if (how !== "done") this.crashes++;
      world.happen(call, how);
    });
  }

  /** Whether another run was here, when no process is alive. */
  isExplored() {
    if (!this.choices.isNew) return false;
    const key = createHash("sha1").update(this.world.log("t")).update(JSON.stringify([...this.ran, this.crashes])).digest("base64");
    return this.known.size === this.known.add(key).size;
  }

  /** @param {string[][]} tabs the verdicts of each tab @param {boolean} fromStart whether the first question may crash too @returns whether it came to its end */
  async run(tabs, fromStart) {
    let processes = 0;
    const turns = (verdicts) => verdicts.map((one) => this.turn(this.world.spawn(`p${++processes}`), one));
    if (!fromStart) await this.settle(turns([tabs[0]]), false);
    for (let over = false, first = true; !over; first = false) {
      if (!first && this.isExplored()) return false;
      if (processes > 12) throw this.world.violate("the thread does not end");
      const ends = await this.settle(turns(first && !fromStart ? tabs : [tabs[0]]), true);
      if (this.world.violation) throw this.world.violation;
      for (const { error } of ends) if (error && error.code !== "FENCED" && error.code !== "STORE" && !/dies|dead/.test(error.message)) throw error;
      over = ends.some(({ value }) => value === true);
    }
    const reader = this.world.spawn("reader");
    const [{ value: snapshot, error }] = await this.world.settle([this.graphOf(reader).getState(config)], () => this.world.happen(this.world.waiting[0], "done"));
    if (error) throw error;
    this.check(snapshot.values.messages.slice(1), tabs);
    return true;
  }

  /** What ran is what one of the tabs approved, once; what the thread says is what happened. */
  check(messages, tabs) {
    this.calls.forEach((id, n) => {
      const { content } = messages.find(({ tool_call_id }) => tool_call_id === id);
      const ran = this.ran.get(id);
      const isUnknown = this.crashes > 0 && content.startsWith("It is not known whether");
      const allowed = tabs.flatMap((verdicts) => outcomes(verdicts[n], n));
      if (ran.length > 1) throw this.world.violate(`${id} ran ${ran.length} times`);
      if (!isUnknown && !allowed.includes(content)) throw this.world.violate(`${id}: nobody asked for "${content}"`);
      if (ran.some((args) => !allowed.includes(`ordered ${args}`))) throw this.world.violate(`${id} ran with ${ran}, which nobody approved`);
      if (!isUnknown && (ran.length === 1) !== content.startsWith("ordered")) throw this.world.violate(`${id} ran ${ran.length} times and says "${content}"`);
    });
  }
}

/**
 * All runs of a scenario.
 * @param {string[][]} tabs the verdicts of each tab, one for each call
 * @param {{ fromStart?: boolean, mostCrashes?: number, crashesAtWork?: boolean, planted?: any }} [options]
 * @returns {Promise<{ runs: number, states: number, crashes: number, merged: number }>} `merged`: runs that came to where another had been
 */
export async function explore(tabs, { fromStart = false, planted = {}, ...rest } = {}) {
  const sum = { runs: 0, states: 0, crashes: 0, merged: 0 };
  const seen = new Set();
  for (let made = []; made !== undefined; ) {
    const choices = new Choices(made);
    const known = made.length;
    const scenario = Object.assign(new Scenario(choices, CALLS.slice(0, tabs[0].length), planted, seen), rest);
    try {
      if (!(await scenario.run(tabs, fromStart))) sum.merged++;
    } catch (error) {
      throw new Error(`T10: ${error.message} (tabs ${JSON.stringify(tabs)}, choices ${choices.made.map(({ pick }) => pick)})`, { cause: error });
    }
    sum.runs++;
    // States that the run before has seen are not counted again.
    sum.states += choices.at - Math.max(0, known - 1);
    sum.crashes += scenario.crashes;
    made = choices.following();
  }
  return sum;
}
