// SPDX-License-Identifier: MIT
// T10: every way in which one or two tabs can answer three questions, with every order of what they
// do to the thread's head and a crash at any of it. A run is decided by a list of choices; the next
// list is the last one with its last choice moved on. Time and ids come from the log, so that what
// may happen next is decided by the storage, by what ran, and by what each process that is alive
// has been told: where another run was with the same of these, a run is given up.
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
  return {
    type: verdict,
    digest,
    args:
      verdict === "edit"
        ? { action: "order", args: { n: n + 10 } }
        : verdict === "response"
          ? `no ${id}`
          : null,
  };
}

/** What may be said of a call that got this verdict; behind a crash also that nobody knows. */
function outcomes(verdict, n) {
  if (verdict === "accept") return [`ordered ${n}`];
  if (verdict === "edit") return [`ordered ${n + 10}`];
  return [
    `The user rejected the call of "order"; it was not run. Reason: ${verdict === "ignore" ? "none was given" : `no c${n}`}`,
  ];
}

const TIME = Date.parse("2026-01-01T00:00:00Z");

/** What an invocation that begins now is given for time and ids. @param {Uint8Array} log */
function given(log) {
  let drawn = 0;
  const ids = () => {
    const hex = createHash("sha1").update(log).update(`${drawn++}`).digest("hex");
    return [
      hex.slice(0, 8),
      hex.slice(8, 12),
      `4${hex.slice(13, 16)}`,
      `a${hex.slice(17, 20)}`,
      hex.slice(20, 32),
    ].join("-");
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

/**
 * Where no process is alive: what the storage holds, what ran, how often a process died, and how
 * one got there.
 * @typedef {{ disk: Map<string, Uint8Array>, acknowledged: Uint8Array, ran: Map<string, number[]>,
 *   crashes: number, path: number[][] }} Rest
 */

/** What happens from a rest to the next. */
class Scenario {
  mostCrashes = 1;
  crashesAtWork = true;
  isMerged = false;

  /**
   * @param {Choices} choices
   * @param {string[]} calls
   * @param {Rest} from
   * @param {{ ignoreExpected?: boolean }} planted
   * @param {Set<string>} known where runs were
   */
  constructor(choices, calls, from, planted, known) {
    this.known = known;
    this.calls = calls;
    this.ran = new Map(calls.map((id) => [id, [...(from.ran.get(id) ?? [])]]));
    this.crashes = from.crashes;
    this.path = from.path;
    this.choices = choices;
    this.world = Object.assign(new World(makeRandom(1), planted), {
      disk: new Map(from.disk),
      acknowledged: from.acknowledged,
    });
  }

  /** @returns {Rest} */
  get rest() {
    const {
      world: { disk, acknowledged },
      ran,
      crashes,
      path,
      choices,
    } = this;
    return {
      disk,
      acknowledged,
      ran,
      crashes,
      path: [...path, choices.made.map(({ pick }) => pick)],
    };
  }

  graphOf(process) {
    const order = tool(
      async ({ n }, { toolCallId: id }) => {
        const { world } = this;
        if (!process.alive) throw new Error("dead");
        if (world.countRecords("t", INTENT, id) === 0)
          throw world.violate(`${id} began before the log said so`);
        this.ran.get(id).push(n);
        await world.wait(process, "work", undefined, id);
        return `ordered ${n}`;
      },
      { name: "order", schema, approval: "ask" },
    );
    return new StateGraph(MessagesAnnotation)
      .addNode("tools", new ToolNode([order]))
      .addEdge(START, "tools")
      .addEdge("tools", END)
      .compile({ checkpointer: process.saver });
  }

  /**
   * Once: looks, answers as `verdicts` say, and lets the thread go on.
   * @returns whether it is over
   */
  async turn(process, verdicts) {
    const graph = this.graphOf(process);
    const snapshot = await graph.getState(config);
    if (snapshot.metadata === undefined) {
      const tool_calls = this.calls.map((id, n) => ({
        id,
        name: "order",
        args: { n },
        type: "tool_call",
      }));
      await graph.invoke(
        { messages: [new AIMessage({ id: "ai", content: "", tool_calls })] },
        given(this.world.log("t")),
      );
      return false;
    }
    if (snapshot.next.length === 0) return true;
    const asked = snapshot.tasks.flatMap(({ interrupts }) => interrupts);
    const said = asked.map(({ id, value }) => [
      id,
      value.kind === "unknown_tool_call"
        ? { type: "ignore", args: null }
        : answer(verdicts[at(value.tool_call_id)], value),
    ]);
    await graph.invoke(
      said.length > 0 ? new Command({ resume: Object.fromEntries(said) }) : null,
      given(this.world.log("t")),
    );
    return false;
  }

  /**
   * Runs turns at once. What they do to the head, and their work, happens in an order that is
   * chosen; they may crash there.
   */
  settle(turns, explores) {
    const { world, choices } = this;
    return world.settle(turns, () => {
      if (this.isMerged) return;
      const quiet = world.waiting.filter(
        ({ key, verb }) => !key.endsWith("head") && (verb !== "work" || !this.crashesAtWork),
      );
      if (quiet.length > 0 || !explores) {
        for (const call of quiet.length > 0 ? quiet : [world.waiting[0]]) this.happen(call, "done");
        return;
      }
      if (this.isExplored()) {
        this.isMerged = true;
        for (const { process } of [...world.waiting]) world.kill(process);
        return;
      }
      // Reads of the head may change places with each other, not with its writes.
      const read = world.waiting.find(({ verb }) => verb === "get");
      const ready = world.waiting.filter((call) => call.verb !== "get" || call === read);
      const options = ready.map((call) => ({ call, how: "done" }));
      if (this.crashes < this.mostCrashes) {
        // Whatever a process was about to do when it died, it did not do.
        for (const process of new Set(ready.map((call) => call.process)))
          options.push({
            call: ready.find((call) => call.process === process),
            how: "dies before",
          });
        for (const call of ready)
          if (call.verb === "cas") options.push({ call, how: "dies after" });
      }
      const { call, how } = options[choices.next(options.length)];
      if (how !== "done") this.crashes++;
      this.happen(call, how);
    });
  }

  /**
   * Notes what a process is told of its call: all that it does next is decided by that. Pieces have
   * names of chance.
   */
  happen(call, how) {
    const { process, verb, key, resolve } = call;
    const hash = createHash("sha1").update(process.told ?? "");
    call.resolve = (answer) => {
      hash.update(`${verb} ${how} ${verb === "work" ? key : answer === true}`);
      if (verb === "get") hash.update(key.endsWith("head") ? this.world.log("t") : (answer ?? ""));
      process.told = hash.digest("base64");
      resolve(answer);
    };
    this.world.happen(call, how);
  }

  /** Whether another run was here. */
  isExplored() {
    if (!this.choices.isNew) return false;
    const { world, ran, crashes } = this;
    const alive = world.waiting
      .map(
        ({ process: { says, told }, verb, key }) =>
          `${says} ${told} ${verb} ${verb === "work" && key}`,
      )
      .sort();
    const state = [...ran, crashes, `${world.disk.get("weft/t/witness")}`, alive];
    const hash = createHash("sha1")
      .update(world.log("t"))
      .update(JSON.stringify(state))
      .digest("base64");
    return this.known.size === this.known.add(hash).size;
  }

  /**
   * @param {string[][]} verdicts of each process that begins now
   * @param {boolean} explores
   * @returns {Promise<"over" | "known" | "rests">}
   */
  async run(verdicts, explores) {
    const ends = await this.settle(
      verdicts.map((says, i) =>
        this.turn(Object.assign(this.world.spawn(`p${i}`), { says: says.join() }), says),
      ),
      explores,
    );
    if (this.world.violation) throw this.world.violation;
    if (this.isMerged) return "known";
    for (const { error } of ends)
      if (
        error &&
        error.code !== "FENCED" &&
        error.code !== "STORE" &&
        !/dies|dead/.test(error.message)
      )
        throw error;
    if (ends.some(({ value }) => value === true)) return "over";
    if (this.path.length > 12) throw this.world.violate("the thread does not end");
    return explores && this.isExplored() ? "known" : "rests";
  }

  /** @param {string[][]} tabs */
  async end(tabs) {
    const reader = this.world.spawn("reader");
    const [{ value: snapshot, error }] = await this.world.settle(
      [this.graphOf(reader).getState(config)],
      () => this.world.happen(this.world.waiting[0], "done"),
    );
    if (error) throw error;
    this.check(snapshot.values.messages.slice(1), tabs);
  }

  /** What ran is what one of the tabs approved, once; what the thread says is what happened. */
  check(messages, tabs) {
    this.calls.forEach((id, n) => {
      const { content } = messages.find(({ tool_call_id }) => tool_call_id === id);
      const ran = this.ran.get(id);
      const isUnknown = this.crashes > 0 && content.startsWith("It is not known whether");
      const allowed = tabs.flatMap((verdicts) => outcomes(verdicts[n], n));
      if (ran.length > 1) throw this.world.violate(`${id} ran ${ran.length} times`);
      if (!isUnknown && !allowed.includes(content))
        throw this.world.violate(`${id}: nobody asked for "${content}"`);
      if (ran.some((args) => !allowed.includes(`ordered ${args}`)))
        throw this.world.violate(`${id} ran with ${ran}, which nobody approved`);
      if (!isUnknown && (ran.length === 1) !== content.startsWith("ordered"))
        throw this.world.violate(`${id} ran ${ran.length} times and says "${content}"`);
    });
  }
}

/**
 * All runs of a scenario: of its tabs at once, and then of the first alone, until the thread is
 * over.
 * @param {string[][]} tabs the verdicts of each tab, one for each call
 * @param {{ fromStart?: boolean, mostCrashes?: number, crashesAtWork?: boolean, planted?: any }}
 *   [options] `fromStart`: the one that asks may crash too
 * @returns {Promise<{ runs: number, states: number, crashes: number, merged: number }>} `merged`:
 *   runs that came to where another had been
 */
export async function explore(tabs, { fromStart = false, planted = {}, ...rest } = {}) {
  const sum = { runs: 0, states: 0, crashes: 0, merged: 0 };
  const known = new Set();
  const calls = CALLS.slice(0, tabs[0].length);
  const open = (choices, from) =>
    Object.assign(new Scenario(choices, calls, from, planted, known), rest);
  /** @type {Rest} */
  let start = {
    disk: new Map(),
    acknowledged: new Uint8Array(),
    ran: new Map(),
    crashes: 0,
    path: [],
  };
  if (!fromStart) {
    const first = open(new Choices([]), start);
    await first.run([tabs[0]], false);
    start = first.rest;
  }
  const rests = [start];
  for (let from = rests.pop(); from !== undefined; from = rests.pop()) {
    for (let made = []; made !== undefined; ) {
      const choices = new Choices(made);
      const scenario = open(choices, from);
      try {
        const how = await scenario.run(from === start && !fromStart ? tabs : [tabs[0]], true);
        if (how === "over") await scenario.end(tabs);
        if (how === "rests") rests.push(scenario.rest);
        if (how === "known") sum.merged++;
      } catch (error) {
        throw new Error(
          `T10: ${error.message} (tabs ${JSON.stringify(tabs)}, choices ${JSON.stringify(scenario.rest.path)})`,
          { cause: error },
        );
      }
      sum.runs++;
      sum.crashes += scenario.crashes - from.crashes;
      made = choices.following();
    }
  }
  return { ...sum, states: known.size };
}
