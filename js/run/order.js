// SPDX-License-Identifier: MIT
// The order in which tasks of a step are shown, where somebody watches: LangGraph.js's, which follows from the turns of the
// microtask queue that its tasks take. Owns the tasks that ended and are not shown yet.
// Must not know what becomes of them.

import { END, isCommand } from "../constants.js";
import { ENTRY_BRANCH } from "../engine/codes.js";
import { END_INDEX } from "./entries.js";

/** @typedef {import("./task.js").Task} Task */

/** What LangGraph.js takes for what a node returned, and not for what it asked. */
const RESULT_TURNS = 22;
/** Only so much later it looks who else has ended, after a task that returned and after one that did not. */
const LOOK_TURNS = 4.5;
const ASKED_TURNS = 4;
/** For all edges and joins of a node; with conditions, for each. */
const EDGES_TURNS = 11.5;
const EDGE_TURNS = 11;
/** Before all conditions, and for each. */
const CONDITIONS_TURNS = 13.5;
const CONDITION_TURNS = 13;

/** Less, where a condition asks or fails. */
const IN_CONDITION_TURNS = 3;

/** For what a list holds beside Commands. */
const PART_TURNS = 3;

/** What nodes take once they have returned, by number. @param {import("./graph.js").EngineGraph} graph @returns {number[]} */
function ofGraph(graph) {
  const { edges, joins, branches } = graph.definition;
  return (graph.turns ??= graph.nodes.map((name) => {
    const count = edges.filter(([from, to]) => from === name && to !== "__end__").length + joins.filter(([from]) => from.includes(name)).length;
    const conditions = branches.filter(({ from }) => from === name).length;
    if (conditions > 0) return CONDITIONS_TURNS + conditions * CONDITION_TURNS + count * EDGE_TURNS;
    return count > 0 ? EDGES_TURNS : 0;
  }));
}

/** What this result takes more than an object that conditions send somewhere. @param {Task} task */
function ofOutput({ output, writes: { routes = [] }, run }) {
  let turns = output === null || output === undefined ? -1 : 0;
  if (Array.isArray(output)) turns += PART_TURNS * output.filter((part) => !isCommand(part)).length;
  if (routes.length > 0 && routes[0] !== ENTRY_BRANCH) turns++;
  for (let i = 0; i < routes.length; i += 3) {
    if (routes[i] === ENTRY_BRANCH && goesNowhere(routes[i + 2], run.graph.definition.branches[routes[i + 1]].ends)) turns--;
  }
  return turns;
}

/** @param {any[]} targets of a condition, three words each @param {[string, string][] | null} ends */
function goesNowhere(targets, ends) {
  return targets.every((target, i) => i % 3 === 1 ? (ends === null ? target === END_INDEX : ends[target][1] === END) : i % 3 === 2 || target === 0);
}

export class Order {
  /** By the turn in which they end. @type {Task[]} */
  #waiting = [];
  /** Have ended by `#next`, by number. @type {Task[]} */
  #ready = [];
  #turn = 0;
  /** The turn in which LangGraph.js looks next. */
  #next = 0;
  #counts = false;
  /** Those that waited for something: half a turn tells. @type {WeakSet<Task>} */
  #late = new WeakSet();
  /** Is the step given up? */
  #isOver = false;

  /** @param {import("./work.js").Work} work */
  constructor(work) {
    this.work = work;
  }

  /** @param {Task} task that ended */
  add(task) {
    if (task.turns % 1 !== 0) this.#late.add(task);
    task.turns += this.#turn;
    if (isResult(task)) task.turns += RESULT_TURNS + ofGraph(task.run.graph)[task.node] + ofOutput(task);
    else if (task.writes.count > 0) task.turns += RESULT_TURNS + ofGraph(task.run.graph)[task.node] - IN_CONDITION_TURNS;
    this.#isOver ||= task.failed && task.keeps === 0 && task.attempt >= (task.retry?.maxAttempts ?? 0);
    insert(this.#waiting, task, isLater);
    this.count();
  }

  /**
   * Those whose turn has come are to be fed; all when no other can come between, those that waited
   * one by one, so that they are read so.
   */
  pick() {
    const [waiting, ready] = [this.#waiting, this.#ready];
    const { ended } = this.work;
    const isOpen = this.work.running > 0 && !this.#isOver;
    while (waiting.length + ready.length > 0) {
      const at = ready.length > 0 ? this.#next : Math.max(this.#next, waiting[0].turns);
      if (isOpen && at > this.#turn) return this.count();
      let count = 0;
      while (count < waiting.length && waiting[count].turns <= at) insert(ready, waiting[count++], isBehind);
      waiting.splice(0, count);
      if (ended.length > 0 && !this.#isOver && (this.#late.has(ended[0]) || this.#late.has(ready[0]))) return;
      const task = /** @type {Task} */ (ready.shift());
      this.#next = at + (isResult(task) ? LOOK_TURNS : ASKED_TURNS);
      ended.push(task);
    }
    if (isOpen) return;
    this.#next = 0;
    this.#isOver = false;
  }

  /** Counts turns until all have ended that wait; not for ever, since who takes them may wait for something else. */
  count() {
    const { run, running } = this.work;
    const last = Math.max(this.#waiting.at(-1)?.turns ?? 0, this.#ready.length > 0 ? this.#next : 0);
    if (this.#counts || running === 0 || run.over || last <= this.#turn) return;
    this.#counts = true;
    queueMicrotask(() => {
      this.#counts = false;
      this.#turn++;
      run.advance();
      this.count();
    });
  }
}

/** @param {Task[]} list @param {Task} task @param {(one: Task, other: Task) => boolean} isAfter */
function insert(list, task, isAfter) {
  let at = list.length;
  while (at > 0 && isAfter(list[at - 1], task)) at--;
  list.splice(at, 0, task);
}

/** @param {Task} task */
function isResult({ failed, interrupts }) {
  return !failed && interrupts === undefined;
}

/** @param {Task} one @param {Task} other */
function isBehind(one, other) {
  return one.index > other.index;
}

/** @param {Task} one @param {Task} other */
function isLater(one, other) {
  return one.turns > other.turns || (one.turns === other.turns && isBehind(one, other));
}
